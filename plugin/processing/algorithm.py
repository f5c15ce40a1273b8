"""What all algorithms have in common: stable English ids, translated names, help made of its parts, errors in words."""

from __future__ import annotations

from typing import Any, Dict, Sequence, Tuple

from qgis.core import (
    QgsProcessingAlgorithm,
    QgsProcessingContext,
    QgsProcessingFeedback,
    QgsProcessingOutputDefinition,
    QgsProcessingParameterDefinition,
    QgsProcessingParameterEnum,
    QgsProcessingParameterString,
)
from qgis.PyQt.QtCore import QUrl
from qgis.PyQt.QtGui import QIcon

from ..core.i18n import tr
from . import ICON

#: a choice: its name, which never changes, and what people read
Choice = Tuple[str, str]
_WIDGET, _WORDS = "widget_wrapper", "words"
_WIDGET_CLASS = f"{__package__.rpartition('.')[0]}.ui.widgets.choice_widget.ChoiceWidget"
RECORDS, TERMS, MAPS = "records", "terms", "maps"
_ADVANCED = QgsProcessingParameterDefinition.Flag.FlagAdvanced


class CartoguideAlgorithm(QgsProcessingAlgorithm):
    """A base: below it an algorithm has its ID, GROUP and TAGS, says what it is, and does its work in ``produce``.

    EXAMPLE is the command that the help shows and the tests run, in a folder with ``records`` (a network's three
    records), ``park.custommap.json`` and ``project.qgz``.
    """

    ID = ""
    GROUP = RECORDS
    TAGS: Sequence[str] = ()
    EXAMPLE = ""
    #: whether QGIS's main thread is needed: for layers, projects and layouts
    MAIN_THREAD = False

    def title(self) -> str:
        """Its name for people."""
        raise NotImplementedError

    def description(self) -> str:
        """What it does, in a sentence or two."""
        raise NotImplementedError

    def output_descriptions(self) -> Sequence[Tuple[str, str]]:
        """Each output, and what it holds."""
        raise NotImplementedError

    def compute(self, parameters: Dict[str, Any], context: QgsProcessingContext,
                feedback: QgsProcessingFeedback) -> Dict[str, Any]:
        """Do it; whatever is raised is told in words."""
        raise NotImplementedError

    def parameter_error(self, parameters: Dict[str, Any], context: QgsProcessingContext) -> str:
        """What is wrong with the parameters, in words; empty where nothing is."""
        return ""

    # -- QGIS

    def createInstance(self) -> CartoguideAlgorithm:  # noqa: N802
        return type(self)()

    def name(self) -> str:
        """QGIS: the id that scripts use; never translated."""
        return self.ID

    def displayName(self) -> str:  # noqa: N802
        return self.title()

    def groupId(self) -> str:  # noqa: N802
        return self.GROUP

    def group(self) -> str:
        """QGIS: the group's name for people."""
        return {RECORDS: tr("Records"), TERMS: tr("Terms and services"), MAPS: tr("Custom maps")}[self.GROUP]

    def tags(self) -> Sequence[str]:
        """QGIS: words that the toolbox finds it by, in English and in the person's language."""
        return [*self.TAGS, "cartoguide", *self.title().lower().split()]

    def icon(self) -> QIcon:
        """QGIS: as the plugin's."""
        return QIcon(str(ICON))

    def svgIconPath(self) -> str:  # noqa: N802
        return str(ICON)

    def flags(self) -> Any:
        """QGIS: in a thread of its own unless the main one is needed."""
        flags = super().flags()
        return flags | QgsProcessingAlgorithm.Flag.FlagNoThreading if self.MAIN_THREAD else flags

    def shortDescription(self) -> str:  # noqa: N802
        return self.description()

    def helpUrl(self) -> str:  # noqa: N802
        return help_url(self.ID)

    def shortHelpString(self) -> str:  # noqa: N802
        provider = self.provider()
        if provider is not None and not getattr(provider, "in_window", True):
            # a terminal has shown what it does by now, and shows the inputs itself
            return "\n".join([
                "", f"{tr('Outputs')}:", *(f"  {name}: {words}" for name, words in self.output_descriptions()), "",
                f"{tr('Example')}:", f"  {self.EXAMPLE}"
            ])
        from ..core.records.report.html_fragments import escaped as escape

        labels = {one.name(): one.description() for one in (*self.parameterDefinitions(), *self.outputDefinitions())}
        inputs = [(definition.name(), definition.help() or definition.description())
                  for definition in self.parameterDefinitions() if not definition.isDestination()]
        parts = [f"<p>{escape(self.description())}</p>"]
        for heading, entries in ((tr("Inputs"), inputs), (tr("Outputs"), self.output_descriptions())):
            lines = "".join(
                f"<li><b>{escape(', '.join(labels.get(one, one) for one in names.split(', ')))}</b> "
                f"({escape(names)}): {escape(words)}</li>" for names, words in entries)
            parts.append(f"<h3>{escape(heading)}</h3><ul>{lines}</ul>" if lines else "")
        if self.EXAMPLE:
            parts.append(f"<h3>{escape(tr('Example'))}</h3><pre>{escape(self.EXAMPLE)}</pre>")
        return "\n".join(parts)

    def checkParameterValues(self, parameters: Dict[str, Any], context: QgsProcessingContext) -> Any:  # noqa: N802
        words = self.parameter_error(parameters, context)
        return (False, words) if words else super().checkParameterValues(parameters, context)

    def processAlgorithm(self, parameters: Dict[str, Any], context: QgsProcessingContext,  # noqa: N802
                         feedback: QgsProcessingFeedback) -> Dict[str, Any]:
        from .execution import with_processing_errors

        return with_processing_errors(lambda: self.compute(parameters, context, feedback), feedback)

    # -- for those below

    def add_parameter(self, definition: QgsProcessingParameterDefinition, help_text: str = "",
                      advanced: bool = False) -> None:
        """One more parameter with its help; what may be chosen is named there, as scripts write it."""
        if isinstance(definition, QgsProcessingParameterEnum):
            choices = ", ".join(name if name == said else f"{name} ({said})"
                                for name, said in choice_labels(definition).items())
            help_text = f"{help_text} {tr('One of: {choices}.', choices=choices)}".strip()
        definition.setHelp(help_text)
        if advanced:
            definition.setFlags(definition.flags() | _ADVANCED)
        self.addParameter(definition)

    def add_outputs(self, *outputs: QgsProcessingOutputDefinition) -> None:
        """Outputs that are no destinations: numbers and texts."""
        for output in outputs:
            self.addOutput(output)


def help_url(name: str) -> str:
    """The place in the user guide, on this machine, that tells of the algorithm."""
    from ..gis.runtime.help_pages import page_path

    url = QUrl.fromLocalFile(str(page_path("processing")))
    url.setFragment(f"cartoguide{name}")
    return str(url.toString())


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
