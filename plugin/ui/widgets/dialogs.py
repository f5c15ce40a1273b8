"""The button box of the plugin's dialogs, and dialogs for one line of text."""

from __future__ import annotations

from typing import Callable, Optional

from qgis.PyQt.QtCore import Qt, pyqtSignal
from qgis.PyQt.QtGui import QGuiApplication, QShowEvent
from qgis.PyQt.QtWidgets import QDialog, QDialogButtonBox, QInputDialog, QLineEdit, QVBoxLayout, QWidget

from ...core.i18n import tr
from ...gis.runtime.guide_pages import GuideTopic
from . import guide
from .buttons import translate_buttons
from .labels import PlainLabel

#: the most characters of a collection's name
_MAX_LENGTH = 80
#: letters that the dialog for a name is wide
_NAME_LETTERS = 44


def dialog_button_box(dialog: QDialog, help_topic: GuideTopic,
                      *standard: QDialogButtonBox.StandardButton) -> QDialogButtonBox:
    """Return a button box for ``dialog`` with the ``standard`` buttons (Cancel if none is given) and Help.

    The buttons have the plugin's own translations. Help and F1 open the page ``help_topic`` of the user guide. A button
    that rejects, such as Cancel or Close, closes the dialog.
    """
    buttons = QDialogButtonBox()
    for button in standard or (QDialogButtonBox.StandardButton.Cancel,):
        buttons.addButton(button)
    translate_buttons(buttons)
    guide.install_help(dialog, help_topic, buttons)
    buttons.rejected.connect(dialog.close)
    return buttons


def is_web_address(text: str) -> bool:
    """Return True if ``text`` is one web address and nothing else."""
    address = text.strip()
    return address.lower().startswith(("http://", "https://")) and len(address.split()) == 1 and len(address) > 9


class FittedDialog(QDialog):
    """Dialog that opens as wide as ``columns`` letters, and as high as its texts and ``lines`` lines need.

    A size in pixels would cut wrapped texts where the font of QGIS is large.
    """

    def __init__(self, parent: Optional[QWidget], columns: int, lines: int = 0) -> None:
        super().__init__(parent)
        self._columns, self._lines = columns, lines
        self._is_fitted = False

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Qt: take the size once the widgets have the font of QGIS."""
        super().showEvent(event)
        if not self._is_fitted and not event.spontaneous():
            self._is_fitted = True
            for widget in self.findChildren(QWidget):
                widget.ensurePolished()
            self.resize(max(self.width_for(self._columns), self.minimumSizeHint().width()), 1)
            self.fit_height(self._lines * self.fontMetrics().lineSpacing())

    def width_for(self, columns: int) -> int:
        """Return the width of so many letters in pixels, that of the screen at most."""
        width = columns * self.fontMetrics().averageCharWidth()
        screen = self.screen()
        return int(min(width, screen.availableGeometry().width()) if screen is not None else width)

    def fit_height(self, least: int = 0) -> None:
        """Adapt the height to the texts at the present width: wrapped labels would be cut. ``least`` is in pixels."""
        layout = self.layout()
        if layout is not None:
            layout.activate()
            needed = layout.totalHeightForWidth(self.width()) if layout.hasHeightForWidth() else \
                layout.totalSizeHint().height()
            self.resize(self.width(), max(self.minimumHeight(), least, needed))


class AddressDialog(FittedDialog):
    """Dialog for the address of a record, a catalogue, a map service or a document. Not modal.

    The text on the clipboard is filled in if it is an address.
    """

    chosen = pyqtSignal(str)

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent, columns=66)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Open an address"))
        self.address = QLineEdit()
        self.address.setPlaceholderText("https://…")
        self.address.setClearButtonEnabled(True)
        label = PlainLabel(tr("&Address of a record (its page or its XML), of a catalogue, or of a map service"))
        label.setWordWrap(True)
        label.setBuddy(self.address)
        clipboard = QGuiApplication.clipboard().text().strip()
        if is_web_address(clipboard):
            self.address.setText(clipboard)
            self.address.selectAll()
        self.buttons = dialog_button_box(self, GuideTopic.RECORDS)
        self.open_button = self.buttons.addButton(tr("Open"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.buttons.accepted.connect(self._accept)
        self.address.textChanged.connect(lambda text: self.open_button.setEnabled(is_web_address(text)))
        self.open_button.setEnabled(is_web_address(self.address.text()))
        layout = QVBoxLayout(self)
        layout.addWidget(label)
        layout.addWidget(self.address)
        layout.addStretch(1)
        layout.addWidget(self.buttons)

    def _accept(self) -> None:
        self.chosen.emit(self.address.text().strip())
        self.close()


def open_name_dialog(parent: Optional[QWidget], title: str, name: str,
                     on_accepted: Callable[[str], object]) -> QInputDialog:
    """Open a dialog for the name of a collection.

    ``on_accepted`` is called with the name, white space reduced to single blanks. It is not called for an empty name.
    """
    dialog = QInputDialog(parent)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle(title)
    dialog.setLabelText(tr("Name of the collection:"))
    dialog.setTextValue(name)
    dialog.textValueSelected.connect(lambda text: on_accepted(_normalise(text)) if _normalise(text) else None)
    dialog.open()
    # the dialog is as wide as its field: else the title of its window is cut off
    for field in dialog.findChildren(QLineEdit):
        field.setMinimumWidth(_NAME_LETTERS * field.fontMetrics().averageCharWidth())
    for box in dialog.findChildren(QDialogButtonBox):
        translate_buttons(box)
    return dialog


def _normalise(name: str) -> str:
    return " ".join(name.split())[:_MAX_LENGTH]
