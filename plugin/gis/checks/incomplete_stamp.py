"""Stamp for a map that is exported although it is incomplete: a notice across every page of the file."""

from __future__ import annotations

from contextlib import contextmanager
from enum import Enum
from typing import Iterator, List, Sequence

from qgis.core import QgsExpressionContextUtils, QgsLayoutItemLabel, QgsLayoutPoint, QgsLayoutSize, QgsPrintLayout
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtGui import QColor, QFont

from ...core.page_design.type_scale import TextRole
from ...core.text import bounded_title, inert
from ..credits.expression_functions import LANGUAGE_VARIABLE
from ..credits.map_phrases import map_phrase
from ..layouts.text_fitting import role_points, type_factor
from ..runtime import compat

_STAMP_COLOUR = QColor(176, 0, 32)
#: millimetres on A4
_STAMP_HEIGHT, _MARGIN = 22.0, 12.0
_MAX_PROBLEMS = 6


class StampPlace(float, Enum):
    """Places of the stamp on the page, in the order in which they are tried: the share of the free height above it."""

    MIDDLE = 0.5
    TOP = 0.05
    UPPER = 0.25
    LOWER = 0.75
    BOTTOM = 0.95


@contextmanager
def stamped_incomplete(layout: QgsPrintLayout, problems: Sequence[str],
                       place: StampPlace = StampPlace.MIDDLE) -> Iterator[None]:
    """Put the stamp with ``problems`` on every page within the context, and remove it afterwards."""
    items = [_add_stamp(layout, page, problems, place) for page in range(layout.pageCollection().pageCount())]
    try:
        yield
    finally:
        for item in items:
            layout.removeLayoutItem(item)


def _add_stamp(layout: QgsPrintLayout, page: int, problems: Sequence[str], place: StampPlace) -> QgsLayoutItemLabel:
    language = str(QgsExpressionContextUtils.layoutScope(layout).variable(LANGUAGE_VARIABLE) or "en")
    lines: List[str] = [map_phrase(language, "incomplete"), *map(bounded_title, problems[:_MAX_PROBLEMS])]
    label = QgsLayoutItemLabel(layout)
    label.setText(inert("\n".join(lines)))
    font = QFont(compat.label_font(label))
    font.setBold(True)
    factor = type_factor(layout) or 1.0
    font.setPointSizeF(role_points(layout, TextRole.STAMP))
    compat.set_label_font(label, font)
    compat.set_label_colour(label, _STAMP_COLOUR)
    label.setHAlign(Qt.AlignmentFlag.AlignHCenter)
    label.setVAlign(Qt.AlignmentFlag.AlignVCenter)
    label.setBackgroundEnabled(True)
    label.setBackgroundColor(QColor(255, 255, 255, 225))
    label.setFrameEnabled(True)
    label.setFrameStrokeColor(_STAMP_COLOUR)
    sheet = layout.pageCollection().page(page)
    margin = _MARGIN * factor
    width = sheet.rect().width() - 2 * margin
    height = (_STAMP_HEIGHT + 6.0 * (len(lines) - 1)) * factor
    layout.addLayoutItem(label)
    label.attemptResize(QgsLayoutSize(width, height))
    label.attemptMove(QgsLayoutPoint(margin, (sheet.rect().height() - height) * place.value), True, False, page)
    label.setZValue(10_000)
    return label
