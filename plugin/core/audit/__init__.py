"""The credits of any project's layers: what each layer carries, what could be found out about it, what is missing."""

from __future__ import annotations

from .judge import build_row
from .model import AddressFindings, AuditRow, CreditState, LayerFacts

__all__ = ["AddressFindings", "LayerFacts", "AuditRow", "CreditState", "build_row"]
