"""Rules on dates that cannot be read, are in the future, or contradict each other."""

from __future__ import annotations

from typing import Iterable, Iterator, Tuple

from ...dates import date_span, is_before
from ...i18n import tr
from ...text import shorten
from ..model.codelists import code_label
from .rules import CheckContext, Family, RuleSet, Severity, Violation

rule_set = RuleSet(Family.DATES)
_BASIS = "ISO 8601; ISO 19115:2003, CI_Date"
#: types of dates that may be in the future
_MAY_BE_FUTURE = ("nextupdate", "expiry", "unavailable", "validityexpires", "validitybegins", "inforce", "superseded",
                  "deprecated", "released")


def _dates_of_type(context: CheckContext, kind: str) -> list[str]:
    return [date.value for date in context.record.dates if (date.type or "").lower() == kind]


def _all_dates(context: CheckContext) -> Iterator[Tuple[str, str, str]]:
    """Yield field, translated name and value of every date of the record."""
    for date in context.record.dates:
        yield "dates", code_label("CI_DateTypeCode", date.type) if date.type else tr("Date"), date.value
    if context.record.date_stamp:
        yield "date_stamp", tr("Date stamp"), context.record.date_stamp


@rule_set.rule("unreadable", Severity.WARNING, _BASIS, lambda: tr("Readable dates"),
               lambda: tr("Dates follow ISO 8601: 2024-02-29, 2024-02 or 2024."),
               lambda: tr("Write the date as year, month and day: 2024-02-29."))
def unreadable(context: CheckContext) -> Iterable[Violation]:
    """Find values that are not ISO 8601 dates, and days that do not exist."""
    for field, what, value in _all_dates(context):
        if date_span(value) is None:
            yield Violation(field, tr("{what}: the date cannot be read.", what=what), shorten(value))


@rule_set.rule("future", Severity.WARNING, _BASIS, lambda: tr("No future dates"),
               lambda: tr("Dates of creation, publication and revision, and the date stamp, are not in the future."),
               lambda: tr("Correct the date. Planned dates belong in “Next update” or “Released”."))
def future(context: CheckContext) -> Iterable[Violation]:
    """Find dates after today."""
    typed = [("dates", date.type or "", date.value) for date in context.record.dates]
    typed += [("date_stamp", "stamp", context.record.date_stamp)] if context.record.date_stamp else []
    for field, kind, value in typed:
        days = date_span(value)
        if days is not None and days[0] > context.today and kind.lower() not in _MAY_BE_FUTURE:
            what = tr("Date stamp") if field == "date_stamp" else code_label("CI_DateTypeCode", kind) or tr("Date")
            yield Violation(field, tr("{what}: the date is in the future.", what=what), value)


@rule_set.rule("order", Severity.WARNING, _BASIS, lambda: tr("Order of dates"),
               lambda: tr("A resource is created, then published, then revised."),
               lambda: tr("Correct the date that is wrong, or its type."))
def order(context: CheckContext) -> Iterable[Violation]:
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


@rule_set.rule("stamp", Severity.NOTE, "ISO 19115:2003, MD_Metadata: dateStamp", lambda: tr("Date stamp up to date"),
               lambda: tr("The record is not older than the last revision of what it describes."),
               lambda: tr("Check that the record still describes the revised resource."))
def stamp(context: CheckContext) -> Iterable[Violation]:
    """Find a record that was last changed before its resource was last revised."""
    for value in _dates_of_type(context, "revision"):
        days = date_span(value)
        if is_before(context.record.date_stamp, value) and days is not None and days[0] <= context.today:
            yield Violation("date_stamp", tr("The record is older than the revision it mentions."),
                            context.record.date_stamp or "", value)
            return


@rule_set.rule("type", Severity.NOTE, _BASIS, lambda: tr("Type of a date"),
               lambda: tr("Every date has a type."),
               lambda: tr("State whether it is the date of creation, publication or revision."),
               lambda context: context.is_iso)
def untyped(context: CheckContext) -> Iterable[Violation]:
    """Find dates without a type (CI_Date.dateType [1])."""
    for date in context.record.dates:
        if not date.type:
            yield Violation("dates", tr("The date has no type."), date.value)


@rule_set.rule("period", Severity.WARNING, "ISO 19115:2003, EX_TemporalExtent", lambda: tr("Order of begin and end"),
               lambda: tr("A period does not end before it begins."), lambda: tr("Swap begin and end."))
def period(context: CheckContext) -> Iterable[Violation]:
    """Find periods that end before they begin."""
    for extent in context.record.temporal_extents:
        if is_before(extent.end, extent.begin):
            yield Violation("temporal_extents", tr("The period ends before it begins."),
                            f"{extent.begin} – {extent.end}")
