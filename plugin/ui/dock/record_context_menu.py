"""The context menu of the selected records in the list."""

from __future__ import annotations

from typing import Callable, Optional, Sequence

from qgis.PyQt.QtCore import QObject, QPoint, Qt
from qgis.PyQt.QtWidgets import QMenu

from ...app.records.check_controller import CheckController
from ...core.catalogues.result_merging import RemoteHit
from ...core.i18n import tr
from ...core.library.query import SearchHit
from ..record.compare_controller import CompareController
from ..results.record_list import RecordListView
from ..results.results_controller import ResultsController
from ..widgets.theme import icon
from .collection_menu import CollectionMenu


class RecordContextMenu(QObject):
    """Opens on a right click and with the menu key."""

    def __init__(self, records: RecordListView, results: ResultsController, compare: CompareController,
                 collections: CollectionMenu, checks: CheckController, save: Callable[[Sequence[RemoteHit]], None],
                 remove: Callable[[Sequence[str]], None], add: Callable[[SearchHit], None],
                 add_entries: Callable[[QMenu, str], None], parent: Optional[QObject] = None) -> None:
        """``save`` stores records that only catalogues have, ``remove`` removes those of the library.

        ``add`` adds a service to the map. ``add_entries`` adds the entries of one record, by its identifier.
        """
        super().__init__(parent)
        self._records, self._results, self._compare = records, results, compare
        self._collections, self._checks, self._save, self._remove = collections, checks, save, remove
        self._add, self._add_entries = add, add_entries
        records.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        records.customContextMenuRequested.connect(self._show)

    def _show(self, position: QPoint) -> None:
        menu = self.build_menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if not menu.isEmpty():
            menu.popup(self._records.viewport().mapToGlobal(position))

    def build_menu(self) -> QMenu:
        """Return the menu for the selected records. It is empty if none is selected."""
        menu = QMenu(self._records)
        selected = self._records.selected_hits()
        menu.setToolTipsVisible(True)
        if len(selected) == 1 and selected[0].endpoint:
            menu.addAction(icon("mActionAddWmsLayer"), tr("Add to map"), lambda: self._add(selected[0]))
            menu.addSeparator()
        remote = [hit for hit in selected if isinstance(hit, RemoteHit)]
        if remote:
            menu.addAction(tr("Save %n record(s) in my records", n=len(remote)), lambda: self._save(remote))
            menu.addSeparator()
        # the other entries work on records of the library only
        local = [hit for hit in selected if not isinstance(hit, RemoteHit)]
        if not local:
            return menu
        if len(selected) == 1:
            self._add_entries(menu, local[0].identifier)
            menu.addSeparator()
        if len(local) == 2:
            menu.addAction(tr("Compare the two records"), lambda: self._compare.compare_two(*local))
        else:
            menu.addAction(tr("Compare…"), lambda: self._compare.compare_selected()).setEnabled(len(local) == 1)
        if self._results.extent_overlay is not None:
            zoom = menu.addAction(tr("Show on the map"), lambda: self._results.zoom_to_hits(local))
            zoom.setEnabled(any(hit.bbox for hit in local))
        menu.addSeparator()
        self._collections.add_entries(menu)
        menu.addSeparator()
        menu.addAction(tr("Check %n record(s) and save the issues as CSV…", n=len(local)),
                       lambda: self._checks.ask_file_and_check([hit.identifier for hit in local]))
        menu.addSeparator()
        menu.addAction(icon("mActionDeleteSelected"), tr("Remove %n record(s) from my records", n=len(local)),
                       lambda: self._remove([hit.identifier for hit in local]))
        return menu
