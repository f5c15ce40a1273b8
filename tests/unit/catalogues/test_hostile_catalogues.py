"""Catalogues that misbehave: every pagination ends, records received are kept, and the error says what was wrong."""

from __future__ import annotations

import time

import pytest
from made_catalogue import made
from scripted_catalogue import ScriptedCatalogue

from plugin.core.catalogues.detection import create_protocol
from plugin.core.catalogues.model import CatalogueQuery, Source, SourceKind
from plugin.core.catalogues.paginator import PageLimits, Paginator
from plugin.core.catalogues.protocols.ogcapi_records import find_link
from plugin.core.errors import CartoguideError


@pytest.fixture
def server():
    with ScriptedCatalogue(made(45)) as running:
        yield running


ADDRESSES = {SourceKind.CSW_2: "/csw", SourceKind.GEONETWORK: "/geonetwork", SourceKind.OGC_API: "/api"}


def walked(server, fetch, kind=SourceKind.CSW_2, bounds=None, **query):
    protocol = create_protocol(Source(server.url + ADDRESSES[kind], kind, "Red"), fetch)
    asked = CatalogueQuery(page_size=10, **query)
    return list(Paginator(protocol, fetch, asked, bounds).pages(protocol.first_request(asked)))


def ids(pages):
    return [item.record.id for page in pages for item in page.items]


def words(pages):
    return " ".join(note for page in pages for note in page.notes)


ALL = [f"made-{number:04}" for number in range(1, 46)]


@pytest.mark.parametrize("kind", [SourceKind.CSW_2, SourceKind.GEONETWORK, SourceKind.OGC_API])
def test_a_good_server_is_walked_to_its_end_without_a_word(server, fetch, kind):
    pages = walked(server, fetch, kind)
    assert ids(pages) == ALL and words(pages) == "" and [len(page.items) for page in pages] == [10, 10, 10, 10, 5]
    assert {page.total for page in pages} == {45}


@pytest.mark.parametrize("fault", ["repeat", "repeat-renewed"])
@pytest.mark.parametrize("kind", [SourceKind.CSW_2, SourceKind.GEONETWORK, SourceKind.OGC_API])
def test_a_server_that_repeats_a_page_for_ever_is_left_after_the_first_repetition(server, fetch, kind, fault):
    server.misbehave = fault
    pages = walked(server, fetch, kind)
    assert ids(pages) == ALL[:10]
    assert "repeats" in words(pages) and len(server.requests) < 8


@pytest.mark.parametrize("kind", [SourceKind.CSW_2, SourceKind.GEONETWORK, SourceKind.OGC_API])
def test_a_server_that_announces_too_much_is_read_to_its_end_and_told_of(server, fetch, kind):
    server.misbehave = "lie-more"
    pages = walked(server, fetch, kind)
    assert ids(pages) == ALL
    assert "announced 10000 records but returned 45" in words(pages)


@pytest.mark.parametrize("kind", [SourceKind.CSW_2, SourceKind.GEONETWORK, SourceKind.OGC_API])
def test_a_server_that_announces_too_little_loses_nothing(server, fetch, kind):
    server.misbehave = "lie-less"
    assert ids(walked(server, fetch, kind)) == ALL


def test_a_next_record_that_goes_back_is_not_followed(server, fetch):
    server.misbehave = "back"
    pages = walked(server, fetch)
    assert ids(pages) == ALL and "back from record 11 to record 1" in words(pages)


def test_records_that_a_server_skips_are_asked_for_as_well(server, fetch):
    server.misbehave = "skip"
    pages = walked(server, fetch)
    assert ids(pages) == ALL and "skipped" in words(pages)


@pytest.mark.parametrize("kind", [SourceKind.CSW_2, SourceKind.GEONETWORK, SourceKind.OGC_API])
def test_new_records_without_end_are_bounded(server, fetch, kind):
    server.misbehave = "forever"
    pages = walked(server, fetch, kind, bounds=PageLimits(records=200))
    assert len(ids(pages)) == 200 and "more than 200" in words(pages)


def test_a_total_that_is_passed_by_far_ends_the_walk(server, fetch):
    server.misbehave = "forever"
    protocol = create_protocol(Source(server.url + "/csw", SourceKind.CSW_2, "Red"), fetch)
    asked = CatalogueQuery(page_size=40)
    pages = list(Paginator(protocol, fetch, asked).pages(protocol.first_request(asked)))
    assert "keeps returning more" in words(pages) and 1000 < len(ids(pages)) < 1600


def test_empty_pages_that_lead_on_are_left(server, fetch):
    server.misbehave, server.fault_from = "empty", 3
    pages = walked(server, fetch)
    assert ids(pages) == ALL[:20] and len(server.requests) < 10


@pytest.mark.parametrize("kind", [SourceKind.CSW_2, SourceKind.GEONETWORK, SourceKind.OGC_API])
@pytest.mark.parametrize(("fault", "said"), [
    ("html", "Portal en mantenimiento"), ("exception", "El índice está roto"), ("password", "Authentication"),
    ("cut", "incomplete|broken"), ("problem", "El índice está roto")])
def test_what_is_no_answer_is_refused_in_words_and_earlier_pages_stay(server, fetch, kind, fault, said):
    server.misbehave, server.fault_from = fault, 3
    protocol = create_protocol(Source(server.url + ADDRESSES[kind], kind, "Red"), fetch)
    asked = CatalogueQuery(page_size=10)
    kept = []
    with pytest.raises(CartoguideError, match=said):
        for page in Paginator(protocol, fetch, asked).pages(protocol.first_request(asked)):
            kept += page.items
    assert len(kept) == 20 and len(server.requests) < 60


@pytest.mark.parametrize("kind", [SourceKind.CSW_2, SourceKind.GEONETWORK, SourceKind.OGC_API])
@pytest.mark.parametrize("fault", ["html", "exception", "password", "cut", "problem"])
def test_a_server_that_fails_at_once_is_not_asked_often(server, fetch, kind, fault):
    server.misbehave = fault
    with pytest.raises(CartoguideError):
        walked(server, fetch, kind)
    assert len(server.requests) <= 5


def test_one_record_that_the_server_cannot_give_costs_only_itself(server, fetch):
    server.misbehave = "broken-record"
    pages = walked(server, fetch)
    assert ids(pages) == [name for name in ALL if name != "made-0013"]
    [failure] = [failure for page in pages for failure in page.failures]
    assert "índice" in failure.user_text


def test_a_broken_record_on_the_first_page_is_gone_round_too(server, fetch):
    server.misbehave = "broken-record"
    server.records = server.records[12:]
    assert ids(walked(server, fetch)) == ALL[13:]


def test_pages_of_ten_megabytes_are_read(server, fetch):
    server.misbehave = "big"
    server.records = server.records[:12]
    started = time.monotonic()
    assert ids(walked(server, fetch)) == ALL[:12]
    assert time.monotonic() - started < 120


@pytest.mark.parametrize("kind", [SourceKind.CSW_2, SourceKind.GEONETWORK, SourceKind.OGC_API])
def test_two_records_under_one_identifier_are_both_kept(server, fetch, kind):
    server.misbehave = "duplicate"
    pages = walked(server, fetch, kind)
    items = [item for page in pages for item in page.items if item.record.id == "made-0001"]
    assert [item.record.title for item in items] == ["Relieve de la comarca 1", "Relieve de la comarca 2"]
    assert items[0].location != items[1].location and len(ids(pages)) == 45


def test_an_api_that_leads_round_in_a_circle_is_left(server, fetch):
    server.misbehave = "circle"
    pages = walked(server, fetch, SourceKind.OGC_API)
    assert ids(pages) == ALL[:10] and words(pages) and len(server.requests) <= 5


def test_a_next_page_on_a_foreign_host_is_not_asked_for(server, fetch):
    server.misbehave = "foreign-next"
    pages = walked(server, fetch, SourceKind.OGC_API)
    assert ids(pages) == ALL[:10] and "elsewhere.invalid" in words(pages)
    assert all("elsewhere" not in request.url for request in fetch.requests)


@pytest.mark.parametrize("links", [0.5, True, "next", {"rel": "next"}, [0.5, None, {"rel": "next", "href": 7}]])
def test_links_that_are_no_list_of_links_are_none(links):
    assert find_link({"links": links}, "next") is None
