"""A time series in the project: one group whose layers each show their own time, ready for the Temporal Controller.

QGIS neither draws nor requests layers outside their time, so a month of layers costs no more than one of its days.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Callable, Dict, List, Optional, Tuple

from qgis.core import (
    QgsDateTimeRange,
    QgsInterval,
    QgsLayerTreeGroup,
    QgsLayerTreeLayer,
    QgsProject,
    QgsRasterLayer,
    QgsTemporalNavigationObject,
)
from qgis.gui import QgsMapCanvas
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QObject

from ...core.custommap.model import Plan
from ...core.wms.dimensions.time_series import TimeSeries, TimeSeriesEntry
from ..runtime import compat
from ..runtime.conversions import to_qdatetime, to_utc
from .project_group import add_plain_group, remove_plain_group
from .wms_layers import BuiltLayers

#: property that marks a group as a series and holds its title
SERIES_PROPERTY = "cartoguide/series"
#: property that marks a layer as one moment of a series and holds the series' title
SERIES_LAYER_PROPERTY = "cartoguide/moment-of"
_DAY = timedelta(days=1)
#: a layer of a series in the layer tree, and when its time begins and ends (UTC)
_SeriesLayer = Tuple[QgsLayerTreeLayer, datetime, datetime]


@dataclass(frozen=True)
class SeriesOnMap:
    """A series added to the project, with the previous state that ``remove_series`` restores."""

    group: QgsLayerTreeGroup
    project: QgsProject
    canvas: Optional[QgsMapCanvas]
    previous_range: QgsDateTimeRange
    #: whether the Temporal Controller was off
    controller_was_off: bool


def add_series(plan: Plan, built: BuiltLayers, series: TimeSeries, project: QgsProject,
               canvas: Optional[QgsMapCanvas] = None) -> SeriesOnMap:
    """Add the layers of a series as one group, each with its time, and extend the project's time range to the series.

    The first moment is shown: without a time QGIS would draw and request all of them. Main thread only. Raises
    CartoguideError if no layer could be made.
    """
    controller = _temporal_controller(canvas)
    before = project.timeSettings().temporalRange()
    was_off = controller is not None and controller.navigationMode() == compat.navigation_mode(animated=False)
    if not series.by_dimension:
        entries: Dict[str, TimeSeriesEntry] = {entry.layer: entry for entry in series.entries}
        for layer_plan, layer in built.layers:
            set_layer_time(layer, entries[layer_plan.name].begin, entries[layer_plan.name].end, series.title)
    show_series(series, project, canvas)
    group = add_plain_group(plan, built, project, series.title)
    group.setCustomProperty(SERIES_PROPERTY, series.title)
    return SeriesOnMap(group, project, canvas, before, was_off)


def remove_series(series_on_map: SeriesOnMap) -> None:
    """Remove a series from the project and restore the time range and the Temporal Controller."""
    remove_plain_group(series_on_map.group, series_on_map.project)
    series_on_map.project.timeSettings().setTemporalRange(series_on_map.previous_range)
    controller = _temporal_controller(series_on_map.canvas)
    if controller is not None and series_on_map.controller_was_off:
        controller.setNavigationMode(compat.navigation_mode(animated=False))


def show_series(series: TimeSeries, project: QgsProject, canvas: Optional[QgsMapCanvas],
                moment: Optional[TimeSeriesEntry] = None) -> None:
    """Extend the project's time range to the series and show ``moment`` in the Temporal Controller.

    Without ``moment`` the first one is shown, unless the controller shows a time already.
    """
    time_range = QgsDateTimeRange(to_qdatetime(series.begin), to_qdatetime(series.end), True, False)
    _extend_project_range(project, time_range)
    controller = _temporal_controller(canvas)
    if controller is None:
        return
    if controller.navigationMode() == compat.navigation_mode(animated=False):
        _set_up_controller(controller, series, time_range)
    if moment is not None:
        controller.setCurrentFrameNumber(controller.findBestFrameNumberForFrameStart(to_qdatetime(moment.begin)))


def canvas_time(canvas: Optional[QgsMapCanvas]) -> Optional[datetime]:
    """Return the beginning of the time that the map canvas shows (UTC), or None if it shows no time."""
    shown = canvas.temporalRange() if canvas is not None else None
    if shown is None or not shown.begin().isValid():
        return None
    return to_utc(shown.begin())


def set_layer_time(layer: QgsRasterLayer, begin: datetime, end: datetime, series_title: str) -> None:
    """Draw ``layer`` only while the time from ``begin`` to ``end`` (UTC, excluded) is shown.

    The layer becomes one moment of the series ``series_title``.
    """
    layer.setCustomProperty(SERIES_LAYER_PROPERTY, series_title)
    properties = layer.temporalProperties()
    properties.setMode(compat.fixed_temporal_mode())
    properties.setFixedTemporalRange(compat.half_open_time_range(to_qdatetime(begin), to_qdatetime(end)))
    properties.setIsActive(True)


def _extend_project_range(project: QgsProject, time_range: QgsDateTimeRange) -> None:
    """Extend the project's time range, which bounds the Temporal Controller, to ``time_range``."""
    settings = project.timeSettings()
    current = settings.temporalRange()
    if not current.isInfinite() and not current.isEmpty() and current.begin().isValid() and current.end().isValid():
        begin, end = min(current.begin(), time_range.begin()), max(current.end(), time_range.end())
        time_range = QgsDateTimeRange(begin, end, True, False)
    settings.setTemporalRange(time_range)


def _set_up_controller(controller: QgsTemporalNavigationObject, series: TimeSeries,
                       time_range: QgsDateTimeRange) -> None:
    """Let the controller play the series step by step from its beginning."""
    first = series.entries[0]
    days = (first.end - first.begin).days
    unit, count = ("Days", max(1, days)) if days < 28 else ("Months", 1) if days < 300 else ("Years", 1)
    if first.end - first.begin < _DAY:
        step = QgsInterval((first.end - first.begin).total_seconds(), compat.temporal_unit("Seconds"))
    else:
        step = QgsInterval(count, compat.temporal_unit(unit))
    controller.setTemporalExtents(time_range)
    controller.setFrameDuration(step)
    controller.setNavigationMode(compat.navigation_mode(animated=True))
    controller.setCurrentFrameNumber(0)


def _temporal_controller(canvas: Optional[QgsMapCanvas]) -> Optional[QgsTemporalNavigationObject]:
    controller = canvas.temporalController() if canvas is not None else None
    return controller if isinstance(controller, QgsTemporalNavigationObject) else None


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
