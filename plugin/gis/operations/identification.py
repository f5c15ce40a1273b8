"""Identifying: what lies at a place of the map window, asked of every WMS in it, each in a thread of its own."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from functools import partial
from typing import Callable, Dict, List, Optional, Tuple

from qgis.PyQt.QtCore import QObject, pyqtSignal

from ...core.featureinfo.features import FeatureInfoResult
from ...core.featureinfo.info_formats import best_format, fallback_format
from ...core.featureinfo.queries import DimensionSelection, FeatureInfoQuery, MapClick, QueryPlan, plan_queries
from ...core.featureinfo.response_reading import read_feature_info
from ...core.i18n import tr
from ...core.wms.model.service import Service
from ...core.wms.requests.get_feature_info import feature_info_request
from ...core.wms.requests.urls import query_parameters
from ...core.wms.responses.response_validation import check_response
from ..network.client import RequestLimits, fetch
from ..runtime.latest_query_worker import LatestQueryWorker
from ..services import service_cache
from .canvas_services import CanvasLayer, CanvasService, click_at, find_canvas_services

__all__ = [
    "CanvasLayer", "CanvasService", "Identification", "IdentifyResult", "identify_service", "click_at",
    "find_canvas_services"
]

#: features that each layer is asked for
MAX_FEATURES = 10
#: bytes of an answer: nobody reads more of one place
_MAX_BYTES = 8 * 1024 * 1024


@dataclass(frozen=True)
class IdentifyResult:
    """What a service said of a place: an answer for each request, why there is none, and what it was not asked about.

    ``format`` is the INFO_FORMAT that was asked for, ``formats`` those on offer; ``seconds`` is the time of all
    requests.
    """

    answers: Tuple[FeatureInfoResult, ...] = ()
    format: str = ""
    formats: Tuple[str, ...] = ()
    notes: Tuple[str, ...] = ()
    seconds: float = 0.0
    requested: bool = False
    requests: Tuple[str, ...] = field(default=(), compare=False)
    service_title: str = ""


# -- asking: worker threads


def identify_service(canvas_service: CanvasService, click: MapClick, info_format: str, feedback: _CancelCheck,
                     cache: Optional[service_cache.ServiceCache] = None) -> IdentifyResult:
    """What the service says of the place; blocks. ``info_format`` is empty for the best one on offer.

    CartoguideError says why there is no answer.
    """
    service = (cache or service_cache.shared()).get_or_fetch(canvas_service.endpoint, feedback)
    drawn = [(layer.name, layer.style) for layer in canvas_service.layers if layer.drawn]
    spans = {layer.name: layer.span for layer in canvas_service.layers if layer.drawn and layer.span is not None}
    own = {name.upper(): value for name, value in query_parameters(canvas_service.endpoint)}
    asking = plan_queries(service, drawn, click, DimensionSelection(spans, own))
    info = service.operation("GetFeatureInfo")
    formats = info.formats if info is not None else ()
    notes = _notes(canvas_service, asking)
    if not asking.queries:
        return IdentifyResult((), "", formats, notes, service_title=service.title)
    # what was chosen may be on offer no longer
    chosen = info_format if info_format in formats else best_format(formats) or ""
    started = time.monotonic()
    answers, requests = [], []
    for question in asking.queries:
        answer, url = _fetch_answer(service, canvas_service, question, chosen, feedback)
        other = None if info_format else fallback_format(formats, chosen)
        if answer.features and not answer.has_attributes and other:
            # some services tell attributes in their pages only
            answer, url = _fetch_answer(service, canvas_service, question, other, feedback)
            chosen = other
        answers.append(answer)
        requests.append(url)
    return IdentifyResult(tuple(answers), chosen, formats, notes,
                          time.monotonic() - started, True, tuple(requests), service.title)


def _fetch_answer(service: Service, canvas_service: CanvasService, question: FeatureInfoQuery, info_format: str,
                  feedback: _CancelCheck) -> Tuple[FeatureInfoResult, str]:
    request = feature_info_request(
        service, question.map_options(), question.i, question.j, info_format=info_format, feature_count=MAX_FEATURES,
        address=canvas_service.endpoint if canvas_service.ignore_advertised_addresses else "")
    response = fetch(request, limits=RequestLimits.from_settings(max_bytes=_MAX_BYTES), feedback=feedback,
                     authcfg=canvas_service.authcfg)
    check_response(response, "any")
    header = response.headers.get("content-type", "")
    return read_feature_info(response.body, header, info_format, question), request.url


def _notes(canvas_service: CanvasService, asking: QueryPlan) -> Tuple[str, ...]:
    titles = canvas_service.titles
    notes = []
    told = dict.fromkeys(pair for question in asking.queries for pair in question.dimensions)
    chosen = [f"{name} {value}" for name, value in told if (name, value) not in asking.assumed_dimensions]
    if chosen:
        notes.append(tr("Asked for: {values}.", values=", ".join(chosen)))
    if asking.assumed_dimensions:
        notes.append(
            tr("The service names no default, so this was asked for: {values}.",
               values=", ".join(f"{name} {value}" for name, value in asking.assumed_dimensions)))
    if asking.not_queryable:
        notes.append(tr("Cannot be asked: {layers}.", layers=_title_list(titles, asking.not_queryable)))
    hidden = (*(layer.name for layer in canvas_service.layers if not layer.drawn), *asking.without_time_value)
    if hidden:
        notes.append(tr("Not drawn at this scale or time, so not asked: {layers}.", layers=_title_list(titles, hidden)))
    if asking.unknown_layers:
        notes.append(
            tr("No longer offered by the service: {layers}.", layers=_title_list(titles, asking.unknown_layers)))
    return tuple(notes)


def _title_list(titles: Dict[str, str], names: Tuple[str, ...]) -> str:
    shown = [titles.get(name, name) for name in names[:6]]
    return ", ".join(shown) + (" …" if len(names) > len(shown) else "")


class _CancelCheck:
    """What ``fetch`` and the cache ask whether somebody still waits, in the place of a QgsFeedback."""

    def __init__(self, is_cancelled: Callable[[], bool]) -> None:
        self.isCanceled = is_cancelled


class Identification(QObject):
    """One click and the services that are asked about it. ``answered`` gives (number of the service, Outcome), or
    ``failed`` (number, error); a service that is asked again is told about once more.

    Each service has a thread of its own, not a task: tasks share their threads with the drawing of the map, and would
    wait until every layer of it is drawn, the one that hangs included.
    """

    answered = pyqtSignal(int, object)
    failed = pyqtSignal(int, object)

    def __init__(self, click: MapClick, canvas_services: List[CanvasService], parent: Optional[QObject] = None,
                 cache: Optional[service_cache.ServiceCache] = None) -> None:
        super().__init__(parent)
        self.click, self.canvas_services = click, canvas_services
        self._cache = cache or service_cache.shared()
        self._threads: Dict[int, LatestQueryWorker] = {}

    @property
    def running(self) -> bool:
        """Whether an answer may still come."""
        return any(thread.pending for thread in self._threads.values())

    def request(self, number: int, info_format: str = "") -> None:
        """Ask one service, anew if it is being asked already."""
        endpoint = self.canvas_services[number].endpoint
        if self._cache.error(endpoint) is not None:
            # whoever asks again after a failure has done something about it
            self._cache.forget(endpoint)
        if number not in self._threads:
            thread = LatestQueryWorker("cartoguide-identify", partial(self._identify, number), self)
            thread.answered.connect(lambda _format, outcome: self.answered.emit(number, outcome))
            thread.failed.connect(lambda _format, error: self.failed.emit(number, error))
            self._threads[number] = thread
        self._threads[number].submit(info_format)

    def cancel(self, number: int) -> None:
        """Give up one service."""
        if number in self._threads:
            self._threads[number].cancel()

    def stop(self) -> None:
        """Give up all of them, for good."""
        for thread in self._threads.values():
            thread.stop(0)

    def _identify(self, number: int, info_format: str, dropped: Callable[[], bool]) -> IdentifyResult:
        return identify_service(self.canvas_services[number], self.click, info_format, _CancelCheck(dropped),
                                self._cache)
