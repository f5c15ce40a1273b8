"""Resolve terms: what may be done with records and services, and the credit that a map must show."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Sequence, Tuple

from qgis.core import (
    QgsProcessingContext,
    QgsProcessingFeedback,
    QgsProcessingOutputNumber,
    QgsProcessingOutputString,
    QgsProcessingParameterBoolean,
)

from ..core.i18n import tr
from . import inputs, tables
from .algorithm import TERMS, CartoguideAlgorithm
from .running import blocking

if TYPE_CHECKING:
    from ..core.records.model import Record
    from ..core.terms.model import Terms
    from ..gis.tasks import Feedback
    from .given import Wanted

OUT, ASK = "TERMS", "ASK_SERVICE"
COLUMNS: Sequence[tables.Column] = (
    ("identifier", str), ("title", str), ("address", str), ("sentence", str), ("licence", str), ("licence_url", str),
    ("licence_text", str), ("free", str), ("fees", str), ("credit_required", str), ("credit", str), ("limits", str),
    ("conflict", str), ("undecided", str), ("read_from", str), ("source", str))


class ResolveTerms(CartoguideAlgorithm):
    """``cartoguide:resolveterms``."""

    ID = "resolveterms"
    GROUP = TERMS
    TAGS = ("licence", "license", "credit", "attribution", "terms of use", "licencia", "cita", "condiciones")
    EXAMPLE = "qgis_process run cartoguide:resolveterms -- FILES=records/park-guide.xml TERMS=terms.csv"

    def title(self) -> str:
        """Its name."""
        return tr("Resolve terms of use")

    def what(self) -> str:
        """What it does."""
        return tr("Tells of each record or map service what may be done with it: the effective licence and the fields "
                  "that it was read from, whether it is free, whether a credit is required, and the credit line.")

    def outputs(self) -> Sequence[Tuple[str, str]]:
        """What comes out."""
        return [(OUT, tr("A row for each record: the terms in a sentence, licence, fees, credit, and what is "
                         "undecided.")),
                ("CREDIT", tr("The credits of all, each once, one on each line.")),
                ("LICENCE", tr("The first record's licence.")),
                ("CREDIT_REQUIRED", tr("Whether the first record's credit is required: yes, no or undecided.")),
                ("SENTENCE", tr("The first record's terms in a sentence.")),
                ("COUNT", tr("How many records there are.")),
                ("UNDECIDED", tr("Of how many it is undecided whether they must be credited."))]

    def initAlgorithm(self, configuration: Any = None) -> None:  # noqa: N802
        inputs.add_records(self)
        self.add(QgsProcessingParameterBoolean(ASK, tr("Ask the services too"), False),
                 tr("Also ask each record's map service: its fees and constraints count where the record is silent."))
        tables.add_table(self, OUT, tr("Terms"))
        self.promise(*(QgsProcessingOutputString(name, label) for name, label in (
            ("CREDIT", tr("Credits")), ("LICENCE", tr("Licence")), ("CREDIT_REQUIRED", tr("Credit required")),
            ("SENTENCE", tr("In a sentence")))),
            QgsProcessingOutputNumber("COUNT", tr("Records")),
            QgsProcessingOutputNumber("UNDECIDED", tr("Undecided records")))

    def wrong(self, parameters: Dict[str, Any], context: QgsProcessingContext) -> str:
        """Records are needed."""
        return inputs.nothing_given(self, parameters, context)

    def produce(self, parameters: Dict[str, Any], context: QgsProcessingContext,
                feedback: QgsProcessingFeedback) -> Dict[str, Any]:
        """Resolve them."""
        from ..core.terms import sentence
        from ..core.terms.model import Decision

        wanted = inputs.wanted(self, parameters, context)
        ask = bool(self.parameterAsBoolean(parameters, ASK, context))
        pairs = blocking(lambda inner: _resolved(wanted, ask, inner, feedback), feedback)
        table = tables.Sink(self, parameters, context, OUT, COLUMNS)
        for record, terms in pairs:
            table.add(_values(record, terms))
            feedback.pushInfo(f"{record.title or record.id}: {sentence(terms)}")
        first = _values(*pairs[0])
        named = dict(zip((name for name, _ in COLUMNS), first))
        return {**({OUT: table.where} if table.where is not None else {}),
                "CREDIT": "\n".join(dict.fromkeys(terms.credit for _, terms in pairs if terms.credit)),
                "LICENCE": named["licence"] or "", "CREDIT_REQUIRED": named["credit_required"],
                "SENTENCE": named["sentence"], "COUNT": len(pairs),
                "UNDECIDED": sum(terms.credit_required is Decision.UNDECIDED for _, terms in pairs)}


def _resolved(wanted: Wanted, ask: bool, feedback: Feedback,
              log: QgsProcessingFeedback) -> List[Tuple[Record, Terms]]:
    from .given import read

    records = read(wanted, feedback, log.reportError).records
    found = []
    for number, record in enumerate(records):
        feedback.stop_if_cancelled()
        feedback.tell(100.0 * number / len(records), record.title or "")
        found.append((record, tables.terms_of(record, feedback, ask)))
    return found


def _values(record: Record, terms: Terms) -> List[Any]:
    from ..core.records.links import endpoint
    from ..core.terms import sentence
    from ..core.terms.words import chain_words, licence_name

    licence = terms.licence
    return [record.id, record.title, endpoint(record), sentence(terms), licence_name(licence) if licence else None,
            (licence.url if licence else None) or terms.licence_url, terms.licence_text, terms.free.value, terms.fees,
            terms.credit_required.value, terms.credit or None, "\n".join(terms.limits) or None, terms.conflict,
            "\n".join(terms.undecided) or None, chain_words(terms) or None, record.source or None]
