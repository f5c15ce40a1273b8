"""Levels and parts of a raster: which pixels a snapshot has, and how they are asked for within a service's limits."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import List, Optional, Sequence, Tuple

from .model import Box, Level, Part

#: pixels of a tile's side
TILE = 256
#: pixels of width and height that one request asks for at most, whatever a service allows
ONE_IMAGE = 4096
#: millimetres on paper that are asked for beyond a seam: a label is about so long
GUTTER = 10.0
#: of a small image no more than this share is spent on each gutter
_SHARE = 8
_MM = 25.4
#: a tile matrix set is no wider than this: scales without a common measure would ask for more
_WIDEST = 2**26


def levels(area: Box, scales: Sequence[float], resolution: float, whole: bool = False) -> List[Level]:
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
    found: List[Level] = []
    for scale in wanted:
        factor = scale / wanted[0]
        if whole:
            factor = float(max(1, round(factor)))
        pixel = finest * factor
        level = Level(wanted[0] * factor, pixel, _pixels(east - west, pixel), _pixels(north - south, pixel), factor)
        if all(other.factor != level.factor for other in found):
            found.append(level)
    return found


def coarser(level: Level, whole: bool = True) -> List[Level]:
    """Levels that are made from ``level`` by halving, until one tile or two show all of it: for fast drawing."""
    found: List[Level] = []
    factor = 2
    while max(level.width, level.height) / factor > TILE:
        found.append(Level(level.scale * factor, level.resolution * factor, math.ceil(level.width / factor),
                           math.ceil(level.height / factor), level.factor * factor))
        factor *= 2
    return found


def parts(level: Level, number: int, dpi: float, limits: Tuple[Optional[int], Optional[int]] = (None, None)
          ) -> List[Part]:
    """The requests for the level with this number: one where the service's ``limits`` (MaxWidth, MaxHeight) allow it,
    else as few as they do, with a gutter at each seam. Row by row, from the upper left.
    """
    gutter = round(GUTTER / _MM * dpi)
    columns = _cut(level.width, min(limits[0] or ONE_IMAGE, ONE_IMAGE), gutter)
    rows = _cut(level.height, min(limits[1] or ONE_IMAGE, ONE_IMAGE), gutter)
    return [Part(number, column, row, width, height, (left, top, right, bottom))
            for row, height, top, bottom in rows for column, width, left, right in columns]


def count(level: Level, limits: Tuple[Optional[int], Optional[int]] = (None, None)) -> int:
    """About how many requests a level takes, without listing them."""
    across, along = (min(limit or ONE_IMAGE, ONE_IMAGE) for limit in limits)
    return math.ceil(level.width / across) * math.ceil(level.height / along)


def asked_box(area: Box, level: Level, part: Part) -> Box:
    """The box of the picture that is asked for, gutters included."""
    left, top, right, bottom = part.gutter
    west, north = area[0] + (part.column - left) * level.resolution, area[3] - (part.row - top) * level.resolution
    width, height = part.asked
    return west, north - height * level.resolution, west + width * level.resolution, north


def matrix_side(factors: Sequence[float], pixels: int) -> Optional[int]:
    """Pixels of the finest level along one side of the tile matrix set: the least number not below ``pixels`` that is
    whole tiles at every level (OGC 12-128r17, 2.2.7); None where the levels have no sensible common measure.
    """
    spans = [Fraction(factor).limit_denominator(10_000) * TILE for factor in factors]
    common = spans[0]
    for span in spans[1:]:
        common = Fraction(math.lcm(common.numerator, span.numerator),
                          math.gcd(common.denominator, span.denominator))
        if common > _WIDEST:
            return None
    side = common * math.ceil(pixels / common)
    return int(side) if side.denominator == 1 and side <= _WIDEST else None


def _pixels(length: float, pixel: float) -> int:
    """Whole pixels that cover ``length``; a hair more than a whole number is that number."""
    return max(1, math.ceil(length / pixel - 1e-6))


def _cut(pixels: int, most: int, gutter: int) -> List[Tuple[int, int, int, int]]:
    """(first pixel, number of pixels, gutter before, gutter behind) of the pieces along one side."""
    if pixels <= most:
        return [(0, pixels, 0, 0)]
    gutter = min(gutter, most // _SHARE)
    step = most - 2 * gutter
    count = math.ceil(pixels / step)
    even = math.ceil(pixels / count)
    aligned = math.ceil(even / TILE) * TILE
    # whole tiles are written once; where tiles are larger than the service's pictures they are not
    if aligned <= step:
        step = aligned
    elif step >= TILE:
        step = step // TILE * TILE
    else:
        step = even
    # none on the outside: there a service places its labels as on a live map of this area
    return [(first, min(step, pixels - first), gutter if first else 0, gutter if first + step < pixels else 0)
            for first in range(0, pixels, step)]
