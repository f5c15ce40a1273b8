"""Algorithm that resolves the terms of records and services, and the credit that a map must show."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Sequence

from qgis.core import (
    QgsProcessingContext,
    QgsProcessingFeedback,
    QgsProcessingOutputNumber,
    QgsProcessingOutputString,
    QgsProcessingParameterBoolean,
)

from ..core.i18n import tr, tr_noop
from . import inputs, outputs
from .algorithm import TERMS, CartoguideAlgorithm
from .execution import run_blocking

if TYPE_CHECKING:
    from ..core.records.model.record import Record
    from ..core.terms.model import RecordWithTerms, Terms
    from ..gis.runtime.tasks import Feedback
    from .record_inputs import RecordSelection

OUT, ASK = "TERMS", "ASK_SERVICE"
COLUMNS: Sequence[outputs.Column] = (("identifier", str), ("title", str), ("address", str), ("sentence", str),
                                     ("licence", str), ("licence_url", str), ("licence_text", str), ("free", str),
                                     ("fees", str), ("credit_required", str), ("credit", str), ("limits", str),
                                     ("conflict", str), ("undecided", str), ("read_from", str), ("source", str))


class ResolveTerms(CartoguideAlgorithm):
    ID = "resolveterms"
    TITLE = tr_noop("Resolve terms of use")
    DESCRIPTION = tr_noop("Explains what may be done with each record or map service: the effective licence and the "
                          "fields it was read from, whether it is free, whether a credit is required, and the credit "
                          "line.")
    GROUP = TERMS
    TAGS = ("licence", "license", "credit", "attribution", "terms of use", "licencia", "cita", "condiciones")
    EXAMPLE = "qgis_process run cartoguide:resolveterms -- FILES=records/park-guide.xml TERMS=terms.csv"
    OUTPUTS = ((OUT, tr_noop("A row for each record: the terms in a sentence, licence, fees, credit, and what is "
                             "unclear.")),
               ("CREDIT", tr_noop("The credits of all, each once, one per line.")),
               ("LICENCE", tr_noop("The first record's licence.")),
               ("CREDIT_REQUIRED", tr_noop("Whether the first record's credit is required: yes, no or undecided.")),
               ("SENTENCE", tr_noop("The first record's terms in a sentence.")),
               ("COUNT", tr_noop("Number of records.")),
               ("UNDECIDED", tr_noop("Number of records whose terms leave open whether a credit is required.")))

    def initAlgorithm(self, configuration: Any = None) -> None:  # noqa: N802
        inputs.add_record_parameters(self)
        self.add_parameter(
            QgsProcessingParameterBoolean(ASK, tr("Query the services too"), False),
            tr("Also query each record's map service: its fees and constraints count where the record states none."))
        outputs.add_table_output(self, OUT, tr("Terms"))
        self.add_outputs(
            *(QgsProcessingOutputString(name, label)
              for name, label in (("CREDIT", tr("Credits")), ("LICENCE", tr("Licence")),
                                  ("CREDIT_REQUIRED", tr("Credit required")), ("SENTENCE", tr("Summary")))),
            QgsProcessingOutputNumber("COUNT", tr("Records")),
            QgsProcessingOutputNumber("UNDECIDED", tr("Records with unclear credit")))

    def parameter_error(self, parameters: Dict[str, Any], context: QgsProcessingContext) -> str:
        """Check that records are given."""
        return inputs.no_records_error(self, parameters, context)

    def compute(self, parameters: Dict[str, Any], context: QgsProcessingContext,
                feedback: QgsProcessingFeedback) -> Dict[str, Any]:
        """Resolve the terms. Raises CartoguideError where no record can be read."""
        from ..core.terms import summary_sentence
        from ..core.terms.model import Decision

        selection = inputs.record_selection(self, parameters, context)
        request_services = bool(self.parameterAsBoolean(parameters, ASK, context))
        pairs = run_blocking(lambda task_feedback: _resolve_all(selection, request_services, task_feedback, feedback),
                             feedback)
        table = outputs.TableWriter(self, parameters, context, OUT, COLUMNS)
        for record, terms in pairs:
            table.add_row(_row_values(record, terms))
            feedback.pushInfo(f"{record.title or record.id}: {summary_sentence(terms)}")
        first = _row_values(*pairs[0])
        first_row = dict(zip((name for name, _ in COLUMNS), first))
        return {
            **({OUT: table.destination_id} if table.destination_id is not None else {}), "CREDIT": "\n".join(
                dict.fromkeys(terms.credit for _, terms in pairs if terms.credit)), "LICENCE": first_row["licence"] or
            "", "CREDIT_REQUIRED": first_row["credit_required"], "SENTENCE": first_row["sentence"], "COUNT": len(pairs),
            "UNDECIDED": sum(terms.credit_required is Decision.UNDECIDED for _, terms in pairs)
        }


def _resolve_all(selection: RecordSelection, request_services: bool, feedback: Feedback,
                 log: QgsProcessingFeedback) -> List[RecordWithTerms]:
    from .record_inputs import load_records

    records = load_records(selection, feedback, log.reportError).records
    resolved = []
    for number, record in enumerate(records):
        feedback.raise_if_cancelled()
        feedback.report(100.0 * number / len(records), record.title or "")
        resolved.append((record, outputs.resolve_record_terms(record, feedback, request_services)))
    return resolved


def _row_values(record: Record, terms: Terms) -> List[Any]:
    from ..core.distributions.record_distributions import wms_address
    from ..core.terms import summary_sentence
    from ..core.terms.labels import licence_name, limit_label, trail_text

    licence = terms.licence
    return [
        record.id, record.title,
        wms_address(record),
        summary_sentence(terms),
        licence_name(licence) if licence else None, (licence.url if licence else None) or terms.licence_url,
        terms.licence_text, terms.free.value, terms.fees, terms.credit_required.value, terms.credit or None,
        "\n".join(limit_label(limit.kind) for limit in terms.limits) or None, terms.conflict,
        "\n".join(terms.undecided) or None,
        trail_text(terms) or None, record.source or None
    ]
