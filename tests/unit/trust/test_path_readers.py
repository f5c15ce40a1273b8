"""Every reader of paths in the core, over every kind of path: it ends within a second, and says what is wrong."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from plugin.core import network_profile
from plugin.core.errors import CartoguideError
from plugin.core.files import is_complete_file
from plugin.core.library.local_documents import LocalDocuments
from plugin.core.library.store_copy import is_record_store
from plugin.core.publication.map_files import read_map_file
from plugin.core.records.input.file_reader import read_file_bytes, read_path
from plugin.core.records.input.packages import read_file_entries, read_member
from plugin.core.snapshot.manifest import load_manifest
from plugin.core.snapshot.snapshot_package import extract_package
from plugin.core.sources.data_files import is_cut_short
from plugin.core.sources.sidecar_files import find_sidecar
from tests.command_line import run_command
from tests.irregular_files import HUGE, IRREGULAR, at_once, make_irregular
from tests.unit.repository.sources import ROOT

pytestmark = pytest.mark.skipif(os.name == "nt", reason="files of POSIX systems")


def one_by_one(results) -> None:
    """Raise the first error among results."""
    for _name, result in results:
        if isinstance(result, CartoguideError):
            raise result


def profile_with(path: str) -> None:
    folder = Path(path).parent if "\x00" not in path else Path(path.split("\x00")[0]).parent
    profile = folder / "network.json"
    if not os.access(folder, os.W_OK) or folder == Path("/dev"):
        raise CartoguideError("no profile lies there")
    name = os.path.basename(path)
    profile.write_bytes(network_profile.profile_json(network_profile.bundled_profile(), (name,)))
    content = network_profile.load(profile)
    if not content.records:
        raise CartoguideError("nothing was read")


READERS = {
    "map": lambda path: read_map_file(Path(path)),
    "record": read_file_bytes,
    "records": lambda path: one_by_one(read_path(path)),
    "import": lambda path: one_by_one(LocalDocuments([path])),
    "package of records": lambda path: list(read_file_entries(path)),
    "package of a map": lambda path: extract_package(Path(path), Path("/nowhere/else")),
    "profile": lambda path: network_profile.read_profile_file(Path(path)),
    "profile to import": lambda path: network_profile.load(Path(path)),
    "record of a profile": profile_with,
}
#: those that say nothing by themselves: they return that there is nothing
SILENT = {
    "member of a package": lambda path: read_member(path, "snapshot.json", 1000),
    "finished file": lambda path: is_complete_file(Path(path)),
    "sidecar": lambda path: find_sidecar(path).record,
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("kind", [*IRREGULAR, HUGE])
def test_every_reader_ends_at_once_with_words(tmp_path, reader, kind):
    path = make_irregular(tmp_path / "named.xml", kind)
    if kind == "folder" and reader == "import":
        pytest.skip("a folder is imported")
    with at_once(), pytest.raises(CartoguideError) as caught:
        READERS[reader](path)
    assert caught.value.user_text.strip()


@pytest.mark.parametrize("reader", SILENT)
@pytest.mark.parametrize("kind", [*IRREGULAR, HUGE])
def test_readers_that_find_nothing_end_at_once(tmp_path, reader, kind):
    path = make_irregular(tmp_path / "named.tif", kind)
    with at_once():
        if kind == HUGE and reader == "finished file":
            pytest.skip("a page that was exported is read as a whole")
        assert not SILENT[reader](path)


@pytest.mark.parametrize("suffix", ["shp", "dbf", "fgb", "gpkg", "jpg", "gml"])
@pytest.mark.parametrize("kind", [*IRREGULAR, HUGE])
def test_data_is_judged_from_regular_files_only(tmp_path, suffix, kind):
    path = make_irregular(tmp_path / f"named.{suffix}", kind)
    with at_once():
        assert not is_cut_short(path) or kind == HUGE


@pytest.mark.parametrize("name", ["named.xml", "named.qmd"])
@pytest.mark.parametrize("kind", ["fifo", "link to zero", "folder", "socket", HUGE])
def test_metadata_beside_a_file_is_read_from_regular_files_only(tmp_path, name, kind):
    (tmp_path / "named.tif").write_bytes(b"II*\x00")
    make_irregular(tmp_path / name, kind)
    with at_once():
        assert find_sidecar(str(tmp_path / "named.tif")).record is None


@pytest.mark.parametrize("kind", ["folder", "fifo", "socket", "link to a fifo", "link to zero", "dangling link", HUGE])
def test_the_manifest_of_a_snapshot_is_a_regular_file(tmp_path, kind):
    make_irregular(tmp_path / "snapshot.json", kind)
    with at_once(), pytest.raises(CartoguideError):
        load_manifest(tmp_path)


@pytest.mark.parametrize("kind", ["folder", "fifo", "socket", "link to a fifo", "link to zero"])
def test_a_record_library_is_a_regular_file(tmp_path, kind):
    make_irregular(tmp_path / "records.sqlite", kind)
    with at_once(), pytest.raises(CartoguideError):
        is_record_store(tmp_path / "records.sqlite")


COMMANDS = ("read", "terms", "check", "capabilities")


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_name_each_path_that_is_no_file(tmp_path, command):
    paths = [make_irregular(tmp_path / f"{number}.xml", kind) for number, kind in enumerate(
        kind for kind in IRREGULAR if kind not in ("folder", "link to a fifo", "name with a zero byte", "/dev/tty"))]
    done = run_command(command, *paths)
    errors = done.stderr.decode()
    assert done.returncode == 1, errors
    for path in paths:
        assert os.path.basename(path) in errors, path
    assert "Traceback" not in errors


def test_a_command_still_reads_a_pipe_that_a_program_writes_to(tmp_path):
    record = ROOT / "resources" / "records" / "park-guide.xml"
    pipe = tmp_path / "pipe.xml"
    os.mkfifo(pipe)
    with subprocess.Popen(["/bin/sh", "-c", f'sleep 0.2; cat "{record}" > "{pipe}"']):
        done = subprocess.run([sys.executable, "-m", "plugin.core", "terms", str(pipe)], cwd=ROOT, capture_output=True,
                              timeout=60, check=False)
    assert done.returncode == 0 and done.stdout
