"""Columns of credits, terms and sources at the foot of a bundled template, each as wide as its text asks for."""

from __future__ import annotations

import math
from typing import List, NamedTuple, Optional, Tuple

from qgis.core import QgsLayoutItemLabel, QgsPrintLayout
from qgis.PyQt.QtCore import QRectF
from qgis.PyQt.QtGui import QFont

from ..layouts import layout_items, text_fitting
from ..runtime import compat

_NAMES = (layout_items.CREDITS, layout_items.TERMS, layout_items.SOURCES)
#: millimetres by which the tops of columns that stand side by side may differ
_SAME_TOP = 1.0
#: steps in which the width is shared out, and the least share of a column
_STEPS, _LEAST = 40, 6
#: part of a line that an address leaves free where it is broken
_BROKEN = 1.12


class _Column(NamedTuple):
    label: QgsLayoutItemLabel
    heading: Optional[QgsLayoutItemLabel]
    text: str
    font: QFont


def share_foot(layout: QgsPrintLayout) -> None:
    """Share out the width of the page's foot so that the fullest column is as little filled as can be.

    The template's shares stay where all texts fit. No-op where the texts do not stand side by side.
    """
    labels = [layout_items.find_item(layout, name, QgsLayoutItemLabel) for name in _NAMES]
    if text_fitting.type_factor(layout) is None or not all(labels):
        return
    columns = [_column(layout, label) for label in labels if label is not None]
    places = [column.label.pagePos() for column in columns]
    widths = [float(column.label.rect().width()) for column in columns]
    gaps = [places[number + 1].x() - places[number].x() - widths[number] for number in range(2)]
    if max(place.y() for place in places) - min(place.y() for place in places) > _SAME_TOP or min(gaps) < 0:
        return
    height = min(float(column.label.rect().height()) for column in columns)
    if all(_filled(column, width, height) <= 1 for column, width in zip(columns, widths)):
        return
    filled = [[_filled(column, part * sum(widths) / _STEPS, height) for part in range(1, _STEPS)] for column in columns]
    shares = min(_divisions(), key=lambda parts: max(column[part - 1] for column, part in zip(filled, parts)))
    x = places[0].x()
    for column, part, gap in zip(columns, shares, (*gaps, 0.0)):
        width = part * sum(widths) / _STEPS
        for item in (column.label, column.heading):
            if item is not None:
                layout_items.place_item(item, QRectF(x, item.pagePos().y(), width, item.rect().height()))
        x += width + gap


def _divisions() -> List[Tuple[int, int, int]]:
    return [(one, two, _STEPS - one - two) for one in range(_LEAST, _STEPS) for two in range(_LEAST, _STEPS - one)
            if _STEPS - one - two >= _LEAST]


def _column(layout: QgsPrintLayout, label: QgsLayoutItemLabel) -> _Column:
    heading = layout_items.find_item(layout, layout_items.HEADING_PREFIX + label.id(), QgsLayoutItemLabel)
    return _Column(label, heading, label.currentText(), QFont(compat.label_font(label)))


def _filled(column: _Column, width: float, height: float) -> float:
    """Return the part of the height that a column's text takes, over 1 too where its heading has no room."""
    lines = sum(_lines(paragraph, column.font, width) for paragraph in column.text.split("\n"))
    taken = lines * text_fitting.text_height("x", column.font, width) / height
    if column.heading is not None and column.heading.currentText():
        font = QFont(compat.label_font(column.heading))
        font.setPointSizeF(text_fitting.least_label_points(column.heading))
        if text_fitting.text_width(column.heading.currentText(), font) > width:
            taken += 1
    return taken


def _lines(paragraph: str, font: QFont, width: float) -> int:
    """Return the lines of a paragraph, in which an address longer than a line is broken."""
    lines, free = 1, width
    space = text_fitting.text_width("\u00a0", font)
    for word in paragraph.split():
        needed = text_fitting.text_width(word, font)
        if needed > free and free < width:
            lines, free = lines + 1, width
        if needed > width:
            broken = math.ceil(needed * _BROKEN / width)
            lines, free = lines + broken - 1, 0.0
        else:
            free -= needed + space
    return lines
