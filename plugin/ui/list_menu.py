"""What can be done with the selected records of the list: its context menu."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qgis.PyQt.QtCore import QObject, QPoint, Qt
from qgis.PyQt.QtWidgets import QMenu

from ..core.i18n import tr
from ..core.sources.weaving import RemoteHit

if TYPE_CHECKING:
    from .dock import CartoguideDock


class ListMenu(QObject):
    """A right click, or the menu key, on the list."""

    def __init__(self, dock: CartoguideDock) -> None:
        super().__init__(dock)
        self._dock = dock
        dock.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        dock.list.customContextMenuRequested.connect(self._show)

    def _show(self, place: QPoint) -> None:
        menu = self.menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if not menu.isEmpty():
            menu.popup(self._dock.list.viewport().mapToGlobal(place))

    def menu(self) -> QMenu:
        """The menu for what is selected now; empty where nothing is."""
        menu = QMenu(self._dock.list)
        selected = self._dock.list.selected()
        remote = [hit for hit in selected if isinstance(hit, RemoteHit)]
        if remote:
            menu.addAction(tr("Keep %n record(s) in my records", n=len(remote)),
                           lambda: self._dock.catalogue_search.keep_all(remote))
            menu.addSeparator()
        # what follows is for records that are kept
        selected = [hit for hit in selected if not isinstance(hit, RemoteHit)]
        if not selected:
            return menu
        if len(selected) == 2:
            menu.addAction(tr("Compare the two records"), lambda: self._dock.comparing.compare_two(*selected))
        else:
            menu.addAction(tr("Compare…"), lambda: self._dock.comparing.compare()).setEnabled(len(selected) == 1)
        if self._dock.results.extents is not None:
            where = menu.addAction(tr("Show on the map"), lambda: self._dock.results.show_on_map(selected))
            where.setEnabled(any(hit.box for hit in selected))
        menu.addSeparator()
        self._dock.collections.add_entries(menu)
        menu.addSeparator()
        menu.addAction(tr("Check %n record(s) into a table…", n=len(selected)),
                       lambda: self._dock.checking.ask([hit.identifier for hit in selected]))
        return menu
