"""Harvests and watched folders as jobs of QGIS."""

from __future__ import annotations

import os

import pytest
from made_catalogue import made
from scripted_catalogue import ScriptedCatalogue

from plugin.core.catalogues import folder_scan
from plugin.core.catalogues.model import CatalogueQuery, Source, SourceKind
from plugin.core.errors import CartoguideError
from plugin.core.library import bulk_import
from plugin.core.library.record_store import RecordStore
from plugin.gis.catalogues import catalogue_client, harvest
from plugin.gis.library import folder_watcher
from plugin.gis.library.record_library import ImportTarget
from plugin.gis.runtime import settings

EVERYTHING = CatalogueQuery(page_size=10)


@pytest.fixture(autouse=True)
def quick(qgis_app):
    settings.set("first_byte_timeout", 1.0)
    settings.set("retries", 0)
    catalogue_client.forget_protocol()


@pytest.fixture
def server():
    with ScriptedCatalogue(made(45)) as running:
        yield running


@pytest.fixture
def store(tmp_path):
    found = RecordStore(tmp_path / "store" / "records.sqlite")
    yield found
    found.close()


@pytest.mark.parametrize(("kind", "path"), [(SourceKind.CSW_2, "/csw"), (SourceKind.GEONETWORK, "/geonetwork")])
def test_a_source_is_harvested_with_progress_and_a_summary(server, store, wait_until, kind, path):
    done, failed, told = [], [], []
    harvest.start(Source(server.url + path, kind, "Red"), EVERYTHING, store, done.append, failed.append,
                  progress=lambda percent, words: told.append((percent, words)))
    wait_until(lambda: done or failed)
    assert not failed and (done[0].new, done[0].failed, done[0].complete) == (45, 0, True)
    assert store.count_records() == 45
    assert [percent for percent, _ in told] == sorted(percent for percent, _ in told) and told[-1][0] > 90
    assert "45" in told[-1][1]


def test_a_cancelled_harvest_goes_on_behind_its_last_page(server, store, wait_until):
    source = Source(f"{server.url}/csw", SourceKind.CSW_2, "Red")
    done, failed = [], []

    def progress(percent, words):
        if percent > 40:
            job.cancel()

    job = harvest.start(source, EVERYTHING, store, done.append, failed.append, progress=progress)
    wait_until(lambda: not job.running and not harvest._running)
    assert not done and not failed and 20 <= store.count_records() <= 45
    if harvest.is_resumable(store, source, EVERYTHING):
        harvest.start(source, EVERYTHING, store, done.append, failed.append)
        wait_until(lambda: done or failed)
        assert done[0].resumed and done[0].new == 45
    assert store.count_records() == 45


def test_a_harvest_of_a_server_that_dies_says_why_and_goes_on_later(server, store, wait_until):
    source = Source(f"{server.url}/csw", SourceKind.CSW_2, "Red")
    server.misbehave, server.fault_from = "hang", 4
    done, failed = [], []
    harvest.start(source, EVERYTHING, store, done.append, failed.append)
    wait_until(lambda: done or failed)
    assert "in time" in failed[0].user_text and store.count_records() == 30
    assert harvest.is_resumable(store, source, EVERYTHING)
    server.misbehave = ""
    wait_until(lambda: not harvest._running)
    harvest.start(source, EVERYTHING, store, done.append, failed.append)
    wait_until(lambda: done)
    assert (done[0].new, done[0].resumed) == (45, True)


def test_one_harvest_of_a_kind_at_a_time(server, store, wait_until):
    source = Source(f"{server.url}/csw", SourceKind.CSW_2, "Red")
    done = []
    harvest.start(source, EVERYTHING, store, done.append, done.append)
    with pytest.raises(CartoguideError, match="already"):
        harvest.start(source, EVERYTHING, store, done.append, done.append)
    wait_until(lambda: done)


def test_a_watched_folder_keeps_the_store_level(tmp_path, store, wait_until, monkeypatch):
    monkeypatch.setattr(folder_watcher, "SETTLE_MILLISECONDS", 50)
    records = made(3)
    folder = tmp_path / "registros"
    folder.mkdir()
    (folder / "uno.xml").write_bytes(records[0].xml)
    watch = folder_watcher.FolderWatcher(str(folder), lambda: ImportTarget(store))
    seen, failed = [], []
    watch.changes_read.connect(seen.append)
    watch.failed.connect(failed.append)
    watch.start()
    wait_until(lambda: seen)
    assert seen[0].new == 1 and store.count_records() == 1
    (folder / "dos.xml").write_bytes(records[1].xml)
    wait_until(lambda: store.count_records() == 2)
    wait_until(lambda: not watch.scanning)
    with open(folder / "dos.xml", "r+b") as stream:
        stream.write(records[1].xml.replace(b"Relieve", b"Terreno"))
    wait_until(lambda: store.load_record("made-0002").title.startswith("Terreno"))
    wait_until(lambda: not watch.scanning)
    os.unlink(folder / "uno.xml")
    wait_until(lambda: store.find_copies("made-0001")[0].vanished_at is not None)
    wait_until(lambda: not watch.scanning)
    os.rename(folder, tmp_path / "fuera")
    watch.scan()
    wait_until(lambda: failed)
    assert "are kept" in failed[0].user_text and store.find_copies("made-0002")[0].vanished_at is None
    watch.stop()
    count = len(seen)
    os.rename(tmp_path / "fuera", folder)
    watch.scan()
    assert not watch.scanning and len(seen) == count


def test_a_folder_is_not_read_again_by_the_next_session(tmp_path, store, wait_until):
    folder = tmp_path / "registros"
    folder.mkdir()
    (folder / "uno.xml").write_bytes(made(1)[0].xml)
    seen = []
    for _ in range(2):
        watch = folder_watcher.FolderWatcher(str(folder), lambda: ImportTarget(store))
        watch.changes_read.connect(seen.append)
        watch.start()
        wait_until(lambda watch=watch: not watch.scanning)
        watch.stop()
    assert len(seen) == 1


def test_a_large_folder_tells_how_far_it_is_may_be_stopped_and_is_not_read_again(tmp_path, store, wait_until,
                                                                                 monkeypatch):
    monkeypatch.setattr(folder_watcher, "MANY_FILES", 10)
    monkeypatch.setattr(folder_scan, "_FILES_PER_PART", 8)
    monkeypatch.setattr(bulk_import, "_BATCH_RECORDS", 10)
    monkeypatch.setattr(bulk_import, "PAUSE", 1.0)
    folder = tmp_path / "registros"
    folder.mkdir()
    for one in made(60):
        (folder / f"{one.id}.xml").write_bytes(one.xml)
    watch = folder_watcher.FolderWatcher(str(folder), lambda: ImportTarget(store))
    seen, told, stopped = [], [], []
    watch.changes_read.connect(seen.append)
    watch.progressed.connect(lambda percent, words: told.append(words))
    watch.paused.connect(lambda: stopped.append(store.count_records()))
    watch.start()
    wait_until(lambda: told)
    watch.pause()
    wait_until(lambda: stopped)
    assert 0 < stopped[0] < 60 and not seen and "read" in told[0]
    watch._scan()
    assert not watch.scanning, "only a person lets it go on"
    monkeypatch.setattr(bulk_import, "PAUSE", 0.0)
    watch.scan()
    wait_until(lambda: seen)
    assert store.count_records() == 60 and seen[0].new + seen[0].same == 60
    os.unlink(folder / "made-0007.xml")
    watch.scan()
    wait_until(lambda: len(seen) == 2)
    watch.stop()
    again = folder_watcher.FolderWatcher(str(folder), lambda: ImportTarget(store))
    again.changes_read.connect(seen.append)
    again.start()
    wait_until(lambda: not again.scanning)
    again.stop()
    assert len(seen) == 2 and len(folder_scan.load_folder_state(store.checkpoints, str(folder))) == 59
