"""Algorithm that verifies maps' files: the credits that they owe and carry, and what has changed at their services."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, List, Sequence, Tuple

from qgis.core import (
    QgsProcessingContext,
    QgsProcessingFeedback,
    QgsProcessingOutputBoolean,
    QgsProcessingOutputNumber,
    QgsProcessingOutputString,
    QgsProcessingParameterBoolean,
    QgsProcessingParameterFile,
)

from ..core.i18n import tr
from . import inputs, outputs
from .algorithm import TERMS, CartoguideAlgorithm
from .execution import run_blocking
from .outputs import HTML, add_file_output, write_file_output

if TYPE_CHECKING:
    from ..core.publication.map_verification import VerifiedMap, VerifiedSource
    from ..gis.runtime.tasks import Feedback
    from .record_inputs import RecordSelection

INPUT, ASK, OUT, PAGE, REPORT = "INPUT", "ASK_SERVICE", "SOURCES", "HTML", "JSON"
JSON = "JSON (*.json)"
COLUMNS: Sequence[outputs.Column] = (
    ("title", str), ("presence", str), ("credit", str), ("credit_required", str), ("origin", str),
    ("in_metadata", str), ("licence", str), ("licence_url", str), ("layers", str), ("record", str), ("address", str),
    ("capabilities_date", str), ("changes", str), ("file", str))


class VerifyMap(CartoguideAlgorithm):
    ID = "verifymap"
    GROUP = TERMS
    TAGS = ("credit", "attribution", "verify", "pdf", "png", "jpeg", "svg", "geotiff", "provenance", "cita", "créditos",
            "verificar", "mapa")
    EXAMPLE = "qgis_process run cartoguide:verifymap -- INPUT=park.pdf HTML=verified.html SOURCES=sources.csv"

    def title(self) -> str:
        return tr("Verify a map’s credits")

    def description(self) -> str:
        return tr("Reads an exported map (PDF, SVG, PNG, JPEG, GeoTIFF) or a custom map, and says which credits it "
                  "owes by the sources inside it and by the terms of their records, and which it carries. The text of "
                  "PDF and SVG is read; of images the metadata, and whether their pixels are as they were exported. No "
                  "request is sent unless you ask for it.")

    def output_descriptions(self) -> Sequence[Tuple[str, str]]:
        return [(OUT, tr("A row for each source of the map.")), (PAGE, tr("A page to read, save or send.")),
                (REPORT, tr("The result as JSON.")), ("SENTENCE", tr("The result as a sentence.")),
                ("COMPLETE", tr("Whether the map is known to carry every credit that it owes.")),
                ("CONTENT", tr("Whether the pixels or the drawing are as they were exported: same, changed or "
                               "unknown.")),
                ("OWED, CARRIED, MISSING, UNREADABLE",
                 tr("Number of sources that require a credit or may, whose credit is on the page or in the metadata, "
                    "whose credit is not on the page, and whose credit could not be looked for.")),
                ("CHANGED", tr("Number of sources that have changed since."))]

    def initAlgorithm(self, configuration: Any = None) -> None:  # noqa: N802
        self.add_parameter(
            QgsProcessingParameterFile(INPUT, tr("Map"), QgsProcessingParameterFile.Behavior.File, "", None, False,
                                       tr("Maps") + " (*.pdf *.svg *.png *.jpg *.jpeg *.tif *.tiff *.gif *.json)"),
            tr("An exported map, or a custom map (*.custommap.json)."))
        inputs.add_record_parameters(
            self, tr("The map owes their credits too. Records of your library are found by themselves."))
        self.add_parameter(
            QgsProcessingParameterBoolean(ASK, tr("Compare with the services now"), False),
            tr("Request the capabilities of the map’s services, and report what has changed since: their description, "
               "layers that are gone, other terms."))
        outputs.add_table_output(self, OUT, tr("Sources"))
        add_file_output(self, PAGE, tr("Result as a page"), HTML)
        add_file_output(self, REPORT, tr("Result as JSON"), JSON)
        self.add_outputs(QgsProcessingOutputString("SENTENCE", tr("Result")),
                         QgsProcessingOutputBoolean("COMPLETE", tr("Complete")),
                         QgsProcessingOutputString("CONTENT", tr("Content")),
                         *(QgsProcessingOutputNumber(name, label) for name, label in (
                             ("OWED", tr("Credits owed")), ("CARRIED", tr("Credits carried")),
                             ("MISSING", tr("Credits missing")), ("UNREADABLE", tr("Credits that cannot be checked")),
                             ("CHANGED", tr("Sources that have changed")))))

    def parameter_error(self, parameters: Dict[str, Any], context: QgsProcessingContext) -> str:
        """Check that the map exists."""
        return inputs.missing_file_error(self, parameters, INPUT, context)

    def compute(self, parameters: Dict[str, Any], context: QgsProcessingContext,
                feedback: QgsProcessingFeedback) -> Dict[str, Any]:
        """Verify the map. Raises CartoguideError where it or the library cannot be read."""
        from ..core.publication.map_verification import CreditPresence
        from ..core.publication.verification_report import (
            sources_in_order,
            verification_html,
            verification_lines,
            verification_values,
        )

        path = Path(self.parameterAsFile(parameters, INPUT, context))
        selection = inputs.record_selection(self, parameters, context)
        ask = bool(self.parameterAsBoolean(parameters, ASK, context))
        verified = run_blocking(lambda task_feedback: _verify(path, selection, ask, task_feedback, feedback), feedback)
        table = outputs.TableWriter(self, parameters, context, OUT, COLUMNS)
        for source in sources_in_order(verified):
            table.add_row(_row_values(verified, source))
        for line in verification_lines(verified):
            feedback.pushInfo(line)
        if not verified.is_complete:
            feedback.pushWarning(verified.sentence)
        results = {OUT: table.destination_id} if table.destination_id is not None else {}
        results.update(write_file_output(self, parameters, context, PAGE, lambda: verification_html([verified])))
        results.update(write_file_output(self, parameters, context, REPORT, lambda: json.dumps(
            verification_values(verified), ensure_ascii=False, indent=2) + "\n"))
        return {
            **results, "SENTENCE": verified.sentence, "COMPLETE": verified.is_complete,
            "CONTENT": verified.file.content.value,
            "OWED": len(verified.sources) - verified.count(CreditPresence.NOT_REQUIRED),
            "CARRIED": verified.count(CreditPresence.ON_PAGE, CreditPresence.IN_METADATA),
            "MISSING": verified.count(CreditPresence.MISSING),
            "UNREADABLE": verified.count(CreditPresence.UNREADABLE, CreditPresence.UNKNOWN),
            "CHANGED": verified.changed
        }


def _verify(path: Path, selection: RecordSelection, ask: bool, feedback: Feedback,
            log: QgsProcessingFeedback) -> VerifiedMap:
    from ..core.publication.map_statement import MapSource
    from ..core.publication.map_verification import records_by_source, sources_of, verify_map
    from ..core.publication.written_map import read_written_map
    from ..core.records.model.record import Record
    from ..gis.export.pixel_digest import digest_of_pixels
    from ..gis.library.record_library import record_at_endpoint
    from ..gis.runtime.i18n import record_language
    from ..gis.runtime.terms import terms_for
    from ..gis.services import service_cache
    from .record_inputs import load_records, open_library

    file = read_written_map(path, digest_of_pixels)
    given: Sequence[Record] = () if selection.is_empty else load_records(selection, feedback, log.reportError).records
    find_given = records_by_source(given)
    with open_library(feedback) as library:
        store = library.store()

        def record_of(source: MapSource) -> Any:
            found = find_given(source)
            if found is None and source.record_id:
                found = store.load_record(source.record_id, record_language())
            return found or (record_at_endpoint(source.endpoint, store) if source.endpoint else None)

        services = None
        if ask:
            endpoints = [source.endpoint for source in sources_of(file) if source.endpoint]
            cache = service_cache.ServiceCache()
            services = cache.get_or_fetch_all(endpoints, feedback)
        return verify_map(file, record_of, terms_for, given, services)


def _row_values(verified: VerifiedMap, row: VerifiedSource) -> List[Any]:
    source = row.source
    return [source.title, row.presence.value, row.credit or None, row.required.value,
            row.origin.value if row.origin is not None else None, "yes" if row.in_metadata else "no",
            source.licence or None, source.licence_url or None, ", ".join(source.layers) or None,
            source.record_id or None, source.endpoint or None, source.capabilities_date or None,
            "\n".join(row.changes) or None, verified.file.name]
