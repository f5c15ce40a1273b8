"""The names of qgis.utils that the plugin uses, as they are without a window."""

from __future__ import annotations

from typing import Dict

iface = None
plugins: Dict[str, object] = {}
