"""Switch layers between their live service and a snapshot of it.

It stays the same layer: id, name, opacity, blending, credit, metadata, legend, scale range and custom properties are
kept. The custom properties hold both sources, so layers of a reopened project can be switched too.
"""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import Callable, Dict, Iterable, Iterator, List, Optional, Sequence

from qgis.core import (
    Qgis,
    QgsDataProvider,
    QgsMapLayer,
    QgsMultiBandColorRenderer,
    QgsProject,
    QgsRasterLayer,
    QgsReadWriteContext,
    QgsSingleBandColorDataRenderer,
)
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QObject
from qgis.PyQt.QtXml import QDomDocument, QDomElement

from ...core.custommap.model import SnapshotSource
from ...core.errors import Cancelled, CartoguideError
from ...core.i18n import tr
from ...core.records.model.endpoints import normalise_endpoint
from ...core.snapshot.manifest import MANIFEST
from ...core.snapshot.snapshot_sources import LayerKey
from ...core.sources.identity import service_key
from ..legends.legend_nodes import has_qgis_legend, hide_legend, restore_swatches
from ..runtime import compat, main_thread, tasks
from ..runtime.drawn_source import drawn_source
from ..services import service_cache
from ..services.map_addresses import sends_login_astray, with_login_kept
from ..services.service_cache import prime_qgis_cache
from ..sources.kinds import layer_kind
from ..sources.layer_source import (
    ENDPOINT,
    LIVE_SOURCE,
    SERVICE_TITLE,
    SNAPSHOT_DATE,
    SNAPSHOT_FOLDER,
    SNAPSHOT_SOURCE,
    SOURCE,
    live_source,
    mark,
    marked_identifiers,
    service_address,
    shows_snapshot,
    source_key,
    source_of,
)
from ..sources.wms import requested_by
from .snapshot_rasters import check_raster, raster_file

#: resampling on paper, where the raster's pixels are the page's
_PRINT_RESAMPLING = "Nearest"
_SNAPSHOT_MARKS = (LIVE_SOURCE, SNAPSHOT_SOURCE, SNAPSHOT_FOLDER, SNAPSHOT_DATE)


def local_copy(layer: QgsMapLayer, project: QgsProject) -> Optional[SnapshotSource]:
    """Return the snapshot that the layer was switched to before, whether its files exist or not."""
    source = str(mark(layer, SNAPSHOT_SOURCE) or "")
    if not source:
        return None
    if shows_snapshot(layer):
        # QGIS may have found it in another place than the saved one
        file = Path(raster_file(layer.source()))
        folder = file.parent if (file.parent / MANIFEST).is_file() else file.parent.parent
        return SnapshotSource(str(layer.source()), str(folder), str(mark(layer, SNAPSHOT_DATE) or ""))
    return SnapshotSource(_from_project_path(source, project),
                          _from_project_path(str(mark(layer, SNAPSHOT_FOLDER) or ""), project),
                          str(mark(layer, SNAPSHOT_DATE) or ""))


def layer_key(layer: QgsMapLayer) -> Optional[LayerKey]:
    """Return service, layer and style, which identify the layer in a snapshot, or None for one that is in none."""
    source = source_of(layer)
    find = layer_kind(source).in_snapshot
    found = find(source) if find is not None else None
    return (normalise_endpoint(source.address), *found) if found is not None else None


def switch_to_snapshot(layer: QgsRasterLayer, copy: SnapshotSource, project: QgsProject) -> None:
    """Let ``layer`` show its snapshot. Main thread only.

    Raises CartoguideError, with the layer unchanged, if the snapshot cannot be opened.
    """
    live = live_source(layer)
    if not copy_exists(copy):
        raise CartoguideError(tr("The snapshot of “{layer}” was not found: {folder}.", layer=layer.name(),
                                 folder=copy.folder), copy.source)
    check_raster(copy.source, copy.folder)
    show_copy(layer, live, copy, project)


def show_copy(layer: QgsRasterLayer, live: str, copy: SnapshotSource, project: Optional[QgsProject] = None) -> None:
    """Let ``layer`` show a snapshot whose files were checked. ``live`` is the source of its live service.

    Raises CartoguideError, with the layer unchanged.
    """
    before = {name: layer.customProperty(name) for name in _SNAPSHOT_MARKS}
    # what is noted on the layer counts only for the source that it names, from the first moment on
    store_sources(layer, live, copy, project)
    try:
        set_source(layer, copy.source, "gdal")
    except CartoguideError:
        for name, value in before.items():
            if value is None:
                layer.removeCustomProperty(name)
            else:
                layer.setCustomProperty(name, value)
        raise


def switch_to_live(layers: Sequence[QgsRasterLayer], done: Callable[[List[CartoguideError]], None],
                   failed: tasks.ErrorCallback, owner: Optional[QObject] = None,
                   cache: Optional[service_cache.ServiceCache] = None, all_or_none: bool = False,
                   endpoints: Sequence[str] = ()) -> tasks.Job:
    """Let ``layers`` show their live services again. The services at ``endpoints`` are requested too.

    The services are requested in a job and the layers changed on the main thread. ``done`` gets the errors. Layers that
    failed stay as they were, and with ``all_or_none`` so do all the others.
    """
    service_source = cache or service_cache.shared()
    layers_by_address: Dict[str, List[QgsRasterLayer]] = {}
    for layer in layers:
        layers_by_address.setdefault(service_address(layer), []).append(layer)

    def fetch_services(feedback: tasks.Feedback) -> Dict[str, Optional[CartoguideError]]:
        errors: Dict[str, Optional[CartoguideError]] = {}
        for address in dict.fromkeys((*layers_by_address, *endpoints)):
            try:
                service_source.get_or_fetch(address, feedback, refresh=True)
                errors[address] = None
            except Cancelled:
                raise
            except CartoguideError as error:
                errors[address] = error.with_traceback(None)
        return errors

    def switch_layers(errors: Dict[str, Optional[CartoguideError]]) -> None:
        problems = [error for error in errors.values() if error is not None]
        if problems and all_or_none:
            done(problems)
            return
        for address, members in layers_by_address.items():
            if errors.get(address) is not None:
                continue
            # the provider finds the capabilities in the cache without a request
            addresses = {requested_by(live_source(layer)).address for layer in members if not sip.isdeleted(layer)}
            prime_qgis_cache(service_source, address, addresses)
            for layer in members:
                if not sip.isdeleted(layer):
                    copy = local_copy(layer, layer.project() or QgsProject.instance())
                    try:
                        if copy is not None:
                            store_sources(layer, live_source(layer), copy, layer.project() or QgsProject.instance())
                        live, service = live_source(layer), service_source.get(address)
                        if service is not None and sends_login_astray(live, service, has_qgis_legend(layer)):
                            live = with_login_kept(live)
                            layer.setCustomProperty(LIVE_SOURCE, live)
                            hide_legend(layer)
                        set_source(layer, live, "wms")
                    except CartoguideError as error:
                        problems.append(error)
        done(problems)

    return tasks.start(tr("Contacting the live services"), fetch_services, switch_layers, failed, owner)


def store_sources(layer: QgsMapLayer, live: str, copy: SnapshotSource, project: Optional[QgsProject] = None) -> None:
    """Save both sources in the layer. With a saved ``project`` the paths are relative to it where possible."""
    layer.setCustomProperty(LIVE_SOURCE, live)
    layer.setCustomProperty(SNAPSHOT_SOURCE, _to_project_path(copy.source, project))
    layer.setCustomProperty(SNAPSHOT_FOLDER, _to_project_path(copy.folder, project))
    layer.setCustomProperty(SNAPSHOT_DATE, copy.made)


def copy_exists(copy: SnapshotSource) -> bool:
    """Return whether the snapshot's raster file exists."""
    return Path(raster_file(copy.source)).is_file()


def layers_without_snapshot(project: QgsProject) -> List[QgsRasterLayer]:
    """Return the project's layers that show a snapshot whose files are missing."""
    return [layer for layer in project.mapLayers().values() if shows_snapshot(layer) and not layer.isValid()]


@contextmanager
def sharp_rendering(layers: Iterable[QgsMapLayer]) -> Iterator[None]:
    """Draw snapshots pixel by pixel within the context, for paper.

    The raster's pixels are the page's up to a fraction, which must not blur them.
    """
    shown = [layer for layer in layers if shows_snapshot(layer) and layer.isValid()]
    for layer in shown:
        layer.dataProvider().setZoomedOutResamplingMethod(compat.resampling_method(_PRINT_RESAMPLING))
    try:
        yield
    finally:
        for layer in shown:
            if not sip.isdeleted(layer):
                layer.dataProvider().setZoomedOutResamplingMethod(compat.resampling_method(SCREEN_RESAMPLING))


def _to_project_path(path: str, project: Optional[QgsProject]) -> str:
    """Return a path or source as the project writes it: relative where possible."""
    if project is None:
        return path
    if path.startswith("GPKG:"):
        file, _, table = path[len("GPKG:"):].rpartition(":")
        return f"GPKG:{project.writePath(file)}:{table}"
    return str(project.writePath(path)) if path else ""


def _from_project_path(path: str, project: QgsProject) -> str:
    """Return the path or source on this machine, the reverse of ``_to_project_path``."""
    if path.startswith("GPKG:"):
        file, _, table = path[len("GPKG:"):].rpartition(":")
        return f"GPKG:{project.readPath(file)}:{table}"
    return str(project.readPath(path)) if path else ""


#: resampling of snapshots on screens, which are coarser than the raster
SCREEN_RESAMPLING = "Average"


def set_source(layer: QgsRasterLayer, source: str, provider: str) -> None:
    """Change the layer's source. Main thread only. Raises CartoguideError, with the layer unchanged, if it cannot be.

    QGIS keeps id, name, styles, filters of the renderer, scale range, time and custom properties. What it resets is
    restored: the metadata, the legend and, from one provider to another one, the opacity.

    The capabilities of a service must be in QGIS's network cache (``primed_qgis_cache``): QGIS reads them while it
    handles events, and would request them.
    """
    before, was_temporal = drawn_source(layer), _is_temporal(layer)
    opacity, blend = layer.opacity() if layer.isValid() else None, layer.blendMode()
    metadata, name = layer.metadata().clone(), layer.name()
    largest, smallest, limited = layer.maximumScale(), layer.minimumScale(), layer.hasScaleBasedVisibility()
    options = QgsDataProvider.ProviderOptions()
    with main_thread.undisturbed():
        layer.setDataSource(source, name, provider, options, False)
        worked = layer.isValid()
        if not worked:
            layer.setDataSource(before.text, name, before.provider, options, False)
    if layer.isValid() and worked and provider != before.provider:
        if provider == "gdal":
            set_up_raster(layer)
        else:
            _set_up_images(layer)
    elif layer.isValid() and _is_temporal(layer) != was_temporal:
        # QGIS restores the style after it has read the new times
        properties = layer.temporalProperties()
        properties.setIsActive(False)
        properties.setDefaultsFromDataProviderTemporalCapabilities(layer.dataProvider().temporalCapabilities())
    if opacity is not None:
        layer.setOpacity(opacity)
    layer.setBlendMode(blend)
    layer.setMetadata(metadata)
    layer.setMaximumScale(largest)
    layer.setMinimumScale(smallest)
    layer.setScaleBasedVisibility(limited)
    restore_swatches([layer])
    layer.triggerRepaint()
    if not worked:
        service = str(mark(layer, SERVICE_TITLE) or "")
        raise CartoguideError(tr("“{layer}” of “{service}” could not be switched.", layer=name, service=service),
                              f"{provider}: {source}\n{before.text}")


def set_unavailable(layer: QgsRasterLayer, source: str, endpoint: str) -> None:
    """Let the layer stand for a map service at ``endpoint`` that does not respond, without a request. Main thread only.

    It draws nothing until ``set_source`` makes it valid, and keeps what that keeps, but for the texts of the metadata
    if they are of a service at another address. A project that is saved has it with ``source``, by which QGIS tries
    the service when the project is opened.
    """
    if layer.isValid() and drawn_source(layer).by_gdal:
        _set_up_images(layer)
    document = _layer_element(layer).ownerDocument()
    element, metadata = document.documentElement(), layer.metadata().clone()
    identifier = metadata.identifier() in marked_identifiers(layer)
    if service_key(str(mark(layer, ENDPOINT) or "")) != service_key(endpoint):
        # without an identifier all of them are written when the service responds
        identifier = False
        for clear, empty in ((metadata.setIdentifier, ""), (metadata.setAbstract, ""), (metadata.setFees, ""),
                             (metadata.setKeywords, {}), (metadata.setContacts, []), (metadata.setLinks, []),
                             (metadata.setLicenses, []), (metadata.setConstraints, [])):
            clear(empty)
        compat.set_title_and_abstract(layer, compat.layer_title(layer), "")
        element.removeChild(element.firstChildElement("abstract"))
    with main_thread.undisturbed():
        # a style more than there are layers: QGIS sees that before it requests anything
        layer.setDataSource(f"{source}&styles=", layer.name(), "wms", QgsDataProvider.ProviderOptions(), False)
    layer.setCustomProperty(ENDPOINT, endpoint)
    layer.setCustomProperty(SOURCE, source_key(layer))
    if identifier:
        metadata.setIdentifier(marked_identifiers(layer)[0])
    layer.setMetadata(metadata)
    for name, text in (("datasource", source), ("provider", "wms")):
        written = document.createElement(name)
        written.appendChild(document.createTextNode(text))
        element.replaceChild(written, element.firstChildElement(name))
    layer.customProperties().writeXml(element, document)
    described = document.createElement("resourceMetadata")
    metadata.writeMetadataXml(described, document)
    element.replaceChild(described, element.firstChildElement("resourceMetadata"))
    # QGIS writes the style of a layer that is not valid from here alone
    layer.setOriginalXmlProperties(document.toString())
    layer.triggerRepaint()


def _layer_element(layer: QgsRasterLayer) -> QDomElement:
    """Return the layer as a project has it, with the style that it had when it was valid."""
    document = QDomDocument()
    if not layer.isValid() and layer.originalXmlProperties():
        document.setContent(layer.originalXmlProperties())
    else:
        element = document.createElement("maplayer")
        document.appendChild(element)
        layer.writeLayerXml(element, document, QgsReadWriteContext())
    return document.documentElement()


def _set_up_images(layer: QgsRasterLayer) -> None:
    """Draw the images of a map service as they come."""
    layer.setRenderer(QgsSingleBandColorDataRenderer(layer.dataProvider(), 1))
    layer.setResamplingStage(Qgis.RasterResamplingStage.ResampleFilter)


def _is_temporal(layer: QgsRasterLayer) -> bool:
    provider = layer.dataProvider()
    return bool(provider is not None and provider.temporalCapabilities().hasTemporalCapabilities())


def set_up_raster(layer: QgsRasterLayer) -> None:
    """Draw the raster's colours unchanged, and smoothly if the screen is coarser than the raster."""
    provider = layer.dataProvider()
    renderer = QgsMultiBandColorRenderer(provider, 1, 2, 3)
    renderer.setAlphaBand(4)
    layer.setRenderer(renderer)
    layer.setResamplingStage(Qgis.RasterResamplingStage.Provider)
    provider.enableProviderResampling(True)
    provider.setZoomedOutResamplingMethod(compat.resampling_method(SCREEN_RESAMPLING))
