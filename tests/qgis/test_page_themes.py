"""Themes on written pages: their colours and sizes are there, and every credit is whole in each of them."""

from __future__ import annotations

import itertools
import json

import numpy
import pytest
from PIL import Image
from pypdf import PdfReader
from pypdf.generic import ContentStream
from qgis.core import QgsLayoutItemLabel, QgsLayoutItemLegend, QgsLegendStyle

from plugin.core.custommap.model import Orientation, PageSetup
from plugin.core.page_design.page_themes import THEME_NAMES, contrast, find_theme
from plugin.core.pages.leaflet import LeafletTexts
from plugin.gis.export import layout_export, raster_formats
from plugin.gis.layouts import layout_items, templates, text_fitting
from plugin.gis.runtime import compat, settings
from plugin.ui.composer.page_panel import PagePanel
from plugin.ui.settings.settings_form import make_field, set_value, value_of
from tests.pairwise import some
from tests.qgis.test_type_sizes import built, ground_of

PAGES = (("guide", "A4", Orientation.LANDSCAPE), ("guide", "A4", Orientation.PORTRAIT),
         ("sheet", "A4", Orientation.PORTRAIT), ("multiples", "A4", Orientation.LANDSCAPE),
         ("leaflet", "A3", Orientation.LANDSCAPE), ("guide", "A0", Orientation.PORTRAIT),
         ("field", "A4", Orientation.LANDSCAPE))
OTHERS = [name for name in THEME_NAMES if name != "standard"]
OWN = ["#ffd500", "#0055aa"]


@pytest.fixture
def own_colours():
    settings.set("own_colours", json.dumps(OWN))
    yield OWN
    settings.set("own_colours", "")


def themed(project, theme, page=PAGES[0], services=(2, 4)):
    name, paper, orientation = page
    leaflet = LeafletTexts("Un paseo entre pinares.", "Por la A-4, salida 257.", "De 10 a 14 h.", "112")
    return built(project, PageSetup(paper, orientation, name, leaflet=leaflet, theme=theme), "es", *services)


def fill_colours(path):
    """Every colour (#rrggbb) with which the pages of a PDF fill an area or letters."""
    reader = PdfReader(path)
    return {"#" + "".join(f"{round(float(part) * 255):02x}" for part in operands[:3])
            for page in reader.pages for operands, operator in ContentStream(page.get_contents(), reader).operations
            if operator in (b"rg", b"scn", b"sc") and len(operands) == 3}


@pytest.mark.parametrize("name", some(OTHERS, 2))
def test_a_written_page_has_the_colours_of_its_theme_and_none_of_another(project, tmp_path, own_colours, name):
    theme, standard = find_theme(name, own_colours), find_theme("standard")
    layout = themed(project, name)
    layout_export.export_pdf(layout, tmp_path / "map.pdf", 72)
    found = fill_colours(tmp_path / "map.pdf")
    expected = {getattr(theme, part) for part in ("band", "accent", "title", "heading", "ink")}
    assert expected <= found
    former = {getattr(standard, part) for part in ("band", "ink", "muted", "accent", "heading")}
    assert (former - set(theme)) & found == set()
    raster_formats.write_image(layout, tmp_path / "map.png", 60)
    pixels = numpy.asarray(Image.open(tmp_path / "map.png").convert("RGB"))
    band = layout.itemById("band").sceneBoundingRect()
    row = round(band.bottom() / 25.4 * 60) - 2
    assert "#" + "".join(f"{part:02x}" for part in pixels[row, 10]) == theme.band


@pytest.mark.parametrize(("page", "name"), some(itertools.product(PAGES, THEME_NAMES), 12))
def test_each_text_can_be_read_and_each_credit_is_whole_in_every_theme(project, own_colours, page, name):
    layout = themed(project, name, page)
    labels = layout_items.items_of_type(layout, QgsLayoutItemLabel)
    assert {label.id(): contrast(compat.label_colour(label).name(), ground_of(label, layout).name())
            for label in labels
            if contrast(compat.label_colour(label).name(), ground_of(label, layout).name()) < 4.5} == {}
    assert [label.id() for label in labels if text_fitting.label_overflows(label)] == []
    credits = layout.itemById(layout_items.CREDITS)
    assert "Servicio 0" in credits.currentText() and "Servicio 1" in credits.currentText() and credits.page() == (
        1 if page[0] == "leaflet" else 0)
    for legend in layout_items.items_of_type(layout, QgsLayoutItemLegend):
        style = legend.style(QgsLegendStyle.Style.SymbolLabel)
        colour = style.textFormat().color() if compat.reads_text_formats() else legend.fontColor()
        assert contrast(colour.name(), "#ffffff") >= 4.5


def test_a_document_of_large_print_has_the_nearest_theme_and_says_so(project):
    layout = themed(project, "large-print")
    assert layout.itemById("band").symbol().color().name() == find_theme("high-contrast").band
    assert any("no longer offered" in note for note in layout_items.layout_notes(layout))


def test_a_colour_that_is_too_light_is_darkened_and_that_is_said(project, own_colours):
    layout = themed(project, "own")
    note, = (note for note in layout_items.layout_notes(layout) if "#ffd500" in note)
    used = find_theme("own", own_colours).band
    assert used in note and ground_of(layout.itemById("title"), layout).name() == used != "#ffd500"


def test_without_own_colours_the_page_is_the_standard_one_and_says_so(project):
    layout = themed(project, "own")
    assert ground_of(layout.itemById("title"), layout).name() == find_theme("standard").band
    assert any("own colours" in note for note in layout_items.layout_notes(layout))


def test_a_persons_template_keeps_its_colours(project, tmp_path):
    path = tmp_path / "mine.qpt"
    source = (templates.BUNDLED_FOLDER / "guide-A4-landscape.qpt").read_text(encoding="utf-8")
    path.write_text(source.replace(text_fitting.FACTOR_VARIABLE, "other"), encoding="utf-8")
    layout = themed(project, "grey", (str(path), "A4", Orientation.LANDSCAPE))
    assert ground_of(layout.itemById("title"), layout).name() == find_theme("standard").band
    assert any("theme" in note for note in layout_items.layout_notes(layout))


def test_a_theme_is_chosen_beside_the_template(qtbot):
    panel = PagePanel()
    qtbot.addWidget(panel)
    assert [panel.theme.itemData(row) for row in range(panel.theme.count())] == list(THEME_NAMES)
    with qtbot.waitSignal(panel.page_changed) as heard:
        panel.theme.setCurrentIndex(panel.theme.findData("grey"))
    assert heard.args[0].theme == "grey"


def test_own_colours_are_settings_with_a_word_on_those_that_are_darkened(qtbot):
    heard = []
    field = make_field("own_colours", lambda: heard.append(1))
    qtbot.addWidget(field)
    assert value_of(field) == ""
    set_value(field, json.dumps(OWN))
    assert json.loads(value_of(field)) == OWN and heard
    assert "#ffd500" in field.note.text() and not field.note.isHidden()
    set_value(field, json.dumps(["#003366"]))
    assert json.loads(value_of(field)) == ["#003366"] and field.note.isHidden()
