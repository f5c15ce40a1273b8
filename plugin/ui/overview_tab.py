"""The first look at a record: pictures, abstract, who, when, where and keywords, on one page that scrolls."""

from __future__ import annotations

from html import escape
from typing import Optional, Sequence

from qgis.PyQt.QtCore import QEvent, QTimer, pyqtSignal
from qgis.PyQt.QtGui import QImage, QResizeEvent
from qgis.PyQt.QtWidgets import QStyle, QWidget

from ..core.days import shown_day
from ..core.i18n import tr
from ..core.records.codelists import label, language_label
from ..core.records.markup import day
from ..core.records.model import Contact, Record
from ..core.records.starter import MARK, is_starter
from ..gis.thumbnails import AS_OF
from .extent_map import ExtentPainter, extent_words, known_boxes
from .rich_text import RichText, fact_table, link, paragraphs
from .theme import on_paper
from .words import hidden_address

_MAP_RATIO = 0.5
_WIDEST = 420
_PICTURE_HEIGHT = 130


class OverviewTab(RichText):
    """Everything on one page; ``refresh_asked`` is the link that a starter record offers."""

    refresh_asked = pyqtSignal()

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(tr("Overview of the record"), parent)
        self._painter = ExtentPainter(self)
        self._record: Optional[Record] = None
        self._thumbnails: dict[str, QImage] = {}
        self._as_of: dict[str, str] = {}
        self._shown_width = 0
        self._waiting = False
        self._redraw = QTimer(self)
        self._redraw.setSingleShot(True)
        self._redraw.setInterval(60)
        self._redraw.timeout.connect(self._render)
        self.clicked.connect(self._inner_link)

    def show_record(self, record: Record) -> None:
        """Show ``record``; its pictures follow by ``show_thumbnail``."""
        self._record = record
        self._thumbnails, self._as_of = {}, {}
        self._waiting = True
        if self.isVisible():
            self._first_look()

    def show_thumbnail(self, url: str, picture: QImage) -> None:
        """Put a picture of the record's overviews in its place."""
        if self._record and any(overview.url == url for overview in self._record.overviews) and not picture.isNull():
            self._thumbnails[url] = on_paper(picture)
            self._as_of[url] = picture.text(AS_OF)
            if not self._waiting:
                self._redraw.start()

    def showEvent(self, event: QEvent) -> None:  # noqa: N802
        """Qt: now the page is needed."""
        super().showEvent(event)
        if self._waiting:
            self._first_look()

    def _first_look(self) -> None:
        self._waiting = False
        self._render()
        self.verticalScrollBar().setValue(0)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Qt: the pictures are as wide as the page."""
        super().resizeEvent(event)
        if self._record and not self._waiting and abs(self._page_width() - self._shown_width) > 3:
            self._redraw.start()

    def _page_width(self) -> int:
        # as if the scroll bar were always there: pictures that bring it or take it away would be drawn again for ever
        room = self.width() - 2 * self.frameWidth() - self.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent)
        return max(80, min(room - 2 * round(self.document().documentMargin()) - 4, _WIDEST))

    def _render(self) -> None:
        record = self._record
        if record is None:
            return
        self._shown_width = width = self._page_width()
        pictures: dict[str, QImage] = {}
        parts = [self._starter_note(record), self._thumbnail_html(record, width, pictures)]
        parts.append(paragraphs(record.abstract) if record.abstract
                     else f'<p class="quiet">{escape(tr("This record has no abstract."))}</p>')
        parts.append(fact_table(_facts(record)))
        drawn = self._painter.draw(self, record.extents, width, round(width * _MAP_RATIO))
        if drawn is not None:
            pictures["map"] = drawn
            where = "; ".join(extent_words(extent) for extent in record.extents)
            parts.append(f'<p><img src="map" width="{width}" height="{round(width * _MAP_RATIO)}" '
                         f'alt="{escape(where, quote=True)}"></p>')
        words = [word for word in record.keywords if word != MARK]
        if words:
            chips = "&nbsp; ".join(f'<span class="chip">&nbsp;{_unbroken(word)}&nbsp;</span>' for word in words)
            parts.append(f"<p>{chips}</p>")
        place = self.verticalScrollBar().value()
        self.show_body("".join(parts), pictures)
        self.verticalScrollBar().setValue(place)

    @staticmethod
    def _starter_note(record: Record) -> str:
        if not is_starter(record):
            return ""
        words = tr("Starter record: what is known of the service until the catalogue is asked.")
        return (f'<p class="quiet">{escape(words)} '
                f'<a href="#refresh">{escape(tr("Refresh from the catalogue"))}</a></p>')

    def _thumbnail_html(self, record: Record, width: int, pictures: dict[str, QImage]) -> str:
        """The largest of the pictures that came in, not larger than itself."""
        if not self._thumbnails:
            return ""
        url, picture = max(self._thumbnails.items(), key=lambda item: item[1].width())
        fit = min(1.0, width / picture.width(), _PICTURE_HEIGHT / picture.height())
        pictures["thumbnail"] = picture
        words = next((overview.description for overview in record.overviews if overview.url == url), None)
        width, height = round(picture.width() * fit), round(picture.height() * fit)
        since = self._as_of.get(url)
        old = tr("The picture is of {day}; its server does not answer now.", day=shown_day(since)) if since else ""
        return (f'<p><img src="thumbnail" width="{width}" height="{height}" '
                f'alt="{escape(words or tr("Thumbnail"), quote=True)}"></p>'
                + (f'<p class="quiet">{escape(old)}</p>' if old else ""))

    def _inner_link(self, address: str) -> None:
        if address == "#refresh":
            self.refresh_asked.emit()


def _facts(record: Record) -> list[tuple[str, str]]:
    """Label and HTML value of what people look for first."""
    rows = [(label("CI_DateTypeCode", date.type) if date.type else tr("Date"), day(date.value))
            for date in record.dates]
    rows.append((tr("Status"), escape(", ".join(label("MD_ProgressCode", code) for code in record.status))))
    rows += [(_role(contact), _contact(contact)) for contact in record.contacts]
    rows += [(tr("Period"), _period(extent.begin, extent.end)) for extent in record.temporal_extents]
    if record.extents and not known_boxes(record.extents):
        rows.append((tr("Extent"), escape(tr("The record gives no usable box."))))
    else:
        rows += [(tr("Extent"), escape(extent_words(extent))) for extent in record.extents[:3]]
    rows.append((tr("Language"), escape(language_label(record.language)) if record.language else ""))
    rows.append((tr("Links"), "<br>".join(
        link(online.url, online.description or online.name or online.distribution_units or hidden_address(online.url))
        for online in record.online)))
    return rows


def _unbroken(words: str) -> str:
    """Short words stay on one line; long ones may break."""
    return escape(words).replace(" ", "&nbsp;") if len(words) <= 40 else escape(words)


def _role(contact: Contact) -> str:
    return label("CI_RoleCode", contact.role) if contact.role else tr("Contact")


def _contact(contact: Contact) -> str:
    """Organisation, person and ways to reach them, as HTML lines."""
    lines = [escape(text) for text in (contact.organisation, contact.individual, contact.position) if text]
    lines += [link(f"mailto:{email}", email) for email in contact.emails]
    lines += [escape(phone) for phone in contact.phones]
    if contact.url:
        lines.append(link(contact.url))
    return "<br>".join(lines)


def _period(begin: Optional[str], end: Optional[str]) -> str:
    """As HTML."""
    if begin == end:
        return day(begin)
    return tr("{begin} to {end}", begin=day(begin) or "…", end=day(end) or "…")


def picture_addresses(record: Record) -> Sequence[str]:
    """The addresses of the record's overviews, the large one last."""
    return sorted((overview.url for overview in record.overviews), key=lambda url: "large" in url.lower())
