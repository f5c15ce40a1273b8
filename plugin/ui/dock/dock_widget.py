"""The dock of the records: search, list and selected record, with its saved state, and the dock of the custom map."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Callable, Dict, Mapping, Optional, Sequence, Tuple

from qgis.core import QgsSettings
from qgis.gui import QgsDockWidget
from qgis.PyQt.QtCore import QByteArray, QEvent, QModelIndex, QObject, Qt, QTimer
from qgis.PyQt.QtGui import QDragEnterEvent, QDropEvent, QKeyEvent, QKeySequence
from qgis.PyQt.QtWidgets import (
    QAction,
    QApplication,
    QDockWidget,
    QHBoxLayout,
    QMenu,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from ...app.maps.map_additions import AddOfferController, MapAdditions
from ...app.maps.map_controller import MapController
from ...app.maps.map_state import AddMode
from ...app.maps.operation_controller import OperationController
from ...app.maps.preview_controller import PreviewController
from ...app.maps.time_series_controller import TimeSeriesController
from ...app.records.collection_controller import CollectionController
from ...app.records.dock_session import DockSession, ServiceState, ServiceStatus
from ...app.records.harvest_controller import HarvestController
from ...app.records.record_checks import CheckController
from ...app.records.record_controller import RecordController, SelectedRecord
from ...app.records.record_marks import RecordMarks
from ...app.records.remote_search_controller import RemoteSearchController
from ...app.records.removal_controller import RemovalController
from ...app.window import MapWindow
from ...core.addresses import AddressSecret
from ...core.catalogues.result_merging import RemoteHit
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.json_document import stored_object
from ...core.library.query import Facet, LibraryQuery, SearchHit
from ...core.library.record_collections import FAVOURITES
from ...core.records.model.record import Record
from ...gis.catalogues.catalogue_list import CatalogueList
from ...gis.network.origin_settings import save_login
from ...gis.runtime.guide_pages import GuideTopic
from ...gis.runtime.network_errors import host_of
from ..catalogues.catalogue_controller import CatalogueController
from ..catalogues.catalogue_panel import CatalogueAction, CataloguePanel
from ..composer.composer_controller import ComposerController
from ..composer.composer_panel import ComposerAction, ComposerPanel
from ..record.compare_view import CompareController
from ..record.overview_tab import overview_urls
from ..record.record_view import CatalogueOriginBar, OriginAction, RecordView
from ..results.facet_row import FacetRow
from ..results.record_list import MIME_RECORD, RecordListView, ResultListModel
from ..results.results_controller import ResultsController
from ..widgets import guide
from ..widgets.dialog_prompts import DialogPrompts
from ..widgets.drag_and_drop import parse_dropped_layers
from ..widgets.error_actions import login_removed_text
from ..widgets.job_rows import JobRows
from ..widgets.labels import PlainLabel
from ..widgets.messages import InlineMessage, Messages
from .collection_menu import CollectionMenu
from .dock_dialogs import DockDialogs
from .job_progress import JobProgress
from .record_menu import MarksMenu, RecordContextMenu, RecordMenu
from .record_pages import RecordPages
from .search_bar import DockAction, SearchBar
from .welcome import WelcomePanel

if TYPE_CHECKING:
    from ...gis.library.record_library import RecordLibrary, RecordSource


#: debounce between opening a record and loading its service: another one may be opened at once
_OPENING_DEBOUNCE_MS = 150
#: widgets that are skipped at most where the focus moves
_MAX_SKIPPED = 1000
STATE_PREFIX = "cartoguide/dock/"
#: facets, values of a facet, and characters of a value that are read: a damaged setting may be of any size
_MAX_VALUES = 50
_MAX_LENGTH = 500


class CartoguideDock(QDockWidget):
    """Creates the widgets and the controllers, and connects them. The controllers do the work."""

    def __init__(self, iface: Optional[object] = None, parent: Optional[QWidget] = None,
                 session: Optional[DockSession] = None) -> None:
        """``iface`` is QGIS's interface. Without it there is neither map canvas nor message bar."""
        super().__init__(tr("Cartoguide"), parent)
        self.setObjectName("CartoguideDock")
        self.setAcceptDrops(True)
        self.iface = iface
        self._closed = False
        self._busy_text = self._adding_text = ""
        self._opens_first = False
        self.note = InlineMessage()
        self.messages = Messages(iface.messageBar() if iface is not None else None, self.note)  # type: ignore[attr-defined]
        self.session = session or DockSession(self)
        self._create_widgets()
        self._create_record_controllers()
        self._create_map_controllers()
        self._create_menus()
        self._build()
        self._service_timer = QTimer(self)
        self._service_timer.setSingleShot(True)
        self._service_timer.setInterval(_OPENING_DEBOUNCE_MS)
        self._service_timer.timeout.connect(self._load_service_of_opened)
        self._connect_widgets()
        self._connect_search()
        self._connect_record_view()
        self._connect_operations()
        self._connect_session()
        self._restore()
        self.session.start()

    def _create_widgets(self) -> None:
        self.model = ResultListModel(self.session.facts, self.session.images.thumbnail, self)
        self.list = RecordListView()
        self.list.setModel(self.model)
        self.view = RecordView(lambda data: self.record_controller.save_xml(data))
        self.composer = ComposerPanel()
        self.compose_dock = ComposeDock(self.composer)
        self.search_bar = SearchBar()
        self.search = self.search_bar.search
        self.welcome = WelcomePanel()
        self.facets = FacetRow()
        self.catalogue_panel = CataloguePanel()
        self.job_rows = JobRows()
        self.origin_bar = CatalogueOriginBar()
        self.view.insert_above_tabs(self.origin_bar)

    def _create_record_controllers(self) -> None:
        session, notifier = self.session, self.messages
        self.map_window = MapWindow(lambda: self.iface)
        self.prompts = DialogPrompts(self)
        self.selected = SelectedRecord(self)
        sources = CatalogueList(self)
        self.remote_search = RemoteSearchController(session, sources, self.selected, notifier, self)
        self.results = ResultsController(session, self.remote_search, self.selected, self.map_window, self.search,
                                         self.facets, self.list, self.model, self)
        self.record_controller = RecordController(session, self.selected, notifier, self.prompts, self)
        self.collection_controller = CollectionController(session, notifier, self.prompts, self)
        self.marks = RecordMarks(session, self)
        self.removals = RemovalController(session, notifier, self)
        self.check_controller = CheckController(session, lambda: self.results.query, notifier, self.prompts, self)
        self.compare_controller = CompareController(session, self.selected, lambda: self.model.hits, self)
        self.harvest_controller = HarvestController(session, notifier, self)
        self.catalogue_controller = CatalogueController(session, sources, self.harvest_controller,
                                                        lambda: self.results.query, notifier, self)

    def _create_map_controllers(self) -> None:
        session, selected, notifier = self.session, self.selected, self.messages
        save_for_map = self.remote_search.save_for_map
        self.map = MapController(session, parent=self)
        self.map_additions = MapAdditions(session, self.map, selected, save_for_map, notifier, self)
        self.composer_controller = ComposerController(self.composer, self.map, selected, self.map_window,
                                                      self.map_additions.add_record, notifier, self.prompts, self)
        self.time_series = TimeSeriesController(session, self.map, selected, self.composer_controller.time_selection,
                                                self.map_window, save_for_map, notifier, self)
        self.add_offer = AddOfferController(session, self.map, selected, self.map_additions, self.time_series, self)
        self.preview = PreviewController(session, self.map, selected, lambda: self.pages.record_opened, self)
        self.operation_controller = OperationController(session, self.map, selected, self.view.service.operations,
                                                        self.map_window, notifier, self.prompts, self)
        self.dialogs = DockDialogs(session, self.map, selected, self.map_window, notifier, self)

    def _create_menus(self) -> None:
        self.collection_menu = CollectionMenu(self.session, self.collection_controller, self.facets, self.list,
                                              self.results, self.messages, self)
        self.record_menu = RecordMenu(self.session, self.view, self.record_controller, self.marks, self.removals,
                                      self.messages, self.show_list, self)
        self.context_menu = RecordContextMenu(self.list, self.results, self.compare_controller, self.collection_menu,
                                              self.check_controller, self.remote_search.save_records,
                                              self._remove_records, self._add_hit, self._add_entries, self)
        self.marks_menu = MarksMenu(self.marks, self.search_bar, self.facets, self.select_record, self)
        self.job_progress = JobProgress(self.session.imports, self.harvest_controller, self.job_rows, self.messages,
                                        self._filter_by_sources, self)

    # -- building

    def _build(self) -> None:
        list_page = QWidget()
        column = QVBoxLayout(list_page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        for widget in (self.search_bar, self.welcome, self.facets, self.catalogue_panel):
            column.addWidget(widget)
        column.addWidget(self.list, 1)
        self.pages = RecordPages(list_page, self.view, self.list, self.view.tabs)
        body = QWidget()
        layout = QVBoxLayout(body)
        layout.setContentsMargins(4, 4, 4, 0)
        layout.setSpacing(4)
        layout.addWidget(self.job_rows)
        layout.addWidget(self._make_busy_row())
        layout.addWidget(self.note)
        layout.addWidget(self.pages, 1)
        self.setWidget(body)
        body.setMinimumWidth(250)
        facets = self.facets
        order = (self.search, self.search_bar.filters, self.search_bar.marks, self.search_bar.catalogues,
                 self.search_bar.add, self.search_bar.more, facets.in_view_chip, facets.extents, facets.filter_button,
                 facets.order, self.list, self.view.header.back, self.view.header.favourite, self.view.header.more,
                 self.view.header.copy, self.origin_bar.save_button, self.view.add_bar.button, self.view.tabs)
        for first, second in zip(order, order[1:]):
            QWidget.setTabOrder(first, second)
        self.search.installEventFilter(self)

    def _make_busy_row(self) -> QWidget:
        self.busy_row = QWidget()
        self.busy_label = PlainLabel()
        self.busy_label.setWordWrap(True)
        bar = QProgressBar()
        bar.setRange(0, 0)
        bar.setTextVisible(False)
        bar.setMaximumSize(80, 8)
        cancel = QPushButton(tr("Cancel"))
        cancel.clicked.connect(self._cancel_busy)
        row = QHBoxLayout(self.busy_row)
        row.setContentsMargins(2, 0, 2, 0)
        row.addWidget(self.busy_label, 1)
        row.addWidget(bar)
        row.addWidget(cancel)
        self.busy_row.hide()
        return self.busy_row

    def _connect_widgets(self) -> None:
        self.list.open_requested.connect(self._focus_record)
        self.list.clicked.connect(self._on_record_clicked)
        self.view.header.back_requested.connect(self.show_list)
        self.pages.changed.connect(self._load_overviews)
        self.pages.changed.connect(self._load_service_later)
        self.pages.changed.connect(self._show_busy_row)
        self.pages.changed.connect(lambda: self.view.header.back.setHidden(self.pages.side_by_side))
        self.list.moved_above_first.connect(self.focus_search)
        self.list.paste_requested.connect(self.record_controller.paste)
        self.list.add_requested.connect(self._add_hit)
        self.list.remove_requested.connect(self._remove_selected)
        self.list.undo_requested.connect(self.removals.undo)
        self.marks.changed.connect(self._on_marks_changed)
        self.list.empty_label.linkActivated.connect(self._on_empty_link)
        self.composer_controller.map_opened.connect(self.compose_dock.open)
        self.composer.count_changed.connect(self._on_map_count_changed)
        self.composer.find_requested.connect(self.find_service)
        records, catalogues, dialogs = self.record_controller, self.catalogue_controller, self.dialogs
        run: Dict[str, Callable[[], object]] = {
            DockAction.FILES: records.open_files, DockAction.FOLDER: records.open_folder,
            DockAction.ADDRESS: dialogs.open_address, DockAction.PASTE: records.paste,
            DockAction.CATALOGUE: catalogues.open_add_dialog, DockAction.CATALOGUES: catalogues.open_list_dialog,
            DockAction.REFRESH: records.refresh, DockAction.SETTINGS: dialogs.open_settings,
            DockAction.CHECK: lambda: self.check_controller.ask_file_and_check(), DockAction.HEALTH: self.open_health,
            DockAction.GUIDE: guide.show,
            DockAction.FIRST_MAP: lambda: guide.show(GuideTopic.FIRST_MAP)
        }
        self.search_bar.action_requested.connect(lambda action: run[action]())
        self.welcome.action_requested.connect(lambda action: run[action]())
        self._add_shortcut(QKeySequence(QKeySequence.StandardKey.Find), self._on_find)
        self._add_shortcut(QKeySequence("/"), self.focus_search)
        self._add_shortcut(QKeySequence("Alt+Left"), self.show_list)
        guide.install_help(self, self._help_topic)

    def _connect_search(self) -> None:
        remote, results, panel = self.remote_search, self.results, self.catalogue_panel
        self.session.records_changed.connect(remote.search.refresh)
        self.session.background_updated.connect(remote.search.refresh)
        results.search_started.connect(remote.on_search_started)
        results.record_selected.connect(remote.on_hit_selected)
        results.results_shown.connect(self._on_results_shown)
        remote.hits_changed.connect(lambda: results.show_remote_hits(remote.search.hits))
        remote.rows_changed.connect(panel.show_rows)
        remote.rows_changed.connect(lambda *_: results.show_counts())
        remote.row_changed.connect(panel.show_row)
        remote.row_changed.connect(lambda _row: results.show_counts())
        remote.row_changed.connect(lambda _row: results.update_empty_text())
        remote.map_record_ready.connect(self.map_additions.add_selected)
        panel.action_requested.connect(self._on_catalogue_action)
        self.search_bar.catalogues.setChecked(remote.search.enabled)
        self.search_bar.catalogues.toggled.connect(remote.set_enabled)
        self.search_bar.filters.toggled.connect(lambda shown: self.facets.set_folded(not shown))

    def _connect_record_view(self) -> None:
        view, records, checks = self.view, self.record_controller, self.check_controller
        self.selected.changed.connect(self._show_selected)
        records.service_state_changed.connect(self._show_service_state)
        records.service_cancelled.connect(view.service.show_cancelled)
        records.map_opened.connect(self.composer_controller.documents.open_file)
        records.package_opened.connect(self.composer_controller.offline.open_package)
        view.service.load_requested.connect(records.load_service)
        view.service.cancel_requested.connect(records.cancel_service)
        view.service.details_requested.connect(records.show_service_error)
        view.service.layers.add_requested.connect(self.map_additions.add_layers_of_selected)
        view.overview.refresh_requested.connect(lambda: records.refresh(self.selected.record))
        view.checks.health_check_requested.connect(lambda: self.dialogs.open_health(True))
        view.checks.record_checked.connect(checks.find_duplicates)
        view.checks.batch_check_requested.connect(lambda: checks.ask_file_and_check())
        view.checks.compare_requested.connect(self.compare_controller.compare_selected)
        checks.duplicates_found.connect(view.checks.checks.add_duplicates)
        view.add_bar.add_requested.connect(self.map_additions.add_selected)
        view.add_bar.cancel_requested.connect(self._cancel_adding)
        view.add_bar.retry_requested.connect(lambda: records.load_service(True))
        self.add_offer.changed.connect(view.add_bar.show_offer)
        self.add_offer.changed.connect(self.preview.show_offer)
        self.pages.changed.connect(self.preview.refresh)
        self.preview.changed.connect(view.header.preview.show_state)
        view.add_bar.series_requested.connect(self.time_series.add)
        view.add_bar.series_overlay_requested.connect(self.time_series.add_overlay)
        self.time_series.series_found.connect(view.add_bar.show_series)
        self.time_series.overlay_requested.connect(self.compose_dock.open)
        self.time_series.adding_changed.connect(self._show_adding)
        self.map_additions.pending_changed.connect(self._show_adding)
        self.map_additions.layer_choice_requested.connect(self.dialogs.choose_layers)
        self.map_additions.series_requested.connect(self.time_series.add_series_of)
        self.map.adding_changed.connect(lambda _on: self._show_adding())
        self.map.built.connect(lambda item: self.remote_search.save_for_map(item.entry.record_id or ""))
        self.remote_search.origin_changed.connect(self.origin_bar.show_origin)
        self.remote_search.adding_blocked.connect(view.add_bar.set_disabled_reason)
        self.origin_bar.action_requested.connect(self._on_origin_action)
        self.origin_bar.version_requested.connect(self.remote_search.show_version)

    def _connect_operations(self) -> None:
        page, operations = self.view.service.operations, self.operation_controller
        page.canvas_extent = operations.canvas_extent
        page.canvas_crs = self.map.crs
        page.send_requested.connect(operations.send)
        page.cancel_requested.connect(operations.cancel)
        page.answer.save_requested.connect(operations.ask_and_save)
        page.answer.add_data_requested.connect(operations.add_data_layer)
        page.answer.add_image_requested.connect(operations.ask_and_add_image)
        operations.response_received.connect(page.show_answer)
        operations.failed.connect(page.show_error)
        operations.cancelled.connect(page.answer.show_cancelled)
        operations.adding_ended.connect(page.answer.data_page.enable_buttons)

    def _connect_session(self) -> None:
        session = self.session
        session.busy_changed.connect(self._show_busy)
        session.images.loaded.connect(self._on_thumbnail_loaded)
        session.terms_changed.connect(self._on_terms_changed)
        session.records_opened.connect(self._on_records_opened)
        session.failed.connect(self.messages.show_error)
        session.login_found.connect(self._offer_to_save_login)
        session.notified.connect(self.messages.notify)
        session.warned.connect(self.messages.show_warning)
        session.records_replaced.connect(lambda text, undo: self.messages.notify(text, tr("Undo"), undo))

    def _offer_to_save_login(self, secret: AddressSecret) -> None:
        def save() -> None:
            try:
                save_login(secret)
            except CartoguideError as error:
                self.messages.show_error(error)
            else:
                self.messages.notify(tr("QGIS keeps the login for {host} now. Open the address again.",
                                        host=host_of(secret.address)))

        self.messages.show_warning_with_action(login_removed_text(secret.address), tr("Save it in QGIS…"), save)

    def _add_shortcut(self, keys: QKeySequence, run: Callable[[], None]) -> None:
        """Add a shortcut that works inside the dock only, and not while text is being typed."""
        action = QAction(self)
        action.setShortcut(keys)
        action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        action.triggered.connect(lambda _checked=False: run())
        self.addAction(action)

    def _help_topic(self) -> GuideTopic:
        """Return the page of the user guide about the widget with the focus."""
        focused = QApplication.focusWidget() or self
        if self.catalogue_panel.isAncestorOf(focused):
            return GuideTopic.CATALOGUES
        shown = self.view.tabs.currentWidget()
        if shown is None or not self.view.isAncestorOf(focused):
            return GuideTopic.RECORDS
        return {self.view.terms: GuideTopic.TERMS, self.view.service: GuideTopic.SERVICES,
                self.view.metadata: GuideTopic.FIELDS}.get(shown, GuideTopic.RECORDS)

    # -- the list

    def run_search(self) -> None:
        """Start a search. The results are shown as soon as they are found."""
        self.results.run_search()

    def select_record(self, record_id: str) -> None:
        """Select the record called ``record_id`` in the list and open its page. A search that hides it is cleared.

        The page has the focus then, so that Esc leads back from it.
        """
        self._open_in_list(record_id)
        self._focus_record()

    def _open_in_list(self, record_id: str) -> None:
        self.results.select_record(record_id)
        self.pages.open_record()

    def _add_hit(self, hit: SearchHit) -> None:
        """Add the service of a row to the map, without opening the record."""
        if isinstance(hit, RemoteHit):
            self._add_remote(hit.identifier)
        else:
            self.map_additions.add_stored_record(hit.identifier)

    def _add_entries(self, menu: QMenu, identifier: str) -> None:
        """Add to the menu of a row what its record's own menu has."""
        record = self.session.record(identifier)
        if record is not None:
            self.record_menu.add_entries(menu, record)

    def _on_map_count_changed(self, count: int) -> None:
        """Close the welcome once there is a map: its advice has been followed, and the list needs its room."""
        if count and not self.welcome.isHidden():
            self.welcome.dismiss()

    def _add_remote(self, identifier: str) -> None:
        """Add the service of a record that only a catalogue has, once the whole record is here."""
        self.remote_search.request_for_map(identifier)
        self.list.setCurrentIndex(self.model.index(self.model.row_of(identifier)))
        self.remote_search.run_pending(identifier)

    def _remove_selected(self) -> None:
        self._remove_records([hit.identifier for hit in self.list.selected_hits() if not isinstance(hit, RemoteHit)])

    def _remove_records(self, identifiers: Sequence[str]) -> None:
        """Remove records, and select the one below them."""
        rows = [self.model.row_of(identifier) for identifier in identifiers]
        below = self.model.hit(max(rows) + 1) if rows else None
        if below is not None:
            self.results.selected_identifier = below.identifier
        self.removals.remove(identifiers)

    def _on_marks_changed(self) -> None:
        if self.facets.collection == FAVOURITES:
            self.results.run_search()

    def _on_records_opened(self, identifiers: Sequence[str]) -> None:
        if len(identifiers) == 1:
            # without the focus: the person may be doing something else meanwhile
            self._open_in_list(identifiers[0])
        elif identifiers:
            self.results.select_record(identifiers[0])

    def _on_record_clicked(self, _index: QModelIndex) -> None:
        """Open the page of the record that was clicked, unless several are being selected."""
        if len(self.list.selectionModel().selectedIndexes()) == 1:
            self.pages.open_record()

    def show_list(self) -> None:
        """Go back from the record to the list."""
        self.pages.open_list()
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def _filter_by_sources(self, sources: Sequence[str]) -> None:
        """Show the records of some sources only."""
        self.results.clear_filters()
        for source in sources:
            self.facets.set_value(Facet.SOURCE, source, True)

    def _on_empty_link(self, link: str) -> None:
        if link == "#clear":
            self.results.clear_filters()
            self.focus_search()
        elif link == "#remote":
            self.search_bar.catalogues.setChecked(True)
        else:
            self.record_controller.open_files()

    def _on_catalogue_action(self, action: str, key: str) -> None:
        """Run an action of a row of the catalogue panel. ``key`` is the catalogue's."""
        catalogues, search = self.catalogue_controller, self.remote_search.search.federated
        if action == CatalogueAction.LIST:
            catalogues.open_list_dialog()
            return
        if action == CatalogueAction.ADD:
            catalogues.open_add_dialog()
            return
        status = self.remote_search.status(key)
        if status is None:
            return  # another search is about to begin
        source = status.source
        run: Dict[str, Callable[[], object]] = {
            CatalogueAction.MORE: lambda: search.load_more(key), CatalogueAction.RETRY: lambda: search.retry(key),
            CatalogueAction.REASONS: lambda: self.remote_search.show_reason(key),
            CatalogueAction.HARVEST: lambda: catalogues.open_harvest_dialog(source),
            CatalogueAction.LOGIN: lambda: catalogues.ask_login(source),
            CatalogueAction.EXCLUDE: lambda: self.remote_search.exclude(key),
            CatalogueAction.ONLY: lambda: self.facets.toggle_only_value(Facet.SOURCE, key)
        }
        run[action]()

    # -- the selected record

    def show_record(self, record: Record) -> None:
        """Show the page of ``record``, which has the focus then."""
        self.selected.select(record)
        self._focus_record()

    def _show_selected(self, record: Optional[Record], compare_with_previous: bool) -> None:
        if record is None:
            self.view.show_record(None, None, None)
            return
        if not compare_with_previous:
            self.view.record = None
        endpoint = self.session.endpoint(record)
        self.view.show_record(record, self.session.terms(record), endpoint)
        self._load_overviews()
        if endpoint and not self.view.service.isVisible():
            state = self.session.service_state(endpoint)
            if state.status is not ServiceStatus.UNKNOWN:
                self._show_service_state(state)
        self.time_series.refresh()
        self.record_menu.show_star()
        self.add_offer.refresh()
        self.preview.refresh()
        self._load_service_later()

    def _load_overviews(self) -> None:
        """Show the overview images of the record, which are requested once the record is opened."""
        for url in overview_urls(self.view.record) if self.view.record is not None else ():
            image = self.session.images.image(url, saved_only=not self.pages.record_opened)
            if image is not None:
                self.view.show_thumbnail(url, image)

    def _load_service_later(self) -> None:
        """Load the service of a record that the person has opened, unless another one is opened at once."""
        if self.pages.record_opened:
            self._service_timer.start()

    def _load_service_of_opened(self) -> None:
        endpoint, record = self.record_controller.selected_endpoint(), self.selected.record
        if self.pages.record_opened and record is not None:
            self.marks.remember(record.id or "")
        if self.pages.record_opened and endpoint and \
                self.session.service_state(endpoint).status is ServiceStatus.UNKNOWN:
            self.session.load_service(endpoint)

    def _show_service_state(self, state: ServiceState) -> None:
        service_view = self.view.service
        if state.status is ServiceStatus.LOADING:
            service_view.show_loading()
        elif state.status is ServiceStatus.FAILED and state.error is not None:
            service_view.show_error(state.error)
        elif state.service is not None:
            service_view.show_service(state.service, state.loaded_text, state.error is not None)

    def _on_origin_action(self, action: OriginAction) -> None:
        {OriginAction.SAVE: self.remote_search.save_shown_version,
         OriginAction.RELOAD: self.remote_search.reload_shown_version,
         OriginAction.DETAILS: self.remote_search.show_error_of_shown_version}[action]()

    def _show_adding(self) -> None:
        """Show whether anything is still being added to the map, in the list and the custom map too."""
        adding = self.map_additions.pending or self.map.adding or self.time_series.adding
        self.view.add_bar.show_busy(adding)
        self.composer.suggestions.show_adding(adding)
        self._adding_text = tr("Adding to the map…") if adding else ""
        self._show_busy_row()

    def _cancel_adding(self) -> None:
        self.map_additions.cancel()
        self.time_series.cancel()
        self._show_adding()

    def _on_thumbnail_loaded(self, url: str) -> None:
        self.model.refresh_rows()
        picture = self.session.images.image(url)
        if picture is not None:
            self.view.show_thumbnail(url, picture)

    def _on_terms_changed(self, record: Record) -> None:
        self.model.refresh_rows()
        if self.view.record is record:
            self.view.show_terms(self.session.terms(record))

    def _show_busy(self, text: str) -> None:
        self._busy_text = text
        self._show_busy_row()
        self.results.update_empty_text()

    def _show_busy_row(self) -> None:
        # the page of a record shows beside its button that something is added
        shown_there = self.pages.record_opened or self.pages.side_by_side
        text = self._busy_text or ("" if shown_there else self._adding_text)
        self.busy_row.setVisible(bool(text))
        self.busy_label.setText(text)

    def _cancel_busy(self) -> None:
        if self._busy_text:
            self.session.cancel_opening()
        else:
            self._cancel_adding()

    # -- commands for QGIS's own windows (integration.dock_commands)

    @property
    def library(self) -> RecordLibrary:
        return self.session.library

    def subscribe_to_changes(self, callback: Callable[[], object]) -> None:
        """Call ``callback`` after every change of the dock's records or services."""
        self.session.records_changed.connect(lambda: callback())
        self.session.service_changed.connect(lambda _endpoint: callback())

    def after_next_reload(self, callback: Callable[[], object]) -> None:
        """Call ``callback`` once, when the dock's records have been read the next time."""
        def on_records_changed() -> None:
            self.session.records_changed.disconnect(on_records_changed)
            callback()

        self.session.records_changed.connect(on_records_changed)

    def invalidate_records(self) -> None:
        """Read the records again: somebody else changed the library."""
        self.session.invalidate_records()

    def show_overview_tab(self) -> None:
        """Show the overview of the current record."""
        self.view.tabs.setCurrentWidget(self.view.overview)

    def show_terms_tab(self) -> None:
        """Show the terms of the current record."""
        self.view.tabs.setCurrentWidget(self.view.terms)

    def save_record(self, source: RecordSource, record: Record, message: str) -> None:
        """Save a record in the library and show ``message``."""
        self.session.save_record(source, record, message)

    def add_stored_record(self, record_id: str, mode: AddMode = AddMode.ADD) -> None:
        """Add the service of a record in the library to the map."""
        self._open_in_list(record_id)
        self.map_additions.add_stored_record(record_id, mode)

    def add_service_layers(self, endpoint: str, names: Sequence[str], record_id: str = "") -> None:
        """Add some layers of the service at ``endpoint`` to the map."""
        self.map_additions.add_service_layers(endpoint, names, record_id)

    def add_dropped(self, text: str) -> None:
        """Add what was dragged out of the browser or the dock to the map."""
        layers = parse_dropped_layers(text)
        if layers is not None:
            self.map_additions.add_service_layers(layers.endpoint, layers.names)
        elif self.results.is_remote(text):
            self._add_remote(text)
        else:
            self.add_stored_record(text)

    def search_catalogues(self, text: Optional[str] = None) -> None:
        """Search the catalogues too, for ``text`` where it is given."""
        if text is not None:
            self.search.setText(text)
        self.search_bar.catalogues.setChecked(True)

    def show_sources(self, sources: Sequence[str]) -> None:
        """Show the records of some sources only."""
        self.facets.selected = {Facet.SOURCE: tuple(sources)}
        self.facets.changed.emit()

    def show_collection(self, name: str) -> None:
        """Show the records of a collection only."""
        self.facets.set_collection(name)

    def open_collections(self) -> None:
        """Open the menu of collections beside the filters, once the records are loaded."""
        if self.library.store_if_open is None:
            self.after_next_reload(self.open_collections)
            return
        self.pages.open_list()
        self.search_bar.filters.setChecked(True)
        button = self.facets.filter_button
        self.facets.collections.popup(button.mapToGlobal(button.rect().bottomLeft()))

    def export_collection(self, name: str) -> None:
        """Let the person choose a file and export a collection to it."""
        self.collection_controller.ask_export(name)

    def open_files(self) -> None:
        """Let the person choose files with records and open them."""
        self.record_controller.open_files()

    def open_address(self) -> None:
        """Let the person enter an address and open what is there."""
        self.dialogs.open_address()

    def open_dropped(self, paths: Sequence[str], addresses: Sequence[str]) -> None:
        self.record_controller.open_dropped(paths, addresses)

    def open_catalogues(self) -> None:
        """Show the list of catalogues."""
        self.catalogue_controller.open_list_dialog()

    def open_health(self) -> None:
        """Show the health of the services."""
        self.dialogs.open_health()

    def open_settings(self) -> None:
        self.dialogs.open_settings()

    def open_layout(self) -> None:
        """Open the print layout of the custom map."""
        self.composer.action_requested.emit(ComposerAction.LAYOUT)

    def export_map(self) -> None:
        """Export the custom map as PDF."""
        self.composer.action_requested.emit(ComposerAction.PDF)

    # -- keyboard

    def focus_search(self) -> None:
        """Put the cursor in the search field."""
        self.pages.open_list()
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def find_service(self) -> None:
        """Show the list of records in front, with the cursor in the search field."""
        self.show()
        self.raise_()
        self.focus_search()

    def _on_find(self) -> None:
        if self.view.xml.isAncestorOf(QApplication.focusWidget() or self):
            self.view.xml.focus_search()
        else:
            self.focus_search()

    def _open_first(self) -> None:
        """Search, and open the first record that is found, not the one that was selected before."""
        self._opens_first = True
        self.results.selected_identifier = ""
        self.run_search()
        self.remote_search.search.skip_debounce()

    def _on_results_shown(self, _query: LibraryQuery) -> None:
        opens, self._opens_first = self._opens_first, False
        if opens and self.model.rowCount():
            self._focus_record()

    def _focus_record(self) -> None:
        self.pages.open_record()
        self.view.tabs.setFocus(Qt.FocusReason.OtherFocusReason)

    def focusNextPrevChild(self, forward: bool) -> bool:  # noqa: N802
        """Qt: move the focus to the next widget, or to the one before it."""
        return move_focus(super().focusNextPrevChild, forward)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Qt: Escape, if no field of the record's page has taken it, leads back to the list."""
        if event.key() == Qt.Key.Key_Escape and self.pages.record_opened and not self.pages.side_by_side:
            self.show_list()
        else:
            super().keyPressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Qt: in the search field, Down goes to the list, Enter opens its first record and Escape clears the text."""
        if watched is self.search and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            self._opens_first = False
            if event.key() == Qt.Key.Key_Down and self.model.rowCount():
                self.list.setFocus(Qt.FocusReason.OtherFocusReason)
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._open_first()
                return True
            if event.key() == Qt.Key.Key_Escape and self.search.text():
                self.search.clear()
                return True
        return bool(super().eventFilter(watched, event))

    # -- drops

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802
        """Qt: accept files, folders and addresses."""
        data = event.mimeData()
        if not data.hasFormat(MIME_RECORD) and (data.hasUrls() or data.hasText()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802
        """Qt: open what was dropped."""
        data = event.mimeData()
        event.acceptProposedAction()
        paths = [url.toLocalFile() for url in data.urls() if url.isLocalFile()]
        addresses = [url.toString() for url in data.urls() if not url.isLocalFile()]
        if not data.hasUrls() and data.hasText():
            self.session.open_text(data.text())
            return
        self.record_controller.open_dropped(paths, addresses)

    # -- state

    def _restore(self) -> None:
        """Restore the state of the last session, before the first search."""
        state = DockState.load()
        self.results.selected_identifier = state.record
        self.facets.restore(state.facets, state.collection, state.sort)
        self.search.setText(state.search)
        self.view.tabs.setCurrentIndex(state.tab)
        self.search_bar.filters.setChecked(state.filters_shown)
        if state.splitter is not None:
            self.pages.splitter.restoreState(state.splitter)

    def save_state(self) -> None:
        """Save the state for the next session."""
        DockState(self.search.text(), self.facets.selected, self.facets.collection, self.facets.sort.value,
                  self.results.selected_identifier, self.view.tabs.currentIndex(),
                  self.pages.splitter.saveState(), self.search_bar.filters.isChecked()).save()

    def hideEvent(self, event: QEvent) -> None:  # noqa: N802
        """Qt: save the state when the dock is closed."""
        super().hideEvent(event)
        self.save_state()

    def close_down(self) -> None:
        """Save the state and cancel all jobs, before the dock is deleted. A second call does nothing."""
        if self._closed:
            return
        self._closed = True
        self._service_timer.stop()
        self.save_state()
        self.messages.clear()
        self.results.close()
        self.composer_controller.close()
        self.compose_dock.hide()
        self.compose_dock.deleteLater()
        self.remote_search.close()
        self.harvest_controller.close()
        self.session.close()


class ComposeDock(QgsDockWidget):
    """Shows the composer. Its title counts the services of the map, so that they are seen behind another tab too."""

    def __init__(self, composer: ComposerPanel, parent: Optional[QWidget] = None) -> None:
        super().__init__(tr("Custom map"), parent)
        self.setObjectName("CartoguideComposeDock")
        self.setWidget(composer)
        composer.setMinimumWidth(250)
        composer.count_changed.connect(self._show_count)
        guide.install_help(self, lambda: GuideTopic.MAPS)

    def open(self) -> None:
        """Show the dock in front of those that share its place."""
        self.show()
        self.raise_()

    def focusNextPrevChild(self, forward: bool) -> bool:  # noqa: N802
        """Qt: move the focus to the next widget, or to the one before it."""
        return move_focus(super().focusNextPrevChild, forward)

    def _show_count(self, count: int) -> None:
        self.setWindowTitle(tr("Custom map ({count})", count=count) if count else tr("Custom map"))


def move_focus(move: Callable[[bool], bool], forward: bool) -> bool:
    """Move the focus by ``move`` until it is on a widget that can be seen. Return False if there is none.

    A dock behind another tab lies outside the window, but is visible to Qt, which would give its widgets the focus:
    what is typed then would change something that nobody sees.
    """
    first: Optional[QWidget] = None
    for _ in range(_MAX_SKIPPED):
        if not move(forward):
            return False
        widget = QApplication.focusWidget()
        if widget is None or widget is first or not is_behind_tab(widget):
            return True
        first = first or widget
    return True


def is_behind_tab(widget: QWidget) -> bool:
    """Return True if ``widget`` is in a dock that is covered by another one in the same place."""
    ancestor: Optional[QWidget] = widget
    while ancestor is not None and not isinstance(ancestor, QDockWidget):
        ancestor = ancestor.parentWidget()
    return ancestor is not None and ancestor.isVisible() and ancestor.visibleRegion().isEmpty()


@dataclass(frozen=True)
class DockState:
    """State of the dock in QGIS's settings. Anything damaged there is replaced by its default."""

    search: str = ""
    facets: Mapping[str, Tuple[str, ...]] = field(default_factory=dict)
    collection: str = ""
    sort: str = ""
    record: str = ""
    tab: int = 0
    splitter: Optional[QByteArray] = None
    filters_shown: bool = True

    def save(self) -> None:
        """Write the state to QGIS's settings."""
        settings = QgsSettings()
        for key, value in (("search", self.search), ("narrowed", json.dumps(self.facets)),
                           ("collection", self.collection), ("order", self.sort), ("record", self.record),
                           ("tab", self.tab), ("list_and_record", self.splitter),
                           ("filters_shown", str(self.filters_shown))):
            settings.setValue(STATE_PREFIX + key, value)

    @classmethod
    def load(cls) -> DockState:
        """Read the state from QGIS's settings."""
        settings = QgsSettings()
        tab = _text(settings, "tab", "0")
        splitter = settings.value(STATE_PREFIX + "list_and_record")
        return cls(_text(settings, "search"), _facets_from_json(_text(settings, "narrowed", "{}")),
                   _text(settings, "collection"), _text(settings, "order"), _text(settings, "record"),
                   int(tab) if tab.isdigit() else 0, splitter if isinstance(splitter, QByteArray) else None,
                   _text(settings, "filters_shown", "True").lower() != "false")


def _text(settings: QgsSettings, key: str, default: str = "") -> str:
    value = settings.value(STATE_PREFIX + key)
    return str(value)[:_MAX_LENGTH * _MAX_VALUES] if isinstance(value, (str, int)) else default


def _facets_from_json(text: str) -> Dict[str, Tuple[str, ...]]:
    return {
        str(facet): tuple(value[:_MAX_LENGTH] for value in values[:_MAX_VALUES] if isinstance(value, str))
        for facet, values in list(stored_object(text).items())[:_MAX_VALUES] if isinstance(values, list) and values
    }
