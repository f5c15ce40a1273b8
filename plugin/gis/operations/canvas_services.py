"""The WMS services whose layers a map canvas shows, and a clicked point: the input of identifying. Main thread only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Dict, List, NamedTuple, Optional, Tuple

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
from ...core.wms.dimensions.declared_dimensions import TimeSpan
from ...core.wms.dimensions.iso8601 import parse_time
from ..credits import layer_metadata
from ..network.origin_settings import OriginLogin, origin_address
from ..runtime.conversions import rectangle_bounds, to_utc
from ..runtime.network_errors import host_of
from ..services import service_cache

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


class _WmsSource(NamedTuple):
    """Source of a WMS layer, with the names and styles of its WMS layers."""

    endpoint: str
    login: Optional[OriginLogin]
    ignore_advertised_addresses: bool
    names_and_styles: List[Tuple[str, str]]


def find_canvas_services(canvas: QgsMapCanvas) -> List[CanvasService]:
    """Return the WMS services with visible layers in the canvas, the topmost first."""
    members: Dict[Tuple[str, Optional[OriginLogin]], List[Tuple[QgsMapLayer, CanvasLayer]]] = {}
    sources: Dict[Tuple[str, Optional[OriginLogin]], _WmsSource] = {}
    scale = canvas.scale()
    for layer in canvas.layers():
        source = _wms_source(layer)
        if source is None:
            continue
        key = (normalise_endpoint(source.endpoint), source.login)
        sources.setdefault(key, source)
        drawn = bool(layer.isInScaleRange(scale)) and _is_drawn_in_time(layer, canvas.mapSettings())
        span = _requested_time(layer, canvas.mapSettings())
        for name, style in reversed(source.names_and_styles):
            title = layer.name() if len(source.names_and_styles) == 1 else name
            members.setdefault(key, []).append((layer, CanvasLayer(name, style, title, drawn, span)))
    services = []
    for key, layers_of_service in members.items():
        source = sources[key]
        title = next((str(layer.customProperty(layer_metadata.SERVICE_TITLE)) for layer, _ in layers_of_service
                      if layer.customProperty(layer_metadata.SERVICE_TITLE)), "")
        service = service_cache.shared().get(source.endpoint)
        title = service.title if service is not None and service.title else title
        # the canvas lists its topmost layer first, a request its lowest (06-042, 7.3.3.3)
        layers = dict.fromkeys(layer for _, layer in reversed(layers_of_service))
        services.append(CanvasService(source.endpoint, title or host_of(source.endpoint), tuple(layers),
                                      source.ignore_advertised_addresses, source.login))
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
    uri = QgsDataSourceUri()
    uri.setEncodedUri(layer.source())
    properties = layer.temporalProperties()
    if map_settings.isTemporal() and properties is not None and properties.isActive():
        shown = map_settings.temporalRange()
        if shown.begin().isValid():
            begin = to_utc(shown.begin())
            return begin, to_utc(shown.end()) if shown.end().isValid() else begin
    begin_text, _, end_text = uri.param("time").partition("/")
    first, last = parse_time(begin_text), parse_time(end_text)
    return (first[0], last[0] if last else first[0]) if first else None


def _wms_source(layer: QgsMapLayer) -> Optional[_WmsSource]:
    """Return the source of a WMS layer, or None for any other layer."""
    if not isinstance(layer, QgsRasterLayer) or layer.providerType() != "wms":
        return None
    uri = QgsDataSourceUri()
    uri.setEncodedUri(layer.source())
    names = uri.params("layers")
    if not names or uri.hasParam("tileMatrixSet") or uri.param("type") not in ("", "wmst"):
        return None
    styles = uri.params("styles")
    styles += [""] * (len(names) - len(styles))
    # our own layers know the address of their record, whereas QGIS knows the one that it requests
    endpoint = str(layer.customProperty(layer_metadata.ENDPOINT) or "") or uri.param("url")
    if not endpoint.lower().startswith(("http://", "https://")):
        return None
    authcfg = uri.param("authcfg") or uri.authConfigId()
    # the layer's login is for the address that it requests, whatever its capabilities name
    login = OriginLogin(origin_address(uri.param("url")), authcfg) if authcfg else None
    return _WmsSource(endpoint, login, uri.hasParam("IgnoreGetFeatureInfoUrl"),
                      list(zip(names, styles)))


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
    bounds = rectangle_bounds(extent)
    return MapClick(crs.authid(), point.x(), point.y(), bounds, size.width(), size.height(),
                    (degrees[0], degrees[1], degrees[2]), unit, bool(settings.rotation()))
