"""Grid zones and 100 km squares of the Military Grid Reference System in the zones of UTM (NGA.SIG.0012, chapter 3)."""

from __future__ import annotations

from typing import Optional

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
