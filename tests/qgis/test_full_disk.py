"""A disk that is really full, and one that may only be read, under the dock: clear words, and nothing is lost.

A small file system is mounted, so this needs root. It is skipped elsewhere.
"""

from __future__ import annotations

import subprocess

import pytest
from made_catalogue import made
from qgis.core import QgsProject

from plugin.core.box import Box
from plugin.core.custommap.map_entries import entry_from_record
from plugin.core.custommap.model import CustomMap, MapExtent
from plugin.core.distributions.record_distributions import wms_address
from plugin.core.errors import CartoguideError
from plugin.core.library.query import LibraryQuery
from plugin.core.records import read
from plugin.core.terms import terms_for
from plugin.gis.export import layout_export
from plugin.gis.export.export_transaction import ExportOptions
from plugin.gis.runtime import settings, tasks
from plugin.gis.snapshots import snapshot_job
from plugin.gis.snapshots.snapshot_job import SnapshotOptions
from tests.qgis.print_maps import composed
from tests.slowness import patience

MEGABYTE = 1_000_000


class Disk:
    """A file system of its own."""

    def __init__(self, path):
        self.path, self._ballast = path, path / "ballast"

    def mount(self, *options):
        return subprocess.run(["mount", *options, str(self.path)], capture_output=True, check=False).returncode == 0

    def fill(self, left=0):
        """Leave so many bytes."""
        with open(self._ballast, "wb", buffering=0) as stream:
            try:
                while True:
                    stream.write(bytes(4096))
            except OSError:
                pass
            stream.truncate(max(0, stream.tell() - left))

    def clear(self):
        self._ballast.unlink()


@pytest.fixture
def disk(tmp_path):
    path = tmp_path / "disk"
    path.mkdir()
    found = Disk(path)
    if not found.mount("-t", "tmpfs", "-o", "size=12m", "tmpfs"):
        pytest.skip("no file system can be mounted here")
    yield found
    subprocess.run(["umount", "-l", str(path)], check=False)


@pytest.fixture
def dock(disk, open_dock):
    settings.set("store/path", str(disk.path / "records.sqlite"))
    yield open_dock()
    settings.reset("store/path")


def documents(folder, count):
    folder.mkdir()
    for record in made(count):
        (folder / f"{record.number}.xml").write_bytes(record.xml)
    return folder


def imported(dock, wait_until, folder):
    """What an import says."""
    before = len(dock.messages.history)
    dock.session.open_paths([str(folder)])
    wait_until(lambda: not dock.session.loading and len(dock.messages.history) > before)
    return dock.messages.history[before:]


def identifiers(dock):
    store = dock.session.library.store_if_open
    return {hit.identifier for hit in store.search(LibraryQuery(), limit=10_000).hits}


def small_document(network):
    """A map of one service, and the records of the network by endpoint."""
    known = {wms_address(record): record for file in network.records for record in read(file.read_bytes(), file.name)}
    record = known[network.endpoints["guide"]]
    return CustomMap(title="Parque", base=entry_from_record(record, terms_for(record), layers=("carreteras",)),
                     extent=MapExtent(-3.5966, 38.3295, -3.4233, 38.4306)), known


def take_snapshot(document, known, folder):
    options = SnapshotOptions(folder, Box(455000.0, 4250000.0, 457000.0, 4251500.0), (5000.0,), 100)
    tasks.run_and_wait(lambda feedback: snapshot_job.take_snapshot(document, known, options, feedback), patience(90))


def test_an_import_on_a_full_disk(dock, disk, wait_until, tmp_path):
    few, many = documents(tmp_path / "few", 40), documents(tmp_path / "many", 300)
    imported(dock, wait_until, few)
    acknowledged = identifiers(dock)
    assert {record.id for record in made(40)} <= acknowledged
    disk.fill(left=200_000)
    said = imported(dock, wait_until, many)
    assert said, "it says something"
    assert any(level.value == "error" and "is full" in text and str(disk.path) in text for level, text in said), said
    assert identifiers(dock) >= acknowledged
    assert all(dock.session.library.load_record(name, bool) is not None for name in identifiers(dock))
    disk.clear()
    dock.session.open_paths([str(many)])
    wait_until(lambda: identifiers(dock) >= {record.id for record in made(300)})


def test_a_custom_map_on_a_full_disk(dock, disk):
    path = disk.path / "a.custommap.json"
    documents = dock.composer_controller.documents
    dock.map.set_title("before")
    documents.save_to(path)
    before = path.read_bytes()
    disk.fill()
    dock.map.set_title("after")
    documents.save_to(path)
    level, text = dock.messages.history[-1]
    assert level.value == "error" and "a.custommap.json" in text and f"folder {disk.path} is full" in text
    assert path.read_bytes() == before and dock.map.title() == "after"
    assert [file for file in disk.path.iterdir() if file.suffix == ".part"] == []
    disk.clear()
    documents.save_to(path)
    assert b"after" in path.read_bytes()


def test_a_page_and_a_snapshot_on_a_full_disk(network, project, disk):
    made_map = composed(network, project)
    path = disk.path / "map.pdf"
    disk.fill(left=20_000)
    with pytest.raises(CartoguideError) as failed:
        layout_export.export_pdf(made_map.layout, path, 100)
    assert "map.pdf" in failed.value.user_text and not path.exists()
    assert f"folder {disk.path} is full" in failed.value.user_text
    document, known = small_document(network)
    with pytest.raises(CartoguideError) as failed:
        take_snapshot(document, known, disk.path / "snapshot")
    assert "is full" in failed.value.user_text and str(disk.path) in failed.value.user_text
    disk.clear()
    take_snapshot(document, known, disk.path / "snapshot")
    assert (disk.path / "snapshot" / "snapshot.json").is_file()


@pytest.mark.slow
def test_a_page_and_a_snapshot_on_a_disk_that_may_only_be_read(network, project, disk):
    """Into its folder, onto a file that is there, and for every format: clear words, and the disk is as it was."""
    made_map = composed(network, project)
    old = disk.path / "old.pdf"
    old.write_bytes(b"old")
    document, known = small_document(network)
    assert disk.mount("-o", "remount,ro")
    network.reset()
    for name, kind in (("map.pdf", "pdf"), ("old.pdf", "pdf"), ("map.png", "png"), ("map.svg", "svg"),
                       ("map.tif", "geotiff")):
        with pytest.raises(CartoguideError) as failed:
            layout_export.export_layouts(made_map.layout, disk.path / name, kind, ExportOptions(100))
        assert str(disk.path) in failed.value.user_text and "not writable" in failed.value.user_text
    with pytest.raises(CartoguideError) as failed:
        take_snapshot(document, known, disk.path / "snapshot")
    assert f"could not be written to {disk.path / 'snapshot'}" in failed.value.user_text
    assert [file.name for file in disk.path.iterdir()] == ["old.pdf"] and old.read_bytes() == b"old"
    assert network.count("GetMap") == 0, "it is said before anything is requested"
    assert disk.mount("-o", "remount,rw")
    assert layout_export.export_pdf(made_map.layout, old, 100).files == [old]
    take_snapshot(document, known, disk.path / "snapshot")
    assert (disk.path / "snapshot" / "snapshot.json").is_file()


def test_a_library_on_a_disk_that_may_only_be_read(disk, open_dock, wait_until, tmp_path):
    settings.set("store/path", str(disk.path / "records.sqlite"))
    try:
        dock = open_dock()
        imported(dock, wait_until, documents(tmp_path / "few", 20))
        dock.close_down()
        assert disk.mount("-o", "remount,ro")
        QgsProject.instance().clear()
        dock = open_dock()
        assert {record.id for record in made(20)} <= identifiers(dock)
        assert any("read" in text for _level, text in dock.messages.history), "it says that it may only be read"
        said = imported(dock, wait_until, documents(tmp_path / "more", 30))
        assert any(level.value in ("error", "warning") for level, _text in said) and len(identifiers(dock)) >= 20
        dock.composer_controller.documents.save_to(disk.path / "a.custommap.json")
        level, text = dock.messages.history[-1]
        assert level.value == "error" and "a.custommap.json" in text and "Choose another location" in text
        dock.close_down()
    finally:
        settings.reset("store/path")
