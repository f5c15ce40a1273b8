"""The registry of what layers can do, by the kind of their source."""

from __future__ import annotations

from typing import Dict

from qgis.core import QgsMapLayer, QgsRasterLayer, QgsVectorLayer

from ...core.sources.kinds import kind_of
from ...core.sources.layer_source import LayerSource, SourceType
from ...core.sources.source_kind import SourceProof
from ..runtime.drawn_source import drawn_source
from . import arcgis, feature_services, files, vector_tiles, wcs, wms
from .layer_kind import LayerKind

_KINDS: Dict[SourceType, LayerKind] = {
    SourceType.WMS: wms.WMS, SourceType.WMTS: wms.WMTS, SourceType.XYZ: wms.XYZ, SourceType.ARCGIS: arcgis.ARCGIS,
    SourceType.WCS: wcs.WCS, SourceType.VECTOR_TILES: vector_tiles.VECTOR_TILES,
    SourceType.WFS: feature_services.WFS, SourceType.OGCAPI_FEATURES: feature_services.OGCAPI_FEATURES,
    SourceType.FILE: files.FILE, SourceType.WEB_FILE: files.WEB_FILE, SourceType.MEMORY: files.MEMORY,
    SourceType.ANNOTATIONS: files.ANNOTATIONS
}
#: kinds that are drawn, and no more than that
_DRAWN = LayerKind()


def layer_kind(source: LayerSource) -> LayerKind:
    """Return what layers of this source can do. Services that GDAL reads by its drivers are drawn alone."""
    is_by_driver = source.by_gdal and source.type.is_web and source.type is not SourceType.WEB_FILE
    return _DRAWN if is_by_driver else _KINDS.get(source.type, _DRAWN)


def is_fetched(layer: QgsMapLayer) -> bool:
    """Return whether the export itself can fetch all that a page shows of ``layer``."""
    source = drawn_source(layer)
    if kind_of(source).proof(source) is not SourceProof.WATCHED:
        return False
    kind = layer_kind(source)
    found = (kind.picture, kind.files, kind.tiles if isinstance(layer, QgsRasterLayer) else None,
             kind.features if isinstance(layer, QgsVectorLayer) else None)
    return source.type is SourceType.WMS or any(find is not None and find(layer, source) is not None for find in found)
