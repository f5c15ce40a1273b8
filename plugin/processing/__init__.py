"""Everything that Cartoguide does as Processing algorithms: for scripts, models and ``qgis_process``."""

from __future__ import annotations

from ..core.resources import ICONS

ICON = ICONS / "cartoguide.svg"
