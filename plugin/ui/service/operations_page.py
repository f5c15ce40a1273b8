"""Page with the operations of a service: list, request form, the request itself, and the response."""

from __future__ import annotations

from dataclasses import replace
from typing import Callable, Optional, Sequence

from qgis.PyQt.QtCore import QEvent, QObject, Qt, pyqtSignal
from qgis.PyQt.QtGui import QFontDatabase, QGuiApplication, QTextOption
from qgis.PyQt.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QSplitter,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ...core.box import Box
from ...core.errors import CartoguideError, InvalidRequest
from ...core.i18n import tr
from ...core.records.model.record import Record
from ...core.request import HttpMethod, Request, as_curl_command, as_http_message
from ...core.text import inert
from ...core.wms.model.service import Service
from ...core.wms.requests.advertised_operations import advertised_operation
from ...core.wms.requests.operation_options import (
    OperationOptions,
    expected_response,
    map_size,
    native_bbox,
    request_from_options,
)
from ...core.wms.requests.request_validation import require_layers
from ...gis.operations.operation_client import OperationResponse
from ...gis.services.map_addresses import address_of_requests
from ..widgets.buttons import icon_button, sign_button
from ..widgets.form_widgets import fill_layout
from ..widgets.labels import PlainLabel
from ..widgets.rich_text import RichTextView
from ..widgets.theme import font_scale, icon, resize_for_font
from .layer_model import layer_title
from .operation_answer import OperationAnswerView
from .operation_form import OperationForm
from .service_html import OPERATION_LINK_PREFIX, operations_html

#: least width for the response beside the form, in pixels
_SIDE_BY_SIDE_WIDTH = 620


class OperationsPage(QStackedWidget):
    """Stack of the list of operations and the request form.

    ``send_requested`` carries a request, the expected media type of its response, and the size of a map or None.
    """

    send_requested = pyqtSignal(object, str, object)
    cancel_requested = pyqtSignal()

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.canvas_extent: Callable[[], Optional[Box]] = lambda: None
        self.canvas_crs: Callable[[], str] = lambda: ""
        self._service: Optional[Service] = None
        self._form_service: Optional[Service] = None
        self._address = ""
        self._request: Optional[Request] = None
        self._options = OperationOptions()
        self.list_view = RichTextView(tr("Operations of the service"))
        self.list_view.link_clicked.connect(self._open_link)
        self.open_form_button = QPushButton(tr("New request…"))
        self.open_form_button.clicked.connect(lambda _checked=False: self.open_form())
        self.form = OperationForm(lambda: self.canvas_extent(), lambda: self.canvas_crs())
        self.form.changed.connect(self._show_request)
        self.answer = OperationAnswerView()
        self.answer.back_requested.connect(lambda: self._show_answer_in_front(False))
        self.answer.cancel_requested.connect(self.cancel_requested)
        self.answer.retry_requested.connect(self._send)
        self.form.pixel_field.pick_requested.connect(self._request_map_to_pick_from)
        self.answer.image_page.pixel_clicked.connect(self._on_pixel_picked)
        self.addWidget(self._create_list_side())
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setChildrenCollapsible(False)
        self.form_side = self._create_form_side()
        self.splitter.addWidget(self.form_side)
        self.splitter.addWidget(self.answer)
        self.splitter.installEventFilter(self)
        self.detachable_panel = DetachablePanel(self.splitter, tr("Cartoguide: service requests"))
        self.detachable_panel.detached_changed.connect(self._on_detached_changed)
        self.addWidget(self.detachable_panel)
        self._answer_in_front = False
        self._arrange()

    # -- content

    def show_record(self, record: Record) -> None:
        """Show the operations of another record, whose service is not known yet."""
        self._service = self._form_service = None
        self._answer_in_front = False
        self.detachable_panel.reattach()
        # a response to the former record must not be shown for this one
        self.cancel_requested.emit()
        self.answer.clear()
        self.list_view.show_html(operations_html(record, None))
        self.open_form_button.setEnabled(False)
        self.open_form_button.setToolTip(tr("The service has not been loaded yet."))
        self.setCurrentIndex(0)
        self._arrange()

    def show_service(self, record: Optional[Record], service: Service, endpoint: str) -> None:
        """Show the operations from the capabilities, so that requests can be built."""
        self._service = service
        self._address = address_of_requests(endpoint, service) if endpoint else ""
        if record is not None:
            self.list_view.show_html(operations_html(record, service))
        self.open_form_button.setEnabled(True)
        self.open_form_button.setToolTip("")
        if self.currentIndex() == 1:
            self._fill_form()

    def open_form(self, operation: str = "", layers: Sequence[str] = ()) -> None:
        """Open the form with ``operation`` and ``layers`` selected, if they are given."""
        if self._service is None:
            return
        self._fill_form()
        if operation:
            self.form.select_operation(operation, layers)
        self._answer_in_front = False
        self.setCurrentIndex(1)
        self._arrange()
        self.form.operation.setFocus(Qt.FocusReason.OtherFocusReason)

    def _fill_form(self) -> None:
        """Fill the form when it is first needed, and again after the capabilities were reloaded."""
        if self._service is not None and self._form_service is not self._service:
            self._form_service = self._service
            self.form.show_service(self._service)

    def _open_link(self, address: str) -> None:
        if address.startswith(OPERATION_LINK_PREFIX):
            self.open_form(address[len(OPERATION_LINK_PREFIX):])

    # -- the request

    def _show_request(self) -> None:
        if self._service is None:
            return
        self._request, why = None, ""
        try:
            self._options = self.form.options()
            self._request = request_from_options(self._service, self._options, self._address)
            if self._options.operation in ("GetMap", "GetFeatureInfo"):
                self.form.size_field.show_height(map_size(self._service, self._options)[1])
            text = self._request.url if self._request.body is None else as_http_message(self._request)
        except InvalidRequest as error:
            text = ""
            why = error.user_text
        self.request_text.setPlainText(text)
        self.error_label.setText(why)
        self.error_label.setVisible(bool(why))
        for button in (self.send, self.copy, self.curl):
            button.setEnabled(self._request is not None)

    def _send(self) -> None:
        if self._request is None or self._service is None:
            return
        expected, size = expected_response(self._service, self._options)
        self.answer.show_waiting(tr("Requesting {operation}…", operation=self._options.operation))
        self._show_answer_in_front(True)
        self.send_requested.emit(self._request, expected, size)

    def _request_map_to_pick_from(self) -> None:
        """Request the map of the GetFeatureInfo request, in which a pixel can be picked."""
        if self._service is None:
            return
        try:
            options = replace(self.form.options(), operation="GetMap", method=HttpMethod.GET, format="",
                              column=None, row=None)
            request = request_from_options(self._service, options, self._address)
        except InvalidRequest as error:
            self.error_label.setText(error.user_text)
            self.error_label.show()
            return
        self._options = options
        self.answer.show_waiting(tr("Requesting {operation}…", operation="GetMap"))
        self._show_answer_in_front(True)
        self.send_requested.emit(request, *expected_response(self._service, options))

    def _on_pixel_picked(self, column: int, row: int) -> None:
        """Select GetFeatureInfo at the pixel that was clicked in a map."""
        self.form.select_operation("GetFeatureInfo")
        self.form.pixel_field.set_pixel(column, row)
        self._show_answer_in_front(False)
        self.send.setFocus(Qt.FocusReason.OtherFocusReason)

    def _image_hint(self) -> str:
        """Return what a click on the image does, empty if clicks have no effect."""
        if self._service is None or self._options.operation != "GetMap":
            return ""
        return "" if advertised_operation(
            self._service, "GetFeatureInfo").unavailable_reason else tr("Click a position to query the features there.")

    def _copy(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)

    # -- the response

    def show_answer(self, answer: OperationResponse) -> None:
        self.answer.show_answer(answer, self.requested_titles(), self._image_hint(),
                                self._options.operation == "GetMap")

    def show_error(self, error: CartoguideError) -> None:
        """Show why the service did not respond."""
        self.answer.show_error(error)

    @property
    def shown_response(self) -> Optional[OperationResponse]:
        """The response on display, or None before the first one."""
        return self.answer.answer

    def requested_titles(self) -> list[str]:
        layers = (self._service.layer(name) if self._service else None for name in self._options.layers)
        return [layer_title(layer) for layer in layers if layer is not None]

    def requested_layers(self) -> tuple[str, ...]:
        return tuple(self._options.layers)

    def requested_extent(self) -> Optional[tuple[Box, str]]:
        """Return the extent of the requested map, x to the east, and its CRS. None if the request had none."""
        if self._service is None:
            return None
        try:
            layers = require_layers(self._service, self._options.layers)
            return native_bbox(self._service, layers, self._options), self._options.crs
        except InvalidRequest:
            return None

    def requested_operation(self) -> str:
        return self._options.operation

    # -- layout

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Qt: show the response beside the form if there is room."""
        if event.type() == QEvent.Type.Resize:
            self._arrange()
        return False

    def showEvent(self, event: QEvent) -> None:  # noqa: N802
        """Qt: read the extent of the canvas again."""
        super().showEvent(event)
        self.form.extent_field.refresh()

    def _show_answer_in_front(self, on: bool) -> None:
        self._answer_in_front = on
        self._arrange()
        if not on:
            self.form.operation.setFocus(Qt.FocusReason.OtherFocusReason)

    def _arrange(self) -> None:
        wide = self.splitter.width() >= _SIDE_BY_SIDE_WIDTH * font_scale(self)
        self.form_side.setVisible(wide or not self._answer_in_front)
        self.answer.setVisible(wide or self._answer_in_front)
        self.answer.back.setVisible(not wide)

    def _on_detached_changed(self, away: bool) -> None:
        self.detach_button.setVisible(not away)
        self.back.setVisible(not away)
        self._arrange()

    def _create_list_side(self) -> QWidget:
        side = QWidget()
        fill_layout(QVBoxLayout(side), self.open_form_button, self.list_view, spacing=2, wide=self.list_view,
                    margins=(4, 2, 4, 0))
        return side

    def _create_form_side(self) -> QWidget:
        self.back = sign_button("‹", tr("Back to the list of operations"), lambda: self.setCurrentIndex(0))
        self.detach_button = icon_button("mActionNewMap", tr("Open in a separate window"),
                                         lambda: self.detachable_panel.detach())
        self.request_text = QPlainTextEdit()
        self.request_text.setReadOnly(True)
        self.request_text.setAccessibleName(tr("The request"))
        self.request_text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.request_text.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        self.request_text.setWordWrapMode(QTextOption.WrapMode.WrapAnywhere)
        self.request_text.setMinimumHeight(self.fontMetrics().height() * 5 + 12)
        self.error_label = PlainLabel(wraps=True)
        self.error_label.setAccessibleName(tr("Why it cannot be sent"))
        self.error_label.setMaximumHeight(self.fontMetrics().height() * 5)
        self.copy = _tool_button("mActionEditCopy", tr("Copy"), tr("Copy the request"))
        self.copy.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        self.copy.clicked.connect(lambda _checked=False: self._copy(self.request_text.toPlainText()))
        self.curl = _tool_button("", tr("Copy for curl"), tr("Copy the request as a curl command for a shell"))
        self.curl.clicked.connect(
            lambda _checked=False: self._copy(as_curl_command(self._request) if self._request else ""))
        self.send = QPushButton(tr("Send"))
        self.send.setDefault(True)
        self.send.clicked.connect(lambda _checked=False: self._send())
        buttons = fill_layout(QHBoxLayout(), self.copy, self.curl, spacing=3)
        buttons.addStretch(1)
        buttons.addWidget(self.send)
        scroll = QScrollArea()
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        content = QWidget()
        fill_layout(QVBoxLayout(content), self.form, self.request_text, spacing=3, wide=self.request_text)
        scroll.setWidget(content)
        side = QWidget()
        layout = QVBoxLayout(side)
        layout.setContentsMargins(4, 0, 4, 2)
        layout.setSpacing(2)
        top = QHBoxLayout()
        # all in one line, because a low dock has room for few lines
        top.setSpacing(2)
        top.addWidget(self.back)
        top.addWidget(self.form.operation, 1)
        top.addWidget(self.detach_button)
        layout.addLayout(top)
        layout.addWidget(scroll, 1)
        layout.addWidget(self.error_label)
        layout.addLayout(buttons)
        return side


def _tool_button(icon_name: str, text: str, tip: str) -> QToolButton:
    button = QToolButton()
    button.setText(text)
    if icon_name:
        button.setIcon(icon(icon_name))
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    button.setToolTip(inert(tip))
    button.setAccessibleName(tip)
    return button


_SIZE = (860, 600)


class DetachablePanel(QWidget):
    """Panel that shows ``content`` in place or, after ``detach``, in a separate window that is not modal.

    Closing the window moves the content back. ``detached_changed`` is emitted with True when the content moves to the
    window and with False when it moves back.
    """

    detached_changed = pyqtSignal(bool)

    def __init__(self, content: QWidget, title: str, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self._content, self._title = content, title
        self._dialog: Optional[_DetachedWindow] = None
        self._placeholder = PlainLabel(tr("This is open in a separate window."), wraps=True)
        self._reattach_button = QPushButton(tr("Move it back"))
        self._reattach_button.clicked.connect(lambda _checked=False: self.reattach())
        self._layout = fill_layout(QVBoxLayout(self), content, self._placeholder, wide=content)
        self._layout.addWidget(self._reattach_button, 0, Qt.AlignmentFlag.AlignLeft)
        self._layout.addStretch(0)
        self._update_placeholder(False)

    def detach(self) -> None:
        """Move the content to its window."""
        if self._dialog is None:
            self._dialog = _DetachedWindow(self._title, self._content, self)
            self._dialog.finished.connect(lambda _result: self.reattach())
            self._update_placeholder(True)
        self._dialog.show()
        self._dialog.raise_()

    def reattach(self) -> None:
        """Move the content back into the panel."""
        if self._dialog is None:
            return
        dialog, self._dialog = self._dialog, None
        self._layout.insertWidget(0, self._content, 1)
        self._content.show()
        dialog.close()
        dialog.deleteLater()
        self._update_placeholder(False)

    def _update_placeholder(self, detached: bool) -> None:
        self._placeholder.setVisible(detached)
        self._reattach_button.setVisible(detached)
        self.detached_changed.emit(detached)


class _DetachedWindow(QDialog):
    """Window of a detached panel, closed by Escape or by its close button."""

    def __init__(self, title: str, content: QWidget, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setWindowFlag(Qt.WindowType.WindowMaximizeButtonHint)
        fill_layout(QVBoxLayout(self), content, margins=(6, 6, 6, 6))
        resize_for_font(self, *_SIZE)

    def closeEvent(self, event: QEvent) -> None:  # noqa: N802
        """Qt: treat the close button like Escape."""
        super().closeEvent(event)
        self.finished.emit(0)
