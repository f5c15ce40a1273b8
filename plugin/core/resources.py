"""Paths of the plugin's files. The root of the repository is the folder of the plugin."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RESOURCES = ROOT / "resources"
ICONS = RESOURCES / "icons"
TRANSLATIONS = ROOT / "i18n"
