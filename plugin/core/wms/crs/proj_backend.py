"""The interface to PROJ for the CRS functions, checked CRS definitions, and the errors."""

from __future__ import annotations

import re
from typing import List, Protocol, Sequence, Tuple

from ...errors import CartoguideError
from ...i18n import tr
from .codes import is_automatic_crs, proj_definition

Point = Tuple[float, float]

_AUTHORITY_CODE = re.compile(r"[A-Z][A-Z0-9_.-]{0,30}:[A-Za-z0-9_.-]{1,60}\Z")


class ProjBackend(Protocol):
    """Interface to PROJ, implemented by GDAL or pyproj.

    ``code`` is any spelling that ``codes.normalise_crs`` understands. The methods raise UnknownCrs for a CRS that PROJ
    does not know.
    """

    def first_axis_is_north(self, code: str) -> bool:
        """Return whether the CRS's definition has northing or latitude before easting or longitude."""

    def from_lonlat(self, code: str, points: Sequence[Point]) -> List[Point]:
        """Convert (longitude, latitude) on WGS 84 to (easting, northing). Undefined points are infinite."""

    def to_lonlat(self, code: str, points: Sequence[Point]) -> List[Point]:
        """Convert (easting, northing) to (longitude, latitude) on WGS 84. Undefined points are infinite."""


class UnknownCrs(CartoguideError):
    """A CRS that PROJ does not know, or PROJ is not available."""


def unknown_crs_error(code: str, detail: str = "") -> UnknownCrs:
    """Return the error for a CRS that PROJ does not know."""
    return UnknownCrs(
        tr("Unknown coordinate reference system: {code}. Choose another one.", code=code), detail)


def is_northing_first(axes: Sequence[Tuple[str, str]]) -> bool:
    """Return whether axes, given as (name, direction), are swapped for display with east to the right.

    This is PROJ's rule. North before east is swapped, and so are the axes of a polar CRS that point the same way if the
    first is the northing.
    """
    if len(axes) < 2:
        return False
    (first_name, first), (second_name, second) = axes[0], axes[1]
    if first == "north" and second == "east":
        return True
    return first == second and first in ("north", "south") \
        and first_name.lower().startswith("northing") and second_name.lower().startswith("easting")


def checked_definition(code: str) -> str:
    """Return PROJ's definition of ``code``.

    Only ``AUTHORITY:code`` is passed on: codes come from services, and GDAL would also open an address or a file.
    Raises UnknownCrs for any other text and for automatic projections with missing or invalid parameters.
    """
    try:
        name = proj_definition(code)
    except ValueError as error:
        raise unknown_crs_error(code, str(error)) from error
    if not (is_automatic_crs(code) or _AUTHORITY_CODE.match(name)):
        raise unknown_crs_error(code)
    return name
