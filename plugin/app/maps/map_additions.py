"""Services on their way to the map: their capabilities are loaded first, then their layers are added or chosen."""

from __future__ import annotations

from functools import partial
from typing import Callable, List, Optional, Sequence, Tuple

from qgis.PyQt.QtCore import QObject, pyqtSignal

from ...core.custommap.model import CustomMap, MapRole, Plan
from ...core.custommap.planner import drawable_layers, linked_layers
from ...core.custommap.service_use import ServiceUse, decide_use, hides_below
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.records.formats.from_service import record_from_service
from ...core.records.model.endpoints import normalise_endpoint
from ...core.records.model.record import Record
from ...core.wms.dimensions.time_series import TimeSeries, find_time_series
from ...core.wms.model.service import Service
from ...gis.layers import project_group
from ...gis.layers import wms_layers as gis_layers
from ...gis.runtime import tasks
from ..phrases import record_title
from ..records.dock_session import DockSession, ServiceStatus
from ..records.record_controller import SelectedRecord
from ..window import Notifier
from .map_controller import MapController
from .map_state import AddMode, LayerChoice, make_entry


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
