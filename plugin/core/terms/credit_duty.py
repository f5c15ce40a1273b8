"""The duty to credit, and the strictest of several descriptions of one source."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Iterable, List, Tuple

from ..text import fold
from .model import Decision, Terms

#: required before undecided before not required
_STRICTNESS = {Decision.NO: 0, Decision.UNDECIDED: 1, Decision.YES: 2}


@dataclass(frozen=True)
class CreditDuty:
    """The credit lines of a source, and whether a map must show them."""

    lines: Tuple[str, ...] = ()
    required: Decision = Decision.UNDECIDED

    def is_stricter_than(self, other: CreditDuty) -> bool:
        """Return whether this asks for more than ``other``: required is more than undecided, that more than not."""
        return _STRICTNESS[self.required] > _STRICTNESS[other.required]


def duty_of_terms(terms: Terms) -> CreditDuty:
    """Return the duty that the terms ask for."""
    return CreditDuty((terms.credit,) if terms.credit else (), terms.credit_required)


def strictest_duty(known: CreditDuty, claims: Iterable[CreditDuty]) -> CreditDuty:
    """Return the duty that satisfies ``known`` and each of ``claims``, so that no description weakens another.

    The lines of ``known`` always stay. Those of a claim are added where it requires them, where it is stricter than
    what was known before it, or where there was no line. A line that another one contains is not repeated.
    """
    duty = known
    for claim in claims:
        adds_lines = claim.required is Decision.YES or claim.is_stricter_than(duty) or not duty.lines
        lines: List[str] = list(duty.lines)
        for line in claim.lines if adds_lines else ():
            if not any(fold(line) in fold(other) for other in lines):
                lines.append(line)
        duty = CreditDuty(tuple(lines), claim.required if claim.is_stricter_than(duty) else duty.required)
    return duty


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
