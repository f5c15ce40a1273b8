"""Records removed from the list and restored exactly, favourites, recently used records, and the menu of a record."""

from __future__ import annotations

import json

import pytest
from qgis.PyQt.QtCore import QItemSelectionModel, Qt
from qgis.PyQt.QtGui import QGuiApplication
from qgis.PyQt.QtTest import QTest

from plugin.core.library.record_collections import FAVOURITES


@pytest.fixture
def dock(network_dock, wait_until, tmp_path):
    """A dock with the three bundled records and two of the person's own."""
    made = network_dock()
    wait_until(lambda: not made.session.loading and made.model.rowCount() == 3)
    for name in ("one", "two"):
        (tmp_path / f"{name}.xml").write_text(OWN.format(name=name), "utf-8")
    made.session.open_paths([str(tmp_path / "one.xml"), str(tmp_path / "two.xml")])
    wait_until(lambda: not made.session.loading and made.model.rowCount() == 5)
    return made


OWN = """<csw:Record xmlns:csw="http://www.opengis.net/cat/csw/2.0.2" xmlns:dc="http://purl.org/dc/elements/1.1/"
xmlns:dct="http://purl.org/dc/terms/"><dc:identifier>own-{name}</dc:identifier><dc:title>Own record {name}</dc:title>
<dc:creator>Somebody</dc:creator><dc:date>2019-05-01</dc:date><dc:type>dataset</dc:type></csw:Record>"""


def rows(dock):
    return [dock.model.hit(row).identifier for row in range(dock.model.rowCount())]


def select(dock, *identifiers):
    selection = dock.list.selectionModel()
    selection.clearSelection()
    for identifier in identifiers:
        index = dock.model.index(dock.model.row_of(identifier))
        dock.list.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.Select)


def everything(store, identifiers):
    """What the store has about records, but for the moment of its last writing."""
    copies = {name: sorted((copy.source, copy.location, copy.date_stamp, copy.starter, copy.vanished_at is not None)
                           for copy in store.find_copies(name)) for name in identifiers}
    return (copies, {name: store.load_original(name) for name in identifiers},
            {name: store.collections.members(name) for name, _ in store.collections.names()},
            {name: [version.data for version in store.find_versions(name)] for name in identifiers},
            store.find_by_identifiers(sorted(identifiers)))


def test_several_records_are_removed_and_restored_exactly(dock, wait_until):
    store, own = dock.library.store(), ["own-one", "own-two"]
    store.collections.save("Walks", ["own-two", "own-one"])
    store.collections.add_members(FAVOURITES, ["own-one"])
    before = everything(store, own)
    select(dock, *own)
    QTest.keyClick(dock.list, Qt.Key.Key_Delete)
    wait_until(lambda: dock.model.rowCount() == 3)
    assert store.find_by_identifiers(own) == []
    assert "2 records removed." in dock.messages.history[-1][1]
    assert dock.list_page.marks.favourite_count() == 0, "removed records are no favourites"
    dock.list.setFocus()
    QTest.keyClick(dock.list, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    wait_until(lambda: dock.model.rowCount() == 5)
    assert everything(store, own) == before
    assert dock.list_page.marks.is_favourite("own-one")
    QTest.keyClick(dock.list, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert len(rows(dock)) == 5, "there is nothing more to undo"


def test_the_message_undoes_its_removal_once(dock, wait_until):
    dock.list_page.removals.remove(["own-one"])
    wait_until(lambda: dock.model.rowCount() == 4)
    dock.note.details.click()
    wait_until(lambda: dock.model.rowCount() == 5)
    dock.list_page.removals.undo()
    assert len(dock.library.store().find_copies("own-one")) == 1


def test_bundled_records_stay_and_a_message_says_so(dock, wait_until):
    bundled = next(name for name in rows(dock) if not name.startswith("own-"))
    dock.list_page.removals.remove([bundled])
    wait_until(lambda: "cannot be removed" in dock.messages.history[-1][1])
    assert dock.model.rowCount() == 5
    dock.list_page.removals.remove([bundled, "own-one"])
    wait_until(lambda: dock.model.rowCount() == 4)
    assert "1 record removed. Records bundled" in dock.messages.history[-1][1]


def test_the_star_makes_a_favourite_that_the_menu_shows(dock, wait_until):
    dock.select_record("own-one")
    wait_until(lambda: dock.view.record is not None and dock.view.record.id == "own-one")
    star = dock.view.header.favourite
    assert star.text() == "☆" and star.isEnabled()
    star.click()
    wait_until(lambda: star.text() == "★")
    menu = dock.list_page.marks_menu.menu
    dock.list_page.marks_menu.fill()
    favourites = menu.actions()[0]
    assert favourites.text() == "★ Favourites (1)"
    favourites.trigger()
    wait_until(lambda: rows(dock) == ["own-one"])
    assert any(chip.text().startswith("★ Favourites") for chip in dock.facets._chips.values())
    assert not any("★" in action.text() for action in _filled(dock.list_page.collection_menu).actions())
    star.click()
    wait_until(lambda: rows(dock) == [])


def _filled(collection_menu):
    collection_menu.fill()
    return collection_menu.menu


def test_opened_records_are_recently_used_until_they_are_removed(dock, wait_until):
    for name in ("own-one", "own-two"):
        dock.select_record(name)
        wait_until(lambda name=name: [hit.identifier for hit in dock.list_page.marks.recent()][:1] == [name])
    dock.list_page.marks_menu.fill()
    titles = [action.text() for action in dock.list_page.marks_menu.menu.actions()]
    assert titles[2:4] == ["Own record two", "Own record one"]
    dock.list_page.removals.remove(["own-two"])
    wait_until(lambda: dock.model.rowCount() == 4)
    assert [hit.identifier for hit in dock.list_page.marks.recent()] == ["own-one"]
    dock.pages.focus_list()
    dock.list_page.marks_menu.fill()
    dock.list_page.marks_menu.menu.actions()[2].trigger()
    assert dock.pages.record_opened


def entries(dock):
    dock.record_actions.menu.fill()
    return {action.text(): action for action in dock.record_actions.menu.menu.actions() if action.text()}


def test_the_menu_of_a_record_copies_removes_and_opens_its_page(dock, wait_until):
    dock.select_record("own-one")
    wait_until(lambda: dock.view.record is not None and dock.view.record.id == "own-one")
    found = entries(dock)
    assert list(found) == ["Add to map", "Copy credit", "Copy citation", "Open in catalogue", "Export the record…",
                           "Remove from my records"]
    assert not found["Open in catalogue"].isEnabled() and not found["Add to map"].menu().isEnabled()
    text, bibtex, csl = found["Copy citation"].menu().actions()
    text.trigger()
    assert QGuiApplication.clipboard().text() == "Somebody (2019). Own record one."
    bibtex.trigger()
    assert QGuiApplication.clipboard().text().startswith("@misc{somebody2019record,")
    csl.trigger()
    assert json.loads(QGuiApplication.clipboard().text())[0]["author"] == [{"literal": "Somebody"}]
    found["Remove from my records"].trigger()
    wait_until(lambda: dock.model.rowCount() == 4)
    assert not dock.pages.record_opened

    bundled = next(name for name in rows(dock) if not name.startswith("own-"))
    dock.select_record(bundled)
    wait_until(lambda: dock.view.record is not None and dock.view.record.id == bundled)
    found = entries(dock)
    assert not found["Remove from my records"].isEnabled()
    assert "cannot be removed" in found["Remove from my records"].toolTip()
    assert f"catalog.search#/metadata/{bundled}" in found["Open in catalogue"].toolTip()
    wait_until(lambda: dock.view.add_bar.button.isEnabled(), 30)
    assert "Add as overlay" in [action.text() for action in entries(dock)["Add to map"].menu().actions()]
    entries(dock)["Copy credit"].trigger()
    assert QGuiApplication.clipboard().text() == dock.session.terms(dock.view.record).credit
