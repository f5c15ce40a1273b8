"""PROJ through pyproj. Importing this module requires pyproj."""

from __future__ import annotations

import warnings
from functools import lru_cache
from typing import List, Sequence

with warnings.catch_warnings():
    # in a virtual environment the system's pyproj warns that PROJ's data are missing, and then finds them
    warnings.simplefilter("ignore")
    from pyproj import CRS, Transformer
    from pyproj.exceptions import ProjError

from .codes import Point, checked_definition, is_northing_first, unknown_crs_error

#: largest relative difference of two ellipsoids' axes on the same celestial body. PROJ uses the same limit
_SAME_BODY_TOLERANCE = 0.01
_HORIZONTAL_DIRECTIONS = ("north", "east", "south", "west")


def first_axis_is_north(code: str) -> bool:
    """See ``codes.ProjBackend``."""
    return is_northing_first([(axis.name, axis.direction) for axis in _crs(code).axis_info])


def from_lonlat(code: str, points: Sequence[Point]) -> List[Point]:
    """See ``codes.ProjBackend``."""
    return _transform(_transformer(code, False), points)


def to_lonlat(code: str, points: Sequence[Point]) -> List[Point]:
    """See ``codes.ProjBackend``."""
    return _transform(_transformer(code, True), points)


@lru_cache(maxsize=256)
def _crs(code: str) -> CRS:
    try:
        crs = CRS.from_user_input(checked_definition(code))
    except ProjError as error:
        raise unknown_crs_error(code, str(error)) from error
    if len(crs.axis_info) < 2 or any(axis.direction.lower() not in _HORIZONTAL_DIRECTIONS
                                     for axis in crs.axis_info[:2]):
        raise unknown_crs_error(code, crs.type_name)
    return crs


@lru_cache(maxsize=256)
def _transformer(code: str, to_lonlat: bool) -> Transformer:
    crs = _crs(code)
    degrees = _geographic_crs(crs)
    try:
        return Transformer.from_crs(*((crs, degrees) if to_lonlat else (degrees, crs)), always_xy=True)
    except ProjError as error:
        raise unknown_crs_error(code, str(error)) from error


def _geographic_crs(crs: CRS) -> CRS:
    """Return the CRS for longitudes and latitudes in ``crs``.

    That is WGS 84, or the geographic CRS of ``crs`` on another celestial body.
    """
    wgs84, geographic = CRS.from_user_input("OGC:CRS84"), crs.geodetic_crs
    if geographic is None or geographic.ellipsoid is None or wgs84.ellipsoid is None:
        return wgs84
    ratio = geographic.ellipsoid.semi_major_metre / wgs84.ellipsoid.semi_major_metre
    return geographic if abs(ratio - 1) > _SAME_BODY_TOLERANCE else wgs84


def _transform(transformer: Transformer, points: Sequence[Point]) -> List[Point]:
    if not points:
        return []
    xs, ys = transformer.transform([point[0] for point in points], [point[1] for point in points])
    return list(zip(xs, ys))
