"""Blanks for a year or a day in credit lines, filled by what their words mean: of publication, or of retrieval."""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import Optional

from ..blanks import is_blank_word, unfilled_blanks
from ..text import fold

_WORD = re.compile(r"[^\W_]+")
#: the month in a blank for a whole date ("TT.MM.JJJJ"), which is none for a year
_MONTH = re.compile(r"(?i)\bMM\b")


def current_day() -> date:
    """Return today where the person is, who reads the year on the page."""
    return datetime.now().astimezone().date()


def fill_year(statement: str, year: str, today: Optional[date] = None) -> str:
    """Return a statement with its blanks for a year filled ("[year]", "JJJJ", "<Jahr des letzten Datenbezugs>").

    ``year`` is that of the data, or "" where it is not known. A blank for the year or the day on which the data was
    fetched gets that of ``today``. What cannot be known stays as it is.
    """
    for blank in unfilled_blanks(statement):
        filling = _filling(blank, year, today or current_day())
        if filling:
            statement = statement.replace(blank, filling)
    return statement


def _filling(blank: str, year: str, today: date) -> str:
    words = _WORD.findall(fold(blank))
    is_year, is_date, is_part, is_retrieved = (any(is_blank_word(word, *kinds) for word in words) for kinds in (
        ("year", "pattern"), ("date",), ("part",), ("retrieval",)))
    if is_retrieved:
        return today.isoformat() if (is_date or is_part) and not is_year else str(today.year)
    is_whole_date = is_part or is_date and len(words) == 1 or _MONTH.search(blank) is not None
    return year if is_year and not is_whole_date else ""
