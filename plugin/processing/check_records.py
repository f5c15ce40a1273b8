"""Algorithm that checks records and writes the findings as a table and as CSV."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Sequence, Tuple

from qgis.core import QgsProcessingContext, QgsProcessingFeedback, QgsProcessingOutputNumber

from ..core.i18n import tr, tr_noop
from . import inputs, outputs
from .algorithm import RECORDS, CartoguideAlgorithm
from .execution import run_blocking
from .outputs import CSV, add_file_output, write_file_output

if TYPE_CHECKING:
    from ..core.records.model.record import Record
    from ..core.review.checks.rules import Finding
    from ..gis.runtime.tasks import Feedback
    from .record_inputs import RecordSelection

#: the output keeps the name that scripts use, for people it is the issues
FINDINGS, REPORT = "FINDINGS", "CSV"
COLUMNS: Sequence[outputs.Column] = (("identifier", str), ("title", str), ("source", str), ("severity", str),
                                     ("family", str), ("rule", str), ("name", str), ("field", str), ("message", str),
                                     ("advice", str), ("value", str), ("other", str), ("basis", str))


class CheckRecords(CartoguideAlgorithm):
    ID = "checkrecords"
    TITLE = tr_noop("Check records")
    DESCRIPTION = tr_noop("Checks catalogue records against INSPIRE, ISO 19119 and the network's conventions: "
                          "identity, extents, dates, terms, links. No network requests are made.")
    GROUP = RECORDS
    TAGS = ("validate", "inspire", "iso 19119", "metadata", "quality", "validar", "metadatos")
    EXAMPLE = "qgis_process run cartoguide:checkrecords -- FOLDER=records CSV=issues.csv"
    OUTPUTS = ((FINDINGS, tr_noop("A row for each issue: record, severity, rule, field and what to do.")),
               (REPORT, tr_noop("The same for spreadsheets.")),
               ("COUNT", tr_noop("Number of records checked.")),
               ("ERRORS, WARNINGS, NOTES", tr_noop("Number of issues of each severity.")))

    def initAlgorithm(self, configuration: Any = None) -> None:  # noqa: N802
        inputs.add_record_parameters(self, tr("Without any input, all records of your library are checked."))
        outputs.add_table_output(self, FINDINGS, tr("Issues"))
        add_file_output(self, REPORT, tr("Issues as CSV"), CSV)
        self.add_outputs(QgsProcessingOutputNumber("COUNT", tr("Records checked")),
                         QgsProcessingOutputNumber("ERRORS", tr("Errors")),
                         QgsProcessingOutputNumber("WARNINGS", tr("Warnings")),
                         QgsProcessingOutputNumber("NOTES", tr("Notes")))

    def compute(self, parameters: Dict[str, Any], context: QgsProcessingContext,
                feedback: QgsProcessingFeedback) -> Dict[str, Any]:
        """Check the records. Raises CartoguideError if no record can be read."""
        from ..core.review.checks import findings_csv
        from ..core.review.checks.rules import Severity

        selection = inputs.record_selection(self, parameters, context)
        checked = run_blocking(lambda task_feedback: _check_records(selection, task_feedback, feedback), feedback)
        table = outputs.TableWriter(self, parameters, context, FINDINGS, COLUMNS)
        counts = dict.fromkeys(Severity, 0)
        for record, findings in checked:
            for finding in findings:
                counts[finding.severity] += 1
                table.add_row([
                    record.id, record.title, record.source, finding.severity.value, finding.family.value, finding.rule,
                    finding.name, finding.field, finding.message, finding.advice, finding.value, finding.other,
                    finding.basis
                ])
        results = {FINDINGS: table.destination_id} if table.destination_id is not None else {}
        results.update(
            write_file_output(self, parameters, context, REPORT, lambda: findings_csv(checked), byte_order_mark=True))
        feedback.pushInfo(", ".join(f"{severity.label}: {number}" for severity, number in counts.items()))
        return {
            **results, "COUNT": len(checked), "ERRORS": counts[Severity.ERROR], "WARNINGS": counts[Severity.WARNING],
            "NOTES": counts[Severity.NOTE]
        }


def _check_records(selection: RecordSelection, feedback: Feedback,
                   log: QgsProcessingFeedback) -> List[Tuple[Record, Sequence[Finding]]]:
    from ..core.library.query import LibraryQuery
    from ..core.review.checks.runner import check_records as run_checks
    from ..gis.checks import batch_checks
    from ..gis.profiles import record_loading
    from .record_inputs import load_records, open_library

    if selection.is_empty:
        with open_library(feedback) as library:
            result = batch_checks.check_all(library.store(), LibraryQuery(), feedback)
        if result.unreadable:
            log.reportError(tr("%n record(s) could not be read.", n=result.unreadable))
        return [*result.checked]
    loaded = load_records(selection, feedback, log.reportError)
    feedback.raise_if_cancelled()
    return [(record, findings) for record, findings in run_checks(loaded.records, record_loading.current_profile())]
