"""Choices as parameters: names that never change in scripts, models and ``qgis_process``, words in QGIS's windows."""

from __future__ import annotations

from typing import Dict, Sequence, Tuple

from qgis.core import QgsProcessingParameterEnum, QgsProcessingParameterString

#: a choice: its name, which never changes, and what people read
Choice = Tuple[str, str]
_WIDGET, _WORDS = "widget_wrapper", "words"
_WIDGET_CLASS = f"{__package__.rpartition('.')[0]}.ui.widgets.choice_widget.ChoiceWidget"


def choice_parameter(name: str, label: str, choices: Sequence[Choice]) -> QgsProcessingParameterEnum:
    """A parameter whose value is one of the names; the first is the default."""
    names = [one for one, _ in choices]
    definition = QgsProcessingParameterEnum(name, label, names, False, names[0], False, True)
    # QGIS would show the names; by this path it imports the widget when it makes a window
    definition.setMetadata({_WIDGET: {"class": _WIDGET_CLASS, _WORDS: dict(choices)}})
    return definition


def editable_choice_parameter(name: str, label: str, choices: Sequence[Choice],
                              default: str) -> QgsProcessingParameterString:
    """An optional text for which ``choices`` are offered, an empty name among them; others may be written."""
    definition = QgsProcessingParameterString(name, label, default or None, False, True)
    definition.setMetadata({_WIDGET: {"class": _WIDGET_CLASS, _WORDS: dict(choices), "editable": True}})
    return definition


def choice_labels(definition: QgsProcessingParameterEnum) -> Dict[str, str]:
    """Each name of a parameter made by ``choice``, and what people read."""
    found = definition.metadata().get(_WIDGET) or {}
    return {name: str(found.get(_WORDS, {}).get(name, name)) for name in definition.options()}
