"""Whether a record's links still answer: asked on request only, in a job, one link after the other."""

from __future__ import annotations

from dataclasses import replace
from typing import Callable, List, Optional, Tuple
from urllib.parse import urlsplit

from qgis.PyQt.QtCore import QObject

from ...core.errors import Cancelled, CartoguideError, FailureKind, NetworkFailure
from ...core.i18n import tr
from ...core.records.checks import Finding, link_findings
from ...core.records.checks.link_rules import LinkResult, is_public_http, record_addresses
from ...core.records.model.endpoints import is_web_address, normalise_endpoint, wms_endpoints
from ...core.records.model.record import Record
from ...core.request import Request, Response
from ...core.wms.responses.response_validation import check_response
from ..network.client import RequestLimits, fetch
from ..runtime import tasks
from ..runtime.network_errors import host_of
from ..services.capabilities_fetch import capabilities_url

#: a record with more links than this is a list of links; the first ones tell enough
MAX_LINKS = 60
#: what is read of an answer: enough to know that there is one
_MAX_BYTES = 256 * 1024
_TOTAL_SECONDS = 20.0

FindingsCallback = Callable[[Tuple[Finding, ...]], None]
ErrorCallback = Callable[[CartoguideError], None]


def start(record: Record, done: FindingsCallback, failed: ErrorCallback, owner: Optional[QObject] = None,
          progress: Optional[Callable[[float, str], None]] = None) -> tasks.Job:
    """Ask every link of ``record``; later, on the main thread, ``done`` with what is wrong with them."""
    return tasks.start(tr("Checking links"), lambda feedback: tuple(link_findings(request_links(record, feedback))),
                       done, failed, owner, progress)


def request_links(record: Record, feedback: tasks.Feedback) -> List[LinkResult]:
    """What came of asking each of the record's web addresses, services by their capabilities. Blocks: in tasks only."""
    services = {normalise_endpoint(link.url) for link in wms_endpoints(record)}
    wanted, seen = [], set()
    for field, url in record_addresses(record):
        key = normalise_endpoint(url) if normalise_endpoint(url) in services else url
        if is_web_address(url) and key not in seen:
            seen.add(key)
            wanted.append((field, url, key in services))
    answers = []
    for number, (field, url, service) in enumerate(wanted[:MAX_LINKS]):
        feedback.raise_if_cancelled()
        feedback.report(100.0 * number / len(wanted[:MAX_LINKS]), host_of(url))
        answers.append(_request_link(field, url, service, feedback))
    return answers


def _request_link(field: str, url: str, service: bool, feedback: tasks.Feedback) -> LinkResult:
    answer = _request_address(LinkResult(url, field), url, service, feedback)
    if not is_public_http(url):
        return answer
    if _is_https_of(answer.final_url, url):
        return replace(answer, https_works=True)
    secure = "https" + url[4:]
    other = _request_address(LinkResult(secure, field), secure, service, feedback)
    return replace(answer, https_works=not other.error and 200 <= other.status < 400)


def _request_address(base: LinkResult, url: str, service: bool, feedback: tasks.Feedback) -> LinkResult:
    try:
        asked = capabilities_url(url) if service else url.partition("#")[0]
        response = fetch(Request("GET", asked), limits=_limits(service), feedback=feedback)
        if service and response.status < 400:
            check_response(response, "xml")
    except Cancelled:
        raise
    except NetworkFailure as problem:
        if problem.kind is FailureKind.TOO_LARGE:
            return replace(base, status=200)
        return replace(base, error=problem.user_text)
    except CartoguideError as problem:
        return replace(base, error=problem.user_text)
    return replace(base, status=response.status, final_url=_final_url(response, asked))


def _limits(service: bool) -> RequestLimits:
    """Return the limits of one request. Capabilities are read completely to check them, other responses in part."""
    if service:
        return RequestLimits.from_settings(max_total=_TOTAL_SECONDS, retries=0)
    return RequestLimits.from_settings(max_total=_TOTAL_SECONDS, retries=0, max_bytes=_MAX_BYTES)


def _final_url(response: Response, requested_url: str) -> str:
    return response.url if response.url != requested_url else ""


def _is_https_of(final: str, url: str) -> bool:
    """Whether the server itself sent the client to https on the same host."""
    return final.lower().startswith("https:") and urlsplit(final).hostname == urlsplit(url).hostname
