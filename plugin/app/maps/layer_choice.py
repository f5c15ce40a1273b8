"""The layers of a service that a person has chosen, with their styles and options."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional


@dataclass(frozen=True)
class LayerChoice:
    """What was chosen: layer names bottom first, a style for each ("" is the default), format, CRS (or None), role."""

    layers: tuple[str, ...]
    styles: tuple[str, ...]
    format: Optional[str] = None
    crs: Optional[str] = None
    role: str = "overlay"
