"""No value of a record is dropped silently: every text and every meaningful attribute is in a field or under unread."""

from __future__ import annotations

import csv
import json
import re
import sys
from collections import Counter
from pathlib import Path

import pytest
from lxml import etree

from plugin.core import safe_xml
from plugin.core.errors import CartoguideError, UnreadableDocument
from plugin.core.library.index.index_row import index_row
from plugin.core.library.index.row_extraction import read_index_row
from plugin.core.records import read
from plugin.core.records.formats.json_values import MAX_OBJECTS
from plugin.core.records.model.record import MAX_UNREAD, UnreadValue
from plugin.core.terms import terms_for
from tests.pairwise import some

FIXTURES = Path(__file__).parent.parent / "fixtures" / "records"
SAMPLES = Path(__file__).parents[4] / "shared" / "samples"
#: what says of which kind a JSON document is
KEPT = {"conformsTo", "rel"}
#: attributes that say how something is written, not what
TECHNICAL = {"codeList", "codeSpace", "isoType", "nilReason", "id", "locale", "lang", "show", "actuate", "space"}


def marked(data):
    """The document with a mark of its own in every text and attribute, and where each mark stands."""
    root = safe_xml.parse(data)
    places = []

    def mark(text, place):
        places.append(place)
        return f"{text}⟦{len(places) - 1}⟧"

    for element in root.iter("*"):
        name = etree.QName(element).localname
        if len(element) == 0 and element.text and element.text.strip(" \n\t\r-–—"):
            element.text = mark(element.text, name)
        for attribute, _ in element.items():
            local = etree.QName(attribute)
            if local.localname in TECHNICAL or (local.namespace or "").endswith("XMLSchema-instance"):
                continue
            if attribute == "{http://www.w3.org/1999/xlink}type" or not element.get(attribute).strip():
                continue
            element.set(attribute, mark(element.get(attribute), f"{name}/@{local.localname}"))
    return etree.tostring(root, encoding="UTF-8", xml_declaration=True), places


def lost(data):
    """Where the marks stood that no Record of the document has, and those that stand in more than one place."""
    document, places = marked(data)
    records = [record.to_dict() for record in read(document)]
    unread = [record.pop("unread") for record in records]
    taken = Counter(re.findall("⟦(\\d+)⟧", json.dumps(records, ensure_ascii=False)))
    left = Counter(re.findall("⟦(\\d+)⟧", json.dumps(unread, ensure_ascii=False)))
    numbers = [str(number) for number in range(len(places))]
    return ([places[int(n)] for n in numbers if not taken[n] and not left[n]],
            [places[int(n)] for n in numbers if left[n] and (taken[n] or left[n] > 1)])


@pytest.mark.parametrize("name", sorted(path.name for path in FIXTURES.glob("*.xml")))
def test_nothing_of_the_fixtures_is_lost_or_said_twice(name):
    for record in read((FIXTURES / name).read_bytes()):
        assert lost(record.original) == ([], [])


def test_nothing_of_a_json_record_is_lost_or_said_twice():
    texts = []

    def marked_json(value):
        if isinstance(value, dict):
            return {name: member if name in KEPT else marked_json(member) for name, member in value.items()}
        if isinstance(value, list):
            return [marked_json(member) for member in value]
        if isinstance(value, str) and value not in ("..", "Feature", "Polygon"):
            texts.append(value)
            return f"{value}⟦{len(texts) - 1}⟧"
        return value

    document = marked_json(json.loads((FIXTURES / "ogcapi_record.json").read_text(encoding="utf-8")))
    (record,) = read(json.dumps(document).encode())
    told = Counter(re.findall("⟦(\\d+)⟧", json.dumps(record.to_dict(), ensure_ascii=False)))
    doubled = {text for number, text in enumerate(texts) if told[str(number)] > 1}
    assert [text for number, text in enumerate(texts) if not told[str(number)]] == []
    # a keyword stands in its group and in the flat list, a constraint likewise
    assert doubled <= {"guía", "WMS", "Cartografía", "CC-BY-4.0", "Citar a los autores", "CC BY 4.0",
                       "https://creativecommons.org/licenses/by/4.0/"}
    assert ("properties/altitude", "812") in [(item.path, item.text) for item in record.unread]


def sample_records():
    if not (SAMPLES / "INDEX.tsv").is_file():
        return []
    with open(SAMPLES / "INDEX.tsv", encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t"))
    kinds = re.compile("iso|CHE|csw-.*-(dc|iso)|csw-dc|atom|mef")
    return [str(Path(row["repo"].replace("/", "+")) / row["path"]) for row in rows if kinds.search(row["kind"])]


@pytest.mark.skipif(not sample_records(), reason="the sample documents are not on this machine")
def test_nothing_of_the_sample_records_is_lost_or_said_twice():
    wrong = {}
    for path in some(sample_records(), 2):
        try:
            records = read((SAMPLES / path).read_bytes())
        except CartoguideError:
            continue
        for record in records:
            result = lost(record.original)
            if result != ([], []) or read_index_row(record.original) != index_row(record):
                wrong[path] = result
    assert wrong == {}


_LINK = "https://geo.test/{}"
#: a record of each format with a number of links, contacts or values that no field has
_GROWING = {
    "STAC": lambda count: json.dumps({
        "type": "Feature", "id": "a", "stac_version": "1.0.0",
        "properties": {str(number): 0 for number in range(count)},
        "assets": {str(number): {"href": _LINK.format(number)} for number in range(count)}}),
    "CKAN": lambda count: json.dumps({"success": True, "result": {
        "name": "a", "extras": [{"key": str(number), "value": "b"} for number in range(count)],
        "resources": [{"url": _LINK.format(number)} for number in range(count)]}}),
    "OWS Context": lambda count: json.dumps({
        "type": "FeatureCollection", "id": "http://www.opengis.net/spec/owc", "features": [{
            "type": "Feature", "properties": {"title": "a", "links": {"data": [
                {"href": _LINK.format(number), "b": number} for number in range(count)]}}}]}),
    "JSON-LD": lambda count: json.dumps({
        "@context": {"dcat": "http://www.w3.org/ns/dcat#", "dct": "http://purl.org/dc/terms/"}, "@type": "dcat:Dataset",
        "dct:title": "a", "dct:b": list(range(count)), "dcat:distribution": [
            {"dcat:accessURL": {"@id": _LINK.format(number)}} for number in range(count)]}),
    "RDF/XML": lambda count: (
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:dcat="http://www.w3.org/ns/dcat#" '
        'xmlns:dct="http://purl.org/dc/terms/"><dcat:Dataset rdf:about="urn:a"><dct:title>a</dct:title>' + "".join(
            f'<dct:b>{number}</dct:b><dcat:distribution><dcat:Distribution><dcat:accessURL rdf:resource="'
            f'{_LINK.format(number)}"/></dcat:Distribution></dcat:distribution>' for number in range(count))
        + "</dcat:Dataset></rdf:RDF>"),
    "Turtle": lambda count: (
        "@prefix dcat: <http://www.w3.org/ns/dcat#> .\n<urn:a> a dcat:Dataset ; <http://purl.org/dc/terms/title> 'a'"
        + "".join(f" ;\n dcat:b {number} ; dcat:distribution [ dcat:accessURL <{_LINK.format(number)}> ]"
                  for number in range(count)) + " ."),
    "N-Triples": lambda count: "\n".join((
        "<urn:a> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://www.w3.org/ns/dcat#Dataset> .",
        '<urn:a> <http://purl.org/dc/terms/title> "a" .', *(
            f"<urn:a> <http://www.w3.org/ns/dcat#distribution> <urn:d{number}> .\n<urn:d{number}> "
            f"<http://www.w3.org/ns/dcat#accessURL> <{_LINK.format(number)}> ." for number in range(count)))),
}


@pytest.mark.parametrize("kind", _GROWING)
def test_a_record_of_twice_the_length_takes_twice_the_work(kind):
    def work(count):
        document, calls = _GROWING[kind](count).encode(), Counter()
        sys.setprofile(lambda _frame, event, _what: calls.update((event,)))
        try:
            (record,) = read(document)
            terms_for(record)
        finally:
            sys.setprofile(None)
        assert len(record.online) == count
        return calls["call"]

    work(10)
    assert work(400) < 2.2 * work(200)


def test_what_is_beyond_the_limits_of_a_record_is_counted():
    (record,) = read(_GROWING["STAC"](MAX_UNREAD).encode())
    assert len(record.online) == MAX_OBJECTS
    assert record.unread[MAX_UNREAD:] == (UnreadValue(".", f"… and {MAX_UNREAD - MAX_OBJECTS:d} more values"),)
    (record,) = read(json.dumps({"type": "Feature", "properties": {
        "title": "a", "type": "dataset", "keywords": list(range(MAX_OBJECTS + 3))}}).encode())
    assert len(record.keywords) == MAX_OBJECTS and len(record.unread) == 3


def test_repeats_of_a_graph_are_bounded():
    repeated = "<urn:a> <urn:b> <urn:c> .\n" * 120_001
    with pytest.raises(UnreadableDocument, match="more than 120000 statements"):
        read(f"{_GROWING['Turtle'](1)}\n{repeated}".encode())
