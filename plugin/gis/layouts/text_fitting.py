"""Text in layout labels: whether it fits its box, and making it fit, in a font that this machine has."""

from __future__ import annotations

import re
from typing import List, Sequence

from qgis.core import (
    QgsLayoutItem,
    QgsLayoutItemLabel,
    QgsLayoutItemLegend,
    QgsLayoutItemMap,
    QgsLayoutItemScaleBar,
    QgsLayoutPoint,
    QgsLayoutSize,
    QgsLegendStyle,
    QgsPrintLayout,
    QgsTextFormat,
)
from qgis.PyQt.QtCore import QRectF, Qt
from qgis.PyQt.QtGui import QFont, QFontMetricsF

from ..runtime import compat
from . import layout_items

#: tried in this order where the template's own family is not installed
FONT_FAMILIES = ("Open Sans", "Noto Sans", "Source Sans Pro", "DejaVu Sans", "Liberation Sans", "Arial")
#: points: smaller type is not read on paper
MIN_FONT_SIZE = 5.5
_MIN_FONT_SHARE = 0.65
_PIXELS_PER_MM = 100.0
#: millimetres at a page's edge that printers leave white
_PAGE_MARGIN = 4.0
_MM_PER_POINT = 25.4 / 72
#: a figure and its unit stay on one line
_UNIT = re.compile(r"(\d) (?=(?:m|km|mm|cm|ha|%|°C|l/m²)(?:\W|$))")


def font_metrics(font: QFont) -> QFontMetricsF:
    """Metrics of ``font`` at 100 pixels to the millimetre, so that they are those of paper."""
    large = QFont(font)
    large.setPixelSize(max(1, round(font.pointSizeF() * _MM_PER_POINT * _PIXELS_PER_MM)))
    return QFontMetricsF(large)


def text_width(text: str, font: QFont) -> float:
    """Width of one line in millimetres."""
    return font_metrics(font).horizontalAdvance(text) / _PIXELS_PER_MM


def text_height(text: str, font: QFont, width: float) -> float:
    """Height in millimetres of ``text`` wrapped at words to ``width`` millimetres."""
    if not text.strip():
        return 0.0
    room = QRectF(0, 0, width * _PIXELS_PER_MM, 1e7)
    flags = int(compat.enum_value(Qt.TextFlag.TextWordWrap))
    return font_metrics(font).boundingRect(room, flags, text).height() / _PIXELS_PER_MM


def wrap_text(text: str, font: QFont, width: float) -> str:
    """``text`` with line breaks at words, so that no line is wider than ``width`` millimetres where words allow it."""
    lines: List[str] = []
    text = " ".join(text.split())
    for word in _UNIT.sub("\\1\u00a0", text).split(" "):
        if lines and text_width(f"{lines[-1]} {word}", font) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return "\n".join(lines)


def label_overflows(label: QgsLayoutItemLabel) -> bool:
    """Whether the label's text, as evaluated now, is higher or wider than its box, so that some of it is cut."""
    return _too_large(label, label.currentText(), compat.label_font(label))


def label_overflows_width(label: QgsLayoutItemLabel) -> bool:
    """Whether a word of the label's text, as evaluated now, is wider than its box."""
    return _too_wide(label, label.currentText(), compat.label_font(label))


def _too_large(label: QgsLayoutItemLabel, text: str, font: QFont) -> bool:
    width = label.rect().width() - 2 * label.marginX()
    height = label.rect().height() - 2 * label.marginY()
    return text_height(text, font, width) > height + 0.3 or _too_wide(label, text, font)


def _too_wide(label: QgsLayoutItemLabel, text: str, font: QFont) -> bool:
    width = label.rect().width() - 2 * label.marginX()
    measure = font_metrics(font)
    return any(measure.horizontalAdvance(word) / _PIXELS_PER_MM > width + 0.3 for word in set(text.split()))


def min_font_size(font: QFont) -> float:
    """How small, in points, a text of this type may become: what is read from afar becomes no footnote."""
    return max(MIN_FONT_SIZE, _MIN_FONT_SHARE * font.pointSizeF())


def shrink_to_fit(label: QgsLayoutItemLabel, min_size: float = MIN_FONT_SIZE) -> bool:
    """Make the label's type smaller, not below ``least`` points, until its text fits; False where it does not fit
    even so.
    """
    font, text = QFont(compat.label_font(label)), label.currentText()
    while _too_large(label, text, font):
        size = font.pointSizeF() - 0.2
        if size < min_size:
            return False
        font.setPointSizeF(size)
        compat.set_label_font(label, font)
    return True


def extend_down(label: QgsLayoutItemLabel, obstacles: Sequence[QgsLayoutItem]) -> bool:
    """Make the label higher, downwards to the next of the items ``around`` or the page's margin; False without room."""
    page = label.layout().pageCollection().page(max(0, label.page()))
    box, sheet = label.mapRectToScene(label.rect()), page.mapRectToScene(page.rect())
    bottom = sheet.bottom() - _PAGE_MARGIN
    for item in obstacles:
        other = item.mapRectToScene(item.rect())
        beside = other.right() <= box.left() + 0.1 or other.left() >= box.right() - 0.1
        if item is not label and not beside and other.bottom() > box.bottom():
            bottom = min(bottom, other.top() - 0.3)
    if bottom <= box.bottom() + 0.5:
        return False
    label.attemptResize(QgsLayoutSize(box.width(), bottom - box.top()))
    return True


def narrow_to_text(label: QgsLayoutItemLabel) -> None:
    """Make a label that stands at the right no wider than its text, so that others can use what it leaves."""
    box = label.mapRectToScene(label.rect())
    width = text_width(label.currentText(), compat.label_font(label)) + 2 * label.marginX() + 1.0
    if label.hAlign() == Qt.AlignmentFlag.AlignRight and width < box.width():
        position = label.positionWithUnits()
        label.attemptResize(QgsLayoutSize(width, box.height()))
        label.attemptMove(QgsLayoutPoint(position.x() + box.width() - width, position.y()), True, False)


def use_installed_fonts(layout: QgsPrintLayout) -> None:
    """Put the first installed of FAMILIES where the template asks for a family that this machine lacks."""
    installed = set(compat.font_families())
    replacement = next((family for family in FONT_FAMILIES if family in installed), "")
    if not replacement:
        return

    def changed(font: QFont) -> QFont:
        result = QFont(font)
        if font.family() not in installed:
            bold = font.styleName().lower().startswith(("semi", "bold", "demi")) or font.bold()
            result = QFont(replacement)
            result.setPointSizeF(font.pointSizeF())
            result.setBold(bold)
        return result

    def changed_format(text: QgsTextFormat) -> QgsTextFormat:
        text.setFont(changed(text.font()))
        return text

    for label in layout_items.items_of_type(layout, QgsLayoutItemLabel):
        compat.set_label_font(label, changed(compat.label_font(label)))
    for legend in layout_items.items_of_type(layout, QgsLayoutItemLegend):
        for style in (QgsLegendStyle.Style.Title, QgsLegendStyle.Style.Group, QgsLegendStyle.Style.Subgroup,
                      QgsLegendStyle.Style.SymbolLabel):
            compat.set_legend_font(legend, style, changed(compat.legend_font(legend, style)))
    for bar in layout_items.items_of_type(layout, QgsLayoutItemScaleBar):
        bar.setTextFormat(changed_format(bar.textFormat()))
    for item in layout_items.items_of_type(layout, QgsLayoutItemMap):
        for grid in item.grids().asList():
            grid.setAnnotationTextFormat(changed_format(grid.annotationTextFormat()))
