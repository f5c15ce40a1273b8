"""The leaflet's table of trails and facilities: real features behind real layers, numbered on the page and the map."""

from __future__ import annotations

import math
import re
import subprocess
from dataclasses import replace

import pytest
from pypdf import PdfReader
from qgis.core import (
    QgsFeature,
    QgsGeometry,
    QgsLayoutItem,
    QgsLayoutItemLabel,
    QgsLayoutItemMap,
    QgsPointXY,
    QgsProject,
    QgsVectorLayer,
)

from plugin.core.custommap.model import Orientation, PageSetup
from plugin.core.errors import Cancelled
from plugin.core.page_design.page_themes import find_theme
from plugin.core.pages.leaflet import LeafletTexts, TableSource
from plugin.core.terms.model import Decision
from plugin.gis.credits.layer_metadata import set_credit
from plugin.gis.credits.map_phrases import map_phrase
from plugin.gis.export import layout_export
from plugin.gis.export.export_transaction import ExportOptions
from plugin.gis.layouts import layout_items
from plugin.gis.own_layers.references import refer_to
from plugin.gis.pages import layout_builder
from plugin.gis.pages import leaflet_table as table_items
from plugin.gis.pages.completeness_checks import IncompleteMap, check_complete
from plugin.gis.pages.feature_names import FeatureNames
from plugin.gis.pages.leaflet_table import TableState, record_table, shown_area
from plugin.gis.pages.leaflet_table_reading import read_table
from plugin.gis.pages.page_measurement import PageMeasurement
from plugin.gis.runtime import compat, tasks
from tests.pairwise import ALL, some
from tests.qgis.print_maps import composed, pdf_text

TRAILS, VIEWS = "senderos", "miradores"
DPI = 60


def leaflet(*sources, **texts):
    return PageSetup("A3", Orientation.LANDSCAPE, "leaflet", leaflet=LeafletTexts(
        table=sources, **{"visitor_text": "Un parque.", **texts}))


def of_service(network, layer, service="facilities"):
    return TableSource(network.endpoints[service], layer)


def made(network, project, *sources, **changes):
    values = {"guide": ("relieve", "limite_parque", TRAILS), "language": "es", **changes}
    return composed(network, project, page=leaflet(*sources), **values)


def labels(layout, prefix):
    return {item.id(): item for item in layout_items.items_of_type(layout, QgsLayoutItemLabel)
            if item.id().startswith(prefix)}


def rows(layout):
    """Number, name and length of each row, read from the page."""
    texts = {item_id.split(":", 2)[2]: item.text()
             for item_id, item in labels(layout, layout_items.TABLE_PREFIX).items()}
    return {key: (texts[str(key)], texts.get(f"{key}:length", ""))
            for key in sorted(int(key) for key in texts if key.isdigit()) if key}


def box(item):
    return item.mapRectToScene(item.rect())


def crossing_a_fold(layout):
    """The labels that are read across a fold."""
    assert [layout_items.vertical_folds(layout, page) for page in (0, 1)] == [[105.0, 210.0, 315.0]] * 2
    bounds = {item: item.rect().translated(item.pagePos()) for item in layout_items.items_of_type(
        layout, QgsLayoutItemLabel) if not item.id().startswith(layout_items.TABLE_NUMBER_PREFIX)}
    return [item.id() for item, box_ in bounds.items() for x in layout_items.vertical_folds(layout, item.page())
            if box_.left() < x < box_.right()]


def problem_of(layout):
    with pytest.raises(IncompleteMap) as refused:
        check_complete(layout)
    return refused.value.user_text


def test_letters_of_the_table_grow_only_as_far_as_names_stay_on_their_lines(network, project):
    page = leaflet(of_service(network, "centros_visitantes"), visitor_text="Un parque.")
    layout = composed(network, project, page=page, language="es").layout
    assert [name for name, _ in rows(layout).values()] == ["Centro de visitantes Puerta de Andalucía"]


@pytest.mark.slow
def test_the_features_behind_two_layers_stand_in_the_table_and_under_their_numbers_on_the_map(network, project,
                                                                                              tmp_path):
    layout = made(network, project, of_service(network, VIEWS), of_service(network, TRAILS, "guide")).layout
    check_complete(layout)
    found = rows(layout)
    assert sorted(found) == list(range(1, len(found) + 1)) and len(found) > 12
    views = {number: name for number, (name, length) in found.items() if not length}
    trails = {name: length for name, length in found.values() if length}
    assert all(name.startswith("Mirador") for name in views.values())
    # measured by hand with ogrinfo on the data of the network, whole trails
    assert all(length.endswith(" km") for length in trails.values()) and "Sendero Arroyo del Rey" in trails
    numbers = labels(layout, layout_items.TABLE_NUMBER_PREFIX)
    assert {int(item.text()) for item in numbers.values()} == set(found)
    frame = box(layout_items.main_map(layout))
    boxes = [box(item) for item in numbers.values()]
    assert all(frame.contains(each) for each in boxes)
    assert not [1 for at, one in enumerate(boxes) for two in boxes[at + 1:] if one.intersects(two)]
    assert not any(box(item).intersects(frame) for item in labels(layout, layout_items.TABLE_PREFIX).values())
    assert crossing_a_fold(layout) == []
    path = tmp_path / "leaflet.pdf"
    layout_export.export_pdf(layout, path, DPI)
    text = pdf_text(path)
    assert map_phrase("es", "table") in text and all(" ".join(name.split()) in text for name, _ in found.values())
    credit = "Consejería de Sostenibilidad y Medio Ambiente. Junta de Andalucía, Equipamientos de uso público"
    assert text.count(credit) >= 2, "below the table and among the credits of the map"


def test_the_table_and_its_numbers_have_the_colour_of_the_pages_theme(network, project):
    page = replace(leaflet(of_service(network, VIEWS)), theme="park")
    layout, heading = composed(network, project, page=page).layout, find_theme("park").heading
    assert compat.label_colour(layout.itemById(f"{layout_items.TABLE_PREFIX}1:0")).name() == heading
    assert layout.itemById(f"{table_items.GROUND_PREFIX}1").symbol().color().name() == heading


def test_a_number_lies_beside_the_feature_that_it_names(network, project):
    from network import REFERENCE

    middle = QgsPointXY(REFERENCE["x"], REFERENCE["y"])
    layout = made(network, project, of_service(network, VIEWS), extent=None, scale=30000.0,
                  centre=(-3.6018, 38.4552)).layout
    item = layout_items.main_map(layout)
    shown = item.extent()
    assert shown.contains(middle), (shown.toString(), REFERENCE)
    place = item.mapToScene(item.rect().width() * (middle.x() - shown.xMinimum()) / shown.width(),
                            item.rect().height() * (shown.yMaximum() - middle.y()) / shown.height())
    near = min((math.dist((box(label).center().x(), box(label).center().y()), (place.x(), place.y())), label.text())
               for label in labels(layout, layout_items.TABLE_NUMBER_PREFIX).values())
    assert near[0] < 12, near


@pytest.mark.slow
def test_the_map_is_measured_as_it_is_printed_with_a_table_and_without_and_not_printed_once_moved(network, project):
    for sources in ((), (of_service(network, VIEWS),)):
        composition = made(network, project, *sources)
        layout = composition.layout
        check_complete(layout)
        if not sources:
            assert layout.itemById("table") is None and layout.itemById("heading:table") is None
            assert network.count("GetFeature") == 0, "nothing is asked that nobody ticked"
        item = layout_items.main_map(layout)
        measured = PageMeasurement(project)
        assert measured.map_size(composition.plan.page, foot=composition.plan) == pytest.approx(
            (item.rect().width(), item.rect().height()))
        extent, _scale, _rotation = measured.placed(composition.plan)
        assert extent.width() == pytest.approx(item.extent().width(), rel=1e-6)
    item.setExtent(item.extent().buffered(-500))
    assert "moved" in problem_of(layout)


#: what comes instead of a table, with words of what is said of it
NO_TABLES = some([
    ("DescribeLayer", {"type": "close"}, "connection"),
    ("DescribeLayer", {"type": "status", "code": 500}, "500"),
    ("DescribeLayer", {"type": "html"}, "web page"),
    ("GetFeature", {"type": "close"}, "connection"),
    ("GetFeature", {"type": "exception", "code": "NoApplicableCode", "text": "Sin memoria"}, "Sin memoria"),
    ("GetFeature", {"type": "body", "text": "<a/>", "content_type": "text/xml", "status": 200}, "another document"),
    ("GetFeature", {"type": "truncate", "share": 0.5}, ""),
    ("GetFeature", {"type": "shorten", "share": 0.5}, ""),
    ("GetFeature", {"type": "body", "text": "<!DOCTYPE a [<!ENTITY b 'c'><!ENTITY d '&b;&b;'>]><a>&d;</a>",
                    "content_type": "text/xml", "status": 200}, ""),
], 2)


@pytest.mark.slow
@pytest.mark.parametrize("faults", [NO_TABLES[at:at + 2] for at in range(0, len(NO_TABLES), 2)])
def test_an_answer_that_is_no_table_is_told_in_words_and_nothing_is_printed(network, project, tmp_path, faults):
    # each fault at another service
    tables = [(of_service(network, VIEWS), "Miradores"), (of_service(network, TRAILS, "guide"), "Senderos señalizados")]
    network.fault(*({"match": {"request": request_name, "endpoint": endpoint}, "action": action}
                    for endpoint, (request_name, action, _) in zip(("facilities", "guide"), faults)))
    layout = made(network, project, *(source for source, _ in tables[:len(faults)])).layout
    told = problem_of(layout)
    for (_, title), (_, _, words) in zip(tables, faults):
        assert f"“{title}”" in told and words in told
        assert any(title in note for note in layout_items.layout_notes(layout))
    assert "The table lacks “Miradores”" in told
    path = tmp_path / "leaflet.pdf"
    with pytest.raises(IncompleteMap):
        layout_export.export_pdf(layout, path, DPI)
    assert not path.exists()
    if not (ALL or faults[0] == NO_TABLES[0]):
        return
    # what is stamped depends on the problem, not on its cause
    stamped = layout_export.export_layouts(layout, path, layout_export.ExportFormat.PDF,
                                           ExportOptions(DPI, stamp_incomplete=True))
    assert any("Miradores" in problem for problem in stamped.problems)


@pytest.mark.slow
def test_too_many_features_and_too_many_bytes_are_refused(network, project, monkeypatch):
    from plugin.gis.pages import leaflet_table_reading as table_reading

    monkeypatch.setattr(table_reading, "MAX_FEATURES", 3)
    assert "more than 3 features" in problem_of(made(network, project, of_service(network, VIEWS)).layout)
    monkeypatch.setattr(table_reading, "MAX_FEATURES", 2000)
    monkeypatch.setattr(table_reading, "_MAX_BYTES", 500)
    assert "The table lacks “Miradores”" in problem_of(made(network, project, of_service(network, VIEWS)).layout)


def test_a_layer_without_features_behind_it_says_what_to_choose(network, project):
    told = problem_of(made(network, project, of_service(network, "relieve", "guide"),
                           of_service(network, "no_hay")).layout)
    assert "no WFS" in told and "vector layer" in told
    assert "no_hay" in told and "not on the map" in told


def own_trails(credit, count=2, name="Mis sendas", each="Senda"):
    layer = QgsVectorLayer("LineString?crs=EPSG:4258&field=nombre:string&field=tipo:string", name, "memory")
    for number in range(count):
        feature = QgsFeature(layer.fields())
        feature.setAttributes([f"{each} {number + 1}", "circular" if number % 2 else "lineal"])
        feature.setGeometry(QgsGeometry.fromPolylineXY([QgsPointXY(-3.55, 38.36 + 0.0005 * number),
                                                        QgsPointXY(-3.45, 38.40)]))
        layer.dataProvider().addFeatures([feature])
    nameless = QgsFeature(layer.fields())
    nameless.setGeometry(QgsGeometry.fromPolylineXY([QgsPointXY(-3.55, 38.36), QgsPointXY(-3.45, 38.37)]))
    layer.dataProvider().addFeatures([nameless])
    layer.setDisplayExpression('"nombre"')
    if credit:
        set_credit(layer, credit, Decision.YES)
    QgsProject.instance().addMapLayer(layer)
    return layer


@pytest.mark.slow
def test_a_layer_of_the_project_is_listed_with_its_credit_kind_and_length(network, project, tmp_path):
    layer = own_trails("Sendas © Ana Pérez, 2024")
    own = refer_to(layer)
    layout = made(network, project, TableSource(own_layer=own.id), own_layers=(own,)).layout
    found = rows(layout)
    assert [name for name, _ in found.values()] == ["Senda 1 (lineal)", "Senda 2 (circular)"]
    assert all(8.9 < float(length.split()[0].replace(",", ".")) < 10.0 for _, length in found.values())
    assert any("have no name" in note or "1" in note for note in layout_items.layout_notes(layout)
               if "Mis sendas" in note)
    path = tmp_path / "leaflet.pdf"
    layout_export.export_pdf(layout, path, DPI)
    assert pdf_text(path).count("Sendas © Ana Pérez, 2024") == 2
    layout.removeLayoutItem(layout.itemById(table_items.CREDITS))
    layout.itemById("credits").setText("nobody")
    assert "Ana Pérez" in problem_of(layout)


def test_the_credit_of_each_layer_of_a_table_is_owed_and_reading_it_can_be_cancelled(network, project):
    composition = made(network, project, of_service(network, VIEWS))
    layout = composition.layout
    credits = ("Sendas © Ana", "Fuentes © Luis", "Miradores © Eva")
    record_table(layout, TableState((), credits, shown_area(layout_items.main_map(layout))))
    label = layout.itemById(layout_items.CREDITS)
    others = "\n".join(dict.fromkeys(line for need in layout_builder.layout_requirements(layout)
                                     for line in need.credits))
    layout.removeLayoutItem(layout.itemById(table_items.CREDITS))
    for missing in credits:
        label.setText("\n".join((others, *(one for one in credits if one != missing))))
        assert missing in problem_of(layout)
    # one that is built again, whose table is read no further
    layout = layout_builder.build_layout(project, composition.plan, composition.layers)
    assert "not been read" in problem_of(layout)
    request = table_items.request_table(layout, composition.plan, project)
    feedback = tasks.Feedback()
    feedback.cancel()
    with pytest.raises(Cancelled):
        read_table(request, feedback)


@pytest.mark.slow
def test_a_long_table_continues_too_and_one_beyond_the_limit_is_refused(network, project, monkeypatch):
    own = refer_to(own_trails("Sendas © Ana", 150))
    sheets = replace(leaflet(TableSource(own_layer=own.id)).leaflet, further_sheet=True)
    layout = composed(network, project, page=replace(leaflet(), leaflet=sheets), language="es", own_layers=(own,),
                      guide=("relieve", "limite_parque", TRAILS)).layout
    found = rows(layout)
    assert len(found) == 150 and all(name.startswith("Senda") for name, _ in found.values())
    assert layout.itemById("further:table") is not None
    check_complete(layout)
    monkeypatch.setattr(table_items, "MAX_ROWS", 9)
    own = refer_to(own_trails("Sendas © Ana", 10))
    told = problem_of(made(network, project, TableSource(own_layer=own.id), own_layers=(own,)).layout)
    assert "10" in told and "no room" in told


def test_a_long_table_goes_on_on_the_panel_beside_it_before_its_names_take_more_lines(network, project):
    own = refer_to(own_trails("Sendas © Ana", 75, each="Senda de la Umbría del Arroyo"))
    page = leaflet(TableSource(own_layer=own.id), visitor_text="Un parque. " * 20, directions="Por la A-4.")
    layout = composed(network, project, page=page, language="es", own_layers=(own,), guide=("limite_parque",)).layout
    check_complete(layout)
    assert len(rows(layout)) == 75 and layout.itemById("further:table") is None
    listed = labels(layout, layout_items.TABLE_PREFIX).values()
    assert not [item.text() for item in listed if "\n" in item.text()]
    panels = {int(item.pagePos().x() // 105) for item in listed}
    assert panels == {1, 2} and crossing_a_fold(layout) == []
    heading, text = (layout.itemById(name) for name in ("heading:table", "abstract"))
    assert heading.pagePos().x() == pytest.approx(text.pagePos().x(), abs=0.1), "it begins below the text"
    assert heading.pagePos().y() >= text.pagePos().y() + text.rect().height()
    shown = [item for item in layout_items.items_of_type(layout, QgsLayoutItemMap) if item.page() == 1]
    assert shown and not [item.id() for item in shown for one in (*listed, heading) if box(item).intersects(box(one))]


@pytest.mark.slow
@pytest.mark.parametrize("bleed", [False, True])
def test_a_further_sheet_has_the_paper_that_the_rest_of_the_table_fills(network, project, tmp_path, bleed):
    own = refer_to(own_trails("Sendas © Ana", 130))
    texts = replace(leaflet(TableSource(own_layer=own.id), visitor_text="Un parque. " * 60, directions="Por la A-4.",
                            bleed=bleed).leaflet, further_sheet=True)
    layout = composed(network, project, page=replace(leaflet(), leaflet=texts), language="es", own_layers=(own,),
                      guide=("limite_parque",)).layout
    path = tmp_path / "leaflet.pdf"
    layout_export.export_pdf(layout, path, DPI)
    first, _, sheet = PdfReader(str(path)).pages
    cut = sheet.trimbox if bleed else sheet.mediabox
    assert float(cut.width) * float(cut.height) < 0.6 * float(first.mediabox.width) * float(first.mediabox.height)
    words = subprocess.run(["pdftotext", "-bbox", "-f", "3", str(path), "-"], capture_output=True, check=True).stdout
    places = [tuple(map(float, found)) for found in re.findall(
        r'xMin="([0-9.]+)" yMin="([0-9.]+)" xMax="([0-9.]+)" yMax="([0-9.]+)"', words.decode())]
    edge = (float(sheet.mediabox.height) - float(cut.height)) / 2
    assert max(bottom for *_, bottom in places) - edge > 0.55 * float(cut.height), "the sheet is filled"
    assert min(left for left, *_ in places) - edge > 14 * 72 / 25.4, "clear of the edge where it is cut"
    marks = [item.id() for item in layout.items() if isinstance(item, QgsLayoutItem) and item.page() == 2
             and item.id().startswith("crop-mark:")]
    assert len(marks) == (8 if bleed else 0)


@pytest.mark.slow
def test_rows_that_two_panels_of_two_columns_have_no_room_for_are_left_out_and_it_is_said(network, project):
    layer = QgsVectorLayer("Point?crs=EPSG:4258&field=nombre:string", "Fuentes", "memory")
    for number in range(300):
        feature = QgsFeature(layer.fields(), number + 1)
        feature.setAttributes([f"Fuente {number + 1}"])
        feature.setGeometry(QgsGeometry.fromPointXY(QgsPointXY(-3.58 + 0.007 * (number % 20),
                                                               38.34 + 0.005 * (number // 20))))
        layer.dataProvider().addFeatures([feature])
    layer.setDisplayExpression('"nombre"')
    set_credit(layer, "Fuentes © Ana", Decision.YES)
    QgsProject.instance().addMapLayer(layer)
    own = refer_to(layer)
    layout = made(network, project, TableSource(own_layer=own.id), own_layers=(own,)).layout
    found = rows(layout)
    left_out = 300 - len(found)
    assert 0 < left_out < 100 and layout.itemById("further:table") is None
    assert sorted(found) == list(range(1, len(found) + 1)), "the numbers are those of the rows that there are"
    assert {int(item.text()) for item in labels(layout, layout_items.TABLE_NUMBER_PREFIX).values()} <= set(found)
    assert [note for note in layout_items.layout_notes(layout) if f"no room for {left_out} rows" in note]
    columns = {round(item.pagePos().x()) for item_id, item in labels(layout, layout_items.TABLE_PREFIX).items()
               if item_id.endswith(layout_items.ROW_NUMBER_SUFFIX)}
    assert len(columns) == 4
    panel = layout.pageCollection().page(1).rect()
    assert all(label.pagePos().y() + label.rect().height() < panel.height() for label in labels(
        layout, layout_items.TABLE_PREFIX).values())


def test_a_feature_without_a_name_is_called_the_same_everywhere(qgis_app):
    layer = QgsVectorLayer("Point?crs=EPSG:4326&field=nombre:string", "x", "memory")
    layer.setDisplayExpression('"nombre"')
    names = FeatureNames(layer)
    for value, expected in ((None, ""), ("", ""), ("  \n", ""), (" Dos\nlíneas ", "Dos líneas"), ("0", "0")):
        feature = QgsFeature(layer.fields(), 7)
        feature.setAttributes([value])
        assert names.name(feature) == expected
        assert names.name_or_number(feature) == (expected or "7")


@pytest.mark.slow
def test_the_pages_read_alike_in_english(network, project, tmp_path):
    layout = made(network, project, of_service(network, VIEWS), language="en").layout
    path = tmp_path / "leaflet.pdf"
    layout_export.export_pdf(layout, path, DPI)
    pages = PdfReader(str(path)).pages
    assert len(pages) == 2 and "Trails and facilities" in pages[1].extract_text()
    assert replace(leaflet()).template == "leaflet"
