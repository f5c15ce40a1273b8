"""Labels: of plain text, of HTML, with links, and for one line of text that may be wider than the label.

Qt guesses the format of a label's text unless it is set, and opens the files that rich text names. No other module
makes a QLabel.
"""

from __future__ import annotations

from typing import Optional

from qgis.PyQt.QtCore import QEvent, QSize, Qt
from qgis.PyQt.QtGui import QPainter, QPaintEvent, QShowEvent
from qgis.PyQt.QtWidgets import QLabel, QSizePolicy, QWidget

from ...core.records.model.endpoints import is_web_address
from ...core.text import inert, printable, truncate
from .theme import ThemeColours

#: characters of a tooltip: a longer one covers the screen and takes long to lay out
_MAX_TOOLTIP_LENGTH = 2000


def link_target(address: str) -> str:
    """Return what a link's tooltip shows: the address that it leads to, or "" for a link inside the plugin."""
    return inert(address) if is_web_address(address) else ""


class PlainLabel(QLabel):
    """Label whose text is never read as markup, and is shown without control characters and direction marks."""

    def __init__(self, text: str = "", parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(text)

    def setText(self, text: str) -> None:  # noqa: N802
        """Qt: set another text."""
        super().setText(printable(text))


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
        self._html = text
        super().__init__(parent=parent)
        self._html = text
        flags = Qt.TextInteractionFlag
        self.setTextInteractionFlags(flags.LinksAccessibleByMouse | flags.LinksAccessibleByKeyboard)
        self._apply_link_colour()

    def setText(self, text: str) -> None:  # noqa: N802
        """Qt: set another text, which must be HTML of the plugin's making."""
        self._html = text
        self._apply_link_colour()

    def text(self) -> str:
        """Qt: return the text as it was set."""
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

    The text is shortened while it is painted, so ``text()`` always returns all of it.
    """

    def __init__(self, text: str = "", tooltip: str = "", parent: Optional[QWidget] = None) -> None:
        super().__init__(parent=parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.show_text(text, tooltip)

    def show_text(self, text: str, tooltip: str = "") -> None:
        """Show ``text``, with ``tooltip`` instead of the text itself as the tooltip if it is given."""
        self.setText(text)
        self.setToolTip(inert(truncate(tooltip or text, _MAX_TOOLTIP_LENGTH)))
        self.setAccessibleName(text)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """Qt: allow a width far below that of the text."""
        return QSize(20, super().minimumSizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        """Qt: paint the text, elided at the end."""
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        shown = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, self.width())
        painter.drawText(self.rect(), int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), shown)
