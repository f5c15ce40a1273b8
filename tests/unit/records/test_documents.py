"""Detection of document formats: records in every envelope, and everything else refused by its right name."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import etree

from plugin.core.errors import NotARecord, UnreadableDocument
from plugin.core.records import read, read_all
from plugin.core.records.input import document_reader
from plugin.core.records.model.record import MAX_UNREAD

FIXTURES = Path(__file__).parent.parent / "fixtures" / "records"
RECORD = ('<MD_Metadata xmlns="http://www.isotc211.org/2005/gmd" xmlns:gco="http://www.isotc211.org/2005/gco">'
          "<fileIdentifier><gco:CharacterString>{}</gco:CharacterString></fileIdentifier></MD_Metadata>")
CSW2 = "http://www.opengis.net/cat/csw/2.0.2"
CSW3 = "http://www.opengis.net/cat/csw/3.0"


def refused(data, name="x.xml"):
    with pytest.raises(NotARecord) as caught:
        read(data if isinstance(data, bytes) else data.encode(), name)
    assert caught.value.user_text.startswith(name)
    return caught.value.user_text


@pytest.mark.parametrize("envelope", [
    f'<csw:GetRecordsResponse xmlns:csw="{CSW2}"><csw:SearchStatus timestamp="2024-01-01T00:00:00"/>'
    '<csw:SearchResults numberOfRecordsMatched="2">{}</csw:SearchResults></csw:GetRecordsResponse>',
    f'<csw:GetRecordByIdResponse xmlns:csw="{CSW2}">{{}}</csw:GetRecordByIdResponse>',
    f'<csw:GetRecordByIdResponse xmlns:csw="{CSW3}">{{}}</csw:GetRecordByIdResponse>',
    '<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Body>'
    f'<GetRecordsResponse xmlns="{CSW3}"><SearchResults>{{}}</SearchResults></GetRecordsResponse>'
    "</s:Body></s:Envelope>",
    '<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><ListRecords><record><metadata>{}</metadata></record>'
    "</ListRecords></OAI-PMH>",
    "<response>{}</response>",
])
def test_records_are_cut_out_of_every_envelope(envelope):
    records = read(envelope.format(RECORD.format("a") + RECORD.format("b")).encode(), "answer.xml")
    assert [record.id for record in records] == ["a", "b"]
    assert [read(record.original)[0].id for record in records] == ["a", "b"]


def test_the_cut_keeps_the_namespaces_that_the_record_stood_in():
    document = (f'<csw:GetRecordByIdResponse xmlns:csw="{CSW2}" xmlns:gmd="http://www.isotc211.org/2005/gmd" '
                'xmlns:gco="http://www.isotc211.org/2005/gco"><gmd:MD_Metadata><gmd:fileIdentifier>'
                "<gco:CharacterString>ñ1</gco:CharacterString></gmd:fileIdentifier></gmd:MD_Metadata>after"
                "</csw:GetRecordByIdResponse>")
    (record,) = read(document.encode())
    assert record.original.startswith(b"<?xml")
    assert b"after" not in record.original
    assert etree.fromstring(record.original).tag == "{http://www.isotc211.org/2005/gmd}MD_Metadata"
    assert read(record.original)[0].id == "ñ1"


def test_a_record_alone_keeps_its_bytes_as_they_came():
    data = (FIXTURES / "service_editor.xml").read_bytes()
    assert read(data)[0].original == data


def test_a_record_in_a_request_that_stores_it_is_read():
    (record,) = read(f'<Transaction xmlns="{CSW2}"><Insert>{RECORD.format("a")}</Insert></Transaction>'.encode())
    assert record.id == "a"


def test_an_answer_without_records_is_an_empty_list():
    assert read(f'<GetRecordsResponse xmlns="{CSW2}"><SearchResults/></GetRecordsResponse>'.encode()) == []
    assert read(f'<GetRecordByIdResponse xmlns="{CSW3}"/>'.encode()) == []


RDF = '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><a/></rdf:RDF>'


@pytest.mark.parametrize("envelope", [
    f'<csw:GetRecordsResponse xmlns:csw="{CSW2}"><csw:SearchStatus timestamp="2024-01-01T00:00:00"/>'
    '<csw:SearchResults numberOfRecordsMatched="2">{}</csw:SearchResults></csw:GetRecordsResponse>',
    f'<GetRecordByIdResponse xmlns="{CSW3}">{{}}</GetRecordByIdResponse>',
])
def test_an_answer_in_a_format_that_is_not_read_is_refused_and_not_called_empty(envelope):
    said = refused(envelope.format(RDF + RDF))
    assert "2 records" in said and "RDF" in said
    own, strange = read_all(envelope.format(RECORD.format("a") + RDF).encode(), "x.xml")
    assert own.id == "a"
    assert isinstance(strange, NotARecord) and "1 record in" in strange.user_text


@pytest.mark.parametrize("document, said", [
    ('<WMS_Capabilities xmlns="http://www.opengis.net/wms" version="1.3.0"/>', "WMS capabilities"),
    ("<!DOCTYPE WMT_MS_Capabilities SYSTEM 'a.dtd'><WMT_MS_Capabilities/>", "WMS capabilities"),
    ('<wfs:WFS_Capabilities xmlns:wfs="http://www.opengis.net/wfs/2.0"/>', "WFS capabilities"),
    ('<Capabilities xmlns="http://www.opengis.net/wmts/1.0"/>', "WMTS capabilities"),
    ('<Capabilities xmlns="http://www.opengis.net/wcs/1.1"/>', "WCS capabilities"),
    (f'<Capabilities xmlns="{CSW2}"/>', "CSW capabilities"),
    (f'<GetRecords xmlns="{CSW2}"/>', "CSW request"),
    ('<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/>', "RDF"),
    ("<metadata><idinfo/></metadata>", "FGDC"),
    ("<metadata><Esri/></metadata>", "ArcGIS"),
    ('<DIF xmlns="http://gcmd.gsfc.nasa.gov/Aboutus/xml/dif/"/>', "DIF"),
    ('<html xmlns="http://www.w3.org/1999/xhtml"><body/></html>', "HTML page"),
    ("<!DOCTYPE html><html><body><p>Not found<br></body></html>", "HTML page"),
    ("<?xml version='1.0'?><!DOCTYPE html><html><br></html>", "HTML page"),
    ("<HTML><HEAD></HEAD></HTML>", "HTML page"),
    ('<kml xmlns="http://www.opengis.net/kml/2.2"/>', "KML"),
    (f'<csw:Transaction xmlns:csw="{CSW2}"><csw:Delete/></csw:Transaction>', "CSW request"),
    ('<wps:Execute xmlns:wps="http://www.opengis.net/wps/1.0.0"/>', "WPS request"),
    ('<gml:Dictionary xmlns:gml="http://www.opengis.net/gml"/>', "code lists"),
    ('<gmx:CT_CrsCatalogue xmlns:gmx="http://www.isotc211.org/2005/gmx"/>', "reference systems"),
    ('<gmd:CI_ResponsibleParty xmlns:gmd="http://www.isotc211.org/2005/gmd"/>', "a part of an ISO metadata record"),
    ('<a:MD_Georectified xmlns:a="http://standards.iso.org/iso/19115/-3/msr/2.0"/>', "a part of an ISO metadata"),
    ('<info version="1.1"><general><uuid>a</uuid></general></info>', "MEF"),
    ("<info><weather/></info>", "root element is info"),
    ('<om:Observation xmlns:om="http://www.opengis.net/om/1.0"/>', "an observation"),
    ('<gml:Point xmlns:gml="http://www.opengis.net/gml/3.2"/>', "a GML document"),
    ("<shopping><list/></shopping>", "shopping"),
    ("hello, world", "plain text"),
    (b"\x89PNG\r\n\x1a\n\x00\x00", "an image"),
    (b"\xff\xd8\xff\xe0\x00\x10JFIF", "an image"),
    (b"%PDF-1.4", "PDF"),
    (b"\x1f\x8b\x08\x00", "compressed"),
    (b"\x00\x01\x02\x03", "binary"),
])
def test_what_is_no_record_is_refused_by_its_right_name(document, said):
    assert said in refused(document)


def test_an_exception_report_is_told_with_its_code_and_text():
    text = refused('<ows:ExceptionReport xmlns:ows="http://www.opengis.net/ows"><ows:Exception '
                   'exceptionCode="InvalidParameterValue" locator="id"><ows:ExceptionText>No such\n record'
                   "</ows:ExceptionText></ows:Exception></ows:ExceptionReport>")
    assert "exception" in text and "InvalidParameterValue: No such record" in text
    text = refused('<ServiceExceptionReport xmlns="http://www.opengis.net/ogc"><ServiceException '
                   'code="LayerNotDefined">nope</ServiceException></ServiceExceptionReport>')
    assert "LayerNotDefined: nope" in text


def test_a_very_long_exception_is_cut_in_the_message_and_whole_in_the_detail():
    report = f"<ServiceExceptionReport><ServiceException>{'long ' * 500}</ServiceException></ServiceExceptionReport>"
    with pytest.raises(NotARecord) as caught:
        read(report.encode())
    assert len(caught.value.user_text) < 400 < len(caught.value.detail)


def test_an_empty_document_is_unreadable():
    for data in (b"", b"  \n", b"\xef\xbb\xbf"):
        with pytest.raises(UnreadableDocument):
            read(data)


def test_one_broken_record_does_not_hide_its_neighbours():
    odd = ('<MD_Metadata xmlns="http://www.isotc211.org/2005/gmd"><identificationInfo>loose</identificationInfo>'
           "</MD_Metadata>")
    answer = f"<r>{RECORD.format('a')}{odd}{RECORD.format('b')}</r>"
    assert [record.id for record in read(answer.encode())] == ["a", None, "b"]


def test_an_envelope_built_to_swell_is_refused(monkeypatch):
    monkeypatch.setattr(document_reader, "_MIN_BUDGET", 100_000)
    spaces = " ".join(f'xmlns:n{number}="urn:{number}"' for number in range(900))
    record = '<MD_Metadata xmlns="http://www.isotc211.org/2005/gmd"/>'
    with pytest.raises(UnreadableDocument) as caught:
        read(f"<r {spaces}>{record * 2_000}</r>".encode(), "x.xml")
    assert "far more data than expected" in caught.value.user_text


def test_a_record_of_a_hundred_thousand_loose_values_is_read_in_bounds():
    loose = "<purposes/>".join("<a>" for _ in range(150)) + "<b>x</b>" * 100_000 + "</a>" * 150
    document = f'<MD_Metadata xmlns="http://www.isotc211.org/2005/gmd"><long>{loose}</long></MD_Metadata>'
    (record,) = read(document.encode())
    assert len(record.unread) <= MAX_UNREAD + 1
    assert max(len(item.path) for item in record.unread) < 1000
    assert record.unread[-1].text == f"… and {100_000 - MAX_UNREAD} more values"
