"""HTTP client: sends requests through QGIS's network manager, with time-outs, size limits, retries and redirects.

All network access of the plugin goes through ``fetch``. The proxy, certificates, authentication configurations, user
agent and cache of QGIS apply. QGIS's own time-out only measures inactivity, and QgsBlockingNetworkRequest reports a
time-out as success. Therefore first byte, total time and size are limited here.
"""

from __future__ import annotations

import sys
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import BinaryIO, Callable, Dict, Iterator, List, Optional, TypeVar
from urllib.parse import urlsplit

from qgis.core import QgsFeedback, QgsNetworkAccessManager
from qgis.PyQt.QtCore import QUrl
from qgis.PyQt.QtNetwork import QHostInfo

from ...core.addresses import is_internal_host
from ...core.errors import Cancelled, CartoguideError, FailureKind, NetworkFailure
from ...core.request import HttpMethod, Request, Response
from ..runtime import main_thread, settings
from ..runtime.network_errors import (
    connection_failure,
    foreign_redirect,
    host_of,
    insecure_redirect,
    internal_redirect,
    large_response,
    network_failure,
    slow_response,
    unlisted_redirect,
    without_credentials,
)
from ..runtime.thread_pool import pool_slot_released
from .http_exchange import STALL_SECONDS, CachePolicy, HttpExchange, uses_proxy
from .origin_settings import (
    OriginLogin,
    RedirectRisk,
    authcfg_for,
    headers_at,
    is_login_allowed,
    is_redirect_allowed,
    is_same_server,
    origin,
    origin_address,
)

T = TypeVar("T")

MAX_REDIRECTS = 10
#: requests for an image before it counts as failed
IMAGE_ATTEMPTS = 3
_REDIRECT_STATUSES = (301, 302, 303, 307, 308)
#: failures worth a retry. A time-out is not one of them, because the user has already waited once
_RETRYABLE_KINDS = (FailureKind.REFUSED, FailureKind.CLOSED, FailureKind.DAMAGED, FailureKind.OFFLINE)
#: statuses of an overloaded server (RFC 9110, 15.6.4 and RFC 6585, 4)
_BUSY_STATUSES = (429, 503)
#: seconds
_INITIAL_RETRY_DELAY = 0.4
_MAX_RETRY_DELAY = 5.0


@dataclass(frozen=True)
class RequestLimits:
    """Limits of one request.

    ``first_byte`` and ``total`` are seconds, ``max_bytes`` the size of the response body, ``retries`` the number of
    repetitions of a GET request, ``parallel`` the number of simultaneous requests to one host, ``slowest`` the bytes
    that have to come within ``STALL_SECONDS``.
    """

    first_byte: float = 10.0
    total: float = 120.0
    max_bytes: int = 64 * 1024 * 1024
    retries: int = 1
    parallel: int = 6
    slowest: int = 0

    @classmethod
    def from_settings(cls, *, first_byte: Optional[float] = None, max_total: float = float("inf"),
                      max_bytes: int = sys.maxsize, retries: Optional[int] = None,
                      parallel: Optional[int] = None) -> RequestLimits:
        """Return the limits of the settings, with some of them replaced.

        ``max_total`` (seconds) and ``max_bytes`` are upper bounds: a lower setting wins. The others replace a setting.
        """
        return cls(
            settings.get("first_byte_timeout") if first_byte is None else first_byte,
            min(settings.get("total_timeout"), max_total),
            min(settings.get("max_answer_mb") * 1024 * 1024, max_bytes),
            settings.get("retries") if retries is None else retries,
            settings.get("parallel_requests") if parallel is None else parallel)

    @classmethod
    def for_map_images(cls, attempts: int = IMAGE_ATTEMPTS) -> RequestLimits:
        """Return the limits for GetMap: QGIS's own time-out until the first byte, and at least ``attempts``.

        A single attempt is a single request, for pictures that are drawn again anyway.
        """
        return cls.from_settings(first_byte=QgsNetworkAccessManager.timeout() / 1000,
                                 retries=max(settings.get("retries"), attempts - 1) if attempts > 1 else 0)


def fetch(request: Request, *, limits: Optional[RequestLimits] = None, login: Optional[OriginLogin] = None,
          feedback: Optional[QgsFeedback] = None, cache_policy: CachePolicy = CachePolicy.NORMAL,
          stays_at_origin: bool = False, sink: Optional[BinaryIO] = None) -> Response:
    """Send ``request`` and return its response, whatever the HTTP status. Blocks, so it must run in a task.

    Redirects are followed, from https to http and from a public server into the user's own network only if the user has
    allowed it, and never to another scheme. With ``stays_at_origin`` none is followed to another origin but that of the
    same host by https, for a server that is all that somebody agreed to. GET is repeated after connection failures, 429
    and 503.

    The request carries the login for the origin of its address (``authcfg_for``), which ``login`` replaces if it is for
    that origin. A redirect to another origin carries none, unless the user has allowed that.

    The body of a response with the status 200 goes to ``sink``, if there is one, which may be larger than the memory.

    Raises NetworkFailure if there is no response, Cancelled if ``feedback`` is cancelled, RuntimeError on the main
    thread.
    """
    if main_thread.is_main():
        raise RuntimeError("fetch() blocks and must run in a task, never on the main thread")
    _check_address(request.url)
    limits = limits or RequestLimits.from_settings()
    authcfg = authcfg_for(request.url, login)
    with pool_slot_released(), _host_slot(host_of(request.url), limits.parallel, feedback, request.url):
        return _fetch_with_retries(request, limits, authcfg, feedback, cache_policy, stays_at_origin, sink)


def _fetch_with_retries(request: Request, limits: RequestLimits, authcfg: str, feedback: Optional[QgsFeedback],
                        cache_policy: CachePolicy, stays_at_origin: bool, sink: Optional[BinaryIO]) -> Response:
    started = time.monotonic()
    retries_left = limits.retries if request.method is HttpMethod.GET else 0
    delay = _INITIAL_RETRY_DELAY
    while True:
        requested_delay = 0.0
        try:
            response = _fetch_following_redirects(request, limits, started, authcfg, feedback, cache_policy,
                                                  stays_at_origin, sink)
            requested_delay = _retry_after(response)
            if response.status not in _BUSY_STATUSES or not retries_left or requested_delay > _MAX_RETRY_DELAY:
                return response
        except NetworkFailure as problem:
            if problem.kind not in _RETRYABLE_KINDS or not retries_left:
                raise
        _sleep(max(delay, requested_delay), feedback, request.url)
        retries_left -= 1
        delay *= 2


def retry_image(fetch_image: Callable[[], T], feedback: Optional[QgsFeedback] = None,
                attempts: int = IMAGE_ATTEMPTS) -> T:
    """Return the result of ``fetch_image``, which is called again if the response is not a usable image.

    Servers under load send broken images, errors, or exceptions with status 200. Failures without a response are not
    retried here: ``fetch`` has done that. Blocks between the attempts. Raises the error of the last attempt, and
    Cancelled.
    """
    delay = _INITIAL_RETRY_DELAY
    for _ in range(attempts - 1):
        try:
            return fetch_image()
        except (Cancelled, NetworkFailure):
            raise
        except CartoguideError:
            _sleep(delay, feedback, "")
            delay *= 2
    return fetch_image()


def _fetch_following_redirects(request: Request, limits: RequestLimits, started: float, authcfg: str,
                               feedback: Optional[QgsFeedback], cache_policy: CachePolicy,
                               stays_at_origin: bool, sink: Optional[BinaryIO]) -> Response:
    seen: List[str] = []
    while True:
        remaining = limits.total - (time.monotonic() - started)
        if sink is not None:
            sink.seek(0)
            sink.truncate()
        exchange = HttpExchange(request, limits.first_byte, remaining, limits.max_bytes, authcfg, feedback,
                                cache_policy, limits.slowest, sink)
        exchange.run()
        _raise_for_failure(exchange, request, limits)
        target = exchange.header("location") if exchange.status in _REDIRECT_STATUSES else ""
        if not target:
            return Response(exchange.status, exchange.headers, bytes(exchange.body), request.url,
                            time.monotonic() - started)
        seen.append(request.url)
        following = _redirect_request(request, target, exchange.status)
        if stays_at_origin and not is_same_server(following.url, request.url):
            raise unlisted_redirect(origin_address(request.url), origin_address(following.url))
        # one repetition is allowed: some servers set a cookie and redirect to the same address
        if seen.count(following.url) > 1 or len(seen) > MAX_REDIRECTS:
            raise network_failure(FailureKind.REDIRECT, request.url, " → ".join([*seen, following.url]))
        if origin(following.url) != origin(request.url) and not is_login_allowed(request.url, following.url):
            authcfg = ""
        request = following


def _redirect_request(request: Request, target: str, status: int) -> Request:
    """Return the request for a redirect target. Credentials are never sent to another origin."""
    url = bytes(QUrl(request.url).resolved(QUrl(target)).toEncoded()).decode("ascii")
    scheme, before = urlsplit(url).scheme.lower(), urlsplit(request.url).scheme.lower()
    if scheme not in ("http", "https"):
        raise foreign_redirect(request.url, url)
    if leads_inside(request.url, url) and not is_redirect_allowed(request.url, url, RedirectRisk.INTERNAL):
        raise internal_redirect(request.url, url)
    if scheme == "http" and before == "https" and not is_redirect_allowed(request.url, url, RedirectRisk.INSECURE):
        raise insecure_redirect(request.url, url)
    following = replace(request, url=url)
    if origin(url) != origin(request.url):
        private = ("authorization", "cookie", "proxy-authorization")
        following = replace(following, headers={
            name: value for name, value in headers_at(url, request.headers, request.url).items()
            if name.lower() not in private})
    if status == 303:
        following = replace(following, method=HttpMethod.GET, body=None)
    return following


def _raise_for_failure(exchange: HttpExchange, request: Request, limits: RequestLimits) -> None:
    """Raise the failure that stopped the exchange, if any. A response with an HTTP error status is not a failure."""
    url, reason = request.url, exchange.stop_reason
    if reason is FailureKind.CANCELLED:
        raise Cancelled(without_credentials(url))
    if reason is FailureKind.TIMEOUT:
        raise network_failure(reason, url, f"{exchange.detail}\n> {limits.first_byte:g} s")
    if reason is FailureKind.TOO_SLOW:
        raise slow_response(url, STALL_SECONDS if limits.slowest else limits.total, exchange.detail)
    if reason is FailureKind.TOO_LARGE:
        raise large_response(url, limits.max_bytes, exchange.detail)
    if reason is not None:
        raise network_failure(reason, url, exchange.detail)
    if exchange.error is not None and (exchange.status < 400 or exchange.status == 407):
        raise connection_failure(url, exchange.error, exchange.detail, exchange.certificate_errors)
    if exchange.status == 0:
        raise network_failure(FailureKind.OTHER, url, exchange.detail)


def _check_address(url: str) -> None:
    """Raise NetworkFailure unless ``url`` is a complete http(s) address."""
    try:
        parts = urlsplit(url)
    except ValueError as error:
        raise network_failure(FailureKind.ADDRESS, url, str(error)) from error
    if parts.scheme.lower() not in ("http", "https"):
        raise network_failure(FailureKind.SCHEME, url)
    if not parts.hostname or not QUrl(url).isValid():
        raise network_failure(FailureKind.ADDRESS, url)


def _retry_after(response: Response) -> float:
    """Return the seconds of the Retry-After header (RFC 9110, 10.2.3). A date counts as 0."""
    value = response.headers.get("retry-after", "")
    return float(value) if value.isdigit() else 0.0


def _sleep(seconds: float, feedback: Optional[QgsFeedback], url: str) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if feedback is not None and feedback.isCanceled():
            raise Cancelled(without_credentials(url))
        time.sleep(0.02)


#: number of running requests by host
_active: Dict[str, int] = {}
_slot_freed = threading.Condition()


@contextmanager
def _host_slot(host: str, max_parallel: int, feedback: Optional[QgsFeedback], url: str) -> Iterator[None]:
    """Limit the simultaneous requests to one host. Waiting for a free slot can be cancelled."""
    with _slot_freed:
        while _active.get(host, 0) >= max_parallel:
            if feedback is not None and feedback.isCanceled():
                raise Cancelled(without_credentials(url))
            _slot_freed.wait(0.05)
        _active[host] = _active.get(host, 0) + 1
    try:
        yield
    finally:
        with _slot_freed:
            _active[host] -= 1
            if not _active[host]:
                del _active[host]
            _slot_freed.notify_all()


def leads_inside(url: str, target: str) -> bool:
    """Return True if ``url`` is on a public host and ``target`` on one of this computer or its network.

    A name is resolved, as Qt will resolve it for the request, unless a proxy does that. May block, so it must run in a
    task. A server that answers each resolution differently is not detected.
    """
    before, after = QUrl(url).host(), QUrl(target).host()
    if before.lower() == after.lower():
        return False
    return not is_internal_host(before) and _is_inside(target) and not _is_inside(url)


def _is_inside(url: str) -> bool:
    host = QUrl(url).host()
    if is_internal_host(host):
        return True
    if main_thread.call(lambda: uses_proxy(QUrl(url))):
        return False
    return any(is_internal_host(address.toString()) for address in QHostInfo.fromName(host).addresses())
