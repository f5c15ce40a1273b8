"""Time series: layers of one theme at different times, found by their titles and names or by a TIME dimension."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, time, timedelta, timezone
from typing import Dict, Iterator, List, Optional, Sequence, Tuple

from ...text import fold
from ..model.service import Layer, Service
from .declarations import find_dimension
from .iso8601 import MAX_TIME_VALUES, TimeValue, expand_time_extent
from .title_dates import DateContext, DatePrecision, TitleDate, date_context, find_date, uses_month_first

#: different dates that make a series: two days are enough, two years may be two editions
_MIN_DAYS = 2
_MIN_YEARS = 3


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


@dataclass(frozen=True)
class TimeSeries:
    """Steps of one theme in chronological order.

    ``by_dimension`` is True if one layer's TIME dimension holds them all. ``complete`` is False if that dimension has
    more values than ``iso8601.MAX_TIME_VALUES``.
    """

    title: str
    entries: Tuple[TimeSeriesEntry, ...]
    by_dimension: bool = False
    complete: bool = True

    @property
    def begin(self) -> datetime:
        """The beginning of the first step (UTC)."""
        return self.entries[0].begin

    @property
    def end(self) -> datetime:
        """The end of the last step (UTC, excluded)."""
        return max(entry.end for entry in self.entries)


@dataclass(frozen=True)
class _DatedLayer:
    layer: Layer
    found: TitleDate
    group: str
    text: str


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


def dimension_time_series(layer: Layer) -> Optional[TimeSeries]:
    """Return the series of a layer's TIME dimension, or None if it has fewer than two values."""
    dimension = find_dimension(layer.dimensions, "time")
    if dimension is None or layer.name is None:
        return None
    values = sorted(expand_time_extent(dimension.extent), key=lambda value: value.begin)
    ends = _end_times(values)
    entries = tuple(
        TimeSeriesEntry(layer.name, layer.title, value.begin, end, value.value) for value, end in zip(values, ends))
    if len(entries) < _MIN_DAYS:
        return None
    return TimeSeries(layer.title, entries, by_dimension=True, complete=len(entries) < MAX_TIME_VALUES)


def time_dimension_extent(layer: Layer) -> str:
    """Return the extent of a layer's TIME dimension as written, or "" if it has fewer than two values."""
    dimension = find_dimension(layer.dimensions, "time")
    return dimension.extent if dimension is not None and len(expand_time_extent(dimension.extent)) >= _MIN_DAYS else ""


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
