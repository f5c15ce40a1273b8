"""The QR code on an exported page, read by another program."""

from __future__ import annotations

import subprocess

import pytest
from qgis.core import QgsLayoutSize
from qgis.PyQt.QtGui import QImage

from plugin.core.custommap.model import MapExtent, Orientation, PageSetup
from plugin.gis.export import layout_export
from plugin.gis.layouts import layout_items
from plugin.gis.pages.qr_code import QR_CODE, add_qr_code
from tests.network.qr_reader import read_codes, zbar
from tests.qgis.print_maps import composed, entry_of, known_records

ADDRESS = "https://catalogo.example/geonetwork/srv/spa/catalog.search#/metadata/0a1b2c3d-4e5f"


@pytest.mark.slow
@pytest.mark.skipif(zbar() is None, reason="ZBar is not installed")
def test_the_code_on_paper_leads_to_the_address(network, project, tmp_path):
    made = composed(network, project, page=PageSetup("A4", Orientation.LANDSCAPE, "guide", link=ADDRESS))
    code, frame = made.layout.itemById(QR_CODE), layout_items.main_map(made.layout)
    assert not frame.sceneBoundingRect().intersects(code.sceneBoundingRect()), "no white box on the map"
    layout_export.export_pdf(made.layout, tmp_path / "map.pdf", 100)
    subprocess.run(["pdftoppm", "-r", "200", "-gray", "-png", "-singlefile", str(tmp_path / "map.pdf"),
                    str(tmp_path / "map")], check=True)
    picture = QImage(str(tmp_path / "map.png")).convertToFormat(QImage.Format.Format_Grayscale8)
    rows = picture.constBits().asstring(picture.sizeInBytes())
    line, width = picture.bytesPerLine(), picture.width()
    packed = b"".join(rows[y * line:y * line + width] for y in range(picture.height()))
    assert read_codes(packed, width, picture.height()) == [ADDRESS]


@pytest.mark.slow
def test_the_code_grows_with_the_distance_from_which_a_paper_is_read(network, project):
    sides = []
    for name in ("A4", "A3", "A0"):
        made = composed(network, project, page=PageSetup(name, Orientation.LANDSCAPE, "guide", link=ADDRESS))
        sides.append(made.layout.itemById(QR_CODE).rect().width())
    assert sides == pytest.approx([sides[0], 1.2 * sides[0], 2.8 * sides[0]], rel=0.01)


def test_a_map_without_room_says_so(network, project):
    page = PageSetup("A4", Orientation.PORTRAIT, "sheet", link=ADDRESS * 8)
    made = composed(network, project, page=page)
    assert made.layout.itemById(QR_CODE) is None
    assert any("no room for the QR code" in note for note in layout_items.layout_notes(made.layout))
    item = layout_items.main_map(made.layout)
    assert "QR code is too long" in add_qr_code(item, "https://a.example/" + "x" * 700)[0]
    made.layout.itemById(layout_items.SOURCES).attemptResize(QgsLayoutSize(30, 10))
    assert "no room" in add_qr_code(item, ADDRESS)[0] and add_qr_code(item, "") == []


def test_a_low_foot_has_the_code_beside_the_legend(network, project):
    rain = entry_of(known_records(network)[network.endpoints["precipitation"]],
                    ["precipitacion_20160601", "precipitacion_20160602"])
    made = composed(network, project, base=None, overlays=(rain,), extent=MapExtent(-7.5, 36.0, -1.66, 38.73),
                    page=PageSetup("A4", Orientation.LANDSCAPE, "multiples", link=ADDRESS))
    code = made.layout.itemById(QR_CODE)
    others = (layout_items.LEGEND, layout_items.SCALE_TEXT, layout_items.SOURCES, layout_items.MAP)
    assert code is not None
    assert not [name for name in others
                if made.layout.itemById(name).sceneBoundingRect().intersects(code.sceneBoundingRect())]
