"""Temporary layers and annotations."""

from __future__ import annotations

from qgis.core import QgsMapLayer, QgsVectorLayer

from ...core.sources.layer_source import LayerSource
from .layer_kind import LayerKind


def is_saved(layer: QgsMapLayer, _source: LayerSource) -> bool:
    """Return whether a layer of features has neither edits nor auxiliary fields that a copy would lack."""
    return isinstance(layer, QgsVectorLayer) and not layer.isEditable() and layer.auxiliaryLayer() is None


MEMORY = LayerKind(is_saved)
ANNOTATIONS = LayerKind(lambda _layer, _source: True)
