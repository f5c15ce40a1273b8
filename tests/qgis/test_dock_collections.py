"""Collections in the dock: created, filled, selected, renamed, deleted, undone, exported and imported."""

from __future__ import annotations

import pytest
from qgis.PyQt.QtCore import QItemSelectionModel, QMimeData, Qt, QUrl
from qgis.PyQt.QtWidgets import QInputDialog, QPushButton

from plugin.core.library.record_store import RecordStore
from plugin.core.records import read
from plugin.gis.library.record_library import store_path
from plugin.ui.record.compare_view import CompareDialog


@pytest.fixture
def dock(wait_until, repository, open_dock):
    fill(repository / "resources" / "records" / "park-guide.xml")
    widget = open_dock(320)
    settled(widget, wait_until)
    return widget


def fill(guide):
    """Four records, "Hoja 0" to "Hoja 3"."""
    text = guide.read_text(encoding="utf-8").replace("cartoguide:starter", "nuevo")
    record = read(guide.read_bytes())[0]
    records = []
    for number in range(4):
        own = text.replace(record.id, str(number) * 40).replace(record.title, f"Hoja {number}")
        records.append((read(own.encode())[0], f"{number}.xml"))
    store = RecordStore(store_path())
    store.save("here", "folder", "Hojas", records)
    store.close()


def settled(dock, wait_until):
    wait_until(lambda: not dock.session.loading and not dock.session._count_worker.pending and not dock.session._jobs
               and not dock.list_page.results._search_debounce.isActive())


def select(dock, *titles):
    selection = dock.list.selectionModel()
    selection.clearSelection()
    for row, hit in enumerate(dock.model.hits):
        if hit.title in titles:
            selection.select(dock.model.index(row), QItemSelectionModel.SelectionFlag.Select)


def titles(dock):
    return sorted(hit.title for hit in dock.model.hits)


def menu(dock, *path):
    """Choose a line of the menu "Collections", each part of ``path`` by its beginning."""
    dock.list_page.collection_menu.fill()
    lines = dock.facets.collections
    for part in path[:-1]:
        lines = next(action for action in lines.actions() if action.text().startswith(part)).menu()
    next(action for action in lines.actions() if action.text().startswith(path[-1])).trigger()


def name(dock, text):
    """Answer the question for a name."""
    dialog = next(one for one in dock.findChildren(QInputDialog) if one.isVisible())
    dialog.setTextValue(text)
    dialog.accept()


def undo(dock, qtbot):
    assert dock.note.details.text() == "Undo"
    qtbot.mouseClick(dock.note.details, Qt.MouseButton.LeftButton)


def test_a_collection_is_made_chosen_changed_and_every_step_undone(dock, qtbot, wait_until):
    sets = dock.session.library.store_if_open.collections
    select(dock, "Hoja 1", "Hoja 3")
    menu(dock, "Add 2 selected records to", "New collection")
    name(dock, "  Sierra   Norte ")
    settled(dock, wait_until)
    assert sets.names() == [("Sierra Norte", 2)]
    menu(dock, "Sierra Norte  2")
    settled(dock, wait_until)
    assert titles(dock) == ["Hoja 1", "Hoja 3"]
    assert dock.facets.total.text() == "2 records"
    select(dock, "Hoja 3")
    menu(dock, "Remove 1 selected record from")
    settled(dock, wait_until)
    assert titles(dock) == ["Hoja 1"]
    undo(dock, qtbot)
    settled(dock, wait_until)
    assert titles(dock) == ["Hoja 1", "Hoja 3"]
    menu(dock, "Rename")
    name(dock, "Sur")
    settled(dock, wait_until)
    assert titles(dock) == ["Hoja 1", "Hoja 3"]
    menu(dock, "Delete “Sur”")
    settled(dock, wait_until)
    assert sets.names() == []
    assert len(titles(dock)) > 4
    undo(dock, qtbot)
    settled(dock, wait_until)
    assert sets.names() == [("Sur", 2)]
    select(dock, "Hoja 0")
    menu(dock, "Add 1 selected record to", "Sur")
    settled(dock, wait_until)
    assert sets.names() == [("Sur", 3)]


def test_a_chip_shows_the_collection_and_takes_it_off(dock, wait_until):
    dock.session.library.store_if_open.collections.save("Sur", ["0" * 40])
    dock.facets.set_collection("Sur")
    settled(dock, wait_until)
    chip = dock.facets._chips[("collection", "Sur")]
    assert chip.accessibleName() == "Collection: Sur"
    assert titles(dock) == ["Hoja 0"]
    chip.click()
    settled(dock, wait_until)
    assert len(titles(dock)) > 4


def test_a_name_that_is_taken_is_refused_in_words(dock, wait_until):
    sets = dock.session.library.store_if_open.collections
    sets.save("Norte", ["0" * 40])
    sets.save("Sur", ["1" * 40])
    dock.list_page.collections.rename("Norte", "Sur")
    settled(dock, wait_until)
    assert dock.messages.history[-1] == ("error", "A collection called Sur already exists.")
    assert sets.names() == [("Norte", 1), ("Sur", 1)]


def test_another_name_can_be_undone(dock, wait_until):
    sets = dock.session.library.store_if_open.collections
    sets.save("Norte", ["0" * 40])
    dock.facets.set_collection("Norte")
    dock.list_page.collections.rename("Norte", "Sierra Norte")
    settled(dock, wait_until)
    assert dock.messages.history[-1] == ("success", "“Norte” renamed to “Sierra Norte”.")
    assert dock.facets.collection == "Sierra Norte" and dock.note.details.text() == "Undo"
    dock.note.details.click()
    settled(dock, wait_until)
    assert sets.names() == [("Norte", 1)] and dock.facets.collection == "Norte" and titles(dock) == ["Hoja 0"]


def test_an_exported_collection_comes_back_by_a_drop_in_another_profile(dock, qtbot, wait_until, tmp_path):
    members = ["3" * 40, "1" * 40]
    dock.session.library.store_if_open.collections.save("Sierra", members)
    before = [dock.session.library.store_if_open.load_original(identifier)[1] for identifier in members]
    dock.list_page.collections.export("Sierra", str(tmp_path / "sierra.zip"))
    wait_until(lambda: dock.messages.history and "Saved as sierra.zip" in dock.messages.history[-1][1])
    dock.list_page.collections.delete("Sierra")
    settled(dock, wait_until)
    dock.session.library.store_if_open.remove(members)
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(tmp_path / "sierra.zip"))])
    dock.record_actions.records.open_dropped([url.toLocalFile() for url in data.urls()], [])
    settled(dock, wait_until)
    assert dock.facets.collection == "Sierra"
    wait_until(lambda: titles(dock) == ["Hoja 1", "Hoja 3"])
    store = dock.session.library.store_if_open
    assert store.collections.members("Sierra") == members
    assert [store.load_original(identifier)[1] for identifier in members] == before
    assert dock.messages.history[-1] == ("success", "Collection “Sierra” imported: 2 records.")


def test_two_selected_records_are_compared(dock, qtbot, wait_until):
    select(dock, "Hoja 1", "Hoja 2")
    lines = dock.record_actions.context_menu.build_menu().actions()
    next(action for action in lines if action.text() == "Compare the two records").trigger()
    dialog = wait_until(lambda: dock.findChild(CompareDialog))
    assert "Hoja 1" in dialog.view.heading.text() and "Hoja 2" in dialog.view.heading.text()
    assert "differs" in dialog.view.page.toPlainText()
    assert all(button.text() for button in dialog.findChildren(QPushButton))
