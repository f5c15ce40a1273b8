"""Overview tab: images, abstract, contacts, dates, extents and keywords of a record on one page."""

from __future__ import annotations

from typing import Optional, Sequence

from qgis.PyQt.QtCore import QEvent, QTimer, pyqtSignal
from qgis.PyQt.QtGui import QImage, QResizeEvent
from qgis.PyQt.QtWidgets import QStyle, QWidget

from ...app.phrases import short_address
from ...core.dates import format_day
from ...core.i18n import tr
from ...core.records.model.codelists import code_label
from ...core.records.model.languages import language_label
from ...core.records.model.record import STARTER_KEYWORD, Contact, Record, is_starter
from ...core.records.report.html_fragments import date_html
from ...core.text import escaped
from ...gis.library.thumbnails import AS_OF_KEY
from ...gis.runtime.conversions import extent_rectangles
from ..widgets.rich_text import RichTextView, html_link, html_paragraphs, html_table
from ..widgets.theme import on_white_background
from .extent_preview import ExtentPainter, extent_text

_MAP_RATIO = 0.5
_MAX_WIDTH = 420
_MAX_THUMBNAIL_HEIGHT = 130


class OverviewTab(RichTextView):
    """Page with the most important facts. ``refresh_requested`` is emitted by the link of a starter record."""

    refresh_requested = pyqtSignal()

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(tr("Overview of the record"), parent)
        self._painter = ExtentPainter(self)
        self._record: Optional[Record] = None
        self._thumbnails: dict[str, QImage] = {}
        self._thumbnail_dates: dict[str, str] = {}
        self._shown_width = 0
        self._render_pending = False
        self._render_timer = QTimer(self)
        self._render_timer.setSingleShot(True)
        self._render_timer.setInterval(60)
        self._render_timer.timeout.connect(self._render)
        self._painter.land_read.connect(self._render_timer.start)
        self.link_clicked.connect(self._open_inner_link)

    def show_record(self, record: Record) -> None:
        """Show ``record``. Its images follow by ``show_thumbnail``."""
        self._record = record
        self._thumbnails, self._thumbnail_dates = {}, {}
        self._render_pending = True
        if self.isVisible():
            self._render_from_top()

    def show_thumbnail(self, url: str, image: QImage) -> None:
        """Show an image of the record's overviews. Images of other records are ignored."""
        if self._record and any(overview.url == url for overview in self._record.overviews) and not image.isNull():
            self._thumbnails[url] = on_white_background(image)
            self._thumbnail_dates[url] = image.text(AS_OF_KEY)
            if not self._render_pending:
                self._render_timer.start()

    def showEvent(self, event: QEvent) -> None:  # noqa: N802
        """Qt: render the page if that is pending."""
        super().showEvent(event)
        if self._render_pending:
            self._render_from_top()

    def _render_from_top(self) -> None:
        self._render_pending = False
        self._render()
        self.verticalScrollBar().setValue(0)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Qt: fit the images to the width of the page."""
        super().resizeEvent(event)
        if self._record and not self._render_pending and abs(self._page_width() - self._shown_width) > 3:
            self._render_timer.start()

    def _page_width(self) -> int:
        # with room for the scroll bar: images that make it appear and disappear would be rendered forever
        room = self.width() - 2 * self.frameWidth() - self.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent)
        return int(max(80, min(room - 2 * round(self.document().documentMargin()) - 4, _MAX_WIDTH)))

    def _render(self) -> None:
        record = self._record
        if record is None:
            return
        self._shown_width = width = self._page_width()
        images: dict[str, QImage] = {}
        no_abstract = f'<p class="quiet">{escaped(tr("This record has no abstract."))}</p>'
        parts = [self._starter_note(record), self._thumbnail_html(record, width, images),
                 html_paragraphs(record.abstract) if record.abstract else no_abstract,
                 html_table(_fact_rows(record))]
        map_image = self._painter.draw(self, record.extents, width, round(width * _MAP_RATIO))
        if map_image is not None:
            images["map"] = map_image
            extents = "; ".join(extent_text(extent) for extent in record.extents)
            parts.append(f'<p><img src="map" width="{width}" height="{round(width * _MAP_RATIO)}" '
                         f'alt="{escaped(extents)}"></p>')
        keywords = [word for word in record.keywords if word != STARTER_KEYWORD]
        if keywords:
            chips = "&nbsp; ".join(f'<span class="chip">&nbsp;{_without_line_breaks(word)}&nbsp;</span>'
                                   for word in keywords)
            parts.append(f"<p>{chips}</p>")
        scroll_position = self.verticalScrollBar().value()
        self.show_html("".join(parts), images)
        self.verticalScrollBar().setValue(scroll_position)

    @staticmethod
    def _starter_note(record: Record) -> str:
        if not is_starter(record):
            return ""
        note = tr("Starter record: basic facts about the service until the record is loaded from the catalogue.")
        return (f'<p class="quiet">{escaped(note)} '
                f'<a href="#refresh">{escaped(tr("Refresh from the catalogue"))}</a></p>')

    def _thumbnail_html(self, record: Record, width: int, images: dict[str, QImage]) -> str:
        """Return HTML for the largest image that was loaded, never enlarged."""
        if not self._thumbnails:
            return ""
        url, image = max(self._thumbnails.items(), key=lambda item: item[1].width())
        fit = min(1.0, width / image.width(), _MAX_THUMBNAIL_HEIGHT / image.height())
        images["thumbnail"] = image
        description = next((overview.description for overview in record.overviews if overview.url == url), None)
        width, height = round(image.width() * fit), round(image.height() * fit)
        since = self._thumbnail_dates.get(url)
        old = tr("This image was loaded on {day}. Its server does not respond now.",
                 day=format_day(since)) if since else ""
        return (f'<p><img src="thumbnail" width="{width}" height="{height}" '
                f'alt="{escaped(description or tr("Thumbnail"))}"></p>'
                + (f'<p class="quiet">{escaped(old)}</p>' if old else ""))

    def _open_inner_link(self, address: str) -> None:
        if address == "#refresh":
            self.refresh_requested.emit()


def _fact_rows(record: Record) -> list[tuple[str, str]]:
    """Return pairs of label and HTML value of the most important facts."""
    rows = [(code_label("CI_DateTypeCode", date.type) if date.type else tr("Date"), date_html(date.value))
            for date in record.dates]
    rows.append((tr("Status"), escaped(", ".join(code_label("MD_ProgressCode", code) for code in record.status))))
    rows += [(_role_label(contact), _contact_html(contact)) for contact in record.contacts]
    rows += [(tr("Period"), _period_html(extent.begin, extent.end)) for extent in record.temporal_extents]
    if record.extents and not extent_rectangles(record.extents):
        rows.append((tr("Extent"), escaped(tr("The record states no usable extent."))))
    else:
        rows += [(tr("Extent"), escaped(extent_text(extent))) for extent in record.extents[:3]]
    rows.append((tr("Language"), escaped(language_label(record.language)) if record.language else ""))
    rows.append((tr("Links"), "<br>".join(
        html_link(online.url, online.description or online.name or online.distribution_units or
                  short_address(online.url)) for online in record.online)))
    return rows


def _without_line_breaks(text: str) -> str:
    """Return a short text as HTML that is not broken into lines."""
    return escaped(text).replace(" ", "&nbsp;") if len(text) <= 40 else escaped(text)


def _role_label(contact: Contact) -> str:
    return code_label("CI_RoleCode", contact.role) if contact.role else tr("Contact")


def _contact_html(contact: Contact) -> str:
    """Return organisation, person, position, mail addresses, phones and link as lines of HTML."""
    lines = [escaped(text) for text in (contact.organisation, contact.individual, contact.position) if text]
    lines += [escaped(email) for email in contact.emails]
    lines += [escaped(phone) for phone in contact.phones]
    if contact.url:
        lines.append(html_link(contact.url))
    return "<br>".join(lines)


def _period_html(begin: Optional[str], end: Optional[str]) -> str:
    if begin == end:
        return date_html(begin)
    return tr("{begin} to {end}", begin=date_html(begin) or "…", end=date_html(end) or "…")


def overview_urls(record: Record) -> Sequence[str]:
    """Return the addresses of the record's overviews, large ones last."""
    return sorted((overview.url for overview in record.overviews), key=lambda url: "large" in url.lower())
