"""The operations of a service: what record and service say of them, a form to ask with, the request, the answer."""

from __future__ import annotations

from dataclasses import replace
from typing import Callable, Optional, Sequence

from qgis.PyQt.QtCore import QEvent, QObject, Qt, pyqtSignal
from qgis.PyQt.QtGui import QFontDatabase, QGuiApplication, QTextOption
from qgis.PyQt.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QSplitter,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ..core.custommap.address_choice import choose_address
from ..core.errors import CartoguideError, InvalidRequest
from ..core.i18n import tr
from ..core.records.model import Record
from ..core.request import Request
from ..core.wms.asking import Wanted, expected_of, native_box, request_of, size_of
from ..core.wms.choices import layers_named
from ..core.wms.model import Service
from ..core.wms.offers import offer
from ..core.wms.sending import as_curl, as_message
from ..gis.operation_sending import Answer
from .layer_model import layer_title
from .operation_answer import OperationAnswer
from .operation_fields import Box
from .operation_form import OperationForm
from .operations import LINK, operations_html
from .own_window import OwnWindow
from .rich_text import RichText
from .theme import icon

#: pixels of width from which the answer stands beside the form
_WIDE = 620


class OperationsPage(QStackedWidget):
    """``send_asked`` carries the request, what is expected of its answer, and the size of a map."""

    send_asked = pyqtSignal(object, str, object)
    cancel_asked = pyqtSignal()

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.map_view: Callable[[], Optional[Box]] = lambda: None
        self.map_crs: Callable[[], str] = lambda: ""
        self._service: Optional[Service] = None
        self._offered: Optional[Service] = None
        self._address = ""
        self._request: Optional[Request] = None
        self._wanted = Wanted("GetMap")
        self.list = RichText(tr("Operations of the service"))
        self.list.clicked.connect(self._follow)
        self.ask = QPushButton(tr("Ask the service…"))
        self.ask.clicked.connect(lambda _checked=False: self.open_form())
        self.form = OperationForm(lambda: self.map_view(), lambda: self.map_crs())
        self.form.changed.connect(self._show_request)
        self.answer = OperationAnswer()
        self.answer.back_asked.connect(lambda: self._show_answer_side(False))
        self.answer.cancel_asked.connect(self.cancel_asked)
        self.answer.again_asked.connect(self._send)
        self.form.place.pick_asked.connect(self._pick)
        self.answer.picture.pointed_at.connect(self._pointed_at)
        self.addWidget(self._list_side())
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setChildrenCollapsible(False)
        self.form_side = self._form_side()
        self.splitter.addWidget(self.form_side)
        self.splitter.addWidget(self.answer)
        self.splitter.installEventFilter(self)
        self.own_window = OwnWindow(self.splitter, tr("Cartoguide: ask a service"))
        self.own_window.moved.connect(self._moved)
        self.addWidget(self.own_window)
        self._answer_wanted = False
        self._arrange()

    # -- what there is

    def show_record(self, record: Record) -> None:
        """Another record: what it says of its operations; its service is not known yet."""
        self._service = self._offered = None
        self._answer_wanted = False
        self.own_window.bring_back()
        # an answer of the record before must not come to this one
        self.cancel_asked.emit()
        self.answer.clear()
        self.list.show_body(operations_html(record, None))
        self.ask.setEnabled(False)
        self.ask.setToolTip(tr("The service has not been asked yet."))
        self.setCurrentIndex(0)
        self._arrange()

    def show_service(self, record: Optional[Record], service: Service, endpoint: str) -> None:
        """The service's own description is here: it can be asked."""
        self._service = service
        chosen = choose_address(endpoint, service) if endpoint else None
        self._address = chosen.url if chosen and chosen.ignore_advertised else ""
        if record is not None:
            self.list.show_body(operations_html(record, service))
        self.ask.setEnabled(True)
        self.ask.setToolTip("")
        if self.currentIndex() == 1:
            self._offer()

    def open_form(self, operation: str = "", layers: Sequence[str] = ()) -> None:
        """Show the form, turned to ``operation`` and with ``layers`` where they are told."""
        if self._service is None:
            return
        self._offer()
        if operation:
            self.form.choose(operation, layers)
        self._answer_wanted = False
        self.setCurrentIndex(1)
        self._arrange()
        self.form.operation.setFocus(Qt.FocusReason.OtherFocusReason)

    def _offer(self) -> None:
        """Fill the form: not before it is wanted, and again where the service was read again."""
        if self._service is not None and self._offered is not self._service:
            self._offered = self._service
            self.form.show_service(self._service)

    def _follow(self, address: str) -> None:
        if address.startswith(LINK):
            self.open_form(address[len(LINK):])

    # -- the request

    def _show_request(self) -> None:
        if self._service is None:
            return
        self._request, why = None, ""
        try:
            self._wanted = self.form.wanted()
            self._request = request_of(self._service, self._wanted, self._address)
            if self._wanted.operation in ("GetMap", "GetFeatureInfo"):
                self.form.size.show_height(size_of(self._service, self._wanted)[1])
            text = self._request.url if self._request.body is None else as_message(self._request)
        except InvalidRequest as error:
            text = ""
            why = error.user_text
        self.request.setPlainText(text)
        self.why.setText(why)
        self.why.setVisible(bool(why))
        for button in (self.send, self.copy, self.curl):
            button.setEnabled(self._request is not None)

    def _send(self) -> None:
        if self._request is None or self._service is None:
            return
        expected, size = expected_of(self._service, self._wanted)
        self.answer.show_waiting(tr("Asking for {operation}…", operation=self._wanted.operation))
        self._show_answer_side(True)
        self.send_asked.emit(self._request, expected, size)

    def _pick(self) -> None:
        """Ask for the map that GetFeatureInfo is about, to point at the place in it."""
        if self._service is None:
            return
        try:
            wanted = replace(self.form.wanted(), operation="GetMap", method="GET", format="", column=None, row=None)
            request = request_of(self._service, wanted, self._address)
        except InvalidRequest as error:
            self.why.setText(error.user_text)
            self.why.show()
            return
        self._wanted = wanted
        self.answer.show_waiting(tr("Asking for {operation}…", operation="GetMap"))
        self._show_answer_side(True)
        self.send_asked.emit(request, *expected_of(self._service, wanted))

    def _pointed_at(self, column: int, row: int) -> None:
        """A place in the picture of a map was clicked: that is what GetFeatureInfo is asked about next."""
        self.form.choose("GetFeatureInfo")
        self.form.place.set_place(column, row)
        self._show_answer_side(False)
        self.send.setFocus(Qt.FocusReason.OtherFocusReason)

    def _hint(self) -> str:
        """What a click on the picture does; empty where it does nothing."""
        if self._service is None or self._wanted.operation != "GetMap":
            return ""
        return "" if offer(self._service, "GetFeatureInfo").why_not else tr("Click a place to ask what is there.")

    def _copy(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)

    # -- the answer

    def show_answer(self, answer: Answer) -> None:
        """An answer came."""
        self.answer.show_answer(answer, self.titles(), self._hint(), self._wanted.operation == "GetMap")

    def show_failed(self, error: CartoguideError) -> None:
        """None came."""
        self.answer.show_failed(error)

    def titles(self) -> list[str]:
        """The titles of the layers that were asked about."""
        layers = (self._service.layer(name) if self._service else None for name in self._wanted.layers)
        return [layer_title(layer) for layer in layers if layer is not None]

    def asked_layers(self) -> tuple[str, ...]:
        """The names of the layers that were asked about."""
        return self._wanted.layers

    def asked_box(self) -> Optional[tuple[Box, str]]:
        """The box of the map that was asked for, x to the east, and its coordinate system; None where there is none."""
        if self._service is None:
            return None
        try:
            layers = layers_named(self._service, self._wanted.layers)
            return native_box(self._service, layers, self._wanted), self._wanted.crs
        except InvalidRequest:
            return None

    def asked_operation(self) -> str:
        """The operation that was asked for."""
        return self._wanted.operation

    # -- room

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Qt: where there is room, in a wide dock or a window, the answer stands beside the form."""
        if event.type() == QEvent.Type.Resize:
            self._arrange()
        return False

    def showEvent(self, event: QEvent) -> None:  # noqa: N802
        """Qt: the map window may show something else by now."""
        super().showEvent(event)
        self.form.box.look_again()

    def _show_answer_side(self, on: bool) -> None:
        self._answer_wanted = on
        self._arrange()
        if not on:
            self.form.operation.setFocus(Qt.FocusReason.OtherFocusReason)

    def _arrange(self) -> None:
        wide = self.splitter.width() >= _WIDE
        self.form_side.setVisible(wide or not self._answer_wanted)
        self.answer.setVisible(wide or self._answer_wanted)
        self.answer.back.setVisible(not wide)

    def _moved(self, away: bool) -> None:
        self.larger.setVisible(not away)
        self.back.setVisible(not away)
        self._arrange()

    def _list_side(self) -> QWidget:
        side = QWidget()
        layout = QVBoxLayout(side)
        layout.setContentsMargins(4, 2, 4, 0)
        layout.setSpacing(2)
        layout.addWidget(self.ask)
        layout.addWidget(self.list, 1)
        return side

    def _form_side(self) -> QWidget:
        self.back = QToolButton()
        self.back.setText("‹")
        self.back.setAutoRaise(True)
        self.back.setToolTip(tr("Back to the list of operations"))
        self.back.setAccessibleName(tr("Back to the list of operations"))
        self.back.clicked.connect(lambda _checked=False: self.setCurrentIndex(0))
        self.larger = QToolButton()
        self.larger.setIcon(icon("mActionNewMap"))
        self.larger.setAutoRaise(True)
        self.larger.setToolTip(tr("Open in a window of its own"))
        self.larger.setAccessibleName(tr("Open in a window of its own"))
        self.larger.clicked.connect(lambda _checked=False: self.own_window.open_window())
        self.request = QPlainTextEdit()
        self.request.setReadOnly(True)
        self.request.setAccessibleName(tr("The request"))
        self.request.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.request.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        self.request.setWordWrapMode(QTextOption.WrapMode.WrapAnywhere)
        self.request.setMinimumHeight(self.fontMetrics().height() * 5 + 12)
        self.why = QLabel()
        self.why.setWordWrap(True)
        self.why.setAccessibleName(tr("Why it cannot be sent"))
        self.why.setMaximumHeight(self.fontMetrics().height() * 5)
        self.copy = _small("mActionEditCopy", tr("Copy"), tr("Copy the request"))
        self.copy.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        self.copy.clicked.connect(lambda _checked=False: self._copy(self.request.toPlainText()))
        self.curl = _small("", tr("Copy for curl"), tr("Copy the request as a curl command for a shell"))
        self.curl.clicked.connect(lambda _checked=False: self._copy(as_curl(self._request) if self._request else ""))
        self.send = QPushButton(tr("Send"))
        self.send.setDefault(True)
        self.send.clicked.connect(lambda _checked=False: self._send())
        buttons = QHBoxLayout()
        buttons.setSpacing(3)
        buttons.addWidget(self.copy)
        buttons.addWidget(self.curl)
        buttons.addStretch(1)
        buttons.addWidget(self.send)
        scroll = QScrollArea()
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        inside = QWidget()
        rows = QVBoxLayout(inside)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(3)
        rows.addWidget(self.form)
        rows.addWidget(self.request, 1)
        scroll.setWidget(inside)
        side = QWidget()
        layout = QVBoxLayout(side)
        layout.setContentsMargins(4, 0, 4, 2)
        layout.setSpacing(2)
        top = QHBoxLayout()
        # all in one line: a low dock has room for few
        top.setSpacing(2)
        top.addWidget(self.back)
        top.addWidget(self.form.operation, 1)
        top.addWidget(self.larger)
        layout.addLayout(top)
        layout.addWidget(scroll, 1)
        layout.addWidget(self.why)
        layout.addLayout(buttons)
        return side


def _small(picture: str, words: str, tip: str) -> QToolButton:
    button = QToolButton()
    button.setText(words)
    if picture:
        button.setIcon(icon(picture))
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    button.setToolTip(tip)
    button.setAccessibleName(tip)
    return button
