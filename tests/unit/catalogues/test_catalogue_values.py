"""Values of catalogues: pasted texts, saved lists, merged results, continuations, trusted addresses."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from plugin.core.addresses import without_secrets
from plugin.core.box import Box
from plugin.core.catalogues.local_filter import matches
from plugin.core.catalogues.model import (
    CatalogueQuery,
    CatalogueRecord,
    Source,
    SourceKind,
    query_key,
    request_from_json,
    request_to_json,
    trusted_address,
)
from plugin.core.catalogues.paste_classifier import PasteKind, classify_pasted_text
from plugin.core.catalogues.protocols.csw import parse_csw_capabilities
from plugin.core.catalogues.result_merging import RecordMerger
from plugin.core.catalogues.source_list import dump_sources, load_sources, with_profile_catalogue
from plugin.core.errors import CartoguideError
from plugin.core.network_profile import bundled_profile
from plugin.core.records.model.record import Extent, Record, ResourceKind
from plugin.core.request import HttpMethod, Request


@pytest.mark.parametrize(("text", "kind"), [
    ("  <a/>", PasteKind.DOCUMENT), ('\ufeff<?xml version="1.0"?><a/>', PasteKind.DOCUMENT),
    ('{"type": "Feature"}', PasteKind.DOCUMENT),
    ("https://a.invalid/csw", PasteKind.ADDRESS), ("<https://a.invalid/csw>", PasteKind.ADDRESS),
    ('"http://a.invalid"', PasteKind.ADDRESS),
    ("https://a.invalid/1\n https://a.invalid/2 \n", PasteKind.ADDRESS),
    ("catalogo.example.org/geonetwork", PasteKind.ADDRESS)])
def test_a_pasted_text_is_told_by_its_look(text, kind):
    assert classify_pasted_text(text).kind == kind


def test_addresses_come_each_once_and_a_bare_host_becomes_https():
    assert classify_pasted_text("https://a.invalid/1\nhttps://a.invalid/1").locations == ("https://a.invalid/1",)
    assert classify_pasted_text("catalogo.example.org/geonetwork").locations == (
        "https://catalogo.example.org/geonetwork", )


def test_no_pasted_address_is_left_out_without_a_word():
    pasted = "\n\n".join(f"https://a.example/{number}" for number in range(201))
    assert len(classify_pasted_text(pasted.rpartition("\n")[0]).locations) == 200
    with pytest.raises(CartoguideError, match="200"):
        classify_pasted_text(pasted)


def test_a_pasted_path_must_be_there(tmp_path):
    file = tmp_path / "un registro.xml"
    file.write_text("<a/>")
    assert classify_pasted_text(f'"{file}"').locations == classify_pasted_text(file.as_uri()).locations == (str(file),)
    assert classify_pasted_text(str(file)).kind == PasteKind.PATH
    with pytest.raises(CartoguideError):
        classify_pasted_text(str(tmp_path / "none.xml"))


def test_a_declaration_of_another_encoding_no_longer_holds_in_pasted_text():
    data = classify_pasted_text('<?xml version="1.0" encoding="ISO-8859-1"?><a>ñ</a>').data
    assert data == '<?xml version="1.0"?><a>ñ</a>'.encode()


@pytest.mark.parametrize("text", ["", " \n", "hola qué tal", "javascript:alert(1)", "ftp://a.invalid/x",
                                  "a." * 1_000_000, "https://a.invalid/" + "x" * 1_000_000])
def test_other_text_is_refused_in_words(text):
    with pytest.raises(CartoguideError):
        classify_pasted_text(text)


def test_the_saved_list_comes_back_without_secrets():
    listed = [Source("https://me:secret@a.invalid/csw", SourceKind.CSW_2, "A", authcfg="abc1234"),
              Source("https://b.invalid/geonetwork", SourceKind.GEONETWORK, "Ñ", language="spa")]
    text = dump_sources(listed)
    assert "secret" not in text
    assert load_sources(text) == [replace(listed[0], address="https://a.invalid/csw"), listed[1]]
    assert load_sources("") == []


@pytest.mark.parametrize("text", ["[", "{}", '{"format": "x"}', json.dumps(
    {"format": "cartoguide-sources", "version": 9, "sources": []}), json.dumps(
    {"format": "cartoguide-sources", "version": 1, "sources": [{"kind": "csw2", "address": "file:///etc"}]}),
    json.dumps({"format": "cartoguide-sources", "version": 1, "sources": [{"kind": "csw2", "address": "http://["}]})])
def test_a_broken_saved_list_is_refused_with_its_place(text):
    with pytest.raises(CartoguideError):
        load_sources(text)


@pytest.mark.parametrize(("address", "stripped"), [
    ("http://u:p@[h/x", "http://[h/x"), ("HTTPS://u:p@x@[h?a=b@c", "HTTPS://[h?a=b@c"), ("http://[h/x@y", "http://[h/x@y"),
    ("https://u:p@h.invalid/x@y", "https://h.invalid/x@y"), ("/data/me@here/x.xml", "/data/me@here/x.xml")])
def test_no_login_stays_in_an_address_even_one_that_cannot_be_parsed(address, stripped):
    assert without_secrets(address) == stripped


def test_the_profiles_catalogue_is_first_and_keeps_the_login_that_was_saved_for_it():
    other = Source("https://b.invalid/csw", SourceKind.CSW_2, "B")
    [own, second] = with_profile_catalogue([other], bundled_profile())
    assert own.address == bundled_profile().catalogue.url.rstrip("/") and second == other
    saved = replace(own, authcfg="abc1234")
    assert with_profile_catalogue([other, saved], bundled_profile()) == [saved, other]


def record(name, stamp, title="T", **more):
    return CatalogueRecord(Record("iso19139", id=name, title=title, date_stamp=stamp, **more),
                           f"https://a.invalid/{name}")


def test_results_are_merged_by_identifier_and_the_newest_speaks():
    one, two = Source("https://a.invalid", SourceKind.CSW_2, "A"), Source("https://b.invalid", SourceKind.CSW_2, "B")
    merging = RecordMerger()
    assert merging.add(one, [record("x", "2020-01-01", "Viejo"), record("y", "2020-01-01")]) == ["x", "y"]
    assert merging.add(two, [record("x", "2021-05-01T10:00:00Z", "Nuevo")]) == ["x"]
    assert merging.add(two, [record("x", "2021-05-01T10:00:00Z", "Nuevo")]) == [], "the same again is no news"
    merged = merging.get("x")
    assert merged.best.item.record.title == "Nuevo" and merged.best.source == two
    assert [version.item.record.title for version in merged.others] == ["Viejo"] and merged.sources == (two, one)
    assert [item.identifier for item in merging.results] == ["x", "y"] and len(merging) == 2


def test_a_continuation_survives_as_json_and_nothing_else_is_one():
    request = Request(HttpMethod.POST, "https://a.invalid/csw", {"Content-Type": "application/xml"}, "<ñ/>".encode())
    assert request_from_json(json.loads(json.dumps(request_to_json(request)))) == request
    for broken in ({}, {"method": "DELETE", "url": "http://a", "headers": {}, "body": None},
                   {"method": "GET", "url": "file:///etc", "headers": {}, "body": None}):
        with pytest.raises(ValueError):
            request_from_json(broken)


def test_a_harvest_is_known_by_what_it_asks_not_by_its_pages():
    source = Source("https://a.invalid", SourceKind.CSW_2)
    assert query_key(source, CatalogueQuery(page_size=10)) == query_key(source, CatalogueQuery(page_size=50))
    assert query_key(source, CatalogueQuery(text="a")) != query_key(source, CatalogueQuery())


@pytest.mark.parametrize(("declared", "used", "result"), [
    ("http://localhost:8080/csw", "https://a.invalid/csw", "https://a.invalid/csw"),
    ("http://a.invalid/csw", "https://a.invalid/x", "https://a.invalid/csw"),
    ("http://b.invalid/csw", "https://a.invalid/x", "https://a.invalid/x"),
    ("https://b.invalid/csw", "https://a.invalid/x", "https://b.invalid/csw"),
    ("http://127.0.0.1:5/p", "http://127.0.0.1:5/x", "http://127.0.0.1:5/p"),
    ("file:///etc/passwd", "https://a.invalid/x", "https://a.invalid/x")])
def test_declared_addresses_are_trusted_so_far_as_they_hold_outside(declared, used, result):
    assert trusted_address(declared, used) == result


def test_conditions_are_checked_as_a_server_would():
    item = Record("iso19139", id="a", title="Precipitación total", kind=ResourceKind.SERVICE, keywords=("Atmósfera",),
                  extents=(Extent(west=170, east=-170, south=-5, north=5),), original="Precipitación total".encode())
    assert matches(item, CatalogueQuery(text="TOTAL precipitacion", type="service", keywords=("atmosfera",)))
    assert not matches(item, CatalogueQuery(text="total nada"))
    assert not matches(item, CatalogueQuery(type="dataset")) and not matches(item, CatalogueQuery(keywords=("agua",)))
    assert matches(item, CatalogueQuery(bbox=Box(175, 0, 179, 1))) and matches(item,
                                                                            CatalogueQuery(bbox=Box(-175, 0, -172, 1)))
    assert not matches(item, CatalogueQuery(bbox=Box(-10, 0, 10, 1)))


def test_a_server_that_declares_its_own_localhost_is_asked_where_it_answered():
    text = OFFER.format(schemas="").replace("http://a.invalid", "http://localhost:8080/inside")
    offer = parse_csw_capabilities(text.encode(), "https://a.invalid/csw?map=1")
    assert offer.post_address == offer.get_address == "https://a.invalid/csw?map=1"


OFFER = """<csw:Capabilities xmlns:csw="http://www.opengis.net/cat/csw/2.0.2" xmlns:ows="http://www.opengis.net/ows"
 xmlns:xlink="http://www.w3.org/1999/xlink" version="2.0.2"><ows:OperationsMetadata>
<ows:Operation name="GetRecords"><ows:DCP><ows:HTTP><ows:Get xlink:href="http://a.invalid/get"/>
<ows:Post xlink:href="http://a.invalid/soap"><ows:Constraint name="PostEncoding"><ows:Value>SOAP</ows:Value>
</ows:Constraint></ows:Post>
<ows:Post xlink:href="http://a.invalid/post"><ows:Constraint name="PostEncoding"><ows:Value>XML</ows:Value>
</ows:Constraint></ows:Post></ows:HTTP></ows:DCP>
<ows:Parameter name="outputSchema">{schemas}</ows:Parameter>
<ows:Constraint name="SupportedISOQueryables"><ows:Value>apiso:Subject</ows:Value><ows:Value>AnyText</ows:Value>
</ows:Constraint></ows:Operation></ows:OperationsMetadata></csw:Capabilities>"""


@pytest.mark.parametrize(("schemas", "chosen"), [
    (["http://www.opengis.net/cat/csw/2.0.2", "http://www.isotc211.org/2005/gmd"], "http://www.isotc211.org/2005/gmd"),
    (["http://standards.iso.org/iso/19115/-3/mdb/1.0", "http://standards.iso.org/iso/19115/-3/mdb/2.0"],
     "http://standards.iso.org/iso/19115/-3/mdb/2.0"),
    (["http://www.opengis.net/cat/csw/2.0.2", "http://www.w3.org/ns/dcat#"], "http://www.opengis.net/cat/csw/2.0.2"),
    ([], "http://www.opengis.net/cat/csw/2.0.2")])
def test_the_richest_schema_that_is_offered_is_asked_for(schemas, chosen):
    text = OFFER.format(schemas="".join(f"<ows:Value>{name}</ows:Value>" for name in schemas))
    offer = parse_csw_capabilities(text.encode(), "http://a.invalid/csw")
    assert offer.best_schema == chosen and offer.post_address == "http://a.invalid/post"
    assert offer.queryable("dc:subject", "Subject") == "apiso:Subject"
    assert offer.queryable("csw:AnyText") == "AnyText" and offer.queryable("dc:type") == "dc:type"
