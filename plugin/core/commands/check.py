"""Command ``check``: findings on records, from the command line."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any, List, Sequence, Tuple

from ..errors import CartoguideError
from ..i18n import tr
from ..network_profile import bundled_profile, read_profile_file
from ..records.checks.rules import Family, Finding, Severity, sorted_findings
from ..records.model.record import Record, title_of_record
from .console import print_error, print_file_error, read_bytes
from .read import read_input


def add_parser(subparsers: Any) -> None:
    """Add ``check`` to the subparsers of a command line."""
    command = subparsers.add_parser(
        "check", help=tr("check catalogue records against INSPIRE, ISO 19119 and the network's conventions"),
        description=tr("Prints the issues, the most severe first. The exit status is 1 if an error is found or a "
                       "file cannot be read."))
    command.add_argument("files", nargs="*", metavar="FILE",
                         help=tr("a file, a package (zip, MEF), a folder, or - for the standard input"))
    command.add_argument("--csv", action="store_true", help=tr("print CSV with one row per issue"))
    command.add_argument("--family", action="append", choices=[family.value for family in Family], default=[],
                         help=tr("only the rules of this family; can be repeated"))
    command.add_argument("--profile", default="", metavar="FILE",
                         help=tr("the network profile whose conventions are checked (default: the bundled one)"))
    command.add_argument("--against", default="", metavar="FILE",
                         help=tr("compare with a service: its capabilities document"))
    command.add_argument("--rules", action="store_true", help=tr("print the table of all rules"))
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the findings. Return 1 if one is an error or something could not be read, 2 if no file is named."""
    from ..records.checks.runner import check_records, findings_csv, rules_table

    if options.rules:
        sys.stdout.write(rules_table())
        return 0
    if not options.files:
        print_error(tr("Name a file, a package or a folder of records."))
        return 2
    profile = read_profile_file(Path(options.profile)) if options.profile else bundled_profile()
    families = [Family(name) for name in options.family] or None
    records, status = _read_records(options.files, options.language)
    checked = check_records(records, profile, None, families)
    if options.against:
        checked = _add_service_findings(checked, options.against)
    if options.csv:
        sys.stdout.write(findings_csv(checked).replace("\r\n", "\n"))
    else:
        sys.stdout.write("".join(_format_findings(record, findings) for record, findings in checked))
    has_errors = any(finding.severity is Severity.ERROR for _, findings in checked for finding in findings)
    return 1 if has_errors else status


def _read_records(files: Sequence[str], language: str) -> Tuple[List[Record], int]:
    """Return the records of all files, and 1 if something could not be read, else 0."""
    records: List[Record] = []
    status = 0
    for path in files:
        for name, result in read_input(path, language):
            if isinstance(result, CartoguideError):
                status = print_file_error(name, result)
            elif result is not None:
                records.append(result)
    return records, status


def _add_service_findings(checked: Sequence[Tuple[Record, Tuple[Finding, ...]]],
                          path: str) -> List[Tuple[Record, Tuple[Finding, ...]]]:
    """Add the findings of the comparison with a service. Raises CartoguideError if its capabilities cannot be read."""
    from ..records.checks.service_rules import against_service
    from ..wms import read_service

    try:
        service = read_service(read_bytes(path), path)
    except OSError as error:
        raise CartoguideError(tr("{name} could not be read.", name=path), str(error)) from error
    return [(record, sorted_findings([*findings, *against_service(record, service)])) for record, findings in checked]


def _format_findings(record: Record, findings: Sequence[Finding]) -> str:
    """Return the record's title and its findings, indented."""
    from ..records.checks.runner import severity_summary

    lines = [f"{title_of_record(record)} ({record.source})", f"  {severity_summary(findings)}"]
    for finding in findings:
        lines.append(f"  {finding.severity.label}: {finding.message} [{finding.rule}]")
        values = f"{finding.value or '–'} ≠ {finding.other}" if finding.other else finding.value
        if values:
            lines.append(f"    {values}")
        lines.append(f"    → {finding.advice}")
    return "\n".join(lines) + "\n\n"
