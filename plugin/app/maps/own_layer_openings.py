"""The openings of own layers: a few at a time, each in a task and within a limit of time."""

from __future__ import annotations

from typing import Callable, Optional

from qgis.PyQt.QtCore import QObject, QTimer, pyqtSignal

from ...core.errors import CartoguideError
from ...gis.own_layers import opening
from ...gis.runtime import tasks
from ...gis.runtime.main_thread import single_shot
from .map_state import OwnItem

#: layers that are opened at once. A server that does not answer must not hold up the others
_AT_ONCE = 4


class OwnLayerOpenings(QObject):
    """Opens the layers of items of the map. Each item ends with ``opened`` or ``failed``, unless it is cancelled."""

    #: an OwnItem and its QgsMapLayer, which is in no project yet
    opened = pyqtSignal(object, object)
    #: an OwnItem and a CartoguideError
    failed = pyqtSignal(object, object)

    def __init__(self, parent: Optional[QObject] = None, seconds: Optional[float] = None) -> None:
        """``seconds`` is the limit of time of each, by default that of the documents' layers."""
        super().__init__(parent)
        self._seconds = seconds
        self._waiting: list[OwnItem] = []
        self._jobs: dict[OwnItem, tasks.Job] = {}
        #: the limits of time, by item, each a child of this object. A timer that belonged to its job would be in a
        #: circle with it, which Python might collect in the very moment when it calls the timer's slot
        self._limits: dict[OwnItem, QTimer] = {}

    def add(self, item: OwnItem) -> None:
        """Open the layer of ``item`` when its turn comes."""
        self._waiting.append(item)
        self._begin_next()

    def cancel(self) -> None:
        """End all openings. A layer that is made all the same is dropped."""
        self._waiting.clear()
        jobs, self._jobs = self._jobs, {}
        for item, job in jobs.items():
            self._limits.pop(item).deleteLater()
            job.cancel()

    def _begin_next(self) -> None:
        while self._waiting and len(self._jobs) < _AT_ONCE:
            self._begin(self._waiting.pop(0))

    def _begin(self, item: OwnItem) -> None:
        own = item.own
        self._jobs[item] = opening.start_opening(
            own, lambda layer: self._end(item, lambda: self.opened.emit(item, layer)),
            lambda error: self._end(item, lambda: self.failed.emit(item, error)), self)
        limit = self._limits[item] = single_shot(self, int(self._limit * 1000), lambda: self._give_up(item))
        limit.start()

    def _give_up(self, item: OwnItem) -> None:
        """Let the job go: QGIS cannot be stopped while it makes a layer. What it makes later is dropped."""
        job = self._jobs.get(item)
        if job is not None and job.running:
            job.cancel()
            self._end(item, lambda: self.failed.emit(item, CartoguideError(opening.late_text(item.own, self._limit))))

    def _end(self, item: OwnItem, announce: Callable[[], None]) -> None:
        if self._jobs.pop(item, None) is not None:
            self._limits.pop(item).deleteLater()
            announce()
        self._begin_next()

    @property
    def _limit(self) -> float:
        return self._seconds or opening.OPENING_SECONDS

    @property
    def running(self) -> bool:
        """True while a layer is being opened or waits for its turn."""
        return bool(self._jobs or self._waiting)
