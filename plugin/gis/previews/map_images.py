"""Images of maps for pictures of pages, fetched once for all pages that show the same area.

The images of services are fetched and judged as those of an export, and painted as soon as they have come. QGIS's
parallel renderer draws all other layers in other threads, and puts both together. An image is drawn on while its page
is drawn anew for another reason, such as a longer title, and is used again while its layers are the same.
"""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path
from typing import Any, Dict, Iterable, List, Optional, Set, Tuple

from qgis.core import (
    Qgis,
    QgsLayoutItemMap,
    QgsMapLayer,
    QgsMapRendererCache,
    QgsMapRendererParallelJob,
    QgsMapSettings,
    QgsRectangle,
)
from qgis.PyQt.QtCore import QMetaObject, QObject, QRect, QSizeF, pyqtSignal
from qgis.PyQt.QtGui import QColor, QImage

from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.sources.layer_source import SourceType
from ...core.wms.requests.tile_overlap import ImagePiece
from ..credits.layer_metadata import is_drawn_at
from ..layouts.symbol_size import layer_factors, map_styles
from ..network.drawn_errors import ConfirmedImages
from ..pixels.fetch import Fetched, FetchedPiece, Keep, fetch_pixels
from ..pixels.plan import plan_map
from ..pixels.raster import LocalDrawing
from ..pixels.request import PixelRequest, RequestedPiece
from ..runtime import tasks
from ..runtime.conversions import rectangle_box
from ..runtime.drawn_source import drawn_source
from ..runtime.main_thread import single_shot, when_undisturbed
from ..runtime.thread_pool import ExtraSlots
from ..sources.layer_source import drawn_parts

_MM = 25.4
#: layers of which each waits for its server in a thread of its own
_MAX_WAITING = 8
#: pixels of the ground by those that a page wishes, between which an image of another page is good enough: that of a
#: small picture is drawn several times as large as it is shown
_FINEST, _COARSEST = 0.1, 3.0
#: sides of the page by the side of the area that pages share: that of the next larger paper
_SHARED_SIDES = 2**0.5
#: pixels by which an area may lie outside an image, as pixels are not cut
_TOLERANCE = 1.0
#: sources that are drawn without a request
_LOCAL = frozenset((SourceType.FILE, SourceType.MEMORY, SourceType.VIRTUAL, SourceType.ANNOTATIONS))
#: milliseconds after which the images that have come are shown while others are awaited
_PARTS_MS = 250

#: renderers that were cancelled and their caches, until they have ended: a job that is deleted before would block
_ending: List[Tuple[QgsMapRendererParallelJob, QgsMapRendererCache]] = []

Pieces = List[Fetched]


class MapImage:
    """The image of an area of a map, as far as it has been drawn."""

    def __init__(self, content: Tuple[Any, ...], area: QgsRectangle, units_per_pixel: float, settings: QgsMapSettings,
                 requests: List[PixelRequest]) -> None:
        """``area`` is in the map's CRS. What is drawn differs from it by less than a pixel.

        ``requests`` are for the layers that QGIS sends no requests for.
        """
        layers = settings.layers()
        self.content, self.settings, self.requests = content, settings, requests
        self.layer_ids = frozenset(layer.id() for layer in layers)
        #: of those that are fetched, which are hatched where they failed
        self.fetched_ids = frozenset(request.layer_id for request in requests)
        self.extent, self.units_per_pixel = QgsRectangle(area), units_per_pixel
        #: whether it may be used for another page
        self.is_reusable = True
        #: the renderer, which draws it for the first time or again with more layers than before
        self.job: Optional[QgsMapRendererParallelJob] = None
        # a renderer that has just ended lives until the next one does: it may be within the signal that tells it
        self._former: Optional[QgsMapRendererParallelJob] = None
        #: the jobs that fetch, by the ids of their layers
        self.fetching: Dict[str, tasks.Job] = {}
        #: whether there is more than the renderer draws
        self.is_outdated = True
        #: images of single layers, from which QGIS puts the image together
        self._cache = QgsMapRendererCache()
        self._cache.updateParameters(settings.visibleExtent(), settings.mapToPixel())
        self._image = QImage()
        self._pieces: Pieces = []
        self._painted: Set[str] = set()
        #: layers for which QGIS made no layer that paints their images, by their ids, and why
        self.left_out: Dict[str, CartoguideError] = {}
        self._connections: List[QMetaObject.Connection] = []
        for layer in layers:
            self._connections.append(layer.repaintRequested.connect(self.forbid_reuse))

    def forbid_reuse(self, *_: object) -> None:
        """Leave it to the page that uses it, because a layer looks different now or a request has failed."""
        self.is_reusable = False

    def end(self) -> None:
        """Stop listening to the layers, and drawing and fetching, without waiting for it."""
        for connection in self._connections:
            QObject.disconnect(connection)
        self._connections = []
        for job in self.fetching.values():
            job.cancel()
        if self.job is not None and self.job.isActive():
            _ending.append((self.job, self._cache))
            self.job.finished.connect(_forget_ended)
            self.job.cancelWithoutBlocking()

    @property
    def is_finished(self) -> bool:
        """True if all has been drawn."""
        return not self.is_outdated and not self.fetching and self.job is not None and not self.job.isActive()

    def take(self, pieces: Pieces) -> None:
        """Take what came of a layer's images."""
        self._pieces += pieces
        self.is_outdated = True

    def start(self) -> QgsMapRendererParallelJob:
        """Draw what is there, in other threads. Images that came are painted at once."""
        self.is_outdated = False
        shown = []
        for layer in self.settings.layers():
            parts = {part.id() for part in drawn_parts(layer)}
            if parts.isdisjoint(self.fetching) and (layer.id() in self._painted or parts.isdisjoint(self.fetched_ids)
                                                    or self._paint(layer, parts)):
                shown.append(layer)
        settings = QgsMapSettings(self.settings)
        settings.setLayers(shown)
        if self.job is not None:
            self._image = self.job.renderedImage()
        self._former, self.job = self.job, QgsMapRendererParallelJob(settings)
        self.job.setCache(self._cache)
        return self.job

    def _paint(self, layer: QgsMapLayer, parts: Set[str]) -> bool:
        """Paint the images that came of a layer. Return False, and leave it out, if QGIS makes no layer that does."""
        if not parts.isdisjoint(self.left_out):
            return False
        try:
            drawing = LocalDrawing([request for request in self.requests if request.layer_id in parts], self._pieces)
        except CartoguideError as error:
            self.left_out.update(dict.fromkeys(parts & self.fetched_ids, error))
            self.forbid_reuse()
            return False
        self._cache.setCacheImage(layer.id(), drawing.paint(layer, self.settings))
        self._painted.add(layer.id())
        drawing.clear()
        return True

    def cut(self, extent: QgsRectangle) -> QImage:
        """Return the part of ``extent``, in the map's CRS, as far as it has been drawn."""
        is_first = self._image.isNull() or self.job is None or not self.job.isActive()
        image = self.job.renderedImage() if self.job is not None and is_first else self._image
        if image.isNull() or not extent.width() or not self.extent.width():
            return image
        across, down = image.width() / self.extent.width(), image.height() / self.extent.height()
        part = QRect(round((extent.xMinimum() - self.extent.xMinimum()) * across),
                     round((self.extent.yMaximum() - extent.yMaximum()) * down),
                     max(1, round(extent.width() * across)), max(1, round(extent.height() * down)))
        return image if part == image.rect() else image.copy(part)

    def layer_image(self, layer_id: str) -> QImage:
        """Return the image of one layer alone, null if it has not been drawn."""
        return self._cache.cacheImage(layer_id)

    def shows(self, extent: QgsRectangle, units_per_pixel: float) -> bool:
        """Return whether it has just this area, in this resolution."""
        margin = units_per_pixel / 100
        return abs(self.units_per_pixel / units_per_pixel - 1) < 1e-3 and all(
            abs(one - other) < margin for one, other in zip(rectangle_box(self.extent), rectangle_box(extent)))

    def covers(self, extent: QgsRectangle, units_per_pixel: float) -> bool:
        """Return whether it has this area in a resolution that is good enough for a small picture."""
        return _FINEST <= self.units_per_pixel / units_per_pixel <= _COARSEST and self.extent.buffered(
            _TOLERANCE * self.units_per_pixel).contains(extent)


class MapImages(QObject):
    """The images of one picture, or of several that share them. Main thread only.

    ``finished`` is emitted when one has been drawn, or parts of it, ``fetched`` with the FetchedPieces of a layer, and
    ``left_out`` with the id of one that is not painted although its images came, and the CartoguideError that says why.
    """

    finished = pyqtSignal()
    fetched = pyqtSignal(list)
    left_out = pyqtSignal(str, object)

    def __init__(self, is_shared: bool, parent: Optional[QObject] = None) -> None:
        """With ``is_shared`` an image is drawn for an area as large as the whole page, from which other pages are cut.
        """
        super().__init__(parent)
        self._is_shared = is_shared
        self._images: List[MapImage] = []
        self._slots = ExtraSlots()
        self._confirmed = ConfirmedImages()
        self._parts = single_shot(self, _PARTS_MS, self._draw_parts)

    def find_or_draw(self, item: QgsLayoutItemMap, dpi: float, page_side: float) -> MapImage:
        """Return the image of a layout's map, which is fetched and drawn now if there is none.

        ``dpi`` is its resolution on the page, and ``page_side`` the longer side of the page in millimetres. Symbols are
        as large as in the export, except on an image that pages share. QGIS may handle events.
        """
        extent, pixels = item.extent(), item.mapUnitsToLayoutUnits() * dpi / _MM
        # a rotated map is turned around its own centre
        is_shared = self._is_shared and not item.mapRotation() and any(
            drawn_source(layer).type not in _LOCAL for layer in item.layers())
        factors = {} if is_shared else layer_factors(item.layout(), item, item.layers())
        content = (*_content(item), *factors.values())
        for image in self._images:
            fits = image.covers if is_shared else image.shows
            if image.is_reusable and image.content == content and fits(extent, 1 / pixels):
                return image
        area = next((image for image in self._images if image.covers(extent, 1 / pixels)), None) if is_shared else None
        if area is not None:
            extent, pixels = area.extent, 1 / area.units_per_pixel
        elif is_shared:
            side = max(extent.width(), extent.height(), _SHARED_SIDES * page_side * dpi / _MM / pixels)
            extent = QgsRectangle.fromCenterAndSize(extent.center(), side, side)
        settings = item.mapSettings(extent, QSizeF(extent.width() * pixels, extent.height() * pixels), dpi, True)
        scale = item.scale()
        if any(layer.isInScaleRange(settings.scale()) != is_drawn_at(layer, scale) for layer in settings.layers()):
            # the whole pixels of a picture have another scale
            settings.setOutputDpi(settings.outputDpi() * scale / settings.scale())
        settings.setFlag(Qgis.MapSettingsFlag.ForceVectorOutput, False)
        # the page has the background, which is not the same in all templates
        settings.setBackgroundColor(QColor(0, 0, 0, 0))
        settings.setLayerStyleOverrides(map_styles(settings, factors))
        # features are left to QGIS, which draws them in other threads
        image = MapImage(content, extent, 1 / pixels, settings, [
            request for request in plan_map(settings, factors) if isinstance(request, PixelRequest)])
        self._images.append(image)
        for request in image.requests:
            if request.is_needed:
                self._fetch(image, request)
        if not image.fetching or image.layer_ids - image.fetched_ids:
            self._draw(image)
        return image

    def _fetch(self, image: MapImage, request: PixelRequest) -> None:
        area = request.viewport
        whole = ImagePiece(0, 0, area.width, area.height, 0, 0, (area.width, area.height))

        def fetch(feedback: tasks.Feedback) -> Pieces:
            with tempfile.TemporaryDirectory() as folder:
                return fetch_pixels([request], feedback, Path(folder), 1, Keep.PIXELS, self._confirmed)

        def take(pieces: Pieces) -> None:
            del image.fetching[request.layer_id]
            image.take(pieces)
            if any(piece.error for piece in pieces) and not self._is_shared:
                # those that several pages share are left: each page would send the request that fails
                image.forbid_reuse()
            self.fetched.emit(pieces)
            if not image.fetching:
                self._draw(image)
            elif not self._parts.isActive():
                self._parts.start()

        image.fetching[request.layer_id] = tasks.start(
            tr("Loading the map images"), fetch, take,
            lambda error: take([FetchedPiece(request, RequestedPiece("", whole), error=error)]), self)

    def _draw_parts(self) -> None:
        for image in self._images:
            if image.is_outdated:
                self._draw(image)

    def _draw(self, image: MapImage) -> None:
        """Draw what there is of an image, now or when its renderer has finished."""
        if image.job is not None and image.job.isActive():
            return
        former = set(image.left_out)
        job = image.start()
        for layer_id in image.left_out.keys() - former:
            self.left_out.emit(layer_id, image.left_out[layer_id])
        # QGIS handles its end also while it changes the source of a layer, which cannot be copied then
        job.finished.connect(partial(when_undisturbed, partial(self._on_finished, image)))
        waiting = sum(len(one.layer_ids - one.fetched_ids) for one in self._images if not one.is_finished)
        # one more for the legends, whose job waits in the same pool on some versions of QGIS
        self._slots.add(min(waiting, _MAX_WAITING) + 1)
        job.start()

    def forbid_reuse(self) -> None:
        """Draw all anew for the next page."""
        for image in self._images:
            image.forbid_reuse()

    def keep_only(self, images: Iterable[MapImage]) -> None:
        """Forget all others, and cancel those that are being drawn."""
        kept = list(images)
        self._forget([image for image in self._images if not any(image is one for one in kept)])

    def cancel(self) -> None:
        """Cancel those that are being drawn."""
        self._forget([image for image in self._images if not image.is_finished])

    def clear(self) -> None:
        self._forget(list(self._images))

    @property
    def is_drawing(self) -> bool:
        """True while any image is being drawn."""
        return any(not image.is_finished for image in self._images)

    def _forget(self, images: List[MapImage]) -> None:
        for image in images:
            self._images.remove(image)
            image.end()
        if not self.is_drawing:
            self._slots.remove()

    def _on_finished(self, image: MapImage) -> None:
        if not any(image is one for one in self._images):
            return
        if image.is_outdated:
            self._draw(image)
            return
        if not self.is_drawing:
            self._slots.remove()
        self.finished.emit()


def _content(item: QgsLayoutItemMap) -> Tuple[Any, ...]:
    """Return what a map shows, without its area: layers with their looks, CRS, turn and time."""
    scale = item.scale()
    # the source of a layer in memory is all of its features
    layers = tuple((layer.id(), "" if drawn_source(layer).type is SourceType.MEMORY else layer.source(),
                    layer.opacity(), layer.blendMode(), layer.isInScaleRange(scale)) for layer in item.layers())
    span = item.temporalRange() if item.isTemporal() else None
    times = (span.begin().toString("O"), span.end().toString("O")) if span is not None else ()
    theme = item.followVisibilityPresetName() if item.followVisibilityPreset() else ""
    return layers, item.crs().authid() or item.crs().toProj(), item.mapRotation(), times, theme


def _forget_ended() -> None:
    _ending[:] = [(job, cache) for job, cache in _ending if job.isActive()]
