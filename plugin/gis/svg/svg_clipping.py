"""Clip vector layers to the frames of their maps while an SVG is written: Qt's SVG generator has no clip paths.

Without it the land of a location map, and every other vector layer, lies over the texts around the map.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import Iterator, List

from qgis.core import (
    QgsFillSymbol,
    QgsLayoutItemMap,
    QgsLayoutItemPolygon,
    QgsMapClippingRegion,
    QgsPrintLayout,
    QgsVectorLayer,
)
from qgis.PyQt.QtGui import QPolygonF

from ..layouts import layout_items

#: vertices of each side of a frame
_STEPS = 32


@contextmanager
def clipped_maps(layout: QgsPrintLayout) -> Iterator[None]:
    """Clip the features of the layout's maps to the maps' frames within the context."""
    shapes: List[QgsLayoutItemPolygon] = []
    maps = [item for item in layout_items.items_of_type(layout, QgsLayoutItemMap)
            if any(isinstance(layer, QgsVectorLayer) for layer in item.layers())
            and not item.itemClippingSettings().isActive()]
    try:
        for item in maps:
            shapes.append(_add_shape(layout, item))
            settings = item.itemClippingSettings()
            settings.setSourceItem(shapes[-1])
            settings.setFeatureClippingType(QgsMapClippingRegion.FeatureClippingType.ClipToIntersection)
            settings.setForceLabelsInsideClipPath(True)
            settings.setEnabled(True)
        yield
    finally:
        for item in maps:
            item.itemClippingSettings().setEnabled(False)
            item.itemClippingSettings().setSourceItem(None)
        for shape in shapes:
            layout.removeLayoutItem(shape)


def _add_shape(layout: QgsPrintLayout, item: QgsLayoutItemMap) -> QgsLayoutItemPolygon:
    """Add a polygon that is not drawn, on the frame of a map.

    QGIS transforms its vertices to the layers' CRSs, in which the frame's sides are curves.
    """
    corners = item.mapToScene(item.rect())
    nodes = [corners[number] + (corners[(number + 1) % 4] - corners[number]) * (step / _STEPS)
             for number in range(4) for step in range(_STEPS)]
    shape = QgsLayoutItemPolygon(QPolygonF(nodes), layout)
    shape.setSymbol(QgsFillSymbol.createSimple({"style": "no", "outline_style": "no"}))
    layout.addLayoutItem(shape)
    return shape
