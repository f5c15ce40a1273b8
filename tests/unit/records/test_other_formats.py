"""Dublin Core, OGC API records, Atom entries, and services as records of themselves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from plugin.core.distributions.record_distributions import wms_address
from plugin.core.errors import CartoguideError, NotARecord, UnreadableDocument
from plugin.core.records import read, record_from_service
from plugin.core.records.model.extents import extent_from_bbox, extent_from_corners
from plugin.core.records.model.record import (
    AssociatedResource,
    ConnectPoint,
    Constraint,
    ConstraintGroup,
    Contact,
    DistributionFormat,
    Extent,
    KeywordGroup,
    OnlineResource,
    Operation,
    Overview,
    RecordDate,
    TemporalExtent,
)

FIXTURES = Path(__file__).parent.parent / "fixtures" / "records"
WMS = "https://mapas.example/wms?"
LICENCE = "https://creativecommons.org/licenses/by/4.0/"
BOX = Extent(west=-3.65, east=-3.4, south=38.3, north=38.45)


def fixture(name):
    return read((FIXTURES / name).read_bytes(), name)


def test_a_dublin_core_record_fills_the_fields_it_can():
    (record,) = fixture("dublin_core.xml")
    assert (record.source_format, record.id, record.title) == ("csw-dc", "guide-dc", "Mapa guía")
    assert (record.alternate_titles, record.kind, record.hierarchy_level) == (("Guía 2014",), "service", "service")
    assert (record.abstract, record.language, record.date_stamp) == ("Base cartográfica", "spa", "2024-03-05")
    assert record.dates == (RecordDate("2014-06-01", "publication"),)
    assert record.contacts == (Contact(organisation="Consejería de Montañas", role="originator"),)
    assert record.keyword_groups == (KeywordGroup(("guía",)), KeywordGroup(("cartografía",), None, "temas"))
    assert record.access_constraints == ("otherRestrictions",)
    assert record.other_constraints == (Constraint("Sin limitaciones"), Constraint(LICENCE, LICENCE))
    assert record.online == (OnlineResource(WMS, "OGC:WMS"), OnlineResource("https://mapas.example/ficha"))
    assert record.overviews == (Overview("https://mapas.example/s.png", "thumbnail", "image/png"),)
    assert record.associated == (AssociatedResource("parent-dc"),)
    assert (record.formats, record.extents) == ((DistributionFormat("image/png"),), (BOX,))
    assert record.temporal_extents == (TemporalExtent("2014-01-01", "2014-12-31"),)
    assert wms_address(record) == WMS
    assert "kept" in [item.text for item in record.unread]


@pytest.mark.parametrize("root", [
    '<csw:BriefRecord xmlns:csw="http://www.opengis.net/cat/csw/2.0.2" {}</csw:BriefRecord>',
    '<csw:SummaryRecord xmlns:csw="http://www.opengis.net/cat/csw/3.0" {}</csw:SummaryRecord>',
    '<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" {}</oai_dc:dc>',
    "<simpledc {}</simpledc>",
])
def test_dublin_core_is_read_in_every_dress(root):
    content = 'xmlns:d="http://purl.org/dc/elements/1.1/"><d:identifier>a</d:identifier><d:title>A</d:title>' \
              "<d:type>http://purl.org/dc/dcmitype/Service</d:type>"
    (record,) = read(root.format(content).encode())
    assert (record.id, record.title, record.kind) == ("a", "A", "service")


@pytest.mark.parametrize(("words", "kind"), [
    ("vector digital data", "dataset"), ("Raster Digital Data", "dataset"), ("liveData", "dataset"),
    ("collection", "series"), ("map", "other")])
def test_a_type_in_dublin_core_says_the_kind(words, kind):
    document = f'<simpledc><dc:type xmlns:dc="http://purl.org/dc/elements/1.1/">{words}</dc:type></simpledc>'
    (record,) = read(document.encode())
    assert (record.kind, record.hierarchy_level) == (kind, words)


@pytest.mark.parametrize("crs, lower, upper", [
    ("urn:ogc:def:crs:EPSG::4326", (38.3, -3.65), (38.45, -3.4)),
    ("urn:x-ogc:def:crs:EPSG:6.11:4326", (38.3, -3.65), (38.45, -3.4)),
    ("http://www.opengis.net/def/crs/EPSG/0/4258", (38.3, -3.65), (38.45, -3.4)),
    ("EPSG:4326", (38.3, -3.65), (38.45, -3.4)),
    ("urn:ogc:def:crs:OGC:1.3:CRS84", (-3.65, 38.3), (-3.4, 38.45)),
    (None, (-3.65, 38.3), (-3.4, 38.45)),
])
def test_corners_are_read_in_the_axis_order_of_their_crs(crs, lower, upper):
    assert extent_from_corners(lower, upper, crs) == BOX


def test_corners_in_an_impossible_order_are_read_in_the_other():
    latitude_first = "urn:ogc:def:crs:EPSG::4326"
    assert extent_from_corners((38.0, 100.0), (39.0, 120.0), "CRS84") == Extent(100.0, 120.0, 38.0, 39.0)
    assert extent_from_corners((100.0, 38.0), (120.0, 39.0), latitude_first) == Extent(100.0, 120.0, 38.0, 39.0)
    assert extent_from_corners((-3.4, 38.3), (-3.65, 38.45), latitude_first) == BOX  # east south, west north


def test_boxes_that_are_no_degrees_are_none():
    assert extent_from_corners((450000.0, 4240000.0), (470000.0, 4250000.0), "EPSG:25830") is None
    assert extent_from_corners((1.0, 2.0), (3.0, 4.0), "urn:ogc:def:crs:EPSG::3042") is None
    assert extent_from_corners((1000.0, 2000.0), (3000.0, 4000.0)) is None
    assert extent_from_corners((1.0,), (2.0,)) is None
    assert extent_from_bbox([1, 2, 3]) is None
    assert extent_from_bbox([-3.65, 38.3, 0, -3.4, 38.45, 2000]) == BOX


def test_an_ogc_api_record_fills_the_fields_it_can():
    (record,) = fixture("ogcapi_record.json")
    assert (record.source_format, record.id, record.kind) == ("ogcapi-record", "guide-api", "service")
    assert (record.title, record.abstract, record.language) == ("Mapa guía", "Base cartográfica", "es")
    assert record.date_stamp == "2024-03-05T00:00:00Z"
    assert record.contacts == (Contact(
        "Consejería de Montañas", "Ana Ruiz", "Jefa", ("ana@montanas.example",), ("950 000 001",),
        "Calle Alta, 3, 23001 Jaén, España", "https://montanas.example/", "owner"),)
    assert record.keyword_groups == (
        KeywordGroup(("guía", "WMS")), KeywordGroup(("Cartografía",), "theme", "https://temas.example"))
    assert record.other_constraints == (
        Constraint("CC BY 4.0", LICENCE), Constraint("CC-BY-4.0"), Constraint("Citar a los autores"))
    assert record.online == (OnlineResource(WMS, "OGC:WMS", "WMS", None, "service"),)
    assert record.overviews == (Overview("https://mapas.example/s.png", None, "image/png"),)
    assert (record.extents, record.formats) == ((BOX,), (DistributionFormat("PNG"),))
    assert record.temporal_extents == (TemporalExtent("2014-01-01", None),)
    assert record.original == (FIXTURES / "ogcapi_record.json").read_bytes()


def test_a_page_of_records_gives_each_with_its_own_bytes():
    feature = json.loads((FIXTURES / "ogcapi_record.json").read_text(encoding="utf-8"))
    page = {"type": "FeatureCollection", "numberMatched": 2, "features": [feature, {**feature, "id": "b"}], "links": []}
    records = read(json.dumps(page).encode())
    assert [record.id for record in records] == ["guide-api", "b"]
    assert [read(record.original)[0].id for record in records] == ["guide-api", "b"]
    assert read(b'{"type": "FeatureCollection", "features": []}') == []


def test_a_geometry_that_is_more_than_a_box_is_kept_beside_its_box():
    feature = json.loads((FIXTURES / "ogcapi_record.json").read_text(encoding="utf-8"))
    feature["geometry"]["coordinates"][0].insert(2, [-3.3, 38.4])
    (record,) = read(json.dumps(feature).encode())
    assert record.extents == (Extent(-3.65, -3.3, 38.3, 38.45),)
    assert "geometry/coordinates" in [item.path for item in record.unread]


@pytest.mark.parametrize("value, said", [
    ({"collections": []}, "collections"), ({"type": "Collection", "itemType": "record", "id": "a"}, "collection"),
    ({"conformsTo": []}, "conformance"), ({"title": "API", "links": []}, "OGC API"), ([], "JSON"), ({}, "JSON"),
    ({"type": "Feature", "stac_version": "1.0.0", "properties": {}}, "STAC"),
    ({"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {"name": "x"}}]}, "GeoJSON"),
    ({"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {"offerings": []}}]}, "OWS context"),
    ({"format": "cartoguide-custommap", "version": 1}, "custommap"),
    ({"code": "NotFound", "description": "no such item"}, "no such item"),
])
def test_other_json_is_refused_by_its_right_name(value, said):
    with pytest.raises(NotARecord) as caught:
        read(json.dumps(value).encode(), "x.json")
    assert said in caught.value.user_text


@pytest.mark.parametrize("data", [
    b'{"type": "Feature", ', b"{" * 100_000, b"[" * 100_000, b'{"a": ' * 50_000 + b"1" + b"}" * 50_000,
    b'{"a": ' + b"1" * 10_000 + b"}", b'{"a": "\xff\xfe"}', b'{"a": 1}x', b"[1, 2",
])
def test_broken_and_hostile_json_is_one_clear_error(data):
    with pytest.raises(CartoguideError) as caught:
        read(data, "x.json")
    assert caught.value.user_text.startswith("x.json ") and len(caught.value.user_text) < 200


def test_broken_json_is_told_with_its_place():
    with pytest.raises(UnreadableDocument) as caught:
        read(b'{"a": 1,\n "b" 2}', "x.json")
    assert "line 2, column 6" in caught.value.user_text


def test_halves_of_surrogate_pairs_become_writable():
    (record,) = read(b'{"type": "Feature", "id": "a\\ud800", '
                     b'"properties": {"type": "x", "title": "b\\udfff", "\\ud800": "c"}}')
    assert "".join((record.id, record.title, record.unread[0].path)).encode("utf-8")


def test_an_atom_entry_that_leads_to_a_service_is_a_record():
    first, second = fixture("atom_feed.xml")
    assert (first.source_format, first.id, first.kind, first.title) == ("atom", "urn:guide", "service", "Mapa guía")
    assert (first.abstract, first.date_stamp) == ("Base cartográfica", "2024-01-02T00:00:00Z")
    assert first.contacts == (Contact(individual="Ana Ruiz", emails=("ana@montanas.example",), role="author"),
                              Contact(organisation="Consejería de Montañas", role="publisher"))
    assert first.keyword_groups == (KeywordGroup(("guía",), None, "http://temas.example"),)
    assert first.constraint_groups == (ConstraintGroup(
        "legal", other_constraints=(Constraint("CC BY 4.0"), Constraint(None, LICENCE))),)
    assert first.service_type == "OGC:WMS"
    assert first.operations == (Operation("GetMap", ("GET",), (ConnectPoint(WMS, "image/png"),)),)
    assert (first.extents, first.temporal_extents) == ((BOX,), (TemporalExtent("2014-01-01", "2014-12-31"),))
    assert first.overviews == (Overview("https://mapas.example/s.png", None, "image/png"),)
    assert wms_address(first) == "https://mapas.example/wms?SERVICE=WMS&REQUEST=GetCapabilities"
    assert {"guide", "kept"} <= {item.text for item in first.unread}
    assert (second.id, second.extents) == ("urn:other", (Extent(-4.0, -3.0, 38.0, 39.0),))


def test_a_record_inside_an_atom_entry_is_the_record():
    inner = ('<MD_Metadata xmlns="http://www.isotc211.org/2005/gmd"><fileIdentifier>inner</fileIdentifier>'
             "</MD_Metadata>")
    entry = f'<entry xmlns="http://www.w3.org/2005/Atom"><id>outer</id><content>{inner}</content></entry>'
    (record,) = read(entry.encode())
    assert (record.source_format, record.id) == ("iso19139", "inner")


CAPABILITIES = """<WMS_Capabilities xmlns="http://www.opengis.net/wms" xmlns:xlink="http://www.w3.org/1999/xlink"
    version="1.3.0">
  <Service><Name>WMS</Name><Title>Mapa guía</Title><Abstract>Base</Abstract>
    <KeywordList><Keyword> guía </Keyword></KeywordList>
    <OnlineResource xlink:href="https://montanas.example/"/>
    <ContactInformation><ContactPersonPrimary><ContactPerson>--</ContactPerson>
      <ContactOrganization>Consejería de Montañas</ContactOrganization></ContactPersonPrimary></ContactInformation>
    <Fees>Gratuito</Fees><AccessConstraints>Citar a los autores</AccessConstraints></Service>
  <Capability><Request><GetCapabilities><Format>text/xml</Format><DCPType><HTTP><Get>
      <OnlineResource xlink:href="https://mapas.example/wms?language=spa&amp;"/></Get></HTTP></DCPType></GetCapabilities>
    <GetMap><Format>image/png</Format><Format>image/jpeg</Format><DCPType><HTTP><Get>
      <OnlineResource xlink:href="https://mapas.example/wms?language=spa&amp;"/></Get></HTTP></DCPType></GetMap></Request>
    <Exception><Format>XML</Format></Exception>
    <Layer><Name>guia</Name><Title>Guía</Title><CRS>EPSG:3042</CRS><CRS>EPSG:25830</CRS><EX_GeographicBoundingBox>
      <westBoundLongitude>-3.65</westBoundLongitude><eastBoundLongitude>-3.4</eastBoundLongitude>
      <southBoundLatitude>38.3</southBoundLatitude><northBoundLatitude>38.45</northBoundLatitude>
    </EX_GeographicBoundingBox></Layer></Capability></WMS_Capabilities>""".encode()


def test_capabilities_are_refused_unless_they_are_asked_for_as_a_record():
    with pytest.raises(NotARecord) as caught:
        read(CAPABILITIES, "c.xml")
    assert "WMS capabilities" in caught.value.user_text
    (record,) = read(CAPABILITIES, "c.xml", capabilities_as_record=True)
    assert (record.source_format, record.kind, record.title) == ("wms-capabilities", "service", "Mapa guía")
    assert (record.service_type, record.service_versions, record.fees) == ("OGC:WMS", ("1.3.0",), "Gratuito")
    assert record.keywords == ("guía",)
    assert [contact.organisation for contact in record.contacts] == ["Consejería de Montañas"]
    assert record.other_constraints == (Constraint("Citar a los autores"),)
    assert record.reference_systems == ("EPSG:3042", "EPSG:25830")
    assert (record.extents, record.original, record.source) == ((BOX,), CAPABILITIES, "c.xml")
    assert wms_address(record) == "https://mapas.example/wms?language=spa&"


def test_a_service_keeps_the_address_that_it_was_asked_at():
    from plugin.core.wms import read_service

    record = record_from_service(read_service(CAPABILITIES), WMS)
    assert wms_address(record) == WMS
    again = record_from_service(read_service(CAPABILITIES), f"{WMS}REQUEST=GetCapabilities")
    other = record_from_service(read_service(CAPABILITIES), WMS.replace("://", "://otra."))
    assert record.id == again.id != other.id, "services on other hosts often have the same path"


@pytest.mark.parametrize("crs", ["urn:ogc:def:crs:::WGS 1984", "urn:ogc:def:crs:::EPSG:25830",
                                 "urn:ogc:def:crs:EPSG:7.9:25830", "urn:ogc:def:crs:EPSG::4326"])
def test_geonetworks_boxes_run_from_east_to_west_whatever_crs_they_name(crs):
    assert extent_from_corners((-2, 36), (-7, 38), crs) == Extent(west=-7, east=-2, south=36, north=38)
    across = Extent(west=170, east=-170, south=-5, north=5)
    assert extent_from_corners((170, -5), (-170, 5),
                               "urn:ogc:def:crs:OGC:1.3:CRS84") == across, "a box over the date line"


@pytest.mark.parametrize(("text", "box"), [
    ("northlimit=38; southlimit=36.5; westlimit=-7; eastlimit=-2; units=decimal degrees; name=Jaén",
     Extent(west=-7, east=-2, south=36.5, north=38)),
    ("northlimit=4200000; southlimit=4000000; westlimit=1; eastlimit=2; units=metres", None),
    ("northlimit=38; southlimit=36", None), ("Andalucía", None)])
def test_a_dcmi_box_is_an_extent_and_a_place_stays(text, box):
    (record,) = read(f'''<csw:Record xmlns:csw="http://www.opengis.net/cat/csw/2.0.2"
      xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dct="http://purl.org/dc/terms/"><dc:title>x</dc:title>
      <dct:spatial>{text}</dct:spatial></csw:Record>'''.encode())
    assert record.extents == ((box,) if box else ()) and [item.text for item in record.unread] == [text]


@pytest.mark.parametrize(("value", "said"), [
    ({"code": "resource_not_found", "message": "No hay registro", "description": ""}, "No hay registro"),
    ({"error": {"root_cause": [], "reason": "índice roto"}, "status": 500}, "índice roto"),
    ({"error": "boom"}, "boom"), ({"message": "Unauthorized"}, "Unauthorized"),
    ({"@context": "http://schema.org/", "@type": "Dataset", "name": "x"}, "JSON-LD"),
    ({"openapi": "3.0.2", "info": {"title": "t"}, "paths": {}}, "OpenAPI")])
def test_what_servers_answer_with_is_told_in_their_words_or_by_its_name(value, said):
    with pytest.raises(NotARecord, match=said):
        read(json.dumps(value).encode())


@pytest.mark.parametrize(("document", "said"), [
    ("<apiError><code>resource_not_found</code><message>No hay registro</message></apiError>",
     "an exception report: resource_not_found: No hay registro"),
    ('<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Body><s:Fault><s:Reason><s:Text>falló</s:Text>'
     '</s:Reason></s:Fault></s:Body></s:Envelope>', "a SOAP message: falló"),
    ('<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><s:Fault><faultstring>falló</faultstring>'
     '</s:Fault></s:Body></s:Envelope>', "a SOAP message: falló"),
    ('<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><error code="noRecordsMatch">nada</error></OAI-PMH>',
     "an OAI-PMH response: nada")])
def test_exceptions_of_other_kinds_than_ogcs_are_told_too(document, said):
    with pytest.raises(NotARecord, match=said):
        read(document.encode())


FEED = '''<feed xmlns="http://www.w3.org/2005/Atom"><title>Descargas</title><id>f</id>
<updated>2024-01-01T00:00:00Z</updated><rights>CC BY 4.0</rights>
<author><name>Instituto</name><email>a@x.example</email></author>
<entry><title>A</title><id>a</id><updated>2024-01-01T00:00:00Z</updated></entry>
<entry><title>B</title><id>b</id><updated>2024-01-01T00:00:00Z</updated><rights>Derechos de B</rights></entry>
<entry><title>C</title><id>c</id><updated>2024-01-01T00:00:00Z</updated><source><title>Otra</title>
<rights>Derechos de la fuente</rights></source></entry></feed>'''


def test_an_entry_of_a_feed_has_the_feeds_rights_and_author_where_it_names_none():
    records = read(FEED.encode())
    assert [[item.text for item in record.other_constraints] for record in records] == [
        ["CC BY 4.0"], ["Derechos de B"], ["Derechos de la fuente"]]
    assert [[contact.individual for contact in record.contacts] for record in records] == [
        ["Instituto"], ["Instituto"], []]
    for record in records:
        (again,) = read(record.original)
        assert (again.other_constraints, again.contacts) == (record.other_constraints, record.contacts), "kept so too"
    assert [item.text for item in records[2].unread] == ["Otra"]


MDB = '''<mdb:MD_Metadata xmlns:mdb="http://standards.iso.org/iso/19115/-3/mdb/2.0"
 xmlns:cit="http://standards.iso.org/iso/19115/-3/cit/2.0" xmlns:srv="http://standards.iso.org/iso/19115/-3/srv/2.1"
 xmlns:mcc="http://standards.iso.org/iso/19115/-3/mcc/1.0" xmlns:mri="http://standards.iso.org/iso/19115/-3/mri/1.0"
 xmlns:gco="http://standards.iso.org/iso/19115/-3/gco/1.0"><mdb:identificationInfo><srv:SV_ServiceIdentification>
<mri:graphicOverview><mcc:MD_BrowseGraphic><mcc:fileName><gco:CharacterString>{name}</gco:CharacterString></mcc:fileName>
<mcc:linkage><cit:CI_OnlineResource><cit:linkage><gco:CharacterString>http://pic.example/p.png</gco:CharacterString>
</cit:linkage></cit:CI_OnlineResource></mcc:linkage></mcc:MD_BrowseGraphic></mri:graphicOverview>
<srv:operatedDataset><cit:CI_Citation><cit:title><gco:CharacterString>Datos</gco:CharacterString></cit:title>
<cit:identifier><mcc:MD_Identifier><mcc:code><gco:CharacterString>ds-1</gco:CharacterString></mcc:code>
</mcc:MD_Identifier></cit:identifier></cit:CI_Citation></srv:operatedDataset>
</srv:SV_ServiceIdentification></mdb:identificationInfo></mdb:MD_Metadata>'''


@pytest.mark.parametrize(("name", "left"), [("p.png", ["p.png", "Datos"]), ("http://pic.example/p.png", ["Datos"])])
def test_a_picture_of_iso_19115_3_is_at_its_address_and_a_service_operates_on_its_data(name, left):
    (record,) = read(MDB.format(name=name).encode())
    assert record.overviews == (Overview("http://pic.example/p.png"),) and record.operates_on == ("ds-1",)
    assert sorted(item.text for item in record.unread) == sorted(left)
