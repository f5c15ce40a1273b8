"""Small multiples: a plan that shows the same at different times, as one small map for each moment.

The moments are layers of one service, or those of one layer's TIME dimension.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Dict, List, Optional, Sequence, Tuple

from ..wms.model import Dimension, Layer, Service
from ..wms.series import Series, SeriesEntry, dimension_series, series_of
from .model import LayerPlan, Plan

#: the bundled template of small multiples
MULTIPLES = "multiples"
_DAY, _MONTH = timedelta(days=1), timedelta(days=28)


@dataclass(frozen=True)
class Panel:
    """One small map: what it is called, its day where it has one, and its layers as places in the plan, bottom first.

    ``span`` is the time that its layers with a TIME dimension are asked for (UTC, end excluded).
    """

    title: str
    day: Optional[date]
    layers: Tuple[int, ...]
    span: Optional[Tuple[datetime, datetime]] = None


@dataclass(frozen=True)
class Multiples:
    """The small maps in time's order; ``title`` is what they all show, ``own`` the layers that are on one map only."""

    title: str
    panels: Tuple[Panel, ...]
    own: Tuple[int, ...] = ()


def multiples(plan: Plan) -> Multiples:
    """The small maps of ``plan``: one for each moment of its longest series, the other layers on every one of them.

    Without a series each overlay's layer gets a map of its own, on the base. Only what is to be seen counts.
    """
    seen = [number for number, layer in enumerate(plan.layers) if layer.visible]
    found: Optional[Tuple[int, Series]] = None
    for entry in dict.fromkeys(plan.layers[number].entry for number in seen):
        series = _longest([plan.layers[number] for number in seen if plan.layers[number].entry == entry])
        if series is not None and (found is None or len(series.entries) > len(found[1].entries)):
            found = entry, series
    dimension = _longest_dimension(plan, seen)
    if dimension is not None and (found is None or len(dimension[1].entries) > len(found[1].entries)):
        return _by_dimension(plan, seen, *dimension)
    if found is None:
        return _one_by_one(plan, seen)
    entry, series = found
    places: Dict[str, int] = {plan.layers[number].name: number for number in seen if plan.layers[number].entry == entry}
    own = [places[moment.layer] for moment in series.entries]
    shared = [number for number in seen if number not in own]
    panels = tuple(Panel(moment.title, moment.begin.date(), tuple(sorted([*shared, place])))
                   for moment, place in zip(series.entries, own))
    return Multiples(series.title, panels, tuple(own))


def legend_plans(plan: Plan) -> Tuple[LayerPlan, ...]:
    """The layers whose legends stand for all small maps: the shared ones and the first of the series, in its
    service's name."""
    found = multiples(plan)
    if not found.panels or not found.own:
        return plan.layers
    first = found.panels[0].layers
    return tuple(replace(layer, title=layer.service_title or found.title) if number in found.own else layer
                 for number, layer in ((number, plan.layers[number]) for number in first))


def _longest_dimension(plan: Plan, seen: Sequence[int]) -> Optional[Tuple[int, Series]]:
    """The layer whose TIME dimension has the most moments, as its place in the plan, and these."""
    found = [(number, dimension_series(Layer(layer.name, layer.title,
                                             dimensions=(Dimension("time", extent=layer.time_extent),))))
             for number, layer in ((number, plan.layers[number]) for number in seen) if layer.time_extent]
    told = [(number, series) for number, series in found if series is not None]
    return max(told, key=lambda pair: len(pair[1].entries), default=None)


def _by_dimension(plan: Plan, seen: Sequence[int], own: int, series: Series) -> Multiples:
    """All layers on every map, each map asking for another time; in a finer or coarser step than days, as written."""
    panels = []
    for moment in series.entries:
        daily = _DAY <= moment.end - moment.begin < _MONTH
        panels.append(Panel(moment.time.replace("T", " ").rstrip("Z") or moment.title,
                            moment.begin.date() if daily else None, tuple(seen), (moment.begin, moment.end)))
    return Multiples(plan.layers[own].title or plan.layers[own].name, tuple(panels), (own,))


def _one_by_one(plan: Plan, seen: List[int]) -> Multiples:
    overlays = [number for number in seen if plan.layers[number].role != "base"] or seen
    shared = [number for number in seen if number not in overlays]
    panels = tuple(Panel(plan.layers[number].title or plan.layers[number].name, None, (*shared, number))
                   for number in overlays)
    return Multiples(plan.title, panels, tuple(overlays) if len(overlays) == 1 else ())


def _longest(layers: List[LayerPlan]) -> Optional[Series]:
    """The longest series among the layers of one service; None where there is none."""
    title = layers[0].service_title
    timed = sorted((layer.span[0], layer.span[1], layer.title, layer.name) for layer in layers
                   if layer.span is not None and not layer.time_extent)
    if len(timed) > 1:
        return Series(title, tuple(SeriesEntry(name, called, begin, end) for begin, end, called, name in timed))
    leaves = tuple(Layer(layer.name, layer.title) for layer in layers)
    found = series_of(Service("", title, root=Layer(title=title, layers=leaves)))
    return max(found, key=lambda series: len(series.entries), default=None)
