"""Extents from two corners or positions, with the axis order of the CRS they name (OGC 06-121r9 clause 10.2)."""

from __future__ import annotations

import math
import re
from typing import List, Optional, Sequence

from ...box import Box
from .record import Extent

#: names of geographic CRSs whose first axis is latitude (EPSG:4326, urn:ogc:def:crs:EPSG::4258 …)
_LATITUDE_FIRST = re.compile(r"(?:EPSG)[:/]+(?:[\d.]*[:/])?(?:4326|4258|4230|4269|4267|4937|4979|4171)$", re.IGNORECASE)
#: name of the data's CRS in GeoNetwork's Dublin Core, whose corners are "east south" and "west north" in degrees
_EAST_SOUTH_CRS = re.compile(r"urn:ogc:def:crs:(?::|EPSG:)", re.IGNORECASE)
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_EPSG_CODE = re.compile(r"EPSG[:/]+(?:[\d.]*[:/])?(\d+)$", re.IGNORECASE)


def parse_numbers(text: str) -> List[float]:
    """Return the numbers in a text such as ``"38.3 -3.6"`` or ``"38.3,-3.6"``, or an empty list if it has other
    content.
    """
    parts = [part for part in re.split(r"[\s,;]+", text.strip()) if part]
    if not all(_NUMBER.fullmatch(part) for part in parts):
        return []
    return [float(part) for part in parts]


def extent_from_corners(lower: Sequence[float], upper: Sequence[float], crs: Optional[str] = None) -> Optional[Extent]:
    """Return the extent in degrees, or None if the CRS is not geographic or the numbers are not degrees.

    The corners are in the axis order of ``crs``, longitude first if it is None. The other order is used if only that
    one gives a valid extent, because the writer swapped the axes.
    """
    if len(lower) < 2 or len(upper) < 2:
        return None
    east_south = Extent(west=upper[0], east=lower[0], south=lower[1], north=upper[1])
    if crs and lower[0] > upper[0] and _EAST_SOUTH_CRS.match(crs.strip()) and _is_plausible(east_south):
        return east_south
    latitude_first = bool(crs and _LATITUDE_FIRST.search(crs.strip()))
    projected = bool(crs and _EPSG_CODE.search(crs.strip()) and not latitude_first)
    if projected:
        return None
    by_latitude = Extent(west=lower[1], east=upper[1], south=lower[0], north=upper[0])
    by_longitude = Extent(west=lower[0], east=upper[0], south=lower[1], north=upper[1])
    prescribed, other = (by_latitude, by_longitude) if latitude_first else (by_longitude, by_latitude)
    if _is_plausible(prescribed):
        return prescribed
    if not _is_plausible(other):
        return None
    return other


def extent_from_bbox(values: Sequence[float]) -> Optional[Extent]:
    """Return the extent of a GeoJSON bbox in longitude and latitude (RFC 7946 clause 5).

    The bbox is west, south, (lowest,) east, north(, highest). None if it is not a valid extent in degrees.
    """
    if len(values) == 4:
        extent = Extent(west=values[0], south=values[1], east=values[2], north=values[3])
    elif len(values) == 6:
        extent = Extent(west=values[0], south=values[1], east=values[3], north=values[4])
    else:
        return None
    return extent if _is_plausible(extent) else None


def extent_of_positions(positions: Sequence[Sequence[float]]) -> Optional[Extent]:
    """Return the smallest extent around positions in longitude and latitude, or None without a valid one."""
    if not positions:
        return None
    xs = [position[0] for position in positions]
    ys = [position[1] for position in positions]
    extent = Extent(west=min(xs), east=max(xs), south=min(ys), north=max(ys))
    return extent if _is_plausible(extent) else None


def _is_plausible(extent: Extent) -> bool:
    south, north, west, east = extent.south or 0.0, extent.north or 0.0, extent.west or 0.0, extent.east or 0.0
    return -90 <= south <= north <= 90 and -180 <= west <= 360 and -180 <= east <= 360


def format_extent(extent: Extent) -> str:
    """Return the extent as text: west, south, east, north."""
    return ", ".join("–" if value is None else f"{value:g}" if abs(value) < 1000 else f"{value:.0f}"
                     for value in (extent.west, extent.south, extent.east, extent.north))


def drawable_extents(extents: Sequence[Extent]) -> List[Box]:
    """Return the boxes of the extents that can be drawn.

    An extent without all four sides, with south above north or with a latitude beyond a pole is left out. One that
    crosses the antimeridian gets an eastern side beyond 180°.
    """
    boxes = [extent.box for extent in extents]
    return [box.unwrapped for box in boxes
            if box is not None and all(map(math.isfinite, box)) and -90 <= box.south <= box.north <= 90]
