"""Services on their way to the map: offered, suggested, loaded, and then added or chosen layer by layer."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import partial
from typing import Callable, List, Optional, Sequence, Tuple

from qgis.PyQt.QtCore import QObject, QTimer, pyqtSignal

from ...core.custommap.model import CustomMap, MapRole, Plan
from ...core.custommap.planner import drawable_layers, linked_layers
from ...core.custommap.service_use import ServiceUse, UseDecision, decide_use, hides_below
from ...core.custommap.suggestions import Suggestion, SuggestionCandidate, suggest_services
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.library.query import Facet, LibraryQuery
from ...core.records.formats.from_service import record_from_service
from ...core.records.model.endpoints import normalise_endpoint
from ...core.records.model.record import Record, ResourceKind
from ...core.wms.dimensions.time_series import TimeSeries, find_time_series
from ...core.wms.model.service import Service
from ...gis.layers import project_group
from ...gis.layers import wms_layers as gis_layers
from ...gis.runtime import tasks
from ..phrases import record_title
from ..records.dock_session import DockSession, ServiceStatus
from ..records.record_controller import SelectedRecord
from ..window import Notifier
from .extent_controller import service_extent, smallest_extent
from .map_controller import MapController
from .map_state import AddMode, LayerChoice, make_entry
from .time_series_controller import TimeSeriesController


class MapAdditions(QObject):
    """Queue of the records whose services are added to the map."""

    #: ``pending`` may have changed
    pending_changed = pyqtSignal()
    #: record, endpoint, MapRole
    layer_choice_requested = pyqtSignal(object, str, object)
    #: record, endpoint, TimeSeries, and whether it is for the custom map, else for the project only
    series_requested = pyqtSignal(object, str, object, bool)

    def __init__(self, session: DockSession, map_controller: MapController, selected: SelectedRecord,
                 save_for_map: Callable[[str], None], notifier: Notifier, parent: Optional[QObject] = None) -> None:
        """``save_for_map`` saves the record with this identifier to the library if only a catalogue has it."""
        super().__init__(parent)
        self._session, self._map, self._selected, self._notifier = session, map_controller, selected, notifier
        self._save_for_map = save_for_map
        self._waiting: List[Tuple[AddMode, Record]] = []
        self._jobs: List[tasks.Job] = []
        session.service_changed.connect(self._on_service_changed)

    @property
    def pending(self) -> bool:
        """True while a service's capabilities are awaited, or layers are made for the project."""
        return bool(self._waiting) or bool(self._jobs)

    def add_selected(self, mode: AddMode = AddMode.ADD) -> None:
        """Add the service of the selected record. By default it is used as it fits."""
        record, endpoint = self._selected_service()
        if record is not None and endpoint:
            self._save_for_map(record.id or "")
            self.add_record(record, endpoint, mode)

    def add_record(self, record: Record, endpoint: str, mode: AddMode = AddMode.ADD) -> None:
        """Add a record's service. Its capabilities are loaded first if they are not known."""
        if self._session.services.get(endpoint) is None:
            self._waiting.append((AddMode(mode), record))
            self.pending_changed.emit()
            self._session.load_service(endpoint, self._session.service_state(endpoint).status is ServiceStatus.FAILED)
        else:
            self._add_or_choose(AddMode(mode), record, endpoint)

    def add_layers_of_selected(self, names: Sequence[str]) -> None:
        """Add layers of the selected record's service, beside those that are on the map."""
        record, endpoint = self._selected_service()
        if record is not None and endpoint:
            self._add_missing_layers(record, endpoint, names)

    def add_service_layers(self, endpoint: str, names: Sequence[str], record_id: str = "") -> None:
        """Add layers of any service, whose capabilities are loaded first. ``record_id`` is that of its record."""
        record = self._session.record(record_id) if record_id else self._session.record_for_endpoint(endpoint)
        self._session.services.request(
            endpoint,
            lambda service: self._add_missing_layers(record or record_from_service(service, endpoint), endpoint, names),
            self._notifier.show_error, self)

    def add_stored_record(self, record_id: str, mode: AddMode = AddMode.ADD) -> None:
        """Add the service of a record of the library."""
        record = self._session.record(record_id)
        endpoint = self._session.endpoint(record) if record is not None else None
        if record is not None and endpoint:
            self.add_record(record, endpoint, mode)
        else:
            self._notifier.show_error(CartoguideError(tr("This record names no map service (WMS).")))

    def cancel(self) -> None:
        """Give up the services that are awaited and the layers that are being made."""
        waiting, self._waiting = self._waiting, []
        for _, record in waiting:
            endpoint = self._session.endpoint(record)
            if endpoint:
                self._session.cancel_service(endpoint)
        jobs, self._jobs = self._jobs, []
        for job in jobs:
            job.cancel()
        self._map.builds.cancel()
        self.pending_changed.emit()

    def _selected_service(self) -> Tuple[Optional[Record], Optional[str]]:
        record = self._selected.record
        return record, self._session.endpoint(record) if record else None

    def _add_missing_layers(self, record: Record, endpoint: str, names: Sequence[str]) -> None:
        if not self._map.add_missing_layers(record, endpoint, LayerChoice.of_names(names)):
            self._notifier.notify(tr("%n of these layer(s) are on the map already.", n=len(names)))

    def _on_service_changed(self, endpoint: str) -> None:
        """Add what waited for this service, once it is loaded."""
        state = self._session.service_state(endpoint)
        if state.status is ServiceStatus.LOADING:
            return
        ready = [waiting for waiting in self._waiting if self._session.endpoint(waiting[1]) == endpoint]
        self._waiting = [waiting for waiting in self._waiting if waiting not in ready]
        known = self._session.services.get(endpoint) is not None
        for mode, record in ready:
            if known:
                self._add_or_choose(mode, record, endpoint)
        if ready and not known and state.error is not None:
            self._notifier.show_error(state.error)
        self.pending_changed.emit()

    def _add_or_choose(self, mode: AddMode, record: Record, endpoint: str) -> None:
        service = self._session.services.get(endpoint)
        if service is None:
            return
        linked = linked_layers(record, endpoint, service)
        if linked and mode is AddMode.PROJECT_ONLY:
            self._add_to_project(record, endpoint, linked)
            return
        if linked and mode in (AddMode.ADD, AddMode.AS_OVERLAY, AddMode.AS_BASE):
            role = MapRole.BASE if mode is AddMode.AS_BASE else MapRole.OVERLAY
            self._map.add(record, endpoint, LayerChoice.of_names(linked, role))
            return
        if mode in (AddMode.ADD, AddMode.AS_SERIES, AddMode.PROJECT_ONLY):
            found = partial(self._add_what_fits, mode, record, endpoint, service)
            self._start(tasks.start(tr("Searching for time series"), lambda _feedback: find_time_series(service), found,
                                    self._notifier.show_error, self))
            return
        names = [layer.name for layer in service.iter_layers() if layer.name and not layer.layers]
        role = MapRole.BASE if mode is AddMode.AS_BASE else MapRole.OVERLAY
        if not names:
            self._notifier.show_error(
                CartoguideError(tr("“{title}” offers no layer that can be requested.", title=record_title(record)),
                                endpoint))
        elif mode is AddMode.CHOOSE:
            self.layer_choice_requested.emit(record, endpoint,
                                             MapRole.BASE if self._fits_as_base(endpoint, service) else role)
        else:
            self._map.add(record, endpoint, LayerChoice.of_names(names, role))

    def _fits_as_base(self, endpoint: str, service: Service) -> bool:
        return not self.has_other_base(endpoint) and hides_below(service)

    def has_other_base(self, endpoint: str) -> bool:
        """Return True if another service is the base of the map."""
        return any(item.role is MapRole.BASE and normalise_endpoint(item.entry.endpoint) != normalise_endpoint(endpoint)
                   for item in self._map.items)

    def _add_what_fits(self, mode: AddMode, record: Record, endpoint: str, service: Service,
                       series: Sequence[TimeSeries]) -> None:
        decision = decide_use(service, series, self.has_other_base(endpoint))
        chosen = decision.series or (max(series, key=lambda one: len(one.entries)) if series else None)
        if chosen is not None and (mode is AddMode.AS_SERIES or decision.best is ServiceUse.SERIES):
            self.series_requested.emit(record, endpoint, chosen, mode is not AddMode.PROJECT_ONLY)
        elif mode is AddMode.AS_SERIES:
            self._notifier.show_error(CartoguideError(decision.unavailable[ServiceUse.SERIES], endpoint))
        elif mode is AddMode.PROJECT_ONLY and decision.best is not None:
            self._add_to_project(record, endpoint, [layer.name or "" for layer in drawable_layers(service)])
        else:
            self._add_or_choose(AddMode((decision.best or ServiceUse.OVERLAY).value), record, endpoint)

    def _start(self, job: tasks.Job) -> None:
        self._jobs.append(job)
        job.ended.connect(self._on_job_ended)
        self.pending_changed.emit()

    def _on_job_ended(self) -> None:
        self._jobs = [job for job in self._jobs if job.running]
        self.pending_changed.emit()

    # -- the project without the custom map

    def _add_to_project(self, record: Record, endpoint: str, names: Sequence[str]) -> None:
        """Add layers to the project as a group, with their credit."""
        entry = make_entry(record, self._session.terms(record), endpoint, LayerChoice.of_names(names))
        plan = self._map.plan(CustomMap(title=entry.title, overlays=(entry,), crs=self._map.crs()), all_moments=True)
        self._start(gis_layers.start_making_layers(plan, partial(self._on_made, plan), self._notifier.show_error, self,
                                                   cache=self._session.services))

    def _on_made(self, plan: Plan, built: gis_layers.BuiltLayers) -> None:
        project = self._map.project
        try:
            if built.layers and not project.mapLayers() and built.layers[0][1].crs().isValid():
                project.setCrs(built.layers[0][1].crs())
            group = project_group.add_plain_group(plan, built, project)
        except CartoguideError as error:
            self._notifier.show_error(error)
            return
        for withheld in built.withheld:
            self._notifier.show_error(withheld)
        if built.failures:
            errors = [failure.error for failure in built.failures]
            self._notifier.show_warning(
                tr("%n layer(s) of “{title}” could not be created.", n=len(errors), title=plan.title),
                "\n\n".join(f"{error.user_text}\n{error.detail}" for error in errors))
        self._notifier.notify(tr("“{title}” was added to the project, not to the custom map.", title=plan.title),
                              tr("Undo"), lambda: project_group.remove_plain_group(group, project))


class OfferState(str, Enum):
    """States of the offer: no service, not loaded, loading, failed, decided."""

    NO_SERVICE = "no service"
    NOT_LOADED = "not loaded"
    LOADING = "loading"
    FAILED = "failed"
    READY = "ready"


@dataclass(frozen=True)
class AddOffer:
    """State of the Add button. ``reason`` says why nothing can be added, ``decision`` is set if it can."""

    state: OfferState
    reason: str = ""
    decision: Optional[UseDecision] = None
    layer_count: int = 0


class AddOfferController(QObject):
    """Decides anew when the record, its service or the base of the map changes."""

    changed = pyqtSignal(object)

    def __init__(self, session: DockSession, map_controller: MapController, selected: SelectedRecord,
                 additions: MapAdditions, time_series: TimeSeriesController, parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._session, self._selected, self._additions = session, selected, additions
        self._time_series = time_series
        self.offer = AddOffer(OfferState.NO_SERVICE)
        time_series.series_found.connect(lambda *_: self.refresh())
        map_controller.changed.connect(self.refresh)
        session.service_changed.connect(self._on_service_changed)

    def refresh(self) -> None:
        """Decide again, and emit ``changed`` if anything is different."""
        offer = self._make_offer()
        if offer != self.offer:
            self.offer = offer
            self.changed.emit(offer)

    def _on_service_changed(self, endpoint: str) -> None:
        record = self._selected.record
        shown = self._session.endpoint(record) if record is not None else None
        if shown and normalise_endpoint(shown) == normalise_endpoint(endpoint):
            self.refresh()

    def _make_offer(self) -> AddOffer:
        record = self._selected.record
        endpoint = self._session.endpoint(record) if record is not None else None
        if not endpoint:
            return AddOffer(OfferState.NO_SERVICE, tr("This record names no map service (WMS)."))
        state, service = self._session.service_state(endpoint), self._session.services.get(endpoint)
        if service is None:
            if state.status is ServiceStatus.FAILED and state.error is not None:
                return AddOffer(OfferState.FAILED, state.error.user_text.split("\n")[0])
            return AddOffer(OfferState.LOADING if state.status is ServiceStatus.LOADING else OfferState.NOT_LOADED)
        series = self._time_series.series_of(service)
        if series is None:
            return AddOffer(OfferState.LOADING)
        decision = decide_use(service, series, self._additions.has_other_base(endpoint))
        count = sum(1 for layer in service.iter_layers() if layer.name and not layer.layers)
        return AddOffer(OfferState.READY, "", decision, count)


class SuggestionController(QObject):
    """Searches the library in a task whenever the map has other services than before."""

    #: suggestions, best first
    suggestions_changed = pyqtSignal(list)

    def __init__(self, map_controller: MapController, add: Callable[[Record, str], None],
                 parent: Optional[QObject] = None) -> None:
        """``add`` adds a record's service (by its endpoint) to the map."""
        super().__init__(parent)
        self._map, self._add = map_controller, add
        self._search_job: tasks.LatestJob[list[SuggestionCandidate]] = tasks.LatestJob(self)
        self._endpoints: Optional[tuple[str, ...]] = None
        # the library is opened in the background when the dock is
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(400)
        self._timer.timeout.connect(self._search)

    def refresh(self) -> None:
        """Search again if the map's services have changed."""
        endpoints = tuple(item.entry.endpoint for item in self._map.items)
        if endpoints == self._endpoints or self._map.adding:
            return
        self._endpoints = endpoints
        if endpoints:
            self._timer.start()
        else:
            self._search_job.cancel()
            self.suggestions_changed.emit([])

    def _search(self) -> None:
        extents = [service_extent(self._map, item) for item in self._map.items]
        area = smallest_extent([extent for extent in extents if extent is not None])
        if area is None:
            self.suggestions_changed.emit([])
            return
        query = LibraryQuery(bbox=(area.west, area.south, area.east, area.north),
                             facets={Facet.KIND: (ResourceKind.SERVICE.value,)})
        library = self._map.session.library
        records = [record for record in map(self._map.record_of, self._map.items) if record is not None]
        endpoints = list(self._endpoints or ())

        def find(feedback: tasks.Feedback) -> list[SuggestionCandidate]:
            page = library.load_page((query, 0), feedback.isCanceled)
            return [SuggestionCandidate(hit.identifier, hit.title, hit.endpoint) for hit in page.hits]

        def show(candidates: list[SuggestionCandidate]) -> None:
            self.suggestions_changed.emit(list(suggest_services(records, endpoints, candidates)))

        self._search_job.start(tr("Searching for services that match the map"), find, show, lambda _error: None)

    def add_suggestion(self, suggestion: Suggestion) -> None:
        """Add the suggested service to the map."""
        session = self._map.session
        record = session.record(suggestion.candidate.identifier)
        if record is not None:
            endpoint = session.endpoint(record)
            if endpoint:
                self._add(record, endpoint)
