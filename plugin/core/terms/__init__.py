"""The effective terms of a record and its service: licence, cost, credit, and the fields they were read from.

``terms_for(record, service, settings)`` is the only way to them.
"""

from __future__ import annotations

from .credit_line import (
    DEFAULT_PATTERN,
    DEFAULT_SETTINGS,
    PLACEHOLDERS,
    TermsSettings,
    credit_line,
    credited_owner,
    credited_year,
    unknown_placeholders,
)
from .model import Decision, Licence, Terms, TrailStep
from .resolve import terms_for
from .statements import DescribedService
from .terms_summary import summary_sentence

__all__ = [
    "DEFAULT_PATTERN", "DEFAULT_SETTINGS", "PLACEHOLDERS", "Decision", "DescribedService", "Licence", "TrailStep",
    "Terms", "TermsSettings", "credit_line", "credited_owner", "credited_year", "summary_sentence",
    "terms_for", "unknown_placeholders"
]
