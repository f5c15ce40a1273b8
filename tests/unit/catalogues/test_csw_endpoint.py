"""The query for the record of an endpoint, sent to a real CSW, and the choice among its responses."""

import hashlib

import pytest
from lxml import etree

from plugin.core.catalogues.protocols.csw import (
    choose_record,
    distinctive_part,
    endpoint_search_request,
    escape_like_pattern,
)
from plugin.core.network_profile import NetworkProfile, bundled_profile, rebase
from plugin.core.records import read
from plugin.core.records.model.record import ConnectPoint, KeywordGroup, OnlineResource, Operation, Record, ResourceKind

ENDPOINT = "https://www.juntadeandalucia.es/medioambiente/mapwms/REDIAM_mapa_guia_pn_despenaperros_2014?"
NS = {"csw": "http://www.opengis.net/cat/csw/2.0.2", "ogc": "http://www.opengis.net/ogc"}


def made(record_id, url, kind=ResourceKind.SERVICE, **fields):
    return Record("x", id=record_id, kind=kind, online=(OnlineResource(url, "OGC:WMS"),), **fields)


@pytest.mark.parametrize(("endpoint", "expected"), [
    (ENDPOINT, "REDIAM_mapa_guia_pn_despenaperros_2014"),
    ("https://x.org/geoserver/wms?", "x.org/geoserver/wms"), ("https://x.org/cgi-bin/mapserv?map=/a.map&",
                                                              "x.org/cgi-bin/mapserv"),
    ("https://x.org/arcgis/services/A/MapServer/WMSServer?", "x.org/arcgis/services/A/MapServer/WMSServer"),
    ("https://x.org/?", "x.org"),
    ("https://x.org/wms/Veh%C3%ADculos_x?", "Vehículos_x"),
])
def test_what_is_looked_for_tells_the_service_from_others(endpoint, expected):
    assert distinctive_part(endpoint) == expected


def test_the_request_asks_for_whole_iso_records_by_post():
    request = endpoint_search_request("https://x.org/csw", ENDPOINT)
    root = etree.fromstring(request.body)
    assert (request.method, request.url, request.content_type) == ("POST", "https://x.org/csw",
                                                                   "application/xml; charset=UTF-8")
    assert root.get("outputSchema") == "http://www.isotc211.org/2005/gmd" and root.get("resultType") == "results"
    like = root.find(".//ogc:PropertyIsLike", NS)
    assert like.find("ogc:Literal", NS).text == "*REDIAM_mapa_guia_pn_despenaperros_2014*"
    assert (like.get("wildCard"), like.get("singleChar"), like.get("escapeChar")) == ("*", "#", "!")
    assert root.find(".//csw:ElementSetName", NS).text == "full"


@pytest.mark.parametrize(("text", "expected"), [("a_b%c", "a_b%c"), ("a*b#c!d", "a!*b!#c!!d"), ("", "")])
def test_wildcards_in_the_address_are_escaped(text, expected):
    assert escape_like_pattern(text) == expected


def test_markup_in_an_address_stays_text():
    request = endpoint_search_request("https://x.org/csw", "https://x.org/wms/<a>&\"ñ_long_name?")
    assert etree.fromstring(request.body).find(".//ogc:Literal", NS).text == "*<a>&\"ñ_long_name*"


def test_the_record_is_chosen_that_leads_to_the_endpoint_itself():
    near = made("near", ENDPOINT.replace("2014", "2014_b"))
    dataset = made("dataset", ENDPOINT, "dataset", date_stamp="2024")
    old = made("old", ENDPOINT.replace("https", "http") + "SERVICE=WMS&", date_stamp="2014")
    new = made("new", ENDPOINT, date_stamp="2020")
    starter = made("starter", ENDPOINT, keyword_groups=(KeywordGroup(("cartoguide:starter",)),), date_stamp="2099")
    assert choose_record([near, dataset, old, new, starter], ENDPOINT).id == "new"
    assert choose_record([near, dataset], ENDPOINT).id == "dataset"
    assert choose_record([near, starter], ENDPOINT) is None
    assert choose_record([], ENDPOINT) is None


def test_an_endpoint_among_the_operations_counts_too():
    record = Record("x", id="a", kind=ResourceKind.SERVICE, service_type="OGC:WMS", operations=(Operation("GetMap", (),
        (ConnectPoint(ENDPOINT),)),))
    assert choose_record([record], ENDPOINT) is record


def test_a_real_catalogue_answers_the_query_with_the_service_s_record(tmp_path):
    netserve = pytest.importorskip("netserve.csw", reason="pycsw is not installed", exc_type=ImportError)
    network, url = bundled_profile(), "http://127.0.0.1:9"
    moved = NetworkProfile("t", "T", url, "TEST")
    files = []
    for path in network.records:
        files.append(tmp_path / path.name)
        text = rebase(path.read_bytes(), network, moved).replace(b"cartoguide:starter", b"wms")
        files[-1].write_bytes(text.replace(b'<gmd:date gco:nilReason="unknown"/>', b""))
    catalogue = netserve.Csw(tmp_path, url, files)
    for path in network.records:
        (starter,) = read(rebase(path.read_bytes(), network, moved))
        endpoint = starter.online[0].url
        request = endpoint_search_request(f"{url}/geonetwork/srv/spa/csw", endpoint)
        answer = catalogue.answer("POST", "/geonetwork/srv/spa/csw", "", request.body, request.content_type)
        assert answer.status == 200, answer.body
        found = read(answer.body)
        assert choose_record(found, endpoint).id == hashlib.sha1(endpoint[len(url):-1].encode()).hexdigest()
        assert len(found) == 1
