"""The few settings that people change: the network, the credit line, the patience. Not modal."""

from __future__ import annotations

from typing import Any, Optional

from qgis.gui import QgsFileWidget
from qgis.PyQt.QtCore import Qt, pyqtSignal
from qgis.PyQt.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QFormLayout,
    QFrame,
    QGroupBox,
    QLabel,
    QLineEdit,
    QScrollArea,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from ..core.i18n import tr
from ..core.terms import DEFAULT_PATTERN, PLACES, unknown_places
from ..gis import settings, store_move, tasks, templates
from ..gis.shelf import Shelf, store_path
from . import guide
from .agreed_redirects import AgreedRedirects
from .buttons import speak


def _labels() -> dict[str, str]:
    """The words beside each setting, with their keyboard shortcuts."""
    return {
        "profile": tr("Network &profile"), "base_url": tr("&Base address"), "node": tr("&Name prefix"),
        "catalogue_type": tr("&Kind of catalogue"), "catalogue_url": tr("Catalogue &address"),
        "store/path": tr("Record &store"),
        "credit_pattern": tr("Credit p&attern"), "canvas_credit": tr("On the &map window"),
        "templates_folder": tr("&Templates folder"),
        "first_byte_timeout": tr("&First answer within"),
        "total_timeout": tr("&Whole answer within"), "capabilities_hours": tr("As&k again after"),
        "retries": tr("&Repeat after a failure"), "parallel_requests": tr("Requests at a t&ime"),
        "check_before_export": tr("Before e&xporting"),
    }


class SettingsDialog(QDialog):
    """``changed`` carries the names of the settings that were changed, once they are stored; ``told`` what came of it.

    Another place for the record store is looked at first; what cannot be used is refused in words.
    """

    changed = pyqtSignal(list)
    told = pyqtSignal(str)

    def __init__(self, parent: Optional[QWidget] = None, shelf: Optional[Shelf] = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Cartoguide: settings"))
        self.resize(460, 520)
        self.fields: dict[str, QWidget] = {}
        self._shelf = shelf or Shelf()
        self._moving: Optional[tasks.Job] = None
        self.along = QCheckBox(tr("Take the &records along"))
        self.along.setToolTip(tr("Copies every record, collection and kept answer into the other store; the old file "
                                 "stays where it is"))
        self.along.setChecked(True)
        self.problem = QLabel()
        self.problem.setWordWrap(True)
        self.problem.hide()
        page = QWidget()
        inner = QVBoxLayout(page)
        for title, names in ((tr("Network"), ("profile", "base_url", "node", "catalogue_type", "catalogue_url")),
                             (tr("Records"), ("store/path",)),
                             (tr("Credit on maps"), ("credit_pattern", "canvas_credit")),
                             (tr("Layouts"), ("templates_folder", "check_before_export")),
                             (tr("Requests"), ("first_byte_timeout", "total_timeout", "retries", "parallel_requests")),
                             (tr("Descriptions of services"), ("capabilities_hours",))):
            inner.addWidget(self._group(title, names))
        self.redirects = AgreedRedirects()
        insecure = QGroupBox(tr("Insecure redirects"))
        QVBoxLayout(insecure).addWidget(self.redirects)
        inner.addWidget(insecure)
        inner.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidget(page)
        kinds = QDialogButtonBox.StandardButton
        self.buttons = QDialogButtonBox(kinds.Ok | kinds.Cancel | kinds.RestoreDefaults)
        speak(self.buttons)
        guide.help_with(self, guide.SETTINGS, self.buttons)
        self.buttons.accepted.connect(self._accept)
        self.buttons.rejected.connect(self.close)
        self.buttons.button(kinds.RestoreDefaults).clicked.connect(self._show_defaults)
        layout = QVBoxLayout(self)
        layout.addWidget(scroll, 1)
        layout.addWidget(self.problem)
        layout.addWidget(self.buttons)
        self._check()

    def _group(self, title: str, names: tuple[str, ...]) -> QGroupBox:
        group = QGroupBox(title)
        form = QFormLayout(group)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        labels = _labels()
        for name in names:
            field = self.fields[name] = self._field(name)
            field.setToolTip(settings.SETTINGS[name].help())
            field.setAccessibleName(labels[name].replace("&", ""))
            field.setAccessibleDescription(settings.SETTINGS[name].help())
            form.addRow(labels[name], field)
        if "store/path" in names:
            form.addRow(self.along)
        if "credit_pattern" in names:
            places = " ".join(f"{{{place}}}" for place in PLACES)
            hint = QLabel(tr("Places that are filled in: {places}", places=places))
            hint.setWordWrap(True)
            form.addRow(hint)
        return group

    def _field(self, name: str) -> QWidget:
        setting = settings.SETTINGS[name]
        value = settings.get(name)
        if name == "profile":
            file = QgsFileWidget()
            file.setFilter(tr("Network profiles") + " (*.json)")
            file.lineEdit().setPlaceholderText(tr("the bundled one"))
            file.setFilePath(value)
            return file
        if name == "store/path":
            file = QgsFileWidget()
            file.setStorageMode(QgsFileWidget.StorageMode.SaveFile)
            file.setConfirmOverwrite(False)
            file.setFilter(tr("Record stores") + " (*.sqlite)")
            file.lineEdit().setPlaceholderText(tr("in the QGIS profile"))
            file.setFilePath(value)
            file.fileChanged.connect(self._check)
            return file
        if name == "templates_folder":
            place = QgsFileWidget()
            place.setStorageMode(QgsFileWidget.StorageMode.GetDirectory)
            place.lineEdit().setPlaceholderText(str(templates.folder()))
            place.setFilePath(value)
            return place
        if setting.choices:
            combo = QComboBox()
            for choice in setting.choices:
                combo.addItem(str(choice) if choice else tr("as the profile says"), choice)
            combo.setCurrentIndex(max(0, combo.findData(value)))
            return combo
        if setting.type is bool:
            # the whole of it is the tooltip: a check box does not wrap
            check = QCheckBox(tr("Ask for every picture") if name == "check_before_export"
                              else tr("Write the credits there"))
            check.setChecked(value)
            return check
        if setting.type is float:
            spin = QDoubleSpinBox()
            spin.setRange(setting.least, setting.most)
            spin.setDecimals(1)
            spin.setSuffix(" h" if name.endswith("_hours") else " s")
            spin.setValue(value)
            return spin
        if setting.type is int:
            count = QSpinBox()
            count.setRange(int(setting.least), int(setting.most))
            count.setSuffix(" ×" if name == "retries" else "")
            count.setValue(value)
            return count
        line = QLineEdit(value)
        line.setClearButtonEnabled(True)
        line.setPlaceholderText(DEFAULT_PATTERN if name == "credit_pattern" else tr("as the profile says"))
        line.textChanged.connect(self._check)
        return line

    def values(self) -> dict[str, Any]:
        """What the fields hold, by setting."""
        read: dict[str, Any] = {}
        for name, field in self.fields.items():
            if isinstance(field, QgsFileWidget):
                read[name] = field.filePath().strip()
            elif isinstance(field, QComboBox):
                read[name] = field.currentData()
            elif isinstance(field, QCheckBox):
                read[name] = field.isChecked()
            elif isinstance(field, (QDoubleSpinBox, QSpinBox)):
                read[name] = field.value()
            elif isinstance(field, QLineEdit):
                read[name] = field.text().strip()
        return read

    def _check(self) -> None:
        """Say at once what cannot be stored."""
        if len(self.fields) < len(_labels()) or (self._moving is not None and self._moving.running):
            return
        values = self.values()
        problem = ""
        for name in ("base_url", "catalogue_url"):
            if values[name] and not values[name].lower().startswith(("http://", "https://")):
                problem = tr("An address begins with http:// or https://.")
        unknown = unknown_places(values["credit_pattern"])
        if unknown:
            problem = tr("The credit pattern has a place that is not known: {place}.", place=", ".join(unknown))
        self.along.setEnabled(values["store/path"] != settings.get("store/path"))
        self._say(problem, not problem)

    def _say(self, words: str, ready: bool) -> None:
        self.problem.setText(words)
        self.problem.setVisible(bool(words))
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(ready)

    def _show_defaults(self) -> None:
        for name, field in self.fields.items():
            default = settings.SETTINGS[name].default
            if isinstance(field, QgsFileWidget):
                field.setFilePath(default)
            elif isinstance(field, QComboBox):
                field.setCurrentIndex(max(0, field.findData(default)))
            elif isinstance(field, QCheckBox):
                field.setChecked(default)
            elif isinstance(field, (QDoubleSpinBox, QSpinBox)):
                field.setValue(default)
            elif isinstance(field, QLineEdit):
                field.setText(default)

    def _accept(self) -> None:
        path = self.values()["store/path"]
        if path == settings.get("store/path"):
            self._store()
            return
        self._say(tr("Looking at the record store…"), False)
        old, along = str(store_path()), self.along.isChecked()

        def moved(count: int) -> None:
            self._store()
            if along:
                self.told.emit(tr("%n record(s) are in the other store now. The old one is still there: {name}",
                                  n=count, name=old))

        self._moving = store_move.start(self._shelf, path, along, moved, lambda error: self._say(error.user_text, True),
                                        self, lambda _percent, words: self._say(words, False))

    def _store(self) -> None:
        self.redirects.store()
        changed = []
        for name, value in self.values().items():
            if value != settings.get(name):
                changed.append(name)
                if value == settings.SETTINGS[name].default:
                    settings.reset(name)
                else:
                    settings.set(name, value)
        if changed:
            self.changed.emit(changed)
        self.close()
