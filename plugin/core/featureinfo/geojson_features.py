"""GetFeatureInfo responses in GeoJSON (RFC 7946, and the 2008 form with ``crs`` that servers still use)."""

from __future__ import annotations

import json
from itertools import chain, islice
from typing import Any, Iterator, Mapping, Optional, Tuple

from ..errors import CartoguideError
from ..json_document import parse_json
from ..wms.crs.codes import normalise_crs
from .features import IdentifiedFeature
from .geometry import Geometry, geometry_from_geojson

#: limits of one response: more than was requested, less than would block the window
MAX_FEATURES = 100
MAX_ATTRIBUTES = 200
_MAX_VALUE_LENGTH = 10_000
_MAX_DEPTH = 4


def read_geojson_features(text: str, request_crs: str) -> Optional[Tuple[IdentifiedFeature, ...]]:
    """Return the features of a FeatureCollection or Feature, or None for any other text.

    Coordinates are always x, y. Without ``crs`` they are degrees if possible (RFC 7946, 4), otherwise in
    ``request_crs``.
    """
    try:
        document = parse_json(text.lstrip("\ufeff").encode("utf-8", "replace"))
    except CartoguideError:
        return None
    if not isinstance(document, Mapping):
        return None
    listed = [document] if document.get("type") == "Feature" else document.get("features")
    if not isinstance(listed, list):
        return None
    common = _crs(document)
    collection_name = document.get("name") if isinstance(document.get("name"), str) else ""
    return tuple(
        _feature(item, common, str(collection_name or ""), request_crs) for item in listed[:MAX_FEATURES]
        if isinstance(item, Mapping))


def _feature(item: Mapping[str, Any], common: str, collection_name: str, request_crs: str) -> IdentifiedFeature:
    identifier = str(item["id"]) if isinstance(item.get("id"), (str, int)) else ""
    # GeoServer and QGIS Server: layer, a dot, the feature's number
    layer = collection_name or (identifier.rpartition(".")[0] if "." in identifier else "")
    properties = item.get("properties")
    members = properties.items() if isinstance(properties, Mapping) else ()
    pairs = chain.from_iterable(_flatten(str(key), value, 0) for key, value in members)
    geometry = geometry_from_geojson(item.get("geometry"))
    crs = _crs(item) or common or _guess_crs(geometry, request_crs)
    return IdentifiedFeature(layer, tuple(islice(pairs, MAX_ATTRIBUTES)), identifier, crs, geometry)


def _flatten(name: str, value: Any, depth: int) -> Iterator[Tuple[str, str]]:
    """Yield a property as pairs of texts. Nested properties are named by their path."""
    if isinstance(value, Mapping) and depth < _MAX_DEPTH:
        for key, inner in value.items():
            yield from _flatten(f"{name}.{key}", inner, depth + 1)
    elif value is None:
        yield name, ""
    elif isinstance(value, bool):
        yield name, "true" if value else "false"
    elif isinstance(value, (list, Mapping)):
        yield name, json.dumps(value, ensure_ascii=False)[:_MAX_VALUE_LENGTH]
    else:
        yield name, str(value)[:_MAX_VALUE_LENGTH]


def _crs(item: Mapping[str, Any]) -> str:
    crs = item.get("crs")
    properties = crs.get("properties") if isinstance(crs, Mapping) else None
    name = properties.get("name") if isinstance(properties, Mapping) else None
    return normalise_crs(name) if isinstance(name, str) else ""


def _guess_crs(geometry: Optional[Geometry], request_crs: str) -> str:
    if geometry is None:
        return ""
    west, south, east, north = geometry.bbox()
    return "CRS:84" if -180 <= west <= east <= 360 and -90 <= south <= north <= 90 else normalise_crs(request_crs)
