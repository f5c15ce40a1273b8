"""The options of the operation form as one value, with the request and the expected response that follow from it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, List, Mapping, Optional, Tuple

from ...errors import InvalidRequest
from ...i18n import tr
from ...request import HttpMethod, Request
from ..crs import bounding_boxes
from ..model.protocol import OperationName
from ..model.service import Layer, Service
from ..responses.response_validation import ExpectedContent
from . import request_validation
from .advertised_operations import size_within_limits
from .get_capabilities import capabilities_request
from .get_feature_info import feature_info_request
from .get_map import MapOptions, map_request, resolve_map_crs
from .sld_profile import describe_layer_request, legend_request, styles_request


@dataclass(frozen=True)
class OperationOptions:
    """A completed operation form.

    ``layers`` are ordered from bottom to top, with one entry in ``styles`` for each ("" is the default style). ``bbox``
    is (west, south, east, north) in degrees, None for the full extent of the layers. ``height`` 0 makes the pixels
    square. ``column`` and ``row`` None stand for the middle of the map. Options that an operation does not use are
    ignored.
    """

    operation: str
    method: HttpMethod = HttpMethod.GET
    encoding: str = ""
    layers: Tuple[str, ...] = ()
    styles: Tuple[str, ...] = ()
    crs: str = ""
    bbox: Optional[bounding_boxes.BBox] = None
    width: int = 800
    height: int = 0
    format: str = ""
    transparent: bool = False
    exceptions: str = ""
    dimensions: Mapping[str, str] = field(default_factory=dict)
    column: Optional[int] = None
    row: Optional[int] = None
    info_format: str = ""
    feature_count: int = 1
    rule: str = ""
    scale: Optional[float] = None
    version: str = ""
    update_sequence: str = ""
    background: str = ""
    #: an SLD or its address
    user_style: str = ""


def request_from_options(service: Service, options: OperationOptions, address: str = "") -> Request:
    """Return the request described by ``options``. ``address`` replaces the advertised address.

    Raises InvalidRequest, which lists what is offered, for anything that the service does not allow.
    """
    destination: Dict[str, Any] = {"method": options.method, "address": address}
    name = options.operation
    if name == OperationName.GET_CAPABILITIES:
        target = request_validation.operation_url(request_validation.require_operation(service, name), options.method,
                                                  address)
        return capabilities_request(target, options.version, options.update_sequence, options.method)
    if name == OperationName.GET_MAP:
        return map_request(service, _map_options(service, options), encoding=options.encoding, **destination)
    if name == OperationName.GET_FEATURE_INFO:
        return _feature_info_request(service, options, destination)
    if name == OperationName.GET_LEGEND_GRAPHIC:
        style = options.styles[0] if options.styles else ""
        layer = options.layers[0] if options.layers else ""
        request_validation.require_layers(service, [layer] if layer else [])
        return legend_request(service, layer, style, format=options.format, scale=options.scale, rule=options.rule,
                              user_style=options.user_style, method=options.method, address=address)
    if name == OperationName.DESCRIBE_LAYER:
        return describe_layer_request(service, options.layers, **destination)
    if name == OperationName.GET_STYLES:
        return styles_request(service, options.layers, **destination)
    raise InvalidRequest(tr("Unknown operation: {name}.", name=name))


def expected_response(service: Service, options: OperationOptions) -> Tuple[str, Optional[Tuple[int, int]]]:
    """Return the expected kind or media type and, for a map, (width, height) in pixels.

    Both are arguments of ``response_validation.check_response``.
    """
    if options.operation == OperationName.GET_MAP:
        # exceptions as INIMAGE and BLANK have the requested size too
        return ExpectedContent.IMAGE, map_size(service, options)
    if options.operation == OperationName.GET_FEATURE_INFO:
        return options.info_format or ExpectedContent.ANY, None
    if options.operation == OperationName.GET_LEGEND_GRAPHIC:
        return ExpectedContent.IMAGE, None
    return ExpectedContent.XML, None


def map_size(service: Service, options: OperationOptions) -> Tuple[int, int]:
    """Return (width, height) of the map in pixels. A layer's fixed size takes precedence (7.2.4.7.6).

    Raises InvalidRequest for unknown layers or a CRS that they do not offer.
    """
    layers = request_validation.require_layers(service, options.layers)
    fixed = next((layer.fixed_size for layer in layers if any(layer.fixed_size)), (None, None))
    if options.height:
        width, height = options.width, options.height
    else:
        width, height = size_within_limits(native_bbox(service, layers, options), options.width,
                                           (service.limits.width, service.limits.height))
    return fixed[0] or width, fixed[1] or height


def native_bbox(service: Service, layers: List[Layer], options: OperationOptions) -> bounding_boxes.BBox:
    """Return the box in the chosen CRS, x to the east.

    Raises InvalidRequest if the layers are not offered in it.
    """
    crs = resolve_map_crs(layers, options.crs, options.bbox)
    if options.bbox is None:
        return bounding_boxes.combined_bbox(layers, crs, request_validation.version_numbers(service))
    return bounding_boxes.project_bbox(crs, options.bbox)


def _map_options(service: Service, options: OperationOptions) -> MapOptions:
    width, height = map_size(service, options)
    return MapOptions(layers=options.layers, crs=options.crs, width=width, height=height, bbox=options.bbox,
                      styles=options.styles, format=options.format, transparent=options.transparent or None,
                      background=options.background, exceptions=options.exceptions, dimensions=dict(options.dimensions),
                      user_style=options.user_style)


def _feature_info_request(service: Service, options: OperationOptions, target: Mapping[str, Any]) -> Request:
    """Return a request for the queryable layers, or for all so that the builder explains the problem."""
    map_options = _map_options(service, options)
    layers = request_validation.require_layers(service, options.layers)
    queried = [layer.name or "" for layer in layers if layer.queryable] or list(options.layers)
    column = map_options.width // 2 if options.column is None else options.column
    row = map_options.height // 2 if options.row is None else options.row
    return feature_info_request(service, map_options, column, row, query_layers=queried,
                                info_format=options.info_format, feature_count=options.feature_count, **target)
