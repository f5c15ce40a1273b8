"""Images of maps for pictures of pages, requested once for all pages that show the same area.

QGIS's parallel renderer draws them in other threads. An image is drawn on while its page is drawn anew for another
reason, such as a longer title, and is used again while its layers are the same.
"""

from __future__ import annotations

from typing import Any, Iterable, List, Optional, Tuple

from qgis.core import (
    QgsLayoutItemMap,
    QgsMapRendererCache,
    QgsMapRendererParallelJob,
    QgsNetworkAccessManager,
    QgsNetworkReplyContent,
    QgsNetworkRequestParameters,
    QgsRectangle,
)
from qgis.PyQt.QtCore import QMetaObject, QObject, QRect, QSizeF, pyqtSignal
from qgis.PyQt.QtGui import QColor, QImage
from qgis.PyQt.QtNetwork import QNetworkReply, QNetworkRequest

from ..runtime import compat
from ..runtime.compat import enum_value
from ..runtime.thread_pool import ExtraSlots

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
#: providers that request nothing from a server
_LOCAL = frozenset({"memory", "ogr", "gdal"})
#: requests without which a map is drawn all the same
_NOT_OF_MAPS = ("getlegendgraphic", "getstyles", "getcapabilities")

#: renderers that were cancelled and their caches, until they have ended: a job that is deleted before would block
_ending: List[Tuple[QgsMapRendererParallelJob, Optional[QgsMapRendererCache]]] = []


class MapImage:
    """The image of an area of a map, as far as it has been drawn."""

    def __init__(self, content: Tuple[Any, ...], area: QgsRectangle, units_per_pixel: float,
                 job: QgsMapRendererParallelJob, layer_cache: Optional[QgsMapRendererCache] = None) -> None:
        """``area`` is in the map's CRS. What is drawn differs from it by less than a pixel.

        ``layer_cache`` is the renderer's, if the images of its layers are wanted too.
        """
        settings = job.mapSettings()
        layers = settings.layers()
        self.content, self.layer_count = content, len(layers)
        self.extent, self.units_per_pixel = QgsRectangle(area), units_per_pixel
        #: whether it may be used for another page
        self.is_reusable = True
        self.job = job
        self.layer_cache = layer_cache
        self._connections: List[QMetaObject.Connection] = []
        for layer in layers:
            self._connections.append(layer.repaintRequested.connect(self.forbid_reuse))

    def forbid_reuse(self, *_: object) -> None:
        """Leave it to the page that uses it, because a layer looks different now or a request has failed."""
        self.is_reusable = False

    def release(self) -> None:
        """Stop listening to the layers."""
        for connection in self._connections:
            QObject.disconnect(connection)
        self._connections = []

    @property
    def is_finished(self) -> bool:
        """True if all has been drawn."""
        return not self.job.isActive()

    def cut(self, extent: QgsRectangle) -> QImage:
        """Return the part of ``extent``, in the map's CRS, as far as it has been drawn."""
        image = self.job.renderedImage()
        if image.isNull() or not extent.width() or not self.extent.width():
            return image
        across, down = image.width() / self.extent.width(), image.height() / self.extent.height()
        part = QRect(round((extent.xMinimum() - self.extent.xMinimum()) * across),
                     round((self.extent.yMaximum() - extent.yMaximum()) * down),
                     max(1, round(extent.width() * across)), max(1, round(extent.height() * down)))
        return image if part == image.rect() else image.copy(part)

    def layer_image(self, layer_id: str) -> QImage:
        """Return the image of one layer alone, null if it was not kept or has not been drawn."""
        return self.layer_cache.cacheImage(layer_id) if self.layer_cache is not None else QImage()

    def shows(self, extent: QgsRectangle, units_per_pixel: float) -> bool:
        """Return whether it has just this area, in this resolution."""
        margin = units_per_pixel / 100
        return abs(self.units_per_pixel / units_per_pixel - 1) < 1e-3 and all(
            abs(one - other) < margin for one, other in zip(_corners(self.extent), _corners(extent)))

    def covers(self, extent: QgsRectangle, units_per_pixel: float) -> bool:
        """Return whether it has this area in a resolution that is good enough for a small picture."""
        return _FINEST <= self.units_per_pixel / units_per_pixel <= _COARSEST and self.extent.buffered(
            _TOLERANCE * self.units_per_pixel).contains(extent)


class MapImages(QObject):
    """The images of one picture, or of several that share them. Main thread only.

    ``finished`` is emitted when one has been drawn.
    """

    finished = pyqtSignal()

    def __init__(self, is_shared: bool, parent: Optional[QObject] = None) -> None:
        """With ``is_shared`` an image is drawn for an area as large as the whole page, from which other pages are cut.
        """
        super().__init__(parent)
        self._is_shared = is_shared
        # of single layers, for templates that show each on a map of its own
        self._cache = QgsMapRendererCache() if is_shared else None
        self._images: List[MapImage] = []
        self._slots = ExtraSlots()
        self._is_listening = False

    def find_or_draw(self, item: QgsLayoutItemMap, dpi: float, page_side: float, keep_layers: bool = False,
                     symbol_factor: float = 1.0) -> MapImage:
        """Return the image of a layout's map, which is drawn now if there is none.

        ``dpi`` is its resolution on the page, and ``page_side`` the longer side of the page in millimetres. With
        ``keep_layers`` the images of its layers are kept too, but not of an area that pages share. Symbols are
        ``symbol_factor`` times as large as on A4, except on an image that pages share.
        """
        extent, pixels = item.extent(), item.mapUnitsToLayoutUnits() * dpi / _MM
        # a rotated map is turned around its own centre
        is_shared = self._is_shared and not item.mapRotation() and any(
            layer.providerType() not in _LOCAL for layer in item.layers())
        symbol_factor = 1.0 if is_shared else symbol_factor
        content = (*_content(item), symbol_factor)
        for image in self._images:
            fits = image.covers if is_shared else image.shows
            has_layers = image.layer_cache is not None or not keep_layers or self._is_shared
            if has_layers and image.is_reusable and image.content == content and fits(extent, 1 / pixels):
                return image
        area = next((image for image in self._images if image.covers(extent, 1 / pixels)), None) if is_shared else None
        if area is not None:
            extent, pixels = area.extent, 1 / area.units_per_pixel
        elif is_shared:
            side = max(extent.width(), extent.height(), _SHARED_SIDES * page_side * dpi / _MM / pixels)
            extent = QgsRectangle.fromCenterAndSize(extent.center(), side, side)
        settings = item.mapSettings(extent, QSizeF(extent.width() * pixels, extent.height() * pixels),
                                    dpi * symbol_factor, True)
        settings.setFlag(compat.vector_output_flag(), False)
        # the page has the background, which is not the same in all templates
        settings.setBackgroundColor(QColor(0, 0, 0, 0))
        job = QgsMapRendererParallelJob(settings)
        layer_cache = QgsMapRendererCache() if keep_layers and not self._is_shared else None
        cache = layer_cache or self._cache
        if cache is not None:
            job.setCache(cache)
        image = MapImage(content, extent, 1 / pixels, job, layer_cache)
        self._images.append(image)
        job.finished.connect(self._on_finished)
        self._listen()
        waiting = sum(one.layer_count for one in self._images if not one.is_finished)
        # one more for the legends, whose job waits in the same pool on some versions of QGIS
        self._slots.add(min(waiting + image.layer_count, _MAX_WAITING) + 1)
        job.start()
        return image

    def keep_only(self, images: Iterable[MapImage]) -> None:
        """Forget all others, and cancel those that are being drawn."""
        kept = list(images)
        self._forget([image for image in self._images if not any(image is one for one in kept)])

    def cancel(self) -> None:
        """Cancel those that are being drawn."""
        self._forget([image for image in self._images if not image.is_finished])

    def clear(self) -> None:
        self._forget(list(self._images))
        if self._cache is not None:
            self._cache = QgsMapRendererCache()

    @property
    def is_drawing(self) -> bool:
        """True while any image is being drawn."""
        return any(not image.is_finished for image in self._images)

    def _forget(self, images: List[MapImage]) -> None:
        for image in images:
            self._images.remove(image)
            image.release()
            image.job.finished.disconnect(self._on_finished)
            _end_rendering(image.job, image.layer_cache or self._cache)
        if not self.is_drawing:
            self._slots.remove()

    def _on_finished(self) -> None:
        if not self.is_drawing:
            self._slots.remove()
        self.finished.emit()

    # -- failed requests, whose images have holes

    def _listen(self) -> None:
        if not self._is_listening:
            self._is_listening = True
            manager = QgsNetworkAccessManager.instance()
            manager.finished[QgsNetworkReplyContent].connect(self._on_reply)
            manager.requestTimedOut[QgsNetworkRequestParameters].connect(self._on_failure)

    def close(self) -> None:
        """Forget all, and stop listening to QGIS's requests."""
        self.clear()
        if self._is_listening:
            self._is_listening = False
            manager = QgsNetworkAccessManager.instance()
            manager.finished[QgsNetworkReplyContent].disconnect(self._on_reply)
            manager.requestTimedOut[QgsNetworkRequestParameters].disconnect(self._on_failure)

    def _on_reply(self, reply: QgsNetworkReplyContent) -> None:
        query = reply.request().url().query().lower()
        if any(name in query for name in _NOT_OF_MAPS):
            return
        status = reply.attribute(QNetworkRequest.Attribute.HttpStatusCodeAttribute)
        kind = bytes(reply.rawHeader(b"Content-Type")).lower()
        error = enum_value(reply.error())
        # those of images that are not awaited any more are cancelled
        is_failure = error not in (enum_value(QNetworkReply.NetworkError.NoError),
                                   enum_value(QNetworkReply.NetworkError.OperationCanceledError))
        if is_failure or (isinstance(status, int) and status >= 400) or (
                "getmap" in query and kind and not kind.startswith(b"image/")):
            self._on_failure()

    def _on_failure(self, *_: object) -> None:
        """Have the images drawn again for the next page. It is not known which of them lack something.

        Those that several pages share are left: each page would send the request that fails.
        """
        for image in self._images if not self._is_shared else ():
            image.forbid_reuse()


def _content(item: QgsLayoutItemMap) -> Tuple[Any, ...]:
    """Return what a map shows, without its area: layers with their looks, CRS, turn and time."""
    scale = item.scale()
    # the source of a layer in memory is all of its features
    layers = tuple((layer.id(), "" if layer.providerType() == "memory" else layer.source(), layer.opacity(),
                    layer.blendMode(), layer.isInScaleRange(scale)) for layer in item.layers())
    span = item.temporalRange() if item.isTemporal() else None
    times = (span.begin().toString("O"), span.end().toString("O")) if span is not None else ()
    theme = item.followVisibilityPresetName() if item.followVisibilityPreset() else ""
    return layers, item.crs().authid() or item.crs().toProj(), item.mapRotation(), times, theme


def _corners(extent: QgsRectangle) -> Tuple[float, float, float, float]:
    return extent.xMinimum(), extent.yMinimum(), extent.xMaximum(), extent.yMaximum()


def _end_rendering(job: QgsMapRendererParallelJob, cache: Optional[QgsMapRendererCache]) -> None:
    """Cancel a renderer without waiting for it, and hold it and its cache until it has ended."""
    if job.isActive():
        _ending.append((job, cache))
        job.finished.connect(_forget_ended)
        job.cancelWithoutBlocking()


def _forget_ended() -> None:
    _ending[:] = [(job, cache) for job, cache in _ending if job.isActive()]
