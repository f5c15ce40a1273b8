"""A time series as one entry of a custom map: the moment shown, and the time at which each layer is drawn."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Callable, Collection, Dict, Iterable, Optional, Sequence, Tuple

from ..wms.dimensions.iso8601 import parse_time
from ..wms.dimensions.time_series import (
    TimeSeries,
    TimeSeriesEntry,
    extent_time_series,
    find_time_series,
    has_dated_layers,
)
from ..wms.model.service import Layer, Service
from .model import BlendMode, CustomMap, LayerPlan, MapEntry

#: from begin to end (UTC, excluded)
TimeSpan = Tuple[datetime, datetime]
#: the opacity of a series that is added above others
SERIES_OPACITY = 0.8
_SECOND = timedelta(seconds=1)


@dataclass(frozen=True)
class ShownMoment:
    """The time series of an entry and the moment shown. ``is_exact``: it is the requested moment."""

    series: TimeSeries
    entry: TimeSeriesEntry
    is_exact: bool

    def layer_steps(self) -> Dict[str, TimeSeriesEntry]:
        """Return the step of each layer of the series by name, or the one shown of a TIME dimension."""
        if self.series.by_dimension:
            return {self.entry.layer: self.entry}
        return {entry.layer: entry for entry in self.series.entries}


def is_series(entry: MapEntry, service: Optional[Service] = None) -> bool:
    """Return whether an entry is a time series, or has layers of one as far as its service is known."""
    return bool(entry.moment) or (service is not None and has_dated_layers(service, entry.layers))


def blended_series(entry: MapEntry, service: Optional[Service] = None) -> MapEntry:
    """Return an entry as it is added above others: what lies below a series, such as rain, is read through it.

    It is multiplied, and dark classes let names and lines through, until somebody chooses otherwise.
    """
    if entry.blend is not BlendMode.NORMAL or not is_series(entry, service):
        return entry
    return replace(entry, blend=BlendMode.MULTIPLY, opacity=SERIES_OPACITY if entry.opacity == 1.0 else entry.opacity)


def with_blended_series(custom_map: CustomMap,
                        find_service: Callable[[MapEntry], Optional[Service]] = lambda _entry: None) -> CustomMap:
    """Return a map of entries that were just made, the series among them as they are added above others."""
    lowest = next(iter(custom_map.stack), None)
    return custom_map.with_entries([
        entry if number == 0 and entry is lowest else blended_series(entry, find_service(entry))
        for number, entry in enumerate(custom_map.entries)])


def is_below_series(overlays: Iterable[MapEntry], find_service: Callable[[MapEntry], Optional[Service]]) -> bool:
    """Return whether a series with its colours multiplied is seen above what ``overlays`` lie on.

    The ground below it is drawn pale and grey then: its own colours would make others of those of the series' legend.
    """
    return any(entry.visible and entry.blend is BlendMode.MULTIPLY and is_series(entry, find_service(entry))
               for entry in overlays)


def select_moment(service: Service, layers: Collection[str], moment: str) -> Optional[ShownMoment]:
    """Return the longest time series among ``layers`` (names) and its entry for ``moment`` (ISO 8601), or None.

    The entry is the last one that has begun at the moment, else the first, and the service's default for no moment.
    """
    if service.root is None:
        return None
    pruned = _prune_tree(service.root, frozenset(layers))
    series = _longest_series(service.title, pruned) if pruned is not None else None
    if series is None:
        return None
    when = parse_time(moment)
    if when is None:
        return ShownMoment(series, series.first_shown, False)
    entry = series.entry_at(when[0])
    return ShownMoment(series, entry, entry.begin <= when[0] < entry.end)


def page_time(layers: Iterable[LayerPlan]) -> Optional[TimeSpan]:
    """Return the time for which a map with ``layers`` requests those with a TIME dimension, or None for the defaults.

    QGIS requests the last value of each that has begun when this time begins. It draws the layers of a single day,
    month or year that this time has to do with.
    """
    timed = [layer for layer in layers if layer.visible and layer.time_span is not None]
    spans = [layer.time_span for layer in timed if layer.time_span is not None]
    if not any(layer.time_extent for layer in timed):
        return None
    begin = max(span[0] for span in spans)
    single_ends = [layer.time_span[1] for layer in timed if layer.time_span is not None and not layer.time_extent]
    if single_ends:
        begin = min(begin, min(single_ends) - _SECOND)
    return begin, max(begin + _SECOND, *(span[1] for span in spans))


def layers_at_one_time(layers: Sequence[LayerPlan]) -> Tuple[LayerPlan, ...]:
    """Return ``layers`` with what each that has a TIME dimension shows on one page, which has one time.

    A layer whose time nobody has chosen follows the series of other services, as it does on QGIS's canvas.
    """
    begins = [layer.time_span[0] for layer in layers if layer.visible and layer.time_span is not None]
    if not begins:
        return tuple(layers)
    # all are asked for the latest time that was chosen, and for that of a series that begins later still
    when, shown = max(begins), tuple(layers)
    for _ in range(2):
        asked = page_time(replace(layer, time_span=(when, when + _SECOND)) if layer.time_extent else layer
                          for layer in layers)
        if asked is None:
            break
        shown = tuple(_layer_at(layer, asked[0]) if layer.visible and layer.time_extent else layer for layer in layers)
        when = max(when, *(layer.time_span[0] for layer in shown if layer.visible and layer.time_span is not None))
    return shown


def _layer_at(layer: LayerPlan, when: datetime) -> LayerPlan:
    series = extent_time_series(layer.name, layer.title, layer.time_extent)
    if series is None:
        return layer
    entry = series.entry_at(when)
    return replace(layer, time_span=(entry.begin, entry.end), moment=entry.moment)


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
