"""Application profiles by their isoType, distributors of single formats, simplified linking and indeterminate times."""

from __future__ import annotations

import json

import pytest

from plugin.core.dates import format_date
from plugin.core.library.index.index_row import index_row
from plugin.core.library.index.row_extraction import index_rows
from plugin.core.records import read
from plugin.core.records.model.record import DistributionFormat, TemporalExtent
from plugin.core.terms import terms_for

_NEW = "http://standards.iso.org/iso/19115/-3"
SWISS = f"""<che:CHE_MD_Metadata gco:isoType="mdb:MD_Metadata" xmlns:che="http://geocat.ch/che"
  xmlns:mdb="{_NEW}/mdb/2.0"
  xmlns:mcc="{_NEW}/mcc/1.0" xmlns:cit="{_NEW}/cit/2.0" xmlns:mri="{_NEW}/mri/1.0" xmlns:mco="{_NEW}/mco/1.0"
  xmlns:srv="{_NEW}/srv/2.1" xmlns:mrd="{_NEW}/mrd/1.0" xmlns:gex="{_NEW}/gex/1.0" xmlns:gco="{_NEW}/gco/1.0">
 <mdb:metadataIdentifier><mcc:MD_Identifier><mcc:code><gco:CharacterString>ch-1</gco:CharacterString></mcc:code>
  </mcc:MD_Identifier></mdb:metadataIdentifier>
 <che:contact gco:isoType="mdb:contact"><cit:CI_Responsibility>
  <cit:role><cit:CI_RoleCode codeListValue="owner"/></cit:role>
  <cit:party><che:CHE_CI_Organisation gco:isoType="cit:CI_Organisation">
  <cit:name><gco:CharacterString>Amt für Wald</gco:CharacterString></cit:name></che:CHE_CI_Organisation></cit:party>
  </cit:CI_Responsibility></che:contact>
 <mdb:identificationInfo><che:CHE_SV_ServiceIdentification gco:isoType="srv:SV_ServiceIdentification">
  <mri:citation><cit:CI_Citation><cit:title><gco:CharacterString>Wald</gco:CharacterString></cit:title></cit:CI_Citation>
  </mri:citation>
  <mri:pointOfContact><cit:CI_Responsibility><cit:party><che:CHE_CI_Organisation gco:isoType="cit:CI_Organisation">
  <cit:name><gco:CharacterString>Kanton</gco:CharacterString></cit:name></che:CHE_CI_Organisation></cit:party>
  </cit:CI_Responsibility></mri:pointOfContact>
  <mri:extent><gex:EX_Extent><gex:geographicElement><che:CHE_Box gco:isoType="gex:EX_GeographicBoundingBox">
  <gex:westBoundLongitude><gco:Decimal>7</gco:Decimal></gex:westBoundLongitude></che:CHE_Box></gex:geographicElement>
  </gex:EX_Extent></mri:extent>
  <mri:resourceConstraints><che:CHE_MD_LegalConstraints gco:isoType="mco:MD_LegalConstraints">
  <mco:otherConstraints><gco:CharacterString>Quellenangabe</gco:CharacterString></mco:otherConstraints>
  </che:CHE_MD_LegalConstraints></mri:resourceConstraints>
  <srv:serviceType><gco:ScopedName>OGC:WMS</gco:ScopedName></srv:serviceType>
 </che:CHE_SV_ServiceIdentification></mdb:identificationInfo>
 <mdb:distributionInfo><mrd:MD_Distribution><mrd:distributionFormat><mrd:MD_Format><mrd:formatDistributor>
  <mrd:MD_Distributor><mrd:distributorTransferOptions><mrd:MD_DigitalTransferOptions><mrd:onLine><cit:CI_OnlineResource>
  <cit:linkage><gco:CharacterString>https://wms.example.ch</gco:CharacterString></cit:linkage></cit:CI_OnlineResource>
  </mrd:onLine></mrd:MD_DigitalTransferOptions></mrd:distributorTransferOptions></mrd:MD_Distributor>
  </mrd:formatDistributor></mrd:MD_Format></mrd:distributionFormat></mrd:MD_Distribution></mdb:distributionInfo>
</che:CHE_MD_Metadata>""".encode()


@pytest.mark.parametrize("envelope", [b"%s", b"<list>%s</list>"])
def test_a_profile_of_19115_3_is_read_by_what_its_elements_stand_for(envelope):
    record = read(envelope % SWISS)[0]
    assert (record.source_format, record.id, record.title) == ("iso19115-3", "ch-1", "Wald")
    assert (record.kind, record.service_type) == ("service", "OGC:WMS")
    assert [(party.organisation, party.role) for party in record.metadata_contacts] == [("Amt für Wald", "owner")]
    assert [party.organisation for party in record.contacts] == ["Kanton"]
    assert [item.text for item in record.other_constraints] == ["Quellenangabe"]
    assert record.constraint_groups[0].kind == "legal"
    assert [box.west for box in record.extents] == [7.0]
    assert [link.url for link in record.online] == ["https://wms.example.ch"]
    assert record.formats == ()


OLD = """<gmd:MD_Metadata xmlns:gmd="http://www.isotc211.org/2005/gmd" xmlns:gco="http://www.isotc211.org/2005/gco"
  xmlns:gmx="http://www.isotc211.org/2005/gmx" xmlns:xlink="http://www.w3.org/1999/xlink"
  xmlns:gml="http://www.opengis.net/gml/3.2">{}</gmd:MD_Metadata>"""
LINK = """<gmd:onLine><gmd:CI_OnlineResource><gmd:linkage><gmd:URL>https://o.org/wms</gmd:URL></gmd:linkage>
  <gmd:protocol><gmx:Anchor xlink:href="http://www.opengis.net/def/serviceType/ogc/wms">OGC Web Map Service</gmx:Anchor>
  </gmd:protocol><gmd:applicationProfile>
  <gmx:Anchor xlink:href="http://inspire.ec.europa.eu/metadata-codelist/SpatialDataServiceType/view">view</gmx:Anchor>
  </gmd:applicationProfile></gmd:CI_OnlineResource></gmd:onLine>"""


def test_links_of_a_formats_distributor_have_the_fields_of_simplified_linking():
    document = OLD.format(f"""<gmd:distributionInfo><gmd:MD_Distribution><gmd:distributionFormat><gmd:MD_Format>
      <gmd:name><gco:CharacterString>WMS</gco:CharacterString></gmd:name><gmd:formatDistributor><gmd:MD_Distributor>
      <gmd:distributionOrderProcess><gmd:MD_StandardOrderProcess>
      <gmd:fees><gco:CharacterString>50 EUR</gco:CharacterString></gmd:fees></gmd:MD_StandardOrderProcess>
      </gmd:distributionOrderProcess><gmd:distributorTransferOptions>
      <gmd:MD_DigitalTransferOptions>{LINK}</gmd:MD_DigitalTransferOptions></gmd:distributorTransferOptions>
      </gmd:MD_Distributor></gmd:formatDistributor></gmd:MD_Format></gmd:distributionFormat></gmd:MD_Distribution>
      </gmd:distributionInfo>""").encode()
    record = read(document)[0]
    assert [row for row, _ in index_rows(document)] == [index_row(record)]
    assert record.fees == "50 EUR"
    assert record.formats == (DistributionFormat("WMS"),)
    link, = record.online
    assert (link.url, link.protocol, link.protocol_uri, link.application_profile) == (
        "https://o.org/wms", "OGC Web Map Service", "http://www.opengis.net/def/serviceType/ogc/wms", "view")


@pytest.mark.parametrize(("begin", "end", "expected", "shown"), [
    (("before", "2000"), ("", "2010"), TemporalExtent("before 2000", "2010"), ("before 2000", "2010")),
    (("", "1990-01-01"), ("now", ""), TemporalExtent("1990-01-01", "now"), ("1990-01-01", "now")),
    (("unknown", ""), ("after", "2020"), TemporalExtent("unknown", "after 2020"), ("unknown", "after 2020")),
])
def test_an_indeterminate_time_is_kept_as_such(begin, end, expected, shown):
    def position(name, value):
        word = f' indeterminatePosition="{value[0]}"' if value[0] else ""
        return f"<gml:{name}{word}>{value[1]}</gml:{name}>"

    record = read(OLD.format(f"""<gmd:identificationInfo><gmd:MD_DataIdentification><gmd:extent><gmd:EX_Extent>
      <gmd:temporalElement><gmd:EX_TemporalExtent><gmd:extent><gml:TimePeriod>{position("beginPosition", begin)}
      {position("endPosition", end)}</gml:TimePeriod></gmd:extent></gmd:EX_TemporalExtent></gmd:temporalElement>
      </gmd:EX_Extent></gmd:extent></gmd:MD_DataIdentification></gmd:identificationInfo>""").encode())[0]
    assert record.temporal_extents == (expected,) and record.unread == ()
    assert (format_date(expected.begin), format_date(expected.end)) == shown


def test_links_of_ogc_api_records_keep_their_relation():
    links = [{"rel": rel, "href": f"https://o.org/{rel}"}
             for rel in ("license", "about", "via", "item", "preview", "enclosure", "related", "describedby")]
    record = read(json.dumps({"type": "Feature", "id": "x", "geometry": None, "links": links,
                              "properties": {"type": "dataset", "title": "T"}}).encode())[0]
    assert {link.function for link in record.online} == {"about", "via", "item", "enclosure", "related", "describedby"}
    assert [item.href for item in record.other_constraints] == ["https://o.org/license"]
    assert [overview.url for overview in record.overviews] == ["https://o.org/preview"]


def test_a_real_record_of_the_swiss_profile_of_19139_has_its_identifier_and_both_offices(samples):
    path = samples / "geopython+OWSLib" / "tests" / "resources" / "iso_che.xml"
    record = read(path.read_bytes())[0]
    assert (record.id, record.title) == ("3d2981af-d5db-4122-8db6-1ea41ed44b3f", "Gewässerschutzkarte")
    assert [(one.organisation, one.role) for one in record.contacts] == [("Amt für Umweltschutz", "owner")]
    assert [one.organisation for one in record.metadata_contacts] == ["Grundbuch- und Vermessungsamt"]
    assert terms_for(record).credit == "Amt für Umweltschutz, Gewässerschutzkarte, 2017"
