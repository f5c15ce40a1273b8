"""Layers of the features of services: WFS and OGC API - Features."""

from __future__ import annotations

import base64
from typing import Dict, Mapping, Optional

from qgis.core import QgsCoordinateReferenceSystem, QgsDataSourceUri, QgsOgcUtils, QgsVectorLayer
from qgis.PyQt.QtXml import QDomDocument

from ...core.sources.feature_pages import OgcApiQuery, WfsQuery
from ...core.sources.layer_source import LayerSource
from ...core.sources.source_text import service_parameters
from ..network.origin_settings import OriginLogin, origin_address
from .layer_kind import LayerKind, ServedFeatures
from .style_expressions import knows_numbers, named_sources

#: parameters that make of a layer another one than all features of a type
_OWN_QUERIES = ("sql", "maxNumFeatures", "geometryTypeFilter")
_WGS84 = "EPSG:4326"


def sent_headers(parameters: Mapping[str, str]) -> Dict[str, str]:
    """Return the headers that the parameters of a source ask for, as QGIS sends them."""
    headers = {name.partition(":")[2]: value for name, value in parameters.items() if name.startswith("http-header:")}
    if parameters.get("referer"):
        headers["Referer"] = parameters["referer"]
    name = parameters.get("username") or parameters.get("user") or ""
    if name or parameters.get("password"):
        login = f"{name}:{parameters.get('password', '')}".encode()
        headers["Authorization"] = f"Basic {base64.b64encode(login).decode('ascii')}"
    return headers


def login_of(source: LayerSource) -> Optional[OriginLogin]:
    """Return the login that a layer's source names, for its own address."""
    authcfg = QgsDataSourceUri(source.text).authConfigId()
    return OriginLogin(origin_address(source.address), authcfg) if authcfg else None


def is_all_from_service(layer: QgsVectorLayer) -> bool:
    """Return whether a layer has shapes, and nothing that its service does not have or that QGIS looks up in it."""
    return layer.isSpatial() and not layer.isEditable() and layer.auxiliaryLayer() is None and (
        not named_sources(layer).itself)


def has_only_attributes(layer: QgsVectorLayer) -> bool:
    """Return whether all is from the service, and features that are read again are drawn as those of the layer."""
    return is_all_from_service(layer) and not knows_numbers(layer)


def _filter(text: str) -> Optional[str]:
    """Return the filter of a source as an expression, or None for one that is none: it may be OGC's XML."""
    if not text.lstrip().startswith("<"):
        return text
    document = QDomDocument()
    document.setContent(text)
    expression = QgsOgcUtils.expressionFromOgcFilter(document.documentElement())
    return str(expression.expression()) if expression is not None and not expression.hasParserError() else None


def _wfs_features(layer: QgsVectorLayer, source: LayerSource) -> Optional[ServedFeatures]:
    parameters = service_parameters(source.text)
    expression = _filter(parameters.get("filter", ""))
    crs = (QgsCoordinateReferenceSystem(parameters["srsname"]) if parameters.get("srsname")
           else layer.dataProvider().crs())
    name = crs.authid()
    is_other = any(parameters.get(key) for key in _OWN_QUERIES) or not has_only_attributes(layer)
    if is_other or expression is None or ":" not in name or not source.names:
        return None
    as_written, swaps = (parameters.get(key) in ("1", "true") for key in (
        "IgnoreAxisOrientation", "InvertAxisOrientation"))
    version = parameters.get("version", "")
    query = WfsQuery(source.address, source.names[0], name, version if version[:1].isdigit() else "",
                     (crs.hasAxisInverted() and not as_written) is not swaps)
    return ServedFeatures(query, crs, "", expression, login_of(source), sent_headers(parameters),
                          query.inverted if as_written or swaps else None)


def _ogcapi_features(layer: QgsVectorLayer, source: LayerSource) -> Optional[ServedFeatures]:
    parameters = service_parameters(source.text)
    expression = _filter(parameters.get("filter", ""))
    if any(parameters.get(key) for key in _OWN_QUERIES) or expression is None or not (
            source.names and has_only_attributes(layer)):
        return None
    own = layer.dataProvider().crs()
    if layer.crs() != own and not own.isGeographic():
        # coordinates that are sent in degrees are not those that somebody has given another reference system
        return None
    return ServedFeatures(OgcApiQuery(source.address, source.names[0]), QgsCoordinateReferenceSystem(_WGS84),
                         "application/geo+json, application/json;q=0.8", expression, login_of(source),
                         sent_headers(parameters))


WFS = LayerKind(features=_wfs_features)
OGCAPI_FEATURES = LayerKind(features=_ogcapi_features)
