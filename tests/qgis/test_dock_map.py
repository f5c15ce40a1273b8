"""From a record in the dock to credited layers, a layout and a file, against a real MapServer."""

from __future__ import annotations

import json
import time
from dataclasses import replace

import pytest
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsExpressionContextUtils,
    QgsLayoutItemLabel,
    QgsMimeDataUtils,
    QgsProject,
    QgsVectorLayer,
)
from qgis.gui import QgsMessageBar
from qgis.PyQt.QtCore import QRectF, Qt, QTimer
from qgis.PyQt.QtGui import QGuiApplication
from qgis.PyQt.QtWidgets import QApplication, QPushButton, QWidget

from plugin.app.maps.map_document import ExtentMode
from plugin.app.maps.map_state import AddMode, LayerChoice, MapItem, ServiceRemedy
from plugin.app.phrases import record_title
from plugin.app.records.dock_session import ServiceStatus
from plugin.core.custommap.map_findings import MapFinding
from plugin.core.custommap.model import MapExtent, MapRole, Orientation, PageSetup, Plan
from plugin.core.errors import CartoguideError
from plugin.core.publication.map_files import map_document, read_map_file
from plugin.core.records import read
from plugin.core.review.checks.rules import Severity
from plugin.core.snapshot.snapshot_sources import with_absolute_paths
from plugin.core.trust.provenance import Trust
from plugin.gis.credits.layer_credits import layer_credit
from plugin.gis.export.layout_export import ExportedMap, ExportFormat
from plugin.gis.layouts.layout_items import edited_layout, forget_edited_layouts, note_saved_layouts
from plugin.gis.own_layers.provenance import recognised
from plugin.gis.pages.layout_builder import build_layout
from plugin.gis.runtime import settings
from plugin.gis.services import map_addresses
from plugin.ui.service.add_layers_dialog import AddLayersDialog
from plugin.ui.widgets.drag_and_drop import RecordDropHandler
from plugin.ui.widgets.messages import InlineMessage
from tests.qgis.print_maps import pdf_text
from tests.slowness import LoopWatch

PARK = MapExtent(-3.5966, 38.3295, -3.4233, 38.4306)


@pytest.fixture
def dock(network_dock):
    return network_dock()


def choose(dock, word):
    row = next(row for row in range(dock.model.rowCount()) if word in dock.model.index(row).data())
    dock.list.setCurrentIndex(dock.model.index(row))
    dock.pages.open_record()


def items(dock):
    return dock.composer_controller.map.items


def added(dock, wait_until, word, how=AddMode.ADD, count=1):
    choose(dock, word)
    dock.map_additions.add_selected(how)
    wait_until(lambda: len(items(dock)) == count and not dock.composer_controller.map.adding, 60)


def group(dock):
    nodes = QgsProject.instance().layerTreeRoot().children()
    return next(node for node in nodes if node.customProperty("cartoguide/map"))


def tree(dock):
    """The layers of the map's group, top first."""
    return [node.layer() for node in group(dock).findLayers()]


@pytest.fixture
def whole(dock, wait_until):
    """The park guide as base and the facilities above it, with all their layers."""
    added(dock, wait_until, "Despeñaperros", AddMode.AS_BASE, 1)
    added(dock, wait_until, "quipamientos", AddMode.AS_OVERLAY, 2)
    wait_until(lambda: len(dock.composer.rows.rows) == 2, 5)
    return dock


@pytest.fixture
def both(dock, wait_until):
    """As ``whole``, with a few layers of each."""
    few(dock, wait_until, "Despeñaperros", "base", 1)
    few(dock, wait_until, "quipamientos", "overlay", 2)
    wait_until(lambda: len(dock.composer.rows.rows) == 2, 5)
    return dock


def few(dock, wait_until, word, role, count):
    row = next(row for row in range(dock.model.rowCount()) if word in dock.model.index(row).data())
    record = dock.session.record(dock.model.hit(row).identifier)
    endpoint = dock.session.endpoint(record)
    dock.session.load_service(endpoint)
    service = wait_until(lambda: dock.session.services.get(endpoint), 30)
    names = tuple(layer.name for layer in service.iter_layers() if layer.name and not layer.layers)[:3]
    dock.map.add(record, endpoint, LayerChoice(names, ("",) * 3, role=MapRole(role)))
    wait_until(lambda: len(items(dock)) == count and not dock.composer_controller.map.adding, 60)


# -- the live service


def test_the_service_tab_asks_once_and_shows_what_it_heard(dock, network, wait_until):
    choose(dock, "quipamientos")
    dock.view.tabs.setCurrentWidget(dock.view.service)
    wait_until(lambda: "Loaded at" in dock.view.service.state.text_label.text(), 30)
    assert len(dock.view.service.layers.model.requestable_nodes()) >= 8
    assert "Gratuito" in dock.view.service.about.toPlainText()
    assert "6 entries" in dock.view.service.operations.list_view.toPlainText()
    choose(dock, "Despeñaperros")
    choose(dock, "quipamientos")
    assert "Loaded at" in dock.view.service.state.text_label.text()
    assert network.count("GetCapabilities", "facilities") == 1


def test_a_hanging_service_never_holds_the_window_and_can_be_given_up(dock, network, qtbot, wait_until):
    network.fault({"match": {"request": "GetCapabilities"}, "action": {"type": "hang"}})
    watch = LoopWatch(0.005)
    beat = QTimer()
    beat.timeout.connect(watch.tick)
    choose(dock, "quipamientos")
    dock.view.tabs.setCurrentWidget(dock.view.service)
    wait_until(lambda: network.count("GetCapabilities"))
    watch.start()
    beat.start(5)
    end = time.monotonic() + 1.5
    wait_until(lambda: time.monotonic() > end)
    beat.stop()
    assert watch.longest < 1.0
    assert dock.view.service.state.progress_bar.isVisible()
    qtbot.mouseClick(dock.view.service.state.button, Qt.MouseButton.LeftButton)
    assert not dock.view.service.state.progress_bar.isVisible()
    assert "Cancelled" in dock.view.service.state.text_label.text()
    # also where it is given up elsewhere, and where its map and its button were waiting
    dock.map_additions.add_selected(AddMode.ADD)
    wait_until(lambda: "Contacting" in dock.view.service.state.text_label.text())
    dock.map_additions.cancel()
    assert "Cancelled" in dock.view.service.state.text_label.text()
    assert "No map" in dock.view.preview.text and "Cancelled" in dock.view.add_bar.reason.accessibleName()
    assert dock.view.add_bar.button.isEnabled() and dock.view.add_bar.button.text() == "Add to map"
    assert not dock.messages.history, "the person knows that"


def test_a_refusing_service_says_why_and_can_be_asked_again(dock, network, qtbot, wait_until):
    network.fault({"match": {"request": "GetCapabilities"}, "action": {"type": "status", "code": 500}})
    choose(dock, "quipamientos")
    dock.view.tabs.setCurrentWidget(dock.view.service)
    wait_until(lambda: dock.view.service.state.button.text() == "Try again", 30)
    assert dock.view.service.state.details.isVisible()
    network.reset()
    qtbot.mouseClick(dock.view.service.state.button, Qt.MouseButton.LeftButton)
    wait_until(lambda: "Loaded at" in dock.view.service.state.text_label.text(), 30)


def test_a_dataset_s_record_adds_the_layer_that_its_link_names(dock, network, wait_until):
    [record] = read(network.dataset_record.read_bytes(), "dataset.xml")
    endpoint = network.endpoints["guide"]
    named = replace(record, online=tuple(replace(link, name="carreteras") if link.url == endpoint else link
                                         for link in record.online))
    dock.map_additions.add_record(named, endpoint, AddMode.ADD)
    wait_until(lambda: items(dock) and not dock.composer_controller.map.adding and not dock.map_additions.pending, 60)
    (item,) = items(dock)
    assert list(item.layer_ids) == ["carreteras"] and item.entry.record_id == record.id
    dock.map_additions.add_record(record, endpoint, AddMode.AS_OVERLAY)
    wait_until(lambda: len(items(dock)[0].layer_ids) > 5 and not dock.composer_controller.map.adding, 60)


@pytest.mark.parametrize(("identifiers", "titles"), [
    (("roads", "paths"), ("Caminos", "Caminos")), ((None, None), ("roads", "paths")),
    ((None, None), ("Caminos", "Caminos")), (("roads", None), ("Caminos", "Caminos")),
    ((None, "paths"), ("roads", "paths"))])
def test_two_records_of_one_service_are_both_credited(dock, network, wait_until, identifiers, titles):
    """A dataset's record may ask for another credit than the one that is on the map already."""
    [record] = read(network.dataset_record.read_bytes(), "dataset.xml")
    endpoint = network.endpoints["guide"]

    def dataset(identifier, title, layer, credit):
        return replace(record, id=identifier, title=title, constraint_groups=(), use_limitations=(f"Source: {credit}",),
                       online=tuple(replace(link, name=layer) if link.url == endpoint else link
                                    for link in record.online))

    for described in zip(identifiers, titles, ("carreteras", "senderos"), ("Office of Roads", "Path Survey")):
        dock.map_additions.add_record(dataset(*described), endpoint, AddMode.AS_OVERLAY)
        wait_until(lambda: not dock.composer_controller.map.adding and not dock.map_additions.pending, 60)
    assert sorted(name for item in items(dock) for name in item.layer_ids) == ["carreteras", "senderos"]
    assert [item.entry.title for item in items(dock)] == list(titles)
    dock.composer_controller.refresh_view()
    shown = dock.composer.credits.text()
    assert "Office of Roads" in shown and "Path Survey" in shown


def test_adding_from_a_service_that_fails_gives_one_message_and_no_layer(dock, network, wait_until):
    network.fault({"match": {"request": "GetCapabilities"}, "action": {"type": "status", "code": 503}})
    choose(dock, "quipamientos")
    dock.map_additions.add_selected(AddMode.ADD)
    wait_until(lambda: dock.messages.history, 60)
    assert [level for level, _ in dock.messages.history] == ["error"]
    assert QgsProject.instance().mapLayers() == {}
    assert dock.view.add_bar.button.isEnabled()
    assert dock.note.isVisibleTo(dock)
    network.reset()
    dock.session.load_service(dock.session.endpoint(dock.view.record), True)
    wait_until(lambda: not dock.note.isVisibleTo(dock), 30)


# -- adding


def test_what_was_added_is_said_and_opened_once_it_is_shown(dock, wait_until):
    """The words of an empty map stood beside the message that its layers were added."""
    seen = []
    composer, control = dock.composer, dock.composer_controller

    def note(what):
        seen.append((what, composer.empty.isHidden(), len(composer.rows.rows), bool(composer.credits.text())))

    control.map_opened.connect(lambda: note("opened"))
    notify = control._notifier.notify
    control._notifier.notify = lambda *given, **named: (note("said"), notify(*given, **named))
    few(dock, wait_until, "Despeñaperros", "base", 1)
    wait_until(lambda: len(seen) == 2, 30)
    assert seen == [("said", True, 1, True), ("opened", True, 1, True)]
    assert any("3 layers added" in text for _level, text in dock.messages.history)


def test_base_and_overlay_are_valid_credited_and_in_order(whole):
    layers = tree(whole)
    assert all(layer.isValid() for layer in layers)
    assert {layer.crs().authid() for layer in layers} == {"EPSG:25830"}
    endpoints = ["equipamientos" in layer.source() for layer in layers]
    assert endpoints == sorted(endpoints, reverse=True)
    assert True in endpoints
    assert False in endpoints
    credits = {layer_credit(layer) for layer in layers}
    assert len(credits) == 2
    assert all("Junta de Andalucía" in credit for credit in credits)
    shown = whole.composer.credits.text()
    assert all(credit in shown for credit in credits)


def test_an_empty_project_in_degrees_becomes_a_map_in_metres(dock, wait_until):
    QgsProject.instance().setCrs(QgsCoordinateReferenceSystem("EPSG:4326"))
    few(dock, wait_until, "quipamientos", "overlay", 1)
    assert {layer.crs().authid() for layer in tree(dock)} == {"EPSG:25830"}
    assert QgsProject.instance().crs().authid() == "EPSG:25830"


def test_the_network_says_in_which_system_an_empty_project_begins(dock, network, wait_until, tmp_path):
    own = json.loads(network.profile_path.read_text(encoding="utf-8"))
    own["crs"], own["records"] = "EPSG:3857", []
    path = tmp_path / "own.json"
    path.write_text(json.dumps(own), encoding="utf-8")
    settings.set("profile", str(path))
    dock.session.apply_settings(["profile"])
    QgsProject.instance().clear()
    QgsProject.instance().setCrs(QgsCoordinateReferenceSystem("EPSG:4326"))
    assert dock.composer_controller.map.crs() == "EPSG:3857"


def test_a_project_with_layers_keeps_its_system_and_what_is_moved_moves_in_it(both, wait_until):
    QgsProject.instance().setCrs(QgsCoordinateReferenceSystem("EPSG:4326"))
    few(both, wait_until, "recipitaci", "overlay", 3)
    assert [item.entry.title.split()[0] for item in items(both)] == ["Mapa", "Precipitación", "Equipamientos"]
    # those that were there are requested in it a moment after the project has it
    wait_until(lambda: {layer.crs().authid() for layer in tree(both)} == {"EPSG:4326"}
               and not both.composer_controller.map.adding)
    assert QgsProject.instance().crs().authid() == "EPSG:4326"
    facilities = items(both)[2]
    assert tree(both)[0].id() in facilities.layer_ids.values()
    before = len(QgsProject.instance().mapLayers())
    both.composer_controller.map.move(2, 1)
    assert tree(both)[0].id() not in facilities.layer_ids.values()
    assert len(QgsProject.instance().mapLayers()) == before
    assert len(tree(both)) == before


def test_a_record_dropped_on_the_map_is_added_with_its_credit(dock, wait_until):
    wait_until(lambda: dock.model.rowCount() == 3, 10)
    handler = RecordDropHandler(dock.add_dropped)
    row = next(row for row in range(3) if "guía" in dock.model.hit(row).title)
    data = dock.model.mimeData([dock.model.index(row)])
    uri, = QgsMimeDataUtils.decodeUriList(data)
    assert uri.providerKey == handler.customUriProviderKey()
    assert handler.canHandleCustomUriCanvasDrop(uri, None)
    assert handler.handleCustomUriCanvasDrop(uri, None)
    wait_until(lambda: len(items(dock)) == 1 and not dock.composer_controller.map.adding, 60)
    assert items(dock)[0].entry.credit.line
    assert all(layer.isValid() for layer in tree(dock))


def test_two_services_asked_for_at_once_both_arrive(dock, wait_until):
    choose(dock, "Despeñaperros")
    dock.map_additions.add_selected(AddMode.AS_BASE)
    choose(dock, "quipamientos")
    dock.map_additions.add_selected(AddMode.AS_OVERLAY)
    assert dock.view.add_bar.progress_bar.isVisible()
    wait_until(lambda: len(items(dock)) == 2 and not dock.composer_controller.map.adding, 60)
    assert [item.role for item in items(dock)] == [MapRole.BASE, MapRole.OVERLAY]
    assert not dock.view.add_bar.progress_bar.isVisible()


def test_chosen_layers_come_alone_and_replace_those_before(dock, qtbot, wait_until):
    added(dock, wait_until, "quipamientos")
    dock.map_additions.add_selected(AddMode.CHOOSE)
    dialog = next(child for child in dock.findChildren(AddLayersDialog))
    assert len(dialog.choice().layers) == len(items(dock)[0].entry.layers)
    qtbot.mouseClick(dialog.none, Qt.MouseButton.LeftButton)
    dialog.search.setText("mirador")
    dialog.model.set_checked(
        [leaf.layer.name for leaf in dialog.model.requestable_nodes() if "irador" in leaf.layer.title])
    dialog.add.click()
    wait_until(lambda: len(tree(dock)) == 1, 60)
    assert "Mirador" in tree(dock)[0].name()
    assert len(items(dock)) == 1


def test_a_large_service_lets_its_layers_be_chosen_first(dock, wait_until, monkeypatch):
    monkeypatch.setattr("plugin.core.custommap.service_use.MAX_LAYERS_ADDED_UNASKED", 5)
    choose(dock, "quipamientos")
    dock.map_additions.add_selected(AddMode.ADD)
    dialog = wait_until(lambda: next(iter(dock.findChildren(AddLayersDialog)), None), 30)
    assert len(dialog.model.requestable_nodes()) >= 8
    assert QgsProject.instance().mapLayers() == {}
    dialog.close()


# -- composing


def test_what_is_done_to_the_map_reaches_the_project_and_what_is_taken_out_there_leaves_the_map(both, wait_until):
    def row():
        # what comes of the services meanwhile may have made the rows anew
        return next(row for row in both.composer.rows.rows if row.state.role is MapRole.OVERLAY)

    row().slider.setValue(40)
    overlay = both.composer_controller.map.items[1]
    layer = QgsProject.instance().mapLayer(next(iter(overlay.layer_ids.values())))
    wait_until(lambda: layer.opacity() == pytest.approx(0.4), 5)
    row().visibility_check_box.setChecked(False)
    assert not group(both).findLayer(layer.id()).isVisible()
    wait_until(lambda: "quipamientos" not in both.composer.credits.text(), 5)
    both.composer_controller.map.set_role(1, MapRole.BASE)
    assert [item.role for item in items(both)] == [MapRole.BASE, MapRole.OVERLAY]
    assert "equipamientos" in tree(both)[-1].source()
    both.map.undo()
    both.composer_controller.map.remove(1)
    assert not any("equipamientos" in layer.source() for layer in tree(both))
    wait_until(lambda: both.compose_dock.windowTitle() == "Custom map (1)", 5)
    both.note.details.click()
    wait_until(lambda: len(items(both)) == 2 and not both.composer_controller.map.adding, 60)
    assert any("equipamientos" in layer.source() for layer in tree(both))
    overlay = both.composer_controller.map.items[1]
    QgsProject.instance().removeMapLayers(list(overlay.layer_ids.values()))
    wait_until(lambda: both.compose_dock.windowTitle() == "Custom map (1)", 5)
    QgsProject.instance().clear()
    wait_until(lambda: both.compose_dock.windowTitle() == "Custom map", 5)
    assert items(both) == []


# -- documents


def test_a_saved_map_opens_as_it_was_also_dropped_with_a_dead_service_or_all_layers_and_a_bad_one_is_told(
        both, wait_until, tmp_path):
    maps = both.composer_controller.map
    maps.set_title("Mapa de prueba")
    maps.set_opacity(1, 0.5)
    maps.commit(extent_mode=ExtentMode.CUSTOM, extent=PARK, scale=50000.0,
                page=PageSetup("A3", Orientation.PORTRAIT, "guide"))
    path = tmp_path / "prueba.custommap.json"
    both.composer_controller.documents.save_to(path)
    written = maps.document()
    names = [layer.name() for layer in tree(both)]
    QgsProject.instance().clear()
    QgsProject.instance().setCrs(QgsCoordinateReferenceSystem("EPSG:25830"))
    both.composer_controller.documents.open_file(path)
    wait_until(lambda: len(items(both)) == 2 and not maps.adding, 60)
    assert maps.document() == written
    assert [layer.name() for layer in tree(both)] == names
    assert {round(layer.opacity(), 2) for layer in tree(both)} == {1.0, 0.5}
    assert both.composer.title.text() == "Mapa de prueba"
    assert both.composer.page.summary.text().startswith("A3 portrait · 1:50\u202f000")
    # dropped
    QgsProject.instance().clear()
    wait_until(lambda: items(both) == [], 5)
    both.record_actions.records.open_dropped([str(path)], [])
    wait_until(lambda: len(items(both)) == 2 and not both.composer_controller.map.adding, 60)
    # one that cannot be read
    bad = tmp_path / "bad.custommap.json"
    for content, expected in ((b"", "empty"), (b"{}", "not a custom map"), (b"[1", "")):
        bad.write_bytes(content)
        before = len(both.messages.history)
        both.composer_controller.documents.open_file(bad)
        assert len(both.messages.history) == before + 1
        assert both.messages.history[-1][0] == "error"
        assert expected in both.messages.history[-1][1]
        assert len(items(both)) == 2
    # one whose service is gone
    text = json.loads(path.read_text(encoding="utf-8"))
    text["overlays"][0]["endpoint"] = "http://127.0.0.1:9/gone?"
    text["overlays"][0]["record_id"] = "f" * 40
    other = tmp_path / "otra.custommap.json"
    other.write_text(json.dumps(text), encoding="utf-8")
    QgsProject.instance().clear()
    both.composer_controller.documents.open_file(other)
    wait_until(lambda: len(items(both)) == 2 and not both.composer_controller.map.adding, 60)
    credit = text["overlays"][0]["credit"]["line"]
    wait_until(lambda: credit in both.composer.credits.text(), 5)
    assert any("missing from the map" in finding.message for finding in both.composer.findings.findings)
    assert both.composer_controller.map.document().overlays[0].credit.line == credit
    # one that means all layers of a service
    text = json.loads(path.read_text(encoding="utf-8"))
    text["overlays"] = []
    text["base"]["layers"], text["base"]["styles"] = [], []
    other.write_text(json.dumps(text), encoding="utf-8")
    QgsProject.instance().clear()
    both.composer_controller.documents.open_file(other)
    wait_until(lambda: len(items(both)) == 1 and not both.composer_controller.map.adding, 60)
    assert len(tree(both)) == len(items(both)[0].layer_ids) > 5


def test_save_asks_for_a_file_once_and_never_overwrites_another_map(both, wait_until, tmp_path, monkeypatch):
    documents, maps, save = both.composer_controller.documents, both.composer_controller.map, both.composer.save
    asked, answers = [], [tmp_path / "first.custommap.json", tmp_path / "second.custommap.json", None]
    monkeypatch.setattr(both.prompts, "save_file", lambda *_, **__: asked.append(1) or answers[len(asked) - 1])
    save.click()
    maps.set_title("Parque")
    save.click()
    first = answers[0]
    assert len(asked) == 1 and json.loads(first.read_text(encoding="utf-8"))["title"] == "Parque"
    assert first.name in save.toolTip()
    save.menu().actions()[1].trigger()
    assert len(asked) == 2 and answers[1].read_bytes() == first.read_bytes() and documents.file == answers[1]
    both.composer.more.click()
    assert not items(both) and documents.file is None and "second" not in save.toolTip()
    both.composer.empty.recent[1].click()
    assert documents.file == first
    wait_until(lambda: len(items(both)) == 2 and not maps.adding, 60)
    documents.new()
    both.note.details.click()
    wait_until(lambda: len(items(both)) == 2 and not maps.adding, 60)
    assert documents.file == first, "undone, the map has its file again"
    QgsProject.instance().clear()
    assert documents.file is None
    documents.save()
    assert len(asked) == 3, "a map of another project asks"


def test_a_map_out_of_a_picture_is_not_saved_into_the_picture(both, wait_until, tmp_path, monkeypatch):
    documents = both.composer_controller.documents
    picture = tmp_path / "map.png"
    documents.save_to(tmp_path / "map.custommap.json")
    document = map_document(tmp_path / "map.custommap.json")
    monkeypatch.setattr("plugin.app.maps.document_controller.map_document", lambda _path: document)
    picture.write_bytes(b"a picture")
    documents.open_file(picture)
    wait_until(lambda: len(items(both)) == 2 and not both.composer_controller.map.adding, 60)
    monkeypatch.setattr(both.prompts, "save_file", lambda *_, **__: None)
    documents.save()
    assert documents.file is None and picture.read_bytes() == b"a picture"


def test_a_document_keeps_its_language_and_its_system_in_an_empty_project(both, wait_until, tmp_path):
    path = tmp_path / "prueba.custommap.json"
    both.composer_controller.documents.save_to(path)
    text = json.loads(path.read_text(encoding="utf-8"))
    text["language"], text["crs"] = "es", "EPSG:3857"
    path.write_text(json.dumps(text), encoding="utf-8")
    QgsProject.instance().clear()
    QgsProject.instance().setCrs(QgsCoordinateReferenceSystem("EPSG:4326"))
    both.composer_controller.documents.open_file(path)
    maps = both.composer_controller.map
    wait_until(lambda: len(items(both)) == 2 and not maps.adding, 60)
    assert (maps.document().language, maps.document().crs) == ("es", "EPSG:3857")
    assert QgsProject.instance().crs().authid() == "EPSG:3857"
    assert maps.plan().language == "es"
    wait_until(lambda: both.composer.page.language.currentData() == "es", 5)
    both.composer.page.language.setCurrentIndex(both.composer.page.language.findData("en"))
    assert maps.document().language == "en"


# -- printing


def test_the_layout_is_built_and_carries_the_credits(both, wait_until):
    both.map.commit(extent_mode=ExtentMode.CUSTOM, extent=PARK)
    both.composer_controller.exporter.open_layout()
    assert both.composer.busy_row.isVisible()
    wait_until(lambda: both.composer_controller.exporter.layout is not None and not both.composer.busy_row.isVisible(),
               90)
    layout = both.composer_controller.exporter.layout
    text = layout.itemById("credits").currentText()
    assert all(layer_credit(layer) in text for layer in tree(both))
    assert layout in QgsProject.instance().layoutManager().printLayouts()


def test_a_png_is_exported_whole_or_not_at_all(both, network, wait_until, tmp_path, qtbot):
    settings.set("export_dpi", 96)
    both.map.commit(extent_mode=ExtentMode.CUSTOM, extent=PARK)
    network.fault({"match": {"request": "GetMap", "endpoint": "facilities"},
                   "action": {"type": "status", "code": 500}})
    both.composer_controller.exporter.export("png", tmp_path / "map.png")
    wait_until(lambda: any(level == "warning" and "not exported" in text for level, text in both.messages.history), 120)
    assert list(tmp_path.iterdir()) == []
    network.reset()
    with qtbot.waitSignal(both.composer_controller.exporter.finished, timeout=120_000):
        both.composer_controller.exporter.export("png", tmp_path / "map.png")
    assert (tmp_path / "map.png").stat().st_size > 20_000
    assert "Exported as map.png" in both.messages.history[-1][1]
    with qtbot.waitSignal(both.composer_controller.exporter.finished, timeout=120_000):
        both.composer_controller.exporter.export("png", tmp_path / "stamped.png", stamp=True)
    assert both.messages.history[-1][1] == (
        "Exported as stamped.png. Nothing is missing on the map, so that it has no stamp.")


def test_an_export_without_a_legend_is_tried_again_from_its_message(both, network, wait_until, tmp_path):
    settings.set("export_dpi", 96)
    both.map.commit(extent_mode=ExtentMode.CUSTOM, extent=PARK)
    network.fault({"match": {"request": "GetLegendGraphic"}, "action": {"type": "status", "code": 500}})
    both.composer_controller.exporter.export("png", tmp_path / "map.png")
    wait_until(lambda: "The legend of" in both.messages.history[-1][1], 120)
    assert not (tmp_path / "map.png").exists() and both.note.details.text() == "Try again"
    network.reset()
    both.note.details.click()
    wait_until(lambda: (tmp_path / "map.png").exists(), 120)


def test_what_somebody_edited_in_the_layout_is_kept_and_can_be_exported(both, wait_until, tmp_path, qtbot):
    settings.set("export_dpi", 96)
    both.map.commit(extent_mode=ExtentMode.CUSTOM, extent=PARK)
    exporter = both.composer_controller.exporter
    exporter.open_layout()
    wait_until(lambda: exporter.layout is not None and not both.composer.busy_row.isVisible(), 90)
    edited = exporter.layout
    label = QgsLayoutItemLabel(edited)
    label.setText("Cerrado en julio")
    edited.addLayoutItem(label)
    label.attemptSetSceneRect(QRectF(60, 60, 60, 10))
    with qtbot.waitSignal(exporter.finished, timeout=120_000):
        exporter.export(ExportFormat.PDF, tmp_path / "map.pdf")
    assert "Cerrado" not in pdf_text(tmp_path / "map.pdf")
    assert f"What was edited in the layout “{edited.name()}” is not in it." in both.messages.history[-1][1]
    assert both.messages.history[-1][0] == "warning"
    exporter._prompts.save_file = lambda *_, **__: tmp_path / "edited.pdf"
    button, = (button for button in both.note.more_buttons if button.text() == "Export the edited layout…")
    with qtbot.waitSignal(exporter.finished, timeout=120_000):
        button.click()
    assert "Cerrado en julio" in pdf_text(tmp_path / "edited.pdf")
    assert both.messages.history[-1] == ("success", "Exported as edited.pdf.")
    # an export that is under way keeps its map, of which the edited layout has none
    done = []
    title = both.map.title()

    def export_meanwhile():
        exporter.export_edited(edited, ExportFormat.PDF, tmp_path / "again.pdf")
        both.map.set_title("Otro")

    meanwhile = exporter.built.connect(lambda _notes: export_meanwhile())
    exporter.finished.connect(done.append)
    exporter.export(ExportFormat.PDF, tmp_path / "map.pdf")
    wait_until(lambda: len(done) == 2, 120)
    exporter.built.disconnect(meanwhile)
    assert read_map_file(tmp_path / "map.pdf").title == title and (tmp_path / "again.pdf").exists()
    few(both, wait_until, "recipitación", "overlay", 3)
    with qtbot.waitSignal(exporter.finished, timeout=120_000):
        exporter.export_edited(edited, ExportFormat.PDF, tmp_path / "edited.pdf")
    assert "It lacks what was added meanwhile: “Precipitación" in both.messages.history[-1][1]
    # the edited one may be removed while the images of another are requested
    exporter.built.connect(lambda _notes: both.map.project.layoutManager().removeLayout(edited))
    with qtbot.waitSignal(exporter.finished, timeout=120_000):
        exporter.export(ExportFormat.PDF, tmp_path / "last.pdf")
    assert "last.pdf" in both.messages.history[-1][1] and "edited" not in both.messages.history[-1][1]


def test_a_variable_that_somebody_gives_a_layout_is_an_edit_and_is_kept(project, tmp_path):
    plan = Plan("Park", "EPSG:25830", (), extent=PARK.box, page=PageSetup())

    def built():
        return build_layout(project, plan, [], name="Park")

    assert built() is not None
    first = built()
    assert [one.name() for one in project.layoutManager().printLayouts()] == ["Park"]
    QgsExpressionContextUtils.setLayoutVariable(first, "closed_in", "julio")
    assert edited_layout(built()) is first
    assert sorted(one.name() for one in project.layoutManager().printLayouts()) == ["Park", "Park (2)"]
    project.writeProject.connect(lambda: note_saved_layouts(project))
    assert project.write(str(tmp_path / "park.qgz")) and project.read(str(tmp_path / "park.qgz"))
    forget_edited_layouts(project)
    built()
    assert project.layoutManager().layoutByName("Park").customProperty("variableNames").count("closed_in") == 1
    assert sorted(one.name() for one in project.layoutManager().printLayouts()) == ["Park", "Park (2)"]


def test_the_message_of_an_export_gives_way_to_that_of_the_next(dock, qtbot, tmp_path):
    window = QWidget()
    qtbot.addWidget(window)
    bar = dock.map_messages._bar = QgsMessageBar(window)
    for name in ("first.pdf", "second.pdf"):
        dock.composer_controller.exporter.finished.emit(ExportedMap([tmp_path / name], 1.0, 1, 1))
    assert [item.text() for item in bar.items()] == ["Exported as second.pdf."]


def test_what_the_window_of_a_layout_says_of_a_map_ends_with_the_map(both, wait_until, qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    bar = QgsMessageBar(window)
    both.map.commit(extent_mode=ExtentMode.CUSTOM, extent=PARK)
    wait_until(lambda: both.composer.findings.findings)
    former = len(both.composer.findChildren(InlineMessage))
    panel = both.composer.findings
    panel.show_findings([MapFinding("note", Severity.NOTE, "Small letters.", "")])
    both.composer_controller.exporter.opened.emit(bar)
    assert not bar.items(), "notes are no warning"
    panel.show_findings([MapFinding("wrong", Severity.WARNING, "Wrong.", "")])
    both.composer_controller.exporter.opened.emit(bar)
    assert "Issues of this map" in bar.items()[0].text()
    assert len(both.composer.findChildren(InlineMessage)) == former
    both.composer_controller.documents.leaving.emit()
    assert not bar.items(), "its button would lead to another map, or to a dock that is deleted"


@pytest.mark.parametrize("mode", [AddMode.ADD, AddMode.PROJECT_ONLY])
def test_what_could_not_be_added_is_added_by_the_button_of_its_message(dock, network, wait_until, mode):
    settings.set("retries", 0)
    network.fault({"match": {"request": "GetCapabilities"}, "action": {"type": "status", "code": 500}})
    row = next(row for row in range(dock.model.rowCount()) if "quipamientos" in dock.model.index(row).data())
    record = dock.session.record(dock.model.hit(row).identifier)
    dock.map_additions.add_record(record, dock.session.endpoint(record), mode)
    wait_until(lambda: "is not added" in dock.note.text_label.text())
    assert dock.note.details.text() == "Try again"
    dock.note.details.click()
    wait_until(lambda: not dock.map.arrivals.pending and dock.note.isVisible())
    assert "is not added" in dock.note.text_label.text() and dock.note.details.text() == "Try again"
    network.reset()
    dock.note.details.click()
    wait_until(lambda: QgsProject.instance().mapLayers() and not dock.map.arrivals.pending)
    assert len(items(dock)) == (mode is AddMode.ADD)
    assert not dock.messages.not_added() and not dock.map_messages.not_added()


def test_layers_that_could_not_be_made_are_made_by_the_button_of_the_message(dock, network, wait_until, monkeypatch):
    row = next(row for row in range(dock.model.rowCount()) if "quipamientos" in dock.model.index(row).data())
    record = dock.session.record(dock.model.hit(row).identifier)
    endpoint = dock.session.endpoint(record)
    dock.session.load_service(endpoint)
    wait_until(lambda: dock.session.services.get(endpoint) is not None)
    settle = map_addresses.settle_addresses

    def fail(*_given):
        raise CartoguideError("The disk is full.")

    monkeypatch.setattr(map_addresses, "settle_addresses", fail)
    dock.map.add(record, endpoint, replace(LayerChoice.of_names(["miradores"]), crs="EPSG:4326"))
    wait_until(lambda: "is not added: The disk is full." in dock.note.text_label.text())
    monkeypatch.setattr(map_addresses, "settle_addresses", settle)
    dock.note.details.click()
    wait_until(lambda: len(items(dock)) == 1 and not dock.map.arrivals.pending)
    layer, = tree(dock)
    assert layer.crs().authid() == "EPSG:4326", "in the CRS that was chosen"


def test_a_legend_that_its_service_does_not_offer_is_missed_in_the_message_of_the_export(dock, tmp_path):
    note = "The legend of “Miradores” (Equipamientos) is missing: The server reported an error (500)."
    dock.composer_controller.exporter.finished.emit(
        ExportedMap([tmp_path / "map.pdf"], 1.0, 1, 1, without_legend=(note,)))
    assert dock.messages.history[-1] == ("warning", f"Exported as map.pdf. {note}")


def test_one_message_says_that_a_file_is_there_and_what_is_wrong_with_its_images(both, network, wait_until, tmp_path):
    settings.set("export_dpi", 96)
    both.map.commit(extent_mode=ExtentMode.CUSTOM, extent=PARK)
    network.fault({"match": {"request": "GetMap", "endpoint": "facilities"},
                   "action": {"type": "picture", "colour": "transparent"}})
    before, done = len(both.messages.history), []
    both.composer_controller.exporter.finished.connect(done.append)
    both.composer_controller.exporter.export("png", tmp_path / "map.png")
    wait_until(lambda: done, 120)
    assert both.messages.history[before:] == [(
        "warning", "Exported as map.png. 1 warning about its images: Equipamientos de uso público de Andalucía: "
                   "Draws nothing here at this scale: its image is empty.")]
    assert [both.note.details.text(), *(button.text() for button in both.note.more_buttons)] == ["Open", "Details…"]


def test_nothing_else_can_be_made_while_a_file_is_drawn(both, wait_until, tmp_path):
    settings.set("export_dpi", 96)
    both.map.commit(extent_mode=ExtentMode.CUSTOM, extent=PARK)
    exporter, composer, seen, done = both.composer_controller.exporter, both.composer, [], []
    show_progress = exporter._show_progress

    def see(_percent):
        # the window is shown a moment after the first step
        window = QApplication.activeModalWidget()
        if window is not None:
            seen.append((composer.export.isEnabled(), composer.layout_button.isEnabled(),
                         composer.findings.check.isVisible(), composer.busy_label.text(),
                         composer.cancel_button.isVisible(), composer.busy_bar.isVisible(),
                         window.findChild(QPushButton).text()))

    def watched(name, feedback):
        feedback.progressChanged.connect(see)
        return show_progress(name, feedback)

    exporter._show_progress = watched
    exporter.finished.connect(done.append)
    exporter.export("png", tmp_path / "map.png")
    wait_until(lambda: done, 120)
    # one display of progress, and one Cancel
    assert set(seen[1:]) == {(False, False, False, "Drawing map.png…", False, False, "Cancel")}
    wait_until(lambda: composer.export.isEnabled() and composer.layout_button.isEnabled(), 10)
    assert composer.findings.check.isVisible() and not composer.busy_row.isVisible()
    composer.show_busy("Requesting…")
    assert composer.cancel_button.isVisible() and composer.busy_bar.isVisible()


def test_an_export_after_a_failed_addition_says_what_the_map_lacks(both, network, wait_until, tmp_path):
    settings.set("export_dpi", 96)
    both.map.commit(extent_mode=ExtentMode.CUSTOM, extent=PARK)
    network.fault({"match": {"request": "GetCapabilities"}, "action": {"type": "status", "code": 500}})
    row = next(row for row in range(both.model.rowCount()) if "recipitación" in both.model.index(row).data())
    record = both.session.record(both.model.hit(row).identifier)
    both.map_additions.add_record(record, both.session.endpoint(record), AddMode.ADD)
    wait_until(lambda: any("is not added" in text for _, text in both.messages.history), 60)
    network.reset()
    done = []
    both.composer_controller.exporter.finished.connect(done.append)
    both.composer_controller.exporter.export("png", tmp_path / "map.png")
    wait_until(lambda: done, 120)
    title = record_title(record)
    assert both.messages.history[-1] == (
        "warning", f"Exported as map.png. It lacks what could not be added: “{title}”.")
    assert both.note.text_label.text() == both.messages.history[-1][1] and both.note.details.text() == "Open"
    # another map does not lack it
    both.composer_controller.documents.leaving.emit()
    assert not both.messages.not_added() and not both.map_messages.not_added()


def test_the_composer_fits_a_narrow_low_dock_cites_its_map_and_leads_to_the_search(both, qtbot):
    compose = both.compose_dock
    compose.open()
    compose.resize(320, 600)
    qtbot.waitUntil(lambda: compose.width() <= 330)
    outside = [
        type(child).__name__ for child in both.composer.footer.findChildren(QWidget)
        if child.isVisible() and child.mapTo(compose, child.rect().bottomRight()).x() > compose.width()
    ]
    assert outside == [] and both.composer.export.isVisible()
    menu = both.composer.export.menu().actions()[-1].menu()
    assert menu.title() == "Copy citation"
    text, bibtex, csl = menu.actions()
    text.trigger()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert len(lines) == 3 and "Map made of: Consejería" in lines[0] and "Mapa guía" in "".join(lines[1:])
    bibtex.trigger()
    assert QGuiApplication.clipboard().text().count("@misc{") == 3
    csl.trigger()
    assert [item["type"] for item in json.loads(QGuiApplication.clipboard().text())] == ["map", "webpage", "webpage"]

    both.compose_dock.open()
    both.hide()
    both.composer.add.click()
    assert both.isVisible()
    qtbot.waitUntil(lambda: both.pages.record_opened is False and both.search.isVisible())


def test_an_export_that_is_given_up_says_that_nothing_was_written(both, tmp_path, wait_until):
    exporter, path = both.composer_controller.exporter, tmp_path / "map.pdf"
    former = exporter._show_progress

    def press_cancel(name, feedback):
        end = former(name, feedback)
        feedback.cancel()
        return end

    exporter._show_progress = press_cancel
    exporter.build_layout(lambda layout: exporter.render_layouts([layout], ExportFormat.PDF, path))
    wait_until(lambda: any("No file was written." in text for _level, text in both.messages.history), 60)
    assert list(tmp_path.iterdir()) == [] and [level for level, _ in both.messages.history][-1] != "error"


def begin_adding_the_facilities(dock, network, wait_until, action):
    """A base is on the map, and a service that takes its time is being added."""
    settings.set("export_dpi", 96)
    few(dock, wait_until, "Despeñaperros", "base", 1)
    network.fault({"match": {"request": "GetCapabilities", "endpoint": "facilities"}, "action": action})
    choose(dock, "quipamientos")
    dock.map_additions.add_selected(AddMode.AS_OVERLAY)
    assert len(items(dock)) == 1


def credited_in(dock, path):
    """How many of the services that are on the map now the written page has the credit of."""
    text = pdf_text(path)
    credits = {item: layer_credit(dock.map.mirror.layer(next(iter(item.layer_ids.values())))) for item in items(dock)}
    return sum(credit in text for credit in credits.values())


def test_an_export_waits_for_a_service_that_is_still_being_added(dock, network, wait_until, tmp_path):
    begin_adding_the_facilities(dock, network, wait_until, {"type": "delay", "seconds": 3})
    dock.composer_controller.exporter.export(ExportFormat.PDF, tmp_path / "map.pdf")
    assert dock.composer.busy_label.text() == "Waiting for what is being added…"
    assert not dock.composer.export.isEnabled()
    wait_until(lambda: list(tmp_path.glob("*.pdf")), 120)
    assert credited_in(dock, tmp_path / "map.pdf") == len(items(dock)) == 2


@pytest.mark.parametrize("way", ["scales", "layout", "snapshot"])
def test_whatever_is_made_of_the_map_waits_for_what_is_being_added(dock, network, wait_until, tmp_path, way):
    begin_adding_the_facilities(dock, network, wait_until, {"type": "delay", "seconds": 3})
    control = dock.composer_controller
    if way == "scales":
        control.exporter._prompts.save_file = lambda *_, **__: tmp_path / "map.pdf"
        control.exports.series.export_scales([50000], ExportFormat.PDF)
        wait_until(lambda: list(tmp_path.glob("*.pdf")), 120)
        assert credited_in(dock, next(tmp_path.glob("*.pdf"))) == 2
    elif way == "layout":
        control.exporter.open_layout()
        wait_until(lambda: control.exporter.layout is not None, 120)
        assert all(layer_credit(layer) in control.exporter.layout.itemById("credits").currentText()
                   for layer in tree(dock))
    else:
        control.snapshots.ask_snapshot()
        wait_until(lambda: control.snapshots.dialog is not None, 60)
    assert len(items(dock)) == 2


def test_no_map_is_exported_without_a_service_that_could_not_be_added_meanwhile(dock, network, wait_until, tmp_path):
    begin_adding_the_facilities(dock, network, wait_until, {"type": "status", "code": 503})
    exporter, finished = dock.composer_controller.exporter, []
    exporter.finished.connect(finished.append)
    exporter.export(ExportFormat.PDF, tmp_path / "map.pdf")
    wait_until(lambda: any("not exported, because “Equipamientos" in text for _, text in dock.messages.history), 60)
    assert not dock.composer.busy_label.text() and not finished and list(tmp_path.iterdir()) == []
    exporter.repeat()
    wait_until(lambda: finished, 120)
    assert credited_in(dock, tmp_path / "map.pdf") == len(items(dock)) == 1


def test_no_map_is_exported_without_a_service_whose_loading_was_cancelled(dock, network, wait_until, tmp_path):
    begin_adding_the_facilities(dock, network, wait_until, {"type": "hang"})
    dock.composer_controller.exporter.export(ExportFormat.PDF, tmp_path / "map.pdf")
    # the button beside the service's state, which knows nothing of the map
    dock.record_actions.records.cancel_service()
    wait_until(lambda: any("not exported, because “Equipamientos" in text for _, text in dock.messages.history), 60)
    assert not dock.composer.busy_label.text() and list(tmp_path.iterdir()) == []


def test_an_export_waits_no_more_for_a_service_that_was_removed(dock, network, wait_until, tmp_path):
    settings.set("export_dpi", 96)
    few(dock, wait_until, "Despeñaperros", "base", 1)
    few(dock, wait_until, "quipamientos", "overlay", 2)
    network.fault({"match": {"request": "GetCapabilities", "endpoint": "facilities"}, "action": {"type": "hang"}})
    dock.map.builds.reload(items(dock)[1])
    dock.composer_controller.exporter.export(ExportFormat.PDF, tmp_path / "map.pdf")
    assert dock.composer.busy_label.text() == "Waiting for what is being added…"
    endpoint = items(dock)[1].entry.endpoint
    dock.map.remove(1)
    wait_until(lambda: dock.composer.busy_label.text() != "Waiting for what is being added…")
    assert dock.session.service_state(endpoint).status is ServiceStatus.LOADING, "it is not awaited"
    wait_until(lambda: list(tmp_path.glob("*.pdf")), 120)
    assert credited_in(dock, tmp_path / "map.pdf") == len(items(dock)) == 1


def test_a_map_lacks_nothing_that_was_to_be_in_the_project_only(dock, network, wait_until, tmp_path):
    begin_adding_the_facilities(dock, network, wait_until, {"type": "status", "code": 503})
    # in the project only, which is said as well
    dock.map_additions.cancel()
    dock.map_additions.add_selected(AddMode.PROJECT_ONLY)
    exporter, finished = dock.composer_controller.exporter, []
    exporter.finished.connect(finished.append)
    exporter.export(ExportFormat.PDF, tmp_path / "map.pdf")
    wait_until(lambda: finished, 120)
    assert any("“Equipamientos" in text and "is not added" in text for _, text in dock.messages.history)
    assert dock.messages.history[-1] == ("success", "Exported as map.pdf.")


def test_an_export_names_a_service_of_which_no_layer_could_be_made_before(dock, network, wait_until, tmp_path):
    settings.set("export_dpi", 96)
    few(dock, wait_until, "Despeñaperros", "base", 1)
    item = items(dock)[0]
    dock.map.builds.fail(MapItem(replace(item.entry, endpoint="https://other.invalid/wms", title="Nowhere")),
                         CartoguideError("No layer could be created."))
    finished = []
    dock.composer_controller.exporter.finished.connect(finished.append)
    dock.composer_controller.exporter.export(ExportFormat.PDF, tmp_path / "map.pdf")
    wait_until(lambda: finished, 120)
    assert dock.messages.history[-1] == (
        "warning", "Exported as map.pdf. It lacks what could not be added: “Nowhere”.")


def test_what_is_added_while_the_page_is_prepared_is_named_and_not_in_the_files_document(dock, network, wait_until,
                                                                                         tmp_path):
    settings.set("export_dpi", 96)
    few(dock, wait_until, "Despeñaperros", "base", 1)
    network.fault({"match": {"request": "GetLegendGraphic"}, "action": {"type": "delay", "seconds": 2}})
    exporter, finished = dock.composer_controller.exporter, []
    exporter.finished.connect(finished.append)
    exporter.export(ExportFormat.PDF, tmp_path / "map.pdf")
    few(dock, wait_until, "quipamientos", "overlay", 2)
    assert not finished
    wait_until(lambda: finished, 120)
    assert credited_in(dock, tmp_path / "map.pdf") == 1
    assert "It lacks what was added meanwhile: “Equipamientos" in dock.messages.history[-1][1]
    assert len(read_map_file(tmp_path / "map.pdf").entries) == 1


def test_an_exported_map_with_a_file_beside_it_is_the_profiles_own(dock, wait_until, tmp_path):
    """The file's document lacked the seal that the project's has, so that opening one's own map asked about it."""
    settings.set("export_dpi", 96)
    few(dock, wait_until, "Despeñaperros", "base", 1)
    data = tmp_path / "sendas.geojson"
    data.write_text(json.dumps({"type": "FeatureCollection", "features": [
        {"type": "Feature", "properties": {}, "geometry": {"type": "Point", "coordinates": [-3.5, 38.38]}}]}))
    layer = QgsVectorLayer(str(data), "Sendas", "ogr")
    QgsProject.instance().addMapLayer(layer)
    dock.map.add_own_layer(layer)
    exporter, ended = dock.composer_controller.exporter, []
    for signal in (exporter.finished, exporter.failed):
        signal.connect(ended.append)
    path = tmp_path / "map.pdf"
    exporter.export(ExportFormat.PDF, path)
    wait_until(lambda: ended, 120)
    document = with_absolute_paths(read_map_file(path), path)
    assert document.own_layers and recognised(document).trust is Trust.OWN


def test_a_map_is_exported_without_a_service_that_cannot_be_read_once_it_is_left_out(dock, wait_until, tmp_path):
    settings.set("export_dpi", 96)
    few(dock, wait_until, "Despeñaperros", "base", 1)
    dead = replace(items(dock)[0].entry, endpoint="http://127.0.0.1:9/wms?", title="Dead")
    dock.map.show_document(replace(dock.map.document(), overlays=(dead,)))
    wait_until(lambda: len(items(dock)) == 2 and not dock.map.arrivals.pending and items(dock)[1].is_unavailable, 60)
    unavailable = dock.composer_controller.layers.unavailable
    assert unavailable.parts() == [items(dock)[1]]
    unavailable.apply(ServiceRemedy.LEAVE_OUT, unavailable.parts())
    assert unavailable.parts() == [] and ServiceRemedy.RETRY in unavailable.remedies(items(dock)[1])
    wait_until(lambda: not dock.note.isVisible(), 10)
    ended = []
    for signal in (dock.composer_controller.exporter.finished, dock.composer_controller.exporter.failed):
        signal.connect(ended.append)
    dock.composer_controller.exporter.export(ExportFormat.PDF, tmp_path / "map.pdf")
    wait_until(lambda: ended, 120)
    assert list(tmp_path.glob("*.pdf")), ended


@pytest.mark.parametrize("where", ["beside the export", "beside what is added"])
def test_an_export_that_waits_can_be_given_up(dock, network, wait_until, tmp_path, where):
    begin_adding_the_facilities(dock, network, wait_until, {"type": "delay", "seconds": 2})
    dock.composer_controller.exporter.export(ExportFormat.PDF, tmp_path / "map.pdf")
    if where == "beside the export":
        dock.composer.cancel_button.click()
        wait_until(lambda: len(items(dock)) == 2, 60)
    else:
        dock.record_actions.cancel_adding()
    assert not dock.composer.busy_label.text() and dock.composer.export.isEnabled()
    wait_until(lambda: not dock.map.arrivals.pending, 60)
    assert dock.composer_controller.exporter.layout is None and list(tmp_path.iterdir()) == []
