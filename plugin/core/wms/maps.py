"""GetMap: the choices of a map, checked, and their parameters (OGC 06-042 7.3, 01-068r3 7.2, 00-028 for 1.0.0)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Dict, List, Mapping, Optional, Sequence, Tuple

from ..errors import InvalidRequest
from ..i18n import tr
from ..request import Request
from . import boxes, choices
from .addresses import Value
from .crs import completed, is_known_automatic, proj_definition
from .dimension_values import dimension_parameters
from .model import Layer, Service
from .own_style import style_parameters
from .proj import unknown
from .sending import send
from .sld_body import map_body, takes_xml
from .versions import head

#: the formats that a map is best asked for in, where nobody chose one
PREFERRED_FORMATS = ("image/png", "image/png; mode=8bit", "image/png8", "image/jpeg", "image/gif", "image/webp",
                     "image/tiff")


@dataclass(frozen=True)
class MapChoices:
    """What a map shall show.

    ``layers`` from the bottom to the top (7.3.3.3), ``styles`` as many, or none for the default ones. The box is either
    ``bbox`` (west, south, east, north in degrees, WGS 84) or ``native_box`` (minx, miny, maxx, maxy in ``crs`` with x
    to the east, as QGIS has it, whatever the CRS's own axis order is); with neither, the layers' full box.
    ``dimensions`` by name. ``own_style`` is an SLD or its address.
    """

    layers: Sequence[str]
    crs: str
    width: int
    height: int
    bbox: Optional[Sequence[float]] = None
    native_box: Optional[Sequence[float]] = None
    styles: Sequence[str] = ()
    format: str = ""
    transparent: Optional[bool] = None
    background: str = ""
    exceptions: str = ""
    dimensions: Mapping[str, str] = field(default_factory=dict)
    own_style: str = ""


def map_request(service: Service, chosen: MapChoices, method: str = "GET", address: str = "",
                encoding: str = "") -> Request:
    """GetMap (7.3). ``address`` replaces the advertised one; ``encoding`` is ``form`` or ``xml`` for POST, else what is
    declared.

    InvalidRequest, with what is offered, for everything that the service's capabilities do not allow.
    """
    parameters = {**head(service.version, "GetMap"), **map_part(service, chosen)}
    info = choices.operation(service, "GetMap")
    target = choices.address_of(info, method, address)
    if method == "POST" and takes_xml(info, encoding):
        return send(target, method, parameters, body=map_body(service, parameters))
    return send(target, method, parameters)


def map_part(service: Service, chosen: MapChoices) -> Dict[str, Value]:
    """The parameters of the map itself, without VERSION and REQUEST: also the first part of GetFeatureInfo
    (7.4.3.3).
    """
    version = choices.numbers(service)
    layers = choices.layers_named(service, chosen.layers)
    choices.check_layer_limit(service, len(layers))
    styles = choices.styles_for(layers, chosen.styles)
    crs = map_crs(layers, chosen.crs, chosen.bbox, chosen.native_box is None)
    choices.check_size(service, layers, chosen.width, chosen.height)
    box = _box(layers, chosen, crs, version)
    parameters: Dict[str, Value] = {
        "LAYERS": list(chosen.layers), "STYLES": styles,
        "CRS" if version >= (1, 3) else "SRS": _crs_value(crs),
        "BBOX": boxes.bbox_values(crs, box, version),
        "WIDTH": str(chosen.width), "HEIGHT": str(chosen.height),
        "FORMAT": choices.format_for(choices.operation(service, "GetMap"), chosen.format, PREFERRED_FORMATS)}
    if chosen.transparent is not None:
        parameters["TRANSPARENT"] = "TRUE" if chosen.transparent else "FALSE"
    if chosen.background:
        parameters["BGCOLOR"] = choices.colour(chosen.background)
    if chosen.exceptions:
        parameters["EXCEPTIONS"] = choices.exceptions_for(service, chosen.exceptions)
    parameters.update(dimension_parameters(layers, chosen.dimensions))
    parameters.update(style_parameters(service, chosen.own_style))
    return parameters


def map_crs(layers: Sequence[Layer], code: str, bbox: Optional[Sequence[float]], whole: bool = True) -> str:
    """The CRS as the layers spell it; an automatic projection without parameters is centred on the map: on ``bbox``
    (degrees), else, where the map is ``whole``, on the first layer's box.
    """
    crs = choices.crs_for(layers, code)
    geographic = next((layer.geographic_bbox for layer in layers if layer.geographic_bbox), None) if whole else None
    box = bbox if bbox is not None else boxes.degrees(geographic) if geographic is not None else None
    if box is not None and len(box) == 4:
        crs = completed(crs, (box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
    try:
        proj_definition(crs)
    except ValueError as error:
        bare = crs.partition(",")[0]
        if not is_known_automatic(bare):
            raise unknown(crs, str(error)) from error
        raise InvalidRequest(
            tr("The automatic projection {code} needs a unit, a longitude and a latitude, such as {example}.", code=crs,
               example=completed(bare, -3.5, 38.4)), str(error)) from error
    return crs


def _crs_value(crs: str) -> Value:
    """An automatic projection's parameters are a list, whose commas stay literal."""
    return crs.split(",") if crs[:4].upper() == "AUTO" else crs


def _box(layers: Sequence[Layer], chosen: MapChoices, crs: str, version: Tuple[int, int, int]) -> boxes.Box:
    """The map's box (x to the east); a layer with noSubsets is only drawn whole (7.2.4.7.5)."""
    if chosen.bbox is not None and chosen.native_box is not None:
        raise InvalidRequest(tr("Give the map's box either in degrees or in the units of {crs}, not both.", crs=crs))
    whole = [layer for layer in layers if layer.no_subsets]
    if chosen.native_box is not None:
        box = boxes.checked(chosen.native_box)
    elif chosen.bbox is not None:
        box = boxes.from_degrees(crs, chosen.bbox)
    else:
        return boxes.full_box(whole or layers, crs, version)
    for layer in whole:
        full = boxes.advertised_box(layer, crs, version)
        if full is None:
            continue
        geographic = layer.geographic_bbox
        whole_in_degrees = geographic is not None and chosen.bbox is not None \
            and boxes.same(chosen.bbox, boxes.degrees(geographic))
        if not (whole_in_degrees or boxes.same(box, full)):
            told: List[str] = [boxes.number(value) for value in full]
            raise InvalidRequest(tr("The layer “{layer}” is only drawn whole: its box in {crs} is {box}.",
                                    layer=layer.name, crs=crs, box=", ".join(told)))
        box = full
    return box
