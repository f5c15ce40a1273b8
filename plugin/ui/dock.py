"""The dock: search, list, the chosen record, and the custom map below it."""

from __future__ import annotations

from typing import Callable, Optional

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

from ..core.i18n import tr
from ..core.records.model import Record
from . import dock_state, guide
from .catalogue_panel import CataloguePanel
from .catalogue_search import CatalogueSearch
from .catalogues import Catalogues
from .check_actions import CheckActions
from .collection_actions import CollectionActions
from .compare_actions import CompareActions
from .composer import Composer
from .composer_actions import ComposerActions
from .facet_row import FacetRow
from .harvest_rows import HarvestRows
from .harvests import Harvests
from .import_rows import ImportRows
from .list_menu import ListMenu
from .messages import Messages, Note
from .origin_bar import OriginBar
from .record_actions import RecordActions
from .record_list import RecordListView
from .record_model import MIME_RECORD, RecordModel
from .record_view import RecordView
from .results import Results
from .session import Session
from .top_row import ADDRESS, CATALOGUE, CATALOGUES, FILES, FOLDER, GUIDE, HEALTH, PASTE, REFRESH, SETTINGS, TopRow
from .watch_actions import WatchActions
from .welcome import FIRST_MAP, Welcome

#: pixels that the list and the chosen record keep beside an unfolded custom map
_LEFT_FOR_RECORDS = 270


class CartoguideDock(QDockWidget):
    """Everything that a person sees of the plugin; it shows what ``session`` holds and does nothing by itself."""

    def __init__(self, iface: Optional[object] = None, parent: Optional[QWidget] = None,
                 session: Optional[Session] = None) -> None:
        super().__init__(tr("Cartoguide"), parent)
        self.setObjectName("CartoguideDock")
        self.setAcceptDrops(True)
        self.iface = iface
        self._closed = False
        self.note = Note()
        self.messages = Messages(iface.messageBar() if iface is not None else None, self.note)  # type: ignore[attr-defined]
        self.session = session or Session(self)
        self.model = RecordModel(self.session.facts, self.session.thumbnail, self)
        self.list = RecordListView()
        self.list.setModel(self.model)
        self.view = RecordView(lambda data: self.record_actions.save_xml(data))
        self.composer = Composer()
        self.top = TopRow()
        self.search = self.top.search
        self.welcome = Welcome()
        self.facets = FacetRow()
        self.panel = CataloguePanel()
        self.harvest_rows = HarvestRows()
        self.origin = OriginBar()
        self.view.put_above(self.origin)
        self.results = Results(self, iface.mapCanvas() if hasattr(iface, "mapCanvas") else None)  # type: ignore[union-attr]
        self.record_actions = RecordActions(self)
        self.composer_actions = ComposerActions(self)
        self.collections = CollectionActions(self)
        self.checking = CheckActions(self)
        self.comparing = CompareActions(self)
        self.list_menu = ListMenu(self)
        self.catalogues = Catalogues(self)
        self.watching = WatchActions(self)
        self.catalogue_search = CatalogueSearch(self)
        self.harvests = Harvests(self)
        self.imports = ImportRows(self)
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
        layout.addWidget(self.top)
        layout.addWidget(self.welcome)
        layout.addWidget(self.facets)
        layout.addWidget(self.panel)
        layout.addWidget(self.harvest_rows)
        layout.addWidget(self._busy_row())
        layout.addWidget(self.note)
        layout.addWidget(self.splitter, 1)
        self.setWidget(body)
        body.setMinimumWidth(250)
        facets = self.facets
        order = (self.search, self.top.catalogues, self.top.add, self.top.settings, facets.view, facets.extents,
                 facets.more, facets.order, facets.collections, self.list, self.origin.keep, self.view.tabs)
        for first, second in zip(order, order[1:]):
            QWidget.setTabOrder(first, second)
        self.search.installEventFilter(self)

    def _busy_row(self) -> QWidget:
        self.busy = QWidget()
        self.busy_words = QLabel()
        self.busy_words.setWordWrap(True)
        bar = QProgressBar()
        bar.setRange(0, 0)
        bar.setTextVisible(False)
        bar.setMaximumSize(80, 8)
        cancel = QPushButton(tr("Cancel"))
        cancel.clicked.connect(self.session.cancel_opening)
        row = QHBoxLayout(self.busy)
        row.setContentsMargins(2, 0, 2, 0)
        row.addWidget(self.busy_words, 1)
        row.addWidget(bar)
        row.addWidget(cancel)
        self.busy.hide()
        return self.busy

    def _connect(self) -> None:
        self.list.opened.connect(self._focus_record)
        self.list.doubleClicked.connect(lambda _index: self._focus_record())
        self.list.left_upwards.connect(self.focus_search)
        self.list.pasted.connect(self.record_actions.paste)
        self.list.empty.linkActivated.connect(self._empty_link)
        self.composer.opened.connect(self._composer_opened)
        self._grow = QTimer(self)
        self._grow.setSingleShot(True)
        self._grow.setInterval(50)
        self._grow.timeout.connect(self._composer_grown)
        self.composer.grown.connect(self._grow.start)
        run = {FILES: self.record_actions.open_files, FOLDER: self.record_actions.open_folder,
               ADDRESS: self.record_actions.open_address, PASTE: self.record_actions.paste,
               CATALOGUE: self.catalogues.add, CATALOGUES: self.catalogues.manage,
               REFRESH: self.record_actions.refresh, SETTINGS: self.record_actions.open_settings,
               HEALTH: self.record_actions.open_health, GUIDE: guide.show}
        self.top.asked.connect(lambda what: run[what]())
        self.welcome.asked.connect(lambda what: guide.show(FIRST_MAP) if what == FIRST_MAP else run[what]())
        session = self.session
        session.busy_changed.connect(self._show_busy)
        session.thumbnail_came.connect(self._thumbnail_came)
        session.terms_changed.connect(self._terms_changed)
        session.failed.connect(self.messages.error)
        session.told.connect(self.messages.news)
        session.warned.connect(self.messages.warning)
        self._shortcut(QKeySequence(QKeySequence.StandardKey.Find), self._find)
        self._shortcut(QKeySequence("/"), self.focus_search)
        guide.help_with(self, self._help_topic)

    def _shortcut(self, keys: QKeySequence, run: Callable[[], None]) -> None:
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
        if self.panel.isAncestorOf(focused):
            return guide.CATALOGUES
        shown = self.view.tabs.currentWidget()
        if shown is None or not self.view.isAncestorOf(focused):
            return guide.RECORDS
        return {self.view.terms: guide.TERMS, self.view.service: guide.SERVICES,
                self.view.metadata: guide.FIELDS}.get(shown, guide.RECORDS)

    # -- the list

    def show_results(self) -> None:
        """Look for what is asked; the results come as soon as they are found."""
        self.results.show()

    def _empty_link(self, link: str) -> None:
        if link == "#clear":
            self.results.clear()
            self.focus_search()
        elif link == "#remote":
            self.top.catalogues.setChecked(True)
        else:
            self.record_actions.open_files()

    def show_record(self, record: Record) -> None:
        """Show ``record`` in the tabs."""
        self.view.show_record(record, self.session.terms(record), self.session.endpoint(record))
        self.record_actions.record_shown(record)

    def choose(self, record_id: str) -> None:
        """Choose the record called ``record_id`` in the list; a search that hides it is cleared."""
        self.results.choose(record_id)

    def _thumbnail_came(self, url: str) -> None:
        self.model.refresh_pictures()
        picture = self.session.picture(url)
        if picture is not None:
            self.view.show_thumbnail(url, picture)

    def _terms_changed(self, record: Record) -> None:
        self.model.refresh_pictures()
        if self.view.record is record:
            self.view.show_terms(self.session.terms(record))

    def _show_busy(self, words: str) -> None:
        self.busy.setVisible(bool(words))
        self.busy_words.setText(words)
        self.results.say_empty()

    # -- keyboard

    def focus_search(self) -> None:
        """Put the cursor in the search box."""
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def _find(self) -> None:
        if self.view.xml.isAncestorOf(QApplication.focusWidget() or self):
            self.view.xml.start_find()
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
                self.show_results()
                self.catalogue_search.remote.hasten()
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
        self.record_actions.open_dropped(paths, addresses)

    # -- state

    def _composer_opened(self, on: bool) -> None:
        """Give the unfolded section its room, and take it back when it is folded."""
        sizes = self.splitter.sizes()
        if len(sizes) == 3 and sum(sizes):
            self._share(sizes, self._wanted_height(sizes) if on else self.composer.maximumHeight())

    def _composer_grown(self) -> None:
        """Something came to the unfolded section: make it higher if need be, never lower."""
        sizes = self.splitter.sizes()
        if self.composer.is_open and len(sizes) == 3 and self._wanted_height(sizes) > sizes[2]:
            self._share(sizes, self._wanted_height(sizes))

    def _wanted_height(self, sizes: list[int]) -> int:
        return max(min(self.composer.wanted_height(), sum(sizes) - _LEFT_FOR_RECORDS), 160)

    def _share(self, sizes: list[int], wanted: int) -> None:
        rest, above = sum(sizes) - wanted, max(1, sizes[0] + sizes[1])
        self.splitter.setSizes([rest * sizes[0] // above, rest * sizes[1] // above, wanted])

    def _restore(self) -> None:
        dock_state.restore(self)
        # it may have been kept while the custom map was unfolded
        sizes = self.splitter.sizes()
        self._share(sizes, min(sizes[2], self.composer.maximumHeight()))

    def save_state(self) -> None:
        """Keep what is chosen and how it is shown for the next time."""
        dock_state.save(self)

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
        self.composer_actions.close()
        self.watching.close()
        self.catalogue_search.close()
        self.harvests.close()
        self.session.close()
