"""Match a GetMap to the layer of a map, by WMS layer names and address, at the export's resolution."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Iterable, List, Optional, Sequence, Tuple
from urllib.parse import unquote_plus, urlsplit

from qgis.core import QgsDataSourceUri, QgsMapLayer
from qgis.PyQt.QtCore import QUrl

from ...core.wms.requests.urls import host_and_path
from ..credits.layer_metadata import LARGEST_IMAGE, SERVICE_TITLE, mark
from ..network.origin_settings import OriginLogin

_RESOLUTION_NAMES = ("MAP_RESOLUTION", "DPI")
_MM = 25.4


@dataclass(frozen=True)
class MonitoredLayer:
    """A WMS layer whose requests are monitored: its titles, WMS layer names, and the host and path of its service.

    ``layer_id`` and ``login`` are the QGIS layer's, the login for the address in its source. With
    ``has_plain_requests`` its requests carry only their address and that authentication, so the same address gives
    everybody the same image. ``max_image_size`` is the largest image in pixels that may be requested (0 if unknown).
    """

    title: str
    service: str
    names: Tuple[str, ...]
    host_and_path: str
    layer_id: str = ""
    login: Optional[OriginLogin] = None
    has_plain_requests: bool = True
    max_image_size: Tuple[int, int] = (0, 0)


def monitored_layers(layers: Iterable[QgsMapLayer]) -> List[MonitoredLayer]:
    """Return the WMS layers among ``layers``."""
    return [found for found in map(_monitored_layer, layers) if found is not None]


def match_layer(url: QUrl, layers: Sequence[MonitoredLayer], dpi: float) -> Optional[MonitoredLayer]:
    """Return the layer that a GetMap of an export at ``dpi`` belongs to, or None for any other request."""
    parts = urlsplit(bytes(url.toEncoded()).decode("ascii", "replace"))
    values = {name.upper(): unquote_plus(value) for name, _, value
              in (pair.partition("=") for pair in parts.query.split("&"))}
    if values.get("REQUEST", "").lower() != "getmap":
        return None
    resolutions = [values[name] for name in _RESOLUTION_NAMES if name in values]
    # QGIS computes it from dots per millimetre and cuts off what is behind the point: 127 for an export at 128 dpi
    if resolutions and str(int(dpi / _MM * _MM)) not in resolutions:
        return None
    requested_names = tuple(values.get("LAYERS", "").split(","))
    matching = [layer for layer in layers if layer.names == requested_names]
    same_address = [layer for layer in matching if layer.host_and_path == host_and_path(parts.geturl())]
    return next(iter(same_address or matching), None)


def _monitored_layer(layer: QgsMapLayer) -> Optional[MonitoredLayer]:
    if layer.providerType() != "wms":
        return None
    uri = QgsDataSourceUri()
    uri.setEncodedUri(layer.source())
    service = str(mark(layer, SERVICE_TITLE) or "") or urlsplit(uri.param("url")).netloc
    authcfg = uri.authConfigId() or uri.param("authcfg")
    plain = not any(uri.hasParam(name) for name in ("referer", "username", "password")) \
        and "http-header" not in layer.source()
    return MonitoredLayer(layer.name(), service, tuple(uri.params("layers")), host_and_path(uri.param("url")),
                          layer.id(), OriginLogin(uri.param("url"), authcfg) if authcfg else None, plain,
                          _max_image_size(layer))


def _max_image_size(layer: QgsMapLayer) -> Tuple[int, int]:
    width, _, height = str(mark(layer, LARGEST_IMAGE) or "").partition("x")
    return (int(width), int(height)) if width.isdigit() and height.isdigit() else (0, 0)

