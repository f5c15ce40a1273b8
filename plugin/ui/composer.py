"""The custom map at the foot of the dock: what is on it, on which page, with which credits, and out with it."""

from __future__ import annotations

from html import escape
from typing import Optional, Sequence

from qgis.PyQt.QtCore import QSize, Qt, QTimer, pyqtSignal
from qgis.PyQt.QtGui import QKeySequence
from qgis.PyQt.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMenu,
    QProgressBar,
    QScrollArea,
    QShortcut,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ..core.i18n import tr
from .findings_panel import FindingsPanel
from .map_items import RowState
from .map_rows import MapRows
from .offline_row import TAKE, OfflineButton, OfflineRow
from .page_panel import PagePanel
from .recent_maps import recent_maps
from .suggestion_row import SuggestionRows
from .theme import icon, scaled_font

LAYOUT, SAVE, OPEN, NEW, UNDO, REDO = "layout", "save", "open", "new", "undo", "redo"
#: formats as gis.export calls them
PDF, PNG, JPEG, SVG, GEOTIFF, GEOPDF = "pdf", "png", "jpeg", "svg", "geotiff", "geopdf"
SERIES, ATLAS, STAMPED = "series", "atlas", "stamped"


class Composer(QWidget):
    """Collapsible; ``asked`` carries one of this module's words, ``recent_asked`` the file of a map."""

    asked = pyqtSignal(str)
    recent_asked = pyqtSignal(object)
    title_changed = pyqtSignal(str)
    cancel_asked = pyqtSignal()
    opened = pyqtSignal(bool)
    grown = pyqtSignal()

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.rows = MapRows()
        self.offline_row = OfflineRow()
        self.suggestions = SuggestionRows()
        self.page = PagePanel()
        self.title = QLineEdit()
        self.title.setPlaceholderText(tr("Title of the map"))
        self.title.setAccessibleName(tr("Title of the map"))
        self.title.textEdited.connect(self.title_changed)
        self.empty = self._words(tr("Add a service to the map: its layers, credits and page then stand here."))
        self.credits = self._words("")
        self.credits.setAccessibleName(tr("Credits that the map will carry"))
        self.findings = FindingsPanel()
        self.findings.toggled.connect(self._findings_opened)
        page = QWidget()
        inner = QVBoxLayout(page)
        inner.setContentsMargins(6, 2, 6, 2)
        inner.setSpacing(4)
        for widget in (self.title, self.empty, self.rows, self.offline_row, self.suggestions, self.page, self.findings,
                       self.credits):
            inner.addWidget(widget)
        inner.addStretch(1)
        self.scroll = QScrollArea()
        self.scroll.setWidget(page)
        self.scroll.setWidgetResizable(True)
        self.scroll.setFrameShape(QFrame.Shape.NoFrame)
        self.scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.page.summary.toggled.connect(self._page_opened)
        self.foot = self._foot()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._head())
        layout.addWidget(self.scroll, 1)
        layout.addWidget(self.foot)
        self.show_rows([])
        self.show_credits([])
        self.show_busy("")
        self.set_open(False)

    def set_open(self, on: bool) -> None:
        """Unfold or fold the section."""
        self.fold.setChecked(on)
        self._unfold(on)

    @property
    def is_open(self) -> bool:
        """Whether the section is unfolded."""
        return bool(self.fold.isChecked())

    def wanted_height(self) -> int:
        """The height at which everything in the unfolded section is seen."""
        parts = (self.scroll.widget(), self.foot, self.fold)
        return sum(part.sizeHint().height() for part in parts) + 14

    def show_rows(self, states: Sequence[RowState]) -> None:
        """Show the map's services, bottom first."""
        if len(states) > len(self.rows.rows):
            # the focus that left the disabled "Add to map" may have scrolled the section past the new service
            QTimer.singleShot(150, self._show_rows)
        self.rows.show_rows(states)
        self.empty.setVisible(not states)
        self.fold.setText(tr("Custom map ({count})", count=len(states)) if states else tr("Custom map"))
        for widget in (self.title, self.page, self.foot):
            widget.setVisible(bool(states))
        self.grown.emit()

    def show_title(self, title: str) -> None:
        """Show the title unless it is being typed."""
        if not self.title.hasFocus() and self.title.text() != title:
            self.title.setText(title)
            self.title.setCursorPosition(0)

    def show_credits(self, lines: Sequence[str]) -> None:
        """Show the credit lines that the map will carry."""
        self.credits.setVisible(bool(lines))
        heading = escape(tr("The map will carry:"))
        self.credits.setText(f"<b>{heading}</b><br>" + "<br>".join(escape(line) for line in lines))

    def show_history(self, can_undo: bool, can_redo: bool) -> None:
        """Whether there is something to undo, and to redo."""
        self.undo.setEnabled(can_undo)
        self.redo.setEnabled(can_redo)

    def show_busy(self, words: str) -> None:
        """Show that something long is under way, and a way to give it up; empty words end it."""
        self.busy_row.setVisible(bool(words))
        self.busy_words.setText(words)
        self._set_least_height()
        for button in (self.export, self.layout_button):
            button.setEnabled(not words)

    def _head(self) -> QWidget:
        head = QFrame()
        head.setFrameShape(QFrame.Shape.NoFrame)
        self.fold = QToolButton()
        self.fold.setCheckable(True)
        self.fold.setAutoRaise(True)
        self.fold.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.fold.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.fold.setFont(scaled_font(self, 1.0, bold=True))
        self.fold.toggled.connect(self._unfold)
        self.more = QToolButton()
        self.more.setIcon(icon("mActionFileOpen"))
        self.more.setAutoRaise(True)
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more.setToolTip(tr("Open, save or begin a custom map"))
        self.more.setAccessibleName(tr("Open, save or begin a custom map"))
        self.undo = self._step(UNDO, "mActionUndo", tr("Undo"), QKeySequence.StandardKey.Undo)
        self.redo = self._step(REDO, "mActionRedo", tr("Redo"), QKeySequence.StandardKey.Redo)
        menu = QMenu(self.more)
        for what, name, words in ((OPEN, "mActionFileOpen", tr("Open a custom map…")),
                                  (SAVE, "mActionFileSaveAs", tr("Save the custom map…")),
                                  (NEW, "mActionFileNew", tr("Begin a new custom map"))):
            menu.addAction(icon(name), words, lambda what=what: self.asked.emit(what))
        recent = menu.addMenu(icon("mIconFolderOpen"), tr("Recent maps"))
        recent.aboutToShow.connect(lambda: self._fill_recent(recent))
        self.more.setMenu(menu)
        row = QHBoxLayout(head)
        row.setContentsMargins(2, 1, 4, 1)
        row.addWidget(self.fold, 1)
        self.offline = OfflineButton()
        for button in (self.offline, self.undo, self.redo, self.more):
            row.addWidget(button)
        return head

    def _step(self, what: str, name: str, words: str, keys: QKeySequence.StandardKey) -> QToolButton:
        button = QToolButton()
        button.setIcon(icon(name))
        button.setAutoRaise(True)
        button.setToolTip(f"{words} ({QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)})")
        button.setAccessibleName(words)
        button.setEnabled(False)
        button.clicked.connect(lambda _checked=False: self.asked.emit(what))
        shortcut = QShortcut(QKeySequence(keys), self)
        shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        shortcut.activated.connect(lambda: self.asked.emit(what))
        return button

    def _fill_recent(self, menu: QMenu) -> None:
        menu.clear()
        for path in recent_maps():
            menu.addAction(path.name, lambda path=path: self.recent_asked.emit(path)).setToolTip(str(path))
        if menu.isEmpty():
            menu.addAction(tr("None yet")).setEnabled(False)

    def _foot(self) -> QWidget:
        foot = QWidget()
        self.export = QToolButton()
        self.export.setText(tr("Export PDF…"))
        self.export.setIcon(icon("mActionSaveAsPDF"))
        self.export.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.export.setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)
        self.export.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.export.clicked.connect(lambda _checked=False: self.asked.emit(PDF))
        menu = QMenu(self.export)
        for what, name, words in ((PDF, "mActionSaveAsPDF", tr("Export PDF…")),
                                  (PNG, "mActionSaveMapAsImage", tr("Export PNG…")),
                                  (JPEG, "mActionSaveMapAsImage", tr("Export JPEG…")),
                                  (GEOTIFF, "mActionSaveMapAsImage", tr("Export GeoTIFF…")),
                                  (SVG, "mActionSaveAsSVG", tr("Export SVG…")),
                                  (GEOPDF, "mActionSaveAsPDF", tr("Export GeoPDF…")), ("", "", ""),
                                  (SERIES, "mActionSaveAsPDF", tr("Series of scales…")),
                                  (ATLAS, "mIconAtlas", tr("Atlas over a polygon layer…")), ("", "", ""),
                                  (STAMPED, "mIconWarning", tr("Export although incomplete, stamped…")), ("", "", ""),
                                  (TAKE, "mIconCamera", tr("Snapshot for offline use…"))):
            if what:
                menu.addAction(icon(name), words, lambda what=what: self.asked.emit(what))
            else:
                menu.addSeparator()
        self.export.setMenu(menu)
        self.layout_button = QToolButton()
        self.layout_button.setText(tr("Layout"))
        self.layout_button.setIcon(icon("mActionNewLayout"))
        self.layout_button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.layout_button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.layout_button.setToolTip(tr("Open the print layout to look at it and change it"))
        self.layout_button.clicked.connect(lambda _checked=False: self.asked.emit(LAYOUT))
        for button in (self.export, self.layout_button):
            button.setMinimumHeight(button.fontMetrics().height() + 12)
        self.busy_row = QWidget()
        busy = QHBoxLayout(self.busy_row)
        busy.setContentsMargins(0, 0, 0, 0)
        self.busy_words = QLabel()
        self.busy_words.setWordWrap(True)
        bar = QProgressBar()
        bar.setRange(0, 0)
        bar.setTextVisible(False)
        bar.setFixedSize(QSize(60, 8))
        cancel = QToolButton()
        cancel.setText(tr("Cancel"))
        cancel.clicked.connect(self.cancel_asked)
        for widget, stretch in ((self.busy_words, 1), (bar, 0), (cancel, 0)):
            busy.addWidget(widget, stretch)
        buttons = QHBoxLayout()
        buttons.setSpacing(6)
        buttons.addWidget(self.export, 3)
        buttons.addWidget(self.layout_button, 2)
        layout = QVBoxLayout(foot)
        layout.setContentsMargins(6, 2, 6, 6)
        layout.setSpacing(4)
        layout.addWidget(self.busy_row)
        layout.addWidget(self.findings.bar)
        layout.addLayout(buttons)
        return foot

    def _page_opened(self, on: bool) -> None:
        self.grown.emit()
        if on:
            # once the dock has made room for it
            QTimer.singleShot(150, self._show_form)

    def _findings_opened(self, on: bool) -> None:
        self.grown.emit()
        if on:
            QTimer.singleShot(150, self._show_findings)

    def _show_findings(self) -> None:
        self._scroll_to(self.findings)

    def _show_form(self) -> None:
        if self.page.form.isVisible():
            self._scroll_to(self.page)

    def _show_rows(self) -> None:
        self._scroll_to(self.title)

    def _scroll_to(self, widget: QWidget) -> None:
        """Bring the beginning of ``widget`` to the top: what is higher than the section is read from there."""
        self.scroll.verticalScrollBar().setValue(widget.y())

    def _unfold(self, on: bool) -> None:
        self.fold.setArrowType(Qt.ArrowType.DownArrow if on else Qt.ArrowType.RightArrow)
        self.scroll.setVisible(on)
        self.foot.setVisible(on and bool(self.rows.rows))
        self.setMaximumHeight(16777215 if on else self.fold.sizeHint().height() + 6)
        self._set_least_height()
        self.opened.emit(on)

    def _set_least_height(self) -> None:
        """Room for the head, a little of what is below it, and what is under way."""
        rest = self.busy_row.sizeHint().height() if self.busy_row.isVisibleTo(self.foot) else 0
        self.setMinimumHeight(self.fold.sizeHint().height() + 6 + (120 + rest if self.is_open else 0))

    def _words(self, text: str) -> QLabel:
        label = QLabel(text)
        label.setWordWrap(True)
        label.setFont(scaled_font(self, 0.95))
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        return label
