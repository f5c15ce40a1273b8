"""PROJ through GDAL's Python bindings. Importing this module needs osgeo."""

from __future__ import annotations

import math
import warnings
from functools import lru_cache
from typing import Any, List, Sequence

from osgeo import gdal, osr

from .axes import Point, definition, unknown

# whether GDAL raises is for the process to say, not for this module; without an answer each newer GDAL complains once
warnings.filterwarnings("ignore", "Neither osr.UseExceptions", FutureWarning)


class GdalResolver:
    """Axis order and coordinates by GDAL; see ``axes.Resolver``."""

    def first_axis_is_north(self, code: str) -> bool:
        """See ``axes.first_axis_is_north``."""
        return _first_axis_is_north(code)

    def from_degrees(self, code: str, points: Sequence[Point]) -> List[Point]:
        """See ``axes.from_degrees``."""
        return _run(_crs("CRS:84"), _crs(code), points)

    def to_degrees(self, code: str, points: Sequence[Point]) -> List[Point]:
        """See ``axes.to_degrees``."""
        return _run(_crs(code), _crs("CRS:84"), points)


@lru_cache(maxsize=256)
def _first_axis_is_north(code: str) -> bool:
    return list(_crs(code).GetDataAxisToSRSAxisMapping())[:2] == [2, 1]


def _crs(code: str) -> Any:
    """The CRS with GDAL's "traditional" mapping, which is east before north: the mapping then tells the CRS's own
    order. Made anew each time, for it must not be used in two threads; GDAL keeps the definitions of each thread.
    """
    name = definition(code)
    crs = osr.SpatialReference()
    gdal.PushErrorHandler("CPLQuietErrorHandler")
    try:
        failed = crs.SetFromUserInput(name) != 0
    except RuntimeError as error:
        raise unknown(code, str(error)) from error
    finally:
        gdal.PopErrorHandler()
    if failed or crs.IsGeocentric() or not (crs.IsProjected() or crs.IsGeographic() or crs.IsDerivedGeographic()):
        raise unknown(code)
    crs.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    return crs


def _run(source: Any, target: Any, points: Sequence[Point]) -> List[Point]:
    transformation = osr.CoordinateTransformation(source, target)
    gdal.PushErrorHandler("CPLQuietErrorHandler")
    try:
        return [_point(transformation, x, y) for x, y in points]
    finally:
        gdal.PopErrorHandler()


def _point(transformation: Any, x: float, y: float) -> Point:
    """One point; infinite where PROJ cannot take it. GDAL raises or not, as the process has told it to."""
    try:
        easting, northing, _ = transformation.TransformPoint(x, y)
    except RuntimeError:
        return (math.inf, math.inf)
    return (easting, northing)
