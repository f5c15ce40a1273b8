"""Rules on extents that are impossible or improbable: swapped sides or axes, empty, outside the world, too coarse."""

from __future__ import annotations

from typing import Callable, Iterable, Iterator, Tuple

from ...i18n import tr
from ..model.extents import ExtentSides, extent_sides, format_extent
from ..model.record import Extent
from .rules import CheckContext, Family, RuleSet, Severity, Violation

rule_set = RuleSet(Family.GEOMETRY)
_BASIS = "ISO 19115:2003, EX_GeographicBoundingBox"
#: tolerance for rounding in degrees
_TOLERANCE = 1e-6


def is_whole_world(box: ExtentSides) -> bool:
    """Return True if the extent is the whole world."""
    west, south, east, north = box
    return west <= -180 and east >= 180 and south <= -90 and north >= 90


def outside_world_limits(box: ExtentSides) -> bool:
    """Return True if a side is outside the world. Longitudes up to 360° are accepted."""
    west, south, east, north = box
    return (min(south, north) < -90 - _TOLERANCE or max(south, north) > 90 + _TOLERANCE or
            min(west, east) < -180 - _TOLERANCE or max(west, east) > 360 + _TOLERANCE)


def axes_swapped(box: ExtentSides) -> bool:
    """Return True if the extent is valid only with longitude and latitude swapped."""
    west, south, east, north = box
    swapped = (south, west, north, east)
    return outside_world_limits(box) and not outside_world_limits(swapped) and south <= north and west <= east


def _complete_extents(context: CheckContext) -> Iterator[Tuple[Extent, ExtentSides]]:
    for extent in context.record.extents:
        box = extent_sides(extent)
        if box is not None:
            yield extent, box


def _violations_where(context: CheckContext, is_wrong: Callable[[ExtentSides], bool],
                      message: str) -> Iterator[Violation]:
    for extent, box in _complete_extents(context):
        if is_wrong(box):
            yield Violation("extents", message, format_extent(extent))


@rule_set.rule("incomplete", Severity.ERROR, _BASIS, lambda: tr("Complete extent"),
               lambda: tr("Every extent has four numeric sides."),
               lambda: tr("Give west, east, south and north in degrees."))
def incomplete(context: CheckContext) -> Iterable[Violation]:
    """Find extents with a side that is missing or not a number."""
    for extent in context.record.extents:
        if extent_sides(extent) is None:
            yield Violation("extents", tr("A side of the extent is missing or not a number."), format_extent(extent))


@rule_set.rule("outside", Severity.ERROR, _BASIS, lambda: tr("Extent within the world"),
               lambda: tr("Longitudes are between -180 and 180 degrees, latitudes between -90 and 90."),
               lambda: tr("Give the sides in degrees of longitude and latitude, not in projected coordinates."))
def outside_world(context: CheckContext) -> Iterable[Violation]:
    """Find extents outside the world whose axes are not swapped."""
    yield from _violations_where(context, lambda box: outside_world_limits(box) and not axes_swapped(box),
                                 tr("The extent is outside the world (west, south, east, north)."))


@rule_set.rule("axes", Severity.ERROR, _BASIS, lambda: tr("Order of longitude and latitude"),
               lambda: tr("West and east are longitudes, south and north are latitudes."),
               lambda: tr("Swap longitude and latitude."))
def axes(context: CheckContext) -> Iterable[Violation]:
    """Find extents with swapped axes."""
    yield from _violations_where(context, axes_swapped, tr("Longitude and latitude are swapped."))


@rule_set.rule("order", Severity.ERROR, _BASIS, lambda: tr("South below north"),
               lambda: tr("South is not greater than north."), lambda: tr("Swap south and north."))
def order(context: CheckContext) -> Iterable[Violation]:
    """Find extents with south above north."""
    yield from _violations_where(context, lambda box: not outside_world_limits(box) and box[1] > box[3],
                                 tr("South and north are swapped."))


@rule_set.rule("empty", Severity.WARNING, _BASIS, lambda: tr("Extent with an area"),
               lambda: tr("The extent is more than a point or a line."),
               lambda: tr("Give the smallest extent that contains the resource."))
def empty(context: CheckContext) -> Iterable[Violation]:
    """Find extents that are a point or a line. That is only a note for data, which may be a point of measurement."""
    for extent, box in _complete_extents(context):
        if not any(box):
            yield Violation("extents", tr("All sides of the extent are 0."), format_extent(extent))
        elif not outside_world_limits(box) and (box[0] == box[2] or box[1] == box[3]):
            yield Violation("extents", tr("The extent is empty."), format_extent(extent),
                            severity=None if context.is_service else Severity.NOTE)


@rule_set.rule("antimeridian", Severity.NOTE, _BASIS, lambda: tr("Extent across the 180th meridian"),
               lambda: tr("West may be greater than east only if the extent crosses the 180th meridian."),
               lambda: tr("Swap west and east, unless the extent does cross the 180th meridian."))
def antimeridian(context: CheckContext) -> Iterable[Violation]:
    """Find extents with west greater than east. It is an error if the extent would be wider than half the world."""
    for extent, box in _complete_extents(context):
        if not outside_world_limits(box) and box[0] > box[2]:
            wide = box[2] + 360 - box[0] > 180
            yield Violation("extents",
                            tr("West and east are swapped.") if wide else tr("The extent crosses the 180th meridian."),
                            format_extent(extent), severity=Severity.ERROR if wide else None)


@rule_set.rule("approximate", Severity.NOTE, _BASIS, lambda: tr("Precise extent"),
               lambda: tr("The extent was measured: not all of its sides are whole degrees, and it is not the whole "
                          "world."),
               lambda: tr("Give the smallest extent that contains the resource, to a hundredth of a degree."),
               lambda context: context.is_iso)
def approximate(context: CheckContext) -> Iterable[Violation]:
    """Find extents with whole degrees only, or of the whole world."""
    for extent, box in _complete_extents(context):
        if not any(box) or outside_world_limits(box) or box[0] == box[2] or box[1] == box[3]:
            continue
        if is_whole_world(box):
            yield Violation("extents", tr("The extent is the whole world."), format_extent(extent))
        elif all(side == int(side) for side in box):
            yield Violation("extents", tr("The extent has whole degrees only."), format_extent(extent))
