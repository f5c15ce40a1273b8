"""Syntax highlighter for XML that formats only the visible lines, so that a document of any length opens at once."""

from __future__ import annotations

import re

from qgis.PyQt.QtCore import QEvent, QObject, QTimer
from qgis.PyQt.QtGui import QColor, QFont, QSyntaxHighlighter, QTextCharFormat
from qgis.PyQt.QtWidgets import QPlainTextEdit

from .theme import ThemeColours

_TOKEN = re.compile(
    r"(?P<comment><!--.*?(?:-->|$))|(?P<prolog><[?!][^>]*>?)"
    r"|(?P<tag></?[\w:.-]+)|(?P<close>/?>)"
    r"|(?P<attribute>[\w:.-]+)(?==[\"'])|(?P<value>=(?:\"[^\"]*\"?|'[^']*'?))|(?P<entity>&[#\w]+;)")

_PLAIN, _COMMENT = 0, 1
_HIGHLIGHTED = 2


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
