"""Identifying: what lies at a place of the map window, asked of every WMS in it, each in a thread of its own."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Callable, Dict, List, Optional, Tuple

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsCsException,
    QgsDataSourceUri,
    QgsMapLayer,
    QgsMapSettings,
    QgsPointXY,
    QgsProject,
    QgsRasterLayer,
)
from qgis.PyQt.QtCore import QObject, pyqtSignal

from ..core.errors import CartoguideError
from ..core.featureinfo.asking import Click, Question, questions_for
from ..core.featureinfo.formats import best_format, second_choice
from ..core.featureinfo.model import Answer
from ..core.featureinfo.reading import read_answer
from ..core.i18n import tr
from ..core.records.links import normalise_endpoint
from ..core.wms.answers import explain_answer
from ..core.wms.model import Service
from ..core.wms.requests import feature_info_request
from . import metadata, services
from .latest import LatestThread
from .network import Limits, fetch, host_of

if TYPE_CHECKING:
    from qgis.gui import QgsMapCanvas

#: features that each layer is asked for
MOST_FEATURES = 10
#: bytes of an answer: nobody reads more of one place
_LARGEST = 8 * 1024 * 1024


@dataclass(frozen=True)
class AskedLayer:
    """A layer of the window: its WMS name and style, its title, and whether it is drawn at its scale and moment."""

    name: str
    style: str
    title: str
    drawn: bool = True


@dataclass(frozen=True)
class AskedService:
    """A service with layers in the window, bottom first. ``own_address``: the addresses that it advertises are not to
    be used. ``authcfg`` is its layers' (None: the one chosen for the server).
    """

    endpoint: str
    title: str
    layers: Tuple[AskedLayer, ...] = ()
    own_address: bool = False
    authcfg: Optional[str] = None

    @property
    def titles(self) -> Dict[str, str]:
        """The layers' titles by name."""
        return {layer.name: layer.title for layer in self.layers}


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


# -- what is in the window: main thread


def services_in(canvas: QgsMapCanvas) -> List[AskedService]:
    """The WMS services with visible layers in the window, the topmost first."""
    found: Dict[Tuple[str, str], List[Tuple[QgsMapLayer, AskedLayer]]] = {}
    own: Dict[Tuple[str, str], Tuple[str, bool]] = {}
    scale = canvas.scale()
    for layer in canvas.layers():
        source = _source(layer)
        if source is None:
            continue
        endpoint, authcfg, own_address, pairs = source
        key = (normalise_endpoint(endpoint), authcfg)
        own.setdefault(key, (endpoint, own_address))
        drawn = bool(layer.isInScaleRange(scale)) and _in_time(layer, canvas.mapSettings())
        for name, style in reversed(pairs):
            title = layer.name() if len(pairs) == 1 else name
            found.setdefault(key, []).append((layer, AskedLayer(name, style, title, drawn)))
    asked = []
    for key, members in found.items():
        endpoint, own_address = own[key]
        title = next((str(layer.customProperty(metadata.SERVICE_TITLE)) for layer, _ in members
                      if layer.customProperty(metadata.SERVICE_TITLE)), "")
        known = services.shared().get(endpoint)
        title = known.title if known is not None and known.title else title
        # the window's layers come topmost first, a request's from the bottom up (7.3.3.3)
        layers = dict.fromkeys(layer for _, layer in reversed(members))
        asked.append(AskedService(endpoint, title or host_of(endpoint), tuple(layers), own_address, key[1] or None))
    return asked


def _in_time(layer: QgsMapLayer, window: QgsMapSettings) -> bool:
    """Whether the layer is drawn at the window's moment: a daily series shows one of its layers at a time."""
    properties = layer.temporalProperties()
    if not window.isTemporal() or properties is None or not properties.isActive():
        return True
    return bool(properties.isVisibleInTemporalRange(window.temporalRange()))


def _source(layer: QgsMapLayer) -> Optional[Tuple[str, str, bool, List[Tuple[str, str]]]]:
    """Address, authcfg, whether advertised addresses are ignored, (name, style) pairs; None for what is no WMS."""
    if not isinstance(layer, QgsRasterLayer) or layer.providerType() != "wms":
        return None
    uri = QgsDataSourceUri()
    uri.setEncodedUri(layer.source())
    names = uri.params("layers")
    if not names or uri.hasParam("tileMatrixSet") or uri.hasParam("type"):
        return None
    styles = uri.params("styles")
    styles += [""] * (len(names) - len(styles))
    # our own layers know the address of their record; QGIS keeps the one that it asks
    endpoint = str(layer.customProperty(metadata.ENDPOINT) or "") or uri.param("url")
    if not endpoint.lower().startswith(("http://", "https://")):
        return None
    ignores = uri.hasParam("IgnoreGetFeatureInfoUrl")
    return endpoint, uri.param("authcfg") or uri.authConfigId(), ignores, list(zip(names, styles))


def click_at(settings: QgsMapSettings, point: QgsPointXY, project: QgsProject) -> Click:
    """The place ``point`` (in the window's CRS) as a Click. CartoguideError where it lies nowhere on earth."""
    crs = settings.destinationCrs()
    extent, size, unit = settings.visibleExtent(), settings.outputSize(), settings.mapUnitsPerPixel()
    transform = QgsCoordinateTransform(crs, QgsCoordinateReferenceSystem("EPSG:4326"), project)
    degrees = []
    for x, y in ((point.x(), point.y()), (point.x() + unit, point.y()), (point.x(), point.y() + unit)):
        try:
            there = transform.transform(QgsPointXY(x, y))
        except QgsCsException as error:
            raise CartoguideError(tr("The place lies beyond the area where {crs} is defined.",
                                     crs=crs.authid() or crs.description()), str(error)) from error
        degrees.append((there.x(), there.y()))
    box = (extent.xMinimum(), extent.yMinimum(), extent.xMaximum(), extent.yMaximum())
    return Click(crs.authid(), point.x(), point.y(), box, size.width(), size.height(),
                 (degrees[0], degrees[1], degrees[2]), unit, bool(settings.rotation()))


# -- asking: worker threads


def ask(asked: AskedService, click: Click, info_format: str, feedback: _Wanted,
        cache: Optional[services.ServiceCache] = None) -> Outcome:
    """What the service says of the place; blocks. ``info_format`` is empty for the best one on offer.

    CartoguideError says why there is no answer.
    """
    service = (cache or services.shared()).obtain(asked.endpoint, feedback)
    drawn = [(layer.name, layer.style) for layer in asked.layers if layer.drawn]
    asking = questions_for(service, drawn, click)
    info = service.operation("GetFeatureInfo")
    formats = info.formats if info is not None else ()
    notes = _notes(asked, asking.not_queryable, asking.unknown)
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


def _notes(asked: AskedService, not_queryable: Tuple[str, ...], unknown: Tuple[str, ...]) -> Tuple[str, ...]:
    titles = asked.titles
    notes = []
    if not_queryable:
        notes.append(tr("Cannot be asked: {layers}.", layers=_told(titles, not_queryable)))
    hidden = tuple(layer.name for layer in asked.layers if not layer.drawn)
    if hidden:
        notes.append(tr("Not drawn at this scale or time, so not asked: {layers}.", layers=_told(titles, hidden)))
    if unknown:
        notes.append(tr("No longer offered by the service: {layers}.", layers=_told(titles, unknown)))
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
