"""Servers that somebody agreed to for the layers of a foreign map: they lead no request to another server.

QGIS's providers follow redirects to any server. While such a layer lives, each request to its origin (RFC 6454) gets
Qt's ``SameOriginRedirectPolicy``, so that nothing is sent to a server that nobody agreed to. An origin that another
layer of the open project has too is left alone, and so are the requests of the plugin's own client, which decides about
redirects itself. Once a server has led from http to https on the same host, its requests are sent there at once. A
service of OGC API - Features names the address of the next page in its answer. While a layer of one is bound, pages are
requested only where a layer of the project comes from.
"""

from __future__ import annotations

import threading
from collections import Counter
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Dict, FrozenSet, Iterable, Iterator, List, Optional, Set, Tuple

from qgis.core import QgsMapLayer, QgsNetworkAccessManager, QgsNetworkReplyContent, QgsProject
from qgis.PyQt.QtCore import QObject, QUrl, pyqtSignal
from qgis.PyQt.QtNetwork import QNetworkReply, QNetworkRequest

from ..runtime.compat import enum_value
from .origin_settings import origin, origin_address, origin_from_key, upgraded_origin
from .request_preprocessors import request_preprocessor

if TYPE_CHECKING:
    from ...core.sources.layer_source import LayerSource

_Origin = Tuple[str, str, int]
_WEB = ("http", "https")
_POLICY = QNetworkRequest.Attribute.RedirectPolicyAttribute
_LOADING = QNetworkRequest.Attribute.CacheLoadControlAttribute
_FROM_CACHE = QNetworkRequest.CacheLoadControl.AlwaysCache
_SAME_ORIGIN = QNetworkRequest.RedirectPolicy.SameOriginRedirectPolicy


@dataclass(frozen=True)
class RefusedRedirect:
    """A redirect that was not followed: the origins of the server and of the one that it leads to, as addresses.

    ``target`` is "" where the server does not say it.
    """

    address: str
    target: str


class _Announcer(QObject):
    #: a RefusedRedirect, on the main thread, the first time that it is refused
    refused = pyqtSignal(object)


class _LayerSlots:
    """Methods that are called for a layer: PyQt forgets functions with the wrapper of the layer (``wrappers``)."""

    def __init__(self, layer_id: str) -> None:
        self._layer_id = layer_id

    def on_deleted(self) -> None:
        _release(self._layer_id)

    def on_source_changed(self) -> None:
        _on_source_changed(self._layer_id)


class _Registry:
    """Origins of living layers. It is changed on the main thread, and read where requests are made."""

    def __init__(self) -> None:
        #: layers that are being opened
        self.opening: Counter[_Origin] = Counter()
        #: origin and source of the bound layers, by id, and how many copies of each there are
        self.bound: Dict[str, Tuple[_Origin, str]] = {}
        self.copies: Counter[str] = Counter()
        #: origins and paths on other servers that the servers of bound layers name, by id, and those that are avoided
        self.named: Dict[str, FrozenSet[Tuple[_Origin, str]]] = {}
        self.avoided: FrozenSet[Tuple[_Origin, str]] = frozenset()
        #: ids of bound layers whose server names the addresses of further pages
        self.paged: Set[str] = set()
        #: their origins, and all from which pages are requested
        self.paging: FrozenSet[_Origin] = frozenset()
        self.pages: FrozenSet[_Origin] = frozenset()
        #: origins of pages that were not requested
        self.stopped: Set[_Origin] = set()
        #: origins of the other layers of the open project, by id
        self.others: Dict[str, _Origin] = {}
        #: origins by http whose server has led to the same host by https
        self.upgraded: Set[_Origin] = set()
        #: slots of the layers that are bound, and of those whose changes of source are followed, by id
        self.slots: Dict[str, _LayerSlots] = {}
        self.followed: Set[str] = set()
        self.refused: Dict[_Origin, RefusedRedirect] = {}
        self.refusals: Counter[_Origin] = Counter()
        #: origins that lead nowhere else
        self.guarded: FrozenSet[_Origin] = frozenset()
        self.watch = ExitStack()
        self.is_watching = False

    def slots_of(self, layer_id: str) -> _LayerSlots:
        return self.slots.setdefault(layer_id, _LayerSlots(layer_id))

    def on_finished(self, reply: QgsNetworkReplyContent) -> None:
        _note_reply(reply)

    def on_added(self, layers: Iterable[QgsMapLayer]) -> None:
        _note_added(layers)

    def on_removed(self, layer_ids: Iterable[str]) -> None:
        _forget_removed(layer_ids)


_registry = _Registry()
_announcer: Optional[_Announcer] = None
_own_request = threading.local()


def announcer() -> _Announcer:
    """Return the object that announces redirects that were refused. Main thread only."""
    global _announcer
    if _announcer is None:
        _announcer = _Announcer()
    return _announcer


@contextmanager
def own_request() -> Iterator[None]:
    """Leave the requests alone that this thread makes in the context: the caller decides about redirects."""
    _own_request.active = True
    try:
        yield
    finally:
        _own_request.active = False


def begin_opening(address: str) -> None:
    """Bind the origin of ``address`` while a layer of it is being made. Main thread only."""
    _registry.opening[origin(address)] += 1
    _update()


def end_opening(address: str) -> None:
    """End ``begin_opening``. Main thread only."""
    # one that began before the plugin was unloaded counts no more
    _registry.opening[origin(address)] = max(0, _registry.opening[origin(address)] - 1)
    _update()


def bind(layer: QgsMapLayer, others: Iterable[str] = ()) -> None:
    """Bind the origin of ``layer`` for as long as it lives, if its source is on the web. Main thread only.

    A copy with the same id counts by itself. ``others`` are addresses on other servers that its server names, for the
    legend for example: they are not requested.
    """
    from ...core.sources.kinds import kind_of

    source = _source(layer)
    address = source.address
    if origin(address)[0] not in _WEB:
        return
    layer_id = layer.id()
    _registry.bound[layer_id] = origin(address), layer.source()
    _registry.others.pop(layer_id, None)
    if others:
        _registry.named[layer_id] = frozenset((origin(other), QUrl(other).path()) for other in others)
    if kind_of(source).has_pages:
        _registry.paged.add(layer_id)
    _registry.copies[layer_id] += 1
    layer.willBeDeleted.connect(_registry.slots_of(layer_id).on_deleted)
    _follow(layer)
    _update()


def is_bound(layer: QgsMapLayer) -> bool:
    """Return whether ``layer``, or the layer of which it is a copy with the same id, is bound."""
    return layer.id() in _registry.bound


def is_guarded(address: str) -> bool:
    """Return whether a request to ``address`` may lead to no other origin. From any thread."""
    return origin(address) in _registry.guarded


def refused_redirect(layer_id: str) -> Optional[RefusedRedirect]:
    """Return where the server of a bound layer led a request that was not sent there, or None."""
    found = _registry.bound.get(layer_id)
    return _registry.refused.get(found[0]) if found is not None else None


def refusal_counts() -> Dict[_Origin, int]:
    """Return how many redirects were refused until now, to be compared by ``refused_since``."""
    return dict(_registry.refusals)


def refused_since(layers: Iterable[QgsMapLayer],
                  before: Dict[_Origin, int]) -> List[Tuple[QgsMapLayer, RefusedRedirect]]:
    """Return those of ``layers`` whose servers led a request elsewhere since ``refusal_counts`` returned ``before``."""
    found = []
    for layer in layers:
        place, _ = _registry.bound.get(layer.id(), (None, ""))
        if place is not None and _registry.refusals[place] > before.get(place, 0):
            found.append((layer, _registry.refused[place]))
    return found


def close() -> None:
    """Bind nothing any more: the plugin is unloaded. Main thread only."""
    global _registry
    former, _registry = _registry, _Registry()
    former.watch.close()
    layers = QgsProject.instance().mapLayers()
    # they outlive the plugin
    for layer_id in layers.keys() & former.slots.keys():
        layer, slots = layers[layer_id], former.slots[layer_id]
        # not bound or not followed, or another layer has got the id
        for signal, slot in ((layer.willBeDeleted, slots.on_deleted),
                             (layer.dataSourceChanged, slots.on_source_changed)):
            with suppress(TypeError):
                signal.disconnect(slot)


def _release(layer_id: str) -> None:
    if _registry.copies[layer_id] > 1:
        _registry.copies[layer_id] -= 1
        return
    _registry.copies.pop(layer_id, None)
    _registry.slots.pop(layer_id, None)
    _registry.followed.discard(layer_id)
    _registry.paged.discard(layer_id)
    _registry.named.pop(layer_id, None)
    found = _registry.bound.pop(layer_id, None)
    if found is not None:
        if all(place != found[0] for place, _ in _registry.bound.values()):
            _registry.refused.pop(found[0], None)
        _update()


def _update() -> None:
    """Begin or end the watch, and go by the layers that are there now."""
    known = _registry
    bound = {place for place, _ in known.bound.values()}.union(+known.opening)
    if bound and not known.is_watching:
        known.is_watching = True
        _begin_watch(known)
    elif not bound and known.is_watching:
        known.is_watching = False
        known.watch.close()
        known.others.clear()
    known.guarded = _with_upgrades(bound).difference(known.others.values())
    known.paging = frozenset(known.bound[layer_id][0] for layer_id in known.paged)
    allowed = _with_upgrades(bound).union(known.others.values())
    known.avoided = frozenset(named for named in frozenset().union(*known.named.values()) if named[0] not in allowed)
    known.pages = _with_upgrades(known.paging).union(known.others.values())


def _with_upgrades(places: Iterable[_Origin]) -> FrozenSet[_Origin]:
    return frozenset(places).union(filter(None, map(upgraded_origin, places)))


def _begin_watch(known: _Registry) -> None:
    known.watch.enter_context(request_preprocessor(_stay))
    finished, project = QgsNetworkAccessManager.instance().finished[QgsNetworkReplyContent], QgsProject.instance()
    for signal, slot in ((finished, known.on_finished), (project.layersAdded, known.on_added),
                         (project.layersRemoved, known.on_removed)):
        signal.connect(slot)
        known.watch.callback(signal.disconnect, slot)
    _note_added(project.mapLayers().values())


def _stay(request: QNetworkRequest) -> None:
    """Keep a request at a bound origin. In the thread of the request."""
    known, url = _registry, request.url()
    place = _place(url)
    if place in known.upgraded and place in known.guarded:
        url.setScheme("https")
        request.setUrl(url)
        place = _place(url)
    if place in known.guarded and not getattr(_own_request, "active", False):
        request.setAttribute(_POLICY, enum_value(_SAME_ORIGIN))
    elif (known.paging and place not in known.pages and b"geo+json" in bytes(request.rawHeader(b"Accept"))
          and not getattr(_own_request, "active", False)):
        known.stopped.add(place)
        _stop(request)
    elif known.avoided and (place, url.path()) in known.avoided and not getattr(_own_request, "active", False):
        _stop(request)


def _stop(request: QNetworkRequest) -> None:
    # what was never fetched is not in the cache either
    request.setAttribute(_LOADING, enum_value(_FROM_CACHE))


def _source(layer: QgsMapLayer) -> LayerSource:
    # the plugin's start needs this module, and not the readers of records that this one brings
    from ..runtime.drawn_source import drawn_source
    return drawn_source(layer)


def _place(url: QUrl) -> _Origin:
    # as ``origin``, without another reading of the address
    scheme = url.scheme()
    return scheme, url.host(), url.port(443 if scheme == "https" else 80)


def _note_reply(reply: QgsNetworkReplyContent) -> None:
    """Note a request that was not sent on. QGIS relays the replies of all threads to the main thread."""
    url, error = reply.request().url(), reply.error()
    place = _place(url)
    if error == QNetworkReply.NetworkError.ContentNotFoundError and place in _registry.stopped:
        for scheme, host, port in _registry.paging:
            _note_refusal((scheme, host, port), RefusedRedirect(origin_from_key(f"{scheme}_{host}_{port}"),
                                                                origin_address(url.toString())))
    if error != QNetworkReply.NetworkError.InsecureRedirectError or place not in _registry.guarded:
        return
    target = url.resolved(QUrl.fromEncoded(reply.rawHeader(b"Location")))
    if _place(target) == upgraded_origin(place):
        _registry.upgraded.add(place)
        for layer_id, (layer_place, _) in _registry.bound.items():
            layer = QgsProject.instance().mapLayer(layer_id)
            if layer_place == place and layer is not None:
                layer.triggerRepaint()
        return
    is_other = target.scheme() in _WEB and _place(target) != place
    _note_refusal(place, RefusedRedirect(origin_address(url.toString()),
                                         origin_address(target.toString()) if is_other else ""))


def _note_refusal(place: _Origin, refused: RefusedRedirect) -> None:
    is_new = _registry.refused.get(place) != refused
    _registry.refused[place] = refused
    _registry.refusals[place] += 1
    if is_new:
        announcer().refused.emit(refused)


def _note_added(layers: Iterable[QgsMapLayer]) -> None:
    """Note the origins of layers that are not bound. A duplicate of a bound one is as foreign."""
    project = QgsProject.instance()
    bound = (project.mapLayer(layer_id) for layer_id in _registry.bound)
    # a filter changes the source of a layer that is open
    foreign = {source for _, source in _registry.bound.values()}.union(layer.source() for layer in bound if layer)
    for layer in layers:
        if layer.id() in _registry.bound:
            continue
        if layer.source() in foreign:
            # it may outlive the layer of which it is a duplicate
            bind(layer)
            continue
        _note_other(layer)
        _follow(layer)
    _update()


def _note_other(layer: QgsMapLayer) -> None:
    place = origin(_source(layer).address)
    if place[0] in _WEB:
        _registry.others[layer.id()] = place
    else:
        _registry.others.pop(layer.id(), None)


def _follow(layer: QgsMapLayer) -> None:
    """Go by the source that a layer has later too."""
    if layer.id() not in _registry.followed:
        _registry.followed.add(layer.id())
        layer.dataSourceChanged.connect(_registry.slots_of(layer.id()).on_source_changed)


def _on_source_changed(layer_id: str) -> None:
    layer = QgsProject.instance().mapLayer(layer_id)
    if layer is None:
        return
    if layer_id not in _registry.bound:
        if _registry.is_watching:
            _note_other(layer)
    else:
        # also where it leads to a file now: it may be changed back
        place = origin(_source(layer).address)
        _registry.bound[layer_id] = place if place[0] in _WEB else _registry.bound[layer_id][0], layer.source()
    _update()


def _forget_removed(layer_ids: Iterable[str]) -> None:
    for layer_id in layer_ids:
        _registry.others.pop(layer_id, None)
        # a bound one may be put in again
        if layer_id not in _registry.bound:
            _registry.slots.pop(layer_id, None)
            _registry.followed.discard(layer_id)
    _update()
