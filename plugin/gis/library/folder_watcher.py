"""A watched folder: what changes is read again into the store, what vanishes is marked there."""

from __future__ import annotations

import json
import os
from typing import Callable, Dict, List, Optional, Tuple

from qgis.PyQt.QtCore import QFileSystemWatcher, QObject, QTimer, pyqtSignal

from ...core.catalogues import folder_scan
from ...core.catalogues.folder_scan import FolderSummary
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ..runtime import settings, tasks
from .record_library import ImportTarget, remove_replaced_starters

#: systems hand out few watches; folders and files beyond these are looked at in turns only
MAX_WATCHED_DIRECTORIES = 500
MAX_WATCHED_FILES = 2000
MAX_WATCHED_FOLDERS = 50
#: to read more files than this takes a while, and is told of
MANY_FILES = 200
#: quiet that must follow a change before it is read: files are still being written
SETTLE_MILLISECONDS = 700
#: between two looks at everything: network drives tell of nothing
RESCAN_MILLISECONDS = 60_000


class FolderWatcher(QObject):
    """Keeps the store level with one folder and its subfolders from ``start`` to ``stop``.

    ``read`` (FolderSummary) comes after every look that found a change, ``failed`` (CartoguideError) where the folder
    cannot be reached: what was read from it stays then. ``progressed`` (percent, words) comes while much is read, and
    ``stopped`` where that was stopped.
    """

    changes_read = pyqtSignal(object)
    failed = pyqtSignal(object)
    progressed = pyqtSignal(float, str)
    paused = pyqtSignal()

    def __init__(self, folder: str, open_target: Callable[[], ImportTarget], parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self.folder = os.path.abspath(folder)
        self._open_target = open_target
        self._watcher = QFileSystemWatcher(self)
        self._job: Optional[tasks.Job] = None
        self._scan_again = False
        self._stopped = True
        #: reading was stopped by a person: it goes on when one asks for it
        self._paused = False
        self._last_error_text = ""
        #: touched by one task at a time only
        self._known_state: Optional[folder_scan.FolderState] = None
        self._settle_timer = self._timer(SETTLE_MILLISECONDS, True)
        self._rescan_timer = self._timer(RESCAN_MILLISECONDS, False)
        self._watcher.directoryChanged.connect(self._on_change)
        self._watcher.fileChanged.connect(self._on_change)

    def start(self) -> None:
        """Look at the folder now, and from now on whenever it changes."""
        self._stopped = False
        self._rescan_timer.start()
        self.scan()

    def stop(self) -> None:
        """Watch no longer; what was read stays."""
        self._stopped = True
        self._settle_timer.stop()
        self._rescan_timer.stop()
        watched = self._watcher.directories() + self._watcher.files()
        if watched:
            self._watcher.removePaths(watched)
        if self._job is not None:
            self._job.cancel()
            self._job = None

    def pause(self) -> None:
        """Stop reading; what was acknowledged stays, and the rest is read when a look is asked for."""
        if self.scanning and self._job is not None:
            self._paused = True
            self._job.cancel()

    @property
    def scanning(self) -> bool:
        """Whether the folder is being read."""
        return self._job is not None and self._job.running

    def scan(self) -> None:
        """Look for changes in a task, as a person asks for it; one look at a time."""
        self._paused = False
        self._scan()

    def _scan(self) -> None:
        if self._stopped or self._paused:
            return
        if self.scanning:
            self._scan_again = True
            return
        self._job = tasks.start(tr("Reading the folder {name}", name=os.path.basename(self.folder)), self._read_changes,
                                self._done, self._failed, self, self.progressed.emit)
        self._job.ended.connect(self._ended)

    def _timer(self, milliseconds: int, single: bool) -> QTimer:
        timer = QTimer(self)
        timer.setInterval(milliseconds)
        timer.setSingleShot(single)
        timer.timeout.connect(self._scan)
        return timer

    def _on_change(self, _: str) -> None:
        if not self._stopped:
            self._settle_timer.start()

    def _read_changes(self, feedback: tasks.Feedback) -> Tuple[Optional[FolderSummary], List[str]]:
        keeper = self._open_target()
        if self._known_state is None:
            self._known_state = folder_scan.load_folder_state(keeper.checkpoints, self.folder)
        change = folder_scan.scan_folder(self.folder, self._known_state)
        summary = None
        if change:
            summary = folder_scan.import_changes(self.folder, change, keeper, _progress_reporter(feedback),
                                                 feedback.isCanceled)
            if summary.new or summary.changed:
                remove_replaced_starters(keeper.store)
            feedback.raise_if_cancelled()
            self._known_state = change.state
            # what could not be read is tried again by the next session
            sound = {path: mark for path, mark in change.state.items() if path not in summary.unread}
            folder_scan.save_folder_state(keeper.checkpoints, self.folder, sound, (*change.changed, *change.removed))
        return summary, _directories(self.folder) + list(change.state)[:MAX_WATCHED_FILES]

    def _done(self, result: Tuple[Optional[FolderSummary], List[str]]) -> None:
        summary, paths = result
        self._job = None
        self._last_error_text = ""
        # a folder tells of what comes and goes in it; only a file itself tells that it was written to
        watched = {*self._watcher.directories(), *self._watcher.files()}
        fresh = [path for path in paths if path not in watched]
        if fresh:
            self._watcher.addPaths(fresh)
        if summary is not None and (summary.new or summary.changed or summary.vanished or summary.failures):
            self.changes_read.emit(summary)
        self._follow_up()

    def _ended(self) -> None:
        if self._paused:
            self._job = None
            self.paused.emit()

    def _failed(self, error: CartoguideError) -> None:
        self._job = None
        if error.user_text != self._last_error_text:
            self._last_error_text = error.user_text
            self.failed.emit(error)
        self._follow_up()

    def _follow_up(self) -> None:
        if self._scan_again and not self._stopped:
            self._scan_again = False
            self._settle_timer.start()


def _progress_reporter(feedback: tasks.Feedback) -> Callable[[int, int], None]:
    def told(done: int, total: int) -> None:
        if total <= MANY_FILES:
            return
        feedback.report(100.0 * done / max(1, total), tr("%n file(s) read", n=done))
        feedback.raise_if_cancelled()

    return told


def _directories(folder: str) -> List[str]:
    """The folder and those below it, as many as may be watched."""
    found = []
    for below, inner, _ in os.walk(folder):
        inner.sort()
        found.append(below)
        if len(found) >= MAX_WATCHED_DIRECTORIES:
            break
    return found


class WatchedFolders(QObject):
    """``read`` (folder, FolderSummary) comes when a folder changed, ``failed`` (folder, CartoguideError) where one
    cannot be reached; what was read from it stays then. ``progressed`` (folder, percent, words) comes while much is
    read, ``stopped`` (folder) where that was stopped.
    """

    changes_read = pyqtSignal(str, object)
    failed = pyqtSignal(str, object)
    progressed = pyqtSignal(str, float, str)
    paused = pyqtSignal(str)

    def __init__(self, parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._open_target: Optional[Callable[[], ImportTarget]] = None
        self._watchers: Dict[str, FolderWatcher] = {}
        self._problems: Dict[str, CartoguideError] = {}

    @property
    def folders(self) -> Tuple[str, ...]:
        """The watched folders, as the settings keep them."""
        try:
            found = json.loads(settings.get("watched_folders") or "[]")
        except ValueError:
            return ()
        known = [os.path.abspath(item) for item in found if isinstance(item, str) and item] \
            if isinstance(found, list) else []
        return tuple(dict.fromkeys(known))[:MAX_WATCHED_FOLDERS]

    def problem(self, folder: str) -> Optional[CartoguideError]:
        """What keeps a folder from being looked at now; None where nothing does."""
        return self._problems.get(folder)

    def start(self, open_target: Callable[[], ImportTarget]) -> None:
        """Watch every folder; what is found goes where ``keeper`` (for worker threads) says."""
        self.stop()
        self._open_target = open_target
        for folder in self.folders:
            self._watch(folder)

    def stop(self) -> None:
        """Watch none of them until the next ``start``; the settings keep them."""
        for watch in self._watchers.values():
            watch.stop()
            watch.deleteLater()
        self._watchers.clear()
        self._problems.clear()
        self._open_target = None

    def add(self, folder: str) -> None:
        """Watch one more, from now on and in later sessions. CartoguideError: it is watched already, or too many are.
        """
        wanted, known = os.path.abspath(folder), self.folders
        outer = next((one for one in known if wanted == one or wanted.startswith(one.rstrip(os.sep) + os.sep)), None)
        if outer is not None:
            raise CartoguideError(tr("{name} and its subfolders are already being watched.", name=outer))
        if len(known) >= MAX_WATCHED_FOLDERS:
            raise CartoguideError(tr("{count} folders are already being watched. Stop watching one of them first.",
                                     count=MAX_WATCHED_FOLDERS))
        self._save([*known, wanted])
        if self._open_target is not None:
            self._watch(wanted)

    def remove(self, folder: str) -> None:
        """Watch it no longer; what was read from it stays."""
        self._save([one for one in self.folders if one != folder])
        watch = self._watchers.pop(folder, None)
        self._problems.pop(folder, None)
        if watch is not None:
            watch.stop()
            watch.deleteLater()

    def scan(self, folder: str) -> None:
        """Look at one of them now."""
        if folder in self._watchers:
            self._watchers[folder].scan()

    def pause(self, folder: str) -> None:
        """Stop reading one of them until a look at it is asked for."""
        if folder in self._watchers:
            self._watchers[folder].pause()

    @property
    def scanning(self) -> bool:
        """Whether one of them is being read."""
        return any(watch.scanning for watch in self._watchers.values())

    def _watch(self, folder: str) -> None:
        if self._open_target is None:
            return
        watch = self._watchers[folder] = FolderWatcher(folder, self._open_target, self)
        watch.changes_read.connect(lambda summary, folder=folder: self._on_read(folder, summary))
        watch.failed.connect(lambda error, folder=folder: self._on_failed(folder, error))
        watch.progressed.connect(lambda percent, words, folder=folder: self.progressed.emit(folder, percent, words))
        watch.paused.connect(lambda folder=folder: self.paused.emit(folder))
        watch.start()

    def _on_read(self, folder: str, summary: FolderSummary) -> None:
        self._problems.pop(folder, None)
        self.changes_read.emit(folder, summary)

    def _on_failed(self, folder: str, error: CartoguideError) -> None:
        self._problems[folder] = error
        self.failed.emit(folder, error)

    @staticmethod
    def _save(folders: List[str]) -> None:
        if folders:
            settings.set("watched_folders", json.dumps(folders))
        else:
            settings.reset("watched_folders")
