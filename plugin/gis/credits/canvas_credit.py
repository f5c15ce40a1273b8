"""Draw the credits of the visible layers on the map canvas, so that screenshots carry them.

They are drawn when rendering has finished, on the image that is shown. QGIS draws the map anew, without them, where it
is exported as an image.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, List

from qgis.core import QgsMapLayer, QgsProject
from qgis.PyQt.QtCore import QObject, QRectF, Qt
from qgis.PyQt.QtGui import QColor, QFont, QFontMetricsF, QPainter

from ..runtime import compat, settings
from .layer_credits import annotations_of, credits_text, visible_layers

if TYPE_CHECKING:
    from qgis.gui import QgsMapCanvas

SETTING = "canvas_credit"
#: share of the canvas width that the text may take, and pixels around it
_MAX_WIDTH_SHARE = 0.62
_MARGIN, _PADDING = 6.0, 4.0
_BACKGROUND, _TEXT_COLOUR = QColor(255, 255, 255, 215), QColor(25, 30, 27)


class CanvasCredit(QObject):
    """Draws the credits on a canvas while the setting is on, until ``close`` disconnects it."""

    def __init__(self, canvas: QgsMapCanvas) -> None:
        super().__init__()
        self._canvas = canvas
        canvas.renderComplete.connect(self._draw)

    @property
    def text(self) -> str:
        """The credits of the layers that the canvas shows at its scale, one a line."""
        return canvas_credits(self._canvas)

    def set_enabled(self, enabled: bool) -> None:
        """Turn the credits on or off and save the setting."""
        settings.set(SETTING, enabled)
        self._canvas.refresh()

    def close(self) -> None:
        self._canvas.renderComplete.disconnect(self._draw)
        self._canvas.refresh()

    def _draw(self, painter: QPainter) -> None:
        text = self.text if settings.get(SETTING) else ""
        if text:
            device = painter.device()
            ratio = device.devicePixelRatioF()
            draw_credit(painter, text, device.width() / ratio, device.height() / ratio)


def canvas_credits(canvas: QgsMapCanvas) -> str:
    """Return the credits of the layers that a canvas shows at its scale, one a line."""
    layers: List[QgsMapLayer] = [*annotations_of(canvas.project() or QgsProject.instance()), *canvas.layers()]
    return credits_text(visible_layers(layers, canvas.scale()))


def draw_credit(painter: QPainter, text: str, width: float, height: float) -> QRectF:
    """Draw ``text`` in the lower right corner of an image of this size (pixels) and return its bounds."""
    font = QFont(painter.font())
    font.setPixelSize(11)
    metrics = QFontMetricsF(font)
    flags = compat.enum_value(Qt.TextFlag.TextWordWrap) | compat.enum_value(Qt.AlignmentFlag.AlignRight)
    available = QRectF(0, 0, max(80.0, width * _MAX_WIDTH_SHARE), height)
    size = metrics.boundingRect(available, flags, text).size()
    bounds = QRectF(width - _MARGIN - size.width() - 2 * _PADDING, height - _MARGIN - size.height() - 2 * _PADDING,
                    size.width() + 2 * _PADDING, size.height() + 2 * _PADDING)
    painter.save()
    painter.setFont(font)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(_BACKGROUND)
    painter.drawRoundedRect(bounds, 3, 3)
    painter.setPen(_TEXT_COLOUR)
    painter.drawText(bounds.adjusted(_PADDING, _PADDING, -_PADDING + 1, 0), flags, text)
    painter.restore()
    return bounds
