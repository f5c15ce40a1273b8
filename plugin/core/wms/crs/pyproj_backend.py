"""PROJ through pyproj. Importing this module needs pyproj."""

from __future__ import annotations

import warnings
from functools import lru_cache
from typing import List, Sequence

with warnings.catch_warnings():
    # a system's pyproj warns in a virtual environment, where it then finds PROJ's data nevertheless
    warnings.simplefilter("ignore")
    from pyproj import CRS, Transformer
    from pyproj.exceptions import ProjError

from .proj_backend import Point, checked_definition, is_northing_first, unknown_crs_error

#: PROJ, too, takes an ellipsoid that differs by more for one of another celestial body
_SAME_BODY_TOLERANCE = 0.01
_HORIZONTAL_DIRECTIONS = ("north", "east", "south", "west")


class PyprojBackend:
    """Axis order and coordinates by pyproj; see ``proj.Resolver``."""

    def first_axis_is_north(self, code: str) -> bool:
        """See ``axes.first_axis_is_north``."""
        return is_northing_first([(axis.name, axis.direction) for axis in _crs(code).axis_info])

    def from_lonlat(self, code: str, points: Sequence[Point]) -> List[Point]:
        """See ``axes.from_degrees``."""
        return _transform(_transformer(code, False), points)

    def to_lonlat(self, code: str, points: Sequence[Point]) -> List[Point]:
        """See ``axes.to_degrees``."""
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
    """Longitude and latitude in which places of ``crs`` are told: on WGS 84, on another celestial body on its own."""
    world, own = CRS.from_user_input("OGC:CRS84"), crs.geodetic_crs
    if own is None or own.ellipsoid is None or world.ellipsoid is None:
        return world
    other_body = abs(own.ellipsoid.semi_major_metre / world.ellipsoid.semi_major_metre - 1) > _SAME_BODY_TOLERANCE
    return own if other_body else world


def _transform(transformer: Transformer, points: Sequence[Point]) -> List[Point]:
    if not points:
        return []
    xs, ys = transformer.transform([point[0] for point in points], [point[1] for point in points])
    return list(zip(xs, ys))
