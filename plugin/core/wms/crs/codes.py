"""Codes of coordinate reference systems (OGC 06-042 6.7.3): one spelling for each, their definitions, and what PROJ is
asked about them."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import List, Optional, Protocol, Sequence, Tuple

from ...errors import CartoguideError
from ...i18n import tr
from ..model.service import Layer

#: the CRSs defined by OGC 06-042 Annex B: longitude, latitude on WGS 84, NAD83 and NAD27
LONLAT_CODES = ("CRS:84", "CRS:83", "CRS:27")

_URN = re.compile(r"urn:(?:x-)?ogc(?:-x)?:def:crs:([^:]+):[^:]*:(.+)\Z", re.IGNORECASE)
_HTTP = re.compile(r"https?://(?:www\.)?opengis\.net/def/crs/([^/]+)/[^/]+/([^/?#]+)/?\Z", re.IGNORECASE)
_GML = re.compile(r"https?://(?:www\.)?opengis\.net/gml/srs/([a-z]+)\.xml#(.+)\Z", re.IGNORECASE)
_CRS84 = re.compile(r"(?:(?:CRS|OGC):)?(?:CRS:?)?(84|83|27)\Z", re.IGNORECASE)
#: EPSG assigns no numbers from here on. PROJ knows 900913 itself
_FIRST_ESRI_CODE, _GOOGLE_MERCATOR_CODE = 37_000, 900_000
#: the automatic projections of Annex B.7 to B.11. Some servers offer further ones
_STANDARD_AUTOMATIC_CODES = ("42001", "42002", "42003", "42004", "42005")
_AUTOMATIC = re.compile(r"AUTO2?:\d{5}\b", re.IGNORECASE)


@lru_cache(maxsize=4096)
def normalise_crs(code: str) -> str:
    """Return one spelling for a CRS.

    ``EPSG:25830`` stands for its URN, its http address and lower case, ``CRS:84`` for OGC's CRS84.
    """
    code = code.strip()
    for pattern in (_URN, _HTTP, _GML):
        match = pattern.match(code)
        if match:
            code = f"{match.group(1)}:{match.group(2)}"
            break
    automatic = code[:4].upper() == "AUTO"
    if not automatic and (code[:3].upper() in ("CRS", "OGC")):
        longitude_latitude = _CRS84.match(code)
        if longitude_latitude:
            return f"CRS:{longitude_latitude.group(1)}"
    authority, colon, number = code.partition(":")
    return f"{authority.upper()}:{number.strip()}" if colon else code


def is_automatic_crs(code: str) -> bool:
    """Return whether ``code`` names an automatic projection, with or without its parameters.

    These are AUTO in WMS 1.1.x and AUTO2 in 1.3.0.
    """
    return bool(_AUTOMATIC.match(code.strip()))


def is_standard_automatic_crs(code: str) -> bool:
    """Return whether ``code`` names one of the automatic projections that the standards define."""
    return is_automatic_crs(code) and code.partition(":")[2].partition(",")[0].strip() in _STANDARD_AUTOMATIC_CODES


def complete_automatic_crs(code: str, longitude: float, latitude: float) -> str:
    """Return an automatic projection with its missing parameters filled in: metres, centred on a position in degrees.

    Any other code is returned unchanged.
    """
    if not is_automatic_crs(code) or "," in code:
        return code
    unit = "1" if code.strip()[:5].upper() == "AUTO2" else "9001"
    return f"{normalise_crs(code)},{unit},{round(longitude, 6):.10g},{round(latitude, 6):.10g}"


def advertised_crs(layer: Layer, code: str) -> Optional[str]:
    """Return the spelling in which ``layer`` offers the CRS ``code``, or None if it does not.

    An automatic projection with parameters is offered if the layer lists its name without them (6.7.3.4).
    """
    normalised = normalise_crs(code)
    for offered in layer.crs:
        if offered == code or normalise_crs(offered) == normalised:
            return offered
    if is_automatic_crs(code) and "," in code:
        bare = normalised.partition(",")[0]
        if any(normalise_crs(offered).partition(",")[0] == bare for offered in layer.crs):
            return normalised
    return None


def offers_crs(layer: Layer, code: str) -> bool:
    """Return whether ``layer`` offers the CRS ``code`` in any spelling."""
    return advertised_crs(layer, code) is not None


def common_crs(layers: Sequence[Layer]) -> Tuple[str, ...]:
    """Return the CRSs that all ``layers`` offer, in the order and spelling of the first layer."""
    if not layers:
        return ()
    others = [{normalise_crs(code) for code in layer.crs} for layer in layers[1:]]
    return tuple(code for code in layers[0].crs if all(normalise_crs(code) in offered for offered in others))


def proj_definition(code: str) -> str:
    """Return the definition of ``code`` for PROJ. An automatic projection becomes a PROJ string.

    Raises ValueError if the parameters of an automatic projection are missing or invalid.
    """
    name = normalise_crs(code)
    if name in LONLAT_CODES:
        return f"OGC:CRS{name[4:]}"
    if is_automatic_crs(name):
        return _automatic_definition(name)
    number = name[5:]
    if name.startswith("EPSG:") and number.isdecimal() and _FIRST_ESRI_CODE <= int(number[:9]) < _GOOGLE_MERCATOR_CODE:
        return f"ESRI:{number}"  # Esri's servers advertise their codes, such as 102100, as EPSG codes
    return name


def _automatic_definition(name: str) -> str:
    """Return the PROJ string of an automatic projection.

    AUTO2:id,factor,lon0,lat0 follows Annex B.7 to B.11. AUTO:id,units,lon0,lat0 follows 01-068r3 Annex E, where 9001 is
    the metre.
    """
    kind, colon, parameters = name.partition(":")
    parts = [part.strip() for part in parameters.split(",")]
    if len(parts) != 4:
        raise ValueError(name)
    identifier, scale, longitude, latitude = parts[0], float(parts[1]), float(parts[2]), float(parts[3])
    if not (-180 <= longitude <= 180 and -90 <= latitude <= 90):
        raise ValueError(name)
    if kind == "AUTO":
        scale = {9001: 1.0, 9002: 0.3048, 9003: 12 / 39.37}.get(int(scale), 1.0)
    if not scale > 0:
        raise ValueError(name)
    unit = "+units=m" if scale == 1 else f"+to_meter={scale!r}"
    false_northing = 10_000_000 if latitude < 0 else 0
    zone = min(int((longitude + 180) // 6) + 1, 60)
    projections = {
        "42001": f"+proj=tmerc +lat_0=0 +lon_0={zone * 6 - 183} +k=0.9996 +x_0=500000 +y_0={false_northing}",
        "42002": f"+proj=tmerc +lat_0=0 +lon_0={longitude} +k=0.9996 +x_0=500000 +y_0={false_northing}",
        "42003": f"+proj=ortho +lat_0={latitude} +lon_0={longitude}",
        "42004": f"+proj=eqc +lat_ts={latitude} +lon_0={longitude}",
        "42005": f"+proj=moll +lon_0={longitude}",
    }
    if identifier not in projections:
        raise ValueError(name)
    return f"{projections[identifier]} +datum=WGS84 {unit} +no_defs +type=crs"


Point = Tuple[float, float]

_AUTHORITY_CODE = re.compile(r"[A-Z][A-Z0-9_.-]{0,30}:[A-Za-z0-9_.-]{1,60}\Z")


class ProjBackend(Protocol):
    """Interface to PROJ, implemented by the modules ``gdal_backend`` and ``pyproj_backend``.

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
    return UnknownCrs(tr("Unknown coordinate reference system: {code}. Choose another one.", code=code), detail)


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
