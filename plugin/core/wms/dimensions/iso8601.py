"""Times and periods of ISO 8601 as WMS uses them, and the moments of a TIME dimension's extent (OGC 06-042 Annex D)."""

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
#: more moments than this no temporal controller plays
MAX_TIME_VALUES = 20_000


@dataclass(frozen=True)
class Period:
    """A resolution: whole months, and an exact rest."""

    months: int = 0
    duration: timedelta = timedelta()

    def add_to(self, start: datetime, times: int = 1) -> Optional[datetime]:
        """The moment ``times`` periods after ``start``, on the last day of a month too short; None past year 9999."""
        try:
            moment = start + self.duration * times
            whole = moment.year * 12 + moment.month - 1 + self.months * times
            year, month = divmod(whole, 12)
            day = min(moment.day, calendar.monthrange(year, month + 1)[1])
            return moment.replace(year=year, month=month + 1, day=day)
        except (OverflowError, ValueError):
            return None


@dataclass(frozen=True)
class TimeValue:
    """One value of a TIME dimension: as it is to be asked for, and the span that it stands for (UTC, end excluded)."""

    value: str
    begin: datetime
    end: datetime


def parse_time(text: str) -> Optional[Tuple[datetime, Period]]:
    """An ISO 8601 time, also one cut short: its first instant in UTC and the period that it names (year … second)."""
    match = _TIME.match(text.strip())
    if match is None:
        return None
    parts = match.groupdict()
    try:
        moment = datetime(int(parts["year"]), int(parts["month"] or 1), int(parts["day"] or 1), int(parts["hour"] or 0),
                          int(parts["minute"] or 0), int(parts["second"] or 0), tzinfo=timezone.utc)
        moment -= _utc_offset(parts["zone"])
    except (OverflowError, ValueError):
        return None
    spans = (("second", Period(duration=timedelta(seconds=1))), ("minute", Period(duration=timedelta(minutes=1))),
             ("hour", Period(duration=timedelta(hours=1))), ("day", Period(duration=timedelta(days=1))), ("month",
                                                                                                          Period(1)))
    return moment, next((span for name, span in spans if parts[name]), Period(12))


def parse_period(text: str) -> Optional[Period]:
    """A period such as P1D, PT15M or P1Y2M; None where it is none, or no length at all."""
    match = _PERIOD.match(text.strip())
    if match is None:
        return None
    parts = {name: int(value or 0) for name, value in match.groupdict().items()}
    period = Period(parts["years"] * 12 + parts["months"], timedelta(
        weeks=parts["weeks"], days=parts["days"], hours=parts["hours"], minutes=parts["minutes"],
        seconds=parts["seconds"]))
    return period if period != Period() else None


def expand_time_extent(extent: str) -> List[TimeValue]:
    """The moments of a time extent, in its order: listed values, and intervals by their resolution, MOST_MOMENTS
    at most.

    A moment lasts until the next of its interval, or as long as what its value names (a day, an hour …). Intervals
    without resolution (or of 0: any value) and words such as ``current`` name no moments.
    """
    result: List[TimeValue] = []
    for part in extent.split(","):
        for moment in _expand_part(part.strip()):
            result.append(moment)
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
        moment, following = period.add_to(begin, times), period.add_to(begin, times + 1)
        if moment is None or following is None or moment > last[0]:
            return
        yield TimeValue(_format_like(ends[0], moment), moment, following)


def _format_like(example: str, moment: datetime) -> str:
    """The moment, as finely and in the style that the extent's own first value is written in, in UTC."""
    match = _TIME.match(example)
    parts = match.groupdict() if match else {}
    if parts.get("hour") or moment.time() != datetime.min.time():
        text = moment.strftime("%Y-%m-%dT%H:%M:%SZ")
    elif parts.get("day") or moment.day != 1:
        text = f"{moment.year:04}-{moment.month:02}-{moment.day:02}"
    else:
        text = f"{moment.year:04}-{moment.month:02}" if parts.get("month") or moment.month != 1 else f"{moment.year:04}"
    return text


def _utc_offset(zone: Optional[str]) -> timedelta:
    if not zone or zone == "Z":
        return timedelta()
    digits = zone[1:].replace(":", "")
    offset = timedelta(hours=int(digits[:2]), minutes=int(digits[2:4] or 0))
    return -offset if zone[0] == "-" else offset
