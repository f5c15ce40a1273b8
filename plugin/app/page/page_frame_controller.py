"""The frame of the page on the ground: where it lies, how much of it is covered, and the changes that move it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Dict, Optional, Tuple

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsCsException,
    QgsGeometry,
    QgsPointXY,
    QgsRectangle,
)
from qgis.PyQt.QtCore import QObject, pyqtSignal

from ...core.custommap import page_fit, undo_history
from ...core.custommap.model import CustomMap
from ...core.custommap.undo_history import Change
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...gis.credits.layer_metadata import listed_layers
from ...gis.runtime.conversions import project_points
from ..maps.extent_controller import ExtentController
from ..maps.map_controller import MapController
from ..maps.map_document import ExtentMode

_WGS84 = "EPSG:4326"
#: share of the canvas, across and along, that a page inside it takes at most
_SEEN_SHARE = 0.94


@dataclass(frozen=True)
class PageFrame:
    """The frame in the map's CRS (x to the east), its scale's denominator, and the covered share (0 to 1) or None.

    ``rectangle`` is not rotated. ``rotation`` is that of the map on the page in degrees, clockwise, so that the frame
    on the ground is rotated the other way.
    """

    rectangle: QgsRectangle
    crs: str
    scale: float
    share: Optional[float]
    rotation: float = 0.0

    @property
    def geometry(self) -> QgsGeometry:
        """The frame's outline: lower left, lower right, upper right and upper left corner of the page."""
        centre = self.rectangle.center()
        width, height = self.rectangle.width() / 2, self.rectangle.height() / 2
        offsets = [self.on_ground(right, up)
                   for right, up in ((-width, -height), (width, -height), (width, height), (-width, height))]
        return QgsGeometry.fromPolygonXY([[QgsPointXY(centre.x() + east, centre.y() + north)
                                           for east, north in offsets]])

    def across(self, east: float, north: float) -> Tuple[float, float]:
        """Return an offset on the ground as the offset to the right and to the top of the page."""
        turn = math.radians(self.rotation)
        return (east * math.cos(turn) + north * math.sin(turn), north * math.cos(turn) - east * math.sin(turn))

    def on_ground(self, right: float, up: float) -> Tuple[float, float]:
        """Return an offset on the page as the offset to the east and north of the map's CRS."""
        turn = math.radians(self.rotation)
        return (right * math.cos(turn) - up * math.sin(turn), up * math.cos(turn) + right * math.sin(turn))


class PageFrameController(QObject):
    """Reads the frame from the document and changes it there. ``changed`` carries the new PageFrame or None."""

    changed = pyqtSignal(object)

    def __init__(self, map_controller: MapController, extent: ExtentController,
                 parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._map, self._extent = map_controller, extent
        map_controller.fit_page = self.fitted_state
        map_controller.place_first_page = self._first_place
        map_controller.custom_map.fit = self._fitted_again
        map_controller.custom_map.begun.connect(self._forget_area)
        #: what the person saw when the page of a map without a base was placed, to which it is fitted again
        self._fitted_within: Optional[QgsRectangle] = None
        self.frame: Optional[PageFrame] = None

    @property
    def is_fixed(self) -> bool:
        """True if the page has a fixed place and does not follow the canvas or the selected record."""
        return self._extent.mode.is_stored

    def refresh(self) -> None:
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

    def turn(self, rotation: float) -> None:
        """Rotate the map on the page to ``rotation`` degrees, clockwise, about its centre."""
        page = self._map.chosen.page
        if self.frame is not None and page.rotation != rotation % 360:
            mode = ExtentMode.CUSTOM if self._extent.mode is ExtentMode.FITTED else None
            self._map.commit(Change(tr("rotation of the page")), mode, page=replace(page, rotation=rotation % 360))
            self._extent.changed.emit()

    def fit(self) -> bool:
        """Place the page inside the base, at the smallest scale without a margin, turned as the base is.

        Without a base, all that the lowest service covers is on the page. Return False if there is no extent to fit.
        """
        values = self.fitted_state()
        if not values:
            return False
        # one change, which one Undo takes back
        self._map.commit(undo_history.extent_and_scale(), **values)
        self._extent.changed.emit()
        return True

    def _first_place(self, may_turn: bool) -> Dict[str, Any]:
        self._fitted_within = self._seen_area()
        return self.fitted_state(may_turn, self._fitted_within)

    def _fitted_again(self, document: CustomMap) -> Dict[str, Any]:
        """Return centre and scale that fit a page of another size, or to another base. Empty if they are unknown."""
        fitted = self.fitted_state(False, self._fitted_within, replace(document, crs=self._map.crs()))
        return {name: fitted[name] for name in ("extent", "centre", "scale") if name in fitted}

    def _forget_area(self) -> None:
        self._fitted_within = None

    def fitted_state(self, may_turn: bool = True, within: Optional[QgsRectangle] = None,
                     document: Optional[CustomMap] = None) -> Dict[str, Any]:
        """Return the fields of the map's state that fit the page to the base. Empty if there is no extent to fit.

        Without ``may_turn`` the orientation stays as it is. See ``PageMeasurement.fitted``. ``document`` is by default
        the map as it is.
        """
        document = document or self._map.document()
        services, records = self._map.services_and_records(document)
        fitted = self._map.page_measurement.fitted(document, services, records, may_turn=may_turn, within=within)
        if fitted is None:
            return {}
        return {"page": fitted.page, "extent": None, "centre": fitted.centre, "scale": fitted.scale,
                "extent_mode": ExtentMode.FITTED}

    def _seen_area(self) -> Optional[QgsRectangle]:
        """Return what the person sees on the canvas, without its edges, in the map's CRS.

        None in an empty project, whose canvas QGIS zooms to the first layer.
        """
        canvas = self._extent.canvas
        if canvas is None or not listed_layers(self._map.project):
            return None
        seen = QgsRectangle(canvas.extent())
        seen.scale(_SEEN_SHARE)
        try:
            return QgsCoordinateTransform(canvas.mapSettings().destinationCrs(), QgsCoordinateReferenceSystem(
                self._map.crs()), self._map.project).transformBoundingBox(seen)
        except QgsCsException:
            return None

    def _measured(self) -> Optional[PageFrame]:
        plan = self._map.plan()
        found = self._map.page_measurement.placed(plan)
        if found is None:
            return None
        rectangle, scale, rotation = found
        frame = PageFrame(rectangle, plan.crs, scale, None, rotation)
        return replace(frame, share=self._covered_share(frame))

    def share_at(self, scale: float) -> Optional[float]:
        """Return the share (0 to 1) of the page that the base covers at most at 1:``scale``, or None if unknown."""
        if self.frame is None or not self.frame.scale:
            return None
        rectangle = QgsRectangle(self.frame.rectangle)
        rectangle.scale(scale / self.frame.scale)
        return self._covered_share(replace(self.frame, rectangle=rectangle, scale=scale))

    def _covered_share(self, frame: PageFrame) -> Optional[float]:
        outline, geometry = self._base_outline(frame.crs), frame.geometry
        if outline is None or not geometry.area():
            return None
        return max(0.0, min(1.0, float(outline.intersection(geometry).area()) / float(geometry.area())))

    def _base_outline(self, crs: str) -> Optional[QgsGeometry]:
        """Return what the base covers as a polygon in ``crs``."""
        document = self._map.document()
        covered = page_fit.base_area(document, *self._map.services_and_records(document))
        if covered is None:
            return None
        try:
            ring = project_points(self._transform(_WGS84, crs), page_fit.outline(covered.extent))
        except CartoguideError:
            return None
        polygon = QgsGeometry.fromPolygonXY([[QgsPointXY(*point) for point in ring]])
        if covered.projected is not None:
            polygon = polygon.intersection(QgsGeometry.fromRect(QgsRectangle(*covered.projected)))
        return polygon

    def _transform(self, source: str, target: str) -> QgsCoordinateTransform:
        return QgsCoordinateTransform(QgsCoordinateReferenceSystem(source), QgsCoordinateReferenceSystem(target),
                                      self._map.project)
