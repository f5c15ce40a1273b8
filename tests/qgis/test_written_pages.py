"""Written pages as an art director judges them, by their pixels and the places of their words: one export for each."""

from __future__ import annotations

import html
import json
import math
import re
import subprocess
from dataclasses import replace
from itertools import groupby
from typing import NamedTuple

import layer_services
import numpy
import pytest
from netparts import places, setting
from netserve.mapfiles import RAIN
from odd_server import OddServer
from PIL import Image
from qgis.core import (
    QgsCategorizedSymbolRenderer,
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsLayerTreeModelLegendNode,
    QgsLayoutItemLabel,
    QgsPointXY,
    QgsRendererCategory,
    QgsSingleSymbolRenderer,
    QgsSymbol,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QPointF
from qgis.PyQt.QtGui import QColor

from plugin.core.custommap.ground_scale import round_scale
from plugin.core.custommap.map_entries import entry_from_record
from plugin.core.custommap.model import BlendMode, EntryLegend, MapExtent, Orientation, OwnLayer, PageSetup
from plugin.core.custommap.time_selection import SERIES_OPACITY, blended_series
from plugin.core.page_design.type_scale import PAPER_FACTORS
from plugin.core.pages.map_book import IndexEntry, NameIndex
from plugin.core.terms import terms_for
from plugin.gis.credits.map_credits import visible_services
from plugin.gis.export import atlas, layout_export
from plugin.gis.layouts import layout_items
from plugin.gis.layouts.locator_map import PALE_SEA
from plugin.gis.own_layers.references import refer_to
from plugin.gis.pages import map_book
from plugin.gis.pages.page_measurement import PageMeasurement
from plugin.gis.pages.series_summary import CHART_LABEL, METHOD_LABEL
from plugin.gis.pages.technical_sheet import abstract_text
from tests.pairwise import ALL, some
from tests.qgis.print_maps import (
    FACILITY_LAYERS,
    GUIDE_LAYERS,
    composed,
    entry_of,
    known_records,
    leaflet_page,
    text_without_maps,
)

LANDSCAPE, PORTRAIT = Orientation.LANDSCAPE, Orientation.PORTRAIT
REGION = MapExtent(-7.5, 36.0, -1.66, 38.73)
DPI, MM_PER_POINT = 72, 25.4 / 72
_WORD = re.compile(r'<word xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)">(.*?)</word>')


class Word(NamedTuple):
    """A word on the first page with its box in millimetres."""

    left: float
    top: float
    right: float
    bottom: float
    text: str


class WrittenPage(NamedTuple):
    made: object
    pages: int
    words: list[Word]
    pixels: numpy.ndarray

    def frame(self, name=layout_items.MAP):
        return self.made.layout.itemById(name).sceneBoundingRect()

    def words_in(self, box):
        return [word for word in self.words if box.left() - 0.5 <= word.left and word.right <= box.right() + 0.5
                and box.top() - 0.5 <= word.top and word.bottom <= box.bottom() + 0.5]


def written(network, project, folder, page, **changes):
    made = composed(network, project, page=page, **{"guide": (), "facilities": (),
                                                    "title": "Parque Natural Despeñaperros", **changes})
    return exported(made, made.layout, folder)


def exported(made, layout, folder):
    layout_export.export_pdf(layout, folder / "map.pdf", DPI)
    return written_file(made, folder / "map.pdf")


def written_file(made, path):
    boxes = subprocess.run(["pdftotext", "-bbox", str(path), "-"], capture_output=True, check=True, text=True).stdout
    picture = path.with_suffix(".png")
    subprocess.run(["pdftoppm", "-r", str(DPI), "-png", "-f", "1", "-l", "1", "-singlefile", str(path),
                    str(picture.with_suffix(""))], check=True)
    words = [Word(*(float(value) * MM_PER_POINT for value in found[:4]), html.unescape(found[4]))
             for found in _WORD.findall(boxes.split("</page>")[0])]
    return WrittenPage(made, boxes.count("<page "), words, numpy.asarray(
        Image.open(picture).convert("RGB")).astype(int))


@pytest.mark.parametrize(("template", "paper", "orientation"), [
    ("guide", "A4", LANDSCAPE), ("field", "A4", PORTRAIT),
    *([("sheet", "A4", PORTRAIT), ("guide", "A4", PORTRAIT)] if ALL else ())])
def test_a_page_is_one_that_is_handed_out(network, project, tmp_path, template, paper, orientation):
    page = written(network, project, tmp_path, PageSetup(
        paper, orientation, template, link="https://catalogo.example/metadata/0a1b2c3d"))
    assert page.pages == 1, "legend and terms are on the sheet"
    text = " ".join(word.text for word in page.words)
    assert "(continu" not in text
    frame = page.frame()
    # nothing lies on the map: no white box, and no figure of the grid across a name or cut at the frame
    assert white_squares(page) == 0
    for name in (layout_items.SCALEBAR, layout_items.NORTH_ARROW, layout_items.INSET, "qr_code"):
        item = page.made.layout.itemById(name)
        assert item is None or not item.sceneBoundingRect().intersects(frame.adjusted(0.1, 0.1, -0.1, -0.1)), name
    above = page.made.layout.itemById(layout_items.GRID)
    shown, step = above.extent(), above.grids().asList()[0].intervalX()
    lines = {f"{number * step / 1000:g}" for low, high in ((shown.xMinimum(), shown.xMaximum()),
                                                           (shown.yMinimum(), shown.yMaximum()))
             for number in range(math.ceil(low / step), math.floor(high / step) + 1)}
    figures = [word for word in page.words if word.text in lines]
    assert {word.text for word in figures} == lines and len(lines) >= 7, "each line of the grid has its figure"
    assert not [word for word in figures if frame.contains(
        (word.left + word.right) / 2, (word.top + word.bottom) / 2)]
    # no title of a service but where its credit, its source and its facts are
    legend, band = page.frame(layout_items.LEGEND), page.frame(layout_items.TITLE)
    shown = page.words_in(legend)
    assert not {"Andalucía", "2014"} & {word.text for word in shown + page.words_in(band)}
    starts = [word.text for word in shown]
    assert {"Equipamientos", "Carreteras", "Agua", "Relieve", "Límites"} <= set(starts)
    crossing = [(one.text, two.text) for number, one in enumerate(shown) for two in shown[number + 1:]
                if min(one.right, two.right) - max(one.left, two.left) > 0.3
                and min(one.bottom, two.bottom) - max(one.top, two.top) > 0.45 * (one.bottom - one.top)]
    assert crossing == [], "each row is at least a line high"


def own_layer(folder, title, *geometries, **properties):
    path = folder / f"{geometries[0]['type']}.geojson"
    path.write_text(json.dumps({"type": "FeatureCollection", "features": [
        {"type": "Feature", "properties": properties, "geometry": geometry} for geometry in geometries]}))
    layer = QgsVectorLayer(str(path), title, "ogr")
    symbol = QgsSymbol.defaultSymbol(layer.geometryType())
    symbol.setColor(QColor("#ffcc33"))
    layer.setRenderer(QgsSingleSymbolRenderer(symbol))
    return replace(refer_to(layer), credit="Elaboración propia, 2026")


def test_a_page_of_own_layers_alone_has_their_legend_and_no_heading_of_what_it_lacks(network, project, tmp_path):
    ring = [[-3.56, 38.35], [-3.5, 38.35], [-3.5, 38.39], [-3.56, 38.35]]
    owned = (own_layer(tmp_path, "Zonas de reserva integral y de uso restringido del Plan Rector (revisión de 2026)",
                       {"type": "Polygon", "coordinates": [ring]}),
             own_layer(tmp_path, "Puntos de observación de aves rapaces inventariados por el voluntariado",
                       {"type": "Point", "coordinates": [-3.52, 38.37]}))
    page = written(network, project, tmp_path, PageSetup(template="guide"), base=None, overlays=(), own_layers=owned)
    assert page.pages == 1
    text = " ".join(word.text for word in page.words)
    assert "(continu" not in text and "Condiciones" not in text and "Fuentes" not in text and "Leyenda" in text
    tops = sorted({round(word.top, 1) for word in page.words_in(page.frame(layout_items.LEGEND))})
    assert len(tops) > 5 and min(two - one for one, two in zip(tops, tops[1:])) > 2.5, "no line lies on another"


def white_squares(page, name=layout_items.MAP):
    """How many squares of 4 mm within a map are white."""
    frame = page.frame(name)
    left, top, right, bottom = (round(value / 25.4 * DPI) for value in (
        frame.left() + 1, frame.top() + 1, frame.right() - 1, frame.bottom() - 1))
    white = (page.pixels[top:bottom, left:right] > 252).all(axis=2)
    block = 12
    rows, columns = (size // block for size in white.shape)
    full = white[:rows * block, :columns * block].reshape(rows, block, columns, block).all(axis=(1, 3))
    return int(full.sum())


@pytest.mark.parametrize(("paper", "orientation", "template"), [
    ("A4", LANDSCAPE, "guide"), *([("A4", PORTRAIT, "field"), ("A4", PORTRAIT, "sheet"), ("A1", PORTRAIT, "guide")]
                                  if ALL else ())])
def test_a_map_of_own_layers_alone_has_a_ground_and_the_names_of_its_features(network, project, tmp_path, paper,
                                                                              orientation, template):
    ring = [[-3.56, 38.35], [-3.46, 38.35], [-3.46, 38.41], [-3.56, 38.41], [-3.56, 38.35]]
    ink = {}
    for field in ("nombre", "codigo"):
        owned = (own_layer(tmp_path, "Zona", {"type": "Polygon", "coordinates": [ring]}, **{field: "Reserva natural"}),
                 own_layer(tmp_path, "Ruta", {"type": "LineString", "coordinates": [[-3.55, 38.34], [-3.45, 38.34]]},
                           **{field: "Cañada Real"}),
                 own_layer(tmp_path, "Puntos", *({"type": "Point", "coordinates": [x, 38.38]} for x in (-3.54, -3.5)),
                           **{field: "Mirador del Rey"}))
        page = written(network, project, tmp_path, PageSetup(paper, orientation, template), base=None, overlays=(),
                       own_layers=owned)
        assert white_squares(page) == 0
        shown = [layer for layer in project.mapLayers().values() if layer.name() in ("Zona", "Ruta", "Puntos")]
        assert len(shown) == 3 and not any(layer.labelsEnabled() for layer in shown), "the layers stay as they are"
        frame, item = page.frame(), page.made.layout.itemById(layout_items.MAP)
        to_map = QgsCoordinateTransform(QgsCoordinateReferenceSystem("EPSG:4326"), item.crs(), project)
        for name, place in (("point", (-3.5, 38.38)), ("line", (-3.5, 38.34))):
            # what is dark around the feature: letters and the lines of symbols
            point, extent = to_map.transform(QgsPointXY(*place)), item.extent()
            x = frame.left() + (point.x() - extent.xMinimum()) / extent.width() * frame.width()
            y = frame.top() + (extent.yMaximum() - point.y()) / extent.height() * frame.height()
            left, right, top, bottom = (max(0, round(value / 25.4 * DPI)) for value in (x - 45, x + 45, y - 6, y + 6))
            ink[name, field] = int((page.pixels[top:bottom, left:right].max(axis=2) < 190).sum())
        project.clear()
    assert all(ink[name, "nombre"] > ink[name, "codigo"] + 25 for name in ("point", "line")), ink


def test_a_dry_day_of_a_series_is_white_where_the_legend_says_so(network, project, tmp_path):
    rain = entry_of(known_records(network)[network.endpoints["precipitation"]], ["precipitacion_20160604"])
    pages = []
    for field in ("nombre", "codigo"):
        owned = own_layer(tmp_path, "Puntos", {"type": "Point", "coordinates": [-3.5, 38.38]}, **{field: "Mirador"})
        pages.append(written(network, project, tmp_path, PageSetup(), base=None, overlays=(rain,), own_layers=(owned,)))
        assert white_squares(pages[-1]) > 500
        project.clear()
    assert (pages[0].pixels != pages[1].pixels).any(), "features have their names there too"


def test_features_of_a_service_alone_have_their_names(network, project, tmp_path):
    with OddServer() as server:
        layer_services.furnish(server, server.url)
        served = layer_services.sources(server.url)["WFS"]
        own = OwnLayer("fuentes", "Fuentes", served.type, served.provider, served.source, credit="Ayuntamiento, 2026")
        page = written(network, project, tmp_path, PageSetup(), base=None, overlays=(), own_layers=(own,))
    frame, item = page.frame(), page.made.layout.itemById(layout_items.MAP)
    point = QgsCoordinateTransform(QgsCoordinateReferenceSystem("EPSG:4326"), item.crs(), project).transform(
        QgsPointXY(-3.51, 38.38))
    x = frame.left() + (point.x() - item.extent().xMinimum()) / item.extent().width() * frame.width()
    y = frame.top() + (item.extent().yMaximum() - point.y()) / item.extent().height() * frame.height()
    left, right, top, bottom = (round(value / 25.4 * DPI) for value in (x + 2, x + 15, y - 5, y + 5))
    assert white_squares(page) == 0
    assert (page.pixels[top:bottom, left:right].max(axis=2) < 190).sum() > 15, "its name is beside the point"


def test_a_map_with_a_base_gets_no_names_of_features(network, project, tmp_path):
    pages = []
    for field in ("nombre", "codigo"):
        owned = own_layer(tmp_path, "Puntos", {"type": "Point", "coordinates": [-3.5, 38.38]}, **{field: "Mirador"})
        pages.append(written(network, project, tmp_path, PageSetup(), own_layers=(owned, )))
        project.clear()
    assert (pages[0].pixels == pages[1].pixels).all()


def test_the_notes_of_a_page_say_that_it_has_no_base_or_how_much_of_it_the_base_covers(network, project, tmp_path):
    def notes(**changes):
        found = layout_items.layout_notes(composed(network, project, **changes).layout)
        project.clear()
        return [note for note in found if "no base" in note or "plain ground" in note]

    def zone(west, east):
        return own_layer(tmp_path, "Zona", {"type": "Polygon", "coordinates": [
            [[west, 38.0], [east, 38.0], [east, 38.9], [west, 38.9], [west, 38.0]]]})

    assert notes() == [] and notes(page=PageSetup(rotation=30), extent=None) == []
    covered, = notes(extent=MapExtent(-3.75, 38.25, -3.27, 38.52))
    assert covered.startswith("“Mapa guía del Parque Natural Despeñaperros. 2014” covers ")
    turned, = notes(page=PageSetup(rotation=30))
    assert 80 < int(re.search(r"(\d+) %", turned)[1]) < 95
    without, = notes(base=None)
    assert without.startswith("The map has no base") and "guide map" in without
    assert notes(base=None, overlays=(), own_layers=(zone(-3.55, -3.5),)) == [without]
    assert notes(base=None, overlays=(), own_layers=(zone(-4.2, -3.0),)) == [], "it fills the map"


def test_a_base_that_is_hidden_is_none(network, project, tmp_path):
    guide = entry_of(known_records(network)[network.endpoints["guide"]], GUIDE_LAYERS)
    page = written(network, project, tmp_path, PageSetup(), base=replace(guide, visible=False))
    assert white_squares(page) == 0


def test_a_base_that_ends_within_the_map_has_the_ground_beside_it(network, project, tmp_path):
    area = MapExtent(-3.75, 38.25, -3.27, 38.52)
    page = written(network, project, tmp_path, PageSetup(), extent=area)
    assert white_squares(page) == 0


def test_what_a_base_draws_beyond_the_extent_that_its_service_states_is_drawn(network, project, tmp_path):
    network.fault({"match": {"request": "GetMap", "layer": "relieve"},
                   "action": {"type": "picture", "colour": "#aa3322"}})
    try:
        base = entry_of(known_records(network)[network.endpoints["guide"]], ["relieve"])
        page = written(network, project, tmp_path, PageSetup(), extent=MapExtent(-3.74, 38.26, -3.28, 38.51), base=base)
    finally:
        network.reset()
    frame = page.frame()
    corner = page.pixels[round((frame.top() + 8) / 25.4 * DPI), round((frame.left() + 8) / 25.4 * DPI)]
    assert corner[0] > 150 and corner[2] < 70


def test_the_corners_of_a_turned_map_have_the_ground(network, project, tmp_path):
    page = written(network, project, tmp_path, PageSetup(rotation=30))
    assert white_squares(page) == 0


def test_a_technical_sheet_without_services_is_filled_by_its_map(network, project, tmp_path):
    owned = own_layer(tmp_path, "Recorrido", {"type": "LineString", "coordinates": [[-3.56, 38.35], [-3.5, 38.39]]})
    page = written(network, project, tmp_path, PageSetup("A4", PORTRAIT, "sheet"), base=None, overlays=(),
                   own_layers=(owned, ))
    frame, legend = page.frame(), page.frame(layout_items.LEGEND)
    assert page.pages == 1 and frame.height() > 0.5 * 297 and legend.top() > frame.bottom()
    assert page.made.layout.itemById(layout_items.GRID).rect().size() == frame.size()
    measured = PageMeasurement(project).frame(page.made.plan)
    assert (measured.width, measured.height) == pytest.approx((frame.width(), frame.height())), "the window says it"
    assert not legend.intersects(page.frame(layout_items.INSET))
    assert [word.text for word in page.words_in(legend)] == ["Recorrido"]
    rows = (page.pixels > 250).all(axis=(1, 2))
    blank = max(len(run) for run in "".join("w" if white else " " for white in rows).split())
    assert blank * 25.4 / DPI < 25, "no blank strip across the page"


@pytest.mark.parametrize("paper", ["A4", *(["A3"] if ALL else ())])
def test_the_fitted_map_of_a_technical_sheet_shows_the_whole_park(network, project, tmp_path, paper):
    page = written(network, project, tmp_path, PageSetup(paper, PORTRAIT, "sheet"), extent=None, language="es")
    shown = page.made.layout.itemById(layout_items.MAP).extent()
    ring = setting.park_boundary(numpy.random.default_rng(places.SEED + 1))
    assert all(shown.contains(QgsPointXY(*point)) for point in ring)
    assert page.pages == 1 and page.made.layout.itemById(layout_items.INSET) is not None


def test_a_technical_sheet_of_three_services_cuts_no_fact_but_long_lists(network, project, tmp_path):
    known = known_records(network)
    entries = [entry_of(known[network.endpoints[name]], layers) for name, layers in (
        ("guide", GUIDE_LAYERS), ("facilities", FACILITY_LAYERS), ("precipitation", ["precipitacion_20160604"]))]
    page = written(network, project, tmp_path, PageSetup("A4", PORTRAIT, "sheet"), base=entries[0],
                   overlays=tuple(entries[1:]), language="es")
    frame, layout = page.frame(layout_items.FACTS), page.made.layout
    table = layout.itemById(layout_items.FACTS).multiFrame()
    lefts = [frame.left() + sum(width + 2 * table.cellMargin() for width in table.columnWidths()[:number])
             for number in range(5)]
    columns = [[word for word in page.words_in(frame) if start <= word.left < end]
               for start, end in zip(lefts, lefts[1:])]
    for service, words, end in zip(visible_services(page.made.plan), columns[1:], lefts[2:]):
        assert max(word.right for word in words) < end + 0.3, "no word is cut at the edge of its cell"
        text, first = "".join(word.text for word in words), service.layers[0]
        facts = [service.title, *(contact[key] for contact in first.contacts
                                                   for key in ("organisation", "email") if contact.get(key))]
        assert len(facts) > 2 and all("".join(fact.split()) in text for fact in facts), text
    abstract = "".join(word.text for word in page.words_in(page.frame(layout_items.ABSTRACT)))
    assert "".join(abstract_text(page.made.plan).split()) == abstract, "the description is whole"
    assert page.frame(layout_items.ABSTRACT).bottom() < page.frame(layout_items.HEADING_PREFIX
                                                                   + layout_items.FACTS).top() + 0.1
    assert not [note for note in layout_items.layout_notes(layout) if "too long" in note]


@pytest.mark.parametrize(("paper", "orientation"), [("A4", LANDSCAPE), ("A4", PORTRAIT),
                                                    *([("A2", LANDSCAPE), ("A3", PORTRAIT)] if ALL else ())])
def test_map_and_legend_have_what_the_foot_of_a_page_with_few_texts_does_not_need(network, project, tmp_path, paper,
                                                                                  orientation):
    guide = entry_of(known_records(network)[network.endpoints["guide"]], ())
    page = written(network, project, tmp_path, PageSetup(paper, orientation), base=guide, overlays=(), language="es")
    factor = PAPER_FACTORS[paper]
    foot = [word for name in (layout_items.CREDITS, layout_items.TERMS, layout_items.SOURCES)
            for word in page.words_in(page.frame(name))]
    frame, line = page.frame(layout_items.MAP), page.frame(layout_items.COLOPHON)
    assert line.top() - max(word.bottom for word in foot) < 6 * factor, "no white strip below the texts"
    assert frame.bottom() < min(word.top for word in foot)
    if orientation is LANDSCAPE:
        free = page.frame(layout_items.INSET).top() - max(
            word.bottom for word in page.words_in(page.frame(layout_items.LEGEND)))
        assert free < (15 if paper == "A4" else 50) * factor, "legend and location map share the column"
    shown = page.made.layout.itemById(layout_items.MAP)
    measurement = PageMeasurement(project)
    for plan in (page.made.plan, replace(page.made.plan, page=replace(page.made.plan.page, rotation=10))):
        predicted = measurement.frame(plan)
        assert (predicted.width, predicted.height) == pytest.approx(
            (shown.rect().width(), shown.rect().height()), abs=0.3), "also where it is measured once more"


def test_a_title_of_two_lines_is_broken_into_equal_ones(network, project, tmp_path):
    title = "Parque Natural Despeñaperros y su entorno: senderos, miradores y áreas recreativas de uso público"
    page = written(network, project, tmp_path, PageSetup("A4", PORTRAIT), title=title, base=entry_of(
        known_records(network)[network.endpoints["guide"]], ["relieve"]), overlays=(), language="es")
    words = page.words_in(page.frame(layout_items.BAND))
    lines = {top: [word for word in words if round(word.top) == top] for top in {round(word.top) for word in words}}
    lengths = [max(word.right for word in line) - min(word.left for word in line) for line in lines.values()]
    assert len(lengths) == 2 and min(lengths) > 0.8 * max(lengths), lengths


def test_an_english_page_says_the_terms_of_a_spanish_service_in_english(network, project, tmp_path):
    known = known_records(network)
    page = written(network, project, tmp_path, PageSetup("A4", PORTRAIT, "sheet"),
                   base=entry_of(known[network.endpoints["guide"]], ()), overlays=(), language="en")
    terms, facts, description = (" ".join(word.text for word in page.words_in(page.frame(name))) for name in (
        layout_items.TERMS, layout_items.FACTS, layout_items.ABSTRACT))
    assert terms.startswith("Free of charge; credit required. Original text: “Este servicio se puede usar"), terms
    assert "siempre que se mencione a los autores y propietarios de la información.”" in terms, "it is kept whole"
    assert "Fees Free of charge" in facts and "Gratuito" not in facts
    assert "Curvas de nivel: to 1:120 000" in facts, "each layer's own scales"
    assert description.endswith("(in Spanish)")


@pytest.mark.parametrize(("name", "scales"), [("facilities", ["1:40\u00a0000"]), (
    "guide", ["1:120\u00a0000", "1:500\u00a0000"])])
def test_no_scale_in_a_technical_sheet_is_broken_or_below_its_row(network, project, tmp_path, name, scales):
    """Both were once: "1:40" at the end of a line, and "000" on one for which the row had no height."""
    known = known_records(network)
    page = written(network, project, tmp_path, PageSetup("A4", PORTRAIT, "sheet"), base=None, language="es",
                   overlays=(entry_of(known[network.endpoints[name]], ()), ))
    frame = page.frame(layout_items.FACTS)
    label = next(word for word in page.words if word.text == "Escalas")
    below = next(word for word in page.words if word.text == "Extensión")
    row = [word for word in page.words_in(frame) if label.top - 0.5 < word.top < below.top - 0.5]
    lines = [" ".join(word.text for word in sorted(words, key=lambda word: word.left)) for _, words in groupby(
        sorted(row, key=lambda word: word.top), key=lambda word: round(word.top))]
    for scale in scales:
        assert any(scale.replace("\u00a0", " ") in line.replace("\u00a0", " ") for line in lines), lines
    factor = DPI / 25.4
    for word in row:
        inside = page.pixels[round(word.top * factor):round(word.bottom * factor),
                             round(word.left * factor):round(word.right * factor)]
        assert inside.min() < 160, f"{word.text} is drawn"
    rule = max(word.bottom for word in row)
    assert rule < below.top + 0.5, "the row is as high as its lines"


@pytest.mark.parametrize("paper", ["A4", *(["A3"] if ALL else ())])
def test_a_technical_sheet_of_one_service_leaves_no_part_of_its_columns_white(network, project, tmp_path, paper):
    rain = entry_of(known_records(network)[network.endpoints["precipitation"]], ["precipitacion_20160616"])
    page = written(network, project, tmp_path, PageSetup(paper, PORTRAIT, "sheet"), base=None, overlays=(rain, ),
                   extent=REGION, language="es")
    factor = PAPER_FACTORS[paper]
    for names in ((layout_items.ABSTRACT, layout_items.FACTS), (layout_items.LEGEND, layout_items.INSET)):
        first, last = (page.frame(name) for name in names)
        left, top, right, bottom = (round(value / 25.4 * DPI) for value in (
            first.left(), first.top(), first.right(), last.bottom() - 1))
        rows = (page.pixels[top:bottom, left:right] > 250).all(axis=(1, 2))
        blank = max(len(run) for run in "".join("w" if white else " " for white in rows).split())
        assert blank * 25.4 / DPI < 26 * factor, f"{names}: no blank strip"
    table = page.words_in(page.frame(layout_items.FACTS))
    assert page.frame(layout_items.FACTS).bottom() - max(word.bottom for word in table) < 8 * factor
    assert table[-1].text == "Sí", "no fact is cut"


@pytest.mark.parametrize(("template", "orientation"), [("sheet", PORTRAIT), ("guide", PORTRAIT), ("guide", LANDSCAPE)])
def test_the_location_map_of_a_whole_region_has_the_map_in_its_middle(network, project, tmp_path, template,
                                                                     orientation):
    rain = entry_of(known_records(network)[network.endpoints["precipitation"]], ["precipitacion_20160616"])
    page = written(network, project, tmp_path, PageSetup("A4", orientation, template), base=None, overlays=(rain, ),
                   extent=REGION, language="es")
    frame = page.frame(layout_items.INSET)
    left, top, right, bottom = (round(value / 25.4 * DPI) for value in (
        frame.left(), frame.top(), frame.right(), frame.bottom()))
    shown = page.pixels[top:bottom, left:right]
    ys, xs = numpy.nonzero((shown[..., 0] > shown[..., 1] + 40) & (shown[..., 0] > shown[..., 2] + 40))
    margins = [xs.min(), shown.shape[1] - 1 - xs.max(), ys.min(), shown.shape[0] - 1 - ys.max()]
    assert min(margins[:2]) > 0.2 * shown.shape[1] and min(margins[2:]) > 0.1 * shown.shape[0], margins
    named = page.words_in(frame)
    outline = [value / DPI * 25.4 for value in (left + xs.min(), top + ys.min(), left + xs.max(), top + ys.max())]
    for word in named:
        for across in (outline[0], outline[2]):
            assert not (word.left < across < word.right and outline[1] < word.bottom and word.top < outline[3]), word
        for along in (outline[1], outline[3]):
            assert not (word.top < along < word.bottom and outline[0] < word.right and word.left < outline[2]), word


def test_the_only_group_of_a_legend_below_the_map_is_spread_over_columns_below_one_heading(network, project, tmp_path):
    facilities = entry_of(known_records(network)[network.endpoints["facilities"]], ())
    page = written(network, project, tmp_path, PageSetup("A4", PORTRAIT), base=None, overlays=(facilities, ),
                   language="es")
    legend = page.frame(layout_items.LEGEND)
    words = page.words_in(legend)
    text, heading = " ".join(word.text for word in words), words[0]
    assert text.count("Equipamientos") == 1 and "contin" not in text
    rows = [word for word in words if word.top > heading.bottom]
    firsts = sorted(word.left for word in rows if word.top < min(other.top for other in rows) + 1
                    and word.text in ("Centros", "Miradores", "Refugios", "Áreas", "Albergues", "Observatorios"))
    assert len(firsts) >= 2 and firsts[-1] > legend.center().x() - 10, "the strip is used to its middle"
    ends = [max(word.bottom for word in rows if first - 1 < word.left and (after is None or word.left < after - 5))
            for first, after in zip(firsts, (*firsts[1:], None))]
    assert max(ends) - min(ends) < 10, "the columns end at one height"


def test_the_columns_of_a_whole_guides_legend_are_filled_alike(network, project, tmp_path):
    known = known_records(network)
    base, facilities = (entry_of(known[network.endpoints[name]], ()) for name in ("guide", "facilities"))
    page = written(network, project, tmp_path, PageSetup("A4", PORTRAIT), language="en", base=base,
                   overlays=(facilities, ))
    words = page.words_in(page.frame(layout_items.LEGEND))
    top = min(word.top for word in words)
    starts = sorted(word.left for word in words if word.top < top + 1 and word.text in (
        "Facilities", "Trails", "Roads", "Water", "Towns", "Relief", "Boundaries"))
    ends = [max(word.bottom for word in words if start - 1 < word.left < after - 1) - top
            for start, after in zip(starts, (*starts[1:], 1000.0))]
    assert len(ends) == 4 and min(ends) > 0.4 * max(ends), "no hole below a column"


def test_a_group_of_own_entries_that_has_room_in_a_column_is_not_divided_on_small_maps(network, project, tmp_path):
    days = entry_of(known_records(network)[network.endpoints["precipitation"]],
                    [f"precipitacion_2016060{day}" for day in range(1, 8)])
    kinds = ["Águila", "Buitre", "Cigüeña", "Lince", "Nutria"]
    (tmp_path / "fauna.geojson").write_text(json.dumps({"type": "FeatureCollection", "features": [
        {"type": "Feature", "properties": {"kind": kind}, "geometry": {
            "type": "Point", "coordinates": [-3.5 - number, 37.4]}} for number, kind in enumerate(kinds)]}))
    layer = QgsVectorLayer(str(tmp_path / "fauna.geojson"), "Observaciones", "ogr")
    layer.setRenderer(QgsCategorizedSymbolRenderer("kind", [QgsRendererCategory(
        kind, QgsSymbol.defaultSymbol(layer.geometryType()), kind) for kind in kinds]))
    owned = replace(refer_to(layer), credit="Elaboración propia, 2026", entries_below=9)
    page = written(network, project, tmp_path, PageSetup("A4", LANDSCAPE, "multiples"), base=None, overlays=(days, ),
                   own_layers=(owned, ), extent=REGION)
    words = page.words_in(page.frame(layout_items.LEGEND))
    assert [word.text for word in words].count("Observaciones") == 1
    lefts = [word.left for word in words if word.text in kinds]
    assert len(lefts) == 5 and max(lefts) - min(lefts) < 0.5, "one column"


def test_a_large_sheet_of_rain_alone_shows_the_land_and_the_sea(network, project, tmp_path):
    rain = entry_of(known_records(network)[network.endpoints["precipitation"]], ["precipitacion_20160616"])
    page = written(network, project, tmp_path, PageSetup("A2", LANDSCAPE), base=None, overlays=(rain, ), extent=REGION)
    assert layout_items.map_scale(page.made.layout) < 1_500_000
    frame = page.frame()
    left, top, right, bottom = (round(value / 25.4 * DPI) for value in (
        frame.left() + 1, frame.top() + 1, frame.right() - 1, frame.bottom() - 1))
    shown = page.pixels[top:bottom, left:right]
    sea = (abs(shown - [int(PALE_SEA[at:at + 2], 16) for at in (1, 3, 5)]) < 4).all(axis=2)
    white = (shown > 250).all(axis=2)
    assert sea.mean() > 0.1 and 0.02 < white.mean() < 0.25, "neither the region alone on white nor no dry ground"


def test_dry_days_of_an_area_without_an_outline_are_white_as_the_legend_says(network, project, tmp_path):
    days = entry_of(known_records(network)[network.endpoints["precipitation"]],
                    [f"precipitacion_2016060{day}" for day in range(4, 9)])
    page = written(network, project, tmp_path, PageSetup("A4", LANDSCAPE, "multiples"), base=None, overlays=(days, ),
                   extent=MapExtent(-4.0, 38.0, -3.2, 38.6))
    assert layout_items.map_scale(page.made.layout) < 1_500_000
    panels = layout_items.map_items(page.made.layout)
    assert len(panels) == 5
    for panel in panels[:4]:
        middle = panel.sceneBoundingRect().center()
        at = page.pixels[round(middle.y() / 25.4 * DPI), round(middle.x() / 25.4 * DPI)]
        assert at.min() > 252, "not the colour of the sea"


@pytest.mark.parametrize(("orientation", "services"), [(LANDSCAPE, "rain"), (PORTRAIT, "rain"), (LANDSCAPE, "guide")])
def test_the_figures_of_a_scale_bar_stand_apart(network, project, tmp_path, orientation, services):
    if services == "rain":
        rain = entry_of(known_records(network)[network.endpoints["precipitation"]], ["precipitacion_20160616"])
        page = written(network, project, tmp_path, PageSetup("A4", orientation), base=None, overlays=(rain, ),
                       extent=REGION)
    else:
        page = written(network, project, tmp_path, PageSetup("A4", orientation), scale=10_000)
    bar = page.frame(layout_items.SCALEBAR).adjusted(-2, -2, 2, 2)
    figures = sorted((word.left, word.right) for word in page.words if re.fullmatch(r"[\d.,]+", word.text)
                     and bar.contains(QPointF(word.left, (word.top + word.bottom) / 2)))
    assert len(figures) >= 3
    assert min(two[0] - one[1] for one, two in zip(figures, figures[1:])) > 1.2, figures


@pytest.mark.parametrize(("language", "day"), [("es", "16 de junio de 2016"), ("en", "16 June 2016")])
def test_a_page_of_one_day_says_of_what_it_is_and_the_day_once_below_its_title_in_its_own_language(
        network, project, tmp_path, language, day):
    rain = entry_of(known_records(network)[network.endpoints["precipitation"]], ["precipitacion_20160616"])
    page = written(network, project, tmp_path, PageSetup("A4", LANDSCAPE), base=None, overlays=(rain, ), extent=REGION,
                   language=language)
    text = " ".join(word.text for word in page.words)
    assert text.count("16 de junio") + text.count("16 June") == 1 and day in text
    assert " ".join(word.text for word in page.words_in(page.frame(layout_items.SUBTITLE))) == (
        f"Precipitación total diaria, {day}")
    legend = " ".join(word.text for word in page.words_in(page.frame(layout_items.LEGEND)))
    assert legend.startswith("Precipitación total diaria ") and "2016" not in legend


def test_the_day_of_a_series_beside_its_siblings_is_in_no_other_language_than_the_page(network, project, tmp_path):
    known = known_records(network)
    rain = replace(entry_of(known[network.endpoints["precipitation"]], ()), moment="2016-06-16")
    page = written(network, project, tmp_path, PageSetup("A4", LANDSCAPE), base=None, overlays=(rain, ), extent=REGION,
                   language="en")
    assert " ".join(word.text for word in page.words_in(page.frame(layout_items.SUBTITLE))).endswith("16 June 2016")
    legend = " ".join(word.text for word in page.words_in(page.frame(layout_items.LEGEND)))
    assert "Estaciones" in legend and "Precipitación total diaria No rain" in legend, legend


@pytest.mark.parametrize(("language", "day", "classes"), [("es", "05", 0), ("en", "05", 0), ("es", "17", 4)])
def test_a_day_has_the_classes_of_its_rain_in_its_legend_and_a_dry_one_none(
        network, project, tmp_path, language, day, classes):
    known = known_records(network)
    record = known[network.endpoints["precipitation"]]
    rain = blended_series(entry_from_record(record, terms_for(record), (f"precipitacion_201606{day}",),
                                            moment=f"2016-06-{day}"))
    page = written(network, project, tmp_path, PageSetup("A4", LANDSCAPE), language=language, overlays=(rain, ),
                   base=entry_of(known[network.endpoints["guide"]], GUIDE_LAYERS))
    text = " ".join(word.text for word in page.words_in(page.frame(layout_items.LEGEND)))
    assert {"es": "Sin color: sin lluvia o sin datos", "en": "No colour: no rain, or no data"}[language] in text
    assert "Precipitación total diaria" in text
    box = page.frame(layout_items.LEGEND)
    left, top, right, bottom = (round(side / 25.4 * DPI) for side in (box.left(), box.top(), box.right(), box.bottom()))
    shown = page.pixels[top:bottom, left:right]
    # the service itself draws them with an opacity of 85 %
    printed = [[255 - (255 - int(colour[at:at + 2], 16)) * 0.85 * SERIES_OPACITY for at in (1, 3, 5)]
               for *_, colour in RAIN[4:]]
    assert sum((abs(shown - one).max(axis=2) <= 5).sum() > 20 for one in printed) == classes


def test_the_day_of_rain_is_in_the_foot_of_a_leaflets_map_and_not_on_its_cover(network, project, tmp_path):
    record = known_records(network)[network.endpoints["precipitation"]]
    rain = entry_from_record(record, terms_for(record), ("precipitacion_20160617",), moment="2016-06-17")
    made = composed(network, project, language="es", overlays=(rain, ), page=leaflet_page(network))
    assert made.failures == () and len({layer.entry_index for layer in made.plan.layers}) == 2, "a base and a series"
    text_without_maps(made.layout, tmp_path / "leaflet.pdf")
    done = subprocess.run(["pdftotext", "-raw", str(tmp_path / "leaflet.pdf"), "-"], capture_output=True, check=True)
    inside, outside = (" ".join(page.split()) for page in done.stdout.decode().rstrip("\f").split("\f"))
    assert inside.count("17 de junio") == 1 and "17 de junio" not in outside
    assert "Despeñaperros a mano · Precipitación total diaria, 17 de junio de 2016" in inside
    assert "Despeñaperros a mano" in outside


def test_the_classes_of_a_series_are_in_the_legend_once_below_its_period(network, project, tmp_path):
    known = known_records(network)
    days = entry_of(known[network.endpoints["precipitation"]], [f"precipitacion_2016060{day}" for day in range(1, 5)])
    page = written(network, project, tmp_path, PageSetup("A4", LANDSCAPE, "guide"),
                   base=entry_of(known[network.endpoints["guide"]], GUIDE_LAYERS), overlays=(days, ), language="es")
    text = " ".join(word.text for word in page.words_in(page.frame(layout_items.LEGEND)))
    assert page.pages == 1 and "Precipitación total diaria, 1 de junio de 2016 – 4 de junio de 2016" in text
    assert text.count("Precipitación") == 1, "neither the days nor the service have a heading"


@pytest.mark.parametrize("language", ["es", "en"])
def test_three_services_and_a_qr_code_fit_a_landscape_and_addresses_end_lines_after_a_part(network, project, tmp_path,
                                                                                           language):
    from tests.qgis.print_maps import FACILITY_LAYERS, GUIDE_LAYERS, entry_of, known_records

    known = known_records(network)
    base, rain, places = (entry_of(known[network.endpoints[name]], layers) for name, layers in (
        ("guide", GUIDE_LAYERS), ("precipitation", ["precipitacion_20160604"]), ("facilities", FACILITY_LAYERS)))
    page = written(network, project, tmp_path, PageSetup("A4", LANDSCAPE, "guide", link="https://c.example/0a1b2c3d"),
                   base=base, overlays=(rain, places), language=language)
    assert page.pages == 1
    frames = [page.frame(name).adjusted(0.1, 0.1, -0.1, -0.1) for name in (
        layout_items.MAP, layout_items.CREDITS, layout_items.TERMS, layout_items.SOURCES, layout_items.PROJECTION,
        layout_items.SCALEBAR, layout_items.NORTH_ARROW, layout_items.COLOPHON, layout_items.INSET, "qr_code")]
    assert [(one, two) for at, one in enumerate(frames) for two in frames[at + 1:] if one.intersects(two)] == []
    legend = " ".join(word.text for word in page.words_in(page.frame(layout_items.LEGEND)))
    assert {"es": "Sin color: sin lluvia o sin datos", "en": "No colour: no rain, or no data"}[language] in legend
    words = [word.text for word in page.words_in(page.frame(layout_items.SOURCES))]
    lines, shown = iter(words), set()
    for word in lines:
        address = word if word.startswith("http://") else ""
        while address.endswith("/"):
            address += next(lines)
        shown.add(address)
    assert {network.endpoints[name].rstrip("?") for name in ("guide", "precipitation", "facilities")} <= shown, words
    assert " ".join(word.text for word in page.words_in(page.frame(layout_items.PROJECTION))).endswith("km.")


@pytest.mark.parametrize(("template", "orientation"), [("guide", LANDSCAPE), ("sheet", PORTRAIT)])
def test_the_long_legend_of_three_whole_services_is_on_the_sheet_if_need_be_in_the_place_of_the_location_map(
        network, project, tmp_path, template, orientation):
    known = known_records(network)
    base, rain, places = (entry_of(known[network.endpoints[name]], layers) for name, layers in (
        ("guide", ()), ("precipitation", ["precipitacion_20160616"]), ("facilities", ())))
    page = written(network, project, tmp_path, PageSetup(
        "A4", orientation, template, link="https://catalogo.example/geonetwork/srv/spa/catalog.search#/metadata/0a1b"),
        base=base, overlays=(rain, places), language="es")
    layout, frame = page.made.layout, page.frame(layout_items.LEGEND)
    assert page.pages == 1 and not [note for note in layout_items.layout_notes(layout) if "too long" in note]
    # newer versions of QGIS draw a wrapped last line just below the item
    text = " ".join(word.text for word in page.words_in(frame.adjusted(0, 0, 0, 3)))
    assert "Límite del parque natural" in text and "Equipamientos" in text
    assert text.count("Precipitación total diaria") == 1, "a heading"
    assert " ".join(word.text for word in page.words_in(page.frame(layout_items.SUBTITLE))) == (
        "Precipitación total diaria, 16 de junio de 2016")
    assert "(continuación)" not in [word.text for word in page.words] and len(layout_items.legends(layout)) == 1
    assert not frame.intersects(page.frame(layout_items.SCALEBAR))
    assert frame.bottom() < page.frame(layout_items.COLOPHON).top()
    left_out = "The location map is left out: the legend takes its place." in layout_items.layout_notes(layout)
    # the classes of rain in two columns leave it room on a guide map, and on a sheet of newer versions of QGIS
    assert not (left_out and template == "guide")
    if left_out:
        assert layout.itemById(layout_items.INSET) is None
        assert "Situación" not in [word.text for word in page.words]
    else:
        assert not frame.intersects(page.frame(layout_items.INSET))
    left, top, right, bottom = (round(value / 25.4 * DPI) for value in frame.getCoords())
    shown = page.pixels[top:bottom, left:right]
    printed = [[255 - (255 - int(colour[at:at + 2], 16)) * 0.85 for at in (1, 3, 5)] for *_, colour in RAIN[1:]]
    assert [number for number, one in enumerate(printed, 1) if (abs(shown - one).max(axis=2) <= 5).sum() > 20] == [
        4, 5, 6], "the classes that are on the map, though the legend was in two columns"


def test_the_same_layers_of_two_services_are_in_the_legend_once(network, project, tmp_path):
    from tests.qgis.print_maps import entry_of, known_records

    places = entry_of(known_records(network)[network.endpoints["facilities"]], ("miradores", "refugios"))
    other = replace(places, endpoint=places.endpoint.replace("127.0.0.1", "localhost"))
    page = written(network, project, tmp_path, PageSetup(template="guide"), base=None, overlays=(places, other))
    shown = [word.text for word in page.words_in(page.frame(layout_items.LEGEND))]
    assert sorted(shown) == ["Equipamientos", "Miradores", "Refugios"]
    credits = [word.text for word in page.words_in(page.frame(layout_items.CREDITS))]
    assert credits.count("Consejería") == 2, "both are credited"


def test_a_map_of_rain_says_what_is_white_and_which_classes_grey_print_makes_one(network, project, tmp_path):
    from plugin.core.custommap.model import MapExtent
    from tests.qgis.print_maps import entry_of, known_records

    day = entry_of(known_records(network)[network.endpoints["precipitation"]], ["precipitacion_20160616"])
    page = written(network, project, tmp_path, PageSetup(template="guide"), base=day, overlays=(), language="es",
                   extent=MapExtent(-7.5, 36.0, -1.66, 38.73))
    legend = page.frame(layout_items.LEGEND)
    assert "Sin lluvia o sin datos" in " ".join(word.text for word in page.words_in(legend))
    left, top, right, bottom = (round(value / 25.4 * DPI) for value in (
        legend.left(), legend.top(), legend.left() + 7, legend.bottom()))
    swatches = page.pixels[top:bottom, left:right] @ (0.299, 0.587, 0.114)
    assert (swatches[:, 12] < 140).sum() > 12, "several dark classes"
    note, = (note for note in layout_items.layout_notes(page.made.layout) if "black and white" in note)
    assert "of the 11 classes of “Precipitación total diaria. Junio de 2016” look alike" in note


@pytest.mark.parametrize("is_base", [False, True])
def test_a_dry_day_shows_the_region(network, project, tmp_path, is_base):
    rain = known_records(network)[network.endpoints["precipitation"]]
    day = entry_of(rain, ["precipitacion_20160604"])
    if is_base:
        series = entry_of(rain, [f"precipitacion_2016060{number}" for number in range(1, 7)])
        day = replace(series, moment="2016-06-04")
    page = written(network, project, tmp_path, PageSetup(template="guide"), base=day if is_base else None,
                   overlays=() if is_base else (day,), extent=MapExtent(-7.5, 36.0, -1.66, 38.73))
    left, top, right, bottom = (round(value / 25.4 * DPI) for value in page.frame().getCoords())
    on_map = page.pixels[top:bottom, left:right]
    land, sea, region = ((abs(on_map - colour) <= 1).all(axis=2).mean() for colour in (
        (241, 240, 236), (238, 243, 245), (255, 255, 255)))
    assert min(land, sea) > 0.1 and region > 0.3
    outlined = (on_map.max(axis=2) < 190).mean()
    assert outlined > 0.002, "the region's outline, beside a grid that is paler"


def test_white_ground_has_an_edge(network, project, tmp_path):
    page = written(network, project, tmp_path, PageSetup(template="guide"), facilities=FACILITY_LAYERS, base=None)
    frame = page.frame()
    right, middle = round(frame.right() / 25.4 * DPI), round(frame.center().y() / 25.4 * DPI)
    beside = page.pixels[middle - 40:middle + 40, right - 3:right + 4].max(axis=2).min(axis=1)
    assert (beside < 235).mean() > 0.9


def test_a_hidden_legend_has_no_heading_and_goes_on_nowhere(network, project, tmp_path):
    base = entry_of(known_records(network)[network.endpoints["guide"]], GUIDE_LAYERS)
    page = written(network, project, tmp_path, PageSetup(template="guide"), overlays=(),
                   base=replace(base, legend=EntryLegend(hidden=True)))
    assert page.pages == 1 and not [word for word in page.words if word.text.startswith("Leyenda")]


@pytest.mark.parametrize("template", some(["guide", "field"], 2))
def test_a_title_in_two_lines_is_whole(network, project, tmp_path, template):
    title = ("Parque Natural de la Sierra de Cardeña y Montoro, Despeñaperros y los Valles de los Ríos Guarrizas y "
             "Magaña")
    page = written(network, project, tmp_path, PageSetup("A4", PORTRAIT, template), title=title, overlays=(),
                   guide=GUIDE_LAYERS)
    above = [word for word in page.words if word.bottom < page.frame("band_accent").bottom()]
    assert " ".join(word.text for word in above) == title
    assert min(word.top for word in above) > 1.0, "clear of the edge of the paper"


@pytest.mark.slow
def test_a_long_title_below_the_legend_of_a_leaflet_is_whole(network, project, tmp_path):
    title = ("Parque Natural de la Sierra de Cardeña y Montoro, Despeñaperros y los Valles de los Ríos Guarrizas y "
             "Magaña")
    page = written(network, project, tmp_path, leaflet_page(network), title=title)
    foot, scale = page.frame(layout_items.FOOT), page.frame(layout_items.SCALEBAR)
    below = [word.text for word in page.words if word.left > foot.left() and word.top > foot.top() - 0.5
             and word.bottom < foot.bottom() + 0.5]
    assert " ".join(below) == title and scale.bottom() < foot.top() and foot.bottom() < 288


def test_a_month_stands_in_weeks_and_says_where_no_rain_fell(network, project, tmp_path):
    known = known_records(network)
    days = entry_of(known[network.endpoints["precipitation"]],
                    [f"precipitacion_201606{day:02d}" for day in range(1, 31)])
    ring = [[-6, 36.8], [-3, 38.2], [-5.5, 38.0], [-6, 36.8]]
    owned = (own_layer(tmp_path, "Zonas de reserva integral y de uso restringido del Plan Rector (revisión de 2026)",
                       {"type": "Polygon", "coordinates": [ring]}),
             own_layer(tmp_path, "Puntos de observación de aves rapaces inventariados por el voluntariado",
                       {"type": "Point", "coordinates": [-4.8, 37.5]}))
    made = composed(network, project, base=None, overlays=(days,), extent=MapExtent(-7.5, 36.0, -1.66, 38.73),
                    language="es", own_layers=owned, page=PageSetup("A4", LANDSCAPE, "multiples"))
    maps = layout_items.map_items(made.layout)
    columns = sorted({round(item.pagePos().x(), 1) for item in maps})
    assert len(columns) == 7 and len({round(item.pagePos().y(), 1) for item in maps}) == 5
    for number, item in enumerate(maps):
        label = made.layout.itemById(f"label:{number + 1}").text()
        day = ("lun", "mar", "mié", "jue", "vie", "sáb", "dom").index(label.split()[0])
        assert columns[day] == round(item.pagePos().x(), 1), label
    assert [made.layout.itemById(name).text() for name in (CHART_LABEL, METHOD_LABEL)] == [
        "Superficie por clase", "Según los colores de los 30 mapas"], "whole where the sentences have no room"
    legend = made.layout.itemById(layout_items.LEGEND)
    labels = [node.userLabel() or node.swatch.label for layer in legend.model().rootGroup().findLayers()
              for node in legend.model().layerLegendNodes(layer, True) if hasattr(node, "swatch")]
    assert labels[0] == "Sin lluvia o sin datos" and len(labels) == 11
    first = legend.model().layerLegendNodes(legend.model().rootGroup().findLayers()[0], True)[0]
    context = QgsLayerTreeModelLegendNode.ItemContext()
    symbol, context.maxSiblingSymbolWidth = first.drawSymbol(legend.legendSettings(), None, 0.0), 50.0
    first.drawSymbolText(legend.legendSettings(), context, symbol)
    assert context.maxSiblingSymbolWidth == symbol.width(), "in line with labels in pictures"
    assert legend.pagePos().y() > max(item.pagePos().y() + item.rect().height() for item in maps), "in the foot"
    assert made.layout.pageCollection().pageCount() == 1
    text_without_maps(made.layout, tmp_path / "month.pdf")
    subprocess.run(["pdftoppm", "-r", "254", "-H", "200", "-png", "-singlefile", str(tmp_path / "month.pdf"),
                    str(tmp_path / "month")], check=True)
    band = numpy.asarray(Image.open(tmp_path / "month.png").convert("L"))[:round(10 * made.layout.itemById(
        "band").rect().height()) - 1]
    rows = numpy.flatnonzero((band[:, :2900] > 200).any(axis=1)) / 10
    assert rows.min() > 3.0, "a printer in an office prints the title too"
    assert rows.max() < len(band) / 10 - 1.3, "the dates do not sit on the line below them"
    first_own = next(layer for layer in legend.model().rootGroup().findLayers()
                     if layer.layer().name() == owned[-1].name)
    assert first_own.customProperty("legend/column-break"), "own layers do not look like classes of the rain"


@pytest.mark.parametrize("fitted", [True, False])
def test_a_month_at_a_scale_stands_in_weeks_too(network, project, tmp_path, fitted):
    """A page that the plugin has fitted has a scale. Its days stood in one row after the other once, from Wednesday."""
    days = entry_of(known_records(network)[network.endpoints["precipitation"]],
                    [f"precipitacion_201606{day:02d}" for day in range(1, 31)])
    page = written(network, project, tmp_path, PageSetup("A3", LANDSCAPE, "multiples"), base=None, overlays=(days, ),
                   language="es", extent=None, centre=(-4.58, 37.4), scale=11_000_000.0, fitted=fitted)
    names = ("lun", "mar", "mié", "jue", "vie", "sáb", "dom")
    lefts = [sorted({round(word.left) for word in page.words if word.text == name}) for name in names]
    assert all(len(found) == 1 for found in lefts) and lefts == sorted(lefts), "each day of the week has its column"
    maps = layout_items.map_items(page.made.layout)
    assert len(maps) == 30 and any(word.text == "Máximo" for word in page.words)
    assert min(item.pagePos().x() for item in maps) + 10 > lefts[0][0]
    scales = {round(item.scale() / 1e6, 1) for item in maps}
    assert scales == {11.0} if not fitted else max(scales) < 11.0, "only a fitted page is shown larger"


def test_all_classes_of_small_maps_stay_on_their_page_below_one_heading(network, project, tmp_path):
    known = known_records(network)
    days = entry_of(known[network.endpoints["precipitation"]], [f"precipitacion_201606{day}" for day in range(15, 19)])
    path = tmp_path / "zones.geojson"
    path.write_text(json.dumps({"type": "FeatureCollection", "features": [
        {"type": "Feature", "properties": {"zone": zone}, "geometry": {"type": "Polygon", "coordinates": [[
            [-6, 36 + zone], [-5, 36 + zone], [-5, 37 + zone], [-6, 36 + zone]]]}} for zone in range(6)]}))
    layer = QgsVectorLayer(str(path), "Zonificación del Plan Rector de Uso y Gestión (revisión de 2026)", "ogr")
    layer.setRenderer(QgsCategorizedSymbolRenderer("zone", [QgsRendererCategory(
        zone, QgsSymbol.defaultSymbol(layer.geometryType()), f"Zona de regulación {zone}: uso moderado, con "
        "limitaciones estacionales") for zone in range(6)]))
    own = replace(refer_to(layer), credit="Elaboración propia, 2026", entries_below=9)
    made = composed(network, project, base=None, overlays=(days, ), language="es", own_layers=(own, ),
                    page=PageSetup("A4", LANDSCAPE, "multiples", link="https://c.example/0a1b"),
                    extent=MapExtent(-7.5, 36.0, -1.66, 38.73))
    legend = made.layout.itemById(layout_items.LEGEND)
    nodes = [node for layer in legend.model().rootGroup().findLayers()
             for node in legend.model().layerLegendNodes(layer) if layer.layer().name().startswith("Precipitación")]
    classes = [node for row in nodes for node in (row, row.beside) if node is not None]
    assert len(classes) == 11, "ten classes of the rain, and where there is none"
    text_without_maps(made.layout, tmp_path / "page.pdf")
    page = written_file(made, tmp_path / "page.pdf")
    frame = page.frame(layout_items.LEGEND)
    left, top, right, bottom = (round(value / 25.4 * DPI) for value in frame.getCoords())
    shown = page.pixels[top:bottom, left:right]
    for node in classes[1:]:
        colour = node.swatch.image.pixelColor(node.swatch.image.rect().center()).getRgb()[:3]
        assert (abs(shown - colour).max(axis=2) < 4).sum() > 20, colour
    text = " ".join(word.text for word in page.words_in(frame))
    assert text.count("Precipitación") == 0, "nothing says that they continue"
    assert "Sin lluvia o sin datos" in text
    every = " ".join(word.text for word in page.words)
    assert page.pages == 1 and [zone for zone in range(6) if f"Zona de regulación {zone}:" not in every] == [], (
        "in two columns they leave room for all zones")


@pytest.mark.parametrize("title", ["", "Rain in June"])
def test_a_series_without_a_title_says_above_its_classes_what_they_are(network, project, tmp_path, title):
    days = entry_of(known_records(network)[network.endpoints["precipitation"]],
                    [f"precipitacion_201606{day}" for day in range(15, 19)])
    made = composed(network, project, base=None, overlays=(days, ), title=title, language="en",
                    extent=MapExtent(-7.5, 36.0, -1.66, 38.73), page=PageSetup("A4", LANDSCAPE, "multiples"))
    text_without_maps(made.layout, tmp_path / "page.pdf")
    page = written_file(made, tmp_path / "page.pdf")
    text = " ".join(word.text for word in page.words_in(page.frame(layout_items.LEGEND)))
    assert text.count("Precipitación total diaria") == (not title) and "No rain" in text and page.pages == 1


@pytest.mark.parametrize(("scale", "entries"), [
    (200_000.0, ["Pueblo"]), (100_000.0, ["Pueblo", "Aldea", "Caserío", "Cumbre"])])
def test_the_only_class_that_a_scale_leaves_is_called_by_its_name(network, project, tmp_path, scale, entries):
    made = composed(network, project, guide=("toponimia", "carreteras"), scale=scale, extent=None,
                    centre=(-3.51, 38.38), language="es")
    text_without_maps(made.layout, tmp_path / "page.pdf")
    page = written_file(made, tmp_path / "page.pdf")
    said = [word.text for word in page.words_in(page.frame(layout_items.LEGEND))]
    assert [word for word in said if word in ("Pueblo", "Aldea", "Caserío", "Cumbre", "Toponimia")] == entries, said


def test_two_days_leave_no_white_half_page_below_them(network, project, tmp_path):
    days = entry_of(known_records(network)[network.endpoints["precipitation"]],
                    [f"precipitacion_201606{day}" for day in (16, 17)])
    page = written(network, project, tmp_path, PageSetup("A4", LANDSCAPE, "multiples"), base=None, overlays=(days, ),
                   extent=MapExtent(-7.5, 36.0, -1.66, 38.73), scale=None, centre=None)
    printed = numpy.flatnonzero((page.pixels < 250).any(axis=(1, 2)))
    assert numpy.diff(printed).max() < 0.05 * len(page.pixels), "the maps end above the legend"
    assert len({item.scale() for item in layout_items.map_items(page.made.layout)}) == 1


def test_days_without_a_moment_on_a_base_are_one_day_in_the_colours_of_its_legend(network, project, tmp_path):
    days = replace(entry_of(known_records(network)[network.endpoints["precipitation"]],
                            ["precipitacion_20160616", "precipitacion_20160617"]), blend=BlendMode.MULTIPLY)
    chosen, open_day = (written(network, project, tmp_path, PageSetup(), guide=("relieve",),
                                overlays=(replace(days, moment=moment), )) for moment in ("2016-06-16", None))
    assert abs(chosen.pixels - open_day.pixels).max() == 0, "and not one day multiplied with the other"
    assert "16 de junio de 2016" in " ".join(word.text for word in open_day.words)
    assert any("No time of" in note.text for note in open_day.made.plan.notes)


def test_a_series_of_a_park_alone_is_a_guide_map_that_shows_where_it_lies(network, project, tmp_path):
    days = entry_of(known_records(network)[network.endpoints["precipitation"]],
                    [f"precipitacion_201606{day}" for day in range(12, 19)])
    page = written(network, project, tmp_path, PageSetup("A4", LANDSCAPE, "multiples"), base=None, overlays=(days, ))
    assert {"Sevilla", "Jaén"} <= {word.text for word in page.words_in(page.frame(layout_items.INSET))}
    assert any("show nothing by which it is known" in note.text and "guide map" in note.text
               for note in page.made.plan.notes)


@pytest.mark.slow
def test_a_book_has_full_sheets_and_an_overview_that_shows_the_map_its_names_and_their_index(network, project,
                                                                                             tmp_path):
    made = composed(network, project, guide=("relieve",), facilities=("miradores",),
                    title="Parque Natural Despeñaperros", page=PageSetup("A4", LANDSCAPE, "guide"), extent=None)
    scale = round_scale(layout_items.map_scale(made.layout) / 1.95)
    names = ["Barranco de Valdeazores", "Umbría de los Órganos", "Collado de la Estrella",
             "Las Correderas y los llanos que se extienden entre Santa Elena y la umbría de Malabrigo, con sus caminos"]
    sheets = [replace(sheet, name=name) for sheet, name in zip(
        atlas.grid_features(made.plan, scale, 0.05, project), names)]
    assert len(sheets) == 4
    plans = atlas.feature_plans(replace(made.plan, scale=scale), sheets)
    layouts = atlas.build_and_wait(project, [atlas.overview_plan(made.plan, plans, project), *plans],
                                   [made.layers] * 5, "Hojas", seconds=60)
    index = NameIndex((IndexEntry("Cerro", (0, 2)), IndexEntry("Fuente", (3,))), ("Nomenclátor © Junta, CC BY 4.0",))
    map_book.add_book_items(layouts[1:], names, layouts[0], index)
    overview, *pages = (exported(replace(made, layouts=(layout,)), layout, tmp_path) for layout in layouts)
    contrasts = []
    for page in (overview, *pages):
        assert page.pages == 1, "a short index needs no page"
        frame = page.frame()
        left, top, right, bottom = (round(value / 25.4 * DPI) for value in (
            frame.left() + 1, frame.top() + 1, frame.right() - 1, frame.bottom() - 1))
        shown = page.pixels[top:bottom, left:right]
        white = (shown > 252).all(axis=2)
        assert max(white.mean(axis=0).max(), white.mean(axis=1).max()) < 0.8, "no white strip in the frame"
        # without the outlines of sheets
        contrasts.append(numpy.subtract(*numpy.percentile(shown, (90, 10))))
    assert contrasts[0] > 0.5 * numpy.mean(contrasts[1:]), "a map on which a sheet is chosen"
    for page in pages:
        frame, inset = page.frame(), page.frame(layout_items.INSET)
        layout = page.made.layouts[0]
        tags = [item.sceneBoundingRect() for item in layout_items.items_of_type(layout, QgsLayoutItemLabel)
                if item.id().startswith(map_book.ADJOINING_PREFIX)]
        assert tags and all(tag.width() < 0.27 * frame.width() and tag.height() < 0.27 * frame.height() for tag in tags)
        assert sorted(word.text for word in page.words_in(inset)) == ["1", "2", "3", "4"], "the sheet among the others"
        left, top, right, bottom = (round(value / 25.4 * DPI) for value in (
            inset.left(), inset.top(), inset.right(), inset.bottom()))
        shown = page.pixels[top:bottom, left:right]
        xs = numpy.nonzero((shown[..., 0] > shown[..., 1] + 40) & (shown[..., 0] > shown[..., 2] + 40))[1]
        assert xs.max() - xs.min() > 0.2 * shown.shape[1]
    for number, name in enumerate(names, 1):
        label = layouts[0].itemById(f"{map_book.SHEET_PREFIX}{number}").sceneBoundingRect()
        words = overview.words_in(label)
        assert " ".join(word.text for word in words) == (f"{number} · {name}" if number < 4 else "4")
        assert label.left() + 0.5 < words[0].left and words[-1].right < label.right() - 0.5
    text = " ".join(word.text for word in overview.words)
    assert re.search(r"Cerro \.+ 1, 3 Fuente \.+ 4 ", text) and "Nomenclátor © Junta, CC BY 4.0" in text
    assert f"4 · {names[3]}" in text, "a long name has several lines in the list"
    outlines = [layouts[0].itemById(f"{map_book.OUTLINE_PREFIX}{number}").sceneBoundingRect() for number in range(1, 5)]
    assert not [1 for at, one in enumerate(outlines) for two in outlines[at + 1:]
                if min(one.intersected(two).width(), one.intersected(two).height()) > 1], "four fields, no others"


def test_the_index_of_a_book_on_a_page_of_its_own_fills_it_downwards_below_the_band_of_the_sheets(network, project,
                                                                                                  tmp_path):
    made = composed(network, project, guide=(), facilities=("miradores",), page=PageSetup("A4", LANDSCAPE),
                    language="es")
    index = NameIndex(tuple(IndexEntry(f"Lince ibérico {number}", (0, number % 3)) for number in range(60)), ("© X",))
    map_book.add_book_items([made.layout] * 3, ["A1", "A2", "A3"], None, index)
    layout_export.export_pdf(made.layout, tmp_path / "index.pdf", DPI)
    boxes = subprocess.run(["pdftotext", "-bbox", "-f", "2", str(tmp_path / "index.pdf"), "-"], capture_output=True,
                           check=True, text=True).stdout
    words = [Word(*(float(value) * MM_PER_POINT for value in found[:4]), html.unescape(found[4]))
             for found in _WORD.findall(boxes)]
    assert "Página" in [word.text for word in words]
    names = [word for word in words if word.text == "Lince"]
    assert len(names) == 60 and max(word.bottom for word in names) - min(word.top for word in names) > 0.4 * 210
    numbers = [word for word in words if re.fullmatch(r"[1-3]", word.text) and word.right > 40]
    rights = {round(word.right) for name in names for word in [max(
        (other for other in words if abs(other.top - name.top) < 0.5 and name.left < other.left < name.left + 130),
        key=lambda other: other.right)]}
    assert numbers and len(rights) <= 6, "the numbers stand at the end of their lines"
    subprocess.run(["pdftoppm", "-r", "30", "-png", "-f", "2", "-singlefile", str(tmp_path / "index.pdf"),
                    str(tmp_path / "index")], check=True)
    top = numpy.asarray(Image.open(tmp_path / "index.png").convert("RGB")).astype(int)[3]
    assert (top.max(axis=1) < 120).mean() > 0.9, "the band of the sheets"


@pytest.mark.slow
def test_the_overview_of_a_book_has_no_white_in_its_frame_and_its_numbers_in_corners(network, project, tmp_path):
    made = composed(network, project, guide=("relieve",), facilities=("miradores",),
                    title="Parque Natural Despeñaperros", page=PageSetup("A4", LANDSCAPE, "guide"))
    scale = layout_items.map_scale(made.layout) / 1.8
    # the western ones: a frame around their middle reaches beyond the base
    sheets = atlas.grid_features(made.plan, scale, 0.05, project)[::2]
    plans = atlas.feature_plans(replace(made.plan, scale=scale), sheets)
    overview = atlas.overview_plan(made.plan, plans, project)
    # a base of which no frame of the page's shape is full
    narrow = replace(overview, layers=tuple(replace(layer, extent=overview.extent) for layer in overview.layers))
    layouts = atlas.build_and_wait(project, [overview, narrow, *plans], [made.layers] * (len(plans) + 2), "Hojas",
                                   seconds=60)
    for layout in layouts[:2]:
        map_book.add_book_items(layouts[2:], [sheet.name for sheet in sheets], layout)
        page = exported(replace(made, layouts=(layout,)), layout, tmp_path)
        frame = layout.itemById(layout_items.MAP).sceneBoundingRect()
        left, top, right, bottom = (round(value / 25.4 * DPI) for value in (
            frame.left() + 1, frame.top() + 1, frame.right() - 1, frame.bottom() - 1))
        white = (page.pixels[top:bottom, left:right] > 252).all(axis=2)
        assert max(white.mean(axis=0).max(), white.mean(axis=1).max()) < 0.8, "no white strip in the frame"
        subprocess.run(["pdftoppm", "-r", "110", "-png", "-singlefile", str(tmp_path / "map.pdf"),
                        str(tmp_path / "screen")], check=True)
        left, right, edge = (math.floor(value / 25.4 * 110) for value in (
            frame.left() + 1, frame.right() - 1, frame.bottom()))
        above, last = (numpy.asarray(Image.open(tmp_path / "screen.png").convert("L"))[row, left:right].astype(int)
                       for row in (edge - 2, edge))
        assert last.min() > 140 and last.mean() > above.mean() - 4, "pale down to the last pixel"
        outlines = [layout.itemById(f"{map_book.OUTLINE_PREFIX}{number + 1}").sceneBoundingRect()
                    for number in range(len(sheets))]
        for number, outline in enumerate(outlines, 1):
            assert frame.contains(outline), "each sheet is whole"
            label = layout.itemById(f"{map_book.SHEET_PREFIX}{number}").sceneBoundingRect()
            quarter = outline.adjusted(0, 0, -outline.width() / 2, -outline.height() / 2)
            assert quarter.contains(label), "in a corner"
            assert not any(other.intersects(label) for other in outlines if other != outline), "clear of other sheets"
    tabs = [(number, layout_items.main_map(layout).layoutToMapCoordsTransform().mapRect(item.sceneBoundingRect()))
            for number, layout in enumerate(layouts[2:]) for item in layout.items()
            if isinstance(item, QgsLayoutItemLabel) and item.id().startswith(map_book.ADJOINING_PREFIX)]
    assert {number for number, _ in tabs} == {0, 1}
    assert not any(one.intersects(two) for first, one in tabs for second, two in tabs if first < second), (
        "what a tab covers is seen on the other sheet")
    assert frame.width() < 0.7 * made.layout.itemById(layout_items.MAP).rect().width(), "the frame ends with the base"
