"""The addresses of a record that lead to its WMS, and when two addresses are one endpoint."""

from __future__ import annotations

import pytest

from plugin.core.addresses import is_web_address
from plugin.core.distributions.kinds import LinkKind
from plugin.core.distributions.record_distributions import (
    distributions_of,
    service_kind,
    wms_address,
    wms_distributions,
)
from plugin.core.records.model.endpoints import endpoint_keys, normalise_endpoint
from plugin.core.records.model.record import ConnectPoint, OnlineResource, Operation, Record

WMS = "https://maps.example/wms/NODE_guide?"


def record(*online, **more):
    return Record("iso19139", online=tuple(online), **more)


@pytest.mark.parametrize("protocol", [
    "OGC:WMS", "OGC:WMS-1.3.0-http-get-map", "OGC:WMS-1.1.1-http-get-capabilities", "WMS", "wms",
    "urn:ogc:serviceType:WebMapService:1.3.0", "http://www.opengis.net/def/serviceType/ogc/wms",
    "application/vnd.ogc.wms_xml", "Web Map Service",
])
def test_a_link_whose_protocol_says_wms_is_the_endpoint(protocol):
    page = OnlineResource("https://maps.example/about", "WWW:LINK-1.0-http--link")
    assert wms_address(record(page, OnlineResource(WMS, protocol))) == WMS


@pytest.mark.parametrize("protocol", ["OGC:WMTS", "OGC:WFS", "WWW:LINK-1.0-http--related", "ESRI:REST", "NEWMSG"])
def test_a_link_of_another_protocol_is_not(protocol):
    assert wms_address(record(OnlineResource("https://maps.example/service?", protocol))) is None


def test_the_address_to_ask_maps_from_comes_first():
    capabilities = OnlineResource("https://other.example/c?", "OGC:WMS-1.3.0-http-get-capabilities")
    assert wms_address(record(capabilities, OnlineResource(WMS, "OGC:WMS-1.3.0-http-get-map"))) == WMS


def test_connect_points_lead_to_the_service_where_no_link_does():
    operations = (Operation("GetMap", (), (ConnectPoint(WMS, "image/png"), ConnectPoint(WMS, "image/jpeg"))),)
    found = wms_distributions(record(service_type="view", operations=operations))
    assert [one.address for one in found] == [WMS]


def test_an_address_that_asks_a_wms_is_one():
    asked = "http://maps.example/cgi?map=/a.map&SERVICE=WMS&request=GetCapabilities"
    assert wms_address(record(OnlineResource(asked, "WWW:LINK-1.0-http--link"))) == asked
    assert wms_address(record(OnlineResource("http://maps.example/cgi?service=WFS"))) is None


def test_capabilities_of_some_layers_lead_to_the_service_and_a_picture_of_them_does_not():
    asked = "https://maps.example/geomet?lang=en&service=WMS&request=GetCapabilities&layers=GDPS.ETA"
    assert wms_address(record(OnlineResource(asked, "application/xml"))) == asked
    picture = "https://maps.example/ows?service=WMS&request=GetMap&layers=a&bbox=1,2,3,4"
    assert wms_address(record(OnlineResource(picture, "WWW:DOWNLOAD-1.0-http--download"))) is None


def test_a_map_file_whose_link_is_called_a_wms_is_one():
    base = "https://ogc.example/wxs?map=/maps/plan.map"
    assert wms_address(record(OnlineResource(base, None, "Base of the wms/wfs services"))) == base
    assert wms_address(record(OnlineResource(base, None, None, "Service WMS"))) == base
    for other in (OnlineResource(base, None, "Base of the wfs services"), OnlineResource(base, "OGC:WFS", "wms"),
                  OnlineResource("https://portal.example/help?page=2", None, "How to use WMS")):
        assert wms_address(record(other)) is None


def test_what_only_claims_to_be_a_wms_is_none():
    for url in ("https://maps.example/wmts/1.0.0/WMTSCapabilities.xml", "https://maps.example/tiles/{z}/{x}/{y}.png",
                "https://maps.example/arcgis/rest/services/a/MapServer",
                "https://www.juntadeandalucia.es/medioambiente/mapwms/REDIAM_WFS_Patrimonio_Natural?"):
        assert wms_address(record(OnlineResource(url, "OGC:WMS"))) is None, url


def test_a_service_of_the_network_without_a_protocol_is_taken_for_a_wms():
    named = "https://www.juntadeandalucia.es/medioambiente/mapwms/REDIAM_RENPA"
    assert wms_address(record(OnlineResource(named))) == named


def test_an_address_with_layers_leads_to_the_service_and_names_them():
    named = "https://maps.example/geoserver/wms?layers=ws:roads"
    found = wms_distributions(record(OnlineResource(named, "OGC:WMS")))
    assert [(one.address, one.names) for one in found] == [(named, ("ws:roads",))]


def test_the_name_of_a_description_of_a_service_may_be_no_layers_name():
    base = "https://maps.example/wfs?"
    found, = distributions_of(record(OnlineResource(base, "OGC:WFS", "ws:roads")))
    assert (found.names, found.guessed) == (("ws:roads",), False)
    found, = distributions_of(record(OnlineResource(f"{base}REQUEST=GetCapabilities", "OGC:WFS", "Roads_service")))
    assert (found.names, found.guessed) == (("Roads_service",), True)
    point = ConnectPoint(base, "OGC:WFS", "Roads_service")
    found, = distributions_of(Record("x", operations=(Operation("GetFeature", connect_points=(point,)),)))
    assert (found.names, found.guessed) == (("Roads_service",), True)


def test_only_http_addresses_are_endpoints():
    for url in ("ftp://maps.example/wms", "javascript:alert(1)", "file:///etc/passwd", "wms", "", "http://[broken"):
        assert wms_address(record(OnlineResource(url, "OGC:WMS"))) is None
        assert not is_web_address(url)


def test_spellings_of_one_endpoint_are_one():
    same = [WMS, "http://MAPS.example:80/wms/NODE_guide", "https://maps.example:443/wms/NODE_guide?language=spa&",
            "https://maps.example/wms/NODE_guide?SERVICE=WMS&REQUEST=GetCapabilities&VERSION=1.3.0",
            " https://maps.example/wms/NODE%5Fguide/? ", "https://maps.example./wms/NODE_guide?=",
            "https://maps.example/x/../wms/./NODE_guide?", "https://maps.example//wms//NODE_guide",
            "https://maps.example/x/%2e%2e/wms/NODE_guide?"]
    assert len({normalise_endpoint(url) for url in same}) == 1


def test_other_paths_parameters_and_ports_are_other_endpoints():
    other = [WMS, "https://maps.example/wms/node_guide?", "https://maps.example:8080/wms/NODE_guide?",
             "https://maps.example/wms/NODE_guide?map=a", "https://maps.example/wms/NODE_guide?map=b"]
    assert len({normalise_endpoint(url) for url in other}) == len(other)
    assert normalise_endpoint("https://m.example/?b=2&A=1") == normalise_endpoint("https://m.example/?a=1&B=2")


def test_a_parameter_that_chooses_no_service_makes_no_other_one():
    key = normalise_endpoint(WMS)
    assert endpoint_keys(WMS) == [key]
    assert endpoint_keys(f"{WMS}a=1&b=2") == [f"{key}?a=1&b=2", f"{key}?a=1", f"{key}?b=2", key]
    assert endpoint_keys(f"{WMS}b=1&map=a") == [f"{key}?b=1&map=a", f"{key}?map=a"]
    many = endpoint_keys(WMS + "&".join(f"p{number}=1" for number in range(400)))
    assert key in many and len(many) < 60


def test_what_is_no_address_is_compared_as_it_stands():
    for text in ("not an address", "", "http://[broken", "http://host:notaport/"):
        assert normalise_endpoint(text) == text


@pytest.mark.parametrize(("service_type", "links", "protocol", "endpoint"), [
    ("view", [("https://x.org/geo?", "OGC:WMTS")], "WMTS", None),
    ("view", [("https://x.org/wmts/1.0.0/WMTSCapabilities.xml", None)], "WMTS", None),
    ("view", [("https://x.org/geo?service=WMTS&request=GetCapabilities", None)], "WMTS", None),
    ("view", [("https://x.org/wms?", None)], "WMS", "https://x.org/wms?"),
    ("view", [("https://x.org/geo?", "OGC:WMS-1.3.0-http-get-map")], "WMS", "https://x.org/geo?"),
    ("view", [("https://x.org/page", "WWW:LINK")], "", None),
    ("OGC:WMS", [("https://x.org/geo?", None)], "WMS", "https://x.org/geo?"),
    ("download", [("https://x.org/wfs?", "OGC:WFS")], "WFS", None)])
def test_a_view_service_is_what_its_links_say(service_type, links, protocol, endpoint):
    found = record(*(OnlineResource(url, name) for url, name in links), service_type=service_type)
    assert service_kind(found) == (LinkKind(protocol.lower()) if protocol else None) and wms_address(found) == endpoint


def test_an_operation_of_a_tile_service_is_no_map_service():
    operations = (Operation("GetCapabilities", connect_points=(ConnectPoint("https://x.org/wmts?"),)),)
    found = record(service_type="view", operations=operations)
    assert wms_address(found) is None and service_kind(found) is LinkKind.WMTS
