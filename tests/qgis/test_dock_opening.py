"""Opening many records in the dock: a progress line with a summary, and a list filled page by page."""

from __future__ import annotations

import zipfile

import pytest
from made_catalogue import made
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import QDialog, QPlainTextEdit

from plugin.core.library import bulk_import
from plugin.core.records import read
from plugin.gis.library import record_import, record_library
from plugin.gis.library.record_library import RecordSource
from plugin.ui.dock.job_progress import JobRow
from tests.qgis.waiting import Held

MANY = 260


@pytest.fixture
def folder(tmp_path):
    place = tmp_path / "registros"
    place.mkdir()
    for number, one in enumerate(made(MANY)):
        (place / f"{number:03}.xml").write_bytes(one.xml)
    return place


@pytest.fixture
def dock(open_dock):
    return open_dock()


def lines(dock):
    return [row for row in dock.job_rows.findChildren(JobRow) if row.isVisibleTo(dock)]


def opened(dock, wait_until, *paths):
    dock.session.open_paths([str(path) for path in paths])
    wait_until(lambda: not dock.session.loading and not dock.session.searching)


def test_many_records_are_told_in_a_line_and_shown_page_by_page(dock, qtbot, wait_until, folder):
    (folder / "roto.xml").write_bytes(b"<gmd:a")
    opened(dock, wait_until, folder)
    [row] = lines(dock)
    assert row.label.text() == f"registros: {MANY} records read. 1 document could not be read."
    assert dock.messages.history == [] and not dock.busy_row.isVisible()
    assert dock.model.rowCount() == 50 and dock.session.library.store_if_open.count_records() == MANY + 3
    dock.list.scrollToBottom()
    wait_until(lambda: dock.model.rowCount() == 100)
    qtbot.mouseClick(row.reasons_button, Qt.MouseButton.LeftButton)
    dialog = next(child for child in dock.findChildren(QDialog) if child.isVisible())
    assert "roto.xml" in dialog.findChild(QPlainTextEdit).toPlainText()
    qtbot.mouseClick(row.show_button, Qt.MouseButton.LeftButton)
    wait_until(lambda: dock.facets.total.text().startswith(str(MANY)))
    opened(dock, wait_until, folder)
    told = lines(dock)[-1].label.text()
    assert "260 records read, 260 of them already in the library. 1 document could not be read." in told


def test_a_package_of_many_is_opened_and_its_records_are_those_of_their_entries(dock, wait_until, tmp_path):
    records = made(MANY)
    path = tmp_path / "todo.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for number, one in enumerate(records):
            archive.writestr(f"{number:03}/metadata.xml", one.xml)
    opened(dock, wait_until, path)
    assert lines(dock)[0].label.text().startswith("todo.zip: 260 records read.")
    place, data = dock.session.library.store_if_open.load_original(records[200].id)
    assert place == f"{path}!200/metadata.xml" and data == records[200].xml
    assert dock.session.record(records[200].id).source == place


def test_what_was_acknowledged_before_a_stop_stays_and_the_rest_can_be_read_later(dock, wait_until, folder,
                                                                                  monkeypatch):
    monkeypatch.setattr(bulk_import, "_BATCH_RECORDS", 20)
    monkeypatch.setattr(bulk_import, "PAUSE", 1.0)
    monkeypatch.setattr(record_import, "MANY_DOCUMENTS", 10)
    dock.session.open_paths([str(folder)])
    wait_until(lambda: lines(dock))
    [row] = lines(dock)
    row.cancel.click()
    wait_until(lambda: not dock.session.imports.running and not dock.session.searching)
    assert "stopped" in row.label.text() and row.resume_button.isVisibleTo(dock)
    kept = dock.session.library.store_if_open.count_records() - 3
    assert kept < MANY
    monkeypatch.setattr(bulk_import, "PAUSE", 0.0)
    row.resume_button.click()
    wait_until(lambda: not dock.session.loading)
    [row] = lines(dock)
    assert f"{MANY} records read" in row.label.text()
    assert kept == 0 or f"{kept} of them already in the library" in row.label.text()


def test_records_that_come_in_move_neither_the_list_nor_the_choice(dock, wait_until, folder):
    opened(dock, wait_until, folder)
    dock.list.scrollToBottom()
    wait_until(lambda: dock.model.rowCount() == 100)
    dock.list.setCurrentIndex(dock.model.index(70))
    wait_until(lambda: dock.view.record is not None and dock.view.record.id == dock.model.hit(70).identifier)
    chosen, before = dock.view.record.id, dock.list.verticalScrollBar().value()
    for number, one in enumerate(made(MANY + 210)[MANY:]):
        (folder / f"x{number:03}.xml").write_bytes(one.xml)
    opened(dock, wait_until, folder)
    assert dock.model.rowCount() == 100 and dock.list.verticalScrollBar().value() == before
    assert dock.view.record.id == chosen and dock.list.currentIndex().row() == 70
    wait_until(lambda: dock.facets.total.text().startswith(str(MANY + 213)))
    dock.list.scrollToTop()
    wait_until(lambda: dock.model.rowCount() == 50)
    assert dock.view.record.id == chosen, "it stays on view, though the first page does not hold it"


def test_a_choice_that_moves_down_does_not_take_the_list_along(dock, wait_until):
    row = dock.model.rowCount() - 1
    dock.list.setCurrentIndex(dock.model.index(row))
    chosen = dock.model.hit(row).identifier
    wait_until(lambda: dock.view.record is not None and dock.view.record.id == chosen)
    dock.list.scrollToTop()
    dock.session.library.store_if_open.save(
        "here", "folder", "A",
        [(one, "x") for one in read(b"<r>" + b"".join(one.xml.split(b"?>")[-1] for one in made(30)) + b"</r>")])
    dock.session.invalidate_records()
    wait_until(lambda: dock.model.rowCount() == 33)
    assert dock.list.verticalScrollBar().value() == 0 and dock.view.record.id == chosen


# -- the later wish wins


@pytest.fixture
def two(tmp_path):
    """Two documents and their records."""
    for one in made(2):
        (tmp_path / f"{one.id}.xml").write_bytes(one.xml)
    return [(tmp_path / f"{one.id}.xml", one.id) for one in made(2)]


@pytest.fixture
def slow(dock, two, wait_until, monkeypatch):
    """The identifier of a record whose document has been opened, and its import, which is held back at its end."""
    (path, identifier), _ = two
    held = Held(monkeypatch, record_import._ImportJob, "run", lambda job: job._result.paths == (str(path),))
    dock.session.open_paths([str(path)])
    wait_until(held.done.is_set)
    yield identifier, held
    held.end()


def shows(dock, identifier):
    return dock.view.record is not None and dock.view.record.id == identifier


def at_rest(dock):
    return not (dock.session.imports.running or dock.session.loading
                or dock.list_page.results._search_debounce.isActive())


def open_another(dock, wait_until, two):
    path, identifier = two[1]
    dock.session.open_paths([str(path)])
    wait_until(lambda: shows(dock, identifier))


def select_another(dock, wait_until, _two):
    wait_until(lambda: not dock.session._page_worker.pending)
    row = dock.model.rowCount() - 1
    dock.list.setCurrentIndex(dock.model.index(row))
    wait_until(lambda: shows(dock, dock.model.hit(row).identifier))


def search(dock, wait_until, _two):
    dock.search.setText("Despeñaperros")
    wait_until(lambda: dock.model.rowCount() == 1 and shows(dock, dock.model.hit(0).identifier))


def filter_the_list(dock, wait_until, _two):
    dock.facets.set_value("licence", "nobody's", True)
    wait_until(lambda: not dock.model.rowCount())


def leave_the_page(dock, wait_until, _two):
    dock.pages.open_record()
    dock.pages.focus_list()


@pytest.mark.parametrize("go_on", [open_another, select_another, search, filter_the_list, leave_the_page])
def test_an_import_that_ends_late_takes_no_view_from_what_was_asked_for_since(dock, two, slow, wait_until, go_on):
    identifier, held = slow
    go_on(dock, wait_until, two)
    wait_until(lambda: not dock.session._page_worker.pending)
    seen = dock.view.record, dock.pages.record_opened, dock.search.text(), dict(dock.facets.selected)
    heard = len(dock.messages.history)
    held.end()
    wait_until(lambda: at_rest(dock))
    assert (dock.view.record, dock.pages.record_opened, dock.search.text(), dict(dock.facets.selected)) == seen
    assert dock.session.library.store_if_open.find_copies(identifier)
    assert [words for _, words in dock.messages.history[heard:]] == ["1 record read."], "it is not lost without a word"
    dock.list_page.results.clear_filters()
    wait_until(lambda: dock.model.row_of(identifier) >= 0)


def test_an_import_is_shown_though_one_that_was_opened_later_fails(dock, slow, wait_until, tmp_path):
    identifier, held = slow
    (tmp_path / "broken.xml").write_bytes(b"<gmd:a")
    dock.session.open_paths([str(tmp_path / "broken.xml")])
    wait_until(lambda: dock.messages.history)
    held.end()
    wait_until(lambda: shows(dock, identifier))
    assert dock.pages.record_opened


def test_what_is_selected_while_an_opened_record_is_searched_for_stays(dock, two, wait_until, monkeypatch):
    path, identifier = two[0]
    held = Held(monkeypatch, dock.session._page_worker, "_work", lambda *_: True)
    dock.session.open_paths([str(path)])
    wait_until(lambda: dock.list_page.results._requested_id == identifier and held.done.is_set())
    row = dock.model.rowCount() - 1
    chosen = dock.model.hit(row).identifier
    dock.list.setCurrentIndex(dock.model.index(row))
    held.end()
    wait_until(lambda: at_rest(dock) and dock.model.row_of(identifier) >= 0)
    assert dock.list.currentIndex().row() == dock.model.row_of(chosen)
    wait_until(lambda: shows(dock, chosen))


def test_a_collection_that_comes_late_leaves_the_list_as_it_was_asked_for(dock, two, wait_until, tmp_path, monkeypatch):
    dock.session.open_paths([str(path) for path, _ in two])
    wait_until(lambda: at_rest(dock) and dock.model.rowCount() == 5)
    dock.list_page.collections.add("Relieve", [two[0][1]])
    wait_until(lambda: dock.session.collections())
    package = tmp_path / "relieve.zip"
    dock.list_page.collections.export("Relieve", str(package))
    wait_until(package.exists)
    held = Held(monkeypatch, record_import._ImportJob, "run", lambda _job: True)
    dock.session.open_paths([str(package)])
    wait_until(held.done.is_set)
    search(dock, wait_until, two)
    held.end()
    wait_until(lambda: any("“Relieve” imported" in words for _, words in dock.messages.history) and at_rest(dock))
    assert dock.search.text() == "Despeñaperros" and not dock.facets.collection


def test_a_record_that_is_saved_opens_no_page_and_selects_nothing(dock, two, wait_until, monkeypatch):
    record, = read(two[0][0].read_bytes())
    held = Held(monkeypatch, record_library.RecordLibrary, "save", lambda *_: True)
    dock.show_record(record)
    dock.save_record(RecordSource("here", "address", "Here"), record, "Saved in your records.")
    wait_until(held.done.is_set)
    select_another(dock, wait_until, two)
    dock.pages.open_list()
    seen = dock.view.record.id
    held.end()
    wait_until(lambda: at_rest(dock) and dock.model.row_of(record.id) >= 0)
    assert shows(dock, seen) and not dock.pages.record_opened
    assert "Saved in your records." in dock.messages.history[-1][1]
