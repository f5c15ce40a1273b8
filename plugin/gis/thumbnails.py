"""Overview pictures of records: fetched bounded, decoded in the task, kept in memory; pixels only, never scripts."""

from __future__ import annotations

import time
from collections import OrderedDict
from typing import Callable, Optional, Tuple

from qgis.core import QgsFeedback
from qgis.PyQt.QtCore import QBuffer, QByteArray, QIODevice, QObject, QSize, Qt
from qgis.PyQt.QtGui import QImage, QImageReader

from ..core.errors import CartoguideError, UnusableAnswer
from ..core.i18n import tr
from ..core.records.model import Record
from ..core.request import Request
from ..core.wms.answers import explain_answer
from ..core.wms.images import image_format, image_size
from . import tasks
from .network import Limits, fetch
from .network_errors import host_of

#: what is decoded: raster formats whose readers run nothing
FORMATS = ("png", "jpeg", "gif", "webp", "bmp")
MAX_BYTES = 8 * 1024 * 1024
#: pixels a picture may have before it is decoded
MAX_PIXELS = 40_000_000
#: edge of what is kept, in pixels
EDGE = 512
KEPT = 200
FAILURE_KEPT = 300.0


def overview_url(record: Record, large: bool = False) -> Optional[str]:
    """The address of the record's small (or large) overview, else of any that it has; None without one."""
    urls = [(overview, (overview.description or "").lower()) for overview in record.overviews
            if overview.url.lower().startswith(("http://", "https://"))]
    wanted = [overview.url for overview, said in urls if ("large" in said or "grande" in said) == large]
    return wanted[0] if wanted else (urls[0][0].url if urls else None)


def read_picture(data: bytes, edge: int = EDGE) -> QImage:
    """The picture in ``data``, no larger than ``edge`` pixels either way; UnusableAnswer for what is none."""
    kind = image_format(data)
    if kind not in FORMATS:
        raise UnusableAnswer(tr("The overview is not a picture that can be shown."), kind or "")
    content = QByteArray(data)
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer, QByteArray(kind.encode("ascii")))
    size = QSize(*(image_size(data) or (0, 0)))
    if size.isEmpty():
        raise UnusableAnswer(tr("The overview is a broken picture."), kind)
    if size.width() * size.height() > MAX_PIXELS:
        raise UnusableAnswer(tr("The overview is too large to be shown."), f"{size.width()} × {size.height()}")
    if size.width() > edge or size.height() > edge:
        fitting = size.scaled(QSize(edge, edge), Qt.AspectRatioMode.KeepAspectRatio).expandedTo(QSize(1, 1))
        reader.setScaledSize(fitting)
    image = reader.read()
    if image.isNull():
        raise UnusableAnswer(tr("The overview is a broken picture, or of a kind that this QGIS cannot show."),
                             f"{kind}: {reader.errorString()}")
    return image


def fetch_picture(url: str, feedback: Optional[QgsFeedback] = None, edge: int = EDGE) -> QImage:
    """The picture at ``url``; blocks, for tasks only."""
    usual = Limits.from_settings()
    limits = Limits(usual.first_byte, min(usual.total, 30.0), MAX_BYTES, 0, usual.parallel)
    response = fetch(Request("GET", url), limits=limits, feedback=feedback)
    explain_answer(response, "image")
    return read_picture(response.body, edge)


class Thumbnails:
    """Pictures by address, the most recently used kept in memory; main thread only."""

    def __init__(self, kept: int = KEPT) -> None:
        self._most = kept
        self._images: OrderedDict[str, QImage] = OrderedDict()
        self._failed: OrderedDict[str, Tuple[CartoguideError, float]] = OrderedDict()

    def get(self, url: str) -> Optional[QImage]:
        """The picture if it is there already."""
        image = self._images.get(url)
        if image is not None:
            self._images.move_to_end(url)
        return image

    def load(self, url: str, done: Callable[[QImage], None], failed: Callable[[CartoguideError], None],
             owner: Optional[QObject] = None) -> Optional[tasks.Job]:
        """Call ``done`` with the picture: at once if it is known (then None is returned), else when a task has it."""
        image = self.get(url)
        if image is not None:
            done(image)
            return None
        failure = self._failed.get(url)
        if failure is not None and time.monotonic() - failure[1] < FAILURE_KEPT:
            failed(failure[0])
            return None

        def keep(picture: QImage) -> None:
            self._images[url] = picture
            while len(self._images) > self._most:
                self._images.popitem(last=False)
            done(picture)

        def keep_failure(error: CartoguideError) -> None:
            self._failed[url] = (error, time.monotonic())
            while len(self._failed) > self._most:
                self._failed.popitem(last=False)
            failed(error)

        return tasks.start(tr("Reading a picture of {host}", host=host_of(url)),
                           lambda feedback: fetch_picture(url, feedback), keep, keep_failure, owner, quiet=True)
