"""CSW 2.0.2 and 3.0.0 against a real pycsw: every condition returns exactly the records that it should."""

from __future__ import annotations

from dataclasses import replace

import pytest

from plugin.core.box import Box
from plugin.core.catalogues.detection import create_protocol, fetch_csw_capabilities
from plugin.core.catalogues.model import CatalogueQuery, CatalogueSort, Source, SourceKind
from plugin.core.catalogues.paginator import Paginator
from plugin.core.catalogues.protocols.csw import GMD
from plugin.core.errors import CartoguideError


@pytest.fixture(params=[SourceKind.CSW_2, SourceKind.CSW_3])
def csw(request, pycsw_address, fetch):
    return create_protocol(Source(pycsw_address, request.param, "pycsw"), fetch)


def ids(csw, fetch, **query):
    asked = CatalogueQuery(**query)
    found = []
    for page in Paginator(csw, fetch, asked).pages(csw.first_request(asked)):
        assert page.failures == () and page.notes == ()
        found += [item.record.id for item in page.items]
    assert len(found) == len(set(found)), "no record twice"
    return found


def expected(records, condition):
    return {record.id for record in records if condition(record)}


def meets(record, box):
    west, south, east, north = record.box
    return west <= box[2] and east >= box[0] and south <= box[3] and north >= box[1]


def test_capabilities_tell_version_schemas_queryables_and_page_size(csw):
    assert csw.capabilities.version == {SourceKind.CSW_2: "2.0.2", SourceKind.CSW_3: "3.0.0"
                                        }[csw.source.kind] and csw.capabilities.kind == csw.source.kind
    assert csw.capabilities.best_schema == GMD and csw.capabilities.title == "Catálogo de la red de pruebas"
    assert {"csw:AnyText", "dc:subject", "ows:BoundingBox"} <= set(csw.capabilities.queryables)
    assert csw.capabilities.max_records == 50


def test_the_server_chooses_its_best_version_where_none_is_asked_for(pycsw_address, fetch):
    assert fetch_csw_capabilities(pycsw_address, fetch).version == "3.0.0"
    assert len(fetch.requests) == 1


def test_every_record_comes_whole_over_several_pages(csw, fetch, made_records):
    asked = CatalogueQuery(page_size=50)
    pages = list(Paginator(csw, fetch, asked).pages(csw.first_request(asked)))
    assert [len(page.items) for page in pages] == [50, 50, 20] and pages[0].total == 120
    found = {item.record.id: item for page in pages for item in page.items}
    assert set(found) == {record.id for record in made_records}
    for record in made_records:
        item = found[record.id]
        assert item.record.source_format == "iso19139" and item.full
        assert (item.record.title, item.record.abstract) == (record.title, record.abstract)
        [extent] = item.record.extents
        assert (extent.west, extent.south, extent.east, extent.north) == record.box


def test_words_must_all_occur_wherever_they_stand(csw, fetch, made_records):
    water = expected(made_records, lambda record: "agua" in record.keywords)
    assert set(ids(csw, fetch, text="precipitación comarca")) == water
    assert set(ids(csw, fetch, text="comarca PRECIPITACIÓN")) == water
    assert ids(csw, fetch, text="precipitación terreno") == []


def test_wildcards_of_the_protocol_are_plain_characters_in_a_query(csw, fetch):
    assert ids(csw, fetch, text="preci*") == []
    assert ids(csw, fetch, text="<&>") == []


def test_keywords_type_and_box_narrow_alone_and_together(csw, fetch, made_records):
    box = Box(-6.0, 37.2, -3.2, 39.4)
    assert set(ids(csw, fetch, keywords=("agua",))) == expected(made_records, lambda r: "agua" in r.keywords)
    assert set(ids(csw, fetch, type="service")) == expected(made_records, lambda r: r.kind == "service")
    inside = expected(made_records, lambda r: meets(r, box))
    assert 0 < len(inside) < 120 and set(ids(csw, fetch, bbox=box)) == inside
    both = expected(made_records, lambda r: meets(r, box) and r.kind == "dataset" and "terreno" in r.keywords)
    assert both and set(ids(csw, fetch, bbox=box, type="dataset", keywords=("terreno",), text="relieve")) == both


def test_the_docks_facets_narrow_and_what_cannot_be_sent_is_said(csw, fetch, made_records):
    def got(**facets):
        return set(ids(csw, fetch, page_size=50, facets=tuple(sorted(facets.items()))))

    everything = {record.id for record in made_records}
    assert got(keyword=("agua", "nada")) == expected(made_records, lambda r: "agua" in r.keywords)
    assert got(keyword=("agu",)) == set(), "a part of a keyword is no keyword"
    assert got(kind=("service", "dataset")) == everything
    assert got(organisation=("Red de pruebas", "Otra")) == everything and got(organisation=("Red",)) == set()
    years = expected(made_records, lambda r: r.stamp[:4] in ("2012", "2015"))
    assert got(year=("2012", "2015")) == years and got(year=("2012", "2015"), licence=("undecided",)) == years
    assert got(licence=("cc-by-4.0",)) == set()
    wanted = CatalogueQuery(facets=(("keyword", ("a",)), ("licence", ("free",)), ("year", ("2012",))))
    dates = csw.capabilities.has_queryable("RevisionDate") and csw.capabilities.has_queryable(
        "PublicationDate") and csw.capabilities.has_queryable("CreationDate")
    assert csw.unsent_conditions(wanted) == ("licence",) if dates else ("licence", "year")
    boxed = replace(wanted, text="x", bbox=Box(0, 0, 1, 1))
    assert csw.unsent_conditions(boxed) == (("text", "keyword", "licence", "year")
                                            if csw.capabilities.kind == SourceKind.CSW_3
                                            else csw.unsent_conditions(wanted))


def test_a_year_is_sent_only_where_all_dates_of_a_resource_can_be_asked_for(csw):
    query = CatalogueQuery(facets=(("year", ("2012",)),))
    known = replace(csw.capabilities, queryables=("apiso:RevisionDate", "apiso:PublicationDate", "apiso:CreationDate"))
    csw.capabilities, kept = known, csw.capabilities
    body = csw.first_request(query).body
    assert body.count(b"2011-12-31") == 3 == body.count(b"2013-01-01") and csw.unsent_conditions(query) == ()
    csw.capabilities = replace(known, queryables=("apiso:RevisionDate",))
    assert b"2011" not in csw.first_request(query).body and csw.unsent_conditions(query) == ("year",)
    csw.capabilities = kept


def test_a_box_is_longitude_before_latitude(csw, fetch, made_records):
    far = expected(made_records, lambda r: r.box[0] == 52.0)
    assert set(ids(csw, fetch, bbox=Box(51.0, -11.0, 53.0, -9.0))) == far and len(far) == 17
    assert ids(csw, fetch, bbox=Box(-11.0, 51.0, -9.0, 53.0)) == []


def test_a_box_over_the_date_line_is_two(csw, fetch, made_records):
    far = expected(made_records, lambda r: r.box[0] == 52.0)
    assert set(ids(csw, fetch, bbox=Box(50.0, -20.0, -170.0, 0.0))) == far


def test_sorting_is_the_servers_work(csw, fetch, made_records):
    by_name = ids(csw, fetch, sort=CatalogueSort.IDENTIFIER, page_size=25)
    assert by_name == sorted(record.id for record in made_records)
    stamps = {record.id: record.stamp for record in made_records}
    dates = [stamps[name] for name in ids(csw, fetch, sort=CatalogueSort.DATE, type="service")]
    assert dates == sorted(dates, reverse=True) and len(dates) == 60


def test_one_record_is_asked_for_by_its_identifier(csw, fetch, made_records):
    wanted = made_records[41]
    item = csw.parse_record(wanted.id, fetch(csw.record_request(wanted.id)))
    assert item.record.title == wanted.title and item.location == csw.record_request(wanted.id).url
    with pytest.raises(CartoguideError):
        csw.parse_record("none", fetch(csw.record_request("none")))


def test_dublin_core_is_read_where_nothing_better_is_offered(csw, fetch, made_records):
    csw.capabilities = replace(csw.capabilities, schemas=())
    asked = CatalogueQuery(text="comarca", page_size=10)
    answer = csw.parse_page(csw.first_request(asked), fetch(csw.first_request(asked)))
    assert len(answer.records) == 10 and answer.total == 120
    first = answer.records[0]
    assert first.source_format.startswith("csw") and first.title.startswith(("Relieve", "Precipitación"))
    assert first.extents and first.extents[0].west in {record.box[0] for record in made_records}


def test_an_exception_is_told_in_the_servers_words(csw, fetch):
    request = csw.first_request(CatalogueQuery(text="x"))
    broken = replace(request, body=request.body.replace(b"csw:AnyText", b"no:such"))
    with pytest.raises(CartoguideError) as caught:
        csw.parse_page(broken, fetch(broken))
    assert "no:such" in caught.value.user_text + caught.value.detail
