"""What the QR code of the page leads to, chosen in the page's form: nothing, a record's page, an address typed."""

from __future__ import annotations

import pytest
from qgis.PyQt.QtCore import Qt

from plugin.app.maps.map_state import AddMode
from plugin.core.custommap.model import Orientation
from plugin.ui.pages.qr_code import LinkChoice, PageLinkField
from tests.qgis.test_dock_map import added

PAGE = "https://catalogo.example/geonetwork/srv/spa/catalog.search#/metadata/abc"


@pytest.fixture
def field(qtbot):
    made = PageLinkField()
    qtbot.addWidget(made)
    made.show()
    made.heard = []
    made.changed.connect(made.heard.append)
    return made


@pytest.fixture
def dock(network_dock):
    return network_dock()


def choose(field, choice):
    field.choice.setCurrentIndex(field.choice.findData(choice))


def type_address(field, qtbot, text):
    field.address.clear()
    qtbot.keyClicks(field.address, text)
    qtbot.keyClick(field.address, Qt.Key.Key_Return)


def test_a_records_page_is_offered_where_there_is_one(field):
    row = field.choice.model().item(field.choice.findData(LinkChoice.RECORD))
    assert not row.isEnabled() and "in a catalogue" in row.data(Qt.ItemDataRole.ToolTipRole)
    field.show_link("", PAGE)
    assert row.isEnabled() and field.choice.currentData() is LinkChoice.NONE and not field.address.isVisible()
    choose(field, LinkChoice.RECORD)
    assert field.heard == [PAGE] and not field.address.isVisible()
    choose(field, LinkChoice.NONE)
    assert field.heard == [PAGE, ""]
    assert field.choice.accessibleName() and field.address.accessibleName()


def test_an_address_counts_when_it_is_one(field, qtbot):
    choose(field, LinkChoice.ADDRESS)
    assert field.address.isVisible() and not field.heard
    field.show_link("", PAGE)
    assert field.address.isVisible(), "the window shows the map again while an address is typed"
    type_address(field, qtbot, "parque")
    assert not field.heard and "http" in field.note.text() and field.note.isVisible()
    type_address(field, qtbot, " https://parque.example/guia?token=secreto ")
    assert field.heard == ["https://parque.example/guia"] and not field.note.isVisible()
    type_address(field, qtbot, "")
    assert field.heard[1:] == [""] and field.choice.currentData() is LinkChoice.NONE


def test_the_forms_choice_is_the_pages_and_can_be_undone(dock, wait_until, qtbot):
    added(dock, wait_until, "Despeñaperros", AddMode.AS_BASE, 1)
    controller, page = dock.composer_controller, dock.composer.page
    page.summary.setChecked(True)
    link = page.features["qr_code"]
    record_page = dock.session.catalogue_page(controller.map.items[0].entry.record_id)
    assert record_page.startswith("http") and "/metadata/" in record_page
    choose(link, LinkChoice.RECORD)
    wait_until(lambda: "QR code" in controller.map.custom_map.history.undo_label)
    assert controller.map.document().page.link == record_page
    controller.map.undo()
    wait_until(lambda: link.choice.currentData() is LinkChoice.NONE)
    assert controller.map.document().page.link == "" and "QR code" in controller.map.custom_map.history.redo_label
    controller.map.redo()
    wait_until(lambda: link.choice.currentData() is LinkChoice.RECORD)
    other = next(turn for turn in Orientation if turn is not controller.map.chosen.page.orientation)
    page.orientation.setCurrentIndex(page.orientation.findData(other.value))
    assert controller.map.document().page.orientation is other
    assert controller.map.document().page.link == record_page, "another choice of the page leaves it"
