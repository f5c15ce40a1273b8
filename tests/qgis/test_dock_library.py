"""The dock and its record library: saved records, errors, long lists page by page."""

from __future__ import annotations

import sqlite3

import pytest
from qgis.core import QgsSettings
from qgis.PyQt.QtCore import QModelIndex, Qt

from plugin.core.library.record_store import RecordStore
from plugin.core.records import read
from plugin.gis.library.record_import import MANY_DOCUMENTS
from plugin.gis.library.record_library import store_path
from plugin.gis.runtime import settings


@pytest.fixture
def guide(repository):
    return repository / "resources" / "records" / "park-guide.xml"


def titles(dock):
    return [dock.model.index(row).data() for row in range(dock.model.rowCount())]


def variant(guide, letter, title=""):
    text = guide.read_text(encoding="utf-8").replace("cartoguide:starter", "nuevo")
    record = read(guide.read_bytes())[0]
    text = text.replace(record.id, letter * 40)
    return (text.replace(record.title, title) if title else text).encode()


def fill(guide, count):
    """A store with ``count`` records, titled "Hoja 0000" onwards."""
    store = RecordStore(store_path())
    data = variant(guide, "f").decode()
    record = read(data.encode())[0]
    records = []
    for number in range(count):
        own = data.replace("f" * 40, f"{number:040d}").replace(record.title, f"Hoja {number:04d}")
        records.append((read(own.encode())[0], f"{number}.xml"))
    store.save("here", "folder", "Hojas", records)
    store.close()


def test_what_was_opened_is_there_the_next_time(open_dock, wait_until, guide, tmp_path):
    first = open_dock()
    (tmp_path / "a.xml").write_bytes(variant(guide, "b"))
    first.session.open_paths([str(tmp_path / "a.xml")])
    wait_until(lambda: not first.session.loading)
    before = sorted(titles(first))
    first.close_down()
    (tmp_path / "a.xml").unlink()
    second = open_dock()
    assert sorted(titles(second)) == before
    assert second.session.record("b" * 40).original == variant(guide, "b")
    assert second.messages.history == []


@pytest.mark.parametrize("stored", ['["{folder}"]', '{{"a": ['])
def test_a_profile_of_before_that_watched_folders_opens_with_all_its_records(open_dock, wait_until, guide, tmp_path,
                                                                             logged, stored):
    folder = tmp_path / "registros"
    folder.mkdir()
    (folder / "a.xml").write_bytes(variant(guide, "a", "Hoja A, corregida"))
    store = RecordStore(store_path())
    store.save(str(folder), "folder", "registros", [
        (read(variant(guide, letter, f"Hoja {letter.upper()}"))[0], str(folder / f"{letter}.xml")) for letter in "ab"])
    store.mark_vanished(str(folder), [str(folder / "b.xml")])
    store.checkpoints.save(f"folder:{folder}", {"parts": 1})
    store.checkpoints.save(f"folder:{folder}\n0", {"files": {str(folder / "a.xml"): [1, 2]}})
    store.close()
    QgsSettings().setValue("cartoguide/watched_folders", stored.format(folder=folder))
    dock = open_dock()
    assert {"Hoja A", "Hoja B"} <= set(titles(dock))
    gone = next(hit for hit in dock.model.hits if hit.title == "Hoja B")
    assert "removed from its source" in dock.session.facts(gone)
    # the service of the record that is shown is beyond this machine, which may be known by now
    logged_here = [line for line in logged if "Cartoguide" in line and "www.juntadeandalucia.es" not in line[0]]
    assert dock.messages.history == [] and logged_here == []
    dock.session.open_paths([str(folder)])
    wait_until(lambda: "Hoja A, corregida" in titles(dock))
    assert "Hoja B" in titles(dock)


def test_a_starter_that_gave_way_does_not_come_back(open_dock, wait_until, guide, tmp_path):
    first = open_dock()
    (tmp_path / "a.xml").write_bytes(variant(guide, "b"))
    first.session.open_paths([str(tmp_path / "a.xml")])
    wait_until(lambda: not first.session.loading)
    first.close_down()
    second = open_dock()
    assert len(titles(second)) == 3
    assert sum(hit.starter for hit in second.model.hits) == 2


@pytest.mark.parametrize("version", [99, 0])
def test_a_store_that_cannot_be_used_is_told_once_and_the_dock_goes_on(open_dock, qtbot, wait_until, guide, tmp_path,
                                                                     version):
    path = tmp_path / "foreign.sqlite"
    connection = sqlite3.connect(path)
    connection.execute("create table other(x)")
    if version:
        connection.execute("pragma application_id = 1128756084")
        connection.execute(f"pragma user_version = {version}")
    connection.commit()
    connection.close()
    settings.set("store/path", str(path))
    dock = open_dock()
    assert len(dock.messages.history) == 1
    assert "foreign.sqlite" in dock.messages.history[0][1]
    assert "for this session only" in dock.messages.history[0][1]
    assert len(titles(dock)) == 3
    (tmp_path / "a.xml").write_bytes(variant(guide, "b", "Hoja nueva"))
    dock.session.open_paths([str(tmp_path / "a.xml")])
    wait_until(lambda: not dock.session.loading)
    qtbot.keyClicks(dock.search, "hoja nue")
    wait_until(lambda: titles(dock) == ["Hoja nueva"])
    assert sum("for this session only" in text for _level, text in dock.messages.history) == 1
    connection = sqlite3.connect(path)
    assert connection.execute("select name from sqlite_master").fetchall() == [("other",)]
    connection.close()


def test_a_damaged_store_is_mended_and_nothing_is_lost(open_dock, guide):
    fill(guide, 5)
    path = store_path()
    for beside in ("-wal", "-shm"):
        path.with_name(path.name + beside).unlink(missing_ok=True)
    path.write_bytes(b"no database at all" * 1000)
    dock = open_dock()
    assert sum(title.startswith("Hoja") for title in titles(dock)) == 5
    assert any("damaged" in text for _, text in dock.messages.history)


def test_a_long_list_comes_piece_by_piece_as_it_is_scrolled(open_dock, wait_until, guide):
    fill(guide, 120)
    dock = open_dock()
    assert 50 <= dock.model.rowCount() <= 100
    while dock.model.canFetchMore(QModelIndex()):
        here = dock.model.rowCount()
        dock.model.fetchMore(QModelIndex())
        wait_until(lambda here=here: dock.model.rowCount() > here)
    wait_until(lambda: not dock.session.loading)
    assert len(set(titles(dock))) == dock.model.rowCount() == 122


def test_results_are_listed_without_reading_their_records(open_dock, wait_until, guide):
    fill(guide, 60)
    dock = open_dock()
    at_hand = sum(dock.session.cached_record(hit.identifier) is not None for hit in dock.model.hits)
    assert at_hand <= 4
    dock.list.setCurrentIndex(dock.model.index(20))
    wait_until(lambda: dock.view.record.id == dock.model.hit(20).identifier)


def test_only_the_last_of_many_searches_is_shown(open_dock, wait_until, guide):
    fill(guide, 60)
    dock = open_dock()
    shown = []
    dock.list_page.results.results_shown.connect(lambda query: shown.append(query.text))
    for text in ("h", "ho", "hoj", "hoja", "hoja 00", "hoja 0042"):
        dock.search.setText(text)
        dock.run_search()
    wait_until(lambda: shown and not dock.session.loading)
    assert shown[-1] == "hoja 0042"
    assert titles(dock) == ["Hoja 0042"]
    assert shown.count("hoja 0042") == 1


def test_a_record_far_down_the_list_is_shown_when_it_is_opened(open_dock, wait_until, guide, tmp_path):
    fill(guide, 120)
    dock = open_dock()
    (tmp_path / "a.xml").write_bytes(variant(guide, "b", "Zzz lejos").replace(b"2014", b"1914"))
    dock.session.open_paths([str(tmp_path / "a.xml")])
    wait_until(lambda: not dock.session.loading)
    assert dock.view.record.id == "b" * 40


def test_a_search_is_answered_while_records_are_being_kept(open_dock, qtbot, wait_until, guide):
    fill(guide, 30)
    dock = open_dock()
    store = dock.session.library.store_if_open
    with store.connections.locked():
        qtbot.keyClicks(dock.search, "hoja 0007")
        wait_until(lambda: titles(dock) == ["Hoja 0007"], 3)


def test_the_row_says_what_decides_before_its_record_is_read(open_dock, guide):
    fill(guide, 60)
    dock = open_dock()
    row = next(row for row, hit in enumerate(dock.model.hits)
               if row > 3 and not dock.session.cached_record(hit.identifier))
    text = dock.model.index(row).data(Qt.ItemDataRole.ToolTipRole)
    assert "Map service" in text
    assert "free, credit required" in text


def test_rows_and_count_agree_after_a_large_import_into_a_list_that_is_scrolled(open_dock, wait_until, guide, tmp_path):
    fill(guide, 4)
    dock = open_dock()
    wait_until(lambda: not dock.session.loading and not dock.session._count_worker.pending)
    dock.list.verticalScrollBar().setRange(0, 10)
    dock.list.verticalScrollBar().setValue(5)
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(MANY_DOCUMENTS + 60):
        own = variant(guide, "f", f"Nueva {number:03d}").decode().replace("f" * 40, f"9{number:039d}")
        (folder / f"{number}.xml").write_bytes(own.encode())
    before = dock.model.rowCount()
    dock.session.open_paths([str(folder)])
    wait_until(lambda: not dock.session.imports.running and not dock.session.loading, 60)
    wait_until(lambda: dock.model.rowCount() > before, 10)
    while dock.model.canFetchMore(QModelIndex()):
        here = dock.model.rowCount()
        dock.model.fetchMore(QModelIndex())
        wait_until(lambda here=here: dock.model.rowCount() > here)
    wait_until(lambda: str(dock.model.rowCount()) in dock.facets.total.text(), 10)
