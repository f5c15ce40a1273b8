"""Conversion of extents and times between the core's values and those of QGIS and Qt."""

from __future__ import annotations

import re
from datetime import datetime, timezone
from typing import List, Optional, Sequence, Tuple

from qgis.core import QgsCoordinateReferenceSystem, QgsCoordinateTransform, QgsCsException, QgsProject, QgsRectangle
from qgis.PyQt.QtCore import QDateTime, Qt

from ...core.box import Box
from ...core.errors import CartoguideError
from ...core.i18n import tr


def rectangle_box(rectangle: QgsRectangle) -> Box:
    """Return the rectangle as a box: QGIS has x to the east in every CRS."""
    return Box(rectangle.xMinimum(), rectangle.yMinimum(), rectangle.xMaximum(), rectangle.yMaximum())


def geographic_extent(extent: QgsRectangle, crs: QgsCoordinateReferenceSystem, project: QgsProject) -> Optional[Box]:
    """Return ``extent``, given in ``crs``, in degrees (WGS 84, longitude first).

    None if it is empty or lies outside the area where the CRS can be transformed.
    """
    return transformed_extent(extent, crs, "EPSG:4326", project)


def transformed_extent(extent: QgsRectangle, source: QgsCoordinateReferenceSystem, crs: str,
                       project: QgsProject) -> Optional[Box]:
    """Return ``extent``, given in ``source``, in ``crs``, or None if it is empty or cannot be transformed."""
    if extent.isEmpty() or not source.isValid():
        return None
    try:
        box = QgsCoordinateTransform(source, QgsCoordinateReferenceSystem(crs), project).transformBoundingBox(extent)
    except QgsCsException:
        return None
    return rectangle_box(box) if box.isFinite() else None


def project_points(transform: QgsCoordinateTransform, points: Sequence[Tuple[float, float]]
                   ) -> List[Tuple[float, float]]:
    """Return positions (x, y) in the other CRS, x to the east. Raises CartoguideError outside its area."""
    try:
        return [(point.x(), point.y()) for point in (transform.transform(x, y) for x, y in points)]
    except QgsCsException as error:
        raise CartoguideError(tr("The area lies outside the coordinate system."), str(error)) from error


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
