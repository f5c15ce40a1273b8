"""The dock of the records: search, list and selected record, with its saved state, and the dock of the custom map."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Callable, Dict, Mapping, Optional, Sequence, Tuple

from qgis.core import QgsLayerTreeGroup, QgsSettings
from qgis.gui import QgsDockWidget
from qgis.PyQt.QtCore import QByteArray, QEvent, QModelIndex, QObject, Qt
from qgis.PyQt.QtGui import QDragEnterEvent, QDropEvent, QKeyEvent, QKeySequence, QResizeEvent
from qgis.PyQt.QtWidgets import (
    QAction,
    QApplication,
    QDockWidget,
    QHBoxLayout,
    QMainWindow,
    QProgressBar,
    QPushButton,
    QStyle,
    QVBoxLayout,
    QWidget,
)

from ...app.maps.distribution_additions import DistributionAdditions
from ...app.maps.map_additions import MapAdditions
from ...app.maps.map_controller import MapController
from ...app.maps.map_state import AddMode
from ...app.phrases import cancelled_text
from ...app.records.dock_session import DockSession, ServiceStatus
from ...app.records.record_controller import SelectedRecord
from ...app.window import MapWindow, ViewRequests
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.json_document import stored_object
from ...core.library.query import Facet, LibraryQuery
from ...core.records.model.endpoints import normalise_endpoint
from ...core.records.model.record import Record
from ...gis.runtime.guide_pages import GuideTopic
from ..composer.composer_controller import ComposerController
from ..composer.composer_panel import ComposerAction, ComposerPanel
from ..results.record_list import MIME_RECORD
from ..widgets import guide
from ..widgets.dialogs import DialogPrompts
from ..widgets.drag_and_drop import parse_dropped_layers
from ..widgets.form_widgets import fill_layout
from ..widgets.labels import PlainLabel
from ..widgets.messages import InlineMessage, Messages
from .dock_dialogs import DockDialogs
from .job_progress import JobProgress
from .list_page import RecordListPage
from .record_actions import RecordActions
from .search_bar import DockAction

if TYPE_CHECKING:
    from ...gis.library.record_library import RecordLibrary, RecordSource


#: widgets that are skipped at most where the focus moves
_MAX_SKIPPED = 1000
#: pixels around the text of a tab, besides those that the style names
_TAB_FRAME = 12
STATE_PREFIX = "cartoguide/dock/"
#: facets, values of a facet, and characters of a value that are read: a damaged setting may be of any size
_MAX_VALUES = 50
_MAX_LENGTH = 500


class CartoguideDock(QDockWidget):
    """Places the list of records, the selected record and the messages. The parts connect their widgets themselves."""

    def __init__(self, iface: Optional[object] = None, parent: Optional[QWidget] = None,
                 session: Optional[DockSession] = None) -> None:
        """``iface`` is QGIS's interface. Without it there is neither map canvas nor message bar."""
        super().__init__(tr("Cartoguide"), parent)
        self.setObjectName("CartoguideDock")
        self.setAcceptDrops(True)
        self.iface = iface
        self._closed = False
        self._busy_text = self._adding_text = ""
        #: number of the request to open the first record that is found, or 0
        self._first_view = 0
        self.note = InlineMessage()
        self.messages = Messages(iface.messageBar() if iface is not None else None, self.note)  # type: ignore[attr-defined]
        #: the last errors of the services that could not be loaded
        self._service_errors: Dict[str, CartoguideError] = {}
        self.session = session or DockSession(self)
        self._create_parts()
        self._build()
        self._connect_list()
        self._connect_record()
        self._connect_session()
        self._add_shortcuts()
        self._restore()
        self.session.start()

    def _create_parts(self) -> None:
        session, notifier = self.session, self.messages
        self.map_window = MapWindow(lambda: self.iface)
        self.prompts = DialogPrompts(self)
        self.selected = SelectedRecord(self)
        self.list_page = page = RecordListPage(session, self.selected, self.map_window, notifier, self.prompts)
        self.list, self.model, self.facets, self.search = page.list, page.model, page.facets, page.search_bar.search
        self.job_progress = JobProgress(session.imports, page.harvests, notifier, page.filter_by_sources, self)
        self.job_rows = self.job_progress.rows
        self.map = MapController(session, parent=self)
        #: about the map that is shown: another one begins without them
        self.map_messages = self.messages.part()
        self.map_additions = MapAdditions(session, self.map, self.selected, page.remote_search.save_for_map,
                                          self.map_messages, self)
        self.composer = ComposerPanel()
        self.compose_dock = ComposeDock(self.composer)
        self.composer_controller = ComposerController(self.composer, self.map, self.selected, self.map_window,
                                                      self.map_additions.add_record, self.map_messages, self.prompts,
                                                      self)
        self.dialogs = DockDialogs(session, self.map, self.selected, self.map_window, notifier, self)
        self.distribution_additions = DistributionAdditions(
            session, self.map, self.map_window.geographic_extent, self.map_additions.add_record, self.map_messages,
            self.prompts, self)
        self.record_actions = RecordActions(page, session, self.map, self.selected, self.map_additions,
                                            self.distribution_additions,
                                            self.composer_controller, self.dialogs, self.map_window, notifier,
                                            self.prompts, self)
        self.view, self.pages = self.record_actions.view, self.record_actions.pages

    # -- building

    def _build(self) -> None:
        body = QWidget()
        layout = fill_layout(QVBoxLayout(body), self.job_rows, spacing=4, margins=(4, 4, 4, 0))
        layout.addWidget(self.note)
        layout.addWidget(self.pages, 1)
        # below: above, the rows would move while somebody is about to click on one
        layout.addWidget(self._make_busy_row())
        self.setWidget(body)
        body.setMinimumWidth(250)
        bar, facets = self.list_page.search_bar, self.facets
        order = (self.search, bar.filters, bar.marks, bar.catalogues, bar.add, bar.more, facets.in_view_chip,
                 facets.extents, facets.filter_button, facets.order, self.list, self.view.header.back,
                 self.view.header.favourite, self.view.header.more, self.view.header.copy,
                 self.record_actions.origin_bar.save_button, self.view.add_bar.button, self.view.tabs)
        for first, second in zip(order, order[1:]):
            QWidget.setTabOrder(first, second)
        self.search.installEventFilter(self)

    def _make_busy_row(self) -> QWidget:
        self.busy_row = QWidget()
        self.busy_label = PlainLabel(wraps=True)
        bar = QProgressBar()
        bar.setRange(0, 0)
        bar.setTextVisible(False)
        bar.setMaximumSize(80, 8)
        cancel = QPushButton(tr("Cancel"))
        cancel.clicked.connect(self._cancel_busy)
        fill_layout(QHBoxLayout(self.busy_row), self.busy_label, bar, cancel, wide=self.busy_label,
                    margins=(2, 0, 2, 4))
        self.busy_row.hide()
        return self.busy_row

    def _connect_list(self) -> None:
        page, records, dialogs = self.list_page, self.record_actions.records, self.dialogs
        page.record_requested.connect(self.select_record)
        self.view.add_bar.record_requested.connect(self.select_record)
        page.results.results_shown.connect(self._on_results_shown)
        self.list.open_requested.connect(self.pages.focus_record)
        self.list.clicked.connect(self._on_record_clicked)
        self.list.moved_above_first.connect(self.focus_search)
        self.list.paste_requested.connect(records.paste)
        self.list.empty_label.linkActivated.connect(self._on_empty_link)
        run: Dict[str, Callable[[], object]] = {
            DockAction.FILES: records.open_files, DockAction.FOLDER: records.open_folder,
            DockAction.ADDRESS: dialogs.open_address, DockAction.PASTE: records.paste,
            DockAction.CATALOGUE: page.catalogues.open_add_dialog,
            DockAction.CATALOGUES: page.catalogues.open_list_dialog,
            DockAction.REFRESH: records.refresh, DockAction.SETTINGS: dialogs.open_settings,
            DockAction.CHECK: lambda: page.checks.check(), DockAction.HEALTH: self.open_health,
            DockAction.GUIDE: guide.show,
            DockAction.FIRST_MAP: lambda: guide.show(GuideTopic.FIRST_MAP)
        }
        page.search_bar.action_requested.connect(lambda action: run[action]())
        page.welcome.action_requested.connect(lambda action: run[action]())

    def _connect_record(self) -> None:
        self.pages.changed.connect(self._show_busy_row)
        self.record_actions.adding_changed.connect(self._show_adding)
        self.record_actions.time_series.overlay_requested.connect(self.compose_dock.open)
        self.composer_controller.documents.leaving.connect(self.map_messages.clear)
        self.composer_controller.map_opened.connect(self.compose_dock.open)
        self.composer.count_changed.connect(self._on_map_count_changed)
        self.composer.find_requested.connect(self.find_service)
        self.composer_controller.record_requested.connect(self._show_service_of)
        self.composer.cancel_adding_requested.connect(self.record_actions.cancel_adding)

    def _connect_session(self) -> None:
        session = self.session
        session.busy_changed.connect(self._show_busy)
        session.records_opened.connect(self._on_records_opened)
        session.record_saved.connect(self._on_record_saved)
        session.failed.connect(self.messages.show_error)
        session.notified.connect(self.messages.notify)
        session.warned.connect(self.messages.show_warning)
        session.service_changed.connect(self._withdraw_service_error)
        session.records_replaced.connect(lambda text, undo: self.messages.notify(text, tr("Undo"), undo))

    def _withdraw_service_error(self, endpoint: str) -> None:
        """Close the messages about a service that could not be loaded, once it could."""
        state, key = self.session.service_state(endpoint), normalise_endpoint(endpoint)
        if state.status is ServiceStatus.FAILED and state.error is not None:
            self._service_errors[key] = state.error
        elif state.status is ServiceStatus.LOADED and state.error is None and key in self._service_errors:
            self.messages.withdraw(self._service_errors.pop(key))

    def _add_shortcuts(self) -> None:
        self._add_shortcut(QKeySequence(QKeySequence.StandardKey.Find), self._on_find)
        self._add_shortcut(QKeySequence("/"), self.focus_search)
        self._add_shortcut(QKeySequence("Alt+Left"), self.pages.focus_list)
        guide.install_help(self, self._help_topic)

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
        if self.list_page.catalogue_panel.isAncestorOf(focused):
            return GuideTopic.CATALOGUES
        shown = self.view.tabs.currentWidget()
        if shown is None or not self.view.isAncestorOf(focused):
            return GuideTopic.RECORDS
        return {self.view.terms: GuideTopic.TERMS, self.view.service: GuideTopic.SERVICES,
                self.view.metadata: GuideTopic.FIELDS}.get(shown, GuideTopic.RECORDS)

    # -- the list

    def run_search(self) -> None:
        """Start a search. The results are shown as soon as they are found."""
        self.list_page.results.run_search()

    def select_record(self, record_id: str) -> None:
        """Select the record called ``record_id`` in the list and open its page. A search that hides it is cleared.

        The page has the focus then, so that Esc leads back from it.
        """
        self._open_in_list(record_id)
        self.pages.focus_record()

    def _open_in_list(self, record_id: str) -> None:
        self.list_page.results.select_record(record_id)
        self.pages.open_record()

    def _on_map_count_changed(self, count: int) -> None:
        """Close the welcome once there is a map: its advice has been followed, and the list needs its room."""
        if count and not self.list_page.welcome.isHidden():
            self.list_page.welcome.dismiss()

    def _on_records_opened(self, identifiers: Sequence[str]) -> None:
        if len(identifiers) == 1:
            shown = self.selected.record
            # without the focus: the person may be doing something else meanwhile
            self._open_in_list(identifiers[0])
            if shown is not None and shown is self.selected.record and shown.id == identifiers[0]:
                # the address that was pasted may name other layers than before
                self.selected.select(shown, compare_with_previous=False)
        elif identifiers:
            self.list_page.results.select_record(identifiers[0])

    def _on_record_saved(self, identifier: str) -> None:
        """Show the copy in the library of a record that is still selected."""
        if self.selected.record is not None and self.selected.record.id == identifier:
            with self.session.views.showing():
                self.list_page.results.select_record(identifier)

    def _on_record_clicked(self, _index: QModelIndex) -> None:
        """Open the page of the record that was clicked, unless several are being selected."""
        if len(self.list.selectionModel().selectedIndexes()) == 1:
            self.pages.open_record()

    def _on_empty_link(self, link: str) -> None:
        if link == "#clear":
            self.list_page.results.clear_filters()
            self.focus_search()
        elif link == "#remote":
            self.list_page.search_bar.catalogues.setChecked(True)
        else:
            self.record_actions.records.open_files()

    # -- the selected record

    def show_record(self, record: Record) -> None:
        """Show the page of ``record``, which has the focus then."""
        self.list_page.results.show_unlisted(record)
        self.pages.focus_record()

    def _show_adding(self, adding: bool) -> None:
        """Show in the list and in the custom map whether anything is still being added to the map."""
        self._adding_text = tr("Adding to the map…") if adding else ""
        self.composer.show_adding(self._adding_text)
        self._show_busy_row()

    def _show_busy(self, text: str) -> None:
        self._busy_text = text
        self._show_busy_row()
        self.list_page.results.update_empty_text()

    def _show_busy_row(self) -> None:
        # the page of a record shows beside its button that something is added
        shown_there = self.pages.record_opened or self.pages.side_by_side
        text = self._busy_text or ("" if shown_there else self._adding_text)
        self.busy_row.setVisible(bool(text))
        self.busy_label.setText(text)

    def _cancel_busy(self) -> None:
        what = self._busy_text
        if what:
            self.session.cancel_opening()
            self.messages.notify(cancelled_text(what))
        else:
            self.record_actions.cancel_adding()

    # -- commands for QGIS's own windows (integration.dock_commands)

    @property
    def library(self) -> RecordLibrary:
        return self.session.library

    @property
    def views(self) -> ViewRequests:
        return self.session.views

    def subscribe_to_changes(self, callback: Callable[[], object]) -> None:
        self.session.records_changed.connect(lambda: callback())
        self.session.service_changed.connect(lambda _endpoint: callback())

    def after_next_reload(self, callback: Callable[[], object]) -> None:
        def on_records_changed() -> None:
            self.session.records_changed.disconnect(on_records_changed)
            callback()

        self.session.records_changed.connect(on_records_changed)

    def invalidate_records(self) -> None:
        self.session.invalidate_records()

    def show_overview_tab(self) -> None:
        self.view.show_overview()

    def show_terms_tab(self) -> None:
        self.view.tabs.setCurrentWidget(self.view.terms)

    def save_record(self, source: RecordSource, record: Record, message: str) -> None:
        self.session.save_record(source, record, message)

    def add_stored_record(self, record_id: str, mode: AddMode = AddMode.ADD) -> None:
        self._open_in_list(record_id)
        self.map_additions.add_stored_record(record_id, mode)

    def add_service_layers(self, endpoint: str, names: Sequence[str], record_id: str = "") -> None:
        self.map_additions.add_service_layers(endpoint, names, record_id)

    def add_dropped(self, text: str) -> None:
        layers = parse_dropped_layers(text)
        if layers is not None:
            self.map_additions.add_service_layers(layers.endpoint, layers.names)
        elif self.list_page.results.is_remote(text):
            self.list_page.add_remote(text)
        else:
            self.add_stored_record(text)

    def search_catalogues(self, text: Optional[str] = None) -> None:
        if text is not None:
            self.search.setText(text)
        self.list_page.search_bar.catalogues.setChecked(True)

    def show_sources(self, sources: Sequence[str]) -> None:
        self.facets.selected = {Facet.SOURCE: tuple(sources)}
        self.facets.changed.emit()

    def show_collection(self, name: str) -> None:
        self.facets.set_collection(name)

    def open_collections(self) -> None:
        """Open the menu of collections beside the filters, once the records are loaded."""
        if self.library.store_if_open is None:
            self.after_next_reload(self.open_collections)
            return
        self.pages.open_list()
        self.list_page.search_bar.filters.setChecked(True)
        button = self.facets.filter_button
        self.facets.collections.popup(button.mapToGlobal(button.rect().bottomLeft()))

    def export_collection(self, name: str) -> None:
        self.list_page.collections.ask_export(name)

    def open_files(self) -> None:
        self.record_actions.records.open_files()

    def open_address(self) -> None:
        self.dialogs.open_address()

    def open_dropped(self, paths: Sequence[str], addresses: Sequence[str]) -> None:
        self.record_actions.records.open_dropped(paths, addresses)

    def open_catalogues(self) -> None:
        self.list_page.catalogues.open_list_dialog()

    def open_health(self) -> None:
        self.dialogs.open_health()

    def open_settings(self) -> None:
        self.dialogs.open_settings()

    def open_layout(self) -> None:
        self.composer.action_requested.emit(ComposerAction.LAYOUT)

    def open_map_group(self, group: QgsLayerTreeGroup) -> None:
        self.compose_dock.open()
        self.composer_controller.documents.open_group(group)

    def export_map(self) -> None:
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

    def _show_service_of(self, record_id: str) -> None:
        """Show in front what a record says of its service, such as its address."""
        self.show()
        self.raise_()
        self.select_record(record_id)
        self.view.tabs.setCurrentWidget(self.view.service)

    def _on_find(self) -> None:
        if self.view.xml.isAncestorOf(QApplication.focusWidget() or self):
            self.view.xml.focus_search()
        else:
            self.focus_search()

    def _open_first(self) -> None:
        """Search, and open the first record that is found, not the one that was selected before."""
        self._first_view = self.session.views.request()
        self.list_page.results.selected_identifier = ""
        self.run_search()
        self.list_page.remote_search.search.skip_debounce()

    def _on_results_shown(self, _query: LibraryQuery) -> None:
        view, self._first_view = self._first_view, 0
        if view and self.model.rowCount() and self.session.views.show(view):
            with self.session.views.showing():
                self.pages.focus_record()

    def focusNextPrevChild(self, forward: bool) -> bool:  # noqa: N802
        """Qt: move the focus to the next widget, or to the one before it."""
        return move_focus(super().focusNextPrevChild, forward)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Qt: Escape, if no field of the record's page has taken it, leads back to the list."""
        if event.key() == Qt.Key.Key_Escape and self.pages.record_opened and not self.pages.side_by_side:
            self.pages.focus_list()
        else:
            super().keyPressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Qt: in the search field, Down goes to the list, Enter opens its first record and Escape clears the text."""
        if watched is self.search and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            self._first_view = 0
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
        self.record_actions.records.open_dropped(paths, addresses)

    # -- state

    def _restore(self) -> None:
        """Restore the state of the last session, before the first search."""
        state = DockState.load()
        self.list_page.results.selected_identifier = state.record
        self.facets.restore(state.facets, state.collection, state.sort)
        self.search.setText(state.search)
        self.view.tabs.setCurrentIndex(state.tab)
        self.list_page.search_bar.filters.setChecked(state.filters_shown)
        if state.splitter is not None:
            self.pages.splitter.restoreState(state.splitter)

    def save_state(self) -> None:
        DockState(self.search.text(), self.facets.selected, self.facets.collection, self.facets.sort.value,
                  self.list_page.results.selected_identifier, self.view.tabs.currentIndex(),
                  self.pages.splitter.saveState(), self.list_page.search_bar.filters.isChecked()).save()

    def hideEvent(self, event: QEvent) -> None:  # noqa: N802
        """Qt: save the state when the dock is closed."""
        super().hideEvent(event)
        self.save_state()

    def close_down(self) -> None:
        """Save the state and cancel all jobs, before the dock is deleted. A second call does nothing."""
        if self._closed:
            return
        self._closed = True
        self.record_actions.close()
        self.save_state()
        self.messages.clear()
        self.list_page.close_down()
        self.composer_controller.close()
        self.compose_dock.hide()
        self.compose_dock.deleteLater()
        self.session.close()


class ComposeDock(QgsDockWidget):
    """Shows the composer. Its title counts the services of the map, so that they are seen behind another tab too.

    It is a short one where the tabs of docks in the same place would be cut.
    """

    #: services of the map. Qt tells of a change before the constructor has ended
    _count = 0

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

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Qt: take the title that has room."""
        super().resizeEvent(event)
        self._show_title()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        """Qt: take the title that has room in another font."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._show_title()

    def _show_count(self, count: int) -> None:
        self._count = count
        self._show_title()

    def _show_title(self) -> None:
        count, window = self._count, self.parentWidget()
        title, short = (tr("Custom map ({count})", count=count), tr("Map ({count})", count=count)) if count else (
            tr("Custom map"), tr("Map"))
        tabbed = window.tabifiedDockWidgets(self) if isinstance(window, QMainWindow) else []
        measure, style = self.fontMetrics(), self.style()
        beside = style.pixelMetric(QStyle.PixelMetric.PM_TabBarTabHSpace) + _TAB_FRAME
        needed = sum(measure.horizontalAdvance(one) + beside for one in (title, *(
            dock.windowTitle() for dock in tabbed)))
        title = short if tabbed and needed > self.width() else title
        if title != self.windowTitle():
            self.setWindowTitle(title)


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
