"""The Add button: it says what it does, does what fits the service, and says why where nothing can be done."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from qgis.core import QgsProject, QgsRasterLayer, QgsVectorLayer
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import QDockWidget, QMainWindow, QPushButton, QTextEdit, QWidget

from plugin.core.custommap.model import MapRole
from plugin.gis.credits.layer_credits import layer_credit
from plugin.gis.runtime import settings


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
    return [node.layer().source() for node in dock.map.mirror.find_group().findLayers()]


def test_no_list_contacts_a_service_and_an_opened_record_loads_its_service_once(dock, network, wait_until):
    for row in range(3):
        dock.list.setCurrentIndex(dock.model.index(row))
    assert not network.requests
    open_record(dock, "quipamientos")
    assert dock.view.add_bar.button.text() in ("Add to map", "Loading…")
    wait_until(lambda: dock.view.add_bar.button.text() == "Add as overlay")
    dock.pages.focus_list()
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


def test_the_message_of_a_service_takes_it_back(dock, wait_until):
    def undo():
        # that of the overlay is shown until the base is seen
        wait_until(lambda: "Mapa guía" in dock.note.text_label.text())
        assert dock.note.details.text() == "Undo"
        dock.note.details.click()

    add(dock, wait_until, "quipamientos", "Add as overlay", 1)
    kept = dock.map.document().overlays
    add(dock, wait_until, "Despeñaperros", "Add as base map", 2)
    undo()
    assert dock.map.document().entries == kept
    # what was changed meanwhile stays
    add(dock, wait_until, "Despeñaperros", "Add as base map", 2)
    dock.map.set_title("Other")
    undo()
    assert dock.map.document().entries == kept and dock.map.title() == "Other"
    assert not [source for source in tree_sources(dock) if "mapa_guia" in source]


@pytest.mark.slow
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
    inside = QTextEdit()
    inside.setMinimumHeight(70)
    panel.setWidget(inside)
    window.setCentralWidget(QWidget())
    window.addDockWidget(Qt.DockWidgetArea.TopDockWidgetArea, panel)
    panel.hide()
    window.resize(600, 600)
    window.show()
    dock.iface = SimpleNamespace(mainWindow=lambda: window)
    add(dock, wait_until, "recipitaci", "Add as time series", 1)
    assert dock.map.items[0].entry.moment == "2016-06-01"
    assert len(dock.map.items[0].layer_ids) == 30
    # no higher than it has to be: the canvas and the frame of the page lie below it
    wait_until(lambda: panel.isVisible() and panel.height() <= panel.minimumSizeHint().height() + 4, 10)
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


def button_of(dock, word):
    """The middle of the Add button in the row whose title holds ``word``."""
    row = next(row for row in range(dock.model.rowCount()) if word in dock.model.index(row).data())
    index = dock.model.index(row)
    return dock.list.itemDelegate().add_button_rect(dock.list.visualRect(index), index).center()


def test_the_plus_of_a_row_adds_what_fits_and_opens_nothing(dock, network, qtbot, wait_until):
    before = dock.list.currentIndex().row()
    network.fault({"match": {"request": "GetCapabilities"}, "action": {"type": "status", "code": 500}})
    qtbot.mouseClick(dock.list.viewport(), Qt.MouseButton.LeftButton, pos=button_of(dock, "quipamientos"))
    said = wait_until(lambda: [text for level, text in dock.messages.history if level == "error"], 30)
    assert said[0].startswith("“Equipamientos de uso público") and "500" in said[0]
    network.reset()
    qtbot.mouseClick(dock.list.viewport(), Qt.MouseButton.LeftButton, pos=button_of(dock, "quipamientos"))
    assert dock.busy_row.isVisibleTo(dock) and dock.busy_label.text() == "Adding to the map…"
    wait_until(lambda: len(dock.map.items) == 1 and not dock.map.adding, 60)
    qtbot.mouseClick(dock.list.viewport(), Qt.MouseButton.LeftButton, pos=button_of(dock, "Despeñaperros"))
    wait_until(lambda: len(dock.map.items) == 2 and not dock.map.adding, 60)
    assert [item.role for item in dock.map.items] == [MapRole.BASE, MapRole.OVERLAY]
    assert not dock.pages.record_opened and dock.list.currentIndex().row() == before
    wait_until(lambda: not dock.busy_row.isVisibleTo(dock))
    wait_until(lambda: any("11 layers added" in text for _, text in dock.messages.history), 30)
    del dock.messages.history[:]
    qtbot.mouseClick(dock.list.viewport(), Qt.MouseButton.LeftButton, pos=button_of(dock, "Despeñaperros"))
    said = wait_until(lambda: [text for _, text in dock.messages.history], 60)
    assert said == ["“Mapa guía del Parque Natural Despeñaperros. 2014” is on the map already."]
    assert len(dock.map.items) == 2


def test_no_row_moves_while_something_is_added(dock, qtbot):
    """A second click would meet another row."""
    dock.show()
    qtbot.waitExposed(dock)
    for word in ("recipitaci", "quipamientos"):
        place = dock.list.viewport().mapTo(dock, button_of(dock, word))
        dock.record_actions.adding_changed.emit(True)
        qtbot.waitUntil(lambda: dock.busy_row.isVisible() and dock.busy_row.height() > 10)
        assert dock.list.viewport().mapTo(dock, button_of(dock, word)) == place
        dock.record_actions.adding_changed.emit(False)
        qtbot.waitUntil(lambda: not dock.busy_row.isVisible())


def test_a_page_is_made_once_what_it_would_lack_is_added(dock, qtbot, network, wait_until, tmp_path):
    settings.set("export_dpi", 96)
    add(dock, wait_until, "Despeñaperros", "Add as base map", 1)
    network.fault({"match": {"request": "GetCapabilities", "endpoint": "facilities"}, "action": {"type": "delay",
                                                                                                 "seconds": 3}})
    actions, path = dock.composer_controller, tmp_path / "map.png"
    qtbot.mouseClick(dock.list.viewport(), Qt.MouseButton.LeftButton, pos=button_of(dock, "quipamientos"))
    actions.exporter.export("png", path)
    assert "being added" in dock.composer.busy_label.text()
    assert not path.exists() and actions.exporter.layout is None
    wait_until(path.is_file, 60)
    assert len(dock.map.items) == 2


def test_what_is_cancelled_is_said(dock, qtbot, network, wait_until):
    network.fault({"match": {"request": "GetCapabilities"}, "action": {"type": "hang"}})
    qtbot.mouseClick(dock.list.viewport(), Qt.MouseButton.LeftButton, pos=button_of(dock, "quipamientos"))
    wait_until(lambda: dock.busy_row.isVisibleTo(dock))
    dock.busy_row.findChild(QPushButton).click()
    assert [text for _, text in dock.messages.history] == ["Cancelled: Adding to the map"]
    assert not dock.busy_row.isVisibleTo(dock) and not dock.map.items
    composer = dock.composer
    composer.show_busy("Requesting the images: Rain…")
    composer.cancel_button.click()
    assert dock.messages.history[-1][1] == "Cancelled: Requesting the images: Rain"


def test_a_suggestion_that_hangs_can_be_cancelled_where_it_was_pressed(dock, qtbot, network, wait_until):
    add(dock, wait_until, "Despeñaperros", "Add as base map", 1)
    composer = dock.composer
    rows = composer.suggestions
    wait_until(lambda: rows.buttons and composer.findings.check.isEnabled())
    network.fault({"match": {"request": "GetCapabilities"}, "action": {"type": "hang"}})
    next(button for button in rows.buttons if "quipamientos" in button.toolTip()).click()
    assert composer.busy_row.isVisibleTo(composer) and composer.busy_label.text() == "Adding to the map…"
    assert rows.heading.text() == "Suggested:" and not rows.buttons[0].isEnabled()
    assert composer.export.isEnabled() and composer.layout_button.isEnabled(), "they wait for it"
    # what waits for it is given up first
    composer.layout_button.click()
    assert composer.busy_label.text() == "Waiting for what is being added…" and not composer.export.isEnabled()
    composer.cancel_button.click()
    assert composer.busy_label.text() == "Adding to the map…" and composer.export.isEnabled()
    composer.cancel_button.click()
    assert [text for _, text in dock.messages.history][-1] == "Cancelled: Adding to the map"
    assert not composer.busy_row.isVisibleTo(composer) and rows.buttons[0].isEnabled() and len(dock.map.items) == 1


def test_the_keyboard_opens_with_enter_and_adds_with_control(dock, qtbot, wait_until):
    row = next(row for row in range(3) if "recipitaci" in dock.model.index(row).data())
    dock.list.setCurrentIndex(dock.model.index(row))
    qtbot.keyClick(dock.list, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert not dock.pages.record_opened
    wait_until(lambda: len(dock.map.items) == 1 and not dock.map.adding, 60)
    assert dock.map.items[0].entry.moment == "2016-06-01"
    qtbot.keyClick(dock.list, Qt.Key.Key_Return)
    assert dock.pages.record_opened


def test_a_button_that_is_left_before_it_is_released_adds_nothing(dock, qtbot, network):
    place = button_of(dock, "quipamientos")
    qtbot.mousePress(dock.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.mouseRelease(dock.list.viewport(), Qt.MouseButton.LeftButton, pos=place - dock.list.rect().center())
    assert not dock.map_additions.pending and not network.requests
