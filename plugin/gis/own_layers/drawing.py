"""The QGIS layers of a plan and its own layers together, in the order of drawing."""

from __future__ import annotations

from typing import Iterable, List, Optional, Sequence, Tuple, Union

from qgis.core import QgsMapLayer, QgsProject

from ...core.custommap.model import LayerPlan, OwnLayer, Plan
from .references import find_layer

PlannedLayer = Tuple[LayerPlan, Optional[QgsMapLayer]]


def layers_in_drawing_order(plan: Plan, planned: Iterable[PlannedLayer],
                            project: QgsProject) -> List[Tuple[Union[LayerPlan, OwnLayer], Optional[QgsMapLayer]]]:
    """Return these planned layers and all own layers of the plan, bottom first, each with its layer of the project.

    The layer is None for one that could not be made or opened.
    """
    pairs = list(planned)
    order: List[Tuple[Union[LayerPlan, OwnLayer], Optional[QgsMapLayer]]] = []
    for part in plan.order:
        if isinstance(part, OwnLayer):
            layer = find_layer(project, part)
            order.append((part, layer if layer is not None and layer.isValid() else None))
        else:
            order.extend(pair for pair in pairs if pair[0].entry_index == part)
    return order


def visible_layers_in_order(plan: Plan, layers: Sequence[Optional[QgsMapLayer]], project: QgsProject,
                            indexes: Optional[Iterable[int]] = None) -> List[QgsMapLayer]:
    """Return the QGIS layers that a map of the plan draws, bottom first.

    ``layers`` are those of ``plan.layers``. ``indexes`` chooses among them, by default all visible ones.
    """
    pairs = list(zip(plan.layers, layers))
    chosen = [pair for pair in pairs if pair[0].visible] if indexes is None else [pairs[number] for number in indexes]
    order = layers_in_drawing_order(plan, chosen, project)
    return [layer for part, layer in order if layer is not None and (isinstance(part, LayerPlan) or part.visible)]
