"""Preflight: the problems of a custom map before it is printed, each with advice."""

from __future__ import annotations

from typing import Callable, Iterable, Iterator, List, Tuple

from ..custommap.map_findings import MapFinding, MapRemedy, sorted_findings
from ..errors import CartoguideError
from .context import PreflightContext, PrintFrame
from .print_estimate import PrintEstimate, estimate_print
from .rules import RULES
from .trial_requests import TrialRequest, image_findings, trial_findings

__all__ = [
    "TrialRequest", "PrintEstimate", "PrintFrame", "PreflightContext", "MapFinding", "MapRemedy", "trial_findings",
    "image_findings", "estimate_print", "preflight_findings"
]

#: a rule that needs no network. All of them are tested after every change of the map
PreflightRule = Callable[[PreflightContext], Iterator[MapFinding]]


def preflight_findings(context: PreflightContext, rules: Iterable[PreflightRule] = RULES) -> Tuple[MapFinding, ...]:
    """Return the findings of ``rules``, the gravest first. An empty map has none."""
    if not context.entries and not context.document.own_layers:
        return ()
    findings: List[MapFinding] = []
    for rule in rules:
        try:
            findings.extend(rule(context))
        except CartoguideError:
            # what cannot be checked now (an extent in an unknown CRS) is checked when the map is printed
            continue
    return sorted_findings(findings)
