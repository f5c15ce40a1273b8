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

from ..core.custommap.address_choice import choose_address
from ..core.errors import CartoguideError
from ..core.i18n import tr
from ..core.records.links import normalise_endpoint
from ..core.store.keeping import Kept
from ..core.wms import read_service
from ..core.wms.model import Service
from ..core.wms.pruning import only_layers
from . import capabilities, disk_cache, main_thread, settings, tasks
from .callbacks import nothing
from .capabilities import OpenKeeping, Reading, capabilities_url
from .network import Cancelled, pool_thread_lent
from .network_errors import host_of

__all__ = ["OWN_STEP", "ServiceCache", "capabilities_url", "shared"]

#: seconds that a failure is not asked for again by itself, and that an old description counts while the server is away
FAILURE_KEPT = 5.0
OLD_KEPT = 300.0
#: seconds that a description counts at least: all layers of a map are made from one
KEPT_AT_LEAST = 60.0
#: pixels of width and height that QGIS asks for at most where a layer says nothing else
OWN_STEP = 2000
#: QGIS parses the document for every layer: one with more layers than this is shortened meanwhile
_SHORT = 100
_LIMIT = re.compile(rb"<((?:\w+:)?Max(?:Width|Height))>\s*\d+\s*</\1>")

Done = Callable[[Service], None]
Failed = Callable[[CartoguideError], None]


@dataclass
class Known:
    """What is known of one service: what it said, why nothing (newer) was to be had, when asked (monotonic seconds).

    What was ``taken`` from a snapshot counts, however old, until somebody asks anew: there may be no network.
    """

    reading: Optional[Reading] = None
    error: Optional[CartoguideError] = None
    when: float = field(default_factory=time.monotonic)
    taken: bool = False

    @property
    def service(self) -> Optional[Service]:
        """The service, however old its description."""
        return self.reading.service if self.reading is not None else None

    def usable(self) -> bool:
        """Whether it need not be asked for again by itself."""
        since = time.monotonic() - self.when
        if self.taken:
            return True
        if self.reading is None:
            return since < FAILURE_KEPT
        if self.error is not None:
            return since < OLD_KEPT
        return self.reading.age < settings.get("capabilities_hours") * 3600 or since < KEPT_AT_LEAST


@dataclass
class _Waiter:
    done: Done
    failed: Failed
    owner: Optional[QObject]

    def lives(self) -> bool:
        return self.owner is None or not sip.isdeleted(self.owner)


class ServiceCache:
    """Services by endpoint. ``get`` and ``load`` on the main thread; ``obtain`` in worker threads."""

    def __init__(self, keeping: Optional[OpenKeeping] = None) -> None:
        self._kept: Dict[str, Known] = {}
        self._same: Dict[str, str] = {}
        self._keeping = keeping
        self._lock = threading.Lock()
        self._making: Dict[str, threading.Lock] = {}
        self._asking: Dict[str, threading.Lock] = {}
        self._waiting: Dict[str, List[_Waiter]] = {}
        self._jobs: Dict[str, tasks.Job] = {}

    def get(self, endpoint: str) -> Optional[Service]:
        """The service if it is known already, however old."""
        kept = self._kept.get(self._asked_at(endpoint))
        return kept.service if kept else None

    def error(self, endpoint: str) -> Optional[CartoguideError]:
        """Why the service could not be read when it was last asked for, or None."""
        kept = self._kept.get(self._asked_at(endpoint))
        return kept.error if kept else None

    def age(self, endpoint: str) -> Optional[float]:
        """Seconds since the server itself described the service; None where nothing is known of it."""
        kept = self._kept.get(self._asked_at(endpoint))
        return kept.reading.age if kept and kept.reading else None

    def keep_in(self, keeping: Optional[OpenKeeping]) -> None:
        """From now on keep what services say in the store that ``keeping`` opens, and use it where they are silent."""
        self._keeping = keeping

    def forget(self, endpoint: str) -> None:
        """Ask again next time."""
        with self._lock:
            self._kept.pop(self._asked_at(endpoint), None)

    def load(self, endpoint: str, done: Done, failed: Failed, owner: Optional[QObject] = None,
             refresh: bool = False) -> None:
        """Later, on the main thread, call ``done`` with the service or ``failed`` with why not, unless ``owner``
        dies.

        However many ask at once, one request is sent. ``refresh`` asks the server again, also after a failure.
        """
        waiter = _Waiter(done, failed, owner)
        try:
            key = self._asked_at(endpoint)
        except CartoguideError as error:
            refused = error
            QTimer.singleShot(0, lambda: waiter.failed(refused) if waiter.lives() else None)
            return
        kept = self._kept.get(key)
        if kept is not None and kept.usable() and not refresh and key not in self._jobs:
            known = kept
            QTimer.singleShot(0, lambda: _tell([waiter], known))
            return
        self._waiting.setdefault(key, []).append(waiter)
        if key not in self._jobs:
            self._jobs[key] = tasks.start(
                tr("Reading the service of {host}", host=host_of(endpoint)),
                lambda feedback: self.obtain(endpoint, feedback, refresh),
                lambda service: self._answer(key, self._kept.get(key) or Known(Reading(service))),
                lambda error: self._answer(key, Known(error=error)))

    def cancel(self, owner: QObject) -> None:
        """Nobody at ``owner`` waits any more; requests that nobody waits for are given up."""
        for key, waiters in list(self._waiting.items()):
            self._waiting[key] = [waiter for waiter in waiters if waiter.owner is not owner]
            if not self._waiting[key]:
                del self._waiting[key]
                self._jobs.pop(key).cancel()

    def obtain(self, endpoint: str, feedback: Optional[QgsFeedback] = None, refresh: bool = False) -> Service:
        """The service, asked for if need be. Blocks: in worker threads only. CartoguideError says why there is none."""
        key = self._asked_at(endpoint)
        asked = time.monotonic()
        with self._lock:
            turn = self._asking.setdefault(key, threading.Lock())
        with _held(turn, feedback, key):
            kept = self._kept.get(key)
            if kept is None or not kept.usable() or (refresh and kept.when < asked):
                kept = self._ask(key, feedback, refresh)
        if kept.service is None:
            error = kept.error or CartoguideError(tr("The service could not be read."), key)
            raise error.with_traceback(None)
        return kept.service

    def take(self, endpoint: str, document: bytes, fetched_at: datetime) -> Service:
        """Know the service from a document that it gave at ``fetched_at``, unless something newer is known of it; kept
        in the store, too. CartoguideError where the document is none.
        """
        key = _key(endpoint)
        service = read_service(document, host_of(key))
        with self._lock:
            known = self._kept.get(key)
            if known is not None and known.reading is not None and known.reading.fetched_at >= fetched_at:
                return known.reading.service
            reading = capabilities.Reading(service, fetched_at, None, Kept(
                document, {}, fetched_at.isoformat()))
            self._kept[key] = Known(reading, taken=True)
            own = _own_address(key, service)
            if own != key and own not in self._kept:
                self._same[own] = key
        self._keep(key, reading)
        return service

    def prime(self, endpoint: str, places: Collection[str] = ()) -> bool:
        """Put the known capabilities where QGIS's provider looks first; False where they are not known or not taken.

        ``places`` are the addresses that layers ask with parameters of their own.
        """
        service = self.get(endpoint)
        return service is not None and _put(endpoint, places, _for_one_image(service, service.original))

    @contextmanager
    def primed(self, endpoint: str, names: Collection[str], feedback: Optional[QgsFeedback] = None,
               places: Collection[str] = ()) -> Iterator[None]:
        """As ``prime`` while layers called ``names`` are made, in worker threads; of a large service, these alone are
        seen meanwhile. One at a time for each service.
        """
        key, service = _key(endpoint), self.get(endpoint)
        with self._lock:
            turn = self._making.setdefault(key, threading.Lock())
        with _held(turn, feedback, key):
            short = service is not None and sum(1 for _ in service.layers()) > _SHORT
            if service is not None and short:
                _put(endpoint, places, _for_one_image(service, only_layers(service.original, names)))
            else:
                self.prime(endpoint, places)
            try:
                yield
            finally:
                if short:
                    self.prime(endpoint, places)

    def _ask(self, key: str, feedback: Optional[QgsFeedback], refresh: bool) -> Known:
        try:
            reading = capabilities.read(key, feedback, self._keeping, settings.get("capabilities_hours"), refresh)
            kept = Known(reading, reading.trouble)
            self._keep(key, reading)
        except Cancelled:
            raise
        except CartoguideError as error:
            kept = Known(error=error.with_traceback(None))
        with self._lock:
            before = self._kept.get(key)
            # a service that was read once stays usable when a refresh fails
            if kept.service is not None or before is None or before.service is None:
                self._kept[key] = kept
            if kept.service is not None:
                own = _own_address(key, kept.service)
                if own != key and own not in self._kept:
                    self._same[own] = key
        return kept

    def _keep(self, key: str, reading: Reading) -> None:
        """Keep what is new, in a task of its own: the store may be busy with an import, and nobody waits for that."""
        keeping, kept = self._keeping, reading.to_keep
        if keeping is None or kept is None:
            return
        description = tr("Keeping the description of {host}", host=host_of(key))
        # what was kept, or not, is told by nobody: the log has it
        main_thread.post(lambda: _started(tasks.start(
            description, lambda _feedback: capabilities.keep(key, kept, keeping), nothing, nothing, quiet=True)))

    def _asked_at(self, endpoint: str) -> str:
        """The address at which this service was asked, where that is another one than ``endpoint`` itself."""
        key = _key(endpoint)
        return self._same.get(key, key)

    def _answer(self, key: str, kept: Known) -> None:
        self._jobs.pop(key, None)
        _tell(self._waiting.pop(key, []), kept)


@contextmanager
def _held(turn: threading.Lock, feedback: Optional[QgsFeedback], key: str) -> Iterator[None]:
    """Hold ``turn``; waiting for it can be cancelled and lends its place in the pool to others."""
    with pool_thread_lent():
        while not turn.acquire(timeout=0.05):
            if feedback is not None and feedback.isCanceled():
                raise Cancelled(key)
    try:
        yield
    finally:
        turn.release()


def _for_one_image(service: Service, document: bytes) -> bytes:
    """The capabilities as the provider should see them: without limits that its layers keep to anyway.

    Told of MaxWidth, QGIS 3.22 asks for whole tiles of that size on a grid of its own: many times a page's pixels,
    resampled, with seams. Without, it asks for exactly what it draws, in pieces of the layer's stepWidth and
    stepHeight, which never pass the limits. Limits below QGIS's own step of 2000 pixels stay.
    """
    limits = (service.limits.width, service.limits.height)
    if any(limit is not None and limit < OWN_STEP for limit in limits):
        return document
    # both stand in the Service element, ahead of everything that is large
    head, begin, rest = document.partition(b"Capability>")
    return _LIMIT.sub(b"", head) + begin + rest


def _put(endpoint: str, places: Collection[str], document: bytes) -> bool:
    """Whether the cache took ``document`` as the capabilities at the endpoint and at each of ``places``."""
    taken = [disk_cache.put(key, document) for key in {_key(endpoint), *map(_key, places)}]
    return all(taken)


def _tell(waiters: List[_Waiter], kept: Known) -> None:
    for waiter in waiters:
        if not waiter.lives():
            continue
        if kept.service is not None:
            waiter.done(kept.service)
        elif kept.error is not None:
            waiter.failed(kept.error)


def _own_address(key: str, service: Service) -> str:
    """Where the service itself says that it is asked, which is where its layers ask: no second request for the same.

    Only where that is the same endpoint otherwise spelt: nobody describes the service of another one.
    """
    own = choose_address(key, service).url
    return _key(own) if normalise_endpoint(own) == normalise_endpoint(key) else key


def _started(_job: tasks.Job) -> None:
    """A job that nobody waits for."""


def _key(endpoint: str) -> str:
    return capabilities_url(endpoint)


_shared: Optional[ServiceCache] = None


def shared() -> ServiceCache:
    """The one cache of this session."""
    global _shared
    if _shared is None:
        _shared = ServiceCache()
    return _shared
