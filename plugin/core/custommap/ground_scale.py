"""The scale of the ground: how large a map is, measured on the ellipsoid at the page's centre, for every CRS and unit.

No other module computes a scale. QGIS's own (``QgsLayoutItemMap.scale()``, ``@map_scale``) is that of the map's plane:
it is not the ground's in web Mercator, in degrees or far from a projection's centre. It only decides which layers are
drawn, because QGIS compares their scale ranges with it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Callable, Optional, Sequence, Tuple

from ..box import Box
from ..errors import CartoguideError
from ..wms.crs.codes import is_automatic_crs, normalise_crs
from ..wms.crs.transformation import from_lonlat, to_lonlat

Position = Tuple[float, float]
#: metres on the ground between two positions (x, y) in a CRS, x to the east
GroundDistance = Callable[[Position, Position], float]

#: a projection that differs less from the ground is printed as if it did not, as is usual for UTM (0.04 % at its
#: central meridian): then the map's grid, its scale bar and its ratio agree
_NEGLIGIBLE_DISTORTION = 0.0005
#: from this difference between across and along on, the ratio is printed with its direction
_DIRECTED_DIFFERENCE = 0.001
#: from this difference on, no ratio is printed
LARGE_DIFFERENCE = 0.005
#: denominator of the largest scale for which the plugin's outline of the region is precise enough
_OUTLINE_SCALE = 1_500_000
#: half the length of the measured lines, in degrees and in other units
_HALF_LINE_DEGREES, _HALF_LINE_UNITS = 0.0005, 100.0
#: leading figures of the scales that maps are printed at
_ROUND_SCALES = (1.0, 1.25, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 7.5, 8.0, 10.0)
_ROUND_SEGMENTS = (1.0, 2.0, 2.5, 5.0)
#: distances in map units within which a scale may hold, the largest first
_REACHES = tuple(2_000_000.0 / 2**step for step in range(16))
#: WGS 84: semi-major axis in metres, and the square of the eccentricity
_SEMI_MAJOR_AXIS, _ECCENTRICITY_SQUARED = 6_378_137.0, 0.006694379990141316
#: the CRSs of a service that are measured at most
_MAX_CANDIDATES = 40
_FOOT = 0.3048
#: a proposed CRS is at most so far from the ground at the map's centre
_MAX_PROPOSED_DIFFERENCE, _MAX_PROPOSED_DISTORTION = 0.001, 0.01


@dataclass(frozen=True)
class GroundScale:
    """Map units for a metre on the ground, across the page and along it, at ``centre`` (x, y in the CRS).

    ``in_degrees`` is true for a geographic CRS. ``latitude`` is that of the centre in degrees where it is known.
    """

    across: float
    along: float
    centre: Position
    in_degrees: bool = False
    latitude: Optional[float] = None

    @property
    def difference(self) -> float:
        """The part by which the scale along the page differs from that across it: 0.013 for 1.3 %."""
        return abs(self.along / self.across - 1)

    @property
    def has_ratio(self) -> bool:
        """True if one number is true enough for the whole page to be printed."""
        return not self.in_degrees and self.difference <= LARGE_DIFFERENCE

    @property
    def is_directed(self) -> bool:
        """True if the scale is that across the page only."""
        return self.in_degrees or self.difference > _DIRECTED_DIFFERENCE

    def denominator(self, units: float, millimetres: float) -> float:
        """Return the scale's denominator of ``units`` of the map shown by ``millimetres`` across the page."""
        return units / self.across / (millimetres / 1000)

    def map_units(self, denominator: float, millimetres: float) -> float:
        """Return the map units that ``millimetres`` across the page must show for a scale."""
        return denominator * millimetres / 1000 * self.across

    def ratio(self, units: float, millimetres: float) -> Optional[float]:
        """Return the denominator that may be printed, or None where no single number is true."""
        return self.denominator(units, millimetres) if self.has_ratio else None



def has_outline(scale: float, type_factor: float) -> bool:
    """Return whether a map of this scale denominator shows the plugin's outline of the region where it draws nothing.

    ``type_factor`` is the size of the paper's type beside A4: a large paper is seen from as far as its type is large.
    """
    return scale * type_factor >= _OUTLINE_SCALE

def measure_ground_scale(distance: GroundDistance, centre: Position, in_degrees: bool = False, *,
                         metres_per_unit: float = 1.0, rotation: float = 0.0,
                         latitude: Optional[float] = None) -> Optional[GroundScale]:
    """Measure the scale around ``centre``, or return None where the CRS is not defined.

    ``rotation`` is that of the map on its page in degrees, clockwise. ``metres_per_unit`` is the nominal size of the
    CRS's unit: scales within 0.05 % of it are taken as exact.
    """
    half = _HALF_LINE_DEGREES if in_degrees else _HALF_LINE_UNITS
    turn = math.radians(rotation)
    scales = []
    for dx, dy in ((math.cos(turn), math.sin(turn)), (-math.sin(turn), math.cos(turn))):
        metres = distance((centre[0] - half * dx, centre[1] - half * dy),
                          (centre[0] + half * dx, centre[1] + half * dy))
        if not (math.isfinite(metres) and metres > 0):
            return None
        scales.append(2 * half / metres)
    across, along = scales
    if not in_degrees and max(abs(value * metres_per_unit - 1) for value in scales) <= _NEGLIGIBLE_DISTORTION:
        across = along = 1 / metres_per_unit
    return GroundScale(across, along, centre, in_degrees, latitude)


def reach_of_scale(ground: GroundScale, measure: Callable[[Position], Optional[GroundScale]]) -> float:
    """Return how far the page's centre may move, in map units, until the scale has changed by 0.05 %.

    ``measure`` returns the scale at another centre.
    """
    for reach in _REACHES:
        moved = [measure((ground.centre[0] + x * reach, ground.centre[1] + y * reach))
                 for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1))]
        if all(other is not None and abs(other.across / ground.across - 1) <= _NEGLIGIBLE_DISTORTION
               and abs(other.along / ground.along - 1) <= _NEGLIGIBLE_DISTORTION for other in moved):
            return float(reach)
    return 0.0


def round_scale(minimum: float) -> float:
    """Return the first round scale denominator not below ``minimum``."""
    power = 10 ** math.floor(math.log10(max(minimum, 1.0)))
    return float(next((figure * power for figure in _ROUND_SCALES if figure * power >= minimum * 0.9999), 10.0 * power))


def scale_bar_segment(scale: float, room: float, segments: int = 4) -> float:
    """Return the metres, a round number, of one of ``segments`` that together fill at most ``room`` millimetres."""
    maximum = room / 1000 * scale / segments
    power = 10 ** math.floor(math.log10(maximum))
    return float(max(figure * power for figure in _ROUND_SEGMENTS if figure * power <= maximum))


def utm_crs(longitude: float, latitude: float) -> str:
    """Return the CRS code of the UTM zone of a position: ETRS89 in Europe, else WGS 84, or UPS near the poles."""
    if not -80 <= latitude <= 84:
        return "EPSG:32661" if latitude > 0 else "EPSG:32761"
    zone = min(60, int((longitude + 180) // 6) + 1)
    if 28 <= zone <= 38 and latitude > 34:
        return f"EPSG:{25800 + zone}"
    return f"EPSG:{(32600 if latitude >= 0 else 32700) + zone}"


def propose_projected_crs(offered: Sequence[str], area: Box) -> str:
    """Return the code of a projected CRS whose scale is true in ``area``: the least distorted one of ``offered``.

    Where none of them is true enough, it is the UTM zone of the area's centre, although services would be warped to it.
    """
    longitude, latitude = area.centre
    utm = utm_crs(longitude, latitude)
    zone = int(utm[-2:])
    preferred = (utm, f"EPSG:{(32600 if latitude >= 0 else 32700) + zone}", f"EPSG:{25800 + zone}")
    spellings = {normalise_crs(code): code for code in reversed(offered) if not is_automatic_crs(code)}
    codes = sorted(spellings, key=lambda code: preferred.index(code) if code in preferred else len(preferred))
    ranked = [(distortion, number, code) for number, code in enumerate(codes[:_MAX_CANDIDATES])
              for distortion in [_distortion(code, area)] if distortion is not None]
    # figures within 0.01 % are equal: then the first in the order of preference
    return spellings[min(ranked, key=lambda item: (round(item[0], 4), item[1]))[2]] if ranked else utm


@lru_cache(maxsize=256)
def _distortion(code: str, area: Box) -> Optional[float]:
    """Return the largest distortion of a CRS in ``area``, or None if it is in degrees or not true at the centre."""
    longitudes, latitudes = (area.west, area.east), (area.south, area.north)
    places = [(sum(longitudes) / 2, sum(latitudes) / 2), *((x, y) for x in longitudes for y in latitudes)]
    try:
        positions = from_lonlat(code, places)
        measured = [measure_ground_scale(lambda first, second: _chord(*to_lonlat(code, (first, second))), position)
                    for position in positions if all(map(math.isfinite, position))]
    except CartoguideError:
        return None
    scales = [scale for scale in measured if scale is not None]
    if len(scales) < len(places):
        return None
    unit = min((1.0, _FOOT), key=lambda size: abs(scales[0].across * size - 1))
    distortions = [abs(value * unit - 1) for scale in scales for value in (scale.across, scale.along)]
    is_true = max(distortions[:2]) <= _MAX_PROPOSED_DISTORTION and scales[0].difference <= _MAX_PROPOSED_DIFFERENCE
    return max(distortions) if is_true else None


def _chord(first: Position, second: Position) -> float:
    """Return the metres between two near positions (longitude, latitude), on WGS 84, also beside a pole."""
    return math.dist(_geocentric(first), _geocentric(second))


def _geocentric(position: Position) -> Tuple[float, float, float]:
    longitude, latitude = map(math.radians, position)
    normal = _SEMI_MAJOR_AXIS / math.sqrt(1 - _ECCENTRICITY_SQUARED * math.sin(latitude)**2)
    return (normal * math.cos(latitude) * math.cos(longitude), normal * math.cos(latitude) * math.sin(longitude),
            normal * (1 - _ECCENTRICITY_SQUARED) * math.sin(latitude))
