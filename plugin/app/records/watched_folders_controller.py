"""Watched folders: chosen, scanned when they change, and no longer watched."""

from __future__ import annotations

import os
from typing import Optional

from qgis.PyQt.QtCore import QObject

from ...core.catalogues.folder_scan import FolderSummary
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.library.failure_groups import failure_outline
from ...gis.library.folder_watcher import WatchedFolders
from ..window import Notifier, Prompts
from .dock_session import DockSession


class WatchedFoldersController(QObject):
    """Watches folders for the record library that is open, and reports what changed in them."""

    def __init__(self, session: DockSession, notifier: Notifier, prompts: Prompts,
                 parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._session, self._notifier, self._prompts = session, notifier, prompts
        self._watched_store: object = None
        self.folders = WatchedFolders(self)
        self.folders.changes_read.connect(self._on_changes_read)
        self.folders.progressed.connect(lambda *_: session.imports.notify_records_added())
        self.folders.paused.connect(lambda _folder: session.invalidate_records())
        self.folders.failed.connect(lambda _folder, error: session.failed.emit(error))
        session.records_changed.connect(self._start_watching)
        session.library_closing.connect(self.folders.stop)

    def _start_watching(self) -> None:
        """Watch for the library's store once it is open, or after another one was opened."""
        store = self._session.library.store_if_open
        if store is not None and store is not self._watched_store:
            self._watched_store = store
            self.folders.start(self._session.library.import_target)

    def close(self) -> None:
        self.folders.stop()

    def ask_folder(self) -> None:
        path = self._prompts.open_folder(tr("Watch a folder of records"))
        if path is not None:
            self.watch(path)

    def watch(self, path: str) -> None:
        try:
            self.folders.add(path)
        except CartoguideError as error:
            self._notifier.show_error(error)
            return
        self._notifier.notify(tr("Watching {name}. Changes in it are imported.", name=folder_name(path)),
                              tr("Undo"), lambda: self.folders.remove(os.path.abspath(path)))

    def unwatch(self, folder: str) -> None:
        """Stop watching a folder. Its records stay."""
        self.folders.remove(folder)
        self._notifier.notify(tr("{name} is no longer watched. Its records remain.", name=folder_name(folder)),
                              tr("Undo"), lambda: self.watch(folder))

    def _on_changes_read(self, folder: str, summary: FolderSummary) -> None:
        self._session.invalidate_records()
        counts = [text for number, text in (
            (summary.new, tr("%n new", n=summary.new)), (summary.changed, tr("%n changed", n=summary.changed)),
            (summary.vanished, tr("%n removed", n=summary.vanished)),
            (summary.failed, tr("%n could not be read", n=summary.failed))) if number]
        text = tr("Folder {name}: {counts}.", name=folder_name(folder), counts=", ".join(counts))
        if summary.failures:
            self._session.warned.emit(text, failure_outline(summary.failures, summary.failed))
        else:
            self._session.notified.emit(text)


def folder_name(folder: str) -> str:
    """Return the last part of a folder's path."""
    return os.path.basename(folder.rstrip("/\\")) or folder
