"""Field of the settings that chooses a network profile, and the dialog that edits one."""

from __future__ import annotations

from pathlib import Path
from typing import Optional

from qgis.PyQt.QtCore import Qt, pyqtSignal
from qgis.PyQt.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QMenu,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ...core.errors import CartoguideError
from ...core.files import safe_file_name
from ...core.i18n import tr
from ...core.network_profile import (
    CatalogueType,
    NetworkCatalogue,
    NetworkProfile,
    ProfileFile,
    bundled_profile,
    profile_json,
    read_profile,
    unique_record_path,
)
from ...core.safe_xml import MAX_BYTES
from ...core.text import escaped, inert
from ...core.trust.files import read_regular
from ...gis.profiles import network_profiles
from ...gis.runtime.guide_pages import GuideTopic
from ..widgets.dialogs import DialogPrompts, dialog_button_box
from ..widgets.form_widgets import fill_layout, wheel_needs_focus
from ..widgets.labels import LinkLabel, PlainLabel
from ..widgets.theme import icon, resize_for_font


class NetworkProfileDialog(QDialog):
    """Edits title, addresses, catalogue, services and bundled records. ``profile_saved`` carries the profile's path."""

    profile_saved = pyqtSignal(str)

    def __init__(self, path: str, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Cartoguide: network"))
        resize_for_font(self, 680, 540)
        self._path = path
        self.problem_label = PlainLabel(wraps=True)
        try:
            content = network_profiles.load_profile(path)
        except CartoguideError as error:
            content = network_profiles.load_profile("")
            self.problem_label.setText(error.user_text)
        self._profile, self._records = content.profile, dict(content.records)
        layout = QVBoxLayout(self)
        layout.addLayout(self._make_profile_form())
        layout.addWidget(PlainLabel(
            tr("Services. {base_url} and {node} stand for the network’s base address and prefix:",
               base_url="{base_url}", node="{node}")))
        layout.addWidget(self._make_service_table(), 2)
        layout.addWidget(PlainLabel(tr("Records bundled with the network:")))
        layout.addLayout(self._make_record_list(), 1)
        layout.addWidget(self.problem_label)
        kinds = QDialogButtonBox.StandardButton
        self.buttons = dialog_button_box(self, GuideTopic.SETTINGS, kinds.Save, kinds.Cancel)
        self.buttons.accepted.connect(self.save)
        layout.addWidget(self.buttons)
        self.problem_label.setVisible(bool(self.problem_label.text()))

    def _make_profile_form(self) -> QFormLayout:
        profile = self._profile
        self.title = QLineEdit(profile.title if network_profiles.
                               is_user_profile(self._path) else tr("{title} (copy)", title=profile.title))
        self.base_url, self.node = QLineEdit(profile.base_url), QLineEdit(profile.service_prefix)
        self.crs = QLineEdit(profile.crs)
        self.kind = wheel_needs_focus(QComboBox())
        for kind in CatalogueType:
            self.kind.addItem(tr("none") if kind is CatalogueType.NONE else kind.value, kind.value)
        self.kind.setCurrentIndex(self.kind.findData(profile.catalogue.type.value))
        self.url, self.language = QLineEdit(profile.catalogue.url), QLineEdit(profile.catalogue.language)
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        for label, field in ((tr("&Title"), self.title), (tr("&Base address"), self.base_url),
                             (tr("&Name prefix"), self.node), (tr("Coordinate &system"), self.crs),
                             (tr("Catalogue t&ype"), self.kind), (tr("Catalogue &address"), self.url),
                             (tr("Catalogue’s &language"), self.language)):
            field.setAccessibleName(label.replace("&", ""))
            form.addRow(label, field)
        self.kind.currentIndexChanged.connect(lambda _row: self._update_catalogue_fields())
        self._update_catalogue_fields()
        return form

    def _update_catalogue_fields(self) -> None:
        for field in (self.url, self.language):
            field.setEnabled(self.kind.currentData() != CatalogueType.NONE.value)

    def _make_service_table(self) -> QWidget:
        self.services = QTableWidget(0, 2)
        self.services.setAccessibleName(tr("Services of the network"))
        self.services.setHorizontalHeaderLabels([tr("Key"), tr("Address")])
        self.services.horizontalHeader().setStretchLastSection(True)
        self.services.verticalHeader().hide()
        self.services.setWordWrap(False)
        # Tab leaves the table, arrow keys move between its cells
        self.services.setTabKeyNavigation(False)
        for key, address in self._profile.services.items():
            self._add_service(key, address)
        self.services.resizeColumnToContents(0)
        add, remove = QPushButton(tr("Add a servi&ce")), QPushButton(tr("Remo&ve"))
        add.clicked.connect(lambda _checked=False: self._new_service())
        remove.clicked.connect(lambda _checked=False: self.services.removeRow(self.services.currentRow()))
        box = QWidget()
        row = fill_layout(QHBoxLayout(box), self.services, wide=self.services)
        row.addLayout(_button_column(add, remove))
        return box

    def _new_service(self) -> None:
        self._add_service("", "{base_url}/{node}_?")
        self.services.editItem(self.services.item(self.services.rowCount() - 1, 0))

    def _add_service(self, key: str, address: str) -> None:
        row = self.services.rowCount()
        self.services.insertRow(row)
        self.services.setItem(row, 0, QTableWidgetItem(key))
        self.services.setItem(row, 1, QTableWidgetItem(address))

    def _make_record_list(self) -> QHBoxLayout:
        self.records = QListWidget()
        self.records.setAccessibleName(tr("Records bundled with the network:").rstrip(":"))
        self.records.addItems(list(self._records))
        add, remove = QPushButton(tr("Add &records…")), QPushButton(tr("Re&move"))
        add.clicked.connect(lambda _checked=False: self._add_records())
        remove.clicked.connect(lambda _checked=False: self._remove_record())
        row = QHBoxLayout()
        row.addWidget(self.records, 1)
        row.addLayout(_button_column(add, remove))
        return row

    def _add_records(self) -> None:
        paths = DialogPrompts(self).open_files(tr("Open records"), tr("Records") + " (*.xml)")
        self.add_records([Path(path) for path in paths])

    def add_records(self, paths: list[Path]) -> None:
        for path in paths:
            try:
                data = read_regular(path, MAX_BYTES)
            except CartoguideError as error:
                self._show_problem(error.user_text)
                continue
            self._records[unique_record_path(path.name, self._records)] = data
        self.records.clear()
        self.records.addItems(list(self._records))

    def _remove_record(self) -> None:
        item = self.records.takeItem(self.records.currentRow())
        if item is not None:
            self._records.pop(item.text(), None)

    def profile(self) -> NetworkProfile:
        """Return the edited profile.

        Raises InvalidDocument, with the location, for values that the format does not allow.
        """
        cells = [[(self.services.item(row, column) or QTableWidgetItem()).text().strip() for column in (0, 1)]
                 for row in range(self.services.rowCount())]
        identifier = self._profile.id if network_profiles.is_user_profile(self._path) else f"{self._profile.id}-copy"
        edited = NetworkProfile(
            identifier,
            self.title.text().strip() or identifier,
            self.base_url.text().strip(),
            self.node.text().strip(),
            NetworkCatalogue(CatalogueType(self.kind.currentData()),
                             self.url.text().strip(),
                             self.language.text().strip()), {key: address for key, address in cells if key}, (),
            self.crs.text().strip() or bundled_profile().crs)
        return read_profile(profile_json(edited), network_profiles.profiles_folder(), tr("The network profile"))

    def save(self) -> None:
        """Save the profile among the person's own and close the dialog, or show why it cannot be saved."""
        try:
            path = network_profiles.save_profile(ProfileFile(self.profile(), self._records), self._path)
        except CartoguideError as error:
            self._show_problem(error.user_text)
            return
        self.profile_saved.emit(path)
        self.close()

    def _show_problem(self, text: str) -> None:
        self.problem_label.setText(text)
        self.problem_label.setVisible(bool(text))


def _button_column(*buttons: QPushButton) -> QVBoxLayout:
    column = QVBoxLayout()
    for button in buttons:
        column.addWidget(button)
    column.addStretch(1)
    return column


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
        row = fill_layout(QHBoxLayout(), self.combo, self.menu_button, wide=self.combo)
        fill_layout(QVBoxLayout(self), row, self.status_label)
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

        dialog = NetworkProfileDialog(self.path(), self.window())
        dialog.profile_saved.connect(self._on_profile_saved)
        dialog.show()
        return dialog

    def import_from(self, path: str) -> None:
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
