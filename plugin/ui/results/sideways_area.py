"""One line of widgets that scrolls sideways, by wheel, by two arrows and with the keyboard focus."""

from __future__ import annotations

from typing import Optional

from qgis.PyQt import sip
from qgis.PyQt.QtCore import QEvent, QObject, QSize, Qt, QTimer
from qgis.PyQt.QtGui import QResizeEvent, QWheelEvent
from qgis.PyQt.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QSizePolicy, QToolButton, QWidget

from ...core.text import inert

#: width of an arrow and space between the widgets, in pixels
_ARROW_WIDTH, _SPACING = 16, 4
#: part of the visible width by which an arrow scrolls
_ARROW_STEP = 0.7


class SidewaysArea(QWidget):
    """Line of widgets as high as the highest of them. The arrows are shown only where not all widgets fit."""

    def __init__(self, left_label: str, right_label: str, parent: Optional[QWidget] = None) -> None:
        """``left_label`` and ``right_label`` name the arrows, for the tooltip and for screen readers."""
        super().__init__(parent)
        self.line = QWidget()
        self._layout = QHBoxLayout(self.line)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(_SPACING)
        self._layout.addStretch(1)
        self.area = _WheelArea()
        self.area.setWidget(self.line)
        self.left = self._make_arrow(Qt.ArrowType.LeftArrow, left_label, -1)
        self.right = self._make_arrow(Qt.ArrowType.RightArrow, right_label, 1)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        for widget in (self.left, self.area, self.right):
            row.addWidget(widget)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.line.installEventFilter(self)
        # not while the layout places them: it would go on with the places of before
        self._arrows_timer = QTimer(self)
        self._arrows_timer.setSingleShot(True)
        self._arrows_timer.setInterval(0)
        self._arrows_timer.timeout.connect(self._update_arrows)
        bar = self.area.horizontalScrollBar()
        bar.valueChanged.connect(lambda _value: self._arrows_timer.start())
        bar.rangeChanged.connect(lambda _low, _high: self._arrows_timer.start())
        self._update_arrows()

    def add_widget(self, widget: QWidget) -> None:
        """Add a widget at the right end."""
        self.insert_widget(self._layout.count() - 1, widget)

    def insert_widget(self, index: int, widget: QWidget) -> None:
        """Insert a widget as number ``index`` from the left. It is scrolled into sight when it gets the focus."""
        self._layout.insertWidget(index, widget)
        widget.installEventFilter(self)

    def show_widget_later(self, widget: QWidget) -> None:
        """Scroll ``widget`` into sight once it has its place."""
        QTimer.singleShot(0, lambda: None if sip.isdeleted(widget) else self._show_widget(widget))

    def scroll_to_start(self) -> None:
        """Show the first widget."""
        self.area.horizontalScrollBar().setValue(0)

    def sizeHint(self) -> QSize:  # noqa: N802
        """Qt: all widgets side by side."""
        return self.line.sizeHint()

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """Qt: the arrows and a little of the line, as high as the line."""
        return QSize(4 * _ARROW_WIDTH, self.line.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Qt: show or hide the arrows."""
        super().resizeEvent(event)
        self._arrows_timer.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Qt: follow the size of the line, and show the widget that gets the focus."""
        if watched is self.line and event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
            self._arrows_timer.start()
        elif event.type() == QEvent.Type.FocusIn and isinstance(watched, QWidget):
            self._show_widget(watched)
        return bool(super().eventFilter(watched, event))

    def _make_arrow(self, arrow: Qt.ArrowType, label: str, direction: int) -> QToolButton:
        button = QToolButton()
        button.setArrowType(arrow)
        button.setAutoRaise(True)
        button.setAutoRepeat(True)
        button.setFixedWidth(_ARROW_WIDTH)
        button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Ignored)
        # the keyboard reaches what the arrow leads to by Tab
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.setToolTip(inert(label))
        button.setAccessibleName(label)
        button.clicked.connect(lambda _checked=False: self._scroll(direction))
        return button

    def _scroll(self, direction: int) -> None:
        bar = self.area.horizontalScrollBar()
        bar.setValue(bar.value() + round(direction * _ARROW_STEP * self.area.viewport().width()))

    def _show_widget(self, widget: QWidget) -> None:
        self.area.ensureWidgetVisible(widget, 2 * _SPACING, 0)

    def _update_arrows(self) -> None:
        # by the width without arrows: those that are shown take room, which must not decide whether they are shown
        too_wide = self.line.sizeHint().width() > self.width()
        bar = self.area.horizontalScrollBar()
        for button, can_scroll in ((self.left, bar.value() > bar.minimum()), (self.right, bar.value() < bar.maximum())):
            button.setVisible(too_wide)
            button.setEnabled(can_scroll)


class _WheelArea(QScrollArea):
    """Scroll area without scroll bars, as high as its widget, which a wheel in either direction scrolls sideways."""

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """Qt: any width, as high as the widget."""
        return QSize(0, self.widget().sizeHint().height() if self.widget() is not None else 0)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        """Qt: scroll sideways."""
        turned = event.angleDelta().x() or event.angleDelta().y()
        bar = self.horizontalScrollBar()
        if not turned or bar.maximum() <= bar.minimum():
            event.ignore()
            return
        bar.setValue(bar.value() - round(turned / 120 * bar.singleStep() * 3))
        event.accept()
