"""Labels: of plain text, of HTML, with links, and for one line of text that may be wider than the label.

Qt guesses the format of a label's text unless it is set, and opens the files that rich text names. No other module
makes a QLabel.
"""

from __future__ import annotations

from typing import Optional

from qgis.PyQt.QtCore import QEvent, QSize, Qt
from qgis.PyQt.QtGui import QFont, QFontMetrics, QPaintEvent, QResizeEvent, QShowEvent, QTextLayout, QTextOption
from qgis.PyQt.QtWidgets import QLabel, QSizePolicy, QWidget

from ...core.addresses import is_web_address
from ...core.text import inert, printable, truncate
from .theme import ThemeColours, painting

#: characters of a tooltip: a longer one covers the screen and takes long to lay out
_MAX_TOOLTIP_LENGTH = 2000
#: characters of a label: a longer text takes long to lay out, and Qt 5 crashes while it breaks a word of a megabyte
_MAX_LABEL_LENGTH = 20_000


def link_target(address: str) -> str:
    """Return what a link's tooltip shows: the address that it leads to, or "" for a link inside the plugin."""
    return inert(address) if is_web_address(address) else ""


def wrap_lines(text: str, font: QFont, width: int, max_lines: int) -> list[str]:
    """Return ``text`` broken into at most ``max_lines`` lines of ``width`` pixels, the last one elided."""
    text = text[:_MAX_LABEL_LENGTH]
    layout = QTextLayout(text, font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    lines: list[str] = []
    layout.beginLayout()
    while True:
        line = layout.createLine()
        if not line.isValid():
            break
        line.setLineWidth(width)
        lines.append(text[line.textStart():line.textStart() + line.textLength()])
    layout.endLayout()
    if len(lines) > max_lines:
        rest = "".join(lines[max_lines - 1:]).strip()
        elided = QFontMetrics(font).elidedText(rest, Qt.TextElideMode.ElideRight, width)
        lines = [*lines[:max_lines - 1], elided]
    return [line.strip() for line in lines]


class PlainLabel(QLabel):
    """Label whose text is never read as markup, and is shown without control characters and direction marks.

    A text that is too long to be laid out is cut. ``wraps`` breaks it into lines.
    """

    def __init__(self, text: str = "", parent: Optional[QWidget] = None, wraps: bool = False) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(wraps)
        self.setText(text)

    def setText(self, text: str) -> None:  # noqa: N802
        super().setText(printable(truncate(text, _MAX_LABEL_LENGTH)))


class HtmlLabel(QLabel):
    """Label of HTML of the plugin's making, which wraps. A link shows where it leads as the tooltip."""

    def __init__(self, text: str = "", parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setWordWrap(True)
        self.linkHovered.connect(lambda address: self.setToolTip(link_target(address)))
        self.setText(text)


class LinkLabel(HtmlLabel):
    """Label that wraps its text and whose links work by mouse and by keyboard (``linkActivated``).

    The links are legible in every theme, unlike Qt's own blue on a dark one.
    """

    def __init__(self, text: str = "", parent: Optional[QWidget] = None) -> None:
        # Qt calls changeEvent before the text is set
        self._html = ""
        super().__init__(text, parent)
        flags = Qt.TextInteractionFlag
        self.setTextInteractionFlags(flags.LinksAccessibleByMouse | flags.LinksAccessibleByKeyboard)

    def setText(self, text: str) -> None:  # noqa: N802
        """Qt: set another text, which must be HTML of the plugin's making."""
        self._html = text
        self._apply_link_colour()

    def text(self) -> str:
        return self._html

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Qt: apply the colour of the theme, which is known now."""
        self._apply_link_colour()
        super().showEvent(event)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        """Qt: apply the colour of another theme."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.StyleChange):
            self._apply_link_colour()

    def _apply_link_colour(self) -> None:
        # rich text ignores the palette's colour for links
        coloured = self._html.replace("<a ", f'<a style="color: {ThemeColours(self).link.name()}" ')
        if coloured != super().text():
            super().setText(coloured)


class ElidedLabel(PlainLabel):
    """Label for one line that may be narrower than its text, which is then shown in full as the tooltip.

    The text is shortened while it is painted, so ``text()`` always returns all of it. Where a ``shorter`` text is
    given, that is shown where there is no room for the text.
    """

    def __init__(self, text: str = "", tooltip: str = "", parent: Optional[QWidget] = None) -> None:
        super().__init__(parent=parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.show_text(text, tooltip)

    def show_text(self, text: str, tooltip: str = "", shorter: str = "") -> None:
        """Show ``text``, with ``tooltip`` instead of the text itself as the tooltip if it is given."""
        self.setText(text)
        self._shorter = printable(truncate(shorter, _MAX_LABEL_LENGTH))
        self.setToolTip(inert(truncate(tooltip or text, _MAX_TOOLTIP_LENGTH)))
        self.setAccessibleName(self.text())

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """Qt: allow a width far below that of the text."""
        return QSize(20, super().minimumSizeHint().height())

    @property
    def shown_text(self) -> str:
        """The text as it is painted at the present width."""
        measure, text = self.fontMetrics(), self.text()
        if self._shorter and measure.horizontalAdvance(text) > self.width():
            text = self._shorter
        return str(measure.elidedText(text, Qt.TextElideMode.ElideRight, self.width()))

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        """Qt: paint the text, elided at the end."""
        with painting(self) as painter:
            painter.setPen(self.palette().color(self.foregroundRole()))
            painter.drawText(self.rect(), int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft),
                             self.shown_text)


class LimitedLabel(PlainLabel):
    """Label for a text that wraps in at most ``max_lines``. What does not fit is elided and shown as the tooltip.

    Where one line has no room for the text, a ``shorter`` one takes its place if it is given.
    """

    def __init__(self, text: str = "", parent: Optional[QWidget] = None, max_lines: int = 2) -> None:
        super().__init__(parent=parent)
        self.max_lines = max_lines
        self._shorter = ""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.show_text(text)

    def show_text(self, text: str, shorter: str = "") -> None:
        """Show ``text``, or ``shorter`` in a single line that has no room for it."""
        self._shorter = printable(truncate(shorter, _MAX_LABEL_LENGTH))
        self.setText(text)
        self.setToolTip(inert(truncate(text, _MAX_TOOLTIP_LENGTH)))
        self.setAccessibleName(self.text())
        self.updateGeometry()

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """Qt: allow a width far below that of the text."""
        return QSize(20, self.sizeHint().height())

    def sizeHint(self) -> QSize:  # noqa: N802
        """Qt: as high as the lines that the text takes in the present width."""
        metrics = self.fontMetrics()
        # lines may be closer than they are high: the last one needs room for its descenders, too
        above = len(self._lines()) - 1
        last = max(metrics.height(), metrics.lineSpacing()) + (above > 0)
        return QSize(super().sizeHint().width(), metrics.lineSpacing() * max(0, above) + last)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Qt: take the height of the lines in the new width."""
        super().resizeEvent(event)
        self.updateGeometry()

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        """Qt: paint the lines, the last one elided."""
        with painting(self) as painter:
            painter.setPen(self.palette().color(self.foregroundRole()))
            metrics = self.fontMetrics()
            for number, line in enumerate(self._lines()):
                painter.drawText(0, metrics.ascent() + number * metrics.lineSpacing(), line)

    def _lines(self) -> list[str]:
        text, width = self.text(), max(self.width(), 40)
        if self._shorter and self.max_lines == 1 and self.fontMetrics().horizontalAdvance(text) > width:
            text = self._shorter
        return wrap_lines(text, self.font(), width, self.max_lines)
