"""PROJ through GDAL's Python bindings. Importing this module requires osgeo."""

from __future__ import annotations

import math
import warnings
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, Iterator, List, Sequence

from osgeo import gdal, osr

from .codes import Point, checked_definition, unknown_crs_error

#: GDAL's option to use the successor of a deprecated code
_NON_DEPRECATED_OPTION = "OSR_USE_NON_DEPRECATED"
_SAME_BODY_TOLERANCE = 0.01

# the process decides whether GDAL raises exceptions, newer versions warn once if it has not decided
warnings.filterwarnings("ignore", "Neither osr.UseExceptions", FutureWarning)


@lru_cache(maxsize=256)
def first_axis_is_north(code: str) -> bool:
    """See ``codes.ProjBackend``."""
    return list(_crs(code).GetDataAxisToSRSAxisMapping())[:2] == [2, 1]


def from_lonlat(code: str, points: Sequence[Point]) -> List[Point]:
    """See ``codes.ProjBackend``."""
    crs = _crs(code)
    return _transform(_geographic_crs(crs), crs, points)


def to_lonlat(code: str, points: Sequence[Point]) -> List[Point]:
    """See ``codes.ProjBackend``."""
    crs = _crs(code)
    return _transform(crs, _geographic_crs(crs), points)


def _crs(code: str) -> Any:
    """Return the CRS with GDAL's traditional axis mapping (east before north), which reveals the CRS's axis order.

    It is created each time because it must not be shared between threads. GDAL caches the definitions of each thread.
    Raises UnknownCrs if PROJ does not know the code.
    """
    name = checked_definition(code)
    crs = osr.SpatialReference()
    try:
        with _errors_silenced(), _deprecated_codes_kept():
            failed = crs.SetFromUserInput(name) != 0
    except RuntimeError as error:
        raise unknown_crs_error(code, str(error)) from error
    if failed or crs.IsGeocentric() or not (crs.IsProjected() or crs.IsGeographic() or crs.IsDerivedGeographic()):
        raise unknown_crs_error(code)
    crs.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    return crs


def _geographic_crs(crs: Any) -> Any:
    """Return the CRS for longitudes and latitudes in ``crs``.

    That is WGS 84, or the geographic CRS of ``crs`` on another celestial body.
    """
    wgs84 = _crs("CRS:84")
    if _is_same_body(crs, wgs84):
        return wgs84
    geographic = crs.CloneGeogCS()
    geographic.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    return geographic


def _is_same_body(crs: Any, wgs84: Any) -> bool:
    """Return whether both ellipsoids may be the Earth's. PROJ uses the same limit of 1 %."""
    return bool(abs(crs.GetSemiMajor() / wgs84.GetSemiMajor() - 1) < _SAME_BODY_TOLERANCE)


@contextmanager
def _errors_silenced() -> Iterator[None]:
    """Keep GDAL from writing to standard error."""
    gdal.PushErrorHandler("CPLQuietErrorHandler")
    try:
        yield
    finally:
        gdal.PopErrorHandler()


@contextmanager
def _deprecated_codes_kept() -> Iterator[None]:
    """Make GDAL use a deprecated EPSG code itself. Its successor may have other axes."""
    before = gdal.GetThreadLocalConfigOption(_NON_DEPRECATED_OPTION)
    gdal.SetThreadLocalConfigOption(_NON_DEPRECATED_OPTION, "NO")
    try:
        yield
    finally:
        gdal.SetThreadLocalConfigOption(_NON_DEPRECATED_OPTION, before)


def _transform(source: Any, target: Any, points: Sequence[Point]) -> List[Point]:
    with _errors_silenced():
        transformation = osr.CoordinateTransformation(source, target)
        return [_transform_point(transformation, x, y) for x, y in points]


def _transform_point(transformation: Any, x: float, y: float) -> Point:
    """Return one converted point, infinite if PROJ cannot convert it.

    GDAL raises exceptions or not, depending on the process.
    """
    try:
        easting, northing, _ = transformation.TransformPoint(x, y)
    except RuntimeError:
        return (math.inf, math.inf)
    return (easting, northing)
