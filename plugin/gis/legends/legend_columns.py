"""Columns of a layout's legend: groups and layers are kept whole, or are continued under a heading that says so.

QGIS breaks a legend into columns after any entry. Here the breaks are chosen first, and the tree is built so that QGIS
breaks there: a group or layer that goes on in the next column is in the tree a second time, with the rest of its
entries and with its title followed by a word such as “(continued)”.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, List, Optional, Sequence, Tuple

from qgis.core import (
    QgsLayerTreeGroup,
    QgsLayerTreeLayer,
    QgsLayerTreeModel,
    QgsLayerTreeNode,
    QgsMapLayerLegendUtils,
)

#: properties of a node of the legend: its title without line breaks, and True for the second part of a divided node
TITLE_PROPERTY, CONTINUED_PROPERTY = "cartoguide/title", "cartoguide/continued"
_BREAK_PROPERTY, _ORDER_PROPERTY = "legend/column-break", "legend/node-order"
#: costs of a break between the layers of a group and between the entries of a layer (0 between groups)
_GROUP_COST, _LAYER_COST = 2, 5
#: entries of a layer that stay together at either side of a break
_MIN_ENTRIES = 2


@dataclass(frozen=True)
class LegendPart:
    """One line of a legend with its height (millimetres), and what a column that begins with it has above it.

    ``break_cost`` is None where no column may begin. ``heading_height`` is the height of the headings that are repeated
    there. ``group``, ``layer`` and ``entry`` say which node of the tree the part is: position in the root, position in
    the group (None for the group's heading or a layer in the root) and number of the entry (None for a heading).
    """

    height: float
    break_cost: Optional[int]
    heading_height: float = 0.0
    group: int = 0
    layer: Optional[int] = None
    entry: Optional[int] = None


def column_breaks(parts: Sequence[LegendPart], columns: int, height: float) -> Optional[Tuple[int, ...]]:
    """Return the positions in ``parts`` at which the second and later columns begin, or None if they do not fit.

    No column is higher than ``height`` (millimetres). Among the possible breaks those that divide least are taken, and
    of these the ones with the lowest highest column.
    """
    # by end of a column: cost, height of the highest column, beginnings of the columns
    best: Dict[int, Tuple[int, float, Tuple[int, ...]]] = {0: (0, 0.0, ())}
    for _column in range(columns):
        following: Dict[int, Tuple[int, float, Tuple[int, ...]]] = {}
        for start, (cost, highest, breaks) in best.items():
            begin_cost = parts[start].break_cost if start and start < len(parts) else 0
            if begin_cost is None or start == len(parts):
                continue
            filled = parts[start].heading_height if start else 0.0
            for end in range(start + 1, len(parts) + 1):
                filled += parts[end - 1].height
                if filled > height:
                    break
                if end < len(parts) and parts[end].break_cost is None:
                    continue
                candidate = cost + begin_cost, max(highest, filled), (*breaks, start) if start else breaks
                if end not in following or candidate[:2] < following[end][:2]:
                    following[end] = candidate
        if len(parts) in following:
            return following[len(parts)][2]
        best = following
    return None


def break_cost(parts: Sequence[LegendPart], breaks: Sequence[int]) -> int:
    """Return the cost of the breaks: 0 if nothing is divided."""
    return sum(parts[position].break_cost or 0 for position in breaks)


def join_parts(model: QgsLayerTreeModel) -> None:
    """Undo ``divide``: remove the breaks, and put divided groups and layers together again."""
    root = model.rootGroup()
    whole: Optional[QgsLayerTreeGroup] = None
    for node in list(root.children()):
        node.removeCustomProperty(_BREAK_PROPERTY)
        if isinstance(node, QgsLayerTreeGroup):
            if whole is not None and node.customProperty(CONTINUED_PROPERTY):
                for layer in list(node.children()):
                    whole.addChildNode(layer.clone())
                root.removeChildNode(node)
            else:
                whole = node
        else:
            whole = None
    for parent in (root, *root.findGroups()):
        for layer in [node for node in parent.children() if isinstance(node, QgsLayerTreeLayer)]:
            layer.removeCustomProperty(_BREAK_PROPERTY)
            if layer.customProperty(CONTINUED_PROPERTY):
                parent.removeChildNode(layer)
            elif QgsMapLayerLegendUtils.hasLegendNodeOrder(layer):
                layer.removeCustomProperty(_ORDER_PROPERTY)
                model.refreshLayerLegend(layer)


def divide(model: QgsLayerTreeModel, parts: Sequence[LegendPart], breaks: Sequence[int]) -> List[QgsLayerTreeNode]:
    """Build the tree so that QGIS begins a column at each of ``breaks``, positions in ``parts``.

    Return the nodes that continue a divided group or layer, whose titles the caller completes.
    """
    root = model.rootGroup()
    continued: List[QgsLayerTreeNode] = []
    nodes = list(root.children())
    # the last first, so that the positions of the others stay
    for position in reversed(breaks):
        part, node = parts[position], nodes[parts[position].group]
        if part.layer is None and part.entry is None:
            node.setCustomProperty(_BREAK_PROPERTY, 1)
        elif isinstance(node, QgsLayerTreeGroup):
            group = root.insertGroup(root.children().index(node) + 1, node.name())
            group.setCustomProperty(TITLE_PROPERTY, node.customProperty(TITLE_PROPERTY))
            group.setCustomProperty(_BREAK_PROPERTY, 1)
            group.setCustomProperty(CONTINUED_PROPERTY, True)
            continued.append(group)
            members = list(node.children())[part.layer or 0:]
            for number, member in enumerate(members):
                clone = member.clone()
                group.addChildNode(clone)
                if number == 0 and part.entry is not None:
                    continued.append(_divide_layer(model, member, clone, part.entry))
                else:
                    node.removeChildNode(member)
        elif part.entry is not None:
            clone = node.clone()
            root.insertChildNode(root.children().index(node) + 1, clone)
            clone.setCustomProperty(_BREAK_PROPERTY, 1)
            continued.append(_divide_layer(model, node, clone, part.entry))
    return continued


def _divide_layer(model: QgsLayerTreeModel, layer: QgsLayerTreeLayer, rest: QgsLayerTreeLayer,
                  entry: int) -> QgsLayerTreeLayer:
    """Leave the entries before ``entry`` to ``layer`` and give the others to ``rest``. Return ``rest``."""
    order = QgsMapLayerLegendUtils.legendNodeOrder(layer) if QgsMapLayerLegendUtils.hasLegendNodeOrder(
        layer) else list(range(len(model.layerLegendNodes(layer, True))))
    for node, members in ((layer, [number for number in order if number < entry]),
                          (rest, [number for number in order if number >= entry])):
        QgsMapLayerLegendUtils.setLegendNodeOrder(node, members)
        model.refreshLayerLegend(node)
    rest.setCustomProperty(CONTINUED_PROPERTY, True)
    return rest


def has_heading(layer: QgsLayerTreeLayer) -> bool:
    """Return whether the legend shows the layer's title above its entries."""
    return bool(layer.customProperty("legend/title-style") != "hidden")


def layer_parts(group: int, layer: Optional[int], heading: float, entries: Sequence[float],
                group_heading: float) -> List[LegendPart]:
    """Return the parts of one layer: its heading if it has one (above 0 mm high), then its entries with their heights.

    ``group_heading`` is the height of the heading of its group, 0 for a layer in the root.
    """
    parts: List[LegendPart] = []
    # the group's first layer stays with the group's heading
    begin = None if layer == 0 else _GROUP_COST if layer is not None else 0
    if heading > 0:
        parts.append(LegendPart(heading, begin, group_heading, group, layer))
    for number, height in enumerate(entries):
        cost: Optional[int] = None
        if number == 0 and heading <= 0:
            cost = begin
        elif _MIN_ENTRIES <= number <= len(entries) - _MIN_ENTRIES:
            cost = _LAYER_COST
        # an undivided layer begins without the number of an entry
        parts.append(LegendPart(height, cost, group_heading + (heading if number else 0.0), group, layer,
                                number if number else None))
    return parts
