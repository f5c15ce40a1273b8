"""From a click on the map to GetFeatureInfo at a pixel of a GetMap (OGC 06-042 7.4.3.7).

If a service offers the CRS of the map window, the window itself is that map, so the query refers to what was drawn. If
it does not, or if the window is rotated or larger than the service draws, a small map is queried whose middle pixel is
the clicked position.

The preferred INFO_FORMATs are those that become a table. Text follows, and HTML is last.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple

from ..box import Box
from ..custommap.planner import best_crs
from ..errors import InvalidRequest
from ..i18n import tr
from ..wms.crs import bounding_boxes, transformation
from ..wms.crs.codes import Point, advertised_crs, is_automatic_crs
from ..wms.dimensions.declared_dimensions import TimeSpan, select_dimension_values
from ..wms.model.service import Layer, Service
from ..wms.requests.get_map import MapOptions
from ..wms.requests.request_validation import version_numbers

#: bounding box, width, height, column, row
_PixelMap = Tuple[Box, int, int, int, int]
#: side of the small map in pixels, odd so that one pixel is in the middle
SMALL_MAP_SIDE = 101
#: degrees around a position in which a CRS must be defined
_NEARBY_DEGREES = 0.01


@dataclass(frozen=True)
class MapClick:
    """A position in a map window.

    ``crs`` is the window's CRS (empty if it has no code), ``x`` and ``y`` the position in it. ``bbox`` has x to the
    east and ``width`` and ``height`` are pixels. ``lonlat`` are longitude and latitude of the position, of the position
    one pixel to its right, and of the one above it, from which any other CRS follows. ``pixel_size`` is in units of the
    CRS. If ``rotated``, ``bbox`` encloses what the window shows.
    """

    crs: str
    x: float
    y: float
    bbox: Box
    width: int
    height: int
    lonlat: Tuple[Point, Point, Point]
    pixel_size: float
    rotated: bool = False


@dataclass(frozen=True)
class FeatureInfoQuery:
    """One GetFeatureInfo: layers with their styles, the map (``bbox`` with x to the east, pixels), column and row."""

    layers: Tuple[str, ...]
    styles: Tuple[str, ...]
    crs: str
    bbox: Box
    width: int
    height: int
    i: int
    j: int
    #: (parameter, value) of the dimensions sent to the service
    dimensions: Tuple[Tuple[str, str], ...] = ()

    def map_options(self) -> MapOptions:
        styles = self.styles if any(self.styles) else ()
        return MapOptions(self.layers, self.crs, self.width, self.height, native_bbox=self.bbox, styles=styles,
                          dimensions=dict(self.dimensions))


@dataclass(frozen=True)
class DimensionSelection:
    """The dimension values shown by a map.

    ``time_spans`` are the times (UTC) of layers by name. ``values`` apply to all layers, by parameter (TIME, ELEVATION,
    DIM_…).
    """

    time_spans: Mapping[str, TimeSpan] = field(default_factory=dict)
    values: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class QueryPlan:
    """The queries for some layers of a service, and the names of layers that cannot be queried.

    ``assumed_dimensions`` are (parameter, value) of dimensions without choice and default. The layers in
    ``without_time_value`` have nothing to show at the map's time.
    """

    queries: Tuple[FeatureInfoQuery, ...]
    not_queryable: Tuple[str, ...] = ()
    unknown_layers: Tuple[str, ...] = ()
    assumed_dimensions: Tuple[Tuple[str, str], ...] = ()
    without_time_value: Tuple[str, ...] = ()


class _SharedRequest(NamedTuple):
    """The properties that layers must share to be queried in one request.

    A request has one value of each dimension for all its layers. ``alone`` is the name of a layer that needs a request
    for itself, otherwise empty.
    """

    crs: str
    dimensions: Tuple[Tuple[str, str], ...]
    alone: str


def plan_queries(service: Service, layers: Sequence[Tuple[str, str]], click: MapClick,
                 selection: Optional[DimensionSelection] = None) -> QueryPlan:
    """Return the queries of ``click`` for ``layers`` (name and style, bottom first), in as few requests as possible.

    Raises InvalidRequest if the position cannot be converted to any CRS that a layer offers.
    """
    selection = selection or DimensionSelection()
    not_queryable, unknown, without_time_value = [], [], []
    assumed: Dict[Tuple[str, str], None] = {}
    groups: Dict[_SharedRequest, List[Tuple[Layer, str]]] = {}
    for name, style in layers:
        layer = service.layer(name)
        if layer is None:
            unknown.append(name)
        elif not layer.queryable or service.operation("GetFeatureInfo") is None:
            not_queryable.append(name)
        else:
            span = selection.time_spans.get(name)
            values, assumed_values, has_content = select_dimension_values(layer, selection.values, span)
            if not has_content:
                without_time_value.append(name)
                continue
            assumed.update(dict.fromkeys(assumed_values.items()))
            alone = name if layer.no_subsets or any(layer.fixed_size) else ""
            shared = _SharedRequest(_crs_for(layer, click), tuple(sorted(values.items())), alone)
            groups.setdefault(shared, []).append((layer, style))
    queries: List[FeatureInfoQuery] = []
    for shared, members in groups.items():
        limit = service.limits.layers or len(members)
        for begin in range(0, len(members), limit):
            query = _build_query(service, members[begin:begin + limit], shared.crs, click)
            queries.append(replace(query, dimensions=shared.dimensions))
    return QueryPlan(tuple(queries), tuple(not_queryable), tuple(unknown), tuple(assumed), tuple(without_time_value))


def _crs_for(layer: Layer, click: MapClick) -> str:
    offered = advertised_crs(layer, click.crs) if click.crs and not is_automatic_crs(click.crs) else None
    if offered:
        return offered
    longitude, latitude = click.lonlat[0]
    surroundings = Box(longitude - _NEARBY_DEGREES, latitude - _NEARBY_DEGREES,
                             longitude + _NEARBY_DEGREES, latitude + _NEARBY_DEGREES)
    best = best_crs(layer, click.crs, surroundings)
    if best is None:
        raise InvalidRequest(tr("The layer “{layer}” cannot be queried here: it offers no suitable coordinate "
                                "reference system.", layer=layer.name))
    return best


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


def pixel_at(box: Box, width: int, height: int, point: Point) -> Tuple[int, int]:
    """Return column and row of ``point``, counted from 0 at the upper left.

    Raises InvalidRequest if it lies outside the map.
    """
    west, south, east, north = box
    i = math.floor((point[0] - west) / (east - west) * width)
    j = math.floor((north - point[1]) / (north - south) * height)
    # the right and lower edges belong to the last pixels
    i, j = (i - 1 if point[0] == east else i), (j - 1 if point[1] == south else j)
    if not (0 <= i < width and 0 <= j < height):
        raise InvalidRequest(tr("The point lies outside the map."))
    return i, j


def _within_limits(service: Service, click: MapClick) -> bool:
    limits = service.limits
    return click.width <= (limits.width or click.width) and click.height <= (limits.height or click.height)


def _click_position(crs: str, click: MapClick, offered_itself: bool) -> Point:
    return (click.x, click.y) if offered_itself else _projected_positions(crs, click)[0]


def _projected_positions(crs: str, click: MapClick) -> List[Point]:
    points = transformation.from_lonlat(crs, list(click.lonlat))
    if not all(math.isfinite(x) and math.isfinite(y) for x, y in points):
        raise InvalidRequest(tr("The point lies outside the area where {crs} is defined.", crs=crs))
    return points


def _pixel_size(crs: str, click: MapClick, offered_itself: bool) -> float:
    """Return the side of the window's pixels in units of ``crs``: that of a square of the same area."""
    if offered_itself:
        return click.pixel_size
    (x, y), (right_x, right_y), (up_x, up_y) = _projected_positions(crs, click)
    size = math.sqrt(abs((right_x - x) * (up_y - y) - (right_y - y) * (up_x - x)))
    if not size > 0:
        raise InvalidRequest(tr("The point cannot be queried at this scale."))
    return size


def _small_map_around(point: Point, size: float) -> _PixelMap:
    """Return a small map with ``point`` in the middle of its middle pixel."""
    half = SMALL_MAP_SIDE * size / 2
    box = Box(point[0] - half, point[1] - half, point[0] + half, point[1] + half)
    return box, SMALL_MAP_SIDE, SMALL_MAP_SIDE, SMALL_MAP_SIDE // 2, SMALL_MAP_SIDE // 2


def _whole_layer_map(service: Service, layer: Layer, crs: str, point: Point, click: MapClick) -> _PixelMap:
    """Return the map of the layer's full extent.

    noSubsets allows only that extent, fixedWidth and fixedHeight only that size (7.2.4.7).
    """
    version = version_numbers(service)
    width = layer.fixed_size[0] or min(click.width, service.limits.width or click.width)
    height = layer.fixed_size[1] or min(click.height, service.limits.height or click.height)
    if not layer.no_subsets and not click.rotated and advertised_crs(layer, click.crs) == crs:
        box: Optional[Box] = click.bbox
    else:
        box = bounding_boxes.layer_bbox(layer, crs, version)
    if box is None:
        raise InvalidRequest(tr("The layer “{layer}” can only be drawn as a whole, but does not state its extent.",
                                layer=layer.name))
    return (box, width, height, *pixel_at(box, width, height, point))


class InfoFormatKind(Enum):
    """Kinds of GetFeatureInfo responses, the best first."""

    GEOJSON = "geojson"
    GML = "gml"
    ESRI = "esri"
    XML = "xml"
    TEXT = "text"
    HTML = "html"
    OTHER = "other"

    @classmethod
    def from_media_type(cls, media_type: str) -> InfoFormatKind:
        """Return the kind of a media type as written by services."""
        media = "".join(media_type.lower().split())
        name = media.partition(";")[0]
        if "json" in media:
            return cls.GEOJSON
        if "gml" in media:
            return cls.GML
        if "esri" in media or media == "application/vnd.ogc.wms_xml":
            return cls.ESRI
        if name in ("text/xml", "application/xml"):
            return cls.XML
        if name == "text/plain":
            return cls.TEXT
        return cls.HTML if "html" in media else cls.OTHER


def best_format(offered: Sequence[str]) -> Optional[str]:
    """Return the preferred format as advertised, the first one among equals, or None if none is offered."""
    preference = list(InfoFormatKind)
    return min(offered, key=lambda media: preference.index(InfoFormatKind.from_media_type(media)), default=None)


def fallback_format(offered: Sequence[str], first: str) -> Optional[str]:
    """Return the format to request if ``first`` only revealed that there is something: HTML, otherwise text.

    None if neither is offered.
    """
    for kind in (InfoFormatKind.HTML, InfoFormatKind.TEXT):
        for media in offered:
            if media != first and InfoFormatKind.from_media_type(media) is kind:
                return media
    return None
