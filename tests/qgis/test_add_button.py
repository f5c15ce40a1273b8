"""The Add button: it says what it does, does what fits the service, and says why where nothing can be done."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from qgis.core import QgsProject, QgsRasterLayer, QgsVectorLayer
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import QDockWidget, QMainWindow

from plugin.core.custommap.model import MapRole
from plugin.gis.credits.credit_lines import layer_credit


@pytest.fixture
def dock(network_dock, wait_until):
    made = network_dock()
    wait_until(lambda: not made.session.loading and made.model.rowCount() == 3)
    return made


def open_record(dock, word):
    row = next(row for row in range(dock.model.rowCount()) if word in dock.model.index(row).data())
    dock.list.setCurrentIndex(dock.model.index(row))
    dock.pages.open_record()


def add(dock, wait_until, word, label, count):
    """Press the button when it says ``label``, and wait for ``count`` services on the map."""
    bar = dock.view.add_bar
    open_record(dock, word)
    wait_until(lambda: bar.button.text() == label and bar.button.isEnabled(), 30)
    bar.button.click()
    wait_until(lambda: len(dock.map.items) == count and bar.button.isEnabled(), 60)


def tree_sources(dock):
    """The map's layers, top first."""
    return [node.layer().source() for node in dock.map.find_group().findLayers()]


def test_no_list_contacts_a_service_and_an_opened_record_loads_its_service_once(dock, network, wait_until):
    for row in range(3):
        dock.list.setCurrentIndex(dock.model.index(row))
    assert not network.requests
    open_record(dock, "quipamientos")
    assert dock.view.add_bar.button.text() in ("Add to map", "Loading…")
    wait_until(lambda: dock.view.add_bar.button.text() == "Add as overlay")
    dock.show_list()
    open_record(dock, "quipamientos")
    dock.view.add_bar.button.click()
    wait_until(lambda: len(dock.map.items) == 1 and not dock.map.adding, 60)
    assert network.count("GetCapabilities") == 1


def test_the_base_lies_below_overlays_in_whatever_order_they_are_added(dock, wait_until):
    project = QgsProject.instance()
    own = QgsVectorLayer("Point?crs=EPSG:25830", "Own points", "memory")
    project.addMapLayer(own)
    add(dock, wait_until, "quipamientos", "Add as overlay", 1)
    add(dock, wait_until, "Despeñaperros", "Add as base map", 2)
    assert [item.role for item in dock.map.items] == [MapRole.BASE, MapRole.OVERLAY]
    sources = tree_sources(dock)
    is_base = ["mapa_guia" in source for source in sources]
    assert is_base == sorted(is_base) and True in is_base
    assert [entry.endpoint for entry in dock.map.document().entries] == [item.entry.endpoint for item in dock.map.items]


def test_an_opaque_map_lies_below_the_overlays_even_where_there_is_another_base(dock, wait_until):
    add(dock, wait_until, "quipamientos", "Add as overlay", 1)
    dock.map.set_role(0, MapRole.BASE)
    open_record(dock, "recipitaci")
    bar = dock.view.add_bar
    wait_until(lambda: bar.button.text() == "Add as time series")
    bar.actions_by_name["overlay"].trigger()
    wait_until(lambda: len(dock.map.items) == 2 and bar.button.isEnabled(), 60)
    add(dock, wait_until, "Despeñaperros", "Add as overlay", 3)
    kinds = [next(word for word in ("equipamientos", "mapa_guia", "precipitacion") if word in item.entry.endpoint)
             for item in dock.map.items]
    assert kinds == ["equipamientos", "mapa_guia", "precipitacion"]


def test_a_time_series_is_added_as_one_and_shows_the_temporal_controller(dock, network, qtbot, wait_until):
    window = QMainWindow()
    qtbot.addWidget(window)
    panel = QDockWidget("Temporal Controller", window)
    panel.setObjectName("Temporal Controller")
    panel.hide()
    window.show()
    dock.iface = SimpleNamespace(mainWindow=lambda: window)
    add(dock, wait_until, "recipitaci", "Add as time series", 1)
    assert dock.map.items[0].entry.moment == "2016-06-01"
    assert len(dock.map.items[0].layer_ids) == 30
    assert panel.isVisible()
    # one group of thirty layers, of which one is drawn
    assert [layer.name for layer in dock.map.plan(all_moments=False).layers] == ["precipitacion_20160601"]


def test_layers_for_the_project_only_have_their_credit_and_are_undone(dock, wait_until):
    open_record(dock, "quipamientos")
    bar = dock.view.add_bar
    wait_until(lambda: bar.button.text() == "Add as overlay")
    bar.actions_by_name["project"].trigger()
    wait_until(lambda: QgsProject.instance().mapLayers() and bar.button.isEnabled(), 60)
    layers = QgsProject.instance().mapLayers().values()
    assert all(isinstance(layer, QgsRasterLayer) and "Junta de Andalucía" in layer_credit(layer) for layer in layers)
    assert not dock.map.items
    dock.note.details.click()
    assert not QgsProject.instance().mapLayers()


def test_what_a_service_cannot_do_is_greyed_with_the_reason(dock, wait_until):
    open_record(dock, "quipamientos")
    bar = dock.view.add_bar
    wait_until(lambda: bar.button.text() == "Add as overlay")
    series = bar.actions_by_name["series"]
    assert not series.isEnabled()
    assert "no time series" in series.toolTip()
    assert bar.menu.toolTipsVisible()
    assert [name for name, action in bar.actions_by_name.items() if not action.isEnabled()] == ["series"]


def test_a_failed_service_says_why_on_the_page_and_is_tried_again(dock, network, qtbot, wait_until):
    network.fault({"match": {"request": "GetCapabilities"}, "action": {"type": "status", "code": 500}})
    open_record(dock, "quipamientos")
    bar = dock.view.add_bar
    wait_until(lambda: bar.button.text() == "Try again", 30)
    assert bar.reason.isVisible() and "500" in bar.reason.text()
    assert not bar.actions_by_name["overlay"].isEnabled()
    assert not [level for level, _ in dock.messages.history if level == "error"], "nothing was asked for but the record"
    network.reset()
    qtbot.mouseClick(bar.button, Qt.MouseButton.LeftButton)
    wait_until(lambda: bar.button.text() == "Add as overlay", 30)
    assert not bar.reason.isVisible()
