"""View of the response to an operation: its type, size, time and problem, and its content."""

from __future__ import annotations

from typing import Optional, Sequence

from qgis.PyQt.QtCore import QEvent, QObject, QSize, Qt, pyqtSignal
from qgis.PyQt.QtGui import QFontDatabase, QImage, QPixmap, QResizeEvent
from qgis.PyQt.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QTabWidget,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from ...app.phrases import scale_range_text, short_address
from ...core.errors import CartoguideError, ServiceError
from ...core.i18n import tr
from ...core.numbers import format_decimal
from ...core.safe_xml import decode_for_display
from ...core.text import escaped, inert, printable
from ...core.wms.responses.image_headers import image_format
from ...core.wms.responses.layer_descriptions import LayerDescription
from ...core.wms.responses.style_rules import LayerStyle, StyleRule, SymbolKind
from ...gis.operations.operation_client import OperationResponse, ResponseKind
from ...gis.operations.response_layers import can_be_added
from ...gis.runtime import images
from ...gis.runtime.compat import event_position
from ..widgets.buttons import icon_button, sign_button
from ..widgets.error_actions import ErrorActionRow
from ..widgets.form_widgets import busy_bar, fill_layout, wrapped_label
from ..widgets.labels import HtmlLabel, PlainLabel
from ..widgets.messages import DetailsDialog
from ..widgets.rich_text import RichTextView
from ..widgets.theme import icon, make_muted, on_white_background
from ..widgets.xml_tab import XmlTab

_MAX_SOURCES = 100
#: greatest number of characters of a plain text on display: the whole text is saved
_MAX_TEXT = 500_000
_EXTENSIONS = {
    "image/png": "png", "image/jpeg": "jpg", "image/gif": "gif", "image/tiff": "tif", "image/svg+xml": "svg",
    "image/webp": "webp", "text/html": "html", "text/plain": "txt", "application/json": "json",
    "application/geo+json": "geojson"
}


class ImagePage(QScrollArea):
    """View of an image that is never enlarged.

    ``pixel_clicked`` carries column and row of a click in pixels of the original image, if clicks are enabled.
    """

    pixel_clicked = pyqtSignal(int, int)

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName(tr("The image received"))
        self._image = QImage()
        self._size = QSize()
        self.hint = PlainLabel(wraps=True)
        self._label = PlainLabel()
        self._label.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        content = QWidget()
        fill_layout(QVBoxLayout(content), self.hint, self._label, wide=self._label, margins=(0, 2, 0, 0))
        self.setWidget(content)
        self.setWidgetResizable(True)
        self._label.installEventFilter(self)

    def show_image(self, image: QImage, size: Optional[tuple[int, int]] = None, hint: str = "") -> None:
        """Show ``image`` on white. ``size`` is its original size in pixels. A ``hint`` enables clicks."""
        self._image = on_white_background(image)
        self._size = QSize(*size) if size else image.size()
        self.hint.setText(hint)
        self.hint.setVisible(bool(hint))
        self._label.setCursor(Qt.CursorShape.CrossCursor if hint else Qt.CursorShape.ArrowCursor)
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Qt: convert a click to a pixel of the image."""
        # the scroll area filters the events of its contents too
        if watched is not self._label:
            return bool(super().eventFilter(watched, event))
        if event.type() == QEvent.Type.MouseButtonRelease and not self.hint.isHidden():
            shown = self._label.pixmap().size()
            position = event_position(event)
            column = int(position.x() * self._size.width() / max(1, shown.width()))
            row = int(position.y() * self._size.height() / max(1, shown.height()))
            if 0 <= column < self._size.width() and 0 <= row < self._size.height():
                self.pixel_clicked.emit(column, row)
        return False

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Qt: fit the image to the width."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        if self._image.isNull():
            return
        room = QSize(max(60, self.viewport().width() - 4), 10_000)
        size = self._image.size()
        if size.width() > room.width():
            size.scale(room, Qt.AspectRatioMode.KeepAspectRatio)
        self._label.setPixmap(QPixmap.fromImage(images.scaled(self._image, size)))


class StylesPage(QTreeWidget):
    """Tree of layers, their styles, and the rules of each style with geometry type and scale range."""

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Styles and their rules"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHeaderLabels([tr("Rule"), tr("Scales")])
        self.setIndentation(14)
        self.setUniformRowHeights(True)

    def show_styles(self, styles: Sequence[LayerStyle]) -> None:
        """Show ``styles``, all expanded."""
        self.clear()
        layers: dict[str, QTreeWidgetItem] = {}
        for style in styles:
            above = layers.get(style.layer)
            if above is None:
                above = layers[style.layer] = QTreeWidgetItem([style.layer, ""])
                self.addTopLevelItem(above)
            if style.name or style.title:
                style_label = style.title or style.name
                named = QTreeWidgetItem(
                    [tr("Style: {name}", name=style_label),
                     tr("default") if style.is_default else ""])
                above.addChild(named)
                above = named
            above.addChildren([_rule_item(rule) for rule in style.rules])
            if not style.rules:
                above.addChild(QTreeWidgetItem([tr("name only, without rules"), ""]))
        self.expandAll()
        self.resizeColumnToContents(0)
        self.setColumnWidth(0, max(120, min(self.columnWidth(0), int(self.width() * 0.62))))


def _rule_item(rule: StyleRule) -> QTreeWidgetItem:
    kinds = {SymbolKind.POINT: tr("points"), SymbolKind.LINE: tr("lines"), SymbolKind.POLYGON: tr("areas"),
             SymbolKind.RASTER: tr("pixels"), SymbolKind.TEXT: tr("labels")}
    name = rule.title or rule.name or tr("unnamed")
    item = QTreeWidgetItem([f"{name} ({kinds[rule.symbol]})", scale_range_text(rule.scale_range) or tr("all")])
    for column in (0, 1):
        item.setToolTip(column, inert(item.text(column)))
    return item


class DataSourcesPage(QScrollArea):
    """List of the data services behind layers.

    ``add_requested`` carries a LayerDescription, one of its types, and its index in the response.
    """

    add_requested = pyqtSignal(object, str, int)

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setAccessibleName(tr("The data behind the layers"))
        self.buttons: list[QPushButton] = []

    def show_sources(self, descriptions: Sequence[LayerDescription], titles: Sequence[str]) -> None:
        """Show a block for each description. ``titles`` are the titles of the requested layers in the same order."""
        self.buttons = []
        content = QWidget()
        layout = QVBoxLayout(content)
        layout.setContentsMargins(8, 6, 8, 6)
        layout.setSpacing(3)
        for index, description in enumerate(descriptions[:_MAX_SOURCES]):
            heading = titles[index] if index < len(titles) else description.layer or ", ".join(description.type_names)
            title = HtmlLabel(f"<b>{escaped(heading)}</b>")
            title.setWordWrap(True)
            layout.addWidget(title)
            source_label = PlainLabel(_source_text(description), wraps=True)
            source_label.setToolTip(inert(description.url))
            layout.addWidget(source_label)
            for type_name in description.type_names if can_be_added(description) else ():
                layout.addWidget(self._button(description, type_name, index, len(description.type_names) > 1))
            layout.addSpacing(8)
        note = PlainLabel(tr("The layer is added to the project with the credit of the record."), wraps=True)
        make_muted(note)
        note.setVisible(bool(self.buttons))
        layout.addWidget(note)
        layout.addStretch(1)
        self.setWidget(content)

    def _button(self, description: LayerDescription, type_name: str, index: int, several: bool) -> QPushButton:
        text = tr("Add {type} as a layer", type=type_name) if several else tr("Add the data as a layer")
        button = QPushButton(
            icon("mActionAddOgrLayer" if description.service_type == "WFS" else "mActionAddRasterLayer"), text)
        button.setAccessibleName(
            tr("Add {type} of the {kind} to the project", type=type_name, kind=description.service_type))

        def add() -> None:
            # a second click would add the layer twice
            button.setEnabled(False)
            self.add_requested.emit(description, type_name, index)

        button.clicked.connect(lambda _checked=False: add())
        self.buttons.append(button)
        return button

    def enable_buttons(self) -> None:
        """Enable the buttons again after data were added or could not be loaded."""
        for button in self.buttons:
            button.setEnabled(True)


def _source_text(description: LayerDescription) -> str:
    if not description.url:
        return tr("This layer has no data that can be downloaded, or the service does not say where they are.")
    return tr("{types}, {kind} at {address}", types=", ".join(description.type_names) or "?",
              kind=description.service_type or "?", address=short_address(description.url))


class OperationAnswerView(QWidget):
    """View of a response.

    ``back_requested`` returns to the form. ``retry_requested`` is emitted after an error action. ``save_requested`` and
    ``add_image_requested`` carry the bytes and a file suffix, the latter for a map to be added as a layer.
    ``add_data_requested`` is that of DataSourcesPage.
    """

    back_requested = pyqtSignal()
    cancel_requested = pyqtSignal()
    retry_requested = pyqtSignal()
    save_requested = pyqtSignal(bytes, str)
    add_data_requested = pyqtSignal(object, str, int)
    add_image_requested = pyqtSignal(bytes, str)

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.answer: Optional[OperationResponse] = None
        self._error: Optional[CartoguideError] = None
        self.back = sign_button("‹", tr("Back to the request"), self.back_requested.emit)
        self.summary_label = wrapped_label()
        self.save = icon_button("mActionFileSaveAs", tr("Save the response as…"), self._save)
        self.as_layer = icon_button("mActionAddRasterLayer", tr("Save this map and add it to the project as a layer…"),
                                    self._add_as_layer)
        self.problem_label = wrapped_label()
        self._warning_icon = PlainLabel()
        self.details = QPushButton(tr("Details…"))
        self.details.clicked.connect(lambda _checked=False: self._show_details())
        self.error_actions = ErrorActionRow()
        self.progress_bar = busy_bar()
        self.cancel = QPushButton(tr("Cancel"))
        self.cancel.clicked.connect(lambda _checked=False: self.cancel_requested.emit())
        self.unsupported_label = wrapped_label()
        self.unsupported_label.setText(tr("This cannot be displayed here. Save it to open it in another program."))
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.setAccessibleName(tr("The response"))
        self.image_page, self.styles, self.data_page = ImagePage(), StylesPage(), DataSourcesPage()
        self.page = RichTextView(tr("The web page received"))
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.text.setAccessibleName(tr("The text received"))
        self.xml = XmlTab(lambda data: self.save_requested.emit(data, "xml"))
        self.data_page.add_requested.connect(self.add_data_requested)
        self._lay_out()
        for page in (self.image_page, self.styles, self.data_page, self.page, self.text, self.xml):
            # a page belongs to the tabs even while none is shown: PyQt 6 would never release one without a parent
            self.tabs.addTab(page, "")
        self.clear()

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setSpacing(2)
        top.addWidget(self.back, 0, Qt.AlignmentFlag.AlignTop)
        top.addWidget(self.summary_label, 1)
        top.addWidget(self.as_layer, 0, Qt.AlignmentFlag.AlignTop)
        top.addWidget(self.save, 0, Qt.AlignmentFlag.AlignTop)
        problem_row = QHBoxLayout()
        problem_row.addWidget(self._warning_icon, 0, Qt.AlignmentFlag.AlignTop)
        problem_row.addWidget(self.problem_label, 1)
        # a long reason gets the whole width, with the actions below it
        action_row = QHBoxLayout()
        action_row.addWidget(self.error_actions, 1)
        action_row.addStretch(0)
        action_row.addWidget(self.details)
        progress_row = fill_layout(QHBoxLayout(), self.progress_bar, self.cancel, wide=self.progress_bar)
        layout = fill_layout(QVBoxLayout(self), top, progress_row, problem_row, action_row, self.unsupported_label,
                             self.tabs, spacing=3, wide=self.tabs, margins=(4, 2, 4, 0))
        # keeps the text of an empty response at the top
        layout.addStretch(0)

    def clear(self) -> None:
        """Show that nothing was requested yet."""
        self._show(tr("No response yet. Fill in the request and send it."))

    def show_waiting(self, text: str) -> None:
        """Show that the request was sent."""
        self._show(text, busy=True)
        self.cancel.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_cancelled(self) -> None:
        self._show(tr("Cancelled before a response was received."))

    def show_error(self, error: CartoguideError) -> None:
        """Show why the service did not respond."""
        self._show(tr("No response."), problem=error)

    def show_answer(self, answer: OperationResponse, titles: Sequence[str] = (), hint: str = "",
                    is_map: bool = False) -> None:
        """Show a response.

        ``titles`` are the titles of the requested layers. ``hint`` says what a click on the image does. ``is_map``
        marks a georeferenced image, which can be added as a layer.
        """
        cancel_had_focus = self.cancel.hasFocus()
        self._show(answer_summary(answer), answer.problem, answer)
        self.as_layer.setVisible(is_map and answer.image is not None and answer.problem is None)
        if answer.image is not None:
            self.image_page.show_image(answer.image, answer.size, "" if answer.problem else hint)
            self.tabs.addTab(self.image_page, tr("Image"))
        if answer.styles:
            self.styles.show_styles(answer.styles)
            self.tabs.addTab(self.styles, tr("Rules"))
        if answer.descriptions:
            self.data_page.show_sources(answer.descriptions, titles)
            self.tabs.addTab(self.data_page, tr("Data"))
        if answer.kind is ResponseKind.HTML:
            self.page.show_html(answer.html)
            self.tabs.addTab(self.page, tr("Page"))
        if answer.kind in (ResponseKind.HTML, ResponseKind.TEXT) and answer.response.body:
            self.text.setPlainText(printable(decode_for_display(answer.response.body)[:_MAX_TEXT]))
            self.tabs.addTab(self.text, tr("Text"))
        if answer.kind is ResponseKind.XML:
            self.xml.show_document(answer.response.body)
            self.tabs.addTab(self.xml, "XML")
        self.tabs.setVisible(self.tabs.count() > 0)
        self.unsupported_label.setVisible(not self.tabs.count() and bool(answer.response.body))
        self.tabs.setCurrentIndex(0)
        if cancel_had_focus:
            self.tabs.tabBar().setFocus(Qt.FocusReason.OtherFocusReason)

    def _show(self, facts: str, problem: Optional[CartoguideError] = None, answer: Optional[OperationResponse] = None,
              busy: bool = False) -> None:
        self.answer, self._error = answer, problem
        self.summary_label.setText(facts)
        self.summary_label.setAccessibleName(facts)
        for widget in (self.progress_bar, self.cancel):
            widget.setVisible(busy)
        self.save.setVisible(answer is not None and bool(answer.response.body))
        self.as_layer.hide()
        self.problem_label.setText(_problem_text(problem) if problem else "")
        self.problem_label.setAccessibleName(self.problem_label.text())
        self.problem_label.setVisible(problem is not None)
        self.error_actions.show_actions(problem, self.retry_requested.emit)
        size = self.fontMetrics().height()
        self._warning_icon.setPixmap(icon("mIconWarning").pixmap(size, size))
        self._warning_icon.setVisible(problem is not None)
        self.details.setVisible(problem is not None and bool(problem.detail))
        self.tabs.clear()
        self.tabs.hide()
        self.unsupported_label.hide()

    def _save(self) -> None:
        if self.answer is not None:
            self.save_requested.emit(self.answer.response.body,
                                     "sld" if self.answer.styles else self._file_extension(self.answer))

    def _add_as_layer(self) -> None:
        if self.answer is not None:
            self.add_image_requested.emit(self.answer.response.body, self._file_extension(self.answer))

    def _file_extension(self, answer: OperationResponse) -> str:
        """Return the file suffix for a response, from the bytes of an image, else from the media type."""
        kind = image_format(answer.response.body)
        if answer.kind is ResponseKind.IMAGE and kind:
            return {"tiff": "tif", "jpeg": "jpg"}.get(kind, kind)
        suffixes = {ResponseKind.IMAGE: "jp2", ResponseKind.XML: "xml", ResponseKind.HTML: "html",
                    ResponseKind.TEXT: "txt"}
        return _EXTENSIONS.get(answer.response.content_type) or suffixes.get(answer.kind, "bin")

    def _show_details(self) -> None:
        if self._error is not None:
            DetailsDialog(self._error.user_text, self._error.detail, self).show()


def _problem_text(problem: CartoguideError) -> str:
    """Return the text of a problem with the service's exception code."""
    code = problem.code if isinstance(problem, ServiceError) else ""
    if not code or code in problem.user_text:
        return problem.user_text
    return f"{problem.user_text} {tr('Its code is {code}.', code=code)}"


def answer_summary(answer: OperationResponse) -> str:
    """Return status, media type, size and time of a response in one line."""
    response = answer.response
    parts = [
        f"HTTP {response.status}" if response.status else "", response.content_type or tr("no type given"),
        tr("{width} × {height} pixels", width=answer.size[0], height=answer.size[1]) if answer.size else "",
        format_size(len(response.body)),
        tr("{seconds} s", seconds=format_decimal(response.seconds, 2)),
        tr("no styles in it") if answer.without_styles else ""
    ]
    # no line break between a number and its unit
    return " · ".join(part.replace(" ", "\u00a0") for part in parts if part)


def format_size(count: int) -> str:
    """Return a number of bytes as text with its unit."""
    if count < 1000:
        return tr("%n byte(s)", n=count)
    return f"{format_decimal(count / 1000, 1)} kB" if count < 1_000_000 else f"{format_decimal(count / 1e6, 1)} MB"
