"""Legend entries of a WMS layer in a QGIS legend: one for each rule, with its symbol and its label as text.

QGIS's own node for WMS legends draws the service's whole image at whatever resolution the service chose, with its size
cut to whole millimetres. These nodes have symbols at print resolution and replace it for layers whose legend was
fetched. They are saved in the project. Where a project is opened without the plugin, QGIS's own nodes are shown.
"""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple

from qgis.core import (
    QgsLayerTreeLayer,
    QgsLayerTreeModelLegendNode,
    QgsLegendSettings,
    QgsMapLayer,
    QgsMapLayerLegend,
    QgsRasterLayer,
)
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QRectF, QSize, QSizeF, Qt
from qgis.PyQt.QtGui import QColor, QIcon, QImage, QPen, QPixmap

from ...core.errors import CartoguideError
from ...core.json_document import stored_list
from ...core.text import inert
from ..library.thumbnails import decode_image
from ..runtime import compat, images, log

#: width in millimetres of the symbol column that swatches are made for
SYMBOL_WIDTH = 7.0
#: identity of a legend: address of the service, layer name, style
LegendKey = Tuple[str, str, str]
_SWATCHES_PROPERTY = "cartoguide/legend"
_HAIRLINE_COLOUR = QColor("#8d978f")
#: edge in pixels and size in millimetres of a saved swatch
_MAX_EDGE, _MAX_SIZE = 8_000, 10_000.0


@dataclass(frozen=True)
class Swatch:
    """One legend entry: the symbol's image, its true size on paper in millimetres, and its label ("" for none).

    ``is_whole_graphic`` marks a service's complete legend graphic, whose text is part of the image. ``is_area`` entries
    get a hairline around them, so that pale ones are visible on white paper.
    """

    image: QImage
    width: float
    height: float
    label: str = ""
    is_whole_graphic: bool = False
    is_area: bool = False


class SwatchNode(QgsLayerTreeModelLegendNode):
    """Legend node that draws a swatch, centred in the symbol column and scaled with it."""

    def __init__(self, tree_layer: QgsLayerTreeLayer, swatch: Swatch, rule_key: str) -> None:
        super().__init__(tree_layer)
        self.swatch = swatch
        self._rule_key = rule_key

    def data(self, role: int) -> Any:
        """Return the node's text, icon and rule key for item views and legends (Qt)."""
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return self.userLabel() or inert(self.swatch.label)
        if role == Qt.ItemDataRole.DecorationRole:
            return self._icon()
        if role == compat.rule_key_role():
            return self._rule_key
        return None

    def drawSymbol(self, settings: QgsLegendSettings, context: Optional[QgsLayerTreeModelLegendNode.ItemContext],  # noqa: N802
                   item_height: float) -> QSizeF:
        """Draw the swatch (millimetres) and return its size, never smaller than the legend's symbol size (QGIS)."""
        symbol_size = settings.symbolSize()
        width, height = scaled_size(self.swatch, symbol_size.width(), settings.wmsLegendSize().width())
        size = QSizeF(width, height)
        if not self.swatch.is_whole_graphic:
            size = size.expandedTo(symbol_size)
        if context is not None and context.painter is not None:
            left = context.columnLeft + (size.width() - width) / 2
            top = context.top + (size.height() - height) / 2
            target = QRectF(left, top, width, height)
            context.painter.drawImage(target, self.swatch.image)
            if self.swatch.is_area:
                context.painter.setPen(QPen(_HAIRLINE_COLOUR, 0.1))
                context.painter.setBrush(Qt.BrushStyle.NoBrush)
                context.painter.drawRect(target)
        return size

    def _icon(self) -> QIcon:
        if self.swatch.is_whole_graphic:
            return QIcon()
        return QIcon(QPixmap.fromImage(images.scaled(self.swatch.image, QSize(16, 16))))


def scaled_size(swatch: Swatch, column_width: float, max_width: float) -> Tuple[float, float]:
    """Return width and height in millimetres for a symbol column of ``column_width``.

    A whole graphic is never wider than ``max_width``.
    """
    factor = column_width / SYMBOL_WIDTH
    width, height = swatch.width * factor, swatch.height * factor
    if swatch.is_whole_graphic and max_width > 0 and width > max_width:
        return max_width, height * max_width / width
    return width, height


class SwatchLegend(QgsMapLayerLegend):
    """The legend of one layer, made of swatches."""

    def __init__(self, swatches: Sequence[Swatch]) -> None:
        super().__init__()
        self.swatches = tuple(swatches)
        self._nodes: List[SwatchNode] = []

    def createLayerTreeModelLegendNodes(self, tree_layer: QgsLayerTreeLayer) -> List[QgsLayerTreeModelLegendNode]:  # noqa: N802
        """Return new nodes for one tree layer, which the model owns (QGIS)."""
        nodes = [SwatchNode(tree_layer, swatch, str(number)) for number, swatch in enumerate(self.swatches)]
        self._nodes = [node for node in self._nodes if not sip.isdeleted(node)]
        for node in nodes:
            # C++ deletes them, but the overridden methods are lost if Python's object goes first
            sip.transferto(node, None)
            self._nodes.append(node)
        return list(nodes)


def set_swatches(layer: QgsRasterLayer, swatches: Sequence[Swatch]) -> None:
    """Give ``layer`` a legend of ``swatches`` in every tree that shows it, and save them with the layer."""
    layer.setCustomProperty(_SWATCHES_PROPERTY, json.dumps([_swatch_to_json(swatch) for swatch in swatches]))
    layer.setLegend(SwatchLegend(swatches))


def has_swatches(layer: QgsMapLayer, swatches: Sequence[Swatch]) -> bool:
    """Return whether ``layer`` has a legend of ``swatches`` already."""
    legend = layer.legend()
    return isinstance(legend, SwatchLegend) and legend.swatches == tuple(swatches)


def restore_swatches(layers: Iterable[QgsMapLayer]) -> None:
    """Restore the swatches that a reopened project has saved with its layers.

    A layer whose saved swatches cannot be read keeps QGIS's own legend: a project file may come from anywhere.
    """
    for layer in layers:
        saved = layer.customProperty(_SWATCHES_PROPERTY)
        if not saved or isinstance(layer.legend(), SwatchLegend):
            continue
        try:
            swatches = [_swatch_from_json(values) for values in stored_list(saved)]
        except (AttributeError, KeyError, TypeError, ValueError, CartoguideError) as error:
            log.warning(f"The legend saved for {layer.name()} cannot be read: {error!r}")
            continue
        layer.setLegend(SwatchLegend(swatches))


def png_base64(image: QImage) -> str:
    """Return the image as a PNG in base64."""
    return base64.b64encode(images.png_bytes(image)).decode("ascii")


def _swatch_to_json(swatch: Swatch) -> Dict[str, Any]:
    return {
        "label": swatch.label, "width": swatch.width, "height": swatch.height, "whole": swatch.is_whole_graphic,
        "area": swatch.is_area, "png": png_base64(swatch.image)
    }


def _swatch_from_json(values: Mapping[str, Any]) -> Swatch:
    image = decode_image(base64.b64decode(values["png"]), _MAX_EDGE)
    width, height = float(values["width"]), float(values["height"])
    if not (0 < width <= _MAX_SIZE and 0 < height <= _MAX_SIZE):
        raise ValueError(f"{width} × {height} mm")
    return Swatch(image, width, height, str(values["label"]), bool(values["whole"]), bool(values["area"]))
