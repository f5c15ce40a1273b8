"""Service tab: layers, operations, and the service as a whole, from the record and from the capabilities."""

from __future__ import annotations

from typing import Optional

from qgis.PyQt.QtCore import Qt, pyqtSignal
from qgis.PyQt.QtGui import QResizeEvent
from qgis.PyQt.QtWidgets import (
    QBoxLayout,
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ...core.custommap.map_entries import linked_layers
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.records.model.record import Record
from ...core.text import inert
from ...core.wms.model.service import Service
from ..widgets.error_actions import ErrorActionRow
from ..widgets.form_widgets import busy_bar, fill_layout
from ..widgets.labels import PlainLabel
from ..widgets.rich_text import RichTextView
from ..widgets.theme import font_scale
from .layers_page import LayersPage
from .operations_page import OperationsPage
from .service_html import service_html

_SIDE_BY_SIDE_WIDTH = 560
#: width in pixels below which the buttons of the pages have short labels
_SHORT_LABEL_WIDTH = 345
_LONG_TEXT = 36
#: least height of a page in pixels
_MIN_PAGE_HEIGHT = 90


class ServiceStateRow(QFrame):
    """Line with the state of the capabilities: loading (cancel), failed (try again), loaded (reload)."""

    load_requested = pyqtSignal()
    cancel_requested = pyqtSignal()
    details_requested = pyqtSignal()

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.text_label = PlainLabel(wraps=True)
        self.text_label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.progress_bar = busy_bar()
        self.button = QPushButton()
        self.details = QPushButton(tr("Details…"))
        self._button_signal = self.load_requested
        self.button.clicked.connect(lambda: self._button_signal.emit())
        self.details.clicked.connect(self.details_requested)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self.details)
        buttons.addWidget(self.button)
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._row.setSpacing(3)
        self._row.addWidget(self.text_label, 1)
        self._row.addLayout(buttons)
        layout = fill_layout(QVBoxLayout(self), self._row, spacing=3, margins=(6, 4, 6, 2))
        self.error_actions = ErrorActionRow()
        layout.addWidget(self.error_actions)
        layout.addWidget(self.progress_bar)

    def show_state(self, text: str, button_text: str = "", busy: bool = False, details: bool = False) -> None:
        """Show ``text`` and the button of the action that is available."""
        self.text_label.setText(text)
        self.text_label.setToolTip(inert(text))
        self.setAccessibleName(text)
        self.button.setText(button_text)
        self.button.setVisible(bool(button_text))
        self.progress_bar.setVisible(busy)
        self.details.setVisible(details)
        self.error_actions.show_actions(None, self.load_requested.emit)
        self._button_signal = self.cancel_requested if busy else self.load_requested
        self._place_buttons()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Qt: the width has changed."""
        super().resizeEvent(event)
        self._place_buttons()

    def _place_buttons(self) -> None:
        """Give a long reason, or any text in a narrow dock, the whole width, with the buttons below it."""
        text, margins = self.text_label.text(), self.layout().contentsMargins()
        shown = [button for button in (self.details, self.button) if not button.isHidden()]
        needed = self.text_label.fontMetrics().horizontalAdvance(text) + sum(
            button.sizeHint().width() + self._row.spacing() for button in shown)
        is_long = len(text) > _LONG_TEXT or needed > self.width() - margins.left() - margins.right()
        directions = QBoxLayout.Direction
        self._row.setDirection(directions.TopToBottom if is_long else directions.LeftToRight)


class ServiceView(QWidget):
    """Three pages of the Service tab. The capabilities are requested when it is first shown.

    ``load_requested`` carries True if they are to be loaded again.
    """

    load_requested = pyqtSignal(bool)
    cancel_requested = pyqtSignal()
    details_requested = pyqtSignal()

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self._record: Optional[Record] = None
        self._endpoint = ""
        self._load_pending = False
        #: number of the page that is shown for a record with a service
        self._chosen_page = 0
        self.state = ServiceStateRow()
        self.state.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.state.load_requested.connect(lambda: self.load_requested.emit(True))
        self.state.cancel_requested.connect(self.cancel_requested)
        self.state.details_requested.connect(self.details_requested)
        self.operations = OperationsPage()
        self.about = RichTextView(tr("The service as a whole"))
        self.pages = QStackedWidget()
        # pages scroll, so the tallest of them must not make the dock too high for a small screen
        self.pages.setMinimumHeight(_MIN_PAGE_HEIGHT)
        self.layers = LayersPage()
        self.layers.operation_requested.connect(self._open_operation)
        self.pages.addWidget(self.layers)
        self.pages.addWidget(self.operations)
        self.pages.addWidget(self.about)
        layout = fill_layout(QVBoxLayout(self), self.state, spacing=2)
        layout.addLayout(self._page_buttons())
        layout.addWidget(self.pages, 1)
        # below the state line where the pages are hidden
        layout.addStretch(0)
        self._layers_label = tr("Layers")
        self._is_loaded = False
        self.operations.currentChanged.connect(lambda _page: self._show_state())
        self.pages.currentChanged.connect(lambda _page: self._show_state())

    def show_record(self, record: Record, endpoint: Optional[str]) -> None:
        """Show the record's operations. The capabilities are requested when the tab is visible."""
        self._record = record
        self._endpoint = endpoint or ""
        self.layers.show_service(None, self._endpoint)
        self.about.show_html("")
        self.operations.show_record(record)
        self._load_pending = bool(endpoint)
        self._set_layers_label(tr("Layers"))
        self._is_loaded = False
        self._show_state()
        # of a service of another kind there is nothing to choose here
        for widget in (self.pages, *self.buttons.buttons()):
            widget.setVisible(bool(endpoint or record.operations))
        if endpoint:
            self.state.show_state(tr("The service has not been loaded yet."), tr("Load"))
            self._show_page(self._chosen_page)
        else:
            self.state.show_state(tr("This record names no map service (WMS)."))
            chosen = self._chosen_page
            self._show_page(1)
            # the next record may have layers
            self._chosen_page = chosen
        if self.isVisible():
            self._request_load()

    def show_loading(self) -> None:
        self._load_pending = self._is_loaded = False
        self.state.show_state(tr("Contacting the service…"), tr("Cancel"), busy=True)
        self._show_state()

    def show_error(self, error: CartoguideError) -> None:
        """Show why the capabilities could not be loaded, and what may resolve it."""
        self._load_pending = self._is_loaded = False
        self._show_state()
        self.state.show_state(error.user_text, tr("Try again"), details=bool(error.detail))
        self.state.error_actions.show_actions(error, self.state.load_requested.emit)

    def show_service(self, service: Service, loaded_text: str, has_error: bool = False) -> None:
        """Show the capabilities. ``loaded_text`` says when they were loaded, and why not again if ``has_error``."""
        self._load_pending = False
        linked = linked_layers(self._record, self._endpoint, service).names if self._record is not None else ()
        self.layers.show_service(service, self._endpoint, linked)
        count = len(self.layers.model.requestable_nodes())
        self._set_layers_label(tr("Layers ({count})", count=count))
        self.state.show_state(loaded_text, tr("Try again") if has_error else tr("Reload"), details=has_error)
        self._is_loaded = not has_error
        self._show_state()
        self.about.show_html(service_html(service))
        self.operations.show_service(self._record, service, self._endpoint)

    def showEvent(self, event: object) -> None:  # noqa: N802
        """Qt: request the capabilities if they were not loaded yet."""
        super().showEvent(event)
        self._request_load()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Qt: place the details beside the tree in a wide dock, below it in a narrow one."""
        super().resizeEvent(event)
        wide = self.width() > _SIDE_BY_SIDE_WIDTH * font_scale(self)
        self.layers.splitter.setOrientation(Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical)
        self._set_layers_label(self._layers_label)

    def _set_layers_label(self, text: str) -> None:
        """Show the number of layers on their button if there is room."""
        self._layers_label = text
        self.buttons.button(0).setText(tr("Layers") if self.width() < _SHORT_LABEL_WIDTH * font_scale(self) else text)
        self.buttons.button(0).setToolTip(inert(text))

    def _show_state(self) -> None:
        """Hide the state line beside an open form unless it has a message."""
        asking = self.pages.currentIndex() == 1 and self.operations.currentIndex() == 1
        self.state.setVisible(not (asking and self._is_loaded))

    def _request_load(self) -> None:
        if self._load_pending:
            self._load_pending = False
            self.load_requested.emit(False)

    def _open_operation(self, operation: str, layers: list[str]) -> None:
        self.operations.open_form(operation, layers)
        self._show_page(1)
        if operation in ("DescribeLayer", "GetStyles"):
            # these operations have no other options
            self.operations.send.click()

    def _show_page(self, page: int) -> None:
        self._chosen_page = page
        self.buttons.button(page).setChecked(True)
        self.pages.setCurrentIndex(page)

    def _page_buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(4, 0, 4, 0)
        row.setSpacing(2)
        self.buttons = QButtonGroup(self)
        for number, title in enumerate((tr("Layers"), tr("Operations"), tr("About"))):
            button = QToolButton()
            button.setText(title)
            button.setCheckable(True)
            button.setAutoRaise(True)
            button.setChecked(number == 0)
            self.buttons.addButton(button, number)
            row.addWidget(button)
        row.addStretch(1)
        self.buttons.buttonClicked.connect(lambda button: self._show_page(self.buttons.id(button)))
        return row
