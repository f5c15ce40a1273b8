"""A cartographer's own layers on the custom map: between and above the services, with legend and source line."""

from __future__ import annotations

import json
from dataclasses import replace

import layer_services
import numpy
import pytest
from odd_server import OddServer
from qgis.core import (
    Qgis,
    QgsApplication,
    QgsCategorizedSymbolRenderer,
    QgsFeature,
    QgsFillSymbol,
    QgsGeometry,
    QgsLayoutExporter,
    QgsMarkerSymbol,
    QgsRasterLayer,
    QgsRectangle,
    QgsRendererCategory,
    QgsSingleSymbolRenderer,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QRectF, Qt
from qgis.PyQt.QtGui import QColor, QImage, QPainter
from qgis.PyQt.QtSvg import QSvgRenderer

from plugin.core.box import Box
from plugin.core.custommap.document import read_document, write_document
from plugin.core.custommap.model import MapExtent, OwnLayer, PageSetup, Plan
from plugin.core.errors import CartoguideError
from plugin.core.snapshot.snapshot_sources import with_relative_paths
from plugin.core.terms.model import Decision
from plugin.gis.credits import map_credits
from plugin.gis.credits.layer_metadata import set_credit
from plugin.gis.export import layout_export
from plugin.gis.export.export_transaction import ExportOptions
from plugin.gis.export.map_pipeline import compose_map
from plugin.gis.layers import project_document
from plugin.gis.layouts import layout_items, text_fitting
from plugin.gis.legends.legend_columns import TITLE_PROPERTY
from plugin.gis.own_layers.opening import open_layer
from plugin.gis.own_layers.references import refer_to
from plugin.gis.pages import layout_builder, legend_fitting
from plugin.gis.pages.completeness_checks import IncompleteMap
from plugin.gis.runtime import settings
from plugin.gis.services import service_cache
from plugin.processing.provider import CartoguideProvider
from tests.pairwise import some
from tests.qgis.algorithm_runs import run
from tests.qgis.print_maps import composed, entry_of, known_records, pdf_text, pixels, small_map

DPI = 72
CREDIT = "Puntos de muestreo © Ana Pérez, 2024"
#: a viewpoint of the facilities lies on the large red square of the own points
CENTRE = (-3.51, 38.38)
#: pixels in width and height of the middle of the red square
MIDDLE = 60


def points_file(folder, name="puntos.geojson"):
    """A file of two kinds of points, both at the centre."""
    features = [{"type": "Feature", "properties": {"kind": kind}, "geometry": {"type": "Point", "coordinates": CENTRE}}
                for kind in ("a", "b")]
    (folder / name).write_text(json.dumps({"type": "FeatureCollection", "features": features}), "utf-8")
    return folder / name


def red_square(size=45):
    return QgsMarkerSymbol.createSimple({"name": "square", "color": "255,0,0", "size": str(size),
                                         "outline_style": "no"})


def own_points(folder, credit=CREDIT, size=45):
    layer = QgsVectorLayer(str(points_file(folder)), "Puntos propios", "ogr")
    layer.setRenderer(QgsSingleSymbolRenderer(red_square(size)))
    if credit:
        set_credit(layer, credit)
    assert layer.isValid()
    return layer


def in_the_square(image, layout):
    """The colours of the middle of the page's map, where the red square is."""
    item = layout.itemById(layout_items.MAP)
    page = layout.pageCollection().page(0).pageSize()
    corner = item.pagePos()
    x = round((corner.x() + item.rect().width() / 2) / page.width() * image.width()) - MIDDLE // 2
    y = round((corner.y() + item.rect().height() / 2) / page.height() * image.height()) - MIDDLE // 2
    return [QColor(image.pixel(x + across, y + down)) for down in range(MIDDLE) for across in range(MIDDLE)]


def red_share(colours):
    """The share of pixels that are red. Lines of the grid shine through."""
    return sum(colour.red() > 220 and colour.green() < 90 and colour.blue() < 60 for colour in colours) / len(colours)


@pytest.mark.parametrize("below", some([1, 2], 2), ids={1: "between", 2: "above"}.get)
def test_own_points_are_drawn_in_their_place_with_legend_and_source_line(network, project, tmp_path, below):
    own = refer_to(own_points(tmp_path), entries_below=below)
    assert project.mapLayers() == {}
    made = composed(network, project, own_layers=(own,), extent=None, centre=CENTRE, scale=100_000)
    assert made.failures == ()
    layout_export.export_layouts(made.layout, tmp_path / "map.png", "png", ExportOptions(DPI))
    colours = in_the_square(QImage(str(tmp_path / "map.png")), made.layout)
    assert red_share(colours) == 1 if below == 2 else 0.6 < red_share(colours) < 0.99, "symbols lie above, or below"
    if below == 2:
        layout_export.export_pdf(made.layout, tmp_path / "map.pdf", DPI)
        text = pdf_text(tmp_path / "map.pdf")
        assert text.count("Puntos propios") == 1 and text.count(CREDIT) == 1, "in the legend, and below the map"
    root = made.layout.itemById(layout_items.LEGEND).model().rootGroup()
    shown = [node.name() for node in root.children()]
    assert shown == ["Puntos propios", "Equipamientos", "Carreteras y ferrocarril", "Límites"], "before the subjects"
    assert title_style(root.children()[0]) != "group", "nothing is above it"
    node = next(one for one in project.layerTreeRoot().findLayers() if one.name() == "Puntos propios")
    assert node.parent().customProperty("cartoguide/map")
    assert [child.name() for child in node.parent().children()].index("Puntos propios") == (1 if below == 1 else 0)


def title_style(node):
    return node.customProperty("legend/title-style")


def test_an_own_layer_below_a_group_has_a_heading_in_a_legend_that_nobody_has_edited(network, project, tmp_path):
    """Services of no known subject stand above the subjects too."""
    stations = entry_of(known_records(network)[network.endpoints["precipitation"]], ("estaciones",))
    own = refer_to(own_points(tmp_path, size=3), entries_below=1)
    made = composed(network, project, overlays=(stations,), own_layers=(own,))
    root = made.layout.itemById(layout_items.LEGEND).model().rootGroup()
    above, node, *subjects = root.children()
    assert above.customProperty(TITLE_PROPERTY) and subjects
    assert node.name() == "Puntos propios" and title_style(node) == "group", "or it would be one of what is above"


@pytest.mark.parametrize(("dimensions", "shown"), [
    ("Time%3D2016-06-05", "Lluvia, 5 de junio de 2016"), ("elevation%3D0;TIME%3D2016-06", "Lluvia, junio de 2016"),
    ("time%3Ddefault", ""), ("elevation%3D2016", "")])
def test_the_time_of_tiles_is_on_the_page(project, dimensions, shown):
    with OddServer() as server:
        layer_services.furnish(server, server.url)
        source = f"{layer_services.sources(server.url)['WMTS'].source}&tileDimensions={dimensions}"
        layer = QgsRasterLayer(source, "Lluvia", "wms")
    assert layer.isValid()
    project.addMapLayer(layer)
    own = OwnLayer(layer.id(), "Lluvia", "raster", "wms", source)
    plan = Plan("Agua", "EPSG:3857", (), extent=Box(-3.6, 38.3, -3.4, 38.5), own_layers=(own,))
    layout = layout_builder.build_layout(project, plan, [], name="time")
    label = layout.itemById(layout_items.SUBTITLE) or layout.itemById(layout_items.TITLE)
    assert label.currentText().strip().replace("Agua", "").lstrip(map_credits.SEPARATOR) == shown
    assert list(layout_items.shown_moments(layout)) == ([layer.id()] if shown else [])


def test_all_classes_of_an_own_layer_are_in_the_legend(network, project, tmp_path):
    layer = own_points(tmp_path)
    layer.setRenderer(QgsCategorizedSymbolRenderer("kind", [
        QgsRendererCategory("a", red_square(3), "Muestra de suelo"),
        QgsRendererCategory("b", red_square(2), "Muestra de agua de una fuente o de un arroyo de nombre muy largo")]))
    made = composed(network, project, own_layers=(refer_to(layer, entries_below=2),))
    layout_export.export_pdf(made.layout, tmp_path / "map.pdf", DPI)
    text = pdf_text(tmp_path / "map.pdf")
    assert "Puntos propios" in text and "Muestra de suelo" in text
    assert "Muestra de agua de una fuente o de un arroyo de nombre muy largo" in text


def test_the_labels_of_an_own_layer_are_announced_once_for_each_fitting(network, project, tmp_path, monkeypatch):
    """QGIS lays the whole legend out for each announcement: sixty classes took half a minute."""
    layer = own_points(tmp_path)
    layer.setRenderer(QgsCategorizedSymbolRenderer("kind", [
        QgsRendererCategory(str(number), red_square(3), f"Muestra de la clase {number} de aguas y suelos")
        for number in range(60)]))
    announced, fitted, apply_style = [], [], legend_fitting._apply_style

    def apply(item, *values):
        if not fitted:
            item.model().dataChanged.connect(lambda *_: announced.append(True))
        fitted.append(True)
        before = len(announced)
        apply_style(item, *values)
        assert len(announced) - before <= len(item.model().rootGroup().findLayers())

    monkeypatch.setattr(legend_fitting, "_apply_style", apply)
    made = composed(network, project, own_layers=(refer_to(layer, entries_below=2),))
    labels = [str(node.data(Qt.ItemDataRole.DisplayRole)) for legend in layout_items.legends(made.layout)
              for tree_layer in legend.model().rootGroup().findLayers()
              for node in legend.model().layerLegendNodes(tree_layer)]
    assert fitted and sum(label.startswith("Muestra") for label in labels) == 60


def test_a_hidden_own_layer_is_neither_drawn_nor_credited(network, project, tmp_path):
    own = replace(refer_to(own_points(tmp_path)), visible=False)
    made = composed(network, project, own_layers=(own,))
    layout_export.export_pdf(made.layout, tmp_path / "map.pdf", DPI)
    text = pdf_text(tmp_path / "map.pdf")
    assert "Puntos propios" not in text and CREDIT not in text


def test_a_map_of_own_layers_alone_is_printed(network, project, tmp_path):
    lower = refer_to(own_points(tmp_path, size=4))
    upper = replace(lower, id="upper", name="Otros", credit="Otra fuente")
    made = composed(network, project, base=None, overlays=(), own_layers=(lower, upper))
    layout_export.export_pdf(made.layout, tmp_path / "map.pdf", DPI)
    text = pdf_text(tmp_path / "map.pdf")
    assert CREDIT in text and "Otra fuente" in text
    assert [layer.name() for layer in made.layout.itemById(layout_items.MAP).layers()][:2] == ["Otros", lower.name]


def test_small_maps_each_show_the_own_layers_in_their_place(network, project, tmp_path):
    rain = entry_of(known_records(network)[network.endpoints["precipitation"]],
                    [f"precipitacion_2016060{day}" for day in (1, 2, 3)])
    own = refer_to(own_points(tmp_path), entries_below=0)
    made = composed(network, project, base=None, overlays=(rain,), extent=MapExtent(-7.5, 36.0, -1.66, 38.73),
                    own_layers=(own,), page=PageSetup(template="multiples"))
    shown = [[layer.name() for layer in item.layers()] for item in layout_items.map_items(made.layout)]
    assert len(shown) > 1 and all(own.name in names for names in shown)
    assert all(0 < names.index(own.name) < len(names) - 1 for names in shown), shown


def test_a_missing_own_layer_is_named_and_leaves_no_page(network, project, tmp_path):
    layer = own_points(tmp_path)
    own = refer_to(layer, entries_below=1)
    del layer
    (tmp_path / "puntos.geojson").unlink()
    made = composed(network, project, own_layers=(own,))
    assert "Puntos propios" in made.failures[0]
    with pytest.raises(IncompleteMap, match="Puntos propios"):
        layout_export.export_pdf(made.layout, tmp_path / "map.pdf", DPI)
    assert list(tmp_path.iterdir()) == []


def test_an_own_layer_that_owes_a_credit_is_not_printed_without(network, project, tmp_path):
    made = composed(network, project, own_layers=(refer_to(own_points(tmp_path, ""), entries_below=2),))
    layer = project.mapLayersByName("Puntos propios")[0]
    layer.setCustomProperty("cartoguide/credit_required", "yes")
    with pytest.raises(IncompleteMap, match="Puntos propios"):
        layout_export.export_pdf(made.layout, tmp_path / "owed.pdf", DPI)


def test_a_layer_of_the_project_without_a_credit_has_the_one_of_the_document(network, project, tmp_path):
    layer = own_points(tmp_path, "")
    layer.setCustomProperty("cartoguide/credit_required", "yes")
    project.addMapLayer(layer)
    made = composed(network, project, own_layers=(replace(refer_to(layer, entries_below=2), credit=CREDIT),))
    layout_export.export_pdf(made.layout, tmp_path / "credited.pdf", DPI)
    assert project.mapLayersByName("Puntos propios") == [layer] and CREDIT in pdf_text(tmp_path / "credited.pdf")


def test_a_page_owes_the_source_line_that_it_was_built_with(network, project, tmp_path):
    made = composed(network, project, own_layers=(refer_to(own_points(tmp_path), entries_below=2),))
    set_credit(project.mapLayersByName("Puntos propios")[0], "", Decision.NO)
    label = made.layout.itemById(layout_items.CREDITS)
    label.setText("\n".join(line for need in layout_builder.layout_requirements(made.layout) for line in need.credits
                            if line != CREDIT))
    with pytest.raises(IncompleteMap) as refused:
        layout_export.export_pdf(made.layout, tmp_path / "owed.pdf", DPI)
    assert CREDIT in refused.value.user_text and not (tmp_path / "owed.pdf").exists()


def test_a_temporary_layer_is_not_opened_empty():
    own = refer_to(QgsVectorLayer("Point?crs=EPSG:25830", "Notas", "memory"))
    with pytest.raises(CartoguideError, match="Notas"):
        open_layer(own)


def test_style_opacity_and_source_line_return_with_the_layer(tmp_path):
    layer = own_points(tmp_path)
    layer.setOpacity(0.4)
    own = refer_to(layer)
    again = open_layer(own)
    assert refer_to(again) == replace(own, id=again.id())
    assert again.renderer().symbol().size() == 45 and again.opacity() == pytest.approx(0.4)


def test_a_style_brings_no_programs_along(tmp_path):
    layer = own_points(tmp_path)
    config = layer.editFormConfig()
    config.setInitCode("import os")
    layer.setEditFormConfig(config)
    style = refer_to(layer).style
    assert "import os" not in style
    hostile = style.replace("</qgis>", "<attributeactions><actionsetting name='x' action='import os' type='1'/>"
                            "</attributeactions><editforminitcode>import os</editforminitcode></qgis>")
    again = open_layer(replace(refer_to(layer), style=hostile))
    assert again.editFormConfig().initCode() == "" and again.actions().actions() == []


@pytest.fixture
def algorithms(network, monkeypatch):
    """Cartoguide's algorithms in QGIS, with the test network as the person's."""
    registry, one = QgsApplication.processingRegistry(), CartoguideProvider()
    assert registry.addProvider(one)
    settings.set("profile", str(network.profile_path))
    monkeypatch.setattr(service_cache, "_shared", None)
    yield
    registry.removeProvider(one)


def test_a_style_with_entities_is_refused(tmp_path):
    own = refer_to(own_points(tmp_path))
    with pytest.raises(CartoguideError, match="style"):
        open_layer(replace(own, style=own.style.replace("<!DOCTYPE qgis", "<!DOCTYPE qgis [<!ENTITY a 'b'>] x", 1)))


@pytest.mark.slow
def test_the_algorithm_that_builds_a_map_takes_own_layers(network, project, tmp_path, algorithms):
    layer = own_points(tmp_path)
    project.addMapLayer(layer)
    built = run("buildcustommap", {"FILES": [str(path) for path in network.records[1:]], "OWN_LAYERS": [layer.id()],
                                   "EXTENT": "-3.6,-3.42,38.33,38.43 [EPSG:4326]",
                                   "DOCUMENT": str(tmp_path / "map.custommap.json"),
                                   "PROJECT": str(tmp_path / "map.qgz")})
    own, = read_document((tmp_path / "map.custommap.json").read_bytes()).own_layers
    assert (own.source, own.credit, own.entries_below) == ("puntos.geojson", CREDIT, built["SERVICES"])
    assert CREDIT in built["CREDITS"].split("\n") and built["MISSING"] == 0
    project.clear()
    assert project.read(str(tmp_path / "map.qgz"))
    group = next(one for one in project.layerTreeRoot().findGroups() if one.customProperty("cartoguide/map"))
    assert group.children()[0].name() == "Puntos propios" and group.children()[0].layer().isValid()
    again = project_document.read_stored_map(project)
    assert again.document.own_layers[0].credit == CREDIT
    layout = project.layoutManager().printLayouts()[0]
    assert not text_fitting.label_overflows(layout.itemById(layout_items.CREDITS))
    words = QgsLayoutExporter.PdfExportSettings()
    words.dpi, words.textRenderFormat = DPI, Qgis.TextRenderFormat.AlwaysText
    QgsLayoutExporter(layout).exportToPdf(str(tmp_path / "project.pdf"), words)
    text = pdf_text(tmp_path / "project.pdf")
    assert CREDIT in text and "Puntos propios" in text


@pytest.mark.slow
def test_without_a_window_the_same_page_is_drawn_from_the_document(network, project, tmp_path, algorithms):
    known = known_records(network)
    document = replace(small_map(network, known), own_layers=(refer_to(own_points(tmp_path), entries_below=1),),
                       extent=None, centre=CENTRE, scale=100_000)
    made = compose_map(project, document, known, service_cache.ServiceCache(), 60)
    layout_export.export_layouts(made.layout, tmp_path / "here.png", "png", ExportOptions(DPI))
    folder = tmp_path / "moved"
    folder.mkdir()
    written = write_document(with_relative_paths(document, tmp_path / "map.custommap.json"))
    assert str(tmp_path).encode() not in written and read_document(written).own_layers[0].source == "puntos.geojson"
    (folder / "map.custommap.json").write_bytes(written)
    (tmp_path / "puntos.geojson").rename(folder / "puntos.geojson")
    parameters = {"INPUT": str(folder / "map.custommap.json"), "DPI": DPI, "FORMAT": "png",
                  "FILES": [str(path) for path in network.records], "OUTPUT": str(tmp_path / "there.png")}
    with pytest.raises(AssertionError, match="Puntos propios"):
        run("exportcustommap", parameters)
    done = run("exportcustommap", {**parameters, "FOREIGN_LAYERS": "open"})
    assert done["UNCHECKED_LAYERS"] == "" and "completeness" not in done["REMARKS"]
    here, there = QImage(str(tmp_path / "here.png")), QImage(str(tmp_path / "there.png"))
    assert here.size() == there.size() and here == there


@pytest.mark.slow
def test_an_area_whose_name_takes_two_lines_in_the_legend_is_exported(network, project, tmp_path):
    """The legend gives it a shape, at which QGIS 3.22 crashes where Python looks at it."""
    name = "Zona de reserva con un nombre de varias líneas en la leyenda"
    layer = QgsVectorLayer("Polygon?crs=EPSG:4326", name, "memory")
    feature = QgsFeature()
    feature.setGeometry(QgsGeometry.fromRect(QgsRectangle(-3.52, 38.36, -3.50, 38.39)))
    layer.dataProvider().addFeature(feature)
    set_credit(layer, CREDIT)
    project.addMapLayer(layer)
    made = composed(network, project, own_layers=(refer_to(layer, entries_below=2),))
    node, = (one for one in made.layout.itemById(layout_items.LEGEND).model().rootGroup().findLayers()
             if one.layerId() == layer.id())
    assert not node.patchShape().isNull()
    layout_export.export_layouts(made.layout, tmp_path / "map.pdf", "pdf", ExportOptions(DPI))
    assert CREDIT in pdf_text(tmp_path / "map.pdf")


def test_a_layer_that_is_larger_than_the_map_stays_in_its_frame_in_an_svg(network, project, tmp_path):
    """Qt writes no clip paths into an SVG: the file must have no line outside the map and the location map."""
    corners = [[-10, 30], [5, 30], [5, 45], [-10, 45], [-10, 30]]
    (tmp_path / "large.geojson").write_text(json.dumps({
        "type": "Feature", "properties": {}, "geometry": {"type": "Polygon", "coordinates": [corners]}}), "utf-8")
    layer = QgsVectorLayer(str(tmp_path / "large.geojson"), "Grande", "ogr")
    layer.setRenderer(QgsSingleSymbolRenderer(QgsFillSymbol.createSimple(
        {"color": "255,0,0", "outline_style": "no"})))
    set_credit(layer, CREDIT)
    made = composed(network, project, own_layers=(refer_to(layer, entries_below=2),))
    layout_export.export_layouts(made.layout, tmp_path / "map.png", "png", ExportOptions(DPI))
    layout_export.export_layouts(made.layout, tmp_path / "map.svg", "svg", ExportOptions(DPI))
    expected = QImage(str(tmp_path / "map.png")).convertToFormat(QImage.Format.Format_RGB32)
    drawn = QImage(expected.size(), QImage.Format.Format_RGB32)
    drawn.fill(QColor("white"))
    painter = QPainter(drawn)
    QSvgRenderer(str(tmp_path / "map.svg")).render(painter)
    painter.end()
    item, inset = (made.layout.itemById(identifier) for identifier in (layout_items.MAP, layout_items.INSET))
    scale = expected.width() / made.layout.pageCollection().page(0).pageSize().width()
    frame = item.mapRectToScene(item.rect())
    area = QRectF(frame.x() * scale, frame.y() * scale, frame.width() * scale, frame.height() * scale)
    shown = pixels(drawn)[::2, ::2]
    is_red = (shown[..., 2] > 220) & (shown[..., 1] < 90) & (shown[..., 0] < 60)
    red = [(2 * x, 2 * y) for y, x in numpy.argwhere(is_red)]
    # the legend's swatch is red as well
    beside = [place for place in red if not area.adjusted(-2, -2, 2, 2).contains(*place)]
    assert len(red) > 0.9 * area.width() * area.height() / 4 and len(beside) < 60
    frame = inset.mapRectToScene(inset.rect())
    near, far = (frame.adjusted(-size, -size, size, size) for size in (0.5, 1.4))
    around = [(x, y) for x in range(round(far.left() * scale), round(far.right() * scale))
              for y in range(round(far.top() * scale), round(far.bottom() * scale))
              if not near.contains(x / scale, y / scale)]
    # the letters below it begin further away
    differing = [place for place in around if _distance(drawn.pixel(*place), expected.pixel(*place)) > 8]
    assert len(differing) < 0.05 * len(around), "the land is in its frame"
    assert not inset.itemClippingSettings().enabled() and not item.itemClippingSettings().enabled()


def _distance(first, second):
    """The largest difference of a channel of two colours."""
    pairs = zip(QColor(first).getRgb(), QColor(second).getRgb())
    return max(abs(one - other) for one, other in pairs)
