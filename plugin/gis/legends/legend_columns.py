"""Columns of a layout's legend: groups and layers are kept whole, or are continued under a heading that says so.

QGIS breaks a legend into columns after any entry. Here the breaks are chosen first, and the tree is built so that QGIS
breaks there: a group or layer that goes on in the next column is in the tree a second time, with the rest of its
entries and with its title followed by a word such as “(continued)”. What the columns of a page have no room for is
taken out of the tree in the same way, for the legend of the next page.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple

from qgis.core import QgsLayerTreeGroup, QgsLayerTreeLayer, QgsLayerTreeModel, QgsLayerTreeNode, QgsMapLayerLegendUtils

#: properties of a node of the legend: its title without line breaks, and True for the second part of a divided node
TITLE_PROPERTY, CONTINUED_PROPERTY = "cartoguide/title", "cartoguide/continued"
#: the numbers of the entries that a layer of the legend shows, where it does not show all
_SHOWN_PROPERTY = "cartoguide/shown-entries"
_BREAK_PROPERTY, _ORDER_PROPERTY = "legend/column-break", "legend/node-order"
#: costs of a break between the layers of a group and between the entries of a layer (0 between groups), and of none
#: where a column should begin
_GROUP_COST, _LAYER_COST, _APART_COST = 2, 5, 4
#: entries of a layer that stay together at either side of a break
_MIN_ENTRIES = 2


@dataclass(frozen=True)
class LegendPart:
    """One line of a legend with its height (millimetres), and what a column that begins with it has above it.

    ``break_cost`` is None where no column may begin, ``is_apart`` is True where one should. ``heading_height`` is the
    height of the headings that are repeated there. Without any the column does without the part's space ``above`` it,
    which is in its height. ``group``, ``layer`` and ``entry`` say which node of the tree the
    part is: position in the root, position in the group (None for the group's heading or a layer in the root) and
    number of the entry (None for a heading).
    """

    height: float
    break_cost: Optional[int]
    heading_height: float = 0.0
    group: int = 0
    layer: Optional[int] = None
    entry: Optional[int] = None
    is_apart: bool = False
    above: float = 0.0


def column_breaks(parts: Sequence[LegendPart], columns: int, height: float) -> Optional[Tuple[int, ...]]:
    """Return the positions in ``parts`` at which the second and later columns begin, or None if they do not fit.

    No column is higher than ``height`` (millimetres). Among the possible breaks those that divide least are taken, and
    of these the ones with the most equal columns.
    """
    for best in _columns_filled(parts, columns, height):
        if len(parts) in best:
            return best[len(parts)][2]
    return None if parts else ()


def filled_columns(parts: Sequence[LegendPart], columns: int, height: float,
                   is_spread: bool = False) -> Tuple[Tuple[int, ...], int]:
    """Return the breaks as ``column_breaks`` does, for as many parts as fit, and the number of these.

    Up to a seventh of what fits is left for the next page where that divides less. 0 parts if not even the first fit.
    If all fit they take no more columns than they need, or with ``is_spread`` those that are the least high.
    """
    best: _Filled = {}
    whole: List[Tuple[int, float, Tuple[int, ...]]] = []
    for best in _columns_filled(parts, columns, height):
        if len(parts) in best:
            whole.append(best[len(parts)])
            if not is_spread:
                break
    if whole:
        return min(whole, key=lambda filled: filled[:2])[2], len(parts)
    costs = {end: cost + begin_cost for end, (cost, _squares, _breaks) in best.items()
             if end and (begin_cost := parts[end].break_cost) is not None}
    if not costs:
        return (), 0
    furthest = max(costs)
    end = min((end for end in costs if end >= 0.85 * furthest), key=lambda end: (costs[end], -end))
    return best[end][2], end


#: by end of a column: cost, sum of the squared heights of the columns, which is least for equal ones, their beginnings
_Filled = Dict[int, Tuple[int, float, Tuple[int, ...]]]


def _columns_filled(parts: Sequence[LegendPart], columns: int, height: float) -> Iterator[_Filled]:
    """Yield how far the parts fill one column, two, and so on up to ``columns``, in the best way to each end."""
    best: _Filled = {0: (0, 0.0, ())}
    for _column in range(columns):
        following: _Filled = {}
        for start, (cost, squares, breaks) in best.items():
            begin_cost = parts[start].break_cost if start and start < len(parts) else 0
            if begin_cost is None or start == len(parts):
                continue
            first = parts[start]
            filled = first.heading_height if start and first.heading_height else -first.above
            for end in range(start + 1, len(parts) + 1):
                filled += parts[end - 1].height
                if filled > height:
                    break
                if parts[end - 1].is_apart and end > start + 1:
                    begin_cost += _APART_COST
                if end < len(parts) and parts[end].break_cost is None:
                    continue
                candidate = cost + begin_cost, squares + filled ** 2, (*breaks, start) if start else breaks
                if end not in following or candidate[:2] < following[end][:2]:
                    following[end] = candidate
        yield following
        best = following


def break_cost(parts: Sequence[LegendPart], breaks: Sequence[int]) -> int:
    """Return the cost of the breaks: 0 if nothing is divided."""
    return sum(parts[position].break_cost or 0 for position in breaks) + sum(
        _APART_COST for position, part in enumerate(parts) if part.is_apart and position and position not in breaks)


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
                shown = _shown_entries(layer)
                if shown is None:
                    layer.removeCustomProperty(_ORDER_PROPERTY)
                elif shown != list(QgsMapLayerLegendUtils.legendNodeOrder(layer)):
                    QgsMapLayerLegendUtils.setLegendNodeOrder(layer, shown)
                else:
                    continue
                model.refreshLayerLegend(layer)


def show_entries(model: QgsLayerTreeModel, layer: QgsLayerTreeLayer, numbers: Sequence[int]) -> None:
    """Let a layer of the legend show these of its entries, in this order, however it is divided."""
    layer.setCustomProperty(_SHOWN_PROPERTY, ",".join(map(str, numbers)))
    QgsMapLayerLegendUtils.setLegendNodeOrder(layer, list(numbers))
    model.refreshLayerLegend(layer)


def entry_numbers(layer: QgsLayerTreeLayer, count: int) -> List[int]:
    """Return the numbers of the ``count`` entries that an undivided layer of the legend shows."""
    shown = _shown_entries(layer)
    return list(range(count)) if shown is None else shown


def shows_some(layer: QgsLayerTreeLayer) -> bool:
    """Return whether the numbers of the entries that the layer shows are chosen, as by ``show_entries``."""
    return _shown_entries(layer) is not None


def _shown_entries(layer: QgsLayerTreeLayer) -> Optional[List[int]]:
    saved = layer.customProperty(_SHOWN_PROPERTY)
    return None if saved is None else [int(number) for number in str(saved).split(",") if number]


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
            for name in node.customProperties():
                group.setCustomProperty(name, node.customProperty(name))
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


class SplitLegend(NamedTuple):
    """Nodes that were taken out of a legend for another one, in their order, and those that a break divided.

    ``continued`` are the nodes of the rest that go on with a divided group or layer, whose titles the caller completes.
    ``divided`` is the layer whose entries were divided, and the layer with the rest of them.
    """

    rest: Tuple[QgsLayerTreeNode, ...]
    continued: Tuple[QgsLayerTreeNode, ...]
    divided: Optional[Tuple[QgsLayerTreeLayer, QgsLayerTreeLayer]]


def split_off(model: QgsLayerTreeModel, parts: Sequence[LegendPart], position: int) -> SplitLegend:
    """Take the parts from ``position`` on out of an undivided legend, for good: ``join_parts`` does not undo it."""
    root = model.rootGroup()
    divide(model, parts, [position])
    children = list(root.children())
    first = next(number for number, node in enumerate(children) if node.customProperty(_BREAK_PROPERTY))
    rest = tuple(node.clone() for node in children[first:])
    root.removeChildren(first, len(rest))
    rest[0].removeCustomProperty(_BREAK_PROPERTY)
    continued = [node for node in (rest[0], *rest[0].children()[:1]) if node.customProperty(CONTINUED_PROPERTY)]
    divided = None
    for node in continued:
        node.removeCustomProperty(CONTINUED_PROPERTY)
        if isinstance(node, QgsLayerTreeLayer):
            former = children[first - 1]
            former = former.children()[-1] if isinstance(former, QgsLayerTreeGroup) else former
            for layer in (former, node):
                show_entries(model, layer, QgsMapLayerLegendUtils.legendNodeOrder(layer))
            divided = former, node
    return SplitLegend(rest, tuple(continued), divided)


def _divide_layer(model: QgsLayerTreeModel, layer: QgsLayerTreeLayer, rest: QgsLayerTreeLayer,
                  entry: int) -> QgsLayerTreeLayer:
    """Leave the entries before ``entry`` to ``layer`` and give the others to ``rest``. Return ``rest``."""
    order = QgsMapLayerLegendUtils.legendNodeOrder(layer) if QgsMapLayerLegendUtils.hasLegendNodeOrder(
        layer) else list(range(len(model.layerLegendNodes(layer, True))))
    for node, members in ((layer, order[:entry]), (rest, order[entry:])):
        QgsMapLayerLegendUtils.setLegendNodeOrder(node, members)
        model.refreshLayerLegend(node)
    rest.setCustomProperty(CONTINUED_PROPERTY, True)
    return rest


def has_heading(layer: QgsLayerTreeLayer) -> bool:
    """Return whether the legend shows the layer's title above its entries."""
    return bool(layer.customProperty("legend/title-style") != "hidden")


def layer_parts(group: int, layer: Optional[int], heading: float, entries: Sequence[float], group_continued: float,
                continued: Optional[float] = None, above: Tuple[float, float] = (0.0, 0.0)) -> List[LegendPart]:
    """Return the parts of one layer: its heading if it has one (above 0 mm high), then its entries with their heights.

    ``group_continued`` is the height of the heading where its group goes on, 0 for a layer in the root, ``continued``
    that of the layer's own. ``above`` are the spaces above heading and entries that are in their heights.
    """
    continued = heading if continued is None else continued
    parts: List[LegendPart] = []
    # the group's first layer stays with the group's heading
    begin = None if layer == 0 else _GROUP_COST if layer is not None else 0
    if heading > 0:
        parts.append(LegendPart(heading, begin, group_continued, group, layer, above=above[0]))
    for number, height in enumerate(entries):
        cost: Optional[int] = None
        if number == 0 and heading <= 0:
            cost = begin
        elif _MIN_ENTRIES <= number <= len(entries) - _MIN_ENTRIES:
            cost = _LAYER_COST
        # an undivided layer begins without the number of an entry
        parts.append(LegendPart(height, cost, group_continued + (continued if number else 0.0), group, layer,
                                number if number else None, above=above[1]))
    return parts
