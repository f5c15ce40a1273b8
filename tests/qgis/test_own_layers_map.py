"""Own layers while a map is composed: rows, layer tree, undo, documents and projects."""

from __future__ import annotations

import os
import subprocess

import pytest
from qgis.core import QgsCoordinateReferenceSystem, QgsProject, QgsVectorFileWriter, QgsVectorLayer
from qgis.PyQt.QtGui import QImage

from plugin.core.custommap.document import read_document
from plugin.core.review.checks.rules import Severity
from plugin.core.terms.model import Decision
from plugin.gis.credits.layer_credits import layer_credit
from plugin.gis.layouts import layout_items
from plugin.gis.layouts.locator_map import empty_layer
from plugin.gis.sources.layer_source import CREDIT_REQUIRED
from tests.qgis.print_maps import pdf_text
from tests.qgis.test_dock_offline import fill
from tests.qgis.test_own_layers import CREDIT, in_the_square, own_points, red_share, red_square


@pytest.fixture
def dock(network_dock, wait_until):
    made = network_dock()
    wait_until(lambda: made.model.rowCount() == 3, 20)
    fill(made, wait_until)
    return made


def add(dock, layer):
    """Add a layer of the project by the composer's menu."""
    actions = dock.composer_controller
    QgsProject.instance().addMapLayer(layer)
    # as after a layout was made
    empty_layer(QgsProject.instance())
    menu = dock.composer.add.menu()
    next(action for action in menu.actions() if action.text() == "Add own layer…").trigger()
    dialog = actions.layers.own_layers.dialog
    assert [dialog.layer_combo.layer(number) for number in range(dialog.layer_combo.count())] == [layer]
    assert dialog.credit_edit.text() == layer_credit(layer)
    dialog.buttons.accepted.emit()
    actions.refresh_view()
    return layer


def titles(dock):
    """The rows from the bottom up, by their kinds and titles."""
    dock.composer_controller.refresh_view()
    return ["own" if row.state.is_own else row.state.role.value for row in reversed(dock.composer.rows.rows)]


def tree(dock):
    """The layers of the map's group, from the bottom up: "own" or "service"."""
    return ["own" if node.layer().customProperty("cartoguide/own_layer") else "service"
            for node in reversed(dock.map.mirror.find_group().findLayers())]


def row(dock):
    return next(row for row in dock.composer.rows.rows if row.state.is_own)


def test_the_first_layer_of_a_map_in_a_project_in_degrees_is_undone_and_redone(open_dock, wait_until):
    QgsProject.instance().setCrs(QgsCoordinateReferenceSystem("EPSG:4326"))
    maps = open_dock().map
    layer = QgsProject.instance().addMapLayer(QgsVectorLayer("Point?crs=EPSG:4326", "Rutas", "memory"))
    maps.add_own_layer(layer, "")
    for _ in range(2):
        maps.undo()
        wait_until(lambda: not maps.mirror.tree_timer.isActive())
        assert not maps.stack and not maps.custom_map.history.undo_label
        maps.redo()
        wait_until(lambda: not maps.mirror.tree_timer.isActive())
        assert [item.layer_id for item in maps.own_items] == [layer.id()]


def test_a_layer_of_the_project_is_put_on_the_map_moved_hidden_credited_and_removed(dock, wait_until, tmp_path):
    maps, actions = dock.map, dock.composer_controller
    layer = add(dock, own_points(tmp_path))
    assert titles(dock) == ["base", "overlay", "own"] and tree(dock)[-1] == "own"
    assert CREDIT in dock.composer.credits.text()
    row(dock).move_requested.emit(1)
    assert titles(dock) == ["base", "own", "overlay"] and tree(dock).index("own") == tree(dock).count("service") - 1
    row(dock).move_requested.emit(1)
    assert titles(dock) == ["base", "own", "overlay"], "nothing goes below the base"
    row(dock).visibility_check_box.click()
    assert not maps.document().own_layers[0].visible
    assert not QgsProject.instance().layerTreeRoot().findLayer(layer.id()).itemVisibilityChecked()
    row(dock).visibility_check_box.click()
    row(dock).slider.setValue(30)
    wait_until(lambda: layer.opacity() == pytest.approx(0.3))
    row(dock).credit_requested.emit()
    actions.layers.own_layers.dialog.credit_edit.setText("Fuente: campo, 2025")
    actions.layers.own_layers.dialog.buttons.accepted.emit()
    assert layer_credit(layer) == "Fuente: campo, 2025" == maps.document().own_layers[0].credit
    actions.refresh_view()
    assert "Fuente: campo, 2025" in dock.composer.credits.text() and CREDIT not in dock.composer.credits.text()
    row(dock).remove_requested.emit()
    assert titles(dock) == ["base", "overlay"] and QgsProject.instance().mapLayer(layer.id()) is layer
    assert "own" not in tree(dock) and layer.id() not in maps.mirror.find_group().findLayerIds()
    dock.note.details.click()
    assert titles(dock) == ["base", "own", "overlay"] and tree(dock).count("own") == 1
    for expected in (["base", "overlay"], ["base", "own", "overlay"]):
        actions.map.undo()
        assert titles(dock) == expected
    actions.map.undo()
    actions.refresh_view()
    assert layer_credit(layer) == CREDIT and row(dock).state.credit == CREDIT
    actions.map.redo()
    assert layer_credit(layer) == "Fuente: campo, 2025"


def test_a_layer_dropped_into_the_group_is_on_the_map_and_one_dragged_out_is_not(dock, tmp_path):
    layer, maps = own_points(tmp_path), dock.map
    QgsProject.instance().addMapLayer(layer, False)
    group = maps.mirror.find_group()
    group.insertLayer(2, layer)
    maps.flush()
    assert titles(dock) == ["base", "own", "overlay"] and tree(dock).count("own") == 1
    layer.setRenderer(layer.renderer().clone())
    layer.renderer().setSymbol(red_square(7))
    layer.emitStyleChanged()
    layer.setName("Muestras")
    maps.flush()
    dock.composer_controller.refresh_view()
    assert row(dock).state.title == "Muestras" and 'value="7"' in maps.document().own_layers[0].style
    node = group.findLayer(layer.id())
    QgsProject.instance().layerTreeRoot().insertChildNode(0, node.clone())
    group.removeChildNode(node)
    maps.flush()
    assert titles(dock) == ["base", "overlay"] and QgsProject.instance().mapLayer(layer.id()) is layer
    dock.composer_controller.map.undo()
    assert titles(dock) == ["base", "own", "overlay"] and tree(dock).count("own") == 1
    QgsProject.instance().removeMapLayer(layer.id())
    maps.flush()
    assert titles(dock) == ["base", "overlay"]


def test_a_saved_map_has_its_own_layers_again_in_any_project(dock, wait_until, tmp_path):
    maps, actions = dock.map, dock.composer_controller
    add(dock, own_points(tmp_path))
    maps.move(2, 1)
    actions.documents.save_to(tmp_path / "map.custommap.json")
    saved = maps.document()
    assert read_document((tmp_path / "map.custommap.json").read_bytes()).own_layers[0].source == "puntos.geojson"
    QgsProject.instance().clear()
    assert maps.stack == ()
    actions.documents.open_file(tmp_path / "map.custommap.json")
    wait_until(lambda: len(maps.items) == 2 and not maps.adding, 60)
    assert titles(dock) == ["base", "own", "overlay"] and tree(dock).count("own") == 1
    assert maps.document().own_layers == saved.own_layers
    assert QgsProject.instance().write(str(tmp_path / "project.qgz"))
    QgsProject.instance().clear()
    QgsProject.instance().read(str(tmp_path / "project.qgz"))
    wait_until(lambda: len(maps.items) == 2 and not maps.adding, 60)
    assert titles(dock) == ["base", "own", "overlay"] and tree(dock).count("own") == 1
    assert maps.document().own_layers[0].credit == CREDIT


def test_a_missing_own_layer_is_an_issue_until_it_is_located(dock, wait_until, tmp_path, monkeypatch):
    maps, actions = dock.map, dock.composer_controller
    add(dock, own_points(tmp_path))
    actions.documents.save_to(tmp_path / "map.custommap.json")
    QgsProject.instance().clear()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "puntos.geojson").rename(tmp_path / "elsewhere" / "moved.geojson")
    found = []
    actions.preflight.findings_changed.connect(lambda findings, _state: found.append(findings))
    actions.documents.open_file(tmp_path / "map.custommap.json")
    wait_until(lambda: len(maps.items) == 2 and not maps.adding, 60)
    assert titles(dock)[-1] == "own" and "Puntos propios" in row(dock).state.problem
    finding = next(one for one in found[-1] if one.rule == "own-missing")
    monkeypatch.setattr(actions.layers.own_layers._prompts, "open_file",
                        lambda *_args: tmp_path / "elsewhere" / "moved.geojson", raising=False)
    actions.preflight.apply_remedy(finding)
    wait_until(lambda: not maps.adding, 20)
    actions.refresh_view()
    assert row(dock).state.problem == "" and tree(dock)[-1] == "own"
    assert not any(one.rule == "own-missing" for one in found[-1])
    assert layer_credit(maps.project.mapLayer(maps.own_items[0].layer_id)) == CREDIT


def test_an_own_layer_whose_file_is_cut_short_is_an_issue(dock, tmp_path):
    actions, found = dock.composer_controller, []
    options = QgsVectorFileWriter.SaveVectorOptions()
    options.driverName = "FlatGeobuf"
    path = tmp_path / "puntos.fgb"
    QgsVectorFileWriter.writeAsVectorFormatV3(own_points(tmp_path), str(path), QgsProject.instance().transformContext(),
                                              options)
    add(dock, QgsVectorLayer(str(path), "Puntos", "ogr"))
    actions.preflight.findings_changed.connect(lambda findings, _state: found.append(findings))
    for size in (0, 1):
        os.truncate(path, path.stat().st_size - size)
        actions.preflight.refresh()
        assert ["own-cut" for one in found[-1] if one.rule == "own-cut"] == ["own-cut"] * size


@pytest.mark.slow
def test_an_own_layer_that_owes_a_credit_stops_the_export_and_takes_it_where_that_is_said(dock, wait_until, tmp_path):
    maps, actions, panel = dock.map, dock.composer_controller, dock.composer.findings
    layer = own_points(tmp_path)
    layer.setCustomProperty(CREDIT_REQUIRED, Decision.UNDECIDED.value)
    add(dock, layer)
    maps.set_own_credit(len(maps.stack) - 1, "")
    actions.refresh_view()
    owed, = (one for one in panel.findings if one.rule == "no-credit")
    assert owed.severity is Severity.ERROR and "not exported without it" in owed.advice
    assert dock.composer.credits_line.text().endswith("to be completed")
    actions.exporter.export("png", tmp_path / "map.png")
    wait_until(lambda: "was not exported" in dock.note.text_label.text(), 60)
    assert layer.name() in dock.note.text_label.text() and not (tmp_path / "map.png").exists()
    assert dock.note.details.text() == "Show the issues"
    dock.note.details.click()
    assert panel.fold_button.isChecked()
    actions.exporter.export("png", tmp_path / "map.png")
    wait_until(lambda: dock.note.isVisibleTo(dock), 60)
    one = next(one for one in panel.rows if one.finding == owed)
    one.field.setText("Puntos © Ana Pérez")
    one.button.click()
    actions.refresh_view()
    assert layer_credit(layer) == "Puntos © Ana Pérez" == maps.own_items[0].own.credit
    assert not any(finding.rule == "no-credit" for finding in panel.findings)
    assert not dock.note.isVisibleTo(dock), "what the message said is not true any more"


def test_the_window_prints_the_own_layers(dock, wait_until, tmp_path):
    maps, actions = dock.map, dock.composer_controller
    layer = own_points(tmp_path)
    add(dock, layer)
    maps.move(2, 1)
    actions.extent.set_centre((-3.51, 38.38), 100_000)
    done = []
    actions.exporter.finished.connect(done.append)
    actions.exporter.export("pdf", tmp_path / "map.pdf")
    wait_until(lambda: done, 90)
    assert dock.messages.history[-1][1] == "Exported as map.pdf.", "WMS and local files are checked"
    subprocess.run(["pdftoppm", "-png", "-singlefile", str(tmp_path / "map.pdf"), str(tmp_path / "map")], check=True)
    text = pdf_text(tmp_path / "map.pdf")
    assert CREDIT in text and "Puntos propios" in text
    assert 0.3 < red_share(in_the_square(QImage(str(tmp_path / "map.png")), actions.exporter.layout)) <= 1
    shown = actions.exporter.layout.itemById(layout_items.MAP).layers()
    assert shown.index(layer) == sum(1 for one in shown if one.customProperty("cartoguide/role") == "overlay")
