"""Cache of services by endpoint: one capabilities request however many callers, read in a task, kept in memory."""

from __future__ import annotations

import math
import threading
import time
from dataclasses import dataclass, field
from typing import Callable, Dict, Iterable, List, Optional, Union

from qgis.core import QgsFeedback
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QObject, QTimer

from ...core.custommap.address_choice import choose_getmap_address
from ...core.errors import Cancelled, CartoguideError
from ...core.i18n import tr
from ...core.records.model.endpoints import normalise_endpoint
from ...core.wms.model.service import Service
from ...core.wms.requests.urls import with_parameters
from ..runtime import main_thread, settings, tasks
from ..runtime.network_errors import host_of
from ..runtime.tasks import ErrorCallback, no_op
from ..runtime.thread_pool import hold_lock
from . import capabilities_fetch
from .capabilities_fetch import FetchedService, capabilities_url
from .saved_blobs import OpenBlobCache

#: seconds until a service is requested again after a failure without, and with, older capabilities
FAILURE_SECONDS = 5.0
STALE_SECONDS = 300.0
#: seconds that capabilities are used at least, so that all layers of a map are created from the same document
MINIMUM_SECONDS = 60.0

ServiceCallback = Callable[[Service], None]


@dataclass
class CachedService:
    """Entry of the cache: the service, or the error of the last request, or both.

    ``requested_at`` is in monotonic seconds.
    """

    reading: Optional[FetchedService] = None
    error: Optional[CartoguideError] = None
    requested_at: float = field(default_factory=time.monotonic)

    @property
    def service(self) -> Optional[Service]:
        """The service, whatever the age of its capabilities."""
        return self.reading.service if self.reading is not None else None

    def is_usable(self) -> bool:
        """Return True if the service need not be requested again yet."""
        age = time.monotonic() - self.requested_at
        if self.reading is None:
            return age < FAILURE_SECONDS
        if self.error is not None:
            return age < STALE_SECONDS
        return self.reading.is_younger_than(settings.get("capabilities_hours")) or age < MINIMUM_SECONDS


@dataclass
class _Waiter:
    done: ServiceCallback
    failed: ErrorCallback
    owner: Optional[QObject]

    def is_alive(self) -> bool:
        return self.owner is None or not sip.isdeleted(self.owner)


class ServiceCache:
    """Services by endpoint.

    ``get`` and ``request`` are for the main thread, ``get_or_fetch`` is for worker threads.
    """

    def __init__(self, open_blob_cache: Optional[OpenBlobCache] = None) -> None:
        self._entries: Dict[str, CachedService] = {}
        #: the keys of services whose capabilities advertise another address of the same endpoint
        self._aliases: Dict[str, str] = {}
        self._open_blob_cache = open_blob_cache
        self._lock = threading.Lock()
        self._fetch_locks: Dict[str, threading.Lock] = {}
        self._waiters: Dict[str, List[_Waiter]] = {}
        self._jobs: Dict[str, tasks.Job] = {}

    def get(self, endpoint: str) -> Optional[Service]:
        """Return the cached service, whatever its age, or None."""
        entry = self._entries.get(self._cache_key(endpoint))
        return entry.service if entry else None

    def error(self, endpoint: str) -> Optional[CartoguideError]:
        """Return the error of the last request, or None."""
        entry = self._entries.get(self._cache_key(endpoint))
        return entry.error if entry else None

    def age(self, endpoint: str) -> Optional[float]:
        """Return the age of the capabilities in seconds, or None if the service is not cached."""
        entry = self._entries.get(self._cache_key(endpoint))
        return entry.reading.age if entry and entry.reading else None

    def save_to(self, open_blob_cache: Optional[OpenBlobCache]) -> None:
        """Save capabilities in this blob cache, and use it when a server does not respond."""
        self._open_blob_cache = open_blob_cache

    def forget(self, endpoint: str) -> None:
        """Remove the service, so that it is requested again next time."""
        with self._lock:
            self._entries.pop(self._cache_key(endpoint), None)

    def request(self, endpoint: str, done: ServiceCallback, failed: ErrorCallback, owner: Optional[QObject] = None,
                refresh: bool = False) -> None:
        """Call ``done`` with the service, or ``failed`` with the error, later on the main thread.

        Neither is called if ``owner`` has been deleted. Simultaneous calls share one request. ``refresh`` sends a
        request even if the service is cached.
        """
        waiter = _Waiter(done, failed, owner)
        try:
            key = self._cache_key(endpoint)
        except CartoguideError as error:
            refused = error
            QTimer.singleShot(0, lambda: waiter.failed(refused) if waiter.is_alive() else None)
            return
        entry = self._entries.get(key)
        if entry is not None and entry.is_usable() and not refresh and key not in self._jobs:
            usable = entry
            QTimer.singleShot(0, lambda: _notify_waiters([waiter], usable))
            return
        self._waiters.setdefault(key, []).append(waiter)
        if key in self._jobs:
            return

        def finish(service: Service) -> None:
            self._finish_request(key, self._entries.get(key) or CachedService(FetchedService(service)))

        self._jobs[key] = tasks.start(
            tr("Loading the service of {host}", host=host_of(endpoint)),
            lambda feedback: self.get_or_fetch(endpoint, feedback, refresh), finish,
            lambda error: self._finish_request(key, CachedService(error=error)))

    def cancel(self, owner: QObject) -> None:
        """Remove the callbacks of ``owner``, and cancel requests that nothing else waits for."""
        for key, waiters in list(self._waiters.items()):
            self._waiters[key] = [waiter for waiter in waiters if waiter.owner is not owner]
            if not self._waiters[key]:
                del self._waiters[key]
                self._jobs.pop(key).cancel()

    def get_or_fetch(self, endpoint: str, feedback: Optional[QgsFeedback] = None, refresh: bool = False) -> Service:
        """Return the service, requesting its capabilities if necessary. Blocks, so it is for worker threads only.

        Raises CartoguideError if there is no service, Cancelled if ``feedback`` is cancelled.
        """
        key = self._cache_key(endpoint)
        called_at = time.monotonic()
        with self._lock:
            lock = self._fetch_locks.setdefault(key, threading.Lock())
        with hold_lock(lock, feedback, key):
            entry = self._entries.get(key)
            if entry is None or not entry.is_usable() or (refresh and entry.requested_at < called_at):
                entry = self._fetch(key, feedback, refresh)
        if entry.service is None:
            error = entry.error or CartoguideError(tr("The service could not be read."), key)
            raise error.with_traceback(None)
        return entry.service

    def get_or_fetch_all(self, endpoints: Iterable[str],
                         feedback: Optional[QgsFeedback] = None) -> Dict[str, Union[Service, CartoguideError]]:
        """Return each service or its error by endpoint, one after the other. For worker threads. Raises Cancelled."""
        services: Dict[str, Union[Service, CartoguideError]] = {}
        for endpoint in dict.fromkeys(endpoints):
            try:
                services[endpoint] = self.get_or_fetch(endpoint, feedback)
            except Cancelled:
                raise
            except CartoguideError as error:
                services[endpoint] = error
        return services

    def fetch_in_language(self, endpoint: str, code: str, feedback: Optional[QgsFeedback] = None) -> Service:
        """Return the service as its capabilities in the language ``code`` describe it, for its titles only.

        The parameter LANGUAGE is that of INSPIRE's Technical Guidance for View Services (3.11, 4.3.3.1).
        It is in the blob cache only: terms and layers are those of the default language. For worker threads. Raises
        CartoguideError, Cancelled.
        """
        key = capabilities_url(with_parameters(endpoint, {"LANGUAGE": code}))
        reading = capabilities_fetch.get_or_fetch(key, feedback, self._open_blob_cache,
                                                  settings.get("capabilities_hours"), False)
        self._save(key, reading)
        return reading.service

    def load_saved(self, endpoint: str) -> Optional[Service]:
        """Return the cached service, or else the one in the saved capabilities, whatever its age, or None.

        It sends no request. For worker threads.
        """
        key = self._cache_key(endpoint)
        known = self.get(endpoint)
        if known is not None or self._open_blob_cache is None:
            return known
        reading = capabilities_fetch.load_saved(key, self._open_blob_cache)
        if reading is None:
            return None
        with self._lock:
            entry = self._entries.get(key)
            if entry is None or entry.reading is None:
                error, requested_at = (entry.error, entry.requested_at) if entry is not None else (None, -math.inf)
                self._entries[key] = entry = CachedService(reading, error, requested_at)
                self._add_alias(key, reading.service)
        return entry.service

    def _fetch(self, key: str, feedback: Optional[QgsFeedback], refresh: bool) -> CachedService:
        try:
            reading = capabilities_fetch.get_or_fetch(key, feedback, self._open_blob_cache,
                                                      settings.get("capabilities_hours"), refresh)
            entry = CachedService(reading, reading.refresh_error)
            self._save(key, reading)
        except Cancelled:
            raise
        except CartoguideError as error:
            entry = CachedService(error=error.with_traceback(None))
        with self._lock:
            before = self._entries.get(key)
            # a service that was read once stays usable when a refresh fails
            if entry.service is not None or before is None or before.service is None:
                self._entries[key] = entry
            if entry.service is not None:
                self._add_alias(key, entry.service)
        return entry

    def _save(self, key: str, reading: FetchedService) -> None:
        """Save new capabilities in a task, because the record library may be busy with an import."""
        open_blob_cache, blob = self._open_blob_cache, reading.to_save
        if open_blob_cache is None or blob is None:
            return
        description = tr("Saving the capabilities of {host}", host=host_of(key))

        def start() -> None:
            # errors are logged by ``save``
            tasks.start(description, lambda _feedback: capabilities_fetch.save(key, blob, open_blob_cache), no_op,
                        no_op)

        main_thread.post(start)

    def _add_alias(self, key: str, service: Service) -> None:
        """Make the entry known under the GetMap address that the service advertises, which its layers request.

        Only another spelling of the same endpoint is accepted: a service does not describe other endpoints.
        """
        advertised = choose_getmap_address(key, service).url
        if normalise_endpoint(advertised) != normalise_endpoint(key):
            return
        alias = capabilities_url(advertised)
        if alias != key and alias not in self._entries:
            self._aliases[alias] = key

    def _cache_key(self, endpoint: str) -> str:
        """Return the address under which the service is cached, which may be another spelling of ``endpoint``."""
        key = capabilities_url(endpoint)
        return self._aliases.get(key, key)

    def _finish_request(self, key: str, entry: CachedService) -> None:
        self._jobs.pop(key, None)
        _notify_waiters(self._waiters.pop(key, []), entry)


def _notify_waiters(waiters: List[_Waiter], entry: CachedService) -> None:
    for waiter in waiters:
        if not waiter.is_alive():
            continue
        if entry.service is not None:
            waiter.done(entry.service)
        elif entry.error is not None:
            waiter.failed(entry.error)


_shared: Optional[ServiceCache] = None


def shared() -> ServiceCache:
    """Return the service cache of this session."""
    global _shared
    if _shared is None:
        _shared = ServiceCache()
    return _shared
