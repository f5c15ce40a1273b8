"""Features and coverages of real servers (MapServer, pygeoapi): counted, read, compared, drawn, or refused."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from catalogue_servers import CatalogueServer, has
from map_server_sources import MOST, MapServerSources, available
from osgeo import gdal
from qgis.core import QgsRectangle, QgsVectorLayer
from qgis.PyQt.QtCore import QRect
from qgis.PyQt.QtGui import QImage
from source_server import EAST, FEATURES, NORTH, SOUTH, WEST
from wire_faults import ANSWERS

from plugin.core.errors import CartoguideError
from plugin.gis.export import layout_export
from plugin.gis.export.export_transaction import ExportOptions
from plugin.gis.layouts import layout_items
from plugin.gis.network import client
from plugin.gis.pages.completeness_checks import IncompleteMap
from plugin.gis.pixels.raster import drawn_locally
from plugin.gis.sources import wcs
from tests.pairwise import some
from tests.qgis.test_pixels import unlike
from tests.qgis.test_proved_files import fetched, hatched, page_of
from tests.qgis.test_unchecked_layers import add_map

DPI = 72


@pytest.fixture(scope="module")
def served(qgis_app):
    if not available():
        pytest.skip("MapServer is not here")
    with MapServerSources() as server:
        yield server


@pytest.fixture
def sources(served, monkeypatch):
    monkeypatch.setattr(client, "_INITIAL_RETRY_DELAY", 0.01)
    served.requests.clear()
    served.fault = None
    return served


@pytest.mark.parametrize("version", ["1.0.0", "1.1.0", "2.0.0"])
def test_features_of_mapserver_are_all_read_or_it_is_said(sources, project, tmp_path, version):
    layer, layout = page_of(project, sources, f"WFS {version}", "EPSG:25830")
    requests, (result, ) = fetched(layout, tmp_path)
    if version == "1.0.0":
        # it counts nothing and takes no place to start at
        assert result.error is None and len(result.read.features) == MOST and result.read.total is None
        assert result.to_trial_request().is_uncounted
        return
    # it counts no more than it sends at once, so that its number is none
    assert result.error is None and len(result.read.features) == FEATURES and result.read.total is None
    names = {one.feature.attribute("name") for one in result.read.features}
    assert len(names) == FEATURES and "0007" in names, "texts stay texts"
    sources.requests.clear()
    with drawn_locally([layout], requests, [result]):
        assert layout_export.EXPORT_FORMATS["png"].write(layout, tmp_path / "ours.png", DPI) == 0
        assert sources.requests == []
    # before WFS 2.0 QGIS 3.22 asks for a single page, and later ones for all of them
    if version == "2.0.0":
        assert layout_export.EXPORT_FORMATS["png"].write(layout, tmp_path / "own.png", DPI) == 0
        assert unlike(tmp_path / "own.png", tmp_path / "ours.png", 64) < 0.001


def test_a_page_of_mapserver_s_features_that_fails_is_refused(sources, project, tmp_path):
    _layer, layout = page_of(project, sources, "WFS 2.0.0")
    for answer in some(("500", "login page with 200", "exception of OWS", "cut XML"), 2):
        sources.fault = ANSWERS[answer]
        sources.strikes = lambda request: re.search(r"STARTINDEX=[1-9]", request["query"]) is not None
        with pytest.raises(IncompleteMap) as refused:
            layout_export.export_layouts([layout], tmp_path / "map.pdf", "pdf", ExportOptions(DPI, attempts=1))
        assert "“WFS 2.0.0”" in str(refused.value) and list(tmp_path.iterdir()) == [], answer


@pytest.mark.parametrize("crs", some(["EPSG:25830", "EPSG:4326"], 2))
def test_a_coverage_of_mapserver_is_fetched_and_judged(sources, project, tmp_path, crs):
    layer, layout = page_of(project, sources, "WCS", crs)
    requests, results = fetched(layout, tmp_path)
    assert [result.error and result.error.detail for result in results] == [None]
    sources.requests.clear()
    with drawn_locally([layout], requests, results) as drawing:
        assert layout_export.EXPORT_FORMATS["png"].write(layout, tmp_path / "ours.png", DPI) == 0
        assert sources.requests == [] and layer.id() in drawing.layers
    assert layout_export.EXPORT_FORMATS["png"].write(layout, tmp_path / "own.png", DPI) == 0
    # the pixels of either lie between those of the other
    assert unlike(tmp_path / "own.png", tmp_path / "ours.png", 90) < 0.35
    for answer in ("500", "login page with 200", "exception of OWS", "cut XML"):
        sources.fault = ANSWERS[answer]
        sources.strikes = lambda request: "REQUEST=GETCOVERAGE" in request["query"].upper()
        with pytest.raises(IncompleteMap) as refused:
            layout_export.export_layouts([layout], tmp_path / "map.pdf", "pdf", ExportOptions(DPI, attempts=1))
        assert "“WCS”" in str(refused.value), answer


def test_a_coverage_above_others_is_said_to_hide_them(sources, project, tmp_path):
    layer, layout = page_of(project, sources, "WCS", "EPSG:25830")
    below = QgsVectorLayer("Point?crs=EPSG:25830", "Below", "memory")
    project.addMapLayer(below)

    def rules(*shown):
        layout.itemById(layout_items.MAP).setLayers(shown)
        return [remark.rule for remark in layout_export.export_pdf(layout, tmp_path / "map.pdf", DPI).remarks]

    assert rules(layer, below) == ["covering"]
    assert "covering" not in rules(below, layer)
    layer.renderer().setOpacity(0.5)
    assert "covering" not in rules(layer, below)


@pytest.mark.parametrize("raises", some([True, False], 2))
def test_a_stamped_page_lacks_a_coverage_of_which_nothing_comes(sources, project, tmp_path, raises):
    """Other plugins may let GDAL raise its errors."""
    _layer, layout = page_of(project, sources, "WCS")
    sources.fault, sources.strikes = ANSWERS["500"], lambda request: "REQUEST=GETCOVERAGE" in request["query"].upper()
    (gdal.UseExceptions if raises else gdal.DontUseExceptions)()
    try:
        done = layout_export.export_layouts([layout], tmp_path / "map.png", "png",
                                            ExportOptions(DPI, attempts=1, stamp_incomplete=True))
    finally:
        gdal.DontUseExceptions()
    assert any("“WCS”" in problem for problem in done.problems) and (tmp_path / "map.png").exists()


def test_a_map_of_which_nothing_comes_shows_neither_what_another_map_shows_nor_what_qgis_requests(sources, project,
                                                                                              tmp_path):
    layer, layout = page_of(project, sources, "WCS", "EPSG:4326")
    inset = add_map(layout, "inset", 110, [layer])
    inset.zoomToExtent(QgsRectangle(WEST, SOUTH, WEST + (EAST - WEST) / 8, SOUTH + (NORTH - SOUTH) / 8))
    main, other = QRect(40, 40, 200, 200), QRect(330, 40, 200, 200)
    requests, sound = fetched(layout, tmp_path)
    largest = max(requests, key=lambda one: one.settings.scale()).folder
    for failed in ({largest}, {one.folder for one in requests}):
        results = [replace(one, error=CartoguideError("It failed.")) if one.request.folder in failed else one
                   for one in sound]
        for one in results:
            if one.error is not None:
                one.path.unlink(missing_ok=True)
        sources.requests.clear()
        with drawn_locally([layout], requests, results):
            assert layout_export.EXPORT_FORMATS["png"].write(layout, tmp_path / "map.png", DPI) == 0
        assert [hatched(tmp_path / "map.png", area) for area in (main, other)] == [True, len(failed) == 2]
        assert sources.requests == []


def altered(body, kind):
    """A piece of a coverage that opens like any other, and is not the one that was asked for."""
    gdal.FileFromMemBuffer("/vsimem/sound.tif", body)
    options = {"without a place": ["-a_ullr", "0", "0", "0", "0"], "with one band": ["-b", "1"],
               "of another type": ["-ot", "Float32"], "of another size": ["-outsize", "50%", "50%"],
               "in another place": ["-a_ullr", "-3.6", "38.4", "-3.5", "38.3"],
               "in another system": ["-a_srs", "EPSG:4258"]}[kind]
    gdal.Translate("/vsimem/altered.tif", "/vsimem/sound.tif", options=["-of", "GTiff", *(
        ["-co", "PROFILE=BASELINE"] if kind == "without a place" else options)])
    data = gdal.VSIFOpenL("/vsimem/altered.tif", "rb")
    try:
        return bytes(gdal.VSIFReadL(1, gdal.VSIStatL("/vsimem/altered.tif").size, data))
    finally:
        gdal.VSIFCloseL(data)
        gdal.Unlink("/vsimem/sound.tif")
        gdal.Unlink("/vsimem/altered.tif")


def pieces_asked(sources):
    return [request["query"] for request in sources.requests if "REQUEST=GETCOVERAGE" in request["query"].upper()]


def test_a_coverage_in_pieces_is_drawn_whole_or_refused(sources, project, tmp_path, monkeypatch):
    _layer, layout = page_of(project, sources, "WCS")
    monkeypatch.setattr(wcs, "_SIDE", 150)
    requests, results = fetched(layout, tmp_path)
    assert [result.error for result in results] == [None] * 2
    sound, second = sources.files["/ms"], pieces_asked(sources)[-1]
    with drawn_locally([layout], requests, results):
        assert layout_export.EXPORT_FORMATS["png"].write(layout, tmp_path / "ours.png", DPI) == 0
    assert layout_export.EXPORT_FORMATS["png"].write(layout, tmp_path / "own.png", DPI) == 0
    assert unlike(tmp_path / "own.png", tmp_path / "ours.png", 90) < 0.35
    for kind in ("without a place", "with one band", "of another type", "of another size", "in another place",
                 "in another system"):
        sources.files["/ms"] = lambda request, kind=kind: (
            altered(sound(request), kind) if request["query"] == second else sound(request))
        try:
            with pytest.raises(IncompleteMap) as refused:
                layout_export.export_layouts([layout], tmp_path / "map.pdf", "pdf", ExportOptions(DPI, attempts=1))
        finally:
            sources.files["/ms"] = sound
        assert "“WCS”" in str(refused.value) and not (tmp_path / "map.pdf").exists(), kind


def test_two_maps_of_a_coverage_at_two_scales_have_their_own_pixels(sources, project, tmp_path):
    layer, layout = page_of(project, sources, "WCS", "EPSG:4326")
    main = layout.itemById(layout_items.MAP)
    inset = add_map(layout, "inset", 110, [layer])
    inset.zoomToExtent(QgsRectangle(WEST, SOUTH, WEST + (EAST - WEST) / 8, SOUTH + (NORTH - SOUTH) / 8))
    written = {}
    for name, others in (("both", ()), ("main", (inset, )), ("inset", (main, ))):
        for item in others:
            item.setVisibility(False)
        (tmp_path / name).mkdir()
        requests, results = fetched(layout, tmp_path / name)
        with drawn_locally([layout], requests, results):
            assert layout_export.EXPORT_FORMATS["png"].write(layout, tmp_path / f"{name}.png", DPI) == 0
        written[name] = QImage(str(tmp_path / f"{name}.png"))
        for item in others:
            item.setVisibility(True)
    middle = (QRect(0, 0, 300, 600), QRect(300, 0, 500, 600))
    for name, part in zip(("main", "inset"), middle):
        assert written["both"].copy(part) == written[name].copy(part), name


@pytest.mark.skipif(not has("pygeoapi", "tinydb"), reason="pygeoapi is not here")
def test_features_of_pygeoapi_are_all_read(project, tmp_path):
    with CatalogueServer("pygeoapi", []) as server:
        server.sources = {"OGC API": ("vector", "OAPIF", f"typename='lugares' url='{server.url}/'")}
        layer, layout = page_of(project, server, "OGC API")
        requests, (result, ) = fetched(layout, tmp_path)
        assert result.error is None and len(result.read.features) == result.read.total > 50, "more than a page"
        with drawn_locally([layout], requests, [result]) as drawing:
            assert drawing.layers[layer.id()].featureCount() == result.read.total
