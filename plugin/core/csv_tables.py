"""Tables as CSV (RFC 4180), whose cells a spreadsheet shows as text and never evaluates."""

from __future__ import annotations

import io
import re
from typing import Iterable, Sequence

#: the start of a formula for a spreadsheet; plain numbers are excepted
_FORMULA = re.compile(r"[=@\t\r\n＝＠]|[+＋-](?![\d.,]+(?:[eE][+-]?\d+)?\Z)")


def csv_table(heading: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return ``rows`` as CSV below ``heading``, which may be empty. Lines end in CRLF.

    Cells that a spreadsheet would take for a formula begin with an apostrophe.
    """
    import csv  # not at the start of QGIS

    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\r\n")
    if heading:
        writer.writerow([safe_cell(cell) for cell in heading])
    writer.writerows([safe_cell(cell) for cell in row] for row in rows)
    return stream.getvalue()


def safe_cell(cell: str) -> str:
    """Return ``cell`` with an apostrophe in front if a spreadsheet would take it for a formula."""
    return "'" + cell if _FORMULA.match(cell) else cell
