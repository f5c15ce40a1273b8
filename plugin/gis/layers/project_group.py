"""Layers of a custom map into a project: one group, base below, overlays above, and never twice by accident."""

from __future__ import annotations

from typing import Iterable, List, Optional, Sequence, Tuple

from qgis.core import QgsLayerTreeGroup, QgsLayerTreeNode, QgsMapLayer, QgsProject

from ...core.custommap.model import Plan
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ..layouts import qgis_server_entries
from .wms_layers import BuiltLayers

#: what marks a group as a custom map's, and says which
MAP_PROPERTY = "cartoguide/map"


class AlreadyInProject(CartoguideError):
    """The project holds this map already; ask whether to replace it."""


def find_group(title: str, project: QgsProject) -> Optional[QgsLayerTreeGroup]:
    """The group of the custom map called ``title``, or None."""
    return next((group for group in project.layerTreeRoot().findGroups(True)
                 if group.customProperty(MAP_PROPERTY) == title), None)


def add_to_project(plan: Plan, built: BuiltLayers, project: QgsProject, title: str = "",
                   existing: str = "refuse") -> QgsLayerTreeGroup:
    """Put what was built into one group at the top of the project, in the plan's order, and return the group.

    ``existing`` says what to do where the map is in the project already: "refuse" (AlreadyInProject), "replace" (its
    place in the layer tree is kept) or "keep" (a second group). CartoguideError where there is no layer to add.
    """
    title = title or plan.title or tr("Custom map")
    if not built.layers:
        raise CartoguideError(tr("None of the layers of “{title}” could be made.", title=title),
                              "\n".join(failure.error.user_text for failure in built.failures))
    former = find_group(title, project)
    if former is not None and existing == "refuse":
        raise AlreadyInProject(tr("“{title}” is in the project already. Replace it, or add it a second time.",
                                  title=title))
    parent, place = project.layerTreeRoot(), 0
    if former is not None and existing == "replace":
        parent, place = former.parent(), former.parent().children().index(former)
        remove_group(former, project)
    group = _make_group(plan, built, title)
    project.addMapLayers([layer for _, layer in built.layers], False)
    parent.insertChildNode(place, group)
    qgis_server_entries.update_server_entries(project, plan.language)
    return group


def remove_group(group: QgsLayerTreeGroup, project: QgsProject) -> None:
    """Take a custom map out of the project: its group and its layers."""
    ids = group.findLayerIds()
    group.parent().removeChildNode(group)
    project.removeMapLayers(ids)
    qgis_server_entries.update_server_entries(project)


def _make_group(plan: Plan, built: BuiltLayers, title: str) -> QgsLayerTreeGroup:
    """The group with its layers, not yet in any tree, so that the project's tree changes once."""
    group = QgsLayerTreeGroup(title)
    group.setCustomProperty(MAP_PROPERTY, title)
    ordered = sorted(built.layers, key=lambda pair: pair[0].role != "base")
    for layer_plan, layer in ordered:
        node = group.insertLayer(0, layer)
        node.setItemVisibilityChecked(layer_plan.visible)
        node.setExpanded(False)
    return group


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
