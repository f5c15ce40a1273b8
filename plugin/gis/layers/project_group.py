"""The layer tree group of a custom map: add, replace, rearrange and remove its layers.

The base lies at the bottom and the overlays above it. The group follows the order, titles, visibility and opacity of
the map while it is composed.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Collection, Iterable, List, Optional, Sequence, Tuple

from qgis.core import QgsLayerTreeGroup, QgsLayerTreeLayer, QgsLayerTreeNode, QgsMapLayer, QgsProject
from qgis.PyQt import sip

from ...core.custommap.model import MapRole, OwnLayer, Plan
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.text import inert
from ..credits.layer_metadata import ENDPOINT, OWN_LAYER
from ..layouts import qgis_server_entries
from ..own_layers.drawing import layers_in_drawing_order
from ..own_layers.references import can_be_referred_to, find_layer, open_layer
from .wms_layers import BuiltLayers

#: property that marks a group as a custom map's and holds its title
MAP_PROPERTY = "cartoguide/map"


@dataclass(frozen=True)
class GroupLayer:
    """One layer of a custom map's group.

    ``shown`` is whether it is ticked, None to leave the ticks of a time series alone. ``initially_shown`` is the tick
    of a layer that is new in the tree. ``opacity`` is 0 to 1.
    """

    layer: QgsMapLayer
    shown: Optional[bool]
    initially_shown: bool
    opacity: float


class ExistingGroup(str, Enum):
    """Treatment of a custom map that the project contains already."""

    REFUSE = "refuse"
    REPLACE = "replace"
    KEEP = "keep"


class AlreadyInProject(CartoguideError):
    """The project contains this map. Ask the person whether to replace it."""


def find_group(title: str, project: QgsProject) -> Optional[QgsLayerTreeGroup]:
    """Return the group of the custom map called ``title``, or None."""
    return next((group for group in project.layerTreeRoot().findGroups(True)
                 if group.customProperty(MAP_PROPERTY) == title), None)


def add_to_project(plan: Plan, built: BuiltLayers, project: QgsProject, title: str = "",
                   existing: ExistingGroup = ExistingGroup.REFUSE) -> QgsLayerTreeGroup:
    """Add the layers as one group at the top of the project, in the plan's order, and return the group.

    ``existing`` decides about a map that the project contains: REFUSE raises AlreadyInProject, REPLACE puts the new
    group in the old one's position, KEEP adds a second group. Raises CartoguideError if none of the layers could be
    made.
    """
    title = title or plan.title or tr("Custom map")
    if not built.layers and not plan.own_layers:
        raise CartoguideError(tr("None of the layers of “{title}” could be created.", title=title),
                              "\n".join(failure.error.user_text for failure in built.failures))
    former = find_group(title, project)
    if former is not None and existing is ExistingGroup.REFUSE:
        raise AlreadyInProject(tr("“{title}” is in the project already. Replace it, or add it a second time.",
                                  title=title))
    parent, position = project.layerTreeRoot(), 0
    if former is not None and existing is ExistingGroup.REPLACE:
        parent, position = former.parent(), former.parent().children().index(former)
        remove_group(former, project)
    group = _make_group(plan, built, title)
    project.addMapLayers([layer for _, layer in built.layers], False)
    parent.insertChildNode(position, group)
    qgis_server_entries.update_server_entries(project, plan.language)
    return group


def add_plain_group(plan: Plan, built: BuiltLayers, project: QgsProject, title: str = "") -> QgsLayerTreeGroup:
    """Add the layers as a group at the top of the project that is not a custom map, and return it.

    Raises CartoguideError if none of the layers could be made.
    """
    group = add_to_project(plan, built, project, title, existing=ExistingGroup.KEEP)
    group.removeCustomProperty(MAP_PROPERTY)
    # collapsed: an expanded group requests the legend of every layer
    group.setExpanded(False)
    return group


def remove_plain_group(group: QgsLayerTreeGroup, project: QgsProject) -> None:
    """Remove such a group with its layers, unless the person has removed it already."""
    if not sip.isdeleted(group) and group.parent() is not None:
        remove_group(group, project)


def add_own_layers(plan: Plan, built: BuiltLayers, group: QgsLayerTreeGroup, project: QgsProject) -> List[str]:
    """Open the plan's own layers and put them into the map's group, in their places. Return why any could not be.

    Main thread only. The layers of services must be in the group, those of BuiltLayers and no others.
    """
    failures = []
    for own in plan.own_layers:
        try:
            if find_layer(project, own) is None:
                project.addMapLayer(open_layer(own), False)
        except CartoguideError as error:
            failures.append(error.user_text)
    order = [pair for pair in layers_in_drawing_order(plan, built.layers, project) if pair[1] is not None]
    for position, (part, layer) in enumerate(reversed(order)):
        if isinstance(part, OwnLayer) and layer is not None:
            _place_layer(project, group, position, GroupLayer(layer, part.visible, part.visible, part.opacity))
    qgis_server_entries.update_server_entries(project, plan.language)
    return failures


def remove_group(group: QgsLayerTreeGroup, project: QgsProject) -> None:
    """Remove a custom map's group and the layers of its services from the project. Own layers stay in the project."""
    for node in reversed(group.findLayers()):
        if node.layer() is not None and node.layer().customProperty(OWN_LAYER):
            move_out_of_group(group, node)
    ids = group.findLayerIds()
    group.parent().removeChildNode(group)
    project.removeMapLayers(ids)
    qgis_server_entries.update_server_entries(project)


def move_out_of_group(group: QgsLayerTreeGroup, node: QgsLayerTreeNode) -> None:
    """Move a node of a map's group to the place above the group."""
    parent = group.parent()
    parent.insertChildNode(parent.children().index(group), node.clone())
    node.parent().removeChildNode(node)


def _make_group(plan: Plan, built: BuiltLayers, title: str) -> QgsLayerTreeGroup:
    """Return the group with its layers, not yet in a tree, so that the project's tree changes only once."""
    group = QgsLayerTreeGroup(inert(title))
    group.setCustomProperty(MAP_PROPERTY, title)
    ordered = sorted(built.layers, key=lambda pair: pair[0].role is not MapRole.BASE)
    for layer_plan, layer in ordered:
        node = group.insertLayer(0, layer)
        node.setItemVisibilityChecked(layer_plan.visible)
        node.setExpanded(False)
    return group


def group_of_layers(project: QgsProject, layer_ids: Iterable[str]) -> Optional[QgsLayerTreeGroup]:
    """Return the custom map's group that contains any of the layers, or None."""
    for layer_id in layer_ids:
        node = project.layerTreeRoot().findLayer(layer_id)
        while node is not None:
            if isinstance(node, QgsLayerTreeGroup) and node.customProperty(MAP_PROPERTY):
                return node
            node = node.parent()
    return None


def arrange_group(project: QgsProject, title: str, layers: Sequence[GroupLayer],
                  group: Optional[QgsLayerTreeGroup]) -> QgsLayerTreeGroup:
    """Make the group show ``layers`` (bottom first) in this order, adding new ones, and return it.

    Without ``group`` one is made at the top of the tree. Nodes that the person added to it move below. Nothing is
    touched that is as it should be, because each change of the tree costs the window time.
    """
    project.addMapLayers([item.layer for item in layers if project.mapLayer(item.layer.id()) is None], False)
    for item in layers:
        if item.layer.isValid() and abs(item.layer.opacity() - item.opacity) >= 0.002:
            item.layer.setOpacity(item.opacity)
            item.layer.triggerRepaint()
    if group is None and not any(project.layerTreeRoot().findLayer(item.layer.id()) for item in layers):
        return _insert_new_group(project, title, layers)
    if group is None:
        group = project.layerTreeRoot().insertGroup(0, inert(title))
    changed = rename_group(group, title)
    for position, item in enumerate(reversed(layers)):
        changed = _place_layer(project, group, position, item) or changed
    if changed:
        qgis_server_entries.update_server_entries(project)
    return group


def _insert_new_group(project: QgsProject, title: str, layers: Sequence[GroupLayer]) -> QgsLayerTreeGroup:
    """Insert a new group with all its layers at once, because each change of the tree costs the GUI time."""
    group = QgsLayerTreeGroup(inert(title))
    rename_group(group, title)
    for item in reversed(layers):
        node = group.addLayer(item.layer)
        node.setItemVisibilityChecked(item.initially_shown if item.shown is None else item.shown)
        node.setExpanded(False)
    project.layerTreeRoot().insertChildNode(0, group)
    qgis_server_entries.update_server_entries(project)
    return group


def rename_group(group: QgsLayerTreeGroup, title: str) -> bool:
    """Give the group the map's title, in the tree and in the property that marks it. Return whether it was another."""
    if group.name() == inert(title) and group.customProperty(MAP_PROPERTY) == (title or "map"):
        return False
    group.setName(inert(title))
    group.setCustomProperty(MAP_PROPERTY, title or "map")
    return True


def foreign_layers(group: QgsLayerTreeGroup, known: Collection[str]) -> List[Tuple[QgsMapLayer, bool]]:
    """Return the layers that a person put into a map's group, bottom first, each with its tick.

    ``known`` are the ids of the map's layers. Layers of services that were left out are not among them, nor is what a
    document cannot refer to.
    """
    found = [(node.layer(), bool(node.itemVisibilityChecked())) for node in reversed(group.children())
             if isinstance(node, QgsLayerTreeLayer) and node.layer() is not None]
    return [(layer, ticked) for layer, ticked in found
            if layer.id() not in known and can_be_own_layer(layer)]


def can_be_own_layer(layer: QgsMapLayer) -> bool:
    """Return whether ``layer`` can be put on a map as an own layer: services are added as such, with their terms."""
    return not layer.customProperty(ENDPOINT) and can_be_referred_to(layer)


def release_own_layers(group: QgsLayerTreeGroup, on_map: Collection[str]) -> None:
    """Move the nodes of own layers that are not on the map any more out of its group. ``on_map`` are layer ids."""
    for node in group.findLayers():
        layer = node.layer()
        if layer is not None and layer.customProperty(OWN_LAYER) and layer.id() not in on_map:
            move_out_of_group(group, node)


def release_group(group: QgsLayerTreeGroup) -> None:
    """Make the group of a map that has no services any more an ordinary one, and remove it if it is empty."""
    if not group.children() and group.parent() is not None:
        group.parent().removeChildNode(group)
        return
    for name in group.customProperties():
        if name.startswith("cartoguide/"):
            group.removeCustomProperty(name)


def set_visible(project: QgsProject, layer_ids: Iterable[str], visible: bool) -> None:
    """Show or hide the layers in the tree."""
    for layer_id in layer_ids:
        node = project.layerTreeRoot().findLayer(layer_id)
        if node is not None:
            node.setItemVisibilityChecked(visible)


def remove_layers(project: QgsProject, layer_ids: Sequence[str]) -> None:
    """Remove the layers from the project. The map's group stays."""
    present = [layer_id for layer_id in layer_ids if project.mapLayer(layer_id) is not None]
    if present:
        project.removeMapLayers(present)
        qgis_server_entries.update_server_entries(project)


def _place_layer(project: QgsProject, group: QgsLayerTreeGroup, position: int, item: GroupLayer) -> bool:
    """Put the layer at ``position`` of the group, ticked as it should be. Return whether anything was changed."""
    children: List[QgsLayerTreeNode] = group.children()
    node = project.layerTreeRoot().findLayer(item.layer.id())
    changed = False
    if node is None:
        node = group.insertLayer(position, item.layer)
        node.setExpanded(False)
        node.setItemVisibilityChecked(item.initially_shown)
        changed = True
    elif position >= len(children) or children[position] is not node:
        # a node is moved as a copy: removing a layer's only node would remove the layer from the project
        former, node = node, node.clone()
        group.insertChildNode(position, node)
        former.parent().removeChildNode(former)
        changed = True
    if item.shown is not None and node.itemVisibilityChecked() != item.shown:
        node.setItemVisibilityChecked(item.shown)
    return changed
