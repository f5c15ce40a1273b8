"""QGIS's own library of SVG symbols."""

from __future__ import annotations

from pathlib import Path

from qgis.core import QgsApplication


def svg_library() -> Path:
    """Return the folder of the SVG symbols that come with QGIS. It may be missing from an installation."""
    return Path(QgsApplication.pkgDataPath()) / "svg"
