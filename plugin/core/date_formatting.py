"""Dates of records formatted for people: short, and in the format of their locale."""

from __future__ import annotations

import re
from datetime import date, time
from typing import Callable, Optional

from .i18n import tr

#: formats a day, and a time of that day if it is not None
DateFormatter = Callable[[date, Optional[time]], str]

_formatter: Optional[DateFormatter] = None
_DATE_TIME = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?)?\s*(Z|[+-]\d\d(?::?\d\d)?)?\Z")


def set_formatter(formatter: Optional[DateFormatter]) -> None:
    """Use ``formatter`` for all dates. None restores ISO 8601."""
    global _formatter
    _formatter = formatter


def format_date(value: Optional[str]) -> str:
    """Return an ISO 8601 date or date and time formatted for people. Any other text is returned unchanged.

    Midnight is shown as the date alone. A time keeps its zone ("UTC", "+02:00") and loses its seconds.
    """
    text = (value or "").strip()
    found = _DATE_TIME.match(text)
    if found is None:
        return text
    year, month, day, hour, minute, second, zone = found.groups()
    try:
        moment = time(int(hour), int(minute), min(int(second or 0), 59)) if hour else None
        when = date(int(year), int(month), int(day))
    except ValueError:
        return text
    if moment == time():
        moment = None
    written = (_formatter or _format_iso)(when, moment)
    if moment is None or not zone:
        return written
    return f"{written} {tr('UTC') if zone in ('Z', '+00:00', '-00:00', '+0000', '+00') else zone}"


def format_day(value: Optional[str]) -> str:
    """Return only the day of a date and time. Any other text is returned unchanged."""
    text = (value or "").strip()
    return format_date(text[:10]) if _DATE_TIME.match(text) else text


def _format_iso(when: date, moment: Optional[time]) -> str:
    return when.isoformat() if moment is None else f"{when.isoformat()} {moment:%H:%M}"
