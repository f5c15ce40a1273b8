"""Detection of the kind of catalogue behind an address, in few requests."""

from __future__ import annotations

import pytest
from made_catalogue import made
from scripted_catalogue import ScriptedCatalogue

from plugin.core.catalogues.detection import detect_catalogue
from plugin.core.catalogues.model import SourceKind
from plugin.core.errors import CartoguideError


@pytest.fixture
def server():
    with ScriptedCatalogue(made(5)) as running:
        yield running


def kinds(found):
    return [source.kind for source in found.sources]


@pytest.mark.parametrize("end", ["", "?service=CSW&request=GetCapabilities", "?SERVICE=CSW&VERSION=2.0.2"])
def test_a_real_csw_is_known_by_its_address_alone(pycsw_address, fetch, end):
    found = detect_catalogue(pycsw_address.replace("/geonetwork/srv/spa", "/x") + end, fetch)
    assert set(kinds(found)) <= {SourceKind.CSW_2, SourceKind.CSW_3} and SourceKind.CSW_2 in kinds(found)
    assert {source.address for source in found.sources} == {pycsw_address.replace("/geonetwork/srv/spa", "/x")}
    assert "Catálogo de la red de pruebas" in found.description and len(fetch.requests) <= 3


def test_a_pycsw_below_a_path_of_geonetwork_is_a_csw(pycsw_address, fetch):
    assert SourceKind.CSW_3 in kinds(detect_catalogue(pycsw_address, fetch))


@pytest.mark.parametrize("path", ["", "/", "/collections", "/collections/registros", "/collections/registros/items"])
def test_a_real_ogc_api_is_known_from_any_of_its_pages(pygeoapi_address, fetch, path):
    found = detect_catalogue(pygeoapi_address + path, fetch)
    assert [(source.kind, source.title, source.collection) for source in found.sources] == [
        (SourceKind.OGC_API, "Registros", "registros")]
    assert len(fetch.requests) <= 3
    from plugin.core.catalogues.detection import create_protocol
    from plugin.core.catalogues.model import CatalogueQuery

    protocol = create_protocol(found.sources[0], fetch)
    first = protocol.first_request(CatalogueQuery())
    assert protocol.parse_page(first, fetch(first)).total == 120


@pytest.mark.parametrize("path", ["/geonetwork", "/geonetwork/srv/spa/catalog.search#/home", "/geonetwork/srv/eng/"])
def test_geonetwork_4_is_known_with_its_csw_beside_it(server, fetch, path):
    found = detect_catalogue(server.url + path, fetch)
    assert kinds(found) == [SourceKind.GEONETWORK, SourceKind.CSW_2]
    assert found.sources[0].address == f"{server.url}/geonetwork"
    assert found.sources[0].title == "GeoNetwork de pruebas" and "4.2.8" in found.description and len(
        fetch.requests) == 1


def test_a_record_of_geonetwork_is_a_document(server, fetch):
    found = detect_catalogue(f"{server.url}/geonetwork/srv/api/records/made-0001", fetch)
    assert kinds(found) == [SourceKind.FILE] and fetch.requests == []


def test_a_web_page_is_refused_in_words(server, fetch):
    with pytest.raises(CartoguideError):
        detect_catalogue(f"{server.url}/nothing", fetch)
    assert len(fetch.requests) <= 5


def test_a_login_that_is_asked_for_is_told_at_once(server, fetch):
    server.misbehave = "password"
    with pytest.raises(CartoguideError, match="Authentication"):
        detect_catalogue(f"{server.url}/api/items", fetch)


@pytest.mark.parametrize("text", ["", "hola", "ftp://a.invalid/csw", "file:///etc/passwd", "http://"])
def test_what_is_no_web_address_is_not_asked(fetch, text):
    with pytest.raises(CartoguideError):
        detect_catalogue(text, fetch)
    assert fetch.requests == []
