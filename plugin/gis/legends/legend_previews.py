"""Small legends for the layer tree, fetched for the visible rows and cached in memory up to a limit.

Each is one request (GetLegendGraphic, or the advertised LegendURL), made in a task. The first symbol is cut from the
graphic for the layer's row.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import dataclass
from typing import Callable, Dict, List, Optional, Sequence, Tuple

from qgis.core import QgsFeedback
from qgis.PyQt.QtCore import QObject, QRect, pyqtSignal
from qgis.PyQt.QtGui import QImage

from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.wms.model.service import Service
from ...core.wms.requests.sld_profile import legend_request
from ..library.thumbnails import fetch_image
from ..runtime import images, tasks
from ..runtime.network_errors import host_of
from .legend_nodes import LegendKey

#: legends requested in parallel
MAX_PARALLEL = 3
#: bytes of pixels in the cache (the least recently used are evicted first)
MAX_CACHE_BYTES = 32_000_000
#: seconds before a failed legend is requested again
FAILURE_RETRY_SECONDS = 300.0
#: pixels of a cached legend's longer edge
MAX_EDGE = 900
#: pixels of the graphic's upper left corner that is searched for the first symbol, and of a gap that ends it
_SYMBOL_SEARCH_SIZE = (72, 40)
_SYMBOL_GAP = 3



@dataclass(frozen=True)
class Preview:
    """A layer's whole legend and its first symbol."""

    legend: QImage
    swatch: QImage


class LegendPreviews(QObject):
    """Cache of legend previews by key, which emits ``received`` with the key of each that arrives. Main thread only."""

    received = pyqtSignal(object)

    def __init__(self, parent: Optional[QObject] = None, max_bytes: int = MAX_CACHE_BYTES) -> None:
        super().__init__(parent)
        self._max_bytes = max_bytes
        self._cache: OrderedDict[LegendKey, Preview] = OrderedDict()
        self._failed: Dict[LegendKey, float] = {}
        self._jobs: Dict[LegendKey, tasks.Job] = {}
        self._waiting: List[Tuple[LegendKey, Service]] = []

    def get(self, key: LegendKey) -> Optional[Preview]:
        """Return the cached preview, or None."""
        preview = self._cache.get(key)
        if preview is not None:
            self._cache.move_to_end(key)
        return preview

    def request(self, service: Service, keys: Sequence[LegendKey]) -> None:
        """Fetch the previews of these rows, which are visible now, unless they are cached.

        Requests that waited for rows no longer visible are dropped.
        """
        now = time.monotonic()
        self._waiting = [(key, service) for key in keys if key not in self._cache and key not in self._jobs and now -
                         self._failed.get(key, -FAILURE_RETRY_SECONDS) >= FAILURE_RETRY_SECONDS]
        self._start_next()

    def cancel(self) -> None:
        """Cancel running and waiting requests. Cached previews stay."""
        self._waiting = []
        jobs, self._jobs = self._jobs, {}
        for job in jobs.values():
            job.cancel()

    def _start_next(self) -> None:
        while self._waiting and len(self._jobs) < MAX_PARALLEL:
            key, service = self._waiting.pop(0)
            self._jobs[key] = tasks.start(tr("Reading a legend of {host}", host=host_of(key[0])),
                                          _preview_work(service, key), self._received_callback(key),
                                          self._failed_callback(key), self)

    def _received_callback(self, key: LegendKey) -> Callable[[Preview], None]:
        def on_received(preview: Preview) -> None:
            self._jobs.pop(key, None)
            self._cache[key] = preview
            while len(self._cache) > 1 and sum(map(_byte_size, self._cache.values())) > self._max_bytes:
                self._cache.popitem(last=False)
            self._start_next()
            self.received.emit(key)

        return on_received

    def _failed_callback(self, key: LegendKey) -> tasks.ErrorCallback:
        def on_failed(_error: CartoguideError) -> None:
            # previews are optional: the row keeps its usual icon
            self._jobs.pop(key, None)
            self._failed[key] = time.monotonic()
            self._start_next()

        return on_failed


def _preview_work(service: Service, key: LegendKey) -> Callable[[QgsFeedback], Preview]:
    def work(feedback: QgsFeedback) -> Preview:
        legend = fetch_image(legend_request(service, key[1], key[2]).url, feedback, MAX_EDGE)
        return Preview(legend, first_symbol(legend))

    return work


def first_symbol(legend: QImage) -> QImage:
    """Return the first symbol of a legend graphic: the upper left corner up to the first gap.

    The whole corner is returned if nothing stands out in it.
    """
    width, height = min(legend.width(), _SYMBOL_SEARCH_SIZE[0]), min(legend.height(), _SYMBOL_SEARCH_SIZE[1])
    corner = images.converted(legend.copy(0, 0, width, height), QImage.Format.Format_ARGB32)
    background = corner.pixel(0, 0)
    rows = [[corner.pixel(x, y) != background for x in range(width)] for y in range(height)]
    top, bottom = _first_run([any(row) for row in rows])
    left, right = _first_run([any(row[x] for row in rows[top:bottom]) for x in range(width)])
    if right <= left or bottom <= top:
        return corner
    return corner.copy(QRect(left, top, right - left, bottom - top))


def _first_run(drawn: Sequence[bool]) -> Tuple[int, int]:
    """Return (first, one past the last) of the first drawn stretch, or (0, 0).

    Gaps below ``_SYMBOL_GAP`` do not end it.
    """
    first, last = -1, -1
    for position, is_drawn in enumerate(drawn):
        if is_drawn:
            first = position if first < 0 else first
            last = position
        elif last >= 0 and position - last >= _SYMBOL_GAP:
            break
    return (first, last + 1) if first >= 0 else (0, 0)


def _byte_size(preview: Preview) -> int:
    return int(preview.legend.bytesPerLine() * preview.legend.height())
