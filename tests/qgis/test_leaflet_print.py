"""A leaflet for the print shop: bleed, crop marks and the boxes of the PDF; without bleed the page is the paper."""

from __future__ import annotations

import re
import subprocess
from dataclasses import replace

import pytest
from pypdf import PdfReader
from qgis.core import (
    Qgis,
    QgsFeature,
    QgsGeometry,
    QgsLayoutExporter,
    QgsLayoutItem,
    QgsLayoutItemLabel,
    QgsLayoutItemPage,
    QgsPointXY,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QPointF, QRectF
from qgis.PyQt.QtGui import QColor, QImage

from plugin.core.custommap.model import Orientation, PageSetup
from plugin.core.page_design.print_boxes import BLEED, PRINT_MARGIN
from plugin.core.pages.leaflet import LeafletPhoto, LeafletTexts, TableSource
from plugin.core.terms.model import Decision
from plugin.gis.credits.layer_metadata import set_credit
from plugin.gis.export import layout_export
from plugin.gis.layouts import layout_items
from plugin.gis.layouts.locator_map import empty_layer
from plugin.gis.own_layers.references import refer_to
from plugin.gis.pages import print_marks
from plugin.gis.pages.completeness_checks import check_complete
from plugin.gis.pages.page_measurement import PageMeasurement
from tests.pairwise import ALL
from tests.qgis.print_maps import composed, entry_of, known_records, leaflet_page, pdf_text, small_map

A3 = (420.0, 297.0)
MM = 25.4 / 72


def made(network, project, bleed, template="leaflet"):
    page = PageSetup("A3", Orientation.LANDSCAPE, template, leaflet=LeafletTexts(
        "Un parque.", emergency_numbers="112", bleed=bleed,
        table=(TableSource(network.endpoints["facilities"], "miradores"),)))
    return composed(network, project, page=page, language="es").layout


def boxes(page):
    """MediaBox, TrimBox and BleedBox in millimetres from the upper left corner of the page."""
    media = [float(value) * MM for value in page.mediabox]
    found = []
    for name in ("/MediaBox", "/TrimBox", "/BleedBox"):
        left, bottom, right, top = (float(value) * MM for value in page[name])
        found.append((left - media[0], media[3] - top, right - left, top - bottom))
    return found


def check_edges(layout):
    """What touches the edge reaches the bleed, and nothing that is read does."""
    trim = QRectF(PRINT_MARGIN, PRINT_MARGIN, *A3)
    for item in layout_items.items_of_type(layout, QgsLayoutItemLabel):
        if item.currentText().strip():
            assert trim.adjusted(4, 4, -4, -4).contains(item.rect().translated(item.pagePos())), item.id()
    band, cover = (item.rect().translated(item.pagePos()) for item in map(layout.itemById, ("band", "cover")))
    assert band.top() == pytest.approx(trim.top() - BLEED) and band.left() == pytest.approx(trim.left() + 315)
    assert band.right() == cover.right() == pytest.approx(trim.right() + BLEED)
    page = layout.pageCollection().page(1)
    corner = page.mapRectToScene(QRectF(trim.right() + 0.5, trim.top() - 2.5, 2, 2))
    image = QgsLayoutExporter(layout).renderRegionToImage(corner, dpi=100)
    assert image.pixelColor(image.width() // 2, image.height() // 2).name() == "#24513b", "green beyond the corner"


def check_marks(layout):
    """Marks lie outside the bleed on every page."""
    bleed = QRectF(PRINT_MARGIN - BLEED, PRINT_MARGIN - BLEED, A3[0] + 2 * BLEED, A3[1] + 2 * BLEED)
    for number in (0, 1):
        marks = [item for item in layout_items.items_of_type(layout, QgsLayoutItem) if item.page() == number
                 and item.id().startswith((print_marks.MARK_PREFIX, layout_items.FOLD_PREFIX))]
        assert len(marks) == 8 + 6
        for item in marks:
            bounds = item.rect().translated(item.pagePos())
            assert not bounds.intersects(bleed), item.id()
            assert QRectF(0, 0, A3[0] + 20, A3[1] + 20).contains(bounds)
        assert layout_items.vertical_folds(layout, number) == [115.0, 220.0, 325.0]


@pytest.mark.slow
def test_bleed_and_trim_are_where_the_print_shop_reads_them(network, project, tmp_path):
    layout = made(network, project, True)
    check_complete(layout)
    check_edges(layout)
    check_marks(layout)
    path = tmp_path / "leaflet.pdf"
    layout_export.export_pdf(layout, path, 60)
    pages = PdfReader(str(path)).pages
    assert len(pages) == 2
    for page in pages:
        media, trim, bleed = boxes(page)
        assert media[2:] == pytest.approx((A3[0] + 2 * PRINT_MARGIN, A3[1] + 2 * PRINT_MARGIN), abs=0.2)
        assert trim == pytest.approx((PRINT_MARGIN, PRINT_MARGIN, *A3), abs=0.01)
        edge = PRINT_MARGIN - BLEED
        assert bleed == pytest.approx((edge, edge, A3[0] + 2 * BLEED, A3[1] + 2 * BLEED), abs=0.01)


@pytest.mark.parametrize("bleed", [False, True])
def test_the_table_lists_what_is_whole_on_the_paper_once_it_is_cut(network, project, tmp_path, bleed):
    """Names say how many millimetres inside of the cut, or of the map's edge at the legend, they lie."""
    at, scale = (-3.51, 38.38), 40_000.0
    item = layout_items.main_map(composed(network, project, extent=None, centre=at, scale=scale, page=leaflet_page(
        network, LeafletTexts(bleed=True))).layout)
    places = QgsVectorLayer(f"Point?crs={item.crs().authid()}&field=nombre:string", "Sitios", "memory")
    units = item.extent().height() / item.rect().height()
    spots = {f"Sitio a {inside} mm": QgsPointXY(item.extent().center().x() + 200 * inside,
                                                item.extent().yMinimum() + (BLEED + inside) * units)
             for inside in (-2, -1, 1, 10)}
    spots["Sitio a 2 mm"] = QgsPointXY(item.extent().xMaximum() - 2 * units, item.extent().center().y())
    for name, spot in spots.items():
        feature = QgsFeature(places.fields())
        feature.setAttributes([name])
        feature.setGeometry(QgsGeometry.fromPointXY(spot))
        places.dataProvider().addFeatures([feature])
    places.setDisplayExpression('"nombre"')
    set_credit(places, "Ana Pérez, 2025", Decision.YES)
    project.addMapLayer(places)
    own = refer_to(places)
    page = PageSetup("A3", Orientation.LANDSCAPE, "leaflet", leaflet=LeafletTexts(
        "Un parque.", bleed=bleed, table=(TableSource(own_layer=own.id),)))
    layout = composed(network, project, extent=None, centre=at, scale=scale, page=page, language="es",
                      own_layers=(own,)).layout
    path = tmp_path / "leaflet.pdf"
    layout_export.export_pdf(layout, path, 60)
    assert re.findall(r"Sitio a \S+ mm", pdf_text(path)) == ["Sitio a 10 mm"]


def test_a_legend_that_leaves_its_panel_free_has_larger_letters_and_still_a_larger_heading(network, project, tmp_path):
    layout = composed(network, project, language="es", facilities=("miradores", "refugios"), page=leaflet_page(
        network)).layout
    layout_export.export_pdf(layout, tmp_path / "leaflet.pdf", 60)
    listed = subprocess.run(["pdftotext", "-bbox", "-l", "1", str(tmp_path / "leaflet.pdf"), "-"], capture_output=True,
                            check=True).stdout.decode()
    heights = {word: float(bottom) - float(top) for top, bottom, word in re.findall(
        r'yMin="([0-9.]+)" xMax="[0-9.]+" yMax="([0-9.]+)">(Leyenda|Equipamientos|Refugios|Sistema)<', listed)}
    assert heights["Refugios"] > 1.2 * heights["Sistema"]
    assert heights["Leyenda"] > 1.05 * heights["Equipamientos"]


LONG = "Un desfiladero de cuarcita en la puerta de Andalucía: buitres leonados sobre Los Órganos. " * 12
HOURS = "De jueves a domingo, de 10 a 14 h.\nJulio y agosto: de 9 a 13 h."


SHORT, USUAL, MUCH = (LeafletTexts("Un parque.", emergency_numbers="112"),
                      LeafletTexts(LONG[:270], "Salida 257.", HOURS, "Emergencias: 112"),
                      LeafletTexts(LONG, LONG[:400], HOURS, "Emergencias: 112"))
MIRADORES, CENTRE = ("miradores",), ("centros_visitantes",)
FILLED = [(texts, table) for texts in (SHORT, USUAL, MUCH) for table in (CENTRE, MIRADORES)]


def check_grounds(layout, folder):
    """No line of the cover's map shows at the edges of panels that are white there."""
    for cover in filter(None, map(layout.itemById, ("cover", "cover:beside", "cover:beside1", "cover:beside2"))):
        cover.setLayers([empty_layer(layout.project())])
        cover.setBackgroundColor(QColor("red"))
    settings = QgsLayoutExporter.PdfExportSettings()
    settings.dpi = 72
    QgsLayoutExporter(layout).exportToPdf(str(folder / "outside.pdf"), settings)
    subprocess.run(["pdftoppm", "-r", "110", "-f", "2", "-png", "-singlefile", str(folder / "outside.pdf"),
                    str(folder / "outside")], check=True)
    image = QImage(str(folder / "outside.png"))
    last = image.height() - 1

    def is_red(x, y):
        return image.pixelColor(round(x), y).red() - image.pixelColor(round(x), y).green() > 8

    for edge in (image.width() / 4, image.width() / 2):
        lines = [y for y in range(last) if not is_red(edge - 3, y) and not is_red(edge + 3, y)
                 and any(is_red(edge + beside, y) for beside in (-1, 0, 1))]
        assert lines == [], edge
    # the folds are marked at the ends
    assert not [x for x in range(image.width()) if is_red(x, last) and not is_red(x, last - 3)
                and 2 < x % (image.width() / 4) < image.width() / 4 - 2]


@pytest.mark.parametrize(("table", "has_photo"), [
    (MIRADORES, False), ((*MIRADORES, "Áreas_recreativas", "refugios"), True)])
def test_beside_a_table_the_map_outside_is_one_strip_below_the_panels_and_on_the_cover(network, project, tmp_path,
                                                                                       table, has_photo):
    photo = QImage(600, 400, QImage.Format.Format_RGB32)
    photo.fill(QColor("#8090a0"))
    photo.save(str(tmp_path / "photo.png"))
    texts = replace(USUAL, photos=(
        LeafletPhoto(str(tmp_path / "photo.png"), "Un prado", "© Ana Pérez"),) if has_photo else ())
    layout = composed(network, project, language="es", facilities=table,
                      page=leaflet_page(network, texts, table)).layout
    for cover in filter(None, map(layout.itemById, ("cover", "cover:beside", "cover:beside1", "cover:beside2"))):
        cover.setLayers([empty_layer(project)])
        cover.setBackgroundColor(QColor("red"))
    path = tmp_path / "outside.pdf"
    settings = QgsLayoutExporter.PdfExportSettings()
    settings.dpi = 72
    settings.textRenderFormat = Qgis.TextRenderFormat.AlwaysText
    QgsLayoutExporter(layout).exportToPdf(str(path), settings)
    subprocess.run(["pdftoppm", "-r", "60", "-f", "2", "-png", "-singlefile", str(path), str(tmp_path / "outside")],
                   check=True)
    image = QImage(str(tmp_path / "outside.png"))
    columns = [round((number + 0.45) * image.width() / 4) for number in (1, 2, 3)]
    colours = [[image.pixelColor(x, y) for y in range(image.height())] for x in columns]
    runs = [[y for y, colour in enumerate(column) if colour.red() - colour.green() > 120] for column in colours]
    assert max(run[0] for run in runs) - min(run[0] for run in runs) <= 1, [run[0] for run in runs]
    assert all(len(run) >= image.height() - run[0] - 12 and run[0] > 0.3 * image.height() for run in runs), (
        "nothing lies on it but the ticks of folds")
    words = subprocess.run(["pdftotext", "-bbox", "-f", "2", str(path), "-"], capture_output=True, check=True).stdout
    left = {word: float(x) for x, word in re.findall(r'xMin="([0-9.]+)".*?>(Despeñaperros|©)<', words.decode())}
    assert not has_photo or left["©"] == pytest.approx(left["Despeñaperros"], abs=2.5), "both begin alike"


@pytest.mark.slow
@pytest.mark.parametrize(("texts", "table"), FILLED if ALL else [(SHORT, CENTRE), (USUAL, MIRADORES), (MUCH, CENTRE)])
def test_no_panel_of_the_outside_is_left_white(network, project, tmp_path, texts, table):
    layout = composed(network, project, language="es", page=leaflet_page(network, texts, table)).layout
    image = QgsLayoutExporter(layout).renderPageToImage(1, dpi=30)
    panel = image.width() // 4
    for number in range(4):
        columns = range(number * panel + 4, (number + 1) * panel - 4, 2)
        rows = "".join(" " if all(image.pixelColor(x, y).lightness() > 250 for x in columns) else "x"
                       for y in range(image.height()))
        longest = max(len(blank) for blank in rows.strip().split("x"))
        assert longest < 0.2 * image.height(), f"panel {number} is white over {longest} of {image.height()} pixels"
    check_grounds(layout, tmp_path)


def test_the_addresses_of_three_services_have_the_width_of_their_panel_beside_a_code(network, project, tmp_path):
    rain = entry_of(known_records(network)[network.endpoints["precipitation"]], ["precipitacion_20160604"])
    places = small_map(network).overlays
    layout = composed(network, project, language="es", overlays=(*places, rain), page=leaflet_page(
        network, USUAL, link="https://catalogo.example/geonetwork/srv/spa/catalog.search#/metadata/0a1b2c3d")).layout
    path = tmp_path / "leaflet.pdf"
    layout_export.export_pdf(layout, path, 60)
    code = layout.itemById("qr_code")
    listed = subprocess.run(["pdftotext", "-bbox", "-f", "2", str(path), "-"], capture_output=True, check=True).stdout
    words = [(float(right) * MM, float(bottom) * MM, word) for right, bottom, word in re.findall(
        r'xMax="([0-9.]+)" yMax="([0-9.]+)">(.*?)<', listed.decode()) if float(right) * MM < 105]
    top, left = code.pagePos().y(), code.pagePos().x()
    beside = [word for right, bottom, word in words if right > left and top < bottom < top + code.rect().height()]
    assert beside == [], "nothing lies on the code"
    addresses = [right for right, _, word in words if word.startswith("http")]
    assert len(addresses) == 3 and min(addresses) > left, "each goes on below the code, to the width of the panel"


def test_no_text_or_table_lies_on_the_maps_outside_where_it_would_cut_their_names(network, project):
    layout = composed(network, project, language="es", page=leaflet_page(network, USUAL)).layout
    outside = [item for item in layout_items.items_of_type(layout, QgsLayoutItem)
               if item.page() == 1 and item.isVisible() and not isinstance(item, QgsLayoutItemPage)
               and not item.id().startswith(layout_items.FOLD_PREFIX)]
    maps = [item for item in outside if item.id().startswith("cover")]
    assert len(maps) > 1
    for item in maps:
        place = item.rect().translated(item.pagePos()).adjusted(0.4, 0.4, -0.4, -0.4)
        assert [other.id() for other in outside if other is not item and not other.id().startswith("band")
                and other.rect().translated(other.pagePos()).intersects(place)] == [], item.id()
    corners = [item.layoutToMapCoordsTransform().map(item.mapToScene(QPointF(-item.pagePos().x(), -item.pagePos().y())))
               for item in maps]
    assert all((one.x(), one.y()) == pytest.approx((corners[0].x(), corners[0].y()), abs=3.0) for one in corners), (
        "one goes on where the other ends")


@pytest.mark.slow
@pytest.mark.parametrize("rotation", [0.0, 20.0])
def test_nothing_lies_on_the_outside_maps_whose_names_it_would_cut(network, project, rotation):
    layout = composed(network, project, language="es", page=leaflet_page(
        network, rotation=rotation)).layout
    cover, beside = map(layout.itemById, ("cover", "cover:beside"))
    places = [item.rect().translated(item.pagePos()) for item in (cover, beside)]
    others = [item for item in layout_items.items_of_type(layout, QgsLayoutItem)
              if item.page() == 1 and item.isVisible() and not isinstance(item, QgsLayoutItemPage)
              and item not in (cover, beside) and not item.id().startswith(layout_items.FOLD_PREFIX)]
    for place in places:
        inside = place.adjusted(0.4, 0.4, -0.4, -0.4)
        assert [item.id() for item in others if item.rect().translated(item.pagePos()).intersects(inside)] == []
    assert places[1].height() > 290 and 0 <= places[1].right() - places[0].left() < 0.4
    # one goes on where the other ends, at the scale of the map inside
    at_fold = [item.layoutToMapCoordsTransform().map(item.mapToScene(QPointF(
        places[0].left() - place.left(), 250 - place.top()))) for item, place in zip((cover, beside), places)]
    assert (at_fold[0].x(), at_fold[0].y()) == pytest.approx((at_fold[1].x(), at_fold[1].y()), abs=2.0)
    assert cover.scale() == pytest.approx(beside.scale(), rel=1e-3)
    assert beside.scale() == pytest.approx(layout_items.main_map(layout).scale(), rel=1e-3)
    assert beside.layers() == cover.layers()
    for item in (cover, beside):
        item.setLayers([empty_layer(layout.project())])
        item.setBackgroundColor(QColor("red"))
    image = QgsLayoutExporter(layout).renderPageToImage(1, dpi=60)
    fold = round(places[0].left() / 25.4 * 60)
    paper = [y for y in range(image.height() - 12) if any(
        image.pixelColor(x, y).lightness() > 200 for x in range(fold - 3, fold + 3))]
    assert paper == [], "no line of paper at the fold"


def test_without_bleed_the_page_is_the_paper(network, project, tmp_path):
    layout = made(network, project, False)
    page = layout.pageCollection().page(0)
    assert isinstance(page, QgsLayoutItemPage) and (page.rect().width(), page.rect().height()) == A3
    assert not any(item.id().startswith(print_marks.MARK_PREFIX)
                   for item in layout_items.items_of_type(layout, QgsLayoutItem))
    path = tmp_path / "leaflet.pdf"
    layout_export.export_pdf(layout, path, 60)
    assert not any("/TrimBox" in page or "/BleedBox" in page for page in PdfReader(str(path)).pages)
    other = made(network, project, True, "guide")
    assert other.pageCollection().page(0).rect().width() == A3[0], "only a leaflet has bleed"


@pytest.mark.parametrize("bleed", [False, True])
def test_the_frame_on_the_canvas_is_the_map_that_is_printed(network, project, bleed):
    made_map = composed(network, project, language="es", page=leaflet_page(
        network, LeafletTexts(bleed=bleed)))
    item = layout_items.main_map(made_map.layout)
    extent, scale, _turn = PageMeasurement(project).placed(made_map.plan)
    assert scale == pytest.approx(item.scale(), rel=1e-3)
    assert (extent.width(), extent.height()) == pytest.approx((item.extent().width(), item.extent().height()))
