"""Rows of the services and own layers on the custom map, the topmost first: visibility, title, opacity, menu."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Optional, Sequence

from qgis.PyQt.QtCore import QMimeData, QPoint, Qt, pyqtSignal
from qgis.PyQt.QtGui import (
    QContextMenuEvent,
    QDrag,
    QDragEnterEvent,
    QDropEvent,
    QKeyEvent,
    QMouseEvent,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from qgis.PyQt.QtWidgets import (
    QApplication,
    QCheckBox,
    QFrame,
    QHBoxLayout,
    QMenu,
    QSlider,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ...app.maps.map_state import MapRowState
from ...app.maps.unavailable_services import remedy_label
from ...app.page.legend_controller import RowLegend
from ...core.custommap.model import BlendMode, MapRole
from ...core.i18n import tr
from ...core.text import inert
from ...gis.runtime.compat import event_position
from ..legend import RowLegendView
from ..widgets.form_widgets import fill_layout, wheel_needs_focus
from ..widgets.labels import ElidedLabel, LimitedLabel, PlainLabel
from ..widgets.theme import ThemeColours, icon, make_muted, painting, scale_font

MIME_ROW = "application/x-cartoguide-map-row"

#: pixels of the height of the handle of a slider
_SLIDER_HEIGHT = 16
#: pixels of a problem from the left, below the arrow
_INDENT = 20
#: letters of a row's second line that are seen at least, and pixels of the width of arrow, check box, menu and gaps
_STATUS_LETTERS, _BUTTONS_WIDTH = 20, 84


def _blend_name(mode: BlendMode) -> str:
    return {
        BlendMode.NORMAL: tr("Normal"), BlendMode.LIGHTEN: tr("Lighten"), BlendMode.SCREEN: tr("Screen"),
        BlendMode.DODGE: tr("Dodge"), BlendMode.ADDITION: tr("Addition"), BlendMode.DARKEN: tr("Darken"),
        BlendMode.MULTIPLY: tr("Multiply"), BlendMode.BURN: tr("Burn"), BlendMode.OVERLAY: tr("Overlay mode"),
        BlendMode.SOFT_LIGHT: tr("Soft light"), BlendMode.HARD_LIGHT: tr("Hard light"),
        BlendMode.DIFFERENCE: tr("Difference"), BlendMode.SUBTRACT: tr("Subtract"),
    }[mode]


class MapRow(QFrame):
    """Row of one service or own layer: dragged by its title, moved by Alt+Up and Alt+Down, removed by Delete."""

    opacity_changed = pyqtSignal(float)
    blend_requested = pyqtSignal(object)
    visible_changed = pyqtSignal(bool)
    remove_requested = pyqtSignal()
    move_requested = pyqtSignal(int)
    role_requested = pyqtSignal(object)
    layers_requested = pyqtSignal()
    time_requested = pyqtSignal()
    remedy_requested = pyqtSignal(object)
    credit_requested = pyqtSignal()
    locate_requested = pyqtSignal()
    legend_toggled = pyqtSignal(bool)
    legend_edit_requested = pyqtSignal()
    record_requested = pyqtSignal()

    def __init__(self, number: int, state: MapRowState, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.number = number
        self.state = state
        self._drag_start: Optional[QPoint] = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.OpenHandCursor)
        self.setToolTip(tr("Drag to reorder, or use Alt+Up and Alt+Down; Delete removes it from the map"))
        self.visibility_check_box = QCheckBox()
        self.visibility_check_box.setChecked(state.visible)
        self.visibility_check_box.setToolTip(tr("Show on the map and print it"))
        self.visibility_check_box.setAccessibleName(tr("Show {title}", title=state.title))
        self.visibility_check_box.toggled.connect(self._on_visible_toggled)
        title = ElidedLabel(state.title, state.tip)
        self._title_line = fill_layout(QHBoxLayout(), title, spacing=4, wide=title)
        self._status = LimitedLabel(max_lines=1)
        scale_font(self._status, 0.9)
        self.slider = wheel_needs_focus(QSlider(Qt.Orientation.Horizontal))
        self.slider.setRange(0, 100)
        self.slider.setValue(round(state.opacity * 100))
        # no higher than the text beside it
        self.slider.setFixedSize(56, max(_SLIDER_HEIGHT, self._status.fontMetrics().lineSpacing()))
        self.slider.setPageStep(10)
        self.slider.setAccessibleName(tr("Opacity of {title}", title=state.title))
        self.percent = PlainLabel()
        scale_font(self.percent, 0.9)
        self.percent.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.percent.setMinimumWidth(self.fontMetrics().horizontalAdvance("100\u202f%") + 6)
        self.slider.valueChanged.connect(self._on_slider_moved)
        self._show_percent(self.slider.value())
        self.legend_button = QToolButton()
        self.legend_button.setCheckable(True)
        self.legend_button.setAutoRaise(True)
        self.legend_button.setArrowType(Qt.ArrowType.RightArrow)
        self.legend_button.setFixedWidth(14)
        self.legend_button.setToolTip(tr("Show the legend"))
        self.legend_button.setAccessibleName(tr("Legend of {title}", title=state.title))
        self.legend_button.toggled.connect(self._on_legend_toggled)
        self.legend = RowLegendView()
        self.legend.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        layout = QHBoxLayout()
        column.addLayout(layout)
        self._below = QHBoxLayout()
        column.addLayout(self._below)
        column.addWidget(self.legend)
        layout.setContentsMargins(2, 3, 2, 3)
        layout.setSpacing(4)
        layout.addWidget(self.legend_button)
        layout.addWidget(self.visibility_check_box)
        self._status_line = fill_layout(QHBoxLayout(), self._status, spacing=4, wide=self._status)
        texts = fill_layout(QVBoxLayout(), self._title_line, self._status_line, spacing=0)
        layout.addLayout(texts, 1)
        self.remedy_button: Optional[QToolButton] = None
        self.show_status(state)
        self.menu_button = self._menu_button()
        layout.addWidget(self.menu_button)

    def show_status(self, state: MapRowState) -> None:
        """Show how far the row's layer is, and what can be done about it. The rest of ``state`` is that of the row."""
        self.state = state
        is_persons = state.is_own and not state.is_served
        role = tr("own layer") if is_persons else tr("base") if state.role is MapRole.BASE else tr("overlay")
        self.setAccessibleName(f"{state.title}, {role}, {state.problem or state.detail}")
        # a problem has the width of the row, and not what the buttons leave
        if state.problem:
            self._below.addWidget(self._status)
        else:
            self._status_line.insertWidget(0, self._status, 1)
        for widget in (self.slider, self.percent):
            (self._title_line if state.problem else self._status_line).addWidget(widget)
        self._below.setContentsMargins(*(_INDENT, 0, 4, 3) if state.problem else (0, 0, 0, 0))
        self._status.max_lines = 4 if state.problem else 1
        # what is cut in large type is the word that says least, but for the credit of an own layer, which is below too
        parts = (role, state.detail) if state.is_own and not state.problem else (
            f"⚠ {state.problem}" if state.problem else state.detail, role)
        # the role, which the order of the rows tells too, is left out rather than cut
        self._status.show_text(" · ".join(filter(None, parts)), "" if state.is_own else state.detail)
        self._show_fitting_percent()
        self._status.setGraphicsEffect(None)
        if not state.problem:
            make_muted(self._status)
        if self.remedy_button is not None:
            self._title_line.removeWidget(self.remedy_button)
            self.remedy_button.hide()
            self.remedy_button.deleteLater()
            self.remedy_button = None
        if state.remedies:
            self.remedy_button = self._create_remedy_button()
            self._title_line.insertWidget(1, self.remedy_button)

    def _create_remedy_button(self) -> QToolButton:
        """Return the button with what can be done about a service that does not respond."""
        button = QToolButton()
        button.setIcon(icon("mIconWarning"))
        button.setAutoRaise(True)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setToolTip(inert(self.state.problem))
        button.setAccessibleName(f"{self.state.title}: {self.state.problem}")
        menu = QMenu(button)
        for remedy in self.state.remedies:
            menu.addAction(remedy_label(remedy), lambda remedy=remedy: self.remedy_requested.emit(remedy))
        button.setMenu(menu)
        return button

    def _menu_button(self) -> QToolButton:
        button = QToolButton()
        button.setText("⋮")
        button.setAutoRaise(True)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setStyleSheet("QToolButton::menu-indicator { image: none; }")
        button.setToolTip(tr("More for this layer") if self.state.is_own else tr("More for this service"))
        button.setAccessibleName(tr("More for {title}", title=self.state.title))
        menu = QMenu(button)
        if self.state.is_own:
            menu.addAction(icon("mActionEditTable"), tr("Credit…"), self.credit_requested.emit)
            if not self.state.is_served:
                menu.addAction(icon("mActionFileOpen"), tr("Locate its file…"), self.locate_requested.emit)
        else:
            menu.addAction(icon("propertyicons/symbology"), tr("Layers and styles…"), self.layers_requested.emit)
        if self.state.has_record:
            menu.addAction(icon("search"), tr("Show its record"), self.record_requested.emit)
        if self.state.is_series:
            menu.addAction(icon("propertyicons/temporal"), tr("Time shown…"), self.time_requested.emit)
        menu.addAction(icon("mActionAddLegend"), tr("Edit the legend…"), self.legend_edit_requested.emit)
        self._add_blend_menu(menu)
        menu.addSeparator()
        if self.state.role is MapRole.BASE:
            menu.addAction(tr("Use as overlay"), lambda: self.role_requested.emit(MapRole.OVERLAY))
        else:
            if not self.state.is_own:
                menu.addAction(tr("Use as base map"), lambda: self.role_requested.emit(MapRole.BASE))
            menu.addAction(icon("mActionArrowUp"), tr("Move up"), lambda: self.move_requested.emit(-1))
            menu.addAction(icon("mActionArrowDown"), tr("Move down"), lambda: self.move_requested.emit(1))
        menu.addSeparator()
        menu.addAction(icon("mActionRemove"), tr("Remove from the map"), self.remove_requested.emit)
        button.setMenu(menu)
        return button

    def _add_blend_menu(self, menu: QMenu) -> None:
        """Add the choice of how the row's colours are mixed with what lies below, by QGIS's names."""
        modes = menu.addMenu(tr("Blending mode"))
        for mode in BlendMode:
            action = modes.addAction(_blend_name(mode), lambda mode=mode: self.blend_requested.emit(mode))
            action.setCheckable(True)
            action.setChecked(mode is self.state.blend)
            if mode is BlendMode.NORMAL:
                modes.addSeparator()

    def _on_visible_toggled(self, on: bool) -> None:
        self.state = replace(self.state, visible=on)
        self.visible_changed.emit(on)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Qt: leave the opacity's number out where the text beside it would be a few letters. The tooltip has it."""
        super().resizeEvent(event)
        self._show_fitting_percent()

    def _show_fitting_percent(self) -> None:
        metrics = self._status.fontMetrics()
        status = min(metrics.horizontalAdvance(self._status.text()), _STATUS_LETTERS * metrics.averageCharWidth())
        self.percent.setVisible(bool(self.state.problem) or self.width() >= _BUTTONS_WIDTH + self.slider.width()
                                + self.percent.minimumWidth() + status)

    @property
    def legend_height(self) -> int:
        """Pixels of the height of the row's legend, 0 while it is not open."""
        return 0 if self.legend.isHidden() else int(self.legend.sizeHint().height())

    def _on_legend_toggled(self, on: bool) -> None:
        self.legend_button.setArrowType(Qt.ArrowType.DownArrow if on else Qt.ArrowType.RightArrow)
        self.legend_button.setToolTip(tr("Hide the legend") if on else tr("Show the legend"))
        self.legend.setVisible(on)
        self.legend_toggled.emit(on)

    def _on_slider_moved(self, value: int) -> None:
        # the row shows this already: it must not be made anew while the slider is dragged
        self.state = replace(self.state, opacity=value / 100)
        self._show_percent(value)
        self.opacity_changed.emit(value / 100)

    def _show_percent(self, value: int) -> None:
        text = f"{value}\u202f%"
        self.percent.setText(text)
        self.slider.setToolTip(inert(f"{tr('Opacity')} · {text}"))

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Qt: remove the service by Delete, move it by Alt+Up and Alt+Down."""
        if event.key() == Qt.Key.Key_Delete:
            self.remove_requested.emit()
        elif event.modifiers() & Qt.KeyboardModifier.AltModifier and event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.move_requested.emit(-1 if event.key() == Qt.Key.Key_Up else 1)
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802
        """Qt: open the row's menu."""
        self.menu_button.menu().popup(event.globalPos())

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Qt: prepare a drag."""
        self._drag_start = event_position(event) if event.button() == Qt.MouseButton.LeftButton else None
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        if self._drag_start is None or self.state.role is MapRole.BASE:
            return
        if (event_position(event) - self._drag_start).manhattanLength() < QApplication.startDragDistance():
            return
        self._drag_start = None
        drag = QDrag(self)
        data = QMimeData()
        data.setData(MIME_ROW, str(self.number).encode())
        drag.setMimeData(data)
        drag.setPixmap(self.grab())
        drag.exec(Qt.DropAction.MoveAction)


def _without_status(state: MapRowState) -> MapRowState:
    """Return what a row shows besides the state of its layer."""
    return replace(state, detail="", problem="", remedies=())


class MapRows(QWidget):
    """All rows. The numbers in its signals are indexes of the map, where 0 is the bottom."""

    opacity_changed = pyqtSignal(int, float)
    blend_requested = pyqtSignal(int, object)
    visible_changed = pyqtSignal(int, bool)
    remove_requested = pyqtSignal(int)
    move_requested = pyqtSignal(int, int)
    role_requested = pyqtSignal(int, object)
    layers_requested = pyqtSignal(int)
    time_requested = pyqtSignal(int)
    remedy_requested = pyqtSignal(int, object)
    credit_requested = pyqtSignal(int)
    locate_requested = pyqtSignal(int)
    #: the legend of a row was opened, or its row was made anew while it is open
    legend_requested = pyqtSignal(int)
    legend_edit_requested = pyqtSignal(int)
    record_requested = pyqtSignal(int)
    #: there are other rows than before
    rebuilt = pyqtSignal()

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.setAcceptDrops(True)
        self.rows: list[MapRow] = []
        self._open_legends: set[str] = set()
        self._drop_gap: Optional[int] = None
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(0)

    def show_rows(self, states: Sequence[MapRowState]) -> None:
        """Show ``states``, given bottom first. The focus stays on its row."""
        if [row.state for row in reversed(self.rows)] == list(states):
            return
        if [_without_status(row.state) for row in reversed(self.rows)] == list(map(_without_status, states)):
            # the state of a service changes often: its menus stay open, and the others' rows as they are
            for row, state in zip(reversed(self.rows), states):
                if row.state != state:
                    row.show_status(state)
            return
        focused = next((row.state.title for row in self.rows if row.hasFocus()), None)
        for row in self.rows:
            self._layout.removeWidget(row)
            row.setParent(None)
            row.deleteLater()
        self.rows = []
        for number in reversed(range(len(states))):
            row = MapRow(number, states[number], self)
            row.opacity_changed.connect(lambda value, n=number: self.opacity_changed.emit(n, value))
            row.blend_requested.connect(lambda mode, n=number: self.blend_requested.emit(n, mode))
            row.visible_changed.connect(lambda on, n=number: self.visible_changed.emit(n, on))
            row.remove_requested.connect(lambda n=number: self.remove_requested.emit(n))
            row.move_requested.connect(lambda step, n=number: self.move_requested.emit(n, n - step))
            row.role_requested.connect(lambda role, n=number: self.role_requested.emit(n, role))
            row.layers_requested.connect(lambda n=number: self.layers_requested.emit(n))
            row.time_requested.connect(lambda n=number: self.time_requested.emit(n))
            row.remedy_requested.connect(lambda remedy, n=number: self.remedy_requested.emit(n, remedy))
            row.credit_requested.connect(lambda n=number: self.credit_requested.emit(n))
            row.locate_requested.connect(lambda n=number: self.locate_requested.emit(n))
            row.legend_edit_requested.connect(lambda n=number: self.legend_edit_requested.emit(n))
            row.record_requested.connect(lambda n=number: self.record_requested.emit(n))
            row.legend_toggled.connect(partial(self._on_legend_toggled, number, row.state.title))
            self._layout.addWidget(row)
            self.rows.append(row)
            if row.state.title == focused:
                row.setFocus()
        for row in self.rows:
            row.legend_button.setChecked(row.state.title in self._open_legends)
        self.rebuilt.emit()

    @property
    def legends_height(self) -> int:
        """Pixels of the height of the legends that are open."""
        return sum(row.legend_height for row in self.rows)

    @property
    def row_height(self) -> int:
        """Pixels of the height of the topmost row without its legend, 0 without a row."""
        return self.rows[0].sizeHint().height() - self.rows[0].legend_height if self.rows else 0

    def show_legend(self, number: int, legend: RowLegend) -> None:
        """Show the legend of a row, if it is open."""
        for row in self.rows:
            if row.number == number and row.legend_button.isChecked():
                row.legend.show_legend(legend)

    def _on_legend_toggled(self, number: int, title: str, on: bool) -> None:
        (self._open_legends.add if on else self._open_legends.discard)(title)
        if on:
            self.legend_requested.emit(number)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802
        """Qt: accept only rows of this list."""
        if event.mimeData().hasFormat(MIME_ROW):
            event.acceptProposedAction()

    def dragMoveEvent(self, event: QDropEvent) -> None:  # noqa: N802
        """Qt: show the gap into which the row would be dropped."""
        self._drop_gap = self._gap_at(event_position(event))
        self.update()
        event.acceptProposedAction()

    def dragLeaveEvent(self, event: object) -> None:  # noqa: N802
        """Qt: hide the gap."""
        self._drop_gap = None
        self.update()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802
        """Qt: move the row to the gap."""
        number = int(bytes(event.mimeData().data(MIME_ROW)).decode() or 0)
        gap = self._gap_at(event_position(event))
        self._drop_gap = None
        self.update()
        event.acceptProposedAction()
        target = len(self.rows) - gap
        target = target - 1 if target > number else target
        if target != number:
            self.move_requested.emit(number, target)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Qt: paint a line at the gap."""
        super().paintEvent(event)
        if self._drop_gap is not None and self.rows:
            y = self.rows[self._drop_gap].y() if self._drop_gap < len(self.rows) else self.height() - 1
            with painting(self) as painter:
                painter.setPen(QPen(ThemeColours(self).accent, 2))
                painter.drawLine(0, y, self.width(), y)

    def _gap_at(self, position: QPoint) -> int:
        """Return the number of the gap nearest to ``position``, counted from the top."""
        return sum(1 for row in self.rows if position.y() > row.geometry().center().y())
