"""Records of DCAT in RDF/XML, Turtle and JSON-LD: the same in each syntax, whole, and within limits."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from plugin.core.catalogues.paste_classifier import PasteKind, classify_pasted_text
from plugin.core.distributions.record_distributions import distributions_of
from plugin.core.errors import CartoguideError, NotARecord, UnreadableDocument
from plugin.core.library.index.row_extraction import index_rows
from plugin.core.records import read, read_all
from plugin.core.records.input.format_detection import detect_format, document_suffix
from plugin.core.records.rdf.graph import Graph, Literal
from plugin.core.records.rdf.turtle import read_turtle
from plugin.core.terms import terms_for

FIXTURES = Path(__file__).parents[1] / "fixtures" / "records"
GEODCAT, ROADS, DCAT_US = ((FIXTURES / name).read_bytes() for name in ("geodcat.ttl", "dcat.rdf", "dcat_us.json"))
CSW = ('<csw:GetRecordsResponse xmlns:csw="http://www.opengis.net/cat/csw/2.0.2"><csw:SearchResults '
       'numberOfRecordsMatched="2">{}{}</csw:SearchResults></csw:GetRecordsResponse>')
DATASET = ('<dcat:Dataset xmlns:dcat="http://www.w3.org/ns/dcat#" xmlns:dct="http://purl.org/dc/terms/" '
           'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" rdf:about="urn:b"><dct:title>Bare</dct:title>'
           '</dcat:Dataset>')
JSON_LD = {
    "@context": ["https://portal.example.org/context.jsonld", {
        "dct": "http://purl.org/dc/terms/", "dcat": "http://www.w3.org/ns/dcat#", "title": {
            "@id": "dct:title", "@container": "@language"},
        "issued": {"@id": "dct:issued", "@type": "http://www.w3.org/2001/XMLSchema#date"},
        "of": {"@reverse": "dcat:distribution"}, "link": {"@id": "dcat:accessURL", "@type": "@id"}}],
    "@graph": [{"@id": "urn:a", "@type": "dcat:Dataset", "title": {"en": "Lakes", "es": "Lagos"},
                "dct:description": {"@value": "All lakes", "@language": "en"}, "issued": "2020-01-01",
                "keyword": ["lake"], "odd": {"deep": [1, True]}},
               {"@id": "urn:d", "@type": "dcat:Distribution", "of": {"@id": "urn:a"}, "link": "https://x.org/lakes.gpkg",
                "dct:format": {"http://www.w3.org/2000/01/rdf-schema#label": "GeoPackage"}}]}


def values_behind(graph, node, seen=None):
    """Yield the texts and addresses of a node and those behind it."""
    seen = set() if seen is None else seen
    for predicate, values in graph.properties(node).items():
        for value in () if predicate.endswith(("#type", "servesDataset", "inSeries")) else values:
            if isinstance(value, Literal):
                yield " ".join(value.text.split())
            elif value not in seen:
                seen.add(value)
                yield from () if value.startswith("_:") or graph.properties(value) else (value,)
                yield from values_behind(graph, value, seen)


def test_each_record_alone_reads_the_same_and_holds_every_value():
    records = read(GEODCAT, "a.ttl")
    assert [record.title for record in records] == ['Parques "naturales"', "Maps", "View service"]
    for record, (row, original) in zip(records, index_rows(GEODCAT, "a.ttl")):
        alone, = read(original, "a.ttl")
        assert alone == record and row.title == record.title and document_suffix(original) == ("ttl", "text/turtle")
    graph = Graph()
    read_turtle(GEODCAT.decode(), graph, "a")
    parks = records[0]
    held = " ".join(json.dumps(parks.to_dict(), ensure_ascii=False).replace('\\"', '"').replace("\\n", " ").split())
    # codes of lists stand for their addresses, and what vCard writes as an address is read as text
    lost = {text for text in values_behind(graph, "https://portal.example.org/dataset/parks") if text not in held
            and text.rpartition("/")[2].lower() not in held.lower()
            and (text.partition(":")[2] or "¿") not in held}
    assert lost == {"POLYGON((-4 37,-3 37,-3 38,-4 38,-4 37))"} and parks.extents[0].box == (-4, 37, -3, 38)
    assert ("@id", "https://portal.example.org/dataset/parks") in [(item.path, item.text) for item in parks.unread]
    assert records[2].operates_on == ("urn:parks",) and parks.parent_id == "https://portal.example.org/series/maps"


def test_a_data_set_of_geodcat_has_its_parties_and_dates():
    parks = read(GEODCAT)[0]
    assert [(contact.organisation, contact.role) for contact in parks.contacts] == [
        ("Park office", "pointOfContact"), ("Junta", "publisher"), ("Survey", "owner")]
    assert parks.contacts[0].emails == ("ana@example.org",) and parks.contacts[0].phones == ("+34955",)
    assert (parks.date_stamp, parks.language, parks.kind) == ("2024-05-06", "spa", "dataset")
    assert [date.value for date in parks.dates] == ["2019-01-02", "2023-04-05"]
    assert parks.reference_systems == ("http://www.opengis.net/def/crs/EPSG/0/25830",)
    assert "Lugares protegidos" in parks.keywords and parks.metadata_contacts[0].organisation == "Metadata office"
    assert read(GEODCAT, language="en")[0].title == "Parks"


def test_each_distribution_is_read_as_its_kind():
    assert [(one.kind, one.sure, one.address) for one in distributions_of(read(GEODCAT)[0])] == [
        ("wms", True, "https://maps.example.org/ows?"), ("gpkg", True, "https://files.example.org/get/77"),
        ("page", True, "https://portal.example.org/parks-download.html"),
        ("ogcapi-features", True, "https://api.example.org/collections/parks"),
        ("wmts", True, "https://maps.example.org/wmts"), ("page", True, "https://portal.example.org/parks.html"),
        ("page", True, "https://portal.example.org/parks-manual.html")]
    assert [one.kind for one in distributions_of(read(GEODCAT)[2])] == ["wmts"]
    assert [one.kind for one in distributions_of(read(ROADS)[0])] == ["arcgis-map"]
    assert [one.kind for one in distributions_of(read(DCAT_US)[0])] == ["arcgis-feature", "shapefile", "page"]


def test_the_duties_of_every_distribution_count():
    parks, maps, _ = read(GEODCAT)
    terms = terms_for(parks)
    assert terms.credit_required == "yes" and terms.licence.id == "CC-BY-4.0"
    assert "© Junta de Ejemplo" in terms.credit and "Amt" in terms.credit
    assert (terms_for(maps).free, terms_for(maps).credit_required) == ("yes", "no")
    assert "Instituto de Carreteras" in terms_for(read(ROADS)[0]).credit
    assert terms_for(read(DCAT_US)[0]).credit == "County, Trails, 2021, CC BY 4.0"


@pytest.mark.parametrize(("code", "limits"), [("PUBLIC", 0), ("RESTRICTED", 1), ("NON_PUBLIC", 1)])
def test_the_access_rights_of_the_union_are_codes(code, limits):
    data = (f'@prefix dct: <http://purl.org/dc/terms/> . <urn:a> a <http://www.w3.org/ns/dcat#Dataset> ; '
            f'dct:accessRights <http://publications.europa.eu/resource/authority/access-right/{code}> ; dct:title "A" ;'
            f'dct:license <http://publications.europa.eu/resource/authority/licence/CC0> .').encode()
    terms = terms_for(read(data)[0])
    assert (len(terms.limits), terms.credit_required) == (limits, "no") and terms.licence.id == "CC0-1.0"


def test_json_ld_is_read_by_its_own_context_and_by_usual_names():
    record, = read(json.dumps(JSON_LD).encode(), language="es")
    assert (record.id, record.title, record.abstract, record.keywords) == ("urn:a", "Lagos", "All lakes", ("lake",))
    assert record.dates[0].value == "2020-01-01" and [one.kind for one in distributions_of(record)] == ["gpkg"]
    assert {(item.path, item.text) for item in record.unread} >= {("dct:title", "Lakes"), ("odd/deep", "1"),
                                                                 ("odd/deep", "true")}
    with pytest.raises(NotARecord, match="JSON-LD"):
        read(b'{"@context": "https://schema.org", "@type": "Person", "name": "Ana"}')


def test_graphs_behind_a_csw_are_read_and_others_named():
    body = ROADS.decode().partition("?>")[2]
    assert [record.title for record in read(CSW.format(body, DATASET).encode())] == ["Carreteras", "Bare"]
    found = list(read_all(CSW.format(body, "<eml/>").encode()))
    assert found[0].title == "Carreteras" and isinstance(found[1], NotARecord)
    with pytest.raises(NotARecord, match="RDF document without data sets"):
        read(b'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/>')
    with pytest.raises(NotARecord, match="RDF document without data sets"):
        read(b"@prefix a: <http://a.org/> . a:b a a:c .")


@pytest.mark.parametrize(("text", "kind"), [
    ('<http://a.org/b> <http://a.org/c> "d" .', "turtle"), ("_:a a <http://a.org/c> .", "turtle"),
    ("# a\n\nPREFIX a: <http://a.org/>", "turtle"), ("@base <http://a.org/> .", "turtle"),
    ("<a:b xmlns:a='urn:a'> <a:c/> </a:b>", "xml"), ("<http> <a/> </http>", "xml"), ("@home a b", "text"),
    ("prefix the name", "text")])
def test_turtle_is_told_from_xml_and_text(text, kind):
    assert detect_format(text.encode()) == kind


@pytest.mark.parametrize(("text", "values"), [
    ("<urn:a> <urn:b> 1, -2.5, 1e3, true, 'x'@en-GB, \"\"\"a\"b\\\"\"\"\"^^<urn:t>.", [
        ("1", "", "integer"), ("-2.5", "", "decimal"), ("1e3", "", "decimal"), ("true", "", "boolean"),
        ("x", "en-GB", ""), ('a"b"', "", "urn:t")]),
    ("@prefix p: <urn:p#> . <urn:a> <urn:b> p:x\\-y, p:, p:a.b .", ["urn:p#x-y", "urn:p#", "urn:p#a.b"]),
    ("@base <http://x.org/d/> . <urn:a> <urn:b> <../c>, (<urn:1> (2)), \"\\u00e9\\n\" ;; .", [
        "http://x.org/c", "urn:1", ("2", "", "integer"), ("é\n", "", "")])])
def test_the_values_of_turtle(text, values):
    graph = Graph()
    read_turtle(text, graph, "x")
    found = [value if isinstance(value, str) else (value.text, value.language, value.datatype.rpartition("#")[2])
             for value in graph.values("urn:a", "urn:b")]
    assert found == values


@pytest.mark.parametrize(("data", "said"), [
    (b"@prefix a: <http://a.org/> .\n<urn:a> a:b \"c", "line 2"),
    (b"@prefix a: <http://a.org/> . x:y a:b a:c .", "line 1"),
    (b"@prefix a: <http://a.org/> . a:x a:y " + b"[ a:y " * 100 + b"1" + b"]" * 100 + b".", "too deeply"),
    (b"@prefix a: <http://a.org/> . a:x a:y " + b",".join(b"%d" % n for n in range(70_000)) + b".", "more than 60000"),
    (b"@prefix a: <http://a.org/> . a:x a:y " + b"(" * 100 + b".", "too deeply")])
def test_broken_and_boundless_documents_are_refused(data, said):
    with pytest.raises(UnreadableDocument, match=said):
        read(data)


def test_a_part_that_all_records_share_is_not_read_without_end():
    shared = b"<urn:s> a:n " + b",".join(b"'%d'" % n for n in range(20_000)) + b" ."
    sets = b"".join(b"<urn:%d> a d:Dataset; t:title 'x'; t:publisher <urn:s> ." % n for n in range(2_000))
    head = (b"@prefix a: <http://a.org/> . @prefix d: <http://www.w3.org/ns/dcat#> . "
            b"@prefix t: <http://purl.org/dc/terms/> .")
    with pytest.raises(CartoguideError, match="far more data"):
        read(head + shared + sets)


def test_turtle_is_pasted_like_any_document():
    assert classify_pasted_text(GEODCAT.decode()).kind is PasteKind.DOCUMENT
    assert classify_pasted_text("<http://a.org/b> <http://a.org/c> 'd' .").kind is PasteKind.DOCUMENT
