"""Each rule by itself, with a record that breaks it and one that complies."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from plugin.core.network_profile import read_profile, starter_record_id
from plugin.core.records.model.record import (
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
    Record,
    RecordDate,
    ResourceKind,
    TemporalExtent,
    UnreadValue,
)
from plugin.core.review.checks import Family, Severity, all_rules, check_record

TODAY = date(2026, 11, 1)
BASE = "https://mapas.example"
ADDRESS = f"{BASE}/ambiente/mapwms/NODO_guia?"
PROFILE = read_profile(
    b'{"format": "cartoguide-network", "version": 1, "id": "n", "base_url": "https://mapas.example", "node": "NODO",'
    b' "services": {"guide": "{base_url}/ambiente/mapwms/{node}_guia?"}}', Path("."))
FREE = "Este servicio se puede usar de modo libre y gratuito siempre que se mencione a los autores y propietarios"
NO_LIMITS = Constraint("No limitations", "http://inspire.ec.europa.eu/metadata-codelist/LimitationsOnPublicAccess/"
                                         "noLimitations")
OWNER = Contact(organisation="Consejería", emails=("mapas@example.org",), role="pointOfContact")
NAMES = ("GetCapabilities", "GetMap", "GetFeatureInfo", "sld:DescribeLayer", "sld:GetLegendGraphic", "ms:GetStyles")
WMS_LINK = OnlineResource(ADDRESS, "OGC:WMS-1.3.0-http-get-map", distribution_units="Servicio WMS")


def operation(name, url=ADDRESS, platforms=("HTTP-GET", "HTTP-POST")):
    return Operation(name, platforms, (ConnectPoint(url),) if url else ())


SOUND = Record(
    source_format="iso19139", id=starter_record_id(ADDRESS), language="spa", character_set="utf8",
    hierarchy_level="service", kind=ResourceKind.SERVICE, date_stamp="2024-02-12", metadata_contacts=(OWNER, ),
    title="Mapa guía",
    abstract="Servicio con la base cartográfica del mapa guía.", dates=(RecordDate("2014-11-20", "revision"),
                                                                        RecordDate("2014-05-01", "publication"),
                                                                        RecordDate("2014", "creation")),
    contacts=(OWNER, ), keywords=("WMS", "humanInteractionService"), keyword_groups=(KeywordGroup(
        ("WMS",
         "humanInteractionService")), ), use_limitations=("Leer la licencia en las restricciones de acceso y uso", ),
    access_constraints=("otherRestrictions", ), use_constraints=("otherRestrictions", ),
    other_constraints=(Constraint(FREE), NO_LIMITS),
    constraint_groups=(ConstraintGroup("legal", (Constraint("Leer la licencia en las restricciones de acceso y uso"), ),
                                       use_constraints=("otherRestrictions", ), other_constraints=(Constraint(FREE), )),
                       ConstraintGroup("legal", access_constraints=("otherRestrictions", ),
                                       other_constraints=(NO_LIMITS, ))), service_type="OGC:WMS",
    service_versions=("1.3.0", ), fees="Gratuito", coupling_type="tight",
    operates_on=("https://catalogo.example/records/5b0c1f6e-7d2a-4c39-9a51-2f0e8d3b6a74", ), operations=tuple(
        operation(name) for name in NAMES), extents=(Extent(-3.66, -3.36, 38.27, 38.49), ),
    temporal_extents=(TemporalExtent("2013-01",
                                     "2014-05"), ), formats=(DistributionFormat("WMS", "1.3.0"), ), online=(WMS_LINK, ),
    conformance=(Conformance("Reglamento (CE) n.º 976/2009", "2009-10-20", None, "Véase",
                             True), ), overviews=(Overview(f"{BASE}/small.png"), Overview(f"{BASE}/large.png")),
    status=("completed", ), standard_name="ISO 19115:2003/19139", standard_version="1.0",
    unread=(UnreadValue("gmd:hierarchyLevelName/gco:CharacterString", "servicio"),
            UnreadValue(
                "gmd:dataQualityInfo/gmd:DQ_DataQuality/gmd:scope/gmd:DQ_Scope/gmd:level/gmd:MD_ScopeCode/"
                "@codeListValue", "service")))
VIEW = replace(SOUND, service_type="view")


def changed(**values):
    return replace(SOUND, **values)


def constrained(access=(), use=(), other=(), limitation=()):
    """The record with one block of constraints, flat fields and nested block in step."""
    limitations = tuple(Constraint(text) for text in limitation)
    return changed(use_limitations=limitation, access_constraints=access, use_constraints=use, other_constraints=other,
                   constraint_groups=(ConstraintGroup("legal", limitations, access, use, other),))


def moved(url):
    """The record with its service somewhere else."""
    return changed(online=(replace(WMS_LINK, url=url),), operations=tuple(operation(name, url) for name in NAMES))


def boxed(west, south, east, north):
    return changed(extents=(Extent(west, east, south, north),))


def dated(*dates, **more):
    return changed(dates=tuple(RecordDate(value, kind) for kind, value in dates), **more)


#: rule -> records that break it
BROKEN = {
    "identity.missing": [changed(id=None)
                         ], "identity.characters": [changed(id="a record"),
                                                    changed(id="https://a.example/?id=1")],
    "identity.starter": [changed(keyword_groups=(KeywordGroup(("cartoguide:starter", )), ))
                         ], "inspire.title": [changed(title=None)],
    "inspire.abstract": [changed(abstract=None), changed(abstract="MAPA GUÍA ")],
    "inspire.language": [changed(language=None),
                         changed(language="es"),
                         changed(language="jpn")], "inspire.metadata-date": [changed(date_stamp=None)],
    "inspire.metadata-contact": [
        changed(metadata_contacts=()),
        changed(metadata_contacts=(replace(OWNER, emails=()), )),
        changed(metadata_contacts=(replace(OWNER, organisation=None), )),
        changed(metadata_contacts=(replace(OWNER, role="author"), ))
    ], "inspire.responsible-party": [
        changed(contacts=()),
        changed(contacts=(replace(OWNER, emails=()), )),
        changed(contacts=(replace(OWNER, emails=("write to us", )), )),
        changed(contacts=(replace(OWNER, role=None), ))
    ], "inspire.temporal-reference": [dated(temporal_extents=()),
                                      dated(("nextUpdate", "2025"), temporal_extents=())],
    "inspire.one-creation-date": [dated(
        ("creation", "2012"),
        ("creation", "2013"))], "inspire.one-revision-date": [dated(
            ("revision", "2012"), ("revision", "2013"))], "inspire.bounding-box": [changed(extents=())],
    "inspire.conformity": [changed(conformance=())], "inspire.conformity-specification": [
        changed(conformance=(Conformance(None, "2009", None, None, True), )),
        changed(conformance=(Conformance("Reglamento", None, None, None, True), ))
    ], "inspire.conformity-degree": [changed(conformance=(Conformance("Reglamento", "2009"), ))],
    "inspire.resource-type": [changed(hierarchy_level="dataset")], "inspire.resource-type-name": [
        changed(unread=()),
        changed(unread=(UnreadValue("gmd:hierarchyLevelName/gco:CharacterString", "Simple"), ))
    ], "inspire.category": [changed(keywords=("WMS", ))
                            ], "inspire.service-type": [SOUND, changed(service_type="WebGIS")],
    "inspire.coupled-resource": [changed(operates_on=("b5b0c1f6", ))], "inspire.resource-locator": [changed(online=())],
    "inspire.quality-scope": [changed(unread=SOUND.unread[:1])], "inspire.public-access": [
        constrained(), constrained(("otherRestrictions", ), (), (Constraint(FREE), ))
    ], "inspire.conditions": [
        constrained(("otherRestrictions", ), (), (NO_LIMITS, )),
        constrained(limitation=("Cítese la fuente", ))
    ], "inspire.vocabulary": [changed(keyword_groups=(KeywordGroup(("agua", ), "theme", "GEMET"), ))],
    "inspire.vocabulary-once": [
        changed(keyword_groups=(KeywordGroup(("agua", ), "theme", "GEMET"),
                                KeywordGroup(("lluvia", ), "theme", "GEMET")))
    ], "inspire.constraints-apart": [
        constrained(("otherRestrictions", ), ("otherRestrictions", ), (NO_LIMITS, Constraint(FREE))),
        changed(constraint_groups=(SOUND.constraint_groups[1], ) * 2)
    ], "iso19119.identification": [changed(service_type=None, service_versions=(), operations=(),
                                           coupling_type=None)], "iso19119.service-type": [changed(service_type=None)],
    "iso19119.service-version": [changed(service_versions=())], "iso19119.coupling-type": [
        changed(coupling_type=None), changed(coupling_type="strong")
    ], "iso19119.coupling": [changed(operates_on=()), changed(coupling_type="loose")], "iso19119.operations": [
        changed(operations=()), changed(operations=(operation("GetMap"), ))
    ], "iso19119.operation-name": [
        changed(operations=(operation("GetCapabilities"), operation(""))),
        changed(operations=(operation("GetCapabilities"), operation("GetMaps")))
    ], "iso19119.operation-repeated": [changed(operations=(operation("GetCapabilities"), ) * 2)],
    "iso19119.operation-address": [changed(operations=(operation("GetCapabilities", ""), ))
                                   ], "iso19119.operation-platform": [
                                       changed(operations=(operation("GetCapabilities", platforms=()), )),
                                       changed(operations=(operation("GetCapabilities", platforms=("Telex", )), ))
                                   ], "network.address": [moved("http://www.old.example/ambiente/mapwms/NODO_guia?")],
    "network.address-prefix": [moved(f"{ADDRESS}language=spa&"), moved(ADDRESS[:-1])], "network.protocol": [
        changed(online=(replace(WMS_LINK, protocol="OGC:WMS"), ))
    ], "network.identifier": [changed(id="5b0c1f6e-7d2a-4c39-9a51-2f0e8d3b6a74"),
                              changed(id="0" * 40)
                              ], "network.service-type": [VIEW, changed(service_versions=("1.1.1", ))],
    "network.fees": [changed(fees=None), changed(fees="12 € la hoja")], "network.constraints": [
        changed(access_constraints=("license", )),
        constrained(("otherRestrictions", ), ("otherRestrictions", )),
        constrained(("otherRestrictions", ), ("otherRestrictions", ), (Constraint("Consulte con la Consejería"), ))
    ], "network.operations": [
        changed(operations=SOUND.operations[:3]),
        changed(operations=(*SOUND.operations[:5], operation(NAMES[5], platforms=("HTTP-GET", ))))
    ], "network.format": [changed(formats=(DistributionFormat("Shapefile"), ))], "network.distribution-units": [
        changed(online=(WMS_LINK, OnlineResource(f"{BASE}/ficha")))
    ], "network.keywords": [changed(keywords=("WMS", )),
                            changed(keywords=("humanInteractionService", ))
                            ], "network.revision": [dated(("publication", "2014"))], "network.metadata": [
                                changed(language="eng"),
                                changed(character_set=None),
                                changed(standard_version=None)
                            ], "network.status": [changed(status=())], "network.overviews": [
                                changed(overviews=()), changed(overviews=SOUND.overviews[:1])
                            ], "geometry.incomplete": [boxed(-3, None, -2, 38),
                                                       boxed(float("nan"), 38, -2, 39)], "geometry.outside": [
                                                           boxed(400_000, 4_200_000, 410_000, 4_210_000),
                                                           boxed(-200, 38, -190, 39)
                                                       ], "geometry.axes": [boxed(38.2, -103.5, 38.4, -103.2)],
    "geometry.order": [boxed(-3.5, 38.4, -3.2, 38.2)], "geometry.empty": [
        boxed(0, 0, 0, 0), boxed(-3.5, 38.2, -3.5, 38.2),
        boxed(-3.5, 38.2, -3.5, 38.4)
    ], "geometry.antimeridian": [boxed(179.2, -18, -179.5, -16.1),
                                 boxed(-3.2, 38.2, -3.5, 38.4)
                                 ], "geometry.approximate": [boxed(-8, 35, -1, 39),
                                                             boxed(-180, -90, 180, 90)], "dates.unreadable": [
                                                                 dated(("revision", "20 de noviembre")),
                                                                 changed(date_stamp="2023-02-30"),
                                                                 changed(date_stamp="2023-02-03T25:00:00")
                                                             ],
    "dates.future": [dated(("revision", "2027-01-01")), changed(date_stamp="2031")], "dates.order": [
        dated(("revision", "2010"), ("publication", "2012")),
        dated(("revision", "2010"), ("creation", "2012-02"))
    ], "dates.stamp": [changed(date_stamp="2013-01-01")], "dates.type": [dated((None, "2014-02-03"))], "dates.period": [
        changed(temporal_extents=(TemporalExtent("2015", "2014"), ))
    ], "terms.leads-nowhere": [constrained(
        ("otherRestrictions", ), (), (),
        ("Ver las otras restricciones", ))], "terms.unstated": [replace(constrained(), fees=None)
                                                                ], "terms.open-point": [changed(fees="12 € la hoja")],
    "links.no-service": [changed(online=(OnlineResource(f"{BASE}/ficha"), ), operations=())], "links.not-web": [
        changed(online=(WMS_LINK, OnlineResource("\\\\SERVIDOR\\mapas\\guia.shp")))
    ], "links.http-only": [changed(online=(WMS_LINK, OnlineResource("http://mapas.example/ficha")))], "links.secret": [
        changed(online=(WMS_LINK, OnlineResource("https://ana:clave@mapas.example/"))),
        changed(online=(WMS_LINK, OnlineResource("https://mapas.example/?token=abc123")))
    ], "links.differs": [changed(online=(replace(WMS_LINK, url=ADDRESS.replace("mapas", "otros")), ))],
}
#: records that keep a rule though they come near to breaking it
KEPT = {
    "inspire.service-type": [VIEW], "inspire.category": [
        changed(keywords=("WMS", "INFOMAPACCESSSERVICE")),
        changed(
            keywords=("Dienst für den Kartenzugriff", ), unread=(
                *SOUND.unread,
                UnreadValue(
                    "gmx:Anchor/@xlink:href",
                    "http://inspire.ec.europa.eu/metadata-codelist/SpatialDataServiceCategory/infoMapAccessService")))
    ], "inspire.vocabulary": [
        changed(
            keyword_groups=(KeywordGroup(("agua", ), "theme", "GEMET"), ),
            unread=(*SOUND.unread,
                    UnreadValue(
                        "gmd:MD_Keywords/gmd:thesaurusName/gmd:CI_Citation/gmd:date/gmd:CI_Date/gmd:date/gco:Date",
                        "2012-07-20")))
    ], "inspire.vocabulary-once": [
        changed(keyword_groups=(KeywordGroup(("agua", ), "theme", "GEMET"),
                                KeywordGroup(("Jaén", ), "place", "GEMET"))),
        changed(keyword_groups=(KeywordGroup(("agua", )), KeywordGroup(("lluvia", ))))
    ], "inspire.constraints-apart": [constrained(
        (), ("otherRestrictions", ),
        (Constraint(FREE), ))], "inspire.temporal-reference": [dated(
            ("publication", "2014"))], "inspire.abstract": [changed(abstract="Mapa guía del parque")],
    "iso19119.coupling": [changed(coupling_type="loose", operates_on=())],
    "iso19119.operation-name": [changed(service_type="CSW", operations=(operation("GetRecords"), ))],
    "iso19119.operation-repeated": [
        changed(operations=(operation("GetMap", platforms=("HTTP-GET", )),
                            operation("GetMap", platforms=("HTTP-POST", ))))
    ], "network.address-prefix": [changed(online=(OnlineResource("https://otros.example/wms", "OGC:WMS"), ))],
    "network.distribution-units": [
        changed(online=(replace(WMS_LINK, distribution_units=None), OnlineResource(f"{BASE}/ficha")))
    ], "geometry.axes": [boxed(38.2, -3.6, 38.4, -3.3)
                         ], "geometry.outside": [boxed(38.2, -103.5, 38.4, -103.2),
                                                 boxed(190, -10.5, 200,
                                                       10)], "geometry.approximate": [boxed(-8, 35, -1, 39.5)],
    "dates.future": [dated(("nextUpdate", "2027"), ("revision", "2026"))], "dates.order": [
        dated(("revision", "2012"), ("publication", "2012-06")),
        dated(("revision", "2012-06-02"))
    ], "dates.unreadable": [
        changed(date_stamp="2024-02-20T10:12:48.81Z"),
        changed(date_stamp="20240220"),
        changed(date_stamp="2024-02-20T10:12:48+01:00"),
        changed(date_stamp="2024")
    ], "dates.stamp": [changed(date_stamp="2014")], "links.http-only": [
        changed(online=(replace(WMS_LINK, url="http://127.0.0.1:8080/wms?"), )),
        changed(online=(OnlineResource("http://localhost/wms?"), ))
    ], "links.no-service": [changed(service_type="CSW", online=(OnlineResource(f"{BASE}/csw"), ), operations=())],
    "links.not-web": [changed(online=(WMS_LINK, OnlineResource("ftp://mapas.example/guia.zip")))],
    "links.secret": [changed(online=(WMS_LINK, OnlineResource("https://mapas.example/?tokens=3")))
                     ], "links.differs": [changed(online=(replace(WMS_LINK, url=ADDRESS.replace("https", "http")), ))],
}


def every(table):
    """(rule, number of the record) for each record of a table."""
    return [(rule, number) for rule, records in table.items() for number in range(len(records))]


def broken_rules(record):
    return {finding.rule for finding in check_record(record, PROFILE, TODAY)}


@pytest.mark.parametrize(("rule", "number"), every(BROKEN))
def test_a_record_that_breaks_the_rule_is_found(rule, number):
    found = [finding for finding in check_record(BROKEN[rule][number], PROFILE, TODAY) if finding.rule == rule]
    assert found
    for finding in found:
        assert finding.message and finding.advice and finding.name and finding.basis
        assert hasattr(SOUND, finding.field)


@pytest.mark.parametrize("rule", sorted(BROKEN))
def test_a_sound_record_keeps_the_rule(rule):
    kept = VIEW if rule in ("inspire.service-type",) else SOUND
    assert rule not in broken_rules(kept)


@pytest.mark.parametrize(("rule", "number"), every(KEPT))
def test_a_record_that_comes_near_keeps_the_rule_too(rule, number):
    assert rule not in broken_rules(KEPT[rule][number])


def test_every_rule_that_looks_at_one_record_is_tried():
    assert {rule.id for rule in all_rules() if rule.check is not None} == set(BROKEN)


def test_the_sound_record_gives_nothing_but_the_note_on_the_protocols_name():
    assert [(finding.rule, finding.severity)
            for finding in check_record(SOUND, PROFILE, TODAY)] == [("inspire.service-type", Severity.NOTE)]


def test_findings_come_gravest_first():
    ranks = [
        finding.severity.rank for finding in check_record(changed(title=None, fees=None, id="a b"), PROFILE, TODAY)
    ]
    assert ranks == sorted(ranks) and len(set(ranks)) == 3


def test_the_networks_conventions_are_asked_of_its_own_records_only():
    elsewhere = replace(moved("https://otros.example/wms/ajena?"), id="otra", fees=None)
    assert not any(finding.family is Family.NETWORK for finding in check_record(elsewhere, PROFILE, TODAY))
    assert not any(finding.family is Family.NETWORK for finding in check_record(changed(fees=None), None, TODAY))
    assert "network.fees" in broken_rules(changed(fees=None))


def test_only_the_families_asked_for_are_looked_at():
    found = check_record(changed(title=None, date_stamp="2031"), PROFILE, TODAY, [Family.DATES])
    assert {finding.family for finding in found} == {Family.DATES}


def test_what_a_starter_record_lacks_is_only_noted():
    starter = changed(keyword_groups=(KeywordGroup(("cartoguide:starter",)),), date_stamp=None, fees=None, dates=())
    assert {finding.severity for finding in check_record(starter, PROFILE, TODAY)} == {Severity.NOTE}
    wrong = replace(starter, extents=(Extent(38.2, 38.4, -103.5, -103.2),))
    assert check_record(wrong, PROFILE, TODAY)[0].rule == "geometry.axes"
    assert check_record(wrong, PROFILE, TODAY)[0].severity is Severity.ERROR


def test_a_secret_is_not_repeated():
    for record in BROKEN["links.secret"]:
        (finding,) = (item for item in check_record(record, PROFILE, TODAY) if item.rule == "links.secret")
        assert "clave" not in str(finding) and "abc123" not in str(finding)


def test_formats_without_room_for_it_are_not_asked_for_what_iso_asks():
    poor = Record(source_format="csw-dc", id="a", kind=ResourceKind.SERVICE, title="Mapas")
    assert not {"inspire", "iso19119"} & {finding.family.value for finding in check_record(poor, PROFILE, TODAY)}


def test_http_addresses_of_one_host_are_one_note():
    many = changed(online=(WMS_LINK, *(OnlineResource(f"http://mapas.example/{n}") for n in range(9))))
    (note,) = (finding for finding in check_record(many, PROFILE, TODAY) if finding.rule == "links.http-only")
    assert "9" in note.message
