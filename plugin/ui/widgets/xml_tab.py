"""View of a document's XML: highlighted, searchable, and saved byte for byte."""

from __future__ import annotations

import re
from typing import Callable, Optional

from qgis.PyQt.QtCore import QEvent, QObject, Qt, QTimer
from qgis.PyQt.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QGuiApplication,
    QKeyEvent,
    QSyntaxHighlighter,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from qgis.PyQt.QtWidgets import QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from ...core.i18n import tr
from ...core.safe_xml import decode_for_display
from ...core.text import printable
from .buttons import icon_button
from .form_widgets import fill_layout, search_line
from .labels import PlainLabel
from .theme import ThemeColours

_TOKEN = re.compile(
    r"(?P<comment><!--.*?(?:-->|$))|(?P<prolog><[?!][^>]*>?)"
    r"|(?P<tag></?[\w:.-]+)|(?P<close>/?>)"
    r"|(?P<attribute>[\w:.-]+)(?==[\"'])|(?P<value>=(?:\"[^\"]*\"?|'[^']*'?))|(?P<entity>&[#\w]+;)")

_PLAIN, _COMMENT = 0, 1
_HIGHLIGHTED = 2
#: lines that are laid out in one step
_LINES_PER_STEP = 2500


class XmlHighlighter(QSyntaxHighlighter):
    """Highlighter of the blocks that the editor shows. Other blocks follow when they are scrolled into view."""

    def __init__(self, editor: QPlainTextEdit) -> None:
        super().__init__(editor.document())
        self._editor = editor
        self._first_visible, self._last_visible = 0, -1
        self._formats: dict[str, QTextCharFormat] = {}
        self._delay_timer = QTimer(self)
        self._delay_timer.setSingleShot(True)
        self._delay_timer.setInterval(15)
        self._delay_timer.timeout.connect(self._highlight_visible)
        editor.verticalScrollBar().valueChanged.connect(lambda _value: self._delay_timer.start())
        editor.textChanged.connect(self._delay_timer.start)
        editor.installEventFilter(self)
        self.apply_theme_colours()

    def apply_theme_colours(self) -> None:
        """Use the colours of the editor's theme."""
        colours = ThemeColours(self._editor)
        dark = colours.dark
        for name, colour in (("tag", "#7fb4e6" if dark else "#1a5fa8"), ("close", "#7fb4e6" if dark else "#1a5fa8"),
                             ("attribute", "#d7a65f" if dark else "#8a5a00"),
                             ("value", "#9ccc8a" if dark else "#2e6b1f"),
                             ("entity", "#d39ae0" if dark else "#7b2f8f")):
            self._formats[name] = QTextCharFormat()
            self._formats[name].setForeground(QColor(colour))
        for name in ("comment", "prolog"):
            self._formats[name] = QTextCharFormat()
            self._formats[name].setForeground(colours.muted)
        self._formats["comment"].setFontItalic(True)
        self._formats["tag"].setFontWeight(QFont.Weight.DemiBold)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Qt: highlight again after a change of size or theme."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Show):
            self._delay_timer.start()
        elif event.type() == QEvent.Type.PaletteChange:
            self.apply_theme_colours()
            self._invalidate()
        return False

    def highlightBlock(self, text: str) -> None:  # noqa: N802
        """Qt: format one line if it is visible."""
        if not self._first_visible <= self.currentBlock().blockNumber() <= self._last_visible:
            return
        in_comment = self.previousBlockState() == _HIGHLIGHTED + _COMMENT
        start = 0
        if in_comment:
            end = text.find("-->")
            start = len(text) if end < 0 else end + 3
            self.setFormat(0, start, self._formats["comment"])
            in_comment = end < 0
        for match in _TOKEN.finditer(text, start):
            name = match.lastgroup or "tag"
            self.setFormat(match.start(), match.end() - match.start(), self._formats[name])
            if name == "value":
                self.setFormat(match.start(), 1, QTextCharFormat())
            in_comment = name == "comment" and not match.group().endswith("-->")
        self.setCurrentBlockState(_HIGHLIGHTED + (_COMMENT if in_comment else _PLAIN))

    def _invalidate(self) -> None:
        block = self._editor.document().firstBlock()
        while block.isValid():
            block.setUserState(-1)
            block = block.next()
        self._delay_timer.start()

    def _highlight_visible(self) -> None:
        block = self._editor.firstVisibleBlock()
        self._first_visible = block.blockNumber()
        lines = self._editor.viewport().height() // max(1, self._editor.fontMetrics().lineSpacing()) + 2
        self._last_visible = self._first_visible + lines
        for _ in range(lines):
            if not block.isValid():
                break
            if block.userState() < _HIGHLIGHTED:
                self.rehighlightBlock(block)
            block = block.next()


class XmlTab(QWidget):
    """Document with a search line (Enter for the next match, Shift+Enter for the previous one), copy and "Save as…"."""

    def __init__(self, on_save: Callable[[bytes], None], parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self._on_save = on_save
        self._data = b""
        self._shown_data: Optional[bytes] = None
        self._pending_lines: list[str] = []
        self._append_timer = QTimer(self)
        self._append_timer.setInterval(0)
        self._append_timer.timeout.connect(self._append_lines)
        self.editor = QPlainTextEdit()
        self.editor.setReadOnly(True)
        self.editor.setUndoRedoEnabled(False)
        self.editor.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse
                                            | Qt.TextInteractionFlag.TextSelectableByKeyboard)
        self.editor.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.editor.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.editor.setAccessibleName(tr("XML of the record"))
        self.editor.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.highlighter = XmlHighlighter(self.editor)
        self.search_field = search_line(tr("Find in the XML…"), tr("Find in the XML"))
        self.search_field.textChanged.connect(lambda _text: self._find(from_start_of_match=True))
        self.search_field.installEventFilter(self)
        self.match_label = PlainLabel()
        bar = fill_layout(QHBoxLayout(), self.search_field, self.match_label, spacing=2, wide=self.search_field,
                          margins=(4, 4, 4, 0))
        self.previous = icon_button("mActionArrowUp", tr("Previous match"), lambda: self._find(backwards=True))
        self.next = icon_button("mActionArrowDown", tr("Next match"), self._find)
        self.copy = icon_button("mActionEditCopy", tr("Copy the whole document"), self._copy)
        self.save = icon_button("mActionFileSaveAs", tr("Save the document as…"), lambda: self._on_save(self._data))
        for button in (self.previous, self.next, self.copy, self.save):
            bar.addWidget(button)
        fill_layout(QVBoxLayout(self), bar, self.editor, spacing=4, wide=self.editor)

    def show_document(self, data: bytes) -> None:
        """Show ``data``, whose text is laid out when the tab is first shown."""
        self._data = data
        if self.isVisible():
            self._show_text()

    def focus_search(self) -> None:
        self.search_field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search_field.selectAll()

    def showEvent(self, event: QEvent) -> None:  # noqa: N802
        """Qt: lay out the text if that is pending."""
        super().showEvent(event)
        self._show_text()

    def eventFilter(self, watched: object, event: QEvent) -> bool:  # noqa: N802
        """Qt: go to the next or previous match by Enter or Shift+Enter in the search line."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and \
                event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._find(backwards=bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
            return True
        return False

    def _show_text(self) -> None:
        if self._shown_data is self._data:
            return
        self._shown_data = self._data
        text = (printable(decode_for_display(self._data)) if self._data
                else tr("The original document of this record is not available."))
        self._pending_lines = text.split("\n")
        self.editor.setPlainText("\n".join(self._next_lines()))
        if self._pending_lines:
            self._append_timer.start()
        for widget in (self.copy, self.save, self.search_field, self.next, self.previous):
            widget.setEnabled(bool(self._data))

    def _next_lines(self) -> list[str]:
        lines, self._pending_lines = self._pending_lines[:_LINES_PER_STEP], self._pending_lines[_LINES_PER_STEP:]
        return lines

    def _append_lines(self) -> None:
        """Lay out the next lines of a long document. The window stays responsive between the steps."""
        if self._pending_lines:
            end = QTextCursor(self.editor.document())
            end.movePosition(QTextCursor.MoveOperation.End)
            end.insertText("\n" + "\n".join(self._next_lines()))
        if not self._pending_lines:
            self._append_timer.stop()

    def _append_all_lines(self) -> None:
        while self._pending_lines:
            self._append_lines()

    def _find(self, backwards: bool = False, from_start_of_match: bool = False) -> None:
        text = self.search_field.text()
        cursor = self.editor.textCursor()
        if from_start_of_match or not text:
            cursor.setPosition(cursor.selectionStart())
            self.editor.setTextCursor(cursor)
        self.match_label.setText("")
        if not text:
            return
        self._append_all_lines()
        if self._select_match(text, backwards):
            return
        cursor.movePosition(cursor.MoveOperation.End if backwards else cursor.MoveOperation.Start)
        self.editor.setTextCursor(cursor)
        if not self._select_match(text, backwards):
            self.match_label.setText(tr("not found"))

    def _select_match(self, text: str, backwards: bool) -> bool:
        if backwards:
            return bool(self.editor.find(text, QTextDocument.FindFlag.FindBackward))
        return bool(self.editor.find(text))

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(decode_for_display(self._data))
