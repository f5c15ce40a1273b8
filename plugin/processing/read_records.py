"""Algorithm that reads records from files, folders and addresses into a table, footprints, JSON and a page."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Dict

from qgis.core import QgsProcessingContext, QgsProcessingFeedback, QgsProcessingOutputNumber

from ..core.i18n import tr, tr_noop
from . import inputs, outputs
from .algorithm import RECORDS, CartoguideAlgorithm
from .execution import run_blocking
from .outputs import HTML, add_file_output, write_file_output

if TYPE_CHECKING:
    from ..gis.runtime.tasks import Feedback

JSON, SHEET = "JSON", "SHEET"


class ReadRecords(CartoguideAlgorithm):
    ID = "readrecords"
    TITLE = tr_noop("Read records")
    DESCRIPTION = tr_noop("Reads catalogue records (ISO 19139, ISO 19115-3, Dublin Core, OGC API Records, packages) "
                          "and lists them with their terms and extents. Files and folders are read without a "
                          "network.")
    GROUP = RECORDS
    TAGS = ("metadata", "catalogue", "iso 19139", "iso 19115", "csw", "footprint", "metadatos", "ficha")
    EXAMPLE = "qgis_process run cartoguide:readrecords -- FOLDER=records TABLE=records.csv FOOTPRINTS=footprints.gpkg"
    OUTPUTS = (*outputs.RECORD_OUTPUTS,
               (JSON, tr_noop("Each record in full, one JSON object per line.")),
               (SHEET, tr_noop("A page with every record, to read and to print.")),
               ("COUNT", tr_noop("Number of records read.")),
               ("FAILED", tr_noop("Number of documents that could not be read.")))

    def initAlgorithm(self, configuration: Any = None) -> None:  # noqa: N802
        inputs.add_record_parameters(self)
        outputs.add_record_outputs(self)
        add_file_output(self, JSON, tr("Records as JSON"), "JSON (*.jsonl)")
        add_file_output(self, SHEET, tr("Records as a page"), HTML)
        self.add_outputs(QgsProcessingOutputNumber("COUNT", tr("Records read")),
                         QgsProcessingOutputNumber("FAILED", tr("Documents that could not be read")))

    def parameter_error(self, parameters: Dict[str, Any], context: QgsProcessingContext) -> str:
        return inputs.no_records_error(self, parameters, context)

    def compute(self, parameters: Dict[str, Any], context: QgsProcessingContext,
                feedback: QgsProcessingFeedback) -> Dict[str, Any]:
        """Read the records. Raises CartoguideError where none can be read."""
        from ..core.review.report.record_sheet import sheet_html
        from .record_inputs import load_records, saved_pictures

        selection = inputs.record_selection(self, parameters, context)
        loaded = run_blocking(lambda task_feedback: load_records(selection, task_feedback, feedback.reportError),
                              feedback)
        pairs = [(record, outputs.resolve_record_terms(record)) for record in loaded.records]
        results = outputs.write_record_outputs(self, parameters, context, pairs)
        results.update(
            write_file_output(
                self, parameters, context, JSON, lambda: "".join(
                    json.dumps({**record.to_dict(), "terms": terms.to_dict()}, ensure_ascii=False) + "\n"
                    for record, terms in pairs)))

        def sheet(_feedback: Feedback) -> str:
            with saved_pictures(loaded.records) as saved_picture:
                return sheet_html(pairs, saved_picture)

        results.update(write_file_output(self, parameters, context, SHEET, lambda: run_blocking(sheet, feedback)))
        feedback.pushInfo(tr("%n record(s) read.", n=len(pairs)))
        return {**results, "COUNT": len(pairs), "FAILED": len(loaded.failures)}
