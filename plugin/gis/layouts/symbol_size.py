"""Factors by which the maps of a layout show symbols and labels larger than on A4, and styles of features for that."""

from __future__ import annotations

from typing import Dict, Mapping, Sequence

from qgis.core import QgsLayoutItemMap, QgsMapLayer, QgsMapLayerStyle, QgsMapSettings, QgsPrintLayout, QgsVectorLayer
from qgis.PyQt.QtXml import QDomDocument

from ...core.wms.requests.symbol_size import layer_symbol_factor
from ..credits.layer_metadata import is_outline, scale_range
from . import layout_items, text_fitting

#: a heading of the first moment: pages of a series show fields, whose colours have no size
_MOMENT = f"{layout_items.LABEL_PREFIX}1"


def symbol_factor(layout: QgsPrintLayout) -> float:
    """Return how many times as large as on A4 symbols are, as the layout's type: 1 for pages of a series."""
    if layout.itemById(_MOMENT) is not None:
        return 1.0
    return max(1.0, text_fitting.type_factor(layout) or 1.0)


def layer_factors(layout: QgsPrintLayout, item: QgsLayoutItemMap, layers: Sequence[QgsMapLayer]) -> Dict[str, float]:
    """Return by how much the symbols of each of a map's layers are enlarged, by the layers' ids."""
    factor = symbol_factor(layout) if item.id() != layout_items.INSET else 1.0
    scale = item.scale()
    return {layer.id(): 1.0 if is_outline(layer) else factor if isinstance(layer, QgsVectorLayer) else
            layer_symbol_factor(factor, scale, scale_range(layer)) for layer in layers}


def map_styles(settings: QgsMapSettings, factors: Mapping[str, float]) -> Dict[str, str]:
    """Return the styles that a map draws its layers with in place of the layers' own, by ids: larger ones for features.

    They have a reference scale, from which QGIS enlarges all but sizes in units of the map. The layers stay as they
    are. ``factors`` are those of ``layer_factors``.
    """
    styles = dict(settings.layerStyleOverrides())
    for layer in settings.layers():
        factor = factors.get(layer.id(), 1.0)
        if factor > 1 and isinstance(layer, QgsVectorLayer):
            style = QgsMapLayerStyle(styles.get(layer.id(), ""))
            if not style.xmlData():
                style.readFromLayer(layer)
            styles[layer.id()] = _enlarged(style.xmlData(), factor, settings.scale())
    return styles


def _enlarged(style: str, factor: float, scale: float) -> str:
    """Return a style whose symbols and labels are ``factor`` times as large at ``scale`` (a denominator)."""
    document = QDomDocument()
    document.setContent(style)
    root = document.documentElement()
    own = float(root.attribute("symbologyReferenceScale") or -1)
    root.setAttribute("symbologyReferenceScale", repr(factor * (own if own > 0 else scale)))
    return str(document.toString(-1))
