"""The openings of own layers: a few at a time, each in a task and within a limit of time."""

from __future__ import annotations

from typing import Callable, Optional

from qgis.PyQt.QtCore import QObject, QTimer, pyqtSignal

from ...core.errors import CartoguideError
from ...gis.own_layers import opening
from ...gis.runtime import tasks
from .map_state import OwnItem

#: layers that are opened at once. A server that does not answer must not hold up the others
_AT_ONCE = 4


class OwnLayerOpenings(QObject):
    """Opens the layers of items of the map. Each item ends with ``opened`` or ``failed``, unless it is cancelled."""

    #: an OwnItem and its QgsMapLayer, which is in no project yet
    opened = pyqtSignal(object, object)
    #: an OwnItem and a CartoguideError
    failed = pyqtSignal(object, object)

    def __init__(self, parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._waiting: list[OwnItem] = []
        self._jobs: dict[OwnItem, tasks.Job] = {}

    def add(self, item: OwnItem) -> None:
        """Open the layer of ``item`` when its turn comes."""
        self._waiting.append(item)
        self._begin_next()

    def cancel(self) -> None:
        """End all openings. A layer that is made all the same is dropped."""
        self._waiting.clear()
        jobs, self._jobs = self._jobs, {}
        for job in jobs.values():
            job.cancel()

    def _begin_next(self) -> None:
        while self._waiting and len(self._jobs) < _AT_ONCE:
            self._begin(self._waiting.pop(0))

    def _begin(self, item: OwnItem) -> None:
        own = item.own
        job = opening.start_opening(own, lambda layer: self._end(item, lambda: self.opened.emit(item, layer)),
                                    lambda error: self._end(item, lambda: self.failed.emit(item, error)), self)
        self._jobs[item] = job
        timer = QTimer(job)
        timer.setSingleShot(True)
        timer.setInterval(int(opening.OPENING_SECONDS * 1000))
        timer.timeout.connect(lambda: self._give_up(item, job))
        timer.start()

    def _give_up(self, item: OwnItem, job: tasks.Job) -> None:
        """Let the job go: QGIS cannot be stopped while it makes a layer. What it makes later is dropped."""
        if self._jobs.get(item) is job and job.running:
            job.cancel()
            self._end(item, lambda: self.failed.emit(item, CartoguideError(opening.late_text(item.own))))

    def _end(self, item: OwnItem, announce: Callable[[], None]) -> None:
        if self._jobs.pop(item, None) is not None:
            announce()
        self._begin_next()

    @property
    def running(self) -> bool:
        """True while a layer is being opened or waits for its turn."""
        return bool(self._jobs or self._waiting)
