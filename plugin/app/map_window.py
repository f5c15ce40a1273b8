"""QGIS's map canvas and layout designer, as far as the window that Cartoguide runs in has them."""

from __future__ import annotations

from typing import Callable, Optional

from qgis.core import QgsPrintLayout, QgsProject
from qgis.gui import QgsMapCanvas

from ..core.custommap.model import MapExtent
from ..gis.runtime.extents import geographic_extent


class MapWindow:
    """QGIS's main window for controllers. Without QGIS's interface it has no canvas and no designer."""

    def __init__(self, iface: Callable[[], Optional[object]]) -> None:
        self._iface = iface

    @property
    def canvas(self) -> Optional[QgsMapCanvas]:
        """The main map canvas, or None."""
        iface = self._iface()
        return iface.mapCanvas() if hasattr(iface, "mapCanvas") else None  # type: ignore[union-attr]

    def geographic_extent(self, project: Optional[QgsProject] = None) -> Optional[MapExtent]:
        """Return the canvas's extent in degrees (WGS 84), or None without a canvas or outside the CRS's area."""
        canvas = self.canvas
        if canvas is None:
            return None
        return geographic_extent(canvas.extent(), canvas.mapSettings().destinationCrs(),
                                 project or QgsProject.instance())

    def refresh(self) -> None:
        """Draw the canvas again."""
        if self.canvas is not None:
            self.canvas.refresh()

    def open_layout_designer(self, layout: QgsPrintLayout) -> None:
        """Open ``layout`` in QGIS's layout designer."""
        iface = self._iface()
        if iface is not None:
            iface.openLayoutDesigner(layout)  # type: ignore[attr-defined]
