"""Time series: layers of one theme at different times, found by a TIME dimension or by dates in their titles and names,
which are read in Spanish and English as publishers of daily series write them."""

from __future__ import annotations

import calendar
import re
from collections import deque
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, timezone
from enum import IntEnum
from functools import lru_cache
from typing import Collection, Deque, Dict, Iterator, List, Match, Optional, Pattern, Sequence, Tuple
from weakref import ReferenceType, ref

from ...text import fold
from ..model.service import Dimension, Layer, Service
from .declared_dimensions import find_dimension
from .iso8601 import MAX_TIME_VALUES, TimeValue, expand_time_extent, parse_time


class DatePrecision(IntEnum):
    """The precision of a date, the highest first."""

    DAY = 0
    MONTH = 1
    YEAR = 2


_MONTH_NAMES: Tuple[Tuple[str, ...], ...] = (
    ("enero", "ene", "january", "jan"), ("febrero", "feb", "february"), ("marzo", "mar", "march"),
    ("abril", "abr", "april", "apr"), ("mayo", "may"), ("junio", "jun", "june"), ("julio", "jul", "july"),
    ("agosto", "ago", "august", "aug"), ("septiembre", "setiembre", "sept", "sep", "set", "september"),
    ("octubre", "oct", "october"), ("noviembre", "nov", "november"), ("diciembre", "dic", "december", "dec"))
_MONTHS: Dict[str, int] = {name: number for number, names in enumerate(_MONTH_NAMES, 1) for name in names}
#: full names as short as abbreviations
_SHORT_MONTHS = ("mayo", "june", "july")
_MONTH = "(?P<month>" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + r")(?![a-z])\.?"
_YEAR = r"(?P<year>(?:1[89]|20|21)\d\d)(?!\d)"
_DAY = r"(?<!\d)(?P<day>0?[1-9]|[12]\d|3[01])(?!\d)"
_SEPARATOR = r"[\s_,./-]*"
_PREPOSITION = rf"{_SEPARATOR}(?:de\s+|del\s+(?:ano\s+)?|of\s+)?"

_NUMERIC_DATE = re.compile(
    r"(?<!\d)(?P<first>\d{1,2})(?P<gap>[-_./ ])(?P<second>\d{1,2})(?P=gap)(?P<year>(?:19|20)\d\d)(?!\d)")

_ORDINAL = r"(?:\s?(?:o|ero|er|st|nd|rd|th)(?![a-z]))?"
_LONG_MONTH = "|".join(name for name in _MONTHS if len(name) > 4 or name in _SHORT_MONTHS)
#: regular expressions by precision. Written-out dates come before numbers, whole dates before their parts
_EXPRESSIONS: Tuple[Tuple[DatePrecision, Tuple[str, ...]], ...] = (
    (DatePrecision.DAY, (
        # 2016-06-03, 20160603
        r"(?<!\d)(?P<year>(?:1[89]|20|21)\d\d)(?P<gap>[-_./]?)(?P<number>0[1-9]|1[0-2])(?P=gap)"
        r"(?P<day>0[1-9]|[12]\d|3[01])(?!\d)",
        # 3 de junio de 2016, 3rd of June 2016
        rf"{_DAY}{_ORDINAL}{_PREPOSITION}{_MONTH}{_PREPOSITION}{_YEAR}",
        # June 3, 2016
        rf"(?<![a-z]){_MONTH}{_SEPARATOR}{_DAY}(?:st|nd|rd|th)?{_SEPARATOR}{_YEAR}",
        # 2016 June 3
        rf"(?<!\d){_YEAR}{_SEPARATOR}{_MONTH}{_SEPARATOR}{_DAY}",
        # 03/06/2016
        _NUMERIC_DATE.pattern,
        # 03062016
        r"(?<!\d)(?P<first>\d\d)(?P<second>\d\d)(?P<year>(?:19|20)\d\d)(?!\d)",
        # 3 de junio
        rf"{_DAY}{_ORDINAL}{_PREPOSITION}(?<![a-z]){_MONTH}(?!{_PREPOSITION}\d)",
        # June 3
        rf"(?<![a-z]){_MONTH}{_SEPARATOR}{_DAY}(?:st|nd|rd|th)?(?!{_SEPARATOR}\d)",
        # día 3
        rf"(?<![a-z])(?:dia|day|d)[\s_.-]*{_DAY}",
    )),
    (DatePrecision.MONTH, (
        # junio de 2016
        rf"(?<![a-z]){_MONTH}{_PREPOSITION}{_YEAR}",
        # 2016 junio
        rf"(?<!\d){_YEAR}{_SEPARATOR}(?<![a-z]){_MONTH}",
        # 2016-06
        r"(?<!\d)(?P<year>(?:19|20)\d\d)[-_./](?P<number>0[1-9]|1[0-2])(?!\d)",
        # 06/2016
        r"(?<!\d)(?P<number>0[1-9]|1[0-2])[-_./](?P<year>(?:19|20)\d\d)(?!\d)",
        # 201606
        r"(?<!\d)(?P<year>(?:19|20)\d\d)(?P<number>0[1-9]|1[0-2])(?!\d)",
        # junio
        rf"(?<![a-z])(?P<month>{_LONG_MONTH})(?![a-z])",
    )),
    (DatePrecision.YEAR, (
        rf"(?<!\d){_YEAR}",
    )),
)
_PATTERNS: Tuple[Tuple[Pattern[str], DatePrecision], ...] = tuple(
    (re.compile(expression), precision) for precision, expressions in _EXPRESSIONS for expression in expressions)
_WEEKDAY = re.compile(r"(?<![a-z])(?:lunes|martes|miercoles|jueves|viernes|sabado|domingo|"
                      r"(?:mon|tues|wednes|thurs|fri|satur|sun)day)(?![a-z]),?")
#: characters in which a date is searched
_MAX_TEXT_LENGTH = 500


@dataclass(frozen=True)
class TitleDate:
    """A date found in a title or name. Month and day are None if the text only names a month or a year.

    ``stem`` is the folded text with an ellipsis instead of the date, which the members of a series have in common.
    ``certain`` is False if day and month could be the other way round, or if year or month come from the context.
    """

    year: int
    month: Optional[int]
    day: Optional[int]
    stem: str
    certain: bool = True

    @property
    def precision(self) -> DatePrecision:
        if self.day is not None:
            return DatePrecision.DAY
        return DatePrecision.YEAR if self.month is None else DatePrecision.MONTH

    @property
    def first_day(self) -> date:
        """The first day of the day, month or year."""
        return date(self.year, self.month or 1, self.day or 1)

    @property
    def last_day(self) -> date:
        """The last day of the day, month or year, included."""
        month = self.month or 12
        return date(self.year, month, self.day or calendar.monthrange(self.year, month)[1])


@dataclass(frozen=True)
class DateContext:
    """Year and month from the titles of the groups above a layer, for layers that only say “día 3”."""

    year: Optional[int] = None
    month: Optional[int] = None

    def refined_by(self, title_date: Optional[TitleDate]) -> DateContext:
        """Return the context for a nearer title with the date ``title_date``.

        It is the year and month of that date. In the same year the former month stays if the date has none.
        """
        if title_date is None:
            return self
        return DateContext(title_date.year, title_date.month or (self.month if title_date.year == self.year else None))


def find_date(text: str, context: Optional[DateContext] = None, day_first: bool = True) -> Optional[TitleDate]:
    """Return the most precise date in ``text``, or None.

    Recognised are “3 de junio de 2016”, “June 3, 2016”, “3rd of June 2016”, 2016-06-03, 20160603, 03_06_2016 and
    03062016, with ``context`` also “3 de junio” and “día 3”, and with lower precision “junio de 2016”, 2016-06 and
    “2016”. Numbers alone are read as day, month, year, unless ``day_first`` is False or only the other order gives a
    date.
    """
    folded = fold(text[:_MAX_TEXT_LENGTH])
    for title_date in _dates(folded, context or DateContext(), day_first):
        return title_date
    return None


def date_context(*texts: str) -> DateContext:
    """Return year and month named in ``texts``, ordered from the service's title to the nearest group's, which wins.

    “2016” for the service and “Junio” for the group give June 2016.
    """
    context = DateContext()
    for text in texts:
        context = context.refined_by(find_date(text, context))
    return context


def uses_month_first(texts: List[str]) -> bool:
    """Return whether numeric dates in ``texts`` are only valid with the month first, such as 06/13/2016."""
    seconds: List[int] = []
    for text in texts:
        for match in _NUMERIC_DATE.finditer(fold(text[:_MAX_TEXT_LENGTH])):
            first, second = int(match.group("first")), int(match.group("second"))
            if first > 12:
                return False
            seconds.append(second)
    return any(second > 12 for second in seconds)


def _dates(folded: str, context: DateContext, day_first: bool) -> Iterator[TitleDate]:
    """Yield the dates in a folded text, the most precise and certain first."""
    invalid_spans: List[Tuple[int, int]] = []
    for pattern, precision in _PATTERNS:
        for match in pattern.finditer(folded):
            if any(match.start() < end and start < match.end() for start, end in invalid_spans):
                continue
            title_date = _date_from_match(match, context, day_first)
            if title_date is not None:
                yield title_date
            elif precision == DatePrecision.DAY and (match.groupdict().get("year") or match.groupdict().get("month")):
                invalid_spans.append(match.span())  # 31/02/2016 is no date, and is not February either


def _date_from_match(match: Match[str], context: DateContext, day_first: bool) -> Optional[TitleDate]:
    """Return the date of one match, or None if it is not in the calendar or has no year."""
    parts = match.groupdict()
    certain = True
    day, month = _number(parts.get("day")), _number(parts.get("number"))
    if parts.get("month"):
        month = _MONTHS[parts["month"]]
    if parts.get("first"):
        day, month, certain = _day_and_month(int(parts["first"]), int(parts["second"]), day_first)
    year = _number(parts.get("year"))
    if day is not None and month is None:
        month, certain = context.month, False
    if year is None:
        year, certain = context.year, False
    if year is None or (day is not None and month is None):
        return None
    if (month is not None and not 1 <= month <= 12) or (
            day is not None and month is not None and not 1 <= day <= calendar.monthrange(year, month)[1]):
        return None
    text = match.string
    remainder = _WEEKDAY.sub(" ", f"{text[:match.start()]} … {text[match.end():]}".replace("_", " "))
    stem = " ".join(remainder.split())
    return TitleDate(year, month, day, stem, certain)


def _day_and_month(first: int, second: int, day_first: bool) -> Tuple[int, int, bool]:
    if first > 12 or second > 12:
        return (first, second, True) if first > 12 else (second, first, True)
    return (first, second, False) if day_first else (second, first, False)


def _number(text: Optional[str]) -> Optional[int]:
    return int(text) if text else None


#: different dates that make a series: two days are enough, two years may be two editions
_MIN_DAYS = 2
_MIN_YEARS = 3
#: values of TIME that a layer's source lists one by one
_MAX_LISTED = 1000


@dataclass(frozen=True)
class TimeSeriesEntry:
    """One step of a time series: the layer that shows it, from ``begin`` to ``end`` (UTC, excluded).

    ``time`` is the value of TIME if one layer shows all steps, otherwise empty.
    """

    layer: str
    title: str
    begin: datetime
    end: datetime
    time: str = ""

    @property
    def moment(self) -> str:
        """The value of TIME, or the day, month or year that the layer shows (ISO 8601)."""
        days = (self.end - self.begin).days
        return self.time or self.begin.date().isoformat()[:10 if days < 28 else 7 if days < 365 else 4]


@dataclass(frozen=True)
class TimeSeries:
    """Steps of one theme in chronological order.

    ``by_dimension`` is True if one layer's TIME dimension holds them all. ``complete`` is False if that dimension has
    more values than ``iso8601.MAX_TIME_VALUES``. ``default`` is the step that the service shows where no time is
    requested, None if it names none.
    """

    title: str
    entries: Tuple[TimeSeriesEntry, ...]
    by_dimension: bool = False
    complete: bool = True
    default: Optional[TimeSeriesEntry] = None

    @property
    def begin(self) -> datetime:
        """The beginning of the first step (UTC)."""
        return self.entries[0].begin

    @property
    def end(self) -> datetime:
        """The end of the last step (UTC, excluded)."""
        return max(entry.end for entry in self.entries)

    @property
    def first_shown(self) -> TimeSeriesEntry:
        """The service's default, else the first step."""
        return self.default or self.entries[0]

    def entry_at(self, when: datetime) -> TimeSeriesEntry:
        """Return the last step that has begun at ``when``, else the first. It is what QGIS requests for that time."""
        return next((entry for entry in reversed(self.entries) if entry.begin <= when), self.entries[0])


@dataclass(frozen=True)
class _DatedLayer:
    layer: Layer
    found: TitleDate
    group: str
    text: str


#: services that were searched last, known by identity, with their series. A service that nobody shows any more is freed
_searched: Deque[Tuple[ReferenceType[Service], Sequence[TimeSeries]]] = deque(maxlen=4)


def find_time_series(service: Service) -> List[TimeSeries]:
    """Return all time series of a service: TIME dimensions first, then layers with dates in their titles or names.

    The texts of a series are equal except for the date, and so are the titles of the groups above.
    """
    result = []
    for layer in service.iter_layers():
        if layer.name is not None and not layer.layers:
            series = dimension_time_series(layer)
            if series is not None:
                result.append(series)
    return result + _date_time_series(service)


def series_of_service(service: Service) -> Sequence[TimeSeries]:
    """Return the series that ``find_time_series`` finds, searched once for each of the services asked for last.

    To search 3,000 layers takes some 100 ms.
    """
    found = next((series for searched, series in tuple(_searched) if searched() is service), None)
    if found is None:
        found = find_time_series(service)
        _searched.append((ref(service), found))
    return found


def has_dated_layers(service: Service, names: Collection[str]) -> bool:
    """Return true where a layer called one of ``names`` is part of a time series of the service.

    All layers are read for it only if one of these has a date or a TIME dimension.
    """
    wanted = set(names)
    layers = [layer for layer in service.iter_layers() if layer.name in wanted]
    context = DateContext(2000, 1)
    if not any(find_dimension(layer.dimensions, "time") or find_date(layer.title, context)
               or find_date(layer.name or "", context) for layer in layers):
        return False
    return any(entry.layer in wanted for series in series_of_service(service) for entry in series.entries)


def dimension_time_series(layer: Layer) -> Optional[TimeSeries]:
    """Return the series of a layer's TIME dimension, or None if it has fewer than two values.

    Values that begin at the same time are one step.
    """
    dimension = find_dimension(layer.dimensions, "time")
    if dimension is None or layer.name is None:
        return None
    values = _distinct_values(dimension.extent)
    if len(values) < _MIN_DAYS:
        return None
    entries = tuple(TimeSeriesEntry(layer.name, layer.title, value.begin, end, value.value)
                    for value, end in zip(values, _end_times(values)))
    return TimeSeries(layer.title, entries, by_dimension=True, complete=len(entries) < MAX_TIME_VALUES,
                      default=_default_entry(dimension.default, entries))


def _distinct_values(extent: str) -> List[TimeValue]:
    by_begin: Dict[datetime, TimeValue] = {}
    for value in expand_time_extent(extent):
        by_begin.setdefault(value.begin, value)
    return sorted(by_begin.values(), key=lambda value: value.begin)


def _default_entry(default: Optional[str], entries: Sequence[TimeSeriesEntry]) -> Optional[TimeSeriesEntry]:
    """Return the step that a dimension's default names, of several values the first, and of "current" the latest."""
    first = (default or "").split(",")[0].split("/")[0].strip()
    if first.lower() == "current":
        return entries[-1]
    when = parse_time(first)
    return next((entry for entry in entries if entry.time == first), None) or next(
        (entry for entry in entries if when is not None and entry.begin <= when[0] < entry.end), None)


def time_dimension_extent(layer: Layer) -> str:
    """Return the extent of a layer's TIME dimension as written, or "" if it has fewer than two values."""
    dimension = find_dimension(layer.dimensions, "time")
    return dimension.extent if dimension is not None and len(_distinct_values(dimension.extent)) >= _MIN_DAYS else ""


@lru_cache(maxsize=32)
def extent_time_series(name: str, title: str, extent: str) -> Optional[TimeSeries]:
    """Return the series of a layer whose TIME dimension has this extent. Cached, because plans ask again and again."""
    return dimension_time_series(Layer(name, title, dimensions=(Dimension("time", extent=extent),)))


def provider_extent(extent: str) -> Tuple[str, bool]:
    """Return the extent of TIME in the form that QGIS compares times with, and whether that has times of day.

    QGIS reads whole dates only, counts a month as thirty days, and looks for the last listed value that has begun. So
    the values are listed one by one, in order: as dates if all are days, months or years, else in UTC. Returns "" where
    there are too many for a layer's source. QGIS requests the beginning of the time that it shows then.
    """
    values = _distinct_values(extent)
    has_clock = any("T" in value.value or value.begin.time() != time() for value in values)
    if len(values) > _MAX_LISTED:
        return "", has_clock
    return ",".join(value.begin.replace(tzinfo=None).isoformat() + "Z" if has_clock else
                    value.begin.date().isoformat() for value in values), has_clock


def _end_times(values: Sequence[TimeValue]) -> List[datetime]:
    """Return the end of each value. A value with the precision of an hour or finer lasts until the next one."""
    ends = []
    gap = timedelta()
    for index, value in enumerate(values):
        if index + 1 < len(values):
            gap = values[index + 1].begin - value.begin
        brief = value.end - value.begin < timedelta(days=1)
        ends.append(max(value.end, value.begin + gap) if brief else value.end)
    return ends


def _date_time_series(service: Service) -> List[TimeSeries]:
    if service.root is None:
        return []
    context = date_context(service.title)
    groups: Dict[Tuple[str, str, DatePrecision], List[_DatedLayer]] = {}
    for dated in _dated_layers(service.root, context, ""):
        groups.setdefault((dated.group, dated.found.stem, dated.found.precision), []).append(dated)
    result = []
    for (_, _, precision), members in groups.items():
        dates = {member.found.first_day for member in members}
        if len(dates) >= (_MIN_DAYS if precision is DatePrecision.DAY else _MIN_YEARS):
            members.sort(key=lambda member: member.found.first_day)
            result.append(TimeSeries(_common_title(members), tuple(map(_entry_of_layer, members))))
    return result


def _dated_layers(group: Layer, context: DateContext, stem: str) -> Iterator[_DatedLayer]:
    """Yield the dated layers without children below a group.

    The group's title supplies year and month for titles such as “día 3”.
    """
    group_date = find_date(group.title, context)
    context = context.refined_by(group_date)
    stem = f"{stem}/{group_date.stem if group_date else fold(group.title)}"
    leaves = [layer for layer in group.layers if layer.name is not None and not layer.layers]
    day_first = not uses_month_first([text for layer in leaves for text in (layer.title, layer.name or "")])
    for layer in group.layers:
        if layer.layers:
            yield from _dated_layers(layer, context, stem)
        elif layer.name is not None:
            dated = _best_date(layer, context, day_first)
            if dated is not None:
                yield _DatedLayer(layer, dated[0], stem, dated[1])


def _best_date(layer: Layer, context: DateContext, day_first: bool) -> Optional[Tuple[TitleDate, str]]:
    """Return the layer's date and the text with the date, its title or its name, or None.

    The higher precision wins, then certainty, then the title.
    """
    texts = (layer.title, layer.name or "")
    candidates = [(date, text) for text in texts for date in [find_date(text, context, day_first)] if date]
    return min(candidates, key=lambda candidate: (candidate[0].precision, not candidate[0].certain), default=None)


def _entry_of_layer(member: _DatedLayer) -> TimeSeriesEntry:
    begin = datetime.combine(member.found.first_day, time(), timezone.utc)
    end = datetime.combine(member.found.last_day, time(), timezone.utc) + timedelta(days=1)
    return TimeSeriesEntry(member.layer.name or "", member.layer.title, begin, end)


def _common_title(members: List[_DatedLayer]) -> str:
    """Return what the texts share at both ends, with an ellipsis between: “Lluvia … de junio de 2016”."""
    titles = {member.layer.title for member in members}
    if len(titles) == 1:
        return titles.pop()
    texts = [member.text for member in members]
    start = _common_prefix_length(texts)
    end = min(_common_prefix_length([text[::-1] for text in texts]), min(map(len, texts)) - start)
    head = texts[0][:start].rstrip("0123456789 _-./")
    tail = texts[0][len(texts[0]) - end:].lstrip("0123456789 _-./,;:") if end else ""
    title = f"{head} … {tail}" if len(tail) > 1 else f"{head}…{tail}" if tail else head
    return title.strip(" _-.,;:") or texts[0]


def _common_prefix_length(texts: Sequence[str]) -> int:
    """Return the number of characters that all texts share at their beginning."""
    length = 0
    for letters in zip(*texts):
        if len(set(letters)) > 1:
            break
        length += 1
    return length
