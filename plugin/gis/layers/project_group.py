"""The layer tree group of a custom map and its sub-groups: add, replace, rearrange and remove layers, known by marks.

The base lies at the bottom and the overlays above it. A service of two or more layers has a sub-group. The group
follows the order, titles, visibility and opacity of the map while it is composed.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import Enum
from itertools import groupby, takewhile
from typing import Collection, Dict, Iterable, List, Optional, Sequence, Tuple, Union

from qgis.core import (
    QgsFeedback,
    QgsLayerTreeGroup,
    QgsLayerTreeLayer,
    QgsLayerTreeNode,
    QgsMapLayer,
    QgsMapLayerLegendUtils,
    QgsProject,
    QgsRasterLayer,
)
from qgis.PyQt import sip

from ...core.custommap.model import BlendMode, LayerPlan, MapEntry, MapRole, OwnLayer, Plan
from ...core.errors import Cancelled, CartoguideError
from ...core.i18n import tr
from ...core.text import bounded_title, inert, unique_texts
from ..credits.layer_credits import written_credit
from ..credits.layer_metadata import given_name, set_private
from ..layouts import qgis_server_entries
from ..legends.legend_nodes import is_legend_hidden, restore_swatches
from ..own_layers.opening import open_layer
from ..own_layers.references import can_be_referred_to, find_layer, layers_in_drawing_order, show_credit
from ..runtime import compat
from ..sources.layer_source import ENDPOINT, OWN_LAYER, drawn_parts, mark
from .blend_modes import blend_of, set_blend, set_pale
from .wms_layers import BuiltLayers

#: property that marks a group as a custom map's and holds its title
MAP_PROPERTY = "cartoguide/map"
#: property that marks a sub-group of a service on a custom map and holds the name that was given to it
SUBGROUP_PROPERTY = "cartoguide/service-layers"


@dataclass(frozen=True)
class GroupLayer:
    """One layer of a custom map's group.

    ``ticked`` is whether it is drawn while its service is visible, None to leave the ticks of a time series alone.
    ``opacity`` is 0 to 1. ``blend`` is None for an own layer, which has it in its style. ``name`` is the one that a
    person gave to a layer of a service, "" for its title, and None for an own layer, which has it already.
    """

    layer: QgsMapLayer
    ticked: Optional[bool]
    opacity: float
    blend: Optional[BlendMode] = None
    name: Optional[str] = None
    private: bool = False
    #: drawn pale and grey, None to leave it as it is
    is_pale: Optional[bool] = None


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
                 expanded: Optional[bool] = None, pale: Optional[Collection[str]] = None) -> GroupPart:
    """Return the part of a service. ``layers`` are its QGIS layers with their WMS layer names, bottom first.

    ``ticks_are_moments`` is whether their ticks are left to the Temporal Controller, by default those of a series, and
    ``expanded`` whether a new sub-group shows its layers, by default one of no series. ``pale`` are the names of those
    that are drawn pale and grey.
    """
    # the moments of a series are too many to be seen at once
    is_series = bool(entry.moment)
    are_moments = is_series if ticks_are_moments is None else ticks_are_moments
    members = tuple(GroupLayer(layer, None if are_moments else name not in entry.hidden, entry.opacity_of(name),
                               entry.blend, entry.names.get(name, ""), name in entry.private,
                               None if pale is None else name in pale)
                    for name, layer in layers)
    return GroupPart(entry.title or entry.endpoint, members, entry.visible,
                     not is_series if expanded is None else expanded)


def own_part(own: OwnLayer, layer: Optional[QgsMapLayer]) -> GroupPart:
    """Return the part of an own layer. ``layer`` is its QGIS layer, or None if the project has none."""
    layers = (GroupLayer(layer, True, own.opacity, private=own.private),) if layer is not None else ()
    return GroupPart(None, layers, own.visible)


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
            parts.append(service_part(first.entry, [(plan.name, layer) for plan, layer in layers],
                                      pale=[plan.name for plan, _layer in layers if plan.is_pale])
                         if first.entry is not None else _part_without_entry(first, layers))
    return parts


def single_parts(pairs: Iterable[Tuple[LayerPlan, QgsMapLayer]]) -> List[GroupPart]:
    return [_part_without_entry(plan, [(plan, layer)]) for plan, layer in pairs]


def _part_without_entry(first: LayerPlan, layers: Iterable[Tuple[LayerPlan, QgsMapLayer]]) -> GroupPart:
    return GroupPart(first.service_title or first.address,
                     tuple(GroupLayer(layer, plan.visible, plan.opacity, plan.blend, plan.given_name, plan.private)
                           for plan, layer in layers))


def _part_key(part: Union[LayerPlan, OwnLayer]) -> Tuple[object, ...]:
    return (part.id,) if isinstance(part, OwnLayer) else (part.entry_index, part.role)


def is_subgroup(node: Optional[QgsLayerTreeNode]) -> bool:
    """Return whether ``node`` is the sub-group of a service."""
    return isinstance(node, QgsLayerTreeGroup) and SUBGROUP_PROPERTY in node.customProperties()


def map_group_of(node: Optional[QgsLayerTreeNode]) -> Optional[QgsLayerTreeGroup]:
    """Return the custom map's group that ``node`` is or is in, or None."""
    while node is not None:
        if isinstance(node, QgsLayerTreeGroup) and node.customProperty(MAP_PROPERTY):
            return node
        node = node.parent()
    return None


def groups_drawn_as_one(group: QgsLayerTreeGroup) -> List[QgsLayerTreeGroup]:
    """Return the visible groups that QGIS draws as one layer, where that makes a difference: with an opacity, a
    blending mode or effects, or with layers that mix with nothing but each other.

    These are the map's group, those in it, and those that it is in. Pages draw the layers themselves.
    """
    found: List[QgsLayerTreeGroup] = []
    around: Optional[QgsLayerTreeGroup] = group
    while around is not None:
        found.append(around)
        around = around.parent()
    return [one for one in (*found, *group.findGroups(True)) if one.isVisible() and effects_of_group(one)]


def effects_of_group(group: QgsLayerTreeGroup) -> List[str]:
    """Return what a group that QGIS draws as one layer looks other by, in words for people."""
    layer = compat.group_layer(group)
    if layer is None:
        return []
    effects = [tr("opacity {percent} %", percent=round(layer.opacity() * 100))] if layer.opacity() < 1 else []
    if any(blend_of(part) is not BlendMode.NORMAL for part in (layer, *drawn_parts(layer))):
        effects.append(tr("blending mode"))
    effect = layer.paintEffect()
    return [*effects, tr("effects")] if effect is not None and effect.enabled() else effects


def draw_one_by_one(project: QgsProject, group: QgsLayerTreeGroup) -> None:
    """Let QGIS draw the layers of a group one by one, as pages do."""
    layer = compat.group_layer(group)
    if layer is not None:
        group.setGroupLayer(None)
        project.removeMapLayer(layer.id())


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
    """Add the layers as one group of the project, in the plan's order, and return the group.

    A group with a base lies below the features of the project, any other one at the top.

    ``existing`` decides about a map that the project contains: REFUSE raises AlreadyInProject, REPLACE puts the new
    group in the old one's position, KEEP adds a second group. Raises CartoguideError if none of the layers could be
    made.
    """
    title = _group_title(plan, built, title)
    former = find_group(title, project)
    if former is not None and existing is ExistingGroup.REFUSE:
        raise AlreadyInProject(tr("“{title}” is in the project already. Replace it, or add it a second time.",
                                  title=title))
    parent, position = place_of_group(project, any(layer.role is MapRole.BASE for layer, _ in built.layers))
    if former is not None and existing is ExistingGroup.REPLACE:
        parent, position = former.parent(), former.parent().children().index(former)
        remove_group(former, project)
    return arrange_group(project, title, parts_of_plan(_base_first(built)), None, (parent, position), plan.language)


def add_plain_group(plan: Plan, built: BuiltLayers, project: QgsProject, title: str = "") -> QgsLayerTreeGroup:
    """Add the layers as a group at the top of the project that is not a custom map, and return it.

    Raises CartoguideError if none of the layers could be made.
    """
    group = arrange_group(project, _group_title(plan, built, title), single_parts(_base_first(built)), None,
                          language=plan.language)
    group.removeCustomProperty(MAP_PROPERTY)
    # collapsed: an expanded group requests the legend of every layer
    group.setExpanded(False)
    return group


def remove_plain_group(group: QgsLayerTreeGroup, project: QgsProject) -> None:
    """Remove such a group with its layers, unless the person has removed it already."""
    if not sip.isdeleted(group) and group.parent() is not None:
        remove_group(group, project)


def add_own_layers(plan: Plan, built: BuiltLayers, group: QgsLayerTreeGroup, project: QgsProject,
                   feedback: Optional[QgsFeedback] = None) -> List[str]:
    """Open the plan's own layers and put them into the map's group, in their places. Return why any could not be.

    Main thread only. Processes events until they have opened. The layers of services must be in the group, those of
    BuiltLayers and no others. Raises Cancelled.
    """
    failures = []
    for own in plan.own_layers:
        try:
            layer = find_layer(project, own)
            if layer is None:
                project.addMapLayer(open_layer(own, feedback), False)
            elif not written_credit(layer):
                show_credit(layer, own.credit)
        except Cancelled:
            raise
        except CartoguideError as error:
            failures.append(error.user_text)
    order = [(part, layer) for part, layer in layers_in_drawing_order(plan, built.layers, project) if layer is not None]
    if plan.own_layers:
        arrange_group(project, str(group.customProperty(MAP_PROPERTY)), parts_of_plan(order), group,
                      language=plan.language)
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


def _group_title(plan: Plan, built: BuiltLayers, title: str) -> str:
    """Return the title of the plan's group. Raises CartoguideError if there is nothing to put into it."""
    title = title or plan.title or tr("Custom map")
    if not built.layers and not plan.own_layers:
        reasons = unique_texts(failure.error.user_text for failure in built.failures)
        raise CartoguideError(
            " ".join((tr("None of the layers of “{title}” could be created.", title=title), *reasons[:2])),
            "\n".join(reasons))
    return title


def _base_first(built: BuiltLayers) -> List[Tuple[LayerPlan, QgsMapLayer]]:
    return sorted(built.layers, key=lambda pair: pair[0].role is not MapRole.BASE)


def group_of_layers(project: QgsProject, layer_ids: Iterable[str]) -> Optional[QgsLayerTreeGroup]:
    """Return the custom map's group that contains any of the layers, or None."""
    root = project.layerTreeRoot()
    groups = (map_group_of(root.findLayer(layer_id)) for layer_id in layer_ids)
    return next((group for group in groups if group is not None), None)


def place_of_group(project: QgsProject, has_base: bool) -> Tuple[QgsLayerTreeGroup, int]:
    """Return parent and position of a new group: at the top, or with a base below all but the lowest images.

    A base would hide what is in the project on the canvas, and would not be seen itself below an image.
    """
    root = project.layerTreeRoot()
    return root, len(root.children()) - len(_lowest_images(root.children())) if has_base else 0


def lower_group(project: QgsProject, group: QgsLayerTreeGroup) -> QgsLayerTreeGroup:
    """Move a group that has a base now to where a new one would lie, unless it is lower or in another group."""
    root = project.layerTreeRoot()
    _, position = place_of_group(project, True)
    if group.parent() is not root or root.children().index(group) >= position - 1:
        return group
    moved: QgsLayerTreeGroup = _move(group, root, position)
    return moved


def hidden_names(group: QgsLayerTreeGroup) -> List[str]:
    """Return the names of the visible nodes of the project that lie below a group, topmost first."""
    nodes = group.parent().children()
    return [node.name() for node in nodes[nodes.index(group) + 1:] if node.isVisible()]


def _lowest_images(nodes: Sequence[QgsLayerTreeNode]) -> List[QgsLayerTreeNode]:
    return list(takewhile(_has_images_alone, reversed(nodes)))


def _has_images_alone(node: QgsLayerTreeNode) -> bool:
    layers = [part.layer() for part in (node.findLayers() if isinstance(node, QgsLayerTreeGroup) else [node])]
    kind = compat.raster_layer_type()
    return bool(layers) and all(layer is not None and layer.type() == kind for layer in layers)


def arrange_group(project: QgsProject, title: str, parts: Sequence[GroupPart], group: Optional[QgsLayerTreeGroup],
                  place: Optional[Tuple[QgsLayerTreeGroup, int]] = None, language: str = "") -> QgsLayerTreeGroup:
    """Make the group show ``parts`` (bottom first) in this order, adding new layers, and return it.

    Without ``group`` one is made at ``place`` (a parent and a position), by default at the top of the tree. Nodes that
    the person added to it move below. Nothing is touched that is as it should be, because each change of the tree costs
    the window time. ``language`` is that of the entries for QGIS Server, by default QGIS's.
    """
    parts = [part for part in parts if part.layers]
    layers = [item for part in parts for item in part.layers]
    project.addMapLayers([item.layer for item in layers if project.mapLayer(item.layer.id()) is None], False)
    for item in layers:
        if item.name is not None and given_name(item.layer) != item.name:
            item.layer.setName(inert(item.name or item.layer.metadata().title()))
        set_private(item.layer, item.private)
        if item.layer.isValid() and abs(item.layer.opacity() - item.opacity) >= 0.002:
            item.layer.setOpacity(item.opacity)
            item.layer.triggerRepaint()
        if item.layer.isValid() and item.blend is not None:
            set_blend(item.layer, item.blend)
        if item.is_pale is not None and isinstance(item.layer, QgsRasterLayer):
            set_pale(item.layer, item.is_pale)
    root = project.layerTreeRoot()
    parent, position = place or (root, 0)
    if group is None and not any(root.findLayer(item.layer.id()) for item in layers):
        group = _new_group(title, parts)
        parent.insertChildNode(position, group)
        changed = True
    else:
        group = parent.insertGroup(position, inert(title)) if group is None else group
        changed = rename_group(group, title)
        changed = _arrange_parts(root, group, parts) or changed
    if changed:
        qgis_server_entries.update_server_entries(project, language)
    return group


def _new_group(title: str, parts: Sequence[GroupPart]) -> QgsLayerTreeGroup:
    """Return a group with all its layers, not yet in a tree, so that the project's tree changes only once."""
    group = QgsLayerTreeGroup(inert(title))
    rename_group(group, title)
    for part in reversed(parts):
        if part.has_subgroup:
            group.addChildNode(_filled(new_subgroup(part), part.layers))
        else:
            _add_layer(group, -1, part.layers[0], part.visible)
    return group


def _filled(subgroup: QgsLayerTreeGroup, layers: Sequence[GroupLayer]) -> QgsLayerTreeGroup:
    """Return a sub-group that is not yet in a tree, with ``layers`` (bottom first)."""
    for item in layers:
        _add_layer(subgroup, 0, item, True)
    return subgroup


def _add_layer(parent: QgsLayerTreeGroup, position: int, item: GroupLayer, visible: bool) -> QgsLayerTreeNode:
    restore_swatches([item.layer])
    node = parent.insertLayer(position, item.layer)
    if is_legend_hidden(item.layer):
        # where the plugin is not there, QGIS makes a legend of its own
        QgsMapLayerLegendUtils.setLegendNodeOrder(node, [])
    node.setExpanded(False)
    node.setItemVisibilityChecked(visible and item.ticked is not False)
    return node


def _arrange_parts(root: QgsLayerTreeGroup, group: QgsLayerTreeGroup, parts: Sequence[GroupPart]) -> bool:
    """Put the parts into an existing group, topmost first. Return whether nodes were changed."""
    changed = gather_subgroups(group, {item.layer.id() for part in parts for item in part.layers})
    subgroups = find_subgroups(group, parts)
    for position, (number, part) in enumerate(reversed(list(enumerate(parts)))):
        if part.has_subgroup:
            changed = _place_subgroup(root, group, position, part, subgroups.get(number)) or changed
        else:
            changed = _place_layers(root, group, position, part.layers, part.visible) or changed
    return release_subgroups(group.children()[len(parts):]) or changed


def _place_subgroup(root: QgsLayerTreeGroup, group: QgsLayerTreeGroup, position: int, part: GroupPart,
                    subgroup: Optional[QgsLayerTreeGroup]) -> bool:
    """Put a part's sub-group at ``position`` of the group, with its layers. Return whether nodes were changed."""
    changed = True
    if subgroup is None or not subgroup.children():
        # filled before it is in the tree. The empty one of layers that were replaced is released later
        subgroup = _filled(new_subgroup(part) if subgroup is None else subgroup.clone(),
                           [item for item in part.layers if root.findLayer(item.layer.id()) is None])
        group.insertChildNode(position, subgroup)
    elif group.children()[position] is not subgroup:
        subgroup = _move(subgroup, group, position)
    else:
        changed = False
    changed = show_part(subgroup, part) or changed
    changed = _place_layers(root, subgroup, 0, part.layers, True) or changed
    if changed and subgroup.isExpanded():
        # QGIS's view does not expand a group that is inserted with its layers
        subgroup.setExpanded(False)
        subgroup.setExpanded(True)
    return changed


def _move(node: QgsLayerTreeNode, parent: QgsLayerTreeGroup, position: int) -> QgsLayerTreeNode:
    """Move a node, as a copy: removing a layer's only node would remove the layer from the project."""
    copy = node.clone()
    parent.insertChildNode(position, copy)
    node.parent().removeChildNode(node)
    return copy


def rename_group(group: QgsLayerTreeGroup, title: str) -> bool:
    """Give the group the map's title, in the tree and in the property that marks it. Return whether it was another."""
    if group.name() == inert(title) and group.customProperty(MAP_PROPERTY) == (title or "map"):
        return False
    group.setName(inert(title))
    group.setCustomProperty(MAP_PROPERTY, title or "map")
    return True


def is_ticked(node: QgsLayerTreeNode, group: QgsLayerTreeGroup) -> bool:
    """Return whether a node and all groups that it is in, up to the map's own, are ticked."""
    while node is not group:
        if not node.itemVisibilityChecked():
            return False
        node = node.parent()
    return True


def can_be_own_layer(layer: QgsMapLayer) -> bool:
    """Return whether ``layer`` can be put on a map as an own layer: services are added as such, with their terms."""
    return not mark(layer, ENDPOINT) and can_be_referred_to(layer)


def move_layers_out(group: QgsLayerTreeGroup, layer_ids: Collection[str]) -> None:
    """Move the nodes of layers that are not on the map any more to the place above its group."""
    for node in group.findLayers():
        if node.layer() is not None and node.layerId() in layer_ids:
            move_out_of_group(group, node)


def release_group(group: QgsLayerTreeGroup) -> None:
    """Make the group of a map that has no services any more an ordinary one, and remove it if it is empty."""
    for subgroup in group.findGroups(True):
        release_subgroups([subgroup])
    if not group.children() and group.parent() is not None:
        group.parent().removeChildNode(group)
        return
    for name in group.customProperties():
        if name.startswith("cartoguide/"):
            group.removeCustomProperty(name)


def show_moments(project: QgsProject, layer_ids: Iterable[str], visible: bool) -> None:
    """Show or hide the layers of a time series in the tree, beside the tick of its sub-group.

    The ticks of several layers are those of its moments, and stay if any is ticked.
    """
    found = (project.layerTreeRoot().findLayer(layer_id) for layer_id in layer_ids)
    nodes = [node for node in found if node is not None]
    if len(nodes) == 1 or (visible and not any(node.itemVisibilityChecked() for node in nodes)):
        for node in nodes:
            node.setItemVisibilityChecked(visible)


def remove_layers(project: QgsProject, layer_ids: Sequence[str]) -> None:
    """Remove the layers from the project. The map's group stays."""
    present = [layer_id for layer_id in layer_ids if project.mapLayer(layer_id) is not None]
    if present:
        project.removeMapLayers(present)
        qgis_server_entries.update_server_entries(project)


def _place_layers(root: QgsLayerTreeGroup, parent: QgsLayerTreeGroup, position: int, layers: Sequence[GroupLayer],
                  visible: bool) -> bool:
    """Put the layers (bottom first) at ``position`` of their group, ticked as they should be.

    ``visible`` is whether their service or own layer is visible: always True in a sub-group, which is ticked itself.
    Return whether nodes were changed.
    """
    changed = False
    children: List[QgsLayerTreeNode] = parent.children()
    for place, item in enumerate(reversed(layers), position):
        if _place_layer(root, parent, children[place] if place < len(children) else None, place, item, visible):
            changed = True
            children = parent.children()
    return changed


def _place_layer(root: QgsLayerTreeGroup, parent: QgsLayerTreeGroup, present: Optional[QgsLayerTreeNode], position: int,
                 item: GroupLayer, visible: bool) -> bool:
    """Put one layer where ``present`` is, the node at ``position`` of the group. Return whether nodes were changed."""
    is_there = isinstance(present, QgsLayerTreeLayer) and present.layerId() == item.layer.id()
    # QGIS may have it outside of the map's group too
    inside = map_group_of(parent) or root
    node = present if is_there else inside.findLayer(item.layer.id()) or root.findLayer(item.layer.id())
    if node is None:
        _add_layer(parent, position, item, visible)
        return True
    ticked = item.ticked and visible if item.ticked is not None else None
    if not is_there:
        if ticked is None and not visible and is_subgroup(node.parent()):
            # a moment of a series was hidden by the sub-group that it leaves
            ticked = False
        node = _move(node, parent, position)
    if ticked is not None and node.itemVisibilityChecked() != ticked:
        node.setItemVisibilityChecked(ticked)
    return not is_there


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


def mark_subgroup(group: QgsLayerTreeGroup) -> None:
    """Make a group that somebody made the sub-group of the service whose layers are in it. It keeps its name."""
    group.setCustomProperty(SUBGROUP_PROPERTY, group.name())


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
