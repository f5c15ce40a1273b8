"""Findings as CSV (RFC 4180), one row each, for spreadsheets."""

from __future__ import annotations

import csv
import io
from typing import Iterable, Sequence, Tuple

from ...csv_cells import safe_cell
from ...i18n import tr
from ..model.record import Record
from .rules import Finding


def findings_csv(checked: Iterable[Tuple[Record, Sequence[Finding]]], heading: bool = True) -> str:
    """Return the findings of each record as CSV, with a header line if ``heading``. Lines end in CRLF.

    Cells that a spreadsheet would take for a formula begin with an apostrophe.
    """
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\r\n")
    if heading:
        writer.writerow((tr("Record"), tr("Title"), tr("Source"), tr("Severity"), tr("Family"), tr("Rule"), tr("Name"),
                         tr("Field"), tr("Message"), tr("What to do"), tr("The record says"), tr("Found instead"),
                         tr("Location in the document")))
    for record, findings in checked:
        for finding in findings:
            writer.writerow([
                safe_cell(cell)
                for cell in (record.id or "", record.title or "", record.source, finding.severity.value,
                             finding.family.label, finding.rule, finding.name, finding.field, finding.message,
                             finding.advice, finding.value, finding.other, finding.basis)
            ])
    return stream.getvalue()
