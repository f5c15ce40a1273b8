"""Record and Service to Terms: the effective licence, the way it was found, cost, credit."""

from __future__ import annotations

from .credit import credit_line, credits, owner_of, year_of
from .model import Decision, Licence, Step, Terms
from .pattern import DEFAULT_PATTERN, PLACES, unknown_places
from .resolve import resolve
from .sentence import sentence

__all__ = ["DEFAULT_PATTERN", "PLACES", "Decision", "Licence", "Step", "Terms", "credit_line", "credits", "owner_of",
           "resolve", "sentence", "unknown_places", "year_of"]
