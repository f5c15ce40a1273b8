"""Checks of request options against the capabilities: layers, styles, formats, CRS, sizes, exceptions (06-042 7.3.3).

All functions raise InvalidRequest, which lists what the service offers.
"""

from __future__ import annotations

import re
from typing import Dict, Iterable, List, Optional, Sequence, Tuple

from ...errors import InvalidRequest
from ...i18n import tr
from ...request import HttpMethod
from ...text import list_names
from ..crs.codes import advertised_crs
from ..model.protocol import parse_version
from ..model.service import Layer, OperationInfo, Service

#: names listed in an error before the others are only counted
_MAX_NAMES_LISTED = 12
#: largest size of one request, whatever the service allows
MAX_PIXELS_PER_SIDE = 50_000

_EXCEPTIONS_1_3 = {"xml": "XML", "inimage": "INIMAGE", "blank": "BLANK"}
_EXCEPTIONS_1_1 = {"xml": "application/vnd.ogc.se_xml", "inimage": "application/vnd.ogc.se_inimage",
                   "blank": "application/vnd.ogc.se_blank"}
_EXCEPTIONS_1_0 = {"xml": "WMS_XML", "inimage": "INIMAGE", "blank": "BLANK"}
_COLOUR = re.compile(r"(?:#|0[xX])?([0-9A-Fa-f]{6})\Z")


def version_numbers(service: Service) -> Tuple[int, int, int]:
    """Return the service's version as three numbers."""
    return parse_version(service.version) or (1, 3, 0)


def require_operation(service: Service, name: str) -> OperationInfo:
    """Return the operation that ``service`` advertises under ``name``, with or without prefix.

    Raises InvalidRequest if it is not advertised.
    """
    info = service.operation(name)
    if info is None and name in ("GetMap", "GetCapabilities"):
        return OperationInfo(name)  # every WMS has these (7.1), even if its document omits them
    if info is None:
        raise InvalidRequest(
            tr("The service does not offer {operation}. It offers: {offered}.", operation=name,
               offered=summarise_names(service.operations)))
    return info


def require_layers(service: Service, names: Sequence[str]) -> List[Layer]:
    """Return the layers called ``names``.

    Only layers with a name can be requested (7.2.4.6.3), in the exact spelling (6.8.1). Raises InvalidRequest for any
    other name.
    """
    if not names:
        raise InvalidRequest(
            tr("No layer selected. The service offers: {offered}.", offered=summarise_names(_layer_names(service))))
    index: Dict[str, Layer] = {}
    for layer in service.iter_layers():
        if layer.name is not None:
            index.setdefault(layer.name, layer)
    for name in names:
        if name not in index:
            group = any(layer.name is None and layer.title == name for layer in service.iter_layers())
            if group:
                raise InvalidRequest(
                    tr("“{name}” is only a group without a name and cannot be requested. Select layers inside it.",
                       name=name))
            raise InvalidRequest(
                tr("The service has no layer called “{name}”. It offers: {offered}.", name=name,
                   offered=summarise_names(_layer_names(service))))
    return [index[name] for name in names]


def check_layer_limit(service: Service, count: int) -> None:
    """Check the number of layers in one map against LayerLimit (7.2.4.3)."""
    limit = service.limits.layers
    if limit is not None and count > limit:
        raise InvalidRequest(
            tr("The service draws at most %n layer(s) in one map; {count} were selected.", n=limit, count=count))


def styles_parameter(layers: Sequence[Layer], styles: Sequence[str]) -> List[str]:
    """Return STYLES: one value for each layer, or one empty value if all styles are the default (7.3.3.4).

    An empty style is the layer's default, and so is ``default`` if no style of that name is advertised (7.2.4.6.5).
    """
    if not any(styles):
        return [""]
    if len(styles) != len(layers):
        raise InvalidRequest(tr("Each layer needs one style. Styles given: {styles}, layers: {layers}.",
                                styles=len(styles), layers=len(layers)))
    result = []
    for layer, style in zip(layers, styles):
        is_offered = not style or layer.style(style) is not None
        if not is_offered and style != "default":
            raise InvalidRequest(
                tr("The layer “{layer}” has no style called “{style}”. It offers: {offered}.", layer=layer.name,
                   style=style, offered=summarise_names(candidate.name for candidate in layer.styles)))
        result.append(style if is_offered else "")
    return result if any(result) else [""]


def require_common_crs(layers: Sequence[Layer], code: str) -> str:
    """Return the CRS in the spelling of the layers.

    Raises InvalidRequest if a layer does not offer it, itself or by inheritance (7.2.4.6.7).
    """
    spelling = ""
    for layer in layers:
        offered = advertised_crs(layer, code)
        if offered is None:
            raise InvalidRequest(
                tr("The layer “{layer}” is not offered in {crs}. It is offered in: {offered}.", layer=layer.name,
                   crs=code, offered=summarise_names(layer.crs)))
        spelling = spelling or offered
    return spelling


def choose_format(info: OperationInfo, requested: str, preferred: Sequence[str]) -> str:
    """Return a format as the operation advertises it.

    It is the requested one, otherwise the first of ``preferred`` that is offered, otherwise the first one offered.
    """
    advertised = {_normalise_format(offered): offered for offered in reversed(info.formats)}
    if requested:
        if info.formats and _normalise_format(requested) not in advertised:
            raise InvalidRequest(
                tr("The service does not offer {operation} as {format}. It offers: {offered}.", operation=info.name,
                   format=requested, offered=summarise_names(info.formats)))
        return advertised.get(_normalise_format(requested), requested)
    for media in preferred:
        if _normalise_format(media) in advertised:
            return advertised[_normalise_format(media)]
    return info.formats[0] if info.formats else preferred[0]


def _normalise_format(media: str) -> str:
    """Return a media type without case and spaces. PNG in WMS 1.0.0 is image/png."""
    name = re.sub(r"\s+", "", media).lower()
    return name if "/" in name else f"image/{name}"


def check_size(service: Service, layers: Sequence[Layer], width: int, height: int) -> None:
    """Check WIDTH and HEIGHT in pixels.

    They must be positive, within MaxWidth and MaxHeight (7.2.4.3), and equal to fixedWidth and fixedHeight (7.2.4.7.6).
    """
    if width < 1 or height < 1 or max(width, height) > MAX_PIXELS_PER_SIDE:
        raise InvalidRequest(tr("A map of {width} × {height} pixels cannot be drawn.", width=width, height=height))
    limits = service.limits
    if (limits.width and width > limits.width) or (limits.height and height > limits.height):
        raise InvalidRequest(
            tr("The service draws at most {max_width} × {max_height} pixels; {width} × {height} were requested.",
               max_width=limits.width or "∞", max_height=limits.height or "∞", width=width, height=height))
    for layer in layers:
        fixed_width, fixed_height = layer.fixed_size
        if (fixed_width and width != fixed_width) or (fixed_height and height != fixed_height):
            raise InvalidRequest(tr("The layer “{layer}” is only drawn at {fixed_width} × {fixed_height} pixels.",
                                    layer=layer.name, fixed_width=fixed_width or width,
                                    fixed_height=fixed_height or height))


def exceptions_parameter(service: Service, requested: str) -> str:
    """Return EXCEPTIONS as spelled in the service's version (7.3.3.11, 01-068r3 Annex A).

    ``requested`` is ``xml``, ``inimage``, ``blank`` or a value as advertised.
    """
    version = version_numbers(service)
    spelling = _EXCEPTIONS_1_3 if version >= (1, 3) else _EXCEPTIONS_1_1 if version >= (1, 1) else _EXCEPTIONS_1_0
    name = requested.lower().replace("application/vnd.ogc.se_", "")
    value = spelling.get(name, requested)
    offered = {format_.lower(): format_ for format_ in service.exceptions}
    if name != "xml" and offered and value.lower() not in offered:
        raise InvalidRequest(
            tr("The service does not report errors as {format}. It offers: {offered}.", format=requested,
               offered=summarise_names(service.exceptions)))
    return offered.get(value.lower(), value)


def colour_parameter(value: str) -> str:
    """Return BGCOLOR as 0xRRGGBB (7.3.3.10) from ``#rrggbb`` or ``rrggbb``."""
    match = _COLOUR.match(value.strip())
    if match is None:
        raise InvalidRequest(tr("“{colour}” is not a colour. Write it as #RRGGBB.", colour=value))
    return f"0x{match.group(1).upper()}"


def operation_url(info: OperationInfo, method: HttpMethod, address: str) -> str:
    """Return ``address``, or if it is empty the address that the operation advertises for ``method``."""
    advertised_address = info.get if method is HttpMethod.GET else info.post
    if not advertised_address and method is HttpMethod.POST:
        raise InvalidRequest(tr("The service accepts {operation} by GET only.", operation=info.name))
    url = address or advertised_address
    if not url:
        raise InvalidRequest(tr("The service gives no address for {operation} by {method}.", operation=info.name,
                                method=method.value))
    return url


def summarise_names(names: Iterable[Optional[str]]) -> str:
    """Return the names as a list for an error: the first ones, and the number of the others."""
    unique = list(dict.fromkeys(name for name in names if name))
    if not unique:
        return tr("nothing")
    return list_names([name[:80] for name in unique], _MAX_NAMES_LISTED)


def _layer_names(service: Service) -> Iterable[Optional[str]]:
    return (layer.name for layer in service.iter_layers())
