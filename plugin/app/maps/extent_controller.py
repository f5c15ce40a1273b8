"""The part of the world that the custom map prints."""

from __future__ import annotations

from typing import Optional, Tuple

from qgis.PyQt.QtCore import QObject, pyqtSignal

from ...core.custommap.model import MapExtent
from ..map_window import MapWindow
from ..records.selected_record import SelectedRecord
from .extent_mode import KEPT
from .map_controller import MapController
from .map_extent import extent_for_mode


class ExtentController(QObject):
    """Reads the printed extent from where its mode says, and changes it. Extents are in degrees (WGS 84)."""

    changed = pyqtSignal()

    def __init__(self, map_controller: MapController, window: MapWindow, selected: SelectedRecord,
                 parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._map, self._window, self._selected = map_controller, window, selected

    @property
    def mode(self) -> str:
        """Mode of the extent, as in ``extent_mode``."""
        return self._map.state.extent_mode

    def current(self) -> Optional[MapExtent]:
        """Return the extent that would be printed now, or None if it is unknown or given by a centre."""
        if self.mode == KEPT:
            return self._map.state.extent
        return extent_for_mode(self.mode, self._window.canvas, self._map, self._selected.record)

    def current_centre(self) -> Optional[Tuple[float, float]]:
        """Return longitude and latitude of the middle of the print."""
        area = self.current()
        if self._map.state.centre is not None or area is None:
            return self._map.state.centre
        return (area.west + area.east) / 2, (area.south + area.north) / 2

    def store(self) -> None:
        """Write the current extent into the document, whatever its mode."""
        if self.mode != KEPT:
            self._map.state.extent = self.current()
            self._map.state.centre = None

    def set_mode(self, mode: str) -> None:
        """Take the extent from somewhere else."""
        self._map.state.extent_mode = mode
        self.changed.emit()

    def set_extent(self, extent: MapExtent) -> None:
        """Print ``extent`` from now on."""
        self._map.state.extent, self._map.state.centre = extent, None
        self.set_mode(KEPT)

    def set_centre(self, centre: Tuple[float, float], scale: float) -> None:
        """Print around ``centre`` (longitude, latitude) at 1:``scale`` from now on."""
        self._map.state.extent, self._map.state.centre, self._map.state.scale = None, centre, scale
        self.set_mode(KEPT)

    def set_scale(self, scale: Optional[float]) -> None:
        """Print at 1:``scale``. None fits the extent to the page."""
        self._map.state.scale = scale
        self.changed.emit()
