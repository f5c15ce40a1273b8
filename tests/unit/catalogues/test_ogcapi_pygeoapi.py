"""OGC API Records against a real pygeoapi."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from plugin.core.box import Box
from plugin.core.catalogues.detection import create_protocol, fetch_api_collections
from plugin.core.catalogues.model import CatalogueQuery, Source, SourceKind
from plugin.core.catalogues.paginator import Paginator
from plugin.core.errors import CartoguideError
from plugin.core.request import HttpMethod, Request
from plugin.core.sources.descriptions import read_descriptions
from plugin.core.sources.kinds import kind_of
from plugin.core.sources.layer_source import LayerSource, SourceType
from plugin.core.terms import terms_for


@pytest.fixture
def api(pygeoapi_address, fetch):
    return create_protocol(Source(pygeoapi_address, SourceKind.OGC_API, "pygeoapi", "registros"), fetch)


def ids(api, fetch, **query):
    asked = CatalogueQuery(**query)
    found = []
    for page in Paginator(api, fetch, asked).pages(api.first_request(asked)):
        assert page.failures == () and page.notes == ()
        found += [item.record.id for item in page.items]
    assert len(found) == len(set(found))
    return found


def test_only_collections_of_records_are_sources(pygeoapi_address, fetch):
    [offer] = fetch_api_collections(pygeoapi_address, fetch)
    assert offer.title == "Registros" and offer.items_address == f"{pygeoapi_address}/collections/registros/items"
    assert fetch_api_collections(f"{pygeoapi_address}/collections", fetch) == [offer]
    assert fetch_api_collections(f"{pygeoapi_address}/collections/registros", fetch) == [offer]


def test_a_collection_that_is_not_there_is_refused_by_name(pygeoapi_address, fetch):
    with pytest.raises(CartoguideError, match="Red"):
        create_protocol(Source(pygeoapi_address, SourceKind.OGC_API, "Red", "lugares"), fetch)


def test_next_links_lead_through_all_records(api, fetch, made_records):
    fetch.requests.clear()
    assert ids(api, fetch, page_size=50) == [record.id for record in made_records]
    assert len(fetch.requests) == 3


def test_a_record_is_read_with_its_place(api, fetch, made_records):
    asked = CatalogueQuery(page_size=5)
    answer = api.parse_page(api.first_request(asked), fetch(api.first_request(asked)))
    assert answer.total == 120 and answer.entry_count == 5
    item, wanted = answer.items[0], made_records[0]
    assert (item.record.title, item.record.kind, item.record.keywords) == (wanted.title, wanted.kind, wanted.keywords)
    assert item.record.online[0].url == "https://maps.invalid/wms/1?"
    again = api.parse_record(wanted.id, fetch(api.record_request(wanted.id)))
    assert again.location == item.location and again.record.title == wanted.title


def test_words_must_all_occur_though_q_joins_them_by_or(api, fetch, made_records):
    water = {record.id for record in made_records if "agua" in record.keywords}
    assert set(ids(api, fetch, text="comarca precipitación")) == water
    assert set(ids(api, fetch, text="precipitación", keywords=("clima",))) == water
    assert ids(api, fetch, text="precipitación terreno") == []


def test_facets_hold_though_no_parameter_can_say_them(api, fetch, made_records):
    water = {record.id for record in made_records if "agua" in record.keywords}
    facets = (("keyword", ("agua", "nada")), ("kind", ("service", "dataset")))
    assert set(ids(api, fetch, facets=facets)) == water
    assert api.unsent_conditions(CatalogueQuery("a b", facets=facets)) == ("text", "keyword", "kind")
    one = (("keyword", ("agua",)), ("kind", ("service",)))
    assert set(ids(api, fetch, facets=one)) == {r.id for r in made_records if r.id in water and r.kind == "service"}
    assert api.unsent_conditions(CatalogueQuery(facets=one)) == () and "q=agua&type=service" in api.first_request(
        CatalogueQuery(facets=one)).url


def test_box_and_type_narrow(api, fetch, made_records):
    far = {record.id for record in made_records if record.box[0] == 52.0}
    assert set(ids(api, fetch, bbox=Box(51.0, -11.0, 53.0, -9.0))) == far
    services = {record.id for record in made_records if record.kind == "service"}
    assert set(ids(api, fetch, type="service")) == services
    assert set(ids(api, fetch, type="service", bbox=Box(51.0, -11.0, 53.0, -9.0), page_size=3)) == far & services


def test_what_it_says_of_its_use_is_read_from_every_document(pygeoapi_address, fetch):
    def read_json(address, _content):
        return fetch(Request(HttpMethod.GET, address, {"Accept": "application/json"})).body

    collection = LayerSource(SourceType.OGCAPI_FEATURES, pygeoapi_address, names=("registros",))
    documents = SimpleNamespace(read=read_json)
    info = kind_of(collection).terms(collection, documents)
    assert len(info.others) == 3, "the collection, the landing page and the API definition"
    assert [found.title for found in read_descriptions(read_json(f"{pygeoapi_address}/collections?f=json", None))]
    terms = terms_for(None, info)
    assert terms.texts and terms.credit
