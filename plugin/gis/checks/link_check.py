"""Check of a record's links: one request after the other, in a task, only when the user starts it."""

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
from ...core.wms.responses.response_validation import ExpectedContent, check_response
from ..network.client import RequestLimits, fetch
from ..runtime import tasks
from ..runtime.network_errors import host_of
from ..runtime.tasks import ErrorCallback, ProgressCallback
from ..services.capabilities_fetch import capabilities_url

#: links that are checked at most
MAX_LINKS = 60
#: bytes that are read of a response, enough to know that there is one
_MAX_BYTES = 256 * 1024
_TOTAL_SECONDS = 20.0

FindingsCallback = Callable[[Tuple[Finding, ...]], None]


def start_link_check(record: Record, done: FindingsCallback, failed: ErrorCallback, owner: Optional[QObject] = None,
          progress: Optional[ProgressCallback] = None) -> tasks.Job:
    """Request every link of ``record`` in a task, and call ``done`` with the findings."""
    return tasks.start(tr("Checking links"), lambda feedback: tuple(link_findings(request_links(record, feedback))),
                       done, failed, owner, progress)


def request_links(record: Record, feedback: tasks.Feedback) -> List[LinkResult]:
    """Request each web address of the record, and the capabilities of services. Blocks, so it is for tasks only.

    Raises Cancelled.
    """
    services = {normalise_endpoint(link.url) for link in wms_endpoints(record)}
    links, seen = [], set()
    for field, url in record_addresses(record):
        key = normalise_endpoint(url) if normalise_endpoint(url) in services else url
        if is_web_address(url) and key not in seen:
            seen.add(key)
            links.append((field, url, key in services))
    results = []
    for number, (field, url, service) in enumerate(links[:MAX_LINKS]):
        feedback.raise_if_cancelled()
        feedback.report(100.0 * number / len(links[:MAX_LINKS]), host_of(url))
        results.append(_request_link(field, url, service, feedback))
    return results


def _request_link(field: str, url: str, service: bool, feedback: tasks.Feedback) -> LinkResult:
    result = _request_address(LinkResult(url, field), url, service, feedback)
    if not is_public_http(url):
        return result
    if _is_https_of(result.final_url, url):
        return replace(result, https_works=True)
    https_url = "https" + url[4:]
    https_result = _request_address(LinkResult(https_url, field), https_url, service, feedback)
    return replace(result, https_works=not https_result.error and 200 <= https_result.status < 400)


def _request_address(base: LinkResult, url: str, service: bool, feedback: tasks.Feedback) -> LinkResult:
    try:
        requested_url = capabilities_url(url) if service else url.partition("#")[0]
        response = fetch(Request("GET", requested_url), limits=_limits(service), feedback=feedback)
        if service and response.status < 400:
            check_response(response, ExpectedContent.XML)
    except Cancelled:
        raise
    except NetworkFailure as error:
        if error.kind is FailureKind.TOO_LARGE:
            return replace(base, status=200)
        return replace(base, error=error.user_text)
    except CartoguideError as error:
        return replace(base, error=error.user_text)
    return replace(base, status=response.status, final_url=_final_url(response, requested_url))


def _limits(service: bool) -> RequestLimits:
    """Return the limits of one request. Capabilities are read completely to check them, other responses in part."""
    if service:
        return RequestLimits.from_settings(max_total=_TOTAL_SECONDS, retries=0)
    return RequestLimits.from_settings(max_total=_TOTAL_SECONDS, retries=0, max_bytes=_MAX_BYTES)


def _final_url(response: Response, requested_url: str) -> str:
    return response.url if response.url != requested_url else ""


def _is_https_of(final: str, url: str) -> bool:
    """Return True if the server has redirected to https on the same host."""
    return final.lower().startswith("https:") and urlsplit(final).hostname == urlsplit(url).hostname
