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

from ..blanks import current_day, fill_year, unfilled_blanks
from ..html_text import without_markup
from ..i18n import tr
from ..text import list_quoted_names, quoted, shorten, single_line
from .credit_duty import comparable, same_but_for_years, with_line
from .model import Decision
from .server_defaults import has_server_default, nameless_creditor, without_server_defaults

NO_ANSWERS: Mapping[str, str] = {}
#: the question of an answer to whatever may not be printed
EVERY_QUESTION = "*"
#: a year that no line has, in the place of one that is not known
_SOME_YEAR = "1800"


class UnfitReason(str, Enum):
    """Reasons for which a credit is not printed."""

    BLANK = "blank"
    SERVER_TEXT = "server-text"
    NAMELESS = "nameless"
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
        if self.reason is UnfitReason.NAMELESS:
            return tr("Its credit names nobody: {line}.", line=quoted(shorten(self.line, 160)))
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

    Years that can be known are filled: that of the data where ``year`` or another line has it, that of retrieval by
    ``today``. Texts of servers are left out. ``answers`` are the lines that a person has given for lines that may not
    be printed, for "" where there is no line, or for :data:`EVERY_QUESTION`. An answer that may not be printed either
    is none.
    ``required``: the terms ask for a credit, so that no line is unfit too.
    """
    printed: List[str] = []
    unfit: List[UnfitCredit] = []
    day = today or current_day()
    asked = [line for line in map(single_line, lines) if line]
    asked = [line for line in asked if not _is_said_with_year(line, asked)]
    if not asked and (required is Decision.YES or any(_judge(answer, year, day)[1] is None
                                                      for answer in _answers_to("", answers))):
        asked = [""]
    for line in asked:
        for candidate in (line, *_answers_to(line, answers)):
            fit, problem = _judge(candidate, year, day)
            if problem is None:
                printed = with_line(printed, fit)
                break
        else:
            unfit.append(_judge(line, year, day)[1] or UnfitCredit(line, UnfitReason.NO_OWNER))
    return PaperCredit(tuple(printed), tuple(dict.fromkeys(unfit)))


def _answers_to(question: str, answers: Mapping[str, str]) -> List[str]:
    return [single_line(answers[asked]) for asked in (question, EVERY_QUESTION) if asked in answers]


def unfit_reasons(unfit: Sequence[UnfitCredit], title: str) -> List[str]:
    """Return a sentence for each credit of the service or layer called ``title`` that may not be printed."""
    return [f"{quoted(title)}: {item.message}" for item in unfit]


def still_unfit(unfit: Iterable[UnfitCredit], lines: Sequence[str]) -> Tuple[UnfitCredit, ...]:
    """Return what of ``unfit`` is still to be asked for beside these lines, each once."""
    return tuple(dict.fromkeys(item for item in unfit if not _is_said_with_year(item.line, lines)))


def _is_said_with_year(line: str, lines: Iterable[str]) -> bool:
    """Return true where all that ``line`` lacks is the year of the data, and another line says the same of a year."""
    if not unfilled_blanks(line):
        return False
    filled = fill_year(line, _SOME_YEAR)
    bare = comparable(filled.replace(_SOME_YEAR, " "))
    return _SOME_YEAR in filled and not unfilled_blanks(filled) and any(
        same_but_for_years(filled, other) and comparable(other) != bare and not unfilled_blanks(other)
        for other in lines)


@lru_cache(maxsize=1024)
def _judge(line: str, year: str, today: date) -> Tuple[str, Optional[UnfitCredit]]:
    """Return the line as it may be printed, or why it may not."""
    # a zero-width space hides markup from Qt and QGIS, and would hide a blank from people's eyes too
    written = line.replace("\u200b", "")
    visible = single_line(without_markup(written))
    if not visible:
        return "", UnfitCredit(line, UnfitReason.NAMELESS if line else UnfitReason.NO_OWNER)
    filled = fill_year(visible, year, today)
    blanks = unfilled_blanks(filled)
    if blanks:
        return "", UnfitCredit(line, UnfitReason.BLANK, blanks)
    remaining = without_server_defaults(filled)
    nameless = nameless_creditor(remaining) if remaining else filled
    if nameless:
        is_delivered = remaining != filled or has_server_default(nameless)
        reason = UnfitReason.SERVER_TEXT if is_delivered else UnfitReason.NAMELESS
        return "", UnfitCredit(line, reason)
    return line if remaining == written else remaining, None
