"""Map books in files: a page for each polygon or sheet, its numbers, links to adjoining sheets, overview and index."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from pypdf import PdfReader
from pypdf.generic import PdfObject
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsFeature,
    QgsGeometry,
    QgsLayoutItemLabel,
    QgsLayoutSize,
    QgsPointXY,
    QgsPrintLayout,
    QgsProject,
    QgsRectangle,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QRectF
from qgis.PyQt.QtGui import QPolygonF
from qgis.PyQt.QtWidgets import QLabel

from plugin.app.maps.map_document import ExtentMode
from plugin.core.box import Box
from plugin.core.errors import CartoguideError
from plugin.core.pages.map_book import IndexEntry, NameIndex
from plugin.gis.credits.map_phrases import map_phrase
from plugin.gis.export import atlas, layout_export
from plugin.gis.export.export_transaction import ExportOptions
from plugin.gis.export.layout_export import ExportFormat
from plugin.gis.layouts import layout_items, text_fitting
from plugin.gis.layouts.map_frame import planned_area
from plugin.gis.own_layers.references import refer_to
from plugin.gis.pages import map_book
from plugin.gis.pages.map_book import BookParts
from plugin.gis.pages.page_measurement import PageMeasurement
from plugin.gis.runtime import compat, settings
from tests.pairwise import ALL
from tests.qgis.print_maps import composed
from tests.qgis.test_dock_map import both, dock  # noqa: F401 - fixtures
from tests.qgis.test_preflight_findings import composed_map  # noqa: F401 - fixture


@pytest.mark.slow
def test_an_atlas_has_a_page_for_each_polygon(composed_map, wait_until, tmp_path, qtbot):  # noqa: F811
    layer = QgsVectorLayer("Polygon?crs=EPSG:4326&field=nombre:string", "Parques", "memory")
    for name, west in (("Norte", -3.55), ("Centro", -3.50)):
        feature = QgsFeature(layer.fields())
        feature.setAttributes([name])
        feature.setGeometry(QgsGeometry.fromRect(QgsRectangle(west, 38.35, west + 0.04, 38.39)))
        layer.dataProvider().addFeatures([feature])
    layer.setDisplayExpression('"nombre"')
    QgsProject.instance().addMapLayer(layer, False)
    assert atlas.polygon_layers(QgsProject.instance()) == [layer]
    features = atlas.polygon_features(layer, QgsProject.instance())
    assert [feature.name for feature in features] == ["Centro", "Norte"]
    actions = composed_map.composer_controller
    with qtbot.waitSignal(actions.exporter.finished, timeout=120_000):
        actions.exports.series.export_book(features, ExportFormat.PDF, tmp_path / "atlas.pdf")
    reader, language = PdfReader(str(tmp_path / "atlas.pdf")), actions.map.plan().language
    titles = [item.title for item in reader.outline]
    assert [title.rpartition(" – ")[2] for title in titles] == ["Centro", "Norte"], "bookmarks in the pages' order"
    assert [reader.get_destination_page_number(item) for item in reader.outline] == [0, 1]
    owed = ["".join(line.split()) for line in actions.map.credit_lines()]
    assert owed
    for title, page in zip(titles, reader.pages):
        text = "".join(page.extract_text().split())
        assert "".join(title.split()) in text and all(line in text for line in owed), "each page has all credits"
    texts = [page.extract_text() for page in reader.pages]
    assert map_phrase(language, "sheet_number", number=1, count=2) in texts[0]
    assert map_phrase(language, "sheet_number", number=2, count=2) in texts[1]
    # Norte is the western one of the two
    assert map_phrase(language, "adjoining_sheet", name="Norte", number=2) in texts[0]
    assert map_phrase(language, "adjoining_sheet", name="Centro", number=1) in texts[1]
    for number, page in enumerate(reader.pages):
        link, = [link for link in map(PdfObject.get_object, page["/Annots"]) if "/Dest" in link]
        assert reader.get_page_number(link["/Dest"][0].get_object()) == 1 - number
        left, _bottom, right, _top = map(float, link["/Rect"])
        assert (right < 0.1 * page.mediabox.width) if number == 0 else (left > 0.5 * page.mediabox.width)
    wait_until(lambda: not QgsProject.instance().layoutManager().printLayouts(), 5)


@pytest.mark.slow
def test_polygons_are_fitted_to_their_pages_where_nobody_chose_the_scale(both, wait_until, tmp_path, qtbot):  # noqa: F811
    actions = both.composer_controller
    settings.set("export_dpi", 96)
    wait_until(lambda: actions.map.custom_map.extent_mode is ExtentMode.FITTED and actions.map.chosen.scale, 10)
    features = [atlas.AtlasFeature("Barranco", Box(-3.57, 38.39, -3.53, 38.42)),
                atlas.AtlasFeature("Umbría", Box(-3.54, 38.365, -3.49, 38.395))]
    with qtbot.waitSignal(actions.exporter.finished, timeout=120_000):
        actions.exports.series.export_book(features, ExportFormat.PDF, tmp_path / "atlas.pdf")
    for page in PdfReader(str(tmp_path / "atlas.pdf")).pages:
        scale = int(re.search(r"1:(\d+)", re.sub("[ \u00a0\u202f]", "", page.extract_text()))[1])
        assert scale < 0.6 * actions.map.chosen.scale


def test_a_grid_of_sheets_covers_the_maps_area(composed_map):  # noqa: F811
    actions = composed_map.composer_controller
    plan, measurement = actions.map.plan(), PageMeasurement(QgsProject.instance())
    shown = planned_area(plan, QgsCoordinateReferenceSystem(plan.crs), QgsProject.instance())
    assert actions.exports.series.grid_scale() is not None
    # one and a half sheets across
    scale = round(shown.width() / (measurement.map_size(plan.page)[0] / 1000) / 1.5)
    sheets = actions.exports.series.grid_features(scale, 0.05)
    names = [sheet.name for sheet in sheets]
    assert names[:2] == ["A1", "A2"] and "A3" not in names
    areas = [measurement.placed(each)[0] for each in atlas.feature_plans(replace(plan, scale=scale), sheets)]
    whole = QgsGeometry.unaryUnion([QgsGeometry.fromRect(area) for area in areas])
    # the outer edges are those of the area, to the last digits
    assert whole.contains(QgsGeometry.fromRect(shown.buffered(-0.01))), "no part of the area lies between the sheets"
    assert areas[0].xMinimum() < areas[1].xMinimum()
    assert areas[0].yMaximum() >= max(area.yMaximum() for area in areas) - 50, "the first sheet is the north-western"
    with pytest.raises(CartoguideError, match="sheets"):
        actions.exports.series.grid_features(100.0, 0.05)


def _tabs(layout):
    """Return the areas of the names of adjoining sheets, in millimetres of the page."""
    return [item.sceneBoundingRect() for item in layout.items() if isinstance(item, QgsLayoutItemLabel)
            and item.id().startswith(map_book.ADJOINING_PREFIX)]


def test_names_of_adjoining_sheets_stand_where_they_cover_least(network, project, tmp_path):
    def pages(*own):
        made = composed(network, project, guide=("limite_parque",), facilities=("miradores",), own_layers=own)
        names = {"Norte": Box(-3.58, 38.37, -3.48, 38.42), "Sur": Box(-3.55, 38.34, -3.45, 38.39)}
        plans = atlas.feature_plans(made.plan, [atlas.AtlasFeature(*one) for one in names.items()])
        layouts = atlas.build_and_wait(project, plans, [made.layers] * 2, made.plan.title, seconds=60)
        map_book.add_book_items(layouts, list(names))
        return layouts

    layouts, combs = pages(), []
    for layout in layouts:
        main, (tab,) = layout_items.main_map(layout), _tabs(layout)
        # what has as many edges as a name: lines of half a millimetre below all of the tab
        to_map = main.layoutToMapCoordsTransform()
        combs += [QgsGeometry.fromQPolygonF(to_map.map(QPolygonF(QRectF(
            tab.left() + 1.2 * number, tab.top(), 0.6, tab.height())))) for number in range(int(tab.width() / 1.2))]
    crs = QgsCoordinateTransform(layout_items.main_map(layouts[0]).crs(), QgsCoordinateReferenceSystem("EPSG:4326"),
                                 project)
    path = tmp_path / "comb.geojson"
    assert all(comb.transform(crs) == 0 for comb in combs)
    path.write_text(json.dumps({"type": "FeatureCollection", "features": [
        {"type": "Feature", "properties": {}, "geometry": json.loads(comb.asJson(6))} for comb in combs]}))
    own = replace(refer_to(QgsVectorLayer(str(path), "Rótulos", "ogr")), credit="Elaboración propia, 2026")
    layouts = pages(own)
    covered = [tab for layout in layouts for tab in _tabs(layout)]
    layout_export.export_layouts(layouts, tmp_path / "book.pdf", ExportFormat.PDF, ExportOptions(dpi=150))
    for page, tab in zip(PdfReader(str(tmp_path / "book.pdf")).pages, covered):
        link, = [link for link in map(PdfObject.get_object, page["/Annots"]) if "/Dest" in link]
        left, bottom, right, top = (float(value) * 25.4 / 72 for value in link["/Rect"])
        height = float(page.mediabox.height) * 25.4 / 72
        assert not QRectF(left, height - top, right - left, top - bottom).intersects(
            tab.adjusted(0, 0, -1.2, 0)), "beside what it would cover"


def _places(sheets):
    """Return a layer with a point in the middle of each sheet, a place without a name, one on no sheet, and many."""
    layer = QgsVectorLayer("Point?crs=EPSG:4326&field=nombre:string", "Topónimos", "memory")
    places = [(f"Cerro {number}", sheet.centre) for number, sheet in enumerate(sheets)]
    places += [("", sheets[0].centre), ("Lejos", (2.0, 41.0)), ("Fuente", sheets[0].centre),
               ("Fuente", sheets[-1].centre), ("[% 1 + 1 %] <b>Árbol</b>", sheets[1].centre),
               *((f"Lugar {number}", sheets[0].centre) for number in range(100))]
    for name, (longitude, latitude) in places:
        feature = QgsFeature(layer.fields())
        feature.setAttributes([name or None])
        feature.setGeometry(QgsGeometry.fromPointXY(QgsPointXY(longitude, latitude)))
        layer.dataProvider().addFeatures([feature])
    layer.setDisplayExpression('"nombre"')
    metadata = layer.metadata()
    metadata.setRights(["Nomenclátor © Junta de Andalucía, CC BY 4.0"])
    layer.setMetadata(metadata)
    QgsProject.instance().addMapLayer(layer, False)
    return layer


@pytest.mark.slow
def test_a_book_has_an_overview_and_an_index_that_lead_to_its_sheets(composed_map, tmp_path, qtbot):  # noqa: F811
    actions = composed_map.composer_controller
    plan, measurement = actions.map.plan(), PageMeasurement(QgsProject.instance())
    shown = planned_area(plan, QgsCoordinateReferenceSystem(plan.crs), QgsProject.instance())
    scale = round(shown.width() / (measurement.map_size(plan.page)[0] / 1000) / 1.8)
    sheets = actions.exports.series.grid_features(scale, 0.05)
    assert [sheet.name for sheet in sheets][:2] == ["A1", "A2"] and len(sheets) >= 4
    path = tmp_path / "book.pdf"
    with qtbot.waitSignal(actions.exporter.finished, timeout=240_000):
        actions.exports.series.export_book(sheets, ExportFormat.PDF, path, BookParts(True, _places(sheets)),
                                               scale)
    reader = PdfReader(str(path))
    texts = [page.extract_text() for page in reader.pages]
    title = map_phrase(plan.language, "sheet_overview")
    bookmarks = [item.title.rpartition(" – ")[2] for item in reader.outline]
    assert bookmarks[0].startswith(title)
    assert {map_phrase(plan.language, "sheet_title", number=number, name=f"A{number}") for number in (1, 2)
            } < set(bookmarks)
    assert map_phrase(plan.language, "adjoining_sheet", name="A2", number=2) in texts[1]
    assert len(reader.pages) == len(sheets) + 2
    owed = ["".join(line.split()) for line in actions.map.credit_lines()]
    maps = texts[:-1]
    assert owed and all(line in "".join(text.split()) for line in owed for text in maps), "on the overview too"
    lines = [[line.strip() for line in text.splitlines()] for text in texts]
    assert map_phrase(plan.language, "sheets") in lines[0] and map_phrase(plan.language, "legend") not in lines[0]
    assert all(map_phrase(plan.language, "legend") in each for each in lines[1:-1]), "its colours are its own"
    assert all(texts[0].count(f"{number} · {sheet.name}") == 2 for number, sheet in enumerate(sheets, 1)), "and a list"
    for number in range(1, len(sheets) + 1):
        assert map_phrase(plan.language, "sheet_number", number=number, count=len(sheets)) in texts[number]

    def links(page):
        found = [link for link in map(PdfObject.get_object, reader.pages[page].get("/Annots", ())) if "/Dest" in link]
        return [(reader.get_page_number(link["/Dest"][0].get_object()), link["/Rect"]) for link in found]

    # sheets of one row have the same height on the overview, those of one column the same distance from its edge
    middles = {}
    for target, (left, bottom, right, top) in links(0):
        middles[sheets[target - 1].name] = (float(left + right) / 2, float(bottom + top) / 2)
    assert sorted(middles) == sorted(sheet.name for sheet in sheets)
    for name, (x, y) in middles.items():
        for other, (other_x, other_y) in middles.items():
            if name[0] == other[0]:
                assert y == pytest.approx(other_y, abs=0.6)
                assert (x < other_x) == (name[1:] < other[1:])
            elif name[1:] == other[1:]:
                assert x == pytest.approx(other_x, abs=0.6)
                assert (y > other_y) == (name[0] < other[0])
    plans = atlas.feature_plans(replace(plan, scale=scale), sheets)
    whole = measurement.placed(atlas.overview_plan(plan, plans, QgsProject.instance()))[0]
    assert all(whole.contains(measurement.placed(each)[0]) for each in plans), "all of each sheet is on the overview"

    # without the dots that lead from a name to its numbers
    lines = [re.sub(r"\.{2,}", "", "".join(line.split())) for line in texts[-1].splitlines() if line.strip()]
    heading, *entries = lines[lines.index("".join(map_phrase(plan.language, "name_index").split())):]
    # the text as it is, never an expression or markup
    assert entries.pop(0).endswith("Nomenclátor©JuntadeAndalucía,CCBY4.0"), "names are credited where they are listed"
    pages = len(sheets) + 2
    assert entries.pop() == f"Page{pages}of{pages}"
    assert entries == ["[%1+1%]<b>Árbol</b>2", *(f"Cerro{number}{number + 1}" for number in range(len(sheets))),
                       f"Fuente1,{len(sheets)}", *(f"Lugar{number}1" for number in range(100))]
    assert [target for target, _area in links(len(sheets) + 1)] == [2, *range(1, len(sheets) + 1), *[1] * 101]


def test_a_series_that_is_exported_again_has_what_the_map_has_then(composed_map, tmp_path, wait_until,  # noqa: F811
                                                                   monkeypatch):
    actions = composed_map.composer_controller
    exporter, series, rendered = actions.exporter, actions.exports.series, []
    monkeypatch.setattr(exporter, "render_layouts", lambda pages, *_, **_names: rendered.append(
        [(layout_items.layout_title(page), len(layout_items.main_map(page).layers())) for page in pages]))
    monkeypatch.setattr(exporter, "ask_path", lambda *_: tmp_path / "series.pdf")
    sheets = [atlas.AtlasFeature(name, Box(west, 38.35, west + 0.04, 38.39))
              for name, west in (("A", -3.55), ("B", -3.5))]
    count = len(actions.map.mirror.layer_ids())
    for begin in (lambda: series.export_book(sheets, ExportFormat.PDF, tmp_path / "book.pdf"),
                  lambda: series.export_scales([50_000.0, 100_000.0], ExportFormat.PDF)):
        rendered.clear()
        actions.map.set_title("Antes")
        actions.map.set_visible(0, True)
        begin()
        wait_until(lambda: rendered, 60)
        actions.map.set_title("Después")
        actions.map.set_visible(0, False)
        exporter.repeat()
        wait_until(lambda: len(rendered) == 2, 60)
        before, after = rendered
        assert len(before) == len(after) == 2
        assert all(title.startswith("Antes") and layers == count for title, layers in before)
        assert all(title.startswith("Después") and layers < count for title, layers in after)


@pytest.mark.slow
def test_an_index_without_a_name_is_refused_in_words(composed_map, tmp_path, wait_until):  # noqa: F811
    actions = composed_map.composer_controller
    empty = QgsVectorLayer("Point?crs=EPSG:4326&field=nombre:string", "Sin nombres", "memory")
    QgsProject.instance().addMapLayer(empty, False)
    sheets = actions.exports.series.grid_features(1_000_000.0, 0.05)
    path = tmp_path / "book.pdf"
    actions.exports.series.export_book(sheets, ExportFormat.PDF, path, BookParts(False, empty), 1_000_000.0)
    wait_until(lambda: any("Sin nombres" in label.text() for label in composed_map.findChildren(QLabel)), 60)
    assert not path.exists() and not QgsProject.instance().layoutManager().printLayouts()


def test_the_pages_of_an_atlas_follow_as_people_count_and_spell(qgis_app):
    layer = QgsVectorLayer("Polygon?crs=EPSG:4326&field=nombre:string", "Hojas", "memory")
    names = ["Hoja1", "Hoja", "Hoja 1", "Hoja 2", "Hoja 10", "Ávila", "Zújar", "ábalos", "2", "10", "9" * 250,
             "Hoja 02 bis"]
    for number, name in enumerate(names):
        feature = QgsFeature(layer.fields())
        feature.setAttributes([name])
        feature.setGeometry(QgsGeometry.fromRect(QgsRectangle(number, 38.0, number + 1, 39.0)))
        layer.dataProvider().addFeatures([feature])
    layer.setDisplayExpression('"nombre"')
    found = [feature.name for feature in atlas.polygon_features(layer, QgsProject.instance())]
    assert found == ["2", "10", "9" * 250, "ábalos", "Ávila", "Hoja", "Hoja 1", "Hoja1", "Hoja 2",
                     "Hoja 02 bis", "Hoja 10", "Zújar"]


@pytest.mark.parametrize("count, pages", [(1, 1), (7, 1), (195, 2), *([(183, 1), (500, 3)] if ALL else [])])
def test_an_index_fills_its_pages_column_by_column(qgis_app, count, pages):
    layout = QgsPrintLayout(QgsProject.instance())
    layout.initializeDefaults()
    layout.pageCollection().page(0).setPageSize(QgsLayoutSize(210.0, 297.0))
    names = NameIndex(tuple(IndexEntry(f"Nombre {'muy largo ' * (number % 9)}{number}", (number % 5, 7))
                            for number in range(count)), ("Nomenclátor",))
    labels = map_book.add_index_pages(layout, names)
    assert layout.pageCollection().pageCount() == pages + 1 and len(labels) == count
    places = [(label.page(), label.pagePos().x(), label.pagePos().y()) for label in labels]
    assert places == sorted(places), "down each column, then to the next one"
    assert len(set(places)) == count
    credits = [item for item in layout.items() if getattr(item, "id", str)() == map_book.CREDITS]
    assert sorted(item.page() for item in credits) == list(range(1, pages + 1)), "each page has the credit"
    for label in labels:
        bounds, paper = label.sceneBoundingRect(), layout.pageCollection().page(label.page()).sceneBoundingRect()
        assert paper.adjusted(10, 10, -10, -10).contains(bounds)
        assert text_fitting.text_width(label.text(), compat.label_font(label)) <= label.rect().width()
        assert not any(item.page() == label.page() and item.sceneBoundingRect().intersects(bounds) for item in credits)
