"""Local and remote results merged to one list: the same filter for both, the newest version of a record, one order."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timezone

import pytest
from made_catalogue import made

from plugin.core.box import Box
from plugin.core.catalogues.model import CatalogueQuery, CatalogueRecord, CatalogueSort, Source, SourceKind
from plugin.core.catalogues.result_merging import (
    RecordMerger,
    RemoteHit,
    add_remote_counts,
    comparable_date_stamp,
    is_in_library,
    merge_results,
    selected_sources,
    to_catalogue_query,
    to_search_hit,
)
from plugin.core.library.index.index_row import index_row
from plugin.core.library.query import FacetCounts, LibraryQuery, SearchHit, SortOrder
from plugin.core.records import read

A, B = Source("https://a.invalid/csw", SourceKind.CSW_2, "A"), Source("https://b.invalid", SourceKind.GEONETWORK, "B")


def record(number, **changes):
    return read(replace(made(number)[-1], **changes).xml)[0]


def kept(number, **changes):
    row = index_row(record(number, **changes))
    return SearchHit(number, row.identifier, row.title, row.kind, row.service_type, row.year, row.date_stamp,
                     row.organisation, row.licence, row.free, row.credit_required, row.endpoint, row.overview, False,
                     row.bbox)


def line(item, query=None, own=None, rank=0, full=True, source=A):
    merging = RecordMerger()
    merging.add(source, [CatalogueRecord(item, "place", full)])
    return to_search_hit(merging.results[0], rank, query or LibraryQuery(), own)


def test_a_query_is_asked_as_far_as_catalogues_understand_it():
    query = LibraryQuery(" agua ", Box(-200.0, 30.0, 10.0, 95.0), {"kind": ("service",), "keyword": ("clima",)},
                         SortOrder.TITLE)
    assert to_catalogue_query(query) == CatalogueQuery("agua", bbox=Box(-180.0, 30.0, 10.0, 90.0),
                                                       sort=CatalogueSort.TITLE,
                                                       facets=(("keyword", ("clima", )), ("kind", ("service", ))))
    either = to_catalogue_query(
        LibraryQuery(facets={"kind": ("service", "dataset"), "keyword": ("a", "b"), "source": (A.key, )}))
    assert either == CatalogueQuery(facets=(("keyword", ("a", "b")), ("kind", ("service", "dataset"))))
    assert either.types == ("service", "dataset")
    assert to_catalogue_query(
        LibraryQuery(facets={"kind": ("service", "other")})).types == (), "no catalogue has a word for others"
    assert selected_sources(LibraryQuery(facets={"source": (B.key, "file")}), [A, B]) == [B]
    assert selected_sources(LibraryQuery(), [A, B]) == [A, B]
    assert to_catalogue_query(LibraryQuery(bbox=Box(200.0, 0.0, 210.0, 1.0))).bbox is None


@pytest.mark.parametrize(("facet", "value", "there"), [
    ("kind", "service", True), ("kind", "dataset", False), ("keyword", "TERRENO", True), ("keyword", "agua", False),
    ("year", "2012", True), ("year", "1999", False), ("source", A.key, True), ("source", "else", False)])
def test_what_catalogues_cannot_be_asked_for_is_left_out_of_their_answers(facet, value, there):
    assert (line(record(2), LibraryQuery(facets={facet: (value,)})) is not None) is there


def test_what_is_in_two_catalogues_is_in_either():
    merging = RecordMerger()
    for source in (A, B):
        merging.add(source, [CatalogueRecord(record(2), "place", True)])
    for key in (A.key, B.key):
        assert to_search_hit(merging.results[0], 0, LibraryQuery(facets={"source": (key,)}), None) is not None


def test_facets_count_what_catalogues_alone_hold_beside_what_is_kept():
    own = FacetCounts(2, {"kind": (("dataset", 2),), "year": ()})
    found = [line(record(2)), line(record(4), source=B), line(record(3), own=kept(3, stamp="2001-01-01")), kept(6)]
    both = add_remote_counts(own, found, {kept(3).identifier, kept(6).identifier})
    assert both.total == 4 and both.facets["kind"] == (("dataset", 2), ("service", 2))
    assert dict(both.facets["source"]) == {A.key: 1, B.key: 1}
    assert dict(both.facets["year"]) == {"2012": 1, "2014": 1}
    assert add_remote_counts(own, [kept(6)], {kept(6).identifier}) == own


def test_what_is_kept_is_counted_too_where_its_catalogue_alone_finds_it():
    own = FacetCounts(2, {"kind": (("dataset", 2),)})
    found = [line(record(2), own=kept(2)), line(record(4), own=kept(4, stamp="2001-01-01"))]
    assert not isinstance(found[0], RemoteHit) and is_in_library(found[0]) and is_in_library(found[1])
    both = add_remote_counts(own, found)
    assert both.total == 4 and dict(both.facets["kind"]) == {"dataset": 2, "service": 2}
    assert line(record(2), LibraryQuery(facets={"kind": ("dataset",)}), own=kept(2)) is None, "it does not match"


def test_an_outline_is_not_left_out_for_what_it_may_have():
    assert line(record(2), LibraryQuery(facets={"licence": ("cc-by-4.0",)}), full=False) is not None
    assert line(record(2), LibraryQuery(facets={"licence": ("cc-by-4.0",)})) is None


@pytest.mark.parametrize(("own", "remote"), [
    ("2012-01-03", False), ("2012-01-02", True), ("2012-01-03T00:00:00.000Z", False), ("2013-01-01", False)])
def test_the_newer_one_speaks(own, remote):
    found = line(record(2), own=kept(2, stamp=own))
    assert isinstance(found, RemoteHit) is remote
    if remote:
        assert found.local_date_stamp == own and found.catalogue == "A"


def test_a_date_to_come_is_today():
    """Somebody's wrong clock, or a claim to be the newest, does not win over what was changed since."""
    today = datetime.now(timezone.utc).strftime("%Y-%m-%d")
    assert comparable_date_stamp("2099-01-01")[:10] == comparable_date_stamp("9999-12-31T00:00:00Z")[:10] == today
    assert comparable_date_stamp("2012-01-03T00:00:00.000Z") == "2012-01-03"
    assert not isinstance(line(record(2), own=kept(2, stamp="2099-01-01")), RemoteHit)


def test_a_starter_gives_way():
    assert isinstance(line(record(2), own=replace(kept(2, stamp="2030-01-01"), starter=True)), RemoteHit)


def test_by_relevance_the_first_of_each_come_first():
    own = [kept(1), kept(2)]
    found = [line(record(number), rank=rank, source=source)
             for number, rank, source in ((3, 0, A), (4, 1, A), (5, 0, B))]
    woven = merge_results(own, [*found, line(record(2), own=kept(2, stamp="2001-01-01"), rank=2)],
                          SortOrder.RELEVANCE)
    assert [hit.identifier[-1] for hit in woven] == ["1", "3", "5", "2", "4"]
    assert isinstance(woven[3], RemoteHit), "the newer version stands in the kept one's place"


@pytest.mark.parametrize(("sort", "order"), [(SortOrder.TITLE, "51234"), (SortOrder.DATE, "54321")])
def test_other_orders_are_those_of_all(sort, order):
    own, found = [kept(1), kept(3)], [line(record(number)) for number in (2, 4, 5)]
    if sort is SortOrder.DATE:
        own.reverse()
    assert "".join(hit.identifier[-1] for hit in merge_results(own, found, sort)) == order
