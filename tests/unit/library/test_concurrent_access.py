"""Several threads and QGIS processes on one record library while it is written, replaced or deleted."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from small_records import record

from plugin.core.box import Box
from plugin.core.errors import Cancelled, CartoguideError
from plugin.core.library import schema
from plugin.core.library.query import LibraryQuery, SortOrder
from plugin.core.library.record_store import RecordStore

REPOSITORY = Path(__file__).resolve().parents[3]
WRITER = """
import sys
sys.path[:0] = [sys.argv[2], sys.argv[2] + "/tests/unit/library"]
from pathlib import Path
from plugin.core.library.record_store import RecordStore
from small_records import record
first = int(sys.argv[3])
for n in range(first, first + 20):
    store = RecordStore(Path(sys.argv[1])) if n % 5 == 0 else store
    store.save(f"source {first}", "folder", "A", [(record(n, f"Mapa {n}"), f"{n}.xml"), (record(0, "Común"), "0.xml")])
"""


def fill(store: RecordStore, *numbers: int) -> list[str]:
    return store.save("a", "folder", "A", [(record(n, f"Mapa {n}"), f"{n}.xml") for n in numbers])


def identifiers(store: RecordStore) -> set[str]:
    return {hit.identifier for hit in store.search(LibraryQuery(), limit=100_000).hits}


def damage(path: Path) -> None:
    """Overwrite the middle of the index, in place, as a failing disk would."""
    with open(path, "r+b") as stream:
        stream.seek(4096)
        stream.write(b"\x5a" * (path.stat().st_size - 8192))


def in_threads(*works) -> None:
    errors: list[BaseException] = []

    def guarded(work) -> None:
        try:
            work()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=guarded, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


def test_threads_write_read_and_count_on_one_store(tmp_path: Path) -> None:
    store = RecordStore(tmp_path / "records.sqlite")
    ended = threading.Event()

    def write(first: int) -> None:
        for number in range(first, first + 30):
            fill(store, number)

    def read() -> None:
        seen = 0
        while not ended.is_set():
            page = store.search(LibraryQuery("mapa"), limit=1000)
            counts = store.count(LibraryQuery("mapa"))
            assert len({hit.identifier for hit in page.hits}) == len(page.hits)
            assert counts.total >= seen and dict(counts.facets["source"]).get("a", 0) == counts.total
            seen = counts.total
            if page.hits:
                assert store.load_record(page.hits[-1].identifier) is not None

    def writers() -> None:
        try:
            in_threads(lambda: write(0), lambda: write(100))
        finally:
            ended.set()

    in_threads(writers, read, read)
    assert store.count(LibraryQuery()).total == 60 == store.count_records()
    store.close()


@pytest.mark.slow
def test_processes_write_side_by_side(tmp_path: Path) -> None:
    path = tmp_path / "records.sqlite"
    arguments = [sys.executable, "-c", WRITER, str(path), str(REPOSITORY)]
    processes = [subprocess.Popen([*arguments, str(first)]) for first in (1000, 2000, 3000)]
    assert [process.wait() for process in processes] == [0, 0, 0]
    store = RecordStore(path)
    wanted = {"id-0", *(f"id-{n}" for first in (1000, 2000, 3000) for n in range(first, first + 20))}
    assert identifiers(store) == wanted
    assert len(store.find_copies("id-0")) == 3
    assert all(store.load_record(identifier) is not None for identifier in wanted)
    assert not store.notices
    for name in (path.name, path.name + "-wal", path.name + "-shm"):
        path.with_name(name).unlink(missing_ok=True)
    again = RecordStore(path)
    assert identifiers(again) == wanted
    again.close()


def test_who_has_the_store_open_goes_on_with_the_rebuilt_one(tmp_path: Path) -> None:
    path = tmp_path / "records.sqlite"
    one, other = RecordStore(path), RecordStore(path)
    fill(one, *range(300))
    assert len(identifiers(other)) == 300
    one.close()
    other.close()
    for name in ("-wal", "-shm"):
        path.with_name(path.name + name).unlink(missing_ok=True)
    assert len(identifiers(other)) == 300
    damage(path)
    mended = RecordStore(path)
    assert mended.count_records() == 300
    assert len(identifiers(one)) == 300
    assert fill(other, 1000) == ["new"]
    assert fill(one, 1001) == ["new"]
    for store in (one, other, mended):
        assert identifiers(store) == {*(f"id-{n}" for n in range(300)), "id-1000", "id-1001"}
        assert store.count(LibraryQuery()).total == 302
    assert len(mended.notices) + len(one.notices) + len(other.notices) == 1
    assert len(list(tmp_path.glob("records.damaged-*.sqlite"))) == 1


def test_threads_that_meet_damage_together_mend_it_once(tmp_path: Path) -> None:
    path = tmp_path / "records.sqlite"
    store = RecordStore(path)
    fill(store, *range(300))
    store.close()
    damage(path)
    store = RecordStore.__new__(RecordStore)
    store.__init__(path)  # type: ignore[misc]
    store.close()
    damage(path)
    in_threads(*(lambda: identifiers(store) and None for _ in range(4)), lambda: fill(store, 999) and None)
    assert identifiers(store) == {*(f"id-{n}" for n in range(300)), "id-999"}
    assert len(list(tmp_path.glob("records.damaged-*.sqlite"))) <= 2


@pytest.mark.skipif(os.name == "nt", reason="Windows lets nobody delete an open file")
def test_a_store_deleted_while_open_comes_back_from_its_journal(tmp_path: Path) -> None:
    path = tmp_path / "records.sqlite"
    store = RecordStore(path)
    fill(store, 1, 2)
    for name in (path.name, path.name + "-wal", path.name + "-shm"):
        path.with_name(name).unlink(missing_ok=True)
    assert fill(store, 3) == ["new"]
    assert identifiers(store) == {"id-1", "id-2", "id-3"}
    store.close()


@pytest.mark.skipif(os.name == "nt", reason="Windows lets nobody delete an open file")
def test_a_store_deleted_with_its_journal_is_empty_and_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "profile"
    store = RecordStore(folder / "records.sqlite")
    fill(store, 1, 2)
    for file in folder.iterdir():
        file.unlink()
    folder.rmdir()
    assert fill(store, 3) == ["new"]
    assert identifiers(store) == {"id-3"}
    store.close()


def test_a_search_that_nobody_waits_for_stops_soon_and_leaves_the_store_usable(tmp_path: Path) -> None:
    store = RecordStore(tmp_path / "records.sqlite")
    fill(store, *range(3000))
    asked = 0

    def cancelled() -> bool:
        nonlocal asked
        asked += 1
        return True

    with pytest.raises(Cancelled):
        store.count(LibraryQuery("mapa", bbox=Box(-10, 30, 10, 50)), cancelled)
    assert asked == 1
    assert store.count(LibraryQuery("mapa")).total == 3000
    with pytest.raises(Cancelled):
        store.search(LibraryQuery("mapa", sort=SortOrder.TITLE), limit=3000, cancelled=cancelled)
    assert fill(store, 1) == ["same"]
    store.close()


def test_writing_goes_on_while_another_reads_an_older_state(tmp_path: Path) -> None:
    store = RecordStore(tmp_path / "records.sqlite")
    fill(store, 1)
    with store.connections.read_transaction() as connection:
        before = connection.execute("SELECT count(*) FROM record").fetchone()[0]
        started = time.monotonic()
        fill(store, 2)
        assert time.monotonic() - started < 60, "it waited for the reader"
        assert connection.execute("SELECT count(*) FROM record").fetchone()[0] == before == 1
    assert store.count_records() == 2
    store.close()


def test_connections_do_not_pile_up(tmp_path: Path) -> None:
    store = RecordStore(tmp_path / "records.sqlite")
    for _ in range(20):
        in_threads(*(lambda: store.count_records() and None for _ in range(8)))
    assert len(store.connections._idle) <= 4
    assert len(store.connections._identities) == len(store.connections._idle)
    store.close()


# -- versions ----------------------------------------------------------------------------------------------------------
def test_a_store_of_an_older_version_is_brought_up_to_date(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "records.sqlite"
    store = RecordStore(path)
    fill(store, 1, 2)
    store.close()

    def second(connection) -> None:
        connection.execute("ALTER TABLE record ADD COLUMN shelf TEXT NOT NULL DEFAULT 'none'")
        connection.execute("UPDATE record SET shelf = 'first' WHERE identifier = 'id-1'")
        connection.execute(f"PRAGMA user_version = {last + 1}")

    def third(connection) -> None:
        connection.execute("CREATE INDEX record_by_shelf ON record(shelf)")
        connection.execute(f"PRAGMA user_version = {last + 2}")

    last = schema.VERSION
    monkeypatch.setattr(schema, "VERSION", last + 2)
    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, second, third))
    for made in (path, tmp_path / "new.sqlite"):
        newer = RecordStore(made)
        fill(newer, 1, 2, 3)
        with newer.connections.read_transaction() as connection:
            assert connection.execute("PRAGMA user_version").fetchone() == (last + 2,)
            rows = dict(connection.execute("SELECT identifier, shelf FROM record").fetchall())
        assert rows == {"id-1": "first" if made == path else "none", "id-2": "none", "id-3": "none"}
        newer.close()


def test_a_migration_that_fails_leaves_the_store_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "records.sqlite"
    store = RecordStore(path)
    fill(store, 1)
    store.close()

    def broken(connection) -> None:
        connection.execute("DELETE FROM record")
        raise CartoguideError("cannot")

    with monkeypatch.context() as patch:
        patch.setattr(schema, "VERSION", schema.VERSION + 1)
        patch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, broken))
        with pytest.raises(CartoguideError, match="cannot"):
            RecordStore(path)
    assert identifiers(RecordStore(path)) == {"id-1"}


def test_what_the_first_version_read_as_free_is_left_open(tmp_path: Path) -> None:
    path = tmp_path / "records.sqlite"
    store = RecordStore(path)
    fill(store, 1)
    with store.connections.write_transaction() as connection:
        connection.execute("UPDATE record SET free = 'yes', credit_required = 'no'")
        connection.execute("PRAGMA user_version = 1")
    store.close()
    older = RecordStore(path)
    with older.connections.read_transaction() as connection:
        assert connection.execute("SELECT free, credit_required FROM record").fetchall() == [("undecided", "undecided")]
        assert connection.execute("PRAGMA user_version").fetchone() == (schema.VERSION,)
    older.close()


def test_endpoints_of_an_older_version_are_found_in_the_form_of_today(tmp_path: Path) -> None:
    path = tmp_path / "records.sqlite"
    store = RecordStore(path)
    fill(store, 1, 2)
    with store.connections.write_transaction() as connection:
        connection.execute("UPDATE record SET endpoint = '//maps.example./a//b/./wms?=x&layers=c', free = 'yes', "
                           "credit_required = 'no' WHERE identifier = 'id-1'")
        connection.execute("PRAGMA user_version = 2")
    store.close()
    older = RecordStore(path)
    with older.connections.read_transaction() as connection:
        assert connection.execute("SELECT endpoint, free, credit_required FROM record WHERE identifier = 'id-1'"
                                  ).fetchall() == [("//maps.example/a/b/wms", "undecided", "undecided")]
    older.close()
