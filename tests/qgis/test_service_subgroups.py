"""The sub-group of each service in the layer tree: read into the document, shown again, saved, printed."""

from __future__ import annotations

from dataclasses import replace

import pytest
from qgis.core import QgsAnnotationLayer, QgsLayerTreeGroup, QgsLayerTreeModel, QgsProject
from qgis.gui import QgsLayerTreeView
from qgis.PyQt.QtCore import QCoreApplication

from plugin.app.maps.map_state import LayerChoice, entry_shown, entry_with_group_ticks
from plugin.core.custommap.model import MapEntry, MapRole
from plugin.gis.layers import project_document
from plugin.gis.layers.project_group import SUBGROUP_PROPERTY, is_subgroup
from plugin.gis.runtime import settings
from tests.qgis.print_maps import PARK, composed, small_map
from tests.qgis.test_dock_map import both, dock, few, group, items  # noqa: F401 - fixtures
from tests.qgis.test_dock_offline import fill, on_map, printed, shows, take
from tests.qgis.test_own_layers import own_points

ENTRY = MapEntry("http://localhost/wms?", "Servicio", layers=("a", "b", "c"), styles=("", "", ""))


def shape(node):
    """A node with its tick, and a group with what is in it too."""
    if isinstance(node, QgsLayerTreeGroup):
        return node.name(), node.itemVisibilityChecked(), [shape(child) for child in node.children()]
    return node.name(), node.itemVisibilityChecked()


def shapes(dock):  # noqa: F811
    return [shape(node) for node in group(dock).children()]


def subgroup_of(dock, item):  # noqa: F811
    """The sub-group of a service on the map."""
    return next(node for node in group(dock).children()
                if is_subgroup(node) and set(node.findLayerIds()) & set(item.layer_ids.values()))


def index_in_view(view, node):
    """The index of a node. QGIS's view has a proxy model between."""
    index = view.layerTreeModel().node2index(node)
    proxy = view.model()
    return proxy.mapFromSource(index) if hasattr(proxy, "mapFromSource") else index


def drag(node, target, place=0):
    target.insertChildNode(place, node.clone())
    node.parent().removeChildNode(node)


def reopened(dock, path, wait_until):  # noqa: F811
    """Save the project, open it again and return the map's document."""
    maps = dock.composer_controller.map
    assert QgsProject.instance().write(str(path))
    QgsProject.instance().clear()
    wait_until(lambda: not maps.items)
    assert QgsProject.instance().read(str(path))
    wait_until(lambda: len(maps.items) == 2 and not maps.adding, 60)
    return maps.document()


# -- the document and the tree


def test_each_service_of_several_layers_has_a_subgroup_and_a_single_layer_has_none(both, wait_until):  # noqa: F811
    maps = both.composer_controller.map
    base, overlay = items(both)
    assert [(name, ticked, len(inside)) for name, ticked, inside in shapes(both)] == [
        (overlay.entry.title, True, 3), (base.entry.title, True, 3)]
    maps.change_layers(overlay, LayerChoice.of_names(overlay.entry.layers[:1]))
    wait_until(lambda: not maps.adding and len(items(both)[1].layer_ids) == 1, 60)
    top, below = group(both).children()
    assert not isinstance(top, QgsLayerTreeGroup) and is_subgroup(below)
    both.composer_controller.map.undo()
    wait_until(lambda: not maps.adding and len(items(both)[1].layer_ids) == 3, 60)
    assert [is_subgroup(node) for node in group(both).children()] == [True, True]


def test_ticks_of_subgroup_and_layers_are_the_documents(both):  # noqa: F811
    maps, actions = both.composer_controller.map, both.composer_controller
    overlay = items(both)[1]
    first, second, _ = overlay.entry.layers
    group(both).findLayer(overlay.layer_ids[first]).setItemVisibilityChecked(False)
    maps.flush()
    subgroup_of(both, overlay).setItemVisibilityChecked(False)
    maps.flush()
    actions.refresh_view()
    assert not overlay.entry.visible and overlay.entry.hidden == (first,)
    assert not both.composer.rows.rows[0].state.visible
    both.composer.rows.rows[0].visibility_check_box.click()
    assert subgroup_of(both, overlay).itemVisibilityChecked() and overlay.entry.hidden == (first,)
    assert not group(both).findLayer(overlay.layer_ids[first]).itemVisibilityChecked(), "as it was before"
    actions.map.undo()
    assert not subgroup_of(both, overlay).itemVisibilityChecked() and not overlay.entry.visible
    # with the last layer the service is hidden, and ticked again it shows all
    for node in subgroup_of(both, overlay).children():
        node.setItemVisibilityChecked(False)
    maps.flush()
    assert not overlay.entry.visible and shape(subgroup_of(both, overlay))[1:] == (
        False, [(node.name(), False) for node in subgroup_of(both, overlay).children()])
    subgroup_of(both, overlay).setItemVisibilityChecked(True)
    maps.flush()
    assert overlay.entry.visible and overlay.entry.hidden == ()
    assert all(node.isVisible() for node in subgroup_of(both, overlay).findLayers())


@pytest.mark.parametrize("before, group_tick, ticks, after", [
    ({}, True, "abc", {}),
    ({}, False, "abc", {"visible": False}),
    ({}, True, "ab", {"hidden": ("c",)}),
    ({"hidden": ("c",)}, False, "a", {"visible": False, "hidden": ("b", "c")}),
    ({"hidden": ("b", "c")}, True, "", {"visible": False, "hidden": ("a", "b", "c")}),
    ({"visible": False, "hidden": ("a", "b", "c")}, True, "", {}),
    ({"visible": False, "hidden": ("a", "b", "c")}, False, "", {"visible": False, "hidden": ("a", "b", "c")}),
    ({"visible": False, "hidden": ("a", "b", "c")}, True, "b", {"hidden": ("a", "c")}),
])
def test_an_entry_follows_its_ticks(before, group_tick, ticks, after):
    found = entry_with_group_ticks(replace(ENTRY, **before), group_tick, {name: name in ticks for name in "abc"})
    assert found == replace(ENTRY, **after)


def test_a_service_with_nothing_ticked_is_shown_with_all_its_layers():
    hidden = replace(ENTRY, visible=False, hidden=("a", "b", "c"))
    assert entry_shown(hidden, True, "abc") == ENTRY
    assert entry_shown(hidden, False, "abc") == hidden
    assert entry_shown(replace(hidden, hidden=("a",)), True, "abc") == replace(ENTRY, hidden=("a",))


def test_a_dragged_subgroup_is_another_order_and_a_layer_dragged_out_returns(both):  # noqa: F811
    maps, overlay = both.composer_controller.map, items(both)[1]
    maps.set_role(0, MapRole.OVERLAY)
    below = items(both)[0]
    drag(subgroup_of(both, below), group(both))
    maps.flush()
    assert items(both) == [overlay, below] and maps.document().overlays == (overlay.entry, below.entry)
    layers = below.entry.layers
    lowest = group(both).findLayer(below.layer_ids[layers[0]])
    drag(lowest, subgroup_of(both, below))
    maps.flush()
    assert below.entry.layers == (*layers[1:], layers[0]), "the order within the service"
    drag(group(both).findLayer(below.layer_ids[layers[1]]), group(both), 2)
    maps.flush()
    assert items(both) == [overlay, below] and len(subgroup_of(both, below).children()) == 3
    drag(subgroup_of(both, below), QgsProject.instance().layerTreeRoot(), 1)
    maps.flush()
    assert items(both) == [below, overlay] and [is_subgroup(node) for node in group(both).children()] == [True, True]
    both.composer_controller.map.undo()
    assert [node.name() for node in group(both).children()] == [below.entry.title, overlay.entry.title]


def test_a_new_name_of_a_subgroup_is_the_services_title_and_is_undone(both):  # noqa: F811
    maps, actions, overlay = both.composer_controller.map, both.composer_controller, items(both)[1]
    before = overlay.entry.title
    subgroup_of(both, overlay).setName("[% 1 %] y más")
    maps.flush()
    actions.refresh_view()
    assert maps.document().overlays[0].title == "[% 1 %] y más" == both.composer.rows.rows[0].state.tip
    assert subgroup_of(both, overlay).name() != "[% 1 %] y más", "no expression"
    actions.map.undo()
    assert items(both)[1].entry.title == before == subgroup_of(both, items(both)[1]).name()
    subgroup_of(both, overlay).setName(" ")
    maps.flush()
    assert subgroup_of(both, overlay).name() == before


def test_a_removed_subgroup_removes_its_service_and_undo_brings_both_back(both, wait_until):  # noqa: F811
    maps, overlay = both.composer_controller.map, items(both)[1]
    before = maps.document()
    group(both).removeChildNode(subgroup_of(both, overlay))
    wait_until(lambda: len(items(both)) == 1)
    assert len(QgsProject.instance().mapLayers()) == 3
    maps.flush()
    both.composer_controller.map.undo()
    wait_until(lambda: len(items(both)) == 2 and not maps.adding, 60)
    assert maps.document() == before and len(subgroup_of(both, items(both)[1]).children()) == 3


def test_the_layer_tree_shows_which_subgroups_are_expanded(both, qtbot, wait_until):  # noqa: F811
    maps, view = both.composer_controller.map, QgsLayerTreeView()
    qtbot.addWidget(view)
    view.setModel(QgsLayerTreeModel(QgsProject.instance().layerTreeRoot(), view))
    view.show()

    def shown():
        """Name, and whether it is expanded, of each sub-group and in the view."""
        QCoreApplication.processEvents()
        return [(node.name(), node.isExpanded(), view.isExpanded(index_in_view(view, node)))
                for node in group(both).children()]

    maps.set_role(0, MapRole.OVERLAY)
    below, above = (item.entry.title for item in items(both))
    subgroup_of(both, items(both)[0]).setExpanded(False)
    assert shown() == [(above, True, True), (below, False, False)]
    maps.move(1, 0)
    assert shown() == [(below, False, False), (above, True, True)]
    maps.move(1, 0)
    maps.builds.reload(items(both)[1])
    wait_until(lambda: not maps.adding and not items(both)[1].refreshing, 60)
    assert shown() == [(above, True, True), (below, False, False)]
    few(both, wait_until, "recipitaci", "overlay", 3)
    rain = items(both)[1].entry.title
    assert shown() == [(above, True, True), (rain, True, True), (below, False, False)], "rain lies below points"


def test_a_subgroup_stays_folded_when_its_service_is_loaded_again(both, wait_until):  # noqa: F811
    maps, overlay = both.composer_controller.map, items(both)[1]
    former = dict(overlay.layer_ids)
    assert subgroup_of(both, overlay).isExpanded()
    subgroup_of(both, overlay).setExpanded(False)
    maps.builds.reload(overlay)
    wait_until(lambda: not maps.adding and not overlay.refreshing, 60)
    assert overlay.layer_ids == former
    assert not subgroup_of(both, overlay).isExpanded() and len(subgroup_of(both, overlay).children()) == 3


def test_a_subgroup_stays_folded_at_another_address_and_after_undo(both, wait_until):  # noqa: F811
    actions, overlay = both.composer_controller, items(both)[1]
    maps = actions.map
    there = overlay.entry.endpoint
    for expanded in (True, False):
        subgroup_of(both, overlay).setExpanded(expanded)
        for address in (there.replace("127.0.0.1", "localhost"), "http://127.0.0.1:9/dead?", there):
            maps.change_endpoints({overlay: address})
            wait_until(lambda: not maps.adding, 60)
            assert len(overlay.layer_ids) == 3
            assert len(maps.mirror.valid_layers(overlay)) == (0 if "dead" in address else 3)
        assert subgroup_of(both, overlay).isExpanded() is expanded and len(subgroup_of(both, overlay).children()) == 3
    maps.change_endpoints({overlay: there.replace("127.0.0.1", "localhost")})
    wait_until(lambda: not maps.adding and len(overlay.layer_ids) == 3, 60)
    actions.refresh_view()
    actions.map.undo()
    wait_until(lambda: not maps.adding and len(items(both)[1].layer_ids) == 3, 60)
    assert items(both)[1].entry.endpoint == there
    assert subgroup_of(both, items(both)[1]).isExpanded() is expanded


# -- layers of others


def test_a_layer_dropped_into_a_subgroup_is_an_own_layer_above_the_service(both, tmp_path):  # noqa: F811
    maps, layer = both.composer_controller.map, own_points(tmp_path)
    QgsProject.instance().addMapLayer(layer, False)
    subgroup_of(both, items(both)[0]).insertLayer(1, layer)
    maps.flush()
    both.composer_controller.refresh_view()
    assert [item.layer_id for item in maps.own_items] == [layer.id()] and maps.stack[1] is maps.own_items[0]
    assert [is_subgroup(node) for node in group(both).children()] == [True, False, True]
    assert maps.document().own_layers[0].credit in both.composer.credits.text()


def test_a_layer_in_a_persons_own_group_in_the_maps_group_is_on_the_map(both, tmp_path):  # noqa: F811
    maps, layer = both.composer_controller.map, own_points(tmp_path)
    QgsProject.instance().addMapLayer(layer, False)
    inner = group(both).insertGroup(0, "Campo").insertGroup(0, "2024")
    inner.insertLayer(0, layer)
    inner.setItemVisibilityChecked(False)
    maps.flush()
    assert [(item.layer_id, item.own.visible) for item in maps.own_items] == [(layer.id(), False)]
    assert maps.stack[-1] is maps.own_items[0] and [node.name() for node in group(both).children()][-1] == "Campo"


def test_a_copy_of_a_services_layer_in_its_subgroup_outlives_the_service(both):  # noqa: F811
    """A copy of a service's layer is on the map as a service of its own, with the same terms."""
    maps, overlay = both.composer_controller.map, items(both)[1]
    copy = maps.project.mapLayer(overlay.layer_ids[overlay.entry.layers[0]]).clone()
    QgsProject.instance().addMapLayer(copy, False)
    subgroup_of(both, overlay).insertLayer(0, copy)
    maps.flush()
    assert maps.own_items == [] and items(both)[2].entry.credit == overlay.entry.credit
    assert [node.layerId() for node in group(both).children() if not is_subgroup(node)] == [copy.id()]
    maps.remove(1)
    assert group(both).children()[0].layerId() == copy.id() and QgsProject.instance().mapLayer(copy.id()) is copy


def test_what_a_person_left_in_a_subgroup_outlives_the_service(both):  # noqa: F811
    """A layer that no document can refer to is not the map's."""
    maps, overlay = both.composer_controller.map, items(both)[1]
    notes = QgsAnnotationLayer("Notas", QgsAnnotationLayer.LayerOptions(maps.project.transformContext()))
    QgsProject.instance().addMapLayer(notes, False)
    subgroup_of(both, overlay).insertLayer(0, notes)
    maps.flush()
    assert maps.own_items == [] and subgroup_of(both, overlay).children()[-1].layerId() == notes.id()
    title = overlay.entry.title
    maps.remove(1)
    left = group(both).children()[-1]
    assert left.name() == title and not is_subgroup(left) and left.findLayerIds() == [notes.id()]
    assert QgsProject.instance().mapLayer(notes.id()) is notes


# -- projects


def test_a_saved_project_has_its_subgroups_again(both, wait_until, tmp_path):  # noqa: F811
    maps, (base, overlay) = both.composer_controller.map, items(both)
    subgroup_of(both, base).setExpanded(False)
    group(both).findLayer(base.layer_ids[base.entry.layers[1]]).setItemVisibilityChecked(False)
    subgroup_of(both, overlay).setItemVisibilityChecked(False)
    maps.flush()
    written, before = maps.document(), shapes(both)
    assert reopened(both, tmp_path / "mapa.qgz", wait_until) == written
    assert shapes(both) == before
    assert [node.isExpanded() for node in group(both).children()] == [True, False]
    subgroup_of(both, items(both)[0]).setName("Otro")
    maps.flush()
    assert maps.document().base.title == "Otro"


def test_a_project_of_before_with_all_layers_in_one_group_is_understood(both, wait_until, tmp_path):  # noqa: F811
    maps, (base, overlay) = both.composer_controller.map, items(both)
    group(both).findLayer(base.layer_ids[base.entry.layers[1]]).setItemVisibilityChecked(False)
    group(both).findLayer(overlay.layer_ids[overlay.entry.layers[1]]).setItemVisibilityChecked(False)
    subgroup_of(both, overlay).setItemVisibilityChecked(False)
    maps.flush()
    written, before = maps.document(), shapes(both)
    # a hidden service had no ticked layer
    for subgroup in group(both).children():
        for node in subgroup.children():
            node.setItemVisibilityChecked(node.isVisible())
            drag(node, group(both), group(both).children().index(subgroup))
        group(both).removeChildNode(subgroup)
    flat = [node.itemVisibilityChecked() for node in group(both).children()]
    assert flat == [False, False, False, True, False, True]
    assert project_document.read_stored_map(maps.project).document == written
    maps.mirror.tree_timer.stop()
    assert reopened(both, tmp_path / "antes.qgz", wait_until) == written
    assert shapes(both) == before


def test_a_map_made_without_the_window_has_the_subgroups_that_the_window_gives_it(
        dock, network, project, wait_until, tmp_path):  # noqa: F811
    (base, overlay), maps = small_map(network).entries, dock.composer_controller.map
    hidden = replace(overlay, visible=False, hidden=(overlay.layers[0],), title="Otro nombre")
    made = composed(network, project, overlays=(hidden,), title="Sin ventana")
    assert [shape(node) for node in group(dock).children()] == [
        ("Otro nombre", False, [(node.name(), on) for node, on in zip(group(dock).children()[0].children(),
                                                                     (True, False))]),
        (base.title, True, [(node.name(), True) for node in group(dock).children()[1].children()])]
    before = shapes(dock)
    assert reopened(dock, tmp_path / "mapa.qgz", wait_until).entries == made.document.entries == maps.document().entries
    assert shapes(dock) == before


def test_the_snapshot_is_shown_in_the_same_subgroup(dock, wait_until, tmp_path):  # noqa: F811
    fill(dock, wait_until)
    take(dock, tmp_path / "kept", wait_until)
    base = items(dock)[0]
    subgroup_of(dock, base).setExpanded(False)
    group(dock).findLayer(base.layer_ids[base.entry.layers[0]]).setItemVisibilityChecked(False)
    dock.composer_controller.map.flush()
    before = shapes(dock)
    for provider in ("gdal", "wms"):
        dock.composer_controller.offline.toggle_snapshot()
        wait_until(lambda provider=provider: shows(dock, provider), 30)
        assert shapes(dock) == before and not subgroup_of(dock, base).isExpanded()
    assert len(on_map(dock)) == 3


# -- the page


@pytest.mark.slow
def test_the_page_follows_the_ticks_of_subgroups_and_layers(both, wait_until, tmp_path):  # noqa: F811
    settings.set("export_dpi", 96)
    both.composer_controller.extent.set_extent(PARK.box)
    maps, (base, overlay) = both.composer_controller.map, items(both)
    credits = [item.entry.credit.line for item in (base, overlay)]
    titles = [maps.project.mapLayer(overlay.layer_ids[name]).name() for name in overlay.entry.layers]

    def page(name):
        maps.flush()
        text = printed(both, tmp_path / name, wait_until)
        return [credit in text for credit in credits], [title in text for title in titles]

    group(both).findLayer(overlay.layer_ids[overlay.entry.layers[1]]).setItemVisibilityChecked(False)
    assert page("one layer unticked.pdf") == ([True, True], [True, False, True])
    subgroup_of(both, overlay).setItemVisibilityChecked(False)
    assert page("subgroup unticked.pdf") == ([True, False], [False, False, False])


def test_a_mark_is_saved_as_the_name_is_shown(both):  # noqa: F811
    """Characters that XML does not allow would make the project unreadable."""
    maps, overlay = both.composer_controller.map, items(both)[1]
    maps.custom_map.update(overlay, title="A\x01B <b>C</b>" + "x" * 100_000)
    maps.commit()
    subgroup = subgroup_of(both, overlay)
    assert "\x01" not in subgroup.name() and len(subgroup.name()) < 2_000
    assert subgroup.customProperty(SUBGROUP_PROPERTY) == subgroup.name()
    maps.mirror.read()
    assert len(overlay.entry.title) > 100_000, "not taken for a new name"
