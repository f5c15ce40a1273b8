"""Extents of the custom map and of its services, in degrees (WGS 84)."""

from __future__ import annotations

from typing import Optional, Sequence

from qgis.core import QgsRectangle
from qgis.gui import QgsMapCanvas

from ...core.custommap.model import MapExtent
from ...core.records.model.record import Record
from ...gis.runtime.extents import extent_rectangles, geographic_extent
from .extent_mode import CANVAS, RECORDS, WHOLE
from .map_controller import MapController
from .map_state import MapItem


def extent_for_mode(mode: str, canvas: Optional[QgsMapCanvas], map_controller: MapController,
                    record: Optional[Record]) -> Optional[MapExtent]:
    """Return the extent of ``mode``: of the canvas, of the record or of all services.

    If the mode has none, the extent of the smallest visible service is returned, or None without one.
    """
    if mode == CANVAS and canvas is not None:
        canvas_extent = geographic_extent(canvas.extent(), canvas.mapSettings().destinationCrs(),
                                          map_controller.project)
        if canvas_extent is not None:
            return canvas_extent
    if mode == RECORDS and record is not None:
        boxes = extent_rectangles(record.extents)
        if boxes:
            return _combined_extent(boxes)
    boxes = _visible_extents(map_controller)
    if not boxes:
        return None
    if mode == WHOLE:
        return MapExtent(min(box.west for box in boxes), min(box.south for box in boxes),
                         max(box.east for box in boxes), max(box.north for box in boxes))
    return smallest_extent(boxes)


def smallest_extent(extents: Sequence[MapExtent]) -> Optional[MapExtent]:
    """Return the extent with the smallest area, or None without any.

    A map is about its smallest service: a base often covers far more.
    """
    return min(extents, key=lambda box: (box.east - box.west) * (box.north - box.south), default=None)


def _visible_extents(map_controller: MapController) -> list[MapExtent]:
    """Return the extents of the visible services."""
    boxes = [service_extent(map_controller, item) for item in map_controller.items if item.entry.visible]
    return [box for box in boxes if box is not None]


def service_extent(map_controller: MapController, item: MapItem) -> Optional[MapExtent]:
    """Return the extent of a service: its record's, else the one in its capabilities."""
    record = map_controller.record_of(item)
    if record is not None and extent_rectangles(record.extents):
        return _combined_extent(extent_rectangles(record.extents))
    service = map_controller.session.services.get(item.entry.endpoint)
    box = service.root.geographic_bbox if service is not None and service.root is not None else None
    return MapExtent(box.west, box.south, box.east, box.north) if box is not None else None


def _combined_extent(boxes: list[QgsRectangle]) -> MapExtent:
    """Return the smallest extent that contains all ``boxes``."""
    whole = QgsRectangle(boxes[0])
    for box in boxes[1:]:
        whole.combineExtentWith(box)
    return MapExtent(whole.xMinimum(), whole.yMinimum(), whole.xMaximum(), whole.yMaximum())
