"""Which layer of a map a GetMap belongs to: matched by WMS layer names and address, at the export's own resolution."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Iterable, List, Optional, Sequence, Tuple
from urllib.parse import unquote_plus, urlsplit

from qgis.core import QgsDataSourceUri, QgsMapLayer
from qgis.PyQt.QtCore import QUrl

from ..credits.layer_metadata import LARGEST_IMAGE, SERVICE_TITLE

_RESOLUTION_NAMES = ("MAP_RESOLUTION", "DPI")


@dataclass(frozen=True)
class MonitoredLayer:
    """A WMS layer whose requests are watched: what to call it, its WMS layer names, the host and path that it asks.

    ``layer_id`` and ``authcfg`` are the QGIS layer's. ``plain`` tells that its requests carry nothing but their address
    and that authentication: then whoever asks for the same address gets the same picture. ``largest`` are the pixels
    of the largest picture that may be asked for (0: not known).
    """

    title: str
    service: str
    names: Tuple[str, ...]
    host_and_path: str
    layer_id: str = ""
    authcfg: str = ""
    has_plain_requests: bool = True
    max_image_size: Tuple[int, int] = (0, 0)


def monitored_layers(layers: Iterable[QgsMapLayer]) -> List[MonitoredLayer]:
    """The WMS layers among ``layers``."""
    return [found for found in map(_monitored_layer, layers) if found is not None]


def match_layer(url: QUrl, layers: Sequence[MonitoredLayer], dpi: int) -> Optional[MonitoredLayer]:
    """The layer that a GetMap at ``dpi`` belongs to; None for any other request."""
    parts = urlsplit(bytes(url.toEncoded()).decode("ascii", "replace"))
    values = {name.upper(): unquote_plus(value) for name, _, value
              in (pair.partition("=") for pair in parts.query.split("&"))}
    if values.get("REQUEST", "").lower() != "getmap":
        return None
    resolutions = [values[name] for name in _RESOLUTION_NAMES if name in values]
    if resolutions and str(dpi) not in resolutions:
        return None
    asked = tuple(values.get("LAYERS", "").split(","))
    matching = [layer for layer in layers if layer.names == asked]
    here = [layer for layer in matching if layer.host_and_path == _host_and_path(parts.geturl())]
    return next(iter(here or matching), None)


def _monitored_layer(layer: QgsMapLayer) -> Optional[MonitoredLayer]:
    if layer.providerType() != "wms":
        return None
    uri = QgsDataSourceUri()
    uri.setEncodedUri(layer.source())
    service = str(layer.customProperty(SERVICE_TITLE, "") or "") or urlsplit(uri.param("url")).netloc
    plain = not any(uri.hasParam(name) for name in ("referer", "username", "password")) \
        and "http-header" not in layer.source()
    return MonitoredLayer(layer.name(), service, tuple(uri.params("layers")), _host_and_path(uri.param("url")),
                          layer.id(),
                          uri.authConfigId() or uri.param("authcfg"), plain, _max_image_size(layer))


def _max_image_size(layer: QgsMapLayer) -> Tuple[int, int]:
    width, _, height = str(layer.customProperty(LARGEST_IMAGE, "") or "").partition("x")
    return (int(width), int(height)) if width.isdigit() and height.isdigit() else (0, 0)


def _host_and_path(url: str) -> str:
    """Host and path, in which addresses of the same service agree whatever parameters they carry."""
    parts = urlsplit(url)
    return f"{parts.netloc.lower()}{parts.path}"
