"""Logos inside documents: images that are whole and small, and SVG that needs nothing but itself."""

import base64
import struct
import zlib

import pytest

from plugin.core.errors import CartoguideError
from plugin.core.pages.logos import MAX_LOGO_BYTES, MAX_LOGO_CHARACTERS, MAX_LOGO_EDGE, logo_bytes, logo_problem
from plugin.core.trust.svg_pictures import self_contained_svg


def png(width=2, height=1, padding=0):
    """A PNG of one colour; ``padding`` bytes are in a chunk that nobody reads."""
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    rows = zlib.compress((b"\0" + b"\xd4\x14\x5a" * width) * height)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + (chunk(b"prVt", bytes(padding)) if padding else b"") + chunk(b"IDAT", rows) + chunk(b"IEND", b""))


def encoded(data):
    return base64.b64encode(data).decode()


PNG = png()


def svg(body="", attributes=""):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 4 2" '
            f'{attributes}>{body}</svg>').encode()


def test_a_whole_small_image_is_a_logo():
    assert logo_problem(encoded(PNG)) == "" and logo_bytes(encoded(PNG)) == PNG
    assert logo_problem(encoded(png(MAX_LOGO_EDGE, 1))) == ""
    largest = png(padding=MAX_LOGO_BYTES - len(png(padding=1)) + 1)
    assert len(largest) == MAX_LOGO_BYTES and logo_problem(encoded(largest)) == ""
    assert len(encoded(largest)) <= MAX_LOGO_CHARACTERS


@pytest.mark.parametrize(("image", "words"), [
    ("", "PNG or JPEG"), ("/datos/logo.png", "not a path"), ("C:\\logo.png", "not a path"), ("abcd", "not a path"),
    ("https://a.example/logo.png", "not a path or an address"), ("data:image/png;base64," + encoded(PNG), "base64"),
    (encoded(PNG)[:-1], "base64"), ("ñ" * 8, "base64"), (encoded(b"GIF89a" + bytes(40)), "PNG or JPEG"),
    (encoded(svg()), "SVG is not taken"), (encoded(svg("<script/>")), "SVG is not taken"),
    (encoded(PNG[:-20]), "damaged"), (encoded(PNG.replace(b"IDAT", b"IDAX")), "damaged"),
    (encoded(b"\x89PNG\r\n\x1a\n"), "damaged"), (encoded(b"\xff\xd8\xff\xd9"), "damaged"),
    (encoded(png(MAX_LOGO_EDGE + 1, 1)), "pixels"), (encoded(png(padding=MAX_LOGO_BYTES)), "bytes"),
], ids=range(17))
def test_what_is_no_logo_is_named(image, words):
    assert words in logo_problem(image)


@pytest.mark.parametrize("body", [
    '<rect width="4" height="2" fill="url(#a)"/><linearGradient id="a"/>', '<use xlink:href="#b"/>',
    '<style>rect { fill: url( "#a" ) }</style>', f'<image xlink:href="data:image/png;base64,{encoded(PNG)}"/>',
    '<a xlink:href="https://park.example/"><rect/></a>', '<!-- script --><text>url of a script</text>'])
def test_an_svg_that_needs_nothing_is_taken(body):
    assert b"<svg" in self_contained_svg(svg(body), "logo.svg", 100_000)


@pytest.mark.parametrize("body", [
    '<image xlink:href="/etc/passwd"/>', '<image href="file:///a.png"/>', '<use xlink:href="https://a.example/b.svg#c"/>',
    '<image xlink:href="data.png"/>', f'<image href="data:image/png;base64,{encoded(svg())}"/>',
    f'<image href="data:image/png;base64,{encoded(PNG)}base64,{encoded(svg())}"/>',
    '<rect fill="url(https://a.example/b#c)"/>', "<rect style=\"fill:url( 'b.svg#c')\"/>",
    '<style>@import "a.css";</style>', '<style><g/>@import "a.css";</style>',
    '<style>rect { fill: url(b.png) }</style>'])
def test_an_svg_that_needs_other_files_is_refused(body):
    with pytest.raises(CartoguideError, match="refers to other files"):
        self_contained_svg(svg(body), "logo.svg", 100_000)


def test_a_style_sheet_beside_an_svg_is_refused_too():
    with pytest.raises(CartoguideError, match="refers to other files"):
        self_contained_svg(b'<?xml-stylesheet href="a.css"?>' + svg(), "logo.svg", 100_000)


@pytest.mark.parametrize("document", [
    svg("<script>1</script>"), svg("<foreignObject/>"), svg('<rect onclick="a()"/>'), svg(attributes='onload="a()"')])
def test_an_svg_with_a_script_is_refused(document):
    with pytest.raises(CartoguideError, match=r"logo\.svg contains a script"):
        self_contained_svg(document, "logo.svg", 100_000)


@pytest.mark.parametrize("document", [
    b"", b"<html/>", b"<svg", b"no xml", svg(" " * 100_000),
    b'<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>' + svg("&a;")])
def test_what_is_no_svg_is_refused(document):
    with pytest.raises(CartoguideError, match=r"logo\.svg"):
        self_contained_svg(document, "logo.svg", 50_000)


def lines(count):
    return "M" + " L".join(f"{37 * number % 100} {100 * (number % 2)}" for number in range(count))


def doubled(times, body):
    """A body that is drawn so many times two times, by groups that refer to each other."""
    groups = "".join(f'<g id="a{number}"><use xlink:href="#a{number - 1}"/><use xlink:href="#a{number - 1}"/></g>'
                     for number in range(1, times + 1))
    return f'<defs><g id="a0">{body}</g>{groups}</defs><use xlink:href="#a{times}"/>'


@pytest.mark.parametrize("body", [
    f'<path d="{lines(2000)}" stroke="#000"/>', f'<polyline points="{lines(2000)[1:].replace("L", "")}"/>',
    f'<path d="{lines(100)}"/>' * 200, doubled(11, '<rect width="9" height="9"/>' * 4), "<rect/>" * 10_000,
    '<linearGradient>' + "<stop/>" * 50_000 + "</linearGradient>", f'<text>{"a" * 10_000}</text>',
    '<radialGradient id="g"/>' + '<rect fill="url(#g)"/>' * 1000,
    f'<marker id="m"><path d="{lines(20)}"/></marker><path marker-mid="url(#m)" d="{"M0 0" + " h1" * 2000}"/>',
    f'<image xlink:href="data:image/png;base64,{encoded(png(6000, 6000))}"/>' * 4])
def test_an_svg_that_takes_very_long_to_draw_is_refused(body):
    with pytest.raises(CartoguideError, match=r"logo\.svg would take very long to draw"):
        self_contained_svg(svg(body), "logo.svg", 8_000_000)


@pytest.mark.parametrize("body", [
    f'<path d="{"M0 0" + " m8 8 l1 1 h2 v-1 c1 1 2 2 3 3 a1 1 0 0 1 2 2 z" * 300}"/>' * 5,
    doubled(3, f'<path d="{lines(20)}"/>'),
    '<g id="a"><use xlink:href="#a"/></g>', '<path d="m 1 e 2 L"/><polygon points="1"/>', "<rect/>" * 1000,
    '<path d="M0 0 A 1e300 1e-300 0 0 0 1e300 1e300 Z"/>', f'<text>{"a" * 500}</text>'])
def test_an_svg_with_many_small_parts_is_taken(body):
    assert b"<svg" in self_contained_svg(svg(body), "logo.svg", 100_000)
