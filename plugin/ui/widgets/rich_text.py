"""Safe rich text: nothing is loaded, and only http(s) links are opened, whose addresses are shown before."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Iterable, Optional

from qgis.PyQt.QtCore import QEvent, QUrl, pyqtSignal
from qgis.PyQt.QtGui import QDesktopServices, QShowEvent, QTextDocument
from qgis.PyQt.QtWidgets import QFrame, QTextBrowser, QWidget

from ...core.addresses import is_web_address
from ...core.i18n import tr
from ...core.text import escaped
from .labels import link_target
from .theme import rich_text_style_sheet

#: longest HTML in characters: layout of a longer one would block the window
MAX_HTML_LENGTH = 400_000


def open_link(address: str) -> bool:
    """Open an http(s) address outside QGIS. Return False for any other address."""
    return is_web_address(address) and QDesktopServices.openUrl(QUrl(address.strip()))


class RichTextView(QTextBrowser):
    """View of HTML of the plugin's making in the colours of the current theme.

    ``link_clicked`` is emitted with the address of an inner link (``#…``).
    """

    link_clicked = pyqtSignal(str)

    def __init__(self, name: str, parent: Optional[QWidget] = None) -> None:
        #: True while the HTML has not been laid out yet
        self._layout_pending = False
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.document().setDocumentMargin(8)
        self.setOpenLinks(False)
        self.setOpenExternalLinks(False)
        self.anchorClicked.connect(self._open_anchor)
        self.highlighted.connect(lambda link: self.setToolTip(link_target(QUrl(link).toString())))
        self._html = ""
        self._images: dict[str, Any] = {}
        self._applying = False

    def show_html(self, html: str, images: Optional[dict[str, Any]] = None) -> None:
        """Show ``html``. ``images`` maps the ``src`` of its images to QImages.

        A hidden page is laid out when it is first shown, because layout takes some milliseconds for each record.
        """
        self._html = html
        self._images = dict(images or {})
        self._layout_pending = True
        if self.isVisible():
            self._apply_html()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Qt: lay out the page if that is pending."""
        self._apply_pending_html()
        super().showEvent(event)

    def document(self) -> QTextDocument:
        """Qt: return the document, laid out."""
        self._apply_pending_html()
        return super().document()

    def toPlainText(self) -> str:  # noqa: N802
        self._apply_pending_html()
        return str(super().toPlainText())

    def toHtml(self) -> str:  # noqa: N802
        """Qt: return the page as Qt's HTML."""
        self._apply_pending_html()
        return str(super().toHtml())

    def loadResource(self, kind: int, name: QUrl) -> Any:  # noqa: N802
        """Qt: return an image from memory. Nothing is read from files or from the network."""
        if kind == QTextDocument.ResourceType.ImageResource:
            return self._images.get(name.toString())
        return None

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        """Qt: lay out the page again when the theme or the font changes."""
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


def truncate_html(html: str, length: int = MAX_HTML_LENGTH) -> str:
    """Return ``html``, or its beginning up to the end of a paragraph with a note about the rest if it is too long."""
    if len(html) <= length:
        return html
    end = max(html.rfind(tag, 0, length) + len(tag) for tag in ("</p>", "</tr>", "</dd>", "</li>", "</div>"))
    if end < length // 2:
        # one paragraph is too long by itself: cut it, but neither a tag nor an entity
        begun = html.rfind("<", 0, length)
        end = begun if begun >= 0 and not -1 < html.find(">", begun) < length else length
        entity = html.rfind("&", max(0, end - 10), end)
        end = entity if entity >= 0 and ";" not in html[entity:end] else end
    return html[:end] + "<p>" + escaped(tr("This record is very long. The XML tab shows all of it.")) + "</p>"


def html_paragraphs(text: str) -> str:
    """Return plain text as escaped HTML paragraphs with its line breaks."""
    blocks = [block.strip() for block in text.replace("\r\n", "\n").split("\n\n")]
    return "".join(f"<p>{escaped(block).replace(chr(10), '<br>')}</p>" for block in blocks if block)


def html_table(rows: Iterable[tuple[str, str]]) -> str:
    """Return pairs of label and HTML value as an HTML table without the rows whose value is empty."""
    cells = "".join(f'<tr><th valign="top">{escaped(label)}</th><td>{value}</td></tr>'
                    for label, value in rows if value)
    return f'<table cellspacing="0" cellpadding="1">{cells}</table>' if cells else ""


def open_file(path: Path) -> bool:
    """Open a file that the plugin wrote with the system's program for it."""
    return bool(QDesktopServices.openUrl(QUrl.fromLocalFile(str(path))))
