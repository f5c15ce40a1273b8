"""The registry of the kinds of sources, and the small ones of them: WMS, WMTS, XYZ, WFS, WCS and local data."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import Dict, Optional, Tuple

from ..addresses import is_web_address
from ..wms.responses.layer_descriptions import named_addresses
from . import arcgis, files, ogcapi_features, vector_tiles
from .files import file_proof
from .identity import by_layer, by_service, by_table
from .layer_source import LayerSource, SourceType
from .ows_capabilities import ows_terms
from .source_kind import (
    LayerSourceKind,
    SentRequest,
    SourceProof,
    addresses_of_operations,
    capabilities_request,
    draws_tiles,
    fetched_from,
)
from .source_text import (
    FILE_PROVIDERS,
    driver_source,
    encoded_parameters,
    is_local,
    is_of_tiles,
    layer_names,
    service_reader,
)
from .tile_grid import is_template
from .tilejson import tile_terms


def _read_wms(provider: str, source: str) -> Optional[LayerSource]:
    if provider != "wms":
        return driver_source(SourceType.WMS, source) if provider in ("gdal", "ogr") else None
    parameters = encoded_parameters(source)
    return None if is_of_tiles(parameters) else LayerSource(SourceType.WMS, parameters.get("url", ""),
                                                            names=layer_names(source))


def _wms_proof(source: LayerSource) -> SourceProof:
    """Return that its requests are watched, if they are recognised by its layers' names: a comma would divide one."""
    is_matched = bool(source.names) and not any("," in name for name in source.names)
    return SourceProof.WATCHED if source.address and is_matched else SourceProof.UNCHECKED


def _draws_wms(source: LayerSource, request: SentRequest) -> bool:
    # the address of GetMap is the one in the capabilities, which may be another than the source's
    return request.parameters.get("REQUEST", "").lower() == "getmap" and (
        tuple(request.parameters.get("LAYERS", "").split(",")) == source.names)


_WMS = LayerSourceKind(SourceType.WMS, _read_wms, by_service, _wms_proof, _draws_wms, draws_images=True,
                       first_request=capabilities_request("WMS"), named_addresses=named_addresses)


def _read_wmts(provider: str, source: str) -> Optional[LayerSource]:
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


def _draws_wmts(source: LayerSource, request: SentRequest) -> bool:
    # the address of a tile with parameters (8.2.1), or as a resource (10.2) whose path names the layer
    if "REQUEST" in request.parameters:
        return request.is_operation("GetTile", source.names, "LAYER")
    return any(name in request.segments for name in source.names)


def _wmts_proof(source: LayerSource) -> SourceProof:
    """Return that its tiles are fetched, if they are pictures of one layer, and not those of GDAL's driver."""
    is_picture = not source.by_gdal and not encoded_parameters(source.text).get("interpretation")
    is_known = is_picture and len(source.names) == 1 and is_web_address(source.address)
    return SourceProof.WATCHED if is_known else SourceProof.UNCHECKED


_WMTS = LayerSourceKind(SourceType.WMTS, _read_wmts, by_service, _wmts_proof, _draws_wmts, True, ows_terms("WMTS"),
                       first_request=capabilities_request("WMTS"), next_addresses=addresses_of_operations,
                       named_addresses=named_addresses)


def _read_xyz(provider: str, source: str) -> Optional[LayerSource]:
    parameters = encoded_parameters(source)
    is_tiles = provider == "wms" and parameters.get("type", "").lower() == "xyz"
    address = parameters.get("url", "")
    return LayerSource(SourceType.XYZ, address) if is_tiles and not is_local(address) else None


def _xyz_proof(source: LayerSource) -> SourceProof:
    """Return that its tiles are fetched, if they are pictures whose addresses are understood."""
    parameters = encoded_parameters(source.text)
    is_known = is_template(source.address) and not parameters.get("interpretation")
    return SourceProof.WATCHED if is_known else SourceProof.UNCHECKED


_XYZ = LayerSourceKind(SourceType.XYZ, _read_xyz, proof=_xyz_proof, draws=draws_tiles, draws_images=True,
                       terms=tile_terms)


def _draws_wfs(source: LayerSource, request: SentRequest) -> bool:
    return request.is_operation("GetFeature", source.names, "TYPENAMES", "TYPENAME")


_WFS = LayerSourceKind(SourceType.WFS, service_reader(SourceType.WFS, "wfs", "geonode"), by_service,
                       fetched_from("wfs"), draws=_draws_wfs, terms=ows_terms("WFS"), described_by_layer=True,
                       first_request=capabilities_request("WFS"), next_addresses=addresses_of_operations)


def _draws_wcs(source: LayerSource, request: SentRequest) -> bool:
    return request.is_operation("GetCoverage", source.names, "COVERAGEID", "IDENTIFIER", "COVERAGE")


def _wcs_proof(source: LayerSource) -> SourceProof:
    """Return that its coverage is fetched, if it is one of WCS 1.0.0 without time."""
    parameters = encoded_parameters(source.text)
    is_known = source.provider.lower() == "wcs" and parameters.get("version", "1.0.0") == "1.0.0" and bool(source.names)
    is_known = is_known and not parameters.get("time") and bool(parameters.get("format"))
    return SourceProof.WATCHED if is_known and is_web_address(source.address) else SourceProof.UNCHECKED


_WCS = LayerSourceKind(SourceType.WCS, service_reader(SourceType.WCS, "wcs"), by_service, _wcs_proof, draws=_draws_wcs,
                       terms=ows_terms("WCS"), described_by_layer=True, first_request=capabilities_request("WCS"))


_DATABASES = frozenset(("postgres", "postgresraster", "mssql", "oracle", "hana", "db2", "spatialite", "grass"))
_MEMORY = frozenset(("memory", "mesh_memory"))
_DATABASE_DRIVER = re.compile(r"(?:PG|MySQL|MSSQL|OCI|MongoDB\w*):", re.IGNORECASE)


def _read_database(provider: str, source: str) -> Optional[LayerSource]:
    is_database = provider in _DATABASES or provider in FILE_PROVIDERS and _DATABASE_DRIVER.match(source)
    return LayerSource(SourceType.DATABASE) if is_database else None


def _read_memory(provider: str, source: str) -> Optional[LayerSource]:
    is_in_memory = provider in _MEMORY or provider in FILE_PROVIDERS and source.lower().startswith("/vsimem/")
    return LayerSource(SourceType.MEMORY) if is_in_memory else None


def _read_virtual(provider: str, _source: str) -> Optional[LayerSource]:
    return LayerSource(SourceType.VIRTUAL) if provider in ("virtual", "virtualraster") else None


def _local(_source: LayerSource) -> SourceProof:
    return SourceProof.LOCAL


def _memory_proof(source: LayerSource) -> SourceProof:
    return SourceProof.LOCAL if source.provider.lower() in _MEMORY else file_proof(source)


_DATABASE = LayerSourceKind(SourceType.DATABASE, _read_database, by_table, _local, names_server=True)
_MEMORY_KIND = LayerSourceKind(SourceType.MEMORY, _read_memory, by_layer, _memory_proof, names_server=True)
#: only QGIS knows of which layers they are made
_VIRTUAL = LayerSourceKind(SourceType.VIRTUAL, _read_virtual, by_layer, names_server=True)
#: they have no provider
_ANNOTATIONS = LayerSourceKind(SourceType.ANNOTATIONS, lambda _provider, _source: None, by_layer, _local)


OTHER = LayerSourceKind(SourceType.OTHER, lambda _provider, _source: LayerSource(SourceType.OTHER), names_server=True)
#: in the order in which they are asked for a source: services before the files that they may lie in
KINDS = (_WMS, _WMTS, _XYZ, vector_tiles.KIND, arcgis.KIND, _WFS, ogcapi_features.KIND, _WCS,
         _DATABASE, _MEMORY_KIND, _VIRTUAL, _ANNOTATIONS, files.FILE,
         files.WEB_FILE, OTHER)
_BY_TYPE: Dict[SourceType, LayerSourceKind] = {kind.type: kind for kind in KINDS}
_MAX_CACHED = 4_000


def kind_of(source: LayerSource) -> LayerSourceKind:
    return _BY_TYPE[source.type]


def read_source(provider: str, source: str) -> LayerSource:
    """Return the source of a layer from the provider's name and the layer's source text in QGIS."""
    # the features of a temporary layer may stand in its source
    return (_read if len(source) > _MAX_CACHED else _read_cached)(provider, source)


def _read(provider: str, source: str) -> LayerSource:
    found = next(found for kind in KINDS for found in [kind.read(provider.lower(), source)] if found is not None)
    return replace(found, provider=provider, text=source)


_read_cached = lru_cache(maxsize=4096)(_read)


@lru_cache(maxsize=4096)
def source_keys(source: LayerSource, layer_id: str, folder: str) -> Tuple[str, ...]:
    """Return the names of the source of a layer in a project in ``folder``, of which one is enough to know it by."""
    return kind_of(source).identity(source, layer_id, folder)
