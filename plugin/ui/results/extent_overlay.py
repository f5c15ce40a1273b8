"""Extents of the results on the map canvas."""

from __future__ import annotations

from typing import Dict, List, Optional, Sequence

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsCsException,
    QgsGeometry,
    QgsPointXY,
    QgsProject,
    QgsRectangle,
)
from qgis.gui import QgsMapCanvas, QgsRubberBand
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QEvent, QObject, QPoint, Qt, pyqtSignal
from qgis.PyQt.QtGui import QColor, QMouseEvent

from ...core.box import Box
from ...core.library.query import SearchHit
from ...gis.runtime import compat
from ..widgets.theme import ThemeColours

#: extents that are drawn: more are not readable and slow the canvas down
_MAX_EXTENTS = 200
#: most CRSs cannot transform the poles
_WORLD = QgsRectangle(-180, -85, 180, 85)
_SEGMENTS = 8
_CLICK_TOLERANCE = 4


class ExtentOverlay(QObject):
    """One rubber band for each result. ``hovered`` and ``clicked`` carry the identifier of the one under the mouse."""

    hovered = pyqtSignal(str)
    clicked = pyqtSignal(str)

    def __init__(self, canvas: QgsMapCanvas, parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._canvas = canvas
        self._colours = ThemeColours(canvas)
        self._bands: Dict[str, QgsRubberBand] = {}
        self._geometries: Dict[str, QgsGeometry] = {}
        self._hits: Sequence[SearchHit] = ()
        self._visible, self._highlighted = False, ""
        self._hovered = ""
        self._press_position: Optional[QPoint] = None
        canvas.destinationCrsChanged.connect(self._redraw)
        canvas.xyCoordinates.connect(self._on_mouse_moved)
        canvas.viewport().installEventFilter(self)

    @property
    def drawn_identifiers(self) -> List[str]:
        return list(self._bands)

    def set_visible(self, on: bool) -> None:
        self._visible = on
        self._redraw()

    def set_hits(self, hits: Sequence[SearchHit]) -> None:
        self._hits = [hit for hit in hits if hit.bbox is not None][:_MAX_EXTENTS]
        if self._visible:
            self._redraw()

    def highlight(self, identifier: str) -> None:
        """Draw one result's extent stronger than the others. "" highlights none."""
        before, self._highlighted = self._highlighted, identifier
        for name in (before, identifier):
            if name in self._bands:
                self._style_band(name)

    def zoom_to(self, boxes: Sequence[Optional[Box]]) -> None:
        """Zoom the canvas to these extents in degrees."""
        to_map = self._map_transform()
        polygons = (_extent_polygon(box, to_map) for box in boxes)
        rectangles = [polygon.boundingBox() for polygon in polygons if polygon]
        if rectangles:
            whole = rectangles[0]
            for other in rectangles[1:]:
                whole.combineExtentWith(other)
            whole.scale(1.1)
            self._canvas.setExtent(whole)
            self._canvas.refresh()

    def close(self) -> None:
        """Remove everything from the canvas."""
        if sip.isdeleted(self._canvas):
            return
        self._visible = False
        self._redraw()
        self._canvas.viewport().removeEventFilter(self)
        self._canvas.destinationCrsChanged.disconnect(self._redraw)
        self._canvas.xyCoordinates.disconnect(self._on_mouse_moved)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Qt: emit ``clicked`` for a click without a drag. The canvas handles the event too."""
        if self._bands and isinstance(event, QMouseEvent) and event.button() == Qt.MouseButton.LeftButton:
            if event.type() == QEvent.Type.MouseButtonPress:
                self._press_position = event.pos()
            elif event.type() == QEvent.Type.MouseButtonRelease and self._press_position is not None:
                moved = (event.pos() - self._press_position).manhattanLength()
                self._press_position = None
                point = self._canvas.getCoordinateTransform().toMapCoordinates(event.pos().x(), event.pos().y())
                name = self.identifier_at(point)
                if moved <= _CLICK_TOLERANCE and name:
                    self.clicked.emit(name)
        return False

    def identifier_at(self, point: QgsPointXY) -> str:
        """Return the result with the smallest extent around a point in the canvas's CRS, or ""."""
        geometry = QgsGeometry.fromPointXY(point)
        candidates = [(box.area(), name) for name, box in self._geometries.items() if box.contains(geometry)]
        return min(candidates)[1] if candidates else ""

    def _on_mouse_moved(self, point: QgsPointXY) -> None:
        if not self._bands:
            return
        name = self.identifier_at(point)
        if name != self._hovered:
            self._hovered = name
            self.highlight(name)
            self.hovered.emit(name)

    def _redraw(self) -> None:
        for band in self._bands.values():
            if not sip.isdeleted(band):
                self._canvas.scene().removeItem(band)
        self._bands, self._geometries, self._hovered = {}, {}, ""
        if not self._visible:
            return
        to_map = self._map_transform()
        for hit in self._hits:
            box = _extent_polygon(hit.bbox, to_map)
            if box is None:
                continue
            band = QgsRubberBand(self._canvas, compat.polygon_geometry())
            band.setToGeometry(box, None)
            self._bands[hit.identifier], self._geometries[hit.identifier] = band, box
            self._style_band(hit.identifier)

    def _map_transform(self) -> QgsCoordinateTransform:
        return QgsCoordinateTransform(QgsCoordinateReferenceSystem("EPSG:4326"),
                                      self._canvas.mapSettings().destinationCrs(), QgsProject.instance())

    def _style_band(self, name: str) -> None:
        band, strong = self._bands[name], name == self._highlighted
        line, fill = QColor(self._colours.accent), QColor(self._colours.accent)
        line.setAlpha(255 if strong else 150)
        fill.setAlpha(50 if strong else 0)
        band.setStrokeColor(line)
        band.setFillColor(fill)
        # colour alone is not accessible
        band.setWidth(3 if strong else 1)
        band.setZValue(1 if strong else 0)


def _extent_polygon(box: Optional[Box], to_map: QgsCoordinateTransform) -> Optional[QgsGeometry]:
    """Return an extent in degrees in the canvas's CRS.

    Its sides have intermediate points. None if it cannot be transformed.
    """
    if box is None:
        return None
    inside = QgsRectangle(*box).intersect(_WORLD)
    xs = [inside.xMinimum() + inside.width() * step / _SEGMENTS for step in range(_SEGMENTS + 1)]
    ys = [inside.yMinimum() + inside.height() * step / _SEGMENTS for step in range(_SEGMENTS + 1)]
    ring = ([QgsPointXY(x, ys[0]) for x in xs] + [QgsPointXY(xs[-1], y) for y in ys[1:]]
            + [QgsPointXY(x, ys[-1]) for x in reversed(xs[:-1])] + [QgsPointXY(xs[0], y) for y in reversed(ys[:-1])])
    geometry = QgsGeometry.fromPolygonXY([ring])
    try:
        geometry.transform(to_map)
    except QgsCsException:
        return None
    return geometry if geometry.boundingBox().isFinite() else None
