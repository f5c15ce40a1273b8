"""Buttons that are made alike all over the plugin, and standard buttons in its language."""

from __future__ import annotations

from typing import Callable, Optional, Sequence, Tuple

from qgis.PyQt import sip
from qgis.PyQt.QtCore import QEvent, QObject, Qt, QTimer
from qgis.PyQt.QtWidgets import QAbstractButton, QDialogButtonBox, QPushButton, QToolButton, QWidget

from ...core.i18n import tr
from .theme import icon


def translate_buttons(button_box: QDialogButtonBox) -> None:
    """Write the plugin's words on those standard buttons that ``box`` has, for Qt's own are not on every computer, and
    see to it that Tab leads through them.
    """
    kinds = QDialogButtonBox.StandardButton
    for kind, words in ((kinds.Ok, tr("OK")), (kinds.Cancel, tr("Cancel")), (kinds.Close, tr("Close")),
                        (kinds.RestoreDefaults, tr("Restore defaults")), (kinds.Save, tr("Save")),
                        (kinds.Help, tr("Help"))):
        button = button_box.button(kind)
        if button is not None:
            button.setText(words)
    button_box.installEventFilter(_ButtonBoxFilter(button_box))


class _ButtonBoxFilter(QObject):
    """Qt writes its own words again whenever anybody installs a translator: the right ones are put back then. And Tab
    passes over buttons of a box that was made before the fields above it, unless it is told their order.
    """

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Qt: before the box is told."""
        if isinstance(watched, QDialogButtonBox):
            if event.type() == QEvent.Type.LanguageChange:
                words = [(button, button.text()) for button in watched.buttons()]
                QTimer.singleShot(0, lambda: _restore_texts(words))
            elif event.type() == QEvent.Type.Show:
                _move_last_in_tab_order(watched)
        return False


def _move_last_in_tab_order(button_box: QDialogButtonBox) -> None:
    """Have Tab lead from the last field beside ``box`` through all its buttons."""
    around = button_box.parentWidget()
    if around is None:
        return
    last, one = None, around.nextInFocusChain()
    while one is not around:
        if one.focusPolicy() & Qt.FocusPolicy.TabFocus and around.isAncestorOf(
                one) and not button_box.isAncestorOf(one):
            last = one
        one = one.nextInFocusChain()
    for button in button_box.buttons():
        if last is not None:
            QWidget.setTabOrder(last, button)
        last = button


def _restore_texts(words: Sequence[Tuple[QAbstractButton, str]]) -> None:
    for button, text in words:
        if not sip.isdeleted(button):
            button.setText(text)


def dialog_button(text: str, on_click: Callable[[], object], tooltip: str = "") -> QPushButton:
    """A button of a dialog that Enter elsewhere does not press."""
    button = QPushButton(text)
    button.setAutoDefault(False)
    button.setToolTip(tooltip)
    button.clicked.connect(lambda _checked=False: on_click())
    return button


def text_button(text: str, on_click: Optional[Callable[[], object]], tooltip: str = "") -> QToolButton:
    """A small button with words; ``run`` is None where a menu will do what it does. ``tip`` is read aloud, too."""
    button = QToolButton()
    button.setText(text)
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    if tooltip:
        button.setToolTip(tooltip)
        button.setAccessibleName(text.rstrip("…"))
        button.setAccessibleDescription(tooltip)
    if on_click is not None:
        button.clicked.connect(lambda _checked=False: on_click())
    return button


def icon_button(icon_name: str, tooltip: str, on_click: Optional[Callable[[], object]] = None) -> QToolButton:
    """A flat button with the icon ``name``; ``words`` are its tool tip and what a screen reader says."""
    button = QToolButton()
    button.setIcon(icon(icon_name))
    button.setAutoRaise(True)
    button.setToolTip(tooltip)
    button.setAccessibleName(tooltip.rstrip("…"))
    if on_click is not None:
        button.clicked.connect(lambda _checked=False: on_click())
    return button
