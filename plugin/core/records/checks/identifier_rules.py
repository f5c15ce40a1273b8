"""Who the record is: its identifier, alone and among others, and whether it is only a starter record."""

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
def missing(case: CheckContext) -> Iterable[Violation]:
    """A record without one cannot be found again, replaced or referred to."""
    if not case.record.id:
        yield Violation("id", tr("The record has no identifier."))


@rule_set.rule("characters", Severity.NOTE, "ISO 19115:2003, MD_Metadata: fileIdentifier",
           lambda: tr("Identifier that addresses can carry"),
           lambda: tr("The identifier holds no white space and none of the characters that break addresses."),
           lambda: tr("Use letters, digits, “-”, “_”, “.” and “:” only."), lambda case: case.is_iso)
def characters(case: CheckContext) -> Iterable[Violation]:
    """Characters that catalogues' addresses do not carry."""
    if case.record.id and re.search(r"[\s<>\"'{}|\\^`#?&%]", case.record.id):
        yield Violation("id", tr("The identifier holds characters that an address cannot carry."),
                        shorten(case.record.id))


@rule_set.rule("starter", Severity.NOTE, "Cartoguide", lambda: tr("Starter record"),
           lambda: tr("The record is the catalogue's own, not one of those that come with the plugin."),
           lambda: tr("Refresh it from the catalogue. Until then what is missing is only noted."))
def starter(case: CheckContext) -> Iterable[Violation]:
    """Starter records hold what is known for sure."""
    if case.is_starter:
        yield Violation("keyword_groups", tr("This is a starter record: it tells only what is known of the service."))


_DUPLICATE = rule_set.add(
    "duplicate", Severity.ERROR, "ISO 19115:2003, MD_Metadata: fileIdentifier", lambda: tr("Identifier of its own"),
    lambda: tr("No two records of a set have the same identifier."),
    lambda: tr("Keep the newer one of two versions; give different records different identifiers."))


def duplicate_identifiers(records: Sequence[Record]) -> List[Tuple[Record, Finding]]:
    """The records of a set whose identifier another one has, each with what is wrong.

    Copies of the same document are only noted; the value is the identifier, ``other`` where the others come from.
    """
    by_id: Dict[str, List[Record]] = defaultdict(list)
    for record in records:
        if record.id:
            by_id[record.id].append(record)
    found = []
    for identifier, group in by_id.items():
        for record in group if len(group) > 1 else ():
            others = [other for other in group if other is not record]
            copies = all(other == record for other in others)
            message = tr("The same record is there more than once.") if copies else \
                tr("Another record has the same identifier, but says something else.")
            where = shorten("; ".join(other.source or other.title or "" for other in others))
            hit = Violation("id", message, identifier, where, severity=Severity.NOTE if copies else None)
            found.append((record, _DUPLICATE.finding(hit)))
    return found
