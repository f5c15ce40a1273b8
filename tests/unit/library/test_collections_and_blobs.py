"""Collections, cached documents with their age, and resumable harvests."""

from __future__ import annotations

import json
from datetime import datetime, timezone

import pytest
from small_records import record

from plugin.core.errors import CartoguideError
from plugin.core.library.blob_cache import BlobCache, BlobKind
from plugin.core.library.query import LibraryQuery, SortOrder
from plugin.core.library.record_store import RecordStore


def test_a_collection_keeps_its_order_and_each_member_once(store: RecordStore) -> None:
    sets = store.collections
    sets.save("Sierra", ["b", "a"])
    assert sets.add_members("Sierra", ["c", "a", "c"]) == 1
    assert sets.members("Sierra") == ["b", "a", "c"]
    assert sets.remove_members("Sierra", ["a", "zzz"]) == 1
    assert sets.members("Sierra") == ["b", "c"]
    sets.save("Sierra", ["c", "b"])
    assert sets.members("Sierra") == ["c", "b"]
    sets.save("Vacía", [])
    assert sets.names() == [("Sierra", 2), ("Vacía", 0)]


def test_a_large_collection_goes_in_pieces_and_comes_back_from_the_journal(store: RecordStore) -> None:
    """Each piece is small, so that no window waits for one."""
    many = [f"{number:040x}" for number in range(25_000)]
    store.collections.save("todo", many)
    size = store.path.with_suffix(".journal").stat().st_size
    assert store.collections.add_members("todo", [*many[:3], "x", "x"]) == 1
    assert store.collections.remove_members("todo", many[1:-1]) == len(many) - 2
    assert store.collections.remove_members("nothing", many) == 0
    assert store.path.with_suffix(".journal").stat().st_size - size < 2 * size, "only what changes is written"
    store.collections.rename("todo", "resto")
    journal = [len(json.loads(entry.data)) for entry in store.writer.journal.entries(0)]
    assert max(journal) <= 10_000
    store.close()
    store.path.unlink()
    again = RecordStore(store.path)
    assert again.collections.names() == [("resto", 3)]
    assert again.collections.members("resto") == [many[0], many[-1], "x"]
    again.close()


def test_a_collection_is_renamed_and_dropped(store: RecordStore) -> None:
    sets = store.collections
    sets.save("uno", ["a"])
    sets.save("dos", ["b"])
    with pytest.raises(CartoguideError, match="already"):
        sets.rename("uno", "dos")
    with pytest.raises(CartoguideError, match="no collection"):
        sets.rename("tres", "cuatro")
    sets.rename("uno", "uno")
    sets.rename("uno", "tres")
    assert sets.names() == [("dos", 1), ("tres", 1)] and sets.members("tres") == ["a"]
    sets.delete("dos")
    sets.delete("dos")
    assert sets.names() == [("tres", 1)]


def test_a_search_stays_inside_a_collection(store: RecordStore) -> None:
    store.save("a", "folder", "A", [(record(n, f"Mapa {n}"), f"{n}") for n in range(9)])
    store.collections.save("mías", ["id-3", "id-5", "elsewhere"])
    for query in (LibraryQuery(collection="mías"), LibraryQuery("mapa", collection="mías"),
                  LibraryQuery("3", collection="mías")):
        wanted = {"id-3"} if query.text == "3" else {"id-3", "id-5"}
        assert {hit.identifier for hit in store.search(query).hits} == wanted
        assert store.count(query).total == len(wanted)
    hits = store.search(LibraryQuery(collection="mías", sort=SortOrder.TITLE)).hits
    assert [h.title for h in hits] == ["Mapa 3", "Mapa 5"]
    assert store.search(LibraryQuery(collection="nobody's")).hits == ()


def test_what_is_kept_comes_back_with_its_age(store: RecordStore) -> None:
    keeping = store.blob_cache
    assert keeping.load(BlobKind.CAPABILITIES, "http://a") is None
    keeping.save(BlobKind.CAPABILITIES, "http://a", b"<x/>", {"ETag": "ñ"}, "2026-01-01T00:00:00+00:00")
    keeping.save(BlobKind.THUMBNAIL, "http://a", b"\x89PNG", {}, "2026-01-02T00:00:00+00:00")
    found = keeping.load(BlobKind.CAPABILITIES, "http://a")
    assert found is not None
    assert (found.data, found.validators, found.fetched_at) == (b"<x/>", {"ETag": "ñ"}, "2026-01-01T00:00:00+00:00")
    keeping.save(BlobKind.CAPABILITIES, "http://a", b"<y/>", {}, "2026-01-03T00:00:00+00:00")
    again = keeping.load(BlobKind.CAPABILITIES, "http://a")
    assert again is not None and again.data == b"<y/>"
    assert keeping.load(BlobKind.THUMBNAIL, "http://a") is not None


def test_the_oldest_kept_things_make_room(store: RecordStore) -> None:
    keeping = BlobCache(store.connections, most_bytes=1000)
    for day in range(1, 20):
        keeping.save(BlobKind.THUMBNAIL, f"http://{day}", b"x" * 100, {}, f"2026-01-{day:02}")
        with store.connections.read_transaction() as connection:
            assert connection.execute("SELECT sum(size) FROM kept").fetchone()[0] <= 1000
    assert keeping.load(BlobKind.THUMBNAIL, "http://19") is not None
    assert keeping.load(BlobKind.THUMBNAIL, "http://12") is not None
    assert keeping.load(BlobKind.THUMBNAIL, "http://5") is None
    keeping.save(BlobKind.THUMBNAIL, "http://huge", b"x" * 5000, {}, "2026-02-01")
    assert keeping.load(BlobKind.THUMBNAIL, "http://huge") is None
    assert keeping.load(BlobKind.THUMBNAIL, "http://19") is not None


def test_what_claims_to_be_of_the_future_makes_room_first(store: RecordStore) -> None:
    cache = BlobCache(store.connections, most_bytes=1000)
    cache.save(BlobKind.CAPABILITIES, "hostile", b"x" * 400, {}, "2099-01-01T00:00:00+00:00")
    found = cache.load(BlobKind.CAPABILITIES, "hostile")
    assert found is not None and found.fetched_at < "2099"
    # as a former version saved it
    with store.connections.write_transaction() as connection:
        connection.execute("UPDATE kept SET fetched_at = '2099-01-01T00:00:00+00:00'")
    for number in range(3):
        cache.save(BlobKind.CAPABILITIES, str(number), b"y" * 400, {}, datetime.now(timezone.utc).isoformat())
    assert cache.load(BlobKind.CAPABILITIES, "hostile") is None


def test_a_harvest_goes_on_where_it_was(store: RecordStore) -> None:
    assert store.checkpoints.load("csw http://a") is None
    store.checkpoints.save("csw http://a", {"position": 501, "matched": 2000})
    again = RecordStore(store.path)
    assert again.checkpoints.load("csw http://a") == {"position": 501, "matched": 2000}
    again.checkpoints.save("csw http://a", None)
    assert store.checkpoints.load("csw http://a") is None
    again.close()


def test_a_rebuilt_store_keeps_what_could_be_read_of_the_damaged_one(store: RecordStore) -> None:
    store.save("a", "folder", "A", [(record(n, f"Mapa {n}"), f"{n}") for n in range(50)])
    store.blob_cache.save(BlobKind.CAPABILITIES, "http://a", b"<x/>", {}, "2026-01-01")
    store.checkpoints.save("h", {"position": 1})
    with store.connections.read_transaction() as connection:
        page = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'record'").fetchone()[0]
        size = connection.execute("PRAGMA page_size").fetchone()[0]
    store.close()
    with open(store.path, "r+b") as stream:
        stream.seek((page - 1) * size)
        stream.write(b"\x5a" * size)
    assert len(store.search(LibraryQuery("mapa")).hits) == 50
    assert store.notices
    assert store.blob_cache.load(BlobKind.CAPABILITIES, "http://a") is not None
    assert store.checkpoints.load("h") == {"position": 1}
