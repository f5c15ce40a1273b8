"""Plan the images that a page needs, without drawing it: for each map, the pixels of each layer and their addresses.

QGIS's own drawing rounds a layer's area to whole pixels but requests the area before rounding, so its images are
stretched by up to a pixel. Here the area itself is widened to whole pixels, which are painted one to one.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field, replace
from typing import Dict, List, Mapping, Optional, Sequence, Tuple

from qgis.core import (
    Qgis,
    QgsApplication,
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsCsException,
    QgsLayoutItemMap,
    QgsMapLayer,
    QgsMapRendererCustomPainterJob,
    QgsMapSettings,
    QgsMapToPixel,
    QgsPrintLayout,
    QgsRasterBlock,
    QgsRasterBlockFeedback,
    QgsRasterDataProvider,
    QgsRasterLayer,
    QgsRasterProjector,
    QgsRectangle,
)
from qgis.PyQt.QtCore import QSize, QSizeF, QUrl
from qgis.PyQt.QtGui import QImage, QPageSize, QPainter
from qgis.PyQt.QtNetwork import QNetworkRequest

from ...core.box import Box
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.sources.feature_pages import Get
from ...core.sources.layer_source import SourceType
from ...core.sources.source_text import encoded_parameters
from ...core.wms.requests.symbol_size import with_larger_symbols
from ...core.wms.requests.tile_overlap import ImagePiece, Size, image_pieces
from ...core.wms.requests.urls import query_parameters
from ...core.wms.responses.response_validation import ExpectedContent
from ..layouts import layout_items
from ..network.origin_settings import OriginLogin, headers_at
from ..network.request_preprocessors import request_preprocessor
from ..runtime import main_thread
from ..runtime.drawn_source import drawn_source
from ..sources.layer_kind import ServedPicture
from ..sources.layer_source import LARGEST_IMAGE, SERVICE_TITLE, mark
from ..sources.wms import requested_by

_MM = 25.4
#: share of a pixel by which computed edges may be off a whole one, and of the resolution and place of equal drawings
_TOLERANCE, _SAME = 1e-6, 1e-9
#: pixels by which a size may differ at the same resolution
_SAME_RESOLUTION = 2
#: side in pixels of the image for which QGIS is made to write an address
_PROBE_SIDE = 8
#: dots per inch added for that: QGIS cuts off what is behind the point, and computes 127.99 for 128
_DPI_MARGIN = 0.01
_PLACE = re.compile(r"([?&])(BBOX|WIDTH|HEIGHT)=[^&]*", re.IGNORECASE)
_SAVE_ATTRIBUTE = QNetworkRequest.Attribute.CacheSaveControlAttribute
#: one transparent pixel
_EMPTY_IMAGE_URL = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJ"
    "RU5ErkJggg==")
#: what each drawing without requests has found, the innermost last
_probes: List[List[Tuple[str, Dict[str, str]]]] = []


@dataclass(frozen=True)
class MapView:
    """Resolution, size and place that a map is drawn with, by which a drawing is known again.

    ``unit`` is the width of a pixel in map units, ``size`` the map's in pixels, ``x`` and ``y`` its centre, and
    ``rotation`` in degrees.
    """

    unit: float
    size: Size
    x: float
    y: float
    rotation: float

    @classmethod
    def of(cls, map_to_pixel: QgsMapToPixel) -> MapView:
        """Return the view of QGIS's description of a drawing."""
        return cls(map_to_pixel.mapUnitsPerPixel(), (map_to_pixel.mapWidth(), map_to_pixel.mapHeight()),
                   map_to_pixel.xCenter(), map_to_pixel.yCenter(), map_to_pixel.mapRotation())

    def is_same(self, other: MapView) -> bool:
        """Return whether both put every point on the same pixel."""
        return (self.size == other.size and abs(self.unit / other.unit - 1) <= _SAME
                and abs(self.rotation - other.rotation) <= _TOLERANCE
                and max(abs(self.x - other.x), abs(self.y - other.y)) <= _TOLERANCE * self.unit)


@dataclass(frozen=True)
class Viewport:
    """Whole pixels of a drawing that a layer fills, before it is rotated, and their extent in the map's CRS."""

    left: int
    top: int
    width: int
    height: int
    extent: QgsRectangle


@dataclass(frozen=True)
class Window:
    """Image that is needed of a layer: its extent in the layer's CRS, and its size in pixels."""

    extent: QgsRectangle
    width: int
    height: int


@dataclass(frozen=True)
class RequestedPiece:
    """One image: its address, and the piece of the window that is cut from it.

    That of a tile is all of it, whose area is ``box`` (in the layer's CRS), for the ``blocks``
    of the map with these numbers. With ``error`` it is not known what is to be requested: ``url`` is that of the
    description.
    """

    url: str
    piece: ImagePiece
    box: Optional[Box] = None
    blocks: Tuple[int, ...] = field(default=(), compare=False)
    error: Optional[CartoguideError] = field(default=None, compare=False)


@dataclass(frozen=True)
class LayerRequest:
    """All that is needed of one layer for one map of a page.

    ``title`` and ``service`` name the layer for people. ``login`` is the layer's, for the address in its source,
    ``headers`` are others that its requests carry. ``page`` is the number of the layout, from 1. ``address`` is that in
    its source, where its service may name addresses elsewhere. With ``hides_others`` there are layers below, with which
    its colours are not mixed.
    """

    layer: QgsMapLayer = field(compare=False, repr=False)
    settings: QgsMapSettings = field(compare=False, repr=False)
    #: stays when the layer, which is a copy for one export, is gone
    layer_id: str
    title: str
    service: str
    login: Optional[OriginLogin] = None
    headers: Mapping[str, str] = field(default_factory=dict)
    page: int = 1
    address: str = ""
    hides_others: bool = False

    @property
    def is_plain(self) -> bool:
        """True if the same address gives everybody with the same login the same answer."""
        return not self.headers

    @property
    def is_needed(self) -> bool:
        """True if anything of the layer lies on the map."""
        return True


@dataclass(frozen=True)
class PixelRequest(LayerRequest):
    """The images of a layer."""

    viewport: Viewport = field(default_factory=lambda: Viewport(0, 0, 0, 0, QgsRectangle()))
    window: Window = field(default_factory=lambda: Window(QgsRectangle(), 0, 0))
    pieces: Tuple[RequestedPiece, ...] = ()
    #: by which symbols are larger than the service draws them
    symbol_factor: float = 1.0

    @property
    def is_needed(self) -> bool:
        return bool(self.pieces)

    @property
    def share(self) -> float:
        """The share of the map (0 to 1) that the area of the layer fills."""
        size = self.settings.outputSize()
        return float(min(1.0, self.viewport.width * self.viewport.height / max(1, size.width() * size.height())))

    def needed_pieces(self, _read: Get) -> Sequence[RequestedPiece]:
        """Return the images to request. For worker threads.

        Descriptions that say which these are are read with ``_read``. Raises CartoguideError.
        """
        return self.pieces


def is_image_layer(layer: Optional[QgsMapLayer]) -> bool:
    """Return whether the layer is drawn from images of its map service."""
    return isinstance(layer, QgsRasterLayer) and layer.isValid() and drawn_source(layer).type is SourceType.WMS and (
        drawn_source(layer).is_map_service)


def visible_maps(layout: QgsPrintLayout) -> List[QgsLayoutItemMap]:
    """Return the maps of a layout that are on its pages."""
    return [item for item in layout_items.items_of_type(layout, QgsLayoutItemMap)
            if item.isVisible() and not item.excludeFromExports()]


def map_settings(layout: QgsPrintLayout, item: QgsLayoutItemMap, dpi: float, as_image: bool) -> QgsMapSettings:
    """Return the settings that QGIS exports a layout's map with."""
    return item.mapSettings(item.extent(), _drawn_size(layout, item, dpi, as_image), dpi, True)


def image_request(settings: QgsMapSettings, layer: QgsRasterLayer, symbol_factor: float, page: int) -> PixelRequest:
    """Return what one drawing needs of a WMS layer, whose symbols are enlarged by ``symbol_factor``. Main thread only.

    A layer that lies outside of the map has a request without pieces. QGIS may handle events.
    """
    source, area, service = requested_by(layer.source()), viewport(settings, layer), service_title(layer)
    window = source_window(settings, layer, area) if area is not None else None
    if area is None or window is None:
        return PixelRequest(layer, settings, layer.id(), layer.name(), service, page=page)
    written = _written_address(settings, layer, area)
    pieces = tuple(RequestedPiece(with_larger_symbols(address_of(written, layer, window, piece), symbol_factor), piece)
                   for piece in image_pieces(
                       (window.width, window.height), written.limits, symbol_factor))
    headers = {} if source.is_plain else {name: value for name, value in written.headers.items()
                                          if source.login is None or name.lower() != "authorization"}
    headers = headers_at(written.url, headers, source.address)
    return PixelRequest(layer, settings, layer.id(), layer.name(), service, source.login, headers, page, viewport=area,
                        window=window, pieces=pieces, symbol_factor=symbol_factor)


def drawn_otherwise(planned: QgsMapSettings, view: MapView) -> Optional[QgsMapSettings]:
    """Return the settings of a planned map that QGIS draws as ``view``, with another number of pixels.

    Of a size with half a pixel QGIS takes the one or the other by the last bit of its computation. Returns None if the
    view is not one of the map in another size.
    """
    settings, size = QgsMapSettings(planned), planned.outputSize()
    settings.setOutputSize(QSize(*view.size))
    if max(abs(view.size[0] - size.width()), abs(view.size[1] - size.height())) > _SAME_RESOLUTION:
        settings.setOutputDpi(settings.outputDpi() * view.size[0] / size.width())
    return settings if view.is_same(MapView.of(settings.mapToPixel())) else None


def uncopied(layer: QgsMapLayer) -> CartoguideError:
    """Return the error about a layer that QGIS does not copy, as without the login that its source names."""
    if "authcfg=" in layer.source() and not QgsApplication.authManager().masterPasswordIsSet():
        return CartoguideError(tr("The login of the layer “{layer}” is locked. Enter QGIS’s master password in "
                                  "Settings › Options › Authentication, and try again.", layer=layer.name()))
    return CartoguideError(tr("QGIS could not copy the layer “{layer}” to export it.", layer=layer.name()))


def service_title(layer: QgsMapLayer) -> str:
    """Return the title of a layer's service for people, or the name of its server."""
    return str(mark(layer, SERVICE_TITLE) or "") or QUrl(drawn_source(layer).address).authority()


def viewport(settings: QgsMapSettings, layer: QgsRasterLayer) -> Optional[Viewport]:
    """Return the whole pixels that ``layer`` fills, or None outside of its extent."""
    area = settings.visibleExtent()
    if not layer.ignoreExtents():
        extent = layer.extent()
        if layer.crs() != settings.destinationCrs():
            to_map = QgsCoordinateTransform(layer.crs(), settings.destinationCrs(), settings.transformContext())
            try:
                extent = to_map.transformBoundingBox(extent)
            except QgsCsException:
                # the extent of a whole world reaches beyond what the map's CRS can show
                extent = area
        area = area.intersect(extent)
    if area.isEmpty():
        return None
    unrotated = QgsMapToPixel(settings.mapToPixel())
    if unrotated.mapRotation():
        centre = settings.extent().center()
        unrotated.setMapRotation(0, centre.x(), centre.y())
    first = unrotated.transform(area.xMinimum(), area.yMaximum())
    last = unrotated.transform(area.xMaximum(), area.yMinimum())
    left, top = math.floor(first.x() + _TOLERANCE), math.floor(first.y() + _TOLERANCE)
    right, bottom = math.ceil(last.x() - _TOLERANCE), math.ceil(last.y() - _TOLERANCE)
    lower, upper = unrotated.toMapCoordinates(left, bottom), unrotated.toMapCoordinates(right, top)
    return Viewport(left, top, right - left, bottom - top, QgsRectangle(lower.x(), lower.y(), upper.x(), upper.y()))


def source_window(settings: QgsMapSettings, layer: QgsRasterLayer, area: Viewport) -> Optional[Window]:
    """Return the image that ``area`` is made from, or None if nothing of the layer lies there.

    Of a layer in another CRS it is the one that QGIS warps.
    """
    if layer.crs() == settings.destinationCrs():
        return Window(area.extent, area.width, area.height)
    recorder = _BlockRecorder(layer.crs(), layer.extent())
    projector = QgsRasterProjector()
    projector.setCrs(layer.crs(), settings.destinationCrs(), settings.transformContext())
    projector.setInput(recorder)
    projector.block(1, area.extent, area.width, area.height)
    return recorder.windows[0] if recorder.windows else None


class PythonRaster(QgsRasterDataProvider):
    """A raster of one band of colours, whose subclasses return its blocks."""

    def __init__(self, crs: QgsCoordinateReferenceSystem, extent: QgsRectangle) -> None:
        super().__init__()
        self._crs, self._extent = crs, extent

    # the interface of QGIS
    def isValid(self) -> bool:  # noqa: N802, D102
        return True

    def name(self) -> str:  # noqa: D102
        return "cartoguide"

    def description(self) -> str:  # noqa: D102
        return ""

    def crs(self) -> QgsCoordinateReferenceSystem:  # noqa: D102
        return self._crs

    def extent(self) -> QgsRectangle:  # noqa: D102
        return self._extent

    def bandCount(self) -> int:  # noqa: N802, D102
        return 1

    def xSize(self) -> int:  # noqa: N802, D102
        return 0

    def ySize(self) -> int:  # noqa: N802, D102
        return 0

    def dataType(self, _band: int) -> Qgis.DataType:  # noqa: N802, D102
        return Qgis.DataType.ARGB32_Premultiplied

    def sourceDataType(self, _band: int) -> Qgis.DataType:  # noqa: N802, D102
        return Qgis.DataType.ARGB32_Premultiplied


class _BlockRecorder(PythonRaster):
    """A raster that draws nothing and notes what it is asked for."""

    def __init__(self, crs: QgsCoordinateReferenceSystem, extent: QgsRectangle) -> None:
        super().__init__(crs, extent)
        self.windows: List[Window] = []

    def clone(self) -> _BlockRecorder:
        return _BlockRecorder(self._crs, self._extent)

    def block(self, _band: int, extent: QgsRectangle, width: int, height: int,
              _feedback: Optional[QgsRasterBlockFeedback] = None) -> QgsRasterBlock:
        """QGIS: return no pixels."""
        self.windows.append(Window(QgsRectangle(extent), width, height))
        return QgsRasterBlock()


@dataclass(frozen=True)
class _Written:
    """An address as QGIS writes it for a layer, the headers beside it, and the largest image (0: unlimited)."""

    url: str
    headers: Mapping[str, str]
    limits: Size


def _written_address(settings: QgsMapSettings, layer: QgsRasterLayer, area: Viewport) -> _Written:
    """Let QGIS's provider write the address of an image, which is not sent.

    Version, order of axes, time and resolution depend on the capabilities and on the layer's properties.
    """
    width, _, height = str(mark(layer, LARGEST_IMAGE) or "").partition("x")
    limits = (int(width), int(height)) if width.isdigit() and height.isdigit() else (0, 0)
    small = QgsMapSettings(settings)
    centre, half = area.extent.center(), settings.mapUnitsPerPixel() * _PROBE_SIDE / 2
    small.setRotation(0)
    small.setOutputSize(QSize(_PROBE_SIDE, _PROBE_SIDE))
    small.setExtent(QgsRectangle(centre.x() - half, centre.y() - half, centre.x() + half, centre.y() + half), False)
    written = _intercepted(small, layer) if all(limits) else []
    if not written:
        # the provider of a layer that is not the plugin's own knows its limits alone: they are those of its pieces.
        # At the edge of its scale range a layer is drawn at the whole map's scale only
        written = _intercepted(QgsMapSettings(settings), layer)
    if not written:
        return _Written("", {}, limits)
    if not all(limits):
        sizes = [_stated_size(url) for url, _headers in written]
        limits = (max(size[0] for size in sizes), max(size[1] for size in sizes))
    return _Written(*written[0], limits)


def _intercepted(settings: QgsMapSettings, layer: QgsRasterLayer) -> List[Tuple[str, Dict[str, str]]]:
    """Return addresses and headers of the requests for drawing ``layer`` alone. They get an empty image instead."""
    found: List[Tuple[str, Dict[str, str]]] = []

    def intercept(request: QNetworkRequest) -> None:
        # QGIS handles events while it waits, in which another page may be planned or a legend requested: those requests
        # are not of this layer
        if not main_thread.is_main() or is_own_request(request) or _probes[-1] is not found or (
                "getmap" not in request.url().query().lower()):
            return
        found.append((bytes(request.url().toEncoded()).decode("ascii"), {
            bytes(name).decode("latin-1"): bytes(request.rawHeader(name)).decode("latin-1")
            for name in request.rawHeaderList() if bytes(name).lower() != b"user-agent"}))
        request.setUrl(QUrl(_EMPTY_IMAGE_URL))

    settings.setLayers([layer])
    settings.setOutputDpi(settings.outputDpi() + _DPI_MARGIN)
    image = QImage(_PROBE_SIDE, _PROBE_SIDE, QImage.Format.Format_ARGB32_Premultiplied)
    painter = QPainter(image)
    _probes.append(found)
    try:
        with request_preprocessor(intercept):
            QgsMapRendererCustomPainterJob(settings, painter).renderSynchronously()
    finally:
        _probes.pop()
        painter.end()
    return found


def is_own_request(request: QNetworkRequest) -> bool:
    """Return whether the plugin made the request itself, which Qt must not cache."""
    return bool(request.attribute(_SAVE_ATTRIBUTE) is False)


def address_of(written: _Written, layer: QgsRasterLayer, window: Window, piece: ImagePiece) -> str:
    """Return the address of a piece's image, with its margins."""
    unit_x, unit_y = window.extent.width() / window.width, window.extent.height() / window.height
    west = window.extent.xMinimum() + (piece.left - piece.margin_left) * unit_x
    north = window.extent.yMaximum() - (piece.top - piece.margin_top) * unit_y
    width, height = piece.requested
    # the sides of the window are exact
    east = window.extent.xMaximum() if piece.left - piece.margin_left + width == window.width else west + width * unit_x
    south = window.extent.yMinimum() if piece.top - piece.margin_top + height == window.height else (
        north - height * unit_y)
    box = Box(west, south, east, north)
    sides = box.with_axes_swapped if _has_axes_inverted(written.url, layer) else box
    values = {"BBOX": ",".join(map(repr, sides)), "WIDTH": str(width), "HEIGHT": str(height)}
    return _PLACE.sub(lambda found: f"{found[1]}{found[2]}={values[found[2].upper()]}", written.url)


def _has_axes_inverted(url: str, layer: QgsRasterLayer) -> bool:
    """Return whether the BBOX begins with y: WMS 1.3.0 takes the order of the CRS (06-042 6.7.2)."""
    version = next((value for name, value in query_parameters(url) if name.upper() == "VERSION"), "")
    given = encoded_parameters(layer.source())
    inverted = version.startswith("1.3") and layer.crs().hasAxisInverted() and "IgnoreAxisOrientation" not in given
    return inverted != ("InvertAxisOrientation" in given)


def _stated_size(url: str) -> Size:
    values = {name.upper(): value for name, value in query_parameters(url)}
    width, height = values.get("WIDTH", ""), values.get("HEIGHT", "")
    return (int(width), int(height)) if width.isdigit() and height.isdigit() else (0, 0)


def _drawn_size(layout: QgsPrintLayout, item: QgsLayoutItemMap, dpi: float, as_image: bool) -> QSizeF:
    """Return the size in pixels that QGIS draws a map with.

    A map with blend modes, in its layers, grids or overviews, is drawn as an image at the page's own resolution. Any
    other map is drawn at the resolution of the export, on every paint device (QgsLayoutItemMap::paint).
    """
    if item.containsAdvancedEffects():
        dots, size = _page_dpi(layout, item, dpi, as_image) / _MM, item.rect().size()
        # rounded by QGIS, which computes half pixels otherwise than by the extent
        return QSizeF(_rounded(size.width() * dots), _rounded(size.height() * dots))
    # in the order in which QGIS multiplies, for half pixels
    extent, millimetres, dots = item.extent(), item.mapUnitsToLayoutUnits(), dpi / _MM
    return QSizeF(extent.width() * millimetres * dots, extent.height() * millimetres * dots)


def _rounded(size: float) -> int:
    """Return the nearest whole number, of two the larger one."""
    return math.floor(size + 0.5)


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


@dataclass(frozen=True)
class PictureRequest(PixelRequest):
    """The pictures that are needed of a layer for one map. Their largest size is in the service's description."""

    source: Optional[ServedPicture] = field(default=None, compare=False, repr=False)

    @property
    def is_needed(self) -> bool:
        return self.window.width > 0

    def needed_pieces(self, read: Get) -> Sequence[RequestedPiece]:
        """Return the pictures to request. Raises CartoguideError."""
        if self.source is None or not self.is_needed:
            return ()
        window, limits = self.window, read(self.source.description, ExpectedContent.JSON, self.source.limits)
        unit_x, unit_y = window.extent.width() / window.width, window.extent.height() / window.height
        found = []
        for piece in image_pieces((window.width, window.height), limits):
            west = window.extent.xMinimum() + (piece.left - piece.margin_left) * unit_x
            north = window.extent.yMaximum() - (piece.top - piece.margin_top) * unit_y
            width, height = piece.requested
            box = Box(west, north - height * unit_y, west + width * unit_x, north)
            found.append(RequestedPiece(self.source.url(box, piece.requested, self.settings.outputDpi()), piece))
        return found


def picture_request(settings: QgsMapSettings, layer: QgsRasterLayer, source: ServedPicture, service: str, address: str,
                    page: int) -> PictureRequest:
    """Return what one drawing needs of a layer. Main thread only."""
    request = PictureRequest(layer, settings, layer.id(), layer.name(), service, source.login, source.headers, page,
                             address, source=source)
    area = viewport(settings, layer)
    window = source_window(settings, layer, area) if area is not None else None
    return request if area is None or window is None else replace(request, viewport=area, window=window)
