"""The Service tab: what the record says of the operations, and what the service itself says once it was asked."""

from __future__ import annotations

from typing import Optional

from qgis.PyQt.QtCore import Qt, pyqtSignal
from qgis.PyQt.QtGui import QResizeEvent
from qgis.PyQt.QtWidgets import (
    QBoxLayout,
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ..core.errors import CartoguideError
from ..core.i18n import tr
from ..core.records.model import Record
from ..core.wms.model import Service
from .layers_page import LayersPage
from .operations_page import OperationsPage
from .remedies import RemedyRow
from .rich_text import RichText
from .service_words import service_html

_WIDE = 560
#: pixels of width below which the three pages are named shortly
_NARROW = 345
_LONG = 36
#: pixels of height that a page gets at least
_LEAST_PAGE = 90


class StateRow(QFrame):
    """One line on the state of the service's own description: loading (cancel), failed (again), loaded at (again)."""

    load_asked = pyqtSignal()
    cancel_asked = pyqtSignal()
    details_asked = pyqtSignal()

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.words = QLabel()
        self.words.setWordWrap(True)
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.busy = QProgressBar()
        self.busy.setRange(0, 0)
        self.busy.setTextVisible(False)
        self.busy.setMaximumHeight(6)
        self.button = QPushButton()
        self.details = QPushButton(tr("Details…"))
        self._button_signal = self.load_asked
        self.button.clicked.connect(lambda: self._button_signal.emit())
        self.details.clicked.connect(self.details_asked)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self.details)
        buttons.addWidget(self.button)
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._row.setSpacing(3)
        self._row.addWidget(self.words, 1)
        self._row.addLayout(buttons)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6, 4, 6, 2)
        layout.setSpacing(3)
        layout.addLayout(self._row)
        self.remedies = RemedyRow()
        layout.addWidget(self.remedies)
        layout.addWidget(self.busy)

    def tell(self, words: str, button: str = "", busy: bool = False, details: bool = False) -> None:
        """Show ``words`` and the one thing that can be done about it."""
        self.words.setText(words)
        self.words.setToolTip(words)
        self.setAccessibleName(words)
        self.button.setText(button)
        self.button.setVisible(bool(button))
        self.busy.setVisible(busy)
        self.details.setVisible(details)
        self.remedies.offer(None, self.load_asked.emit)
        self._button_signal = self.cancel_asked if busy else self.load_asked
        # a long reason gets the whole width, its buttons the line below
        directions = QBoxLayout.Direction
        self._row.setDirection(directions.TopToBottom if len(words) > _LONG else directions.LeftToRight)


class ServiceView(QWidget):
    """Layers, operations, and the service as a whole; it asks for the capabilities when it is first seen."""

    load_asked = pyqtSignal(bool)
    cancel_asked = pyqtSignal()
    details_asked = pyqtSignal()

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self._record: Optional[Record] = None
        self._endpoint = ""
        self._waiting = False
        self.state = StateRow()
        self.state.load_asked.connect(lambda: self.load_asked.emit(True))
        self.state.cancel_asked.connect(self.cancel_asked)
        self.state.details_asked.connect(self.details_asked)
        self.operations = OperationsPage()
        self.about = RichText(tr("The service as a whole"))
        self.pages = QStackedWidget()
        # pages scroll; the tallest of them must not make the whole dock too high for a small screen
        self.pages.setMinimumHeight(_LEAST_PAGE)
        self.layers = LayersPage()
        self.layers.operation_asked.connect(self._ask_for)
        self.pages.addWidget(self.layers)
        self.pages.addWidget(self.operations)
        self.pages.addWidget(self.about)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(self.state)
        layout.addLayout(self._page_buttons())
        layout.addWidget(self.pages, 1)
        self._layers_words = tr("Layers")
        self._at_rest = False
        self.operations.currentChanged.connect(lambda _page: self._show_state())
        self.pages.currentChanged.connect(lambda _page: self._show_state())

    def show_record(self, record: Record, endpoint: Optional[str]) -> None:
        """Show what the record says; the live part is asked for when the tab is seen."""
        self._record = record
        self._endpoint = endpoint or ""
        self.layers.show_service(None, self._endpoint)
        self.about.show_body("")
        self.operations.show_record(record)
        self._waiting = bool(endpoint)
        self._name_layers(tr("Layers"))
        self._at_rest = False
        self._show_state()
        if endpoint:
            self.state.tell(tr("The service has not been asked yet."), tr("Load"))
        else:
            self.state.tell(tr("This record names no map service (WMS)."))
            self._go(1)
        if self.isVisible():
            self._ask()

    def show_loading(self) -> None:
        """The service is being asked."""
        self._waiting = self._at_rest = False
        self.state.tell(tr("Asking the service…"), tr("Cancel"), busy=True)
        self._show_state()

    def show_stopped(self) -> None:
        """The person cancelled."""
        self.state.tell(tr("Stopped before the service had answered."), tr("Load"))

    def show_failed(self, error: CartoguideError) -> None:
        """The service could not be read: why, and again."""
        self._waiting = self._at_rest = False
        self._show_state()
        self.state.tell(error.user_text, tr("Try again"), details=bool(error.detail))
        self.state.remedies.offer(error, self.state.load_asked.emit)

    def show_service(self, service: Service, loaded: str, in_trouble: bool = False) -> None:
        """The service's description; ``loaded`` says from when it is and, where it is ``in_trouble``, why no newer."""
        self._waiting = False
        self.layers.show_service(service, self._endpoint)
        count = len(self.layers.model.leaves())
        self._name_layers(tr("Layers ({count})", count=count))
        self.state.tell(loaded, tr("Try again") if in_trouble else tr("Reload"), details=in_trouble)
        self._at_rest = not in_trouble
        self._show_state()
        self.about.show_body(service_html(service))
        self.operations.show_service(self._record, service, self._endpoint)

    def showEvent(self, event: object) -> None:  # noqa: N802
        """Qt: the tab is opened: now the service is asked, if it was not."""
        super().showEvent(event)
        self._ask()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Qt: a wide dock has the details beside the tree, a narrow one below it."""
        super().resizeEvent(event)
        wide = self.width() > _WIDE
        self.layers.splitter.setOrientation(Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical)
        self._name_layers(self._layers_words)

    def _name_layers(self, words: str) -> None:
        """How many layers there are stands on their button where that has the room."""
        self._layers_words = words
        self.buttons.button(0).setText(tr("Layers") if self.width() < _NARROW else words)
        self.buttons.button(0).setToolTip(words)

    def _show_state(self) -> None:
        """Whoever fills in a request needs the room, unless there is something to say."""
        asking = self.pages.currentIndex() == 1 and self.operations.currentIndex() == 1
        self.state.setVisible(not (asking and self._at_rest))

    def _ask(self) -> None:
        if self._waiting:
            self._waiting = False
            self.load_asked.emit(False)

    def _ask_for(self, operation: str, layers: list[str]) -> None:
        self.operations.open_form(operation, layers)
        self._go(1)
        if operation in ("DescribeLayer", "GetStyles"):
            # there is nothing else to choose
            self.operations.send.click()

    def _go(self, page: int) -> None:
        self.buttons.button(page).setChecked(True)
        self.pages.setCurrentIndex(page)

    def _page_buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(4, 0, 4, 0)
        row.setSpacing(2)
        self.buttons = QButtonGroup(self)
        for number, words in enumerate((tr("Layers"), tr("Operations"), tr("About"))):
            button = QToolButton()
            button.setText(words)
            button.setCheckable(True)
            button.setAutoRaise(True)
            button.setChecked(number == 0)
            self.buttons.addButton(button, number)
            row.addWidget(button)
        row.addStretch(1)
        self.buttons.buttonClicked.connect(lambda button: self._go(self.buttons.id(button)))
        return row
