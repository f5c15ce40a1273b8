"""Parameters of the map algorithms (document, area, scale, page, language) and the composition of the map."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, Iterable, Mapping, Sequence

from qgis.core import (
    QgsProcessingContext,
    QgsProcessingFeedback,
    QgsProcessingParameterFile,
    QgsProcessingParameterNumber,
    QgsProcessingParameterScale,
    QgsProcessingParameterString,
    QgsProject,
)

from ..core.i18n import tr
from . import inputs
from .algorithm import CartoguideAlgorithm, choice_parameter, editable_choice_parameter
from .execution import run_blocking

if TYPE_CHECKING:
    from ..core.custommap.model import CustomMap, Plan
    from ..core.records.model.record import Record
    from ..gis.export.map_pipeline import ComposedMap
    from ..gis.runtime.tasks import Feedback

INPUT, FOREIGN_LAYERS, CREDIT_LINES = "INPUT", "FOREIGN_LAYERS", "CREDIT_LINES"
#: values of FOREIGN_LAYERS
REFUSE, OPEN, OPEN_ALL, OWN = "refuse", "open", "open-all", "own"
SCALE, PAPER, ORIENTATION, TEMPLATE, ROTATION, LANGUAGE, THEME = (
    "SCALE", "PAPER", "ORIENTATION", "TEMPLATE", "ROTATION", "LANGUAGE", "THEME")
PAPERS = ("A4", "A3", "A2", "A1", "A0")
#: the value "as in the document" or "as in QGIS"
UNCHANGED = "same"


def add_page_parameters(algorithm: CartoguideAlgorithm, of_document: bool) -> None:
    """Add the parameters. With ``of_document``, the defaults are the values of the document."""
    from ..core.page_design.page_themes import STANDARD, THEME_NAMES, theme_title
    from ..gis.credits.map_phrases import MAP_LANGUAGES

    inputs.add_extent_parameter(
        algorithm, tr("Area of the map"),
        tr("If empty, that of the document.")
        if of_document else tr("If empty, the page fits into the base without a margin."))
    algorithm.add_parameter(QgsProcessingParameterScale(SCALE, tr("Scale"), None, True),
                            tr("The denominator: 25000 for 1:25,000. If empty, the area fills the page."))
    unchanged = ((UNCHANGED, tr("As in the document")),) if of_document else ()
    orientations = (("landscape", tr("Landscape")), ("portrait", tr("Portrait")))
    algorithm.add_parameter(choice_parameter(PAPER, tr("Paper"), (*unchanged, *((paper, paper) for paper in PAPERS))),
                            tr("The size of the page."))
    suited = unchanged or ((UNCHANGED, tr("To suit the base")),)
    algorithm.add_parameter(choice_parameter(ORIENTATION, tr("Orientation"), (*suited, *orientations)),
                            tr("Page orientation.") if of_document else
                            tr("Page orientation. By default that which shows most of the base, if neither area nor "
                               "scale is given."))
    note = tr("“same” means the document's.") if of_document else ""
    templates = (("guide", tr("Guide map")), ("sheet", tr("Technical sheet")), ("leaflet", tr("Folded leaflet")),
                 ("multiples", tr("Small multiples")), ("field", tr("Field sheet")))
    from_document = (("", tr("As in the document")),) if of_document else ()
    algorithm.add_parameter(
        editable_choice_parameter(TEMPLATE, tr("Layout template"), (*from_document, *templates),
                                  "" if of_document else "guide"),
        f"{tr('guide, sheet, leaflet, multiples, field, or the path of a .qpt file.')} {note}".strip())
    algorithm.add_parameter(
        QgsProcessingParameterNumber(ROTATION, tr("Rotation, clockwise"),
                                     QgsProcessingParameterNumber.Type.Double, None, True, -360, 360),
        tr("Degrees by which the map is turned on the page. If empty, those of the document.")
        if of_document else tr("Degrees by which the map is turned on the page. If empty, none."))
    algorithm.add_parameter(
        choice_parameter(LANGUAGE, tr("Language of the map"),
                         (*(unchanged or ((UNCHANGED, tr("As QGIS")),)), *MAP_LANGUAGES.items())),
        tr("The language of the map's texts."))
    algorithm.add_parameter(
        choice_parameter(THEME, tr("Theme"),
                         (*(unchanged or ((UNCHANGED, theme_title(STANDARD)),)),
                          *((name, theme_title(name)) for name in THEME_NAMES if of_document or name != STANDARD))),
        tr("Colours and size of type of the page. Your own colours are in the settings."))


def apply_page_parameters(algorithm: CartoguideAlgorithm, parameters: Dict[str, Any], context: QgsProcessingContext,
                          feedback: QgsProcessingFeedback, document: CustomMap) -> CustomMap:
    """Return the document with the page of the parameters, on a paper that its template exists for, which is said."""
    from dataclasses import replace

    from ..core.custommap.document import on_offered_paper
    from ..core.custommap.model import MapExtent, Orientation

    page = document.page
    paper = str(algorithm.parameterAsEnumString(parameters, PAPER, context) or UNCHANGED)
    page = page if paper == UNCHANGED else replace(page, paper=paper)
    orientation = str(algorithm.parameterAsEnumString(parameters, ORIENTATION, context) or UNCHANGED)
    page = page if orientation == UNCHANGED else replace(page, orientation=Orientation(orientation))
    template = str(algorithm.parameterAsString(parameters, TEMPLATE, context) or "").strip()
    page = replace(page, template=template) if template and template != UNCHANGED else page
    if parameters.get(ROTATION) not in (None, ""):
        page = replace(page, rotation=float(algorithm.parameterAsDouble(parameters, ROTATION, context)) % 360)
    theme = str(algorithm.parameterAsEnumString(parameters, THEME, context) or UNCHANGED)
    page = page if theme == UNCHANGED else replace(page, theme=theme)
    language = str(algorithm.parameterAsEnumString(parameters, LANGUAGE, context) or UNCHANGED)
    changed: Dict[str, Any] = {"language": document.language if language == UNCHANGED else language}
    area = inputs.bounding_box(algorithm, parameters, context)
    if area is not None:
        changed.update(extent=MapExtent.of(area), centre=None)
    if parameters.get(SCALE):
        changed["scale"] = float(algorithm.parameterAsDouble(parameters, SCALE, context))
    elif area is not None:
        changed["scale"] = None
    elif document.fitted and page != document.page:
        # another page is fitted anew
        changed.update(centre=None, scale=None)
    if document.fitted and (changed.keys() & {"extent", "centre", "scale"}):
        changed["fitted"] = False
    suited = on_offered_paper(replace(document, page=page, **changed))
    for note in suited.change_notes[len(document.change_notes):]:
        feedback.pushWarning(note)
    return suited


def page_parameter_error(algorithm: CartoguideAlgorithm, parameters: Dict[str, Any],
                         context: QgsProcessingContext) -> str:
    """Return why the parameters are invalid, or an empty text."""
    template = str(algorithm.parameterAsString(parameters, TEMPLATE, context) or "").strip()
    if template.lower().endswith(".qpt") and not Path(template).is_file():
        return tr("{name} does not exist.", name=template)
    scale = algorithm.parameterAsDouble(parameters, SCALE, context) if parameters.get(SCALE) else None
    if scale is not None and not 1 <= scale <= 1e9:
        return tr("The scale must be a denominator, like 25000.")
    return ""


def may_turn(algorithm: CartoguideAlgorithm, parameters: Dict[str, Any], context: QgsProcessingContext) -> bool:
    """Return whether the orientation of the page is left to what suits the base."""
    return str(algorithm.parameterAsEnumString(parameters, ORIENTATION, context) or UNCHANGED) == UNCHANGED


def compose_map(project: QgsProject, document: CustomMap, extra_records: Sequence[Record],
                feedback: QgsProcessingFeedback, turns: bool = False) -> ComposedMap:
    """Add the layers and the layout of ``document`` to ``project``. For the main thread only.

    With ``turns`` a page that is fitted to the base is turned as suits it. The records are looked up among
    ``extra_records`` and in the library. Raises CartoguideError where the library cannot be opened.
    """
    from ..gis.export import map_pipeline

    records = _prepare(project, document, extra_records, feedback)
    return map_pipeline.compose_map(project, document, records, seconds=0.0, feedback=feedback, may_turn=turns)


def compose_frames(project: QgsProject, document: CustomMap, extra_records: Sequence[Record],
                   feedback: QgsProcessingFeedback) -> ComposedMap:
    """Add the layers of every moment of ``document`` and the layouts of its animation to ``project``.

    As ``compose_map``. Raises CartoguideError for a map without a time series.
    """
    from ..gis.export import map_pipeline

    records = _prepare(project, document, extra_records, feedback)
    return map_pipeline.compose_frames(project, document, records, feedback=feedback)


def _prepare(project: QgsProject, document: CustomMap, extra_records: Sequence[Record],
             feedback: QgsProcessingFeedback) -> Mapping[str, Record]:
    """Set the project's CRS, and return the records of the map's services by endpoint."""
    from qgis.core import QgsCoordinateReferenceSystem

    from ..gis.library.record_library import find_map_records
    from .record_inputs import open_library

    def find(task_feedback: Feedback) -> Any:
        with open_library(task_feedback) as library:
            return find_map_records(document, extra_records, library.store())

    feedback.setProgressText(tr("Reading the services…"))
    records: Mapping[str, Record] = run_blocking(find, feedback)
    project.setCrs(QgsCoordinateReferenceSystem(document.crs))
    return records


def composition_remarks(composed: ComposedMap) -> Iterable[str]:
    """Return the notes of the plan and the failures, as texts for people."""
    from ..gis.layouts.layout_items import layout_notes

    return dict.fromkeys([*(note.text for note in composed.plan.notes), *composed.failures,
                          *(text for layout in composed.layouts for text in layout_notes(layout))])


def add_credits_parameter(algorithm: CartoguideAlgorithm) -> None:
    algorithm.add_parameter(
        QgsProcessingParameterString(CREDIT_LINES, tr("Missing credits"), None, True, True),
        tr("Credits that the map lacks or whose source has a blank, one a line: a service's number on the map from the "
           "bottom up, its title or its address, an equals sign, and the credit as it has to be printed."))


def apply_credits_parameter(algorithm: CartoguideAlgorithm, parameters: Dict[str, Any], context: QgsProcessingContext,
                            document: CustomMap) -> CustomMap:
    """Return the document with the credits of the parameter. Raises CartoguideError for a line of no service."""
    from ..core.custommap.credit_answers import answered, read_answers

    return answered(document, read_answers(
        str(algorithm.parameterAsString(parameters, CREDIT_LINES, context) or ""), document, CREDIT_LINES))


def missing_credit_hints(document: CustomMap, plan: Plan) -> Sequence[str]:
    """Return a sentence that says how to give the credits that the map lacks, or none."""
    from ..core.custommap.credit_answers import example_answers
    from ..core.text import quoted

    examples = example_answers(document, plan)
    return [tr("Give what is missing with the parameter {name}, for example {example}.", name=CREDIT_LINES,
               example=quoted("\n".join(examples)))] if examples else []


def add_document_parameter(algorithm: CartoguideAlgorithm) -> None:
    """Add the parameters of the document: its path, and what is opened when somebody else saved it."""
    algorithm.add_parameter(
        QgsProcessingParameterFile(INPUT, tr("Custom map"), QgsProcessingParameterFile.Behavior.File, "", None, False,
                                   tr("Custom map") + " (*.json *.pdf *.png *.tif)"),
        tr("The document, as the dock or “Build a custom map” writes it, or a map that was exported as PDF, PNG or "
           "GeoTIFF."))
    algorithm.add_parameter(
        choice_parameter(FOREIGN_LAYERS, tr("Map of somebody else"),
                         ((REFUSE, tr("Open nothing that it names")),
                          (OPEN, tr("Open files beside it, and servers")),
                          (OPEN_ALL, tr("Open files elsewhere too")),
                          (OWN, tr("My own map: open all, unchecked")))),
        tr("What is opened of the files (in the map's folder and below it, or anywhere on this computer), servers and "
           "databases named by a map that another QGIS profile saved. Their styles are drawn without what could read "
           "other files or send something."), advanced=True)


def read_map_document(algorithm: CartoguideAlgorithm, parameters: Dict[str, Any], context: QgsProcessingContext,
                      feedback: QgsProcessingFeedback, draws_layers: bool) -> CustomMap:
    """Read the document in a file or inside an exported map, with what it names opened as the parameter says.

    What is left out of a foreign map, and what was changed on reading, is reported. Raises CartoguideError where the
    document cannot be read, where its page would be another one without what it names, and with ``draws_layers`` where
    a layer of it would be missing.
    """
    from dataclasses import replace

    from ..core.custommap import foreign_maps
    from ..core.custommap.model import PageSetup
    from ..core.errors import CartoguideError
    from ..core.publication.map_files import read_map_file
    from ..core.snapshot.snapshot_sources import with_absolute_paths
    from ..core.trust.provenance import Trust
    from ..gis.layouts.template_loading import templates_folder
    from ..gis.own_layers.provenance import recognised
    from ..gis.runtime.symbol_library import svg_library

    path = Path(algorithm.parameterAsFile(parameters, INPUT, context)).resolve()
    document = recognised(with_absolute_paths(read_map_file(path), path))
    for note in document.change_notes:
        feedback.pushWarning(note)
    if document.trust is not Trust.FOREIGN:
        return document
    template = str(algorithm.parameterAsString(parameters, TEMPLATE, context) or "") if algorithm.parameterDefinition(
        TEMPLATE) is not None else ""
    if template:
        # the parameter takes its place
        document = replace(document, page=replace(document.page, template=PageSetup().template))
    foreign = foreign_maps.examine(document, path.parent, templates_folder())
    answer = str(algorithm.parameterAsEnumString(parameters, FOREIGN_LAYERS, context) or REFUSE)
    consents = foreign_maps.Consent
    consent = {OPEN: consents.LISTED, OPEN_ALL: consents.ELSEWHERE_TOO, OWN: consents.OWN}.get(answer, consents.NONE)
    if consent is consents.OWN:
        for sentence in foreign_maps.admit(foreign, consents.ELSEWHERE_TOO, svg_library()).left_out:
            feedback.pushInfo(tr("Opened all the same, as your own map: {reason}", reason=sentence))
    admitted = foreign_maps.admit(foreign, consent, svg_library())
    lacks_layers = any(own.visible and not own.trust.may_open for own in admitted.document.own_layers)
    if admitted.changes_page or (draws_layers and lacks_layers):
        raise CartoguideError("\n".join((*admitted.left_out, _consent_hint())))
    for sentence in admitted.left_out:
        feedback.pushWarning(sentence)
    if admitted.left_out and consent is foreign_maps.Consent.NONE:
        feedback.pushWarning(_consent_hint())
    return admitted.document


def _consent_hint() -> str:
    return tr("The map was saved by another QGIS profile. To open what it names, set {name} to “{open}” or “{all}”.",
              name=FOREIGN_LAYERS, open=OPEN, all=OPEN_ALL)
