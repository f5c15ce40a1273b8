"""INSPIRE on what belongs together: keywords of a vocabulary; limitations apart from conditions (TG 2.0 C.15–C.18)."""

from __future__ import annotations

import re
from collections import Counter
from typing import Iterable

from ...i18n import tr
from ...text import shorten
from .rules import CheckContext, Family, RuleSet, Severity, Violation

rule_set = RuleSet(Family.INSPIRE, lambda case: case.is_iso and case.is_resource)

_THESAURUS_DATE = re.compile(r"/\w+:thesaurusName/.*/\w+:date/\w+:Date(?:Time)?\Z")
_ACCESS_LIST = re.compile(r"LimitationsOnPublicAccess/", re.IGNORECASE)


@rule_set.rule("vocabulary", Severity.NOTE, "TG Requirement C.15: metadata/2.0/req/common/keyword-originating-cv",
           lambda: tr("Vocabulary of the keywords"),
           lambda: tr("A vocabulary that keywords come from is cited by its title and its date."),
           lambda: tr("Add the vocabulary's date of publication, creation or last revision to its citation."))
def vocabulary(case: CheckContext) -> Iterable[Violation]:
    """C.15. Dates of vocabularies have no field of their own; they are counted among what no field holds."""
    cited = [group.thesaurus for group in case.record.keyword_groups if group.thesaurus]
    dates = sum(1 for item in case.record.unread if _THESAURUS_DATE.search(item.path))
    if cited and dates < len(cited):
        yield Violation("keyword_groups", tr("A vocabulary that keywords come from is cited without its date."),
                        shorten("; ".join(dict.fromkeys(cited))))


@rule_set.rule("vocabulary-once", Severity.NOTE, "TG Requirement C.16: metadata/2.0/req/common/group-keywords-by-cv",
           lambda: tr("Keywords of one vocabulary together"),
           lambda: tr("All keywords of one vocabulary stand in one group."),
           lambda: tr("Put the keywords of the vocabulary into one group."))
def vocabulary_once(case: CheckContext) -> Iterable[Violation]:
    """C.16; groups of different types may well cite one vocabulary."""
    counted = Counter((group.thesaurus, group.type) for group in case.record.keyword_groups if group.thesaurus)
    for (name, _), count in counted.items():
        if count > 1:
            yield Violation("keyword_groups", tr("Keywords of one vocabulary stand in %n group(s).", n=count),
                            shorten(name))


@rule_set.rule("constraints-apart", Severity.NOTE,
           "TG Requirement C.18: metadata/2.0/req/common/conditions-for-access-and-use",
           lambda: tr("Limitations apart from conditions"),
           lambda: tr("Limitations on public access stand in another block of constraints than the conditions for "
                      "access and use, and each in one only."),
           lambda: tr("Make one block with the access constraint and the limitations, and another with the use "
                      "constraint and the conditions."))
def constraints_apart(case: CheckContext) -> Iterable[Violation]:
    """C.17 and C.18."""
    legal = [group for group in case.record.constraint_groups if group.kind == "legal"]
    for group in legal:
        if group.access_constraints and group.use_constraints:
            yield Violation(
                "constraint_groups",
                tr("One block of constraints holds both the limitations on access and the conditions of use."),
                shorten("; ".join(item.text or item.href or "" for item in group.other_constraints)))
    limits = [group for group in legal if any(_ACCESS_LIST.search(f"{item.text} {item.href}")
                                              for item in group.other_constraints)]
    if len(limits) > 1:
        yield Violation("constraint_groups", tr("Limitations on public access stand in %n block(s).", n=len(limits)))
