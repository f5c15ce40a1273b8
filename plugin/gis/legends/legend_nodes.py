"""Symbols of vector layers, and WMS layers in a QGIS legend: one for each rule, with its symbol and its label as text.

QGIS's own node for WMS legends draws the service's whole image at whatever resolution the service chose, with its size
cut to whole millimetres. These nodes have symbols at print resolution and replace it for layers whose legend was
fetched. They are saved in the project. Where a project is opened without the plugin, QGIS's own nodes are shown.
"""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import zip_longest
from typing import Any, Dict, Generator, Iterable, List, Mapping, Optional, Sequence, Set, Tuple

from qgis.core import (
    QgsFeatureRequest,
    QgsLayerTreeLayer,
    QgsLayerTreeModelLegendNode,
    QgsLegendSettings,
    QgsLegendStyle,
    QgsMapLayer,
    QgsMapLayerLegend,
    QgsRasterLayer,
    QgsRectangle,
    QgsRenderContext,
    QgsVectorLayer,
)
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QRectF, QSize, QSizeF, Qt
from qgis.PyQt.QtGui import QColor, QIcon, QImage, QPaintEngine, QPainter, QPen, QPixmap

from ...core.errors import CartoguideError
from ...core.json_document import stored_list
from ...core.pages.series_summary import classes_seen
from ...core.sources.layer_source import SourceType
from ...core.text import inert
from ..layouts.text_fitting import text_width
from ..library.thumbnails import decode_image
from ..runtime import compat, images, log
from ..runtime.drawn_source import drawn_source

#: width in millimetres of the symbol column that swatches are made for
SYMBOL_WIDTH = 7.0
#: identity of a legend: address of the service, layer name, style
LegendKey = Tuple[str, str, str]
#: property of a layer in a legend: millimetres at which its entries stand further right
INDENT_PROPERTY = "cartoguide/indent"
_SWATCHES_PROPERTY = "cartoguide/legend"
#: property of a layer in a legend whose whole graphic is in pieces: its scale, then the cuts as shares of its height
_PIECES_PROPERTY = "cartoguide/pieces"
#: property of a layer in a legend whose classes stand in two columns: the number of those above them in whole rows
_PAIRS_PROPERTY = "cartoguide/pairs"
#: width of a symbol in two columns as a share of others, space between these in millimetres for symbols of full size,
#: the classes that are too few for them, and how much wider than others the first class is that keeps its row
_PAIR_SYMBOL, _PAIR_GAP, _TOO_FEW, _LONG = 0.64, 1.6, 5, 1.3
_HAIRLINE_COLOUR = QColor("#8d978f")
#: height of a capital letter as a share of the font's size, and millimetres of a point
_CAPITAL_HEIGHT, _MM_PER_POINT = 0.714, 25.4 / 72
#: height of a line as a share of the font's size, and the difference from white, of 255, that a symbol is seen by
_LINE_HEIGHT, _LEAST_INK = 1.36, 8
#: pixels of an area's outline, and the darkest part and the greatest difference of parts of a colour of a pale grey one
_OUTLINE, _PALE, _GREY = 4, 150, 16
#: edge in pixels and size in millimetres of a saved swatch
_MAX_EDGE, _MAX_SIZE = 8_000, 10_000.0
#: symbols at most, and pixels of a symbol's edges, which stand for ``SYMBOL_WIDTH`` millimetres and half of them
_MAX_SYMBOLS = 60
#: classes of a scale at least of which those are left out that are not on the map
_LEAST_SCALE = 3
#: renderers that divide features into classes
_CLASSIFYING_RENDERERS = ("categorizedSymbol", "graduatedSymbol", "RuleRenderer")
#: features at most that are read for the classes of a filtered layer, and those between two pauses, of about 2 ms
_MAX_FILTERED, _FEATURES_AT_A_TIME = 50_000, 200
_PIXELS = QSize(56, 28)


@dataclass(frozen=True)
class Swatch:
    """One legend entry: the symbol's image, its true size on paper in millimetres, and its label ("" for none).

    ``is_whole_graphic`` marks a service's complete legend graphic, whose text is part of the image. ``is_area`` entries
    get a hairline around them, so that pale ones are visible on white paper. ``label_image`` is a picture of the label
    whose capitals are ``capital`` pixels high. It is drawn as large as the legend's text. ``is_continued`` marks a
    piece of a whole graphic that follows another one without a space. ``is_one_of_several`` marks the only class of a
    layer that is drawn at the scale, though it has others.
    """

    image: QImage
    width: float
    height: float
    label: str = ""
    is_whole_graphic: bool = False
    is_area: bool = False
    label_image: Optional[QImage] = None
    capital: float = 0.0
    is_continued: bool = False
    is_one_of_several: bool = False


class SwatchNode(QgsLayerTreeModelLegendNode):
    """Legend node that draws a swatch, centred in the symbol column and scaled with it.

    Where the classes of a layer stand in two columns it draws the one at its right too. ``beside`` is the swatch of
    that one, and ``column`` has all at the left, of which the widest decides where the second column begins.
    """

    def __init__(self, tree_layer: QgsLayerTreeLayer, swatch: Swatch, rule_key: str, beside_pictures: bool = False,
                 beside: Optional[Swatch] = None, column: Sequence[Swatch] = ()) -> None:
        super().__init__(tree_layer)
        self.swatch = swatch
        self._rule_key = rule_key
        self._beside_pictures = beside_pictures
        self._column = column
        self.beside = SwatchNode(tree_layer, beside, rule_key, beside_pictures, None, column) if beside else None

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
        if self._column:
            width *= _PAIR_SYMBOL
            symbol_size.setWidth(_PAIR_SYMBOL * symbol_size.width())
        size = QSizeF(width, height)
        if not self.swatch.is_whole_graphic:
            size = size.expandedTo(symbol_size)
            points = compat.legend_font(settings, QgsLegendStyle.Style.SymbolLabel).pointSizeF()
            label = str(self.data(Qt.ItemDataRole.DisplayRole) or "")
            size.setHeight(max(size.height(), label_height(label, points)))
        indent = float(self.layerNode().customProperty(INDENT_PROPERTY) or 0)
        # QGIS leaves a space above each entry
        overlap = piece_overlap(self.swatch, settings)
        if context is not None and context.painter is not None:
            left = context.columnLeft + indent + (size.width() - width) / 2
            top = context.top - overlap + (size.height() - height) / 2
            target = QRectF(left, top, width, height)
            context.painter.drawImage(target, self.swatch.image)
            if self.swatch.is_area:
                context.painter.setPen(QPen(_HAIRLINE_COLOUR, 0.1))
                context.painter.setBrush(Qt.BrushStyle.NoBrush)
                context.painter.drawRect(target)
        size = QSizeF(size.width() + indent, size.height() - overlap)
        if self.swatch.label_image is not None and self.swatch.capital > 0 and not self.userLabel():
            size = self._draw_label_image(self.swatch.label_image, settings, context, size)
        return size

    def drawSymbolText(self, settings: QgsLegendSettings, context: Optional[QgsLayerTreeModelLegendNode.ItemContext],  # noqa: N802
                       symbol: QSizeF) -> QSizeF:
        """Draw the label as text and return its size, in line with labels that are pictures (QGIS)."""
        if context is None or self.beside is None:
            return self._draw_text(settings, context, symbol)
        text_left = max(symbol.width(), context.maxSiblingSymbolWidth) + _label_space(settings)
        size = self._draw_text(settings, context, symbol)
        start = pair_start(self._column, settings)
        # not that of the row, which has the label of the class at the left from QGIS 3.38 on
        other = QgsLayerTreeModelLegendNode.ItemContext()
        for name in ("context", "painter", "point", "top", "columnRight", "labelXOffset"):
            setattr(other, name, getattr(context, name))
        other.columnLeft = context.columnLeft + start
        beside = self.beside.drawSymbol(settings, other, symbol.height())
        other.maxSiblingSymbolWidth = beside.width()
        text = self.beside.drawSymbolText(settings, other, beside)
        right = start + beside.width() + (_label_space(settings) + text.width() if text.width() > 0 else 0.0)
        return QSizeF(max(size.width(), right - text_left), max(size.height(), text.height()))

    def _draw_text(self, settings: QgsLegendSettings, context: Optional[QgsLayerTreeModelLegendNode.ItemContext],
                   symbol: QSizeF) -> QSizeF:
        if context is None or not self._beside_pictures:
            return super().drawSymbolText(settings, context, symbol)
        # pictures of labels are part of symbols, and QGIS writes text right of the widest symbol
        spare = max(0.0, context.maxSiblingSymbolWidth - symbol.width())
        context.maxSiblingSymbolWidth = symbol.width()
        size = super().drawSymbolText(settings, context, symbol)
        return QSizeF(max(0.0, size.width() - spare), size.height())

    def _draw_label_image(self, image: QImage, settings: QgsLegendSettings,
                          context: Optional[QgsLayerTreeModelLegendNode.ItemContext], symbol: QSizeF) -> QSizeF:
        """Draw the picture of the label right of the symbol, and return the size of both."""
        points = compat.legend_font(settings, QgsLegendStyle.Style.SymbolLabel).pointSizeF()
        width, height = label_image_size(self.swatch, points)
        left = symbol.width() + _label_space(settings)
        if context is not None and context.painter is not None:
            context.painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            target = QRectF(context.columnLeft + left, context.top + (symbol.height() - height) / 2, width, height)
            size = context.painter.combinedTransform().mapRect(target).size().toSize()
            is_pdf = context.painter.paintEngine().type() == QPaintEngine.Type.Pdf
            if image.height() > 2 * size.height() and not is_pdf:
                # Qt would leave out strokes of the letters on a screen. A PDF has them as sharp as they came
                image = images.scaled(image, size.expandedTo(QSize(1, 1)), keep_aspect_ratio=False)
            context.painter.drawImage(target, image)
        return QSizeF(left + width, max(symbol.height(), height))

    def _icon(self) -> QIcon:
        if self.swatch.is_whole_graphic:
            return QIcon()
        return QIcon(QPixmap.fromImage(images.scaled(self.swatch.image, QSize(16, 16))))


def _label_space(settings: QgsLegendSettings) -> float:
    """Return the millimetres between a symbol and its label."""
    return float(settings.style(QgsLegendStyle.Style.SymbolLabel).margin(QgsLegendStyle.Side.Left))


def pair_start(column: Sequence[Swatch], settings: QgsLegendSettings) -> float:
    """Return where the second of two columns of classes begins, in millimetres from where the first one does."""
    symbol = float(settings.symbolSize().width())
    return max(_class_width(swatch, settings) for swatch in column) + _PAIR_GAP * symbol / SYMBOL_WIDTH


def _class_width(swatch: Swatch, settings: QgsLegendSettings) -> float:
    """Return the width in millimetres of a class in one of two columns."""
    font = compat.legend_font(settings, QgsLegendStyle.Style.SymbolLabel)
    label = label_image_size(swatch, font.pointSizeF())[0] if swatch.label_image is not None and not swatch.label else (
        text_width(inert(swatch.label), font))
    return _PAIR_SYMBOL * float(settings.symbolSize().width()) + _label_space(settings) + label


def pair_classes(tree_layer: QgsLayerTreeLayer, swatches: Sequence[Swatch], settings: QgsLegendSettings,
                 width: float) -> bool:
    """Let the classes of a scale of areas stand in two columns, if these have room in ``width`` (millimetres).

    A long label of the first class keeps its row. The columns appear with the next ``refreshLayerLegend``. Return
    whether they will.
    """
    if len(swatches) <= _TOO_FEW + 1 or not all(swatch.is_area and not swatch.is_whole_graphic for swatch in swatches):
        return False
    widths = [_class_width(swatch, settings) for swatch in swatches]
    for start in (1,) if widths[0] > _LONG * max(widths[1:]) else (0, 1):
        paired = swatches[start:]
        half = (len(paired) + 1) // 2
        if pair_start(paired[:half], settings) + max(widths[start + half:]) <= width:
            tree_layer.setCustomProperty(_PAIRS_PROPERTY, start)
            return True
    return False


def part_classes(tree_layer: QgsLayerTreeLayer) -> bool:
    """Undo ``pair_classes``. Return whether there was anything to undo."""
    was_paired = tree_layer.customProperty(_PAIRS_PROPERTY) is not None
    tree_layer.removeCustomProperty(_PAIRS_PROPERTY)
    return was_paired


def _rows(swatches: Sequence[Swatch], tree_layer: QgsLayerTreeLayer) -> List[Tuple[Swatch, Optional[Swatch]]]:
    """Return the rows of a layer of a legend, and at the right of each the class that it has in a second column."""
    saved = str(tree_layer.customProperty(_PAIRS_PROPERTY))
    start = int(saved) if saved in ("0", "1") and len(swatches) > _TOO_FEW else len(swatches)
    half = (len(swatches) - start + 1) // 2
    left, right = swatches[start:start + half], swatches[start + half:]
    return [(swatch, None) for swatch in swatches[:start]] + list(zip_longest(left, right))


def label_height(label: str, points: float) -> float:
    """Return the height in millimetres of a row for a label of several lines in ``points``, 0 for one line.

    QGIS measures a label from capital to base line, so that letters below the line would touch the next row.
    """
    lines = label.count("\n") + 1
    return lines * _LINE_HEIGHT * points * _MM_PER_POINT if lines > 1 else 0.0


def is_blank(swatch: Swatch) -> bool:
    """Return whether a symbol looks like white paper: without ink, or an area with a pale grey outline alone.

    That of a veil over what lies outside a park is so.
    """
    if swatch.is_whole_graphic or swatch.image.isNull():
        return False
    image = images.scaled(swatch.image, _PIXELS) if swatch.image.width() > _PIXELS.width() else swatch.image
    width, height = image.width(), image.height()
    # a symbol for screens is only a few pixels high
    edge = min(_OUTLINE, min(width, height) // 4)
    for y in range(height):
        for x in range(width):
            alpha, *parts = image.pixel(x, y).to_bytes(4, "big")
            if (255 - min(parts)) * alpha <= _LEAST_INK * 255:
                continue
            is_outline = not (edge <= x < width - edge and edge <= y < height - edge)
            is_pale_grey = min(parts) > _PALE and max(parts) - min(parts) < _GREY
            if not (is_outline and is_pale_grey):
                return False
    return True


def label_image_size(swatch: Swatch, points: float) -> Tuple[float, float]:
    """Return width and height in millimetres of the picture of a label beside text of ``points``, 0 without one."""
    if swatch.label_image is None or swatch.capital <= 0:
        return 0.0, 0.0
    factor = _CAPITAL_HEIGHT * points * _MM_PER_POINT / swatch.capital
    return swatch.label_image.width() * factor, swatch.label_image.height() * factor


def scaled_size(swatch: Swatch, column_width: float, max_width: float) -> Tuple[float, float]:
    """Return width and height in millimetres for a symbol column of ``column_width``.

    A whole graphic is never wider than ``max_width``.
    """
    factor = column_width / SYMBOL_WIDTH
    width, height = swatch.width * factor, swatch.height * factor
    if swatch.is_whole_graphic and max_width > 0 and width > max_width:
        return max_width, height * max_width / width
    return width, height


def piece_overlap(swatch: Swatch, settings: QgsLegendSettings) -> float:
    """Return the millimetres by which a piece of a graphic moves up to the one above it."""
    return float(settings.style(QgsLegendStyle.Style.Symbol).margin(
        QgsLegendStyle.Side.Top)) if swatch.is_continued else 0.0


def cut_into_pieces(tree_layer: QgsLayerTreeLayer, cuts: Sequence[float]) -> None:
    """Let a layer of a legend show its whole graphic in pieces, cut at these shares of its height.

    They appear with the next ``refreshLayerLegend``.
    """
    tree_layer.setCustomProperty(_PIECES_PROPERTY, " ".join(map(str, (1.0, *cuts))))


def scale_pieces(tree_layer: QgsLayerTreeLayer, factor: float) -> None:
    """Let the pieces of a layer's graphic be ``factor`` times as large as before."""
    scale, *cuts = str(tree_layer.customProperty(_PIECES_PROPERTY) or 1.0).split()
    tree_layer.setCustomProperty(_PIECES_PROPERTY, " ".join((str(float(scale) * factor), *cuts)))


def _pieces(swatches: Sequence[Swatch], tree_layer: QgsLayerTreeLayer) -> Sequence[Swatch]:
    """Return the swatches of a layer of a legend: those of the layer, or the pieces of its whole graphic."""
    saved = tree_layer.customProperty(_PIECES_PROPERTY)
    if not saved or len(swatches) != 1 or not swatches[0].is_whole_graphic:
        return swatches
    whole, image = swatches[0], swatches[0].image
    try:
        scale, *cuts = (float(number) for number in str(saved).split())
        edges = [0, *(round(cut * image.height()) for cut in cuts), image.height()]
    except (ValueError, OverflowError):
        # a project file may come from anywhere
        return swatches
    if not 0 < scale <= 1 or any(top >= bottom for top, bottom in zip(edges, edges[1:])):
        return swatches
    width, height = whole.width * scale, whole.height * scale / image.height()
    return [replace(whole, image=image.copy(0, top, image.width(), bottom - top), width=width,
                    height=(bottom - top) * height, is_continued=top > 0) for top, bottom in zip(edges, edges[1:])]


class SwatchLegend(QgsMapLayerLegend):
    def __init__(self, swatches: Sequence[Swatch], saved: str) -> None:
        """``saved`` is the text that stands for the swatches in the layer."""
        super().__init__()
        self.swatches, self.saved = tuple(swatches), saved
        self._nodes: List[SwatchNode] = []

    def createLayerTreeModelLegendNodes(self, tree_layer: QgsLayerTreeLayer) -> List[QgsLayerTreeModelLegendNode]:  # noqa: N802
        """Return new nodes for one tree layer, which the model owns (QGIS)."""
        saved = tree_layer.customProperty(_SWATCHES_PROPERTY)
        swatches = _read_swatches(saved) if saved and saved != self.saved else None
        swatches = self.swatches if swatches is None else swatches
        beside_pictures = any(swatch.label_image is not None for swatch in swatches)
        rows = _rows(_pieces(swatches, tree_layer), tree_layer)
        column = tuple(swatch for swatch, beside in rows if beside is not None)
        nodes = [SwatchNode(tree_layer, swatch, str(number), beside_pictures, beside, column)
                 for number, (swatch, beside) in enumerate(rows)]
        self._nodes = [node for node in self._nodes if not sip.isdeleted(node)]
        for node in nodes:
            # C++ deletes them, but the overridden methods are lost if Python's object goes first
            sip.transferto(node, None)
            self._nodes.append(node)
        return list(nodes)


def set_swatches(layer: QgsRasterLayer, swatches: Sequence[Swatch]) -> None:
    """Give ``layer`` a legend of ``swatches`` in every tree that shows it, and save them with the layer."""
    saved = json.dumps([_swatch_to_json(swatch) for swatch in swatches])
    layer.setCustomProperty(_SWATCHES_PROPERTY, saved)
    layer.setLegend(SwatchLegend(swatches, saved))


def keep_swatches(tree_layer: QgsLayerTreeLayer) -> None:
    """Let a legend keep the swatches that its layer has now, which may get others for a page of another scale."""
    tree_layer.setCustomProperty(_SWATCHES_PROPERTY, tree_layer.layer().customProperty(_SWATCHES_PROPERTY))


def hide_legend(layer: QgsRasterLayer) -> None:
    """Save with ``layer`` that it has no legend of QGIS's own, which would be requested with the layer's login.

    ``restore_swatches`` sets it on the main thread.
    """
    layer.setCustomProperty(_SWATCHES_PROPERTY, json.dumps([]))


def forget_legend(layer: QgsRasterLayer) -> None:
    """Remove the legend that is saved with ``layer``. It has QGIS's own as soon as its source is changed."""
    layer.removeCustomProperty(_SWATCHES_PROPERTY)


def has_qgis_legend(layer: QgsMapLayer) -> bool:
    """Return whether the layer has the legend that QGIS makes, because no other one is saved with it."""
    return not layer.customProperty(_SWATCHES_PROPERTY)


def is_legend_hidden(layer: QgsMapLayer) -> bool:
    """Return whether the layer must not have a legend of QGIS's own."""
    return bool(layer.customProperty(_SWATCHES_PROPERTY) == json.dumps([]))


def has_swatches(layer: QgsMapLayer, swatches: Sequence[Swatch]) -> bool:
    """Return whether ``layer`` has a legend of ``swatches`` already, and so will have its copies."""
    legend = layer.legend()
    # a style that is pasted or loaded replaces what is saved with the layer, and leaves its legend
    return (isinstance(legend, SwatchLegend) and legend.swatches == tuple(swatches)
            and layer.customProperty(_SWATCHES_PROPERTY) == legend.saved)


def restore_swatches(layers: Iterable[QgsMapLayer]) -> None:
    """Restore the swatches that a reopened project has saved with its layers.

    A layer whose saved swatches cannot be read keeps QGIS's own legend: a project file may come from anywhere.
    """
    for layer in layers:
        saved = layer.customProperty(_SWATCHES_PROPERTY)
        if not saved or isinstance(layer.legend(), SwatchLegend):
            continue
        swatches = _read_swatches(saved)
        if swatches is None:
            log.warning(f"The legend saved for {layer.name()} cannot be read.")
            continue
        layer.setLegend(SwatchLegend(swatches, saved))


@lru_cache(maxsize=128)
def _read_swatches(saved: str) -> Optional[Tuple[Swatch, ...]]:
    """Return the swatches of a saved text, None for one that cannot be read."""
    try:
        return tuple(_swatch_from_json(values) for values in stored_list(saved))
    except (AttributeError, KeyError, TypeError, ValueError, CartoguideError):
        return None


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


def drawn_classes(layer: QgsMapLayer,
                  area: Optional[QgsRectangle] = None) -> Generator[None, None, Optional[Set[str]]]:
    """Return the keys of the classes of which a layer draws a feature in an area (in its CRS), a filtered one at all.

    Pauses between short steps. None for a layer without either, without classes, or with too many features or those of
    a server to be read.
    """
    renderer = layer.renderer().clone() if isinstance(layer, QgsVectorLayer) and layer.renderer() is not None else None
    if (renderer is None or not (layer.subsetString() or area is not None)
            or renderer.type() not in _CLASSIFYING_RENDERERS
            or drawn_source(layer).type not in (SourceType.FILE, SourceType.MEMORY)):
        return None
    keys = {item.ruleKey() for item in renderer.legendSymbolItems()}
    context, found = QgsRenderContext(), set()
    context.setExpressionContext(layer.createExpressionContext())
    renderer.startRender(context, layer.fields())
    try:
        request = QgsFeatureRequest() if area is None else QgsFeatureRequest(area)
        if not renderer.filterNeedsGeometry():
            request.setFlags(QgsFeatureRequest.Flag.NoGeometry)
        for number, feature in enumerate(layer.getFeatures(request)):
            if number >= _MAX_FILTERED:
                return None
            context.expressionContext().setFeature(feature)
            found.update(renderer.legendKeysForFeature(feature, context))
            if found >= keys:
                break
            if number % _FEATURES_AT_A_TIME == 0:
                yield
    finally:
        renderer.stopRender(context)
    return found


def seen_classes(layer: QgsMapLayer, colours: Mapping[Tuple[int, int, int, int], int]) -> Optional[List[int]]:
    """Return the numbers of a scale's classes from the first to the last that images show, and of blank ones.

    ``colours`` are those of the images (RGBA) with the numbers of their pixels. None where they do not have those
    of the legend, and for a legend that is not a scale of areas.
    """
    legend = layer.legend()
    swatches = legend.swatches if isinstance(legend, SwatchLegend) else ()
    if len(swatches) < _LEAST_SCALE or not all(swatch.is_area for swatch in swatches):
        return None
    coloured = [number for number, swatch in enumerate(swatches) if not is_blank(swatch)]
    middles = [QColor(swatches[number].image.pixelColor(swatches[number].image.rect().center())) for number in coloured]
    seen = classes_seen(colours, [(middle.red(), middle.green(), middle.blue()) for middle in middles])
    if not seen:
        return None
    left_out = {*coloured[:seen[0]], *coloured[seen[-1] + 1:]}
    return [number for number in range(len(swatches)) if number not in left_out]


def layer_swatches(layer: QgsMapLayer) -> List[Swatch]:
    """Return a swatch for each class of a vector layer's style. Other layers have none. Main thread only."""
    renderer = layer.renderer() if isinstance(layer, QgsVectorLayer) else None
    if renderer is None:
        return []
    # a symbol belongs to its item and goes with it
    items = list(renderer.legendSymbolItems())[:_MAX_SYMBOLS]
    return [Swatch(item.symbol().asImage(_PIXELS), SYMBOL_WIDTH, SYMBOL_WIDTH / 2, item.label())
            for item in items if item.symbol() is not None]
