"""Credits are proved on the written page: what is there only in the plan, or cannot be read, is refused in each format.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest
from lxml import etree
from qgis.core import (
    QgsCoordinateTransform,
    QgsFeature,
    QgsFillSymbol,
    QgsGeometry,
    QgsLayoutItemLabel,
    QgsLayoutItemMap,
    QgsLayoutItemPicture,
    QgsLayoutItemShape,
    QgsLayoutPoint,
    QgsLayoutSize,
    QgsPrintLayout,
    QgsProperty,
    QgsRectangle,
    QgsSymbolLayer,
    QgsVectorLayer,
)
from qgis.PyQt.QtGui import QColor, QFont, QImage, QPainter

from plugin.core.terms.model import Decision
from plugin.gis.credits.layer_metadata import set_credit
from plugin.gis.export import layout_export, page_proof
from plugin.gis.export.export_transaction import ExportOptions
from plugin.gis.layouts import credit_legibility
from plugin.gis.pages.completeness_checks import IncompleteMap, layout_problems
from plugin.gis.runtime import compat
from tests.pairwise import ALL, some

DPI = 72
CREDIT = "Agencia del Agua de Andalucía, Red de información ambiental, Ríos 1:10 000, 2020, CC BY 4.0"
KINDS = ("pdf", "png", "jpeg", "svg", "geotiff", "gif")
#: what is read back as the pixels of a PNG are has a part of the faults. Frames take five times as long to write
STEPS = {"jpeg": 3, "geotiff": 3, "gif": 12, "svg": 2}


@pytest.fixture
def layout(project):
    return credited_layout(project)


def credited_layout(project, name="Rivers"):
    """A page with a map of one layer and the label of its credit below the map."""
    layer = QgsVectorLayer("Point?crs=EPSG:25830", "Rivers", "memory")
    set_credit(layer, CREDIT, Decision.YES)
    project.addMapLayer(layer)
    made = QgsPrintLayout(project)
    made.initializeDefaults()
    made.setName(name)
    project.layoutManager().addLayout(made)
    item = QgsLayoutItemMap(made)
    item.setId("map")
    made.addLayoutItem(item)
    item.attemptMove(QgsLayoutPoint(10, 10))
    item.attemptResize(QgsLayoutSize(200, 100))
    item.setExtent(QgsRectangle(0, 0, 2000, 1000))
    item.setLayers([layer])
    label = QgsLayoutItemLabel(made)
    label.setId("credits")
    label.setText(CREDIT)
    compat.set_label_font(label, QFont("DejaVu Sans", 7))
    made.addLayoutItem(label)
    label.attemptMove(QgsLayoutPoint(10, 150))
    label.attemptResize(QgsLayoutSize(100, 12))
    return made


def shape(layout, colour, left, top, width, height):
    item = QgsLayoutItemShape(layout)
    item.setShapeType(QgsLayoutItemShape.Shape.Rectangle)
    item.setSymbol(QgsFillSymbol.createSimple({"color": colour, "outline_style": "no"}))
    layout.addLayoutItem(item)
    item.attemptMove(QgsLayoutPoint(left, top))
    item.attemptResize(QgsLayoutSize(width, height))
    item.setId("cover")
    return item


def off_the_page(layout, label):
    label.attemptMove(QgsLayoutPoint(10, 220))


def half_off_the_page(layout, label):
    label.attemptMove(QgsLayoutPoint(250, 150))


def transparent(layout, label):
    label.setItemOpacity(0)


def white_on_white(layout, label):
    compat.set_label_colour(label, QColor("white"))


def pale_grey(layout, label):
    compat.set_label_colour(label, QColor("#a0a0a0"))


def under_a_shape(layout, label):
    shape(layout, "white", 5, 145, 120, 30)


def half_under_a_shape(layout, label):
    shape(layout, "#303030", 60, 145, 30, 30)


def half_a_point(layout, label):
    compat.set_label_font(label, QFont("DejaVu Sans", 1))
    font = QFont("DejaVu Sans")
    font.setPointSizeF(0.5)
    compat.set_label_font(label, font)


def on_a_black_panel(layout, label):
    shape(layout, "black", 5, 145, 120, 30).setZValue(label.zValue() - 0.5)


def under_the_map(layout, label):
    label.attemptMove(QgsLayoutPoint(20, 20))
    label.setZValue(-5)


def cut_off(layout, label):
    label.attemptResize(QgsLayoutSize(100, 3))


FAULTS = {
    off_the_page: "on the page", half_off_the_page: "on the page", transparent: "opaque", white_on_white: "contrast",
    pale_grey: "contrast", under_a_shape: "“cover”", half_under_a_shape: "“cover”", half_a_point: "0.5 pt",
    on_a_black_panel: "contrast", under_the_map: "covered", cut_off: "credits"
}


@pytest.mark.parametrize("kind", KINDS)
def test_credits_that_nobody_can_read_are_refused_with_the_reason(layout, tmp_path, kind, project):
    path = tmp_path / f"map.{layout_export.EXPORT_FORMATS[kind].suffix}"
    for number, (fault, reason) in enumerate(some(FAULTS.items(), STEPS.get(kind, 1))):
        made = credited_layout(project, f"Rivers {number}")
        fault(made, made.itemById("credits"))
        with pytest.raises(IncompleteMap) as refused:
            layout_export.export_layouts(made, path, kind, ExportOptions(DPI))
        assert any(reason in problem for problem in refused.value.problems), (fault, refused.value.problems)
        assert list(tmp_path.iterdir()) == [], fault


def other_label(layout, label):
    """A second label with the credit makes good for the first one."""
    label.setItemOpacity(0)
    label.setId("another")
    item = QgsLayoutItemLabel(layout)
    layout.addLayoutItem(item)
    item.setText(f"Mapa de ríos. {CREDIT.upper()}")
    item.attemptMove(QgsLayoutPoint(150, 180))
    item.attemptResize(QgsLayoutSize(120, 20))


def turned(layout, label):
    label.setItemRotation(90)
    label.attemptMove(QgsLayoutPoint(240, 50))


def white_on_black(layout, label):
    shape(layout, "#202020", 5, 145, 120, 30).setZValue(label.zValue() - 0.5)
    compat.set_label_colour(label, QColor("white"))


def own_background(layout, label):
    shape(layout, "#202020", 5, 145, 120, 30).setZValue(label.zValue() - 0.5)
    label.setBackgroundEnabled(True)
    label.setBackgroundColor(QColor("#fffbe0"))


def dark_grey(layout, label):
    compat.set_label_colour(label, QColor("#606060"))


def five_points(layout, label):
    font = QFont("DejaVu Sans")
    font.setPointSizeF(5.0)
    compat.set_label_font(label, font)


def over_the_map(layout, label):
    label.attemptMove(QgsLayoutPoint(20, 20))


def beside_a_shape(layout, label):
    shape(layout, "black", 110, 145, 60, 30)


def box_beyond_the_edge(layout, label):
    label.attemptResize(QgsLayoutSize(310, 12))


def bold(layout, label):
    font = QFont("Open Sans", 6)
    font.setBold(True)
    compat.set_label_font(label, font)


GOOD = (other_label, turned, white_on_black, own_background, dark_grey, five_points, over_the_map, beside_a_shape,
        box_beyond_the_edge, bold)


@pytest.mark.parametrize("kind", KINDS)
def test_credits_that_can_be_read_leave_however_they_are_set(tmp_path, kind, project):
    for number, change in enumerate(some(GOOD, STEPS.get(kind, 1))):
        made = credited_layout(project, f"Rivers {number}")
        change(made, made.itemById("credits"))
        done = layout_export.export_layouts(made, tmp_path / f"{number}.{layout_export.EXPORT_FORMATS[kind].suffix}",
                                            kind, ExportOptions(DPI))
        assert done.files[0].exists() and not done.problems
    assert not list(tmp_path.glob("proof*"))


def picture(layout, path, colour, *bounds):
    image = QImage(40, 40, QImage.Format.Format_ARGB32)
    image.fill(QColor(colour))
    image.save(str(path))
    item = QgsLayoutItemPicture(layout)
    item.setPicturePath(str(path))
    item.setResizeMode(QgsLayoutItemPicture.ResizeMode.Stretch)
    layout.addLayoutItem(item)
    item.attemptMove(QgsLayoutPoint(*bounds[:2]))
    item.attemptResize(QgsLayoutSize(*bounds[2:]))
    return item


@pytest.mark.parametrize("kind", ("pdf", "png"))
def test_a_map_that_opaque_items_cover_is_refused(layout, tmp_path, kind):
    """All of its services would be missing from the file in silence."""
    def written():
        try:
            layout_export.export_layouts(layout, tmp_path / f"map.{kind}", layout_export.ExportFormat(kind),
                                         ExportOptions(DPI))
        except IncompleteMap as error:
            assert not list(tmp_path.glob("map*"))
            return str(error)
        return ""

    seen = shape(layout, "255,255,255,128", 5, 5, 220, 110)
    photo = picture(layout, tmp_path / "clear.png", "#80ffffff", 5, 5, 220, 110)
    # the colour of the symbol is not the one that is drawn
    tinted = shape(layout, "white", 5, 5, 220, 110)
    symbol, names = tinted.symbol().clone(), QgsSymbolLayer.Property
    colour = names.FillColor if hasattr(names, "FillColor") else names.PropertyFillColor
    symbol.symbolLayer(0).setDataDefinedProperty(colour, QgsProperty.fromExpression("'255,255,255,128'"))
    tinted.setSymbol(symbol)
    assert not written(), "it is seen through all"
    for item in (seen, photo, tinted):
        layout.removeLayoutItem(item)
    for cover in (lambda: [shape(layout, "white", 9, 9, 150, 102), shape(layout, "red", 150, 9, 61, 102)],
                  lambda: [picture(layout, tmp_path / "opaque.png", "#336699", 9, 9, 202, 102)]):
        for file in tmp_path.glob("map*"):
            file.unlink()
        items = cover()
        assert "cannot be seen" in written()
        assert any("cannot be seen" in sentence for _title, sentence in layout_problems(layout))
        items[0].attemptResize(QgsLayoutSize(120, 102))
        assert not written(), "a part of it is seen"
        for item in items:
            layout.removeLayoutItem(item)
    for file in tmp_path.glob("map*"):
        file.unlink()
    window = shape(layout, "255,255,255,0", 9, 120, 50, 20)
    clip = layout.itemById("map").itemClippingSettings()
    clip.setSourceItem(window)
    clip.setEnabled(True)
    assert "is clipped to" in written()
    clip.setEnabled(False)
    # QGIS's own export of an atlas, whose features lie elsewhere
    areas = QgsVectorLayer("Polygon?crs=EPSG:4326", "areas", "memory")
    item = layout.itemById("map")
    here = QgsGeometry.fromRect(item.extent())
    here.transform(QgsCoordinateTransform(item.crs(), areas.crs(), layout.project()))
    for geometry in (QgsGeometry.fromRect(QgsRectangle(-4, 42, -3, 43)), here):
        feature = QgsFeature()
        feature.setGeometry(geometry)
        areas.dataProvider().addFeature(feature)
    layout.project().addMapLayer(areas, False)
    layout.atlas().setCoverageLayer(areas)
    layout.atlas().setEnabled(True)
    item.atlasClippingSettings().setEnabled(True)
    assert layout.atlas().beginRender() and layout.atlas().first()
    assert any("feature of the atlas" in sentence for _title, sentence in layout_problems(layout))
    assert layout.atlas().next() and not layout_problems(layout)
    window.attemptMove(QgsLayoutPoint(9, 60))
    assert "is clipped to" not in written()


@pytest.mark.parametrize("dpi", some([40, 100, 127, 300, 126, 200], 3))
def test_the_proof_holds_at_coarse_and_at_fine_resolutions(project, tmp_path, dpi):
    for kind, suffix in (("png", "png"), ("jpeg", "jpg")):
        layout_export.export_layouts(credited_layout(project, kind), tmp_path / f"map.{suffix}", kind,
                                     ExportOptions(dpi))
        faulty = credited_layout(project, f"{kind} faulty")
        pale_grey(faulty, faulty.itemById("credits"))
        with pytest.raises(IncompleteMap):
            layout_export.export_layouts(faulty, tmp_path / f"faulty.{suffix}", kind, ExportOptions(dpi))


@pytest.mark.parametrize("kind", some(KINDS, 2))
def test_one_page_of_a_series_is_enough_to_refuse_it(project, tmp_path, kind):
    pages = [credited_layout(project, f"Rivers {number}") for number in range(3)]
    white_on_white(pages[1], pages[1].itemById("credits"))
    suffix = layout_export.EXPORT_FORMATS[kind].suffix
    with pytest.raises(IncompleteMap) as refused:
        layout_export.export_layouts(pages, tmp_path / f"serie.{suffix}", kind, ExportOptions(DPI))
    problem, = refused.value.problems
    assert problem.startswith("Page 2: ") and list(tmp_path.iterdir()) == []
    compat.set_label_colour(pages[1].itemById("credits"), QColor("black"))
    assert layout_export.export_layouts(pages, tmp_path / f"serie.{suffix}", kind, ExportOptions(DPI)).files


def painted_over(file):
    image = QImage(str(file))
    painter = QPainter(image)
    painter.fillRect(0, image.height() * 2 // 3, image.width(), image.height(), QColor("white"))
    painter.end()
    image.save(str(file))


def covered_drawing(file):
    root = etree.parse(str(file)).getroot()
    etree.SubElement(root, "{http://www.w3.org/2000/svg}rect", width="9000", height="9000", fill="white")
    file.write_bytes(etree.tostring(root))


def drawing_without_letters(file):
    """The letters are the shapes that are drawn in black: outlines, which no program reads as text."""
    root = etree.parse(str(file)).getroot()
    letters = [path for path in root.iter("{*}path")
               if (path.get("fill") or path.getparent().get("fill")) == "#000000"]
    assert letters
    for path in letters:
        path.getparent().remove(path)
    file.write_bytes(etree.tostring(root))


@pytest.mark.parametrize(("kind", "spoil"), [("png", painted_over), ("svg", covered_drawing),
                                             ("svg", drawing_without_letters)])
def test_what_the_writer_did_to_the_page_is_found(layout, tmp_path, monkeypatch, kind, spoil):
    """The layout is right, and its file is not: the picture is painted over after it was drawn."""
    real = layout_export.EXPORT_FORMATS[kind]

    def spoilt(some, file, dpi):
        result = real.write(some, file, dpi)
        # what the proof compares the page with is written rightly
        if file.stem == "map":
            spoil(file)
        return result

    monkeypatch.setitem(layout_export.EXPORT_FORMATS, kind, replace(real, write=spoilt))
    with pytest.raises(IncompleteMap):
        layout_export.export_layouts(layout, tmp_path / f"map.{kind}", kind, ExportOptions(DPI))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", KINDS if ALL else ("png", "svg"))
def test_one_covered_word_in_a_page_of_credits_is_found(project, tmp_path, kind):
    made = credited_layout(project)
    label = made.itemById("credits")
    label.setText("\n".join([f"Organismo público número {number}, Mapa temático, {1980 + number}, CC BY 4.0"
                             for number in range(20)] + [CREDIT] + ["Otros datos: elaboración propia"] * 15))
    label.attemptMove(QgsLayoutPoint(10, 115))
    label.attemptResize(QgsLayoutSize(150, 94))
    compat.set_label_font(label, QFont("DejaVu Sans", 5))
    path = tmp_path / f"map.{layout_export.EXPORT_FORMATS[kind].suffix}"
    assert layout_export.export_layouts(made, path, kind, ExportOptions(100)).files
    path.unlink()
    shape(made, "white", 30, 130, 9, 3)
    with pytest.raises(IncompleteMap) as refused:
        layout_export.export_layouts(made, path, kind, ExportOptions(100))
    assert "“cover”" in refused.value.user_text


def test_a_credit_counts_only_in_one_piece(layout, tmp_path):
    layout.itemById("credits").setText(CREDIT[:30])
    layout.itemById("credits").setId("first")
    other_label(layout, layout.itemById("first"))
    rest = next(label for label in layout.items() if isinstance(label, QgsLayoutItemLabel) and not label.id())
    rest.setText(CREDIT[30:])
    with pytest.raises(IncompleteMap) as refused:
        layout_export.export_layouts(layout, tmp_path / "map.pdf", "pdf", ExportOptions(DPI))
    assert CREDIT in refused.value.user_text


def test_every_map_on_the_page_owes_its_credits(layout, tmp_path, project):
    layer = QgsVectorLayer("Point?crs=EPSG:25830", "Roads", "memory")
    set_credit(layer, "Instituto de Carreteras", Decision.YES)
    project.addMapLayer(layer)
    item = QgsLayoutItemMap(layout)
    layout.addLayoutItem(item)
    item.attemptMove(QgsLayoutPoint(220, 10))
    item.attemptResize(QgsLayoutSize(50, 50))
    item.setExtent(QgsRectangle(0, 0, 1000, 1000))
    item.setLayers([layer])
    with pytest.raises(IncompleteMap) as refused:
        layout_export.export_layouts(layout, tmp_path / "map.pdf", "pdf", ExportOptions(DPI))
    assert "Instituto de Carreteras" in refused.value.user_text and "“Roads”" in refused.value.user_text
    layout.itemById("credits").setText(f"{CREDIT}\nInstituto de Carreteras")
    assert layout_export.export_layouts(layout, tmp_path / "map.pdf", "pdf", ExportOptions(DPI)).files


def only_layer(project):
    return next(iter(project.mapLayers().values()))


@pytest.mark.parametrize(("shown", "kind"), some(product(range(3), ["pdf", "png"]), 3))
def test_a_layer_owes_every_line_of_its_credit(layout, tmp_path, project, kind, shown):
    """A service may require a credit of its own beside that of a layer's data."""
    lines = ("Agencia del Agua", "Red de aforos, 2020", "Instituto Geográfico")
    set_credit(only_layer(project), "; ".join(lines), Decision.YES, rights=lines)
    path, label = tmp_path / f"map.{kind}", layout.itemById("credits")
    label.setText("\n".join(line for number, line in enumerate(lines) if number != shown))
    with pytest.raises(IncompleteMap) as refused:
        layout_export.export_layouts(layout, path, kind, ExportOptions(DPI))
    problem, = refused.value.problems
    assert lines[shown] in problem and "“Rivers”" in problem
    assert [title for title, _sentence in layout_problems(layout)] == ["A credit is not on the page"]
    label.setText("\n".join(lines))
    assert layout_problems(layout) == []
    assert layout_export.export_layouts(layout, path, kind, ExportOptions(DPI)).files


@pytest.mark.parametrize("kind", ["pdf", "png"])
def test_a_credit_is_owed_unless_the_terms_say_that_it_is_not(layout, tmp_path, project, kind):
    path = tmp_path / f"map.{kind}"
    layout.itemById("credits").setVisibility(False)
    for required in (Decision.YES, Decision.UNDECIDED):
        set_credit(only_layer(project), CREDIT, required)
        with pytest.raises(IncompleteMap) as refused:
            layout_export.export_layouts(layout, path, kind, ExportOptions(DPI))
        assert CREDIT in refused.value.user_text, required
        assert [title for title, _sentence in layout_problems(layout)] == ["A credit is not on the page"], required
    # a layer of somebody else's project, of which nothing was ever decided
    only_layer(project).removeCustomProperty("cartoguide/credit_required")
    with pytest.raises(IncompleteMap):
        layout_export.export_layouts(layout, path, kind, ExportOptions(DPI))
    set_credit(only_layer(project), CREDIT, Decision.NO)
    assert layout_export.export_layouts(layout, path, kind, ExportOptions(DPI)).files and layout_problems(layout) == []


def test_every_layer_of_a_map_owes_its_credit_wherever_it_lies(layout, tmp_path, project):
    credits = ("Instituto de Carreteras", "Servicio Forestal", "Catastro")
    added = [QgsVectorLayer("Point?crs=EPSG:25830", name, "memory") for name in ("Roads", "Woods", "Plots")]
    for layer, credit in zip(added, credits):
        set_credit(layer, credit)
    project.addMapLayers(added)
    layout.itemById("map").setLayers([*added, only_layer(project)][-4:])
    for missing in credits:
        layout.itemById("credits").setText("\n".join(one for one in (CREDIT, *credits) if one != missing))
        with pytest.raises(IncompleteMap) as refused:
            layout_export.export_layouts(layout, tmp_path / "map.pdf", "pdf", ExportOptions(DPI))
        assert missing in refused.value.user_text
    # what is not drawn owes nothing
    added[0].setOpacity(0)
    layout.itemById("credits").setText("\n".join((CREDIT, *credits[1:])))
    compat.set_label_font(layout.itemById("credits"), QFont("DejaVu Sans", 5))
    assert layout_export.export_layouts(layout, tmp_path / "map.pdf", "pdf", ExportOptions(DPI)).files


def test_a_stamped_map_says_what_cannot_be_read(layout, tmp_path):
    white_on_white(layout, layout.itemById("credits"))
    done = layout_export.export_layouts(layout, tmp_path / "map.pdf", "pdf",
                                        ExportOptions(DPI, stamp_incomplete=True))
    assert done.files[0].exists() and "contrast" in done.problems[0]


@pytest.mark.parametrize("kind", ["pdf", "svg"])
def test_a_page_is_proved_where_nothing_reads_its_format(project, tmp_path, monkeypatch, kind):
    monkeypatch.setattr(page_proof, f"{kind}_readable", lambda: False)
    layout_export.export_layouts(credited_layout(project), tmp_path / f"map.{kind}", kind, ExportOptions(DPI))
    for number, fault in enumerate((white_on_white, under_a_shape, transparent, pale_grey)):
        made = credited_layout(project, f"Rivers {number}")
        fault(made, made.itemById("credits"))
        with pytest.raises(IncompleteMap):
            layout_export.export_layouts(made, tmp_path / f"faulty.{kind}", kind, ExportOptions(DPI))


def test_the_check_of_any_layout_finds_the_same_before_it_is_written(project):
    for number, (fault, reason) in enumerate(FAULTS.items()):
        made = credited_layout(project, f"Rivers {number}")
        assert layout_problems(made) == []
        fault(made, made.itemById("credits"))
        assert any(reason in sentence for _, sentence in layout_problems(made)), fault
    for number, change in enumerate(GOOD):
        made = credited_layout(project, f"Good rivers {number}")
        change(made, made.itemById("credits"))
        assert layout_problems(made) == [], change


def test_a_text_refused_for_few_letters_is_told_with_their_contrast():
    numpy = pytest.importorskip("numpy")
    model = numpy.full((256, 256, 3), 255, numpy.uint8)
    model[4::16, ::2] = 0
    pixels = model.copy()
    pixels[:16, :96] = 90
    measure = credit_legibility.measure_text(pixels, model, 8.0)
    assert not measure.is_legible and measure.lost_share < 0.05
    assert measure.contrast < credit_legibility.MIN_CONTRAST


def test_contrast_is_that_of_wcag():
    ratio = credit_legibility.contrast_ratio
    assert ratio((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
    assert ratio((0x77, 0x77, 0x77), (255, 255, 255)) == pytest.approx(4.48, abs=0.01)
    assert ratio((10, 20, 30), (10, 20, 30)) == 1
