"""A series as one entry of a custom map: which of its moments is shown, and when each of its layers is drawn."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timezone
from functools import lru_cache
from typing import Collection, Dict, Optional, Tuple

from ..wms.model import Layer, Service
from ..wms.series import Series, SeriesEntry, series_of
from ..wms.times import parse_time

#: from begin to end (UTC, excluded)
Span = Tuple[datetime, datetime]


@dataclass(frozen=True)
class Shown:
    """The series of an entry and the moment that the map shows; ``exact`` where it is the one that was asked for."""

    series: Series
    entry: SeriesEntry
    exact: bool

    def spans(self) -> Dict[str, Span]:
        """When each layer of the series is drawn, by its name; of a TIME dimension, the time that is shown."""
        if self.series.by_dimension:
            return {self.entry.layer: (self.entry.begin, self.entry.end)}
        return {entry.layer: (entry.begin, entry.end) for entry in self.series.entries}


def shown_moment(service: Service, layers: Collection[str], moment: str) -> Optional[Shown]:
    """The longest series among ``layers`` (names) and its moment at ``moment`` (ISO 8601): the one that holds it, else
    the last one before it, else the first. None where the layers are no series.
    """
    if service.root is None:
        return None
    pruned = _pruned(service.root, frozenset(layers))
    series = _longest(service.title, pruned) if pruned is not None else None
    if series is None:
        return None
    when = parse_time(moment)
    if when is None:
        return Shown(series, series.entries[0], False)
    holding = [entry for entry in series.entries if entry.begin <= when[0] < entry.end]
    before = [entry for entry in series.entries if entry.begin <= when[0]]
    return Shown(series, (holding or before[-1:] or series.entries[:1])[0], bool(holding))


def moment_text(when: datetime) -> str:
    """A moment as the document keeps it: a day, or with its time of day where it has one (ISO 8601, UTC)."""
    when = when.astimezone(timezone.utc)
    return when.date().isoformat() if when.time() == datetime.min.time() else when.strftime("%Y-%m-%dT%H:%M:%SZ")


def _pruned(layer: Layer, names: Collection[str]) -> Optional[Layer]:
    """The tree above the layers called ``names``, with nothing but what dates are read from."""
    below = tuple(kept for child in layer.layers for kept in [_pruned(child, names)] if kept is not None)
    if not below and layer.name not in names:
        return None
    return Layer(name=layer.name, title=layer.title, dimensions=() if below else layer.dimensions, layers=below)


@lru_cache(maxsize=32)
def _longest(title: str, root: Layer) -> Optional[Series]:
    """Reading dates takes a while, and a map is planned at every change of it."""
    gathered = root if root.layers else Layer(title=title, layers=(root,))
    found = series_of(Service("", title, root=gathered))
    return max(found, key=lambda series: len(series.entries), default=None)
