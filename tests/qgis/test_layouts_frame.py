"""Layouts: template items are filled by id, and extent, scale, scale bar, grids and credits are correct."""

from __future__ import annotations

import re
import statistics
from dataclasses import replace
from datetime import date
from pathlib import Path

import numpy
import pytest
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsDistanceArea,
    QgsExpression,
    QgsExpressionContextScope,
    QgsLayoutExporter,
    QgsLayoutItemLabel,
    QgsLayoutItemMap,
    QgsLayoutSize,
    QgsLegendStyle,
    QgsPointXY,
    QgsPrintLayout,
    QgsProject,
    QgsReadWriteContext,
    QgsRectangle,
)
from qgis.PyQt.QtCore import QSize
from qgis.PyQt.QtGui import QFont

from plugin.core.box import Box
from plugin.core.custommap.model import LayerPlan, Orientation, PageSetup, Plan
from plugin.core.errors import CartoguideError
from plugin.core.sources.layer_source import WmsSource
from plugin.gis.credits import map_credits, map_phrases
from plugin.gis.credits.map_phrases import long_date
from plugin.gis.layouts import layout_items, map_frame, templates, text_fitting
from plugin.gis.pages import layout_builder, legend_fitting
from plugin.gis.runtime import compat
from plugin.gis.runtime.conversions import rectangle_box
from tests.pairwise import ALL, some
from tests.qgis.print_maps import PARK, composed, pixels

SHEETS = [(paper, orientation) for paper in ("A4", "A3") for orientation in Orientation]


def plan(**changes):
    layer = LayerPlan(WmsSource(address="http://127.0.0.1:9/wms?", name="a", style="", format="image/png",
                                crs="EPSG:25830"),
                      title="A", service_title="Servicio", rights=("Autor, 2014",), licences=("Uso libre",),
                      fees="Gratuito")
    values = {"title": "Mapa", "crs": "EPSG:25830", "layers": (layer,), "extent": PARK.box, "has_base": True,
              **changes}
    return Plan(**values)


def built(project, **changes):
    made = plan(**changes)
    return layout_builder.build_layout(project, made, [None] * len(made.layers))


def test_what_the_issues_of_a_map_say_is_not_said_by_its_page_in_other_words(project):
    layout = built(project, layers=tuple(replace(layer, scale_range=(None, 1000.0)) for layer in plan().layers),
                   is_title_given=False)
    scale, title = layout_items.layout_notes(layout)
    assert "is not drawn at" in scale and "has no title" in title
    assert layout_builder.notes_of_page(layout) == [title]


def shown_scale(layout):
    text = layout.itemById(layout_items.SCALE_TEXT).currentText()
    return float(re.sub(r"\D", "", text.split("1:")[1]))


def ground_metres(item, millimetres):
    """Metres on the ellipsoid under a horizontal line of this length in the middle of the map item."""
    units = millimetres * item.extent().width() / item.rect().width()
    centre = item.extent().center()
    measure = QgsDistanceArea()
    measure.setSourceCrs(item.crs(), QgsProject.instance().transformContext())
    measure.setEllipsoid("EPSG:7019")
    return measure.measureLine(QgsPointXY(centre.x() - units / 2, centre.y()),
                               QgsPointXY(centre.x() + units / 2, centre.y()))


def segment_millimetres(layout, bar, dpi=4800):
    """The length of one segment as it is drawn: from the start of the first white one to that of the second, halved.

    Of two or three segments the white one is measured, with half a line at both of its ends.
    """
    box = bar.mapRectToScene(bar.rect())
    size = QSize(round(box.width() / 25.4 * dpi), round(box.height() / 25.4 * dpi))
    image = QgsLayoutExporter(layout).renderRegionToImage(box, size, dpi)
    # one row in twelve, from below: the numbers of all take gigabytes
    bands = pixels(image)[::-max(1, dpi // 200), :, :3].astype(numpy.int16)
    lengths = []
    for row in bands.max(axis=2) + bands.min(axis=2) > 401:
        dark = numpy.flatnonzero(~row)
        starts = [x for x in numpy.flatnonzero(row[1:] & ~row[:-1]) + 1 if x < dark[-1]] if len(dark) else []
        if len(starts) == 2 and bar.numberOfSegments() == 4:
            lengths.append((starts[1] - starts[0]) / 2 / dpi * 25.4)
        elif bar.numberOfSegments() in (2, 3) and len(starts) == 1:
            end = next(x for x in dark if x > starts[0])
            lengths.append((end - starts[0]) / dpi * 25.4 + bar.lineSymbol().width())
    assert lengths, "no scale bar was drawn"
    # a row through figures or along an outline may look alike
    return statistics.mode(lengths)


@pytest.mark.parametrize(("paper", "orientation", "crs"), some([
    ("A4", Orientation.LANDSCAPE, "EPSG:25830"), ("A4", Orientation.PORTRAIT, "EPSG:3857"),
    ("A2", Orientation.LANDSCAPE, "EPSG:3857"), ("A3", Orientation.PORTRAIT, "EPSG:25830"),
    ("A0", Orientation.PORTRAIT, "EPSG:25830"), ("A0", Orientation.LANDSCAPE, "EPSG:3857"),
    ("A1", Orientation.PORTRAIT, "EPSG:25830")], 2))
def test_scale_bar_numeric_scale_map_and_ground_agree_within_a_thousandth(project, paper, orientation, crs):
    layout = built(project, page=PageSetup(paper=paper, orientation=orientation), scale=50000.0, crs=crs)
    item, bar = layout.itemById(layout_items.MAP), layout.itemById(layout_items.SCALEBAR)
    assert shown_scale(layout) == 50000
    if crs == "EPSG:25830":
        paper_scale = item.extent().width() / (item.rect().width() / 1000)
        assert paper_scale == pytest.approx(50000, rel=1e-3)
    metres = bar.unitsPerSegment() / bar.mapUnitsPerScaleBarUnit() * (1000 if bar.unitLabel() == "km" else 1)
    drawn = segment_millimetres(layout, bar)
    assert ground_metres(item, drawn) == pytest.approx(metres, rel=1e-3)
    assert ground_metres(item, 1000 * metres / 50000) == pytest.approx(metres, rel=1e-3)


def test_the_scale_bar_of_web_mercator_is_true_whatever_the_project_measures_with(project):
    for ellipsoid in ("NONE", "EPSG:7030"):
        project.setEllipsoid(ellipsoid)
        layout = built(project, crs="EPSG:3857", scale=50000.0)
        item, bar = layout.itemById(layout_items.MAP), layout.itemById(layout_items.SCALEBAR)
        metres = bar.unitsPerSegment() / bar.mapUnitsPerScaleBarUnit() * (1000 if bar.unitLabel() == "km" else 1)
        # a pixel of 2,400 dpi is a thousandth
        assert ground_metres(item, segment_millimetres(layout, bar, 4800)) == pytest.approx(metres, rel=2e-4)
        assert round(metres, 6) % 250 == 0


def test_web_mercator_is_printed_at_the_scale_of_the_ground(project):
    layout = built(project, crs="EPSG:3857", scale=50000.0)
    item = layout.itemById(layout_items.MAP)
    assert shown_scale(layout) == 50000
    assert item.scale() == pytest.approx(50000 * 1.275, rel=0.01)
    assert ground_metres(item, 100) == pytest.approx(5000, rel=0.003)


def test_the_numeric_scale_follows_the_map(project):
    layout = built(project, scale=50000.0)
    layout.itemById(layout_items.MAP).setScale(25000)
    assert shown_scale(layout) == 25000


def test_an_extent_alone_gets_the_next_round_scale_that_holds_it(project):
    layout = built(project)
    item = layout.itemById(layout_items.MAP)
    assert shown_scale(layout) == 75000
    made = map_frame.QgsCoordinateTransform(QgsCoordinateReferenceSystem("EPSG:4326"), item.crs(), project)
    box = made.transformBoundingBox(map_frame.QgsRectangle(*PARK.box))
    assert item.extent().contains(box)


def test_a_centre_and_a_scale_put_the_centre_in_the_middle(project):
    layout = built(project, extent=None, centre=(-3.51, 38.38), scale=25000.0)
    item = layout.itemById(layout_items.MAP)
    transform = map_frame.QgsCoordinateTransform(item.crs(), QgsCoordinateReferenceSystem("EPSG:4326"), project)
    middle = transform.transform(item.extent().center())
    assert (middle.x(), middle.y()) == pytest.approx((-3.51, 38.38), abs=1e-6)
    assert item.scale() == pytest.approx(25000, rel=1e-6)


@pytest.mark.parametrize("changes", [{"extent": None}, {"crs": "EPSG:0"}])
def test_a_plan_without_a_place_is_refused_in_words(project, changes):
    with pytest.raises(CartoguideError) as refused:
        built(project, **changes)
    assert refused.value.user_text.endswith((".", "scale."))


@pytest.mark.parametrize(("scale", "step"), [(10000, 500), (25000, 1000), (50000, 2000), (80000, 2000),
                                             (1000000, 50000)])
def test_kilometre_lines_are_round_and_some_centimetres_apart(scale, step):
    assert map_frame.grid_step(scale) == step
    assert 18 <= step / scale * 1000 <= 60


@pytest.mark.parametrize(("crs", "grid"), [("EPSG:25830", "EPSG:25830"), ("EPSG:3857", "EPSG:25830"),
                                           ("EPSG:4326", "EPSG:25830"), ("EPSG:3042", "EPSG:3042")])
def test_the_grid_is_in_kilometres_of_a_metric_system(project, crs, grid):
    layout = built(project, crs=crs, page=PageSetup(template="field"))
    kilometres, degrees = layout.itemById(layout_items.GRID).grids().asList()
    assert (kilometres.crs().authid(), degrees.crs().authid()) == (grid, "EPSG:4326")
    assert layout.itemById(layout_items.GRID).crs() == layout.itemById(layout_items.MAP).crs()


def test_a_figure_that_the_titles_ground_would_cut_is_left_out(project):
    layout = built(project)
    grid_map = layout.itemById(layout_items.GRID)
    kilometres = grid_map.grids().asList()[0]

    def figure(millimetres, axis="y"):
        """The figure of a line so far below the upper edge of the map."""
        context, shown = kilometres.createExpressionContext(), grid_map.extent()
        scope = QgsExpressionContextScope()
        scope.setVariable("grid_axis", axis)
        scope.setVariable("grid_number", shown.yMaximum() - millimetres * shown.height() / grid_map.rect().height())
        context.appendScope(scope)
        return QgsExpression(kilometres.annotationExpression()).evaluate(context)

    assert figure(1) == "" != figure(6) and figure(1, "x") != ""
    moved = grid_map.extent()
    grid_map.setExtent(QgsRectangle(moved.xMinimum(), moved.yMinimum() + 5000, moved.xMaximum(),
                                    moved.yMaximum() + 5000))
    assert figure(1) == "" != figure(6), "where the map was moved too"


@pytest.mark.parametrize(("paper", "orientation"), [("A4", Orientation.LANDSCAPE), ("A0", Orientation.PORTRAIT)])
def test_a_figure_that_the_papers_edge_would_cut_is_left_out(project, paper, orientation):
    layout = built(project, page=PageSetup(paper, orientation))
    grid_map = layout.itemById(layout_items.GRID)
    kilometres, shown = grid_map.grids().asList()[0], grid_map.extent()
    text = kilometres.annotationTextFormat()
    font = QFont(text.font())
    font.setPointSizeF(text.size())
    for millimetres in (0.1, 10.0):
        context, scope = kilometres.createExpressionContext(), QgsExpressionContextScope()
        scope.setVariable("grid_axis", "x")
        scope.setVariable("grid_number", shown.xMinimum() + millimetres * shown.width() / grid_map.rect().width())
        context.appendScope(scope)
        figure = QgsExpression(kilometres.annotationExpression()).evaluate(context)
        fits = grid_map.pagePos().x() + millimetres > text_fitting.text_width("444", font) / 2
        assert (figure != "") == fits, millimetres


def test_the_grid_moves_with_the_map(project):
    layout = built(project, scale=50000.0)
    item, above = layout.itemById(layout_items.MAP), layout.itemById(layout_items.GRID)
    item.moveContent(10, 10)
    above.refresh()
    assert above.extent().toString(0) == item.extent().toString(0)


@pytest.mark.parametrize(("paper", "orientation"), SHEETS)
def test_every_template_has_all_items_inside_the_page_and_none_over_another(project, paper, orientation):
    layout = built(project, page=PageSetup(paper=paper, orientation=orientation))
    assert layout_items.missing_items(layout) == []
    assert not layout_items.layout_notes(layout)
    page = layout.pageCollection().page(0).pageSize()
    boxes = {}
    for item_id in (*layout_items.EXPECTED_ITEMS, "heading:legend", "heading:credits"):
        item = layout.itemById(item_id)
        if item_id == layout_items.SUBTITLE and not item.text():
            continue
        box = item.mapRectToScene(item.rect())
        assert box.left() >= 0 and box.top() >= 0, item_id
        assert box.right() <= page.width() and box.bottom() <= page.height(), item_id
        boxes[item_id] = box.adjusted(0.2, 0.2, -0.2, -0.2)
    names = sorted(boxes)
    over = [(one, other) for number, one in enumerate(names) for other in names[number + 1:]
            if boxes[one].intersects(boxes[other])]
    assert over == []


def test_a_plan_in_the_map_language_has_spanish_words(project):
    layout = built(project, language="es")
    assert layout.itemById("heading:legend").text() == "Leyenda"
    assert layout.itemById("heading:terms").text() == "Condiciones de uso"
    assert layout.itemById(layout_items.SCALE_TEXT).currentText().startswith("Escala 1:")
    assert map_credits.terms_statement(plan(language="es")) == "Uso libre. Gratuito."


def test_an_english_map_has_english_words(project):
    layout = built(project, language="en")
    assert layout.itemById("heading:legend").text() == "Legend"
    assert layout.itemById(layout_items.SCALE_TEXT).currentText().startswith("Scale 1:")
    assert "Free of charge" in map_credits.terms_statement(plan(language="en"))


@pytest.mark.parametrize("language", map_phrases.MAP_LANGUAGES)
def test_every_language_of_the_map_has_all_phrases_and_months(language):
    assert map_phrases._PHRASES[language].keys() == map_phrases._PHRASES["en"].keys()
    assert len(map_phrases._MONTHS[language]) == 12
    assert map_phrases.map_language(f"{language}_XX") == language


def test_a_language_without_phrases_is_replaced_by_english():
    assert [map_phrases.map_language(code) for code in ("fr_FR", "spa", "es-ES", "")] == ["en", "es", "es", "en"]


def test_dates_are_written_out():
    assert long_date("es", date(2026, 11, 3)) == "3 de noviembre de 2026"
    assert long_date("en", date(2026, 11, 3)) == "3 November 2026"


def test_text_from_outside_is_not_evaluated(project):
    layout = built(project, title="[% 1 + 1 %] montes")
    assert "2 montes" not in layout.itemById(layout_items.TITLE).currentText()
    assert layout.itemById(layout_items.TITLE).currentText().endswith("montes")


def test_a_long_title_is_made_smaller_and_a_hopeless_one_is_told(project):
    layout = built(project, title="Parque Natural de las Sierras " * 4)
    assert not text_fitting.label_overflows(layout.itemById(layout_items.TITLE))
    layout = built(project, title="Parque Natural de las Sierras " * 40)
    assert any("title" in note for note in layout_items.layout_notes(layout))


def test_the_persons_own_template_is_filled_and_what_it_lacks_is_told_not_drawn(project, tmp_path):
    own = QgsPrintLayout(project)
    own.initializeDefaults()
    map_item = QgsLayoutItemMap(own)
    map_item.setId("map")
    own.addLayoutItem(map_item)
    map_item.attemptResize(QgsLayoutSize(150, 100))
    title = QgsLayoutItemLabel(own)
    title.setId("title")
    own.addLayoutItem(title)
    title.attemptResize(QgsLayoutSize(150, 100))
    path = tmp_path / "propia.qpt"
    own.saveAsTemplate(str(path), QgsReadWriteContext())
    layout = built(project, page=PageSetup(template=str(path)))
    assert layout.itemById(layout_items.TITLE).text() == "Mapa"
    assert layout.itemById(layout_items.CREDITS) is None
    notes = " ".join(layout_items.layout_notes(layout))
    assert "“legend”" in notes and "“credits”" in notes and "“title”" not in notes


@pytest.mark.parametrize("content", [None, b"", b"<Layout", b"<html/>", b"\xff\xfe\x00"])
def test_a_template_that_is_none_is_refused_by_name(project, tmp_path, content):
    path = tmp_path / "rota.qpt"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(CartoguideError) as refused:
        built(project, page=PageSetup(template=str(path)))
    assert "rota.qpt" in refused.value.user_text


def test_the_location_map_shows_the_region_or_says_that_there_is_none(project):
    layout = built(project)
    inset = layout.itemById(layout_items.INSET)
    assert len(inset.layers()) == 3 and all(layer.isValid() for layer in inset.layers())
    assert inset.overviews().asList()[0].linkedMap() == layout.itemById(layout_items.MAP)
    layout = built(project, extent=Box(10.0, 50.0, 10.2, 50.1), crs="EPSG:25832")
    assert layout.itemById(layout_items.INSET) is None and layout.itemById("heading:location") is None
    assert any("location map" in note for note in layout_items.layout_notes(layout))


def test_a_wide_map_of_the_whole_region_has_a_location_map(project):
    layout = built(project, extent=Box(-7.5, 36.0, -1.66, 38.73), page=PageSetup("A4", Orientation.PORTRAIT, "sheet"))
    assert layout.itemById(layout_items.INSET).extent().contains(layout.itemById(layout_items.MAP).extent())
    assert not any("location map" in note for note in layout_items.layout_notes(layout))


@pytest.mark.parametrize(("paper", "ratio", "names"), [("A3", 0.4, 8), ("A4", 0.25, 4)])
def test_the_names_on_a_low_location_map_keep_their_distance(project, paper, ratio, names):
    """The location map of a technical sheet is wider than it is high, on A4 too low for all names."""
    layout = built(project, page=PageSetup(paper, Orientation.PORTRAIT, "sheet"))
    inset = layout.itemById(layout_items.INSET)
    places, = (layer for layer in inset.layers() if layer.name() == "Cartoguide: places-region")
    assert inset.rect().height() > ratio * inset.rect().width()
    shown = [feature["name"] for feature in places.getFeatures()]
    assert len(shown) == names and {"Sevilla", "Málaga"} <= set(shown)


def test_a_map_of_the_whole_region_is_located_on_the_peninsula(project):
    layout = built(project, extent=Box(-7.5, 36.0, -1.7, 38.7))
    names = [layer.name() for layer in layout.itemById(layout_items.INSET).layers()]
    assert "Cartoguide: places-peninsula" in names
    shown = layout.itemById(layout_items.INSET).extent()
    assert layout.itemById(layout_items.MAP).extent().width() < shown.width()


@pytest.mark.parametrize("scale", [10_000.0, 50_000.0, 2_000_000.0])
def test_the_place_of_a_map_is_seen_on_its_location_map_at_every_scale(project, scale):
    """The area of a map at 1:10 000 was less than half a millimetre on it."""
    layout = built(project, extent=None, centre=(-3.51, 38.38), scale=scale)
    inset = layout.itemById(layout_items.INSET)
    dpi = 254
    image = QgsLayoutExporter(layout).renderPageToImage(0, dpi=dpi)
    left, top = (round(value / 25.4 * dpi) for value in (inset.pagePos().x(), inset.pagePos().y()))
    right, bottom = left + round(inset.rect().width() / 25.4 * dpi), top + round(inset.rect().height() / 25.4 * dpi)
    reds = [(x, y) for x in range(left, right) for y in range(top, bottom)
            if (found := image.pixelColor(x, y)).red() - max(found.green(), found.blue()) > 90]
    assert reds, "its outline, or a dot"
    wide = max(x for x, _ in reds) - min(x for x, _ in reds)
    high = max(y for _, y in reds) - min(y for _, y in reds)
    assert min(wide, high) >= 15, "one and a half millimetres at least"
    assert scale > 100_000 or max(wide, high) < 40, "a place, and not the region"
    assert scale > 100_000 or abs(wide - high) <= 1, "a dot, with no corner of the area beside it"


@pytest.mark.parametrize(("template", "paper", "orientation"), [
    ("guide", "A4", Orientation.LANDSCAPE), ("guide", "A4", Orientation.PORTRAIT),
    ("leaflet", "A3", Orientation.LANDSCAPE)])
def test_no_land_ends_in_a_straight_line_on_the_location_map(project, template, paper, orientation):
    layout = built(project, extent=Box(-7.5, 36.0, -1.7, 38.7), page=PageSetup(paper, orientation, template))
    inset = layout.itemById(layout_items.INSET)
    to_map = map_frame.QgsCoordinateTransform(QgsCoordinateReferenceSystem("EPSG:4326"), inset.crs(), project)
    # the edges of the land of the neighbours in the outline, not at a coast
    edges = [(5.19, 43.4), (5.19, 45.0), (0.0, 45.59), (4.0, 45.59), (5.19, 36.0), (-8.0, 31.41)]
    assert not [edge for edge in edges if inset.extent().contains(to_map.transform(*edge))]
    assert inset.extent().contains(layout_items.main_map(layout).extent().center())


def test_the_grid_draws_nothing_but_the_grid(project):
    layout = built(project, extent=Box(-7.5, 36.0, -1.7, 38.7))
    layer, = layout.itemById(layout_items.GRID).layers()
    assert layer.isValid() and layer.featureCount() == 0


def test_the_hidden_layers_of_the_location_map_are_made_once(project):
    built(project)
    count = len(project.mapLayers())
    built(project)
    assert len(project.mapLayers()) == count
    assert not project.layerTreeRoot().findLayers()


def test_a_second_layout_of_the_same_name_replaces_the_first(project):
    built(project)
    built(project)
    assert [layout.name() for layout in project.layoutManager().layouts()] == ["Mapa"]


def test_credits_are_bound_to_the_maps_layers(project, network):
    made = composed(network, project)
    label, item = made.layout.itemById(layout_items.CREDITS), made.layout.itemById(layout_items.MAP)
    credits = [need.credits[0] for need in layout_builder.layout_requirements(made.layout)]
    assert len(credits) == 2 and all(credit in label.currentText() for credit in credits)
    item.setLayers([layer for layer in item.layers() if layer.customProperty("cartoguide/role") == "base"])
    assert credits[0] in label.currentText() and credits[1] not in label.currentText()


@pytest.mark.parametrize(("paper", "orientation"), SHEETS if ALL else [SHEETS[0], SHEETS[-1]])
def test_a_real_map_fills_every_template_without_overflow(project, network, paper, orientation):
    made = composed(network, project, page=PageSetup(paper=paper, orientation=orientation))
    assert not layout_items.layout_notes(made.layout)
    assert not text_fitting.label_overflows(made.layout.itemById(layout_items.CREDITS))
    assert not text_fitting.label_overflows(made.layout.itemById(layout_items.SOURCES))
    assert not legend_fitting.legend_overflows(made.layout.itemById(layout_items.LEGEND))


def test_templates_name_no_place_of_one_machine():
    for path in sorted(Path(templates.BUNDLED_FOLDER).glob("*.qpt")):
        assert not re.search(r'"[^"]*(?:/home/|/root/|/work/|/tmp/|C:\\)', path.read_text(encoding="utf-8")), path.name


def test_credits_that_are_long_use_what_is_free_below_them(project):
    layout = built(project, language="es", page=PageSetup("A4", Orientation.PORTRAIT))
    credits, colophon = layout.itemById(layout_items.CREDITS), layout.itemById(layout_items.COLOPHON)
    before = credits.rect().height()
    text_fitting.narrow_to_text(colophon)
    others = [
        layout.itemById(name)
        for name in (layout_items.COLOPHON, layout_items.TERMS, layout_items.MAP, layout_items.SOURCES)
    ]
    assert text_fitting.extend_down(credits, others) and credits.rect().height() > before + 3.0
    page = layout.pageCollection().page(0)
    assert credits.mapRectToScene(credits.rect()).bottom() <= page.rect().height() - 3.9
    assert not credits.mapRectToScene(credits.rect()).intersects(colophon.mapRectToScene(colophon.rect()))
    assert not text_fitting.label_overflows(colophon)
    assert not text_fitting.extend_down(credits, others), "nothing more is free"


def test_a_legend_is_a_little_smaller_rather_than_in_narrow_columns_of_broken_lines(project, network):
    made = composed(network, project, guide=(), facilities=(), page=PageSetup("A3", Orientation.PORTRAIT))
    item = made.layout.itemById(layout_items.LEGEND)
    labels = [node.userLabel() for group in item.model().rootGroup().findGroups() for layer in group.findLayers()
              for node in item.model().layerLegendNodes(layer, True)]
    assert len(labels) > 25 and sum("\n" in label for label in labels) <= 2
    assert item.columnCount() <= 4 and not legend_fitting.legend_overflows(item)
    assert compat.legend_font(item, QgsLegendStyle.Style.SymbolLabel).pointSizeF() >= 8.39


def test_a_figure_and_its_unit_stay_on_one_line(project):
    font = compat.label_font(built(project).itemById(layout_items.SCALE_TEXT))
    width = text_fitting.text_width("Curva intermedia (20", font)
    lines = text_fitting.wrap_text("Curva intermedia (20 m) o más", font, width)
    assert lines == "Curva intermedia\n(20\u00a0m) o más" and text_fitting.wrap_text("", font, 10) == ""


@pytest.mark.parametrize(("name", "paper", "orientation"), some((
    (template.name, *size) for template in templates.bundled_templates() for size in template.sizes), 4))
def test_a_copy_of_the_page_shows_the_same_extent_to_the_last_digit(project, name, paper, orientation):
    """Images are cached under addresses with all digits: those of the page are those of its export."""
    for shift in (0.0, 0.0137):
        extent = Box(PARK.west + shift, PARK.south, PARK.east + shift, PARK.north)
        layout = built(project, extent=extent, page=PageSetup(paper, orientation, name))
        copy = layout.clone()
        edges = [rectangle_box(layout_items.main_map(one).extent()) for one in (layout, copy)]
        assert edges[0] == edges[1]
