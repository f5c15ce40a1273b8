"""A time series in the project: one group whose layers each show their own time, ready for the Temporal Controller.

QGIS neither draws nor requests layers outside their time, so a month of layers costs no more than one of its days.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Callable, Dict, Iterable, List, Optional, Sequence, Tuple

from qgis.core import (
    Qgis,
    QgsDateTimeRange,
    QgsInterval,
    QgsLayerTreeGroup,
    QgsLayerTreeLayer,
    QgsMapLayer,
    QgsProject,
    QgsRasterLayer,
    QgsTemporalNavigationObject,
)
from qgis.gui import QgsMapCanvas
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QDateTime, QObject, Qt

from ...core.custommap.model import Plan
from ...core.sources.source_text import encoded_parameters
from ...core.wms.dimensions.time_series import TimeSeries, TimeSeriesEntry, extent_time_series
from ..runtime import compat
from ..runtime.conversions import to_qdatetime, to_utc
from ..runtime.drawn_source import drawn_source
from ..sources.layer_source import MOMENT_OF, mark
from .project_group import add_plain_group, remove_plain_group
from .wms_layers import LAST_BEGUN, BuiltLayers

#: property that marks a group as a series and holds its title
SERIES_PROPERTY = "cartoguide/series"
#: entries of the project: those of QGIS's panel, and whether Cartoguide has set it up
_PANEL, _MODE, _PLAYS_SERIES = "TemporalControllerWidget", "/NavigationMode", ("cartoguide", "/plays_series")
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

    The service's default moment is shown, else the first: without a time QGIS would draw and request all of them. Main
    thread only. Raises CartoguideError if no layer could be made.
    """
    controller = _temporal_controller(canvas)
    before = project.timeSettings().temporalRange()
    was_off = controller is not None and _is_off(controller)
    if not series.by_dimension:
        entries: Dict[str, TimeSeriesEntry] = {entry.layer: entry for entry in series.entries}
        for layer_plan, layer in built.layers:
            set_layer_time(layer, entries[layer_plan.name].begin, entries[layer_plan.name].end, series.title)
    group = add_plain_group(plan, built, project, series.title)
    group.setCustomProperty(SERIES_PROPERTY, series.title)
    show_moment(series.first_shown.begin, project, canvas)
    return SeriesOnMap(group, project, canvas, before, was_off)


def remove_series(series_on_map: SeriesOnMap) -> None:
    """Remove a series from the project and restore the time range and the Temporal Controller."""
    project = series_on_map.project
    remove_plain_group(series_on_map.group, project)
    project.timeSettings().setTemporalRange(series_on_map.previous_range)
    controller = _temporal_controller(series_on_map.canvas)
    if controller is not None and series_on_map.controller_was_off:
        controller.setNavigationMode(compat.navigation_mode(animated=False))
        _note_mode(project, controller)


def show_moment(moment: datetime, project: QgsProject, canvas: Optional[QgsMapCanvas], stays_off: bool = False) -> None:
    """Show ``moment`` (UTC) on the canvas, and let the Temporal Controller play the moments of the project's series.

    QGIS calls such frames source timestamps: each begins with a moment and ends with the next, whatever lies between.
    A controller that the person has set up stays as it is while one of its frames shows ``moment``. With ``stays_off``
    so does one that the project says was turned off.
    """
    frames = _frames(project)
    controller = _temporal_controller(canvas)
    if not frames:
        return
    whole = QgsDateTimeRange(frames[0].begin(), frames[-1].end(), True, False)
    _extend_project_range(project, whole)
    if controller is None or canvas is None:
        return
    if stays_off and _is_off(controller) and project.readNumEntry(_PANEL, _MODE, -1)[0] == 0:
        return
    begin = to_qdatetime(moment)
    if _is_off(controller) or _plays_series(controller, project) or not _can_show(controller, begin, frames):
        _play_frames(controller, frames, whole, project)
    # one that is off announces its frame when it is turned on
    was_blocked = controller.blockSignals(_is_off(controller) or controller.signalsBlocked())
    controller.setCurrentFrameNumber(controller.findBestFrameNumberForFrameStart(begin))
    controller.blockSignals(was_blocked)
    if _is_off(controller):
        controller.setNavigationMode(compat.navigation_mode(animated=True))
    _note_mode(project, controller)


def request_moment(layers: Iterable[QgsMapLayer], moment: Optional[datetime]) -> None:
    """Let layers with a TIME dimension request ``moment`` (UTC) where QGIS shows no time, or the default for None.

    So they do while the Temporal Controller is off, and in layouts of the person's own. It is QGIS's own option of a
    source, set in the provider alone: the whole source would be read from the server again.
    """
    for layer in layers:
        moments = _moments(layer) if mark(layer, MOMENT_OF) is None else []
        if not moments:
            continue
        provider = layer.dataProvider()
        if provider is None:
            # while its source is changed
            continue
        kept = [part for part in provider.dataSourceUri().split("&") if not part.startswith("time=")]
        if moment is not None:
            shown = to_qdatetime(_begun(moments, moment) or moments[0][0])
            kept.append("time={0}/{0}".format(shown.toString(Qt.DateFormat.ISODate)))
        source = "&".join(kept)
        if source != provider.dataSourceUri():
            provider.setDataSourceUri(source)
            layer.triggerRepaint()


def last_begun(layer: QgsMapLayer, moment: datetime) -> Optional[datetime]:
    """Return the time that a layer requests where QGIS shows ``moment`` (UTC): the last of its values that has begun.

    None for layers that request the shown time itself, and before the first value.
    """
    if not drawn_source(layer).is_map_service or layer.temporalProperties().intervalHandlingMethod() != LAST_BEGUN:
        return None
    return _begun(_moments(layer), moment)


def _begun(moments: Sequence[Tuple[datetime, datetime]], when: datetime) -> Optional[datetime]:
    return max((begin for begin, _ in moments if begin <= when), default=None)


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
    layer.setCustomProperty(MOMENT_OF, series_title)
    properties = layer.temporalProperties()
    properties.setMode(Qgis.RasterTemporalMode.FixedTemporalRange)
    properties.setFixedTemporalRange(compat.half_open_time_range(to_qdatetime(begin), to_qdatetime(end)))
    properties.setIsActive(True)


def restore_layer_times(layers: Iterable[QgsMapLayer]) -> None:
    """Give the layers of series their time again, after a project was read.

    QGIS saves neither open ends nor fractions of a second, without which it draws two days where one begins.
    """
    for layer in layers:
        family = mark(layer, MOMENT_OF)
        span = _fixed_span(layer) if family else None
        if span is not None and isinstance(layer, QgsRasterLayer):
            set_layer_time(layer, *span, str(family))


def _fixed_span(layer: QgsMapLayer) -> Optional[Tuple[datetime, datetime]]:
    """Return the fixed time of a layer of a series (UTC, end excluded)."""
    span = layer.temporalProperties().fixedTemporalRange()
    if not span.begin().isValid() or not span.end().isValid():
        return None
    end = to_utc(span.end(), whole_seconds=True)
    # former versions set the end itself
    return to_utc(span.begin(), whole_seconds=True), end + timedelta(seconds=1) if end.second else end


def _frames(project: QgsProject) -> List[QgsDateTimeRange]:
    """Return a frame for each moment of the series in the project, from one to the next, in order."""
    ends: Dict[datetime, datetime] = {}
    for layer in project.mapLayers().values():
        for begin, end in _moments(layer):
            ends[begin] = max(end, ends.get(begin, end))
    limits = [to_qdatetime(begin) for begin in sorted(ends)]
    limits += [to_qdatetime(max(ends.values()))] if ends else []
    return [QgsDateTimeRange(begin, following, True, False) for begin, following in zip(limits, limits[1:])]


def _moments(layer: QgsMapLayer) -> Sequence[Tuple[datetime, datetime]]:
    """Return when the moments begin and end (UTC) that a layer of a series, or one with a TIME dimension, can show."""
    if mark(layer, MOMENT_OF):
        span = _fixed_span(layer)
        return [span] if span is not None else []
    parameters = encoded_parameters(layer.source()) if drawn_source(layer).is_map_service else {}
    series = extent_time_series("", "", parameters.get("timeDimensionExtent", ""))
    return [(entry.begin, entry.end) for entry in series.entries] if series is not None else []


def _extend_project_range(project: QgsProject, time_range: QgsDateTimeRange) -> None:
    """Extend the project's time range, which bounds the Temporal Controller, to ``time_range``."""
    settings = project.timeSettings()
    current = settings.temporalRange()
    if not current.isInfinite() and not current.isEmpty() and current.begin().isValid() and current.end().isValid():
        begin, end = min(current.begin(), time_range.begin()), max(current.end(), time_range.end())
        time_range = QgsDateTimeRange(begin, end, True, False)
    if (current.begin(), current.end()) != (time_range.begin(), time_range.end()):
        settings.setTemporalRange(time_range)


def _is_off(controller: QgsTemporalNavigationObject) -> bool:
    return bool(controller.navigationMode() == compat.navigation_mode(animated=False))


def _plays_series(controller: QgsTemporalNavigationObject, project: QgsProject) -> bool:
    """Return whether the controller plays source timestamps as Cartoguide has set it up for this project."""
    return (controller.frameDuration().originalUnit() == compat.temporal_unit("IrregularStep")
            and bool(project.readBoolEntry(*_PLAYS_SERIES, False)[0]))


def _can_show(controller: QgsTemporalNavigationObject, moment: QDateTime, frames: Sequence[QgsDateTimeRange]) -> bool:
    """Return whether the controller has a frame in which the series show what they show at ``moment``."""
    if controller.navigationMode() == compat.navigation_mode(animated=True):
        frame = controller.dateTimeRangeForFrameNumber(controller.findBestFrameNumberForFrameStart(moment))
    else:
        frame = controller.temporalExtents()
    begins = [span.begin() for span in frames]
    return frame.contains(moment) and bisect_right(begins, frame.begin()) == bisect_right(begins, moment)


def _play_frames(controller: QgsTemporalNavigationObject, frames: Sequence[QgsDateTimeRange], whole: QgsDateTimeRange,
                 project: QgsProject) -> None:
    """Let the controller play ``frames``, and note it in the project as QGIS's own panel does."""
    step = QgsInterval(1, compat.temporal_unit("IrregularStep"))
    if [(one.begin(), one.end()) for one in controller.availableTemporalRanges()] != [
            (one.begin(), one.end()) for one in frames]:
        controller.setAvailableTemporalRanges(list(frames))
        # QGIS's panel counts the frames only where their extent or step changes
        was_blocked = controller.blockSignals(True)
        controller.setTemporalExtents(QgsDateTimeRange(whole.begin(), whole.end().addSecs(1)))
        controller.blockSignals(was_blocked)
    controller.setFrameDuration(step)
    controller.setTemporalExtents(whole)
    settings = project.timeSettings()
    if settings.timeStepUnit() != step.originalUnit() or settings.timeStep() != 1:
        settings.setTimeStepUnit(step.originalUnit())
        settings.setTimeStep(1)
    if not project.readBoolEntry(*_PLAYS_SERIES, False)[0]:
        project.writeEntryBool(*_PLAYS_SERIES, True)
    for name, moment in (("/StartDateTime", whole.begin()), ("/EndDateTime", whole.end())):
        text = moment.toString(Qt.DateFormat.ISODateWithMs)
        if project.readEntry(_PANEL, name)[0] not in ("", text):
            project.writeEntry(_PANEL, name, text)


def _note_mode(project: QgsProject, controller: QgsTemporalNavigationObject) -> None:
    """Note in the project whether the controller is on, with which QGIS reads it again."""
    mode = int(compat.enum_value(controller.navigationMode()))
    if project.readNumEntry(_PANEL, _MODE, -1)[0] != mode:
        project.writeEntry(_PANEL, _MODE, mode)


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
        return self._controller is None or _is_off(self._controller)

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
            family = mark(layer, MOMENT_OF)
            node = self._project.layerTreeRoot().findLayer(layer.id()) if family else None
            span = _fixed_span(layer) if node is not None else None
            if span is not None:
                families.setdefault(str(family), []).append((node, *span))
        return families
