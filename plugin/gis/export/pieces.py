"""Pieces of a layer's picture, cut out of wider ones so that nothing is cut off at their edges; for worker threads."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from typing import Callable, Dict, Tuple

from qgis.PyQt.QtCore import QBuffer, QByteArray
from qgis.PyQt.QtGui import QImage

from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.request import Response
from ...core.wms.requests.tile_overlap import PaddedTile

#: Qt's quality of a PNG that is read again at once: packed little, without loss
_PNG_QUALITY = 80


class SharedResponses:
    """Pictures that several pieces are cut out of: who asks first fetches, the others wait."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._responses: Dict[str, Future[Response]] = {}

    def obtain(self, url: str, ask: Callable[[], Response]) -> Response:
        """What ``ask`` gives, or gave to another; the same error for all."""
        with self._lock:
            answer, first = self._responses.get(url), False
            if answer is None:
                answer, first = self._responses.setdefault(url, Future()), True
        if first:
            try:
                answer.set_result(ask())
            except BaseException as error:  # noqa: BLE001 - raised again where it is waited for
                answer.set_exception(error)
        return answer.result()


def crop_tile(response: Response, wider: PaddedTile, size: Tuple[int, int]) -> bytes:
    """The piece out of the wider picture, as a PNG, or the picture as it came where it is all of it; CartoguideError
    where it cannot be read.
    """
    if (wider.left, wider.top) == (0, 0) and wider.size == size:
        return response.body
    image = QImage.fromData(response.body)
    if image.isNull():
        raise CartoguideError(tr("The server sent an image that cannot be read."), response.url)
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    image.copy(wider.left, wider.top, *size).save(buffer, "PNG", _PNG_QUALITY)
    return bytes(data)
