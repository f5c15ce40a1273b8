"""Algorithm that audits a project's credits: the credit of each layer, the credit found for it, and missing credits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Sequence

from qgis.core import (
    QgsProcessingContext,
    QgsProcessingException,
    QgsProcessingFeedback,
    QgsProcessingOutputNumber,
    QgsProcessingParameterFile,
    QgsProject,
)

from ..core.i18n import tr, tr_noop
from . import inputs, outputs
from .algorithm import TERMS, CartoguideAlgorithm
from .execution import run_blocking, with_processing_errors
from .outputs import CSV, HTML, add_file_output, write_file_output

if TYPE_CHECKING:
    from ..core.audit import AuditRow, LayerFacts
    from ..gis.runtime.tasks import Feedback

PROJECT, OUT, PAGE, REPORT = "PROJECT", "CREDITS", "HTML", "CSV"
COLUMNS: Sequence[outputs.Column] = (("layer", str), ("kind", str), ("state", str), ("credit_now", str),
                                     ("credit_found", str), ("found_in", str), ("credit_required", str),
                                     ("licence", str), ("licence_url", str), ("fees", str), ("access", str),
                                     ("service", str), ("record", str), ("record_title", str), ("address", str),
                                     ("problem", str), ("layer_id", str))


class AuditCredits(CartoguideAlgorithm):
    ID = "auditcredits"
    TITLE = tr_noop("Audit a project's credits")
    DESCRIPTION = tr_noop("Lists every layer of a project, from services, files and databases, with its present "
                          "credit, its record and terms as far as they can be found, and the layers without a "
                          "credit. The project is not changed.")
    GROUP = TERMS
    TAGS = ("credit", "attribution", "licence", "project", "wms", "wmts", "xyz", "wfs", "arcgis",
            "cita", "créditos", "proyecto")
    EXAMPLE = "qgis_process run cartoguide:auditcredits -- PROJECT=project.qgz HTML=credits.html CREDITS=credits.csv"
    OUTPUTS = ((OUT, tr_noop("A row for each layer.")),
               (PAGE, tr_noop("A page to read, save or send.")),
               (REPORT, tr_noop("The table for spreadsheets, with readable headings.")),
               ("LAYERS", tr_noop("Number of layers.")),
               ("CREDITED, FOUND, DIFFERS, NOT_ASKED, MISSING", tr_noop("Number of layers with their credit, with a "
                                                                        "credit found for them, with a different "
                                                                        "credit, that need none, and that lack one.")),
               ("UNKNOWN, CONFIRMED", tr_noop("Number of layers from local files and databases of which no credit is "
                                              "known, and of layers that are confirmed as own data.")))

    def __init__(self) -> None:
        super().__init__()
        self._facts: List[LayerFacts] = []

    def initAlgorithm(self, configuration: Any = None) -> None:  # noqa: N802
        self.add_parameter(
            QgsProcessingParameterFile(PROJECT, tr("Project"), QgsProcessingParameterFile.Behavior.File, "", None, True,
                                       tr("QGIS projects") + " (*.qgz *.qgs)"),
            tr("A project file. If empty, the open project."))
        outputs.add_table_output(self, OUT, tr("Credits"))
        add_file_output(self, PAGE, tr("Credits as a page"), HTML)
        add_file_output(self, REPORT, tr("Credits as CSV"), CSV)
        self.add_outputs(*(QgsProcessingOutputNumber(name, label)
                           for name, label in (("LAYERS", tr("Layers")),
                                               ("CREDITED", tr("Layers with their credit")),
                                               ("FOUND", tr("Layers for which a credit was found")),
                                               ("DIFFERS", tr("Layers with another credit")),
                                               ("NOT_ASKED", tr("Layers that need no credit")),
                                               ("MISSING", tr("Layers without a credit")),
                                               ("UNKNOWN", tr("Layers of which no credit is known")),
                                               ("CONFIRMED", tr("Layers confirmed as own data")))))

    def parameter_error(self, parameters: Dict[str, Any], context: QgsProcessingContext) -> str:
        """Check that the project file exists."""
        return inputs.missing_file_error(self, parameters, PROJECT, context)

    def prepareAlgorithm(self, parameters: Dict[str, Any], context: QgsProcessingContext,  # noqa: N802
                         feedback: QgsProcessingFeedback) -> bool:
        """QGIS: read the layers on the main thread, where projects live."""
        self._facts = with_processing_errors(lambda: self._read_layer_facts(parameters, context), feedback)
        return True

    def _read_layer_facts(self, parameters: Dict[str, Any], context: QgsProcessingContext) -> List[LayerFacts]:
        """Raises QgsProcessingException where the project cannot be read."""
        from ..gis.credits import credit_audit

        path = str(self.parameterAsFile(parameters, PROJECT, context) or "")
        if not path:
            return credit_audit.project_layer_facts(context.project() or QgsProject.instance())
        project = QgsProject()
        # a page in HTML of another computer, which a layout may name, is waited for ever
        if not project.read(path, QgsProject.ReadFlag.FlagDontLoadLayouts):
            raise QgsProcessingException(tr("{name} is not a readable QGIS project.", name=path))
        return credit_audit.project_layer_facts(project)

    def compute(self, parameters: Dict[str, Any], context: QgsProcessingContext,
                feedback: QgsProcessingFeedback) -> Dict[str, Any]:
        """Audit the layers. Raises CartoguideError where the library or an output file cannot be opened."""
        from ..core.audit import CreditState
        from ..core.audit.audit_row import audit_csv, audit_html

        rows = run_blocking(lambda task_feedback: _audit(self._facts, task_feedback), feedback)
        table = outputs.TableWriter(self, parameters, context, OUT, COLUMNS)
        for row in rows:
            table.add_row(_row_values(row))
            feedback.pushInfo(f"{row.layer.title}: {row.state.label}")
        results = {OUT: table.destination_id} if table.destination_id is not None else {}
        results.update(write_file_output(self, parameters, context, PAGE, lambda: audit_html(rows)))
        results.update(
            write_file_output(self, parameters, context, REPORT, lambda: audit_csv(rows), byte_order_mark=True))
        states = [row.state for row in rows]
        return {
            **results, "LAYERS": len(rows),
            **{state.value.replace("-", "_").upper(): states.count(state) for state in CreditState}
        }


def _audit(facts: Sequence[LayerFacts], feedback: Feedback) -> List[AuditRow]:
    from ..gis.credits import credit_audit
    from ..gis.services import service_cache
    from .record_inputs import open_library

    with open_library(feedback) as library:
        return credit_audit.audit_layers(facts, library, service_cache.shared(), feedback)


def _row_values(row: AuditRow) -> List[Any]:
    return [row.layer.title, row.layer.kind.value, row.state.value, "; ".join(row.layer.credit) or None,
            "; ".join(row.credit) or None, row.origin, row.required.value, row.licence, row.licence_url, row.fees,
            row.access, row.service, row.record_id, row.record_title, row.layer.place, row.problem, row.layer.layer_id]
