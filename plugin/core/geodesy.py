"""Positions and directions on the ground: squares of the military grid, and magnetic declination.

Squares are those of the Military Grid Reference System in the zones of UTM (NGA.SIG.0012, chapter 3). Declination is
after the World Magnetic Model 2025 of NOAA's NCEI and the British Geological Survey. Its coefficients in
``resources/geomagnetism`` are in the public domain. The formulas are those of the model's technical report (Chulliat et
al., The US/UK World Magnetic Model for 2025-2030), section 1.2.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Dict, List, Optional, Tuple

from .resources import RESOURCES

#: name of the model and the years that it is valid for, the last one excluded
MODEL, FIRST_YEAR, END_YEAR = "WMM2025", 2025.0, 2030.0
#: below this horizontal intensity in nanotesla the model's declination is not to be relied on ("caution zone")
_LEAST_HORIZONTAL = 6000.0
#: WGS 84 in kilometres, and the sphere that the coefficients refer to
_EQUATORIAL, _FLATTENING, _REFERENCE_SPHERE = 6378.137, 1 / 298.257223563, 6371.2
_DEGREE = 12

#: by degree and order: g, h in nanotesla at the model's epoch, and their changes in a year
_Coefficients = Dict[Tuple[int, int], Tuple[float, float, float, float]]


@dataclass(frozen=True)
class Declination:
    """Angle from true north to magnetic north in degrees and its change in a year, both positive to the east."""

    degrees: float
    change: float


def magnetic_declination(longitude: float, latitude: float, day: date) -> Optional[Declination]:
    """Return the declination at a position (degrees, WGS 84) at sea level on ``day``.

    None on a day that the model is not valid for, and near the magnetic poles, where a compass is of no use.
    """
    year = _decimal_year(day)
    if not FIRST_YEAR <= year < END_YEAR:
        return None
    north, east = _horizontal_field(longitude, latitude, year)
    later_north, later_east = _horizontal_field(longitude, latitude, year + 1)
    if math.hypot(north, east) < _LEAST_HORIZONTAL:
        return None
    degrees = math.degrees(math.atan2(east, north))
    change = math.degrees(math.atan2(later_east, later_north)) - degrees
    return Declination(degrees, (change + 180) % 360 - 180)


def _decimal_year(day: date) -> float:
    start, end = date(day.year, 1, 1), date(day.year + 1, 1, 1)
    return day.year + (day - start).days / (end - start).days


def _horizontal_field(longitude: float, latitude: float, year: float) -> Tuple[float, float]:
    """Return the field's components to the north and to the east at sea level, in nanotesla."""
    geodetic, east = math.radians(min(max(latitude, -89.999), 89.999)), math.radians(longitude)
    eccentricity = _FLATTENING * (2 - _FLATTENING)
    curvature = _EQUATORIAL / math.sqrt(1 - eccentricity * math.sin(geodetic) ** 2)
    from_axis, above = curvature * math.cos(geodetic), curvature * (1 - eccentricity) * math.sin(geodetic)
    radius, geocentric = math.hypot(from_axis, above), math.atan2(above, from_axis)
    legendre, slopes = _legendre(math.sin(geocentric), math.cos(geocentric))
    north = to_east = downward = 0.0
    for (n, m), (g0, h0, g_change, h_change) in _coefficients().items():
        g, h = g0 + (year - FIRST_YEAR) * g_change, h0 + (year - FIRST_YEAR) * h_change
        attenuation = (_REFERENCE_SPHERE / radius) ** (n + 2)
        in_phase = g * math.cos(m * east) + h * math.sin(m * east)
        north -= attenuation * in_phase * slopes[n][m]
        to_east += attenuation * m * (g * math.sin(m * east) - h * math.cos(m * east)) * legendre[n][m]
        downward -= attenuation * (n + 1) * in_phase * legendre[n][m]
    tilt = geocentric - geodetic
    return north * math.cos(tilt) - downward * math.sin(tilt), to_east / math.cos(geocentric)


def _legendre(sine: float, cosine: float) -> Tuple[List[List[float]], List[List[float]]]:
    """Return Schmidt's semi-normalised functions P(n, m) of the sine of the latitude and their slopes along it."""
    values = [[0.0] * (_DEGREE + 2) for _ in range(_DEGREE + 2)]
    values[0][0] = 1.0
    for n in range(1, _DEGREE + 2):
        for m in range(n + 1):
            if m == n:
                factor = 1.0 if n == 1 else math.sqrt((2 * n - 1) / (2 * n))
                values[n][n] = factor * cosine * values[n - 1][n - 1]
            else:
                former = math.sqrt((n - 1) ** 2 - m * m) * values[n - 2][m] if n - 2 >= m else 0.0
                values[n][m] = ((2 * n - 1) * sine * values[n - 1][m] - former) / math.sqrt(n * n - m * m)
    slopes = [[((n + 1) * sine * values[n][m] - math.sqrt((n + 1) ** 2 - m * m) * values[n + 1][m]) / cosine
               for m in range(n + 1)] for n in range(_DEGREE + 1)]
    return values, slopes


@lru_cache(maxsize=1)
def _coefficients() -> _Coefficients:
    """Read the model's file: after a heading, degree, order, g, h and their changes in each line, then lines of nines.
    """
    found: _Coefficients = {}
    text = (RESOURCES / "geomagnetism" / f"{MODEL}.COF").read_text(encoding="ascii")
    for line in text.splitlines()[1:]:
        parts = line.split()
        if len(parts) == 6:
            g, h, g_change, h_change = (float(part) for part in parts[2:])
            found[int(parts[0]), int(parts[1])] = (g, h, g_change, h_change)
    return found


_BANDS = "CDEFGHJKLMNPQRSTUVWX"
_COLUMNS = ("ABCDEFGH", "JKLMNPQR", "STUVWXYZ")
_ROWS = "ABCDEFGHJKLMNPQRSTUV"
#: metres along a side of a square
SQUARE = 100_000
#: of zones whose number is even the letters of the rows begin here
_ROW_SHIFT = 5


def zone_of(longitude: float, latitude: float) -> Optional[int]:
    """Return the number of the grid zone of a position in degrees, None beyond 80° S and 84° N.

    The zones of south-western Norway and of Svalbard are wider than six degrees.
    """
    if not -80 <= latitude <= 84:
        return None
    zone = int((longitude + 180) % 360 // 6) + 1
    if 56 <= latitude < 64 and zone == 31 and longitude >= 3:
        return 32
    if latitude >= 72 and 0 <= longitude < 42:
        return 31 + 2 * int((longitude + 3) // 12)
    return zone


def square_of(zone: int, latitude: float, easting: float, northing: float) -> Optional[str]:
    """Return the grid zone and the 100 km square of a position: ``30S VG``.

    ``easting`` and ``northing`` are metres in the UTM ``zone`` on the latitude's hemisphere, with its false northing in
    the south. None beyond 80° S and 84° N and outside of the zone's squares.
    """
    column = int(easting // SQUARE)
    if not -80 <= latitude <= 84 or not 1 <= column <= 8:
        return None
    band = _BANDS[min(int((latitude + 80) // 8), len(_BANDS) - 1)]
    row = int(northing // SQUARE) + (0 if zone % 2 else _ROW_SHIFT)
    return f"{zone}{band} {_COLUMNS[(zone - 1) % 3][column - 1]}{_ROWS[row % len(_ROWS)]}"
