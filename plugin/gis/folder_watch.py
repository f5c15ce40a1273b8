"""A watched folder: what changes is read again into the store, what vanishes is marked there."""

from __future__ import annotations

import os
from typing import Callable, List, Optional, Tuple

from qgis.PyQt.QtCore import QFileSystemWatcher, QObject, QTimer, pyqtSignal

from ..core.errors import CartoguideError
from ..core.i18n import tr
from ..core.sources import folder_notes, folders
from ..core.sources.folders import FolderSummary
from . import tasks
from .keeper import Keeper, retire_starters

#: systems hand out few watches; folders and files beyond these are looked at in turns only
MOST_WATCHED = 500
MOST_FILES_WATCHED = 2000
#: to read more files than this takes a while, and is told of
MANY = 200
#: quiet that must follow a change before it is read: files are still being written
SETTLE_MILLISECONDS = 700
#: between two looks at everything: network drives tell of nothing
RESCAN_MILLISECONDS = 60_000


class FolderWatch(QObject):
    """Keeps the store level with one folder and its subfolders from ``start`` to ``stop``.

    ``read`` (FolderSummary) comes after every look that found a change, ``failed`` (CartoguideError) where the folder
    cannot be reached: what was read from it stays then. ``progressed`` (percent, words) comes while much is read, and
    ``stopped`` where that was stopped.
    """

    read = pyqtSignal(object)
    failed = pyqtSignal(object)
    progressed = pyqtSignal(float, str)
    stopped = pyqtSignal()

    def __init__(self, folder: str, keeper: Callable[[], Keeper], parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self.folder = os.path.abspath(folder)
        self._keeper = keeper
        self._watcher = QFileSystemWatcher(self)
        self._job: Optional[tasks.Job] = None
        self._again = False
        self._stopped = True
        #: reading was stopped by a person: it goes on when one asks for it
        self._held = False
        self._was_told = ""
        #: touched by one task at a time only
        self._known: Optional[folders.State] = None
        self._settle = self._timer(SETTLE_MILLISECONDS, True)
        self._rescan = self._timer(RESCAN_MILLISECONDS, False)
        self._watcher.directoryChanged.connect(self._on_change)
        self._watcher.fileChanged.connect(self._on_change)

    def start(self) -> None:
        """Look at the folder now, and from now on whenever it changes."""
        self._stopped = False
        self._rescan.start()
        self.look()

    def stop(self) -> None:
        """Watch no longer; what was read stays."""
        self._stopped = True
        self._settle.stop()
        self._rescan.stop()
        watched = self._watcher.directories() + self._watcher.files()
        if watched:
            self._watcher.removePaths(watched)
        if self._job is not None:
            self._job.cancel()
            self._job = None

    def hold(self) -> None:
        """Stop reading; what was acknowledged stays, and the rest is read when a look is asked for."""
        if self.looking and self._job is not None:
            self._held = True
            self._job.cancel()

    @property
    def looking(self) -> bool:
        """Whether the folder is being read."""
        return self._job is not None and self._job.running

    def look(self) -> None:
        """Look for changes in a task, as a person asks for it; one look at a time."""
        self._held = False
        self._look()

    def _look(self) -> None:
        if self._stopped or self._held:
            return
        if self.looking:
            self._again = True
            return
        self._job = tasks.start(tr("Reading the folder {name}", name=os.path.basename(self.folder)), self._work,
                                self._done, self._failed, self, self.progressed.emit)
        self._job.ended.connect(self._ended)

    def _timer(self, milliseconds: int, single: bool) -> QTimer:
        timer = QTimer(self)
        timer.setInterval(milliseconds)
        timer.setSingleShot(single)
        timer.timeout.connect(self._look)
        return timer

    def _on_change(self, _: str) -> None:
        if not self._stopped:
            self._settle.start()

    def _work(self, feedback: tasks.Feedback) -> Tuple[Optional[FolderSummary], List[str]]:
        keeper = self._keeper()
        if self._known is None:
            self._known = folder_notes.load(keeper.progress, self.folder)
        change = folders.look(self.folder, self._known)
        summary = None
        if change:
            summary = folders.keep(self.folder, change, keeper, _teller(feedback), feedback.isCanceled)
            if summary.new or summary.changed:
                retire_starters(keeper.store)
            feedback.stop_if_cancelled()
            self._known = change.state
            # what could not be read is tried again by the next session
            sound = {path: mark for path, mark in change.state.items() if path not in summary.unread}
            folder_notes.note(keeper.progress, self.folder, sound, (*change.fresh, *change.gone))
        return summary, _directories(self.folder) + list(change.state)[:MOST_FILES_WATCHED]

    def _done(self, result: Tuple[Optional[FolderSummary], List[str]]) -> None:
        summary, paths = result
        self._job = None
        self._was_told = ""
        # a folder tells of what comes and goes in it; only a file itself tells that it was written to
        watched = {*self._watcher.directories(), *self._watcher.files()}
        fresh = [path for path in paths if path not in watched]
        if fresh:
            self._watcher.addPaths(fresh)
        if summary is not None and (summary.new or summary.changed or summary.vanished or summary.failures):
            self.read.emit(summary)
        self._follow_up()

    def _ended(self) -> None:
        if self._held:
            self._job = None
            self.stopped.emit()

    def _failed(self, error: CartoguideError) -> None:
        self._job = None
        if error.user_text != self._was_told:
            self._was_told = error.user_text
            self.failed.emit(error)
        self._follow_up()

    def _follow_up(self) -> None:
        if self._again and not self._stopped:
            self._again = False
            self._settle.start()


def _teller(feedback: tasks.Feedback) -> Callable[[int, int], None]:
    def told(done: int, total: int) -> None:
        if total <= MANY:
            return
        feedback.tell(100.0 * done / max(1, total), tr("%n file(s) read", n=done))
        feedback.stop_if_cancelled()

    return told


def _directories(folder: str) -> List[str]:
    """The folder and those below it, as many as may be watched."""
    found = []
    for below, inner, _ in os.walk(folder):
        inner.sort()
        found.append(below)
        if len(found) >= MOST_WATCHED:
            break
    return found
