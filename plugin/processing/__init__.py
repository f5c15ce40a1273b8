"""Everything that Cartoguide does as Processing algorithms: for scripts, models and ``qgis_process``."""

from __future__ import annotations

from pathlib import Path

ICON = Path(__file__).resolve().parents[2] / "resources" / "icons" / "cartoguide.svg"
