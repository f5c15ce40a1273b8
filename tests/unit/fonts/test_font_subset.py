"""Subsets of fonts: read by FreeType (Pillow), which draws them like the whole font."""

from __future__ import annotations

import io
import random
import struct
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree
from PIL import ImageFont

from plugin.core.fonts.font_subset import TABLES, may_embed, subset_font
from plugin.core.fonts.svg_fonts import FontFace, add_fonts, texts_by_face

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyzáéíóúüñÁÑçàö0123456789 .,:;()–«»"


class FontFile(bytes):
    """A font's bytes, which a report of a failure does not print."""

    def __repr__(self):
        return f"a font of {len(self)} bytes"


def tables_of(data):
    count = struct.unpack_from(">H", data, 4)[0]
    entries = [struct.unpack_from(">4sIII", data, 12 + 16 * number) for number in range(count)]
    return {tag.decode("ascii"): data[offset:offset + length] for tag, _sum, offset, length in entries}


@pytest.fixture(scope="module", params=["Open Sans", "DejaVu Sans", "Liberation Serif:italic"])
def font_file(request):
    found = subprocess.run(["fc-match", "-f", "%{file}", request.param], capture_output=True, text=True, check=True)
    return FontFile(Path(found.stdout).read_bytes())


def glyphs_of(data, text):
    """The numbers of the glyphs, by the font's cmap of format 4."""
    cmap = tables_of(data)["cmap"]
    for number in range(struct.unpack_from(">H", cmap, 2)[0]):
        offset = struct.unpack_from(">HHI", cmap, 4 + 8 * number)[2]
        if struct.unpack_from(">H", cmap, offset)[0] == 4:
            break
    else:
        pytest.fail("the font has no such table")
    doubled = struct.unpack_from(">H", cmap, offset + 6)[0]
    count, found = doubled // 2, set()
    ends = struct.unpack_from(f">{count}H", cmap, offset + 14)
    starts = struct.unpack_from(f">{count}H", cmap, offset + 16 + doubled)
    deltas = struct.unpack_from(f">{count}H", cmap, offset + 16 + 2 * doubled)
    places = offset + 16 + 3 * doubled
    ranges = struct.unpack_from(f">{count}H", cmap, places)
    for letter in map(ord, text):
        at = next(number for number in range(count) if ends[number] >= letter)
        if starts[at] > letter:
            continue
        if not ranges[at]:
            found.add((letter + deltas[at]) & 0xffff)
            continue
        glyph = struct.unpack_from(">H", cmap, places + 2 * at + ranges[at] + 2 * (letter - starts[at]))[0]
        found.add((glyph + deltas[at]) & 0xffff if glyph else 0)
    return found


def drawn(data, text):
    # ligatures are the shaper's glyphs, not those of the letters
    font = ImageFont.truetype(io.BytesIO(data), 48, layout_engine=ImageFont.Layout.BASIC)
    mask = font.getmask(text)
    return mask.size, bytes(mask), font.getlength(text)


@settings(max_examples=40, deadline=None)
@given(text=st.text(st.sampled_from(LETTERS), min_size=1, max_size=30))
def test_a_subset_draws_its_letters_like_the_whole_font(font_file, text):
    tables = tables_of(font_file)
    assert may_embed(tables)
    subset = subset_font(tables, glyphs_of(font_file, text))
    assert drawn(subset, text) == drawn(font_file, text)
    assert len(subset) < len(font_file) / 2 and set(tables_of(subset)) <= set(TABLES)


def test_other_letters_are_empty(font_file):
    subset = subset_font(tables_of(font_file), glyphs_of(font_file, "abc"))
    assert not any(drawn(subset, "Q")[1]) and any(drawn(font_file, "Q")[1])


def test_sums_of_the_file_are_right(font_file):
    subset = subset_font(tables_of(font_file), glyphs_of(font_file, "Parque"))
    words = struct.unpack(f">{len(subset) // 4}I", subset)
    assert sum(words) & 0xffffffff == 0xB1B0AFBA, "the sum of the whole file, with that in head"


def test_a_damaged_font_is_refused_in_words(font_file):
    """Any damage gives a file or ValueError, never another error."""
    chance = random.Random(5)
    tables = tables_of(font_file)
    glyphs = glyphs_of(font_file, "Despeñaperros")
    refused = 0
    for _ in range(300):
        tag = chance.choice(["head", "loca", "maxp", "glyf", "kern", "post", "OS/2"])
        table = bytearray(tables.get(tag, b""))
        if chance.random() < 0.5:
            table = table[:chance.randrange(len(table) + 1)]
        elif table:
            for _ in range(20):
                table[chance.randrange(min(len(table), 400))] = chance.randrange(256)
        try:
            subset_font({**tables, tag: bytes(table)}, glyphs)
        except ValueError:
            refused += 1
    assert 0 < refused < 300


@pytest.mark.parametrize(("kind", "allowed"), [(0, True), (2, False), (4, True), (8, True), (0x200, False),
                                               (0x100, True), (6, True)])
def test_the_licence_bits_of_a_font_count(font_file, kind, allowed):
    tables = tables_of(font_file)
    system = tables["OS/2"]
    changed = {**tables, "OS/2": system[:8] + struct.pack(">H", kind) + system[10:]}
    assert may_embed(changed) is allowed
    if kind == 0x100:
        assert len(tables_of(subset_font(changed, {1}))["glyf"]) == len(tables["glyf"]), "no subsets of it"


SVG = """<svg xmlns="http://www.w3.org/2000/svg"><g font-family="Open Sans" font-weight="630">
<text>Parque <tspan font-weight="bold">Natural</tspan> de</text><g font-style="italic"><text>Río</text></g></g>
<text>none</text><g font-family='A"};}b'><text font-weight="9999">x</text></g></svg>"""


def test_texts_are_known_by_the_font_that_they_inherit():
    found = texts_by_face(etree.fromstring(SVG))
    assert found == {FontFace("Open Sans", "630"): ("Parque ", " de"), FontFace("Open Sans", "700"): ("Natural",),
                     FontFace("Open Sans", "630", True): ("Río",), FontFace('A"};}b', "400"): ("x",)}


def test_fonts_are_a_style_sheet_that_no_name_breaks_out_of():
    root = etree.fromstring(SVG)
    add_fonts(root, dict.fromkeys(texts_by_face(root), b"font"))
    rules = root[0].text.splitlines()
    assert etree.QName(root[0]).localname == "style" and len(rules) == 4
    assert all(rule.count('"') == 2 and rule.startswith('@font-face{font-family:"') for rule in rules)
    assert "font-weight:630;font-style:italic;src:url(data:font/ttf;base64,Zm9udA==)" in root[0].text
