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
from qgis.PyQt.QtCore import QRectF
from qgis.PyQt.QtGui import QColor, QImage

from plugin.core.custommap.model import Orientation, PageSetup
from plugin.core.page_design.print_boxes import BLEED, PRINT_MARGIN
from plugin.core.pages.leaflet import LeafletPhoto, LeafletTexts, TableSource
from plugin.core.terms.model import Decision
from plugin.gis.credits.layer_metadata import set_credit
from plugin.gis.export import layout_export
from plugin.gis.layouts import layout_items, text_fitting
from plugin.gis.layouts.locator_map import empty_layer
from plugin.gis.own_layers.references import refer_to
from plugin.gis.pages import print_marks
from plugin.gis.pages.completeness_checks import check_complete
from plugin.gis.pages.logos import embedded_logo
from plugin.gis.pages.page_measurement import PageMeasurement
from plugin.gis.runtime import compat
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


def outside_image(layout, folder):
    """The outside as it is written, with the map of the cover, if it has one, in red."""
    cover = layout.itemById("cover")
    if cover is not None:
        cover.setLayers([empty_layer(layout.project())])
        cover.setBackgroundColor(QColor("red"))
    settings = QgsLayoutExporter.PdfExportSettings()
    settings.dpi = 72
    settings.textRenderFormat = Qgis.TextRenderFormat.AlwaysText
    QgsLayoutExporter(layout).exportToPdf(str(folder / "outside.pdf"), settings)
    subprocess.run(["pdftoppm", "-r", "60", "-f", "2", "-png", "-singlefile", str(folder / "outside.pdf"),
                    str(folder / "outside")], check=True)
    return QImage(str(folder / "outside.png"))


def words_of(path, page):
    """Words of a page with their left and upper ends in millimetres."""
    listed = subprocess.run(["pdftotext", "-bbox", "-f", str(page), "-l", str(page), str(path), "-"],
                            capture_output=True, check=True).stdout.decode()
    return [(word, float(left) * MM, float(top) * MM) for left, top, word in re.findall(
        r'xMin="([0-9.]+)" yMin="([0-9.]+)".*?>(.*?)</word>', listed)]


@pytest.mark.parametrize("has_photo", [False, True])
def test_the_cover_alone_has_a_picture_which_reaches_its_edges(network, project, tmp_path, has_photo):
    photo = QImage(600, 400, QImage.Format.Format_RGB32)
    photo.fill(QColor("#8090ff"))
    photo.save(str(tmp_path / "photo.png"))
    texts = replace(USUAL, photos=(
        LeafletPhoto(str(tmp_path / "photo.png"), "Un prado", "© Ana Pérez"),) if has_photo else ())
    layout = composed(network, project, language="es", facilities=MIRADORES,
                      page=leaflet_page(network, texts, MIRADORES)).layout
    image = outside_image(layout, tmp_path)
    wanted = QColor("#8090ff" if has_photo else "red")
    ink = {(x, y) for x in range(image.width()) for y in range(0, image.height(), 3)
           if all(abs(one - two) < 12 for one, two in zip(image.pixelColor(x, y).getRgb(), wanted.getRgb()))}
    fold, top = 0.75 * image.width(), min(y for _, y in ink)
    assert min(x for x, _ in ink) == pytest.approx(fold, abs=1.5), "none on the panels beside the cover"
    assert max(x for x, _ in ink) >= image.width() - 2 and max(y for _, y in ink) >= image.height() - 4
    assert len(ink) > 0.97 * (image.width() - fold) * (image.height() - top) / 3, "one picture without a seam"
    words = words_of(tmp_path / "outside.pdf", 2)
    left = {word: x for word, x, _ in words if x > 315}
    assert ("©" in left) is has_photo
    assert not has_photo or left["©"] == pytest.approx(left["Despeñaperros"], abs=1.0), "both begin alike"
    assert {"Consejería", "Andalucía"} <= set(left), "whose map it is"


def test_the_texts_of_the_back_follow_each_other(network, project, tmp_path):
    table = (*MIRADORES, "Áreas_recreativas", "refugios")
    layout = composed(network, project, language="es", facilities=table,
                      page=leaflet_page(network, USUAL, table)).layout
    outside_image(layout, tmp_path)
    tops = {word: y for word, x, y in words_of(tmp_path / "outside.pdf", 2) if x < 105}
    assert tops["Horario"] - tops["Salida"] < 20 and tops["Emergencias"] - tops["Julio"] < 20


def test_legend_and_table_of_a_leaflet_lead_to_each_other(network, project, tmp_path):
    layout = composed(network, project, language="es", page=leaflet_page(network, USUAL)).layout
    layout_export.export_pdf(layout, tmp_path / "leaflet.pdf", 60)
    inside, outside = (" ".join(word for word, _, _ in words_of(tmp_path / "leaflet.pdf", page)) for page in (1, 2))
    numbers = [item.text() for item in layout_items.items_of_type(layout, QgsLayoutItemLabel)
               if item.id().startswith(layout_items.TABLE_NUMBER_PREFIX)]
    assert f"1–{max(map(int, numbers))}: véase la tabla al dorso" in inside
    assert "Los números son los del mapa." in outside


def test_the_longest_word_of_a_covers_title_is_whole(network, project, tmp_path):
    logo = QImage(60, 20, QImage.Format.Format_RGB32)
    logo.fill(QColor("red"))
    logo.save(str(tmp_path / "logo.png"))
    page = replace(leaflet_page(network), logos=(embedded_logo(tmp_path / "logo.png"),))
    layout = composed(network, project, page=page, title="Despeñaperros Natural Park").layout
    path = tmp_path / "outside.pdf"
    layout_export.export_pdf(layout, path, 60)
    subprocess.run(["pdftoppm", "-r", "60", "-f", "2", "-png", "-singlefile", str(path), str(path.with_suffix(""))],
                   check=True)
    title = layout.itemById("title")
    image = QImage(str(tmp_path / "outside.png"))
    pixels = 60 / 25.4
    rows = range(round(title.pagePos().y() * pixels), round((title.pagePos().y() + title.rect().height() - 5) * pixels))
    white = [x for x in range(round(316 * pixels), image.width()) for y in rows
             if image.pixelColor(x, y).lightness() > 200]
    width = text_fitting.text_width("Despeñaperros", compat.label_font(title))
    # its letters are a little narrower than its advance
    assert (max(white) - min(white)) / pixels > 0.95 * width


@pytest.mark.slow
@pytest.mark.parametrize(("texts", "table"), FILLED if ALL else [(SHORT, CENTRE), (USUAL, MIRADORES), (MUCH, CENTRE)])
def test_each_panel_of_the_outside_is_in_use_from_its_head_to_its_foot(network, project, texts, table):
    layout = composed(network, project, language="es", page=leaflet_page(network, texts, table)).layout
    image = QgsLayoutExporter(layout).renderPageToImage(1, dpi=30)
    panel = image.width() // 4
    for number in range(4):
        columns = range(number * panel + 4, (number + 1) * panel - 4, 2)
        used = [y for y in range(4, image.height() - 4)
                if any(image.pixelColor(x, y).lightness() < 250 for x in columns)]
        assert used[0] < 0.06 * image.height() and used[-1] > 0.93 * image.height(), number


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


@pytest.mark.slow
@pytest.mark.parametrize("rotation", [0.0, 20.0])
def test_nothing_lies_on_the_covers_map_whose_names_it_would_cut(network, project, rotation):
    layout = composed(network, project, language="es", page=leaflet_page(
        network, rotation=rotation)).layout
    cover = layout.itemById("cover")
    inside = cover.rect().translated(cover.pagePos()).adjusted(0.4, 0.4, -0.4, -0.4)
    others = [item.id() for item in layout_items.items_of_type(layout, QgsLayoutItem)
              if item.page() == 1 and item.isVisible() and not isinstance(item, QgsLayoutItemPage)
              and item is not cover and not item.id().startswith(layout_items.FOLD_PREFIX)
              and item.rect().translated(item.pagePos()).intersects(inside)]
    assert others == []
    assert cover.scale() == pytest.approx(layout_items.main_map(layout).scale(), rel=1e-3)


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
