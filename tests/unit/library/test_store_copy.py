"""Copies of a record library to another file: which files are accepted, and that everything is copied."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from small_records import record

from plugin.core.errors import CartoguideError
from plugin.core.library.blob_cache import BlobKind
from plugin.core.library.query import LibraryQuery
from plugin.core.library.record_store import RecordStore
from plugin.core.library.store_copy import copy_store, is_record_store


def test_everything_is_taken_along_and_nothing_newer_is_lost(tmp_path: Path) -> None:
    old, new = RecordStore(tmp_path / "old" / "r.sqlite"), RecordStore(tmp_path / "new" / "r.sqlite")
    new.save("b", "folder", "B", [(record(90, "Suyo"), "90")])
    new.collections.save("A", ["id-90"])
    old.save("a", "folder", "A", [(record(n, f"Mapa {n}"), f"{n}") for n in range(40)])
    old.save("b", "csw", "Otro", [(record(3, "Mapa tres, otra copia", stamp="2021-01-01"), "3")])
    old.save("a", "folder", "A", [(record(5, "Mapa cinco"), "5")])
    old.mark_vanished("a", ["7"])
    old.remove(["id-9"])
    old.collections.save("A", ["id-1", "id-2"])
    old.collections.save("C", ["id-3"])
    old.blob_cache.save(BlobKind.THUMBNAIL, "http://a/", b"png", {"ETag": "x"}, "2024-01-01T00:00:00+00:00")
    old.checkpoints.save("folder:a", {"files": {}})
    steps: list[tuple[int, int]] = []
    assert copy_store(old, new, lambda done, total: steps.append((done, total))) == 39
    assert steps[-1] == (40, 40)
    assert {hit.identifier for hit in new.search(LibraryQuery(), 100).hits
            } == {*(hit.identifier for hit in old.search(LibraryQuery(), 100).hits), "id-90"}
    for identifier in ("id-1", "id-3", "id-5", "id-7"):
        mine, theirs = old.load_record(identifier), new.load_record(identifier)
        assert mine and theirs and mine.original == theirs.original
        kept = [(copy.source, copy.location, copy.read_at, copy.vanished_at) for copy in old.find_copies(identifier)]
        assert kept == [(copy.source, copy.location, copy.read_at, copy.vanished_at)
                        for copy in new.find_copies(identifier)]
    assert new.collections.members("A") == ["id-90", "id-1", "id-2"] and new.collections.members("C") == ["id-3"]
    found = new.blob_cache.load(BlobKind.THUMBNAIL, "http://a/")
    assert found and (found.data, found.validators, found.fetched_at[:10]) == (b"png", {"ETag": "x"}, "2024-01-01")
    assert new.checkpoints.load("folder:a") == {"files": {}}
    for identifier in ("id-3", "id-5"):
        before = [(version.source_title, version.location, version.read_at, version.data)
                  for version in old.find_versions(identifier)]
        after = [(version.source_title, version.location, version.read_at, version.data)
                 for version in new.find_versions(identifier)]
        assert len(before) == 2 and before == after, "an earlier version is found as before"
    assert new.find_versions("id-9") == [], "what was forgotten stays so"
    size = new.journal_size()
    copy_store(old, new)
    assert new.journal_size() - size < 1000, "what is there already is not written again"
    old.close()
    new.close()


def test_a_path_is_known_for_what_it_can_be(tmp_path: Path) -> None:
    store = tmp_path / "records.sqlite"
    assert is_record_store(tmp_path / "deeper" / "records.sqlite") is False
    RecordStore(store).close()
    assert is_record_store(store) is True
    (tmp_path / "empty.sqlite").touch()
    assert is_record_store(tmp_path / "empty.sqlite") is False
    other = tmp_path / "other.sqlite"
    connection = sqlite3.connect(other)
    connection.execute("CREATE TABLE t(x)")
    connection.commit()
    connection.close()
    newer = tmp_path / "newer.sqlite"
    newer.write_bytes(store.read_bytes())
    connection = sqlite3.connect(newer)
    connection.execute("PRAGMA user_version = 99")
    connection.commit()
    connection.close()
    letter = tmp_path / "letter.odt"
    letter.write_bytes(b"a letter" * 500)
    (tmp_path / "folder.sqlite").mkdir()
    (tmp_path / "file").touch()
    before = {path: path.read_bytes() for path in (other, newer, letter)}
    for path, said in ((other, "not a Cartoguide"), (newer, "newer Cartoguide"), (letter, "another program"),
                       (tmp_path / "folder.sqlite", "is a folder"), (tmp_path / "records", "ends in .sqlite"),
                       (tmp_path / "records.journal", "ends in .sqlite"),
                       (tmp_path / "file" / "records.sqlite", "cannot be used")):
        with pytest.raises(CartoguideError, match=said):
            is_record_store(path)
    assert {path: path.read_bytes() for path in before} == before
    store.with_suffix(".journal").write_bytes(b"")
    store.write_bytes(b"damaged" * 1000)
    assert is_record_store(store) is True, "its journal stands beside it"
