"""Several catalogues searched at once through QGIS: merged results, failing catalogues, the newest query."""

from __future__ import annotations

from dataclasses import replace
from urllib.request import urlopen

import pytest
from made_catalogue import made
from qgis.PyQt.QtCore import QObject
from scripted_catalogue import ScriptedCatalogue

from plugin.core.catalogues.model import CatalogueQuery, Source, SourceKind
from plugin.core.catalogues.protocols.csw import CswProtocol
from plugin.core.catalogues.protocols.geonetwork_api import GeoNetworkProtocol
from plugin.core.errors import CartoguideError
from plugin.gis.catalogues import catalogue_client, catalogue_list, federated_search
from plugin.gis.runtime import main_thread, settings
from tests.slowness import patience, slowness

#: seconds that are short, but long enough for the servers of this process
QUICK = {"first_byte_timeout": 2.0, "total_timeout": 10.0}


@pytest.fixture(autouse=True)
def quick(qgis_app):
    for name, seconds in QUICK.items():
        settings.set(name, seconds * slowness())
    settings.set("retries", 0)
    catalogue_client.forget_protocol()


@pytest.fixture
def one():
    with ScriptedCatalogue(made(12)) as server:
        yield server


@pytest.fixture
def two():
    later = [replace(record, stamp="2030-01-01", title=f"Nuevo {record.title}") for record in made(15)]
    with ScriptedCatalogue(later) as server:
        yield server


@pytest.fixture
def search(qgis_app):
    owner = QObject()
    found = federated_search.FederatedSearch(owner)
    yield found
    found.cancel()
    owner.deleteLater()


def test_sources_of_every_kind_are_asked_and_merged(search, one, two, wait_until):
    asked = [Source(f"{one.url}/csw", SourceKind.CSW_2, "A"),
             Source(f"{two.url}/geonetwork", SourceKind.GEONETWORK, "B"),
             Source(f"{two.url}/api", SourceKind.OGC_API, "C", "registros")]
    told = []
    search.results_changed.connect(told.extend)
    search.start(CatalogueQuery(page_size=50), asked)
    wait_until(lambda: not search.running)
    assert [(row.state, row.shown, row.total, row.more) for row in search.statuses] == [("done", 12, 12, False),
                                                                                        ("done", 15, 15, False),
                                                                                        ("done", 15, 15, False)]
    assert len(search.results) == 15 and set(told) == {record.id for record in two.records}
    merged = search.result("made-0003")
    assert merged.best.item.record.title == "Nuevo Relieve de la comarca 3" and len(merged.others) == 2
    assert {source.title for source in merged.sources} == {"A", "B", "C"}


def test_one_answer_is_parsed_at_a_time(search, one, two, wait_until, monkeypatch):
    held = []
    for protocol in (CswProtocol, GeoNetworkProtocol):
        def parse(self, request, response, parsing=protocol.parse_page):
            held.append(main_thread._parsing_lock.locked())
            return parsing(self, request, response)

        monkeypatch.setattr(protocol, "parse_page", parse)
    search.start(CatalogueQuery(page_size=50), [Source(f"{one.url}/csw", SourceKind.CSW_2, "A"),
                                                Source(f"{two.url}/geonetwork", SourceKind.GEONETWORK, "B")])
    wait_until(lambda: not search.running)
    assert len(held) >= 2 and all(held)


def test_a_dead_source_costs_only_its_own_row_and_says_why(search, one, two, wait_until):
    two.misbehave = "hang"
    dead = Source("http://127.0.0.1:9/csw", SourceKind.CSW_2, "Muerto")
    asked = [Source(f"{one.url}/csw", SourceKind.CSW_2, "A"), dead,
             Source(f"{two.url}/geonetwork", SourceKind.GEONETWORK, "Mudo")]
    order = []
    search.status_changed.connect(lambda key: order.append((search.status(key).source.title, search.status(key).state)))
    search.start(CatalogueQuery(), asked)
    wait_until(lambda: search.status(asked[0].key).state == "done")
    assert len(search.results) == 12 and search.running, "what came is there while others are waited for"
    wait_until(lambda: not search.running)
    states = {row.source.title: (row.state, str(row.error or "")) for row in search.statuses}
    assert states["A"] == ("done", "")
    assert states["Muerto"][0] == "failed" and "refuses" in states["Muerto"][1]
    assert states["Mudo"][0] == "failed" and "in time" in states["Mudo"][1]
    two.misbehave = ""
    assert search.retry(asked[2].key) and not search.retry(asked[0].key)
    wait_until(lambda: not search.running)
    assert search.status(asked[2].key).state == "done" and len(search.results) == 15


OF_EVERY_KIND = [("/csw", SourceKind.CSW_2, ""), ("/geonetwork", SourceKind.GEONETWORK, ""),
                 ("/api", SourceKind.OGC_API, "registros")]


@pytest.mark.parametrize(("fault", "said"), [("hang", "in time"), ("password", "Authentication")])
def test_a_source_of_any_kind_that_is_silent_or_locked_says_so_in_its_row_and_can_be_asked_again(
        search, one, wait_until, fault, said):
    one.misbehave = fault
    asked = [Source(one.url + path, kind, kind, collection) for path, kind, collection in OF_EVERY_KIND]
    search.start(CatalogueQuery(), asked)
    wait_until(lambda: not search.running)
    assert [(row.state, said in row.error.user_text) for row in search.statuses] == [("failed", True)] * 3
    one.misbehave = ""
    assert all(search.retry(source.key) for source in asked)
    wait_until(lambda: not search.running)
    assert [(row.state, row.shown) for row in search.statuses] == [("done", 12)] * 3


@pytest.mark.parametrize(("path", "kind", "collection"), OF_EVERY_KIND)
def test_a_page_that_does_not_come_in_time_leaves_those_before_it(search, one, wait_until, path, kind, collection):
    one.misbehave, one.fault_from = "hang", 2
    source = Source(one.url + path, kind, "A", collection)
    search.start(CatalogueQuery(page_size=5), [source])
    wait_until(lambda: not search.running)
    assert search.status(source.key).shown == 5 and search.load_more(source.key)
    wait_until(lambda: not search.running)
    assert search.status(source.key).state == "failed" and "in time" in search.status(source.key).error.user_text
    assert len(search.results) == 5, "what came before stays"
    one.misbehave = ""
    assert search.retry(source.key)
    wait_until(lambda: not search.running)
    assert search.status(source.key).state == "done" and len(search.results) == 10, "it goes on behind the last page"


def test_more_is_asked_for_page_by_page(search, one, wait_until):
    source = Source(f"{one.url}/csw", SourceKind.CSW_2, "A")
    search.start(CatalogueQuery(page_size=5), [source])
    wait_until(lambda: not search.running)
    assert search.status(source.key).shown == 5 and search.status(source.key).more
    for shown in (10, 12):
        assert search.load_more(source.key)
        assert not search.load_more(source.key), "one page at a time"
        wait_until(lambda: not search.running)
        assert search.status(source.key).shown == shown
    assert not search.load_more(source.key) and len(search.results) == 12


def test_only_the_newest_query_counts(search, one, wait_until):
    source = Source(f"{one.url}/geonetwork", SourceKind.GEONETWORK, "A")
    for text in ("relieve", "nada de nada", "precipitación"):
        search.start(CatalogueQuery(text=text), [source])
    wait_until(lambda: not search.running)
    assert {item.identifier for item in search.results} == {"made-0005", "made-0010"}
    assert search.status(source.key).shown == 2


def test_what_a_source_says_of_itself_is_asked_for_once(search, one, wait_until):
    source = Source(f"{one.url}/csw", SourceKind.CSW_2, "A")
    for text in ("a", "b", "c"):
        search.start(CatalogueQuery(text=text), [source])
        wait_until(lambda: not search.running)
    assert sum("GetCapabilities" in path for _, path, _ in one.requests) == 1


def test_an_index_entry_becomes_a_whole_record(search, one, wait_until, qgis_app):
    source = Source(f"{one.url}/geonetwork", SourceKind.GEONETWORK, "A")
    search.start(CatalogueQuery(page_size=3), [source])
    wait_until(lambda: not search.running)
    got, failed = [], []
    found = search.result("made-0002").best.item
    federated_search.request_full_record(source, found, got.append, failed.append)
    wait_until(lambda: got or failed)
    assert not failed and got[0].original == one.records[1].xml


def test_an_address_is_recognised(one, wait_until, qgis_app):
    got, failed = [], []
    federated_search.request_detection(f"{one.url}/geonetwork", got.append, failed.append)
    wait_until(lambda: got or failed)
    assert [source.kind for source in got[0].sources] == [SourceKind.GEONETWORK, SourceKind.CSW_2]
    federated_search.request_detection("nada", got.append, failed.append)
    wait_until(lambda: failed)
    assert "web address" in failed[0].user_text


def test_saved_sources_come_back_with_the_networks_own_first(network, qgis_app):
    settings.set("profile", str(network.profile_path))
    [own] = catalogue_list.saved_sources()
    assert own.address == f"{network.url}/geonetwork"
    catalogue_list.save_sources([own, Source("https://a.invalid/csw", SourceKind.CSW_2, "A", authcfg="abc1234")])
    assert [source.title for source in catalogue_list.saved_sources()][1:] == ["A"]
    settings.set("sources", "{")
    with pytest.raises(CartoguideError):
        catalogue_list.saved_sources()


def test_the_networks_own_catalogue_is_searched_as_the_profile_names_it(search, network, wait_until):
    pytest.importorskip("netserve.csw", reason="pycsw is not installed", exc_type=ImportError)
    settings.set("profile", str(network.profile_path))
    # its catalogue is loaded when it is asked for the first time, which on a busy machine no limit of a request allows
    with urlopen(f"{network.url}/geonetwork/srv/spa/csw?SERVICE=CSW&REQUEST=GetCapabilities", timeout=patience(120)):
        pass
    settings.set("first_byte_timeout", 30.0 * slowness())
    settings.set("total_timeout", 60.0 * slowness())
    search.start(CatalogueQuery(text="guía"), catalogue_list.saved_sources())
    wait_until(lambda: not search.running)
    assert search.statuses[0].error is None and search.statuses[0].shown >= 1
    assert any("guía" in item.best.item.record.title.lower() for item in search.results)
