"""What the list shows: the results of the search box and of what narrows it, as they come; and which one is chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING, List, Optional, Sequence, Tuple

from qgis.core import QgsProject
from qgis.gui import QgsMapCanvas
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QModelIndex, QObject, QTimer, pyqtSignal
from qgis.PyQt.QtWidgets import QAbstractItemView

from ...app.maps.map_extent import geographic_extent
from ...core.catalogues.result_merging import RemoteHit, add_remote_counts, merge_results
from ...core.i18n import tr
from ...core.library.query import FacetCounts, LibraryQuery, ResultPage, SearchHit
from ...core.records.model.record import Record
from ..results.result_model import HitRole
from .extent_overlay import ExtentOverlay

if TYPE_CHECKING:
    from .dock_widget import CartoguideDock

#: so long nothing more is typed before it is looked for; a newer search overtakes an older one
_SEARCH_DEBOUNCE_MS = 10
#: so long the map window rests before its view counts
_MAP_DEBOUNCE_MS = 200


class ResultsController(QObject):
    """Connects search box, list and chosen record. ``shown`` tells the query whose first results are in the list,
    ``looked_for`` every query, ``chosen`` the result (None: a record that is not in the list) that is shown now.
    """

    results_shown = pyqtSignal(object)
    search_started = pyqtSignal(object)
    record_selected = pyqtSignal(object)

    def __init__(self, dock: CartoguideDock, canvas: Optional[QgsMapCanvas] = None) -> None:
        super().__init__(dock)
        self._dock = dock
        self._session = dock.session
        self._query = LibraryQuery()
        self._selected_id = ""
        #: what is chosen in a list that was not painted yet waits for that: keys are answered by the list
        self._deferred_record: Optional[Tuple[str, Record]] = None
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
        #: the search under way is no person's, and the list is to stay as it stands
        self._keeps_position = False
        #: records came in that the list does not know of
        self._refresh_pending = False
        self._search_debounce = QTimer(self)
        self._search_debounce.setSingleShot(True)
        self._search_debounce.setInterval(_SEARCH_DEBOUNCE_MS)
        self._search_debounce.timeout.connect(self.run_search)
        self._refresh_timer = QTimer(self)
        self._refresh_timer.setSingleShot(True)
        self._refresh_timer.setInterval(0)
        self._refresh_timer.timeout.connect(self._refresh_if_pending)
        dock.search.textChanged.connect(lambda _text: self._search_debounce.start())
        dock.model.more_requested.connect(lambda _: self._session.search(self._query, len(self._local_hits)))
        dock.list.selectionModel().currentChanged.connect(self._on_current_changed)
        self._session.records_changed.connect(self.run_search)
        self._session.background_updated.connect(self.refresh)
        dock.list.verticalScrollBar().valueChanged.connect(lambda _value: self._refresh_if_pending())
        dock.list.selectionModel().selectionChanged.connect(lambda *_: self._refresh_timer.start())
        self._session.page_loaded.connect(self._on_page_loaded)
        self._session.record_loaded.connect(self._on_record_loaded)
        self._session.counts_loaded.connect(self._on_counts_loaded)
        dock.facets.changed.connect(self.run_search)
        dock.facets.set_map_available(canvas is not None)
        self._canvas = canvas
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
        self._dock.facets.extents_toggled.connect(extents.set_visible)
        for change in (self._dock.model.modelReset, self._dock.model.rowsInserted):
            change.connect(lambda *_: extents.set_hits(self._dock.model.hits))
        self._dock.list.setMouseTracking(True)
        self._dock.list.entered.connect(lambda index: extents.highlight(index.data(HitRole).identifier))
        self._dock.list.viewportEntered.connect(lambda: extents.highlight(self._selected_id))
        extents.hovered.connect(self._on_extent_hovered)
        extents.clicked.connect(self.select_record)

    def close(self) -> None:
        """Leave the map window as it was."""
        extents, self.extent_overlay = self.extent_overlay, None
        if extents is None:
            return
        self._map_debounce.stop()
        extents.close()
        if self._canvas is not None and not sip.isdeleted(self._canvas):
            self._canvas.extentsChanged.disconnect(self._on_map_moved)

    @property
    def query(self) -> LibraryQuery:
        """What is looked for now."""
        facets = self._dock.facets
        box = self._view_extent() if facets.in_view_chip.isChecked() else None
        return LibraryQuery(self._dock.search.text(), box, dict(facets.selected), facets.sort, facets.collection)

    def _view_extent(self) -> Optional[tuple[float, float, float, float]]:
        canvas = self._canvas
        if canvas is None:
            return None
        seen = geographic_extent(canvas.extent(), canvas.mapSettings().destinationCrs(), QgsProject.instance())
        return None if seen is None else (seen.west, seen.south, seen.east, seen.north)

    def _on_map_moved(self) -> None:
        if self._dock.facets.in_view_chip.isChecked():
            self._map_debounce.start()

    def _on_extent_hovered(self, identifier: str) -> None:
        self._dock.list.highlight_row(self._dock.model.row_of(identifier))

    def zoom_to_hits(self, hits: Sequence[SearchHit]) -> None:
        """Move the map window to the extents of results, and draw them."""
        if self.extent_overlay is not None:
            self._dock.facets.extents.setChecked(True)
            self.extent_overlay.zoom_to([hit.bbox for hit in hits])

    def _on_counts_loaded(self, query: LibraryQuery, counts: FacetCounts) -> None:
        if query == self._query:
            self._counts = counts
            self.show_counts()

    def show_counts(self) -> None:
        """Show how many records there are of what kind: those that are kept, and those that catalogues sent so far."""
        if self._counts is None:
            return
        remote = self._dock.remote_search.search
        sources = {**remote.source_titles(), **self._session.sources()}
        self._dock.facets.show_counts(add_remote_counts(self._counts, self._remote_hits), sources, self._counts.total,
                                      remote.complete)

    @property
    def is_filtered(self) -> bool:
        """Whether anything keeps records out of the list."""
        return self.query != LibraryQuery(sort=self.query.sort)

    def run_search(self) -> None:
        """Look for what is asked; the chosen record stays where it is still found."""
        self._search_debounce.stop()
        self._keeps_position = self._refresh_pending = False
        self._query = self.query
        self._counts = None
        self._session.search(self._query)
        self.search_started.emit(self._query)

    def refresh(self) -> None:
        """Records came in beside what is looked at: look again, unless the list is in use further down or rows are
        being picked from it; then it is looked for when that is over.
        """
        if self._search_debounce.isActive() or self._session.searching:
            self._refresh_pending = True
            return
        if self._is_list_in_use:
            self._refresh_pending = True
            self._session.count(self._query)
            return
        self._refresh_pending, self._keeps_position = False, True
        self._session.search(self._query)

    @property
    def _is_list_in_use(self) -> bool:
        return self._dock.list.verticalScrollBar().value() > 0 or len(self._dock.list.selected_hits()) > 1

    def _refresh_if_pending(self) -> None:
        if self._refresh_pending and not self._is_list_in_use:
            self.refresh()

    def show_remote_hits(self, hits: Sequence[SearchHit]) -> None:
        """Put what the catalogues found among the results; what is chosen and what is seen stay where they are."""
        self._remote_hits = hits
        self.show_counts()
        woven = self._merged_hits()
        if woven == list(self._dock.model.hits):
            return
        self._replace_hits(woven, False)

    def _replace_hits(self, hits: Sequence[SearchHit], keep_position: bool) -> None:
        """Other rows, while what is chosen and what is seen stay where they are."""
        view, scroll = self._dock.list, self._dock.list.verticalScrollBar()
        first = view.indexAt(view.viewport().rect().topLeft())
        anchor = first.data(HitRole).identifier if first.isValid() and scroll.value() else ""
        offset = view.visualRect(first).top()
        self._dock.model.set_hits(hits, self._has_more)
        if not self._requested_id:
            # what is wanted comes with the page that is being looked up
            self._restore_selection(keep_position)
        row = self._dock.model.row_of(anchor) if anchor else -1
        if row >= 0:
            view.scrollTo(self._dock.model.index(row), QAbstractItemView.ScrollHint.PositionAtTop)
            scroll.setValue(scroll.value() - offset)
        elif keep_position and not self._requested_id:
            # what is chosen may stand further down now
            view.scrollToTop()
        self.update_empty_text()

    def _merged_hits(self) -> List[SearchHit]:
        return merge_results(self._local_hits, self._remote_hits, self._query.sort) if self._remote_hits else list(
            self._local_hits)

    def clear_filters(self) -> None:
        """Take away everything that narrows."""
        self._dock.facets.clear()
        self._dock.search.clear()
        self.run_search()

    def select_record(self, identifier: str) -> None:
        """Choose a record; a search that hides it is cleared."""
        row = self._dock.model.row_of(identifier)
        if row >= 0 and not self._session.loading:
            self._dock.list.setCurrentIndex(self._dock.model.index(row))
            return
        self._requested_id = identifier
        self.run_search()

    @property
    def selected_identifier(self) -> str:
        """The chosen record's identifier, or ""."""
        return self._selected_id

    @selected_identifier.setter
    def selected_identifier(self, identifier: str) -> None:
        """What the next results are to choose if they hold it."""
        self._selected_id = identifier

    def update_empty_text(self) -> None:
        """Say in an empty list why it is empty, and what to do."""
        say = self._dock.list.show_empty_text
        if self._dock.model.rowCount():
            say("")
        elif self._session.opening and not self.is_filtered:
            say(tr("Reading the records…"))
        elif self.is_filtered:
            words = tr("No record holds these words.") if self.query.text.strip() else tr("No record is like this.")
            say(f"{words}<br><a href='#clear'>{tr('Show all records')}</a>{self._catalogues_hint()}")
        else:
            say(f"{tr('No records yet. Drop files, a folder or an address here.')}"
                f"<br><a href='#open'>{tr('Open files…')}</a>{self._catalogues_hint()}")

    def _catalogues_hint(self) -> str:
        """What the catalogues may have, in an empty list."""
        if self._dock.remote_search.search.busy:
            return f"<br>{tr('Asking the catalogues…')}"
        hint = f"<br><a href='#remote'>{tr('Search the catalogues')}</a>"
        return "" if self._dock.search_bar.catalogues.isChecked() else hint

    def _on_page_loaded(self, query: LibraryQuery, offset: int, page: ResultPage) -> None:
        if query != self._query:
            return
        self._has_more = page.has_more
        if offset:
            self._local_hits += page.hits
            if self._remote_hits:
                self.show_remote_hits(self._remote_hits)
            else:
                self._dock.model.append_hits(page.hits, page.has_more)
            return
        self._local_hits = list(page.hits)
        if not self._keeps_position or self._requested_id:
            self._dock.model.set_hits(self._merged_hits(), page.has_more)
            self._defers_record = True
            self._restore_selection()
            self._defers_record = False
            self.update_empty_text()
        elif self._merged_hits() != list(self._dock.model.hits):
            self._replace_hits(self._merged_hits(), True)
        self._keeps_position = False
        self.results_shown.emit(query)
        self._session.count(query)
        if self._refresh_pending:
            self._refresh_timer.start()

    def _restore_selection(self, keep_position: bool = False) -> None:
        """Choose what is wanted, what was chosen, or the first result; ``gently``: rather none than another one."""
        model, wanted = self._dock.model, self._requested_id
        row = model.row_of(wanted or self._selected_id)
        if wanted and row < 0:
            if self.is_filtered:
                self.clear_filters()
                return
            # it stands far down in a long list; it is shown all the same
            self._requested_id = ""
            self._selected_id = wanted
            record = self._session.record(wanted)
            if record is not None:
                self.record_selected.emit(None)
                self._dock.show_record(record)
            return
        self._requested_id = ""
        if row < 0 and keep_position and self._dock.view.record is not None:
            return
        row = 0 if row < 0 and model.rowCount() else row
        if row >= 0:
            index = model.index(row)
            self._dock.list.setCurrentIndex(index)
            self._dock.list.scrollTo(index)
        else:
            self._dock.view.show_record(None, None, None)

    def _on_current_changed(self, index: QModelIndex, _before: QModelIndex) -> None:
        hit: Optional[SearchHit] = index.data(HitRole)
        if hit is None:
            return
        self._selected_id = hit.identifier
        if self.extent_overlay is not None:
            self.extent_overlay.highlight(hit.identifier)
        record = self._dock.remote_search.record(hit) if isinstance(hit,
                                                                    RemoteHit) else self._session.request_record(hit)
        if record is not None and self._defers_record:
            self._deferred_record = (hit.identifier, record)
            self._deferred_timer.start()
        elif record is not None:
            self._show_record(record)
        self.record_selected.emit(hit)

    def _on_record_loaded(self, identifier: str, record: Optional[Record]) -> None:
        if identifier != self._selected_id:
            return
        if record is None:
            self._dock.view.show_record(None, None, None)
        else:
            self._show_record(record)

    def _show_deferred(self) -> None:
        following, self._deferred_record = self._deferred_record, None
        if following is not None and following[0] == self._selected_id:
            self._show_record(following[1])

    def _show_record(self, record: Record) -> None:
        if record is not self._dock.view.record:
            self._dock.show_record(record)
