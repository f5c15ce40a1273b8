"""Terms that lead nowhere: what a person who wants to use the resource cannot find out from its record."""

from __future__ import annotations

from typing import Iterable, List

from ...i18n import tr
from ...terms.model import Decision
from ...text import shorten
from .rules import CheckContext, Family, RuleSet, Severity, Violation

rule_set = RuleSet(Family.TERMS, lambda case: case.is_resource)
_BASIS = "ISO 19115:2003, MD_LegalConstraints"


def _dangling(case: CheckContext) -> List[str]:
    from ...terms.reading_trail import unresolved_references
    from ...terms.statements import record_codes, record_statements

    return unresolved_references(case.record, record_statements(case.record), record_codes(case.record))


@rule_set.rule("leads-nowhere", Severity.WARNING, _BASIS, lambda: tr("References among the constraints"),
           lambda: tr("Where one constraint sends the reader to another, the other is there and says something."),
           lambda: tr("Write the licence into the field that the reader is sent to."))
def leads_nowhere(case: CheckContext) -> Iterable[Violation]:
    """A reference to a field that is absent, or a circle of references."""
    for words in _dangling(case):
        yield Violation("other_constraints", words, shorten("; ".join(case.record.use_limitations)))


@rule_set.rule("unstated", Severity.WARNING, _BASIS, lambda: tr("Terms are stated"),
           lambda: tr("The record says under what terms the resource may be used."),
           lambda: tr("State the licence, whether credit is required, and what the use costs."))
def unstated(case: CheckContext) -> Iterable[Violation]:
    """Neither licence nor credit nor cost can be told."""
    if _unstated(case):
        record = case.record
        said = [*record.use_limitations, *(item.text or item.href or "" for item in record.other_constraints)]
        yield Violation("use_limitations" if record.use_limitations else "other_constraints",
                        tr("Neither a licence nor duties nor costs can be told from the record."),
                        shorten("; ".join(said)), severity=None if case.is_iso else Severity.NOTE)


@rule_set.rule("open-point", Severity.NOTE, _BASIS, lambda: tr("Open points of the terms"),
           lambda: tr("The terms leave nothing open, and do not contradict each other."),
           lambda: tr("Say it in the constraints, in words that leave no doubt."))
def open_point(case: CheckContext) -> Iterable[Violation]:
    """Each point that the terms leave open, where others are clear."""
    if _unstated(case):
        return
    known = set(_dangling(case))
    for words in case.terms.undecided:
        if words not in known:
            yield Violation("other_constraints", words)


def _unstated(case: CheckContext) -> bool:
    terms = case.terms
    return (terms.licence is None and not terms.licence_url and terms.free is Decision.UNDECIDED
            and terms.credit_required is Decision.UNDECIDED)
