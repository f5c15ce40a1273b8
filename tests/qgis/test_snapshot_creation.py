"""Snapshots of the test network: complete, credited, resumable, and marked while incomplete."""

from __future__ import annotations

import sqlite3
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest
from network import Network
from osgeo import gdal
from qgis.core import QgsProject

from plugin.core.box import Box
from plugin.core.errors import Cancelled, CartoguideError
from plugin.core.records import read
from plugin.core.records.model.record import Constraint, ConstraintGroup
from plugin.core.snapshot.manifest import RasterFormat, check_files, load_manifest
from plugin.gis.network import client
from plugin.gis.runtime import settings, tasks
from plugin.gis.services import service_cache
from plugin.gis.snapshots import snapshot_job
from plugin.gis.snapshots.snapshot_job import IncompleteSnapshot, SnapshotOptions
from tests.qgis.print_maps import known_records, small_map

#: 2 km × 1.5 km in the park, with a road and its labels, facilities, and the park's limit
AREA = Box(455000.0, 4250000.0, 457000.0, 4251500.0)
DPI = 100
SCALES = (10000.0, 25000.0)
FEW = {"guide": ("carreteras",), "facilities": ("miradores",)}
_caches: dict[str, service_cache.ServiceCache] = {}


def order(folder: Path, **changes) -> SnapshotOptions:
    return replace(SnapshotOptions(folder, AREA, SCALES, DPI), **changes)


def work(network, wanted: SnapshotOptions, known=None, **changes):
    """What a task does to take the snapshot."""
    known = known or known_records(network)
    cache = _caches.setdefault(network.url, service_cache.ServiceCache())
    return lambda feedback: snapshot_job.take_snapshot(small_map(network, known, **changes), known, wanted, feedback,
                                                       cache)


def take(network, wanted: SnapshotOptions, **changes):
    return tasks.run_and_wait(work(network, wanted, **changes), 90)


def pixels(made, layer):
    """All bytes of a raster; the sizes of its overviews."""
    data = gdal.Open(made.raster_source(layer))
    band = data.GetRasterBand(1)
    return bytes(data.ReadRaster()), [band.GetOverview(number).XSize for number in range(band.GetOverviewCount())]


def told(made, layer, domain=""):
    return gdal.Open(made.raster_source(layer)).GetMetadata(domain)


def test_a_geopackage_holds_levels_credits_and_the_papers(network, project, tmp_path):
    made = take(network, order(tmp_path / "park"))
    manifest = load_manifest(tmp_path / "park")
    assert manifest == made.manifest and manifest.is_complete and manifest.scales == SCALES
    check_files(tmp_path / "park", manifest)
    assert not (tmp_path / "park" / ".parts").exists()
    assert [layer.name for layer in manifest.layers] == ["limite_parque", "carreteras", "miradores",
                                                         "centros_visitantes"]
    assert network.count("GetMap") == len(manifest.layers) * len(SCALES), "one picture for each layer and scale"
    data, overviews = pixels(made, manifest.layers[1])
    assert len(set(data)) > 20 and overviews[0] == pytest.approx(788 / 2.5, abs=1)
    about = told(made, manifest.layers[1])
    assert "Consejería" in about["CREDIT"] and "libre y gratuito" in about["LICENCE"]
    assert about["DATE"] == manifest.made and "1:25000" in about["SCALES"]
    assert network.endpoints["guide"].rstrip("?") in about["SOURCE"]
    whole = gdal.Open(str(tmp_path / "park" / "rasters.gpkg")).GetMetadata()
    assert whole["CREDIT"].count("Consejería") == 2 and whole["DATE"] == manifest.made
    with sqlite3.connect(tmp_path / "park" / "rasters.gpkg") as inside:
        kept = {row[0] for row in inside.execute("SELECT metadata FROM gpkg_metadata WHERE mime_type LIKE '%xml'")}
        pictures = inside.execute("SELECT count(*) FROM gpkg_metadata WHERE mime_type = 'image/png;base64'").fetchone()
        problems = inside.execute("PRAGMA foreign_key_check").fetchall() + inside.execute(
            "SELECT 1 FROM gpkg_tile_matrix m JOIN gpkg_tile_matrix_set s USING(table_name) WHERE "
            "abs((max_x - min_x) - matrix_width * tile_width * pixel_x_size) > 0.001").fetchall()
    inside.close()
    assert pictures == (4,) and problems == []
    for path in network.records:
        text = path.read_text()
        assert (text in kept) == ("precipitaci" not in text), "the records of the map, as they came"
    assert "Consejería" in (tmp_path / "park" / "CREDITS.txt").read_text()


def test_a_geotiff_is_cloud_optimised_and_says_who_is_to_be_credited(network, project, tmp_path):
    made = take(network, order(tmp_path / "park", raster_format=RasterFormat.COG, scales=(10000.0, 20000.0)))
    roads = made.manifest.layers[1]
    data, overviews = pixels(made, roads)
    assert told(made, roads, "IMAGE_STRUCTURE")["LAYOUT"] == "COG" and len(set(data)) > 20 and overviews[0] == 394
    about = told(made, roads)
    assert "Consejería" in about["TIFFTAG_COPYRIGHT"] and "libre y gratuito" in about["TIFFTAG_COPYRIGHT"]
    assert about["TIFFTAG_DATETIME"].startswith(made.manifest.made[:4])
    # the file alone tells whose it is, in full
    record, = read(about["RECORD_DOCUMENT"].encode())
    assert "Despeñaperros" in record.title and "GetMap" in about["CAPABILITIES_DOCUMENT"]
    assert "libre y gratuito" in about["TERMS_DOCUMENT"]


@pytest.mark.parametrize("raster_format", [RasterFormat.GPKG, RasterFormat.COG])
def test_the_overviews_of_one_scale_show_what_it_shows(network, project, tmp_path, raster_format):
    """They are what QGIS draws at a lower resolution, and nobody notices that they are empty."""
    made = take(network, order(tmp_path / "park", raster_format=raster_format, scales=(5000.0,)), **FEW)
    for layer in made.manifest.layers:
        data = gdal.Open(made.raster_source(layer))
        band = data.GetRasterBand(4)
        visible = band.ReadAsArray().mean()
        overviews = [band.GetOverview(number).ReadAsArray().mean() for number in range(band.GetOverviewCount())]
        assert visible > 0 and overviews == pytest.approx([visible] * len(overviews), rel=0.1) and overviews


def test_small_pictures_put_together_are_the_large_one(project, tmp_path):
    with Network(remember=True) as generous:
        whole = take(generous, order(tmp_path / "whole", scales=(10000.0,)), **FEW)
        assert generous.count("GetMap") == 2
    with Network(max_size=500) as strict:
        pieces = take(strict, order(tmp_path / "pieces", scales=(10000.0,)), **FEW)
        assert strict.count("GetMap") >= 2 * 4
    for one, other in zip(whole.manifest.layers, pieces.manifest.layers):
        first, second = pixels(whole, one)[0], pixels(pieces, other)[0]
        assert len(set(first)) > 10
        different = sum(abs(a - b) > 60 for a, b in zip(first, second)) / len(first)
        assert different < 0.004, one.name


@pytest.mark.parametrize("fault", [{"type": "truncate", "share": 0.5},
                                   {"type": "exception", "code": "NoMemory", "text": "ahora no"}],
                         ids=["half", "exception"])
def test_a_picture_that_fails_once_is_asked_for_again(network, project, tmp_path, fault, monkeypatch):
    monkeypatch.setattr(client, "_INITIAL_RETRY_DELAY", 0.01)
    network.fault({"match": {"request": "GetMap", "layer": "carreteras", "nth": 1}, "action": fault})
    made = take(network, order(tmp_path / "park", scales=(25000.0,)), **FEW)
    assert made.manifest.is_complete and network.count("GetMap") == 3


def test_a_broken_snapshot_names_what_it_lacks_opens_nowhere_and_goes_on(network, project, tmp_path, monkeypatch):
    monkeypatch.setattr(client, "_INITIAL_RETRY_DELAY", 0.01)
    network.fault({"match": {"request": "GetMap", "layer": "miradores"}, "action": {"type": "status", "code": 500}})
    with pytest.raises(IncompleteSnapshot) as broken:
        take(network, order(tmp_path / "park"), **FEW)
    problem, = broken.value.problems
    assert "Miradores" in problem and "Equipamientos" in problem and "500" in problem and "2 of 2" in problem
    manifest = load_manifest(tmp_path / "park")
    assert not manifest.is_complete and manifest.problems == (problem,)
    assert not list((tmp_path / "park").glob("*.gpkg"))
    with pytest.raises(CartoguideError, match="Miradores"):
        snapshot_job.open_snapshot(tmp_path / "park")
    network.reset()
    take(network, order(tmp_path / "park"), **FEW)
    assert network.count("GetMap") == 2, "What was downloaded is kept"
    assert snapshot_job.open_snapshot(tmp_path / "park").manifest.is_complete
    with pytest.raises(CartoguideError, match="already"):
        take(network, order(tmp_path / "park"), **FEW)


@pytest.mark.parametrize("raster_format", [RasterFormat.GPKG, RasterFormat.COG])
def test_a_damaged_raster_is_not_opened_since_qgis_would_draw_what_is_left(network, project, tmp_path, raster_format):
    folder = tmp_path / "park"
    manifest = take(network, order(folder, raster_format=raster_format), **FEW).manifest
    raster = folder / manifest.layers[0].file
    if raster_format is RasterFormat.COG:
        raster.write_bytes(raster.read_bytes()[:raster.stat().st_size * 6 // 10])
    else:
        with sqlite3.connect(raster) as damaged:
            assert damaged.execute(f"DELETE FROM {manifest.layers[0].table} WHERE id % 2 = 0").rowcount
        damaged.close()
    with pytest.raises(CartoguideError, match=f"{raster.name} is not the file"):
        snapshot_job.open_snapshot(folder)


def test_a_dead_server_is_left_alone_after_a_few_requests(network, project, tmp_path, monkeypatch):
    monkeypatch.setattr(client, "_INITIAL_RETRY_DELAY", 0.01)
    network.fault({"match": {"request": "GetMap"}, "action": {"type": "status", "code": 500}})
    settings.set("parallel_requests", 1)
    # more than are under way at a time before the first of them has failed
    scales = tuple(5000.0 * number for number in range(1, 11))
    with pytest.raises(IncompleteSnapshot) as broken:
        take(network, order(tmp_path / "park", scales=scales))
    assert len(broken.value.problems) == 4 and all("10 of 10" in problem for problem in broken.value.problems)
    assert network.count("GetMap") < 4 * len(scales) * client.IMAGE_ATTEMPTS


def test_cancelling_returns_at_once_and_what_came_is_kept(network, project, tmp_path, wait_until):
    network.fault({"match": {"request": "GetMap", "layer": "miradores"}, "action": {"type": "hang", "seconds": 60}})
    run = work(network, order(tmp_path / "park", scales=(25000.0,)), **FEW)
    ends: list[object] = []
    cancelled = threading.Event()
    moments: dict[str, float] = {}

    def watched(feedback):
        def wait():
            cancelled.wait(60)
            moments["cancel"] = time.monotonic()
            feedback.cancel()

        threading.Thread(target=wait, daemon=True).start()
        try:
            return run(feedback)
        except Cancelled:
            moments["end"] = time.monotonic()
            raise

    tasks.start("test", watched, ends.append, ends.append)
    parts = tmp_path / "park" / ".parts"
    wait_until(lambda: len(list(parts.glob("*.part"))) == 1)
    cancelled.set()
    wait_until(lambda: "end" in moments)
    # the server is silent for a minute; that it takes a fifth of a second is a figure of the benchmarks
    assert moments["end"] - moments["cancel"] < 20
    assert not load_manifest(tmp_path / "park").is_complete
    wait_until(lambda: len(ends) == 1)
    network.reset()
    take(network, order(tmp_path / "park", scales=(25000.0,)), **FEW)
    assert network.count("GetMap") == 1


def test_terms_and_limits_are_looked_at_before_anything_is_asked(network, project, tmp_path):
    known = known_records(network)
    ban = Constraint("Se prohíbe almacenar copias.")
    record = known[network.endpoints["facilities"]]
    known[network.endpoints["facilities"]] = replace(record, other_constraints=(ban,), constraint_groups=(
        ConstraintGroup("legal", use_constraints=("otherRestrictions",), other_constraints=(ban,)),))
    with pytest.raises(CartoguideError, match="prohíbe almacenar") as refused:
        take(network, order(tmp_path / "park"), known=known)
    assert "Equipamientos" in refused.value.user_text and network.count("GetMap") == 0
    settings.set("snapshot_requests", 7)
    with pytest.raises(CartoguideError, match="8 request"):
        take(network, order(tmp_path / "park"))
    assert network.count("GetMap") == 0 and not (tmp_path / "park").exists()


def test_other_peoples_files_are_left_alone(network, project, tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(CartoguideError, match="other files"):
        take(network, order(tmp_path, scales=(25000.0,)))
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
    assert QgsProject.instance().mapLayers() == {}
