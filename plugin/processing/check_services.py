"""Algorithm that tries the operations of map services and writes the results as a table, a page and CSV."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Sequence, Tuple

from qgis.core import (
    QgsProcessingContext,
    QgsProcessingFeedback,
    QgsProcessingOutputNumber,
    QgsProcessingParameterBoolean,
)

from ..core.i18n import tr, tr_noop
from . import inputs, outputs
from .algorithm import TERMS, CartoguideAlgorithm
from .execution import run_blocking
from .outputs import CSV, HTML, add_file_output, write_file_output

if TYPE_CHECKING:
    from ..core.health import HealthCheck
    from ..gis.checks.service_health import RecordLoader, ServiceTarget
    from ..gis.runtime.tasks import Feedback
    from .record_inputs import RecordSelection

SERVICES, PAGE, REPORT, KEEP = "SERVICES", "HTML", "CSV", "KEEP"
COLUMNS: Sequence[outputs.Column] = (("title", str), ("address", str), ("record", str), ("checked", str),
                                     ("version", str), ("state", str), ("part", str), ("part_state", str),
                                     ("found", str), ("seconds", float), ("request", str))


class CheckServices(CartoguideAlgorithm):
    ID = "checkservices"
    TITLE = tr_noop("Check services")
    DESCRIPTION = tr_noop("Tries each operation of map services once, one request at a time per server: "
                          "capabilities, map, legend, information. Reports what works, what is questionable and what "
                          "fails.")
    GROUP = TERMS
    TAGS = ("wms", "health", "monitor", "capabilities", "getmap", "salud", "servicio")
    EXAMPLE = "qgis_process run cartoguide:checkservices -- FOLDER=records HTML=health.html CSV=health.csv"
    OUTPUTS = ((SERVICES, tr_noop("A row for each operation that was tried.")),
               (PAGE, tr_noop("A page to read, save or send.")),
               (REPORT, tr_noop("The table for spreadsheets.")),
               ("COUNT", tr_noop("Number of services checked.")),
               ("GOOD, DOUBTFUL, FAILED", tr_noop("Number of services with this status.")))

    def initAlgorithm(self, configuration: Any = None) -> None:  # noqa: N802
        inputs.add_record_parameters(
            self, tr("Their services are checked. Without any input, those of all records of "
                     "your library."))
        self.add_parameter(QgsProcessingParameterBoolean(KEEP, tr("Save the results"), True),
                           tr("Save them with their date, like the dock's own checks."), advanced=True)
        outputs.add_table_output(self, SERVICES, tr("Services"))
        add_file_output(self, PAGE, tr("Results as a page"), HTML)
        add_file_output(self, REPORT, tr("Results as CSV"), CSV)
        self.add_outputs(QgsProcessingOutputNumber("COUNT", tr("Services checked")),
                         QgsProcessingOutputNumber("GOOD", tr("Services that work")),
                         QgsProcessingOutputNumber("DOUBTFUL", tr("Questionable services")),
                         QgsProcessingOutputNumber("FAILED", tr("Services that fail")))

    def compute(self, parameters: Dict[str, Any], context: QgsProcessingContext,
                feedback: QgsProcessingFeedback) -> Dict[str, Any]:
        """Check the services. Raises CartoguideError where no record leads to a map service."""
        from ..core.health import Verdict, health_csv, health_html

        selection = inputs.record_selection(self, parameters, context)
        save = bool(self.parameterAsBoolean(parameters, KEEP, context))
        checks = run_blocking(lambda task_feedback: _check_services(selection, save, task_feedback, feedback), feedback)
        table = outputs.TableWriter(self, parameters, context, SERVICES, COLUMNS)
        for check in checks:
            for probe in check.probes:
                table.add_row([
                    check.title, check.endpoint, check.record_id, check.checked_at, check.version, check.verdict.value,
                    probe.kind, probe.verdict.value, probe.message, probe.seconds, probe.url
                ])
            feedback.pushInfo(f"{check.verdict.symbol} {check.title}: {check.summary()}")
        results = {SERVICES: table.destination_id} if table.destination_id is not None else {}
        results.update(write_file_output(self, parameters, context, PAGE, lambda: health_html(checks)))
        results.update(
            write_file_output(self, parameters, context, REPORT, lambda: health_csv(checks), byte_order_mark=True))
        verdicts = [check.verdict for check in checks]
        return {
            **results, "COUNT": len(checks), "GOOD": verdicts.count(Verdict.GOOD),
            "DOUBTFUL": verdicts.count(Verdict.DOUBTFUL), "FAILED": verdicts.count(Verdict.FAILED)
        }


def _check_services(selection: RecordSelection, save: bool, feedback: Feedback,
                    log: QgsProcessingFeedback) -> List[HealthCheck]:
    from ..core.errors import CartoguideError
    from ..gis.checks import service_health
    from ..gis.library import library_changes

    targets, record_of = _targets(selection, feedback, log)
    if not targets:
        raise CartoguideError(tr("None of the records leads to a map service."))
    checks = service_health.check_services(targets, feedback, record_of)
    if save:
        service_health.save_results(checks)
        library_changes.notify()
    return checks


def _targets(selection: RecordSelection, feedback: Feedback,
             log: QgsProcessingFeedback) -> Tuple[List[ServiceTarget], RecordLoader]:
    """Return the services to check, and the function that returns the record of a service."""
    from ..core.addresses import is_web_address
    from ..core.distributions.record_distributions import wms_address
    from ..core.records.model.endpoints import normalise_endpoint
    from ..gis.checks.service_health import ServiceTarget, find_targets
    from ..gis.runtime.i18n import record_language
    from .record_inputs import RecordSelection, load_records, open_library

    if selection.is_empty:
        with open_library(feedback) as library:
            targets = find_targets(library, feedback)
            records_by_id = {
                target.record_id: library.store().load_record(target.record_id, record_language()) for target in targets
            }
        return targets, records_by_id.get
    # addresses are checked even where the service does not respond, so they are not loaded first
    addresses = [name for name in selection.identifiers_or_addresses if is_web_address(name)]
    rest = RecordSelection(selection.paths,
                           tuple(name for name in selection.identifiers_or_addresses if name not in addresses))
    records = () if rest.is_empty else load_records(rest, feedback, log.reportError).records
    targets_by_endpoint: Dict[str, ServiceTarget] = {}
    for record in records:
        address = wms_address(record)
        if address:
            targets_by_endpoint.setdefault(normalise_endpoint(address),
                                           ServiceTarget(address, record.title or "", record.id or ""))
    for address in addresses:
        targets_by_endpoint.setdefault(normalise_endpoint(address), ServiceTarget(address, ""))
    record_by_id = {record.id or "": record for record in records}
    return list(targets_by_endpoint.values()), record_by_id.get
