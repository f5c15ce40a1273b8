"""PROJ through GDAL's Python bindings. Importing this module needs osgeo."""

from __future__ import annotations

import math
import warnings
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, Iterator, List, Sequence

from osgeo import gdal, osr

from .proj_backend import Point, checked_definition, unknown_crs_error

#: GDAL's option of taking the successor of a withdrawn code
_NON_DEPRECATED_OPTION = "OSR_USE_NON_DEPRECATED"
_SAME_BODY_TOLERANCE = 0.01

# whether GDAL raises is for the process to say, not for this module; without an answer each newer GDAL complains once
warnings.filterwarnings("ignore", "Neither osr.UseExceptions", FutureWarning)


class GdalBackend:
    """Axis order and coordinates by GDAL; see ``proj.Resolver``."""

    def first_axis_is_north(self, code: str) -> bool:
        """See ``axes.first_axis_is_north``."""
        return _first_axis_is_north(code)

    def from_lonlat(self, code: str, points: Sequence[Point]) -> List[Point]:
        """See ``axes.from_degrees``."""
        crs = _crs(code)
        return _transform(_geographic_crs(crs), crs, points)

    def to_lonlat(self, code: str, points: Sequence[Point]) -> List[Point]:
        """See ``axes.to_degrees``."""
        crs = _crs(code)
        return _transform(crs, _geographic_crs(crs), points)


@lru_cache(maxsize=256)
def _first_axis_is_north(code: str) -> bool:
    return list(_crs(code).GetDataAxisToSRSAxisMapping())[:2] == [2, 1]


def _crs(code: str) -> Any:
    """The CRS with GDAL's "traditional" mapping, which is east before north: the mapping then tells the CRS's own
    order. Made anew each time, for it must not be used in two threads; GDAL keeps the definitions of each thread.
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
    """Longitude and latitude in which places of ``crs`` are told: on WGS 84, on another celestial body on its own."""
    world = _crs("CRS:84")
    if _is_same_body(crs, world):
        return world
    own = crs.CloneGeogCS()
    own.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    return own


def _is_same_body(crs: Any, world: Any) -> bool:
    """Whether both ellipsoids may be the Earth's: PROJ, too, takes what differs by more than 1 % for another body."""
    return bool(abs(crs.GetSemiMajor() / world.GetSemiMajor() - 1) < _SAME_BODY_TOLERANCE)


@contextmanager
def _errors_silenced() -> Iterator[None]:
    """GDAL says nothing on standard error meanwhile."""
    gdal.PushErrorHandler("CPLQuietErrorHandler")
    try:
        yield
    finally:
        gdal.PopErrorHandler()


@contextmanager
def _deprecated_codes_kept() -> Iterator[None]:
    """GDAL takes a code that EPSG has withdrawn as it stands: the one in its place may have other axes."""
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
    """One point; infinite where PROJ cannot take it. GDAL raises or not, as the process has told it to."""
    try:
        easting, northing, _ = transformation.TransformPoint(x, y)
    except RuntimeError:
        return (math.inf, math.inf)
    return (easting, northing)
