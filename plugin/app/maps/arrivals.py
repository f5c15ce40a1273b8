"""Services and own layers on their way to the map, and the export that waits for them."""

from __future__ import annotations

from typing import Any, Callable, Optional

from qgis.PyQt.QtCore import QObject, pyqtSignal

from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...gis.runtime.main_thread import single_shot
from .layer_builds import LayerBuilds


class Arrivals(QObject):
    """All that is being added to the map, by any command. A page that is made of the map waits for it.

    Otherwise the page would lack, without a word, what a person has added before.
    """

    #: ``pending`` may have changed
    changed = pyqtSignal()
    #: text of what an export waits for, or ""
    waiting_changed = pyqtSignal(str)

    def __init__(self, builds: LayerBuilds, parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._is_pending: list[Callable[[], bool]] = []
        self._work: Optional[Callable[[], object]] = None
        self._not_begun: Callable[[CartoguideError], object] = lambda _error: None
        # a moment later: what has arrived may add something else
        self._timer = single_shot(self, 0, self._begin)
        self.changed.connect(self._timer.start)
        self.include(lambda: builds.adding, builds.adding_changed)
        builds.given_up.connect(self.forget)
        builds.not_added.connect(self._on_not_added)

    def include(self, is_pending: Callable[[], bool], changed: Any) -> None:
        """Wait also while ``is_pending`` returns True. ``changed`` is the signal that it may return something else."""
        self._is_pending.append(is_pending)
        changed.connect(lambda *_: self.changed.emit())

    @property
    def pending(self) -> bool:
        """True while anything is being added to the map, or a part of the map is awaited."""
        return any(is_pending() for is_pending in self._is_pending)

    def when_here(self, work: Callable[[], object], not_begun: Callable[[CartoguideError], object]) -> None:
        """Call ``work`` as soon as nothing is on its way, or ``not_begun`` if something of it could not be added."""
        self.forget()
        if not self.pending:
            work()
            return
        self._work, self._not_begun = work, not_begun
        self.waiting_changed.emit(tr("Waiting for what is being added…"))

    def forget(self) -> None:
        """Begin nothing of what waits."""
        if self._work is not None:
            self._work = None
            self.waiting_changed.emit("")

    def _begin(self) -> None:
        work = self._work
        if work is not None and not self.pending:
            self.forget()
            work()

    def _on_not_added(self, title: str, error: CartoguideError) -> None:
        if self._work is not None:
            self.forget()
            self._not_begun(CartoguideError(
                tr("The map was not exported, because “{title}” is not on it: {reason} Add it again, or export the map "
                   "without it.", title=title, reason=error.user_text.split("\n")[0]), error.detail))
