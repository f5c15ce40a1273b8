"""Cells of CSV files that a spreadsheet shows as text and never evaluates."""

from __future__ import annotations

import re

#: the start of a formula for a spreadsheet; plain numbers are excepted
_FORMULA = re.compile(r"[=@\t\r]|[+-](?![\d.]+\Z)")


def safe_cell(cell: str) -> str:
    """Return ``cell`` with an apostrophe in front if a spreadsheet would take it for a formula."""
    return "'" + cell if _FORMULA.match(cell) else cell
