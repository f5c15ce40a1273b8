"""Fields that few requests need: the place in a map, the ground's colour, a style of one's own."""

from __future__ import annotations

from pathlib import Path
from typing import Optional

from qgis.gui import QgsColorButton
from qgis.PyQt.QtCore import pyqtSignal
from qgis.PyQt.QtWidgets import QFileDialog, QHBoxLayout, QLineEdit, QToolButton, QWidget

from ...core.errors import InvalidRequest
from ...core.i18n import tr
from ...core.safe_xml import MAX_BYTES
from ...core.xml_display import decode_for_display


def background_colour_button() -> QgsColorButton:
    """A colour, or none: then the service's own, which is white (06-042 7.3.3.10)."""
    button = QgsColorButton()
    button.setAccessibleName(tr("Colour of the ground"))
    button.setToolTip(tr("Colour of the ground where the map is not transparent"))
    button.setShowNull(True, tr("the service’s own"))
    button.setToNull()
    return button


class PixelField(QWidget):
    """Column and row in the map; ``pick_asked`` when they are to be pointed at instead."""

    changed = pyqtSignal()
    pick_requested = pyqtSignal()

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.line = QLineEdit()
        self.line.setAccessibleName(tr("Place in the map: column, row"))
        self.line.setPlaceholderText(tr("column, row; empty: the middle"))
        self.line.textChanged.connect(lambda _text: self.changed.emit())
        self.pick = QToolButton()
        self.pick.setText(tr("Pick…"))
        self.pick.setToolTip(tr("Ask for the map, and click the place in it"))
        self.pick.setAccessibleName(self.pick.toolTip())
        self.pick.clicked.connect(lambda _checked=False: self.pick_requested.emit())
        _lay_out_in_row(self, self.line, self.pick)

    def text(self) -> str:
        """As it is written."""
        return self.line.text()

    def set_pixel(self, column: int, row: int) -> None:
        """The place that was pointed at."""
        self.line.setText(f"{column}, {row}")


class SldField(QWidget):
    """An SLD from a file, or its web address."""

    changed = pyqtSignal()

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self._sld = self._problem = ""
        self.line = QLineEdit()
        self.line.setAccessibleName(tr("A style of your own: the web address of an SLD, or a file"))
        self.line.setPlaceholderText(tr("none; an SLD’s address or file"))
        self.line.setClearButtonEnabled(True)
        self.line.textEdited.connect(lambda _text: self._clear_file())
        # the clear button edits nothing
        self.line.textChanged.connect(lambda text: None if text else self._clear_file())
        self.open_button = QToolButton()
        self.open_button.setText("…")
        self.open_button.setToolTip(tr("Choose an SLD file"))
        self.open_button.setAccessibleName(self.open_button.toolTip())
        self.open_button.clicked.connect(lambda _checked=False: self._choose_file())
        _lay_out_in_row(self, self.line, self.open_button)

    def value(self) -> str:
        """The file's text, or what is written. InvalidRequest where the file could not be read."""
        if self._problem:
            raise InvalidRequest(self._problem)
        return self._sld or self.line.text().strip()

    def set_file(self, path: Path) -> None:
        """Take the style from a file; what is wrong with it is told when the request is built."""
        self._sld, self._problem = "", ""
        try:
            with path.open("rb") as file:
                self._sld = decode_for_display(file.read(MAX_BYTES), max_line_length=MAX_BYTES)
        except OSError as error:
            self._problem = tr("{name} could not be read: {reason}", name=path.name,
                               reason=error.strerror or str(error))
        self.line.setText(path.name)
        self.changed.emit()

    def _clear_file(self) -> None:
        self._sld, self._problem = "", ""
        self.changed.emit()

    def _choose_file(self) -> None:
        path, _ = QFileDialog.getOpenFileName(self, tr("Choose an SLD file"), "", tr("Styles") + " (*.sld *.xml)")
        if path:
            self.set_file(Path(path))


def _lay_out_in_row(widget: QWidget, line: QLineEdit, button: QToolButton) -> None:
    row = QHBoxLayout(widget)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(3)
    row.addWidget(line, 1)
    row.addWidget(button)
    widget.setFocusProxy(line)
