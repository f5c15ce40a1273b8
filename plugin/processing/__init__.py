"""Processing provider with one algorithm for each task of the plugin: for scripts, models and ``qgis_process``."""

from __future__ import annotations

from ..core.resources import ICONS

ICON = ICONS / "cartoguide.svg"
