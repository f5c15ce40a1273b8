"""A section of a panel that folds away below its heading, its remembered state and height, and its tab order."""

from __future__ import annotations

from typing import Callable, Iterator, Optional

from qgis.core import QgsSettings
from qgis.PyQt.QtCore import QEvent, QObject, QPointF, QSize, Qt, pyqtSignal
from qgis.PyQt.QtGui import QKeyEvent, QMouseEvent, QPaintEvent, QResizeEvent
from qgis.PyQt.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from ...core.i18n import tr
from ...core.text import inert, single_line
from ...gis.runtime.compat import event_position
from ..widgets.form_widgets import fill_layout
from ..widgets.theme import ThemeColours, painting, scale_font

#: the keys below them are the names of sections
FOLDED_PREFIX, HEIGHT_PREFIX = "cartoguide/compose/folded/", "cartoguide/compose/height/"
#: pixels of a height at most, and those that an arrow key changes it by
_MAX_HEIGHT, _STEP = 2_000, 16


class ScrolledPage(QWidget):
    """Contents of a scroll area that are as high as their texts are at its width.

    Qt would make it as high as the minimum heights of all wrapped labels, which are those of a narrower label.
    """

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """Qt: leave the height to the layout's height for the width."""
        hint: QSize = super().minimumSizeHint()
        layout = self.layout()
        return QSize(hint.width(), 0) if layout is not None and layout.hasHeightForWidth() else hint


class LimitedArea(QScrollArea):
    """A scroll area as high as its contents, or as ``limit`` pixels if that is less."""

    def __init__(self, contents: QWidget, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        # with a layout around them, contents tell of a change of their size
        inner = ScrolledPage()
        fill_layout(QVBoxLayout(inner), contents)
        self.setWidget(inner)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # a fixed height would be the hint's, which is that of the width before
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.limit: Optional[int] = None
        self._room: Optional[int] = None
        #: pixels of the width and of the height that the contents cannot take
        self._frame = (0, 0)
        self.set_limit(None)

    def set_limit(self, limit: Optional[int]) -> None:
        """Be at most ``limit`` pixels high. None is the automatic height: that of the contents, as far as it has room.
        """
        self.limit = limit
        self._show_scroll_bar()
        self.updateGeometry()

    def set_room(self, room: Optional[int]) -> None:
        """Show at most ``room`` pixels of the contents where no limit was chosen. None is all of them."""
        if room != self._room:
            self._room = room
            self._show_scroll_bar()
            self.updateGeometry()

    def _show_scroll_bar(self) -> None:
        # a scroll bar makes the contents narrower and so higher, and would stay though it was needed for a moment only
        policies = Qt.ScrollBarPolicy
        scrolls = self.limit is not None or (
            self._room is not None and self._contents_height(self.width() - self._frame[0]) > self._room)
        self.setVerticalScrollBarPolicy(policies.ScrollBarAsNeeded if scrolls else policies.ScrollBarAlwaysOff)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Qt: take the height of contents that have changed."""
        if watched is self.widget() and event.type() == QEvent.Type.LayoutRequest:
            self._show_scroll_bar()
            self.updateGeometry()
        return bool(super().eventFilter(watched, event))

    def hasHeightForWidth(self) -> bool:  # noqa: N802
        """Qt: texts are wrapped."""
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802
        """Qt: return the height of the contents at ``width``, up to the limit."""
        across, down = self._frame
        height = self._contents_height(width - across)
        if self.limit is not None:
            return min(down + height, self.limit)
        return down + (height if self._room is None else min(height, self._room))

    @property
    def frame_height(self) -> int:
        """Pixels of the height that the contents cannot take, for the style sheet of a theme."""
        return self._frame[1]

    def wished_height(self, width: int) -> int:
        """Return the height in pixels at ``width`` pixels where there is room enough."""
        height = self._contents_height(width - self._frame[0])
        return height if self.limit is None else min(height, self.limit)

    def _contents_height(self, width: int) -> int:
        contents = self.widget()
        return int(contents.heightForWidth(width) if contents.hasHeightForWidth() else contents.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Qt: add the room that a theme's style sheet leaves around the contents."""
        super().resizeEvent(event)
        seen, bar = self.viewport().size(), self.verticalScrollBar()
        beside = bar.width() if bar.isVisible() else 0
        frame = (max(0, self.width() - seen.width() - beside), max(0, self.height() - seen.height()))
        if frame != self._frame:
            self._frame = frame
            self.updateGeometry()
        self._show_scroll_bar()

    def sizeHint(self) -> QSize:  # noqa: N802
        """Qt: return the size of the contents, up to the limit."""
        hint: QSize = self.widget().sizeHint()
        return QSize(hint.width(), self.heightForWidth(max(self.width(), 1)))

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """Qt: be as wide as the contents need."""
        return QSize(self.widget().minimumSizeHint().width(), 0)


class HeightGrip(QWidget):
    """A line at the end of a section that changes its height: dragged, or by the arrow keys while it has the focus.

    A double click, or the key Home, makes the height automatic again. ``height_chosen`` carries pixels or None.
    """

    height_chosen = pyqtSignal(object)

    def __init__(self, title: str, height: Callable[[], int], minimum: int, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self._height, self._minimum = height, minimum
        self._start: Optional[tuple[float, int]] = None
        self.setFixedHeight(6)
        self.setCursor(Qt.CursorShape.SizeVerCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(inert(tr("Height of the section “{title}”", title=title)))
        self.setToolTip(tr("Drag to change the height; a double click makes it automatic"))

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Qt: take hold of the line."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._start = self._pointer(event), self._height()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Qt: change the height with the pointer."""
        if self._start is not None:
            pointer, height = self._start
            self._choose(height + round(self._pointer(event) - pointer))

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:  # noqa: N802
        """Qt: let go of the line."""
        self._start = None

    def mouseDoubleClickEvent(self, _event: QMouseEvent) -> None:  # noqa: N802
        """Qt: make the height automatic."""
        self._start = None
        self.height_chosen.emit(None)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Qt: change the height by the arrow keys."""
        if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._choose(self._height() + (_STEP if event.key() == Qt.Key.Key_Down else -_STEP))
        elif event.key() == Qt.Key.Key_Home:
            self.height_chosen.emit(None)
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        """Qt: paint a short line in the middle."""
        with painting(self) as painter:
            colours = ThemeColours(self)
            length = min(28, self.width())
            painter.fillRect((self.width() - length) // 2, self.height() // 2 - 1, length, 2,
                             colours.highlight if self.hasFocus() else colours.grip)

    def _choose(self, height: int) -> None:
        self.height_chosen.emit(max(self._minimum, min(_MAX_HEIGHT, height)))

    def _pointer(self, event: QMouseEvent) -> float:
        # on the screen: the line itself moves
        return float(self.mapToGlobal(QPointF(event_position(event)).toPoint()).y())


def remembered_grip(name: str, title: str, apply: Callable[[Optional[int]], None], height: Callable[[], int],
                    minimum: int) -> HeightGrip:
    """Return the line that changes the height of the section ``name``, and give the section the height chosen last.

    ``title`` is the section's heading. ``apply`` sets a height in pixels, or the automatic one for None, and
    ``height`` returns the present one.
    """
    key = HEIGHT_PREFIX + name

    def choose(chosen: Optional[int]) -> None:
        if chosen is None:
            QgsSettings().remove(key)
        else:
            QgsSettings().setValue(key, chosen)
        apply(chosen)

    grip = HeightGrip(title, height, minimum)
    grip.height_chosen.connect(choose)
    stored = QgsSettings().value(key, 0, type=int)
    if stored > 0:
        apply(max(minimum, min(_MAX_HEIGHT, stored)))
    return grip


class SectionHeading(QToolButton):
    """Button that is as high as its text, also in the font of a style sheet, which it gets after it was made."""

    def sizeHint(self) -> QSize:  # noqa: N802
        """Qt: the height of the text and its frame."""
        return QSize(super().sizeHint().width(), self.fontMetrics().height() + 4)


class FoldSection(QWidget):
    """A heading with an arrow, and ``body`` below it, which is hidden while the section is folded.

    ``unfolded`` is emitted when the person opens the section.
    """

    unfolded = pyqtSignal()

    def __init__(self, name: str, title: str, parent: Optional[QWidget] = None) -> None:
        """``name`` is the section's key in the settings, ``title`` its heading for people."""
        super().__init__(parent)
        self._key, self._title = FOLDED_PREFIX + name, title
        self._name = name
        self.grip: Optional[HeightGrip] = None
        self._note = ""
        self.heading = SectionHeading()
        self.heading.setCheckable(True)
        self.heading.setAutoRaise(True)
        self.heading.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.heading.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        scale_font(self.heading, 1.0, bold=True)
        self.heading.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.body = QWidget()
        self._column = QVBoxLayout(self.body)
        self._column.setContentsMargins(0, 0, 0, 2)
        self._column.setSpacing(4)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self._head = fill_layout(QHBoxLayout(), self.heading, spacing=2, wide=self.heading)
        column.addLayout(self._head)
        column.addWidget(self.body)
        self.heading.setChecked(not QgsSettings().value(self._key, False, type=bool))
        self.heading.toggled.connect(self._on_toggled)
        self._show_state()

    def add_widget(self, widget: QWidget) -> None:
        self._column.addWidget(widget)

    def add_heading_button(self, button: QToolButton) -> None:
        """Put a flat button at the end of the heading. It is seen while the section is folded, too."""
        button.setAutoRaise(True)
        button.setFixedHeight(self.heading.sizeHint().height())
        self._head.addWidget(button)
        QWidget.setTabOrder(self.heading, button)

    def add_grip(self, apply: Callable[[Optional[int]], None], height: Callable[[], int], minimum: int) -> None:
        """End the section with a line that changes its height, and give it the height chosen last.

        ``apply`` sets a height in pixels, or the automatic one for None, and ``height`` returns the present one.
        """
        self.grip = remembered_grip(self._name, self._title, apply, height, minimum)
        self._column.addWidget(self.grip)

    def set_note(self, note: str) -> None:
        """Show a short text beside the heading, such as the number of what is inside."""
        self._note = note
        self._show_state()

    def open(self) -> None:
        self.heading.setChecked(True)

    @property
    def spacing(self) -> int:
        """Pixels between the widgets of the section."""
        return int(self._column.spacing())

    @property
    def is_open(self) -> bool:
        """True while the contents are shown."""
        return bool(self.heading.isChecked())

    def _on_toggled(self, on: bool) -> None:
        QgsSettings().setValue(self._key, not on)
        self._show_state()
        if on:
            self.unfolded.emit()

    def _show_state(self) -> None:
        on = self.is_open
        self.body.setVisible(on)
        self.heading.setArrowType(Qt.ArrowType.DownArrow if on else Qt.ArrowType.RightArrow)
        text = f"{self._title} · {self._note}" if self._note else self._title
        self.heading.setText(inert(single_line(text)))
        self.heading.setToolTip(inert(single_line(text)))
        self.heading.setAccessibleName(inert(text))
        self.heading.setAccessibleDescription(tr("Unfolded") if on else tr("Folded"))


def order_as_laid_out(container: QWidget, before: QWidget) -> QWidget:
    """Let Tab lead from ``before`` through the widgets in ``container``, in the order of its layouts.

    Returns the last of them, ``before`` where there is none. Qt puts a widget that is made later behind all others of
    its window.
    """
    last = before
    for widget in _in_order(container):
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget is not before:
            QWidget.setTabOrder(last, widget)
            last = widget
    return last


def _in_order(container: QWidget) -> Iterator[QWidget]:
    """Yield the widgets in ``container``: each one before those that it contains."""
    if isinstance(container, QScrollArea):
        inner = container.widget()
        inside = [inner] if inner is not None else []
    else:
        inside = list(_of_layout(container.layout()))
    for widget in inside:
        yield widget
        yield from _in_order(widget)


def _of_layout(layout: object) -> Iterator[QWidget]:
    if layout is None:
        return
    for number in range(layout.count()):  # type: ignore[attr-defined]
        item = layout.itemAt(number)  # type: ignore[attr-defined]
        if item.widget() is not None:
            yield item.widget()
        elif item.layout() is not None:
            yield from _of_layout(item.layout())
