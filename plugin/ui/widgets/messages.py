"""Messages to the person: QGIS's message bar, or a frame inside the dock without such a bar."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum
from typing import Callable, Optional, Sequence

from qgis.core import Qgis
from qgis.gui import QgsMessageBar, QgsMessageBarItem
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QEvent, QObject, Qt, QTimer
from qgis.PyQt.QtGui import QGuiApplication
from qgis.PyQt.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QTextBrowser,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from ...app.window import MessageAction
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.text import escaped, inert, shorten
from ...gis.runtime.guide_pages import GuideTopic
from . import guide
from .buttons import sign_button, translate_buttons
from .error_actions import actions_for_error
from .flow_layout import FlowLayout
from .form_widgets import fill_layout
from .labels import PlainLabel
from .theme import icon, resize_for_font

TITLE = "Cartoguide"
#: messages of the plugin in QGIS's bar at most: it lays all of them out for each new one, which takes 1 ms for each.
#: The oldest makes room. All stay in QGIS's log
_MAX_IN_BAR = 8
#: buttons of a message at most: QGIS's window makes room for all of them, at the cost of its docks
_MAX_BUTTONS_IN_BAR = 3
#: share of the window that the buttons take at most, and pixels of the text at least where one more is shown
_BUTTONS_SHARE, _LEAST_TEXT = 0.5, 250
#: letters of the width of the text at any rate
_NARROWEST_TEXT = 6
#: characters of the title of what was not added
_MAX_TITLE = 60
#: lines of a message in QGIS's bar at most, the rest is scrolled to
_MAX_LINES_IN_BAR = 8


class MessageLevel(str, Enum):
    INFORMATION = "information"
    SUCCESS = "success"
    WARNING = "warning"
    ERROR = "error"

    @property
    def seconds(self) -> int:
        """Seconds until a message closes, 0 if it stays."""
        return {MessageLevel.INFORMATION: 8, MessageLevel.SUCCESS: 6}.get(self, 0)


class DetailsDialog(QDialog):
    """Dialog with the technical details of a message, which can be copied. Not modal.

    Lines that begin with a tab belong to the line above them, and are folded away below it.
    """

    def __init__(self, text: str, detail: str, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Cartoguide: details"))
        resize_for_font(self, 520, 320)
        message = PlainLabel(text, wraps=True)
        message.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._detail = _outline(detail) if "\n\t" in detail else _read_only_text(detail)
        self._detail.setAccessibleName(tr("Technical details"))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        translate_buttons(buttons)
        copy = buttons.addButton(tr("Copy"), QDialogButtonBox.ButtonRole.ActionRole)
        copy.setIcon(icon("mActionEditCopy"))
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(f"{text}\n\n{detail}"))
        guide.install_help(self, GuideTopic.PROBLEMS, buttons)
        buttons.rejected.connect(self.close)
        fill_layout(QVBoxLayout(self), message, self._detail, buttons, wide=self._detail, margins=None)


def _read_only_text(text: str) -> QWidget:
    widget = QPlainTextEdit(text)
    widget.setReadOnly(True)
    return widget


def _outline(text: str) -> QWidget:
    """Return a tree of the lines, in which those that begin with a tab are below the one before them."""
    tree = QTreeWidget()
    tree.setHeaderHidden(True)
    tree.setUniformRowHeights(True)
    parent: Optional[QTreeWidgetItem] = None
    for line in text.split("\n"):
        item = QTreeWidgetItem([line.strip()])
        item.setToolTip(0, inert(line.strip()))
        if line.startswith("\t") and parent is not None:
            parent.addChild(item)
        else:
            parent = item
            tree.addTopLevelItem(item)
    # wide enough for the longest line, which is scrolled to
    tree.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    tree.header().setStretchLastSection(False)
    return tree


class InlineMessage(QFrame):
    """Message inside the dock: an icon, the text and a close button, with the buttons of its actions in rows below."""

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self._icon = PlainLabel()
        self.text_label = PlainLabel(wraps=True)
        self.text_label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.details = QPushButton(tr("Details…"))
        self.details.setFlat(True)
        self._close = sign_button("×", tr("Close this message"), self.hide)
        first_row = QHBoxLayout()
        first_row.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        first_row.addWidget(self.text_label, 1)
        first_row.addWidget(self._close, 0, Qt.AlignmentFlag.AlignTop)
        self._more_row = QWidget()
        self._more = FlowLayout(self._more_row)
        self._more.addWidget(self.details)
        self.more_buttons: list[QPushButton] = []
        fill_layout(QVBoxLayout(self), first_row, self._more_row, margins=(6, 4, 4, 4))
        self._actions: Sequence[MessageAction] = ()
        self._number = 0
        self.details.clicked.connect(lambda _checked=False: self._run(0))
        self._hide_timer = QTimer(self)
        self._hide_timer.setSingleShot(True)
        self._hide_timer.timeout.connect(self.hide)
        self.hide()

    def show_message(self, level: MessageLevel, text: str, actions: Sequence[MessageAction] = (),
                     stays: bool = False) -> int:
        """Show ``text`` until it is closed or replaced. A success that does not stay closes after some seconds.

        Returns its number, for ``hide_message``.
        """
        self._number += 1
        name = {MessageLevel.SUCCESS: "mIconSuccess", MessageLevel.INFORMATION: "mIconInfo"}.get(level, "mIconWarning")
        size = self.fontMetrics().height()
        self._icon.setPixmap(icon(name).pixmap(size, size))
        self._icon.setAccessibleName(level.value)
        self.text_label.setText(text)
        self.setAccessibleName(text)
        self._actions = actions
        self.details.setVisible(bool(actions))
        self.details.setText(actions[0].label if actions else "")
        for button in self.more_buttons:
            button.setParent(None)
            button.deleteLater()
        self.more_buttons = []
        for number, action in enumerate(actions[1:], 1):
            button = QPushButton(action.label)
            button.setFlat(True)
            button.clicked.connect(lambda _checked=False, number=number: self._run(number))
            self._more.addWidget(button)
            self.more_buttons.append(button)
        self._more_row.setVisible(bool(actions))
        self.show()
        self._hide_timer.stop()
        if level.seconds and not stays:
            self._hide_timer.start(level.seconds * 1000)
        return self._number

    def hide_message(self, number: int) -> None:
        """Hide the message with this number if no other one has replaced it."""
        if self.shows(number):
            self.hide()

    def shows(self, number: int) -> bool:
        """Return whether no other message has replaced the one with this number."""
        return number == self._number

    def _run(self, number: int) -> None:
        if number < len(self._actions):
            action = self._actions[number]
            if action.closes:
                self.hide()
            action.run()


class _WholeText(QObject):
    """Makes a message in QGIS's bar as high as its text, which QGIS cuts in the middle of the second line."""

    def __init__(self, item: QgsMessageBarItem, browser: QTextBrowser) -> None:
        super().__init__(item)
        self._browser = browser
        self._least = browser.minimumHeight()
        self._width = 0
        browser.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        browser.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        browser.installEventFilter(self)
        # all the width that is left, but none that it wishes for: QGIS's window would take it from its docks
        item.layout().setStretchFactor(browser, 1)
        browser.setSizePolicy(QSizePolicy.Policy.Ignored, browser.sizePolicy().verticalPolicy())
        browser.setMinimumWidth(_NARROWEST_TEXT * browser.fontMetrics().averageCharWidth())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Qt: adapt the height to a new width."""
        # the browser's width: its viewport follows after this event
        if event.type() == QEvent.Type.Resize and watched is self._browser \
                and self._browser.contentsRect().width() != self._width:
            self._width = self._browser.contentsRect().width()
            # not while Qt lays the message out
            QTimer.singleShot(0, self._adapt)
        return bool(super().eventFilter(watched, event))

    def _adapt(self) -> None:
        if sip.isdeleted(self._browser):
            return
        self._width = self._browser.contentsRect().width()
        # a copy: the browser lays out its own text at its width of the moment, and scrolls sideways if that is changed
        document = self._browser.document().clone(self)
        document.setTextWidth(self._width)
        height = math.ceil(document.size().height()) + 2 * self._browser.frameWidth()
        highest = _MAX_LINES_IN_BAR * self._browser.fontMetrics().lineSpacing()
        self._browser.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded if height > highest
                                                 else Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        document.deleteLater()
        self._browser.setFixedHeight(max(self._least, min(height, highest)))


@dataclass(eq=False)
class _Shown:
    """A message that may still be shown."""

    text: str
    close: Callable[[], None]
    is_closed: Callable[[], bool]
    error: Optional[CartoguideError] = None
    #: title of what the error has kept from the map
    not_added: str = ""


class Messages:
    """Shows errors and notifications in QGIS's message bar, or in ``inline`` if ``bar`` is None.

    A message replaces one with the same text, and closes when one of its actions is run. ``history`` holds the last
    messages as pairs of level and text.
    """

    def __init__(self, bar: Optional[QgsMessageBar], inline: InlineMessage) -> None:
        self._bar = bar
        self._inline = inline
        self._items: list[QgsMessageBarItem] = []
        self._shown: list[_Shown] = []
        self._parts: list[Messages] = []
        self.history: list[tuple[MessageLevel, str]] = []

    def part(self, bar: Optional[QgsMessageBar] = None) -> Messages:
        """Return messages in the same place, or in the ``bar`` of another window, which can also be cleared apart."""
        part = Messages(bar if bar is not None else self._bar, self._inline)
        part.history = self.history
        if bar is None:
            part._items = self._items
        self._parts = [*(other for other in self._parts if other._bar is None or not sip.isdeleted(other._bar)), part]
        return part

    def show_error(self, error: CartoguideError, retry: Optional[Callable[[], object]] = None,
                   not_added: str = "", for_map: bool = True) -> None:
        """Show the first line of the error's text. The other lines and its detail are one click away.

        ``retry`` is called after an action of the message has removed the cause, or by a button where no action can. By
        default the person is asked to. ``not_added`` is the title of what was to be added, which the error may not
        name, and ``for_map`` if it was to be on the map.
        """
        first, *rest = error.user_text.split("\n")
        if first.endswith(":") and rest:
            # the first item of the list that follows belongs to the headline
            first = f"{first} {rest[0]}"
            rest = rest[1:]
        if not_added and not_added not in first:
            first = tr("“{title}” is not added: {reason}", title=shorten(not_added, _MAX_TITLE), reason=first)
        lacking = not_added if for_map else ""
        detail = "\n\n".join(part for part in ("\n".join(rest), error.detail) if part)
        remedy = next(iter(actions_for_error(error)), None)
        if remedy is None:
            again = [MessageAction(tr("Try again"), retry)] if retry is not None else []
            self._show(MessageLevel.ERROR, first, detail, again, error=error, not_added=lacking)
        else:
            asked = tr("Now try again.")
            self._show(MessageLevel.ERROR, first, detail, [MessageAction(
                remedy.label,
                lambda: remedy.run(self._inline,
                                   retry or (lambda: self._show(MessageLevel.INFORMATION, asked, ""))),
                closes=False)], error=error, not_added=lacking)

    def show_warning(self, text: str, detail: str = "") -> None:
        """Report that something was done only in part."""
        self._show(MessageLevel.WARNING, text, detail)

    def show_warning_with_action(self, text: str, action: str, on_action: Callable[[], object]) -> None:
        """Report that something has changed, with a button for the action that follows from it."""
        self._show(MessageLevel.WARNING, text, "", [MessageAction(action, on_action)])

    def show_warning_with_actions(self, text: str, actions: Sequence[MessageAction],
                                  detail: str = "") -> Callable[[], None]:
        """Report that something is wrong, with a button for each thing that can be done about it.

        Returns what closes the message.
        """
        return self._show(MessageLevel.WARNING, text, detail, actions)

    def notify(self, text: str, action: str = "", on_action: Optional[Callable[[], object]] = None,
               stays: bool = False) -> Callable[[], None]:
        """Report that something was done, with a button for an action that may follow, such as undo or open.

        ``stays``: until it is closed. Returns what closes the message.
        """
        actions = [MessageAction(action, on_action)] if on_action is not None else []
        return self._show(MessageLevel.SUCCESS, text, "", actions, stays)

    def show_details(self, text: str, detail: str) -> None:
        # in place of the former, which would lie above a second window
        for former in self._inline.findChildren(DetailsDialog):
            former.close()
        DetailsDialog(text, detail, self._inline).show()

    def not_added(self) -> list[str]:
        """Return the titles of what could not be added, as far as nobody has closed the messages that say so."""
        return list(dict.fromkeys(shown.not_added for shown in self._shown if shown.not_added and not shown.is_closed())
                    )

    def clear(self) -> None:
        """Close these messages: their actions would call a dock that is deleted, or change another map."""
        self._close(lambda _shown: True)

    def withdraw(self, error: CartoguideError) -> None:
        """Close the messages of an error whose cause is gone."""
        self._close(lambda shown: shown.error is error)

    def _close(self, is_over: Callable[[_Shown], bool]) -> None:
        for part in self._parts:
            part._close(is_over)
        over = [shown for shown in self._shown if is_over(shown)]
        self._shown = [shown for shown in self._shown if shown not in over]
        for shown in over:
            shown.close()

    def _show(self, level: MessageLevel, text: str, detail: str, actions: Sequence[MessageAction] = (),
              stays: bool = False, error: Optional[CartoguideError] = None, not_added: str = ""
              ) -> Callable[[], None]:
        self._close(lambda shown: shown.text == text)
        self.history.append((level, text))
        del self.history[:-50]
        buttons = list(actions)
        if detail:
            buttons.append(MessageAction(tr("Details…"), lambda: self.show_details(text, detail),
                                         closes=False))
        close, is_closed = self._place(level, text, buttons, stays)
        self._shown = [*self._shown[-49:], _Shown(text, close, is_closed, error, not_added)]
        return close

    def _place(self, level: MessageLevel, text: str, buttons: Sequence[MessageAction], stays: bool
               ) -> tuple[Callable[[], None], Callable[[], bool]]:
        """Put a message into the bar or the frame. Return what closes it, and what says if it is closed."""
        if self._bar is None:
            number = self._inline.show_message(level, text, buttons, stays)
            return (lambda: self._inline.hide_message(number),
                    lambda: self._inline.isHidden() and self._inline.shows(number))
        # the message bar shows HTML
        item = self._bar.createMessage(TITLE, escaped(text).replace("\n", "<br>"))

        def close() -> None:
            if self._bar is not None and not sip.isdeleted(item):
                self._bar.popWidget(item)

        def run(action: MessageAction) -> None:
            if action.closes:
                close()
            action.run()

        seen = self._buttons_with_room(self._bar, buttons)
        for action in buttons[:seen]:
            button = QPushButton(action.label)
            button.clicked.connect(lambda _checked=False, action=action: run(action))
            item.layout().addWidget(button)
        if seen < len(buttons):
            more = QPushButton(tr("More"))
            menu = QMenu(more)
            for action in buttons[seen:]:
                menu.addAction(action.label, lambda action=action: run(action))
            more.setMenu(menu)
            item.layout().addWidget(more)
        browser = item.findChild(QTextBrowser)
        if browser is not None:
            _WholeText(item, browser)
        levels = {MessageLevel.SUCCESS: Qgis.MessageLevel.Success, MessageLevel.INFORMATION: Qgis.MessageLevel.Info,
                  MessageLevel.WARNING: Qgis.MessageLevel.Warning, MessageLevel.ERROR: Qgis.MessageLevel.Warning}
        self._bar.pushWidget(item, levels[level], 0 if stays else level.seconds)
        self._items[:] = [former for former in self._items if not sip.isdeleted(former)] + [item]
        while len(self._items) > _MAX_IN_BAR:
            self._bar.popWidget(self._items.pop(0))
        return close, lambda: sip.isdeleted(item)

    @staticmethod
    def _buttons_with_room(bar: QgsMessageBar, buttons: Sequence[MessageAction]) -> int:
        """Return how many buttons leave room for the text, at least one. The others are in a menu."""
        metrics, window, seen = bar.fontMetrics(), bar.parentWidget() or bar, len(buttons)
        room = max(300.0, _BUTTONS_SHARE * window.width())

        def width(labels: Sequence[str]) -> int:
            return sum(metrics.horizontalAdvance(label) + metrics.height() for label in labels)

        while seen > 1:
            labels = [action.label for action in buttons[:seen]] + ([tr("More")] if seen < len(buttons) else [])
            if len(labels) <= _MAX_BUTTONS_IN_BAR and width(labels) <= room:
                break
            seen -= 1
        # a menu with one entry says less than its button, for which the text gives way
        if seen == len(buttons) - 1 and width([action.label for action in buttons]) <= window.width() - _LEAST_TEXT:
            seen += 1
        return seen
