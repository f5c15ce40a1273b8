"""Dates of records, complete or partial ISO 8601: formatted for people, and as spans of days that can be compared."""

from __future__ import annotations

import re
from datetime import date, datetime, time, timezone
from typing import Optional, Tuple

from .i18n import date_formatter, tr

_DATE_TIME = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?)?\s*(Z|[+-]\d\d(?::?\d\d)?)?\Z")
_ISO_DATE = re.compile(r"(?P<year>\d{4})(?:-?(?P<month>\d\d)(?:-?(?P<day>\d\d)"
                       r"(?:[T ](?P<hour>\d\d)(?::?(?P<minute>\d\d)(?::?(?P<second>\d\d)(?:[.,]\d+)?)?)?"
                       r"(?:Z|[+-]\d\d:?(?:\d\d)?)?)?)?)?Z?")
DateSpan = Tuple[date, date]


#: words of GML for a moment that is no date, or not exactly one (ISO 19136 14.2.2.7)
INDETERMINATE_POSITIONS = frozenset(("before", "after", "now", "unknown"))


def format_date(value: Optional[str]) -> str:
    """Return an ISO 8601 date or date and time formatted for people. Any other text is returned unchanged.

    Midnight is shown as the date alone. A time keeps its zone ("UTC", "+02:00") and loses its seconds.
    """
    text = (value or "").strip()
    match = _DATE_TIME.match(text)
    if match is None:
        return _format_indeterminate(text)
    year, month, day, hour, minute, second, zone = match.groups()
    try:
        moment = time(int(hour), int(minute), min(int(second or 0), 59)) if hour else None
        when = date(int(year), int(month), int(day))
    except ValueError:
        return text
    if moment == time():
        moment = None
    written = (date_formatter() or _format_iso)(when, moment)
    if moment is None or not zone:
        return written
    return f"{written} {tr('UTC') if zone in ('Z', '+00:00', '-00:00', '+0000', '+00') else zone}"


def _format_indeterminate(text: str) -> str:
    """Return "before 2000", "now" and the like in the user's language, any other text as it is."""
    word, _, moment = text.partition(" ")
    if word == "before" and moment[:1].isdigit():
        return tr("before {date}", date=format_date(moment))
    if word == "after" and moment[:1].isdigit():
        return tr("after {date}", date=format_date(moment))
    return {"now": tr("now"), "unknown": tr("unknown")}.get(text, text)


def format_day(value: Optional[str]) -> str:
    """Return only the day of a date and time. Any other text is returned unchanged."""
    text = (value or "").strip()
    return format_date(text[:10]) if _DATE_TIME.match(text) else text


_ISO_MOMENT = re.compile(r"(?<![\w.-])\d{4}-\d\d-\d\d"
                         r"(?:T\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d(?::?\d\d)?)?)?(?![\w-])")


def format_dates_in(text: str) -> str:
    """Return a text of the plugin's making with each date of ISO 8601 in it formatted for people."""
    return _ISO_MOMENT.sub(lambda found: format_date(found.group()), text)


def _format_iso(when: date, moment: Optional[time]) -> str:
    return when.isoformat() if moment is None else f"{when.isoformat()} {moment:%H:%M}"


def date_span(text: Optional[str]) -> Optional[DateSpan]:
    """Return the first and last day of ``text`` ("2014" is a whole year), or None if it is not an ISO 8601 date."""
    match = _ISO_DATE.fullmatch((text or "").strip())
    if not match:
        return None
    year, month, day = (int(match[name]) if match[name] else None for name in ("year", "month", "day"))
    for name, limit in (("hour", 24), ("minute", 59), ("second", 60)):
        if match[name] and int(match[name]) > limit:
            return None
    try:
        if year is None:
            return None
        if month is None:
            return date(year, 1, 1), date(year, 12, 31)
        if day is None:
            import calendar

            return date(year, month, 1), date(year, month, calendar.monthrange(year, month)[1])
        return date(year, month, day), date(year, month, day)
    except ValueError:
        return None


def is_before(first: Optional[str], second: Optional[str]) -> bool:
    """Return True if ``first`` certainly ends before ``second`` begins, False if one of them cannot be read."""
    first_span, second_span = date_span(first), date_span(second)
    return first_span is not None and second_span is not None and first_span[1] < second_span[0]


def past_moment(moment: str) -> str:
    """Return a date and time in ISO 8601 unchanged, or now if it is still to come.

    It may come from a computer whose clock is wrong, or from somebody who wants to be the newest. Without a zone it is
    UTC. Any other text is returned unchanged.
    """
    try:
        when = datetime.fromisoformat(moment)
    except ValueError:
        return moment
    when = when if when.tzinfo is not None else when.replace(tzinfo=timezone.utc)
    return moment if when <= datetime.now(timezone.utc) else utc_now()


def utc_now() -> str:
    """Return the current time in UTC (ISO 8601, to the second)."""
    return datetime.now(timezone.utc).replace(microsecond=0).isoformat()
