"""States of layers, from what QGIS received when it requested their images, tiles and features for whatever purpose.

QGIS reports success for a map whose server is dead: what canvas, page and export lack is seen in the answers alone,
which the network manager announces on the main thread, whichever thread made the request (QGIS 3.22 to 3.44).

The end of a request is not always announced. QGIS neither awaits nor aborts one whose drawing is cancelled while the
request is sent: its answer is announced when the same thread draws again, or never if that thread ends before. So a
request of a thread other than the main one is awaited for as long as its drawing goes on, and no longer.
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from datetime import datetime, timezone
from enum import Enum
from functools import partial
from typing import Any, Callable, Dict, FrozenSet, Iterable, List, Mapping, Optional, Sequence, Set, Tuple

from qgis.core import (
    QgsApplication,
    QgsMapLayer,
    QgsNetworkAccessManager,
    QgsNetworkReplyContent,
    QgsNetworkRequestParameters,
    QgsVectorLayer,
)
from qgis.gui import QgsMapCanvas
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QMetaObject, QObject, pyqtSignal
from qgis.PyQt.QtNetwork import QNetworkAccessManager, QNetworkReply, QNetworkRequest

from ...core.addresses import host_and_port
from ...core.custommap.service_state import DrawnState, Progress, ReceivedParts
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.sources.kinds import kind_of
from ...core.sources.layer_source import LayerSource
from ...core.sources.source_kind import SentRequest
from ...core.wms.requests.urls import host_and_path
from ..runtime.drawn_source import drawn_source
from ..runtime.main_thread import single_shot
from ..runtime.network_errors import host_of, phrase_of_failure, phrase_without_reason
from .layer_source import drawn_parts

#: milliseconds without a request after which a round is judged, and those after which waiting is told
_ROUND_END_MS, _SLOW_MS = 150, 1000
_ADDRESS = re.compile(r"https?://[^\s\])]+")
#: of answers that are no image, in the place of one
_NO_IMAGES = re.compile(r"text/|application/([\w.-]+\+)?(xml|json)|application/vnd\.ogc\.se")
#: of pages for people, in the place of features and of tiles with data
_PAGES = re.compile(r"text/html|application/xhtml")
_Error, _Attribute = QNetworkReply.NetworkError, QNetworkRequest.Attribute
#: failures in which the server has not answered at all, so that it is none of the request's
_NO_ANSWER = (_Error.ConnectionRefusedError, _Error.HostNotFoundError)


#: the states that are followed: those of the map of each dock
_followed: List[ServiceStates] = []


def missing_causes(layer: QgsMapLayer) -> List[str]:
    """Return why a layer of the map, or a part of it, did not come when it was requested last, nothing if it did."""
    states = [followed.state(part.id()) for followed in _followed for part in drawn_parts(layer)]
    return list(dict.fromkeys(state.cause for state in states if state.is_missing))


class Viewer(Enum):
    """The places that draw the map again by themselves."""

    CANVAS = "canvas"
    PAGE = "picture of the page"


@dataclass(frozen=True)
class _Awaited:
    """A request that is under way, with the layers that it is for and those who may have sent it.

    ``thread`` is QGIS's name of the one that sent it, and ``drawing`` the number of the canvas's drawing at that time.
    """

    address: str
    layers: Sequence[str]
    viewers: FrozenSet[Viewer]
    thread: str
    drawing: int


class ServiceStates(QObject):
    """The state of each layer of the map. Main thread only.

    ``changed`` has the ids of layers with another state, or which a Viewer lacks other than before. ``recovered`` is
    emitted for layers that are drawn again, with a Viewer that lacks them still.
    """

    changed = pyqtSignal(list)
    recovered = pyqtSignal(object, list)

    def __init__(self, layers: Callable[[], Iterable[QgsMapLayer]], parent: Optional[QObject] = None) -> None:
        """``layers`` returns those of the map as it is now."""
        super().__init__(parent)
        _followed.append(self)
        self._layers = layers
        self._parts: Dict[str, ReceivedParts] = {}
        self._texts: Dict[str, str] = {}
        #: the states of layers whose images came and are not painted on the picture of the page
        self._left_out: Dict[str, DrawnState] = {}
        self._provider_errors: Dict[str, QMetaObject.Connection] = {}
        self._sources: Optional[List[Tuple[str, LayerSource]]] = None
        #: the layers of each request that is under way, and of each address that a server has led to
        self._requests: Dict[int, _Awaited] = {}
        self._redirects: Dict[str, Sequence[str]] = {}
        #: requests that are awaited no more, whose answers count if they come, and those whose answers are out of date
        self._given_up: Set[int] = set()
        self._outdated: Set[int] = set()
        self._main_thread = QgsNetworkRequestParameters(
            QNetworkAccessManager.Operation.GetOperation, QNetworkRequest(), 0).originatingThreadId()
        self._canvas: Optional[QgsMapCanvas] = None
        #: number of the drawing of the canvas that began last
        self._drawing = 0
        #: whether the picture of the page is being drawn
        self.is_page_drawn: Callable[[], bool] = lambda: False
        #: who has sent requests for a layer in its round, and who of them lacks it after this one or a former one
        self._asking: Dict[str, Set[Viewer]] = {}
        self._failing: Dict[str, Set[Viewer]] = {}
        self._lacking: Dict[Viewer, Set[str]] = {viewer: set() for viewer in Viewer}
        #: when something became of a request of a layer last
        self._answered_at: Dict[str, float] = {}
        #: the layers that failed because their server did not answer at all, by its host, and hosts that answer again
        self._silenced: Dict[str, Set[str]] = {}
        self._back: Set[str] = set()
        #: layers that the canvas could not draw in this drawing and in the last one, with QGIS's reasons
        self._errors: Dict[str, str] = {}
        self._former_errors: Set[str] = set()
        self._round_end = single_shot(self, _ROUND_END_MS, self._judge)
        self._slow = single_shot(self, _SLOW_MS, self._tell_waiting)
        manager = QgsNetworkAccessManager.instance()
        self._connections: Tuple[Tuple[Any, Callable[..., None]], ...] = (
            (manager.requestAboutToBeCreated[QgsNetworkRequestParameters], self._on_request),
            (manager.finished[QgsNetworkReplyContent], self._on_reply),
            (manager.requestTimedOut[QgsNetworkRequestParameters], self._on_time_out),
            (QgsApplication.messageLog().messageReceived, self._on_log_message))
        for signal, slot in self._connections:
            signal.connect(slot)

    def close(self) -> None:
        """Stop listening to what outlives the map."""
        if self in _followed:
            _followed.remove(self)
        for signal, slot in self._connections:
            signal.disconnect(slot)
        self._connections = ()
        for connection in self._provider_errors.values():
            QObject.disconnect(connection)
        self._provider_errors = {}
        self.follow_canvas(None)
        self._round_end.stop()
        self._slow.stop()

    def follow_canvas(self, canvas: Optional[QgsMapCanvas]) -> None:
        """Listen to the drawings of the canvas, and to its errors: some layers are drawn without QGIS's requests."""
        if self._canvas is not None and not sip.isdeleted(self._canvas):
            self._canvas.renderStarting.disconnect(self._on_canvas_drawing)
            self._canvas.renderErrorOccurred.disconnect(self._on_render_error)
            self._canvas.renderComplete.disconnect(self._on_canvas_drawn)
        self._canvas = canvas
        if canvas is not None:
            canvas.renderStarting.connect(self._on_canvas_drawing)
            canvas.renderErrorOccurred.connect(self._on_render_error)
            canvas.renderComplete.connect(self._on_canvas_drawn)

    def forget_layers(self) -> None:
        """Ask for the layers anew: the map has others, or they have other sources."""
        self._sources = None

    def forget_failures(self, layer_ids: Sequence[str]) -> None:
        """Judge layers by what comes from now on, since they are requested again."""
        for layer_id in layer_ids:
            if layer_id in self._parts:
                self._parts[layer_id].forget_failures()

    def state(self, layer_id: str) -> DrawnState:
        self._known_sources()
        parts = self._parts.get(layer_id)
        state = parts.state if parts is not None else DrawnState()
        return self._left_out.get(layer_id, state) if state.progress is Progress.DRAWN else state

    def lacking(self, viewer: Viewer) -> FrozenSet[str]:
        """Return the ids of the layers that canvas or picture lacks, or parts of them, as it was drawn last."""
        return frozenset(self._lacking[viewer])

    # -- requests

    def _known_sources(self) -> List[Tuple[str, LayerSource]]:
        if self._sources is None:
            layers = list(self._layers())
            self._sources = [(layer.id(), source) for layer in layers for source in [drawn_source(layer)]
                             if source.address and not source.by_gdal]
            texts = {layer.id(): layer.source() for layer in layers}
            for layer_id in list(self._parts):
                # what was received from a former source says nothing of another, such as a snapshot
                if self._texts[layer_id] != texts.get(layer_id):
                    del self._parts[layer_id]
                    self._left_out.pop(layer_id, None)
                    if layer_id in self._provider_errors:
                        QObject.disconnect(self._provider_errors.pop(layer_id))
            self._texts = texts
            for layer in layers:
                if layer.id() not in self._parts:
                    self._parts[layer.id()] = ReceivedParts()
                    if isinstance(layer, QgsVectorLayer):
                        self._provider_errors[layer.id()] = layer.raiseError.connect(
                            partial(self._on_error, layer.id()))
        return self._sources

    def _layers_of(self, address: str) -> Sequence[str]:
        """Return the ids of the layers of which the answer to a request is a part."""
        sources = self._known_sources()
        if not sources:
            return ()
        if address in self._redirects:
            return self._redirects[address]
        try:
            request = SentRequest.of(address)
            found = [(layer_id, source) for layer_id, source in sources if kind_of(source).draws(source, request)]
            # the names of one service's layers may be those of another's
            near = [layer_id for layer_id, source in found if host_and_path(source.address) == request.place]
        except ValueError:
            return ()
        return near or [layer_id for layer_id, _ in found]

    def _on_request(self, parameters: QgsNetworkRequestParameters) -> None:
        address = parameters.request().url().toString()
        layer_ids = self._layers_of(address)
        if not layer_ids:
            return
        viewers = self._drawing_viewers()
        self._put_aside_former(layer_ids)
        self._requests[parameters.requestId()] = _Awaited(
            address, layer_ids, viewers, parameters.originatingThreadId(), self._drawing)
        for layer_id in layer_ids:
            self._asking.setdefault(layer_id, set()).update(viewers)
            self._parts[layer_id].request(parameters.requestId(), address)
        if not self._slow.isActive():
            self._slow.start()

    def _put_aside_former(self, layer_ids: Sequence[str]) -> None:
        """Let answers to requests of former drawings say nothing more of layers that are requested again."""
        for number, former in list(self._requests.items()):
            if number in self._given_up and former.drawing != self._drawing and \
                    set(former.layers).intersection(layer_ids):
                self._given_up.discard(number)
                self._outdated.add(number)
                del self._requests[number]

    def _give_up_others(self, answered: _Awaited) -> None:
        """Await no request for the same layers by another thread than that of one that is answered.

        A drawing has one thread for each layer, and what another one sent may be announced late, in any order.
        """
        for number, other in self._requests.items():
            if other.thread != answered.thread and self._main_thread not in (other.thread, answered.thread) and \
                    set(other.layers).intersection(answered.layers):
                self._give_up(number)

    def _give_up(self, number: int) -> None:
        """Await a request no more, whose answer counts if it comes after all."""
        awaited = self._requests[number]
        if any(layer_id in self._parts and self._parts[layer_id].awaits(number) for layer_id in awaited.layers):
            self._given_up.add(number)
            for parts in self._parts_of(awaited.layers):
                parts.give_up(number)
            self._end_round_soon()

    def _is_drawn(self, awaited: _Awaited) -> bool:
        """Return whether a drawing goes on that may have sent the request."""
        former = {Viewer.CANVAS} if awaited.drawing != self._drawing else set()
        return bool(awaited.viewers & self._drawing_viewers() - former)

    def _drawing_viewers(self) -> FrozenSet[Viewer]:
        return frozenset(viewer for viewer, is_drawing in (
            (Viewer.CANVAS, self._canvas is not None and self._canvas.isDrawing()),
            (Viewer.PAGE, self.is_page_drawn())) if is_drawing)

    def _on_reply(self, reply: QgsNetworkReplyContent) -> None:
        number, error = reply.requestId(), reply.error()
        self._given_up.discard(number)
        if self._silenced and error not in (*_NO_ANSWER, _Error.OperationCanceledError):
            self._note_back(reply)
        if number in self._outdated:
            self._outdated.discard(number)
            return
        if number not in self._requests:
            if error in _NO_ANSWER:
                self._on_dead_server(reply)
            return
        awaited = self._requests[number]
        address, layer_ids = awaited.address, awaited.layers
        status = int(reply.attribute(_Attribute.HttpStatusCodeAttribute) or 0)
        if 300 <= status < 400:
            target = reply.request().url().resolved(reply.attribute(_Attribute.RedirectionTargetAttribute) or
                                                    reply.request().url())
            self._redirects[target.toString()] = layer_ids
        if error == _Error.OperationCanceledError or 300 <= status < 400:
            # a time-out is announced afterwards
            for parts in self._parts_of(layer_ids):
                parts.give_up(number)
            self._end_round_soon()
            return
        self._give_up_others(awaited)
        media_type = bytes(reply.rawHeader(b"Content-Type")).decode("latin-1").lower()
        source = next((source for layer_id, source in self._known_sources() if layer_id in layer_ids), None)
        is_image = source is not None and kind_of(source).draws_images
        is_other = bool((_NO_IMAGES if is_image else _PAGES).match(media_type))
        if error != _Error.NoError or status >= 400 or is_other:
            if error in _NO_ANSWER:
                self._note_silence(address, layer_ids)
            self._fail_request(number, phrase_of_failure(address, error, status, media_type),
                               reply.errorString() if error != _Error.NoError else media_type)
        else:
            is_stored = bool(reply.attribute(_Attribute.SourceIsFromCacheAttribute))
            for parts in self._parts_of(layer_ids):
                parts.receive(number, address, is_stored)
        self._end_round_soon()

    def _on_dead_server(self, reply: QgsNetworkReplyContent) -> None:
        """Note that a server refuses any request at all: it would not send a part of a layer either."""
        address = reply.request().url().toString()
        host = host_of(address)
        layer_ids = [layer_id for layer_id, source in self._known_sources() if host_of(source.address) == host]
        if layer_ids:
            self._note_silence(address, layer_ids)
            # the address is that of another service, or of no part of a layer
            self._fail(reply.requestId(), address, layer_ids, phrase_of_failure(address, reply.error()),
                       reply.errorString())
            self._end_round_soon()

    def _note_back(self, reply: QgsNetworkReplyContent) -> None:
        """Note that a server answers again, whatever it says."""
        host = host_of(reply.request().url().toString())
        if host in self._silenced and not reply.attribute(_Attribute.SourceIsFromCacheAttribute):
            awaited = self._requests.get(reply.requestId())
            # what it says of these is known
            self._silenced[host].difference_update(awaited.layers if awaited is not None else ())
            self._back.add(host)
            self._end_round_soon()

    def _note_silence(self, address: str, layer_ids: Iterable[str]) -> None:
        host = host_of(address)
        self._silenced.setdefault(host, set()).update(layer_ids)
        self._back.discard(host)

    def _forget_silenced(self) -> List[Tuple[Viewer, List[str]]]:
        """Let the silence of servers that answer again say nothing more of layers that were not requested since.

        Some are drawn at other scales alone, and would lack for ever. Return those that a Viewer is to draw again.
        """
        redrawn: Dict[Viewer, List[str]] = {}
        forgotten: List[str] = []
        for host in self._back:
            for layer_id in sorted(self._silenced[host]):
                parts = self._parts.get(layer_id)
                if parts is not None and (parts.is_awaited or layer_id in self._answered_at):
                    continue
                self._silenced[host].discard(layer_id)
                if parts is None or not parts.verdict.is_missing or parts.failed_host != host:
                    continue
                self._parts[layer_id] = ReceivedParts()
                forgotten.append(layer_id)
                for viewer in (viewer for viewer, lacking in self._lacking.items() if layer_id in lacking):
                    self._lacking[viewer].discard(layer_id)
                    redrawn.setdefault(viewer, []).append(layer_id)
        self._silenced = {host: left for host, left in self._silenced.items() if left}
        self._back.intersection_update(self._silenced)
        if forgotten:
            self.changed.emit(forgotten)
        return list(redrawn.items())

    def _on_time_out(self, parameters: QgsNetworkRequestParameters) -> None:
        number = parameters.requestId()
        if number in self._requests:
            self._fail_request(number, phrase_of_failure(self._requests[number].address, _Error.TimeoutError))
            self._end_round_soon()

    def _on_log_message(self, message: str, tag: str, _level: object) -> None:
        """Note images that QGIS cannot read: its provider writes them to the log alone."""
        if tag != "WMS" or not self._requests:
            return
        for address in map(str, _ADDRESS.findall(message)):
            for number, awaited in self._requests.items():
                # other failures are logged too
                if awaited.address == address and any(parts.has_received(address)
                                                      for parts in self._parts_of(awaited.layers)):
                    self._fail_request(number, tr("{host} sends an image that cannot be read", host=host_of(address)),
                                       message)

    def _fail_request(self, number: int, cause: str, detail: str = "") -> None:
        awaited = self._requests[number]
        for layer_id in awaited.layers:
            self._asking.setdefault(layer_id, set()).update(awaited.viewers)
            self._failing.setdefault(layer_id, set()).update(awaited.viewers)
        self._fail(number, awaited.address, awaited.layers, cause, f"{awaited.address}\n{detail}".strip())

    def _fail(self, number: int, address: str, layer_ids: Sequence[str], cause: str, detail: str) -> None:
        for parts in self._parts_of(layer_ids):
            parts.fail(number, address, cause, detail)

    def _parts_of(self, layer_ids: Iterable[str]) -> List[ReceivedParts]:
        """Return what was received of layers whose round goes on."""
        now = time.monotonic()
        self._answered_at.update(dict.fromkeys(layer_ids, now))
        return [self._parts[layer_id] for layer_id in layer_ids if layer_id in self._parts]

    def note_images(self, viewer: Viewer, layer_id: str, failures: Mapping[str, Tuple[str, str]]) -> None:
        """Note what came of the images of a layer that a Viewer has fetched and judged itself.

        ``failures`` are causes and details by address. A cause that is known from the answers stays.
        """
        self._known_sources()
        if layer_id not in self._parts:
            return
        self._left_out.pop(layer_id, None)
        self._asking.setdefault(layer_id, set()).add(viewer)
        if failures:
            self._failing.setdefault(layer_id, set()).add(viewer)
        for parts in self._parts_of([layer_id]):
            for address, (cause, detail) in failures.items():
                if not parts.has_failed(address):
                    parts.fail(0, address, cause, f"{address}\n{detail}".strip())
        self._end_round_soon()

    def note_left_out(self, viewer: Viewer, layer_id: str, error: CartoguideError) -> None:
        """Note that a Viewer does not show a layer although its images came, until it fetches them again."""
        self._known_sources()
        if layer_id not in self._parts:
            return
        self._left_out[layer_id] = DrawnState(Progress.PARTLY, datetime.now(timezone.utc),
                                              error.user_text.split("\n")[0].rstrip("."), error.detail)
        for noted in (self._asking, self._failing):
            noted.setdefault(layer_id, set()).add(viewer)
        self._parts_of([layer_id])
        self._end_round_soon()

    # -- errors of the canvas and of providers

    def _on_canvas_drawing(self) -> None:
        self._drawing += 1

    def _on_render_error(self, error: str, layer: Optional[QgsMapLayer]) -> None:
        if layer is not None:
            self._errors[layer.id()] = error

    def _on_canvas_drawn(self, _painter: object) -> None:
        errors, self._errors = self._errors, {}
        if not errors and not self._former_errors:
            return
        self._known_sources()
        for layer_id in self._former_errors - errors.keys():
            for parts in self._parts_of([layer_id]):
                parts.receive(0, "")
        for layer_id, text in errors.items():
            self._fail_by_provider(layer_id, text)
        self._former_errors = set(errors)
        self._end_round_soon()

    def _on_error(self, layer_id: str, text: str) -> None:
        self._fail_by_provider(layer_id, text)
        self._end_round_soon()

    def _fail_by_provider(self, layer_id: str, text: str) -> None:
        """Note what QGIS says of a layer. A cause that is known from the answers stays, and none is an address.

        The canvas says it when all of its layers are drawn: the picture of the page may have been judged meanwhile.
        """
        address = next(iter(_ADDRESS.findall(text)), "")
        host = host_and_port(address)
        for parts in self._parts_of([layer_id]):
            if parts.has_failed(address):
                continue
            cause, detail = phrase_without_reason(address) if address else text.split("\n")[0].rstrip("."), text
            if host and parts.verdict.is_missing and parts.failed_host == host:
                cause, detail = parts.verdict.cause, parts.verdict.detail
            parts.fail(0, "", cause, detail, host)

    # -- rounds

    def judge_now(self) -> None:
        """Judge what has been answered so far, without waiting for more."""
        self._answered_at = dict.fromkeys(self._answered_at, 0.0)
        self._judge()

    def _end_round_soon(self) -> None:
        # answers that come one after the other do not put it off: other layers wait for it
        if not self._round_end.isActive():
            self._round_end.start()

    def _tell_waiting(self) -> None:
        drawn: Set[str] = set()
        for number, awaited in self._requests.items():
            if self._is_drawn(awaited):
                drawn.update(awaited.layers)
            elif awaited.thread != self._main_thread:
                self._give_up(number)
        # what a snapshot or an export requests is shown all the same
        other = [layer_id for layer_id, parts in self._parts.items()
                 if parts.is_slow is not (parts.is_awaited and layer_id in drawn)]
        for layer_id in other:
            self._parts[layer_id].is_slow ^= True
        if other:
            self.changed.emit(other)
        if any(parts.is_awaited for parts in self._parts.values()):
            self._slow.start()

    def _judge(self) -> None:
        """Judge the layers of which no answer is awaited any more."""
        now, quiet = datetime.now(timezone.utc), time.monotonic() - _ROUND_END_MS / 2000
        changed: List[str] = []
        recovered: List[str] = []
        for layer_id in list(self._answered_at):
            parts = self._parts.get(layer_id)
            if parts is None:
                del self._answered_at[layer_id]
                continue
            if parts.is_awaited:
                # the last answer begins the timer again
                continue
            if self._answered_at[layer_id] > quiet:
                self._end_round_soon()
                continue
            del self._answered_at[layer_id]
            former, verdict = parts.state, parts.verdict
            parts.close(now)
            failing = self._failing.pop(layer_id, set())
            for viewer in self._asking.pop(layer_id, set()):
                if (viewer in failing) is not (layer_id in self._lacking[viewer]):
                    self._lacking[viewer] ^= {layer_id}
                    changed.append(layer_id)
            if parts.state != former:
                changed.append(layer_id)
            if verdict.is_missing and parts.verdict.progress is Progress.DRAWN:
                recovered.append(layer_id)
        self._requests = {number: awaited for number, awaited in self._requests.items() if any(
            layer_id in self._answered_at or (layer_id in self._parts and (
                number in self._given_up or self._parts[layer_id].is_awaited)) for layer_id in awaited.layers)}
        self._given_up.intersection_update(self._requests)
        if not self._requests.keys() - self._given_up:
            self._redirects.clear()
            self._slow.stop()
        if changed:
            self.changed.emit(changed)
        again = [(viewer, [layer_id for layer_id in recovered if layer_id in lacking])
                 for viewer, lacking in self._lacking.items()]
        for viewer, layer_ids in (*again, *self._forget_silenced()):
            if layer_ids:
                self.recovered.emit(viewer, layer_ids)
