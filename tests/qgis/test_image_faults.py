"""Pictures and legends that are valid and wrong: opaque overlays, drawn errors, empty pages, unsound legend images."""

from __future__ import annotations

import pytest
from osgeo import gdal
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsFeature,
    QgsFillSymbol,
    QgsGeometry,
    QgsRasterLayer,
    QgsSingleSymbolRenderer,
    QgsVectorLayer,
)
from qgis.PyQt.QtGui import QColor, QFont, QImage, QPainter

from plugin.core.errors import CartoguideError
from plugin.core.preflight import TrialRequest, image_findings
from plugin.core.request import Response
from plugin.core.review.checks.rules import Severity
from plugin.core.wms.responses.style_rules import read_style_rules
from plugin.gis.export import atlas, layout_export
from plugin.gis.layouts import layout_items
from plugin.gis.network.drawn_errors import ConfirmedImages, check_for_drawn_error
from plugin.gis.pages import layout_builder
from plugin.gis.pages.completeness_checks import IncompleteMap
from plugin.gis.runtime import images
from plugin.gis.runtime.images import ImagePixels, png_bytes
from tests.qgis.print_maps import composed

DPI = 60
OF_MAPS = {"request": "GetMap", "layer": "miradores"}
REPORT = (b'<ServiceExceptionReport xmlns="http://www.opengis.net/ogc" version="1.3.0">'
          b"<ServiceException>No hay capa</ServiceException></ServiceExceptionReport>")
OPAQUE = {"FORMAT": "image/jpeg", "TRANSPARENT": "FALSE"}


def exported(made, path):
    return layout_export.export_pdf(made.layout, path, DPI, attempts=2)


def test_what_hides_or_replaces_the_map_is_refused_and_asked_for_again_where_it_comes_once(network, project, tmp_path):
    made = composed(network, project)
    for action, words in (({"type": "rewrite", "parameters": OPAQUE}, ("JPEG", "layers below")),
                          ({"type": "drawn_error"}, ("No hay capa",))):
        network.fault({"match": OF_MAPS, "action": action})
        with pytest.raises(IncompleteMap) as refused:
            exported(made, tmp_path / "map.pdf")
        problem, = refused.value.problems
        assert all(word in problem for word in ("Miradores", *words))
        assert list(tmp_path.iterdir()) == []
    network.reset()
    network.fault({"match": {**OF_MAPS, "nth": 1}, "action": {"type": "rewrite", "parameters": OPAQUE}})
    done = exported(made, tmp_path / "map.pdf")
    assert done.attempts == 2 and not done.remarks


def test_an_opaque_picture_over_the_base_is_told_and_one_at_the_bottom_is_not(network, project, tmp_path):
    made = composed(network, project)
    network.fault({"match": OF_MAPS, "action": {"type": "rewrite", "parameters": {"TRANSPARENT": "FALSE"}}})
    for name in ("first.png", "from the cache.png"):
        remark, = layout_export.export_png(made.layout, tmp_path / name, DPI).remarks
        assert remark.rule == "opaque" and remark.severity is Severity.WARNING and "“Miradores”" in remark.message
    bottom = {**OF_MAPS, "layer": "limite_parque"}
    network.fault({"match": bottom, "action": {"type": "rewrite", "parameters": {"TRANSPARENT": "FALSE"}}})
    # another resolution, whose pictures are not kept
    assert not [remark for remark in layout_export.export_png(made.layout, tmp_path / "bottom.png", DPI + 5).remarks
                if "Límite" in remark.message]


def own_area(project, extent):
    """An own layer with an opaque area."""
    layer = QgsVectorLayer("Polygon?crs=EPSG:25830", "Término municipal", "memory")
    feature = QgsFeature()
    feature.setGeometry(QgsGeometry.fromRect(extent))
    layer.dataProvider().addFeatures([feature])
    layer.setRenderer(QgsSingleSymbolRenderer(QgsFillSymbol.createSimple({"color": "#ffffff", "outline_style": "no"})))
    project.addMapLayer(layer, False)
    return layer


def own_picture(project, extent, path):
    """An own layer with an opaque picture."""
    data = gdal.GetDriverByName("GTiff").Create(str(path), 8, 8, 3)
    data.SetGeoTransform((extent.xMinimum(), extent.width() / 8, 0, extent.yMaximum(), 0, -extent.height() / 8))
    data.SetProjection(QgsCoordinateReferenceSystem("EPSG:25830").toWkt())
    data.GetRasterBand(2).Fill(200)
    del data
    layer = QgsRasterLayer(str(path), "Plano escaneado", "gdal")
    project.addMapLayer(layer, False)
    return layer


def test_a_layer_of_ones_own_that_hides_the_services_is_told(network, project, tmp_path):
    made = composed(network, project)
    item = made.layout.itemById(layout_items.MAP)
    services, extent = item.layers(), item.extent().buffered(500)

    def remarks(*layers):
        item.setLayers(layers)
        return [remark.message for remark in layout_export.export_png(made.layout, tmp_path / "map.png", DPI).remarks]

    for layer in (own_area(project, extent), own_picture(project, extent, tmp_path / "plano.tif")):
        assert remarks(layer, *services) == [f"Most of what lies below is hidden by “{layer.name()}”."]
        assert remarks(*services, layer) == [], "nothing lies below"
        layer.setBlendMode(QPainter.CompositionMode.CompositionMode_Multiply)
        assert remarks(layer, *services) == []
    assert remarks(own_area(project, item.extent().scaled(0.3)), *services) == []


@pytest.mark.parametrize("mode, seen", [("Lighten", False), ("Screen", False), ("Multiply", True),
                                        ("Difference", True)])
def test_a_service_that_is_mixed_so_that_nothing_of_it_is_seen_is_told(network, project, tmp_path, mode, seen):
    made = composed(network, project, guide=("limite_parque",), facilities=("miradores",))
    item = made.layout.itemById(layout_items.MAP)
    item.setBackgroundEnabled(True)
    item.setBackgroundColor(QColor("white"))
    marks = next(layer for layer in item.layers() if layer.name() == "Miradores")
    item.setLayers([marks])
    marks.setBlendMode(getattr(QPainter.CompositionMode, f"CompositionMode_{mode}"))
    made.layout.setCustomProperty(layout_items.REQUIREMENTS, "[]")
    remarks = layout_export.export_png(made.layout, tmp_path / "map.png", DPI).remarks
    assert [remark.rule for remark in remarks] == ([] if seen else ["lost"])


def test_names_on_a_map_are_asked_for_once_more_and_leave(network, project, tmp_path):
    made = composed(network, project, guide=("limite_parque", "toponimia"))
    network.reset()
    done = exported(made, tmp_path / "map.pdf")
    asked = [seen["parameters"].get("EXCEPTIONS", "") for seen in network.requests if seen["request"] == "GetMap"]
    assert asked.count("XML") <= 1 and not done.problems


def picture(draw, size=(600, 400), background="#00000000"):
    image = QImage(*size, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(QColor(background))
    painter = QPainter(image)
    draw(painter)
    painter.end()
    return png_bytes(image)


def write(painter, text="msWMSLoadGetMapParams(): WMS server error. Invalid layer", colour="black", x=10):
    painter.setPen(QColor(colour))
    painter.setFont(QFont("DejaVu Sans", 9))
    painter.drawText(x, 20, text)


def looks_like_text(body, size):
    return ImagePixels(body, size).text_colours() is not None


def test_what_looks_like_a_drawn_error(qgis_app):
    size = (600, 400)
    assert looks_like_text(picture(write), size)
    assert looks_like_text(picture(lambda painter: write(painter, colour="red"), background="#ffffff"), size)
    assert not looks_like_text(picture(lambda painter: None), size)
    assert not looks_like_text(picture(lambda painter: painter.drawEllipse(20, 20, 500, 300)), size)
    assert not looks_like_text(picture(lambda painter: painter.fillRect(0, 0, 300, 200, QColor("green"))), size)
    assert not looks_like_text(picture(
        lambda painter: (write(painter), painter.fillRect(0, 100, 60, 60, QColor("red")))), size)


def test_an_image_is_decoded_once_for_all_that_is_asked_of_it(qgis_app, monkeypatch):
    size, decoded, decode = (600, 400), [], images.image_from_bytes
    monkeypatch.setattr(images, "image_from_bytes", lambda body: decoded.append(body) or decode(body))
    text, empty = (images.ImagePixels(picture(draw), size) for draw in (write, lambda painter: None))
    assert text.text_colours() == ((0, 0, 0, 255), (0, 0, 0, 0)) and text.single_colour() == ""
    assert empty.text_colours() is None and empty.single_colour() == images.TRANSPARENT
    assert len(decoded) == 2


def test_points_of_one_colour_are_confirmed_once_for_their_layer_and_an_error_is_found_after_that(qgis_app):
    """Points scattered over a small map look like text: 30 days of them were 60 requests."""
    size, asked = (600, 400), []
    points = [picture(lambda painter, day=day: write(painter, colour="#2b6cb0", x=10 + day)) for day in range(3)]
    error = picture(write)

    def check(url, body, confirmed):
        def send(again):
            asked.append(again)
            return (Response(200, {"content-type": "text/xml"}, REPORT, again) if body is error
                    else Response(200, {"content-type": "image/png"}, body, again))
        check_for_drawn_error(url, Response(200, {"content-type": "image/png"}, body, url),
                              images.ImagePixels(body, size).text_colours(), send, confirmed)

    confirmed = ConfirmedImages()
    for day, body in enumerate(points):
        check(f"http://x/wms?SERVICE=WMS&VERSION=1.3.0&REQUEST=GetMap&LAYERS=a&TIME=2016-06-0{day + 1}", body,
              confirmed)
    assert len(asked) == 1 and "EXCEPTIONS=XML" in asked[0]
    with pytest.raises(CartoguideError):
        check("http://x/wms?SERVICE=WMS&VERSION=1.3.0&REQUEST=GetMap&LAYERS=a&TIME=2016-06-04", error, confirmed)
    check("http://x/wms?SERVICE=WMS&VERSION=1.3.0&REQUEST=GetMap&LAYERS=b", points[0], confirmed)
    assert len(asked) == 3, "another layer is another question"
    for name in ("Sierra Morena, Despeñaperros, Almuradiel", "Sierra Morena, Despeñaperros, Almuradiel",
                 "Aldeaquemada y Magaña, Santa Elena"):
        check("http://x/wms?SERVICE=WMS&VERSION=1.3.0&REQUEST=GetMap&LAYERS=names",
              picture(lambda painter, name=name: write(painter, text=name)), confirmed)
    assert len(asked) == 5, "errors are mostly black, so of names in black only equal images are one question"


def test_a_layer_that_is_empty_on_one_page_of_a_series_is_told_with_the_page(network, project, tmp_path):
    made = composed(network, project)
    plans = atlas.scale_plans(made.plan, [80000.0, 80000.0])
    layouts = [layout_builder.build_layout(project, plan, made.layers, name=f"page {number}")
               for number, plan in enumerate(plans)]
    from plugin.gis.legends.legend_graphics import fetch_legends
    from plugin.gis.runtime import tasks

    legends = tasks.run_and_wait(lambda feedback: fetch_legends(made.plan.layers, 80000.0, feedback), 60)
    for layout, plan in zip(layouts, plans):
        layout_builder.set_legends(layout, plan, made.layers, legends)
    # a square kilometre without a facility: tests/network/network.py, REFERENCE
    item = layouts[1].itemById("map")
    extent = item.extent()
    from qgis.core import QgsRectangle

    item.setExtent(QgsRectangle(447700, 4256700, 447700 + extent.width() / 40, 4256700 + extent.height() / 40))
    # drawn for the scale that the page had, it would lie on the credits now
    layouts[1].itemById("scalebar").setVisibility(False)
    done = layout_export.export_layouts(layouts, tmp_path / "serie.pdf", "pdf", layout_export.ExportOptions(DPI))
    warnings = [remark for remark in done.remarks if remark.severity is Severity.WARNING]
    assert all("page 2:" in warning.message for warning in warnings)
    assert any(warning.service_title.startswith("Equipamientos") for warning in warnings)


def test_findings_about_pages():
    def trial(layer, colour, *pages):
        return TrialRequest(layer, "Service", 0, (10, 10), single_colour=colour, pages=pages)

    one_layer = image_findings([trial("A", "", 1), trial("A", "transparent", 2), trial("B", "", 1, 2)])
    assert [(found.severity, found.message) for found in one_layer] == [
        (Severity.NOTE, "Nothing is drawn of “A” on page 2.")]
    folded, = image_findings([trial("A", "", 1), trial("A", "transparent", 2, 3), trial("B", "", 1, 3),
                              trial("B", "transparent", 2), trial("C", "", 1, 2, 3)])
    assert (folded.severity, folded.message) == (
        Severity.NOTE, "Some layers draw nothing on some pages: “A” (2, 3); “B” (2).")
    service, = image_findings([trial("A", "", 1, 3), trial("A", "transparent", 2), trial("B", "", 1, 3),
                               trial("B", "#ffffff", 2)])
    assert service.severity is Severity.WARNING and "page 2:" in service.message
    everywhere, = image_findings([trial("A", "transparent", 1), trial("A", "transparent", 2)])
    assert "here at this scale" in everywhere.message
    assert image_findings([trial("A", "", 1), trial("A", "", 2)]) == ()


UNSOUND = {
    "miradores": ({"type": "picture", "colour": "transparent"}, "Miradores", "empty image"),
    "centros_visitantes": ({"type": "picture", "colour": "#8a2be2"}, "Centros de visitantes", "one colour"),
    "refugios": ({"type": "rewrite", "factor": 0.5}, "Refugios", "another size"),
}


def test_an_unsound_legend_image_is_asked_for_again_and_then_told(network, project):
    def faults(**which):
        return [{"match": {"request": "GetLegendGraphic", "layer": layer, **which}, "action": fault}
                for layer, (fault, _, _) in UNSOUND.items()]

    network.fault(*faults(nth=1))
    assert layout_items.layout_notes(composed(network, project, facilities=tuple(UNSOUND)).layout) == []
    network.fault(*faults())
    project.clear()
    notes = layout_items.layout_notes(composed(network, project, facilities=tuple(UNSOUND)).layout)
    for _, title, words in UNSOUND.values():
        assert [note for note in notes if title in note and "Equipamientos" in note and words in note], notes
    assert len(notes) == len(UNSOUND)


def test_the_colour_of_an_area_is_compared_with_its_style(network, project):
    found = {"match": {"request": "GetLegendGraphic", "layer": "nucleos_urbanos"},
             "action": {"type": "picture", "colour": "#8a2be2"}}
    network.fault(found)
    notes = layout_items.layout_notes(composed(network, project, guide=("nucleos_urbanos",)).layout)
    assert len(notes) == 1 and "one colour" in notes[0]
    network.fault()
    project.clear()
    assert layout_items.layout_notes(composed(network, project, guide=("nucleos_urbanos",)).layout) == []


STYLES_FAULTS = {
    "exception": {"type": "exception", "code": "OperationNotSupported", "text": "Sin estilos"},
    "web page": {"type": "html"},
    "another document": {"type": "body", "text": "<capabilities/>", "content_type": "text/xml"},
    "half": {"type": "shorten", "share": 0.5},
    "404": {"type": "status", "code": 404},
}


def test_styles_answered_wrongly_once_are_asked_for_again_and_else_the_reason_is_told(network, project):
    titles = {"facilities": "“Miradores”", "guide": "“Carreteras”"}
    kinds = list(STYLES_FAULTS)
    # two services on a page, each with another fault
    for pair in (kinds[:2], kinds[2:4], kinds[4:]):
        faults = dict(zip(titles, pair))
        network.reset()
        network.fault(*({"match": {"request": "GetStyles", "endpoint": endpoint, "nth": 1},
                         "action": STYLES_FAULTS[kind]} for endpoint, kind in faults.items()))
        project.clear()
        assert layout_items.layout_notes(composed(network, project).layout) == [], pair
        assert [network.count("GetStyles", endpoint) for endpoint in faults] == [2] * len(faults), pair
        network.fault(*({"match": {"request": "GetStyles", "endpoint": endpoint},
                         "action": STYLES_FAULTS[kind]} for endpoint, kind in faults.items()))
        project.clear()
        notes = layout_items.layout_notes(composed(network, project).layout)
        for endpoint in faults:
            note, = (note for note in notes if titles[endpoint] in note)
            assert "graphics for screens" in note and note.endswith((".", "”")), notes


def test_the_only_colour_of_a_rule():
    def style(inside):
        return (f'<StyledLayerDescriptor xmlns="http://www.opengis.net/sld"><NamedLayer><Name>a</Name><UserStyle>'
                f"<FeatureTypeStyle><Rule><Name>r</Name><PolygonSymbolizer>{inside}</PolygonSymbolizer></Rule>"
                f"</FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>").encode()

    def fill(inside):
        return read_style_rules(style(inside))["a"][0].fill

    assert fill('<Fill><CssParameter name="fill">#AABBCC</CssParameter></Fill>') == "#aabbcc"
    assert fill('<Fill><CssParameter name="fill">#AABBCC</CssParameter>'
                '<CssParameter name="fill-opacity">0.5</CssParameter></Fill>') == ""
    assert fill("<Fill><GraphicFill/></Fill>") == "" == fill("<Stroke/>")
