"""Rich text that can be trusted: nothing is fetched, links go to the browser only when they are http(s) or mail."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any, Iterable, Optional

from qgis.PyQt.QtCore import QEvent, QUrl, pyqtSignal
from qgis.PyQt.QtGui import QDesktopServices, QShowEvent, QTextDocument
from qgis.PyQt.QtWidgets import QFrame, QTextBrowser, QWidget

from ..core.i18n import tr
from .theme import style_sheet

#: rich text longer than this holds the window for too long; the rest is left to "Save as…"
MOST_HTML = 400_000


def open_link(address: str) -> bool:
    """Open an http(s) or mailto address outside QGIS; anything else is refused (False)."""
    url = QUrl(address)
    return url.scheme().lower() in ("http", "https", "mailto") and QDesktopServices.openUrl(url)


class RichText(QTextBrowser):
    """Shows HTML made by us in the theme's colours, whichever it is now; ``clicked`` carries inner links (``#…``)."""

    clicked = pyqtSignal(str)

    def __init__(self, name: str, parent: Optional[QWidget] = None) -> None:
        #: what was given has not been laid out yet
        self._bare = False
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.document().setDocumentMargin(8)
        self.setOpenLinks(False)
        self.setOpenExternalLinks(False)
        self.anchorClicked.connect(self._follow)
        self._body = ""
        self._pictures: dict[str, Any] = {}
        self._dressing = False

    def show_body(self, body: str, pictures: Optional[dict[str, Any]] = None) -> None:
        """Show the HTML ``body``; ``pictures`` maps the ``src`` of its images to QImages.

        A page that nobody sees is laid out when it is looked at: it takes some milliseconds at each record passed by.
        """
        self._body = body
        self._pictures = dict(pictures or {})
        self._bare = True
        if self.isVisible():
            self._dress()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Qt: somebody looks."""
        self._dress_if_bare()
        super().showEvent(event)

    def document(self) -> QTextDocument:
        """Qt: the document, laid out."""
        self._dress_if_bare()
        return super().document()

    def toPlainText(self) -> str:  # noqa: N802
        """Qt: the words of the page."""
        self._dress_if_bare()
        return super().toPlainText()

    def toHtml(self) -> str:  # noqa: N802
        """Qt: the page as Qt writes it."""
        self._dress_if_bare()
        return super().toHtml()

    def add_picture(self, src: str, picture: Any) -> None:
        """Put a picture that came later where ``body`` names it."""
        self._pictures[src] = picture
        if self._bare:
            return
        place = self.verticalScrollBar().value()
        self._dress()
        self.verticalScrollBar().setValue(place)

    def loadResource(self, kind: int, name: QUrl) -> Any:  # noqa: N802
        """Qt: images come from memory alone; nothing is read from files or the network."""
        if kind == QTextDocument.ResourceType.ImageResource:
            return self._pictures.get(name.toString())
        return None

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        """Qt: dress again when the theme or the font changes."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.StyleChange) and self._body and not self._dressing \
                and not self._bare:
            self._dress()

    def _dress_if_bare(self) -> None:
        if self._bare:
            self._dress()

    def _dress(self) -> None:
        self._bare = False
        self._dressing = True
        self.document().setDefaultStyleSheet(style_sheet(self))
        self.setHtml(f"<body>{cut(self._body)}</body>")
        self._dressing = False

    def _follow(self, url: QUrl) -> None:
        address = url.toString()
        if address.startswith("#"):
            self.scrollToAnchor(address[1:])
            self.clicked.emit(address)
        else:
            open_link(address)


def cut(body: str) -> str:
    """``body`` as it is, or its beginning up to a paragraph's end with a word on what was left out."""
    if len(body) <= MOST_HTML:
        return body
    end = max(body.rfind(tag, 0, MOST_HTML) + len(tag) for tag in ("</p>", "</tr>", "</dd>", "</li>", "</div>"))
    return body[:end] + "<p>" + escape(tr("This record is very long; the rest stands in the XML tab.")) + "</p>"


def link(address: str, words: str = "") -> str:
    """An HTML link where the address can be followed, else its text; always escaped."""
    text = escape(words or address)
    if QUrl(address).scheme().lower() not in ("http", "https", "mailto"):
        return text if not words or words == address else f"{text} ({escape(address)})"
    return f'<a href="{escape(address, quote=True)}">{text}</a>'


def paragraphs(text: str) -> str:
    """Plain text as HTML paragraphs, line breaks kept, everything escaped."""
    blocks = [block.strip() for block in text.replace("\r\n", "\n").split("\n\n")]
    return "".join(f"<p>{escape(block).replace(chr(10), '<br>')}</p>" for block in blocks if block)


def fact_table(rows: Iterable[tuple[str, str]]) -> str:
    """Label and value rows (values are HTML already); rows without a value are left out."""
    cells = "".join(f'<tr><th valign="top">{escape(label)}</th><td>{value}</td></tr>' for label, value in rows if value)
    return f'<table cellspacing="0" cellpadding="1">{cells}</table>' if cells else ""


def open_file(path: Path) -> bool:
    """Open a file that we wrote with the program that the system has for it."""
    return QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))
