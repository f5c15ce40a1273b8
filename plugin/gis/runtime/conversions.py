"""Conversion of extents and times between the core's values and those of QGIS and Qt."""

from __future__ import annotations

import re
from datetime import datetime, timezone
from typing import List, Optional, Sequence, Tuple

from qgis.core import QgsCoordinateReferenceSystem, QgsCoordinateTransform, QgsCsException, QgsProject, QgsRectangle
from qgis.PyQt.QtCore import QDateTime, Qt

from ...core.custommap.model import MapExtent
from ...core.records.model.extents import drawable_extents
from ...core.records.model.record import Extent


def rectangle_bounds(rectangle: QgsRectangle) -> Tuple[float, float, float, float]:
    """Return minx, miny, maxx, maxy of the rectangle, with x to the east as QGIS orders every CRS."""
    return rectangle.xMinimum(), rectangle.yMinimum(), rectangle.xMaximum(), rectangle.yMaximum()


def extent_rectangles(extents: Sequence[Extent]) -> List[QgsRectangle]:
    """Return the extents that can be drawn, as rectangles of longitude (x) and latitude (y) in degrees.

    Which ones can be, and what becomes of the antimeridian: see ``drawable_extents``.
    """
    return [QgsRectangle(*sides) for sides in drawable_extents(extents)]


def geographic_extent(extent: QgsRectangle, crs: QgsCoordinateReferenceSystem,
                      project: QgsProject) -> Optional[MapExtent]:
    """Return ``extent``, given in ``crs``, in degrees (WGS 84, longitude first).

    None if it is empty or lies outside the area where the CRS can be transformed.
    """
    if extent.isEmpty() or not crs.isValid():
        return None
    try:
        transform = QgsCoordinateTransform(crs, QgsCoordinateReferenceSystem("EPSG:4326"), project)
        bounds = transform.transformBoundingBox(extent)
    except QgsCsException:
        return None
    return MapExtent(*rectangle_bounds(bounds)) if bounds.isFinite() else None


def to_qdatetime(moment: datetime) -> QDateTime:
    """Return ``moment`` as a QDateTime in UTC, in whole seconds."""
    return QDateTime.fromSecsSinceEpoch(int(moment.astimezone(timezone.utc).timestamp()), Qt.TimeSpec.UTC)


def to_utc(moment: QDateTime, whole_seconds: bool = False) -> datetime:
    """Return ``moment`` as a datetime in UTC, to the millisecond or cut to whole seconds."""
    seconds = moment.toSecsSinceEpoch() if whole_seconds else moment.toMSecsSinceEpoch() / 1000
    return datetime.fromtimestamp(seconds, timezone.utc)


def utm_zone(crs: QgsCoordinateReferenceSystem) -> Optional[int]:
    """Return the number of the UTM zone that a CRS is, or None."""
    found = re.search(r"\+proj=utm\b.*\+zone=(\d+)", crs.toProj())
    return int(found[1]) if found else None
