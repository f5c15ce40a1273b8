"""Exports while something happens to the project: the file is that of an undisturbed export, or there is none.

This is a slice, in which several events happen at once. With CARTOGUIDE_ATTACKS=all in the environment each event by
itself meets each format, and there are more random ones (CARTOGUIDE_SEED=number for others).
"""

from __future__ import annotations

import os
import random
from dataclasses import replace

import pytest
from osgeo import gdal
from qgis import core
from qgis.core import (
    Qgis,
    QgsCoordinateReferenceSystem,
    QgsFeature,
    QgsFillSymbol,
    QgsGeometry,
    QgsLayerTreeLayer,
    QgsLayoutItemLabel,
    QgsLayoutObject,
    QgsMarkerSymbol,
    QgsNetworkAccessManager,
    QgsNetworkRequestParameters,
    QgsProject,
    QgsProperty,
    QgsRectangle,
    QgsSingleSymbolRenderer,
    QgsVectorLayer,
)
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QCoreApplication, QSizeF, QTimer
from qgis.PyQt.QtGui import QColor, QImage, QPainter
from source_server import EAST, NORTH, SOUTH, WEST

from plugin.core.errors import CartoguideError
from plugin.gis.export import layout_export, sealed_layouts
from plugin.gis.export.atlas import start_layouts
from plugin.gis.export.layout_export import ExportOptions
from plugin.gis.layers.removed_layers import RemovedLayers
from plugin.gis.layouts import layout_items
from plugin.gis.legends.legend_columns import TITLE_PROPERTY
from plugin.gis.pages.layout_legend import leave_out_of_legend
from plugin.gis.runtime import compat
from plugin.gis.sources.layer_source import drawn_parts
from tests.qgis.print_maps import composed
from tests.qgis.print_maps import pixels as image_pixels
from tests.qgis.test_pixels import unlike
from tests.qgis.test_unchecked_layers import page

DPI = 50
ALL = os.environ.get("CARTOGUIDE_ATTACKS") == "all"


@pytest.fixture
def made(network, project):
    """Two services on a page, whose pictures the server has still to send."""
    network.reset()
    made = composed(network, project)
    project.setTitle("before")
    return made


def remove_one(made, project, _folder):
    project.removeMapLayer(made.layers[1])


def remove_all(made, project, _folder):
    project.removeAllMapLayers()


def new_project(made, project, _folder):
    project.clear()


def other_project(made, project, folder):
    assert project.read(str(folder / "other.qgs"))


def delete_layouts(made, project, _folder):
    project.layoutManager().clear()


def remove_group(made, project, _folder):
    project.layerTreeRoot().removeAllChildren()


def change_opacity(made, project, _folder):
    for layer in made.layers:
        layer.setOpacity(0.2)


def change_order(made, project, _folder):
    root = project.layerTreeRoot()
    root.setHasCustomLayerOrder(True)
    root.setCustomLayerOrder(list(made.layers))


def change_crs(made, project, _folder):
    project.setCrs(QgsCoordinateReferenceSystem("EPSG:3857"))
    project.setEllipsoid("NONE")


def change_credits(made, project, _folder):
    for layer in made.layers:
        metadata = layer.metadata()
        metadata.setRights([])
        layer.setMetadata(metadata)
        for name in layer.customPropertyKeys():
            layer.removeCustomProperty(name)


def edit_layout(made, project, _folder):
    for layout in project.layoutManager().printLayouts():
        layout.clear()


def remove_parts(*given):
    """All that takes away parts of the project."""
    for event in (remove_one, delete_layouts, remove_group):
        event(*given)


def change_all(*given):
    """All that changes what is there."""
    for event in (change_opacity, change_order, change_crs, change_credits, edit_layout):
        event(*given)


EVENTS = (remove_one, remove_all, new_project, other_project, delete_layouts, remove_group, change_opacity,
          change_order, change_crs, change_credits, edit_layout)
FORMATS = ("pdf", "png", "svg", "geotiff")
CASES = [(event, kind, pages) for event in EVENTS for kind in FORMATS for pages in (1, 2)]
#: each event and each format once, one on two pages
SLICE = [(remove_parts, "pdf", 2), (change_all, "svg", 1), (remove_all, "png", 1), (new_project, "png", 1),
         (other_project, "geotiff", 1)]
#: what each format and number of pages shows undisturbed: the same map for each event
UNDISTURBED: dict = {}


def pages_of(made, project, count, wait_until):
    """The page, or a series of two scales."""
    if count == 1:
        return [made.layout]
    found: list = []
    plans = [replace(made.plan, scale=scale) for scale in (75_000.0, 150_000.0)]
    start_layouts(project, plans, [made.layers] * 2, found.append, pytest.fail)
    return wait_until(lambda: found)[0]


def export(pages, folder, kind):
    folder.mkdir(exist_ok=True)
    file = folder / f"map.{layout_export.EXPORT_FORMATS[kind].suffix}"
    return layout_export.export_layouts(pages, file, kind, ExportOptions(DPI, attempts=1), names=["a", "b"])


def pictures(done, kind):
    """The pages of a finished export as pixels."""
    found = []
    for file in done.files:
        if file.suffix == ".svg":
            from qgis.PyQt.QtSvg import QSvgRenderer

            image = QImage(800, 600, QImage.Format.Format_RGB32)
            image.fill(QColor("white"))
            painter = QPainter(image)
            QSvgRenderer(str(file)).render(painter)
            painter.end()
            found.append(bytes(image.constBits().asarray(image.sizeInBytes())))
        elif file.suffix == ".pdf":
            number = 1
            while True:
                gdal.PushErrorHandler("CPLQuietErrorHandler")
                data = gdal.OpenEx(f"PDF:{number}:{file}", gdal.OF_RASTER, open_options=["DPI=60"])
                gdal.PopErrorHandler()
                if data is None:
                    break
                found.append(data.ReadAsArray().tobytes())
                number += 1
        elif file.suffix in (".png", ".tif"):
            found.append(gdal.Open(str(file)).ReadAsArray().tobytes())
    return found


def undisturbed(pages, tmp_path, kind):
    """What an export shows to which nothing happens."""
    if (kind, len(pages)) not in UNDISTURBED:
        UNDISTURBED[kind, len(pages)] = pictures(export(pages, tmp_path / "undisturbed", kind), kind)
    return UNDISTURBED[kind, len(pages)]


class AtRequest:
    """Context in which something happens as soon as the drawing has asked for its first picture."""

    def __init__(self, happen, after=1):
        self.happen, self.left, self.happened = happen, after, 0

    def __enter__(self):
        self.signal = QgsNetworkAccessManager.instance().requestAboutToBeCreated[QgsNetworkRequestParameters]
        self.signal.connect(self.on_request)
        return self

    def __exit__(self, *_):
        self.signal.disconnect(self.on_request)

    def on_request(self, parameters):
        if "GetMap" in parameters.request().url().query():
            self.left -= 1
            if self.left == 0:
                QTimer.singleShot(0, self.act)

    def act(self):
        self.happened += 1
        self.happen()


@pytest.fixture
def other_file(tmp_path):
    """A project of its own, to be opened."""
    other = QgsProject()
    other.setTitle("other")
    layer = QgsVectorLayer("Point?crs=EPSG:4326", "other", "memory")
    other.addMapLayer(layer)
    assert other.write(str(tmp_path / "other.qgs"))
    other.clear()


def forget_pictures():
    QgsNetworkAccessManager.instance().cache().clear()


@pytest.mark.timeout(120)
@pytest.mark.parametrize("event, kind, count", CASES if ALL else SLICE,
                         ids=lambda value: getattr(value, "__name__", str(value)))
def test_what_happens_to_the_project_does_not_reach_the_file(made, network, project, tmp_path, wait_until, other_file,
                                                             event, kind, count):
    pages = pages_of(made, project, count, wait_until)
    expected = undisturbed(pages, tmp_path, kind)
    with AtRequest(lambda: event(made, project, tmp_path)) as at_request:
        done = export(pages, tmp_path / "disturbed", kind)
    assert at_request.happened == 1 and expected
    assert pictures(done, kind) == expected
    assert [file for file in (tmp_path / "disturbed").iterdir() if file.name.startswith(".")] == []


def is_undisturbed(made, project, tmp_path, event, kind="png", after=1):
    """Export with nothing cached, so that each layer asks its server; True for the same file, or the error's words."""
    expected = undisturbed([made.layout], tmp_path, kind)
    forget_pictures()
    with AtRequest(lambda: event(made, project, tmp_path), after) as at_request:
        try:
            done = export([made.layout], tmp_path / "disturbed", kind)
        except CartoguideError as error:
            assert list((tmp_path / "disturbed").iterdir()) == []
            return error.user_text
    assert at_request.happened == 1
    return pictures(done, kind) == expected


@pytest.mark.parametrize("event", (remove_all, other_project), ids=lambda event: event.__name__)
def test_layers_that_are_held_outlive_their_project(made, project, tmp_path, other_file, event):
    """Their capabilities are cached no more, so QGIS would ask the server for a copy of them."""
    assert is_undisturbed(made, project, tmp_path, event) is True
    assert all(sip.isdeleted(layer) for layer in made.layers)


@pytest.mark.parametrize("event", (change_opacity, change_credits), ids=lambda event: event.__name__)
def test_a_held_layer_that_changes_ends_the_export_in_words(made, project, tmp_path, event):
    words = is_undisturbed(made, project, tmp_path, event)
    assert "was changed while the map was drawn" in words and any(layer.name() in words for layer in made.layers)


@pytest.mark.slow
def test_random_events_at_random_moments(made, network, project, tmp_path, other_file):
    """Whatever happens, in any order: the same file or clear words."""
    chance = random.Random(int(os.environ.get("CARTOGUIDE_SEED", "7")))
    for number in range(60 if ALL else 2):
        if number:
            project.clear()
            made = composed(network, project)
        events = chance.sample(EVENTS, chance.randint(1, 3))

        def happen(*_, made=made, events=events):
            for event in events:
                alive = not any(sip.isdeleted(layer) for layer in made.layers)
                if alive or event in (new_project, other_project, delete_layouts, change_crs, remove_group):
                    event(made, project, tmp_path)

        folder = tmp_path / str(number)
        folder.mkdir()
        other = QgsProject()
        other.write(str(folder / "other.qgs"))
        (tmp_path / "other.qgs").write_bytes((folder / "other.qgs").read_bytes())
        kind = chance.choice(FORMATS)
        # each layer is requested once
        found = is_undisturbed(made, project, folder, happen, kind, chance.randint(1, len(made.layers)))
        assert found is True or "was changed while the map was drawn" in found, (number, events, kind, found)


def test_a_copy_is_shaded_and_measured_as_newer_versions_of_qgis_do(made, project):
    shading = getattr(project, "elevationShadingRenderer", None)
    if shading is None:
        pytest.skip("QGIS shades the relief of maps from 3.30 on")
    renderer = shading()
    renderer.setActive(True)
    renderer.setLightAzimuth(123.0)
    project.setElevationShadingRenderer(renderer)
    if hasattr(project, "scaleMethod"):
        project.setScaleMethod(Qgis.ScaleCalculationMethod.HorizontalBottom)
    with sealed_layouts.sealed([made.layout]) as work:
        copied = work.layouts[0].project()
        kept = layout_items.main_map(work.layouts[0]).mapSettings(
            layout_items.main_map(work.layouts[0]).extent(), QSizeF(100, 100), 96, True).elevationShadingRenderer()
        assert (kept.isActive(), kept.lightAzimuth()) == (True, 123.0)
        assert not hasattr(project, "scaleMethod") or copied.scaleMethod() == project.scaleMethod()


def test_a_copy_has_what_the_project_has(made, project, tmp_path):
    """CRS, ellipsoid, variables, paths, themes, legends, links between items and layers of other kinds."""
    points = QgsVectorLayer("Point?crs=EPSG:4326", "points", "memory")
    feature = QgsFeature()
    feature.setGeometry(QgsGeometry.fromWkt("POINT(-3.5 38.4)"))
    points.dataProvider().addFeatures([feature])
    edited = QgsVectorLayer("Point?crs=EPSG:4326", "edited", "memory")
    project.addMapLayers([points, edited])
    before = set(project.mapLayers())
    edited.startEditing()
    edited.addFeature(feature)
    project.setFileName(str(tmp_path / "of mine.qgs"))
    project.setCustomVariables({"mine": "42"})
    project.setEllipsoid("EPSG:7019")
    item = layout_items.main_map(made.layout)
    item.setLayers([points, edited, *item.layers()])
    label = QgsLayoutItemLabel(made.layout)
    label.setText("[% @mine %] [% @project_path %] [% cartoguide_credits() %]")
    made.layout.addLayoutItem(label)
    with sealed_layouts.sealed([made.layout]) as work:
        copy = work.layouts[0]
        copied = copy.project()
        shown = layout_items.main_map(copy)
        assert [layer.id() for layer in shown.layers()] == [layer.id() for layer in item.layers()]
        assert {layer.name() for layer in shown.layers() if layer is project.mapLayer(layer.id())} == {"edited"}
        assert copied.mapLayer(points.id()).featureCount() == 1
        assert (copied.crs(), copied.ellipsoid(), copied.absolutePath()) == (project.crs(), "EPSG:7019", str(tmp_path))
        assert shown.scale() == item.scale() and shown.extent() == item.extent()
        texts = {one.currentText() for one in layout_items.items_of_type(copy, QgsLayoutItemLabel)}
        assert texts == {one.currentText() for one in layout_items.items_of_type(made.layout, QgsLayoutItemLabel)}
        assert any("42" in text and str(tmp_path) in text for text in texts)
        legends = [layout_items.find_item(one, layout_items.LEGEND, object) for one in (copy, made.layout)]
        assert len({len(legend.model().rootGroup().findLayers()) for legend in legends}) == 1
        nodes = [[node.userLabel() for layer in legend.model().rootGroup().findLayers()
                  for node in legend.model().layerLegendNodes(layer)] for legend in legends]
        assert nodes[0] == nodes[1] != []
        tree = copied.layerTreeRoot()
        assert [node.layerId() for node in tree.findLayers()] == [
            node.layerId() for node in project.layerTreeRoot().findLayers()]
        assert all(isinstance(node, QgsLayerTreeLayer) and node.layer() is not None for node in tree.findLayers())
        assert copy.pageCollection().page(0).pageSize().toQSizeF() != QSizeF(0, 0)
    assert edited.project() is project and project.mapLayer(edited.id()) is edited and edited.isEditable()
    edited.rollBack()
    assert set(project.mapLayers()) == before and project.layoutManager().layouts() == [made.layout]


def test_unloading_the_plugin_ends_an_export_in_words(made, network, tmp_path):
    network.fault({"match": {"request": "GetMap"}, "action": {"type": "delay", "seconds": 2}})
    forget_pictures()
    with AtRequest(lambda: sealed_layouts.abort_all("unloaded")), \
            pytest.raises(CartoguideError, match="^unloaded$"):
        export([made.layout], tmp_path / "maps", "pdf")
    assert list((tmp_path / "maps").iterdir()) == []


# -- groups that QGIS draws as one layer

needs_groups = pytest.mark.skipif(not hasattr(core, "QgsGroupLayer"),
                                  reason="QGIS draws no groups as one layer before 3.24")


def red_points():
    points = QgsVectorLayer("Point?crs=EPSG:4326", "points", "memory")
    features = []
    for x in (-3.53, -3.51, -3.49):
        features.append(QgsFeature())
        features[-1].setGeometry(QgsGeometry.fromWkt(f"POINT({x} 38.385)"))
    points.dataProvider().addFeatures(features)
    points.renderer().setSymbol(QgsMarkerSymbol.createSimple(
        {"name": "square", "color": "#ff0000", "outline_style": "no", "size": "8"}))
    return points


def grouped(project, *layers, name="group"):
    """A group of the layer tree that is drawn as one layer, as QGIS's layer styling makes it."""
    node = project.layerTreeRoot().insertGroup(0, name)
    for layer in layers:
        project.addMapLayer(layer, False)
        node.addLayer(layer)
    group = node.convertToGroupLayer(core.QgsGroupLayer.LayerOptions(project.transformContext()))
    project.addMapLayer(group, False)
    return group


def red_pixels(folder):
    pixels = image_pixels(QImage(str(folder / "map.png"))).astype(int)
    return int((abs(pixels[..., :3] - [0, 0, 255]) < 40).all(axis=2).sum())


@needs_groups
@pytest.mark.parametrize("chosen", ["locked", "visible"])
def test_a_group_that_is_drawn_as_one_is_exported_as_it_is_shown_and_stays_whole(made, project, tmp_path, chosen):
    points, hidden = red_points(), QgsVectorLayer("Point?crs=EPSG:4326", "hidden", "memory")
    group, item = grouped(project, points, hidden), layout_items.main_map(made.layout)
    if chosen == "locked":
        item.setLayers([group, *item.layers()])
    else:
        item.setKeepLayerSet(False)
        item.setLayers([])
    children = group.childLayers()
    export([made.layout], tmp_path / "first", "png")
    first = red_pixels(tmp_path / "first")
    assert first > 100 and group.childLayers() == children and project.mapLayer(group.id()) is group
    points.setOpacity(0)
    export([made.layout], tmp_path / "without", "png")
    assert red_pixels(tmp_path / "without") == 0
    points.setOpacity(1)
    export([made.layout], tmp_path / "again", "png")
    assert red_pixels(tmp_path / "again") == first


@needs_groups
@pytest.mark.parametrize("removes", [False, True], ids=["left out of the page", "removed from the project"])
def test_what_leaves_a_legend_does_not_take_the_others_out_of_their_group(made, project, removes):
    points, other = red_points(), QgsVectorLayer("Point?crs=EPSG:4326", "other", "memory")
    group = grouped(project, points, other)
    layout = made.layout.clone()
    layout.setName("with a group")
    project.layoutManager().addLayout(layout)
    legend = layout.itemById(layout_items.LEGEND)
    compat.stop_legend_updates(legend)
    listed = project.layerTreeRoot().findGroup("group").clone()
    for node in (listed, *listed.children()):
        node.setCustomProperty(TITLE_PROPERTY, node.name())
    legend.model().rootGroup().insertChildNode(0, listed)
    if removes:
        kept = RemovedLayers(project, lambda _layer_id: True)
        project.removeMapLayer(points.id())
        kept.close()
    else:
        leave_out_of_legend(layout, {points.id()})
    assert legend.model().rootGroup().findLayer(points.id()) is None
    assert "other" in [layer.name() for layer in group.childLayers()]
    assert removes or points in group.childLayers()


@needs_groups
def test_an_export_leaves_a_group_that_it_does_not_show_as_it_is(made, project, tmp_path):
    outer = grouped(project, red_points())
    children = outer.childLayers()
    export([made.layout], tmp_path / "map", "png")
    assert len(children) == 1 and outer.childLayers() == children


@needs_groups
@pytest.mark.parametrize("chosen", ["locked", "visible"])
def test_a_service_in_a_group_that_is_drawn_as_one_is_requested_and_credited(made, network, project, tmp_path, chosen):
    service, item = made.layers[1], layout_items.main_map(made.layout)
    others = [layer for layer in item.layers() if layer is not service]
    former = project.layerTreeRoot().findLayer(service)
    group = grouped(project, red_points(), service)
    if former is not None:
        former.parent().removeChildNode(former)
    QCoreApplication.processEvents()
    # a mode that QGIS knows within groups only, and takes from layers that leave theirs
    service.setBlendMode(QPainter.CompositionMode.CompositionMode_SourceAtop)
    if chosen == "locked":
        item.setLayers([group, *others])
    else:
        item.setKeepLayerSet(False)
        item.setLayers([])
    forget_pictures()
    network.reset()
    export([made.layout], tmp_path / "map", "png")
    assert red_pixels(tmp_path / "map") > 100
    assert network.count("GetMap") >= 1 and "limite" in str(network.requests).lower()
    assert [layer.name() for layer in group.childLayers()] == [service.name(), "points"]
    assert service.blendMode() == QPainter.CompositionMode.CompositionMode_SourceAtop, "it stays as it is"
    assert service.project() is project
    layout_items.find_item(made.layout, layout_items.CREDITS, QgsLayoutItemLabel).setText("")
    with pytest.raises(CartoguideError) as refused:
        export([made.layout], tmp_path / "uncredited", "png")
    assert "The credit of “Mapa guía del Parque" in str(refused.value)
    assert not (tmp_path / "uncredited" / "map.png").exists()


@needs_groups
def test_a_locked_map_shows_a_group_as_it_was_locked(made, project, tmp_path):
    points, item = red_points(), layout_items.main_map(made.layout)
    group = grouped(project, points, QgsVectorLayer("Point?crs=EPSG:4326", "other", "memory"))
    item.setLayers([group, *item.layers()])
    item.setKeepLayerSet(True)
    project.layerTreeRoot().findLayer(points).setItemVisibilityChecked(False)
    is_kept = points in [part for layer in item.layers() for part in drawn_parts(layer)]
    export([made.layout], tmp_path / "map", "png")
    assert (red_pixels(tmp_path / "map") > 100) is is_kept
    # a group that has left the project stays on such a map
    project.layerTreeRoot().findGroup("group").setGroupLayer(None)
    project.removeMapLayer(group.id())
    is_kept = points in [part for layer in item.layers() for part in drawn_parts(layer)]
    export([made.layout], tmp_path / "gone", "png")
    assert (red_pixels(tmp_path / "gone") > 100) is is_kept


@pytest.mark.parametrize("number", [0, 1])
def test_the_page_of_an_atlas_that_the_layout_shows_is_exported(project, tmp_path, number):
    """Cut to its feature, with its name, and with the layer that an expression chooses for it."""
    sheets = QgsVectorLayer("Polygon?crs=EPSG:4326&field=name:string&field=shown:string", "sheets", "memory")
    middle = (WEST + EAST) / 2
    for name, west, east in (("west", WEST, middle), ("east", middle, EAST)):
        area = QgsVectorLayer("Polygon?crs=EPSG:4326", f"of the {name}", "memory")
        area.setRenderer(QgsSingleSymbolRenderer(QgsFillSymbol.createSimple(
            {"color": "#ff0000" if name == "west" else "#0000ff", "outline_style": "no"})))
        for layer, box in ((area, (WEST, SOUTH, EAST, NORTH)), (sheets, (west, SOUTH, east, NORTH))):
            feature = QgsFeature(layer.fields())
            feature.setGeometry(QgsGeometry.fromRect(QgsRectangle(*box)))
            feature.setAttributes([name, area.name()][:layer.fields().count()])
            layer.dataProvider().addFeatures([feature])
        project.addMapLayer(area)
    project.addMapLayer(sheets)
    layout = page(project)
    item = layout_items.main_map(layout)
    item.dataDefinedProperties().setProperty(compat.enum_value(QgsLayoutObject.DataDefinedProperty.MapLayers),
                                             QgsProperty.fromExpression("attribute(@atlas_feature, 'shown')"))
    clip = item.atlasClippingSettings()
    clip.setEnabled(True)
    layout_items.find_item(layout, layout_items.CREDITS, QgsLayoutItemLabel).setText(
        "Sheet [% @atlas_pagename %], [% @atlas_featurenumber %] of [% @atlas_totalfeatures %]")
    atlas = layout.atlas()
    atlas.setCoverageLayer(sheets)
    atlas.setPageNameExpression('"name"')
    atlas.setSortFeatures(True)
    atlas.setSortExpression('"name"')
    atlas.setEnabled(True)
    assert atlas.beginRender() and atlas.seekTo(number)
    assert layout_export.EXPORT_FORMATS["png"].write(layout, tmp_path / "own.png", DPI) == 0
    layout_export.export_layouts([layout], tmp_path / "map.png", "png", ExportOptions(DPI))
    assert unlike(tmp_path / "own.png", tmp_path / "map.png", 40) < 0.001
    shown = image_pixels(QImage(str(tmp_path / "map.png")))
    assert [bool(((shown[:, :, 0] > 200) & (shown[:, :, 2] < 50)).any()),
            bool(((shown[:, :, 2] > 200) & (shown[:, :, 0] < 50)).any())] in ([True, False], [False, True])
    assert atlas.currentFeatureNumber() == number
