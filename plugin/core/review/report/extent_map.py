"""Small map of a record's extents as inline SVG, drawn from the world outlines that come with the plugin.

It is drawn without QGIS and without a network. Colours are left to the classes ``sea``, ``land``, ``border``,
``graticule``, ``extent`` and ``ring`` of the page's style sheet.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Iterator, List, Sequence, Tuple

from ...box import Box
from ...records.model.extents import drawable_extents
from ...records.model.record import Extent
from ...resources import RESOURCES
from ...text import escaped

WORLD_FILE = RESOURCES / "outline" / "world.geojson"
#: width and greatest height of the picture, in its own pixels
WIDTH, HEIGHT = 480.0, 320.0
#: least height of the map in degrees, so that a reader recognises the country around a small extent; the next one is
#: taken where the map would show no land but islands
_MIN_VIEW_DEGREES = (16.0, 45.0, 90.0)
#: width in degrees, and area of the picture in pixels, of land by which a reader finds the way
_KNOWN_LAND, _KNOWN_AREA = 4.0, 1500.0
#: share of the map's width and height that the extents take at most
_MARGIN = 1.5
#: a picture of more rectangles shows nothing
_MAX_BOXES = 300
#: pixels within which points of an outline are one
_TOLERANCE = 1.3
#: extents smaller than this (pixels) get a ring around them
_SMALL = 14.0
_GRATICULE_STEPS = (2, 5, 10, 20, 30, 45)

Point = Tuple[float, float]
#: an outline with the box around it, in degrees
_Outline = Tuple[Box, Tuple[Point, ...]]


@dataclass(frozen=True)
class _View:
    """The part of the world on the map in degrees, and the size of the picture in pixels.

    The map is equirectangular, true to shape at its centre. Longitudes beyond 180° continue eastwards.
    """

    west: float
    south: float
    east: float
    north: float
    height: float

    def place(self, point: Point) -> Point:
        """Return the pixel of a position."""
        return ((point[0] - self.west) * WIDTH / (self.east - self.west),
                (self.north - point[1]) * self.height / (self.north - self.south))

    @property
    def turns(self) -> range:
        """The full turns around the globe, eastwards, with which the outlines come into view."""
        return range(math.floor((self.west + 180) / 360), math.ceil((self.east + 180) / 360))


def extent_map(extents: Sequence[Extent], label: str) -> str:
    """Return an SVG element with the extents on land and sea, or an empty text if none of them can be drawn.

    ``label`` is the text for people who do not see the picture.
    """
    boxes = _side_by_side(drawable_extents(extents)[:_MAX_BOXES])
    shown = Box.around(boxes)
    if shown is None:
        return ""
    view = next((view for view in (_view_of(shown, degrees) for degrees in _MIN_VIEW_DEGREES) if _shows_land(view)),
                _view_of(shown, _MIN_VIEW_DEGREES[-1]))
    return (f'<svg class="map" role="img" aria-label="{escaped(label)}" viewBox="0 0 {WIDTH:g} {view.height:g}" '
            f'width="{WIDTH:g}" height="{view.height:g}">{_ground(view)}'
            f'{"".join(_box_svg(view, box) for box in boxes)}</svg>')


def _side_by_side(boxes: Sequence[Box]) -> List[Box]:
    """Return the boxes moved around the globe by full turns, so that together they are as narrow as possible."""
    turned = sorted((((west + 180) % 360) - 180, south, min(east - west, 360.0), north)
                    for west, south, east, north in boxes)
    if not turned:
        return []
    # the map begins behind the widest gap between the boxes
    start, widest, reached = turned[0][0], -math.inf, max(west + width for west, _, width, _ in turned) - 360
    for west, _, width, _ in turned:
        if west - reached > widest:
            start, widest = west, west - reached
        reached = max(reached, west + width)
    return [Box(start + (west - start) % 360, south, start + (west - start) % 360 + width, north)
            for west, south, width, north in turned]


def _view_of(shown: Box, least: float) -> _View:
    # parallels are shorter than the equator; near the poles this map cannot show it
    shrink = max(0.3, math.cos(math.radians(shown.centre[1])))
    tall = max(shown.height * _MARGIN, shown.width * _MARGIN * shrink * HEIGHT / WIDTH, least)
    wide = min(tall * WIDTH / HEIGHT / shrink, max(360.0, shown.width * 1.04))
    tall = min(tall, 180.0)
    height = round(min(HEIGHT, WIDTH * tall / (wide * shrink)))
    tall = height * wide * shrink / WIDTH
    middle, centre = shown.centre[0], min(max(shown.centre[1], tall / 2 - 90), 90 - tall / 2)
    west, south, east, north = (round(value, 3) for value in (middle - wide / 2, centre - tall / 2, middle + wide / 2,
                                                              centre + tall / 2))
    return _View(west, south, east, north, float(height))


@lru_cache(maxsize=64)
def _ground(view: _View) -> str:
    """Return sea, land, borders and the graticule of a view."""
    lands, borders = _world()
    land = "".join(_path(view, [(x + 360 * turn, y) for x, y in outline], True)
                   for turn in view.turns for box, outline in lands if _is_in_view(view, box, turn))
    lines = "".join(_path(view, part, False)
                    for turn in view.turns for box, outline in borders if _is_in_view(view, box, turn)
                    for part in _parts_in_view(view, [(x + 360 * turn, y) for x, y in outline]))
    # where the map goes over the antimeridian, at which outlines are cut, a coast must not be drawn
    cut = "" if any(view.west < 180 + 360 * turn < view.east for turn in range(-2, 3)) else " coast"
    return (f'<rect class="sea" width="{WIDTH:g}" height="{view.height:g}"/>'
            + (f'<path class="land{cut}" fill-rule="evenodd" d="{land}"/>' if land else "")
            + f'<path class="graticule" d="{_graticule(view)}"/>'
            + (f'<path class="border" d="{lines}"/>' if lines else ""))


@lru_cache(maxsize=64)
def _shows_land(view: _View) -> bool:
    """Return whether more than islands is in view."""
    return any(_area(_clipped([view.place((x + 360 * turn, y)) for x, y in outline], view.height)) > _KNOWN_AREA
               for turn in view.turns for box, outline in _world()[0]
               if box.width > _KNOWN_LAND and _is_in_view(view, box, turn))


def _area(ring: List[Point]) -> float:
    return abs(sum(x * next_y - next_x * y for (x, y), (next_x, next_y) in zip(ring, ring[1:] + ring[:1]))) / 2


def _is_in_view(view: _View, box: Box, turn: int) -> bool:
    return (box.west + 360 * turn < view.east and box.east + 360 * turn > view.west and box.south < view.north
            and box.north > view.south)


@lru_cache(maxsize=1)
def _world() -> Tuple[List[_Outline], List[_Outline]]:
    """Return the outlines of land and the borders of countries, in degrees."""
    lands: List[_Outline] = []
    borders: List[_Outline] = []
    for feature in json.loads(WORLD_FILE.read_text(encoding="utf-8"))["features"]:
        parts = feature["geometry"]["coordinates"]
        if feature["properties"]["kind"] == "land":
            lands += [_outline(ring) for polygon in parts for ring in polygon]
        else:
            borders += [_outline(line) for line in parts]
    return lands, borders


def _outline(positions: Sequence[Sequence[float]]) -> _Outline:
    xs, ys = [x for x, _ in positions], [y for _, y in positions]
    return Box(min(xs), min(ys), max(xs), max(ys)), tuple((x, y) for x, y in positions)


def _path(view: _View, positions: Sequence[Point], closed: bool) -> str:
    """Return the path data of an outline within the view, in tenths of a pixel at most."""
    places = [view.place(position) for position in positions]
    if closed:
        places = _clipped(places, view.height)
    kept: List[Tuple[int, int]] = []
    for x, y in places:
        if not kept or abs(x - kept[-1][0]) >= _TOLERANCE or abs(y - kept[-1][1]) >= _TOLERANCE:
            kept.append((round(x), round(y)))
    if len(kept) < (3 if closed else 2):
        return ""
    x, y = kept[0]
    steps = [f"M{x} {y}l"]
    for next_x, next_y in kept[1:]:
        steps.append(f"{next_x - x} {next_y - y} ")
        x, y = next_x, next_y
    return "".join(steps).rstrip() + ("z" if closed else "")


def _clipped(places: Sequence[Point], height: float) -> List[Point]:
    """Return a ring within the picture and some pixels around it (Sutherland and Hodgman's algorithm)."""
    ring = list(places)
    for axis, limit, sign in ((0, -8.0, 1), (0, WIDTH + 8, -1), (1, -8.0, 1), (1, height + 8, -1)):
        if all((place[axis] - limit) * sign >= 0 for place in ring):
            continue
        inside: List[Point] = []
        for before, place in zip(ring[-1:] + ring[:-1], ring):
            was, now = (before[axis] - limit) * sign, (place[axis] - limit) * sign
            if (was >= 0) != (now >= 0):
                share = was / (was - now)
                inside.append((before[0] + share * (place[0] - before[0]), before[1] + share * (place[1] - before[1])))
            if now >= 0:
                inside.append(place)
        ring = inside
    return ring


def _parts_in_view(view: _View, line: Sequence[Point]) -> Iterator[List[Point]]:
    """Yield the parts of a line whose segments touch the view."""
    part: List[Point] = []
    for before, position in zip(line, line[1:]):
        (west, east), (south, north) = sorted((before[0], position[0])), sorted((before[1], position[1]))
        if west <= view.east and east >= view.west and south <= view.north and north >= view.south:
            part = part or [before]
            part.append(position)
        elif part:
            yield part
            part = []
    if part:
        yield part


def _graticule(view: _View) -> str:
    step = next((step for step in _GRATICULE_STEPS if (view.east - view.west) / step <= 9), _GRATICULE_STEPS[-1])
    meridians = range(math.ceil(view.west / step) * step, math.floor(view.east) + 1, step)
    parallels = range(math.ceil(view.south / step) * step, math.floor(view.north) + 1, step)
    return ("".join(f"M{view.place((longitude, 0))[0]:.0f} 0v{view.height:g}" for longitude in meridians)
            + "".join(f"M0 {view.place((0, latitude))[1]:.0f}h{WIDTH:g}" for latitude in parallels))


def _box_svg(view: _View, box: Box) -> str:
    """Return an extent as a rectangle, with a ring around one that is too small to see."""
    left, top = view.place((box.west, box.north))
    right, bottom = view.place((box.east, box.south))
    width, height = max(right - left, 2.0), max(bottom - top, 2.0)
    ring = (f'<circle class="ring" cx="{left + width / 2:.1f}" cy="{top + height / 2:.1f}" r="11"/>'
            if max(width, height) < _SMALL else "")
    return f'<rect class="extent" x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" height="{height:.1f}"/>{ring}'
