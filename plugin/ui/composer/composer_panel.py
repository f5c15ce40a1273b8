"""Panel of the custom map: services, page, credits, findings and export."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Optional, Sequence

from qgis.PyQt.QtCore import QCoreApplication, QEvent, QObject, QPoint, Qt, QTimer, pyqtSignal
from qgis.PyQt.QtGui import QKeySequence, QShowEvent
from qgis.PyQt.QtWidgets import (
    QFrame,
    QGridLayout,
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
from ...app.maps.map_state import MapRowState, without_wms_prefix
from ...core.custommap.suggestions import Suggestion
from ...core.i18n import tr
from ...core.numbers import format_decimal
from ...core.text import escaped, inert
from ...gis.runtime.main_thread import single_shot
from ..widgets.buttons import ElidedButton, ShrinkingButton, icon_button, text_button
from ..widgets.form_widgets import busy_bar, fill_layout, wrapped_label
from ..widgets.labels import ElidedLabel, PlainLabel
from ..widgets.theme import icon, make_muted, scale_font
from .findings_panel import FindingsPanel
from .fold_section import FoldSection, LimitedArea, ScrolledPage, order_as_laid_out
from .map_rows import MapRows
from .offline import OfflineButton, SnapshotStateRow
from .page_panel import PagePanel
from .page_picture_view import PagePictureView, PageRow, PageTarget, PageTurner

#: the most maps that are listed
_MAX_RECENT = 4
_SUFFIX = ".custommap.json"
#: pixels of the height of the page's picture at least
_SMALLEST_PICTURE = 80
#: lines of credits and rows of layers that are seen at least, unless the person has chosen a height
_CREDIT_LINES, _LAYER_ROWS = 2, 3
#: lines of credits that are seen whole at any rate
_FEW_LINES = 6
#: the rules of the findings by which credits are not complete
_CREDIT_RULES = frozenset(("no-credit", "unfit-credit", "terms-gap", "letters"))
#: as many are not cut where the panel scrolls as a whole at any rate
_USUAL_LINES, _USUAL_ROWS = 10, 5


class SuggestionRows(QWidget):
    """Rows of suggestions, hidden if there are none. ``add_requested`` carries a Suggestion."""

    add_requested = pyqtSignal(object)
    #: there are other rows than before
    rebuilt = pyqtSignal()

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.heading = PlainLabel(tr("Suggested:"))
        self.heading.setToolTip(tr("Services that the record names, or that cover the same area"))
        scale_font(self.heading, 0.95)
        make_muted(self.heading)
        self.buttons: list[QToolButton] = []
        self._shown: tuple[Suggestion, ...] = ()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(4, 0, 2, 0)
        self._grid.setHorizontalSpacing(4)
        self._grid.setVerticalSpacing(0)
        self._grid.setColumnStretch(2, 1)
        self._grid.addWidget(self.heading, 0, 0)
        self._widgets: list[QWidget] = []
        self.hide()

    def show_suggestions(self, suggestions: Sequence[Suggestion]) -> None:
        """Show suggestions, the best first."""
        if tuple(suggestions) != self._shown:
            self._shown = tuple(suggestions)
            for widget in self._widgets:
                self._grid.removeWidget(widget)
                widget.setParent(None)
                widget.deleteLater()
            self._widgets, self.buttons = [], []
            for row, suggestion in enumerate(suggestions):
                self._add(row, suggestion)
            self.rebuilt.emit()
        self.setVisible(bool(suggestions))

    def show_adding(self, on: bool) -> None:
        """Add no other service while one is being added."""
        for widget in self._widgets:
            widget.setEnabled(not on)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Qt: a click on a title is one on its button."""
        if event.type() == QEvent.Type.MouseButtonRelease and isinstance(watched, QWidget) and watched.isEnabled():
            # each button has its title behind it
            self.buttons[self._widgets.index(watched) // 2].click()
        return bool(super().eventFilter(watched, event))

    def _add(self, row: int, suggestion: Suggestion) -> None:
        title = without_wms_prefix(suggestion.candidate.title)
        button = icon_button("mActionAdd", tr("Add “{title}” to the map", title=title),
                             lambda: self.add_requested.emit(suggestion))
        button.setAccessibleDescription(suggestion.reason)
        label = ElidedLabel(title, f"{suggestion.candidate.title}\n{suggestion.reason}")
        label.setCursor(Qt.CursorShape.PointingHandCursor)
        label.installEventFilter(self)
        self._grid.addWidget(button, row, 1)
        self._grid.addWidget(label, row, 2)
        self._widgets += (button, label)
        self.buttons.append(button)


class EmptyMapPanel(QWidget):
    """A text, a button for each way to begin, and one for each recent map.

    ``recent_map_requested`` carries the path of a custom map document.
    """

    find_requested = pyqtSignal()
    open_requested = pyqtSignal()
    own_layer_requested = pyqtSignal()
    credits_requested = pyqtSignal()
    recent_map_requested = pyqtSignal(object)

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.label = wrapped_label(
            tr("Add a service to the map to see its layers, credits and page here."), font_scale=0.95)
        self.find_button = self._button("search", tr("Find a service"), tr("Search the records of services"))
        self.open_button = self._button("mActionFileOpen", tr("Open a custom map…"))
        self.own_layer_button = self._button("mActionAddLayer", tr("Add own layer…"))
        self.credits_button = self._button("credits", tr("Credits of this project…"),
                                    tr("Every layer with its credit and terms, and those without"))
        signals = {self.find_button: self.find_requested, self.open_button: self.open_requested,
                   self.own_layer_button: self.own_layer_requested, self.credits_button: self.credits_requested}
        for button, signal in signals.items():
            button.clicked.connect(lambda _checked=False, signal=signal: signal.emit())
        self.heading = PlainLabel(tr("Recent maps"))
        scale_font(self.heading, 0.95)
        make_muted(self.heading)
        self.recent: list[QToolButton] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 4, 0, 0)
        self._column.setSpacing(2)
        for widget in (self.label, *signals, self.heading):
            self._column.addWidget(widget)
        self.show_recent([])

    def show_recent(self, paths: Sequence[Path]) -> None:
        """List custom maps, the one used last first."""
        for button in self.recent:
            self._column.removeWidget(button)
            button.setParent(None)
            button.deleteLater()
        self.recent = []
        for path in paths[:_MAX_RECENT]:
            name = path.name[:-len(_SUFFIX)] if path.name.endswith(_SUFFIX) else path.name
            button = self._button("cartoguide", name or path.name, str(path))
            button.clicked.connect(lambda _checked=False, path=path: self.recent_map_requested.emit(path))
            self._column.addWidget(button)
            self.recent.append(button)
        self.heading.setVisible(bool(self.recent))

    @staticmethod
    def _button(icon_name: str, text: str, tooltip: str = "") -> ElidedButton:
        button = ElidedButton(text)
        button.setIcon(icon(icon_name))
        button.setToolTip(inert(f"{text}\n{tooltip}" if tooltip else text))
        button.setAccessibleDescription(inert(tooltip))
        return button


class CreditsLine(ElidedButton):
    """The number of credits in one line over the end of a scrolled panel, while the section with them is below it.

    A click should lead to the section, whose heading has the place in the order of the keyboard.
    """

    def __init__(self, area: QScrollArea, section: FoldSection) -> None:
        super().__init__("", area)
        self._area, self._section = area, section
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAutoRaise(False)
        self.hide()
        area.verticalScrollBar().valueChanged.connect(self.follow)

    def describe(self, count: int, are_complete: bool) -> None:
        """Say how many credits there are, and whether these are all that the map has to print."""
        self.show_text(tr("%n credit(s), all will be printed", n=count) if are_complete
                       else tr("%n credit(s), to be completed", n=count))
        self.setIcon(icon("mIconSuccess" if are_complete else "mIconWarning"))
        self.setToolTip(inert(self.text()))

    def follow(self, _value: int = 0) -> None:
        """Be seen exactly while less than the heading and a line of the section are in sight."""
        view, section = self._area.viewport(), self._section
        line = section.heading.height() + (self.fontMetrics().lineSpacing() if section.is_open else 0)
        is_below = section.mapTo(self._area, QPoint(0, line)).y() > view.geometry().bottom() + 1
        self.setVisible(is_below and section.isVisibleTo(self._area) and view.height() > 3 * self.height())
        height = self.sizeHint().height()
        self.setGeometry(view.x(), view.geometry().bottom() + 1 - height, view.width(), height)
        self.raise_()


class ComposerAction(str, Enum):
    """Action on the custom map. The export formats have the values of ``gis.export.layout_export.ExportFormat``."""

    LAYOUT = "layout"
    SAVE = "save"
    SAVE_AS = "save as"
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
    ``find_requested`` is for the search of the records, ``credits_requested`` for the credits of the whole project.
    """

    action_requested = pyqtSignal(object)
    recent_map_requested = pyqtSignal(object)
    find_requested = pyqtSignal()
    credits_requested = pyqtSignal()
    title_changed = pyqtSignal(str)
    cancel_requested = pyqtSignal()
    #: the same for what is being added to the map
    cancel_adding_requested = pyqtSignal()
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
        self.empty = self._create_empty_panel()
        self.credits = wrapped_label("", tr("Credits on this map"), font_scale=0.95, html=True)
        self.findings = FindingsPanel()
        self.findings.toggled.connect(self._on_findings_expanded)
        self.picture = PagePictureView()
        self.picture.part_activated.connect(self.open_part)
        self.picture.layout_requested.connect(lambda: self.action_requested.emit(ComposerAction.LAYOUT))
        self.page_row = PageRow(self.picture, self.page)
        self.page_turner = PageTurner(self.picture)
        page = ScrolledPage()
        inner = QVBoxLayout(page)
        inner.setContentsMargins(6, 0, 6, 0)
        inner.setSpacing(2)
        self.page_section = FoldSection("page", tr("Page"))
        self.layers_section = FoldSection("layers", tr("Layers"))
        self.credits_section = FoldSection("credits", tr("Credits on this map"))
        self.layers_section.add_heading_button(self._create_add_button())
        # the places of the suggestions: below the layers, or below the credits where the panel scrolls as a whole. They
        # are nowhere where that alone would make it scroll
        self.suggestions_row, self.suggestions_below = QWidget(), QWidget()
        for place in (self.suggestions_below, self.suggestions_row):
            place.hide()
            fill_layout(QVBoxLayout(place), self.suggestions)
        self.rows_area, self.credits_area = LimitedArea(self.rows), LimitedArea(self.credits)
        for section, widgets in ((self.page_section, (self.page, self.page_row, self.page_turner)),
                                 (self.layers_section, (self.rows_area, self.offline_row, self.suggestions_row)),
                                 (self.credits_section, (self.credits_area,))):
            for widget in widgets:
                section.add_widget(widget)
        self.page_section.add_heading_button(icon_button(
            "mActionZoomIn", tr("Show the page in a window of its own"), self.picture.window_requested.emit))
        self.page_section.add_grip(self.picture.set_height, self.picture.height, _SMALLEST_PICTURE)
        for section, area in ((self.layers_section, self.rows_area), (self.credits_section, self.credits_area)):
            section.add_grip(area.set_limit, area.height, 2 * self.fontMetrics().height())
        for widget in (self.empty, self.page_section, self.layers_section, self.credits_section, self.suggestions_below,
                       self.findings):
            inner.addWidget(widget)
        inner.addStretch(1)
        self.scroll_area = QScrollArea()
        self.scroll_area.setWidget(page)
        self.scroll_area.setWidgetResizable(True)
        self.scroll_area.setFrameShape(QFrame.Shape.NoFrame)
        self.scroll_area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.scroll_area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.page.summary.toggled.connect(self._on_page_expanded)
        self.credits_line = CreditsLine(self.scroll_area, self.credits_section)
        self.credits_line.clicked.connect(lambda _checked=False: self.open_part(PageTarget.CREDITS))
        self._room_timer = single_shot(self, 0, self._share_height)
        for watched in (page, self.scroll_area):
            watched.installEventFilter(self)
        self.footer = self._create_footer()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._create_header())
        layout.addWidget(self.scroll_area, 1)
        layout.addWidget(self.footer)
        for rows in (self.rows, self.suggestions):
            rows.rebuilt.connect(self._order_layers)
        # a row that is hidden announces no change of what is in it
        self.suggestions.rebuilt.connect(self._room_timer.start)
        self.findings.rebuilt.connect(self._describe_credits)
        self.findings.rebuilt.connect(lambda: order_as_laid_out(self.findings, self.credits_section.grip
                                                                or self.credits_section.heading))
        self._credit_count = 0
        #: what is being done with the map, and what is being added to it
        self._busy_text = self._adding_text = ""
        self.show_rows([])
        self.show_credits([])
        self.show_busy("")

    def show_rows(self, states: Sequence[MapRowState]) -> None:
        """Show the services of the map, given bottom first."""
        if len(states) > len(self.rows.rows):
            # the focus left the disabled "Add to map", which may have scrolled the new service out of view
            QTimer.singleShot(150, self._scroll_to_rows)
        self.rows.show_rows(states)
        if self.empty.isHidden() and not states:
            self._show_recent()
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
        # a long one does not fit into the field
        self.title.setToolTip(inert(title))

    def show_file(self, file: Optional[Path]) -> None:
        """Say on the button to which file the map is saved, if it has one."""
        text = tr("Save to {name}", name=file.name) if file is not None else tr("Save the custom map as a document")
        self.save.setToolTip(inert(text))
        self.save.setAccessibleName(inert(text))

    def show_credits(self, lines: Sequence[str]) -> None:
        self.credits_section.setVisible(bool(lines))
        self.credits_section.set_note(format_decimal(len(lines), 0) if lines else "")
        self._credit_count = len(lines)
        self._describe_credits()
        self.credits.setText("<br>".join(escaped(line) for line in lines))

    def _describe_credits(self) -> None:
        self.credits_line.describe(self._credit_count, not any(finding.rule in _CREDIT_RULES
                                                               for finding in self.findings.findings))

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
        """Show ``text`` and offer to cancel while something long is running. An empty text ends it.

        What is being added to the map is shown again then, if it still is.
        """
        self._busy_text = text
        self._show_busy()
        for button in (self.export, self.layout_button):
            button.setEnabled(not text)

    def show_adding(self, text: str) -> None:
        """Show ``text`` and offer to cancel while something is being added to the map. An empty text ends it.

        Exports can be chosen meanwhile, as they wait for it.
        """
        self._adding_text = text
        self.suggestions.show_adding(bool(text))
        if not self._busy_text:
            self._show_busy()

    def _show_busy(self) -> None:
        """Show what is running. The focus goes from Check to Cancel and back."""
        text = self._busy_text or self._adding_text
        former, shown = self.findings.check, self.cancel_button
        if not text:
            former, shown = shown, former
        had_focus = former.hasFocus()
        self.findings.beside.setCurrentWidget(self.busy_row if text else self.findings.check)
        if had_focus:
            shown.setFocus()
        self.busy_label.show_text(text)
        self.busy_bar.setRange(0, 0)

    def show_drawing(self, on: bool) -> None:
        """Leave progress and Cancel to the dialog of a file that is being drawn, which nothing else can be done beside.
        """
        self.busy_bar.setVisible(not on)
        self.cancel_button.setVisible(not on)

    def show_progress(self, percent: float) -> None:
        """Show how much of it is done, beside the text that ``show_busy`` has shown."""
        self.busy_bar.setRange(0, 100)
        self.busy_bar.setValue(round(percent))

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Qt: list the maps used recently, which may have been removed meanwhile."""
        super().showEvent(event)
        self._show_recent()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Qt: share the height anew after a change of the panel's size or of a section."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self._room_timer.start()
        return bool(super().eventFilter(watched, event))

    def _share_height(self) -> None:
        """Let sections scroll by themselves where they would not fit otherwise, and give the rest to the picture.

        The credits come first, then the layers. What a person unfolds, the form of the page, the legend of a row or the
        issues, takes nothing of them: the picture gives up what it can, then the panel scrolls as a whole.
        """
        page, seen = self.scroll_area.widget().layout(), self.scroll_area.maximumViewportSize()
        width = seen.width() - page.contentsMargins().left() - page.contentsMargins().right()
        issues_area = self.findings.area
        areas = [area for area in (self.rows_area, self.credits_area, issues_area) if area.isVisibleTo(self)]
        room = seen.height() - page.heightForWidth(seen.width()) + sum(
            area.heightForWidth(width) - area.frame_height for area in areas)
        rows, credits, issues = (area.wished_height(width) if area in areas else 0
                                 for area in (self.rows_area, self.credits_area, issues_area))
        legends = min(rows, self.rows.legends_height) if self.rows_area.limit is None else 0
        rows -= legends
        grows = self.page_row.isVisibleTo(self) and not self.picture.has_chosen_height
        picture = self.page_row.least_height(width) if grows else 0
        room += self.page_row.heightForWidth(width) if grows else 0
        # as if the issues were folded
        grip = self.findings.unfolded_height if issues else 0
        room += grip
        needed = 0 if self.suggestions.isHidden() else (
            self.suggestions.sizeHint().height() + self.layers_section.spacing)
        places = self.suggestions_row, self.suggestions_below
        if all(place.isHidden() for place in places):
            room -= needed
        line, row = self.credits.fontMetrics().lineSpacing(), self.rows.row_height
        # pixels that both need at least, and with one line and one row less. A few credits are never cut
        is_few = credits <= _FEW_LINES * line
        least, less = (credits if is_few else min(credits, number * line)
                       for number in (_CREDIT_LINES, _CREDIT_LINES - 1))
        least_rows, less_rows = (min(rows, number * row) for number in (_LAYER_ROWS, _LAYER_ROWS - 1))
        # large type on a low screen: the services that are there, and their credits, come before those to be added
        has_room = room - picture >= least_rows + less and not self.suggestions.isHidden()
        # where the panel scrolls as a whole at any rate, what is usual is not cut in addition
        scrolls = room + needed - picture < less_rows + less
        # a form of two fields that scrolls by itself in a panel that scrolls is no form
        picture = self.page_row.whole_height(width) if grows and scrolls else picture
        is_below = scrolls and not has_room and not self.suggestions.isHidden()
        if [has_room, is_below] != [not place.isHidden() for place in places]:
            if has_room or is_below:
                places[is_below].layout().addWidget(self.suggestions)
                # Qt hides what gets another parent
                self.suggestions.show()
                self._order_layers()
            for place, is_seen in zip(places, (has_room, is_below)):
                place.setVisible(is_seen)
            # the scroll area does not notice by itself that its contents have become lower
            QTimer.singleShot(0, self._update_scroll_area)
        room += 0 if has_room else needed
        left = room - picture
        # large type on a low screen: one line and one row less are better than a panel that scrolls as a whole
        if left < least_rows + least:
            least = less
        if left < least_rows + least:
            least_rows = less_rows
        # whole lines: half of one is hard to read
        credits_room = max(least, (left - rows) // line * line)
        rows_room = max(least_rows, left - least)
        taken = min(rows, rows_room) + min(credits, credits_room)
        if scrolls:
            credits_room = max(credits_room, credits if credits <= _USUAL_LINES * line else 0)
            rows_room = max(rows_room, rows if rows <= _USUAL_ROWS * row else 0)
            taken = min(rows, rows_room) + min(credits, credits_room)
        # what is seen as a whole stays so in the width that a scroll bar of the panel leaves
        self.credits_area.set_room(credits_room if credits > credits_room else None)
        self.rows_area.set_room(rows_room + legends if rows > rows_room else None)
        taken += legends + issues + grip
        self.picture.set_room(max(picture, room - taken))
        # after the sections have their places
        QTimer.singleShot(0, self.credits_line.follow)
        fits = taken + (self.page_row.heightForWidth(width) if grows else 0) <= room
        # Qt keeps a bar that was needed for a moment, as the texts are higher in the width that it leaves
        policies = Qt.ScrollBarPolicy
        self.scroll_area.setVerticalScrollBarPolicy(policies.ScrollBarAlwaysOff if fits else policies.ScrollBarAsNeeded)

    def _order_layers(self) -> None:
        order_as_laid_out(self.layers_section.body, self.add)
        order_as_laid_out(self.suggestions_below, self.credits_section.grip or self.credits_section.heading)

    def _update_scroll_area(self) -> None:
        self.scroll_area.widget().layout().activate()
        QCoreApplication.sendEvent(self.scroll_area, QEvent(QEvent.Type.LayoutRequest))

    def _show_recent(self) -> None:
        # the files are looked for only where the list is seen: they may be on a slow network
        if self.isVisible() and not self.rows.rows:
            self.empty.show_recent(recent_maps())

    def _create_empty_panel(self) -> EmptyMapPanel:
        empty = EmptyMapPanel()
        empty.find_requested.connect(self.find_requested)
        empty.credits_requested.connect(self.credits_requested)
        empty.recent_map_requested.connect(self.recent_map_requested)
        empty.open_requested.connect(lambda: self.action_requested.emit(ComposerAction.OPEN))
        empty.own_layer_requested.connect(lambda: self.action_requested.emit(ComposerAction.ADD_OWN_LAYER))
        return empty

    def _create_add_button(self) -> QToolButton:
        """Return the button of the layers' heading: a click finds a service, its menu has own layers too."""
        self.add = icon_button("mActionAdd", tr("Find a service to add"), self.find_requested.emit)
        self.add.setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)
        menu = QMenu(self.add)
        menu.addAction(icon("search"), tr("Find a service"), self.find_requested.emit)
        menu.addAction(icon("mActionAddLayer"), tr("Add own layer…"),
                       lambda: self.action_requested.emit(ComposerAction.ADD_OWN_LAYER))
        self.add.setMenu(menu)
        return self.add

    def _create_header(self) -> QWidget:
        head = QWidget()
        self.more = icon_button("mActionFileNew", tr("New custom map"),
                                lambda: self.action_requested.emit(ComposerAction.NEW))
        self.more.setToolTip(tr("New custom map. The arrow opens one."))
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)
        self.undo = self._history_button(ComposerAction.UNDO, "mActionUndo", tr("Undo"), QKeySequence.StandardKey.Undo)
        self.redo = self._history_button(ComposerAction.REDO, "mActionRedo", tr("Redo"), QKeySequence.StandardKey.Redo)
        menu = QMenu(self.more)
        menu.setToolTipsVisible(True)
        menu.aboutToShow.connect(lambda: self._fill_open_menu(recent_maps()))
        self.more.setMenu(menu)
        self._fill_open_menu([])
        row = fill_layout(QHBoxLayout(head), self.title, spacing=2, wide=self.title, margins=(6, 4, 4, 2))
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

    def _fill_open_menu(self, recent: Sequence[Path]) -> None:
        menu = self.more.menu()
        menu.clear()
        for action, name, label in ((ComposerAction.NEW, "mActionFileNew", tr("New custom map")),
                                    (ComposerAction.OPEN, "mActionFileOpen", tr("Open a custom map…"))):
            menu.addAction(icon(name), label, lambda action=action: self.action_requested.emit(action))
        if recent:
            menu.addSection(tr("Recent maps"))
        for path in recent:
            entry = menu.addAction(inert(path.name).replace("&", "&&"),
                                   lambda path=path: self.recent_map_requested.emit(path))
            entry.setToolTip(inert(str(path)))

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
                (ComposerAction.SERIES, "mActionSaveAsPDF", tr("Several scales…")),
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
        self.layout_button = ShrinkingButton(tr("Layout"))
        self.layout_button.setIcon(icon("mActionNewLayout"))
        self.layout_button.setAccessibleName(tr("Layout"))
        self.layout_button.setToolTip(
            inert(f"{self.layout_button.text()}\n{tr('Open the print layout to view and edit it')}"))
        self.layout_button.clicked.connect(lambda _checked=False: self.action_requested.emit(ComposerAction.LAYOUT))
        self.save = QToolButton()
        self.save.setIcon(icon("mActionFileSave"))
        self.save.setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)
        self.save.clicked.connect(lambda _checked=False: self.action_requested.emit(ComposerAction.SAVE))
        save_menu = QMenu(self.save)
        save_menu.addAction(icon("mActionFileSave"), tr("Save"),
                            lambda: self.action_requested.emit(ComposerAction.SAVE))
        save_menu.addAction(icon("mActionFileSaveAs"), tr("Save as…"),
                            lambda: self.action_requested.emit(ComposerAction.SAVE_AS))
        self.save.setMenu(save_menu)
        self.show_file(None)
        for button in (self.export, self.layout_button, self.save):
            button.setMinimumHeight(button.fontMetrics().height() + 12)
        self.busy_row = QWidget()
        # one line above the bar: with two, the sections above would move at each step
        self.busy_label = ElidedLabel()
        self.busy_bar = busy_bar(4)
        self.busy_bar.setFixedHeight(4)
        # Qt's own least width would take that of the number of issues in a narrow dock
        self.busy_bar.setMinimumWidth(20)
        self.cancel_button = text_button(tr("Cancel"), lambda: (
            self.cancel_requested if self._busy_text else self.cancel_adding_requested).emit())
        text = fill_layout(QVBoxLayout(), self.busy_label, self.busy_bar, spacing=1)
        fill_layout(QHBoxLayout(self.busy_row), text, self.cancel_button, spacing=4, wide=text)
        # in the place of "Check before printing", which is of no use meanwhile: nothing above moves
        self.findings.beside.addWidget(self.busy_row)
        buttons = QHBoxLayout()
        buttons.setSpacing(6)
        buttons.addWidget(self.export, 3)
        buttons.addWidget(self.layout_button, 2)
        buttons.addWidget(self.save)
        fill_layout(QVBoxLayout(foot), self.findings.status_label, self.findings.header_bar, buttons, spacing=4,
                    margins=(6, 2, 6, 6))
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
            self._scroll_to(self.page_row, self.page_section)

    def _scroll_to_rows(self) -> None:
        self._scroll_to(self.layers_section)

    def _scroll_to(self, widget: QWidget, section: Optional[FoldSection] = None) -> None:
        """Scroll only as far as ``widget``, or its top, is seen. It is in ``section``, or beside the sections."""
        # a busy machine may not have given the sections their heights yet
        self._share_height()
        self._update_scroll_area()
        bar = self.scroll_area.verticalScrollBar()
        # the line of the credits may cover the end of what is seen
        height = self.scroll_area.viewport().height() - self.credits_line.sizeHint().height()
        top = widget.y() + (section.y() + section.body.y() if section is not None else 0)
        bar.setValue(max(min(bar.value(), top), min(top, top + widget.height() - height)))
