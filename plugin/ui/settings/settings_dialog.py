"""Dialog with the settings."""

from __future__ import annotations

from typing import Optional

from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import QDialog, QDialogButtonBox, QVBoxLayout, QWidget

from ...core.i18n import tr
from ...gis.library.record_library import RecordLibrary
from ..widgets import guide
from ..widgets.dialogs import dialog_button_box
from .settings_form import SettingsForm


class SettingsDialog(QDialog):
    """The settings form with OK, Cancel, Restore Defaults and Help. Not modal."""

    def __init__(self, parent: Optional[QWidget] = None, library: Optional[RecordLibrary] = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Cartoguide: settings"))
        self.resize(480, 560)
        self.form = SettingsForm(self, library)
        kinds = QDialogButtonBox.StandardButton
        self.buttons = dialog_button_box(self, guide.SETTINGS, kinds.Ok, kinds.Cancel, kinds.RestoreDefaults)
        self.buttons.accepted.connect(lambda: self.form.save(self.close))
        self.buttons.button(kinds.RestoreDefaults).clicked.connect(lambda _checked=False: self.form.show_defaults())
        self.form.ready_changed.connect(self.buttons.button(kinds.Ok).setEnabled)
        self.buttons.button(kinds.Ok).setEnabled(self.form.is_ready)
        layout = QVBoxLayout(self)
        layout.addWidget(self.form, 1)
        layout.addWidget(self.buttons)
