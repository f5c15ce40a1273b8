"""What services say of themselves: one capabilities request however many ask, read in a task, kept in memory.

QGIS's WMS provider asks for the same document again for every layer. So what it may see is put into QGIS's network
cache, where the provider finds it without a request.
"""

from __future__ import annotations

import re
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Callable, Collection, Dict, Iterator, List, Optional

from qgis.core import QgsFeedback
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QObject, QTimer

from ...core.custommap.address_choice import choose_getmap_address
from ...core.errors import Cancelled, CartoguideError
from ...core.i18n import tr
from ...core.library.blob_cache import CachedBlob
from ...core.records.model.endpoints import normalise_endpoint
from ...core.wms import read_service
from ...core.wms.capabilities.pruning import prune_capabilities
from ...core.wms.model.service import Service
from ..network import qgis_http_cache
from ..runtime import main_thread, settings, tasks
from ..runtime.network_errors import host_of
from ..runtime.tasks import no_op
from ..runtime.thread_pool import pool_slot_released
from . import capabilities_fetch
from .capabilities_fetch import FetchedService, OpenBlobCache, capabilities_url

__all__ = ["DEFAULT_STEP_SIZE", "ServiceCache", "capabilities_url", "shared"]

#: seconds that a failure is not asked for again by itself, and that an old description counts while the server is away
FAILURE_SECONDS = 5.0
STALE_SECONDS = 300.0
#: seconds that a description counts at least: all layers of a map are made from one
MINIMUM_SECONDS = 60.0
#: pixels of width and height that QGIS asks for at most where a layer says nothing else
DEFAULT_STEP_SIZE = 2000
#: QGIS parses the document for every layer: one with more layers than this is shortened meanwhile
_PRUNE_ABOVE = 100
_SIZE_LIMIT_ELEMENT = re.compile(rb"<((?:\w+:)?Max(?:Width|Height))>\s*\d+\s*</\1>")

ServiceCallback = Callable[[Service], None]
ErrorCallback = Callable[[CartoguideError], None]


@dataclass
class CachedService:
    """What is known of one service: what it said, why nothing (newer) was to be had, when asked (monotonic seconds).

    What was ``taken`` from a snapshot counts, however old, until somebody asks anew: there may be no network.
    """

    reading: Optional[FetchedService] = None
    error: Optional[CartoguideError] = None
    requested_at: float = field(default_factory=time.monotonic)
    from_snapshot: bool = False

    @property
    def service(self) -> Optional[Service]:
        """The service, however old its description."""
        return self.reading.service if self.reading is not None else None

    def is_usable(self) -> bool:
        """Whether it need not be asked for again by itself."""
        since = time.monotonic() - self.requested_at
        if self.from_snapshot:
            return True
        if self.reading is None:
            return since < FAILURE_SECONDS
        if self.error is not None:
            return since < STALE_SECONDS
        return self.reading.age < settings.get("capabilities_hours") * 3600 or since < MINIMUM_SECONDS


@dataclass
class _Waiter:
    done: ServiceCallback
    failed: ErrorCallback
    owner: Optional[QObject]

    def is_alive(self) -> bool:
        return self.owner is None or not sip.isdeleted(self.owner)


class ServiceCache:
    """Services by endpoint. ``get`` and ``load`` on the main thread; ``obtain`` in worker threads."""

    def __init__(self, open_blob_cache: Optional[OpenBlobCache] = None) -> None:
        self._entries: Dict[str, CachedService] = {}
        self._aliases: Dict[str, str] = {}
        self._open_blob_cache = open_blob_cache
        self._lock = threading.Lock()
        self._priming_locks: Dict[str, threading.Lock] = {}
        self._fetch_locks: Dict[str, threading.Lock] = {}
        self._waiters: Dict[str, List[_Waiter]] = {}
        self._jobs: Dict[str, tasks.Job] = {}

    def get(self, endpoint: str) -> Optional[Service]:
        """The service if it is known already, however old."""
        kept = self._entries.get(self._cache_key(endpoint))
        return kept.service if kept else None

    def error(self, endpoint: str) -> Optional[CartoguideError]:
        """Why the service could not be read when it was last asked for, or None."""
        kept = self._entries.get(self._cache_key(endpoint))
        return kept.error if kept else None

    def age(self, endpoint: str) -> Optional[float]:
        """Seconds since the server itself described the service; None where nothing is known of it."""
        kept = self._entries.get(self._cache_key(endpoint))
        return kept.reading.age if kept and kept.reading else None

    def save_to(self, open_blob_cache: Optional[OpenBlobCache]) -> None:
        """From now on keep what services say in the store that ``keeping`` opens, and use it where they are silent."""
        self._open_blob_cache = open_blob_cache

    def forget(self, endpoint: str) -> None:
        """Ask again next time."""
        with self._lock:
            self._entries.pop(self._cache_key(endpoint), None)

    def request(self, endpoint: str, done: ServiceCallback, failed: ErrorCallback, owner: Optional[QObject] = None,
                refresh: bool = False) -> None:
        """Later, on the main thread, call ``done`` with the service or ``failed`` with why not, unless ``owner``
        dies.

        However many ask at once, one request is sent. ``refresh`` asks the server again, also after a failure.
        """
        waiter = _Waiter(done, failed, owner)
        try:
            key = self._cache_key(endpoint)
        except CartoguideError as error:
            refused = error
            QTimer.singleShot(0, lambda: waiter.failed(refused) if waiter.is_alive() else None)
            return
        kept = self._entries.get(key)
        if kept is not None and kept.is_usable() and not refresh and key not in self._jobs:
            known = kept
            QTimer.singleShot(0, lambda: _notify_waiters([waiter], known))
            return
        self._waiters.setdefault(key, []).append(waiter)
        if key not in self._jobs:
            self._jobs[key] = tasks.start(
                tr("Loading the service of {host}",
                   host=host_of(endpoint)), lambda feedback: self.get_or_fetch(endpoint, feedback, refresh),
                lambda service: self._finish_request(key,
                                                     self._entries.get(key) or CachedService(FetchedService(service))),
                lambda error: self._finish_request(key, CachedService(error=error)))

    def cancel(self, owner: QObject) -> None:
        """Nobody at ``owner`` waits any more; requests that nobody waits for are given up."""
        for key, waiters in list(self._waiters.items()):
            self._waiters[key] = [waiter for waiter in waiters if waiter.owner is not owner]
            if not self._waiters[key]:
                del self._waiters[key]
                self._jobs.pop(key).cancel()

    def get_or_fetch(self, endpoint: str, feedback: Optional[QgsFeedback] = None, refresh: bool = False) -> Service:
        """The service, asked for if need be. Blocks: in worker threads only. CartoguideError says why there is none."""
        key = self._cache_key(endpoint)
        asked = time.monotonic()
        with self._lock:
            turn = self._fetch_locks.setdefault(key, threading.Lock())
        with _locked(turn, feedback, key):
            kept = self._entries.get(key)
            if kept is None or not kept.is_usable() or (refresh and kept.requested_at < asked):
                kept = self._fetch(key, feedback, refresh)
        if kept.service is None:
            error = kept.error or CartoguideError(tr("The service could not be read."), key)
            raise error.with_traceback(None)
        return kept.service

    def insert_document(self, endpoint: str, document: bytes, fetched_at: datetime) -> Service:
        """Know the service from a document that it gave at ``fetched_at``, unless something newer is known of it; kept
        in the store, too. CartoguideError where the document is none.
        """
        key = _capabilities_key(endpoint)
        service = read_service(document, host_of(key))
        with self._lock:
            known = self._entries.get(key)
            if known is not None and known.reading is not None and known.reading.fetched_at >= fetched_at:
                return known.reading.service
            reading = capabilities_fetch.FetchedService(service, fetched_at, None,
                                                        CachedBlob(document, {}, fetched_at.isoformat()))
            self._entries[key] = CachedService(reading, from_snapshot=True)
            own = _advertised_address(key, service)
            if own != key and own not in self._entries:
                self._aliases[own] = key
        self._save(key, reading)
        return service

    def prime_qgis_cache(self, endpoint: str, addresses: Collection[str] = ()) -> bool:
        """Put the known capabilities where QGIS's provider looks first; False where they are not known or not taken.

        ``places`` are the addresses that layers ask with parameters of their own.
        """
        service = self.get(endpoint)
        return service is not None and _write_to_qgis_cache(endpoint, addresses,
                                                            _without_size_limits(service, service.original))

    @contextmanager
    def primed_qgis_cache(self, endpoint: str, names: Collection[str], feedback: Optional[QgsFeedback] = None,
                          addresses: Collection[str] = ()) -> Iterator[None]:
        """As ``prime`` while layers called ``names`` are made, in worker threads; of a large service, these alone are
        seen meanwhile. One at a time for each service.
        """
        key, service = _capabilities_key(endpoint), self.get(endpoint)
        with self._lock:
            turn = self._priming_locks.setdefault(key, threading.Lock())
        with _locked(turn, feedback, key):
            short = service is not None and sum(1 for _ in service.iter_layers()) > _PRUNE_ABOVE
            if service is not None and short:
                _write_to_qgis_cache(endpoint, addresses,
                                     _without_size_limits(service, prune_capabilities(service.original, names)))
            else:
                self.prime_qgis_cache(endpoint, addresses)
            try:
                yield
            finally:
                if short:
                    self.prime_qgis_cache(endpoint, addresses)

    def _fetch(self, key: str, feedback: Optional[QgsFeedback], refresh: bool) -> CachedService:
        try:
            reading = capabilities_fetch.get_or_fetch(key, feedback, self._open_blob_cache,
                                                      settings.get("capabilities_hours"), refresh)
            kept = CachedService(reading, reading.refresh_error)
            self._save(key, reading)
        except Cancelled:
            raise
        except CartoguideError as error:
            kept = CachedService(error=error.with_traceback(None))
        with self._lock:
            before = self._entries.get(key)
            # a service that was read once stays usable when a refresh fails
            if kept.service is not None or before is None or before.service is None:
                self._entries[key] = kept
            if kept.service is not None:
                own = _advertised_address(key, kept.service)
                if own != key and own not in self._entries:
                    self._aliases[own] = key
        return kept

    def _save(self, key: str, reading: FetchedService) -> None:
        """Keep what is new, in a task of its own: the store may be busy with an import, and nobody waits for that."""
        keeping, kept = self._open_blob_cache, reading.to_save
        if keeping is None or kept is None:
            return
        description = tr("Saving the capabilities of {host}", host=host_of(key))
        # what was kept, or not, is told by nobody: the log has it
        main_thread.post(lambda: _ignore_job(
            tasks.start(description, lambda _feedback: capabilities_fetch.save(key, kept, keeping), no_op, no_op, quiet=
                        True)))

    def _cache_key(self, endpoint: str) -> str:
        """The address at which this service was asked, where that is another one than ``endpoint`` itself."""
        key = _capabilities_key(endpoint)
        return self._aliases.get(key, key)

    def _finish_request(self, key: str, kept: CachedService) -> None:
        self._jobs.pop(key, None)
        _notify_waiters(self._waiters.pop(key, []), kept)


@contextmanager
def _locked(turn: threading.Lock, feedback: Optional[QgsFeedback], key: str) -> Iterator[None]:
    """Hold ``turn``; waiting for it can be cancelled and lends its place in the pool to others."""
    with pool_slot_released():
        while not turn.acquire(timeout=0.05):
            if feedback is not None and feedback.isCanceled():
                raise Cancelled(key)
    try:
        yield
    finally:
        turn.release()


def _without_size_limits(service: Service, document: bytes) -> bytes:
    """The capabilities as the provider should see them: without limits that its layers keep to anyway.

    Told of MaxWidth, QGIS 3.22 asks for whole tiles of that size on a grid of its own: many times a page's pixels,
    resampled, with seams. Without, it asks for exactly what it draws, in pieces of the layer's stepWidth and
    stepHeight, which never pass the limits. Limits below QGIS's own step of 2000 pixels stay.
    """
    limits = (service.limits.width, service.limits.height)
    if any(limit is not None and limit < DEFAULT_STEP_SIZE for limit in limits):
        return document
    # both stand in the Service element, ahead of everything that is large
    head, begin, rest = document.partition(b"Capability>")
    return _SIZE_LIMIT_ELEMENT.sub(b"", head) + begin + rest


def _write_to_qgis_cache(endpoint: str, addresses: Collection[str], document: bytes) -> bool:
    """Whether the cache took ``document`` as the capabilities at the endpoint and at each of ``places``."""
    taken = [
        qgis_http_cache.insert_document(key, document)
        for key in {_capabilities_key(endpoint), *map(_capabilities_key, addresses)}
    ]
    return all(taken)


def _notify_waiters(waiters: List[_Waiter], kept: CachedService) -> None:
    for waiter in waiters:
        if not waiter.is_alive():
            continue
        if kept.service is not None:
            waiter.done(kept.service)
        elif kept.error is not None:
            waiter.failed(kept.error)


def _advertised_address(key: str, service: Service) -> str:
    """Where the service itself says that it is asked, which is where its layers ask: no second request for the same.

    Only where that is the same endpoint otherwise spelt: nobody describes the service of another one.
    """
    own = choose_getmap_address(key, service).url
    return _capabilities_key(own) if normalise_endpoint(own) == normalise_endpoint(key) else key


def _ignore_job(_job: tasks.Job) -> None:
    """A job that nobody waits for."""


def _capabilities_key(endpoint: str) -> str:
    return capabilities_url(endpoint)


_shared: Optional[ServiceCache] = None


def shared() -> ServiceCache:
    """The one cache of this session."""
    global _shared
    if _shared is None:
        _shared = ServiceCache()
    return _shared
