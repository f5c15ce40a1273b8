"""The journal is authoritative: acknowledged records survive any damage, failed batches leave nothing."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from small_records import record

from plugin.core.dates import utc_now
from plugin.core.errors import CartoguideError, UnreadableDocument
from plugin.core.library.connection_pool import ConnectionPool
from plugin.core.library.index.index_row import index_row
from plugin.core.library.journal import Journal, encode_entry, split_into_blocks
from plugin.core.library.query import LibraryQuery
from plugin.core.library.record_copies import IncomingRecord, Origin
from plugin.core.library.record_store import RecordStore
from plugin.core.records import read
from tests.pairwise import ALL

REPOSITORY = Path(__file__).resolve().parents[3]
IMPORTER = """
import sys
sys.path[:0] = [sys.argv[3], sys.argv[3] + "/tests/unit/library"]
from pathlib import Path
from plugin.core.library.record_store import RecordStore
from small_records import record
store = RecordStore(Path(sys.argv[1]))
number = int(sys.argv[2])
while True:
    batch = [(record(n, f"Mapa {n}"), f"{n}.xml") for n in range(number, number + 7)]
    store.save("a", "folder", "A", batch)
    print("put", number, number + 7, flush=True)
    if number % 3 == 0:
        store.remove([f"id-{number}"])
        print("forgot", number, flush=True)
    number += 7
"""


def fill(store: RecordStore, *numbers: int, title: str = "Mapa", stamp: str = "2020-01-01") -> list[str]:
    return store.save("a", "folder", "A", [(record(n, f"{title} {n}", stamp=stamp), f"{n}.xml") for n in numbers])


def identifiers(store: RecordStore) -> set[str]:
    return {hit.identifier for hit in store.search(LibraryQuery(), limit=100_000).hits}


def without_index(path: Path) -> RecordStore:
    """The store opened after its index was lost."""
    for name in (path.name, path.name + "-wal", path.name + "-shm"):
        path.with_name(name).unlink(missing_ok=True)
    return RecordStore(path)


@pytest.mark.slow
def test_nothing_acknowledged_is_lost_when_the_process_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "records.sqlite"
    chance = random.Random(7)
    wanted: set[str] = set()
    number = 0
    for _ in range(15 if ALL else 5):
        importer = subprocess.Popen(
            [sys.executable, "-c", IMPORTER, str(path), str(number), str(REPOSITORY)], stdout=subprocess.PIPE, text=True
        )
        assert importer.stdout is not None
        first = importer.stdout.readline()
        time.sleep(chance.uniform(0, 0.15))
        os.kill(importer.pid, signal.SIGKILL)
        said = (first + importer.stdout.read()).splitlines()
        importer.wait()
        importer.stdout.close()
        gone: set[str] = set()
        for line in said:
            words = line.split()
            if words[0] == "put" and len(words) == 3:
                wanted |= {f"id-{n}" for n in range(int(words[1]), int(words[2]))}
                number = int(words[2])
            elif words[0] == "forgot" and len(words) == 2:
                gone.add(f"id-{words[1]}")
        wanted -= gone
        store = RecordStore(path)
        found = identifiers(store)
        # of what the killed call was about to do, all or nothing may be done
        unsure = {f"id-{n}" for n in range(number - 7, number + 7)}
        assert wanted - unsure <= found
        assert found - unsure <= wanted
        assert {f"id-{n}" for n in range(number - 6, number)} <= found
        wanted = found
        store.close()
    store = without_index(path)
    assert identifiers(store) == wanted
    assert all(store.load_record(identifier) is not None for identifier in wanted)
    store.close()


def test_what_the_journal_holds_beyond_the_index_is_found_on_opening(tmp_path: Path) -> None:
    path = tmp_path / "records.sqlite"
    store = RecordStore(path)
    fill(store, 1, 2)
    store.close()
    before = path.read_bytes()
    store = RecordStore(path)
    fill(store, 3)
    store.remove(["id-1"])
    store.close()
    for name in (path.name + "-wal", path.name + "-shm"):
        path.with_name(name).unlink(missing_ok=True)
    path.write_bytes(before)
    again = RecordStore(path)
    assert identifiers(again) == {"id-2", "id-3"}
    assert again.notices
    again.close()
    third = RecordStore(path)
    assert not third.notices
    third.close()


def test_a_transaction_that_fails_takes_its_entries_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "records.sqlite"
    store = RecordStore(path)
    fill(store, 1)
    size = path.with_suffix(".journal").stat().st_size

    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(store.writer.indexer, "insert_records", full)
        with pytest.raises(CartoguideError, match="is full"):
            fill(store, 2)
    assert path.with_suffix(".journal").stat().st_size == size
    assert identifiers(store) == {"id-1"}
    with monkeypatch.context() as patch:
        patch.setattr(store.writer.indexer, "remove_records", full)
        with pytest.raises(CartoguideError):
            store.remove(["id-1"])
    store.close()
    again = without_index(path)
    assert identifiers(again) == {"id-1"}
    again.close()


def test_a_full_disk_under_the_journal_leaves_no_half_entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = RecordStore(tmp_path / "records.sqlite")
    fill(store, 1)
    journal = tmp_path / "records.journal"
    size = journal.stat().st_size

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(CartoguideError):
            fill(store, 2)
    assert journal.stat().st_size == size
    assert fill(store, 2) == ["new"]
    store.close()


def test_a_torn_tail_is_stepped_over_and_written_on_behind(tmp_path: Path) -> None:
    path = tmp_path / "records.sqlite"
    store = RecordStore(path)
    fill(store, 1)
    store.close()
    whole = encode_entry({"op": "put", "source": "a", "kind": "", "title": "", "items": [["id-x", "x", 3]]}, b"abc")
    for keep in range(1, len(whole)):
        with open(path.with_suffix(".journal"), "ab") as stream:
            stream.write(whole[:keep])
        if keep % 20 == 0:
            store = RecordStore(path)
            assert fill(store, keep) == ["new"]
            store.close()
    store = without_index(path)
    assert identifiers(store) == {"id-1", *(f"id-{keep}" for keep in range(20, len(whole), 20))}
    assert store.load_record("id-20") is not None
    store.close()


def test_the_entries_before_and_behind_damage_are_read(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "records.journal")
    frames = [encode_entry({"op": "x", "n": n}, bytes([n]) * 1000) for n in range(20)]
    offsets = journal.append(frames)
    chance = random.Random(3)
    for _ in range(60):
        data = bytearray(b"".join(frames))
        hit = chance.randrange(20)
        data[chance.randrange(offsets[hit], offsets[hit] + len(frames[hit]))] ^= 1 << chance.randrange(8)
        journal.path.write_bytes(bytes(data))
        assert [entry.header["n"] for entry in journal.entries()] == [n for n in range(20) if n != hit]
        with pytest.raises(UnreadableDocument):
            journal.read_entry(offsets[hit])


def test_an_index_without_its_journal_gives_no_wrong_original(tmp_path: Path) -> None:
    path = tmp_path / "records.sqlite"
    store = RecordStore(path)
    fill(store, 1, 2)
    path.with_suffix(".journal").unlink()
    with pytest.raises(UnreadableDocument):
        store.load_record("id-1")
    fill(store, 3)
    with pytest.raises(UnreadableDocument):
        store.load_record("id-1")
    got = store.load_record("id-3")
    assert got is not None and got.title == "Mapa 3"
    assert identifiers(store) == {"id-1", "id-2", "id-3"}
    path.with_suffix(".journal").unlink()
    again = RecordStore(path)
    assert len(again.notices) == 1 and "missing" in again.notices[0]
    assert not RecordStore(path).notices
    again.close()
    store.close()


def test_a_rebuilt_store_knows_what_vanished_came_back_and_was_forgotten(tmp_path: Path) -> None:
    path = tmp_path / "records.sqlite"
    store = RecordStore(path)
    fill(store, 1, 2, 3, 4)
    assert store.mark_vanished("a", ["1.xml", "2.xml"]) == 2
    assert fill(store, 1) == ["same"]
    store.remove(["id-3", "id-4"])
    assert fill(store, 4, title="Otra vez") == ["new"]
    store.collections.save("mías", ["id-4", "id-1"])
    store.collections.save("otras", ["id-2"])
    store.collections.rename("otras", "viejas")
    store.collections.save("nada", [])
    store.collections.delete("nada")

    def state(one: RecordStore) -> object:
        every = [item for n in range(1, 5) for item in one.find_copies(f"id-{n}")]
        copies = [(item.identifier, item.location, item.vanished_at) for item in every]
        titles = sorted(hit.title for hit in one.search(LibraryQuery()).hits)
        return copies, titles, one.collections.names(), one.collections.members("mías"), one.count(LibraryQuery())

    before = state(store)
    assert store.find_copies("id-1")[0].vanished_at is None and store.find_copies("id-2")[0].vanished_at
    store.close()
    again = without_index(path)
    assert state(again) == before
    again.close()


def test_the_copy_that_is_still_there_speaks_for_a_record(tmp_path: Path) -> None:
    path = tmp_path / "records.sqlite"
    store = RecordStore(path)
    store.save("a", "folder", "A", [(record(1, "Nuevo", stamp="2022-01-01"), "1.xml")])
    store.save("b", "folder", "A", [(record(1, "Viejo", stamp="2019-01-01"), "1.xml")])
    assert store.search(LibraryQuery()).hits[0].title == "Nuevo"
    assert store.search(LibraryQuery(facets={"source": ("b",)})).hits[0].title == "Nuevo"
    store.mark_vanished("a", ["1.xml"])
    assert store.search(LibraryQuery()).hits[0].title == "Viejo"
    store.close()
    store = without_index(path)
    assert store.search(LibraryQuery()).hits[0].title == "Viejo"
    store.save("a", "folder", "A", [(record(1, "Nuevo", stamp="2022-01-01"), "1.xml")])
    assert store.search(LibraryQuery()).hits[0].title == "Nuevo"
    assert dict(store.count(LibraryQuery()).facets["source"]) == {"a": 1, "b": 1}
    store.close()


def test_records_without_an_identifier_are_known_by_their_place(tmp_path: Path) -> None:
    store = RecordStore(tmp_path / "records.sqlite")

    def put(title: str, place: str, source: str = "a") -> list[str]:
        row = index_row(record(1, title))
        return store.save_rows(Origin(source, "folder", "A", utc_now()),
                               [IncomingRecord(type(row)(**{**vars(row), "identifier": ""}), place, title.encode())],
                               )

    assert put("Uno", "a.xml") == ["new"]
    assert put("Uno y medio", "a.xml") == ["changed"]
    assert put("Dos", "b.xml") == ["new"]
    assert put("Dos", "b.xml", "otra") == ["new"]
    assert put("Suelto", "") == ["new"]
    assert sorted(hit.title for hit in store.search(LibraryQuery()).hits) == ["Dos", "Dos", "Suelto", "Uno y medio"]
    store.close()


def test_one_identifier_twice_in_one_batch_is_one_record(tmp_path: Path) -> None:
    store = RecordStore(tmp_path / "records.sqlite")
    old, new = record(1, "Viejo", stamp="2019-01-01"), record(1, "Nuevo", stamp="2022-01-01")
    assert store.save("a", "folder", "A", [(new, "x.xml"), (old, "y.xml"), (old, "y.xml")]) == ["new", "copy", "same"]
    assert [hit.title for hit in store.search(LibraryQuery()).hits] == ["Nuevo"]
    assert len(store.find_copies("id-1")) == 2
    assert store.save("a", "folder", "A", [(old, "z.xml"), (new, "z.xml")]) == ["copy", "changed"]
    assert len(store.find_copies("id-1")) == 3
    store.close()


def test_a_record_that_cannot_be_written_as_text_hurts_no_other(tmp_path: Path) -> None:
    store = RecordStore(tmp_path / "records.sqlite")
    strange = (
        b'{"type":"Feature","id":"x\\u0000\\ud800y","geometry":null,'
        b'"properties":{"title":"Mapa \\udfff","type":"service"}}'
    )
    batch = [(item, "x.json") for item in read(strange, "x.json")] + [(record(1, "Mapa"), "1.xml")]
    assert store.save("a", "folder", "A", batch) == ["new"] * len(batch)
    assert len(store.search(LibraryQuery("mapa")).hits) == len(batch)
    assert all(store.load_record(hit.identifier) is not None for hit in store.search(LibraryQuery()).hits)
    store.close()


def test_blocks_hold_a_bounded_number_of_records_and_all_of_them() -> None:
    assert split_into_blocks([]) == []
    assert split_into_blocks([10_000_000]) == [(0, 1)]
    sizes = [random.Random(n).randrange(100_000) for n in range(500)]
    parts = split_into_blocks(sizes)
    assert [n for begin, end in parts for n in range(begin, end)] == list(range(500))
    assert all(sum(sizes[begin:end]) <= 200_000 or end - begin == 1 for begin, end in parts)


def test_a_folder_that_cannot_be_made_is_said_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(CartoguideError, match="cannot be opened"):
        RecordStore(tmp_path / "file" / "records.sqlite")
    with pytest.raises(CartoguideError, match="cannot be opened"):
        RecordStore(tmp_path)


def test_a_folder_whose_name_is_not_ascii_is_one_like_others(tmp_path: Path) -> None:
    path = tmp_path / "Mis fichas (cartografía) 日本 %20?" / "fichas ñ.sqlite"
    store = RecordStore(path)
    fill(store, 1)
    store.close()
    assert identifiers(RecordStore(path)) == {"id-1"}


def test_a_lock_that_is_held_for_too_long_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "records.sqlite"
    store = RecordStore(path)
    other = ConnectionPool(path)
    monkeypatch.setattr(store.connections.locked.__wrapped__, "__defaults__", (0.05,))
    with other.locked(), pytest.raises(CartoguideError, match="busy"):
        fill(store, 1)
    assert fill(store, 1) == ["new"]
    store.close()


def test_a_service_that_was_kept_by_its_capabilities_is_rebuilt(tmp_path: Path) -> None:
    capabilities = (b'<WMS_Capabilities version="1.3.0" xmlns="http://www.opengis.net/wms"><Service><Name>WMS</Name>'
                    b"<Title>Relieve</Title></Service><Capability><Request/><Layer><Title>a</Title></Layer>"
                    b"</Capability></WMS_Capabilities>")
    path = tmp_path / "records.sqlite"
    store = RecordStore(path)
    store.save("a", "address", "A", [(read(capabilities, "c", capabilities_as_record=True)[0], "c")])
    store.close()
    path.unlink()
    store = RecordStore(path)
    assert [hit.title for hit in store.search(LibraryQuery()).hits] == ["Relieve"]
    store.close()


def test_every_version_that_was_ever_read_can_be_read_again(tmp_path: Path) -> None:
    store = RecordStore(tmp_path / "records.sqlite")
    for title in ("Uno", "Dos", "Dos", "Tres"):
        store.save("a", "folder", "A", [(record(1, title), "1"), (record(2, "Otro"), "2")])
    store.save("b", "csw", "B", [(record(1, "Uno"), "x")])
    versions = store.find_versions("id-1")
    assert sorted(version.data for version in versions) == sorted(
        record(1, title).original for title in ("Uno", "Dos", "Tres"))
    assert {version.source_title for version in versions} == {"A", "B"}
    assert store.find_versions("nobody") == []
    journal = tmp_path / "records.journal"
    data = journal.read_bytes()
    journal.write_bytes(b"noise" + data[5:])
    assert len(store.find_versions("id-1")) == 3, "the first entry's version stands in the last one too"
    store.close()
