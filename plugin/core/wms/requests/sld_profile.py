"""The SLD profile of WMS (05-078r4, 02-070 for 1.1.x).

It contains GetLegendGraphic, DescribeLayer, GetStyles and styles of the user (SLD, SLD_BODY).
"""

from __future__ import annotations

import re
from typing import Dict, Optional, Sequence, Tuple

from ...errors import InvalidRequest, UnreadableDocument
from ...i18n import tr
from ...request import HttpMethod, Request
from ...safe_xml import parse
from ..crs.bounding_boxes import format_number
from ..model.service import Layer, LinkedDocument, Service
from ..model.xml_values import local_name
from . import request_validation
from .urls import ParameterValue, build_request, complete_url

LEGEND_FORMATS = ("image/png", "image/png; mode=8bit", "image/gif", "image/jpeg", "image/svg+xml")

_WEB_ADDRESS = re.compile(r"https?://\S+\Z", re.IGNORECASE)
_XML_DECLARATION = re.compile(r"\A<\?xml[^>]*\?>\s*")


def legend_request(service: Service, layer: str, style: str = "", *, format: str = "",
                   size: Optional[Tuple[int, int]] = None, scale: Optional[float] = None, rule: str = "",
                   user_style: str = "", method: HttpMethod = HttpMethod.GET, address: str = "") -> Request:
    """Return the request for the legend of a layer in a style.

    It is a GetLegendGraphic request, or, if the service does not have that operation, a GET of the advertised
    LegendURL. ``size`` (width and height in pixels) and ``rule`` select one symbol, ``scale`` (a denominator) the
    symbols drawn at that scale. All three require GetLegendGraphic. Raises InvalidRequest if the service offers
    neither.
    """
    described = request_validation.require_layers(service, [layer])[0]
    name = request_validation.styles_parameter([described], [style])[0]
    info = service.operation("GetLegendGraphic")
    if info is None or not (address or info.get or info.post):
        link = advertised_legend(described, name)
        if link is None:
            raise InvalidRequest(tr("The service offers no legend for the layer “{layer}”.", layer=layer))
        return Request(HttpMethod.GET, complete_url(link.url))
    parameters: Dict[str, ParameterValue] = {
        **_base_parameters(service, "GetLegendGraphic"), "LAYER": layer, "STYLE": name,
        "FORMAT": request_validation.choose_format(info, format, LEGEND_FORMATS)
    }
    parameters.update(user_style_parameters(service, user_style))
    if rule:
        parameters["RULE"] = rule
    if size is not None:
        if min(size) < 1 or max(size) > request_validation.MAX_PIXELS_PER_SIDE:
            raise InvalidRequest(tr("A legend of {width} × {height} pixels cannot be drawn.",
                                    width=size[0], height=size[1]))
        parameters["WIDTH"], parameters["HEIGHT"] = str(size[0]), str(size[1])
    if scale is not None:
        if not 0 < scale < float("inf"):
            raise InvalidRequest(tr("The scale must be a number above 0."))
        parameters["SCALE"] = format_number(scale)
    return build_request(request_validation.operation_url(info, method, address), method, parameters)


def advertised_legend(layer: Layer, style: str = "") -> Optional[LinkedDocument]:
    """Return the LegendURL of a style of the layer, defined here or inherited (7.2.4.6.5), or None.

    Without ``style`` it is the first style with a legend.
    """
    chosen = layer.style(style) if style else next((candidate for candidate in layer.styles if candidate.legends), None)
    legends = chosen.legends if chosen else ()
    preferred = [legend for legend in legends if (legend.format or "").lower().startswith(LEGEND_FORMATS)]
    return next(iter(preferred or legends), None)


def describe_layer_request(service: Service, layers: Sequence[str], *, method: HttpMethod = HttpMethod.GET,
                           address: str = "") -> Request:
    """Return a DescribeLayer request (05-078r4 8.2) for the WFS or WCS behind ``layers``.

    Raises InvalidRequest if the service does not offer it.
    """
    info = request_validation.require_operation(service, "DescribeLayer")
    request_validation.require_layers(service, layers)
    parameters: Dict[str, ParameterValue] = {**_base_parameters(service, "DescribeLayer"), "LAYERS": list(layers)}
    return build_request(request_validation.operation_url(info, method, address), method, parameters)


def styles_request(service: Service, layers: Sequence[str], *, method: HttpMethod = HttpMethod.GET,
                   address: str = "") -> Request:
    """Return a GetStyles request (02-070 15.2, MapServer's ``ms:GetStyles``) for the SLD of ``layers``.

    Raises InvalidRequest if the service does not offer it.
    """
    info = request_validation.require_operation(service, "GetStyles")
    request_validation.require_layers(service, layers)
    head = _base_parameters(service, "GetStyles")
    head.pop("SLD_VERSION", None)
    parameters: Dict[str, ParameterValue] = {**head, "LAYERS": list(layers)}
    return build_request(request_validation.operation_url(info, method, address), method, parameters)


def user_style_parameters(service: Service, style: str) -> Dict[str, ParameterValue]:
    """Return SLD for a web address, SLD_BODY for a StyledLayerDescriptor, nothing for an empty text (05-078r4 7.2,
    9.2).

    Raises InvalidRequest if the service does not announce SupportSLD, or if ``style`` is neither of the two.
    """
    text = style.strip().lstrip("\ufeff")
    if not text:
        return {}
    if not service.supports_sld:
        raise InvalidRequest(tr("The service does not advertise support for custom styles (SLD)."))
    if _WEB_ADDRESS.match(text):
        return {"SLD": text}
    # the request is in UTF-8, whatever encoding the file declares
    text = _XML_DECLARATION.sub("", text)
    try:
        root = parse(text.encode("utf-8"), tr("The style"))
    except UnreadableDocument as error:
        raise InvalidRequest(error.user_text, error.detail) from error
    if local_name(root) != "StyledLayerDescriptor":
        raise InvalidRequest(
            tr("A custom style must be a StyledLayerDescriptor (SLD) or its web address; this is “{element}”.",
               element=local_name(root)[:80]))
    return {"SLD_BODY": text}


def _base_parameters(service: Service, request: str) -> Dict[str, ParameterValue]:
    """Return SERVICE, VERSION and REQUEST. WMS 1.3.0 uses version 1.1.0 of the SLD profile (SLD_VERSION)."""
    head: Dict[str, ParameterValue] = {"SERVICE": "WMS", "VERSION": service.version, "REQUEST": request}
    if request_validation.version_numbers(service) >= (1, 3):
        head["SLD_VERSION"] = "1.1.0"
    return head
