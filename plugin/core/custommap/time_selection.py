"""A time series as one entry of a custom map: the moment shown, and the time at which each layer is drawn."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timezone
from functools import lru_cache
from typing import Collection, Dict, Optional, Tuple

from ..wms.dimensions.iso8601 import parse_time
from ..wms.dimensions.time_series import TimeSeries, TimeSeriesEntry, find_time_series
from ..wms.model.service import Layer, Service

#: from begin to end (UTC, excluded)
TimeSpan = Tuple[datetime, datetime]


@dataclass(frozen=True)
class ShownMoment:
    """The time series of an entry and the moment shown. ``is_exact``: it is the requested moment."""

    series: TimeSeries
    entry: TimeSeriesEntry
    is_exact: bool

    def layer_spans(self) -> Dict[str, TimeSpan]:
        """Return the time span of each layer of the series by name, or the time shown of a TIME dimension."""
        if self.series.by_dimension:
            return {self.entry.layer: (self.entry.begin, self.entry.end)}
        return {entry.layer: (entry.begin, entry.end) for entry in self.series.entries}


def select_moment(service: Service, layers: Collection[str], moment: str) -> Optional[ShownMoment]:
    """Return the longest time series among ``layers`` (names) and its entry for ``moment`` (ISO 8601), or None.

    The entry is the one that contains the moment, else the last one before it, else the first.
    """
    if service.root is None:
        return None
    pruned = _prune_tree(service.root, frozenset(layers))
    series = _longest_series(service.title, pruned) if pruned is not None else None
    if series is None:
        return None
    when = parse_time(moment)
    if when is None:
        return ShownMoment(series, series.entries[0], False)
    holding = [entry for entry in series.entries if entry.begin <= when[0] < entry.end]
    before = [entry for entry in series.entries if entry.begin <= when[0]]
    return ShownMoment(series, (holding or before[-1:] or series.entries[:1])[0], bool(holding))


def format_moment(when: datetime) -> str:
    """Return a moment as saved in the document: a day, or with the time of day where it has one (ISO 8601, UTC)."""
    when = when.astimezone(timezone.utc)
    return when.date().isoformat() if when.time() == datetime.min.time() else when.strftime("%Y-%m-%dT%H:%M:%SZ")


def _prune_tree(layer: Layer, names: Collection[str]) -> Optional[Layer]:
    """Return the tree above the layers called ``names``, reduced to what dates are read from."""
    below = tuple(pruned for child in layer.layers for pruned in [_prune_tree(child, names)] if pruned is not None)
    if not below and layer.name not in names:
        return None
    return Layer(name=layer.name, title=layer.title, dimensions=() if below else layer.dimensions, layers=below)


@lru_cache(maxsize=32)
def _longest_series(title: str, root: Layer) -> Optional[TimeSeries]:
    """Return the longest time series. Cached, because a map is planned again after every change."""
    gathered = root if root.layers else Layer(title=title, layers=(root,))
    all_series = find_time_series(Service("", title, root=gathered))
    return max(all_series, key=lambda series: len(series.entries), default=None)
