"""Field sheets: a grid of 1 km in UTM, the squares of the military grid, and magnetic north with its date."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from itertools import product

import pytest
from qgis.core import Qgis, QgsLayoutExporter, QgsLayoutItemLabel, QgsLayoutItemMap

from plugin.core.custommap.map_entries import entry_from_record
from plugin.core.custommap.model import Orientation, PageSetup
from plugin.core.page_design.page_themes import STANDARD
from plugin.core.terms import terms_for
from plugin.gis.export import layout_export
from plugin.gis.layouts import layout_items, text_fitting
from plugin.gis.pages import layout_builder
from plugin.gis.runtime.conversions import utm_zone
from tests.qgis.print_maps import composed, entry_of, known_records, pdf_text, text_without_maps
from tests.qgis.test_layouts_frame import plan

DAY = date(2026, 11, 23)
SIZES = [(paper, orientation) for paper in ("A4", "A3") for orientation in Orientation]


def field_sheet(project, paper="A4", orientation=Orientation.PORTRAIT, day=DAY, theme=STANDARD, **changes):
    changes = {"extent": None, "centre": (-3.5, 38.38), "scale": 25000.0, **changes}
    made = plan(page=PageSetup(paper, orientation, "field", theme=theme), **changes)
    return layout_builder.build_layout(project, made, [None] * len(made.layers), today=day)


def kilometre_grid(layout):
    return layout.itemById(layout_items.GRID).grids().asList()[0]


def note(layout):
    return layout.itemById(layout_items.FIELD_NOTE).text()


@pytest.mark.parametrize(("paper", "orientation"), SIZES)
@pytest.mark.parametrize("language", ["es", "en"])
def test_all_texts_of_a_sheet_fit(project, tmp_path, paper, orientation, language):
    layout = field_sheet(project, paper, orientation, language=language, centre=(-5.45, 36.9))
    assert not layout_items.layout_notes(layout)
    for item_id in (layout_items.FIELD_NOTE, layout_items.PROJECTION):
        label = layout.itemById(item_id)
        assert isinstance(label, QgsLayoutItemLabel) and label.text(), item_id
        assert not text_fitting.label_overflows(label), item_id
    area = layout.itemById("map").rect()
    page = layout.pageCollection().page(0).rect()
    # half of it but for the room that the legend of a whole guide needs on the same sheet
    assert area.width() * area.height() > 0.465 * page.width() * page.height()
    assert "(EPSG:25830)" in text_without_maps(layout, tmp_path / "sheet.pdf"), "a code is on one line"


@pytest.mark.parametrize(("scale", "step"), [(10000.0, 1000), (25000.0, 1000), (50000.0, 1000), (100000.0, 1000),
                                             (250000.0, 10000), (5000.0, 200)])
def test_lines_are_a_kilometre_apart_where_the_scale_allows_it(project, scale, step):
    layout = field_sheet(project, scale=scale)
    grid = kilometre_grid(layout)
    assert grid.intervalX() == grid.intervalY() == step and grid.crs().authid() == "EPSG:25830"
    assert (f"{step // 1000} km" if step >= 1000 else f"{step} m") in layout.itemById(layout_items.PROJECTION).text()


@pytest.mark.parametrize("crs", ["EPSG:25830", "EPSG:25829", "EPSG:3857", "EPSG:3034", "EPSG:4326"])
def test_the_grid_is_one_of_utm_in_any_map(project, crs):
    layout = field_sheet(project, crs=crs)
    assert utm_zone(kilometre_grid(layout).crs()) == (29 if crs == "EPSG:25829" else 30)
    name = layout.itemById(layout_items.PROJECTION).text().partition("Cuadrícula ")[2].partition(" cada")[0]
    assert name == ("UTM" if crs.startswith("EPSG:258") else "ETRS89 / UTM huso 30N"), "the zone is named, once"
    # a zone's own squares are not those of the zone beside it
    assert ("MGRS" in note(layout)) == (crs != "EPSG:25829")
    assert bool([text for text in layout_items.layout_notes(layout) if "MGRS" in text]) == (crs == "EPSG:25829")


def test_squares_of_the_map_are_listed_from_the_north_west(project):
    assert "MGRS: 30S VH." in note(field_sheet(project))
    # around the corner of four squares at 400 000 m east and 4 200 000 m north
    assert "MGRS: 30S VH, 30S WH, 30S VG, 30S WG." in note(field_sheet(project, centre=(-3.0, 37.947)))
    # 40° N, the border of two bands
    assert "MGRS: 30T VK, 30S VK." in note(field_sheet(project, centre=(-3.5, 40.0)))
    assert "MGRS" not in note(field_sheet(project, scale=2500000.0))


def test_magnetic_north_by_day_and_language(project):
    english = note(field_sheet(project, language="en"))
    found = re.search(r"On 23 November 2026 magnetic north lies (\d+)°(\d\d)′\u00a0([EW]) of true north \(WMM2025; "
                      r"(\d+)°(\d\d)′\u00a0([EW]) a year\) and (\d+)°(\d\d)′\u00a0([EW]) of grid north", english)
    assert found, english
    # by pygeomag 0.55° E at this place and day; grid north lies (λ - λ0) sin φ = 0.31° west of true north
    declination = (int(found[1]) + int(found[2]) / 60) * (1 if found[3] == "E" else -1)
    to_grid = (int(found[7]) + int(found[8]) / 60) * (1 if found[9] == "E" else -1)
    assert declination == pytest.approx(0.7322, abs=0.01)
    assert to_grid - declination == pytest.approx(0.31, abs=0.02)
    assert "El 23 de noviembre de 2026 el norte magnético queda a" in note(field_sheet(project, language="es"))
    later = note(field_sheet(project, day=date(2029, 11, 23)))
    assert "23 de noviembre de 2029" in later and later.split("queda a")[1][:6] != note(field_sheet(project)).split(
        "queda a")[1][:6]


@pytest.mark.parametrize(("scale", "printed"), [(250_000.0, True), (3_000_000.0, False)])
def test_magnetic_north_of_one_place_is_not_that_of_a_region(project, tmp_path, scale, printed):
    layout = field_sheet(project, scale=scale, language="en")
    assert ("magnetic north" in text_without_maps(layout, tmp_path / "sheet.pdf")) == printed
    assert any("declination" in text for text in layout_items.layout_notes(layout)) != printed


def test_what_cannot_be_said_is_told(project):
    layout = field_sheet(project, day=date(2031, 1, 1))
    assert "magn" not in note(layout) and "MGRS" in note(layout)
    told, = layout_items.layout_notes(layout)
    assert "WMM2025" in told


def test_sheets_on_the_southern_hemisphere_and_near_a_pole(project):
    layout = field_sheet(project, crs="EPSG:3857", centre=(-70.6, -33.4))
    assert kilometre_grid(layout).crs().authid() == "EPSG:32719" and "19H CD" in note(layout)
    layout = field_sheet(project, crs="EPSG:3995", centre=(10.0, 86.0))
    assert "MGRS" not in note(layout) and layout_items.layout_notes(layout)


@pytest.mark.parametrize(("crs", "longitude"), [("EPSG:3832", 180), ("EPSG:25831", 0)])
def test_a_meridian_that_lies_on_no_side_has_no_letter(project, tmp_path, crs, longitude):
    layout = field_sheet(project, crs=crs, centre=(longitude, -17.0 if longitude else 38.4), scale=400_000.0)
    settings = QgsLayoutExporter.PdfExportSettings()
    settings.dpi, settings.textRenderFormat = 72, Qgis.TextRenderFormat.AlwaysText
    QgsLayoutExporter(layout).exportToPdf(str(tmp_path / "sheet.pdf"), settings)
    figures = re.findall(r"\d+°\d\d′[A-Z]?", pdf_text(tmp_path / "sheet.pdf"))
    assert f"{longitude}°00′" in figures and {"50′E", "10′O"} & {text[-4:] for text in figures}, figures


@pytest.mark.parametrize(("template", "orientation"), product(("field", "guide"), Orientation))
def test_the_legend_of_three_services_is_on_one_sheet(network, project, template, orientation):
    known = known_records(network)
    guide, facilities, rain = (
        entry_from_record(known[network.endpoints[name]], terms_for(known[network.endpoints[name]]))
        for name in ("guide", "facilities", "precipitation"))
    rain = replace(rain, moment="2016-06-03") if template == "guide" else entry_of(
        known[network.endpoints["precipitation"]], ["precipitacion_20160601"])
    made = composed(network, project, base=guide, overlays=(rain, facilities), scale=100_000.0, extent=None,
                    centre=(-3.51, 38.38), page=PageSetup("A4", orientation, template, link="https://catalogo.example/1"))
    assert made.layout.pageCollection().pageCount() == 1


@pytest.mark.slow
def test_an_exported_sheet_prints_squares_and_magnetic_north(network, project, tmp_path):
    made = composed(network, project, language="es", page=PageSetup("A4", Orientation.PORTRAIT, "field"))
    assert isinstance(made.layout.itemById("map"), QgsLayoutItemMap)
    layout_export.export_pdf(made.layout, tmp_path / "field.pdf", 100)
    said = pdf_text(tmp_path / "field.pdf")
    assert "MGRS: 30S VH" in said and "norte magnético" in said and "1 km" in said
    assert "Consejería" in said
