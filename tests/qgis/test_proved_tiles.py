"""Layers of XYZ and WMTS tiles: planned, fetched once, judged and drawn as QGIS draws them, or refused by name."""

from __future__ import annotations

import layer_services
import pytest
from odd_server import OddServer
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsNetworkAccessManager,
    QgsRasterLayer,
    QgsRectangle,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QRect
from qgis.PyQt.QtGui import QColor, QImage, QPainter
from source_server import EAST, LEVEL, NORTH, SOUTH, WEST, SourceServer
from wire_faults import ANSWERS

from plugin.core.errors import CartoguideError
from plugin.core.sources.tile_grid import HALF_WORLD
from plugin.gis.credits.layer_metadata import set_credit
from plugin.gis.export import layout_export
from plugin.gis.export.export_transaction import ExportOptions
from plugin.gis.layouts import layout_items
from plugin.gis.network import client
from plugin.gis.pages.completeness_checks import IncompleteMap
from plugin.gis.pixels import tiles
from plugin.gis.pixels.fetch import fetch_pixels
from plugin.gis.pixels.plan import plan_page
from plugin.gis.pixels.raster import drawn_locally
from plugin.gis.runtime import tasks
from plugin.gis.runtime.images import png_bytes
from tests.qgis.test_pixels import unlike
from tests.qgis.test_unchecked_layers import CREDIT, page

DPI = 72


@pytest.fixture(scope="module")
def sources(qgis_app):
    with SourceServer() as server:
        for path in list(server.answers):
            parts = path.strip("/").split("/")
            if parts[0] in ("pictures", "wmtstiles"):
                column, row = int(parts[2]), int(parts[3].partition(".")[0])
                server.answers[path] = (200, "image/png", png_bytes(picture(column, row)))
        yield server


@pytest.fixture(autouse=True)
def sound(sources, monkeypatch):
    monkeypatch.setattr(client, "_INITIAL_RETRY_DELAY", 0.01)
    sources.requests.clear()
    sources.fault, sources.struck = None, 0
    yield


def picture(column, row):
    """A tile that is no other's: a number of squares in its colour."""
    image = QImage(256, 256, QImage.Format.Format_ARGB32)
    image.fill(QColor(255, 255, 255, 0))
    painter = QPainter(image)
    for number in range(8):
        colour = QColor.fromHsv((column * 53 + row * 97 + number * 20) % 360, 200, 220)
        painter.fillRect(QRect(number * 32 + 3, (number * 5 + column + row) % 8 * 32, 24, 27), colour)
    painter.end()
    return image


def opened(sources, name, extra=""):
    _kind, provider, source = sources.sources[name]
    layer = QgsRasterLayer(source + extra, name, provider)
    assert layer.isValid()
    set_credit(layer, CREDIT)
    return layer


def tile_page(project, layer, crs="EPSG:3857", rotation=0.0):
    project.addMapLayer(layer)
    layout = page(project)
    item = layout.itemById(layout_items.MAP)
    target = QgsCoordinateReferenceSystem(crs)
    extent = QgsCoordinateTransform(QgsCoordinateReferenceSystem("EPSG:4326"), target, project).transformBoundingBox(
        QgsRectangle(WEST, SOUTH, EAST, NORTH))
    item.setCrs(target)
    item.zoomToExtent(extent)
    item.setMapRotation(rotation)
    item.setLayers([layer])
    item.setKeepLayerSet(True)
    return layout


def asked(sources):
    return {request["path"] for request in sources.requests if f"/{LEVEL}/" in request["path"]}


def test_keys_of_a_layer_go_to_its_own_host_alone(project, tmp_path):
    with OddServer() as own, OddServer() as other:
        layer_services.furnish(other, other.url)
        own.files["/wmts"] = other.files["/wmts"]
        other.answers["/wmts"] = (200, "image/png", png_bytes(picture(0, 0)))
        keys = "&http-header:X-Key=secret&username=a&password=b&referer=http://page.test"
        layer = QgsRasterLayer(layer_services.sources(own.url)["WMTS"].source + keys, "a", "wms")
        assert layer.isValid()
        requests = plan_page(tile_page(project, layer), DPI, True)
        own.requests.clear()
        other.requests.clear()
        pieces = tasks.run_and_wait(lambda feedback: fetch_pixels(requests, feedback, tmp_path), 60)
        assert [piece.error for piece in pieces if piece.error] == [] and pieces
        sent, astray = ([request["headers"] for request in server.requests] for server in (own, other))
        assert sent and all(headers["X-Key"] == "secret" and "Authorization" in headers for headers in sent)
        assert astray and {headers["Referer"] for headers in astray} == {"http://page.test"}
        assert not any({"X-Key", "Authorization"} & set(headers) for headers in astray)


@pytest.mark.parametrize(("name", "crs", "rotation"), [
    ("XYZ", "EPSG:3857", 0.0), ("WMTS", "EPSG:3857", 30.0), ("XYZ", "EPSG:25830", 0.0), ("WMTS", "EPSG:25830", 0.0)])
def test_a_page_of_tiles_is_qgis_s_own_and_nothing_is_requested_for_it(sources, project, tmp_path, name, crs, rotation):
    layer = opened(sources, name)
    layout = tile_page(project, layer, crs, rotation)
    requests = plan_page(layout, DPI, True)
    pieces = tasks.run_and_wait(lambda feedback: fetch_pixels(requests, feedback, tmp_path), 60)
    assert [piece.error for piece in pieces if piece.error] == [] and len(pieces) > 3
    fetched = asked(sources)
    assert len(fetched) == len(pieces), "each once"
    sources.requests.clear()
    with drawn_locally([layout], requests, pieces) as drawing:
        assert layout_export.EXPORT_FORMATS["png"].write(layout, tmp_path / "ours.png", DPI) == 0
        assert drawing.undrawn() == [] and sources.requests == []
    assert layout_export.EXPORT_FORMATS["png"].write(layout, tmp_path / "own.png", DPI) == 0
    assert asked(sources) <= fetched
    # QGIS stretches the area by less than a pixel
    assert unlike(tmp_path / "own.png", tmp_path / "ours.png", 32) < 0.06


def test_opaque_tiles_above_others_are_said_to_hide_them(sources, project, tmp_path, monkeypatch):
    tile = QImage(256, 256, QImage.Format.Format_ARGB32)
    tile.fill(QColor("#336699"))
    tile.setPixelColor(3, 3, QColor("#993366"))
    tiles = [path for path in sources.answers if path.startswith("/pictures/")]
    below = QgsVectorLayer("Point?crs=EPSG:3857", "Below", "memory")
    project.addMapLayer(below)
    layer = opened(sources, "XYZ")
    layout = tile_page(project, layer)
    item = layout.itemById(layout_items.MAP)

    def rules():
        return [remark.rule for remark in layout_export.export_pdf(layout, tmp_path / "map.pdf", DPI).remarks
                if "XYZ" in remark.message]

    item.setLayers([layer, below])
    assert rules() == [], "one can look through most of these"
    for path in tiles:
        monkeypatch.setitem(sources.answers, path, (200, "image/png", png_bytes(tile)))
    QgsNetworkAccessManager.instance().cache().clear()
    assert rules() == ["covering"]
    layer.setBlendMode(QPainter.CompositionMode.CompositionMode_Multiply)
    assert rules() == []
    layer.setBlendMode(QPainter.CompositionMode.CompositionMode_SourceOver)
    item.setLayers([below, layer])
    assert rules() == [], "nothing lies below"


def first_tile():
    """Strike at one tile, whenever it is asked for."""
    struck = []
    return lambda request: f"/{LEVEL}/" in request["path"] and (
        struck.append(request["path"]) or request["path"] == struck[0])


@pytest.mark.parametrize("name", ["XYZ", "WMTS"])
def test_a_tile_that_does_not_come_is_refused_by_name_in_every_format(sources, project, tmp_path, name):
    layer = opened(sources, name)
    layout = tile_page(project, layer)
    for answer, suffix in (("500", "pdf"), ("login page with 200", "png"), ("404", "svg"), ("cut XML", "tif")):
        sources.fault = ANSWERS[answer]
        sources.strikes = first_tile()
        form = {"pdf": "pdf", "png": "png", "svg": "svg", "tif": "geotiff"}[suffix]
        with pytest.raises(IncompleteMap) as refused:
            layout_export.export_layouts([layout], tmp_path / f"map.{suffix}", form, ExportOptions(DPI, attempts=1))
        assert f"“{name}”" in str(refused.value) and list(tmp_path.iterdir()) == []
    sources.fault = None
    done = layout_export.export_png(layout, tmp_path / "map.png", DPI)
    assert done.unchecked == () and done.problems == () and done.remarks == () and done.request_count > 3


def test_a_refused_answer_is_requested_again_however_long_its_server_lets_it_be_kept(sources, project, tmp_path):
    layout = tile_page(project, opened(sources, "XYZ"))
    sources.fault = lambda handler, sound: handler._send(200, b"<html></html>", Content_Type="text/html",
                                                         Cache_Control="max-age=600")
    sources.strikes = first_tile()
    with pytest.raises(IncompleteMap):
        layout_export.export_layouts([layout], tmp_path / "map.png", "png", ExportOptions(DPI, attempts=2))
    assert sources.struck == 2, "each attempt asks"
    sources.fault = None
    assert layout_export.export_png(layout, tmp_path / "map.png", DPI).problems == ()


def test_each_block_has_the_tiles_of_its_own_level(sources, project, tmp_path, monkeypatch):
    """Blocks of a map in another system differ in their resolution."""
    monkeypatch.setattr(tiles, "_BLOCK_SIDE", 60)
    layer = QgsRasterLayer(f"type=xyz&url={sources.url}/pictures/{{z}}/{{x}}/{{y}}.png&zmin=0&zmax=8", "XYZ", "wms")
    set_credit(layer, CREDIT)
    layout = tile_page(project, layer, "EPSG:4326")
    layout.itemById(layout_items.MAP).zoomToExtent(QgsRectangle(0, 0, 70, 70))
    colours = [QColor.fromHsv(level * 40, 200, 200) for level in range(9)]

    def plain_tile(handler, _sound):
        image = QImage(256, 256, QImage.Format.Format_RGB32)
        image.fill(colours[int(handler.path.split("/")[2])])
        handler._send(200, png_bytes(image), Content_Type="image/png")
    sources.fault, sources.strikes = plain_tile, lambda request: request["path"].startswith("/pictures/")
    requests = plan_page(layout, DPI, True)
    pieces = tasks.run_and_wait(lambda feedback: fetch_pixels(requests, feedback, tmp_path), 60)
    assert [piece.error for piece in pieces if piece.error] == []
    with drawn_locally([layout], requests, pieces) as drawing:
        image = drawing.paint(layer, requests[0].settings)
    found = set()
    for block in requests[0].blocks:
        place, resolution = block.viewport, block.window.extent.width() / block.window.width
        level = min(range(9), key=lambda zoom: abs(HALF_WORLD * 2 / 256 / 2 ** zoom - resolution))
        shown = {image.pixelColor(place.left + x, place.top + y).name()
                 for x in (0, place.width // 2, place.width - 1) for y in (0, place.height // 2, place.height - 1)}
        assert shown == {colours[level].name()}
        found.add(level)
    assert found == {1, 2}


def test_a_stamped_page_has_a_hatch_where_a_tile_is_missing(sources, project, tmp_path):
    layout = tile_page(project, opened(sources, "XYZ"))
    sources.break_second_parts()
    done = layout_export.export_layouts([layout], tmp_path / "map.png", "png",
                                        ExportOptions(DPI, attempts=1, stamp_incomplete=True))
    assert any("“XYZ”" in problem for problem in done.problems)
    image = QImage(str(tmp_path / "map.png"))
    colours = {image.pixelColor(x, y).name() for x in range(30, 260) for y in range(30, 260, 7)}
    assert "#b00020" in colours and len(colours) > 5, "and the others are there"


def test_a_tile_without_content_is_empty(sources, project, tmp_path):
    layout = tile_page(project, opened(sources, "XYZ"))
    sources.fault, sources.strikes = ANSWERS["204"], lambda request: f"/{LEVEL}/" in request["path"]
    done = layout_export.export_png(layout, tmp_path / "map.png", DPI)
    assert [remark.rule for remark in done.remarks] == ["empty"], "all of it"


def test_a_description_that_does_not_come_is_refused_too(sources, project, tmp_path):
    layer = opened(sources, "WMTS")
    layout = tile_page(project, layer)
    sources.fault, sources.strikes = ANSWERS["500"], lambda request: request["path"] == "/wmts"
    QgsNetworkAccessManager.instance().cache().clear()
    with pytest.raises(CartoguideError) as refused:
        layout_export.export_layouts([layout], tmp_path / "map.png", "png", ExportOptions(DPI, attempts=1))
    assert "“WMTS”" in str(refused.value)
