"""Messages to the person: QGIS's message bar, or a frame inside the dock without such a bar."""

from __future__ import annotations

from enum import Enum
from typing import Callable, Optional

from qgis.core import Qgis
from qgis.gui import QgsMessageBar, QgsMessageBarItem
from qgis.PyQt import sip
from qgis.PyQt.QtCore import Qt, QTimer
from qgis.PyQt.QtGui import QGuiApplication
from qgis.PyQt.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...gis.runtime.guide_pages import GuideTopic
from . import guide
from .buttons import translate_buttons
from .error_actions import actions_for_error
from .theme import icon

TITLE = "Cartoguide"


class MessageLevel(str, Enum):
    """Levels of a message."""

    INFORMATION = "information"
    SUCCESS = "success"
    WARNING = "warning"
    ERROR = "error"

    @property
    def seconds(self) -> int:
        """Seconds until a message closes, 0 if it stays."""
        return {MessageLevel.INFORMATION: 8, MessageLevel.SUCCESS: 6}.get(self, 0)


class DetailsDialog(QDialog):
    """Dialog with the technical details of a message, which can be copied. Not modal."""

    def __init__(self, text: str, detail: str, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Cartoguide: details"))
        self.resize(520, 320)
        message = QLabel(text)
        message.setWordWrap(True)
        message.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._detail = QPlainTextEdit(detail)
        self._detail.setReadOnly(True)
        self._detail.setAccessibleName(tr("Technical details"))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        translate_buttons(buttons)
        copy = buttons.addButton(tr("Copy"), QDialogButtonBox.ButtonRole.ActionRole)
        copy.setIcon(icon("mActionEditCopy"))
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(f"{text}\n\n{detail}"))
        guide.install_help(self, GuideTopic.PROBLEMS, buttons)
        buttons.rejected.connect(self.close)
        layout = QVBoxLayout(self)
        layout.addWidget(message)
        layout.addWidget(self._detail, 1)
        layout.addWidget(buttons)


class InlineMessage(QFrame):
    """Message inside the dock: an icon, the text, "Details…" if there are any, and a close button."""

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self._icon = QLabel()
        self.text_label = QLabel()
        self.text_label.setWordWrap(True)
        self.text_label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.details = QPushButton(tr("Details…"))
        self.details.setFlat(True)
        self._close = QToolButton()
        self._close.setText("×")
        self._close.setAutoRaise(True)
        self._close.setToolTip(tr("Close this message"))
        self._close.setAccessibleName(tr("Close this message"))
        self._close.clicked.connect(self.hide)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(6, 4, 4, 4)
        layout.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        layout.addWidget(self.text_label, 1)
        layout.addWidget(self.details)
        layout.addWidget(self._close, 0, Qt.AlignmentFlag.AlignTop)
        self._on_details: Optional[Callable[[], object]] = None
        self.details.clicked.connect(self._show_details)
        self._hide_timer = QTimer(self)
        self._hide_timer.setSingleShot(True)
        self._hide_timer.timeout.connect(self.hide)
        self.hide()

    def show_message(self, level: MessageLevel, text: str, on_details: Optional[Callable[[], object]]) -> None:
        """Show ``text`` until it is closed or replaced. A message about a success closes after some seconds."""
        name = {MessageLevel.SUCCESS: "mIconSuccess", MessageLevel.INFORMATION: "mIconInfo"}.get(level, "mIconWarning")
        size = self.fontMetrics().height()
        self._icon.setPixmap(icon(name).pixmap(size, size))
        self._icon.setAccessibleName(level.value)
        self.text_label.setText(text)
        self.setAccessibleName(text)
        self._on_details = on_details
        self.details.setVisible(on_details is not None)
        self.show()
        self._hide_timer.stop()
        if level.seconds:
            self._hide_timer.start(level.seconds * 1000)

    def _show_details(self) -> None:
        if self._on_details:
            self._on_details()


class Messages:
    """Shows errors and notifications in QGIS's message bar, or in ``inline`` if ``bar`` is None.

    ``history`` holds the last messages as pairs of level and text.
    """

    def __init__(self, bar: Optional[QgsMessageBar], inline: InlineMessage) -> None:
        self._bar = bar
        self._inline = inline
        self._items: list[QgsMessageBarItem] = []
        self.history: list[tuple[MessageLevel, str]] = []

    def show_error(self, error: CartoguideError) -> None:
        """Show the first line of the error's text. The other lines and its detail are one click away."""
        first, *rest = error.user_text.split("\n")
        if first.endswith(":") and rest:
            # the first item of the list that follows belongs to the headline
            first = f"{first} {rest[0]}"
            rest = rest[1:]
        detail = "\n\n".join(part for part in ("\n".join(rest), error.detail) if part)
        remedy = next(iter(actions_for_error(error)), None)
        if remedy is None:
            self._show(MessageLevel.ERROR, first, detail)
        else:
            again = tr("Now try again.")
            self._show(MessageLevel.ERROR, first, detail, remedy.label,
                       lambda: remedy.run(self._inline, lambda: self._show(MessageLevel.INFORMATION, again, "")))

    def show_warning(self, text: str, detail: str = "") -> None:
        """Report that something was done only in part."""
        self._show(MessageLevel.WARNING, text, detail)

    def show_warning_with_action(self, text: str, action: str, on_action: Callable[[], object]) -> None:
        """Report that something has changed, with a button for the action that follows from it."""
        self._show(MessageLevel.WARNING, text, "", action, on_action)

    def notify(self, text: str, action: str = "", on_action: Optional[Callable[[], object]] = None) -> None:
        """Report that something was done, with a button for an action that may follow, such as undo or open."""
        self._show(MessageLevel.SUCCESS, text, "", action, on_action)

    def show_details(self, text: str, detail: str) -> None:
        """Show a technical detail in a window that does not block."""
        DetailsDialog(text, detail, self._inline).show()

    def clear(self) -> None:
        """Close the plugin's messages, whose actions are no longer available."""
        for item in self._items:
            if self._bar is not None and not sip.isdeleted(item):
                self._bar.popWidget(item)
        self._items = []

    def _show(self, level: MessageLevel, text: str, detail: str, action: str = "",
              on_action: Optional[Callable[[], object]] = None) -> None:
        self.history.append((level, text))
        del self.history[:-50]
        show_details: Optional[Callable[[], None]] = None
        if detail:
            def show_details() -> None:
                DetailsDialog(text, detail, self._inline).show()
        if self._bar is None:
            self._inline.details.setText(action or tr("Details…"))
            self._inline.show_message(level, text, on_action or show_details)
            return
        item = self._bar.createMessage(TITLE, text)
        for label, run in ((action, on_action), (tr("Details…"), show_details)):
            if run:
                button = QPushButton(label)
                button.clicked.connect(lambda _checked=False, run=run: run())
                item.layout().addWidget(button)
        levels = {MessageLevel.SUCCESS: Qgis.MessageLevel.Success, MessageLevel.INFORMATION: Qgis.MessageLevel.Info}
        self._bar.pushWidget(item, levels.get(level, Qgis.MessageLevel.Warning), level.seconds)
        self._items = [former for former in self._items if not sip.isdeleted(former)] + [item]
