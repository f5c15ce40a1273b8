"""GetFeatureInfo: the features at a pixel of a map (OGC 06-042 7.4, 01-068r3 7.3)."""

from __future__ import annotations

from typing import Dict, Optional, Sequence

from ...errors import InvalidRequest
from ...i18n import tr
from ...request import HttpMethod, Request
from ..model.protocol import base_parameters
from ..model.service import Service
from . import request_validation
from .get_map import MapOptions, map_parameters
from .urls import ParameterValue, build_request

#: formats by preference: structured ones before text, HTML last
PREFERRED_INFO_FORMATS = ("application/geo+json", "application/json", "application/geojson", "application/vnd.geo+json",
                          "application/vnd.ogc.gml/3.1.1", "application/vnd.ogc.gml", "application/gml+xml",
                          "text/xml; subtype=gml/3.1.1", "text/xml", "application/xml", "text/plain", "text/html")


def feature_info_request(service: Service, options: MapOptions, i: int, j: int, *,
                         query_layers: Optional[Sequence[str]] = None, info_format: str = "", feature_count: int = 1,
                         method: HttpMethod = HttpMethod.GET, address: str = "") -> Request:
    """Return a GetFeatureInfo request (7.4) for column ``i`` and row ``j`` of the map described by ``options``.

    Columns and rows count from 0 at the upper left (7.4.3.7). ``query_layers`` are some of the map's layers, all of
    them by default. INFO_FORMAT is mandatory: the best advertised format is chosen if ``info_format`` is empty.
    ``feature_count`` is the maximum for each layer. 1 is the standard's default and is not sent.

    Raises InvalidRequest for a request that the capabilities do not allow, and UnknownCrs for an unknown CRS.
    """
    info = request_validation.require_operation(service, "GetFeatureInfo")
    map_part = map_parameters(service, options)
    map_part.pop("EXCEPTIONS", None)
    queried = list(options.layers if query_layers is None else query_layers)
    _check_query_layers(service, options, queried)
    if not (0 <= i < options.width and 0 <= j < options.height):
        raise InvalidRequest(
            tr("The point {i}, {j} lies outside the map of {width} × {height} pixels.", i=i, j=j, width=options.width,
               height=options.height))
    if feature_count < 1:
        raise InvalidRequest(tr("At least one feature must be requested."))
    column, row = ("I", "J") if request_validation.version_numbers(service) >= (1, 3) else ("X", "Y")
    parameters: Dict[str, ParameterValue] = {**base_parameters(service.version, "GetFeatureInfo"), **map_part}
    parameters["QUERY_LAYERS"] = queried
    parameters["INFO_FORMAT"] = request_validation.choose_format(info, info_format, PREFERRED_INFO_FORMATS)
    if feature_count != 1:
        parameters["FEATURE_COUNT"] = str(feature_count)
    parameters[column], parameters[row] = str(i), str(j)
    if options.exceptions:
        parameters["EXCEPTIONS"] = request_validation.exceptions_parameter(service, "xml")
    return build_request(request_validation.operation_url(info, method, address), method, parameters)


def _check_query_layers(service: Service, options: MapOptions, query_layers: Sequence[str]) -> None:
    """Check QUERY_LAYERS: at least one, all part of the map (7.4.3.4), all queryable (7.2.4.7.2)."""
    layers = request_validation.require_layers(service, query_layers)
    for layer in layers:
        if layer.name not in options.layers:
            raise InvalidRequest(tr("The layer “{layer}” is not part of the queried map.", layer=layer.name))
        if not layer.queryable:
            queryable = [candidate.name for candidate in service.iter_layers() if candidate.queryable]
            raise InvalidRequest(tr("The layer “{layer}” cannot be queried. These can: {offered}.",
                                    layer=layer.name, offered=request_validation.summarise_names(queryable)))
