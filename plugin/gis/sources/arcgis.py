"""Layers of ArcGIS services."""

from __future__ import annotations

from typing import Optional

from qgis.core import QgsCoordinateReferenceSystem, QgsMapLayer, QgsRasterLayer, QgsVectorLayer

from ...core.box import Box
from ...core.sources.arcgis import largest_picture
from ...core.sources.feature_pages import ArcGisQuery
from ...core.sources.layer_source import LayerSource
from ...core.sources.source_text import service_parameters
from ...core.wms.requests.tile_overlap import Size
from ...core.wms.requests.urls import with_parameters
from .feature_services import has_only_attributes, login_of, sent_headers
from .layer_kind import LayerKind, ServedFeatures, ServedPicture


def _is_described(layer: QgsMapLayer) -> bool:
    """Return whether a map has an extent: without a description, which QGIS requests again, it has none."""
    return not isinstance(layer, QgsRasterLayer) or not layer.extent().isEmpty()


def _features(layer: QgsVectorLayer, source: LayerSource) -> Optional[ServedFeatures]:
    parameters = service_parameters(source.text)
    if source.provider.lower() != "arcgisfeatureserver":
        return None
    authority, _, number = (parameters.get("crs") or layer.dataProvider().crs().authid()).partition(":")
    if not number.isdigit() or parameters.get("bbox") or not has_only_attributes(layer):
        return None
    return ServedFeatures(ArcGisQuery(source.address, number, layer.subsetString()),
                         QgsCoordinateReferenceSystem(f"{authority}:{number}"), login=login_of(source),
                         headers=sent_headers(parameters))


def _picture(layer: QgsMapLayer, source: LayerSource) -> Optional[ServedPicture]:
    parameters = service_parameters(source.text)
    number = (parameters.get("crs") or layer.crs().authid()).rpartition(":")[2]
    if source.provider.lower() != "arcgismapserver" or not number.isdigit():
        return None
    bare, _, query = source.address.partition("?")
    own = f"?{query}" if query else ""
    fixed = {"format": (parameters.get("format") or "PNG32").lower(), "transparent": "true", "bboxSR": number,
             "imageSR": number, "f": "image", **({"layers": f"show:{source.names[0]}"} if source.names else {})}

    def url(box: Box, size: Size, dpi: float) -> str:
        return with_parameters(f"{bare.rstrip('/')}/export{own}", {
            "bbox": ",".join(map(repr, box)), "size": f"{size[0]},{size[1]}", "dpi": str(round(dpi)), **fixed})

    return ServedPicture(with_parameters(source.address, {"f": "json"}), largest_picture, url, login_of(source),
                         sent_headers(parameters))


ARCGIS = LayerKind(is_described=_is_described, features=_features, picture=_picture)
