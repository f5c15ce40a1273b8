"""Rules on the identifier of a record, alone and among others, and on starter records."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Dict, Iterable, List, Sequence, Tuple

from ...i18n import tr
from ...text import shorten
from ..model.record import Record
from .rules import CheckContext, Family, Finding, RuleSet, Severity, Violation

rule_set = RuleSet(Family.IDENTITY)


@rule_set.rule("missing", Severity.ERROR, "ISO 19115:2003, MD_Metadata: fileIdentifier", lambda: tr("Identifier"),
               lambda: tr("The record has an identifier."),
               lambda: tr("Give the record an identifier that no other record has and that never changes."))
def missing(context: CheckContext) -> Iterable[Violation]:
    """Find records without an identifier, which cannot be found again, replaced or referred to."""
    if not context.record.id:
        yield Violation("id", tr("The record has no identifier."))


@rule_set.rule("characters", Severity.NOTE, "ISO 19115:2003, MD_Metadata: fileIdentifier",
               lambda: tr("Identifier usable in addresses"),
               lambda: tr("The identifier contains no white space and no character that is invalid in addresses."),
               lambda: tr("Use letters, digits, “-”, “_”, “.” and “:” only."), lambda context: context.is_iso)
def characters(context: CheckContext) -> Iterable[Violation]:
    """Find identifiers with characters that are not allowed in the addresses of catalogues."""
    if context.record.id and re.search(r"[\s<>\"'{}|\\^`#?&%]", context.record.id):
        yield Violation("id", tr("The identifier contains characters that are invalid in an address."),
                        shorten(context.record.id))


@rule_set.rule("starter", Severity.NOTE, "Cartoguide", lambda: tr("Starter record"),
               lambda: tr("The record comes from the catalogue and is not a starter record of the plugin."),
               lambda: tr("Update it from the catalogue. Until then missing values are only notes."))
def starter(context: CheckContext) -> Iterable[Violation]:
    """Find starter records, which contain only reliable values."""
    if context.is_starter:
        yield Violation("keyword_groups", tr("This is a starter record: it contains only what is known about the "
                                             "service."))


_DUPLICATE = rule_set.add(
    "duplicate", Severity.ERROR, "ISO 19115:2003, MD_Metadata: fileIdentifier", lambda: tr("Unique identifier"),
    lambda: tr("No two records have the same identifier."),
    lambda: tr("Keep the newer of two versions. Give different records different identifiers."))


def duplicate_identifiers(records: Sequence[Record]) -> List[Tuple[Record, Finding]]:
    """Return the records of a set that share their identifier with another, each with the finding.

    Copies of the same document are only notes. The value of a finding is the identifier, ``other`` the source of the
    other records.
    """
    by_id: Dict[str, List[Record]] = defaultdict(list)
    for record in records:
        if record.id:
            by_id[record.id].append(record)
    findings = []
    for identifier, group in by_id.items():
        for record in group if len(group) > 1 else ():
            others = [other for other in group if other is not record]
            copies = all(other == record for other in others)
            message = tr("The same record occurs more than once.") if copies else \
                tr("Another record with different content has the same identifier.")
            where = shorten("; ".join(other.source or other.title or "" for other in others))
            hit = Violation("id", message, identifier, where, severity=Severity.NOTE if copies else None)
            findings.append((record, _DUPLICATE.finding(hit)))
    return findings
