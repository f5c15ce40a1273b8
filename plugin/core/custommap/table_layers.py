"""The layers of a map whose features a leaflet can list in its table."""

from __future__ import annotations

from typing import List, NamedTuple

from ..pages.leaflet import TableSource
from .model import LayerPlan, OwnLayer, Plan


class TableChoice(NamedTuple):
    """A layer that a table can list, with its title."""

    source: TableSource
    title: str


def table_choices(plan: Plan) -> List[TableChoice]:
    """Return the visible layers of services and the own vector layers of a map, the topmost first."""
    choices: List[TableChoice] = []
    for part in reversed(plan.order):
        if isinstance(part, OwnLayer):
            if part.type == "vector" and part.visible:
                choices.append(TableChoice(TableSource(own_layer=part.id), part.name))
            continue
        layers: List[LayerPlan] = [layer for layer in plan.layers if layer.entry_index == part and layer.visible]
        choices.extend(TableChoice(TableSource(layer.entry.endpoint, layer.name), layer.title or layer.name)
                       for layer in reversed(layers) if layer.entry is not None)
    return list(dict.fromkeys(choices))
