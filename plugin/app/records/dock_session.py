"""Records, terms and services that the dock shows. Slow work runs in tasks and threads."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Optional, Sequence

from qgis.PyQt.QtCore import QObject, pyqtSignal

from ...core.catalogues.result_merging import RemoteHit
from ...core.errors import CartoguideError
from ...core.library.query import SearchHit
from ...core.records.model import endpoints
from ...core.records.model.record import Record, is_starter
from ...core.terms.model import Terms
from ...core.wms.model.service import Service
from ...gis.library.record_library import find_endpoint_hits
from ...gis.runtime.terms import terms_for
from ...gis.services import service_cache
from .. import phrases
from .record_session import RecordSession
from .row_images import RowImages

#: number of records whose terms are cached
_MAX_TERMS = 500
_NETWORK_SETTINGS = ("profile", "base_url", "node", "catalogue_type", "catalogue_url")


class ServiceStatus(str, Enum):
    """States of a service's capabilities in the dock: not loaded, loading, failed, loaded."""

    UNKNOWN = "unknown"
    LOADING = "loading"
    FAILED = "failed"
    LOADED = "loaded"


@dataclass(frozen=True)
class ServiceState:
    """State of a service's capabilities.

    ``loaded_text`` says when they were loaded. ``error`` is the reason why loading failed, which is also set if a
    cached copy is used instead.
    """

    status: ServiceStatus = ServiceStatus.UNKNOWN
    service: Optional[Service] = None
    error: Optional[CartoguideError] = None
    loaded_text: str = ""


class DockSession(RecordSession):
    """Session of one dock. Signals are emitted on the main thread."""

    terms_changed = pyqtSignal(object)
    service_changed = pyqtSignal(str)

    def __init__(self, parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self.services = service_cache.shared()
        self.services.save_to(lambda: self.library.store().blob_cache)
        self._terms: dict[int, tuple[Record, Optional[Service], Terms]] = {}
        self._service_states: dict[str, ServiceState] = {}
        self._load_owners: dict[str, QObject] = {}
        self.images = RowImages(lambda: self.library, self)

    # -- records

    def facts(self, hit: SearchHit) -> str:
        """Return the second line of a result's row."""
        if isinstance(hit, RemoteHit):
            return phrases.remote_hit_summary(hit)
        record = self.cached_record(hit.identifier)
        if record is None:
            return phrases.hit_summary(hit)
        return phrases.record_summary(record, self.terms(record), is_starter(record), phrases.removal_note(hit))

    def endpoint(self, record: Record) -> Optional[str]:
        """Return the endpoint of the record's map service, or None."""
        return endpoints.wms_endpoint(record)

    def record_for_endpoint(self, endpoint: str) -> Optional[Record]:
        """Return the best record of the service at ``endpoint``, see ``find_endpoint_hits``, or None."""
        store = self.library.store_if_open
        best = find_endpoint_hits(store, endpoint) if store is not None else []
        return self.record(best[0].identifier) if best else None

    # -- terms

    def terms(self, record: Record) -> Terms:
        """Return the record's terms. They include those in the service's capabilities once these are loaded."""
        endpoint = self.endpoint(record)
        service = self.services.get(endpoint) if endpoint else None
        cached = self._terms.get(id(record))
        if cached is None or cached[0] is not record or cached[1] is not service:
            cached = (record, service, terms_for(record, service))
            if len(self._terms) > _MAX_TERMS:
                self._terms.clear()
            self._terms[id(record)] = cached
        return cached[2]

    def apply_settings(self, names: Sequence[str]) -> None:
        """Apply changed settings: another library, network profile or credit pattern."""
        self._terms.clear()
        if "store/path" in names:
            self.reopen_library()
        elif any(name in _NETWORK_SETTINGS for name in names):
            self.start()
        else:
            self.records_changed.emit()

    # -- services

    def service_state(self, endpoint: str) -> ServiceState:
        """Return the state of the service's capabilities."""
        return self._service_states.get(endpoints.normalise_endpoint(endpoint), ServiceState())

    def load_service(self, endpoint: str, refresh: bool = False) -> None:
        """Load the service's capabilities, unless they are loaded or being loaded.

        ``refresh`` loads them again, from the server.
        """
        status = self.service_state(endpoint).status
        if status is ServiceStatus.LOADING or (status is not ServiceStatus.UNKNOWN and not refresh):
            self.service_changed.emit(endpoint)
            return
        key = endpoints.normalise_endpoint(endpoint)
        owner = self._load_owners[key] = QObject(self)
        self._set_service_state(endpoint, ServiceState(ServiceStatus.LOADING, self.services.get(endpoint)))
        self.services.request(endpoint, lambda service: self._on_service_loaded(endpoint, service),
                              lambda error: self._on_service_failed(endpoint, error), owner, refresh)

    def cancel_service(self, endpoint: str) -> None:
        """Stop loading the service's capabilities."""
        owner = self._load_owners.pop(endpoints.normalise_endpoint(endpoint), None)
        if owner is not None:
            self.services.cancel(owner)
            owner.deleteLater()
            self._set_service_state(endpoint, ServiceState())

    def _release_owner(self, endpoint: str) -> None:
        """Delete the owner of a request that has ended."""
        owner = self._load_owners.pop(endpoints.normalise_endpoint(endpoint), None)
        if owner is not None:
            owner.deleteLater()

    def _on_service_loaded(self, endpoint: str, service: Service) -> None:
        self._release_owner(endpoint)
        error = self.services.error(endpoint)
        at = phrases.loaded_text(self.services.age(endpoint) or 0.0, error)
        self._set_service_state(endpoint, ServiceState(ServiceStatus.LOADED, service, error, at))
        record = self.record_for_endpoint(endpoint)
        if record is not None:
            self.terms_changed.emit(record)

    def _on_service_failed(self, endpoint: str, error: CartoguideError) -> None:
        self._release_owner(endpoint)
        self._set_service_state(endpoint, ServiceState(ServiceStatus.FAILED, self.services.get(endpoint), error))

    def _set_service_state(self, endpoint: str, state: ServiceState) -> None:
        self._service_states[endpoints.normalise_endpoint(endpoint)] = state
        self.service_changed.emit(endpoint)

    def close(self) -> None:
        """Cancel all requests and close the library."""
        for owner in list(self._load_owners.values()):
            self.services.cancel(owner)
        self._load_owners.clear()
        self.services.save_to(None)
        super().close()
