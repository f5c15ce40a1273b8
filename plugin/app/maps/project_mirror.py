"""The custom map in QGIS's layer tree, which is a view of the document: written from it, and read back as a change."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import Callable, Collection, Iterator, Mapping, Optional, Sequence

from qgis.core import QgsCoordinateReferenceSystem, QgsLayerTreeGroup, QgsMapLayer, QgsProject
from qgis.PyQt.QtCore import QObject, QTimer, pyqtSignal

from ...core.custommap.model import MAX_OWN_LAYERS, CustomMap, MapEntry, Plan
from ...core.custommap.undo_history import Change
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.text import inert
from ...gis.layers import project_document, project_group
from ...gis.layers.blend_modes import entry_with_blend
from ...gis.layers.project_group import GroupPart, find_subgroups, is_expanded, own_part, renamed_title, service_part
from ...gis.own_layers import references
from .map_document import MapDocument
from .map_state import (
    MapItem,
    MapPart,
    OwnItem,
    base_first,
    entry_with_group_ticks,
    entry_with_layers_in_order,
    entry_with_opacities,
    entry_with_ticks,
    layer_ids_of,
)


class ProjectMirror(QObject):
    """Arranges the map's group in the layer tree like the document, and reads what the person does there."""

    #: the person has changed the document in QGIS, or its CRS is another one
    changed = pyqtSignal()
    #: a layer that was dropped into the group cannot be on the map
    failed = pyqtSignal(object)
    #: another project was begun or is about to be opened
    cleared = pyqtSignal()
    #: the project's CRS has been another one for a while
    crs_settled = pyqtSignal()

    def __init__(self, project: QgsProject, custom_map: MapDocument, find_title: Callable[[], str],
                 find_document: Callable[[], CustomMap], parent: Optional[QObject] = None) -> None:
        """``find_title`` returns the group's name, and ``find_document`` the document as it is saved in the project."""
        super().__init__(parent)
        self.project, self._map = project, custom_map
        self._find_title, self._find_document = find_title, find_document
        #: layers that were made and are not in the project yet, by id
        self.new_layers: dict[str, QgsMapLayer] = {}
        #: the QGIS layers that own layers had, by the own layers' ids: those that left the map may return
        self.own_layer_ids: dict[str, str] = {}
        #: ids of QGIS layers of own layers whose style the person has changed
        self.restyled: set[str] = set()
        self._writing = self._setting_crs = False
        self._written_document: Optional[str] = None
        #: an opacity is written to the project when the slider rests
        self.opacity_timer = self._single_shot(120)
        # later: QGIS changes the tree in several steps, and must not be disturbed while it clears a project
        self.tree_timer = self._single_shot(0)
        self.tree_timer.timeout.connect(self.read)
        # later: the CRS may be tried out, or a project be about to be opened
        self.crs_timer = self._single_shot(500)
        self.crs_timer.timeout.connect(self.crs_settled)
        #: whether the group was unticked when the tree was last read
        self._was_hidden = False
        #: whether layers were removed from the project since the tree was last read
        self._layers_were_removed = False
        self._connections: list[tuple[object, Callable[..., object]]] = []
        root = project.layerTreeRoot()
        for signal in (root.visibilityChanged, root.nameChanged, root.addedChildren, root.removedChildren):
            self._connect(signal, self._on_tree_changed)
        self._connect(project.layersRemoved, self._on_layers_removed)
        self._connect(project.cleared, self._on_project_cleared)
        self._connect(project.crsChanged, self._on_crs_changed)

    def _single_shot(self, milliseconds: int) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(milliseconds)
        return timer

    def _connect(self, signal: object, slot: Callable[..., object]) -> None:
        signal.connect(slot)  # type: ignore[attr-defined]
        self._connections.append((signal, slot))

    def close(self) -> None:
        """Stop listening to the project, which outlives the dock."""
        self._stop_timers()
        for signal, slot in self._connections:
            signal.disconnect(slot)  # type: ignore[attr-defined]
        self._connections = []

    def _stop_timers(self) -> None:
        for timer in (self.opacity_timer, self.tree_timer, self.crs_timer):
            timer.stop()

    # -- writing

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Take what happens in the project meanwhile for no change by the person."""
        before, self._writing = self._writing, True
        try:
            yield
        finally:
            self._writing = before

    def write(self) -> None:
        """Arrange the map's group like the document, and save the document in it."""
        self.opacity_timer.stop()
        self._map.stack = base_first(self._map.stack)
        parts = [self._group_part(part) for part in self._map.stack]
        with self.writing():
            group = self.find_group()
            own_ids = {item.own.id: item.layer_id for item in self._map.own_items if item.layer_id}
            if group is not None:
                project_group.release_own_layers(group, own_ids.values())
            if self._map.stack:
                group = project_group.arrange_group(self.project, self._find_title(), parts, group)
                for item in self._map.items:
                    if item.entry.visible and self._has_no_moment(item):
                        project_group.show_moments(self.project, item.layer_ids.values(), True)
                self._written_document = project_document.save_document(group, self._find_document(),
                                                                        [item.layer_ids for item in self._map.items])
            else:
                self._written_document = None
                if group is not None:
                    project_group.release_group(group)
            references.tie(self.project, own_ids)
        self.new_layers.clear()

    def adopt(self, stored: project_document.StoredMap) -> None:
        """Follow the layers of a map that is saved in the project, whose parts are on the map."""
        self.restyled = {item.layer_id for item in self._map.own_items if item.layer_id}
        self.watch_own_layers()
        self._written_document = project_document.save_document(stored.group, stored.document, stored.layer_ids)
        self.watch_layers([layer for layer in map(self.project.mapLayer, self.layer_ids()) if layer is not None])
        # the tree may have been changed without the dock
        self.read()

    def set_crs(self, crs: QgsCoordinateReferenceSystem) -> None:
        """Set the project's CRS, as part of a change that is committed after it."""
        self._setting_crs = True
        try:
            self.project.setCrs(crs)
        finally:
            self._setting_crs = False

    def remove_layers(self, items: Sequence[MapItem]) -> None:
        """Remove the layers of services from the project, without taking it for a removal by the person."""
        ids = [layer_id for item in items for layer_id in item.layer_ids.values()]
        for item in items:
            expanded = is_expanded(self.project, item.layer_ids.values())
            item.expanded = item.expanded if expanded is None else expanded
            item.layer_ids = {}
        self.remove_layer_ids(ids)

    def remove_layer_ids(self, ids: Sequence[str]) -> None:
        """Remove layers from the project, without taking it for a removal by the person."""
        with self.writing():
            project_group.remove_layers(self.project, ids)

    def is_hidden_on_canvas(self) -> bool:
        """Return true where the map's group, or one that it is in, is not ticked in the layer tree.

        The document and the page are not concerned: the ticks of the layers are theirs, that of the group is a way to
        look at something else for a while.
        """
        group = self.find_group()
        return group is not None and not group.isVisible()

    def find_group(self) -> Optional[QgsLayerTreeGroup]:
        """Return the group with the map's layers in the layer tree, else the one with its saved document, or None."""
        return project_group.group_of_layers(self.project, self.layer_ids()) or (
            project_document.find_group_of_document(self.project, self._written_document)
            if self._written_document is not None else None)

    def qgis_layers(self, plan: Plan) -> list[Optional[QgsMapLayer]]:
        """Return the project's layers for those of ``plan``, in its order, with None for missing ones."""
        ordered = base_first(self._map.items)
        return [
            self.project.mapLayer(ordered[layer.entry_index].layer_ids.get(layer.name, "")) for layer in plan.layers
        ]

    def layer(self, layer_id: str) -> Optional[QgsMapLayer]:
        return self.new_layers.get(layer_id) or self.project.mapLayer(layer_id)

    def valid_layers(self, item: MapItem) -> list[QgsMapLayer]:
        """Return the service's layers that can be drawn."""
        found = (self.layer(layer_id) for layer_id in item.layer_ids.values())
        return [layer for layer in found if layer is not None and layer.isValid()]

    def layer_ids(self) -> list[str]:
        """Return the ids of the map's QGIS layers, those of services first."""
        parts: list[MapPart] = [*self._map.items, *self._map.own_items]
        return [layer_id for part in parts for layer_id in layer_ids_of(part)]

    def _group_part(self, part: MapPart) -> GroupPart:
        """Return one part of the map as the group shows it, with the layers that it has."""
        if isinstance(part, OwnItem):
            return own_part(part.own, self.layer(part.layer_id))
        layers = ((name, self.layer(part.layer_ids[name])) for name in part.names_in_order())
        return service_part(part.entry, [(name, layer) for name, layer in layers if layer is not None],
                            self._ticks_are_moments(part), part.expanded)

    def _ticks_are_moments(self, item: MapItem) -> bool:
        """Return whether the ticks of a service's layers say which moment of a series is shown.

        That of a single layer says whether the service is shown, as any other's, unless the series has its moments in
        several services of the map.
        """
        if not item.entry.moment:
            return False
        family = [other for other in self._map.items
                  if other.entry.moment and other.entry.endpoint == item.entry.endpoint]
        return len(item.layer_ids) != 1 or len(family) > 1

    def _has_no_moment(self, item: MapItem) -> bool:
        """Return whether the layers of a series in a sub-group are all unticked."""
        nodes = [self.project.layerTreeRoot().findLayer(layer_id) for layer_id in item.layer_ids.values()]
        return (len(nodes) > 1 and self._ticks_are_moments(item)
                and not any(node is not None and node.itemVisibilityChecked() for node in nodes))

    def watch_layers(self, layers: Sequence[QgsMapLayer]) -> None:
        for layer in layers:
            # this signal follows an opacity that is chosen in the layer styling too
            layer.styleChanged.connect(self._on_tree_changed)

    def put_on_stack(self, layer: QgsMapLayer, visible: bool) -> None:
        if len(self._map.own_items) >= MAX_OWN_LAYERS:
            raise CartoguideError(tr("A map has at most {count} own layers.", count=MAX_OWN_LAYERS))
        own = references.refer_to(layer, visible)
        self._map.stack.append(OwnItem(own, layer.id()))
        self.watch_own_layers()

    def watch_own_layers(self) -> None:
        for item in self._map.own_items:
            layer = self.layer(item.layer_id)
            if layer is not None:
                self.watch_own_layer(item, layer)

    def watch_own_layer(self, item: OwnItem, layer: QgsMapLayer) -> None:
        """Follow what the person changes in QGIS. Only once: ``own_layer_ids`` has those that are followed."""
        if layer.id() in self.own_layer_ids.values():
            return
        self.own_layer_ids[item.own.id] = layer.id()
        layer.styleChanged.connect(self._on_own_style_changed)
        for signal in (layer.nameChanged, layer.metadataChanged, layer.dataSourceChanged):
            signal.connect(self._on_tree_changed)

    def read(self) -> None:
        """Read the title, order, ticks and opacities that the person changed in QGIS into the document."""
        root = self.project.layerTreeRoot()
        if any(self.project.mapLayer(layer_id) is not None and root.findLayer(layer_id) is None
               for layer_id in self.layer_ids()):
            # QGIS is going to remove the layer: its signal is still to come
            return
        changed = self._layers_were_removed
        self._layers_were_removed = False
        if self._read_group() or changed:
            self._map.change_layers()
            self.changed.emit()

    def _read_group(self) -> bool:
        """Read the map's group into the document, and arrange it like that. Return whether anything was changed."""
        if not self._map.stack:
            if self._written_document is not None:
                self.write()
            return False
        root = self.project.layerTreeRoot()
        group = self.find_group()
        if group is None:
            if self._written_document is None or any(map(self.project.mapLayer, self.layer_ids())):
                return False
            # the person removed the whole group, with services that had no layers
            self._map.stack = []
            self.write()
            return True
        before, title = self._document_key(), self._map.current.title
        if group.name() != inert(self._find_title()):
            title = group.name()
        bottom_first = [node.layerId() for node in reversed(root.findLayers())]
        found = find_subgroups(group, [self._group_part(part) for part in self._map.stack])
        subgroups = {part: found[number] for number, part in enumerate(self._map.stack) if number in found}
        for item in self._map.items:
            names = {layer_id: name for name, layer_id in item.layer_ids.items()}
            order = [names[layer_id] for layer_id in bottom_first if layer_id in names]
            entry = entry_with_layers_in_order(item.entry, order, item.names_in_order())
            ticks = {} if self._ticks_are_moments(item) else {
                name: root.findLayer(item.layer_ids[name]).itemVisibilityChecked() for name in order}
            subgroup = subgroups.get(item)
            if subgroup is not None and order:
                entry = replace(entry, title=renamed_title(subgroup) or entry.title)
                entry = entry_with_group_ticks(entry, bool(subgroup.itemVisibilityChecked()), ticks)
            else:
                entry = entry_with_ticks(entry, ticks)
            if item.entry.visible and order and self._has_no_moment(item):
                # the page would show the moment of a series that the tree hides
                entry = replace(entry, visible=False)
            item.entry = entry_with_blend(self._entry_with_opacities(entry, item), self.valid_layers(item))
        self._read_own_layers(group)
        in_subgroups = {part: set(subgroup.findLayerIds()) for part, subgroup in subgroups.items()}
        self._sort_stack(bottom_first, in_subgroups)
        self._map.change_layers(title=title)
        self.write()
        was_hidden, self._was_hidden = self._was_hidden, self.is_hidden_on_canvas()
        return self._document_key() != before or was_hidden != self._was_hidden

    def _document_key(self) -> tuple[object, ...]:
        return self._map.current.title, tuple((id(part), part.own, part.role) if isinstance(part, OwnItem) else
                                       (id(part), part.entry, part.role) for part in self._map.stack)

    def _read_own_layers(self, group: QgsLayerTreeGroup) -> None:
        """Read what the person did to own layers: layers dropped into the map's group are on the map, others not."""
        present = set(group.findLayerIds())
        for item in self._map.own_items:
            layer = self.layer(item.layer_id)
            if layer is None or item.layer_id in self.new_layers:
                continue
            if item.layer_id not in present:
                self._map.stack.remove(item)
                continue
            read = references.updated(item.own, layer, item.layer_id in self.restyled)
            opacity = item.own.opacity if self.opacity_timer.isActive() else read.opacity
            visible = self.project.layerTreeRoot().findLayer(item.layer_id).itemVisibilityChecked()
            item.own = replace(read, opacity=opacity, visible=visible)
            item.problem = "" if layer.isValid() else references.unavailable_text(item.own)
        self.restyled.clear()
        known = set(self.layer_ids())
        for layer, visible in project_group.foreign_layers(group, known):
            try:
                self.put_on_stack(layer, visible)
            except CartoguideError as error:
                self.failed.emit(error)

    def _sort_stack(self, bottom_first: Sequence[str], in_subgroups: Mapping[MapPart, Collection[str]]) -> None:
        """Put all parts in the order of their lowest layers. A part without layers stays above its neighbour.

        ``in_subgroups`` are the ids of the layers in the sub-groups of services. A layer that was dragged out of one
        does not move the service: it returns.
        """
        position = {layer_id: number for number, layer_id in enumerate(bottom_first)}
        keys: list[tuple[int, int]] = []
        last = -1
        for number, part in enumerate(self._map.stack):
            ids = [layer_id for layer_id in layer_ids_of(part) if layer_id in position]
            inside = [layer_id for layer_id in ids if layer_id in in_subgroups.get(part, ())]
            last = min((position[layer_id] for layer_id in inside or ids), default=last)
            keys.append((last, number))
        self._map.stack = base_first([self._map.stack[number] for _, number in sorted(keys)])

    def _entry_with_opacities(self, entry: MapEntry, item: MapItem) -> MapEntry:
        """Return the entry with the opacities that the person chose in QGIS's layer styling."""
        if self.opacity_timer.isActive():
            return entry
        found = {name: layer.opacity() for name, layer in
                 ((name, self.layer(layer_id)) for name, layer_id in item.layer_ids.items())
                 if layer is not None and layer.isValid()}
        return entry_with_opacities(entry, found) if len(found) == len(item.layer_ids) else entry

    def _on_tree_changed(self) -> None:
        if not self._writing and self._map.stack and self._connections:
            self.tree_timer.start()

    def _on_own_style_changed(self) -> None:
        layer = self.sender()
        if not self._writing and isinstance(layer, QgsMapLayer) and self._connections:
            self.restyled.add(layer.id())
            self.tree_timer.start()

    def _on_layers_removed(self, ids: Sequence[str]) -> None:
        """Remove the layers from the map that the person removed from the project.

        The tree is left alone here: QGIS sends this signal while it clears a project too. The change is announced with
        the next reading of the tree: QGIS removes the layers of a group one by one, and they are one step to undo.
        """
        removed = set(ids)
        affected = [item for item in self._map.items if removed.intersection(item.layer_ids.values())]
        for item in affected:
            gone = {name for name, layer_id in item.layer_ids.items() if layer_id in removed}
            item.remove_layer_names(gone)
            if not item.layer_ids:
                self._map.stack.remove(item)
        own = [item for item in self._map.own_items if item.layer_id in removed]
        for own_item in own:
            self._map.stack.remove(own_item)
        self.own_layer_ids = {key: layer_id for key, layer_id in self.own_layer_ids.items()
                               if layer_id not in removed}
        if affected or own:
            self._layers_were_removed = True
            self.tree_timer.start()

    def _on_crs_changed(self) -> None:
        # later: the project may be about to be cleared
        self._on_tree_changed()
        self.crs_timer.start()
        if not self._setting_crs:
            self._map.change_layers(Change(tr("coordinate reference system")))
            self.changed.emit()

    def _on_project_cleared(self) -> None:
        self._stop_timers()
        self._written_document, self._layers_were_removed = None, False
        self.own_layer_ids.clear()
        self.restyled.clear()
        self.cleared.emit()
