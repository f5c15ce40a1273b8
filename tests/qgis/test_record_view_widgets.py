"""The record widgets with plain values: rows, tabs, texts, search in the XML, without network and files."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
from qgis.core import QgsApplication
from qgis.PyQt.QtCore import QPoint, QPointF, Qt, QTimer, QUrl
from qgis.PyQt.QtGui import QFont, QGuiApplication, QImage, QTextDocument, QWheelEvent
from qgis.PyQt.QtWidgets import QApplication, QLabel, QMainWindow

from plugin.app import phrases
from plugin.app.maps.preview_controller import PreviewState
from plugin.app.phrases import sample_summary
from plugin.core.errors import CartoguideError
from plugin.core.library.query import SearchHit
from plugin.core.records.model.operation_grouping import group_operations
from plugin.core.records.model.record import (
    ConnectPoint,
    Contact,
    Extent,
    OnlineResource,
    Operation,
    Overview,
    Record,
    RecordDate,
    ResourceKind,
)
from plugin.core.review.report.html_fragments import html_link
from plugin.core.terms.model import Decision, Licence, Terms, TrailStep
from plugin.core.wms.model.service import Layer, OperationInfo, Service, ServiceLimits, Style
from plugin.ui.record.overview_tab import ExtentPainter, OverviewTab, extent_text
from plugin.ui.record.record_view import RecordView
from plugin.ui.record.terms_tab import TermsTab
from plugin.ui.results.record_list import FactsRole, RecordListView, ResultListModel
from plugin.ui.service.add_layers_dialog import AddLayersDialog
from plugin.ui.service.layer_model import LayerModel
from plugin.ui.service.layer_model import SummaryRole as LayerFactsRole
from plugin.ui.service.service_html import operations_html
from plugin.ui.service.service_view import ServiceView
from plugin.ui.widgets.buttons import CopyButton
from plugin.ui.widgets.labels import wrap_lines
from plugin.ui.widgets.map_preview import MapPreview
from plugin.ui.widgets.rich_text import RichTextView, html_paragraphs, truncate_html
from plugin.ui.widgets.xml_tab import XmlTab
from tests.qgis.waiting import lay_out

CREDIT = "Consejería de Ejemplo, Mapa guía de Ejemplo, 2014"

GUIDE = Record(
    "iso19139", id="a" * 40, kind=ResourceKind.SERVICE, title="Mapa guía de Ejemplo",
    abstract="Base <cartográfica>\n\nde un parque.",
    dates=(RecordDate("2014-11-20", "revision"),), status=("completed",), service_type="OGC:WMS",
    service_versions=("1.3.0",), keywords=("WMS", "uso público"), extents=(Extent(-3.7, -3.3, 38.25, 38.5),),
    contacts=(Contact(organisation="Consejería de Ejemplo", emails=("a@example.org",), role="pointOfContact"),),
    overviews=(Overview("http://127.0.0.1:9/thumb.png", "thumbnail"),),
    operations=(Operation("GetMap", ("HTTP-GET", "HTTP-POST"), tuple(
        ConnectPoint("http://127.0.0.1:9/wms?", format_) for format_ in
        ("image/png", "image/jpeg", "image/gif", "image/png; mode=8bit", "image/tiff", "image/svg+xml"))),
        Operation("sld:DescribeLayer", ("HTTP-GET",), (ConnectPoint("http://127.0.0.1:9/wms?"),))),
    original="<?xml version='1.0'?>\n<a>\n <!-- nota -->\n <b c='1'>Despeñaperros</b>\n</a>".encode())

HIT = SearchHit(1, "a" * 40, "Mapa guía de Ejemplo", "service", "OGC:WMS", 2014, "", "Consejería de Ejemplo", "free",
                "yes", "yes", "http://127.0.0.1:9/wms", "", False, None)

TERMS = Terms(
    texts=("Uso libre y gratuito",), free=Decision.YES, credit_required=Decision.YES, credit=CREDIT,
    chain=(TrailStep("use_limitations", "Consultar la licencia", leads_to="access_constraints"),
           TrailStep("access_constraints", "otherRestrictions", leads_to="other_constraints"),
           TrailStep("other_constraints", "Uso libre y gratuito siempre que se mencione a los autores")))


def layer(name, title, *children, **properties):
    return Layer(name=name, title=title, crs=("EPSG:3042", "EPSG:25830", "EPSG:4326"), layers=tuple(children),
                 **properties)


SERVICE = Service(
    "1.3.0", title="Mapa guía", fees="Gratuito", limits=ServiceLimits(None, 4096, 4096), operations={
        "GetMap": OperationInfo("GetMap", "http://x/", None, ("image/png", "image/jpeg", "application/pdf")),
        "GetFeatureInfo": OperationInfo("GetFeatureInfo", "http://x/", None, ("text/html", )),
        "GetStyles": OperationInfo("GetStyles", "http://x/", None, ("text/xml", ))
    }, root=layer(
        "raiz", "Raíz",
        layer(None, "Relieve", layer("curvas", "Curvas de nivel", scale_range=(1000.0, 50000.0))),
        layer("Vehículos", "Vehículos contra incendios", queryable=True,
              styles=(Style("uno", "Uno"), Style("dos", "Dos")))))


def shown(widget, qtbot, width=320, height=600):
    qtbot.addWidget(widget)
    widget.resize(width, height)
    widget.show()
    qtbot.waitExposed(widget)
    return widget


# -- rows


def test_a_row_has_type_year_and_terms_in_words():
    assert GUIDE.status and phrases.record_summary(GUIDE, TERMS, False) == \
        "Map service · 2014 · free, credit required"


@pytest.mark.parametrize(("codes", "expected"), [
    (("completed",), ""), (("onGoing",), ""), (("superseded",), "superseded"), (("planned", "completed"), "planned"),
    (("historicalArchive",), "historical archive"), (("Revisado en 2019",), "")])
def test_a_status_is_in_the_row_only_where_it_decides_whether_the_record_is_used(codes, expected):
    record = replace(GUIDE, status=codes)
    assert phrases.status_note(record) == expected
    assert phrases.record_summary(record, TERMS, False).endswith(expected or "credit required")


def test_a_starter_record_is_marked_in_its_row():
    assert "starter record" in phrases.record_summary(GUIDE, TERMS, True)


def test_undecided_terms_are_called_unclear():
    assert phrases.terms_summary(Terms()) == "terms unclear"
    assert phrases.terms_summary(Terms(free=Decision.YES)) == "free, credit unclear"


@pytest.mark.parametrize(("service_type", "versions", "expected"), [
    ("OGC:WMS", ("1.3.0",), "Map service"), ("view", ("OGC:WMS 1.1.1",), "Map service"),
    ("OGC:WMS\n  ", (), "Map service"), ("urn:ogc:serviceType:WebMapService:1.3.0", (), "Map service"),
    ("OGC:WFS 2.0.0", (), "Feature service"), ("OGC:WCS", (), "Coverage service"), ("OGC:SOS", (), "SOS"),
    ("view", ("OGC:WMTS 1.0.0",), "Tiled map service"), ("view", (), "Map service"),
    ("other", (), "Other service"),
    ("http://inspire.ec.europa.eu/metadata-codelist/SpatialDataServiceType/download", (), "Download service"),
    ("invoke", (), "Processing service"), ("application", (), "Application"), (None, (), "Service")])
def test_a_service_is_named_in_words(service_type, versions, expected):
    record = Record("x", kind=ResourceKind.SERVICE, service_type=service_type, service_versions=versions)
    assert phrases.record_kind_label(record) == expected


def test_scale_ranges_as_text():
    assert phrases.scale_range_text((1000.0, 50000.0)) == "from 1:50\u202f000 to 1:1\u202f000"
    assert phrases.scale_range_text((None, None)) == ""
    assert phrases.scale_range_text((None, 50000.0)) == "1:50\u202f000 or larger"


def test_the_accessible_text_of_a_row_is_title_and_facts(qgis_app):
    model = ResultListModel(lambda hit: "WMS", lambda hit: None)
    model.set_hits([HIT])
    index = model.index(0)
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == "Mapa guía de Ejemplo. WMS"
    assert index.data(FactsRole) == "WMS"


def test_rows_are_painted_at_any_width(qgis_app, qtbot):
    view = RecordListView()
    picture = QImage(60, 30, QImage.Format.Format_RGB32)
    picture.fill(Qt.GlobalColor.red)
    model = ResultListModel(lambda hit: "WMS 1.3.0", lambda hit: picture)
    model.set_hits([HIT] * 3)
    view.setModel(model)
    for width in (120, 320, 900):
        shown(view, qtbot, width, 200)
        image = view.grab().toImage()
        side = view.visualRect(model.index(0)).height() // 2
        assert image.pixelColor(side, side) == Qt.GlobalColor.red


def test_long_titles_take_two_lines_and_end_in_an_ellipsis(qgis_app, qtbot):
    view = shown(RecordListView(), qtbot)
    lines = wrap_lines("Equipamientos de uso público " * 8, view.font(), 200, 2)
    assert len(lines) == 2
    assert lines[1].endswith("…")
    assert all(view.fontMetrics().horizontalAdvance(line) <= 202 for line in lines)


@pytest.mark.parametrize("points", [10, 12, 15, 18])
def test_the_terms_in_a_row_are_read_whole_in_a_narrow_list(qgis_app, qtbot, points):
    view = RecordListView()
    view.setStyleSheet(f"* {{ font: {points}pt 'DejaVu Sans'; }}")
    model = ResultListModel(lambda hit: sample_summary(), lambda hit: None)
    model.set_hits([HIT] * 3)
    view.setModel(model)
    shown(view, qtbot, 22 * points + 30, 300)
    delegate, row = view.itemDelegate(), view.visualRect(model.index(0))
    button = delegate.add_button_rect(row, model.index(0))
    assert not button.isEmpty()
    for title in ("Mapa", HIT.title * 2):
        _, facts, _ = delegate.row_lines(row, button, title, sample_summary())
        assert " ".join(facts) == sample_summary()


def test_rows_lose_the_height_of_a_narrow_list_where_it_is_wide_again(qgis_app, qtbot):
    view = RecordListView()
    model = ResultListModel(lambda hit: sample_summary(), lambda hit: None)
    model.set_hits([HIT] * 30)
    view.setModel(model)
    heights = []
    for width in (200, 700, 200):
        shown(view, qtbot, width, 300)
        lay_out()
        heights.append(view.visualRect(model.index(0)).height())
    spacing = view.fontMetrics().lineSpacing()
    assert heights[0] == heights[2] == heights[1] + spacing
    # where one line has room for the facts beside nothing but the image, none is empty
    width = view.fontMetrics().horizontalAdvance(sample_summary()) + 3 * spacing + 60
    shown(view, qtbot, width, 300)
    qtbot.waitUntil(lambda: view.visualRect(model.index(0)).height() == heights[1])


# -- tabs


@pytest.fixture
def view(qgis_app, qtbot):
    saved = []
    widget = RecordView(saved.append)
    widget.saved = saved
    shown(widget, qtbot)
    widget.show_record(GUIDE, TERMS, "http://127.0.0.1:9/wms?")
    return widget


def test_the_six_tabs_are_all_reached_in_a_narrow_dock(view):
    bar = view.tabs.tabBar()
    assert [view.tabs.tabText(number) for number in range(view.tabs.count())] == \
        ["Overview", "Terms", "Service", "Metadata", "Checks", "XML"]
    assert all(view.tabs.tabToolTip(number) for number in range(view.tabs.count()))
    # with the wide font of this platform the last one is behind the arrows; it slides in once it is chosen
    assert bar.usesScrollButtons() and bar.tabRect(bar.count() - 2).left() < bar.width()
    view.tabs.setCurrentIndex(bar.count() - 1)
    assert bar.tabRect(bar.count() - 1).left() < bar.width()


@pytest.mark.parametrize("theme", ["default", "Night Mapping"])
def test_the_titles_of_all_tabs_are_whole_in_large_type_and_in_a_dark_theme(qgis_app, qtbot, theme):
    former, font = QgsApplication.instance().styleSheet(), QgsApplication.font()
    large = QFont("DejaVu Sans")
    large.setPointSize(15)
    try:
        QgsApplication.setFont(large)
        QgsApplication.setUITheme(theme)
        view = shown(RecordView(lambda _document: None), qtbot, 420)
        view.show_record(GUIDE, TERMS, None)
        bar = view.tabs.tabBar()
        for number in range(bar.count()):
            place = bar.tabRect(number)
            assert place.left() >= 0 and place.right() <= bar.width(), bar.tabText(number)
            assert place.width() > bar.fontMetrics().horizontalAdvance(bar.tabText(number))
        assert bar.font().pointSizeF() >= 0.7 * 15 - 0.1
    finally:
        QgsApplication.setUITheme("default")
        QgsApplication.instance().setStyleSheet(former)
        QgsApplication.setFont(font)


def test_the_titles_of_the_tabs_follow_a_font_that_is_changed_in_qgis(qgis_app, qtbot):
    """QGIS writes the font of its options into the style sheet of its window."""
    window = QMainWindow()
    qtbot.addWidget(window)
    view = RecordView(lambda _document: None)
    view.show_record(GUIDE, TERMS, None)
    window.setCentralWidget(view)
    window.resize(420, 600)
    window.show()
    bar = view.tabs.tabBar()
    for points in (15, 10):
        window.setStyleSheet(f"* {{ font: {points}pt 'DejaVu Sans'; }}")
        qtbot.waitUntil(lambda points=points: 0.7 * points - 0.1 <= bar.font().pointSizeF() <= points
                        and bar.tabRect(0).left() >= 0 and bar.tabRect(bar.count() - 1).right() <= bar.width())


def test_the_overview_has_abstract_contact_date_extent_and_keywords(view):
    text = view.overview.toPlainText()
    for expected in ("Base <cartográfica>", "de un parque.", "Consejería de Ejemplo", "a@example.org", "2014-11-20",
                     "Completed", "3.7°", "uso público"):
        assert expected in text


def test_a_record_without_layers_leaves_the_next_one_its_layers(view):
    assert view.service.pages.currentIndex() == 0
    view.show_record(replace(GUIDE, id="b" * 40), TERMS, None)
    assert view.service.pages.currentIndex() == 1
    view.show_record(GUIDE, TERMS, "http://127.0.0.1:9/wms?")
    assert view.service.pages.currentIndex() == 0


@pytest.mark.parametrize(("name", "text"), [("0", "0 · example.org … /MapServer"), ("", "example.org … /MapServer"),
                                            ("Usos del suelo", "Usos del suelo")])
def test_a_link_named_by_a_code_shows_where_it_leads(view, name, text):
    link = OnlineResource("https://example.org/arcgis/MapServer", name=name)
    view.show_record(replace(GUIDE, online=(link,)), TERMS, None)
    view.show_overview()
    assert text in view.overview.toPlainText().split("\n")


def test_the_overview_draws_the_extent_and_the_thumbnail_when_it_comes(view, wait_until):
    assert "src=\"map\"" in view.overview.toHtml()
    picture = QImage(300, 200, QImage.Format.Format_RGB32)
    picture.fill(Qt.GlobalColor.blue)
    view.preview.show_state(PreviewState.FAILED.value, "The server does not respond.", None)
    view.show_thumbnail(GUIDE.overviews[0].url, picture)
    wait_until(lambda: "src=\"thumbnail\"" in view.overview.toHtml(), 3)
    # a map of the service above it is picture enough
    view.preview.show_state(PreviewState.LOADED.value, "", picture)
    wait_until(lambda: "src=\"thumbnail\"" not in view.overview.toHtml(), 3)


def test_the_pages_beside_the_overview_have_the_height_of_the_map(view, qtbot):
    view.preview.show_state(PreviewState.LOADING.value, "", None)
    view.show_overview()
    assert view.preview.isVisible()
    bar = view.tabs.mapTo(view, view.tabs.tabBar().pos()).y()
    for page in (view.terms, view.service, view.metadata, view.checks, view.xml):
        view.tabs.setCurrentWidget(page)
        lay_out()
        assert not view.preview.isVisible()
        assert view.tabs.mapTo(view, view.tabs.tabBar().pos()).y() == bar, "the tabs stay under the mouse"


def test_a_usual_credit_is_read_whole_in_large_type(view, qtbot):
    line = "Consejería de Sostenibilidad y Medio Ambiente. Junta de Andalucía, Equipamientos de uso público, 2019"
    view.setStyleSheet("* { font: 15pt 'DejaVu Sans'; }")
    view.resize(320, 600)
    view.show_record(GUIDE, replace(TERMS, credit=line), None)
    lay_out()
    credit = view.header.credit
    lines = wrap_lines(credit.text(), credit.font(), credit.width(), credit.max_lines)
    assert " ".join(lines).endswith("2019") and credit.height() >= len(lines) * credit.fontMetrics().lineSpacing()


def test_no_line_of_the_credit_is_cut_through_in_large_type(view, qtbot):
    line = ("Consejería de Sostenibilidad y Medio Ambiente. Junta de Andalucía, Mapa guía del Parque Natural "
            "Despeñaperros. 2014")
    view.setStyleSheet("* { font: 15pt 'DejaVu Sans'; }")
    title, credit = view.header.title, view.header.credit
    for height in (800, 640, 600, 560):
        view.resize(355, height)
        view.show_record(replace(GUIDE, title="Mapa guía del Parque Natural Despeñaperros. 2014"),
                         replace(TERMS, credit=line), "http://127.0.0.1:9/wms?")
        view.service.show_service(SERVICE, "Loaded at 10:15")
        for page in (view.service, view.checks, view.overview_page):
            view.tabs.setCurrentWidget(page)
            lay_out()
            assert credit.height() >= credit.sizeHint().height(), height
            assert title.height() >= title.sizeHint().height(), height
            lines = wrap_lines(credit.text(), credit.font(), credit.width(), credit.max_lines)
            assert lines[-1].endswith("2014") or height < 640, "the credit comes before the pages, which scroll"
        assert wrap_lines(title.text(), title.font(), title.width(), title.max_lines)[-1].endswith("2014")


def test_the_head_scrolls_away_where_it_leaves_the_tabs_little_of_a_low_screen(view, qtbot):
    line = ("Consejería de Sostenibilidad y Medio Ambiente. Junta de Andalucía, Mapa guía del Parque Natural "
            "Despeñaperros. 2014")

    def show(points, width):
        view.setStyleSheet(f"* {{ font: {points}pt 'DejaVu Sans'; }}")
        view.resize(width, 580)
        view.show_record(replace(GUIDE, title="Mapa guía del Parque Natural Despeñaperros. 2014"),
                         replace(TERMS, credit=line), "http://127.0.0.1:9/wms?")
        view.service.show_service(SERVICE, "Loaded at 10:15")
        view.tabs.setCurrentWidget(view.service)
        lay_out()
        return view.scroll_area.verticalScrollBar()

    def seen(widget):
        return widget.visibleRegion().boundingRect().height()

    bar, tree = show(15, 390), view.service.layers.tree
    lines = view.tabs.fontMetrics().lineSpacing()
    assert bar.maximum() > 0 and bar.value() == 0 and seen(view.header.title) == view.header.title.height()
    # over the layers, of which some are seen: first the head goes
    rows, turn = tree.verticalScrollBar().value(), QPoint(0, -120)
    for _ in range(20):
        QApplication.sendEvent(tree.viewport(), QWheelEvent(
            QPointF(9, 9), QPointF(tree.viewport().mapToGlobal(QPoint(9, 9))), QPoint(), turn,
            Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False))
        if bar.value() == bar.maximum():
            break
        assert tree.verticalScrollBar().value() == rows
    assert bar.value() == bar.maximum() and seen(view.tabs) >= 15 * lines and seen(tree) >= 5 * lines
    view.show_record(replace(GUIDE, id="b" * 40), TERMS, None)
    lay_out()
    assert bar.value() == 0, "another record is read from its title on"
    assert show(9, 390).maximum() == show(12, 440).maximum() == 0, "nothing scrolls where there is room"


@pytest.mark.parametrize(("size", "fills"), [((388, 96), True), ((380, 140), True), ((60, 180), False)])
def test_the_map_fills_its_place_unless_little_of_it_would_be_left(qgis_app, qtbot, size, fills):
    preview = MapPreview()
    preview.limit_height(100)
    shown(preview, qtbot, 400, 104)
    picture = QImage(*size, QImage.Format.Format_RGB32)
    picture.fill(Qt.GlobalColor.blue)
    preview.show_state(PreviewState.LOADED.value, "", picture)
    image = preview.grab().toImage()
    middle, ratio = image.height() // 2, image.devicePixelRatio()
    edges = {image.pixelColor(round(x * ratio), middle).name() for x in (10, preview.width() - 10)}
    assert (edges == {"#0000ff"}) == fills


def test_a_picture_of_another_record_is_not_shown(view, qtbot):
    view.show_thumbnail("http://127.0.0.1:9/other.png", QImage(30, 20, QImage.Format.Format_RGB32))
    qtbot.wait(120)
    assert "src=\"thumbnail\"" not in view.overview.toHtml()


def test_the_extent_map_shows_the_box_and_nothing_without_one(qgis_app, view):
    painter = ExtentPainter(view)
    image = painter.draw(view, GUIDE.extents, 300, 150)
    colours = {image.pixelColor(x, 75).name() for x in range(300)}
    assert len(colours) > 2
    assert painter.draw(view, (Extent(None, 1.0, 2.0, 3.0),), 300, 150) is None
    assert painter.draw(view, (Extent(0.0, 1.0, 80.0, 10.0),), 300, 150) is None


def test_an_extent_is_written_with_its_hemispheres():
    assert extent_text(Extent(-3.7, 3.3, 38.25, 38.5)) == "3.7°\u00a0W to 3.3°\u00a0E, 38.25°\u00a0N to 38.5°\u00a0N"


def test_sentence_credit_and_copy_stand_once_on_the_page_and_the_words_of_the_terms_are_shown(view, qtbot):
    view.tabs.setCurrentWidget(view.terms)
    said = [label.text() for label in view.findChildren(QLabel) if label.isVisible()]
    assert [text.startswith("You may use this free of charge.") for text in said].count(True) == 1
    assert [CREDIT in text for text in said].count(True) == 1
    assert len([button for button in view.findChildren(CopyButton) if button.isVisible()]) == 1
    terms = view.terms
    read = terms.fields.text()
    assert terms.fields.isVisible() and "siempre que se mencione a los autores" in read
    assert read.index("Use limitation") < read.index("Access constraints") < read.index("Other constraints")
    assert "Use limitation" not in terms.details.text(), "each name stands with its words, once"
    qtbot.mouseClick(terms.fold, Qt.MouseButton.LeftButton)
    assert not terms.fields.isVisible() and terms.fold.isVisible()
    qtbot.mouseClick(terms.fold, Qt.MouseButton.LeftButton)
    # terms that were read from no field have nothing to fold
    view.show_record(replace(GUIDE, id="b" * 40), Terms(credit=CREDIT), None)
    assert not terms.fields.isVisible() and not terms.fold.isVisible()


def test_a_page_without_a_head_says_sentence_and_credit_and_copies_it(qgis_app, qtbot):
    terms = shown(TermsTab(), qtbot)
    terms.show_terms(TERMS)
    assert terms.sentence.text().startswith("You may use this free of charge.")
    assert CREDIT not in terms.sentence.text()
    assert terms.credit.text() == CREDIT
    assert terms.credit_heading.text() == "A map must show this credit:"
    QGuiApplication.clipboard().clear()
    qtbot.mouseClick(terms.copy, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == CREDIT
    assert terms.copy.text() == "Copied"


def test_undecided_terms_suggest_showing_the_credit(qgis_app, qtbot):
    tab = shown(TermsTab(), qtbot)
    tab.show_terms(Terms(credit=CREDIT, undecided=("The fees are not said.",)))
    assert tab.credit_heading.text() == "Show this credit, to be safe:"
    assert "The fees are not said." in tab.details.text()


def test_a_licence_is_a_link_and_markup_in_a_record_stays_text(qgis_app, qtbot):
    tab = shown(TermsTab(), qtbot)
    licence = Licence("CC-BY-4.0", "Creative Commons Attribution 4.0", "https://creativecommons.org/licenses/by/4.0/")
    tab.show_terms(Terms(licence=licence, chain=(TrailStep("other_constraints", "<img src='http://x/'>"),)))
    assert 'href="https://creativecommons.org/licenses/by/4.0/"' in tab.details.text()
    assert "<img" not in tab.fields.text() + tab.details.text()
    tab.show_terms(Terms(credit="© <b>Red</b>"))
    assert tab.credit.text() == "© <b>Red</b>" and tab.credit.textFormat() == Qt.TextFormat.PlainText


def test_links_other_than_web_and_mail_are_shown_as_text():
    assert "href" not in html_link("javascript:alert(1)", "press me")
    assert "href" not in html_link("file:///etc/passwd")
    assert 'href="https://example.org/?a=1&amp;b=2"' in html_link("https://example.org/?a=1&b=2", "a <page>")
    assert "&lt;page&gt;" in html_link("https://example.org/", "a <page>")


def test_paragraphs_keep_line_breaks_and_escape():
    assert html_paragraphs("a\nb <c>\n\n d") == "<p>a<br>b &lt;c&gt;</p><p>d</p>"


def test_very_long_sheets_are_cut_at_a_paragraph():
    body = "<p>texto</p>" * 60_000
    shortened = truncate_html(body)
    assert len(shortened) < 410_000
    assert shortened.count("<p>") == shortened.count("</p>")
    assert "XML tab" in shortened


# -- operations and service


def test_repeated_entries_are_folded_with_their_count_and_formats():
    rows = group_operations(GUIDE)
    assert [(row.name, row.entry_count, len(row.addresses), len(row.formats)) for row in rows] == \
        [("GetMap", 6, 1, 6), ("sld:DescribeLayer", 1, 1, 0)]
    assert rows[0].platforms == ("HTTP-GET", "HTTP-POST")


def test_operations_show_the_differences_between_record_and_service():
    html = operations_html(GUIDE, SERVICE)
    assert "6 entries" in html
    assert "do not list this operation" in html
    assert "Only in the capabilities" in html


@pytest.fixture
def service_view(qgis_app, qtbot):
    return shown(ServiceView(), qtbot)


def test_the_service_is_requested_when_its_tab_is_first_shown(qgis_app, qtbot):
    widget = ServiceView()
    qtbot.addWidget(widget)
    requests = []
    widget.load_requested.connect(requests.append)
    widget.show_record(GUIDE, "http://127.0.0.1:9/wms?")
    assert requests == []
    widget.show()
    assert requests == [False]


def test_loading_can_be_cancelled_and_failure_tried_again(service_view, qtbot):
    service_view.show_record(GUIDE, "http://127.0.0.1:9/wms?")
    service_view.show_loading()
    assert service_view.state.progress_bar.isVisible()
    with qtbot.waitSignal(service_view.cancel_requested, timeout=1000):
        qtbot.mouseClick(service_view.state.button, Qt.MouseButton.LeftButton)
    service_view.show_error(CartoguideError("It does not answer. Try later.", "errno 111"))
    assert service_view.state.text_label.text() == "It does not answer. Try later."
    assert service_view.state.details.isVisible()
    assert not service_view.state.progress_bar.isVisible()
    with qtbot.waitSignal(service_view.load_requested, timeout=1000):
        qtbot.mouseClick(service_view.state.button, Qt.MouseButton.LeftButton)


def test_the_live_service_shows_layers_limits_and_time(service_view):
    service_view.show_record(GUIDE, "http://127.0.0.1:9/wms?")
    service_view.show_service(SERVICE, "Loaded at 10:15")
    assert service_view.state.text_label.text() == "Loaded at 10:15"
    assert service_view.buttons.button(0).toolTip() == "Layers (2)"
    about = service_view.about.toPlainText()
    assert "Gratuito" in about
    assert "4096 × 4096" in about
    layers = service_view.layers
    layers.search.setText("vehiculos")
    assert layers.model.rowCount() == 1
    assert layers.model.index(0, 0).data(LayerFactsRole) == "can be queried"
    detail = layers.detail_view.toPlainText()
    assert "Vehículos" in detail
    assert "can be queried" in detail
    assert "EPSG:25830" in detail


def test_a_record_without_a_map_service_sends_no_request(service_view):
    requests = []
    service_view.load_requested.connect(requests.append)
    service_view.show_record(Record("iso19139", title="Datos", kind=ResourceKind.DATASET), None)
    assert "names no map service" in service_view.state.text_label.text()
    # without operations there is nothing to choose
    assert not service_view.pages.isVisible() and not any(b.isVisible() for b in service_view.buttons.buttons())
    service_view.resize(400, 600)
    assert service_view.state.geometry().bottom() < 60
    assert requests == []


def test_a_layer_search_shows_matches_and_every_child_of_a_matching_group(qgis_app):
    model = LayerModel()
    model.show_layers(SERVICE.root)
    model.search("curvas NIVEL")
    assert (model.rowCount(), model.rowCount(model.index(0, 0))) == (1, 1)
    model.search("relieve")
    assert model.rowCount(model.index(0, 0)) == 1
    model.search("nada")
    assert model.rowCount() == 0
    model.search("")
    assert model.rowCount() == 2
    assert model.layer_names([model.index(0, 0), model.index(1, 0)]) == ["curvas", "Vehículos"]


# -- choosing layers


def test_only_what_the_service_offers_can_be_chosen(qgis_app, qtbot):
    dialog = AddLayersDialog("Mapa guía", SERVICE, "EPSG:25830")
    qtbot.addWidget(dialog)
    assert not dialog.isModal()
    assert not dialog.add.isEnabled()
    assert [dialog.format.itemData(row) for row in range(dialog.format.count())] == [None, "image/png", "image/jpeg"]
    qtbot.mouseClick(dialog.all, Qt.MouseButton.LeftButton)
    assert dialog.choice().layers == ("curvas", "Vehículos")
    assert dialog.crs.currentData() == "EPSG:25830"
    assert "project CRS" in dialog.crs.currentText()
    assert {dialog.crs.itemData(row) for row in range(dialog.crs.count())} == {"EPSG:3042", "EPSG:25830", "EPSG:4326"}


def test_the_layers_of_a_service_on_the_map_are_changed_not_added(qgis_app, qtbot):
    dialog = AddLayersDialog("Mapa guía", SERVICE, "EPSG:25830", checked_names=None, is_on_map=True)
    qtbot.addWidget(dialog)
    assert (dialog.windowTitle(), dialog.add.text()) == ("Layers and styles: Mapa guía", "Apply")


def test_a_system_that_the_layers_do_not_offer_is_not_proposed(qgis_app, qtbot):
    dialog = AddLayersDialog("Mapa guía", SERVICE, "EPSG:2062", checked_names=("curvas",))
    qtbot.addWidget(dialog)
    assert dialog.crs.currentData() in ("EPSG:3042", "EPSG:25830", "EPSG:4326")
    assert "EPSG:2062" not in [dialog.crs.itemData(row) for row in range(dialog.crs.count())]


def test_the_chosen_style_goes_with_its_layer(qgis_app, qtbot):
    dialog = AddLayersDialog("Mapa guía", SERVICE, "EPSG:25830", checked_names=None)
    qtbot.addWidget(dialog)
    dialog.tree.setCurrentIndex(dialog.model.index(1, 0))
    assert dialog.style_combo.isEnabled()
    dialog.style_combo.setCurrentIndex(dialog.style_combo.findData("dos"))
    dialog.style_combo.activated.emit(dialog.style_combo.currentIndex())
    chosen = []
    dialog.chosen.connect(chosen.append)
    dialog.add.click()
    assert (chosen[0].layers, chosen[0].styles) == (("curvas", "Vehículos"), ("", "dos"))


def test_ticking_a_group_ticks_what_is_in_it(qgis_app, qtbot):
    dialog = AddLayersDialog("Mapa guía", SERVICE, "EPSG:25830")
    qtbot.addWidget(dialog)
    group = dialog.model.index(0, 0)
    dialog.model.setData(group, Qt.CheckState.Checked, Qt.ItemDataRole.CheckStateRole)
    assert dialog.choice().layers == ("curvas",)
    assert dialog.count.text() == "1 layer chosen"


# -- XML


def test_the_xml_is_searched_forwards_and_backwards_round_the_end(view, qtbot):
    view.tabs.setCurrentWidget(view.xml)
    tab = view.xml
    assert "Despeñaperros" in tab.editor.toPlainText()
    qtbot.keyClicks(tab.search_field, "b")
    first = tab.editor.textCursor().selectionStart()
    qtbot.keyClick(tab.search_field, Qt.Key.Key_Return)
    second = tab.editor.textCursor().selectionStart()
    assert second > first
    qtbot.keyClick(tab.search_field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyRelease(tab.search_field, Qt.Key.Key_Shift)  # else QGIS considers it pressed in all later tests
    assert tab.editor.textCursor().selectionStart() == first
    tab.search_field.setText("no está")
    assert tab.match_label.text() == "not found"


def test_the_xml_is_copied_and_saved_unchanged(view, qtbot):
    view.tabs.setCurrentWidget(view.xml)
    qtbot.mouseClick(view.xml.copy, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text().startswith("<?xml")
    qtbot.mouseClick(view.xml.save, Qt.MouseButton.LeftButton)
    assert view.saved == [GUIDE.original]


def test_the_visible_part_of_the_xml_is_highlighted(view, wait_until):
    view.tabs.setCurrentWidget(view.xml)
    block = view.xml.editor.document().findBlockByNumber(1)
    wait_until(lambda: block.layout().formats(), 3)


def test_five_megabytes_of_xml_do_not_block_the_window(qgis_app, qtbot):
    lines = "".join(f"<a n='{number}'>texto con acentos áéí</a>\n" for number in range(125_000))
    data = f"<r>\n{lines}</r>".encode()
    assert len(data) > 5_000_000
    tab = shown(XmlTab(lambda _data: None), qtbot)
    ticks = [time.thread_time()]  # other work on the machine does not count
    timer = QTimer()
    timer.timeout.connect(lambda: ticks.append(time.thread_time()))
    timer.start(0)
    tab.show_document(data)
    qtbot.waitUntil(lambda: tab.editor.blockCount() == 125_002, timeout=15000)
    timer.stop()
    assert max(later - sooner for sooner, later in zip(ticks, ticks[1:])) < 2.0
    tab.editor.verticalScrollBar().setValue(100_000)
    qtbot.waitUntil(lambda: bool(tab.editor.firstVisibleBlock().layout().formats()), timeout=2000)
    assert not tab.editor.document().findBlockByNumber(50_000).layout().formats()


def test_a_search_finds_text_that_is_not_laid_out_yet(qgis_app, qtbot):
    tab = shown(XmlTab(lambda _data: None), qtbot)
    tab.show_document(b"<r>\n" + b"<a/>\n" * 20_000 + "<b>aquí</b></r>".encode())
    tab.search_field.setText("aquí")
    assert tab.editor.textCursor().selectedText() == "aquí"


def test_one_line_of_megabytes_is_broken_between_its_tags(qgis_app, qtbot):
    tab = shown(XmlTab(lambda _data: None), qtbot)
    tab.show_document(b"<r>" + b"<a>1</a>" * 100_000 + b"</r>")
    qtbot.waitUntil(lambda: tab.editor.blockCount() > 90_000, timeout=15000)


def test_a_page_is_as_wide_with_its_scroll_bar_as_without(qtbot):
    page = OverviewTab()
    qtbot.addWidget(page)
    page.resize(320, 400)
    page.show()
    widths = []
    for policy in (Qt.ScrollBarPolicy.ScrollBarAlwaysOn, Qt.ScrollBarPolicy.ScrollBarAlwaysOff):
        page.setVerticalScrollBarPolicy(policy)
        lay_out()
        widths.append(page._page_width())
    assert widths[0] == widths[1] < 320, "else its pictures would be drawn for one, then for the other, for ever"


def test_a_page_is_laid_out_when_it_becomes_visible(qgis_app, qtbot, monkeypatch):
    """Records selected in passing do not lay out pages on hidden tabs."""
    laid_out: list[str] = []

    def noted(page: RichTextView, html: str) -> None:
        laid_out.append(html)
        super(RichTextView, page).setHtml(html)

    monkeypatch.setattr(RichTextView, "setHtml", noted, raising=False)
    page = RichTextView("Page")
    qtbot.addWidget(page)
    for number in range(5):
        page.show_html(f"<p>Record {number}</p>")
    assert laid_out == []
    page.show()
    assert page.toPlainText() == "Record 4" and len(laid_out) == 1
    page.show_html("<p>Seen at once</p>")
    assert len(laid_out) == 2
    page.hide()
    page.show_html("<p>Behind</p>")
    assert len(laid_out) == 2 and page.toPlainText() == "Behind" and len(laid_out) == 3


def test_the_map_of_the_world_is_drawn_with_its_land(qgis_app, qtbot):
    """The whole world is drawn from outlines that are read in steps, a narrow view from outlines of its own."""
    page = OverviewTab()
    qtbot.addWidget(page)
    painter = ExtentPainter(page)
    world = Extent(west=-180.0, east=180.0, south=-90.0, north=90.0)
    with qtbot.waitSignal(painter.land_read, timeout=20000):
        painter.draw(page, (world,), 300, 165)
    for extent, least in ((world, 0.2), (world, 0.2), (Extent(west=-6.0, east=-2.0, south=37.0, north=41.0), 0.3)):
        picture = painter.draw(page, (extent,), 300, 165)
        assert picture is not None
        colours = [picture.pixelColor(x, y).name() for x in range(5, 300, 10) for y in range(5, 165, 10)]
        commonest = max(set(colours), key=colours.count)
        assert sum(colour != commonest for colour in colours) > least * len(colours)


def test_a_record_of_the_whole_world_gets_its_land_between_events(qgis_app, qtbot):
    page = OverviewTab()
    qtbot.addWidget(page)
    page.show()
    world = Extent(west=-180.0, east=180.0, south=-90.0, north=90.0)

    def colours() -> int:
        picture = page.document().resource(QTextDocument.ResourceType.ImageResource, QUrl("map"))
        return len({picture.pixelColor(x, y).name() for x in range(5, 80) for y in range(5, 40)})

    page.show_record(replace(GUIDE, extents=(world,)))
    first = colours()
    qtbot.waitUntil(lambda: colours() > first, timeout=20000)
