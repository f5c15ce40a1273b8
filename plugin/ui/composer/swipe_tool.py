"""Comparison on the map canvas: left of a line the map as it is, right of it without one service or own layer."""

from __future__ import annotations

from typing import Collection, Optional

from qgis.core import QgsMapRendererParallelJob, QgsMapSettings
from qgis.gui import QgsMapCanvas, QgsMapCanvasItem, QgsMapMouseEvent, QgsMapTool
from qgis.PyQt.QtCore import QObject, QPointF, QRectF, Qt, pyqtSignal
from qgis.PyQt.QtGui import QColor, QCursor, QImage, QKeyEvent, QPainter, QPen
from qgis.PyQt.QtWidgets import QStyleOptionGraphicsItem, QWidget

from ...core.i18n import tr
from ...core.text import inert
from ...gis.previews.map_images import end_rendering

#: pixels that an arrow key moves the line by, alone and with Shift
_STEP, _SMALL_STEP = 20, 1
_LINE, _HALO, _TEXT = QColor("#24513b"), QColor(255, 255, 255, 220), QColor("#202020")
_MARGIN = 6


class SwipeCurtain(QgsMapCanvasItem):
    """Picture that covers the canvas right of a line, and the line with a word on either side."""

    def __init__(self, canvas: QgsMapCanvas) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self.image: Optional[QImage] = None
        self.position = canvas.width() // 2
        self.setZValue(50)

    def show_image(self, image: Optional[QImage]) -> None:
        """Cover the canvas with ``image``, or with nothing while there is none."""
        self.image = image
        self.prepareGeometryChange()
        self.update()

    def move_to(self, position: int) -> None:
        """Put the line ``position`` pixels from the left edge, within the canvas."""
        self.position = min(max(position, 0), self._canvas.width())
        self.update()

    def boundingRect(self) -> QRectF:  # noqa: N802
        """Qt: the whole canvas."""
        return QRectF(0, 0, self._canvas.width(), self._canvas.height())

    def updatePosition(self) -> None:  # noqa: N802
        """QGIS: the item lies on the window, not on the ground."""
        self.setPos(0, 0)

    def paint(self, painter: QPainter, _option: Optional[QStyleOptionGraphicsItem] = None,
              _widget: Optional[QWidget] = None) -> None:
        """QGIS: paint the picture right of the line, then the line."""
        area = self.boundingRect()
        if self.image is not None and self.position < area.width():
            share = self.position / max(1.0, area.width())
            right = QRectF(self.position, 0, area.width() - self.position, area.height())
            part = QRectF(share * self.image.width(), 0, (1 - share) * self.image.width(), self.image.height())
            painter.drawImage(right, self.image, part)
        for colour, width in ((_HALO, 5), (_LINE, 2)):
            painter.setPen(QPen(colour, width))
            painter.drawLine(QPointF(self.position, 0), QPointF(self.position, area.height()))
        self._paint_word(painter, tr("With"), is_left=True)
        self._paint_word(painter, tr("Without"), is_left=False)

    def _paint_word(self, painter: QPainter, word: str, is_left: bool) -> None:
        metrics = painter.fontMetrics()
        width, height = metrics.horizontalAdvance(word) + 2 * _MARGIN, metrics.height() + _MARGIN
        left = self.position - _MARGIN - width if is_left else self.position + _MARGIN
        box = QRectF(left, _MARGIN, width, height)
        painter.fillRect(box, _HALO)
        painter.setPen(_TEXT)
        painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), word)


class SwipeTool(QgsMapTool):
    """Map tool that moves the line by dragging it or by the arrow keys. Esc ends it."""

    def __init__(self, canvas: QgsMapCanvas, curtain: SwipeCurtain) -> None:
        super().__init__(canvas)
        self._curtain = curtain
        self._is_dragged = False
        self.setCursor(QCursor(Qt.CursorShape.SplitHCursor))

    def canvasPressEvent(self, event: QgsMapMouseEvent) -> None:  # noqa: N802
        """QGIS: take hold of the line, wherever it is."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._is_dragged = True
            self._curtain.move_to(event.pos().x())

    def canvasMoveEvent(self, event: QgsMapMouseEvent) -> None:  # noqa: N802
        """QGIS: drag the line."""
        if self._is_dragged:
            self._curtain.move_to(event.pos().x())

    def canvasReleaseEvent(self, _event: QgsMapMouseEvent) -> None:  # noqa: N802
        """QGIS: leave the line where it is."""
        self._is_dragged = False

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """QGIS: move the line by the arrow keys, to an edge by Home and End, end by Esc."""
        step = _SMALL_STEP if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else _STEP
        places = {Qt.Key.Key_Left: self._curtain.position - step, Qt.Key.Key_Right: self._curtain.position + step,
                  Qt.Key.Key_Home: 0, Qt.Key.Key_End: self.canvas().width()}
        if event.key() == Qt.Key.Key_Escape:
            self.canvas().unsetMapTool(self)
        elif event.key() in places:
            self._curtain.move_to(places[event.key()])
        else:
            event.ignore()
            return
        # QGIS's canvas would move the map otherwise
        event.accept()


class SwipeComparison(QObject):
    """Compares the canvas with and without some of its layers until the tool is left. The project is not changed.

    ``ended`` is emitted then.
    """

    ended = pyqtSignal()

    def __init__(self, canvas: QgsMapCanvas, layer_ids: Collection[str], parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._canvas, self._layer_ids = canvas, frozenset(layer_ids)
        self._job: Optional[QgsMapRendererParallelJob] = None
        self._is_closed = False
        self.curtain = SwipeCurtain(canvas)
        self.tool = SwipeTool(canvas, self.curtain)
        canvas.extentsChanged.connect(self._on_moved)
        canvas.mapCanvasRefreshed.connect(self._render)
        canvas.setMapTool(self.tool)
        self.tool.deactivated.connect(self._end)
        canvas.setFocus()
        self._render()

    @staticmethod
    def is_possible(canvas: QgsMapCanvas, layer_ids: Collection[str]) -> bool:
        """Return whether the canvas shows any of the layers."""
        return any(layer.id() in layer_ids for layer in canvas.layers())

    def close(self) -> None:
        """Leave the canvas as it was."""
        if not self._is_closed:
            self._canvas.unsetMapTool(self.tool)
            self._end()

    def _end(self) -> None:
        # the canvas may be about to take another tool
        if self._is_closed:
            return
        self._is_closed = True
        self._canvas.extentsChanged.disconnect(self._on_moved)
        self._canvas.mapCanvasRefreshed.disconnect(self._render)
        self._stop()
        self._canvas.scene().removeItem(self.curtain)
        self.tool.deleteLater()
        self.ended.emit()

    def _on_moved(self) -> None:
        """Uncover the canvas: the picture is of another place."""
        self._stop()
        self.curtain.show_image(None)

    def _stop(self) -> None:
        if self._job is not None:
            self._job.finished.disconnect(self._on_rendered)
            end_rendering(self._job)
            self._job = None

    def _render(self) -> None:
        if not self.is_possible(self._canvas, self._layer_ids):
            self.close()
            return
        self._stop()
        settings = QgsMapSettings(self._canvas.mapSettings())
        settings.setLayers([layer for layer in self._canvas.layers() if layer.id() not in self._layer_ids])
        self._job = QgsMapRendererParallelJob(settings)
        self._job.finished.connect(self._on_rendered)
        self._job.start()

    def _on_rendered(self) -> None:
        # it is dropped later: this is its own signal
        if self._job is not None:
            self.curtain.show_image(self._job.renderedImage())


def swipe_hint(title: str) -> str:
    """Return how to use the comparison, as plain text."""
    return inert(tr("Left of the line the map with “{title}”, right of it without. Drag the line or press the arrow "
                    "keys. Esc ends.", title=title))
