"""Rectangles of QGIS as plain values."""

from __future__ import annotations

from typing import Tuple

from qgis.core import QgsRectangle


def rectangle_bounds(rectangle: QgsRectangle) -> Tuple[float, float, float, float]:
    """Return minx, miny, maxx, maxy of the rectangle, with x to the east as QGIS orders every CRS."""
    return rectangle.xMinimum(), rectangle.yMinimum(), rectangle.xMaximum(), rectangle.yMaximum()
