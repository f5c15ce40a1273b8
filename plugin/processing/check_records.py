"""Check records: findings as a table and as CSV."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Sequence, Tuple

from qgis.core import QgsProcessingContext, QgsProcessingFeedback, QgsProcessingOutputNumber

from ..core.i18n import tr
from . import inputs, tables
from .algorithm import RECORDS, CartoguideAlgorithm
from .files import CSV, add_file, write_file
from .running import blocking

if TYPE_CHECKING:
    from ..core.records.checks.model import Finding
    from ..core.records.model import Record
    from ..gis.tasks import Feedback
    from .given import Wanted

FINDINGS, REPORT = "FINDINGS", "CSV"
COLUMNS: Sequence[tables.Column] = (
    ("identifier", str), ("title", str), ("source", str), ("severity", str), ("family", str), ("rule", str),
    ("name", str), ("field", str), ("message", str), ("advice", str), ("value", str), ("other", str), ("basis", str))


class CheckRecords(CartoguideAlgorithm):
    """``cartoguide:checkrecords``."""

    ID = "checkrecords"
    GROUP = RECORDS
    TAGS = ("validate", "inspire", "iso 19119", "metadata", "quality", "validar", "metadatos")
    EXAMPLE = "qgis_process run cartoguide:checkrecords -- FOLDER=records CSV=findings.csv"

    def title(self) -> str:
        """Its name."""
        return tr("Check records")

    def what(self) -> str:
        """What it does."""
        return tr("Checks catalogue records against INSPIRE, ISO 19119 and the network's conventions: identity, "
                  "extents, dates, terms, links. Nothing is asked of the network.")

    def outputs(self) -> Sequence[Tuple[str, str]]:
        """What comes out."""
        return [(FINDINGS, tr("A row for each finding: the record, how grave it is, the rule, the field, what to do.")),
                (REPORT, tr("The same for spreadsheets.")), ("COUNT", tr("How many records were checked.")),
                ("ERRORS, WARNINGS, NOTES", tr("How many findings there are of each severity."))]

    def initAlgorithm(self, configuration: Any = None) -> None:  # noqa: N802
        inputs.add_records(self, tr("Without any input, all records that you keep are checked."))
        tables.add_table(self, FINDINGS, tr("Findings"))
        add_file(self, REPORT, tr("Findings as CSV"), CSV)
        self.promise(QgsProcessingOutputNumber("COUNT", tr("Records checked")),
                     QgsProcessingOutputNumber("ERRORS", tr("Errors")),
                     QgsProcessingOutputNumber("WARNINGS", tr("Warnings")),
                     QgsProcessingOutputNumber("NOTES", tr("Notes")))

    def produce(self, parameters: Dict[str, Any], context: QgsProcessingContext,
                feedback: QgsProcessingFeedback) -> Dict[str, Any]:
        """Check them."""
        from ..core.records.checks import findings_csv
        from ..core.records.checks.model import Severity

        wanted = inputs.wanted(self, parameters, context)
        checked = blocking(lambda inner: _checked(wanted, inner, feedback), feedback)
        table = tables.Sink(self, parameters, context, FINDINGS, COLUMNS)
        counts = dict.fromkeys(Severity, 0)
        for record, findings in checked:
            for one in findings:
                counts[one.severity] += 1
                table.add([record.id, record.title, record.source, one.severity.value, one.family.value, one.rule,
                           one.name, one.field, one.message, one.advice, one.value, one.other, one.basis])
        found = {FINDINGS: table.where} if table.where is not None else {}
        found.update(write_file(self, parameters, context, REPORT, lambda: findings_csv(checked), mark=True))
        feedback.pushInfo(", ".join(f"{severity.words}: {number}" for severity, number in counts.items()))
        return {**found, "COUNT": len(checked), "ERRORS": counts[Severity.ERROR],
                "WARNINGS": counts[Severity.WARNING], "NOTES": counts[Severity.NOTE]}


def _checked(wanted: Wanted, feedback: Feedback,
             log: QgsProcessingFeedback) -> List[Tuple[Record, Sequence[Finding]]]:
    from ..core.records.checks.runner import check_set as check_these
    from ..core.records.model import Record
    from ..core.store.query import Query
    from ..gis import catalogue, check_set
    from .given import open_shelf, read

    if wanted.nothing:
        counted = check_set.Checked()
        with open_shelf(feedback) as shelf:
            # of 100,000 records only what the table says of them is kept
            found: List[Tuple[Record, Sequence[Finding]]] = [
                (Record(record.source_format, id=record.id, title=record.title, source=record.source), findings)
                for record, findings in check_set.each(shelf.store(), Query(), counted, feedback)]
        if counted.unread:
            log.reportError(tr("%n record(s) could not be read.", n=counted.unread))
        return found
    given = read(wanted, feedback, log.reportError)
    feedback.stop_if_cancelled()
    return [(record, findings) for record, findings in check_these(given.records, catalogue.profile())]
