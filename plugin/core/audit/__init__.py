"""The credits of any project's layers: what each layer carries, what could be found out about it, what is missing."""

from __future__ import annotations

from .audit_row import AddressFindings, AuditRow, CreditState, LayerFacts
from .row_builder import build_row

__all__ = ["AddressFindings", "LayerFacts", "AuditRow", "CreditState", "build_row"]
