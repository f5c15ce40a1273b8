"""Compound fields of an operation's form: extent, size, pixel position, style, one choice for each layer."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Callable, Mapping, Optional, Sequence

from qgis.gui import QgsColorButton, QgsFileWidget
from qgis.PyQt.QtCore import pyqtSignal
from qgis.PyQt.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QSpinBox,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ...core.errors import CartoguideError, InvalidRequest
from ...core.i18n import tr
from ...core.safe_xml import MAX_BYTES, decode_for_display
from ...core.text import inert
from ...core.trust.files import read_regular
from ...core.wms.crs.bounding_boxes import format_number
from ..widgets.form_widgets import narrow_combo_box, set_item_enabled, wheel_needs_focus
from ..widgets.labels import PlainLabel

#: west, south, east, north in degrees
GeographicEnvelope = tuple[float, float, float, float]
_MAX_PIXELS = 50_000


class ExtentSource(str, Enum):
    """Source of the extent of a requested map."""

    CANVAS = "view"
    LAYERS = "whole"
    TYPED = "written"


class ExtentField(QWidget):
    """Field for the extent of a map in degrees: that of the canvas, that of the layers, or a typed one."""

    changed = pyqtSignal()

    def __init__(self, canvas_extent: Callable[[], Optional[GeographicEnvelope]],
                 parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self._canvas_extent = canvas_extent
        self._default: Optional[GeographicEnvelope] = None
        self.source = narrow_combo_box(tr("Extent"))
        for label, value in ((tr("Extent of the layers"), ExtentSource.LAYERS),
                             (tr("Extent of the map canvas"), ExtentSource.CANVAS),
                             (tr("As typed"), ExtentSource.TYPED)):
            self.source.addItem(label, value.value)
        self.source.currentIndexChanged.connect(lambda _index: self._source_chosen())
        self.text = QLineEdit()
        self.text.setAccessibleName(tr("Extent in degrees: west, south, east, north"))
        self.text.setPlaceholderText(tr("west, south, east, north"))
        self.text.setToolTip(tr("Longitudes and latitudes in degrees: west, south, east, north"))
        self.text.textEdited.connect(lambda _text: self._edited())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(self.source)
        layout.addWidget(self.text)
        self.setFocusProxy(self.source)
        self._source_chosen()

    def value(self) -> Optional[GeographicEnvelope]:
        """Return (west, south, east, north) in degrees, or None for the extent of all layers.

        Raises ValueError if the typed text is not an extent.
        """
        if self.source.currentData() == ExtentSource.LAYERS:
            return None
        parts = [float(part) for part in self.text.text().replace(";", ",").split(",")]
        if len(parts) != 4:
            raise ValueError(self.text.text())
        return parts[0], parts[1], parts[2], parts[3]

    def set_default(self, box: Optional[GeographicEnvelope]) -> None:
        """Set the extent that is filled in when the person starts to type one."""
        self._default = box

    def refresh(self) -> None:
        """Read the extent of the canvas again, which may have changed or closed."""
        canvas_extent = self._canvas_extent()
        set_item_enabled(self.source, 1, "" if canvas_extent else tr("No map canvas is open."))
        if self.source.currentData() == ExtentSource.CANVAS:
            self._source_chosen()

    def _source_chosen(self) -> None:
        kind = self.source.currentData()
        extent = self._canvas_extent() if kind == ExtentSource.CANVAS else None if self.text.text() else self._default
        if extent:
            self.text.setText(", ".join(format_number(round(part, 6)) for part in extent))
        self.text.setVisible(kind != ExtentSource.LAYERS)
        self.changed.emit()

    def _edited(self) -> None:
        self.source.blockSignals(True)
        self.source.setCurrentIndex(self.source.findData(ExtentSource.TYPED.value))
        self.source.blockSignals(False)
        self.changed.emit()


class SizeField(QWidget):
    """Field for width and height in pixels. With square pixels the height follows from the extent."""

    changed = pyqtSignal()

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.width_field = self._create_spin_box(tr("Width in pixels"), 800)
        self.height_field = self._create_spin_box(tr("Height in pixels"), 600)
        self.square = QCheckBox(tr("Square pixels"))
        self.square.setToolTip(tr("The height is calculated from the extent. Some servers draw nothing otherwise."))
        self.square.setChecked(True)
        self.square.toggled.connect(lambda _on: self._square_toggled())
        row = QHBoxLayout()
        row.setSpacing(4)
        row.addWidget(self.width_field, 1)
        row.addWidget(PlainLabel("×"))
        row.addWidget(self.height_field, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addLayout(row)
        layout.addWidget(self.square)
        self.setFocusProxy(self.width_field)
        self._square_toggled()

    def set_limits(self, width: Optional[int], height: Optional[int]) -> None:
        """Set the largest size that the service draws. None means no limit."""
        self.width_field.setMaximum(width or _MAX_PIXELS)
        self.height_field.setMaximum(height or _MAX_PIXELS)

    def value(self) -> tuple[int, int]:
        """Return (width, height) in pixels. The height is 0 if it follows from the extent."""
        return self.width_field.value(), 0 if self.square.isChecked() else self.height_field.value()

    def show_height(self, height: int) -> None:
        """Show the height that follows from the extent."""
        self.height_field.blockSignals(True)
        self.height_field.setValue(height)
        self.height_field.blockSignals(False)

    def _create_spin_box(self, name: str, value: int) -> QSpinBox:
        box = wheel_needs_focus(QSpinBox())
        box.setRange(1, _MAX_PIXELS)
        box.setValue(value)
        box.setAccessibleName(name)
        box.setToolTip(inert(name))
        box.setMinimumWidth(50)
        box.valueChanged.connect(lambda _value: self.changed.emit())
        return box

    def _square_toggled(self) -> None:
        self.height_field.setEnabled(not self.square.isChecked())
        self.changed.emit()


class ChoiceRows(QWidget):
    """Combo boxes for several choices, such as the style of each layer or the value of each dimension."""

    changed = pyqtSignal()

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(2)
        self.boxes: dict[str, QComboBox] = {}

    def show_rows(self, rows: Sequence[tuple[str, str, Sequence[tuple[str, str]]]], editable: bool = False) -> None:
        """Show rows of key, label, and choices as pairs of label and value.

        The values of rows that were shown before are kept. ``editable`` allows other values to be typed.
        """
        before = self.values()
        while self._layout.count():
            widget = self._layout.takeAt(0).widget()
            widget.hide()
            widget.deleteLater()
        self.boxes = {}
        for key, label, choices in rows:
            if len(rows) > 1 or editable:
                row_label = PlainLabel(label)
                row_label.setWordWrap(True)
                self._layout.addWidget(row_label)
            box = narrow_combo_box(label)
            box.setEditable(editable)
            for choice_label, value in choices:
                box.addItem(choice_label, value)
            if editable:
                box.setCurrentText(before.get(key) or (choices[0][1] if choices else ""))
                box.editTextChanged.connect(lambda _text: self.changed.emit())
            else:
                box.setCurrentIndex(max(0, box.findData(before.get(key, ""))))
                box.currentIndexChanged.connect(lambda _index: self.changed.emit())
            self._layout.addWidget(box)
            self.boxes[key] = box

    def values(self) -> Mapping[str, str]:
        """Return the chosen value of each key."""
        return {key: box.currentText().strip() if box.isEditable() else box.currentData() or ""
                for key, box in self.boxes.items()}


def background_colour_button() -> QgsColorButton:
    """Return a button for BGCOLOR, or none for the service's default, which is white (OGC 06-042 7.3.3.10)."""
    button = QgsColorButton()
    button.setAccessibleName(tr("Background colour"))
    button.setToolTip(tr("Background colour where the map is not transparent"))
    button.setShowNull(True, tr("the service’s default"))
    button.setToNull()
    return button


class PixelField(QWidget):
    """Field for a pixel position in the map. ``pick_requested`` is emitted to pick it in an image instead."""

    changed = pyqtSignal()
    pick_requested = pyqtSignal()

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.line = QLineEdit()
        self.line.setAccessibleName(tr("Pixel position: column, row"))
        self.line.setPlaceholderText(tr("column, row (empty: centre)"))
        self.line.textChanged.connect(lambda _text: self.changed.emit())
        self.pick = QToolButton()
        self.pick.setText(tr("Pick…"))
        self.pick.setToolTip(tr("Request the map and click a position in it"))
        self.pick.setAccessibleName(self.pick.toolTip())
        self.pick.clicked.connect(lambda _checked=False: self.pick_requested.emit())
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(3)
        row.addWidget(self.line, 1)
        row.addWidget(self.pick)
        self.setFocusProxy(self.line)

    def text(self) -> str:
        return str(self.line.text())

    def set_pixel(self, column: int, row: int) -> None:
        """Set the position that was picked."""
        self.line.setText(f"{column}, {row}")


class SldField(QWidget):
    """Field for an SLD: a file, which can also be dropped on it, or a web address."""

    changed = pyqtSignal()

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self._sld = self._problem = ""
        self.file_widget = QgsFileWidget()
        self.file_widget.setStorageMode(QgsFileWidget.StorageMode.GetFile)
        self.file_widget.setDialogTitle(tr("Choose an SLD file"))
        self.file_widget.setFilter(tr("Styles") + " (*.sld *.xml)")
        line = self.file_widget.lineEdit()
        line.setAccessibleName(tr("Custom style: the web address of an SLD, or a file"))
        line.setPlaceholderText(tr("none; an SLD’s address or file"))
        for button in self.file_widget.findChildren(QToolButton):
            button.setToolTip(tr("Choose an SLD file"))
            button.setAccessibleName(tr("Choose an SLD file"))
        self.file_widget.fileChanged.connect(self._read)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.file_widget)
        self.setFocusProxy(line)

    def value(self) -> str:
        """Return the text of the file, or the typed address.

        Raises InvalidRequest if the file could not be read.
        """
        if self._problem:
            raise InvalidRequest(self._problem)
        return self._sld or self.file_widget.filePath().strip()

    def _read(self, text: str) -> None:
        """Read the style if ``text`` is a path. An error is reported by ``value`` when the request is built."""
        self._sld, self._problem = "", ""
        path = Path(text.strip())
        if text.strip() and "://" not in text:
            try:
                self._sld = decode_for_display(read_regular(path, MAX_BYTES), max_line_length=MAX_BYTES)
            except CartoguideError as error:
                self._problem = error.user_text
        self.changed.emit()
