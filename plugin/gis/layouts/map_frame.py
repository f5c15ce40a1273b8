"""Extent, scale and time of the map item, and scales, grid steps and CRSs that suit it.

Scales are true on the ground: measured on the ellipsoid at the map's centre.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime
from typing import Optional, Tuple

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsCsException,
    QgsDateTimeRange,
    QgsDistanceArea,
    QgsLayoutItemMap,
    QgsPointXY,
    QgsProject,
    QgsRectangle,
)

from ...core.custommap.model import Plan
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ..runtime.conversions import to_qdatetime

WGS84 = "EPSG:4326"
#: leading figures of the scales that maps are printed at
_ROUND_SCALES = (1.0, 1.25, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 7.5, 8.0, 10.0)
#: smaller distortions are ignored, as is usual for UTM maps (0.04 % on the central meridian)
_NEGLIGIBLE_DISTORTION = 0.002


@dataclass(frozen=True)
class MapFrame:
    """Result of setting the map item.

    ``scale`` is the true one on the ground and ``nominal_scale`` the item's, as denominators. ``scale_factor`` is grid
    distance over ground distance at the centre (1 if negligible). ``centre`` is (lon, lat).
    """

    scale: float
    nominal_scale: float
    scale_factor: float
    centre: Tuple[float, float]


def set_frame(item: QgsLayoutItemMap, plan: Plan, project: QgsProject) -> MapFrame:
    """Set the map item's CRS, extent and scale from the plan. An extent without a scale gets the next round scale.

    Raises CartoguideError if the CRS is unknown or does not cover the area, or if the plan has neither an extent nor a
    centre with a scale.
    """
    crs = QgsCoordinateReferenceSystem(plan.crs)
    if not crs.isValid():
        raise CartoguideError(
            tr("The map's reference system {crs} is not known to QGIS. Choose another one.", crs=plan.crs))
    item.setCrs(crs)
    rectangle, centre = _planned_area(plan, crs, project)
    factor = scale_factor_at(crs, centre, project)
    item.setExtent(grown_to_ratio(rectangle, item.rect().width() / item.rect().height()))
    scale = float(plan.scale) if plan.scale else round_scale(item.scale() / factor)
    item.setScale(scale * factor)
    map_centre = item.extent().center()
    geographic_centre = QgsCoordinateTransform(crs, QgsCoordinateReferenceSystem(WGS84), project).transform(map_centre)
    return MapFrame(scale, scale * factor, factor, (geographic_centre.x(), geographic_centre.y()))


def _planned_area(plan: Plan, crs: QgsCoordinateReferenceSystem,
                  project: QgsProject) -> Tuple[QgsRectangle, QgsPointXY]:
    """Return the rectangle to show in ``crs`` (for a centre, a small one around it) and its centre."""
    transform = QgsCoordinateTransform(QgsCoordinateReferenceSystem(WGS84), crs, project)
    try:
        if plan.extent is not None:
            extent = plan.extent
            degrees = QgsRectangle(extent.west, extent.south, extent.east, extent.north)
            rectangle = transform.transformBoundingBox(degrees)
            return rectangle, rectangle.center()
        if plan.centre is not None and plan.scale:
            point = transform.transform(QgsPointXY(*plan.centre))
            size = 0.002 if crs.isGeographic() else 200.0
            return QgsRectangle.fromCenterAndSize(point, size, size), point
    except QgsCsException as error:
        raise CartoguideError(tr("The map's area lies outside the area of use of {crs}. Choose another reference "
                                 "system.",
                                 crs=crs.authid()), str(error)) from error
    raise CartoguideError(tr("The map has no area yet. Choose an extent, or a centre and a scale."))


def grown_to_ratio(rectangle: QgsRectangle, ratio: float) -> QgsRectangle:
    """Return ``rectangle`` grown about its centre to ``ratio`` (width over height), so that the item keeps its shape.

    The map item cannot be zoomed instead if its template has no extent yet.
    """
    width = max(rectangle.width(), rectangle.height() * ratio)
    return QgsRectangle.fromCenterAndSize(rectangle.center(), width, width / ratio)


def scale_factor_at(crs: QgsCoordinateReferenceSystem, centre: QgsPointXY, project: QgsProject) -> float:
    """Return grid distance over ellipsoidal distance around ``centre`` (in ``crs``), 1 for degrees and below 0.2 %.

    It is measured across the map, in the direction of its scale bar. Web Mercator, made for a sphere, has another
    factor along the map (0.4 % in the south of Spain). At 38° north it is 1.27: a nominal 1:50 000 would be 1:39 400 on
    the ground.
    """
    if crs.isGeographic():
        return 1.0
    measure = QgsDistanceArea()
    measure.setSourceCrs(crs, project.transformContext())
    measure.setEllipsoid(crs.ellipsoidAcronym() or "EPSG:7030")
    half_length = 500.0
    left, right = (QgsPointXY(centre.x() + side * half_length, centre.y()) for side in (-1, 1))
    ground_length = measure.measureLine(left, right)
    if not ground_length > 0:
        return 1.0
    factor = 2 * half_length / ground_length
    return factor if abs(factor - 1) > _NEGLIGIBLE_DISTORTION else 1.0


def set_map_time(item: QgsLayoutItemMap, plan: Plan) -> None:
    """Let a layout's map request layers with a TIME dimension at the time in the plan."""
    set_map_time_range(
        item,
        next((layer.time_span for layer in plan.layers if layer.visible and layer.time_extent and layer.time_span),
             None))


def set_map_time_range(item: QgsLayoutItemMap, span: Optional[Tuple[datetime, datetime]]) -> None:
    """Let a layout's map show the time from ``span``'s begin to its end (UTC, excluded), or no time if it is None."""
    item.setIsTemporal(span is not None)
    if span is not None:
        item.setTemporalRange(QgsDateTimeRange(to_qdatetime(span[0]), to_qdatetime(span[1]), True, False))


def round_scale(minimum: float) -> float:
    """Return the first round scale denominator not below ``minimum``."""
    power = 10 ** math.floor(math.log10(max(minimum, 1.0)))
    return next((figure * power for figure in _ROUND_SCALES if figure * power >= minimum * 0.9999), 10.0 * power)


def grid_step(scale: float, spacing: float = 30.0) -> float:
    """Return the metres between grid lines, about ``spacing`` millimetres apart on paper: 1, 2 or 5 times a power of
    ten.
    """
    minimum = spacing * 0.8 / 1000 * scale
    power = 10 ** math.floor(math.log10(minimum))
    return next(figure * power for figure in (1.0, 2.0, 5.0, 10.0) if figure * power >= minimum)


def graticule_step(scale: float, latitude: float, spacing: float = 32.0) -> float:
    """Return the seconds of arc between graticule marks, about ``spacing`` millimetres apart along a parallel."""
    metres = spacing * 0.8 / 1000 * scale
    minimum = metres / (30.87 * max(math.cos(math.radians(latitude)), 0.1))
    steps = (1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600, 900, 1200, 1800, 3600, 7200, 18000, 36000)
    return float(next((step for step in steps if step >= minimum), 72000))


def scale_bar_segment(scale: float, room: float, segments: int = 4) -> float:
    """Return the metres, a round number, of one of ``segments`` that together fill at most ``room`` millimetres."""
    maximum = room / 1000 * scale / segments
    power = 10 ** math.floor(math.log10(maximum))
    return max(figure * power for figure in (1.0, 2.0, 2.5, 5.0) if figure * power <= maximum)


def grid_crs(crs: QgsCoordinateReferenceSystem, centre: Tuple[float, float]) -> QgsCoordinateReferenceSystem:
    """Return the CRS of the kilometre grid: the map's if its units are true metres, else the UTM zone of ``centre``.

    ``centre`` is (lon, lat). Within the area of ETRS89 the zone is that of ETRS89 (EPSG:258zz), elsewhere that of WGS
    84.
    """
    if not crs.isGeographic() and crs.authid() not in ("EPSG:3857", "EPSG:3785", "EPSG:900913"):
        return crs
    longitude, latitude = centre
    zone = min(60, int((longitude + 180) // 6) + 1)
    code: Optional[int] = None
    if 28 <= zone <= 38 and latitude > 34:
        code = 25800 + zone
    return QgsCoordinateReferenceSystem(f"EPSG:{code or (32600 if latitude >= 0 else 32700) + zone}")
