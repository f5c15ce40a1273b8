"""Preflight: the problems of a custom map before it is printed, each with advice."""

from __future__ import annotations

from ..map_findings import MapFinding, MapRemedy
from .context import PreflightContext, PrintFrame
from .print_estimate import PrintEstimate, estimate_print
from .rules import preflight_findings
from .trial_requests import TrialRequest, empty_image_findings, trial_findings

__all__ = [
    "TrialRequest", "PrintEstimate", "PrintFrame", "PreflightContext", "MapFinding", "MapRemedy", "trial_findings",
    "empty_image_findings", "estimate_print", "preflight_findings"
]
