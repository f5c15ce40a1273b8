"""Layers that read whole files from the web, vector tiles among them: fetched, judged and read from a folder."""

from __future__ import annotations

import gzip
from dataclasses import replace
from urllib.parse import parse_qs

import pytest
from qgis.core import QgsNetworkAccessManager
from qgis.PyQt.QtCore import QRect
from qgis.PyQt.QtGui import QColor, QImage
from source_server import LEVEL, SourceServer
from wire_faults import ANSWERS

from plugin.gis.export import layout_export
from plugin.gis.export.export_transaction import ExportOptions
from plugin.gis.layouts import layout_items
from plugin.gis.network import client
from plugin.gis.pages.completeness_checks import IncompleteMap
from plugin.gis.pixels import fetch
from plugin.gis.pixels.fetch import fetch_pixels
from plugin.gis.pixels.plan import plan_page
from plugin.gis.pixels.raster import MISSING_COLOUR, drawn_locally
from plugin.gis.runtime import settings, tasks
from plugin.gis.runtime.images import png_bytes
from tests.qgis.test_pixels import unlike
from tests.qgis.test_proved_tiles import tile_page
from tests.qgis.test_unchecked_layers import add_map, opened

DPI = 72


@pytest.fixture(scope="module")
def served(qgis_app):
    with SourceServer() as server:
        yield server


@pytest.fixture
def sources(served, monkeypatch):
    monkeypatch.setattr(client, "_INITIAL_RETRY_DELAY", 0.01)
    before, files = dict(served.answers), dict(served.files)
    served.requests.clear()
    served.fault = None
    yield served
    served.answers.clear()
    served.answers.update(before)
    served.files.clear()
    served.files.update(files)


def page_of(project, sources, name, crs="EPSG:3857"):
    project.clear()
    layer = opened(sources, name)
    return layer, tile_page(project, layer, crs)


def fetched(layout, folder):
    requests = plan_page(layout, DPI, True)
    return requests, tasks.run_and_wait(lambda feedback: fetch_pixels(requests, feedback, folder, 1), 60)


def many_tiles(layout):
    """Let the map show more tiles than are requested at a time."""
    item = layout.itemById(layout_items.MAP)
    extent = item.extent()
    extent.scale(2.5)
    item.zoomToExtent(extent)


def tiles_asked(sources):
    return {request["path"] for request in sources.requests if f"/{LEVEL}/" in request["path"]}


@pytest.mark.parametrize("crs", ["EPSG:3857", "EPSG:25830"])
def test_a_page_of_vector_tiles_is_qgis_s_own_and_nothing_is_requested_for_it(sources, project, tmp_path, crs):
    _layer, layout = page_of(project, sources, "vector tiles", crs)
    requests, results = fetched(layout, tmp_path)
    assert [result.error for result in results if result.error] == [] and len(results) > 3
    planned = tiles_asked(sources)
    assert len(planned) == len(results), "each once"
    sources.requests.clear()
    with drawn_locally([layout], requests, results) as drawing:
        assert layout_export.EXPORT_FORMATS["png"].write(layout, tmp_path / "ours.png", DPI) == 0
        tasks.run_and_wait(lambda feedback: None)
        assert sources.requests == [] and drawing.undrawn() == []
    assert layout_export.EXPORT_FORMATS["png"].write(layout, tmp_path / "own.png", DPI) == 0
    assert tiles_asked(sources) <= planned
    assert unlike(tmp_path / "own.png", tmp_path / "ours.png", 8) == 0.0
    image = QImage(str(tmp_path / "ours.png"))
    assert len({image.pixelColor(x, y).name() for x in range(30, 260) for y in range(30, 260)}) > 1


def test_a_tile_that_was_not_planned_is_told(sources, project, tmp_path):
    _layer, layout = page_of(project, sources, "vector tiles")
    requests, results = fetched(layout, tmp_path)
    results[0].path.unlink()
    with drawn_locally([layout], requests, results) as drawing:
        assert layout_export.EXPORT_FORMATS["png"].write(layout, tmp_path / "ours.png", DPI) == 0
        tasks.run_and_wait(lambda feedback: None)
        assert drawing.undrawn() == ["vector tiles"]


def test_a_vector_tile_that_does_not_come_is_refused_and_one_without_content_is_empty(sources, project, tmp_path):
    _layer, layout = page_of(project, sources, "vector tiles")
    for answer, suffix in (("500", "pdf"), ("login page with 200", "png"), ("cut XML", "svg"), ("404", "tif")):
        sources.break_second_parts(answer)
        form = {"pdf": "pdf", "png": "png", "svg": "svg", "tif": "geotiff"}[suffix]
        with pytest.raises(IncompleteMap) as refused:
            layout_export.export_layouts([layout], tmp_path / f"map.{suffix}", form, ExportOptions(DPI, attempts=1))
        assert "“vector tiles”" in str(refused.value) and list(tmp_path.iterdir()) == [], answer
    done = layout_export.export_layouts([layout], tmp_path / "map.png", "png",
                                        ExportOptions(DPI, attempts=1, stamp_incomplete=True))
    assert len(done.problems) == 1 and "“vector tiles”" in done.problems[0]
    for answer in ("204", "200 empty"):
        sources.break_second_parts(answer)
        done = layout_export.export_png(layout, tmp_path / "map.png", DPI)
        assert done.unchecked == () and done.problems == () and done.remarks == ()


@pytest.mark.parametrize("answer", ["timeout before headers", "body a byte a second"])
def test_a_server_that_says_nothing_is_left_alone_after_some_files(sources, project, tmp_path, answer):
    _layer, layout = page_of(project, sources, "vector tiles")
    many_tiles(layout)
    assert len(plan_page(layout, DPI)[0].files) > 30
    before = QgsNetworkAccessManager.timeout()
    QgsNetworkAccessManager.setTimeout(200)
    for name, value in (("total_timeout", 0.3), ("parallel_requests", 3)):
        settings.set(name, value)
    sources.break_second_parts(answer)
    sources.strikes, sources.struck = lambda request: f"/{LEVEL}/" in request["path"], 0
    try:
        with pytest.raises(IncompleteMap) as refused:
            layout_export.export_layouts([layout], tmp_path / "map.pdf", "pdf", ExportOptions(DPI, attempts=1))
    finally:
        QgsNetworkAccessManager.setTimeout(before)
    assert "“vector tiles”" in str(refused.value) and sources.struck <= fetch._MAX_PARALLEL + 4


def test_a_layer_whose_server_is_always_slow_ends(sources, project, tmp_path, monkeypatch):
    monkeypatch.setattr(fetch, "_LAYER_TIMEOUTS", 0.1)
    settings.set("total_timeout", 2.0)
    settings.set("parallel_requests", 3)
    answered = []

    def slow(handler, sound):
        handler.odd.stopping.wait(0.15)
        answered.append(handler.path)
        handler._send(sound.status, sound.body, Content_Type=sound.media, Cache_Control="no-store")
    for name, part in (("WFS", "/wfs"), ("vector tiles", f"/{LEVEL}/")):
        _layer, layout = page_of(project, sources, name)
        sources.fault, sources.strikes = slow, lambda request, part=part: part in request["path"]
        many_tiles(layout)
        answered.clear()
        with pytest.raises(IncompleteMap) as refused:
            layout_export.export_layouts([layout], tmp_path / "map.pdf", "pdf", ExportOptions(DPI, attempts=1))
        sources.fault = None
        assert f"“{name}”" in str(refused.value) and "responds so slowly" in str(refused.value)
        assert len(answered) <= 2 * fetch._MAX_PARALLEL


def test_a_packed_tile_is_unpacked_whatever_its_headers_say(sources, project, tmp_path):
    _layer, layout = page_of(project, sources, "vector tiles")
    _requests, sound = fetched(layout, tmp_path)
    for path, (status, media, body) in list(sources.answers.items()):
        if path.startswith("/shapes/"):
            sources.answers[path] = (status, media, gzip.compress(body))
    _requests, packed = fetched(layout, tmp_path)
    assert [one.error for one in packed if one.error] == []
    assert sorted(one.size for one in packed) == sorted(one.size for one in sound)


def test_a_file_on_the_web_is_fetched_as_a_whole(sources, project, tmp_path):
    layer, layout = page_of(project, sources, "web file")
    assert layout_export.EXPORT_FORMATS["png"].write(layout, tmp_path / "own.png", DPI) == 0
    sources.requests.clear()
    requests, results = fetched(layout, tmp_path)
    assert [result.error for result in results] == [None]
    assert [request["headers"].get("Range") for request in sources.requests] == [None]
    sources.requests.clear()
    with drawn_locally([layout], requests, results) as drawing:
        assert layout_export.EXPORT_FORMATS["png"].write(layout, tmp_path / "ours.png", DPI) == 0
        assert sources.requests == [] and drawing.unproved() == [] and layer.id() in drawing.layers
    assert unlike(tmp_path / "own.png", tmp_path / "ours.png") == 0.0


def test_a_file_that_does_not_come_whole_is_refused_and_one_that_is_too_large_is_named(sources, project, tmp_path,
                                                                                      monkeypatch):
    _layer, layout = page_of(project, sources, "web file")
    for answer in ("500", "login page with 200", "cut XML", "404"):
        sources.fault, sources.strikes = ANSWERS[answer], lambda request: request["path"].endswith(".tif")
        with pytest.raises(IncompleteMap) as refused:
            layout_export.export_layouts([layout], tmp_path / "map.pdf", "pdf", ExportOptions(DPI, attempts=1))
        assert "“web file”" in str(refused.value) and list(tmp_path.iterdir()) == [], answer
    sources.fault = None
    whole = client.RequestLimits.for_map_images
    monkeypatch.setattr(client.RequestLimits, "for_map_images",
                        lambda attempts: replace(whole(attempts), max_bytes=10_000))
    done = layout_export.export_png(layout, tmp_path / "map.png", DPI)
    assert done.unchecked == ("web file",) and done.problems == ()


def hatched(path, area):
    """Whether a part of a picture has the colour of the hatching."""
    image = QImage(str(path))
    return any(image.pixelColor(x, y).name() == MISSING_COLOUR.name() for x in range(area.left(), area.right())
               for y in range(area.top(), area.bottom()))


@pytest.mark.parametrize("name", ["web file", "web features"])
def test_a_stamped_page_has_a_hatch_for_a_file_that_does_not_come(sources, project, tmp_path, monkeypatch, name):
    sources.answers["/wells.geojson"] = (200, "application/geo+json", b'{"type": "Point", "coordinates": [-3.5, 38.4]}')
    monkeypatch.setitem(sources.sources, "web features", ("vector", "ogr", f"/vsicurl/{sources.url}/wells.geojson"))
    layer, layout = page_of(project, sources, name)
    inset = add_map(layout, "inset", 110, [layer])
    inset.setCrs(layout.itemById(layout_items.MAP).crs())
    inset.zoomToExtent(layout.itemById(layout_items.MAP).extent())
    sources.fault, sources.strikes = ANSWERS["500"], lambda request: "relief" in request["path"] or (
        "wells" in request["path"])
    done = layout_export.export_layouts([layout], tmp_path / "map.png", "png",
                                        ExportOptions(DPI, attempts=1, stamp_incomplete=True))
    assert len(done.problems) == 1 and f"“{name}”" in done.problems[0]
    assert [hatched(tmp_path / "map.png", QRect(left, 40, 200, 200)) for left in (40, 330)] == [True, True]


def test_a_picture_of_an_arcgis_map_is_fetched_and_judged(sources, project, tmp_path):
    layer, layout = page_of(project, sources, "ArcGIS map")
    path = "/arcgis/rest/services/land/MapServer/export"
    sources.files[path] = drawn_picture
    requests, results = fetched(layout, tmp_path)
    assert [result.error for result in results] == [None]
    asked = [request["query"] for request in sources.requests if request["path"] == path]
    assert len(asked) == 1 and "dpi=72" in asked[0] and "layers=show:0" in asked[0] and "format=png32" in asked[0]
    sources.requests.clear()
    with drawn_locally([layout], requests, results) as drawing:
        assert layout_export.EXPORT_FORMATS["png"].write(layout, tmp_path / "ours.png", DPI) == 0
        assert sources.requests == [] and drawing.undrawn() == [] and layer.id() in drawing.layers
    assert "#12345a" in {QImage(str(tmp_path / "ours.png")).pixelColor(x, 100).name() for x in range(30, 260)}
    for answer in ("500", "login page with 200", "cut XML", "JSON"):
        sources.fault, sources.strikes = ANSWERS[answer], lambda request: request["path"] == path
        QgsNetworkAccessManager.instance().cache().clear()
        with pytest.raises(IncompleteMap) as refused:
            layout_export.export_layouts([layout], tmp_path / "map.pdf", "pdf", ExportOptions(DPI, attempts=1))
        assert "“ArcGIS map”" in str(refused.value), answer


def drawn_picture(request):
    width, height = map(int, parse_qs(request["query"])["size"][0].split(","))
    image = QImage(width, height, QImage.Format.Format_ARGB32)
    image.fill(QColor("#12345a"))
    image.setPixelColor(3, 3, QColor("red"))
    return png_bytes(image)


def test_vector_tiles_of_which_the_style_shows_nothing_are_told(sources, project, tmp_path):
    layer, layout = page_of(project, sources, "vector tiles")
    assert layout_export.export_png(layout, tmp_path / "map.png", DPI).remarks == ()
    styles = layer.renderer().styles()
    for style in styles:
        style.setEnabled(False)
    layer.renderer().setStyles(styles)
    assert [one.rule for one in layout_export.export_png(layout, tmp_path / "map.png", DPI).remarks] == ["empty"]
