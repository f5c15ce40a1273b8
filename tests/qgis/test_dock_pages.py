"""The two pages of the dock: the list of records, and the record that was clicked."""

from __future__ import annotations

import pytest
from qgis.PyQt.QtCore import QPoint, Qt
from qgis.PyQt.QtGui import QGuiApplication
from qgis.PyQt.QtTest import QTest

from plugin.ui.dock.record_pages import SIDE_BY_SIDE_WIDTH


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


def test_choosing_several_records_opens_none(dock):
    click(dock, 0)
    dock.show_list()
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
    header.more.click()
    assert dock.view.tabs.currentWidget() is dock.view.terms
