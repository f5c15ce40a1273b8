"""GetFeatureInfo: what lies at a pixel of a map (OGC 06-042 7.4, 01-068r3 7.3)."""

from __future__ import annotations

from typing import Dict, Optional, Sequence

from ..errors import InvalidRequest
from ..i18n import tr
from ..request import Request
from . import choices
from .addresses import Value
from .maps import MapChoices, map_part
from .model import Service
from .sending import send
from .versions import head

#: the formats that answers are best read in: structured ones before text, HTML last
PREFERRED_FORMATS = ("application/geo+json", "application/json", "application/geojson", "application/vnd.geo+json",
                     "application/vnd.ogc.gml/3.1.1", "application/vnd.ogc.gml", "application/gml+xml",
                     "text/xml; subtype=gml/3.1.1", "text/xml", "application/xml", "text/plain", "text/html")


def feature_info_request(service: Service, chosen: MapChoices, i: int, j: int, *,
                         query_layers: Optional[Sequence[str]] = None, info_format: str = "", feature_count: int = 1,
                         method: str = "GET", address: str = "") -> Request:
    """GetFeatureInfo (7.4) at column ``i`` and row ``j`` of the map ``chosen``, counted from 0 at its upper left
    (7.4.3.7).

    ``query_layers`` are some of the map's layers (all of them unless given), each of them queryable; INFO_FORMAT is
    mandatory and chosen where it is not given. ``feature_count`` is for each layer; 1 is the standard's default and not
    sent.
    """
    info = choices.operation(service, "GetFeatureInfo")
    part = map_part(service, chosen)
    part.pop("EXCEPTIONS", None)
    asked = list(chosen.layers if query_layers is None else query_layers)
    _check_layers(service, chosen, asked)
    if not (0 <= i < chosen.width and 0 <= j < chosen.height):
        raise InvalidRequest(tr("The point {i}, {j} lies outside the map of {width} × {height} pixels.", i=i, j=j,
                                width=chosen.width, height=chosen.height))
    if feature_count < 1:
        raise InvalidRequest(tr("At least one feature must be asked for."))
    column, row = ("I", "J") if choices.numbers(service) >= (1, 3) else ("X", "Y")
    parameters: Dict[str, Value] = {**head(service.version, "GetFeatureInfo"), **part}
    parameters["QUERY_LAYERS"] = asked
    parameters["INFO_FORMAT"] = choices.format_for(info, info_format, PREFERRED_FORMATS)
    if feature_count != 1:
        parameters["FEATURE_COUNT"] = str(feature_count)
    parameters[column], parameters[row] = str(i), str(j)
    if chosen.exceptions:
        parameters["EXCEPTIONS"] = choices.exceptions_for(service, "xml")
    return send(choices.address_of(info, method, address), method, parameters)


def _check_layers(service: Service, chosen: MapChoices, asked: Sequence[str]) -> None:
    """QUERY_LAYERS: at least one, all of the map's layers (7.4.3.4), all queryable (7.2.4.7.2)."""
    layers = choices.layers_named(service, asked)
    for layer in layers:
        if layer.name not in chosen.layers:
            raise InvalidRequest(tr("The layer “{layer}” is not part of the map that is asked about.",
                                    layer=layer.name))
        if not layer.queryable:
            offered = choices.told(own.name for own in service.layers() if own.queryable)
            raise InvalidRequest(tr("The layer “{layer}” cannot be asked for information. These can: {offered}.",
                                    layer=layer.name, offered=offered))
