"""QR codes, read by another program."""

from __future__ import annotations

import re

import pytest
from lxml import etree

from plugin.core.custommap.document import read_document, write_document
from plugin.core.custommap.model import CustomMap, PageSetup
from plugin.core.errors import CartoguideError
from plugin.core.pages.qr_code import QUIET_ZONE, qr_modules, qr_svg
from tests.network.qr_reader import read_codes, zbar

ADDRESS = "https://x.example/geonetwork/srv/spa/catalog.search#/metadata/"


def pixels(modules, unit=4):
    side = (len(modules) + 2 * QUIET_ZONE) * unit
    rows = bytearray(b"\xff" * side * side)
    for y, row in enumerate(modules):
        for x, dark in enumerate(row):
            if dark:
                for line in range(unit):
                    start = ((y + QUIET_ZONE) * unit + line) * side + (x + QUIET_ZONE) * unit
                    rows[start:start + unit] = b"\x00" * unit
    return bytes(rows), side, side


@pytest.mark.skipif(zbar() is None, reason="ZBar is not installed")
@pytest.mark.parametrize("length", [0, 3, 20, 45, 70, 100, 130, 160, 200, 240])
def test_another_program_reads_the_address(length):
    address = ADDRESS + "ab0-%9F?" * (length // 8) + "x" * (length % 8)
    assert read_codes(*pixels(qr_modules(address))) == [address]


def test_the_smallest_version_with_room_is_used():
    # ISO/IEC 18004, table 7: bytes at level M
    for version, room in ((1, 14), (2, 26), (3, 42), (6, 106), (7, 122), (9, 180), (10, 213), (20, 666)):
        assert len(qr_modules("x" * room)) == 17 + 4 * version
    assert len(qr_modules("x" * 15)) == 25
    with pytest.raises(ValueError, match="too many"):
        qr_modules("x" * 667)


def test_the_svg_draws_the_same_modules():
    modules = qr_modules(ADDRESS)
    root = etree.fromstring(qr_svg(ADDRESS))
    drawn = {(x, y) for x, y, width in (tuple(map(int, run)) for run in re.findall(
        r"M(\d+) (\d+)h(\d+)v1", root[1].get("d"))) for x in range(x, x + width)}
    assert drawn == {(x + QUIET_ZONE, y + QUIET_ZONE) for y, row in enumerate(modules)
                     for x, dark in enumerate(row) if dark}
    assert int(root.get("width")) == len(modules) + 2 * QUIET_ZONE


def test_a_document_has_the_address_without_its_login():
    login = "ana:" + "geheim"
    document = CustomMap("T", page=PageSetup(link=f"https://{login}@a.example/x?apikey=42&map=a"))
    again = read_document(write_document(document))
    assert again.page.link == "https://a.example/x?map=a"
    assert b'"link"' not in write_document(CustomMap("T"))
    written = write_document(CustomMap("T"))
    for wrong in ("javascript:alert(1)", "file:///etc/passwd", "https://a.example/" + "x" * 300):
        with pytest.raises(CartoguideError, match="link"):
            read_document(written.replace(b'"guide"', f'"guide", "link": "{wrong}"'.encode()))
