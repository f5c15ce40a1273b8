"""Watched folders: changed files are imported into the record library, deleted ones are marked there."""

from __future__ import annotations

import json
import os
from typing import Callable, Dict, List, Optional, Tuple

from qgis.PyQt.QtCore import QFileSystemWatcher, QObject, QTimer, pyqtSignal

from ...core.catalogues import folder_scan
from ...core.catalogues.folder_scan import FolderSummary
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.json_document import stored_list
from ..runtime import settings, tasks
from .record_library import ImportTarget, remove_replaced_starters

#: limits of the system's file watches. Other folders and files are only checked by the periodic rescan
MAX_WATCHED_DIRECTORIES = 500
MAX_WATCHED_FILES = 2000
MAX_WATCHED_FOLDERS = 50
#: progress is reported if more files than this are read
MANY_FILES = 200
#: pause after the last change before files are read, because they may still be written
SETTLE_MILLISECONDS = 700
#: interval of the complete rescan, because network drives send no notifications
RESCAN_MILLISECONDS = 60_000


class FolderWatcher(QObject):
    """Keeps the library in step with one folder and its subfolders from ``start`` to ``stop``.

    ``changes_read`` (FolderSummary) is emitted after every scan that found a change, ``failed`` (CartoguideError) if
    the folder is not accessible. Its records then stay in the library. ``progressed`` (percent, text) is emitted while
    many files are read, ``paused`` when the user has stopped that.
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
        #: the user has stopped reading, until the next ``scan``
        self._paused = False
        self._last_error_text = ""
        #: only one task at a time uses this
        self._known_state: Optional[folder_scan.FolderState] = None
        self._settle_timer = self._timer(SETTLE_MILLISECONDS, True)
        self._rescan_timer = self._timer(RESCAN_MILLISECONDS, False)
        self._watcher.directoryChanged.connect(self._on_change)
        self._watcher.fileChanged.connect(self._on_change)

    def start(self) -> None:
        """Scan the folder now and after every change."""
        self._stopped = False
        self._rescan_timer.start()
        self.scan()

    def stop(self) -> None:
        """Stop watching. The records stay in the library."""
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
        """Stop reading. The saved records stay, the rest is read by the next ``scan``."""
        if self.scanning and self._job is not None:
            self._paused = True
            self._job.cancel()

    @property
    def scanning(self) -> bool:
        """True while the folder is being read."""
        return self._job is not None and self._job.running

    def scan(self) -> None:
        """Scan the folder in a task, also after ``pause``. Only one scan runs at a time."""
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
        target = self._open_target()
        if self._known_state is None:
            self._known_state = folder_scan.load_folder_state(target.checkpoints, self.folder)
        change = folder_scan.scan_folder(self.folder, self._known_state)
        summary = None
        if change:
            summary = folder_scan.import_changes(self.folder, change, target, _progress_reporter(feedback),
                                                 feedback.isCanceled)
            if summary.new or summary.changed:
                remove_replaced_starters(target.store)
            feedback.raise_if_cancelled()
            self._known_state = change.state
            # files that could not be read are tried again in the next session
            readable = {path: mark for path, mark in change.state.items() if path not in summary.unread}
            folder_scan.save_folder_state(target.checkpoints, self.folder, readable, (*change.changed, *change.removed))
        return summary, _directories(self.folder) + list(change.state)[:MAX_WATCHED_FILES]

    def _done(self, result: Tuple[Optional[FolderSummary], List[str]]) -> None:
        summary, paths = result
        self._job = None
        self._last_error_text = ""
        # a watched folder reports added and deleted files, only a watched file reports that it was written
        watched = {*self._watcher.directories(), *self._watcher.files()}
        unwatched = [path for path in paths if path not in watched]
        if unwatched:
            self._watcher.addPaths(unwatched)
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
    def report(done: int, total: int) -> None:
        if total <= MANY_FILES:
            return
        feedback.report(100.0 * done / max(1, total), tr("%n file(s) read", n=done))
        feedback.raise_if_cancelled()

    return report


def _directories(folder: str) -> List[str]:
    """Return the folder and its subfolders, up to the limit of watches."""
    directories = []
    for directory, subdirectories, _ in os.walk(folder):
        subdirectories.sort()
        directories.append(directory)
        if len(directories) >= MAX_WATCHED_DIRECTORIES:
            break
    return directories


class WatchedFolders(QObject):
    """The watched folders in the settings, each with its watcher.

    Emits the signals of FolderWatcher, with the folder as their first argument.
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
        saved = stored_list(settings.get("watched_folders"))
        folders = (os.path.abspath(item) for item in saved if isinstance(item, str) and item and "\0" not in item)
        return tuple(dict.fromkeys(folders))[:MAX_WATCHED_FOLDERS]

    def problem(self, folder: str) -> Optional[CartoguideError]:
        """Return the error of the last scan of a folder, or None."""
        return self._problems.get(folder)

    def start(self, open_target: Callable[[], ImportTarget]) -> None:
        """Watch all folders. ``open_target`` is called in worker threads and returns the target of their records."""
        self.stop()
        self._open_target = open_target
        for folder in self.folders:
            self._watch(folder)

    def stop(self) -> None:
        """Stop watching until the next ``start``. The settings keep the folders."""
        for watcher in self._watchers.values():
            watcher.stop()
            watcher.deleteLater()
        self._watchers.clear()
        self._problems.clear()
        self._open_target = None

    def add(self, folder: str) -> None:
        """Watch another folder, in later sessions too.

        Raises CartoguideError if it is already watched or if there are too many.
        """
        added, known = os.path.abspath(folder), self.folders
        outer = next((watched for watched in known
                      if added == watched or added.startswith(watched.rstrip(os.sep) + os.sep)), None)
        if outer is not None:
            raise CartoguideError(tr("{name} and its subfolders are already being watched.", name=outer))
        if len(known) >= MAX_WATCHED_FOLDERS:
            raise CartoguideError(tr("{count} folders are already being watched. Stop watching one of them first.",
                                     count=MAX_WATCHED_FOLDERS))
        self._save([*known, added])
        if self._open_target is not None:
            self._watch(added)

    def remove(self, folder: str) -> None:
        """Stop watching a folder. Its records stay in the library."""
        self._save([watched for watched in self.folders if watched != folder])
        watcher = self._watchers.pop(folder, None)
        self._problems.pop(folder, None)
        if watcher is not None:
            watcher.stop()
            watcher.deleteLater()

    def scan(self, folder: str) -> None:
        if folder in self._watchers:
            self._watchers[folder].scan()

    def pause(self, folder: str) -> None:
        """Stop reading one of the folders until its next ``scan``."""
        if folder in self._watchers:
            self._watchers[folder].pause()

    @property
    def scanning(self) -> bool:
        """True while one of the folders is being read."""
        return any(watcher.scanning for watcher in self._watchers.values())

    def _watch(self, folder: str) -> None:
        if self._open_target is None:
            return
        watcher = self._watchers[folder] = FolderWatcher(folder, self._open_target, self)
        watcher.changes_read.connect(lambda summary, folder=folder: self._on_read(folder, summary))
        watcher.failed.connect(lambda error, folder=folder: self._on_failed(folder, error))
        watcher.progressed.connect(lambda percent, text, folder=folder: self.progressed.emit(folder, percent, text))
        watcher.paused.connect(lambda folder=folder: self.paused.emit(folder))
        watcher.start()

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
