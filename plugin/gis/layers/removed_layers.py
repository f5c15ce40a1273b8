"""Layers that left the project and may return with Undo: kept as they are, with everything that showed them.

QGIS deletes a layer that is removed, and takes it out of map themes and of the maps of layouts. A new layer has another
id, so that no theme and no layout of the person would show it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Callable, Collection, Dict, Iterable, List, Mapping, Optional, Sequence, Set, Tuple

from qgis.core import (
    QgsLayerTreeGroup,
    QgsLayerTreeNode,
    QgsLayoutItemLegend,
    QgsLayoutItemMap,
    QgsMapLayer,
    QgsMapThemeCollection,
    QgsPrintLayout,
    QgsProject,
)
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QObject

from ...core.sources.layer_source import SourceType
from ..layouts.layout_items import FORMER_REQUIREMENTS, REQUIREMENTS, map_layers
from ..runtime import compat
from ..runtime.main_thread import single_shot
from ..sources.layer_source import source_of

#: layers at most that are kept, the newest
_MOST = 500
#: kinds of layers that keep no file open. Somebody who removes a layer of a file may want to replace the file
_KEPT = frozenset((SourceType.WMS, SourceType.MEMORY))


@dataclass(frozen=True)
class ShownIn:
    """The names of the map themes and of the person's layouts that layers were shown in before they left the project.

    A layout whose maps follow the canvas names no layer, and a page that the plugin built is made from the map anew.
    """

    themes: Sequence[str] = ()
    layouts: Sequence[str] = ()


@dataclass
class _MapOfLayout:
    """A layout's map whose layers are locked: the ids of all of them, and the styles that it holds."""

    uuid: str
    layer_ids: Sequence[str]
    styles: Dict[str, str]


@dataclass
class _LegendNode:
    """The node of a layer in a layout's legend that a person arranges."""

    uuid: str
    parent: QgsLayerTreeGroup
    position: int
    node: QgsLayerTreeNode


@dataclass
class _Removed:
    """A layer that left the project. ``layer`` is None where only what showed it is remembered."""

    layer: Optional[QgsMapLayer]
    themes: List[Tuple[str, QgsMapThemeCollection.MapThemeLayerRecord]] = field(default_factory=list)
    maps: List[_MapOfLayout] = field(default_factory=list)
    legends: List[_LegendNode] = field(default_factory=list)
    #: names of layouts whose atlas it covered
    atlases: List[str] = field(default_factory=list)
    #: names of layouts of the person that showed or listed it
    layouts: List[str] = field(default_factory=list)
    is_expanded: bool = False
    node_properties: Dict[str, object] = field(default_factory=dict)


class RemovedLayers(QObject):
    """Keeps the layers of a project that leave it, as far as ``is_tracked`` says so, until the project is cleared.

    Main thread only. ``is_tracked`` gets the id of a layer that is about to leave.
    """

    def __init__(self, project: QgsProject, is_tracked: Callable[[str], bool],
                 parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._project, self._is_tracked = project, is_tracked
        self._removed: Dict[str, _Removed] = {}
        #: the records of each map theme. QGIS has removed those of a layer when it announces that the layer leaves
        self._themes: Dict[str, List[QgsMapThemeCollection.MapThemeLayerRecord]] = {}
        #: the nodes of layers that were taken out of the tree: a layer leaves the project only after its node
        self._nodes: Dict[str, Tuple[bool, Dict[str, object]]] = {}
        self._theme_timer = single_shot(self, 0, self._note_themes)
        project.layersWillBeRemoved.connect(self._on_layers_leaving)
        project.mapThemeCollectionChanged.connect(self._on_theme_collection_changed)
        project.layerTreeRoot().willRemoveChildren.connect(self._on_nodes_leaving)
        self._on_theme_collection_changed()

    def close(self) -> None:
        """Stop listening to the project, which outlives the dock, and delete the layers that are kept."""
        self._theme_timer.stop()
        self._project.layersWillBeRemoved.disconnect(self._on_layers_leaving)
        self._project.mapThemeCollectionChanged.disconnect(self._on_theme_collection_changed)
        self._project.layerTreeRoot().willRemoveChildren.disconnect(self._on_nodes_leaving)
        self._project.mapThemeCollection().mapThemesChanged.disconnect(self._theme_timer.start)
        self.clear()

    def clear(self) -> None:
        """Delete the layers that are kept, because nothing can bring them back."""
        for removed in self._removed.values():
            self._delete(removed)
        self._removed.clear()
        self._nodes.clear()

    def layer(self, layer_id: str) -> Optional[QgsMapLayer]:
        """Return the layer that is kept under ``layer_id``, or None."""
        removed = self._removed.get(layer_id)
        return removed.layer if removed is not None and self._keeps(removed) else None

    def shown_in(self, layer_ids: Iterable[str]) -> ShownIn:
        """Return what showed these layers, as far as they left the project and have not returned."""
        left = [self._removed[layer_id] for layer_id in layer_ids if layer_id in self._removed]
        return ShownIn(list(dict.fromkeys(name for removed in left for name, record in removed.themes
                                          if record.isVisible)),
                       list(dict.fromkeys(name for removed in left for name in removed.layouts)))

    def restore(self, copies: Optional[Mapping[str, str]] = None) -> None:
        """Show the layers that are in the project again wherever they were shown: in themes, layouts and the tree.

        ``copies`` has the ids of layers that are shown instead of those that left.
        """
        # the last first: its place in a legend was noted when the others had left
        for layer_id in list(reversed(self._removed)):
            layer = self._project.mapLayer((copies or {}).get(layer_id, layer_id))
            if layer is not None:
                self.restore_as(layer_id, layer)

    def restore_as(self, layer_id: str, layer: QgsMapLayer) -> None:
        """Show ``layer``, which is in the project, wherever the one that left it as ``layer_id`` was shown."""
        removed = self._removed.pop(layer_id, None)
        if removed is None:
            return
        if layer.id() != layer_id:
            self._delete(removed)
            self._replace_id(layer_id, layer.id())
        collection = self._project.mapThemeCollection()
        for name, record in removed.themes:
            if collection.hasMapTheme(name):
                state = collection.mapThemeState(name)
                record.setLayer(layer)
                state.addLayerRecord(record)
                collection.update(name, state)
        for layout in self._layouts():
            for shown in removed.maps:
                item = layout.itemByUuid(shown.uuid)
                if isinstance(item, QgsLayoutItemMap):
                    _show_in_map(item, layer_id, layer, shown)
            for listed in removed.legends:
                item = layout.itemByUuid(listed.uuid)
                if isinstance(item, QgsLayoutItemLegend):
                    _list_in_legend(item, layer, listed)
            if layout.name() in removed.atlases:
                layout.atlas().setCoverageLayer(layer)
        node = self._project.layerTreeRoot().findLayer(layer.id())
        if node is not None:
            node.setExpanded(removed.is_expanded)
            for name, value in removed.node_properties.items():
                node.setCustomProperty(name, value)

    def _replace_id(self, layer_id: str, new_id: str) -> None:
        """Name a layer that is shown instead of one that left among those below which others return."""
        for shown in (shown for removed in self._removed.values() for shown in removed.maps):
            shown.layer_ids = [new_id if one == layer_id else one for one in shown.layer_ids]

    def _layouts(self) -> Sequence[QgsPrintLayout]:
        return self._project.layoutManager().printLayouts()  # type: ignore[no-any-return]

    def _on_theme_collection_changed(self) -> None:
        self._project.mapThemeCollection().mapThemesChanged.connect(self._theme_timer.start)
        self._note_themes()

    def _note_themes(self) -> None:
        collection = self._project.mapThemeCollection()
        self._themes = {name: collection.mapThemeState(name).layerRecords() for name in collection.mapThemes()}

    def _on_nodes_leaving(self, group: QgsLayerTreeNode, first: int, last: int) -> None:
        for child in group.children()[first:last + 1]:
            for node in child.findLayers() if isinstance(child, QgsLayerTreeGroup) else [child]:
                if self._is_tracked(node.layerId()):
                    self._nodes[node.layerId()] = bool(node.isExpanded()), {
                        name: node.customProperty(name) for name in node.customProperties()}

    def _on_layers_leaving(self, layer_ids: Collection[str]) -> None:
        """Keep the layers that are about to leave. Layouts still have them."""
        leaving = {layer_id: self._project.mapLayer(layer_id) for layer_id in layer_ids if self._is_tracked(layer_id)}
        found = {layer_id: _Removed(layer if source_of(layer).type in _KEPT else None)
                 for layer_id, layer in leaving.items() if layer is not None}
        if not found:
            return
        for name, records in self._themes.items():
            for record in records:
                shown = record.layer()
                if shown is not None and shown.id() in found:
                    found[shown.id()].themes.append((name, record))
        for layout in self._layouts():
            showing = self._note_layout(layout, found)
            if not any(layout.customProperty(name) for name in (REQUIREMENTS, FORMER_REQUIREMENTS)):
                for layer_id in found.keys() & showing:
                    found[layer_id].layouts.append(layout.name())
        for layer_id, removed in found.items():
            removed.is_expanded, removed.node_properties = self._nodes.pop(layer_id, (False, {}))
            self._removed.pop(layer_id, None)
            self._removed[layer_id] = removed
            if removed.layer is not None:
                # QGIS deletes only the layers that are its own
                removed.layer.setParent(self)
        for layer_id in list(self._removed)[:-_MOST]:
            self._delete(self._removed.pop(layer_id))

    def _keeps(self, removed: _Removed) -> bool:
        """Return whether the layer is kept here: one that is in the project again is deleted with the project's."""
        layer = removed.layer
        return layer is not None and not sip.isdeleted(layer) and layer.parent() is self

    def _delete(self, removed: _Removed) -> None:
        if self._keeps(removed):
            removed.layer.deleteLater()  # type: ignore[union-attr]

    def _order_before(self, item: QgsLayoutItemMap) -> Sequence[str]:
        """Return the ids of a map's layers, with those that left it before in their places.

        QGIS removes the layers of a group one by one, and those of files return after the others.
        """
        now = [layer.id() for layer in map_layers(item, item.layers())]
        noted = (shown.layer_ids for removed in reversed(list(self._removed.values())) for shown in removed.maps
                 if shown.uuid == item.uuid())
        orders = ([one for one in order if one in now or one in self._removed] for order in noted)
        return next((order for order in orders if [one for one in order if one in now] == now), now)

    def _note_layout(self, layout: QgsPrintLayout, found: Dict[str, _Removed]) -> Set[str]:
        """Note where a layout shows the layers, and take them out of its legends, which would list them on.

        Returns the ids of layers that its maps, legends or atlas name, by themselves or by a theme.
        """
        showing: Set[str] = set()
        for item in layout.items():
            if isinstance(item, QgsLayoutItemMap):
                layer_ids, styles = self._order_before(item), item.layerStyleOverrides()
                showing.update(layer_ids)
                if item.followVisibilityPreset():
                    theme = item.followVisibilityPresetName()
                    showing.update(layer_id for layer_id, removed in found.items()
                                   if any(name == theme and record.isVisible for name, record in removed.themes))
                for layer_id in found.keys() & {*layer_ids, *styles}:
                    found[layer_id].maps.append(_MapOfLayout(item.uuid(), layer_ids, styles))
            elif isinstance(item, QgsLayoutItemLegend) and not item.autoUpdateModel():
                for layer_id, removed in found.items():
                    node = item.model().rootGroup().findLayer(layer_id)
                    if node is not None:
                        showing.add(layer_id)
                        parent = node.parent()
                        removed.legends.append(
                            _LegendNode(item.uuid(), parent, parent.children().index(node), node.clone()))
                        compat.release_group_layers(parent)
                        parent.removeChildNode(node)
        coverage = layout.atlas().coverageLayer()
        if coverage is not None and coverage.id() in found:
            found[coverage.id()].atlases.append(layout.name())
            showing.add(coverage.id())
        return showing


def _show_in_map(item: QgsLayoutItemMap, layer_id: str, layer: QgsMapLayer, shown: _MapOfLayout) -> None:
    """Put a layer back among those of a layout's map, above the one that it was above."""
    if layer_id in shown.layer_ids:
        layers = [other for other in map_layers(item, item.layers()) if other.id() != layer.id()]
        below = shown.layer_ids[shown.layer_ids.index(layer_id) + 1:]
        places = (number for number, other in enumerate(layers) if other.id() in below)
        layers.insert(next(places, len(layers)), layer)
        item.setLayers(layers)
    if layer_id in shown.styles:
        item.setLayerStyleOverrides({**item.layerStyleOverrides(), layer.id(): shown.styles[layer_id]})
    item.invalidateCache()


def _list_in_legend(item: QgsLayoutItemLegend, layer: QgsMapLayer, listed: _LegendNode) -> None:
    """Put the node of a layer back into a layout's legend, with the name and the entries that a person gave it."""
    root = item.model().rootGroup()
    parent = root if sip.isdeleted(listed.parent) else listed.parent
    position = min(listed.position, len(parent.children()))
    if listed.node.layerId() == layer.id():
        parent.insertChildNode(position, listed.node)
        return
    node = parent.insertLayer(position, layer)
    node.setName(listed.node.name())
    for name in listed.node.customProperties():
        node.setCustomProperty(name, listed.node.customProperty(name))
