"""The folders that are watched, kept between sessions; each keeps the store level with itself."""

from __future__ import annotations

import json
import os
from typing import Callable, Dict, List, Optional, Tuple

from qgis.PyQt.QtCore import QObject, pyqtSignal

from ...core.catalogues.folder_scan import FolderSummary
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ..runtime import settings
from .folder_watcher import FolderWatcher
from .keeper import ImportTarget

MAX_WATCHED_FOLDERS = 50


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
            raise CartoguideError(tr("{name} is watched already, with everything in it.", name=outer))
        if len(known) >= MAX_WATCHED_FOLDERS:
            raise CartoguideError(
                tr("{count} folders are watched already. Stop watching one of them first.", count=MAX_WATCHED_FOLDERS))
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
