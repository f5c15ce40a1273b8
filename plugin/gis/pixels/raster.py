"""Layers that draw images which came already, in place of those that would request them.

A map of a layout shows them while the page is written. They have the ids of the layers that they stand for, which stay
in the project: expressions, legends and the names of layers in a GeoPDF are found there.
"""

from __future__ import annotations

import math
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Set, Tuple, Union

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsCsException,
    QgsLayoutItemMap,
    QgsMapClippingRegion,
    QgsMapClippingUtils,
    QgsMapLayer,
    QgsMapLayerRenderer,
    QgsMapLayerStyle,
    QgsMapRendererCustomPainterJob,
    QgsMapSettings,
    QgsNetworkAccessManager,
    QgsNetworkReplyContent,
    QgsPrintLayout,
    QgsProperty,
    QgsPropertyCollection,
    QgsRasterBlock,
    QgsRasterBlockFeedback,
    QgsRasterLayer,
    QgsRasterProjector,
    QgsReadWriteContext,
    QgsRectangle,
    QgsRenderContext,
    QgsVectorLayer,
)
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QPoint, QRect, Qt
from qgis.PyQt.QtGui import QBrush, QColor, QImage, QPaintEngine, QPainter, QTransform
from qgis.PyQt.QtXml import QDomDocument

from ...core.custommap.map_findings import MapFinding
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.preflight import TrialRequest
from ...core.review.checks.rules import Severity
from ...core.sources.kinds import kind_of
from ...core.sources.source_kind import SourceProof
from ...core.wms.requests.tile_overlap import ImagePiece
from ..credits.layer_credits import CHOOSING_PROPERTIES, annotations_of, in_style
from ..layouts.layout_items import map_layers
from ..layouts.symbol_size import layer_factors, map_styles
from ..runtime import compat
from ..runtime.drawn_source import drawn_source
from ..runtime.images import converted
from ..sources.files import leaves_shapes_out
from ..sources.layer_source import drawn_parts
from .features import FeatureRequest, FetchedFeatures, feature_layer
from .fetch import Fetched, FetchedPiece, ProvedPixels, covered_share, pixel_rows
from .files import FetchedFile, FileRequest, file_layer, is_same_data, replace_text
from .plan import plan_map
from .request import (
    LayerRequest,
    MapView,
    PixelRequest,
    PythonRaster,
    Viewport,
    drawn_otherwise,
    map_settings,
    service_title,
    uncopied,
    visible_maps,
)
from .tiles import BlockImage, TiledRequest

#: a raster of one pixel without a file: QGIS draws no layer without a provider
_BLANK = ('<VRTDataset rasterXSize="1" rasterYSize="1"><GeoTransform>0,1,0,1,0,-1</GeoTransform>'
          '<VRTRasterBand dataType="Byte" band="1"/></VRTDataset>')
_PREMULTIPLIED = QImage.Format.Format_ARGB32_Premultiplied
TRANSPARENT_GROUND = QColor(0, 0, 0, 0)
#: modes of mixing in which nothing is lost on white
_DARKENING = frozenset((QPainter.CompositionMode.CompositionMode_SourceOver,
                        QPainter.CompositionMode.CompositionMode_Multiply,
                        QPainter.CompositionMode.CompositionMode_Darken,
                        QPainter.CompositionMode.CompositionMode_ColorBurn))
#: the hatching of what is missing, and the distance of its lines
MISSING_COLOUR, _HATCH_MM = QColor(176, 0, 32), 4.0
#: pixels from an edge within which a lossy image may have other colours, those of them that are of the edge itself, and
#: by how much plain white and black differ beyond them and there
_EDGE_NOISE, _EDGE, _PLAIN, _NOISY = 16, 2, 5, 80
#: side in pixels of the sample that a raster of files is judged by
_SAMPLE_SIDE = 64
#: longer side in pixels of the picture that tells whether a layer of shapes is drawn at all
_SEEN_SIDE = 1000
#: that of the picture that tells how much is seen through a layer
_COVERING_SIDE = 250


@dataclass(frozen=True)
class _Part:
    """A piece of a layer's picture, at ``x``, ``y`` pixels of the drawing before it is rotated.

    Without ``pixels`` it has not come. ``stated`` is the place of what the service says the layer covers, None where
    that is not known or is all of the drawing.
    """

    x: int
    y: int
    piece: ImagePiece
    pixels: Union[ProvedPixels, BlockImage, StyledImage, None]
    stated: Optional[QRect] = None


@dataclass(frozen=True)
class _Picture:
    """The parts of a layer's picture in one drawing."""

    view: MapView
    parts: Tuple[_Part, ...]


class ProvedLayer(QgsRasterLayer):
    """A raster layer that paints images that came, and requests nothing. Main thread only.

    Where an image is missing it paints a hatch. ``undrawn`` are the drawings for which no image was planned.
    """

    def __init__(self, layer: QgsMapLayer) -> None:
        super().__init__(_BLANK, layer.name(), "gdal", QgsRasterLayer.LayerOptions(False))
        document, context = QDomDocument(), QgsReadWriteContext()
        element = document.createElement("maplayer")
        described = layer if isinstance(layer, QgsRasterLayer) else self
        is_written = described.writeLayerXml(element, document, context)
        # QGIS lets nobody set an id before 3.38
        replace_text(element, "id", layer.id())
        if not is_written or not self.readLayerXml(element, context, QgsMapLayer.ReadFlag.FlagDontResolveLayers):
            # the traceback of the error would hold the unfinished layer, whose later end would end the process
            sip.delete(self)
            raise uncopied(layer)
        self.setCrs(layer.crs())
        self.setBlendMode(layer.blendMode())
        self.undrawn: List[MapView] = []
        self._pictures: List[_Picture] = []
        # QGIS deletes its renderers, and Python's part of them must not go before
        self._renderers: List[QgsMapLayerRenderer] = []

    def add_picture(self, request: PixelRequest, pieces: Sequence[FetchedPiece]) -> None:
        """Let the layer show the images of ``request`` where a map is drawn as it was planned."""
        view = MapView.of(request.settings.mapToPixel())
        if isinstance(request, TiledRequest):
            self._pictures.append(_Picture(view, tuple(_blocks(request, pieces))))
            return
        stated = _stated_place(request)
        parts = [_Part(request.viewport.left + one.requested.piece.left, request.viewport.top + one.requested.piece.top,
                       one.requested.piece, None if one.error else one.pixels, stated) for one in pieces]
        self._pictures.append(_Picture(view, tuple(_styled(request, parts))))

    def add_missing(self, settings: QgsMapSettings) -> None:
        """Let the layer be a hatch where a map is drawn with ``settings``."""
        view = MapView.of(settings.mapToPixel())
        self._pictures.append(_Picture(view, _whole_page(view)))

    def createMapRenderer(self, context: QgsRenderContext) -> QgsMapLayerRenderer:  # noqa: N802
        """QGIS: return what draws the layer."""
        view = MapView.of(context.mapToPixel())
        picture = next((one for one in self._pictures if one.view.is_same(view)), None)
        if picture is None:
            self.undrawn.append(view)
        renderer = _PictureRenderer(self.id(), context, picture.parts if picture else _whole_page(view),
                                    QgsMapClippingUtils.collectClippingRegionsForLayer(context, self))
        self._renderers.append(renderer)
        return renderer


def _whole_page(view: MapView) -> Tuple[_Part, ...]:
    width, height = view.size
    return (_Part(0, 0, ImagePiece(0, 0, width, height, 0, 0, view.size), None), )


class _PictureRenderer(QgsMapLayerRenderer):
    """Paints the parts of a picture one to one on the pixels of the drawing."""

    def __init__(self, layer_id: str, context: QgsRenderContext, parts: Sequence[_Part],
                 regions: Sequence[QgsMapClippingRegion]) -> None:
        super().__init__(layer_id, context)
        self._context, self._parts, self._regions = context, parts, regions

    def render(self) -> bool:
        painter, to_pixel = self._context.painter(), self._context.mapToPixel()
        painter.save()
        try:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            # turned pixels would have stairs at every line and letter
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, bool(to_pixel.mapRotation()))
            self._clip(painter)
            if to_pixel.mapRotation():
                x, y = to_pixel.mapWidth() * 0.5, to_pixel.mapHeight() * 0.5
                painter.translate(x, y)
                painter.rotate(to_pixel.mapRotation())
                painter.translate(-x, -y)
            engine = painter.device().paintEngine()
            is_pdf = engine is not None and engine.type() == QPaintEngine.Type.Pdf
            for part in self._parts:
                _paint(painter, part, is_pdf, self._context.scaleFactor())
        finally:
            painter.restore()
        return True

    def _clip(self, painter: QPainter) -> None:
        """Clip to the regions of the layout's map, as QGIS's own renderer does."""
        if self._regions:
            path, is_clipped = QgsMapClippingUtils.calculatePainterClipRegion(
                self._regions, self._context, compat.raster_layer_type())
            if is_clipped:
                painter.setClipPath(path, Qt.ClipOperation.IntersectClip)


def _paint(painter: QPainter, part: _Part, is_pdf: bool, dots: float) -> None:
    """Paint a part of a picture with ``dots`` pixels a millimetre."""
    if part.pixels is None:
        painter.fillRect(QRect(part.x, part.y, part.piece.width, part.piece.height), _missing_brush(dots))
        return
    image = part.pixels.read(part.piece)
    if image.isNull():
        return
    is_cut = isinstance(part.pixels, ProvedPixels) and bool(part.pixels.beyond)
    if is_pdf and image.hasAlphaChannel() and (is_cut or not part.pixels.is_opaque):
        image = _for_pdf(image)
    left, top = part.pixels.box[:2]
    place = image.rect().translated(part.x + left, part.y + top)
    shown = place
    if part.stated is not None and part.pixels.is_opaque and is_plain_beyond(
            image, part.stated.translated(-place.topLeft())):
        shown = place.intersected(part.stated)
    if not shown.isEmpty():
        painter.drawImage(shown.topLeft(), image, shown.translated(-place.topLeft()))
    # a page is drawn once but for its stamp, and packing it takes much memory
    part.pixels.release()


def _stated_place(request: PixelRequest) -> Optional[QRect]:
    """Return the pixels of the drawing that the layer covers as its service says, None for all or for another CRS."""
    layer, area = request.layer, request.viewport
    extent = layer.extent()
    if layer.crs() != request.settings.destinationCrs() or not extent.intersects(area.extent) or extent.contains(
            area.extent):
        return None
    across, down = area.width / area.extent.width(), area.height / area.extent.height()
    left, right = ((x - area.extent.xMinimum()) * across for x in (extent.xMinimum(), extent.xMaximum()))
    top, bottom = ((area.extent.yMaximum() - y) * down for y in (extent.yMaximum(), extent.yMinimum()))
    left, right = max(0.0, left), min(float(area.width), right)
    top, bottom = max(0.0, top), min(float(area.height), bottom)
    return QRect(QPoint(area.left + math.ceil(left), area.top + math.ceil(top)),
                 QPoint(area.left + math.floor(right) - 1, area.top + math.floor(bottom) - 1))


def is_plain_beyond(image: QImage, stated: QRect) -> bool:
    """Return whether an opaque image is white or black outside of ``stated``, and so shows nothing there.

    A format without transparency, such as JPEG, has no other way to say that there are no data. An image that has
    anything there is painted whole, as extents are stated wrongly now and then.
    """
    if stated.contains(image.rect()):
        return False
    colours = pixel_rows(image).view("uint8").reshape(image.height(), image.width(), 4)[..., :3]

    def is_plain(distance: int, differs: int) -> bool:
        left, top = max(0, stated.left() - distance), max(0, stated.top() - distance)
        right, bottom = (max(0, end + 1 + distance) for end in (stated.right(), stated.bottom()))
        beyond = [part for part in (colours[:top], colours[bottom:], colours[:, :left], colours[:, right:])
                  if part.size]
        return bool(beyond) and (min(int(part.min()) for part in beyond) >= 255 - differs or
                                 max(int(part.max()) for part in beyond) <= differs)

    # lossy formats change the pixels beside an edge, but not to the colours of a symbol
    return is_plain(_EDGE_NOISE, _PLAIN) and is_plain(_EDGE, _NOISY)


def _missing_brush(dots: float) -> QBrush:
    brush = QBrush(MISSING_COLOUR, Qt.BrushStyle.BDiagPattern)
    # as wide on the paper at any resolution: Qt's pattern repeats every 8 pixels
    size = max(1.0, _HATCH_MM * dots / 8)
    brush.setTransform(QTransform.fromScale(size, size))
    return brush


def _for_pdf(image: QImage) -> QImage:
    """Return an image with transparent black made transparent white, as QGIS writes it (QgsRasterDrawer)."""
    plain = QImage(converted(image, QImage.Format.Format_ARGB32))
    pixels = pixel_rows(plain, writable=True)
    pixels[pixels == 0] = 0x00FFFFFF
    return plain


class _ImageRaster(PythonRaster):
    """A raster that answers QGIS's own pipe with one image."""

    def __init__(self, crs: QgsCoordinateReferenceSystem, extent: QgsRectangle, image: QImage) -> None:
        super().__init__(crs, extent)
        self._image = image

    def block(self, _band: int, _extent: QgsRectangle, width: int, height: int,
              _feedback: Optional[QgsRasterBlockFeedback] = None) -> QgsRasterBlock:
        """QGIS: return the image, which is the one that was planned for this block."""
        block = QgsRasterBlock(self.dataType(1), width, height)
        if (self._image.width(), self._image.height()) == (width, height):
            block.setImage(self._image)
        return block


class StyledImage:
    """The image of a layer as its style shows it, made from its pieces when it is drawn."""

    is_opaque, box = False, (0, 0, 0, 0)

    def __init__(self, request: PixelRequest, parts: Sequence[_Part],
                 style: Callable[[QImage, Viewport], QImage]) -> None:
        self._request, self._parts, self._style = request, parts, style

    def read(self, _piece: ImagePiece) -> QImage:
        return self._style(_composed(self._request, self._parts), self._request.viewport)

    def release(self) -> None:
        """Keep the pieces, which are as large as there is room for."""


def _styled(request: PixelRequest, parts: Sequence[_Part]) -> Sequence[_Part]:
    """Return the parts as the layer's style shows them, warped into the map's CRS: by QGIS's own pipe."""
    area, style = request.viewport, _style(request)
    if style is None:
        return parts
    is_whole = all(part.pixels is not None for part in parts)
    # a page that lacks an image is a stamped one: all of the layer's place is hatched
    return [_Part(area.left, area.top, ImagePiece(0, 0, area.width, area.height, 0, 0, (area.width, area.height)),
                  StyledImage(request, parts, style) if is_whole else None)]


def _blocks(request: TiledRequest, pieces: Sequence[FetchedPiece]) -> Iterator[_Part]:
    """Yield the blocks of a layer of tiles, which are painted when they are drawn."""
    style = _style(request) or (lambda image, _area: image)
    for number, block in enumerate(request.blocks):
        area = block.viewport
        yield _Part(area.left, area.top, ImagePiece(0, 0, area.width, area.height, 0, 0, (area.width, area.height)),
                    BlockImage(request, number, pieces, _missing_brush(request.settings.outputDpi() / 25.4), style))


def _style(request: PixelRequest) -> Optional[Callable[[QImage, Viewport], QImage]]:
    """Return what makes of a layer's image that of an area of the map, by QGIS's own pipe, or None if it is that."""
    layer, settings = request.layer, request.settings
    with in_style(layer, settings.layerStyleOverrides().get(layer.id(), "")):
        stages = _stages(layer)
    if layer.crs() != settings.destinationCrs():
        projector = QgsRasterProjector()
        projector.setCrs(layer.crs(), settings.destinationCrs(), settings.transformContext())
        stages.append(projector)
    if not stages:
        return None
    crs, extent = layer.crs(), layer.extent()

    def styled(image: QImage, area: Viewport) -> QImage:
        source: Any = _ImageRaster(crs, extent, image)
        held = [source]
        for stage in stages:
            stage.setInput(source)
            source = stage
            held.append(source)
        return converted(source.block(1, area.extent, area.width, area.height).image(), _PREMULTIPLIED)

    return styled


def _stages(layer: QgsRasterLayer) -> List[Any]:
    """Return copies of the parts of a layer's style that change its pixels."""
    renderer, brightness, hue = layer.renderer(), layer.brightnessFilter(), layer.hueSaturationFilter()
    stages: List[Any] = []
    if renderer is not None and renderer.opacity() < 1.0:
        stages.append(renderer.clone())
    if brightness is not None and (brightness.brightness() or brightness.contrast() or brightness.gamma() != 1.0):
        stages.append(brightness.clone())
    if hue is not None and (hue.saturation() or hue.grayscaleMode() != hue.GrayscaleMode.GrayscaleOff
                            or hue.colorizeOn() or hue.invertColors()):
        stages.append(hue.clone())
    return stages


def _composed(request: PixelRequest, parts: Sequence[_Part]) -> QImage:
    """Return the image of a whole window from its pieces."""
    image = QImage(request.window.width, request.window.height, _PREMULTIPLIED)
    image.fill(QColor(0, 0, 0, 0))
    painter = QPainter(image)
    # what lies beyond the seams of a piece is transparent, and another one's
    for part in parts:
        if part.pixels is not None:
            pixels, (left, top) = part.pixels.read(part.piece), part.pixels.box[:2]
            if not pixels.isNull():
                painter.drawImage(QPoint(part.piece.left + left, part.piece.top + top), pixels)
            part.pixels.release()
    painter.end()
    return image


def _difference(settings: QgsMapSettings, other: QgsMapSettings) -> float:
    """Return how far two maps differ in scale and place, 0 for one map in two sizes."""
    area, place = settings.extent(), other.extent().center()
    shift = max(abs(area.center().x() - place.x()) / area.width(), abs(area.center().y() - place.y()) / area.height())
    is_far = settings.destinationCrs() != other.destinationCrs()
    return float(shift + abs(math.log(settings.scale() / other.scale())) + (1e6 if is_far else 0.0))


def _covered(layer: QgsRasterLayer, settings: QgsMapSettings) -> float:
    """Return the share of a map (0 to 1) whose pixels of ``layer`` are opaque, in a sample with the layer's style."""
    to_layer = QgsCoordinateTransform(settings.destinationCrs(), layer.crs(), settings.transformContext())
    try:
        area = to_layer.transformBoundingBox(settings.visibleExtent())
    except QgsCsException:
        return 0.0
    sample = converted(layer.pipe().last().block(1, area, _SAMPLE_SIDE, _SAMPLE_SIDE).image(), _PREMULTIPLIED)
    whole = ImagePiece(0, 0, _SAMPLE_SIDE, _SAMPLE_SIDE, 0, 0, (_SAMPLE_SIDE, _SAMPLE_SIDE))
    return 0.0 if sample.isNull() else covered_share(sample, whole)


def _asks_nobody(layer: QgsMapLayer) -> bool:
    source = drawn_source(layer)
    return kind_of(source).proof(source) is SourceProof.LOCAL


def _reduced(settings: QgsMapSettings, side: int) -> QgsMapSettings:
    """Return the settings of a map's picture whose longer side is of ``side`` pixels, or of as many as it has."""
    small, size = QgsMapSettings(settings), settings.outputSize()
    share = min(1.0, side / max(size.width(), size.height(), 1))
    small.setOutputSize(size * share)
    small.setOutputDpi(settings.outputDpi() * share)
    return small


class LocalDrawing:
    """The layers that stand for those of the web, by their ids, and what is drawn with them."""

    def __init__(self, requests: Sequence[LayerRequest], pieces: Sequence[Fetched]) -> None:
        self.layers: Dict[str, QgsMapLayer] = {}
        #: layers that read files of a map, by their ids
        self._copies: Dict[str, List[Tuple[FileRequest, QgsMapLayer]]] = {}
        #: names of layers, by the folders of their files, and of those that asked for others
        self._folders: Dict[str, str] = {}
        self._missing: Dict[str, None] = {}
        #: names of layers that are left to QGIS
        self._unproved: Dict[str, None] = {}
        #: files that have not come
        self._failed: Set[str] = set()
        # a layout refers to its layers weakly
        self._groups: List[QgsMapLayer] = []
        self._planned: List[PixelRequest] = []
        #: one request of each map
        self._maps: Dict[int, LayerRequest] = {}
        try:
            self.add(requests, pieces)
        except CartoguideError:
            self.clear()
            raise

    def add(self, requests: Sequence[LayerRequest], pieces: Sequence[Fetched]) -> None:
        """Let the layers also show these images. What was drawn so far counts no more."""
        for layer in self.layers.values():
            if isinstance(layer, ProvedLayer):
                layer.undrawn.clear()
        for request in requests:
            self._maps.setdefault(id(request.settings), request)
            if isinstance(request, PixelRequest):
                self._planned.append(request)
                drawn = self.layers.get(request.layer_id)
                if drawn is None:
                    drawn = self.layers[request.layer_id] = ProvedLayer(request.layer)
                drawn.add_picture(request, [one for one in pieces
                                            if isinstance(one, FetchedPiece) and one.request is request])
            elif isinstance(request, FeatureRequest) and request.source and request.layer_id not in self.layers:
                self.layers[request.layer_id] = feature_layer(request.layer, request.source, [
                    one for one in pieces if isinstance(one, FetchedFeatures) and (
                        one.request.layer_id == request.layer_id)])
            elif isinstance(request, FileRequest):
                self._add_files(request, [one for one in pieces if isinstance(one, FetchedFile)
                                          and one.request.folder == request.folder])

    def _add_files(self, request: FileRequest, files: Sequence[FetchedFile]) -> None:
        """Let a layer read the files of a map, which are in one folder."""
        if request.source is None or not files:
            return
        copy: QgsMapLayer
        known = next((copy for planned, copy in self._copies.get(request.layer_id, ())
                      if planned.folder == request.folder), None)
        if known is not None:
            if isinstance(known, ProvedLayer):
                known.add_missing(request.settings)
            self._copies[request.layer_id].append((request, known))
            return
        if any(one.is_unproved for one in files):
            self._unproved[request.title] = None
            return
        folder = files[0].path.parent
        folder.mkdir(exist_ok=True)
        self._failed.update(str(one.path) for one in files if one.error is not None)
        try:
            copy = file_layer(request.layer, request.source, folder)
            if request.source.may_be_too_large and not is_same_data(copy, request.layer):
                # files beside it say where it lies
                self._unproved[request.title] = None
                return
        except CartoguideError:
            if all(one.error is None for one in files):
                raise
            # the page is a stamped one
            copy = ProvedLayer(request.layer)
            copy.add_missing(request.settings)
        if leaves_shapes_out(copy):
            self._unproved[request.title] = None
        self.layers.setdefault(request.layer_id, copy)
        self._copies.setdefault(request.layer_id, []).append((request, copy))
        self._folders[folder.name] = request.title

    def covering(self) -> List[TrialRequest]:
        """Return the share of the map where a layer hides others: a raster of files, and one's own above the web's."""
        size = (_SAMPLE_SIDE, _SAMPLE_SIDE)
        rasters = [(request, request.title, _covered(copy, request.settings))
                   for copies in self._copies.values() for request, copy in copies
                   if request.hides_others and isinstance(copy, QgsRasterLayer) and not isinstance(copy, ProvedLayer)]
        return [TrialRequest(title, request.service, None, size, covered=covered, pages=(request.page, ), is_tile=True)
                for request, title, covered in [*rasters, *(
                    (replace(request, service=layer.name()), layer.name(), self._hidden_by(layer, request))
                    for request in self._maps.values() for layer in self._own_above(request.settings))]]

    def _own_above(self, settings: QgsMapSettings) -> List[QgsMapLayer]:
        """Return the layers of a map that ask no server, lie above one that does, and may let nothing through."""
        layers = settings.layers()
        lowest = max((number for number, layer in enumerate(layers)
                      if any(part.id() in self.layers for part in drawn_parts(layer))), default=0)
        return [layer for layer in layers[:lowest] if all(map(_asks_nobody, drawn_parts(layer)))
                and layer.opacity() >= 1.0 and layer.blendMode() == QPainter.CompositionMode.CompositionMode_SourceOver
                and layer.isInScaleRange(settings.scale())
                and not (isinstance(layer, QgsVectorLayer) and layer.geometryType() != compat.polygon_geometry())]

    def _hidden_by(self, layer: QgsMapLayer, request: LayerRequest) -> float:
        """Return the share of a map (0 to 1) where nothing is seen through a layer, by a small picture."""
        image = self.paint(layer, _reduced(request.settings, _COVERING_SIDE))
        return covered_share(image, ImagePiece(0, 0, image.width(), image.height(), 0, 0,
                                               (image.width(), image.height())))

    def seen(self, pieces: Sequence[Fetched]) -> List[TrialRequest]:
        """Return the results for the preflight's rules. Features or tiles of which the style shows nothing are empty.
        """
        trials = [(piece.request, piece.to_trial_request()) for piece in pieces]
        came = {id(request): request for request, trial in trials if isinstance(request, (FeatureRequest, FileRequest))
                and not (trial.error or trial.is_empty)}
        hidden = {key for key, request in came.items() if self._shows_nothing(request)}
        return [replace(trial, count=0) if id(request) in hidden else trial for request, trial in trials]

    def _shows_nothing(self, request: LayerRequest) -> bool:
        """Return whether a layer draws nothing of the features or files that came for a map, by a small picture."""
        shown = self._stand_in(request.layer, request.settings)
        if shown is request.layer or isinstance(shown, ProvedLayer):
            return False
        image = self.paint(request.layer, _reduced(request.settings, _SEEN_SIDE))
        blank = QImage(image.size(), image.format())
        blank.fill(0)
        return bool(image == blank)

    def lost_in_mixing(self, item: QgsLayoutItemMap, dpi: float, as_image: bool) -> List[MapFinding]:
        """Return a warning for each layer of the web that its blending mode loses on what lies below it.

        White stays white where it is lightened, for example.
        """
        settings = map_settings(item.layout(), item, dpi, as_image)
        layers = settings.layers()
        mixed = [layer for layer in layers if layer.blendMode() not in _DARKENING
                 and any(part.id() in self.layers for part in drawn_parts(layer))]
        ground = item.backgroundColor() if item.hasBackground() else QColor(255, 255, 255)
        whole = self._painted(layers, settings, ground) if mixed else QImage()
        return [MapFinding("lost", Severity.WARNING, tr(
                    "Nothing is seen of “{layer}”: its blending mode loses it on what lies below.", layer=layer.name()),
                           tr("Choose another blending mode."), service_title(layer)) for layer in mixed
                if self._painted([other for other in layers if other is not layer], settings, ground) == whole]

    def unproved(self) -> List[str]:
        """Return the names of the layers that are drawn by their own requests, where a whole file proves nothing."""
        return list(self._unproved)

    def note_reply(self, reply: QgsNetworkReplyContent) -> None:
        """Note a file that a layer asks for and that was not planned."""
        url = reply.request().url()
        path = Path(url.toLocalFile()) if url.isLocalFile() else Path()
        name = self._folders.get(path.parent.name)
        if name is not None and str(path) not in self._failed and not path.exists():
            self._missing[name] = None

    def undrawn(self) -> List[str]:
        """Return the names of the layers that were drawn in another way than planned."""
        return [layer.name() for layer in self.layers.values() if isinstance(layer, ProvedLayer) and layer.undrawn
                ] + list(self._missing)

    def plan_undrawn(self) -> List[PixelRequest]:
        """Return what the maps need that QGIS drew in another size than planned. Main thread only."""
        found: List[PixelRequest] = []
        views: List[MapView] = []
        for layer_id, layer in self.layers.items():
            for view in layer.undrawn if isinstance(layer, ProvedLayer) else ():
                if any(view.is_same(known) for known in views):
                    continue
                views.append(view)
                for planned in (one for one in self._planned if one.layer_id == layer_id):
                    settings = drawn_otherwise(planned.settings, view)
                    if settings is not None:
                        factors = {one.layer_id: one.symbol_factor for one in self._planned
                                   if one.settings is planned.settings}
                        found += [one for one in plan_map(settings, factors, planned.page)
                                  if isinstance(one, PixelRequest)]
                        break
        return found

    def _stand_ins(self, layers: Sequence[QgsMapLayer], settings: QgsMapSettings) -> List[QgsMapLayer]:
        """Return ``layers`` with those of the web replaced, those in groups that are drawn as one layer too."""
        return [self._stand_in(layer, settings) for layer in layers]

    def _stand_in(self, layer: QgsMapLayer, settings: QgsMapSettings) -> QgsMapLayer:
        if not any(part.id() in self.layers for part in drawn_parts(layer)):
            return layer
        if layer.id() in self._copies:
            return min(self._copies[layer.id()], key=lambda one: _difference(one[0].settings, settings))[1]
        if layer.id() in self.layers:
            return self.layers[layer.id()]
        # not a copy: a group lets layers that leave it forget their blending mode
        group, style = type(layer)(layer.name(), type(layer).LayerOptions(layer.transformContext())), QgsMapLayerStyle()
        style.readFromLayer(layer)
        style.writeToLayer(group)
        group.setChildLayers(self._stand_ins(layer.childLayers(), settings))
        self._groups.append(group)
        return group

    def show(self, item: QgsLayoutItemMap) -> None:
        """Let a layout's map show what it shows now, with the layers of the web replaced."""
        settings = map_settings(item.layout(), item, 96.0, False)
        # QGIS adds the project's own annotations itself
        notes = annotations_of(item.layout().project())
        layers = [layer for layer in settings.layers() if layer not in notes]
        shown = self._stand_ins(layers, settings)
        styles = map_styles(settings, layer_factors(item.layout(), item, layers))
        if shown == layers and styles == settings.layerStyleOverrides():
            return
        # a map whose layers a theme or an expression chooses asks the project for them
        item.setFollowVisibilityPreset(False)
        properties = item.dataDefinedProperties()
        for name in CHOOSING_PROPERTIES:
            properties.setProperty(compat.enum_value(name), QgsProperty())
        # QGIS before 3.32 makes no copies of groups
        kept = map_layers(item, shown)
        self._groups += kept
        item.setLayers(kept)
        if styles:
            item.setKeepLayerStyles(True)
            _set_styles(item, styles)

    def clear(self) -> None:
        """Delete the layers that stand for others, on the thread that made them.

        An error that was raised meanwhile holds this object, and may be deleted by any thread.
        """
        self.layers.clear()
        self._copies.clear()
        self._groups.clear()

    def draw(self, item: QgsLayoutItemMap, layer: QgsMapLayer, dpi: float,
             as_image: bool) -> Tuple[QImage, QgsMapSettings]:
        """Return the image of one layer of a layout's map, as its export draws it, and its settings."""
        settings = map_settings(item.layout(), item, dpi, as_image)
        settings.setLayers([layer])
        return self.paint(layer, settings), settings

    def draw_map(self, item: QgsLayoutItemMap, dpi: float, as_image: bool) -> QImage:
        """Return the image of a layout's map, as its export draws it, without its grid and frame."""
        settings = map_settings(item.layout(), item, dpi, as_image)
        return self._painted(settings.layers(), settings)

    def paint(self, layer: QgsMapLayer, settings: QgsMapSettings) -> QImage:
        """Return the image of one layer alone as a drawing with ``settings`` has it."""
        return self._painted([layer], settings)

    def _painted(self, layers: Sequence[QgsMapLayer], settings: QgsMapSettings,
                 ground: QColor = TRANSPARENT_GROUND) -> QImage:
        alone = QgsMapSettings(settings)
        alone.setLayers(self._stand_ins(layers, settings))
        alone.setBackgroundColor(QColor(0, 0, 0, 0))
        image = QImage(alone.outputSize(), _PREMULTIPLIED)
        image.fill(ground)
        painter = QPainter(image)
        try:
            QgsMapRendererCustomPainterJob(alone, painter).renderSynchronously()
        finally:
            painter.end()
        return image


def _set_styles(item: QgsLayoutItemMap, styles: Dict[str, str]) -> None:
    """Set the styles of a map's layers, and leave those of its legend, which was fitted to its place."""
    was_blocked = item.blockSignals(True)
    item.setLayerStyleOverrides(styles)
    item.blockSignals(was_blocked)


@contextmanager
def drawn_locally(layouts: Sequence[QgsPrintLayout], requests: Sequence[LayerRequest],
                  pieces: Sequence[Fetched]) -> Iterator[LocalDrawing]:
    """Let the maps of ``layouts`` draw from the images that came, within the context. Main thread only.

    The layouts are copies that nobody else draws meanwhile.
    """
    drawing = LocalDrawing(requests, pieces)
    finished = QgsNetworkAccessManager.instance().finished[QgsNetworkReplyContent]
    changed: List[Tuple[QgsLayoutItemMap, List[QgsMapLayer], bool, bool, Dict[str, str], QgsPropertyCollection]] = []
    finished.connect(drawing.note_reply)
    try:
        for layout in layouts:
            for item in visible_maps(layout):
                changed.append((item, map_layers(item, item.layers()), item.followVisibilityPreset(),
                                item.keepLayerStyles(), item.layerStyleOverrides(),
                                QgsPropertyCollection(item.dataDefinedProperties())))
                drawing.show(item)
        yield drawing
    finally:
        finished.disconnect(drawing.note_reply)
        for item, layers, follows, keeps_styles, styles, properties in changed:
            item.setLayers(layers)
            item.setFollowVisibilityPreset(follows)
            item.setKeepLayerStyles(keeps_styles)
            _set_styles(item, styles)
            item.setDataDefinedProperties(properties)
        drawing.clear()
