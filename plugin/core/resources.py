"""Paths of the plugin's files. The root of the repository is the folder of the plugin."""

from __future__ import annotations

from configparser import ConfigParser
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RESOURCES = ROOT / "resources"
ICONS = RESOURCES / "icons"
TRANSLATIONS = ROOT / "i18n"


def plugin_version() -> str:
    """Return the version of the plugin by its metadata.txt, or "" where that cannot be read."""
    metadata = ConfigParser(interpolation=None)
    metadata.read(ROOT / "metadata.txt", encoding="utf-8")
    return metadata.get("general", "version", fallback="")
