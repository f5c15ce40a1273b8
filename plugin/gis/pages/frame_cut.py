"""Maps whose frame is cut to the base: of a technical sheet, of an animation, and the overview of a map book."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Optional, Tuple

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsLayoutItemMap,
    QgsLayoutPoint,
    QgsLayoutSize,
    QgsPrintLayout,
    QgsProject,
    QgsRectangle,
)

from ...core.box import Box
from ...core.custommap.model import MapRole, Plan
from ...core.custommap.moments import ANIMATION_TEMPLATE
from ...core.custommap.page_fit import BaseArea, inner_area, shared_area
from ..layouts import layout_items
from ..layouts.map_frame import WGS84, set_frame
from ..layouts.templates import is_user_template
from ..runtime.conversions import project_points, rectangle_box

#: the bundled template whose frame is cut to the base
_TEMPLATE = "sheet"
#: share of the map's width or height that the base fills at least where the frame of a technical sheet is cut to it
_LEAST_FILLED = 0.8


def cut_frame(layout: QgsPrintLayout, plan: Plan, project: QgsProject,
              arranged: Optional[QgsRectangle] = None) -> Tuple[Plan, Optional[QgsRectangle]]:
    """Cut the map's frame to the base where that ends inside it. Return the plan and the area, None: as planned.

    ``arranged`` is the area that was chosen before. The wide frame of a technical sheet is cut a little only. On the
    overview of a book all of the sheets stay, in an animation all that the map's page shows.
    """
    item, kept = layout_items.main_map(layout), plan.sheets_area
    if kept is None and plan.page.template == ANIMATION_TEMPLATE and arranged is not None:
        kept = rectangle_box(arranged)
    if item is None or len(layout_items.map_items(layout)) > 1 or (kept is None and plan.page.template != _TEMPLATE):
        return plan, arranged
    # sheets are shown as large as they can be, not at the next round scale
    area = QgsRectangle(*kept) if kept is not None else None
    if plan.page.rotation or is_user_template(plan.page.template):
        return plan, area
    scale = set_frame(item, plan, project, area).scale
    shown, covered = rectangle_box(item.extent()), _covered(plan, project)
    if covered is None:
        return plan, area
    if kept is not None:
        covered = Box.around((covered, kept)) or covered
        shown = _moved_into(shown, covered, kept)
    part = shared_area(shown, covered)
    if part is None:
        return plan, area
    across, along = part.width / shown.width, part.height / shown.height
    if kept is None and (part == shown or min(across, along) < _LEAST_FILLED):
        return plan, None
    place, width, height = item.pagePos(), item.rect().width(), item.rect().height()
    corner = QgsLayoutPoint(place.x() + width * (1 - across) / 2, place.y() + height * (1 - along) / 2)
    # the grid is drawn by an item of its own above the map
    for drawn in (item, layout_items.find_item(layout, layout_items.GRID, QgsLayoutItemMap)):
        if drawn is not None:
            drawn.attemptResize(QgsLayoutSize(width * across, height * along))
            drawn.attemptMove(corner, True, False, max(0, item.page()))
    return replace(plan, scale=scale), QgsRectangle(*part)


def _moved_into(shown: Box, covered: Box, kept: Box) -> Box:
    """Return what is shown, moved to where more of it is covered, as far as all of ``kept`` stays in it."""
    def offset(low: float, high: float, least: float, most: float, first: float, last: float) -> float:
        wished = max(least - low, 0.0) if least - low > high - most else min(most - high, 0.0)
        return min(max(wished, last - high), first - low)

    x = offset(shown.west, shown.east, covered.west, covered.east, kept.west, kept.east)
    y = offset(shown.south, shown.north, covered.south, covered.north, kept.south, kept.north)
    return Box(shown.west + x, shown.south + y, shown.east + x, shown.north + y)


def _covered(plan: Plan, project: QgsProject) -> Optional[Box]:
    """Return what the base covers, in the map's CRS, or None if it states no extent."""
    extent = Box.around(layer.extent for layer in plan.layers if layer.role is MapRole.BASE and layer.extent)
    crs = QgsCoordinateReferenceSystem(plan.crs)
    if extent is None or not crs.isValid():
        return None
    transform = QgsCoordinateTransform(QgsCoordinateReferenceSystem(WGS84), crs, project)
    return inner_area(BaseArea(extent), partial(project_points, transform))
