"""The dock: search, list, the chosen record, and the custom map below it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Callable, Optional, Sequence

from qgis.PyQt.QtCore import QEvent, QObject, Qt, QTimer
from qgis.PyQt.QtGui import QDragEnterEvent, QDropEvent, QKeyEvent, QKeySequence
from qgis.PyQt.QtWidgets import (
    QAction,
    QApplication,
    QDockWidget,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from ...app.records.dock_session import DockSession
from ...core.i18n import tr
from ...core.records.model.record import Record
from ..catalogues.catalogue_panel import CataloguePanel
from ..composer.composer_panel import LAYOUT, ComposerPanel
from ..record.catalogue_origin_bar import CatalogueOriginBar
from ..record.record_view import RecordView
from ..results.facet_row import FacetRow
from ..results.record_list import RecordListView
from ..results.result_model import MIME_RECORD, ResultListModel
from ..widgets import guide
from ..widgets.job_rows import JobRows
from ..widgets.messages import InlineMessage, Messages
from . import dock_state
from .catalogue_controller import CatalogueController
from .check_controller import CheckController
from .collection_controller import CollectionController
from .compare_controller import CompareController
from .composer_controller import ComposerController
from .harvest_controller import HarvestController
from .import_progress import ImportProgress
from .record_context_menu import RecordContextMenu
from .record_controller import RecordController
from .remote_search_controller import RemoteSearchController
from .results_controller import ResultsController
from .search_bar import (
    ADDRESS,
    CATALOGUE,
    CATALOGUES,
    FILES,
    FOLDER,
    GUIDE,
    HEALTH,
    PASTE,
    REFRESH,
    SETTINGS,
    SearchBar,
)
from .watched_folders_controller import WatchedFoldersController
from .welcome import FIRST_MAP, WelcomePanel

if TYPE_CHECKING:
    from ...gis.library.record_library import RecordLibrary, RecordSource

#: pixels that the list and the chosen record keep beside an unfolded custom map
_MIN_RECORDS_HEIGHT = 270


class CartoguideDock(QDockWidget):
    """Everything that a person sees of the plugin; it shows what ``session`` holds and does nothing by itself."""

    def __init__(self, iface: Optional[object] = None, parent: Optional[QWidget] = None,
                 session: Optional[DockSession] = None) -> None:
        super().__init__(tr("Cartoguide"), parent)
        self.setObjectName("CartoguideDock")
        self.setAcceptDrops(True)
        self.iface = iface
        self._closed = False
        self.note = InlineMessage()
        self.messages = Messages(iface.messageBar() if iface is not None else None, self.note)  # type: ignore[attr-defined]
        self.session = session or DockSession(self)
        self.model = ResultListModel(self.session.facts, self.session.thumbnail, self)
        self.list = RecordListView()
        self.list.setModel(self.model)
        self.view = RecordView(lambda data: self.record_controller.save_xml(data))
        self.composer = ComposerPanel()
        self.search_bar = SearchBar()
        self.search = self.search_bar.search
        self.welcome = WelcomePanel()
        self.facets = FacetRow()
        self.catalogue_panel = CataloguePanel()
        self.job_rows = JobRows()
        self.origin_bar = CatalogueOriginBar()
        self.view.insert_above_tabs(self.origin_bar)
        self.results = ResultsController(
            self,
            iface.mapCanvas() if hasattr(iface, "mapCanvas") else None)  # type: ignore[union-attr]
        self.record_controller = RecordController(self)
        self.composer_controller = ComposerController(self)
        self.collection_controller = CollectionController(self)
        self.check_controller = CheckController(self)
        self.compare_controller = CompareController(self)
        self.context_menu = RecordContextMenu(self)
        self.catalogue_controller = CatalogueController(self)
        self.watched_folders = WatchedFoldersController(self)
        self.remote_search = RemoteSearchController(self)
        self.harvest_controller = HarvestController(self)
        self.import_progress = ImportProgress(self)
        self._build()
        self._connect()
        self._restore()
        self.session.start()

    # -- building

    def _build(self) -> None:
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setHandleWidth(5)
        for widget, stretch in ((self.list, 2), (self.view, 5), (self.composer, 0)):
            self.splitter.addWidget(widget)
            self.splitter.setStretchFactor(self.splitter.count() - 1, stretch)
        body = QWidget()
        layout = QVBoxLayout(body)
        layout.setContentsMargins(4, 4, 4, 0)
        layout.setSpacing(4)
        layout.addWidget(self.search_bar)
        layout.addWidget(self.welcome)
        layout.addWidget(self.facets)
        layout.addWidget(self.catalogue_panel)
        layout.addWidget(self.job_rows)
        layout.addWidget(self._make_busy_row())
        layout.addWidget(self.note)
        layout.addWidget(self.splitter, 1)
        self.setWidget(body)
        body.setMinimumWidth(250)
        facets = self.facets
        order = (self.search, self.search_bar.catalogues, self.search_bar.add, self.search_bar.settings,
                 facets.in_view_chip, facets.extents, facets.filter_button, facets.order, facets.collections, self.list,
                 self.origin_bar.save_button, self.view.tabs)
        for first, second in zip(order, order[1:]):
            QWidget.setTabOrder(first, second)
        self.search.installEventFilter(self)

    def _make_busy_row(self) -> QWidget:
        self.busy_row = QWidget()
        self.busy_label = QLabel()
        self.busy_label.setWordWrap(True)
        bar = QProgressBar()
        bar.setRange(0, 0)
        bar.setTextVisible(False)
        bar.setMaximumSize(80, 8)
        cancel = QPushButton(tr("Cancel"))
        cancel.clicked.connect(self.session.cancel_opening)
        row = QHBoxLayout(self.busy_row)
        row.setContentsMargins(2, 0, 2, 0)
        row.addWidget(self.busy_label, 1)
        row.addWidget(bar)
        row.addWidget(cancel)
        self.busy_row.hide()
        return self.busy_row

    def _connect(self) -> None:
        self.list.open_requested.connect(self._focus_record)
        self.list.doubleClicked.connect(lambda _index: self._focus_record())
        self.list.moved_above_first.connect(self.focus_search)
        self.list.paste_requested.connect(self.record_controller.paste)
        self.list.empty.linkActivated.connect(self._on_empty_link)
        self.composer.expanded_changed.connect(self._on_composer_opened)
        self._grow_timer = QTimer(self)
        self._grow_timer.setSingleShot(True)
        self._grow_timer.setInterval(50)
        self._grow_timer.timeout.connect(self._on_composer_grown)
        self.composer.height_changed.connect(self._grow_timer.start)
        run = {
            FILES: self.record_controller.open_files, FOLDER: self.record_controller.open_folder,
            ADDRESS: self.record_controller.open_address, PASTE: self.record_controller.paste,
            CATALOGUE: self.catalogue_controller.open_add_dialog,
            CATALOGUES: self.catalogue_controller.open_list_dialog, REFRESH: self.record_controller.refresh,
            SETTINGS: self.record_controller.open_settings, HEALTH: self.record_controller.open_health,
            GUIDE: guide.show
        }
        self.search_bar.action_requested.connect(lambda what: run[what]())
        self.welcome.action_requested.connect(lambda what: guide.show(FIRST_MAP) if what == FIRST_MAP else run[what]())
        session = self.session
        session.busy_changed.connect(self._show_busy)
        session.thumbnail_loaded.connect(self._on_thumbnail_loaded)
        session.terms_changed.connect(self._on_terms_changed)
        session.failed.connect(self.messages.show_error)
        session.notified.connect(self.messages.notify)
        session.warned.connect(self.messages.show_warning)
        self._add_shortcut(QKeySequence(QKeySequence.StandardKey.Find), self._on_find)
        self._add_shortcut(QKeySequence("/"), self.focus_search)
        guide.install_help(self, self._help_topic)

    def _add_shortcut(self, keys: QKeySequence, run: Callable[[], None]) -> None:
        """A shortcut that counts inside the dock only; what is typed into a field stays there."""
        action = QAction(self)
        action.setShortcut(keys)
        action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        action.triggered.connect(lambda _checked=False: run())
        self.addAction(action)

    def _help_topic(self) -> str:
        """The guide's page about where the cursor is."""
        focused = QApplication.focusWidget() or self
        if self.composer.isAncestorOf(focused):
            return guide.MAPS
        if self.catalogue_panel.isAncestorOf(focused):
            return guide.CATALOGUES
        shown = self.view.tabs.currentWidget()
        if shown is None or not self.view.isAncestorOf(focused):
            return guide.RECORDS
        return {self.view.terms: guide.TERMS, self.view.service: guide.SERVICES,
                self.view.metadata: guide.FIELDS}.get(shown, guide.RECORDS)

    # -- the list

    def run_search(self) -> None:
        """Look for what is asked; the results come as soon as they are found."""
        self.results.run_search()

    def _on_empty_link(self, link: str) -> None:
        if link == "#clear":
            self.results.clear_filters()
            self.focus_search()
        elif link == "#remote":
            self.search_bar.catalogues.setChecked(True)
        else:
            self.record_controller.open_files()

    def show_record(self, record: Record) -> None:
        """Show ``record`` in the tabs."""
        self.view.show_record(record, self.session.terms(record), self.session.endpoint(record))
        self.record_controller.on_record_shown(record)

    def select_record(self, record_id: str) -> None:
        """Choose the record called ``record_id`` in the list; a search that hides it is cleared."""
        self.results.select_record(record_id)

    def _on_thumbnail_loaded(self, url: str) -> None:
        self.model.refresh_rows()
        picture = self.session.image(url)
        if picture is not None:
            self.view.show_thumbnail(url, picture)

    def _on_terms_changed(self, record: Record) -> None:
        self.model.refresh_rows()
        if self.view.record is record:
            self.view.show_terms(self.session.terms(record))

    def _show_busy(self, words: str) -> None:
        self.busy_row.setVisible(bool(words))
        self.busy_label.setText(words)
        self.results.update_empty_text()

    # -- commands for QGIS's own windows (integration.dock_commands)

    @property
    def library(self) -> RecordLibrary:
        """The record library that the dock has open."""
        return self.session.library

    def subscribe_to_changes(self, callback: Callable[[], object]) -> None:
        """Call ``callback`` after every change of the dock's records or services."""
        self.session.records_changed.connect(callback)
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

    def add_stored_record(self, record_id: str, how: str) -> None:
        """Add the service of a record in the library to the map."""
        self.record_controller.add_stored_record(record_id, how)

    def add_service_layers(self, endpoint: str, names: Sequence[str], record_id: str = "") -> None:
        """Add some layers of the service at ``endpoint`` to the map."""
        self.record_controller.add_service_layers(endpoint, names, record_id)

    def add_dropped(self, text: str) -> None:
        """Add what was dragged out of the browser or the dock to the map."""
        self.record_controller.add_dropped(text)

    def search_catalogues(self, text: Optional[str] = None) -> None:
        """Search the catalogues too, for ``text`` where it is given."""
        if text is not None:
            self.search.setText(text)
        self.search_bar.catalogues.setChecked(True)

    def show_sources(self, sources: Sequence[str]) -> None:
        """Show the records of some sources only."""
        self.facets.selected = {"source": tuple(sources)}
        self.facets.changed.emit()

    def show_collection(self, name: str) -> None:
        """Show the records of a collection only."""
        self.facets.set_collection(name)

    def export_collection(self, name: str) -> None:
        """Let the person choose a file and export a collection to it."""
        self.collection_controller.ask_export(name)

    def open_files(self) -> None:
        """Let the person choose files with records and open them."""
        self.record_controller.open_files()

    def open_address(self) -> None:
        """Let the person enter an address and open what is there."""
        self.record_controller.open_address()

    def open_dropped(self, paths: Sequence[str], addresses: Sequence[str]) -> None:
        """Open files and addresses that were dropped."""
        self.record_controller.open_dropped(paths, addresses)

    def open_health(self) -> None:
        """Show the health of the services."""
        self.record_controller.open_health()

    def open_settings(self) -> None:
        """Show the settings."""
        self.record_controller.open_settings()

    def open_layout(self) -> None:
        """Open the print layout of the custom map."""
        self.composer.action_requested.emit(LAYOUT)

    def export_map(self) -> None:
        """Export the custom map as PDF."""
        self.composer.action_requested.emit("pdf")

    # -- keyboard

    def focus_search(self) -> None:
        """Put the cursor in the search box."""
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def _on_find(self) -> None:
        if self.view.xml.isAncestorOf(QApplication.focusWidget() or self):
            self.view.xml.focus_search()
        else:
            self.focus_search()

    def _focus_record(self) -> None:
        self.view.tabs.setFocus(Qt.FocusReason.OtherFocusReason)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Qt: Down in the search box goes to the list, Enter opens its first record, Escape clears."""
        if watched is self.search and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() == Qt.Key.Key_Down and self.model.rowCount():
                self.list.setFocus(Qt.FocusReason.OtherFocusReason)
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self.run_search()
                self.remote_search.search.skip_debounce()
                self._focus_record()
                return True
            if event.key() == Qt.Key.Key_Escape and self.search.text():
                self.search.clear()
                return True
        return super().eventFilter(watched, event)

    # -- drops

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802
        """Qt: files, folders and addresses may be dropped."""
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

    def _on_composer_opened(self, on: bool) -> None:
        """Give the unfolded section its room, and take it back when it is folded."""
        sizes = self.splitter.sizes()
        if len(sizes) == 3 and sum(sizes):
            self._split(sizes, self._composer_height(sizes) if on else self.composer.maximumHeight())

    def _on_composer_grown(self) -> None:
        """Something came to the unfolded section: make it higher if need be, never lower."""
        sizes = self.splitter.sizes()
        if self.composer.is_expanded and len(sizes) == 3 and self._composer_height(sizes) > sizes[2]:
            self._split(sizes, self._composer_height(sizes))

    def _composer_height(self, sizes: list[int]) -> int:
        return max(min(self.composer.preferred_height(), sum(sizes) - _MIN_RECORDS_HEIGHT), 160)

    def _split(self, sizes: list[int], wanted: int) -> None:
        rest, above = sum(sizes) - wanted, max(1, sizes[0] + sizes[1])
        self.splitter.setSizes([rest * sizes[0] // above, rest * sizes[1] // above, wanted])

    def _restore(self) -> None:
        dock_state._restore_state(self)
        # it may have been kept while the custom map was unfolded
        sizes = self.splitter.sizes()
        self._split(sizes, min(sizes[2], self.composer.maximumHeight()))

    def save_state(self) -> None:
        """Keep what is chosen and how it is shown for the next time."""
        dock_state._save_state(self)

    def hideEvent(self, event: QEvent) -> None:  # noqa: N802
        """Qt: the dock is closed: keep its state."""
        super().hideEvent(event)
        self.save_state()

    def close_down(self) -> None:
        """Before the dock goes: keep its state, end what is under way; a second time does nothing."""
        if self._closed:
            return
        self._closed = True
        self.save_state()
        self.messages.clear()
        self.results.close()
        self.composer_controller.close()
        self.watched_folders.close()
        self.remote_search.close()
        self.harvest_controller.close()
        self.session.close()
