"""Time series of a service, such as daily images: found, added to project or map, and shown at one moment."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Callable, Dict, List, Optional, Sequence, Tuple

from qgis.PyQt.QtCore import QObject, pyqtSignal

from ...core.custommap import undo_history
from ...core.custommap.model import CustomMap, MapEntry, MapRole, Plan
from ...core.custommap.time_selection import ShownMoment, select_moment
from ...core.dates import format_date
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.records.model.record import Record
from ...core.wms.dimensions.iso8601 import parse_time
from ...core.wms.dimensions.time_series import TimeSeries, TimeSeriesEntry, series_of_service
from ...core.wms.model.service import Service
from ...gis.credits.layer_metadata import listed_layers
from ...gis.layers import time_series as gis_series
from ...gis.layers import wms_layers as gis_layers
from ...gis.layers.time_series import SeriesVisibility
from ...gis.runtime import tasks
from ..phrases import failed_layers
from ..records.dock_session import DockSession
from ..records.record_controller import SelectedRecord
from ..window import MapWindow, Notifier, Prompts
from .map_controller import MapController
from .map_state import LayerChoice, MapItem, make_entry

#: series that the menu offers; others are found by searching the layers
_MAX_OFFERED = 12
#: layers of one series, nearly three years of days; a message reports how many were left out
_MAX_LAYERS = 1000


class TimeSeriesController(QObject):
    """Finds the series of the selected record's service and adds the chosen one to the map, as one group."""

    #: labels of the series that were found: to add all moments, and to add one moment to the custom map
    series_found = pyqtSignal(list, list)
    #: a series is going to be part of the custom map
    overlay_requested = pyqtSignal()
    adding_changed = pyqtSignal()

    def __init__(self, session: DockSession, map_controller: MapController, selected: SelectedRecord,
                 times: TimeSelectionController, window: MapWindow, save_for_map: Callable[[Record], None],
                 notifier: Notifier, parent: Optional[QObject] = None) -> None:
        """``save_for_map`` saves a record to the library if only a catalogue has it."""
        super().__init__(parent)
        self._session, self._map, self._selected, self._times = session, map_controller, selected, times
        self._window, self._save_for_map, self._notifier = window, save_for_map, notifier
        self._searched_service: Optional[Service] = None
        self._series: Sequence[TimeSeries] = ()
        self._all_found: Optional[Sequence[TimeSeries]] = None
        self._search = tasks.LatestJob[Sequence[TimeSeries]](self)
        self._jobs = tasks.RunningJobs(self)
        self._jobs.changed.connect(self.adding_changed)
        map_controller.arrivals.include(lambda: self.adding, self.adding_changed)
        session.service_changed.connect(lambda _endpoint: self.refresh())

    @property
    def adding(self) -> bool:
        """True while the layers of a series are being made."""
        return bool(self._jobs)

    def refresh(self) -> None:
        """Search for series in a task, if the service of the selected record is loaded and was not searched already."""
        service = self._selected_service()
        if service is not None and service is self._searched_service:
            return
        self._searched_service, self._series, self._all_found = service, (), None
        self.series_found.emit([], [])
        self._search.cancel()
        if service is not None:
            searched = service
            self._search.start(tr("Searching for time series"), lambda _feedback: series_of_service(searched),
                               partial(self._on_series_found, searched), partial(self._on_search_failed, searched))

    def series_of(self, service: Service) -> Optional[Sequence[TimeSeries]]:
        """Return the series of the selected record's service, or None while they are being searched for."""
        return self._all_found if service is self._searched_service else None

    def cancel(self) -> None:
        """Cancel the series whose layers are being made."""
        self._jobs.cancel()

    def add(self, number: int) -> None:
        """Add all moments of a found series to the project, with its service's credit."""
        chosen = self._series_and_entry(number)
        if chosen is not None:
            self._add_to_project(*chosen)

    def _add_to_project(self, series: TimeSeries, entry: MapEntry) -> None:
        plan = self._map.plan(CustomMap(title=series.title, overlays=(entry,), crs=self._map.crs()))
        self._jobs.add(gis_layers.start_making_layers(
            plan, partial(self._on_built, series, plan), lambda error: self._notifier.show_error(
                error, partial(self._add_to_project, series, entry), series.title, for_map=False),
            self, cache=self._session.services))

    def add_overlay(self, number: int) -> None:
        """Add the series to the custom map, which shows one moment of it: the canvas's, else the first."""
        chosen = self._series_and_entry(number)
        if chosen is not None:
            self._add_to_map(*chosen)

    def add_series_of(self, record: Record, endpoint: str, series: TimeSeries, to_custom_map: bool) -> None:
        """Add a series of any record's service to the custom map, which shows one moment of it, or to the project."""
        self._save_for_map(record)
        (self._add_to_map if to_custom_map else self._add_to_project)(series, self._entry(record, endpoint, series))

    def _add_to_map(self, series: TimeSeries, entry: MapEntry) -> None:
        """Add a series at the canvas's time, as QGIS shows it then, else at the moment that its service shows."""
        shown = self._times.canvas_time()
        moment = series.entry_at(shown) if shown is not None and series.begin <= shown else series.first_shown
        self.overlay_requested.emit()
        self._window.show_temporal_controller()
        self._map.builds.build(MapItem(replace(entry, moment=moment.moment), MapRole.OVERLAY,
                                adds_layers=bool(self._map.layers_on_map(entry.endpoint))))

    def _series_and_entry(self, number: int) -> Optional[tuple[TimeSeries, MapEntry]]:
        """Return a series and the map entry of its layers, or None if it cannot be added now."""
        record, service = self._selected.record, self._selected_service()
        endpoint = self._session.endpoint(record) if record else None
        if record is None or service is not self._searched_service or not endpoint or number >= len(self._series):
            return None
        self._save_for_map(record)
        series = self._series[number]
        return series, self._entry(record, endpoint, series)

    def _entry(self, record: Record, endpoint: str, series: TimeSeries) -> MapEntry:
        # bottom first: the first day is at the top of the group
        names = tuple(dict.fromkeys(entry.layer for entry in series.entries))[:_MAX_LAYERS][::-1]
        return make_entry(record, self._session.terms(record), endpoint, LayerChoice.of_names(names))

    def _selected_service(self) -> Optional[Service]:
        record = self._selected.record
        endpoint = self._session.endpoint(record) if record else None
        return self._session.services.get(endpoint) if endpoint else None

    def _on_series_found(self, service: Service, found: Sequence[TimeSeries]) -> None:
        if service is self._searched_service:
            self._series, self._all_found = found[:_MAX_OFFERED], found
            titled = len(found) > 1
            self.series_found.emit([_add_label(series, titled) for series in self._series],
                                   [_overlay_label(series, titled) for series in self._series])

    def _on_search_failed(self, service: Service, error: CartoguideError) -> None:
        """Offer the layers of a service whose series could not be found, which would be awaited for ever."""
        self._on_series_found(service, ())
        self._notifier.show_error(error)

    def _on_built(self, series: TimeSeries, plan: Plan, built: gis_layers.BuiltLayers) -> None:
        project = self._map.project
        try:
            if built.layers and not listed_layers(project) and built.layers[0][1].crs().isValid():
                project.setCrs(built.layers[0][1].crs())
            on_map = gis_series.add_series(plan, built, series, project, self._window.canvas)
            self._times.series_visibility.hide_other_moments()
            self._window.show_temporal_controller()
        except CartoguideError as error:
            self._notifier.show_error(error)
            return
        left_out = 0 if series.by_dimension else len(series.entries) - len(plan.layers)
        if left_out > 0:
            self._notifier.show_warning(
                tr("“{title}” is long: its last %n layer(s) were left out.", n=left_out, title=series.title))
        show_losses(self._notifier, series.title, built)
        self._notifier.notify(
            tr("{title}: {moments}, played by QGIS’s Temporal Controller.", title=series.title,
               moments=_moments_text(series)), tr("Undo"), lambda: gis_series.remove_series(on_map))


def show_losses(notifier: Notifier, title: str, built: gis_layers.BuiltLayers) -> None:
    """Show which logins were withheld from the layers that were made of a service, and which layers were not made."""
    for withheld in built.withheld:
        notifier.show_error(withheld)
    if built.failures:
        notifier.show_warning(*failed_layers(title, built.failures))


def _add_label(series: TimeSeries, titled: bool) -> str:
    """Return the menu's label for adding all moments of a series, with its title if ``titled``."""
    moments = _moments_text(series)
    if titled:
        return tr("Add to the project only: {title} ({moments})", title=series.title.replace("&", "&&"),
                  moments=moments)
    return tr("Add to the project only ({moments})", moments=moments)


def _overlay_label(series: TimeSeries, titled: bool) -> str:
    """Return the menu's label for adding one moment to the custom map, with the title if ``titled``."""
    if titled:
        return tr("Add as time series: {title} ({moments})", title=series.title.replace("&", "&&"),
                  moments=_moments_text(series))
    return tr("Add as time series ({moments})", moments=_moments_text(series))


def _moments_text(series: TimeSeries) -> str:
    """Return the number of moments of a series in its unit: days, months, years or moments."""
    count = len({entry.begin for entry in series.entries})
    lengths = {entry.end - entry.begin for entry in series.entries}
    if lengths == {timedelta(days=1)}:
        return tr("%n day(s)", n=count)
    if all(timedelta(days=28) <= length <= timedelta(days=31) for length in lengths):
        return tr("%n month(s)", n=count)
    if all(timedelta(days=365) <= length <= timedelta(days=366) for length in lengths):
        return tr("%n year(s)", n=count)
    return tr("%n moment(s)", n=count)


class TimeSelectionController(QObject):
    """Shows one moment of each series on the map: that of the document, on the canvas as on the page."""

    def __init__(self, map_controller: MapController, window: MapWindow, prompts: Prompts,
                 parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._map, self._window, self._prompts = map_controller, window, prompts
        #: the dialog that was opened last
        self.dialog: object = None
        self.series_visibility = SeriesVisibility(lambda: window.canvas, self._map.project, self)
        #: the moments that the canvas shows, or "", by the ids of a service's layers
        self._shown: Dict[Tuple[str, ...], str] = {}
        #: nothing was shown of the project yet
        self._is_first = True
        self._map.changed.connect(self._follow_document)
        self._map.reset.connect(self._forget)
        self._map.changed.connect(self.series_visibility.hide_other_moments)

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

    def canvas_time(self) -> Optional[datetime]:
        """Return the time that the map canvas shows (UTC), or None."""
        return gis_series.canvas_time(self._window.canvas)

    def _set_time(self, item: MapItem, entry: TimeSeriesEntry) -> None:
        if item not in self._map.items:
            return
        self._map.custom_map.update(item, moment=entry.moment)
        self._take_time(entry.begin, item)
        self._map.commit(undo_history.layer_settings(item.entry))

    def _take_time(self, when: datetime, chosen: MapItem) -> None:
        """Let the other series show ``when``, as they do on the canvas: a map has one time."""
        for item in self._map.items:
            shown = self._selection_of(item) if item is not chosen and item.entry.moment else None
            if shown is not None and shown.series.begin <= when:
                self._map.custom_map.update(item, moment=shown.series.entry_at(when).moment)

    def _follow_document(self) -> None:
        """Show the document's moments on the canvas when they were chosen, undone, opened or added."""
        items = [item for item in self._map.items if item.layer_ids]
        shown = {tuple(sorted(item.layer_ids.values())): item.entry.moment or "" for item in items}
        if shown == self._shown:
            return
        is_changed = any(moment and self._shown.get(ids) != moment for ids, moment in shown.items())
        stays_off, self._shown, self._is_first = self._is_first, shown, False
        begins: Dict[bool, List[datetime]] = {True: [], False: []}
        for item in items:
            begin = self._begin_of(item) if item.entry.moment else None
            if begin is not None:
                begins[item.entry.visible].append(begin)
                self.series_visibility.choose(item.entry.endpoint, begin)
        layers = [layer for item in items for layer in self._map.mirror.valid_layers(item)]
        # as on the page, the latest is requested of all
        moment = max(begins[True] or begins[False], default=None)
        gis_series.request_moment(layers, moment)
        if is_changed and moment is not None:
            gis_series.restore_layer_times(layers)
            gis_series.show_moment(moment, self._map.project, self._window.canvas, stays_off)

    def _forget(self) -> None:
        self._shown, self._is_first = {}, True

    def _begin_of(self, item: MapItem) -> Optional[datetime]:
        """Return when the moment of a series begins (UTC), as its service says or, until it is loaded, the document."""
        shown = self._selection_of(item)
        written = parse_time(item.entry.moment or "")
        return shown.entry.begin if shown is not None else written[0] if written is not None else None

    def _selection_of(self, item: MapItem) -> Optional[ShownMoment]:
        service = self._map.service_of(item.entry)
        layers: Sequence[str] = item.entry.layers or tuple(item.layer_ids)
        return select_moment(service, layers, item.entry.moment or "") if service is not None else None


def _entry_label(entry: TimeSeriesEntry) -> str:
    moment = format_date(entry.moment)
    return f"{moment} · {entry.title}" if entry.title and not entry.time else moment
