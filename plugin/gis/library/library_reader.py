"""The kept records for those parts of QGIS that know no dock: browser, locator, data source manager, layer menu."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING, Dict, List, Optional, Tuple

from ...core.errors import CartoguideError
from ...core.i18n import tr
from ..profiles import record_loading
from ..runtime import log, tasks
from ..services import capabilities_fetch, service_cache
from .record_library import RecordLibrary, store_path

if TYPE_CHECKING:
    from ...core.library.record_store import RecordStore
    from ...core.records.model.record import Record
    from ...core.wms.model.service import Service

#: descriptions of services that are remembered as they were read
_MAX_SERVICES = 40


class LibraryReader:
    """The dock's shelf where there is a dock, else one of its own. Everything but ``use``, ``reopen``, ``ready``,
    ``exist`` and ``close`` is for worker threads. CartoguideError from any of them: the store cannot be opened.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._dock_library: Optional[RecordLibrary] = None
        self._own_library: Optional[RecordLibrary] = None
        self._profile_loaded = False
        self._closed = False
        self._services: Dict[str, Tuple[str, Service]] = {}

    def use_library(self, library: Optional[RecordLibrary]) -> None:
        """The dock's shelf, which holds the network profile's records already; None: the dock is gone."""
        with self._lock:
            self._dock_library = library

    def reopen(self) -> None:
        """Another store or another network counts from now on."""
        with self._lock:
            self._profile_loaded = False
            own = self._own_library
        if own is not None:
            own.reopen()

    @property
    def store_if_open(self) -> Optional[RecordStore]:
        """The store if it is open already; never waits."""
        shelf = self._dock_library or self._own_library
        return shelf.store_if_open if shelf is not None else None

    @staticmethod
    def store_exists() -> bool:
        """Whether there is a store already: where there is none, looking for something does not make one."""
        return os.path.exists(store_path())

    def library(self) -> RecordLibrary:
        """The shelf."""
        with self._lock:
            if self._dock_library is not None:
                return self._dock_library
            if self._own_library is None:
                self._own_library = RecordLibrary()
                if self._closed:
                    self._own_library.close()
            return self._own_library

    def store(self) -> RecordStore:
        """The store, with the network profile's records in it."""
        shelf = self.library()
        store = shelf.store()
        with self._lock:
            begin = shelf is self._own_library and not self._profile_loaded
            self._profile_loaded = self._profile_loaded or begin
        if begin:
            try:
                shelf.save_bundled(record_loading.load_profile_records(tasks.Feedback()), tr("Bundled with Cartoguide"))
            except CartoguideError as error:
                # what is there can be shown all the same
                log.error(error)
        return store

    def known_service(self, endpoint: str) -> Optional[Service]:
        """What the service at ``endpoint`` said of itself, as far as that is known here; nothing is asked for."""
        known = service_cache.shared().get(endpoint)
        return known if known is not None else self.saved_service(capabilities_fetch.capabilities_url(endpoint))

    def saved_service(self, url: str) -> Optional[Service]:
        """The same by the address of its capabilities, from the store alone."""
        blob_cache = self.store().blob_cache
        blob = blob_cache.load(capabilities_fetch.BLOB_KIND, url)
        if blob is None:
            return None
        known = self._services.get(url)
        if known is not None and known[0] == blob.fetched_at:
            return known[1]
        service = capabilities_fetch.saved_service(url, lambda: blob_cache)
        if service is not None:
            self._services[url] = (blob.fetched_at, service)
            while len(self._services) > _MAX_SERVICES:
                self._services.pop(next(iter(self._services)))
        return service

    def load_record(self, identifier: str) -> Optional[Record]:
        """A record, read from its original."""
        return self.library().load_record(identifier, bool)

    def records_of_service(self, endpoint: str) -> List[str]:
        """The identifiers of the records that lead to a service, the likeliest first."""
        from ...core.records.model.endpoints import normalise_endpoint

        hits = self.store().find_by_endpoint(normalise_endpoint(endpoint))
        return [hit.identifier for hit in sorted(hits, key=lambda hit: (hit.kind != "service", hit.starter))]

    def close(self) -> None:
        """Let go of the store."""
        with self._lock:
            self._closed = True
            own, self._dock_library = self._own_library, None
        if own is not None:
            own.close()
        self._services.clear()
