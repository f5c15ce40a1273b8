"""The list of records in step with the search field, the facets and the map canvas."""

from __future__ import annotations

from typing import List, Optional, Sequence, Tuple

from qgis.gui import QgsMapCanvas
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QModelIndex, QObject, QTimer, pyqtSignal
from qgis.PyQt.QtWidgets import QAbstractItemView, QLineEdit

from ...app.records.dock_session import DockSession
from ...app.records.record_controller import SelectedRecord
from ...app.records.remote_search_controller import RemoteSearchController
from ...app.window import MapWindow
from ...core.catalogues.result_merging import RemoteHit, add_remote_counts, is_in_library, merge_results
from ...core.i18n import tr
from ...core.library.query import PAGE_SIZE, FacetCounts, LibraryQuery, ResultPage, SearchHit
from ...core.records.model.record import Record
from .extent_overlay import ExtentOverlay
from .facet_row import FacetRow
from .record_list import HitRole, RecordListView, ResultListModel

#: debounce between typing and searching; a newer search replaces an older one
_SEARCH_DEBOUNCE_MS = 10
#: debounce between a move of the map canvas and a search in its extent
_MAP_DEBOUNCE_MS = 200


class ResultsController(QObject):
    """Runs the searches, merges local and remote results, and keeps selection and scroll position."""

    #: query whose first page is in the list now
    results_shown = pyqtSignal(object)
    #: every query
    search_started = pyqtSignal(object)
    #: result that is shown now; None for a record that is not in the list
    record_selected = pyqtSignal(object)

    def __init__(self, session: DockSession, remote: RemoteSearchController, selected: SelectedRecord,
                 window: MapWindow, search_field: QLineEdit, facets: FacetRow, records: RecordListView,
                 model: ResultListModel, parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._session, self._remote, self._selected, self._window = session, remote, selected, window
        self._search_field, self._facets, self._records, self._model = search_field, facets, records, model
        self._query = LibraryQuery()
        self._selected_id = ""
        #: record that is shown after the list has been painted, so that keys are answered first
        self._deferred_record: Optional[Tuple[SearchHit, Record]] = None
        self._unlisted: Optional[Record] = None
        self._defers_record = False
        self._deferred_timer = QTimer(self)
        self._deferred_timer.setSingleShot(True)
        self._deferred_timer.setInterval(0)
        self._deferred_timer.timeout.connect(self._show_deferred)
        self._requested_id = ""
        self._local_hits: List[SearchHit] = []
        self._remote_hits: Sequence[SearchHit] = ()
        self._counts: Optional[FacetCounts] = None
        self._has_more = False
        #: background refresh: keep the scroll position and the selection
        self._keeps_position = False
        #: the library changed since the last search
        self._refresh_pending = False
        self._search_debounce = QTimer(self)
        self._search_debounce.setSingleShot(True)
        self._search_debounce.setInterval(_SEARCH_DEBOUNCE_MS)
        self._search_debounce.timeout.connect(self.run_search)
        self._refresh_timer = QTimer(self)
        self._refresh_timer.setSingleShot(True)
        self._refresh_timer.setInterval(0)
        self._refresh_timer.timeout.connect(self._refresh_if_pending)
        search_field.textChanged.connect(self._on_text_changed)
        model.more_requested.connect(lambda _rows: self._load_more())
        records.selectionModel().currentChanged.connect(self._on_current_changed)
        self._session.records_changed.connect(self.run_search)
        self._session.background_updated.connect(self.refresh)
        records.verticalScrollBar().valueChanged.connect(lambda _value: self._refresh_if_pending())
        records.selectionModel().selectionChanged.connect(lambda *_: self._refresh_timer.start())
        self._session.page_loaded.connect(self._on_page_loaded)
        self._session.record_loaded.connect(self._on_record_loaded)
        self._session.counts_loaded.connect(self._on_counts_loaded)
        facets.changed.connect(self._go_on)
        facets.changed.connect(self.run_search)
        canvas = self._canvas = window.canvas
        facets.set_map_available(canvas is not None)
        self.extent_overlay: Optional[ExtentOverlay] = None
        if canvas is not None:
            self._connect_map(canvas)

    def _connect_map(self, canvas: QgsMapCanvas) -> None:
        self._map_debounce = QTimer(self)
        self._map_debounce.setSingleShot(True)
        self._map_debounce.setInterval(_MAP_DEBOUNCE_MS)
        self._map_debounce.timeout.connect(self.run_search)
        canvas.extentsChanged.connect(self._on_map_moved)
        extents = self.extent_overlay = ExtentOverlay(canvas, self)
        self._facets.extents_toggled.connect(extents.set_visible)
        for change in (self._model.modelReset, self._model.rowsInserted):
            change.connect(lambda *_: extents.set_hits(self._model.hits))
        self._records.setMouseTracking(True)
        self._records.entered.connect(lambda index: extents.highlight(index.data(HitRole).identifier))
        self._records.viewportEntered.connect(lambda: extents.highlight(self._selected_id))
        extents.hovered.connect(self._on_extent_hovered)
        extents.clicked.connect(self.select_record)

    def close(self) -> None:
        """Remove the extents from the map canvas and stop listening to it."""
        extents, self.extent_overlay = self.extent_overlay, None
        if extents is None:
            return
        self._map_debounce.stop()
        extents.close()
        if self._canvas is not None and not sip.isdeleted(self._canvas):
            self._canvas.extentsChanged.disconnect(self._on_map_moved)

    @property
    def query(self) -> LibraryQuery:
        """Query made of the search field, the facets and the map canvas."""
        facets = self._facets
        box = self._window.geographic_extent() if facets.in_view_chip.isChecked() else None
        return LibraryQuery(self._search_field.text(), box, dict(facets.selected), facets.sort, facets.collection)

    def _on_text_changed(self, _text: str) -> None:
        self._go_on()
        self._search_debounce.start()

    def _go_on(self) -> None:
        """Note that the person has turned to something else than what is still being opened."""
        if self._session.views.go_on():
            self._requested_id = ""

    def _on_map_moved(self) -> None:
        if self._facets.in_view_chip.isChecked():
            self._map_debounce.start()

    def _on_extent_hovered(self, identifier: str) -> None:
        self._records.highlight_row(self._model.row_of(identifier))

    def zoom_to_hits(self, hits: Sequence[SearchHit]) -> None:
        """Zoom the map canvas to the extents of ``hits`` and draw them."""
        if self.extent_overlay is not None:
            self._facets.extents.setChecked(True)
            self.extent_overlay.zoom_to([hit.bbox for hit in hits])

    def _on_counts_loaded(self, query: LibraryQuery, counts: FacetCounts) -> None:
        if query == self._query:
            self._counts = counts
            self.show_counts()

    def show_counts(self) -> None:
        """Show the number of records by facet: those of the library and those that catalogues have returned so far."""
        if self._counts is None:
            return
        remote = self._remote.search
        sources = {**remote.source_titles(), **self._session.sources()}
        listed = {hit.identifier for hit in self._local_hits}
        unlisted = [hit for hit in self._remote_hits if is_in_library(hit) and hit.identifier not in listed]
        if self._has_more:
            # they may be among the local results that are still to come
            listed.update(hit.identifier for hit in unlisted)
        self._facets.show_counts(add_remote_counts(self._counts, self._remote_hits, listed), sources,
                                 self._counts.total, remote.complete and not (self._has_more and unlisted))

    @property
    def is_filtered(self) -> bool:
        """True if the search field or a facet hides records."""
        return self.query != LibraryQuery(sort=self.query.sort)

    def run_search(self) -> None:
        """Search. The selected record stays selected if it is among the results."""
        self._search_debounce.stop()
        self._keeps_position = self._refresh_pending = False
        self._query = self.query
        self._counts = None
        self._session.search(self._query)
        self.search_started.emit(self._query)

    def refresh(self) -> None:
        """Search again after a change in the background.

        Rows and count wait while several rows are selected. While a long list is scrolled down, its rows wait, and the
        ones that the count promises are loaded where it ends. A short list is loaded again, because it may have no end
        to be scrolled to.
        """
        if self._search_debounce.isActive() or self._session.searching or len(self._records.selected_hits()) > 1:
            self._refresh_pending = True
            return
        if self._is_list_in_use and len(self._local_hits) >= PAGE_SIZE:
            self._refresh_pending = True
            self._model.set_has_more(True)
            self._session.count(self._query)
            return
        self._refresh_pending, self._keeps_position = False, True
        self._session.search(self._query)

    def _load_more(self) -> None:
        """Load the rows that follow. A search that is under way is not replaced: it brings the rows anew."""
        if not self._session.searching:
            self._session.search(self._query, len(self._local_hits))

    @property
    def _is_list_in_use(self) -> bool:
        return self._records.verticalScrollBar().value() > 0 or len(self._records.selected_hits()) > 1

    def _refresh_if_pending(self) -> None:
        if self._refresh_pending and not self._is_list_in_use:
            self.refresh()

    def show_remote_hits(self, hits: Sequence[SearchHit]) -> None:
        """Merge the catalogues' results into the list without changing selection and scroll position."""
        self._remote_hits = hits
        self.show_counts()
        merged = self._merged_hits()
        if merged == list(self._model.hits):
            return
        self._replace_hits(merged, False)

    def _replace_hits(self, hits: Sequence[SearchHit], keep_position: bool) -> None:
        """Replace the rows without moving what is visible. ``keep_position``: select no other record."""
        view, scroll = self._records, self._records.verticalScrollBar()
        first = view.indexAt(view.viewport().rect().topLeft())
        anchor = first.data(HitRole).identifier if first.isValid() and scroll.value() else ""
        offset = view.visualRect(first).top()
        self._model.set_hits(hits, self._has_more)
        if not self._requested_id:
            # the requested record comes with the page that is being searched
            with self._session.views.showing():
                self._restore_selection(keep_position)
        row = self._model.row_of(anchor) if anchor else -1
        if row >= 0:
            view.scrollTo(self._model.index(row), QAbstractItemView.ScrollHint.PositionAtTop)
            scroll.setValue(scroll.value() - offset)
        elif keep_position and not self._requested_id:
            # the selected record may have moved down
            view.scrollToTop()
        self.update_empty_text()

    def _merged_hits(self) -> List[SearchHit]:
        return merge_results(self._local_hits, self._remote_hits, self._query.sort) if self._remote_hits else list(
            self._local_hits)

    def clear_filters(self) -> None:
        """Clear the search field and all facets."""
        self._go_on()
        self._facets.clear()
        self._search_field.clear()
        self.run_search()

    def select_record(self, identifier: str) -> None:
        """Select a record. A search that hides it is cleared."""
        row = self._model.row_of(identifier)
        if row >= 0 and not self._session.loading:
            self._records.setCurrentIndex(self._model.index(row))
            return
        self._requested_id = identifier
        self.run_search()

    def is_remote(self, identifier: str) -> bool:
        """Return True if the list shows this record as a catalogue's result."""
        return isinstance(self._model.hit(self._model.row_of(identifier)), RemoteHit)

    @property
    def selected_identifier(self) -> str:
        """Identifier of the selected record, or ""."""
        return self._selected_id

    @selected_identifier.setter
    def selected_identifier(self, identifier: str) -> None:
        """Select this record with the next results, if it is among them."""
        self._selected_id = identifier

    def update_empty_text(self) -> None:
        """Explain in an empty list why it is empty and what to do."""
        show = self._records.show_empty_text
        if self._model.rowCount():
            show("")
        elif self._session.opening and not self.is_filtered:
            show(tr("Reading the records…"))
        elif self.is_filtered:
            text = tr("No record contains these words.") if self.query.text.strip() else tr("No record matches the "
                                                                                            "filters.")
            show(f"{text}<br><a href='#clear'>{tr('Show all records')}</a>{self._catalogues_hint()}")
        else:
            show(f"{tr('No records yet. Drop files, a folder or an address here.')}"
                 f"<br><a href='#open'>{tr('Open files…')}</a>{self._catalogues_hint()}")

    def _catalogues_hint(self) -> str:
        """Return the line about catalogues in an empty list."""
        if self._remote.search.busy:
            return f"<br>{tr('Searching the catalogues…')}"
        hint = f"<br><a href='#remote'>{tr('Search the catalogues')}</a>"
        return "" if self._remote.search.enabled else hint

    def _on_page_loaded(self, query: LibraryQuery, offset: int, page: ResultPage) -> None:
        if query != self._query:
            return
        self._has_more = page.has_more
        if offset:
            self._local_hits += page.hits
            if self._remote_hits:
                self.show_remote_hits(self._remote_hits)
            else:
                self._model.append_hits(page.hits, page.has_more)
            return
        self._local_hits = list(page.hits)
        if not self._keeps_position or self._requested_id:
            self._model.set_hits(self._merged_hits(), page.has_more)
            self._defers_record = True
            with self._session.views.showing():
                self._restore_selection()
            self._defers_record = False
            self.update_empty_text()
        elif self._merged_hits() != list(self._model.hits):
            self._replace_hits(self._merged_hits(), True)
        else:
            self._model.set_has_more(page.has_more)
        self._keeps_position = False
        self.results_shown.emit(query)
        self._session.count(query)
        if self._refresh_pending:
            self._refresh_timer.start()

    def _restore_selection(self, keep_position: bool = False) -> None:
        """Select the requested record, else the one before, else the first.

        None where ``keep_position``, or where a record without a row was opened.
        """
        model, requested = self._model, self._requested_id
        row = model.row_of(requested or self._selected_id)
        if requested and row < 0:
            if self.is_filtered:
                self.clear_filters()
                return
            # it is further down in a long list: show it without a row
            self._requested_id = ""
            self._selected_id = requested
            record = self._session.record(requested)
            if record is not None:
                self.record_selected.emit(None)
                self._selected.select(record)
            return
        self._requested_id = ""
        if row < 0 and self._selected.record is not None and (keep_position or self._selected.record is self._unlisted):
            return
        row = 0 if row < 0 and model.rowCount() else row
        if row >= 0:
            index = model.index(row)
            self._records.setCurrentIndex(index)
            self._records.scrollTo(index)
        else:
            # a catalogue's record may still be on its way
            self.record_selected.emit(None)
            self._selected.select(None)

    def show_unlisted(self, record: Record) -> None:
        """Show a record that has no row. The record of a row that is still being read is not shown then."""
        self._go_on()
        self._requested_id, self._selected_id, self._deferred_record = "", record.id or "", None
        self._unlisted = record
        self._records.setCurrentIndex(QModelIndex())
        self.record_selected.emit(None)
        self._selected.select(record)

    def _on_current_changed(self, index: QModelIndex, _before: QModelIndex) -> None:
        hit: Optional[SearchHit] = index.data(HitRole)
        if hit is None:
            return
        # Qt makes a row current, but does not select it, where a list gets the focus
        if self._records.selectionModel().isSelected(index):
            self._go_on()
        self._selected_id = hit.identifier
        if self.extent_overlay is not None:
            self.extent_overlay.highlight(hit.identifier)
        record = self._remote.record(hit) if isinstance(hit, RemoteHit) else self._session.request_record(hit)
        if record is not None and self._defers_record:
            self._deferred_record = (hit, record)
            self._deferred_timer.start()
        elif record is not None:
            self._show_record(record)
        self.record_selected.emit(hit)

    def _on_record_loaded(self, identifier: str, record: Optional[Record]) -> None:
        if identifier != self._selected_id:
            return
        if record is None:
            self._selected.select(None)
        else:
            self._show_record(record)

    def _show_deferred(self) -> None:
        deferred, self._deferred_record = self._deferred_record, None
        if deferred is not None and deferred[0].identifier == self._selected_id:
            hit, record = deferred
            # a catalogue's record may be complete by now
            self._show_record((self._remote.record(hit) or record) if isinstance(hit, RemoteHit) else record)

    def _show_record(self, record: Record) -> None:
        if record is not self._selected.record:
            self._selected.select(record)
