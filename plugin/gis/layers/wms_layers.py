"""Make WMS layers from plans, in a task, complete with their metadata. Layers that fail are reported.

A layer's constructor may wait for the server in a nested event loop and parses the capabilities again. Therefore it
runs in the worker, after the capabilities were put where the provider finds them. The layer is then moved to the main
thread.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Callable, Dict, Optional, Set, Tuple, Union

from qgis.core import QgsApplication, QgsDataSourceUri, QgsRasterLayer
from qgis.PyQt.QtCore import QObject

from ...core.addresses import without_secrets
from ...core.custommap.model import LayerPlan, Plan, SnapshotSource
from ...core.errors import Cancelled, CartoguideError, LoginWithheld
from ...core.i18n import tr
from ...core.text import inert
from ...core.wms.crs.codes import offers_crs
from ...core.wms.model.service import Service
from ...core.wms.requests import tile_overlap
from ...core.wms.requests.urls import url_prefix, with_parameters
from ..credits.layer_metadata import LARGEST_IMAGE, fill_metadata
from ..legends.legend_nodes import hide_legend
from ..runtime import crs_ownership, main_thread, tasks
from ..runtime.thread_pool import pool_slot_released
from ..services import map_addresses, service_cache
from ..services.service_cache import DEFAULT_STEP_SIZE, primed_qgis_cache
from . import snapshot_switch
from .blend_modes import set_blend
from .snapshot_rasters import check_raster

#: features requested by GetFeatureInfo
FEATURE_COUNT = 10
#: pixels of width and height of one GetMap, unless the service has a lower limit
MAX_IMAGE_SIDE = 4096


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

    @property
    def complete(self) -> bool:
        """True if every planned layer was made."""
        return not self.failures


def layer_uri(plan: LayerPlan) -> str:
    """Return the provider's source string for one planned layer."""
    uri = QgsDataSourceUri()
    uri.setParam("url", without_secrets(request_address(plan)))
    uri.setParamList("layers", [plan.name])
    uri.setParamList("styles", [plan.style])
    uri.setParam("format", plan.format)
    uri.setParam("crs", plan.crs)
    uri.setParam("dpiMode", "7")
    uri.setParam("featureCount", str(FEATURE_COUNT))
    # QGIS requests only the advertised extent, which cuts symbols at its edge
    uri.setParam("IgnoreReportedLayerExtents", "1")
    if plan.ignore_operation_addresses:
        uri.setParam("IgnoreGetMapUrl", "1")
        uri.setParam("IgnoreGetFeatureInfoUrl", "1")
    # limits above QGIS's own step are respected by stepWidth and stepHeight alone: see prime_qgis_cache
    if plan.max_width and plan.max_width < DEFAULT_STEP_SIZE:
        uri.setParam("maxWidth", str(_step_size(plan.max_width)))
    if plan.max_height and plan.max_height < DEFAULT_STEP_SIZE:
        uri.setParam("maxHeight", str(_step_size(plan.max_height)))
    # one image as large as the service allows: QGIS's tiles of 2000 px cut labels and symbols at every seam
    uri.setParam("stepWidth", str(_step_size(plan.max_width)))
    uri.setParam("stepHeight", str(_step_size(plan.max_height)))
    if plan.time_extent:
        # as QGIS's own dialog writes it: the provider requests the time that the Temporal Controller shows
        uri.setParam("type", "wmst")
        uri.setParam("timeDimensionExtent", plan.time_extent)
        uri.setParam("allowTemporalUpdates", "true")
        uri.setParam("temporalSource", "provider")
    if plan.authcfg:
        uri.setParam("authcfg", plan.authcfg)
    return bytes(uri.encodedUri()).decode("ascii")


def request_address(plan: LayerPlan) -> str:
    """Return the prefix that the layer requests, with the values of dimensions that QGIS does not send itself."""
    prefix = url_prefix(plan.address)
    return f"{with_parameters(prefix, dict(plan.dimension_values))}&" if plan.dimension_values else prefix


def _step_size(limit: Optional[int]) -> int:
    """Return the pixels of one side of a map tile, with room for a margin if the service has a limit."""
    return min(tile_overlap.tile_step(limit), MAX_IMAGE_SIDE) if limit else MAX_IMAGE_SIDE


def _max_image_side(limit: Optional[int]) -> int:
    """Return the pixels of one side of the largest request, margins included."""
    default_side = MAX_IMAGE_SIDE + 2 * tile_overlap.tile_margin(MAX_IMAGE_SIDE)
    return min(limit or default_side, default_side)


def start_making_layers(plan: Plan, done: Callable[[BuiltLayers], None], failed: tasks.ErrorCallback,
                        owner: Optional[QObject] = None, progress: Optional[tasks.ProgressCallback] = None,
                        cache: Optional[service_cache.ServiceCache] = None) -> tasks.Job:
    """Make the plan's layers in a task and call ``done`` on the main thread with the layers and the failures.

    ``failed`` is called only if the task as a whole fails.
    """
    service_source = cache or service_cache.shared()
    return tasks.start(tr("Creating the layers of “{title}”", title=plan.title),
                       lambda feedback: make_layers(plan, service_source, feedback), done, failed, owner, progress)


def make_layers(plan: Plan, cache: service_cache.ServiceCache, feedback: tasks.Feedback) -> BuiltLayers:
    """Make the plan's layers, for worker threads only. The layers belong to the main thread afterwards.

    Raises Cancelled. Other errors are in the result.
    """
    given = plan.layers
    settled, withheld = map_addresses.settle_addresses(given, cache, feedback)
    plan = replace(plan, layers=tuple(settled))
    live = replace(plan, layers=tuple(layer for layer in plan.layers if layer.snapshot_source is None))
    services = _fetch_services(live, cache, feedback)
    crs_ownership.claim_crs(_crs_codes(live, services) | {layer.crs for layer in plan.layers}, feedback)
    layers: Dict[int, QgsRasterLayer] = {}
    failures: Dict[int, LayerFailure] = {}
    for number, layer_plan in enumerate(plan.layers):
        if layer_plan.snapshot_source is not None:
            feedback.raise_if_cancelled()
            try:
                layers[number] = _make_snapshot_layer(layer_plan, layer_plan.snapshot_source, feedback)
            except CartoguideError as error:
                failures[number] = LayerFailure(given[number], error.with_traceback(None))
    for address in dict.fromkeys(layer.address for layer in live.layers):
        numbers = [
            number for number, layer in enumerate(plan.layers)
            if layer.address == address and layer.snapshot_source is None
        ]
        names = {plan.layers[number].name for number in numbers}
        places = {request_address(plan.layers[number]) for number in numbers}
        with primed_qgis_cache(cache, address, names, feedback, places):
            for number in numbers:
                feedback.raise_if_cancelled()
                layer_plan = plan.layers[number]
                done = len(layers) + len(failures)
                feedback.report(30 + 70 * done / len(plan.layers), layer_plan.title or layer_plan.name)
                try:
                    layers[number] = _make_live_layer(layer_plan, services[address])
                except Cancelled:
                    raise
                except CartoguideError as error:
                    failures[number] = LayerFailure(given[number], error.with_traceback(None))
    # moved only now: after a cancel the layers are deleted in the thread that they belong to
    for number, layer in layers.items():
        if plan.layers[number].snapshot_source is None:
            layer.moveToThread(QgsApplication.instance().thread())
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
    codes = {plan.crs, *(layer.crs for layer in plan.layers)}
    for layer_plan in plan.layers:
        service = services[layer_plan.address]
        layer = service.layer(layer_plan.name) if isinstance(service, Service) else None
        codes |= crs_ownership.crs_codes_of_layer(layer) if layer is not None else set()
    return codes


def _make_live_layer(plan: LayerPlan, service: Union[Service, CartoguideError]) -> QgsRasterLayer:
    if isinstance(service, CartoguideError):
        raise _missing_layer_error(plan, service)
    _check_offered(plan, service)
    options = QgsRasterLayer.LayerOptions(False)
    # a provider that finds no primed capabilities asks the server and waits: others may have the place meanwhile
    with pool_slot_released():
        layer = QgsRasterLayer(layer_uri(plan), inert(plan.title or plan.name), "wms", options)
    if not layer.isValid():
        raise CartoguideError(
            tr("QGIS could not create the layer “{layer}” of “{service}”. Refresh the service and try again.",
               layer=plan.title or plan.name, service=_service_name(plan, service)), layer_uri(plan))
    fill_metadata(layer, plan)
    layer.setCustomProperty(LARGEST_IMAGE, f"{_max_image_side(plan.max_width)}x{_max_image_side(plan.max_height)}")
    layer.setOpacity(plan.opacity)
    set_blend(layer, plan.blend)
    if map_addresses.has_legend_elsewhere(plan.name, plan.authcfg, service):
        hide_legend(layer)
    return layer


def _make_snapshot_layer(plan: LayerPlan, copy: SnapshotSource, feedback: tasks.Feedback) -> QgsRasterLayer:
    """Return the layer showing its snapshot, with the source of its live service saved in it.

    The main thread makes it: this takes no time, and the raster's CRS belongs to the thread that reads it first.
    """
    check_raster(copy.source, copy.folder)
    return main_thread.call(lambda: _make_snapshot_layer_in_main_thread(plan, copy), feedback)


def _make_snapshot_layer_in_main_thread(plan: LayerPlan, copy: SnapshotSource) -> QgsRasterLayer:
    layer = QgsRasterLayer(copy.source, inert(plan.title or plan.name), "gdal", QgsRasterLayer.LayerOptions(False))
    if not layer.isValid():
        raise CartoguideError(tr("The snapshot of “{layer}” was not found: {folder}.",
                                 layer=plan.title or plan.name, folder=copy.folder), copy.source)
    snapshot_switch.set_up_raster(layer)
    snapshot_switch.store_sources(layer, layer_uri(plan), copy)
    fill_metadata(layer, plan)
    layer.setCustomProperty(LARGEST_IMAGE, f"{_max_image_side(plan.max_width)}x{_max_image_side(plan.max_height)}")
    layer.setOpacity(plan.opacity)
    set_blend(layer, plan.blend)
    return layer


def _check_offered(plan: LayerPlan, service: Service) -> None:
    """Raise CartoguideError for a layer, style or CRS that the service does not offer.

    QGIS would accept the CRS and draw nothing, or fail without a reason for the layer.
    """
    name, title = plan.name, _service_name(plan, service)
    layer = service.layer(name)
    if layer is None:
        raise CartoguideError(tr("“{service}” no longer offers the layer “{layer}”. Choose another one in its layer "
                                 "list.", service=title, layer=name), plan.address)
    if plan.style and layer.style(plan.style) is None:
        raise CartoguideError(tr("The layer “{layer}” of “{service}” has no style “{style}”. Choose one that it "
                                 "offers.", service=title, layer=name, style=plan.style), plan.address)
    if not offers_crs(layer, plan.crs):
        raise CartoguideError(tr("The layer “{layer}” of “{service}” is not offered in {crs}. Choose another "
                                 "coordinate reference system.", service=title, layer=name, crs=plan.crs), plan.address)


def _missing_layer_error(plan: LayerPlan, error: CartoguideError) -> CartoguideError:
    """Return the service's error as an error of one of its layers."""
    text = tr("The layer “{layer}” of “{service}” is missing.", layer=plan.title or plan.name,
              service=plan.service_title or plan.address)
    return CartoguideError(f"{text} {error.user_text}", error.detail)


def _service_name(plan: LayerPlan, service: Service) -> str:
    return plan.service_title or service.title or plan.address
