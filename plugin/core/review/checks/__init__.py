"""Checks of catalogue records: rules by family, their findings, and the table of all rules.

The modules with rules are imported on first use, because neither the dock at start-up nor a command that only reads
needs them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .rules import CheckRule, Family, Finding, Severity

if TYPE_CHECKING:
    from .link_rules import LinkResult, link_findings
    from .record_rules import duplicate_identifiers
    from .runner import all_rules, check_record, check_records, findings_csv, rules_table, severity_summary

__all__ = [
    "Family", "Finding", "LinkResult", "CheckRule", "Severity", "check_record", "check_records", "severity_summary",
    "duplicate_identifiers", "findings_csv", "link_findings", "all_rules", "rules_table"
]

_MODULES = {
    "findings_csv": "runner", "duplicate_identifiers": "record_rules", "LinkResult": "link_rules",
    "link_findings": "link_rules", "check_record": "runner", "check_records": "runner", "severity_summary": "runner",
    "all_rules": "runner", "rules_table": "runner"
}


def __getattr__(name: str) -> Any:
    """Return the attribute ``name`` from its module, which is imported now (PEP 562)."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
