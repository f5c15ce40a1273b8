"""Field of the settings that chooses a network profile."""

from __future__ import annotations

from pathlib import Path
from typing import Optional

from qgis.PyQt.QtCore import Qt, pyqtSignal
from qgis.PyQt.QtWidgets import QComboBox, QHBoxLayout, QMenu, QToolButton, QVBoxLayout, QWidget

from ...core.errors import CartoguideError
from ...core.files import safe_file_name
from ...core.i18n import tr
from ...core.network_profile import bundled_profile
from ...core.network_profile_files import ProfileFile
from ...core.text import escaped, inert
from ...gis.profiles import network_profiles
from ..widgets.dialog_prompts import DialogPrompts
from ..widgets.form_widgets import wheel_needs_focus
from ..widgets.labels import LinkLabel
from ..widgets.theme import icon


class NetworkProfileField(QWidget):
    """Holds the path of a profile, "" for the bundled one.

    Profiles are imported, edited and removed at once. The choice counts once the settings are saved.
    """

    changed = pyqtSignal()

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.combo = wheel_needs_focus(QComboBox())
        self.combo.setAccessibleName(tr("Network profile"))
        self.combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.combo.setMinimumContentsLength(12)
        self.combo.currentIndexChanged.connect(lambda _row: self.changed.emit())
        self.menu_button = QToolButton()
        self.menu_button.setIcon(icon("mActionOptions"))
        self.menu_button.setToolTip(tr("Edit, import and export networks"))
        self.menu_button.setAccessibleName(self.menu_button.toolTip())
        self.menu_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.menu = QMenu(self.menu_button)
        self.edit = self.menu.addAction(tr("Edit…"), self.open_editor)
        self.menu.addSeparator()
        self.menu.addAction(tr("Import…"), self._ask_import)
        self.menu.addAction(tr("Export…"), self._ask_export)
        self.menu.addSeparator()
        self.remove_action = self.menu.addAction(tr("Remove"), self.remove)
        self.menu.aboutToShow.connect(
            lambda: self.remove_action.setEnabled(network_profiles.is_user_profile(self.path())))
        self.menu_button.setMenu(self.menu)
        self.status_label = LinkLabel()
        self.status_label.linkActivated.connect(lambda _link: self._undo_remove())
        self.status_label.hide()
        self._removed: Optional[ProfileFile] = None
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.combo, 1)
        row.addWidget(self.menu_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(row)
        layout.addWidget(self.status_label)
        self.setFocusProxy(self.combo)
        self.set_path("")

    def path(self) -> str:
        """Return the path of the chosen profile, "" for the bundled one."""
        return str(self.combo.currentData() or "")

    def set_path(self, path: str) -> None:
        """Choose the profile at ``path``, which is added to the list if it is missing there."""
        self.combo.blockSignals(True)
        self.combo.clear()
        self.combo.addItem(tr("{title} (bundled with Cartoguide)", title=bundled_profile().title), "")
        for title, profile_path in network_profiles.list_profiles():
            self.combo.addItem(title, profile_path)
        if path and self.combo.findData(path) < 0:
            self.combo.addItem(self._profile_title(path), path)
        for row in range(self.combo.count()):
            self.combo.setItemData(row, inert(self.combo.itemData(row) or self.combo.itemText(row)),
                                   Qt.ItemDataRole.ToolTipRole)
        self.combo.setCurrentIndex(max(0, self.combo.findData(path)))
        self.combo.blockSignals(False)
        self.changed.emit()

    def open_editor(self) -> QWidget:
        """Edit the chosen profile in a dialog, or a copy of a bundled one. Return the dialog."""
        from .network_profile_dialog import NetworkProfileDialog

        dialog = NetworkProfileDialog(self.path(), self.window())
        dialog.profile_saved.connect(self._on_profile_saved)
        dialog.show()
        return dialog

    def import_from(self, path: str) -> None:
        """Import the profile in a file and choose it."""
        try:
            self._on_profile_saved(network_profiles.import_profile(path))
        except CartoguideError as error:
            self._show_status(escaped(error.user_text))

    def export_to(self, path: str) -> None:
        """Write the chosen profile to a file."""
        try:
            network_profiles.export_profile(self.path(), path)
        except CartoguideError as error:
            self._show_status(escaped(error.user_text))
            return
        self._show_status(escaped(tr("Saved as {name}.", name=Path(path).name)))

    def remove(self) -> None:
        """Remove the chosen profile and choose the bundled one. Bundled profiles cannot be removed."""
        try:
            self._removed = network_profiles.remove_profile(self.path())
        except CartoguideError as error:
            self._show_status(escaped(error.user_text))
            return
        self.set_path("")
        self._show_status(
            escaped(tr("“{name}” removed.", name=self._removed.profile.title)) + f' <a href="#undo">{tr("Undo")}</a>')

    def _undo_remove(self) -> None:
        if self._removed is not None:
            self._on_profile_saved(network_profiles.save_profile(self._removed))
            self._removed = None

    def _on_profile_saved(self, path: str) -> None:
        self.set_path(path)
        self._show_status("")

    def _show_status(self, html: str) -> None:
        self.status_label.setText(html)
        self.status_label.setVisible(bool(html))

    def _ask_import(self) -> None:
        path = DialogPrompts(self.window()).open_file(tr("Import a network"),
                                                      tr("Network profiles") + " (*.json *.zip)")
        if path is not None:
            self.import_from(str(path))

    def _ask_export(self) -> None:
        path = DialogPrompts(self.window()).save_file(
            tr("Export the network"),
            f"{safe_file_name(network_profiles.load_profile(self.path()).profile.id)}.zip",
            ";;".join((tr("With its records") + " (*.zip)", tr("Profile only") + " (*.json)")))
        if path is not None:
            self.export_to(str(path))

    @staticmethod
    def _profile_title(path: str) -> str:
        try:
            return network_profiles.load_profile(path).profile.title
        except CartoguideError:
            return Path(path).name
