"""Daily series: offered in the menu of "Add to map", made in the background, one group on the map, undone at once."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Optional, Sequence

from qgis.PyQt.QtCore import QObject

from ...app.maps.layer_choice import LayerChoice
from ...app.maps.map_state import MapItem, make_entry
from ...core.custommap.model import CustomMap, MapEntry, Plan
from ...core.custommap.time_selection import format_moment
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.wms.dimensions.iso8601 import parse_time
from ...core.wms.dimensions.time_series import TimeSeries, find_time_series
from ...core.wms.model.service import Service
from ...gis.layers import time_series as gis_series
from ...gis.layers import wms_layers as gis_layers
from ...gis.runtime import tasks

if TYPE_CHECKING:
    from .dock_widget import CartoguideDock

#: more than these are found by searching the layers, not in a menu
_MAX_OFFERED = 12
#: so many layers of one series are made at the most, nearly three years of days; what is left out is told
_MAX_LAYERS = 1000


class TimeSeriesController(QObject):
    """Finds the series of the service that is shown, and adds the chosen one to the map."""

    def __init__(self, dock: CartoguideDock) -> None:
        super().__init__(dock)
        self._dock = dock
        self._searched_service: Optional[Service] = None
        self._series: Sequence[TimeSeries] = ()
        self._search = tasks.LatestJob[Sequence[TimeSeries]](self)
        self._job: Optional[tasks.Job] = None
        dock.view.add_bar.series_requested.connect(self.add)
        dock.view.add_bar.series_overlay_requested.connect(self.add_overlay)
        dock.session.service_changed.connect(lambda _endpoint: self.refresh())

    @property
    def adding(self) -> bool:
        """Whether the layers of a series are being made."""
        return self._job is not None

    def refresh(self) -> None:
        """Offer the series of the chosen record's service, as far as that is known; reading dates takes a task."""
        service = self._selected_service()
        if service is not None and service is self._searched_service:
            return
        self._searched_service, self._series = service, ()
        self._dock.view.add_bar.show_series(())
        self._search.cancel()
        if service is not None:
            asked = service
            self._search.start(tr("Looking for series of days"), lambda _feedback: find_time_series(asked),
                               partial(self._on_series_found, asked), self._dock.messages.show_error)

    def cancel(self) -> None:
        """Give up the series that is being made."""
        if self._job is not None:
            self._job.cancel()
        self._job = None

    def add(self, number: int) -> None:
        """Put the series with this number of those offered on the map, with its service's credit."""
        chosen = self._series_and_entry(number)
        if chosen is None:
            return
        series, entry = chosen
        session, maps = self._dock.session, self._dock.composer_controller.map
        plan = maps.plan(CustomMap(title=series.title, overlays=(entry,), crs=maps.crs()))
        self._job = gis_layers.start_making_layers(plan, partial(self._on_built, series, plan), self._on_failed, self,
                                                   cache=session.services)
        self._dock.record_controller.show_busy()

    def add_overlay(self, number: int) -> None:
        """Make the series an overlay of the custom map, which shows one moment of it: the window's, else the first."""
        chosen = self._series_and_entry(number)
        if chosen is None:
            return
        series, entry = chosen
        actions = self._dock.composer_controller
        now = parse_time(actions.time_selection.canvas_time())
        inside = now is not None and series.begin <= now[0] < series.end
        moment = actions.time_selection.canvas_time() if inside else format_moment(series.entries[0].begin)
        self._dock.composer.set_expanded(True)
        actions.map.build(
            MapItem(replace(entry, moment=moment), "overlay",
                    adds_layers=bool(actions.map.layers_on_map(entry.endpoint))))

    def _series_and_entry(self, number: int) -> Optional[tuple[TimeSeries, MapEntry]]:
        """The series with this number, and the entry that its layers are; None where it cannot be added now."""
        view, session = self._dock.view, self._dock.session
        record, service = view.record, self._selected_service()
        endpoint = session.endpoint(record) if record else None
        if record is None or service is not self._searched_service or not endpoint or self._job or number >= len(
                self._series):
            return None
        self._dock.remote_search.save_for_map(record.id or "")
        series = self._series[number]
        # bottom first: the first day stands at the top of the group
        names = tuple(dict.fromkeys(entry.layer for entry in series.entries))[:_MAX_LAYERS][::-1]
        return series, make_entry(record, session.terms(record), endpoint, LayerChoice(names, ("",) * len(names)))

    def _selected_service(self) -> Optional[Service]:
        record = self._dock.view.record
        endpoint = self._dock.session.endpoint(record) if record else None
        return self._dock.session.services.get(endpoint) if endpoint else None

    def _on_series_found(self, service: Service, found: Sequence[TimeSeries]) -> None:
        if service is self._searched_service:
            self._series = found[:_MAX_OFFERED]
            titled = len(found) > 1
            self._dock.view.add_bar.show_series([_add_label(series, titled) for series in self._series],
                                                [_overlay_label(series, titled) for series in self._series])

    def _on_built(self, series: TimeSeries, plan: Plan, built: gis_layers.BuiltLayers) -> None:
        self._job = None
        self._dock.record_controller.show_busy()
        messages, project = self._dock.messages, self._dock.composer_controller.map.project
        try:
            if built.layers and not project.mapLayers() and built.layers[0][1].crs().isValid():
                project.setCrs(built.layers[0][1].crs())
            canvas = self._dock.iface.mapCanvas() if self._dock.iface is not None else None  # type: ignore[attr-defined]
            on_map = gis_series.add_series(plan, built, series, project, canvas)
            self._dock.composer_controller.time_selection.series_visibility.hide_other_moments()
        except CartoguideError as error:
            messages.show_error(error)
            return
        left_out = 0 if series.by_dimension else len(series.entries) - len(plan.layers)
        if left_out > 0:
            messages.show_warning(
                tr("“{title}” is long: its last %n layer(s) were left out.", n=left_out, title=series.title))
        if built.failures:
            errors = [failure.error for failure in built.failures]
            messages.show_warning(tr("%n layer(s) of “{title}” could not be made.", n=len(errors), title=series.title),
                                  "\n\n".join(f"{error.user_text}\n{error.detail}" for error in errors))
        messages.notify(
            tr("{title}: {moments}, played by QGIS’s Temporal Controller.", title=series.title,
               moments=_moments_text(series)), tr("Undo"), lambda: gis_series.remove_series(on_map))

    def _on_failed(self, error: CartoguideError) -> None:
        self._job = None
        self._dock.record_controller.show_busy()
        self._dock.messages.show_error(error)


def _add_label(series: TimeSeries, titled: bool) -> str:
    """What the menu says of a series; its title where there are several."""
    moments = _moments_text(series)
    if titled:
        return tr("Add as a series: {title} ({moments})", title=series.title.replace("&", "&&"), moments=moments)
    return tr("Add as a series ({moments})", moments=moments)


def _overlay_label(series: TimeSeries, titled: bool) -> str:
    """What the menu says of a series as part of the custom map; its title where there are several."""
    if titled:
        return tr("Add to the custom map, one moment of: {title} ({moments})", title=series.title.replace("&", "&&"),
                  moments=_moments_text(series))
    return tr("Add to the custom map, one moment of {moments}", moments=_moments_text(series))


def _moments_text(series: TimeSeries) -> str:
    """How many moments a series has, in their own unit."""
    count = len({entry.begin for entry in series.entries})
    lengths = {entry.end - entry.begin for entry in series.entries}
    if lengths == {timedelta(days=1)}:
        return tr("%n day(s)", n=count)
    if all(timedelta(days=28) <= length <= timedelta(days=31) for length in lengths):
        return tr("%n month(s)", n=count)
    if all(timedelta(days=365) <= length <= timedelta(days=366) for length in lengths):
        return tr("%n year(s)", n=count)
    return tr("%n moment(s)", n=count)
