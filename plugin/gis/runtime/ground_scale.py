"""The scale of the ground in QGIS: the engine of ``core.custommap.ground_scale`` with QGIS's ellipsoids.

QGIS's own scale of a map is here too, under its own name: layers' scale ranges are compared with it.
"""

from __future__ import annotations

from typing import Callable, Optional

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsCoordinateTransformContext,
    QgsCsException,
    QgsDistanceArea,
    QgsGeometry,
    QgsLayoutItemMap,
    QgsPointXY,
    QgsProject,
    QgsRectangle,
    QgsScaleCalculator,
    QgsUnitTypes,
)

from ...core.custommap.ground_scale import GroundScale, Position, measure_ground_scale, reach_of_scale
from . import compat

_WGS84, _WGS84_ELLIPSOID = "EPSG:4326", "EPSG:7030"
_MM_PER_INCH = 25.4
#: share of a scale by which it may differ from a whole number that is meant
_LAST_DIGITS = 1e-6


def ground_scale_at(crs: QgsCoordinateReferenceSystem, centre: QgsPointXY, project: QgsProject,
                    rotation: float = 0.0) -> Optional[GroundScale]:
    """Return the scale at ``centre`` (in ``crs``) on the CRS's own ellipsoid, or None where ``crs`` is not defined.

    ``rotation`` is that of the map on its page in degrees, clockwise. Main thread only.
    """
    return _measure(crs, project, rotation)((centre.x(), centre.y()))


def ground_scale_of(item: QgsLayoutItemMap) -> Optional[GroundScale]:
    """Return the scale of a layout's map where it is now, or None where its CRS is not defined."""
    return ground_scale_at(item.crs(), item.extent().center(), item.layout().project(), item.mapRotation())


def printed_ratio(item: QgsLayoutItemMap) -> Optional[float]:
    """Return the denominator that may be printed for a layout's map, or None where no single number is true."""
    ground = ground_scale_of(item)
    return ground.ratio(item.extent().width(), item.rect().width()) if ground is not None else None


def document_scale(item: QgsLayoutItemMap) -> Optional[float]:
    """Return the denominator of the ground's scale across a layout's map, as a document has it, or None.

    It has no last digits by which a map made from it would differ from this one.
    """
    ground = ground_scale_of(item)
    if ground is None or item.scale() <= 0:
        return None
    scale = ground.denominator(item.extent().width(), item.rect().width())
    return float(round(scale)) if abs(round(scale) - scale) <= _LAST_DIGITS * scale else scale


def reach_at(ground: GroundScale, crs: QgsCoordinateReferenceSystem, project: QgsProject) -> float:
    """Return how far the page's centre may move, in units of ``crs``, until its scale has changed by 0.05 %."""
    return reach_of_scale(ground, _measure(crs, project, 0.0))


def is_in_degrees(code: str) -> bool:
    return bool(QgsCoordinateReferenceSystem(code).isGeographic())


def qgis_scale(crs: QgsCoordinateReferenceSystem, extent: QgsRectangle, millimetres: float) -> float:
    """Return QGIS's own denominator of ``extent`` drawn ``millimetres`` wide: not the ground's.

    QGIS compares it with the scale ranges of layers.
    """
    return float(QgsScaleCalculator(_MM_PER_INCH, crs.mapUnits()).calculate(extent, millimetres))


def length_measure(crs: QgsCoordinateReferenceSystem,
                   transforms: QgsCoordinateTransformContext) -> Callable[[QgsGeometry], float]:
    """Return what measures the length of lines in ``crs`` in metres on the ellipsoid. For any thread."""
    measure = _ellipsoidal(crs, transforms)
    return lambda geometry: float(measure.convertLengthMeasurement(measure.measureLength(geometry),
                                                                   compat.distance_unit("Meters")))


def _ellipsoidal(crs: QgsCoordinateReferenceSystem, transforms: QgsCoordinateTransformContext) -> QgsDistanceArea:
    measure = QgsDistanceArea()
    measure.setSourceCrs(crs, transforms)
    measure.setEllipsoid(crs.ellipsoidAcronym() or _WGS84_ELLIPSOID)
    if not measure.willUseEllipsoid():
        measure.setEllipsoid(_WGS84_ELLIPSOID)
    return measure


def _measure(crs: QgsCoordinateReferenceSystem, project: QgsProject,
             rotation: float) -> Callable[[Position], Optional[GroundScale]]:
    measure = _ellipsoidal(crs, project.transformContext())
    in_degrees = crs.isGeographic()
    metres_per_unit = 1.0 if in_degrees else QgsUnitTypes.fromUnitToUnitFactor(
        crs.mapUnits(), compat.distance_unit("Meters"))
    transform = QgsCoordinateTransform(crs, QgsCoordinateReferenceSystem(_WGS84), project)

    def distance(first: Position, second: Position) -> float:
        return float(measure.measureLine(QgsPointXY(*first), QgsPointXY(*second)))

    def at(centre: Position) -> Optional[GroundScale]:
        try:
            latitude = transform.transform(QgsPointXY(*centre)).y()
            return measure_ground_scale(distance, centre, in_degrees, metres_per_unit=metres_per_unit,
                                        rotation=rotation, latitude=latitude)
        except QgsCsException:
            return None

    return at
