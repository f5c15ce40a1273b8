"""The source that a layer draws: nobody else asks a layer for its provider."""

from __future__ import annotations

from qgis.core import QgsAnnotationLayer, QgsMapLayer, QgsVectorTileLayer

from ...core.sources.files import as_described
from ...core.sources.kinds import read_source
from ...core.sources.layer_source import LayerSource, SourceType


def drawn_source(layer: QgsMapLayer) -> LayerSource:
    """Return the source that ``layer`` draws: the raster's, for a layer that shows a snapshot.

    Of a file that describes data on the web it is that data.
    """
    if isinstance(layer, QgsAnnotationLayer):
        return LayerSource(SourceType.ANNOTATIONS)
    # older versions of QGIS name no provider of vector tiles
    provider = layer.providerType() or ("vectortile" if isinstance(layer, QgsVectorTileLayer) else "")
    return as_described(read_source(provider, layer.source()))
