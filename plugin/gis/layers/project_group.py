"""Layers of a custom map into a project: one group, base below, overlays above, and never twice by accident."""

from __future__ import annotations

from typing import Optional

from qgis.core import QgsLayerTreeGroup, QgsProject

from ...core.custommap.model import Plan
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ..credits import qgis_server_entries
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
