"""Boxes that cannot be, or hardly can: exchanged sides or axes, empty, outside the world, too round to be measured."""

from __future__ import annotations

from typing import Callable, Iterable, Iterator, Optional, Tuple

from ...i18n import tr
from ..model import Extent
from .model import Book, Case, Family, Hit, Severity

book = Book(Family.GEOMETRY)
_BASIS = "ISO 19115:2003, EX_GeographicBoundingBox"
_Sides = Tuple[float, float, float, float]
#: degrees beyond the limits that rounding explains
_SLACK = 1e-6


def box_words(extent: Extent) -> str:
    """The box as people write it: west, south, east, north."""
    return ", ".join("–" if value is None else f"{value:g}" if abs(value) < 1000 else f"{value:.0f}"
                     for value in (extent.west, extent.south, extent.east, extent.north))


def sides(extent: Extent) -> Optional[_Sides]:
    """West, south, east, north; None where one is missing or no number."""
    values = (extent.west, extent.south, extent.east, extent.north)
    if any(value is None or value != value for value in values):
        return None
    west, south, east, north = (float(value or 0.0) for value in values)
    return west, south, east, north


def is_whole_world(box: _Sides) -> bool:
    """Whether the box is the whole world, which says nothing about a regional service."""
    west, south, east, north = box
    return west <= -180 and east >= 180 and south <= -90 and north >= 90


def outside(box: _Sides) -> bool:
    """Whether a side lies outside the world; longitudes up to 360 are a way to write them."""
    west, south, east, north = box
    return (min(south, north) < -90 - _SLACK or max(south, north) > 90 + _SLACK
            or min(west, east) < -180 - _SLACK or max(west, east) > 360 + _SLACK)


def exchanged(box: _Sides) -> bool:
    """Whether the box is possible only with longitude and latitude in each other's place."""
    west, south, east, north = box
    turned = (south, west, north, east)
    return outside(box) and not outside(turned) and turned[0] <= turned[2] and turned[1] <= turned[3]


def _boxes(case: Case) -> Iterator[Tuple[Extent, _Sides]]:
    for extent in case.record.extents:
        box = sides(extent)
        if box is not None:
            yield extent, box


def _each(case: Case, wrong: Callable[[_Sides], bool], message: str) -> Iterator[Hit]:
    for extent, box in _boxes(case):
        if wrong(box):
            yield Hit("extents", message, box_words(extent))


@book.rule("incomplete", Severity.ERROR, _BASIS, lambda: tr("Box with four sides"),
           lambda: tr("Every box has four sides that are numbers."),
           lambda: tr("Give west, east, south and north in degrees."))
def incomplete(case: Case) -> Iterable[Hit]:
    """A side is missing."""
    for extent in case.record.extents:
        if sides(extent) is None:
            yield Hit("extents", tr("A side of the box is missing or no number."), box_words(extent))


@book.rule("outside", Severity.ERROR, _BASIS, lambda: tr("Box inside the world"),
           lambda: tr("Longitudes lie between -180 and 180 degrees, latitudes between -90 and 90."),
           lambda: tr("Give the sides in degrees of longitude and latitude, not in metres of a projection."))
def outside_world(case: Case) -> Iterable[Hit]:
    """Outside the world, and not because the axes are exchanged."""
    yield from _each(case, lambda box: outside(box) and not exchanged(box),
                     tr("The box lies outside the world (west, south, east, north)."))


@book.rule("axes", Severity.ERROR, _BASIS, lambda: tr("Longitude and latitude in their places"),
           lambda: tr("Longitude stands in west and east, latitude in south and north."),
           lambda: tr("Exchange longitude and latitude."))
def axes(case: Case) -> Iterable[Hit]:
    """The axes are exchanged."""
    yield from _each(case, exchanged, tr("Longitude and latitude stand in each other's place."))


@book.rule("order", Severity.ERROR, _BASIS, lambda: tr("South below north"),
           lambda: tr("The southern side is not north of the northern one."), lambda: tr("Exchange south and north."))
def order(case: Case) -> Iterable[Hit]:
    """South above north."""
    yield from _each(case, lambda box: not outside(box) and box[1] > box[3], tr("South and north are exchanged."))


@book.rule("empty", Severity.WARNING, _BASIS, lambda: tr("Box with an area"),
           lambda: tr("The box is more than a point or a line."),
           lambda: tr("Give the smallest box that holds the resource."))
def empty(case: Case) -> Iterable[Hit]:
    """A point or a line; a place where something was measured is a point by nature, and only noted."""
    for extent, box in _boxes(case):
        if not any(box):
            yield Hit("extents", tr("All sides of the box are 0."), box_words(extent))
        elif not outside(box) and (box[0] == box[2] or box[1] == box[3]):
            yield Hit("extents", tr("The box is empty."), box_words(extent),
                      severity=None if case.is_service else Severity.NOTE)


@book.rule("antimeridian", Severity.NOTE, _BASIS, lambda: tr("Box across the 180th meridian"),
           lambda: tr("West lies east of east only where the box crosses the 180th meridian."),
           lambda: tr("Exchange west and east, unless the box does cross the 180th meridian."))
def antimeridian(case: Case) -> Iterable[Hit]:
    """West greater than east; a box that would be wider than half the world was hardly meant."""
    for extent, box in _boxes(case):
        if not outside(box) and box[0] > box[2]:
            wide = box[2] + 360 - box[0] > 180
            yield Hit("extents", tr("West and east are exchanged.") if wide else
                      tr("The box crosses the 180th meridian."), box_words(extent),
                      severity=Severity.ERROR if wide else None)


@book.rule("approximate", Severity.NOTE, _BASIS, lambda: tr("Measured box"),
           lambda: tr("The box was measured: its sides are not all whole degrees, nor is it the whole world."),
           lambda: tr("Give the smallest box that holds the resource, to the hundredth of a degree."),
           lambda case: case.is_iso)
def approximate(case: Case) -> Iterable[Hit]:
    """All sides whole degrees, or the whole world."""
    for extent, box in _boxes(case):
        if not any(box) or outside(box) or box[0] == box[2] or box[1] == box[3]:
            continue
        if is_whole_world(box):
            yield Hit("extents", tr("The box is the whole world."), box_words(extent))
        elif all(side == int(side) for side in box):
            yield Hit("extents", tr("The box is given in whole degrees only."), box_words(extent))
