"""One HTTP exchange for a worker thread: one request, its response read completely or stopped by a limit.

The worker thread waits. The QNetworkReply lives on the main thread (see main_thread.py), where it takes no time.
Content encodings (RFC 9110, 8.4.1) are decoded in pieces, within limits. Qt would inflate a response as it arrives,
before its size can be limited, and hand it to the main thread. It does not if the request says itself which encodings
are accepted.
"""

from __future__ import annotations

import threading
import time
import traceback
import zlib
from enum import Enum
from typing import BinaryIO, Callable, Dict, List, Optional, Sequence, Tuple

from qgis.core import QgsApplication, QgsFeedback, QgsNetworkAccessManager
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QTimer, QUrl
from qgis.PyQt.QtNetwork import QNetworkProxy, QNetworkProxyQuery, QNetworkReply, QNetworkRequest, QSslError

from ...core.errors import Cancelled, FailureKind
from ...core.request import HttpMethod, Request
from ..runtime import main_thread
from ..runtime.compat import enum_value
from ..runtime.tasks import no_op
from . import qgis_http_cache
from .bound_origins import own_request

#: interval of the check of time-outs, in milliseconds
_LIMIT_CHECK_MILLISECONDS = 50
#: seconds
_CANCEL_POLL_SECONDS = 0.02
#: seconds that one interval counts at most: while the main thread is busy, the server is not to blame
_MAX_COUNTED_SECONDS = 0.25
#: seconds after which a response has to have brought a number of bytes
STALL_SECONDS = 15.0
_Attribute = QNetworkRequest.Attribute
_LoadControl = QNetworkRequest.CacheLoadControl
_Error = QNetworkReply.NetworkError
#: Qt reports a failing proxy as a failing server, because the proxy is the only host that it connects to
_PROXY_ERRORS = {
    _Error.ConnectionRefusedError: _Error.ProxyConnectionRefusedError,
    _Error.HostNotFoundError: _Error.ProxyNotFoundError
}


class CachePolicy(Enum):
    """Use of QGIS's network cache: NORMAL reads fresh entries, REFRESH always sends the request.

    PRIVATE does so too, and saves no response.
    """

    NORMAL = "normal"
    REFRESH = "refresh"
    PRIVATE = "private"


class HttpExchange:
    """A request and its response, as far as it arrived.

    ``run`` blocks until the response is complete or the exchange was stopped. It never raises. Afterwards ``status``
    (0 without a response), ``headers`` (names in lower case) and ``body`` hold the response, ``error`` Qt's network
    error or None, ``stop_reason`` why the exchange was stopped or None, and ``detail`` the technical detail.

    ``first_byte`` and ``total`` are time-outs in seconds. ``slowest`` are the bytes that have to come within
    ``STALL_SECONDS``, where a body may be too large for a time-out. The body of a response with the status 200 is
    written to ``sink`` instead of ``body``, and is not saved in the cache.
    """

    def __init__(self, request: Request, first_byte: float, total: float, max_bytes: int, authcfg: str = "",
                 feedback: Optional[QgsFeedback] = None, cache_policy: CachePolicy = CachePolicy.NORMAL,
                 slowest: int = 0, sink: Optional[BinaryIO] = None) -> None:
        self.status = 0
        self.headers: Dict[str, str] = {}
        self.body = bytearray()
        self.error: Optional[int] = None
        self.stop_reason: Optional[FailureKind] = None
        self.detail = ""
        #: QSslError.SslError and Qt's sentence
        self.certificate_errors: List[Tuple[int, str]] = []
        self._request = request
        self._first_byte = first_byte
        self._total = total
        self._max_bytes = max_bytes
        self._authcfg = authcfg
        self._feedback = feedback
        self._cache_policy = cache_policy
        self._slowest = slowest
        self._sink = sink
        self.received = 0
        self._finished = threading.Event()
        #: whether PyQt took the reply away while it came
        self._is_lost = False
        #: headers of a compressed response that is saved in the cache once it is inflated
        self._headers_to_save: Optional[Sequence[Tuple[bytes, bytes]]] = None

    def header(self, name: str) -> str:
        """Return a response header by its lower-case name, or an empty text."""
        return self.headers.get(name, "")

    def run(self) -> None:
        """Send the request and wait for its response. Must not run on the main thread."""
        if (self._request.method is HttpMethod.GET and self._cache_policy is CachePolicy.NORMAL and self._sink is None
                and self._is_cached()):
            self._run_once(_LoadControl.AlwaysCache)
            self._decode()
            if self.error is None or self.stop_reason:
                return
            self.body, self.error, self.received = bytearray(), None, 0
        self._run_once(_LoadControl.AlwaysNetwork)
        if self._is_lost and self._request.method is HttpMethod.GET and self._sink is None and not self._cancelled():
            # the server has not failed, so that this counts as no attempt
            self.stop_reason, self.detail, self.status, self.headers = None, "", 0, {}
            self.body, self.error, self.received = bytearray(), None, 0
            self._run_once(_LoadControl.AlwaysNetwork)
        self._decode()
        if self._headers_to_save is not None and not self.stop_reason:
            self._save()

    def _is_cached(self) -> bool:
        try:
            return main_thread.call(lambda: qgis_http_cache.is_fresh(self._request.url, self._authcfg), self._feedback)
        except Cancelled:
            return False

    def _decode(self) -> None:
        """Inflate the body, in this thread. The limit is the same as for a body that is not compressed."""
        encoding = self.headers.pop("content-encoding", "")
        if not encoding or self.stop_reason or self.error is not None and self.status < 400:
            return
        try:
            self.body = bytearray(decoded_body(bytes(self.body), encoding, self._max_bytes))
        except BodyTooLarge as error:
            self.stop_reason, self.detail = FailureKind.TOO_LARGE, f"{self._request.url}\n{error}"
        except DamagedBody as error:
            self.stop_reason, self.detail = FailureKind.DAMAGED, f"{self._request.url}\n{encoding}: {error}"

    def _save(self) -> None:
        """Save the response in QGIS's cache, for the next request of anybody."""
        headers, body = self._headers_to_save or (), bytes(self.body)
        try:
            main_thread.call(lambda: qgis_http_cache.save_response(self._request.url, headers, body, self._authcfg),
                             self._feedback)
        except Cancelled:
            self.stop_reason = FailureKind.CANCELLED

    def _cancelled(self) -> bool:
        return self._feedback is not None and self._feedback.isCanceled()

    def _run_once(self, load: QNetworkRequest.CacheLoadControl) -> None:
        if self._cancelled():
            self.stop_reason = FailureKind.CANCELLED
            return
        if self._total <= 0:
            self.stop_reason = FailureKind.TOO_SLOW
            return
        self._finished.clear()
        transfer = _MainThreadTransfer(self, load)
        main_thread.post(transfer.begin)
        while not self._finished.wait(_CANCEL_POLL_SECONDS):
            if self._cancelled():
                # do not wait for the abort, because the main thread may be busy
                self.stop_reason = FailureKind.CANCELLED
                main_thread.post(transfer.abort)
                return


class _MainThreadTransfer:
    """The part of an exchange that runs on the main thread. It fills the fields of the exchange."""

    def __init__(self, exchange: HttpExchange, load: QNetworkRequest.CacheLoadControl) -> None:
        self._exchange = exchange
        self._request = exchange._request
        self._authcfg = exchange._authcfg
        self._load = load
        self._reply: Optional[QNetworkReply] = None
        self._head_received = False
        self._elapsed_seconds = self._looked_at = 0.0
        self._received_then = 0
        self._last_tick = 0.0
        self._undo_revalidation: Callable[[], None] = no_op
        self._timer: Optional[QTimer] = None
        #: while QGIS asks for a login, it holds the reply, which must not end
        self._asks_login = False

    def begin(self) -> None:
        """Send the request, unless it was cancelled in the meantime."""
        exchange = self._exchange
        if exchange.stop_reason:
            return
        try:
            if self._request.method is HttpMethod.GET and self._load == _LoadControl.AlwaysNetwork:
                self._undo_revalidation = qgis_http_cache.force_revalidation(self._request.url)
            reply = self._send(self._load)
            if reply is None:
                exchange.stop_reason = FailureKind.AUTH
                self._finish()
                return
            self._reply = reply
            reply.sslErrors.connect(self._on_ssl_errors)
            reply.readyRead.connect(self._on_data)
            reply.metaDataChanged.connect(self._on_headers)
            reply.finished.connect(self._on_finished)
            self._last_tick = time.monotonic()
            self._timer = QTimer()
            manager = QgsNetworkAccessManager.instance()
            manager.requestRequiresAuth.connect(self._on_login_asked)
            manager.requestAuthDetailsAdded.connect(self._on_login_given)
            self._timer.timeout.connect(self._on_tick)
            self._timer.start(_LIMIT_CHECK_MILLISECONDS)
            if reply.isFinished():
                self._on_finished()
        except Exception:  # noqa: BLE001 - must not unwind into Qt, and the worker thread is waiting
            self._fail(self._reply)
            self._finish()

    def _fail(self, reply: Optional[QNetworkReply]) -> None:
        """Note the exception that is handled. A request without its reply is sent once more."""
        # PyQt hears of the end of a QObject late, and takes a new one at the same address for it
        is_lost = reply is not None and sip.isdeleted(reply)
        self._exchange._is_lost = is_lost and not self._exchange.stop_reason
        self._exchange.stop_reason = self._exchange.stop_reason or (
            FailureKind.CLOSED if is_lost else FailureKind.OTHER)
        self._exchange.detail = traceback.format_exc()

    def abort(self) -> None:
        if self._asks_login:
            # the function keeps this object, which nobody waits for any more
            QTimer.singleShot(_LIMIT_CHECK_MILLISECONDS, lambda: self.abort())
        elif self._reply is not None and not sip.isdeleted(self._reply):
            self._reply.abort()

    def _is_own(self, request_id: int) -> bool:
        reply = self._reply
        return reply is not None and not sip.isdeleted(reply) and bool(reply.property("requestId") == request_id)

    def _on_login_asked(self, request_id: int, _realm: str) -> None:
        self._asks_login = self._asks_login or self._is_own(request_id)

    def _on_login_given(self, request_id: int, _user: str, _password: str) -> None:
        self._asks_login = self._asks_login and not self._is_own(request_id)

    def _abort_because(self, reason: FailureKind) -> None:
        if not self._exchange.stop_reason:
            self._exchange.stop_reason = reason
        self.abort()

    def _on_ssl_errors(self, errors: List[QSslError]) -> None:
        self._exchange.certificate_errors.extend((error.error(), error.errorString()) for error in errors)

    def _on_headers(self) -> None:
        """Note that the server responds, and abort at once if the announced size is over the limit."""
        if self._reply is None or sip.isdeleted(self._reply) or self._reply.attribute(
                _Attribute.HttpStatusCodeAttribute) is None:
            return
        self._head_received = True
        length = self._reply.header(QNetworkRequest.KnownHeaders.ContentLengthHeader)
        if isinstance(length, int) and length > self._exchange._max_bytes:
            self._abort_because(FailureKind.TOO_LARGE)

    def _on_data(self) -> None:
        if self._reply is None or sip.isdeleted(self._reply) or self._exchange.stop_reason:
            return
        self._head_received = True
        if not self._take(self._reply):
            self._abort_because(FailureKind.TOO_LARGE)

    def _take(self, reply: QNetworkReply) -> bool:
        """Keep what has come of the body, and return whether it is within the limit."""
        exchange, data = self._exchange, bytes(reply.readAll())
        exchange.received += len(data)
        if exchange._sink is not None and reply.attribute(_Attribute.HttpStatusCodeAttribute) == 200:
            exchange._sink.write(data)
        else:
            exchange.body += data
        return exchange.received <= exchange._max_bytes

    def _is_stalled(self) -> bool:
        """Return whether less than the slowest has come since the last look, some seconds ago."""
        if not self._exchange._slowest or self._elapsed_seconds - self._looked_at < STALL_SECONDS:
            return False
        came = self._exchange.received - self._received_then
        self._looked_at, self._received_then = self._elapsed_seconds, self._exchange.received
        return came < self._exchange._slowest

    def _on_tick(self) -> None:
        if self._reply is not None and sip.isdeleted(self._reply):
            self._on_finished()
            return
        now = time.monotonic()
        self._elapsed_seconds += 0.0 if self._asks_login else min(now - self._last_tick, _MAX_COUNTED_SECONDS)
        self._last_tick = now
        if not self._head_received and self._elapsed_seconds > self._exchange._first_byte:
            self._abort_because(FailureKind.TIMEOUT)
        elif self._elapsed_seconds > self._exchange._total or self._is_stalled():
            self._abort_because(FailureKind.TOO_SLOW)

    def _on_finished(self) -> None:
        reply, self._reply = self._reply, None
        if reply is None:
            return
        try:
            self._collect(reply)
            reply.deleteLater()
        except Exception:  # noqa: BLE001 - must not unwind into Qt, and the worker thread is waiting
            self._fail(reply)
        self._finish()

    def _finish(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
            manager = QgsNetworkAccessManager.instance()
            manager.requestRequiresAuth.disconnect(self._on_login_asked)
            manager.requestAuthDetailsAdded.disconnect(self._on_login_given)
        self._undo_revalidation()
        self._exchange._finished.set()

    def _send(self, load: QNetworkRequest.CacheLoadControl) -> Optional[QNetworkReply]:
        """Return the running reply, or None if the authentication configuration cannot be applied."""
        request = QNetworkRequest(QUrl(self._request.url))
        # what goes to a file is not inflated
        encodings = ACCEPTED_ENCODINGS if self._exchange._sink is None else "identity"
        request.setRawHeader(b"Accept-Encoding", encodings.encode("ascii"))
        for name, value in self._request.headers.items():
            request.setRawHeader(name.encode("latin-1", "replace"), value.encode("latin-1", "replace"))
        request.setAttribute(_Attribute.RedirectPolicyAttribute,
                             enum_value(QNetworkRequest.RedirectPolicy.ManualRedirectPolicy))
        request.setAttribute(_Attribute.CacheLoadControlAttribute, enum_value(load))
        # complete responses are saved by qgis_http_cache.save_response, which says why
        request.setAttribute(_Attribute.CacheSaveControlAttribute, False)
        manager = QgsNetworkAccessManager.instance()
        if self._authcfg and not self._authorise(request):
            return None
        with own_request():
            if self._request.method is HttpMethod.POST:
                if not self._request.content_type:
                    request.setHeader(QNetworkRequest.KnownHeaders.ContentTypeHeader,
                                      "application/x-www-form-urlencoded")
                reply = manager.post(request, self._request.body or b"")
            else:
                reply = manager.get(request)
        if self._authcfg:
            QgsApplication.authManager().updateNetworkReply(reply, self._authcfg)
        return reply

    def _authorise(self, request: QNetworkRequest) -> bool:
        done = QgsApplication.authManager().updateNetworkRequest(request, self._authcfg)
        return bool(done[0] if isinstance(done, tuple) else done)

    def _collect(self, reply: QNetworkReply) -> None:
        """Copy the response into plain Python values."""
        exchange = self._exchange
        if not exchange.stop_reason and not self._take(reply):
            exchange.stop_reason = FailureKind.TOO_LARGE
        status = reply.attribute(_Attribute.HttpStatusCodeAttribute)
        exchange.status = int(status) if status is not None else 0
        raw_headers = [(bytes(name), bytes(value)) for name, value in reply.rawHeaderPairs()]
        exchange.headers = {name.decode("latin-1").lower(): value.decode("latin-1", "replace")
                            for name, value in raw_headers}
        error = reply.error()
        exchange.error = None if error == QNetworkReply.NetworkError.NoError else error
        if error in _PROXY_ERRORS and not exchange.status and uses_proxy(reply.url()):
            exchange.error = _PROXY_ERRORS[error]
        if self._load == _LoadControl.AlwaysNetwork and reply.attribute(_Attribute.SourceIsFromCacheAttribute):
            # Qt reports a 304 as a 200 with the body of its cache entry, which may differ from the copy of the caller
            exchange.status, exchange.body = 304, bytearray()
        if exchange.stop_reason or exchange.error is not None:
            shown = QUrl(self._request.url).toDisplayString()
            qt_message = reply.errorString() if exchange.error is not None else ""
            qt_sentences = [sentence for _, sentence in exchange.certificate_errors]
            exchange.detail = "\n".join(
                part for part in (f"{self._request.method.value} {shown}", qt_message, *qt_sentences,
                                  f"HTTP {exchange.status}, {exchange.received} bytes, {self._elapsed_seconds:.1f} s",
                                  f"Content-Length: {exchange.header('content-length')}")
                if part)
        elif (exchange.status == 200 and self._request.method is HttpMethod.GET and exchange._sink is None
              and self._load == _LoadControl.AlwaysNetwork and exchange._cache_policy is not CachePolicy.PRIVATE):
            if exchange.header("content-encoding"):
                exchange._headers_to_save = raw_headers
            else:
                qgis_http_cache.save_response(self._request.url, raw_headers, bytes(exchange.body), self._authcfg)


def uses_proxy(url: QUrl) -> bool:
    """Return True if QGIS sends requests for ``url`` through a proxy."""
    factory = QgsNetworkAccessManager.instance().proxyFactory()
    if factory is None:
        return False
    kinds = QNetworkProxy.ProxyType
    return any(proxy.type() not in (kinds.NoProxy, kinds.DefaultProxy)
               for proxy in factory.queryProxy(QNetworkProxyQuery(url)))


#: value of Accept-Encoding in every request
ACCEPTED_ENCODINGS = "gzip, deflate"
#: bytes that are inflated at a time
_PIECE_BYTES = 1 << 20
#: a body that unpacks to more than this many times its size is refused, as in packages, once it is larger than the
#: second limit. XML shrinks to about a tenth, very repetitive documents to a fiftieth
_MAX_RATIO = 200
_SUSPECT_FROM = 20_000_000
_GZIP_START = b"\x1f\x8b"
#: what follows a member is copied for the next one, so many small ones would take forever. Honest bodies have one
_MAX_MEMBERS = 100


class BodyTooLarge(Exception):
    """The decoded body is larger than the limit, or than any honest body of its compressed size."""


class DamagedBody(Exception):
    """The body is not what its encoding promises, or it is cut off."""


def decoded_body(body: bytes, encoding: str, max_bytes: int) -> bytes:
    """Return ``body`` without its content encoding. Other encodings than those accepted leave it as it is.

    A body that its server calls compressed although it is not is returned as it is, too. Raises BodyTooLarge and
    DamagedBody.
    """
    name = encoding.strip().lower()
    if name in ("gzip", "x-gzip"):
        return _inflated(body, zlib.MAX_WBITS | 16, max_bytes) if body.startswith(_GZIP_START) else body
    if name == "deflate" and body:
        # the standard means zlib's format, some servers send the bare data
        is_zlib = body[0] & 0x0F == 8 and len(body) > 1 and (body[0] * 256 + body[1]) % 31 == 0
        return _inflated(body, zlib.MAX_WBITS if is_zlib else -zlib.MAX_WBITS, max_bytes)
    return body


def _inflated(body: bytes, window: int, max_bytes: int) -> bytes:
    limit = min(max_bytes, max(_SUSPECT_FROM, _MAX_RATIO * len(body)))
    pieces = []
    size = members = 0
    rest = body
    while rest:
        members += 1
        if members > _MAX_MEMBERS:
            raise DamagedBody(f"more than {_MAX_MEMBERS} members")
        inflater = zlib.decompressobj(window)
        while not inflater.eof:
            try:
                piece = inflater.decompress(rest, _PIECE_BYTES)
            except zlib.error as error:
                raise DamagedBody(str(error)) from error
            rest = inflater.unconsumed_tail
            size += len(piece)
            if size > limit:
                raise BodyTooLarge(f"{len(body)} bytes unpack to more than {limit}")
            pieces.append(piece)
            if not rest and not piece and not inflater.eof:
                raise DamagedBody("the compressed data are incomplete")
        # gzip allows several members one after the other (RFC 1952, 2.2), and servers send zeros after the last one
        rest = inflater.unused_data if window > zlib.MAX_WBITS and inflater.unused_data[:2] == _GZIP_START else b""
    return b"".join(pieces)
