"""Panel of the custom map: services, page, credits, findings and export."""

from __future__ import annotations

from enum import Enum
from typing import Optional, Sequence

from qgis.PyQt.QtCore import QSize, Qt, QTimer, pyqtSignal
from qgis.PyQt.QtGui import QKeySequence
from qgis.PyQt.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QScrollArea,
    QShortcut,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ...app.maps.document_controller import recent_maps
from ...app.maps.map_state import MapRowState
from ...core.i18n import tr
from ...core.numbers import format_decimal
from ...core.text import escaped, inert
from ..widgets.buttons import ShrinkingButton
from ..widgets.form_widgets import busy_bar, wrapped_label
from ..widgets.labels import PlainLabel
from ..widgets.theme import icon
from .findings_panel import FindingsPanel
from .fold_section import FoldSection, LimitedArea, ScrolledPage
from .map_rows import MapRows
from .offline_controls import OfflineButton, SnapshotStateRow
from .page_panel import PagePanel
from .page_picture_view import PagePictureView, PageRow, PageTarget
from .suggestion_rows import SuggestionRows

#: pixels of the height of the page's picture at least
_SMALLEST_PICTURE = 80


class ComposerAction(str, Enum):
    """Action on the custom map. The export formats have the values of ``gis.export.layout_export.ExportFormat``."""

    LAYOUT = "layout"
    SAVE = "save"
    OPEN = "open"
    NEW = "new"
    UNDO = "undo"
    REDO = "redo"
    PDF = "pdf"
    PNG = "png"
    JPEG = "jpeg"
    SVG = "svg"
    GEOTIFF = "geotiff"
    GEOPDF = "geopdf"
    SERIES = "series"
    ATLAS = "atlas"
    ANIMATION = "animation"
    STAMPED = "stamped"
    SNAPSHOT = "snapshot"
    ADD_OWN_LAYER = "own layer"


class ComposerPanel(QWidget):
    """The contents of the dock of the custom map. ``action_requested`` carries a ComposerAction.

    ``recent_map_requested`` carries the path of a custom map document, ``count_changed`` the number of services.
    """

    action_requested = pyqtSignal(object)
    recent_map_requested = pyqtSignal(object)
    title_changed = pyqtSignal(str)
    cancel_requested = pyqtSignal()
    #: the menu of exports is about to be shown
    export_menu_opened = pyqtSignal()
    count_changed = pyqtSignal(int)
    legend_requested = pyqtSignal()

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.rows = MapRows()
        self.offline_row = SnapshotStateRow()
        self.suggestions = SuggestionRows()
        self.page = PagePanel()
        self.title = QLineEdit()
        self.title.setPlaceholderText(tr("Title of the map"))
        self.title.setAccessibleName(tr("Title of the map"))
        self.title.textEdited.connect(self.title_changed)
        self.empty = wrapped_label(
            tr("Add a service to the map to see its layers, credits and page here."), font_scale=0.95)
        self.credits = wrapped_label("", tr("Credits on this map"), font_scale=0.95, html=True)
        self.findings = FindingsPanel()
        self.findings.toggled.connect(self._on_findings_expanded)
        self.picture = PagePictureView()
        self.picture.part_activated.connect(self.open_part)
        self.picture.layout_requested.connect(lambda: self.action_requested.emit(ComposerAction.LAYOUT))
        self.page_row = PageRow(self.picture, self.page.choices)
        page = ScrolledPage()
        inner = QVBoxLayout(page)
        inner.setContentsMargins(6, 2, 6, 2)
        inner.setSpacing(4)
        self.page_section = FoldSection("page", tr("Page"))
        self.layers_section = FoldSection("layers", tr("Layers"))
        self.credits_section = FoldSection("credits", tr("Credits on this map"))
        self.rows_area, self.credits_area = LimitedArea(self.rows), LimitedArea(self.credits)
        for section, widgets in ((self.page_section, (self.page_row, self.page)),
                                 (self.layers_section, (self.rows_area, self.offline_row, self.suggestions)),
                                 (self.credits_section, (self.credits_area,))):
            for widget in widgets:
                section.add_widget(widget)
        self.page_section.add_grip(self.picture.set_height, self.picture.height, _SMALLEST_PICTURE)
        for section, area in ((self.layers_section, self.rows_area), (self.credits_section, self.credits_area)):
            section.add_grip(area.set_limit, area.height, 2 * self.fontMetrics().height())
        for widget in (self.empty, self.page_section, self.layers_section, self.credits_section, self.findings):
            inner.addWidget(widget)
        inner.addStretch(1)
        self.scroll_area = QScrollArea()
        self.scroll_area.setWidget(page)
        self.scroll_area.setWidgetResizable(True)
        self.scroll_area.setFrameShape(QFrame.Shape.NoFrame)
        self.scroll_area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.scroll_area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.page.summary.toggled.connect(self._on_page_expanded)
        self.footer = self._create_footer()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._create_header())
        layout.addWidget(self.scroll_area, 1)
        layout.addWidget(self.footer)
        self.show_rows([])
        self.show_credits([])
        self.show_busy("")

    def show_rows(self, states: Sequence[MapRowState]) -> None:
        """Show the services of the map, given bottom first."""
        if len(states) > len(self.rows.rows):
            # the focus left the disabled "Add to map", which may have scrolled the new service out of view
            QTimer.singleShot(150, self._scroll_to_rows)
        self.rows.show_rows(states)
        self.empty.setVisible(not states)
        for widget in (self.title, self.page_section, self.layers_section, self.footer):
            widget.setVisible(bool(states))
        self.layers_section.set_note(format_decimal(len(states), 0) if states else "")
        self.count_changed.emit(len(states))

    def show_title(self, title: str) -> None:
        """Show the title, but leave a field alone that the person has emptied, or ended with a space, to type on."""
        typed = self.title.text()
        is_being_typed = self.title.hasFocus() and self.title.isModified() and typed.strip() in ("", title.strip())
        if typed != title and not is_being_typed:
            self.title.setText(title)
            self.title.setCursorPosition(0)

    def show_credits(self, lines: Sequence[str]) -> None:
        """Show the credit lines of the map."""
        self.credits_section.setVisible(bool(lines))
        self.credits_section.set_note(format_decimal(len(lines), 0) if lines else "")
        self.credits.setText("<br>".join(escaped(line) for line in lines))

    def show_history(self, undo_label: str, redo_label: str) -> None:
        """Name the changes that Undo and Redo would undo and redo. "" disables the button."""
        for button, keys, label, text in (
                (self.undo, QKeySequence.StandardKey.Undo, undo_label,
                 tr("Undo: {change}", change=undo_label) if undo_label else tr("Undo")),
                (self.redo, QKeySequence.StandardKey.Redo, redo_label,
                 tr("Redo: {change}", change=redo_label) if redo_label else tr("Redo"))):
            button.setEnabled(bool(label))
            self._name_history_button(button, text, keys)

    def open_part(self, target: PageTarget) -> None:
        """Show what changes a part of the page, and give it the focus."""
        if target is PageTarget.TITLE:
            self.title.setFocus()
            self.title.selectAll()
        elif target is PageTarget.LEGEND:
            self.legend_requested.emit()
        elif target is PageTarget.CREDITS:
            self.credits_section.open()
            self._scroll_to(self.credits_section)
            self.credits.setFocus()
        else:
            self.page_section.open()
            self.page.summary.setChecked(True)
            self.page.scale.setFocus()

    def show_animation_problem(self, problem: str) -> None:
        """Let the animation be chosen, or say in the menu why the map has none."""
        self.animation.setEnabled(not problem)
        self.animation.setToolTip(inert(problem or self.animation.text()))
        self.animation.setStatusTip(problem)

    def show_busy(self, text: str) -> None:
        """Show ``text`` and offer to cancel while something long is running. An empty text ends it."""
        self.busy_row.setVisible(bool(text))
        self.busy_label.setText(text)
        for button in (self.export, self.layout_button):
            button.setEnabled(not text)

    def _create_header(self) -> QWidget:
        head = QWidget()
        self.more = QToolButton()
        self.more.setIcon(icon("mActionFileOpen"))
        self.more.setAutoRaise(True)
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more.setToolTip(tr("Open, save or create a custom map, or add an own layer"))
        self.more.setAccessibleName(tr("Open, save or create a custom map, or add an own layer"))
        self.undo = self._history_button(ComposerAction.UNDO, "mActionUndo", tr("Undo"), QKeySequence.StandardKey.Undo)
        self.redo = self._history_button(ComposerAction.REDO, "mActionRedo", tr("Redo"), QKeySequence.StandardKey.Redo)
        menu = QMenu(self.more)
        for action, name, label in ((ComposerAction.OPEN, "mActionFileOpen", tr("Open a custom map…")),
                                    (ComposerAction.SAVE, "mActionFileSaveAs", tr("Save the custom map…")),
                                    (ComposerAction.NEW, "mActionFileNew", tr("New custom map"))):
            menu.addAction(icon(name), label, lambda action=action: self.action_requested.emit(action))
        menu.addSeparator()
        menu.addAction(icon("mActionAddLayer"), tr("Add own layer…"),
                       lambda: self.action_requested.emit(ComposerAction.ADD_OWN_LAYER))
        menu.addSeparator()
        recent = menu.addMenu(icon("mIconFolderOpen"), tr("Recent maps"))
        recent.aboutToShow.connect(lambda: self._fill_recent(recent))
        self.more.setMenu(menu)
        row = QHBoxLayout(head)
        row.setContentsMargins(6, 4, 4, 2)
        row.setSpacing(2)
        row.addWidget(self.title, 1)
        row.addStretch(0)
        self.offline = OfflineButton()
        for button in (self.offline, self.undo, self.redo, self.more):
            row.addWidget(button)
        return head

    def _history_button(self, action: ComposerAction, name: str, label: str,
                        keys: QKeySequence.StandardKey) -> QToolButton:
        button = QToolButton()
        button.setIcon(icon(name))
        button.setAutoRaise(True)
        self._name_history_button(button, label, keys)
        button.setEnabled(False)
        button.clicked.connect(lambda _checked=False: self.action_requested.emit(action))
        shortcut = QShortcut(QKeySequence(keys), self)
        shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        shortcut.activated.connect(lambda: self.action_requested.emit(action))
        return button

    @staticmethod
    def _name_history_button(button: QToolButton, text: str, keys: QKeySequence.StandardKey) -> None:
        button.setToolTip(inert(f"{text} ({QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)})"))
        button.setAccessibleName(inert(text))

    def _fill_recent(self, menu: QMenu) -> None:
        menu.clear()
        for path in recent_maps():
            action = menu.addAction(path.name, lambda path=path: self.recent_map_requested.emit(path))
            action.setToolTip(inert(str(path)))
        if menu.isEmpty():
            menu.addAction(tr("None yet")).setEnabled(False)

    def _create_footer(self) -> QWidget:
        foot = QWidget()
        self.export = QToolButton()
        self.export.setText(tr("Export PDF…"))
        self.export.setIcon(icon("mActionSaveAsPDF"))
        self.export.setToolTip(inert(self.export.text()))
        self.export.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.export.setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)
        self.export.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.export.clicked.connect(lambda _checked=False: self.action_requested.emit(ComposerAction.PDF))
        menu = QMenu(self.export)
        for action, name, label in (
                (ComposerAction.PDF, "mActionSaveAsPDF", tr("Export PDF…")),
                (ComposerAction.PNG, "mActionSaveMapAsImage", tr("Export PNG…")),
                (ComposerAction.JPEG, "mActionSaveMapAsImage", tr("Export JPEG…")),
                (ComposerAction.GEOTIFF, "mActionSaveMapAsImage", tr("Export GeoTIFF…")),
                (ComposerAction.SVG, "mActionSaveAsSVG", tr("Export SVG…")),
                (ComposerAction.GEOPDF, "mActionSaveAsPDF", tr("Export GeoPDF…")), (None, "", ""),
                (ComposerAction.SERIES, "mActionSaveAsPDF", tr("Series of scales…")),
                (ComposerAction.ATLAS, "mIconAtlas", tr("Atlas over a polygon layer…")),
                (ComposerAction.ANIMATION, "mActionPlay", tr("Animation (GIF)…")), (None, "", ""),
                (ComposerAction.STAMPED, "mIconWarning", tr("Export incomplete map with a draft stamp…")),
                (None, "", ""), (ComposerAction.SNAPSHOT, "mIconCamera", tr("Snapshot for offline use…"))):
            if action:
                entry = menu.addAction(icon(name), label, lambda action=action: self.action_requested.emit(action))
                if action is ComposerAction.ANIMATION:
                    self.animation = entry
            else:
                menu.addSeparator()
        menu.setToolTipsVisible(True)
        menu.aboutToShow.connect(self.export_menu_opened)
        self.export.setMenu(menu)
        # in a narrow dock its icon is enough, so that Export can be read
        self.layout_button = ShrinkingButton()
        self.layout_button.setText(tr("Layout"))
        self.layout_button.setIcon(icon("mActionNewLayout"))
        self.layout_button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.layout_button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.layout_button.setMinimumWidth(self.layout_button.iconSize().width() + 12)
        self.layout_button.setAccessibleName(tr("Layout"))
        self.layout_button.setToolTip(
            inert(f"{self.layout_button.text()}\n{tr('Open the print layout to view and edit it')}"))
        self.layout_button.clicked.connect(lambda _checked=False: self.action_requested.emit(ComposerAction.LAYOUT))
        self.save = QToolButton()
        self.save.setIcon(icon("mActionFileSave"))
        self.save.setToolTip(tr("Save the custom map as a document"))
        self.save.setAccessibleName(tr("Save the custom map as a document"))
        self.save.clicked.connect(lambda _checked=False: self.action_requested.emit(ComposerAction.SAVE))
        for button in (self.export, self.layout_button, self.save):
            button.setMinimumHeight(button.fontMetrics().height() + 12)
        self.busy_row = QWidget()
        busy = QHBoxLayout(self.busy_row)
        busy.setContentsMargins(0, 0, 0, 0)
        self.busy_label = PlainLabel()
        self.busy_label.setWordWrap(True)
        bar = busy_bar()
        bar.setFixedSize(QSize(60, 8))
        cancel = QToolButton()
        cancel.setText(tr("Cancel"))
        cancel.clicked.connect(self.cancel_requested)
        for widget, stretch in ((self.busy_label, 1), (bar, 0), (cancel, 0)):
            busy.addWidget(widget, stretch)
        buttons = QHBoxLayout()
        buttons.setSpacing(6)
        buttons.addWidget(self.export, 3)
        buttons.addWidget(self.layout_button, 2)
        buttons.addWidget(self.save)
        layout = QVBoxLayout(foot)
        layout.setContentsMargins(6, 2, 6, 6)
        layout.setSpacing(4)
        layout.addWidget(self.busy_row)
        layout.addWidget(self.findings.header_bar)
        layout.addLayout(buttons)
        return foot

    def _on_page_expanded(self, on: bool) -> None:
        if on:
            # after the form has its height
            QTimer.singleShot(150, self._scroll_to_page)

    def _on_findings_expanded(self, on: bool) -> None:
        if on:
            QTimer.singleShot(150, self._scroll_to_findings)

    def _scroll_to_findings(self) -> None:
        self._scroll_to(self.findings)

    def _scroll_to_page(self) -> None:
        if self.page.form.isVisible():
            self._scroll_to(self.page, self.page_section)

    def _scroll_to_rows(self) -> None:
        self._scroll_to(self.layers_section)

    def _scroll_to(self, widget: QWidget, section: Optional[FoldSection] = None) -> None:
        """Scroll only as far as ``widget``, or its top, is seen. It is in ``section``, or beside the sections."""
        bar, height = self.scroll_area.verticalScrollBar(), self.scroll_area.viewport().height()
        top = widget.y() + (section.y() + section.body.y() if section is not None else 0)
        bar.setValue(max(min(bar.value(), top), min(top, top + widget.height() - height)))
