"""A library that may only be read: it is searched as ever, and whoever wants to save is told why that fails."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from small_records import record

from plugin.core.library.record_store import RecordStore

REPOSITORY = Path(__file__).resolve().parents[3]
NOBODY = 65534
READER = """
import json, sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from plugin.core.errors import CartoguideError
from plugin.core.library.query import LibraryQuery
from plugin.core.library.record_store import RecordStore
store = RecordStore(Path(sys.argv[2]))
said = {"read_only": store.is_read_only, "notices": store.notices, "refused": []}
said["found"] = sorted(hit.identifier for hit in store.search(LibraryQuery("mapa")).hits)
said["title"] = store.load_record("id-1").title
said["total"] = store.count(LibraryQuery()).total
said["collection"] = store.collections.members("mine")
for work in (lambda: store.remove(["id-1"]), lambda: store.collections.save("other", ["id-1"]),
             lambda: store.checkpoints.save("a", {}), lambda: store.blob_cache.save("a", "b", b"c", {}, "")):
    try:
        work()
        said["refused"].append("")
    except CartoguideError as error:
        said["refused"].append(error.user_text)
store.close()
print(json.dumps(said))
"""


@pytest.fixture
def place():
    """A folder that everybody may enter, which those of pytest are not."""
    folder = Path(tempfile.mkdtemp(prefix="cartoguide-tests-"))
    folder.chmod(0o755)
    yield folder
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755)
    shutil.rmtree(folder)


def said_by_a_reader(path: Path) -> dict:
    """What a process finds that may read the library, but not write it."""
    others = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.getuid() == 0 else {}
    done = subprocess.run([sys.executable, "-B", "-c", READER, str(REPOSITORY), str(path)], capture_output=True,
                          text=True, cwd="/", env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}, **others)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def filled(place: Path) -> RecordStore:
    store = RecordStore(place / "library" / "records.sqlite")
    store.save("a", "folder", "A", [(record(n, f"Mapa {n}"), f"{n}.xml") for n in (1, 2, 3)])
    store.collections.save("mine", ["id-2"])
    return store


@pytest.mark.skipif(not hasattr(os, "fork"), reason="permissions of POSIX")
@pytest.mark.parametrize("state", ["closed", "with a log", "with a log that nobody has open", "file only"])
def test_a_library_that_cannot_be_written_is_read(place, state):
    store = filled(place)
    folder = place / "library"
    if state == "with a log that nobody has open":
        copies = {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix != ".sqlite-shm"}
        assert len(copies["records.sqlite-wal"]) > 0
        store.close()
        for path in folder.iterdir():
            path.unlink()
        for name, data in copies.items():
            (folder / name).write_bytes(data)
    elif state != "with a log":
        store.close()
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    for path in folder.iterdir():
        path.chmod(0o444)
    folder.chmod(0o777 if state == "file only" else 0o555)
    said = said_by_a_reader(folder / "records.sqlite")
    assert (said["found"], said["title"], said["total"], said["collection"]) == (
        ["id-1", "id-2", "id-3"], "Mapa 1", 3, ["id-2"])
    assert said["read_only"] and len(said["notices"]) == 1 and "can only be read" in said["notices"][0]
    assert all("can only be read" in words and "records.sqlite" in words for words in said["refused"])
    folder.chmod(0o755)
    assert {name: (folder / name).read_bytes() for name in before if not name.endswith("-shm")} == {
        name: data for name, data in before.items() if not name.endswith("-shm")}
    store.close()


def test_damaged_blocks_are_counted_when_the_index_is_rebuilt(tmp_path):
    path = tmp_path / "records.sqlite"
    store = RecordStore(path)
    for number in range(5):
        store.save("a", "folder", "A", [(record(number, f"Mapa {number}"), f"{number}.xml")])
    offsets = [offset for offset, _ in store.writer.journal.headers()]
    store.close()
    journal = path.with_suffix(".journal")
    data = bytearray(journal.read_bytes())
    for number in (1, 3):
        data[offsets[number] + 60] ^= 1
    # a process died while it wrote this
    journal.write_bytes(bytes(data) + bytes(data[:70]))
    path.write_bytes(b"SQLite format 3\0" + b"\0" * 5000)
    store = RecordStore(path)
    assert store.count_records() == 3
    assert len(store.notices) == 2 and "3 record" in store.notices[0]
    assert "2 block" in store.notices[1] and "records.journal" in store.notices[1]
    store.close()
