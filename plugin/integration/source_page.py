"""Cartoguide's page in QGIS's data source manager: search what is kept, look at its terms, add it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional

from qgis.core import QgsProviderRegistry
from qgis.gui import QgsAbstractDataSourceWidget
from qgis.PyQt.QtCore import Qt, QTimer
from qgis.PyQt.QtGui import QImage, QShowEvent
from qgis.PyQt.QtWidgets import (
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from ..core.i18n import tr
from ..core.store.query import Hit, Page, Query
from ..gis.latest import LatestThread
from ..gis.thumbnails import Thumbnails
from ..ui import guide
from ..ui.buttons import speak
from ..ui.record_list import RecordListView
from ..ui.record_model import RecordModel
from ..ui.terms_tab import TermsTab
from ..ui.theme import icon
from ..ui.words import facts_of_hit

if TYPE_CHECKING:
    from .desk import Desk, Sheet

_REST_MILLISECONDS = 10


class SourcePage(QgsAbstractDataSourceWidget):
    """Search box, list and terms; "Add" puts the chosen record's service on the map, with its credit."""

    def __init__(self, desk: Desk, parent: Optional[QWidget] = None, flags: Optional[Qt.WindowType] = None,
                 mode: Optional[QgsProviderRegistry.WidgetMode] = None) -> None:
        super().__init__(parent, Qt.WindowType.Widget if flags is None else flags,
                         QgsProviderRegistry.WidgetMode.Embedded if mode is None else mode)
        self._desk = desk
        self._query = Query()
        self._fresh = True
        self._pages = LatestThread("cartoguide-source-page", self._find, self)
        self._pages.answered.connect(self._came)
        self._pages.failed.connect(lambda _question, error: self.list.say_empty(error.user_text))
        self._asked: set[str] = set()
        self._pictures = Thumbnails(keeping=lambda: desk.records.store().keeping)
        self._build()
        desk.changed.connect(self._look)

    def _build(self) -> None:
        self.search = QLineEdit()
        self.search.setPlaceholderText(tr("Search records…"))
        self.search.setAccessibleName(tr("Search records"))
        self.search.setClearButtonEnabled(True)
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(_REST_MILLISECONDS)
        self._rest.timeout.connect(self._look)
        self.search.textChanged.connect(lambda _text: self._rest.start())
        self.catalogues = QPushButton(icon("networks"), tr("Search the catalogues"))
        self.catalogues.setToolTip(tr("Go on with these words in the dock, which asks your catalogues too"))
        self.catalogues.clicked.connect(self._search_catalogues)
        self.model = RecordModel(facts_of_hit, self._picture, self)
        self.list = RecordListView()
        self.list.setModel(self.model)
        self.list.opened.connect(self.addButtonClicked)
        self.list.doubleClicked.connect(lambda _index: self.addButtonClicked())
        self.list.selectionModel().currentChanged.connect(lambda *_: self._chosen())
        self.model.more_wanted.connect(lambda count: self._pages.ask((self._query, count)))
        self.terms = TermsTab()
        # below the list: QGIS's window leaves no room beside it
        splitter = QSplitter(Qt.Orientation.Vertical)
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(self.list)
        splitter.addWidget(self.terms)
        splitter.setStretchFactor(0, 3)
        splitter.setStretchFactor(1, 2)
        hint = QLabel(tr("The service comes with title, credit, scale range and legend filled in."))
        hint.setWordWrap(True)
        self.buttons = QDialogButtonBox()
        row = QHBoxLayout()
        row.addWidget(self.search, 1)
        row.addWidget(self.catalogues)
        layout = QVBoxLayout(self)
        layout.addLayout(row)
        layout.addWidget(splitter, 1)
        layout.addWidget(hint)
        layout.addWidget(self.buttons)
        self.setupButtons(self.buttons)
        self.show_record = self.buttons.addButton(tr("Show catalogue record"), QDialogButtonBox.ButtonRole.ActionRole)
        self.show_record.clicked.connect(lambda _checked=False: self._show())
        speak(self.buttons)
        guide.help_with(self, guide.IN_QGIS, self.buttons)
        self.terms.hide()
        self._enable()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Qt: the store is opened when the page is first seen."""
        super().showEvent(event)
        if self._fresh:
            self._fresh = False
            self.list.say_empty(tr("Reading the records…"))
            self._look()
        self.search.setFocus(Qt.FocusReason.OtherFocusReason)

    def addButtonClicked(self) -> None:  # noqa: N802
        """QGIS: "Add" was pressed."""
        hit = self._hit()
        if hit is not None and hit.endpoint:
            self._desk.add(hit.identifier)

    def refresh(self) -> None:
        """QGIS: look again."""
        if not self._fresh:
            self._look()

    def close_down(self) -> None:
        """Before the page goes: end its thread."""
        self._desk.changed.disconnect(self._look)
        self._pages.stop()

    # -- searching

    def _find(self, question: tuple[Query, int], cancelled: object) -> Page:
        """In a thread."""
        self._desk.records.store()
        return self._desk.records.shelf().page(question, cancelled)  # type: ignore[arg-type]

    def _look(self) -> None:
        if self._fresh:
            return
        self._query = Query(self.search.text())
        self._pages.ask((self._query, 0))

    def _came(self, question: tuple[Query, int], page: Page) -> None:
        query, offset = question
        if query != self._query:
            return
        if offset:
            self.model.add_hits(page.hits, page.more)
            return
        before = self._hit()
        self.model.show_hits(page.hits, page.more)
        row = max(0, self.model.row_of(before.identifier) if before is not None else 0)
        if page.hits:
            self.list.setCurrentIndex(self.model.index(row))
        self.list.say_empty("" if page.hits else tr("No record holds these words.") if query.text.strip() else tr(
            "No records yet. Open files or a catalogue in Cartoguide’s dock."))
        self._chosen()

    def _search_catalogues(self) -> None:
        words = self.search.text()

        def work(dock: object) -> None:
            dock.search.setText(words)  # type: ignore[attr-defined]
            dock.top.catalogues.setChecked(True)  # type: ignore[attr-defined]

        self._desk.in_dock(work)

    def _picture(self, hit: Hit) -> Optional[QImage]:
        """As in the dock: a picture that is not there is asked for once."""
        url = hit.overview
        picture = self._pictures.get(url) if url else None
        if picture is None and url not in self._asked and url.lower().startswith(("http://", "https://")):
            self._asked.add(url)
            self._pictures.load(url, lambda _image: self.model.refresh_pictures(), _ignore, self)
        return picture

    # -- the chosen record

    def _hit(self) -> Optional[Hit]:
        selected = self.list.selected()
        return selected[0] if selected else None

    def _chosen(self) -> None:
        self._enable()
        hit = self._hit()
        if hit is None:
            self.terms.hide()
            return
        identifier = hit.identifier

        def came(sheet: Optional[Sheet]) -> None:
            now = self._hit()
            if sheet is not None and now is not None and now.identifier == identifier:
                self.terms.show_terms(sheet[1])
                self.terms.show()

        self._desk.sheet(identifier, came, self)

    def _enable(self) -> None:
        hit = self._hit()
        self.enableButtons.emit(hit is not None and bool(hit.endpoint))
        self.show_record.setEnabled(hit is not None)

    def _show(self) -> None:
        hit = self._hit()
        if hit is not None:
            self._desk.show(hit.identifier)


def _ignore(_error: object) -> None:
    """A picture that is not there leaves its place empty; the record is no worse for it."""
