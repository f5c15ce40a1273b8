"""The settings in a window of their own, not modal."""

from __future__ import annotations

from typing import Optional

from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import QDialog, QDialogButtonBox, QVBoxLayout, QWidget

from ..core.i18n import tr
from ..gis.shelf import Shelf
from . import guide
from .buttons import speak
from .settings_form import SettingsForm


class SettingsDialog(QDialog):
    """The form with OK, Cancel, the defaults and help."""

    def __init__(self, parent: Optional[QWidget] = None, shelf: Optional[Shelf] = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Cartoguide: settings"))
        self.resize(480, 560)
        self.form = SettingsForm(self, shelf)
        kinds = QDialogButtonBox.StandardButton
        self.buttons = QDialogButtonBox(kinds.Ok | kinds.Cancel | kinds.RestoreDefaults)
        speak(self.buttons)
        guide.help_with(self, guide.SETTINGS, self.buttons)
        self.buttons.accepted.connect(lambda: self.form.store(self.close))
        self.buttons.rejected.connect(self.close)
        self.buttons.button(kinds.RestoreDefaults).clicked.connect(lambda _checked=False: self.form.show_defaults())
        self.form.ready.connect(self.buttons.button(kinds.Ok).setEnabled)
        self.buttons.button(kinds.Ok).setEnabled(self.form.is_ready)
        layout = QVBoxLayout(self)
        layout.addWidget(self.form, 1)
        layout.addWidget(self.buttons)
