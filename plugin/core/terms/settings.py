"""The settings that the terms depend on."""

from __future__ import annotations

from dataclasses import dataclass

from .credit_pattern import DEFAULT_PATTERN


@dataclass(frozen=True)
class TermsSettings:
    """The person's choices about terms. ``credit_pattern`` is the pattern of the credit line."""

    credit_pattern: str = DEFAULT_PATTERN


DEFAULT_SETTINGS = TermsSettings()
