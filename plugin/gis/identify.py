"""Identifying: what lies at a place of the map window, asked of every WMS in it, each in a thread of its own."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Callable, Dict, List, Optional, Tuple

from qgis.PyQt.QtCore import QObject, pyqtSignal

from ..core.featureinfo.asking import Asking, Click, Question, Shown, questions_for
from ..core.featureinfo.formats import best_format, second_choice
from ..core.featureinfo.model import Answer
from ..core.featureinfo.reading import read_answer
from ..core.i18n import tr
from ..core.wms.addresses import parameters_of
from ..core.wms.answers import explain_answer
from ..core.wms.model import Service
from ..core.wms.requests import feature_info_request
from . import services
from .identify_window import AskedLayer, AskedService, click_at, services_in
from .latest import LatestThread
from .network import Limits, fetch

__all__ = ["AskedLayer", "AskedService", "Identification", "Outcome", "ask", "click_at", "services_in"]

#: features that each layer is asked for
MOST_FEATURES = 10
#: bytes of an answer: nobody reads more of one place
_LARGEST = 8 * 1024 * 1024


@dataclass(frozen=True)
class Outcome:
    """What a service said of a place: an answer for each request, why there is none, and what it was not asked about.

    ``format`` is the INFO_FORMAT that was asked for, ``formats`` those on offer; ``seconds`` is the time of all
    requests.
    """

    answers: Tuple[Answer, ...] = ()
    format: str = ""
    formats: Tuple[str, ...] = ()
    notes: Tuple[str, ...] = ()
    seconds: float = 0.0
    asked: bool = False
    requests: Tuple[str, ...] = field(default=(), compare=False)
    service_title: str = ""


# -- asking: worker threads


def ask(asked: AskedService, click: Click, info_format: str, feedback: _Wanted,
        cache: Optional[services.ServiceCache] = None) -> Outcome:
    """What the service says of the place; blocks. ``info_format`` is empty for the best one on offer.

    CartoguideError says why there is no answer.
    """
    service = (cache or services.shared()).obtain(asked.endpoint, feedback)
    drawn = [(layer.name, layer.style) for layer in asked.layers if layer.drawn]
    spans = {layer.name: layer.span for layer in asked.layers if layer.drawn and layer.span is not None}
    own = {name.upper(): value for name, value in parameters_of(asked.endpoint)}
    asking = questions_for(service, drawn, click, Shown(spans, own))
    info = service.operation("GetFeatureInfo")
    formats = info.formats if info is not None else ()
    notes = _notes(asked, asking)
    if not asking.questions:
        return Outcome((), "", formats, notes, service_title=service.title)
    # what was chosen may be on offer no longer
    chosen = info_format if info_format in formats else best_format(formats) or ""
    started = time.monotonic()
    answers, requests = [], []
    for question in asking.questions:
        answer, url = _answer(service, asked, question, chosen, feedback)
        other = None if info_format else second_choice(formats, chosen)
        if answer.features and not answer.has_attributes and other:
            # some services tell attributes in their pages only
            answer, url = _answer(service, asked, question, other, feedback)
            chosen = other
        answers.append(answer)
        requests.append(url)
    return Outcome(tuple(answers), chosen, formats, notes, time.monotonic() - started, True, tuple(requests),
                   service.title)


def _answer(service: Service, asked: AskedService, question: Question, info_format: str,
            feedback: _Wanted) -> Tuple[Answer, str]:
    request = feature_info_request(service, question.choices(), question.i, question.j, info_format=info_format,
                                   feature_count=MOST_FEATURES, address=asked.endpoint if asked.own_address else "")
    own = Limits.from_settings()
    response = fetch(request, limits=replace(own, max_bytes=min(own.max_bytes, _LARGEST)), feedback=feedback,
                     authcfg=asked.authcfg)
    explain_answer(response, "any")
    header = response.headers.get("content-type", "")
    return read_answer(response.body, header, info_format, question), request.url


def _notes(asked: AskedService, asking: Asking) -> Tuple[str, ...]:
    titles = asked.titles
    notes = []
    told = dict.fromkeys(pair for question in asking.questions for pair in question.dimensions)
    chosen = [f"{name} {value}" for name, value in told if (name, value) not in asking.assumed]
    if chosen:
        notes.append(tr("Asked for: {values}.", values=", ".join(chosen)))
    if asking.assumed:
        notes.append(tr("The service names no default, so this was asked for: {values}.",
                        values=", ".join(f"{name} {value}" for name, value in asking.assumed)))
    if asking.not_queryable:
        notes.append(tr("Cannot be asked: {layers}.", layers=_told(titles, asking.not_queryable)))
    hidden = (*(layer.name for layer in asked.layers if not layer.drawn), *asking.no_moment)
    if hidden:
        notes.append(tr("Not drawn at this scale or time, so not asked: {layers}.", layers=_told(titles, hidden)))
    if asking.unknown:
        notes.append(tr("No longer offered by the service: {layers}.", layers=_told(titles, asking.unknown)))
    return tuple(notes)


def _told(titles: Dict[str, str], names: Tuple[str, ...]) -> str:
    shown = [titles.get(name, name) for name in names[:6]]
    return ", ".join(shown) + (" …" if len(names) > len(shown) else "")


class _Wanted:
    """What ``fetch`` and the cache ask whether somebody still waits, in the place of a QgsFeedback."""

    def __init__(self, dropped: Callable[[], bool]) -> None:
        self.isCanceled = dropped


class Identification(QObject):
    """One click and the services that are asked about it. ``answered`` gives (number of the service, Outcome), or
    ``failed`` (number, error); a service that is asked again is told about once more.

    Each service has a thread of its own, not a task: tasks share their threads with the drawing of the map, and would
    wait until every layer of it is drawn, the one that hangs included.
    """

    answered = pyqtSignal(int, object)
    failed = pyqtSignal(int, object)

    def __init__(self, click: Click, asked: List[AskedService], parent: Optional[QObject] = None,
                 cache: Optional[services.ServiceCache] = None) -> None:
        super().__init__(parent)
        self.click, self.asked = click, asked
        self._cache = cache or services.shared()
        self._threads: Dict[int, LatestThread] = {}

    @property
    def running(self) -> bool:
        """Whether an answer may still come."""
        return any(thread.waiting for thread in self._threads.values())

    def ask(self, number: int, info_format: str = "") -> None:
        """Ask one service, anew if it is being asked already."""
        endpoint = self.asked[number].endpoint
        if self._cache.error(endpoint) is not None:
            # whoever asks again after a failure has done something about it
            self._cache.forget(endpoint)
        if number not in self._threads:
            thread = LatestThread("cartoguide-identify", partial(self._work, number), self)
            thread.answered.connect(lambda _format, outcome: self.answered.emit(number, outcome))
            thread.failed.connect(lambda _format, error: self.failed.emit(number, error))
            self._threads[number] = thread
        self._threads[number].ask(info_format)

    def cancel(self, number: int) -> None:
        """Give up one service."""
        if number in self._threads:
            self._threads[number].cancel()

    def stop(self) -> None:
        """Give up all of them, for good."""
        for thread in self._threads.values():
            thread.stop(0)

    def _work(self, number: int, info_format: str, dropped: Callable[[], bool]) -> Outcome:
        return ask(self.asked[number], self.click, info_format, _Wanted(dropped), self._cache)
