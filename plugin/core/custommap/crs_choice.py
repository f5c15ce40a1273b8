"""The CRS in which a layer is requested: the map's where the layer offers it, else the best one offered."""

from __future__ import annotations

import re
from typing import Callable, Dict, List, Optional, Sequence, Tuple

from ..wms.crs.codes import advertised_crs, is_automatic_crs, normalise_crs
from ..wms.model.service import Layer
from .model import MapExtent

#: the same grid under several codes: axes in another order, or another name for the same projection
_EQUIVALENT_CODES: Tuple[Tuple[str, ...], ...] = (("EPSG:3857", "EPSG:900913", "EPSG:102100", "EPSG:3785",
                                                   "EPSG:102113"), ("EPSG:4326", "CRS:84"),
                                                  ("EPSG:4258", "EPSG:4326", "CRS:84"), ("EPSG:2154", "EPSG:102110"),
                                                  )
#: UTM codes as (first code, first zone, last zone), best first: easting first, ETRS89 and WGS 84 before ED50
_UTM_NORTH: Tuple[Tuple[int, int, int], ...] = (
    (25828, 28, 38), (32601, 1, 60), (3038, 26, 39), (4082, 27, 28), (23028, 28, 38))
_UTM_SOUTH: Tuple[Tuple[int, int, int], ...] = ((32701, 1, 60),)
_WEB_MERCATOR_CODES = ("EPSG:3857", "EPSG:3785", "EPSG:102100", "EPSG:900913")
_GEOGRAPHIC_CODES = ("EPSG:4258", "CRS:84", "EPSG:4326", "EPSG:4269", "EPSG:4230")
#: Lambert azimuthal equal area for Europe (north first, FACTS of its registry entry): west, south, east, north
_EUROPE_EXTENT = MapExtent(-25.0, 30.0, 45.0, 72.0)


def best_crs(layer: Layer, map_crs: str, area: Optional[MapExtent] = None) -> Optional[str]:
    """Return the CRS in which to request ``layer``, as the service spells it, or None where none can be requested.

    The layer's own and inherited CRSs count (06-042 7.2.4.6.7). The order is: first the map's CRS, second the same grid
    under another code (swapped axes, an older name), third the UTM zone of the area (easting first, ETRS89 and WGS 84
    before ED50), fourth the European equal-area grid within Europe, fifth a neighbouring UTM zone if the area is within
    6 degrees of its meridian, then web Mercator, degrees, and the first one offered.

    ``area`` is in CRS:84. Without it the zone of the map's CRS counts.
    """
    spelling: Dict[str, str] = {}
    for code in layer.crs:
        spelling.setdefault(normalise_crs(code), code)
    map_crs_spelling = advertised_crs(layer, map_crs)
    if map_crs_spelling is not None:
        return map_crs_spelling
    for find in (_equivalent_crs, _regional_crs, _global_crs):
        chosen = find(spelling, normalise_crs(map_crs), area)
        if chosen is not None:
            return spelling[chosen]
    return next((code for name, code in spelling.items() if not is_automatic_crs(name)), None)


def same_crs(first: str, second: str) -> bool:
    """Return true where two spellings name one CRS. EPSG:4326 and CRS:84 are different: their axes differ."""
    return normalise_crs(first) == normalise_crs(second)


def utm_zone(crs: str) -> Optional[int]:
    """Return the UTM zone of a known code, positive in the north and negative in the south, or None."""
    match = re.fullmatch(r"EPSG:(\d+)", normalise_crs(crs))
    if not match:
        return None
    code = int(match.group(1))
    for sign, families in ((1, _UTM_NORTH), (-1, _UTM_SOUTH)):
        for start, first, last in families:
            if start <= code <= start + last - first:
                return sign * (first + code - start)
    return None


def _equivalent_crs(offered: Dict[str, str], map_crs: str, area: Optional[MapExtent]) -> Optional[str]:
    for twins in _EQUIVALENT_CODES:
        if map_crs in twins:
            equivalent = next((code for code in twins if code in offered), None)
            if equivalent:
                return equivalent
    zone = utm_zone(map_crs)
    if zone is None:
        return None
    # 25830 and 3042 are one grid with its axes swapped, 32630 lies within a metre of it; ED50 is 200 m away
    modern = [code for code in _utm_codes(zone) if not code.startswith("EPSG:23")]
    if map_crs.startswith("EPSG:23"):
        return None
    same_datum = [code for code in modern if code.startswith("EPSG:32") == map_crs.startswith("EPSG:32")]
    return next((code for code in (*same_datum, *modern) if code in offered), None)


def _regional_crs(offered: Dict[str, str], map_crs: str, area: Optional[MapExtent]) -> Optional[str]:
    zone = utm_zone(map_crs)
    if area is None and zone is None:
        return None
    if area is None:
        longitude, latitude = (abs(zone or 0) - 1) * 6 - 177.0, 1.0 if (zone or 0) > 0 else -1.0
    else:
        longitude, latitude = (area.west + area.east) / 2, (area.south + area.north) / 2
        if area.east - area.west > 18:
            return None
    sign = 1 if latitude >= 0 else -1
    own_zone = min(max(int((longitude + 180) // 6) + 1, 1), 60)
    for number in _zones_near(own_zone, longitude, within=3.0):
        regional = next((code for code in _utm_codes(sign * number) if code in offered), None)
        if regional:
            return regional
    if "EPSG:3035" in offered and _contains(longitude, latitude, _EUROPE_EXTENT):
        return "EPSG:3035"
    for number in _zones_near(own_zone, longitude, within=6.0):
        regional = next((code for code in _utm_codes(sign * number) if code in offered), None)
        if regional:
            return regional
    return None


def _global_crs(offered: Dict[str, str], map_crs: str, area: Optional[MapExtent]) -> Optional[str]:
    mercator: Sequence[str] = _WEB_MERCATOR_CODES
    if area is not None and max(abs(area.south), abs(area.north)) > 85:
        mercator = ()
    return next((code for code in (*mercator, *_GEOGRAPHIC_CODES) if code in offered), None)


def _zones_near(own_zone: int, longitude: float, within: float) -> List[int]:
    """Return the zones with their central meridian within so many degrees, the nearest first."""
    distance: Callable[[int], float] = lambda zone: abs((zone - 1) * 6 - 177 - longitude)  # noqa: E731
    return sorted(
        (zone for zone in (own_zone - 1, own_zone, own_zone + 1) if 1 <= zone <= 60 and distance(zone) <= within),
        key=distance)


def _utm_codes(zone: int) -> List[str]:
    families = _UTM_NORTH if zone > 0 else _UTM_SOUTH
    return [f"EPSG:{start + abs(zone) - first}" for start, first, last in families if first <= abs(zone) <= last]


def _contains(longitude: float, latitude: float, extent: MapExtent) -> bool:
    return extent.west <= longitude <= extent.east and extent.south <= latitude <= extent.north
