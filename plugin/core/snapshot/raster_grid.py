"""Levels and parts of a raster: the pixels of a snapshot, and the requests for them within a service's limits."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import List, Optional, Sequence, Tuple

from ..box import Box
from ..custommap.planner import supports_transparency
from ..sources.layer_source import WmsSource
from ..wms.model.service import Service
from ..wms.requests.get_map import MapOptions, map_request
from ..wms.requests.urls import encode_parameter
from .manifest import RasterLevel, RasterPart

#: side of a tile in pixels
TILE_SIDE = 256
#: largest width and height of a request in pixels, whatever a service allows
MAX_IMAGE_SIDE = 4096
#: millimetres on paper requested beyond a seam: about the length of a label
GUTTER_MM = 10.0
#: a gutter is at most one part in so many of an image's side
_MAX_GUTTER_SHARE = 8
_MM_PER_INCH = 25.4
#: largest side of a tile matrix set in pixels: scales without a common measure would need more
_MAX_MATRIX_SIDE = 2**26


def raster_levels(area: Box, scales: Sequence[float], resolution: float,
                  integer_factors: bool = False) -> List[RasterLevel]:
    """Return the levels for ``scales`` (true denominators), the finest first.

    ``resolution`` is in map units per pixel and unit of scale. With ``integer_factors`` the pixel size of each level is
    a multiple of the finest one's, as a GeoTIFF's overviews must be, and its scale follows from that. Raises ValueError
    without scales, or for an area without a size.
    """
    denominators = sorted({float(scale) for scale in scales})
    if not denominators or not area.has_area or denominators[0] <= 0 or resolution <= 0:
        raise ValueError(area)
    finest = denominators[0] * resolution
    levels: List[RasterLevel] = []
    for scale in denominators:
        factor = scale / denominators[0]
        if integer_factors:
            factor = float(max(1, round(factor)))
        pixel = finest * factor
        level = RasterLevel(denominators[0] * factor, pixel, _pixel_count(area.width, pixel),
                            _pixel_count(area.height, pixel), factor)
        if all(other.factor != level.factor for other in levels):
            levels.append(level)
    return levels


def overview_levels(level: RasterLevel) -> List[RasterLevel]:
    """Return the levels made from ``level`` by halving, until one or two tiles show all of it."""
    overviews: List[RasterLevel] = []
    factor = 2
    while max(level.width, level.height) / factor > TILE_SIDE:
        overviews.append(
            RasterLevel(level.scale * factor, level.resolution * factor, math.ceil(level.width / factor),
                        math.ceil(level.height / factor), level.factor * factor))
        factor *= 2
    return overviews


def level_parts(level: RasterLevel, number: int, dpi: float,
                limits: Tuple[Optional[int], Optional[int]] = (None, None)) -> List[RasterPart]:
    """Return the requests for a level, row by row from the upper left.

    It is one request where the service's ``limits`` (MaxWidth, MaxHeight) allow it, else as few as possible, with a
    gutter at each seam. ``number`` is the number of the level.
    """
    gutter = round(GUTTER_MM / _MM_PER_INCH * dpi)
    columns = _split_side(level.width, min(limits[0] or MAX_IMAGE_SIDE, MAX_IMAGE_SIDE), gutter)
    rows = _split_side(level.height, min(limits[1] or MAX_IMAGE_SIDE, MAX_IMAGE_SIDE), gutter)
    return [
        RasterPart(number, column, row, width, height, (left, top, right, bottom)) for row, height, top, bottom in rows
        for column, width, left, right in columns
    ]


def estimate_part_count(level: RasterLevel, limits: Tuple[Optional[int], Optional[int]] = (None, None)) -> int:
    """Return the approximate number of requests for a level."""
    across, along = (min(limit or MAX_IMAGE_SIDE, MAX_IMAGE_SIDE) for limit in limits)
    return math.ceil(level.width / across) * math.ceil(level.height / along)


def request_bounds(area: Box, level: RasterLevel, part: RasterPart) -> Box:
    """Return the bounds of the requested image, gutters included."""
    left, top, right, bottom = part.gutter
    west, north = area.west + (part.column - left) * level.resolution, area.north - (part.row - top) * level.resolution
    width, height = part.request_size
    return Box(west, north - height * level.resolution, west + width * level.resolution, north)


def matrix_side(factors: Sequence[float], pixels: int) -> Optional[int]:
    """Return the pixels of the finest level along one side of the tile matrix set.

    It is the smallest number from ``pixels`` on that makes whole tiles at every level (OGC 12-128r17, 2.2.7). None
    where the levels have no reasonable common measure.
    """
    spans = [Fraction(factor).limit_denominator(10_000) * TILE_SIDE for factor in factors]
    common = spans[0]
    for span in spans[1:]:
        common = Fraction(math.lcm(common.numerator, span.numerator), math.gcd(common.denominator, span.denominator))
        if common > _MAX_MATRIX_SIDE:
            return None
    side = common * math.ceil(pixels / common)
    return int(side) if side.denominator == 1 and side <= _MAX_MATRIX_SIDE else None


def _pixel_count(length: float, pixel: float) -> int:
    """Return the whole pixels that cover ``length``. Rounding errors do not add a pixel."""
    return max(1, math.ceil(length / pixel - 1e-6))


def _split_side(pixels: int, max_pixels: int, gutter: int) -> List[Tuple[int, int, int, int]]:
    """Return (first pixel, number of pixels, gutter before, gutter after) of the pieces along one side."""
    if pixels <= max_pixels:
        return [(0, pixels, 0, 0)]
    gutter = min(gutter, max_pixels // _MAX_GUTTER_SHARE)
    step = max_pixels - 2 * gutter
    count = math.ceil(pixels / step)
    even = math.ceil(pixels / count)
    aligned = math.ceil(even / TILE_SIDE) * TILE_SIDE
    # aligned parts write each tile once, which is impossible where images are smaller than a tile
    if aligned <= step:
        step = aligned
    elif step >= TILE_SIDE:
        step = step // TILE_SIDE * TILE_SIDE
    else:
        step = even
    # no gutter on the outside, so that labels are placed as on a live map of this area
    return [(first, min(step, pixels - first), gutter if first else 0, gutter if first + step < pixels else 0)
            for first in range(0, pixels, step)]


def part_request_url(source: WmsSource, moment: str, service: Service, area: Box,
                     level: RasterLevel, part: RasterPart, dpi: int) -> str:
    """Return the URL of the image of ``part`` at a moment, gutters included, as QGIS itself requests it.

    ``area`` is in the layer's CRS, x to the east. The resolution is sent as QGIS does for the three servers that
    support it (dpiMode 7): DPI, MAP_RESOLUTION, FORMAT_OPTIONS. Raises InvalidRequest where the capabilities do not
    allow the request.
    """
    width, height = part.request_size
    time_value = {"TIME": moment} if source.time_extent and moment else {}
    options = MapOptions((source.name, ), source.crs, width, height, native_bbox=request_bounds(area, level, part),
                         styles=(source.style, ), format=source.format, transparent=supports_transparency(
                             source.format) or None, dimensions={**dict(source.dimension_values), **time_value})
    request = map_request(service, options, address=source.address if source.ignore_operation_addresses else "")
    resolution = {"DPI": str(dpi), "MAP_RESOLUTION": str(dpi), "FORMAT_OPTIONS": f"dpi:{dpi}"}
    return "&".join([request.url, *(encode_parameter(name, value) for name, value in resolution.items())])
