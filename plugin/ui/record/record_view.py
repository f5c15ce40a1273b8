"""Page of the selected record: its head, the button that adds its service to the map, and six tabs."""

from __future__ import annotations

from typing import Callable, Optional

from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtGui import QImage, QResizeEvent
from qgis.PyQt.QtWidgets import QProxyStyle, QStackedWidget, QStyle, QStyleOption, QTabWidget, QVBoxLayout, QWidget

from ...core.i18n import tr
from ...core.records.model.record import Record
from ...core.terms.model import Terms
from ...core.text import with_bounded_texts
from ..service.service_view import ServiceView
from ..widgets.labels import PlainLabel
from ..widgets.theme import scale_font
from ..widgets.xml_tab import XmlTab
from .add_bar import AddToMapBar
from .checks_tab import ChecksTab
from .metadata_tab import MetadataTab
from .overview_tab import OverviewTab
from .record_header import RecordHeader
from .terms_tab import TermsTab

#: the map's preview is at most this part of the page's height
_PREVIEW_SHARE = 5


class CompactTabStyle(QProxyStyle):
    """Style with less space beside the titles of tabs, so that all of them fit in a narrow dock."""

    def pixelMetric(self, metric: QStyle.PixelMetric, option: Optional[QStyleOption] = None,  # noqa: N802
                    widget: Optional[QWidget] = None) -> int:
        """Qt: return a metric of the style in pixels."""
        measure = super().pixelMetric(metric, option, widget)
        return int(min(measure, 6) if metric == QStyle.PixelMetric.PM_TabBarTabHSpace else measure)


class RecordView(QWidget):
    """Tabs Overview, Terms, Service, Metadata, Checks and XML of the selected record, or a hint to select one."""

    def __init__(self, save_xml: Callable[[bytes], None], parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.overview = OverviewTab()
        self.terms = TermsTab()
        self.service = ServiceView()
        self.metadata = MetadataTab()
        self.checks = ChecksTab()
        self.xml = XmlTab(save_xml)
        self.tabs = QTabWidget()
        self.tabs.setAccessibleName(tr("Selected record"))
        self.tabs.tabBar().setAccessibleName(tr("Selected record"))
        self.tabs.setDocumentMode(True)
        self.tabs.setUsesScrollButtons(True)
        self.tabs.tabBar().setExpanding(False)
        # held, since what scales its font lives no longer than Python's object of the bar, which Qt has made
        self._tab_bar = self.tabs.tabBar()
        scale_font(self._tab_bar, 0.95)
        self._tab_style = CompactTabStyle()
        self._tab_style.setParent(self)
        self.tabs.tabBar().setStyle(self._tab_style)
        for widget, title, tip in (
                (self.overview, tr("Overview"), tr("Abstract, contacts, dates and extent")),
                (self.terms, tr("Terms"), tr("What you may do with it, and the credit a map must show")),
                (self.service, tr("Service"), tr("Layers, operations and limits of the map service")),
                (self.metadata, tr("Metadata"), tr("Every field of the record")),
                (self.checks, tr("Checks"), tr("Missing, wrong or inconsistent metadata, with advice")),
                (self.xml, tr("XML"), tr("The original document of the record"))):
            self.tabs.setTabToolTip(self.tabs.addTab(widget, title), tip)
        self.header = RecordHeader()
        self.header.terms_requested.connect(lambda: self.tabs.setCurrentWidget(self.terms))
        self.add_bar = AddToMapBar()
        content = QWidget()
        inner = self._page_layout = QVBoxLayout(content)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(0)
        inner.addWidget(self.header)
        inner.addWidget(self.add_bar)
        inner.addWidget(self.tabs, 1)
        nothing = PlainLabel(tr("Choose a record to see its terms and layers."))
        nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        nothing.setWordWrap(True)
        nothing.setEnabled(False)
        self._stack = QStackedWidget()
        self._stack.addWidget(nothing)
        self._stack.addWidget(content)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._stack)
        self.record: Optional[Record] = None

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Qt: leave the tabs of a low page most of the height."""
        super().resizeEvent(event)
        self.header.preview.limit_height(event.size().height() // _PREVIEW_SHARE)

    def insert_above_tabs(self, widget: QWidget) -> None:
        """Insert ``widget`` above the tabs, for information that is not part of the record."""
        self._page_layout.insertWidget(self._page_layout.indexOf(self.add_bar), widget)

    def show_record(self, record: Optional[Record], terms: Optional[Terms], endpoint: Optional[str]) -> None:
        """Show ``record`` in all tabs, or the hint if it is None.

        ``endpoint`` is the address of its WMS, or None if it names none.
        """
        former = self.record
        replaced = (former is not None and record is not None and bool(former.id) and former.id == record.id
                    and former != record)
        self.record = record
        self._stack.setCurrentIndex(0 if record is None else 1)
        if record is None or terms is None:
            return
        shown, shown_terms = with_bounded_texts(record), with_bounded_texts(terms)
        self.header.show_record(shown, shown_terms)
        self.header.preview.reserve_space(bool(endpoint))
        self.overview.show_record(shown)
        self.terms.show_terms(shown_terms)
        self.service.show_record(record, endpoint)
        self.metadata.show_record(shown, shown_terms)
        self.checks.show_record(record, former if replaced else None)
        self.xml.show_document(record.original)
        self.add_bar.set_disabled_reason("")

    def show_terms(self, terms: Terms) -> None:
        """Show the terms again after the capabilities of the service were read."""
        if self.record is not None:
            shown_terms = with_bounded_texts(terms)
            self.header.show_terms(shown_terms)
            self.terms.show_terms(shown_terms)
            self.metadata.show_record(with_bounded_texts(self.record), shown_terms)

    def show_thumbnail(self, url: str, image: QImage) -> None:
        self.overview.show_thumbnail(url, image)
