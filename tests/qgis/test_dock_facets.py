"""Filters above the list and extents on the map canvas: they filter, are updated, and are cleaned up."""

from __future__ import annotations

import itertools
from types import SimpleNamespace

import pytest
from qgis.core import QgsCoordinateReferenceSystem, QgsPointXY, QgsRectangle
from qgis.gui import QgsMapCanvas, QgsMessageBar, QgsRubberBand
from qgis.PyQt.QtCore import QEvent, QPoint, QPointF, QRect, Qt
from qgis.PyQt.QtGui import QMouseEvent, QWheelEvent
from qgis.PyQt.QtWidgets import QApplication, QToolButton

from plugin.core.library.query import FacetCounts, SortOrder
from plugin.core.library.record_store import RecordStore
from plugin.core.records import read
from plugin.gis.library.record_library import store_path
from plugin.ui.results.facet_row import SidewaysArea
from plugin.ui.results.record_list import symbol_name
from plugin.ui.widgets.theme import icon


@pytest.fixture
def canvas(qgis_app, qtbot):
    widget = QgsMapCanvas()
    qtbot.addWidget(widget)
    widget.resize(400, 400)
    widget.setDestinationCrs(QgsCoordinateReferenceSystem("EPSG:4326"))
    widget.show()
    return widget


@pytest.fixture
def dock(qtbot, wait_until, canvas, repository, open_dock):
    fill(repository / "resources" / "records" / "park-guide.xml")
    bar = QgsMessageBar()
    qtbot.addWidget(bar)
    widget = open_dock(320, iface=SimpleNamespace(mapCanvas=lambda: canvas, messageBar=lambda: bar))
    settled(widget, wait_until)
    return widget


def fill(guide):
    """Four records in a row from west to east, each with a keyword of its own."""
    text = guide.read_text(encoding="utf-8").replace("cartoguide:starter", "nuevo")
    record = read(guide.read_bytes())[0]
    box = record.extents[0]
    records = []
    for number in range(4):
        own = text.replace(record.id, str(number) * 40).replace(record.title, f"Hoja {number}")
        own = own.replace(f">{record.keywords[0]}<", f">Clave {number}<")
        for name, value in (("west", number * 2.0), ("east", number * 2.0 + 1)):
            own = own.replace(f">{getattr(box, name)}<", f">{value}<")
        records.append((read(own.encode())[0], f"{number}.xml"))
    store = RecordStore(store_path())
    store.save("here", "folder", "Hojas", records)
    store.close()


def settled(dock, wait_until):
    wait_until(lambda: not dock.session.loading and not dock.session._count_worker.pending)


def titles(dock):
    return sorted(hit.title for hit in dock.model.hits)


def chip(dock, words):
    return next(button for button in dock.facets.findChildren(QToolButton)
                if button.text().startswith(words) and not button.isHidden())


def test_chips_tell_how_many_records_there_are_of_each_kind(dock):
    assert dock.facets.total.text() == f"{dock.model.rowCount()} records"
    assert chip(dock, "Services").text() == f"Services {sum(hit.kind == 'service' for hit in dock.model.hits)}"


def test_a_facet_narrows_the_list_and_a_click_on_its_chip_takes_it_off(dock, wait_until):
    dock.facets.set_value("keyword", "Clave 1", True)
    settled(dock, wait_until)
    assert titles(dock) == ["Hoja 1"]
    assert dict(dock.facets._counts["keyword"])["Clave 2"] == 1
    chip(dock, "Clave 1").click()
    settled(dock, wait_until)
    assert len(titles(dock)) > 4
    assert not any(button.text().startswith("Clave 1") for button in dock.facets.findChildren(QToolButton)
                   if not button.isHidden())


def test_the_menu_names_sources_and_terms_in_words(dock):
    dock.facets._fill_filter_menu()
    menus = {
        action.text(): [line.text() for line in action.menu().actions()]
        for action in dock.facets.filter_button.menu().actions() if action.menu() is not None
    }
    assert "Hojas  4" in menus["Source"]
    assert any(line.startswith("Free") for line in menus["Terms"])
    assert "Clave 3  1" in menus["Keyword"]


def test_services_of_one_kind_are_one_line_however_their_records_call_it(dock, wait_until, repository):
    guide = repository / "resources" / "records" / "park-guide.xml"
    text = guide.read_text(encoding="utf-8").replace("cartoguide:starter", "nuevo")
    text = text.replace("<gco:LocalName>OGC:WMS<", "<gco:LocalName>urn:ogc:serviceType:WebMapService<")
    record = read(text.replace(read(guide.read_bytes())[0].id, "9" * 40).encode())[0]
    other = record.service_type
    dock.session.library.store_if_open.save("here", "folder", "Hojas", [(record, "9.xml")])
    dock.run_search()
    settled(dock, wait_until)
    everything = dict(dock.facets._counts["service_type"])
    assert {other, "OGC:WMS"} <= set(everything)
    dock.facets._fill_filter_menu()
    (kinds, ) = [
        action.menu() for action in dock.facets.filter_button.menu().actions() if action.text() == "Service type"
    ]
    (line,) = [action for action in kinds.actions() if action.text().startswith("Map service ")]
    assert line.text() == f"Map service  {everything[other] + everything['OGC:WMS']}"
    line.trigger()
    settled(dock, wait_until)
    assert record.title in titles(dock) and "Hoja 1" in titles(dock)
    assert len([button for button in dock.facets.findChildren(QToolButton)
                if button.text().startswith("Map service ") and not button.isHidden()]) == 1
    chip(dock, "Map service ").click()
    assert "service_type" not in dock.facets.selected


def test_the_maps_view_narrows_and_follows_the_map(dock, canvas, wait_until):
    canvas.setExtent(QgsRectangle(0, 38, 1, 39))
    dock.facets.in_view_chip.click()
    settled(dock, wait_until)
    assert "Hoja 0" in titles(dock)
    assert "Hoja 3" not in titles(dock)
    canvas.setExtent(QgsRectangle(6, 38, 7, 39))
    wait_until(lambda: "Hoja 3" in titles(dock) and "Hoja 0" not in titles(dock))


def test_an_order_by_title_is_one(dock, wait_until):
    dock.facets.set_sort(SortOrder.TITLE)
    settled(dock, wait_until)
    sheets = [hit.title for hit in dock.model.hits if hit.title.startswith("Hoja")]
    assert sheets == ["Hoja 0", "Hoja 1", "Hoja 2", "Hoja 3"]
    assert dock.facets.order.text() == "Title"
    dock.facets.set_sort(SortOrder.DATE)
    settled(dock, wait_until)
    stamps = [hit.date_stamp for hit in dock.model.hits]
    assert stamps == sorted(stamps, reverse=True)


def test_nothing_like_this_leads_back_to_everything(dock, canvas, wait_until):
    canvas.setExtent(QgsRectangle(100, -10, 101, -9))
    dock.facets.in_view_chip.click()
    settled(dock, wait_until)
    assert titles(dock) == []
    assert "No record matches the filters" in dock.list.empty_label.text()
    dock.list.empty_label.linkActivated.emit("#clear")
    settled(dock, wait_until)
    assert len(titles(dock)) > 4
    assert not dock.facets.in_view_chip.isChecked()


def buttons_of(facets):
    """The chips and menus, without the arrows that scroll the line."""
    arrows = (facets.chips_area.left, facets.chips_area.right)
    return [button for button in facets.findChildren(QToolButton) if button not in arrows]


def place_in(widget, parent):
    return QRect(widget.mapTo(parent, QPoint(0, 0)), widget.size())


@pytest.fixture
def facets_line(dock, qtbot):
    """A function that gives the line of filters a width and a font size, with four filters set. It returns the line."""
    def make(width, points):
        values = {"kind": [("service", 12), ("dataset", 3), ("series", 1)],
                  "licence": [("free", 14)], "year": [("2014", 5), ("2016", 2)],
                  "organisation": [("Consejería de Sostenibilidad y Medio Ambiente", 9)]}
        line = dock.facets
        line.restore({"licence": ("free", ), "year": ("2014", "2016"),
                      "organisation": ("Consejería de Sostenibilidad y Medio Ambiente", )}, "", "relevance")
        line.show_counts(FacetCounts(16, values), {})
        dock.setStyleSheet(f"* {{ font: {points}pt }}")
        dock.resize(width, 700)
        qtbot.waitUntil(lambda: dock.width() == width)
        for _ in range(5):
            QApplication.processEvents()
        return line

    return make


def test_the_filters_are_one_line_that_scrolls_sideways(facets_line):
    for width, points in itertools.product((250, 320, 400), (9, 12, 15)):
        line = facets_line(width, points)
        chips = [line.total, *line._chips.values(), line.in_view_chip, line.extents]
        assert len(chips) >= 9
        viewport = line.chips_area.area.viewport()
        bar = line.chips_area.area.horizontalScrollBar()
        assert bar.maximum() > 0, (width, points)
        tops = {place_in(chip, line).center().y() for chip in chips}
        assert max(tops) - min(tops) <= 1, f"one line at {width} px, {points} points"
        for chip in chips:
            place = place_in(chip, viewport)
            assert place.top() >= 0 and place.bottom() < viewport.height(), (chip.text(), width, points)
        for fixed in (line.filter_button, line.order):
            assert line.rect().contains(fixed.geometry()), (width, points)
            assert fixed.width() >= fixed.sizeHint().width(), (width, points)
        assert line.height() <= line.filter_button.sizeHint().height() + 4, (width, points)


@pytest.mark.parametrize("width", [250, 400])
def test_every_filter_comes_into_sight_by_keyboard_wheel_and_arrows(facets_line, width, qtbot):
    line = facets_line(width, 12)
    area = line.chips_area.area
    bar, viewport = area.horizontalScrollBar(), area.viewport()
    chips = [*line._chips.values(), line.in_view_chip, line.extents]
    line.window().activateWindow()
    qtbot.waitUntil(line.window().isActiveWindow)
    chips[0].setFocus(Qt.FocusReason.TabFocusReason)
    for chip in chips:
        assert chip.hasFocus() and chip.accessibleName() and chip.focusPolicy() & Qt.FocusPolicy.TabFocus
        place = place_in(chip, viewport)
        seen = place.intersected(viewport.rect())
        assert seen.width() >= min(place.width(), viewport.width() - 20), chip.text()
        qtbot.keyClick(chip, Qt.Key.Key_Tab)
    assert line.filter_button.hasFocus()
    bar.setValue(0)
    place = viewport.rect().center()
    for _ in range(60):
        QApplication.sendEvent(viewport, QWheelEvent(
            QPointF(place), QPointF(viewport.mapToGlobal(place)), QPoint(), QPoint(0, -120), Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False))
    assert bar.value() == bar.maximum()
    qtbot.waitUntil(lambda: line.chips_area.left.isEnabled() and not line.chips_area.right.isEnabled())
    for _ in range(30):
        qtbot.mouseClick(line.chips_area.left, Qt.MouseButton.LeftButton)
        QApplication.processEvents()
    assert bar.value() == 0 and line.chips_area.right.isEnabled()


def test_a_line_of_filters_that_fits_has_no_arrows(dock, qtbot):
    dock.resize(1200, 700)
    qtbot.waitUntil(lambda: not dock.facets.chips_area.right.isVisible())
    assert dock.facets.chips_area.area.horizontalScrollBar().maximum() == 0
    assert dock.minimumSizeHint().width() <= 320


def test_the_line_begins_with_the_number_again_once_no_filter_is_set(facets_line):
    line = facets_line(320, 12)
    bar = line.chips_area.area.horizontalScrollBar()
    bar.setValue(bar.maximum())
    for facet, values in list(line.selected.items()):
        for value in values:
            assert bar.value() > 0
            line.set_value(facet, value, False)
    assert bar.value() == 0


@pytest.mark.parametrize("widths", [(600, 230), (600, 246, 230), (230,)])
def test_the_arrows_are_inside_the_line_after_every_change_of_its_width(qtbot, widths):
    line = SidewaysArea("left", "right")
    qtbot.addWidget(line)
    for number in range(3):
        button = QToolButton()
        button.setText(f"a long text, number {number}")
        line.add_widget(button)
    line.resize(700, 30)
    line.show()
    QApplication.processEvents()
    for width in widths:
        line.resize(width, 30)
    for _ in range(8):
        QApplication.processEvents()
    assert line.left.isVisible() and line.left.geometry().left() == 0
    assert line.right.geometry().right() == line.width() - 1


def test_a_filter_that_is_set_in_the_menu_comes_into_sight(facets_line, qtbot):
    line = facets_line(320, 12)
    line.chips_area.area.horizontalScrollBar().setValue(0)
    line.set_value("keyword", "Espacios naturales", True)
    chip = line._chips[("keyword", "Espacios naturales")]
    viewport = line.chips_area.area.viewport()
    qtbot.waitUntil(lambda: viewport.rect().intersects(place_in(chip, viewport)))


def test_extents_are_drawn_while_wished_and_gone_when_the_dock_goes(dock, canvas, qtbot, wait_until):
    def bands():
        return [item for item in canvas.scene().items() if isinstance(item, QgsRubberBand)]

    before = len(bands())
    assert dock.list_page.results.extent_overlay.drawn_identifiers == []
    dock.facets.extents.click()
    assert len(bands()) - before == len(dock.list_page.results.extent_overlay.drawn_identifiers) >= 4
    dock.search.setText("hoja 2222")
    wait_until(lambda: dock.list_page.results.extent_overlay.drawn_identifiers == ["2" * 40])
    dock.close_down()
    assert len(bands()) == before


def test_a_click_on_an_extent_chooses_its_record(dock, canvas, qtbot, wait_until):
    canvas.setExtent(QgsRectangle(-1, 35, 9, 42))
    dock.facets.extents.click()
    wait_until(lambda: len(dock.list_page.results.extent_overlay.drawn_identifiers) >= 4)
    middle = (read_box(dock, "1" * 40)[0] + 0.5, sum(read_box(dock, "1" * 40)[1::2]) / 2)
    pixel = canvas.getCoordinateTransform().transform(QgsPointXY(*middle))
    place = QPoint(round(pixel.x()), round(pixel.y()))
    for kind in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonRelease):
        event = QMouseEvent(kind, QPointF(place), QPointF(place), Qt.MouseButton.LeftButton, Qt.MouseButton.LeftButton,
                            Qt.KeyboardModifier.NoModifier)
        QApplication.sendEvent(canvas.viewport(), event)
    wait_until(lambda: dock.view.record is not None and dock.view.record.id == "1" * 40)


def read_box(dock, identifier):
    return next(hit.bbox for hit in dock.model.hits if hit.identifier == identifier)


def test_the_row_under_the_mouse_is_strong_on_the_map(dock, wait_until):
    dock.facets.extents.click()
    row = dock.model.row_of("3" * 40)
    dock.list.entered.emit(dock.model.index(row))
    widths = {name: band.width() for name, band in dock.list_page.results.extent_overlay._bands.items()}
    assert [name for name, width in widths.items() if width == 3] == ["3" * 40]


def test_the_extent_under_the_mouse_frames_its_row_and_a_row_is_shown_on_the_map(dock, canvas):
    dock.facets.extents.click()
    box = read_box(dock, "2" * 40)
    canvas.xyCoordinates.emit(QgsPointXY(box[0] + 0.5, (box[1] + box[3]) / 2))
    assert dock.model.hit(dock.list.highlighted_row).identifier == "2" * 40
    canvas.xyCoordinates.emit(QgsPointXY(170, -80))
    assert dock.list.highlighted_row == -1
    dock.facets.extents.click()
    dock.list.setCurrentIndex(dock.model.index(dock.model.row_of("3" * 40)))
    menu = dock.record_actions.context_menu.build_menu()
    line = next(action for action in menu.actions() if action.text() == "Show on the map")
    line.trigger()
    box = read_box(dock, "3" * 40)
    assert canvas.extent().contains(QgsRectangle(*box))
    assert canvas.extent().width() < 4 * (box[2] - box[0])
    assert "3" * 40 in dock.list_page.results.extent_overlay.drawn_identifiers


def test_both_docks_fit_a_laptop(dock, wait_until):
    # a screen 768 high, less QGIS's menus, two tool bars, status bar and the desktop's own panel
    wait_until(lambda: dock.minimumSizeHint().height() <= 580, 5)
    dock.compose_dock.open()
    wait_until(lambda: dock.compose_dock.minimumSizeHint().height() <= 580, 5)
    assert dock.facets.height() >= dock.facets.sizeHint().height()


def test_the_filters_fold_away_but_those_that_are_set_stay_in_sight(dock, qtbot, open_dock):
    facets, fold = dock.facets, dock.list_page.search_bar.filters
    services = next(chip for chip in facets.findChildren(QToolButton) if chip.text().startswith("Services"))
    assert services.isVisible() and facets.filter_button.isVisible()
    qtbot.mouseClick(fold, Qt.MouseButton.LeftButton)
    assert not any(button.isVisible() for button in buttons_of(facets))
    assert facets.total.isVisible(), "the number of records is not a filter"
    qtbot.mouseClick(fold, Qt.MouseButton.LeftButton)
    facets.in_view_chip.click()
    qtbot.mouseClick(fold, Qt.MouseButton.LeftButton)
    assert [button for button in buttons_of(facets) if button.isVisible()] == [facets.in_view_chip]
    facets.in_view_chip.click()
    dock.save_state()
    again = open_dock(320)
    assert not again.list_page.search_bar.filters.isChecked() and not again.facets.filter_button.isVisible()


def test_the_collections_are_in_the_menu_of_the_filters(dock):
    menu = dock.facets.filter_button.menu()
    for _ in range(2):
        menu.aboutToShow.emit()
        assert [action.menu() for action in menu.actions()][-1] is dock.facets.collections


def test_chips_are_as_high_as_the_font_that_is_set_later(dock, qtbot):
    dock.setStyleSheet("QWidget { font-size: 15pt }")
    chips = [chip for chip in dock.facets.findChildren(QToolButton) if chip.isVisible() and chip.text()]
    assert len(chips) >= 3
    qtbot.waitUntil(lambda: all(chip.height() >= chip.fontMetrics().height() + 4 for chip in chips))
    assert dock.facets.height() >= max(place_in(chip, dock.facets).bottom() for chip in chips)


@pytest.mark.parametrize(("kind", "service_type", "symbol"), [
    ("service", "OGC:WMS", "mIconWms"), ("service", "view", "mIconWms"), ("service", "OGC:WMTS 1.0.0", "mIconXyz"),
    ("service", "OGC:WFS", "mIconWfs"), ("service", "urn:ogc:serviceType:WebCoverageService", "mIconWcs"),
    ("service", "discovery", "record"), ("dataset", "", "mIconRaster"), ("series", "", "propertyicons/temporal"),
    ("other", "", "record"), ("", "", "record")])
def test_a_record_without_an_image_has_the_symbol_of_its_kind(qgis_app, kind, service_type, symbol):
    assert symbol_name(kind, service_type) == symbol
    image = icon(symbol).pixmap(32, 32).toImage()
    assert len({image.pixel(x, y) for x in range(image.width()) for y in range(image.height())}) > 3, "it exists"
