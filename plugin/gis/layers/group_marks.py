"""Properties that mark groups of the layer tree as a custom map's group or as a service's sub-group in it.

QGIS saves them in the project, so a saved and reopened project knows its groups again.
"""

from __future__ import annotations

from typing import Optional

from qgis.core import QgsLayerTreeGroup, QgsLayerTreeNode

#: property that marks a group as a custom map's and holds its title
MAP_PROPERTY = "cartoguide/map"
#: property that marks a sub-group of a service on a custom map and holds the name that was given to it
SUBGROUP_PROPERTY = "cartoguide/service-layers"


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
