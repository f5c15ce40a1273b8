"""Cartoguide, a QGIS plugin: catalogue records in, credited print maps out."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from qgis.gui import QgisInterface

    from .plugin.main import CartoguidePlugin


def classFactory(iface: QgisInterface) -> CartoguidePlugin:
    """The plugin, as QGIS asks for it."""
    from .plugin.main import CartoguidePlugin

    return CartoguidePlugin(iface)
