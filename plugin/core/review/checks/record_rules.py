"""Rules on a record whatever standard it follows: identifier, dates, extent and terms, and starter records."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Callable, Dict, Iterable, Iterator, List, Sequence, Tuple

from ...box import Box
from ...dates import date_span, is_before
from ...i18n import tr
from ...records.model.codelists import code_label
from ...records.model.extents import format_extent
from ...records.model.record import Extent, Record
from ...terms.model import Decision
from ...text import shorten
from .rules import CheckContext, Family, Finding, RuleSet, Severity, Violation

terms_set = RuleSet(Family.TERMS, lambda context: context.is_resource)
_CONSTRAINTS = "ISO 19115:2003, MD_LegalConstraints"
extents = RuleSet(Family.GEOMETRY)
_EXTENT = "ISO 19115:2003, EX_GeographicBoundingBox"
#: tolerance for rounding in degrees
_TOLERANCE = 1e-6
dates = RuleSet(Family.DATES)
_DATE = "ISO 8601; ISO 19115:2003, CI_Date"
#: types of dates that may be in the future
_MAY_BE_FUTURE = ("nextupdate", "expiry", "unavailable", "validityexpires", "validitybegins", "inforce", "superseded",
                  "deprecated", "released")
identity = RuleSet(Family.IDENTITY)
_DUPLICATE = identity.add(
    "duplicate", Severity.ERROR, "ISO 19115:2003, MD_Metadata: fileIdentifier", lambda: tr("Unique identifier"),
    lambda: tr("No two records have the same identifier."),
    lambda: tr("Keep the newer of two versions. Give different records different identifiers."))


def _dangling(context: CheckContext) -> List[str]:
    from ...terms.reading_trail import unresolved_references
    from ...terms.statements import record_codes, record_statements

    return unresolved_references(record_statements(context.record), record_codes(context.record))


@terms_set.rule("leads-nowhere", Severity.WARNING, _CONSTRAINTS, lambda: tr("References among the constraints"),
                lambda: tr("If one constraint refers to another, the other exists and has content."),
                lambda: tr("Enter the licence in the field referred to."))
def leads_nowhere(context: CheckContext) -> Iterable[Violation]:
    for reference in _dangling(context):
        yield Violation("other_constraints", reference, shorten("; ".join(context.record.use_limitations)))


@terms_set.rule("unstated", Severity.WARNING, _CONSTRAINTS, lambda: tr("Terms are stated"),
                lambda: tr("The record states the terms of use of the resource."),
                lambda: tr("State the licence, whether credit is required, and what the use costs."))
def unstated(context: CheckContext) -> Iterable[Violation]:
    if _unstated(context):
        record = context.record
        texts = [*record.use_limitations, *(item.text or item.href or "" for item in record.other_constraints)]
        yield Violation("use_limitations" if record.use_limitations else "other_constraints",
                        tr("The record states neither a licence nor obligations nor costs."),
                        shorten("; ".join(texts)), severity=None if context.is_iso else Severity.NOTE)


@terms_set.rule("open-point", Severity.NOTE, _CONSTRAINTS, lambda: tr("Open points of the terms"),
                lambda: tr("The terms are complete and do not contradict each other."),
                lambda: tr("State it unambiguously in the constraints."))
def open_point(context: CheckContext) -> Iterable[Violation]:
    if _unstated(context):
        return
    known = set(_dangling(context))
    for reference in context.terms.undecided:
        if reference not in known:
            yield Violation("other_constraints", reference)


def _unstated(context: CheckContext) -> bool:
    terms = context.terms
    return (terms.licence is None and not terms.licence_url and terms.free is Decision.UNDECIDED
            and terms.credit_required is Decision.UNDECIDED)


def is_whole_world(box: Box) -> bool:
    """Return True if the extent is the whole world."""
    west, south, east, north = box
    return west <= -180 and east >= 180 and south <= -90 and north >= 90


def outside_world_limits(box: Box) -> bool:
    """Return True if a side is outside the world. Longitudes up to 360° are accepted."""
    west, south, east, north = box
    return (min(south, north) < -90 - _TOLERANCE or max(south, north) > 90 + _TOLERANCE or
            min(west, east) < -180 - _TOLERANCE or max(west, east) > 360 + _TOLERANCE)


def axes_swapped(box: Box) -> bool:
    """Return True if the extent is valid only with longitude and latitude swapped."""
    return (outside_world_limits(box) and not outside_world_limits(box.with_axes_swapped) and box.south <= box.north
            and box.west <= box.east)


def _complete_extents(context: CheckContext) -> Iterator[Tuple[Extent, Box]]:
    for extent in context.record.extents:
        if extent.box is not None:
            yield extent, extent.box


def _violations_where(context: CheckContext, is_wrong: Callable[[Box], bool], message: str) -> Iterator[Violation]:
    for extent, box in _complete_extents(context):
        if is_wrong(box):
            yield Violation("extents", message, format_extent(extent))


@extents.rule("incomplete", Severity.ERROR, _EXTENT, lambda: tr("Complete extent"),
              lambda: tr("Every extent has four numeric sides."),
              lambda: tr("Give west, east, south and north in degrees."))
def incomplete(context: CheckContext) -> Iterable[Violation]:
    for extent in context.record.extents:
        if extent.box is None:
            yield Violation("extents", tr("A side of the extent is missing or not a number."), format_extent(extent))


@extents.rule("outside", Severity.ERROR, _EXTENT, lambda: tr("Extent within the world"),
              lambda: tr("Longitudes are between -180 and 180 degrees, latitudes between -90 and 90."),
              lambda: tr("Give the sides in degrees of longitude and latitude, not in projected coordinates."))
def outside_world(context: CheckContext) -> Iterable[Violation]:
    yield from _violations_where(context, lambda box: outside_world_limits(box) and not axes_swapped(box),
                                 tr("The extent is outside the world (west, south, east, north)."))


@extents.rule("axes", Severity.ERROR, _EXTENT, lambda: tr("Order of longitude and latitude"),
              lambda: tr("West and east are longitudes, south and north are latitudes."),
              lambda: tr("Swap longitude and latitude."))
def axes(context: CheckContext) -> Iterable[Violation]:
    yield from _violations_where(context, axes_swapped, tr("Longitude and latitude are swapped."))


@extents.rule("order", Severity.ERROR, _EXTENT, lambda: tr("South below north"),
              lambda: tr("South is not greater than north."), lambda: tr("Swap south and north."))
def south_above_north(context: CheckContext) -> Iterable[Violation]:
    yield from _violations_where(context, lambda box: not outside_world_limits(box) and box.south > box.north,
                                 tr("South and north are swapped."))


@extents.rule("empty", Severity.WARNING, _EXTENT, lambda: tr("Extent with an area"),
              lambda: tr("The extent is more than a point or a line."),
              lambda: tr("Give the smallest extent that contains the resource."))
def empty(context: CheckContext) -> Iterable[Violation]:
    """Find extents that are a point or a line. That is only a note for data, which may be a point of measurement."""
    for extent, box in _complete_extents(context):
        if not any(box):
            yield Violation("extents", tr("All sides of the extent are 0."), format_extent(extent))
        elif not outside_world_limits(box) and not (box.width and box.height):
            yield Violation("extents", tr("The extent is empty."), format_extent(extent),
                            severity=None if context.is_service else Severity.NOTE)


@extents.rule("antimeridian", Severity.NOTE, _EXTENT, lambda: tr("Extent across the 180th meridian"),
              lambda: tr("West may be greater than east only if the extent crosses the 180th meridian."),
              lambda: tr("Swap west and east, unless the extent does cross the 180th meridian."))
def antimeridian(context: CheckContext) -> Iterable[Violation]:
    """Find extents with west greater than east. It is an error if the extent would be wider than half the world."""
    for extent, box in _complete_extents(context):
        if not outside_world_limits(box) and box.west > box.east:
            wide = box.unwrapped.width > 180
            yield Violation("extents",
                            tr("West and east are swapped.") if wide else tr("The extent crosses the 180th meridian."),
                            format_extent(extent), severity=Severity.ERROR if wide else None)


@extents.rule("approximate", Severity.NOTE, _EXTENT, lambda: tr("Precise extent"),
              lambda: tr("The extent was measured: not all of its sides are whole degrees, and it is not the whole "
                         "world."),
              lambda: tr("Give the smallest extent that contains the resource, to a hundredth of a degree."),
              lambda context: context.is_iso)
def approximate(context: CheckContext) -> Iterable[Violation]:
    for extent, box in _complete_extents(context):
        if not any(box) or outside_world_limits(box) or not (box.width and box.height):
            continue
        if is_whole_world(box):
            yield Violation("extents", tr("The extent is the whole world."), format_extent(extent))
        elif all(side == int(side) for side in box):
            yield Violation("extents", tr("The extent has whole degrees only."), format_extent(extent))


def _dates_of_type(context: CheckContext, kind: str) -> list[str]:
    return [date.value for date in context.record.dates if (date.type or "").lower() == kind]


def _all_dates(context: CheckContext) -> Iterator[Tuple[str, str, str]]:
    """Yield field, translated name and value of every date of the record."""
    for date in context.record.dates:
        yield "dates", code_label("CI_DateTypeCode", date.type) if date.type else tr("Date"), date.value
    if context.record.date_stamp:
        yield "date_stamp", tr("Date stamp"), context.record.date_stamp


@dates.rule("unreadable", Severity.WARNING, _DATE, lambda: tr("Readable dates"),
            lambda: tr("Dates follow ISO 8601: 2024-02-29, 2024-02 or 2024."),
            lambda: tr("Write the date as year, month and day: 2024-02-29."))
def unreadable(context: CheckContext) -> Iterable[Violation]:
    for field, what, value in _all_dates(context):
        if date_span(value) is None:
            yield Violation(field, tr("{what}: the date cannot be read.", what=what), shorten(value))


@dates.rule("future", Severity.WARNING, _DATE, lambda: tr("No future dates"),
            lambda: tr("Dates of creation, publication and revision, and the date stamp, are not in the future."),
            lambda: tr("Correct the date. Planned dates belong in “Next update” or “Released”."))
def future(context: CheckContext) -> Iterable[Violation]:
    typed = [("dates", date.type or "", date.value) for date in context.record.dates]
    typed += [("date_stamp", "stamp", context.record.date_stamp)] if context.record.date_stamp else []
    for field, kind, value in typed:
        days = date_span(value)
        if days is not None and days[0] > context.today and kind.lower() not in _MAY_BE_FUTURE:
            what = tr("Date stamp") if field == "date_stamp" else code_label("CI_DateTypeCode", kind) or tr("Date")
            yield Violation(field, tr("{what}: the date is in the future.", what=what), value)


@dates.rule("order", Severity.WARNING, _DATE, lambda: tr("Order of dates"),
            lambda: tr("A resource is created, then published, then revised."),
            lambda: tr("Correct the date that is wrong, or its type."))
def dates_out_of_order(context: CheckContext) -> Iterable[Violation]:
    """Find a revision before publication or creation. A publication before the creation is only a note."""
    revisions, publications = _dates_of_type(context, "revision"), _dates_of_type(context, "publication")
    creations = _dates_of_type(context, "creation")
    last = [value for value in revisions if not any(is_before(value, other) for other in revisions)][:1]
    for value in last:
        for other in publications[:1]:
            if is_before(value, other):
                yield Violation("dates", tr("The last revision is older than the publication."), value, other)
        for other in creations[:1]:
            if is_before(value, other):
                yield Violation("dates", tr("The last revision is older than the creation."), value, other)
    for value in publications[:1]:
        for other in creations[:1]:
            if is_before(value, other):
                yield Violation("dates", tr("The publication is older than the creation."), value, other,
                                severity=Severity.NOTE)


@dates.rule("stamp", Severity.NOTE, "ISO 19115:2003, MD_Metadata: dateStamp", lambda: tr("Date stamp up to date"),
            lambda: tr("The record is not older than the last revision of what it describes."),
            lambda: tr("Check that the record still describes the revised resource."))
def stamp(context: CheckContext) -> Iterable[Violation]:
    for value in _dates_of_type(context, "revision"):
        days = date_span(value)
        if is_before(context.record.date_stamp, value) and days is not None and days[0] <= context.today:
            yield Violation("date_stamp", tr("The record is older than the revision it mentions."),
                            context.record.date_stamp or "", value)
            return


@dates.rule("type", Severity.NOTE, _DATE, lambda: tr("Type of a date"),
            lambda: tr("Every date has a type."),
            lambda: tr("State whether it is the date of creation, publication or revision."),
            lambda context: context.is_iso)
def untyped(context: CheckContext) -> Iterable[Violation]:
    for date in context.record.dates:
        if not date.type:
            yield Violation("dates", tr("The date has no type."), date.value)


@dates.rule("period", Severity.WARNING, "ISO 19115:2003, EX_TemporalExtent", lambda: tr("Order of begin and end"),
            lambda: tr("A period does not end before it begins."), lambda: tr("Swap begin and end."))
def period(context: CheckContext) -> Iterable[Violation]:
    for extent in context.record.temporal_extents:
        if is_before(extent.end, extent.begin):
            yield Violation("temporal_extents", tr("The period ends before it begins."),
                            f"{extent.begin} – {extent.end}")


@identity.rule("missing", Severity.ERROR, "ISO 19115:2003, MD_Metadata: fileIdentifier", lambda: tr("Identifier"),
               lambda: tr("The record has an identifier."),
               lambda: tr("Give the record an identifier that no other record has and that never changes."))
def missing(context: CheckContext) -> Iterable[Violation]:
    if not context.record.id:
        yield Violation("id", tr("The record has no identifier."))


@identity.rule("characters", Severity.NOTE, "ISO 19115:2003, MD_Metadata: fileIdentifier",
               lambda: tr("Identifier usable in addresses"),
               lambda: tr("The identifier contains no white space and no character that is invalid in addresses."),
               lambda: tr("Use letters, digits, “-”, “_”, “.” and “:” only."), lambda context: context.is_iso)
def characters(context: CheckContext) -> Iterable[Violation]:
    if context.record.id and re.search(r"[\s<>\"'{}|\\^`#?&%]", context.record.id):
        yield Violation("id", tr("The identifier contains characters that are invalid in an address."),
                        shorten(context.record.id))


@identity.rule("starter", Severity.NOTE, "Cartoguide", lambda: tr("Starter record"),
               lambda: tr("The record comes from the catalogue and is not a starter record of the plugin."),
               lambda: tr("Update it from the catalogue. Until then missing values are only notes."))
def starter(context: CheckContext) -> Iterable[Violation]:
    """Find starter records, which contain only reliable values."""
    if context.is_starter:
        yield Violation("keyword_groups", tr("This is a starter record: it contains only what is known about the "
                                             "service."))


def duplicate_identifiers(records: Sequence[Record]) -> List[Tuple[Record, Finding]]:
    """Return the records of a set that share their identifier with another, each with the finding.

    Copies of the same document are only notes. The value of a finding is the identifier, ``other`` the source of the
    other records.
    """
    by_id: Dict[str, List[Record]] = defaultdict(list)
    for record in records:
        if record.id:
            by_id[record.id].append(record)
    findings = []
    for identifier, group in by_id.items():
        for record in group if len(group) > 1 else ():
            others = [other for other in group if other is not record]
            copies = all(other == record for other in others)
            message = tr("The same record occurs more than once.") if copies else \
                tr("Another record with different content has the same identifier.")
            where = shorten("; ".join(other.source or other.title or "" for other in others))
            hit = Violation("id", message, identifier, where, severity=Severity.NOTE if copies else None)
            findings.append((record, _DUPLICATE.finding(hit)))
    return findings
