"""Form with the settings, for the dock's dialog and for QGIS's options."""

from __future__ import annotations

from typing import Any, Callable, Optional

from qgis.gui import QgsFileWidget
from qgis.PyQt.QtCore import Qt, pyqtSignal
from qgis.PyQt.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QFrame,
    QGroupBox,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ...core.i18n import tr
from ...core.terms import PLACEHOLDERS, unknown_placeholders
from ...core.text import inert
from ...gis.library import library_relocation
from ...gis.library.record_library import RecordLibrary, store_path
from ...gis.runtime import settings, tasks
from ...gis.runtime.guide_pages import GuideTopic
from ..widgets.dialogs import dialog_button_box
from ..widgets.labels import PlainLabel
from ..widgets.theme import resize_for_font
from .consent_list import ConsentList
from .settings_fields import help_text, make_field, set_value, setting_groups, setting_labels, value_of


class SettingsForm(QWidget):
    """``settings_saved`` carries the names of the settings that were changed, once they are saved.

    ``notified`` carries a message. ``ready_changed`` carries whether the values can be saved. Another location of the
    record library is checked before it is saved.
    """

    settings_saved = pyqtSignal(list)
    notified = pyqtSignal(str)
    ready_changed = pyqtSignal(bool)

    def __init__(self, parent: Optional[QWidget] = None, library: Optional[RecordLibrary] = None) -> None:
        super().__init__(parent)
        self.fields: dict[str, QWidget] = {}
        self._library = library or RecordLibrary()
        self._relocation_job: Optional[tasks.Job] = None
        self.is_ready = True
        self.copy_records_box = QCheckBox(tr("Copy existing re&cords"))
        self.copy_records_box.setToolTip(
            tr("Copies all records, collections and cached responses to the other library. "
               "The old file is not changed"))
        self.copy_records_box.setChecked(True)
        self.problem_label = PlainLabel()
        self.problem_label.setWordWrap(True)
        self.problem_label.hide()
        page = QWidget()
        inner = QVBoxLayout(page)
        for title, names in setting_groups():
            inner.addWidget(self._make_group(title, names))
        self.consent_list = ConsentList()
        insecure = QGroupBox(tr("Redirects and logins with a risk"))
        QVBoxLayout(insecure).addWidget(self.consent_list)
        inner.addWidget(insecure)
        inner.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidget(page)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(scroll, 1)
        layout.addWidget(self.problem_label)
        self._validate()

    def _make_group(self, title: str, names: tuple[str, ...]) -> QGroupBox:
        group = QGroupBox(title)
        form = QFormLayout(group)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        labels = setting_labels()
        for name in names:
            field = self.fields[name] = make_field(name, self._validate)
            field.setToolTip(inert(help_text(name)))
            label = labels[name].replace("&", "")
            field.setAccessibleName(label)
            field.setAccessibleDescription(help_text(name))
            if isinstance(field, QgsFileWidget):
                # the keyboard focus goes to its parts
                field.lineEdit().setAccessibleName(label)
                for browse in field.findChildren(QToolButton):
                    browse.setAccessibleName(tr("{setting}: choose…", setting=label))
            form.addRow(labels[name], field)
            if name == "store/path":
                form.addRow(self.copy_records_box)
            if name == "credit_pattern":
                places = " ".join(f"{{{placeholder}}}" for placeholder in PLACEHOLDERS)
                hint = PlainLabel(tr("Placeholders: {places}", places=places))
                hint.setWordWrap(True)
                form.addRow(hint)
        return group

    def values(self) -> dict[str, Any]:
        """Return the values of the fields by setting."""
        return {name: value_of(widget) for name, widget in self.fields.items()}

    def show_defaults(self) -> None:
        """Show all defaults without saving them."""
        for name, widget in self.fields.items():
            set_value(widget, settings.SETTINGS[name].default)

    def save(self, done: Callable[[], None] = lambda: None) -> None:
        """Save the values, then call ``done``. Another location of the record library is checked in a task first."""
        path = self.values()["store/path"]
        if path == settings.get("store/path"):
            self._save_values()
            done()
            return
        self._show_problem(tr("Checking the record library…"), False)
        old, along = str(store_path()), self.copy_records_box.isChecked()

        def moved(count: int) -> None:
            self._save_values()
            if along:
                self.notified.emit(
                    tr("%n record(s) are now in the other library. The old one still exists: {name}", n=count,
                       name=old))
            done()

        self._relocation_job = library_relocation.start(self._library, path, along, moved,
                                                        lambda error: self._show_problem(error.user_text, True), self,
                                                        lambda _percent, text: self._show_problem(text, False))

    def _validate(self) -> None:
        """Show at once which value cannot be saved."""
        if len(self.fields) < len(setting_labels()) or (self._relocation_job is not None and
                                                        self._relocation_job.running):
            return
        values = self.values()
        problem = ""
        for name in ("base_url", "catalogue_url"):
            if values[name] and not values[name].lower().startswith(("http://", "https://")):
                problem = tr("An address begins with http:// or https://.")
        unknown = unknown_placeholders(values["credit_pattern"])
        if unknown:
            problem = tr("The credit pattern has an unknown placeholder: {place}.", place=", ".join(unknown))
        self.copy_records_box.setEnabled(values["store/path"] != settings.get("store/path"))
        self._show_problem(problem, not problem)

    def _show_problem(self, text: str, ready: bool) -> None:
        self.problem_label.setText(text)
        self.problem_label.setVisible(bool(text))
        self.is_ready = ready
        self.ready_changed.emit(ready)

    def _save_values(self) -> None:
        self.consent_list.save()
        changed = []
        for name, value in self.values().items():
            if value != settings.get(name):
                changed.append(name)
                if value == settings.SETTINGS[name].default:
                    settings.reset(name)
                else:
                    settings.set(name, value)
        if changed:
            self.settings_saved.emit(changed)


class SettingsDialog(QDialog):
    """The settings form with OK, Cancel, Restore Defaults and Help. Not modal."""

    def __init__(self, parent: Optional[QWidget] = None, library: Optional[RecordLibrary] = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Cartoguide: settings"))
        resize_for_font(self, 480, 560)
        self.form = SettingsForm(self, library)
        kinds = QDialogButtonBox.StandardButton
        self.buttons = dialog_button_box(self, GuideTopic.SETTINGS, kinds.Ok, kinds.Cancel, kinds.RestoreDefaults)
        self.buttons.accepted.connect(lambda: self.form.save(self.close))
        self.buttons.button(kinds.RestoreDefaults).clicked.connect(lambda _checked=False: self.form.show_defaults())
        self.form.ready_changed.connect(self.buttons.button(kinds.Ok).setEnabled)
        self.buttons.button(kinds.Ok).setEnabled(self.form.is_ready)
        layout = QVBoxLayout(self)
        layout.addWidget(self.form, 1)
        layout.addWidget(self.buttons)
