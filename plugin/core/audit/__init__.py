"""The audit of credits: what each layer of a project shows, what was found about it, and what is missing."""

from __future__ import annotations

from .audit_row import AddressFindings, AuditRow, CreditState, LayerFacts
from .row_builder import build_row

__all__ = ["AddressFindings", "LayerFacts", "AuditRow", "CreditState", "build_row"]
