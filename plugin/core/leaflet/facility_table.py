"""Table of the features on a leaflet: its rows, their numbers, and the places of the numbers on the map."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple

from ..text import fold, sort_key

#: features of one layer in the map's area, and rows of the whole table: a longer list is no table of a leaflet
MAX_FEATURES, MAX_ROWS = 2000, 400
#: names of fields with the kind of a feature
_KIND_FIELDS = ("tipo", "type", "kind", "clase", "class", "categoria", "category")
#: directions in which a number may lie beside its feature: first to the right and above, as cartographers place names
_DIRECTIONS = (-45.0, 0.0, 45.0, -90.0, 90.0, -135.0, 180.0, 135.0)
#: distances of a number from its feature, in heights of the number
_RINGS = (0.75, 1.15, 1.7, 2.5)

Point = Tuple[float, float]


@dataclass(frozen=True)
class TableFeature:
    """A feature of the table. ``length`` is in metres, None where it has none.

    ``places`` are points of the feature within the map's area, in the map's CRS, the best for a number first.
    ``along``: a number may lie on the places themselves, as on a line.
    """

    name: str
    kind: str
    length: Optional[float]
    places: Tuple[Point, ...]
    along: bool = False


@dataclass(frozen=True)
class TableGroup:
    """The features of one layer, under its title."""

    title: str
    features: Tuple[TableFeature, ...]


@dataclass(frozen=True)
class FacilityTable:
    """A table with the credits that its data ask for. ``notes`` say what it leaves out."""

    groups: Tuple[TableGroup, ...]
    credits: Tuple[str, ...] = ()
    notes: Tuple[str, ...] = ()

    @property
    def features(self) -> Tuple[TableFeature, ...]:
        """All features in the order of their numbers, which begin with 1."""
        return tuple(feature for group in self.groups for feature in group.features)


def kind_field(fields: Sequence[str]) -> str:
    """Return the field with the kind of each feature, or ""."""
    by_name = {fold(name): name for name in fields}
    return next((by_name[name] for name in _KIND_FIELDS if name in by_name), "")


def table_group(title: str, features: Sequence[TableFeature]) -> TableGroup:
    """Return the group of these features by name. Parts of one line that share a name and a kind are one feature.

    The kind is dropped where it is the same for all, since the title says it.
    """
    merged: Dict[Tuple[str, str], TableFeature] = {}
    rows: List[TableFeature] = []
    for feature in features:
        key = fold(feature.name), fold(feature.kind)
        former = merged.get(key)
        if former is None or feature.length is None or former.length is None:
            merged[key] = feature
            if former is not None:
                rows.append(former)
            continue
        longer, shorter = (former, feature) if former.length >= feature.length else (feature, former)
        merged[key] = TableFeature(longer.name, longer.kind, former.length + feature.length,
                                   longer.places + shorter.places, longer.along)
    rows.extend(merged.values())
    kinds = {fold(feature.kind) for feature in rows}
    if len(kinds) == 1:
        rows = [TableFeature(row.name, "", row.length, row.places, row.along) for row in rows]
    return TableGroup(title, tuple(sorted(rows, key=lambda row: (sort_key(row.name), sort_key(row.kind)))))


def length_text(metres: float, decimal: str) -> str:
    """Return a length for people in the map's language: metres below one kilometre, else kilometres to a tenth."""
    if metres < 950:
        return f"{max(10, round(metres, -1)):.0f} m"
    return f"{metres / 1000:.1f} km".replace(".", decimal)


class Box(NamedTuple):
    """A rectangle on the page in millimetres: left, top, right, bottom."""

    left: float
    top: float
    right: float
    bottom: float

    def overlap(self, other: Box) -> float:
        """Return the area that both share, in square millimetres."""
        width = min(self.right, other.right) - max(self.left, other.left)
        height = min(self.bottom, other.bottom) - max(self.top, other.top)
        return width * height if width > 0 and height > 0 else 0.0

    def contains(self, other: Box) -> bool:
        """Return whether ``other`` lies within."""
        return (other.left >= self.left and other.top >= self.top and other.right <= self.right
                and other.bottom <= self.bottom)


@dataclass(frozen=True)
class NumberPlace:
    """The wanted place of a number: points on the page in millimetres, the best first, and the number's size.

    With ``along`` it may lie on the points, else beside them.
    """

    points: Tuple[Point, ...]
    width: float
    height: float
    along: bool = False


def place_numbers(numbers: Sequence[NumberPlace], area: Box, taken: Sequence[Box] = ()) -> List[Optional[Box]]:
    """Return a box within ``area`` for each number, None for one that fits nowhere in it.

    No number overlaps another or one of the boxes ``taken`` where a free place is near its feature. Else it lies where
    it covers least. A number keeps off the points of other features if it can.
    """
    placed: List[Optional[Box]] = [None] * len(numbers)
    hard = list(taken)
    anchors = [number.points[0] for number in numbers if number.points and not number.along]
    # those with the fewest places to choose from come first
    order = sorted(range(len(numbers)), key=lambda index: (numbers[index].along, len(numbers[index].points)))
    for index in order:
        best: Optional[Box] = None
        least = math.inf
        for rank, box in enumerate(_candidates(numbers[index])):
            if not area.contains(box):
                continue
            cost = 100.0 * sum(box.overlap(other) for other in hard)
            cost += 2.0 * sum(box.left < x < box.right and box.top < y < box.bottom for x, y in anchors) + 0.01 * rank
            if cost < least:
                best, least = box, cost
            if cost < 0.01 * (rank + 1):
                break
        if best is not None:
            hard.append(best)
        placed[index] = best
    return placed


def _candidates(number: NumberPlace) -> Iterator[Box]:
    half_width, half_height = number.width / 2, number.height / 2
    if number.along:
        for x, y in number.points:
            yield Box(x - half_width, y - half_height, x + half_width, y + half_height)
    for x, y in number.points:
        for ring in _RINGS:
            for direction in _DIRECTIONS:
                # measured from edge to edge: wide numbers lie no further away
                cosine, sine = math.cos(math.radians(direction)), math.sin(math.radians(direction))
                centre_x = x + cosine * (half_width + ring * number.height)
                centre_y = y + sine * (half_height + ring * number.height)
                yield Box(centre_x - half_width, centre_y - half_height, centre_x + half_width, centre_y + half_height)

