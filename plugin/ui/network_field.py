"""The network in the settings: chosen by its title, edited, imported, exported."""

from __future__ import annotations

from pathlib import Path
from typing import Optional

from qgis.PyQt.QtCore import Qt, pyqtSignal
from qgis.PyQt.QtWidgets import QComboBox, QFileDialog, QHBoxLayout, QMenu, QToolButton, QVBoxLayout, QWidget

from ..core.errors import CartoguideError
from ..core.i18n import tr
from ..core.profile_files import ProfileFile
from ..core.profiles import bundled
from ..gis import networks, settings
from .link_label import LinkLabel
from .theme import icon


class NetworkField(QWidget):
    """The path of a network profile; an empty one is the bundled network. What is done to profiles is done at once,
    which of them counts is for the settings to store.
    """

    changed = pyqtSignal()

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.choice = QComboBox()
        self.choice.setAccessibleName(tr("Network profile"))
        self.choice.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.choice.setMinimumContentsLength(12)
        self.choice.currentIndexChanged.connect(lambda _row: self.changed.emit())
        self.more = QToolButton()
        self.more.setIcon(icon("mActionOptions"))
        self.more.setToolTip(tr("Edit, import and export networks"))
        self.more.setAccessibleName(self.more.toolTip())
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.menu = QMenu(self.more)
        self.edit = self.menu.addAction(tr("Edit…"), self.open_editor)
        self.menu.addSeparator()
        self.menu.addAction(tr("Import…"), self._import)
        self.menu.addAction(tr("Export…"), self._export)
        self.menu.addSeparator()
        self.drop = self.menu.addAction(tr("Remove"), self.remove)
        self.menu.aboutToShow.connect(lambda: self.drop.setEnabled(networks.is_own(self.path())))
        self.more.setMenu(self.menu)
        self.words = LinkLabel()
        self.words.linkActivated.connect(lambda _link: self._put_back())
        self.words.hide()
        self._removed: Optional[ProfileFile] = None
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.choice, 1)
        row.addWidget(self.more)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(row)
        layout.addWidget(self.words)
        self.setFocusProxy(self.choice)
        self.set_path("")

    def path(self) -> str:
        """The chosen profile's file; empty for the bundled one."""
        return str(self.choice.currentData() or "")

    def set_path(self, path: str) -> None:
        """Choose the profile at ``path``; one that is nowhere in the list is added to it."""
        self.choice.blockSignals(True)
        self.choice.clear()
        self.choice.addItem(tr("{title} (comes with Cartoguide)", title=bundled().title), "")
        for title, place in networks.listed():
            self.choice.addItem(title, place)
        if path and self.choice.findData(path) < 0:
            self.choice.addItem(self._title(path), path)
        for row in range(self.choice.count()):
            self.choice.setItemData(row, self.choice.itemData(row) or self.choice.itemText(row),
                                    Qt.ItemDataRole.ToolTipRole)
        self.choice.setCurrentIndex(max(0, self.choice.findData(path)))
        self.choice.blockSignals(False)
        self.changed.emit()

    def open_editor(self) -> QWidget:
        """Edit the chosen network in a window; of one that is not the person's own a copy is made."""
        from .network_dialog import NetworkDialog

        dialog = NetworkDialog(self.path(), self.window())
        dialog.kept.connect(self._kept)
        dialog.show()
        return dialog

    def import_from(self, path: str) -> None:
        """Take the profile in a file among the person's own, and choose it."""
        try:
            self._kept(networks.import_file(path))
        except CartoguideError as error:
            self._say(error.user_text)

    def export_to(self, path: str) -> None:
        """Write the chosen profile to a file."""
        try:
            networks.export_file(self.path(), path)
        except CartoguideError as error:
            self._say(error.user_text)
            return
        self._say(tr("Saved as {name}.", name=Path(path).name))

    def remove(self) -> None:
        """Remove the chosen profile if it is the person's own; the bundled one is chosen until it is put back."""
        try:
            self._removed = networks.remove(self.path())
        except CartoguideError as error:
            self._say(error.user_text)
            return
        self.set_path("")
        self._say(tr("“{name}” was removed.", name=self._removed.profile.title)
                  + f' <a href="#undo">{tr("Undo")}</a>')

    def _put_back(self) -> None:
        if self._removed is not None:
            self._kept(networks.keep(self._removed))
            self._removed = None

    def _kept(self, path: str) -> None:
        self.set_path(path)
        self._say("")

    def _say(self, words: str) -> None:
        self.words.setText(words)
        self.words.setVisible(bool(words))

    def _import(self) -> None:
        path, _ = QFileDialog.getOpenFileName(self.window(), tr("Import a network"), settings.get("last_folder"),
                                              tr("Network profiles") + " (*.json *.zip)")
        if path:
            self.import_from(path)

    def _export(self) -> None:
        start = str(Path(settings.get("last_folder")) / f"{networks.opened(self.path()).profile.id}.zip")
        path, _ = QFileDialog.getSaveFileName(
            self.window(), tr("Export the network"), start,
            ";;".join((tr("With its records") + " (*.zip)", tr("The profile alone") + " (*.json)")))
        if path:
            self.export_to(path)

    @staticmethod
    def _title(path: str) -> str:
        try:
            return networks.opened(path).profile.title
        except CartoguideError:
            return Path(path).name
