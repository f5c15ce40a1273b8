"""The bundled templates: every paper size, thirty small maps from the real service, a sheet, a leaflet, fonts."""

from __future__ import annotations

import itertools
import math
import re
import subprocess
from dataclasses import replace

import pytest
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsExpression,
    QgsLayoutItem,
    QgsLayoutItemLabel,
    QgsLayoutItemMap,
    QgsLayoutSize,
    QgsNumericFormatContext,
    QgsPointXY,
    QgsPrintLayout,
    QgsProject,
    QgsReadWriteContext,
)
from qgis.PyQt.QtCore import QDateTime
from qgis.PyQt.QtWidgets import QFileDialog

from plugin.app.maps.map_document import ExtentMode
from plugin.core.custommap.model import MapExtent, MapRole, Orientation, PageSetup
from plugin.core.errors import CartoguideError
from plugin.core.pages.leaflet import LeafletTexts
from plugin.gis.export import layout_export
from plugin.gis.layouts import layout_items, templates, text_fitting
from plugin.gis.layouts.locator_map import PALE_SEA, region_area
from plugin.gis.layouts.map_grids import kilometre_expression
from plugin.gis.pages import layout_builder
from plugin.gis.pages.completeness_checks import IncompleteMap, check_complete
from plugin.gis.pages.series_summary import SUMMARY_ITEMS
from plugin.gis.runtime import compat, settings
from plugin.ui.composer.page_panel import PagePanel
from tests.pairwise import ALL, some
from tests.qgis.print_maps import composed, entry_of, known_records, leaflet_page, pdf_text
from tests.qgis.test_layouts_frame import built, plan

SIZES = [(template.name, *size) for template in templates.bundled_templates() for size in template.sizes]
REGION = MapExtent(-7.5, 36.0, -1.66, 38.73)


#: least share of the paper that the map fills, beyond what lies on it, by template, paper and orientation
LEAST_SHARES = {
    ("guide", "A4", "landscape"): 0.6, ("guide", "A4", "portrait"): 0.58,
    ("guide", "A3", "landscape"): 0.65, ("guide", "A3", "portrait"): 0.64,
    ("guide", "A2", "landscape"): 0.69, ("guide", "A2", "portrait"): 0.68,
    ("guide", "A1", "landscape"): 0.7, ("guide", "A1", "portrait"): 0.7,
    ("guide", "A0", "landscape"): 0.7, ("guide", "A0", "portrait"): 0.7,
    ("field", "A4", "landscape"): 0.48, ("field", "A4", "portrait"): 0.47,
    ("field", "A3", "landscape"): 0.55, ("field", "A3", "portrait"): 0.54,
    # the sheet tells of the services, and its map shows where
    ("sheet", "A4", "portrait"): 0.14, ("sheet", "A3", "portrait"): 0.2,
    ("multiples", "A4", "landscape"): 0.3, ("multiples", "A3", "landscape"): 0.33,
    # the inner side of a leaflet
    ("leaflet", "A3", "landscape"): 0.75,
}


@pytest.mark.parametrize(("name", "paper", "orientation"), SIZES)
def test_every_template_is_whole_with_nothing_over_another_and_its_map_fills_the_paper(project, name, paper,
                                                                                       orientation):
    layout = built(project, page=PageSetup(paper, orientation, name))
    assert not layout_items.layout_notes(layout)
    size = layout.pageCollection().page(0).pageSize()
    assert (size.width() > size.height()) == (orientation == "landscape")
    boxes = {}
    for item_id in (*layout_items.EXPECTED_ITEMS, layout_items.ABSTRACT, layout_items.FACTS, layout_items.FIELD_NOTE,
                    "heading:legend", "heading:sources", "map:2", "label:30"):
        item = layout.itemById(item_id)
        if item is None or isinstance(item, QgsLayoutItemLabel) and not item.text():
            continue
        page = layout.pageCollection().page(item.page())
        box = item.mapRectToScene(item.rect())
        assert page.mapRectToScene(page.rect()).adjusted(-0.1, -0.1, 0.1, 0.1).contains(box), item_id
        boxes[item_id] = box.adjusted(0.2, 0.2, -0.2, -0.2)
    assert {"map", "credits", "legend", "title"} <= set(boxes)
    names = sorted(boxes)
    assert [(one, two) for at, one in enumerate(names) for two in names[at + 1:]
            if boxes[one].intersects(boxes[two])] == []
    share = share_of_maps(layout)
    assert name == "multiples" or share >= LEAST_SHARES[name, paper, orientation.value], f"{share:.3f}"


def share_of_maps(layout):
    """The share of the first page that its maps fill."""
    paper_box = layout.pageCollection().page(0).rect()
    filled = sum(item.rect().width() * item.rect().height() for item in layout_items.map_items(layout))
    return filled / (paper_box.width() * paper_box.height())


@pytest.mark.parametrize(("name", "paper", "orientation"), [size for size in SIZES if size[0] == "multiples"])
def test_small_multiples_fill_the_paper(project, name, paper, orientation):
    level = plan().layers[0]
    moments = tuple(replace(level, source=replace(level.source, name=f"n{day}"), title=f"Nivel, {day} de julio de 2016")
                    for day in range(1, 29))
    share = share_of_maps(built(project, layers=moments, page=PageSetup(paper, orientation, name)))
    assert share >= LEAST_SHARES[name, paper, orientation.value], f"{share:.3f}"


def test_a_paper_that_a_template_is_not_made_for_is_refused_in_words(project):
    with pytest.raises(CartoguideError) as refused:
        built(project, page=PageSetup("A0", Orientation.PORTRAIT, "multiples"))
    assert "multiples" in refused.value.user_text and "A0" in refused.value.user_text


@pytest.mark.slow
def test_days_on_one_page_with_one_legend_one_scale_and_one_exact_image_each(project, network, tmp_path):
    known = known_records(network)
    days = [f"precipitacion_201606{day:02d}" for day in range(1, 9)]
    overlay = entry_of(known[network.endpoints["precipitation"]], days)
    made = composed(network, project, base=None, overlays=(overlay, ), extent=REGION, title="Lluvia", language="es",
                    page=PageSetup("A4", Orientation.LANDSCAPE, "multiples"))
    assert any("graphics for screens" in note and "no rules" in note
               for note in layout_items.layout_notes(made.layout)), "interpolated layers have no rules"
    maps = layout_items.map_items(made.layout)
    assert len(maps) == 8
    assert {(item.scale(), item.extent().toString(0)) for item in maps} == {
        (maps[0].scale(), maps[0].extent().toString(0))}
    root = made.layout.itemById(layout_items.LEGEND).model().rootGroup()
    assert root.findGroups() == [] and len({layer.layerId() for layer in root.findLayers()}) == 1
    network.reset()
    layout_export.export_pdf(made.layout, tmp_path / "rain.pdf", 60)
    asked = [seen["parameters"] for seen in network.requests if seen["request"] == "GetMap"]
    assert sorted(one["LAYERS"] for one in asked) == days, "one request for each small map"
    assert len({(*(round(float(edge), 3) for edge in one["BBOX"].split(",")), one["WIDTH"], one["HEIGHT"])
                for one in asked}) == 1, "the same place and size to the millimetre"
    text = pdf_text(tmp_path / "rain.pdf")
    assert all(f"{day} jun" in text for day in ("mié 1", "jue 2", "mié 8")) and "2016 jun" not in text
    assert text.count("Consejería") == 1 and "Escala 1:" in text
    fonts = subprocess.run(["pdffonts", str(tmp_path / "rain.pdf")], capture_output=True, check=True, text=True)
    rows = fonts.stdout.splitlines()[2:]
    assert rows and all(row.split()[-5] == "yes" for row in rows), fonts.stdout
    assert "Light" not in fonts.stdout, "normal weights of Qt 5 that Qt 6 reads as thin ones"


@pytest.mark.slow
@pytest.mark.parametrize("paper", some(["A4", "A3"], 2))
def test_a_whole_service_is_shown_as_its_days_alone_and_the_region_fills_the_frames(network, project, paper):
    known = known_records(network)
    names = [*(f"precipitacion_201606{day:02d}" for day in range(1, 31)), "limite_andalucia", "estaciones"]
    overlay = entry_of(known[network.endpoints["precipitation"]], names)
    made = composed(network, project, base=None, overlays=(overlay, ), extent=REGION, title="Rain", language="en",
                    page=PageSetup(paper, Orientation.LANDSCAPE, "multiples"))
    assert any("Estaciones" in note and "Left out" in note for note in layout_items.layout_notes(made.layout))
    check_complete(made.layout)
    maps = layout_items.map_items(made.layout)
    shown = [[layer.name() for layer in item.layers() if layer.providerType() == "wms"] for item in maps]
    assert [len(names) for names in shown] == [1] * 30 and "Estaciones" not in str(shown)
    outline, extent = region_area(maps[0].extent(), maps[0].crs(), project), maps[0].extent()
    assert extent.contains(outline)
    assert outline.width() > 0.85 * extent.width() and outline.height() > 0.85 * extent.height(), "little margin"
    assert made.layout.itemById("label:1").text() == "Wed 1 Jun"
    boxes = [item.mapRectToScene(item.rect()) for item in maps]
    labels = [item.mapRectToScene(item.rect()) for item in (made.layout.itemById(f"label:{n}") for n in range(1, 31))]
    places = [box.adjusted(0.1, 0.1, -0.1, -0.1) for box in boxes + labels]
    assert not [(one, two) for at, one in enumerate(places) for two in places[at + 1:] if one.intersects(two)]
    assert len({(round(box.width(), 3), round(box.height(), 3)) for box in boxes}) == 1


@pytest.mark.slow
def test_a_day_that_has_no_map_is_told_and_the_export_refuses_it(project, network):
    known = known_records(network)
    days = [f"precipitacion_201606{day:02d}" for day in (1, 2)]
    overlay = entry_of(known[network.endpoints["precipitation"]], days)
    made = composed(network, project, base=None, overlays=(overlay, ), extent=REGION,
                    page=PageSetup("A4", Orientation.LANDSCAPE, "multiples"))
    assert len(layout_items.map_items(made.layout)) == 2, "what is left over leaves no empty box"
    layout_items.map_items(made.layout)[1].setLayers([made.layers[0]])
    with pytest.raises(IncompleteMap) as refused:
        check_complete(made.layout)
    assert "2 de junio" in refused.value.user_text


@pytest.mark.slow
def test_the_sheet_tells_the_services_and_the_leaflet_has_two_sides(project, network, tmp_path):
    made = composed(network, project, language="es", page=PageSetup("A4", Orientation.PORTRAIT, "sheet"))
    assert not layout_items.layout_notes(made.layout)
    frame = made.layout.itemById(layout_items.FACTS)
    rows = {" ".join(row[0].content().split()): [" ".join(cell.content().split()) for cell in row[1:]]
            for row in frame.multiFrame().tableContents()}
    assert rows["Organismo"] == ["Consejería de Sostenibilidad y Medio Ambiente. Junta de Andalucía"] * 2
    assert rows["Crédito obligatorio"] == ["Sí", "Sí"] and rows["Tarifas"] == ["Gratuito"] * 2
    assert frame.multiFrame().totalSize().width() <= 121 and "Despeñaperros" in made.layout.itemById("abstract").text()
    made = composed(network, project, language="es", page=leaflet_page(network))
    assert not layout_items.layout_notes(made.layout)
    layout_export.export_pdf(made.layout, tmp_path / "leaflet.pdf", 50)
    said = subprocess.run(["pdfinfo", str(tmp_path / "leaflet.pdf")], capture_output=True, check=True, text=True).stdout
    assert "Pages:" in said and said.split("Pages:")[1].split()[0] == "2"
    images = subprocess.run(["pdfimages", "-list", str(tmp_path / "leaflet.pdf")], capture_output=True, check=True,
                            text=True).stdout
    assert not re.search(r"image +48 +72 ", images), "the north arrow is drawn as lines, on any paper"


@pytest.mark.parametrize(("crs", "longitude", "turn"), [("EPSG:25830", -6.9, 2.358), ("EPSG:3857", -5.0, 0.0)])
def test_the_north_arrow_is_true_to_the_grids_convergence(project, crs, longitude, turn):
    layout = built(project, crs=crs, extent=None, centre=(longitude, 37.2), scale=50000.0)
    degrees, system = QgsCoordinateReferenceSystem("EPSG:4326"), QgsCoordinateReferenceSystem(crs)
    to_map = QgsCoordinateTransform(degrees, system, project)
    south, north = (to_map.transform(QgsPointXY(longitude, 37.2 + step)) for step in (-0.001, 0.001))
    convergence = math.degrees(math.atan2(north.x() - south.x(), north.y() - south.y()))
    assert layout.itemById(layout_items.NORTH_ARROW).pictureRotation() == pytest.approx(convergence, abs=0.02)
    assert convergence == pytest.approx(turn, abs=0.01)


@pytest.mark.parametrize(("language", "figure"), [("es", "4254,5"), ("en", "4254.5")])
def test_figures_of_grid_and_scale_bar_have_the_languages_decimal_mark_and_no_thousands(language, figure):
    expression = kilometre_expression(500, language).replace("@grid_number", "4254500")
    assert QgsExpression(expression).evaluate() == figure
    bar = built(QgsProject.instance(), language=language, scale=80000.0).itemById(layout_items.SCALEBAR)
    assert bar.numericFormat().formatDouble(0.5, QgsNumericFormatContext()) == f"0{figure[4]}5"


# -- the person's own


def own_template(project, folder, name="propia"):
    layout = QgsPrintLayout(project)
    layout.initializeDefaults()
    item = QgsLayoutItemMap(layout)
    item.setId("map")
    layout.addLayoutItem(item)
    item.attemptResize(QgsLayoutSize(150, 100))
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.qpt"
    layout.saveAsTemplate(str(path), QgsReadWriteContext())
    return path


def test_a_map_without_a_title_has_no_empty_band_and_a_note_says_so(project, network, tmp_path):
    made = composed(network, project, title="", page=PageSetup("A4", Orientation.LANDSCAPE, "guide"))
    shown = made.layout.itemById(layout_items.TITLE).currentText()
    assert shown == "Parque Natural Despeñaperros"
    note, = (note for note in layout_items.layout_notes(made.layout) if "no title" in note)
    assert shown in note


def test_own_templates_are_offered_from_their_folder(project, tmp_path):
    assert templates.user_templates() == [] and templates.templates_folder().name == "templates"
    settings.set("templates_folder", str(tmp_path / "mine"))
    path = own_template(project, tmp_path / "mine")
    assert [(one.title, one.name, one.is_user_made)
            for one in templates.user_templates()] == [("propia", str(path), True)]
    assert [one.name for one in templates.all_templates()] == ["guide", "sheet", "field", "multiples", "leaflet",
                                                               str(path)]
    layout = built(project, page=PageSetup(template=str(path)))
    notes = " ".join(layout_items.layout_notes(layout))
    assert layout.itemById("credits") is None and "“credits”" in notes and "“map”" not in notes


def test_the_page_panel_offers_what_each_template_is_made_for(qtbot, project, tmp_path, monkeypatch):
    panel = PagePanel()
    qtbot.addWidget(panel)
    pages = []
    panel.page_changed.connect(pages.append)
    panel.show_page(PageSetup("A1", Orientation.PORTRAIT, "guide"), ExtentMode.CANVAS, None, "EPSG:25830")
    assert [panel.paper.itemData(at) for at in range(panel.paper.count())] == ["A4", "A3", "A2", "A1", "A0"]
    panel.template.setCurrentIndex(panel.template.findData("multiples"))
    assert pages[-1] == PageSetup("A4", Orientation.LANDSCAPE, "multiples"), "the nearest that there is"
    assert [panel.paper.itemData(at) for at in range(panel.paper.count())] == ["A4", "A3"]
    panel.show_page(pages[-1], ExtentMode.CANVAS, None, "EPSG:25830")
    assert panel.summary.text().startswith("Small multiples · A4 landscape")
    path = own_template(project, tmp_path)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
    panel.template.setCurrentIndex(panel.template.findData("browse"))
    assert pages[-1].template == str(path) and not panel.paper.isEnabled()
    panel.show_page(pages[-1], ExtentMode.CANVAS, None, "EPSG:25830")
    assert panel.template.currentText() == "propia" and panel.summary.text().startswith("propia")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: ("", ""))
    panel.template.setCurrentIndex(panel.template.findData("browse"))
    assert panel.page().template == str(path), "giving up changes nothing"


def days_of_july(count):
    layer = plan().layers[0]
    names = [f"{day} de julio" if day < 32 else f"{day - 31} de agosto" for day in range(1, count + 1)]
    return tuple(replace(layer, source=replace(layer.source, name=f"n{number}"), title=f"Nivel, {name} de 2016")
                 for number, name in enumerate(names))


@pytest.mark.parametrize(("paper", "scale", "count"),
                         itertools.product(["A4", "A3"], [None, 12000000.0], [28, 29, 30, 31]) if ALL else [
                             ("A4", None, 28), ("A3", 12000000.0, 29), ("A4", 12000000.0, 30), ("A3", None, 31)])
def test_each_day_of_any_month_has_a_map_and_the_month_its_summary(project, paper, scale, count):
    layout = built(project, layers=days_of_july(count), scale=scale, extent=REGION.box, language="en",
                   page=PageSetup(paper, Orientation.LANDSCAPE, "multiples"))
    maps = layout_items.map_items(layout)
    assert len(maps) == count and layout.itemById(f"label:{count}").text().endswith(f"{count} Jul")
    summary = [layout.itemById(name) for name in SUMMARY_ITEMS]
    boxes = [item.mapRectToScene(item.rect()).adjusted(0.1, 0.1, -0.1, -0.1) for item in (*maps, *summary)]
    page = layout.pageCollection().page(0)
    assert all(page.mapRectToScene(page.rect()).contains(box) for box in boxes)
    assert not [(one, two) for at, one in enumerate(boxes) for two in boxes[at + 1:] if one.intersects(two)]
    assert not any("maps" in note for note in layout_items.layout_notes(layout))


@pytest.mark.parametrize("language", ["en", "es"])
def test_a_page_with_fewer_maps_than_moments_says_which_it_lacks(project, language):
    layout = built(project, layers=days_of_july(46), language=language,
                   page=PageSetup("A4", Orientation.LANDSCAPE, "multiples"))
    assert any("41 maps" in note and "46" in note for note in layout_items.layout_notes(layout))
    label = layout.itemById("label:42")
    shown, day = label.currentText().replace("\u200b", ""), ("Thu 11 Aug", "Mon 15 Aug") if language == "en" else (
        "jue 11 ago", "lun 15 ago")
    assert shown.startswith("5 ") and all(text in shown for text in day), shown
    assert len(layout_items.map_items(layout)) == 41 and not text_fitting.label_overflows(label)


LEAFLET = PageSetup("A3", Orientation.LANDSCAPE, "leaflet")
VISIT = LeafletTexts("Un parque entre la Meseta y el valle del Guadalquivir. " * 6,
                     "Por la A-4, salida 257.\nEstación: Vilches.", "De martes a domingo, de 9 a 14 h.",
                     "112\nCentro de visitantes: 953 66 43 07")


def leaflet_labels(layout):
    """Texts and headings of the leaflet's panel with their bounds, from top to bottom."""
    names = ("abstract", *layout_items.LEAFLET_TEXTS)
    found = [(name, layout.itemById(item_id)) for name in names for item_id in (f"heading:{name}", name)]
    return [(name, item, item.mapRectToScene(item.rect())) for name, item in found if item is not None]


def letters(layout, name):
    return compat.label_font(layout.itemById(name)).pointSizeF()


def test_a_leaflet_shows_what_visitors_ask_one_below_the_other(project):
    layout = built(project, page=replace(LEAFLET, leaflet=VISIT))
    shown = leaflet_labels(layout)
    assert [name for name, _, _ in shown] == [name for name in ("abstract", *layout_items.LEAFLET_TEXTS)
                                              for _ in range(2)]
    texts = [item.currentText() for _, item, _ in shown]
    assert texts[0] == "La visita" and texts[2:6] == ["Cómo llegar", VISIT.directions, "Horario", VISIT.opening_hours]
    assert texts[6:] == ["Emergencias", VISIT.emergency_numbers]
    bounds = [box for _, _, box in shown]
    # the text for visitors has a panel of its own, and the others are on the back
    assert all(above.bottom() <= below.top() + 0.01 or (above.left() > below.right())
               for above, below in zip(bounds, bounds[1:])), "none on another"
    rule = layout.itemById("back_rule")
    assert bounds[-1].bottom() <= rule.mapRectToScene(rule.rect()).top()
    assert not any(text_fitting.label_overflows(item) for _, item, _ in shown)
    assert len({letters(layout, name) for name in ("abstract", *layout_items.LEAFLET_TEXTS)}) == 1, "one size"


def test_texts_that_a_leaflet_lacks_leave_no_hole(project):
    some = built(project, page=replace(LEAFLET, leaflet=LeafletTexts("Un parque.", emergency_numbers="112")))
    shown = leaflet_labels(some)
    assert [name for name, _, _ in shown] == ["abstract"] * 2 + ["emergency_numbers"] * 2
    text, heading = shown[1][2], shown[2][2]
    assert heading.left() == text.left() and 0 < heading.top() - text.bottom() < 10, "below it on the back"
    described = tuple(replace(layer, service_abstract="WMS de uso público.") for layer in plan().layers)
    plain = built(project, page=LEAFLET, layers=described)
    assert leaflet_labels(plain) == [], "a description of a service is not for visitors"
    inset = plain.itemById(layout_items.INSET)
    assert inset.rect().height() <= 0.86 * inset.rect().width()
    assert plain.itemById("legend") is not None and layout_items.missing_items(plain) == []


def test_the_sea_has_one_colour_on_both_sides_of_a_leaflet(project):
    layout = built(project, page=LEAFLET, extent=REGION.box,
                   layers=tuple(replace(layer, role=MapRole.OVERLAY) for layer in days_of_july(1)))
    maps = [layout_items.main_map(layout), *(item for item in layout_items.items_of_type(layout, QgsLayoutItemMap)
                                             if item.id().startswith("cover"))]
    assert len(maps) >= 2 and {item.backgroundColor().name() for item in maps} == {PALE_SEA}


def test_emergency_numbers_are_whole_however_much_is_said_before(project):
    long = replace(VISIT, visitor_text="Un parque muy grande con muchas cosas que contar. " * 59,
                   directions="Por la carretera. " * 55)
    layout = built(project, page=replace(LEAFLET, leaflet=long))
    for name in layout_items.LEAFLET_TEXTS:
        assert layout.itemById(name).currentText() == getattr(long, name).strip()
    crowded = replace(long, opening_hours="De 9 a 14 h.\n" * 46)
    layout = built(project, page=replace(LEAFLET, leaflet=crowded))
    assert layout.itemById("emergency_numbers").currentText() == long.emergency_numbers
    for name in ("abstract", *layout_items.LEAFLET_TEXTS):
        assert not text_fitting.label_overflows(layout.itemById(name))
    cut = [name for name in ("abstract", *layout_items.LEAFLET_TEXTS)
           if layout.itemById(name).currentText().endswith("…")]
    notes = " ".join(layout_items.layout_notes(layout))
    assert cut and [name for name in cut if name not in notes] == [], "it is said which were cut"


def test_hostile_texts_of_a_leaflet_are_only_text(project):
    hostile = "[% 1 + 1 %] <b>x</b> \u202egro.live"
    layout = built(project, page=replace(LEAFLET, leaflet=LeafletTexts(*[hostile] * 4)))
    for name in ("abstract", *layout_items.LEAFLET_TEXTS):
        text = layout.itemById(name).currentText()
        assert "\u202e" not in text and "2 " not in text, "nothing is evaluated or turned round"
        # marks that no one sees keep QGIS from taking it for an expression or for HTML
        assert text.replace("\u200b", "") == "[% 1 + 1 %] <b>x</b> gro.live" != text


@pytest.mark.parametrize("template", ["guide", "leaflet"])
def test_undo_in_the_designer_takes_back_what_a_person_did_and_not_the_page_itself(network, project, template):
    page = leaflet_page(network) if template == "leaflet" else PageSetup("A4", Orientation.LANDSCAPE, template)
    layout, = composed(network, project, page=page).layouts
    stack = layout.undoStack().stack()
    items = {item.uuid() for item in layout.items() if isinstance(item, QgsLayoutItem)}
    assert not stack.canUndo(), stack.undoText()
    label = QgsLayoutItemLabel(layout)
    layout.addLayoutItem(label)
    assert stack.count() == 1
    stack.undo()
    assert not stack.canUndo()
    assert {item.uuid() for item in layout.items() if isinstance(item, QgsLayoutItem) and item.scene()} == items


def layouts_of(project):
    return sorted(layout.name() for layout in project.layoutManager().printLayouts())


def reopened(project, path):
    """The map's layout from a file of the project: what is not in the file is gone."""
    assert project.write(str(path))
    project.clear()
    assert project.read(str(path))
    return project.layoutManager().layoutByName("Parque")


def test_a_new_layout_takes_the_place_of_one_that_nobody_edited_and_stands_beside_any_other(project, tmp_path):
    def compose():
        return layout_builder.build_layout(project, plan(layers=()), [], name="Parque")

    project.writeProject.connect(lambda: layout_items.note_saved_layouts(project))
    project.readProject.connect(lambda: layout_items.forget_edited_layouts(project))
    compose()
    assert layouts_of(project) == ["Parque"] and layout_items.edited_layout(compose()) is None
    assert layouts_of(project) == ["Parque"]
    # nor one that was saved and opened again
    for number in range(2):
        reopened(project, tmp_path / f"{number}.qgz")
        compose()
    assert layouts_of(project) == ["Parque"]
    edited = project.layoutManager().layoutByName("Parque")
    edited.addLayoutItem(QgsLayoutItemLabel(edited))
    label_ids = {item.uuid() for item in layout_items.items_of_type(edited, QgsLayoutItemLabel)}
    beside = compose()
    assert layouts_of(project) == ["Parque", "Parque (2)"] and layout_items.edited_layout(beside) is edited
    # the next one takes the place of the one beside
    assert compose().name() == "Parque (2)" and layouts_of(project) == ["Parque", "Parque (2)"]
    # what was edited stays edited in the project's file
    edited = reopened(project, tmp_path / "edited.qgz")
    assert {item.uuid() for item in layout_items.items_of_type(edited, QgsLayoutItemLabel)} == label_ids
    assert layout_items.edited_layout(compose()) is edited
    assert layouts_of(project) == ["Parque", "Parque (2)"]
    # an edit that was undone is none
    beside = project.layoutManager().layoutByName("Parque (2)")
    beside.addLayoutItem(QgsLayoutItemLabel(beside))
    beside.undoStack().stack().undo()
    assert compose().name() == "Parque (2)" and layouts_of(project) == ["Parque", "Parque (2)"]


def test_a_layout_that_cartoguide_has_not_made_is_never_replaced(project):
    own = QgsPrintLayout(project)
    own.initializeDefaults()
    own.setName("Parque")
    own.undoStack().stack().clear()
    project.layoutManager().addLayout(own)
    made = layout_builder.build_layout(project, plan(layers=()), [], name="Parque")
    assert layouts_of(project) == ["Parque", "Parque (2)"]
    assert layout_items.edited_layout(made) is None, "it is no layout of the map"
    # a copy of ours, and one that somebody gave another name, are the person's
    project.layoutManager().duplicateLayout(made, "Parque (3)")
    made.setName("Parque (4)")
    names = [layout_builder.build_layout(project, plan(layers=()), [], name="Parque").name() for _ in range(2)]
    assert names == ["Parque (2)"] * 2
    assert layouts_of(project) == ["Parque", "Parque (2)", "Parque (3)", "Parque (4)"]
    # somebody may rename one while its legends are fetched
    made.setName("Sierra")
    assert layout_items.edited_layout(made).name() == "Parque (3)"


def test_a_layout_is_kept_that_was_saved_by_a_program_which_could_not_note_its_edits(project, tmp_path):
    layout_builder.build_layout(project, plan(layers=()), [], name="Parque")
    kept = reopened(project, tmp_path / "first.qgz")
    saved = project.lastSaveDateTime()
    # the same project saved later, with an edit and without Cartoguide
    kept.addLayoutItem(QgsLayoutItemLabel(kept))
    while QDateTime.currentDateTime().toString() == saved.toString():
        pass
    reopened(project, tmp_path / "second.qgz")
    layout_builder.build_layout(project, plan(layers=()), [], name="Parque")
    assert layouts_of(project) == ["Parque", "Parque (2)"]
