"""The GetMap request for a small image that shows what a service looks like."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Mapping, Optional, Sequence, Tuple

from ..box import Box
from ..errors import InvalidRequest
from ..i18n import tr
from ..records.model.record import Extent
from ..request import Request
from ..wms.crs import bounding_boxes
from ..wms.dimensions.time_series import TimeSeries
from ..wms.model.service import Layer, Service
from ..wms.requests.get_map import MapOptions, map_request
from .planner import best_crs, best_format, drawable_layers, select_layers
from .service_use import ServiceUse, UseDecision

#: degrees; CRSs of the whole world are used from this width on
_LARGE_DEGREES = 20.0


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
    wide = box is None or box.width > _LARGE_DEGREES
    crs = best_crs(Layer(crs=common), "EPSG:3857" if wide else map_crs, box)
    if crs is None:
        raise InvalidRequest(tr("The layers have no coordinate system in common."))
    whole = any(layer.no_subsets for layer in layers) or box is None
    version = tuple(int(part) for part in service.version.split("."))
    native = bounding_boxes.combined_bbox(layers, crs, version) if whole or box is None \
        else bounding_boxes.project_bbox(crs, box)
    if not whole:
        native = _widened(native, width / height)
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


def _extent(extents: Sequence[Extent]) -> Optional[Box]:
    return next((box for box in (extent.box for extent in extents) if box is not None and box.has_area
                 and box.west >= -180 and box.east <= 180 and box.south >= -90 and box.north <= 90), None)


def _extent_of_layers(layers: Sequence[Layer]) -> Optional[Box]:
    boxes = [layer.geographic_bbox for layer in layers]
    return Box.around(box for box in boxes if box is not None and box.has_area)


def _widened(box: Box, ratio: float) -> Box:
    """Return the box enlarged to the proportion ``ratio`` (width by height), unless it would leave the world."""
    more_x = max(0.0, box.height * ratio - box.width) / 2
    more_y = max(0.0, box.width / ratio - box.height) / 2
    wider = Box(box.west - more_x, box.south - more_y, box.east + more_x, box.north + more_y)
    # no CRS in metres has a box as small as a globe in degrees
    in_degrees = max(map(abs, box)) <= 360
    leaves_world = wider.west < -180 or wider.east > 180 or wider.south < -90 or wider.north > 90
    return box if in_degrees and leaves_world else wider


def _size_inside(box: Box, width: int, height: int) -> Tuple[int, int]:
    """Return the largest size inside ``width`` by ``height`` whose pixels are square."""
    ratio = box.width / box.height
    if not math.isfinite(ratio) or ratio <= 0:
        return width, height
    if ratio > width / height:
        return width, max(1, round(width / ratio))
    return max(1, round(height * ratio)), height
