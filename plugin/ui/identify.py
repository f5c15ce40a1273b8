"""Identify: the map tool, and the panel with the responses of all services at one position."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Callable, List, Optional, Sequence

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsCsException,
    QgsGeometry,
    QgsPointXY,
    QgsProject,
    QgsRectangle,
)
from qgis.gui import QgsMapCanvas, QgsMapMouseEvent, QgsMapTool
from qgis.PyQt.QtCore import QEvent, QObject, QSize, Qt, pyqtSignal
from qgis.PyQt.QtGui import QCursor, QGuiApplication, QKeyEvent, QKeySequence
from qgis.PyQt.QtWidgets import (
    QAbstractItemView,
    QAction,
    QBoxLayout,
    QDockWidget,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from ..core.errors import CartoguideError
from ..core.featureinfo.features import FeatureInfoResult, IdentifiedFeature, as_tsv, attribute_names, group_by_layer
from ..core.i18n import tr
from ..core.numbers import format_decimal
from ..core.text import escaped, inert
from ..gis.operations.identification import (
    CanvasService,
    Identification,
    IdentifyResult,
    click_at,
    find_canvas_services,
)
from ..gis.runtime.guide_pages import GuideTopic
from .widgets import guide
from .widgets.buttons import icon_button
from .widgets.error_actions import ErrorActionRow
from .widgets.form_widgets import busy_bar, fill_layout, narrow_combo_box
from .widgets.labels import HtmlLabel, PlainLabel
from .widgets.messages import DetailsDialog
from .widgets.rich_text import RichTextView
from .widgets.theme import make_muted, scale_font

if TYPE_CHECKING:
    from qgis.gui import QgisInterface


#: greatest height of a table in pixels, beyond which it scrolls
_MAX_HEIGHT = 320
_MAX_COLUMN_WIDTH = 220


class FeatureTable(QTableWidget):
    """Table of a layer's features. Ctrl+C copies the selected row as tab-separated values.

    ``row_selected`` is emitted when another row is selected.
    """

    row_selected = pyqtSignal()

    def __init__(self, layer: str, features: Sequence[IdentifiedFeature], parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.features: List[IdentifiedFeature] = list(features)
        self.single = len(self.features) == 1
        self.setAccessibleName(tr("Features of {layer}", layer=layer))
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setAlternatingRowColors(True)
        self.setTabKeyNavigation(False)
        self.setWordWrap(self.single)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        names = attribute_names(self.features)
        if self.single:
            self._fill_cells([tr("Attribute"), tr("Value")], [[name, self.features[0].value(name)] for name in names])
            self.verticalHeader().hide()
            self.horizontalHeader().setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        else:
            self._fill_cells(names, [[feature.value(name) for name in names] for feature in self.features])
        self.resizeColumnsToContents()
        for column in range(self.columnCount()):
            self.setColumnWidth(column, min(self.columnWidth(column), _MAX_COLUMN_WIDTH))
        self.itemSelectionChanged.connect(self.row_selected)
        self._fit_height()

    def _fill_cells(self, heads: List[str], rows: List[List[str]]) -> None:
        self.setColumnCount(len(heads))
        self.setHorizontalHeaderLabels(heads)
        self.setRowCount(len(rows))
        for row, values in enumerate(rows):
            for column, value in enumerate(values):
                item = QTableWidgetItem(value)
                item.setToolTip(inert(value if len(value) > 20 else ""))
                self.setItem(row, column, item)

    def _fit_height(self) -> None:
        """Set the height to that of all rows up to a limit, so that the panel scrolls and not every table in it."""
        if self.single:
            self.resizeRowsToContents()
        rows = sum(self.rowHeight(row) for row in range(self.rowCount()))
        bar = 0 if self.single else self.horizontalScrollBar().sizeHint().height()
        height = min(self.horizontalHeader().sizeHint().height() + rows + bar + 2 * self.frameWidth() + 2, _MAX_HEIGHT)
        self.setFixedHeight(height)

    def resizeEvent(self, event: object) -> None:  # noqa: N802
        """Qt: wrap long values of a single feature."""
        super().resizeEvent(event)
        if self.single:
            self._fit_height()

    def selected_feature(self) -> IdentifiedFeature:
        """Return the selected feature, or the first one if none is selected."""
        row = self.currentRow()
        return self.features[0 if self.single or row < 0 else row]

    def selected_row_text(self) -> str:
        """Return the selected row as tab-separated values."""
        row = max(0, self.currentRow())
        if self.single:
            cells = [self.item(row, column) for column in range(self.columnCount())]
            return "\t".join(" ".join(cell.text().split()) for cell in cells if cell is not None) + "\n"
        return as_tsv([self.selected_feature()], heading=False) if self.features else ""

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Qt: copy the selected row."""
        if event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self.selected_row_text())
        else:
            super().keyPressEvent(event)

    def sizeHint(self) -> QSize:  # noqa: N802
        """Qt: allow a narrow table."""
        return QSize(200, super().sizeHint().height())


def feature_tables(groups: Sequence[tuple[str, Sequence[IdentifiedFeature]]], parent: QWidget) -> List[FeatureTable]:
    tables = [FeatureTable(layer, features, parent) for layer, features in groups]
    for table in tables:
        table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
    return tables


_MAX_PAGE_HEIGHT = 260
_MAX_TEXT = 100_000
#: least width of a section beside another one, in pixels
_SECTION_WIDTH = 290


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
        self.title = PlainLabel(service.title, wraps=True)
        scale_font(self.title, 1.0, bold=True)
        self.status_label = PlainLabel(wraps=True)
        self.progress_bar = busy_bar()
        self.error_actions = ErrorActionRow()
        self.formats = narrow_combo_box(tr("Format of the response"))
        self.formats.setToolTip(tr("Request again in another format that the service offers"))
        self.formats.setMaximumWidth(self.formats.fontMetrics().averageCharWidth() * 32)
        self.formats.activated.connect(lambda _row: self.query_requested.emit(str(self.formats.currentData() or "")))
        self.body = QVBoxLayout()
        self.body.setSpacing(3)
        layout = fill_layout(QVBoxLayout(self), self.title, self.status_label, self.progress_bar, self.error_actions,
                             spacing=4, margins=(6, 5, 6, 5))
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
            label = PlainLabel(title if len(rows) == 1 else tr("{layer} ({count})", layer=title, count=len(rows)),
                               wraps=True)
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


class IdentifyPanel(QDockWidget):
    """Dock widget with one section for each service. ``zoom_requested`` and ``flash_requested`` carry a Feature."""

    zoom_requested = pyqtSignal(object)
    flash_requested = pyqtSignal(object)

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(tr("Cartoguide: identify results"), parent)
        self.setObjectName("CartoguideIdentify")
        self.sections: List[IdentifySection] = []
        self._identification: Optional[Identification] = None
        self.position_label = PlainLabel(wraps=True)
        self.position_label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.cancel = QPushButton(tr("Cancel"))
        self.cancel.clicked.connect(self.cancel_all)
        top = fill_layout(QHBoxLayout(), self.position_label, self.cancel, wide=self.position_label)
        self._content = QWidget()
        self._sections_layout = QBoxLayout(QBoxLayout.Direction.TopToBottom, self._content)
        self._sections_layout.setContentsMargins(0, 0, 0, 0)
        self._sections_layout.setSpacing(6)
        self.scroll_area = QScrollArea()
        self.scroll_area.setWidgetResizable(True)
        self.scroll_area.setFrameShape(QFrame.Shape.NoFrame)
        self.scroll_area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.scroll_area.setWidget(self._content)
        self.scroll_area.installEventFilter(self)
        body = QWidget()
        fill_layout(QVBoxLayout(body), top, self.scroll_area, spacing=4, wide=self.scroll_area, margins=(6, 4, 6, 6))
        body.setMinimumWidth(250)
        self.setWidget(body)
        guide.install_help(self, GuideTopic.SERVICES)
        self.show_message(tr("Click the map to identify features in all its services."))

    def show_message(self, text: str) -> None:
        self._clear()
        self.position_label.setText("")
        self.cancel.hide()
        self._sections_layout.addWidget(placeholder_label(text))
        self._sections_layout.addStretch(1)

    def show_identification(self, identification: Identification, position: str) -> None:
        """Send the requests of ``identification`` and show a section for each service.

        ``position`` is the text of the clicked coordinates.
        """
        self._clear()
        self._identification = identification
        identification.setParent(self)
        self.position_label.setText(position)
        for number, service in enumerate(identification.canvas_services):
            section = IdentifySection(service)
            section.query_requested.connect(lambda info_format, number=number: self._request(number, info_format))
            section.cancel_requested.connect(lambda number=number: self._cancel(number))
            section.zoom_requested.connect(self.zoom_requested)
            section.flash_requested.connect(self.flash_requested)
            self.sections.append(section)
            self._sections_layout.addWidget(section, 1)
        self._sections_layout.addStretch(0)
        identification.answered.connect(self._on_answered)
        identification.failed.connect(self._on_failed)
        self._arrange()
        for number in range(len(self.sections)):
            self._request(number, "")

    def cancel_all(self) -> None:
        """Cancel the requests of all services that have not responded."""
        for number, section in enumerate(self.sections):
            if section.progress_bar.isVisibleTo(section):
                self._cancel(number)

    def close_down(self) -> None:
        """Cancel all requests before the panel is deleted."""
        self._clear()

    def _request(self, number: int, info_format: str) -> None:
        if self._identification is not None:
            self.sections[number].show_loading()
            self._identification.request(number, info_format)
            self.cancel.show()

    def _cancel(self, number: int) -> None:
        if self._identification is not None:
            self._identification.cancel(number)
            self.sections[number].show_cancelled()
            self._update_cancel_button()

    def _on_answered(self, number: int, outcome: IdentifyResult) -> None:
        self.sections[number].show_outcome(outcome)
        self._update_cancel_button()

    def _on_failed(self, number: int, error: object) -> None:
        self.sections[number].show_error(error)  # type: ignore[arg-type]
        self._update_cancel_button()

    def _update_cancel_button(self) -> None:
        self.cancel.setVisible(self._identification is not None and self._identification.running)

    def _clear(self) -> None:
        if self._identification is not None:
            self._identification.stop()
            self._identification.deleteLater()
            self._identification = None
        self.sections = []
        while self._sections_layout.count():
            widget = self._sections_layout.takeAt(0).widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()

    def _arrange(self) -> None:
        """Place the sections side by side if there is room for all."""
        wide = self.scroll_area.width() >= _SECTION_WIDTH * max(2, len(self.sections))
        directions = QBoxLayout.Direction
        self._sections_layout.setDirection(directions.LeftToRight if wide else directions.TopToBottom)
        for section in self.sections:
            self._sections_layout.setStretchFactor(section, 1 if wide else 0)
        if self._sections_layout.count() > len(self.sections):
            self._sections_layout.setStretch(self._sections_layout.count() - 1, 0 if wide else 1)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Qt: arrange the sections again when the panel changes its width."""
        if watched is self.scroll_area and event.type() == QEvent.Type.Resize:
            self._arrange()
        return bool(super().eventFilter(watched, event))


#: scale for a point feature, unless the canvas shows a larger scale already
_POINT_SCALE = 5000


class IdentifyTool(QgsMapTool):
    """Map tool that emits ``clicked`` with the position in the CRS of the canvas."""

    clicked = pyqtSignal(object)

    def __init__(self, canvas: QgsMapCanvas) -> None:
        super().__init__(canvas)
        self.setCursor(QCursor(Qt.CursorShape.WhatsThisCursor))

    def canvasReleaseEvent(self, event: QgsMapMouseEvent) -> None:  # noqa: N802
        """QGIS: report a click with the left button."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.clicked.emit(event.mapPoint())


class IdentifyController(QObject):
    """Controller of the map tool and its panel, which is created on first use. ``close`` removes both."""

    def __init__(self, iface: QgisInterface, action: Optional[QAction] = None) -> None:
        super().__init__()
        self._iface = iface
        self.canvas: QgsMapCanvas = iface.mapCanvas()
        self.tool = IdentifyTool(self.canvas)
        self.tool.clicked.connect(self.identify)
        if action is not None:
            self.tool.setAction(action)
        self.panel: Optional[IdentifyPanel] = None

    def activate(self) -> None:
        """Activate the map tool and show the panel."""
        self.canvas.setMapTool(self.tool)
        self._show_panel()

    def deactivate(self) -> None:
        """Restore the former map tool."""
        if self.canvas.mapTool() is self.tool:
            self.canvas.unsetMapTool(self.tool)

    def identify(self, point: QgsPointXY) -> None:
        """Query every WMS on the canvas at ``point``, which is in the CRS of the canvas."""
        panel = self._show_panel()
        services = find_canvas_services(self.canvas)
        if not services:
            panel.show_message(tr("No layer of a map service (WMS) is visible on the map."))
            return
        try:
            click = click_at(self.canvas.mapSettings(), point, QgsProject.instance())
        except CartoguideError as error:
            panel.show_message(error.user_text)
            return
        decimals = 5 if self.canvas.mapSettings().destinationCrs().isGeographic() else 1
        position = f"{point.x():.{decimals}f}, {point.y():.{decimals}f} ({click.crs or tr('custom CRS')})"
        panel.show_identification(Identification(click, services), position)

    def close(self) -> None:
        """Remove tool and panel, and cancel running requests."""
        self.deactivate()
        if self.panel is not None:
            self.panel.close_down()
            self._iface.removeDockWidget(self.panel)
            self.panel.deleteLater()
            self.panel = None
        self.tool.deleteLater()

    def _show_panel(self) -> IdentifyPanel:
        if self.panel is None:
            self.panel = IdentifyPanel(self._iface.mainWindow())
            self.panel.zoom_requested.connect(self.zoom_to)
            self.panel.flash_requested.connect(self.flash)
            if not self._iface.mainWindow().restoreDockWidget(self.panel):
                self._place(self.panel)
        self.panel.show()
        self.panel.raise_()
        return self.panel

    def _place(self, panel: IdentifyPanel) -> None:
        """Put the panel on the right, in the place of the records, where it takes nothing of the map's height."""
        window = self._iface.mainWindow()
        self._iface.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, panel)
        records = window.findChild(QDockWidget, "CartoguideDock")
        if records is not None and records.isVisible() and not records.isFloating():
            window.tabifyDockWidget(records, panel)

    # -- features on the map

    def zoom_to(self, feature: IdentifiedFeature) -> None:
        box = self._feature_rectangle(feature)
        if box is None:
            return
        if box.width() > 0 or box.height() > 0:
            box.scale(1.2)
            self.canvas.setExtent(box)
        else:
            self.canvas.setCenter(box.center())
            if self.canvas.scale() > _POINT_SCALE:
                self.canvas.zoomScale(_POINT_SCALE)
        self.canvas.refresh()

    def flash(self, feature: IdentifiedFeature) -> None:
        """Flash the feature, or its bounding box, on the map."""
        geometry = feature_geometry(feature)
        if geometry is not None:
            self.canvas.flashGeometries([geometry], _feature_crs(feature))

    def _feature_rectangle(self, feature: IdentifiedFeature) -> Optional[QgsRectangle]:
        if feature.zoom_bbox is None:
            return None
        west, south, east, north = feature.zoom_bbox
        canvas_crs = self.canvas.mapSettings().destinationCrs()
        transform = QgsCoordinateTransform(_feature_crs(feature), canvas_crs, QgsProject.instance())
        try:
            if west == east and south == north:
                point = transform.transform(QgsPointXY(west, south))
                return QgsRectangle(point, point)
            return transform.transformBoundingBox(QgsRectangle(west, south, east, north))
        except QgsCsException:
            return None


def _feature_crs(feature: IdentifiedFeature) -> QgsCoordinateReferenceSystem:
    """Return the feature's CRS. CRS:84 is a WMS identifier (OGC 06-042 Annex B)."""
    return QgsCoordinateReferenceSystem.fromOgcWmsCrs(feature.crs)


def feature_geometry(feature: IdentifiedFeature) -> Optional[QgsGeometry]:
    """Return the feature's geometry in its CRS, else its bounding box (a point if that has no size), else None."""
    if feature.geometry is not None:
        geometry = QgsGeometry.fromWkt(feature.geometry.wkt())
        return None if geometry.isNull() else geometry
    if feature.bbox is None:
        return None
    west, south, east, north = feature.bbox
    if west == east and south == north:
        return QgsGeometry.fromPointXY(QgsPointXY(west, south))
    return QgsGeometry.fromRect(QgsRectangle(west, south, east, north))
