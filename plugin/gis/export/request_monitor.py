"""Monitor every GetMap of a layout's export, because QGIS reports success even for a blank map.

A failed, refused, timed out, truncated or wrong response is recorded until the same request succeeds. Requests are
distinguished from those of the map canvas by their resolution, and matched to layers by name and address.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Set, Tuple, Union

from qgis.core import (
    QgsApplication,
    QgsMapLayer,
    QgsNetworkAccessManager,
    QgsNetworkReplyContent,
    QgsNetworkRequestParameters,
)
from qgis.PyQt.QtCore import QEventLoop, QTimer, QUrl
from qgis.PyQt.QtNetwork import QNetworkAccessManager, QNetworkReply, QNetworkRequest

from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.request import Response
from ...core.text import list_quoted_names
from ...core.wms.responses.image_headers import image_format
from ...core.wms.responses.response_validation import ExpectedContent, check_response
from ..network import qgis_http_cache
from ..runtime.images import image_from_bytes
from .getmap_prediction import is_own_request
from .request_matching import MonitoredLayer, match_layer, monitored_layers

_Reply = Union[QNetworkReply, QgsNetworkReplyContent]
#: seconds that an image is cached: a second attempt, or a PNG after the PDF, requests only missing images
CACHE_SECONDS = 120
#: milliseconds for events that are queued already
_SHORT_WAIT_MS = 10
_ADDRESS = re.compile(r"https?://\S+")


@dataclass(frozen=True)
class RequestFailure:
    """A request of the map that failed: its layer, the reason for the user, and the technical detail."""

    layer: MonitoredLayer
    reason: str
    detail: str


class RequestMonitor:
    """Context around an export. ``failures`` lists the requests that failed and did not succeed later."""

    def __init__(self, layers: Sequence[QgsMapLayer], dpi: float,
                 on_answer: Optional[Callable[[int], None]] = None) -> None:
        self._layers = monitored_layers(layers)
        self._dpi = dpi
        self._on_answer = on_answer
        self._failures_by_url: Dict[str, RequestFailure] = {}
        self._seen: Set[str] = set()
        self._answered: Dict[str, MonitoredLayer] = {}
        self._messages: List[str] = []

    def __enter__(self) -> RequestMonitor:
        manager = QgsNetworkAccessManager.instance()
        _finished_signal(manager).connect(self._on_finished)
        manager.finished[QgsNetworkReplyContent].connect(self._on_relayed)
        manager.requestTimedOut[QgsNetworkRequestParameters].connect(self._on_timed_out)
        QgsApplication.messageLog().messageReceived.connect(self._on_log_message)
        return self

    def __exit__(self, *_: object) -> None:
        manager = QgsNetworkAccessManager.instance()
        _finished_signal(manager).disconnect(self._on_finished)
        manager.finished[QgsNetworkReplyContent].disconnect(self._on_relayed)
        manager.requestTimedOut[QgsNetworkRequestParameters].disconnect(self._on_timed_out)
        QgsApplication.messageLog().messageReceived.disconnect(self._on_log_message)

    @property
    def answered_count(self) -> int:
        """Number of requests of the map that returned their image."""
        return len(self._answered)

    @property
    def answered_by_layer(self) -> Mapping[str, int]:
        """Numbers of the requests that returned their image, by the ids of the layers."""
        return Counter(layer.layer_id for layer in self._answered.values())

    @property
    def failures(self) -> Tuple[RequestFailure, ...]:
        """One failure for each request that did not succeed in the end."""
        return tuple(self._failures_by_url.values())

    @property
    def messages(self) -> str:
        """Log messages of QGIS's WMS provider, for the detail of an error."""
        return "\n".join(dict.fromkeys(self._messages))

    def wait_for_replies(self, milliseconds: int = 150, expected: int = 0) -> None:
        """Wait for the last replies' signals, which arrive through the event loop after the export has returned.

        The wait is short if all ``expected`` replies (0 if unknown) are here, or if no layer requests anything.
        """
        loop = QEventLoop()
        is_complete = not self._layers or 0 < expected <= self.answered_count
        QTimer.singleShot(_SHORT_WAIT_MS if is_complete else milliseconds, loop.quit)
        loop.exec()

    def cancel_requests(self) -> None:
        """Abort the pending requests of the map, so that a cancelled export returns at once."""
        for reply in QgsNetworkAccessManager.instance().findChildren(QNetworkReply):
            if not reply.isFinished() and self._layer_of(reply.url()) is not None:
                reply.abort()

    def _on_finished(self, reply: QNetworkReply) -> None:
        """Check a reply in this thread while its body is unread: the provider reads it afterwards."""
        url = reply.request().url()
        layer = None if is_own_request(reply.request()) else self._layer_of(url)
        if layer is not None:
            self._seen.add(url.toString())
            self._record_reply(layer, url, reply, _unread_body(reply))

    def _on_relayed(self, reply: QgsNetworkReplyContent) -> None:
        """Check a reply from any thread, which comes without its body, unless it was checked in this thread.

        Requests of the prefetch report their errors themselves.
        """
        url = reply.request().url()
        layer = None if is_own_request(reply.request()) else self._layer_of(url)
        if layer is not None and url.toString() not in self._seen:
            self._record_reply(layer, url, reply, None)

    def _record_reply(self, layer: MonitoredLayer, url: QUrl, reply: _Reply, body: Optional[bytes]) -> None:
        key = url.toString()
        try:
            _check_reply(reply, body)
        except CartoguideError as error:
            failure = RequestFailure(layer, error.user_text, f"{url.toDisplayString()}\n{error.detail}")
            if body is None:
                self._failures_by_url.setdefault(key, failure)
            else:
                self._failures_by_url[key] = failure
        else:
            self._failures_by_url.pop(key, None)
            self._answered[key] = layer
            if body is not None and not reply.attribute(QNetworkRequest.Attribute.SourceIsFromCacheAttribute):
                qgis_http_cache.insert_document(key, body, _media_type(reply), CACHE_SECONDS)
            if self._on_answer is not None:
                self._on_answer(self.answered_count)

    def _on_timed_out(self, parameters: QgsNetworkRequestParameters) -> None:
        url = parameters.request().url()
        layer = self._layer_of(url)
        if layer is not None:
            self._failures_by_url[url.toString()] = RequestFailure(layer, tr("The server did not respond in time."),
                                                                   url.toDisplayString())

    def _on_log_message(self, message: str, tag: str, _level: object) -> None:
        if tag != "WMS":
            return
        self._messages.append(message)
        # the provider logs images that it could not read, and draws nothing
        for address in _ADDRESS.findall(message):
            url = QUrl(address.rstrip(")]"))
            layer = self._layer_of(url)
            if layer is not None:
                self._failures_by_url.setdefault(
                    url.toString(), RequestFailure(layer, tr("The server sent an image that cannot be read."), message))

    def _layer_of(self, url: QUrl) -> Optional[MonitoredLayer]:
        return match_layer(url, self._layers, self._dpi)


def _unread_body(reply: QNetworkReply) -> Optional[bytes]:
    """Return the reply's body, or None if the provider has read it already, as it does for tiled images.

    Cached replies were checked before they were cached.
    """
    body = bytes(reply.peek(reply.bytesAvailable()))
    length = reply.header(QNetworkRequest.KnownHeaders.ContentLengthHeader)
    from_cache = reply.attribute(QNetworkRequest.Attribute.SourceIsFromCacheAttribute)
    return None if not body and (from_cache or (length is not None and int(length) > 0)) else body


def _media_type(reply: _Reply) -> str:
    return bytes(reply.rawHeader(b"Content-Type")).decode("latin-1") or "image/png"


def _finished_signal(manager: QgsNetworkAccessManager) -> Any:
    """Return Qt's signal ``finished(QNetworkReply)``, which is hidden by QGIS's signal of the same name.

    It is emitted before the body is read.
    """
    return QNetworkAccessManager.finished.__get__(manager)


def _check_reply(reply: _Reply, body: Optional[bytes]) -> None:
    """Raise CartoguideError unless the reply is a complete image.

    Without a body (None) only its headers are checked.
    """
    status = reply.attribute(QNetworkRequest.Attribute.HttpStatusCodeAttribute)
    headers = {bytes(name).decode("latin-1").lower(): bytes(value).decode("latin-1", "replace")
               for name, value in ((header, reply.rawHeader(header)) for header in reply.rawHeaderList())}
    failed = reply.error() != QNetworkReply.NetworkError.NoError
    if failed and (status is None or int(status) < 400):
        if reply.error() == QNetworkReply.NetworkError.OperationCanceledError:
            raise CartoguideError(tr("The server did not respond in time."), reply.errorString())
        raise CartoguideError(tr("The connection to the server failed."), reply.errorString())
    address = reply.request().url().toDisplayString()
    response = Response(int(status) if status is not None else 200, headers, body or b" ", address)
    if body is not None:
        check_response(response, ExpectedContent.IMAGE)
        if image_format(response.body) is None and image_from_bytes(response.body).isNull():
            raise CartoguideError(tr("The server sent an image that cannot be read."), address)
    elif response.status >= 400 or response.content_type.startswith(("text/", "application/")):
        raise CartoguideError(tr("The server sent something other than an image."),
                              f"HTTP {response.status} · {response.content_type} · {address}")


def summarise_failures(failures: Sequence[RequestFailure]) -> str:
    """Return the failures for the user: each service and reason once, with the layers that it is about."""
    layers: Dict[Tuple[str, str], List[str]] = {}
    for failure in failures:
        layers.setdefault((failure.layer.service, failure.reason), []).append(failure.layer.title)
    return "\n".join(
        tr("{layers} of “{service}”: {reason}", layers=list_quoted_names(dict.fromkeys(titles), len(titles)),
           service=service, reason=reason) for (service, reason), titles in layers.items())
