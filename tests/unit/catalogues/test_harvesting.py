"""Harvests into a real record library: resumable, counted, with no acknowledged record lost."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest
from lxml import etree

from plugin.core.catalogues.detection import create_protocol
from plugin.core.catalogues.harvesting import HarvestSummary, discard_checkpoint, harvest, is_resumable
from plugin.core.catalogues.model import CatalogueQuery, Source, SourceKind, query_key
from plugin.core.catalogues.paginator import Paginator
from plugin.core.errors import CartoguideError
from plugin.core.library import bulk_import
from plugin.core.library.query import LibraryQuery
from plugin.core.library.record_store import RecordStore
from plugin.core.request import Response
from tests.pairwise import some

QUERY = CatalogueQuery(page_size=10)
ADDRESSES = {SourceKind.CSW_2: "/csw", SourceKind.GEONETWORK: "/geonetwork", SourceKind.OGC_API: "/api"}


@pytest.fixture
def store(tmp_path):
    made_store = RecordStore(tmp_path / "records.sqlite")
    yield made_store
    made_store.close()


@pytest.fixture
def small_batches(monkeypatch):
    monkeypatch.setattr(bulk_import, "_BATCH_RECORDS", 10)


def source(server, kind=SourceKind.CSW_2):
    return Source(server.url + ADDRESSES[kind], kind, "Red")


@pytest.fixture(params=[SourceKind.CSW_2, SourceKind.GEONETWORK, SourceKind.OGC_API])
def protocol(request, server, fetch):
    return create_protocol(source(server, request.param), fetch)


def test_everything_comes_and_a_second_time_nothing_is_new(protocol, store, fetch, server):
    first = harvest(protocol, QUERY, store, fetch)
    assert (first.new, first.changed, first.same, first.failed) == (45, 0, 0, 0)
    assert first.complete and not first.resumed and store.count_records() == 45 and first.processed == 45
    assert store.load_record("made-0007").title == "Relieve de la comarca 7"
    assert {hit.identifier for hit in store.search(LibraryQuery("precipitacion")).hits
            } == {record.id for record in server.records if "agua" in record.keywords}
    again = harvest(protocol, QUERY, store, fetch)
    assert (again.new, again.changed, again.same) == (0, 0, 45) and store.count_records() == 45


@pytest.mark.parametrize(("summary", "text"), [
    (HarvestSummary(), "0 new"), (HarvestSummary(new=4), "4 new"),
    (HarvestSummary(same=9, failed=1), "9 unchanged, 1 failed"),
    (HarvestSummary(changed=2, vanished=3, left_out=1), "2 changed, 1 left out, 3 no longer there")])
def test_a_summary_lists_what_there_was(summary, text):
    assert summary.to_text() == text


def test_what_changed_and_what_vanished_is_told(store, fetch, server):
    protocol = create_protocol(source(server), fetch)
    harvest(protocol, QUERY, store, fetch)
    changed = type(server.records[3])(**{**vars(server.records[3]), "title": "Otro título", "stamp": "2029-01-01"})
    server.records[3:5] = [changed]
    summary = harvest(protocol, QUERY, store, fetch)
    assert (summary.new, summary.changed, summary.same, summary.vanished) == (0, 1, 43, 1)
    assert store.load_record("made-0004").title == "Otro título"
    assert store.load_record("made-0005") is not None, "what vanished is marked, not dropped"
    assert store.find_copies("made-0005")[0].vanished_at is not None


def test_a_harvest_of_a_query_marks_nothing_as_vanished(store, fetch, server):
    protocol = create_protocol(source(server, SourceKind.GEONETWORK), fetch)
    harvest(protocol, QUERY, store, fetch)
    summary = harvest(protocol, CatalogueQuery(type="service", page_size=10), store, fetch)
    assert (summary.same, summary.vanished) == (22, 0)


def test_a_harvest_takes_what_the_docks_filter_finds_whatever_the_source_can_be_asked(protocol, store, fetch, server):
    query = CatalogueQuery(
        page_size=10, facets=(("keyword", ("agua", "clima")), ("licence", ("undecided", )),
                              ("organisation", ("Red de pruebas", )), ("year", ("2010", "2015"))))
    expected = {record.id for record in server.records if "agua" in record.keywords}
    if protocol.source.kind == SourceKind.OGC_API:
        # its records name no contact
        query = CatalogueQuery(page_size=10, facets=query.facets[:2])
    summary = harvest(protocol, query, store, fetch)
    assert summary.new == store.count_records() == len(expected) == 9 and summary.complete
    assert {store.load_record(name).id for name in expected} == expected
    assert query_key(protocol.source, query) != query_key(protocol.source, QUERY)


def test_a_break_costs_no_page_that_was_acknowledged(protocol, store, fetch, server):
    server.misbehave, server.fault_from = "exception", 3
    with pytest.raises(CartoguideError):
        harvest(protocol, QUERY, store, fetch)
    assert store.count_records() == 20 and is_resumable(store, protocol.source, QUERY)
    server.misbehave = ""
    before = len(server.requests)
    summary = harvest(protocol, QUERY, store, fetch)
    searches = [path for _, path, body in server.requests[before:] if b"GetRecords" in body or "_search" in path
                or "/items" in path]
    assert len(searches) == 3, "the pages that were acknowledged are not asked for again"
    assert (summary.new, summary.same, summary.resumed, summary.complete) == (45, 0, True, True)
    assert store.count_records() == 45 and not is_resumable(store, protocol.source, QUERY)


def test_a_person_may_break_off_and_go_on_in_another_session(store, fetch, server, tmp_path, small_batches):
    protocol = create_protocol(source(server), fetch)

    def stop(summary):
        if summary.processed >= 10:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        harvest(protocol, QUERY, store, fetch, stop)
    other = RecordStore(tmp_path / "records.sqlite")
    summary = harvest(create_protocol(source(server), fetch), CatalogueQuery(page_size=25), other, fetch)
    other.close()
    assert summary.resumed and summary.new == 45 and store.count_records() == 45


class Killed(BaseException):
    """The process ends here."""


@pytest.mark.parametrize(("step", "page"), some(product(range(1, 9), (7, 13, 30)), 2))
def test_a_crash_anywhere_counts_every_record_once(store, fetch, server, monkeypatch, small_batches, step, page):
    """The harvest dies after its ``step``-th durable write, and after the third when it resumes."""
    protocol, query = create_protocol(source(server), fetch), CatalogueQuery(page_size=page)
    left = 0

    def dying(write):
        def then_die(*arguments):
            nonlocal left
            done = write(*arguments)
            left -= arguments[-1] is not None  # the checkpoint is removed when all is done
            if left == 0:
                raise Killed
            return done
        return then_die

    monkeypatch.setattr(store, "save_rows", dying(store.save_rows))
    monkeypatch.setattr(store.checkpoints, "save", dying(store.checkpoints.save))
    deaths = 0
    for writes in (step, 3, -1):
        left = writes
        try:
            summary = harvest(protocol, query, store, fetch)
            break
        except Killed:
            deaths += 1
    assert deaths or step > 5
    assert (summary.new, summary.changed, summary.same, summary.processed) == (45, 0, 0, 45)
    assert summary.complete and summary.resumed == bool(deaths) and store.count_records() == 45


def test_what_changed_before_a_crash_counts_as_changed(store, fetch, server, small_batches):
    protocol = create_protocol(source(server), fetch)
    harvest(protocol, QUERY, store, fetch)
    for number in (2, 12):
        old = server.records[number]
        server.records[number] = type(old)(**{**vars(old), "title": "Otro título"})

    def stop(summary):
        if summary.processed >= 10:
            raise Killed

    with pytest.raises(Killed):
        harvest(protocol, CatalogueQuery(page_size=15), store, fetch, stop)
    summary = harvest(protocol, CatalogueQuery(page_size=15), store, fetch)
    assert summary.resumed and (summary.new, summary.changed, summary.same) == (0, 2, 43)


def test_failures_before_a_crash_are_counted_once(store, fetch, server, small_batches):
    server.misbehave = "broken-record"
    protocol = create_protocol(source(server), fetch)

    def stop(summary):
        if summary.processed >= 20:
            raise Killed

    with pytest.raises(Killed):
        harvest(protocol, CatalogueQuery(page_size=7), store, fetch, stop)
    summary = harvest(protocol, CatalogueQuery(page_size=7), store, fetch)
    assert (summary.new, summary.same, summary.failed, len(summary.failures)) == (44, 0, 1, 1)


def test_a_continuation_that_was_damaged_lets_the_harvest_begin_anew(store, fetch, server):
    protocol = create_protocol(source(server), fetch)
    key = query_key(protocol.source, QUERY)
    foreign = {"format": "cartoguide-harvest/1", "request": {"url": "file:///"}, "summary": {}}
    for state in ({"format": "other"}, foreign):
        store.checkpoints.save(key, state)
        assert not is_resumable(store, protocol.source, QUERY)
    assert harvest(protocol, QUERY, store, fetch).new == 45


def test_a_harvest_that_was_broken_off_can_be_begun_anew(store, fetch, server):
    protocol = create_protocol(source(server), fetch)
    server.misbehave, server.fault_from = "html", 3
    with pytest.raises(CartoguideError):
        harvest(protocol, QUERY, store, fetch)
    server.misbehave = ""
    discard_checkpoint(store, protocol.source, QUERY)
    summary = harvest(protocol, QUERY, store, fetch)
    assert not summary.resumed and (summary.new, summary.same) == (25, 20)


def test_one_record_that_fails_is_counted_with_its_reason(store, fetch, server):
    server.misbehave = "broken-record"
    summary = harvest(create_protocol(source(server), fetch), QUERY, store, fetch)
    assert (summary.new, summary.failed, summary.complete) == (44, 1, True)
    [(what, why, _)] = summary.failures
    assert what == "Red" and "El índice está roto" in why
    assert summary.vanished == 0


def test_geonetworks_packages_stand_in_for_xml_that_it_does_not_give(store, fetch, server):
    server.misbehave = "no-xml"
    summary = harvest(create_protocol(source(server, SourceKind.GEONETWORK), fetch), QUERY, store, fetch)
    assert (summary.new, summary.failed) == (45, 0)
    assert store.load_record("made-0009").original == server.records[8].xml


def test_two_records_under_one_identifier_are_both_kept(store, fetch, server):
    server.misbehave = "duplicate"
    summary = harvest(create_protocol(source(server), fetch), QUERY, store, fetch)
    assert summary.new == 45 and len(store.find_copies("made-0001")) == 2
    again = harvest(create_protocol(source(server), fetch), QUERY, store, fetch)
    assert (again.new, again.same, again.vanished) == (0, 45, 0)


@pytest.mark.parametrize("kind", [SourceKind.CSW_2, SourceKind.CSW_3])
def test_a_real_pycsw_is_harvested_whole(kind, pycsw_address, made_records, store, fetch):
    protocol = create_protocol(Source(pycsw_address, kind, "pycsw"), fetch)
    summary = harvest(protocol, CatalogueQuery(page_size=50), store, fetch)
    assert (summary.new, summary.failed, summary.complete, summary.notes) == (120, 0, True, [])
    assert store.load_record(made_records[99].id).title == made_records[99].title


def test_a_real_pygeoapi_is_harvested_whole(pygeoapi_address, made_records, store, fetch):
    protocol = create_protocol(Source(pygeoapi_address, SourceKind.OGC_API, "pygeoapi", "registros"), fetch)
    summary = harvest(protocol, CatalogueQuery(page_size=50), store, fetch)
    assert (summary.new, summary.failed, summary.complete, summary.notes) == (120, 0, True, [])
    assert store.load_record(made_records[99].id).title == made_records[99].title


def test_a_harvest_with_pages_missing_in_the_middle_is_not_complete(store, fetch, server):
    def with_a_hole(request):
        response = fetch(request)
        if b'startPosition="11"' not in (request.body or b""):
            return response
        root = etree.fromstring(response.body)
        results = root.find("{*}SearchResults")
        for entry in list(results):
            results.remove(entry)
        results.set("numberOfRecordsReturned", "0")
        return replace(response, body=etree.tostring(root))

    protocol = create_protocol(source(server), fetch)
    summary = harvest(protocol, replace(QUERY, page_size=10), store, with_a_hole)
    assert (summary.new, summary.complete, summary.vanished) == (35, False, 0)
    assert any("announced 45" in note for note in summary.notes)


def test_a_refused_search_is_sent_once_more_with_the_other_name_of_all_text(store, fetch, server):
    refused = []

    def without_prefix(request):
        if b">csw:AnyText<" in (request.body or b"") or len(refused) > 1:
            refused.append(request)
            return Response(200, {"content-type": "text/xml"}, (
                b'<ows:ExceptionReport xmlns:ows="http://www.opengis.net/ows"><ows:Exception exceptionCode="x">'
                b"<ows:ExceptionText>Unknown property</ows:ExceptionText></ows:Exception></ows:ExceptionReport>"),
                            request.url)
        return fetch(request)

    protocol = create_protocol(source(server), fetch)
    asked = replace(QUERY, text="agua", page_size=10)
    request = protocol.first_request(asked)
    if b">csw:AnyText<" not in request.body:
        request = protocol.respelled_request(request)
    page = next(Paginator(protocol, without_prefix, asked).pages(request))
    assert page.items and len(refused) == 1
    assert b">AnyText<" in page.next_request.body if page.next_request else True
