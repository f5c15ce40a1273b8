"""A click on a map to the pixel of a GetMap that GetFeatureInfo is asked about (OGC 06-042 7.4.3.7).

Where a service offers the window's CRS, the window itself is that map: what was drawn is what is asked about. Where
it does not, the window is turned, or larger than the service draws, a small map is asked for whose middle pixel is the
place that was clicked.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Dict, List, Mapping, Optional, Sequence, Tuple

from ..custommap.crs_choice import best_crs
from ..custommap.model import MapExtent
from ..errors import InvalidRequest
from ..i18n import tr
from ..wms.crs import bounding_boxes, transformation
from ..wms.crs.codes import advertised_crs, is_automatic_crs
from ..wms.crs.proj_backend import Point
from ..wms.dimensions.value_selection import TimeSpan, select_dimension_values
from ..wms.model.service import Layer, Service
from ..wms.requests.get_map import MapOptions

#: box, width, height, column, row
_PixelMap = Tuple[bounding_boxes.BBox, int, int, int, int]
#: pixels of the small map; odd, so that one is in the middle
SMALL_MAP_SIDE = 101
#: degrees around a place that decide which CRS suits it
_NEARBY_DEGREES = 0.01


@dataclass(frozen=True)
class MapClick:
    """A place in a map window: the window's CRS, its box (x to the east) and size in pixels, and the place in them.

    ``degrees`` are longitude and latitude of the place, of the place one pixel to its right, and one above it: what is
    needed to ask in any other CRS. ``unit`` is the side of a pixel in the window's CRS. ``crs`` is empty where it has
    no code. ``turned``: the window is rotated, and ``box`` is what it shows at least.
    """

    crs: str
    x: float
    y: float
    bbox: bounding_boxes.BBox
    width: int
    height: int
    lonlat: Tuple[Point, Point, Point]
    pixel_size: float
    rotated: bool = False


@dataclass(frozen=True)
class FeatureInfoQuery:
    """One GetFeatureInfo: layers with their styles, the map (CRS, box with x to the east, pixels), column and row."""

    layers: Tuple[str, ...]
    styles: Tuple[str, ...]
    crs: str
    bbox: bounding_boxes.BBox
    width: int
    height: int
    i: int
    j: int
    #: (parameter, value) of the dimensions that are told to the service
    dimensions: Tuple[Tuple[str, str], ...] = ()

    def map_options(self) -> MapOptions:
        """The map of the question."""
        styles = self.styles if any(self.styles) else ()
        return MapOptions(self.layers, self.crs, self.width, self.height, native_bbox=self.bbox, styles=styles,
                          dimensions=dict(self.dimensions))


@dataclass(frozen=True)
class DimensionSelection:
    """What a map shows of its layers' dimensions: the time of each layer that has its own (UTC), by name, and values
    chosen for all of them by parameter (TIME, ELEVATION, DIM_…).
    """

    time_spans: Mapping[str, TimeSpan] = field(default_factory=dict)
    values: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class QueryPlan:
    """What to ask a service about some of its layers, and which of them cannot be asked (by name).

    ``assumed`` are (parameter, value) of dimensions that nobody chose and that have no default; ``no_moment`` have
    nothing to show at the map's time.
    """

    queries: Tuple[FeatureInfoQuery, ...]
    not_queryable: Tuple[str, ...] = ()
    unknown_layers: Tuple[str, ...] = ()
    assumed_dimensions: Tuple[Tuple[str, str], ...] = ()
    without_time_value: Tuple[str, ...] = ()


def plan_queries(service: Service, layers: Sequence[Tuple[str, str]], click: MapClick,
                 selection: Optional[DimensionSelection] = None) -> QueryPlan:
    """The questions that ``click`` puts to ``layers`` (name and style, bottom first), in as few requests as can be.

    InvalidRequest where the place cannot be put into any CRS that a layer offers.
    """
    selection = selection or DimensionSelection()
    not_queryable, unknown, no_moment = [], [], []
    assumed: Dict[Tuple[str, str], None] = {}
    groups: Dict[Tuple[object, ...], List[Tuple[Layer, str]]] = {}
    for name, style in layers:
        layer = service.layer(name)
        if layer is None:
            unknown.append(name)
        elif not layer.queryable or service.operation("GetFeatureInfo") is None:
            not_queryable.append(name)
        else:
            values, own, there = select_dimension_values(layer, selection.values, selection.time_spans.get(name))
            if not there:
                no_moment.append(name)
                continue
            assumed.update(dict.fromkeys(own.items()))
            crs = _crs_for(layer, click)
            alone = (name,) if layer.no_subsets or any(layer.fixed_size) else ()
            # one request has one value of each dimension for all of its layers
            groups.setdefault((crs, tuple(sorted(values.items())), *alone), []).append((layer, style))
    questions: List[FeatureInfoQuery] = []
    for key, members in groups.items():
        most = service.limits.layers or len(members)
        for begin in range(0, len(members), most):
            question = _build_query(service, members[begin:begin + most], str(key[0]), click)
            questions.append(replace(question, dimensions=key[1]))  # type: ignore[arg-type]
    return QueryPlan(tuple(questions), tuple(not_queryable), tuple(unknown), tuple(assumed), tuple(no_moment))


def _crs_for(layer: Layer, click: MapClick) -> str:
    own = advertised_crs(layer, click.crs) if click.crs and not is_automatic_crs(click.crs) else None
    if own:
        return own
    longitude, latitude = click.lonlat[0]
    place = MapExtent(longitude - _NEARBY_DEGREES, latitude - _NEARBY_DEGREES, longitude + _NEARBY_DEGREES,
                      latitude + _NEARBY_DEGREES)
    found = best_crs(layer, click.crs, place)
    if found is None:
        raise InvalidRequest(tr("The layer “{layer}” names no coordinate reference system in which the place could be "
                                "asked about.", layer=layer.name))
    return found


def _build_query(service: Service, members: Sequence[Tuple[Layer, str]], crs: str, click: MapClick) -> FeatureInfoQuery:
    layers = tuple(layer.name or "" for layer, _ in members)
    styles = tuple(style if layer.style(style) is not None else "" for layer, style in members)
    first = members[0][0]
    offered_itself = bool(click.crs) and advertised_crs(first, click.crs) == crs
    if first.no_subsets or any(first.fixed_size):
        box, width, height, i, j = _whole_layer_map(service, first, crs, _click_position(crs, click, offered_itself),
                                                    click)
    elif offered_itself and not click.rotated and _within_limits(service, click):
        box, width, height = click.bbox, click.width, click.height
        i, j = pixel_at(box, width, height, (click.x, click.y))
    else:
        box, width, height, i, j = _small_map_around(_click_position(crs, click, offered_itself),
                                                     _pixel_size(crs, click, offered_itself))
    return FeatureInfoQuery(layers, styles, crs, box, width, height, i, j)


def pixel_at(box: bounding_boxes.BBox, width: int, height: int, point: Point) -> Tuple[int, int]:
    """Column and row of ``point``, counted from 0 at the upper left; InvalidRequest where it lies outside the map."""
    west, south, east, north = box
    i = math.floor((point[0] - west) / (east - west) * width)
    j = math.floor((north - point[1]) / (north - south) * height)
    # the map's right and lower edge belong to its last pixels
    i, j = (i - 1 if point[0] == east else i), (j - 1 if point[1] == south else j)
    if not (0 <= i < width and 0 <= j < height):
        raise InvalidRequest(tr("The place lies outside the map."))
    return i, j


def _within_limits(service: Service, click: MapClick) -> bool:
    limits = service.limits
    return click.width <= (limits.width or click.width) and click.height <= (limits.height or click.height)


def _click_position(crs: str, click: MapClick, offered_itself: bool) -> Point:
    return (click.x, click.y) if offered_itself else _projected_positions(crs, click)[0]


def _projected_positions(crs: str, click: MapClick) -> List[Point]:
    points = transformation.from_lonlat(crs, list(click.lonlat))
    if not all(math.isfinite(x) and math.isfinite(y) for x, y in points):
        raise InvalidRequest(tr("The place lies beyond the area where {crs} is defined.", crs=crs))
    return points


def _pixel_size(crs: str, click: MapClick, offered_itself: bool) -> float:
    """The side of the window's pixels in units of ``crs``: that of a square as large as the pixel is there."""
    if offered_itself:
        return click.pixel_size
    (x, y), (right_x, right_y), (up_x, up_y) = _projected_positions(crs, click)
    size = math.sqrt(abs((right_x - x) * (up_y - y) - (right_y - y) * (up_x - x)))
    if not size > 0:
        raise InvalidRequest(tr("The place cannot be asked about at this scale."))
    return size


def _small_map_around(point: Point, size: float) -> _PixelMap:
    """A small map with ``point`` in the middle of its middle pixel."""
    half = SMALL_MAP_SIDE * size / 2
    box = (point[0] - half, point[1] - half, point[0] + half, point[1] + half)
    return box, SMALL_MAP_SIDE, SMALL_MAP_SIDE, SMALL_MAP_SIDE // 2, SMALL_MAP_SIDE // 2


def _whole_layer_map(service: Service, layer: Layer, crs: str, point: Point, click: MapClick) -> _PixelMap:
    """The layer's whole map: noSubsets allows no other box, fixedWidth and fixedHeight no other size (7.2.4.7)."""
    version = (1, 3, 0) if service.version.startswith("1.3") else (1, 1, 1)
    width = layer.fixed_size[0] or min(click.width, service.limits.width or click.width)
    height = layer.fixed_size[1] or min(click.height, service.limits.height or click.height)
    if not layer.no_subsets and not click.rotated and advertised_crs(layer, click.crs) == crs:
        box: Optional[bounding_boxes.BBox] = click.bbox
    else:
        box = bounding_boxes.layer_bbox(layer, crs, version)
    if box is None:
        raise InvalidRequest(tr("The layer “{layer}” is only drawn whole, but does not say where it lies.",
                                layer=layer.name))
    return (box, width, height, *pixel_at(box, width, height, point))
