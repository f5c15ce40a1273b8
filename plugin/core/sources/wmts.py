"""WMTS: tiles in the matrices that the service's capabilities describe (OGC 07-057r7)."""

from __future__ import annotations

from typing import Optional

from ..addresses import is_web_address
from ..wms.responses.layer_descriptions import named_addresses
from .identity import by_service
from .layer_source import LayerSource, SourceType
from .ows_capabilities import ows_terms
from .source_kind import LayerSourceKind, SentRequest, SourceProof, addresses_of_operations, capabilities_request
from .source_text import driver_source, encoded_parameters, is_of_tiles, layer_names


def _read(provider: str, source: str) -> Optional[LayerSource]:
    if provider != "wms":
        return driver_source(SourceType.WMTS, source) if provider in ("gdal", "ogr") else None
    parameters = encoded_parameters(source)
    is_other = not parameters.get("tileMatrixSet") or is_of_tiles({**parameters, "tileMatrixSet": ""})
    return None if is_other else LayerSource(SourceType.WMTS, parameters.get("url", ""), names=layer_names(source))


def tile_time(source: LayerSource) -> str:
    """Return the value of the dimension of time (07-057r7, 7.1.1.2) whose tiles are drawn, or ""."""
    parts = encoded_parameters(source.text).get("tileDimensions", "") if source.type is SourceType.WMTS else ""
    dimensions = (part.partition("=") for part in parts.split(";"))
    time = next((value.strip() for name, _, value in dimensions if name.strip().lower() == "time"), "")
    return "" if time.lower() == "default" else time


def _draws(source: LayerSource, request: SentRequest) -> bool:
    # the address of a tile with parameters (8.2.1), or as a resource (10.2) whose path names the layer
    if "REQUEST" in request.parameters:
        return request.is_operation("GetTile", source.names, "LAYER")
    return any(name in request.segments for name in source.names)


def _proof(source: LayerSource) -> SourceProof:
    """Return that its tiles are fetched, if they are pictures of one layer, and not those of GDAL's driver."""
    is_picture = not source.by_gdal and not encoded_parameters(source.text).get("interpretation")
    is_known = is_picture and len(source.names) == 1 and is_web_address(source.address)
    return SourceProof.WATCHED if is_known else SourceProof.UNCHECKED


KIND = LayerSourceKind(SourceType.WMTS, _read, by_service, _proof, _draws, True, ows_terms("WMTS"),
                       first_request=capabilities_request("WMTS"), next_addresses=addresses_of_operations,
                       named_addresses=named_addresses)
