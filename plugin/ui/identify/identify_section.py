"""Section of the identify panel for one service: its features, pages or texts, and actions on them."""

from __future__ import annotations

from functools import partial
from typing import Callable, List, Optional

from qgis.PyQt.QtCore import pyqtSignal
from qgis.PyQt.QtGui import QGuiApplication
from qgis.PyQt.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from ...core.errors import CartoguideError
from ...core.featureinfo.features import FeatureInfoResult, IdentifiedFeature, as_tsv, group_by_layer
from ...core.i18n import tr
from ...core.numbers import format_decimal
from ...core.text import escaped
from ...gis.operations.identification import CanvasService, IdentifyResult
from ..widgets.buttons import icon_button
from ..widgets.error_actions import ErrorActionRow
from ..widgets.form_widgets import busy_bar, narrow_combo_box
from ..widgets.labels import HtmlLabel, PlainLabel
from ..widgets.messages import DetailsDialog
from ..widgets.rich_text import RichTextView
from ..widgets.theme import make_muted, scale_font
from .feature_table import FeatureTable, feature_tables

_MAX_PAGE_HEIGHT = 260
_MAX_TEXT = 100_000


class IdentifySection(QFrame):
    """Section of one service.

    ``query_requested`` carries an INFO_FORMAT, empty for the best one. ``zoom_requested`` and ``flash_requested`` carry
    a Feature.
    """

    query_requested = pyqtSignal(str)
    cancel_requested = pyqtSignal()
    zoom_requested = pyqtSignal(object)
    flash_requested = pyqtSignal(object)

    def __init__(self, service: CanvasService, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.service = service
        self.answers: List[FeatureInfoResult] = []
        self.tables: List[FeatureTable] = []
        self._current_table: Optional[FeatureTable] = None
        self._error: Optional[CartoguideError] = None
        self._format = ""
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.title = PlainLabel(service.title)
        self.title.setWordWrap(True)
        scale_font(self.title, 1.0, bold=True)
        self.status_label = PlainLabel()
        self.status_label.setWordWrap(True)
        self.progress_bar = busy_bar()
        self.error_actions = ErrorActionRow()
        self.formats = narrow_combo_box(tr("Format of the response"))
        self.formats.setToolTip(tr("Request again in another format that the service offers"))
        self.formats.setMaximumWidth(self.formats.fontMetrics().averageCharWidth() * 32)
        self.formats.activated.connect(lambda _row: self.query_requested.emit(str(self.formats.currentData() or "")))
        self.body = QVBoxLayout()
        self.body.setSpacing(3)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6, 5, 6, 5)
        layout.setSpacing(4)
        layout.addWidget(self.title)
        layout.addWidget(self.status_label)
        layout.addWidget(self.progress_bar)
        layout.addWidget(self.error_actions)
        layout.addLayout(self._buttons())
        layout.addLayout(self.body)
        layout.addStretch(1)
        self.show_loading()

    def _buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(2)
        self.copy_row = icon_button("mActionEditCopy", tr("Copy the selected row"), self._copy_row)
        self.copy_table = icon_button("mActionOpenTable", tr("Copy everything for a spreadsheet"), self._copy_all)
        self.zoom = icon_button("mActionZoomToSelected", tr("Zoom to the feature"),
                                lambda: self._with_feature(self.zoom_requested.emit))
        self.flash = icon_button("mActionHighlightFeature", tr("Flash the feature on the map"),
                                 lambda: self._with_feature(self.flash_requested.emit))
        self.details = icon_button("mActionPropertiesWidget", tr("Details…"), self._show_details)
        self.retry = icon_button("mActionRefresh", tr("Query again"), lambda: self.query_requested.emit(self._format))
        self.cancel = icon_button("mActionCancelEdits", tr("Cancel the requests"), self.cancel_requested.emit)
        row.addWidget(self.formats, 2)
        row.addStretch(1)
        for button in (self.copy_row, self.copy_table, self.zoom, self.flash, self.details, self.retry, self.cancel):
            row.addWidget(button)
        return row

    # -- states

    def show_loading(self) -> None:
        """Show that the request was sent."""
        self._clear()
        self._show_status(tr("Contacting…"), busy=True)

    def show_cancelled(self) -> None:
        self._clear()
        self._show_status(tr("Cancelled before the service responded."))

    def show_error(self, error: CartoguideError) -> None:
        """Show why the service did not respond, and what may resolve it."""
        self._clear()
        self._error = error
        self._show_status(error.user_text)
        self.error_actions.show_actions(error, lambda: self.query_requested.emit(self._format))

    def show_outcome(self, outcome: IdentifyResult) -> None:
        """Show the response of the service."""
        self._clear()
        if outcome.service_title:
            self.title.setText(outcome.service_title)
        self._format = outcome.format
        self._show_formats(outcome)
        self.answers = list(outcome.answers)
        features = [feature for answer in self.answers for feature in answer.features]
        seconds = tr("{seconds} s", seconds=format_decimal(outcome.seconds, 1))
        if not outcome.requested:
            text = tr("No queryable layers here.")
        elif features:
            text = f"{tr('%n feature(s)', n=len(features))} · {seconds}"
        elif all(answer.is_empty for answer in self.answers):
            text = f"{tr('Nothing was found here.')} · {seconds}"
        else:
            text = tr("Response received in {seconds} s.", seconds=format_decimal(outcome.seconds, 1))
        self._show_status("\n".join([text, *outcome.notes]))
        self._show_tables(features)
        for answer in self.answers:
            if not answer.features and not answer.is_empty:
                self._show_page(answer)
        self._update_buttons()

    def _show_formats(self, outcome: IdentifyResult) -> None:
        self.formats.clear()
        for media in outcome.formats:
            self.formats.addItem(media, media)
        self.formats.setCurrentIndex(self.formats.findData(outcome.format))
        self.formats.setVisible(bool(outcome.formats) and outcome.requested)

    def _show_tables(self, features: List[IdentifiedFeature]) -> None:
        titles = self.service.titles
        groups = [(titles.get(layer, layer) or self.service.title, rows) for layer, rows in group_by_layer(features)]
        self.tables = feature_tables(groups, self)
        for (title, rows), table in zip(groups, self.tables):
            label = PlainLabel(title if len(rows) == 1 else tr("{layer} ({count})", layer=title, count=len(rows)))
            label.setWordWrap(True)
            self.body.addWidget(label)
            self.body.addWidget(table)
            table.row_selected.connect(partial(self._select_table, table))
        if self.tables:
            self._current_table = self.tables[0]

    def _show_page(self, answer: FeatureInfoResult) -> None:
        """Show a page without active or external content, or plain text."""
        if answer.html:
            page = RichTextView(tr("The service's response"), self)
            page.show_html(answer.html)
        else:
            page = QPlainTextEdit(answer.text[:_MAX_TEXT], self)
            page.setReadOnly(True)
            page.setAccessibleName(tr("The service's response"))
        self.body.addWidget(page)
        lines = answer.text.count("\n") + 1
        if answer.html:
            page.document().setTextWidth(self.width() - 20)
            height = int(page.document().size().height()) + 6
        else:
            height = page.fontMetrics().lineSpacing() * (lines + 2)
        page.setFixedHeight(max(60, min(height, _MAX_PAGE_HEIGHT)))

    def _select_table(self, table: FeatureTable) -> None:
        """Make the table's row the only selected one, to which the buttons refer."""
        if not table.selectedItems():
            return
        self._current_table = table
        for other in self.tables:
            if other is not table:
                other.clearSelection()
        self._update_buttons()
        if not table.single:
            self._with_feature(self.flash_requested.emit)

    def _clear(self) -> None:
        self.answers, self.tables, self._current_table, self._error = [], [], None, None
        while self.body.count():
            widget = self.body.takeAt(0).widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self.error_actions.show_actions(None, self.cancel_requested.emit)
        self.formats.hide()

    def _show_status(self, text: str, busy: bool = False) -> None:
        self.status_label.setText(text)
        self.setAccessibleName(f"{self.service.title}: {text}")
        self.progress_bar.setVisible(busy)
        self.cancel.setVisible(busy)
        self.retry.setVisible(not busy)
        self.details.setVisible(self._error is not None and bool(self._error.detail))
        self._update_buttons()

    def _update_buttons(self) -> None:
        """Show only the buttons that can be used."""
        placed = self._current_table is not None and self._current_table.selected_feature().zoom_bbox is not None
        self.copy_row.setVisible(self._current_table is not None)
        self.copy_table.setVisible(bool(self.answers) and any(not answer.is_empty for answer in self.answers))
        self.zoom.setVisible(placed)
        self.flash.setVisible(placed)

    # -- actions

    def _with_feature(self, action: Callable[[IdentifiedFeature], object]) -> None:
        if self._current_table is not None and self._current_table.selected_feature().zoom_bbox is not None:
            action(self._current_table.selected_feature())

    def _copy_row(self) -> None:
        if self._current_table is not None:
            QGuiApplication.clipboard().setText(self._current_table.selected_row_text())

    def _copy_all(self) -> None:
        QGuiApplication.clipboard().setText(self.all_text())

    def all_text(self) -> str:
        """Return every table as tab-separated values, then the text of pages."""
        parts = [as_tsv(table.features) for table in self.tables]
        parts += [answer.text for answer in self.answers if not answer.features and not answer.is_empty]
        return "\n".join(parts)

    def _show_details(self) -> None:
        if self._error is not None:
            DetailsDialog(self._error.user_text, self._error.detail, self).show()


def placeholder_label(text: str) -> QLabel:
    """Return a muted label for a panel without results."""
    label = HtmlLabel(f"<p>{escaped(text)}</p>")
    label.setWordWrap(True)
    make_muted(label)
    return label
