"""Check of a record's links: one request after the other, in a task, only when the user starts it."""

from __future__ import annotations

from dataclasses import replace
from typing import Callable, List, Optional, Tuple
from urllib.parse import urlsplit

from qgis.PyQt.QtCore import QObject

from ...core.addresses import is_web_address
from ...core.distributions.record_distributions import wms_distributions
from ...core.errors import Cancelled, CartoguideError, FailureKind, NetworkFailure
from ...core.i18n import tr
from ...core.records.model.endpoints import normalise_endpoint
from ...core.records.model.record import Record
from ...core.request import HttpMethod, Request, Response
from ...core.review.checks import Finding, link_findings
from ...core.review.checks.link_rules import LinkResult, is_public_http, record_addresses
from ...core.wms.responses.response_validation import ExpectedContent, check_response
from ..network.client import RequestLimits, fetch
from ..runtime import tasks
from ..runtime.network_errors import host_of
from ..runtime.tasks import ErrorCallback, ProgressCallback
from ..services.service_cache import capabilities_url

#: the most links that are checked
MAX_LINKS = 60
#: the most bytes read of a response: enough to know that the link works
_MAX_BYTES = 256 * 1024
#: the most seconds for one request, so that one slow server does not hold up the check
_TOTAL_SECONDS = 20.0

FindingsCallback = Callable[[Tuple[Finding, ...]], None]


def start_link_check(record: Record, done: FindingsCallback, failed: ErrorCallback, owner: Optional[QObject] = None,
          progress: Optional[ProgressCallback] = None) -> tasks.Job:
    """Request the links of ``record`` in a task.

    ``done`` gets the findings, ``failed`` the error. The job is cancelled when ``owner`` is
    destroyed. ``progress`` gets the progress in per cent and the host of the link.
    """
    return tasks.start(tr("Checking links"), lambda feedback: tuple(link_findings(request_links(record, feedback))),
                       done, failed, owner, progress)


def request_links(record: Record, feedback: tasks.Feedback) -> List[LinkResult]:
    """Request each web address of ``record``, for a service its capabilities. Blocks, so it must run in a task.

    Only the first MAX_LINKS addresses are requested. The rest is left out of the results. Raises Cancelled.
    """
    services = {normalise_endpoint(one.address) for one in wms_distributions(record)}
    links, seen = [], set()
    for field, url in record_addresses(record):
        endpoint = normalise_endpoint(url)
        # several links to one service are one request
        key = endpoint if endpoint in services else url
        if is_web_address(url) and key not in seen:
            seen.add(key)
            links.append((field, url, key in services))
    results = []
    checked_links = links[:MAX_LINKS]
    for number, (field, url, is_service) in enumerate(checked_links):
        feedback.raise_if_cancelled()
        feedback.report(100.0 * number / len(checked_links), host_of(url))
        results.append(_request_link(field, url, is_service, feedback))
    return results


def _request_link(field: str, url: str, is_service: bool, feedback: tasks.Feedback) -> LinkResult:
    """Request ``url``. A public http address that does not redirect to https is requested with https too."""
    result = _request_address(LinkResult(url, field), url, is_service, feedback)
    if not is_public_http(url):
        return result
    if _redirects_to_https(url, result.final_url):
        return replace(result, https_works=True)
    https_url = "https" + url[4:]
    https_result = _request_address(LinkResult(https_url, field), https_url, is_service, feedback)
    return replace(result, https_works=not https_result.error and 200 <= https_result.status < 400)


def _request_address(empty_result: LinkResult, url: str, is_service: bool, feedback: tasks.Feedback) -> LinkResult:
    try:
        requested_url = capabilities_url(url) if is_service else url.partition("#")[0]
        response = fetch(Request(HttpMethod.GET, requested_url), limits=_limits(is_service), feedback=feedback)
        if is_service and response.status < 400:
            check_response(response, ExpectedContent.XML)
    except Cancelled:
        # a CartoguideError too, but no result of the link
        raise
    except NetworkFailure as error:
        if error.kind is FailureKind.TOO_LARGE:
            # the server does respond, and the failure does not have the status and the final address
            return replace(empty_result, status=200)
        return replace(empty_result, error=error.user_text)
    except CartoguideError as error:
        return replace(empty_result, error=error.user_text)
    return replace(empty_result, status=response.status, final_url=_final_url(response, requested_url))


def _limits(is_service: bool) -> RequestLimits:
    """Return the limits of one request. Capabilities are read completely to check them, other responses in part."""
    if is_service:
        return RequestLimits.from_settings(max_total=_TOTAL_SECONDS, retries=0)
    return RequestLimits.from_settings(max_total=_TOTAL_SECONDS, retries=0, max_bytes=_MAX_BYTES)


def _final_url(response: Response, requested_url: str) -> str:
    return response.url if response.url != requested_url else ""


def _redirects_to_https(url: str, final_url: str) -> bool:
    """Return True if the server has redirected to https on the same host."""
    return final_url.lower().startswith("https:") and urlsplit(final_url).hostname == urlsplit(url).hostname
