"""Temporary files: what a dead process left is removed by the next start, what a living one uses is not."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from plugin.core.files import atomic_write
from plugin.core.library.record_store import RecordStore
from plugin.core.storage import temporary_files
from plugin.core.storage.temporary_files import temporary_folder

REPOSITORY = Path(__file__).resolve().parents[2]
WRITER = """
import sys, time
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from plugin.core.files import atomic_write
from plugin.core.storage import temporary_files
temporary_files.use_register(Path(sys.argv[2]))
temporary_files.temporary_folder(Path(sys.argv[3])).joinpath("page.pdf").touch()
with atomic_write(Path(sys.argv[3]) / "map.json") as stream:
    stream.write(b"half")
    print("writing", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def register(tmp_path):
    folder = tmp_path / "profile" / "temporary"
    temporary_files.use_register(folder)
    yield folder
    temporary_files.close_register()


@pytest.fixture
def writer(tmp_path, register):
    target = tmp_path / "maps and\nmore"
    target.mkdir()
    process = subprocess.Popen([sys.executable, "-c", WRITER, str(REPOSITORY), str(register), str(target)],
                               stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline() == "writing\n"
    yield process, target
    process.kill()
    process.wait()
    process.stdout.close()


def test_what_a_killed_process_left_is_removed_by_the_next(writer, register):
    process, target = writer
    (target / ".cartoguide-of-somebody-else").touch()
    (target / "kept.part").touch()
    assert len(list(target.iterdir())) == 4
    assert temporary_files.needs_sweep() and temporary_files.sweep() == 0, "it lives"
    assert len(list(target.iterdir())) == 4
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    seen: list[Path] = []
    assert temporary_files.sweep((seen.append,)) == 2 and seen == [target]
    assert sorted(path.name for path in target.iterdir()) == [".cartoguide-of-somebody-else", "kept.part"]
    assert not temporary_files.needs_sweep() and temporary_files.sweep() == 0
    temporary_files.close_register()
    assert list(register.iterdir()) == []


def test_a_process_that_ends_leaves_no_note(tmp_path, register):
    with atomic_write(tmp_path / "a") as stream:
        stream.write(b"x")
    assert len(list(register.iterdir())) == 2
    temporary_files.close_register()
    assert list(register.iterdir()) == []


def test_notes_stay_while_something_is_left(tmp_path, register):
    folder = temporary_folder(tmp_path)
    temporary_files.close_register()
    assert folder.is_dir() and len(list(register.iterdir())) == 2


def test_damaged_notes_and_folders_that_are_gone_do_no_harm(tmp_path, register):
    register.mkdir(parents=True)
    (register / "dead.folders").write_text('"/nowhere/at/all"\n17\nnonsense\n"relative"\n"/proc"')
    assert temporary_files.sweep() == 0
    assert not temporary_files.needs_sweep()


def test_a_register_that_cannot_be_written_hinders_nothing(tmp_path):
    (tmp_path / "file").touch()
    temporary_files.use_register(tmp_path / "file" / "temporary")
    with atomic_write(tmp_path / "a") as stream:
        stream.write(b"x")
    assert (tmp_path / "a").read_bytes() == b"x" and not temporary_files.needs_sweep()
    temporary_files.close_register()


def test_bytes_are_on_the_disk_before_they_get_their_name(tmp_path, monkeypatch):
    events: list[str] = []
    fsync, replace = os.fsync, os.replace

    def synced(handle: int) -> None:
        events.append("sync folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else f"sync {os.fstat(handle).st_size}")
        fsync(handle)

    def replaced(old: Path, new: Path) -> None:
        events.append("rename")
        replace(old, new)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(os, "replace", replaced)
    with atomic_write(tmp_path / "map.json") as stream:
        stream.write(b"12345")
    assert events == ["sync 5", "rename", "sync folder"]


@pytest.mark.parametrize("umask", [0o000, 0o022])
def test_the_library_is_readable_by_its_owner_only(tmp_path, umask):
    before = os.umask(umask)
    try:
        store = RecordStore(tmp_path / "profile" / "records.sqlite")
        store.checkpoints.save("a", {"b": 1})
        store.collections.save("mías", ["x"])
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "profile").iterdir()}
        assert modes == {f"records.{end}": 0o600 for end in ("sqlite", "sqlite-wal", "sqlite-shm", "journal", "lock")}
        assert stat.S_IMODE((tmp_path / "profile").stat().st_mode) == 0o700
        store.close()
        with atomic_write(tmp_path / "private", private=True) as stream:
            stream.write(b"x")
        assert stat.S_IMODE((tmp_path / "private").stat().st_mode) == 0o600
    finally:
        os.umask(before)


def test_a_file_that_is_replaced_passes_its_permissions_on(tmp_path):
    path = tmp_path / "map.json"
    path.touch()
    path.chmod(0o640)
    with atomic_write(path) as stream:
        stream.write(b"x")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
