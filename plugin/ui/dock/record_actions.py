"""The selected record: shown on its page, with all that can be done with it there and in the menus of records."""

from __future__ import annotations

from functools import partial
from typing import Optional

from qgis.PyQt.QtCore import QEvent, QObject, Qt, pyqtSignal
from qgis.PyQt.QtGui import QResizeEvent
from qgis.PyQt.QtWidgets import QApplication, QMenu, QSplitter, QVBoxLayout, QWidget

from ...app.maps.distribution_additions import DistributionAdditions
from ...app.maps.map_additions import AddOfferController, MapAdditions
from ...app.maps.map_controller import MapController
from ...app.maps.operation_controller import OperationController
from ...app.maps.preview_controller import PreviewController
from ...app.maps.time_series_controller import TimeSeriesController
from ...app.phrases import cancelled_text
from ...app.records.dock_session import DockSession, ServiceState, ServiceStatus
from ...app.records.record_controller import RecordController, SelectedRecord
from ...app.window import MapWindow, Notifier, Prompts
from ...core.catalogues.result_merging import RemoteHit
from ...core.distributions.record_distributions import Distribution
from ...core.i18n import tr
from ...core.library.query import SearchHit
from ...core.records.model.record import Record
from ...gis.runtime.main_thread import single_shot
from ..composer.composer_controller import ComposerController
from ..record.overview_tab import overview_urls
from ..record.record_view import CatalogueOriginBar, OriginAction, RecordView
from ..widgets.form_widgets import fill_layout
from ..widgets.theme import font_scale
from .dock_dialogs import DockDialogs
from .list_page import RecordListPage
from .record_menu import RecordContextMenu, RecordMenu

#: pixels at 12 pt; from this width on the list and the record stand side by side
SIDE_BY_SIDE_WIDTH = 700


class RecordPages(QWidget):
    """Two pages. ``changed`` is emitted when another page is shown, or both are, and ``turned`` when another one is
    asked for.

    The page that is shown takes the focus from the one that is hidden.
    """

    changed = pyqtSignal()
    turned = pyqtSignal()

    def __init__(self, list_page: QWidget, record_page: QWidget, list_focus: QWidget, record_focus: QWidget,
                 parent: Optional[QWidget] = None) -> None:
        """``list_focus`` and ``record_focus`` are the widgets of the pages that get the focus."""
        super().__init__(parent)
        # no focus proxies: Tab would lead to them, and past what is above them
        self._list_focus, self._record_focus = list_focus, record_focus
        self._list_page, self._record_page = list_page, record_page
        self._record_open = False
        #: whether both pages were shown when they were last placed
        self._are_both_shown = False
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setHandleWidth(5)
        for page in (list_page, record_page):
            self.splitter.addWidget(page)
            self.splitter.setStretchFactor(self.splitter.count() - 1, 1)
        fill_layout(QVBoxLayout(self), self.splitter)
        self._show_pages()

    @property
    def side_by_side(self) -> bool:
        """True where there is room for both pages."""
        return bool(self.width() >= SIDE_BY_SIDE_WIDTH * font_scale(self))

    @property
    def record_opened(self) -> bool:
        """True if the person opened a record and has not gone back to the list."""
        return self._record_open

    def open_record(self) -> None:
        self._turn(True)

    def open_list(self) -> None:
        self._turn(False)

    def _turn(self, to_record: bool) -> None:
        if to_record != self._record_open:
            self._record_open = to_record
            self.turned.emit()
        self._show_pages()

    def focus_record(self) -> None:
        """Show the record, which has the focus then."""
        self.open_record()
        self._record_focus.setFocus(Qt.FocusReason.OtherFocusReason)

    def focus_list(self) -> None:
        """Go back to the list, which has the focus then."""
        self.open_list()
        self._list_focus.setFocus(Qt.FocusReason.OtherFocusReason)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Qt: show both pages, or one, as the width allows."""
        super().resizeEvent(event)
        self._follow_width()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        """Qt: larger letters need more room."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange) and hasattr(self, "splitter"):
            self._follow_width()

    def _follow_width(self) -> None:
        # the event's old size is none after a dock was hidden, as it is while it is docked again
        if self.side_by_side != self._are_both_shown:
            self._show_pages()

    def _show_pages(self) -> None:
        both = self._are_both_shown = self.side_by_side
        pages = [(self._list_page, both or not self._record_open, self._record_focus),
                 (self._record_page, both or self._record_open, self._list_focus)]
        # the page that is shown comes first, so that it can take the focus of the other one
        for page, is_shown, focus_of_other in sorted(pages, key=lambda one: not one[1]):
            if not is_shown and page.isAncestorOf(QApplication.focusWidget() or self):
                focus_of_other.setFocus(Qt.FocusReason.OtherFocusReason)
            page.setVisible(is_shown)
        self.changed.emit()


#: debounce between opening a record and loading its service: another one may be opened at once
_OPENING_DEBOUNCE_MS = 150


class RecordActions(QObject):
    """Makes the page of the selected record. ``adding_changed``: its service, or another one, is being added."""

    adding_changed = pyqtSignal(bool)

    def __init__(self, list_page: RecordListPage, session: DockSession, map_controller: MapController,
                 selected: SelectedRecord, additions: MapAdditions, distributions: DistributionAdditions,
                 composer: ComposerController, dialogs: DockDialogs,
                 map_window: MapWindow, notifier: Notifier, prompts: Prompts, window: QWidget) -> None:
        super().__init__(window)
        self.view = view = RecordView(lambda data: self.records.save_xml(data))
        self.origin_bar = CatalogueOriginBar()
        view.insert_above_tabs(self.origin_bar)
        self.pages = pages = RecordPages(list_page, view, list_page.list, view.tabs)
        self._list_page = list_page
        self._session, self._map, self._selected, self._additions = session, map_controller, selected, additions
        self._distributions = distributions
        self._dialogs, self._notifier = dialogs, notifier
        self.records = RecordController(session, selected, notifier, prompts, self)
        self.time_series = TimeSeriesController(session, map_controller, selected, composer.time_selection, map_window,
                                                list_page.remote_search.save_for_map, notifier, self)
        self.add_offer = AddOfferController(session, map_controller, selected, additions, self.time_series,
                                            lambda: pages.record_opened, self)
        self.preview = PreviewController(session, map_controller, selected, lambda: pages.record_opened,
                                         view.preview.room, self)
        self.operations = OperationController(session, map_controller, selected, view.service.operations, map_window,
                                              notifier, prompts, self)
        self.menu = RecordMenu(session, view, self.records, list_page.marks, list_page.removals, notifier,
                               pages.focus_list, self)
        self.context_menu = RecordContextMenu(list_page.list, list_page.results, list_page.comparisons,
                                              list_page.collection_menu, list_page.checks,
                                              list_page.remote_search.save_records, list_page.remove_records,
                                              self.add_hit, self._add_entries, self)
        self._service_timer = single_shot(self, _OPENING_DEBOUNCE_MS, self._load_service_of_opened)
        list_page.list.add_requested.connect(self.add_hit)
        selected.changed.connect(self._show_selected)
        session.terms_changed.connect(self._on_terms_changed)
        session.images.loaded.connect(self._on_image_loaded)
        self.records.map_opened.connect(composer.documents.open_file)
        self.records.package_opened.connect(composer.offline.open_package)
        self._connect_page()
        self._connect_service()
        self._connect_operations()
        self._connect_adding()

    def _connect_page(self) -> None:
        view, pages, checks, remote = self.view, self.pages, self._list_page.checks, self._list_page.remote_search
        view.header.back_requested.connect(pages.focus_list)
        pages.turned.connect(self._session.views.go_on)
        pages.changed.connect(self._load_overviews)
        pages.changed.connect(self._load_service_later)
        pages.changed.connect(lambda: view.header.back.setHidden(pages.side_by_side))
        pages.changed.connect(self.add_offer.refresh)
        pages.changed.connect(self.preview.refresh)
        self.preview.changed.connect(view.preview.show_state)
        view.overview.refresh_requested.connect(lambda: self.records.refresh(self._selected.record))
        view.checks.health_check_requested.connect(lambda: self._dialogs.open_health(True))
        view.checks.record_checked.connect(checks.find_duplicates)
        view.checks.batch_check_requested.connect(lambda: checks.check())
        checks.records_checked.connect(lambda result: self._dialogs.show_issues(
            result, lambda: checks.save(result), self._list_page.record_requested.emit))
        view.checks.compare_requested.connect(self._list_page.comparisons.compare_selected)
        checks.duplicates_found.connect(view.checks.checks.add_duplicates)
        remote.origin_changed.connect(self.origin_bar.show_origin)
        self.origin_bar.action_requested.connect(self._on_origin_action)
        self.origin_bar.version_requested.connect(remote.show_version)

    def _connect_service(self) -> None:
        page, records = self.view.service, self.records
        records.service_state_changed.connect(self._show_service_state)
        page.load_requested.connect(records.load_service)
        page.cancel_requested.connect(records.cancel_service)
        page.details_requested.connect(records.show_service_error)
        page.layers.add_requested.connect(self._additions.add_layers_of_selected)

    def _connect_operations(self) -> None:
        page, operations = self.view.service.operations, self.operations
        page.canvas_extent = operations.canvas_extent
        page.canvas_crs = self._map.crs
        page.send_requested.connect(operations.send)
        page.cancel_requested.connect(operations.cancel)
        page.answer.save_requested.connect(operations.ask_and_save)
        page.answer.add_data_requested.connect(operations.add_data_layer)
        page.answer.add_image_requested.connect(operations.ask_and_add_image)
        operations.response_received.connect(page.show_answer)
        operations.failed.connect(page.show_error)
        operations.cancelled.connect(page.answer.show_cancelled)
        operations.adding_ended.connect(page.answer.data_page.enable_buttons)

    def _connect_adding(self) -> None:
        bar, additions, series, remote = (self.view.add_bar, self._additions, self.time_series,
                                          self._list_page.remote_search)
        bar.add_requested.connect(additions.add_selected)
        bar.distribution_requested.connect(self._add_distribution)
        bar.service_requested.connect(self.add_offer.add_service)
        additions.distribution_requested.connect(self._distributions.add)
        bar.cancel_requested.connect(self.cancel_adding)
        bar.retry_requested.connect(lambda: self.records.load_service(True))
        bar.series_requested.connect(series.add)
        bar.series_overlay_requested.connect(series.add_overlay)
        self.add_offer.changed.connect(bar.show_offer)
        self.add_offer.changed.connect(self.preview.show_offer)
        series.series_found.connect(bar.show_series)
        additions.layer_choice_requested.connect(self._dialogs.choose_layers)
        additions.series_requested.connect(series.add_series_of)
        self._map.arrivals.include(lambda: remote.awaits_map_record, remote.map_record_awaited)
        remote.map_record_failed.connect(lambda title, error, identifier: self._map.builds.fail_addition(
            title, error, partial(self._list_page.add_remote, identifier)))
        self._map.arrivals.changed.connect(self._show_adding)
        remote.map_record_ready.connect(additions.add_selected)
        remote.adding_blocked.connect(bar.set_disabled_reason)

    def close(self) -> None:
        """Load no service any more."""
        self._service_timer.stop()

    def add_hit(self, hit: SearchHit) -> None:
        """Add the service of a row to the map, without opening the record."""
        if isinstance(hit, RemoteHit):
            self._list_page.add_remote(hit.identifier)
        else:
            self._additions.add_stored_record(hit.identifier)

    def cancel_adding(self) -> None:
        """End what is being added to the map."""
        self._additions.cancel()
        self._distributions.cancel()
        self.time_series.cancel()
        self._show_adding()
        self._notifier.notify(cancelled_text(tr("Adding to the map…")))

    def _add_distribution(self, distribution: Distribution) -> None:
        """Add a distribution of the selected record, which is saved to the library first."""
        record = self._selected.record
        if record is not None:
            self._list_page.remote_search.save_for_map(record)
            self._distributions.add(record, distribution)

    def _add_entries(self, menu: QMenu, identifier: str) -> None:
        """Add to the menu of a row what its record's own menu has."""
        record = self._session.record(identifier)
        if record is not None:
            self.menu.add_entries(menu, record)

    def _show_adding(self) -> None:
        adding = self._map.arrivals.pending
        self.view.add_bar.show_busy(adding)
        self.adding_changed.emit(adding)

    def _on_origin_action(self, action: OriginAction) -> None:
        remote = self._list_page.remote_search
        {OriginAction.SAVE: remote.save_shown_version, OriginAction.RELOAD: remote.reload_shown_version,
         OriginAction.DETAILS: remote.show_error_of_shown_version}[action]()

    # -- showing

    def _show_selected(self, record: Optional[Record], compare_with_previous: bool) -> None:
        view = self.view
        if record is None:
            view.show_record(None, None, None)
            # an empty page has no way back
            self.pages.open_list()
            return
        if not compare_with_previous:
            view.record = None
        endpoint = self._session.endpoint(record)
        view.show_record(record, self._session.terms(record), endpoint)
        self._load_overviews()
        if endpoint and not view.service.isVisible():
            state = self._session.service_state(endpoint)
            if state.status is not ServiceStatus.UNKNOWN:
                self._show_service_state(state)
        self.time_series.refresh()
        self.menu.show_star()
        self.add_offer.refresh()
        self.preview.refresh()
        self._load_service_later()

    def _load_overviews(self) -> None:
        """Show the overview images of the record, which are requested once the record is opened."""
        for url in overview_urls(self.view.record) if self.view.record is not None else ():
            image = self._session.images.image(url, saved_only=not self.pages.record_opened)
            if image is not None:
                self.view.show_thumbnail(url, image)

    def _load_service_later(self) -> None:
        """Load the service of a record that the person has opened, unless another one is opened at once."""
        if self.pages.record_opened:
            self._service_timer.start()

    def _load_service_of_opened(self) -> None:
        endpoint, record = self.records.selected_endpoint(), self._selected.record
        if self.pages.record_opened and record is not None:
            self._list_page.marks.remember(record.id or "")
        if self.pages.record_opened and endpoint and \
                self._session.service_state(endpoint).status is ServiceStatus.UNKNOWN:
            self._session.load_service(endpoint)

    def _show_service_state(self, state: ServiceState) -> None:
        page = self.view.service
        if state.status is ServiceStatus.LOADING:
            page.show_loading()
        elif state.status is not ServiceStatus.LOADED and state.error is not None:
            page.show_error(state.error)
        elif state.service is not None:
            page.show_service(state.service, state.loaded_text, state.error is not None)

    def _on_image_loaded(self, url: str) -> None:
        self._list_page.model.refresh_rows()
        picture = self._session.images.image(url)
        if picture is not None:
            self.view.show_thumbnail(url, picture)

    def _on_terms_changed(self, record: Record) -> None:
        self._list_page.model.refresh_rows()
        if self.view.record is record:
            self.view.show_terms(self._session.terms(record))
