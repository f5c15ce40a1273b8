"""WMS: maps of the layers that are named, which QGIS's WMS provider requests."""

from __future__ import annotations

from typing import Optional

from ..wms.responses.layer_descriptions import named_addresses
from .identity import by_service
from .layer_source import LayerSource, SourceType
from .source_kind import LayerSourceKind, SentRequest, SourceProof, capabilities_request
from .source_text import driver_source, encoded_parameters, is_of_tiles, layer_names


def _read(provider: str, source: str) -> Optional[LayerSource]:
    if provider != "wms":
        return driver_source(SourceType.WMS, source) if provider in ("gdal", "ogr") else None
    parameters = encoded_parameters(source)
    return None if is_of_tiles(parameters) else LayerSource(SourceType.WMS, parameters.get("url", ""),
                                                            names=layer_names(source))


def _proof(source: LayerSource) -> SourceProof:
    """Return that its requests are watched, if they are recognised by its layers' names: a comma would divide one."""
    is_matched = bool(source.names) and not any("," in name for name in source.names)
    return SourceProof.WATCHED if source.address and is_matched else SourceProof.UNCHECKED


def _draws(source: LayerSource, request: SentRequest) -> bool:
    # the address of GetMap is the one in the capabilities, which may be another than the source's
    return request.parameters.get("REQUEST", "").lower() == "getmap" and (
        tuple(request.parameters.get("LAYERS", "").split(",")) == source.names)


KIND = LayerSourceKind(SourceType.WMS, _read, by_service, _proof, _draws, draws_images=True,
                       first_request=capabilities_request("WMS"), named_addresses=named_addresses)
