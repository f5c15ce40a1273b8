"""Automatic weather stations and their daily total precipitation of June 2016 (invented, seeded)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Dict, List, Sequence, Tuple

import numpy as np
from osgeo import gdal, osr

from . import places
from .facilities import lonlat_to_grid
from .lattice import curved
from .setting import inside

Point = Tuple[float, float]

DAYS = 30
SCALE = 3.0
"""Surfaces are of whole numbers up to 255: millimetres times this."""

REACH = 60000.0
"""Metres to which a station counts."""

GRIDS = {"region": (100000, 3975000, 622000, 4290000, 250), "park": (432000, 4228000, 478000, 4270000, 25)}
"""The surfaces' west, south, east and north in EPSG:25830 and metres of a cell, finer where maps are of large scale."""

OUTLINE: List[Point] = [
    (-7.40, 37.18),
    (-7.52, 37.55),
    (-7.25, 37.98),
    (-7.00, 38.02),
    (-6.93, 38.20),
    (-6.55, 38.02),
    (-6.18, 37.94),
    (-5.98, 38.00),
    (-5.88, 38.14),
    (-5.58, 38.13),
    (-5.50, 38.30),
    (-5.57, 38.45),
    (-5.05, 38.68),
    (-4.85, 38.68),
    (-4.50, 38.53),
    (-4.28, 38.35),
    (-4.02, 38.38),
    (-3.72, 38.44),
    (-3.55, 38.475),
    (-3.40, 38.48),
    (-3.05, 38.47),
    (-2.93, 38.42),
    (-2.75, 38.53),
    (-2.55, 38.40),
    (-2.48, 38.15),
    (-2.60, 38.03),
    (-2.35, 37.97),
    (-2.20, 37.90),
    (-2.00, 37.67),
    (-1.98, 37.45),
    (-1.72, 37.42),
    (-1.64, 37.37),
    (-1.83, 37.16),
    (-1.93, 36.93),
    (-2.12, 36.74),
    (-2.32, 36.83),
    (-2.62, 36.70),
    (-2.78, 36.69),
    (-2.94, 36.75),
    (-3.38, 36.70),
    (-3.75, 36.73),
    (-4.30, 36.70),
    (-4.45, 36.64),
    (-4.62, 36.50),
    (-4.95, 36.49),
    (-5.20, 36.35),
    (-5.36, 36.15),
    (-5.61, 36.01),
    (-5.92, 36.18),
    (-6.14, 36.29),
    (-6.23, 36.46),
    (-6.38, 36.64),
    (-6.44, 36.75),
    (-6.35, 36.80),
    (-6.55, 36.98),
    (-6.95, 37.16),
]
"""Andalusia, longitude and latitude, roughly: where stations are."""

WET = {
    1: (0.15, 7, 3.0),
    2: (0.45, 13, 3.0),
    3: (0.8, 6, 2.5),
    9: (0.6, 8, 1.5),
    10: (0.35, 20, 2.5),
    11: (0.7, 6, 2.5),
    15: (0.05, 15, 3.0),
    16: (0.35, 34, 3.2),
    17: (0.7, 21, 3.0),
    18: (0.98, 6, 2.5),
    26: (0.7, 12, 0.0),
    27: (0.85, 9, 0.0),
    29: (0.2, 3, 2.0),
}
"""Day: where the front stands (0 west … 1 east), mm at its core, half its width (tenths of the region; 0: storms)."""

STATION_WORDS = ["Embalse", "Finca", "Cortijo", "Aeródromo", "Vega", "Sierra", "Puerto", "Observatorio", "CFO", "Presa"]


def outline(rng: np.random.Generator) -> List[Point]:
    """The region's outline in EPSG:25830, roughened."""
    ring = [lonlat_to_grid(*point) for point in OUTLINE]
    for amount in (0.16, 0.13, 0.10):
        rough: List[Point] = []
        for (x1, y1), (x2, y2) in zip(ring, ring[1:] + ring[:1]):
            shift = rng.normal(0, amount)
            rough += [(x1, y1), ((x1 + x2) / 2 - shift * (y2 - y1), (y1 + y2) / 2 + shift * (x2 - x1))]
        ring = rough
    return curved(ring, 1, closed=True)


def region() -> List[Point]:
    """The region's boundary in EPSG:25830: a service's data end where the region does."""
    path = Path(__file__).resolve().parents[3] / "resources" / "outline" / "land.geojson"
    features = json.loads(path.read_text(encoding="utf-8"))["features"]
    shape = next(one["geometry"] for one in features if one["properties"]["kind"] == "region")
    return [lonlat_to_grid(*point) for point in shape["coordinates"][0][:-1]]


def make_stations(ring: Sequence[Point], rng: np.random.Generator) -> List[Tuple[Point, Dict[str, Any]]]:
    """At least 150 stations with P01…P30 (mm, one decimal)."""
    spots = _spots(list(ring), rng)
    values = _daily(np.asarray(spots), rng)
    out = []
    for index, (spot, row) in enumerate(zip(spots, values)):
        attributes: Dict[str, Any] = {
            "CODIGO": f"EMA{index + 1:03d}",
            "NOMBRE": f"{STATION_WORDS[index % len(STATION_WORDS)]} {index + 1:03d}",
        }
        for day in range(DAYS):
            attributes[f"P{day + 1:02d}"] = float(row[day])
        out.append((spot, attributes))
    return out


def write_surfaces(folder: str, stations: Sequence[Tuple[Point, Dict[str, Any]]]) -> None:
    """Write rain_01.vrt … rain_30.vrt and their grids, interpolated by inverse distance.

    They are files because MapServer interpolates from the stations within each image: a day would be another one on
    each paper.
    """
    spots = np.array([spot for spot, _ in stations])
    values = np.array([[row[f"P{day + 1:02d}"] for day in range(DAYS)] for _, row in stations]) * SCALE
    for name, grid in GRIDS.items():
        for day, surface in enumerate(_surfaces(spots, values, *grid)):
            _write_surface(f"{folder}/rain_{day + 1:02d}_{name}.tif", surface, grid)
    for day in range(1, DAYS + 1):
        # the last one lies on top
        grids = [f"{folder}/rain_{day:02d}_{name}.tif" for name in GRIDS]
        gdal.BuildVRT(f"{folder}/rain_{day:02d}.vrt", grids, resolution="highest").FlushCache()


def _surfaces(spots: np.ndarray, values: np.ndarray, west: int, south: int, east: int, north: int,
              cell: int) -> np.ndarray:
    """Days × rows × columns of whole numbers, with Shepard's weights of the stations within REACH."""
    columns, rows = (east - west) // cell, (north - south) // cell
    x = west + (np.arange(columns) + 0.5) * cell
    surfaces = np.zeros((values.shape[1], rows, columns), dtype=np.uint8)
    for row in range(rows):
        y = north - (row + 0.5) * cell
        near = (abs(spots[:, 1] - y) < REACH) & (spots[:, 0] > west - REACH) & (spots[:, 0] < east + REACH)
        distance = np.maximum(1.0, np.hypot(x[:, None] - spots[near, 0], y - spots[near, 1]))
        weight = (np.maximum(0.0, REACH - distance) / distance) ** 2
        mean = weight @ values[near] / np.maximum(weight.sum(axis=1), 1e-9)[:, None]
        surfaces[:, row] = np.clip(np.floor(mean), 0, 254).T
    return surfaces


def _write_surface(path: str, surface: np.ndarray, grid: Tuple[int, int, int, int, int]) -> None:
    west, _south, _east, north, cell = grid
    rows, columns = surface.shape
    options = ["COMPRESS=DEFLATE", "PREDICTOR=2", "TILED=YES"]
    target = gdal.GetDriverByName("GTiff").Create(path, columns, rows, 1, gdal.GDT_Byte, options)
    target.SetGeoTransform((west, cell, 0.0, north, 0.0, -cell))
    reference = osr.SpatialReference()
    reference.ImportFromEPSG(25830)
    target.SetProjection(reference.ExportToWkt())
    target.GetRasterBand(1).WriteArray(surface)
    target.FlushCache()


def _spots(ring: List[Point], rng: np.random.Generator) -> List[Point]:
    """Spread over the region, a few more in the park's district."""
    xs, ys = [p[0] for p in ring], [p[1] for p in ring]
    spots: List[Point] = []
    for count, box, gap in (
        (160, (min(xs), min(ys), max(xs), max(ys)), 15500.0),
        (10, (places.WEST, places.SOUTH, places.EAST, places.NORTH), 5200.0),
    ):
        tries = 0
        target = len(spots) + count
        while len(spots) < target and tries < 9000:
            tries += 1
            spot = (float(rng.uniform(box[0], box[2])), float(rng.uniform(box[1], box[3])))
            if count > 50 and not inside(spot, ring):
                continue
            if all(np.hypot(spot[0] - x, spot[1] - y) > gap for x, y in spots[(0 if count > 50 else -count) :]):
                spots.append(spot)
    return spots


def _daily(spots: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Stations × days, mm: a band for each front, more on the hills, storms as cells, then dry days."""
    west, south, east, north = 100000.0, 3980000.0, 622000.0, 4285000.0
    u = (spots[:, 0] - west) / (east - west)
    v = (spots[:, 1] - south) / (north - south)
    hills = (
        1.0
        + 0.9 * np.exp(-((u - 0.31) ** 2 + (v - 0.22) ** 2) / 0.006)
        + 0.5 * np.exp(-((v - 0.88) ** 2) / 0.02)
        + 0.6 * np.exp(-((u - 0.78) ** 2 + (v - 0.7) ** 2) / 0.015)
    )
    table = np.zeros((len(spots), DAYS))
    for day in range(1, DAYS + 1):
        if day not in WET:
            table[:, day - 1] = np.where(rng.uniform(size=len(spots)) < 0.02, 0.2, 0.0)
            continue
        place, core, width = WET[day]
        tilt = rng.uniform(-0.35, 0.35)
        band = np.exp(-0.5 * ((u - place + tilt * (v - 0.5)) / (width / 20.0)) ** 2) if width else np.zeros(len(spots))
        for _ in range(3 if width else 8):
            cu, cv, size = rng.uniform(0, 1), rng.uniform(0, 1), rng.uniform(0.04, 0.09)
            band += rng.uniform(0.3, 1.0) * np.exp(-0.5 * ((u - cu) ** 2 + ((v - cv) * 0.6) ** 2) / size**2)
        rain = core * band * hills * rng.gamma(25.0, 1 / 25.0, len(spots))
        table[:, day - 1] = np.round(np.where(rain < 0.4, 0.0, np.minimum(rain, 78.0)), 1)
    return table
