"""Extent, scale and time of the map item, and grid steps and CRSs that suit it."""

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
    QgsLayoutItemMap,
    QgsPointXY,
    QgsProject,
    QgsRectangle,
)

from ...core.custommap.ground_scale import GroundScale, Position, round_scale, utm_crs
from ...core.custommap.model import Plan
from ...core.custommap.planner import visible_extent
from ...core.custommap.time_selection import page_time
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ..runtime import compat
from ..runtime.conversions import rectangle_box, to_qdatetime, utm_zone
from ..runtime.ground_scale import ground_scale_at

WGS84 = "EPSG:4326"
_ROUNDING_ERROR = 1e-6
_MAX_SETTLING_STEPS = 8
#: share by which the scale lies above the round one, whatever its last digits: QGIS draws a layer from its largest
#: scale on, and not at its smallest
_ABOVE = 1e-9
#: property of a map item with the rotation that it has in its template
_TEMPLATE_ROTATION = "cartoguide/template_rotation"


@dataclass(frozen=True)
class MapFrame:
    """Result of setting the map item.

    ``ground`` measures it, ``scale`` is the ground's denominator across the page. ``nominal_scale`` is QGIS's own,
    which decides on the layers that are drawn. ``centre`` is (lon, lat).
    """

    scale: float
    nominal_scale: float
    ground: GroundScale
    centre: Tuple[float, float]


def set_frame(item: QgsLayoutItemMap, plan: Plan, project: QgsProject, area: Optional[QgsRectangle] = None) -> MapFrame:
    """Set the map item's CRS, extent and scale from the plan. An extent without a scale gets the next round scale.

    With ``area``, a rectangle in the map's CRS, that is shown in place of the plan's, at a scale of two figures.

    Raises CartoguideError if the CRS is unknown or does not cover the area, if the plan has neither an extent nor a
    centre with a scale, or if the item has no width.
    """
    if not item.rect().width() > 0:
        raise CartoguideError(tr("The map of the template has no width. Make it larger in the template."))
    crs = QgsCoordinateReferenceSystem(plan.crs)
    if not crs.isValid():
        raise CartoguideError(
            tr("The map's reference system {crs} is not known to QGIS. Choose another one.", crs=plan.crs))
    item.setCrs(crs)
    set_rotation(item, plan.page.rotation)
    rectangle = planned_area(plan, crs, project) if area is None else area
    width = item.rect().width()
    grown = grown_to_ratio(_around_rotated(rectangle, item.mapRotation()), _shape(item, rectangle))
    map_centre = grown.center()
    ground = ground_scale_at(crs, map_centre, project, item.mapRotation())
    if ground is None:
        raise _outside_crs(crs)
    fitting = ground.denominator(grown.width(), width)
    scale = float(plan.scale) if plan.scale else round_scale(fitting) if area is None else _two_figures(fitting)
    show_at_scale(item, ground, scale, grown.width() / grown.height())
    geographic_centre = QgsCoordinateTransform(crs, QgsCoordinateReferenceSystem(WGS84), project).transform(map_centre)
    nominal = float(item.scale())
    if abs(nominal / scale - 1) < _ROUNDING_ERROR:
        nominal = scale
    return MapFrame(scale, nominal, ground, (geographic_centre.x(), geographic_centre.y()))


def frame_corners(item: QgsLayoutItemMap, project: QgsProject) -> Optional[Tuple[Position, ...]]:
    """Return the map's corners (longitude, latitude), one after another, None outside the area of use of its CRS."""
    transform = QgsCoordinateTransform(item.crs(), QgsCoordinateReferenceSystem(WGS84), project)
    corners = item.visibleExtentPolygon()
    try:
        found = [transform.transform(QgsPointXY(corners[number])) for number in range(4)]
    except QgsCsException:
        return None
    return tuple((point.x(), point.y()) for point in found)


def set_rotation(item: QgsLayoutItemMap, rotation: float) -> None:
    """Rotate the map on its page by ``rotation`` degrees, clockwise. At 0 it is as in its template."""
    of_template = item.customProperty(_TEMPLATE_ROTATION)
    if of_template is None:
        if not rotation:
            return
        of_template = item.mapRotation()
        item.setCustomProperty(_TEMPLATE_ROTATION, of_template)
    item.setMapRotation(rotation or float(of_template))


def _around_rotated(rectangle: QgsRectangle, rotation: float) -> QgsRectangle:
    """Return the extent of the rotated map that shows all of ``rectangle``, which is not rotated."""
    across, along = abs(math.cos(math.radians(rotation))), abs(math.sin(math.radians(rotation)))
    if not rotation:
        return rectangle
    return QgsRectangle.fromCenterAndSize(rectangle.center(), rectangle.width() * across + rectangle.height() * along,
                                          rectangle.width() * along + rectangle.height() * across)


def show_at_scale(item: QgsLayoutItemMap, ground: GroundScale, scale: float, ratio: float) -> None:
    """Set the extent with which the map item shows the ground around the measured centre at ``scale``.

    ``ratio`` is the item's width over its height.
    """
    width = ground.map_units(scale, item.rect().width())
    item.setExtent(QgsRectangle.fromCenterAndSize(QgsPointXY(*ground.centre), width, width / ratio))
    if abs(item.scale() / scale - 1) < _ROUNDING_ERROR:
        # QGIS's inch is rounded, and a layer may be drawn from exactly this scale on
        item.setScale(scale * (1 + _ABOVE))
    _settle_extent(item)


def _settle_extent(item: QgsLayoutItemMap) -> None:
    """Move the edges of the extent by their last digits, until a copy of the map has the same ones.

    A copy, as of an export, computes its extent anew from centre, width and shape. Images are cached under addresses
    with all digits of the extent: those fetched for the layout would be requested again for its copy.
    """
    for _ in range(_MAX_SETTLING_STEPS):
        shown, size = item.extent(), item.rect()
        if not size.width():
            return
        copied = QgsRectangle.fromCenterAndSize(shown.center(), shown.width(),
                                                shown.width() * size.height() / size.width())
        if rectangle_box(copied) == rectangle_box(shown):
            return
        # QGIS ignores an extent that almost equals the present one
        item.setExtent(shown.scaled(2))
        item.setExtent(copied)


def _shape(item: QgsLayoutItemMap, rectangle: QgsRectangle) -> float:
    """Return the item's width over its height, or that of ``rectangle`` if it has no height.

    A map saved in a template before it had an extent has none: QGIS then gives it that of its first extent.
    """
    ratio = item.rect().width() / item.rect().height() if item.rect().height() else math.nan
    return ratio if math.isfinite(ratio) else rectangle.width() / rectangle.height()


def _two_figures(scale: float) -> float:
    """Return the next larger scale denominator of two figures. The next round one is up to twice as large."""
    unit = 10.0 ** (math.floor(math.log10(scale)) - 1)
    return math.ceil(scale / unit - _ROUNDING_ERROR) * unit


def planned_area(plan: Plan, crs: QgsCoordinateReferenceSystem, project: QgsProject) -> QgsRectangle:
    """Return the rectangle to show in ``crs``: for a centre, a small one around it."""
    transform = QgsCoordinateTransform(QgsCoordinateReferenceSystem(WGS84), crs, project)
    try:
        # a centre without a scale is no area: the page shows what is visible
        extent = plan.extent or (visible_extent(plan.layers) if plan.scale is None else None)
        if extent is not None:
            return transform.transformBoundingBox(QgsRectangle(*extent))
        if plan.centre is not None and plan.scale:
            point = transform.transform(QgsPointXY(*plan.centre))
            size = 0.002 if crs.isGeographic() else 200.0
            return QgsRectangle.fromCenterAndSize(point, size, size)
    except QgsCsException as error:
        raise _outside_crs(crs, str(error)) from error
    raise CartoguideError(tr("The map has no area yet. Choose an extent, or a centre and a scale."))


def _outside_crs(crs: QgsCoordinateReferenceSystem, detail: str = "") -> CartoguideError:
    return CartoguideError(
        tr("The map's area lies outside the area of use of {crs}. Choose another reference system.",
           crs=crs.authid()), detail)


def grown_to_ratio(rectangle: QgsRectangle, ratio: float) -> QgsRectangle:
    """Return ``rectangle`` grown about its centre to ``ratio`` (width over height), so that the item keeps its shape.

    The map item cannot be zoomed instead if its template has no extent yet.
    """
    width = max(rectangle.width(), rectangle.height() * ratio)
    return QgsRectangle.fromCenterAndSize(rectangle.center(), width, width / ratio)


def set_map_time(item: QgsLayoutItemMap, plan: Plan) -> None:
    """Let a layout's map request layers with a TIME dimension at the time in the plan."""
    set_map_time_range(item, page_time(plan.layers))


def set_map_time_range(item: QgsLayoutItemMap, span: Optional[Tuple[datetime, datetime]]) -> None:
    """Let a layout's map show the time from ``span``'s begin to its end (UTC, excluded), or no time if it is None."""
    item.setIsTemporal(span is not None)
    if span is not None:
        item.setTemporalRange(QgsDateTimeRange(to_qdatetime(span[0]), to_qdatetime(span[1]), True, False))


def grid_step(scale: float, spacing: float = 30.0) -> float:
    """Return the metres between grid lines, about ``spacing`` millimetres apart on paper: 1, 2 or 5 times a power of
    ten.
    """
    minimum = spacing * 0.8 / 1000 * scale
    power = 10 ** math.floor(math.log10(minimum))
    return float(next(figure * power for figure in (1.0, 2.0, 5.0, 10.0) if figure * power >= minimum))


def graticule_step(scale: float, latitude: float, spacing: float = 32.0) -> float:
    """Return the seconds of arc between graticule marks, about ``spacing`` millimetres apart along a parallel."""
    metres = spacing * 0.8 / 1000 * scale
    minimum = metres / (30.87 * max(math.cos(math.radians(latitude)), 0.1))
    steps = (1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600, 900, 1200, 1800, 3600, 7200, 18000, 36000)
    return float(next((step for step in steps if step >= minimum), 72000))


def grid_crs(crs: QgsCoordinateReferenceSystem, centre: Tuple[float, float]) -> QgsCoordinateReferenceSystem:
    """Return the CRS of the kilometre grid: the map's if its units are true metres, else the UTM zone of ``centre``.

    ``centre`` is (lon, lat). Within the area of ETRS89 the zone is that of ETRS89 (EPSG:258zz), elsewhere that of WGS
    84.
    """
    is_metric = crs.mapUnits() == compat.distance_unit("Meters")
    if is_metric and crs.authid() not in ("EPSG:3857", "EPSG:3785", "EPSG:900913"):
        return crs
    return QgsCoordinateReferenceSystem(utm_crs(*centre))


def utm_grid_crs(crs: QgsCoordinateReferenceSystem, centre: Tuple[float, float]) -> QgsCoordinateReferenceSystem:
    """Return the map's CRS if it is a UTM zone, else the zone of ``centre`` (lon, lat) as ``grid_crs`` does."""
    return crs if utm_zone(crs) else QgsCoordinateReferenceSystem(utm_crs(*centre))
