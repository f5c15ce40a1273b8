"""Overview pictures of records: fetched bounded, decoded in the task, kept in memory, their bytes in the store; pixels
only, never scripts.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from datetime import datetime, timezone
from typing import Callable, Optional, Tuple, TypeVar

from qgis.core import QgsFeedback
from qgis.PyQt.QtCore import QBuffer, QByteArray, QIODevice, QObject, QSize, Qt
from qgis.PyQt.QtGui import QImage, QImageReader

from ...core.errors import Cancelled, CartoguideError, UnexpectedResponse
from ...core.i18n import tr
from ...core.library.blob_cache import CachedBlob
from ...core.records.model.record import Record
from ...core.request import Request
from ...core.wms.responses.image_headers import image_format, image_size
from ...core.wms.responses.response_validation import check_response
from ..network.client import RequestLimits, fetch
from ..runtime import log, tasks
from ..runtime.network_errors import host_of
from ..services.capabilities_fetch import OpenBlobCache

T = TypeVar("T")

#: what is decoded: raster formats whose readers run nothing
FORMATS = ("png", "jpeg", "gif", "webp", "bmp")
MAX_BYTES = 8 * 1024 * 1024
_TOTAL_SECONDS = 30.0
#: pixels a picture may have before it is decoded
MAX_PIXELS = 40_000_000
#: edge of what is kept, in pixels
MAX_EDGE = 512
MAX_CACHED_IMAGES = 200
FAILURE_SECONDS = 300.0
#: what the store calls them
BLOB_KIND = "thumbnail"
#: hours that a kept picture counts without asking; after that only while its server does not answer
FRESH_HOURS = 7 * 24.0
#: a larger picture is shown, but not kept: many small ones are worth more
MAX_SAVED_BYTES = 2_000_000
#: under this key a picture's text says of which day it is, where its server did not answer
AS_OF_KEY = "cartoguide-as-of"


def overview_url(record: Record, large: bool = False) -> Optional[str]:
    """The address of the record's small (or large) overview, else of any that it has; None without one."""
    urls = [(overview, (overview.description or "").lower()) for overview in record.overviews
            if overview.url.lower().startswith(("http://", "https://"))]
    wanted = [overview.url for overview, said in urls if ("large" in said or "grande" in said) == large]
    return wanted[0] if wanted else (urls[0][0].url if urls else None)


def decode_image(data: bytes, edge: int = MAX_EDGE) -> QImage:
    """The picture in ``data``, no larger than ``edge`` pixels either way; UnusableAnswer for what is none."""
    kind = image_format(data)
    if kind not in FORMATS:
        raise UnexpectedResponse(tr("The overview is not an image that can be shown."), kind or "")
    content = QByteArray(data)
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer, QByteArray(kind.encode("ascii")))
    size = QSize(*(image_size(data) or (0, 0)))
    if size.isEmpty():
        raise UnexpectedResponse(tr("The overview is a damaged image."), kind)
    if size.width() * size.height() > MAX_PIXELS:
        raise UnexpectedResponse(tr("The overview is too large to be shown."), f"{size.width()} × {size.height()}")
    if size.width() > edge or size.height() > edge:
        fitting = size.scaled(QSize(edge, edge), Qt.AspectRatioMode.KeepAspectRatio).expandedTo(QSize(1, 1))
        reader.setScaledSize(fitting)
    image = reader.read()
    if image.isNull():
        raise UnexpectedResponse(tr("The overview is a damaged image, or of a format that this QGIS cannot show."),
                                 f"{kind}: {reader.errorString()}")
    return image


def fetch_image(url: str, feedback: Optional[QgsFeedback] = None, edge: int = MAX_EDGE,
                open_blob_cache: Optional[OpenBlobCache] = None) -> QImage:
    """The picture at ``url``, or as it is kept: while that is fresh, and however old where the server does not answer
    (``AS_OF``). Blocks, for tasks only.
    """
    kept = _load_blob(url, open_blob_cache)
    if kept is not None and _hours_since(kept.fetched_at) < FRESH_HOURS:
        return decode_image(kept.data, edge)
    try:
        data = _fetch(url, feedback)
        image = decode_image(data, edge)
    except Cancelled:
        raise
    except CartoguideError:
        if kept is None:
            raise
        image = decode_image(kept.data, edge)
        image.setText(AS_OF_KEY, kept.fetched_at[:10])
        return image
    if open_blob_cache is not None and len(data) <= MAX_SAVED_BYTES:
        now = datetime.now(timezone.utc).replace(microsecond=0).isoformat()
        _log_errors(lambda: open_blob_cache().save(BLOB_KIND, url, data, {}, now))
    return image


def _fetch(url: str, feedback: Optional[QgsFeedback]) -> bytes:
    limits = RequestLimits.from_settings(max_total=_TOTAL_SECONDS, max_bytes=MAX_BYTES, retries=0)
    response = fetch(Request("GET", url), limits=limits, feedback=feedback)
    check_response(response, "image")
    return response.body


def _load_blob(url: str, open_blob_cache: Optional[OpenBlobCache]) -> Optional[CachedBlob]:
    return _log_errors(lambda: open_blob_cache().load(BLOB_KIND, url)) if open_blob_cache is not None else None


def _log_errors(work: Callable[[], T]) -> Optional[T]:
    """What the store gives; None where it cannot be used, which costs nobody a picture."""
    try:
        return work()
    except Cancelled:
        return None
    except CartoguideError as error:
        log.error(error)
        return None


def _hours_since(moment: str) -> float:
    """Hours since an ISO 8601 moment; very many since one that cannot be read, or that is yet to come."""
    try:
        hours = (datetime.now(timezone.utc) - datetime.fromisoformat(moment)).total_seconds() / 3600
    except (ValueError, TypeError):
        return float("inf")
    return hours if hours >= -1 else float("inf")


class Thumbnails:
    """Pictures by address, the most recently used kept in memory, their bytes where ``keeping`` says; main thread only.
    """

    def __init__(self, max_images: int = MAX_CACHED_IMAGES, open_blob_cache: Optional[OpenBlobCache] = None) -> None:
        self._max_images = max_images
        self._open_blob_cache = open_blob_cache
        self._images: OrderedDict[str, QImage] = OrderedDict()
        self._failed: OrderedDict[str, Tuple[CartoguideError, float]] = OrderedDict()

    def get(self, url: str) -> Optional[QImage]:
        """The picture if it is there already."""
        image = self._images.get(url)
        if image is not None:
            self._images.move_to_end(url)
        return image

    def request(self, url: str, done: Callable[[QImage], None], failed: Callable[[CartoguideError], None],
                owner: Optional[QObject] = None) -> Optional[tasks.Job]:
        """Call ``done`` with the picture: at once if it is known (then None is returned), else when a task has it."""
        image = self.get(url)
        if image is not None:
            done(image)
            return None
        failure = self._failed.get(url)
        if failure is not None and time.monotonic() - failure[1] < FAILURE_SECONDS:
            failed(failure[0])
            return None

        def keep(picture: QImage) -> None:
            self._images[url] = picture
            while len(self._images) > self._max_images:
                self._images.popitem(last=False)
            done(picture)

        def keep_failure(error: CartoguideError) -> None:
            self._failed[url] = (error, time.monotonic())
            while len(self._failed) > self._max_images:
                self._failed.popitem(last=False)
            failed(error)

        return tasks.start(tr("Loading an image from {host}", host=host_of(url)),
                           lambda feedback: fetch_image(url, feedback, MAX_EDGE, self._open_blob_cache), keep,
                           keep_failure, owner, quiet=True)
