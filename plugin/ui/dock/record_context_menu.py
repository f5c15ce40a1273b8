"""What can be done with the selected records of the list: its context menu."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qgis.PyQt.QtCore import QObject, QPoint, Qt
from qgis.PyQt.QtWidgets import QMenu

from ...core.catalogues.result_merging import RemoteHit
from ...core.i18n import tr

if TYPE_CHECKING:
    from .dock_widget import CartoguideDock


class RecordContextMenu(QObject):
    """A right click, or the menu key, on the list."""

    def __init__(self, dock: CartoguideDock) -> None:
        super().__init__(dock)
        self._dock = dock
        dock.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        dock.list.customContextMenuRequested.connect(self._show)

    def _show(self, position: QPoint) -> None:
        menu = self.build_menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if not menu.isEmpty():
            menu.popup(self._dock.list.viewport().mapToGlobal(position))

    def build_menu(self) -> QMenu:
        """The menu for what is selected now; empty where nothing is."""
        menu = QMenu(self._dock.list)
        selected = self._dock.list.selected_hits()
        remote = [hit for hit in selected if isinstance(hit, RemoteHit)]
        if remote:
            menu.addAction(tr("Keep %n record(s) in my records", n=len(remote)),
                           lambda: self._dock.remote_search.save_records(remote))
            menu.addSeparator()
        # what follows is for records that are kept
        selected = [hit for hit in selected if not isinstance(hit, RemoteHit)]
        if not selected:
            return menu
        if len(selected) == 2:
            menu.addAction(tr("Compare the two records"), lambda: self._dock.compare_controller.compare_two(*selected))
        else:
            menu.addAction(tr("Compare…"),
                           lambda: self._dock.compare_controller.compare_selected()).setEnabled(len(selected) == 1)
        if self._dock.results.extent_overlay is not None:
            where = menu.addAction(tr("Show on the map"), lambda: self._dock.results.zoom_to_hits(selected))
            where.setEnabled(any(hit.bbox for hit in selected))
        menu.addSeparator()
        self._dock.collection_controller.add_menu_entries(menu)
        menu.addSeparator()
        menu.addAction(tr("Check %n record(s) into a table…", n=len(selected)),
                       lambda: self._dock.check_controller.ask_file_and_check([hit.identifier for hit in selected]))
        return menu
