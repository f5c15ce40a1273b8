"""Blanks for a year or a day in credit lines, filled by what their words mean: of publication, or of retrieval."""

from __future__ import annotations

import re
from datetime import date, datetime
from functools import lru_cache
from typing import Dict, List, Optional

from ..blanks import unfilled_blanks
from ..resources import RESOURCES
from ..text import fold

WORDS_PATH = RESOURCES / "year-blanks.txt"
_WORD = re.compile(r"[^\W_]+")


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
    is_year, is_date, is_retrieved = (_has(words, kind) for kind in ("year", "date", "retrieval"))
    if is_retrieved:
        return today.isoformat() if is_date and not is_year else str(today.year)
    return year if is_year and not (is_date and len(words) == 1) and not _DAY_OF_YEAR.search(blank) else ""


#: a blank for a whole date ("TT.MM.JJJJ") is none for a year
_DAY_OF_YEAR = re.compile(r"(?i)\bMM\b")


def _has(words: List[str], kind: str) -> bool:
    known = _patterns()[kind]
    return any(known.fullmatch(word) for word in words)


@lru_cache(maxsize=1)
def _patterns() -> Dict[str, re.Pattern[str]]:
    """Return a pattern of the words of each class."""
    words: Dict[str, List[str]] = {}
    for line in WORDS_PATH.read_text(encoding="utf-8").splitlines():
        kind, colon, rest = line.partition(":")
        if colon and not line.startswith("#"):
            words.setdefault(kind.strip(), []).extend(word.strip() for word in rest.split("|"))
    return {kind: re.compile("|".join(re.escape(word).replace(r"\*", r"\w*") for word in members))
            for kind, members in words.items()}
