"""Small legends for the layer tree: fetched for what is seen, a few at a time, kept in memory up to a limit.

Each is one request (GetLegendGraphic, or the advertised LegendURL), made and read in a task; from the graphic the first
symbol is cut for the layer's row.
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

#: legends asked for at the same time, whatever is seen
MAX_PARALLEL = 3
#: bytes of pixels that are kept; the least recently seen go first
MAX_CACHE_BYTES = 32_000_000
#: seconds that a legend which could not be had is not asked for again
FAILURE_RETRY_SECONDS = 300.0
#: pixels of the longer edge that a legend is kept with
MAX_EDGE = 900
#: pixels of the graphic's upper left corner in which the first symbol is looked for, and of a gap that ends it
_SYMBOL_SEARCH_SIZE = (72, 40)
_SYMBOL_GAP = 3

#: what tells one legend from another: the service's address, the layer, the style
LegendKey = Tuple[str, str, str]


@dataclass(frozen=True)
class Preview:
    """A layer's whole legend and its first symbol."""

    legend: QImage
    swatch: QImage


class LegendPreviews(QObject):
    """Legends by key; ``came`` tells which arrived. Main thread only."""

    received = pyqtSignal(object)

    def __init__(self, parent: Optional[QObject] = None, max_bytes: int = MAX_CACHE_BYTES) -> None:
        super().__init__(parent)
        self._max_bytes = max_bytes
        self._cache: OrderedDict[LegendKey, Preview] = OrderedDict()
        self._failed: Dict[LegendKey, float] = {}
        self._jobs: Dict[LegendKey, tasks.Job] = {}
        self._waiting: List[Tuple[LegendKey, Service]] = []

    def get(self, key: LegendKey) -> Optional[Preview]:
        """The legend if it is there."""
        found = self._cache.get(key)
        if found is not None:
            self._cache.move_to_end(key)
        return found

    def request(self, service: Service, keys: Sequence[LegendKey]) -> None:
        """These are seen now: fetch those that are not there. What waited before and is no longer seen is dropped."""
        now = time.monotonic()
        self._waiting = [(key, service) for key in keys if key not in self._cache and key not in self._jobs and now -
                         self._failed.get(key, -FAILURE_RETRY_SECONDS) >= FAILURE_RETRY_SECONDS]
        self._start_next()

    def cancel(self) -> None:
        """Give up what is under way and what waits; what came stays."""
        self._waiting = []
        jobs, self._jobs = self._jobs, {}
        for job in jobs.values():
            job.cancel()

    def _start_next(self) -> None:
        while self._waiting and len(self._jobs) < MAX_PARALLEL:
            key, service = self._waiting.pop(0)
            self._jobs[key] = tasks.start(tr("Reading a legend of {host}", host=host_of(key[0])),
                                          _preview_work(service, key), self._received_callback(key),
                                          self._failed_callback(key), self, quiet=True)

    def _received_callback(self, key: LegendKey) -> Callable[[Preview], None]:
        def take(preview: Preview) -> None:
            self._jobs.pop(key, None)
            self._cache[key] = preview
            while len(self._cache) > 1 and sum(map(_byte_size, self._cache.values())) > self._max_bytes:
                self._cache.popitem(last=False)
            self._start_next()
            self.received.emit(key)

        return take

    def _failed_callback(self, key: LegendKey) -> Callable[[CartoguideError], None]:
        def note(_error: CartoguideError) -> None:
            # a layer without a preview is none the worse for it: its row keeps the usual icon
            self._jobs.pop(key, None)
            self._failed[key] = time.monotonic()
            self._start_next()

        return note


def _preview_work(service: Service, key: LegendKey) -> Callable[[QgsFeedback], Preview]:
    def work(feedback: QgsFeedback) -> Preview:
        legend = fetch_image(legend_request(service, key[1], key[2]).url, feedback, MAX_EDGE)
        return Preview(legend, first_symbol(legend))

    return work


def first_symbol(legend: QImage) -> QImage:
    """The first symbol of a legend graphic: what is drawn in its upper left corner up to the first gap.

    The whole corner where nothing stands out of it.
    """
    width, height = min(legend.width(), _SYMBOL_SEARCH_SIZE[0]), min(legend.height(), _SYMBOL_SEARCH_SIZE[1])
    corner = images.converted(legend.copy(0, 0, width, height), QImage.Format.Format_ARGB32)
    ground = corner.pixel(0, 0)
    rows = [[corner.pixel(x, y) != ground for x in range(width)] for y in range(height)]
    top, bottom = _first_run([any(row) for row in rows])
    left, right = _first_run([any(row[x] for row in rows[top:bottom]) for x in range(width)])
    if right <= left or bottom <= top:
        return corner
    return corner.copy(QRect(left, top, right - left, bottom - top))


def _first_run(drawn: Sequence[bool]) -> Tuple[int, int]:
    """(first, one past the last) of the first stretch that is drawn, gaps below ``_GAP`` included; (0, 0) for none."""
    first, last = -1, -1
    for place, here in enumerate(drawn):
        if here:
            first = place if first < 0 else first
            last = place
        elif last >= 0 and place - last >= _SYMBOL_GAP:
            break
    return (first, last + 1) if first >= 0 else (0, 0)


def _byte_size(preview: Preview) -> int:
    return preview.legend.bytesPerLine() * preview.legend.height()
