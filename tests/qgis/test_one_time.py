"""One time on canvas, dock and page: each frame requests what the service offers, and the page says what it shows."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from datetime import datetime, timezone
from itertools import product
from types import SimpleNamespace

import pytest
from osgeo import gdal
from qgis.core import (
    Qgis,
    QgsDateTimeRange,
    QgsInterval,
    QgsMapRendererParallelJob,
    QgsProject,
    QgsRectangle,
    QgsVectorLayer,
)
from qgis.gui import QgsLayerTreeMapCanvasBridge, QgsMapCanvas, QgsTemporalControllerWidget
from qgis.PyQt.QtCore import QSize
from qgis.PyQt.QtWidgets import QComboBox, QSlider

from plugin.core.box import Box
from plugin.core.custommap.model import CustomMap, MapEntry, Orientation, PageSetup, StoredCredit
from plugin.core.errors import CartoguideError
from plugin.core.wms.dimensions.iso8601 import expand_time_extent, parse_time
from plugin.gis.export import atlas
from plugin.gis.export.export_transaction import ExportOptions
from plugin.gis.export.layout_export import export_layouts
from plugin.gis.export.map_pipeline import compose_map
from plugin.gis.layers import wms_layers
from plugin.gis.layouts import layout_items
from plugin.gis.operations.identification import find_canvas_services
from plugin.gis.pages.layout_builder import build_layout
from plugin.gis.runtime import compat, main_thread, settings, tasks
from plugin.gis.runtime.conversions import to_qdatetime
from plugin.gis.services import service_cache
from plugin.gis.snapshots import snapshot_job
from plugin.gis.snapshots.snapshot_job import IncompleteSnapshot, SnapshotOptions
from tests.pairwise import ALL, some
from tests.written_files import metadata

REGION = QgsRectangle(100000, 3975000, 622000, 4290000)
DEKADS = ",".join(f"2016-{month:02}-{day}" for month in range(1, 7) for day in ("01", "11", "21"))
SEASONS = ",".join(f"{year}-{month:02}" for year in range(2012, 2017) for month in (3, 6, 9, 12))


@pytest.fixture
def panel(qgis_app, qtbot):
    """QGIS's own panel with the Temporal Controller of its window."""
    made = QgsTemporalControllerWidget()
    qtbot.addWidget(made)
    return made


@pytest.fixture
def canvas(panel, qtbot, project):
    made = QgsMapCanvas()
    qtbot.addWidget(made)
    made.resize(160, 120)
    made.setTemporalController(panel.temporalController())
    # it is drawn when a test says so: a late request would be taken for that of the next frame
    made.freeze()
    bridge = QgsLayerTreeMapCanvasBridge(project.layerTreeRoot(), made)
    yield made
    bridge.deleteLater()
    made.setLayers([])


@pytest.fixture
def dock(network, monkeypatch, canvas, open_dock):
    monkeypatch.setattr(service_cache, "_shared", None)
    settings.set("profile", str(network.profile_path))
    return open_dock(before=lambda widget: setattr(widget, "iface", SimpleNamespace(mapCanvas=lambda: canvas)))


@pytest.fixture
def timed(network):
    """Give the stations a TIME dimension with an extent and, where there is one, a default."""
    mapfile = network.workdir / "precipitation.map"
    before = mapfile.read_text("utf-8")

    def declare(extent, default=""):
        lines = f'"wms_timeextent" "{extent}" ' + (f'"wms_timedefault" "{default}" ' if default else "")
        title = '"ows_title" "Estaciones met'
        mapfile.write_text(before.replace(title, lines + title), "utf-8")

    yield declare
    mapfile.write_text(before, "utf-8")


def instant(text):
    return parse_time(text)[0]


def requested_times(network):
    """The values of TIME in the requests for the stations since the last call, each once, in order."""
    asked = [seen["parameters"] for seen in network.requests if seen["request"] == "GetMap"
             and seen["layers"] == ["estaciones"]]
    network.reset()
    return list(dict.fromkeys(own.get("TIME", "") for own in asked))


def draw_canvas(canvas):
    """Draw the layers of the project as the canvas does, at the time that it shows."""
    picture = canvas.mapSettings()
    root = QgsProject.instance().layerTreeRoot()
    picture.setLayers([node.layer() for node in root.findLayers() if node.isVisible()])
    picture.setExtent(REGION)
    picture.setOutputSize(QSize(160, 97))
    job = QgsMapRendererParallelJob(picture)
    job.start()
    job.waitForFinished()


def add_series(dock, network, wait_until):
    """Add the stations as a time series of the custom map, as its menu does."""
    network.reset()
    dock.select_record(dock.session.record_for_endpoint(network.endpoints["precipitation"]).id)
    found = dock.record_actions.time_series
    wait_until(lambda: found._series)
    found.add_overlay(next(number for number, one in enumerate(found._series) if one.by_dimension))
    maps = dock.composer_controller.map
    wait_until(lambda: maps.items and not maps.adding and maps.items[-1].layer_ids, 60)
    return maps.items[-1]


def stations(network, moment=None, **fields):
    return MapEntry(network.endpoints["precipitation"], "Estaciones", layers=("estaciones",), styles=("",),
                    credit=StoredCredit("Red de prueba"), moment=moment, **fields)


@pytest.mark.parametrize("extent", some([
    DEKADS, "1990,2000,2006,2012,2018", SEASONS, "2016-01-01/2016-12-01/P1M", "2016-06-01/2016-06-10/P1D",
    "2012,2014-06,2016-06-01,2016-06-12,2016-06-12T06:00:00Z",
    "2016-01-01/2016-01-05/P2D,2016-01-05/2016-03-05/P1M,2016-12-24", "2016-06-30T00:00:00Z/2016-06-30T18:00:00Z/PT6H",
    "2016-01-31/2016-06-30/P1M,2016-07-04", "2018,1990,2006"], 6))
def test_each_frame_requests_a_value_that_the_service_offers(dock, network, canvas, panel, timed, wait_until, extent):
    timed(extent)
    add_series(dock, network, wait_until)
    offered = sorted({value.begin for value in expand_time_extent(extent)})
    controller = panel.temporalController()
    assert controller.totalFrameCount() == len(offered)
    assert panel.findChild(QComboBox, "mTimeStepsComboBox").currentText() == "source timestamps"
    assert {slider.maximum() for slider in panel.findChildren(QSlider)} == {len(offered) - 1}
    requested_times(network)
    played = []
    for frame in range(controller.totalFrameCount()):
        controller.setCurrentFrameNumber(frame)
        draw_canvas(canvas)
        time, = requested_times(network)
        played.append(instant(time))
    assert played == offered
    if "T" not in extent:
        assert len(time) == 10, "a date is requested as a date"


def test_a_frame_of_any_step_requests_a_value_that_has_begun(dock, network, canvas, panel, timed, wait_until):
    timed(DEKADS)
    add_series(dock, network, wait_until)
    controller = panel.temporalController()
    controller.setFrameDuration(QgsInterval(1, compat.temporal_unit("Weeks")))
    requested_times(network)
    offered = {value.begin for value in expand_time_extent(DEKADS)}
    canvas.setLayers([node.layer() for node in QgsProject.instance().layerTreeRoot().findLayers()])
    for frame in range(0, controller.totalFrameCount(), 4):
        controller.setCurrentFrameNumber(frame)
        draw_canvas(canvas)
        time, = requested_times(network)
        begin = datetime.fromtimestamp(canvas.temporalRange().begin().toSecsSinceEpoch(), timezone.utc)
        assert instant(time) == max(moment for moment in offered if moment <= begin)
        service, = find_canvas_services(canvas)
        assert [layer.span[0] for layer in service.layers] == [instant(time)], "a click asks about what is drawn"


def text_of(path):
    """The text of the first page, which has the map."""
    return subprocess.run(["pdftotext", "-layout", "-l", "1", str(path), "-"], capture_output=True,
                          check=True).stdout.decode()


PAGES = [PageSetup("A4", Orientation.PORTRAIT), PageSetup("A4", Orientation.LANDSCAPE, "field"),
         PageSetup("A4", Orientation.PORTRAIT, "sheet"), PageSetup("A3", Orientation.LANDSCAPE)]
#: what a service offers, what it shows by itself, what the document asks for, what is requested, what the page says
MOMENTS = [
    ("2016-06-01/2016-06-30/P1D", "2016-06-12", None, "", "12 de junio de 2016"),
    ("2016-06-01/2016-06-30/P1D", "2016-06-01", "2016-06-12", "2016-06-12", "12 de junio de 2016"),
    ("2012,2014,2016", "2014", "2012", "2012-01-01", "2012"),
    (SEASONS, "2016-12", "2014-06", "2014-06-01", "junio de 2014"),
    ("2016-06-12T00:00:00Z/2016-06-12T18:00:00Z/PT6H", "2016-06-12T06:00:00Z", "2016-06-12T12:00:00Z",
     "2016-06-12T12:00:00Z", "12 de junio de 2016, 12:00 UTC"),
    ("2016-06-12", "2016-06-12", None, "", "12 de junio de 2016"),
    ("2016-06-01/2016-06-30/P1D", "", None, "2016-06-30", "30 de junio de 2016")]


@pytest.mark.parametrize(("page", "moments"),
                         list(product(PAGES, MOMENTS)) if ALL else list(zip(PAGES, MOMENTS[::2]))[1::2])
def test_every_page_names_the_moment_that_it_shows(network, project, timed, tmp_path, page, moments):
    extent, default, moment, value, text = moments
    timed(extent, default)
    title = "Red de estaciones meteorológicas automáticas de la Consejería y de todos sus municipios con observatorio"
    document = CustomMap("Lluvia", "es", overlays=(replace(stations(network, moment), title=title),),
                         crs="EPSG:25830", page=page)
    composed = compose_map(project, document, {}, service_cache.ServiceCache())
    requested_times(network)
    export_layouts([composed.layout], tmp_path / "a.pdf", "pdf", ExportOptions(60))
    assert requested_times(network) == [value]
    assert text in " ".join(text_of(tmp_path / "a.pdf").split())
    assert str(metadata(tmp_path / "a.pdf")["XMP-dc:Coverage"]) == (moment or default or value)


def days(network, page):
    names = ("precipitacion_20160612", "precipitacion_20160611")
    entry = MapEntry(network.endpoints["precipitation"], "Lluvia diaria", layers=names, styles=("", ""),
                     credit=StoredCredit("Red de prueba"), moment="2016-06-12")
    return CustomMap("Lluvia", "es", overlays=(entry,), crs="EPSG:25830", page=page)


def test_a_script_that_chooses_no_day_of_a_series_gets_a_page_of_one_day_that_says_so(network, project, tmp_path):
    whole = days(network, PageSetup("A4", Orientation.LANDSCAPE))
    whole = whole.with_entries([replace(whole.entries[0], layers=(), styles=(), moment=None)])
    before = network.count("GetMap")
    composed = compose_map(project, whole, {}, service_cache.ServiceCache())
    day = composed.document.entries[0].moment
    drawn = [layer.name for layer in composed.plan.layers]
    assert day and [name for name in drawn if name.startswith("precipitacion_")] == [
        f"precipitacion_{day.replace('-', '')}"]
    assert any("No time of “Lluvia diaria” was chosen" in note.text for note in composed.plan.notes)
    export_layouts([composed.layout], tmp_path / "a.pdf", "pdf", ExportOptions(60))
    assert network.count("GetMap") == before + len(drawn), "one day is drawn, and not thirty over each other"
    assert metadata(tmp_path / "a.pdf")["XMP-dc:Coverage"] == day
    # days that somebody names are drawn as said, with a word
    two = whole.with_entries([replace(days(network, whole.page).entries[0], moment=None)])
    composed = compose_map(project, two, {}, service_cache.ServiceCache())
    assert len(composed.plan.layers) == 2 and composed.document.entries[0].moment is None
    assert any("2 times are drawn over each other" in note.text for note in composed.plan.notes)


@pytest.mark.slow
def test_the_day_of_a_layer_is_on_its_page_and_on_each_sheet_of_a_book(network, project, tmp_path):
    composed = compose_map(project, days(network, PageSetup("A4", Orientation.LANDSCAPE)), {},
                           service_cache.ServiceCache())
    export_layouts([composed.layout], tmp_path / "a.pdf", "pdf", ExportOptions(60))
    assert "12 de junio de 2016" in text_of(tmp_path / "a.pdf")
    assert metadata(tmp_path / "a.pdf")["XMP-dc:Coverage"] == "2016-06-12"
    plan = replace(composed.plan, scale=1_500_000.0)
    sheets = atlas.feature_plans(plan, atlas.grid_features(plan, 1_500_000.0, 0.05, project))
    assert len(sheets) > 1
    for sheet in sheets[:2]:
        layout = build_layout(project, sheet, composed.layers, name=sheet.title)
        assert layout.itemById(layout_items.SUBTITLE).text().startswith(
            "Precipitación total diaria, 12 de junio de 2016")


@pytest.mark.slow
def test_small_multiples_say_their_day_each_and_the_file_says_all(network, project, tmp_path):
    composed = compose_map(project, days(network, PageSetup("A4", Orientation.LANDSCAPE, "multiples")), {},
                           service_cache.ServiceCache())
    subtitle = composed.layout.itemById(layout_items.SUBTITLE).text()
    assert subtitle.startswith("11 de junio de 2016 – 12 de junio de 2016")
    assert [composed.layout.itemById(f"label:{number}").text() for number in (1, 2)] == ["sáb 11 jun", "dom 12 jun"]
    export_layouts([composed.layout], tmp_path / "a.pdf", "pdf", ExportOptions(60))
    assert sorted(metadata(tmp_path / "a.pdf")["XMP-dc:Coverage"].split("; ")) == ["2016-06-11", "2016-06-12"]


def test_every_format_says_it(network, project, timed, tmp_path):
    timed("2016-06-01/2016-06-30/P1D", "2016-06-01")
    document = CustomMap("Lluvia", "es", overlays=(stations(network, "2016-06-12"),), crs="EPSG:25830")
    composed = compose_map(project, document, {}, service_cache.ServiceCache())
    # test_publication reads the same packet in all formats
    for suffix, file_format in (("png", "png"), ("tif", "geotiff"), ("jpg", "jpeg"), ("svg", "svg"))[:4 if ALL else 2]:
        export_layouts([composed.layout], tmp_path / f"a.{suffix}", file_format, ExportOptions(60))
        if suffix != "tif":
            assert metadata(tmp_path / f"a.{suffix}")["XMP-dc:Coverage"] == "2016-06-12"
    image = gdal.Open(str(tmp_path / "a.tif"))
    assert "2016-06-12" in image.GetMetadata("xml:XMP")[0]
    statement = next(text for text in image.GetMetadata("CARTOGUIDE").values() if "cartoguide-sources" in text)
    assert json.loads(statement)["sources"][0]["times"] == ["2016-06-12"]


def other_day(network):
    """Make the server draw another day for 12 June 2016, and say so."""
    network.fault({"match": {"request": "GetMap", "query": "TIME=2016-06-12"}, "action": {
        "type": "rewrite", "parameters": {"TIME": "2016-06-10"},
        "headers": {"Warning": "99 Nearest value used: time=2016-06-10T00:00:00Z ISO8601"}}})


@pytest.mark.parametrize("page", [PageSetup("A4", Orientation.LANDSCAPE),
                                  PageSetup("A4", Orientation.LANDSCAPE, "multiples")], ids=["page", "multiples"])
def test_a_map_of_another_day_is_not_exported_as_that_of_the_day(network, project, timed, tmp_path, page):
    timed("2016-06-10/2016-06-13/P1D", "2016-06-10")
    document = CustomMap("Lluvia", "es", overlays=(stations(network, "2016-06-12"),), crs="EPSG:25830", page=page)
    composed = compose_map(project, document, {}, service_cache.ServiceCache())
    other_day(network)
    with pytest.raises(CartoguideError) as refused:
        export_layouts([composed.layout], tmp_path / "a.png", "png", ExportOptions(60, attempts=1))
    assert "TIME=2016-06-12" in refused.value.user_text and "2016-06-10" in refused.value.user_text
    assert not list(tmp_path.iterdir())
    network.fault()
    export_layouts([composed.layout], tmp_path / "a.png", "png", ExportOptions(60, attempts=1))


def test_a_series_with_a_map_of_another_day_is_not_exported(network, project, timed, tmp_path):
    timed("2016-06-10/2016-06-13/P1D", "2016-06-10")
    composed = [compose_map(project, CustomMap(f"Lluvia {day}", "es", overlays=(stations(network, f"2016-06-{day}"),),
                                               crs="EPSG:25830"), {}, service_cache.ServiceCache())
                for day in (11, 12)]
    other_day(network)
    with pytest.raises(CartoguideError) as refused:
        export_layouts([one.layout for one in composed], tmp_path / "a.pdf", "pdf", ExportOptions(60, attempts=1))
    assert "TIME=2016-06-12" in refused.value.user_text and "TIME=2016-06-11" not in refused.value.user_text
    assert not list(tmp_path.iterdir())


def test_no_snapshot_is_taken_of_another_day(network, project, timed, tmp_path):
    timed("2016-06-10/2016-06-13/P1D", "2016-06-10")
    document = CustomMap("Lluvia", "es", overlays=(stations(network, "2016-06-12"),), crs="EPSG:25830")
    wanted = SnapshotOptions(tmp_path / "rain", Box(440000.0, 4250000.0, 460000.0, 4265000.0), (100000.0,), 60)
    other_day(network)

    def take(feedback):
        return snapshot_job.take_snapshot(document, {}, wanted, feedback, service_cache.ServiceCache())

    with pytest.raises(IncompleteSnapshot) as broken:
        tasks.run_and_wait(take, 90)
    assert "TIME=2016-06-12" in broken.value.problems[0] and "2016-06-10" in broken.value.problems[0]


def test_what_the_service_shows_by_itself_is_shown_first(dock, network, canvas, timed, wait_until):
    timed("2016-06-01/2016-06-30/P1D", "2016-06-12")
    item = add_series(dock, network, wait_until)
    assert item.entry.moment == "2016-06-12"
    assert [layer.moment for layer in dock.composer_controller.map.plan().layers] == ["2016-06-12"]
    requested_times(network)
    draw_canvas(canvas)
    assert requested_times(network) == ["2016-06-12"]


def printed(dock, network, wait_until, path):
    """Export the map as the dock does. Return the values of TIME requested for it, and the text of its page."""
    network.reset()
    dock.composer_controller.exporter.export("pdf", path)
    wait_until(path.exists, 60)
    return requested_times(network), text_of(path)


@pytest.mark.slow
def test_the_controller_comes_back_with_the_project(dock, network, canvas, panel, timed, wait_until, tmp_path):
    timed(DEKADS, "2016-02-11")
    maps = dock.composer_controller.map
    item = add_series(dock, network, wait_until)
    entry = next(one for one in dock.composer_controller.time_selection._selection_of(item).series.entries
                 if one.time == "2016-04-21")
    dock.composer_controller.time_selection._set_time(item, entry)
    assert maps.project.write(str(tmp_path / "lluvia.qgs"))
    maps.project.clear()
    wait_until(lambda: not maps.items)
    assert panel.temporalController().navigationMode() == compat.navigation_mode(animated=False)
    assert maps.project.read(str(tmp_path / "lluvia.qgs"))
    wait_until(lambda: maps.items)
    controller = panel.temporalController()
    assert controller.navigationMode() == compat.navigation_mode(animated=True)
    assert controller.totalFrameCount() == 18
    requested_times(network)
    draw_canvas(canvas)
    assert requested_times(network) == ["2016-04-21"]
    assert maps.items[0].entry.moment == "2016-04-21" and "2016-04-21" in maps.items[0].row_state().detail
    wait_until(lambda: maps.service_of(maps.items[0].entry) is not None)
    times, text = printed(dock, network, wait_until, tmp_path / "lluvia.pdf")
    assert times == ["2016-04-21"] and "21 April 2016" in text


def test_without_the_dock_the_project_brings_the_controller_back(dock, network, canvas, panel, timed, wait_until,
                                                                tmp_path, monkeypatch):
    """QGIS's panel reads what is saved in the project."""
    timed(DEKADS)
    add_series(dock, network, wait_until)
    project = QgsProject.instance()
    assert project.write(str(tmp_path / "lluvia.qgs"))
    monkeypatch.setattr(dock.composer_controller.documents, "restore", lambda: None)
    dock.composer_controller.documents._restore_timer.stop()
    project.clear()
    assert project.read(str(tmp_path / "lluvia.qgs"))
    controller = panel.temporalController()
    assert controller.navigationMode() == compat.navigation_mode(animated=True) and controller.totalFrameCount() == 18


def test_undo_of_a_moment_is_on_the_canvas_too(dock, network, canvas, timed, wait_until):
    timed("2016-06-01/2016-06-30/P1D", "2016-06-12")
    item = add_series(dock, network, wait_until)
    times = dock.composer_controller.time_selection
    times._set_time(item, times._selection_of(item).series.entries[2])
    requested_times(network)
    draw_canvas(canvas)
    assert requested_times(network) == ["2016-06-03"]
    dock.composer_controller.map.undo()
    draw_canvas(canvas)
    assert requested_times(network) == ["2016-06-12"]


def test_a_controller_that_the_person_has_set_up_is_left_alone(dock, network, canvas, panel, timed, wait_until):
    timed("2016-06-01/2016-06-30/P1D", "2016-06-12")
    controller = panel.temporalController()
    own = QgsVectorLayer("Point?crs=EPSG:25830&field=day:date", "Avistamientos", "memory")
    own.temporalProperties().setIsActive(True)
    QgsProject.instance().addMapLayer(own)
    begin, end = (to_qdatetime(datetime(2016, month, 1, tzinfo=timezone.utc)) for month in (5, 8))
    controller.setTemporalExtents(QgsDateTimeRange(begin, end, True, False))
    controller.setFrameDuration(QgsInterval(1, compat.temporal_unit("Days")))
    controller.setNavigationMode(compat.navigation_mode(animated=True))
    controller.setCurrentFrameNumber(50)
    item = add_series(dock, network, wait_until)
    assert item.entry.moment == "2016-06-20", "what is shown already"
    assert controller.frameDuration().originalUnit() == compat.temporal_unit("Days")
    assert (controller.temporalExtents().begin(), controller.currentFrameNumber()) == (begin, 50)
    times = dock.composer_controller.time_selection
    times._set_time(item, times._selection_of(item).series.entries[2])
    assert controller.frameDuration().originalUnit() == compat.temporal_unit("Days")
    requested_times(network)
    draw_canvas(canvas)
    assert requested_times(network) == ["2016-06-03"]


def test_with_the_controller_off_the_canvas_requests_what_the_page_does(dock, network, canvas, panel, timed, wait_until,
                                                                        tmp_path):
    timed("2016-06-01/2016-06-30/P1D", "2016-06-12")
    maps, times = dock.composer_controller.map, dock.composer_controller.time_selection
    item = add_series(dock, network, wait_until)
    times._set_time(item, times._selection_of(item).series.entries[2])
    panel.temporalController().setNavigationMode(compat.navigation_mode(animated=False))
    # as QGIS's panel does when its button is pressed
    maps.project.writeEntry("TemporalControllerWidget", "/NavigationMode", 0)
    requested_times(network)
    draw_canvas(canvas)
    assert requested_times(network) == ["2016-06-03"]
    assert maps.project.write(str(tmp_path / "lluvia.qgs"))
    maps.project.clear()
    wait_until(lambda: not maps.items)
    assert maps.project.read(str(tmp_path / "lluvia.qgs"))
    wait_until(lambda: maps.items)
    assert panel.temporalController().navigationMode() == compat.navigation_mode(animated=False), "it stays off"
    requested_times(network)
    draw_canvas(canvas)
    assert requested_times(network) == ["2016-06-03"]


@pytest.mark.slow
def test_all_series_of_a_map_show_one_time(dock, network, canvas, timed, wait_until, tmp_path):
    timed("2016-06-01/2016-06-30/P1D", "2016-06-12")
    maps, actions = dock.composer_controller.map, dock.composer_controller
    entries = (stations(network, "2016-06-12"), stations(network, "2016-06-20"))
    actions.documents.open_document(CustomMap("Lluvia", overlays=entries, crs="EPSG:25830"))
    wait_until(lambda: len(maps.items) == 2 and not maps.adding and all(item.layer_ids for item in maps.items), 60)
    requested_times(network)
    draw_canvas(canvas)
    assert requested_times(network) == ["2016-06-20"] == list({layer.moment for layer in maps.plan().layers})
    assert any("2016-06-20" in note.text and "2016-06-12" in note.text for note in maps.plan().notes)
    times = actions.time_selection
    times._set_time(maps.items[0], times._selection_of(maps.items[0]).series.entries[2])
    assert [item.entry.moment for item in maps.items] == ["2016-06-03", "2016-06-03"]
    requested_times(network)
    draw_canvas(canvas)
    assert requested_times(network) == ["2016-06-03"]
    assert printed(dock, network, wait_until, tmp_path / "lluvia.pdf")[0] == ["2016-06-03"]
    maps.undo()
    assert [item.entry.moment for item in maps.items] == ["2016-06-12", "2016-06-20"], "one step"


@pytest.mark.slow
def test_hundreds_of_days_are_played_by_their_own_dates(dock, network, canvas, panel, timed, wait_until):
    """There are too many for the layer's source, which has the extent as the service writes it."""
    timed("2012-01-01/2016-06-30/P1D", "2016-06-12")
    add_series(dock, network, wait_until)
    controller = panel.temporalController()
    assert controller.totalFrameCount() == 1643
    requested_times(network)
    for frame, day in ((0, "2012-01-01"), (59, "2012-02-29"), (1642, "2016-06-30")):
        controller.setCurrentFrameNumber(frame)
        draw_canvas(canvas)
        assert requested_times(network) == [day]


@pytest.mark.slow
def test_days_of_layers_stay_apart_when_the_project_is_read_again(dock, network, canvas, panel, wait_until, tmp_path):
    dock.select_record(dock.session.record_for_endpoint(network.endpoints["precipitation"]).id)
    wait_until(lambda: dock.view.add_bar.button.text() == "Add as time series")
    dock.view.add_bar.button.click()
    maps = dock.composer_controller.map
    wait_until(lambda: maps.items and not maps.adding and len(maps.items[0].layer_ids) == 30, 60)
    assert panel.temporalController().totalFrameCount() == 30
    assert maps.project.write(str(tmp_path / "lluvia.qgs"))
    maps.project.clear()
    wait_until(lambda: not maps.items)
    assert maps.project.read(str(tmp_path / "lluvia.qgs"))
    wait_until(lambda: maps.items)
    controller = panel.temporalController()
    assert controller.totalFrameCount() == 30
    for frame in (0, 11, 29):
        controller.setCurrentFrameNumber(frame)
        network.reset()
        draw_canvas(canvas)
        assert {tuple(seen["layers"]) for seen in network.requests if seen["request"] == "GetMap"} == {
            (f"precipitacion_201606{frame + 1:02}",)}


@pytest.mark.slow
def test_no_worker_thread_touches_the_times_of_a_layer(dock, network, timed, wait_until, monkeypatch):
    set_up, threads = wms_layers._set_up_time, []
    monkeypatch.setattr(wms_layers, "_set_up_time",
                        lambda *given: (threads.append(main_thread.is_main()), set_up(*given)))
    timed(DEKADS)
    item = add_series(dock, network, wait_until)
    layers = [QgsProject.instance().mapLayer(layer_id) for layer_id in item.layer_ids.values()]
    assert threads and all(threads)
    assert {layer.temporalProperties().intervalHandlingMethod() for layer in layers} == {
        Qgis.TemporalIntervalMatchMethod.FindClosestMatchToStartOfRange}
