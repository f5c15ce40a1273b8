"""Dates as written in records (complete or partial ISO 8601) as spans of days that can be compared."""

from __future__ import annotations

import calendar
import re
from datetime import date
from typing import Optional, Tuple

_ISO_DATE = re.compile(r"(?P<year>\d{4})(?:-?(?P<month>\d\d)(?:-?(?P<day>\d\d)"
                       r"(?:[T ](?P<hour>\d\d)(?::?(?P<minute>\d\d)(?::?(?P<second>\d\d)(?:[.,]\d+)?)?)?"
                       r"(?:Z|[+-]\d\d:?(?:\d\d)?)?)?)?)?Z?")

DateSpan = Tuple[date, date]


def date_span(text: Optional[str]) -> Optional[DateSpan]:
    """Return the first and last day of ``text`` ("2014" is a whole year), or None if it is not an ISO 8601 date."""
    found = _ISO_DATE.fullmatch((text or "").strip())
    if not found:
        return None
    year, month, day = (int(found[name]) if found[name] else None for name in ("year", "month", "day"))
    for name, limit in (("hour", 24), ("minute", 59), ("second", 60)):
        if found[name] and int(found[name]) > limit:
            return None
    try:
        if year is None:
            return None
        if month is None:
            return date(year, 1, 1), date(year, 12, 31)
        if day is None:
            return date(year, month, 1), date(year, month, calendar.monthrange(year, month)[1])
        return date(year, month, day), date(year, month, day)
    except ValueError:
        return None


def is_before(first: Optional[str], second: Optional[str]) -> bool:
    """Return True if ``first`` certainly ends before ``second`` begins, False if one of them cannot be read."""
    one, other = date_span(first), date_span(second)
    return one is not None and other is not None and one[1] < other[0]
