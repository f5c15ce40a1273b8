"""Series: layers that show the same at different times, by their titles and names or by a TIME dimension."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, time, timedelta, timezone
from typing import Dict, Iterator, List, Optional, Sequence, Tuple

from ...text import fold
from ..model.service import Layer, Service
from .declarations import find_dimension
from .iso8601 import MAX_TIME_VALUES, TimeValue, expand_time_extent
from .title_dates import DAY, DateContext, TitleDate, date_context, find_date, uses_month_first

#: so many different dates make a series: two days are one, two years may be two editions
_MIN_DAYS = 2
_MIN_YEARS = 3


@dataclass(frozen=True)
class TimeSeriesEntry:
    """One moment of a series: the layer that shows it, from ``begin`` to ``end`` (UTC, excluded).

    ``time`` is the value of TIME to ask for where one layer shows all moments; else it is empty.
    """

    layer: str
    title: str
    begin: datetime
    end: datetime
    time: str = ""


@dataclass(frozen=True)
class TimeSeries:
    """Moments of the same theme in time's order; ``by_dimension`` where one layer's TIME dimension holds them all.

    ``complete`` is False where the dimension has more moments than are told (``times.MOST_MOMENTS``).
    """

    title: str
    entries: Tuple[TimeSeriesEntry, ...]
    by_dimension: bool = False
    complete: bool = True

    @property
    def begin(self) -> datetime:
        """The beginning of the first moment."""
        return self.entries[0].begin

    @property
    def end(self) -> datetime:
        """The end of the last moment, excluded."""
        return max(entry.end for entry in self.entries)


@dataclass(frozen=True)
class _DatedLayer:
    layer: Layer
    found: TitleDate
    group: str
    text: str


def find_time_series(service: Service) -> List[TimeSeries]:
    """All series of a service: TIME dimensions first, then layers whose titles or names carry dates.

    Members of a series have the same text but for the date, in groups whose titles are the same but for theirs.
    """
    result = []
    for layer in service.iter_layers():
        if layer.name is not None and not layer.layers:
            series = dimension_time_series(layer)
            if series is not None:
                result.append(series)
    return result + _date_time_series(service)


def dimension_time_series(layer: Layer) -> Optional[TimeSeries]:
    """The series of a layer's TIME dimension; None where it names fewer than two moments."""
    dimension = find_dimension(layer.dimensions, "time")
    if dimension is None or layer.name is None:
        return None
    told = sorted(expand_time_extent(dimension.extent), key=lambda moment: moment.begin)
    ends = _end_times(told)
    entries = tuple(
        TimeSeriesEntry(layer.name, layer.title, moment.begin, end, moment.value) for moment, end in zip(told, ends))
    if len(entries) < _MIN_DAYS:
        return None
    return TimeSeries(layer.title, entries, by_dimension=True, complete=len(entries) < MAX_TIME_VALUES)


def time_dimension_extent(layer: Layer) -> str:
    """The extent of a layer's TIME dimension as written; empty where it names fewer than two moments."""
    dimension = find_dimension(layer.dimensions, "time")
    return dimension.extent if dimension is not None and len(expand_time_extent(dimension.extent)) >= _MIN_DAYS else ""


def _end_times(told: Sequence[TimeValue]) -> List[datetime]:
    """When each moment ends: one named to the hour or finer lasts until the next one."""
    ends = []
    gap = timedelta()
    for index, moment in enumerate(told):
        if index + 1 < len(told):
            gap = told[index + 1].begin - moment.begin
        brief = moment.end - moment.begin < timedelta(days=1)
        ends.append(max(moment.end, moment.begin + gap) if brief else moment.end)
    return ends


def _date_time_series(service: Service) -> List[TimeSeries]:
    if service.root is None:
        return []
    context = date_context(service.title)
    families: Dict[Tuple[str, str, int], List[_DatedLayer]] = {}
    for dated in _dated_layers(service.root, context, ""):
        families.setdefault((dated.group, dated.found.stem, dated.found.precision), []).append(dated)
    result = []
    for (_, _, fineness), members in families.items():
        dates = {member.found.first_day for member in members}
        if len(dates) >= (_MIN_DAYS if fineness == DAY else _MIN_YEARS):
            members.sort(key=lambda member: member.found.first_day)
            result.append(TimeSeries(_common_title(members), tuple(map(_entry_of_layer, members))))
    return result


def _dated_layers(group: Layer, context: DateContext, stem: str) -> Iterator[_DatedLayer]:
    """The dated layers without children below a group; its own title tells year and month for titles like “día 3”."""
    own = find_date(group.title, context)
    context = context.refined_by(own)
    stem = f"{stem}/{own.stem if own else fold(group.title)}"
    leaves = [layer for layer in group.layers if layer.name is not None and not layer.layers]
    day_first = not uses_month_first([text for layer in leaves for text in (layer.title, layer.name or "")])
    for layer in group.layers:
        if layer.layers:
            yield from _dated_layers(layer, context, stem)
        elif layer.name is not None:
            best = _best_date(layer, context, day_first)
            if best is not None:
                yield _DatedLayer(layer, best[0], stem, best[1])


def _best_date(layer: Layer, context: DateContext, day_first: bool) -> Optional[Tuple[TitleDate, str]]:
    """The layer's date from its title or its name, and that text: the finer, then the surer one, then the title's."""
    texts = (layer.title, layer.name or "")
    found = [(date, text) for text in texts for date in [find_date(text, context, day_first)] if date]
    return min(found, key=lambda one: (one[0].precision, not one[0].certain)) if found else None


def _entry_of_layer(member: _DatedLayer) -> TimeSeriesEntry:
    begin = datetime.combine(member.found.first_day, time(), timezone.utc)
    end = datetime.combine(member.found.last_day, time(), timezone.utc) + timedelta(days=1)
    return TimeSeriesEntry(member.layer.name or "", member.layer.title, begin, end)


def _common_title(members: List[_DatedLayer]) -> str:
    """What the members' texts share at both ends, an ellipsis between: “Lluvia … de junio de 2016”."""
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
    """How many letters all texts share at their beginning."""
    length = 0
    for letters in zip(*texts):
        if len(set(letters)) > 1:
            break
        length += 1
    return length
