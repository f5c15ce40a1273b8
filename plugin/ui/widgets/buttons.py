"""Buttons with a uniform look, and standard buttons in the plugin's own translation."""

from __future__ import annotations

from typing import Callable, Optional, Sequence, Tuple

from qgis.PyQt import sip
from qgis.PyQt.QtCore import QEvent, QObject, Qt, QTimer
from qgis.PyQt.QtGui import QGuiApplication, QPaintEvent, QResizeEvent
from qgis.PyQt.QtWidgets import (
    QAbstractButton,
    QDialogButtonBox,
    QPushButton,
    QSizePolicy,
    QStyle,
    QStyleOptionToolButton,
    QToolButton,
    QWidget,
)

from ...core.i18n import tr
from ...core.text import inert
from .theme import icon, painting

#: milliseconds for which a button says that it has copied
_COPIED_MS = 1500
#: pixels that a style takes beside the text of a button without an icon
_FRAME_WIDTH = 10


class CopyButton(QToolButton):
    """Button that copies ``text_to_copy`` to the clipboard and says for a moment that it has.

    Without ``has_text`` it is its icon alone, for places where what is copied needs the width.
    """

    def __init__(self, tooltip: str, parent: Optional[QWidget] = None, has_text: bool = True) -> None:
        super().__init__(parent)
        self.text_to_copy = ""
        self.setIcon(icon("mActionEditCopy"))
        self.setText(tr("Copy"))
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon if has_text
                                else Qt.ToolButtonStyle.ToolButtonIconOnly)
        self.setToolTip(inert(tooltip))
        self.setAccessibleName(tooltip)
        self.clicked.connect(self._copy)
        self._copied_timer = QTimer(self)
        self._copied_timer.setSingleShot(True)
        self._copied_timer.setInterval(_COPIED_MS)
        self._copied_timer.timeout.connect(self._show_ready)

    def _show_ready(self) -> None:
        self.setText(tr("Copy"))
        self.setIcon(icon("mActionEditCopy"))

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text_to_copy)
        self.setText(tr("Copied"))
        self.setIcon(icon("mIconSuccess"))
        self._copied_timer.start()


class ShrinkingButton(QToolButton):
    """Button with icon and text that shows less of both where it is too narrow.

    It shows a shorter text if it has one, then the text without the icon, and its icon alone only where no text fits.
    It takes whatever width it is given. Its tooltip should have the text.
    """

    def __init__(self, text: str, short_text: str = "", parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self._texts = tuple(one for one in (text, short_text) if one)
        self.setText(text)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(self.iconSize().width() + 12)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Qt: show the longest text that fits."""
        super().resizeEvent(event)
        self._choose_text()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        """Qt: choose again for another font."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._choose_text()

    def _choose_text(self) -> None:
        # as in Qt's size hint: two blanks and a gap beside the text, and the style's frame
        room = self.width() - self.iconSize().width() - 12 - 2 * self.fontMetrics().horizontalAdvance(" ")
        fitting = self._longest_text(room)
        style = Qt.ToolButtonStyle.ToolButtonTextBesideIcon
        if not fitting:
            fitting, style = self._longest_text(self.width() - _FRAME_WIDTH), Qt.ToolButtonStyle.ToolButtonTextOnly
        self.setText(fitting or self._texts[0])
        self.setToolButtonStyle(style if fitting else Qt.ToolButtonStyle.ToolButtonIconOnly)

    def _longest_text(self, room: int) -> str:
        """Return the longest text that fits into ``room`` pixels, or nothing."""
        return next((text for text in self._texts if self.fontMetrics().horizontalAdvance(text) <= room), "")


class ElidedButton(QToolButton):
    """Flat button with icon and text, as wide as there is room. A text that does not fit is elided.

    Where shorter texts are given, it shows the first that fits. ``text()`` always returns the longest. No text is read
    as markup nor for a mnemonic.
    """

    def __init__(self, text: str, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.show_text(text)
        self.setAutoRaise(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_text(self, text: str, *shorter: str) -> None:
        """Show another text, or one of the ``shorter`` ones, the longest first, where there is no room for it."""
        # no-break spaces of a scale stay
        self._texts = [inert(" ".join(one.splitlines())) for one in (text, *shorter)]
        self.setText(self._texts[0].replace("&", "&&"))
        self.setAccessibleName(self._texts[0])

    @property
    def shown_text(self) -> str:
        """The text as it is painted at the present width."""
        room, measure = self.width() - self.iconSize().width() - 12, self.fontMetrics()
        fitting = (text for text in self._texts if measure.horizontalAdvance(text) <= room)
        return str(next(fitting, None) or measure.elidedText(self._texts[-1], Qt.TextElideMode.ElideRight, room))

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        """Qt: paint the button with as much of the text as fits."""
        option = QStyleOptionToolButton()
        self.initStyleOption(option)
        option.text = self.shown_text.replace("&", "&&")
        with painting(self) as painter:
            self.style().drawComplexControl(QStyle.ComplexControl.CC_ToolButton, option, painter, self)


def translate_buttons(button_box: QDialogButtonBox) -> None:
    """Write the plugin's translations on the standard buttons of ``button_box``.

    Qt's own translations are not installed on every computer. The buttons also come last in the tab order.
    """
    kinds = QDialogButtonBox.StandardButton
    for kind, text in ((kinds.Ok, tr("OK")), (kinds.Cancel, tr("Cancel")), (kinds.Close, tr("Close")),
                       (kinds.RestoreDefaults, tr("Restore defaults")), (kinds.Save, tr("Save")), (kinds.Help,
                                                                                                   tr("Help"))):
        button = button_box.button(kind)
        if button is not None:
            button.setText(text)
    button_box.installEventFilter(_ButtonBoxFilter(button_box))


class _ButtonBoxFilter(QObject):
    """Event filter that keeps the texts and the tab order of a button box.

    Qt writes its own texts again whenever a translator is installed, so the right ones are restored after that. Tab
    skips the buttons of a box that was created before the fields above it, so the order is set when the box is shown.
    """

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Qt: react to the box's events before the box does."""
        if isinstance(watched, QDialogButtonBox):
            if event.type() == QEvent.Type.LanguageChange:
                texts = [(button, button.text()) for button in watched.buttons()]
                QTimer.singleShot(0, lambda: _restore_texts(texts))
            elif event.type() == QEvent.Type.Show:
                _move_last_in_tab_order(watched)
        return False


def _move_last_in_tab_order(button_box: QDialogButtonBox) -> None:
    """Make Tab lead from the last field beside ``button_box`` through all of its buttons."""
    parent = button_box.parentWidget()
    if parent is None:
        return
    last, widget = None, parent.nextInFocusChain()
    while widget is not parent:
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and parent.isAncestorOf(
                widget) and not button_box.isAncestorOf(widget):
            last = widget
        widget = widget.nextInFocusChain()
    for button in button_box.buttons():
        if last is not None:
            QWidget.setTabOrder(last, button)
        last = button


def _restore_texts(texts: Sequence[Tuple[QAbstractButton, str]]) -> None:
    for button, text in texts:
        if not sip.isdeleted(button):
            button.setText(text)


def dialog_button(text: str, on_click: Callable[[], object]) -> QPushButton:
    """Return a push button that Enter in another field of the dialog does not press."""
    button = QPushButton(text)
    button.setAutoDefault(False)
    button.clicked.connect(lambda _checked=False: on_click())
    return button


def text_button(text: str, on_click: Optional[Callable[[], object]], tooltip: str = "") -> QToolButton:
    """Return a small tool button with a text.

    ``on_click`` is None for a button that only opens a menu. Screen readers read ``tooltip`` aloud too.
    """
    button = QToolButton()
    button.setText(text)
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    if tooltip:
        button.setToolTip(inert(tooltip))
        button.setAccessibleName(text.rstrip("…"))
        button.setAccessibleDescription(tooltip)
    if on_click is not None:
        button.clicked.connect(lambda _checked=False: on_click())
    return button


def icon_button(icon_name: str, tooltip: str, on_click: Optional[Callable[[], object]] = None) -> QToolButton:
    """Return a flat button with the icon ``icon_name``. Screen readers read ``tooltip`` as its name."""
    button = sign_button("", tooltip, on_click)
    button.setIcon(icon(icon_name))
    return button


def sign_button(sign: str, tooltip: str, on_click: Optional[Callable[[], object]] = None) -> QToolButton:
    """Return a flat button with a letter or a sign such as "×". Screen readers read ``tooltip`` as its name."""
    button = QToolButton()
    button.setText(sign)
    button.setAutoRaise(True)
    button.setToolTip(inert(tooltip))
    button.setAccessibleName(tooltip.rstrip("…"))
    if on_click is not None:
        button.clicked.connect(lambda _checked=False: on_click())
    return button
