"""The audit as CSV (RFC 4180): one row for each layer, for spreadsheets and for whoever signs the map."""

from __future__ import annotations

import csv
import io
from typing import Iterable

from ..csv_cells import safe_cell
from ..i18n import tr
from .audit_row import AuditRow


def audit_csv(rows: Iterable[AuditRow]) -> str:
    """The rows with a heading; lines end in CRLF. What a spreadsheet would take for a formula gets an apostrophe."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\r\n")
    writer.writerow((tr("Layer"), tr("Kind"), tr("State"), tr("Credit on the layer"), tr("Credit found"),
                     tr("Found in"), tr("Credit required"), tr("Licence"), tr("Licence’s address"), tr("Fees"),
                     tr("Access constraints"), tr("Service"), tr("Record"), tr("Record’s title"), tr("Address"),
                     tr("Problem")))
    for row in rows:
        writer.writerow([
            safe_cell(cell)
            for cell in (row.layer.title, row.layer.kind, row.state.label, "; ".join(row.layer.credit),
                         "; ".join(row.credit), row.origin, row.required, row.licence, row.licence_url, row.fees,
                         row.access, row.service, row.record_id, row.record_title, row.layer.address, row.problem)
        ])
    return stream.getvalue()
