"""View of a document's XML: highlighted, searchable, and saved byte for byte."""

from __future__ import annotations

from typing import Callable, Optional

from qgis.PyQt.QtCore import QEvent, Qt, QTimer
from qgis.PyQt.QtGui import QFontDatabase, QGuiApplication, QKeyEvent, QTextCursor, QTextDocument
from qgis.PyQt.QtWidgets import QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from ...core.i18n import tr
from ...core.safe_xml import decode_for_display
from ...core.text import printable
from .buttons import icon_button
from .form_widgets import search_line
from .labels import PlainLabel
from .xml_highlighter import XmlHighlighter

#: lines that are laid out in one step
_LINES_PER_STEP = 2500


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
        bar = QHBoxLayout()
        bar.setContentsMargins(4, 4, 4, 0)
        bar.setSpacing(2)
        bar.addWidget(self.search_field, 1)
        bar.addWidget(self.match_label)
        self.previous = icon_button("mActionArrowUp", tr("Previous match"), lambda: self._find(backwards=True))
        self.next = icon_button("mActionArrowDown", tr("Next match"), self._find)
        self.copy = icon_button("mActionEditCopy", tr("Copy the whole document"), self._copy)
        self.save = icon_button("mActionFileSaveAs", tr("Save the document as…"), lambda: self._on_save(self._data))
        for button in (self.previous, self.next, self.copy, self.save):
            bar.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addLayout(bar)
        layout.addWidget(self.editor, 1)

    def show_document(self, data: bytes) -> None:
        """Show ``data``, whose text is laid out when the tab is first shown."""
        self._data = data
        if self.isVisible():
            self._show_text()

    def focus_search(self) -> None:
        """Move the focus to the search line."""
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
