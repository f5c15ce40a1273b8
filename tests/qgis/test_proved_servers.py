"""Features and coverages of real servers (MapServer, pygeoapi): counted, read, compared, drawn, or refused."""

from __future__ import annotations

import re

import pytest
from catalogue_servers import CatalogueServer, has
from map_server_sources import MOST, MapServerSources, available
from source_server import FEATURES
from wire_faults import ANSWERS

from plugin.gis.export import layout_export
from plugin.gis.export.export_transaction import ExportOptions
from plugin.gis.network import client
from plugin.gis.pages.completeness_checks import IncompleteMap
from plugin.gis.pixels.raster import drawn_locally
from tests.qgis.test_pixels import unlike
from tests.qgis.test_proved_files import fetched, page_of

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
    assert layout_export.EXPORT_FORMATS["png"].write(layout, tmp_path / "own.png", DPI) == 0
    # before WFS 2.0 QGIS 3.22 asks for a single page, and later ones for all of them
    assert unlike(tmp_path / "own.png", tmp_path / "ours.png", 64) < 0.001 or version == "1.1.0"


def test_a_page_of_mapserver_s_features_that_fails_is_refused(sources, project, tmp_path):
    _layer, layout = page_of(project, sources, "WFS 2.0.0")
    for answer in ("500", "login page with 200", "exception of OWS", "cut XML"):
        sources.fault = ANSWERS[answer]
        sources.strikes = lambda request: re.search(r"STARTINDEX=[1-9]", request["query"]) is not None
        with pytest.raises(IncompleteMap) as refused:
            layout_export.export_layouts([layout], tmp_path / "map.pdf", "pdf", ExportOptions(DPI, attempts=1))
        assert "“WFS 2.0.0”" in str(refused.value) and list(tmp_path.iterdir()) == [], answer


@pytest.mark.parametrize("crs", ["EPSG:4326", "EPSG:25830"])
def test_a_coverage_of_mapserver_is_fetched_and_judged(sources, project, tmp_path, crs):
    layer, layout = page_of(project, sources, "WCS", crs)
    requests, results = fetched(layout, tmp_path)
    assert [result.error for result in results] == [None]
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


@pytest.mark.skipif(not has("pygeoapi", "tinydb"), reason="pygeoapi is not here")
def test_features_of_pygeoapi_are_all_read(project, tmp_path):
    with CatalogueServer("pygeoapi", []) as server:
        server.sources = {"OGC API": ("vector", "OAPIF", f"typename='lugares' url='{server.url}/'")}
        layer, layout = page_of(project, server, "OGC API")
        requests, (result, ) = fetched(layout, tmp_path)
        assert result.error is None and len(result.read.features) == result.read.total > 50, "more than a page"
        with drawn_locally([layout], requests, [result]) as drawing:
            assert drawing.layers[layer.id()].featureCount() == result.read.total
