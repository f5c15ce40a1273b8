"""Type on written pages: its least size by role and paper, nothing cut off, and its contrast with the ground."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import product
from typing import Iterator, List, Tuple

import pytest
from pypdf import PdfReader
from pypdf.generic import ContentStream
from qgis.core import (
    QgsExpressionContextUtils,
    QgsLayoutFrame,
    QgsLayoutItemLabel,
    QgsLayoutItemLegend,
    QgsLayoutItemMap,
    QgsLayoutItemScaleBar,
    QgsLayoutItemShape,
    QgsLegendStyle,
    QgsVectorLayer,
)
from qgis.PyQt.QtGui import QColor, QImage

from plugin.core.custommap.model import LayerPlan, Orientation, PageSetup, Plan
from plugin.core.page_design.page_themes import find_theme
from plugin.core.page_design.type_scale import PAPER_FACTORS, TextRole, least_size, size_of
from plugin.core.sources.layer_source import WmsSource
from plugin.gis.credits.layer_metadata import fill_metadata
from plugin.gis.credits.map_phrases import MAP_LANGUAGES
from plugin.gis.export import layout_export
from plugin.gis.layouts import layout_items, template_loading, templates, text_fitting
from plugin.gis.legends.legend_graphics import FetchedLegends, legend_key
from plugin.gis.legends.legend_nodes import Swatch
from plugin.gis.pages import layout_builder, legend_fitting, overflow_page
from plugin.gis.runtime import compat
from tests.pairwise import ALL, pairwise, some
from tests.qgis.print_maps import PARK
from tests.qgis.test_layout_templates import SIZES

MM = 25.4 / 72
#: papers between the smallest and the largest, whose templates have the same items in a size between theirs
BETWEEN = ("A1", "A2")
#: resolution of the written pages on A4
DPI = 240.0
#: points by which QGIS rounds sizes of type: labels to tenths of a millimetre, those of maps and scale bars to pixels
ROUNDING, PIXEL = 0.15, 72.0 / DPI
#: millimetres on A4 around the map's frame where the figures of its grids are
FIGURES = 5.0
#: millimetres between the edge of a map that goes to the edges of the paper and its figures
FIGURES_INSIDE = 8.0
#: services and legend entries of each: as many as fit a sheet, and far more
LITTLE, MUCH = (2, 4), (9, 20)

Matrix = Tuple[float, float, float, float, float, float]
IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


@dataclass(frozen=True)
class PrintedText:
    """A piece of text on a page: size in points, and where it begins in millimetres from the upper left corner."""

    points: float
    x: float
    y: float


def multiplied(first: Matrix, second: Matrix) -> Matrix:
    """``first`` and then ``second`` (PDF 32000-1, 8.3.4)."""
    a, b, c, d, e, f = first
    g, h, i, j, k, m = second
    return (a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m)


def texts_of(page, reader: PdfReader) -> Iterator[PrintedText]:
    """Every piece of text that a page's content shows."""
    height = float(page.mediabox.height)
    stack: List[Tuple[Matrix, float]] = []
    ground, size, text = IDENTITY, 0.0, IDENTITY
    for operands, operator in ContentStream(page.get_contents(), reader).operations:
        if operator == b"q":
            stack.append((ground, size))
        elif operator == b"Q":
            ground, size = stack.pop()
        elif operator == b"cm":
            ground = multiplied(tuple(map(float, operands)), ground)
        elif operator == b"BT":
            text = IDENTITY
        elif operator == b"Tf":
            size = float(operands[1])
        elif operator == b"Tm":
            text = tuple(map(float, operands))
        elif operator == b"Td":
            text = multiplied((1, 0, 0, 1, float(operands[0]), float(operands[1])), text)
        elif operator in (b"Tj", b"TJ"):
            a, b, c, d, e, f = multiplied(text, ground)
            yield PrintedText(size * math.sqrt(abs(a * d - b * c)), e * MM, (height - f) * MM)


CREDIT = "Consejería de Medio Ambiente, Servicio {number}: espacios naturales, 200{number}"


def built(project, page, language, services, entries, credit=CREDIT):
    """A layout of so many services, each with so many legend entries and such a credit."""
    image = QImage(70, 33, QImage.Format.Format_ARGB32)
    image.fill(QColor("#2d7d46"))
    plans = tuple(LayerPlan(
        WmsSource(f"https://example.org/medioambiente/mapwms/REDIAM_servicio_{number}?", f"n{number}", "", "image/png",
        "EPSG:25830"), f"Capa {number}, {number + 1} de junio de 2016", entry_index=number,
        service_title=f"Servicio ambiental {number}",
        service_abstract=f"Cartografía de los espacios naturales protegidos, hoja {number}. " * 3,
        rights=(credit.format(number=number),),
        licences=("Uso libre siempre que se mencione a los autores",), fees="Gratuito") for number in range(services))
    layers, swatches = [], {}
    for plan in plans:
        layers.append(QgsVectorLayer("Point?crs=EPSG:25830", plan.title, "memory"))
        fill_metadata(layers[-1], plan)
        project.addMapLayer(layers[-1], False)
        swatches[legend_key(plan)] = tuple(Swatch(image, 7, 3.3, f"Entrada {entry} de la leyenda")
                                           for entry in range(entries))
    made = Plan("Mapa de los espacios naturales", "EPSG:25830", plans, extent=PARK.box, page=page, language=language)
    return layout_builder.build_layout(project, made, layers, legends=FetchedLegends(swatches))


def is_figure(text: PrintedText, page: int, layout, factor: float) -> bool:
    """Whether a text stands where the figures of the map's grids do."""
    item = layout_items.main_map(layout)
    sheet = layout.pageCollection().page(item.page())
    frame = item.sceneBoundingRect().translated(-sheet.pos())
    reach = FIGURES * factor
    return page == item.page() and not frame.contains(text.x, text.y) and frame.adjusted(
        -reach, -reach, reach, reach).contains(text.x, text.y)


def is_credit(text: PrintedText, page: int, layout) -> bool:
    """Whether a text is one of the credits, terms and sources of a page."""
    sheet = layout.pageCollection().page(page)
    labels = [label for label in overflow_page.text_labels(layout).values() if label.page() == page]
    boxes = [label.sceneBoundingRect().translated(-sheet.pos()) for label in labels]
    # letters may begin a little before their label
    return any(box.adjusted(-0.5, -0.5, 0.5, 0.5).contains(text.x, text.y) for box in boxes)


def smallest_texts(layout, path, factor: float):
    """Export the layout and return the texts that are smaller than they may be, and the number of pages."""
    layout_export.export_pdf(layout, path, round(DPI / factor))
    reader = PdfReader(path)
    found, read = [], 0
    for number, page in enumerate(reader.pages):
        for text in texts_of(page, reader):
            least = 5.5 if is_figure(text, number, layout, factor) else 6.5 if is_credit(text, number, layout) else 7.0
            if text.points < (least - PIXEL) * factor - ROUNDING:
                found.append((number, text))
            read += 1
    assert read > 40
    return found, len(reader.pages)


def luminance(colour: QColor) -> float:
    """Relative luminance (WCAG 2.2)."""
    parts = (colour.redF(), colour.greenF(), colour.blueF())
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055)**2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: QColor, second: QColor) -> float:
    """Contrast of two colours (WCAG 2.2)."""
    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)


def colour_of(label: QgsLayoutItemLabel) -> QColor:
    return label.textFormat().color() if hasattr(label, "textFormat") else label.fontColor()


def ground_of(label: QgsLayoutItemLabel, layout) -> QColor:
    """The colour behind a label: that of the topmost shape that it stands on, else the paper's."""
    box = label.sceneBoundingRect()
    below = [shape for shape in layout_items.items_of_type(layout, QgsLayoutItemShape)
             if shape.sceneBoundingRect().intersects(box)]
    return max(below, key=lambda shape: shape.zValue()).symbol().color() if below else QColor("white")


def check_contrast(layout, name):
    """Each text of a page stands out from its ground."""
    pairs = {label.id(): (colour_of(label), ground_of(label, layout))
             for label in layout_items.items_of_type(layout, QgsLayoutItemLabel)}
    assert (pairs["title"][1] == QColor("white")) == (name == "field"), "the others have a band behind their title"
    white = QColor("white")
    for legend in layout_items.items_of_type(layout, QgsLayoutItemLegend):
        pairs["legend"] = legend.fontColor(), white
    for bar in layout_items.items_of_type(layout, QgsLayoutItemScaleBar):
        pairs["scalebar"] = bar.textFormat().color(), white
    for item in layout_items.items_of_type(layout, QgsLayoutItemMap):
        for number, grid in enumerate(item.grids().asList()):
            pairs[f"{item.id()}-grid-{number}"] = grid.annotationTextFormat().color(), white
    for frame in layout_items.items_of_type(layout, QgsLayoutFrame):
        for row in frame.multiFrame().tableContents():
            for number, cell in enumerate(row):
                form = cell.textFormat() if cell.textFormat().isValid() else frame.multiFrame().contentTextFormat()
                pairs[f"facts-{number}"] = form.color(), white
    inset = layout.itemById(layout_items.INSET)
    if inset is not None:
        places = next(layer for layer in inset.layers() if layer.labelsEnabled())
        theme = find_theme("standard")
        for fill in (theme.region, theme.land, theme.neighbour):
            pairs[f"place-{fill}"] = places.labeling().settings().format().color(), QColor(fill)
        pairs["place-sea"] = places.labeling().settings().format().color(), inset.backgroundColor()
    assert {item_id: round(contrast(*pair), 1) for item_id, pair in pairs.items() if contrast(*pair) < 4.5} == {}


@pytest.mark.parametrize(("name", "paper", "orientation", "language"),
                         pairwise(((*size, language) for size in SIZES if ALL or size[1] not in BETWEEN
                                   for language in MAP_LANGUAGES), columns=1))
def test_no_text_of_a_written_page_is_smaller_than_its_least_size_or_pale(project, tmp_path, name, paper, orientation,
                                                                          language):
    layout = built(project, PageSetup(paper, orientation, name), language, *LITTLE)
    factor = PAPER_FACTORS[paper]
    small, pages = smallest_texts(layout, tmp_path / "map.pdf", factor)
    assert small == [] and pages == (2 if name == "leaflet" else 1)
    labels = layout_items.items_of_type(layout, QgsLayoutItemLabel)
    assert [label.id() for label in labels if text_fitting.label_overflows(label)] == []
    assert not legend_fitting.legend_overflows(layout.itemById(layout_items.LEGEND))
    inset = layout.itemById(layout_items.INSET)
    places = [layer.labeling().settings().format().size() for layer in inset.layers() if layer.labelsEnabled()
              ] if inset is not None else []
    assert all(size >= least_size(TextRole.PLACE, factor) for size in places) and len(places) == (inset is not None)
    # a template has the same colours on each paper
    check_contrast(layout, name)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "paper", "orientation"), some([size for size in SIZES if size[1] == "A4"], 8))
def test_what_does_not_fit_at_its_least_size_goes_to_further_pages(project, tmp_path, name, paper, orientation):
    layout = built(project, PageSetup(paper, orientation, name), "es", *MUCH)
    small, pages = smallest_texts(layout, tmp_path / "map.pdf", PAPER_FACTORS[paper])
    # the legend and the texts may share a further page
    assert small == [] and pages >= 2
    labels = layout_items.items_of_type(layout, QgsLayoutItemLabel)
    assert [label.id() for label in labels if text_fitting.label_overflows(label)] == []
    assert not legend_fitting.legend_overflows(layout.itemById(layout_items.LEGEND))


@pytest.mark.parametrize(("name", "paper", "orientation"), SIZES)
def test_templates_have_the_sizes_of_the_scale(project, name, paper, orientation):
    path = templates.BUNDLED_FOLDER / f"{name}-{paper}-{orientation.value}.qpt"
    layout, factor = template_loading.load_template(project, path), PAPER_FACTORS[paper]
    assert text_fitting.type_factor(layout) == factor
    for label in layout_items.items_of_type(layout, QgsLayoutItemLabel):
        role = text_fitting.role_of(label.id())
        if name == "leaflet":
            role = {layout_items.TITLE: TextRole.COVER_TITLE,
                    layout_items.ABSTRACT: TextRole.BODY}.get(label.id(), role)
        if name == "field" and label.id() == layout_items.TITLE:
            role = TextRole.FRAME_TITLE
        assert compat.label_font(label).pointSizeF() == pytest.approx(size_of(role, factor), abs=0.01), label.id()
    legend, = layout_items.items_of_type(layout, QgsLayoutItemLegend)
    assert compat.legend_font(legend, QgsLegendStyle.Style.SymbolLabel).pointSizeF() == pytest.approx(
        size_of(TextRole.LEGEND, factor), abs=0.01)


def test_a_template_of_other_sizes_may_shrink_them_to_the_size_of_figures(project):
    layout = template_loading.load_template(project, templates.BUNDLED_FOLDER / "guide-A4-landscape.qpt")
    assert text_fitting.least_points(layout, TextRole.CREDITS, 9.0) == least_size(TextRole.CREDITS) == 7.0
    assert text_fitting.least_points(layout, TextRole.CREDITS, 6.0) == 6.0, "somebody made it smaller"
    for written in ("", "none", "nan", "-1"):
        QgsExpressionContextUtils.setLayoutVariable(layout, text_fitting.FACTOR_VARIABLE, written)
        assert text_fitting.type_factor(layout) is None
        assert text_fitting.least_points(layout, TextRole.CREDITS, 6.0) == 5.5


def test_a_long_ratio_stays_inside_its_label(project):
    for language, (template, paper) in pairwise(product(MAP_LANGUAGES, (
            ("guide", "A4"), ("sheet", "A4"), ("multiples", "A4"), ("leaflet", "A3"))), columns=1):
        page = PageSetup(paper, Orientation.PORTRAIT if template in ("guide", "sheet") else Orientation.LANDSCAPE,
                         template)
        made = Plan("Mapa", "EPSG:3857", (), centre=(10.0, 60.0), scale=2_500_000.0, page=page, language=language)
        layout = layout_builder.build_layout(project, made, [])
        label = layout.itemById(layout_items.SCALE_TEXT)
        assert "2\u00a0500\u00a0000 (" in label.currentText()
        assert not text_fitting.label_overflows(label)
        least = least_size(TextRole.SCALE, PAPER_FACTORS[paper])
        assert compat.label_font(label).pointSizeF() >= least - 0.01
