"""The services and own layers of a custom map as its group in the layer tree shows them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import Iterable, List, Optional, Tuple, Union

from qgis.core import QgsMapLayer

from ...core.custommap.model import BlendMode, LayerPlan, MapEntry, OwnLayer


@dataclass(frozen=True)
class GroupLayer:
    """One layer of a custom map's group.

    ``ticked`` is whether it is drawn while its service is visible, None to leave the ticks of a time series alone.
    ``opacity`` is 0 to 1. ``blend`` is None for an own layer, which has it in its style.
    """

    layer: QgsMapLayer
    ticked: Optional[bool]
    opacity: float
    blend: Optional[BlendMode] = None


@dataclass(frozen=True)
class GroupPart:
    """A service or an own layer in a custom map's group, with its layers bottom first.

    Two or more layers are in a sub-group called ``title``. One layer is not, nor is an own layer, whose title is None.
    ``expanded`` is whether a new sub-group shows its layers.
    """

    title: Optional[str]
    layers: Tuple[GroupLayer, ...]
    visible: bool = True
    expanded: bool = True

    @property
    def has_subgroup(self) -> bool:
        """True if its layers have a sub-group."""
        return self.title is not None and len(self.layers) > 1


def service_part(entry: MapEntry, layers: Iterable[Tuple[str, QgsMapLayer]], ticks_are_moments: Optional[bool] = None,
                 expanded: Optional[bool] = None) -> GroupPart:
    """Return the part of a service. ``layers`` are its QGIS layers with their WMS layer names, bottom first.

    ``ticks_are_moments`` is whether their ticks are left to the Temporal Controller, by default those of a series, and
    ``expanded`` whether a new sub-group shows its layers, by default one of no series.
    """
    # the moments of a series are too many to be seen at once
    is_series = bool(entry.moment)
    are_moments = is_series if ticks_are_moments is None else ticks_are_moments
    members = tuple(GroupLayer(layer, None if are_moments else name not in entry.hidden, entry.opacity_of(name),
                               entry.blend)
                    for name, layer in layers)
    return GroupPart(entry.title or entry.endpoint, members, entry.visible,
                     not is_series if expanded is None else expanded)


def own_part(own: OwnLayer, layer: Optional[QgsMapLayer]) -> GroupPart:
    """Return the part of an own layer. ``layer`` is its QGIS layer, or None if the project has none."""
    return GroupPart(None, (GroupLayer(layer, True, own.opacity),) if layer is not None else (), own.visible)


def parts_of_plan(pairs: Iterable[Tuple[Union[LayerPlan, OwnLayer], QgsMapLayer]]) -> List[GroupPart]:
    """Return the parts of planned layers and own layers, given in the order of drawing."""
    parts = []
    for _, members in groupby(pairs, key=lambda pair: _part_key(pair[0])):
        found = list(members)
        first, layer = found[0]
        if isinstance(first, OwnLayer):
            parts.append(own_part(first, layer))
        else:
            layers = [(plan, layer) for plan, layer in found if isinstance(plan, LayerPlan)]
            parts.append(service_part(first.entry, [(plan.name, layer) for plan, layer in layers])
                         if first.entry is not None else _part_without_entry(first, layers))
    return parts


def single_parts(pairs: Iterable[Tuple[LayerPlan, QgsMapLayer]]) -> List[GroupPart]:
    return [_part_without_entry(plan, [(plan, layer)]) for plan, layer in pairs]


def _part_without_entry(first: LayerPlan, layers: Iterable[Tuple[LayerPlan, QgsMapLayer]]) -> GroupPart:
    return GroupPart(first.service_title or first.address,
                     tuple(GroupLayer(layer, plan.visible, plan.opacity, plan.blend) for plan, layer in layers))


def _part_key(part: Union[LayerPlan, OwnLayer]) -> Tuple[object, ...]:
    return (part.id,) if isinstance(part, OwnLayer) else (part.entry_index, part.role)
