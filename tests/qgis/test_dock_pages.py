"""The two pages of the dock: the list of records, and the record that was clicked."""

from __future__ import annotations

import pytest
from made_catalogue import made
from qgis.core import QgsNetworkAccessManager, QgsNetworkRequestParameters
from qgis.PyQt.QtCore import QPoint, Qt
from qgis.PyQt.QtGui import QGuiApplication
from qgis.PyQt.QtTest import QTest
from qgis.PyQt.QtWidgets import QApplication, QMainWindow, QPlainTextEdit

from plugin.gis.library import record_import
from plugin.gis.runtime import settings, tasks
from plugin.ui.dock.dock_widget import is_behind_tab
from plugin.ui.dock.record_actions import SIDE_BY_SIDE_WIDTH
from plugin.ui.record.overview_tab import overview_urls
from tests.qgis.waiting import Held


@pytest.fixture
def dock(open_dock, wait_until):
    shown = open_dock(400, 600)
    wait_until(lambda: shown.model.rowCount() == 3)
    return shown


def click(dock, row, modifier=Qt.KeyboardModifier.NoModifier):
    where = dock.list.visualRect(dock.model.index(row)).center()
    QTest.mouseClick(dock.list.viewport(), Qt.MouseButton.LeftButton, modifier, where)


def test_a_click_opens_the_record_and_escape_or_back_leads_to_its_row(dock, wait_until):
    assert dock.list.isVisible() and not dock.view.isVisible()
    title = dock.model.index(1).data()
    click(dock, 1)
    wait_until(lambda: dock.view.isVisible() and dock.view.header.title.text() == title)
    assert not dock.list.isVisible()
    QTest.keyClick(dock.view.tabs, Qt.Key.Key_Escape)
    assert dock.list.isVisible() and not dock.view.isVisible() and dock.list.currentIndex().row() == 1
    QTest.keyClick(dock.list, Qt.Key.Key_Return)
    wait_until(dock.view.isVisible)
    dock.view.header.back.click()
    assert dock.list.isVisible()


@pytest.mark.parametrize("opens", ["in the list", "beside it"])
@pytest.mark.parametrize(("key", "modifier"), [(Qt.Key.Key_Escape, Qt.KeyboardModifier.NoModifier),
                                               (Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)])
def test_a_key_leads_back_from_a_record_that_something_else_opened(dock, wait_until, opens, key, modifier):
    """The locator, the browser and the layer's menu open records while the focus is elsewhere."""
    dock.search.setFocus()
    if opens == "in the list":
        dock.select_record(dock.model.hit(1).identifier)
    else:
        dock.show_record(dock.session.record(dock.model.hit(1).identifier))
    wait_until(dock.view.isVisible)
    assert dock.view.isAncestorOf(dock.window().focusWidget())
    QTest.keyClick(dock.window().focusWidget(), key, modifier)
    assert dock.list.isVisible() and not dock.view.isVisible()


def test_a_record_that_is_no_longer_listed_leads_back_to_the_list(dock, wait_until):
    click(dock, 0)
    wait_until(lambda: dock.view.isVisible() and dock.view.record is not None)
    dock.search.setText("zzzz")
    wait_until(lambda: dock.view.record is None)
    wait_until(lambda: dock.list.isVisible() and not dock.view.isVisible(), 10)


def test_enter_opens_the_first_result_and_none_where_there_is_none(dock, wait_until):
    guide = next(row for row in range(3) if "Mapa gu" in dock.model.index(row).data())
    click(dock, guide)
    dock.pages.focus_list()
    # a word of its abstract, and of the title of another record
    dock.search.setText("equipamientos")
    wait_until(lambda: dock.model.rowCount() == 2 and dock.list.currentIndex().row() == 1)
    QTest.keyClick(dock.search, Qt.Key.Key_Return)
    wait_until(lambda: dock.view.isVisible() and dock.view.record is not None
               and dock.view.record.title.startswith("Equipamientos"))
    dock.focus_search()
    dock.search.setText("nothing at all has these words")
    QTest.keyClick(dock.search, Qt.Key.Key_Return)
    wait_until(lambda: dock.model.rowCount() == 0 and dock.list_page.results._counts is not None)
    assert dock.list.isVisible() and not dock.view.isVisible()


def test_enter_opens_nothing_once_the_person_has_selected_another_record(dock, wait_until, monkeypatch):
    held = Held(monkeypatch, dock.session._page_worker, "_work", lambda *_: True)
    QTest.keyClick(dock.search, Qt.Key.Key_Return)
    wait_until(held.done.is_set)
    dock.list.setFocus()
    QTest.keyClick(dock.list, Qt.Key.Key_Down)
    chosen = dock.list.currentIndex().row()
    assert chosen > 0
    held.end()
    wait_until(lambda: not dock.session.loading)
    assert dock.list.currentIndex().row() == chosen and not dock.pages.record_opened and dock.list.hasFocus()


def test_enter_takes_no_view_from_a_file_that_is_opened_before_the_results_are_there(dock, wait_until, monkeypatch,
                                                                                    tmp_path):
    made_here, = made(1)
    (tmp_path / "a.xml").write_bytes(made_here.xml)
    held = Held(monkeypatch, dock.session._page_worker, "_work", lambda *_: True)
    QTest.keyClick(dock.search, Qt.Key.Key_Return)
    wait_until(held.done.is_set)
    imported = Held(monkeypatch, record_import._ImportJob, "run", lambda _job: True)
    dock.session.open_paths([str(tmp_path / "a.xml")])
    wait_until(imported.done.is_set)
    held.end()
    wait_until(lambda: dock.pages.record_opened)
    imported.end()
    wait_until(lambda: dock.view.record.id == made_here.id)


@pytest.fixture
def docked(dock, qtbot):
    """The dock in a main window, with that of the custom map behind it in the same place."""
    window = QMainWindow()
    qtbot.addWidget(window)
    window.setCentralWidget(QPlainTextEdit())
    for shown in (dock, dock.compose_dock):
        shown.setFloating(False)
        window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, shown)
    window.tabifyDockWidget(dock, dock.compose_dock)
    dock.compose_dock.show()
    window.resize(1000, 700)
    with qtbot.waitExposed(window):
        window.show()
    window.activateWindow()
    dock.raise_()
    qtbot.waitUntil(lambda: is_behind_tab(dock.compose_dock) and window.isActiveWindow())
    yield dock
    for shown in (dock, dock.compose_dock):
        window.removeDockWidget(shown)
        shown.setParent(None)


def test_what_is_typed_after_a_click_does_not_reach_the_dock_behind(docked):
    docked.list.setFocus()
    click(docked, 1)
    assert docked.view.isVisible() and docked.isAncestorOf(QApplication.focusWidget())
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
    assert docked.list.isVisible() and docked.list.hasFocus()


def test_tab_skips_the_dock_behind(docked):
    docked.search.setFocus()
    seen = []
    for _ in range(60):
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        seen.append(QApplication.focusWidget())
    assert docked.list in seen
    assert not [widget for widget in seen if docked.compose_dock.isAncestorOf(widget)]


def test_no_server_is_asked_before_a_record_is_opened(network_dock, wait_until, qtbot):
    requested = []
    manager = QgsNetworkAccessManager.instance()
    note = manager.requestAboutToBeCreated[QgsNetworkRequestParameters]
    note.connect(lambda parameters: requested.append(parameters.request().url().toString()))
    shown = network_dock()
    wait_until(lambda: shown.model.rowCount() == 3 and shown.view.record is not None)
    shown.list.viewport().repaint()
    wait_until(lambda: not tasks._jobs)
    assert requested == []
    click(shown, 0)
    overview = shown.model.hit(0).overview
    wait_until(lambda: overview in requested)
    assert {address for address in requested if address != overview} <= set(overview_urls(shown.view.record))


def test_a_saved_image_is_in_the_list_and_all_are_where_the_setting_says_so(network_dock, wait_until):
    shown = network_dock()
    wait_until(lambda: shown.model.rowCount() == 3)
    hit = shown.model.hit(0)
    assert shown.session.images.thumbnail(hit) is None
    settings.set("load_thumbnails", True)
    wait_until(lambda: shown.session.images.thumbnail(hit) is not None, 20)
    settings.set("load_thumbnails", False)
    shown.session.images._images._images.clear()
    shown.session.images._server_asked.clear()
    wait_until(lambda: shown.session.images.thumbnail(hit) is not None, 20)


def test_bundled_records_show_the_images_that_come_with_them(dock):
    rows = {dock.model.index(row).data(): dock.model.index(row).data(Qt.ItemDataRole.DecorationRole)
            for row in range(dock.model.rowCount())}
    assert len(rows) == 3
    for title, image in rows.items():
        assert image is not None and image.width() == image.height() == 256, title


def test_a_damaged_image_of_a_bundled_record_is_left_out(dock, tmp_path):
    hit = dock.model.hit(0)
    path = tmp_path / "damaged.png"
    path.write_bytes(b"\x89PNG\r\n\x1a\n damaged")
    dock.session.library.bundled_images = {hit.identifier: path}
    dock.session.images._bundled.clear()
    assert dock.session.images.thumbnail(hit) is None
    dock.list.viewport().repaint()


def test_choosing_several_records_opens_none(dock):
    click(dock, 0)
    dock.pages.focus_list()
    click(dock, 1, Qt.KeyboardModifier.ControlModifier)
    assert len(dock.list.selected_hits()) == 2 and dock.list.isVisible()


def test_a_wide_dock_shows_both_and_needs_no_way_back(dock, wait_until):
    click(dock, 0)
    dock.resize(SIDE_BY_SIDE_WIDTH + 60, 600)
    wait_until(lambda: dock.list.isVisible() and dock.view.isVisible())
    assert not dock.view.header.back.isVisible()
    right_of_list = dock.view.mapTo(dock, QPoint(0, 0)).x() >= dock.list.mapTo(dock, QPoint(dock.list.width(), 0)).x()
    assert right_of_list
    dock.resize(400, 600)
    wait_until(lambda: not dock.list.isVisible())
    assert dock.view.isVisible() and dock.view.header.back.isVisible()


def test_a_dock_is_wide_where_its_letters_have_room(dock):
    font = dock.pages.font()
    font.setPixelSize(32)
    dock.pages.setFont(font)
    dock.resize(SIDE_BY_SIDE_WIDTH + 60, 600)
    assert not dock.pages.side_by_side
    dock.resize(2 * SIDE_BY_SIDE_WIDTH + 300, 600)
    assert dock.pages.side_by_side


def test_a_dock_that_becomes_narrow_while_it_is_hidden_turns_pages_again(dock, wait_until):
    """Qt hides a dock that floated when it is docked again."""
    click(dock, 0)
    dock.resize(SIDE_BY_SIDE_WIDTH + 60, 600)
    wait_until(lambda: dock.list.isVisible() and dock.view.isVisible())
    dock.hide()
    dock.resize(340, 600)
    dock.show()
    wait_until(lambda: dock.pages.width() <= 340)
    wait_until(lambda: not dock.list.isVisible())
    assert dock.view.isVisible() and dock.view.header.back.isVisible()


def test_letters_that_become_larger_leave_room_for_one_page(dock, wait_until):
    dock.resize(SIDE_BY_SIDE_WIDTH + 60, 600)
    wait_until(lambda: dock.list.isVisible() and dock.view.isVisible())
    font = dock.pages.font()
    font.setPixelSize(32)
    dock.pages.setFont(font)
    wait_until(lambda: not (dock.list.isVisible() and dock.view.isVisible()))


def test_a_record_that_others_show_is_on_its_page(dock, wait_until):
    identifier = dock.model.hit(2).identifier
    dock.select_record(identifier)
    wait_until(lambda: dock.view.isVisible() and dock.view.record is not None and dock.view.record.id == identifier)
    dock.focus_search()
    assert dock.list.isVisible()


def test_the_page_begins_with_the_terms_and_the_credit_to_copy(dock, wait_until):
    click(dock, 0)
    wait_until(lambda: dock.view.isVisible() and dock.view.record is not None)
    header, terms = dock.view.header, dock.session.terms(dock.view.record)
    assert "free of charge" in header.terms_label.text() and terms.credit in header.credit.text()
    header.copy.click()
    assert QGuiApplication.clipboard().text() == terms.credit and header.copy.text() == "Copied"
    QTest.mouseClick(header.terms_label, Qt.MouseButton.LeftButton)
    assert dock.view.tabs.currentWidget() is dock.view.terms
