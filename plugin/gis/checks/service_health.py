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

from ...core.atomic_write import atomic_write
from ...core.errors import Cancelled, CartoguideError
from ...core.health import check_history
from ...core.health.capabilities_probes import content_probe, terms_probe, version_probe
from ...core.health.health_check import HealthCheck, Probe, ProbeKind, Verdict
from ...core.health.operation_probes import PlannedProbe, evaluate_response, failed_probe, plan_probes, skipped_probe
from ...core.i18n import tr
from ...core.records.model.endpoints import wms_endpoint
from ...core.records.model.record import Record
from ...core.request import Request
from ...core.wms import read_service
from ...core.wms.responses.response_validation import check_response
from ..library.record_library import RecordLibrary, store_path
from ..network.client import RequestLimits, fetch
from ..network.http_exchange import CachePolicy
from ..runtime import tasks
from ..runtime.i18n import record_language
from ..runtime.network_errors import host_of
from ..runtime.tasks import no_op
from ..runtime.thread_pool import pool_slot_released
from ..services.capabilities_fetch import capabilities_url

if TYPE_CHECKING:
    from ...core.wms.model.service import Service

#: services that one check of everything takes
MAX_SERVICES = 2000
_PAGE_SIZE = 500
#: servers that are asked at the same time; each of them gets one request at a time
_PARALLEL_SERVERS = 4
#: seconds that one answer may take: a check of many services shall not hang on one
_TOTAL_SECONDS = 30.0
_file_lock = threading.Lock()

RecordLoader = Callable[[str], Optional[Record]]


@dataclass(frozen=True)
class ServiceTarget:
    """A service to be checked: its address, a title, and the identifier of the record that it is held against."""

    endpoint: str
    title: str
    record_id: str = ""


# -- in worker threads


def check_service(target: ServiceTarget, feedback: tasks.Feedback, load_record: Optional[RecordLoader] = None,
                  report_progress: bool = True) -> Tuple[HealthCheck, Optional[CartoguideError]]:
    """Ask the service each thing once; blocks. The error is one that can be mended here, else the first.

    ``record_of`` reads a record by its identifier, in this thread. The progress is told where it is checked ``alone``.
    """
    tell: Callable[[float, str], None] = feedback.report if report_progress else no_op
    health = HealthCheck(target.endpoint, target.title or host_of(target.endpoint), _now(), record_id=target.record_id)
    tell(0, ProbeKind.CAPABILITIES.label)
    started = time.monotonic()
    url = target.endpoint
    try:
        url = capabilities_url(target.endpoint)
        response = fetch(Request("GET", url), limits=_limits(), feedback=feedback, cache_policy=CachePolicy.REFRESH)
        check_response(response, "xml")
        service = read_service(response.body, host_of(url))
    except Cancelled:
        raise
    except CartoguideError as error:
        seconds = time.monotonic() - started
        probe = Probe(ProbeKind.CAPABILITIES, Verdict.FAILED, error.user_text, seconds, url, error.detail)
        return replace(health, probes=(probe,)), error.with_traceback(None)
    size = tr("%n kB", n=max(1, len(response.body) // 1000))
    answered = Probe(ProbeKind.CAPABILITIES, Verdict.GOOD, size, response.seconds, url)
    if response.url != url:
        answered = replace(answered, detail=response.url)
    record = load_record(target.record_id) if load_record is not None and target.record_id else None
    probes = [answered, content_probe(service), version_probe(service), terms_probe(record, service)]
    first: Optional[CartoguideError] = None
    planned = plan_probes(service)
    for number, attempt in enumerate(planned):
        feedback.raise_if_cancelled()
        tell(100.0 * (number + 1) / (len(planned) + 1), attempt.kind.label)
        probe, problem = _run_probe(attempt, service, feedback)
        first = problem if problem is not None and (first is None or _is_user_fixable(problem)) else first
        probes.append(probe)
    title = target.title or service.title or health.title
    return replace(health, title=title, version=service.version, probes=tuple(probes)), first


def _run_probe(attempt: PlannedProbe, service: Service,
               feedback: tasks.Feedback) -> Tuple[Probe, Optional[CartoguideError]]:
    if attempt.request is None:
        return skipped_probe(attempt), None
    started = time.monotonic()
    try:
        response = fetch(attempt.request, limits=_limits(), feedback=feedback, cache_policy=CachePolicy.REFRESH)
        # what only tells that a login is missing shall lead to the logins
        if response.status in (401, 403):
            check_response(response, attempt.expected)
    except Cancelled:
        raise
    except CartoguideError as error:
        return failed_probe(attempt, error, time.monotonic() - started), error.with_traceback(None)
    return evaluate_response(attempt, response, service), None


def _is_user_fixable(error: CartoguideError) -> bool:
    """Whether a person can do something about it here: choose a login, agree to a redirect."""
    return getattr(error, "status", 0) in (401, 403) or bool(getattr(error, "insecure_target", ""))


def _limits() -> RequestLimits:
    return RequestLimits.from_settings(max_total=_TOTAL_SECONDS, retries=0, parallel=1)


def check_services(service_targets: Sequence[ServiceTarget], feedback: tasks.Feedback,
                   load_record: Optional[RecordLoader] = None) -> List[HealthCheck]:
    """Check ``wanted``, several servers side by side, each asked one thing at a time; in their order. Nothing is kept.

    Blocks: in worker threads only.
    """
    by_host: Dict[str, List[int]] = {}
    for number, target in enumerate(service_targets):
        by_host.setdefault(host_of(target.endpoint), []).append(number)
    found: Dict[int, HealthCheck] = {}

    def ask(numbers: Sequence[int]) -> None:
        for number in numbers:
            found[number] = check_service(service_targets[number], feedback, load_record, report_progress=False)[0]
            feedback.report(100.0 * len(found) / len(service_targets), found[number].title)

    with pool_slot_released(), ThreadPoolExecutor(max_workers=_PARALLEL_SERVERS) as pool:
        for course in [pool.submit(ask, numbers) for numbers in by_host.values()]:
            course.result()
    feedback.raise_if_cancelled()
    return [found[number] for number in range(len(service_targets))]


def find_targets(library: RecordLibrary, feedback: tasks.Feedback) -> List[ServiceTarget]:
    """Every service that a record in the store leads to, once each, by its service records."""
    from ...core.library.query import LibraryQuery

    store = library.store()
    found: Dict[str, ServiceTarget] = {}
    offset = 0
    while len(found) < MAX_SERVICES:
        feedback.raise_if_cancelled()
        page = store.search(LibraryQuery(facets={"kind": ("service",)}), _PAGE_SIZE, offset, feedback.isCanceled)
        for hit in page.hits:
            # the index knows addresses without their scheme only
            if hit.endpoint and hit.endpoint not in found:
                feedback.raise_if_cancelled()
                record = store.load_record(hit.identifier, record_language())
                address = wms_endpoint(record) if record is not None else None
                if address:
                    found[hit.endpoint] = ServiceTarget(address, hit.title, hit.identifier)
        offset += len(page.hits)
        if not page.has_more or not page.hits:
            break
    return list(found.values())[:MAX_SERVICES]


def results_path() -> Path:
    """The file of the checks: beside the store."""
    return store_path().with_name("health.json")


def read_results() -> List[HealthCheck]:
    """The checks that were kept, newest first; none where there is no file. CartoguideError: it cannot be read."""
    path = results_path()
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return []
    except OSError as error:
        raise CartoguideError(tr("The saved service checks could not be read: {reason}.",
                                 reason=error.strerror or type(error).__name__), str(path)) from error
    return check_history.read_history(data, path.name)


def save_results(fresh: Sequence[HealthCheck]) -> List[HealthCheck]:
    """Put checks to those that are kept; all of them, newest first. What cannot be read gives way to the new ones."""
    with _file_lock:
        try:
            former = read_results()
        except CartoguideError:
            former = []
        every = check_history.merge_checks(former, fresh)
        path = results_path()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise CartoguideError(tr("The service checks could not be saved: {reason}.",
                                     reason=error.strerror or type(error).__name__), str(path)) from error
        with atomic_write(path) as file:
            file.write(check_history.write_history(every))
        return every


def _now() -> str:
    return datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M:%S")


# -- on the main thread


class ServiceHealthChecker(QObject):
    """Services under check. ``checked`` gives (Health, error or None) of each as it comes, ``progressed`` how many of
    how many and what is being done, ``ended`` comes once, after the results are kept; ``failed`` says why they are not.
    """

    checked = pyqtSignal(object, object)
    progressed = pyqtSignal(int, int, str)
    failed = pyqtSignal(object)
    ended = pyqtSignal()

    def __init__(self, load_record: Optional[RecordLoader] = None, parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._load_record = load_record
        self._queued: Dict[str, List[ServiceTarget]] = {}
        self._jobs: Dict[str, tasks.Job] = {}
        self._saving_job: Optional[tasks.Job] = None
        self._new_results: List[HealthCheck] = []
        self._total = 0
        self.running = False

    def start(self, service_targets: Sequence[ServiceTarget]) -> None:
        """Check ``wanted`` after what is under way; servers that are checked already get theirs later."""
        for target in service_targets:
            self._queued.setdefault(host_of(target.endpoint), []).append(target)
        self._total += len(service_targets)
        self.running = True
        self._start_next()

    def cancel(self) -> None:
        """Give up what is not finished; what is, is kept."""
        self._queued.clear()
        for job in list(self._jobs.values()):
            job.cancel()
        self._jobs.clear()
        self._start_next()

    def _start_next(self) -> None:
        for host in list(self._queued):
            if host not in self._jobs and len(self._jobs) < _PARALLEL_SERVERS:
                target = self._queued[host].pop(0)
                if not self._queued[host]:
                    del self._queued[host]
                self._start_check(host, target)
        if not self._jobs and not self._queued and self.running and self._saving_job is None:
            fresh, self._new_results = self._new_results, []
            self._saving_job = tasks.start(tr("Saving the service checks"), lambda _feedback: save_results(fresh),
                                           lambda _every: self._on_saved(None), self._on_saved, self, quiet=True)

    def _start_check(self, host: str, target: ServiceTarget) -> None:
        name, record_of = target.title or host, self._load_record
        report: Callable[[float, str], None] = partial(self._report, name)
        self._jobs[host] = tasks.start(tr("Checking “{title}”",
                                          title=name), lambda feedback: check_service(target, feedback, record_of),
                                       partial(self._on_checked, host), partial(self._on_check_failed, host), self,
                                       report)
        self._report(name, 0, "")

    def _report(self, name: str, _percent: float, words: str) -> None:
        self.progressed.emit(len(self._new_results), self._total, f"{name}: {words}" if words else name)

    def _on_checked(self, host: str, found: Tuple[HealthCheck, Optional[CartoguideError]]) -> None:
        self._jobs.pop(host, None)
        self._new_results.append(found[0])
        self.checked.emit(*found)
        self.progressed.emit(len(self._new_results), self._total, found[0].title)
        self._start_next()

    def _on_check_failed(self, host: str, error: CartoguideError) -> None:
        """The check itself went wrong, which is no word on the service."""
        self._jobs.pop(host, None)
        if not isinstance(error, Cancelled):
            self.failed.emit(error)
        self._start_next()

    def _on_saved(self, error: Optional[CartoguideError]) -> None:
        self._saving_job = None
        if error is not None:
            self.failed.emit(error)
        if self._queued or self._jobs:
            return
        self.running, self._total = False, 0
        self.ended.emit()
