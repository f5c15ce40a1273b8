"""One HTTP exchange in a worker thread: one request sent, its answer read to the end or stopped by a limit."""

from __future__ import annotations

import time
from enum import Enum
from typing import Dict, List, Optional

from qgis.core import QgsApplication, QgsFeedback, QgsNetworkAccessManager
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QEventLoop, QTimer, QUrl
from qgis.PyQt.QtNetwork import QNetworkReply, QNetworkRequest

from ..core.request import Request
from . import disk_cache
from .compat import enum_value

#: milliseconds between two looks at limits and at the cancel button
_TICK = 50
_Attribute = QNetworkRequest.Attribute
_Load = QNetworkRequest.CacheLoadControl


class Freshness(Enum):
    """How QGIS's network cache is used: read while what it holds is fresh, or not read at all."""

    NORMAL = "normal"
    REFRESH = "refresh"


class Exchange:
    """Send ``request`` and read its answer; ``run`` returns when all is read or something stopped it, and never raises.

    Afterwards: ``status`` (0: none came), ``headers`` (lower-case names), ``body``, ``error`` (Qt's, None if none),
    ``stopped`` ("", "cancelled", "timeout", "too-slow", "too-large", "auth") and ``detail``.
    """

    def __init__(self, request: Request, first_byte: float, total: float, max_bytes: int, authcfg: str = "",
                 feedback: Optional[QgsFeedback] = None, freshness: Freshness = Freshness.NORMAL) -> None:
        self.status = 0
        self.headers: Dict[str, str] = {}
        self.body = bytearray()
        self.error: Optional[int] = None
        self.stopped = ""
        self.detail = ""
        self._request = request
        self._first_byte = first_byte
        self._total = total
        self._max_bytes = max_bytes
        self._authcfg = authcfg
        self._feedback = feedback
        self._freshness = freshness

    def header(self, name: str) -> str:
        """A header of the answer, or an empty string."""
        return self.headers.get(name, "")

    def run(self) -> None:
        """Do it; blocks this thread in an event loop of its own."""
        if self._request.method.upper() != "GET":
            self._run(_Load.AlwaysNetwork)
            return
        if self._freshness is Freshness.NORMAL and disk_cache.is_fresh(self._request.url):
            self._run(_Load.AlwaysCache)
            if self.error is None or self.stopped:
                return
            self.body, self.error = bytearray(), None
        # Qt answers a server's 5xx with the body that its cache holds, and may append the server's: hide it meanwhile
        with disk_cache.set_aside(self._request.url) as stored:
            self._run(_Load.AlwaysNetwork)
            stored.keep = self.error is not None or bool(self.stopped)

    def _run(self, load: QNetworkRequest.CacheLoadControl) -> None:
        if self._feedback is not None and self._feedback.isCanceled():
            self.stopped = "cancelled"
            return
        if self._total <= 0:
            self.stopped = "too-slow"
            return
        started = time.monotonic()
        # first of all: in a thread that Qt did not start, this makes timers work
        loop = QEventLoop()
        reply = self._send(load)
        if reply is None:
            self.stopped = "auth"
            return
        ssl: List[str] = []
        reply.sslErrors.connect(lambda errors: ssl.extend(error.errorString() for error in errors))
        # only wakes the loop below, so that the limits and the cancel button are looked at
        tick = QTimer()
        tick.start(_TICK)
        head = False
        while not reply.isFinished() and not self.stopped:
            loop.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
            head = head or self._head_is_there(reply)
            self.body += bytes(reply.readAll())
            self.stopped = self._limit(time.monotonic() - started, head)
        tick.stop()
        if not reply.isFinished():
            reply.abort()
        self._collect(reply, ssl, time.monotonic() - started)

    def _head_is_there(self, reply: QNetworkReply) -> bool:
        """Whether the server lives; what announces itself as too large is refused at once."""
        if reply.attribute(_Attribute.HttpStatusCodeAttribute) is None and not reply.bytesAvailable():
            return False
        length = reply.header(QNetworkRequest.KnownHeaders.ContentLengthHeader)
        if isinstance(length, int) and length > self._max_bytes:
            self.stopped = "too-large"
        return True

    def _limit(self, seconds: float, head: bool) -> str:
        """Which limit the exchange has reached, or an empty string."""
        if self.stopped or len(self.body) > self._max_bytes:
            return self.stopped or "too-large"
        if self._feedback is not None and self._feedback.isCanceled():
            return "cancelled"
        if not head and seconds > self._first_byte:
            return "timeout"
        return "too-slow" if seconds > self._total else ""

    def _send(self, load: QNetworkRequest.CacheLoadControl) -> Optional[QNetworkReply]:
        """The running reply, or None where the authentication configuration cannot be applied."""
        request = QNetworkRequest(QUrl(self._request.url))
        for name, value in self._request.headers.items():
            request.setRawHeader(name.encode("latin-1", "replace"), value.encode("latin-1", "replace"))
        request.setAttribute(_Attribute.RedirectPolicyAttribute,
                             enum_value(QNetworkRequest.RedirectPolicy.ManualRedirectPolicy))
        request.setAttribute(_Attribute.CacheLoadControlAttribute, enum_value(load))
        request.setAttribute(_Attribute.CacheSaveControlAttribute, True)
        manager = QgsNetworkAccessManager.instance()
        if self._authcfg and not self._authorise(request):
            return None
        if self._request.method.upper() == "POST":
            if not self._request.content_type:
                request.setHeader(QNetworkRequest.KnownHeaders.ContentTypeHeader, "application/x-www-form-urlencoded")
            reply = manager.post(request, self._request.body or b"")
        else:
            reply = manager.get(request)
        if self._authcfg:
            QgsApplication.authManager().updateNetworkReply(reply, self._authcfg)
        return reply

    def _authorise(self, request: QNetworkRequest) -> bool:
        done = QgsApplication.authManager().updateNetworkRequest(request, self._authcfg)
        return bool(done[0] if isinstance(done, tuple) else done)

    def _collect(self, reply: QNetworkReply, ssl: List[str], seconds: float) -> None:
        """Take the answer over into plain values and let the reply go."""
        if not self.stopped:
            self.body += bytes(reply.readAll())
            if len(self.body) > self._max_bytes:
                self.stopped = "too-large"
        status = reply.attribute(_Attribute.HttpStatusCodeAttribute)
        self.status = int(status) if status is not None else 0
        self.headers = {bytes(name).decode("latin-1").lower(): bytes(value).decode("latin-1", "replace")
                        for name, value in reply.rawHeaderPairs()}
        error = reply.error()
        self.error = None if error == QNetworkReply.NetworkError.NoError else error
        if self.stopped or self.error is not None:
            shown = QUrl(self._request.url).toDisplayString()
            words = reply.errorString() if self.error is not None else ""
            self.detail = "\n".join(part for part in (
                f"{self._request.method} {shown}", words, *ssl,
                f"HTTP {self.status}, {len(self.body)} bytes, {seconds:.1f} s") if part)
        # Its wrapper goes before the reply itself, in one step: else a new reply at the same address may be given this
        # wrapper, and be lost when it is marked deleted.
        reply.deleteLater()
        sip.setdeleted(reply)
