"""The audit of credits: what each layer of a project shows, what was found about it, and what is missing."""

from __future__ import annotations

from ..sources.layer_source import SourceType
from .audit_row import AddressFindings, AuditGroup, AuditRow, CreditState, LayerFacts, build_row, group_rows

__all__ = ["AddressFindings", "AuditGroup", "AuditRow", "CreditState", "LayerFacts", "SourceType", "build_row",
           "group_rows"]
