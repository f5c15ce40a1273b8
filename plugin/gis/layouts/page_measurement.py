"""How a plan would lie on its page, before any layout is built: the template's map item, measured aside."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Dict, Optional, Tuple

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsCsException,
    QgsLayoutItemMap,
    QgsPrintLayout,
    QgsProject,
)

from ...core.custommap.model import MapExtent, Plan
from ...core.custommap.preflight import PrintFrame
from ...core.errors import CartoguideError
from . import layout_items
from .layout_builder import load_template
from .map_frame import WGS84, set_frame
from .templates import template_path


class PageMeasurement:
    """Keeps the templates that it has read: a page that is turned back and forth is read twice, not each time."""

    def __init__(self, project: QgsProject) -> None:
        self._project = project
        self._templates: Dict[Tuple[Path, float], QgsPrintLayout] = {}

    def preload(self, plan: Plan) -> None:
        """Read the plan's template, which takes a moment, before it is measured."""
        with contextlib.suppress(CartoguideError, OSError):
            self._map_item(template_path(plan.page))

    def frame(self, plan: Plan) -> Optional[PrintFrame]:
        """The map on its page; None where the plan has no area, or its template cannot be read."""
        try:
            item = self._map_item(template_path(plan.page))
            if item is None:
                return None
            found = set_frame(item, plan, self._project)
        except (CartoguideError, OSError):
            return None
        size = item.rect()
        return PrintFrame(found.scale, size.width(), size.height(), self._geographic_extent(item), found.nominal_scale)

    def map_extent(self, plan: Plan) -> Optional[Tuple[float, float, float, float]]:
        """What the map shows on its page in the plan's CRS, x to the east; None as for ``frame``."""
        item = self._map_item(template_path(plan.page)) if self.frame(plan) is not None else None
        if item is None:
            return None
        extent = item.extent()
        return extent.xMinimum(), extent.yMinimum(), extent.xMaximum(), extent.yMaximum()

    def _map_item(self, path: Path) -> Optional[QgsLayoutItemMap]:
        key = (path, path.stat().st_mtime)
        if key not in self._templates:
            self._templates[key] = load_template(self._project, path, layout_items.MAP)
        return layout_items.main_map(self._templates[key])

    def _geographic_extent(self, item: QgsLayoutItemMap) -> Optional[MapExtent]:
        transform = QgsCoordinateTransform(item.crs(), QgsCoordinateReferenceSystem(WGS84), self._project)
        try:
            box = transform.transformBoundingBox(item.extent())
        except QgsCsException:
            return None
        return MapExtent(box.xMinimum(), box.yMinimum(), box.xMaximum(), box.yMaximum()) if box.isFinite() else None
