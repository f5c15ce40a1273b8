"""The record library for QGIS's own windows: browser, locator, data source manager and layer menu."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING, Callable, Dict, List, Optional, Tuple, TypeVar

from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.library.blob_cache import BlobKind
from ..profiles import record_loading
from ..runtime import log, tasks
from ..services import service_cache
from .record_library import RecordLibrary, find_endpoint_hits, store_path

if TYPE_CHECKING:
    from ...core.library.record_store import RecordStore
    from ...core.records.model.record import Record
    from ...core.wms.model.service import Service

T = TypeVar("T")
#: parsed capabilities that are kept in memory
_MAX_SERVICES = 40


class LibraryReader:
    """Reads the records of the library that the dock has open. While there is no dock, it opens the library itself.

    All methods are for worker threads except ``use_library``, ``reopen``, ``read``, ``store_exists`` and
    ``close``. They raise CartoguideError if the library cannot be opened.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._dock_library: Optional[RecordLibrary] = None
        self._separate_library: Optional[RecordLibrary] = None
        self._profile_loaded = False
        self._closed = False
        self._services: Dict[str, Tuple[str, Service]] = {}

    def use_library(self, library: Optional[RecordLibrary]) -> None:
        """Use the library of the dock, which contains the bundled records, or None when the dock is closed."""
        with self._lock:
            self._dock_library = library

    def reopen(self) -> None:
        """Reopen the library after its file or the network profile was changed in the settings."""
        with self._lock:
            self._profile_loaded = False
            separate = self._separate_library
        if separate is not None:
            separate.reopen()

    def read(self, work: Callable[[RecordStore], T], on_error: tasks.ErrorCallback) -> Optional[T]:
        """Return what ``work`` reads on the main thread, see ``RecordLibrary.read``."""
        library = self._dock_library or self._separate_library
        return library.read(work, on_error) if library is not None else None

    @staticmethod
    def store_exists() -> bool:
        """Return True if the file of the library exists. A search does not create it."""
        return os.path.exists(store_path())

    def library(self) -> RecordLibrary:
        """Return the library of the dock, or the separate one."""
        with self._lock:
            if self._dock_library is not None:
                return self._dock_library
            if self._separate_library is None:
                self._separate_library = RecordLibrary()
                if self._closed:
                    self._separate_library.close()
            return self._separate_library

    def store(self) -> RecordStore:
        """Return the store, with the bundled records in it."""
        library = self.library()
        store = library.store()
        with self._lock:
            is_first_use = library is self._separate_library and not self._profile_loaded
            self._profile_loaded = self._profile_loaded or is_first_use
        if is_first_use:
            try:
                loaded = record_loading.load_profile_records(tasks.Feedback())
                library.save_bundled(loaded, tr("Bundled with Cartoguide"))
            except CartoguideError as error:
                # the records in the library can be shown all the same
                log.error(error)
        return store

    def known_service(self, endpoint: str) -> Optional[Service]:
        """Return the service at ``endpoint`` from memory or from the library, or None. Sends no request."""
        known = service_cache.shared().get(endpoint)
        return known if known is not None else self.saved_service(service_cache.capabilities_url(endpoint))

    def saved_service(self, url: str) -> Optional[Service]:
        """Return the service with this capabilities address from the library, or None."""
        blob_cache = self.store().blob_cache
        blob = blob_cache.load(BlobKind.CAPABILITIES, url)
        if blob is None:
            return None
        known = self._services.get(url)
        if known is not None and known[0] == blob.fetched_at:
            return known[1]
        service = service_cache.saved_service(url, lambda: blob_cache)
        if service is not None:
            self._services[url] = (blob.fetched_at, service)
            while len(self._services) > _MAX_SERVICES:
                self._services.pop(next(iter(self._services)))
        return service

    def load_record(self, identifier: str) -> Optional[Record]:
        """Return a record, read from its original document, or None."""
        return self.library().load_record(identifier, bool)

    def records_of_service(self, endpoint: str) -> List[str]:
        """Return the identifiers of the records of a service, the best match first."""
        return [hit.identifier for hit in find_endpoint_hits(self.store(), endpoint)]

    def close(self) -> None:
        """Close the library, unless it is the one of the dock."""
        with self._lock:
            self._closed = True
            separate, self._dock_library = self._separate_library, None
        if separate is not None:
            separate.close()
        self._services.clear()
