"""The generated data of the test network: complete, plausible, with the reference point where it should be."""

from __future__ import annotations

import os
import subprocess
import sys

import make_data
import pytest
from network import HERE, REFERENCE
from osgeo import gdal, ogr


@pytest.fixture(scope="module")
def data(network_for_session):
    from serve import data_root

    return make_data.ensure(data_root())


def rows(data, name):
    source = ogr.Open(str(data / f"{name}.shp"))
    return [(feature.GetGeometryRef().Clone(), feature.items()) for feature in source.GetLayer()]


def test_there_are_many_facilities_of_many_kinds(data):
    facilities = rows(data, "facilities")
    kinds = {values["CAPA"] for _, values in facilities}
    assert len(facilities) >= 200 and len(kinds) >= 8
    codes = [values["CODIGO"] for _, values in facilities]
    assert len(codes) == len(set(codes))
    assert all(
        values[name] for _, values in facilities for name in ("NOMBRE", "TIPO", "MUNICIPIO", "TELEFONO", "ACCESIBLE")
    )


def test_the_reference_facility_is_where_it_is_said_to_be(data):
    [(point, values)] = [row for row in rows(data, "facilities") if row[1]["CODIGO"] == REFERENCE["code"]]
    assert (point.GetX(), point.GetY()) == (REFERENCE["x"], REFERENCE["y"]) and values["CAPA"] == REFERENCE["layer"]


def test_stations_have_a_month_of_plausible_rain(data):
    stations = rows(data, "stations")
    assert len(stations) >= 120
    totals = [sum(values[f"P{day:02d}"] for _, values in stations) / len(stations) for day in range(1, 31)]
    assert max(totals) < 60 and sum(total < 0.1 for total in totals) >= 12 and sum(total > 2 for total in totals) >= 5
    assert all(0 <= values[f"P{day:02d}"] < 100 for _, values in stations for day in range(1, 31))


def test_streams_run_downhill(data):
    ground = gdal.Open(str(data / "dem.tif"))
    west, cell, _, north, _, _ = ground.GetGeoTransform()
    height = ground.ReadAsArray()

    def at(x, y):
        row, column = int((north - y) / cell), int((x - west) / cell)
        return height[min(max(row, 0), height.shape[0] - 1), min(max(column, 0), height.shape[1] - 1)]

    drops = [
        at(*line.GetPoint_2D(0)) - at(*line.GetPoint_2D(line.GetPointCount() - 1)) for line, _ in rows(data, "rivers")
    ]
    assert len(drops) > 50 and sum(drop > 0 for drop in drops) / len(drops) > 0.95


def test_serve_runs_from_anywhere_and_says_where(data, tmp_path):
    process = subprocess.Popen(
        [sys.executable, str(HERE / "serve.py"), "--node", "AQUI"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ},
    )
    try:
        url, profile = process.stdout.readline().strip(), process.stdout.readline().strip()
        assert url.startswith("http://127.0.0.1:") and os.path.isfile(profile)
    finally:
        process.terminate()
        process.wait(10)
        process.stdout.close()
    assert not os.path.exists(profile), "what it made for itself is gone"
