"""Bounding boxes for map requests (OGC 06-042 6.7.2, 6.7.4).

The functions raise UnknownCrs for a CRS that PROJ does not know.
"""

from __future__ import annotations

import math
from typing import List, Optional, Sequence, Tuple

from ...box import Box
from ...errors import InvalidRequest
from ...i18n import tr
from ..model.service import Layer
from . import transformation
from .codes import normalise_crs

#: points along each side of the grid used to convert a box in degrees, whose edges are curves in most CRSs
_GRID_SIDE = 21
#: boxes that differ by less than this fraction of their size are equal
_RELATIVE_TOLERANCE = 1e-3
_SIGNIFICANT_DIGITS = 12
#: the latitude where the world is a square in Mercator
_MERCATOR_MAX_LATITUDE = math.degrees(2 * math.atan(math.exp(math.pi)) - math.pi / 2)
_NEAR_POLE_LATITUDE = 89.9999
#: no CRS but Mercator has coordinates beyond this
_EARTH_CIRCUMFERENCE_METRES = 4.1e7
#: degrees on both sides of the antimeridian
_ANTIMERIDIAN_STEP = 1e-6


def bbox_parameter(crs: str, box: Box, version: Sequence[int]) -> List[str]:
    """Return the four numbers of BBOX for ``box``, which has x to the east.

    In WMS 1.3.0 they follow the axis order of the CRS, in earlier versions they are x, y.
    """
    is_north_first = tuple(version) >= (1, 3) and transformation.first_axis_is_north(crs)
    return [format_number(value) for value in (box.with_axes_swapped if is_north_first else box)]


def check_bbox(box: Sequence[float]) -> Box:
    """Return four numbers as a box.

    Raises InvalidRequest unless the numbers are finite and each minimum is below its maximum (6.7.4).
    """
    if len(box) != 4 or not all(math.isfinite(value) for value in box):
        raise InvalidRequest(tr("The extent must be four numbers: west, south, east, north."))
    checked = Box(*map(float, box))
    if not checked.has_area:
        raise InvalidRequest(
            tr("The extent has no area: west must be less than east and south less than north (it is {box}).",
               box=", ".join(map(format_number, box))))
    return checked


def project_bbox(crs: str, box: Sequence[float]) -> Box:
    """Return the smallest box in ``crs`` around ``box``, which is in degrees of longitude and latitude on WGS 84.

    Raises InvalidRequest if the box is invalid or reaches beyond the area where ``crs`` is defined.
    """
    west, south, east, north = check_bbox(box)
    if not (west >= -360 and east <= 360 and south >= -90 and north <= 90):
        raise InvalidRequest(
            tr("The extent is not in degrees of longitude and latitude: {box}.",
               box=", ".join(map(format_number, box))))
    south, north = _clip_latitudes(crs, (west + east) / 2, south, north)
    points = _project_across_antimeridian(crs, _grid_points(west, south, east, north))
    if not all(math.isfinite(x) and math.isfinite(y) for x, y in points):
        raise InvalidRequest(
            tr("The extent reaches beyond the area where {crs} is defined. Choose a smaller extent.", crs=crs))
    return check_bbox(
        (min(x for x, _ in points), min(y for _, y in points), max(x for x, _ in points), max(y for _, y in points)))


def _clip_latitudes(crs: str, longitude: float, south: float, north: float) -> Tuple[float, float]:
    """Return ``south`` and ``north`` clipped to the latitudes that ``crs`` can show.

    The poles lie at infinity in Mercator, so its maps end at the latitude where the world is a square.
    """
    if (south >= -_MERCATOR_MAX_LATITUDE and
        north <= _MERCATOR_MAX_LATITUDE) or south >= _MERCATOR_MAX_LATITUDE or north <= -_MERCATOR_MAX_LATITUDE:
        return south, north
    (_, pole_y), = transformation.from_lonlat(crs, [(longitude, _NEAR_POLE_LATITUDE)])
    if math.isfinite(pole_y) and abs(pole_y) > _EARTH_CIRCUMFERENCE_METRES:
        return max(south, -_MERCATOR_MAX_LATITUDE), min(north, _MERCATOR_MAX_LATITUDE)
    return south, north


def _project_across_antimeridian(crs: str, points: List[Tuple[float, float]]) -> List[Tuple[float, float]]:
    """Return ``points`` (degrees) in ``crs``, continuous beyond the antimeridian.

    Raises InvalidRequest if the edge of ``crs`` is not a straight line.
    """
    converted = transformation.from_lonlat(crs, points)
    if all(-180 <= longitude <= 180 for longitude, _ in points):
        return converted
    south, north = min(latitude for _, latitude in points), max(latitude for _, latitude in points)
    period = _antimeridian_jump(crs, south, north)
    return [(x + period * _world_copy(longitude), y) for (longitude, _), (x, y) in zip(points, converted)]


def _world_copy(longitude: float) -> int:
    return 1 if longitude > 180 else -1 if longitude < -180 else 0


def _antimeridian_jump(crs: str, south: float, north: float) -> float:
    """Return the width of the jump in x at the antimeridian, 0 if there is none."""
    jumps = []
    for latitude in (south, (south + north) / 2, north):
        longitudes = (180 - 2 * _ANTIMERIDIAN_STEP, 180 - _ANTIMERIDIAN_STEP, 180 + _ANTIMERIDIAN_STEP)
        points = [(longitude, latitude) for longitude in longitudes]
        before, last, first = (x for x, _ in transformation.from_lonlat(crs, points))
        step = last - before
        if not (math.isfinite(step) and math.isfinite(first)):
            return 0.0
        jumps.append(last - first + 2 * step if abs(last - first) > 1000 * abs(step) else 0.0)
    if max(jumps) - min(jumps) > _RELATIVE_TOLERANCE * max(map(abs, jumps)):
        raise InvalidRequest(tr("The extent crosses the edge of {crs}. Choose an extent on one side of longitude "
                                "180, or another CRS.", crs=crs))
    return jumps[0]


def layer_bbox(layer: Layer, crs: str, version: Sequence[int]) -> Optional[Box]:
    """Return the layer's full box in ``crs``, x to the east, or None if the layer has none.

    The advertised box comes first, then the geographic box converted to ``crs``.
    """
    advertised = advertised_bbox(layer, crs, version)
    geographic = layer.geographic_bbox
    if advertised is None and geographic:
        return project_bbox(crs, geographic.unwrapped)
    return advertised


def advertised_bbox(layer: Layer, crs: str, version: Sequence[int]) -> Optional[Box]:
    """Return the box that the layer advertises in ``crs``, x to the east, or None if it advertises none.

    Before 1.3.0 advertised boxes are x, y. In 1.3.0 they follow the axis order of the CRS.
    """
    normalised = normalise_crs(crs)
    for box in layer.bboxes:
        if normalise_crs(box.crs) == normalised:
            if tuple(version) >= (1, 3) and transformation.first_axis_is_north(crs):
                return Box(box.miny, box.minx, box.maxy, box.maxx)
            return Box(box.minx, box.miny, box.maxx, box.maxy)
    return None


def combined_bbox(layers: Sequence[Layer], crs: str, version: Sequence[int]) -> Box:
    """Return the box in ``crs``, x to the east, around all ``layers``.

    Raises InvalidRequest if no layer has a box.
    """
    box = Box.around(layer_bbox(layer, crs, version) for layer in layers)
    if box is None:
        raise InvalidRequest(tr("The layers do not state their extent. Enter the extent of the map."))
    return check_bbox(box)


def is_same_bbox(first: Sequence[float], second: Box) -> bool:
    """Return whether two boxes are equal to within a thousandth of the second one's size."""
    return all(abs(a - b) <= _RELATIVE_TOLERANCE * size
               for a, b, size in zip(first, second, (second.width, second.height) * 2))


def format_number(value: float) -> str:
    """Return a number as written in requests (6.5): twelve significant digits, no exponent, no trailing zeros."""
    if value == 0:
        return "0"
    decimals = max(0, _SIGNIFICANT_DIGITS - 1 - math.floor(math.log10(abs(value))))
    text = f"{value:.{min(decimals, 20)}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text in ("-0", "") else text


def _grid_points(west: float, south: float, east: float, north: float) -> List[Tuple[float, float]]:
    steps = [step / (_GRID_SIDE - 1) for step in range(_GRID_SIDE)]
    return [(west + (east - west) * x, south + (north - south) * y) for x in steps for y in steps]
