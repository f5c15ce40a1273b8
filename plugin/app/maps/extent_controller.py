"""The part of the world that the custom map prints."""

from __future__ import annotations

from typing import Any, Callable, Optional, Sequence, Tuple

from qgis.core import QgsReferencedRectangle
from qgis.gui import QgsMapCanvas
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QObject, pyqtSignal

from ...core.box import Box
from ...core.custommap import undo_history
from ...core.custommap.model import MapExtent
from ...core.records.model.extents import drawable_extents
from ...core.records.model.record import Record
from ...gis.runtime.conversions import geographic_extent
from ...gis.runtime.main_thread import single_shot
from ..records.record_controller import SelectedRecord
from ..window import MapWindow
from .map_controller import MapController
from .map_document import ExtentMode
from .map_state import MapItem


class CanvasPlace(QObject):
    """The part of the world that the map canvas shows, which QGIS changes when layers come into an empty project.

    It zooms to all that they cover then, however small the map in them is.
    """

    def __init__(self, window: MapWindow, parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._window = window
        self._canvas: Optional[QgsMapCanvas] = None
        self._act: Callable[[], object] = lambda: None
        # QGIS zooms after it has said that the canvas has other layers
        self._timer = single_shot(self, 0, self._finish)

    def seen(self) -> Optional[QgsReferencedRectangle]:
        """Return what the canvas shows, None without a canvas."""
        canvas = self._window.canvas
        return None if canvas is None else QgsReferencedRectangle(
            canvas.extent(), canvas.mapSettings().destinationCrs())

    def show_with_layers(self, place: QgsReferencedRectangle) -> None:
        """Show ``place`` once the canvas has the layers that are about to come."""
        self.call_with_layers(lambda: self._show(place))

    def call_with_layers(self, act: Callable[[], object]) -> None:
        """Call ``act`` once the canvas has the layers that are about to come, in place of what was to be called."""
        self.forget()
        self._canvas, self._act = self._window.canvas, act
        if self._canvas is not None:
            self._canvas.layersChanged.connect(self._on_layers_changed)

    def forget(self) -> None:
        """Call nothing any more when layers come."""
        self._timer.stop()
        if self._canvas is not None and not sip.isdeleted(self._canvas):
            self._canvas.layersChanged.disconnect(self._on_layers_changed)
        self._canvas = None

    def _on_layers_changed(self) -> None:
        if self._canvas is not None and self._canvas.layers():
            self._timer.start()

    def _finish(self) -> None:
        self.forget()
        self._act()

    def _show(self, place: QgsReferencedRectangle) -> None:
        canvas = self._window.canvas
        if canvas is not None:
            canvas.setReferencedExtent(place)
            canvas.refresh()


class ExtentController(QObject):
    """Reads the printed extent from where its mode says, and changes it. Extents are in degrees (WGS 84)."""

    changed = pyqtSignal()

    def __init__(self, map_controller: MapController, window: MapWindow, selected: SelectedRecord,
                 parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._map, self._window, self._selected = map_controller, window, selected
        self.canvas_place = CanvasPlace(window, self)
        map_controller.find_extent = self.current

    @property
    def mode(self) -> ExtentMode:
        return self._map.custom_map.extent_mode

    @property
    def canvas(self) -> Optional[QgsMapCanvas]:
        """The map canvas, if there is one."""
        return self._window.canvas

    def current(self) -> Optional[Box]:
        """Return the extent that would be printed now, or None if it is unknown or given by a centre."""
        if self.mode.is_stored:
            return self._map.chosen.extent.box if self._map.chosen.extent is not None else None
        return extent_for_mode(self.mode, self._window.canvas, self._map, self._selected.record)

    def current_centre(self) -> Optional[Tuple[float, float]]:
        """Return longitude and latitude of the middle of the print."""
        area = self.current()
        if self._map.chosen.centre is not None or area is None:
            return self._map.chosen.centre
        return area.centre

    def set_mode(self, mode: ExtentMode) -> None:
        """Take the extent from somewhere else. ExtentMode.CUSTOM stores the one that would be printed now."""
        if mode is ExtentMode.CUSTOM and not self.mode.is_stored:
            extent = self.current()
            self._change(extent_mode=ExtentMode.CUSTOM, extent=extent and MapExtent.of(extent), centre=None)
        elif self.mode is ExtentMode.FITTED and not mode.is_stored:
            # the scale was that of the place which is left
            self._change(extent_mode=mode, scale=None)
        else:
            self._change(extent_mode=mode)

    def set_extent(self, extent: Box) -> None:
        """Print ``extent`` from now on, at the scale that a person has chosen, else as large as the page has room."""
        # the scale of a fitted page is that of the place which is left
        scale = None if self.mode is ExtentMode.FITTED else self._map.chosen.scale
        self._change(extent=MapExtent.of(extent), centre=None, scale=scale, extent_mode=ExtentMode.CUSTOM)

    def set_centre(self, centre: Tuple[float, float], scale: float) -> None:
        """Print around ``centre`` (longitude, latitude) at 1:``scale`` from now on."""
        self._change(extent=None, centre=centre, scale=scale, extent_mode=ExtentMode.CUSTOM)

    def set_scale(self, scale: Optional[float]) -> None:
        """Print at 1:``scale``. None fits the extent to the page, or the page to the base where it has no extent."""
        if scale is None and self.mode.is_stored and self._map.chosen.extent is None:
            self._change(**self._map.fit_page(False))
            return
        mode = ExtentMode.CUSTOM if self.mode is ExtentMode.FITTED else self.mode
        self._change(scale=scale, extent_mode=mode)

    def _change(self, **values: Any) -> None:
        self._map.commit(undo_history.extent_and_scale(), **values)
        self.changed.emit()


def extent_for_mode(mode: ExtentMode, canvas: Optional[QgsMapCanvas], map_controller: MapController,
                    record: Optional[Record]) -> Optional[Box]:
    """Return the extent of ``mode``: of the canvas, of the record or of all services.

    If the mode has none, the extent of the smallest visible service is returned, or None without one.
    """
    if mode is ExtentMode.CANVAS and canvas is not None:
        canvas_extent = geographic_extent(canvas.extent(), canvas.mapSettings().destinationCrs(),
                                          map_controller.project)
        if canvas_extent is not None:
            return canvas_extent
    if mode is ExtentMode.RECORD and record is not None:
        found = Box.around(drawable_extents(record.extents))
        if found is not None:
            return found
    boxes = _visible_extents(map_controller)
    return Box.around(boxes) if mode is ExtentMode.ALL_SERVICES else smallest_extent(boxes)


def smallest_extent(extents: Sequence[Box]) -> Optional[Box]:
    """Return the extent with the smallest area, or None without any.

    A map is about its smallest service: a base often covers far more.
    """
    return min(extents, key=lambda box: box.width * box.height, default=None)


def _visible_extents(map_controller: MapController) -> list[Box]:
    boxes = [service_extent(map_controller, item) for item in map_controller.items if item.entry.visible]
    return [box for box in boxes if box is not None]


def service_extent(map_controller: MapController, item: MapItem) -> Optional[Box]:
    """Return the extent of a service: its record's, else the one in its capabilities."""
    record = map_controller.record_of(item) or map_controller.stored.record(item.entry.endpoint)
    stated = Box.around(drawable_extents(record.extents)) if record is not None else None
    service = map_controller.service_of(item.entry)
    box = service.root.geographic_bbox if service is not None and service.root is not None else None
    return stated or box and box.unwrapped
