"""Services on their way to the map: offered, suggested, loaded, and then added or chosen layer by layer."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from functools import partial
from typing import Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple

from qgis.PyQt.QtCore import QObject, pyqtSignal

from ...core.catalogues.model import Source
from ...core.custommap.map_entries import LinkedLayers, linked_layers
from ...core.custommap.model import CustomMap, MapRole, Plan
from ...core.custommap.planner import drawable_layers
from ...core.custommap.service_use import ServiceUse, UseDecision, decide_use, hides_below
from ...core.custommap.suggestions import Suggestion, SuggestionCandidate, suggest_services
from ...core.distributions.kinds import ANY_OWS, LinkKind
from ...core.distributions.record_distributions import Distribution, distributions_of, wms_distributions
from ...core.distributions.uses import nothing_to_add, offered_distributions, reason_not_opened, unopened_distributions
from ...core.errors import CartoguideError, NotCapabilities
from ...core.i18n import tr
from ...core.library.query import Facet, LibraryQuery
from ...core.records.formats.from_service import record_from_service
from ...core.records.model.endpoints import normalise_endpoint
from ...core.records.model.record import Record, ResourceKind
from ...core.wms.dimensions.time_series import TimeSeries, series_of_service
from ...core.wms.model.service import Service
from ...gis.catalogues.catalogue_client import services_in_catalogue
from ...gis.catalogues.catalogue_list import CatalogueList
from ...gis.credits.layer_metadata import listed_layers
from ...gis.layers import project_group
from ...gis.layers import wms_layers as gis_layers
from ...gis.library.record_library import RecordSource
from ...gis.runtime import log, settings, tasks
from ...gis.runtime.main_thread import single_shot
from ..phrases import record_title
from ..records.dock_session import DockSession, ServiceStatus
from ..records.record_controller import SelectedRecord
from ..window import Notifier
from .extent_controller import service_extent, smallest_extent
from .map_controller import MapController
from .map_state import AddMode, LayerChoice, make_entry
from .time_series_controller import TimeSeriesController, show_losses


@dataclass(frozen=True)
class _Addition:
    """A service that is loaded, with its record, and how it is to be added."""

    mode: AddMode
    record: Record
    endpoint: str
    service: Service

    @property
    def role(self) -> MapRole:
        return MapRole.BASE if self.mode is AddMode.AS_BASE else MapRole.OVERLAY


class MapAdditions(QObject):
    """Queue of the records whose services are added to the map."""

    #: ``pending`` may have changed
    pending_changed = pyqtSignal()
    #: record, endpoint, MapRole
    layer_choice_requested = pyqtSignal(object, str, object)
    #: a record without a WMS, and the best of its distributions
    distribution_requested = pyqtSignal(object, object)
    #: record, endpoint, TimeSeries, and whether it is for the custom map, else for the project only
    series_requested = pyqtSignal(object, str, object, bool)

    def __init__(self, session: DockSession, map_controller: MapController, selected: SelectedRecord,
                 save_for_map: Callable[[Record], None], notifier: Notifier, parent: Optional[QObject] = None) -> None:
        """``save_for_map`` saves a record to the library if only a catalogue has it."""
        super().__init__(parent)
        self._session, self._map, self._selected, self._notifier = session, map_controller, selected, notifier
        self._save_for_map = save_for_map
        self._waiting: List[Tuple[AddMode, Record, str]] = []
        self._jobs = tasks.RunningJobs(self)
        self._jobs.changed.connect(self.pending_changed)
        #: endpoints whose layers are added once their services are loaded
        self._requested: List[str] = []
        map_controller.arrivals.include(lambda: self.pending, self.pending_changed)
        session.service_changed.connect(self._on_service_changed)

    @property
    def pending(self) -> bool:
        """True while a service's capabilities are awaited, or layers are made for the project."""
        return bool(self._waiting) or bool(self._requested) or bool(self._jobs)

    def add_selected(self, mode: AddMode = AddMode.ADD) -> None:
        """Add the service of the selected record. By default it is used as it fits."""
        record, endpoint = self._selected_service()
        if record is not None:
            self._save_for_map(record)
            if endpoint:
                self.add_record(record, endpoint, mode)
            else:
                self._add_best(record)

    def add_record(self, record: Record, endpoint: str, mode: AddMode = AddMode.ADD) -> None:
        """Add a record's service. Its capabilities are loaded first if they are not known."""
        if self._session.services.get(endpoint) is None:
            self._waiting.append((AddMode(mode), record, endpoint))
            self.pending_changed.emit()
            self._session.load_service(endpoint, self._session.service_state(endpoint).status is ServiceStatus.FAILED)
        else:
            self._add_or_choose(AddMode(mode), record, endpoint)

    def add_layers_of_selected(self, names: Sequence[str]) -> None:
        """Add layers of the selected record's service, beside those that are on the map."""
        record, endpoint = self._selected_service()
        if record is not None and endpoint:
            self._save_for_map(record)
            self._add_missing_layers(record, endpoint, names)

    def add_service_layers(self, endpoint: str, names: Sequence[str], record_id: str = "") -> None:
        """Add layers of any service, whose capabilities are loaded first. ``record_id`` is that of its record."""
        record = self._session.record(record_id) if record_id else self._session.record_for_endpoint(endpoint)

        def ended(then: Callable[[], object]) -> None:
            # unless it was given up
            if endpoint in self._requested:
                try:
                    then()
                finally:
                    self._requested.remove(endpoint)
                    self.pending_changed.emit()

        self._requested.append(endpoint)
        self.pending_changed.emit()
        self._session.services.request(
            endpoint, lambda service: ended(lambda: self._add_missing_layers(
                record or record_from_service(service, endpoint), endpoint, names)),
            lambda error: ended(lambda: self._fail(
                record_title(record) if record is not None else "", error,
                again=lambda: self.add_service_layers(endpoint, names, record_id))), self)

    def _fail(self, title: str, error: CartoguideError, mode: AddMode = AddMode.ADD,
              again: Optional[Callable[[], object]] = None) -> None:
        """Say why a service is not added. ``again`` adds it once more, if that may help."""
        if mode is AddMode.PROJECT_ONLY:
            self._notifier.show_error(error, again, not_added=title, for_map=False)
        else:
            self._map.builds.fail_addition(title, error, again)

    def add_stored_record(self, record_id: str, mode: AddMode = AddMode.ADD, data: Optional[Record] = None) -> None:
        """Add the service of a record of the library. ``data`` is the record of the data set that led to it."""
        record = self._session.record(record_id)
        if record is not None and data is not None:
            record = replace(record, data=data)
        endpoint = self._session.endpoint(record) if record is not None else None
        if record is not None and endpoint:
            self.add_record(record, endpoint, mode)
        elif record is not None:
            self._add_best(record)

    def _add_best(self, record: Record) -> None:
        """Add the best distribution of a record without a WMS, or say why nothing of it can be added."""
        named = self._session.distributions(record)
        offered = offered_distributions(named)
        if offered:
            self.distribution_requested.emit(record, offered[0])
        else:
            self._fail(record_title(record), CartoguideError(nothing_to_add(named)))

    def cancel(self) -> None:
        """Give up the services that are awaited and the layers that are being made."""
        waiting, self._waiting = self._waiting, []
        for _, _, endpoint in waiting:
            self._session.cancel_service(endpoint)
        self._requested.clear()
        self._jobs.cancel()
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
        key = normalise_endpoint(endpoint)
        ready = [waiting for waiting in self._waiting if normalise_endpoint(waiting[2]) == key]
        self._waiting = [waiting for waiting in self._waiting if waiting not in ready]
        known = self._session.services.get(endpoint) is not None
        for mode, record, named in ready:
            if known:
                # in the record's own spelling, which may name layers
                self._add_or_choose(mode, record, named)
            elif state.error is not None and state.status is ServiceStatus.FAILED:
                self._fail(record_title(record), state.error, mode, partial(self.add_record, record, named, mode))
            elif state.error is not None and mode is not AddMode.PROJECT_ONLY:
                # somebody has cancelled it
                self._map.builds.not_added.emit(record_title(record), state.error)
        self.pending_changed.emit()

    def _add_or_choose(self, mode: AddMode, record: Record, endpoint: str) -> None:
        service = self._session.services.get(endpoint)
        if service is None:
            return
        addition, way = _Addition(mode, record, endpoint, service), _WAYS[mode]
        linked = linked_layers(record, endpoint, service)
        if linked.note:
            self._notifier.show_warning(linked.note)
        if linked.names and way.linked is not None:
            way.linked(self, addition, _choice(linked, addition.role))
        elif linked.missing and mode is not AddMode.PROJECT_ONLY and way.linked is not None:
            self._ask_layers(addition)
        else:
            way.whole(self, addition)

    def _add_layers(self, addition: _Addition, choice: LayerChoice) -> None:
        self._map.add(addition.record, addition.endpoint, choice)

    def _add_all(self, addition: _Addition) -> None:
        """Add all layers of a service as base or overlay."""
        names = self._requestable_layers(addition)
        if names:
            self._add_layers(addition, LayerChoice.of_names(names, addition.role))

    def _ask_layers(self, addition: _Addition) -> None:
        """Let layers of a service be chosen, as a base if it fits as one."""
        if self._requestable_layers(addition):
            fits_as_base = not self.has_other_base(addition.endpoint) and hides_below(addition.service)
            self.layer_choice_requested.emit(addition.record, addition.endpoint,
                                             MapRole.BASE if fits_as_base else MapRole.OVERLAY)
            self._map.builds.not_added.emit(record_title(addition.record),
                                            CartoguideError(tr("What of it is added has not been chosen yet.")))

    def _requestable_layers(self, addition: _Addition) -> List[str]:
        """Return the names of a service's layers without sub-layers. Without any, an error is shown."""
        names = [layer.name for layer in addition.service.iter_layers() if layer.name and not layer.layers]
        if not names:
            title = record_title(addition.record)
            self._fail(title, CartoguideError(
                tr("“{title}” offers no layer that can be requested.", title=title), addition.endpoint))
        return names

    def _search_series(self, addition: _Addition) -> None:
        """Search a service for time series in a task, and add it as it fits then."""
        self._jobs.add(tasks.start(
            tr("Searching for time series"), lambda _feedback: series_of_service(addition.service),
            partial(self._add_what_fits, addition),
            partial(self._fail, record_title(addition.record), mode=addition.mode), self))

    def has_other_base(self, endpoint: str) -> bool:
        """Return True if another service is the base of the map."""
        return any(item.role is MapRole.BASE and normalise_endpoint(item.entry.endpoint) != normalise_endpoint(endpoint)
                   for item in self._map.items)

    def _add_what_fits(self, addition: _Addition, series: Sequence[TimeSeries]) -> None:
        mode, endpoint = addition.mode, addition.endpoint
        decision = decide_use(addition.service, series, self.has_other_base(endpoint))
        chosen = decision.series or (max(series, key=lambda one: len(one.entries)) if series else None)
        if chosen is not None and (mode is AddMode.AS_SERIES or decision.best is ServiceUse.SERIES):
            self.series_requested.emit(addition.record, endpoint, chosen, mode is not AddMode.PROJECT_ONLY)
        elif mode is AddMode.AS_SERIES:
            self._fail(record_title(addition.record),
                       CartoguideError(decision.unavailable[ServiceUse.SERIES], endpoint))
        elif mode is AddMode.PROJECT_ONLY and decision.best is not None:
            self._add_to_project(addition, LayerChoice.of_names(
                [layer.name or "" for layer in drawable_layers(addition.service)]))
        else:
            best = AddMode((decision.best or ServiceUse.OVERLAY).value)
            _WAYS[best].whole(self, replace(addition, mode=best))

    # -- the project without the custom map

    def _add_to_project(self, addition: _Addition, choice: LayerChoice) -> None:
        entry = make_entry(addition.record, self._session.terms(addition.record), addition.endpoint, choice)
        plan = self._map.plan(CustomMap(title=entry.title, overlays=(entry,), crs=self._map.crs()), all_moments=True)
        self._jobs.add(gis_layers.start_making_layers(
            plan, partial(self._on_made, plan), partial(
                self._fail, entry.title, mode=AddMode.PROJECT_ONLY,
                again=partial(self._add_to_project, addition, choice)), self, cache=self._session.services))

    def _on_made(self, plan: Plan, built: gis_layers.BuiltLayers) -> None:
        project = self._map.project
        try:
            if built.layers and not listed_layers(project) and built.layers[0][1].crs().isValid():
                project.setCrs(built.layers[0][1].crs())
            group = project_group.add_plain_group(plan, built, project)
        except CartoguideError as error:
            self._notifier.show_error(error)
            return
        show_losses(self._notifier, plan.title, built)
        self._notifier.notify(tr("“{title}” was added to the project, not to the custom map.", title=plan.title),
                              tr("Undo"), lambda: project_group.remove_plain_group(group, project))


def _choice(linked: LinkedLayers, role: MapRole = MapRole.OVERLAY) -> LayerChoice:
    return LayerChoice(linked.names, linked.styles, role=role, moment=linked.moment)


class _Way(NamedTuple):
    """The methods of one mode: for the layers that the record links to, and for the whole service.

    Without ``linked`` the links make no difference.
    """

    linked: Optional[Callable[[MapAdditions, _Addition, LayerChoice], None]]
    whole: Callable[[MapAdditions, _Addition], None]


_WAYS: Dict[AddMode, _Way] = {
    AddMode.ADD: _Way(MapAdditions._add_layers, MapAdditions._search_series),
    AddMode.AS_OVERLAY: _Way(MapAdditions._add_layers, MapAdditions._add_all),
    AddMode.AS_BASE: _Way(MapAdditions._add_layers, MapAdditions._add_all),
    AddMode.CHOOSE: _Way(None, MapAdditions._ask_layers),
    AddMode.AS_SERIES: _Way(None, MapAdditions._search_series),
    AddMode.PROJECT_ONLY: _Way(MapAdditions._add_to_project, MapAdditions._search_series)
}


class OfferState(str, Enum):
    """States of the offer: no service, not loaded, loading, failed, decided."""

    NO_SERVICE = "no service"
    NOT_LOADED = "not loaded"
    LOADING = "loading"
    FAILED = "failed"
    READY = "ready"


class CoupledRecord(NamedTuple):
    """Record of a service or of its data. ``kind`` is that of what is added of it."""

    identifier: str
    title: str
    kind: Optional[LinkKind] = None


@dataclass(frozen=True)
class AddOffer:
    """State of the Add button. ``reason`` says why nothing can be added, or which layers that are linked do not exist.

    ``decision`` is set if something of the map service can be added. ``linked`` are the layers that the record's links
    name: they alone are added. ``distributions`` are the other ways to the resource that can be opened, the best
    first, and ``unopened`` says of those that cannot be opened why not. ``services`` are those that a data set has by
    their records, and ``data`` what a service operates on.
    """

    state: OfferState
    reason: str = ""
    decision: Optional[UseDecision] = None
    linked: LinkedLayers = LinkedLayers()
    distributions: Tuple[Distribution, ...] = ()
    unopened: Tuple[str, ...] = ()
    services: Tuple[CoupledRecord, ...] = ()
    data: Tuple[CoupledRecord, ...] = ()


class AddOfferController(QObject):
    """Decides anew when the record, its service or the base of the map changes."""

    changed = pyqtSignal(object)

    def __init__(self, session: DockSession, map_controller: MapController, selected: SelectedRecord,
                 additions: MapAdditions, time_series: TimeSeriesController, is_opened: Callable[[], bool],
                 parent: Optional[QObject] = None) -> None:
        """``is_opened`` returns True if the person has opened the record: until then no catalogue is contacted."""
        super().__init__(parent)
        self._session, self._selected, self._additions, self._is_opened = session, selected, additions, is_opened
        self._time_series = time_series
        self.offer = AddOffer(OfferState.NO_SERVICE)
        #: the record whose coupled ones were searched for in the library, and whether the catalogues were asked too
        self._coupled_of: Optional[Record] = None
        self._has_asked = False
        self._coupled: List[Record] = []
        #: the source of each of them that the library does not have, by its identifier
        self._coupled_sources: Dict[str, Source] = {}
        self._catalogues = CatalogueList(self)
        self._coupled_job: tasks.LatestJob[List[Record]] = tasks.LatestJob(self)
        self._catalogue_job: tasks.LatestJob[List[Tuple[Source, Record]]] = tasks.LatestJob(self)
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
        if record is None:
            return AddOffer(OfferState.NO_SERVICE)
        named = self._session.distributions(record)
        offer = self._offer_of_service(record)
        if offer.state is OfferState.NO_SERVICE and self._session.endpoint(record):
            # what is no WMS may be another service
            named = (*(replace(one, possible=ANY_OWS) for one in wms_distributions(record)[:1]), *named)
        if self._coupled_of is not record:
            self._find_coupled(record)
        elif not self._has_asked and self._is_opened() and not self._coupled_job.running:
            self._ask_catalogues(record)
        services, data = self._services(), self._data()
        return replace(offer, distributions=offered_distributions(named), services=services, data=data,
                       reason="" if services and offer.state is OfferState.NO_SERVICE else offer.reason,
                       unopened=tuple(map(reason_not_opened, unopened_distributions(named))))

    def _find_coupled(self, record: Record) -> None:
        """Search the library for the services of a data set, or for the data of a service."""
        self._coupled_of, self._coupled, self._coupled_sources = record, [], {}
        self._has_asked = False
        self._catalogue_job.cancel()
        library = self._session.library

        def show(found: List[Record]) -> None:
            self._coupled = found
            self.refresh()

        self._coupled_job.start(tr("Searching for the services and data of the record"),
                                lambda feedback: library.coupled_records(record, feedback.isCanceled), show, log.error)

    def _ask_catalogues(self, record: Record) -> None:
        """Ask the catalogue that a data set came from for its services too, if the catalogues are searched."""
        self._has_asked = True
        sources = self._catalogues.enabled_sources() if settings.get("search_catalogues") else []

        def show(found: List[Tuple[Source, Record]]) -> None:
            known = {one.id for one in self._coupled}
            others = [(source, one) for source, one in found if one.id not in known]
            self._coupled += [one for _, one in others]
            self._coupled_sources = {one.id or "": source for source, one in others}
            self.refresh()

        if sources:
            self._catalogue_job.start(tr("Searching for the services and data of the record"),
                                      lambda feedback: services_in_catalogue(record, sources, feedback), show,
                                      log.error)

    def add_service(self, identifier: str) -> None:
        """Add a service of the selected data set, whose record is saved first if only the catalogue has it."""
        source = self._coupled_sources.pop(identifier, None)
        if source is not None:
            service = next(one for one in self._coupled if one.id == identifier)
            self._session.save_record(RecordSource(source.key, source.kind.value, source.display_name), service,
                                      tr("Saved in your records. The map’s credit is read from it."))
        self._additions.add_stored_record(identifier, data=self._selected.record)

    def _services(self) -> Tuple[CoupledRecord, ...]:
        found = []
        for record in self._coupled:
            best = next(iter(offered_distributions(distributions_of(record))), None)
            if record.kind is ResourceKind.SERVICE and best is not None:
                found.append(CoupledRecord(record.id or "", record_title(record), best.kind))
        return tuple(found)

    def _data(self) -> Tuple[CoupledRecord, ...]:
        return tuple(CoupledRecord(record.id or "", record_title(record)) for record in self._coupled
                     if record.kind is not ResourceKind.SERVICE)

    def _offer_of_service(self, record: Record) -> AddOffer:
        endpoint = self._session.endpoint(record)
        if not endpoint:
            named = self._session.distributions(record)
            return AddOffer(OfferState.NO_SERVICE, "" if offered_distributions(named) else nothing_to_add(named))
        state, service = self._session.service_state(endpoint), self._session.services.get(endpoint)
        if service is None:
            if state.status is ServiceStatus.FAILED and isinstance(state.error, NotCapabilities):
                return AddOffer(OfferState.NO_SERVICE)
            if state.status is ServiceStatus.FAILED and state.error is not None:
                return AddOffer(OfferState.FAILED, state.error.user_text.split("\n")[0])
            if state.status is ServiceStatus.LOADING:
                return AddOffer(OfferState.LOADING)
            return AddOffer(OfferState.NOT_LOADED, state.error.user_text if state.error is not None else "")
        series = self._time_series.series_of(service)
        if series is None:
            return AddOffer(OfferState.LOADING)
        decision = decide_use(service, series, self._additions.has_other_base(endpoint))
        linked = linked_layers(record, endpoint, service)
        return AddOffer(OfferState.READY, linked.note, decision, linked)


class SuggestionController(QObject):
    """Searches the library in a task whenever the map has other services than before."""

    #: suggestions, best first
    suggestions_changed = pyqtSignal(list)

    def __init__(self, map_controller: MapController, add: Callable[[Record, str, AddMode], None],
                 parent: Optional[QObject] = None) -> None:
        """``add`` adds a record's service (by its endpoint) to the map."""
        super().__init__(parent)
        self._map, self._add = map_controller, add
        self._search_job: tasks.LatestJob[list[SuggestionCandidate]] = tasks.LatestJob(self)
        self._endpoints: Optional[tuple[str, ...]] = None
        # the library is opened in the background when the dock is
        self._timer = single_shot(self, 400, self._search)

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
        query = LibraryQuery(bbox=area, facets={Facet.KIND: (ResourceKind.SERVICE.value,)})
        library = self._map.session.library
        records = [record for record in map(self._map.record_of, self._map.items) if record is not None]
        # a service that was given another address is still that of its record
        endpoints = [*(self._endpoints or ()), *filter(None, map(self._map.session.endpoint, records))]

        def find(feedback: tasks.Feedback) -> list[SuggestionCandidate]:
            page = library.load_page((query, 0), feedback.isCanceled)
            return [SuggestionCandidate(hit.identifier, hit.title, hit.endpoint) for hit in page.hits]

        def show(candidates: list[SuggestionCandidate]) -> None:
            self.suggestions_changed.emit(list(suggest_services(records, endpoints, candidates)))

        self._search_job.start(tr("Searching for services that match the map"), find, show, lambda _error: None)

    def add_suggestion(self, suggestion: Suggestion) -> None:
        """Add the suggested service to the map."""
        self._add_stored(suggestion.candidate.identifier, AddMode.ADD)

    def add_base(self, identifier: str) -> None:
        """Add the service of a record of the library to the map, as its base."""
        self._add_stored(identifier, AddMode.AS_BASE)

    def _add_stored(self, identifier: str, mode: AddMode) -> None:
        record = self._map.session.record(identifier)
        endpoint = self._map.session.endpoint(record) if record is not None else None
        if record is not None and endpoint:
            self._add(record, endpoint, mode)
