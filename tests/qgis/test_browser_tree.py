"""Cartoguide in QGIS's browser: the real model and tree view, a real record library, the test network."""

from __future__ import annotations

import threading
from types import SimpleNamespace

import pytest
from qgis.core import QgsApplication, QgsCoordinateReferenceSystem, QgsDataItem, QgsMimeDataUtils, QgsProject
from qgis.gui import QgsGui
from qgis.PyQt.QtCore import QMimeData, QUrl, qInstallMessageHandler
from qgis.PyQt.QtGui import QGuiApplication
from qgis.PyQt.QtWidgets import QInputDialog

from plugin.core.errors import CartoguideError
from plugin.core.library.record_collections import RecordCollections
from plugin.gis.runtime import settings
from plugin.gis.services import service_cache
from plugin.integration import record_items
from tests.qgis.browser_views import BrowserView, run

PARK = "Mapa guía"


@pytest.fixture
def browser(network, plugin_window, monkeypatch, wait_until):
    """The browser beside the running plugin, whose records are the test network's; no service was asked yet."""
    monkeypatch.setattr(service_cache, "_shared", None)
    settings.set("profile", str(network.profile_path))
    QgsProject.instance().setCrs(QgsCoordinateReferenceSystem("EPSG:25830"))
    made = BrowserView(wait_until)
    made.plugin, made.desk = plugin_window.plugin, plugin_window.plugin.integration.commands
    made.network = network
    yield made
    made.view.setModel(None)


def said(browser):
    return [text for _, text in browser.desk().messages.history]


def test_the_tree_has_networks_collections_and_records_and_asks_nobody(browser, requested_hosts):
    assert "Cartoguide" in browser.roots()
    assert browser.children("Cartoguide") == ["Networks and catalogues", "Collections", "All records"]
    names = browser.children("Cartoguide", "All records")
    assert len(names) == 3
    assert any(name.startswith(PARK) for name in names)
    networks = browser.children("Cartoguide", "Networks")
    assert len(networks) >= 1
    assert len(browser.children("Cartoguide", "Networks", networks[0])) == 3
    assert browser.children("Cartoguide", "All records", PARK) == ["Load the layers of the service"]
    assert browser.plugin.dock is None
    assert requested_hosts == []
    assert browser.network.requests == []


def test_a_service_shows_its_layers_once_it_was_asked(browser, wait_until):
    path = ("Cartoguide", "All records", PARK)
    browser.children(*path)
    assert browser.double_click(browser.item(*path, "Load the layers"))
    wait_until(lambda: "Load the layers of the service" not in browser.children(*path))
    layers = browser.children(*path)
    assert layers
    leaf = browser.item(*path, layers[0])
    uris = QgsMimeDataUtils.decodeUriList(browser.model.mimeData([browser.index(*path, layers[0])]))
    assert [uri.providerKey for uri in uris] == ["cartoguide"]
    assert leaf.toolTip().startswith(layers[0])
    sheet = browser.properties(leaf)
    assert layers[0] in sheet.toPlainText()
    assert "EPSG:25830" in sheet.toPlainText()


def test_a_double_click_shows_the_record_in_the_dock(browser, wait_until):
    item = browser.item("Cartoguide", "All records", PARK)
    assert browser.double_click(item)
    dock = browser.plugin.dock
    assert dock.isVisible()
    wait_until(lambda: dock.view.record is not None and dock.view.record.id == item.identifier)


def test_the_properties_are_the_records_sheet(browser, wait_until):
    item = browser.item("Cartoguide", "All records", PARK)
    assert item.type() == QgsDataItem.Type.Layer, "QGIS 3.22 asks for the properties of nothing else"
    sheet = browser.properties(item)
    sheet.show()
    wait_until(lambda: "Gratuito" in sheet.toPlainText())
    assert sheet.accessibleName()
    assert browser.properties(browser.item("Cartoguide", "Collections")) is None


def test_a_record_goes_onto_the_map_by_menu_and_by_drag(browser, plugin_window, wait_until):
    item = browser.item("Cartoguide", "All records", PARK)
    words, menu = browser.menu(item)
    assert {"Show catalogue record", "Add to map", "Copy credit", "Show terms", "Refresh"} <= set(words)
    run(menu, "Add to map")
    project = QgsProject.instance()
    wait_until(lambda: project.mapLayers(), 40)
    first = len(project.mapLayers())
    assert all(layer.metadata().rights() for layer in project.mapLayers().values())
    # QGIS hands what is dropped on its layer tree to the handlers that know its provider: see test_reload.py
    other = next(name for name in browser.children("Cartoguide", "All records") if "uso público" in name)
    data = browser.model.mimeData([browser.index("Cartoguide", "All records", other)])
    dropped = QgsMimeDataUtils.decodeUriList(data)
    assert len(dropped) == 1
    handler = next(one for one in plugin_window.drop_handlers if one.customUriProviderKey() == dropped[0].providerKey)
    handler.handleCustomUriDrop(dropped[0])
    wait_until(lambda: len(project.mapLayers()) > first and not browser.plugin.dock.map.adding, 40)


def test_a_layer_alone_goes_onto_the_map_once(browser, wait_until):
    path = ("Cartoguide", "All records", PARK)
    browser.children(*path)
    browser.double_click(browser.item(*path, "Load the layers"))
    wait_until(lambda: "Load the layers of the service" not in browser.children(*path))
    leaf = browser.item(*path, browser.children(*path)[0])
    while leaf.layer.layers:
        name = leaf.name()
        path = (*path, name)
        leaf = browser.item(*path, browser.children(*path)[0])
    assert browser.double_click(leaf)
    project = QgsProject.instance()
    wait_until(lambda: project.mapLayers(), 40)
    assert len(project.mapLayers()) == 1
    wait_until(lambda: not browser.plugin.dock.map.adding)
    browser.double_click(leaf)
    wait_until(lambda: any("already" in text for text in said(browser)))
    assert len(project.mapLayers()) == 1


def test_the_credit_is_copied_without_a_dock(browser, wait_until):
    _, menu = browser.menu(browser.item("Cartoguide", "All records", PARK))
    QGuiApplication.clipboard().setText("")
    run(menu, "Copy credit")
    wait_until(lambda: QGuiApplication.clipboard().text())
    assert PARK in QGuiApplication.clipboard().text()
    assert browser.plugin.dock is None


def test_records_are_dropped_on_collections_and_taken_out_and_that_is_undone(browser, wait_until, qtbot):
    records = ("Cartoguide", "All records")
    browser.children("Cartoguide", "Collections")
    _, menu = browser.menu(browser.item("Cartoguide", "Collections"))
    run(menu, "New collection…")
    dialog = next(one for one in QgsApplication.topLevelWidgets() if isinstance(one, QInputDialog) and one.isVisible())
    dialog.setTextValue("Salidas")
    dialog.accept()
    wait_until(lambda: browser.children("Cartoguide", "Collections") == ["Salidas (0)"])
    data = browser.model.mimeData([browser.index(*records, name) for name in browser.children(*records)[:2]])
    assert browser.drop(browser.item("Cartoguide", "Collections", "Salidas"), data)
    wait_until(lambda: browser.children("Cartoguide", "Collections") == ["Salidas (2)"])
    inside = ("Cartoguide", "Collections", "Salidas")
    wait_until(lambda: len(browser.children(*inside)) == 2)
    member = browser.item(*inside, browser.children(*inside)[0])
    words, menu = browser.menu(member)
    run(menu, "Remove 1 record from “")
    wait_until(lambda: len(browser.children(*inside)) == 1)
    undo(browser)
    wait_until(lambda: len(browser.children(*inside)) == 2)
    run(browser.menu(browser.item(*inside))[1], "Delete")
    wait_until(lambda: browser.children("Cartoguide", "Collections") == [])
    undo(browser)
    wait_until(lambda: browser.children("Cartoguide", "Collections") == ["Salidas (2)"])
    assert not browser.drop(browser.item(*records, PARK), data)


def undo(browser):
    """Press "Undo" in the newest message."""
    from qgis.PyQt.QtWidgets import QPushButton

    bar = browser.plugin.iface.messageBar()
    next(button for button in bar.currentItem().findChildren(QPushButton) if button.text() == "Undo").click()


def test_a_locked_library_is_said_where_the_menu_asks_for_the_collections(browser, monkeypatch):
    def locked(_collections):
        raise CartoguideError("The record library is locked.")

    records = ("Cartoguide", "All records")
    record = browser.item(*records, browser.children(*records)[0])
    monkeypatch.setattr(RecordCollections, "names", locked)
    words, _ = browser.menu(record)
    assert "Add to collection" in words and "The record library is locked." in said(browser)[-1]


def test_files_dropped_on_the_root_are_records_then_and_can_be_removed(browser, wait_until):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(browser.network.dataset_record))])
    before = browser.children("Cartoguide", "All records")
    assert browser.drop(browser.item("Cartoguide"), data)
    wait_until(lambda: len(browser.children("Cartoguide", "All records")) == len(before) + 1)
    name = next(name for name in browser.children("Cartoguide", "All records") if name not in before)
    words, menu = browser.menu(browser.item("Cartoguide", "All records", name))
    run(menu, "Remove 1 record")
    wait_until(lambda: browser.children("Cartoguide", "All records") == before)
    undo(browser)
    wait_until(lambda: name in browser.children("Cartoguide", "All records"))


def test_many_records_come_by_kind_letter_and_page(browser, wait_until, monkeypatch):
    monkeypatch.setattr(record_items, "MAX_ITEMS", 5)
    fill(browser.plugin.integration.records().store(), {"Ámbito": 20, "Bosques": 3})
    parts = browser.children("Cartoguide", "All records")
    assert [part.split(" (")[0] for part in parts] == ["Services", "Datasets"]
    letters = browser.children("Cartoguide", "All records", "Datasets")
    assert letters == ["A (20)", "B (3)"]
    path = ("Cartoguide", "All records", "Datasets", "A")
    assert browser.children(*path)[-1] == "More… (15 records)"
    assert browser.double_click(browser.item(*path, "More"))
    wait_until(lambda: len(browser.children(*path)) == 20)
    assert browser.children("Cartoguide", "All records", "Datasets", "B")[0] == "Bosques 0"


def fill(store, counts):
    """So many datasets with each title."""
    from dataclasses import replace

    from plugin.core.records.model.record import Record, ResourceKind

    made = [(f"{title} {number}", f"{title}-{number}") for title, count in counts.items() for number in range(count)]
    records = [(replace(Record(source_format="iso19139"), id=name, title=title, kind=ResourceKind.DATASET,
                        hierarchy_level="dataset", original=b"<x/>"), f"{name}.xml") for title, name in made]
    store.save("folder", "folder", "Folder", records)


def test_nothing_of_it_is_left_when_the_plugin_goes(qgis_app, plugin_window, wait_until, network):
    settings.set("profile", str(network.profile_path))
    view = BrowserView(wait_until)
    view.children("Cartoguide", "All records")
    providers = QgsApplication.dataItemProviderRegistry().providers()
    assert "cartoguide" in [provider.name() for provider in providers]
    plugin_window.plugin.unload()
    assert "Cartoguide" not in view.roots()
    assert "cartoguide" not in [one.name() for one in QgsApplication.dataItemProviderRegistry().providers()]
    assert "cartoguide" not in [one.name() for one in QgsGui.dataItemGuiProviderRegistry().providers()]
    assert SimpleNamespace(drops=plugin_window.drop_handlers) == SimpleNamespace(drops=[])
    view.view.setModel(None)
    plugin_window.plugin.initGui()


@pytest.fixture
def qt_messages(qgis_app):
    """What Qt says while the test runs."""
    said_by_qt = []
    before = qInstallMessageHandler(lambda _kind, _context, text: said_by_qt.append(text))
    yield said_by_qt
    qInstallMessageHandler(before)


def test_no_item_is_touched_while_a_worker_thread_still_makes_it(browser, wait_until, monkeypatch, qt_messages):
    """The library changes while many groups make their items, each in a thread of its own."""
    monkeypatch.setattr(record_items, "MAX_ITEMS", 5)
    titles = ("Ámbito", "Bosques", "Cauces")
    fill(browser.plugin.integration.records().store(), dict.fromkeys(titles, 20))
    groups = ("Cartoguide", "All records", "Datasets")
    browser.children(*groups)
    items = [browser.item(*groups, title[0].replace("Á", "A")) for title in titles]
    making, may_end = threading.Semaphore(0), threading.Event()
    slow_reading(monkeypatch, record_items.RecordGroupItem, making.release, may_end)
    for item in items:
        item.shown_count = 200
        item.populate()
    for _ in items:
        wait_until(lambda: making.acquire(blocking=False))
    browser.plugin.integration.tree.refresh()
    may_end.set()
    wait_until(lambda: all(item.state() == QgsDataItem.State.Populated for item in items))
    assert not [text for text in qt_messages if "thread" in text]
    for item in items:
        assert len(browser.children(*groups, item.name())) == 20


def test_a_change_while_a_group_is_read_is_shown_after_it(browser, wait_until, monkeypatch):
    """What a group reads may be older than the change that is told while it reads."""
    browser.children("Cartoguide", "Collections")
    group = browser.item("Cartoguide", "Collections")
    reading, may_end = threading.Event(), threading.Event()
    with monkeypatch.context() as patch:
        slow_reading(patch, type(group), reading.set, may_end)
        group.refresh()
        wait_until(reading.is_set)
    browser.plugin.integration.records().store().collections.save("Salidas", [])
    browser.plugin.integration.tree.refresh()
    may_end.set()
    wait_until(lambda: browser.children("Cartoguide", "Collections") == ["Salidas (0)"])


def slow_reading(patch, kind, begin, may_end):
    """Let groups of the class ``kind`` hold what they read, and call ``begin``, until ``may_end`` is set."""
    read = kind.read_children

    def slow_read(item):
        found = read(item)
        begin()
        may_end.wait(60)
        return found

    patch.setattr(kind, "read_children", slow_read)
