"""Small widgets that are set up in the same way all over the plugin: labels, combo boxes, search lines, busy bars."""

from __future__ import annotations

import re
from typing import Any, Optional, Sequence, Tuple, TypeVar, Union, cast

from qgis.gui import QgsFilterLineEdit
from qgis.PyQt.QtCore import QEvent, QItemSelectionModel, QModelIndex, QObject, Qt
from qgis.PyQt.QtGui import QPaintEvent, QResizeEvent, QStandardItemModel, QValidator
from qgis.PyQt.QtWidgets import (
    QAbstractSlider,
    QAbstractSpinBox,
    QBoxLayout,
    QComboBox,
    QDoubleSpinBox,
    QLabel,
    QLayout,
    QProgressBar,
    QScrollBar,
    QSizePolicy,
    QWidget,
)

from ...core.numbers import format_decimal
from ...core.text import inert
from .labels import HtmlLabel, PlainLabel
from .theme import scale_font

W = TypeVar("W", bound=QWidget)


class _WheelFilter(QObject):
    """Event filter that leaves the wheel to the scroll area around a control that has not the focus."""

    def eventFilter(self, control: QObject, event: QEvent) -> bool:  # noqa: N802
        """Qt: ignore the wheel, so that the widget around the control takes it."""
        if event.type() == QEvent.Type.Wheel and isinstance(control, QWidget) and not control.hasFocus():
            event.ignore()
            return True
        return False


class DecimalSpinBox(QDoubleSpinBox):
    """Field for a number, written as in the language of the texts around it, and typed with a point or a comma."""

    def textFromValue(self, value: float) -> str:  # noqa: N802
        """Qt: write the number."""
        return format_decimal(value, self.decimals())

    def valueFromText(self, text: str) -> float:  # noqa: N802
        """Qt: read the number."""
        return float(super().valueFromText(self._localised(text)))

    def validate(self, text: str, position: int) -> Tuple[QValidator.State, str, int]:
        """Qt: judge what is typed, and leave it as it is."""
        return super().validate(self._localised(text), position)[0], text, position

    def _localised(self, text: str) -> str:
        return re.sub("[.,]", str(self.locale().decimalPoint()), text)


def fill_layout(layout: QBoxLayout, *parts: Union[QWidget, QLayout], spacing: Optional[int] = None,
                wide: Union[QWidget, QLayout, None] = None,
                margins: Optional[Tuple[int, int, int, int]] = (0, 0, 0, 0)) -> QBoxLayout:
    """Put ``parts`` into a row or column one after the other, and return it. ``wide`` takes the room that is left.

    ``margins`` are None for those that the style of the desktop gives to a window.
    """
    if margins is not None:
        layout.setContentsMargins(*margins)
    if spacing is not None:
        layout.setSpacing(spacing)
    for part in parts:
        if isinstance(part, QLayout):
            layout.addLayout(part, 1 if part is wide else 0)
        else:
            layout.addWidget(part, 1 if part is wide else 0)
    return layout


def wheel_needs_focus(widget: W) -> W:
    """Let ``widget`` and the controls in it take the wheel only while they have the focus, and return it.

    Somebody who scrolls a page of controls would change values without noticing.
    """
    for control in (widget, *widget.findChildren(QWidget)):
        if isinstance(control, (QComboBox, QAbstractSpinBox, QAbstractSlider)) and not isinstance(control, QScrollBar):
            control.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            control.installEventFilter(_WheelFilter(control))
    return widget


def wrapped_label(text: str = "", accessible_name: str = "", shrinkable: bool = False, font_scale: float = 1.0,
                  html: bool = False) -> QLabel:
    """Return a label for plain text, which is broken into lines and can be selected and copied.

    ``html`` is for a label of HTML, in which everything that is not the plugin's own is escaped.
    ``shrinkable`` lets it become narrower than its longest word. ``font_scale`` is relative to the usual font.
    """
    label: QLabel = HtmlLabel(text) if html else PlainLabel(text)
    label.setWordWrap(True)
    # what stands beside it stands beside its first line, also where a layout gives it more height
    label.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
    label.setAccessibleName(accessible_name)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    horizontal = QSizePolicy.Policy.Ignored if shrinkable else QSizePolicy.Policy.Preferred
    label.setSizePolicy(horizontal, QSizePolicy.Policy.Minimum)
    if font_scale != 1.0:
        scale_font(label, font_scale)
    return label


def busy_bar(height: int = 6) -> QProgressBar:
    """Return a thin progress bar without text that moves as long as it is visible.

    ``height`` is in pixels.
    """
    bar = QProgressBar()
    bar.setRange(0, 0)
    bar.setTextVisible(False)
    bar.setMaximumHeight(height)
    return bar


def search_line(placeholder: str, accessible_name: str) -> QgsFilterLineEdit:
    """Return a line to type search words in, with QGIS's search icon and a button that clears it."""
    line = QgsFilterLineEdit()
    line.setShowSearchIcon(True)
    line.setPlaceholderText(placeholder)
    line.setAccessibleName(accessible_name)
    return line


class _NarrowComboBox(QComboBox):
    """Combo box whose tooltip is its name and the current entry, of which it may show the beginning only."""

    _shown = ""
    #: a text below them in the tooltip
    explanation = ""

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Qt: paint, and set the tooltip. Entries may change without a signal."""
        self._set_tooltip()
        super().paintEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Qt: set the tooltip, which a screen reader reads before the box is scrolled to and painted."""
        self._set_tooltip()
        super().resizeEvent(event)

    def showPopup(self) -> None:  # noqa: N802
        """Qt: open the list, as wide as its entries."""
        view = self.view()
        view.setMinimumWidth(view.sizeHintForColumn(0) + view.verticalScrollBar().sizeHint().width())
        super().showPopup()

    def _set_tooltip(self) -> None:
        """Set the tooltip unless another one was set."""
        if self.toolTip() == self._shown:
            self.setToolTip(inert(f"{self.accessibleName()}: {self.currentText()}\n{self.explanation}".rstrip()))
            self._shown = self.toolTip()


def narrow_combo_box(accessible_name: str, characters: int = 8, explanation: str = "") -> QComboBox:
    """Return a combo box that may become as narrow as ``characters`` letters, however long its entries are.

    Its tooltip is its name, the current entry and ``explanation``, until another one is set.
    """
    combo_box = _NarrowComboBox()
    combo_box.explanation = explanation
    wheel_needs_focus(combo_box)
    combo_box.setAccessibleName(accessible_name)
    combo_box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    combo_box.setMinimumContentsLength(characters)
    return combo_box


def set_choices(combo_box: QComboBox, choices: Sequence[Tuple[str, object]]) -> None:
    """Replace the entries of ``combo_box`` by ``choices``, pairs of label and value, without emitting signals.

    The current value stays current if it is among them, else the first one becomes current.
    """
    former = combo_box.currentData()
    combo_box.blockSignals(True)
    combo_box.clear()
    for label, value in choices:
        combo_box.addItem(label, value)
    combo_box.setCurrentIndex(max(0, combo_box.findData(former)) if choices else -1)
    combo_box.blockSignals(False)


def set_item_enabled(combo_box: QComboBox, row: int, reason: str) -> None:
    """Disable the entry at ``row`` and show ``reason`` as its tooltip, or enable it if ``reason`` is empty."""
    item = cast(QStandardItemModel, combo_box.model()).item(row)
    item.setEnabled(not reason)
    item.setToolTip(inert(reason))


class AloneWhenCurrent:
    """A part of an item view: a row that is made current is the only selected one, unless by the view's own events.

    Qt would add it to what is selected while Ctrl is held, as for a row that was pasted before the key is released.
    """

    def selectionCommand(self, index: QModelIndex, event: Optional[QEvent] = None) -> Any:  # noqa: N802
        flag = QItemSelectionModel.SelectionFlag.ClearAndSelect
        return flag if event is None else super().selectionCommand(index, event)  # type: ignore[misc]
