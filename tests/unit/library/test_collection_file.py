"""Collections exported from one record library and imported into another, as a zip that other programs can read."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest
from small_records import document, record

from plugin.core.errors import CartoguideError
from plugin.core.library.collection_file import export_collection, read_collection_file, restore_collection
from plugin.core.library.query import LibraryQuery, SortOrder
from plugin.core.library.record_store import RecordStore
from plugin.core.records import Record, read_all
from plugin.core.records.input.file_reader import read_path
from plugin.core.records.input.packages import COLLECTION_INDEX

NAMELESS = document(7, "Sin identificador").replace(b"id-7", b"")
JSON = b'\n{"type": "Feature", "id": "c", "properties": {"type": "dataset", "title": "C"}}'


@pytest.fixture
def store(tmp_path: Path):
    made = RecordStore(tmp_path / "one" / "records.sqlite")
    nameless = next(iter(read_all(NAMELESS, "sin.xml")))
    other = next(iter(read_all(JSON, "c.json")))
    made.save("here", "folder", "A", [(record(n, f"Mapa {n}"), f"{n}") for n in range(5)] + [(nameless, "sin.xml"),
                                                                                             (other, "c.json")])
    yield made
    made.close()


def opened(path: Path, store: RecordStore) -> str:
    """As the dock does: the zip is read like any other, and its list is obeyed."""
    named = read_collection_file(str(path))
    assert named is not None
    records = [found for _, found in read_path(path)]
    assert all(isinstance(found, Record) for found in records)
    store.save("there", "folder", "B", [(found, found.source) for found in records])
    return restore_collection(store, named.name, named.resolve_identifiers(store, "there"))


def test_a_collection_goes_from_one_store_to_another_byte_for_byte(store: RecordStore, tmp_path: Path) -> None:
    nameless = next(h.identifier for h in store.search(LibraryQuery("identificador")).hits)
    members = ["id-3", nameless, "nowhere", "c", "id-1"]
    store.collections.save("Sierra «Norte»/2", members)
    path = tmp_path / "sierra.zip"
    assert export_collection(store, "Sierra «Norte»/2", str(path)) == 1
    other = RecordStore(tmp_path / "two" / "records.sqlite")
    assert opened(path, other) == "Sierra «Norte»/2"
    back = other.collections.members("Sierra «Norte»/2")
    assert [back[0], *back[2:]] == ["id-3", "nowhere", "c", "id-1"]
    for before, after in zip(members, back):
        mine, theirs = store.load_original(before), other.load_original(after)
        assert (mine and mine[1]) == (theirs and theirs[1])
    titles = [h.title for h in other.search(LibraryQuery(collection="Sierra «Norte»/2", sort=SortOrder.TITLE)).hits]
    assert titles == ["C", "Mapa 1", "Mapa 3", "Sin identificador"]
    assert opened(path, other) == "Sierra «Norte»/2"
    other.collections.remove_members("Sierra «Norte»/2", ["id-1"])
    assert opened(path, other) == "Sierra «Norte»/2 (2)"
    other.close()


def test_a_file_that_cannot_be_written_leaves_the_old_one(store: RecordStore, tmp_path: Path) -> None:
    path = tmp_path / "old.zip"
    path.write_bytes(b"old")
    store.collections.save("A", ["id-1", "id-2"])

    def stop(_done: int, _of: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        export_collection(store, "A", str(path), stop)
    with pytest.raises(CartoguideError, match="no collection"):
        export_collection(store, "B", str(path))
    with pytest.raises(CartoguideError, match="could not be written"):
        export_collection(store, "A", str(tmp_path / "gone" / "a.zip"))
    assert path.read_bytes() == b"old"
    assert sorted(item.name for item in tmp_path.iterdir()) == ["old.zip", "one"]


@pytest.mark.parametrize(("content", "said"), [
    ({"format": "other"}, "format"), ({"format": "cartoguide-collection", "version": 2, "name": "A"}, "newer"),
    ({"format": "cartoguide-collection", "version": 1, "name": " "}, "name"),
    ({"format": "cartoguide-collection", "version": 1, "name": "A", "members": ["x"]}, "members"), (None, "JSON")])
def test_a_list_that_cannot_be_understood_is_refused_in_words(tmp_path: Path, content, said: str) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(COLLECTION_INDEX, "nonsense" if content is None else json.dumps(content))
    with pytest.raises(CartoguideError, match=said):
        read_collection_file(str(path))


def test_other_packages_are_no_collections(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.xml", "<a/>")
    assert read_collection_file(str(path)) is None
    path.write_bytes(path.read_bytes()[:-5])
    assert read_collection_file(str(path)) is None
    assert read_collection_file(str(tmp_path / "gone.zip")) is None
