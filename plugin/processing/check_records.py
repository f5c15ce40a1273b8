"""Check records: findings as a table and as CSV."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Sequence, Tuple

from qgis.core import QgsProcessingContext, QgsProcessingFeedback, QgsProcessingOutputNumber

from ..core.i18n import tr
from . import inputs, outputs
from .algorithm import RECORDS, CartoguideAlgorithm
from .execution import run_blocking
from .outputs import CSV, add_file_output, write_file_output

if TYPE_CHECKING:
    from ..core.records.checks.rules import Finding
    from ..core.records.model.record import Record
    from ..gis.runtime.tasks import Feedback
    from .record_inputs import RecordSelection

FINDINGS, REPORT = "FINDINGS", "CSV"
COLUMNS: Sequence[outputs.Column] = (("identifier", str), ("title", str), ("source", str), ("severity", str),
                                     ("family", str), ("rule", str), ("name", str), ("field", str), ("message", str),
                                     ("advice", str), ("value", str), ("other", str), ("basis", str))


class CheckRecords(CartoguideAlgorithm):
    """``cartoguide:checkrecords``."""

    ID = "checkrecords"
    GROUP = RECORDS
    TAGS = ("validate", "inspire", "iso 19119", "metadata", "quality", "validar", "metadatos")
    EXAMPLE = "qgis_process run cartoguide:checkrecords -- FOLDER=records CSV=findings.csv"

    def title(self) -> str:
        """Its name."""
        return tr("Check records")

    def description(self) -> str:
        """What it does."""
        return tr("Checks catalogue records against INSPIRE, ISO 19119 and the network's conventions: identity, "
                  "extents, dates, terms, links. Nothing is asked of the network.")

    def output_descriptions(self) -> Sequence[Tuple[str, str]]:
        """What comes out."""
        return [(FINDINGS, tr("A row for each finding: the record, how grave it is, the rule, the field, what to do.")),
                (REPORT, tr("The same for spreadsheets.")), ("COUNT", tr("How many records were checked.")),
                ("ERRORS, WARNINGS, NOTES", tr("How many findings there are of each severity."))]

    def initAlgorithm(self, configuration: Any = None) -> None:  # noqa: N802
        inputs.add_record_parameters(self, tr("Without any input, all records that you keep are checked."))
        outputs.add_table_output(self, FINDINGS, tr("Findings"))
        add_file_output(self, REPORT, tr("Findings as CSV"), CSV)
        self.add_outputs(QgsProcessingOutputNumber("COUNT", tr("Records checked")),
                         QgsProcessingOutputNumber("ERRORS", tr("Errors")),
                         QgsProcessingOutputNumber("WARNINGS", tr("Warnings")),
                         QgsProcessingOutputNumber("NOTES", tr("Notes")))

    def compute(self, parameters: Dict[str, Any], context: QgsProcessingContext,
                feedback: QgsProcessingFeedback) -> Dict[str, Any]:
        """Check them."""
        from ..core.records.checks import findings_csv
        from ..core.records.checks.rules import Severity

        wanted = inputs.record_selection(self, parameters, context)
        checked = run_blocking(lambda inner: _check_records(wanted, inner, feedback), feedback)
        table = outputs.TableWriter(self, parameters, context, FINDINGS, COLUMNS)
        counts = dict.fromkeys(Severity, 0)
        for record, findings in checked:
            for one in findings:
                counts[one.severity] += 1
                table.add_row([
                    record.id, record.title, record.source, one.severity.value, one.family.value, one.rule, one.name,
                    one.field, one.message, one.advice, one.value, one.other, one.basis
                ])
        found = {FINDINGS: table.destination_id} if table.destination_id is not None else {}
        found.update(
            write_file_output(self, parameters, context, REPORT, lambda: findings_csv(checked), byte_order_mark=True))
        feedback.pushInfo(", ".join(f"{severity.label}: {number}" for severity, number in counts.items()))
        return {**found, "COUNT": len(checked), "ERRORS": counts[Severity.ERROR],
                "WARNINGS": counts[Severity.WARNING], "NOTES": counts[Severity.NOTE]}


def _check_records(wanted: RecordSelection, feedback: Feedback,
                   log: QgsProcessingFeedback) -> List[Tuple[Record, Sequence[Finding]]]:
    from ..core.library.query import LibraryQuery
    from ..core.records.checks.runner import check_records as check_these
    from ..core.records.model.record import Record
    from ..gis.checks import batch_checks
    from ..gis.profiles import record_loading
    from .record_inputs import load_records, open_library

    if wanted.is_empty:
        counted = batch_checks.BatchCheckResult()
        with open_library(feedback) as shelf:
            # of 100,000 records only what the table says of them is kept
            found: List[Tuple[Record, Sequence[Finding]]] = [
                (Record(record.source_format, id=record.id, title=record.title, source=record.source), findings)
                for record, findings in batch_checks.check_each(shelf.store(), LibraryQuery(), counted, feedback)
            ]
        if counted.unreadable:
            log.reportError(tr("%n record(s) could not be read.", n=counted.unreadable))
        return found
    given = load_records(wanted, feedback, log.reportError)
    feedback.raise_if_cancelled()
    return [(record, findings) for record, findings in check_these(given.records, record_loading.current_profile())]
