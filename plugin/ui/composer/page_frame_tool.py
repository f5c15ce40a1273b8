"""The frame of the page on the map canvas: drawn with the rest greyed out, changed by mouse and keys."""

from __future__ import annotations

import math
from dataclasses import replace
from enum import Enum
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
from qgis.PyQt.QtCore import QEvent, QObject, QPoint, Qt, pyqtSignal
from qgis.PyQt.QtGui import QColor, QCursor, QKeyEvent

from ...app.page.page_frame_controller import PageFrame, PageFrameController
from ...core.custommap.page_fit import snapped_scale
from ...core.i18n import tr
from ...core.numbers import format_angle, format_scale
from ...gis.runtime import compat

#: pixels around a corner in which it is taken hold of
_CORNER_PIXELS = 12
#: share of the frame that an arrow key moves it by, alone and with Shift
_STEP, _SMALL_STEP = 0.1, 0.01
#: factor of the scale for the keys plus and minus
_ZOOM = 1.1
#: degrees to whose multiples the rotation snaps, and how near it must come
_ANGLE, _NEAR = 15.0, 3.0
#: pixels between the frame and the handle above it, and the handle's radius
_HANDLE_PIXELS, _HANDLE_RADIUS = 22, 6
#: least share of the canvas, across or along, that a frame takes which can be worked with
_LEAST_SHARE = 0.2
_SHADE, _LINE, _HANDLE = QColor(60, 60, 60, 110), QColor("#24513b"), QColor("#ffffff")


class _Grip(str, Enum):
    """Part of the frame that is dragged."""

    INSIDE = "inside"
    CORNER = "corner"
    HANDLE = "handle"


class PageFrameBand:
    """Shows a PageFrame on a canvas: an outline, a handle that rotates it, and a grey shade over the rest."""

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
        self._handle = QgsRubberBand(canvas, compat.polygon_geometry())
        self._handle.setFillColor(_HANDLE)
        self._handle.setStrokeColor(_LINE)
        self._handle.setWidth(2)
        self._has_handle = False
        canvas.extentsChanged.connect(self._draw)
        canvas.destinationCrsChanged.connect(self._draw)
        self.show(None)

    def show(self, frame: Optional[PageFrame]) -> None:
        """Show ``frame``, or nothing."""
        self._frame = frame
        self._draw()

    def show_handle(self, on: bool) -> None:
        self._has_handle = on
        self._draw()

    @property
    def handle(self) -> Optional[QgsPointXY]:
        """The middle of the handle, above the upper edge of the page, in the canvas's CRS."""
        geometry = self.geometry
        if geometry is None:
            return None
        corners = [QgsPointXY(vertex) for vertex in list(geometry.vertices())[:4]]
        bottom, top = (QgsPointXY((one.x() + other.x()) / 2, (one.y() + other.y()) / 2)
                       for one, other in ((corners[0], corners[1]), (corners[2], corners[3])))
        length = bottom.distance(top)
        if not length:
            return None
        share = _HANDLE_PIXELS * self._canvas.mapUnitsPerPixel() / length
        return QgsPointXY(top.x() + (top.x() - bottom.x()) * share, top.y() + (top.y() - bottom.y()) * share)

    @property
    def geometry(self) -> Optional[QgsGeometry]:
        """The frame in the canvas's CRS."""
        if self._frame is None:
            return None
        geometry = self._frame.geometry
        try:
            geometry.transform(frame_transform(self._canvas, self._frame))
        except QgsCsException:
            return None
        return geometry

    def close(self) -> None:
        """Take the bands off the canvas."""
        self._canvas.extentsChanged.disconnect(self._draw)
        self._canvas.destinationCrsChanged.disconnect(self._draw)
        for band in (self._shade, self._outline, self._handle):
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
        handle = self.handle if self._has_handle else None
        self._handle.setVisible(handle is not None)
        if handle is not None:
            circle = QgsGeometry.fromPointXY(handle).buffer(_HANDLE_RADIUS * self._canvas.mapUnitsPerPixel(), 6)
            self._handle.setToGeometry(circle, None)


class PageFrameTool(QgsMapTool):
    """Map tool that moves the frame by dragging it or by the arrow keys, and resizes it at its corners or by + and -.

    The handle above it rotates it, to multiples of 15° where it comes near one, and so does the key R. ``hint`` carries
    a short text, and a longer one for its tooltip.
    """

    hint = pyqtSignal(str, str)

    def __init__(self, canvas: QgsMapCanvas, controller: PageFrameController, band: PageFrameBand) -> None:
        super().__init__(canvas)
        self._controller, self._band = controller, band
        self._from: Optional[QgsPointXY] = None
        self._grip = _Grip.INSIDE
        self._dragged: Optional[PageFrame] = None
        self.setCursor(QCursor(Qt.CursorShape.SizeAllCursor))

    def activate(self) -> None:
        """QGIS: the tool was chosen."""
        super().activate()
        self._band.show_handle(True)
        # while a button is down, the canvas passes no key to its tool
        self.canvas().installEventFilter(self)
        self.hint.emit(tr("Drag it on the map"),
                       tr("Drag the page, its corners, or the handle above it. Arrow keys move it, + and - resize it, "
                          "R rotates it, Esc ends."))

    def deactivate(self) -> None:
        """QGIS: another tool was chosen."""
        self._band.show_handle(False)
        self.canvas().removeEventFilter(self)
        super().deactivate()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Qt: Esc gives up what is being dragged."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress \
                and event.key() == Qt.Key.Key_Escape and self._dragged is not None:
            self._give_up_drag()
            return True
        return bool(super().eventFilter(watched, event))

    def canvasPressEvent(self, event: QgsMapMouseEvent) -> None:  # noqa: N802
        """QGIS: take hold of the frame."""
        frame = self._controller.frame
        if frame is not None and event.button() == Qt.MouseButton.LeftButton:
            self._from = self._map_point(frame, event.mapPoint())
            self._grip = self._grip_at(event.pos())

    def canvasMoveEvent(self, event: QgsMapMouseEvent) -> None:  # noqa: N802
        """QGIS: show the frame where it would be placed."""
        frame = self._controller.frame
        if frame is None:
            return
        if self._from is None:
            shapes = {_Grip.INSIDE: Qt.CursorShape.SizeAllCursor, _Grip.CORNER: Qt.CursorShape.SizeFDiagCursor,
                      _Grip.HANDLE: Qt.CursorShape.PointingHandCursor}
            self.setCursor(QCursor(shapes[self._grip_at(event.pos())]))
            return
        point = self._map_point(frame, event.mapPoint())
        if point is None:
            return
        self._dragged = self._changed(frame, self._from, point)
        self._band.show(self._dragged)
        self.hint.emit(format_angle(self._dragged.rotation) if self._grip is _Grip.HANDLE
                       else format_scale(self._dragged.scale), "")

    def canvasReleaseEvent(self, event: QgsMapMouseEvent) -> None:  # noqa: N802
        """QGIS: place the frame, which is one change of the map."""
        dragged, self._from, self._dragged = self._dragged, None, None
        if dragged is None or event.button() != Qt.MouseButton.LeftButton:
            return
        if self._grip is _Grip.HANDLE:
            self._controller.turn(dragged.rotation)
        else:
            self._controller.place(dragged.rectangle.center(), dragged.scale)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """QGIS: move the frame by the arrow keys, resize it by + and -, rotate it by R, end by Esc."""
        frame = self._controller.frame
        steps = {Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, 1), Qt.Key.Key_Down: (0, -1)}
        if event.key() == Qt.Key.Key_Escape:
            self.canvas().unsetMapTool(self)
        elif frame is not None and event.key() in steps:
            share = _SMALL_STEP if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else _STEP
            dx, dy = steps[event.key()]
            centre = frame.rectangle.center()
            east, north = frame.on_ground(dx * share * frame.rectangle.width(), dy * share * frame.rectangle.height())
            self._controller.place(QgsPointXY(centre.x() + east, centre.y() + north), frame.scale)
        elif frame is not None and event.key() in (Qt.Key.Key_Plus, Qt.Key.Key_Minus):
            factor = _ZOOM if event.key() == Qt.Key.Key_Plus else 1 / _ZOOM
            self._controller.place(frame.rectangle.center(), snapped_scale(frame.scale * factor))
        elif frame is not None and event.key() == Qt.Key.Key_R:
            step = -_ANGLE if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else _ANGLE
            rotation = (round(frame.rotation / _ANGLE) * _ANGLE + step) % 360
            self._controller.turn(rotation)
            self.hint.emit(format_angle(rotation), "")
        else:
            event.ignore()
            return
        # QGIS's canvas would move the map otherwise
        event.accept()

    def _give_up_drag(self) -> None:
        self._from = self._dragged = None
        # shows the frame, and what it covers, as they were
        self._controller.refresh()

    def _changed(self, frame: PageFrame, start: QgsPointXY, now: QgsPointXY) -> PageFrame:
        rectangle, centre = QgsRectangle(frame.rectangle), frame.rectangle.center()
        if self._grip is _Grip.INSIDE:
            moved = QgsPointXY(centre.x() + now.x() - start.x(), centre.y() + now.y() - start.y())
            rectangle = QgsRectangle.fromCenterAndSize(moved, rectangle.width(), rectangle.height())
            return replace(frame, rectangle=rectangle, share=None)
        if self._grip is _Grip.HANDLE:
            # the map on the page is rotated the other way than the page on the ground
            angle = math.degrees(math.atan2(centre.x() - now.x(), now.y() - centre.y()))
            return replace(frame, rotation=snapped_angle(angle), share=None)
        right, up = frame.across(now.x() - centre.x(), now.y() - centre.y())
        factor = max(abs(right) / (rectangle.width() / 2), abs(up) / (rectangle.height() / 2), 0.02)
        scale = snapped_scale(frame.scale * factor)
        rectangle.scale(scale / frame.scale)
        return replace(frame, rectangle=rectangle, scale=scale, share=None)

    def _grip_at(self, position: QPoint) -> _Grip:
        geometry, handle = self._band.geometry, self._band.handle
        if geometry is None or handle is None:
            return _Grip.INSIDE
        if (self.toCanvasCoordinates(handle) - position).manhattanLength() <= _CORNER_PIXELS:
            return _Grip.HANDLE
        corners = [self.toCanvasCoordinates(QgsPointXY(vertex)) for vertex in list(geometry.vertices())[:4]]
        is_corner = any((corner - position).manhattanLength() <= _CORNER_PIXELS for corner in corners)
        return _Grip.CORNER if is_corner else _Grip.INSIDE

    def _map_point(self, frame: PageFrame, point: QgsPointXY) -> Optional[QgsPointXY]:
        try:
            return QgsCoordinateTransform(self.canvas().mapSettings().destinationCrs(),
                                          QgsCoordinateReferenceSystem(frame.crs),
                                          QgsProject.instance()).transform(point)
        except QgsCsException:
            return None


def snapped_angle(angle: float) -> float:
    """Return whole degrees from 0 to 359, and the nearest multiple of 15 if ``angle`` is near it."""
    snapped = round(angle / _ANGLE) * _ANGLE
    return (snapped if abs(angle - snapped) <= _NEAR else float(round(angle))) % 360


def frame_transform(canvas: QgsMapCanvas, frame: PageFrame) -> QgsCoordinateTransform:
    """Return the transform from the frame's CRS to the canvas's."""
    return QgsCoordinateTransform(QgsCoordinateReferenceSystem(frame.crs), canvas.mapSettings().destinationCrs(),
                                  QgsProject.instance())


class PageFrameDisplay(QObject):
    """Shows the frame on the canvas while the composer is seen, and offers the tool that moves it.

    The frame is shown once the page has a fixed place. ``tool_changed`` is True while the tool is active.
    """

    tool_changed = pyqtSignal(bool)
    hint = pyqtSignal(str, str)

    def __init__(self, canvas: QgsMapCanvas, controller: PageFrameController, parent: Optional[QObject] = None) -> None:
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
        """Zoom the canvas to the frame if it does not show the whole of it, or shows it very small."""
        self._controller.refresh()
        geometry = self.band.geometry
        if geometry is None:
            return
        seen, around = self._canvas.extent(), geometry.boundingBox()
        is_small = around.width() < _LEAST_SHARE * seen.width() and around.height() < _LEAST_SHARE * seen.height()
        if is_small or not seen.contains(around):
            around.scale(1.25)
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
