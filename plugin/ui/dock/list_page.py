"""The list of records with its search, filters and catalogues, and with all that fills it."""

from __future__ import annotations

from typing import Callable, Dict, Optional, Sequence

from qgis.PyQt.QtCore import Qt, pyqtSignal
from qgis.PyQt.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from ...app.records.collection_controller import CollectionController, RecordMarks
from ...app.records.dock_session import DockSession
from ...app.records.harvest_controller import HarvestController
from ...app.records.record_checks import CheckController
from ...app.records.record_controller import SelectedRecord
from ...app.records.remote_search_controller import RemoteSearchController
from ...app.records.removal_controller import RemovalController
from ...app.window import MapWindow, Notifier, Prompts
from ...core.catalogues.result_merging import RemoteHit
from ...core.i18n import tr
from ...core.library.query import Facet
from ...core.library.record_collections import FAVOURITES
from ...gis.catalogues.catalogue_list import CatalogueList
from ...gis.runtime import settings
from ..catalogues.catalogue_controller import CatalogueController
from ..catalogues.catalogue_panel import CatalogueAction, CataloguePanel
from ..record.compare_view import CompareController
from ..results.facet_row import FacetRow
from ..results.record_list import RecordListView, ResultListModel
from ..results.results_controller import ResultsController
from ..widgets.buttons import sign_button
from ..widgets.form_widgets import fill_layout
from ..widgets.labels import LinkLabel
from .record_menu import CollectionMenu, MarksMenu
from .search_bar import DockAction, SearchBar


class WelcomePanel(QFrame):
    """Offers three things to begin with, until a map is made or the panel is closed.

    ``action_requested`` carries a ``DockAction``. The panel is low, so that the dock fits on a small
    screen.
    """

    action_requested = pyqtSignal(str)

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAccessibleName(tr("Welcome to Cartoguide"))
        links = " · ".join(f'<a href="{action.value}">{label.replace(" ", "&nbsp;")}</a>' for action, label in (
            (DockAction.FIRST_MAP, tr("a first map")), (DockAction.FILES, tr("open records")),
            (DockAction.CATALOGUES, tr("switch on catalogues"))))
        # no heading: in large type it would take a record's height from the list
        self.label = LinkLabel(f"<b>{tr('Start with:')}</b> {links}")
        self.label.linkActivated.connect(self.action_requested)
        self.done = sign_button("×", tr("Close. The user guide (F1) remains available"), self.dismiss)
        layout = fill_layout(QHBoxLayout(self), self.label, wide=self.label, margins=(6, 2, 2, 2))
        layout.addWidget(self.done, 0, Qt.AlignmentFlag.AlignTop)
        self.setVisible(not settings.get("welcomed"))

    def dismiss(self) -> None:
        """Close the panel for this session and all later ones."""
        settings.set("welcomed", True)
        self.hide()


class RecordListPage(QWidget):
    """Page of the dock with the list of records. ``record_requested`` carries the identifier of a record to open."""

    record_requested = pyqtSignal(str)

    def __init__(self, session: DockSession, selected: SelectedRecord, map_window: MapWindow, notifier: Notifier,
                 prompts: Prompts, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.search_bar = SearchBar()
        self.welcome = WelcomePanel()
        self.facets = FacetRow()
        self.catalogue_panel = CataloguePanel()
        self.list = RecordListView()
        self.model = ResultListModel(session.facts, session.images.thumbnail, self)
        self.list.setModel(self.model)
        fill_layout(QVBoxLayout(self), self.search_bar, self.welcome, self.facets, self.catalogue_panel, self.list,
                    spacing=4, wide=self.list)
        sources = CatalogueList(self)
        self.remote_search = RemoteSearchController(session, sources, selected, notifier, self)
        self.results = ResultsController(session, self.remote_search, selected, map_window, self.search_bar.search,
                                         self.facets, self.list, self.model, self)
        self.collections = CollectionController(session, notifier, prompts, self)
        self.marks = RecordMarks(session, self)
        self.removals = RemovalController(session, notifier, self)
        self.checks = CheckController(session, lambda: self.results.query, notifier, prompts, self)
        self.comparisons = CompareController(session, selected, lambda: self.model.hits, self)
        self.harvests = HarvestController(session, notifier, self)
        self.catalogues = CatalogueController(session, sources, self.harvests, lambda: self.results.query, notifier,
                                              self)
        self.collection_menu = CollectionMenu(session, self.collections, self.facets, self.list, self.results,
                                              notifier, self)
        self.marks_menu = MarksMenu(self.marks, self.search_bar, self.facets, self.record_requested.emit, self)
        self.list.remove_requested.connect(self._remove_selected)
        self.list.undo_requested.connect(self.removals.undo)
        self.marks.changed.connect(self._on_marks_changed)
        self.search_bar.filters.toggled.connect(lambda shown: self.facets.set_folded(not shown))
        self._connect_catalogues(session)

    def _connect_catalogues(self, session: DockSession) -> None:
        remote, results, panel = self.remote_search, self.results, self.catalogue_panel
        session.records_changed.connect(remote.search.refresh)
        session.background_updated.connect(remote.search.refresh)
        results.search_started.connect(remote.on_search_started)
        results.record_selected.connect(remote.on_hit_selected)
        remote.hits_changed.connect(lambda: results.show_remote_hits(remote.search.hits))
        remote.rows_changed.connect(panel.show_rows)
        remote.rows_changed.connect(lambda *_: results.show_counts())
        remote.row_changed.connect(panel.show_row)
        remote.row_changed.connect(lambda _row: results.show_counts())
        remote.row_changed.connect(lambda _row: results.update_empty_text())
        panel.action_requested.connect(self._on_catalogue_action)
        self.search_bar.catalogues.setChecked(remote.search.enabled)
        self.search_bar.catalogues.toggled.connect(remote.set_enabled)

    def close_down(self) -> None:
        """End the searches and harvests, before the dock is deleted."""
        self.results.close()
        self.remote_search.close()
        self.harvests.close()

    def add_remote(self, identifier: str) -> None:
        """Add the service of a record that only a catalogue has to the map, once the whole record is here."""
        self.remote_search.request_for_map(identifier)
        self.list.setCurrentIndex(self.model.index(self.model.row_of(identifier)))
        # one that could not be loaded before
        self.remote_search.reload_shown_version()
        self.remote_search.run_pending(identifier)

    def remove_records(self, identifiers: Sequence[str]) -> None:
        """Remove records, and select the one below them."""
        rows = [self.model.row_of(identifier) for identifier in identifiers]
        below = self.model.hit(max(rows) + 1) if rows else None
        if below is not None:
            self.results.selected_identifier = below.identifier
        self.removals.remove(identifiers)

    def filter_by_sources(self, sources: Sequence[str]) -> None:
        """Show the records of some sources only."""
        self.results.clear_filters()
        for source in sources:
            self.facets.set_value(Facet.SOURCE, source, True)

    def _remove_selected(self) -> None:
        self.remove_records([hit.identifier for hit in self.list.selected_hits() if not isinstance(hit, RemoteHit)])

    def _on_marks_changed(self) -> None:
        if self.facets.collection == FAVOURITES:
            self.results.run_search()

    def _on_catalogue_action(self, action: str, key: str) -> None:
        """Run an action of a row of the catalogue panel. ``key`` is the catalogue's."""
        search = self.remote_search.search.federated
        if action == CatalogueAction.LIST:
            self.catalogues.open_list_dialog()
            return
        if action == CatalogueAction.ADD:
            self.catalogues.open_add_dialog()
            return
        status = self.remote_search.status(key)
        if status is None:
            return  # another search is about to begin
        source = status.source
        run: Dict[str, Callable[[], object]] = {
            CatalogueAction.MORE: lambda: search.load_more(key), CatalogueAction.RETRY: lambda: search.retry(key),
            CatalogueAction.REASONS: lambda: self.remote_search.show_reason(key),
            CatalogueAction.HARVEST: lambda: self.catalogues.open_harvest_dialog(source),
            CatalogueAction.LOGIN: lambda: self.catalogues.ask_login(source),
            CatalogueAction.EXCLUDE: lambda: self.remote_search.exclude(key),
            CatalogueAction.ONLY: lambda: self.facets.toggle_only_value(Facet.SOURCE, key)
        }
        run[action]()
