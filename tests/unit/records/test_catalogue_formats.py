"""Records of today's catalogues: STAC, CKAN, OWS Context. Nothing is lost, and each record alone reads the same."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from plugin.core.distributions.record_distributions import distributions_of
from plugin.core.errors import NotARecord
from plugin.core.library.index.row_extraction import index_rows
from plugin.core.records import read
from plugin.core.terms import terms_for

FIXTURES = Path(__file__).parents[1] / "fixtures" / "records"
ITEM, COLLECTION, PACKAGE, CONTEXT = (json.loads((FIXTURES / f"{name}.json").read_text(encoding="utf-8")) for name in (
    "stac_item", "stac_collection", "ckan_package", "ows_context"))
#: members whose values say what a document is, or lead around in the catalogue
READ_AS_STRUCTURE = {"Feature", "Collection", "FeatureCollection", "Point", "Polygon", "license", "licensor", "wms",
                     "xyz", "other", "spatial", "dataset-reference-date", "responsible-party", "temporal_start"}

DOCUMENTS = {
    "item": ITEM, "collection": COLLECTION, "items": {"type": "FeatureCollection", "features": [ITEM]},
    "collections": {"collections": [COLLECTION], "links": []}, "package": {"success": True, "result": PACKAGE},
    "packages": {"success": True, "result": {"count": 1, "results": [PACKAGE]}}, "bare package": PACKAGE,
    "context": CONTEXT}


def as_bytes(value):
    return json.dumps(value).encode()


def values_in(value):
    """Yield the texts and numbers of a JSON value."""
    if isinstance(value, (dict, list)):
        for member in value.values() if isinstance(value, dict) else value:
            yield from values_in(member)
    elif value not in (None, "", True, False):
        yield str(value)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_nothing_is_lost_and_each_record_alone_reads_the_same(name):
    document = as_bytes(DOCUMENTS[name])
    records = read(document, "x.json")
    for record, (row, original) in zip(records, index_rows(document, "x.json")):
        alone, = read(original, "x.json")
        assert alone == record and row.title == record.title
    # what a record holds as JSON in a text, or as plain text, is looked for by its words
    held = json.dumps([record.to_dict() for record in records], ensure_ascii=False)
    parts = [part for record in records for part in json.loads(record.original)["features"]] \
        if name == "context" else [ITEM if "item" in name else COLLECTION if "coll" in name else PACKAGE]
    lost = {text for text in values_in(parts) if text not in held and not text.startswith(("{", "[", "./", "../"))
            and text not in READ_AS_STRUCTURE and "<" not in text and not text.lstrip("-").isdigit()}
    assert not lost


def test_an_item_has_its_files_and_its_services():
    record, = read(as_bytes(ITEM))
    assert (record.id, record.parent_id, record.title, record.kind) == ("scene-1", "scenes", "Scene 1", "dataset")
    assert record.extents[0].box == (-4, 37, -3, 38) and record.reference_systems == ("EPSG:25830",)
    assert [(contact.organisation, contact.role) for contact in record.contacts] == [
        ("Ground station", "distributor"), ("Agency", "rightsHolder")]
    assert [(one.kind, one.address, one.names) for one in distributions_of(record)] == [
        ("wms", "https://maps.org/wms?", ("s1",)), ("xyz", "https://maps.org/{z}/{x}/{y}.png", ()),
        ("cog", "https://stac.org/a/B04.tif", ()), (None, "https://x.org/m.xml", ())]
    assert record.overviews[0].url == "https://stac.org/a/t.png"
    terms = terms_for(record)
    assert (terms.credit_required, terms.free) == ("yes", "yes") and "© Agency of Scenes" in terms.credit


def test_a_collection_has_its_whole_extent_and_period():
    record, = read(as_bytes(COLLECTION))
    assert (record.kind, record.extents[0].box) == ("series", (-10, 35, 5, 44))
    assert record.temporal_extents[0].begin == "2015-06-27T00:00:00Z" and record.temporal_extents[0].end is None
    assert terms_for(record).credit == "Agency, Scenes, CC BY 4.0"
    assert [one.kind for one in distributions_of(record)] == ["gpkg"]
    with pytest.raises(NotARecord, match="STAC catalogue"):
        read(as_bytes({"type": "Catalog", "stac_version": "1.0.0", "id": "a", "description": "b", "links": []}))


def test_a_package_has_what_the_extensions_keep():
    record, = read(as_bytes({"success": True, "result": PACKAGE}))
    assert (record.id, record.title, record.abstract) == ("5f-1", "Parks", "Parks of the region.")
    assert record.extents[0].box == (-4, 37, -3, 38) and record.dates[0].value == "2019-05-05"
    assert {(contact.organisation, contact.role) for contact in record.contacts} == {
        ("Park office", "author"), ("Survey", "owner"), ("Junta", "publisher")}
    assert [(one.kind, one.sure) for one in distributions_of(record)] == [
        ("wms", True), ("shapefile", True), ("arcgis-feature", True), (None, False)]
    terms = terms_for(record)
    assert terms.credit_required == "yes" and "Cadastre of X" in terms.credit and terms.licence.id.startswith("CC-BY")
    assert ("extras/0/value", "h1") not in [(item.path, item.text) for item in record.unread]
    assert ("harvest_id", "h1") in [(item.path, item.text) for item in record.unread]
    assert read(as_bytes({"success": True, "result": {"count": 0, "results": []}})) == []


def test_a_context_is_one_record_for_each_resource():
    roads, relief = read(as_bytes(CONTEXT))
    assert (roads.title, roads.language, roads.service_type) == ("Roads", "es", "OGC:WMS")
    assert {(one.kind, one.names) for one in distributions_of(roads)} >= {("wms", ("t:roads",)), ("wfs", ("t:roads",)),
                                                                         ("gpkg", ())}
    assert terms_for(roads).credit_required == "yes" and terms_for(roads).credit == "Ana, Roads. © Junta"
    assert terms_for(relief).credit_required == "no", "a resource's own rights stand for those of its context"
    assert [one.kind for one in distributions_of(relief)] == ["geotiff"]
    alone, = read(as_bytes({**CONTEXT, "features": []}))
    assert (alone.title, alone.abstract, alone.kind) == ("Parks", "A context", "other")
