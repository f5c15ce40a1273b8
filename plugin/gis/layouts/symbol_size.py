"""Factors by which the maps of a layout show the symbols and labels of services larger than on A4."""

from __future__ import annotations

from typing import Dict, Sequence

from qgis.core import QgsLayoutItemMap, QgsMapLayer, QgsPrintLayout

from ...core.wms.requests.symbol_size import layer_symbol_factor
from ..credits.layer_metadata import is_drawn_at, scale_range
from ..runtime.drawn_source import drawn_source
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
    return {layer.id(): layer_symbol_factor(factor, item.scale(), scale_range(layer)) for layer in layers}


def common_factor(layout: QgsPrintLayout, item: QgsLayoutItemMap) -> float:
    """Return the factor of all layers of a map together, 1 where they differ.

    It is for pictures of pages, whose maps are drawn at one resolution.
    """
    scale = item.scale()
    drawn = [layer for layer in item.layers() if is_drawn_at(layer, scale)]
    factors = set(layer_factors(layout, item, drawn).values())
    if len(factors) != 1 or not all(drawn_source(layer).is_map_service for layer in drawn):
        return 1.0
    factor = factors.pop()
    # at another resolution QGIS draws as for another scale
    is_same = all(is_drawn_at(layer, scale) == is_drawn_at(layer, scale * factor) for layer in item.layers())
    return factor if is_same else 1.0
