"""Health checks of services: each operation is requested once, with one request at a time to each server."""

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

from ...core import health as health_check
from ...core.distributions.record_distributions import wms_address
from ...core.errors import Cancelled, CartoguideError
from ...core.files import atomic_write, write_error
from ...core.health import (
    HealthCheck,
    PlannedProbe,
    Probe,
    ProbeKind,
    Verdict,
    content_probe,
    evaluate_response,
    failed_probe,
    plan_probes,
    skipped_probe,
    terms_probe,
    version_probe,
)
from ...core.i18n import tr
from ...core.records.model.record import Record
from ...core.request import HttpMethod, Request
from ...core.wms import read_service
from ...core.wms.responses.response_validation import ExpectedContent, check_response
from ..library.record_library import RecordLibrary, iter_hits, store_path
from ..network.client import RequestLimits, fetch
from ..network.http_exchange import CachePolicy
from ..runtime import tasks
from ..runtime.i18n import record_language
from ..runtime.network_errors import host_of
from ..runtime.tasks import no_op
from ..runtime.thread_pool import pool_slot_released
from ..services.service_cache import capabilities_url

if TYPE_CHECKING:
    from ...core.wms.model.service import Service

#: services that one check of the whole library covers at most
MAX_SERVICES = 2000
#: servers that are checked at the same time, with one request at a time to each
_PARALLEL_SERVERS = 4
#: total time-out of a request, so that a check of many services does not hang on one
_TOTAL_SECONDS = 30.0
_file_lock = threading.Lock()

RecordLoader = Callable[[str], Optional[Record]]


@dataclass(frozen=True)
class ServiceTarget:
    """A service to check: endpoint, title, and the identifier of the record that it is compared with."""

    endpoint: str
    title: str
    record_id: str = ""


# -- in worker threads


def check_service(target: ServiceTarget, feedback: tasks.Feedback, load_record: Optional[RecordLoader] = None,
                  report_progress: bool = True) -> Tuple[HealthCheck, Optional[CartoguideError]]:
    """Check a service by one request for each operation. Blocks, so it is for worker threads.

    ``load_record`` returns a record by its identifier, in this thread. Returns the check, and an error to show: one
    that the user can fix if there is one, otherwise the first one. Raises Cancelled.
    """
    report: tasks.ProgressCallback = feedback.report if report_progress else no_op
    health = HealthCheck(target.endpoint, target.title or host_of(target.endpoint), _now(), record_id=target.record_id)
    report(0, ProbeKind.CAPABILITIES.label)
    started = time.monotonic()
    url = target.endpoint
    try:
        url = capabilities_url(target.endpoint)
        response = fetch(Request(HttpMethod.GET, url), limits=_limits(), feedback=feedback,
                         cache_policy=CachePolicy.REFRESH)
        check_response(response, ExpectedContent.XML)
        service = read_service(response.body, host_of(url))
    except Cancelled:
        raise
    except CartoguideError as error:
        seconds = time.monotonic() - started
        probe = Probe(ProbeKind.CAPABILITIES, Verdict.FAILED, error.user_text, seconds, url, error.detail)
        return replace(health, probes=(probe,)), error.with_traceback(None)
    size = tr("%n kB", n=max(1, len(response.body) // 1000))
    capabilities_probe = Probe(ProbeKind.CAPABILITIES, Verdict.GOOD, size, response.seconds, url)
    if response.url != url:
        capabilities_probe = replace(capabilities_probe, detail=response.url)
    record = load_record(target.record_id) if load_record is not None and target.record_id else None
    probes = [capabilities_probe, content_probe(service), version_probe(service), terms_probe(record, service)]
    shown_error: Optional[CartoguideError] = None
    planned = plan_probes(service)
    for number, attempt in enumerate(planned):
        feedback.raise_if_cancelled()
        report(100.0 * (number + 1) / (len(planned) + 1), attempt.kind.label)
        probe, error_of_probe = _run_probe(attempt, service, feedback)
        if error_of_probe is not None and (shown_error is None or _is_user_fixable(error_of_probe)):
            shown_error = error_of_probe
        probes.append(probe)
    title = target.title or service.title or health.title
    return replace(health, title=title, version=service.version, probes=tuple(probes)), shown_error


def _run_probe(attempt: PlannedProbe, service: Service,
               feedback: tasks.Feedback) -> Tuple[Probe, Optional[CartoguideError]]:
    if attempt.request is None:
        return skipped_probe(attempt), None
    started = time.monotonic()
    try:
        response = fetch(attempt.request, limits=_limits(), feedback=feedback, cache_policy=CachePolicy.REFRESH)
        # raises an error that offers the login settings
        if response.status in (401, 403):
            check_response(response, attempt.expected)
    except Cancelled:
        raise
    except CartoguideError as error:
        return failed_probe(attempt, error, time.monotonic() - started), error.with_traceback(None)
    return evaluate_response(attempt, response, service), None


def _is_user_fixable(error: CartoguideError) -> bool:
    """Return True if the user can fix the error here, by a login or by allowing a redirect."""
    return getattr(error, "status", 0) in (401, 403) or bool(
        getattr(error, "insecure_target", "") or getattr(error, "internal_target", ""))


def _limits() -> RequestLimits:
    return RequestLimits.from_settings(max_total=_TOTAL_SECONDS, retries=0, parallel=1)


def check_services(service_targets: Sequence[ServiceTarget], feedback: tasks.Feedback,
                   load_record: Optional[RecordLoader] = None) -> List[HealthCheck]:
    """Check several services and return the checks in the same order, without saving them.

    Several servers are checked at the same time. Blocks, so it is for worker threads. Raises Cancelled.
    """
    by_host: Dict[str, List[int]] = {}
    for number, target in enumerate(service_targets):
        by_host.setdefault(host_of(target.endpoint), []).append(number)
    checks: Dict[int, HealthCheck] = {}

    def check_host(numbers: Sequence[int]) -> None:
        for number in numbers:
            checks[number] = check_service(service_targets[number], feedback, load_record, report_progress=False)[0]
            feedback.report(100.0 * len(checks) / len(service_targets), checks[number].title)

    with pool_slot_released(), ThreadPoolExecutor(max_workers=_PARALLEL_SERVERS) as pool:
        for future in [pool.submit(check_host, numbers) for numbers in by_host.values()]:
            future.result()
    feedback.raise_if_cancelled()
    return [checks[number] for number in range(len(service_targets))]


def find_targets(library: RecordLibrary, feedback: tasks.Feedback) -> List[ServiceTarget]:
    """Return every map service (WMS) that a record of the library names, once each.

    Raises CartoguideError, Cancelled.
    """
    from ...core.library.query import LibraryQuery

    store = library.store()
    targets: Dict[str, ServiceTarget] = {}
    for hit in iter_hits(store, LibraryQuery(), feedback.isCanceled):
        feedback.raise_if_cancelled()
        if len(targets) >= MAX_SERVICES:
            break
        # the index contains addresses without their scheme
        if hit.endpoint and hit.endpoint not in targets:
            record = store.load_record(hit.identifier, record_language())
            address = wms_address(record) if record is not None else None
            if address:
                targets[hit.endpoint] = ServiceTarget(address, hit.title, hit.identifier)
    return list(targets.values())


def results_path() -> Path:
    """Return the file of the saved checks, in the folder of the library."""
    return store_path().with_name("health.json")


def read_results() -> List[HealthCheck]:
    """Return the saved checks, the newest first. Raises CartoguideError if the file cannot be read."""
    path = results_path()
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return []
    except OSError as error:
        raise CartoguideError(tr("The saved service checks could not be read: {reason}.",
                                 reason=error.strerror or type(error).__name__), str(path)) from error
    return health_check.read_history(data, path.name)


def save_results(checks: Sequence[HealthCheck]) -> List[HealthCheck]:
    """Add checks to the saved ones, and return all of them, the newest first.

    A file that cannot be read is replaced. Raises CartoguideError if the file cannot be written.
    """
    with _file_lock:
        try:
            saved = read_results()
        except CartoguideError:
            saved = []
        merged = health_check.merge_checks(saved, checks)
        path = results_path()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise write_error(path, error, tr("The service checks could not be saved: {reason}.",
                                              reason=error.strerror or type(error).__name__)) from error
        with atomic_write(path) as file:
            file.write(health_check.write_history(merged))
        return merged


def _now() -> str:
    return datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M:%S")


# -- on the main thread


class ServiceHealthChecker(QObject):
    """Checks services in tasks and saves the results. Belongs on the main thread.

    ``checked`` has each check and its error or None, ``progressed`` the number of finished checks, the total and a
    text. ``ended`` is emitted once, after the results were saved, and ``failed`` if they could not be.
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
        """Check further services, after the running checks of the same server."""
        for target in service_targets:
            self._queued.setdefault(host_of(target.endpoint), []).append(target)
        self._total += len(service_targets)
        self.running = True
        self._start_next()

    def cancel(self) -> None:
        """Cancel the running checks. The finished ones are saved."""
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
            checks, self._new_results = self._new_results, []
            self._saving_job = tasks.start(tr("Saving the service checks"), lambda _feedback: save_results(checks),
                                           lambda _saved: self._on_saved(None), self._on_saved, self)

    def _start_check(self, host: str, target: ServiceTarget) -> None:
        name, load_record = target.title or host, self._load_record
        report: tasks.ProgressCallback = partial(self._report, name)
        self._jobs[host] = tasks.start(
            tr("Checking “{title}”", title=name), lambda feedback: check_service(target, feedback, load_record),
            partial(self._on_checked, host), partial(self._on_check_failed, host), self, report)
        self._report(name, 0, "")

    def _report(self, name: str, _percent: float, text: str) -> None:
        self.progressed.emit(len(self._new_results), self._total, f"{name}: {text}" if text else name)

    def _on_checked(self, host: str, result: Tuple[HealthCheck, Optional[CartoguideError]]) -> None:
        check, error = result
        self._jobs.pop(host, None)
        self._new_results.append(check)
        self.checked.emit(check, error)
        self.progressed.emit(len(self._new_results), self._total, check.title)
        self._start_next()

    def _on_check_failed(self, host: str, error: CartoguideError) -> None:
        """Handle an error of the check itself, which is not a result for the service."""
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
