"""The menu of collections among the filters of the list."""

from __future__ import annotations

from functools import partial
from typing import Optional, Sequence, Tuple

from qgis.PyQt.QtCore import QObject
from qgis.PyQt.QtWidgets import QMenu

from ...app.records.collection_controller import CollectionController
from ...app.records.dock_session import DockSession
from ...app.window import Notifier
from ...core.catalogues.result_merging import RemoteHit
from ...core.i18n import tr
from ...core.library.record_collections import FAVOURITES
from ..results.facet_row import FacetRow
from ..results.record_list import RecordListView
from ..results.results_controller import ResultsController


class CollectionMenu(QObject):
    """Fills the menu "Collections" each time it is opened, and keeps the list's filter in step with the collections."""

    def __init__(self, session: DockSession, collections: CollectionController, facets: FacetRow,
                 records: RecordListView, results: ResultsController, notifier: Notifier,
                 parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._session, self._collections = session, collections
        self._facets, self._records, self._results = facets, records, results
        self._notifier = notifier
        self.menu: QMenu = facets.collections
        self.menu.aboutToShow.connect(self.fill)
        session.collections_imported.connect(self._show_imported)
        collections.renamed.connect(self._on_renamed)
        collections.deleted.connect(lambda name: self._on_renamed(name, ""))
        collections.members_changed.connect(self._on_members_changed)
        collections.restored.connect(self._on_restored)

    def fill(self) -> None:
        """Add an entry for each collection, and what can be done with the selected records and the shown collection."""
        self.menu.clear()
        known = self._own_collections()
        for name, count in known:
            action = self.menu.addAction(_menu_label(name, count))
            action.setCheckable(True)
            action.setChecked(name == self._facets.collection)
            action.triggered.connect(lambda on, name=name: self._facets.set_collection(name if on else ""))
        if not known:
            self.menu.addAction(tr("No collection yet")).setEnabled(False)
        self.menu.addSeparator()
        self.add_entries(self.menu, known)
        self.menu.addAction(tr("New collection…"), lambda: self._collections.ask_new(()))
        shown = self._facets.collection
        if shown and shown != FAVOURITES:
            self.menu.addSeparator()
            label = shown.replace("&", "&&")
            self.menu.addAction(tr("Rename “{name}”…", name=label), partial(self._collections.ask_rename, shown))
            self.menu.addAction(tr("Export “{name}” as a zip…", name=label),
                                partial(self._collections.ask_export, shown))
            self.menu.addAction(tr("Delete “{name}”", name=label), partial(self._collections.delete, shown))

    def add_entries(self, menu: QMenu, known: Optional[Sequence[Tuple[str, int]]] = None) -> None:
        """Add to ``menu`` what can be done with the selected records.

        ``known``: names and sizes of the collections, if they were counted already: large ones take a moment.
        """
        # a record that only a catalogue has must be saved first
        selected = [hit.identifier for hit in self._records.selected_hits() if not isinstance(hit, RemoteHit)]
        submenu = menu.addMenu(tr("Add %n selected record(s) to", n=len(selected)))
        submenu.setEnabled(bool(selected))
        for name, count in self._own_collections() if known is None else known:
            submenu.addAction(_menu_label(name, count), partial(self._collections.add, name, selected))
        submenu.addSeparator()
        submenu.addAction(tr("New collection…"), partial(self._collections.ask_new, selected))
        shown = self._facets.collection
        if shown == FAVOURITES and selected:
            menu.addAction(tr("Remove %n selected record(s) from the favourites", n=len(selected)),
                           partial(self._collections.remove, shown, selected))
        elif shown and selected:
            menu.addAction(tr("Remove %n selected record(s) from “{name}”", n=len(selected),
                              name=shown.replace("&", "&&")), partial(self._collections.remove, shown, selected))

    def _own_collections(self) -> Sequence[Tuple[str, int]]:
        """Return the collections that the person named. The favourites have another menu."""
        return [(name, count) for name, count in self._session.collections() if name != FAVOURITES]

    def _on_renamed(self, name: str, new: str) -> None:
        if self._facets.collection == name:
            self._facets.set_collection(new)

    def _on_members_changed(self, _name: str) -> None:
        if self._facets.collection:
            self._results.run_search()

    def _on_restored(self, name: str, exists: bool) -> None:
        if not exists and self._facets.collection == name:
            self._facets.set_collection("")
        else:
            self._results.run_search()

    def _show_imported(self, names: Sequence[str]) -> None:
        """Show the first of the collections that an import restored."""
        known = dict(self._session.collections())
        self._results.clear_filters()
        self._facets.set_collection(names[0])
        for name in names:
            self._notifier.notify(tr("Collection “{name}” imported: %n record(s).", n=known.get(name, 0), name=name))


def _menu_label(name: str, count: int) -> str:
    return f"{name}  {count:n}".replace("&", "&&")
