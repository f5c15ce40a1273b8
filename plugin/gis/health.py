"""Checking services: each operation once, one request at a time for each server; results are kept with their date."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Callable, Dict, List, Optional, Sequence, Tuple

from qgis.PyQt.QtCore import QObject, pyqtSignal

from ..core.errors import CartoguideError
from ..core.health import document
from ..core.health.judging import content_probe, terms_probe, version_probe
from ..core.health.model import CAPABILITIES, Health, Probe, Verdict, part_words
from ..core.health.trying import Attempt, attempts, failed, judged, not_tried
from ..core.i18n import tr
from ..core.records.links import endpoint
from ..core.records.model import Record
from ..core.request import Request
from ..core.whole_file import whole_file
from ..core.wms import read_service
from ..core.wms.answers import explain_answer
from . import tasks
from .callbacks import nothing
from .i18n import record_language
from .network import Freshness, Limits, fetch, host_of, pool_thread_lent
from .network_errors import Cancelled
from .services import capabilities_url
from .shelf import Shelf, store_path

if TYPE_CHECKING:
    from ..core.wms.model import Service

#: services that one check of everything takes
MOST = 2000
_PAGE = 500
#: servers that are asked at the same time; each of them gets one request at a time
_SERVERS = 4
#: seconds that one answer may take: a check of many services shall not hang on one
_PATIENCE = 30.0
_writing = threading.Lock()

RecordOf = Callable[[str], Optional[Record]]


@dataclass(frozen=True)
class Target:
    """A service to be checked: its address, a title, and the identifier of the record that it is held against."""

    endpoint: str
    title: str
    record_id: str = ""


# -- in worker threads


def check(target: Target, feedback: tasks.Feedback,
          record_of: Optional[RecordOf] = None, alone: bool = True) -> Tuple[Health, Optional[CartoguideError]]:
    """Ask the service each thing once; blocks. The error is one that can be mended here, else the first.

    ``record_of`` reads a record by its identifier, in this thread. The progress is told where it is checked ``alone``.
    """
    tell: Callable[[float, str], None] = feedback.tell if alone else nothing
    health = Health(target.endpoint, target.title or host_of(target.endpoint), _now(), record_id=target.record_id)
    tell(0, part_words(CAPABILITIES))
    started = time.monotonic()
    url = target.endpoint
    try:
        url = capabilities_url(target.endpoint)
        response = fetch(Request("GET", url), limits=_limits(), feedback=feedback, freshness=Freshness.REFRESH)
        explain_answer(response, "xml")
        service = read_service(response.body, host_of(url))
    except Cancelled:
        raise
    except CartoguideError as error:
        probe = Probe(CAPABILITIES, Verdict.FAILED, error.user_text, time.monotonic() - started, url, error.detail)
        return replace(health, probes=(probe,)), error.with_traceback(None)
    answered = Probe(CAPABILITIES, Verdict.GOOD, tr("%n kB", n=max(1, len(response.body) // 1000)), response.seconds,
                     url)
    if response.url != url:
        answered = replace(answered, detail=response.url)
    record = record_of(target.record_id) if record_of is not None and target.record_id else None
    probes = [answered, content_probe(service), version_probe(service), terms_probe(record, service)]
    first: Optional[CartoguideError] = None
    planned = attempts(service)
    for number, attempt in enumerate(planned):
        feedback.stop_if_cancelled()
        tell(100.0 * (number + 1) / (len(planned) + 1), part_words(attempt.part))
        probe, problem = _try(attempt, service, feedback)
        first = problem if problem is not None and (first is None or _can_be_mended(problem)) else first
        probes.append(probe)
    title = target.title or service.title or health.title
    return replace(health, title=title, version=service.version, probes=tuple(probes)), first


def _try(attempt: Attempt, service: Service, feedback: tasks.Feedback) -> Tuple[Probe, Optional[CartoguideError]]:
    if attempt.request is None:
        return not_tried(attempt), None
    started = time.monotonic()
    try:
        response = fetch(attempt.request, limits=_limits(), feedback=feedback, freshness=Freshness.REFRESH)
        # what only tells that a login is missing shall lead to the logins
        if response.status in (401, 403):
            explain_answer(response, attempt.expected)
    except Cancelled:
        raise
    except CartoguideError as error:
        return failed(attempt, error, time.monotonic() - started), error.with_traceback(None)
    return judged(attempt, response, service), None


def _can_be_mended(error: CartoguideError) -> bool:
    """Whether a person can do something about it here: choose a login, agree to a redirect."""
    return getattr(error, "status", 0) in (401, 403) or bool(getattr(error, "insecure_target", ""))


def _limits() -> Limits:
    own = Limits.from_settings()
    return replace(own, total=min(own.total, _PATIENCE), retries=0, parallel=1)


def check_all(wanted: Sequence[Target], feedback: tasks.Feedback,
              record_of: Optional[RecordOf] = None) -> List[Health]:
    """Check ``wanted``, several servers side by side, each asked one thing at a time; in their order. Nothing is kept.

    Blocks: in worker threads only.
    """
    by_host: Dict[str, List[int]] = {}
    for number, target in enumerate(wanted):
        by_host.setdefault(host_of(target.endpoint), []).append(number)
    found: Dict[int, Health] = {}

    def ask(numbers: Sequence[int]) -> None:
        for number in numbers:
            found[number] = check(wanted[number], feedback, record_of, alone=False)[0]
            feedback.tell(100.0 * len(found) / len(wanted), found[number].title)

    with pool_thread_lent(), ThreadPoolExecutor(max_workers=_SERVERS) as pool:
        for course in [pool.submit(ask, numbers) for numbers in by_host.values()]:
            course.result()
    feedback.stop_if_cancelled()
    return [found[number] for number in range(len(wanted))]


def targets(shelf: Shelf, feedback: tasks.Feedback) -> List[Target]:
    """Every service that a record in the store leads to, once each, by its service records."""
    from ..core.store.query import Query

    store = shelf.store()
    found: Dict[str, Target] = {}
    offset = 0
    while len(found) < MOST:
        feedback.stop_if_cancelled()
        page = store.search(Query(facets={"kind": ("service",)}), _PAGE, offset, feedback.isCanceled)
        for hit in page.hits:
            # the index knows addresses without their scheme only
            if hit.endpoint and hit.endpoint not in found:
                feedback.stop_if_cancelled()
                record = store.get(hit.identifier, record_language())
                address = endpoint(record) if record is not None else None
                if address:
                    found[hit.endpoint] = Target(address, hit.title, hit.identifier)
        offset += len(page.hits)
        if not page.more or not page.hits:
            break
    return list(found.values())[:MOST]


def kept_path() -> Path:
    """The file of the checks: beside the store."""
    return store_path().with_name("health.json")


def read_kept() -> List[Health]:
    """The checks that were kept, newest first; none where there is no file. CartoguideError: it cannot be read."""
    path = kept_path()
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return []
    except OSError as error:
        raise CartoguideError(tr("The checks of services that were kept could not be read: {reason}.",
                                 reason=error.strerror or type(error).__name__), str(path)) from error
    return document.read(data, path.name)


def keep(fresh: Sequence[Health]) -> List[Health]:
    """Put checks to those that are kept; all of them, newest first. What cannot be read gives way to the new ones."""
    with _writing:
        try:
            former = read_kept()
        except CartoguideError:
            former = []
        every = document.joined(former, fresh)
        path = kept_path()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise CartoguideError(tr("The checks of services could not be kept: {reason}.",
                                     reason=error.strerror or type(error).__name__), str(path)) from error
        with whole_file(path) as file:
            file.write(document.write(every))
        return every


def _now() -> str:
    return datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M:%S")


# -- on the main thread


class Checking(QObject):
    """Services under check. ``checked`` gives (Health, error or None) of each as it comes, ``progressed`` how many of
    how many and what is being done, ``ended`` comes once, after the results are kept; ``failed`` says why they are not.
    """

    checked = pyqtSignal(object, object)
    progressed = pyqtSignal(int, int, str)
    failed = pyqtSignal(object)
    ended = pyqtSignal()

    def __init__(self, record_of: Optional[RecordOf] = None, parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._record_of = record_of
        self._waiting: Dict[str, List[Target]] = {}
        self._jobs: Dict[str, tasks.Job] = {}
        self._keeping: Optional[tasks.Job] = None
        self._fresh: List[Health] = []
        self._total = 0
        self.running = False

    def start(self, wanted: Sequence[Target]) -> None:
        """Check ``wanted`` after what is under way; servers that are checked already get theirs later."""
        for target in wanted:
            self._waiting.setdefault(host_of(target.endpoint), []).append(target)
        self._total += len(wanted)
        self.running = True
        self._next()

    def cancel(self) -> None:
        """Give up what is not finished; what is, is kept."""
        self._waiting.clear()
        for job in list(self._jobs.values()):
            job.cancel()
        self._jobs.clear()
        self._next()

    def _next(self) -> None:
        for host in list(self._waiting):
            if host not in self._jobs and len(self._jobs) < _SERVERS:
                target = self._waiting[host].pop(0)
                if not self._waiting[host]:
                    del self._waiting[host]
                self._begin(host, target)
        if not self._jobs and not self._waiting and self.running and self._keeping is None:
            fresh, self._fresh = self._fresh, []
            self._keeping = tasks.start(tr("Keeping the checks of services"), lambda _feedback: keep(fresh),
                                        lambda _every: self._end(None), self._end, self, quiet=True)

    def _begin(self, host: str, target: Target) -> None:
        name, record_of = target.title or host, self._record_of
        report: Callable[[float, str], None] = partial(self._tell, name)
        self._jobs[host] = tasks.start(
            tr("Checking “{title}”", title=name), lambda feedback: check(target, feedback, record_of),
            partial(self._came, host), partial(self._lost, host), self, report)
        self._tell(name, 0, "")

    def _tell(self, name: str, _percent: float, words: str) -> None:
        self.progressed.emit(len(self._fresh), self._total, f"{name}: {words}" if words else name)

    def _came(self, host: str, found: Tuple[Health, Optional[CartoguideError]]) -> None:
        self._jobs.pop(host, None)
        self._fresh.append(found[0])
        self.checked.emit(*found)
        self.progressed.emit(len(self._fresh), self._total, found[0].title)
        self._next()

    def _lost(self, host: str, error: CartoguideError) -> None:
        """The check itself went wrong, which is no word on the service."""
        self._jobs.pop(host, None)
        if not isinstance(error, Cancelled):
            self.failed.emit(error)
        self._next()

    def _end(self, error: Optional[CartoguideError]) -> None:
        self._keeping = None
        if error is not None:
            self.failed.emit(error)
        if self._waiting or self._jobs:
            return
        self.running, self._total = False, 0
        self.ended.emit()
