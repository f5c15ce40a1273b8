"""Levels and parts of a raster: which pixels a snapshot has, and how they are asked for within a service's limits."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import List, Optional, Sequence, Tuple

from .model import CrsBounds, RasterLevel, RasterPart

#: pixels of a tile's side
TILE_SIDE = 256
#: pixels of width and height that one request asks for at most, whatever a service allows
MAX_IMAGE_SIDE = 4096
#: millimetres on paper that are asked for beyond a seam: a label is about so long
GUTTER_MM = 10.0
#: of a small image no more than this share is spent on each gutter
_MAX_GUTTER_SHARE = 8
_MM_PER_INCH = 25.4
#: a tile matrix set is no wider than this: scales without a common measure would ask for more
_MAX_MATRIX_SIDE = 2**26


def raster_levels(area: CrsBounds, scales: Sequence[float], resolution: float,
                  integer_factors: bool = False) -> List[RasterLevel]:
    """The levels for ``scales`` (true denominators), the finest first; ``resolution`` is in map units for each pixel
    and unit of scale.

    ``whole``: each level's pixels are a whole multiple of the finest one's, as a GeoTIFF's overviews must be; the
    scale is then the one that comes of it. ValueError for no scale, or an area without a size.
    """
    west, south, east, north = area
    wanted = sorted({float(scale) for scale in scales})
    if not wanted or not (east > west and north > south) or wanted[0] <= 0 or resolution <= 0:
        raise ValueError(area)
    finest = wanted[0] * resolution
    found: List[RasterLevel] = []
    for scale in wanted:
        factor = scale / wanted[0]
        if integer_factors:
            factor = float(max(1, round(factor)))
        pixel = finest * factor
        level = RasterLevel(wanted[0] * factor, pixel, _pixel_count(east - west, pixel),
                            _pixel_count(north - south, pixel), factor)
        if all(other.factor != level.factor for other in found):
            found.append(level)
    return found


def overview_levels(level: RasterLevel, whole: bool = True) -> List[RasterLevel]:
    """Levels that are made from ``level`` by halving, until one tile or two show all of it: for fast drawing."""
    found: List[RasterLevel] = []
    factor = 2
    while max(level.width, level.height) / factor > TILE_SIDE:
        found.append(
            RasterLevel(level.scale * factor, level.resolution * factor, math.ceil(level.width / factor),
                        math.ceil(level.height / factor), level.factor * factor))
        factor *= 2
    return found


def level_parts(level: RasterLevel, number: int, dpi: float,
                limits: Tuple[Optional[int], Optional[int]] = (None, None)) -> List[RasterPart]:
    """The requests for the level with this number: one where the service's ``limits`` (MaxWidth, MaxHeight) allow it,
    else as few as they do, with a gutter at each seam. Row by row, from the upper left.
    """
    gutter = round(GUTTER_MM / _MM_PER_INCH * dpi)
    columns = _split_side(level.width, min(limits[0] or MAX_IMAGE_SIDE, MAX_IMAGE_SIDE), gutter)
    rows = _split_side(level.height, min(limits[1] or MAX_IMAGE_SIDE, MAX_IMAGE_SIDE), gutter)
    return [
        RasterPart(number, column, row, width, height, (left, top, right, bottom)) for row, height, top, bottom in rows
        for column, width, left, right in columns
    ]


def estimate_part_count(level: RasterLevel, limits: Tuple[Optional[int], Optional[int]] = (None, None)) -> int:
    """About how many requests a level takes, without listing them."""
    across, along = (min(limit or MAX_IMAGE_SIDE, MAX_IMAGE_SIDE) for limit in limits)
    return math.ceil(level.width / across) * math.ceil(level.height / along)


def request_bounds(area: CrsBounds, level: RasterLevel, part: RasterPart) -> CrsBounds:
    """The box of the picture that is asked for, gutters included."""
    left, top, right, bottom = part.gutter
    west, north = area[0] + (part.column - left) * level.resolution, area[3] - (part.row - top) * level.resolution
    width, height = part.request_size
    return west, north - height * level.resolution, west + width * level.resolution, north


def matrix_side(factors: Sequence[float], pixels: int) -> Optional[int]:
    """Pixels of the finest level along one side of the tile matrix set: the least number not below ``pixels`` that is
    whole tiles at every level (OGC 12-128r17, 2.2.7); None where the levels have no sensible common measure.
    """
    spans = [Fraction(factor).limit_denominator(10_000) * TILE_SIDE for factor in factors]
    common = spans[0]
    for span in spans[1:]:
        common = Fraction(math.lcm(common.numerator, span.numerator),
                          math.gcd(common.denominator, span.denominator))
        if common > _MAX_MATRIX_SIDE:
            return None
    side = common * math.ceil(pixels / common)
    return int(side) if side.denominator == 1 and side <= _MAX_MATRIX_SIDE else None


def _pixel_count(length: float, pixel: float) -> int:
    """Whole pixels that cover ``length``; a hair more than a whole number is that number."""
    return max(1, math.ceil(length / pixel - 1e-6))


def _split_side(pixels: int, most: int, gutter: int) -> List[Tuple[int, int, int, int]]:
    """(first pixel, number of pixels, gutter before, gutter behind) of the pieces along one side."""
    if pixels <= most:
        return [(0, pixels, 0, 0)]
    gutter = min(gutter, most // _MAX_GUTTER_SHARE)
    step = most - 2 * gutter
    count = math.ceil(pixels / step)
    even = math.ceil(pixels / count)
    aligned = math.ceil(even / TILE_SIDE) * TILE_SIDE
    # whole tiles are written once; where tiles are larger than the service's pictures they are not
    if aligned <= step:
        step = aligned
    elif step >= TILE_SIDE:
        step = step // TILE_SIDE * TILE_SIDE
    else:
        step = even
    # none on the outside: there a service places its labels as on a live map of this area
    return [(first, min(step, pixels - first), gutter if first else 0, gutter if first + step < pixels else 0)
            for first in range(0, pixels, step)]
