"""Fields that few requests need: the place in a map, the ground's colour, a style of one's own."""

from __future__ import annotations

from pathlib import Path
from typing import Optional

from qgis.gui import QgsColorButton
from qgis.PyQt.QtCore import pyqtSignal
from qgis.PyQt.QtWidgets import QFileDialog, QHBoxLayout, QLineEdit, QToolButton, QWidget

from ..core.errors import InvalidRequest
from ..core.i18n import tr
from ..core.safexml import MAX_BYTES
from ..core.xmltext import text_of


def colour_field() -> QgsColorButton:
    """A colour, or none: then the service's own, which is white (06-042 7.3.3.10)."""
    button = QgsColorButton()
    button.setAccessibleName(tr("Colour of the ground"))
    button.setToolTip(tr("Colour of the ground where the map is not transparent"))
    button.setShowNull(True, tr("the service’s own"))
    button.setToNull()
    return button


class PlaceField(QWidget):
    """Column and row in the map; ``pick_asked`` when they are to be pointed at instead."""

    changed = pyqtSignal()
    pick_asked = pyqtSignal()

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
        self.pick.clicked.connect(lambda _checked=False: self.pick_asked.emit())
        _in_a_row(self, self.line, self.pick)

    def text(self) -> str:
        """As it is written."""
        return self.line.text()

    def set_place(self, column: int, row: int) -> None:
        """The place that was pointed at."""
        self.line.setText(f"{column}, {row}")


class StyleField(QWidget):
    """An SLD from a file, or its web address."""

    changed = pyqtSignal()

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self._body = self._problem = ""
        self.line = QLineEdit()
        self.line.setAccessibleName(tr("A style of your own: the web address of an SLD, or a file"))
        self.line.setPlaceholderText(tr("none; an SLD’s address or file"))
        self.line.setClearButtonEnabled(True)
        self.line.textEdited.connect(lambda _text: self._forget())
        # the clear button edits nothing
        self.line.textChanged.connect(lambda text: None if text else self._forget())
        self.open = QToolButton()
        self.open.setText("…")
        self.open.setToolTip(tr("Choose an SLD file"))
        self.open.setAccessibleName(self.open.toolTip())
        self.open.clicked.connect(lambda _checked=False: self._choose())
        _in_a_row(self, self.line, self.open)

    def value(self) -> str:
        """The file's text, or what is written. InvalidRequest where the file could not be read."""
        if self._problem:
            raise InvalidRequest(self._problem)
        return self._body or self.line.text().strip()

    def set_file(self, path: Path) -> None:
        """Take the style from a file; what is wrong with it is told when the request is built."""
        self._body, self._problem = "", ""
        try:
            with path.open("rb") as file:
                self._body = text_of(file.read(MAX_BYTES), longest=MAX_BYTES)
        except OSError as error:
            self._problem = tr("{name} could not be read: {reason}", name=path.name,
                               reason=error.strerror or str(error))
        self.line.setText(path.name)
        self.changed.emit()

    def _forget(self) -> None:
        self._body, self._problem = "", ""
        self.changed.emit()

    def _choose(self) -> None:
        path, _ = QFileDialog.getOpenFileName(self, tr("Choose an SLD file"), "", tr("Styles") + " (*.sld *.xml)")
        if path:
            self.set_file(Path(path))


def _in_a_row(widget: QWidget, line: QLineEdit, button: QToolButton) -> None:
    row = QHBoxLayout(widget)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(3)
    row.addWidget(line, 1)
    row.addWidget(button)
    widget.setFocusProxy(line)
