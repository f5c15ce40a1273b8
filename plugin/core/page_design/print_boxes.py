"""Boxes of a page for a print shop (ISO 32000-1, 14.11.2): where it is cut, and how far the drawing goes beyond."""

from __future__ import annotations

from typing import Dict, List, Optional, Sequence, Tuple

#: millimetres that the drawing goes beyond the paper's edge, and that the page does, with its marks
BLEED, PRINT_MARGIN = 3.0, 10.0
_POINTS_PER_MM = 72 / 25.4


def print_boxes(media: Sequence[float], paper: Optional[Tuple[float, float]]) -> Dict[str, List[float]]:
    """Return TrimBox and BleedBox of a page with this MediaBox (points: left, bottom, right, top).

    ``paper`` is the size of the paper in millimetres when it is cut, which lies ``PRINT_MARGIN`` from the upper left
    corner: Qt rounds the page itself to whole points. None for a page without bleed, which has no boxes.
    """
    if paper is None:
        return {}
    return {"TrimBox": _box(media, paper, 0.0), "BleedBox": _box(media, paper, BLEED)}


def _box(media: Sequence[float], paper: Tuple[float, float], beyond: float) -> List[float]:
    left, top = media[0] + (PRINT_MARGIN - beyond) * _POINTS_PER_MM, media[3] - (PRINT_MARGIN - beyond) * _POINTS_PER_MM
    width, height = ((side + 2 * beyond) * _POINTS_PER_MM for side in paper)
    return [round(value, 3) for value in (left, top - height, left + width, top)]
