"""Legends longer than the place beside the map: the written page has each class once, and no column is empty."""

from __future__ import annotations

import itertools
import re
import subprocess
from html import unescape
from typing import NamedTuple

import numpy
import pytest
from qgis.core import QgsCategorizedSymbolRenderer, QgsFillSymbol, QgsRendererCategory, QgsVectorLayer
from qgis.PyQt.QtCore import QRect, QRectF, Qt
from qgis.PyQt.QtGui import QColor, QFont, QImage, QPainter

from plugin.core.custommap.model import LayerPlan, Orientation, PageSetup, Plan
from plugin.core.sources.layer_source import WmsSource
from plugin.gis.credits.layer_metadata import fill_metadata, set_credit
from plugin.gis.export import layout_export
from plugin.gis.layouts import layout_items, templates
from plugin.gis.legends.graphic_cutting import row_cuts
from plugin.gis.legends.legend_graphics import FetchedLegends, legend_key
from plugin.gis.legends.legend_nodes import Swatch
from plugin.gis.own_layers.references import refer_to
from plugin.gis.pages import layout_builder
from plugin.gis.pages.completeness_checks import IncompleteMap
from tests.pairwise import ALL, pairwise
from tests.qgis.print_maps import PARK, pixels, text_without_maps

WORDS = ("Encinar denso", "Pinar de repoblación", "Matorral mediterráneo", "Cultivo de regadío", "Roquedo",
         "Dehesa abierta con arbolado disperso y pastizal", "Ribera")


def label(layer, number):
    """A label that no other class has, of two to eight words."""
    return f"{layer}{number:03d}z {WORDS[number % len(WORDS)]}"


def row_colour(number):
    """The colour of a row of a picture, another one for each."""
    return QColor(40 + 11 * (number % 16), 40 + 11 * (number // 16), 200)


def row_picture(height, row=20, width=180, framed=False):
    """A picture of a legend whose symbols and labels stand at uneven places, so that it cannot be cut into classes.

    Each row has a symbol of its own colour, 20 pixels wide and 15 high.
    """
    image = QImage(width, height, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    font = QFont("Open Sans")
    font.setPixelSize(11)
    painter.setFont(font)
    for number in range(height // row):
        top = number * row + 3
        painter.fillRect(8 + 7 * (number % 3), top, 20, 15, row_colour(number))
        # two lines in one row of every five
        text = "Clase\ny más" if number % 5 == 0 and row >= 30 else f"Clase {number}"
        painter.drawText(QRect(60 - 5 * (number % 4), top, width, row - 4), 0, text)
    if framed:
        painter.drawRect(0, 0, width - 1, height - 1)
    painter.end()
    return image


def code(layer, number):
    return f"{layer}{number:03d}z"


def long_legend(project, page, services=(), own=0, pictures=(), language="es", credit="Consejería, 2014", singles=0,
                label=label):
    """A layout with these services, each a tuple of the numbers of classes of its layers, an own layer of so many
    classes, services with these pictures as their legends, and so many own layers of one symbol (``singles``)."""
    project.clear()
    plans, layers, swatches = [], [], {}

    def add(name, title, service, found):
        plans.append(LayerPlan(WmsSource(f"https://example.org/{service}?", name, "", "image/png", "EPSG:25830"), title,
                               entry_index=service, service_title=f"Servicio {service}",
                               rights=(credit.format(service),)))
        layers.append(QgsVectorLayer("Point?crs=EPSG:25830", title, "memory"))
        fill_metadata(layers[-1], plans[-1])
        project.addMapLayer(layers[-1], False)
        swatches[legend_key(plans[-1])] = found

    for service, counts in enumerate(services):
        for number, count in enumerate(counts):
            name = f"s{service}l{number}c"
            found = []
            for at in range(count):
                image = QImage(70, 33, QImage.Format.Format_ARGB32)
                image.fill(QColor.fromHsv(at * 37 % 360, 160, 200))
                found.append(Swatch(image, 7, 3.3, label(name, at), is_area=True))
            add(name, f"Capa {service}.{number}", service, tuple(found))
    for at, image in enumerate(pictures, len(services)):
        add("whole", f"Lámina {at}", at, (Swatch(image, image.width() / 170 * 25.4, image.height() / 170 * 25.4,
                                                 is_whole_graphic=True),))
    own_layers = ()
    if own:
        layer = QgsVectorLayer("Polygon?crs=EPSG:25830&field=kind:int", "Usos del suelo", "memory")
        layer.setRenderer(QgsCategorizedSymbolRenderer("kind", [
            QgsRendererCategory(at, QgsFillSymbol.createSimple(
                {"color": QColor.fromHsv(at * 37 % 360, 200, 200).name()}), label("own", at)) for at in range(own)]))
        set_credit(layer, "Ana Pérez, 2024")
        project.addMapLayer(layer)
        own_layers = (refer_to(layer),)
    for at in range(singles):
        layer = QgsVectorLayer("Polygon?crs=EPSG:25830", label("single", at), "memory")
        set_credit(layer, "Ana Pérez, 2024")
        project.addMapLayer(layer)
        own_layers += (refer_to(layer),)
    plan = Plan("Mapa de mucha leyenda", "EPSG:25830", tuple(plans), extent=PARK.box, page=page, language=language,
                own_layers=own_layers)
    return layout_builder.build_layout(project, plan, layers, legends=FetchedLegends(swatches))


class Word(NamedTuple):
    """A word of a written page, its edges in millimetres."""

    page: int
    left: float
    top: float
    right: float
    bottom: float
    text: str

    @property
    def middle(self):
        return (self.top + self.bottom) / 2


_PAGE = re.compile(r'<page width="([\d.]+)" height="([\d.]+)">(.*?)</page>', re.S)
_WORD = re.compile(r'<word xMin="([\d.-]+)" yMin="([\d.-]+)" xMax="([\d.-]+)" yMax="([\d.-]+)">(.*?)</word>')
MM = 25.4 / 72


def written_words(path):
    """The words of a PDF, and the width and height of its pages in millimetres."""
    done = subprocess.run(["pdftotext", "-bbox", str(path), "-"], capture_output=True, check=True).stdout.decode()
    words, sizes = [], []
    for number, (width, height, text) in enumerate(_PAGE.findall(done)):
        sizes.append((float(width) * MM, float(height) * MM))
        words += [Word(number, *(float(value) * MM for value in found[:4]), unescape(found[4]))
                  for found in _WORD.findall(text)]
    return words, sizes


def columns_of(codes):
    """The first words of the labels of one page by column, each from top to bottom."""
    columns = []
    for word in sorted(codes, key=lambda word: word.left):
        # entries of a layer with a heading stand a little further right
        if not columns or word.left - columns[-1][0].left > 10:
            columns.append([])
        columns[-1].append(word)
    return [sorted(column, key=lambda word: word.top) for column in columns]


def check_text(path, expected):
    """Check that each of the expected codes is on the pages once, in columns without gaps, inside the paper."""
    words, sizes = written_words(path)
    codes = [word for word in words if re.fullmatch(r"\w+\d{3}z", word.text)]
    assert sorted(word.text for word in codes) == sorted(expected), "each class once"
    pages = sorted({word.page for word in codes})
    assert pages == list(range(len(sizes))), "the place beside the map is filled, and no page is without classes"
    for page in pages:
        columns = columns_of([word for word in codes if word.page == page])
        lefts = [column[0].left for column in columns]
        for column in columns:
            assert all(above.bottom - below.top < 0.6 * (below.bottom - below.top) and below.middle - above.middle > 2.2
                       for above, below in zip(column, column[1:])), "rows do not overlap"
        steps = [right - left for left, right in zip(lefts, lefts[1:])]
        assert not steps or max(steps) < 1.9 * min(steps), "no column is empty"
    outside = []
    for word in words:
        width, height = sizes[word.page]
        # on the map's sheet figures of the grid stand at its edge
        margin = -1.0 if word.page == 0 else 10.0
        if not (margin < word.left and word.right < width - margin and margin < word.top
                and word.bottom < height - margin):
            outside.append(word)
    assert outside == []


def codes_of(services, own):
    return [f"s{service}l{number}c{at:03d}z" for service, counts in enumerate(services)
            for number, count in enumerate(counts) for at in range(count) if count > 1] + [
                f"own{at:03d}z" for at in range(own)]


SHEETS = [(paper, orientation) for paper in ("A4", "A3", "A2") for orientation in Orientation]
#: papers with numbers of classes: all of them in the long run
CASES = [(paper, orientation, count) for paper, orientation in SHEETS for count in (1, 20, 60, 200, 500)]
CASES = CASES if ALL else [CASES[at] for at in (1, 8, 17, 25)]


def test_scales_of_short_labels_stand_in_two_columns_rather_than_on_a_further_page(project, tmp_path):
    layout = long_legend(project, PageSetup("A4", Orientation.LANDSCAPE), ((31,), (26,)), label=code)
    path = tmp_path / "map.pdf"
    layout_export.export_layouts([layout], path, layout_export.ExportFormat.PDF)
    words, pages = written_words(path)
    assert len(pages) == 1 and layout.itemById(layout_items.INSET) is not None
    for service, count in (("s0", 31), ("s1", 26)):
        left, right = columns_of([word for word in words if re.fullmatch(rf"{service}l0c\d{{3}}z", word.text)])
        numbers = [int(word.text[-4:-1]) for word in (*left, *right)]
        assert numbers == list(range(count)), "downwards, first the one at the left"
        assert max(word.right for word in left) + 3 < min(word.left for word in right)
        assert all(abs(one.middle - other.middle) < 0.3 for one, other in zip(left, right)), "in rows"


def test_a_legend_fills_its_panel_in_one_column_rather_than_wrap_its_labels_in_two(project, tmp_path):
    layout = long_legend(project, PageSetup("A3", Orientation.LANDSCAPE, "leaflet"), ((40,), (34,)),
                         label=lambda layer, number: (code if layer.startswith("s0") else label)(layer, number))
    path = tmp_path / "map.pdf"
    layout_export.export_layouts([layout], path, layout_export.ExportFormat.PDF)
    words, _pages = written_words(path)
    item = layout.itemById(layout_items.LEGEND)
    named = [word for word in words if re.fullmatch(r"s1l0c\d{3}z", word.text)]
    assert len(columns_of(named)) == 1 and len(named) == 34
    scale = [word for word in words if re.fullmatch(r"s0l0c\d{3}z", word.text)]
    assert len(scale) == 40 and max(word.bottom for word in (*named, *scale)) > (
        item.pagePos().y() + 0.7 * item.rect().height()), "to its foot"


@pytest.mark.slow
@pytest.mark.parametrize(("paper", "orientation", "count"), CASES)
def test_each_class_is_printed_once_whatever_the_number_and_the_paper(project, tmp_path, paper, orientation, count):
    services, own = (((1,),), 0)
    if count > 1:
        services, own = ((count // 3, count // 5), (1, 1)), count - count // 3 - count // 5
    layout = long_legend(project, PageSetup(paper, orientation), services, own)
    text_without_maps(layout, tmp_path / "map.pdf")
    words, _ = written_words(tmp_path / "map.pdf")
    if count > 1:
        check_text(tmp_path / "map.pdf", codes_of(services, own))
    else:
        assert sum(word.text == "Capa" for word in words) == 1
    pointers = [word for word in words if word.text == "(continuación):"]
    assert len(pointers) == (layout.pageCollection().pageCount() > 1)


@pytest.mark.slow
@pytest.mark.parametrize("template", ["sheet", "multiples", "leaflet"])
def test_other_templates_continue_their_legends_too(project, tmp_path, template):
    sizes = next(found.sizes for found in templates.bundled_templates() if found.name == template)
    layout = long_legend(project, PageSetup(*sizes[0], template), ((40, 40),), 40)
    text_without_maps(layout, tmp_path / "map.pdf")
    words, _ = written_words(tmp_path / "map.pdf")
    codes = [word.text for word in words if re.fullmatch(r"\w+\d{3}z", word.text)]
    assert sorted(codes) == sorted(codes_of(((40, 40),), 40))


#: numbers of classes of a layer, with the pages that they take
SHARES = pairwise(list(itertools.product(Orientation, ((9, 2), (30, 3)))), columns=1)


@pytest.mark.slow
@pytest.mark.parametrize("orientation", Orientation)
def test_the_rest_of_a_legend_shares_the_page_of_the_texts_where_both_have_room(project, tmp_path, orientation):
    credit = "Consejería de Sostenibilidad y Medio Ambiente, servicio {0} de la Red de Información Ambiental, " * 4
    for classes, expected in (share for one, share in SHARES if one is orientation):
        layout = long_legend(project, PageSetup("A4", orientation), ((classes, classes),) * 4, credit=credit)
        layout_export.export_pdf(layout, tmp_path / "map.pdf", 50)
        words, sizes = written_words(tmp_path / "map.pdf")
        codes = [word for word in words if re.fullmatch(r"\w+\d{3}z", word.text)]
        assert sorted(word.text for word in codes) == sorted(codes_of(((classes, classes),) * 4, 0)), "each class once"
        assert len(sizes) >= expected and (expected == 3 or len(sizes) == 2)
        page, = {word.page for word in words if word.text == "Fuentes,"}
        first = min(word.page for word in codes if word.page)
        assert page == 1 and (first == page) == (expected == 2)
        assert [word.text for word in words if word.page == 0].count(str(first + 1)) >= 1, "the sheet says where"
        shared = [word for word in words if word.page == page]
        assert not [(one.text, two.text) for at, one in enumerate(shared) for two in shared[at + 1:]
                    if min(one.right, two.right) - max(one.left, two.left) > 0.3
                    and min(one.bottom, two.bottom) - max(one.top, two.top) > 0.45 * (one.bottom - one.top)]
        if expected == 2:
            assert sum(word.text == "Leyenda" for word in shared) == 1


@pytest.mark.parametrize("orientation", Orientation)
def test_own_layers_of_one_symbol_are_rows_of_one_group_and_leave_the_place_beside_the_map_full(project, tmp_path,
                                                                                              orientation):
    services = ((12,), (14,), (4, 5), (3,), (6,), (9,))
    layout = long_legend(project, PageSetup("A4", orientation), services, singles=11)
    text_without_maps(layout, tmp_path / "map.pdf")
    words, sizes = written_words(tmp_path / "map.pdf")
    # terms and sources name own layers too
    boxes = [(item.page(), QRectF(item.pagePos(), item.rect().size())) for item in layout_items.legends(layout)]
    codes = [word for word in words if re.fullmatch(r"\w+\d{3}z", word.text) and any(
        word.page == page and box.contains(word.left, word.middle) for page, box in boxes)]
    names = [f"single{at:03d}z" for at in range(11)]
    assert sorted(word.text for word in codes) == sorted([*codes_of(services, 0), *names]), "each once"
    assert len(sizes) == 2, "all that has no room beside the map is on one page"
    rows = sorted((word for word in codes if word.text in names), key=lambda word: word.top)
    assert sum(word.text == "Otros" for word in words) == 1
    column = [row for row in rows if abs(row.left - rows[0].left) < 1]
    assert len(column) == 11 and column[-1].bottom - column[0].top < 11 * 4.2, "rows without headings between them"
    legend, columns = layout.itemById(layout_items.LEGEND), columns_of([word for word in codes if not word.page])
    lowest = max(column[-1].bottom for column in columns)
    bottom = legend.pagePos().y() + legend.rect().height()
    assert lowest > bottom - 0.25 * legend.rect().height(), "the place beside the map is full"
    assert columns[-1][0].left + 45 > legend.pagePos().x() + legend.rect().width() - 8, "across its width, too"


def blocks(path, folder, rows):
    """By row of a picture: the pages with its colour, and the height of it in millimetres."""
    subprocess.run(["pdftoppm", "-r", "170", "-png", str(path), str(folder / "page")], check=True)
    found = {number: [] for number in range(rows)}
    for page, file in enumerate(sorted(folder.glob("page*.png"))):
        seen = pixels(QImage(str(file))).astype(numpy.int32)
        words = (seen[:, :, 2] << 16) | (seen[:, :, 1] << 8) | seen[:, :, 0]
        for number in range(rows):
            across, = numpy.nonzero((words == row_colour(number).rgb() & 0xffffff).any(axis=1))
            if len(across):
                found[number].append((page, int(across[-1] - across[0] + 1)))
    return found


PICTURES = [(paper, orientation, height) for paper, orientation in SHEETS for height in (3000, 6000)]
PICTURES = PICTURES if ALL else [(*SHEETS[1], 2400)]


@pytest.mark.slow
@pytest.mark.parametrize(("paper", "orientation", "height"), PICTURES)
def test_a_high_picture_is_cut_between_its_rows(project, tmp_path, paper, orientation, height):
    layout = long_legend(project, PageSetup(paper, orientation), ((3, 1),), 4,
                         (row_picture(height, framed=height in (2400, 6000)), row_picture(300, framed=True)))
    layout_export.export_pdf(layout, tmp_path / "map.pdf", 170)
    codes = [word.text for word in written_words(tmp_path / "map.pdf")[0] if re.fullmatch(r"\w+\d{3}z", word.text)]
    assert sorted(codes) == sorted(codes_of(((3, 1),), 4))
    rows = blocks(tmp_path / "map.pdf", tmp_path, height // 20)
    # the colours of the smaller picture are those of the first rows of the large one
    found = [rows[number] for number in range(300 // 20, height // 20)]
    assert all(len(pages) == 1 for pages in found), "each row is on one page, and once"
    sizes = [pages[0][1] for pages in found]
    assert min(sizes) >= 10 and max(sizes) - min(sizes) <= 2, "and whole"


def solid_picture(height):
    """A ramp of colours without any blank row."""
    image = QImage(120, height, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    for top in range(height):
        painter.fillRect(20, top, 40, 1, QColor.fromHsv(top * 300 // height, 200, 200))
    painter.end()
    return image


@pytest.mark.slow
def test_a_picture_that_cannot_be_cut_is_reduced_as_far_as_it_is_legible_else_named(project, tmp_path):
    # 1,550 pixels are 232 mm, a page has some 160
    layout = long_legend(project, PageSetup("A4", Orientation.LANDSCAPE), ((3, 1),), 0, (solid_picture(1550),))
    layout_export.export_pdf(layout, tmp_path / "map.pdf", 50)
    pieces = [node.swatch for item in layout_items.legends(layout)
              for tree_layer in item.model().rootGroup().findLayers() for node in
              item.model().layerLegendNodes(tree_layer, True) if node.swatch.is_whole_graphic]
    assert len(pieces) == 1 and 0.6 <= pieces[0].height / (1550 / 170 * 25.4) < 1.0
    layout = long_legend(project, PageSetup("A4", Orientation.LANDSCAPE), ((3, 1),), 0, (solid_picture(6000),))
    with pytest.raises(IncompleteMap) as refused:
        layout_export.export_pdf(layout, tmp_path / "none.pdf", 50)
    problem, = refused.value.problems
    assert "Lámina 1" in problem and "no blank rows" in problem and not (tmp_path / "none.pdf").exists()


def test_cuts_lie_between_classes_not_between_the_lines_of_a_label():
    picture = QImage(100, 400, QImage.Format.Format_ARGB32)
    picture.fill(Qt.GlobalColor.white)
    painter = QPainter(picture)
    for top in range(0, 400, 40):
        # two lines 4 pixels apart, classes 12 pixels apart
        painter.fillRect(30, top + 6, 50, 12, Qt.GlobalColor.black)
        painter.fillRect(30, top + 22, 50, 12, Qt.GlobalColor.black)
    painter.end()
    cuts = row_cuts(picture, 60)
    assert 3 <= len(cuts) <= 9 and all(cut % 40 == 0 for cut in cuts)
    assert row_cuts(solid_picture(400), 60) == []
