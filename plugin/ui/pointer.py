"""Where the pointer is in an event: Qt 6 has another name for it."""

from __future__ import annotations

from typing import Union

from qgis.PyQt.QtCore import QPoint
from qgis.PyQt.QtGui import QDropEvent, QMouseEvent


def position_of(event: Union[QDropEvent, QMouseEvent]) -> QPoint:
    """The place of the event in its widget, in pixels."""
    return event.position().toPoint() if hasattr(event, "position") else event.pos()
