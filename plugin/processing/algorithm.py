"""Base class of the algorithms: stable English identifiers, translated labels, help text and error handling."""

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

from ..core.i18n import tr, translated
from ..gis.runtime import compat
from . import ICON

#: a choice: its stable name and its label
Choice = Tuple[str, str]
_WIDGET, _WORDS = "widget_wrapper", "words"
_WIDGET_CLASS = f"{__package__.rpartition('.')[0]}.ui.widgets.choice_widget.ChoiceWidget"
RECORDS, TERMS, MAPS = "records", "terms", "maps"


class CartoguideAlgorithm(QgsProcessingAlgorithm):
    """Base class of the algorithms.

    A subclass sets ID, GROUP and TAGS, describes itself and does its work in ``compute``. Its texts are marked by
    ``tr_noop``: TITLE, DESCRIPTION (one or two sentences on what the algorithm does), and OUTPUTS (several names
    separated by commas, each with its description). EXAMPLE is the command that the help shows and the tests run, in a
    folder with ``records`` (three records of a network), ``park.custommap.json`` and ``project.qgz``.
    """

    ID = ""
    TITLE, DESCRIPTION = "", ""
    OUTPUTS: Sequence[Tuple[str, str]] = ()
    GROUP = RECORDS
    TAGS: Sequence[str] = ()
    EXAMPLE = ""
    #: true where the main thread is needed: for layers, projects and layouts
    MAIN_THREAD = False

    def compute(self, parameters: Dict[str, Any], context: QgsProcessingContext,
                feedback: QgsProcessingFeedback) -> Dict[str, Any]:
        """Run the algorithm and return its outputs. Every exception becomes a QgsProcessingException."""
        raise NotImplementedError

    def parameter_error(self, parameters: Dict[str, Any], context: QgsProcessingContext) -> str:
        """Return why the parameters are invalid, or an empty text."""
        return ""

    # -- QGIS

    def createInstance(self) -> CartoguideAlgorithm:  # noqa: N802
        return type(self)()

    def name(self) -> str:
        """QGIS: the identifier used by scripts, never translated."""
        return self.ID

    def displayName(self) -> str:  # noqa: N802
        return translated(self.TITLE)

    def groupId(self) -> str:  # noqa: N802
        return self.GROUP

    def group(self) -> str:
        return {RECORDS: tr("Records"), TERMS: tr("Terms and services"), MAPS: tr("Custom maps")}[self.GROUP]

    def tags(self) -> Sequence[str]:
        """QGIS: search terms in English and in the user's language."""
        return [*self.TAGS, "cartoguide", *self.displayName().lower().split()]

    def icon(self) -> QIcon:
        return QIcon(str(ICON))

    def svgIconPath(self) -> str:  # noqa: N802
        return str(ICON)

    def flags(self) -> Any:
        """QGIS: run in a separate thread unless the algorithm needs the main thread."""
        flags = super().flags()
        return flags | compat.no_threading() if self.MAIN_THREAD else flags

    def shortDescription(self) -> str:  # noqa: N802
        return translated(self.DESCRIPTION)

    def helpUrl(self) -> str:  # noqa: N802
        return help_url(self.ID)

    def shortHelpString(self) -> str:  # noqa: N802
        outputs = [(names, translated(description)) for names, description in self.OUTPUTS]
        provider = self.provider()
        if provider is not None and not getattr(provider, "in_window", True):
            # qgis_process prints the description and the inputs itself
            return "\n".join([
                "", f"{tr('Outputs')}:",
                *(f"  {name}: {description}" for name, description in outputs), "",
                f"{tr('Example')}:", f"  {self.EXAMPLE}"
            ])
        from ..core.text import escaped as escape

        labels = {
            output.name(): output.description() for output in (*self.parameterDefinitions(), *self.outputDefinitions())
        }
        inputs = [(definition.name(), definition.help() or definition.description())
                  for definition in self.parameterDefinitions() if not definition.isDestination()]
        parts = [f"<p>{escape(self.shortDescription())}</p>"]
        for heading, entries in ((tr("Inputs"), inputs), (tr("Outputs"), outputs)):
            lines = "".join(
                f"<li><b>{escape(', '.join(labels.get(output, output) for output in names.split(', ')))}</b> "
                f"({escape(names)}): {escape(description)}</li>" for names, description in entries)
            parts.append(f"<h3>{escape(heading)}</h3><ul>{lines}</ul>" if lines else "")
        if self.EXAMPLE:
            parts.append(f"<h3>{escape(tr('Example'))}</h3><pre>{escape(self.EXAMPLE)}</pre>")
        return "\n".join(parts)

    def checkParameterValues(self, parameters: Dict[str, Any], context: QgsProcessingContext) -> Any:  # noqa: N802
        message = self.parameter_error(parameters, context)
        return (False, message) if message else super().checkParameterValues(parameters, context)

    def processAlgorithm(self, parameters: Dict[str, Any], context: QgsProcessingContext,  # noqa: N802
                         feedback: QgsProcessingFeedback) -> Dict[str, Any]:
        from .execution import with_processing_errors

        return with_processing_errors(lambda: self.compute(parameters, context, feedback), feedback)

    # -- for those below

    def add_parameter(self, definition: QgsProcessingParameterDefinition, help_text: str = "",
                      advanced: bool = False) -> None:
        """Add a parameter with its help text. The help of a choice lists the names, as scripts write them."""
        if isinstance(definition, QgsProcessingParameterEnum):
            choices = ", ".join(name if name == label else f"{name} ({label})"
                                for name, label in choice_labels(definition).items())
            help_text = f"{help_text} {tr('One of: {choices}.', choices=choices)}".strip()
        definition.setHelp(help_text)
        if advanced:
            definition.setFlags(definition.flags() | compat.advanced_parameter())
        self.addParameter(definition)

    def add_outputs(self, *outputs: QgsProcessingOutputDefinition) -> None:
        """Add outputs that are not destinations: numbers and texts."""
        for output in outputs:
            self.addOutput(output)


def help_url(name: str) -> str:
    """Return the URL of the algorithm's section in the installed user guide."""
    from ..gis.runtime.guide_pages import GuideTopic, page_path

    url = QUrl.fromLocalFile(str(page_path(GuideTopic.PROCESSING)))
    url.setFragment(f"cartoguide{name}")
    return str(url.toString())


def choice_parameter(name: str, label: str, choices: Sequence[Choice]) -> QgsProcessingParameterEnum:
    """Return a parameter with one of the names as its value. The first name is the default."""
    names = [choice_name for choice_name, _ in choices]
    definition = QgsProcessingParameterEnum(name, label, names, False, names[0], False, True)
    # QGIS shows the names otherwise. It imports the widget by this path when it creates a dialog
    definition.setMetadata({_WIDGET: {"class": _WIDGET_CLASS, _WORDS: dict(choices)}})
    return definition


def editable_choice_parameter(name: str, label: str, choices: Sequence[Choice],
                              default: str) -> QgsProcessingParameterString:
    """Return an optional text parameter that offers ``choices``, with an empty name among them, and accepts other
    texts.
    """
    definition = QgsProcessingParameterString(name, label, default or None, False, True)
    definition.setMetadata({_WIDGET: {"class": _WIDGET_CLASS, _WORDS: dict(choices), "editable": True}})
    return definition


def choice_labels(definition: QgsProcessingParameterEnum) -> Dict[str, str]:
    """Return the names of a parameter created by ``choice_parameter``, each with its label."""
    wrapper = definition.metadata().get(_WIDGET) or {}
    return {name: str(wrapper.get(_WORDS, {}).get(name, name)) for name in definition.options()}
