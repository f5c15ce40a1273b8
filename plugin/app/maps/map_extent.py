"""What part of the world the custom map shows: the map window's, the chosen record's, or that of all its services."""

from __future__ import annotations

from typing import Optional, Sequence

from qgis.core import QgsRectangle
from qgis.gui import QgsMapCanvas

from ...core.custommap.model import MapExtent
from ...core.records.model.record import Record
from ...gis.layers.extents import extent_rectangles, geographic_extent
from .extent_mode import CANVAS, RECORDS, WHOLE
from .map_controller import MapController
from .map_state import MapItem


def extent_for_mode(mode: str, canvas: Optional[QgsMapCanvas], maps: MapController,
                    record: Optional[Record]) -> Optional[MapExtent]:
    """The extent of ``mode`` in longitude and latitude; that of the smallest service where the mode itself has none."""
    if mode == CANVAS and canvas is not None:
        seen = geographic_extent(canvas.extent(), canvas.mapSettings().destinationCrs(), maps.project)
        if seen is not None:
            return seen
    if mode == RECORDS and record is not None:
        boxes = extent_rectangles(record.extents)
        if boxes:
            return _combined_extent(boxes)
    boxes = _visible_extents(maps)
    if not boxes:
        return None
    if mode == WHOLE:
        return MapExtent(min(box.west for box in boxes), min(box.south for box in boxes),
                         max(box.east for box in boxes), max(box.north for box in boxes))
    return smallest_extent(boxes)


def smallest_extent(extents: Sequence[MapExtent]) -> Optional[MapExtent]:
    """Return the extent with the smallest area; None without any.

    A map is about its smallest service: a base often covers far more.
    """
    return min(extents, key=lambda box: (box.east - box.west) * (box.north - box.south), default=None)


def _visible_extents(maps: MapController) -> list[MapExtent]:
    """The box of each visible service."""
    boxes = [service_extent(maps, item) for item in maps.items if item.entry.visible]
    return [box for box in boxes if box is not None]


def service_extent(maps: MapController, item: MapItem) -> Optional[MapExtent]:
    """A service's box, its record's before its own."""
    record = maps.record_of(item)
    if record is not None and extent_rectangles(record.extents):
        return _combined_extent(extent_rectangles(record.extents))
    service = maps.session.services.get(item.entry.endpoint)
    box = service.root.geographic_bbox if service is not None and service.root is not None else None
    return MapExtent(box.west, box.south, box.east, box.north) if box is not None else None


def _combined_extent(boxes: list[QgsRectangle]) -> MapExtent:
    whole = QgsRectangle(boxes[0])
    for box in boxes[1:]:
        whole.combineExtentWith(box)
    return MapExtent(whole.xMinimum(), whole.yMinimum(), whole.xMaximum(), whole.yMaximum())
