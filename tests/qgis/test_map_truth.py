"""The document is the truth of a custom map: project, composer and page follow it, and no former map shows through."""

from __future__ import annotations

import json

import pytest
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsMapRendererParallelJob,
    QgsMapSettings,
    QgsProject,
    QgsRectangle,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QSize

from plugin.app.maps.map_document import ExtentMode
from plugin.app.maps.map_state import LayerChoice, ServiceRemedy
from plugin.app.page.page_frame_controller import PageFrameController
from plugin.core.box import Box
from plugin.core.custommap.document import read_document
from plugin.core.custommap.model import MapEntry, MapRole, Orientation, PageSetup
from plugin.core.custommap.service_state import Progress
from plugin.core.review.checks.rules import Severity
from plugin.gis.layers import project_document
from plugin.gis.runtime import settings
from plugin.ui.widgets.messages import MessageLevel
from tests.pairwise import some
from tests.qgis.test_dock_map import PARK, both, dock, few, group, items, tree  # noqa: F401 - fixtures


def done(dock, wait_until, count):  # noqa: F811
    wait_until(lambda: len(items(dock)) == count and not dock.composer_controller.map.adding, 60)


def json_file(folder):
    path = folder / "sendas.geojson"
    path.write_text(json.dumps({"type": "FeatureCollection", "features": [
        {"type": "Feature", "properties": {}, "geometry": {"type": "Point", "coordinates": [-3.5, 38.35]}}]}))
    return path


def map_groups():
    return [node for node in QgsProject.instance().layerTreeRoot().findGroups(True)
            if node.customProperty("cartoguide/map")]


# -- re-pointing


def test_the_records_address_leaves_the_chosen_layers_alone(both, wait_until, network):  # noqa: F811
    maps, overlay = both.composer_controller.map, items(both)[1]
    before, former = overlay.entry, dict(overlay.layer_ids)
    other = before.endpoint.replace("127.0.0.1", "localhost")
    maps.change_endpoints({overlay: other})
    assert items(both)[1] is overlay and overlay.entry.layers == before.layers
    done(both, wait_until, 2)
    assert overlay.entry.layers == before.layers and overlay.entry.styles == before.styles
    assert overlay.entry.endpoint == other and sorted(overlay.layer_ids) == sorted(before.layers)
    assert overlay.layer_ids == former, "the same layers, from the other address"
    assert all(maps.project.mapLayer(layer_id).isValid() for layer_id in former.values())
    assert maps.document().overlays[0].layers == before.layers
    both.composer_controller.map.undo()
    done(both, wait_until, 2)
    assert items(both)[1].entry == before


def test_a_layer_removed_from_an_entry_that_means_all_layers_stays_removed(both, wait_until, tmp_path):  # noqa: F811
    maps = both.composer_controller.map
    path = tmp_path / "todas.custommap.json"
    both.composer_controller.documents.save_to(path)
    text = json.loads(path.read_text(encoding="utf-8"))
    text["overlays"], text["base"]["layers"], text["base"]["styles"] = [], [], []
    path.write_text(json.dumps(text), encoding="utf-8")
    both.composer_controller.documents.open_file(path)
    done(both, wait_until, 1)
    ids = dict(items(both)[0].layer_ids)
    gone = next(iter(ids))
    maps.project.removeMapLayer(ids[gone])
    assert items(both)[0].entry.layers == tuple(name for name in ids if name != gone)
    assert gone not in maps.document().base.layers and maps.document().base.layers


# -- other projects and other maps


def test_a_new_project_begins_a_new_map(both, wait_until):  # noqa: F811
    actions = both.composer_controller
    actions.map.set_title("Lo de antes")
    actions.map.commit(page=PageSetup("A1", Orientation.PORTRAIT, "guide"), scale=5000.0, language="es")
    actions.extent.set_extent(Box(-3.5, 38.34, -3.49, 38.35))
    QgsProject.instance().clear()
    state = actions.map.chosen
    assert items(both) == [] and (state.title, state.extent, state.scale) == ("", None, None)
    assert actions.map.custom_map.extent_mode is ExtentMode.CANVAS
    assert state.page == PageSetup("A4", Orientation.LANDSCAPE, "guide"), "the page of a new map is the settings'"
    assert not actions.map.custom_map.history.can_undo
    QgsProject.instance().setCrs(QgsCoordinateReferenceSystem("EPSG:25830"))
    few(both, wait_until, "quipamientos", "overlay", 1)
    actions.refresh_view()
    assert "Lo de antes" not in both.composer.title.text() and "A4" in both.composer.page.summary.text()
    assert "Lo de antes" not in actions.map.title()


def test_a_second_map_takes_the_place_of_the_first_and_can_be_undone(both, wait_until, tmp_path):  # noqa: F811
    actions, project = both.composer_controller, QgsProject.instance()
    actions.map.set_title("Segundo")
    path = tmp_path / "segundo.custommap.json"
    actions.documents.save_to(path)
    actions.map.set_title("Primero")
    actions.map.set_opacity(1, 0.25)
    actions.map.flush()
    first = actions.map.document()
    actions.documents.open_file(path)
    done(both, wait_until, 2)
    assert [node.name() for node in map_groups()] == ["Segundo"]
    assert set(project.mapLayers()) == {layer_id for item in items(both) for layer_id in item.layer_ids.values()}
    both.note.details.click()
    done(both, wait_until, 2)
    assert actions.map.document() == first and [node.name() for node in map_groups()] == ["Primero"]
    # a new map leaves no layer of the former and can be undone
    actions = both.composer_controller
    actions.map.set_title("Antes")
    before = actions.map.document()
    actions.documents.new()
    assert items(both) == [] and map_groups() == [] and QgsProject.instance().mapLayers() == {}
    assert actions.map.title() != "Antes"
    both.note.details.click()
    done(both, wait_until, 2)
    assert actions.map.document() == before
    # the page of one map is not the default of the next
    both.composer.page.page_changed.emit(PageSetup("A2", Orientation.PORTRAIT, "guide"))
    assert both.composer_controller.map.chosen.page.paper == "A2" and settings.get("paper") == "A4"


def test_the_button_undo_brings_back_a_map_that_a_new_one_took_the_place_of(both, wait_until):  # noqa: F811
    """The message with its Undo is there for some seconds only, and an unsaved map was gone then."""
    actions, undo = both.composer_controller, both.composer.undo
    before = actions.map.document()
    actions.documents.new()
    both.map_messages.clear()
    few(both, wait_until, "quipamientos", "overlay", 1)
    wait_until(lambda: undo.isEnabled())
    undo.click()
    wait_until(lambda: not items(both))
    assert undo.isEnabled() and undo.accessibleName() == "Undo: Another custom map"
    undo.click()
    done(both, wait_until, 2)
    assert actions.map.document() == before
    QgsProject.instance().clear()
    wait_until(lambda: not undo.isEnabled())


def test_undo_and_redo_lead_through_maps_that_took_each_others_place(both, wait_until, tmp_path):  # noqa: F811
    """A map that was not saved was lost where a new one was begun and another was opened then."""
    actions, undo, redo = both.composer_controller, both.composer.undo, both.composer.redo
    path = tmp_path / "otro.custommap.json"
    actions.map.set_title("Otro")
    actions.documents.save_to(path)
    actions.map.remove(1)
    unsaved = actions.map.document()
    actions.documents.new()
    wait_until(lambda: not actions.map.stack)
    actions.documents.open_file(path)
    done(both, wait_until, 2)
    actions.map.set_opacity(1, 0.5)
    changed = actions.map.document()
    undo.click()
    assert undo.accessibleName() == "Undo: Another custom map", "nothing was done to the new map"
    undo.click()
    done(both, wait_until, 1)
    assert actions.map.document() == unsaved and actions.documents.file == path.resolve()
    assert undo.accessibleName().startswith("Undo: remove “")
    undo.click()
    done(both, wait_until, 2)
    redo.click()
    assert redo.accessibleName() == "Redo: Another custom map"
    redo.click()
    done(both, wait_until, 2)
    redo.click()
    assert actions.map.document() == changed and not redo.isEnabled()
    # the Undo of a message leads to the map before, past what was done since
    actions.documents.new()
    actions.map.set_title("Tercero")
    both.note.details.click()
    done(both, wait_until, 2)
    assert actions.map.document() == changed
    redo.click()
    redo.click()
    assert actions.map.title() == "Tercero" and not actions.map.stack


def test_undo_loads_what_the_map_after_it_was_still_loading(both, wait_until, network, tmp_path):  # noqa: F811
    """A service of both maps stayed "not loaded" in the former, because its loading was cancelled with the latter."""
    actions, path = both.composer_controller, tmp_path / "lento.custommap.json"
    actions.documents.save_to(path)
    for item in items(both):
        actions.map.session.services.forget(item.entry.endpoint)
    network.fault({"match": {"request": "GetCapabilities"}, "action": {"type": "delay", "seconds": 2}})
    actions.documents.open_file(path)
    assert actions.map.adding
    both.composer.undo.click()
    done(both, wait_until, 2)
    assert [item.problem for item in items(both)] == ["", ""] and all(item.layer_ids for item in items(both))
    assert not both.composer_controller.layers.unavailable.parts()


def test_undo_of_another_map_leaves_own_layers_in_the_project(both, wait_until, tmp_path):  # noqa: F811
    actions, path = both.composer_controller, tmp_path / "propia.custommap.json"
    layer = QgsVectorLayer(str(json_file(tmp_path)), "Sendas", "ogr")
    assert layer.isValid()
    QgsProject.instance().addMapLayer(layer)
    actions.map.add_own_layer(layer)
    actions.map.undo_of_addition([layer.id()])
    actions.documents.save_to(path)
    actions.map.remove(2)
    actions.documents.open_file(path)
    done(both, wait_until, 2)
    wait_until(lambda: [item.layer_id for item in actions.map.own_items] == [layer.id()])
    assert actions.map.chosen.stack in actions.map._additions
    both.composer.undo.click()
    done(both, wait_until, 2)
    assert not actions.map.own_items and QgsProject.instance().mapLayer(layer.id()) is layer


@pytest.mark.parametrize("has_base", [True, False])
def test_redo_leads_back_to_a_map_in_another_reference_system(both, wait_until, tmp_path, monkeypatch,  # noqa: F811
                                                                  has_base):
    """The former map took the project's, as one more change, which ended what could be redone: the other was lost."""
    actions, project = both.composer_controller, QgsProject.instance()
    project.addMapLayer(QgsVectorLayer(str(json_file(tmp_path)), "Sendas", "ogr"))
    if not has_base:
        # a person looks at a part of the service, and at another one in the map after it
        seen = [QgsRectangle(440000, 4240000, 470000, 4260000), QgsRectangle(-700000, 4400000, -500000, 4600000)]
        monkeypatch.setattr(PageFrameController, "_seen_area", lambda _controller: seen.pop(0))
        actions.documents.new()
        few(both, wait_until, "quipamientos", "overlay", 1)
        assert actions.map.custom_map.extent_mode is ExtentMode.FITTED
    count = len(items(both))
    before = actions.map.document()
    actions.documents.new()
    project.setCrs(QgsCoordinateReferenceSystem("EPSG:3857"))
    few(both, wait_until, "quipamientos", "overlay", 1)
    unsaved = actions.map.document()
    actions.map.undo_map()
    done(both, wait_until, count)
    assert actions.map.custom_map.history.redo_label == "Another custom map"
    assert actions.map.document() == before
    both.composer.redo.click()
    both.composer.redo.click()
    done(both, wait_until, 1)
    assert actions.map.document() == unsaved and not both.composer.redo.isEnabled()


@pytest.mark.slow
def test_a_new_map_says_nothing_of_the_former(both, wait_until):  # noqa: F811
    actions, panel = both.composer_controller, both.composer.findings
    actions.preflight.check_images_of_map()
    wait_until(lambda: "All images arrived at" in panel.status_label.text(), 60)
    panel.set_expanded(True)
    actions.map.warned.emit("One layer of the map could not be created.", "")
    assert both.note.isVisibleTo(both)
    actions.documents.new()
    assert both.note.text_label.text().startswith("A new custom map.")
    assert (panel.findings, panel.status_label.text()) == ((), "")
    assert actions.map.custom_map.history.undo_label == "Another custom map"
    few(both, wait_until, "quipamientos", "overlay", 1)
    wait_until(lambda: "megapixels" in panel.status_label.text(), 20)
    assert "check" not in panel.status_label.text(), "this map was never checked"
    actions.map.warned.emit("One layer of the map could not be created.", "")
    QgsProject.instance().clear()
    wait_until(lambda: not both.note.isVisibleTo(both), 5)


def test_a_persons_own_layer_in_the_group_outlives_the_map(both):  # noqa: F811
    from qgis.core import QgsVectorLayer

    own = QgsVectorLayer("Point?crs=EPSG:25830", "mío", "memory")
    QgsProject.instance().addMapLayer(own, False)
    group(both).addLayer(own)
    both.composer_controller.documents.new()
    assert map_groups() == [] and list(QgsProject.instance().mapLayers()) == [own.id()]
    assert QgsProject.instance().layerTreeRoot().findLayerIds() == [own.id()], "the layer is in the layer tree"


def test_a_new_map_says_which_layers_of_the_former_stay(both):  # noqa: F811
    from qgis.core import QgsVectorLayer

    own = QgsVectorLayer("Point?crs=EPSG:25830", "Puntos de agua", "memory")
    QgsProject.instance().addMapLayer(own)
    both.composer_controller.map.add_own_layer(own, "© Alguien")
    both.composer_controller.documents.new()
    assert list(QgsProject.instance().mapLayers()) == [own.id()]
    text = both.messages.history[-1][1]
    assert text.startswith("A new custom map.") and "stay its own layers: “Puntos de agua”." in text


def test_what_is_hidden_says_so_in_its_row_and_a_map_of_nothing_else_is_an_issue(both, wait_until):  # noqa: F811
    actions, maps, panel = both.composer_controller, both.composer_controller.map, both.composer.findings

    def rows():
        actions.refresh_view()
        return [row._status.text() for row in both.composer.rows.rows]

    names = items(both)[1].names_in_order()
    maps.hide_layers({items(both)[1]: names[:1]})
    assert f"{len(names) - 1} of {len(names)} layers" in rows()[0]
    maps.hide_layers({items(both)[1]: names})
    assert "hidden" in rows()[0] and "hidden" not in rows()[1]
    assert not [one for one in panel.findings if one.rule == "all-hidden"]
    maps.set_visible(0, False)
    assert all("hidden" in text for text in rows())
    found, = [one for one in panel.findings if one.rule == "all-hidden"]
    assert found.severity is Severity.ERROR and found.remedy.label == "Show all"
    panel.set_expanded(True)
    next(row for row in panel.rows if row.finding is found).button.click()
    assert not any("hidden" in text for text in rows())
    assert not [one for one in panel.findings if one.rule == "all-hidden"]
    maps.undo()
    assert all("hidden" in text for text in rows()), "it is one change"


# -- undo


def test_a_change_is_undone_even_at_once_and_named(both, wait_until):  # noqa: F811
    maps = both.composer_controller.map
    fitted = maps.chosen.scale
    maps.set_title("Uno")
    both.composer_controller.extent.set_scale(25_000.0)
    maps.set_visible(1, False)
    maps.set_opacity(1, 0.4)
    maps.undo()
    assert items(both)[1].entry.opacity == 1.0 and not items(both)[1].entry.visible
    maps.undo()
    assert items(both)[1].entry.visible and maps.chosen.scale == 25_000.0
    maps.undo()
    assert maps.chosen.scale == fitted != 25_000.0 and maps.title() == "Uno"
    # undo and redo name the change
    undo, redo = both.composer.undo, both.composer.redo
    name = items(both)[1].entry.title[:20]
    maps.set_visible(1, False)
    wait_until(lambda: undo.toolTip().startswith(f"Undo: visibility of “{name}"))
    maps.set_opacity(1, 0.4)
    wait_until(lambda: undo.toolTip().startswith(f"Undo: opacity of “{name}"))
    assert undo.isEnabled() and not redo.isEnabled() and redo.accessibleName() == "Redo"
    maps.undo()
    assert undo.accessibleName().startswith(f"Undo: visibility of “{name}") and undo.isEnabled()
    assert redo.accessibleName().startswith(f"Redo: opacity of “{name}") and redo.isEnabled()


# -- the document is held once


def test_the_document_is_held_once_and_the_parts_of_the_map_are_in_its_order(both):  # noqa: F811
    maps, (base, overlay) = both.composer_controller.map, items(both)
    custom_map = maps.custom_map
    assert (base.entry, overlay.entry) == (custom_map.current.base, *custom_map.current.overlays)
    for part in (base, overlay):
        assert not [value for value in vars(part).values() if isinstance(value, MapEntry)]
    # a change that is not committed yet is in the document, and in nothing else
    custom_map.update(overlay, opacity=0.25)
    assert custom_map.current.overlays == (overlay.entry,) == maps.document().overlays and overlay.entry.opacity == 0.25
    # what was removed keeps the layer that it had, so that it can be put back
    maps.remove(1)
    assert custom_map.current.overlays == () and overlay.entry.opacity == 0.25
    maps.insert(overlay, 1)
    assert custom_map.current.overlays == (overlay.entry,)
    # whoever counts services, as the plan and the legends do, counts the same ones
    base, overlay = items(both)
    orders = []
    maps.custom_map.changed.connect(lambda: orders.append((
        [part.layer for part in maps.stack], list(maps.chosen.stack), [item.role for item in maps.items])))
    maps.set_role(1, MapRole.BASE)
    assert items(both) == [overlay, base] and maps.chosen.base == overlay.entry
    maps.set_role(0, MapRole.OVERLAY)
    maps.move(0, 1)
    maps.set_role(1, MapRole.BASE)
    assert len(orders) == 4
    for layers, in_document, roles in orders:
        assert layers == in_document and MapRole.BASE not in roles[1:]


# -- the layer tree


def test_layers_come_once_a_change_in_the_tree_is_one_and_the_canvas_is_printed_and_not_kept(
        both, wait_until, tmp_path):  # noqa: F811
    maps, changes, shown = both.composer_controller.map, [], []
    overlay = items(both)[1]
    record = both.session.record(overlay.entry.record_id)
    names = overlay.entry.layers
    before = set(maps.project.mapLayers())
    assert not maps.add_missing_layers(record, overlay.entry.endpoint, LayerChoice.of_names(names))
    assert set(maps.project.mapLayers()) == before
    maps.custom_map.changed.connect(lambda: changes.append(maps.chosen))
    maps.changed.connect(lambda: shown.append(maps.chosen))
    group(both).findLayer(tree(both)[0].id()).setItemVisibilityChecked(False)
    wait_until(lambda: shown, 5)
    both.composer_controller.refresh_view()
    assert len(changes) == len(shown) == 1 and shown[0].overlays[0].hidden
    actions = both.composer_controller
    actions.extent.set_mode(ExtentMode.CANVAS)
    actions.map.find_extent = lambda: PARK.box
    path = tmp_path / "mapa.custommap.json"
    actions.documents.save_to(path)
    assert read_document(path.read_bytes()).extent == PARK and actions.map.plan().extent == PARK.box
    assert actions.map.document().extent is None, "the map goes on following the canvas"
    assert project_document.read_stored_map(actions.map.project).document.extent is None
    actions.extent.set_mode(ExtentMode.CUSTOM)
    assert actions.map.document().extent.box == actions.extent.current()


def test_what_is_changed_in_the_layer_tree_is_changed_in_the_document(both, wait_until):  # noqa: F811
    maps = both.composer_controller.map
    few(both, wait_until, "recipitaci", "overlay", 3)
    rain, visitors = items(both)[2], items(both)[1]
    top = tree(both)[0]
    assert top.id() in rain.layer_ids.values()
    # the topmost layer is dragged to the bottom of its service
    node = group(both).findLayer(top.id())
    group(both).insertChildNode(len(rain.layer_ids), node.clone())
    group(both).removeChildNode(node)
    wait_until(lambda: maps.project.mapLayer(rain.layer_ids[rain.entry.layers[0]]) == top, 5)
    assert maps.document().overlays[1].layers[0] == rain.entry.layers[0]
    # a layer is unticked: the page does not draw it either
    name = visitors.entry.layers[0]
    group(both).findLayer(visitors.layer_ids[name]).setItemVisibilityChecked(False)
    wait_until(lambda: visitors.entry.hidden == (name,), 5)
    assert [plan.visible for plan in maps.plan().layers if plan.name == name] == [False]
    assert visitors.entry.visible
    # all are
    for layer_id in visitors.layer_ids.values():
        group(both).findLayer(layer_id).setItemVisibilityChecked(False)
    wait_until(lambda: not visitors.entry.visible, 5)
    # opacity in the layer styling
    layer = maps.project.mapLayer(rain.layer_ids[rain.entry.layers[1]])
    layer.setOpacity(0.3)
    wait_until(lambda: rain.entry.opacity_of(rain.entry.layers[1]) == 0.3, 5)
    assert rain.entry.opacity == 1.0
    # the group's name is the map's title
    group(both).setName("Otro nombre")
    wait_until(lambda: maps.title() == "Otro nombre", 5)
    wait_until(lambda: both.composer.title.text() == "Otro nombre", 5)
    assert project_document.read_stored_map(maps.project).document == maps.document()


def test_an_unticked_group_hides_the_canvas_alone_and_the_issues_say_so(both, wait_until):  # noqa: F811
    maps, actions = both.composer_controller.map, both.composer_controller
    document, planned = maps.document(), [layer.visible for layer in maps.plan().layers]

    shown = []
    actions.preflight.findings_changed.connect(lambda found, _: shown.append(found))

    def hidden():
        actions.preflight.refresh()
        return [found for found in shown[-1] if found.rule == "hidden-on-canvas"]

    assert hidden() == []
    group(both).setItemVisibilityChecked(False)
    wait_until(hidden, 5)
    assert "It is printed all the same" in hidden()[0].message
    assert maps.document() == document and [layer.visible for layer in maps.plan().layers] == planned
    assert all(node.itemVisibilityChecked() for node in group(both).findLayers()), "ticked again, it is as before"
    assert not group(both).isVisible(), "the canvas stays as the person wants it"
    layouts = []
    actions.exporter.build_layout(layouts.append)
    wait_until(lambda: layouts, 60)
    drawn = {layer.id() for layer in layouts[0].itemById("map").layers()}
    assert drawn == {layer_id for item in items(both) for layer_id in item.layer_ids.values()}
    group(both).setItemVisibilityChecked(True)
    wait_until(lambda: not hidden(), 5)


def test_in_another_crs_of_the_project_the_map_is_requested_in_it(both, wait_until):  # noqa: F811
    maps = both.composer_controller.map
    before = maps.document()
    assert {layer.crs().authid() for layer in tree(both)} == {"EPSG:25830"}
    maps.custom_map.update(items(both)[1], opacity=0.5)
    maps.commit()
    order = [layer.name() for layer in tree(both)]
    maps.project.setCrs(QgsCoordinateReferenceSystem("EPSG:3857"))
    wait_until(lambda: {layer.crs().authid() for layer in tree(both)} == {"EPSG:3857"} and not maps.adding, 60)
    assert maps.crs() == "EPSG:3857" and {layer.wms.crs for layer in maps.plan().layers} == {"EPSG:3857"}
    assert [layer.name() for layer in tree(both)] == order and all(layer.isValid() for layer in tree(both))
    assert {maps.project.mapLayer(layer_id).opacity() for layer_id in items(both)[1].layer_ids.values()} == {0.5}
    after = maps.document()
    assert [entry.layers for entry in after.entries] == [entry.layers for entry in before.entries]
    layers = {layer.id() for layer in tree(both)}
    maps.project.setCrs(QgsCoordinateReferenceSystem("EPSG:25830"))
    maps.project.setCrs(QgsCoordinateReferenceSystem("EPSG:3857"))
    wait_until(lambda: not maps.mirror.crs_timer.isActive() and not maps.adding, 10)
    assert {layer.id() for layer in tree(both)} == layers, "what is only tried out requests nothing"


def test_a_hidden_layer_and_an_opacity_of_its_own_are_saved(both, wait_until, tmp_path):  # noqa: F811
    maps, overlay = both.composer_controller.map, items(both)[1]
    name, other = overlay.entry.layers[:2]
    group(both).findLayer(overlay.layer_ids[name]).setItemVisibilityChecked(False)
    maps.project.mapLayer(overlay.layer_ids[other]).setOpacity(0.5)
    wait_until(lambda: overlay.entry.hidden and overlay.entry.layer_opacities, 5)
    path = tmp_path / "mapa.custommap.json"
    both.composer_controller.documents.save_to(path)
    assert read_document(path.read_bytes()).overlays[0] == overlay.entry
    both.composer_controller.documents.open_file(path)
    done(both, wait_until, 2)
    opened = items(both)[1]
    assert not group(both).findLayer(opened.layer_ids[name]).itemVisibilityChecked()
    assert maps.project.mapLayer(opened.layer_ids[other]).opacity() == pytest.approx(0.5)


def test_one_service_twice_on_a_map_stays_twice(both, wait_until, tmp_path):  # noqa: F811
    maps = both.composer_controller.map
    path = tmp_path / "dos.custommap.json"
    both.composer_controller.documents.save_to(path)
    text = json.loads(path.read_text(encoding="utf-8"))
    text["overlays"].append(dict(text["overlays"][0], opacity=0.5))
    path.write_text(json.dumps(text), encoding="utf-8")
    both.composer_controller.documents.open_file(path)
    done(both, wait_until, 3)
    assert [entry.opacity for entry in maps.document().overlays] == [1.0, 0.5]
    project = tmp_path / "dos.qgz"
    written = maps.document()
    assert maps.project.write(str(project))
    maps.project.clear()
    assert maps.project.read(str(project))
    done(both, wait_until, 3)
    assert maps.document() == written
    assert {layer_id for item in items(both) for layer_id in item.layer_ids.values()} == set(maps.project.mapLayers())


# -- services that do not respond


def draw(layer, wait_until):
    """Draw a layer as the map canvas does."""
    view = QgsMapSettings()
    view.setLayers([layer])
    view.setDestinationCrs(layer.crs())
    view.setExtent(QgsRectangle(440_000, 4_240_000, 460_000, 4_255_000))
    view.setOutputSize(QSize(200, 150))
    job = QgsMapRendererParallelJob(view)
    job.start()
    wait_until(lambda: not job.isActive(), 30)


def dead_map(dock, path, endpoint="http://127.0.0.1:9/gone?", **changes):  # noqa: F811
    """The map's document at ``path``, whose overlay points to nothing."""
    dock.composer_controller.documents.save_to(path)
    text = json.loads(path.read_text(encoding="utf-8"))
    text["overlays"][0].update(endpoint=endpoint, **changes)
    path.write_text(json.dumps(text), encoding="utf-8")
    return text


def test_a_map_with_a_dead_address_says_so_on_the_row_in_one_message_and_beside_the_group(
        both, wait_until, tmp_path):  # noqa: F811
    settings.set("retries", 0)
    actions, path = both.composer_controller, tmp_path / "muerto.custommap.json"
    right = items(both)[1].entry.endpoint
    dead_map(both, path)
    QgsProject.instance().clear()
    before, suggested = len(both.messages.history), []
    actions.suggestions.suggestions_changed.connect(suggested.append)
    actions.documents.open_file(path)
    done(both, wait_until, 2)
    actions.refresh_view()
    wait_until(lambda: suggested and suggested[-1], 20)
    assert right not in [one.candidate.endpoint for one in suggested[-1]], "it is on the map already"
    (level, text), = both.messages.history[before:]
    assert level == MessageLevel.WARNING and "missing: “" in text
    row = next(row for row in both.composer.rows.rows if row.state.problem)
    assert "does not respond" in row.state.problem and row.remedy_button is not None
    assert [action.text() for action in row.remedy_button.menu().actions()] == [
        "Use the record's address", "Try again", "Leave it out"]
    assert [both.note.details.text(), *(button.text() for button in both.note.more_buttons)] == [
        "Use the record's address", "Try again", "Leave it out", "Details…"]
    assert tree(both), "what responds is drawn"
    both.note.details.click()
    done(both, wait_until, 2)
    actions.refresh_view()
    assert not both.note.isVisible(), "the message goes with its reason"
    assert items(both)[1].entry.endpoint == right and len(items(both)[1].layer_ids) == 3
    assert not any(row.state.problem for row in both.composer.rows.rows)
    # the repair is this map's alone
    dead_map(both, tmp_path / "otro.custommap.json")
    actions.documents.open_file(path)
    done(both, wait_until, 2)
    unavailable = actions.layers.unavailable
    unavailable.apply(ServiceRemedy.NEW_ADDRESS, unavailable.parts())
    assert "used by 1 other saved map: “otro.custommap.json”." in both.messages.history[-1][1]


def test_trying_again_brings_a_service_that_is_back(both, network, wait_until, tmp_path):  # noqa: F811
    settings.set("retries", 0)
    actions, maps = both.composer_controller, both.composer_controller.map
    path = tmp_path / "mapa.custommap.json"
    actions.documents.save_to(path)
    overlay = items(both)[1].entry
    QgsProject.instance().clear()
    both.session.services.forget(overlay.endpoint)
    network.fault({"match": {"request": "GetCapabilities", "endpoint": "facilities"},
                   "action": {"type": "status", "code": 503}})
    both.session.services.save_to(None)
    both.session.load_service(overlay.endpoint, refresh=True)
    wait_until(lambda: both.session.service_state(overlay.endpoint).error is not None, 30)
    actions.documents.open_file(path)
    done(both, wait_until, 2)
    assert items(both)[1].is_unavailable and not items(both)[1].layer_ids
    network.reset()
    unavailable = actions.layers.unavailable
    unavailable.apply(ServiceRemedy.RETRY, unavailable.parts())
    done(both, wait_until, 2)
    assert not unavailable.parts() and items(both)[1].entry == overlay
    assert [layer.id() for layer in maps.mirror.qgis_layers(maps.plan())]


def out_of_order(dock, network, wait_until, path):  # noqa: F811
    """The map of a project that was opened again while the overlay's service does not respond."""
    settings.set("retries", 0)
    actions, project, overlay = dock.composer_controller, QgsProject.instance(), items(dock)[1].entry
    assert project.write(str(path))
    project.clear()
    wait_until(lambda: not items(dock))
    dock.session.services.save_to(None)
    dock.session.services.forget(overlay.endpoint)
    network.fault({"match": {"request": "GetCapabilities", "endpoint": "facilities"},
                   "action": {"type": "status", "code": 503}})
    dock.session.load_service(overlay.endpoint, refresh=True)
    wait_until(lambda: dock.session.service_state(overlay.endpoint).error is not None, 30)
    assert project.read(str(path))
    done(dock, wait_until, 2)
    # a reading that is under way would fail only after the service is back
    wait_until(lambda: not any(item.awaiting_service for item in items(dock)), 30)
    assert missing(dock)
    actions.refresh_view()
    return overlay


def missing(dock):  # noqa: F811
    """Whether an issue or a row says that a service is missing."""
    dock.composer_controller.refresh_view()
    maps = dock.composer_controller.map
    return any(note.is_missing for note in maps.plan().notes) or any(item.is_unavailable for item in maps.items)


@pytest.mark.parametrize("how", some(["opened again", "saved", "opened in the service tab"], 2))
def test_a_service_that_is_back_is_so_once_it_is_met_again(both, network, wait_until, tmp_path, how):  # noqa: F811
    path = tmp_path / "mapa.qgz"
    overlay, project = out_of_order(both, network, wait_until, path), QgsProject.instance()
    network.reset()
    if how == "saved":
        assert project.write(str(path))
    elif how == "opened again":
        project.clear()
        wait_until(lambda: not items(both))
        assert project.read(str(path))
    else:
        both.session.load_service(overlay.endpoint, refresh=True)
    wait_until(lambda: len(items(both)) == 2 and not both.composer_controller.map.adding and not missing(both), 30)
    assert items(both)[1].entry == overlay and len(items(both)[1].layer_ids) == 3


def test_the_layer_tree_marks_what_does_not_respond(qgis_app, qtbot):
    from qgis.core import QgsLayerTreeModel
    from qgis.gui import QgsLayerTreeView

    from plugin.ui.composer.layer_actions import TreeIndicators

    root = QgsProject.instance().layerTreeRoot()
    view = QgsLayerTreeView()
    qtbot.addWidget(view)
    model = QgsLayerTreeModel(root)
    view.setModel(model)
    clicked = []
    indicators = TreeIndicators(lambda: view, lambda: clicked.append(True))
    group = root.insertGroup(0, "Mapa")
    indicators.show([(group, "“Rutas”: its service does not respond.")])
    shown, = view.indicators(group)
    assert "Rutas" in shown.toolTip() and not shown.icon().isNull()
    shown.clicked.emit(model.node2index(group))
    assert clicked == [True]
    clone = group.clone()
    root.insertChildNode(0, clone)
    root.removeChildNode(group)
    indicators.show([(clone, "“Rutas”: its service does not respond.")])
    assert len(view.indicators(clone)) == 1
    indicators.show([])
    assert view.indicators(clone) == [] and indicators.texts == []
    # the view keeps the icons of a node that has ended, and painted them beside another one in its place, which died
    inner, left = clone.addGroup("Capa"), []
    indicators.show([(inner, "“Rutas”: its service does not respond.")])
    assert len(view.indicators(inner)) == 1

    def look(*_):
        # it ends with its own children
        if not left:
            left.append(view.indicators(inner))

    root.willRemoveChildren.connect(look)
    root.removeChildNode(clone)
    root.willRemoveChildren.disconnect(look)
    assert left == [[]] and indicators.texts == []


def test_a_service_says_how_far_it_is(both, network, wait_until):  # noqa: F811
    maps = both.composer_controller.map
    assert not any(item.is_missing or item.state.progress is Progress.FAILED for item in items(both))
    item = items(both)[1]
    maps.change_endpoints({item: "http://127.0.0.1:9/dead?"})
    assert item.state.progress is Progress.LOADING and item.failed_since is None
    wait_until(lambda: not maps.adding, 60)
    assert item.state.progress is Progress.FAILED and item.state.since is not None
    maps.undo()
    wait_until(lambda: not maps.adding, 60)
    assert not any(item.is_missing or item.state.progress is Progress.FAILED for item in items(both))
