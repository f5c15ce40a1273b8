"""The plugin in a main window: shown lazily, completely unloaded, quick to start."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from qgis.core import QgsNetworkAccessManager, QgsProject, QgsRasterLayer, QgsSettings, QgsVectorLayer
from qgis.PyQt.QtCore import QObject, Qt
from qgis.PyQt.QtGui import QGuiApplication, QImage
from qgis.PyQt.QtWidgets import QAction, QDockWidget, QPushButton, QWidget

from plugin import main
from plugin.core.terms.model import Decision
from plugin.gis.credits.layer_metadata import set_credit
from plugin.gis.legends.legend_nodes import Swatch, SwatchLegend, set_swatches
from plugin.gis.runtime import tasks
from plugin.main import DOCK_VISIBLE_SETTING, CartoguidePlugin
from tests.qgis.census import cycle
from tests.qgis.qgis_window import Window, settle
from tests.slowness import patience


@pytest.fixture
def window(qgis_app, qtbot):
    iface = Window()
    qtbot.addWidget(iface.window)
    iface.window.show()
    yield iface
    tasks.shutdown()


def test_nothing_is_shown_before_it_is_asked_for(window):
    plugin = CartoguidePlugin(window)
    plugin.initGui()
    assert plugin.dock is None
    assert [action.text() for action in window.menu["Cartoguide"]] == [
        "Records and services", "Custom map", "",
        "Open records", "Collections…", "Catalogues…", "Add a catalogue…", "",
        "New custom map", "Open a custom map…", "Layout of the custom map", "Export the custom map as PDF…",
        "Snapshot for offline use…", "",
        "Identify on all services", "Credits of this project…", "Show credits on the map canvas", "",
        "Check the listed records…", "Health of services…", "",
        "Settings…", "A first map", "User guide"]
    assert [action.text() for action in window.menu["Cartoguide"] if action.isSeparator()] == [""] * 5
    assert not plugin.action.icon().isNull()
    plugin.unload()


def entries(actions):
    """The entries of a menu and of its submenus."""
    for action in actions:
        if action.menu() is not None:
            yield from entries(action.menu().actions())
        elif not action.isSeparator():
            yield action


def test_the_menu_lists_what_the_buttons_of_the_dock_do(window):
    plugin = CartoguidePlugin(window)
    plugin.initGui()
    bar = plugin.show_dock().list_page.search_bar
    listed = {action.text() for action in entries(window.menu["Cartoguide"])}
    wanted = {action.text().replace(" (F1)", "") for button in (bar.add, bar.more)
              for action in entries(button.menu().actions())}
    # both are about what the list shows, and of no use without seeing it
    assert len(wanted) >= 12 and wanted - listed == {"Search the catalogues", "Refresh from the catalogue"}
    plugin.unload()


def test_what_the_plugin_asks_of_the_dock_is_there(window):
    """Python's types do not say so, since those of QGIS's widgets are unknown to them."""
    plugin = CartoguidePlugin(window)
    plugin.initGui()
    dock = plugin.show_dock()
    asked = set(re.findall(r"(?:show_dock\(\)|self\.dock)((?:\.\w+)+)", Path(main.__file__).read_text("utf-8")))
    assert len(asked) > 15
    for chain in asked:
        found = dock
        for name in chain[1:].split("."):
            found = getattr(found, name)
    plugin.unload()


def test_commands_of_the_menu_do_what_they_say(window, wait_until, monkeypatch):
    from plugin.ui.widgets.dialogs import DialogPrompts

    asked = []
    for name in ("open_file", "open_files"):
        monkeypatch.setattr(DialogPrompts, name, lambda *given, name=name, **named: asked.append(name))
    plugin = CartoguidePlugin(window)
    plugin.initGui()
    command = {action.text(): action for action in entries(window.menu["Cartoguide"])}
    assert not command["Export the custom map as PDF…"].isEnabled()
    command["Collections…"].trigger()
    menu = plugin.dock.facets.collections
    wait_until(menu.isVisible)
    assert "New collection…" in [action.text() for action in menu.actions()]
    menu.close()
    command["Open files…"].trigger()
    command["Open a custom map…"].trigger()
    assert len(asked) == 2
    assert plugin.dock.compose_dock.isVisible()
    plugin.dock.composer.count_changed.emit(1)
    assert command["Export the custom map as PDF…"].isEnabled()
    plugin.unload()


def test_credits_of_the_project_are_one_click_away_in_the_toolbar_and_beside_an_empty_map(window):
    plugin = CartoguidePlugin(window)
    plugin.initGui()
    button = next(action for action in window.toolbar.actions() if action.text() == "Credits of this project…")
    assert not button.icon().isNull()
    button.trigger()
    assert plugin._credits_menu.dialog.isVisible()
    plugin._credits_menu.dialog.close()
    plugin.show_dock().composer.empty.credits_button.click()
    assert plugin._credits_menu.dialog.isVisible()
    plugin.unload()
    assert window.toolbar.actions() == []


def press(item, text):
    """Press a button of a message, which may be in the menu of its last one."""
    buttons = item.findChildren(QPushButton)
    choices = [*((button.text(), button.click) for button in buttons),
               *((action.text(), action.trigger) for button in buttons if button.menu() is not None
                 for action in button.menu().actions())]
    dict(choices)[text]()


@pytest.mark.parametrize("name", ["mActionSaveMapAsImage", "mActionSaveMapAsPdf"])
def test_an_export_of_qgis_itself_is_said_to_be_without_credits(window, name):
    own = QAction(window.window)
    own.setObjectName(name)
    plugin = CartoguidePlugin(window)
    plugin.initGui()
    layer = QgsVectorLayer("Point?crs=EPSG:25830", "wells", "memory")
    QgsProject.instance().addMapLayer(layer)
    window.canvas.setLayers([layer])
    own.trigger()
    assert window.bar.items() == [], "nothing is owed"
    set_credit(layer, "Instituto Geológico", Decision.YES)
    own.trigger()
    own.trigger()
    (item,) = window.bar.items()
    assert "without its credits" in item.text()
    press(item, "Custom map")
    assert plugin.dock.compose_dock.isVisible() and window.bar.items() == []
    own.trigger()
    (item,) = window.bar.items()
    press(item, "Copy the credits")
    assert QGuiApplication.clipboard().text() == "Instituto Geológico"
    own.trigger()
    plugin.unload()
    assert window.bar.items() == []
    own.trigger()
    assert window.bar.items() == [], "of a plugin that was unloaded"


def test_the_action_shows_and_hides_the_dock_and_follows_it(window):
    plugin = CartoguidePlugin(window)
    plugin.initGui()
    plugin.action.setChecked(True)
    assert plugin.dock.isVisible()
    assert window.window.dockWidgetArea(plugin.dock) == Qt.DockWidgetArea.RightDockWidgetArea
    dock = plugin.dock
    plugin.action.setChecked(False)
    assert not dock.isVisible()
    plugin.action.setChecked(True)
    assert plugin.dock is dock
    dock.close()
    assert not plugin.action.isChecked()
    plugin.unload()


def test_a_dock_that_was_never_placed_is_wide_enough_for_all_tabs(window, qtbot):
    window.window.setCentralWidget(QWidget())
    window.window.resize(1366, 768)
    plugin = CartoguidePlugin(window)
    plugin.initGui()
    plugin.action.setChecked(True)
    bar = plugin.dock.view.tabs.tabBar()
    qtbot.waitUntil(lambda: plugin.dock.width() >= 380)
    qtbot.waitUntil(lambda: bar.tabRect(bar.count() - 1).right() <= bar.width())
    plugin.unload()


def test_a_dock_that_was_open_is_open_again(window):
    for _ in range(2):
        plugin = CartoguidePlugin(window)
        plugin.initGui()
        plugin.action.setChecked(True)
        plugin.unload()
        assert QgsSettings().value(DOCK_VISIBLE_SETTING, False, type=bool)
    again = CartoguidePlugin(window)
    again.initGui()
    assert again.dock is not None
    again.dock.close()
    again.unload()
    assert not QgsSettings().value(DOCK_VISIBLE_SETTING, True, type=bool)


def test_it_waits_for_a_window_that_is_still_being_made(window):
    QgsSettings().setValue(DOCK_VISIBLE_SETTING, True)
    window.window.hide()
    plugin = CartoguidePlugin(window)
    plugin.initGui()
    assert plugin.dock is None
    window.window.show()
    window.initializationCompleted.emit()
    assert plugin.dock is not None
    plugin.unload()


def test_unloading_leaves_nothing_behind_however_often(window):
    before = {type(child).__name__ for child in window.window.findChildren(QObject)}
    count = len(window.window.findChildren(QObject))
    for _ in range(6):
        plugin = CartoguidePlugin(window)
        plugin.initGui()
        plugin.action.setChecked(True)
        settle()
        plugin.unload()
        settle()
    left = window.window.findChildren(QObject)
    # Qt keeps the tab bar of docks that shared a place for the next ones
    assert {type(child).__name__ for child in left} - before <= {"QPropertyAnimation", "QTabBar"}
    assert len(left) - count <= 6
    assert window.toolbar.actions() == []
    assert window.menu["Cartoguide"] == []
    assert window.drop_handlers == [] == window.layer_actions
    assert window.options == []
    assert window.help.actions() == []


@pytest.mark.parametrize("name", ["project", "tree", "layouts", "network", "layer"])
def test_functions_of_other_plugins_stay_connected_to_what_qgis_owns(name, window):
    project = QgsProject.instance()
    layer_id = project.addMapLayer(QgsVectorLayer("Point?crs=EPSG:4326", "a", "memory")).id()
    get, signal, values = {
        "project": (QgsProject.instance, "layersRemoved", (["x"],)),
        "tree": (lambda: QgsProject.instance().layerTreeRoot(), "nameChanged", (None, "x")),
        "layouts": (lambda: QgsProject.instance().layoutManager(), "layoutRemoved", ("x",)),
        "network": (QgsNetworkAccessManager.instance, "requestRequiresAuth", (1, "x")),
        "layer": (lambda: QgsProject.instance().mapLayer(layer_id), "repaintRequested", (False,)),
    }[name]
    del project
    plugin, heard = CartoguidePlugin(window), []
    plugin.initGui()
    getattr(get(), signal).connect(lambda *_: heard.append(name))
    for event in ("loaded", "unloaded"):
        heard.clear()
        cycle(get)
        getattr(get(), signal).emit(*values)
        assert heard == [name], event
        if event == "loaded":
            plugin.unload()
            del plugin


def test_the_state_of_the_dock_is_kept(window):
    plugin = CartoguidePlugin(window)
    plugin.initGui()
    plugin.action.setChecked(True)
    plugin.dock.search.setText("lluvia")
    plugin.dock.view.tabs.setCurrentIndex(1)
    plugin.unload()
    again = CartoguidePlugin(window)
    again.initGui()
    assert again.dock.search.text() == "lluvia"
    assert again.dock.view.tabs.currentIndex() == 1
    again.unload()


def saved_project(path, damaged=False):
    """A project of one layer that keeps a legend entry, written to ``path`` and closed again."""
    project = QgsProject.instance()
    layer = QgsRasterLayer("", "map", "wms")
    image = QImage(20, 10, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.red)
    set_swatches(layer, [Swatch(image, 2.0, 1.0, "red")])
    if damaged:
        layer.setCustomProperty("cartoguide/legend", '[{"png": 3}]')
    project.addMapLayer(layer)
    assert project.write(str(path))
    project.clear()


def legend_of_reopened(path):
    assert QgsProject.instance().read(str(path))
    layer, = QgsProject.instance().mapLayers().values()
    return layer.legend()


def test_a_project_that_is_opened_gets_back_the_legends_that_it_kept(window, tmp_path):
    saved_project(tmp_path / "map.qgz")
    plugin = CartoguidePlugin(window)
    plugin.initGui()
    legend = legend_of_reopened(tmp_path / "map.qgz")
    assert isinstance(legend, SwatchLegend)
    assert [swatch.label for swatch in legend.swatches] == ["red"]
    plugin.unload()
    assert not isinstance(legend_of_reopened(tmp_path / "map.qgz"), SwatchLegend)


def test_a_project_with_a_damaged_legend_opens_all_the_same(window, tmp_path):
    saved_project(tmp_path / "map.qgz", damaged=True)
    plugin = CartoguidePlugin(window)
    plugin.initGui()
    assert not isinstance(legend_of_reopened(tmp_path / "map.qgz"), SwatchLegend)
    plugin.unload()


def test_the_custom_map_has_a_dock_of_its_own_behind_that_of_the_records(window, qtbot):
    window.window.resize(1000, 900)
    plugin = CartoguidePlugin(window)
    plugin.initGui()
    plugin.action.setChecked(True)
    compose = plugin.dock.compose_dock
    assert not compose.isVisible()
    plugin.compose_action.trigger()
    settle()
    assert window.window.tabifiedDockWidgets(plugin.dock) == [compose]
    assert not compose.visibleRegion().isEmpty() and plugin.dock.visibleRegion().isEmpty()
    compose.close()
    assert not plugin.compose_action.isChecked()
    plugin.unload()
    settle()
    assert not window.window.findChildren(QDockWidget)


def test_import_and_init_gui_load_nothing_dear(repository, tmp_path):
    """In a QGIS of its own: what QGIS itself has loaded does not count. The time is in the bench."""
    script = textwrap.dedent(f"""
        import sys
        sys.path.insert(0, {str(repository)!r})
        from qgis.core import QgsApplication
        app = QgsApplication([], True)
        app.initQgis()
        from qgis.gui import QgsGui
        from qgis.PyQt.QtWidgets import QMainWindow
        QgsGui.instance()
        window = QMainWindow()
        window.menuBar()
        class Iface:
            def mainWindow(self): return window
            def pluginHelpMenu(self): return window.menuBar().addMenu("Help")
            def __getattr__(self, name): return lambda *arguments: None
        slow = {{"lxml", "owslib", "sqlite3", "calendar", "csv", "html", "shutil", "uuid", "plugin.core.addresses",
                "plugin.core.csv_tables", "plugin.core.dates", "plugin.core.storage.temporary_files",
                "plugin.gis.network.bound_origins", "plugin.gis.runtime.page_fonts", "plugin.gis.runtime.tasks",
                "plugin.ui.widgets.guide", "dataclasses", "datetime"}}
        heavy = slow & set(sys.modules)
        from plugin.main import CartoguidePlugin
        plugin = CartoguidePlugin(Iface())
        plugin.initGui()
        print(sorted((slow & set(sys.modules)) - heavy))
    """)
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "XDG_CONFIG_HOME": str(tmp_path),
                   "XDG_CACHE_HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path), "HOME": str(tmp_path),
                   "LC_ALL": "C.UTF-8"}
    answer = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=patience(60),
                            env=environment, stdin=subprocess.DEVNULL)
    assert answer.returncode == 0, answer.stderr
    assert answer.stdout.strip().splitlines()[-1] == "[]"
