"""Axis order and coordinates of a CRS, taken from PROJ's definition: by GDAL, else by pyproj."""

from __future__ import annotations

from functools import lru_cache
from typing import List, Optional, Sequence

from ..i18n import tr
from .crs import LONGITUDE_LATITUDE, is_automatic, normalise
from .proj import Point, Resolver, UnknownCrs

_resolver: Optional[Resolver] = None


def set_resolver(resolver: Optional[Resolver]) -> None:
    """Ask ``resolver`` from now on, whatever is installed; None goes back to GDAL or pyproj."""
    global _resolver
    _resolver = resolver


def first_axis_is_north(crs_code: str) -> bool:
    """Whether the first axis of the CRS points north: EPSG:4326 and 3042 do, CRS:84, 25830 and 3857 do not (06-042
    6.7.2).

    UnknownCrs where PROJ does not know the CRS or cannot be reached.
    """
    code = normalise(crs_code)
    if code in LONGITUDE_LATITUDE or is_automatic(code):
        return False
    return _current().first_axis_is_north(code)


def from_degrees(crs_code: str, points: Sequence[Point]) -> List[Point]:
    """(longitude, latitude) on WGS 84 to (easting, northing) of the CRS, whatever its own axis order is."""
    if normalise(crs_code) == LONGITUDE_LATITUDE[0]:
        return list(points)
    return _current().from_degrees(crs_code, points)


def to_degrees(crs_code: str, points: Sequence[Point]) -> List[Point]:
    """(easting, northing) of the CRS, whatever its own axis order is, to (longitude, latitude) on WGS 84."""
    if normalise(crs_code) == LONGITUDE_LATITUDE[0]:
        return list(points)
    return _current().to_degrees(crs_code, points)


def _current() -> Resolver:
    return _resolver if _resolver is not None else _installed()


@lru_cache(maxsize=1)
def _installed() -> Resolver:
    """GDAL's Python bindings where they are installed, else pyproj.

    QGIS has GDAL always, and only that is safe in its worker threads: pyproj 3.7 gives up what it holds for a
    thread when Python has left it, and crashes when the pool uses the same thread again.
    """
    try:
        from .axes_gdal import GdalResolver
        return GdalResolver()
    except ImportError as no_gdal:
        missing = str(no_gdal)
    try:
        from .axes_pyproj import PyprojResolver
        return PyprojResolver()
    except ImportError as no_pyproj:
        raise UnknownCrs(
            tr("Coordinates cannot be converted: neither pyproj nor GDAL is installed for this Python. "
               "Install python3-pyproj, or run this inside QGIS."), f"{missing}; {no_pyproj}") from no_pyproj
