"""What the CRS functions need of PROJ, whichever library brings it: the interface, the names of CRSs, the errors."""

from __future__ import annotations

import re
from typing import List, Protocol, Sequence, Tuple

from ...errors import CartoguideError
from ...i18n import tr
from .codes import is_automatic_crs, proj_definition

Point = Tuple[float, float]

_AUTHORITY_CODE = re.compile(r"[A-Z][A-Z0-9_.-]{0,30}:[A-Za-z0-9_.-]{1,60}\Z")


class ProjBackend(Protocol):
    """What is needed of PROJ. ``code`` is anything that ``crs.normalise`` understands."""

    def first_axis_is_north(self, code: str) -> bool:
        """Whether the CRS's definition names northing or latitude before easting or longitude."""

    def from_lonlat(self, code: str, points: Sequence[Point]) -> List[Point]:
        """(longitude, latitude) on WGS 84 to (easting, northing) of the CRS; infinite where it is not defined."""

    def to_lonlat(self, code: str, points: Sequence[Point]) -> List[Point]:
        """(easting, northing) of the CRS to (longitude, latitude) on WGS 84; infinite where it is not defined."""


class UnknownCrs(CartoguideError):
    """A CRS that PROJ does not know, or no PROJ to ask."""


def unknown_crs_error(code: str, detail: str = "") -> UnknownCrs:
    """The error for a CRS that PROJ does not know."""
    return UnknownCrs(
        tr("The coordinate reference system {code} is not known here. Choose another one.", code=code), detail)


def is_northing_first(axes: Sequence[Tuple[str, str]]) -> bool:
    """PROJ's own rule: whether axes given as (name, direction) are turned round to be drawn with east to the right.

    North before east is turned; so are the two axes of a polar CRS that point the same way, where the first is the
    northing.
    """
    if len(axes) < 2:
        return False
    (first_name, first), (second_name, second) = axes[0], axes[1]
    if first == "north" and second == "east":
        return True
    return first == second and first in ("north", "south") \
        and first_name.lower().startswith("northing") and second_name.lower().startswith("easting")


def checked_definition(code: str) -> str:
    """PROJ's name of ``code``; UnknownCrs where an automatic projection lacks or garbles its parameters.

    Only ``AUTHORITY:code`` goes further: codes come from services, and GDAL would take an address or a file name too.
    """
    try:
        name = proj_definition(code)
    except ValueError as error:
        raise unknown_crs_error(code, str(error)) from error
    if not (is_automatic_crs(code) or _AUTHORITY_CODE.match(name)):
        raise unknown_crs_error(code)
    return name
