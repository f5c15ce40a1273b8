"""Predict exactly the GetMap requests of a layout's export, without sending them.

The map is drawn as a rehearsal: QGIS's provider writes every address, and each gets an empty image instead of the
server's. The addresses cannot be computed otherwise before the export, because pixels are rounded differently for
images and for PDF, and versions of QGIS split large images differently.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass, replace
from typing import Callable, Dict, List, Optional, Sequence, Tuple
from urllib.parse import parse_qsl, urlsplit

from qgis.core import (
    QgsLayoutItemMap,
    QgsMapLayer,
    QgsMapRendererCustomPainterJob,
    QgsMapSettings,
    QgsPrintLayout,
)
from qgis.PyQt.QtCore import QSizeF, QUrl
from qgis.PyQt.QtGui import QColor, QImage, QPageSize, QPainter
from qgis.PyQt.QtNetwork import QNetworkRequest

from ...core.wms.requests.symbol_size import with_larger_symbols
from ...core.wms.requests.tile_overlap import PaddedTile, pad_tiles, with_square_pixels
from ..layouts.symbol_size import layer_factors
from ..network.request_preprocessors import request_preprocessor
from ..runtime import main_thread
from ..runtime.conversions import rectangle_bounds
from .request_matching import MonitoredLayer, match_layer, monitored_layers

_MM = 25.4
_SAVE_ATTRIBUTE = QNetworkRequest.Attribute.CacheSaveControlAttribute
#: one transparent pixel
EMPTY_IMAGE_URL = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJ"
    "RU5ErkJggg==")


@dataclass(frozen=True)
class GetMapRequest:
    """One GetMap: its address as QGIS writes it, its layer, and its size in pixels.

    ``padded_tile`` is the larger image that it is cropped from if a layer's image is split into tiles, or the image
    with square pixels if QGIS requests an extent that its pixels do not fill. ``is_above_others`` is True if the map
    shows layers below this one, with which its colours are not mixed. ``symbol_factor`` is how many times as large as
    by QGIS itself its symbols are.
    """

    url: str
    layer: MonitoredLayer
    size: Tuple[int, int]
    padded_tile: Optional[PaddedTile] = None
    is_above_others: bool = False
    symbol_factor: float = 1.0

    @property
    def sent_url(self) -> str:
        """The address of the image that the plugin requests, from which QGIS's is made."""
        return with_larger_symbols(self.padded_tile.url if self.padded_tile else self.url, self.symbol_factor)


def predict_requests(layout: QgsPrintLayout, item: QgsLayoutItemMap, dpi: float, as_image: bool = False,
                     on_request: Optional[Callable[[GetMapRequest], None]] = None) -> List[GetMapRequest]:
    """Return the requests of exporting ``item`` at ``dpi``, in drawing order. Main thread only, nothing is sent.

    ``as_image`` is for image formats, whose page is a whole number of pixels. ``on_request`` gets each request as soon
    as all of its layer are known.
    """
    settings = item.mapSettings(item.extent(), _drawn_size(layout, item, dpi, as_image), dpi, True)
    layers = monitored_layers(settings.layers())
    requests: Dict[str, GetMapRequest] = {}
    tiles: List[GetMapRequest] = []
    extent = settings.visibleExtent()
    visible_bounds = rectangle_bounds(extent)
    bottom_layer = settings.layers()[-1].id() if settings.layers() else ""
    factors = layer_factors(layout, item, settings.layers())
    mixed = {layer.id() for layer in settings.layers()
             if layer.blendMode() != QPainter.CompositionMode.CompositionMode_SourceOver}
    unwarped = {layer.id() for layer in settings.layers() if layer.crs() == settings.destinationCrs()}

    def add_layer_requests() -> None:
        """Add the requests of one layer, whose tiles are all known."""
        widened: Sequence[Optional[PaddedTile]] = [None]
        if len(tiles) > 1:
            layer = tiles[0].layer
            widened = pad_tiles([tile.url for tile in tiles], layer.max_image_size,
                                visible_bounds if layer.layer_id in unwarped else None)
        elif tiles and tiles[0].layer.layer_id in unwarped:
            widened = [_square_pixel_tile(tiles[0].url, settings)]
        for tile, padded_tile in zip(tiles, widened):
            requests[tile.url] = replace(tile, padded_tile=padded_tile)
            if on_request is not None:
                on_request(requests[tile.url])
        tiles.clear()

    def intercept(request: QNetworkRequest) -> None:
        if not main_thread.is_main() or is_own_request(request):
            return
        layer = match_layer(request.url(), layers, dpi)
        if layer is None:
            return
        address = encoded_url(request)
        request.setUrl(QUrl(EMPTY_IMAGE_URL))
        if tiles and tiles[0].layer != layer:
            add_layer_requests()
        if address not in requests and all(tile.url != address for tile in tiles):
            tiles.append(GetMapRequest(address, layer, _image_size(address),
                                       is_above_others=layer.layer_id != bottom_layer and layer.layer_id not in mixed,
                                       symbol_factor=factors.get(layer.layer_id, 1.0)))

    image = QImage(8, 8, QImage.Format.Format_ARGB32_Premultiplied)
    _render(settings, image, intercept)
    add_layer_requests()
    return list(requests.values())


def draw_from_images(layout: QgsPrintLayout, item: QgsLayoutItemMap, layers: Sequence[QgsMapLayer], dpi: float,
                     as_image: bool, image_of: Callable[[str], bytes]) -> Tuple[QImage, QgsMapSettings]:
    """Return the image of ``layers`` alone, as the export of ``item`` draws them, and its settings. Main thread only.

    ``image_of`` returns the image that was fetched from an address. Nothing is requested. The image is null if one of
    them is missing.
    """
    settings = item.mapSettings(item.extent(), _drawn_size(layout, item, dpi, as_image), dpi, True)
    settings.setLayers(list(layers))
    settings.setBackgroundColor(QColor(0, 0, 0, 0))
    monitored = monitored_layers(settings.layers())
    missing: List[str] = []

    def intercept(request: QNetworkRequest) -> None:
        if not main_thread.is_main() or is_own_request(request) or match_layer(request.url(), monitored, dpi) is None:
            return
        body = image_of(encoded_url(request))
        if not body:
            missing.append(encoded_url(request))
        request.setUrl(QUrl(f"data:image/png;base64,{base64.b64encode(body).decode('ascii')}" if body else
                            EMPTY_IMAGE_URL))

    image = QImage(settings.outputSize(), QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(QColor(0, 0, 0, 0))
    _render(settings, image, intercept)
    return (QImage() if missing else image), settings


def _render(settings: QgsMapSettings, image: QImage, intercept: Callable[[QNetworkRequest], None]) -> None:
    """Draw a map on an image, with ``intercept`` called for each request."""
    painter = QPainter(image)
    try:
        with request_preprocessor(intercept):
            QgsMapRendererCustomPainterJob(settings, painter).renderSynchronously()
    finally:
        painter.end()


def encoded_url(request: QNetworkRequest) -> str:
    """Return the address as it is sent."""
    return bytes(request.url().toEncoded()).decode("ascii")


def is_own_request(request: QNetworkRequest) -> bool:
    """Return whether the plugin made the request itself, which Qt must not cache.

    The map canvas is drawn in other threads.
    """
    return bool(request.attribute(_SAVE_ATTRIBUTE) is False)


def requested_layers(requests: Sequence[GetMapRequest]) -> List[MonitoredLayer]:
    """Return the layers of ``requests``, each once."""
    return list(dict.fromkeys(request.layer for request in requests))


def _square_pixel_tile(url: str, settings: QgsMapSettings) -> Optional[PaddedTile]:
    if settings.rotation():
        return None
    map_to_pixel = settings.mapToPixel()

    def pixel_of(x: float, y: float) -> Tuple[float, float]:
        point = map_to_pixel.transform(x, y)
        return point.x(), point.y()

    def map_point_of(x: float, y: float) -> Tuple[float, float]:
        point = map_to_pixel.toMapCoordinates(x, y)
        return point.x(), point.y()

    size = settings.outputSize()
    return with_square_pixels(url, pixel_of, map_point_of, (size.width(), size.height()))


def _drawn_size(layout: QgsPrintLayout, item: QgsLayoutItemMap, dpi: float, as_image: bool) -> QSizeF:
    """Return the size in pixels that QGIS draws a map with.

    A map with blend modes, in its layers, grids or overviews, is drawn as an image at the page's own resolution. Any
    other map is drawn at the resolution of the export, on every paint device (QgsLayoutItemMap::paint).
    """
    dots = (_page_dpi(layout, item, dpi, as_image) if item.containsAdvancedEffects() else dpi) / _MM
    extent, millimetres = item.extent(), item.mapUnitsToLayoutUnits()
    return QSizeF(extent.width() * millimetres * dots, extent.height() * millimetres * dots)


def _page_dpi(layout: QgsPrintLayout, item: QgsLayoutItemMap, dpi: float, as_image: bool) -> float:
    """Return the resolution of an item's page, which has a whole number of pixels.

    QGIS truncates an image's size. Qt 5 rounds and Qt 6 truncates a printer's page, based on sizes in whole points.
    """
    page = layout.pageCollection().page(max(0, item.page()))
    if page is None:
        return float(dpi)
    width, height = page.rect().width(), page.rect().height()
    if as_image:
        pixels_x, pixels_y = int(width * dpi / _MM), int(height * dpi / _MM)
    else:
        paper = QPageSize(QSizeF(min(width, height), max(width, height)), QPageSize.Unit.Millimeter)
        pixels = paper.sizePixels(round(dpi))
        pixels_x, pixels_y = pixels.width(), pixels.height()
        if width > height:
            pixels_x, pixels_y = pixels_y, pixels_x
    return float(min(pixels_x / width, pixels_y / height) * _MM)


def _image_size(address: str) -> Tuple[int, int]:
    values = {name.upper(): value for name, value in parse_qsl(urlsplit(address).query, keep_blank_values=True)}
    width, height = values.get("WIDTH", ""), values.get("HEIGHT", "")
    return (int(width), int(height)) if width.isdigit() and height.isdigit() else (0, 0)
