"""All preflight rules that need no network. They run after every change of the map."""

from __future__ import annotations

from typing import Callable, Iterable, Iterator, List, Tuple

from ...errors import CartoguideError
from ..map_findings import MapFinding, sorted_findings
from . import rules_page, rules_snapshot, rules_terms
from .context import PreflightContext

PreflightRule = Callable[[PreflightContext], Iterator[MapFinding]]
RULES: Tuple[PreflightRule, ...] = (*rules_page.RULES, *rules_terms.RULES, *rules_snapshot.RULES)


def preflight_findings(context: PreflightContext, rules: Iterable[PreflightRule] = RULES) -> Tuple[MapFinding, ...]:
    """Return the findings of ``rules``, the gravest first. A map without services has none."""
    if not context.entries:
        return ()
    found: List[MapFinding] = []
    for rule in rules:
        try:
            found.extend(rule(context))
        except CartoguideError:
            # what cannot be checked now (an extent in an unknown CRS) is checked when the map is printed
            continue
    return sorted_findings(found)
