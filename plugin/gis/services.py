"""What services say of themselves: one capabilities request however many ask, read in a task, kept in memory.

QGIS's WMS provider asks for the same document again for every layer. So it is asked for at the very address that the
provider uses, and put into QGIS's network cache, where the provider finds it without a request.
"""

from __future__ import annotations

import re
import threading
import time
from dataclasses import dataclass, field
from typing import Callable, Dict, List, Optional

from qgis.core import QgsFeedback
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QObject, QTimer

from ..core.errors import CartoguideError
from ..core.i18n import tr
from ..core.request import Request
from ..core.wms import read_service
from ..core.wms.addresses import prefix
from ..core.wms.answers import explain_answer
from ..core.wms.model import Service
from . import disk_cache, tasks
from .network import Cancelled, Freshness, fetch, pool_thread_lent
from .network_errors import host_of

#: seconds that a service counts as known, and that a failure is not asked for again by itself
KEPT = 3600.0
FAILURE_KEPT = 5.0
#: pixels of width and height that QGIS asks for at most where a layer says nothing else
OWN_STEP = 2000
_LIMIT = re.compile(rb"<((?:\w+:)?Max(?:Width|Height))>\s*\d+\s*</\1>")

Done = Callable[[Service], None]
Failed = Callable[[CartoguideError], None]


def capabilities_url(endpoint: str) -> str:
    """The address at which QGIS's provider asks for capabilities: no VERSION, the endpoint's own parameters kept."""
    return prefix(endpoint) + "SERVICE=WMS&REQUEST=GetCapabilities"


@dataclass
class Kept:
    """What is known of one service: it or the error, and when (monotonic seconds)."""

    service: Optional[Service] = None
    error: Optional[CartoguideError] = None
    when: float = field(default_factory=time.monotonic)

    @property
    def age(self) -> float:
        """Seconds since it was asked for."""
        return time.monotonic() - self.when


@dataclass
class _Waiter:
    done: Done
    failed: Failed
    owner: Optional[QObject]

    def lives(self) -> bool:
        return self.owner is None or not sip.isdeleted(self.owner)


class ServiceCache:
    """Services by endpoint. ``get`` and ``load`` on the main thread; ``obtain`` in worker threads."""

    def __init__(self) -> None:
        self._kept: Dict[str, Kept] = {}
        self._lock = threading.Lock()
        self._asking: Dict[str, threading.Lock] = {}
        self._waiting: Dict[str, List[_Waiter]] = {}
        self._jobs: Dict[str, tasks.Job] = {}

    def get(self, endpoint: str) -> Optional[Service]:
        """The service if it is known already, however old."""
        kept = self._kept.get(_key(endpoint))
        return kept.service if kept else None

    def error(self, endpoint: str) -> Optional[CartoguideError]:
        """Why the service could not be read when it was last asked for, or None."""
        kept = self._kept.get(_key(endpoint))
        return kept.error if kept else None

    def age(self, endpoint: str) -> Optional[float]:
        """Seconds since the endpoint was last asked, or None."""
        kept = self._kept.get(_key(endpoint))
        return kept.age if kept else None

    def forget(self, endpoint: str) -> None:
        """Ask again next time."""
        with self._lock:
            self._kept.pop(_key(endpoint), None)

    def load(self, endpoint: str, done: Done, failed: Failed, owner: Optional[QObject] = None,
             refresh: bool = False) -> None:
        """Later, on the main thread, call ``done`` with the service or ``failed`` with why not, unless ``owner``
        dies.

        However many ask at once, one request is sent. ``refresh`` asks the server again, also after a failure.
        """
        waiter = _Waiter(done, failed, owner)
        try:
            key = _key(endpoint)
        except CartoguideError as error:
            refused = error
            QTimer.singleShot(0, lambda: waiter.failed(refused) if waiter.lives() else None)
            return
        kept = self._usable(key)
        if kept is not None and not refresh and key not in self._jobs:
            QTimer.singleShot(0, lambda: _tell([waiter], kept))
            return
        self._waiting.setdefault(key, []).append(waiter)
        if key not in self._jobs:
            self._jobs[key] = tasks.start(
                tr("Reading the service of {host}", host=host_of(endpoint)),
                lambda feedback: self.obtain(endpoint, feedback, refresh),
                lambda service: self._answer(key, Kept(service)), lambda error: self._answer(key, Kept(error=error)))

    def cancel(self, owner: QObject) -> None:
        """Nobody at ``owner`` waits any more; requests that nobody waits for are given up."""
        for key, waiters in list(self._waiting.items()):
            self._waiting[key] = [waiter for waiter in waiters if waiter.owner is not owner]
            if not self._waiting[key]:
                del self._waiting[key]
                self._jobs.pop(key).cancel()

    def obtain(self, endpoint: str, feedback: Optional[QgsFeedback] = None, refresh: bool = False) -> Service:
        """The service, asked for if need be. Blocks: in worker threads only. CartoguideError says why there is none."""
        key = _key(endpoint)
        asked = time.monotonic()
        with self._lock:
            turn = self._asking.setdefault(key, threading.Lock())
        with pool_thread_lent():
            while not turn.acquire(timeout=0.05):
                if feedback is not None and feedback.isCanceled():
                    raise Cancelled(key)
        try:
            kept = self._usable(key)
            if kept is None or (refresh and kept.when < asked):
                kept = self._ask(key, feedback)
        finally:
            turn.release()
        if kept.service is None:
            error = kept.error or CartoguideError(tr("The service could not be read."), key)
            raise error.with_traceback(None)
        return kept.service

    def prime(self, endpoint: str) -> bool:
        """Put the known capabilities where QGIS's provider looks first; False where they are not known or not taken."""
        service = self.get(endpoint)
        return service is not None and disk_cache.put(_key(endpoint), _for_one_image(service))

    def _usable(self, key: str) -> Optional[Kept]:
        kept = self._kept.get(key)
        limit = KEPT if kept is not None and kept.service is not None else FAILURE_KEPT
        return kept if kept is not None and kept.age < limit else None

    def _ask(self, key: str, feedback: Optional[QgsFeedback]) -> Kept:
        try:
            kept = Kept(_read(key, feedback))
        except Cancelled:
            raise
        except CartoguideError as error:
            kept = Kept(error=error.with_traceback(None))
        with self._lock:
            before = self._kept.get(key)
            # a service that was read once stays usable when a refresh fails
            if kept.service is not None or before is None or before.service is None:
                self._kept[key] = kept
        return kept

    def _answer(self, key: str, kept: Kept) -> None:
        self._jobs.pop(key, None)
        _tell(self._waiting.pop(key, []), kept)


def _read(url: str, feedback: Optional[QgsFeedback]) -> Service:
    # what stands in QGIS's cache was put there by ``disk_cache.put`` and would pass for fresh all day
    response = fetch(Request("GET", url), feedback=feedback, freshness=Freshness.REFRESH)
    explain_answer(response, "xml")
    service = read_service(response.body, host_of(url))
    disk_cache.put(url, response.body)
    return service


def _for_one_image(service: Service) -> bytes:
    """The capabilities as the provider should see them: without limits that its layers keep to anyway.

    Told of MaxWidth, QGIS 3.22 asks for whole tiles of that size on a grid of its own: many times a page's pixels,
    resampled, with seams. Without, it asks for exactly what it draws, in pieces of the layer's stepWidth and
    stepHeight, which never pass the limits. Limits below QGIS's own step of 2000 pixels stay.
    """
    limits = (service.limits.width, service.limits.height)
    if any(limit is not None and limit < OWN_STEP for limit in limits):
        return service.original
    return _LIMIT.sub(b"", service.original)


def _tell(waiters: List[_Waiter], kept: Kept) -> None:
    for waiter in waiters:
        if not waiter.lives():
            continue
        if kept.service is not None:
            waiter.done(kept.service)
        elif kept.error is not None:
            waiter.failed(kept.error)


def _key(endpoint: str) -> str:
    return capabilities_url(endpoint)


_shared: Optional[ServiceCache] = None


def shared() -> ServiceCache:
    """The one cache of this session."""
    global _shared
    if _shared is None:
        _shared = ServiceCache()
    return _shared
