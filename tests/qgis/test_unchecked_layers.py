"""Layers whose requests nobody watches: an export says of each that nobody knows whether it is complete."""

from __future__ import annotations

import os

import pytest
from odd_server import OddServer
from osgeo import gdal, ogr, osr
from qgis import _3d, core
from qgis.core import (
    Qgis,
    QgsAnnotationLayer,
    QgsAnnotationMarkerItem,
    QgsAnnotationPointTextItem,
    QgsAnnotationPolygonItem,
    QgsCategorizedSymbolRenderer,
    QgsCoordinateReferenceSystem,
    QgsDataSourceUri,
    QgsExpressionContextUtils,
    QgsFeature,
    QgsField,
    QgsFillSymbol,
    QgsGeometry,
    QgsGeometryGeneratorSymbolLayer,
    QgsHtmlAnnotation,
    QgsLayoutExporter,
    QgsLayoutFrame,
    QgsLayoutItemAttributeTable,
    QgsLayoutItemHtml,
    QgsLayoutItemLabel,
    QgsLayoutItemLegend,
    QgsLayoutItemManualTable,
    QgsLayoutItemMap,
    QgsLayoutItemMapGrid,
    QgsLayoutItemPicture,
    QgsLayoutItemShape,
    QgsLayoutObject,
    QgsLayoutPoint,
    QgsLayoutSize,
    QgsLayoutTableColumn,
    QgsMapLayerFactory,
    QgsMapThemeCollection,
    QgsMarkerSymbol,
    QgsPalLayerSettings,
    QgsPoint,
    QgsPointClusterRenderer,
    QgsPointXY,
    QgsPolygon,
    QgsPrintLayout,
    QgsProject,
    QgsProperty,
    QgsPropertyCollection,
    QgsRasterFillSymbolLayer,
    QgsRasterLayer,
    QgsRasterMarkerSymbolLayer,
    QgsReadWriteContext,
    QgsRectangle,
    QgsRendererCategory,
    QgsRuleBasedLabeling,
    QgsRuleBasedRenderer,
    QgsSingleSymbolRenderer,
    QgsSvgMarkerSymbolLayer,
    QgsSymbolLayer,
    QgsTableCell,
    QgsTextBackgroundSettings,
    QgsTextFormat,
    QgsVectorFileWriter,
    QgsVectorLayer,
    QgsVectorLayerJoinInfo,
    QgsVectorLayerSimpleLabeling,
)
from qgis.PyQt.QtCore import QRectF, QUrl, QVariant
from qgis.PyQt.QtGui import QColor, QImage, QPainter
from qgis.PyQt.QtXml import QDomDocument
from source_server import EAST, NORTH, SOUTH, WEST, SourceServer, geotiff, is_second_part
from wire_faults import ANSWERS

from plugin.core.custommap.document import write_document
from plugin.core.custommap.model import PageSetup
from plugin.core.review.checks.rules import Severity
from plugin.core.sources.source_kind import SourceProof
from plugin.core.sources.tile_hosts import ONLINE_TERRAIN, tile_host_info
from plugin.core.terms.model import Decision
from plugin.gis.credits import expression_functions
from plugin.gis.credits.layer_metadata import set_credit
from plugin.gis.export import layout_export
from plugin.gis.export.export_transaction import ExportOptions
from plugin.gis.layouts import layout_items
from plugin.gis.network import client
from plugin.gis.own_layers.distribution_layers import layers_of_file
from plugin.gis.own_layers.references import refer_to
from plugin.gis.pages.completeness_checks import (
    IncompleteMap,
    layer_proof,
    layout_problems,
    missing_credits,
    unchecked_names,
)
from plugin.gis.pixels.plan import plan_page
from plugin.gis.runtime import compat, settings
from plugin.gis.runtime.images import png_bytes
from tests.pairwise import ALL, some
from tests.qgis.algorithm_runs import Heard, registered_provider, run, use_network
from tests.qgis.map_windows import wms
from tests.qgis.print_maps import GUIDE_LAYERS, PARK, composed_pages, small_map, strikes_other_pages
from tests.qgis.test_dock_offline import fill
from tests.qgis.test_own_layers import own_points
from tests.written_files import rights
from tests.written_files import sources as written_sources

DPI = 72
CREDIT = "© Loopback"
SENTENCE = "The completeness of these layers was not checked: "
#: a wrong answer for each format: each test of the suite has one of them
FAULTS = [("pdf", "500"), ("png", "login page with 200")]


@pytest.fixture
def sources(qgis_app):
    with SourceServer() as server:
        yield server


@pytest.fixture
def dock(network_dock, wait_until):
    settings.set("export_dpi", DPI)
    made = network_dock()
    wait_until(lambda: made.model.rowCount() == 3, 20)
    fill(made, wait_until)
    return made


def opened(sources, name):
    """A credited layer of one kind, named after it."""
    kind, provider, source = {**sources.sources, **getattr(sources, "unwatched", {})}[name]
    layer_type, _ = QgsMapLayerFactory.typeFromString(kind)
    layer = QgsMapLayerFactory.createLayer(source, name, layer_type, QgsMapLayerFactory.LayerOptions(
        QgsProject.instance().transformContext()), provider)
    assert layer.isValid(), name
    set_credit(layer, CREDIT)
    return layer


def exported(dock, wait_until, target):
    """The message about the export from the window."""
    ended = []
    exporter = dock.composer_controller.exporter
    for signal in (exporter.finished, exporter.failed):
        signal.connect(ended.append)
    exporter.export(target.suffix[1:], target)
    wait_until(lambda: ended, 120)
    assert target.is_file(), ended
    return dock.messages.history[-1][1]


@pytest.mark.slow
@pytest.mark.parametrize("suffix, fault", some(FAULTS, 2))
def test_the_window_names_each_layer_that_nobody_watches(dock, sources, wait_until, tmp_path, suffix, fault):
    maps, actions = dock.map, dock.composer_controller
    actions.extent.set_extent(PARK.box)
    local = own_points(tmp_path)
    maps.project.addMapLayer(local)
    maps.add_own_layer(local)
    actions.refresh_view()
    assert "unchecked" not in [finding.rule for finding in dock.composer.findings.findings]
    for name in sources.unwatched:
        layer = opened(sources, name)
        maps.project.addMapLayer(layer)
        maps.add_own_layer(layer)
    actions.refresh_view()
    noted = [finding for finding in dock.composer.findings.findings if finding.rule == "unchecked"]
    assert [finding.severity for finding in noted] == [Severity.NOTE]
    assert set(noted[0].service_title.split(", ")) == set(sources.unwatched), "one note names them all"
    sources.break_second_parts(fault)
    message = exported(dock, wait_until, tmp_path / f"map.{suffix}")
    assert "WFS" in sources.broken, "it lacks a part"
    assert message.startswith(f"Exported as map.{suffix}. {SENTENCE}"), message
    assert [name for name in sources.unwatched if f"“{name}”" not in message] == []
    assert message.count("“") == len(sources.unwatched), "and no service of the map"


@pytest.mark.parametrize("suffix, fault", some(FAULTS[::-1], 2))
def test_every_other_kind_is_found_by_the_check_and_refused_by_the_export(dock, sources, wait_until, tmp_path, suffix,
                                                                         fault, monkeypatch):
    monkeypatch.setattr(client, "_INITIAL_RETRY_DELAY", 0.01)
    maps, actions, panel = dock.map, dock.composer_controller, dock.composer.findings
    actions.extent.set_extent(PARK.box)
    for name in sources.sources:
        layer = opened(sources, name)
        maps.project.addMapLayer(layer)
        maps.add_own_layer(layer)
    actions.refresh_view()
    assert [finding.rule for finding in panel.findings if finding.rule == "unchecked"] == []
    sources.fault, sources.strikes = ANSWERS[fault], is_any_second_part
    ended = []
    actions.exporter.failed.connect(ended.append)
    panel.check.click()
    wait_until(lambda: [one for one in panel.findings if one.rule == "print-size"], 60)
    found = " ".join(one.detail for one in panel.findings if one.rule == "print-size")
    parts = ("/pictures/", "/wmtstiles/", "/shapes/", "/wfs", "/items", "FeatureServer", "/export", ".tif")
    assert [part for part in parts if part not in found] == [] and len(parts) == len(sources.sources)
    actions.exporter.export(suffix, tmp_path / f"map.{suffix}")
    wait_until(lambda: ended, 120)
    assert [name for name in sources.sources if f"“{name}”" not in str(ended[0])] == []
    assert not list(tmp_path.glob("map*"))


@pytest.mark.parametrize(("run", "name", "fault", "form", "suffix"), some([
    ("series", "XYZ", "login page with 200", "png", "png"), ("leaflet", "ArcGIS map", "500", "pdf", "pdf"),
    ("book", "WFS", "cut XML", "pdf", "pdf"), ("multiples", "vector tiles", "404", "svg", "svg")], 3))
def test_a_layer_that_fails_on_one_of_several_pages_or_maps_is_refused(network, project, sources, tmp_path, monkeypatch,
                                                                      run, name, fault, form, suffix):
    monkeypatch.setattr(client, "_INITIAL_RETRY_DELAY", 0.01)
    layouts = composed_pages(network, project, run, refer_to(opened(sources, name), entries_below=1))
    sources.strikes = strikes_other_pages(sources, layouts, lambda layout: layout_export.export_png(
        layout, tmp_path / "one.png", DPI))
    sources.fault = ANSWERS[fault]
    with pytest.raises(IncompleteMap, match=f"“{name}”"):
        layout_export.export_layouts(layouts, tmp_path / f"map.{suffix}", form, ExportOptions(DPI, attempts=1))
    assert sources.struck and not list(tmp_path.glob("map*"))
    if run in ("series", "book") and not ALL:
        # the good pages take longest, and those of the others are as many
        return
    sources.fault = None
    done = layout_export.export_layouts(layouts, tmp_path / f"map.{suffix}", form, ExportOptions(DPI, attempts=1))
    assert done.unchecked == () and done.problems == ()


def is_any_second_part(request):
    """Strike at a file too, which is asked for as a whole."""
    return is_second_part(request) or request["path"].endswith(".tif")


def test_opaque_tiles_of_one_s_own_are_an_issue_and_its_button_multiplies_them(dock, sources, wait_until, monkeypatch):
    maps, actions, panel = dock.map, dock.composer_controller, dock.composer.findings
    tile = QImage(256, 256, QImage.Format.Format_RGB32)
    tile.fill(QColor("#336699"))
    for path in [path for path in sources.answers if path.startswith("/pictures/")]:
        monkeypatch.setitem(sources.answers, path, (200, "image/png", png_bytes(tile)))
    actions.extent.set_extent(PARK.box)
    layer = opened(sources, "XYZ")
    maps.project.addMapLayer(layer)
    maps.add_own_layer(layer)
    panel.check.click()
    wait_until(lambda: "covering" in [one.rule for one in panel.findings], 60)
    panel.set_expanded(True)
    row, = [row for row in panel.rows if row.finding.rule == "covering"]
    assert "“XYZ”" in row.finding.message
    row.button.click()
    assert layer.blendMode() == QPainter.CompositionMode.CompositionMode_Multiply


def test_a_template_with_a_map_of_the_project_shows_layers_that_are_not_on_the_custom_map(dock, sources, wait_until,
                                                                                        tmp_path):
    actions, panel = dock.composer_controller, dock.composer.findings
    settings.set("templates_folder", str(tmp_path))
    scratch = QgsProject()
    layout = page(scratch)
    add_map(layout, "of the project", 100)
    assert layout.saveAsTemplate(str(tmp_path / "own.qpt"), QgsReadWriteContext())
    tiles = opened(sources, "GDAL tiles")
    set_credit(tiles, CREDIT, Decision.NO)
    QgsProject.instance().addMapLayer(tiles)
    actions.extent.set_extent(PARK.box)
    actions.map.commit(page=PageSetup(template=str(tmp_path / "own.qpt")))
    sources.break_second_parts()
    panel.check.click()
    wait_until(lambda: [one.service_title for one in panel.findings if one.rule == "unchecked"] == ["GDAL tiles"], 60)
    message = exported(dock, wait_until, tmp_path / "map.pdf")
    # whatever is said of the images of the services between the two
    assert message.startswith("Exported as map.pdf. ") and message.endswith(f" {SENTENCE}“GDAL tiles”.")


@pytest.mark.parametrize("suffix, fault", some(FAULTS, 2))
def test_the_algorithm_names_them_in_its_output_and_its_log(network, project, sources, tmp_path, monkeypatch, suffix,
                                                             fault):
    use_network(network, monkeypatch)
    with registered_provider():
        # what GDAL requests is not opened from a document of somebody else
        names = ["some features"]
        own = tuple(refer_to(opened(sources, name), entries_below=2) for name in names)
        sources.requests.clear()
        sources.break_second_parts(fault)
        document = tmp_path / "map.custommap.json"
        document.write_bytes(write_document(small_map(network, own_layers=own)))
        heard = Heard()
        done = run("exportcustommap", {"INPUT": str(document), "DPI": DPI, "FOREIGN_LAYERS": "open",
                                       "OUTPUT": str(tmp_path / f"map.{suffix}")}, heard)
        assert sources.broken == ["WFS"]
        assert sorted(done["UNCHECKED_LAYERS"].split("\n")) == sorted(names)
        said, = [line for line in heard.said if line.startswith(SENTENCE)]
        assert [name for name in names if f"“{name}”" not in said] == [] and said in done["REMARKS"].split("\n")


def page(project, name="page"):
    """A layout that is not Cartoguide's, with a map and the credits of all layers."""
    layout = QgsPrintLayout(project)
    layout.initializeDefaults()
    layout.setName(name)
    project.layoutManager().addLayout(layout)
    label = QgsLayoutItemLabel(layout)
    label.setId(layout_items.CREDITS)
    label.setText(CREDIT)
    label.attemptMove(QgsLayoutPoint(10, 195))
    label.attemptResize(QgsLayoutSize(100, 10))
    layout.addLayoutItem(label)
    add_map(layout, layout_items.MAP, 10)
    return layout


def add_map(layout, item_id, left, layers=()):
    item = QgsLayoutItemMap(layout)
    item.setId(item_id)
    item.attemptMove(QgsLayoutPoint(left, 10))
    item.attemptResize(QgsLayoutSize(85, 85))
    item.setCrs(QgsCoordinateReferenceSystem("EPSG:4326"))
    item.setExtent(QgsRectangle(WEST, SOUTH, EAST, NORTH))
    layout.addLayoutItem(item)
    if layers:
        item.setLayers(list(layers))
        item.setKeepLayerSet(True)
    return item


def memory(project, name, visible=True):
    layer = QgsVectorLayer("Point?crs=EPSG:4326&field=number:integer", name, "memory")
    feature = QgsFeature(layer.fields())
    feature.setGeometry(QgsGeometry.fromPointXY(QgsPointXY((WEST + EAST) / 2, (SOUTH + NORTH) / 2)))
    feature.setAttributes([1])
    layer.dataProvider().addFeatures([feature])
    project.addMapLayer(layer, visible)
    return layer


def test_what_is_on_the_page_counts_whoever_put_it_there(project, sources, tmp_path):
    ground = memory(project, "ground")
    tiles, features, hidden = (opened(sources, name) for name in ("GDAL tiles", "WFS", "ArcGIS map"))
    project.addMapLayers([tiles, features, hidden])
    layout = page(project)
    layout.itemById(layout_items.MAP).setLayers([ground])
    record = QgsMapThemeCollection.MapThemeRecord()
    record.addLayerRecord(QgsMapThemeCollection.MapThemeLayerRecord(tiles))
    project.mapThemeCollection().insert("theme", record)
    themed = add_map(layout, "themed", 100)
    themed.setFollowVisibilityPreset(True)
    themed.setFollowVisibilityPresetName("theme")
    left_out = add_map(layout, "left out", 190, [hidden])
    left_out.setExcludeFromExports(True)
    done = layout_export.export_png(layout, tmp_path / "theme.png", DPI)
    assert done.unchecked == ("GDAL tiles",), "by its theme, and not the map that is not printed"
    joined, virtual = memory(project, "joined"), QgsVectorLayer("?query=select * from WFS", "virtual", "virtual")
    join = QgsVectorLayerJoinInfo()
    join.setJoinLayer(features)
    join.setJoinFieldName("number")
    join.setTargetFieldName("number")
    joined.addJoin(join)
    plain = QgsVectorLayer("?query=select * from ground", "plain", "virtual")
    assert virtual.isValid() and plain.isValid()
    project.addMapLayers([virtual, plain], False)
    other = page(project, "other")
    other.itemById(layout_items.MAP).setLayers([plain, virtual, joined, ground])
    done = layout_export.export_layouts([layout, other], tmp_path / "both.pdf", layout_export.ExportFormat.PDF,
                                        ExportOptions(DPI))
    assert sorted(done.unchecked) == ["GDAL tiles", "joined", "virtual"], "of every page"


def add_table(layout, layer):
    table = QgsLayoutItemAttributeTable(layout)
    table.setVectorLayer(layer)
    layout.addMultiFrame(table)
    frame = QgsLayoutFrame(layout, table)
    frame.attemptMove(QgsLayoutPoint(10, 110))
    frame.attemptResize(QgsLayoutSize(85, 60))
    table.addFrame(frame)
    return frame


def test_what_is_drawn_beside_the_maps_counts_too(project, sources, tmp_path):
    ground = memory(project, "ground")
    features, tiles, seen = (opened(sources, name) for name in ("WFS", "XYZ", "ArcGIS features"))
    project.addMapLayers([features, tiles, seen], False)
    layout = page(project)
    layout.itemById(layout_items.MAP).setLayers([features, ground])
    add_table(layout, ground)
    done = layout_export.export_png(layout, tmp_path / "sound.png", DPI)
    assert done.unchecked == (), "a table of a local layer, and a map of features that are counted"
    frame = add_table(layout, features)
    done = layout_export.export_png(layout, tmp_path / "table.png", DPI)
    assert done.unchecked == ("WFS (outside of the maps)",)
    layout.itemById(layout_items.MAP).setLayers([ground])
    layout.itemById(layout_items.CREDITS).setText("Somebody else")
    with pytest.raises(IncompleteMap, match=CREDIT):
        layout_export.export_png(layout, tmp_path / "uncredited.png", DPI)
    frame.setExcludeFromExports(True)
    assert unchecked_names([layout]) == []
    view = _3d.QgsLayoutItem3DMap(layout)
    layout.addLayoutItem(view)
    assert unchecked_names([layout]) == []
    scene, terrain = _3d.Qgs3DMapSettings(), QDomDocument()
    terrain.setContent(f'<qgis3d><terrain><generator type="dem" layer="{tiles.id()}"/></terrain></qgis3d>')
    scene.readXml(terrain.documentElement(), QgsReadWriteContext())
    scene.setCrs(QgsCoordinateReferenceSystem("EPSG:3857"))
    scene.setLayers([seen, ground])
    view.setMapSettings(scene)
    assert unchecked_names([layout]) == ["ArcGIS features (outside of the maps)", "XYZ (outside of the maps)"]
    terrain.setContent('<qgis3d><terrain><generator type="online" resolution="16"/></terrain></qgis3d>')
    scene = _3d.Qgs3DMapSettings()
    scene.readXml(terrain.documentElement(), QgsReadWriteContext())
    view.setMapSettings(scene)
    credit = tile_host_info(ONLINE_TERRAIN).credit
    assert unchecked_names([layout]) == ["online terrain (outside of the maps)"] and "U.S. Geological Survey" in credit
    owed = [problem for problem in missing_credits(layout) if credit in problem]
    assert len(owed) == 1 and "“online terrain”" in owed[0] and owed[0] in [text for _title, text in
                                                                          layout_problems(layout)]
    label = QgsLayoutItemLabel(layout)
    label.setText(f"Relief. {credit}")
    layout.addLayoutItem(label)
    assert not [problem for problem in missing_credits(layout) if credit in problem], "any label may have it"
    layout.removeLayoutItem(label)
    view.setVisibility(False)
    if hasattr(core, "QgsLayoutItemElevationProfile"):
        profile = core.QgsLayoutItemElevationProfile(layout)
        profile.setLayers([tiles, ground])
        layout.addLayoutItem(profile)
        assert unchecked_names([layout]) == ["XYZ (outside of the maps)"]
        profile.setVisibility(False)
    assert unchecked_names([layout]) == []


def test_a_wms_of_any_map_of_the_page_is_watched(network, project, tmp_path):
    network.reset()
    # with a header of its own, which the image that is fetched must carry
    ground = memory(project, "ground")
    service = wms(network.endpoints["guide"], GUIDE_LAYERS[1], referer="http://page.test")
    set_credit(service, CREDIT)
    layout = page(project)
    layout.itemById(layout_items.MAP).setLayers([ground])
    add_map(layout, "beside", 100, [service])
    done = layout_export.export_png(layout, tmp_path / "sound.png", DPI)
    assert done.unchecked == () and network.count("GetMap") > 0
    network.fault({"match": {"request": "GetMap"}, "action": {"type": "status", "code": 500}})
    with pytest.raises(IncompleteMap) as refused:
        layout_export.export_png(layout, tmp_path / "broken.png", DPI + 1)
    assert GUIDE_LAYERS[1] in str(refused.value) and not (tmp_path / "broken.png").exists()


@pytest.mark.parametrize("kind", ["WMS", "ArcGIS map", "WFS", "web file"])
def test_a_layer_of_the_web_that_lies_beside_every_map_of_the_page_is_named(network, project, sources, tmp_path, kind):
    if kind == "WMS":
        layer = wms(network.endpoints["guide"], GUIDE_LAYERS[1])
        set_credit(layer, CREDIT)
    else:
        layer = opened(sources, kind)
        project.addMapLayer(layer)
    ground, layout = memory(project, "ground"), page(project)
    item = layout.itemById(layout_items.MAP)
    item.setLayers([layer, ground])
    item.setExtent(QgsRectangle(100, 60, 100.1, 60.1))
    done = layout_export.export_png(layout, tmp_path / "far.png", DPI)
    assert ["Draws nothing here" in remark.message for remark in done.remarks] == [True]
    assert done.unchecked == ()
    add_map(layout, "near", 100, [layer])
    done = layout_export.export_png(layout, tmp_path / "near.png", DPI)
    # the picture of the test is of one colour
    assert len(done.remarks) == (kind == "ArcGIS map"), "it lies on another map"


def marked(expression):
    """A marker at the place that an expression computes."""
    symbol = QgsMarkerSymbol.createSimple({})
    symbol.changeSymbolLayer(0, QgsGeometryGeneratorSymbolLayer.create(
        {"geometryModifier": expression, "SymbolType": "Marker"}))
    return symbol


def of_rules(expression):
    root = QgsRuleBasedRenderer.Rule(None)
    root.appendChild(QgsRuleBasedRenderer.Rule(QgsMarkerSymbol.createSimple({}), 0, 0, expression))
    return QgsRuleBasedRenderer(root)


def in_class(field):
    return QgsCategorizedSymbolRenderer(field, [QgsRendererCategory(1, QgsMarkerSymbol.createSimple({}), "1")])


@pytest.mark.parametrize(("renderer", "broken"), [
    (lambda: QgsSingleSymbolRenderer(marked("buffer($geometry")), True),
    (lambda: QgsSingleSymbolRenderer(marked('centroid("gone")')), True),
    (lambda: QgsSingleSymbolRenderer(marked('translate($geometry, "number" / 1000, 0)')), False),
    (lambda: of_rules("nothing_known(1)"), True), (lambda: of_rules('"gone" = 1'), True),
    (lambda: of_rules('"NUMBER" = 1 and @map_scale > 1 and sum("number") > 0'), False),
    (lambda: clustered(of_rules('"gone" > 1')), True),
    (lambda: of_rules("aggregate('ground', 'count', \"other\") >= 0"), False),
    (lambda: in_class("gone"), True), (lambda: in_class("number"), False), (lambda: in_class("number + 1"), False)])
def test_a_local_layer_with_a_style_that_draws_nothing_is_refused_by_name(project, tmp_path, renderer, broken):
    layer = memory(project, "ground")
    layer.setRenderer(renderer())
    layout = page(project)
    layout.itemById(layout_items.MAP).setLayers([layer])
    if broken:
        with pytest.raises(IncompleteMap, match="“ground”"):
            layout_export.export_png(layout, tmp_path / "map.png", DPI)
        assert not list(tmp_path.iterdir())
        layer.setRenderer(of_rules(""))
    assert layout_export.export_png(layout, tmp_path / "map.png", DPI).problems == ()


def test_labels_that_cannot_be_written_are_refused_too(project, tmp_path):
    layer, layout = memory(project, "ground"), page(project)
    layout.itemById(layout_items.MAP).setLayers([layer])
    labels = QgsPalLayerSettings()
    for labels.fieldName, labels.isExpression in (("gone", False), ('concat("number"', True)):
        layer.setLabeling(QgsVectorLayerSimpleLabeling(labels))
        layer.setLabelsEnabled(True)
        with pytest.raises(IncompleteMap, match="“ground”"):
            layout_export.export_png(layout, tmp_path / "map.png", DPI)
        layer.setLabelsEnabled(False)
        layout_export.export_png(layout, tmp_path / "map.png", DPI)


@pytest.mark.parametrize("damage", ["cut", "overwritten", "cut before it is opened", "gone before it is opened"])
@pytest.mark.parametrize("suffix", ["tif", "vrt", "geojson", "gpkg"])
def test_a_local_file_that_cannot_be_read_is_refused_by_name(project, tmp_path, suffix, damage):
    folder = tmp_path / "data"
    folder.mkdir()
    path, file = folder / f"relief.{suffix}", folder / f"relief.{'tif' if suffix == 'vrt' else suffix}"
    if suffix in ("tif", "vrt"):
        file.write_bytes(geotiff())
        if suffix == "vrt":
            gdal.BuildVRT(str(path), [str(file)]).FlushCache()
    else:
        driver = {"geojson": "GeoJSON", "gpkg": "GPKG"}[suffix]
        options = QgsVectorFileWriter.SaveVectorOptions()
        options.driverName = driver
        QgsVectorFileWriter.writeAsVectorFormatV3(memory(project, "source"), str(path), project.transformContext(),
                                                  options)

    def spoil():
        if damage.startswith("gone"):
            file.unlink()
        elif damage.startswith("cut"):
            os.truncate(file, file.stat().st_size // 2)
        else:
            file.write_bytes(b"x" * file.stat().st_size)

    if damage.endswith("opened"):
        spoil()
    layer = (QgsRasterLayer if suffix in ("tif", "vrt") else QgsVectorLayer)(str(path), "relief")
    set_credit(layer, CREDIT)
    project.addMapLayer(layer)
    layout = page(project)
    layout.itemById(layout_items.MAP).setLayers([layer])
    if not damage.endswith("opened"):
        spoil()
    with pytest.raises(IncompleteMap, match="“relief”"):
        layout_export.export_png(layout, tmp_path / "map.png", DPI)
    assert [one.name for one in tmp_path.iterdir()] == ["data"]


#: formats of many features, with options of GDAL's layer, the file that is cut, and what is left of it
CUT_FILES = [("ESRI Shapefile", "shp", [], "shp", 0.9), ("ESRI Shapefile", "shp", [], "dbf", 0.9),
             ("FlatGeobuf", "fgb", [], "fgb", 0.9), ("FlatGeobuf", "fgb", [], "fgb", 0.3),
             ("FlatGeobuf", "fgb", ["SPATIAL_INDEX=NO"], "fgb", 0.9),
             ("GPKG", "gpkg", ["SPATIAL_INDEX=NO"], "gpkg", -100),
             ("GML", "gml", [], "gml", 0.9), ("GPX", "gpx", [], "gpx", 0.9), ("GeoJSON", "geojson", [], "geojson", 0.9)]


def write_many(path, driver, options):
    """Write 500 points, as a layer of GDAL."""
    srs = osr.SpatialReference()
    srs.ImportFromEPSG(4326)
    dataset = ogr.GetDriverByName(driver).CreateDataSource(str(path))
    layer = dataset.CreateLayer("waypoints", srs, ogr.wkbPoint, options)
    if driver != "GPX":
        layer.CreateField(ogr.FieldDefn("name", ogr.OFTString))
    for number in range(500):
        feature = ogr.Feature(layer.GetLayerDefn())
        feature.SetField("name", f"point {number}")
        feature.SetGeometry(ogr.CreateGeometryFromWkt(
            f"POINT ({WEST + (EAST - WEST) * (number % 25) / 25} {SOUTH + (NORTH - SOUTH) * (number // 25) / 20})"))
        layer.CreateFeature(feature)


@pytest.mark.parametrize(("driver", "suffix", "options", "cut", "left"), CUT_FILES)
def test_a_local_file_that_is_cut_short_is_refused_by_name(project, tmp_path, driver, suffix, options, cut, left):
    path = tmp_path / "data" / f"wells.{suffix}"
    path.parent.mkdir()
    write_many(path, driver, options)
    layout, part = page(project), path.with_suffix(f".{cut}")
    for is_cut in (False, True):
        if is_cut:
            os.truncate(part, part.stat().st_size + left if left < 0 else int(part.stat().st_size * left))
        layer = QgsVectorLayer(str(path), "wells", "ogr")
        set_credit(layer, CREDIT)
        project.addMapLayer(layer)
        layout.itemById(layout_items.MAP).setLayers([layer])
        if is_cut:
            with pytest.raises(IncompleteMap, match="“wells”"):
                layout_export.export_png(layout, tmp_path / "map.png", DPI)
        else:
            assert layer.featureCount() == 500
            assert layout_export.export_png(layout, tmp_path / "whole.png", DPI).problems == ()
        project.removeMapLayer(layer)
    assert not (tmp_path / "map.png").exists()


def test_files_behind_a_layer_are_refused_by_its_name_if_they_are_cut_short(project, tmp_path):
    picture, virtual, table = tmp_path / "photo.jpg", tmp_path / "photo.vrt", tmp_path / "names.dbf"
    (tmp_path / "relief.tif").write_bytes(geotiff())
    source = gdal.Translate("", str(tmp_path / "relief.tif"), format="MEM", outputType=gdal.GDT_Byte)
    gdal.GetDriverByName("JPEG").CreateCopy(str(picture), source)
    gdal.BuildVRT(str(virtual), [str(picture)]).FlushCache()
    write_many(tmp_path / "names.shp", "ESRI Shapefile", [])
    photo, names = QgsRasterLayer(str(virtual), "photo"), QgsVectorLayer(str(table), "names", "ogr")
    ground, layout = memory(project, "ground"), page(project)
    join = QgsVectorLayerJoinInfo()
    join.setJoinLayer(names)
    join.setJoinFieldName("name")
    join.setTargetFieldName("number")
    for layer in (photo, names):
        set_credit(layer, CREDIT)
        project.addMapLayer(layer, False)
    ground.addJoin(join)
    for file, shown in ((picture, photo), (table, ground)):
        layout.itemById(layout_items.MAP).setLayers([shown])
        assert layout_export.export_png(layout, tmp_path / "whole.png", DPI).problems == ()
        os.truncate(file, file.stat().st_size * 9 // 10)
        with pytest.raises(IncompleteMap, match=f"“{shown.name()}”"):
            layout_export.export_png(layout, tmp_path / "map.png", DPI)


NAMES = ("plain", "a+b", "a b", "ñandú", "50%", "a&b=c", "a/b;c", "a,b")
CAPABILITIES = """<?xml version="1.0" encoding="UTF-8"?>
<WMS_Capabilities version="1.3.0" xmlns="http://www.opengis.net/wms" xmlns:xlink="http://www.w3.org/1999/xlink">
<Service><Name>WMS</Name><Title>Odd names</Title><OnlineResource xlink:href="{url}"/></Service><Capability><Request>
<GetMap><Format>image/png</Format><DCPType><HTTP><Get><OnlineResource xlink:href="{url}/wms?"/></Get></HTTP></DCPType>
</GetMap></Request><Exception><Format>XML</Format></Exception><Layer><Title>All</Title><CRS>EPSG:4326</CRS>
<EX_GeographicBoundingBox><westBoundLongitude>-180</westBoundLongitude><eastBoundLongitude>180</eastBoundLongitude>
<southBoundLatitude>-90</southBoundLatitude><northBoundLatitude>90</northBoundLatitude></EX_GeographicBoundingBox>
{layers}</Layer></Capability></WMS_Capabilities>"""


def test_a_layer_with_an_odd_name_or_address_is_fetched(project):
    with OddServer() as server:
        layers = "".join(f"<Layer><Name>{name.replace('&', '&amp;')}</Name><Title>x</Title></Layer>" for name in NAMES)
        server.answers["/wms"] = (200, "text/xml", CAPABILITIES.format(url=server.url, layers=layers).encode())
        layout = page(project)
        item = layout.itemById(layout_items.MAP)
        watched = []
        for name in NAMES:
            for address in (f"{server.url}/wms", f"{server.url}/wms?layers=other&REQUEST=GetMap&DPI=1"):
                uri = QgsDataSourceUri()
                for key, value in (("url", address), ("format", "image/png"), ("crs", "EPSG:4326")):
                    uri.setParam(key, value)
                uri.setParamList("layers", [name])
                uri.setParamList("styles", [""])
                layer = QgsRasterLayer(bytes(uri.encodedUri()).decode(), name, "wms")
                if not layer.isValid():
                    # newer versions of QGIS make no layer of some names
                    continue
                item.setLayers([layer])
                is_watched = layer_proof(layer) is SourceProof.WATCHED
                assert plan_page(layout, DPI)[0].pieces, (name, address)
                watched.append(is_watched)
        assert watched.count(False) <= 2, "only a name that cannot be told"


@pytest.mark.parametrize("suffix", ["pdf", "png", "svg"])
def test_a_file_says_of_itself_what_any_map_and_picture_of_its_page_owes(project, sources, tmp_path, suffix):
    ground, beside = memory(project, "ground"), opened(sources, "ArcGIS map")
    set_credit(beside, "© Instituto", Decision.YES)
    project.addMapLayer(beside, False)
    layout = page(project)
    layout.itemById(layout_items.MAP).setLayers([ground])
    add_map(layout, "beside", 100, [beside])
    tile = "https://tile.openstreetmap.org/1/1/1.png"
    html = QgsLayoutItemHtml(layout)
    layout.addMultiFrame(html)
    frame = QgsLayoutFrame(layout, html)
    html.addFrame(frame)
    frame.attemptSetSceneRect(QRectF(100, 110, 30, 30))
    html.setContentMode(QgsLayoutItemHtml.ContentMode.ManualHtml)
    # in a comment nobody loads it
    html.setHtml(f"<!-- <img src='{tile}'> -->")
    of_tile = tile_host_info(tile).credit
    layout.itemById(layout_items.CREDITS).setText(f"© Instituto\n{of_tile}")
    layout_export.export_layouts([layout], tmp_path / f"map.{suffix}", suffix, ExportOptions(DPI))
    assert rights(tmp_path / f"map.{suffix}") == ["© Instituto", of_tile]
    if suffix != "svg":
        stated = written_sources(tmp_path / f"map.{suffix}")
        assert [source["title"] for source in stated["sources"]] == ["ground", "ArcGIS map"]


def add_picture(layout, address):
    picture = QgsLayoutItemPicture(layout)
    picture.setPicturePath(address)
    layout.addLayoutItem(picture)
    picture.attemptSetSceneRect(QRectF(100, 110, 30, 30))
    return picture


def test_pictures_from_the_web_on_a_page_are_named_and_those_that_are_maps_owe_a_credit(project, sources, tmp_path):
    ground = memory(project, "ground")
    layout = page(project)
    layout.itemById(layout_items.MAP).setLayers([ground])
    host = sources.url.partition("//")[2]
    outside = f"picture from {host} (outside of the maps)"
    logo = add_picture(layout, f"{sources.url}/logo.png")
    assert layout_export.export_png(layout, tmp_path / "logo.png", DPI).unchecked == (outside,)
    logo.setVisibility(False)
    frame_html = QgsLayoutItemHtml(layout)
    layout.addMultiFrame(frame_html)
    frame = QgsLayoutFrame(layout, frame_html)
    frame_html.addFrame(frame)
    frame_html.setContentMode(QgsLayoutItemHtml.ContentMode.ManualHtml)
    for html, named in ((f'<a href="{sources.url}/">Source</a>', []),
                        (f'<p style="background: url({sources.url}/a.png)">', [outside]),
                        (f'<img alt="" src="{sources.url}/a.png?b=1&amp;c=2">', [outside])):
        frame_html.setHtml(html)
        assert unchecked_names([layout]) == named
    frame_html.setContentMode(QgsLayoutItemHtml.ContentMode.Url)
    frame_html.setUrl(QUrl(f"{sources.url}/page.html"))
    assert unchecked_names([layout]) == [outside]
    frame.setVisibility(False)
    assert unchecked_names([layout]) == []
    shown = add_picture(layout, f"{sources.map_service}/export?bbox=0,0,1,1&size=9,9&f=image")
    assert [title for title, _ in layout_problems(layout)] == ["A picture has no credit"]
    with pytest.raises(IncompleteMap, match=host):
        layout_export.export_png(layout, tmp_path / "uncredited.png", DPI)
    drawn = opened(sources, "ArcGIS map")
    project.addMapLayer(drawn)
    layout.itemById(layout_items.MAP).setLayers([ground, drawn])
    assert missing_credits(layout) == [], "its credit is on the page"
    shown.setPicturePath(f"{sources.url}/wms?service=WMS&REQUEST=GetMap&layers=a")
    assert missing_credits(layout) != []
    for request in ("%52EQUEST=GetMap", "REQUEST=map&WMTVER=1.0.0"):
        shown.setPicturePath(f"{sources.url.replace('//', '//ana:secreto@')}/wms?{request}&layers=a&token=secreto")
        assert [host in problem and "secreto" not in problem for problem in missing_credits(layout)] == [True]
    shown.setVisibility(False)
    frame.setVisibility(True)
    frame_html.setContentMode(QgsLayoutItemHtml.ContentMode.ManualHtml)
    tile = "https://tile.openstreetmap.org/1/1/1.png"
    frame_html.setHtml(f"<img src='{tile}'>")
    owed = tile_host_info(tile).credit
    assert [problem for problem in missing_credits(layout) if owed in problem]


def test_a_page_in_html_that_cannot_be_searched_for_maps_is_named_as_unchecked(project, sources, tmp_path):
    layout, ground = page(project), memory(project, "ground")
    layout.itemById(layout_items.MAP).setLayers([ground])
    html = QgsLayoutItemHtml(layout)
    layout.addMultiFrame(html)
    frame = QgsLayoutFrame(layout, html)
    html.addFrame(frame)
    assert unchecked_names([layout]) == [], "it shows no page"
    (tmp_path / "small.html").write_text("<p>ground</p>", "utf-8")
    (tmp_path / "large.html").write_text(
        f"<!--{'x' * 4_000_000}--><img src='{sources.url}/wms?REQUEST=GetMap'>", "utf-8")

    def shown(url):
        html.setUrl(QUrl(url))
        return unchecked_names([layout])

    assert shown(QUrl.fromLocalFile(str(tmp_path / "small.html")).toString()) == []
    assert shown(QUrl.fromLocalFile(str(tmp_path / "large.html")).toString()) == [
        "large.html (page that cannot be searched for maps)"]
    frame.setVisibility(False)
    assert unchecked_names([layout]) == []
    frame.setVisibility(True)
    frame.attemptSetSceneRect(QRectF(100, 110, 30, 30))
    assert layout_export.export_png(layout, tmp_path / "map.png", DPI).unchecked == (
        "large.html (page that cannot be searched for maps)",)


def test_a_page_whose_address_an_expression_chooses_is_searched_too(project, sources, tmp_path):
    layout = page(project)
    layout.itemById(layout_items.MAP).setLayers([memory(project, "ground")])
    html = QgsLayoutItemHtml(layout)
    layout.addMultiFrame(html)
    html.addFrame(QgsLayoutFrame(layout, html))
    html.dataDefinedProperties().setProperty(
        compat.enum_value(QgsLayoutObject.DataDefinedProperty.SourceUrl),
        QgsProperty.fromExpression("@address || 'page.html'"))
    host = sources.url.partition("//")[2]
    for address, named in ((f"{sources.url}/", f"picture from {host} (outside of the maps)"),
                           ("file://server.example/share/", "page.html (page that cannot be searched for maps)")):
        QgsExpressionContextUtils.setLayoutVariable(layout, "address", address)
        assert unchecked_names([layout]) == [named]


def test_what_a_page_draws_from_a_service_by_symbols_pages_and_annotations_owes_a_credit(project, sources, tmp_path):
    ground = memory(project, "ground")
    layout = page(project)
    item = layout.itemById(layout_items.MAP)
    item.setLayers([ground])
    tile = "https://tile.openstreetmap.org/1/1/1.png"
    owed, of_tile = f"{sources.url}/wms?service=WMS&REQUEST=GetMap&layers=a", tile_host_info(tile).credit
    shape, html = QgsLayoutItemShape(layout), QgsLayoutItemHtml(layout)
    layout.addLayoutItem(shape)
    shape.attemptSetSceneRect(QRectF(100, 110, 30, 30))
    layout.addMultiFrame(html)
    frame = QgsLayoutFrame(layout, html)
    html.addFrame(frame)
    (tmp_path / "page.html").write_text(f"<img src='{owed.replace('&', '&amp;')}'>", "utf-8")
    local = QUrl.fromLocalFile(str(tmp_path / "page.html"))
    note = QgsHtmlAnnotation()
    project.annotationManager().addAnnotation(note)

    def filled(address):
        symbol = QgsFillSymbol()
        symbol.changeSymbolLayer(0, QgsRasterFillSymbolLayer(address))
        return symbol

    def marked(address):
        symbol = QgsMarkerSymbol()
        symbol.changeSymbolLayer(0, QgsRasterMarkerSymbolLayer(address))
        return symbol

    plain_page = layout.pageCollection().pageStyleSymbol().clone()
    assert missing_credits(layout) == [] == layout_problems(layout)
    for draw, clear in (
            (lambda: shape.setSymbol(filled(owed)), lambda: shape.setVisibility(False)),
            (lambda: layout.pageCollection().setPageStyleSymbol(filled(tile)),
             lambda: layout.pageCollection().setPageStyleSymbol(plain_page)),
            (lambda: ground.renderer().setSymbol(marked(owed)),
             lambda: ground.renderer().setSymbol(QgsMarkerSymbol.createSimple({}))),
            (lambda: html.setUrl(local), lambda: frame.setVisibility(False)),
            (lambda: note.setSourceFile(local.toLocalFile()), lambda: note.setVisible(False))):
        draw()
        problem, = missing_credits(layout)
        assert of_tile in problem or "map service that no layer draws" in problem
        assert problem in [sentence for _title, sentence in layout_problems(layout)]
        clear()
        assert missing_credits(layout) == []


def test_pictures_from_the_web_in_symbols_and_labels_are_named(project, sources, tmp_path):
    ground = memory(project, "ground")
    layout = page(project)
    layout.itemById(layout_items.MAP).setLayers([ground])
    named = ["ground (pictures of its symbols)"]
    symbol = QgsMarkerSymbol.createSimple({})
    for made, expected in ((QgsRasterMarkerSymbolLayer(f"{sources.url}/none.png"), named),
                           (QgsSvgMarkerSymbolLayer(f"{sources.url}/none.svg"), named),
                           (QgsSvgMarkerSymbolLayer("arrows/Arrow_01.svg"), [])):
        symbol.changeSymbolLayer(0, made)
        ground.renderer().setSymbol(symbol.clone())
        assert unchecked_names([layout]) == expected
    notes = QgsAnnotationLayer("Notas", QgsAnnotationLayer.LayerOptions(project.transformContext()))
    project.addMapLayer(notes)
    layout.itemById(layout_items.MAP).setLayers([notes, ground])
    # QGIS draws the project's own annotations on every map
    for drawn in (notes, project.mainAnnotationLayer()):
        for address, expected in ((f"{sources.url}/none.svg", [f"{drawn.name()} (pictures of its symbols)"]),
                                  ("arrows/Arrow_01.svg", [])):
            note = QgsAnnotationMarkerItem(QgsPoint(0, 0))
            symbol.changeSymbolLayer(0, QgsSvgMarkerSymbolLayer(address))
            note.setSymbol(symbol.clone())
            number = drawn.addItem(note)
            assert unchecked_names([layout]) == expected
            drawn.removeItem(number)
    layout.itemById(layout_items.MAP).setLayers([ground])
    settings_of_labels, text_format = QgsPalLayerSettings(), QgsTextFormat()
    ground_of_labels = QgsTextBackgroundSettings()
    ground_of_labels.setEnabled(True)
    ground_of_labels.setType(QgsTextBackgroundSettings.ShapeType.ShapeSVG)
    ground_of_labels.setSvgFile(f"{sources.url}/shield.svg")
    text_format.setBackground(ground_of_labels)
    settings_of_labels.setFormat(text_format)
    settings_of_labels.fieldName = "number"
    note = QgsAnnotationPointTextItem("Refugio", QgsPointXY(0, 0))
    note.setFormat(text_format)
    number = project.mainAnnotationLayer().addItem(note)
    assert unchecked_names([layout]) == [f"{project.mainAnnotationLayer().name()} (pictures of its symbols)"]
    project.mainAnnotationLayer().removeItem(number)
    ground.setLabeling(QgsVectorLayerSimpleLabeling(settings_of_labels))
    assert unchecked_names([layout]) == []
    ground.setLabelsEnabled(True)
    assert unchecked_names([layout]) == named
    assert layout_export.export_png(layout, tmp_path / "map.png", DPI).unchecked == tuple(named)


@pytest.mark.parametrize("style", [
    lambda layer, text: layer.renderer().setSymbol(marked(text)),
    lambda layer, text: layer.setRenderer(of_rules(f"geom_to_wkt({text}) <> ''")),
    lambda layer, text: layer.renderer().symbol().symbolLayer(0).setDataDefinedProperty(
        QgsSymbolLayer.Property(0), QgsProperty.fromExpression(f"num_points({text})")),
    lambda layer, text: labelled(layer, f"geom_to_wkt({text})"),
    lambda layer, text: (layer.addExpressionField(f"geom_to_wkt({text})", QgsField("computed", QVariant.String)),
                         labelled(layer, '"computed"')),
    lambda layer, text: layer.setRenderer(clustered(of_rules(f"geom_to_wkt({text}) <> ''"))),
    lambda layer, text: labelled_by_rule(layer, f"geom_to_wkt({text}) <> ''")],
    ids=["generated shapes", "rules", "a property", "labels", "a computed field", "rules in clusters",
         "rules of labels"])
def test_a_style_that_draws_another_layer_owes_its_credit(project, sources, style):
    project.addMapLayer(opened(sources, "WFS"))
    other = memory(project, "other")
    other.setName("Other's")
    project.setCustomVariables({"shown": "WFS"})
    layout = page(project)
    layout.itemById(layout_items.CREDITS).setText("Somebody else")
    for text, owed in (("aggregate('WFS', 'collect', $geometry)", True),
                       ("aggregate(@shown, 'collect', $geometry)", True),
                       ("geometry(get_feature('WFS', 'number', 1))", True),
                       ("aggregate(layer:='Other''s', aggregate:='collect', expression:=$geometry)", False),
                       ("buffer($geometry, length('WFS'))", False)):
        ground = memory(project, "ground")
        layout.itemById(layout_items.MAP).setLayers([ground])
        assert missing_credits(layout) == [] == unchecked_names([layout])
        style(ground, text)
        assert [CREDIT in problem for problem in missing_credits(layout)] == [True] * owed, text
        assert unchecked_names([layout]) == ["ground"] * owed
        project.removeMapLayer(ground.id())


def drawn_in(carrier, layer, item, style):
    """Let a map draw a layer in a style that it has no more once the map has it."""
    project, manager = QgsProject.instance(), layer.styleManager()
    manager.addStyleFromLayer("of the map")
    manager.setCurrentStyle("of the map")
    style(layer)
    if carrier == "held style":
        item.setKeepLayerSet(True)
        item.storeCurrentLayerStyles()
        item.setKeepLayerStyles(True)
    else:
        record = QgsMapThemeCollection.MapThemeLayerRecord(layer)
        record.usingCurrentStyle, record.currentStyle, record.isVisible = True, "of the map", True
        theme = QgsMapThemeCollection.MapThemeRecord()
        theme.setLayerRecords([record])
        project.mapThemeCollection().insert("Tema", theme)
        if carrier == "theme":
            item.setFollowVisibilityPreset(True)
            item.setFollowVisibilityPresetName("Tema")
        else:
            item.dataDefinedProperties().setProperty(QgsLayoutObject.DataDefinedProperty.MapStylePreset,
                                                     QgsProperty.fromExpression("'Te' || 'ma'"))
    manager.setCurrentStyle(next(name for name in manager.styles() if name != "of the map"))


def symbol_of_picture(address):
    symbol = QgsMarkerSymbol.createSimple({})
    symbol.changeSymbolLayer(0, QgsRasterMarkerSymbolLayer(address))
    return symbol


@pytest.mark.parametrize("carrier", ["theme", "held style", "theme of an expression"])
def test_what_the_style_of_a_map_draws_owes_its_credit_and_is_named(project, sources, tmp_path, carrier):
    project.addMapLayer(opened(sources, "WFS"), False)
    picture = f"{sources.url}/wms?service=WMS&REQUEST=GetMap&layers=a"
    for number, (symbol, owed, named) in enumerate((
            (marked("aggregate('WFS', 'collect', $geometry)"), CREDIT, ("ground", )),
            (marked("aggregate(load_layer('https://example.org/a.geojson', 'ogr'), 'collect', $geometry)"), "ground",
             ("ground", )),
            (symbol_of_picture(picture), "map service that no layer draws", ("ground (pictures of its symbols)", )))):
        ground, layout = memory(project, "ground"), page(project, f"page {number}")
        layout.itemById(layout_items.CREDITS).setText("Somebody else")
        item = layout.itemById(layout_items.MAP)
        item.setLayers([ground])
        before = png_bytes(QgsLayoutExporter(layout).renderPageToImage(0, dpi=DPI))
        drawn_in(carrier, ground, item, lambda layer, symbol=symbol: layer.renderer().setSymbol(symbol.clone()))
        assert [owed in problem for problem in missing_credits(layout)] == [True], owed
        assert [owed in problem for title, problem in layout_problems(layout) if "credit" in title] == [True]
        assert unchecked_names([layout]) == list(named)
        with pytest.raises(IncompleteMap, match=owed[:20]):
            layout_export.export_png(layout, tmp_path / "map.png", DPI)
        assert isinstance(ground.renderer().symbol().symbolLayer(0), type(QgsMarkerSymbol.createSimple(
            {}).symbolLayer(0))), "the layer has its style still"
        item.setFollowVisibilityPreset(False)
        item.setKeepLayerStyles(False)
        item.setDataDefinedProperties(QgsPropertyCollection())
        item.setLayers([ground])
        assert missing_credits(layout) == [] == unchecked_names([layout])
        assert png_bytes(QgsLayoutExporter(layout).renderPageToImage(0, dpi=DPI)) == before
        project.removeMapLayer(ground.id())


@pytest.mark.parametrize("carrier", ["theme", "held style"])
def test_a_style_is_broken_where_a_map_draws_it(project, tmp_path, carrier):
    def broken(layer):
        layer.setRenderer(of_rules('"gone" = 1'))

    def sound(layer):
        layer.setRenderer(of_rules(""))

    for style, other in ((broken, sound), (sound, broken)):
        ground, layout = memory(project, "ground"), page(project, "sound" if other is broken else "broken")
        item = layout.itemById(layout_items.MAP)
        item.setLayers([ground])
        other(ground)
        drawn_in(carrier, ground, item, style)
        if style is broken:
            with pytest.raises(IncompleteMap, match="“ground”"):
                layout_export.export_png(layout, tmp_path / "map.png", DPI)
        else:
            assert layout_export.export_png(layout, tmp_path / "map.png", DPI).problems == ()
        project.removeMapLayer(ground.id())


@pytest.mark.parametrize("carrier", ["theme", "held style"])
def test_a_label_has_the_credits_of_what_the_style_of_its_map_draws(project, sources, carrier):
    expression_functions.register()
    project.addMapLayer(opened(sources, "WFS"), False)
    ground, layout = memory(project, "ground"), page(project)
    item, label = layout.itemById(layout_items.MAP), layout.itemById(layout_items.CREDITS)
    item.setLayers([ground])
    label.setText("[% cartoguide_credits() %]")
    assert label.currentText() == ""
    drawn_in(carrier, ground, item, lambda layer: layer.renderer().setSymbol(
        marked("aggregate('WFS', 'collect', $geometry)")))
    assert label.currentText() == CREDIT and missing_credits(layout) == []


def test_expressions_of_a_page_s_items_owe_the_credits_of_the_layers_that_they_read(project, sources):
    features, ground = opened(sources, "WFS"), memory(project, "ground")
    project.addMapLayer(features)
    layout = page(project)
    layout.itemById(layout_items.MAP).setLayers([ground])
    layout.itemById(layout_items.CREDITS).setText("Somebody else")
    total = "aggregate('WFS', 'sum', \"number\")"
    label, shape = QgsLayoutItemLabel(layout), QgsLayoutItemShape(layout)
    for item in (label, shape):
        layout.addLayoutItem(item)
        item.attemptSetSceneRect(QRectF(100, 110, 30, 30))
    symbol = QgsFillSymbol()
    symbol.changeSymbolLayer(0, QgsGeometryGeneratorSymbolLayer.create(
        {"geometryModifier": "aggregate('WFS', 'collect', $geometry)", "SymbolType": "Marker"}))
    column = QgsLayoutTableColumn()
    column.setAttribute(total)
    frame = add_table(layout, ground)
    frame.multiFrame().setColumns([column])
    frame.setVisibility(False)
    assert missing_credits(layout) == []
    for show, hide in ((lambda: label.setText(f"In total [% {total} %]"), lambda: label.setVisibility(False)),
                       (lambda: shape.setSymbol(symbol), lambda: shape.setVisibility(False)),
                       (lambda: frame.setVisibility(True), lambda: frame.setVisibility(False))):
        show()
        assert [CREDIT in problem for problem in missing_credits(layout)] == [True]
        assert unchecked_names([layout]) == ["WFS (outside of the maps)"]
        hide()
        assert missing_credits(layout) == [] == unchecked_names([layout])
    label.setVisibility(True)
    for read in ("aggregate('W' || 'FS', 'sum', \"number\")",
                 "aggregate(load_layer('https://example.org/rios.geojson', 'ogr'), 'count', 1)"):
        label.setText(f"In total [% {read} %]")
        assert [f"{read} (outside of the maps" in name for name in unchecked_names([layout])] == [True]


def of_the_label(layout, text):
    layout.itemById(layout_items.CREDITS).dataDefinedProperties().setProperty(
        compat.enum_value(QgsLayoutObject.DataDefinedProperty.Opacity), QgsProperty.fromExpression(text))


def of_the_grid(layout, text):
    grid = layout.itemById(layout_items.MAP).grid()
    grid.setEnabled(True)
    grid.setAnnotationEnabled(True)
    grid.setAnnotationFormat(QgsLayoutItemMapGrid.AnnotationFormat.CustomFormat)
    grid.setAnnotationExpression(text)


def legend_of(layout):
    legend = QgsLayoutItemLegend(layout)
    layout.addLayoutItem(legend)
    legend.setAutoUpdateModel(False)
    legend.attemptSetSceneRect(QRectF(100, 110, 30, 30))
    return legend


def of_the_legends_entries(layout, text):
    node, = legend_of(layout).model().rootGroup().findLayers()[:1]
    node.setCustomProperty("legend/label-0", f"[% {text} %]")


def of_the_legends_layers(layout, text):
    node, = legend_of(layout).model().rootGroup().findLayers()[:1]
    node.setLabelExpression(text)


def of_the_cells(layout, text):
    table = QgsLayoutItemManualTable.create(layout)
    layout.addMultiFrame(table)
    frame = QgsLayoutFrame(layout, table)
    frame.attemptSetSceneRect(QRectF(100, 110, 30, 30))
    table.addFrame(frame)
    table.setTableContents([[QgsTableCell(QgsProperty.fromExpression(text))]])


def of_the_pages_in_html(layout, text):
    html = QgsLayoutItemHtml(layout)
    layout.addMultiFrame(html)
    frame = QgsLayoutFrame(layout, html)
    frame.attemptSetSceneRect(QRectF(100, 110, 30, 30))
    html.addFrame(frame)
    html.dataDefinedProperties().setProperty(compat.enum_value(QgsLayoutObject.DataDefinedProperty.SourceUrl),
                                             QgsProperty.fromExpression(text))


@pytest.mark.parametrize("write", [
    of_the_label, of_the_grid, of_the_legends_entries, of_the_legends_layers, of_the_cells, of_the_pages_in_html,
    lambda layout, text: legend_of(layout).setTitle(f"Until [% {text} %]")])
def test_expressions_anywhere_on_a_page_owe_the_credits_of_the_layers_that_they_read(project, sources, write):
    project.addMapLayer(opened(sources, "WFS"), False)
    ground, layout = memory(project, "ground"), page(project)
    layout.itemById(layout_items.MAP).setLayers([ground])
    layout.itemById(layout_items.CREDITS).setText("Somebody else")
    assert missing_credits(layout) == []
    write(layout, "aggregate('WFS', 'max', \"number\")")
    assert [CREDIT in problem for problem in missing_credits(layout)] == [True]
    assert "WFS (outside of the maps)" in unchecked_names([layout])


def test_a_layer_that_an_expression_opens_itself_owes_a_credit(project, sources):
    ground = memory(project, "ground")
    layout = page(project)
    layout.itemById(layout_items.MAP).setLayers([ground])
    source = "https://example.org/rios.geojson"
    ground.renderer().setSymbol(marked(f"aggregate(load_layer('{source}', 'ogr'), 'collect', $geometry)"))
    assert ["ground" in problem for problem in missing_credits(layout)] == [True]


def test_a_picture_that_an_expression_chooses_is_named_and_owes_a_credit(project, sources):
    layout = page(project)
    owed = f"{sources.url}/wms?service=WMS&REQUEST=GetMap&layers=a"
    ground = memory(project, "ground")
    ground.dataProvider().addAttributes([QgsField("picture", QVariant.String)])
    ground.updateFields()
    ground.dataProvider().changeAttributeValues({feature.id(): {1: owed} for feature in ground.getFeatures()})
    layout.itemById(layout_items.MAP).setLayers([ground])
    text_format, label_format = QgsTextFormat(), QgsTextBackgroundSettings()
    label_format.setEnabled(True)
    label_format.setType(QgsTextBackgroundSettings.ShapeType.ShapeSVG)
    text_format.setBackground(label_format)
    for chosen in (QgsProperty.fromExpression(f"'{owed}'"), QgsProperty.fromField("picture"),
                   QgsProperty.fromExpression("trim(\"picture\")"), QgsProperty.fromValue(owed)):
        assert missing_credits(layout) == []
        marker = QgsRasterMarkerSymbolLayer("")
        marker.setDataDefinedProperty(QgsSymbolLayer.Property(picture_property(marker)), chosen)
        symbol = QgsMarkerSymbol.createSimple({})
        symbol.changeSymbolLayer(0, marker)
        ground.renderer().setSymbol(symbol)
        assert ["map service that no layer draws" in problem for problem in missing_credits(layout)] == [True]
        assert unchecked_names([layout]) == ["ground (pictures of its symbols)"]
        ground.renderer().setSymbol(QgsMarkerSymbol.createSimple({}))
        labelled(ground, '"number"', text_format)
        settings_of_labels = ground.labeling().settings()
        properties = settings_of_labels.dataDefinedProperties()
        properties.setProperty(picture_property(settings_of_labels), chosen)
        settings_of_labels.setDataDefinedProperties(properties)
        ground.setLabeling(QgsVectorLayerSimpleLabeling(settings_of_labels))
        assert ["map service that no layer draws" in problem for problem in missing_credits(layout)] == [True]
        ground.setLabelsEnabled(False)


@pytest.mark.parametrize("name", ["WFS", "OGC API Features"])
def test_a_picture_that_features_of_a_service_choose_is_named_and_owes_a_credit(project, sources, tmp_path, name):
    features, host = opened(sources, name), sources.url.partition("//")[2]
    project.addMapLayer(features)
    layout = page(project)
    layout.itemById(layout_items.MAP).setLayers([features])
    for path, owes in (("logo.png?number=", False), ("wms?REQUEST=GetMap&layers=", True)):
        marker = QgsRasterMarkerSymbolLayer("")
        marker.setDataDefinedProperty(QgsSymbolLayer.Property(picture_property(marker)), QgsProperty.fromExpression(
            f"if(\"number\" < 3, 'http' || '://{host}/{path}' || \"number\", '')"))
        symbol = QgsMarkerSymbol.createSimple({})
        symbol.changeSymbolLayer(0, marker)
        features.renderer().setSymbol(symbol)
        assert missing_credits(layout) == [] == unchecked_names([layout]), "nobody has asked the service yet"
        if owes:
            with pytest.raises(IncompleteMap, match="map service that no layer draws"):
                layout_export.export_png(layout, tmp_path / "map.png", DPI)
        else:
            done = layout_export.export_png(layout, tmp_path / "logo.png", DPI)
            assert done.unchecked == (f"{name} (pictures of its symbols)",)
    assert not list(tmp_path.glob("map*"))


@pytest.mark.skipif(Qgis.QGIS_VERSION_INT < 33900, reason="this QGIS draws no pictures in labels")
def test_a_picture_in_the_html_of_a_label_is_named_and_owes_a_credit(project, sources, tmp_path):
    ground = memory(project, "ground")
    layout = page(project)
    layout.itemById(layout_items.MAP).setLayers([ground])
    tag = f"<img src=\"{sources.url}/wms?service=WMS&amp;REQUEST=GetMap&amp;layers=a\" width=\"40\" height=\"40\">"
    html = QgsTextFormat()
    html.setAllowHtmlFormatting(True)
    labelled(ground, f"'{tag}' || \"number\"", html)
    assert unchecked_names([layout]) == ["ground (pictures of its symbols)"]
    assert ["map service that no layer draws" in problem for problem in missing_credits(layout)] == [True]
    labelled(ground, f"'{tag}'")
    assert unchecked_names([layout]) == [] == missing_credits(layout), "it is printed as it stands"
    note = QgsAnnotationPointTextItem(tag, QgsPointXY((WEST + EAST) / 2, (SOUTH + NORTH) / 2))
    note.setFormat(html)
    project.mainAnnotationLayer().addItem(note)
    assert ["map service that no layer draws" in problem for problem in missing_credits(layout)] == [True]


def picture_property(drawn):
    """The property of a symbol's layer or of labels that chooses their picture."""
    return next(key for key, one in drawn.propertyDefinitions().items() if one.name() in ("name", "ShapeSVGFile"))


def clustered(renderer):
    made = QgsPointClusterRenderer()
    made.setEmbeddedRenderer(renderer)
    return made


def labelled_by_rule(layer, expression):
    settings_of_labels = QgsPalLayerSettings()
    settings_of_labels.fieldName = "number"
    root, rule = QgsRuleBasedLabeling.Rule(None), QgsRuleBasedLabeling.Rule(settings_of_labels)
    rule.setFilterExpression(expression)
    root.appendChild(rule)
    layer.setLabeling(QgsRuleBasedLabeling(root))
    layer.setLabelsEnabled(True)


def labelled(layer, expression, text_format=None):
    settings_of_labels = QgsPalLayerSettings()
    settings_of_labels.fieldName, settings_of_labels.isExpression = expression, True
    if text_format is not None:
        settings_of_labels.setFormat(text_format)
    layer.setLabeling(QgsVectorLayerSimpleLabeling(settings_of_labels))
    layer.setLabelsEnabled(True)


def test_the_projects_own_annotations_are_printed_once_with_their_credit(project, sources, tmp_path):
    pictures = opened(sources, "ArcGIS map")
    project.addMapLayer(pictures)
    layout, notes = page(project), project.mainAnnotationLayer()
    item = layout.itemById(layout_items.MAP)
    item.setLayers([pictures])
    ground = QgsPolygon()
    ground.fromWkt(item.extent().asWktPolygon())
    area = QgsAnnotationPolygonItem(ground)
    area.setSymbol(QgsFillSymbol.createSimple({"color": "#000000", "outline_style": "no"}))
    notes.addItem(area)
    notes.setCrs(item.crs())
    notes.setOpacity(0.5)
    set_credit(notes, "Club de Montaña", Decision.YES)
    with pytest.raises(IncompleteMap, match="Club de Montaña"):
        layout_export.export_png(layout, tmp_path / "uncredited.png", DPI)
    layout.itemById(layout_items.CREDITS).setText(f"{CREDIT}\nClub de Montaña")
    layout_export.export_png(layout, tmp_path / "map.png", DPI)
    middle = item.mapToScene(item.rect().center()) * DPI / 25.4
    by_qgis = QgsLayoutExporter(layout).renderPageToImage(0, dpi=DPI).pixelColor(middle.toPoint())
    assert QImage(str(tmp_path / "map.png")).pixelColor(middle.toPoint()) == by_qgis


def test_layers_that_an_expression_chooses_are_drawn_from_what_was_fetched(project, sources, tmp_path):
    pictures = opened(sources, "ArcGIS map")
    project.addMapLayer(pictures)
    layout = page(project)
    item = layout.itemById(layout_items.MAP)
    properties, names = item.dataDefinedProperties(), QgsLayoutObject.DataDefinedProperty
    properties.setProperty(names.MapLayers, QgsProperty.fromExpression(f"'{pictures.name()}'"))
    sources.requests.clear()
    layout_export.export_png(layout, tmp_path / "map.png", DPI)
    asked = [request["path"] for request in sources.requests if request["path"].endswith("/export")]
    assert len(asked) == 1, "each picture is requested once, where its answer is judged"
    assert properties.isActive(names.MapLayers)


def mixed_file(folder, suffix):
    """A file with a point, a line and an area of the park in one layer."""
    middle, north = (WEST + EAST) / 2, (SOUTH + NORTH) / 2
    path = folder / f"mixed.{suffix}"
    file = ogr.GetDriverByName({"geojson": "GeoJSON", "mif": "MapInfo File", "dxf": "DXF"}[suffix]).CreateDataSource(
        str(path), ["FORMAT=MIF"] if suffix == "mif" else [])
    reference = osr.SpatialReference()
    reference.ImportFromEPSG(4326)
    layer = file.CreateLayer("mixed", None if suffix == "dxf" else reference)
    if suffix == "mif":
        layer.CreateField(ogr.FieldDefn("number", ogr.OFTInteger))
    for shape in (f"POINT({middle} {north})", f"LINESTRING({WEST} {SOUTH}, {EAST} {NORTH})",
                  f"POLYGON(({WEST} {SOUTH}, {EAST} {SOUTH}, {middle} {north}, {WEST} {SOUTH}))"):
        feature = ogr.Feature(layer.GetLayerDefn())
        feature.SetGeometry(ogr.CreateGeometryFromWkt(shape))
        layer.CreateFeature(feature)
    del feature, layer, file
    return path


@pytest.mark.parametrize("suffix", ["geojson", "mif", "dxf"])
def test_a_file_of_several_kinds_of_shapes_of_which_one_is_drawn_is_named(project, tmp_path, suffix):
    path = mixed_file(tmp_path, suffix)
    drawn = QgsVectorLayer(str(path), "mixed", "ogr")
    chosen = QgsVectorLayer(f"{path}|geometrytype=LineString", "lines", "ogr")
    assert drawn.isValid() and chosen.isValid()
    project.addMapLayers([drawn, chosen])
    layout = page(project)
    layout.itemById(layout_items.MAP).setLayers([chosen])
    assert unchecked_names([layout]) == []
    layout.itemById(layout_items.MAP).setLayers([drawn])
    named = "mixed (only its points are drawn)"
    assert layout_export.export_png(layout, tmp_path / "map.png", DPI).unchecked == (named,)


def test_a_record_s_file_of_several_kinds_of_shapes_has_a_layer_for_each(tmp_path, project):
    layers = layers_of_file(mixed_file(tmp_path, "geojson"))
    assert [layer.title for layer in layers] == ["mixed (areas)", "mixed (lines)", "mixed (points)"]
    opened_layers = [QgsVectorLayer(layer.source, layer.title, layer.provider) for layer in layers]
    assert [layer.featureCount() for layer in opened_layers] == [1, 1, 1]
    assert len({layer.geometryType() for layer in opened_layers}) == 3
