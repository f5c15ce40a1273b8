"""ISO 8601 times and periods as used in WMS, and the values in the extent of TIME (OGC 06-042 Annex D)."""

from __future__ import annotations

import calendar
import re
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Iterator, List, Optional, Tuple

_TIME = re.compile(
    r"(?P<year>\d{4})(?:-?(?P<month>\d\d)(?:-?(?P<day>\d\d)(?:T(?P<hour>\d\d)(?::?(?P<minute>\d\d)"
    r"(?::?(?P<second>\d\d)(?:[.,](?P<fraction>\d{1,9}))?)?)?)?)?)?(?P<zone>Z|[+-]\d\d(?::?\d\d)?)?\Z")
_PERIOD = re.compile(
    r"P(?=.)(?:(?P<years>\d{1,5})Y)?(?:(?P<months>\d{1,5})M)?(?:(?P<weeks>\d{1,5})W)?(?:(?P<days>\d{1,6})D)?"
    r"(?:T(?=.)(?:(?P<hours>\d{1,6})H)?(?:(?P<minutes>\d{1,7})M)?(?:(?P<seconds>\d{1,8})(?:[.,]\d{1,9})?S)?)?\Z")
#: limit of values, above what a temporal controller can play
MAX_TIME_VALUES = 20_000
#: values and intervals of an extent that are read: some daily series list each day of fifty years
MAX_EXTENT_PARTS = 50_000
#: characters of a part of an extent. Two times and a period with all their parts have about 80
_MAX_PART_LENGTH = 200


@dataclass(frozen=True)
class Period:
    """A period of whole months and an exact duration."""

    months: int = 0
    duration: timedelta = timedelta()

    def add_to(self, start: datetime, times: int = 1) -> Optional[datetime]:
        """Return ``start`` plus ``times`` periods, or None past the year 9999.

        A day that a month does not have becomes the month's last day.
        """
        try:
            instant = start + self.duration * times
            months = instant.year * 12 + instant.month - 1 + self.months * times
            year, month = divmod(months, 12)
            day = min(instant.day, calendar.monthrange(year, month + 1)[1])
            return instant.replace(year=year, month=month + 1, day=day)
        except (OverflowError, ValueError):
            return None


@dataclass(frozen=True)
class TimeValue:
    """One value of a TIME dimension as written in requests, and the time that it covers (UTC, end excluded)."""

    value: str
    begin: datetime
    end: datetime


def parse_time(text: str) -> Optional[Tuple[datetime, Period]]:
    """Return the first instant (UTC) of an ISO 8601 time and the period that it covers (a second … a year), or None.

    The time may have reduced precision, such as 2016-06.
    """
    match = _TIME.match(text.strip())
    if match is None:
        return None
    parts = match.groupdict()
    try:
        instant = datetime(int(parts["year"]), int(parts["month"] or 1), int(parts["day"] or 1),
                           int(parts["hour"] or 0), int(parts["minute"] or 0), int(parts["second"] or 0),
                           tzinfo=timezone.utc)
        instant -= _utc_offset(parts["zone"])
    except (OverflowError, ValueError):
        return None
    spans = (("second", Period(duration=timedelta(seconds=1))), ("minute", Period(duration=timedelta(minutes=1))),
             ("hour", Period(duration=timedelta(hours=1))), ("day", Period(duration=timedelta(days=1))),
             ("month", Period(months=1)))
    return instant, next((span for name, span in spans if parts[name]), Period(months=12))


def parse_period(text: str) -> Optional[Period]:
    """Return a period such as P1D, PT15M or P1Y2M, or None for any other text or a length of zero."""
    match = _PERIOD.match(text.strip())
    if match is None:
        return None
    parts = {name: int(value or 0) for name, value in match.groupdict().items()}
    period = Period(parts["years"] * 12 + parts["months"], timedelta(
        weeks=parts["weeks"], days=parts["days"], hours=parts["hours"], minutes=parts["minutes"],
        seconds=parts["seconds"]))
    return period if period != Period() else None


def extent_parts(extent: str) -> List[str]:
    """Return the values and intervals that an extent lists, at most MAX_EXTENT_PARTS. Overlong ones are cut."""
    parts = extent.split(",", MAX_EXTENT_PARTS)[:MAX_EXTENT_PARTS]
    return [part[:_MAX_PART_LENGTH].strip() for part in parts]


def expand_time_extent(extent: str) -> List[TimeValue]:
    """Return the values of a time extent in order, at most MAX_TIME_VALUES.

    Intervals are expanded by their resolution. A value lasts until the next one of its interval, or as long as the
    period that it names. Intervals without resolution (any value is allowed) and words such as ``current`` give no
    values.
    """
    result: List[TimeValue] = []
    for part in extent_parts(extent):
        for value in _expand_part(part):
            result.append(value)
            if len(result) == MAX_TIME_VALUES:
                return result
    return result


def _expand_part(part: str) -> Iterator[TimeValue]:
    ends = [end.strip() for end in part.split("/")]
    first = parse_time(ends[0])
    if first is None or len(ends) > 3:
        return
    begin, span = first
    if len(ends) == 1:
        end = span.add_to(begin)
        if end is not None:
            yield TimeValue(ends[0], begin, end)
        return
    last, period = parse_time(ends[1]), parse_period(ends[2]) if len(ends) == 3 else None
    if last is None or period is None:
        return
    for times in range(MAX_TIME_VALUES):
        instant, following = period.add_to(begin, times), period.add_to(begin, times + 1)
        if instant is None or following is None or instant > last[0]:
            return
        yield TimeValue(_format_like(ends[0], instant), instant, following)


def _format_like(example: str, instant: datetime) -> str:
    """Return the instant in UTC with the precision and style of ``example``, the extent's first value."""
    match = _TIME.match(example)
    parts = match.groupdict() if match else {}
    if parts.get("hour") or instant.time() != datetime.min.time():
        text = instant.strftime("%Y-%m-%dT%H:%M:%SZ")
    elif parts.get("day") or instant.day != 1:
        text = f"{instant.year:04}-{instant.month:02}-{instant.day:02}"
    elif parts.get("month") or instant.month != 1:
        text = f"{instant.year:04}-{instant.month:02}"
    else:
        text = f"{instant.year:04}"
    return text


def _utc_offset(zone: Optional[str]) -> timedelta:
    if not zone or zone == "Z":
        return timedelta()
    digits = zone[1:].replace(":", "")
    offset = timedelta(hours=int(digits[:2]), minutes=int(digits[2:4] or 0))
    return -offset if zone[0] == "-" else offset
