"""ISO 19115-3 records."""

from __future__ import annotations

import re
from pathlib import Path

from plugin.core.records import read
from plugin.core.records.model.record import (
    AssociatedResource,
    Conformance,
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

DATA = (Path(__file__).parent.parent / "fixtures" / "records" / "iso19115_3_service.xml").read_bytes()
WMS = "https://mapas.example/wms?"


def test_a_service_record_fills_every_field():
    (record,) = read(DATA)
    organisation = "Consejería de Montañas"
    assert record.source_format == "iso19115-3"
    assert (record.id, record.parent_id) == ("guide-3", "parent-3")
    assert (record.language, record.character_set) == ("spa", "utf8")
    assert (record.hierarchy_level, record.kind, record.date_stamp) == ("service", "service", "2024-05-06T07:08:09")
    assert (record.standard_name, record.standard_version) == ("ISO 19115-3", "2016")
    assert record.metadata_contacts == (Contact(individual="Ana Ruiz", role="pointOfContact"),)
    assert (record.title, record.abstract, record.status) == ("Mapa guía", "Base cartográfica", ("completed",))
    assert record.dates == (RecordDate("2014-06-01", "publication"),)
    assert record.contacts == (
        Contact(organisation, "Eva", "Jefa", ("mapas@montanas.example",), ("950 000 001",), "Jaén", None, "owner"),
        Contact(organisation, "Luis", role="owner"))
    assert record.keyword_groups == (KeywordGroup(("guía",), "theme"),)
    assert record.constraint_groups == (ConstraintGroup(
        "legal", access_constraints=("otherRestrictions",), other_constraints=(Constraint("Uso libre"),),
        references=(Constraint("CC BY 4.0", "https://creativecommons.org/licenses/by/4.0/"),)),)
    assert (record.service_type, record.service_versions, record.fees) == ("view", ("1.3.0",), "Gratuito")
    assert (record.coupling_type, record.operates_on) == ("loose", ("dataset-3",))
    assert record.operations == (Operation("GetCapabilities", ("HTTP-GET",), (ConnectPoint(WMS),)),)
    assert record.extents == (Extent(-3.65, -3.4, 38.3, 38.45),)
    assert record.temporal_extents == (TemporalExtent("2014", "2015"),)
    assert record.reference_systems == ("EPSG:25830",)
    assert record.formats == (DistributionFormat("WMS", "1.3.0"),)
    assert record.online == (OnlineResource(WMS, "OGC:WMS", distribution_units="Servicio WMS"),)
    assert record.conformance == (Conformance("Reglamento", None, "976/2009", None, False),)
    assert record.lineage == "De mapas previos"
    assert record.overviews == (Overview("https://mapas.example/s.png", "thumbnail"),)
    assert record.associated == (AssociatedResource("facilities-3", "Equipamientos", "crossReference"),)
    left = {item.text for item in record.unread}
    assert {"urn:uuid", "Guide map", "950 000 009", "2020-01-01T00:00:00", "eng"} <= left


def test_free_text_follows_the_language_wanted():
    assert read(DATA, language="en")[0].title == "Guide map"
    assert read(DATA, language="fr")[0].title == "Mapa guía"


def test_other_editions_of_its_namespaces_are_read_alike():
    older = re.sub(rb"(19115/-3/(?:mdb|cit|mrl))/2.0", rb"\1/1.0", DATA).replace(b"srv/2.1", b"srv/2.0")
    draft = DATA.replace(b"standards.iso.org/iso/19115", b"standards.iso.org/19115")
    expected = read(DATA)[0]
    for data in (older, draft):
        (record,) = read(data)
        assert record.source_format == "iso19115-3"
        assert (record.title, record.online, record.contacts) == (expected.title, expected.online, expected.contacts)


def test_a_parent_may_be_cited():
    data = DATA.replace(b'<mdb:parentMetadata uuidref="parent-3"/>', b"""<mdb:parentMetadata><cit:CI_Citation>
      <cit:identifier><mcc:MD_Identifier><mcc:code><gco:CharacterString>parent-4</gco:CharacterString></mcc:code></mcc:MD_Identifier>
      </cit:identifier></cit:CI_Citation></mdb:parentMetadata>""")
    assert read(data)[0].parent_id == "parent-4"


def test_without_a_scope_it_describes_a_dataset():
    data = re.sub(rb"<mdb:metadataScope>.*</mdb:metadataScope>", b"", DATA, flags=re.DOTALL)
    assert read(data.replace(b"srv:SV_ServiceIdentification", b"mri:MD_DataIdentification"))[0].kind == "dataset"
    assert read(data)[0].kind == "service"
