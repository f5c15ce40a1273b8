"""Services on their way to the map: their capabilities are loaded first, then their layers are added or chosen."""

from __future__ import annotations

from typing import Callable, List, Optional, Sequence, Tuple

from qgis.PyQt.QtCore import QObject, pyqtSignal

from ...core.custommap.model import MapRole
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.records.formats.from_service import record_from_service
from ...core.records.model.record import Record
from ..phrases import record_title
from ..records.dock_session import DockSession, ServiceStatus
from ..records.record_controller import SelectedRecord
from ..window import Notifier
from .map_controller import MapController
from .map_state import AddMode, LayerChoice

#: a service with more layers than this is added by choosing some of them
_MAX_LAYERS_ADDED_UNASKED = 40


class MapAdditions(QObject):
    """Queue of the records whose services are added to the map."""

    #: ``pending`` may have changed
    pending_changed = pyqtSignal()
    #: record, endpoint, MapRole
    layer_choice_requested = pyqtSignal(object, str, object)

    def __init__(self, session: DockSession, map_controller: MapController, selected: SelectedRecord,
                 save_for_map: Callable[[str], None], notifier: Notifier, parent: Optional[QObject] = None) -> None:
        """``save_for_map`` saves the record with this identifier to the library if only a catalogue has it."""
        super().__init__(parent)
        self._session, self._map, self._selected, self._notifier = session, map_controller, selected, notifier
        self._save_for_map = save_for_map
        self._waiting: List[Tuple[AddMode, Record]] = []
        session.service_changed.connect(self._on_service_changed)

    @property
    def pending(self) -> bool:
        """True while a service's capabilities are awaited."""
        return bool(self._waiting)

    def add_selected(self, mode: AddMode = AddMode.ADD) -> None:
        """Add the service of the selected record."""
        record, endpoint = self._selected_service()
        if record is not None and endpoint:
            self._save_for_map(record.id or "")
            self.add_record(record, endpoint, mode)

    def add_record(self, record: Record, endpoint: str, mode: AddMode = AddMode.ADD) -> None:
        """Add a record's service. Its capabilities are loaded first if they are not known."""
        if self._session.services.get(endpoint) is None:
            self._waiting.append((mode, record))
            self.pending_changed.emit()
            self._session.load_service(endpoint, self._session.service_state(endpoint).status is ServiceStatus.FAILED)
        else:
            self._add_or_choose(mode, record, endpoint)

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
        self._map.cancel()
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
        names = [layer.name for layer in service.iter_layers() if layer.name and not layer.layers]
        role = MapRole.BASE if mode is AddMode.AS_BASE else MapRole.OVERLAY
        if mode is AddMode.CHOOSE or (mode is AddMode.ADD and len(names) > _MAX_LAYERS_ADDED_UNASKED):
            self.layer_choice_requested.emit(record, endpoint, role)
        elif not names:
            self._notifier.show_error(
                CartoguideError(tr("“{title}” offers no layer that can be requested.", title=record_title(record)),
                                endpoint))
        else:
            self._map.add(record, endpoint, LayerChoice.of_names(names, role))
