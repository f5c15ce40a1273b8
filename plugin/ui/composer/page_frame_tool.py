"""The frame of the page on the map canvas: drawn with the rest greyed out, moved and resized by mouse and keys."""

from __future__ import annotations

from typing import Optional

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsCsException,
    QgsGeometry,
    QgsPointXY,
    QgsProject,
    QgsRectangle,
)
from qgis.gui import QgsMapCanvas, QgsMapMouseEvent, QgsMapTool, QgsRubberBand
from qgis.PyQt.QtCore import QObject, QPoint, Qt, pyqtSignal
from qgis.PyQt.QtGui import QColor, QCursor, QKeyEvent

from ...app.page.page_frame_controller import PageFrame, PageFrameController
from ...core.custommap.page_fit import snapped_scale
from ...core.i18n import tr
from ...core.numbers import format_scale
from ...gis.runtime import compat

#: pixels around a corner in which it is taken hold of
_CORNER_PIXELS = 12
#: share of the frame that an arrow key moves it by, alone and with Shift
_STEP, _SMALL_STEP = 0.1, 0.01
#: factor of the scale for the keys plus and minus
_ZOOM = 1.1
_SHADE, _LINE = QColor(60, 60, 60, 110), QColor("#24513b")


class PageFrameBand:
    """Shows a PageFrame on a canvas: an outline, and a grey shade over the rest."""

    def __init__(self, canvas: QgsMapCanvas) -> None:
        self._canvas = canvas
        self._frame: Optional[PageFrame] = None
        self._shade = QgsRubberBand(canvas, compat.polygon_geometry())
        self._shade.setFillColor(_SHADE)
        self._shade.setStrokeColor(QColor(0, 0, 0, 0))
        self._outline = QgsRubberBand(canvas, compat.polygon_geometry())
        self._outline.setFillColor(QColor(0, 0, 0, 0))
        self._outline.setStrokeColor(_LINE)
        self._outline.setWidth(2)
        canvas.extentsChanged.connect(self._draw)
        canvas.destinationCrsChanged.connect(self._draw)
        self.show(None)

    def show(self, frame: Optional[PageFrame]) -> None:
        """Show ``frame``, or nothing."""
        self._frame = frame
        self._draw()

    @property
    def geometry(self) -> Optional[QgsGeometry]:
        """The frame in the canvas's CRS."""
        if self._frame is None:
            return None
        geometry = QgsGeometry.fromRect(self._frame.rectangle)
        try:
            geometry.transform(frame_transform(self._canvas, self._frame))
        except QgsCsException:
            return None
        return geometry

    def close(self) -> None:
        """Take the bands off the canvas."""
        self._canvas.extentsChanged.disconnect(self._draw)
        self._canvas.destinationCrsChanged.disconnect(self._draw)
        for band in (self._shade, self._outline):
            self._canvas.scene().removeItem(band)

    def _draw(self) -> None:
        geometry = self.geometry
        for band in (self._shade, self._outline):
            band.setVisible(geometry is not None)
        if geometry is not None:
            # larger than the canvas, so that no edge shows while it is dragged
            around = QgsRectangle(self._canvas.extent())
            around.combineExtentWith(geometry.boundingBox())
            around.scale(3)
            self._shade.setToGeometry(QgsGeometry.fromRect(around).difference(geometry), None)
            self._outline.setToGeometry(geometry, None)


class PageFrameTool(QgsMapTool):
    """Map tool that moves the frame by dragging it or by the arrow keys, and resizes it at its corners or by + and -.

    ``hint`` carries a text for the status bar.
    """

    hint = pyqtSignal(str)

    def __init__(self, canvas: QgsMapCanvas, controller: PageFrameController, band: PageFrameBand) -> None:
        super().__init__(canvas)
        self._controller, self._band = controller, band
        self._from: Optional[QgsPointXY] = None
        self._resizes = False
        self._dragged: Optional[PageFrame] = None
        self.setCursor(QCursor(Qt.CursorShape.SizeAllCursor))

    def activate(self) -> None:
        """QGIS: the tool was chosen."""
        super().activate()
        self.hint.emit(tr("Drag the page, or its corners. Arrow keys move it, + and - resize it, Esc ends."))

    def canvasPressEvent(self, event: QgsMapMouseEvent) -> None:  # noqa: N802
        """QGIS: take hold of the frame."""
        frame = self._controller.frame
        if frame is not None and event.button() == Qt.MouseButton.LeftButton:
            self._from = self._map_point(frame, event.mapPoint())
            self._resizes = self._is_corner(frame, event.pos())

    def canvasMoveEvent(self, event: QgsMapMouseEvent) -> None:  # noqa: N802
        """QGIS: show the frame where it would be placed."""
        frame = self._controller.frame
        if frame is None:
            return
        if self._from is None:
            self.setCursor(QCursor(Qt.CursorShape.SizeFDiagCursor if self._is_corner(frame, event.pos())
                                   else Qt.CursorShape.SizeAllCursor))
            return
        point = self._map_point(frame, event.mapPoint())
        if point is None:
            return
        self._dragged = self._changed(frame, self._from, point)
        self._band.show(self._dragged)
        self.hint.emit(format_scale(self._dragged.scale))

    def canvasReleaseEvent(self, event: QgsMapMouseEvent) -> None:  # noqa: N802
        """QGIS: place the frame, which is one change of the map."""
        dragged, self._from, self._dragged = self._dragged, None, None
        if dragged is not None and event.button() == Qt.MouseButton.LeftButton:
            self._controller.place(dragged.rectangle.center(), dragged.scale)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """QGIS: move the frame by the arrow keys, resize it by + and -, end by Esc."""
        frame = self._controller.frame
        steps = {Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, 1), Qt.Key.Key_Down: (0, -1)}
        if event.key() == Qt.Key.Key_Escape:
            if self._dragged is not None:
                self._from = self._dragged = None
                self._band.show(frame)
            else:
                self.canvas().unsetMapTool(self)
        elif frame is not None and event.key() in steps:
            share = _SMALL_STEP if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else _STEP
            dx, dy = steps[event.key()]
            centre = frame.rectangle.center()
            self._controller.place(QgsPointXY(centre.x() + dx * share * frame.rectangle.width(),
                                              centre.y() + dy * share * frame.rectangle.height()), frame.scale)
        elif frame is not None and event.key() in (Qt.Key.Key_Plus, Qt.Key.Key_Minus):
            factor = _ZOOM if event.key() == Qt.Key.Key_Plus else 1 / _ZOOM
            self._controller.place(frame.rectangle.center(), snapped_scale(frame.scale * factor))
        else:
            event.ignore()
            return
        # QGIS's canvas would move the map otherwise
        event.accept()

    def _changed(self, frame: PageFrame, start: QgsPointXY, now: QgsPointXY) -> PageFrame:
        """Return the frame as it is dragged from ``start`` to ``now``."""
        rectangle, centre = QgsRectangle(frame.rectangle), frame.rectangle.center()
        if not self._resizes:
            moved = QgsPointXY(centre.x() + now.x() - start.x(), centre.y() + now.y() - start.y())
            return PageFrame(QgsRectangle.fromCenterAndSize(moved, rectangle.width(), rectangle.height()), frame.crs,
                             frame.scale, None)
        factor = max(abs(now.x() - centre.x()) / (rectangle.width() / 2),
                     abs(now.y() - centre.y()) / (rectangle.height() / 2), 0.02)
        scale = snapped_scale(frame.scale * factor)
        rectangle.scale(scale / frame.scale)
        return PageFrame(rectangle, frame.crs, scale, None)

    def _is_corner(self, frame: PageFrame, position: QPoint) -> bool:
        geometry = self._band.geometry
        if geometry is None:
            return False
        corners = [self.toCanvasCoordinates(QgsPointXY(vertex)) for vertex in list(geometry.vertices())[:4]]
        return any((corner - position).manhattanLength() <= _CORNER_PIXELS for corner in corners)

    def _map_point(self, frame: PageFrame, point: QgsPointXY) -> Optional[QgsPointXY]:
        """Return a point of the canvas in the frame's CRS."""
        try:
            return QgsCoordinateTransform(self.canvas().mapSettings().destinationCrs(),
                                          QgsCoordinateReferenceSystem(frame.crs),
                                          QgsProject.instance()).transform(point)
        except QgsCsException:
            return None


def frame_transform(canvas: QgsMapCanvas, frame: PageFrame) -> QgsCoordinateTransform:
    """Return the transform from the frame's CRS to the canvas's."""
    return QgsCoordinateTransform(QgsCoordinateReferenceSystem(frame.crs), canvas.mapSettings().destinationCrs(),
                                  QgsProject.instance())


class PageFrameDisplay(QObject):
    """Shows the frame on the canvas while the composer is seen, and offers the tool that moves it.

    The frame is shown once the page has a fixed place. ``tool_changed`` is True while the tool is active.
    """

    tool_changed = pyqtSignal(bool)
    hint = pyqtSignal(str)

    def __init__(self, canvas: QgsMapCanvas, controller: PageFrameController,
                 parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._canvas, self._controller = canvas, controller
        self._is_watched = False
        self.band = PageFrameBand(canvas)
        self.tool = PageFrameTool(canvas, controller, self.band)
        self.tool.hint.connect(self.hint)
        self.tool.activated.connect(lambda: self.tool_changed.emit(True))
        self.tool.deactivated.connect(lambda: self.tool_changed.emit(False))
        controller.changed.connect(self._show)

    def set_watched(self, on: bool) -> None:
        """Show the frame only while the composer can be seen."""
        self._is_watched = on
        if not on:
            self.set_active(False)
        self._show()

    def set_active(self, on: bool) -> None:
        """Choose the tool that moves the frame, or leave it."""
        if on and self._controller.frame is not None:
            self._controller.fix()
            self.show_whole()
            self._canvas.setMapTool(self.tool)
            self._canvas.setFocus()
        elif self._canvas.mapTool() is self.tool:
            self._canvas.unsetMapTool(self.tool)
        elif on:
            self.tool_changed.emit(False)

    def show_whole(self) -> None:
        """Zoom the canvas out if it does not show the whole frame."""
        self._controller.refresh()
        geometry = self.band.geometry
        if geometry is not None and not self._canvas.extent().contains(geometry.boundingBox()):
            around = geometry.boundingBox()
            around.scale(1.15)
            self._canvas.setExtent(around)
            self._canvas.refresh()

    def close(self) -> None:
        """Leave the canvas as it was."""
        self.set_active(False)
        self._controller.changed.disconnect(self._show)
        self.band.close()

    def _show(self, _frame: object = None) -> None:
        is_shown = self._is_watched and self._controller.is_fixed
        self.band.show(self._controller.frame if is_shown else None)
