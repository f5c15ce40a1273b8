"""Modes of the printed extent, with their labels."""

from __future__ import annotations

from ...core.i18n import tr

#: extent of the canvas, of the selected record, of all services, or as stored in the document
CANVAS, RECORDS, WHOLE, KEPT = "canvas", "records", "whole", "kept"
#: chosen in a dialog, then stored as KEPT
POLYGON, CENTRE = "polygon", "centre"
EXTENT_MODES = (CANVAS, RECORDS, WHOLE, POLYGON, CENTRE)


def extent_mode_label(mode: str) -> str:
    """Return the label of an extent mode."""
    return {CANVAS: tr("Map canvas"), RECORDS: tr("Selected record"),
            WHOLE: tr("All services"), KEPT: tr("Custom"), POLYGON: tr("A polygon layer…"),
            CENTRE: tr("Centre and scale…")}[mode]
