"""Every byte passes here: requests as values, carried by QGIS's network manager with limits of our own.

QGIS's proxy, certificates, authentication configurations, user agent and cache apply. ``fetch`` blocks its thread, so
it is for tasks only. QGIS's own time-out is one of inactivity and its blocking request reports a time-out as success,
so first byte, total time and size are watched here.
"""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Dict, Iterator, List, Optional
from urllib.parse import urlsplit

from qgis.core import QgsFeedback
from qgis.PyQt.QtCore import QUrl

from ...core.request import Request, Response
from ..runtime import main_thread, settings
from ..runtime.network_errors import Cancelled, NetworkFailure, connection_failure, host_of, network_failure
from ..runtime.thread_pool import pool_slot_released
from .authentication import authcfg_for, origin
from .http_exchange import CachePolicy, HttpExchange
from .redirect_consent import is_http_redirect_allowed

__all__ = ["Cancelled", "CachePolicy", "RequestLimits", "NetworkFailure", "fetch", "host_of", "pool_slot_released"]

MAX_REDIRECTS = 10
_REDIRECT_STATUSES = (301, 302, 303, 307, 308)
#: failures that a second try may mend; a time-out is not among them: the person has waited once already
_RETRYABLE_KINDS = ("refused", "closed", "offline")
#: statuses of a server that has too much to do (RFC 9110, 15.6.4; RFC 6585, 4), which a pause may mend
_BUSY_STATUSES = (429, 503)
_INITIAL_RETRY_DELAY = 0.4
_MAX_RETRY_DELAY = 5.0


@dataclass(frozen=True)
class RequestLimits:
    """What one answer may cost: seconds to the first byte and altogether, bytes, repetitions, requests at a time."""

    first_byte: float = 10.0
    total: float = 120.0
    max_bytes: int = 64 * 1024 * 1024
    retries: int = 1
    parallel: int = 6

    @classmethod
    def from_settings(cls) -> RequestLimits:
        """The limits that the person set."""
        return cls(settings.get("first_byte_timeout"), settings.get("total_timeout"),
                   settings.get("max_answer_mb") * 1024 * 1024, settings.get("retries"),
                   settings.get("parallel_requests"))


def fetch(request: Request, *, limits: Optional[RequestLimits] = None, authcfg: Optional[str] = None,
          feedback: Optional[QgsFeedback] = None, cache_policy: CachePolicy = CachePolicy.NORMAL) -> Response:
    """The answer to ``request``, whatever its HTTP status. Blocks: only in a task.

    Redirects are followed (from https to http only where that was agreed to, never to another scheme). GET is repeated
    after connection failures, 429 and 503. ``authcfg`` (None: the one chosen for the server; "": none) goes to the
    request's own origin only. NetworkFailure where no answer came, Cancelled where ``feedback`` was cancelled,
    RuntimeError on the main thread.
    """
    if main_thread.is_main():
        raise RuntimeError("fetch() blocks and must run in a task, never on the main thread")
    _check_address(request.url)
    limits = limits or RequestLimits.from_settings()
    authcfg = authcfg_for(request.url) if authcfg is None else authcfg
    with pool_slot_released(), _host_slot(host_of(request.url), limits.parallel, feedback, request.url):
        return _fetch_with_retries(request, limits, authcfg, feedback, cache_policy)


def _fetch_with_retries(request: Request, limits: RequestLimits, authcfg: str, feedback: Optional[QgsFeedback],
                        cache_policy: CachePolicy) -> Response:
    started = time.monotonic()
    left = limits.retries if request.method.upper() == "GET" else 0
    pause = _INITIAL_RETRY_DELAY
    while True:
        asked_pause = 0.0
        try:
            response = _fetch_following_redirects(request, limits, started, authcfg, feedback, cache_policy)
            asked_pause = _retry_after(response)
            if response.status not in _BUSY_STATUSES or not left or asked_pause > _MAX_RETRY_DELAY:
                return response
        except NetworkFailure as problem:
            if problem.kind not in _RETRYABLE_KINDS or not left:
                raise
        _sleep(max(pause, asked_pause), feedback, request.url)
        left -= 1
        pause *= 2


def _fetch_following_redirects(request: Request, limits: RequestLimits, started: float, authcfg: str,
                               feedback: Optional[QgsFeedback], cache_policy: CachePolicy) -> Response:
    """The answer at the end of the redirects."""
    seen: List[str] = []
    while True:
        remaining = limits.total - (time.monotonic() - started)
        exchange = HttpExchange(request, limits.first_byte, remaining, limits.max_bytes, authcfg, feedback,
                                cache_policy)
        exchange.run()
        _raise_for_failure(exchange, request, limits)
        target = exchange.header("location") if exchange.status in _REDIRECT_STATUSES else ""
        if not target:
            return Response(exchange.status, exchange.headers, bytes(exchange.body), request.url,
                            time.monotonic() - started)
        seen.append(request.url)
        following = _redirect_request(request, target, exchange.status)
        # once is allowed: some servers set a cookie and send the client back to where it was
        if seen.count(following.url) > 1 or len(seen) > MAX_REDIRECTS:
            raise network_failure("redirect", request.url, " → ".join([*seen, following.url]))
        if origin(following.url) != origin(request.url):
            authcfg = ""
        request = following


def _redirect_request(request: Request, target: str, status: int) -> Request:
    """The request that a redirect asks for; credentials never go to another origin."""
    url = bytes(QUrl(request.url).resolved(QUrl(target)).toEncoded()).decode("ascii")
    scheme, before = urlsplit(url).scheme.lower(), urlsplit(request.url).scheme.lower()
    if scheme not in ("http", "https"):
        raise network_failure("foreign-redirect", request.url, url, target=url)
    if scheme == "http" and before == "https" and not is_http_redirect_allowed(request.url, url):
        raise network_failure("insecure-redirect", request.url, url, target=url)
    following = replace(request, url=url)
    if origin(url) != origin(request.url):
        private = ("authorization", "cookie", "proxy-authorization")
        following = replace(following, headers={name: value for name, value in request.headers.items()
                                                if name.lower() not in private})
    if status == 303:
        following = replace(following, method="GET", body=None)
    return following


def _raise_for_failure(exchange: HttpExchange, request: Request, limits: RequestLimits) -> None:
    """Turn what stopped the exchange into words; an answer with a status of its own is none of that."""
    url, stopped = request.url, exchange.stop_reason
    if stopped == "cancelled":
        raise Cancelled(url)
    if stopped == "timeout":
        raise network_failure("timeout", url, f"{exchange.detail}\n> {limits.first_byte:g} s")
    if stopped == "too-slow":
        raise network_failure("too-slow", url, exchange.detail, seconds=f"{limits.total:g}")
    if stopped == "too-large":
        raise network_failure("too-large", url, exchange.detail, limit=f"{limits.max_bytes / 1024 / 1024:g}")
    if stopped:
        raise network_failure(stopped, url, exchange.detail)
    if exchange.error is not None and (exchange.status < 400 or exchange.status == 407):
        raise connection_failure(url, exchange.error, exchange.detail, exchange.certificate_errors)
    if exchange.status == 0:
        raise network_failure("other", url, exchange.detail)


def _check_address(url: str) -> None:
    """Refuse what is not a whole http(s) address."""
    try:
        parts = urlsplit(url)
    except ValueError as error:
        raise network_failure("address", url, str(error)) from error
    if parts.scheme.lower() not in ("http", "https"):
        raise network_failure("scheme", url)
    if not parts.hostname or not QUrl(url).isValid():
        raise network_failure("address", url)


def _retry_after(response: Response) -> float:
    """Seconds that a 429 or 503 asks to wait (RFC 9110, 10.2.3); dates count as none."""
    value = response.headers.get("retry-after", "")
    return float(value) if value.isdigit() else 0.0


def _sleep(seconds: float, feedback: Optional[QgsFeedback], url: str) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if feedback is not None and feedback.isCanceled():
            raise Cancelled(url)
        time.sleep(0.02)


_active: Dict[str, int] = {}
_slot_freed = threading.Condition()


@contextmanager
def _host_slot(host: str, max_parallel: int, feedback: Optional[QgsFeedback], url: str) -> Iterator[None]:
    """At most ``most`` requests to one host at a time; waiting for one's turn can be cancelled."""
    with _slot_freed:
        while _active.get(host, 0) >= max_parallel:
            if feedback is not None and feedback.isCanceled():
                raise Cancelled(url)
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
