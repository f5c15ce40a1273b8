"""What a person does to the map with QGIS's own hands, in random orders: group, document, canvas and paper agree.

After each action each layer that is drawn in the map's group is on the page in the same order, or stands as an issue.
Layouts and map themes of the person live on, each credit stays with its source, and the written page has the credits
of what is drawn. ``CARTOGUIDE_SECOND_HAND=200`` takes more sequences: ``make second-hand``.
"""

from __future__ import annotations

import os
import random
import re
import time
from typing import Any, Callable, Dict, List, Optional

import pytest
from qgis import core
from qgis.core import (
    QgsAnnotationLayer,
    QgsCoordinateReferenceSystem,
    QgsLayerDefinition,
    QgsLayerTreeGroup,
    QgsLayerTreeLayer,
    QgsLayoutItemMap,
    QgsLayoutSize,
    QgsMapLayer,
    QgsMapThemeCollection,
    QgsMimeDataUtils,
    QgsPrintLayout,
    QgsProject,
    QgsRasterLayer,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QCoreApplication, QEvent, QEventLoop

from plugin.core.custommap.model import BlendMode, CustomMap, MapExtent
from plugin.core.text import inert
from plugin.gis.credits.credit_audit import layer_facts
from plugin.gis.credits.layer_credits import credit_lines
from plugin.gis.export import layout_export
from plugin.gis.layers import project_document
from plugin.gis.layers.blend_modes import blend_of
from plugin.gis.layers.project_group import is_ticked
from plugin.gis.layouts import layout_items
from plugin.gis.legends.legend_graphics import fetch_legends
from plugin.gis.own_layers.references import style_of, visible_layers_in_order
from plugin.gis.pages.completeness_checks import IncompleteMap
from plugin.gis.pages.layout_builder import build_layout
from plugin.gis.runtime import settings as plugin_settings
from plugin.gis.runtime import tasks
from tests.qgis.print_maps import entry_of, known_records, pdf_text
from tests.qgis.qgis_hands import LayerTree
from tests.qgis.test_own_layers import CREDIT, points_file
from tests.slowness import patience

SEQUENCES, LENGTH = int(os.environ.get("CARTOGUIDE_SECOND_HAND", "1")), 16
#: the first seed, to repeat one sequence alone: CARTOGUIDE_SECOND_HAND=1 CARTOGUIDE_SECOND_HAND_SEED=17
FIRST = int(os.environ.get("CARTOGUIDE_SECOND_HAND_SEED", "1"))
AREA = MapExtent(-3.53, 38.37, -3.49, 38.40)
LAYOUT, THEME = "Composición propia", "Tema propio"
#: more layers make each action slow and show no more
MOST_LAYERS = 14

#: the class of layers as which QGIS draws groups
GROUP_LAYER = getattr(core, "QgsGroupLayer", None)

Action = Callable[["Hand"], Optional[bool]]
ACTIONS: Dict[str, Action] = {}


def action(run: Action) -> Action:
    """List what a person does. It returns False where there is nothing to do it with."""
    ACTIONS[run.__name__] = run
    return run


class Hand:
    """A person's hand on QGIS, the dock that is watched, and what is expected of the person's own things."""

    def __init__(self, dock: Any, network: Any, folder: Any, seed: int) -> None:
        self.dock, self.network, self.folder = dock, network, folder
        self.random = random.Random(seed)
        self.maps, self.actions = dock.map, dock.composer_controller
        self.project = QgsProject.instance()
        self.tree = LayerTree()
        self.copied: Any = None
        self.others: List[Any] = []
        #: the layers of the person's layout that the person has not removed
        self.locked: List[str] = []
        self.ever_locked: List[str] = []
        #: the ids in the document of those of them that are own layers and were opened anew
        self.own_ids: Dict[str, str] = {}
        self.done: List[str] = []

    # -- state

    @property
    def group(self) -> Optional[QgsLayerTreeGroup]:
        return self.maps.mirror.find_group()

    def nodes(self) -> List[QgsLayerTreeLayer]:
        """The layers in the map's group, topmost first."""
        # QGIS pastes a group with nodes of layers that it does not copy
        return [node for node in (self.group.findLayers() if self.group is not None else ())
                if node.layer() is not None]

    def any(self, things: Any) -> Any:
        found = list(things)
        return self.random.choice(found) if found else None

    def layer(self) -> Optional[QgsMapLayer]:
        node = self.any(self.nodes())
        return node.layer() if node is not None else None

    def outside(self) -> List[QgsLayerTreeLayer]:
        inside = set(self.group.findLayerIds()) if self.group is not None else set()
        return [node for node in self.tree.root.findLayers()
                if node.layerId() not in inside and node.layer() is not None]

    def layers(self) -> List[QgsMapLayer]:
        """The project's layers, topmost first, and then those that lie nowhere: QGIS sorts them by their random ids."""
        places = {layer_id: place for place, layer_id in enumerate(self.tree.root.findLayerIds())}
        return sorted(self.project.mapLayers().values(), key=lambda layer: (
            places.get(layer.id(), len(places)), layer.name(), layer.source()))

    def has_room(self) -> bool:
        return len(self.project.mapLayers()) < MOST_LAYERS

    def settle(self) -> None:
        """Wait until nothing is on its way."""
        end, quiet = time.monotonic() + patience(), 0
        while quiet < 3:
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
            QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 20)
            self.maps.flush()
            busy = self.maps.adding or self.maps.mirror.crs_timer.isActive()
            quiet = 0 if busy else quiet + 1
            if busy:
                time.sleep(0.001)
            assert time.monotonic() < end, "the map comes to rest"
        self.actions.refresh_view()

    # -- the beginning

    def begin(self) -> None:
        """A map of two services and an own layer, a layout with locked layers, and a theme."""
        self.project.clear()
        self.project.setCrs(QgsCoordinateReferenceSystem("EPSG:25830"))
        self.settle()
        known = known_records(self.network)
        base = entry_of(known[self.network.endpoints["guide"]], ("limite_parque", "carreteras"))
        overlay = entry_of(known[self.network.endpoints["facilities"]], ("miradores", "centros_visitantes"))
        self.actions.documents.open_document(CustomMap("Un mapa", "es", base, (overlay,), "EPSG:25830", AREA))
        self.settle()
        own = QgsVectorLayer(str(points_file(self.folder)), "Puntos", "ogr")
        self.project.addMapLayer(own)
        self.maps.add_own_layer(own, CREDIT)
        self.settle()
        #: the credit of each source
        self.credits = {source(node.layer()): credit_lines(node.layer()) for node in self.nodes()}
        assert len(self.credits) == 5 and all(self.credits.values())
        self.facts = {source(node.layer()): facts(node.layer()) for node in self.nodes()}
        layout = QgsPrintLayout(self.project)
        layout.initializeDefaults()
        layout.setName(LAYOUT)
        item = QgsLayoutItemMap(layout)
        item.attemptResize(QgsLayoutSize(100, 100))
        item.setLayers([node.layer() for node in self.nodes()][:3])
        item.setKeepLayerSet(True)
        layout.addLayoutItem(item)
        self.project.layoutManager().addLayout(layout)
        self.locked = self.ever_locked = [layer.id() for layer in item.layers()]
        self.project.mapThemeCollection().insert(THEME, self.theme_now())
        self.saved = self.folder / "proyecto.qgz"

    def theme_now(self) -> Any:
        return QgsMapThemeCollection.createThemeFromCurrentState(self.tree.root, self.tree.model)

    def removed(self, layer_ids: Any) -> None:
        """Note that the person removes layers from the project."""
        gone = set(layer_ids)
        self.locked = [layer_id for layer_id in self.locked if layer_id not in gone]

    def returned(self, layer_ids: Any) -> None:
        """Note that layers are in the project again, which Undo shows wherever they were shown.

        One of a file is opened anew, and stands for the one that it was.
        """
        opened = {item.own.id: item.layer_id for item in self.maps.own_items if item.layer_id in layer_ids}
        anew = {one: opened[self.own_ids.get(one, one)] for one in self.ever_locked
                if self.own_ids.get(one, one) in opened}
        self.own_ids.update({new: self.own_ids.get(one, one) for one, new in anew.items()})
        self.ever_locked = [anew.get(one, one) for one in self.ever_locked]
        self.locked = [layer_id for layer_id in self.ever_locked if layer_id in self.locked or layer_id in layer_ids]

    # -- what must hold

    def told(self) -> set:
        """The ids of the layers that stand as an issue."""
        return {finding.layer_id for finding in self.dock.composer.findings.findings if finding.rule == "not-on-map"}

    def page_layers(self) -> List[QgsMapLayer]:
        """The layers that a page draws, topmost first."""
        plan = self.maps.plan()
        return visible_layers_in_order(plan, self.maps.mirror.qgis_layers(plan), self.project)[::-1]

    def drawn(self) -> List[QgsMapLayer]:
        """The layers that the canvas draws of the map's group, topmost first, if the group itself is ticked."""
        return [node.layer() for node in self.nodes()
                if node.layer() is not None and node.layer().isValid() and is_ticked(node, self.group)]

    def blended_groups(self) -> List[QgsLayerTreeGroup]:
        """The visible groups of the map that QGIS draws as one layer, other than their layers one by one."""
        concerned = [self.group, *self.group.findGroups(True)] if self.group is not None and GROUP_LAYER else []
        while concerned and concerned[0].parent() is not None:
            concerned.insert(0, concerned[0].parent())
        return [group for group in concerned if group.isVisible() and group.groupLayer() is not None and (
            group.groupLayer().opacity() < 1 or any(
                blend_of(node.layer()) is not BlendMode.NORMAL for node in group.findLayers() if node.isVisible()))]

    def compare(self) -> None:
        self.settle()
        page, told = self.page_layers(), self.told()
        shown = self.dock.composer.findings.findings
        assert sorted(one.service_title for one in shown if one.rule == "group-as-one") == sorted(
            inert(group.name()) for group in self.blended_groups())
        assert [layer.id() for layer in self.drawn() if layer.id() not in told] == [layer.id() for layer in page]
        order = [layer.id() for layer in self.tree.root.layerOrder()]
        # newer versions of QGIS leave out the layers of a group that is drawn as one
        drawn = [layer.id() for layer in self.drawn() if layer.id() in self.maps.mirror.layer_ids() and (
            layer.id() in order)]
        if self.group is not None and self.group.isVisible():
            assert any(one.rule == "layer-order" for one in shown) == (drawn != sorted(drawn, key=order.index))
        marked = [one for one in self.tree.root.findGroups(True) if one.customProperty("cartoguide/map")]
        assert len(marked) == bool(self.maps.stack), "one group is the map"
        stored = project_document.read_stored_map(self.project)
        document = self.maps.document()
        assert (stored.document.stack if stored is not None else ()) == document.stack
        inside = set(self.group.findLayerIds() if self.group is not None else ())
        assert set(self.maps.mirror.layer_ids()) <= inside, "the map's layers lie in its group"
        for part in document.own_layers:
            item = next(item for item in self.maps.own_items if item.own.id == part.id)
            layer = self.project.mapLayer(item.layer_id)
            if layer is not None:
                assert (part.source, part.name) == (layer.source(), inert(layer.name())), "the document's own layer"
                assert part.style == style_of(layer), f"the document's style of {layer.name()}"
                assert part.opacity == pytest.approx(layer.opacity(), abs=0.005)
        for service in self.maps.items:
            for name, layer in ((name, self.project.mapLayer(one)) for name, one in service.layer_ids.items()):
                assert service.entry.opacity_of(name) == pytest.approx(layer.opacity(), abs=0.005), layer.name()
                assert blend_of(layer) is service.entry.blend, layer.name()
        on_map = {layer_id for item in self.maps.items for layer_id in item.layer_ids.values()}
        for layer in self.project.mapLayers().values():
            assert credit_lines(layer) == self.credits.get(source(layer), []), f"the credit of {layer.name()}"
            expected = self.facts.get(source(layer), facts(layer))
            # QGIS overwrites what is noted on a layer with what a style brings. Those of services are noted again
            seen = slice(None) if layer.id() in on_map else slice(3)
            assert facts(layer)[seen] == expected[seen], f"the audit of {layer.name()}"
        layout = self.project.layoutManager().layoutByName(LAYOUT)
        (item,) = [one for one in layout.items() if isinstance(one, QgsLayoutItemMap)]
        assert [layer.id() for layer in item.layers()] == self.locked, "the person's layout"
        # QGIS unticks layers in a theme whose groups have other names, and forgets layers that were removed
        records = self.project.mapThemeCollection().mapThemeState(THEME).layerRecords()
        assert set(self.locked) <= {record.layer().id() for record in records}, "the person's theme"

    def legends(self, plan: Any) -> Any:
        """The legends of the map's layers, without which no page is written."""
        return tasks.run_and_wait(lambda feedback: fetch_legends(plan.layers, plan.scale or 50_000, feedback), 60)

    def compare_paper(self) -> None:
        """The written page has the credits of what is drawn, or the person is told."""
        page = self.page_layers()
        if not page:
            return
        shown = list(self.dock.composer.findings.findings)
        plan = self.maps.plan()
        layout = build_layout(self.project, plan, self.maps.mirror.qgis_layers(plan), legends=self.legends(plan))
        try:
            assert {layer.id() for layer in layout_items.main_map(layout).layers()} >= {layer.id() for layer in page}
            path = self.folder / "mapa.pdf"
            layout_export.export_pdf(layout, path, 72)
            text = "".join(pdf_text(path).split())
            for layer in page:
                in_range = layer.isInScaleRange(layout_items.main_map(layout).scale())
                for line in credit_lines(layer) if in_range and layer.opacity() > 0 else ():
                    assert "".join(line.split()) in text, f"the credit of {layer.name()} is on the page"
        except IncompleteMap as error:
            untold = [problem for problem in error.problems if not any(is_told(problem, one) for one in shown)]
            assert not untold, f"{untold}: no issue of {[(one.service_title, one.message) for one in shown]}"
        finally:
            self.project.layoutManager().removeLayout(layout)


#: words of what an export is refused for, with the rules of the issues that say so before
CAUSES = {
    "missing from": ("missing", "own-missing", "transparent"),
    "no credit line": ("no-credit",),
    "nothing in the area": ("outside",),
}


def is_told(problem: str, finding: Any) -> bool:
    """Return whether an issue says why an export was refused: the cause, the service or layer, and each layer it lacks.
    """
    rules = next((rules for words, rules in CAUSES.items() if words in problem), ())
    subject, _, lacked = inert(problem).rstrip(".").partition("”: ")
    return finding.rule in rules and f"“{finding.service_title}”" in f"{subject}”" and all(
        re.search(rf"[“ ]{re.escape(name)}[”,.]", finding.message) for name in lacked.split(", ") if name)


def source(layer: QgsMapLayer) -> str:
    """What a layer draws, as far as its credit goes: service and WMS layer, or file."""
    text = layer.source().partition("|")[0]
    named = dict(part.split("=", 1) for part in text.split("&") if "=" in part)
    return f"{named.get('url')} {named['layers']}" if "layers" in named else os.path.basename(text)


def facts(layer: QgsMapLayer) -> Any:
    """What the audit says of a layer."""
    found = layer_facts(layer)
    return found.kind, found.address, found.names, found.record_id


# -- what a person does


@action
def duplicate_a_layer(hand: Hand) -> Optional[bool]:
    layer = hand.layer()
    if layer is None or not hand.has_room():
        return False
    copy = hand.tree.duplicate(layer)
    hand.tree.root.findLayer(copy.id()).setItemVisibilityChecked(hand.random.random() < 0.7)
    return None


@action
def rename_a_layer(hand: Hand) -> Optional[bool]:
    layer = hand.layer()
    if layer is None:
        return False
    layer.setName(hand.any(["Otro nombre", "[% 1 %]", layer.name()]))
    return None


@action
def rename_a_group(hand: Hand) -> Optional[bool]:
    if hand.group is None:
        return False
    group = hand.any([hand.group, *hand.group.findGroups(True)])
    group.setName(hand.any(["Grupo", "Mapa de Ana"]))
    return None


@action
def paste_a_style(hand: Hand) -> Optional[bool]:
    pairs = [(one, other) for one in hand.layers() for other in hand.layers()
             if one is not other and one.type() == other.type() and one.isValid() and other.isValid()]
    if not pairs:
        return False
    hand.tree.paste_style(*hand.any(pairs))
    return None


@action
def paste_a_style_to_the_group(hand: Hand) -> Optional[bool]:
    first = hand.layer()
    if first is None:
        return False
    for node in hand.nodes():
        if node.layer() is not first and node.layer().type() == first.type():
            hand.tree.paste_style(first, node.layer())
    return None


@action
def load_a_style_from_a_file(hand: Hand) -> Optional[bool]:
    first, second = hand.layer(), hand.layer()
    if first is None or second is None or first.type() != second.type():
        return False
    path = str(hand.folder / "estilo.qml")
    first.saveNamedStyle(path)
    second.loadNamedStyle(path)
    return None


@action
def drag_a_layer_out(hand: Hand) -> Optional[bool]:
    node = hand.any(hand.nodes())
    if node is None:
        return False
    hand.tree.drag(node, hand.tree.root, hand.random.randint(0, 2), hand.any([None, hand.settle]))
    return None


@action
def drag_a_layer_in(hand: Hand) -> Optional[bool]:
    node = hand.any(hand.outside())
    if node is None or hand.group is None:
        return False
    groups = [hand.group, *hand.group.findGroups(True)]
    hand.tree.drag(node, hand.any(groups), 0, hand.any([None, hand.settle]))
    return None


@action
def reorder(hand: Hand) -> Optional[bool]:
    node = hand.any([*hand.nodes(), *(hand.group.findGroups(True) if hand.group is not None else ())])
    if node is None:
        return False
    hand.tree.drag(node, node.parent(), hand.random.randint(0, len(node.parent().children())))
    return None


@action
def move_by_the_menu(hand: Hand) -> Optional[bool]:
    node = hand.any(hand.nodes())
    if node is None:
        return False
    hand.tree.run(hand.any(["MoveToTop", "MoveToBottom", "MoveOutOfGroup"]), node)
    return None


@action
def drag_the_group(hand: Hand) -> Optional[bool]:
    if hand.group is None:
        return False
    folder = hand.any(hand.tree.groups("Carpeta")) or hand.tree.root.addGroup("Carpeta")
    target = hand.tree.root if hand.group.parent() is folder else folder
    hand.tree.drag(hand.group, target, 0, hand.any([None, hand.settle]))
    return None


@action
def order_the_layers(hand: Hand) -> Optional[bool]:
    # by QGIS's Layer Order panel
    order = hand.tree.root.layerOrder()
    hand.random.shuffle(order)
    hand.tree.root.setHasCustomLayerOrder(hand.random.random() < 0.6)
    hand.tree.root.setCustomLayerOrder(order)
    return None


@action
def group_selected(hand: Hand) -> Optional[bool]:
    nodes = hand.nodes()
    if len(nodes) < 2:
        return False
    hand.tree.run("GroupSelected", *hand.random.sample(nodes, 2))
    return None


@action
def draw_a_group_as_one(hand: Hand) -> Optional[bool]:
    # QGIS before 3.24 draws none so
    if GROUP_LAYER is None or hand.group is None:
        return False
    group = hand.any([hand.group, *hand.group.findGroups(True)])
    made = group.groupLayer()
    if made is None:
        made = group.convertToGroupLayer(GROUP_LAYER.LayerOptions(hand.project.transformContext()))
        hand.project.addMapLayer(made, False)
    made.setOpacity(hand.any([0.5, 1.0]))
    made.triggerRepaint()
    return None


@action
def copy_the_group(hand: Hand) -> Optional[bool]:
    if hand.group is None:
        return False
    hand.copied = hand.tree.copy(hand.group)
    return None


@action
def paste_beside(hand: Hand) -> Optional[bool]:
    if hand.copied is None or not hand.has_room():
        return False
    hand.tree.paste(hand.copied)
    return None


@action
def paste_into_the_map(hand: Hand) -> Optional[bool]:
    if hand.copied is None or hand.group is None or not hand.has_room():
        return False
    hand.tree.paste(hand.copied, hand.group)
    return None


@action
def move_the_group_by_the_clipboard(hand: Hand) -> Optional[bool]:
    group = hand.group
    if group is None:
        return False
    before = [getattr(part, "layers", None) for part in hand.maps.document().stack]
    known = hand.tree.root.findGroups(True)
    hand.copied = hand.tree.copy(group)
    hand.tree.paste(hand.copied)
    pasted = next(one for one in hand.tree.root.findGroups(True) if one not in known)
    of_map = hand.maps.mirror.layer_ids()
    copies = {one: copy for one, copy in zip(group.findLayerIds(), pasted.findLayerIds()) if one in of_map}
    shown = [copies.get(one, one) for one in hand.locked if one in copies or one not in group.findLayerIds()]
    hand.any([hand.settle, QCoreApplication.processEvents])()
    hand.tree.run("RemoveGroupOrLayer", group)
    hand.settle()
    hand.own_ids.update({copies[one]: hand.own_ids.get(one, one) for one in hand.ever_locked if one in copies})
    hand.locked, hand.ever_locked = shown, [copies.get(one, one) for one in hand.ever_locked]
    assert [getattr(part, "layers", None) for part in hand.maps.document().stack] == before, "it is this map still"
    return None


@action
def remove_a_layer(hand: Hand) -> Optional[bool]:
    # QGIS 3.40 does not list private layers
    node = hand.any(node for node in hand.tree.root.findLayers() if hand.tree.index(node).isValid())
    if node is None:
        return False
    hand.removed([node.layerId()])
    hand.tree.run("RemoveGroupOrLayer", node)
    return None


@action
def remove_the_group(hand: Hand) -> Optional[bool]:
    if hand.group is None:
        return False
    text = hand.group.customProperty(project_document.DOCUMENT_PROPERTY)
    if any(one is not hand.group and one.customProperty(project_document.DOCUMENT_PROPERTY) == text
           for one in hand.tree.root.findGroups(True)):
        # the map would be in its copy then: move_the_group_by_the_clipboard
        return False
    hand.removed(hand.group.findLayerIds())
    hand.tree.run("RemoveGroupOrLayer", hand.group)
    hand.settle()
    assert not hand.maps.stack
    return undo(hand)


@action
def remove_a_copy(hand: Hand) -> Optional[bool]:
    copies = [one for one in hand.tree.root.findGroups(True) if one is not hand.group
              and project_document.has_document(one)]
    copy = hand.any(copies)
    if copy is None:
        return False
    hand.removed(copy.findLayerIds())
    hand.tree.run("RemoveGroupOrLayer", copy)
    return None


@action
def open_a_copy(hand: Hand) -> Optional[bool]:
    copies = [one for one in hand.tree.root.findGroups(True) if project_document.has_document(one)
              and one.findLayers() and one is not hand.group]
    copy = hand.any(copies)
    if copy is None:
        return False
    hand.actions.documents.open_group(copy)
    return None


@action
def add_from_the_browser(hand: Hand) -> Optional[bool]:
    if hand.group is None or not hand.has_room():
        return False
    uri = QgsMimeDataUtils.Uri()
    if hand.random.random() < 0.5:
        uri.layerType, uri.providerKey, uri.name = "vector", "ogr", "Otros puntos"
        uri.uri = str(points_file(hand.folder, "otros.geojson"))
        made, _ = uri.vectorLayer("")
    else:
        known = next(layer for layer in [*hand.layers(), None]
                     if layer is None or "miradores" in layer.source())
        if known is None:
            return False
        made = QgsRasterLayer(known.source().replace("miradores", "kioscos"), "Kioscos", "wms")
    hand.tree.add(made, hand.group, hand.random.randint(0, 2))
    return None


@action
def add_notes(hand: Hand) -> Optional[bool]:
    if hand.group is None or not hand.has_room():
        return False
    options = QgsAnnotationLayer.LayerOptions(hand.project.transformContext())
    hand.tree.add(QgsAnnotationLayer("Notas", options), hand.group)
    return None


@action
def change_a_file(hand: Hand) -> Optional[bool]:
    layer = hand.any(layer for layer in hand.layers() if "puntos.geojson" in layer.source())
    if layer is None:
        return False
    other = hand.folder / "copia"
    other.mkdir(exist_ok=True)
    layer.setDataSource(str(points_file(hand.any([hand.folder, other]))), layer.name(), "ogr")
    return None


@action
def exchange_a_layer_definition(hand: Hand) -> Optional[bool]:
    node = hand.any([*hand.nodes(), *hand.outside()])
    if node is None or not hand.has_room():
        return False
    path = str(hand.folder / "capa.qlr")
    assert QgsLayerDefinition.exportLayerDefinition(path, [node])[0]
    into = hand.any([hand.tree.root, hand.group or hand.tree.root])
    assert QgsLayerDefinition.loadLayerDefinition(path, hand.project, into)[0]
    return None


@action
def tick(hand: Hand) -> Optional[bool]:
    node = hand.any([*hand.nodes(), *(hand.group.findGroups(True) if hand.group is not None else ())])
    if node is None:
        return False
    node.setItemVisibilityChecked(not node.itemVisibilityChecked())
    return None


@action
def tick_all(hand: Hand) -> Optional[bool]:
    if hand.group is None:
        return False
    hand.tree.run(hand.any(["CheckAndAllChildren", "UncheckAndAllChildren", "CheckAndAllChildren"]), hand.group)
    return None


@action
def save_a_theme(hand: Hand) -> Optional[bool]:
    hand.project.mapThemeCollection().insert("Otro tema", hand.theme_now())
    return None


@action
def apply_a_theme(hand: Hand) -> Optional[bool]:
    name = hand.any(sorted(hand.project.mapThemeCollection().mapThemes()))
    hand.project.mapThemeCollection().applyTheme(name, hand.tree.root, hand.tree.model)
    return None


@action
def style_a_layer(hand: Hand) -> Optional[bool]:
    layer = hand.layer()
    if layer is None:
        return False
    layer.setOpacity(hand.any([0.0, 0.25, 0.5, 1.0]))
    layer.setBlendMode(hand.any([0, 13]))
    layer.emitStyleChanged() if hasattr(layer, "emitStyleChanged") else layer.styleChanged.emit()
    return None


@action
def limit_the_scales(hand: Hand) -> Optional[bool]:
    layer = hand.layer()
    if layer is None:
        return False
    layer.setScaleBasedVisibility(hand.random.random() < 0.7)
    layer.setMinimumScale(hand.any([1_000_000, 10_000]))
    layer.triggerRepaint()
    return None


@action
def filter_a_layer(hand: Hand) -> Optional[bool]:
    layer = hand.any(layer for layer in hand.layers() if isinstance(layer, QgsVectorLayer))
    if layer is None:
        return False
    layer.setSubsetString(hand.any(["", "\"kind\" = 'a'"]))
    return None


@action
def make_a_layer_private(hand: Hand) -> Optional[bool]:
    layer = hand.layer()
    if layer is None:
        return False
    layer.setFlags(layer.flags() ^ QgsMapLayer.LayerFlag.Private)
    return None


@action
def change_the_crs(hand: Hand) -> Optional[bool]:
    hand.project.setCrs(QgsCoordinateReferenceSystem(hand.any(["EPSG:25830", "EPSG:3857", "EPSG:4326"])))
    return None


@action
def undo(hand: Hand) -> Optional[bool]:
    if not hand.maps.custom_map.history.can_undo:
        return False
    before = set(hand.project.mapLayers())
    hand.maps.undo()
    hand.settle()
    hand.removed(before - set(hand.project.mapLayers()))
    hand.returned(set(hand.project.mapLayers()) - before)
    return None


@action
def redo(hand: Hand) -> Optional[bool]:
    if not hand.maps.custom_map.history.can_redo:
        return False
    before = set(hand.project.mapLayers())
    hand.maps.redo()
    hand.settle()
    hand.removed(before - set(hand.project.mapLayers()))
    hand.returned(set(hand.project.mapLayers()) - before)
    return None


@action
def save_and_reopen(hand: Hand) -> Optional[bool]:
    hand.settle()
    before = hand.maps.document()
    assert hand.project.write(str(hand.saved))
    hand.project.clear()
    hand.any([hand.settle, lambda: None])()
    assert hand.project.read(str(hand.saved))
    hand.settle()
    after = hand.maps.document()
    assert [getattr(part, "layers", None) for part in after.stack] == [getattr(part, "layers", None)
                                                                       for part in before.stack]
    assert [own.name for own in after.own_layers] == [own.name for own in before.own_layers]
    return None


@action
def paste_into_another_project_and_return(hand: Hand) -> Optional[bool]:
    if hand.group is None:
        return False
    copied, document = hand.tree.copy(hand.group), hand.maps.document()
    assert hand.project.write(str(hand.saved))
    hand.project.clear()
    hand.settle()
    hand.tree.paste(copied)
    hand.settle()
    assert [getattr(part, "layers", None) for part in hand.maps.document().stack] == [
        getattr(part, "layers", None) for part in document.stack], "it is known at once"
    assert hand.project.read(str(hand.saved))
    return None


def run(hand: Hand) -> None:
    hand.begin()
    hand.compare()
    while len(hand.done) < LENGTH:
        name = hand.any(sorted(ACTIONS))
        hand.done.append(name)
        if ACTIONS[name](hand) is False:
            hand.done.pop()
            if not hand.project.mapLayers():
                break
            continue
        hand.compare()
    hand.compare_paper()


@pytest.mark.usefixtures("page_picture")
@pytest.mark.timeout(600 + 60 * SEQUENCES)
def test_whatever_a_person_does_group_document_and_paper_agree(network_dock, network, wait_until, tmp_path):
    dock = network_dock()
    plugin_settings.set("retries", 0)
    wait_until(lambda: dock.model.rowCount() == 3, 20)
    for name in ("guide", "facilities"):
        dock.session.load_service(network.endpoints[name])
        wait_until(lambda name=name: dock.session.services.get(network.endpoints[name]), 30)
    failures = []
    for seed in range(FIRST, FIRST + SEQUENCES):
        folder = tmp_path / str(seed)
        folder.mkdir()
        hand = Hand(dock, network, folder, seed)
        try:
            run(hand)
        except Exception as error:
            if SEQUENCES < 5:
                raise AssertionError(f"seed {seed}: {' → '.join(hand.done)}") from error
            failures.append(f"seed {seed}: {' → '.join(hand.done)}\n    {type(error).__name__}: "
                            f"{' '.join(str(error).split())[:400]}")
            print(failures[-1], flush=True)
    print(f"{SEQUENCES} sequences, {len(failures)} failed")
    assert not failures, "\n".join(failures)




