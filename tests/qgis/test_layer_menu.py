"""The layer tree's context menu: record, terms and credit of any WMS layer, Cartoguide's own or not."""

from __future__ import annotations

import pytest
from odd_server import OddServer
from qgis.core import QgsCoordinateReferenceSystem, QgsProject, QgsRasterLayer, QgsVectorLayer
from qgis.PyQt.QtGui import QGuiApplication
from qgis.PyQt.QtWidgets import QMenu

from plugin.gis.credits.layer_metadata import set_credit
from plugin.gis.runtime import settings
from plugin.gis.services import service_cache
from plugin.integration.layer_commands import LayerCommands
from tests.qgis.map_windows import wms
from tests.qgis.print_maps import composed
from tests.qgis.waiting import Held


@pytest.fixture
def tree(network, plugin_window, monkeypatch):
    """``tree.press(layer, what)`` chooses a layer and presses one of its entries: "record", "terms", "credit"."""
    monkeypatch.setattr(service_cache, "_shared", None)
    settings.set("profile", str(network.profile_path))
    QgsProject.instance().setCrs(QgsCoordinateReferenceSystem("EPSG:25830"))
    QGuiApplication.clipboard().setText("")

    def press(layer, what):
        plugin_window.tree_view.setCurrentLayer(layer)
        next(action for name, action in plugin_window.plugin.integration.layer_menu.actions if name == what).trigger()

    plugin_window.press = press
    plugin_window.said = lambda: [text for _, text in plugin_window.plugin.integration.commands().messages.history]
    return plugin_window


def test_only_layers_of_map_services_have_the_entries_and_they_go_with_the_plugin(tree, network):
    QgsProject.instance().addMapLayer(QgsVectorLayer("Point?crs=EPSG:25830", "own data", "memory"))
    layer = wms(network.endpoints["guide"], "carreteras")
    words = {(action.text(), menu) for action, menu, _, everywhere in tree.layer_actions if not everywhere}
    assert {("Show catalogue record", "Cartoguide"), ("Show terms", "Cartoguide"),
            ("Copy credit", "Cartoguide")} <= words
    assert {name for _, name in tree.layers_with} == {layer.id()}
    tree.plugin.unload()
    assert tree.layer_actions == []
    tree.plugin.initGui()
    assert {name for _, name in tree.layers_with} == {layer.id()}, "layers that are there already have them too"


def test_a_layer_that_cartoguide_did_not_add_has_record_terms_and_credit(tree, network, wait_until):
    layer = wms(network.endpoints["guide"], "carreteras")
    asked = len(network.requests)
    tree.press(layer, "credit")
    wait_until(lambda: "Mapa guía" in QGuiApplication.clipboard().text())
    assert tree.plugin.dock is None
    tree.press(layer, "terms")
    wait_until(lambda: tree.plugin.dock is not None and tree.plugin.dock.view.record is not None)
    dock = tree.plugin.dock
    wait_until(lambda: "Mapa guía" in dock.view.record.title)
    assert dock.view.tabs.currentWidget() is dock.view.terms
    assert [one for one in network.requests[asked:] if "GetCapabilities" in str(one)] == [], "the record is kept"


def test_a_record_that_is_not_kept_is_found_behind_the_service_and_can_be_kept(tree, network, wait_until):
    settings.reset("profile")
    layer = wms(network.endpoints["guide"], "carreteras")
    tree.press(layer, "record")
    dock = wait_until(lambda: tree.plugin.dock)
    wait_until(lambda: dock.view.record is not None and "Mapa guía" in (dock.view.record.title or ""))
    wait_until(lambda: tree.said())
    known = dock.session.library.store().find_by_identifiers([dock.view.record.id])
    assert known or "not saved yet" in tree.said()[-1] or "by its service" in tree.said()[-1]


def test_the_credit_that_a_layer_carries_is_copied_at_once(tree, network):
    layer = wms(network.endpoints["guide"], "carreteras")
    set_credit(layer, "© somebody")
    tree.press(layer, "credit")
    assert QGuiApplication.clipboard().text() == "© somebody"


def select(dock, word):
    dock.list.setCurrentIndex(dock.model.index(next(
        row for row in range(dock.model.rowCount()) if word in dock.model.hit(row).title)))


def select_another(tree, _network):
    select(tree.plugin.dock, "Equipamientos")


def show_that_of_another_layer(tree, network):
    tree.press(wms(network.endpoints["facilities"], "miradores"), "record")


@pytest.mark.parametrize("go_on", [select_another, show_that_of_another_layer])
def test_a_record_that_is_found_late_is_not_shown_over_what_was_asked_for_since(tree, network, wait_until, monkeypatch,
                                                                               go_on):
    dock = tree.plugin.show_dock()
    wait_until(lambda: not dock.session.loading and dock.model.rowCount() == 3)
    select(dock, "Precipitación")
    layer = wms(network.endpoints["guide"], "carreteras")
    held = Held(monkeypatch, LayerCommands, "_find", lambda _self, facts, _feedback: facts.title == layer.name())
    tree.press(layer, "record")
    wait_until(held.done.is_set)
    job = tree.plugin.integration._layers._showing._job
    go_on(tree, network)
    wait_until(lambda: "Equipamientos" in dock.view.record.title and not dock.session.loading)
    seen = dock.view.record
    held.end()
    wait_until(lambda: not job._running)
    wait_until(lambda: not dock.session.loading)
    assert dock.view.record is seen


def test_where_nothing_is_known_that_is_told(tree, wait_until):
    with OddServer() as server:
        uri = f"crs=EPSG:25830&format=image/png&layers=x&styles&url={server.url}/status/404"
        layer = QgsRasterLayer(uri, "Lost", "wms")
        QgsProject.instance().addMapLayer(layer)
        for what in ("record", "terms", "credit"):
            before = len(tree.said())
            tree.press(layer, what)
            wait_until(lambda: len(tree.said()) > before)  # noqa: B023
            assert "Lost" in tree.said()[-1]
    assert QGuiApplication.clipboard().text() == ""
    tree.press(None, "record")


@pytest.mark.slow
def test_a_group_with_a_maps_document_can_be_opened_as_the_map(tree, network, wait_until):
    project = QgsProject.instance()
    for title in ("Uno", "Dos"):
        composed(network, project, title=title)
    groups = {group.name(): group for group in project.layerTreeRoot().findGroups()}
    menu, entries = QMenu(), tree.plugin.integration.layer_menu
    tree.tree_view.setCurrentIndex(tree.tree_view.node2index(groups["Uno"]))
    if hasattr(tree.tree_view, "contextMenuAboutToShow"):
        tree.tree_view.contextMenuAboutToShow.emit(menu)
    else:
        # QGIS 3.22 asks nobody for its menu
        entries._on_menu(menu)
    (action,) = menu.actions()
    assert action.text() == "Open as custom map"
    dock = tree.plugin.show_dock()
    wait_until(lambda: dock.map.title() == "Dos", 30)
    action.trigger()
    wait_until(lambda: dock.map.title() == "Uno" and not dock.map.adding, 30)
    assert dock.map.mirror.find_group() is groups["Uno"]
    assert groups["Dos"].customProperty("cartoguide/document") and len(groups["Dos"].findLayers()) == 4
    menu.clear()
    tree.tree_view.setCurrentIndex(tree.tree_view.node2index(project.layerTreeRoot().addGroup("Otro")))
    entries._on_menu(menu)
    assert not menu.actions()
