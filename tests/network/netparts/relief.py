"""The relief image: layered tints, woodland and soft hill shading, as an RGB GeoTIFF with overviews."""

from __future__ import annotations

from typing import List, Tuple

import numpy as np
from osgeo import gdal, ogr, osr

from . import places
from .lattice import gaussian, noise
from .terrain import FINE, Ground, grid_shape

TINTS: List[Tuple[int, str, str]] = [
    (400, "#dce8c4", "< 550 m"),
    (550, "#e6ecca", "550 – 650 m"),
    (650, "#eff0d2", "650 – 750 m"),
    (750, "#f4eccb", "750 – 850 m"),
    (850, "#f0e1b9", "850 – 950 m"),
    (950, "#e8d2a6", "950 – 1050 m"),
    (1050, "#dec297", "> 1050 m"),
]
"""Lower bound in metres, colour, label of the legend."""

WOODLAND = "#a8c78f"


def write_grid(path: str, field: np.ndarray, kind: int, options: List[str]) -> gdal.Dataset:
    """The field (rows × columns, or bands × rows × columns) as a GeoTIFF in EPSG:25830 over the sheet."""
    bands = field if field.ndim == 3 else field[None]
    count, rows, columns = bands.shape
    target = gdal.GetDriverByName("GTiff").Create(path, columns, rows, count, kind, options)
    cell = (places.EAST - places.WEST) / columns
    target.SetGeoTransform((places.WEST, cell, 0.0, places.NORTH, 0.0, -cell))
    reference = osr.SpatialReference()
    reference.ImportFromEPSG(25830)
    target.SetProjection(reference.ExportToWkt())
    for index in range(count):
        target.GetRasterBand(index + 1).WriteArray(bands[index])
    target.FlushCache()
    return target


def write_relief(folder: str, ground: Ground, rng: np.random.Generator) -> np.ndarray:
    """Write dem.tif and relief.tif; return the woodland share (0–1) of every cell of the relief grid."""
    write_grid(
        f"{folder}/dem.tif",
        ground.fine.astype(np.float32),
        gdal.GDT_Float32,
        ["COMPRESS=DEFLATE", "PREDICTOR=3", "TILED=YES"],
    )
    wood = woodland(ground, rng)
    picture = _coloured(ground.fine, wood)
    target = write_grid(
        f"{folder}/relief.tif",
        picture,
        gdal.GDT_Byte,
        ["COMPRESS=DEFLATE", "PREDICTOR=2", "ZLEVEL=4", "TILED=YES", "PHOTOMETRIC=RGB"],
    )
    target.BuildOverviews("AVERAGE", [2, 4, 8, 16])
    return wood


def woodland(ground: Ground, rng: np.random.Generator) -> np.ndarray:
    """How wooded each cell is: shaded and steep ground, and the middle heights, more than the plain."""
    fine = ground.fine
    dy, dx = np.gradient(gaussian(fine, 3.0), FINE)
    shape = grid_shape(FINE)
    north_facing = np.clip(-dy * -1.0, -0.4, 0.4) / 0.4
    slope = np.clip(np.hypot(dx, dy) / 0.35, 0.0, 1.3)
    patches = noise(shape, rng, 110, 1.75, (1.0, 1.2))
    wish = 0.75 * patches + 0.9 * slope + 0.35 * north_facing + np.clip((fine - 600.0) / 220.0, -1.6, 0.9) - 0.75
    return gaussian(np.clip(wish * 1.6, 0.0, 1.0), 1.0)


def _rgb(colour: str) -> np.ndarray:
    return np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)], dtype=float)


def _coloured(fine: np.ndarray, wood: np.ndarray) -> np.ndarray:
    """Bands × rows × columns, bytes."""
    levels = np.array([level for level, _, _ in TINTS], dtype=float)
    levels[0] = 470.0
    colours = np.array([_rgb(colour) for _, colour, _ in TINTS])
    shade = _shading(fine)
    picture = np.empty((3,) + fine.shape, dtype=np.uint8)
    green = _rgb(WOODLAND)
    dark, light = np.array([92.0, 96.0, 118.0]), np.array([255.0, 252.0, 238.0])
    for band in range(3):
        tint = np.interp(fine, levels, colours[:, band])
        tint = tint * (1.0 - 0.62 * wood) + green[band] * 0.62 * wood
        down = np.clip(-shade, 0.0, 1.0)
        up = np.clip(shade, 0.0, 1.0)
        tint = tint * (1.0 - 0.62 * down) + dark[band] * 0.62 * down
        tint = tint * (1.0 - 0.55 * up) + light[band] * 0.55 * up
        picture[band] = np.clip(tint, 0, 255).astype(np.uint8)
    return picture


def _shading(fine: np.ndarray) -> np.ndarray:
    """Hill shading from the north-west, −1 (shadow) … 1 (light), 0 on flat ground."""
    total = np.zeros(fine.shape)
    for sigma, weight, lift in ((0.8, 0.55, 1.0), (4.0, 0.45, 1.5)):
        dy, dx = np.gradient(gaussian(fine.astype(float), sigma), FINE)
        dx, dy = dx * lift, -dy * lift
        norm = np.sqrt(1.0 + dx**2 + dy**2)
        for azimuth, share in ((315.0, 0.7), (350.0, 0.15), (270.0, 0.15)):
            angle = np.radians(azimuth)
            sun = (
                np.sin(angle) * np.cos(np.radians(42)),
                np.cos(angle) * np.cos(np.radians(42)),
                np.sin(np.radians(42)),
            )
            lit = (-dx * sun[0] - dy * sun[1] + sun[2]) / norm
            total += weight * share * (lit - sun[2])
    return np.clip(total * 1.9, -1.0, 1.0)


def write_contours(folder: str, ground: Ground) -> None:
    """Write contours.shp: every 20 m, COTA in metres, MAESTRA 1 for every 100 m."""
    smooth = gaussian(ground.fine.astype(float), 2.6)
    source = write_grid("/vsimem/smooth.tif", smooth.astype(np.float32), gdal.GDT_Float32, [])
    reference = osr.SpatialReference()
    reference.ImportFromEPSG(25830)
    target = ogr.GetDriverByName("ESRI Shapefile").CreateDataSource(f"{folder}/contours.shp")
    layer = target.CreateLayer("contours", reference, ogr.wkbLineString, ["SPATIAL_INDEX=YES"])
    for name in ("ID", "COTA", "MAESTRA"):
        layer.CreateField(ogr.FieldDefn(name, ogr.OFTInteger))
    gdal.ContourGenerate(source.GetRasterBand(1), 20.0, 0.0, [], 0, 0.0, layer, 0, 1)
    layer.ResetReading()
    for feature in layer:
        shape = feature.GetGeometryRef()
        if shape.Length() < 260.0:
            layer.DeleteFeature(feature.GetFID())
            continue
        feature.SetField("MAESTRA", int(feature.GetField("COTA") % 100 == 0))
        layer.SetFeature(feature)
    target.ExecuteSQL("REPACK contours")
    layer = None
    target = None
    source = None
    gdal.Unlink("/vsimem/smooth.tif")
