"""Maps of many services: credits stay on the map's page while they are legible, and none is ever lost."""

from __future__ import annotations

import re
import subprocess
from html import unescape
from pathlib import Path

import pytest
from osgeo import gdal
from qgis.core import (
    QgsLayoutItem,
    QgsLayoutItemLabel,
    QgsLayoutItemMap,
    QgsLayoutPoint,
    QgsLayoutSize,
    QgsLegendStyle,
    QgsPrintLayout,
    QgsRasterLayer,
    QgsReadWriteContext,
    QgsVectorLayer,
)
from qgis.PyQt.QtGui import QColor, QImage

from plugin.core.custommap.model import LayerPlan, MapExtent, Orientation, PageSetup, Plan
from plugin.core.page_design.type_scale import PAPER_FACTORS, TextRole, least_size
from plugin.core.sources.layer_source import WmsSource
from plugin.gis.credits import map_credits
from plugin.gis.credits.layer_metadata import fill_metadata
from plugin.gis.export import layout_export
from plugin.gis.layouts import layout_items, template_loading, templates, text_fitting
from plugin.gis.legends.legend_graphics import FetchedLegends, legend_key
from plugin.gis.legends.legend_nodes import Swatch
from plugin.gis.pages import layout_builder, overflow_page
from plugin.gis.pages.completeness_checks import IncompleteMap, check_complete
from plugin.gis.runtime import compat
from tests.pairwise import some
from tests.qgis.print_maps import PARK, composed, entry_of, known_records, pdf_text, small_map, text_without_maps

SHEETS = [("guide", "A4", Orientation.LANDSCAPE, 4), ("sheet", "A4", Orientation.PORTRAIT, 6),
          ("multiples", "A4", Orientation.LANDSCAPE, 6), ("leaflet", "A3", Orientation.LANDSCAPE, 40),
          ("guide", "A1", Orientation.PORTRAIT, 30), ("guide", "A4", Orientation.PORTRAIT, 2)]


def credit(number):
    return (f"Consejería de Sostenibilidad y Medio Ambiente. Junta de Andalucía. Red de Información Ambiental, "
            f"Servicio {number}: Cartografía de los espacios naturales protegidos a escala 1:10.000, {2000 + number}")


def many(project, count, page, language="es", terms=("Uso libre siempre que se mencione a los autores",)):
    """A layout of so many services, each with a long credit of its own, and with one of the ``terms``."""
    project.clear()
    plans = tuple(
        LayerPlan(WmsSource(f"https://example.org/medioambiente/mapwms/REDIAM_servicio_numero_{number}_2014?", "n", "",
                  "image/png", "EPSG:25830"), f"Capa {number}", entry_index=number,
                  service_title=f"Servicio de cartografía ambiental {number}", rights=(credit(number), ),
                  licences=(terms[number % len(terms)], ), fees="Gratuito") for number in range(count))
    layers = []
    for plan in plans:
        layers.append(QgsVectorLayer("Point?crs=EPSG:25830", plan.title, "memory"))
        fill_metadata(layers[-1], plan)
        project.addMapLayer(layers[-1], False)
    plan = Plan("Mapa de muchos servicios", "EPSG:25830", plans, extent=PARK.box, page=page, language=language)
    layout = layout_builder.build_layout(project, plan, layers)
    layout.setCustomProperty("cartoguide/legend", "complete")
    return layout


def boxes(layout):
    """What can be seen on each page: (page, id) to its box on the layout."""
    headings = (layout_items.HEADING_PREFIX + name for name in ("credits", "terms", "sources", "further"))
    wanted = (layout_items.MAP, layout_items.LEGEND, layout_items.COLOPHON, *overflow_page.text_labels(layout),
              overflow_page.OVERFLOW_NOTE, *headings)
    found = [layout.itemById(item_id) for item_id in wanted]
    return [item.mapRectToScene(item.rect()).adjusted(0.1, 0.1, -0.1, -0.1) for item in found if item is not None]


@pytest.mark.parametrize(("name", "paper", "orientation", "count"), some(SHEETS, 2))
def test_no_credit_is_lost_cut_off_or_too_small_however_many_there_are(project, name, paper, orientation, count):
    layout = many(project, count, PageSetup(paper, orientation, name))
    check_complete(layout)
    texts = overflow_page.text_labels(layout)
    path = templates.BUNDLED_FOLDER / f"{name}-{paper}-{orientation.value}.qpt"
    template = template_loading.load_template(project, path)
    for item_id, label in texts.items():
        font = compat.label_font(label)
        least = least_size(TextRole.CREDITS, PAPER_FACTORS[paper])
        assert least - 0.01 <= font.pointSizeF() and least <= compat.label_font(template.itemById(item_id)).pointSizeF()
        assert not text_fitting.label_overflows(label), item_id
    said = texts[layout_items.CREDITS].currentText()
    assert all(credit(number) in said for number in range(count))
    own = 2 if name == "leaflet" else 1
    assert (layout.pageCollection().pageCount() > own) == (count > 2)
    placed = boxes(layout)
    assert [(one, two) for at, one in enumerate(placed) for two in placed[at + 1:] if one.intersects(two)] == []
    pages = [layout.pageCollection().page(page) for page in range(layout.pageCollection().pageCount())]
    assert all(any(page.mapRectToScene(page.rect()).contains(box) for page in pages) for box in placed)
    pointer = layout.itemById(overflow_page.OVERFLOW_NOTE)
    assert (pointer is None) == (count == 2)
    first = layout.itemById(overflow_page.FIRST_CREDITS)
    assert (first is None) == (texts[layout_items.CREDITS].page() < own), "none but on another page"
    if first is not None:
        lines = first.currentText().split("\n")
        assert said.split("\n")[:len(lines)] == lines and lines[0].startswith("Consejería")
        assert first.page() == own - 1 and not text_fitting.label_overflows(first)
        assert not any(first.sceneBoundingRect().adjusted(0.1, 0.1, -0.1, -0.1).intersects(box) for box in placed)
    if name in ("guide", "sheet") and count in (4, 6):
        assert texts[layout_items.CREDITS].page() == own - 1, "credits stay beside the map"
        moved = "".join(item_id[0] for item_id, label in texts.items() if label.page() >= own)
        names = {"ts": "Condiciones de uso y fuentes", "t": "Condiciones de uso", "s": "Fuentes"}
        assert pointer.text() == f"{names[moved]}: página {own + 1}", "it names what is there"


def test_different_terms_of_three_services_are_set_smaller_instead_of_on_a_further_page(project, tmp_path):
    terms = ("Uso libre siempre que se mencione a los autores", "No apto para la navegación", "Datos provisionales")
    layout = many(project, 3, PageSetup("A4", Orientation.PORTRAIT, "guide"), terms=terms)
    labels = overflow_page.text_labels(layout).values()
    assert layout.pageCollection().pageCount() == 1
    size, = {compat.label_font(label).pointSizeF() for label in labels}
    assert 6.5 <= size <= 7.0, "one size in all columns"
    assert not any(text_fitting.label_overflows(label) for label in labels)
    placed = boxes(layout)
    assert [(one, two) for at, one in enumerate(placed) for two in placed[at + 1:] if one.intersects(two)] == []
    text = text_without_maps(layout, tmp_path / "map.pdf")
    assert all(f"{words}. Gratuito." in text for words in terms)
    assert all(credit(number) in text for number in range(3))


@pytest.mark.parametrize("orientation", Orientation)
def test_only_the_texts_that_have_no_room_go_to_a_further_page(project, tmp_path, orientation):
    terms = tuple(f"{words}. La precisión no está garantizada para decisiones técnicas ni para la navegación, y los "
                  "datos son provisionales. Debe citarse la fuente en toda copia, en papel o en pantalla"
                  for words in ("Uso libre si se cita a los autores", "Uso no comercial", "Uso interno y docente"))
    count = 2 if orientation is Orientation.LANDSCAPE else 3
    layout = many(project, count, PageSetup("A4", orientation, "guide"), terms=terms)
    check_complete(layout)
    labels = overflow_page.text_labels(layout)
    assert [label.page() for label in labels.values()] == [0, 1, 0], "terms alone"
    assert layout.itemById(overflow_page.OVERFLOW_NOTE).text() == "Condiciones de uso: página 2"
    assert not any(text_fitting.label_overflows(label) for label in labels.values())
    assert all(compat.label_font(label).pointSizeF() >= 6.99 for label in labels.values())
    placed = boxes(layout)
    assert [(one, two) for at, one in enumerate(placed) for two in placed[at + 1:] if one.intersects(two)] == []
    text = text_without_maps(layout, tmp_path / "map.pdf")
    assert all(words in text for words in terms[:count]) and all(credit(number) in text for number in range(count))


def test_paragraphs_of_any_length_are_printed_whole_and_in_time(project, tmp_path):
    """QGIS 3.24 and later break a paragraph into lines in a time that grows with the cube of its length."""
    words = " ".join(f"palabra{number}" for number in range(150))
    rights = f"© Consejería de Medio Ambiente, {words}. {words.replace(' ', '. ')}"
    plan = LayerPlan(WmsSource("https://example.org/wms?", "n", "", "image/png", "EPSG:25830"), "Capa", entry_index=0,
                     service_title=f"Servicio {words}", rights=(rights,), licences=(f"Uso libre {words}",),
                     service_abstract=words, fees="Gratuito")
    layer = QgsVectorLayer("Point?crs=EPSG:25830", plan.title, "memory")
    fill_metadata(layer, plan)
    project.addMapLayer(layer, False)
    for template in ("guide", "sheet"):
        page = PageSetup("A4", Orientation.PORTRAIT, template)
        made = Plan(f"Mapa {words}", "EPSG:25830", (plan,), extent=PARK.box, page=page, language="es")
        layout = layout_builder.build_layout(project, made, [layer])
        labels = [item for item in layout.items() if isinstance(item, QgsLayoutItemLabel)]
        longest = {label.id(): max(map(len, label.currentText().split("\n"))) for label in labels}
        assert not any(text_fitting.label_overflows(label) for label in labels)
        assert max(longest.values()) <= 1320 and longest["credits"] > 900
        shown = " ".join(layout.itemById(layout_items.CREDITS).currentText().split())
        assert " ".join(rights.split()) in shown
        layout.setCustomProperty("cartoguide/legend", "complete")
        layout_export.export_pdf(layout, tmp_path / "map.pdf", 60)
        assert "palabra149" in pdf_text(tmp_path / "map.pdf")


def test_headings_of_a_further_page_are_of_one_size(project):
    layout = many(project, 6, PageSetup("A4", Orientation.LANDSCAPE, "guide"))
    headings = [layout.itemById(layout_items.HEADING_PREFIX + name) for name in ("terms", "sources")]
    assert all(heading.page() == 1 for heading in headings)
    assert len({round(compat.label_font(heading).pointSizeF(), 1) for heading in headings}) == 1


@pytest.mark.parametrize(("name", "paper", "orientation"), [
    ("guide", "A4", Orientation.PORTRAIT), ("sheet", "A4", Orientation.PORTRAIT),
    ("leaflet", "A3", Orientation.LANDSCAPE)])
def test_a_further_page_has_the_whole_title(project, tmp_path, name, paper, orientation):
    title = "Parque Natural de la Sierra de Cardeña y Montoro y Parque Natural de Despeñaperros, lluvia de junio"
    layout = many(project, 2, PageSetup(paper, orientation, name))
    layout.itemById(layout_items.TITLE).setText(title)
    largest = max((label for label in layout_items.items_of_type(layout, QgsLayoutItemLabel)
                   if label.id().startswith(layout_items.HEADING_PREFIX)),
                  key=lambda label: compat.label_font(label).pointSizeF())
    number, _area = overflow_page.begin_page(layout, largest, "es", overflow_page.TABLE_PAGE_HEADING)
    layout_export.export_pdf(layout, tmp_path / "map.pdf", 60)
    text = subprocess.run(["pdftotext", "-f", str(number + 1), "-layout", str(tmp_path / "map.pdf"), "-"],
                          capture_output=True, check=True, text=True).stdout
    assert title in " ".join(text.replace(f"Página {number + 1} de {number + 1}", "").split())


@pytest.mark.parametrize(("name", "orientation"), [("guide", Orientation.LANDSCAPE), ("guide", Orientation.PORTRAIT),
                                                   ("sheet", Orientation.PORTRAIT)])
def test_a_further_page_has_the_band_of_the_sheet_with_the_title_in_its_letters(project, tmp_path, name, orientation):
    layout = many(project, 6, PageSetup("A4", orientation, name, theme="park"))
    path = tmp_path / "map.pdf"
    layout_export.export_pdf(layout, path, 60)
    subprocess.run(["pdftoppm", "-r", "50", "-png", str(path), str(tmp_path / "page")], check=True)
    first, second = (QImage(str(tmp_path / f"page-{number}.png")) for number in (1, 2))
    x = first.width() - 3
    line = layout.itemById("band_accent")
    middle = line.pagePos().y() + line.rect().height() / 2
    band, accent = (first.pixelColor(x, int(y / 25.4 * 50)) for y in (1.5, middle))
    column = [second.pixelColor(x, y) for y in range(second.height())]
    assert column[0] == band and accent in column and column[-1] == QColor("white") not in (band, accent)
    assert 14 < column.index(accent) / 50 * 25.4 < 28
    words = [subprocess.run(["pdftotext", "-bbox", "-f", str(page), "-l", str(page), str(path), "-"], check=True,
                            capture_output=True, text=True).stdout for page in (1, 2)]
    title = layout_items.layout_title(layout).split()[0]
    heights = [next(float(lower) - float(upper) for upper, lower, word in re.findall(
        r'yMin="([\d.]+)" xMax="[\d.]+" yMax="([\d.]+)">(.*?)<', text) if unescape(word) == title) for text in words]
    assert heights[1] == pytest.approx(heights[0], rel=0.02)


def test_every_format_has_the_further_page(project, tmp_path):
    layout = many(project, 10, PageSetup("A4", Orientation.LANDSCAPE, "guide"), "en")
    count = layout.pageCollection().pageCount()
    assert count > 1
    for kind in ("pdf", "png", "svg", "geotiff"):
        suffix, folder = layout_export.EXPORT_FORMATS[kind].suffix, tmp_path / kind
        folder.mkdir()
        done = layout_export.export_layouts(layout, folder / f"mapa.{suffix}", kind, layout_export.ExportOptions(40))
        assert done.files[0].name == f"mapa.{suffix}"
        if kind == "pdf":
            text = pdf_text(done.files[0])
            assert all(credit(number) in text for number in range(10))
            assert "Credits, terms of use and sources: page 2" in text
            assert all(f"Page {page} of {count}" in text for page in range(2, count + 1)), "a page may lie alone"
            told = subprocess.run(["pdfinfo", str(done.files[0])], capture_output=True, check=True, text=True).stdout
            assert told.split("Pages:")[1].split()[0] == str(count)
            continue
        pages = sorted(path.name for path in folder.iterdir() if path.suffix == f".{suffix}")
        assert pages == ["mapa." + suffix, *(f"mapa_{page}.{suffix}" for page in range(2, count + 1))]
        left = {path.name for path in folder.iterdir()} - set(pages)
        assert left == ({"mapa.pgw"} if kind == "png" else set()), "nothing else is left behind"
    assert gdal.Open(str(folder / "mapa.tif")).GetProjection()
    assert not gdal.Open(str(folder / "mapa_2.tif")).GetProjection()


def with_legend(project, count, page):
    """A layout of one service whose layers have so many legend entries."""
    project.clear()
    image = QImage(70, 33, QImage.Format.Format_ARGB32)
    image.fill(QColor("#2d7d46"))
    plans = [LayerPlan(WmsSource("https://example.org/wms?", f"n{number}", "", "image/png", "EPSG:25830"),
                       f"Capa {number}",
                       service_title="Servicio de muchas capas", rights=("Consejería, 2014", )) for number in range(4)]
    layers, swatches = [], {}
    for number, plan in enumerate(plans):
        layers.append(QgsRasterLayer("type=xyz&url=http://127.0.0.1:9/%7Bz%7D/%7Bx%7D/%7By%7D.png", plan.title, "wms"))
        fill_metadata(layers[-1], plan)
        project.addMapLayer(layers[-1], False)
        swatches[legend_key(plan)] = tuple(Swatch(image, 7, 3.3, f"Entrada {number}.{entry} de la leyenda")
                                           for entry in range(count // len(plans)))
    plan = Plan("Mapa de mucha leyenda", "EPSG:25830", tuple(plans), extent=PARK.box, page=page, language="es")
    return layout_builder.build_layout(project, plan, layers, legends=FetchedLegends(swatches))


@pytest.mark.parametrize(("name", "orientation", "count"),
                         [("guide", Orientation.LANDSCAPE, 24), ("guide", Orientation.LANDSCAPE, 120),
                          ("sheet", Orientation.PORTRAIT, 120)])
def test_a_legend_too_long_for_its_place_continues_on_a_page_of_its_own_and_can_be_read(project, name, orientation,
                                                                                        count):
    layout = with_legend(project, count, PageSetup("A4", orientation, name))
    check_complete(layout)
    legend = layout.itemById(layout_items.LEGEND)
    notes = [note for note in layout_items.layout_notes(layout) if "egend" in note]
    pages = layout.pageCollection()
    if count == 24:
        assert legend.page() == 0 and pages.pageCount() == 1 and notes == []
        return
    parts = layout_items.legends(layout)
    assert [part.page() for part in parts] == list(range(pages.pageCount())) and len(parts) > 1
    assert notes == ["The legend is too long for its place and continues on page 2."]
    note = layout.itemById(overflow_page.LEGEND_NOTE)
    assert note.text() == "Leyenda (continuación): página 2" and note.page() == 0
    assert not text_fitting.label_overflows(note)
    titles = [item for item in layout.items() if isinstance(item, QgsLayoutItem)
              and item.id() in (overflow_page.LEGEND_PAGE_HEADING, overflow_page.LEGEND_NOTE)]
    assert len(titles) == len(parts)
    numbers = [item.currentText() for item in layout.items() if isinstance(item, QgsLayoutItemLabel)
               and item.id().startswith(overflow_page.PAGE_NUMBER_PREFIX)]
    assert sorted(numbers) == [f"Página {page} de {len(parts)}" for page in range(2, len(parts) + 1)]
    for part in parts:
        assert compat.legend_font(part, QgsLegendStyle.Style.SymbolLabel).pointSizeF() >= 6.99
        box, page = part.mapRectToScene(part.rect()), pages.page(part.page())
        assert page.mapRectToScene(page.rect()).contains(box)
        assert not any(box.intersects(title.sceneBoundingRect()) for title in titles)


def test_a_template_of_the_persons_own_is_not_changed_but_refused_with_what_to_do(project, tmp_path):
    own = QgsPrintLayout(project)
    own.initializeDefaults()
    for kind, item_id, size in ((QgsLayoutItemMap, "map", (150, 100)), (QgsLayoutItemLabel, "credits", (60, 8))):
        item = kind(own)
        item.setId(item_id)
        own.addLayoutItem(item)
        item.attemptResize(QgsLayoutSize(*size))
        item.attemptMove(QgsLayoutPoint(10, 10 if item_id == "map" else 198))
    path = tmp_path / "propia.qpt"
    own.saveAsTemplate(str(path), QgsReadWriteContext())
    layout = many(project, 6, PageSetup(template=str(path)))
    assert layout.pageCollection().pageCount() == 1
    with pytest.raises(IncompleteMap) as refused:
        check_complete(layout)
    assert "Make the item “credits” larger" in refused.value.user_text and "extra page" in refused.value.user_text
    assert Path(path).is_file()


@pytest.mark.parametrize(("name", "orientation"), some([(name, orientation) for name, orientations in (
    ("guide", Orientation), ("field", Orientation), ("multiples", [Orientation.LANDSCAPE])
) for orientation in orientations], 3))
def test_headings_and_texts_that_stand_side_by_side_are_of_one_size(project, name, orientation):
    for count in (1, 2, 3):
        layout = many(project, count, PageSetup("A4", orientation, name))
        sizes = {}
        for label in (item for item in layout.items() if isinstance(item, QgsLayoutItemLabel) and item.isVisible()):
            role = text_fitting.role_of(label.id())
            if role in (TextRole.HEADING, TextRole.CREDITS) and label.text() and label.page() == 0:
                sizes.setdefault(role, set()).add(round(compat.label_font(label).pointSizeF(), 1))
        assert [len(found) for found in sizes.values()] == [1, 1], (count, sizes)


def test_the_sources_of_small_multiples_of_three_services_are_on_their_sheet(network, project):
    rain = entry_of(known_records(network)[network.endpoints["precipitation"]],
                    [f"precipitacion_2016060{day}" for day in range(1, 4)])
    overlay = small_map(network).overlays[0]
    made = composed(network, project, overlays=(rain, overlay), extent=MapExtent(-7.5, 36.0, -1.66, 38.73),
                    page=PageSetup("A4", Orientation.LANDSCAPE, "multiples"))
    assert len(map_credits.visible_services(made.plan)) == 3
    labels = overflow_page.text_labels(made.layout).values()
    assert [label.page() for label in labels] == [0, 0, 0]
    assert not any(text_fitting.label_overflows(label) for label in labels)
