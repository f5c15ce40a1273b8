"""The GetMap requests that an export of a layout will make, exactly, without making them.

The map is drawn for show: QGIS's own provider writes every address, and each gets an empty picture instead of the
server's. Nothing else tells the addresses before the export: pixels are rounded otherwise for pages of pixels than for
PDF, and QGIS's versions cut large pictures in different ways.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Callable, Dict, List, Optional, Sequence, Tuple
from urllib.parse import parse_qsl, urlsplit

from qgis.core import (
    QgsLayoutItemMap,
    QgsMapRendererCustomPainterJob,
    QgsMapSettings,
    QgsNetworkAccessManager,
    QgsPrintLayout,
)
from qgis.PyQt.QtCore import QSizeF, QUrl
from qgis.PyQt.QtGui import QImage, QPageSize, QPainter
from qgis.PyQt.QtNetwork import QNetworkRequest

from ...core.wms.requests.tile_overlap import PaddedTile, pad_tiles, with_square_pixels
from ..runtime import main_thread
from .request_matching import MonitoredLayer, match_layer, monitored_layers

_MM = 25.4
_SAVE_ATTRIBUTE = QNetworkRequest.Attribute.CacheSaveControlAttribute
#: one transparent pixel
EMPTY_IMAGE_URL = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJ"
    "RU5ErkJggg==")


@dataclass(frozen=True)
class GetMapRequest:
    """One GetMap: its address as QGIS writes it, the layer that it is for, its size in pixels.

    ``wider`` is the picture that it is cut out of, where a layer's picture comes in pieces; or the whole one, where
    QGIS asks for a box that its pixels do not fill.
    """

    url: str
    layer: MonitoredLayer
    size: Tuple[int, int]
    padded_tile: Optional[PaddedTile] = None


def predict_requests(layout: QgsPrintLayout, item: QgsLayoutItemMap, dpi: float, as_image: bool = False,
                     on_request: Optional[Callable[[GetMapRequest], None]] = None) -> List[GetMapRequest]:
    """What exporting ``item`` at ``dpi`` will ask for, in drawing order; on the main thread, no request is sent.

    ``as_image`` for the formats of pixels, whose page is a whole number of them. ``found_one`` gets each request as
    soon as all of its layer are known.
    """
    effective = _effective_dpi(layout, item, dpi, as_image)
    size = QSizeF(item.rect().width() * effective / _MM, item.rect().height() * effective / _MM)
    settings = item.mapSettings(item.extent(), size, dpi, True)
    layers = monitored_layers(settings.layers())
    found: Dict[str, GetMapRequest] = {}
    pieces: List[GetMapRequest] = []
    box = settings.visibleExtent()
    seen = (box.xMinimum(), box.yMinimum(), box.xMaximum(), box.yMaximum())
    unwarped = {layer.id() for layer in settings.layers() if layer.crs() == settings.destinationCrs()}

    def tell() -> None:
        """All pieces of one layer's picture are known."""
        widened: Sequence[Optional[PaddedTile]] = [None]
        if len(pieces) > 1:
            layer = pieces[0].layer
            widened = pad_tiles([piece.url for piece in pieces], layer.max_image_size,
                                seen if layer.layer_id in unwarped else None)
        elif pieces and pieces[0].layer.layer_id in unwarped:
            widened = [_square_pixel_tile(pieces[0].url, settings)]
        for piece, padded_tile in zip(pieces, widened):
            found[piece.url] = replace(piece, padded_tile=padded_tile)
            if on_request is not None:
                on_request(found[piece.url])
        pieces.clear()

    def intercept(request: QNetworkRequest) -> None:
        if not main_thread.is_main() or is_own_request(request):
            return
        layer = match_layer(request.url(), layers, round(dpi))
        if layer is None:
            return
        address = encoded_url(request)
        request.setUrl(QUrl(EMPTY_IMAGE_URL))
        if pieces and pieces[0].layer != layer:
            tell()
        if address not in found and all(piece.url != address for piece in pieces):
            pieces.append(GetMapRequest(address, layer, _image_size(address)))

    key = QgsNetworkAccessManager.setRequestPreprocessor(intercept)
    picture = QImage(8, 8, QImage.Format.Format_ARGB32_Premultiplied)
    painter = QPainter(picture)
    try:
        QgsMapRendererCustomPainterJob(settings, painter).renderSynchronously()
    finally:
        painter.end()
        QgsNetworkAccessManager.removeRequestPreprocessor(key)
    tell()
    return list(found.values())


def encoded_url(request: QNetworkRequest) -> str:
    """The address as it is sent."""
    return bytes(request.url().toEncoded()).decode("ascii")


def is_own_request(request: QNetworkRequest) -> bool:
    """Whether we fetch this ourselves: that is not saved by Qt. (The window's map is drawn in other threads.)"""
    return bool(request.attribute(_SAVE_ATTRIBUTE) is False)


def requested_layers(requests: Sequence[GetMapRequest]) -> List[MonitoredLayer]:
    """The layers of ``requests``, each once."""
    return list(dict.fromkeys(request.layer for request in requests))


def _square_pixel_tile(url: str, settings: QgsMapSettings) -> Optional[PaddedTile]:
    if settings.rotation():
        return None
    grid = settings.mapToPixel()

    def pixel_of(x: float, y: float) -> Tuple[float, float]:
        point = grid.transform(x, y)
        return point.x(), point.y()

    def place_of(x: float, y: float) -> Tuple[float, float]:
        point = grid.toMapCoordinates(x, y)
        return point.x(), point.y()

    size = settings.outputSize()
    return with_square_pixels(url, pixel_of, place_of, (size.width(), size.height()))


def _effective_dpi(layout: QgsPrintLayout, item: QgsLayoutItemMap, dpi: float, as_image: bool) -> float:
    """The resolution that a map is really drawn at: pages have whole numbers of pixels, and keep their proportions.

    QGIS cuts a picture's pixels off; Qt rounds a printer's page, from sizes that it knows in whole points.
    """
    page = layout.pageCollection().page(max(0, item.page()))
    if page is None:
        return float(dpi)
    width, height = page.rect().width(), page.rect().height()
    if as_image:
        across, along = int(width * dpi / _MM), int(height * dpi / _MM)
    else:
        paper = QPageSize(QSizeF(min(width, height), max(width, height)), QPageSize.Unit.Millimeter)
        pixels = paper.sizePixels(round(dpi))
        across, along = pixels.width(), pixels.height()
        if width > height:
            across, along = along, across
    return min(across / width, along / height) * _MM


def _image_size(address: str) -> Tuple[int, int]:
    values = {name.upper(): value for name, value in parse_qsl(urlsplit(address).query, keep_blank_values=True)}
    width, height = values.get("WIDTH", ""), values.get("HEIGHT", "")
    return (int(width), int(height)) if width.isdigit() and height.isdigit() else (0, 0)
