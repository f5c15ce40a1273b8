"""Symbols of vector layers, and WMS layers in a QGIS legend: one for each rule, with its symbol and its label as text.

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
    QgsLegendStyle,
    QgsMapLayer,
    QgsMapLayerLegend,
    QgsRasterLayer,
    QgsVectorLayer,
)
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QRectF, QSize, QSizeF, Qt
from qgis.PyQt.QtGui import QColor, QIcon, QImage, QPainter, QPen, QPixmap

from ...core.errors import CartoguideError
from ...core.json_document import stored_list
from ...core.text import inert
from ..library.thumbnails import decode_image
from ..runtime import compat, images, log

#: width in millimetres of the symbol column that swatches are made for
SYMBOL_WIDTH = 7.0
#: identity of a legend: address of the service, layer name, style
LegendKey = Tuple[str, str, str]
#: property of a layer in a legend: millimetres at which its entries stand further right
INDENT_PROPERTY = "cartoguide/indent"
_SWATCHES_PROPERTY = "cartoguide/legend"
_HAIRLINE_COLOUR = QColor("#8d978f")
#: height of a capital letter as a share of the font's size, and millimetres of a point
_CAPITAL_HEIGHT, _MM_PER_POINT = 0.714, 25.4 / 72
#: edge in pixels and size in millimetres of a saved swatch
_MAX_EDGE, _MAX_SIZE = 8_000, 10_000.0
#: symbols at most, and pixels of a symbol's edges, which stand for ``SYMBOL_WIDTH`` millimetres and half of them
_MAX_SYMBOLS = 60
_PIXELS = QSize(56, 28)


@dataclass(frozen=True)
class Swatch:
    """One legend entry: the symbol's image, its true size on paper in millimetres, and its label ("" for none).

    ``is_whole_graphic`` marks a service's complete legend graphic, whose text is part of the image. ``is_area`` entries
    get a hairline around them, so that pale ones are visible on white paper. ``label_image`` is a picture of the label
    whose capitals are ``capital`` pixels high. It is drawn as large as the legend's text.
    """

    image: QImage
    width: float
    height: float
    label: str = ""
    is_whole_graphic: bool = False
    is_area: bool = False
    label_image: Optional[QImage] = None
    capital: float = 0.0


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
        indent = float(self.layerNode().customProperty(INDENT_PROPERTY) or 0)
        if context is not None and context.painter is not None:
            left = context.columnLeft + indent + (size.width() - width) / 2
            top = context.top + (size.height() - height) / 2
            target = QRectF(left, top, width, height)
            context.painter.drawImage(target, self.swatch.image)
            if self.swatch.is_area:
                context.painter.setPen(QPen(_HAIRLINE_COLOUR, 0.1))
                context.painter.setBrush(Qt.BrushStyle.NoBrush)
                context.painter.drawRect(target)
        size.setWidth(size.width() + indent)
        if self.swatch.label_image is not None and self.swatch.capital > 0 and not self.userLabel():
            size = self._draw_label_image(self.swatch.label_image, settings, context, size)
        return size

    def _draw_label_image(self, image: QImage, settings: QgsLegendSettings,
                          context: Optional[QgsLayerTreeModelLegendNode.ItemContext], symbol: QSizeF) -> QSizeF:
        """Draw the picture of the label right of the symbol, and return the size of both."""
        style = QgsLegendStyle.Style.SymbolLabel
        points = compat.legend_font(settings, style).pointSizeF()
        factor = _CAPITAL_HEIGHT * points * _MM_PER_POINT / self.swatch.capital
        width, height = image.width() * factor, image.height() * factor
        left = symbol.width() + settings.style(style).margin(QgsLegendStyle.Side.Left)
        if context is not None and context.painter is not None:
            context.painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            context.painter.drawImage(
                QRectF(context.columnLeft + left, context.top + (symbol.height() - height) / 2, width, height), image)
        return QSizeF(left + width, max(symbol.height(), height))

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


def hide_legend(layer: QgsRasterLayer) -> None:
    """Save with ``layer`` that it has no legend of QGIS's own, which would be requested with the layer's login.

    ``restore_swatches`` sets it on the main thread.
    """
    layer.setCustomProperty(_SWATCHES_PROPERTY, json.dumps([]))


def has_qgis_legend(layer: QgsMapLayer) -> bool:
    """Return whether the layer has the legend that QGIS makes, because no other one is saved with it."""
    return not layer.customProperty(_SWATCHES_PROPERTY)


def is_legend_hidden(layer: QgsMapLayer) -> bool:
    """Return whether the layer must not have a legend of QGIS's own."""
    return bool(layer.customProperty(_SWATCHES_PROPERTY) == json.dumps([]))


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


def png_base64(image: QImage, quality: int = -1) -> str:
    """Return the image as a PNG in base64. ``quality`` is that of ``png_bytes``."""
    return base64.b64encode(images.png_bytes(image, quality)).decode("ascii")


def _swatch_to_json(swatch: Swatch) -> Dict[str, Any]:
    label_image = {"label_png": png_base64(swatch.label_image), "capital": swatch.capital} if (
        swatch.label_image is not None) else {}
    return {
        **label_image, "label": swatch.label, "width": swatch.width, "height": swatch.height,
        "whole": swatch.is_whole_graphic, "area": swatch.is_area, "png": png_base64(swatch.image)
    }


def _swatch_from_json(values: Mapping[str, Any]) -> Swatch:
    image = decode_image(base64.b64decode(values["png"]), _MAX_EDGE)
    width, height = float(values["width"]), float(values["height"])
    if not (0 < width <= _MAX_SIZE and 0 < height <= _MAX_SIZE):
        raise ValueError(f"{width} × {height} mm")
    label_image = decode_image(base64.b64decode(values["label_png"]), _MAX_EDGE) if values.get("label_png") else None
    capital = float(values.get("capital", 0.0))
    if not 0 <= capital <= _MAX_EDGE:
        raise ValueError(f"{capital} pixels")
    return Swatch(image, width, height, str(values["label"]), bool(values["whole"]), bool(values["area"]), label_image,
                  capital)


def layer_swatches(layer: QgsMapLayer) -> List[Swatch]:
    """Return a swatch for each class of a vector layer's style. Other layers have none. Main thread only."""
    renderer = layer.renderer() if isinstance(layer, QgsVectorLayer) else None
    if renderer is None:
        return []
    # a symbol belongs to its item and goes with it
    items = list(renderer.legendSymbolItems())[:_MAX_SYMBOLS]
    return [Swatch(item.symbol().asImage(_PIXELS), SYMBOL_WIDTH, SYMBOL_WIDTH / 2, item.label())
            for item in items if item.symbol() is not None]
