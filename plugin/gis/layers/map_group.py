"""The custom map's group in the layer tree, kept in step while it is composed: order, title, visibility, opacity."""

from __future__ import annotations

from typing import Iterable, List, Optional, Sequence, Tuple

from qgis.core import QgsLayerTreeGroup, QgsLayerTreeNode, QgsMapLayer, QgsProject

from ..credits import qgis_server_entries
from .project_group import MAP_PROPERTY


def group_of_layers(project: QgsProject, layer_ids: Iterable[str]) -> Optional[QgsLayerTreeGroup]:
    """The custom map's group that holds any of the layers, or None."""
    for layer_id in layer_ids:
        node = project.layerTreeRoot().findLayer(layer_id)
        while node is not None:
            if isinstance(node, QgsLayerTreeGroup) and node.customProperty(MAP_PROPERTY):
                return node
            node = node.parent()
    return None


def arrange_group(project: QgsProject, title: str, layers: Sequence[Tuple[QgsMapLayer,
                                                                          bool]]) -> Optional[QgsLayerTreeGroup]:
    """Put ``layers`` (bottom first, with whether each is seen) into one group in this order; new ones are added.

    The group is made at the top of the tree where there is none yet; nodes of the person's own in it go below.
    """
    if not layers:
        return None
    group = group_of_layers(project, [layer.id() for layer, _ in layers])
    project.addMapLayers([layer for layer, _ in layers if project.mapLayer(layer.id()) is None], False)
    if group is None and not any(project.layerTreeRoot().findLayer(layer.id()) for layer, _ in layers):
        return _insert_new_group(project, title, layers)
    if group is None:
        group = project.layerTreeRoot().insertGroup(0, title)
    rename_group(group, title)
    for place, (layer, seen) in enumerate(reversed(layers)):
        _place_layer(project, group, place, layer, seen)
    qgis_server_entries.update_server_entries(project)
    return group


def _insert_new_group(project: QgsProject, title: str, layers: Sequence[Tuple[QgsMapLayer, bool]]) -> QgsLayerTreeGroup:
    """A new group with all its layers, which comes into the tree at once: each change of it costs the window time."""
    group = QgsLayerTreeGroup(title)
    rename_group(group, title)
    for layer, seen in reversed(layers):
        node = group.addLayer(layer)
        node.setItemVisibilityChecked(seen)
        node.setExpanded(False)
    project.layerTreeRoot().insertChildNode(0, group)
    qgis_server_entries.update_server_entries(project)
    return group


def rename_group(group: QgsLayerTreeGroup, title: str) -> None:
    """Give the group the map's title, in the tree and in what marks it."""
    if group.name() != title:
        group.setName(title)
    group.setCustomProperty(MAP_PROPERTY, title or "map")


def set_visible(project: QgsProject, layer_ids: Iterable[str], visible: bool) -> None:
    """Show or hide the layers in the tree."""
    for layer_id in layer_ids:
        node = project.layerTreeRoot().findLayer(layer_id)
        if node is not None:
            node.setItemVisibilityChecked(visible)


def set_opacity(project: QgsProject, layer_ids: Iterable[str], opacity: float) -> None:
    """Draw the layers with ``opacity`` (0 to 1)."""
    for layer_id in layer_ids:
        layer = project.mapLayer(layer_id)
        if layer is not None:
            layer.setOpacity(opacity)
            layer.triggerRepaint()


def remove_layers(project: QgsProject, layer_ids: Sequence[str]) -> None:
    """Take the layers out of the project, and the map's group too where nothing is left in it."""
    group = group_of_layers(project, layer_ids)
    project.removeMapLayers([layer_id for layer_id in layer_ids if project.mapLayer(layer_id) is not None])
    if group is not None and not group.children() and group.parent() is not None:
        group.parent().removeChildNode(group)
    qgis_server_entries.update_server_entries(project)


def _place_layer(project: QgsProject, group: QgsLayerTreeGroup, place: int, layer: QgsMapLayer, seen: bool) -> None:
    children: List[QgsLayerTreeNode] = group.children()
    node = project.layerTreeRoot().findLayer(layer.id())
    if node is not None and place < len(children) and children[place] is node:
        return
    if node is None:
        fresh = group.insertLayer(place, layer)
        fresh.setItemVisibilityChecked(seen)
        fresh.setExpanded(False)
        return
    # a node is moved as a copy: taking the only node of a layer away would take the layer out of the project
    group.insertChildNode(place, node.clone())
    node.parent().removeChildNode(node)
