"""Digests of what files show, which their metadata do not change."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from PIL import Image

from plugin.core.publication.content_digest import (
    ContentState,
    compared_content,
    jpeg_digest,
    pixels_digest,
    svg_digest,
)
from plugin.core.publication.image_metadata import jpeg_with_metadata, svg_with_metadata
from plugin.core.publication.map_statement import MapStatement
from plugin.core.publication.written_map import read_written_map

STATEMENT = MapStatement("Mapa", "es", "2026-11-22T10:00:00Z", "Cartoguide", credits=("Consejería, 2014",))


def jpeg(colour="red", **options):
    data = io.BytesIO()
    Image.effect_noise((40, 30), 50).convert("RGB").save(data, "JPEG", **options) if colour == "noise" else \
        Image.new("RGB", (40, 30), colour).save(data, "JPEG", **options)
    return data.getvalue()


def svg(text):
    return etree.fromstring(text)


def test_the_digest_of_a_jpeg_is_that_of_its_picture():
    plain = jpeg()
    assert jpeg_digest(plain) == jpeg_digest(jpeg_with_metadata(plain, STATEMENT)) != ""
    assert jpeg_digest(plain) == jpeg_digest(jpeg(comment=b"Hola")) == jpeg_digest(plain + b"more")
    assert len({jpeg_digest(data) for data in (plain, jpeg("blue"), jpeg("noise"), jpeg("noise", progressive=True),
                                               jpeg("noise", quality=20))}) == 5


def test_the_colours_of_a_jpeg_count():
    plain = jpeg("noise")
    adobe = plain[:2] + b"\xff\xee\x00\x0eAdobe\x00\x64\x00\x00\x00\x00\x00" + plain[2:]
    assert jpeg_digest(adobe) != jpeg_digest(plain)


@given(st.binary(max_size=60), st.integers(0, 300))
def test_broken_jpegs_have_a_digest_or_none(noise, position):
    plain = jpeg()
    jpeg_digest(plain[:position] + noise + plain[position:])
    jpeg_digest(plain[:position] + noise)
    jpeg_digest(b"\xff\xd8" + noise)


def test_metadata_of_a_drawing_do_not_count():
    drawing = '<svg xmlns="http://www.w3.org/2000/svg">{}<g b="1" a="2"/><text>Ñ</text></svg>'
    digest = svg_digest(svg(drawing.format("")))
    assert digest == svg_digest(svg(drawing.format("<metadata><a/></metadata>")))
    assert digest == svg_digest(svg(drawing.format("<!-- note -->").replace('b="1" a="2"', "a='2' b='1'")))
    assert digest != svg_digest(svg(drawing.format("<rect/>")))


def test_size_and_pixels_count_but_not_the_parts_that_they_come_in():
    assert pixels_digest(2, 2, [b"a" * 8, b"b" * 8]) == pixels_digest(2, 2, [b"a" * 8 + b"b" * 8])
    assert pixels_digest(4, 1, [b"a" * 16]) != pixels_digest(1, 4, [b"a" * 16])


@pytest.mark.parametrize(("written", "found", "state"), [
    ("", "rgba:1", ContentState.UNKNOWN), ("rgba:1", "", ContentState.UNKNOWN), ("other:1", "rgba:1",
                                                                                ContentState.UNKNOWN),
    ("rgba:1", "rgba:1", ContentState.SAME), ("rgba:1", "rgba:2", ContentState.CHANGED),
    ("rgba:1", "jpeg:1", ContentState.CHANGED)])
def test_pictures_are_compared(written, found, state):
    assert compared_content(written, found) is state


@pytest.mark.parametrize(("name", "write"), [
    ("map.jpg", lambda: jpeg_with_metadata(jpeg(), STATEMENT)),
    ("map.svg", lambda: svg_with_metadata(b'<svg xmlns="http://www.w3.org/2000/svg"><text>T</text></svg>', STATEMENT))])
def test_files_are_as_they_were_written(tmp_path, name, write):
    (tmp_path / name).write_bytes(write())
    assert read_written_map(tmp_path / name).content is ContentState.SAME
