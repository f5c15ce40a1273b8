"""The audit of credits: what each layer of a project shows, what was found about it, and what is missing."""

from __future__ import annotations

from ..sources.layer_source import SourceType
from .audit_row import AddressFindings, AuditRow, CreditState, LayerFacts
from .row_builder import build_row

__all__ = ["AddressFindings", "AuditRow", "CreditState", "LayerFacts", "SourceType", "build_row"]
