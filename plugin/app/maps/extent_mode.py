"""What decides a custom map's extent, and its names for people."""

from __future__ import annotations

from ...core.i18n import tr

#: what the map shows
CANVAS, RECORDS, WHOLE, KEPT = "canvas", "records", "whole", "kept"
#: what is asked for in a dialog, and then kept
POLYGON, CENTRE = "polygon", "centre"
EXTENT_MODES = (CANVAS, RECORDS, WHOLE, POLYGON, CENTRE)


def extent_mode_label(mode: str) -> str:
    """An extent mode in words."""
    return {CANVAS: tr("Map canvas"), RECORDS: tr("The chosen record"),
            WHOLE: tr("All services"), KEPT: tr("As chosen"), POLYGON: tr("A polygon layer…"),
            CENTRE: tr("Centre and scale…")}[mode]
