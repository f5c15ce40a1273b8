"""Identify tool: the map tool, and the panel with the responses of the services."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsCsException,
    QgsGeometry,
    QgsPointXY,
    QgsProject,
    QgsRectangle,
)
from qgis.gui import QgsMapCanvas, QgsMapMouseEvent, QgsMapTool
from qgis.PyQt.QtCore import QObject, Qt, pyqtSignal
from qgis.PyQt.QtGui import QCursor
from qgis.PyQt.QtWidgets import QAction, QDockWidget

from ...core.errors import CartoguideError
from ...core.featureinfo.features import IdentifiedFeature
from ...core.i18n import tr
from ...gis.operations.identification import Identification, click_at, find_canvas_services
from .identify_panel import IdentifyPanel

if TYPE_CHECKING:
    from qgis.gui import QgisInterface

#: scale for a point feature, unless the canvas shows a larger scale already
_POINT_SCALE = 5000


class IdentifyTool(QgsMapTool):
    """Map tool that emits ``clicked`` with the position in the CRS of the canvas."""

    clicked = pyqtSignal(object)

    def __init__(self, canvas: QgsMapCanvas) -> None:
        super().__init__(canvas)
        self.setCursor(QCursor(Qt.CursorShape.WhatsThisCursor))

    def canvasReleaseEvent(self, event: QgsMapMouseEvent) -> None:  # noqa: N802
        """QGIS: report a click with the left button."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.clicked.emit(event.mapPoint())


class IdentifyController(QObject):
    """Controller of the map tool and its panel, which is created on first use. ``close`` removes both."""

    def __init__(self, iface: QgisInterface, action: Optional[QAction] = None) -> None:
        super().__init__()
        self._iface = iface
        self.canvas: QgsMapCanvas = iface.mapCanvas()
        self.tool = IdentifyTool(self.canvas)
        self.tool.clicked.connect(self.identify)
        if action is not None:
            self.tool.setAction(action)
        self.panel: Optional[IdentifyPanel] = None

    def activate(self) -> None:
        """Activate the map tool and show the panel."""
        self.canvas.setMapTool(self.tool)
        self._show_panel()

    def deactivate(self) -> None:
        """Restore the former map tool."""
        if self.canvas.mapTool() is self.tool:
            self.canvas.unsetMapTool(self.tool)

    def identify(self, point: QgsPointXY) -> None:
        """Query every WMS on the canvas at ``point``, which is in the CRS of the canvas."""
        panel = self._show_panel()
        services = find_canvas_services(self.canvas)
        if not services:
            panel.show_message(tr("No layer of a map service (WMS) is visible on the map."))
            return
        try:
            click = click_at(self.canvas.mapSettings(), point, QgsProject.instance())
        except CartoguideError as error:
            panel.show_message(error.user_text)
            return
        decimals = 5 if self.canvas.mapSettings().destinationCrs().isGeographic() else 1
        position = f"{point.x():.{decimals}f}, {point.y():.{decimals}f} ({click.crs or tr('custom CRS')})"
        panel.show_identification(Identification(click, services), position)

    def close(self) -> None:
        """Remove tool and panel, and cancel running requests."""
        self.deactivate()
        if self.panel is not None:
            self.panel.close_down()
            self._iface.removeDockWidget(self.panel)
            self.panel.deleteLater()
            self.panel = None
        self.tool.deleteLater()

    def _show_panel(self) -> IdentifyPanel:
        if self.panel is None:
            self.panel = IdentifyPanel(self._iface.mainWindow())
            self.panel.zoom_requested.connect(self.zoom_to)
            self.panel.flash_requested.connect(self.flash)
            if not self._iface.mainWindow().restoreDockWidget(self.panel):
                self._place(self.panel)
        self.panel.show()
        self.panel.raise_()
        return self.panel

    def _place(self, panel: IdentifyPanel) -> None:
        """Put the panel on the right, in the place of the records, where it takes nothing of the map's height."""
        window = self._iface.mainWindow()
        self._iface.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, panel)
        records = window.findChild(QDockWidget, "CartoguideDock")
        if records is not None and records.isVisible() and not records.isFloating():
            window.tabifyDockWidget(records, panel)

    # -- features on the map

    def zoom_to(self, feature: IdentifiedFeature) -> None:
        """Zoom to the feature. A point is centred."""
        box = self._feature_rectangle(feature)
        if box is None:
            return
        if box.width() > 0 or box.height() > 0:
            box.scale(1.2)
            self.canvas.setExtent(box)
        else:
            self.canvas.setCenter(box.center())
            if self.canvas.scale() > _POINT_SCALE:
                self.canvas.zoomScale(_POINT_SCALE)
        self.canvas.refresh()

    def flash(self, feature: IdentifiedFeature) -> None:
        """Flash the feature, or its bounding box, on the map."""
        geometry = feature_geometry(feature)
        if geometry is not None:
            self.canvas.flashGeometries([geometry], _feature_crs(feature))

    def _feature_rectangle(self, feature: IdentifiedFeature) -> Optional[QgsRectangle]:
        if feature.zoom_bbox is None:
            return None
        west, south, east, north = feature.zoom_bbox
        canvas_crs = self.canvas.mapSettings().destinationCrs()
        transform = QgsCoordinateTransform(_feature_crs(feature), canvas_crs, QgsProject.instance())
        try:
            if west == east and south == north:
                point = transform.transform(QgsPointXY(west, south))
                return QgsRectangle(point, point)
            return transform.transformBoundingBox(QgsRectangle(west, south, east, north))
        except QgsCsException:
            return None


def _feature_crs(feature: IdentifiedFeature) -> QgsCoordinateReferenceSystem:
    """Return the feature's CRS. CRS:84 is a WMS identifier (OGC 06-042 Annex B)."""
    return QgsCoordinateReferenceSystem.fromOgcWmsCrs(feature.crs)


def feature_geometry(feature: IdentifiedFeature) -> Optional[QgsGeometry]:
    """Return the feature's geometry in its CRS, else its bounding box (a point if that has no size), else None."""
    if feature.geometry is not None:
        geometry = QgsGeometry.fromWkt(feature.geometry.wkt())
        return None if geometry.isNull() else geometry
    if feature.bbox is None:
        return None
    west, south, east, north = feature.bbox
    if west == east and south == north:
        return QgsGeometry.fromPointXY(QgsPointXY(west, south))
    return QgsGeometry.fromRect(QgsRectangle(west, south, east, north))
