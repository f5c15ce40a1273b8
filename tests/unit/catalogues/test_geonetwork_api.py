"""The API of GeoNetwork 4, against a server that follows its documentation."""

from __future__ import annotations

import json

import pytest

from plugin.core.box import Box
from plugin.core.catalogues.detection import create_protocol
from plugin.core.catalogues.model import CatalogueQuery, Source, SourceKind
from plugin.core.catalogues.paginator import Paginator
from plugin.core.catalogues.protocols.geonetwork_api import MAX_RESULT_WINDOW, GeoNetworkProtocol
from plugin.core.errors import CartoguideError
from plugin.core.request import HttpMethod


@pytest.fixture
def geonetwork(server):
    return GeoNetworkProtocol(Source(f"{server.url}/geonetwork", SourceKind.GEONETWORK, "GN"))


def answer(geonetwork, fetch, **query):
    request = geonetwork.first_request(CatalogueQuery(**query))
    return geonetwork.parse_page(request, fetch(request))


def test_the_index_gives_what_a_list_shows(geonetwork, fetch, server):
    item = answer(geonetwork, fetch, page_size=5).items[0]
    record, wanted = item.record, server.records[0]
    assert not item.full and (record.id, record.title, record.abstract) == (wanted.id, wanted.title, wanted.abstract)
    assert record.keywords == wanted.keywords and record.kind == "dataset" and record.language == "spa"
    assert record.date_stamp.startswith(wanted.stamp)
    [extent] = record.extents
    assert (extent.west, extent.south, extent.east, extent.north) == wanted.box
    assert record.online[0].url == "https://maps.invalid/1?" and record.online[0].protocol == "OGC:WMS"
    assert record.contacts[0].organisation == "Red de pruebas"
    assert record.overviews[0].url == f"{server.url}/api/records/made-0001/attachments/mapa.png"


def test_conditions_narrow_alone_and_together(geonetwork, fetch, server):
    def expected(condition):
        return {record.id for record in server.records if condition(record)}

    def got(**query):
        return {record.id for record in answer(geonetwork, fetch, **query).records}

    assert got(text="precipitación comarca") == expected(lambda r: "agua" in r.keywords)
    assert got(keywords=("clima",)) == expected(lambda r: "clima" in r.keywords)
    assert got(type="service") == expected(lambda r: r.kind == "service")
    far = expected(lambda r: r.box[0] == 52.0)
    assert got(bbox=Box(51.0, -11.0, 53.0, -9.0)) == far and got(bbox=Box(-11.0, 51.0, -9.0, 53.0)) == set()
    assert got(bbox=Box(51.0, -11.0, 53.0, -9.0), type="service") == far & expected(lambda r: r.kind == "service")


def test_the_docks_facets_narrow_and_what_cannot_be_sent_is_said(geonetwork, fetch, server):
    def got(**facets):
        query = CatalogueQuery(page_size=50, facets=tuple(sorted(facets.items())))
        request = geonetwork.first_request(query)
        return {item.record.id for page in Paginator(geonetwork, fetch, query).pages(request) for item in page.items}

    def expected(condition):
        return {record.id for record in server.records if condition(record)}

    assert got(keyword=("clima", "terreno")) == expected(lambda r: True) == got(kind=("service", "dataset"))
    assert got(year=("2012", "2015")) == expected(lambda r: r.stamp[:4] in ("2012", "2015"))
    assert got(organisation=("Red de pruebas",)) == expected(lambda r: True) and got(organisation=("Otra",)) == set()
    wanted = CatalogueQuery(facets=(("kind", ("other",)), ("licence", ("free",)), ("organisation", ("x",))))
    assert geonetwork.unsent_conditions(wanted) == ("kind", "licence")


def test_what_is_special_to_the_query_language_is_escaped(geonetwork):
    body = json.loads(geonetwork.first_request(CatalogueQuery(text='a:b (c) "d" /e/')).body)
    assert body["query"]["bool"]["must"][0]["query_string"]["query"] == r'a\:b* \(c\)* \"d\"* \/e\/*'
    assert {"terms": {"isTemplate": ["n"]}} in body["query"]["bool"]["filter"]


def test_pages_follow_the_last_entry_not_its_number(geonetwork, fetch):
    first = answer(geonetwork, fetch, page_size=10)
    body = json.loads(first.next_request.body)
    assert body["search_after"] == ["made-0010"] and body["from"] == 0 and first.total == 45
    assert geonetwork.shifted_request(first.next_request, 5, 5) is None, "behind a mark there are no positions"
    far = geonetwork.first_request(CatalogueQuery(start=MAX_RESULT_WINDOW))
    assert geonetwork.shifted_request(far, 10, 10) is None, "Elasticsearch counts no further"


@pytest.mark.parametrize("package", [False, True])
def test_a_whole_record_comes_as_xml_and_as_mef(geonetwork, fetch, server, package):
    wanted = server.records[6]
    item = geonetwork.parse_record(wanted.id, fetch(geonetwork.record_request(wanted.id, package)))
    assert item.full and item.record.original == wanted.xml and item.record.source_format == "iso19139"
    assert item.location == f"{server.url}/geonetwork/srv/api/records/made-0007/formatters/xml" == item.record.source


def test_a_record_that_is_not_there_is_an_error_in_words(geonetwork, fetch):
    with pytest.raises(CartoguideError, match="404"):
        geonetwork.parse_record("none", fetch(geonetwork.record_request("none")))


def test_another_servers_json_is_refused(geonetwork, fetch, server):
    request = geonetwork.first_request(CatalogueQuery())
    response = fetch(type(request)(HttpMethod.GET, f"{server.url}/geonetwork/srv/api/site"))
    with pytest.raises(CartoguideError, match="without a list of records"):
        geonetwork.parse_page(request, response)


def test_a_geonetwork_of_version_4_is_asked_by_its_api(server, fetch):
    source = Source(f"{server.url}/geonetwork", SourceKind.GEONETWORK)
    assert isinstance(create_protocol(source, fetch), GeoNetworkProtocol)
    assert len(fetch.requests) == 1


def test_an_older_geonetwork_is_asked_by_its_csw(pycsw_address, fetch):
    root = pycsw_address.partition("/srv/")[0]
    protocol = create_protocol(Source(root, SourceKind.GEONETWORK, "GN 3", language="spa"), fetch)
    request = protocol.first_request(CatalogueQuery(text="agua"))
    answer = protocol.parse_page(request, fetch(request))
    assert answer.total == 24 and answer.items[0].full and answer.items[0].location.startswith(pycsw_address)


def test_what_is_neither_is_refused_in_words(server, fetch):
    with pytest.raises(CartoguideError, match="neither"):
        create_protocol(Source(f"{server.url}/nada", SourceKind.GEONETWORK, "Nada"), fetch)
