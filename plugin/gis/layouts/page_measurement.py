"""Measure a plan's map on its page without building a layout, by means of the template's map item."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Dict, Optional, Tuple

from qgis.core import (
    QgsLayoutItemMap,
    QgsPrintLayout,
    QgsProject,
    QgsRectangle,
)

from ...core.custommap.model import PageSetup, Plan
from ...core.custommap.preflight import PrintFrame
from ...core.errors import CartoguideError
from ..runtime.conversions import geographic_extent, rectangle_bounds
from . import layout_items
from .layout_builder import load_template
from .map_frame import set_frame
from .templates import template_path


class PageMeasurement:
    """Measures plans and keeps the templates that it has loaded, so that turning the page back and forth loads two."""

    def __init__(self, project: QgsProject) -> None:
        self._project = project
        self._templates: Dict[Tuple[Path, float], QgsPrintLayout] = {}

    def preload(self, plan: Plan) -> None:
        """Load the plan's template in advance, which takes a moment."""
        with contextlib.suppress(CartoguideError, OSError):
            self._map_item(template_path(plan.page))

    def frame(self, plan: Plan) -> Optional[PrintFrame]:
        """Return the map on its page, or None if the plan has no area or its template cannot be loaded."""
        try:
            item = self._map_item(template_path(plan.page))
            if item is None:
                return None
            map_frame = set_frame(item, plan, self._project)
        except (CartoguideError, OSError):
            return None
        size = item.rect()
        extent = geographic_extent(item.extent(), item.crs(), self._project)
        return PrintFrame(map_frame.scale, size.width(), size.height(), extent, map_frame.nominal_scale,
                          map_frame.ground)

    def map_extent(self, plan: Plan) -> Optional[Tuple[float, float, float, float]]:
        """Return the map's extent on its page in the plan's CRS, or None as ``frame``.

        The extent is (minx, miny, maxx, maxy) with x to the east.
        """
        item = self._map_item(template_path(plan.page)) if self.frame(plan) is not None else None
        if item is None:
            return None
        return rectangle_bounds(item.extent())

    def placed(self, plan: Plan) -> Optional[Tuple[QgsRectangle, float]]:
        """Return the map's extent on its page in the plan's CRS (x to the east) and its scale's denominator.

        None as ``frame``.
        """
        frame = self.frame(plan)
        item = self._map_item(template_path(plan.page)) if frame is not None else None
        return (QgsRectangle(item.extent()), frame.scale) if frame is not None and item is not None else None

    def map_size(self, page: PageSetup) -> Optional[Tuple[float, float]]:
        """Return width and height of the page's map in millimetres, or None if its template cannot be loaded."""
        try:
            item = self._map_item(template_path(page))
        except (CartoguideError, OSError):
            return None
        return (item.rect().width(), item.rect().height()) if item is not None and item.rect().height() else None

    def _map_item(self, path: Path) -> Optional[QgsLayoutItemMap]:
        key = (path, path.stat().st_mtime)
        if key not in self._templates:
            self._templates[key] = load_template(self._project, path, layout_items.MAP)
        return layout_items.main_map(self._templates[key])
