"""Logos on exported pages: where they are, what keeps clear of them, and files that are no logos."""

from __future__ import annotations

import json
import os
import subprocess

import pytest
from pypdf import PdfReader
from qgis.core import QgsLayoutItemLabel, QgsLayoutItemShape
from qgis.PyQt.QtCore import QRectF
from qgis.PyQt.QtGui import QColor, QImage

from plugin.core.custommap.model import Orientation, PageSetup
from plugin.core.errors import CartoguideError
from plugin.gis.export import layout_export
from plugin.gis.layouts import layout_items, text_fitting
from plugin.gis.pages import logos
from plugin.gis.runtime import settings
from plugin.ui.settings.settings_form import make_field, set_value, value_of
from tests.pairwise import ALL
from tests.qgis.print_maps import composed

SVG = ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><rect width="40" height="20" fill="#d4145a"/>'
       "</svg>")
DPI = 40
PURPLE, ORANGE = QColor("#d4145a"), QColor("#ff8800")


@pytest.fixture
def logo_paths(tmp_path):
    """A logo as SVG twice as wide as high, and one as PNG of three by two, in a folder with a difficult name."""
    folder = tmp_path / "año [2026] & más"
    folder.mkdir()
    (folder / "propio.svg").write_text(SVG, encoding="utf-8")
    image = QImage(300, 200, QImage.Format.Format_RGB32)
    image.fill(ORANGE)
    assert image.save(str(folder / "socio.png"))
    paths = [folder / "propio.svg", folder / "socio.png"]
    settings.set("logos", json.dumps([str(path) for path in paths]))
    return paths


def _is_like(pixel, colour):
    return all(abs(one - other) < 12 for one, other in zip(pixel.getRgb(), colour.getRgb()))


PAGES = [("A1", Orientation.LANDSCAPE, "guide"), ("A4", Orientation.PORTRAIT, "sheet"),
         ("A4", Orientation.PORTRAIT, "field"), ("A3", Orientation.LANDSCAPE, "leaflet"),
         *([("A4", Orientation.PORTRAIT, "guide")] if ALL else [])]


@pytest.mark.slow
@pytest.mark.parametrize("paper, orientation, template", PAGES)
def test_logos_are_printed_beside_the_title(network, project, tmp_path, logo_paths, paper, orientation, template):
    made = composed(network, project, page=PageSetup(paper, orientation, template),
                    title="Mapa guía del Parque Natural Despeñaperros y su entorno con un título muy largo")
    layout = made.layout
    own, partner = (layout.itemById(f"{logos.LOGO_PREFIX}{number}").sceneBoundingRect() for number in (1, 2))
    accent = layout.itemById("band_accent").sceneBoundingRect()
    band = layout.itemById(layout_items.BAND)
    # the title of a field sheet stands on the paper
    band = QRectF(0, 0, accent.right() + accent.left(), accent.top()) if band is None else band.sceneBoundingRect()
    assert own.width() / own.height() == pytest.approx(2.0, rel=0.02)
    assert partner.width() / partner.height() == pytest.approx(1.5, rel=0.02)
    assert band.contains(own) and band.contains(partner) and own.right() < partner.left()
    ground = layout.itemById(logos.GROUND).sceneBoundingRect()
    assert ground.contains(own) and ground.contains(partner) and band.contains(ground)
    inset = layout.itemById(layout_items.TITLE).sceneBoundingRect().left() - band.left()
    assert band.right() - ground.right() > inset - 0.1, "inside the margin of the page"
    subtitle = () if template == "field" else (layout_items.SUBTITLE,)
    for item_id in (layout_items.TITLE, *subtitle):
        label = layout.itemById(item_id)
        assert not label.sceneBoundingRect().intersects(ground), item_id
        assert not text_fitting.label_overflows(label), item_id
    path = tmp_path / "map.pdf"
    layout_export.export_pdf(layout, path, DPI)
    page = layout.itemById(f"{logos.LOGO_PREFIX}1").page() + 1
    subprocess.run(["pdftoppm", "-r", str(DPI), "-png", "-singlefile", "-f", str(page), str(path),
                    str(tmp_path / "map")], check=True)
    picture = QImage(str(tmp_path / "map.png"))
    corner = layout.pageCollection().page(page - 1).pos()
    for area, colour in ((own, PURPLE), (partner, ORANGE)):
        assert _is_like(picture.pixelColor(((area.center() - corner) * (DPI / 25.4)).toPoint()), colour)
    texts = [node.get("/Alt", "") for node in _figures(PdfReader(str(path)))]
    assert {"Logo 1.", "Logo 2."} <= set(texts) or {"Logotipo 1.", "Logotipo 2."} <= set(texts)


def _figures(reader):
    """Yield the elements of the structure tree that are figures."""
    def walk(node):
        node = node.get_object()
        if not hasattr(node, "get"):
            return
        if node.get("/S") == "/Figure":
            yield node
        children = node.get("/K", [])
        for child in children if isinstance(children, list) else [children]:
            yield from walk(child)
    yield from walk(reader.trailer["/Root"]["/StructTreeRoot"])


def test_a_template_of_ones_own_has_logos_where_it_says(network, project, logo_paths):
    made = composed(network, project)
    for item in [item for item in made.layout.items() if str(getattr(item, "id", str)()).startswith("logo")]:
        made.layout.removeLayoutItem(item)
    place = QgsLayoutItemShape(made.layout)
    place.setId(layout_items.LOGOS)
    made.layout.addLayoutItem(place)
    place.attemptSetSceneRect(QRectF(20, 150, 60, 12))
    title = made.layout.itemById(layout_items.TITLE).sceneBoundingRect()
    assert logos.add_logos(made.layout, place, None, []) == []
    for number in (1, 2):
        logo = made.layout.itemById(f"{logos.LOGO_PREFIX}{number}")
        assert place.sceneBoundingRect().contains(logo.sceneBoundingRect())
    assert made.layout.itemById(layout_items.TITLE).sceneBoundingRect() == title


@pytest.mark.slow
def test_files_that_are_no_logos_are_named_and_the_others_are_printed(network, project, logo_paths, tmp_path):
    broken = [tmp_path / "gone.png", tmp_path / "text.png", tmp_path / "empty.svg", tmp_path / "huge.png"]
    broken[1].write_text("no image")
    broken[2].write_text("<html/>")
    broken[3].write_bytes(b"\x89PNG" + bytes(6_000_000))
    for paths in (broken[:2], broken[2:]):
        settings.set("logos", json.dumps([str(path) for path in (*paths, logo_paths[1])]))
        made = composed(network, project)
        for path in paths:
            notes = [note for note in layout_items.layout_notes(made.layout) if path.name in note]
            assert len(notes) == 1 and "left out" in notes[0]
        assert made.layout.itemById(f"{logos.LOGO_PREFIX}1") is not None
        assert made.layout.itemById(f"{logos.LOGO_PREFIX}2") is None
    for value in ("", "[", "3", "[1]"):
        settings.set("logos", value)
        assert logos.logo_files() == []
    for value in ("[1]", json.dumps([str(broken[0])])):
        settings.set("logos", value)
        made = composed(network, project)
        assert made.layout.itemById(logos.GROUND) is None
        title = made.layout.itemById(layout_items.TITLE)
        assert isinstance(title, QgsLayoutItemLabel) and title.rect().width() > 180


def test_a_logo_that_was_changed_is_read_again(logo_paths):
    def read():
        status = logo_paths[0].stat()
        return logos.read_logo(logo_paths[0], status.st_mtime_ns, status.st_size)

    first = read()
    assert first.is_svg and first.ratio == pytest.approx(2.0)
    logo_paths[0].write_text(SVG.replace("0 0 40 20", "0 0 40 40"), encoding="utf-8")
    os.utime(logo_paths[0], (1, 1))
    assert read().ratio == pytest.approx(1.0)


def test_the_settings_take_several_files(qtbot, logo_paths):
    field = make_field("logos", lambda: None)
    qtbot.addWidget(field)
    assert json.loads(value_of(field)) == [str(path) for path in logo_paths]
    field.lineEdit().setText(str(logo_paths[1]))
    settings.set("logos", value_of(field))
    assert logos.logo_files() == [logo_paths[1]]
    set_value(field, settings.SETTINGS["logos"].default)
    assert value_of(field) == ""


@pytest.mark.parametrize("body", ['<image width="40" height="20" xlink:href="{file}"/>', "<script>1</script>"])
def test_a_logo_of_the_settings_that_needs_other_files_is_left_out(project, tmp_path, body):
    image = QImage(40, 20, QImage.Format.Format_RGB32)
    image.fill(ORANGE)
    assert image.save(str(tmp_path / "private.png"))
    path = tmp_path / "partner.svg"
    path.write_text(SVG.replace("<rect", body.format(file=tmp_path / "private.png") + "<rect").replace(
        "<svg", '<svg xmlns:xlink="http://www.w3.org/1999/xlink"'), "utf-8")
    status = path.stat()
    with pytest.raises(CartoguideError, match="partner"):
        logos.read_logo(path, status.st_mtime_ns, status.st_size)
