"""Form with the settings, for the dock's dialog and for QGIS's options."""

from __future__ import annotations

import json
from functools import partial
from typing import Any, Callable, Dict, List, Optional

from qgis.gui import QgsColorButton, QgsFileWidget
from qgis.PyQt.QtCore import Qt, pyqtSignal
from qgis.PyQt.QtGui import QColor
from qgis.PyQt.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QFormLayout,
    QFrame,
    QGroupBox,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QScrollArea,
    QSpinBox,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ...core.custommap.model import Orientation
from ...core.i18n import tr
from ...core.json_document import stored_list
from ...core.numbers import format_figures
from ...core.page_design.page_themes import darkened_colours, is_colour
from ...core.terms import DEFAULT_PATTERN, PLACEHOLDERS, unknown_placeholders
from ...core.text import inert
from ...gis.layouts import template_loading
from ...gis.library.record_library import RecordLibrary, start_relocation, store_path
from ...gis.network.origin_settings import (
    RedirectRisk,
    allowed_logins,
    allowed_redirects,
    revoke_login,
    revoke_redirect,
)
from ...gis.runtime import settings, tasks
from ...gis.runtime.guide_pages import GuideTopic
from ..widgets.dialogs import dialog_button_box
from ..widgets.form_widgets import DecimalSpinBox, fill_layout, wheel_needs_focus
from ..widgets.labels import PlainLabel
from ..widgets.theme import make_muted, resize_for_font
from .network_profile_field import NetworkProfileField

#: units of the settings that are alike in every language
_UNITS = {"retries": " ×", "max_answer_mb": " MB", "capabilities_hours": " h", "first_byte_timeout": " s",
          "total_timeout": " s"}


#: meaning of an empty field
_EMPTY_TEXT: Dict[str, Callable[[], str]] = {
    "profile": lambda: tr("the network bundled with Cartoguide"), "store/path": lambda: tr("in the QGIS profile"),
    "credit_pattern": lambda: DEFAULT_PATTERN, "templates_folder": lambda: str(template_loading.templates_folder()),
    "logos": lambda: tr("none"), "own_colours": lambda: tr("none")
}


def setting_labels() -> dict[str, str]:
    return {
        "profile": tr("Network &profile"), "base_url": tr("&Base address"), "node": tr("&Name prefix"),
        "catalogue_type": tr("Catalogue t&ype"), "catalogue_url": tr("Catalogue &address"),
        "store/path": tr("Record &library"), "load_thumbnails": tr("O&verview images"),
        "credit_pattern": tr("Cre&dit pattern"), "canvas_credit": tr("&Map canvas"),
        "paper": tr("Pap&er"), "orientation": tr("&Orientation"), "export_dpi": tr("Resol&ution"),
        "templates_folder": tr("Templates &folder"), "logos": tr("Lo&gos"),
        "own_colours": tr("O&wn colours"),
        "first_byte_timeout": tr("Connect&ion timeout"),
        "total_timeout": tr("&Total timeout"), "capabilities_hours": tr("Refresh capabilitie&s after"),
        "retries": tr("&Retries"), "parallel_requests": tr("Parallel re&quests per server"),
        "max_answer_mb": tr("Maximum response si&ze"),
        "check_before_export": tr("Before e&xporting"),
    }


def setting_groups() -> tuple[tuple[str, tuple[str, ...]], ...]:
    return (
        (tr("Network"), ("profile", "base_url", "node", "catalogue_type", "catalogue_url")),
        (tr("Records"), ("store/path", "load_thumbnails")),
        (tr("Credit on maps"), ("credit_pattern", "canvas_credit")),
        (tr("Layouts"), ("paper", "orientation", "export_dpi", "templates_folder", "logos",
                          "own_colours", "check_before_export")),
        (tr("Requests"), ("first_byte_timeout", "total_timeout", "retries", "parallel_requests", "max_answer_mb")),
        (tr("Capabilities of services"), ("capabilities_hours",)),
    )


def help_text(name: str) -> str:
    """Return a setting's purpose and default."""
    setting = settings.SETTINGS[name]
    shown = _EMPTY_TEXT[name]() if name in _EMPTY_TEXT else _choice_label(setting.default)
    if isinstance(setting.default, bool):
        shown = tr("switched on") if setting.default else tr("switched off")
    elif isinstance(setting.default, float):
        shown = format_figures(setting.default)
    return f"{setting.help()} {tr('Default: {value}', value=shown + _unit(name))}"


def _unit(name: str) -> str:
    """Return a setting's unit with a space before it, or ""."""
    return tr("{number} dpi", number="") if name == "export_dpi" else _UNITS.get(name, "")


def make_field(name: str, changed: Callable[[], None]) -> QWidget:
    """Return a widget that shows the stored value of ``name``. ``changed`` is called when its text changes."""
    setting = settings.SETTINGS[name]
    field = ColoursField(changed) if name == "own_colours" else _make_path_field(name, changed)
    if field is None and setting.choices:
        field = wheel_needs_focus(QComboBox())
        for choice in setting.choices:
            field.addItem(_choice_label(choice), choice)
    elif field is None and setting.type is bool:
        # the tooltip has the full text: a check box does not wrap
        field = QCheckBox({"check_before_export": tr("Request every image"),
                           "load_thumbnails": tr("Load for all records"), "canvas_credit": tr("Show credits")}[name])
    elif field is None and setting.type in (int, float):
        field = wheel_needs_focus(QSpinBox() if setting.type is int else DecimalSpinBox())
        field.setRange(setting.type(setting.minimum), setting.type(setting.maximum))
        field.setSuffix(_unit(name))
        if isinstance(field, QDoubleSpinBox):
            field.setDecimals(1)
    elif field is None:
        field = QLineEdit()
        field.setClearButtonEnabled(True)
        field.setPlaceholderText(DEFAULT_PATTERN if name == "credit_pattern" else tr("from the profile"))
        field.textChanged.connect(changed)
    set_value(field, settings.get(name))
    return field


def _make_path_field(name: str, changed: Callable[[], None]) -> QWidget | None:
    """Return a widget for a setting that is a file or folder, or None."""
    if name == "profile":
        return NetworkProfileField()
    if name == "store/path":
        file = QgsFileWidget()
        file.setStorageMode(QgsFileWidget.StorageMode.SaveFile)
        file.setConfirmOverwrite(False)
        file.setFilter(tr("Record libraries") + " (*.sqlite)")
        file.lineEdit().setPlaceholderText(tr("in the QGIS profile"))
        file.fileChanged.connect(changed)
        return file
    if name == "templates_folder":
        folder = QgsFileWidget()
        folder.setStorageMode(QgsFileWidget.StorageMode.GetDirectory)
        folder.lineEdit().setPlaceholderText(str(template_loading.templates_folder()))
        return folder
    return LogosField() if name == "logos" else None


def _choice_label(value: Any) -> str:
    known = {"": tr("from the profile"), Orientation.LANDSCAPE: tr("Landscape"), Orientation.PORTRAIT: tr("Portrait")}
    return known.get(value, str(value))


def set_value(widget: QWidget, value: Any) -> None:
    """Show ``value`` in a widget of ``make_field``."""
    if isinstance(widget, NetworkProfileField):
        widget.set_path(value)
    elif isinstance(widget, LogosField):
        widget.set_files(value)
    elif isinstance(widget, ColoursField):
        widget.set_colours(value)
    elif isinstance(widget, QgsFileWidget):
        widget.setFilePath(value)
    elif isinstance(widget, QComboBox):
        widget.setCurrentIndex(max(0, widget.findData(value)))
    elif isinstance(widget, QCheckBox):
        widget.setChecked(value)
    elif isinstance(widget, (QDoubleSpinBox, QSpinBox)):
        widget.setValue(value)
    elif isinstance(widget, QLineEdit):
        widget.setText(value)


def value_of(widget: QWidget) -> Any:
    """Return the value in a widget of ``make_field``. Raises TypeError for any other widget."""
    if isinstance(widget, NetworkProfileField):
        return widget.path()
    if isinstance(widget, LogosField):
        return widget.files()
    if isinstance(widget, ColoursField):
        return widget.colours()
    if isinstance(widget, QgsFileWidget):
        return widget.filePath().strip()
    if isinstance(widget, QComboBox):
        return widget.currentData()
    if isinstance(widget, QCheckBox):
        return widget.isChecked()
    if isinstance(widget, (QDoubleSpinBox, QSpinBox)):
        return widget.value()
    if isinstance(widget, QLineEdit):
        return widget.text().strip()
    raise TypeError(f"{widget!r} is no field")


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
        self.problem_label = PlainLabel(wraps=True)
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
        fill_layout(QVBoxLayout(self), scroll, self.problem_label, wide=scroll)
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
                hint = PlainLabel(tr("Placeholders: {places}", places=places), wraps=True)
                form.addRow(hint)
        return group

    def values(self) -> dict[str, Any]:
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

        self._relocation_job = start_relocation(self._library, path, along, moved,
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
        fill_layout(QVBoxLayout(self), self.form, self.buttons, wide=self.form, margins=None)


class ColoursField(QWidget):
    """Two colours: of title and headings, and of the line below the title. Its value is a JSON list, "" for none.

    ``changed`` is called when a colour was chosen.
    """

    def __init__(self, changed: Callable[[], None], parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self._changed = changed
        self.note = PlainLabel(wraps=True)
        make_muted(self.note)
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        self.buttons: List[QgsColorButton] = []
        for name in (tr("Colour of title and headings"), tr("Colour of the line below the title")):
            button = QgsColorButton()
            button.setAllowOpacity(False)
            button.setShowNull(True)
            button.setToNull()
            button.setToolTip(inert(name))
            button.setAccessibleName(name)
            button.colorChanged.connect(lambda _colour: self._show_note())
            self.buttons.append(button)
            row.addWidget(button)
        row.addStretch(1)
        fill_layout(QVBoxLayout(self), row, self.note)
        self.note.hide()

    def set_colours(self, value: str) -> None:
        colours = [text for text in stored_list(value) if isinstance(text, str) and is_colour(text)]
        for number, button in enumerate(self.buttons):
            if number < len(colours):
                button.setColor(QColor(colours[number]))
            else:
                button.setToNull()

    def colours(self) -> str:
        """Return the value. The second colour counts only beside the first."""
        chosen: List[str] = []
        for button in self.buttons:
            if button.isNull():
                break
            chosen.append(button.color().name())
        return json.dumps(chosen) if chosen else ""

    def _show_note(self) -> None:
        changed = darkened_colours(stored_list(self.colours()))
        texts = [tr("The colour {given} is too light for text, so {used} is used.", given=given, used=used)
                 for given, used in changed]
        self.note.setText("\n".join(texts))
        self.note.setVisible(bool(texts))
        self._changed()


class ConsentList(QWidget):
    """Consents that are removed from the list are revoked by ``save``, so that the dialog can be cancelled."""

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        heading = PlainLabel(tr("Servers that may redirect to http, or into your own network, or whose login may be "
                                "sent to another server, with your consent:"), wraps=True)
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Accepted redirects and logins"))
        self.list.setMaximumHeight(self.fontMetrics().height() * 5)
        self.list.setWordWrap(True)
        for risk in RedirectRisk:
            for before, after in allowed_redirects(risk):
                self._add(f"{before} → {after}", partial(revoke_redirect, before, risk))
        for holder, target in allowed_logins():
            self._add(tr("Login: {host} → {target}", host=holder, target=target), partial(revoke_login, target))
        self.none_label = PlainLabel(tr("None. Such redirects are refused, and logins not sent to other servers, until "
                                        "you accept one in its error message."), wraps=True)
        self.revoke_button = QPushButton(tr("&Revoke"))
        self.revoke_button.setToolTip(tr("Refuse this again"))
        self.revoke_button.setAccessibleDescription(self.revoke_button.toolTip())
        self.revoke_button.clicked.connect(lambda _checked=False: self._revoke())
        self.list.currentRowChanged.connect(lambda row: self.revoke_button.setEnabled(row >= 0))
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self.revoke_button)
        fill_layout(QVBoxLayout(self), heading, self.list, self.none_label, buttons)
        self._heading = heading
        self._revoked: List[Callable[[], None]] = []
        self.list.setCurrentRow(0)
        self._update_visibility()

    def save(self) -> None:
        """Revoke the consents that were removed from the list."""
        for revoke in self._revoked:
            revoke()
        self._revoked = []

    def _add(self, text: str, revoke: Callable[[], None]) -> None:
        item = QListWidgetItem(text, self.list)
        item.setData(Qt.ItemDataRole.UserRole, revoke)

    def _revoke(self) -> None:
        item = self.list.takeItem(self.list.currentRow())
        if item is not None:
            self._revoked.append(item.data(Qt.ItemDataRole.UserRole))
        self._update_visibility()

    def _update_visibility(self) -> None:
        some = self.list.count() > 0
        for widget in (self._heading, self.list, self.revoke_button):
            widget.setVisible(some)
        self.none_label.setVisible(not some)
        self.revoke_button.setEnabled(self.list.currentRow() >= 0)


class LogosField(QgsFileWidget):
    """Lets the person choose several image files. Its value is a JSON list of their paths, "" for none."""

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.setStorageMode(QgsFileWidget.StorageMode.GetMultipleFiles)
        self.setFilter(tr("Images") + " (*.svg *.png *.jpg *.jpeg *.webp)")
        self.lineEdit().setPlaceholderText(tr("none"))

    def set_files(self, value: str) -> None:
        paths = [path for path in stored_list(value) if isinstance(path, str)]
        self.setFilePath(" ".join(f'"{path}"' for path in paths))

    def files(self) -> str:
        paths = [path.strip() for path in QgsFileWidget.splitFilePaths(self.filePath()) if path.strip()]
        return json.dumps(paths, ensure_ascii=False) if paths else ""
