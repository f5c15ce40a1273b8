"""Random sequences of everything that can be done to a custom map: document, project, composer and page stay one.

After each step all views are compared with the document. ``CARTOGUIDE_STATES=20000`` takes more steps: ``make states``.
"""

from __future__ import annotations

import os
import time
from typing import Any, Dict, List, Optional

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test
from qgis.core import QgsDataSourceUri, QgsLayerTreeLayer, QgsProject, QgsSingleSymbolRenderer, QgsVectorLayer
from qgis.PyQt.QtCore import QCoreApplication, QEvent, QEventLoop

from plugin.app.maps.map_document import ExtentMode
from plugin.app.maps.map_state import LayerChoice, MapItem, OwnItem, ServiceRemedy, layer_ids_of
from plugin.core.box import Box
from plugin.core.custommap.document import read_document
from plugin.core.custommap.legend.changes import reset
from plugin.core.custommap.model import (
    BlendMode,
    CustomMap,
    MapEntry,
    MapExtent,
    MapRole,
    Orientation,
    OwnLayer,
    PageSetup,
)
from plugin.core.custommap.planner import choose_getmap_address
from plugin.core.records.model.endpoints import normalise_endpoint
from plugin.core.text import inert
from plugin.gis.credits.layer_credits import layer_credit
from plugin.gis.layers import project_document
from plugin.gis.layers.blend_modes import blend_of, blend_of_style, set_blend
from plugin.gis.layers.project_group import is_subgroup
from plugin.gis.layouts.layout_items import MAP
from plugin.gis.own_layers.references import style_of, visible_layers_in_order
from plugin.gis.pages.layout_builder import build_layout
from plugin.gis.runtime import settings as plugin_settings
from plugin.gis.sources.layer_source import ENDPOINT, LAYER_NAME, OWN_LAYER, live_source
from tests.qgis.test_dock_offline import fill, take
from tests.qgis.test_own_layers import points_file, red_square
from tests.slowness import patience

#: steps of one sequence, and of all
LENGTH, STEPS = 50, int(os.environ.get("CARTOGUIDE_STATES", "100"))
DEAD = "http://127.0.0.1:9/dead?"
ANY = st.integers(0, 1_000)
#: more services make each step slow and show no more
MOST_SERVICES, MOST_OWN_LAYERS = 4, 3


class World:
    """The dock, the services that it may use, and the files of the sequence."""

    def __init__(self, dock: Any, folder: Any) -> None:
        self.dock, self.folder = dock, folder
        self.actions = dock.composer_controller
        self.maps, self.project = self.actions.map, QgsProject.instance()
        self.records = [dock.session.record(dock.model.hit(row).identifier) for row in range(dock.model.rowCount())]
        self.endpoints = [dock.session.endpoint(record) for record in self.records]
        self.names = [[layer.name for layer in dock.session.services.get(endpoint).iter_layers()
                       if layer.name and not layer.layers][:3] for endpoint in self.endpoints]
        self.saved_maps: List[Any] = []
        self.saved_projects: List[Any] = []
        self.steps = 0

    def settle(self) -> None:
        """Wait until nothing is on its way."""
        end = time.monotonic() + patience()
        quiet = 0
        while quiet < 3:
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
            QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 20)
            self.maps.flush()
            busy = self.maps.adding or self.actions.offline._job is not None
            quiet = 0 if busy else quiet + 1
            if busy:
                time.sleep(0.001)
            assert time.monotonic() < end, "the map comes to rest"
        self.actions.refresh_view()

#: blending modes that follow a change of opacity, in the composer and in the layer styling
MODES = (BlendMode.NORMAL, BlendMode.MULTIPLY, BlendMode.SCREEN, BlendMode.DARKEN)


class MapMachine(RuleBasedStateMachine):
    """One sequence. It begins with an empty project."""

    world: World

    def __init__(self) -> None:
        super().__init__()
        w = self.world
        self.maps, self.project, self.actions = w.maps, w.project, w.actions
        w.saved_maps, w.saved_projects = [], []
        self.project.clear()
        self.project.setCrs(w.crs)
        w.settle()

    # -- the map's own actions

    def item(self, number: int) -> int:
        """A place in the map's stack."""
        return number % len(self.maps.stack)

    def service(self, number: int) -> Any:
        return self.maps.items[number % len(self.maps.items)]

    def own(self, number: int) -> int:
        """The place of an own layer in the map's stack."""
        return self.maps.stack.index(self.maps.own_items[number % len(self.maps.own_items)])

    def new_own_layer(self, temporary: bool = False) -> Any:
        made = QgsVectorLayer("Point?crs=EPSG:25830", "mío", "memory") if temporary else QgsVectorLayer(
            str(self.world.points), "puntos", "ogr")
        self.project.addMapLayer(made, False)
        return made

    def done(self) -> None:
        self.world.steps += 1
        self.world.settle()

    @rule(service=ANY, layers=ANY, base=st.booleans())
    def add(self, service: int, layers: int, base: bool) -> None:
        number = service % len(self.world.records)
        names = self.world.names[number][:1 + layers % 3]
        if len(self.maps.items) < MOST_SERVICES:
            role = MapRole.BASE if base else MapRole.OVERLAY
            self.maps.add(self.world.records[number], self.world.endpoints[number], LayerChoice.of_names(names, role))
        self.done()

    @rule(service=ANY, layers=ANY)
    def add_missing(self, service: int, layers: int) -> None:
        number = service % len(self.world.records)
        if len(self.maps.items) < MOST_SERVICES:
            names = self.world.names[number][layers % 3:]
            self.maps.add_missing_layers(self.world.records[number], self.world.endpoints[number],
                                         LayerChoice.of_names(names))
        self.done()

    @precondition(lambda self: self.maps.stack)
    @rule(number=ANY)
    def remove(self, number: int) -> None:
        self.maps.remove(self.item(number))
        self.done()

    @precondition(lambda self: self.maps.stack)
    @rule(number=ANY)
    def remove_and_put_back_by_the_message(self, number: int) -> None:
        self.world.settle()
        before = self.maps.document()
        self.maps.remove(self.item(number))
        self.world.dock.note.details.click()
        self.done()
        after = self.maps.document()
        assert {entry.endpoint for entry in after.entries} == {entry.endpoint for entry in before.entries}
        assert {own.id for own in after.own_layers} == {own.id for own in before.own_layers}

    @precondition(lambda self: len(self.maps.stack) > 1)
    @rule(number=ANY, place=ANY)
    def move(self, number: int, place: int) -> None:
        self.maps.move(self.item(number), self.item(place))
        self.done()

    @precondition(lambda self: self.maps.stack)
    @rule(number=ANY, base=st.booleans())
    def set_role(self, number: int, base: bool) -> None:
        self.maps.set_role(self.item(number), MapRole.BASE if base else MapRole.OVERLAY)
        self.done()

    @precondition(lambda self: self.maps.stack)
    @rule(number=ANY, values=st.lists(st.integers(0, 20), min_size=1, max_size=3), settled=st.booleans())
    def set_opacity(self, number: int, values: List[int], settled: bool) -> None:
        for value in values:
            self.maps.set_opacity(self.item(number), value / 20)
        if not values[0] % 4:
            self.maps.set_blend(self.item(number), MODES[values[-1] % len(MODES)])
        if settled:
            self.done()

    @precondition(lambda self: self.maps.stack)
    @rule(number=ANY, on=st.booleans())
    def set_visible(self, number: int, on: bool) -> None:
        self.maps.set_visible(self.item(number), on)
        self.done()

    @precondition(lambda self: self.maps.items)
    @rule(number=ANY, layers=ANY)
    def choose_layers(self, number: int, layers: int) -> None:
        item = self.service(number)
        known = [index for index, endpoint in enumerate(self.world.endpoints) if endpoint == item.entry.endpoint]
        if known:
            self.maps.change_layers(item, LayerChoice.of_names(self.world.names[known[0]][:1 + layers % 3], item.role))
        self.done()

    @rule(title=st.sampled_from(["", "Mapa", "Otro", "[% 1 %]"]))
    def set_title(self, title: str) -> None:
        self.maps.set_title(title)
        self.done()

    @rule(paper=st.sampled_from(["A4", "A3"]), turn=st.sampled_from(Orientation))
    def set_page(self, paper: str, turn: Orientation) -> None:
        self.actions.composer.page.page_changed.emit(PageSetup(paper, turn, "guide"))
        self.done()

    @rule(scale=st.sampled_from([None, 25_000.0, 50_000.0]), language=st.sampled_from(["es", "en"]))
    def set_scale_and_language(self, scale: Optional[float], language: str) -> None:
        self.actions.extent.set_scale(scale)
        self.actions.composer.page.language_changed.emit(language)
        self.done()

    @rule(mode=st.sampled_from([ExtentMode.CANVAS, ExtentMode.ALL_SERVICES, ExtentMode.CUSTOM]))
    def set_extent(self, mode: ExtentMode) -> None:
        if mode is ExtentMode.CUSTOM:
            self.actions.extent.set_extent(Box(-3.51, 38.38, -3.49, 38.39))
        else:
            self.actions.extent.set_mode(mode)
        self.done()

    @precondition(lambda self: self.actions.layers.page_legend.tree())
    @rule(number=ANY, kind=st.sampled_from(["layer", "group", "hide", "show", "up", "down", "heading", "reset"]),
          text=st.sampled_from(["", "Agua", "[% 1 %]"]))
    def edit_the_legend(self, number: int, kind: str, text: str) -> None:
        self.world.settle()
        legend = self.actions.layers.page_legend
        tree, before = legend.tree(), self.maps.document()
        group = tree[number % len(tree)]
        item = group.items[number % len(group.items)]
        references = group.references if number % 2 else (item.reference,)
        {"layer": lambda: legend.rename_layer(item, text), "group": lambda: legend.rename_group(group, text),
         "hide": lambda: legend.set_hidden(references, True), "show": lambda: legend.set_hidden(references, False),
         "up": lambda: legend.move(references, -1), "down": lambda: legend.move(references, 1),
         "heading": lambda: legend.put_under_heading(references, text), "reset": legend.reset}[kind]()
        self.done()
        assert reset(self.maps.document()) == reset(before), "nothing but the legend is changed"
        found = [each.reference for one in legend.tree() for each in one.items]
        assert len(set(found)) == len(found) == sum(len(one.items) for one in tree)

    @rule()
    def undo(self) -> None:
        self.maps.flush()
        before, could = self.maps.document(), self.actions.map.custom_map.history.can_undo
        self.actions.map.undo()
        self.done()
        if could:
            self.actions.map.redo()
            self.world.settle()
            assert self.maps.document() == before, "what was undone is redone"
            self.actions.map.undo()
            self.world.settle()

    @rule()
    def redo(self) -> None:
        self.actions.map.redo()
        self.done()

    # -- services that move or do not respond

    @precondition(lambda self: self.maps.items)
    @rule(number=ANY)
    def point_to_another_address(self, number: int) -> None:
        item = self.service(number)
        layers, styles = item.entry.layers, item.entry.styles
        there = item.entry.endpoint
        other = there.replace("127.0.0.1", "localhost") if "127.0.0.1" in there else there.replace("localhost",
                                                                                                    "127.0.0.1")
        if not there.startswith(DEAD[:18]):
            self.maps.change_endpoints({item: other})
        self.done()
        assert (item.entry.layers, item.entry.styles) == (layers, styles)

    @precondition(lambda self: self.maps.items)
    @rule(number=ANY, settled=st.booleans())
    def point_to_nothing(self, number: int, settled: bool) -> None:
        self.maps.change_endpoints({self.service(number): DEAD})
        if settled:
            self.done()

    @precondition(lambda self: self.actions.layers.unavailable.parts())
    @rule(remedy=st.sampled_from(list(ServiceRemedy)))
    def apply_remedy(self, remedy: ServiceRemedy) -> None:
        self.actions.layers.unavailable.apply(remedy, self.actions.layers.unavailable.parts())
        self.done()

    # -- other maps and projects

    @rule(back=st.booleans())
    def new_map(self, back: bool) -> None:
        self.world.settle()
        before, had = self.maps.document(), bool(self.maps.stack)
        self.actions.documents.new()
        self.world.settle()
        assert not self.maps.stack and not services(self.project.mapLayers().values())
        if back and had:
            self.world.dock.note.details.click()
            self.world.settle()
            assert self.maps.document() == before
        self.done()

    @rule()
    def save_map(self) -> None:
        path = self.world.folder / f"{len(self.world.saved_maps) % 5}.custommap.json"
        self.actions.documents.save_to(path)
        self.world.saved_maps = [*(one for one in self.world.saved_maps if one != path), path]
        self.done()
        saved, document = read_document(path.read_bytes()), self.maps.document()
        assert [getattr(part, "id", part) for part in saved.stack] == [getattr(part, "id", part)
                                                                       for part in document.stack]

    @precondition(lambda self: self.world.saved_maps)
    @rule(number=ANY, settled=st.booleans())
    def open_map(self, number: int, settled: bool) -> None:
        path = self.world.saved_maps[number % len(self.world.saved_maps)]
        document = read_document(path.read_bytes())
        self.actions.documents.open_file(path)
        if settled or document.snapshot is not None:
            self.done()
            assert [entry.layers for entry in self.maps.document().entries] == [
                entry.layers for entry in document.entries]

    @rule(times=st.integers(2, 3), base=st.booleans())
    def open_a_map_with_one_service_several_times(self, times: int, base: bool) -> None:
        names = tuple(self.world.names[0][:2])
        entries = tuple(MapEntry(self.world.endpoints[0], f"Capa {number}", layers=names, styles=("",) * len(names),
                                 opacity=1 - number / 4) for number in range(times))
        document = CustomMap("Varias veces", "es", entries[0] if base else None, entries[1:] if base else entries,
                             self.world.crs.authid(), MapExtent(-3.51, 38.38, -3.49, 38.39))
        self.actions.documents.open_document(document)
        self.done()
        assert self.maps.document() == document

    # -- own layers

    def has_room(self) -> bool:
        return len(self.maps.own_items) < MOST_OWN_LAYERS

    @rule(temporary=st.booleans(), credit=st.sampled_from([None, "", "© Ana"]))
    def add_own_layer(self, temporary: bool, credit: Optional[str]) -> None:
        if self.has_room():
            self.maps.add_own_layer(self.new_own_layer(temporary), credit)
        self.done()

    @precondition(lambda self: self.maps.stack)
    @rule(place=ANY, temporary=st.booleans())
    def put_an_own_layer_into_the_group(self, place: int, temporary: bool) -> None:
        self.world.settle()
        if self.has_room():
            own, group = self.new_own_layer(temporary), self.maps.mirror.find_group()
            group.insertLayer(place % (len(group.children()) + 1), own)
            self.done()
            assert any(item.layer_id == own.id() for item in self.maps.own_items)

    @precondition(lambda self: self.maps.own_items)
    @rule(number=ANY, credit=st.sampled_from(["", "© Ana", "Fuente: campo"]))
    def set_source_line(self, number: int, credit: str) -> None:
        self.maps.set_own_credit(self.own(number), credit)
        self.done()

    @precondition(lambda self: self.maps.own_items)
    @rule(number=ANY, name=st.sampled_from(["puntos", "[% 1 %]"]), size=st.integers(1, 3))
    def rename_and_style_an_own_layer(self, number: int, name: str, size: int) -> None:
        layer = self.project.mapLayer(self.maps.stack[self.own(number)].layer_id)
        if layer is not None:
            layer.setName(name)
            layer.setRenderer(QgsSingleSymbolRenderer(red_square(size)))
        self.done()

    @precondition(lambda self: self.maps.own_items)
    @rule(number=ANY, place=ANY, out=st.booleans())
    def drag_an_own_layer(self, number: int, place: int, out: bool) -> None:
        self.world.settle()
        item = self.maps.stack[self.own(number)]
        node = self.maps.mirror.find_group().findLayer(item.layer_id)
        if node is None:
            return
        group = self.project.layerTreeRoot() if out else node.parent()
        group.insertChildNode(0 if out else place % (len(group.children()) + 1), node.clone())
        node.parent().removeChildNode(node)
        self.done()
        assert any(one is item for one in self.maps.stack) != out
        assert self.project.mapLayer(item.layer_id) is not None

    @precondition(lambda self: self.maps.own_items)
    @rule(number=ANY)
    def remove_an_own_layer_from_the_project(self, number: int) -> None:
        item = self.maps.stack[self.own(number)]
        if item.layer_id:
            self.project.removeMapLayer(item.layer_id)
            self.done()
            assert item not in self.maps.stack

    @rule()
    def new_project(self) -> None:
        self.project.clear()
        self.done()
        assert not self.maps.stack and not self.actions.map.custom_map.history.can_undo and self.maps.chosen.title == ""
        self.project.setCrs(self.world.crs)

    @rule()
    def save_project(self) -> None:
        self.world.settle()
        path = self.world.folder / f"{len(self.world.saved_projects) % 3}.qgs"
        assert self.project.write(str(path))
        self.world.saved_projects = [*(one for one in self.world.saved_projects if one[0] != path),
                                     (path, self.maps.document())]
        self.done()

    @precondition(lambda self: self.world.saved_projects)
    @rule(number=ANY)
    def open_project(self, number: int) -> None:
        path, document = self.world.saved_projects[number % len(self.world.saved_projects)]
        self.project.read(str(path))
        self.done()
        assert [(entry.endpoint, entry.layers, entry.opacity) for entry in self.maps.document().entries] == [
            (entry.endpoint, entry.layers, entry.opacity) for entry in document.entries]
        assert [own.id for own in self.maps.document().own_layers] == [own.id for own in document.own_layers]
        if document.stack:
            assert (self.maps.title(), self.maps.chosen.page) == (document.title, document.page)

    # -- QGIS's layer tree

    def node(self, number: int) -> Any:
        nodes = self.maps.mirror.find_group().findLayers()
        return nodes[number % len(nodes)]

    def service_node(self, number: int) -> Any:
        nodes = self.service_nodes()
        return nodes[number % len(nodes)]

    def service_nodes(self) -> List[Any]:
        return [node for node in self.maps.mirror.find_group().findLayers() if services([node.layer()])]

    def subgroups(self) -> List[Any]:
        """The sub-groups of services, topmost first."""
        group = self.maps.mirror.find_group()
        return [node for node in group.children() if is_subgroup(node)] if group is not None else []

    def subgroup(self, number: int) -> Any:
        found = self.subgroups()
        return found[number % len(found)]

    def service_in(self, subgroup: Any) -> Any:
        ids = set(subgroup.findLayerIds())
        return next(item for item in self.maps.items if ids & set(item.layer_ids.values()))

    def has_layers(self) -> bool:
        return bool(self.maps.items) and bool(self.service_nodes())

    @precondition(lambda self: self.has_layers())
    @rule(number=ANY)
    def remove_layer_in_the_tree(self, number: int) -> None:
        node = self.node(number)
        node.parent().removeChildNode(node)
        self.done()

    @precondition(lambda self: self.maps.items)
    @rule()
    def remove_the_group(self) -> None:
        self.world.settle()
        group = self.maps.mirror.find_group()
        group.parent().removeChildNode(group)
        self.done()
        assert not self.maps.stack

    @precondition(lambda self: self.has_layers())
    @rule(number=ANY, place=ANY)
    def drag_in_the_tree(self, number: int, place: int) -> None:
        node = self.node(number)
        group = node.parent()
        group.insertChildNode(place % (len(group.children()) + 1), node.clone())
        group.removeChildNode(node)
        self.done()

    @precondition(lambda self: self.has_layers())
    @rule(number=ANY)
    def drag_out_of_the_group(self, number: int) -> None:
        node = self.service_node(number)
        self.project.layerTreeRoot().insertChildNode(0, node.clone())
        node.parent().removeChildNode(node)
        self.done()

    @precondition(lambda self: self.maps.items)
    @rule(title=st.sampled_from(["Grupo", "Mapa"]))
    def rename_the_group(self, title: str) -> None:
        self.world.settle()
        self.maps.mirror.find_group().setName(title)
        self.done()
        assert self.maps.title() == title

    @precondition(lambda self: self.has_layers())
    @rule(number=ANY, on=st.booleans())
    def tick(self, number: int, on: bool) -> None:
        self.node(number).setItemVisibilityChecked(on)
        self.done()

    @precondition(lambda self: self.has_layers())
    @rule(number=ANY, value=st.integers(0, 20))
    def style_opacity(self, number: int, value: int) -> None:
        self.node(number).layer().setOpacity(value / 20)
        if not value % 3:
            set_blend(self.node(number).layer(), MODES[value % len(MODES)])
        self.done()

    @precondition(lambda self: self.maps.items)
    @rule()
    def drag_the_group(self) -> None:
        self.world.settle()
        group = self.maps.mirror.find_group()
        self.project.layerTreeRoot().insertChildNode(0, group.clone())
        group.parent().removeChildNode(group)
        self.done()
        assert self.maps.items

    # -- the sub-groups of services

    @precondition(lambda self: self.subgroups())
    @rule(number=ANY, on=st.booleans())
    def tick_a_subgroup(self, number: int, on: bool) -> None:
        self.world.settle()
        subgroup = self.subgroup(number)
        item = self.service_in(subgroup)
        subgroup.setItemVisibilityChecked(on)
        self.done()
        assert item.entry.visible == on

    @precondition(lambda self: self.subgroups())
    @rule(number=ANY, ticks=st.lists(st.booleans(), min_size=3, max_size=3), on=st.booleans())
    def tick_layers_of_a_subgroup(self, number: int, ticks: List[bool], on: bool) -> None:
        self.world.settle()
        subgroup = self.subgroup(number)
        item, count = self.service_in(subgroup), len(subgroup.children())
        for node, ticked in zip(subgroup.children(), ticks):
            node.setItemVisibilityChecked(ticked)
        if on:
            # as QGIS does when a layer is ticked
            subgroup.setItemVisibilityChecked(True)
        self.done()
        if any(ticks[:count]) and on:
            assert item.entry.visible

    @precondition(lambda self: self.subgroups())
    @rule(number=ANY, title=st.sampled_from(["Servicio", "[% 1 %]", " "]))
    def rename_a_subgroup(self, number: int, title: str) -> None:
        self.world.settle()
        subgroup = self.subgroup(number)
        item = self.service_in(subgroup)
        before = item.entry.title
        subgroup.setName(title)
        self.done()
        assert item.entry.title == (title if title.strip() else before)

    @precondition(lambda self: self.subgroups())
    @rule(number=ANY, place=ANY, out=st.booleans())
    def drag_a_subgroup(self, number: int, place: int, out: bool) -> None:
        self.world.settle()
        subgroup, services_before = self.subgroup(number), len(self.maps.items)
        drag(subgroup, self.project.layerTreeRoot() if out else self.maps.mirror.find_group(), place)
        self.done()
        assert len(self.maps.items) == services_before

    @precondition(lambda self: len(self.subgroups()) > 1)
    @rule(number=ANY, other=ANY, place=ANY)
    def drag_a_subgroup_into_another(self, number: int, other: int, place: int) -> None:
        self.world.settle()
        subgroup, target = self.subgroup(number), self.subgroup(other)
        if subgroup is not target:
            drag(subgroup, target, place)
        self.done()

    @precondition(lambda self: self.subgroups() and self.has_layers())
    @rule(number=ANY, other=ANY, place=ANY)
    def drag_a_layer_into_a_subgroup(self, number: int, other: int, place: int) -> None:
        self.world.settle()
        drag(self.node(number), self.subgroup(other), place)
        self.done()

    @precondition(lambda self: self.subgroups())
    @rule(number=ANY, places=st.lists(ANY, min_size=3, max_size=3), into_group=st.booleans())
    def drag_all_layers_out_of_a_subgroup(self, number: int, places: List[int], into_group: bool) -> None:
        self.world.settle()
        subgroup, services_before = self.subgroup(number), len(self.maps.items)
        target = self.maps.mirror.find_group() if into_group else self.project.layerTreeRoot()
        for node, place in zip(subgroup.children(), places):
            drag(node, target, place)
        self.done()
        assert len(self.maps.items) == services_before

    @precondition(lambda self: self.subgroups())
    @rule(number=ANY)
    def remove_a_subgroup(self, number: int) -> None:
        self.world.settle()
        subgroup = self.subgroup(number)
        item = self.service_in(subgroup)
        subgroup.parent().removeChildNode(subgroup)
        self.done()
        assert item not in self.maps.items

    @precondition(lambda self: self.subgroups())
    @rule(number=ANY, place=ANY, temporary=st.booleans())
    def put_an_own_layer_into_a_subgroup(self, number: int, place: int, temporary: bool) -> None:
        self.world.settle()
        if self.has_room():
            own, subgroup = self.new_own_layer(temporary), self.subgroup(number)
            subgroup.insertLayer(place % (len(subgroup.children()) + 1), own)
            self.done()
            assert any(item.layer_id == own.id() for item in self.maps.own_items)

    @precondition(lambda self: self.subgroups())
    @rule(number=ANY, expanded=st.booleans())
    def reload_with_a_subgroup_folded(self, number: int, expanded: bool) -> None:
        self.world.settle()
        subgroup = self.subgroup(number)
        item = self.service_in(subgroup)
        subgroup.setExpanded(expanded)
        self.maps.builds.reload(item)
        self.done()
        if len(item.layer_ids) > 1:
            assert [one.isExpanded() for one in self.subgroups()
                    if set(one.findLayerIds()) & set(item.layer_ids.values())] == [expanded]

    @precondition(lambda self: self.subgroups())
    @rule(number=ANY, expanded=st.booleans(), dead=st.booleans())
    def another_address_with_a_subgroup_folded(self, number: int, expanded: bool, dead: bool) -> None:
        self.world.settle()
        subgroup = self.subgroup(number)
        item = self.service_in(subgroup)
        there, layers = item.entry.endpoint, len(item.layer_ids)
        subgroup.setExpanded(expanded)
        hosts = ("127.0.0.1", "localhost") if "127.0.0.1" in there else ("localhost", "127.0.0.1")
        for address in (DEAD, there) if dead else (there.replace(*hosts),):
            self.maps.change_endpoints({item: address})
            self.done()
        if len(item.layer_ids) == layers:
            assert [one.isExpanded() for one in self.subgroups()
                    if set(one.findLayerIds()) & set(item.layer_ids.values())] == [expanded]

    # -- a series of one layer

    @rule(day=st.integers(1, 30))
    def open_a_map_with_one_day_of_a_series(self, day: int) -> None:
        number = next(index for index, names in enumerate(self.world.names)
                      if any("precipitacion_2016" in name for name in names))
        entry = MapEntry(self.world.endpoints[number], "Lluvia", layers=(f"precipitacion_201606{day:02}",),
                         styles=("",), moment=f"2016-06-{day:02}")
        self.actions.documents.open_document(CustomMap("Un día", "es", None, (entry,), self.world.crs.authid(),
                                                       MapExtent(-3.51, 38.38, -3.49, 38.39)))
        self.done()
        assert [item.entry.moment for item in self.maps.items] == [f"2016-06-{day:02}"]

    @precondition(lambda self: self.single_days())
    @rule(on=st.booleans())
    def tick_one_day_of_a_series(self, on: bool) -> None:
        self.world.settle()
        (item,) = self.single_days()
        node = self.project.layerTreeRoot().findLayer(next(iter(item.layer_ids.values())))
        node.setItemVisibilityChecked(on)
        self.done()
        assert item.entry.visible == on

    def single_days(self) -> List[Any]:
        """The only series of the map, if it has one layer."""
        found = [item for item in self.maps.items if item.entry.moment]
        return found if len(found) == 1 and len(found[0].layer_ids) == 1 else []

    # -- snapshots

    @precondition(lambda self: self.maps.items)
    @rule()
    def have_a_snapshot(self) -> None:
        if self.maps.shown_snapshot is None:
            self.maps.commit(snapshot=self.world.snapshot)
        self.done()

    @precondition(lambda self: self.maps.items and self.maps.chosen.snapshot is not None)
    @rule()
    def switch_the_snapshot(self) -> None:
        self.actions.offline.toggle_snapshot()
        self.done()

    # -- one truth

    @invariant()
    def everything_is_as_the_document_says(self) -> None:
        self.world.settle()
        compare_views(self.world)

    def teardown(self) -> None:
        self.world.settle()
        compare_layout(self.world)


def drag(node: Any, target: Any, place: int) -> None:
    """Move a node as QGIS does when it is dragged: a copy is inserted, then the node is removed."""
    target.insertChildNode(place % (len(target.children()) + 1), node.clone())
    node.parent().removeChildNode(node)


def services(layers: Any) -> List[Any]:
    """Those of ``layers`` that are not a person's own."""
    return [layer for layer in layers if not isinstance(layer, QgsVectorLayer)]


def compare_views(world: World) -> None:
    """Rows, page form, layer tree, layers, plan and stored document are those of the document."""
    maps, project, actions = world.maps, world.project, world.actions
    composer = actions.composer
    document = maps.document()
    items, stack = maps.items, maps.stack
    assert tuple(item.entry for item in items) == document.entries
    assert [part.own.id if isinstance(part, OwnItem) else part.entry for part in stack] == [
        part.id if isinstance(part, OwnLayer) else part for part in document.stack], "one order"
    # the composer
    rows = [row.state for row in reversed(composer.rows.rows)]
    assert [(row.tip, row.opacity, row.visible, row.role, row.is_own, row.credit) for row in rows] == [
        (part.name, part.opacity, part.visible, MapRole.OVERLAY, True, part.credit) if isinstance(part, OwnLayer) else
        (part.title, part.opacity, part.visible, MapRole.BASE if part is document.base else MapRole.OVERLAY, False, "")
        for part in document.stack]
    is_drawn_by = [any(is_valid(project, layer_id) for layer_id in layer_ids_of(part)) for part in stack]
    assert [not row.problem for row in rows] == is_drawn_by, "what is missing is said"
    assert composer.undo.isEnabled() == actions.map.custom_map.history.can_undo
    if stack:
        assert composer.title.text() == document.title
        assert composer.page.page() == document.page and composer.page.language.currentData() == document.language
        assert composer.page.scale.currentData() == document.scale
        assert ExtentMode(composer.page.extent.currentData()) is maps.custom_map.extent_mode
        said = composer.credits.text().replace("&quot;", '"').replace("&amp;", "&")
        for own in document.own_layers:
            assert not own.visible or own.credit in said
        for entry in document.entries:
            # the line of a service that has a record by now makes place for that of the record
            record = None if entry.record_id else world.dock.session.record_for_endpoint(entry.endpoint)
            owed = world.dock.session.terms(record).credit if record is not None else entry.credit.line
            assert not entry.visible or entry.credit.line in said or owed and owed in said
    # the layer tree
    groups = [group for group in project.layerTreeRoot().findGroups(True) if group.customProperty("cartoguide/map")]
    assert len(groups) == (1 if stack else 0)
    expected = [pair for part in reversed(stack) for pair in expected_layers(part)]
    ids = [layer_id for layer_id, _, _ in expected]
    subgroups = [one for one in project.layerTreeRoot().findGroups(True) if is_subgroup(one)]
    left = [layer.id() for layer in services(project.mapLayers().values())]
    own_ids = {item.layer_id: item.own.id for item in maps.own_items if item.layer_id}
    assert sorted(left) == sorted(set(ids) - set(own_ids)), "no layer is left of what was there before"
    assert {layer.id(): layer.customProperty(OWN_LAYER) for layer in project.mapLayers().values()
            if layer.customProperty(OWN_LAYER)} == own_ids, "each own layer is tied to its reference, and no other"
    if not stack:
        assert subgroups == []
        return
    group = groups[0]
    nodes = group.findLayers()
    assert [tree_shape(node) for node in group.children()] == [
        shape for part in reversed(stack) for shape in expected_shape(part)]
    assert [one.name() for one in subgroups] == [one.name() for one in group.children() if is_subgroup(one)]
    assert [node.layerId() for node in nodes] == ids and group.name() == inert(document.title)
    assert [is_shown(node) for node in nodes] == [shown for _, shown, _ in expected]
    missing = {layer_id for item in items for layer_id in item.layer_ids.values() if item.is_unavailable}
    assert {node.layerId() for node in nodes if not node.layer().isValid()} == missing
    for item in items:
        assert not item.entry.visible or any(moment_ticks(item).values() or [True]), "a visible series shows a moment"
    for node, (_, _, opacity) in zip(nodes, expected):
        assert node.layerId() in missing or node.layer().opacity() == pytest.approx(opacity, abs=0.003)
    modes = [part.entry.blend if isinstance(part, MapItem) else blend_of_style(part.own.style)
             for part in reversed(stack) for _ in expected_layers(part)]
    assert [mode if node.layerId() in missing else blend_of(node.layer()) for node, mode in zip(nodes, modes)] == modes
    assert [row.blend for row in rows] == [part.entry.blend if isinstance(part, MapItem) else blend_of_style(
        part.own.style) for part in stack]
    for item in maps.own_items:
        layer = project.mapLayer(item.layer_id)
        if layer is not None:
            assert (inert(layer.name()), layer_credit(layer), style_of(layer)) == (
                item.own.name, item.own.credit, item.own.style)
    compare_service_layers(world, document)
    assert project.crs().authid() == document.crs
    # what the project keeps
    stored = project_document.read_stored_map(project)
    assert stored.document.stack == document.stack and stored.document.page == document.page
    assert (stored.document.title, stored.document.crs, stored.document.scale) == (document.title, document.crs,
                                                                                  document.scale)
    assert [dict(found) for found in stored.layer_ids] == [item.layer_ids for item in items]
    # the page
    plan = maps.plan()
    drawn = [layer.id() for layer in visible_layers_in_order(plan, maps.mirror.qgis_layers(plan), project)]
    assert drawn == [node.layerId() for node in reversed(nodes) if is_drawn(world, node)]
    assert (plan.title, plan.crs, plan.page, plan.scale, plan.language) == (
        document.title, document.crs, document.page, document.scale, document.language)
    if maps.custom_map.extent_mode is ExtentMode.CUSTOM:
        assert document.extent == maps.chosen.extent
        assert plan.extent == (document.extent.box if document.extent is not None else None)


def expected_layers(part: Any) -> List[Any]:
    """Id, tick and opacity of the layers of a service or own layer, topmost first."""
    if isinstance(part, OwnItem):
        return [(layer_id, part.own.visible, part.own.opacity) for layer_id in layer_ids_of(part)]
    moments = moment_ticks(part)
    return [(part.layer_ids[name], part.entry.is_visible(name) and moments.get(name, True), part.entry.opacity_of(name))
            for name in reversed(part.names_in_order())]


def moment_ticks(part: MapItem) -> Dict[str, bool]:
    """Ticks of the layers of a series in a sub-group by name, which are not the document's. {} for other services."""
    if not part.entry.moment or len(part.layer_ids) < 2:
        return {}
    root = QgsProject.instance().layerTreeRoot()
    return {name: root.findLayer(layer_id).itemVisibilityChecked() for name, layer_id in part.layer_ids.items()}


def expected_shape(part: Any) -> List[Any]:
    """What the map's group shows of a part: the tick of a layer, or name and tick of a sub-group and those in it."""
    ids = layer_ids_of(part)
    if isinstance(part, OwnItem) or len(ids) < 2:
        return [(layer_id, shown) for layer_id, shown, _ in expected_layers(part)]
    return [(inert(part.entry.title), part.entry.visible,
             [(part.layer_ids[name], moment_ticks(part).get(name, name not in part.entry.hidden))
              for name in reversed(part.names_in_order())])]


def tree_shape(node: Any) -> Any:
    """The same of a node of the tree."""
    if isinstance(node, QgsLayerTreeLayer):
        return node.layerId(), node.itemVisibilityChecked()
    return node.name(), node.itemVisibilityChecked(), [tree_shape(child) for child in node.children()]


def is_shown(node: Any) -> bool:
    """Whether a layer is ticked, and its sub-group too if it has one."""
    return node.itemVisibilityChecked() and (not is_subgroup(node.parent()) or node.parent().itemVisibilityChecked())


def is_drawn(world: World, node: Any) -> bool:
    """Whether the page draws a layer: it is ticked, and of several days of a series it is that of the moment shown.

    The ticks of several days are those of the canvas, whose Temporal Controller sets them. The page draws the day that
    the document names while the series is ticked.
    """
    item = next((item for item in world.maps.items if node.layerId() in item.layer_ids.values()), None)
    if item is not None and item.entry.moment:
        days = {layer_id: name[-2:] for name, layer_id in item.layer_ids.items() if "precipitacion_2016" in name}
        passed = [day for day in days.values() if day <= item.entry.moment[-2:]]
        if node.layerId() in days and len(item.layer_ids) > 1:
            of_moment = max(passed) if passed else min(days.values())
            return item.entry.visible and days[node.layerId()] == of_moment and node.layer().isValid()
    return is_shown(node) and node.layer().isValid()


def is_valid(project: Any, layer_id: str) -> bool:
    return bool(project.mapLayer(layer_id).isValid())


def compare_service_layers(world: World, document: CustomMap) -> None:
    """The layers of services request what the document says."""
    for item in world.maps.items:
        for name in item.names_in_order():
            layer = world.project.mapLayer(item.layer_ids[name])
            assert layer.customProperty(LAYER_NAME) == name
            service = world.dock.session.services.get(item.entry.endpoint)
            # one that never responded has its layers, for what shows them
            address = choose_getmap_address(item.entry.endpoint, service).url if service else item.entry.endpoint
            assert normalise_endpoint(layer.customProperty(ENDPOINT)) == normalise_endpoint(address)
            uri = QgsDataSourceUri()
            uri.setEncodedUri(live_source(layer))
            styles = dict(zip(item.entry.layers, item.entry.styles))
            assert uri.params("layers") == [name] and uri.params("styles")[:1] == [styles.get(name, "")]
            assert item.is_unavailable or uri.param("crs") == document.crs
            assert item.entry.layers == () or name in item.entry.layers


def compare_layout(world: World) -> None:
    """The map of a page that is built now draws the ticked layers, topmost first."""
    maps = world.maps
    if not any(item.entry.visible and item.layer_ids and not item.is_unavailable for item in maps.items):
        # the layout says that it has no area
        return
    plan = maps.plan()
    layout = build_layout(world.project, plan, maps.mirror.qgis_layers(plan))
    nodes = maps.mirror.find_group().findLayers()
    ids = {node.layerId() for node in nodes}
    shown = [layer.id() for layer in layout.itemById(MAP).layers() if layer.id() in ids]
    assert shown == [node.layerId() for node in nodes if is_drawn(world, node)]
    world.project.layoutManager().removeLayout(layout)


@pytest.fixture
def world(network_dock, wait_until, tmp_path):
    plugin_settings.set("retries", 0)
    dock = network_dock()
    wait_until(lambda: dock.model.rowCount() == 3, 20)
    for row in range(3):
        endpoint = dock.session.endpoint(dock.session.record(dock.model.hit(row).identifier))
        for address in (endpoint, endpoint.replace("127.0.0.1", "localhost")):
            dock.session.load_service(address)
            wait_until(lambda address=address: dock.session.services.get(address), 30)
    fill(dock, wait_until)
    take(dock, tmp_path / "snapshot", wait_until)
    made = World(dock, tmp_path)
    made.points = points_file(tmp_path)
    made.snapshot = dock.composer_controller.map.chosen.snapshot
    made.crs = QgsProject.instance().crs()
    return made


@pytest.mark.usefixtures("page_picture")
def test_document_project_composer_and_page_are_one(world):
    began = time.monotonic()
    machine = type("Machine", (MapMachine,), {"world": world})
    run_state_machine_as_test(machine, settings=settings(
        max_examples=max(1, STEPS // LENGTH), stateful_step_count=LENGTH, deadline=None, derandomize=True,
        database=None, suppress_health_check=list(HealthCheck), print_blob=True))
    print(f"{world.steps} steps in {time.monotonic() - began:.0f} s")
