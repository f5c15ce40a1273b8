"""The record store: acknowledged records are kept, every search finds them, and damage is survived."""

from __future__ import annotations

import sqlite3
import time
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path

import pytest
from small_records import record

from plugin.core.box import Box
from plugin.core.dates import utc_now
from plugin.core.errors import CartoguideError
from plugin.core.library import schema
from plugin.core.library.index.index_row import index_row
from plugin.core.library.query import LibraryQuery, SortOrder
from plugin.core.library.record_copies import IncomingRecord, Origin
from plugin.core.library.record_store import RecordStore
from plugin.core.records.model.record import Record


def fill(store: RecordStore, *records: Record, source: str = "file:///a") -> list[str]:
    return store.save(source, "folder", "A", [(item, f"{item.id}.xml") for item in records])


def found(store: RecordStore, text: str = "", **more) -> list[str]:
    return [hit.identifier for hit in store.search(LibraryQuery(text, **more)).hits]


def test_a_word_is_found_without_its_accents_and_by_its_beginning(store: RecordStore) -> None:
    fill(store, record(1, "Precipitación total diaria"), record(2, "Mapa guía del parque"))
    assert found(store, "precipitacion") == ["id-1"]
    assert found(store, "PRECIPITACIÓN") == ["id-1"]
    assert found(store, "pre") == ["id-1"]
    assert found(store, "precipit dia") == ["id-1"]
    assert found(store, "precipitaciones") == []
    assert found(store, "guia par") == ["id-2"]


def test_a_title_that_says_it_comes_before_an_abstract_that_says_it(store: RecordStore) -> None:
    fill(
        store,
        record(1, "Otra cosa", abstract="sobre ríos", year=2024),
        record(2, "Ríos de la sierra", year=2001),
        record(3, "Sierra y ríos y montes y valles", year=2020),
    )
    assert found(store, "rios") == ["id-2", "id-3", "id-1"]


def test_newest_first_where_nothing_else_decides(store: RecordStore) -> None:
    fill(store, record(1, "Mapa", year=2001), record(2, "Mapa", year=2022), record(3, "Mapa", year=2010))
    assert found(store) == ["id-2", "id-3", "id-1"]


def test_a_box_finds_what_meets_it_with_and_without_words(store: RecordStore) -> None:
    fill(
        store,
        record(1, "Norte", box=(-4, 42, -3, 43)),
        record(2, "Sur", box=(-6, 36, -5, 37)),
        record(3, "Mundo", box=(-180, -90, 180, 90)),
        record(4, "Europa", box=(-30, 30, 40, 72)),
    )
    assert set(found(store, bbox=Box(-5.5, 36.5, -5.2, 36.8))) == {"id-2", "id-3", "id-4"}
    assert found(store, "sur", bbox=Box(-5.5, 36.5, -5.2, 36.8)) == ["id-2"]
    assert found(store, "norte", bbox=Box(-5.5, 36.5, -5.2, 36.8)) == []
    assert set(found(store, "servicio", bbox=Box(-60, -10, -50, 0))) == {"id-3"}
    assert set(found(store, "servicio", bbox=Box(-180, -90, 180, 90))) == {"id-1", "id-2", "id-3", "id-4"}
    assert found(store, "servicio", bbox=Box(-5.0, 41.0, -4.0, 42.0), sort=SortOrder.TITLE) == ["id-4", "id-3", "id-1"]


def test_facets_narrow_and_are_counted(store: RecordStore) -> None:
    fill(store, record(1, "Uno", year=2016), record(2, "Dos", year=2016), record(3, "Tres", year=2014))
    counts = store.count(LibraryQuery("servicio"))
    assert counts.total == 3
    assert dict(counts.facets["year"]) == {"2016": 2, "2014": 1}
    assert dict(counts.facets["kind"]) == {"service": 3}
    assert set(found(store, facets={"year": ("2016",)})) == {"id-1", "id-2"}
    assert found(store, "dos", facets={"year": ("2014", "2016")}) == ["id-2"]
    assert found(store, facets={"year": ("1999",)}) == []
    assert store.count(LibraryQuery("servicio", facets={"year": ("2014",)}, bbox=Box(-4, 38, -3, 39))).total == 1


def test_counts_follow_what_is_written(store: RecordStore) -> None:
    fill(store, record(1, "Uno"))
    assert store.count(LibraryQuery()).total == 1
    fill(store, record(2, "Dos"))
    assert store.count(LibraryQuery()).total == 2
    store.remove(["id-1"])
    assert store.count(LibraryQuery()).total == 1
    assert found(store, "uno") == []


def test_sorted_by_title_and_by_date(store: RecordStore) -> None:
    fill(
        store,
        record(1, "Álamo", stamp="2020-01-01"),
        record(2, "zarza", stamp="2022-01-01"),
        record(3, "Boj", stamp="2021-01-01"),
    )
    assert found(store, sort=SortOrder.TITLE) == ["id-1", "id-3", "id-2"]
    assert found(store, "servicio", sort=SortOrder.DATE) == ["id-2", "id-3", "id-1"]


def test_putting_again_says_what_changed(store: RecordStore) -> None:
    one = record(1, "Uno")
    assert fill(store, one) == ["new"]
    assert fill(store, one) == ["same"]
    assert fill(store, record(1, "Uno y medio", stamp="2021-01-01")) == ["changed"]
    assert found(store, "medio") == ["id-1"]
    assert store.count_records() == 1


def test_the_newest_date_stamp_speaks_and_the_others_are_listed(store: RecordStore) -> None:
    fill(store, record(1, "Nuevo", stamp="2022-01-01"), source="a")
    store.save("b", "csw", "B", [(record(1, "Viejo", stamp="2019-01-01"), "x")])
    assert store.search(LibraryQuery("nuevo")).hits[0].title == "Nuevo"
    assert found(store, "viejo") == []
    assert [copy.source for copy in store.find_copies("id-1")] == ["a", "b"]
    assert store.load_copy(store.find_copies("id-1")[1]).title == "Viejo"
    assert dict(store.count(LibraryQuery()).facets["source"]) == {"a": 1, "b": 1}
    assert store.sources() == {"a": ("folder", "A"), "b": ("csw", "B")}


def test_a_date_stamp_to_come_is_today_and_an_import_says_that_it_replaces(store: RecordStore) -> None:
    now = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S")
    assert store.save("csw", "csw", "CSW", [(record(1, "Claro", stamp="2020-01-01"), "a")]) == ["new"]
    assert store.save("file", "folder", "F", [(record(1, "Ajeno", stamp="2099-01-01"), "b")]) == ["replaced"]
    assert store.load_record("id-1").title == "Ajeno"
    assert store.save("old", "folder", "F", [(record(1, "Viejo", stamp="2010-01-01"), "b")]) == ["copy"]
    time.sleep(1.1)
    # the catalogue's version of today is as new, and was read later
    assert store.save("csw", "csw", "CSW", [(record(1, "Claro", stamp=now), "a")])[0] in ("changed", "replaced")
    store.mark_vanished("file", ["b"])
    assert store.load_record("id-1").title == "Claro"
    # what had left its source is there again
    assert store.save("file", "folder", "F", [(record(1, "Ajeno", stamp="2099-01-01"), "b")]) == ["replaced"]


def test_a_starter_gives_way_to_the_catalogues_own_record(store: RecordStore) -> None:
    starter = replace(record(1, "Ficha inicial", stamp="2030-01-01"))
    row = replace(index_row(starter), starter=True)
    store.save_rows(Origin("starter", "bundled", "Starter", utc_now()), [IncomingRecord(row, "1", starter.original)])
    store.save("catalogue", "csw", "Catalogue", [(record(1, "Ficha del catálogo", stamp="2015-01-01"), "1")])
    assert store.search(LibraryQuery()).hits[0].title == "Ficha del catálogo"


def test_what_vanishes_is_marked_and_stays(store: RecordStore) -> None:
    fill(store, record(1, "Uno"), record(2, "Dos"))
    assert store.mark_vanished("file:///a", ["id-1.xml"]) == 1
    assert set(found(store)) == {"id-1", "id-2"}
    assert store.find_copies("id-1")[0].vanished_at
    assert fill(store, record(1, "Uno")) == ["same"]
    assert store.find_copies("id-1")[0].vanished_at is None


def test_the_original_bytes_come_back(store: RecordStore) -> None:
    one = record(1, "Precipitación")
    fill(store, one)
    got = store.load_record("id-1")
    assert got is not None and got.original == one.original and got.title == "Precipitación"
    assert store.load_record("nobody") is None


def test_paging_gives_everything_once(store: RecordStore) -> None:
    fill(store, *(record(number, f"Mapa {number:03d}", year=1950 + number % 60) for number in range(230)))
    for query in (LibraryQuery(), LibraryQuery("mapa"), LibraryQuery("servicio"),
                  LibraryQuery("mapa", sort=SortOrder.TITLE),
                  LibraryQuery("mapa", bbox=Box(-4, 38, -3, 39)),
                  ):
        seen: list[str] = []
        offset = 0
        while True:
            page = store.search(query, 40, offset)
            seen += [hit.identifier for hit in page.hits]
            offset += 40
            if not page.has_more:
                break
        assert len(seen) == 230 and len(set(seen)) == 230


def test_two_stores_on_one_file_see_each_other(store: RecordStore) -> None:
    other = RecordStore(store.path)
    fill(store, record(1, "Uno"))
    assert found(other, "uno") == ["id-1"]
    fill(other, record(2, "Dos"))
    assert set(found(store)) == {"id-1", "id-2"}
    assert store.count(LibraryQuery()).total == 2
    other.close()


def test_a_damaged_store_is_rebuilt_from_the_originals(tmp_path: Path) -> None:
    path = tmp_path / "records.sqlite"
    store = RecordStore(path)
    fill(store, *(record(number, f"Mapa {number}") for number in range(50)))
    store.mark_vanished("file:///a", ["id-7.xml"])
    store.remove(["id-9"])
    store.close()
    data = bytearray(path.read_bytes())
    data[4096 : 4096 * 40] = b"\x5a" * (4096 * 39)
    path.write_bytes(bytes(data[: len(data) - 1000]))
    again = RecordStore(path)
    assert len(found(again, "mapa")) == 49
    assert again.notices and "49" in again.notices[0] or "50" in again.notices[0]
    assert again.find_copies("id-7")[0].vanished_at
    assert list(tmp_path.glob("records.damaged-*.sqlite"))
    again.close()


def test_a_file_of_noise_is_set_aside(tmp_path: Path) -> None:
    path = tmp_path / "records.sqlite"
    path.write_bytes(b"this is not a database at all" * 300)
    store = RecordStore(path)
    assert store.count_records() == 0 and store.notices
    store.close()


def test_a_damaged_journal_entry_costs_only_itself(tmp_path: Path) -> None:
    path = tmp_path / "records.sqlite"
    store = RecordStore(path)
    for number in range(10):
        fill(store, record(number, f"Mapa {number}"))
    store.close()
    journal = path.with_suffix(".journal")
    data = bytearray(journal.read_bytes())
    data[len(data) // 2] ^= 0xFF
    journal.write_bytes(bytes(data))
    path.unlink()
    path.write_bytes(b"noise" * 1000)
    again = RecordStore(path)
    assert again.count_records() == 9
    again.close()


def test_a_store_of_a_newer_version_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "records.sqlite"
    RecordStore(path).close()
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {schema.VERSION + 1}")
    connection.commit()
    connection.close()
    before = path.read_bytes()
    with pytest.raises(CartoguideError, match="newer Cartoguide"):
        RecordStore(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("mode", ["delete", "wal"])
def test_another_programs_database_is_refused_before_anything_is_changed(tmp_path: Path, mode: str) -> None:
    path = tmp_path / "other.sqlite"
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA journal_mode = {mode}")
    connection.execute("CREATE TABLE t(x)")
    connection.commit()
    connection.close()
    before = path.read_bytes()
    with pytest.raises(CartoguideError, match="not a Cartoguide"):
        RecordStore(path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    "text", ['"', "a AND", "NEAR(", "*", "§1", "¤mapa", "a-b:c", "\x00", "(", "'; DROP TABLE record; --", "ñ" * 5000]
)
def test_whatever_a_person_types_is_words(store: RecordStore, text: str) -> None:
    fill(store, record(1, "Mapa"))
    store.search(LibraryQuery(text))
    store.count(LibraryQuery(text))


def test_many_matches_that_come_late_in_the_order_are_found_there(store: RecordStore) -> None:
    records = [
        record(n, f"{'Zarza' if n % 2 else 'Abeto'} {n:04d}", stamp=f"{2000 + (n % 2 == 0) * 20}-01-{n % 28 + 1:02}")
        for n in range(2400)
    ]
    fill(store, *records)
    for sort, key in ((SortOrder.TITLE, "title"), (SortOrder.DATE, "date_stamp")):
        wanted = sorted((getattr(item, key) or "" for item in records if "Zarza" in (item.title or "")),
                        reverse=sort is SortOrder.DATE)
        hits = store.search(LibraryQuery("zarza", sort=sort), limit=2000).hits
        assert [getattr(hit, key) for hit in hits] == wanted
        assert len({hit.identifier for hit in hits}) == 1200
        few = store.search(LibraryQuery("zarza", sort=sort, bbox=Box(-5, 37, -3, 39)), limit=50)
        assert [hit.identifier for hit in few.hits] == [hit.identifier for hit in hits[:50]] and few.has_more
