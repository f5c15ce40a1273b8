"""Changing what a layer is drawn from. It stays the same layer, which map themes and layouts refer to by its id."""

from __future__ import annotations

from qgis.core import (
    QgsDataProvider,
    QgsMultiBandColorRenderer,
    QgsRasterLayer,
    QgsReadWriteContext,
    QgsSingleBandColorDataRenderer,
)
from qgis.PyQt.QtXml import QDomDocument, QDomElement

from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.sources.identity import service_key
from ..legends.legend_nodes import restore_swatches
from ..runtime import compat, main_thread
from ..runtime.drawn_source import drawn_source
from ..sources.layer_source import ENDPOINT, SERVICE_TITLE, SOURCE, mark, marked_identifiers, source_key

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
    compat.resample_in_provider(layer, False)


def _is_temporal(layer: QgsRasterLayer) -> bool:
    provider = layer.dataProvider()
    return bool(provider is not None and provider.temporalCapabilities().hasTemporalCapabilities())


def set_up_raster(layer: QgsRasterLayer) -> None:
    """Draw the raster's colours unchanged, and smoothly if the screen is coarser than the raster."""
    provider = layer.dataProvider()
    renderer = QgsMultiBandColorRenderer(provider, 1, 2, 3)
    renderer.setAlphaBand(4)
    layer.setRenderer(renderer)
    compat.resample_in_provider(layer)
    provider.enableProviderResampling(True)
    provider.setZoomedOutResamplingMethod(compat.resampling_method(SCREEN_RESAMPLING))
