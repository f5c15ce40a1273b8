"""What a person fills in to ask a service for something, as one value; and the request and the answer that it means."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import List, Mapping, Optional, Tuple

from ..errors import InvalidRequest
from ..i18n import tr
from ..request import Request
from . import boxes, choices, requests
from .maps import MapChoices, map_crs
from .model import Layer, Service
from .offers import fitting_size


@dataclass(frozen=True)
class Wanted:
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
    own_style: str = ""


def request_of(service: Service, wanted: Wanted, address: str = "") -> Request:
    """The request for what is ``wanted``; ``address`` replaces the advertised ones.

    InvalidRequest, with what is offered, for everything that the service does not allow.
    """
    sending = {"method": wanted.method, "address": address}
    name = wanted.operation
    if name == "GetCapabilities":
        target = choices.address_of(choices.operation(service, name), wanted.method, address)
        return requests.capabilities_request(target, wanted.version, wanted.update_sequence, wanted.method)
    if name == "GetMap":
        return requests.map_request(service, _map(service, wanted), encoding=wanted.encoding, **sending)
    if name == "GetFeatureInfo":
        return _feature_info(service, wanted, sending)
    if name == "GetLegendGraphic":
        style = wanted.styles[0] if wanted.styles else ""
        layer = wanted.layers[0] if wanted.layers else ""
        choices.layers_named(service, [layer] if layer else [])
        return requests.legend_request(service, layer, style, format=wanted.format, scale=wanted.scale,
                                       rule=wanted.rule, own_style=wanted.own_style, method=wanted.method,
                                       address=address)
    if name == "DescribeLayer":
        return requests.describe_layer_request(service, wanted.layers, **sending)
    if name == "GetStyles":
        return requests.styles_request(service, wanted.layers, **sending)
    raise InvalidRequest(tr("There is no operation called {name}.", name=name))


def expected_of(service: Service, wanted: Wanted) -> Tuple[str, Optional[Tuple[int, int]]]:
    """What ``explain_answer`` is to expect: a kind or media type, and the (width, height) of a map."""
    if wanted.operation == "GetMap":
        # INIMAGE and BLANK are answers of the size that was asked for, too
        return "image", size_of(service, wanted)
    if wanted.operation == "GetFeatureInfo":
        return wanted.info_format or "any", None
    return ("image" if wanted.operation == "GetLegendGraphic" else "xml"), None


def size_of(service: Service, wanted: Wanted) -> Tuple[int, int]:
    """(width, height) in pixels of the map that is ``wanted``; a layer's fixed size before all (7.2.4.7.6)."""
    layers = choices.layers_named(service, wanted.layers)
    fixed = next((layer.fixed_size for layer in layers if any(layer.fixed_size)), (None, None))
    if wanted.height:
        width, height = wanted.width, wanted.height
    else:
        width, height = fitting_size(native_box(service, layers, wanted), wanted.width,
                                     (service.limits.width, service.limits.height))
    return fixed[0] or width, fixed[1] or height


def native_box(service: Service, layers: List[Layer], wanted: Wanted) -> Tuple[float, float, float, float]:
    """The box in the wanted CRS, x to the east; InvalidRequest where the layers are not offered in it."""
    crs = map_crs(layers, wanted.crs, wanted.bbox)
    if wanted.bbox is None:
        return boxes.full_box(layers, crs, choices.numbers(service))
    return boxes.from_degrees(crs, wanted.bbox)


def _map(service: Service, wanted: Wanted) -> MapChoices:
    width, height = size_of(service, wanted)
    return MapChoices(layers=wanted.layers, crs=wanted.crs, width=width, height=height, bbox=wanted.bbox,
                      styles=wanted.styles, format=wanted.format, transparent=wanted.transparent or None,
                      background=wanted.background, exceptions=wanted.exceptions,
                      dimensions=dict(wanted.dimensions), own_style=wanted.own_style)


def _feature_info(service: Service, wanted: Wanted, sending: Mapping[str, str]) -> Request:
    """Of the chosen layers those are asked that can be; where none can, the builder says so."""
    chosen = _map(service, wanted)
    layers = choices.layers_named(service, wanted.layers)
    asked = [layer.name or "" for layer in layers if layer.queryable] or list(wanted.layers)
    column = chosen.width // 2 if wanted.column is None else wanted.column
    row = chosen.height // 2 if wanted.row is None else wanted.row
    return requests.feature_info_request(service, chosen, column, row, query_layers=asked,
                                         info_format=wanted.info_format, feature_count=wanted.feature_count, **sending)
