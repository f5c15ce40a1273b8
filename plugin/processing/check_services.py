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
from . import inputs, tables
from .algorithm import TERMS, CartoguideAlgorithm
from .files import CSV, HTML, add_file, write_file
from .running import blocking

if TYPE_CHECKING:
    from ..core.health.model import Health
    from ..gis.health import RecordOf, Target
    from ..gis.tasks import Feedback
    from .given import Wanted

SERVICES, PAGE, REPORT, KEEP = "SERVICES", "HTML", "CSV", "KEEP"
COLUMNS: Sequence[tables.Column] = (
    ("title", str), ("address", str), ("record", str), ("checked", str), ("version", str), ("state", str),
    ("part", str), ("part_state", str), ("found", str), ("seconds", float), ("request", str))


class CheckServices(CartoguideAlgorithm):
    """``cartoguide:checkservices``."""

    ID = "checkservices"
    GROUP = TERMS
    TAGS = ("wms", "health", "monitor", "capabilities", "getmap", "salud", "servicio")
    EXAMPLE = "qgis_process run cartoguide:checkservices -- FOLDER=records HTML=health.html CSV=health.csv"

    def title(self) -> str:
        """Its name."""
        return tr("Check services")

    def what(self) -> str:
        """What it does."""
        return tr("Asks map services each operation once, one request at a time for each server: capabilities, map, "
                  "legend, information. Says what works, what is doubtful and what fails.")

    def outputs(self) -> Sequence[Tuple[str, str]]:
        """What comes out."""
        return [(SERVICES, tr("A row for each thing that was tried of each service.")),
                (PAGE, tr("A page to read, keep or send.")), (REPORT, tr("The table for spreadsheets.")),
                ("COUNT", tr("How many services were checked.")),
                ("GOOD, DOUBTFUL, FAILED", tr("How many services stand so."))]

    def initAlgorithm(self, configuration: Any = None) -> None:  # noqa: N802
        inputs.add_records(self, tr("Their services are checked. Without any input, those of all records that you "
                                    "keep."))
        self.add(QgsProcessingParameterBoolean(KEEP, tr("Keep the results"), True),
                 tr("Keep them with their date, as the dock's own checks."), advanced=True)
        tables.add_table(self, SERVICES, tr("Services"))
        add_file(self, PAGE, tr("Results as a page"), HTML)
        add_file(self, REPORT, tr("Results as CSV"), CSV)
        self.promise(QgsProcessingOutputNumber("COUNT", tr("Services checked")),
                     QgsProcessingOutputNumber("GOOD", tr("Services that work")),
                     QgsProcessingOutputNumber("DOUBTFUL", tr("Doubtful services")),
                     QgsProcessingOutputNumber("FAILED", tr("Services that fail")))

    def produce(self, parameters: Dict[str, Any], context: QgsProcessingContext,
                feedback: QgsProcessingFeedback) -> Dict[str, Any]:
        """Check them."""
        from ..core.health.model import Verdict
        from ..core.health.report import health_csv, health_html

        wanted = inputs.wanted(self, parameters, context)
        keep = bool(self.parameterAsBoolean(parameters, KEEP, context))
        checks = blocking(lambda inner: _checked(wanted, keep, inner, feedback), feedback)
        table = tables.Sink(self, parameters, context, SERVICES, COLUMNS)
        for one in checks:
            for probe in one.probes:
                table.add([one.title, one.endpoint, one.record_id, one.when, one.version, one.verdict.value, probe.part,
                           probe.verdict.value, probe.words, probe.seconds, probe.url])
            feedback.pushInfo(f"{one.verdict.sign} {one.title}: {one.summary()}")
        found = {SERVICES: table.where} if table.where is not None else {}
        found.update(write_file(self, parameters, context, PAGE, lambda: health_html(checks)))
        found.update(write_file(self, parameters, context, REPORT, lambda: health_csv(checks), mark=True))
        verdicts = [one.verdict for one in checks]
        return {**found, "COUNT": len(checks), "GOOD": verdicts.count(Verdict.GOOD),
                "DOUBTFUL": verdicts.count(Verdict.DOUBTFUL), "FAILED": verdicts.count(Verdict.FAILED)}


def _checked(wanted: Wanted, keep: bool, feedback: Feedback, log: QgsProcessingFeedback) -> List[Health]:
    from ..core.errors import CartoguideError
    from ..gis import health, kept_news

    targets, record_of = _targets(wanted, feedback, log)
    if not targets:
        raise CartoguideError(tr("None of the records leads to a map service."))
    checks = health.check_all(targets, feedback, record_of)
    if keep:
        health.keep(checks)
        kept_news.tell()
    return checks


def _targets(wanted: Wanted, feedback: Feedback,
             log: QgsProcessingFeedback) -> Tuple[List[Target], RecordOf]:
    """The services that are meant, and what finds the record that each is held against."""
    from ..core.records.links import endpoint, is_web_address, normalise_endpoint
    from ..gis.health import Target, targets
    from ..gis.i18n import record_language
    from .given import Wanted, open_shelf, read

    if wanted.nothing:
        with open_shelf(feedback) as shelf:
            found = targets(shelf, feedback)
            kept = {target.record_id: shelf.store().get(target.record_id, record_language()) for target in found}
        return found, kept.get
    # an address is a service to be checked, dead or not: it must not have to answer beforehand
    addresses = [name for name in wanted.names if is_web_address(name)]
    rest = Wanted(wanted.paths, tuple(name for name in wanted.names if name not in addresses))
    records = () if rest.nothing else read(rest, feedback, log.reportError).records
    listed: Dict[str, Target] = {}
    for record in records:
        address = endpoint(record)
        if address:
            listed.setdefault(normalise_endpoint(address), Target(address, record.title or "", record.id or ""))
    for address in addresses:
        listed.setdefault(normalise_endpoint(address), Target(address, ""))
    by_id = {record.id or "": record for record in records}
    return list(listed.values()), by_id.get
