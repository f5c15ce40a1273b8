"""The six operations of a WMS as data, and the options of their form, which request and response follow from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple

from ...box import Box
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
from .get_feature_info import PREFERRED_INFO_FORMATS, feature_info_request
from .get_map import PREFERRED_MAP_FORMATS, MapOptions, map_request, resolve_map_crs
from .sld_profile import LEGEND_FORMATS, describe_layer_request, legend_request, styles_request


@dataclass(frozen=True)
class OperationOptions(MapOptions):
    """A completed operation form: the options of the map, and those of the other operations.

    ``layers`` have one entry in ``styles`` for each ("" is the default style). Without ``bbox`` it is the full extent
    of the layers. ``height`` 0 makes the pixels square. ``column`` and ``row`` None stand for the middle of the map.
    Options that an operation does not use are ignored.
    """

    layers: Sequence[str] = ()
    crs: str = ""
    width: int = 800
    height: int = 0
    operation: str = OperationName.GET_MAP.value
    method: HttpMethod = HttpMethod.GET
    encoding: str = ""
    column: Optional[int] = None
    row: Optional[int] = None
    info_format: str = ""
    feature_count: int = 1
    rule: str = ""
    scale: Optional[float] = None
    version: str = ""
    update_sequence: str = ""


class FormOperation(NamedTuple):
    """One of the six operations: the names of its fields in the form, its builder, and its formats, best first."""

    fields: Tuple[str, ...]
    #: takes the service, the options, and the address in place of the advertised one
    request: Callable[[Service, OperationOptions, str], Request]
    formats: Sequence[str] = ()


def request_from_options(service: Service, options: OperationOptions, address: str = "") -> Request:
    """Return the request described by ``options``. ``address`` replaces the advertised address.

    Raises InvalidRequest, which lists what is offered, for anything that the service does not allow.
    """
    try:
        operation = OPERATIONS[OperationName(options.operation)]
    except ValueError:
        raise InvalidRequest(tr("Unknown operation: {name}.", name=options.operation)) from None
    return operation.request(service, options, address)


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


def native_bbox(service: Service, layers: List[Layer], options: OperationOptions) -> Box:
    """Return the box in the chosen CRS, x to the east.

    Raises InvalidRequest if the layers are not offered in it.
    """
    crs = resolve_map_crs(layers, options.crs, options.bbox)
    if options.bbox is None:
        return bounding_boxes.combined_bbox(layers, crs, request_validation.version_numbers(service))
    return bounding_boxes.project_bbox(crs, options.bbox)


def _map_options(service: Service, options: OperationOptions) -> OperationOptions:
    width, height = map_size(service, options)
    return replace(options, width=width, height=height, transparent=options.transparent or None)


def _map_request(service: Service, options: OperationOptions, address: str) -> Request:
    return map_request(service, _map_options(service, options), options.method, address, options.encoding)


def _feature_info_request(service: Service, options: OperationOptions, address: str) -> Request:
    """Return a request for the queryable layers, or for all so that the builder explains the problem."""
    sized = _map_options(service, options)
    layers = request_validation.require_layers(service, options.layers)
    queried = [layer.name or "" for layer in layers if layer.queryable] or list(options.layers)
    column = sized.width // 2 if options.column is None else options.column
    row = sized.height // 2 if options.row is None else options.row
    return feature_info_request(service, sized, column, row, query_layers=queried, info_format=options.info_format,
                                feature_count=options.feature_count, method=options.method, address=address)


def _legend_request(service: Service, options: OperationOptions, address: str) -> Request:
    layer, style = (names[0] if names else "" for names in (options.layers, options.styles))
    request_validation.require_layers(service, [layer] if layer else [])
    return legend_request(service, layer, style, format=options.format, scale=options.scale, rule=options.rule,
                          user_style=options.user_style, method=options.method, address=address)


def _capabilities_request(service: Service, options: OperationOptions, address: str) -> Request:
    info = request_validation.require_operation(service, options.operation)
    target = request_validation.operation_url(info, options.method, address)
    return capabilities_request(target, options.version, options.update_sequence, options.method)


OPERATIONS: Dict[OperationName, FormOperation] = {
    OperationName.GET_MAP: FormOperation(
        ("layers", "styles", "crs", "extent", "size", "format", "dimensions", "background", "transparent", "exceptions",
         "user_style"), _map_request, PREFERRED_MAP_FORMATS),
    OperationName.GET_FEATURE_INFO: FormOperation(
        ("layers", "styles", "crs", "extent", "size", "pixel", "info_format", "feature_count", "dimensions",
         "exceptions", "user_style"), _feature_info_request, PREFERRED_INFO_FORMATS),
    OperationName.GET_LEGEND_GRAPHIC: FormOperation(
        ("layers", "styles", "format", "rule", "scale", "user_style"), _legend_request, LEGEND_FORMATS),
    OperationName.DESCRIBE_LAYER: FormOperation(
        ("layers",), lambda service, options, address: describe_layer_request(
            service, options.layers, method=options.method, address=address)),
    OperationName.GET_STYLES: FormOperation(
        ("layers",), lambda service, options, address: styles_request(
            service, options.layers, method=options.method, address=address)),
    OperationName.GET_CAPABILITIES: FormOperation(("version", "update_sequence"), _capabilities_request),
}
