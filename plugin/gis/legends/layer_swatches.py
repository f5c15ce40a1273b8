"""The symbols of a vector layer as swatches, for lists outside QGIS's layer tree."""

from __future__ import annotations

from typing import List

from qgis.core import QgsMapLayer, QgsVectorLayer
from qgis.PyQt.QtCore import QSize

from .legend_nodes import SYMBOL_WIDTH, Swatch

#: symbols at most, and pixels of a symbol's edges, which stand for ``SYMBOL_WIDTH`` millimetres and half of them
_MAX_SYMBOLS = 60
_PIXELS = QSize(56, 28)


def layer_swatches(layer: QgsMapLayer) -> List[Swatch]:
    """Return a swatch for each class of a vector layer's style. Other layers have none. Main thread only."""
    renderer = layer.renderer() if isinstance(layer, QgsVectorLayer) else None
    if renderer is None:
        return []
    # a symbol belongs to its item and goes with it
    items = list(renderer.legendSymbolItems())[:_MAX_SYMBOLS]
    return [Swatch(item.symbol().asImage(_PIXELS), SYMBOL_WIDTH, SYMBOL_WIDTH / 2, item.label())
            for item in items if item.symbol() is not None]
