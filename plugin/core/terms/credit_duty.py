"""The duty to credit, and the strictest of several descriptions of one source."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import Iterable, List, Sequence, Tuple

from ..text import fold
from .model import Decision, Terms

#: required before undecided before not required
_STRICTNESS = {Decision.NO: 0, Decision.UNDECIDED: 1, Decision.YES: 2}
_NO_WORD = re.compile(r"[\W_]+")
_YEAR = re.compile(r"\b(?:1[89]|20)\d\d\b")


@dataclass(frozen=True)
class CreditDuty:
    """The credit lines of a source, and whether a map must show them.

    ``prescribed`` are the statements in ``lines`` that the source itself prescribes.
    """

    lines: Tuple[str, ...] = ()
    required: Decision = Decision.UNDECIDED
    prescribed: Tuple[str, ...] = ()

    def is_stricter_than(self, other: CreditDuty) -> bool:
        """Return whether this asks for more than ``other``: required is more than undecided, that more than not."""
        return _STRICTNESS[self.required] > _STRICTNESS[other.required]


def duty_of_terms(terms: Terms) -> CreditDuty:
    return CreditDuty((terms.credit,) if terms.credit else (), terms.credit_required, terms.prescribed)


def strictest_duty(known: CreditDuty, claims: Iterable[CreditDuty]) -> CreditDuty:
    """Return the duty that satisfies ``known`` and each of ``claims``, so that no description weakens another.

    No line of ``known`` is lost. Those of a claim are added where it requires them, where it is stricter than what was
    known before it, or where there was no line, and what it prescribes is added in any case, unless it is shown
    already. See :func:`with_line` for lines that say the same.
    """
    lines, required = list(known.lines), known.required
    for claim in claims:
        is_stricter = claim.is_stricter_than(CreditDuty((), required))
        missing = [words for words in claim.prescribed if not shows(lines, words)]
        if claim.prescribed and not missing:
            # adds at most the sign © of a line that is shown
            added: Sequence[str] = claim.prescribed
        elif claim.required is Decision.YES or is_stricter or not lines:
            added = claim.lines
        else:
            added = missing
        for line in added:
            lines = with_line(lines, line)
        required = claim.required if is_stricter else required
    return CreditDuty(tuple(lines), required, known.prescribed)


def with_line(lines: Sequence[str], line: str) -> List[str]:
    """Return ``lines`` with one more, unless one of them contains it. A line that it contains makes place for it.

    Case, accents, punctuation and the sign © make no difference, but the line with the sign stays.
    """
    words = comparable(line)
    for other in lines:
        known = comparable(other)
        if known == words:
            return [line if item is other and "©" in line and "©" not in other else item for item in lines]
    if shows(lines, line):
        return list(lines)
    kept = [other for other in lines if f" {comparable(other)} " not in f" {words} "]
    place = next((number for number, other in enumerate(lines) if other not in kept), len(kept))
    return [*kept[:place], line, *kept[place:]]


def shows(lines: Iterable[str], line: str) -> bool:
    """Return whether one of ``lines`` contains the words of a line."""
    return any(f" {comparable(line)} " in f" {comparable(other)} " for other in lines)


@functools.lru_cache(maxsize=1024)
def comparable(line: str) -> str:
    """Return the words of a line for comparison: without accents, case, punctuation and copyright signs."""
    return _NO_WORD.sub(" ", re.sub(r"\(c\)", " ", fold(line))).strip()


def same_but_for_years(one: str, other: str) -> bool:
    """Return whether two lines say the same of different years."""
    one, other = comparable(one), comparable(other)
    return one != other and _YEAR.sub("", one).split() == _YEAR.sub("", other).split()


def is_later_edition(line: str, former: str) -> bool:
    """Return whether a line says the same as a former one, of later years."""
    return same_but_for_years(line, former) and _YEAR.findall(comparable(line)) > _YEAR.findall(comparable(former))


def same_terms(one: Terms, other: Terms) -> bool:
    """Return whether two descriptions of a source ask for the same: licence, cost, limits, access and credit."""
    return _demands(one) == _demands(other)


def keeps_terms(known: Terms, combined: Terms) -> bool:
    """Return whether ``combined``, of ``known`` and another text, still says what is known of credit, licence and cost.
    """
    return (not duty_of_terms(known).is_stricter_than(duty_of_terms(combined))
            and (known.licence is None or combined.licence == known.licence)
            and (known.free is Decision.UNDECIDED or combined.free is known.free))


def _demands(terms: Terms) -> Tuple[object, ...]:
    return (terms.licence.id if terms.licence is not None else None, terms.free, fold(terms.fees or ""),
            frozenset(limit.kind for limit in terms.limits), fold(terms.access or ""), terms.credit_required,
            fold(terms.credit))
