"""The gate to paper: the one decision which credit lines may be printed, and what has to be asked for the others.

Every page, file, label and expression takes its credits through :func:`credit_for_paper`. A line with a blank, one
that is a server's text as delivered, and a duty to credit of which nobody knows whom are never printed: they are
questions to the person, who answers them in the map's document.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import Enum
from functools import lru_cache
from typing import Iterable, List, Mapping, Optional, Sequence, Tuple

from ..blanks import unfilled_blanks
from ..i18n import tr
from ..text import list_quoted_names, quoted, shorten, single_line
from .credit_duty import with_line
from .model import Decision
from .server_defaults import without_server_defaults
from .year_blanks import current_day, fill_year

NO_ANSWERS: Mapping[str, str] = {}
#: the question of an answer to whatever may not be printed
EVERY_QUESTION = "*"


class UnfitReason(str, Enum):
    """Reasons for which a credit is not printed."""

    BLANK = "blank"
    SERVER_TEXT = "server-text"
    NO_OWNER = "no-owner"


@dataclass(frozen=True)
class UnfitCredit:
    """A credit that may not be printed, as it stands ("" without a line), with the reason.

    ``line`` is the question by which a document knows its answer.
    """

    line: str
    reason: UnfitReason
    blanks: Tuple[str, ...] = ()

    @property
    def message(self) -> str:
        """A sentence for people."""
        if self.reason is UnfitReason.BLANK:
            return tr("Its credit “{line}” has a blank that nobody has filled: {blanks}.", line=shorten(self.line, 160),
                      blanks=list_quoted_names(self.blanks))
        if self.reason is UnfitReason.SERVER_TEXT:
            return tr("Its credit is the text with which its server was delivered, and names nobody: {line}.",
                      line=quoted(shorten(self.line, 160)))
        return tr("Its terms require a credit, and do not say whom to credit.")


@dataclass(frozen=True)
class PaperCredit:
    """The lines that may be printed, and those that may not."""

    lines: Tuple[str, ...] = ()
    unfit: Tuple[UnfitCredit, ...] = ()


def credit_for_paper(lines: Iterable[str], required: Decision = Decision.UNDECIDED,
                     answers: Mapping[str, str] = NO_ANSWERS, year: str = "",
                     today: Optional[date] = None) -> PaperCredit:
    """Return what of a credit may be printed.

    Years that can be known are filled: that of the data where ``year`` has it, that of retrieval by ``today``. Texts of
    servers are left out. ``answers`` are the lines that a person has given for lines that may not be printed, for ""
    where there is no line, or for :data:`EVERY_QUESTION`. An answer that may not be printed either is none.
    ``required``: the terms ask for a credit, so that no line is unfit too.
    """
    printed: List[str] = []
    unfit: List[UnfitCredit] = []
    day = today or current_day()
    asked = [line for line in map(single_line, lines) if line]
    is_answered = "" in answers or EVERY_QUESTION in answers
    for line in asked or ([""] if required is Decision.YES or is_answered else []):
        for candidate in (line, *(single_line(answers.get(question, "")) for question in (line, EVERY_QUESTION))):
            fit, problem = _judge(candidate, year, day)
            if problem is None:
                printed = with_line(printed, fit)
                break
        else:
            unfit.append(_judge(line, year, day)[1] or UnfitCredit(line, UnfitReason.NO_OWNER))
    return PaperCredit(tuple(printed), tuple(dict.fromkeys(unfit)))


def unfit_reasons(unfit: Sequence[UnfitCredit], title: str) -> List[str]:
    """Return a sentence for each credit of the service or layer called ``title`` that may not be printed."""
    return [f"{quoted(title)}: {item.message}" for item in unfit]


@lru_cache(maxsize=1024)
def _judge(line: str, year: str, today: date) -> Tuple[str, Optional[UnfitCredit]]:
    """Return the line as it may be printed, or why it may not."""
    if not line:
        return "", UnfitCredit("", UnfitReason.NO_OWNER)
    # a zero-width space hides markup from Qt and QGIS, and would hide a blank from people's eyes too
    visible = line.replace("\u200b", "")
    filled = fill_year(visible, year, today)
    blanks = unfilled_blanks(filled)
    if blanks:
        return "", UnfitCredit(line, UnfitReason.BLANK, blanks)
    remaining = without_server_defaults(filled)
    if not any(character.isalpha() for character in remaining):
        return "", UnfitCredit(line, UnfitReason.SERVER_TEXT)
    return line if remaining == visible else remaining, None
