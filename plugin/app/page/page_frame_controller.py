"""The frame of the page on the ground: where it lies, how much of it is covered, and the changes that move it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Optional

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsCsException,
    QgsGeometry,
    QgsPointXY,
    QgsRectangle,
)
from qgis.PyQt.QtCore import QObject, pyqtSignal

from ...core.custommap.model import MapExtent, Orientation, PageSetup
from ...gis.layouts import templates
from ...gis.layouts.page_measurement import PageMeasurement
from ...gis.runtime.ground_scale import ground_scale_at
from ..maps.extent_controller import ExtentController, service_extent
from ..maps.map_controller import MapController
from ..maps.map_state import ExtentMode, base_first

_WGS84 = "EPSG:4326"
#: points on each side of an extent that is transformed
_SIDE_POINTS = 8


@dataclass(frozen=True)
class PageFrame:
    """The frame in the map's CRS (x to the east), its scale's denominator, and the covered share (0 to 1) or None."""

    rectangle: QgsRectangle
    crs: str
    scale: float
    share: Optional[float]


class PageFrameController(QObject):
    """Reads the frame from the document and changes it there. ``changed`` carries the new PageFrame or None."""

    changed = pyqtSignal(object)

    def __init__(self, map_controller: MapController, extent: ExtentController,
                 parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._map, self._extent = map_controller, extent
        self._measure = PageMeasurement(map_controller.project)
        self.frame: Optional[PageFrame] = None

    @property
    def is_fixed(self) -> bool:
        """True if the page has a fixed place and does not follow the canvas or the selected record."""
        return self._extent.mode is ExtentMode.CUSTOM

    def refresh(self) -> None:
        """Measure the frame again."""
        self.frame = self._measured() if self._map.stack else None
        self.changed.emit(self.frame)

    def fix(self) -> None:
        """Give the page the place that it has now, so that it can be moved. It then follows nothing any more."""
        if self.frame is not None and not self.is_fixed:
            self.place(self.frame.rectangle.center(), self.frame.scale)

    def place(self, centre: QgsPointXY, scale: float) -> None:
        """Print around ``centre`` (in the map's CRS) at 1:``scale``. Nothing happens outside the CRS's area."""
        if self.frame is None:
            return
        try:
            point = self._transform(self.frame.crs, _WGS84).transform(centre)
        except QgsCsException:
            return
        self._extent.set_centre((point.x(), point.y()), scale)

    def fit(self) -> bool:
        """Place the page inside the base, at the smallest scale without a margin, turned as the base is.

        Return False if there is no extent to fit.
        """
        area = self._inner_area()
        if area is None or self.frame is None:
            return False
        best: Optional[tuple[float, PageSetup, float]] = None
        for page in self._pages():
            size = self._measure.map_size(page)
            ground = ground_scale_at(QgsCoordinateReferenceSystem(self.frame.crs), area.center(), self._map.project)
            if size is None or ground is None:
                continue
            width = min(area.width(), area.height() * size[0] / size[1])
            covered = width * width * size[1] / size[0]
            if best is None or covered > best[0] * 1.001:
                best = covered, page, floor_scale(ground.denominator(width, size[0]))
        if best is None:
            return False
        try:
            centre = self._transform(self.frame.crs, _WGS84).transform(area.center())
        except QgsCsException:
            return False
        # one change, which one Undo takes back
        self._map.update_state(page=best[1], extent=None, centre=(centre.x(), centre.y()), scale=best[2],
                               extent_mode=ExtentMode.CUSTOM)
        self._extent.changed.emit()
        return True

    def _pages(self) -> list[PageSetup]:
        """Return the page as it is, and turned if its template allows that."""
        page = self._map.state.page
        is_wide = page.orientation is Orientation.LANDSCAPE
        turned = replace(page, orientation=Orientation.PORTRAIT if is_wide else Orientation.LANDSCAPE)
        return [page, *([turned] if not templates.is_user_template(page.template)
                        and templates.template_path(turned).is_file() else [])]

    def _measured(self) -> Optional[PageFrame]:
        plan = self._map.plan()
        found = self._measure.placed(plan)
        if found is None:
            return None
        rectangle, scale = found
        return PageFrame(rectangle, plan.crs, scale, self._covered_share(rectangle, plan.crs))

    def _base_extent(self) -> Optional[MapExtent]:
        """Return the extent of the base, else of the lowest visible service."""
        items = [item for item in base_first(self._map.items) if item.entry.visible]
        return next((box for box in (service_extent(self._map, item) for item in items) if box is not None), None)

    def _covered_share(self, frame: QgsRectangle, crs: str) -> Optional[float]:
        outline = self._base_outline(crs)
        if outline is None or not frame.width() or not frame.height():
            return None
        covered = float(outline.intersection(QgsGeometry.fromRect(frame)).area())
        return max(0.0, min(1.0, covered / float(frame.width() * frame.height())))

    def _base_outline(self, crs: str) -> Optional[QgsGeometry]:
        """Return the base's extent as a polygon in ``crs``."""
        box = self._base_extent()
        if box is None:
            return None
        steps = [number / _SIDE_POINTS for number in range(_SIDE_POINTS)]
        width, height = box.east - box.west, box.north - box.south
        ring = [*(QgsPointXY(box.west + width * step, box.south) for step in steps),
                *(QgsPointXY(box.east, box.south + height * step) for step in steps),
                *(QgsPointXY(box.east - width * step, box.north) for step in steps),
                *(QgsPointXY(box.west, box.north - height * step) for step in steps)]
        try:
            transform = self._transform(_WGS84, crs)
            return QgsGeometry.fromPolygonXY([[transform.transform(point) for point in ring]])
        except QgsCsException:
            return None

    def _inner_area(self) -> Optional[QgsRectangle]:
        """Return the largest upright rectangle, about, inside the base's extent in the map's CRS."""
        outline = self._base_outline(self.frame.crs) if self.frame is not None else None
        if outline is None:
            return None
        points = outline.asPolygon()[0]
        middle = outline.boundingBox().center()
        west = max(point.x() for point in (points[0], *points[3 * _SIDE_POINTS:]) if point.x() < middle.x())
        east = min(point.x() for point in points[_SIDE_POINTS:2 * _SIDE_POINTS + 1] if point.x() > middle.x())
        south = max(point.y() for point in points[:_SIDE_POINTS + 1] if point.y() < middle.y())
        north = min(point.y() for point in points[2 * _SIDE_POINTS:3 * _SIDE_POINTS + 1] if point.y() > middle.y())
        return QgsRectangle(west, south, east, north)

    def _transform(self, source: str, target: str) -> QgsCoordinateTransform:
        return QgsCoordinateTransform(QgsCoordinateReferenceSystem(source), QgsCoordinateReferenceSystem(target),
                                      self._map.project)


def floor_scale(maximum: float) -> float:
    """Return the largest denominator of two figures, such as 1:140 000, that is not above ``maximum``."""
    power = 10.0 ** (math.floor(math.log10(max(maximum, 10.0))) - 1)
    return max(1.0, math.floor(maximum / power * 1.0001) * power)


def snapped_scale(scale: float) -> float:
    """Return the denominator of two figures nearest to ``scale``."""
    power = 10.0 ** (math.floor(math.log10(max(scale, 10.0))) - 1)
    return max(1.0, round(scale / power) * power)
