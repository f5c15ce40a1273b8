"""Where the plugin's own files lie: the repository's root is the plugin's folder."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RESOURCES = ROOT / "resources"
ICONS = RESOURCES / "icons"
TRANSLATIONS = ROOT / "i18n"
