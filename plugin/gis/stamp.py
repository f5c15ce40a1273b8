"""A map that is not complete and is wanted all the same: words across every page that say so, on paper and for good."""

from __future__ import annotations

from contextlib import contextmanager
from typing import Iterator, List, Sequence

from qgis.core import QgsExpressionContextUtils, QgsLayoutItemLabel, QgsLayoutPoint, QgsLayoutSize, QgsPrintLayout
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtGui import QColor, QFont

from . import compat
from .expressions import LANGUAGE
from .layouts import escaped
from .map_texts import map_text

_INK = QColor(176, 0, 32)
_TALL, _MARGIN = 22.0, 12.0
_MOST = 6


@contextmanager
def stamped(layout: QgsPrintLayout, problems: Sequence[str]) -> Iterator[None]:
    """Put the stamp on every page while something is drawn; afterwards the layout is as it was."""
    items = [_label(layout, page, problems) for page in range(layout.pageCollection().pageCount())]
    try:
        yield
    finally:
        for item in items:
            layout.removeLayoutItem(item)


def _label(layout: QgsPrintLayout, page: int, problems: Sequence[str]) -> QgsLayoutItemLabel:
    language = str(QgsExpressionContextUtils.layoutScope(layout).variable(LANGUAGE) or "en")
    lines: List[str] = [map_text(language, "incomplete"), *problems[:_MOST]]
    label = QgsLayoutItemLabel(layout)
    label.setText(escaped("\n".join(lines)))
    font = QFont(compat.label_font(label))
    font.setBold(True)
    font.setPointSizeF(13.0)
    compat.set_label_font(label, font)
    compat.set_label_colour(label, _INK)
    label.setHAlign(Qt.AlignmentFlag.AlignHCenter)
    label.setVAlign(Qt.AlignmentFlag.AlignVCenter)
    label.setBackgroundEnabled(True)
    label.setBackgroundColor(QColor(255, 255, 255, 225))
    label.setFrameEnabled(True)
    label.setFrameStrokeColor(_INK)
    sheet = layout.pageCollection().page(page)
    width = sheet.rect().width() - 2 * _MARGIN
    height = _TALL + 6.0 * (len(lines) - 1)
    layout.addLayoutItem(label)
    label.attemptResize(QgsLayoutSize(width, height))
    label.attemptMove(QgsLayoutPoint(_MARGIN, (sheet.rect().height() - height) / 2), True, False, page)
    label.setZValue(10_000)
    return label
