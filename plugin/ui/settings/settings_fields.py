"""Widgets for the settings, chosen by the setting's type."""

from __future__ import annotations

from typing import Any, Callable, Dict

from qgis.gui import QgsFileWidget
from qgis.PyQt.QtWidgets import QCheckBox, QComboBox, QDoubleSpinBox, QLineEdit, QSpinBox, QWidget

from ...core.custommap.model import Orientation
from ...core.i18n import tr
from ...core.numbers import format_figures
from ...core.terms import DEFAULT_PATTERN
from ...gis.page_items import template_loading
from ...gis.runtime import settings
from ..widgets.form_widgets import wheel_needs_focus
from .colours_field import ColoursField
from .logos_field import LogosField
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
    """Return the label of each setting, with its keyboard shortcut."""
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
    """Return the groups of settings with their titles."""
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
        field = wheel_needs_focus(QSpinBox() if setting.type is int else QDoubleSpinBox())
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
    known = {"": tr("from the profile"),
             Orientation.LANDSCAPE: tr("Landscape"), Orientation.PORTRAIT: tr("Portrait")}
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
