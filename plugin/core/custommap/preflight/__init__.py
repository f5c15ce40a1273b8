"""Preflight: what is wrong with a custom map before it prints, each finding with what to do about it."""

from __future__ import annotations

from .asked import TrialRequest, empty_image_findings, trial_findings
from .case import PreflightContext, PrintFrame
from .figures import PrintEstimate, estimate_print
from .model import MapFinding, MapRemedy
from .quick import preflight_findings

__all__ = [
    "TrialRequest", "PrintEstimate", "PrintFrame", "PreflightContext", "MapFinding", "MapRemedy", "trial_findings",
    "empty_image_findings", "estimate_print", "preflight_findings"
]
