"""GeoNetwork addresses of every kind lead to one request, and other addresses to none."""

import pytest

from plugin.core.catalogues.protocols.geonetwork_api import csw_url, record_request, record_url

ROOT = "https://portalrediam.cica.es/geonetwork"
ID = "5216db2b5d14a05af88d8ef0fe0cbb70c4a35686"
WANTED = f"{ROOT}/srv/api/records/{ID}/formatters/xml"


@pytest.mark.parametrize("address", [
    f"{ROOT}/srv/spa/catalog.search#/metadata/{ID}",
    f"{ROOT}/srv/spa/catalog.search#/metadata/{ID}/formatters/xsl-view?root=div&view=advanced",
    f"{ROOT}/srv/eng/catalog.search#/metadata/{ID}?tab=relations",
    f"{ROOT}/srv/spa/catalog.search;jsessionid=ABC?node=srv#/metadata/{ID}",
    f"{ROOT}/srv/spa/catalog.search?x=1#/metadata/{ID}/",
    f"  {ROOT}/srv/spa/catalog.search#/metadata/{ID}\n",
    f"{ROOT}/srv/api/records/{ID}", f"{ROOT}/srv/api/records/{ID}/", f"{ROOT}/srv/api/records/{ID}/formatters/xml",
    f"{ROOT}/srv/api/records/{ID}/formatters/xsl-view?output=pdf", f"{ROOT}/srv/api/0.1/records/{ID}",
    f"{ROOT}/srv/spa/api/records/{ID}",
    f"{ROOT}/srv/spa/main.home?uuid={ID}", f"{ROOT}/srv/eng/metadata.show?uuid={ID}&currTab=simple",
    f"{ROOT}?uuid={ID}",
    f"{ROOT}/?uuid={ID}", f"{ROOT}/srv/spa/xml.metadata.get?uuid={ID}", f"{ROOT}/srv/spa/xml_iso19139?uuid={ID}",
    f"{ROOT}/srv/spa/csw?service=CSW&request=GetRecordById&id={ID}", f"{ROOT}/srv/spa/search#/metadata/{ID}",
])
def test_every_kind_of_address_leads_to_the_record_as_xml(address):
    request = record_request(address)
    assert (request.method, request.url) == ("GET", WANTED)
    assert request.headers["Accept"] == "application/xml"


def test_the_host_the_port_and_the_folder_stay():
    assert record_request("http://127.0.0.1:8080/a/gn/srv/spa/catalog.search#/metadata/x-1").url == (
        "http://127.0.0.1:8080/a/gn/srv/api/records/x-1/formatters/xml")


@pytest.mark.parametrize(("written", "asked"), [("%7B1A2B%7D", "%7B1A2B%7D"), ("{1A2B}", "%7B1A2B%7D"), ("urn:x:y.1",
    "urn%3Ax%3Ay.1")])
def test_identifiers_with_reserved_characters_are_encoded(written, asked):
    request = record_request(f"{ROOT}/srv/spa/catalog.search#/metadata/{written}")
    assert request.url == f"{ROOT}/srv/api/records/{asked}/formatters/xml"


@pytest.mark.parametrize("address", [
    "", "x", "file:///etc/passwd", "ftp://x.org/srv/api/records/1", "https://", "https://[",
    f"{ROOT}/srv/spa/catalog.search", f"{ROOT}/",
    f"{ROOT}/srv/spa/catalog.search#/home", f"{ROOT}/srv/spa/catalog.search#/map", "https://example.org/page?uuid=1",
    "https://example.org/wms?id=7",
    f"{ROOT}/srv/spa/catalog.search#/metadata/", f"{ROOT}/srv/api/records",
    f"{ROOT}/srv/spa/catalog.search#/metadata/%2e%2e%2fsecret",
    f"{ROOT}/srv/api/records/{'a' * 300}", "https://www.juntadeandalucia.es/medioambiente/mapwms/REDIAM_x?",
])
def test_other_addresses_lead_to_none(address):
    assert record_request(address) is None


def test_the_catalogue_s_other_addresses():
    assert csw_url(ROOT + "/") == f"{ROOT}/srv/spa/csw"
    assert csw_url(ROOT, "eng") == f"{ROOT}/srv/eng/csw"
    assert record_url(ROOT + "/", ID) == WANTED
