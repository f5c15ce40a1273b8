"""Fields for one photo of a leaflet: its file, its credit, and its text for people who do not see it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Optional

from qgis.PyQt.QtCore import pyqtSignal
from qgis.PyQt.QtWidgets import QFileDialog, QHBoxLayout, QLineEdit, QToolButton, QVBoxLayout, QWidget

from ...core.custommap.document import MAX_PHOTO_TEXT
from ...core.custommap.model import LeafletPhoto
from ...core.i18n import tr
from ...core.text import inert, single_line
from ..widgets.labels import PlainLabel
from ..widgets.theme import icon


class PhotoRow(QWidget):
    """A button that chooses a file, one that removes the photo, and once there is one, fields for credit and text."""

    changed = pyqtSignal()

    def __init__(self, number: int, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self._photo: Optional[LeafletPhoto] = None
        self._label = tr("Photo {number}", number=number)
        self.choose = QToolButton()
        self.choose.setText(tr("Choose a file…"))
        self.choose.setAccessibleName(f"{self._label}: {tr('Choose a file…')}")
        self.choose.clicked.connect(lambda _checked=False: self._choose())
        self.remove = QToolButton()
        self.remove.setIcon(icon("mActionDeleteSelected"))
        self.remove.setAutoRaise(True)
        self.remove.setToolTip(tr("Remove this photo"))
        self.remove.setAccessibleName(f"{self._label}: {tr('Remove this photo')}")
        self.remove.clicked.connect(lambda _checked=False: self._set(None))
        self.credit = self._field(tr("Credit: photographer and licence"))
        self.text = self._field(tr("What it shows, for people who do not see it"))
        beside = QHBoxLayout()
        beside.setContentsMargins(0, 0, 0, 0)
        beside.addWidget(PlainLabel(self._label))
        beside.addWidget(self.choose, 1)
        beside.addWidget(self.remove)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 2, 0, 0)
        column.setSpacing(2)
        column.addLayout(beside)
        column.addWidget(self.credit)
        column.addWidget(self.text)
        self.show_photo(None)

    def _field(self, hint: str) -> QLineEdit:
        field = QLineEdit()
        field.setPlaceholderText(hint)
        field.setAccessibleName(f"{self._label}: {hint}")
        field.setToolTip(inert(hint))
        field.setMaxLength(MAX_PHOTO_TEXT)
        field.textEdited.connect(lambda _text: self.changed.emit())
        return field

    def photo(self) -> Optional[LeafletPhoto]:
        """Return the photo as the fields have it, or None."""
        if self._photo is None:
            return None
        if (self.credit.text(), self.text.text()) == (self._photo.credit, self._photo.text):
            return self._photo
        return replace(self._photo, credit=single_line(self.credit.text()), text=single_line(self.text.text()))

    def show_photo(self, photo: Optional[LeafletPhoto]) -> None:
        """Show a photo, or that there is none, without a signal."""
        self._photo = photo
        name = Path(photo.path).name if photo is not None else tr("Choose a file…")
        self.choose.setText(inert(name))
        self.choose.setToolTip(inert(photo.path) if photo is not None else "")
        for field, text in ((self.credit, photo.credit if photo else ""), (self.text, photo.text if photo else "")):
            if field.text() != text:
                field.setText(text)
            field.setVisible(photo is not None)
        self.remove.setVisible(photo is not None)

    def has_focus(self) -> bool:
        """Return whether somebody types in one of the fields."""
        return bool(self.credit.hasFocus() or self.text.hasFocus())

    def select_file(self, path: Path) -> None:
        """Take the file at ``path``. Credit and text stay with the photo that they are of."""
        self._set(LeafletPhoto(str(path)))

    def _choose(self) -> None:
        folder = str(Path(self._photo.path).parent) if self._photo is not None else ""
        path, _ = QFileDialog.getOpenFileName(self, tr("Choose a photo"), folder,
                                              tr("Photos") + " (*.jpg *.jpeg *.png *.JPG *.JPEG *.PNG)")
        if path:
            self.select_file(Path(path))

    def _set(self, photo: Optional[LeafletPhoto]) -> None:
        self.show_photo(photo)
        self.changed.emit()
