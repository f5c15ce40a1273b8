"""Overview images of records: fetched with limits, decoded in a task, cached in memory and in the blob cache.

Only raster formats are accepted, because vector formats may contain scripts.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from datetime import datetime, timezone
from pathlib import Path
from typing import Callable, Optional, Tuple

from qgis.core import QgsFeedback
from qgis.PyQt.QtCore import QObject, QSize, Qt
from qgis.PyQt.QtGui import QImage

from ...core.dates import utc_now
from ...core.errors import Cancelled, CartoguideError, UnexpectedResponse, UnreadableDocument
from ...core.i18n import tr
from ...core.library.blob_cache import BlobKind, CachedBlob
from ...core.request import HttpMethod, Request
from ...core.trust.files import read_regular
from ...core.wms.responses.image_headers import image_format, image_size, is_complete_image, is_overloaded
from ...core.wms.responses.response_validation import ExpectedContent, check_response
from ..network.client import RequestLimits, fetch
from ..runtime import tasks
from ..runtime.images import decode_from_file, scaled
from ..runtime.network_errors import host_of
from ..services.saved_blobs import OpenBlobCache, load_blob, save_blob

#: raster formats that are decoded
FORMATS = ("png", "jpeg", "gif", "webp", "bmp")
MAX_BYTES = 8 * 1024 * 1024
_TOTAL_SECONDS = 30.0
#: larger images (pixels) are not decoded
MAX_PIXELS = 40_000_000
#: images up to this size (pixels) are decoded at once, in some milliseconds
_SMALL_PIXELS = 1_000_000
#: images are scaled down to this width and height, in pixels
MAX_EDGE = 512
MAX_CACHED_IMAGES = 200
FAILURE_SECONDS = 300.0
#: hours that a saved image is used without a request. Older ones are only used if the server does not respond
FRESH_HOURS = 7 * 24.0
#: larger images are shown but not saved, to leave room for many small ones
MAX_SAVED_BYTES = 2_000_000
#: key of the date in the text of a saved image whose server did not respond
AS_OF_KEY = "cartoguide-as-of"


def decode_image(data: bytes, edge: int = MAX_EDGE) -> QImage:
    """Decode an image, scaled down to ``edge`` pixels in width and height. Raises UnexpectedResponse."""
    kind = image_format(data)
    if kind not in FORMATS:
        raise UnexpectedResponse(tr("The overview is not an image that can be shown."), kind or "")
    size = QSize(*(image_size(data) or (0, 0)))
    if size.isEmpty() or is_complete_image(data) is False:
        raise UnexpectedResponse(tr("The overview is a damaged image."), kind)
    if size.width() * size.height() > MAX_PIXELS or is_overloaded(data):
        raise UnexpectedResponse(tr("The overview is too large to be shown."), f"{size.width()} × {size.height()}")
    fitting = size
    if size.width() > edge or size.height() > edge:
        fitting = size.scaled(QSize(edge, edge), Qt.AspectRatioMode.KeepAspectRatio).expandedTo(QSize(1, 1))
    if size.width() * size.height() <= _SMALL_PIXELS:
        image = QImage.fromData(data, kind)
        image = image if fitting == size else scaled(image, fitting, keep_aspect_ratio=False)
    else:
        image = _decode_large(data, kind, fitting)
    if image.isNull():
        raise UnexpectedResponse(tr("The overview is a damaged image, or of a format that this QGIS cannot show."),
                                 kind)
    return image


def _decode_large(data: bytes, kind: str, size: QSize) -> QImage:
    """Decode a large image, scaled to ``size`` while it is read. Raises UnexpectedResponse."""
    try:
        return decode_from_file(data, kind, size)
    except OSError as error:
        raise UnexpectedResponse(tr("The overview could not be written to a temporary file."), str(error)) from error


def fetch_image(url: str, feedback: Optional[QgsFeedback] = None, edge: int = MAX_EDGE,
                open_blob_cache: Optional[OpenBlobCache] = None, saved_only: bool = False) -> QImage:
    """Return the image at ``url``. Blocks, so it is for tasks only.

    A saved image is used while it is fresh, and whatever its age if the server does not respond. In that case the
    text ``AS_OF_KEY`` of the image is its date. With ``saved_only`` a saved one of any age is used, and no server is
    asked. Raises CartoguideError, Cancelled.
    """
    blob = load_blob(open_blob_cache, BlobKind.THUMBNAIL, url)
    if blob is not None and (saved_only or _hours_since(blob.fetched_at) < FRESH_HOURS):
        return decode_image(blob.data, edge)
    if saved_only:
        raise CartoguideError(tr("The overview has not been loaded yet."), url)
    try:
        data = _fetch(url, feedback)
        image = decode_image(data, edge)
    except Cancelled:
        raise
    except CartoguideError:
        if blob is None:
            raise
        image = decode_image(blob.data, edge)
        image.setText(AS_OF_KEY, blob.fetched_at[:10])
        return image
    if open_blob_cache is not None and len(data) <= MAX_SAVED_BYTES:
        now = utc_now()
        save_blob(open_blob_cache, BlobKind.THUMBNAIL, url, CachedBlob(data, {}, now))
    return image


def read_image(path: Path) -> QImage:
    """Return the image in a file, scaled down as thumbnails are. Raises UnexpectedResponse."""
    try:
        data = read_regular(path, MAX_BYTES)
    except UnreadableDocument as error:
        raise UnexpectedResponse(tr("The overview is a damaged image."), error.user_text) from error
    return decode_image(data)


def _fetch(url: str, feedback: Optional[QgsFeedback]) -> bytes:
    limits = RequestLimits.from_settings(max_total=_TOTAL_SECONDS, max_bytes=MAX_BYTES, retries=0)
    response = fetch(Request(HttpMethod.GET, url), limits=limits, feedback=feedback)
    check_response(response, ExpectedContent.IMAGE)
    return response.body


def _hours_since(moment: str) -> float:
    """Return the hours since a date in ISO 8601, or infinity if it is invalid or in the future."""
    try:
        hours = (datetime.now(timezone.utc) - datetime.fromisoformat(moment)).total_seconds() / 3600
    except (ValueError, TypeError):
        return float("inf")
    return hours if hours >= -1 else float("inf")


class Thumbnails:
    """Cache of overview images by address, for the main thread. The most recently used ones stay in memory."""

    def __init__(self, max_images: int = MAX_CACHED_IMAGES, open_blob_cache: Optional[OpenBlobCache] = None) -> None:
        self._max_images = max_images
        self._open_blob_cache = open_blob_cache
        self._images: OrderedDict[str, QImage] = OrderedDict()
        self._failed: OrderedDict[str, Tuple[CartoguideError, float]] = OrderedDict()

    def get(self, url: str) -> Optional[QImage]:
        """Return the image if it is in memory, or None."""
        image = self._images.get(url)
        if image is not None:
            self._images.move_to_end(url)
        return image

    def request(self, url: str, done: Callable[[QImage], None], failed: tasks.ErrorCallback,
                owner: Optional[QObject] = None, saved_only: bool = False) -> Optional[tasks.Job]:
        """Call ``done`` with the image: at once if it is in memory, otherwise after a task, which is returned.

        With ``saved_only`` no server is asked.
        """
        image = self.get(url)
        if image is not None:
            done(image)
            return None
        failure = None if saved_only else self._failed.get(url)
        if failure is not None and time.monotonic() - failure[1] < FAILURE_SECONDS:
            failed(failure[0])
            return None

        def insert(image: QImage) -> None:
            self._images[url] = image
            while len(self._images) > self._max_images:
                self._images.popitem(last=False)
            done(image)

        def insert_failure(error: CartoguideError) -> None:
            if not saved_only:
                self._failed[url] = (error, time.monotonic())
            while len(self._failed) > self._max_images:
                self._failed.popitem(last=False)
            failed(error)

        def load(feedback: QgsFeedback) -> QImage:
            return fetch_image(url, feedback, MAX_EDGE, self._open_blob_cache, saved_only)

        return tasks.start(tr("Loading an image from {host}", host=host_of(url)), load, insert, insert_failure, owner)
