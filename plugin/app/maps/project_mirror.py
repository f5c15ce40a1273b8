"""The custom map in QGIS's layer tree, which is a view of the document: written from it, and read back as a change."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Callable, Collection, Iterator, Mapping, Optional, Sequence

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsLayerTreeGroup,
    QgsLayerTreeLayer,
    QgsLayerTreeNode,
    QgsMapLayer,
    QgsProject,
)
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QObject, pyqtSignal

from ...core.custommap.model import MAX_OVERLAYS, MAX_OWN_LAYERS, CustomMap, MapEntry, Plan
from ...core.custommap.undo_history import Change
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.text import inert
from ...gis.credits.layer_metadata import given_name, is_private
from ...gis.layers import added_layers, project_document, project_group
from ...gis.layers.blend_modes import entry_with_blend
from ...gis.layers.project_group import GroupPart, find_subgroups, is_expanded, own_part, renamed_title, service_part
from ...gis.layers.removed_layers import RemovedLayers
from ...gis.own_layers import references
from ...gis.runtime import compat
from ...gis.runtime.main_thread import single_shot
from ...gis.sources.layer_source import ENDPOINT, live_source, mark, marks_of, set_marks
from ...gis.sources.wms import requested_by
from .map_document import MapDocument
from .map_state import (
    FormerServices,
    MapItem,
    MapPart,
    OwnItem,
    entry_with_group_ticks,
    entry_with_layers_in_order,
    entry_with_opacities,
    entry_with_ticks,
    entry_without_layers,
    layer_ids_of,
    merged_entry,
)

#: milliseconds between looks at a tree in which something is being dragged, and their number
_DRAG_PAUSE_MS, _DRAG_WAITS = 50, 10


class ProjectMirror(QObject):
    """Arranges the map's group in the layer tree like the document, and reads what the person does there."""

    #: the person has changed the document in QGIS, or its CRS is another one
    changed = pyqtSignal()
    #: a layer that was dropped into the group cannot be on the map
    failed = pyqtSignal(object)
    #: layers of services that lie in the group are on the map now (a list of MapItem)
    adopted = pyqtSignal(list)
    #: layers of services have the marks of others, or none: a style that was pasted brings those of its layer
    marked_otherwise = pyqtSignal()
    #: a group with a map's document was pasted beside the map's, and is a plain one
    copied = pyqtSignal(object)
    #: the project has a map and the dock none: it was pasted, or (True) it is the one that was shown, which was moved
    found = pyqtSignal(bool)
    #: a base has come, and the map lies below the project's layers but for those with these names
    lowered = pyqtSignal(list)
    #: another project was begun or is about to be opened
    cleared = pyqtSignal()
    #: the project's CRS has been another one for a while
    crs_settled = pyqtSignal()

    def __init__(self, project: QgsProject, custom_map: MapDocument, find_title: Callable[[], str],
                 find_document: Callable[[], CustomMap], find_entry: Callable[[Sequence[QgsMapLayer]], MapEntry],
                 find_pale: Callable[[], Optional[Collection[str]]], parent: Optional[QObject] = None) -> None:
        """``find_title`` returns the group's name, and ``find_document`` the document as it is saved in the project.

        ``find_entry`` returns the document's entry for layers of one service that somebody put into the group.
        ``find_pale`` returns the names of the base's layers that are drawn pale, None to leave all as they are.
        """
        super().__init__(parent)
        self.project, self._map = project, custom_map
        self._find_title, self._find_document, self._find_entry = find_title, find_document, find_entry
        self._find_pale = find_pale
        #: layers that were made and are not in the project yet, by id
        self.new_layers: dict[str, QgsMapLayer] = {}
        #: the QGIS layers that own layers had, by the own layers' ids: those that left the map may return
        self.own_layer_ids: dict[str, str] = {}
        #: layers that left the project and may return
        self.removed = RemovedLayers(project, lambda layer_id: layer_id in self._leaving or layer_id in
                                     self.layer_ids(), self)
        self._leaving: frozenset[str] = frozenset()
        #: the services that such layers were of
        self.former = FormerServices(self.layer, self.layer_ids)
        self._watched: set[str] = set()
        #: source and marks of the layers of services, by their ids
        self._marks: dict[str, tuple[str, Mapping[str, Any]]] = {}
        #: ids of layers of the map with those of their copies in groups that were pasted beside it
        self._copies: list[tuple[str, str]] = []
        #: the ranges of scales of those layers, by their ids
        self._scale_ranges: dict[str, tuple[bool, float, float]] = {}
        #: ids of QGIS layers of own layers whose style the person has changed
        self.restyled: set[str] = set()
        self._writing = self._setting_crs = False
        self._written_document: Optional[str] = None
        #: whether the map had a base when the group was last written
        self._had_base = False
        #: the group that the document was written to last
        self._group: Optional[QgsLayerTreeGroup] = None
        #: why layers that lie in the group are not on the map, by their ids
        self._refusals: dict[str, str] = {}
        #: what is drawn in the group otherwise than on the page, when the tree was last read
        self._were_otherwise: list[tuple[str, str]] = []
        #: the ids of the own layers that were in the group as parts of the map when it was last written
        self._own_in_group: frozenset[str] = frozenset()
        #: how often the tree was looked at since layers lie at two places
        self._waits = 0
        #: whether a group with a map's document was put into the tree since it was last read
        self._was_pasted = False
        #: an opacity is written to the project when the slider rests
        self.opacity_timer = single_shot(self, 120)
        # later: QGIS changes the tree in several steps, and must not be disturbed while it clears a project
        self.tree_timer = single_shot(self, 0, self.read)
        # later: the CRS may be tried out, or a project be about to be opened
        self.crs_timer = single_shot(self, 500, self.crs_settled)
        #: whether the group was unticked when the tree was last read
        self._was_hidden = False
        #: whether layers were removed from the project since the tree was last read
        self._layers_were_removed = False
        self._connections: list[tuple[object, Callable[..., object]]] = []
        root = project.layerTreeRoot()
        for signal in (root.visibilityChanged, root.nameChanged, root.addedChildren, root.removedChildren,
                       root.hasCustomLayerOrderChanged, root.customLayerOrderChanged):
            self._connect(signal, self._on_tree_changed)
        self._connect(root.addedChildren, self._on_nodes_added)
        self._connect(project.layersAdded, self._on_layers_added)
        self._connect(project.layersRemoved, self._on_layers_removed)
        self._connect(project.cleared, self._on_project_cleared)
        self._connect(project.crsChanged, self._on_crs_changed)

    def _connect(self, signal: object, slot: Callable[..., object]) -> None:
        signal.connect(slot)  # type: ignore[attr-defined]
        self._connections.append((signal, slot))

    def close(self) -> None:
        """Stop listening to the project, which outlives the dock."""
        self._stop_timers()
        self.removed.close()
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
        former = self._written_document
        parts = [self._group_part(part) for part in self._map.stack]
        with self.writing():
            group = self.find_group()
            own_ids = {item.own.id: item.layer_id for item in self._map.own_items if item.layer_id}
            left, self._own_in_group = self._own_in_group, frozenset(own_ids.values())
            if group is not None:
                project_group.move_layers_out(group, left - self._own_in_group)
            has_new_base = self._map.base is not None and not self._had_base
            self._had_base = self._map.base is not None
            if group is not None and has_new_base:
                group = project_group.lower_group(self.project, group)
            if self._map.stack:
                place = project_group.place_of_group(self.project, self._map.base is not None)
                group = project_group.arrange_group(self.project, self._find_title(), parts, group, place)
                for item in self._map.items:
                    if item.entry.visible and self._has_no_moment(item):
                        project_group.show_moments(self.project, item.layer_ids.values(), True)
                self._group = group
                if has_new_base and len(self.project.layerTreeRoot().children()) > 1:
                    self.lowered.emit(project_group.hidden_names(group))
                self._written_document = project_document.save_document(
                    group, self._find_document(), [item.layer_ids for item in self._map.items], own_ids)
            else:
                self._written_document = self._group = None
                if group is not None:
                    project_group.release_group(group)
            references.tie(self.project, own_ids)
            self._keep_marks()
            self.removed.restore()
        if self._written_document != former:
            # QGIS does not notice it by itself
            self.project.setDirty(True)
        self.new_layers.clear()

    def adopt(self, stored: project_document.StoredMap, moved: bool = False) -> None:
        """Follow the layers of a map that is saved in the project, whose parts are on the map.

        ``moved``: its layers are copies of those that were the map's, and are shown wherever these were.
        """
        if moved:
            with self.writing():
                present = set(stored.group.findLayerIds())
                self.removed.restore({**project_document.ids_of_copies(stored),
                                      **{former: copy for former, copy in self._copies if copy in present}})
        self.restyled = {item.layer_id for item in self._map.own_items if item.layer_id}
        self.watch_own_layers()
        project_group.rename_group(stored.group, stored.document.title)
        self._group, self._had_base = stored.group, self._map.base is not None
        own_ids = {item.own.id: item.layer_id for item in self._map.own_items if item.layer_id}
        self._own_in_group = frozenset(own_ids.values())
        self._written_document = project_document.save_document(stored.group, stored.document, stored.layer_ids,
                                                                own_ids)
        self.watch_layers([layer for layer in map(self.project.mapLayer, self.layer_ids()) if layer is not None])
        for item in self._map.items:
            self.former.note_sources(item)
        # the tree may have been changed without the dock
        self.read()

    def set_crs(self, crs: QgsCoordinateReferenceSystem) -> None:
        """Set the project's CRS, as part of a change that is committed after it."""
        self._setting_crs = True
        try:
            self.project.setCrs(crs)
        finally:
            self._setting_crs = False

    def remove_layers(self, items: Sequence[MapItem], but: Collection[str] = (),
                      released: Collection[str] = ()) -> None:
        """Remove the layers of services from the project, without taking it for a removal by the person.

        Those with an id in ``but`` stay where they are. Those with an id in ``released`` stay in the project, and are
        moved out of the map's group.
        """
        ids = [layer_id for item in items for layer_id in item.layer_ids.values()
               if layer_id not in but and layer_id not in released]
        group = self.find_group()
        if group is not None and released:
            with self.writing():
                project_group.move_layers_out(group, released)
        for item in items:
            expanded = is_expanded(self.project, item.layer_ids.values())
            item.expanded = item.expanded if expanded is None else expanded
            self.former.note(item, item.layer_ids)
            item.layer_ids = {}
        self.remove_layer_ids(ids)

    def remove_layer_ids(self, ids: Sequence[str]) -> None:
        """Remove layers from the project, without taking it for a removal by the person."""
        self._leaving = frozenset(ids)
        try:
            with self.writing():
                project_group.remove_layers(self.project, ids)
        finally:
            self._leaving = frozenset()

    def is_hidden_on_canvas(self) -> bool:
        """Return true where the map's group, or one that it is in, is not ticked in the layer tree.

        The document and the page are not concerned: the ticks of the layers are theirs, that of the group is a way to
        look at something else for a while.
        """
        group = self.find_group()
        return group is not None and not group.isVisible()

    def find_group(self) -> Optional[QgsLayerTreeGroup]:
        """Return the group with the map's layers in the layer tree, else the one with its saved document, or None."""
        group = project_group.group_of_layers(self.project, self.layer_ids())
        if group is not None or self._written_document is None:
            return group
        if self._group is not None and not sip.isdeleted(self._group) and self._group.parent() is not None:
            return self._group
        return project_document.find_group_of_document(self.project, self._written_document)

    def qgis_layers(self, plan: Plan) -> list[Optional[QgsMapLayer]]:
        """Return the project's layers for those of ``plan``, in its order, with None for missing ones."""
        items = self._map.items
        return [self.project.mapLayer(items[layer.entry_index].layer_ids.get(layer.name, "")) for layer in plan.layers]

    def layer(self, layer_id: str) -> Optional[QgsMapLayer]:
        return self.new_layers.get(layer_id) or self.project.mapLayer(layer_id) or self.removed.layer(layer_id)

    def valid_layers(self, item: MapItem) -> list[QgsMapLayer]:
        """Return the service's layers that can be drawn."""
        found = (self.layer(layer_id) for layer_id in item.layer_ids.values())
        return [layer for layer in found if layer is not None and layer.isValid()]

    def layer_ids(self) -> list[str]:
        """Return the ids of the map's QGIS layers, those of services first."""
        parts: list[MapPart] = [*self._map.items, *self._map.own_items]
        return [layer_id for part in parts for layer_id in layer_ids_of(part)]

    def _group_part(self, part: MapPart) -> GroupPart:
        if isinstance(part, OwnItem):
            return own_part(part.own, self.layer(part.layer_id))
        layers = ((name, self.layer(part.layer_ids[name])) for name in part.names_in_order())
        return service_part(part.entry, [(name, layer) for name, layer in layers if layer is not None],
                            self._ticks_are_moments(part), part.expanded,
                            self._find_pale() if part is self._map.base else ())

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
            if layer.id() not in self._watched:
                self._watched.add(layer.id())
                # the first follows an opacity that is chosen in the layer styling too
                for signal in (layer.styleChanged, layer.flagsChanged, layer.dataSourceChanged):
                    signal.connect(self._on_tree_changed)

    def put_on_stack(self, layer: QgsMapLayer, visible: bool) -> None:
        if len(self._map.own_items) >= MAX_OWN_LAYERS:
            raise CartoguideError(tr("A map has at most {count} own layers.", count=MAX_OWN_LAYERS))
        own = references.refer_to(layer, visible)
        self._map.put(OwnItem(own, layer_id=layer.id()), len(self._map.stack))
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
        # a range of scales is part of the style, and QGIS says nothing but that the layer is to be drawn again
        self._scale_ranges[layer.id()] = _scale_range(layer)
        layer.repaintRequested.connect(self._on_own_repaint)
        for name in ("nameChanged", "metadataChanged", "dataSourceChanged", "flagsChanged", "subsetStringChanged",
                     "crsChanged"):
            # only layers of features and, in later QGIS, some others have a filter
            if hasattr(layer, name):
                getattr(layer, name).connect(self._on_tree_changed)

    def read(self) -> None:
        """Read the title, order, ticks and opacities that the person changed in QGIS into the document."""
        root = self.project.layerTreeRoot()
        if any(self.project.mapLayer(layer_id) is not None and root.findLayer(layer_id) is None
               for layer_id in self.layer_ids()):
            # QGIS is going to remove the layer: its signal is still to come
            return
        if self._is_being_dragged():
            return
        if not self._map.stack and self._follow_the_group():
            return
        # before the document is written: that removes the marks by which the own layers of copies are known
        self._put_copies_aside()
        before = self._map.current, self._map.stack, self._was_hidden
        were_removed, self._layers_were_removed = self._layers_were_removed, False
        title = self._map.current.title
        group = self.find_group() if self._map.stack else None
        adopted: list[MapItem] = []
        lost_marks = False
        if group is not None:
            if group.name() != inert(self._find_title()):
                title = group.name()
            with self.writing():
                pasted = added_layers.release_pasted_maps(group)
            lost_marks = self._keep_marks()
            self._release_other_sources()
            adopted = self._adopt_services(group)
            self._read_group(group)
        elif self._written_document is not None and not any(map(self.project.mapLayer, self.layer_ids())):
            # the person removed the whole group, with services that had no layers
            self._map.arrange((), None)
        self._map.change(title=title)
        if group is not None or (self._written_document is not None and not self._map.stack):
            self.write()
        if group is not None:
            with self.writing():
                added_layers.remove_empty(pasted)
            self._was_hidden = self.is_hidden_on_canvas()
        if lost_marks or not all(mark(layer, ENDPOINT) for item in self._map.items
                                 for layer in self.valid_layers(item)):
            self.marked_otherwise.emit()
        if adopted:
            self.adopted.emit(adopted)
        otherwise = [(layer.id(), reason) for layer, reason in self.layers_left_out()]
        otherwise += [(one.name(), " ".join(project_group.effects_of_group(one))) for one in self.groups_drawn_as_one()]
        otherwise += [("", "order")] if self.has_other_order() else []
        if were_removed or before != (self._map.current, self._map.stack, self._was_hidden) or (
                otherwise != self._were_otherwise):
            self._were_otherwise = otherwise
            self.changed.emit()

    def _keep_marks(self) -> bool:
        """Give layers of services the marks again that a style has replaced. Return whether there was such a layer.

        A style of before a snapshot, or of another layer, brings other marks, while the source stays.
        """
        lost = False
        for layer in (layer for item in self._map.items for layer in self.valid_layers(item)):
            source, marks = self._marks.get(layer.id(), ("", {}))
            if mark(layer, ENDPOINT):
                self._marks[layer.id()] = str(layer.source()), marks_of(layer)
            elif layer.source() == source:
                set_marks(layer, marks)
                lost = True
        return lost

    def _is_being_dragged(self) -> bool:
        """Return whether layers lie at two places, and look again later. QGIS inserts what is dragged, then removes it.

        If it were arranged in between, QGIS would remove what was arranged.
        """
        ids = self.project.layerTreeRoot().findLayerIds()
        waits = len(set(ids)) < len(ids) and self._waits < _DRAG_WAITS
        self._waits = self._waits + 1 if waits else 0
        self.tree_timer.setInterval(_DRAG_PAUSE_MS if waits else 0)
        if waits:
            self.tree_timer.start()
        return waits

    def _follow_the_group(self) -> bool:
        """Show a map that was pasted while there is none, or the map's own group that was pasted and deleted then."""
        was_pasted, self._was_pasted = self._was_pasted, False
        moved = project_document.find_moved_group(self.project, self._written_document) \
            if self._written_document is not None else None
        if moved is not None:
            project_group.rename_group(moved, self._map.current.title or moved.name())
        elif not was_pasted or not project_document.has_map(self.project):
            return False
        self._layers_were_removed = False
        self._written_document = self._group = None
        self.found.emit(moved is not None)
        return True

    def _put_copies_aside(self) -> None:
        """Make the groups of maps that were pasted beside the map's plain ones, and say so."""
        group = self.find_group()
        if not self._was_pasted or group is None:
            return
        self._was_pasted = False
        with self.writing():
            copies = project_document.put_copies_aside(self.project, group)
        for copy, ids in copies:
            self._copies.extend(ids.items())
            self.copied.emit(copy)

    def let_go(self) -> None:
        """Make the map's group a plain one with all its layers, which can be opened as a map, and the map an empty one.
        """
        group = self.find_group()
        self._stop_timers()
        self._map.arrange((), None)
        # what returned to that map is in its group, and not for the next one to take
        self.former.forget()
        self._written_document = self._group = None
        self._own_in_group = frozenset()
        if group is not None:
            with self.writing():
                group.removeCustomProperty(project_group.MAP_PROPERTY)

    def _read_group(self, group: QgsLayerTreeGroup) -> None:
        """Read order, ticks, names, opacities and blend modes of what is in the map's group."""
        root = self.project.layerTreeRoot()
        bottom_first = [node.layerId() for node in reversed(root.findLayers())]
        found = find_subgroups(group, [self._group_part(part) for part in self._map.stack])
        subgroups = {part: found[number] for number, part in enumerate(self._map.stack) if number in found}
        read: dict[MapPart, Any] = {}
        restyled: list[MapItem] = []
        for item in self._map.items:
            names = {layer_id: name for name, layer_id in item.layer_ids.items()}
            # each once: QGIS may have a layer at two places
            order = list(dict.fromkeys(names[layer_id] for layer_id in bottom_first if layer_id in names))
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
            entry = self._entry_with_styles(self._entry_with_names(entry, item), item)
            if entry.styles != item.entry.styles:
                restyled.append(item)
            read[item] = entry_with_blend(self._entry_with_opacities(entry, item), self.valid_layers(item))
        self._map.set_layers(read)
        for item in restyled:
            # its layers are drawn from what its entry says now
            self.former.note_sources(item)
        self._read_own_layers(group)
        in_subgroups = {part: set(subgroup.findLayerIds()) for part, subgroup in subgroups.items()}
        self._sort_stack(bottom_first, in_subgroups)

    def _read_own_layers(self, group: QgsLayerTreeGroup) -> None:
        """Read what the person did to own layers: layers dropped into the map's group are on the map, others not."""
        present = set(group.findLayerIds())
        in_project = [(item, self.layer(item.layer_id)) for item in self._map.own_items
                      if item.layer_id not in self.new_layers]
        self._map.remove([item for item, layer in in_project if layer is not None and item.layer_id not in present])
        changed: dict[MapPart, Any] = {}
        for item, layer in in_project:
            if layer is None or item.layer_id not in present:
                continue
            read = references.updated(item.own, layer, item.layer_id in self.restyled)
            opacity = item.own.opacity if self.opacity_timer.isActive() else read.opacity
            visible = self.project.layerTreeRoot().findLayer(item.layer_id).itemVisibilityChecked()
            changed[item] = replace(read, opacity=opacity, visible=visible)
            item.problem = "" if layer.isValid() else references.unavailable_text(changed[item])
        self._map.set_layers(changed)
        self.restyled.clear()
        known = set(self.layer_ids())
        for node in (node for nodes in added_layers.added_parts(group, known) for node in nodes):
            layer = node.layer()
            is_refused = len(self._map.items) >= MAX_OVERLAYS and added_layers.known_service(layer) is not None
            if layer is not None and not is_refused and not added_layers.reason_not_on_map(layer):
                try:
                    self.put_on_stack(layer, project_group.is_ticked(node, group))
                    self._refusals.pop(layer.id(), None)
                except CartoguideError as error:
                    self._refusals[layer.id()] = error.user_text

    def _release_other_sources(self) -> None:
        """Take layers off services whose source a person has changed in QGIS: in the group they are further layers."""
        for item in [item for item in self._map.items if not item.loading and not item.outdated]:
            layers = {name: self.project.mapLayer(layer_id) for name, layer_id in item.layer_ids.items()}
            others = {name for name, layer in layers.items()
                      if layer is not None and not added_layers.draws_entry(
                          layer, item.entry, name, self.former.marked_with.get(layer.id(), ""))}
            for name in others:
                self.former.drawn_from.pop(item.layer_ids[name], None)
            if others:
                self._take_off(item, others)

    def _take_off(self, item: MapItem, gone: Collection[str]) -> None:
        """Take the layers called ``gone`` off a service of the map, and the service with its last one."""
        names = tuple(item.layer_ids)
        item.layer_ids = {name: layer_id for name, layer_id in item.layer_ids.items() if name not in gone}
        self._map.set_layers({item: entry_without_layers(item.entry, names, gone)})
        if not item.layer_ids:
            self._map.remove([item])

    def _adopt_services(self, group: QgsLayerTreeGroup) -> list[MapItem]:
        """Put layers of services that a person put into the group on the map. Return the services that have them.

        Further layers of a service that lie in its own sub-group belong to it. Others are further services.
        """
        adopted: list[MapItem] = []
        subgroups = find_subgroups(group, [self._group_part(part) for part in self._map.stack])
        for nodes in added_layers.added_parts(group, set(self.layer_ids())):
            layers = [node.layer() for node in nodes if node.layer() is not None]
            if added_layers.known_service(layers[0]) is None or not all(layer.isValid() for layer in layers):
                continue
            owner = next((self._map.stack[number] for number, subgroup in subgroups.items()
                          if subgroup is nodes[0].parent()), None)
            if isinstance(owner, MapItem) and self._join(owner, layers):
                adopted.append(owner)
                continue
            if len(self._map.items) >= MAX_OVERLAYS:
                self._refusals.update({layer.id(): tr("A map has at most {count} services.", count=MAX_OVERLAYS)
                                       for layer in layers})
                continue
            entry = self._find_entry(layers)
            item = MapItem(entry, layer_ids={name: layer.id() for name, layer in zip(entry.layers, layers)},
                           expanded=False, adopted=frozenset(layer.id() for layer in layers))
            with self.writing():
                title = self._take_group(group, nodes)
            self._map.put(item, len(self._map.stack))
            if title:
                self._map.update(item, title=title)
            self.watch_layers(layers)
            self.former.note_sources(item)
            adopted.append(item)
        return adopted

    def _join(self, item: MapItem, layers: Sequence[QgsMapLayer]) -> bool:
        """Make layers part of a service on the map, and return true, if they are further layers of that service."""
        entry, service = self._find_entry(layers), added_layers.known_service(layers[0])
        known = {*item.entry.layers, *item.layer_ids}
        # an entry without names has all layers of the service, and the layers of a series are its moments
        if item.entry.moment or not item.entry.layers or not known.isdisjoint(entry.layers) or not any(
                added_layers.known_service(layer) == service for layer in self.valid_layers(item)):
            return False
        ids = {name: layer.id() for name, layer in zip(entry.layers, layers)}
        item.layer_ids.update(ids)
        item.adopted = item.adopted.union(ids.values())
        self._map.set_layers({item: merged_entry(item, MapItem(entry))})
        self.watch_layers(layers)
        self.former.note_sources(item)
        return True

    def _take_group(self, group: QgsLayerTreeGroup, nodes: Sequence[QgsLayerTreeLayer]) -> str:
        """Make the group that only has the layers of a service its sub-group, and return the service's title.

        Layers that lie elsewhere, which have no title, are ticked as they are drawn there.
        """
        parent = nodes[0].parent()
        if parent is not group and len(nodes) > 1 and len(parent.children()) == len(nodes):
            project_group.mark_subgroup(parent)
            return str(parent.name())
        for node in nodes:
            node.setItemVisibilityChecked(project_group.is_ticked(node, group))
        return ""

    def layers_left_out(self) -> list[tuple[QgsMapLayer, str]]:
        """Return the layers that are ticked in the map's group and not on the map, each with the reason."""
        group = self.find_group()
        if group is None:
            return []
        found = [(node.layer(), project_group.is_ticked(node, group))
                 for nodes in added_layers.added_parts(group, set(self.layer_ids())) for node in nodes]
        return [(layer, added_layers.reason_not_on_map(layer) or self._refusals.get(layer.id(), ""))
                for layer, ticked in found if layer is not None and ticked]

    def groups_drawn_as_one(self) -> list[QgsLayerTreeGroup]:
        """Return the groups of the map that QGIS draws as one layer, so that they look other than on the page."""
        group = self.find_group()
        return project_group.groups_drawn_as_one(group) if group is not None else []

    def has_other_order(self) -> bool:
        """Return whether QGIS draws the map's visible layers in another order than that of the layer tree."""
        root = self.project.layerTreeRoot()
        if not root.hasCustomLayerOrder():
            return False
        chosen = self._drawn_in(root.customLayerOrder())
        # QGIS lists none of a group that is drawn as one layer
        return chosen != [one for one in self._drawn_in([node.layer() for node in root.findLayers()]) if one in chosen]

    def _drawn_in(self, order: Sequence[Optional[QgsMapLayer]]) -> list[str]:
        root, ids = self.project.layerTreeRoot(), set(self.layer_ids())
        return [layer.id() for layer in order if layer is not None and layer.id() in ids and (
            node := root.findLayer(layer.id())) is not None and node.isVisible()]

    def draw_in_tree_order(self) -> None:
        """Let QGIS draw all layers of the project in the order of the layer tree, as pages do."""
        self.project.layerTreeRoot().setHasCustomLayerOrder(False)
        self.read()

    def draw_one_by_one(self, layer_id: str) -> None:
        """Let QGIS draw the layers of the group one by one that it draws as the layer ``layer_id``."""
        for group in self.groups_drawn_as_one():
            layer = compat.group_layer(group)
            if layer is not None and layer.id() == layer_id:
                project_group.draw_one_by_one(self.project, group)
        self.read()

    def put_outside(self, layer_id: str) -> None:
        """Move a layer that is not on the map out of its group, to the place above it."""
        group = self.find_group()
        node = group.findLayer(layer_id) if group is not None else None
        if group is not None and node is not None:
            with self.writing():
                project_group.move_out_of_group(group, node)
            self.read()

    def put_inside(self, layer_id: str) -> None:
        """Put a layer that lies in the group on the map. ``failed`` is emitted if it still cannot be."""
        self.read()
        reason = next((reason for layer, reason in self.layers_left_out() if layer.id() == layer_id), "")
        if reason:
            self.failed.emit(CartoguideError(reason))

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
        self._map.arrange([self._map.stack[number] for _, number in sorted(keys)], self._map.base)

    def _entry_with_names(self, entry: MapEntry, item: MapItem) -> MapEntry:
        """Return the entry with the names that layers were given in QGIS, and with those that are private there."""
        layers = {name: layer for name, layer_id in item.layer_ids.items()
                  if (layer := self.layer(layer_id)) is not None and layer.isValid()}
        names = {name: given for name, given in entry.names.items() if name not in layers}
        names.update((name, given) for name, layer in layers.items() if (given := given_name(layer)))
        private = [*(name for name in entry.private if name not in layers),
                   *(name for name, layer in layers.items() if is_private(layer))]
        return replace(entry, names=names if names != entry.names else entry.names,
                       private=tuple(private) if set(private) != set(entry.private) else entry.private)

    def _entry_with_styles(self, entry: MapEntry, item: MapItem) -> MapEntry:
        """Return the entry with the styles of the service that somebody wrote into the sources of its layers.

        The default style does not count: it replaces one that the service has no more.
        """
        if item.loading or item.outdated:
            return entry
        sources = ((name, live_source(layer)) for name, layer_id in item.layer_ids.items()
                   if (layer := self.layer(layer_id)) is not None and layer.isValid())
        found = {name: styles[0] for name, source in sources if any(styles := requested_by(source).styles)}
        known = dict(zip(entry.layers, entry.styles))
        styles = tuple(found.get(name, known.get(name, "")) for name in entry.layers)
        return replace(entry, styles=styles) if styles != (entry.styles or ("",) * len(entry.layers)) else entry

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

    def _on_layers_added(self, layers: Sequence[QgsMapLayer]) -> None:
        """Follow a layer as which QGIS draws a group: it is announced in no other way."""
        groups = [layer for layer in layers if hasattr(layer, "childLayers")]
        for layer in groups:
            for signal in (layer.styleChanged, layer.repaintRequested):
                signal.connect(self._on_tree_changed)
        if groups:
            self._on_tree_changed()

    def _on_nodes_added(self, parent: QgsLayerTreeNode, first: int, last: int) -> None:
        """Look at the tree when a group with a map's document was put into it, even if there is no map yet."""
        added = parent.children()[first:last + 1]
        inner = (inside for node in added if isinstance(node, QgsLayerTreeGroup) for inside in node.findGroups(True))
        if not self._writing and self._connections and any(map(project_document.has_document, (*added, *inner))):
            self._was_pasted = True
            self.tree_timer.start()

    def _on_own_style_changed(self) -> None:
        layer = self.sender()
        if not self._writing and isinstance(layer, QgsMapLayer) and self._connections:
            self.restyled.add(layer.id())
            self.tree_timer.start()

    def _on_own_repaint(self) -> None:
        layer = self.sender()
        if isinstance(layer, QgsMapLayer) and self._scale_ranges.get(layer.id()) != _scale_range(layer):
            self._scale_ranges[layer.id()] = _scale_range(layer)
            self._on_own_style_changed()

    def _on_layers_removed(self, ids: Sequence[str]) -> None:
        """Remove the layers from the map that the person removed from the project.

        The tree is left alone here: QGIS sends this signal while it clears a project too. The change is announced with
        the next reading of the tree: QGIS removes the layers of a group one by one, and they are one step to undo.
        """
        removed = set(ids)
        affected = [item for item in self._map.items if removed.intersection(item.layer_ids.values())]
        for item in affected:
            gone = {name: layer_id for name, layer_id in item.layer_ids.items() if layer_id in removed}
            self.former.note(item, gone)
            self._take_off(item, gone)
        own = [item for item in self._map.own_items if item.layer_id in removed]
        self._map.remove(own)
        if affected or own:
            self._layers_were_removed = True
            self.tree_timer.start()

    def _on_crs_changed(self) -> None:
        # later: the project may be about to be cleared
        self._on_tree_changed()
        self.crs_timer.start()
        if not self._setting_crs:
            self._map.change(Change(tr("coordinate reference system")))
            self.changed.emit()

    def _on_project_cleared(self) -> None:
        self._stop_timers()
        self._written_document, self._layers_were_removed = None, False
        self._group, self._was_pasted = None, False
        self._own_in_group = frozenset()
        self._refusals.clear()
        self.own_layer_ids.clear()
        self.restyled.clear()
        self.removed.clear()
        self.former.clear()
        self._watched = set()
        self._marks.clear()
        self._copies.clear()
        self.cleared.emit()


def _scale_range(layer: QgsMapLayer) -> tuple[bool, float, float]:
    return bool(layer.hasScaleBasedVisibility()), float(layer.minimumScale()), float(layer.maximumScale())
