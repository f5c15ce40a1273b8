"""Visibility of time series while QGIS's Temporal Controller is off: all moments but one are unticked.

The controller hides the other moments only while it is on, so all are ticked again when it is switched on. The person's
choice is respected: a series with no layer ticked is left alone, and so are moments ticked by hand.
"""

from __future__ import annotations

from datetime import datetime
from typing import Callable, Dict, List, Optional, Tuple

from qgis.core import QgsDateTimeRange, QgsLayerTreeLayer, QgsProject, QgsTemporalNavigationObject
from qgis.gui import QgsMapCanvas
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QObject

from ..runtime import compat
from ..runtime.conversions import to_utc
from .time_series import SERIES_LAYER_PROPERTY

#: a layer of a series in the layer tree, and when its time begins and ends (UTC)
_SeriesLayer = Tuple[QgsLayerTreeLayer, datetime, datetime]


class SeriesVisibility(QObject):
    """Follows the Temporal Controller of the canvas that ``find_canvas`` returns. Main thread only."""

    def __init__(self, find_canvas: Callable[[], Optional[QgsMapCanvas]], project: QgsProject,
                 parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._find_canvas, self._project = find_canvas, project
        self._chosen: Dict[str, datetime] = {}
        self._last_shown: Optional[datetime] = None
        self._controller: Optional[QgsTemporalNavigationObject] = None
        self._was_on = False
        self._connect_controller()

    def choose(self, series_title: str, moment: datetime) -> None:
        """Show ``moment`` of the series while the controller is off, whatever was played last."""
        self._connect_controller()
        self._chosen[series_title] = moment

    def hide_other_moments(self) -> None:
        """Untick all but one moment of each series whose moments are all ticked, if the controller is off."""
        if self._connect_controller() is None or not self._is_off():
            return
        for family, members in self._layers_by_series().items():
            ticked = [node for node, _, _ in members if node.itemVisibilityChecked()]
            if len(members) > 1 and len(ticked) == len(members):
                shown_node = self._layer_at_rest(family, members)
                for node in ticked:
                    node.setItemVisibilityChecked(node is shown_node)

    def _connect_controller(self) -> Optional[QgsTemporalNavigationObject]:
        canvas = self._find_canvas() if self._controller is None else None
        controller = canvas.temporalController() if canvas is not None else None
        if isinstance(controller, QgsTemporalNavigationObject):
            self._controller = controller
            # navigationModeChanged cannot be connected from Python on 3.22: this signal follows every change of mode
            controller.updateTemporalRange.connect(self._on_range_changed)
            self._was_on = not self._is_off()
        return self._controller

    def close(self) -> None:
        """Stop following the canvas's controller, which outlives the dock. PyQt 6 would never release this object."""
        if self._controller is not None and not sip.isdeleted(self._controller):
            self._controller.updateTemporalRange.disconnect(self._on_range_changed)
        self._controller = None

    def _is_off(self) -> bool:
        return self._controller is None or self._controller.navigationMode() == compat.navigation_mode(animated=False)

    def _on_range_changed(self, shown: QgsDateTimeRange) -> None:
        was_on, self._was_on = self._was_on, not self._is_off()
        if not self._was_on:
            self.hide_other_moments()
            return
        if shown.begin().isValid():
            self._last_shown = to_utc(shown.begin(), whole_seconds=True)
        if not was_on:
            self._tick_all()

    def _tick_all(self) -> None:
        """Tick all moments of each series of which any is ticked: their times now decide which one is drawn."""
        for members in self._layers_by_series().values():
            if any(node.itemVisibilityChecked() for node, _, _ in members):
                for node, _, _ in members:
                    node.setItemVisibilityChecked(True)

    def _layer_at_rest(self, family: str, members: List[_SeriesLayer]) -> QgsLayerTreeLayer:
        """Return the moment that was chosen, else the one shown last, else the first."""
        moment = self._chosen.get(family, self._last_shown)
        matching = [node for node, begin, end in members if moment is not None and begin <= moment < end]
        return (matching or [min(members, key=lambda member: member[1])[0]])[0]

    def _layers_by_series(self) -> Dict[str, List[_SeriesLayer]]:
        families: Dict[str, List[_SeriesLayer]] = {}
        for layer in self._project.mapLayers().values():
            family = layer.customProperty(SERIES_LAYER_PROPERTY)
            node = self._project.layerTreeRoot().findLayer(layer.id()) if family else None
            if node is not None:
                span = layer.temporalProperties().fixedTemporalRange()
                members = families.setdefault(str(family), [])
                members.append((node, to_utc(span.begin(), whole_seconds=True), to_utc(span.end(), whole_seconds=True)))
        return families
