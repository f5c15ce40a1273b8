"""What the map item shows: extent and scale as the plan asks, true to the ground; scale bar and grids that fit them."""

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
from ..runtime.qt_time import to_qdatetime

WGS84 = "EPSG:4326"
#: leading figures of the scales that maps are printed at
_ROUND_SCALES = (1.0, 1.25, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 7.5, 8.0, 10.0)
#: a projection that stretches less than this is taken at its word, as UTM maps always are (0.04 % on the meridian)
_NEGLIGIBLE_DISTORTION = 0.002


@dataclass(frozen=True)
class MapFrame:
    """What was set: ``scale`` is the true one on the ground, ``nominal`` the map item's own, in denominators.

    ``stretch`` is grid distance over ground distance at the centre (1 where it may be ignored); ``centre`` is (lon,
    lat).
    """

    scale: float
    nominal_scale: float
    scale_factor: float
    centre: Tuple[float, float]


def set_frame(item: QgsLayoutItemMap, plan: Plan, project: QgsProject) -> MapFrame:
    """Give the map item the plan's CRS, extent and scale. An extent without a scale gets the next round scale that
    holds it.

    CartoguideError where the CRS is unknown, or where the plan has neither an extent nor a centre with a scale.
    """
    crs = QgsCoordinateReferenceSystem(plan.crs)
    if not crs.isValid():
        raise CartoguideError(
            tr("The map's reference system {crs} is not known to QGIS. Choose another one.", crs=plan.crs))
    item.setCrs(crs)
    rectangle, centre = _planned_area(plan, crs, project)
    stretch = scale_factor_at(crs, centre, project)
    item.setExtent(grown_to_ratio(rectangle, item.rect().width() / item.rect().height()))
    scale = float(plan.scale) if plan.scale else round_scale(item.scale() / stretch)
    item.setScale(scale * stretch)
    middle = item.extent().center()
    degrees = QgsCoordinateTransform(crs, QgsCoordinateReferenceSystem(WGS84), project).transform(middle)
    return MapFrame(scale, scale * stretch, stretch, (degrees.x(), degrees.y()))


def _planned_area(plan: Plan, crs: QgsCoordinateReferenceSystem,
                  project: QgsProject) -> Tuple[QgsRectangle, QgsPointXY]:
    """The rectangle to show in ``crs`` (for a centre, a small one around it), and its centre."""
    transform = QgsCoordinateTransform(QgsCoordinateReferenceSystem(WGS84), crs, project)
    try:
        if plan.extent is not None:
            box = plan.extent
            rectangle = transform.transformBoundingBox(QgsRectangle(box.west, box.south, box.east, box.north))
            return rectangle, rectangle.center()
        if plan.centre is not None and plan.scale:
            point = transform.transform(QgsPointXY(*plan.centre))
            half = 0.001 if crs.isGeographic() else 100.0
            return QgsRectangle(point.x() - half, point.y() - half, point.x() + half, point.y() + half), point
    except QgsCsException as error:
        raise CartoguideError(tr("The map's area lies outside of what {crs} can show. Choose another reference system.",
                                 crs=crs.authid()), str(error)) from error
    raise CartoguideError(tr("The map has no area yet. Choose an extent, or a centre and a scale."))


def grown_to_ratio(rectangle: QgsRectangle, ratio: float) -> QgsRectangle:
    """``rectangle`` grown about its centre to ``ratio`` (width over height), so that the map item keeps its own
    shape.

    Done here because a map item whose template has no extent yet cannot be zoomed.
    """
    width = max(rectangle.width(), rectangle.height() * ratio)
    return QgsRectangle.fromCenterAndSize(rectangle.center(), width, width / ratio)


def scale_factor_at(crs: QgsCoordinateReferenceSystem, centre: QgsPointXY, project: QgsProject) -> float:
    """Grid distance over ellipsoidal distance around ``centre`` (in ``crs``); 1 for degrees and below 0.2 %.

    Measured across the map, as its scale bar lies: Web Mercator, made for a sphere, stretches otherwise along it, by
    0.4 % in the south of Spain. At 38° north it is 1.27: a nominal 1:50 000 would be 1:39 400 on the ground.
    """
    if crs.isGeographic():
        return 1.0
    measure = QgsDistanceArea()
    measure.setSourceCrs(crs, project.transformContext())
    measure.setEllipsoid(crs.ellipsoidAcronym() or "EPSG:7030")
    half = 500.0
    across = measure.measureLine(QgsPointXY(centre.x() - half, centre.y()), QgsPointXY(centre.x() + half, centre.y()))
    if not across > 0:
        return 1.0
    stretch = 2 * half / across
    return stretch if abs(stretch - 1) > _NEGLIGIBLE_DISTORTION else 1.0


def set_map_time(item: QgsLayoutItemMap, plan: Plan) -> None:
    """Have a layout's map ask layers with a TIME dimension for the time that the plan shows of them."""
    set_map_time_range(
        item,
        next((layer.time_span for layer in plan.layers if layer.visible and layer.time_extent and layer.time_span),
             None))


def set_map_time_range(item: QgsLayoutItemMap, span: Optional[Tuple[datetime, datetime]]) -> None:
    """Have a layout's map show the time from ``span``'s begin to its end (UTC, excluded); None: no time at all."""
    item.setIsTemporal(span is not None)
    if span is not None:
        item.setTemporalRange(QgsDateTimeRange(to_qdatetime(span[0]), to_qdatetime(span[1]), True, False))


def round_scale(minimum: float) -> float:
    """The first round scale denominator that is not below ``least``."""
    power = 10 ** math.floor(math.log10(max(minimum, 1.0)))
    return next((figure * power for figure in _ROUND_SCALES if figure * power >= minimum * 0.9999), 10.0 * power)


def grid_step(scale: float, spacing: float = 30.0) -> float:
    """Metres between grid lines, 1, 2 or 5 by a power of ten, at least about ``spacing`` millimetres apart on paper."""
    least = spacing * 0.8 / 1000 * scale
    power = 10 ** math.floor(math.log10(least))
    return next(figure * power for figure in (1.0, 2.0, 5.0, 10.0) if figure * power >= least)


def graticule_step(scale: float, latitude: float, spacing: float = 32.0) -> float:
    """Seconds of arc between graticule marks, at least about ``spacing`` millimetres apart along a parallel."""
    metres = spacing * 0.8 / 1000 * scale
    least = metres / (30.87 * max(math.cos(math.radians(latitude)), 0.1))
    steps = (1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600, 900, 1200, 1800, 3600, 7200, 18000, 36000)
    return float(next((step for step in steps if step >= least), 72000))


def scale_bar_segment(scale: float, room: float, segments: int = 4) -> float:
    """Metres in one of ``segments`` scale bar segments that together fill at most ``room`` millimetres, a round
    number.
    """
    most = room / 1000 * scale / segments
    power = 10 ** math.floor(math.log10(most))
    return max(figure * power for figure in (1.0, 2.0, 2.5, 5.0) if figure * power <= most)


def grid_crs(crs: QgsCoordinateReferenceSystem, centre: Tuple[float, float]) -> QgsCoordinateReferenceSystem:
    """The CRS for the kilometre grid: the map's own where its metres are metres, else the UTM zone of ``centre``
    (lon, lat).

    Within ETRS89's area that is its realisation of the zone (EPSG:258zz), elsewhere WGS 84's.
    """
    if not crs.isGeographic() and crs.authid() not in ("EPSG:3857", "EPSG:3785", "EPSG:900913"):
        return crs
    longitude, latitude = centre
    zone = min(60, int((longitude + 180) // 6) + 1)
    code: Optional[int] = None
    if 28 <= zone <= 38 and latitude > 34:
        code = 25800 + zone
    return QgsCoordinateReferenceSystem(f"EPSG:{code or (32600 if latitude >= 0 else 32700) + zone}")
