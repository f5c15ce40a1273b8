"""Harvests as jobs of QGIS."""

from __future__ import annotations

import pytest
from made_catalogue import made
from scripted_catalogue import ScriptedCatalogue

from plugin.core.catalogues.model import CatalogueQuery, Source, SourceKind
from plugin.core.errors import CartoguideError
from plugin.core.library.record_store import RecordStore
from plugin.gis.catalogues import catalogue_client, harvest
from plugin.gis.runtime import settings
from tests.slowness import slowness

EVERYTHING = CatalogueQuery(page_size=10)


@pytest.fixture(autouse=True)
def quick(qgis_app):
    settings.set("first_byte_timeout", 2.0 * slowness())
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
