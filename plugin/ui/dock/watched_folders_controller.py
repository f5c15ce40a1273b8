"""Watched folders in the dock: chosen, told of, looked at again, left."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, Dict

from qgis.PyQt.QtCore import QObject
from qgis.PyQt.QtWidgets import QAction, QFileDialog, QMenu

from ...core.catalogues.folder_scan import FolderSummary
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...gis.library.folder_watcher import WatchedFolders
from ...gis.runtime import settings
from ..widgets.job_rows import CANCEL, CLOSE, RESUME, JobRow
from ..widgets.theme import icon

if TYPE_CHECKING:
    from .dock_widget import CartoguideDock

#: files that a message's detail names; a folder of thousands may be unreadable
_MAX_FAILURES = 50


class WatchedFoldersController(QObject):
    """Adds "Watch a folder…" and the list of watched folders to the menu that opens records."""

    def __init__(self, dock: CartoguideDock) -> None:
        super().__init__(dock)
        self._dock = dock
        self._session = dock.session
        self.folders = WatchedFolders(self)
        self.folders.changes_read.connect(self._on_folder_read)
        self.folders.progressed.connect(self._on_progress)
        self.folders.paused.connect(self._on_stopped)
        self._rows: Dict[str, JobRow] = {}
        self.folders.failed.connect(self._on_failed)
        self._session.records_changed.connect(self._start_watching)
        self._session.library_closing.connect(self.folders.stop)
        menu = dock.search_bar.add.menu()
        watch = QAction(icon("mActionShowAllLayers"), tr("Watch a folder…"), self)
        watch.triggered.connect(lambda _checked=False: self.ask_folder())
        self.menu = QMenu(tr("Watched folders"), menu)
        self._menu_action = self.menu.menuAction()
        # behind what opens records once
        menu.insertActions(dock.search_bar.open_separator, [watch, self._menu_action])
        self._menu_action.setVisible(False)
        menu.aboutToShow.connect(lambda: self._menu_action.setVisible(bool(self.folders.folders)))
        self.menu.aboutToShow.connect(self._fill_menu)
        self._watched_store: object = None

    def _start_watching(self) -> None:
        """The store is open, or another one is: watch for it."""
        store = self._session.library.store_if_open
        if store is not None and store is not self._watched_store:
            self._watched_store = store
            self.folders.start(self._session.library.import_target)

    def close(self) -> None:
        """Before the dock goes."""
        self.folders.stop()

    # -- what a person does

    def ask_folder(self) -> None:
        """Ask for a folder and watch it."""
        path = QFileDialog.getExistingDirectory(self._dock, tr("Watch a folder of records"),
                                                settings.get("last_folder"))
        if path:
            settings.set("last_folder", path)
            self.watch(path)

    def watch(self, path: str) -> None:
        """Watch the folder at ``path``."""
        try:
            self.folders.add(path)
        except CartoguideError as error:
            self._dock.messages.show_error(error)
            return
        self._dock.messages.notify(tr("{name} is watched: what changes there is read again.", name=_folder_name(path)),
                                   tr("Undo"), lambda: self.folders.remove(os.path.abspath(path)))

    def unwatch(self, folder: str) -> None:
        """Watch a folder no longer."""
        self.folders.remove(folder)
        self._dock.messages.notify(tr("{name} is watched no longer; its records stay.", name=_folder_name(folder)),
                                   tr("Undo"), lambda: self.watch(folder))

    def _fill_menu(self) -> None:
        self.menu.clear()
        for folder in self.folders.folders:
            below = self.menu.addMenu(_folder_name(folder).replace("&", "&&"))
            problem = self.folders.problem(folder)
            words = problem.user_text if problem is not None else folder
            below.addAction(words.replace("&", "&&")).setEnabled(False)
            below.addSeparator()
            below.addAction(tr("Show its records"), partial(self._show_records, folder))
            below.addAction(icon("mActionRefresh"), tr("Look again now"), partial(self.folders.scan, folder))
            below.addAction(tr("Stop watching"), partial(self.unwatch, folder))

    def _show_records(self, folder: str) -> None:
        self._dock.results.clear_filters()
        self._dock.facets.set_value("source", folder, True)

    # -- what the folders tell

    def _on_progress(self, folder: str, percent: float, words: str) -> None:
        """Much is read of a folder: a line says how far it is."""
        if folder not in self._rows:
            row = self._rows[folder] = self._dock.job_rows.add(_folder_name(folder), folder, True)
            row.action_requested.connect(lambda what: self._on_action(folder, what))
        self._rows[folder].show_running(percent, words)
        self._session.imports.notify_records_added()

    def _on_action(self, folder: str, what: str) -> None:
        if what == CANCEL:
            self.folders.pause(folder)
        elif what == RESUME:
            self._close_row(folder)
            self.folders.scan(folder)
        elif what == CLOSE:
            self._rows.pop(folder, None)

    def _on_stopped(self, folder: str) -> None:
        if folder in self._rows:
            self._rows[folder].show_result(tr("stopped. What came is kept."), False, True)
        self._session.invalidate_records()

    def _close_row(self, folder: str) -> None:
        row = self._rows.pop(folder, None)
        if row is not None:
            self._dock.job_rows.remove(row)

    def _on_failed(self, folder: str, error: CartoguideError) -> None:
        self._close_row(folder)
        self._session.failed.emit(error)

    def _on_folder_read(self, folder: str, summary: FolderSummary) -> None:
        self._close_row(folder)
        self._session.invalidate_records()
        counts = [words for number, words in (
            (summary.new, tr("%n new", n=summary.new)), (summary.changed, tr("%n changed", n=summary.changed)),
            (summary.vanished, tr("%n gone from it", n=summary.vanished)),
            (summary.failed, tr("%n could not be read", n=summary.failed))) if number]
        words = tr("Folder {name}: {counts}.", name=_folder_name(folder), counts=", ".join(counts))
        if summary.failures:
            self._session.warned.emit(words, "\n\n".join(why for _, why in summary.failures[:_MAX_FAILURES]))
        else:
            self._session.notified.emit(words)


def _folder_name(folder: str) -> str:
    return os.path.basename(folder.rstrip("/\\")) or folder
