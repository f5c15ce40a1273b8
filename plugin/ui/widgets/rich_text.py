"""Rich text that can be trusted: nothing is fetched, links go to the browser only when they are http(s) or mail."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any, Iterable, Optional

from qgis.PyQt.QtCore import QEvent, QUrl, pyqtSignal
from qgis.PyQt.QtGui import QDesktopServices, QShowEvent, QTextDocument
from qgis.PyQt.QtWidgets import QFrame, QTextBrowser, QWidget

from ...core.i18n import tr
from .theme import rich_text_style_sheet

#: rich text longer than this holds the window for too long; the rest is left to "Save as…"
MAX_HTML_LENGTH = 400_000


def open_link(address: str) -> bool:
    """Open an http(s) or mailto address outside QGIS; anything else is refused (False)."""
    url = QUrl(address)
    return url.scheme().lower() in ("http", "https", "mailto") and QDesktopServices.openUrl(url)


class RichTextView(QTextBrowser):
    """Shows HTML made by us in the theme's colours, whichever it is now; ``clicked`` carries inner links (``#…``)."""

    link_clicked = pyqtSignal(str)

    def __init__(self, name: str, parent: Optional[QWidget] = None) -> None:
        #: what was given has not been laid out yet
        self._layout_pending = False
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.document().setDocumentMargin(8)
        self.setOpenLinks(False)
        self.setOpenExternalLinks(False)
        self.anchorClicked.connect(self._open_anchor)
        self._html = ""
        self._images: dict[str, Any] = {}
        self._applying = False

    def show_html(self, html: str, images: Optional[dict[str, Any]] = None) -> None:
        """Show the HTML ``body``; ``pictures`` maps the ``src`` of its images to QImages.

        A page that nobody sees is laid out when it is looked at: it takes some milliseconds at each record passed by.
        """
        self._html = html
        self._images = dict(images or {})
        self._layout_pending = True
        if self.isVisible():
            self._apply_html()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Qt: somebody looks."""
        self._apply_pending_html()
        super().showEvent(event)

    def document(self) -> QTextDocument:
        """Qt: the document, laid out."""
        self._apply_pending_html()
        return super().document()

    def toPlainText(self) -> str:  # noqa: N802
        """Qt: the words of the page."""
        self._apply_pending_html()
        return super().toPlainText()

    def toHtml(self) -> str:  # noqa: N802
        """Qt: the page as Qt writes it."""
        self._apply_pending_html()
        return super().toHtml()

    def add_image(self, src: str, image: Any) -> None:
        """Put a picture that came later where ``body`` names it."""
        self._images[src] = image
        if self._layout_pending:
            return
        place = self.verticalScrollBar().value()
        self._apply_html()
        self.verticalScrollBar().setValue(place)

    def loadResource(self, kind: int, name: QUrl) -> Any:  # noqa: N802
        """Qt: images come from memory alone; nothing is read from files or the network."""
        if kind == QTextDocument.ResourceType.ImageResource:
            return self._images.get(name.toString())
        return None

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        """Qt: dress again when the theme or the font changes."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.StyleChange) and self._html and not self._applying \
                and not self._layout_pending:
            self._apply_html()

    def _apply_pending_html(self) -> None:
        if self._layout_pending:
            self._apply_html()

    def _apply_html(self) -> None:
        self._layout_pending = False
        self._applying = True
        self.document().setDefaultStyleSheet(rich_text_style_sheet(self))
        self.setHtml(f"<body>{truncate_html(self._html)}</body>")
        self._applying = False

    def _open_anchor(self, url: QUrl) -> None:
        address = url.toString()
        if address.startswith("#"):
            self.scrollToAnchor(address[1:])
            self.link_clicked.emit(address)
        else:
            open_link(address)


def truncate_html(html: str) -> str:
    """``body`` as it is, or its beginning up to a paragraph's end with a word on what was left out."""
    if len(html) <= MAX_HTML_LENGTH:
        return html
    end = max(html.rfind(tag, 0, MAX_HTML_LENGTH) + len(tag) for tag in ("</p>", "</tr>", "</dd>", "</li>", "</div>"))
    return html[:end] + "<p>" + escape(tr("This record is very long; the rest stands in the XML tab.")) + "</p>"


def html_link(address: str, label: str = "") -> str:
    """An HTML link where the address can be followed, else its text; always escaped."""
    text = escape(label or address)
    if QUrl(address).scheme().lower() not in ("http", "https", "mailto"):
        return text if not label or label == address else f"{text} ({escape(address)})"
    return f'<a href="{escape(address, quote=True)}">{text}</a>'


def html_paragraphs(text: str) -> str:
    """Plain text as HTML paragraphs, line breaks kept, everything escaped."""
    blocks = [block.strip() for block in text.replace("\r\n", "\n").split("\n\n")]
    return "".join(f"<p>{escape(block).replace(chr(10), '<br>')}</p>" for block in blocks if block)


def html_table(rows: Iterable[tuple[str, str]]) -> str:
    """Label and value rows (values are HTML already); rows without a value are left out."""
    cells = "".join(f'<tr><th valign="top">{escape(label)}</th><td>{value}</td></tr>' for label, value in rows if value)
    return f'<table cellspacing="0" cellpadding="1">{cells}</table>' if cells else ""


def open_file(path: Path) -> bool:
    """Open a file that we wrote with the program that the system has for it."""
    return QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))
