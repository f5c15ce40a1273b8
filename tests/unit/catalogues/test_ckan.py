"""CKAN: search by its Action API, with a server that answers as its documentation says."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from plugin.core.box import Box
from plugin.core.catalogues.detection import create_protocol, detect_catalogue
from plugin.core.catalogues.local_filter import matches
from plugin.core.catalogues.model import CatalogueQuery, CatalogueSort, Source, SourceKind
from plugin.core.errors import CartoguideError
from plugin.core.records import read
from plugin.core.request import Response
from plugin.core.terms import terms_for

ROOT = "https://portal.example.org/ckan"
FIXTURES = Path(__file__).parents[1] / "fixtures" / "records"
PACKAGE = json.loads((FIXTURES / "ckan_package.json").read_text(encoding="utf-8"))
PACKAGES = [{**PACKAGE, "id": f"p{number}", "title": f"Parks {number}"} for number in range(5)]
JSON = {"content-type": "application/json"}


class Portal:
    """A CKAN with some packages. ``asked`` are the parameters of each search."""

    def __init__(self):
        self.asked = []

    def __call__(self, request):
        parts = urlsplit(request.url)
        parameters = {name: values[0] for name, values in parse_qs(parts.query).items()}
        action = parts.path.rpartition("/")[2]
        if action == "status_show":
            return self.answer(request, {"ckan_version": "2.10.4", "site_title": "Open data"})
        if action == "package_search":
            self.asked.append(parameters)
            start, rows = int(parameters["start"]), int(parameters["rows"])
            return self.answer(request, {"count": len(PACKAGES), "results": PACKAGES[start:start + rows]})
        found = next((package for package in PACKAGES if package["id"] == parameters.get("id")), None)
        if action == "package_show" and found:
            return self.answer(request, found)
        if action == "package_show":
            error = {"success": False, "error": {"__type": "Not Found Error", "message": "Not found"}}
            return Response(404, JSON, json.dumps(error).encode(), request.url)
        page = b'<!DOCTYPE html><html><head><meta name="generator" content="ckan 2.10.4" /></head></html>'
        return Response(200, {"content-type": "text/html"}, page, request.url)

    @staticmethod
    def answer(request, result):
        return Response(200, JSON, json.dumps({"success": True, "result": result}).encode(), request.url)


@pytest.mark.parametrize("address", [ROOT, f"{ROOT}/dataset/parks", f"{ROOT}/api/3/action/package_search?q=a",
                                     "https://portal.example.org/es/start"])
def test_a_portal_is_detected_by_its_paths_or_its_page(address):
    detected = detect_catalogue(address, Portal())
    assert (detected.sources[0].kind, detected.sources[0].title) == (SourceKind.CKAN, "Open data")
    assert detected.sources[0].address == (ROOT if "ckan" in address else "https://portal.example.org")
    assert "CKAN 2.10.4" in detected.description


def test_the_address_of_one_package_is_that_of_a_record():
    detected = detect_catalogue(f"{ROOT}/api/3/action/package_show?id=p1", Portal())
    assert detected.sources[0].kind is SourceKind.FILE


def test_pages_lead_through_all_packages():
    portal = Portal()
    protocol = create_protocol(Source(ROOT, SourceKind.CKAN), portal)
    request, titles = protocol.first_request(CatalogueQuery(page_size=2)), []
    while request is not None:
        page = protocol.parse_page(request, portal(request))
        assert page.total == 5 and not page.failures and protocol.page_size(request) == 2
        titles += [record.title for record in page.records]
        request = page.next_request
    assert titles == [f"Parks {number}" for number in range(5)]
    assert [asked["start"] for asked in portal.asked] == ["0", "2", "4"]
    moved = protocol.shifted_request(protocol.first_request(CatalogueQuery(page_size=2, start=3)), 1, 1)
    assert protocol.parse_page(moved, portal(moved)).records[0].title == "Parks 3"


def test_conditions_are_sent_without_operators_and_checked_again():
    portal = Portal()
    protocol = create_protocol(Source(ROOT, SourceKind.CKAN), portal)
    query = CatalogueQuery(text='parks OR "a\\b', keywords=("park",), bbox=Box(-3.6, 37.2, -3.4, 37.5),
                           sort=CatalogueSort.DATE, facets=(("kind", ("dataset",)), ("keyword", ("a b", "c"))))
    portal(protocol.first_request(query))
    asked = portal.asked[0]
    assert asked["q"] == '"parks" "OR" "\\"a\\\\b"' and asked["ext_bbox"] == "-3.6,37.2,-3.4,37.5"
    assert asked["fq"] == '+tags:"park" +tags:("a b" OR "c")' and asked["sort"] == "metadata_modified desc"
    assert protocol.unsent_conditions(query) == ("kind",)
    record = read(json.dumps({"success": True, "result": PACKAGE}).encode())[0]
    near = CatalogueQuery(keywords=("park",), bbox=Box(-3.6, 37.2, -3.4, 37.5))
    assert matches(record, protocol.locally_checked(near))
    assert not matches(record, protocol.locally_checked(CatalogueQuery(bbox=Box(10, 10, 11, 11))))


def test_one_package_is_fetched_with_its_terms_and_a_missing_one_is_named():
    portal = Portal()
    protocol = create_protocol(Source(ROOT, SourceKind.CKAN), portal)
    found = protocol.parse_record("p1", portal(protocol.record_request("p1")))
    assert found.record.title == "Parks 1" and found.full and found.location.endswith("package_show?id=p1")
    assert terms_for(found.record).credit_required == "yes"
    with pytest.raises(CartoguideError):
        protocol.parse_record("x", portal(protocol.record_request("x")))
    refused = Response(200, JSON, b'{"success": false, "error": {"message": "Search error"}}', ROOT)
    with pytest.raises(CartoguideError, match="Search error"):
        protocol.parse_page(protocol.first_request(CatalogueQuery()), refused)
