"""The WMS services whose layers a map window shows, and a place in it: what identifying asks. Main thread only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Dict, List, Optional, Tuple

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

from ...core.errors import CartoguideError
from ...core.featureinfo.queries import MapClick
from ...core.i18n import tr
from ...core.records.model.endpoints import normalise_endpoint
from ...core.wms.dimensions.iso8601 import parse_time
from ...core.wms.dimensions.value_selection import TimeSpan
from ..credits import layer_metadata
from ..runtime.network_errors import host_of
from ..runtime.qt_time import to_utc
from ..services import service_cache

if TYPE_CHECKING:
    from qgis.gui import QgsMapCanvas


@dataclass(frozen=True)
class CanvasLayer:
    """A layer of the window: its WMS name and style, its title, whether it is drawn at its scale and moment, and the
    time of a TIME dimension that is drawn, from begin to end (UTC).
    """

    name: str
    style: str
    title: str
    drawn: bool = True
    span: Optional[TimeSpan] = None


@dataclass(frozen=True)
class CanvasService:
    """A service with layers in the window, bottom first. ``own_address``: the addresses that it advertises are not to
    be used. ``authcfg`` is its layers' (None: the one chosen for the server).
    """

    endpoint: str
    title: str
    layers: Tuple[CanvasLayer, ...] = ()
    ignore_advertised_addresses: bool = False
    authcfg: Optional[str] = None

    @property
    def titles(self) -> Dict[str, str]:
        """The layers' titles by name."""
        return {layer.name: layer.title for layer in self.layers}


def find_canvas_services(canvas: QgsMapCanvas) -> List[CanvasService]:
    """The WMS services with visible layers in the window, the topmost first."""
    found: Dict[Tuple[str, str], List[Tuple[QgsMapLayer, CanvasLayer]]] = {}
    own: Dict[Tuple[str, str], Tuple[str, bool]] = {}
    scale = canvas.scale()
    for layer in canvas.layers():
        source = _wms_source(layer)
        if source is None:
            continue
        endpoint, authcfg, own_address, pairs = source
        key = (normalise_endpoint(endpoint), authcfg)
        own.setdefault(key, (endpoint, own_address))
        drawn = bool(layer.isInScaleRange(scale)) and _is_drawn_in_time(layer, canvas.mapSettings())
        span = _requested_time(layer, canvas.mapSettings())
        for name, style in reversed(pairs):
            title = layer.name() if len(pairs) == 1 else name
            found.setdefault(key, []).append((layer, CanvasLayer(name, style, title, drawn, span)))
    asked = []
    for key, members in found.items():
        endpoint, own_address = own[key]
        title = next((str(layer.customProperty(layer_metadata.SERVICE_TITLE))
                      for layer, _ in members if layer.customProperty(layer_metadata.SERVICE_TITLE)), "")
        known = service_cache.shared().get(endpoint)
        title = known.title if known is not None and known.title else title
        # the window's layers come topmost first, a request's from the bottom up (7.3.3.3)
        layers = dict.fromkeys(layer for _, layer in reversed(members))
        asked.append(CanvasService(endpoint, title or host_of(endpoint), tuple(layers), own_address, key[1] or None))
    return asked


def _is_drawn_in_time(layer: QgsMapLayer, window: QgsMapSettings) -> bool:
    """Whether the layer is drawn at the window's moment: a daily series shows one of its layers at a time."""
    properties = layer.temporalProperties()
    if not window.isTemporal() or properties is None or not properties.isActive():
        return True
    return bool(properties.isVisibleInTemporalRange(window.temporalRange()))


def _requested_time(layer: QgsMapLayer, window: QgsMapSettings) -> Optional[TimeSpan]:
    """The time that the layer asks its service for: the window's where the Temporal Controller runs, else the one that
    was set in the layer's properties; None where it is left to the service.
    """
    uri = QgsDataSourceUri()
    uri.setEncodedUri(layer.source())
    properties = layer.temporalProperties()
    if window.isTemporal() and properties is not None and properties.isActive():
        shown = window.temporalRange()
        if shown.begin().isValid():
            begin = to_utc(shown.begin())
            return begin, to_utc(shown.end()) if shown.end().isValid() else begin
    begin_text, _, end_text = uri.param("time").partition("/")
    first, last = parse_time(begin_text), parse_time(end_text)
    return (first[0], last[0] if last else first[0]) if first else None


def _wms_source(layer: QgsMapLayer) -> Optional[Tuple[str, str, bool, List[Tuple[str, str]]]]:
    """Address, authcfg, whether advertised addresses are ignored, (name, style) pairs; None for what is no WMS."""
    if not isinstance(layer, QgsRasterLayer) or layer.providerType() != "wms":
        return None
    uri = QgsDataSourceUri()
    uri.setEncodedUri(layer.source())
    names = uri.params("layers")
    if not names or uri.hasParam("tileMatrixSet") or uri.param("type") not in ("", "wmst"):
        return None
    styles = uri.params("styles")
    styles += [""] * (len(names) - len(styles))
    # our own layers know the address of their record; QGIS keeps the one that it asks
    endpoint = str(layer.customProperty(layer_metadata.ENDPOINT) or "") or uri.param("url")
    if not endpoint.lower().startswith(("http://", "https://")):
        return None
    ignores = uri.hasParam("IgnoreGetFeatureInfoUrl")
    return endpoint, uri.param("authcfg") or uri.authConfigId(), ignores, list(zip(names, styles))


def click_at(settings: QgsMapSettings, point: QgsPointXY, project: QgsProject) -> MapClick:
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
    return MapClick(crs.authid(), point.x(), point.y(), box, size.width(), size.height(),
                    (degrees[0], degrees[1], degrees[2]), unit, bool(settings.rotation()))
