"""A month of daily layers as one series for the Temporal Controller: only the layer of the day is requested."""

from __future__ import annotations

import re
import time
from dataclasses import replace
from types import SimpleNamespace

import pytest
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsDateTimeRange,
    QgsLayerTree,
    QgsLayoutExporter,
    QgsMapRendererParallelJob,
    QgsMapSettings,
    QgsProject,
    QgsRectangle,
    QgsTemporalNavigationObject,
    QgsVectorLayer,
)
from qgis.gui import QgsLayerTreeMapCanvasBridge, QgsMapCanvas
from qgis.PyQt.QtCore import QDate, QDateTime, QSize, Qt, QTime

from plugin.core.custommap.document import write_document
from plugin.core.custommap.model import CustomMap, LayerPlan, MapEntry, Orientation, PageSetup, Plan, StoredCredit
from plugin.core.records.model.endpoints import normalise_endpoint
from plugin.core.sources.layer_source import WmsSource
from plugin.core.wms.dimensions.time_series import find_time_series, time_dimension_extent
from plugin.gis.credits.layer_credits import layer_credit
from plugin.gis.credits.layer_metadata import is_outline
from plugin.gis.export.layout_export import export_pdf
from plugin.gis.export.map_pipeline import compose_map
from plugin.gis.layers import time_series as gis_series
from plugin.gis.layers import wms_layers
from plugin.gis.layouts import layout_items
from plugin.gis.layouts.locator_map import empty_layer
from plugin.gis.pages.layout_builder import build_layout
from plugin.gis.runtime import compat, settings, tasks
from plugin.gis.services import service_cache
from plugin.gis.sources.layer_source import service_address, source_address
from tests.qgis.print_maps import small_map
from tests.slowness import slowness

REGION = QgsRectangle(100000, 3975000, 622000, 4290000)


@pytest.fixture
def canvas(qgis_app, qtbot, project):
    """QGIS's own window has such a controller at its canvas, and the tree of layers bound to it."""
    made = QgsMapCanvas()
    qtbot.addWidget(made)
    made.resize(160, 120)
    controller = QgsTemporalNavigationObject(made)
    made.setTemporalController(controller)
    bridge = QgsLayerTreeMapCanvasBridge(project.layerTreeRoot(), made)
    yield made
    bridge.deleteLater()
    made.setLayers([])


@pytest.fixture
def dock(network, monkeypatch, canvas, open_dock):
    monkeypatch.setattr(service_cache, "_shared", None)
    settings.set("profile", str(network.profile_path))
    def before(widget):
        widget.iface = SimpleNamespace(mapCanvas=lambda: canvas)

    return open_dock(before=before)


def day(number, days=1):
    begin = QDateTime(QDate(2016, 6, number), QTime(0, 0), Qt.TimeSpec.UTC)
    return QgsDateTimeRange(begin, begin.addDays(days), True, False)


def asked_layers(network):
    return {tuple(seen["layers"]) for seen in network.requests if seen["request"] == "GetMap"}


def let_requests_end(network, canvas, wait_until):
    """Wait until nothing more is sent for what was shown before: drawings that are given up end later, in threads."""
    counts = [(time.monotonic(), -1)]

    def is_over():
        count = network.count("GetMap")
        if canvas.isDrawing() or count != counts[-1][1]:
            counts.append((time.monotonic(), count))
        return time.monotonic() - counts[-1][0] > slowness()

    wait_until(is_over, 120)


def draw(map_layers, moment):
    picture = QgsMapSettings()
    picture.setLayers(map_layers)
    picture.setDestinationCrs(map_layers[0].crs())
    picture.setExtent(REGION)
    picture.setOutputSize(QSize(160, 97))
    picture.setIsTemporal(True)
    picture.setTemporalRange(moment)
    job = QgsMapRendererParallelJob(picture)
    job.start()
    job.waitForFinished()
    return job.renderedImage()


def test_june_2016_is_played_day_by_day_and_undone_at_once(dock, network, project, canvas, wait_until):
    dock.select_record(dock.session.record_for_endpoint(network.endpoints["precipitation"]).id)
    bar = dock.view.add_bar
    wait_until(lambda: bar.button.text() == "Add as time series")
    assert all(action.isEnabled() for action in bar.actions_by_name.values())
    assert not bar.series, "there is one series only"
    before = project.timeSettings().temporalRange()
    bar.actions_by_name["project"].trigger()
    wait_until(lambda: len(project.mapLayers()) == 30, 60)
    assert not dock.composer_controller.map.items
    wait_until(lambda: not canvas.isDrawing(), 60)
    assert network.count("GetCapabilities") == 1
    (group,) = project.layerTreeRoot().children()
    nodes = group.findLayers()
    assert (len(nodes), group.isExpanded()) == (30, False)
    assert nodes[0].layer().name() == "Precipitación total diaria, 1 de junio de 2016"
    assert all("Andalucía" in layer_credit(node.layer()) for node in nodes), "credited as always"
    whole = project.timeSettings().temporalRange()
    assert (whole.begin(), whole.end()) == (day(1).begin(), day(30).end())
    controller = canvas.temporalController()
    assert controller.totalFrameCount() in (30, 31)
    assert canvas.temporalRange() == day(1), "with no day chosen all thirty would be drawn"
    canvas.refresh()
    wait_until(lambda: asked_layers(network) and not canvas.isDrawing(), 60)
    assert asked_layers(network) == {("precipitacion_20160601",)}

    network.reset()
    ordered = project.layerTreeRoot().layerOrder()
    third, tenth = draw(ordered, day(3)), draw(ordered, day(10))
    assert asked_layers(network) == {("precipitacion_20160603",), ("precipitacion_20160610",)}
    assert third != tenth

    controller.setCurrentFrameNumber(6)
    controller.setNavigationMode(compat.navigation_mode(animated=False))
    ticked = [node.name() for node in nodes if node.itemVisibilityChecked()]
    assert ticked == ["Precipitación total diaria, 7 de junio de 2016"], "the day that was shown last"

    dock.view.add_bar.show_busy(False)
    dock.note.details.click()
    assert project.mapLayers() == {} and project.layerTreeRoot().children() == []
    assert project.timeSettings().temporalRange() == before
    assert controller.navigationMode() == compat.navigation_mode(animated=False)


def overlay_the_series(dock, network, wait_until):
    """Make the month's precipitation an overlay of the custom map, as the Add button does."""
    endpoint = network.endpoints["precipitation"]
    dock.select_record(dock.session.record_for_endpoint(endpoint).id)
    wait_until(lambda: dock.view.add_bar.button.text() == "Add as time series")
    dock.view.add_bar.button.click()
    maps = dock.composer_controller.map
    wait_until(lambda: maps.items and not maps.adding, 60)


def test_two_series_are_added_to_the_project_at_the_same_time(dock, network, project, wait_until):
    record = dock.session.record_for_endpoint(network.endpoints["precipitation"])
    dock.select_record(record.id)
    wait_until(lambda: dock.view.add_bar.button.text() == "Add as time series")
    found = dock.record_actions.time_series
    (series,), endpoint = found._series, dock.session.endpoint(record)
    parts = [replace(series, title=title, entries=series.entries[begin:begin + 2])
             for title, begin in (("First days", 0), ("Days after them", 2))]
    for part in parts:
        found.add_series_of(record, endpoint, part, False)
    assert found.adding and not dock.view.add_bar.button.isEnabled()
    wait_until(lambda: not found.adding)
    assert {group.name(): len(group.findLayers()) for group in project.layerTreeRoot().findGroups()} == {
        part.title: 2 for part in parts}
    assert dock.view.add_bar.button.isEnabled()


def test_days_added_over_each_other_are_an_issue_whose_button_shows_one_of_them(dock, network, project, wait_until):
    endpoint = network.endpoints["precipitation"]
    dock.select_record(dock.session.record_for_endpoint(endpoint).id)
    wait_until(lambda: dock.view.add_bar.button.text() == "Add as time series")
    dock.view.add_bar.actions_by_name["overlay"].trigger()
    controller, panel = dock.composer_controller, dock.composer.findings
    wait_until(lambda: controller.map.items and not controller.map.adding, 60)
    days = [layer for layer in controller.map.plan().layers if "junio" in layer.title]
    assert len(days) == 30
    panel.set_expanded(True)
    wait_until(lambda: any(row.finding.rule == "mixed-moments" for row in panel.rows))
    row, = [row for row in panel.rows if row.finding.rule == "mixed-moments"]
    row.button.click()
    wait_until(lambda: not any(row.finding.rule == "mixed-moments" for row in panel.rows))
    shown = [layer.title for layer in controller.map.plan().layers if "junio" in layer.title]
    assert shown == ["Precipitación total diaria, 1 de junio de 2016"]
    wait_until(lambda: [node.name() for node in project.layerTreeRoot().findLayers()
                        if node.isVisible() and "junio" in node.name()] == shown)
    controller.map.undo()
    assert len([layer for layer in controller.map.plan().layers if "junio" in layer.title]) == 30


def test_one_day_is_shown_though_the_service_is_down(dock, network, wait_until):
    endpoint = network.endpoints["precipitation"]
    dock.select_record(dock.session.record_for_endpoint(endpoint).id)
    wait_until(lambda: dock.view.add_bar.button.text() == "Add as time series")
    dock.view.add_bar.actions_by_name["overlay"].trigger()
    maps = dock.composer_controller.map
    wait_until(lambda: maps.items and not maps.adding, 60)
    item, = maps.items
    network.fault({"match": {"request": "GetCapabilities"}, "action": {"type": "status", "code": 503}})
    asked = network.count("GetCapabilities")
    maps.show_moment(item, "2016-06-01")
    wait_until(lambda: not maps.adding, 60)
    assert not item.problem and network.count("GetCapabilities") == asked
    layers = [maps.mirror.layer(layer_id) for name, layer_id in item.layer_ids.items()
              if name.startswith("precipitacion_2")]
    assert len(layers) == 30 and all(layer.temporalProperties().isActive() for layer in layers)


def frame_on(canvas, dock):
    """Return the frame of the page in the CRS of the canvas, as it is drawn there."""
    display = dock.composer_controller.page.frame_display
    return display.band.geometry.boundingBox() if display is not None and display.band.geometry is not None else None


def test_the_frame_of_a_map_that_begins_with_a_series_is_on_the_canvas(dock, network, project, canvas, wait_until):
    dock.composer_controller.page.show_frame_while(True)
    canvas.show()
    overlay_the_series(dock, network, wait_until)
    wait_until(lambda: frame_on(canvas, dock) is not None and canvas.extent().contains(frame_on(canvas, dock)))
    (item,) = dock.composer_controller.map.items
    layer = project.mapLayer(next(iter(item.layer_ids.values())))
    assert frame_on(canvas, dock).contains(layer.extent()), "all of it is on the page"


def test_a_map_that_begins_where_the_person_looks_has_its_page_there(dock, network, project, canvas, wait_until):
    project.setCrs(QgsCoordinateReferenceSystem("EPSG:25830"))
    project.addMapLayer(QgsVectorLayer("Point?crs=EPSG:25830", "theirs", "memory"))
    dock.composer_controller.page.show_frame_while(True)
    canvas.setDestinationCrs(project.crs())
    looked_at = QgsRectangle(300000, 4100000, 340000, 4130000)
    wait_until(lambda: canvas.layers())
    canvas.setExtent(looked_at)
    looked_at = canvas.extent()
    overlay_the_series(dock, network, wait_until)
    wait_until(lambda: frame_on(canvas, dock) is not None)
    assert canvas.extent() == looked_at and looked_at.contains(frame_on(canvas, dock))
    assert frame_on(canvas, dock).width() > 0.8 * looked_at.width() \
        or frame_on(canvas, dock).height() > 0.8 * looked_at.height()


def test_a_series_is_an_overlay_of_the_custom_map_that_shows_one_day(dock, network, project, canvas, wait_until,
                                                                     tmp_path):
    maps, actions = dock.composer_controller.map, dock.composer_controller
    overlay_the_series(dock, network, wait_until)
    (item,) = maps.items
    assert (item.entry.moment, len(item.layer_ids)) == ("2016-06-01", 30)
    assert canvas.temporalRange() == day(1)
    credits_ = actions.map.credit_lines()
    assert len(credits_) == 1

    actions.time_selection.ask_time(0)
    words = actions.time_selection.dialog.comboBoxItems()
    assert len(words) == 30 and words[11].startswith("2016-06-12 · Precipitación total diaria, 12")
    actions.time_selection.dialog.textValueSelected.emit(words[11])
    assert canvas.temporalRange() == day(12)
    wait_until(lambda: dock.composer.rows.rows and "2016-06-12" in dock.composer.rows.rows[0].accessibleName())
    plan = maps.plan()
    assert [layer.name for layer in plan.layers] == ["precipitacion_20160612"]
    drawn = maps.mirror.qgis_layers(plan)
    assert [layer.name() for layer in drawn] == ["Precipitación total diaria, 12 de junio de 2016"]
    layout = build_layout(project, plan, drawn)
    shown = layout_items.main_map(layout).layers()
    assert shown[:1] == drawn and all(map(is_outline, shown[1:])), "below it is only the region"
    assert actions.map.credit_lines() == credits_

    path = tmp_path / "junio.custommap.json"
    actions.documents.save_to(path)
    maps.commit(page=replace(maps.chosen.page, template="multiples"))
    assert len(maps.plan().layers) == 30, "small multiples show all of it"
    project.clear()
    wait_until(lambda: not maps.items)
    actions.documents.open_file(path)
    wait_until(lambda: maps.items and not maps.adding and maps.items[0].layer_ids, 60)
    assert (maps.items[0].entry.moment, len(maps.items[0].layer_ids)) == ("2016-06-12", 30)
    assert [layer.name for layer in maps.plan().layers] == ["precipitacion_20160612"]
    assert canvas.temporalRange() == day(12)


def test_with_the_temporal_controller_off_one_day_is_drawn_and_all_are_played_again(dock, network, project, canvas,
                                                                                     wait_until):
    """Off, QGIS hides no layer for its time: thirty days lay on top of each other."""
    maps, actions = dock.composer_controller.map, dock.composer_controller
    overlay_the_series(dock, network, wait_until)
    actions.time_selection.ask_time(0)
    actions.time_selection.dialog.textValueSelected.emit(actions.time_selection.dialog.comboBoxItems()[11])
    controller = canvas.temporalController()
    root = project.layerTreeRoot()

    def ticked():
        return [node.name() for node in root.findLayers() if node.isVisible()]

    assert len(ticked()) == 30
    controller.setCurrentFrameNumber(4)
    controller.setNavigationMode(compat.navigation_mode(animated=False))
    assert ticked() == ["Precipitación total diaria, 12 de junio de 2016"], "the day that is printed, not one played"
    # QGIS gives the canvas its layers later, and may have begun to draw those of before
    wait_until(lambda: [layer.name() for layer in canvas.layers()] == ticked() and not canvas.isDrawing(), 60)
    let_requests_end(network, canvas, wait_until)
    network.reset()
    canvas.refresh()
    wait_until(lambda: asked_layers(network) and not canvas.isDrawing(), 60)
    assert asked_layers(network) == {("precipitacion_20160612",)}

    maps.set_visible(0, False)
    assert ticked() == []
    controller.setNavigationMode(compat.navigation_mode(animated=True))
    assert ticked() == [], "what is not to be seen stays so"
    controller.setNavigationMode(compat.navigation_mode(animated=False))
    maps.set_visible(0, True)
    assert ticked() == ["Precipitación total diaria, 12 de junio de 2016"]
    nodes = root.findLayers()
    nodes[0].setItemVisibilityChecked(True)
    maps.changed.emit()
    assert len(ticked()) == 2, "a second day that was ticked by hand is wanted"
    controller.setNavigationMode(compat.navigation_mode(animated=True))
    assert len(ticked()) == 30


def one_day(dock, network, number=12):
    """An entry of the map with a single day of the month, and what the document says of it."""
    return MapEntry(network.endpoints["precipitation"], "Lluvia", layers=(f"precipitacion_201606{number:02}",),
                    styles=("",), moment=f"2016-06-{number:02}")


def test_the_tick_of_a_series_of_one_layer_is_the_documents(dock, network, project, canvas, wait_until):
    maps, actions = dock.composer_controller.map, dock.composer_controller
    actions.documents.open_document(CustomMap("Lluvia", overlays=(one_day(dock, network),), crs="EPSG:25830"))
    wait_until(lambda: maps.items and not maps.adding and maps.items[0].layer_ids, 60)
    actions.refresh_view()
    (node,) = project.layerTreeRoot().findLayers()
    node.setItemVisibilityChecked(False)
    maps.flush()
    actions.refresh_view()
    assert not maps.document().overlays[0].visible and not dock.composer.rows.rows[0].state.visible
    assert actions.map.credit_lines() == [] and not [layer for layer in maps.plan().layers if layer.visible]
    actions.map.undo()
    assert maps.document().overlays[0].visible and project.layerTreeRoot().findLayers()[0].itemVisibilityChecked()
    actions.map.redo()
    assert not project.layerTreeRoot().findLayers()[0].itemVisibilityChecked()
    maps.set_visible(0, True)
    assert project.layerTreeRoot().findLayers()[0].itemVisibilityChecked()


def test_a_series_of_which_all_days_are_unticked_is_hidden_on_the_page_too(dock, network, project, canvas, wait_until):
    maps, actions = dock.composer_controller.map, dock.composer_controller
    days = tuple(f"precipitacion_201606{number}" for number in (10, 11, 12))
    entry = replace(one_day(dock, network), layers=days, styles=("", "", ""))
    actions.documents.open_document(CustomMap("Lluvia", overlays=(entry,), crs="EPSG:25830"))
    wait_until(lambda: maps.items and not maps.adding and len(maps.items[0].layer_ids) == 3, 60)
    actions.refresh_view()
    root = project.layerTreeRoot()
    subgroup = root.findLayers()[0].parent()

    def read():
        maps.flush()
        actions.refresh_view()
        drawn = {node.name() for node in root.findLayers() if node.isVisible()}
        planned = {layer.title for layer in maps.plan().layers if layer.visible}
        assert maps.document().overlays[0].visible == bool(drawn) == dock.composer.rows.rows[0].state.visible
        assert planned <= drawn, "the page shows nothing that the canvas hides"
        return bool(drawn)

    assert read()
    for node in root.findLayers():
        node.setItemVisibilityChecked(False)
    assert not read() and not subgroup.itemVisibilityChecked() and actions.map.credit_lines() == []
    actions.map.undo()
    assert read() and subgroup.itemVisibilityChecked()
    actions.map.redo()
    assert not read()
    subgroup.setItemVisibilityChecked(True)
    assert read(), "its tick shows the days again"
    for node in root.findLayers():
        node.setItemVisibilityChecked(False)
    assert not read()
    maps.set_visible(0, True)
    assert read()


def test_days_of_a_series_in_two_services_are_ticked_by_their_time(dock, network, project, canvas, wait_until):
    """Off, the Temporal Controller leaves one day ticked. The other day stays part of the map."""
    maps, actions = dock.composer_controller.map, dock.composer_controller
    entries = (one_day(dock, network, 12), one_day(dock, network, 13))
    actions.documents.open_document(CustomMap("Lluvia", overlays=entries, crs="EPSG:25830"))
    wait_until(lambda: len(maps.items) == 2 and not maps.adding and all(item.layer_ids for item in maps.items), 60)
    controller = canvas.temporalController()
    controller.setNavigationMode(compat.navigation_mode(animated=True))
    controller.setNavigationMode(compat.navigation_mode(animated=False))
    maps.flush()
    actions.refresh_view()
    assert [entry.visible for entry in maps.document().overlays] == [True, True]


def test_the_time_of_a_dimension_is_printed(network, project, wait_until):
    mapfile = network.workdir / "precipitation.map"
    before = mapfile.read_text("utf-8")
    extra = '"wms_timeextent" "2016-06-01/2016-06-30/P1D" "wms_timedefault" "2016-06-01" "ows_title" "Estaciones met'
    endpoint = network.endpoints["precipitation"]
    try:
        mapfile.write_text(before.replace('"ows_title" "Estaciones met', extra), "utf-8")
        entry = MapEntry(endpoint, "Lluvia", layers=("estaciones",), styles=("",), moment="2016-06-12")
        composed = compose_map(project, CustomMap("Lluvia", overlays=(entry, ), crs="EPSG:25830"), {},
                               service_cache.ServiceCache())
        network.reset()
        assert not QgsLayoutExporter(composed.layout).renderPageToImage(0, dpi=50).isNull()
    finally:
        mapfile.write_text(before, "utf-8")
    times = [seen["parameters"].get("TIME", "") for seen in network.requests if seen["request"] == "GetMap"]
    assert times and all(re.match(r"2016-06-12(T00:00:00)?Z?", time) for time in times), times


def test_a_dimension_without_a_default_is_asked_for_with_a_value(network, project, wait_until):
    """QGIS itself sends none, for which the service would answer with an exception (06-042 C.4.2)."""
    mapfile = network.workdir / "precipitation.map"
    before = mapfile.read_text("utf-8")
    extra = ('"wms_dimensionlist" "elevation" "wms_elevation_item" "altitud" "wms_elevation_units" "EPSG:5030" '
             '"wms_elevation_extent" "400,800" "ows_title" "Estaciones met')
    endpoint = network.endpoints["precipitation"]
    try:
        mapfile.write_text(before.replace('"ows_title" "Estaciones met', extra), "utf-8")
        entry = MapEntry(endpoint, "Lluvia", layers=("estaciones",), styles=("",))
        network.reset()
        composed = compose_map(project, CustomMap("Lluvia", overlays=(entry, ), crs="EPSG:25830"), {},
                               service_cache.ServiceCache())
        assert network.count("GetCapabilities") == 1
        assert not QgsLayoutExporter(composed.layout).renderPageToImage(0, dpi=50).isNull()
        layer = next(one for one in project.mapLayers().values() if one.name().startswith("Estaciones"))
        assert {normalise_endpoint(found(layer)) for found in (service_address, source_address)} == {
            normalise_endpoint(endpoint)}, "the value is no part of the service's address"
    finally:
        mapfile.write_text(before, "utf-8")
    asked = [seen["parameters"] for seen in network.requests if seen["request"] == "GetMap"]
    assert asked and {own.get("ELEVATION") for own in asked} == {"400"}, asked
    assert {seen["status"] for seen in network.requests} == {200}


@pytest.mark.slow
def test_thirty_steps_of_a_dimension_are_thirty_small_maps(network, project, tmp_path):
    mapfile = network.workdir / "precipitation.map"
    before = mapfile.read_text("utf-8")
    extra = '"wms_timeextent" "2016-06-01/2016-06-30/P1D" "wms_timedefault" "2016-06-01" "ows_title" "Estaciones met'
    endpoint = network.endpoints["precipitation"]
    try:
        mapfile.write_text(before.replace('"ows_title" "Estaciones met', extra), "utf-8")
        entry = MapEntry(endpoint, "Lluvia", layers=("estaciones",), styles=("",), credit=StoredCredit("Red de prueba"))
        made = compose_map(
            project,
            CustomMap("Lluvia", overlays=(entry, ), crs="EPSG:25830",
                      page=PageSetup("A4", Orientation.LANDSCAPE, "multiples")),
            {}, service_cache.ServiceCache())
        assert len(layout_items.map_items(made.layout)) == 30
        assert made.layout.itemById("label:12").text() == "dom 12 jun"
        network.reset()
        export_pdf(made.layout, tmp_path / "pasos.pdf", 60)
    finally:
        mapfile.write_text(before, "utf-8")
    asked = [seen["parameters"] for seen in network.requests if seen["request"] == "GetMap"]
    days = sorted(own.get("TIME", "")[:10] for own in asked if "EXCEPTIONS" not in own)
    assert days == [f"2016-06-{day:02d}" for day in range(1, 31)], "each day once"
    # circles of one colour on small maps look like an error that is drawn as text
    assert len(asked) - len(days) <= 1, "what these points are is asked once, not for each day"
    groups = made.layout.itemById(layout_items.LEGEND).model().rootGroup().findGroups()
    assert [len(group.findLayers()) for group in groups] in ([1], []), "one legend for all"


def test_the_time_that_is_shown_is_told_only_where_there_is_one(canvas):
    assert gis_series.canvas_time(None) is None and gis_series.canvas_time(canvas) is None
    canvas.setTemporalRange(day(3))
    assert gis_series.canvas_time(canvas).isoformat() == "2016-06-03T00:00:00+00:00"


def test_a_series_that_was_taken_away_by_hand_is_undone_without_harm(project, network, wait_until):
    on_map = made(network, wait_until, project, "precipitation", "precipitacion_20160601", "precipitacion_20160602")
    QgsLayerTree.removeChildNode(project.layerTreeRoot(), on_map.group)
    gis_series.remove_series(on_map)
    assert project.layerTreeRoot().children() == []


def test_a_time_dimension_is_asked_for_the_day_that_is_shown(network, project, wait_until):
    """MapServer itself checks that the day lies in the extent that it advertises."""
    mapfile = network.workdir / "precipitation.map"
    before = mapfile.read_text("utf-8")
    extra = '"wms_timeextent" "2016-06-01/2016-06-30/P1D" "wms_timedefault" "2016-06-01" "ows_title" "Estaciones met'
    try:
        mapfile.write_text(before.replace('"ows_title" "Estaciones met', extra), "utf-8")
        on_map = made(network, wait_until, project, "precipitation", "estaciones")
        layer = on_map.group.findLayers()[0].layer()
        assert layer.isValid() and layer.temporalProperties().isActive()
        network.reset()
        draw([layer], day(12))
    finally:
        mapfile.write_text(before, "utf-8")
    times = [seen["parameters"].get("TIME", "") for seen in network.requests if seen["request"] == "GetMap"]
    assert times and all(re.match(r"2016-06-12(T00:00:00)?Z?", time) for time in times), times
    assert {seen["status"] for seen in network.requests} == {200}


def made(network, wait_until, project, key, *names):
    """The series of a service on the map, or that part of it, without the dock."""
    endpoint, cache, built = network.endpoints[key], service_cache.ServiceCache(), []
    service = tasks.run_and_wait(lambda feedback: cache.get_or_fetch(endpoint, feedback))
    series = next(one for one in find_time_series(service) if {entry.layer for entry in one.entries} >= set(names))
    extents = {layer.name: time_dimension_extent(layer) for layer in service.iter_layers()}
    plan = Plan(series.title, "EPSG:25830", tuple(
        LayerPlan(WmsSource(endpoint, name, "", "image/png", "EPSG:25830", time_extent=extents[name]),
                  name) for name in names))
    wms_layers.start_making_layers(plan, built.append, built.append, cache=cache)
    wait_until(lambda: built, 60)
    assert not built[0].failures
    return gis_series.add_series(plan, built[0], series, project)


@pytest.mark.parametrize("had_layout", [False, True])
def test_a_map_that_is_opened_in_an_empty_project_is_seen_on_the_canvas(
        dock, network, canvas, wait_until, tmp_path, had_layout):
    if had_layout:
        # as after the map that had it was replaced by a new one
        QgsProject.instance().setCrs(QgsCoordinateReferenceSystem("EPSG:25830"))
        empty_layer(QgsProject.instance())
    path = tmp_path / "parque.custommap.json"
    path.write_bytes(write_document(small_map(network)))
    controller = dock.composer_controller
    controller.page.show_frame_while(True)
    canvas.show()

    def show_all(*_changed):
        canvas.layersChanged.disconnect(show_all)
        canvas.setExtent(REGION.buffered(500_000))

    # QGIS zooms to all that the first layers say they cover
    canvas.layersChanged.connect(show_all)
    controller.documents.open_file(path)
    wait_until(lambda: len(controller.map.items) == 2 and not controller.map.adding, 60)
    wait_until(lambda: canvas.layers() and frame_on(canvas, dock) is not None, 10)
    wait_until(lambda: canvas.extent().contains(frame_on(canvas, dock)) and max(
        frame_on(canvas, dock).width() / canvas.extent().width(),
        frame_on(canvas, dock).height() / canvas.extent().height()) > 0.5, 10)
