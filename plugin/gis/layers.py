"""Plans to QGIS layers: WMS layers made in a task, whole with their metadata; none goes missing without a word.

A layer's constructor may wait for the server in a nested event loop and parses the capabilities anew, so it runs in the
worker, after the capabilities were put where the provider finds them. The layer then moves to the main thread.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Callable, Dict, Optional, Set, Tuple, Union

from qgis.core import QgsApplication, QgsDataSourceUri, QgsRasterLayer
from qgis.PyQt.QtCore import QObject

from ..core.custommap.model import LayerPlan, LocalCopy, Plan
from ..core.errors import CartoguideError
from ..core.i18n import tr
from ..core.wms import overlap
from ..core.wms.addresses import prefix, with_parameters
from ..core.wms.crs import offers_crs
from ..core.wms.model import Service
from . import crs_home, main_thread, services, snapshot_switch, tasks
from .authentication import authcfg_for
from .metadata import LARGEST, fill_metadata
from .network import Cancelled, pool_thread_lent

#: features that GetFeatureInfo is asked for
FEATURE_COUNT = 10
#: pixels of width and height that one GetMap may ask for where the service names no limit, or a higher one
ONE_IMAGE = 4096


@dataclass(frozen=True)
class LayerFailure:
    """A planned layer that could not be made, and why: its error names the service and the layer."""

    plan: LayerPlan
    error: CartoguideError


@dataclass(frozen=True)
class Built:
    """What became of a plan: the layers that are there, bottom first, and those that are not."""

    layers: Tuple[Tuple[LayerPlan, QgsRasterLayer], ...]
    failures: Tuple[LayerFailure, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether every planned layer is there."""
        return not self.failures


def layer_uri(plan: LayerPlan) -> str:
    """The provider's source string for one planned layer."""
    uri = QgsDataSourceUri()
    uri.setParam("url", asked_address(plan))
    uri.setParamList("layers", [plan.name])
    uri.setParamList("styles", [plan.style])
    uri.setParam("format", plan.format)
    uri.setParam("crs", plan.crs)
    uri.setParam("dpiMode", "7")
    uri.setParam("featureCount", str(FEATURE_COUNT))
    # QGIS asks only for the advertised box, which cuts symbols on its edge
    uri.setParam("IgnoreReportedLayerExtents", "1")
    if plan.ignore_operation_addresses:
        uri.setParam("IgnoreGetMapUrl", "1")
        uri.setParam("IgnoreGetFeatureInfoUrl", "1")
    # limits above QGIS's own step are kept by stepWidth and stepHeight alone: see services._for_one_image
    if plan.max_width and plan.max_width < services.OWN_STEP:
        uri.setParam("maxWidth", str(_piece(plan.max_width)))
    if plan.max_height and plan.max_height < services.OWN_STEP:
        uri.setParam("maxHeight", str(_piece(plan.max_height)))
    # one image as large as the service allows: QGIS's 2000 px pieces cut labels and symbols at every seam
    uri.setParam("stepWidth", str(_piece(plan.max_width)))
    uri.setParam("stepHeight", str(_piece(plan.max_height)))
    if plan.time_extent:
        # as QGIS's own dialogue writes it: the provider asks for the moment that the Temporal Controller shows
        uri.setParam("type", "wmst")
        uri.setParam("timeDimensionExtent", plan.time_extent)
        uri.setParam("allowTemporalUpdates", "true")
        uri.setParam("temporalSource", "provider")
    authcfg = authcfg_for(plan.address)
    if authcfg:
        uri.setParam("authcfg", authcfg)
    return bytes(uri.encodedUri()).decode("ascii")


def asked_address(plan: LayerPlan) -> str:
    """The prefix that the layer asks: with the values of dimensions that QGIS does not send by itself."""
    return prefix(with_parameters(plan.address, dict(plan.values))) if plan.values else plan.address


def _piece(limit: Optional[int]) -> int:
    """Pixels of one piece of a picture, with room for a margin where the service has a limit."""
    return min(overlap.step(limit), ONE_IMAGE) if limit else ONE_IMAGE


def _largest(limit: Optional[int]) -> int:
    """Pixels that are asked for at once, margins and all."""
    most = ONE_IMAGE + 2 * overlap.margin(ONE_IMAGE)
    return min(limit or most, most)


def build_layers(plan: Plan, done: Callable[[Built], None], failed: Callable[[CartoguideError], None],
                 owner: Optional[QObject] = None, progress: Optional[Callable[[float, str], None]] = None,
                 cache: Optional[services.ServiceCache] = None) -> tasks.Job:
    """Make the plan's layers in a task; ``done`` gets what was made and what was not, on the main thread.

    ``failed`` is only called when nothing at all can be said about single layers.
    """
    known = cache or services.shared()
    return tasks.start(tr("Making the layers of “{title}”", title=plan.title),
                       lambda feedback: make_layers(plan, known, feedback), done, failed, owner, progress)


def make_layers(plan: Plan, cache: services.ServiceCache, feedback: tasks.Feedback) -> Built:
    """The plan's layers, for worker threads only; they live in the main thread afterwards."""
    live = replace(plan, layers=tuple(layer for layer in plan.layers if layer.local is None))
    found = _services(live, cache, feedback)
    crs_home.own(_codes(live, found) | {layer.crs for layer in plan.layers}, feedback)
    made: Dict[int, QgsRasterLayer] = {}
    failures: Dict[int, LayerFailure] = {}
    for number, layer_plan in enumerate(plan.layers):
        if layer_plan.local is not None:
            feedback.stop_if_cancelled()
            try:
                made[number] = _kept(layer_plan, layer_plan.local, feedback)
            except CartoguideError as error:
                failures[number] = LayerFailure(layer_plan, error.with_traceback(None))
    for address in dict.fromkeys(layer.address for layer in live.layers):
        numbers = [number for number, layer in enumerate(plan.layers)
                   if layer.address == address and layer.local is None]
        names = {plan.layers[number].name for number in numbers}
        places = {asked_address(plan.layers[number]) for number in numbers}
        with cache.primed(address, names, feedback, places):
            for number in numbers:
                feedback.stop_if_cancelled()
                layer_plan = plan.layers[number]
                done = len(made) + len(failures)
                feedback.tell(30 + 70 * done / len(plan.layers), layer_plan.title or layer_plan.name)
                try:
                    made[number] = _made(layer_plan, found[address])
                except Cancelled:
                    raise
                except CartoguideError as error:
                    failures[number] = LayerFailure(layer_plan, error.with_traceback(None))
    # moved only now: what a cancel leaves behind is deleted in the thread that it lives in
    for number, layer in made.items():
        if plan.layers[number].local is None:
            layer.moveToThread(QgsApplication.instance().thread())
    return Built(tuple((plan.layers[number], made[number]) for number in sorted(made)),
                 tuple(failures[number] for number in sorted(failures)))


def _services(plan: Plan, cache: services.ServiceCache,
              feedback: tasks.Feedback) -> Dict[str, Union[Service, CartoguideError]]:
    """Every service of the plan, or why it could not be read; all are asked at the same time."""
    addresses = list(dict.fromkeys(layer.address for layer in plan.layers))
    feedback.tell(0, tr("Reading %n service(s)", n=len(addresses)))

    def ask(address: str) -> Union[Service, CartoguideError]:
        try:
            return cache.obtain(address, feedback)
        except CartoguideError as error:
            return error

    with pool_thread_lent(), ThreadPoolExecutor(max_workers=max(1, min(4, len(addresses)))) as pool:
        found = dict(zip(addresses, pool.map(ask, addresses)))
    feedback.stop_if_cancelled()
    return found


def _codes(plan: Plan, found: Dict[str, Union[Service, CartoguideError]]) -> Set[str]:
    """Every CRS that making the layers looks up."""
    codes = {plan.crs, *(layer.crs for layer in plan.layers)}
    for layer_plan in plan.layers:
        service = found[layer_plan.address]
        layer = service.layer(layer_plan.name) if isinstance(service, Service) else None
        codes |= crs_home.codes_of(layer) if layer is not None else set()
    return codes


def _made(plan: LayerPlan, service: Union[Service, CartoguideError]) -> QgsRasterLayer:
    if isinstance(service, CartoguideError):
        raise _of_service(plan, service)
    _check(plan, service)
    options = QgsRasterLayer.LayerOptions(False)
    # a provider that finds no primed capabilities asks the server and waits: others may have the place meanwhile
    with pool_thread_lent():
        layer = QgsRasterLayer(layer_uri(plan), plan.title or plan.name, "wms", options)
    if not layer.isValid():
        raise CartoguideError(
            tr("QGIS could not make the layer “{layer}” of “{service}”. Refresh the service and try again.",
               layer=plan.title or plan.name, service=_service_name(plan, service)), layer_uri(plan))
    fill_metadata(layer, plan)
    layer.setCustomProperty(LARGEST, f"{_largest(plan.max_width)}x{_largest(plan.max_height)}")
    layer.setOpacity(plan.opacity)
    return layer


def _kept(plan: LayerPlan, copy: LocalCopy, feedback: tasks.Feedback) -> QgsRasterLayer:
    """The layer as its snapshot shows it, which knows its live service.

    Made by the main thread: it takes no time, and the raster's CRS belongs to the thread that reads it first.
    """
    return main_thread.call(lambda: _kept_here(plan, copy), feedback)


def _kept_here(plan: LayerPlan, copy: LocalCopy) -> QgsRasterLayer:
    layer = QgsRasterLayer(copy.source, plan.title or plan.name, "gdal", QgsRasterLayer.LayerOptions(False))
    if not layer.isValid():
        raise CartoguideError(tr("The snapshot of “{layer}” is not there any more: {folder}.",
                                 layer=plan.title or plan.name, folder=copy.folder), copy.source)
    snapshot_switch.prepare_raster(layer)
    fill_metadata(layer, plan)
    layer.setCustomProperty(LARGEST, f"{_largest(plan.max_width)}x{_largest(plan.max_height)}")
    layer.setOpacity(plan.opacity)
    snapshot_switch.remember(layer, layer_uri(plan), copy)
    return layer


def _check(plan: LayerPlan, service: Service) -> None:
    """Refuse what the service does not offer: QGIS would take it and draw nothing (a CRS), or not say why (a layer)."""
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


def _of_service(plan: LayerPlan, error: CartoguideError) -> CartoguideError:
    """The service's error, told of one of its layers."""
    text = tr("The layer “{layer}” of “{service}” is missing.", layer=plan.title or plan.name,
              service=plan.service_title or plan.address)
    return CartoguideError(f"{text} {error.user_text}", error.detail)


def _service_name(plan: LayerPlan, service: Service) -> str:
    return plan.service_title or service.title or plan.address
