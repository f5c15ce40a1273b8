"""Axis order and coordinate conversion by PROJ, through GDAL or pyproj."""

from __future__ import annotations

from functools import lru_cache
from typing import List, Sequence

from ...i18n import tr
from .codes import LONLAT_CODES, Point, ProjBackend, UnknownCrs, is_automatic_crs, normalise_crs


def first_axis_is_north(crs_code: str) -> bool:
    """Return whether the first axis of the CRS points north (06-042 6.7.2).

    It does for EPSG:4326 and 3042, but not for CRS:84, EPSG:25830 and 3857. Raises UnknownCrs if PROJ does not know the
    CRS or is not available.
    """
    code = normalise_crs(crs_code)
    if code in LONLAT_CODES or is_automatic_crs(code):
        return False
    return _backend().first_axis_is_north(code)


def from_lonlat(crs_code: str, points: Sequence[Point]) -> List[Point]:
    """Convert (longitude, latitude) on WGS 84 to (easting, northing), whatever the axis order of the CRS.

    Points outside the projection are infinite. Raises UnknownCrs if PROJ does not know the CRS or is not available.
    """
    if normalise_crs(crs_code) == LONLAT_CODES[0]:
        return list(points)
    return _backend().from_lonlat(crs_code, points)


def to_lonlat(crs_code: str, points: Sequence[Point]) -> List[Point]:
    """Convert (easting, northing), whatever the axis order of the CRS, to (longitude, latitude) on WGS 84.

    Points outside the projection are infinite. Raises UnknownCrs if PROJ does not know the CRS or is not available.
    """
    if normalise_crs(crs_code) == LONLAT_CODES[0]:
        return list(points)
    return _backend().to_lonlat(crs_code, points)


@lru_cache(maxsize=1)
def _backend() -> ProjBackend:
    """Return the backend on GDAL's Python bindings, or that on pyproj if GDAL is missing.

    QGIS always has GDAL, and only GDAL is safe in its worker threads: pyproj 3.7 frees its data of a thread when Python
    has left the thread, and crashes when the pool uses that thread again.
    """
    try:
        from . import gdal_backend
        return gdal_backend
    except ImportError as no_gdal:
        missing = str(no_gdal)
    try:
        from . import pyproj_backend
        return pyproj_backend
    except ImportError as no_pyproj:
        raise UnknownCrs(
            tr("Coordinates cannot be converted: neither pyproj nor GDAL is installed for this Python. "
               "Install python3-pyproj, or run this inside QGIS."), f"{missing}; {no_pyproj}") from no_pyproj
