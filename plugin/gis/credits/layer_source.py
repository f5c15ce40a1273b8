"""Sources of QGIS layers: the kind of service, file or database behind a layer, and its address."""

from __future__ import annotations

from typing import List

from qgis.core import QgsAnnotationLayer, QgsMapLayer, QgsVectorTileLayer

from ...core.addresses import is_web_address
from ...core.sources.layer_source import LayerSource, SourceType, read_source
from .layer_metadata import live_source, service_address, shows_snapshot


def source_of(layer: QgsMapLayer) -> LayerSource:
    """Return the source of ``layer``. For a layer that shows a snapshot it is that of the live service."""
    if isinstance(layer, QgsAnnotationLayer):
        return LayerSource(SourceType.ANNOTATIONS)
    provider = layer.providerType()
    if provider == "wms" or shows_snapshot(layer):
        found = read_source("wms", live_source(layer))
        # the address with its own parameters, which an encoded source may hold in several ways
        return LayerSource(found.type, service_address(layer), found.path, found.names) if found.type.is_web else found
    if isinstance(layer, QgsVectorTileLayer):
        provider = provider or "vectortile"
    return read_source(provider or "", layer.source())


def source_address(layer: QgsMapLayer) -> str:
    """Return the http(s) address of the service or file that the layer draws, or "".

    For a layer that shows a snapshot this is the address of its live service.
    """
    address = source_of(layer).address
    return address if is_web_address(address) else ""


def is_web_layer(layer: QgsMapLayer) -> bool:
    """Return whether the layer draws something that is published on the web, whose terms may require a credit."""
    return source_of(layer).type.is_web


def drawn_parts(layer: QgsMapLayer) -> List[QgsMapLayer]:
    """Return the layers that are drawn for ``layer``: those of a group that is drawn as one layer, else itself."""
    # QgsGroupLayer exists from QGIS 3.24 on
    children = getattr(layer, "childLayers", None)
    if not callable(children):
        return [layer]
    return [part for child in children() if child is not None for part in drawn_parts(child)]
