"""Rules on terms that remain unclear to a person who wants to use the resource."""

from __future__ import annotations

from typing import Iterable, List

from ...i18n import tr
from ...terms.model import Decision
from ...text import shorten
from .rules import CheckContext, Family, RuleSet, Severity, Violation

rule_set = RuleSet(Family.TERMS, lambda context: context.is_resource)
_BASIS = "ISO 19115:2003, MD_LegalConstraints"


def _dangling(context: CheckContext) -> List[str]:
    from ...terms.reading_trail import unresolved_references
    from ...terms.statements import record_codes, record_statements

    return unresolved_references(context.record, record_statements(context.record), record_codes(context.record))


@rule_set.rule("leads-nowhere", Severity.WARNING, _BASIS, lambda: tr("References among the constraints"),
               lambda: tr("If one constraint refers to another, the other exists and has content."),
               lambda: tr("Enter the licence in the field referred to."))
def leads_nowhere(context: CheckContext) -> Iterable[Violation]:
    """Find references to an absent field, and circular references."""
    for reference in _dangling(context):
        yield Violation("other_constraints", reference, shorten("; ".join(context.record.use_limitations)))


@rule_set.rule("unstated", Severity.WARNING, _BASIS, lambda: tr("Terms are stated"),
               lambda: tr("The record states the terms of use of the resource."),
               lambda: tr("State the licence, whether credit is required, and what the use costs."))
def unstated(context: CheckContext) -> Iterable[Violation]:
    """Find records without licence, credit and costs."""
    if _unstated(context):
        record = context.record
        texts = [*record.use_limitations, *(item.text or item.href or "" for item in record.other_constraints)]
        yield Violation("use_limitations" if record.use_limitations else "other_constraints",
                        tr("The record states neither a licence nor obligations nor costs."),
                        shorten("; ".join(texts)), severity=None if context.is_iso else Severity.NOTE)


@rule_set.rule("open-point", Severity.NOTE, _BASIS, lambda: tr("Open points of the terms"),
               lambda: tr("The terms are complete and do not contradict each other."),
               lambda: tr("State it unambiguously in the constraints."))
def open_point(context: CheckContext) -> Iterable[Violation]:
    """Find each open point of terms that are otherwise clear."""
    if _unstated(context):
        return
    known = set(_dangling(context))
    for reference in context.terms.undecided:
        if reference not in known:
            yield Violation("other_constraints", reference)


def _unstated(context: CheckContext) -> bool:
    terms = context.terms
    return (terms.licence is None and not terms.licence_url and terms.free is Decision.UNDECIDED
            and terms.credit_required is Decision.UNDECIDED)
