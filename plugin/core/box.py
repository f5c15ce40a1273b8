"""An upright rectangle on the map."""

from __future__ import annotations

from typing import Iterable, List, NamedTuple, Optional, Tuple


class Box(NamedTuple):
    """West, south, east and north, with x to the east whatever the axis order of the CRS.

    Whatever has a box says in which CRS it is. "In degrees" is longitude and latitude on WGS 84 (CRS:84), where a box
    across the antimeridian has its west greater than its east.
    """

    west: float
    south: float
    east: float
    north: float

    @classmethod
    def around(cls, boxes: Iterable[Optional[Box]]) -> Optional[Box]:
        """Return the smallest box around those of ``boxes`` that are not None, or None without any."""
        found = [box for box in boxes if box is not None]
        if not found:
            return None
        wests, souths, easts, norths = zip(*found)
        return cls(min(wests), min(souths), max(easts), max(norths))

    @property
    def width(self) -> float:
        return self.east - self.west

    @property
    def height(self) -> float:
        return self.north - self.south

    @property
    def centre(self) -> Tuple[float, float]:
        return (self.west + self.east) / 2, (self.south + self.north) / 2

    @property
    def has_area(self) -> bool:
        return self.west < self.east and self.south < self.north

    @property
    def is_on_globe(self) -> bool:
        """True for a box in degrees with valid longitudes (up to 360) and latitudes, but for half a degree."""
        return (-180.5 <= self.west <= 360 and -180.5 <= self.east <= 360 and
                -90.5 <= self.south <= self.north <= 90.5)

    @property
    def with_axes_swapped(self) -> Box:
        return Box(self.south, self.west, self.north, self.east)

    @property
    def unwrapped(self) -> Box:
        """The box in degrees with an east beyond 180° if it crosses the antimeridian."""
        return self._replace(east=self.east + 360) if self.east < self.west else self

    @property
    def in_order(self) -> Box:
        """The box in degrees, with all longitudes if it crosses the antimeridian."""
        return self if self.west <= self.east else self._replace(west=-180.0, east=180.0)

    @property
    def parts(self) -> List[Box]:
        """The box in degrees, or the two on both sides of the antimeridian if it crosses that."""
        return [self] if self.west <= self.east else [self._replace(east=180.0), self._replace(west=-180.0)]

    def intersects(self, other: Box) -> bool:
        """Return whether the boxes share at least a point."""
        return (self.west <= other.east and other.west <= self.east and
                self.south <= other.north and other.south <= self.north)

    def intersection(self, other: Box) -> Box:
        """Return what both boxes share, which is inside out if they lie apart."""
        return Box(max(self.west, other.west), max(self.south, other.south), min(self.east, other.east),
                   min(self.north, other.north))


#: in degrees
WORLD = Box(-180.0, -90.0, 180.0, 90.0)
