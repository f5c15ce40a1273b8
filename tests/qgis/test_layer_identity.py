"""The map's layers stay those that a person has worked with: their own layouts, themes and styles live on.

Whatever changes a layer's source leaves the layer, and one that was removed returns as itself.
"""

from __future__ import annotations

import subprocess
import time
from dataclasses import replace
from datetime import datetime, timezone
from functools import partial

import numpy
import pytest
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsHueSaturationFilter,
    QgsLayerTreeGroup,
    QgsLayerTreeModel,
    QgsLayoutExporter,
    QgsLayoutItemLegend,
    QgsLayoutItemMap,
    QgsMapLayer,
    QgsMapThemeCollection,
    QgsNetworkAccessManager,
    QgsPrintLayout,
    QgsProject,
    QgsRectangle,
    QgsVectorLayer,
)
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QCoreApplication, QEvent, QObject, QRectF, QTimer
from qgis.PyQt.QtGui import QImage

from plugin.app.maps import project_mirror
from plugin.app.maps.map_state import LayerChoice
from plugin.core.custommap.model import BlendMode
from plugin.gis.layers.blend_modes import blend_of
from plugin.gis.layers.project_document import has_document
from plugin.gis.layers.removed_layers import RemovedLayers
from plugin.gis.layers.snapshot_switch import set_source
from plugin.gis.layers.time_series import request_moment
from plugin.gis.pages.layout_builder import build_layout
from plugin.gis.runtime import compat, main_thread, settings, tasks
from plugin.gis.services.service_cache import ServiceCache
from tests.pairwise import ALL, some
from tests.qgis.print_maps import composed, pixels
from tests.qgis.qgis_hands import LayerTree
from tests.qgis.test_dock_map import both, dock, few, group, items, whole  # noqa: F401 - fixtures
from tests.qgis.test_dock_offline import take
from tests.qgis.test_own_layers import own_points
from tests.qgis.waiting import handle_events

PLACE = QgsRectangle(440000, 4247000, 455000, 4257000)


def settled(dock, wait_until):  # noqa: F811
    maps, offline = dock.composer_controller.map, dock.composer_controller.offline

    def quiet():
        maps.flush()
        return not maps.adding and offline._job is None and not maps.mirror.crs_timer.isActive()

    QCoreApplication.processEvents()
    wait_until(quiet, 60)


def layers_of(dock):  # noqa: F811
    """The QGIS layers of the map's services by service and name, bottom first."""
    maps = dock.composer_controller.map
    return {(item.entry.endpoint.rpartition("/")[2], name): maps.project.mapLayer(layer_id)
            for item in maps.items for name, layer_id in item.layer_ids.items()}


def theme(name):
    """Store what the tree shows as a map theme, as QGIS's menu does."""
    project = QgsProject.instance()
    root = project.layerTreeRoot()
    project.mapThemeCollection().insert(
        name, QgsMapThemeCollection.createThemeFromCurrentState(root, QgsLayerTreeModel(root)))


class Hands:
    """A person's own work in QGIS: a renderer, a scale range, a name, themes, and a layout."""

    def __init__(self, dock, wait_until):  # noqa: F811
        self.dock, self.wait_until, self.project = dock, wait_until, QgsProject.instance()
        layers = list(layers_of(dock).values())
        grey, ranged, renamed, _, styled = layers[:5]
        self.grey = grey.id()
        grey.hueSaturationFilter().setGrayscaleMode(QgsHueSaturationFilter.GrayscaleMode.GrayscaleLuminosity)
        grey.brightnessFilter().setContrast(20)
        ranged.setScaleBasedVisibility(True)
        ranged.setMinimumScale(400_000)
        ranged.setMaximumScale(2_000)
        renamed.setName("Como yo la llamo")
        renamed.setCustomProperty("mine", "note")
        styled.styleManager().addStyleFromLayer("apagada")
        styled.styleManager().setCurrentStyle("apagada")
        styled.hueSaturationFilter().setSaturation(-60)
        styled.styleManager().setCurrentStyle(styled.styleManager().styles()[0])
        tree = self.project.layerTreeRoot()
        tree.findLayer(renamed.id()).setExpanded(True)
        tree.findLayer(renamed.id()).setCustomProperty("legend/title-label", "Así en la leyenda")
        group(dock).children()[0].setExpanded(False)
        theme("Todo")
        for layer in layers[1::2]:
            tree.findLayer(layer.id()).setItemVisibilityChecked(False)
        styled.styleManager().setCurrentStyle("apagada")
        theme("La mitad")
        styled.styleManager().setCurrentStyle(styled.styleManager().styles()[0])
        for layer in layers[1::2]:
            tree.findLayer(layer.id()).setItemVisibilityChecked(True)
        self.layout = QgsPrintLayout(self.project)
        self.layout.initializeDefaults()
        self.layout.setName("Mi lámina")
        self.project.layoutManager().addLayout(self.layout)
        self.locked = self.map_item(10)
        self.locked.setLayers([grey, styled])
        self.locked.setKeepLayerSet(True)
        self.locked.storeCurrentLayerStyles()
        self.locked.setKeepLayerStyles(True)
        following = self.map_item(110)
        following.setFollowVisibilityPreset(True)
        following.setFollowVisibilityPresetName("La mitad")
        self.legend = QgsLayoutItemLegend(self.layout)
        self.layout.addLayoutItem(self.legend)
        self.legend.setLinkedMap(self.locked)
        self.legend.setAutoUpdateModel(False)
        self.legend.attemptSetSceneRect(QRectF(220, 10, 70, 180))
        settled(dock, wait_until)

    def map_item(self, left):
        item = QgsLayoutItemMap(self.layout)
        item.attemptSetSceneRect(QRectF(left, 10, 90, 60))
        self.layout.addLayoutItem(item)
        item.setCrs(QgsCoordinateReferenceSystem("EPSG:25830"))
        item.setExtent(PLACE)
        return item

    def work(self):
        """All of the person's work as it stands."""
        themes = self.project.mapThemeCollection()
        layout = self.project.layoutManager().layoutByName("Mi lámina")
        maps = [item for item in layout.items() if isinstance(item, QgsLayoutItemMap)]
        legend, = (item for item in layout.items() if isinstance(item, QgsLayoutItemLegend))
        return {
            "layers": {key: (
                layer.id(), layer.name(), layer.hasScaleBasedVisibility(), f"{layer.minimumScale():.4g}",
                f"{layer.maximumScale():.4g}",
                layer.isValid() and (int(layer.hueSaturationFilter().grayscaleMode()),
                                     layer.brightnessFilter().contrast()),
                layer.customProperty("mine"), layer.styleManager().styles(), layer.styleManager().currentStyle(),
                round(layer.opacity(), 2), layer.metadata().rights()) for key, layer in layers_of(self.dock).items()},
            "tree": [(node.layerId(), node.isExpanded(), node.customProperty("legend/title-label"),
                      node.parent().isExpanded()) for node in group(self.dock).findLayers()],
            "themes": {name: sorted((record.layer().id(), record.currentStyle, record.isVisible)
                                    for record in themes.mapThemeState(name).layerRecords())
                       for name in sorted(themes.mapThemes())},
            "locked": sorted(([layer.id() for layer in item.layers()], sorted(item.layerStyleOverrides()))
                             for item in maps if item.keepLayerSet()),
            "legend": [(node.layerId(), node.layer() is not None)
                       for node in legend.model().rootGroup().findLayers()],
        }

    def print(self, path):
        """The person's layout as QGIS writes it, as an array of pixels."""
        layout = self.project.layoutManager().layoutByName("Mi lámina")
        legend, = (item for item in layout.items() if isinstance(item, QgsLayoutItemLegend))
        # pictures of services arrive one after the other, and are not what is compared
        legend.setVisibility(False)
        settings = QgsLayoutExporter.PdfExportSettings()
        settings.dpi = 96
        settings.flags = layout.renderContext().flags() | layout.renderContext().Flag.FlagLosslessImageRendering
        layout.renderContext().setFlags(settings.flags)
        assert QgsLayoutExporter(layout).exportToPdf(str(path), settings) == QgsLayoutExporter.ExportResult.Success
        subprocess.run(["pdftoppm", "-r", "96", "-png", "-singlefile", str(path), str(path.with_suffix(""))],
                       check=True)
        legend.setVisibility(True)
        return pixels(QImage(str(path.with_suffix(".png"))))


@pytest.fixture
def hands(both, wait_until):  # noqa: F811
    return Hands(both, wait_until)


def alike(one, other):
    """Whether two pictures show the same: MapServer's antialiasing may differ from one request to the next."""
    return one.shape == other.shape and numpy.mean(
        numpy.abs(one.astype(numpy.int16) - other.astype(numpy.int16)).max(axis=2) > 40) < 0.01


def is_drawn(picture):
    return len(numpy.unique(picture[::3, ::3].copy().view(numpy.uint32))) > 20


def differences(before, after):
    """What is not as it was, as text."""
    found = []
    for part, value in before.items():
        now = after[part]
        if isinstance(value, dict):
            found += [(key, old, now.get(key)) for key, old in value.items() if now.get(key) != old]
        elif now != value:
            found.append((part, value, now))
    return "\n".join(f"{key}:\n   {old}\n   {now}" for key, old, now in found)


def set_crs(hands, code):
    hands.project.setCrs(QgsCoordinateReferenceSystem(code))
    settled(hands.dock, hands.wait_until)


def requested_crs(hands):
    return {layer.crs().authid() for layer in layers_of(hands.dock).values()}


# -- sources that change


def change_crs(hands, _folder):
    set_crs(hands, "EPSG:4326")
    assert requested_crs(hands) == {"EPSG:4326"}, "asked for in the project's CRS, not warped"
    yield
    set_crs(hands, "EPSG:25830")
    assert requested_crs(hands) == {"EPSG:25830"}


def change_crs_in_the_dock_and_undo(hands, _folder):
    maps = hands.dock.composer_controller.map
    maps.set_crs("EPSG:3857")
    settled(hands.dock, hands.wait_until)
    assert requested_crs(hands) == {"EPSG:3857"}
    yield
    maps.undo()
    settled(hands.dock, hands.wait_until)
    assert requested_crs(hands) == {"EPSG:25830"}


def change_address(hands, _folder):
    maps = hands.dock.composer_controller.map
    item = maps.items[1]
    there = item.entry.endpoint
    for address in (there.replace("127.0.0.1", "localhost"), there):
        maps.change_endpoints({item: address})
        settled(hands.dock, hands.wait_until)
        assert item.entry.endpoint == address and not item.problem
    yield


def lose_the_server_and_find_it(hands, _folder):
    maps = hands.dock.composer_controller.map
    item = maps.items[1]
    there = item.entry.endpoint
    maps.change_endpoints({item: "http://127.0.0.1:9/dead?"})
    settled(hands.dock, hands.wait_until)
    maps.change_endpoints({item: there})
    settled(hands.dock, hands.wait_until)
    yield


def change_address_and_undo(hands, _folder):
    maps = hands.dock.composer_controller.map
    maps.change_endpoints({maps.items[1]: maps.items[1].entry.endpoint.replace("127.0.0.1", "localhost")})
    settled(hands.dock, hands.wait_until)
    maps.undo()
    settled(hands.dock, hands.wait_until)
    yield
    maps.redo()
    settled(hands.dock, hands.wait_until)
    maps.undo()
    settled(hands.dock, hands.wait_until)


def show_and_leave_a_snapshot(hands, folder):
    dock, offline = hands.dock, hands.dock.composer_controller.offline  # noqa: F811
    settings.set("export_dpi", 72)
    take(dock, folder / "kept", hands.wait_until)
    settled(dock, hands.wait_until)
    offline.toggle_snapshot()
    settled(dock, hands.wait_until)
    assert "gdal" in {layer.providerType() for layer in layers_of(dock).values()}
    yield
    offline.toggle_snapshot()
    settled(dock, hands.wait_until)
    assert {layer.providerType() for layer in layers_of(dock).values()} == {"wms"}


def refresh_the_service(hands, _folder):
    maps = hands.dock.composer_controller.map
    for item in maps.items:
        maps.builds.reload(item)
        settled(hands.dock, hands.wait_until)
    yield


def choose_another_format(hands, _folder):
    maps = hands.dock.composer_controller.map
    entry = maps.items[1].entry
    choice = LayerChoice(entry.layers, entry.styles, "image/jpeg", None, maps.items[1].role)
    maps.change_layers(maps.items[1], choice)
    settled(hands.dock, hands.wait_until)
    assert all("image%2Fjpeg" in layer.source() or "image/jpeg" in layer.source() for layer in
               map(maps.project.mapLayer, maps.items[1].layer_ids.values()))
    yield
    maps.change_layers(maps.items[1], replace(choice, format=entry.format))
    settled(hands.dock, hands.wait_until)


# -- layers that leave the map and return


def remove_and_undo(hands, _folder):
    maps = hands.dock.composer_controller.map
    for number in (0, 1):
        maps.remove(number)
        settled(hands.dock, hands.wait_until)
        assert len(layers_of(hands.dock)) == 3
        maps.undo()
        settled(hands.dock, hands.wait_until)
        yield
    maps.redo()
    settled(hands.dock, hands.wait_until)
    maps.undo()
    settled(hands.dock, hands.wait_until)


def remove_and_put_back_by_the_message(hands, _folder):
    hands.dock.composer_controller.map.remove(0)
    hands.dock.note.details.click()
    settled(hands.dock, hands.wait_until)
    yield


def remove_in_another_crs_and_undo_all(hands, _folder):
    maps = hands.dock.composer_controller.map
    maps.remove(0)
    settled(hands.dock, hands.wait_until)
    set_crs(hands, "EPSG:3857")
    maps.undo()
    maps.undo()
    settled(hands.dock, hands.wait_until)
    assert requested_crs(hands) == {"EPSG:25830"}
    yield


def remove_in_qgis_and_undo(hands, _folder):
    maps = hands.dock.composer_controller.map
    hands.project.removeMapLayers(list(maps.items[0].layer_ids.values()))
    settled(hands.dock, hands.wait_until)
    assert len(maps.items) == 1
    maps.undo()
    settled(hands.dock, hands.wait_until)
    yield


def remove_nodes_in_qgis_and_undo(hands, _folder):
    maps = hands.dock.composer_controller.map
    gone = list(maps.items[0].layer_ids.values())[:2]
    for layer_id in gone:
        node = hands.project.layerTreeRoot().findLayer(layer_id)
        node.parent().removeChildNode(node)
    hands.wait_until(lambda: not any(map(hands.project.mapLayer, gone)))
    settled(hands.dock, hands.wait_until)
    assert len(layers_of(hands.dock)) == 4
    maps.undo()
    settled(hands.dock, hands.wait_until)
    yield


def begin_a_new_map_and_return(hands, _folder):
    hands.dock.composer_controller.documents.new()
    settled(hands.dock, hands.wait_until)
    assert not hands.project.mapLayers()
    hands.dock.note.details.click()
    settled(hands.dock, hands.wait_until)
    yield


def choose_fewer_layers_and_undo(hands, _folder):
    maps = hands.dock.composer_controller.map
    maps.change_layers(maps.items[0], LayerChoice.of_names(maps.items[0].entry.layers[:1], maps.items[0].role))
    settled(hands.dock, hands.wait_until)
    assert len(layers_of(hands.dock)) == 4
    maps.undo()
    settled(hands.dock, hands.wait_until)
    yield


#: one window for each line, whose layout is printed at its end, and by `make matrices` after each change
CHANGES = {
    "source": (change_crs, change_crs_in_the_dock_and_undo, refresh_the_service, change_address,
               lose_the_server_and_find_it, change_address_and_undo, choose_another_format),
    "snapshot": (show_and_leave_a_snapshot, begin_a_new_map_and_return),
    "removal": (remove_and_undo, remove_and_put_back_by_the_message, remove_in_another_crs_and_undo_all,
                remove_in_qgis_and_undo, remove_nodes_in_qgis_and_undo, choose_fewer_layers_and_undo),
}


@pytest.mark.slow
@pytest.mark.parametrize("changes", CHANGES.values(), ids=CHANGES)
def test_a_persons_work_lives_on(hands, tmp_path, changes):
    before, printed = hands.work(), hands.print(tmp_path / "before.pdf")
    assert is_drawn(printed)
    for change in changes:
        for _ in change(hands, tmp_path):
            assert differences(before, hands.work()) == "", change.__name__
        assert differences(before, hands.work()) == "", change.__name__
        if ALL or change is changes[-1]:
            assert alike(hands.print(tmp_path / f"{change.__name__}.pdf"), printed), change.__name__
        maps = hands.dock.composer_controller.map
        assert [layer.isValid() for layer in layers_of(hands.dock).values()] == [True] * 6, change.__name__
        assert set(hands.project.mapLayers()) == set(maps.mirror.layer_ids()), change.__name__


@pytest.mark.parametrize("kind", ["file", "temporary"])
def test_an_own_layer_returns_wherever_it_was_shown(both, wait_until, tmp_path, kind):  # noqa: F811
    maps, project = both.composer_controller.map, QgsProject.instance()
    layer = own_points(tmp_path) if kind == "file" else QgsVectorLayer("Point?crs=EPSG:25830", "Apuntes", "memory")
    project.addMapLayer(layer)
    maps.add_own_layer(layer)
    theme("Con lo mío")
    layout = QgsPrintLayout(project)
    layout.initializeDefaults()
    layout.setName("Mi lámina")
    project.layoutManager().addLayout(layout)
    item = QgsLayoutItemMap(layout)
    item.setLayers([layer, *layers_of(both).values()])
    item.setKeepLayerSet(True)
    layout.addLayoutItem(item)
    shown, former = [one.name() for one in item.layers()], layer.id()
    settled(both, wait_until)
    project.removeMapLayer(former)
    del layer
    settled(both, wait_until)
    assert not maps.own_items and len(item.layers()) == 6
    maps.undo()
    settled(both, wait_until)
    returned = maps.own_items[0].layer_id
    assert kind == "file" or returned == former
    assert [one.name() for one in item.layers()] == shown and item.layers()[0].id() == returned
    assert returned in project.mapThemeCollection().mapThemeVisibleLayerIds("Con lo mío")


def test_a_removed_group_returns_in_the_order_that_a_layout_shows(both, wait_until, tmp_path):  # noqa: F811
    maps, project = both.composer_controller.map, QgsProject.instance()
    own = own_points(tmp_path)
    project.addMapLayer(own)
    maps.add_own_layer(own)
    settled(both, wait_until)
    layout = QgsPrintLayout(project)
    layout.initializeDefaults()
    project.layoutManager().addLayout(layout)
    item = QgsLayoutItemMap(layout)
    item.setLayers([own, *layers_of(both).values()])
    item.setKeepLayerSet(True)
    layout.addLayoutItem(item)
    shown = [one.name() for one in item.layers()]
    LayerTree().run("RemoveGroupOrLayer", maps.mirror.find_group())
    settled(both, wait_until)
    assert not maps.stack and not item.layers()
    maps.undo()
    settled(both, wait_until)
    # the layer of a file is opened anew, after the others have returned
    assert [one.name() for one in item.layers()] == shown


@pytest.mark.parametrize("ends", ["kept", "project cleared", "removed again"])
def test_a_layer_that_is_in_the_project_again_is_the_projects(qgis_app, ends):
    project, tracked = QgsProject(), [True]
    removed = RemovedLayers(project, lambda _layer_id: tracked[0])
    layer = QgsVectorLayer("Point?crs=EPSG:4326", "huts", "memory")
    layer_id = layer.id()
    project.addMapLayer(layer)
    project.removeMapLayer(layer_id)
    assert removed.layer(layer_id) is layer
    project.addMapLayer(layer)
    tracked[0] = False
    if ends == "project cleared":
        project.clear()
    elif ends == "removed again":
        project.removeMapLayer(layer_id)
    assert removed.layer(layer_id) is None
    removed.close()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert (project.mapLayer(layer_id) is layer) == (ends == "kept") == (not sip.isdeleted(layer))


def test_no_server_is_asked_what_it_offers_to_change_the_crs(both, network, wait_until):  # noqa: F811
    ids, asked = {layer.id() for layer in layers_of(both).values()}, network.count("GetCapabilities")
    network.fault({"match": {"request": "GetCapabilities"}, "action": {"type": "hang"}})
    for code in ("EPSG:3857", "EPSG:25830"):
        QgsProject.instance().setCrs(QgsCoordinateReferenceSystem(code))
        settled(both, wait_until)
        assert {layer.crs().authid() for layer in layers_of(both).values()} == {code}
    assert {layer.id() for layer in layers_of(both).values()} == ids
    assert network.count("GetCapabilities") == asked


@pytest.mark.slow
def test_a_reopened_project_has_the_persons_work(hands, tmp_path):
    set_crs(hands, "EPSG:3857")
    maps = hands.dock.composer_controller.map
    maps.remove(0)
    maps.undo()
    settled(hands.dock, hands.wait_until)
    before = hands.work()
    hands.layout = hands.locked = hands.legend = None
    assert hands.project.write(str(tmp_path / "mio.qgz"))
    hands.project.clear()
    hands.wait_until(lambda: not maps.items)
    assert hands.project.read(str(tmp_path / "mio.qgz"))
    hands.wait_until(lambda: len(maps.items) == 2 and not maps.adding, 60)
    settled(hands.dock, hands.wait_until)
    assert differences(before, hands.work()) == ""
    set_crs(hands, "EPSG:25830")
    assert differences(before, hands.work()) == "" and requested_crs(hands) == {"EPSG:25830"}


# -- what showed layers that were removed is named


def test_what_is_removed_names_the_themes_and_layouts_that_showed_it(hands):
    maps, note = hands.dock.composer_controller.map, hands.dock.note
    before = hands.work()
    for number in (1, 0):
        title = maps.items[number].entry.title
        maps.remove(number)
        settled(hands.dock, hands.wait_until)
        text = note.text_label.text()
        assert title in text and "“Todo”" in text and "“La mitad”" in text and "“Mi lámina”" in text, text
        assert note.details.text() == "Undo"
        note.details.click()
        settled(hands.dock, hands.wait_until)
        assert differences(before, hands.work()) == ""
    fewer_layers_of_a_service_name_what_showed_the_others(hands)
    a_new_map_names_what_showed_the_one_before(hands)


def fewer_layers_of_a_service_name_what_showed_the_others(hands):
    maps, note, before = hands.dock.composer_controller.map, hands.dock.note, hands.work()
    entry = maps.items[0].entry
    maps.change_layers(maps.items[0], LayerChoice.of_names(entry.layers[::2], maps.items[0].role))
    settled(hands.dock, hands.wait_until)
    assert len(layers_of(hands.dock)) == 5
    text = note.text_label.text()
    assert "“Todo”" in text and "“La mitad”" not in text, "it was unticked there"
    note.details.click()
    settled(hands.dock, hands.wait_until)
    assert differences(before, hands.work()) == ""


def a_new_map_names_what_showed_the_one_before(hands):
    before = hands.work()
    hands.dock.composer_controller.documents.new()
    settled(hands.dock, hands.wait_until)
    text = hands.dock.note.text_label.text()
    assert "“Todo”" in text and "“Mi lámina”" in text
    hands.dock.note.details.click()
    settled(hands.dock, hands.wait_until)
    assert differences(before, hands.work()) == ""


def test_nothing_is_named_where_nothing_of_the_person_showed_it(both, wait_until, tmp_path):  # noqa: F811
    maps, project = both.composer_controller.map, QgsProject.instance()
    layer = own_points(tmp_path)
    project.addMapLayer(layer)
    maps.add_own_layer(layer)
    # the plugin's own page, and a layout that follows the canvas
    plan = maps.plan()
    page = build_layout(project, plan, maps.mirror.qgis_layers(plan), name="Página del mapa")
    assert page in project.layoutManager().printLayouts()
    following = QgsPrintLayout(project)
    following.initializeDefaults()
    following.setName("Sigue la vista")
    project.layoutManager().addLayout(following)
    following.addLayoutItem(QgsLayoutItemMap(following))
    settled(both, wait_until)
    title = maps.items[1].entry.title
    maps.remove(maps.stack.index(maps.items[1]))
    settled(both, wait_until)
    assert both.note.text_label.text() == f"“{title}” removed from the map."
    # an own layer stays in the project, and in what shows it
    theme("Con lo mío")
    settled(both, wait_until)
    maps.remove(maps.stack.index(maps.own_items[0]))
    settled(both, wait_until)
    assert "“Con lo mío”" not in both.note.text_label.text() and "removed from the map" in both.note.text_label.text()
    assert layer.id() in project.mapThemeCollection().mapThemeVisibleLayerIds("Con lo mío")


# -- a service that moved, and does not respond at its new address


def shown_somewhere(work):
    return {part: value for part, value in work.items() if part != "layers"}


def reopened(hands, path):
    """Save the project and open it again."""
    maps = hands.dock.composer_controller.map
    hands.layout = hands.locked = hands.legend = None
    assert hands.project.write(str(path))
    hands.project.clear()
    hands.wait_until(lambda: not maps.items)
    assert hands.project.read(str(path))
    hands.wait_until(lambda: len(maps.items) == 2 and not maps.adding and not any(
        item.awaiting_service for item in maps.items), 60)
    settled(hands.dock, hands.wait_until)


def lose_moved(hands, network):
    """Point the overlay to another address, where nothing answers. Returns the service."""
    item = hands.dock.composer_controller.map.items[1]
    network.fault({"match": {"request": "GetCapabilities", "endpoint": "facilities"},
                   "action": {"type": "status", "code": 503}})
    hands.dock.composer_controller.map.change_endpoints(
        {item: item.entry.endpoint.replace("127.0.0.1", "localhost")})
    settled(hands.dock, hands.wait_until)
    assert item.is_unavailable and len(item.layer_ids) == 3
    assert not any(layer.isValid() for (service, _), layer in layers_of(hands.dock).items()
                   if service == item.entry.endpoint.rpartition("/")[2])
    return item


def moved_layers(hands):
    """The layers of the overlay."""
    return list(layers_of(hands.dock).values())[3:]


def abstracts(hands):
    """What the overlay's layers are said to be, in their metadata and as QGIS has it from the service."""
    return [(layer.metadata().abstract(), compat._metadata_owner(layer).abstract()) for layer in moved_layers(hands)]


@pytest.mark.slow
@pytest.mark.parametrize(("crs", "in_between"), [
    ("EPSG:25830", "nothing"), ("EPSG:3857", "reopened"), ("EPSG:3857", "back while it is closed"),
    *([("EPSG:25830", "reopened"), ("EPSG:25830", "reopened twice")] if ALL else [])])
def test_a_moved_service_that_does_not_respond_returns_where_it_was_shown(hands, network, tmp_path, crs, in_between):
    maps = hands.dock.composer_controller.map
    former = maps.items[1].entry.endpoint
    address = former.replace("127.0.0.1", "localhost")
    maps.change_endpoints({maps.items[1]: address})
    settled(hands.dock, hands.wait_until)
    # with the credit that is due there
    before = hands.work()
    maps.change_endpoints({maps.items[1]: former})
    settled(hands.dock, hands.wait_until)
    hands.dock.session.services.forget(address)
    described = abstracts(hands)
    for layer in moved_layers(hands):
        metadata = layer.metadata().clone()
        metadata.setAbstract("As somebody describes it at the former address")
        layer.setMetadata(metadata)
    item = lose_moved(hands, network)
    assert abstracts(hands) == [("", "")] * 3, "what the former service says is not said of another one"
    assert differences(shown_somewhere(before), hands.work()) == ""
    assert hands.dock.composer_controller.layers.unavailable.parts() == [item]
    set_crs(hands, crs)
    if "back" in in_between:
        hands.layout = hands.locked = hands.legend = None
        assert hands.project.write(str(tmp_path / "mio.qgz"))
        network.fault()
    for _ in range({"nothing": 0, "reopened twice": 2}.get(in_between, 1)):
        reopened(hands, tmp_path / "mio.qgz")
        assert differences(shown_somewhere(before), hands.work()) == ""
        assert maps.items[1].is_unavailable is ("back" not in in_between)
        assert abstracts(hands) in ([("", "")] * 3, described)
    network.fault()
    if maps.items[1].is_unavailable:
        number = maps.stack.index(maps.items[1])
        maps.set_opacity(number, 0.4)
        maps.set_blend(number, BlendMode.MULTIPLY)
        settled(hands.dock, hands.wait_until)
        maps.builds.reload(maps.items[1])
        settled(hands.dock, hands.wait_until)
        assert (maps.items[1].entry.opacity, maps.items[1].entry.blend) == (0.4, BlendMode.MULTIPLY)
        assert {(round(layer.opacity(), 2), blend_of(layer)) for layer in list(layers_of(hands.dock).values())[3:]} == {
            (0.4, BlendMode.MULTIPLY)}
        maps.set_opacity(number, 1.0)
        maps.set_blend(number, BlendMode.NORMAL)
    settled(hands.dock, hands.wait_until)
    assert maps.items[1].entry.endpoint == address and not maps.items[1].problem
    assert [layer.isValid() for layer in layers_of(hands.dock).values()] == [True] * 6
    assert requested_crs(hands) == {crs}
    assert differences(before, hands.work()) == "" and abstracts(hands) == described


@pytest.mark.slow
@pytest.mark.parametrize(("is_back", "crs"), some([
    (True, "EPSG:3857"), (True, "EPSG:25830"), (False, "EPSG:25830"), (False, "EPSG:3857")], 2))
def test_undo_of_a_move_to_a_service_that_does_not_respond(hands, network, tmp_path, crs, is_back):
    maps, before = hands.dock.composer_controller.map, hands.work()
    printed = hands.print(tmp_path / "before.pdf")
    former = lose_moved(hands, network).entry.endpoint.replace("localhost", "127.0.0.1")
    if is_back:
        network.fault()
    if crs != "EPSG:25830":
        set_crs(hands, crs)
        maps.undo()
        settled(hands.dock, hands.wait_until)
    maps.undo()
    settled(hands.dock, hands.wait_until)
    assert maps.items[1].entry.endpoint == former
    assert differences(before, hands.work()) == "" and requested_crs(hands) == {"EPSG:25830"}
    assert alike(hands.print(tmp_path / "after.pdf"), printed)
    maps.redo()
    settled(hands.dock, hands.wait_until)
    assert maps.items[1].is_unavailable is not is_back
    assert differences(shown_somewhere(before), hands.work()) == ""


# -- a second group of the map


def beside(dock, wait_until):  # noqa: F811
    """Copy and paste the map's group. Returns the tree and the copy."""
    tree = LayerTree()
    former = group(dock)
    tree.paste(tree.copy(former))
    settled(dock, wait_until)
    return tree, next(one for one in tree.root.findGroups() if one is not former and has_document(one))


def test_a_map_takes_no_layer_out_of_the_group_of_the_one_before(both, wait_until):  # noqa: F811
    maps, before = both.composer_controller.map, group(both)
    maps.remove(1)
    settled(both, wait_until)
    _, copy = beside(both, wait_until)
    maps.undo()
    settled(both, wait_until)
    ids = before.findLayerIds()
    assert len(ids) == 6
    both.composer_controller.documents.open_group(copy)
    settled(both, wait_until)
    few(both, wait_until, "quipamientos", "overlay", 2)
    settled(both, wait_until)
    assert len(copy.findLayerIds()) == 6 and before.findLayerIds() == ids


def test_a_layer_that_undo_put_outside_stays_there_when_its_service_is_added(both, wait_until, tmp_path):  # noqa: F811
    maps, tree = both.composer_controller.map, LayerTree()
    mine = list(layers_of(both).values())[-1].clone()
    tree.project.addMapLayer(mine)
    mine_id = mine.id()
    maps.remove(1)
    settled(both, wait_until)
    assert tree.project.write(str(tmp_path / "mio.qgz")) and tree.project.read(str(tmp_path / "mio.qgz"))
    wait_until(lambda: len(maps.items) == 1 and not maps.adding, 60)
    settled(both, wait_until)
    tree.drag(tree.root.findLayer(mine_id), group(both))
    settled(both, wait_until)
    assert len(maps.items) == 2
    maps.undo()
    settled(both, wait_until)
    assert len(maps.items) == 1 and mine_id not in group(both).findLayerIds()
    few(both, wait_until, "quipamientos", "overlay", 2)
    settled(both, wait_until)
    assert tree.root.findLayer(mine_id) is not None and mine_id not in group(both).findLayerIds()


def test_an_opened_copy_is_not_replaced_by_the_undo_of_the_map_before(both, wait_until):  # noqa: F811
    actions = both.composer_controller
    _, copy = beside(both, wait_until)
    ids = copy.findLayerIds()
    actions.map.remove(1)
    actions.documents.new()
    settled(both, wait_until)
    assert both.note.details.text() == "Undo"
    actions.documents.open_group(copy)
    settled(both, wait_until)
    if not both.note.isHidden():
        both.note.details.click()
    settled(both, wait_until)
    assert group(both) is copy and copy.findLayerIds() == ids


@pytest.mark.parametrize("has_pause", [False, True])
def test_a_group_moved_by_the_clipboard_is_shown_where_it_was(hands, has_pause):
    maps, tree, former = hands.dock.composer_controller.map, LayerTree(), group(hands.dock)
    collection, number = hands.project.mapThemeCollection(), len(hands.locked.layers())
    shown = {name: len(collection.mapThemeVisibleLayerIds(name)) for name in collection.mapThemes()}
    copied = tree.copy(former)
    tree.paste(copied)
    if has_pause:
        settled(hands.dock, hands.wait_until)
    tree.run("RemoveGroupOrLayer", former)
    settled(hands.dock, hands.wait_until)
    assert len(maps.items) == 2 and len(layers_of(hands.dock)) == 6
    assert {name: len(collection.mapThemeVisibleLayerIds(name)) for name in collection.mapThemes()} == shown
    assert len(hands.locked.layers()) == number
    assert {layer.id() for layer in hands.locked.layers()} <= set(maps.mirror.layer_ids())
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert not maps.mirror.removed.findChildren(QgsMapLayer), "no layer is kept that nothing brings back"


def test_layers_of_one_service_too_many_stay_together_and_stand_as_issues(both, wait_until, monkeypatch):  # noqa: F811
    monkeypatch.setattr(project_mirror, "MAX_OVERLAYS", 2)
    maps, tree, inner = both.composer_controller.map, LayerTree(), QgsLayerTreeGroup("Una más")
    for layer in list(layers_of(both).values())[-3:]:
        inner.addLayer(tree.project.addMapLayer(layer.clone(), False))
    group(both).addChildNode(inner)
    settled(both, wait_until)
    maps.mirror.read()
    assert len(maps.items) == 2 and not maps.own_items
    reasons = [reason for _, reason in maps.mirror.layers_left_out()]
    assert len(reasons) == 3 and len(set(reasons)) == 1 and reasons[0]


def test_a_copy_of_an_own_layer_that_is_one_too_many_stands_as_an_issue(both, wait_until, tmp_path,  # noqa: F811
                                                                         monkeypatch):
    monkeypatch.setattr(project_mirror, "MAX_OWN_LAYERS", 1)
    maps, tree, layer = both.composer_controller.map, LayerTree(), own_points(tmp_path)
    tree.project.addMapLayer(layer)
    maps.add_own_layer(layer)
    settled(both, wait_until)
    copy = tree.duplicate(layer)
    group(both).findLayer(copy.id()).setItemVisibilityChecked(True)
    settled(both, wait_until)
    assert len(maps.own_items) == 1 and group(both).findLayer(copy.id()) is not None
    (left_out, reason), = maps.mirror.layers_left_out()
    assert left_out is copy and "1" in reason


def test_nothing_else_of_the_plugin_begins_while_a_source_is_changed(network, project, wait_until):
    layer, order = composed(network, project).layers[0], []
    owner, cache = QObject(), ServiceCache()
    cache.request(layer.customProperty("cartoguide/endpoint"), order.append, order.append)
    wait_until(lambda: order, 30)
    order.clear()
    soon, later = (main_thread.single_shot(owner, pause, partial(order.append, f"after {pause}")) for pause in (0, 20))

    def in_the_middle():
        layer.rendererChanged.disconnect(in_the_middle)
        main_thread.post(lambda: order.append("posted"))
        soon.start()
        later.start()
        jobs = [tasks.start("Work", lambda _feedback: None, lambda _result: order.append("job"), order.append,
                            asks_to_close=asks) for asks in (True, False)]
        cache.request(layer.customProperty("cartoguide/endpoint"), lambda _service: order.append("service"),
                      order.append)
        end = time.monotonic() + 0.3
        while not all(job.has_ended for job in jobs) or time.monotonic() < end:
            handle_events()
        assert soon.isActive() and later.isActive(), "what is still to be done can be done at once"
        order.append("changed")

    layer.rendererChanged.connect(in_the_middle)
    set_source(layer, layer.source(), "wms")
    wait_until(lambda: len(order) == 7)
    assert order[0] == "changed" and sorted(order[1:]) == ["after 0", "after 20", "job", "job", "posted", "service"]
    assert not main_thread.is_undisturbed() and (soon.interval(), later.interval()) == (0, 20)


def test_no_moment_is_requested_of_a_layer_whose_source_is_being_changed(network, project):
    layer, seen = composed(network, project).layers[0], []
    # an answer that is there at once leaves no time for anything in between
    QgsNetworkAccessManager.instance().cache().clear()
    network.fault({"match": {"request": "GetCapabilities"}, "action": {"type": "delay", "seconds": 1}})

    def in_the_middle():
        seen.append(layer.dataProvider())
        request_moment([layer], datetime(2019, 1, 1, tzinfo=timezone.utc))

    # another program's, in the loop of events in which QGIS reads the capabilities
    QTimer.singleShot(0, in_the_middle)
    set_source(layer, f"{layer.source()}&timeDimensionExtent=2019-01-01,2020-01-01", "wms")
    assert seen == [None] and layer.isValid()
