"""Servers that somebody agreed to for the layers of a foreign map: they lead no request to another server.

QGIS's providers follow redirects to any server. While such a layer lives, each request to its origin (RFC 6454) gets
Qt's ``SameOriginRedirectPolicy``, so that nothing is sent to a server that nobody agreed to. An origin that another
layer of the open project has too is left alone, and so are the requests of the plugin's own client, which decides about
redirects itself.
"""

from __future__ import annotations

import threading
from collections import Counter
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Callable, Dict, FrozenSet, Iterable, Iterator, List, Optional, Tuple

from qgis.core import QgsMapLayer, QgsNetworkAccessManager, QgsNetworkReplyContent, QgsProject
from qgis.PyQt.QtCore import QObject, QUrl, pyqtSignal
from qgis.PyQt.QtNetwork import QNetworkReply, QNetworkRequest

from ..runtime.compat import enum_value
from .origin_settings import origin, origin_address
from .request_preprocessors import request_preprocessor

_Origin = Tuple[str, str, int]
_WEB = ("http", "https")
_POLICY = QNetworkRequest.Attribute.RedirectPolicyAttribute
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


class _Registry:
    """Origins of living layers. It is changed on the main thread, and read where requests are made."""

    def __init__(self) -> None:
        #: layers that are being opened
        self.opening: Counter[_Origin] = Counter()
        #: origin and source of the bound layers, by id, and how many copies of each there are
        self.bound: Dict[str, Tuple[_Origin, str]] = {}
        self.copies: Counter[str] = Counter()
        self.releases: Dict[str, Callable[[], None]] = {}
        #: origins of the other layers of the open project, by id
        self.others: Dict[str, _Origin] = {}
        self.refused: Dict[_Origin, RefusedRedirect] = {}
        self.refusals: Counter[_Origin] = Counter()
        #: origins that lead nowhere else
        self.guarded: FrozenSet[_Origin] = frozenset()
        self.watch = ExitStack()
        self.is_watching = False


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


def bind(layer: QgsMapLayer) -> None:
    """Bind the origin of ``layer`` for as long as it lives, if its source is on the web. Main thread only.

    A copy with the same id counts by itself.
    """
    address = _address(layer)
    if origin(address)[0] not in _WEB:
        return
    layer_id = layer.id()
    _registry.bound[layer_id] = origin(address), layer.source()
    _registry.others.pop(layer_id, None)
    _registry.copies[layer_id] += 1
    release = _registry.releases.setdefault(layer_id, partial(_release, layer_id))
    layer.willBeDeleted.connect(release)
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
    for layer_id, release in former.releases.items():
        if layer_id in layers:
            # it outlives the plugin
            layers[layer_id].willBeDeleted.disconnect(release)


def _release(layer_id: str) -> None:
    if _registry.copies[layer_id] > 1:
        _registry.copies[layer_id] -= 1
        return
    _registry.copies.pop(layer_id, None)
    _registry.releases.pop(layer_id, None)
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
    known.guarded = frozenset(bound.difference(known.others.values()))


def _begin_watch(known: _Registry) -> None:
    known.watch.enter_context(request_preprocessor(_stay))
    finished, project = QgsNetworkAccessManager.instance().finished[QgsNetworkReplyContent], QgsProject.instance()
    for signal, slot in ((finished, _on_finished), (project.layersAdded, _on_added),
                         (project.layersRemoved, _on_removed)):
        signal.connect(slot)
        known.watch.callback(signal.disconnect, slot)
    _on_added(project.mapLayers().values())


def _stay(request: QNetworkRequest) -> None:
    """Keep a request at a bound origin. In the thread of the request."""
    url = request.url()
    if _place(url) in _registry.guarded and not getattr(_own_request, "active", False):
        request.setAttribute(_POLICY, enum_value(_SAME_ORIGIN))


def _address(layer: QgsMapLayer) -> str:
    # the plugin's start needs this module, and not the readers of records that this one brings
    from ...core.audit.layer_source import read_source
    return read_source(layer.providerType() or "vectortile", layer.source()).address


def _place(url: QUrl) -> _Origin:
    # as ``origin``, without another reading of the address
    scheme = url.scheme()
    return scheme, url.host(), url.port(443 if scheme == "https" else 80)


def _on_finished(reply: QgsNetworkReplyContent) -> None:
    """Note a redirect that was refused. QGIS relays the replies of all threads to the main thread."""
    if reply.error() != QNetworkReply.NetworkError.InsecureRedirectError:
        return
    url = reply.request().url()
    place = _place(url)
    if place not in _registry.guarded:
        return
    target = url.resolved(QUrl.fromEncoded(reply.rawHeader(b"Location")))
    is_other = target.scheme() in _WEB and _place(target) != place
    refused = RefusedRedirect(origin_address(url.toString()), origin_address(target.toString()) if is_other else "")
    is_new = _registry.refused.get(place) != refused
    _registry.refused[place] = refused
    _registry.refusals[place] += 1
    if is_new:
        announcer().refused.emit(refused)


def _on_added(layers: Iterable[QgsMapLayer]) -> None:
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
        address = _address(layer)
        if origin(address)[0] in _WEB:
            _registry.others[layer.id()] = origin(address)
    _update()


def _on_removed(layer_ids: Iterable[str]) -> None:
    for layer_id in layer_ids:
        _registry.others.pop(layer_id, None)
    _update()
