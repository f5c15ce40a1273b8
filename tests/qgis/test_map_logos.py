"""Logos of a map: part of its document, so that its page is the same under the settings of somebody else."""

from __future__ import annotations

import base64
import json
import random
import subprocess
import zlib
from dataclasses import replace

import pytest
from pypdf import PdfReader
from qgis.core import QgsProject
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtGui import QColor, QImage

from plugin.app.maps.map_state import AddMode
from plugin.core.custommap.document import read_document, write_document
from plugin.core.custommap.model import Orientation, PageSetup
from plugin.core.errors import CartoguideError
from plugin.core.pages.logos import MAX_LOGO_BYTES, MapLogo, logo_bytes, logo_problem
from plugin.core.publication.embedded_documents import embedded_document
from plugin.gis.export import layout_export
from plugin.gis.layouts import layout_items
from plugin.gis.pages import logos
from plugin.gis.runtime import settings
from plugin.ui.pages.logos import MapLogosField
from tests.pairwise import some
from tests.qgis.algorithm_runs import run
from tests.qgis.print_maps import composed, small_map
from tests.qgis.test_dock_map import added
from tests.qgis.test_logos import ORANGE, PURPLE, SVG, _figures, _is_like
from tests.qgis.test_own_layers import algorithms  # noqa: F401

GREEN = QColor("#008a3e")


def picture(path, colour=ORANGE, width=300, height=200):
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(colour)
    assert image.save(str(path))
    return path


@pytest.fixture
def own(tmp_path):
    """A logo of an SVG twice as wide as high, and one of a PNG of three by two, as they are in a map."""
    (tmp_path / "Junta de Andalucía.svg").write_text(SVG, encoding="utf-8")
    return tuple(logos.embedded_logo(path) for path in (tmp_path / "Junta de Andalucía.svg",
                                                        picture(tmp_path / "socio.png")))


def as_image(path, dpi=60, page=1):
    target = path.with_suffix("")
    subprocess.run(["pdftoppm", "-r", str(dpi), "-png", "-singlefile", "-f", str(page), str(path), str(target)],
                   check=True)
    return QImage(f"{target}.png")


def printed(network, project, path, of_map, **page):
    made = composed(network, project, page=PageSetup(logos=of_map, **page))
    layout_export.export_pdf(made.layout, path, 60)
    return made.layout


@pytest.mark.slow
def test_a_map_with_logos_prints_the_same_page_under_other_settings(network, project, tmp_path, own):
    document = write_document(replace(read_document(b'{"format": "cartoguide-custommap", "version": 1}'),
                                      page=PageSetup(logos=own)))
    layout = printed(network, project, tmp_path / "here.pdf", own)
    here = as_image(tmp_path / "here.pdf")
    for number, colour in ((1, PURPLE), (2, ORANGE)):
        area = layout.itemById(f"{logos.LOGO_PREFIX}{number}").sceneBoundingRect()
        assert _is_like(here.pixelColor((area.center() * (60 / 25.4)).toPoint()), colour)
    for item in project.layoutManager().layouts():
        project.layoutManager().removeLayout(item)
    # another computer: a setting of its own, and none of the files
    settings.set("logos", json.dumps([str(picture(tmp_path / "ajeno.png", GREEN, 500, 100))]))
    for name in ("Junta de Andalucía.svg", "socio.png"):
        (tmp_path / name).unlink()
    logos._read_map_logo.cache_clear()
    printed(network, project, tmp_path / "there.pdf", read_document(document).page.logos)
    assert as_image(tmp_path / "there.pdf") == here
    texts = {node.get("/Alt", "") for node in _figures(PdfReader(str(tmp_path / "there.pdf")))}
    assert {"Logotipo: Junta de Andalucía.", "Logotipo: socio."} <= texts or \
        {"Logo: Junta de Andalucía.", "Logo: socio."} <= texts
    made = printed(network, project, tmp_path / "settings.pdf", None)
    area = made.itemById(f"{logos.LOGO_PREFIX}1").sceneBoundingRect()
    colour = as_image(tmp_path / "settings.pdf").pixelColor((area.center() * (60 / 25.4)).toPoint())
    assert _is_like(colour, GREEN), "a map without logos of its own has those of the settings"


@pytest.mark.slow
def test_a_page_has_no_more_of_its_pixels_than_it_shows(network, project, tmp_path):
    round_logo = tmp_path / "redondo.svg"
    round_logo.write_text('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><circle cx="20" cy="20" r="20" '
                          'fill="#000"/></svg>', encoding="utf-8")
    made = composed(network, project, page=PageSetup(logos=(logos.embedded_logo(round_logo),)))
    item = made.layout.itemById(f"{logos.LOGO_PREFIX}1")
    pixels = QImage.fromData(base64.b64decode(item.picturePath().partition(":")[2]))
    assert pixels.width() == pytest.approx(item.rect().width() * 400 / 25.4, abs=1)
    layout_export.export_png(made.layout, tmp_path / "map.png", 300)
    page = QImage(str(tmp_path / "map.png"))
    box = item.sceneBoundingRect()
    corners = [(box.left() + part * box.width(), box.top() + other * box.height())
               for part in (0.0, 0.75) for other in (0.0, 0.75)]
    greys = [page.pixelColor(int(x * 300 / 25.4) + column, int(y * 300 / 25.4) + row).red()
             for x, y in corners for column in range(25) for row in range(25)]
    edge = [grey for grey in greys if 30 < grey < 225]
    assert len(edge) > 60, "the edge is smooth"


def test_a_map_may_have_no_logos(network, project, tmp_path):
    settings.set("logos", json.dumps([str(picture(tmp_path / "propio.png"))]))
    layout = printed(network, project, tmp_path / "none.pdf", ())
    assert layout.itemById(logos.GROUND) is None and layout.itemById(f"{logos.LOGO_PREFIX}1") is None
    figures = [node.get("/Alt", "") for node in _figures(PdfReader(str(tmp_path / "none.pdf")))]
    assert figures and not any(text.startswith("Logo") for text in figures)


@pytest.mark.parametrize(("paper", "orientation", "template"), some([
    ("A3", Orientation.LANDSCAPE, "leaflet"), ("A4", Orientation.PORTRAIT, "sheet")], 2))
def test_other_templates_have_them_too(network, project, tmp_path, own, paper, orientation, template):
    layout = printed(network, project, tmp_path / "map.pdf", own, paper=paper, orientation=orientation,
                     template=template)
    item = layout.itemById(f"{logos.LOGO_PREFIX}1")
    corner = layout.pageCollection().page(item.page()).pos()
    image = as_image(tmp_path / "map.pdf", page=item.page() + 1)
    assert _is_like(image.pixelColor(((item.sceneBoundingRect().center() - corner) * (60 / 25.4)).toPoint()), PURPLE)


def test_a_logo_whose_pixels_are_damaged_is_named_and_the_others_are_printed(network, project, own):
    # its head and its checksums are good, so that only decoding it shows what it is
    data = logo_bytes(own[1].image)
    start = data.index(b"IDAT") - 4
    body = b"IDAT" + b"\x00no deflate stream"
    broken = (data[:start] + (len(body) - 4).to_bytes(4, "big") + body + zlib.crc32(body).to_bytes(4, "big")
              + data[-12:])
    damaged = MapLogo(base64.b64encode(broken).decode())
    assert logo_problem(damaged.image) == ""
    made = composed(network, project, page=PageSetup(logos=(damaged, own[0])))
    notes = [note for note in layout_items.layout_notes(made.layout) if "Logo 1 of the map" in note]
    assert len(notes) == 1 and "left out" in notes[0]
    assert made.layout.itemById(f"{logos.LOGO_PREFIX}1") is not None
    assert made.layout.itemById(f"{logos.LOGO_PREFIX}2") is None
    assert logos.logo_image(damaged).isNull() and not logos.logo_image(own[0]).isNull()


def test_any_image_becomes_one_that_a_document_takes(tmp_path, own):
    svg, png = (logos.logo_image(logo) for logo in own)
    assert (svg.width(), svg.height()) == (1000, 500) and (png.width(), png.height()) == (300, 200)
    assert own[0].text == "Junta de Andalucía" and _is_like(svg.pixelColor(500, 250), PURPLE)
    noise = QImage(1200, 1000, QImage.Format.Format_RGB32)
    noise.fill(ORANGE)
    bits = noise.bits()
    bits.setsize(noise.sizeInBytes())
    bits[:] = random.Random(7).randbytes(noise.sizeInBytes())
    assert noise.save(str(tmp_path / "noise.png"))
    logo = logos.embedded_logo(tmp_path / "noise.png")
    assert logo_problem(logo.image) == "" and len(logo_bytes(logo.image)) <= MAX_LOGO_BYTES
    tall = tmp_path / "alto.svg"
    tall.write_text(SVG.replace("0 0 40 20", "0 0 10 400"), encoding="utf-8")
    assert max(logos.logo_image(logos.embedded_logo(tall)).height(), 1) == 1000


@pytest.mark.parametrize(("name", "content", "words"), [
    ("gone.png", None, "not there"), ("text.png", b"no image", "damaged"), ("empty.svg", b"<html/>", "not an image"),
    ("size.png", b"\x89PNG" + bytes(6_000_000), "size.png"),
    ("bomb.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + (90_000).to_bytes(4, "big") * 2, "damaged"),
    ("script.svg", SVG.replace("<rect", "<script>1</script><rect").encode(), "script"),
    ("leak.svg", SVG.replace("<rect", '<image href="file:///etc/hostname"/><rect').encode(), "other files"),
    ("web.svg", SVG.replace("<rect", '<image href="https://a.example/a.png"/><rect').encode(), "other files")])
def test_a_file_that_is_no_logo_is_refused_by_name(tmp_path, name, content, words):
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(CartoguideError) as caught:
        logos.embedded_logo(tmp_path / name)
    assert words in caught.value.user_text and name in caught.value.user_text


@pytest.fixture
def field(qtbot):
    made = MapLogosField()
    qtbot.addWidget(made)
    made.show()
    made.heard = []
    made.changed.connect(made.heard.append)
    return made


def test_the_field_lists_the_maps_logos(field, qtbot, own):
    assert not field.choice.currentData() and not field.own.isVisible()
    field.show_logos(own)
    assert field.choice.currentData() and field.list.count() == 2 and not field.note.isVisible()
    assert all(widget.accessibleName() for widget in (field.choice, field.list, field.add, field.remove))
    assert "Junta de Andalucía" in field.list.item(0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert not field.list.item(0).icon().isNull() and not field.heard
    field.list.item(0).setText("  Junta \n de <b>Andalucía</b> ")
    assert field.heard.pop()[0] == replace(own[0], text="Junta de <b>Andalucía</b>")
    field.list.setCurrentRow(1)
    field.list.setFocus()
    qtbot.keyClick(field.list, Qt.Key.Key_Delete)
    assert [logo.text for logo in field.heard.pop()] == ["Junta de <b>Andalucía</b>"]
    field.remove.click()
    assert field.heard == [()] and field.note.isVisible() and not field.list.isVisible()
    assert field.choice.currentData(), "no logos are the map's own choice"
    field.show_logos(own * 2)
    assert not field.add.isEnabled() and "at most 4" in field.add.toolTip()
    field.show_logos(None)
    assert not field.choice.currentData() and not field.own.isVisible() and len(field.heard) == 1


def test_logos_are_chosen_undone_and_saved_with_the_map(network_dock, wait_until, tmp_path, monkeypatch):
    dock = network_dock()
    added(dock, wait_until, "Despeñaperros", AddMode.AS_BASE)
    controller = dock.composer_controller
    field = controller.composer.page.features["logos"]
    own_file, partner = picture(tmp_path / "propio.png", PURPLE), picture(tmp_path / "socio.png")
    settings.set("logos", json.dumps([str(own_file)]))
    assert controller.map.document().page.logos is None
    field.choice.setCurrentIndex(field.choice.findData(True))
    wait_until(lambda: controller.map.document().page.logos is not None)
    assert [logo.text for logo in controller.map.document().page.logos] == ["propio"], "to begin with the settings'"
    wait_until(lambda: field.own.isVisibleTo(field) and "logos" in controller.map.custom_map.history.undo_label)
    files = [str(partner), str(tmp_path / "gone.png")]
    monkeypatch.setattr(field.files._prompts, "open_files", lambda title, filters: files)
    field.add.click()
    wait_until(lambda: len(controller.map.document().page.logos) == 2)
    wait_until(lambda: field.list.count() == 2)
    files[:] = [str(partner)] * 3
    field.add.click()
    wait_until(lambda: len(controller.map.document().page.logos) == 4)
    wait_until(lambda: not field.add.isEnabled())
    for count in (2, 1):
        controller.map.undo()
        wait_until(lambda count=count: field.list.count() == count)
    document = controller.map.document()
    assert len(document.page.logos) == 1
    assert read_document(write_document(document)).page == document.page
    controller.map.undo()
    wait_until(lambda: not field.choice.currentData())
    assert controller.map.document().page.logos is None and "logos" in controller.map.custom_map.history.redo_label
    controller.map.redo()
    wait_until(lambda: field.list.count() == 1)
    paper = controller.composer.page.paper
    paper.setCurrentIndex(paper.findData("A3"))
    assert controller.map.document().page.paper == "A3"
    assert controller.map.document().page.logos == document.page.logos, "another choice of the page leaves them"
    field.choice.setCurrentIndex(field.choice.findData(False))
    wait_until(lambda: controller.map.document().page.logos is None)
    assert QgsProject.instance() is controller.map.project


def test_an_undo_while_files_are_read_counts(network_dock, wait_until, tmp_path):
    dock = network_dock()
    added(dock, wait_until, "Despeñaperros", AddMode.AS_BASE)
    controller = dock.composer_controller
    settings.set("logos", json.dumps([str(picture(tmp_path / "propio.png"))]))
    controller.composer.page.features["logos"].files.use_own(True)
    controller.composer.page.features["logos"].files.set_logos(())
    wait_until(lambda: controller.composer.page.features["logos"].files._job is None)
    assert controller.map.document().page.logos == ()
    controller.composer.page.features["logos"].files.add_files([tmp_path / "propio.png"])
    controller.composer.page.features["logos"].files.cancel()
    assert controller.map.document().page.logos == () and not controller.composer.page.features["logos"]._is_reading


def test_the_map_inside_the_file_has_its_logos(algorithms, network, tmp_path, own):  # noqa: F811
    document = tmp_path / "map.custommap.json"
    document.write_bytes(write_document(small_map(network, page=PageSetup(logos=own))))
    target = tmp_path / "map.pdf"
    run("exportcustommap", {"INPUT": str(document), "DPI": 72, "OUTPUT": str(target)})
    assert read_document(embedded_document(target.read_bytes())).page.logos == own
