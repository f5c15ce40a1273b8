"""Checks of records against all rules, the findings as a table, and the table of the rules."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Collection, Iterable, List, Optional, Sequence, Tuple

from ...csv_tables import csv_table
from ...i18n import tr
from ...records.model.record import Record
from . import inspire_rules, iso19119_rules, link_rules, network_rules, record_rules, service_rules
from .rules import CheckContext, CheckRule, Family, Finding, Severity, sorted_findings

if TYPE_CHECKING:
    from ...network_profile import NetworkProfile

#: families whose findings are only notes for starter records, which contain only reliable values
_LENIENT_FAMILIES = (Family.INSPIRE, Family.ISO19119, Family.NETWORK, Family.TERMS)


def all_rules() -> Tuple[CheckRule, ...]:
    """Return every rule, in the order in which findings of one severity are listed."""
    rule_sets = (record_rules.identity, inspire_rules.rule_set, inspire_rules.services,
                 iso19119_rules.level_rule_set, iso19119_rules.rule_set, network_rules.rule_set,
                 record_rules.extents, record_rules.dates, record_rules.terms_set, link_rules.rule_set,
                 service_rules.rule_set)
    return tuple(rule for rule_set in rule_sets for rule in rule_set.rules)


def check_record(record: Record, profile: Optional[NetworkProfile] = None, today: Optional[date] = None,
                 families: Optional[Collection[Family]] = None) -> Tuple[Finding, ...]:
    """Return the findings of the rules on one record, the most severe first, without requests to a network or service.

    ``profile`` adds the conventions of its network, which apply only to records of that network. Findings on starter
    records are only notes in the families that require complete values.
    """
    context = CheckContext(record, profile) if today is None else CheckContext(record, profile, today)
    findings: List[Finding] = []
    for rule in all_rules():
        if rule.check is None or (families is not None and rule.family not in families) or not rule.applies(context):
            continue
        cap = Severity.NOTE if context.is_starter and rule.family in _LENIENT_FAMILIES else None
        findings += [rule.finding(violation, cap) for violation in rule.check(context)]
    return sorted_findings(dict.fromkeys(findings))


def check_records(records: Sequence[Record], profile: Optional[NetworkProfile] = None, today: Optional[date] = None,
                  families: Optional[Collection[Family]] = None) -> List[Tuple[Record, Tuple[Finding, ...]]]:
    """Return each record with its findings, including identifiers shared by several records."""
    duplicates: dict[int, List[Finding]] = {}
    if families is None or Family.IDENTITY in families:
        for record, finding in record_rules.duplicate_identifiers(records):
            duplicates.setdefault(id(record), []).append(finding)
    return [(record, sorted_findings([*duplicates.get(id(record), []),
                                      *check_record(record, profile, today, families)]))
            for record in records]


def severity_summary(findings: Sequence[Finding]) -> str:
    """Return the number of findings of each severity as text, "no findings" if there are none."""
    numbers = {severity: sum(finding.severity is severity for finding in findings) for severity in Severity}
    parts = [count for severity, count in (
        (Severity.ERROR, tr("%n error(s)", n=numbers[Severity.ERROR])),
        (Severity.WARNING, tr("%n warning(s)", n=numbers[Severity.WARNING])),
        (Severity.NOTE, tr("%n note(s)", n=numbers[Severity.NOTE]))) if numbers[severity]]
    return ", ".join(parts) or tr("no issues")


def rules_table() -> str:
    """Return all rules as Markdown for the user guide, one translated table for each family."""
    parts = []
    listed = all_rules()
    for family in Family:
        parts.append(f"### {family.label}\n")
        heads = (tr("Rule"), tr("Name"), tr("Requirement"), tr("Severity"), tr("Location in the document"))
        parts.append("| " + " | ".join(heads) + " |\n|" + " --- |" * len(heads))
        parts += [
            "| " + " | ".join(
                text.replace("|", "\\|").replace("\n", " ")
                for text in (f"`{rule.id}`", rule.name(), rule.requirement(), rule.severity.label, rule.basis)) + " |"
            for rule in listed if rule.family is family
        ]
        parts.append("")
    return "\n".join(parts)


def findings_csv(checked: Iterable[Tuple[Record, Sequence[Finding]]]) -> str:
    """Return the findings of each record as CSV for spreadsheets, one row each, with a header line."""
    names = (tr("Record"), tr("Title"), tr("Source"), tr("Severity"), tr("Family"), tr("Rule"), tr("Name"),
             tr("Field"), tr("Message"), tr("What to do"), tr("The record says"), tr("Found instead"),
             tr("Location in the document"))
    return csv_table(names, (
        (record.id or "", record.title or "", record.source, finding.severity.value, finding.family.label, finding.rule,
         finding.name, finding.field, finding.message, finding.advice, finding.value, finding.other, finding.basis)
        for record, findings in checked for finding in findings))
