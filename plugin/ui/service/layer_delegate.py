"""Delegate that paints a layer in the tree: first symbol of its legend, title, and a summary below it."""

from __future__ import annotations

from typing import Optional

from qgis.PyQt.QtCore import QModelIndex, QRect, QSize, Qt
from qgis.PyQt.QtGui import QFontMetrics, QIcon, QImage, QPainter
from qgis.PyQt.QtWidgets import QApplication, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from ..widgets.theme import ThemeColours, on_white_background, scaled_font
from .layer_model import SummaryRole, SwatchRole

_PAD = 3
_GAP = 6
#: size of the summary's font relative to the title's
_SUMMARY_FONT_SCALE = 0.9


class LayerDelegate(QStyledItemDelegate):
    """Delegate with two lines in every row. All rows have the same height, so a long list is laid out quickly."""

    def __init__(self, view: QWidget) -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex) -> QSize:  # noqa: N802
        """Qt: return the size of a row, whose width is that of the view."""
        return QSize(80, self._height())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex) -> None:
        """Qt: paint the theme's background, then symbol, title and summary."""
        self.initStyleOption(option, index)
        option.text = ""
        option.icon = QIcon()
        style = option.widget.style() if option.widget else QApplication.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, option.widget)
        colours = ThemeColours(self._view)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        room = option.rect.adjusted(_PAD, _PAD, -_PAD, -_PAD)
        side = room.height()
        symbol: Optional[QImage] = index.data(SwatchRole)
        square = QRect(room.left(), room.top(), side, side)
        if symbol is not None:
            _draw_swatch(painter, square, symbol, colours)
        else:
            # Qt 6 gives None for an icon without a picture
            (index.data(Qt.ItemDataRole.DecorationRole) or QIcon()).paint(painter, square.adjusted(6, 6, -6, -6))
        room.setLeft(square.right() + _GAP)
        facts = index.data(SummaryRole)
        painter.save()
        painter.setPen(colours.highlighted_text if selected else colours.text)
        font = self._view.font()
        lines = QFontMetrics(font)
        title = QRect(room.left(), room.top(), room.width(), lines.height() if facts else room.height())
        painter.setFont(font)
        text = lines.elidedText(index.data(), Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(title, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
        if facts:
            small = scaled_font(self._view, _SUMMARY_FONT_SCALE)
            painter.setFont(small)
            painter.setPen(colours.highlighted_text if selected else colours.muted)
            below = QRect(room.left(), title.bottom(), room.width(), room.bottom() - title.bottom() + 1)
            text = QFontMetrics(small).elidedText(facts, Qt.TextElideMode.ElideRight, room.width())
            painter.drawText(below, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
        painter.restore()

    def _height(self) -> int:
        small = QFontMetrics(scaled_font(self._view, _SUMMARY_FONT_SCALE))
        return int(QFontMetrics(self._view.font()).height() + small.height() + 2 * _PAD)


def _draw_swatch(painter: QPainter, square: QRect, symbol: QImage, colours: ThemeColours) -> None:
    """Draw the symbol on white, never enlarged."""
    size = symbol.size()
    if size.width() > square.width() - 4 or size.height() > square.height() - 4:
        size.scale(square.width() - 4, square.height() - 4, Qt.AspectRatioMode.KeepAspectRatio)
    painter.save()
    painter.fillRect(square, Qt.GlobalColor.white)
    painter.setPen(colours.line)
    painter.drawRect(square.adjusted(0, 0, -1, -1))
    target = QRect(square.topLeft(), size)
    target.moveCenter(square.center())
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    painter.drawImage(target, on_white_background(symbol))
    painter.restore()
