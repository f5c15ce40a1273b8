"""Offline in the dock: a snapshot taken, shown, left, saved and found again, and a package opened without a server."""

from __future__ import annotations

import shutil
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest
from network import Network
from qgis.core import QgsCoordinateReferenceSystem, QgsLayerTreeModel, QgsProject, QgsRasterLayer
from qgis.gui import QgsLayerTreeView, QgsMessageBar
from qgis.PyQt.QtWidgets import QPushButton, QWidget

from plugin.app.maps import document_controller
from plugin.app.maps.map_document import ExtentMode
from plugin.app.maps.map_state import LayerChoice
from plugin.app.maps.offline_controller import SnapshotArea
from plugin.core.custommap.document import read_document
from plugin.core.custommap.model import MapExtent, MapRole
from plugin.gis.credits.layer_credits import layer_credit
from plugin.gis.export import layout_export
from plugin.gis.layers import snapshot_switch
from plugin.gis.network import client
from plugin.gis.runtime import settings
from plugin.gis.services import service_cache
from plugin.gis.snapshots import snapshot_job, snapshot_packages
from plugin.gis.snapshots.snapshot_job import SnapshotOptions
from plugin.gis.sources.layer_source import shows_snapshot
from plugin.integration.layer_menu import SnapshotMenu
from tests.qgis.conftest import forget
from tests.qgis.map_windows import wms
from tests.qgis.print_maps import pdf_text
from tests.qgis.qgis_hands import LayerTree
from tests.qgis.qgis_window import Window
from tests.qgis.test_copied_marks import orthophoto
from tests.qgis.test_own_layers import own_points
from tests.qgis.waiting import Held
from tests.slowness import patience

AREA = MapExtent(-3.515, 38.385, -3.49, 38.40)
LAYERS = {"Despeñaperros": ("limite_parque", "carreteras"), "quipamientos": ("miradores",)}


def fill(dock, wait_until):
    """A map of two services, one of them half transparent, that prints AREA."""
    maps, records = dock.composer_controller.map, []
    for word in LAYERS:
        row = next(row for row in range(dock.model.rowCount()) if word in dock.model.index(row).data())
        records.append(dock.session.record(dock.model.hit(row).identifier))
        dock.session.load_service(dock.session.endpoint(records[-1]))
    for number, (record, names) in enumerate(zip(records, LAYERS.values()), 1):
        endpoint = dock.session.endpoint(record)
        wait_until(lambda endpoint=endpoint: dock.session.services.get(endpoint), 30)
        role = MapRole.BASE if number == 1 else MapRole.OVERLAY
        dock.map.add(record, endpoint, LayerChoice(names, ("", ) * len(names), role=role))
        wait_until(lambda number=number: len(maps.items) == number and not maps.adding, 60)
    maps.set_opacity(1, 0.5)
    wait_until(lambda: all(layer.opacity() == 0.5 for layer in on_map(dock)[2:]), 5)
    maps.commit(extent_mode=ExtentMode.CUSTOM, extent=AREA, title="Un mapa")
    dock.composer_controller.refresh_view()
    settings.set("export_dpi", 96)


def on_map(dock):
    """The map's layers, bottom first."""
    maps = dock.composer_controller.map
    return [maps.project.mapLayer(layer_id) for item in maps.items for layer_id in item.layer_ids.values()]


def looks(layers):
    return [(layer.id(), layer.name(), layer.opacity(), layer_credit(layer), layer.metadata().rights(),
             layer.hasScaleBasedVisibility(), layer.minimumScale(), layer.customProperty("cartoguide/record_id"),
             layer.legend() is not None) for layer in layers]


def take(dock, folder, wait_until):
    composer = dock.composer_controller
    composer.snapshots.ask_snapshot()
    composer.snapshots.dialog.folder.setText(str(folder))
    composer.snapshots.dialog.update_estimate()
    assert composer.snapshots.dialog.take_button.isEnabled(), composer.snapshots.dialog.estimate_label.text()
    composer.snapshots.dialog.take_button.click()
    wait_until(lambda: dock.composer_controller.map.chosen.snapshot is not None, 60)


def shows(dock, provider):
    return [layer.providerType() for layer in on_map(dock)] == [provider] * 3


def no_requests(network, begun):
    return [entry for entry in network.requests[begun:] if "mapwms" in str(entry)]


@pytest.mark.slow
def test_a_layer_in_another_style_shows_its_snapshot_as_before(network_dock, wait_until, tmp_path):
    dock = network_dock()
    fill(dock, wait_until)
    maps, layer = dock.composer_controller.map, on_map(dock)[2]
    layer.styleManager().addStyleFromLayer("before")
    take(dock, tmp_path / "kept", wait_until)
    for way in ("own style", "pasted style"):
        dock.composer.offline_row.button.click()
        wait_until(lambda: shows(dock, "gdal"), 20)
        credit, document = layer_credit(layer), maps.document()
        assert credit
        if way == "own style":
            layer.styleManager().setCurrentStyle("before")
        else:
            LayerTree().paste_style(orthophoto(tmp_path), layer)
        assert layer_credit(layer) == credit, "whether the dock is open or not"
        wait_until(lambda: not maps.mirror.tree_timer.isActive())
        assert shows_snapshot(layer) and layer_credit(layer) == credit, way
        assert maps.document().own_layers == () and maps.document().entries[1].layers == document.entries[1].layers
        dock.composer.offline_row.button.click()
        wait_until(lambda: shows(dock, "wms"), 30)


@pytest.mark.slow
def test_a_map_goes_to_its_snapshot_and_back_and_is_found_again_as_saved(network_dock, network, wait_until, tmp_path):
    dock = network_dock()
    fill(dock, wait_until)
    assert not dock.composer.offline_row.isVisible() and not dock.composer.offline.switch.isEnabled()
    take(dock, tmp_path / "kept", wait_until)
    wait_until(lambda: "live" in dock.composer.offline_row.text_label.text(), 5)
    before = looks(on_map(dock))
    composer, said = dock.composer, []
    on_map(dock)[0].dataSourceChanged.connect(lambda: said.append(
        (composer.busy_label.text(), composer.offline_row.button.isEnabled())))
    composer.offline_row.button.click()
    wait_until(lambda: shows(dock, "gdal"), 20)
    assert said[0] == ("Opening the snapshot…", False), "a slow machine switches the layers for some seconds"
    assert looks(on_map(dock)) == before
    wait_until(lambda: "snapshot of 20" in composer.offline_row.text_label.text(), 5)
    assert composer.offline_row.button.isEnabled() and not composer.busy_label.isVisible()
    # the document and the project tell of it, and are found again so
    dock.composer_controller.documents.save_to(tmp_path / "map.custommap.json")
    saved = read_document((tmp_path / "map.custommap.json").read_bytes())
    assert (saved.snapshot.path, saved.snapshot.in_use) == ("kept", True)
    assert QgsProject.instance().write(str(tmp_path / "map.qgz"))
    # the list of layers on the record's page requests the symbols of those that come into sight with a message's end
    dock.view.show_overview()
    begun = len(network.requests)
    QgsProject.instance().clear()
    dock.composer_controller.documents.open_file(tmp_path / "map.custommap.json")
    wait_until(lambda: len(on_map(dock)) == 3 and shows(dock, "gdal"), 30)
    assert no_requests(network, begun) == []
    # back to the live services
    dock.composer.offline_row.button.click()
    wait_until(lambda: shows(dock, "wms"), 30)
    assert all(layer.isValid() for layer in on_map(dock))
    assert [look[1:] for look in looks(on_map(dock))] == [look[1:] for look in before]
    # the project, moved with the snapshot
    shutil.copytree(tmp_path, tmp_path / "moved", ignore=shutil.ignore_patterns("moved"))
    project = QgsProject()
    assert project.read(str(tmp_path / "moved" / "map.qgz"))
    layers = list(project.mapLayers().values())
    assert len(layers) == 3 and all(layer.isValid() and shows_snapshot(layer) for layer in layers)
    assert all("/moved/" in snapshot_switch.local_copy(layer, project).source for layer in layers)
    # and without it
    shutil.rmtree(tmp_path / "moved" / "kept")
    lost = QgsProject()
    lost.read(str(tmp_path / "moved" / "map.qgz"))
    assert len(snapshot_switch.layers_without_snapshot(lost)) == 3
    ended: list[object] = []
    snapshot_switch.switch_to_live(snapshot_switch.layers_without_snapshot(lost), ended.append, ended.append)
    wait_until(lambda: ended, 30)
    assert ended == [[]] and all(layer.isValid() and layer.providerType() == "wms" for layer in
                                 lost.mapLayers().values())


def test_what_a_snapshot_does_not_contain_is_said(network_dock, network, wait_until, tmp_path):
    dock = network_dock()
    fill(dock, wait_until)
    points = own_points(tmp_path)
    QgsProject.instance().addMapLayer(points)
    dock.map.add_own_layer(points)
    facilities = dock.composer_controller.map.items[1]
    # one that is drawn from 1:40 000 on
    assert dock.map.add_missing_layers(dock.map.record_of(facilities), facilities.entry.endpoint,
                                       LayerChoice.of_names(["nombres_equipamientos"]))
    wait_until(lambda: not dock.map.arrivals.pending and len(on_map(dock)) == 4, 60)
    dock.composer_controller.extent.set_scale(80_000.0)
    said = []
    show = dock.composer_controller.offline._notifier.show_warning_with_actions
    dock.composer_controller.offline._notifier.show_warning_with_actions = \
        lambda text, actions, detail="": (said.append(detail), show(text, actions, detail))[1]
    take(dock, tmp_path / "kept", wait_until)
    wait_until(lambda: ("warning", "Snapshot taken, but not all of the map is in it: kept") in [
        message[:2] for message in dock.messages.history], 30)
    assert not any("complete" in text for _, text in dock.messages.history)
    own, left_out = said[0].split("\n")
    assert points.name() in own and left_out.startswith("Not drawn at the snapshot's scales, and so not in it: “")
    dock.composer.offline_row.button.click()
    wait_until(lambda: dock.composer_controller.map.shown_snapshot is not None, 20)
    wait_until(lambda: not dock.note.isVisibleTo(dock), 20)
    assert "Live" not in dock.composer.offline_row.text_label.text(), "nothing of it is requested at this scale"
    assert not [finding for finding in dock.composer.findings.findings if finding.rule == "offline-live"]


@pytest.mark.parametrize("where", ["message", "row"])
def test_a_document_whose_snapshot_is_gone_offers_the_live_services(
        network_dock, network, wait_until, tmp_path, where):
    dock = network_dock()
    fill(dock, wait_until)
    take(dock, tmp_path / "kept", wait_until)
    dock.composer_controller.offline.toggle_snapshot()
    wait_until(lambda: shows(dock, "gdal"), 20)
    dock.composer_controller.documents.save_to(tmp_path / "map.custommap.json")
    shutil.rmtree(tmp_path / "kept")
    QgsProject.instance().clear()
    dock.composer_controller.documents.open_file(tmp_path / "map.custommap.json")
    wait_until(lambda: any("was not found" in text for _level, text in dock.messages.history), 20)
    assert "was not found" in dock.messages.history[-1][1], dock.messages.history
    assert len(dock.composer_controller.map.items) == 2 and on_map(dock) == []
    assert dock.note.details.text() == "Use the live services"
    row = dock.composer.offline_row
    wait_until(lambda: row.text_label.text() == "Shows nothing: its snapshot is not there.", 10)
    assert row.button.text() == "Show live"
    (dock.note.details if where == "message" else row.button).click()
    wait_until(lambda: len(on_map(dock)) == 3 and shows(dock, "wms"), 60)


def test_no_layer_of_a_map_without_a_snapshot_goes_to_an_older_one_alone(network_dock, network, wait_until, tmp_path):
    dock = network_dock()
    fill(dock, wait_until)
    take(dock, tmp_path / "kept", wait_until)
    actions, layer = dock.composer_controller, on_map(dock)[0]
    # as where the layers of a former map have come back
    actions.map.custom_map.use_snapshot(None)
    assert actions.offline.toggle_for_layers([layer.id()])
    assert shows(dock, "wms") and "has no snapshot" in dock.messages.history[-1][1]
    assert not actions.offline.toggle_for_layers(["of another map"])


@pytest.fixture
def tree(qtbot):
    """A layer tree of the project, as QGIS's window has it."""
    view = QgsLayerTreeView()
    qtbot.addWidget(view)
    view.setModel(QgsLayerTreeModel(QgsProject.instance().layerTreeRoot(), view))
    return view


@pytest.mark.slow
def test_a_map_with_a_dead_service_is_drawn_from_its_snapshot(tree, network_dock, network, wait_until, tmp_path):
    dock = network_dock()
    dock.iface = SimpleNamespace(layerTreeView=lambda: tree)
    fill(dock, wait_until)
    take(dock, tmp_path / "kept", wait_until)
    path, actions = tmp_path / "map.custommap.json", dock.composer_controller
    live = looks(on_map(dock))
    actions.documents.save_to(path)
    dead = actions.map.items[1].entry.endpoint
    settings.set("retries", 0)
    network.fault({"match": {"endpoint": "facilities"}, "action": {"type": "status", "code": 503}})
    for where in ("row", "tree"):
        QgsProject.instance().clear()
        dock.session.services.forget(dead)
        dock.session.services.save_to(None)
        dock.session.load_service(dead, refresh=True)
        wait_until(lambda: dock.session.service_state(dead).error is not None, 30)
        actions.documents.open_file(path)
        wait_until(lambda: len(actions.map.items) == 2 and not actions.map.adding, 60)
        actions.refresh_view()
        buttons = [dock.note.details, *dock.note.more_buttons]
        assert [button.text() for button in buttons][:2] == ["Show the snapshot", "Try again"]
        row = next(row for row in dock.composer.rows.rows if row.state.problem)
        menu = row.remedy_button.menu().actions()
        assert [action.text() for action in menu] == ["Show the snapshot", "Try again", "Leave it out"]
        if where == "row":
            menu[0].trigger()
        else:
            dock.note.hide()
            root = QgsProject.instance().layerTreeRoot()
            nodes = [*root.findLayers(), *root.findGroups()]
            (node, mark), = [(node, mark) for node in nodes for mark in tree.indicators(node)]
            assert "Equipamientos" in mark.toolTip()
            mark.clicked.emit(tree.layerTreeModel().node2index(node))
            assert dock.note.isVisible() and dock.note.details.text() == "Show the snapshot"
            dock.note.details.click()
        wait_until(lambda: len(on_map(dock)) == 3 and shows(dock, "gdal"), 60)
        actions.refresh_view()
        assert not actions.layers.unavailable.parts() and not any(row.state.problem for row in dock.composer.rows.rows)
        assert [look[1:5] for look in looks(on_map(dock))] == [look[1:5] for look in live]
        assert not dock.note.isVisible(), "the message goes with its reason"
        assert actions.layers.indicators.texts == [], "and so does the mark"
        assert "snapshot of 20" in dock.composer.offline_row.text_label.text()
    begun = len(network.requests)
    text = printed(dock, tmp_path / "offline.pdf", wait_until)
    assert no_requests(network, begun) == [] and "Consejería" in text
    # where the service is down still, the map stays with its snapshot
    dock.messages.history.clear()
    actions.offline.toggle_snapshot()
    wait_until(lambda: dock.messages.history and dock.messages.history[-1][0] == "error", 30)
    assert shows(dock, "gdal") and actions.map.chosen.snapshot.in_use


def test_a_broken_snapshot_is_told_and_gone_on_with(network_dock, network, wait_until, tmp_path, monkeypatch):
    monkeypatch.setattr(client, "_INITIAL_RETRY_DELAY", 0.01)
    dock = network_dock()
    fill(dock, wait_until)
    network.fault({"match": {"request": "GetMap", "layer": "miradores"}, "action": {"type": "status", "code": 500}})
    composer = dock.composer_controller
    composer.snapshots.ask_snapshot()
    composer.snapshots.dialog.folder.setText(str(tmp_path / "kept"))
    composer.snapshots.dialog.update_estimate()
    composer.snapshots.dialog.take_button.click()
    wait_until(lambda: dock.messages.history and dock.messages.history[-1][0] == "error", 30)
    told = dock.messages.history[-1][1]
    assert "incomplete" in told and "Miradores" in told and "Equipamientos" in told and "500" in told
    assert dock.composer_controller.map.chosen.snapshot is None
    assert not dock.composer.busy_row.isVisibleTo(dock)
    # the picture of the page requests images too
    dock.compose_dock.hide()
    network.reset()
    composer.snapshots.ask_snapshot()
    assert composer.snapshots.dialog.folder.text() == str(tmp_path / "kept")
    assert composer.snapshots.dialog.take_button.text() == "Continue"
    composer.snapshots.dialog.take_button.click()
    wait_until(lambda: dock.composer_controller.map.chosen.snapshot is not None, 30)
    assert network.count("GetMap") == 1


def test_a_snapshot_that_another_map_ends_is_said_and_can_be_gone_on_with(network_dock, network, wait_until, tmp_path,
                                                                         qtbot):
    dock = network_dock()
    window = QWidget()
    qtbot.addWidget(window)
    bar = dock.map_messages._bar = QgsMessageBar(window)
    fill(dock, wait_until)
    composer = dock.composer_controller
    maps, documents, offline = composer.map, composer.documents, composer.offline

    def begin(folder):
        network.fault({"match": {"request": "GetMap"}, "action": {"type": "hang"}})
        composer.snapshots.ask_snapshot()
        composer.snapshots.dialog.folder.setText(str(tmp_path / folder))
        composer.snapshots.dialog.update_estimate()
        composer.snapshots.dialog.take_button.click()
        wait_until(lambda: dock.composer.busy_label.text().startswith("Taking the snapshot"))

    def warning(words):
        item = next(item for item in bar.items() if words in item.text())
        return item, item.findChildren(QPushButton)

    begin("kept")
    documents.new()
    item, (button,) = warning("Cancelled, because its map is not shown any more: the snapshot of “Un mapa”.")
    assert button.text() == "Back to that map, and continue" and not offline.can_take_snapshot
    assert not dock.composer.busy_row.isVisibleTo(dock)
    network.reset()
    button.click()
    wait_until(lambda: maps.chosen.snapshot is not None, 60)
    assert Path(maps.chosen.snapshot.path) == tmp_path / "kept" and maps.title() == "Un mapa" and len(maps.items) == 2
    assert not any(item.findChildren(QPushButton) and "snapshot of" in item.text() for item in bar.items())
    # a package is that of the map which it was asked for, whatever is shown
    package = tmp_path / "mapa.cartoguide.zip"
    offline.write_package(package)
    documents.new()
    item, (button,) = warning("Cancelled, because its map is not shown any more: the package mapa.cartoguide.zip.")
    assert not package.exists()
    button.click()
    wait_until(package.exists, 60)
    maps.undo_map()
    # a project that is closed has no way back
    begin("second")
    QgsProject.instance().clear()
    item, buttons = warning("Cancelled, because its map is not shown any more: the snapshot of “Un mapa”.")
    assert not buttons and "“second”" in item.text()
    network.reset()
    wait_until(lambda: offline._writing.has_ended)
    assert maps.chosen.snapshot is None and not dock.composer.busy_row.isVisibleTo(dock)


def test_a_snapshot_is_gone_on_with_once_the_cancelled_one_has_ended(network_dock, network, wait_until, tmp_path,
                                                                     monkeypatch):
    dock = network_dock()
    fill(dock, wait_until)
    composer, write, moments, go = dock.composer_controller, snapshot_job.write_snapshot, [], threading.Event()

    def slow_to_end(prepared, feedback):
        try:
            moments.append("begins")
            return write(prepared, feedback)
        finally:
            if moments == ["begins"]:
                go.wait(patience())
            moments.append("ends")

    monkeypatch.setattr(snapshot_job, "write_snapshot", slow_to_end)
    network.fault({"match": {"request": "GetMap"}, "action": {"type": "hang"}})
    prepared = composer.offline.prepare(SnapshotOptions(
        tmp_path / "kept", composer.offline.available_extents()[SnapshotArea.PRINTED], (25_000.0,), 96), False)
    composer.offline.take_snapshot(prepared)
    wait_until(lambda: network.count("GetMap"))
    slow, before = [], [row.state.detail for row in dock.composer.rows.rows]
    composer.map.builds.states._slow.timeout.connect(lambda: slow.append(True))
    wait_until(lambda: slow)
    composer.refresh_view()
    assert [row.state.detail for row in dock.composer.rows.rows] == before, "nobody draws them: a snapshot is taken"
    network.reset()
    composer.offline.cancel()
    composer.offline.take_snapshot(prepared)
    threading.Timer(0.5, go.set).start()
    wait_until(lambda: composer.map.chosen.snapshot is not None)
    assert moments == ["begins", "ends", "begins", "ends"]


def test_the_dialog_tells_the_cost_and_what_stands_in_the_way(network_dock, network, wait_until, tmp_path):
    dock = network_dock()
    fill(dock, wait_until)
    composer = dock.composer_controller
    composer.snapshots.ask_snapshot()
    dialog = composer.snapshots.dialog
    assert "3 requests" in dialog.estimate_label.text() and "MB" in dialog.estimate_label.text(
    ) and dialog.take_button.isEnabled()
    assert dialog.scales.text().startswith("1:")
    dialog.scales.setText("nothing")
    dialog.update_estimate()
    assert not dialog.take_button.isEnabled() and "1:10\u202f000" in dialog.estimate_label.text()
    dialog.scales.setText("500")
    dialog.area.setCurrentIndex(dialog.area.findData(SnapshotArea.WHOLE_BASE))
    settings.set("snapshot_requests", 50)
    dialog.update_estimate()
    assert not dialog.take_button.isEnabled()
    told = " ".join(label.text() for label in dialog.findings.widget().findChildren(type(dialog.estimate_label)))
    assert "limit is 50" in told or "thousands" in dialog.estimate_label.text()
    dialog.close()


def test_a_project_whose_snapshot_is_gone_offers_the_live_services(network, project, qtbot, wait_until):
    window = Window()
    qtbot.addWidget(window.window)
    live = wms(network.endpoints["guide"], "carreteras").source()
    project.clear()
    layer = QgsRasterLayer("GPKG:/nowhere/rasters.gpkg:layer_01", "Carreteras", "gdal")
    layer.setCustomProperty("cartoguide/live", live)
    layer.setCustomProperty("cartoguide/snapshot", layer.source())
    project.addMapLayer(layer)
    menu = SnapshotMenu(window, "Cartoguide", lambda _layers: False)
    menu.report_missing_snapshots()
    item, = window.bar.items()
    assert "Carreteras" in item.text() and "was not found" in item.text()
    button = next(button for button in item.findChildren(QPushButton) if "live" in button.text())
    button.click()
    wait_until(lambda: layer.isValid() and layer.providerType() == "wms", 30)
    menu.close()
    assert window.layer_actions == []


@pytest.mark.slow
def test_of_two_maps_that_are_being_opened_the_later_one_is_shown(network_dock, network, wait_until, tmp_path,
                                                                 monkeypatch):
    dock, package, file = network_dock(), tmp_path / "a.cartoguide.zip", tmp_path / "b.custommap.json"
    fill(dock, wait_until)
    composer, maps = dock.composer_controller, dock.map
    documents, offline = composer.documents, composer.offline
    take(dock, tmp_path / "kept", wait_until)
    offline.write_package(package)
    wait_until(lambda: package.is_file() and offline.can_take_snapshot)
    maps.commit(title="Otro", snapshot=None)
    documents.save_to(file)
    documents.new()
    monkeypatch.setattr(document_controller, "_READ_AT_ONCE", 0)

    def opened(title):
        wait_until(lambda: maps.title() == title and offline._job is None and not documents.opening, 30)

    def said(words):
        return [text for _, text in dock.messages.history if words in text]

    with monkeypatch.context() as held_here:
        unpacking = Held(held_here, snapshot_packages, "unpack_snapshot", lambda *_: True)
        reading = Held(held_here, document_controller, "_judged", lambda *_: True)
        offline.open_package(package)
        wait_until(unpacking.done.is_set)
        job = offline._job
        documents.open_file(file)
        wait_until(reading.done.is_set)
        unpacking.end()
        wait_until(lambda: job.has_ended and not job._running)
        reading.end()
        opened("Otro")
    assert said("Not opened, because another map was shown meanwhile: the package a.cartoguide.zip.")
    documents.new()
    with monkeypatch.context() as held_here:
        reading = Held(held_here, document_controller, "_judged", lambda *_: True)
        documents.open_file(file)
        wait_until(reading.done.is_set)
        job = documents._reading._job
        offline.open_package(package)
        reading.end()
        wait_until(lambda: not job._running)
        opened("Un mapa")
    documents.new()
    with monkeypatch.context() as held_here:
        packing = Held(held_here, snapshot_packages, "pack_snapshot", lambda *_: True)
        maps.undo_map()
        offline.write_package(tmp_path / "c.cartoguide.zip")
        wait_until(packing.done.is_set)
        offline.open_package(package)
        assert said("Not opened, because something else is under way: the package a.cartoguide.zip.")
        packing.end()
        wait_until(lambda: said("Saved as c.cartoguide.zip"))


@pytest.mark.slow
def test_a_package_prints_whole_where_there_is_no_server(network_dock, network, open_dock, wait_until, tmp_path,
                                                        monkeypatch):
    package = tmp_path / "out" / "un mapa.cartoguide.zip"
    package.parent.mkdir()
    with Network(remember=True) as own:
        monkeypatch.setattr(service_cache, "_shared", None, raising=False)
        settings.set("profile", str(own.profile_path))
        QgsProject.instance().setCrs(QgsCoordinateReferenceSystem("EPSG:25830"))
        dock = open_dock(before=lambda dock: setattr(dock.session, "services", service_cache.ServiceCache()))
        wait_until(lambda: dock.model.rowCount() == 3, 20)
        fill(dock, wait_until)
        take(dock, tmp_path / "kept", wait_until)
        layout_text = printed(dock, tmp_path / "live.pdf", wait_until)
        dock.composer_controller.offline.write_package(package)
        wait_until(package.is_file, 30)
        wait_until(lambda: not dock.composer.busy_row.isVisibleTo(dock), 10)
        assert "own layers" not in dock.messages.history[-1][1]
        points = own_points(tmp_path)
        QgsProject.instance().addMapLayer(points)
        dock.map.add_own_layer(points)
        dock.composer_controller.offline.write_package(tmp_path / "own.cartoguide.zip")
        wait_until(lambda: dock.messages.history[-1][0] == "warning", 30)
        assert f"does not contain the data of your own layers: “{points.name()}”" in dock.messages.history[-1][1]
        dock.close_down()
    shutil.rmtree(tmp_path / "kept")
    forget()
    # another machine: nothing of the former is there, and no server
    monkeypatch.setattr(service_cache, "_shared", None, raising=False)
    other = open_dock(before=lambda dock: setattr(dock.session, "services", service_cache.ServiceCache()))
    other.record_actions.records.open_dropped([str(package)], ())
    wait_until(lambda: len(on_map(other)) == 3 and not other.composer_controller.map.adding, 60)
    assert shows(other, "gdal") and (package.parent / "un mapa" / "snapshot.json").is_file()
    assert [item.entry.opacity for item in other.composer_controller.map.items] == [1.0, 0.5]
    assert printed(other, tmp_path / "off.pdf", wait_until) == layout_text
    assert "Consejería" in layout_text and "Autovía" in layout_text, "credits and legend"


def printed(dock, path: Path, wait_until) -> str:
    layouts: list[object] = []
    dock.composer_controller.exporter.build_layout(layouts.append)
    wait_until(lambda: layouts, 60)
    layout_export.export_pdf(layouts[0], path, 96)
    return pdf_text(path)
