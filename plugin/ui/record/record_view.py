"""Page of the selected record: its head, the button that adds its service to the map, and six tabs."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from functools import partial
from typing import Callable, Optional, Sequence, Tuple

from qgis.core import QgsApplication
from qgis.PyQt.QtCore import QEvent, QObject, QSize, Qt, pyqtSignal
from qgis.PyQt.QtGui import QGuiApplication, QImage, QResizeEvent, QWheelEvent
from qgis.PyQt.QtWidgets import (
    QAbstractScrollArea,
    QApplication,
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QMenu,
    QProxyStyle,
    QScrollArea,
    QSizePolicy,
    QStackedWidget,
    QStyle,
    QStyleOption,
    QTabBar,
    QTabWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ...app.maps.preview_controller import PreviewState
from ...app.phrases import record_title
from ...app.window import Notifier
from ...core.i18n import tr
from ...core.records.model.record import Record
from ...core.review.report.bibliography import CitationFormat
from ...core.terms import summary_sentence
from ...core.terms.model import Terms
from ...core.text import inert, with_bounded_texts
from ...gis.runtime.main_thread import single_shot
from ..service.service_view import ServiceView
from ..widgets.buttons import CopyButton, text_button
from ..widgets.form_widgets import fill_layout
from ..widgets.labels import LimitedLabel, PlainLabel
from ..widgets.map_preview import MapPreview
from ..widgets.theme import scale_font
from ..widgets.xml_tab import XmlTab
from .add_bar import AddToMapBar
from .checks_tab import ChecksTab
from .metadata_tab import MetadataTab
from .overview_tab import OverviewTab
from .terms_tab import TermsTab

#: least width of the text beside the buttons, in characters
_MIN_TEXT_CHARACTERS = 24
#: lines of the credit at most, all of a usual one in a narrow dock at 15 pt, and in a low page at least
_CREDIT_LINES, _LEAST_CREDIT_LINES = 8, 3
#: the credit takes at most this part of the page's height
_CREDIT_SHARE = 3
#: lines of the height of the tabs at least, and the share of the page's height in a lower one
_TAB_LINES, _TAB_SHARE = 16, 0.75
#: the map's preview is at most this part of the page's height
_PREVIEW_SHARE = 5
#: size of the tabs' titles, and their least one, as shares of the page's font, and pixels beside them
_TAB_FONT, _LEAST_TAB_FONT, _TAB_PADDING = 0.95, 0.7, 3


class RecordHeader(QWidget):
    """``back_requested`` asks for the list, ``terms_requested`` for the terms in full."""

    back_requested = pyqtSignal()
    terms_requested = pyqtSignal()

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.back = QToolButton()
        self.back.setArrowType(Qt.ArrowType.LeftArrow)
        self.back.setAutoRaise(True)
        self.back.setToolTip(tr("Back to the list (Esc)"))
        self.back.setAccessibleName(tr("Back to the list"))
        self.back.clicked.connect(lambda _checked=False: self.back_requested.emit())
        # the year of a usual title stands in its fourth line in a narrow dock at 15 pt
        self.title = LimitedLabel(max_lines=4)
        scale_font(self.title, 1.05, bold=True)
        self.terms_label = LimitedLabel(max_lines=4)
        self.terms_label.setCursor(Qt.CursorShape.PointingHandCursor)
        self.terms_label.installEventFilter(self)
        self.credit = LimitedLabel(max_lines=_CREDIT_LINES)
        self.copy = CopyButton(tr("Copy credit"), has_text=False)
        top = QHBoxLayout()
        top.setSpacing(4)
        top.addWidget(self.back, 0, Qt.AlignmentFlag.AlignTop)
        self.favourite = QToolButton()
        self.favourite.setCheckable(True)
        self.favourite.setAutoRaise(True)
        scale_font(self.favourite, 1.3)
        self.more = QToolButton()
        self.more.setText("⋮")
        scale_font(self.more, 1.3, bold=True)
        self.more.setAutoRaise(True)
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more.setStyleSheet("QToolButton::menu-indicator { image: none; }")
        self.more.setMenu(QMenu(self.more))
        self.more.setToolTip(tr("Add, copy, open, export or remove this record"))
        self.more.setAccessibleName(tr("Menu of the record"))
        self.show_favourite(False, False)
        top.addWidget(self.title, 1)
        top.addWidget(self.favourite, 0, Qt.AlignmentFlag.AlignTop)
        top.addWidget(self.more, 0, Qt.AlignmentFlag.AlignTop)
        self.credit_row = QWidget()
        credit = fill_layout(QHBoxLayout(self.credit_row), self.credit, wide=self.credit)
        credit.addWidget(self.copy, 0, Qt.AlignmentFlag.AlignTop)
        self.credit_row.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        fill_layout(QVBoxLayout(self), top, self.terms_label, self.credit_row, spacing=3, margins=(6, 2, 6, 0))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Qt: a click on the sentence opens the terms, to which the tab leads too."""
        if watched is self.terms_label and event.type() == QEvent.Type.MouseButtonRelease:
            self.terms_requested.emit()
        return bool(super().eventFilter(watched, event))

    def show_record(self, record: Record, terms: Terms) -> None:
        self.title.show_text(record_title(record))
        self.show_terms(terms)

    def show_favourite(self, on: bool, possible: bool) -> None:
        """Show on the star whether the record is a favourite. ``possible``: it is in the library."""
        self.favourite.setChecked(on)
        self.favourite.setText("★" if on else "☆")
        self.favourite.setEnabled(possible)
        text = tr("Remove from the favourites") if on else tr("Add to the favourites")
        self.favourite.setToolTip(inert(text if possible else
                                        tr("Save the record in your records to make it a favourite.")))
        self.favourite.setAccessibleName(text)

    def limit_credit(self, height: int) -> None:
        """Let the credit take at most ``height`` pixels, but not less than a few lines."""
        # the last line is a pixel higher
        lines = min(max((height - 1) // self.credit.fontMetrics().lineSpacing(), _LEAST_CREDIT_LINES), _CREDIT_LINES)
        if lines != self.credit.max_lines:
            self.credit.max_lines = lines
            self.credit.updateGeometry()

    def show_terms(self, terms: Terms) -> None:
        """Show other terms of the record, after its service was read."""
        # the credit has a line of its own
        self.terms_label.show_text(summary_sentence(replace(terms, credit="")))
        self.credit.show_text(tr("Credit: {credit}", credit=terms.credit))
        self.copy.text_to_copy = terms.credit
        self.credit_row.setVisible(bool(terms.credit))


def add_citation_menu(menu: QMenu, citation: Callable[[CitationFormat], str], notifier: Notifier) -> QMenu:
    """Add "Copy citation" to a menu. ``citation`` returns what is copied when an entry is chosen."""

    def copy(citation_format: CitationFormat) -> None:
        text = citation(citation_format)
        QGuiApplication.clipboard().setText(text)
        if citation_format is CitationFormat.TEXT:
            notifier.notify(tr("Copied: “{credit}”", credit=text))
        else:
            notifier.notify(tr("The citation was copied as {name}.", name=citation_format.label))

    submenu = menu.addMenu(tr("Copy citation"))
    for citation_format in CitationFormat:
        submenu.addAction(citation_format.label, lambda chosen=citation_format: copy(chosen))
    return submenu


class OriginAction(str, Enum):
    """Action on a record from a catalogue."""

    SAVE = "keep"
    RELOAD = "again"
    DETAILS = "why"


class CatalogueOriginBar(QFrame):
    """Bar with the origin of the selected record.

    ``action_requested`` carries an OriginAction. ``version_requested`` carries the number of a version in the
    list given to ``show_origin``.
    """

    action_requested = pyqtSignal(object)
    version_requested = pyqtSignal(int)

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.text_label = PlainLabel(wraps=True)
        scale_font(self.text_label, 0.92)
        self.text_label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self.save_button = text_button(tr("Save"), partial(self.action_requested.emit, OriginAction.SAVE))
        self.save_button.setToolTip(tr("Save to my records, to use it offline too"))
        self.save_button.setAccessibleName(tr("Save to my records"))
        self.reload_button = text_button(tr("Reload"), partial(self.action_requested.emit, OriginAction.RELOAD))
        self.reload_button.setToolTip(tr("Request the whole record again"))
        self.details_button = text_button(tr("Why"), partial(self.action_requested.emit, OriginAction.DETAILS))
        self.versions = text_button("", None)
        self.versions.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.versions.setToolTip(tr("Every version of this record, the newest first"))
        self.versions.setMenu(QMenu(self.versions))
        self._buttons = QWidget()
        buttons = QHBoxLayout(self._buttons)
        buttons.setContentsMargins(0, 0, 0, 0)
        buttons.setSpacing(4)
        buttons.addStretch(1)
        for button in (self.details_button, self.reload_button, self.versions, self.save_button):
            buttons.addWidget(button)
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._row.setContentsMargins(6, 2, 4, 2)
        self._row.setSpacing(4)
        self._row.addWidget(self.text_label, 1)
        self._row.addWidget(self._buttons)
        self.hide()

    def show_origin(self, text: str, versions: Sequence[Tuple[str, bool]], can_save: bool, failed: bool) -> None:
        """Show the record's origin, or hide the bar if ``text`` is empty.

        ``versions`` holds the label of each version and whether it is the one on display. ``can_save`` offers to save
        the record, and ``failed`` to load it again.
        """
        self.text_label.setText(text)
        self.setAccessibleName(text)
        menu = self.versions.menu()
        menu.clear()
        for number, (label, is_shown) in enumerate(versions):
            action = menu.addAction(label.replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(is_shown)
            action.triggered.connect(lambda _on, number=number: self.version_requested.emit(number))
        self.versions.setText(tr("%n version(s)", n=len(versions)))
        self.versions.setVisible(len(versions) > 1)
        self.save_button.setVisible(can_save)
        for button in (self.reload_button, self.details_button):
            button.setVisible(failed)
        self.setVisible(bool(text))
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Qt: place the buttons below the text in a narrow dock."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        room = self.width() - self._buttons.sizeHint().width()
        beside = room > _MIN_TEXT_CHARACTERS * self.fontMetrics().averageCharWidth()
        self._row.setDirection(QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom)


class CompactTabStyle(QProxyStyle):
    """Style with less space beside the titles of tabs, so that all of them fit in a narrow dock."""

    def pixelMetric(self, metric: QStyle.PixelMetric, option: Optional[QStyleOption] = None,  # noqa: N802
                    widget: Optional[QWidget] = None) -> int:
        """Qt: return a metric of the style in pixels."""
        measure = super().pixelMetric(metric, option, widget)
        return int(min(measure, 6) if metric == QStyle.PixelMetric.PM_TabBarTabHSpace else measure)


class FittedTabBar(QTabBar):
    """Bar whose titles become smaller where not all of them fit in its width, down to ``_LEAST_TAB_FONT``.

    The bar's style sheet sets size and padding: it outranks those of the window and of QGIS's dark themes.
    """

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self._style = CompactTabStyle()
        self._style.setParent(self)
        self.setStyle(self._style)
        self.setExpanding(False)
        self.setUsesScrollButtons(True)
        self._fitted: tuple[object, ...] = ()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Qt: fit the titles to the new width."""
        super().resizeEvent(event)
        self.fit_titles()

    def fit_titles(self) -> None:
        """Choose the size of the titles for the room and the font that the widget around the bar has."""
        page = self.parentWidget()
        size = page.font().pointSizeF() if page is not None else 0.0
        if page is None or size <= 0 or not self.count():
            # a font in pixels
            return
        titles = tuple(self.tabText(number) for number in range(self.count()))
        asked = (page.width(), size, page.font().family(), titles, QgsApplication.instance().styleSheet())
        if asked == self._fitted:
            return
        self._fitted = asked
        self._set_size(size * _TAB_FONT)
        needed = sum(self.tabSizeHint(number).width() for number in range(self.count()))
        if needed > page.width():
            text = sum(self.fontMetrics().horizontalAdvance(title) for title in titles)
            share = (page.width() - (needed - text)) / max(text, 1)
            # glyphs are as wide as whole pixels
            self._set_size(size * max(_LEAST_TAB_FONT, _TAB_FONT * share * 0.97))

    def _set_size(self, points: float) -> None:
        rule = f"QTabBar {{ font-size: {points:.2f}pt; }}"
        # the tabs of a style without such a rule would lose their frames by one
        if "QTabBar::tab" in QgsApplication.instance().styleSheet():
            rule += f" QTabBar::tab {{ padding-left: {_TAB_PADDING}px; padding-right: {_TAB_PADDING}px; }}"
        self.setStyleSheet(rule)


class ScrolledTabs(QTabWidget):
    """Tabs whose pages scroll, so that none of them needs the whole height of its texts."""

    def hasHeightForWidth(self) -> bool:  # noqa: N802
        """Qt: leave the height above the tabs to the credit."""
        return False


class _RecordPage(QWidget):
    """Page that is as high as its texts and the least height of its tabs need at its width."""

    def heightForWidth(self, width: int) -> int:  # noqa: N802
        """Qt: leave the tabs the height that is left, not that of all they show."""
        return int(self.layout().minimumHeightForWidth(width))

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """Qt: take any width, which the tabs' pages share or scroll in."""
        return QSize(0, super().minimumSizeHint().height())


class RecordView(QWidget):
    """Tabs Overview, Terms, Service, Metadata, Checks and XML of the selected record, or a hint to select one."""

    def __init__(self, save_xml: Callable[[bytes], None], parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.overview = OverviewTab()
        self.preview = MapPreview()
        # above the overview only: the other pages need its height
        self.overview_page = QWidget()
        fill_layout(QVBoxLayout(self.overview_page), self.preview, self.overview, wide=self.overview)
        # the page's head has sentence, credit and Copy, whichever tab is shown
        self.terms = TermsTab(has_summary=False)
        self.service = ServiceView()
        self.metadata = MetadataTab()
        self.checks = ChecksTab()
        self.xml = XmlTab(save_xml)
        self.tabs = ScrolledTabs()
        # held, since Qt's bar keeps no object of Python's class alive
        self._tab_bar = FittedTabBar()
        self.tabs.setTabBar(self._tab_bar)
        self._fit_timer = single_shot(self, 0, self._fit_to_font)
        self.tabs.setAccessibleName(tr("Selected record"))
        self._tab_bar.setAccessibleName(tr("Selected record"))
        self.tabs.setDocumentMode(True)
        for widget, title, tip in (
                (self.overview_page, tr("Overview"), tr("Abstract, contacts, dates and extent")),
                (self.terms, tr("Terms"), tr("What you may do with it, and the credit a map must show")),
                (self.service, tr("Service"), tr("Layers, operations and limits of the map service")),
                (self.metadata, tr("Metadata"), tr("Every field of the record")),
                (self.checks, tr("Checks"), tr("Missing, wrong or inconsistent metadata, with advice")),
                (self.xml, tr("XML"), tr("The original document of the record"))):
            self.tabs.setTabToolTip(self.tabs.addTab(widget, title), tip)
        self.header = RecordHeader()
        self.preview.state_changed.connect(
            lambda state: self.overview.show_thumbnails(state not in (PreviewState.LOADED, PreviewState.LOADING)))
        self.header.terms_requested.connect(lambda: self.tabs.setCurrentWidget(self.terms))
        self.add_bar = AddToMapBar()
        content = _RecordPage()
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
        # on a low screen and in large type the head scrolls away
        self.scroll_area = QScrollArea()
        self.scroll_area.setWidget(content)
        self.scroll_area.setWidgetResizable(True)
        self.scroll_area.setFrameShape(QFrame.Shape.NoFrame)
        self.scroll_area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.scroll_area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for area in self.tabs.findChildren(QAbstractScrollArea):
            area.viewport().installEventFilter(self)
        self._stack.addWidget(self.scroll_area)
        fill_layout(QVBoxLayout(self), self._stack)
        self.record: Optional[Record] = None

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Qt: leave the overview of a low page most of the height."""
        super().resizeEvent(event)
        self._tab_bar.fit_titles()
        self.preview.limit_height(event.size().height() // _PREVIEW_SHARE)
        self._share_height()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Qt: let the wheel scroll the head away before what the tab shows."""
        bar = self.scroll_area.verticalScrollBar()
        if isinstance(event, QWheelEvent) and event.angleDelta().y() < 0 and bar.value() < bar.maximum():
            QApplication.sendEvent(bar, event)
            return True
        return bool(super().eventFilter(watched, event))

    def _share_height(self) -> None:
        self.header.limit_credit(self.height() // _CREDIT_SHARE)
        self.tabs.setMinimumHeight(round(min(_TAB_LINES * self.fontMetrics().lineSpacing(),
                                             _TAB_SHARE * self.height())))

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        """Qt: fit the titles of the tabs to another font or theme."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange) and hasattr(self, "_fit_timer"):
            # the tabs inside get their font after this event
            self._fit_timer.start()

    def _fit_to_font(self) -> None:
        self._tab_bar.fit_titles()
        self._share_height()

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
        if former is None or former.id != record.id:
            self.scroll_area.verticalScrollBar().setValue(0)
        shown, shown_terms = with_bounded_texts(record), with_bounded_texts(terms)
        self.header.show_record(shown, shown_terms)
        self.preview.show_title(record_title(shown))
        self.preview.reserve_space(bool(endpoint))
        self.overview.show_record(shown)
        self.terms.show_terms(shown_terms)
        self.service.show_record(record, endpoint)
        self.metadata.show_record(shown, shown_terms)
        self.checks.show_record(record, former if replaced else None)
        self.xml.show_document(record.original)
        self.add_bar.set_disabled_reason("")

    def show_overview(self) -> None:
        """Show the first tab."""
        self.tabs.setCurrentWidget(self.overview_page)

    def show_terms(self, terms: Terms) -> None:
        """Show the terms again after the capabilities of the service were read."""
        if self.record is not None:
            shown_terms = with_bounded_texts(terms)
            self.header.show_terms(shown_terms)
            self.terms.show_terms(shown_terms)
            self.metadata.show_record(with_bounded_texts(self.record), shown_terms)

    def show_thumbnail(self, url: str, image: QImage) -> None:
        self.overview.show_thumbnail(url, image)
