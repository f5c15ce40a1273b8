"""A template of somebody else on another computer: the page is whole, or an issue and a note name what it lacks."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from qgis.core import (
    QgsLayoutItemLabel,
    QgsLayoutItemMap,
    QgsLayoutItemPicture,
    QgsLayoutObject,
    QgsPrintLayout,
    QgsProject,
    QgsProperty,
    QgsReadWriteContext,
)
from qgis.PyQt.QtCore import QRectF
from qgis.PyQt.QtGui import QColor, QImage

from plugin.core.custommap.model import PageSetup
from plugin.core.errors import CartoguideError
from plugin.core.preflight import template_findings
from plugin.core.review.checks.rules import Severity
from plugin.core.terms.model import Decision
from plugin.gis.credits.layer_credits import layers_of_map
from plugin.gis.credits.layer_metadata import set_credit
from plugin.gis.export import layout_export
from plugin.gis.export.export_transaction import ExportOptions
from plugin.gis.layouts import layout_items, template_loading, template_resources
from plugin.gis.pages import layout_builder
from plugin.gis.pages.completeness_checks import page_credits
from plugin.gis.runtime import settings
from tests.pairwise import some
from tests.qgis.foreign_template import (
    FLOWER,
    FONT,
    GENERAL,
    LAYERS,
    LOCKED,
    LOGO,
    OTHER_THEME,
    OVERVIEW,
    THEME,
    insert_theme,
    save_template,
    square,
)
from tests.qgis.print_maps import PARK, composed, pdf_text
from tests.qgis.test_dock_map import both, dock, items  # noqa: F401 - fixtures
from tests.qgis.test_layouts_frame import built, plan

MADE_BY = Path(__file__).resolve().parents[1] / "unit" / "fixtures" / "templates"
DPI = 72
SQUARE_SVG = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'><rect width='9' height='9'/></svg>"
PRIVATE, OF_THE_THEME, BESIDE = (255, 0, 200), (0, 0, 255), (0, 160, 0)


@pytest.fixture(params=some(("running", "3.22", "3.40"), 2))
def theirs(request, tmp_path):
    """A template of somebody else in the person's own folder, made by the QGIS that runs or by that of a version."""
    own = tmp_path / "own"
    own.mkdir()
    settings.set("templates_folder", str(own))
    path = own / "ajena.qpt"
    if request.param == "running":
        save_template(QgsProject(), path)
    else:
        shutil.copy(MADE_BY / f"qgis-{request.param}.qpt", path)
    picture = QImage(40, 40, QImage.Format.Format_RGB32)
    picture.fill(QColor(*BESIDE))
    assert picture.save(str(own / "beside.png"))
    return path


@pytest.fixture
def opened_project(project):
    """A project with a layer that is visible in it, and one that only a theme shows."""
    project.addMapLayer(square("Privada", "255,0,200"))
    shown = square("General", "0,0,255")
    project.addMapLayer(shown)
    project.layerTreeRoot().findLayer(shown).setItemVisibilityChecked(False)
    insert_theme(project, OTHER_THEME, [shown])
    return project


def written(layout, folder):
    """The file of a layout, the fonts and the text in it, and a function for the colour at a place on it."""
    path = folder / "page.pdf"
    layout_export.export_layouts([layout], path, layout_export.ExportFormat.PDF, ExportOptions(DPI))
    fonts = subprocess.run(["pdffonts", str(path)], capture_output=True, text=True, check=True).stdout
    subprocess.run(["pdftoppm", "-r", str(DPI), "-png", "-singlefile", str(path), str(folder / "page")], check=True)
    image = QImage(str(folder / "page.png"))

    def colour_in(place):
        x, y, width, height = place
        pixel = QColor(image.pixel(round((x + width / 2) / 25.4 * DPI), round((y + height / 2) / 25.4 * DPI)))
        return pixel.red(), pixel.green(), pixel.blue()

    names = {re.sub(r"^[A-Z]{6}\+", "", line.split()[0]) for line in fonts.splitlines()[2:]}
    return names, pdf_text(path), colour_in


def is_like(colour, other):
    return all(abs(one - two) < 12 for one, two in zip(colour, other))


def notes_of(layout):
    return "\n".join(note for note in layout_items.layout_notes(layout) if "ajena.qpt" in note)


def test_what_a_template_lacks_is_noted_and_the_written_page_has_nothing_strange(network, opened_project, theirs,
                                                                                   tmp_path):
    layout = composed(network, opened_project, page=PageSetup(template=str(theirs))).layouts[0]
    fonts, text, colour_in = written(layout, tmp_path)
    notes = notes_of(layout)
    assert f"“{FONT}”" in notes and "“Open Sans” is used instead" in notes and notes.count(FONT) == 1
    assert {name.split("-")[0] for name in fonts} == {"OpenSans"}, "the font that the note names"
    assert all(name in notes for name in (LOGO, FLOWER)) and "beside.png" not in notes
    assert "?" not in text and is_like(colour_in((260, 85, 20, 20)), (255, 255, 255)), "no mark in place of a symbol"
    assert is_like(colour_in((255, 45, 30, 30)), BESIDE), "the picture beside the template"
    assert f"shows map themes in “map”: “{THEME}”" in notes
    assert f"does not have the map themes that the template ajena.qpt shows in “overview”: “{THEME}”" in notes
    assert OTHER_THEME not in notes and is_like(colour_in(GENERAL), OF_THE_THEME), "a theme of the project is followed"
    for place in (OVERVIEW, LOCKED):
        assert not is_like(colour_in(place), PRIVATE), "not what happens to be visible in the project"
    assert all(f"“{layer}”" in notes for layer in LAYERS)
    assert not any(word in text for word in (*LAYERS, "secreto")), "no legend and no table of layers that are not here"
    assert "Hoja propia" in text
    for credit in page_credits(layout):
        assert " ".join(credit.split()) in text
    main = layout_items.main_map(layout)
    assert not main.followVisibilityPreset() and not main.keepLayerStyles() and main.keepLayerSet() and main.layers()


def issues_of(made):
    """The issues about the template, once they were looked for anew."""
    made.composer_controller.preflight.refresh()
    return [one for one in made.composer.findings.findings if one.rule.startswith("template")]


def test_the_issues_of_a_map_say_what_the_notes_of_its_page_say(both, theirs):  # noqa: F811
    actions = both.composer_controller
    actions.extent.set_extent(PARK.box)
    assert issues_of(both) == []
    actions.map.commit(page=PageSetup(template=str(theirs)))
    issues = issues_of(both)
    assert sorted((one.rule, one.severity.value) for one in issues) == [
        ("template-font", "warning"), ("template-layers", "warning"), ("template-picture", "warning"),
        ("template-theme", "note"), ("template-theme", "warning")]
    assert all(one.advice and "ajena.qpt" in one.message for one in issues)
    layout = built(QgsProject.instance(), page=PageSetup(template=str(theirs)))
    assert sorted(f"{one.message} {one.advice}" for one in issues) == sorted(notes_of(layout).split("\n"))
    # each issue ends with its reason
    theirs.write_text(theirs.read_text("utf-8").replace(FONT, "Open Sans"), "utf-8")
    assert {one.rule for one in issues_of(both)} == {"template-layers", "template-picture", "template-theme"}
    shutil.copy(theirs.parent / "beside.png", theirs.parent / "escudo.png")
    (theirs.parent / "flor.svg").write_text(SQUARE_SVG, "utf-8")
    assert {one.rule for one in issues_of(both)} == {"template-layers", "template-theme"}
    for theme in (THEME, OTHER_THEME):
        insert_theme(QgsProject.instance(), theme, [])
    kept, = [one for one in issues_of(both) if one.rule == "template-theme"]
    assert kept.severity is Severity.NOTE and "“map”" in kept.message, "only that the map is filled"
    theirs.write_text("no template", "utf-8")
    broken, = issues_of(both)
    assert broken.severity is Severity.ERROR and "ajena.qpt" in broken.message


def test_a_template_from_outside_the_folder_names_what_it_may_not_show(network, opened_project, theirs, tmp_path):
    outside = tmp_path / "ajena.qpt"
    shutil.copy(theirs, outside)
    shutil.copy(theirs.parent / "beside.png", tmp_path)
    layout = composed(network, opened_project, page=PageSetup(template=str(outside))).layouts[0]
    fonts, text, colour_in = written(layout, tmp_path)
    notes = notes_of(layout)
    assert f"“{FONT}”" in notes and {name.split("-")[0] for name in fonts} == {"OpenSans"}
    assert all(name in notes for name in (LOGO, FLOWER, "beside.png", THEME, OTHER_THEME, *LAYERS))
    assert not is_like(colour_in((255, 45, 30, 30)), BESIDE)
    for place in (OVERVIEW, LOCKED, GENERAL):
        assert not any(is_like(colour_in(place), colour) for colour in (PRIVATE, OF_THE_THEME))
    assert not any(word in text for word in (*LAYERS, "secreto", "?"))


@pytest.mark.parametrize("in_folder", [True, False])
def test_expressions_without_a_value_and_broken_pictures_are_issues_and_not_printed(network, opened_project, tmp_path,
                                                                                      in_folder):
    """Labels of a template whose atlas is not here, and pictures that are there and are none."""
    settings.set("templates_folder", str(tmp_path) if in_folder else str(tmp_path / "other"))
    labels = {"own": 'Finca [% "NOMBRE" %] de [% 1 + 1 %]', "unknown": "[% no_such_function(1) %]Hoja 7",
              "title": '[% "OTRA" %]'}
    layout, held = QgsPrintLayout(opened_project), []
    layout.initializeDefaults()

    def put(item, item_id, *place):
        item.setId(item_id)
        item.attemptSetSceneRect(QRectF(*place))
        layout.addLayoutItem(item)
        # Python forgets its half of an item, and QGIS crashes
        held.append(item)
        return item

    for number, (item_id, text) in enumerate(labels.items()):
        put(QgsLayoutItemLabel(layout), item_id, 10, 150 + 10 * number, 100, 8).setText(text)
    put(QgsLayoutItemLabel(layout), "credits", 10, 180, 150, 25)
    put(QgsLayoutItemMap(layout), "map", 10, 10, 190, 130)
    good = QImage(60, 60, QImage.Format.Format_RGB32)
    good.fill(QColor(*BESIDE))
    assert good.save(str(tmp_path / "good.png"))
    (tmp_path / "half.png").write_bytes((tmp_path / "good.png").read_bytes()[:60])
    assert good.save(str(tmp_path / "good.jpg"))
    (tmp_path / "half.jpg").write_bytes((tmp_path / "good.jpg").read_bytes()[:-40])
    (tmp_path / "half.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'><rect", "utf-8")
    for number, name in enumerate(("good.png", "half.png", "half.svg", "half.jpg")):
        put(QgsLayoutItemPicture(layout), name, 210, 10 + 30 * number, 20, 20).setPicturePath(str(tmp_path / name))
    path = tmp_path / "ajena.qpt"
    assert layout.saveAsTemplate(str(path), QgsReadWriteContext())
    made = composed(network, opened_project, page=PageSetup(template=str(path))).layouts[0]
    _, text, colour_in = written(made, tmp_path)
    notes = notes_of(made)
    assert "[%" not in text and "Finca" in text and "de 2" in text and ("Hoja 7" in text or not in_folder)
    assert all(name in notes for name in ('"NOMBRE"', "no_such_function(1)", "half.png", "half.svg",
                                         "half.jpg"))
    assert "OTRA" not in notes and ("damaged" in notes) is in_folder and ("good.png" in notes) is not in_folder
    assert is_like(colour_in((210, 10, 20, 20)), BESIDE) is in_folder
    for top in (40, 70, 100):
        assert is_like(colour_in((210, top, 20, 20)), (255, 255, 255))
    if in_folder:
        # what was mended is no issue any more
        shutil.copy(tmp_path / "good.png", tmp_path / "half.png")
        shutil.copy(tmp_path / "good.jpg", tmp_path / "half.jpg")
        (tmp_path / "half.svg").write_text(SQUARE_SVG, "utf-8")
        assert "half" not in "".join(template_findings.template_notes(template_resources.resolve_template(
            template_loading.read_template(path), tmp_path, opened_project)))


def test_the_pictures_of_the_web_stay_in_a_template_of_the_person(project, theirs):
    theirs.write_text(theirs.read_text("utf-8").replace(LOGO, "http://127.0.0.1:9/escudo.svg"), "utf-8")
    layout = template_loading.load_template(project, theirs)
    paths = {item.id(): item.picturePath() for item in layout_items.items_of_type(layout, QgsLayoutItemPicture)}
    assert paths == {"logo": "http://127.0.0.1:9/escudo.svg", "beside": str(theirs.parent / "beside.png")}


def test_a_missing_picture_keeps_its_path_in_the_layout(project, theirs):
    layout = template_loading.load_template(project, theirs)
    assert layout_items.find_item(layout, "logo", QgsLayoutItemPicture).picturePath() == LOGO


def test_labels_of_a_newer_qgis_keep_their_size(project, theirs):
    layout = template_loading.load_template(project, theirs)
    sizes = {item_id: round(text_size(layout.itemById(item_id))) for item_id in ("title", "credits", "sheet")}
    assert sizes == {"title": 12, "credits": 12, "sheet": 12}


def text_size(label):
    return label.textFormat().size() if hasattr(label, "textFormat") else label.font().pointSizeF()


def test_layers_of_the_project_that_a_template_names_are_shown(project, theirs, tmp_path):
    """Where the project is that of the template, nothing is left out and nothing is said of its layers."""
    author = QgsProject()
    path = theirs.parent / "mine.qpt"
    save_template(author, path)
    for layer in list(author.mapLayers().values()):
        project.addMapLayer(author.takeMapLayer(layer))
    for theme in (THEME, OTHER_THEME):
        insert_theme(project, theme, list(project.mapLayers().values()))
    layout = layout_builder.build_layout(project, plan(page=PageSetup(template=str(path))), [None])
    notes = "\n".join(note for note in layout_items.layout_notes(layout) if "mine.qpt" in note)
    assert "layers" not in notes.replace("fills these maps", "") and "does not have the map themes" not in notes
    shown = {item.id(): {layer.name() for layer in item.layersToRender()}
             for item in layout_items.items_of_type(layout, QgsLayoutItemMap) if item.id() != "map"}
    assert shown == dict.fromkeys(("overview", "locked", "general"), set(LAYERS))
    assert len(layout.multiFrames()) == 1 and layout.atlas().coverageLayer() is not None


def test_a_map_of_any_layout_that_follows_a_missing_theme_owes_the_credits_of_what_it_draws(project):
    layer = square("Visible", "0,0,255")
    set_credit(layer, "© Autora", Decision.YES)
    project.addMapLayer(layer)
    layout = QgsPrintLayout(project)
    layout.initializeDefaults()
    item = QgsLayoutItemMap(layout)
    layout.addLayoutItem(item)
    item.setFollowVisibilityPreset(True)
    item.setFollowVisibilityPresetName("no such theme")
    assert layers_of_map(item) == item.layersToRender() == [layer]
    assert page_credits(layout) == {"© Autora": "Visible"}


def template_with_map(path, change, place=(10, 10, 100, 80)):
    """Save a template with a map whose item is changed."""
    layout = QgsPrintLayout(QgsProject.instance())
    layout.initializeDefaults()
    item = QgsLayoutItemMap(layout)
    item.setId("map")
    if place:
        item.attemptSetSceneRect(QRectF(*place))
    layout.addLayoutItem(item)
    change(item)
    assert layout.saveAsTemplate(str(path), QgsReadWriteContext())


def test_a_theme_or_layers_that_an_expression_chooses_do_not_reach_the_map_that_is_filled(project, tmp_path):
    def choose(item):
        item.setFollowVisibilityPreset(True)
        names = QgsLayoutObject.DataDefinedProperty
        for name, value in ((names.MapStylePreset, "Deslindes"), (names.MapLayers, "Privada")):
            item.dataDefinedProperties().setProperty(name, QgsProperty.fromExpression(f"'{value}'"))

    path = tmp_path / "ajena.qpt"
    settings.set("templates_folder", str(tmp_path))
    template_with_map(path, choose)
    made = built(project, page=PageSetup(template=str(path)))
    main = layout_items.main_map(made)
    assert not main.dataDefinedProperties().hasActiveProperties() and not main.followVisibilityPreset()
    assert "“'Deslindes'”" in notes_of(made)


def test_a_map_without_a_width_is_refused_in_words(project, tmp_path):
    template_with_map(tmp_path / "ajena.qpt", lambda item: None, place=())
    with pytest.raises(CartoguideError, match="no width"):
        built(project, page=PageSetup(template=str(tmp_path / "ajena.qpt")))
