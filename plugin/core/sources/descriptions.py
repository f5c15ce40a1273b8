"""Descriptions of services that are not WMS, recognised by their content: capabilities, ArcGIS, OGC API, tile sets."""

from __future__ import annotations

from typing import Any, List

from .. import json_document
from ..errors import UnreadableDocument
from .arcgis import is_esri_description, read_esri_info
from .ogcapi_features import is_ogcapi_description, read_api_definition, read_collections, read_ogcapi_description
from .ows_capabilities import read_ows_info
from .source_kind import ProviderInfo
from .tilejson import read_style, read_tilejson

#: types of GeoJSON, whose objects are features and records
_GEOJSON = ("Feature", "FeatureCollection")


def read_descriptions(data: bytes, name: str = "") -> List[ProviderInfo]:
    """Return what a document says of the services, collections or tile sets that it describes.

    The list is empty for a document of another kind, such as a record. Raises UnreadableDocument for a broken one, and
    CartoguideError for the error of an ArcGIS server.
    """
    if data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"<":
        try:
            return [read_ows_info(data, name)]
        except UnreadableDocument:
            return []
    value: Any = json_document.parse_json(data, name)
    if not isinstance(value, dict) or value.get("type") in _GEOJSON or "stac_version" in value:
        return []
    if "tilejson" in value or isinstance(value.get("tiles"), list):
        return [read_tilejson(data, name)]
    if isinstance(value.get("sources"), dict) and isinstance(value.get("layers"), list):
        return [read_style(data, name).info]
    if "openapi" in value and isinstance(value.get("info"), dict):
        return [read_api_definition(data, name)]
    if is_esri_description(value):
        return [read_esri_info(data, name)]
    if isinstance(value.get("collections"), list):
        return read_collections(data, name)
    return [read_ogcapi_description(data, name)] if is_ogcapi_description(value) else []
