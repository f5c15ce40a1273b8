"""The page that fits the base: orientation, place and scale at which the base fills the map on the page.

This is the one decision about the page of a map for which nobody has chosen an area. The window takes it when a base is
added, and Processing when a document states none.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Callable, List, Mapping, Optional, Sequence, Tuple, Union

from ..box import Box
from ..errors import CartoguideError
from ..records.model.endpoints import value_for_endpoint
from ..records.model.record import Record
from ..wms.crs.bounding_boxes import advertised_bbox
from ..wms.model.protocol import parse_version
from ..wms.model.service import Layer, Service
from .ground_scale import GroundScale, Position
from .layer_metadata import layer_extent, record_extent
from .model import CustomMap, MapEntry, PageSetup
from .planner import select_layers

#: positions (longitude, latitude) in the map's CRS, x to the east. Raises CartoguideError outside its area
Projection = Callable[[Sequence[Position]], List[Position]]
#: points on each side of an extent that is projected
_SIDE_POINTS = 8
#: a page turned the other way must show so much more of the base
_BETTER = 1.001


@dataclass(frozen=True)
class BaseArea:
    """Box that the base covers: its extent in degrees, and in the map's CRS where its service states that."""

    extent: Box
    projected: Optional[Box] = None


@dataclass(frozen=True)
class PageShape:
    """A page that may be chosen, with width and height of its map in millimetres."""

    page: PageSetup
    width: float
    height: float


def needs_fit(custom_map: CustomMap) -> bool:
    """Return whether the map has a base and the document states neither an area nor a scale."""
    is_stated = custom_map.extent is not None or custom_map.centre is not None or custom_map.scale is not None
    return custom_map.base is not None and not is_stated


def base_area(custom_map: CustomMap, services: Mapping[str, Union[Service, CartoguideError]],
              records: Mapping[str, Record]) -> Optional[BaseArea]:
    """Return the area of the base, or of the lowest visible service if there is no base, or None.

    ``services`` and ``records`` are by endpoint. Services that state no extent are skipped.
    """
    for entry in custom_map.entries:
        if entry.visible:
            found = _entry_area(entry, value_for_endpoint(services, entry.endpoint), entry.record_in(records),
                                custom_map.crs)
            if found is not None:
                return found
    return None


def _entry_area(entry: MapEntry, service: Union[Service, CartoguideError, None], record: Optional[Record],
                crs: str) -> Optional[BaseArea]:
    """Return what an entry's layers cover. A record's extent that is smaller limits it."""
    stated = record_extent(record) if record is not None else None
    layers = select_layers(service, entry.layers)[0] if isinstance(service, Service) else []
    drawn = Box.around(layer_extent(layer, None) for layer in layers if entry.is_visible(layer.name or ""))
    if drawn is None or stated is None:
        extent = drawn or stated
        return BaseArea(extent, _projected_area(service, layers, crs)) if extent is not None else None
    return BaseArea(shared_area(drawn, stated) or drawn, _projected_area(service, layers, crs))


def _projected_area(service: Union[Service, CartoguideError, None], layers: Sequence[Layer], crs: str) -> Optional[Box]:
    """Return the box around the layers that the service states in ``crs``, or None if one of them has none."""
    if not isinstance(service, Service):
        return None
    version = parse_version(service.version) or (1, 3, 0)
    boxes = [advertised_bbox(layer, crs, version) for layer in layers]
    return None if None in boxes else Box.around(boxes)


def outline(extent: Box) -> List[Position]:
    """Return the corners of an extent and points between them, from south-west to the east and round."""
    steps = [number / _SIDE_POINTS for number in range(_SIDE_POINTS)]
    return [*((extent.west + extent.width * step, extent.south) for step in steps),
            *((extent.east, extent.south + extent.height * step) for step in steps),
            *((extent.east - extent.width * step, extent.north) for step in steps),
            *((extent.west, extent.north - extent.height * step) for step in steps)]


def inner_area(area: BaseArea, project: Projection) -> Optional[Box]:
    """Return the largest upright rectangle, about, inside what the base covers, in the map's CRS.

    None if nothing is left of it, or outside the CRS's area.
    """
    points = _projected_outline(area, project)
    if not points:
        return None
    closed = [*points, points[0]]
    south, east, north, west = (closed[number * _SIDE_POINTS:(number + 1) * _SIDE_POINTS + 1] for number in range(4))
    found = Box(max(x for x, _ in west), max(y for _, y in south), min(x for x, _ in east), min(y for _, y in north))
    return _stated_part(found, area) if found.has_area else None


def outer_area(area: BaseArea, project: Projection) -> Optional[Box]:
    """Return the smallest upright rectangle around what is covered, in the map's CRS, or None outside its area."""
    points = _projected_outline(area, project)
    if not points:
        return None
    xs, ys = zip(*points)
    return _stated_part(Box(min(xs), min(ys), max(xs), max(ys)), area)


def _stated_part(found: Box, area: BaseArea) -> Box:
    """Return the part of a box in the map's CRS that the service states, or all of it if they lie apart."""
    return (shared_area(found, area.projected) if area.projected is not None else None) or found


def shared_area(one: Box, other: Box) -> Optional[Box]:
    """Return what two boxes share, or None if they lie apart."""
    shared = one.intersection(other)
    return shared if shared.has_area else None


def _projected_outline(area: BaseArea, project: Projection) -> List[Position]:
    """Return the outline in the map's CRS, or nothing outside the CRS's area."""
    try:
        points = project(outline(area.extent))
    except CartoguideError:
        return []
    return points if all(math.isfinite(value) for point in points for value in point) else []


def fit_page(area: Box, ground: GroundScale, shapes: Sequence[PageShape], whole: bool = False
             ) -> Optional[Tuple[PageSetup, float]]:
    """Return the page that shows most of ``area`` without a margin, and the scale's denominator.

    With ``whole``, the page that shows all of ``area`` with the smallest margin. ``ground`` is measured at the area's
    centre. The first of ``shapes`` is preferred to others that are as good. The scale has two figures.
    """
    best: Optional[Tuple[float, PageSetup, float]] = None
    for shape in shapes:
        if shape.width <= 0 or shape.height <= 0:
            continue
        turn, ratio = math.radians(shape.page.rotation), shape.height / shape.width
        across, along = abs(math.cos(turn)), abs(math.sin(turn))
        size = area.width, area.height
        if whole:
            # the box around the area, seen along the rotated page
            width = max(size[0] * across + size[1] * along, (size[0] * along + size[1] * across) / ratio)
        else:
            # the rotated frame lies inside a rectangle if the box around it does
            width = min(size[0] / (across + along * ratio), size[1] / (along + across * ratio))
        margin_or_shown = width * width * ratio * (-1 if whole else 1)
        if best is None or margin_or_shown > best[0] + abs(best[0]) * (_BETTER - 1):
            scale = ground.denominator(width, shape.width)
            best = margin_or_shown, shape.page, ceiling_scale(scale) if whole else floor_scale(scale)
    return (best[1], best[2]) if best is not None else None


def ceiling_scale(minimum: float) -> float:
    """Return the smallest denominator of two figures, such as 1:150 000, that is not below ``minimum``."""
    power = _second_figure(minimum)
    return max(1.0, math.ceil(minimum / power * 0.9999) * power)


def floor_scale(maximum: float) -> float:
    """Return the largest denominator of two figures, such as 1:140 000, that is not above ``maximum``."""
    power = _second_figure(maximum)
    return max(1.0, math.floor(maximum / power * 1.0001) * power)


def snapped_scale(scale: float) -> float:
    """Return the denominator of two figures nearest to ``scale``."""
    power = _second_figure(scale)
    return max(1.0, round(scale / power) * power)


def _second_figure(scale: float) -> float:
    return float(10.0 ** (math.floor(math.log10(max(scale, 10.0))) - 1))
