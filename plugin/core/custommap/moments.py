"""Moments of a plan, for small multiples and animations: it is shown as one small map, or one frame, for each.

The moments are layers of one service, or those of one layer's TIME dimension.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Dict, List, Optional, Sequence, Tuple

from ..box import Box
from ..errors import CartoguideError
from ..i18n import tr
from ..page_design.type_scale import PAPER_FACTORS
from ..pages.page_features import shows_all_moments
from ..wms.dimensions.time_series import TimeSeries, TimeSeriesEntry, extent_time_series, find_time_series
from ..wms.model.service import Layer, Service
from .ground_scale import has_outline
from .model import LayerPlan, MapRole, Orientation, PageSetup, Plan
from .time_selection import layers_at_one_time

#: the bundled template of an animation's frames, and its page in the proportions of a screen
ANIMATION_TEMPLATE = "animation"
SCREEN = "screen"
#: frames of an animation at most: a year of days
MAX_FRAMES = 366
#: seconds that a frame is shown. More than three frames per second could be flashes (WCAG 2.2, 2.3.1)
FRAME_SECONDS, MIN_FRAME_SECONDS, MAX_FRAME_SECONDS = 1.0, 0.4, 10.0
#: the last frame is shown this many times as long, so that the end of the series is seen
LAST_FRAME_FACTOR = 3.0
#: moments of a series from which on their maximum is shown
_LEAST_SUMMARISED = 3
#: metres across a small map on A4, and on the ground across a degree of latitude
_SMALL_MAP, _DEGREE = 0.04, 111_320.0
_DAY, _MONTH = timedelta(days=1), timedelta(days=28)


@dataclass(frozen=True)
class MultiplesPanel:
    """One small map: title, day where it has one, and the indexes of its layers in the plan, bottom first.

    ``time_span`` is the time in which its layers with a TIME dimension are requested (UTC, end excluded).
    """

    title: str
    day: Optional[date]
    layer_indexes: Tuple[int, ...]
    time_span: Optional[Tuple[datetime, datetime]] = None


@dataclass(frozen=True)
class SmallMultiples:
    """The small maps in temporal order. ``varying_layers`` are the indexes of the layers on one map only."""

    title: str
    panels: Tuple[MultiplesPanel, ...]
    varying_layers: Tuple[int, ...] = ()


def plan_multiples(plan: Plan) -> SmallMultiples:
    """Return the small maps of ``plan``: one for each moment of its longest time series, with all other layers on each.

    Layers of the series' own service that do not change with time are on none: on maps this small, the points and
    outlines that a service offers beside its fields cover them. Those of other services are on every map. Without a
    time series each overlay's layer gets its own map, on the base. Only visible layers count.
    """
    visible = [number for number, layer in enumerate(plan.layers) if layer.visible]
    longest: Optional[Tuple[int, TimeSeries]] = None
    for entry in dict.fromkeys(plan.layers[number].entry_index for number in visible):
        series = longest_series(
            [plan.layers[number] for number in visible if plan.layers[number].entry_index == entry])
        if series is not None and (longest is None or len(series.entries) > len(longest[1].entries)):
            longest = entry, series
    dimension = _longest_dimension(plan, visible)
    if dimension is not None and (longest is None or len(dimension[1].entries) > len(longest[1].entries)):
        return _multiples_by_dimension(plan, visible, *dimension)
    if longest is None:
        return _multiples_by_overlay(plan, visible)
    entry, series = longest
    index_by_name: Dict[str, int] = {
        plan.layers[number].name: number for number in visible if plan.layers[number].entry_index == entry
    }
    varying = [index_by_name[moment.layer] for moment in series.entries]
    shared = [number for number in visible if plan.layers[number].entry_index != entry]
    panels = tuple(
        MultiplesPanel(moment.title, moment.begin.date(), tuple(sorted([*shared, index])), (moment.begin, moment.end))
        for moment, index in zip(series.entries, varying))
    return SmallMultiples(series.title, panels, tuple(varying))


def has_series(plan: Plan) -> bool:
    """Return whether the plan, of all moments, has a time series that can be played."""
    return len(_moments(plan)) > 1


def lacks_place(plan: Plan, area: Optional[Box] = None) -> bool:
    """Return whether nothing says where the maps of a series lie: it is shown alone, and its area, such as a park, is
    too small for the region's outline.

    ``plan`` has all moments. ``area`` (in degrees) is what it shows, by default its extent, or what its layers cover.
    A series of images or tiles is a map of the ground.
    """
    multiples = plan_multiples(plan)
    shown = {number for panel in multiples.panels for number in panel.layer_indexes}
    if not multiples.varying_layers or shown - set(multiples.varying_layers) or any(
            plan.layers[number].opaque for number in shown) or any(own.visible for own in plan.own_layers):
        return False
    area = area or plan.extent
    if area is None and plan.scale:
        return shows_all_moments(plan.page.template) and not has_outline(
            plan.scale, PAPER_FACTORS.get(plan.page.paper, 1.0))
    area = area or Box.around(plan.layers[number].extent for number in shown)
    if area is None:
        return False
    across = area.unwrapped.width * math.cos(math.radians(area.centre[1]))
    return not has_outline(max(across, area.height) * _DEGREE / _SMALL_MAP, 1.0)


def frame_plans(plan: Plan) -> List[Tuple[MultiplesPanel, Plan]]:
    """Return the moments of the plan's longest time series in temporal order, each with the plan of its frame.

    ``plan`` has all moments. The layers of a frame's plan are those at the panel's ``layer_indexes``, in this order.
    Raises CartoguideError without a series, or for one of more than ``MAX_FRAMES`` moments.
    """
    panels = _moments(plan)
    if len(panels) < 2:
        raise CartoguideError(no_series_text())
    if len(panels) > MAX_FRAMES:
        raise CartoguideError(tr("The series has {count} moments, and an animation has at most {most} frames. Choose "
                                 "fewer layers.", count=len(panels), most=MAX_FRAMES))
    varying = plan_multiples(plan).varying_layers
    page = PageSetup(SCREEN, Orientation.LANDSCAPE, ANIMATION_TEMPLATE, rotation=plan.page.rotation,
                     logos=plan.page.logos)
    frames = []
    for panel in panels:
        layers = tuple(plan.layers[number] if panel.time_span is None or number not in varying else
                       replace(plan.layers[number], time_span=panel.time_span,
                               moment=TimeSeriesEntry("", "", *panel.time_span).moment)
                       for number in panel.layer_indexes)
        numbers = tuple(place for place, number in enumerate(panel.layer_indexes) if number in varying)
        frames.append((panel, replace(plan, layers=layers_at_one_time(layers), page=page, varying_layers=numbers,
                                      series_title=_title_without_dates([plan.layers[at] for at in varying]))))
    return frames


def no_series_text() -> str:
    """Return why a map without a time series has no animation."""
    return tr("The map has no time series. Add one with “Add as time series”.")


def animation_problem(plan: Plan, area: Optional[Box] = None) -> str:
    """Return why a plan of all moments is not shown as an animation, or "". ``area`` is that of ``lacks_place``."""
    if not has_series(plan):
        return no_series_text()
    if lacks_place(plan, area):
        return tr("Nothing would show where an area as small as this lies. Add a map of the ground as the base, or "
                  "show the whole region.")
    return ""


def bounded_seconds(seconds: float) -> float:
    """Return the nearest time in seconds for which a frame may be shown."""
    return min(max(seconds, MIN_FRAME_SECONDS), MAX_FRAME_SECONDS)


def summarised_moments(plan: Plan) -> Tuple[MultiplesPanel, ...]:
    """Return the small maps of which a maximum is shown: those of a series of at least three moments, else none."""
    moments = _moments(plan)
    return moments if len(moments) >= _LEAST_SUMMARISED else ()


def _moments(plan: Plan) -> Tuple[MultiplesPanel, ...]:
    """Return the small maps of a plan that are moments. Without a series they would be its overlays."""
    panels = plan_multiples(plan).panels
    return tuple(panel for panel in panels if panel.day is not None or panel.time_span is not None)


def unchanging_layers(plan: Plan) -> Tuple[int, ...]:
    """Return the indexes of visible layers that are on no small map, because they do not change with time."""
    panels = plan_multiples(plan).panels
    shown = {number for panel in panels for number in panel.layer_indexes}
    return tuple(number for number, layer in enumerate(plan.layers) if panels and layer.visible and number not in shown)


def legend_layer_plans(plan: Plan) -> Tuple[LayerPlan, ...]:
    """Return the layers for a shared legend: those on all maps and the first of the series, titled by its service.

    On a page of one moment they are the layers of that moment.
    """
    if plan.varying_layers:
        return tuple(replace(layer, title=plan.series_title or layer.service_title or layer.title, given_name="")
                     if number in plan.varying_layers else layer for number, layer in enumerate(plan.layers))
    multiples = plan_multiples(plan)
    if not multiples.panels or not multiples.varying_layers:
        return plan.layers
    first = multiples.panels[0].layer_indexes
    shown = _title_without_dates([plan.layers[number] for number in multiples.varying_layers])
    return tuple(
        replace(layer, title=shown or layer.service_title or multiples.title, given_name="")
        if number in multiples.varying_layers else layer
        for number, layer in ((number, plan.layers[number]) for number in first))


def _title_without_dates(layers: Sequence[LayerPlan]) -> str:
    """Return what the titles of a series' layers have in common before their dates, or ""."""
    series = _series_by_titles(layers) if len(layers) > 1 else None
    head, mark, _tail = series.title.partition("…") if series is not None else ("", "", "")
    return head.rstrip(" ,.:;–-") if mark else ""


def _longest_dimension(plan: Plan, visible: Sequence[int]) -> Optional[Tuple[int, TimeSeries]]:
    """Return the index of the layer with the most moments in its TIME dimension, and these moments."""
    candidates = [(number, extent_time_series(layer.name, layer.title, layer.time_extent))
                  for number, layer in ((number, plan.layers[number]) for number in visible) if layer.time_extent]
    with_series = [(number, series) for number, series in candidates if series is not None]
    return max(with_series, key=lambda pair: len(pair[1].entries), default=None)


def _multiples_by_dimension(plan: Plan, visible: Sequence[int], varying: int, series: TimeSeries) -> SmallMultiples:
    """Return maps with the same layers, each for another time. Steps other than days are labelled as written."""
    entry = plan.layers[varying].entry_index
    shown = tuple(number for number in visible
                  if plan.layers[number].entry_index != entry or plan.layers[number].time_extent)
    panels = []
    for moment in series.entries:
        daily = _DAY <= moment.end - moment.begin < _MONTH
        panels.append(
            MultiplesPanel(
                moment.time.replace("T", " ").rstrip("Z") or moment.title,
                moment.begin.date() if daily else None, shown, (moment.begin, moment.end)))
    return SmallMultiples(plan.layers[varying].label, tuple(panels), (varying,))


def _multiples_by_overlay(plan: Plan, visible: List[int]) -> SmallMultiples:
    overlays = [number for number in visible if plan.layers[number].role is not MapRole.BASE] or visible
    shared = [number for number in visible if number not in overlays]
    panels = tuple(MultiplesPanel(plan.layers[number].label, None, (*shared, number)) for number in overlays)
    return SmallMultiples(plan.title, panels, tuple(overlays) if len(overlays) == 1 else ())


def longest_series(layers: List[LayerPlan]) -> Optional[TimeSeries]:
    """Return the longest time series among the layers of one service, or None."""
    title = layers[0].service_title
    timed = sorted((layer.time_span[0], layer.time_span[1], layer.title, layer.name) for layer in layers
                   if layer.time_span is not None and not layer.time_extent)
    if len(timed) > 1:
        return TimeSeries(title, tuple(TimeSeriesEntry(name, called, begin, end) for begin, end, called, name in timed))
    return _series_by_titles(layers)


def _series_by_titles(layers: Sequence[LayerPlan]) -> Optional[TimeSeries]:
    """Return the longest time series that titles and names of one service's layers tell, or None."""
    title = layers[0].service_title
    leaves = tuple(Layer(layer.name, layer.title) for layer in layers)
    all_series = find_time_series(Service("", title, root=Layer(title=title, layers=leaves)))
    return max(all_series, key=lambda series: len(series.entries), default=None)
