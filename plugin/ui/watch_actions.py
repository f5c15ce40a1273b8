"""Watched folders in the dock: chosen, told of, looked at again, left."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, Dict

from qgis.PyQt.QtCore import QObject
from qgis.PyQt.QtWidgets import QAction, QFileDialog, QMenu

from ..core.errors import CartoguideError
from ..core.i18n import tr
from ..core.sources.folders import FolderSummary
from ..gis import settings
from ..gis.watched_folders import WatchedFolders
from .harvest_rows import CANCEL, CLOSE, GO_ON, HarvestRow
from .theme import icon

if TYPE_CHECKING:
    from .dock import CartoguideDock

#: files that a message's detail names; a folder of thousands may be unreadable
_MOST_TOLD = 50


class WatchActions(QObject):
    """Adds "Watch a folder…" and the list of watched folders to the menu that opens records."""

    def __init__(self, dock: CartoguideDock) -> None:
        super().__init__(dock)
        self._dock = dock
        self._session = dock.session
        self.watched = WatchedFolders(self)
        self.watched.read.connect(self._read)
        self.watched.progressed.connect(self._progressed)
        self.watched.stopped.connect(self._stopped)
        self._rows: Dict[str, HarvestRow] = {}
        self.watched.failed.connect(self._failed)
        self._session.records_changed.connect(self._start)
        self._session.store_closing.connect(self.watched.stop)
        menu = dock.top.add.menu()
        watch = QAction(icon("mActionShowAllLayers"), tr("Watch a folder…"), self)
        watch.triggered.connect(lambda _checked=False: self.ask())
        self.menu = QMenu(tr("Watched folders"), menu)
        self._entry = self.menu.menuAction()
        # behind what opens records once
        menu.insertActions(dock.top.after_opening, [watch, self._entry])
        self._entry.setVisible(False)
        menu.aboutToShow.connect(lambda: self._entry.setVisible(bool(self.watched.folders)))
        self.menu.aboutToShow.connect(self._fill)
        self._started_with: object = None

    def _start(self) -> None:
        """The store is open, or another one is: watch for it."""
        store = self._session.shelf.ready
        if store is not None and store is not self._started_with:
            self._started_with = store
            self.watched.start(self._session.shelf.keeper)

    def close(self) -> None:
        """Before the dock goes."""
        self.watched.stop()

    # -- what a person does

    def ask(self) -> None:
        """Ask for a folder and watch it."""
        path = QFileDialog.getExistingDirectory(self._dock, tr("Watch a folder of records"),
                                                settings.get("last_folder"))
        if path:
            settings.set("last_folder", path)
            self.watch(path)

    def watch(self, path: str) -> None:
        """Watch the folder at ``path``."""
        try:
            self.watched.add(path)
        except CartoguideError as error:
            self._dock.messages.error(error)
            return
        self._dock.messages.news(tr("{name} is watched: what changes there is read again.", name=_name(path)),
                                 tr("Undo"), lambda: self.watched.remove(os.path.abspath(path)))

    def leave(self, folder: str) -> None:
        """Watch a folder no longer."""
        self.watched.remove(folder)
        self._dock.messages.news(tr("{name} is watched no longer; its records stay.", name=_name(folder)),
                                 tr("Undo"), lambda: self.watch(folder))

    def _fill(self) -> None:
        self.menu.clear()
        for folder in self.watched.folders:
            below = self.menu.addMenu(_name(folder).replace("&", "&&"))
            problem = self.watched.problem(folder)
            words = problem.user_text if problem is not None else folder
            below.addAction(words.replace("&", "&&")).setEnabled(False)
            below.addSeparator()
            below.addAction(tr("Show its records"), partial(self._show, folder))
            below.addAction(icon("mActionRefresh"), tr("Look again now"), partial(self.watched.look, folder))
            below.addAction(tr("Stop watching"), partial(self.leave, folder))

    def _show(self, folder: str) -> None:
        self._dock.results.clear()
        self._dock.facets.choose("source", folder, True)

    # -- what the folders tell

    def _progressed(self, folder: str, percent: float, words: str) -> None:
        """Much is read of a folder: a line says how far it is."""
        if folder not in self._rows:
            row = self._rows[folder] = self._dock.harvest_rows.add(_name(folder), folder, True)
            row.asked.connect(lambda what: self._asked(folder, what))
        self._rows[folder].show_running(percent, words)
        self._session.imports.came()

    def _asked(self, folder: str, what: str) -> None:
        if what == CANCEL:
            self.watched.hold(folder)
        elif what == GO_ON:
            self._close_row(folder)
            self.watched.look(folder)
        elif what == CLOSE:
            self._rows.pop(folder, None)

    def _stopped(self, folder: str) -> None:
        if folder in self._rows:
            self._rows[folder].show_end(tr("stopped. What came is kept."), False, True)
        self._session.forget_read()

    def _close_row(self, folder: str) -> None:
        row = self._rows.pop(folder, None)
        if row is not None:
            self._dock.harvest_rows.remove(row)

    def _failed(self, folder: str, error: CartoguideError) -> None:
        self._close_row(folder)
        self._session.failed.emit(error)

    def _read(self, folder: str, summary: FolderSummary) -> None:
        self._close_row(folder)
        self._session.forget_read()
        counts = [words for number, words in (
            (summary.new, tr("%n new", n=summary.new)), (summary.changed, tr("%n changed", n=summary.changed)),
            (summary.vanished, tr("%n gone from it", n=summary.vanished)),
            (summary.failed, tr("%n could not be read", n=summary.failed))) if number]
        words = tr("Folder {name}: {counts}.", name=_name(folder), counts=", ".join(counts))
        if summary.failures:
            self._session.warned.emit(words, "\n\n".join(why for _, why in summary.failures[:_MOST_TOLD]))
        else:
            self._session.told.emit(words)


def _name(folder: str) -> str:
    return os.path.basename(folder.rstrip("/\\")) or folder
