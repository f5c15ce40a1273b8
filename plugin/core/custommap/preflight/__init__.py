"""Preflight: what is wrong with a custom map before it prints, each finding with what to do about it."""

from __future__ import annotations

from .asked import Asked, asked_findings, empty_findings
from .case import Frame, MapCase
from .figures import Figures, figures
from .model import MapFinding, Remedy
from .quick import quick_findings

__all__ = ["Asked", "Figures", "Frame", "MapCase", "MapFinding", "Remedy", "asked_findings",
           "empty_findings", "figures", "quick_findings"]
