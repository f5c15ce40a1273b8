"""Views of a response besides plain text: an image, the rules of styles, the data sources of layers."""

from __future__ import annotations

from typing import Optional, Sequence

from qgis.PyQt.QtCore import QEvent, QObject, QSize, Qt, pyqtSignal
from qgis.PyQt.QtGui import QImage, QPixmap, QResizeEvent
from qgis.PyQt.QtWidgets import (
    QFrame,
    QPushButton,
    QScrollArea,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from ...app.phrases import scale_range_text, short_address
from ...core.i18n import tr
from ...core.text import escaped, inert
from ...core.wms.responses.layer_descriptions import LayerDescription
from ...core.wms.responses.style_rules import LayerStyle, StyleRule, SymbolKind
from ...gis.operations.response_layers import can_be_added
from ...gis.runtime import images
from ...gis.runtime.compat import event_position
from ..widgets.labels import HtmlLabel, PlainLabel
from ..widgets.theme import icon, make_muted, on_white_background

_MAX_SOURCES = 100


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
        self.hint = PlainLabel()
        self.hint.setWordWrap(True)
        self._label = PlainLabel()
        self._label.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        content = QWidget()
        layout = QVBoxLayout(content)
        layout.setContentsMargins(0, 2, 0, 0)
        layout.addWidget(self.hint)
        layout.addWidget(self._label, 1)
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
    item = QTreeWidgetItem(
        [f"{name} ({kinds[rule.symbol]})", scale_range_text(rule.scale_range) or tr("all")])
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
            source_label = PlainLabel(_source_text(description))
            source_label.setWordWrap(True)
            source_label.setToolTip(inert(description.url))
            layout.addWidget(source_label)
            for type_name in description.type_names if can_be_added(description) else ():
                layout.addWidget(self._button(description, type_name, index, len(description.type_names) > 1))
            layout.addSpacing(8)
        note = PlainLabel(tr("The layer is added to the project with the credit of the record."))
        note.setWordWrap(True)
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
