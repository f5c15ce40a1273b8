"""ISO 19139 records: every field of the Record, in the shapes that editors and harvesters write."""

from __future__ import annotations

from pathlib import Path

from plugin.core.cli import text_summary
from plugin.core.distributions.record_distributions import wms_address
from plugin.core.library.index.index_row import index_row
from plugin.core.library.index.row_extraction import index_rows
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
from plugin.core.terms import terms_for

FIXTURES = Path(__file__).parent.parent / "fixtures" / "records"
NAMESPACES = ('xmlns:gmd="http://www.isotc211.org/2005/gmd" xmlns:gco="http://www.isotc211.org/2005/gco" '
              'xmlns:srv="http://www.isotc211.org/2005/srv" xmlns:gmx="http://www.isotc211.org/2005/gmx" '
              'xmlns:gml="http://www.opengis.net/gml" xmlns:xlink="http://www.w3.org/1999/xlink"')
FIXTURE = Path(__file__).parent.parent / "fixtures" / "records" / "service_editor.xml"


def fixture(name):
    (record,) = read((FIXTURES / name).read_bytes(), name)
    return record


def metadata(content, attributes=NAMESPACES):
    (record,) = read(f"<gmd:MD_Metadata {attributes}>{content}</gmd:MD_Metadata>".encode())
    return record


def data_identification(content, **more):
    return metadata("<gmd:identificationInfo><gmd:MD_DataIdentification>" + content +
                    "</gmd:MD_DataIdentification></gmd:identificationInfo>", **more)


def unread(record):
    return [(item.path, item.text) for item in record.unread]


def test_an_edited_service_record_fills_every_field():
    record = fixture("service_editor.xml")
    owner = Contact(
        organisation="Consejería de Montañas", individual="Ana Ruiz", position="Jefa de mapas",
        emails=("ana@montanas.example", "mapas@montanas.example"), phones=("950 000 001", "950 000 002"),
        address="Calle Alta, 3, 23001 Jaén, España", url="http://montanas.example/", role="owner")
    legal = ConstraintGroup(
        "legal", access_constraints=("otherRestrictions",), use_constraints=("license", "otherRestrictions"),
        other_constraints=(Constraint("CC BY 4.0", "https://creativecommons.org/licenses/by/4.0/"),
                           Constraint("Uso libre citando a los autores")))
    assert record.source_format == "iso19139"
    assert record.source == "service_editor.xml"
    assert record.id == "5f2b7d0c9a1e48f6b3d7c0a2e9f1856d4c3b2a10"
    assert (record.parent_id, record.language, record.character_set) == ("parent-of-guides", "spa", "utf8")
    assert (record.hierarchy_level, record.kind, record.date_stamp) == ("service", "service", "2024-03-05T10:11:12")
    assert (record.standard_name, record.standard_version) == ("ISO 19119/2005", "1.0")
    assert record.metadata_contacts == (
        Contact(organisation="Consejería de Montañas", emails=("catalogo@montanas.example",), role="pointOfContact"),)
    assert record.title == "Mapa guía de la sierra"
    assert record.alternate_titles == ("Guía 2014",)
    assert record.abstract.splitlines()[0] == "Base cartográfica del mapa guía."
    assert record.abstract.endswith("Segunda línea.")
    assert record.purpose == "Visitar el parque"
    assert record.dates == (RecordDate("2014-06-01T00:00:00", "revision"),)
    assert record.status == ("completed",)
    assert record.contacts == (owner, Contact(organisation="Instituto Cartográfico", role="author"))
    assert record.keyword_groups == (
        KeywordGroup(("WMS", "humanInteractionService"), "theme", "Registro de temas"),
        KeywordGroup(("WMS", "Cartografía"), "place"))
    assert record.keywords == ("WMS", "humanInteractionService", "Cartografía")
    assert record.use_limitations == ("Consultar la licencia en las restricciones",)
    assert record.access_constraints == ("otherRestrictions",)
    assert record.use_constraints == ("license", "otherRestrictions")
    assert record.other_constraints == legal.other_constraints
    assert record.constraint_groups == (
        ConstraintGroup("generic", use_limitations=(Constraint("Consultar la licencia en las restricciones"),)), legal,
        ConstraintGroup("security", classification="unclassified"))
    assert (record.service_type, record.service_versions) == ("OGC:WMS", ("1.1.1", "1.3.0"))
    assert (record.fees, record.coupling_type) == ("Gratuito", "tight")
    assert record.operates_on == ("dataset-1", "https://catalogo.example/record/dataset-3", "dataset-2")
    assert record.operations == (Operation("GetCapabilities", ("WebServices",), (
        ConnectPoint("https://mapas.example/wms/NODO_guia?", "OGC:WMS", "Capacidades"),)),)
    assert record.extents == (Extent(west=-3.65, east=-3.4, south=38.3, north=38.45),)
    assert record.temporal_extents == (TemporalExtent("2014-01-01", "now"), TemporalExtent("2014-06", "2014-06"))
    assert record.reference_systems == ("EPSG:25830", "EPSG:3042")
    assert record.formats == (DistributionFormat("WMS", "1.3.0"),)
    assert record.online == (OnlineResource(
        "https://mapas.example/wms/NODO_guia?", "OGC:WMS-1.3.0-http-get-map", None, "Servicio de la guía",
        "information", "Servicio WMS"),)
    assert record.conformance == (
        Conformance("Reglamento 976/2009", "2009-10-19", None, "Consultar el reglamento", True),)
    assert record.lineage == "Compilado de mapas previos"
    assert record.overviews == (Overview("http://montanas.example/guia_s.png", "thumbnail", "png"),)
    assert record.associated == (AssociatedResource("equipamientos-1", "Equipamientos", "crossReference"),)


def test_what_no_field_holds_is_listed_with_its_path():
    found = {text: path for path, text in unread(fixture("service_editor.xml"))}
    service = "gmd:identificationInfo/srv:SV_ServiceIdentification"
    assert found["Servicio"] == "gmd:hierarchyLevelName/gco:CharacterString"
    assert found["Segunda edición"] == f"{service}/gmd:citation/gmd:CI_Citation/gmd:edition/gco:CharacterString"
    assert found["https://catalogo.example/record/dataset-1"] == f"{service}/srv:operatesOn/@xlink:href"
    assert "now" not in found
    assert found["senderos"].endswith("srv:SV_CoupledResource/gco:ScopedName")
    assert found["http://montanas.example/org/1"].endswith("gmx:Anchor/@xlink:href")
    assert found["Papel"].endswith("gmd:unitsOfDistribution/gco:CharacterString")
    assert found["large_thumbnail"].endswith("gmd:fileDescription/gco:CharacterString")
    assert found["950 000 009"].endswith("gmd:facsimile/gco:CharacterString")
    assert {"Autor", "Sierra Morena", "2022-11-17", "Spanish; Castilian"} <= set(found)
    assert "--" not in found


def test_a_harvested_record_is_read_through_padding_default_namespaces_and_nil_reasons():
    record = fixture("service_harvester.xml")
    assert (record.hierarchy_level, record.kind, record.service_type) == ("service", "service", "OGC:WMS")
    assert (record.language, record.abstract, record.use_limitations) == (None, None, ())
    assert record.access_constraints == ("otherRestrictions",)
    point = "https://mapas.example/wms/NODO_lluvia?"
    assert record.operations == (Operation("GetMap", ("HTTP-GET", "HTTP-POST"), (
        ConnectPoint(point, "image/png"), ConnectPoint(point, "image/jpeg"))),)
    assert unread(record) == []


def test_namespaces_count_and_prefixes_do_not():
    record = metadata(
        "<a:fileIdentifier><b:CharacterString>x1</b:CharacterString></a:fileIdentifier>"
        '<gmd:fileIdentifier xmlns:gmd="http://other.example/">not this</gmd:fileIdentifier>',
        attributes='xmlns:gmd="http://www.isotc211.org/2005/gmd" xmlns:a="http://www.isotc211.org/2005/gmd" '
                   'xmlns:b="http://www.isotc211.org/2005/gco"')
    assert record.id == "x1"
    assert unread(record) == [("gmd:fileIdentifier", "not this")]


def test_elements_that_lost_their_namespace_are_known():
    record = metadata('<fileIdentifier xmlns=""><CharacterString>x1</CharacterString></fileIdentifier>'
                      '<gmd:language><LanguageCode codeListValue="spa"/></gmd:language>')
    assert (record.id, record.language) == ("x1", "spa")


def test_the_kind_comes_from_the_level_else_from_the_identification():
    def level(text):
        return metadata(f'<gmd:hierarchyLevel><gmd:MD_ScopeCode codeListValue="{text}"/></gmd:hierarchyLevel>').kind

    assert [level(text) for text in ("dataset", "Service", "series", "nonGeographicDataset", "software")] == \
        ["dataset", "service", "series", "dataset", "other"]
    service = "<gmd:identificationInfo><srv:SV_ServiceIdentification/></gmd:identificationInfo>"
    assert metadata(service).kind == "service"
    assert data_identification("").kind == "dataset"
    assert metadata("").kind == "other"


def test_a_code_is_its_value_else_its_text_and_a_text_of_another_kind_is_kept():
    record = data_identification(
        "<gmd:status><gmd:MD_ProgressCode codeListValue=' onGoing '>En curso</gmd:MD_ProgressCode></gmd:status>"
        "<gmd:status><gmd:MD_ProgressCode codeListValue=''>\n completed \n</gmd:MD_ProgressCode></gmd:status>"
        "<gmd:status><gco:CharacterString>planned</gco:CharacterString></gmd:status>")
    assert record.status == ("onGoing", "completed", "planned")
    assert [text for _, text in unread(record)] == ["En curso"]


def test_text_that_only_says_absent_is_absent():
    for empty in ("<gco:CharacterString/>", "<gco:CharacterString> -- </gco:CharacterString>",
                  "<gco:CharacterString>\n</gco:CharacterString>", "", "<gco:CharacterString>—</gco:CharacterString>"):
        record = data_identification(f"<gmd:purpose>{empty}</gmd:purpose>")
        assert (record.purpose, record.unread) == (None, ())
    nil = '<gmd:purpose gco:nilReason="unknown"><gco:CharacterString>Unknown</gco:CharacterString></gmd:purpose>'
    assert data_identification(nil).purpose is None
    kept = '<gmd:purpose><gco:CharacterString>-- see below</gco:CharacterString></gmd:purpose>'
    assert data_identification(kept).purpose == "-- see below"


FREE_TEXT = """
  <gmd:language><gmd:LanguageCode codeListValue="spa"/></gmd:language>
  <gmd:locale><gmd:PT_Locale id="L1"><gmd:languageCode><gmd:LanguageCode codeListValue="eng"/></gmd:languageCode>
  </gmd:PT_Locale></gmd:locale>
  <gmd:identificationInfo><gmd:MD_DataIdentification><gmd:purpose>
    {main}<gmd:PT_FreeText>
      <gmd:textGroup><gmd:LocalisedCharacterString locale="#L1">Walking</gmd:LocalisedCharacterString></gmd:textGroup>
      <gmd:textGroup><gmd:LocalisedCharacterString locale="#FR">Marcher</gmd:LocalisedCharacterString></gmd:textGroup>
      <gmd:textGroup><gmd:LocalisedCharacterString locale="#locale-ger"/></gmd:textGroup>
    </gmd:PT_FreeText></gmd:purpose></gmd:MD_DataIdentification></gmd:identificationInfo>"""


def free_text(language, main="<gco:CharacterString>Caminar</gco:CharacterString>"):
    document = f"<gmd:MD_Metadata {NAMESPACES}>{FREE_TEXT.format(main=main)}</gmd:MD_Metadata>"
    (record,) = read(document.encode(), language=language)
    return record


def test_free_text_is_given_in_the_language_wanted_else_in_the_records_own():
    wanted = {"": "Caminar", "es": "Caminar", "en": "Walking", "eng": "Walking", "en_GB": "Walking", "fr": "Marcher",
              "fra": "Marcher", "fre": "Marcher", "de": "Caminar", "pt": "Caminar", "nonsense": "Caminar"}
    assert {language: free_text(language).purpose for language in wanted} == wanted
    assert free_text("de", main="").purpose == "Walking"


def test_translations_that_are_not_shown_are_kept():
    assert {text for _, text in unread(free_text("en"))} == {"Caminar", "Marcher", "eng"}


def test_a_second_value_of_a_single_field_is_kept():
    record = metadata(
        '<gmd:hierarchyLevel><gmd:MD_ScopeCode codeListValue="series"/></gmd:hierarchyLevel>'
        '<gmd:hierarchyLevel><gmd:MD_ScopeCode codeListValue="dataset"/></gmd:hierarchyLevel>')
    assert record.hierarchy_level == "series"
    assert unread(record) == [("gmd:hierarchyLevel", "dataset")]


def test_a_profiles_elements_stand_in_for_the_standards_own():
    document = f"""<p:XX_MD_Metadata {NAMESPACES} xmlns:p="http://profile.example/" gco:isoType="gmd:MD_Metadata">
      <gmd:identificationInfo><p:XX_DataIdentification gco:isoType="gmd:MD_DataIdentification">
        <gmd:resourceConstraints><p:XX_Legal gco:isoType="gmd:MD_LegalConstraints">
          <gmd:useConstraints><gmd:MD_RestrictionCode codeListValue="license"/></gmd:useConstraints>
        </p:XX_Legal></gmd:resourceConstraints>
        <p:basicGeodataID><gco:CharacterString>57</gco:CharacterString></p:basicGeodataID>
      </p:XX_DataIdentification></gmd:identificationInfo></p:XX_MD_Metadata>"""
    (record,) = read(document.encode())
    assert record.kind == "dataset"
    assert record.constraint_groups == (ConstraintGroup("legal", use_constraints=("license",)),)
    assert unread(record) == [
        ("gmd:identificationInfo/p:XX_DataIdentification/p:basicGeodataID/gco:CharacterString", "57")]


def test_times_are_read_in_every_gml():
    for namespace in ("http://www.opengis.net/gml", "http://www.opengis.net/gml/3.2"):
        record = data_identification(f"""<gmd:extent><gmd:EX_Extent xmlns:g="{namespace}"><gmd:temporalElement>
          <gmd:EX_TemporalExtent><gmd:extent><g:TimePeriod>
            <g:begin><g:TimeInstant><g:timePosition>2001</g:timePosition></g:TimeInstant></g:begin>
            <g:end><g:TimeInstant><g:timePosition>2002</g:timePosition></g:TimeInstant></g:end>
          </g:TimePeriod></gmd:extent></gmd:EX_TemporalExtent></gmd:temporalElement></gmd:EX_Extent></gmd:extent>""")
        assert record.temporal_extents == (TemporalExtent("2001", "2002"),)


def test_numbers_of_a_box_may_have_a_decimal_comma_and_what_is_no_number_is_kept():
    def box(west):
        return data_identification(
            "<gmd:extent><gmd:EX_Extent><gmd:geographicElement><gmd:EX_GeographicBoundingBox><gmd:westBoundLongitude>"
            f"<gco:Decimal>{west}</gco:Decimal></gmd:westBoundLongitude><gmd:eastBoundLongitude><gco:Decimal>1"
            "</gco:Decimal></gmd:eastBoundLongitude></gmd:EX_GeographicBoundingBox></gmd:geographicElement>"
            "</gmd:EX_Extent></gmd:extent>")

    assert box("-3,5").extents == (Extent(west=-3.5, east=1.0),)
    assert box("-3.5e0").extents[0].west == -3.5
    for wrong in ("NaN", "3º W", "1,000,000", "inf"):
        record = box(wrong)
        assert record.extents == (Extent(east=1.0),)
        assert [text for _, text in unread(record)] == [wrong]


def test_a_polygon_is_kept_as_unread():
    record = data_identification(
        "<gmd:extent><gmd:EX_Extent><gmd:geographicElement><gmd:EX_BoundingPolygon><gmd:polygon><gml:Point>"
        "<gml:pos>38 -3</gml:pos></gml:Point></gmd:polygon></gmd:EX_BoundingPolygon></gmd:geographicElement>"
        "</gmd:EX_Extent></gmd:extent>")
    assert record.extents == ()
    assert [text for _, text in unread(record)] == ["38 -3"]


def test_conformance_is_unknown_unless_it_says_yes_or_no():
    def passed(text):
        return metadata(
            "<gmd:dataQualityInfo><gmd:DQ_DataQuality><gmd:report><gmd:DQ_DomainConsistency><gmd:result>"
            "<gmd:DQ_ConformanceResult><gmd:explanation><gco:CharacterString>e</gco:CharacterString></gmd:explanation>"
            f"<gmd:pass>{text}</gmd:pass></gmd:DQ_ConformanceResult></gmd:result></gmd:DQ_DomainConsistency>"
            "</gmd:report></gmd:DQ_DataQuality></gmd:dataQualityInfo>").conformance[0].passed

    boolean = "<gco:Boolean>{}</gco:Boolean>"
    assert [passed(boolean.format(word)) for word in ("true", "1", "false", "0", "", "perhaps")] == \
        [True, True, False, False, None, None]
    assert passed('<gco:Boolean xmlns:gco="http://www.isotc211.org/2005/gco" gco:nilReason="unknown"/>') is None


def test_stray_text_and_references_are_kept():
    record = metadata('<gmd:contact xlink:href="http://contacts.example/7"/>stray'
                      '<gmd:distributionInfo>loose<gmd:MD_Distribution uuid="d1"/></gmd:distributionInfo>')
    assert unread(record) == [("gmd:contact/@xlink:href", "http://contacts.example/7"), (".", "stray"),
                              ("gmd:distributionInfo", "loose"),
                              ("gmd:distributionInfo/gmd:MD_Distribution/@uuid", "d1")]


def test_a_starter_records_mark_is_not_among_the_keywords_shown():
    from plugin.core.records.model.record import is_starter

    def keywords(text):
        return data_identification(
            "<gmd:descriptiveKeywords><gmd:MD_Keywords><gmd:keyword><gco:CharacterString>WMS</gco:CharacterString>"
            f"</gmd:keyword><gmd:keyword><gco:CharacterString>{text}</gco:CharacterString></gmd:keyword>"
            "</gmd:MD_Keywords></gmd:descriptiveKeywords>")

    starter = keywords("cartoguide:starter")
    assert is_starter(starter) and starter.keywords == ("WMS",)
    assert not is_starter(keywords("starter"))


OPENED = ('<MD_Metadata xmlns="http://www.isotc211.org/2005/gmd" xmlns:gco="http://www.isotc211.org/2005/gco" '
          'xmlns:xlink="http://www.w3.org/1999/xlink">')


def person(name, inner="", identifier="who"):
    return (f'<CI_ResponsibleParty id="{identifier}"><organisationName><gco:CharacterString>{name}'
            f"</gco:CharacterString></organisationName>{inner}</CI_ResponsibleParty>")


def test_what_is_written_once_and_referred_to_is_read_in_both_places():
    fax = "<contactInfo><CI_Contact><phone><CI_Telephone><facsimile><gco:CharacterString>12</gco:CharacterString>" \
          "</facsimile></CI_Telephone></phone></CI_Contact></contactInfo>"
    document = (OPENED + f"<contact>{person('IGN', fax)}</contact><identificationInfo><MD_DataIdentification>"
                   '<pointOfContact xlink:href="#who"/><pointOfContact xlink:href="#nobody">loose</pointOfContact>'
                   '<pointOfContact xlink:href="https://elsewhere.example/#who"/>'
                   "</MD_DataIdentification></identificationInfo></MD_Metadata>").encode()
    record = read(document)[0]
    assert [one.organisation for one in record.contacts] == ["IGN"] == [
        one.organisation for one in record.metadata_contacts]
    assert [item.text for item in record.unread] == ["12", "#who", "#nobody", "loose", "https://elsewhere.example/#who"]
    assert [row for row, _ in index_rows(document)] == [index_row(record)]


def test_the_library_knows_of_a_credit_that_only_the_description_demands():
    document = (OPENED + "<identificationInfo><MD_DataIdentification><resourceConstraints><MD_LegalConstraints>"
                "<otherConstraints><gco:CharacterString>No conditions apply to access and use</gco:CharacterString>"
                "</otherConstraints></MD_LegalConstraints></resourceConstraints><supplementalInformation>"
                "<gco:CharacterString>The source must be cited: IGN</gco:CharacterString></supplementalInformation>"
                "</MD_DataIdentification></identificationInfo></MD_Metadata>").encode()
    (row, _original), = index_rows(document)
    assert row == index_row(read(document)[0]) and row.credit_required == "yes"


def test_references_that_lead_in_a_circle_or_to_too_many_end():
    inner = '<contactInfo xlink:href="#who"/>' * 3
    (record,) = read((OPENED + f"<contact>{person('A', inner)}</contact>"
                      + '<contact xlink:href="#who"/>' * 300 + "</MD_Metadata>").encode())
    assert 100 <= len(record.metadata_contacts) <= 201
    circle = person("A", '<contactInfo xlink:href="#b"/>', "a") + person("B", '<contactInfo xlink:href="#a"/>', "b")
    (record,) = read(f"{OPENED}<contact>{circle}</contact></MD_Metadata>".encode())
    assert [one.organisation for one in record.metadata_contacts] == ["A", "B"]


def broken_up():
    text = FIXTURE.read_text(encoding="utf-8")
    for old, new in (("Mapa guía de la sierra", "Mapa guía\r\n\t   de la sierra"),
                     ("Consejería de Montañas", "Consejería\n          de Montañas"),
                     ("humanInteractionService", "human\n  InteractionService"),
                     ("NODO_guia?", "NODO_\n      guia?"),
                     ("Base cartográfica del mapa guía.", "Base cartográfica\n          del mapa guía.")):
        assert old in text
        text = text.replace(old, new)
    return read(text.encode())[0]


def test_names_and_keywords_are_one_line():
    record = broken_up()
    assert record.title == "Mapa guía de la sierra"
    assert "Consejería de Montañas" in [contact.organisation for contact in record.contacts]
    assert "human InteractionService" in record.keywords


def test_an_address_broken_over_lines_is_whole_again():
    assert wms_address(broken_up()) == "https://mapas.example/wms/NODO_guia?"


def test_a_text_keeps_its_lines_and_the_summary_aligns_them():
    record = broken_up()
    assert "cartográfica\n" in record.abstract
    shown = text_summary(record, terms_for(record)).splitlines()
    start = next(index for index, line in enumerate(shown) if line.startswith("Abstract:"))
    assert shown[start:start + 2] == ["Abstract:           Base cartográfica", " " * 20 + "del mapa guía."]
