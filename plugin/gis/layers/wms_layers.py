"""Make WMS layers from plans, in a task, complete with their metadata. Layers that fail are reported.

A layer's constructor may wait for the server in a nested event loop and parses the capabilities again. Therefore it
runs in the worker, after the capabilities were put where the provider finds them. The layer is then moved to the main
thread.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import Callable, Dict, Mapping, Optional, Set, Tuple, Union

from qgis.core import Qgis, QgsApplication, QgsRasterLayer
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QObject

from ...core.custommap.model import LayerPlan, MapEntry, Plan, SnapshotSource
from ...core.errors import Cancelled, CartoguideError, LoginWithheld
from ...core.i18n import tr
from ...core.records.model.endpoints import normalise_endpoint
from ...core.sources.layer_source import WmsSource
from ...core.text import inert
from ...core.wms.crs.codes import offers_crs
from ...core.wms.dimensions.time_series import provider_extent
from ...core.wms.model.service import Service
from ..credits.layer_metadata import fill_metadata, update_metadata
from ..legends.legend_nodes import forget_legend, hide_legend, is_legend_hidden
from ..runtime import crs_ownership, main_thread, tasks
from ..runtime.thread_pool import pool_slot_released
from ..services import map_addresses, service_cache
from ..services.service_cache import primed_qgis_cache
from ..sources.layer_source import ENDPOINT, LARGEST_IMAGE, live_source, mark
from ..sources.wms import largest_image, layer_uri, moved_source, request_address
from . import snapshot_switch
from .blend_modes import set_blend
from .snapshot_rasters import check_raster
from .snapshot_switch import set_source, set_unavailable, set_up_raster

#: the method with which a layer requests the last of its times that has begun
LAST_BEGUN = Qgis.TemporalIntervalMatchMethod.FindClosestMatchToStartOfRange


@dataclass(frozen=True)
class LayerFailure:
    """A planned layer that could not be made, with an error that names the service and the layer."""

    plan: LayerPlan
    error: CartoguideError


@dataclass(frozen=True)
class BuiltLayers:
    """Result of making a plan's layers: those that were made, bottom first, and the failures."""

    layers: Tuple[Tuple[LayerPlan, QgsRasterLayer], ...]
    failures: Tuple[LayerFailure, ...] = ()
    #: logins that were not sent to where the maps come from, one for each service
    withheld: Tuple[LoginWithheld, ...] = ()


def wms_of(plan: LayerPlan) -> WmsSource:
    """Return the source of a planned layer. Raises TypeError unless it is a WMS."""
    if plan.wms is None:
        raise TypeError(plan.source)
    return plan.wms


def start_making_layers(plan: Plan, done: Callable[[BuiltLayers], None], failed: tasks.ErrorCallback,
                        owner: Optional[QObject] = None,
                        cache: Optional[service_cache.ServiceCache] = None,
                        present: Optional[Mapping[str, QgsRasterLayer]] = None) -> tasks.Job:
    """Make the plan's layers in a task and call ``done`` on the main thread with the layers and the failures.

    ``failed`` is called only if the task as a whole fails. Layers that are ``present`` already, by WMS layer name, are
    not made: their source is changed.
    """
    service_source, kept = cache or service_cache.shared(), dict(present or {})
    return tasks.start(tr("Creating the layers of “{title}”", title=plan.title),
                       lambda feedback: make_layers(plan, service_source, feedback, kept), done, failed, owner)


def make_layers(plan: Plan, cache: service_cache.ServiceCache, feedback: tasks.Feedback,
                present: Mapping[str, QgsRasterLayer] = MappingProxyType({})) -> BuiltLayers:
    """Make the plan's layers, for worker threads only. The layers belong to the main thread afterwards.

    Layers of the main thread that are ``present`` get the planned source. Raises Cancelled. Other errors are in the
    result.
    """
    given = plan.layers
    settled, withheld = map_addresses.settle_addresses(given, cache, feedback)
    plan = replace(plan, layers=tuple(settled))
    live = replace(plan, layers=tuple(layer for layer in plan.layers if layer.snapshot_source is None))
    services = _fetch_services(live, cache, feedback)
    crs_ownership.claim_crs(_crs_codes(live, services) | {wms_of(layer).crs for layer in plan.layers}, feedback)
    layers: Dict[int, QgsRasterLayer] = {}
    failures: Dict[int, LayerFailure] = {}
    for number, layer_plan in enumerate(plan.layers):
        if layer_plan.snapshot_source is not None:
            feedback.raise_if_cancelled()
            try:
                layers[number] = _make_snapshot_layer(layer_plan, layer_plan.snapshot_source, feedback,
                                                      present.get(layer_plan.name))
            except CartoguideError as error:
                failures[number] = LayerFailure(given[number], error.with_traceback(None))
    for address in dict.fromkeys(layer.address for layer in live.layers):
        numbers = [
            number for number, layer in enumerate(plan.layers)
            if layer.address == address and layer.snapshot_source is None
        ]
        names = {plan.layers[number].name for number in numbers}
        places = {request_address(wms_of(plan.layers[number])) for number in numbers}
        with primed_qgis_cache(cache, address, names, feedback, places):
            for number in numbers:
                feedback.raise_if_cancelled()
                layer_plan = plan.layers[number]
                done = len(layers) + len(failures)
                feedback.report(30 + 70 * done / len(plan.layers), layer_plan.title or layer_plan.name)
                try:
                    layers[number] = _make_live_layer(layer_plan, services[address], feedback,
                                                      present.get(layer_plan.name))
                except Cancelled:
                    raise
                except CartoguideError as error:
                    failures[number] = LayerFailure(given[number], error.with_traceback(None))
    # moved only now: after a cancel the layers are deleted in the thread that they belong to
    new = [(layer, wms_of(plan.layers[number])) for number, layer in layers.items()
           if plan.layers[number].snapshot_source is None and layer is not present.get(plan.layers[number].name)]
    for layer, _ in new:
        layer.moveToThread(QgsApplication.instance().thread())
    for layer, source in new:
        if source.time_extent:
            # a layer's times are a QObject of QGIS, which no worker thread uses (see ``main_thread``)
            main_thread.call(partial(_set_up_time, layer, source))
    return BuiltLayers(tuple((given[number], layers[number]) for number in sorted(layers)),
                       tuple(failures[number] for number in sorted(failures)), tuple(withheld))


def _fetch_services(plan: Plan, cache: service_cache.ServiceCache,
                    feedback: tasks.Feedback) -> Dict[str, Union[Service, CartoguideError]]:
    """Return every service of the plan or its error, requested in parallel."""
    addresses = list(dict.fromkeys(layer.address for layer in plan.layers))
    feedback.report(0, tr("Reading %n service(s)", n=len(addresses)))

    def fetch_service(address: str) -> Union[Service, CartoguideError]:
        try:
            return cache.get_or_fetch(address, feedback)
        except CartoguideError as error:
            return error

    with pool_slot_released(), ThreadPoolExecutor(max_workers=max(1, min(4, len(addresses)))) as pool:
        services = dict(zip(addresses, pool.map(fetch_service, addresses)))
    feedback.raise_if_cancelled()
    return services


def _crs_codes(plan: Plan, services: Dict[str, Union[Service, CartoguideError]]) -> Set[str]:
    """Return every CRS that making the layers looks up."""
    codes = {plan.crs, *(wms_of(layer).crs for layer in plan.layers)}
    for layer_plan in plan.layers:
        service = services[layer_plan.address]
        layer = service.layer(layer_plan.name) if isinstance(service, Service) else None
        codes |= crs_ownership.crs_codes_of_layer(layer) if layer is not None else set()
    return codes


def _make_live_layer(plan: LayerPlan, service: Union[Service, CartoguideError], feedback: tasks.Feedback,
                     present: Optional[QgsRasterLayer]) -> QgsRasterLayer:
    if isinstance(service, CartoguideError):
        raise _missing_layer_error(plan, service)
    _check_offered(plan, service)
    source = wms_of(plan)
    hides_legend = map_addresses.has_legend_elsewhere(source.name, source.authcfg, service)
    if present is not None and main_thread.call(lambda: _change_layer(present, plan, hides_legend), feedback):
        return present
    options = QgsRasterLayer.LayerOptions(False)
    # a provider that finds no primed capabilities asks the server and waits: others may have the place meanwhile
    with pool_slot_released():
        layer = QgsRasterLayer(layer_uri(source), inert(plan.title or plan.name), "wms", options)
    if not layer.isValid():
        raise CartoguideError(
            tr("QGIS could not create the layer “{layer}” of “{service}”. Refresh the service and try again.",
               layer=plan.title or plan.name, service=_service_name(plan, service)), layer_uri(source))
    _describe_layer(layer, plan)
    if hides_legend:
        hide_legend(layer)
    return layer


def _set_up_time(layer: QgsRasterLayer, source: WmsSource) -> None:
    if source.time_extent and provider_extent(source.time_extent)[0]:
        # whatever step somebody plays, the service offers what is requested
        layer.temporalProperties().setIntervalHandlingMethod(LAST_BEGUN)


def _describe_layer(layer: QgsRasterLayer, plan: LayerPlan) -> None:
    fill_metadata(layer, plan)
    layer.setCustomProperty(LARGEST_IMAGE, largest_image(wms_of(plan)))
    layer.setOpacity(plan.opacity)
    set_blend(layer, plan.blend)


def _change_layer(layer: QgsRasterLayer, plan: LayerPlan, hides_legend: bool) -> bool:
    """Let a layer that is there show the plan. It stays the same layer. Main thread only.

    Returns False if it was deleted meanwhile. Raises CartoguideError, with the layer as it was.
    """
    if sip.isdeleted(layer):
        return False
    source, was_drawn = wms_of(plan), layer.isValid()
    if hides_legend:
        hide_legend(layer)
    elif is_legend_hidden(layer) or snapshot_switch.layer_key(layer) != (
            normalise_endpoint(source.address), source.name, source.style):
        forget_legend(layer)
    if plan.snapshot_source is not None:
        snapshot_switch.show_copy(layer, layer_uri(source), plan.snapshot_source)
    else:
        set_source(layer, layer_uri(source), "wms")
        _set_up_time(layer, source)
    if not was_drawn:
        # the style that QGIS has kept for it may be older than the map
        layer.setOpacity(plan.opacity)
        set_blend(layer, plan.blend)
    update_metadata(layer, plan)
    layer.setCustomProperty(LARGEST_IMAGE, largest_image(source))
    return True


def let_stand(layer: QgsRasterLayer, entry: MapEntry, name: str) -> None:
    """Let a layer of a map stand for the WMS layer ``name`` of ``entry``, whose service does not respond.

    It draws nothing, so that no image of the service that it had before is on the map. Main thread only.
    """
    style = dict(zip(entry.layers, entry.styles)).get(name, "")
    former = str(mark(layer, ENDPOINT) or "")
    set_unavailable(layer, moved_source(live_source(layer), former, entry.endpoint, style, entry.format or ""),
                    entry.endpoint)


def _make_snapshot_layer(plan: LayerPlan, copy: SnapshotSource, feedback: tasks.Feedback,
                         present: Optional[QgsRasterLayer]) -> QgsRasterLayer:
    """Return the layer showing its snapshot, with the source of its live service saved in it.

    The main thread makes it: this takes no time, and the raster's CRS belongs to the thread that reads it first.
    """
    check_raster(copy.source, copy.folder)
    if present is not None and main_thread.call(lambda: _change_layer(present, plan, False), feedback):
        return present
    return main_thread.call(lambda: _make_snapshot_layer_in_main_thread(plan, copy), feedback)


def _make_snapshot_layer_in_main_thread(plan: LayerPlan, copy: SnapshotSource) -> QgsRasterLayer:
    layer = QgsRasterLayer(copy.source, inert(plan.title or plan.name), "gdal", QgsRasterLayer.LayerOptions(False))
    if not layer.isValid():
        raise CartoguideError(tr("The snapshot of “{layer}” was not found: {folder}.",
                                 layer=plan.title or plan.name, folder=copy.folder), copy.source)
    set_up_raster(layer)
    snapshot_switch.store_sources(layer, layer_uri(wms_of(plan)), copy)
    _describe_layer(layer, plan)
    return layer


def _check_offered(plan: LayerPlan, service: Service) -> None:
    """Raise CartoguideError for a layer, style or CRS that the service does not offer.

    QGIS would accept the CRS and draw nothing, or fail without a reason for the layer.
    """
    source, title = wms_of(plan), _service_name(plan, service)
    name = source.name
    layer = service.layer(name)
    if layer is None:
        raise CartoguideError(tr("“{service}” no longer offers the layer “{layer}”. Choose another one in its layer "
                                 "list.", service=title, layer=name), plan.address)
    if source.style and layer.style(source.style) is None:
        raise CartoguideError(tr("The layer “{layer}” of “{service}” has no style “{style}”. Choose one that it "
                                 "offers.", service=title, layer=name, style=source.style), plan.address)
    if not offers_crs(layer, source.crs):
        raise CartoguideError(tr("The layer “{layer}” of “{service}” is not offered in {crs}. Choose another "
                                 "coordinate reference system.", service=title, layer=name, crs=source.crs),
                              plan.address)


def _missing_layer_error(plan: LayerPlan, error: CartoguideError) -> CartoguideError:
    text = tr("The layer “{layer}” of “{service}” is missing.", layer=plan.title or plan.name,
              service=plan.service_title or plan.address)
    return CartoguideError(f"{text} {error.user_text}", error.detail)


def _service_name(plan: LayerPlan, service: Service) -> str:
    return plan.service_title or service.title or plan.address
