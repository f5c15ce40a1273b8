"""Credits in the descriptions of sources: TileJSON, styles, ArcGIS, WFS, WCS, OGC APIs, and files beside files."""

from __future__ import annotations

import json
import sqlite3
import time

import pytest

from plugin.core.audit import AddressFindings, CreditState, LayerFacts, SourceType, build_row
from plugin.core.errors import CartoguideError, UnreadableDocument
from plugin.core.sources.arcgis import esri_addresses, is_esri_address, read_esri_info
from plugin.core.sources.attribution_text import attribution_text, joined_attributions
from plugin.core.sources.ogcapi_features import (
    api_definition_address,
    ogcapi_addresses,
    read_api_definition,
    read_ogcapi_description,
)
from plugin.core.sources.ows_capabilities import read_ows_info
from plugin.core.sources.sidecar_files import find_sidecar
from plugin.core.sources.source_kind import ProviderInfo
from plugin.core.sources.tilejson import merge_attributions, read_style, read_tilejson, tilejson_candidates

OSM = '<a href="https://www.openstreetmap.org/copyright" target="_blank">&copy; OpenStreetMap contributors</a>'


def as_json(**value):
    return json.dumps(value).encode()


def test_an_attribution_is_plain_text_with_its_address():
    assert attribution_text(OSM) == ("© OpenStreetMap contributors", "https://www.openstreetmap.org/copyright")
    assert attribution_text("© A &amp; B<script>alert(1)</script> <b>2020</b>") == ("© A & B 2020", "")
    assert attribution_text('<a href="javascript:x">A</a>') == ("A", "") and attribution_text(None) == ("", "")
    assert attribution_text("© " + "a" * 1000) == ("", ""), "a credit that is cut is not the credit"
    assert joined_attributions([OSM, "© openstreetmap contributors", "© Other"])[0] == \
        "© OpenStreetMap contributors; © Other"


@pytest.mark.parametrize("hostile", ["<a " * 300_000, "<" * 1_000_000, "&" * 1_000_000, "<!--" * 200_000])
def test_a_long_attribution_takes_no_time(hostile):
    began = time.process_time()
    assert attribution_text(hostile) == ("", "")
    attribution_text(hostile[:4_000])
    assert time.process_time() - began < 5


def test_tilejson_states_its_attribution():
    info = read_tilejson(as_json(tilejson="3.0.0", tiles=["x"], name="OpenMapTiles", attribution=OSM))
    assert (info.title, info.credit, info.credit_stated) == ("OpenMapTiles", "© OpenStreetMap contributors", True)
    assert info.url == "https://www.openstreetmap.org/copyright" and info.origin == "TileJSON: attribution"
    assert read_tilejson(as_json(tiles=[])).credit == ""
    for wrong in (b"[]", b"{}", b"<html/>"):
        with pytest.raises(UnreadableDocument):
            read_tilejson(wrong)


def test_a_style_states_attributions_and_links_to_tilejson():
    style = read_style(as_json(version=8, sources={
        "a": {"type": "vector", "attribution": "© A"}, "b": {"type": "vector", "url": "tiles/b.json"},
        "c": {"type": "vector", "url": "mapbox://c"}, "d": {"type": "vector", "url": "file:///etc/passwd"}, "e": 3}),
        "https://x.invalid/styles/one/style.json")
    assert style.info.credit == "© A" and style.tilejson_addresses == ("https://x.invalid/styles/one/tiles/b.json",)
    both = merge_attributions([style.info, ProviderInfo(title="B", credit="© B", credit_stated=True)])
    assert (both.credit, both.title, both.credit_stated) == ("© A; © B", "B", True)
    with pytest.raises(UnreadableDocument):
        read_style(b'{"version": 8}', "x")


def test_tilejson_is_looked_for_where_tile_servers_have_it():
    assert tilejson_candidates("https://x.invalid/data/v3/{z}/{x}/{y}.pbf?key=k") == [
        "https://x.invalid/data/v3.json?key=k", "https://x.invalid/data/v3?key=k",
        "https://x.invalid/data/v3/tiles.json?key=k"]
    assert tilejson_candidates("https://x.invalid/styles/b/256/{z}/{x}/{y}.png")[0] == "https://x.invalid/styles/b.json"
    assert tilejson_candidates("https://x.invalid/{z}/{x}/{y}.png") == [] == tilejson_candidates("http://[/{z}")


def test_arcgis_states_its_copyright_text():
    assert esri_addresses("https://x.invalid/arcgis/rest/services/a/MapServer?token=t&x=y", "2") == [
        "https://x.invalid/arcgis/rest/services/a/MapServer/2?token=t&f=json",
        "https://x.invalid/arcgis/rest/services/a/MapServer?token=t&f=json"]
    assert esri_addresses("https://x.invalid/a/FeatureServer/7")[0].endswith("/FeatureServer/7?f=json")
    assert esri_addresses("https://x.invalid/a/VectorTileServer/tile/{z}/{y}/{x}.pbf") == [
        "https://x.invalid/a/VectorTileServer?f=json"]
    assert is_esri_address("https://x.invalid/a/MapServer/tile/1/2/3") and not is_esri_address("https://x.invalid/wms")
    info = read_esri_info(as_json(currentVersion=10.9, mapName="Layers", copyrightText="Esri, <b>HERE</b>"))
    assert (info.credit, info.credit_stated, info.title) == ("Esri, HERE", True, "Layers")
    with pytest.raises(CartoguideError, match="Token Required"):
        read_esri_info(as_json(error={"code": 499, "message": "Token Required"}))
    with pytest.raises(UnreadableDocument):
        read_esri_info(b'{"a": 1}')


OWS = """<wfs:WFS_Capabilities xmlns:wfs="http://www.opengis.net/wfs/2.0" xmlns:ows="http://www.opengis.net/ows/1.1"
 xmlns:xlink="http://www.w3.org/1999/xlink" version="2.0.0"><ows:ServiceIdentification><ows:Title>Roads</ows:Title>
 <ows:Fees>NONE</ows:Fees><ows:AccessConstraints>CC BY 4.0</ows:AccessConstraints></ows:ServiceIdentification>
 <ows:ServiceProvider><ows:ProviderName>Agency</ows:ProviderName>
 <ows:ProviderSite xlink:href="https://a.invalid/"/></ows:ServiceProvider>
 <wfs:FeatureTypeList><wfs:FeatureType><wfs:Name>ms:roads</wfs:Name>
 <wfs:MetadataURL xlink:href="https://a.invalid/roads.xml"/></wfs:FeatureType><wfs:FeatureType><wfs:Name>ms:b</wfs:Name>
 <wfs:MetadataURL xlink:href="https://a.invalid/b.xml"/></wfs:FeatureType></wfs:FeatureTypeList>
 </wfs:WFS_Capabilities>"""
WFS_1_0 = """<WFS_Capabilities xmlns="http://www.opengis.net/wfs" version="1.0.0"><Service><Name>x</Name>
 <Title>Roads</Title><Fees>none</Fees><AccessConstraints>Quote Agency</AccessConstraints></Service>
 </WFS_Capabilities>"""
WCS_1_0 = """<WCS_Capabilities xmlns="http://www.opengis.net/wcs" version="1.0.0"><Service><label>Relief</label>
 <responsibleParty><organisationName>Agency</organisationName></responsibleParty><fees>none</fees>
 <accessConstraints>CC BY 4.0</accessConstraints></Service></WCS_Capabilities>"""


def test_capabilities_of_every_version_name_provider_and_terms():
    info = read_ows_info(OWS.encode(), layers=["roads"])
    assert (info.owner, info.title, info.access, info.url) == ("Agency", "Roads", "CC BY 4.0", "https://a.invalid/")
    assert info.documents == ("https://a.invalid/roads.xml",) and not info.credit_stated
    old = read_ows_info(WFS_1_0.encode())
    assert (old.owner, old.title, old.access) == ("", "Roads", "Quote Agency")
    coverage = read_ows_info(WCS_1_0.encode())
    assert (coverage.owner, coverage.title, coverage.access) == ("Agency", "Relief", "CC BY 4.0")
    with pytest.raises(UnreadableDocument):
        read_ows_info(b"<html/>")
    row = build_row(LayerFacts("l", "Roads", SourceType.WFS, "https://a.invalid/wfs"), AddressFindings(provider=info))
    assert row.state is CreditState.FOUND and row.credit == ("Agency, Roads, CC BY 4.0",) and row.required == "yes"


def test_ogc_apis_state_attribution_and_licence():
    landing = as_json(title="Lakes", attribution="© Agency", links=[
        {"rel": "license", "href": "https://creativecommons.org/licenses/by/4.0/", "title": "CC BY 4.0"},
        {"rel": "service-desc", "type": "application/vnd.oai.openapi+json;version=3.0", "href": "openapi"},
        {"rel": "describedby", "type": "application/xml", "href": "/record.xml"}, 4, {"rel": "self", "href": 4}])
    info = read_ogcapi_description(landing, "https://x.invalid/oapi/")
    assert (info.credit, info.credit_stated, info.licence) == ("© Agency", True, "CC BY 4.0")
    assert info.licence_url.endswith("/by/4.0/") and info.documents == ("https://x.invalid/record.xml",)
    assert api_definition_address(landing, "https://x.invalid/oapi/") == "https://x.invalid/oapi/openapi"
    about = read_api_definition(as_json(openapi="3.0.2", info={
        "title": "API", "contact": {"name": "Agency", "url": "https://x.invalid"}, "termsOfService": "Quote Agency",
        "license": {"name": "CC BY 4.0", "url": "https://creativecommons.org/licenses/by/4.0/"}}), "x")
    assert (about.owner, about.licence, about.access) == ("Agency", "CC BY 4.0", "Quote Agency")
    assert ogcapi_addresses("https://x.invalid/oapi/?k=1", "lakes") == [
        "https://x.invalid/oapi/collections/lakes?k=1", "https://x.invalid/oapi?k=1"]
    for wrong in (b"[]", b"{}"):
        with pytest.raises(UnreadableDocument):
            read_ogcapi_description(wrong, "x")


QMD = b"""<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'><qgis version="3.22"><title>Roads</title>
<rights>\xc2\xa9 Agency</rights><license>CC BY 4.0</license><fees></fees><constraints type="access">Public</constraints>
</qgis>"""
DUBLIN_CORE = """<csw:Record xmlns:csw="http://www.opengis.net/cat/csw/2.0.2" xmlns:dc="http://purl.org/dc/elements/1.1/">
 <dc:identifier>i</dc:identifier><dc:title>Roads</dc:title><dc:creator>Agency</dc:creator>
 <dc:rights>CC BY 4.0</dc:rights></csw:Record>"""


def test_files_beside_a_file_describe_it(tmp_path):
    data = tmp_path / "roads.gpkg"
    data.write_bytes(b"x")
    assert find_sidecar(str(data)).info is None and find_sidecar("").record is None
    (tmp_path / "roads.gpkg.xml").write_text("<metadata><Esri/></metadata>")
    assert find_sidecar(str(data)).record is None, "a document that is not metadata is passed over"
    (tmp_path / "roads.xml").write_text(DUBLIN_CORE)
    found = find_sidecar(str(data))
    assert found.record.title == "Roads" and found.name == "roads.xml"
    row = build_row(LayerFacts("l", "Roads", SourceType.FILE, path=str(data)),
                    AddressFindings(record=found.record, origin=found.name))
    assert row.state is CreditState.FOUND and "Agency" in row.credit[0]
    (tmp_path / "roads.qmd").write_bytes(QMD)
    info = find_sidecar(str(data)).info
    assert (info.credit, info.licence, info.access) == ("© Agency", "CC BY 4.0", "Public")
    assert info.origin == "the file roads.qmd"


def test_mbtiles_state_their_attribution(tmp_path):
    path = tmp_path / "it's #1.mbtiles"
    database = sqlite3.connect(path)
    database.execute("CREATE TABLE metadata (name text, value text)")
    database.executemany("INSERT INTO metadata VALUES (?, ?)", [("name", "Tiles"), ("attribution", OSM)])
    database.commit()
    database.close()
    info = find_sidecar(str(path)).info
    assert (info.credit, info.title) == ("© OpenStreetMap contributors", "Tiles")
    path.write_bytes(b"not a database")
    assert find_sidecar(str(path)).info is None


def test_a_geopackage_holds_its_record(tmp_path):
    path = tmp_path / "paths.gpkg"
    database = sqlite3.connect(path)
    database.execute("CREATE TABLE gpkg_metadata (id integer, md_standard_uri text, mime_type text, metadata text)")
    database.executemany("INSERT INTO gpkg_metadata VALUES (?, '', 'text/xml', ?)",
                         [(1, "<qgis/>"), (2, DUBLIN_CORE)])
    database.commit()
    database.close()
    found = find_sidecar(str(path))
    assert found.record.title == "Roads" and found.name == "paths.gpkg"


def test_a_geopackage_without_an_end_is_given_up(tmp_path):
    path = tmp_path / "endless.gpkg"
    database = sqlite3.connect(path)
    database.execute("CREATE VIEW gpkg_metadata AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n) "
                     "SELECT id, 'text/xml' AS mime_type, '' AS metadata FROM n")
    database.commit()
    database.close()
    began = time.process_time()
    assert find_sidecar(str(path)).record is None
    assert time.process_time() - began < 20


@pytest.mark.parametrize(("facts", "state"), [
    ({}, CreditState.UNKNOWN), ({"confirmed": True, "required": "no"}, CreditState.CONFIRMED),
    ({"credit": ("Me",)}, CreditState.CREDITED), ({"kind": SourceType.WFS}, CreditState.MISSING),
    ({"kind": SourceType.MEMORY}, CreditState.UNKNOWN)])
def test_a_local_layer_without_credit_is_a_question_until_somebody_answers_it(facts, state):
    row = build_row(LayerFacts(**{"layer_id": "l", "title": "A", "kind": SourceType.FILE, **facts}), AddressFindings())
    assert row.state is state


def test_a_credit_that_a_source_states_is_compared_with_the_layers():
    stated = AddressFindings(provider=ProviderInfo(credit="© Agency", credit_stated=True))
    facts = {"layer_id": "l", "title": "A", "kind": SourceType.VECTOR_TILES}
    assert build_row(LayerFacts(credit=("Me",), **facts), stated).state is CreditState.DIFFERS
    assert build_row(LayerFacts(credit=("Me; © AGENCY",), **facts), stated).state is CreditState.CREDITED
    assert build_row(LayerFacts(**facts), stated).state is CreditState.FOUND


def test_a_link_that_is_no_address_is_passed_over():
    style = b'{"sources": {"a": {"url": "http://["}, "b": {"url": "b.json"}}}'
    assert read_style(style, "https://a.example/style").tilejson_addresses == ("https://a.example/b.json",)
    landing = b'{"id": "a", "links": [{"rel": "license", "href": "http://["}, {"rel": "license", "href": "b"}]}'
    assert read_ogcapi_description(landing, "https://a.example/").licence_url == "https://a.example/b"
