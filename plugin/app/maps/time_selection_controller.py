"""The moment of a time series that the custom map shows, and QGIS's Temporal Controller in step with it."""

from __future__ import annotations

from typing import Optional, Sequence

from qgis.PyQt.QtCore import QObject

from ...core.custommap import undo_history
from ...core.custommap.time_selection import ShownMoment, format_moment, select_moment
from ...core.i18n import tr
from ...core.wms.dimensions.time_series import TimeSeriesEntry
from ...gis.layers import time_series as gis_series
from ...gis.layers.time_series import SeriesVisibility
from ..window import MapWindow, Prompts
from .map_controller import MapController
from .map_state import MapItem, update_entry


class TimeSelectionController(QObject):
    """Shows one moment of each series on the map. The others stay hidden."""

    def __init__(self, map_controller: MapController, window: MapWindow, prompts: Prompts,
                 parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._map, self._window, self._prompts = map_controller, window, prompts
        #: the dialog that was opened last
        self.dialog: object = None
        self.series_visibility = SeriesVisibility(lambda: window.canvas, self._map.project, self)
        self._map.changed.connect(self.series_visibility.hide_other_moments)
        self._map.built.connect(self._on_added)

    def ask_time(self, number: int) -> None:
        """Let the person choose the moment of the series at this position of the map."""
        item = self._map.stack[number]
        shown = self._selection_of(item) if isinstance(item, MapItem) else None
        if shown is None or not isinstance(item, MapItem):
            return
        entries = shown.series.entries
        self.dialog = self._prompts.choose(
            tr("Time shown on the map"), tr("Time of “{title}” shown on the printed map:", title=item.entry.title),
            [_entry_label(entry) for entry in entries], entries.index(shown.entry),
            lambda index: self._set_time(item, entries[index]))

    def canvas_time(self) -> str:
        """Return the time that the map canvas shows, in the document's format, or ""."""
        shown = gis_series.canvas_time(self._window.canvas)
        return format_moment(shown) if shown is not None else ""

    def _set_time(self, item: MapItem, entry: TimeSeriesEntry) -> None:
        if item not in self._map.items:
            return
        update_entry(item, moment=format_moment(entry.begin))
        self._show_time(item)
        self._map.commit(undo_history.layer_settings(item.entry))

    def _on_added(self, item: MapItem) -> None:
        if item.entry.moment:
            self._show_time(item)

    def _show_time(self, item: MapItem) -> None:
        shown = self._selection_of(item)
        if shown is not None:
            self.series_visibility.choose(item.entry.endpoint, shown.entry.begin)
            gis_series.show_series(shown.series, self._map.project, self._window.canvas, shown.entry)

    def _selection_of(self, item: MapItem) -> Optional[ShownMoment]:
        service = self._map.service_of(item.entry)
        layers: Sequence[str] = item.entry.layers or tuple(item.layer_ids)
        return select_moment(service, layers, item.entry.moment or "") if service is not None else None


def _entry_label(entry: TimeSeriesEntry) -> str:
    """Return a moment with the title of its layer."""
    text = format_moment(entry.begin)
    return f"{text} · {entry.title}" if entry.title and not entry.time else text
