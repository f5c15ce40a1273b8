"""The menu of watched folders, and the rows that show how far a large one has been read."""

from __future__ import annotations

from functools import partial
from typing import Callable, Dict, Optional

from qgis.PyQt.QtCore import QObject
from qgis.PyQt.QtWidgets import QAction, QMenu

from ...app.records.watched_folders_controller import WatchedFoldersController, folder_name
from ...core.i18n import tr
from ..widgets.job_rows import JobAction, JobRow, JobRows
from ..widgets.theme import icon


class WatchedFoldersMenu(QObject):
    """Adds "Watch a folder…" and the list of watched folders to the menu that opens records."""

    def __init__(self, controller: WatchedFoldersController, menu: QMenu, before: QAction, rows: JobRows,
                 show_records: Callable[[str], None], parent: Optional[QObject] = None) -> None:
        """``before`` is the entry of ``menu`` that the new ones precede. ``show_records`` filters the list by a folder.
        """
        super().__init__(parent)
        self._controller, self._job_rows, self._show_records = controller, rows, show_records
        self._rows: Dict[str, JobRow] = {}
        watch = QAction(icon("mActionShowAllLayers"), tr("Watch a folder…"), self)
        watch.triggered.connect(lambda _checked=False: controller.ask_folder())
        self.menu = QMenu(tr("Watched folders"), menu)
        self._menu_action = self.menu.menuAction()
        menu.insertActions(before, [watch, self._menu_action])
        self._menu_action.setVisible(False)
        menu.aboutToShow.connect(lambda: self._menu_action.setVisible(bool(controller.folders.folders)))
        self.menu.aboutToShow.connect(self.fill)
        controller.folders.changes_read.connect(lambda folder, _summary: self._close_row(folder))
        controller.folders.failed.connect(lambda folder, _error: self._close_row(folder))
        controller.folders.progressed.connect(self._on_progress)
        controller.folders.paused.connect(self._on_paused)

    def fill(self) -> None:
        """Add a submenu for each watched folder."""
        self.menu.clear()
        folders = self._controller.folders
        for folder in folders.folders:
            submenu = self.menu.addMenu(folder_name(folder).replace("&", "&&"))
            problem = folders.problem(folder)
            label = problem.user_text if problem is not None else folder
            submenu.addAction(label.replace("&", "&&")).setEnabled(False)
            submenu.addSeparator()
            submenu.addAction(tr("Show its records"), partial(self._show_records, folder))
            submenu.addAction(icon("mActionRefresh"), tr("Scan now"), partial(folders.scan, folder))
            submenu.addAction(tr("Stop watching"), partial(self._controller.unwatch, folder))

    def _on_progress(self, folder: str, percent: float, text: str) -> None:
        if folder not in self._rows:
            row = self._rows[folder] = self._job_rows.add(folder_name(folder), folder, True)
            row.action_requested.connect(lambda action: self._on_action(folder, action))
        self._rows[folder].show_running(percent, text)

    def _on_action(self, folder: str, action: str) -> None:
        if action == JobAction.CANCEL:
            self._controller.folders.pause(folder)
        elif action == JobAction.RESUME:
            self._close_row(folder)
            self._controller.folders.scan(folder)
        elif action == JobAction.CLOSE:
            self._rows.pop(folder, None)

    def _on_paused(self, folder: str) -> None:
        if folder in self._rows:
            self._rows[folder].show_result(tr("stopped. Records received so far are kept."), False, True)

    def _close_row(self, folder: str) -> None:
        row = self._rows.pop(folder, None)
        if row is not None:
            self._job_rows.remove(row)
