"""The credits of any project's layers: what each layer carries, what could be found out about it, what is missing."""

from __future__ import annotations

from .judge import judge
from .model import Known, LayerFacts, Row, State

__all__ = ["Known", "LayerFacts", "Row", "State", "judge"]
