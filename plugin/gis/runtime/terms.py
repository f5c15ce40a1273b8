"""The terms of records and services with the credit pattern of QGIS's settings."""

from __future__ import annotations

from typing import Optional

from ...core import terms
from ...core.records.model.record import Record
from ...core.terms.model import Terms
from ...core.terms.statements import DescribedService
from . import settings


def terms_settings() -> terms.TermsSettings:
    """Return the person's choices about terms."""
    return terms.TermsSettings(settings.get("credit_pattern") or terms.DEFAULT_PATTERN)


def terms_for(record: Optional[Record], service: Optional[DescribedService] = None) -> Terms:
    """Return the terms of ``record``, and of ``service`` where its capabilities or its description are known.

    Never raises.
    """
    return terms.terms_for(record, service, terms_settings())
