"""Exports are complete and credited, or leave no file and an error that names service, layer and reason."""

from __future__ import annotations

import json
import struct
import subprocess
import time
import zlib
from dataclasses import replace

import pytest
from osgeo import gdal
from qgis.core import (
    Qgis,
    QgsDateTimeRange,
    QgsFeature,
    QgsFeedback,
    QgsGeometry,
    QgsLayoutObject,
    QgsLayoutPoint,
    QgsLayoutSize,
    QgsNetworkAccessManager,
    QgsProperty,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QDateTime, Qt
from qgis.PyQt.QtGui import QImage
from qgis.PyQt.QtWidgets import QPlainTextEdit

from plugin.core.custommap.model import CustomMap, PageSetup
from plugin.core.custommap.planner import make_plan
from plugin.core.errors import Cancelled, CartoguideError
from plugin.core.terms.model import Decision
from plugin.gis.credits.layer_metadata import set_credit
from plugin.gis.export import layout_export
from plugin.gis.layouts import layout_items
from plugin.gis.legends.legend_graphics import FetchedLegends
from plugin.gis.pages import layout_builder
from plugin.gis.pages.completeness_checks import IncompleteMap, missing_backgrounds, missing_credits, missing_services
from plugin.gis.pixels.plan import plan_page
from plugin.ui.widgets.messages import DetailsDialog, InlineMessage, Messages
from tests.pairwise import some
from tests.qgis.print_maps import PARK, cancelled_once_requested, colours, composed, pdf_text
from tests.slowness import slowness

DPI = 72
FAULTS = {
    "status": {"type": "status", "code": 500},
    "exception with status 200": {"type": "exception", "code": "LayerNotDefined", "text": "No hay capa"},
    "half an image": {"type": "truncate", "share": 0.5},
    "a web page": {"type": "html"},
    "closed connection": {"type": "close"},
    "half an image that says it is whole": {"type": "shorten", "share": 0.5},
    "an image with broken bytes": {"type": "corrupt"},
    "words that say they are an image": {"type": "body", "text": "\x89PNG", "content_type": "image/png"},
    "nothing": {"type": "body", "text": "", "content_type": "image/png"},
}


@pytest.fixture
def made(network, project):
    return composed(network, project)


@pytest.fixture
def short_patience():
    manager = QgsNetworkAccessManager
    before = manager.timeout()
    yield lambda: manager.setTimeout(1200)
    manager.setTimeout(before)


def titles(made):
    return [need.title for need in layout_builder.layout_requirements(made.layout)]


def test_a_pdf_and_a_png_are_whole_described_and_in_their_place(made, network, project, tmp_path):
    """All that is looked at on the page that nothing is wrong with, which is written once in each format."""
    path, dpi, feedback, progress = tmp_path / "map.pdf", 100, QgsFeedback(), []
    feedback.progressChanged.connect(progress.append)
    metadata = project.metadata()
    metadata.setTitle("Mi proyecto")
    project.setMetadata(metadata)
    project.setDirty(False)
    done = layout_export.export_pdf(made.layout, path, dpi, feedback)
    assert done.files == [path] and done.attempts == 1 and done.request_count == len(made.plan.layers)
    assert project.metadata().title() == "Mi proyecto" and not project.isDirty()
    assert progress == sorted(progress) and len(progress) >= 3 and progress[-1] > 90
    text = pdf_text(path)
    assert "Despeñaperros a mano" in text
    assert "Escala 1:75 000" in text.replace("\u00a0", " ")
    for need in layout_builder.layout_requirements(made.layout):
        for credit in need.credits:
            assert " ".join(credit.split()) in text
    assert "456" in text and "Autovía" in text
    info = subprocess.run(["pdfinfo", str(path)], capture_output=True, check=True).stdout.decode()
    assert "Despeñaperros a mano" in info and "Consejería" in info and "Keywords" in info
    fonts = subprocess.run(["pdffonts", str(path)], capture_output=True, check=True).stdout.decode().split("\n")[2:]
    assert fonts[:-1] and all(" yes " in line for line in fonts if line)
    listed = subprocess.run(["pdfimages", "-list", str(path)], capture_output=True, check=True).stdout.decode()
    large = [line for line in listed.split("\n")[2:] if line and int(line.split()[3]) > 600]
    assert len(large) <= 2, "the map and at most its mask"
    extent = made.layout.itemById(layout_items.MAP).extent()
    data = gdal.Open(str(path))
    left, width, _, top, _, height = data.GetGeoTransform()
    assert "25830" in data.GetProjection() or "UTM zone 30N" in data.GetProjection()
    assert left < extent.xMinimum() + 1.0 and top > extent.yMaximum(), "the map goes to the edge of the paper"
    assert width > 0 > height
    # the second format takes the pictures of the first. At other resolutions, QGIS may round the frame of the map to
    # another number of pixels in a PDF than in an image
    before = network.count("GetMap")
    done = layout_export.export_png(made.layout, tmp_path / "map.png", dpi)
    assert network.count("GetMap") == before
    assert {file.name for file in done.files} == {"map.png", "map.pgw"}
    image = QImage(str(tmp_path / "map.png"))
    assert (image.width(), image.height()) == pytest.approx((297 / 25.4 * dpi, 210 / 25.4 * dpi), abs=1)
    assert colours(image) > 100
    metres = float((tmp_path / "map.pgw").read_text().split()[0])
    assert metres == pytest.approx(75000 * 0.0254 / dpi, rel=0.002)


def test_a_fault_at_a_map_request_leaves_the_folder_as_it_was_and_names_service_layer_and_reason_once(made, network,
                                                                                                     tmp_path):
    for name, fault in FAULTS.items():
        network.fault({"match": {"request": "GetMap", "layer": "miradores"}, "action": fault})
        with pytest.raises(IncompleteMap) as failed:
            layout_export.export_pdf(made.layout, tmp_path / "map.pdf", DPI, attempts=2)
        problem, = failed.value.problems
        assert "Miradores" in problem and titles(made)[1] in problem and problem.endswith((".", "”")), name
        assert "LAYERS=miradores" in failed.value.detail, name
        assert list(tmp_path.iterdir()) == [], name
    network.reset()
    # images that came soundly are kept, for their resolution
    # sound checksums around broken pixels: QGIS's provider finds out, and tells its log alone
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", *plan_page(made.layout, DPI + 5)[-1].pieces[0].piece.requested, 8, 6, 0, 0, 0)
    body = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", b"no deflated pixels") + chunk(b"IEND", b"")
    network.fault({"match": {"request": "GetMap", "layer": "centros_visitantes"},
                   "action": {"type": "body", "text": body.decode("latin-1"), "encoding": "latin-1",
                              "content_type": "image/png"}})
    with pytest.raises(IncompleteMap) as failed:
        layout_export.export_pdf(made.layout, tmp_path / "map.pdf", DPI + 5, attempts=2)
    assert "Centros de visitantes" in failed.value.user_text and "read" in failed.value.user_text
    assert list(tmp_path.iterdir()) == []
    network.reset()
    # all layers of a dead service
    network.fault({"match": {"request": "GetMap", "endpoint": "facilities"}, "action": FAULTS["status"]})
    with pytest.raises(IncompleteMap) as failed:
        layout_export.export_pdf(made.layout, tmp_path / "map.pdf", DPI + 10, attempts=2)
    problem, = failed.value.problems
    assert problem.count(titles(made)[1]) == 1
    assert all(problem.count(layer.title) == 1 for layer in made.plan.layers if layer.service_title == titles(made)[1])
    network.reset()
    # an older file
    path = tmp_path / "map.pdf"
    path.write_bytes(b"yesterday's map")
    network.fault({"match": {"request": "GetMap"}, "action": FAULTS["status"]})
    with pytest.raises(IncompleteMap):
        layout_export.export_pdf(made.layout, path, DPI, attempts=1)
    assert path.read_bytes() == b"yesterday's map" and list(tmp_path.iterdir()) == [path]


def test_the_message_of_a_failed_export_states_a_reason_once(made, network, tmp_path, qtbot):
    """Message and details together, as they stand in the window: all layers of a service fail for one reason.

    The details repeat what the service said once for each request.
    """
    for fault, reason, quoted in (("exception with status 200", "does not know this layer", "No hay capa"),
                                  ("status", "failed (status 500)", "")):
        network.fault({"match": {"request": "GetMap", "endpoint": "facilities"}, "action": FAULTS[fault]})
        with pytest.raises(IncompleteMap) as failed:
            layout_export.export_pdf(made.layout, tmp_path / "map.pdf", DPI, attempts=2)
        inline = InlineMessage()
        qtbot.addWidget(inline)
        Messages(None, inline).show_error(failed.value)
        inline.details.click()
        dialog = inline.findChild(DetailsDialog)
        message, details = inline.text_label.text(), dialog.findChild(QPlainTextEdit).toPlainText()
        assert (message + details).count(reason) == 1, (message, details)
        if quoted:
            assert message.count(quoted) == 1, message
            assert [part.count(quoted) for part in details.split("\n\n")] == [1, 1], details


def test_each_layer_is_requested_once_and_after_a_passing_fault_once_more(made, network, tmp_path):
    network.fault({"match": {"request": "GetMap", "layer": "miradores", "nth": 1}, "action": FAULTS["status"]})
    done = layout_export.export_pdf(made.layout, tmp_path / "map.pdf", DPI)
    assert done.attempts == 2 and (tmp_path / "map.pdf").stat().st_size > 10_000
    asked = [request["layers"] for request in network.requests if request["request"] == "GetMap"]
    assert len(asked) == len(made.plan.layers) + 1
    network.reset()
    layout_export.export_png(made.layout, tmp_path / "map.png", 150)
    sizes = [(int(request["parameters"]["WIDTH"]), int(request["parameters"]["HEIGHT"]))
             for request in network.requests if request["request"] == "GetMap"]
    assert len(sizes) == len(made.plan.layers)
    item = made.layout.itemById(layout_items.MAP)
    wanted = (item.rect().width() / 25.4 * 150, item.rect().height() / 25.4 * 150)
    assert all(size == pytest.approx(wanted, abs=3) for size in sizes)


def test_a_fault_is_seen_at_resolutions_that_qgis_writes_one_too_small(made, network, tmp_path):
    network.fault({"match": {"request": "GetMap", "endpoint": "facilities"}, "action": FAULTS["status"]})
    for dpi in some([64, 103, 128, 256], 2):
        with pytest.raises(IncompleteMap) as refused:
            layout_export.export_png(made.layout, tmp_path / "map.png", dpi, attempts=1)
        assert titles(made)[1] in refused.value.user_text
        assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("drawn", ["all", "one"])
def test_a_page_owes_the_credits_that_it_was_built_with_as_long_as_a_layer_of_theirs_is_drawn(made, tmp_path, drawn):
    """Whatever the layers say now: a layer's properties may be edited between the page and its export."""
    service = layout_builder.layout_requirements(made.layout)[-1]
    for layer in made.layers:
        if layer.id() in service.layers:
            set_credit(layer, "", Decision.NO)
            layer.setOpacity(0.0 if drawn == "one" and layer.id() != service.layers[0] else 1.0)
    label = made.layout.itemById(layout_items.CREDITS)
    label.setText("\n".join(line for need in layout_builder.layout_requirements(made.layout) for line in need.credits
                            if line not in service.credits))
    with pytest.raises(IncompleteMap) as failed:
        layout_export.export_pdf(made.layout, tmp_path / "map.pdf", DPI)
    assert any(service.credits[0] in problem and "credit" in problem for problem in failed.value.problems)
    assert list(tmp_path.iterdir()) == []


def test_credits_that_lack_or_that_nobody_sees_do_not_count(made, tmp_path):
    label = made.layout.itemById(layout_items.CREDITS)
    text, size = label.text(), label.sizeWithUnits()

    def refusal():
        with pytest.raises(IncompleteMap) as failed:
            layout_export.export_pdf(made.layout, tmp_path / "map.pdf", DPI)
        assert list(tmp_path.iterdir()) == []
        return failed.value

    label.setText("Cartografía propia")
    credit = layout_builder.layout_requirements(made.layout)[0].credits[0]
    assert any(credit in problem for problem in refusal().problems)
    label.setText(text)
    label.attemptResize(QgsLayoutSize(40, 3))
    assert "credits" in refusal().user_text, "they are cut off"
    label.attemptResize(size)
    assert not missing_credits(made.layout), "it is as it was"
    label.setVisibility(False)
    assert any(credit in problem for problem in refusal().problems)
    label.setVisibility(True)
    label.setExcludeFromExports(True)
    assert any(credit in problem for problem in refusal().problems)
    label.setExcludeFromExports(False)
    made.layout.removeLayoutItem(label)
    assert any(credit in problem for problem in refusal().problems)


@pytest.mark.parametrize("paper, template", (("A4", "guide"), ("A3", "leaflet")))
def test_a_map_without_services_that_lost_all_its_layers_is_refused_in_words(project, tmp_path, paper, template):
    """Nothing was required of the page, so a blank map with a blank location map once passed as exported."""
    visible = QgsVectorLayer("Point?crs=EPSG:4326", "visible", "memory")
    project.addMapLayer(visible)
    # a map without services that asks for a leaflet gets a guide map
    plan = replace(make_plan(CustomMap(title="Nada", extent=PARK), {}, {}), page=PageSetup(paper, template=template))
    layout = layout_builder.build_layout(project, plan, (), legends=FetchedLegends())
    project.removeAllMapLayers()
    with pytest.raises(IncompleteMap) as refused:
        layout_export.export_png(layout, tmp_path / "map.png", DPI)
    assert "The map shows no layer." in refused.value.user_text
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("item_id", (layout_items.INSET, layout_items.GRID))
def test_a_page_that_lost_the_background_of_one_of_its_maps_is_refused_in_words(made, project, tmp_path, item_id):
    """Where its layers are gone QGIS draws what is visible in the project, or nothing."""
    item = made.layout.itemById(item_id)
    project.removeMapLayers([layer.id() for layer in item.layers()])
    with pytest.raises(IncompleteMap) as refused:
        layout_export.export_png(made.layout, tmp_path / "map.png", DPI)
    assert item_id in refused.value.user_text and list(tmp_path.iterdir()) == []
    item.setLayers([made.layers[0]])
    assert missing_backgrounds(made.layout) == [], "somebody gave the map other layers"


def test_a_service_or_layer_that_is_invisible_elsewhere_or_taken_out_is_missed(made, tmp_path, project):
    for layer in made.layers[2:]:
        layer.setOpacity(0)
    with pytest.raises(IncompleteMap) as failed:
        layout_export.export_pdf(made.layout, tmp_path / "map.pdf", DPI)
    assert f"“{titles(made)[1]}” is missing" in failed.value.user_text
    for layer in made.layers:
        layer.setOpacity(1)
    item = made.layout.itemById(layout_items.MAP)
    item.moveContent(5000, 5000)
    with pytest.raises(IncompleteMap) as failed:
        layout_export.export_pdf(made.layout, tmp_path / "map.pdf", DPI)
    assert "nothing in the area" in failed.value.user_text
    item.moveContent(-5000, -5000)
    layer = made.layers[-1]
    name = layer.name()
    project.removeMapLayer(layer.id())
    with pytest.raises(IncompleteMap) as failed:
        layout_export.export_pdf(made.layout, tmp_path / "map.pdf", DPI)
    assert name in failed.value.user_text


def test_a_layer_that_qgis_does_not_draw_for_the_time_of_the_map_is_missed(made, tmp_path):
    layer, item = made.layers[0], made.layout.itemById(layout_items.MAP)

    def year(number):
        return QgsDateTimeRange(*(QDateTime.fromString(f"{number}-{day}T00:00:00Z", Qt.DateFormat.ISODate)
                                  for day in ("01-01", "12-31")))

    properties = layer.temporalProperties()
    properties.setMode(Qgis.RasterTemporalMode.FixedTemporalRange)
    properties.setFixedTemporalRange(year(2014))
    properties.setIsActive(True)
    assert missing_services(made.layout) == [], "the map has no time"
    item.setIsTemporal(True)
    item.setTemporalRange(year(2020))
    with pytest.raises(IncompleteMap) as failed:
        layout_export.export_pdf(made.layout, tmp_path / "map.pdf", DPI)
    assert f"“{titles(made)[0]}” is not drawn for the time that the map shows: {layer.name()}" in failed.value.user_text
    item.setTemporalRange(year(2014))
    assert missing_services(made.layout) == []


def test_a_service_whose_scales_were_limited_since_the_page_was_built_is_told(made, tmp_path):
    service = layout_builder.layout_requirements(made.layout)[1]
    for layer in made.layers:
        if layer.id() in service.layers:
            layer.setScaleBasedVisibility(True)
            layer.setMinimumScale(1_000 if layer.id() == service.layers[0] else 0)
    assert layout_export.export_png(made.layout, tmp_path / "half.png", DPI).remarks == (), "half of it is drawn"
    for layer in made.layers:
        if layer.id() in service.layers:
            layer.setMinimumScale(1_000)
    remark, = layout_export.export_png(made.layout, tmp_path / "map.png", DPI).remarks
    assert (remark.service_title, remark.message) == (service.title, "It is not drawn at 1:75\u202f000.")


def test_a_service_that_could_not_be_read_is_missed(network, project, tmp_path):
    network.fault({"match": {"request": "GetCapabilities", "endpoint": "facilities"}, "action": FAULTS["status"]})
    made = composed(network, project, fresh=True)
    with pytest.raises(IncompleteMap) as failed:
        layout_export.export_pdf(made.layout, tmp_path / "map.pdf", DPI)
    assert "Equipamientos" in failed.value.user_text
    assert list(tmp_path.iterdir()) == []


def test_a_missing_service_is_called_as_the_person_called_it(made, project):
    plan = replace(made.plan, layers=tuple(
        replace(layer, entry=replace(layer.entry, title="Mapa de Ana")) if layer.entry_index else layer
        for layer in made.plan.layers))
    layout = layout_builder.build_layout(project, plan, made.layers, name="renamed")
    layout.itemById(layout_items.MAP).setLayers(list(made.layers)[:1])
    assert any("“Mapa de Ana” is missing" in problem for problem in missing_services(layout))
    assert not any("Equipamientos" in problem for problem in missing_services(layout))


@pytest.mark.parametrize(("shape", "is_there"), [
    ("POINT(10 50)", False), ("LINESTRING(10 50, 11 50)", False), ("POINT(-3.5 38.38)", True),
    ("LINESTRING(-10 38.38, 10 38.38)", True)])
def test_a_layer_of_one_point_or_of_a_level_line_is_elsewhere_too(made, project, shape, is_there):
    layer = QgsVectorLayer(f"{shape.partition('(')[0]}?crs=EPSG:4326", "One", "memory")
    feature = QgsFeature()
    feature.setGeometry(QgsGeometry.fromWkt(shape))
    layer.dataProvider().addFeature(feature)
    layer.updateExtents()
    project.addMapLayer(layer)
    item = made.layout.itemById(layout_items.MAP)
    item.setLayers([layer, *item.layers()])
    needed = json.loads(made.layout.customProperty(layout_items.REQUIREMENTS))
    needed.append({"title": "One", "layers": [layer.id()], "names": ["One"], "credits": []})
    made.layout.setCustomProperty(layout_items.REQUIREMENTS, json.dumps(needed))
    assert missing_services(made.layout) == ([] if is_there else ["“One” has nothing in the area of this map."])


def test_a_legend_that_has_not_come_is_missed_and_the_checks_hold_after_the_project_was_saved_and_opened(
        made, tmp_path, project, network):
    bare = layout_builder.build_layout(project, made.plan, made.layers, name="bare")
    with pytest.raises(IncompleteMap) as failed:
        layout_export.export_pdf(bare, tmp_path / "map.pdf", DPI)
    assert "legend" in failed.value.user_text
    assert project.write(str(tmp_path / "map.qgs"))
    name = made.layout.name()
    project.clear()
    assert project.read(str(tmp_path / "map.qgs"))
    layout = project.layoutManager().layoutByName(name)
    layout_export.export_pdf(layout, tmp_path / "map.pdf", DPI)
    layout.itemById(layout_items.CREDITS).setText("")
    with pytest.raises(IncompleteMap):
        layout_export.export_pdf(layout, tmp_path / "again.pdf", DPI)
    assert not (tmp_path / "again.pdf").exists()


def test_a_cancel_gets_through_while_a_server_hangs_which_is_given_up_and_named_and_a_folder_that_is_not_there_is_told(
        made, network, tmp_path, short_patience):
    feedback = QgsFeedback()
    feedback.cancel()
    with pytest.raises(Cancelled):
        layout_export.export_pdf(made.layout, tmp_path / "map.pdf", DPI, feedback)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(CartoguideError) as failed:
        layout_export.export_pdf(made.layout, tmp_path / "nowhere" / "map.pdf", DPI)
    assert "nowhere" in failed.value.user_text
    network.fault({"match": {"request": "GetMap", "layer": "carreteras"}, "action": {"type": "hang", "seconds": 50}})
    started = time.monotonic()
    with pytest.raises(Cancelled):
        layout_export.export_pdf(made.layout, tmp_path / "map.pdf", DPI,
                                 cancelled_once_requested(network, "carreteras"))
    assert time.monotonic() - started < 40 * slowness()
    assert list(tmp_path.iterdir()) == []
    network.reset()
    short_patience()
    network.fault({"match": {"request": "GetMap", "layer": "carreteras"}, "action": {"type": "hang", "seconds": 60}})
    with pytest.raises(IncompleteMap) as failed:
        layout_export.export_png(made.layout, tmp_path / "map.png", DPI, attempts=1)
    assert "Carreteras" in failed.value.user_text and "in time" in failed.value.user_text
    assert list(tmp_path.iterdir()) == []


def test_requirements_are_kept_as_json_in_the_layout_and_read_from_a_former_versions(made):
    saved = made.layout.customProperty("cartoguide/requirements")
    assert [requirement["title"] for requirement in json.loads(saved)] == titles(made)
    # under the name that a former version gave them, too
    expected = layout_builder.layout_requirements(made.layout)
    made.layout.removeCustomProperty("cartoguide/requirements")
    assert layout_builder.layout_requirements(made.layout) == []
    made.layout.setCustomProperty("cartoguide/needs", saved)
    assert layout_builder.layout_requirements(made.layout) == expected != []


def by_expression(item, name, expression):
    """Let an expression set a property of a layout's item."""
    item.dataDefinedProperties().setProperty(getattr(QgsLayoutObject.DataDefinedProperty, name),
                                             QgsProperty.fromExpression(expression))
    item.refresh()


@pytest.mark.parametrize("hide", [
    lambda item: item.setVisibility(False), lambda item: item.setItemOpacity(0),
    lambda item: item.setExcludeFromExports(True), lambda item: item.attemptMove(QgsLayoutPoint(5_000, 5_000)),
    lambda item: by_expression(item, "Opacity", "10 - 10"), lambda item: by_expression(item, "Opacity", "'0'"),
    lambda item: by_expression(item, "ExcludeFromExports", "@layout_pageheight > 1")],
    ids=["hidden", "transparent", "not exported", "beside the page", "transparent by an expression", "by a text",
         "not exported by an expression"])
def test_a_map_that_nobody_sees_shows_no_service(made, tmp_path, hide):
    assert missing_services(made.layout) == []
    hide(layout_items.main_map(made.layout))
    with pytest.raises(IncompleteMap) as refused:
        layout_export.export_png(made.layout, tmp_path / "map.png", 72)
    assert sum("is missing from the map" in problem for problem in refused.value.problems) == 2
