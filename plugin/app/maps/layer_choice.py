"""Layers of a service that a person has chosen, and how they are added to the map."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Optional, Sequence


class AddMode(str, Enum):
    """Ways to add a service to the map."""

    #: all its layers as an overlay; of a large service a choice of them
    ADD = "add"
    CHOOSE = "choose"
    AS_BASE = "base"
    AS_OVERLAY = "overlay"


@dataclass(frozen=True)
class LayerChoice:
    """Chosen layers: names (bottom first), a style for each ("" is the default), image format, CRS and role."""

    layers: tuple[str, ...]
    styles: tuple[str, ...]
    format: Optional[str] = None
    crs: Optional[str] = None
    role: str = "overlay"

    @classmethod
    def of_names(cls, names: Sequence[str], role: str = "overlay") -> LayerChoice:
        """Return the layers called ``names`` in their default styles."""
        return cls(tuple(names), ("",) * len(names), None, None, role)
