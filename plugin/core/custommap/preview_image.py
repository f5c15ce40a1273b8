"""The GetMap request for a small image that shows what a service looks like."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Mapping, Optional, Sequence, Tuple

from ..errors import InvalidRequest
from ..i18n import tr
from ..records.model.record import Extent
from ..request import Request
from ..wms.crs import bounding_boxes
from ..wms.dimensions.time_series import TimeSeries
from ..wms.model.service import Layer, Service
from ..wms.requests.get_map import MapOptions, map_request
from .model import MapExtent
from .planner import best_crs, best_format, drawable_layers, select_layers
from .service_use import ServiceUse, UseDecision

#: degrees; CRSs of the whole world are used from this width on
_LARGE_DEGREES = 20.0
_BBox = Tuple[float, float, float, float]


@dataclass(frozen=True)
class PreviewContent:
    """The layers (bottom first) with their styles and the values of dimensions that a preview shows."""

    layers: Tuple[str, ...]
    styles: Tuple[str, ...] = ()
    dimensions: Tuple[Tuple[str, str], ...] = ()


def preview_content(service: Service, decision: UseDecision) -> PreviewContent:
    """Return what a preview of the whole service shows: the first moment of a series, else all layers.

    Of a service whose layers are to be chosen it is the first layer.
    """
    if decision.best is ServiceUse.SERIES and decision.series is not None:
        return _first_moment(decision.series)
    layers = drawable_layers(service)
    if decision.best is ServiceUse.CHOOSE:
        layers = layers[:1]
    elif service.limits.layers:
        layers = layers[:service.limits.layers]
    return PreviewContent(tuple(layer.name or "" for layer in layers))


def preview_request(service: Service, content: PreviewContent, extents: Sequence[Extent], map_crs: str, width: int,
                    height: int, address: str = "") -> Tuple[Request, Tuple[int, int]]:
    """Return the request for an image of at most ``width`` by ``height`` pixels, and its size.

    It shows the first of ``extents`` (degrees) that is complete, else that of the layers, in a CRS near ``map_crs``.
    ``address`` replaces the advertised one.
    Raises InvalidRequest if the service cannot draw it, and UnknownCrs.
    """
    layers = select_layers(service, content.layers)[0]
    if not layers or len(layers) != len(content.layers):
        raise InvalidRequest(tr("The service offers no layer that can be requested."))
    box = _extent(extents) or _extent_of_layers(layers)
    common = tuple(crs for crs in layers[0].crs if all(crs in layer.crs for layer in layers[1:]))
    wide = box is None or box[2] - box[0] > _LARGE_DEGREES
    crs = best_crs(Layer(crs=common), "EPSG:3857" if wide else map_crs, _map_extent(box))
    if crs is None:
        raise InvalidRequest(tr("The layers have no coordinate system in common."))
    whole = any(layer.no_subsets for layer in layers) or box is None
    version = tuple(int(part) for part in service.version.split("."))
    native = bounding_boxes.combined_bbox(layers, crs, version) if whole or box is None \
        else bounding_boxes.project_bbox(crs, box)
    if not whole:
        native = _widened(native, width / height, crs)
    size = _size_inside(native, width, height)
    operation = service.operation("GetMap")
    image_format = best_format(operation.formats if operation is not None else (), all(one.opaque for one in layers))
    options = MapOptions(content.layers, crs, size[0], size[1], native_bbox=native, styles=content.styles,
                         format=image_format or "", transparent=True, dimensions=dict(content.dimensions))
    return map_request(service, options, address=address), size


def _first_moment(series: TimeSeries) -> PreviewContent:
    entry = series.entries[0]
    dimensions: Mapping[str, str] = {"time": entry.time} if entry.time else {}
    return PreviewContent((entry.layer,), dimensions=tuple(dimensions.items()))


def _extent(extents: Sequence[Extent]) -> Optional[_BBox]:
    for extent in extents:
        sides = (extent.west, extent.south, extent.east, extent.north)
        if any(side is None for side in sides):
            continue
        west, south, east, north = (float(side or 0.0) for side in sides)
        if -180 <= west < east <= 180 and -90 <= south < north <= 90:
            return west, south, east, north
    return None


def _extent_of_layers(layers: Sequence[Layer]) -> Optional[_BBox]:
    boxes = [layer.geographic_bbox for layer in layers if layer.geographic_bbox is not None]
    boxes = [box for box in boxes if box.west < box.east and box.south < box.north]
    if not boxes:
        return None
    return (min(box.west for box in boxes), min(box.south for box in boxes), max(box.east for box in boxes),
            max(box.north for box in boxes))


def _map_extent(box: Optional[_BBox]) -> Optional[MapExtent]:
    return MapExtent(*box) if box is not None else None


def _widened(box: _BBox, ratio: float, crs: str) -> _BBox:
    """Return the box enlarged to the proportion ``ratio`` (width by height), unless it would leave the world."""
    west, south, east, north = box
    width, height = east - west, north - south
    more_x, more_y = max(0.0, height * ratio - width) / 2, max(0.0, width / ratio - height) / 2
    wider = (west - more_x, south - more_y, east + more_x, north + more_y)
    # no CRS in metres has a box as small as a globe in degrees
    in_degrees = max(map(abs, box)) <= 360
    leaves_world = wider[0] < -180 or wider[2] > 180 or wider[1] < -90 or wider[3] > 90
    return box if in_degrees and leaves_world else wider


def _size_inside(box: _BBox, width: int, height: int) -> Tuple[int, int]:
    """Return the largest size inside ``width`` by ``height`` whose pixels are square."""
    ratio = (box[2] - box[0]) / (box[3] - box[1])
    if not math.isfinite(ratio) or ratio <= 0:
        return width, height
    if ratio > width / height:
        return width, max(1, round(width / ratio))
    return max(1, round(height * ratio)), height
