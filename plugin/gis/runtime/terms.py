"""The terms of records with the credit pattern of the settings: the one way to terms outside of core."""

from __future__ import annotations

from typing import Optional

from ...core.records.model.record import Record
from ...core.terms import DEFAULT_PATTERN, resolve_terms
from ...core.terms.model import Terms
from ...core.wms.model.service import Service
from . import settings


def terms_for(record: Record, service: Optional[Service] = None) -> Terms:
    """Return the terms of ``record``, and of ``service`` where its capabilities are known. Never raises."""
    return resolve_terms(record, service, settings.get("credit_pattern") or DEFAULT_PATTERN)
