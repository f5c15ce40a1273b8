"""What a person fills in to ask a service for something, as one value; and the request and the answer that it means."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import List, Mapping, Optional, Tuple

from ...errors import InvalidRequest
from ...i18n import tr
from ...request import Request
from ..crs import bounding_boxes
from ..model.service import Layer, Service
from . import request_validation
from .advertised_operations import size_within_limits
from .get_capabilities import capabilities_request
from .get_feature_info import feature_info_request
from .get_map import MapOptions, map_request, resolve_map_crs
from .sld_profile import describe_layer_request, legend_request, styles_request


@dataclass(frozen=True)
class OperationOptions:
    """A filled-in form. ``layers`` bottom first with ``styles`` as many ("" is the default one); ``bbox`` in degrees
    (west, south, east, north), None for the layers' whole box. ``height`` 0: so high that the pixels are square.
    ``column`` and ``row`` None: the middle. What an operation does not need is not looked at.
    """

    operation: str
    method: str = "GET"
    encoding: str = ""
    layers: Tuple[str, ...] = ()
    styles: Tuple[str, ...] = ()
    crs: str = ""
    bbox: Optional[Tuple[float, float, float, float]] = None
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
    """The request for what is ``wanted``; ``address`` replaces the advertised ones.

    InvalidRequest, with what is offered, for everything that the service does not allow.
    """
    sending = {"method": options.method, "address": address}
    name = options.operation
    if name == "GetCapabilities":
        target = request_validation.operation_url(request_validation.require_operation(service, name), options.method,
                                                  address)
        return capabilities_request(target, options.version, options.update_sequence, options.method)
    if name == "GetMap":
        return map_request(service, _map_options(service, options), encoding=options.encoding, **sending)
    if name == "GetFeatureInfo":
        return _feature_info_request(service, options, sending)
    if name == "GetLegendGraphic":
        style = options.styles[0] if options.styles else ""
        layer = options.layers[0] if options.layers else ""
        request_validation.require_layers(service, [layer] if layer else [])
        return legend_request(service, layer, style, format=options.format, scale=options.scale, rule=options.rule,
                              user_style=options.user_style, method=options.method, address=address)
    if name == "DescribeLayer":
        return describe_layer_request(service, options.layers, **sending)
    if name == "GetStyles":
        return styles_request(service, options.layers, **sending)
    raise InvalidRequest(tr("There is no operation called {name}.", name=name))


def expected_response(service: Service, options: OperationOptions) -> Tuple[str, Optional[Tuple[int, int]]]:
    """What ``explain_answer`` is to expect: a kind or media type, and the (width, height) of a map."""
    if options.operation == "GetMap":
        # INIMAGE and BLANK are answers of the size that was asked for, too
        return "image", map_size(service, options)
    if options.operation == "GetFeatureInfo":
        return options.info_format or "any", None
    return ("image" if options.operation == "GetLegendGraphic" else "xml"), None


def map_size(service: Service, options: OperationOptions) -> Tuple[int, int]:
    """(width, height) in pixels of the map that is ``wanted``; a layer's fixed size before all (7.2.4.7.6)."""
    layers = request_validation.require_layers(service, options.layers)
    fixed = next((layer.fixed_size for layer in layers if any(layer.fixed_size)), (None, None))
    if options.height:
        width, height = options.width, options.height
    else:
        width, height = size_within_limits(native_bbox(service, layers, options), options.width,
                                           (service.limits.width, service.limits.height))
    return fixed[0] or width, fixed[1] or height


def native_bbox(service: Service, layers: List[Layer], options: OperationOptions) -> Tuple[float, float, float, float]:
    """The box in the wanted CRS, x to the east; InvalidRequest where the layers are not offered in it."""
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


def _feature_info_request(service: Service, options: OperationOptions, sending: Mapping[str, str]) -> Request:
    """Of the chosen layers those are asked that can be; where none can, the builder says so."""
    chosen = _map_options(service, options)
    layers = request_validation.require_layers(service, options.layers)
    asked = [layer.name or "" for layer in layers if layer.queryable] or list(options.layers)
    column = chosen.width // 2 if options.column is None else options.column
    row = chosen.height // 2 if options.row is None else options.row
    return feature_info_request(service, chosen, column, row, query_layers=asked, info_format=options.info_format,
                                feature_count=options.feature_count, **sending)
