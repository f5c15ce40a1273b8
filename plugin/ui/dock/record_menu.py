"""The menus of records: of the one that is shown, of those that are selected, of the favourites and recent ones."""

from __future__ import annotations

from datetime import datetime, timezone
from functools import partial
from typing import Callable, Optional, Sequence, Tuple

from qgis.PyQt.QtCore import QObject, QPoint, Qt
from qgis.PyQt.QtGui import QGuiApplication
from qgis.PyQt.QtWidgets import QMenu

from ...app.phrases import hit_title
from ...app.records.collection_controller import CollectionController, RecordMarks
from ...app.records.dock_session import DockSession
from ...app.records.record_checks import CheckController
from ...app.records.record_controller import RecordController
from ...app.records.removal_controller import RemovalController
from ...app.window import Notifier
from ...core.addresses import without_secrets
from ...core.catalogues.result_merging import RemoteHit
from ...core.dates import format_day
from ...core.distributions.uses import add_label_of
from ...core.i18n import tr
from ...core.library.query import SearchHit
from ...core.library.record_collections import FAVOURITES
from ...core.records.model.record import Record
from ...core.review.report.bibliography import CitationFormat, citation, record_work, written_citations
from ...core.text import inert, list_quoted_names, shorten, truncate
from ...gis.library.record_library import is_bundled_only
from ..record.compare_view import CompareController
from ..record.record_view import RecordView, add_citation_menu
from ..results.facet_row import FacetRow
from ..results.record_list import RecordListView
from ..results.results_controller import ResultsController
from ..widgets.rich_text import open_link
from ..widgets.theme import icon
from .search_bar import SearchBar

#: characters of a title in the menu of marks
_MAX_TITLE_LENGTH = 60
#: characters of the line above the entries for some of the selected records
_MAX_HEADING = 80


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
        if len(selected) == 1 and selected[0].can_be_added:
            menu.addAction(icon("mActionAddWmsLayer"), add_label_of(selected[0].offered),
                           lambda: self._add(selected[0]))
            menu.addSeparator()
        remote = [hit for hit in selected if isinstance(hit, RemoteHit)]
        local = [hit for hit in selected if not isinstance(hit, RemoteHit)]
        is_mixed = bool(remote and local)
        if is_mixed:
            _add_heading(menu, tr("Only in catalogues: {names}", names=_titles(remote)))
        if remote:
            menu.addAction(tr("Save %n record(s) in my records", n=len(remote)), lambda: self._save(remote))
            menu.addSeparator()
        # the other entries work on records of the library only
        if not local:
            return menu
        if is_mixed:
            _add_heading(menu, tr("In your records: {names}", names=_titles(local)))
        if len(selected) == 1:
            self._add_entries(menu, local[0].identifier)
            menu.addSeparator()
        if len(local) == 2:
            menu.addAction(tr("Compare the two records"), lambda: self._compare.compare_two(*local))
        else:
            another = menu.addAction(tr("Compare with another…"), lambda: self._compare.compare_selected())
            another.setEnabled(len(local) == 1)
        if self._results.extent_overlay is not None:
            zoom = menu.addAction(tr("Show on the map"), lambda: self._results.zoom_to_hits(local))
            zoom.setEnabled(any(hit.bbox for hit in local))
        menu.addSeparator()
        self._collections.add_entries(menu)
        menu.addSeparator()
        menu.addAction(tr("Check %n record(s)…", n=len(local)),
                       lambda: self._checks.check([hit.identifier for hit in local]))
        menu.addSeparator()
        menu.addAction(icon("mActionDeleteSelected"), tr("Remove %n record(s) from my records", n=len(local)),
                       lambda: self._remove([hit.identifier for hit in local]))
        return menu


def _titles(hits: Sequence[SearchHit]) -> str:
    return list_quoted_names([hit_title(hit) for hit in hits])


def _add_heading(menu: QMenu, text: str) -> None:
    """Add an entry that says of which records those below it are. Not every style shows the text of a section."""
    heading = menu.addAction(shorten(text, _MAX_HEADING).replace("&", "&&"))
    heading.setToolTip(inert(text))
    heading.setEnabled(False)


class RecordMenu(QObject):
    """Fills the menu ⋮ of a record's page each time it is opened."""

    def __init__(self, session: DockSession, view: RecordView, records: RecordController, marks: RecordMarks,
                 removals: RemovalController, notifier: Notifier, show_list: Callable[[], None],
                 parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._session, self._view, self._records = session, view, records
        self._marks, self._removals, self._notifier, self._show_list = marks, removals, notifier, show_list
        self.menu: QMenu = view.header.more.menu()
        self.menu.setToolTipsVisible(True)
        self.menu.aboutToShow.connect(self.fill)
        view.header.favourite.clicked.connect(self._on_star)
        marks.changed.connect(self.show_star)

    def fill(self) -> None:
        """Add what can be done with the record, as it is now."""
        menu, record = self.menu, self._view.record
        menu.clear()
        if record is None:
            return
        identifier, saved = record.id or "", self._marks.is_saved(record.id or "")
        add = menu.addMenu(icon("mActionAddWmsLayer"), tr("Add to map"))
        for action in self._view.add_bar.menu.actions():
            add.addAction(action)
        add.setToolTipsVisible(True)
        add.setEnabled(self._view.add_bar.button.isEnabled())
        menu.addSeparator()
        self.add_entries(menu, record)
        menu.addSeparator()
        remove = menu.addAction(icon("mActionDeleteSelected"), tr("Remove from my records"),
                                lambda: self._remove(identifier))
        bundled = saved and bool(self._session.read_library(lambda store: is_bundled_only(store, identifier)))
        remove.setEnabled(saved and not bundled)
        if bundled:
            remove.setToolTip(tr("Records bundled with the network profile cannot be removed."))
        elif not saved:
            remove.setToolTip(tr("The record is not in your records."))

    def add_entries(self, menu: QMenu, record: Record) -> None:
        """Add to ``menu`` what can be done with any record: copy its credit or citation, open its page, export it."""
        credit = self._session.terms(record).credit
        menu.addAction(icon("mActionEditCopy"), tr("Copy credit"), lambda: self._copy(credit)).setEnabled(bool(credit))
        add_citation_menu(menu, lambda citation_format: self._citation(record, citation_format), self._notifier)
        menu.addSeparator()
        page = self._session.catalogue_page(record.id or "")
        open_page = menu.addAction(tr("Open in catalogue"), lambda: open_link(page))
        open_page.setEnabled(bool(page))
        open_page.setToolTip(inert(page or tr("The address of its page in a catalogue is not known.")))
        menu.addAction(icon("mActionFileSaveAs"), tr("Export the record…"),
                       lambda: self._records.save_xml(record.original)).setEnabled(bool(record.original))

    def show_star(self) -> None:
        record = self._view.record
        identifier = record.id or "" if record is not None else ""
        self._view.header.show_favourite(self._marks.is_favourite(identifier), self._marks.is_saved(identifier))

    def _on_star(self, on: bool) -> None:
        record = self._view.record
        if record is not None and record.id:
            self._marks.set_favourite(record.id, on)

    def _remove(self, identifier: str) -> None:
        self._removals.remove([identifier])
        self._show_list()

    def _citation(self, record: Record, citation_format: CitationFormat) -> str:
        address = without_secrets(self._session.catalogue_page(record.id or "") or self._session.endpoint(record) or "")
        today = datetime.now(timezone.utc).date()
        return written_citations(citation_format, [record_work(record, address, today)],
                                 [citation(record, address, format_day(today.isoformat()))])

    def _copy(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)
        self._notifier.notify(tr("Copied: “{credit}”", credit=text))


class MarksMenu(QObject):
    """Fills the menu each time it is opened, because records are removed and restored meanwhile."""

    def __init__(self, marks: RecordMarks, search_bar: SearchBar, facets: FacetRow, show_record: Callable[[str], None],
                 parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._marks, self._facets, self._show_record = marks, facets, show_record
        self.menu: QMenu = search_bar.marks.menu()
        self.menu.setToolTipsVisible(True)
        self.menu.aboutToShow.connect(self.fill)

    def fill(self) -> None:
        """Add an entry for the favourites, and one for each record that was opened last."""
        self.menu.clear()
        count, shown = self._marks.favourite_count(), self._facets.collection == FAVOURITES
        favourites = self.menu.addAction("★ " + tr("Favourites ({count})", count=count))
        favourites.setCheckable(True)
        favourites.setChecked(shown)
        favourites.setEnabled(bool(count) or shown)
        favourites.setToolTip(tr("Shows your favourites only. The star on a record’s page makes it one."))
        favourites.triggered.connect(lambda on: self._facets.set_collection(FAVOURITES if on else ""))
        self.menu.addSection(tr("Recently used"))
        recent = self._marks.recent()
        for hit in recent:
            title = hit_title(hit)
            action = self.menu.addAction(truncate(title, _MAX_TITLE_LENGTH).replace("&", "&&"),
                                         partial(self._show_record, hit.identifier))
            action.setToolTip(inert(title))
        if not recent:
            self.menu.addAction(tr("No record was opened yet")).setEnabled(False)


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

    def _show_imported(self, names: Sequence[str], is_shown: bool) -> None:
        """Show the first of the collections that an import restored. Only name them if not ``is_shown``."""
        known = dict(self._session.collections())
        if is_shown:
            with self._session.views.showing():
                self._results.clear_filters()
                self._facets.set_collection(names[0])
        for name in names:
            self._notifier.notify(tr("Collection “{name}” imported: %n record(s).", n=known.get(name, 0), name=name))


def _menu_label(name: str, count: int) -> str:
    return f"{name}  {count:n}".replace("&", "&&")
