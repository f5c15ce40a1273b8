"""Check services: whether each answers what it promises, as a table, a page and CSV."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Sequence, Tuple

from qgis.core import (
    QgsProcessingContext,
    QgsProcessingFeedback,
    QgsProcessingOutputNumber,
    QgsProcessingParameterBoolean,
)

from ..core.i18n import tr
from . import inputs, outputs
from .algorithm import TERMS, CartoguideAlgorithm
from .execution import run_blocking
from .outputs import CSV, HTML, add_file_output, write_file_output

if TYPE_CHECKING:
    from ..core.health.health_check import HealthCheck
    from ..gis.checks.service_health import RecordLoader, ServiceTarget
    from ..gis.runtime.tasks import Feedback
    from .record_inputs import RecordSelection

SERVICES, PAGE, REPORT, KEEP = "SERVICES", "HTML", "CSV", "KEEP"
COLUMNS: Sequence[outputs.Column] = (("title", str), ("address", str), ("record", str), ("checked", str),
                                     ("version", str), ("state", str), ("part", str), ("part_state", str),
                                     ("found", str), ("seconds", float), ("request", str))


class CheckServices(CartoguideAlgorithm):
    """``cartoguide:checkservices``."""

    ID = "checkservices"
    GROUP = TERMS
    TAGS = ("wms", "health", "monitor", "capabilities", "getmap", "salud", "servicio")
    EXAMPLE = "qgis_process run cartoguide:checkservices -- FOLDER=records HTML=health.html CSV=health.csv"

    def title(self) -> str:
        """Its name."""
        return tr("Check services")

    def description(self) -> str:
        """What it does."""
        return tr("Asks map services each operation once, one request at a time for each server: capabilities, map, "
                  "legend, information. Says what works, what is doubtful and what fails.")

    def output_descriptions(self) -> Sequence[Tuple[str, str]]:
        """What comes out."""
        return [(SERVICES, tr("A row for each thing that was tried of each service.")),
                (PAGE, tr("A page to read, keep or send.")), (REPORT, tr("The table for spreadsheets.")),
                ("COUNT", tr("How many services were checked.")),
                ("GOOD, DOUBTFUL, FAILED", tr("How many services stand so."))]

    def initAlgorithm(self, configuration: Any = None) -> None:  # noqa: N802
        inputs.add_record_parameters(
            self, tr("Their services are checked. Without any input, those of all records that you "
                     "keep."))
        self.add_parameter(QgsProcessingParameterBoolean(KEEP, tr("Keep the results"), True),
                           tr("Keep them with their date, as the dock's own checks."), advanced=True)
        outputs.add_table_output(self, SERVICES, tr("Services"))
        add_file_output(self, PAGE, tr("Results as a page"), HTML)
        add_file_output(self, REPORT, tr("Results as CSV"), CSV)
        self.add_outputs(QgsProcessingOutputNumber("COUNT", tr("Services checked")),
                         QgsProcessingOutputNumber("GOOD", tr("Services that work")),
                         QgsProcessingOutputNumber("DOUBTFUL", tr("Doubtful services")),
                         QgsProcessingOutputNumber("FAILED", tr("Services that fail")))

    def compute(self, parameters: Dict[str, Any], context: QgsProcessingContext,
                feedback: QgsProcessingFeedback) -> Dict[str, Any]:
        """Check them."""
        from ..core.health.check_report import health_csv, health_html
        from ..core.health.health_check import Verdict

        wanted = inputs.record_selection(self, parameters, context)
        keep = bool(self.parameterAsBoolean(parameters, KEEP, context))
        checks = run_blocking(lambda inner: _check_services(wanted, keep, inner, feedback), feedback)
        table = outputs.TableWriter(self, parameters, context, SERVICES, COLUMNS)
        for one in checks:
            for probe in one.probes:
                table.add_row([
                    one.title, one.endpoint, one.record_id, one.checked_at, one.version, one.verdict.value, probe.kind,
                    probe.verdict.value, probe.message, probe.seconds, probe.url
                ])
            feedback.pushInfo(f"{one.verdict.symbol} {one.title}: {one.summary()}")
        found = {SERVICES: table.destination_id} if table.destination_id is not None else {}
        found.update(write_file_output(self, parameters, context, PAGE, lambda: health_html(checks)))
        found.update(
            write_file_output(self, parameters, context, REPORT, lambda: health_csv(checks), byte_order_mark=True))
        verdicts = [one.verdict for one in checks]
        return {**found, "COUNT": len(checks), "GOOD": verdicts.count(Verdict.GOOD),
                "DOUBTFUL": verdicts.count(Verdict.DOUBTFUL), "FAILED": verdicts.count(Verdict.FAILED)}


def _check_services(wanted: RecordSelection, keep: bool, feedback: Feedback,
                    log: QgsProcessingFeedback) -> List[HealthCheck]:
    from ..core.errors import CartoguideError
    from ..gis.checks import service_health
    from ..gis.library import library_changes

    targets, record_of = _targets(wanted, feedback, log)
    if not targets:
        raise CartoguideError(tr("None of the records leads to a map service."))
    checks = service_health.check_services(targets, feedback, record_of)
    if keep:
        service_health.save_results(checks)
        library_changes.notify()
    return checks


def _targets(wanted: RecordSelection, feedback: Feedback,
             log: QgsProcessingFeedback) -> Tuple[List[ServiceTarget], RecordLoader]:
    """The services that are meant, and what finds the record that each is held against."""
    from ..core.records.model.endpoints import is_web_address, normalise_endpoint, wms_endpoint
    from ..gis.checks.service_health import ServiceTarget, find_targets
    from ..gis.runtime.i18n import record_language
    from .record_inputs import RecordSelection, load_records, open_library

    if wanted.is_empty:
        with open_library(feedback) as shelf:
            found = find_targets(shelf, feedback)
            kept = {
                target.record_id: shelf.store().load_record(target.record_id, record_language()) for target in found
            }
        return found, kept.get
    # an address is a service to be checked, dead or not: it must not have to answer beforehand
    addresses = [name for name in wanted.identifiers_or_addresses if is_web_address(name)]
    rest = RecordSelection(wanted.paths,
                           tuple(name for name in wanted.identifiers_or_addresses if name not in addresses))
    records = () if rest.is_empty else load_records(rest, feedback, log.reportError).records
    listed: Dict[str, ServiceTarget] = {}
    for record in records:
        address = wms_endpoint(record)
        if address:
            listed.setdefault(normalise_endpoint(address), ServiceTarget(address, record.title or "", record.id or ""))
    for address in addresses:
        listed.setdefault(normalise_endpoint(address), ServiceTarget(address, ""))
    by_id = {record.id or "": record for record in records}
    return list(listed.values()), by_id.get
