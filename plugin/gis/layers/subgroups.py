"""The sub-groups of a custom map's group in the layer tree: one for each service of two or more layers.

A sub-group is known by its mark and belongs to the service that has most of the layers in it, because a person may
drag layers and sub-groups anywhere.
"""

from __future__ import annotations

from collections import Counter
from typing import Collection, Dict, Iterable, List, Optional, Sequence, Tuple

from qgis.core import QgsLayerTreeGroup, QgsLayerTreeLayer, QgsLayerTreeNode, QgsProject

from ...core.text import bounded_title, inert
from .group_marks import SUBGROUP_PROPERTY, is_subgroup, map_group_of
from .group_parts import GroupPart


def find_subgroups(group: QgsLayerTreeGroup, parts: Sequence[GroupPart]) -> Dict[int, QgsLayerTreeGroup]:
    """Return the sub-groups that parts of the map have now, by the numbers of the parts, wherever they are.

    An empty one belongs to a service of its name, whose layers are being replaced.
    """
    numbers = {item.layer.id(): number for number, part in enumerate(parts) if part.title is not None
               for item in part.layers}
    claims: List[Tuple[int, bool, int, QgsLayerTreeGroup]] = []
    for subgroup in _subgroups_of_map(group, numbers):
        counts = Counter(numbers[layer_id] for layer_id in _own_layer_ids(subgroup) if layer_id in numbers)
        for number, part in enumerate(parts):
            has_name = part.title is not None and subgroup.customProperty(SUBGROUP_PROPERTY) == _shown_title(part)
            if counts[number] or has_name:
                claims.append((counts[number], has_name, number, subgroup))
    found: Dict[int, QgsLayerTreeGroup] = {}
    for _, _, number, subgroup in sorted(claims, key=lambda claim: claim[:2], reverse=True):
        if number not in found and not any(subgroup is other for other in found.values()):
            found[number] = subgroup
    return found


def renamed_title(subgroup: QgsLayerTreeGroup) -> str:
    """Return the name that a person gave to a sub-group, or "" if it has the one that was given to it last."""
    name = str(subgroup.name())
    return name if name.strip() and name != subgroup.customProperty(SUBGROUP_PROPERTY) else ""


def is_expanded(project: QgsProject, layer_ids: Iterable[str]) -> Optional[bool]:
    """Return whether the sub-group with any of the layers shows its layers, or None if they are in none."""
    root = project.layerTreeRoot()
    nodes = (root.findLayer(layer_id) for layer_id in layer_ids)
    return next((bool(node.parent().isExpanded()) for node in nodes
                 if node is not None and is_subgroup(node.parent())), None)


def new_subgroup(part: GroupPart) -> QgsLayerTreeGroup:
    """Return an empty sub-group for a part, not yet in a tree."""
    subgroup = QgsLayerTreeGroup(_shown_title(part))
    show_part(subgroup, part)
    subgroup.setExpanded(part.expanded)
    return subgroup


def show_part(subgroup: QgsLayerTreeGroup, part: GroupPart) -> bool:
    """Give a sub-group the name and tick of its part. Return whether the name was another."""
    if subgroup.itemVisibilityChecked() != part.visible:
        subgroup.setItemVisibilityChecked(part.visible)
    title = _shown_title(part)
    if subgroup.name() == title and subgroup.customProperty(SUBGROUP_PROPERTY) == title:
        return False
    subgroup.setName(title)
    subgroup.setCustomProperty(SUBGROUP_PROPERTY, title)
    return True


def gather_subgroups(group: QgsLayerTreeGroup, layer_ids: Collection[str]) -> bool:
    """Put the sub-groups that were dragged elsewhere among the children of the map's group. Return whether any was."""
    gathered = False
    while True:
        stray = next((one for one in _subgroups_of_map(group, layer_ids) if one.parent() is not group), None)
        if stray is None:
            return gathered
        group.addChildNode(stray.clone())
        stray.parent().removeChildNode(stray)
        gathered = True


def release_subgroups(nodes: Sequence[QgsLayerTreeNode]) -> bool:
    """Remove those of ``nodes`` that are empty sub-groups, and make the others ordinary groups. Return whether any was.

    What else a person put into a sub-group stays in it.
    """
    released = [node for node in nodes if is_subgroup(node)]
    for node in released:
        if node.children():
            node.removeCustomProperty(SUBGROUP_PROPERTY)
        else:
            node.parent().removeChildNode(node)
    return bool(released)


def _subgroups_of_map(group: QgsLayerTreeGroup, layer_ids: Collection[str]) -> List[QgsLayerTreeGroup]:
    """Return the sub-groups in the map's group, and those with any of the layers that are in no map's group."""
    root = group
    while root.parent() is not None:
        root = root.parent()
    found = []
    for one in root.findGroups(True):
        if is_subgroup(one):
            owner = map_group_of(one)
            if owner is group or (owner is None and not set(_own_layer_ids(one)).isdisjoint(layer_ids)):
                found.append(one)
    return found


def _own_layer_ids(subgroup: QgsLayerTreeGroup) -> List[str]:
    """Return the ids of the layers that are in a sub-group itself, and not in a group in it."""
    return [node.layerId() for node in subgroup.children() if isinstance(node, QgsLayerTreeLayer)]


def _shown_title(part: GroupPart) -> str:
    return inert(bounded_title(part.title or ""))
