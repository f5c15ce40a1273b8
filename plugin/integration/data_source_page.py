"""Cartoguide's page in QGIS's data source manager: search the library, read the terms, add the service."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional

from qgis.core import QgsProviderRegistry
from qgis.gui import QgsAbstractDataSourceWidget
from qgis.PyQt.QtCore import Qt, QTimer
from qgis.PyQt.QtGui import QShowEvent
from qgis.PyQt.QtWidgets import QDialogButtonBox, QHBoxLayout, QLineEdit, QPushButton, QSplitter, QVBoxLayout, QWidget

from ..app.phrases import hit_summary
from ..app.records.row_images import RowImages
from ..core.i18n import tr
from ..core.library.query import LibraryQuery, ResultPage, SearchHit
from ..gis.runtime.guide_pages import GuideTopic
from ..gis.runtime.tasks import LatestQueryWorker
from ..ui.record.terms_tab import TermsTab
from ..ui.results.record_list import RecordListView, ResultListModel
from ..ui.widgets import guide
from ..ui.widgets.buttons import translate_buttons
from ..ui.widgets.form_widgets import fill_layout
from ..ui.widgets.labels import PlainLabel
from ..ui.widgets.theme import icon

if TYPE_CHECKING:
    from ..core.terms.model import RecordWithTerms
    from .record_commands import RecordCommands

#: between typing and searching
_DEBOUNCE_MS = 10


class DataSourcePage(QgsAbstractDataSourceWidget):
    """Search box, list and terms. The button Add adds the service of the selected record with its credit."""

    def __init__(self, commands: RecordCommands, parent: Optional[QWidget] = None,
                 flags: Optional[Qt.WindowType] = None, mode: Optional[QgsProviderRegistry.WidgetMode] = None) -> None:
        super().__init__(parent, Qt.WindowType.Widget if flags is None else flags,
                         QgsProviderRegistry.WidgetMode.Embedded if mode is None else mode)
        self._commands = commands
        self._query = LibraryQuery()
        self._never_shown = True
        self._query_worker = LatestQueryWorker("cartoguide-source-page", self._run_query, self)
        self._query_worker.result_ready.connect(self._on_results)
        self._images = RowImages(commands.records.library, self)
        self._build()
        commands.changed.connect(self._refresh_results)

    def _build(self) -> None:
        self.search = QLineEdit()
        self.search.setPlaceholderText(tr("Search records…"))
        self.search.setAccessibleName(tr("Search records"))
        self.search.setClearButtonEnabled(True)
        self._debounce_timer = QTimer(self)
        self._debounce_timer.setSingleShot(True)
        self._debounce_timer.setInterval(_DEBOUNCE_MS)
        self._debounce_timer.timeout.connect(self._refresh_results)
        self.search.textChanged.connect(lambda _text: self._debounce_timer.start())
        self.catalogues = QPushButton(icon("networks"), tr("Search the catalogues"))
        self.catalogues.setToolTip(tr("Continue this search in the dock, which also searches your catalogues"))
        self.catalogues.clicked.connect(self._search_catalogues)
        self.model = ResultListModel(hit_summary, self._images.thumbnail, self)
        self.list = RecordListView()
        self.list.setModel(self.model)
        self._images.loaded.connect(lambda _url: self.model.refresh_rows())
        self._query_worker.failed.connect(lambda _question, error: self.list.show_empty_text(error.user_text))
        self.list.open_requested.connect(self.addButtonClicked)
        self.list.doubleClicked.connect(lambda _index: self.addButtonClicked())
        self.list.selectionModel().currentChanged.connect(lambda *_: self._on_selection_changed())
        self.model.more_requested.connect(lambda count: self._query_worker.submit((self._query, count)))
        self.terms = TermsTab()
        # below the list: QGIS's window leaves no room beside it
        splitter = QSplitter(Qt.Orientation.Vertical)
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(self.list)
        splitter.addWidget(self.terms)
        splitter.setStretchFactor(0, 3)
        splitter.setStretchFactor(1, 2)
        hint = PlainLabel(tr("The service is added with title, credit, scale range and legend."), wraps=True)
        self.buttons = QDialogButtonBox()
        row = fill_layout(QHBoxLayout(), self.search, self.catalogues, wide=self.search)
        fill_layout(QVBoxLayout(self), row, splitter, hint, self.buttons, wide=splitter, margins=None)
        self.setupButtons(self.buttons)
        self.show_record = self.buttons.addButton(tr("Show catalogue record"), QDialogButtonBox.ButtonRole.ActionRole)
        self.show_record.clicked.connect(lambda _checked=False: self._show_in_dock())
        translate_buttons(self.buttons)
        guide.install_help(self, GuideTopic.IN_QGIS, self.buttons)
        self.terms.hide()
        self._update_buttons()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Qt: open the library when the page is first shown."""
        super().showEvent(event)
        if self._never_shown:
            self._never_shown = False
            self.list.show_empty_text(tr("Reading the records…"))
            self._refresh_results()
        self.search.setFocus(Qt.FocusReason.OtherFocusReason)

    def addButtonClicked(self) -> None:  # noqa: N802
        hit = self._selected_hit()
        if hit is not None and hit.can_be_added:
            self._commands.add_to_map(hit.identifier)

    def refresh(self) -> None:
        """QGIS: search again."""
        if not self._never_shown:
            self._refresh_results()

    def close_down(self) -> None:
        """End the thread of the page before the page is deleted."""
        self._commands.changed.disconnect(self._refresh_results)
        self._query_worker.stop()

    # -- searching

    def _run_query(self, question: tuple[LibraryQuery, int], cancelled: object) -> ResultPage:
        """Load a page of results. Runs in a thread."""
        self._commands.records.store()
        return self._commands.records.library().load_page(question, cancelled)  # type: ignore[arg-type]

    def _refresh_results(self) -> None:
        if self._never_shown:
            return
        self._query = LibraryQuery(self.search.text())
        self._query_worker.submit((self._query, 0))

    def _on_results(self, question: tuple[LibraryQuery, int], page: ResultPage) -> None:
        query, offset = question
        if query != self._query:
            return
        if offset:
            self.model.append_hits(page.hits, page.has_more)
            return
        before = self._selected_hit()
        self.model.set_hits(page.hits, page.has_more)
        row = max(0, self.model.row_of(before.identifier) if before is not None else 0)
        if page.hits:
            self.list.setCurrentIndex(self.model.index(row))
        if page.hits:
            self.list.show_empty_text("")
        elif query.text.strip():
            self.list.show_empty_text(tr("No record contains these words."))
        else:
            self.list.show_empty_text(tr("No records yet. Open files or a catalogue in Cartoguide’s dock."))
        self._on_selection_changed()

    def _search_catalogues(self) -> None:
        text = self.search.text()
        self._commands.run_in_dock(lambda dock: dock.search_catalogues(text))

    # -- the selected record

    def _selected_hit(self) -> Optional[SearchHit]:
        selected = self.list.selected_hits()
        return selected[0] if selected else None

    def _on_selection_changed(self) -> None:
        self._update_buttons()
        hit = self._selected_hit()
        if hit is None:
            self.terms.hide()
            return
        identifier = hit.identifier

        def show(record_with_terms: Optional[RecordWithTerms]) -> None:
            current = self._selected_hit()
            if record_with_terms is not None and current is not None and current.identifier == identifier:
                self.terms.show_terms(record_with_terms[1])
                self.terms.show()

        self._commands.load_record(identifier, show, self)

    def _update_buttons(self) -> None:
        hit = self._selected_hit()
        self.enableButtons.emit(hit is not None and hit.can_be_added)
        self.show_record.setEnabled(hit is not None)

    def _show_in_dock(self) -> None:
        hit = self._selected_hit()
        if hit is not None:
            self._commands.show_record(hit.identifier)
