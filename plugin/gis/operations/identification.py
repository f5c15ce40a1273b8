"""Identify: the WMS services whose layers a map canvas shows, and their features at a clicked point.

Services and point are found on the main thread, the features requested in a thread for each service.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Callable, Dict, List, NamedTuple, Optional, Tuple

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsCsException,
    QgsMapLayer,
    QgsMapSettings,
    QgsPointXY,
    QgsProject,
)
from qgis.PyQt.QtCore import QObject, pyqtSignal

from ...core.addresses import is_web_address
from ...core.errors import CartoguideError
from ...core.featureinfo.features import FeatureInfoResult
from ...core.featureinfo.queries import (
    DimensionSelection,
    FeatureInfoQuery,
    MapClick,
    QueryPlan,
    best_format,
    fallback_format,
    plan_queries,
)
from ...core.featureinfo.response_reading import read_feature_info
from ...core.i18n import tr
from ...core.records.model.endpoints import normalise_endpoint
from ...core.wms.dimensions.declared_dimensions import TimeSpan
from ...core.wms.dimensions.iso8601 import parse_time
from ...core.wms.model.service import Service
from ...core.wms.requests.get_feature_info import feature_info_request
from ...core.wms.requests.urls import query_parameters
from ...core.wms.responses.response_validation import ExpectedContent, check_response
from ..network.bound_origins import is_guarded
from ..network.client import RequestLimits, fetch
from ..network.origin_settings import OriginLogin
from ..runtime.conversions import rectangle_box, to_utc
from ..runtime.drawn_source import drawn_source
from ..runtime.network_errors import host_of
from ..runtime.tasks import LatestQueryWorker
from ..services import service_cache
from ..sources.kinds import layer_kind
from ..sources.layer_kind import RequestedLayers
from ..sources.layer_source import ENDPOINT, SERVICE_TITLE, mark
from ..sources.wms import requested_by

if TYPE_CHECKING:
    from qgis.gui import QgsMapCanvas


@dataclass(frozen=True)
class CanvasLayer:
    """A layer of the canvas: its WMS name and style, its title, and whether it is drawn at its scale and time.

    ``span`` is the drawn time of a TIME dimension, from begin to end (UTC).
    """

    name: str
    style: str
    title: str
    drawn: bool = True
    span: Optional[TimeSpan] = None


@dataclass(frozen=True)
class CanvasService:
    """A service with layers in the canvas, bottom first.

    With ``ignore_advertised_addresses`` the addresses in its capabilities are not used. ``login`` is the layers' own
    (None: the one chosen for the server).
    """

    endpoint: str
    title: str
    layers: Tuple[CanvasLayer, ...] = ()
    ignore_advertised_addresses: bool = False
    login: Optional[OriginLogin] = None

    @property
    def titles(self) -> Dict[str, str]:
        """The layers' titles by name."""
        return {layer.name: layer.title for layer in self.layers}


class _QueriedSource(NamedTuple):
    """The service of a layer and the layers that it requests there."""

    endpoint: str
    requested: RequestedLayers


def find_canvas_services(canvas: QgsMapCanvas) -> List[CanvasService]:
    """Return the WMS services with visible layers in the canvas, the topmost first."""
    members: Dict[Tuple[str, Optional[OriginLogin]], List[Tuple[QgsMapLayer, CanvasLayer]]] = {}
    sources: Dict[Tuple[str, Optional[OriginLogin]], _QueriedSource] = {}
    scale = canvas.scale()
    for layer in canvas.layers():
        source = _queried_source(layer)
        if source is None:
            continue
        key = (normalise_endpoint(source.endpoint), source.requested.login)
        sources.setdefault(key, source)
        drawn = bool(layer.isInScaleRange(scale)) and _is_drawn_in_time(layer, canvas.mapSettings())
        span = _requested_time(layer, canvas.mapSettings())
        names = source.requested.names
        for name, style in reversed(list(zip(names, source.requested.styles))):
            title = layer.name() if len(names) == 1 else name
            members.setdefault(key, []).append((layer, CanvasLayer(name, style, title, drawn, span)))
    services = []
    for key, layers_of_service in members.items():
        source = sources[key]
        title = next((str(mark(layer, SERVICE_TITLE)) for layer, _ in layers_of_service
                      if mark(layer, SERVICE_TITLE)), "")
        service = service_cache.shared().get(source.endpoint)
        title = service.title if service is not None and service.title else title
        # the canvas lists its topmost layer first, a request its lowest (06-042, 7.3.3.3)
        layers = dict.fromkeys(layer for _, layer in reversed(layers_of_service))
        services.append(CanvasService(source.endpoint, title or host_of(source.endpoint), tuple(layers),
                                      source.requested.ignores_info_address, source.requested.login))
    return services


def _is_drawn_in_time(layer: QgsMapLayer, map_settings: QgsMapSettings) -> bool:
    """Return whether the layer is drawn at the canvas time: a daily series shows one of its layers at a time."""
    properties = layer.temporalProperties()
    if not map_settings.isTemporal() or properties is None or not properties.isActive():
        return True
    return bool(properties.isVisibleInTemporalRange(map_settings.temporalRange()))


def _requested_time(layer: QgsMapLayer, map_settings: QgsMapSettings) -> Optional[TimeSpan]:
    """Return the time that the layer requests from its service, or None if the service chooses it.

    This is the canvas time while the Temporal Controller is on, else the one set in the layer's properties.
    """
    provider = layer.dataProvider()
    properties = layer.temporalProperties()
    if map_settings.isTemporal() and properties is not None and properties.isActive():
        shown = map_settings.temporalRange()
        if shown.begin().isValid():
            # QGIS's start does without the module
            from ..layers.time_series import last_begun

            begin = to_utc(shown.begin())
            listed = last_begun(layer, begin)
            if listed is not None:
                return listed, listed
            return begin, to_utc(shown.end()) if shown.end().isValid() else begin
    source = provider.dataSourceUri() if provider is not None else layer.source()
    begin_text, _, end_text = requested_by(source).time.partition("/")
    first, last = parse_time(begin_text), parse_time(end_text)
    return (first[0], last[0] if last else first[0]) if first else None


def _queried_source(layer: QgsMapLayer) -> Optional[_QueriedSource]:
    """Return what is requested of a layer's service, or None for a layer whose features QGIS alone knows."""
    source = drawn_source(layer)
    find = layer_kind(source).queried
    requested = find(source) if find is not None else None
    # our own layers know the address of their record, whereas QGIS knows the one that it requests
    endpoint = str(mark(layer, ENDPOINT) or "") or (requested.address if requested is not None else "")
    return _QueriedSource(endpoint, requested) if requested is not None and is_web_address(endpoint) else None


def click_at(settings: QgsMapSettings, point: QgsPointXY, project: QgsProject) -> MapClick:
    """Return ``point`` (in the canvas CRS) as a MapClick.

    Raises CartoguideError if the point has no longitude and latitude.
    """
    crs = settings.destinationCrs()
    extent, size, unit = settings.visibleExtent(), settings.outputSize(), settings.mapUnitsPerPixel()
    transform = QgsCoordinateTransform(crs, QgsCoordinateReferenceSystem("EPSG:4326"), project)
    degrees = []
    for x, y in ((point.x(), point.y()), (point.x() + unit, point.y()), (point.x(), point.y() + unit)):
        try:
            position = transform.transform(QgsPointXY(x, y))
        except QgsCsException as error:
            raise CartoguideError(tr("The point lies outside the area where {crs} is defined.",
                                     crs=crs.authid() or crs.description()), str(error)) from error
        degrees.append((position.x(), position.y()))
    bounds = rectangle_box(extent)
    return MapClick(crs.authid(), point.x(), point.y(), bounds, size.width(), size.height(),
                    (degrees[0], degrees[1], degrees[2]), unit, bool(settings.rotation()))


__all__ = [
    "CanvasLayer", "CanvasService", "Identification", "IdentifyResult", "identify_service", "click_at",
    "find_canvas_services"
]

#: features requested of each layer
MAX_FEATURES = 10
#: bytes of a response, more than anybody reads about one point
_MAX_BYTES = 8 * 1024 * 1024


@dataclass(frozen=True)
class IdentifyResult:
    """Responses of one service for a point: an answer for each request, and notes on layers left out.

    ``format`` is the requested INFO_FORMAT, ``formats`` those on offer. ``seconds`` is the time of all requests.
    """

    answers: Tuple[FeatureInfoResult, ...] = ()
    format: str = ""
    formats: Tuple[str, ...] = ()
    notes: Tuple[str, ...] = ()
    seconds: float = 0.0
    requested: bool = False
    requests: Tuple[str, ...] = field(default=(), compare=False)
    service_title: str = ""


# -- requests, in worker threads


def identify_service(canvas_service: CanvasService, click: MapClick, info_format: str, feedback: _CancelCheck,
                     cache: Optional[service_cache.ServiceCache] = None) -> IdentifyResult:
    """Request the features at a point from one service. Blocks, for worker threads.

    ``info_format`` is empty for the best one on offer. Raises CartoguideError with the reason if the request fails, and
    Cancelled.
    """
    service = (cache or service_cache.shared()).get_or_fetch(canvas_service.endpoint, feedback)
    drawn = [(layer.name, layer.style) for layer in canvas_service.layers if layer.drawn]
    spans = {layer.name: layer.span for layer in canvas_service.layers if layer.drawn and layer.span is not None}
    dimension_values = {name.upper(): value for name, value in query_parameters(canvas_service.endpoint)}
    query_plan = plan_queries(service, drawn, click, DimensionSelection(spans, dimension_values))
    info = service.operation("GetFeatureInfo")
    formats = info.formats if info is not None else ()
    notes = _notes(canvas_service, query_plan)
    if not query_plan.queries:
        return IdentifyResult((), "", formats, notes, service_title=service.title)
    # the chosen format may no longer be on offer
    chosen = info_format if info_format in formats else best_format(formats) or ""
    started = time.monotonic()
    results, requests = [], []
    for query in query_plan.queries:
        result, url = _fetch_answer(service, canvas_service, query, chosen, feedback)
        other = None if info_format else fallback_format(formats, chosen)
        if result.features and not result.has_attributes and other:
            # some services include the attributes only in their HTML
            result, url = _fetch_answer(service, canvas_service, query, other, feedback)
            chosen = other
        results.append(result)
        requests.append(url)
        if _is_other_than_requested(result):
            notes = (*notes, tr("{host} did not respond in the requested format, {format}, or its response is "
                                "incomplete. It is shown unchanged.", host=host_of(url), format=result.format))
    return IdentifyResult(tuple(results), chosen, formats, tuple(dict.fromkeys(notes)),
                          time.monotonic() - started, True, tuple(requests), service.title)


def _fetch_answer(service: Service, canvas_service: CanvasService, query: FeatureInfoQuery, info_format: str,
                  feedback: _CancelCheck) -> Tuple[FeatureInfoResult, str]:
    request = feature_info_request(
        service, query.map_options(), query.i, query.j, info_format=info_format, feature_count=MAX_FEATURES,
        address=canvas_service.endpoint if canvas_service.ignore_advertised_addresses else "")
    response = fetch(request, limits=RequestLimits.from_settings(max_bytes=_MAX_BYTES), feedback=feedback,
                     login=canvas_service.login, stays_at_origin=is_guarded(request.url))
    # a picture cannot be shown as text, whatever else the server may send instead of the requested format
    is_text = ExpectedContent.from_media_type(info_format) is not ExpectedContent.IMAGE
    check_response(response, ExpectedContent.TEXT if is_text else ExpectedContent.ANY)
    header = response.headers.get("content-type", "")
    return read_feature_info(response.body, header, info_format, query), request.url


def _is_other_than_requested(result: FeatureInfoResult) -> bool:
    """Return whether neither features nor a page could be read from a response in a format that has them."""
    if result.features or result.is_empty:
        return False
    requested = ExpectedContent.from_media_type(result.format)
    if requested is ExpectedContent.HTML:
        return not result.html
    return requested in (ExpectedContent.JSON, ExpectedContent.XML)


def _notes(canvas_service: CanvasService, query_plan: QueryPlan) -> Tuple[str, ...]:
    titles = canvas_service.titles
    notes = []
    dimension_pairs = dict.fromkeys(pair for query in query_plan.queries for pair in query.dimensions)
    assumed = query_plan.assumed_dimensions
    chosen = [f"{name} {value}" for name, value in dimension_pairs if (name, value) not in assumed]
    if chosen:
        notes.append(tr("Requested: {values}.", values=", ".join(chosen)))
    if assumed:
        notes.append(tr("The service has no default value, so this was requested: {values}.",
                        values=", ".join(f"{name} {value}" for name, value in assumed)))
    if query_plan.not_queryable:
        notes.append(tr("Not queryable: {layers}.", layers=_title_list(titles, query_plan.not_queryable)))
    hidden = (*(layer.name for layer in canvas_service.layers if not layer.drawn), *query_plan.without_time_value)
    if hidden:
        notes.append(tr("Not drawn at this scale or time, so not queried: {layers}.",
                        layers=_title_list(titles, hidden)))
    if query_plan.unknown_layers:
        notes.append(
            tr("No longer offered by the service: {layers}.", layers=_title_list(titles, query_plan.unknown_layers)))
    return tuple(notes)


def _title_list(titles: Dict[str, str], names: Tuple[str, ...]) -> str:
    shown = [titles.get(name, name) for name in names[:6]]
    return ", ".join(shown) + (" …" if len(names) > len(shown) else "")


class _CancelCheck:
    """Cancellation check in place of a QgsFeedback, for ``fetch`` and the capabilities cache."""

    def __init__(self, is_cancelled: Callable[[], bool]) -> None:
        self.isCanceled = is_cancelled


class Identification(QObject):
    """One click and the services queried about it.

    ``answered`` gives (number of the service, IdentifyResult) and ``failed`` (number, error). Both are emitted again
    for a service that is requested again.

    Each service has a thread, not a task: tasks share their threads with the drawing of the map and would wait until
    every layer of it is drawn, including one that hangs.
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
        """True while an answer may still arrive."""
        return any(thread.pending for thread in self._threads.values())

    def request(self, number: int, info_format: str = "") -> None:
        """Request one service, again if a request is running."""
        endpoint = self.canvas_services[number].endpoint
        if self._cache.error(endpoint) is not None:
            # a repeated request after a failure: the cause may have been removed
            self._cache.forget(endpoint)
        if number not in self._threads:
            thread = LatestQueryWorker("cartoguide-identify", partial(self._identify, number), self)
            thread.result_ready.connect(lambda _format, outcome: self.answered.emit(number, outcome))
            thread.failed.connect(lambda _format, error: self.failed.emit(number, error))
            self._threads[number] = thread
        self._threads[number].submit(info_format)

    def cancel(self, number: int) -> None:
        if number in self._threads:
            self._threads[number].cancel()

    def stop(self) -> None:
        """Cancel all requests for good."""
        for thread in self._threads.values():
            thread.stop(0)

    def _identify(self, number: int, info_format: str, is_cancelled: Callable[[], bool]) -> IdentifyResult:
        return identify_service(self.canvas_services[number], self.click, info_format, _CancelCheck(is_cancelled),
                                self._cache)
