"""Algorithm that exports a custom map to PDF, PNG, JPEG, SVG, GeoTIFF or GIF, complete and with its credits."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, List, Sequence, Tuple

from qgis.core import (
    QgsProcessingContext,
    QgsProcessingFeedback,
    QgsProcessingOutputNumber,
    QgsProcessingOutputString,
    QgsProcessingParameterBoolean,
    QgsProcessingParameterFileDestination,
    QgsProcessingParameterNumber,
    QgsProject,
)

from ..core.i18n import tr, tr_noop
from . import inputs, map_parameters
from .algorithm import MAPS, CartoguideAlgorithm, choice_parameter
from .map_parameters import INPUT, add_document_parameter, read_map_document

if TYPE_CHECKING:
    from ..core.custommap.model import CustomMap
    from ..core.records.model.record import Record
    from ..gis.export.layout_export import ExportedMap, ExportFormat, ExportOptions

OUTPUT, FORMAT, DPI, STAMP, FRAME_SECONDS = "OUTPUT", "FORMAT", "DPI", "STAMP", "FRAME_SECONDS"
#: formats by file suffix
FORMATS_BY_SUFFIX = {".pdf": "pdf", ".png": "png", ".jpg": "jpeg", ".svg": "svg", ".tif": "geotiff", ".gif": "gif"}
FORMATS = ("ending", "pdf", "geopdf", "png", "jpeg", "svg", "geotiff", "gif")
_FORMAT_LABELS = ("PDF", "GeoPDF", "PNG", "JPEG", "SVG", "GeoTIFF", "GIF")
_FILTER = "PDF (*.pdf);;PNG (*.png);;JPEG (*.jpg);;SVG (*.svg);;GeoTIFF (*.tif);;GIF (*.gif)"


class ExportCustomMap(CartoguideAlgorithm):
    ID = "exportcustommap"
    TITLE = tr_noop("Export a custom map")
    DESCRIPTION = tr_noop("Draws a custom map (*.custommap.json) with its layout and writes it as PDF, PNG, JPEG, "
                          "SVG or GeoTIFF, or its time series as an animated GIF with a frame for each moment. It "
                          "fails and writes no file if a layer from the web or a part of one is missing, or a "
                          "credit is not on the page, and names the layers that it cannot check.")
    GROUP = MAPS
    TAGS = ("print", "layout", "pdf", "png", "jpeg", "svg", "geotiff", "imprimir", "exportar", "mapa", "composición")
    EXAMPLE = "qgis_process run cartoguide:exportcustommap -- INPUT=park.custommap.json DPI=150 OUTPUT=park.pdf"
    MAIN_THREAD = True
    OUTPUTS = ((OUTPUT, tr_noop("The map.")),
               ("CREDITS", tr_noop("The credits on the map, one per line.")),
               ("REQUESTS", tr_noop("Number of images fetched from the services.")),
               ("MAP_SCALE", tr_noop("The map's scale on the ground, 0 where no number is true.")),
               ("REMARKS", tr_noop("Remarks, and whatever is missing from a stamped map, one per line.")),
               ("UNCHECKED_LAYERS", tr_noop("The names of the layers whose completeness cannot be checked, one per "
                                            "line.")))

    def initAlgorithm(self, configuration: Any = None) -> None:  # noqa: N802
        add_document_parameter(self)
        map_parameters.add_credits_parameter(self)
        self.add_parameter(
            choice_parameter(FORMAT, tr("Format"),
                             ((FORMATS[0], tr("By the file extension")), *zip(FORMATS[1:], _FORMAT_LABELS))),
            tr("“ending” uses the extension of the output file; GeoPDF must be chosen explicitly."))
        self.add_parameter(
            QgsProcessingParameterNumber(DPI, tr("Resolution"), QgsProcessingParameterNumber.Type.Integer, None, True,
                                         72, 1200),
            tr("Dots per inch, 72 to 1200. If empty, the resolution in the settings (300 unless you changed it)."))
        map_parameters.add_page_parameters(self, of_document=True)
        inputs.add_record_parameters(
            self, tr("Records of the map's services that are not in your library. Their terms are shown on the map."))
        self.add_parameter(
            QgsProcessingParameterNumber(FRAME_SECONDS, tr("Seconds for each frame"),
                                         QgsProcessingParameterNumber.Type.Double, None, True, 0.0),
            tr("For an animated GIF, whose frames have 1280 by 720 pixels whatever the resolution: 0.4 to 10. If "
               "empty, 1."), advanced=True)
        self.add_parameter(QgsProcessingParameterBoolean(STAMP, tr("Export an incomplete map anyway"), False),
                           tr("With a stamp across the page that says what is missing."), advanced=True)
        self.add_parameter(QgsProcessingParameterFileDestination(OUTPUT, tr("Exported map"), _FILTER))
        self.add_outputs(QgsProcessingOutputString("CREDITS", tr("Credits")),
                         QgsProcessingOutputNumber("REQUESTS", tr("Images")),
                         QgsProcessingOutputNumber("MAP_SCALE", tr("Scale")),
                         QgsProcessingOutputString("REMARKS", tr("Remarks")),
                         QgsProcessingOutputString("UNCHECKED_LAYERS", tr("Unchecked layers")))

    def parameter_error(self, parameters: Dict[str, Any], context: QgsProcessingContext) -> str:
        """Check that the document exists, that the page is possible, and that file suffix and format agree."""
        words = inputs.missing_file_error(self, parameters, INPUT, context) or map_parameters.page_parameter_error(
            self, parameters, context)
        output = str(self.parameterAsFileOutput(parameters, OUTPUT, context) or "")
        if not words and output and not self._export_format(parameters, context, output):
            words = tr("The extension of the output must be one of {endings} and match the format.",
                       endings=", ".join(FORMATS_BY_SUFFIX))
        return words

    def _export_format(self, parameters: Dict[str, Any], context: QgsProcessingContext, output: str) -> str:
        """Return the key of the format in ``gis.export``, or an empty text where suffix and format do not agree."""
        by_ending = FORMATS_BY_SUFFIX.get(Path(output).suffix.lower(), "")
        named = str(self.parameterAsEnumString(parameters, FORMAT, context) or FORMATS[0])
        if named == FORMATS[0]:
            return by_ending
        return named if by_ending == ("pdf" if named == "geopdf" else named) else ""

    def compute(self, parameters: Dict[str, Any], context: QgsProcessingContext,
                feedback: QgsProcessingFeedback) -> Dict[str, Any]:
        """Export the map. Raises CartoguideError where a service is missing or a credit is not on the page."""
        from ..core.custommap.moments import FRAME_SECONDS as USUAL_SECONDS
        from ..core.numbers import format_decimal
        from ..gis.export import layout_export as exports
        from ..gis.pages.completeness_checks import unchecked_text
        from ..gis.runtime import settings

        stamps = bool(self.parameterAsBoolean(parameters, STAMP, context))
        document = map_parameters.apply_page_parameters(
            self, parameters, context, feedback,
            read_map_document(self, parameters, context, feedback, draws_layers=not stamps))
        document = map_parameters.apply_credits_parameter(self, parameters, context, document)
        unread: List[str] = []
        records = inputs.load_selected_records(self, parameters, context, feedback, unread)
        path = Path(str(self.parameterAsFileOutput(parameters, OUTPUT, context)))
        dpi = int(self.parameterAsInt(parameters, DPI, context)) if parameters.get(DPI) else settings.get("export_dpi")
        seconds = float(self.parameterAsDouble(parameters, FRAME_SECONDS, context)) or USUAL_SECONDS
        options = exports.ExportOptions(dpi, stamp_incomplete=stamps, frame_seconds=seconds)
        export_format = exports.ExportFormat(self._export_format(parameters, context, str(path)))
        done, outputs = _compose_and_export(document, records, path, export_format, options, feedback)
        feedback.pushInfo(tr("Exported in {seconds} s.", seconds=format_decimal(done.seconds, 1)))
        for problem in done.problems:
            feedback.reportError(problem)
        empty = [f"{remark.service_title}: {remark.message}" for remark in done.remarks]
        for sentence in empty:
            feedback.pushWarning(sentence)
        unchecked = [sentence for sentence in (unchecked_text(done.unchecked),) if sentence]
        for sentence in unchecked:
            feedback.pushWarning(sentence)
        remarks = dict.fromkeys([*document.change_notes, *unread, *outputs.pop("REMARKS"), *done.problems, *empty,
                                 *unchecked])
        return {OUTPUT: str(done.files[0]), "REQUESTS": done.request_count, "REMARKS": "\n".join(remarks),
                "UNCHECKED_LAYERS": "\n".join(done.unchecked), **outputs}


def _compose_and_export(document: CustomMap, records: Sequence[Record], path: Path, export_format: ExportFormat,
                        options: ExportOptions, feedback: QgsProcessingFeedback) -> Tuple[ExportedMap, Dict[str, Any]]:
    """Compose the map in a separate project, so that no open project changes, and export it."""
    from ..gis.credits.expression_functions import extra_project
    from ..gis.export import layout_export as exports
    from ..gis.layouts import layout_items
    from ..gis.pages.completeness_checks import IncompleteMap, missing_credits
    from ..gis.pages.layout_builder import layout_requirements
    from ..gis.runtime.ground_scale import printed_ratio

    project = QgsProject()
    try:
        with extra_project(project):
            compose = (map_parameters.compose_frames if export_format is exports.ExportFormat.GIF
                       else map_parameters.compose_map)
            composed = compose(project, document, records, feedback)
            layout = composed.layouts[0]
            remarks = list(map_parameters.composition_remarks(composed))
            feedback.setProgressText(tr("Drawing {name}…", name=path.name))
            # the export repeats those remarks that make the map incomplete
            problems: Sequence[str] = ()
            try:
                done = exports.export_layouts(composed.layouts, path, export_format, options, feedback)
                problems = done.problems
            except IncompleteMap as error:
                problems = error.problems
                lacks_credit = any(missing_credits(page) for page in composed.layouts)
                hints = map_parameters.missing_credit_hints(document, composed.plan) if lacks_credit else ()
                if not hints:
                    raise
                raise IncompleteMap([*problems, *hints], error.detail) from error
            finally:
                for remark in remarks:
                    if remark not in problems:
                        feedback.pushWarning(remark)
            item = layout.itemById(layout_items.MAP)
            credits = dict.fromkeys(line for page in composed.layouts for need in layout_requirements(page)
                                    for line in need.credits)
            return done, {"REMARKS": remarks, "CREDITS": "\n".join(credits),
                          "MAP_SCALE": round(printed_ratio(item) or 0) if item is not None else 0}
    finally:
        project.clear()
