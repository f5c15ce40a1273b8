"""The map's group in QGIS's layer tree, the document and the page agree, whatever is put into it, copied or moved."""

from __future__ import annotations

import os
from contextlib import nullcontext
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from qgis.core import (
    QgsAnnotationLayer,
    QgsCoordinateReferenceSystem,
    QgsDataProvider,
    QgsLayerTreeGroup,
    QgsProject,
    QgsRasterLayer,
)
from qgis.PyQt.QtCore import QCoreApplication, QEvent
from qgis.PyQt.QtGui import QPainter

from plugin.app.maps.map_state import AddMode, MapItem
from plugin.core.custommap.document import read_document, write_document
from plugin.core.custommap.model import CustomMap, MapEntry
from plugin.core.trust.provenance import Trust
from plugin.gis.credits.credit_audit import enter_credit, layer_facts
from plugin.gis.credits.layer_credits import layer_credit
from plugin.gis.layers.snapshot_switch import set_source
from plugin.gis.own_layers.opening import open_layer
from plugin.gis.own_layers.references import visible_layers_in_order
from plugin.gis.runtime import settings
from plugin.gis.sources.layer_source import source_key
from tests.pairwise import ALL, some
from tests.qgis.qgis_hands import LayerTree
from tests.qgis.test_copied_marks import orthophoto
from tests.qgis.test_dock_offline import fill
from tests.qgis.test_own_layers import own_points, points_file

try:
    from qgis.core import QgsGroupLayer
except ImportError:
    QgsGroupLayer = None


@pytest.fixture
def dock(network_dock, wait_until):
    made = network_dock()
    wait_until(lambda: made.model.rowCount() == 3, 20)
    fill(made, wait_until)
    return made


@pytest.fixture
def tree(qgis_app):
    return LayerTree()


@pytest.fixture
def rest(wait_until):
    """``rest(dock)``: wait until nothing is on its way, and compare what is drawn in the group with the map."""

    def settle(dock):
        def is_at_rest():
            # QGIS removes the layers of a removed group with a later event
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
            QCoreApplication.processEvents()
            dock.map.flush()
            return not dock.map.adding and not dock.map.mirror.tree_timer.isActive()

        for _ in range(3):
            wait_until(is_at_rest)
        dock.composer_controller.refresh_view()
        assert_agrees(dock)

    return settle


def group(dock):
    return dock.map.mirror.find_group()


def drawn_in_group(dock):
    """The layers that the canvas draws of the map's group, topmost first."""
    return [node.layer() for node in group(dock).findLayers()
            if node.layer() is not None and node.isVisible()] if group(dock) is not None else []


def page_layers(dock):
    """The layers that a page draws, topmost first."""
    plan = dock.map.plan()
    layers = visible_layers_in_order(plan, dock.map.mirror.qgis_layers(plan), dock.map.project)
    return list(reversed(layers))


def findings(dock):
    """The issues that the composer shows."""
    return list(dock.composer.findings.findings)


def assert_agrees(dock):
    """Each layer that is drawn in the group is on the page in the same order, or stands as an issue."""
    told = {finding.layer_id for finding in findings(dock) if finding.rule == "not-on-map"}
    drawn = [layer.id() for layer in drawn_in_group(dock) if layer.isValid()]
    assert [layer_id for layer_id in drawn if layer_id not in told] == [layer.id() for layer in page_layers(dock)]


def service_layer(dock, name):
    """The map's QGIS layer of a WMS layer."""
    return next(dock.map.project.mapLayer(item.layer_ids[name]) for item in dock.map.items if name in item.layer_ids)


# -- put into the group


def test_a_duplicated_layer_is_a_second_entry_of_its_service_hidden_where_it_is_not_ticked(dock, tree, rest):
    layer = service_layer(dock, "carreteras")
    copy = tree.duplicate(layer)
    tree.root.findLayer(copy.id()).setItemVisibilityChecked(True)
    rest(dock)
    entry = next(item.entry for item in dock.map.items if copy.id() in item.layer_ids.values())
    of_service = dock.map.document().base
    assert (entry.endpoint, entry.layers, entry.record_id) == (of_service.endpoint, ("carreteras",),
                                                               of_service.record_id)
    assert entry.credit == of_service.credit and layer_credit(copy) == layer_credit(layer) != ""
    assert copy.name() == "carreteras copy" or copy.name().endswith("copy")
    assert dock.map.custom_map.history.can_undo
    dock.map.undo()
    rest(dock)
    assert len(dock.map.items) == 2 and copy.id() not in group(dock).findLayerIds()
    assert dock.map.project.mapLayer(copy.id()) is copy, "a layer that somebody made is not removed by Undo"
    dock.map.redo()
    rest(dock)
    assert copy.id() in group(dock).findLayerIds() and [dict(item.layer_ids) for item in dock.map.items][1:] == [
        {"carreteras": copy.id()}, {"miradores": service_layer(dock, "miradores").id()}]
    dock.map.undo()
    rest(dock)
    assert dock.map.project.mapLayer(copy.id()) is copy and tree.root.findLayer(copy.id()) is not None
    copy = tree.duplicate(service_layer(dock, "miradores"))
    rest(dock)
    entry = next(item.entry for item in dock.map.items if copy.id() in item.layer_ids.values())
    assert not entry.visible and entry.opacity == 0.5


def test_a_service_of_the_project_is_an_entry_once_it_is_dragged_into_the_group(dock, tree, rest, wait_until):
    row = next(row for row in range(3) if "quipamientos" in dock.model.index(row).data())
    dock.list.setCurrentIndex(dock.model.index(row))
    dock.pages.open_record()
    before = set(dock.map.project.mapLayers())
    dock.map_additions.add_selected(AddMode.PROJECT_ONLY)
    wait_until(lambda: set(dock.map.project.mapLayers()) - before)
    new = set(dock.map.project.mapLayers()) - before
    plain = next(one for one in tree.root.findGroups() if new.issubset(one.findLayerIds()))
    assert len(dock.map.items) == 2
    tree.drag(plain, group(dock), 0)
    rest(dock)
    item = next(item for item in dock.map.items if new & set(item.layer_ids.values()))
    assert set(item.layer_ids.values()) == new and item.entry.record_id == dock.map.document().overlays[0].record_id
    credit = layer_credit(service_layer(dock, "miradores"))
    assert all(layer_credit(dock.map.project.mapLayer(layer_id)) == credit for layer_id in new)
    assert item.entry.credit == dock.map.document().overlays[0].credit and item.entry.credit.line == credit


def test_a_layer_of_another_program_is_an_own_layer(dock, tree, rest, network):
    layer = QgsRasterLayer(service_layer(dock, "miradores").source().replace("miradores", "kioscos"), "Kioscos", "wms")
    assert layer.isValid()
    tree.add(layer, group(dock))
    rest(dock)
    assert [own.name for own in dock.map.document().own_layers] == ["Kioscos"]


def test_what_a_document_cannot_refer_to_is_an_issue_with_a_remedy(dock, tree, rest, tmp_path):
    notes = QgsAnnotationLayer("Notas", QgsAnnotationLayer.LayerOptions(dock.map.project.transformContext()))
    tree.add(notes, group(dock))
    rest(dock)
    (finding,) = [one for one in findings(dock) if one.rule == "not-on-map"]
    assert "Notas" in finding.service_title and [one.label for one in finding.remedies] == ["Leave it out"]
    row = next(row for row in dock.composer.findings.rows if row.finding is finding)
    row.buttons[-1].click()
    rest(dock)
    assert notes.id() not in group(dock).findLayerIds() and dock.map.project.mapLayer(notes.id()) is notes
    assert tree.root.findLayer(notes.id()).isVisible(), "the person may still look at it"
    assert not [one for one in findings(dock) if one.rule == "not-on-map"]


def test_a_layer_whose_style_is_too_large_is_an_issue_once_and_is_added_when_it_is_smaller(
        dock, tree, rest, tmp_path, monkeypatch):
    from plugin.gis.own_layers import references

    shown = []
    dock.map.failed.connect(shown.append)
    monkeypatch.setattr(references, "MAX_STYLE", 10)
    layer = tree.add(own_points(tmp_path), group(dock))
    rest(dock)
    rest(dock)
    (finding,) = [one for one in findings(dock) if one.rule == "not-on-map"]
    assert "too large" in finding.message
    assert [one.label for one in finding.remedies] == ["Add to the map", "Leave it out"]
    monkeypatch.undo()
    next(row for row in dock.composer.findings.rows if row.finding is finding).buttons[0].click()
    rest(dock)
    assert [item.layer_id for item in dock.map.own_items] == [layer.id()] and not shown
    assert not [one for one in findings(dock) if one.rule == "not-on-map"]


# -- the group copied and moved


def test_a_copied_group_is_a_plain_one_that_can_be_opened_as_a_map(dock, tree, rest, tmp_path, wait_until):
    dock.map.add_own_layer(tree.add(own_points(tmp_path), tree.root))
    rest(dock)
    before, ids = dock.map.document(), group(dock).findLayerIds()
    tree.paste(tree.copy(group(dock)))
    rest(dock)
    assert dock.map.document() == before and group(dock).findLayerIds() == ids
    (copy,) = [one for one in tree.groups("Un mapa") if one.findLayerIds() != ids]
    assert "Un mapa" in dock.note.text_label.text() and dock.note.details.text() == "Open as custom map"
    copied = set(copy.findLayerIds())
    tree.paste(tree.copy(group(dock)))
    rest(dock)
    assert dock.note.isVisible()
    tree.run("RemoveGroupOrLayer", next(one for one in tree.groups("Un mapa") if one not in (copy, group(dock))))
    rest(dock)
    assert not dock.note.isVisible(), "nothing is offered for a group that was removed"
    tree.run("RemoveGroupOrLayer", copy)
    rest(dock)
    tree.paste(tree.copy(group(dock)))
    rest(dock)
    (copy,) = [one for one in tree.groups("Un mapa") if one.findLayerIds() != ids]
    copied = set(copy.findLayerIds())
    dock.note.details.click()
    rest(dock)
    assert not dock.note.isVisible() or "plain group" not in dock.note.text_label.text()
    assert set(group(dock).findLayerIds()) == copied, "its own layers are the map's"
    assert [part.layers if isinstance(part, MapEntry) else part.name for part in dock.map.document().stack] == [
        part.layers if isinstance(part, MapEntry) else part.name for part in before.stack]
    assert set(ids) <= set(dock.map.project.mapLayers()), "the map before stays, as a plain group"


@pytest.mark.parametrize(("order", "with_own_layer"), some(product(
    ["copy, paste, delete", "copy, delete, paste"], [True, False]), 4))
def test_a_group_moved_by_the_clipboard_stays_this_map(dock, tree, rest, tmp_path, order, with_own_layer):
    if with_own_layer:
        dock.map.add_own_layer(tree.add(own_points(tmp_path), tree.root))
    rest(dock)
    before = dock.map.document()
    own, credits = [layer.name for layer in before.own_layers], [layer_credit(one) for one in page_layers(dock)]
    mine, folder = group(dock), tree.root.addGroup("Carpeta")
    copied = tree.copy(mine)
    for step in order.split(", ")[1:]:
        if step == "paste":
            tree.paste(copied, folder)
        else:
            tree.run("RemoveGroupOrLayer", mine)
        rest(dock)
    assert group(dock).parent().name() == "Carpeta"
    after = dock.map.document()
    assert after.entries == before.entries and after.title == "Un mapa" and after.extent == before.extent
    assert [layer.name for layer in after.own_layers] == own
    assert [layer_credit(one) for one in page_layers(dock)] == credits
    assert dock.map.custom_map.history.undo_label, "what was done before can be undone"


def test_a_map_pasted_into_a_new_project_is_known_at_once(dock, tree, rest):
    before, copied = dock.map.document(), tree.copy(group(dock))
    QgsProject.instance().clear()
    rest(dock)
    assert not dock.map.stack
    tree.paste(copied)
    rest(dock)
    assert dock.map.document().entries == before.entries and dock.map.title() == "Un mapa"
    assert len(dock.composer.rows.rows) == 2
    assert group(dock).findLayers()


@pytest.mark.parametrize("has_pause", some([True, False], 2))
def test_a_group_dragged_into_another_one_stays_this_map(dock, tree, rest, has_pause):
    before = dock.map.document()
    tree.drag(group(dock), tree.root.addGroup("Carpeta"), 0, (lambda: rest(dock)) if has_pause else None)
    rest(dock)
    assert dock.map.document() == before and group(dock).parent().name() == "Carpeta"


def test_the_layers_of_a_map_pasted_into_the_map_are_on_it(dock, tree, rest):
    tree.paste(tree.copy(group(dock)), group(dock))
    rest(dock)
    assert len(page_layers(dock)) == 6 and len(dock.map.items) == 4
    assert [entry.endpoint for entry in dock.map.document().entries].count(dock.map.document().base.endpoint) == 2
    assert [one.customProperty("cartoguide/map") for one in tree.root.findGroups(True)].count("Un mapa") == 1


def test_a_deleted_group_beside_a_copy_of_another_state_leaves_the_copy_alone(dock, tree, rest):
    mine = group(dock)
    tree.paste(tree.copy(mine))
    rest(dock)
    dock.map.set_title("Otro título")
    rest(dock)
    (copy,) = tree.groups("Un mapa")
    kept = {name: copy.customProperty(name) for name in copy.customProperties()}
    tree.run("RemoveGroupOrLayer", group(dock))
    rest(dock)
    assert not dock.map.stack
    (copy,) = tree.groups("Un mapa")
    assert {name: copy.customProperty(name) for name in copy.customProperties()} == kept


def test_a_project_with_a_copy_opens_with_the_map_and_not_with_the_copy(dock, tree, rest, tmp_path):
    tree.paste(tree.copy(group(dock)))
    # above the map
    copy = next(one for one in tree.groups("Un mapa") if one.findLayerIds() != group(dock).findLayerIds())
    tree.drag(copy, tree.root, 0)
    rest(dock)
    dock.map.set_title("El bueno")
    rest(dock)
    ids = group(dock).findLayerIds()
    assert QgsProject.instance().write(str(tmp_path / "a.qgz"))
    QgsProject.instance().clear()
    assert QgsProject.instance().read(str(tmp_path / "a.qgz"))
    rest(dock)
    assert dock.map.title() == "El bueno" and group(dock).findLayerIds() == ids


@pytest.mark.parametrize("cases", [[(drawn, reopened)] for drawn, reopened in product(
    ["another service", "another layer", "a file"], [False, True])] if ALL else [
    [("another service", False), ("a file", False), ("another layer", True)]])
def test_a_layer_whose_source_somebody_changes_is_no_layer_of_its_service_any_more(dock, tree, rest, tmp_path, cases):
    entries = dock.map.document().entries
    for drawn, reopened in cases:
        layer = service_layer(dock, "miradores")
        credit = layer_credit(layer)
        guide = service_layer(dock, "carreteras").source().replace("carreteras", "limite_parque")
        source, provider = {"another service": (guide, "wms"), "a file": (orthophoto(tmp_path).source(), "gdal"),
                            "another layer": (layer.source().replace("miradores", "kioscos"), "wms")}[drawn]
        with dock.map.mirror.writing() if reopened else nullcontext():
            layer.setDataSource(source, layer.name(), provider, QgsDataProvider.ProviderOptions())
        layer_id = layer.id()
        if reopened:
            assert QgsProject.instance().write(str(tmp_path / "a.qgz"))
            QgsProject.instance().clear()
            assert QgsProject.instance().read(str(tmp_path / "a.qgz"))
        rest(dock)
        document, layer = dock.map.document(), dock.map.project.mapLayer(layer_id)
        assert [entry.layers for entry in document.entries] == [("limite_parque", "carreteras")], drawn
        assert [(own.id, own.source) for own in document.own_layers] == [(layer_id, layer.source())]
        # the credit of a service stays with its other layers, until somebody enters another one
        shown = credit if drawn == "another layer" else ""
        assert layer_facts(layer).record_id == "" and document.own_layers[0].credit == shown == layer_credit(layer)
        if reopened:
            continue
        dock.map.undo()
        rest(dock)
        assert dock.map.document().entries == entries and not dock.map.own_items, drawn
        assert layer_credit(service_layer(dock, "miradores")) == credit and tree.root.findLayer(layer_id) is not None
        assert service_layer(dock, "miradores").id() != layer_id and layer_id not in group(dock).findLayerIds()


def test_a_style_of_the_service_in_a_layers_source_is_in_the_document_and_can_be_undone(dock, rest):
    layer = service_layer(dock, "carreteras")
    before, source = dock.map.document().entries, layer.source()
    layer.setDataSource(source.replace("styles=&", "styles=default&"), layer.name(), "wms",
                        QgsDataProvider.ProviderOptions())
    assert "styles=default" in layer.source()
    rest(dock)
    entry, = [one for one in dock.map.document().entries if "carreteras" in one.layers]
    assert dict(zip(entry.layers, entry.styles)) == {"limite_parque": "", "carreteras": "default"}
    assert service_layer(dock, "carreteras").id() == layer.id(), "what is drawn already is not made again"
    dock.map.undo()
    rest(dock)
    assert dock.map.document().entries == before
    assert "styles=default" not in service_layer(dock, "carreteras").source()
    dock.map.redo()
    rest(dock)
    assert "styles=default" in service_layer(dock, "carreteras").source()


def test_filter_scales_file_and_reference_system_of_an_own_layer_are_in_the_document_and_can_be_undone(dock, tree, rest,
                                                                                                       tmp_path):
    layer = tree.add(own_points(tmp_path), group(dock))
    rest(dock)
    for change in (filter_and_limit, change_file, change_crs):
        change(dock, tree, rest, layer, tmp_path)


def filter_and_limit(dock, tree, rest, layer, tmp_path):
    assert layer.setSubsetString("\"kind\" = 'a'")
    rest(dock)
    assert dock.map.document().own_layers[0].source == layer.source() and "kind" in layer.source()
    dock.map.undo()
    rest(dock)
    assert layer.subsetString() == "" and dock.map.document().own_layers[0].source == layer.source()
    # as "Set Layer Scale Visibility…" does
    layer.setScaleBasedVisibility(True)
    layer.setMinimumScale(12345)
    layer.triggerRepaint()
    rest(dock)
    assert 'minScale="12345"' in dock.map.document().own_layers[0].style
    dock.map.undo()
    rest(dock)
    assert not layer.hasScaleBasedVisibility()


def change_file(dock, tree, rest, layer, tmp_path):
    layer.setSubsetString("\"kind\" = 'a'")
    rest(dock)
    before, other = layer.source(), str(points_file(tmp_path, "otros.geojson"))
    # as "Change Data Source…" does
    layer.setDataSource(other, layer.name(), "ogr", QgsDataProvider.ProviderOptions())
    rest(dock)
    credit = layer_credit(layer)
    for step, source in ((dock.map.undo, before), (dock.map.redo, other)):
        step()
        rest(dock)
        assert layer.source() == dock.map.document().own_layers[0].source == source
        assert layer.isValid() and layer_credit(layer) == credit != ""


def change_crs(dock, tree, rest, layer, tmp_path):
    assert dock.map.document().own_layers[0].crs == ""
    # as "Set Layer CRS…" does
    layer.setCrs(QgsCoordinateReferenceSystem("EPSG:3857"))
    rest(dock)
    dock.map.undo()
    rest(dock)
    assert layer.crs().authid() == "EPSG:4326"
    dock.map.redo()
    rest(dock)
    assert layer.crs().authid() == "EPSG:3857"
    own = read_document(write_document(dock.map.document())).own_layers[0]
    assert open_layer(replace(own, trust=Trust.OWN)).crs().authid() == "EPSG:3857"
    # the layer of a file is opened anew
    tree.run("RemoveGroupOrLayer", tree.root.findLayer(layer.id()))
    rest(dock)
    dock.map.undo()
    rest(dock)
    assert page_layers(dock)[0].crs().authid() == "EPSG:3857"


def test_undo_draws_no_file_of_a_foreign_map_that_has_become_another_one(dock, tree, rest, tmp_path):
    layer = tree.add(own_points(tmp_path), group(dock))
    rest(dock)
    item = dock.map.own_items[0]
    file, other = Path(layer.source().partition("|")[0]), str(points_file(tmp_path, "otros.geojson"))
    dock.map.custom_map.set_layers({item: replace(item.own, trust=Trust.AGREED, agreed_file=os.path.realpath(file))})
    dock.map.set_opacity(dock.map.stack.index(item), 0.5)
    rest(dock)
    layer.setDataSource(other, layer.name(), "ogr", QgsDataProvider.ProviderOptions())
    rest(dock)
    secret = points_file(tmp_path, "secretos.geojson")
    file.unlink()
    file.symlink_to(secret)
    dock.map.undo()
    rest(dock)
    assert layer.source() == other and "replaced by a link" in dock.map.own_items[0].problem


def test_a_style_that_was_pasted_leaves_the_map_s_layers_their_records(dock, tree, rest):
    first, second = service_layer(dock, "carreteras"), service_layer(dock, "miradores")
    before = layer_facts(second), layer_credit(second)
    tree.paste_style(first, second)
    rest(dock)
    assert (layer_facts(second), layer_credit(second)) == before
    # another order of drawing is an issue until it is that of the tree
    order = tree.root.layerOrder()
    tree.root.setCustomLayerOrder(order)
    tree.root.setHasCustomLayerOrder(True)
    rest(dock)
    assert not [one for one in findings(dock) if one.rule == "layer-order"], "it is the same"
    tree.root.setCustomLayerOrder(order[::-1])
    rest(dock)
    (finding,) = [one for one in findings(dock) if one.rule == "layer-order"]
    dock.composer_controller.preflight.apply_remedy(finding)
    rest(dock)
    assert tree.root.layerOrder() == order and not [one for one in findings(dock) if one.rule == "layer-order"]
    # a layer that is being dragged lies at two places for a while
    node = tree.root.findLayer(service_layer(dock, "limite_parque").id())
    # what is read in between is not compared
    tree.drag(node, tree.root, 0, dock.map.flush)
    rest(dock)
    assert sorted(dock.map.document().base.layers) == ["carreteras", "limite_parque"]


def test_a_group_is_pasted_with_a_layer_that_qgis_does_not_copy(dock, tree, rest):
    notes = QgsAnnotationLayer("Notas", QgsAnnotationLayer.LayerOptions(dock.map.project.transformContext()))
    tree.add(notes, group(dock))
    rest(dock)
    before = dock.map.document()
    mine = group(dock)
    tree.paste(tree.copy(mine))
    tree.run("RemoveGroupOrLayer", mine)
    rest(dock)
    assert dock.map.document() == before and len(page_layers(dock)) == 3


# -- a group that QGIS draws as one layer


def draw_as_one(dock, one, opacity=1.0, blend=None):
    """Do "Render Layers as a Group" of QGIS's layer styling."""
    made = one.convertToGroupLayer(QgsGroupLayer.LayerOptions(dock.map.project.transformContext()))
    dock.map.project.addMapLayer(made, False)
    made.setOpacity(opacity)
    if blend is not None:
        made.setBlendMode(blend)
    made.triggerRepaint()
    return made


@pytest.mark.skipif(not hasattr(QgsLayerTreeGroup, "groupLayer"), reason="QGIS before 3.24 draws no group as one layer")
@pytest.mark.parametrize("which", some(["around", "map", "service"], 2))
def test_a_group_that_is_drawn_as_one_layer_is_an_issue_until_it_is_not(dock, tree, rest, which):
    mine = group(dock)
    if which == "around":
        tree.drag(mine, tree.root.addGroup("Carpeta"), 0)
        rest(dock)
    one = {"map": group(dock), "service": group(dock).findGroups()[0], "around": group(dock).parent()}[which]
    layer = draw_as_one(dock, one)
    rest(dock)
    before, credits = page_layers(dock), dock.map.credit_lines()
    assert not [finding for finding in findings(dock) if finding.rule == "group-as-one"], "it looks the same"
    layer.setOpacity(0.5)
    rest(dock)
    (finding,) = [finding for finding in findings(dock) if finding.rule == "group-as-one"]
    assert finding.service_title == one.name() and "opacity 50 %" in finding.message
    layer.setOpacity(1)
    layer.setBlendMode(QPainter.CompositionMode.CompositionMode_Multiply)
    layer.triggerRepaint()
    rest(dock)
    (finding,) = [finding for finding in findings(dock) if finding.rule == "group-as-one"]
    assert "blending mode" in finding.message and "opacity" not in finding.message
    row = next(row for row in dock.composer.findings.rows if row.finding is finding)
    assert [button.text() for button in row.buttons] == ["Draw them one by one"]
    row.buttons[0].click()
    rest(dock)
    assert one.groupLayer() is None and not [one for one in findings(dock) if one.rule == "group-as-one"]
    assert page_layers(dock) == before and dock.map.credit_lines() == credits
    assert set(before) <= set(tree.root.layerOrder()), "the canvas draws them one by one"


@pytest.mark.skipif(not hasattr(QgsLayerTreeGroup, "groupLayer"), reason="QGIS before 3.24 draws no group as one layer")
def test_a_group_that_is_drawn_as_one_layer_is_told_of_in_a_saved_project(dock, tree, rest, tmp_path):
    draw_as_one(dock, group(dock), 0.5)
    rest(dock)
    assert QgsProject.instance().write(str(tmp_path / "a.qgz"))
    QgsProject.instance().clear()
    assert QgsProject.instance().read(str(tmp_path / "a.qgz"))
    rest(dock)
    assert group(dock).groupLayer() is not None
    assert [finding.rule for finding in findings(dock) if finding.rule == "group-as-one"] == ["group-as-one"]
    group(dock).groupLayer().setOpacity(1)
    rest(dock)
    assert not [finding for finding in findings(dock) if finding.rule == "group-as-one"]


# -- what belongs to whom


def test_a_layer_put_into_the_subgroup_of_its_service_belongs_to_it(dock, tree, rest):
    base = dock.map.items[0]
    subgroup = next(one for one in group(dock).findGroups() if base.layer_ids["carreteras"] in one.findLayerIds())
    contours = tree.duplicate(service_layer(dock, "carreteras"))
    rest(dock)
    dock.map.undo()
    rest(dock)
    # as "Add to the project only" marks it
    set_source(contours, contours.source().replace("carreteras", "curvas_nivel"), "wms")
    for name, value in (("layer", "curvas_nivel"), ("source", source_key(contours))):
        contours.setCustomProperty(f"cartoguide/{name}", value)
    contours.setName("Curvas de nivel")
    tree.root.findLayer(contours.id()).setItemVisibilityChecked(True)
    ids = dict(base.layer_ids)
    tree.drag(tree.root.findLayer(contours.id()), subgroup, 0)
    rest(dock)
    assert len(dock.map.items) == 2 and not dock.map.own_items
    assert dock.map.items[0].layer_ids == {**ids, "curvas_nivel": contours.id()}
    assert sorted(dock.map.document().base.layers) == ["carreteras", "curvas_nivel", "limite_parque"]
    assert contours.id() in [layer.id() for layer in page_layers(dock)]
    dock.map.undo()
    rest(dock)
    assert dock.map.items[0].layer_ids == ids and dock.map.project.mapLayer(contours.id()) is contours
    assert contours.id() not in group(dock).findLayerIds(), "what the person made is not removed by Undo"
    dock.map.redo()
    rest(dock)
    assert dock.map.items[0].layer_ids == {**ids, "curvas_nivel": contours.id()}


def test_a_refused_layer_with_the_mark_of_another_own_layer_stays_and_is_an_issue(dock, tree, rest, tmp_path,
                                                                                  monkeypatch):
    from plugin.app.maps import project_mirror

    tree.add(own_points(tmp_path), group(dock))
    rest(dock)
    monkeypatch.setattr(project_mirror, "MAX_OWN_LAYERS", 1)
    (tmp_path / "other").mkdir()
    other = own_points(tmp_path / "other")
    # as a style of another map's layer brings it
    other.setCustomProperty("cartoguide/own_layer", "of-another-map")
    tree.add(other, group(dock))
    rest(dock)
    assert other.id() in group(dock).findLayerIds()
    assert [one.layer_id for one in findings(dock) if one.rule == "not-on-map"] == [other.id()]


def test_an_own_layer_that_is_removed_from_the_map_lies_above_its_group(dock, tree, rest, tmp_path):
    layer = tree.add(own_points(tmp_path), group(dock))
    rest(dock)
    dock.map.remove(dock.map.stack.index(dock.map.own_items[0]))
    rest(dock)
    assert dock.map.project.mapLayer(layer.id()) is layer and tree.root.children()[0].name() == layer.name()


def test_what_was_removed_from_a_map_is_not_put_on_another_one(dock, tree, rest):
    documents, before = dock.composer_controller.documents, dock.map.document()
    for way in ("opened copy", "new map", "document", "project", "pasted"):
        if not dock.map.stack:
            documents.open_document(before)
            rest(dock)
        copied = tree.copy(group(dock))
        if way == "opened copy":
            tree.paste(copied)
            rest(dock)
        dock.map.remove(1)
        rest(dock)
        assert dock.note.isVisibleTo(dock) and dock.note.details.text() == "Undo", way
        if way == "opened copy":
            documents.open_group(next(one for one in tree.groups("Un mapa") if one is not group(dock)))
        elif way == "new map":
            documents.new()
        elif way == "document":
            documents.open_document(CustomMap("Otro", "es", crs="EPSG:25830"))
        elif way == "project":
            QgsProject.instance().clear()
        else:
            tree.run("RemoveGroupOrLayer", group(dock))
            rest(dock)
            tree.paste(copied)
        rest(dock)
        assert "removed from the map" not in dock.note.text_label.text() or not dock.note.isVisibleTo(dock), way


def test_a_copy_that_lost_a_layer_before_it_is_opened_names_it_and_loads_it_again(dock, tree, rest):
    tree.paste(tree.copy(group(dock)))
    rest(dock)
    copy = next(one for one in tree.groups("Un mapa") if one is not group(dock))
    lost = next(node for node in copy.findLayers() if "carreteras" in node.layer().source())
    name = lost.name()
    tree.run("RemoveGroupOrLayer", lost)
    dock.composer_controller.documents.open_group(copy)
    rest(dock)
    (finding,) = [one for one in findings(dock) if one.rule == "missing"]
    assert finding.message == f"Layers missing: {name}."
    dock.composer_controller.preflight.apply_remedy(finding)
    rest(dock)
    assert service_layer(dock, "carreteras") in page_layers(dock)
    assert "missing" not in [one.rule for one in findings(dock)]


def test_a_layer_that_returns_has_the_credit_of_today(dock, tree, rest, tmp_path):
    # reopened twice: the document has the credit of when the service was added
    for way in ("reopened", "Undo", "put back", "removed in QGIS", "reopened again"):
        if way.startswith("reopened"):
            assert QgsProject.instance().write(str(tmp_path / "a.qgz"))
            QgsProject.instance().clear()
            assert QgsProject.instance().read(str(tmp_path / "a.qgz"))
            rest(dock)
        layer, item = service_layer(dock, "miradores"), dock.map.items[1]
        if way == "removed in QGIS":
            tree.run("RemoveGroupOrLayer", tree.root.findLayer(layer.id()))
        else:
            dock.map.remove(1)
        rest(dock)
        settings.set("credit_pattern", f"{{owner}}, de hoy: {way}")
        dock.session.apply_settings(["credit_pattern"])
        rest(dock)
        if way == "put back":
            dock.map.insert(MapItem(item.entry), 1)
        else:
            dock.map.undo()
        rest(dock)
        assert service_layer(dock, "miradores") is layer, way
        (line,) = dock.map.plan().credits[1].lines
        assert f"de hoy: {way}" in line and layer_credit(layer) == line and layer_facts(layer).credit == (line,)


def test_a_credit_that_somebody_entered_returns_with_its_layer(dock, tree, rest):
    layer = service_layer(dock, "miradores")
    enter_credit(dock.map.project, [layer.id()], "© Ana, a mano")
    dock.map.remove(1)
    rest(dock)
    dock.map.undo()
    rest(dock)
    assert service_layer(dock, "miradores") is layer and layer_credit(layer) == "© Ana, a mano"


def test_a_service_without_a_record_whose_maps_come_from_another_host_stays_as_it_is(dock, tree, rest, network):
    """Its layers are marked with the address of the maps. A change of the tree made another service of them."""
    address = network.endpoints["facilities"].replace("127.0.0.1", "localhost")
    entries = tuple(MapEntry(address, f"Capa {number}", layers=("aparcamientos", "fuentes"), styles=("", ""))
                    for number in range(2))
    dock.composer_controller.documents.open_document(CustomMap("Otra dirección", "es", None, entries))
    rest(dock)
    before = dock.map.document().entries
    layers = {frozenset(item.layer_ids.values()) for item in dock.map.items}
    assert [entry.endpoint for entry in before] == [address] * 2 and all(len(ids) == 2 for ids in layers)
    group(dock).findLayers()[0].setItemVisibilityChecked(False)
    rest(dock)
    node = group(dock).findLayers()[-1]
    node.parent().removeChildNode(node)
    rest(dock)
    after = dock.map.document().entries
    assert [(entry.endpoint, entry.title, entry.credit) for entry in after] == [
        (entry.endpoint, entry.title, entry.credit) for entry in before]
    assert sorted(len(entry.layers) for entry in after) == [1, 2]
    ids = {layer_id for item in dock.map.items for layer_id in item.layer_ids.values()}
    assert ids == set(dock.map.project.mapLayers()) and ids < frozenset().union(*layers)
    # in another project its layers have other ids
    copied = tree.copy(group(dock))
    dock.map.project.clear()
    rest(dock)
    tree.paste(copied)
    pasted = set(dock.map.project.mapLayers())
    rest(dock)
    ids = {layer_id for item in dock.map.items for layer_id in item.layer_ids.values()}
    assert len(ids) == 3 and ids == pasted == set(dock.map.project.mapLayers())
    assert dock.map.document().entries == after
