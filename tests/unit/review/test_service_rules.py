"""Comparison of a record with its live service: differences, their severity, and what counts as equal."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from plugin.core.box import Box
from plugin.core.distributions.record_distributions import wms_address
from plugin.core.records import read
from plugin.core.records.model.record import (
    ConnectPoint,
    Constraint,
    ConstraintGroup,
    Extent,
    OnlineResource,
    Operation,
    Record,
    ResourceKind,
)
from plugin.core.review.checks import Severity
from plugin.core.review.checks.service_rules import against_service
from plugin.core.wms import read_service
from plugin.core.wms.model.service import Layer, LinkedDocument, OperationInfo, Service

ADDRESS = "https://mapas.example/wms/NODO_guia?"
FREE = "Uso libre y gratuito siempre que se mencione a los autores y propietarios"


def operation(name, url=ADDRESS, platforms=("HTTP-GET", "HTTP-POST")):
    return Operation(name, platforms, (ConnectPoint(url),))


RECORD = Record(
    source_format="iso19139", id="guia", kind=ResourceKind.SERVICE, title="Mapa guía del parque",
    abstract="El mapa guía.",
    service_type="OGC:WMS", service_versions=("1.3.0",), fees="Gratuito",
    access_constraints=("otherRestrictions",), other_constraints=(Constraint(FREE),),
    constraint_groups=(ConstraintGroup("legal", access_constraints=("otherRestrictions",),
                                       other_constraints=(Constraint(FREE),)),),
    operations=(operation("GetCapabilities"), operation("GetMap"), operation("ms:GetStyles")),
    extents=(Extent(-3.6, -3.4, 38.3, 38.5),), reference_systems=("EPSG:25830",),
    operates_on=("https://catalogo.example/5b0c1f6e-7d2a-4c39-9a51-2f0e8d3b6a74",),
    online=(OnlineResource(ADDRESS, "OGC:WMS-1.3.0-http-get-map", "limite_parque"),))
DATA = LinkedDocument("https://catalogo.example/#/metadata/5b0c1f6e-7d2a-4c39-9a51-2f0e8d3b6a74")
LAYER = Layer("limite_parque", "Límite del parque", metadata_urls=(DATA,))
ROOT = Layer("NODO", "Mapa guía", crs=("EPSG:25830", "CRS:84"),
             geographic_bbox=Box(-3.6, 38.3, -3.4, 38.5), layers=(LAYER, ))
OWN = f"{ADDRESS}language=spa&"
SERVICE = Service(
    version="1.3.0", title="MAPA GUIA DEL PARQUE", abstract="El mapa guía.", fees="gratuito.", access_constraints=FREE,
    online_resource=OWN, root=ROOT,
    operations={name: OperationInfo(name, OWN, OWN) for name in ("GetCapabilities", "GetMap", "GetStyles")})


def live(**values):
    return replace(SERVICE, **values)


def boxed(west, south, east, north):
    return live(root=replace(ROOT, geographic_bbox=Box(west, south, east, north)))


def offering(*names, get=OWN, post=OWN):
    return live(operations={name: OperationInfo(name, get, post) for name in names})


ALL = ("GetCapabilities", "GetMap", "GetStyles")
CASES = [
    ("service.title", Severity.NOTE, RECORD, live(title="Inventario de carreteras")),
    ("service.abstract", Severity.NOTE, RECORD, live(abstract="Las carreteras de toda la provincia desde 1990")),
    ("service.fees", Severity.WARNING, RECORD, live(fees="12 euros por hoja")),
    ("service.fees", Severity.NOTE, replace(RECORD, fees=None), live(fees="Gratuito")),
    ("service.constraints", Severity.WARNING, RECORD, live(access_constraints="Solo para personal de la red")),
    ("service.constraints", Severity.WARNING,
     replace(RECORD, other_constraints=(Constraint("CC BY 4.0"),), constraint_groups=(ConstraintGroup(
         "legal", access_constraints=("otherRestrictions",), other_constraints=(Constraint("CC BY 4.0"),)),)),
     live(access_constraints="CC BY-NC-SA 3.0")),
    ("service.version", Severity.WARNING, RECORD, live(version="1.1.1")),
    ("service.box", Severity.ERROR, RECORD, boxed(4.0, 50.0, 5.0, 51.0)),
    ("service.box", Severity.ERROR, replace(RECORD, extents=(Extent(38.3, 38.5, -3.6, -3.4),)), SERVICE),
    ("service.box", Severity.WARNING, RECORD, boxed(-7.5, 36.0, -1.6, 38.7)),
    ("service.box", Severity.NOTE, RECORD, boxed(-3.6, 38.3, -3.4, 38.6)),
    ("service.moved", Severity.WARNING, RECORD, offering(*ALL, get="https://nuevo.example/wms/guia?")),
    ("service.moved", Severity.NOTE, replace(RECORD, online=(OnlineResource(ADDRESS.replace("https", "http"),
                                                                           "OGC:WMS"),)), SERVICE),
    ("service.operations", Severity.WARNING, RECORD, offering("GetCapabilities", "GetMap")),
    ("service.operations", Severity.NOTE, RECORD, offering(*ALL, "GetFeatureInfo")),
    ("service.platforms", Severity.WARNING, RECORD, offering(*ALL, post=None)),
    ("service.platforms", Severity.NOTE, replace(RECORD, operations=tuple(
        replace(item, platforms=("HTTP-GET",)) for item in RECORD.operations)), SERVICE),
    ("service.operation-address", Severity.WARNING, replace(RECORD, operations=tuple(
        operation(item.name, "https://viejo.example/wms?") for item in RECORD.operations)), SERVICE),
    ("service.layers", Severity.WARNING, replace(RECORD, online=(replace(RECORD.online[0], name="limite,rios"),)),
     SERVICE),
    ("service.layers", Severity.NOTE, replace(
        RECORD, operates_on=("https://catalogo.example/aaaaaaaa-7d2a-4c39-9a51-2f0e8d3b6a74",)), SERVICE),
    ("service.reference-systems", Severity.NOTE, replace(RECORD, reference_systems=("EPSG:2062",)), SERVICE),
    ("service.record", Severity.NOTE, RECORD, live(metadata_urls=(
        LinkedDocument("https://catalogo.example/#/metadata/otra", record_id="otra"),))),
]


def told(record, service):
    return [(finding.rule, finding.severity) for finding in against_service(record, service)]


def test_a_record_that_says_what_its_service_says_gives_nothing():
    assert told(RECORD, SERVICE) == []


@pytest.mark.parametrize(("rule", "severity", "record", "service"), CASES,
                         ids=[f"{case[0]}-{case[1].value}-{number}" for number, case in enumerate(CASES)])
def test_each_difference_is_told_with_both_sides(rule, severity, record, service):
    found = {finding.rule: finding for finding in against_service(record, service)}
    assert rule in found and found[rule].severity is severity
    assert found[rule].other or found[rule].value
    assert found[rule].message and found[rule].advice and hasattr(record, found[rule].field)


@pytest.mark.parametrize(("record", "service"), [
    (RECORD, live(fees="none", access_constraints="None")),
    (RECORD, live(title="Mapa guía del parque (servicio WMS)")),
    (RECORD, boxed(-3.601, 38.299, -3.399, 38.501)),
    (replace(RECORD, extents=(), operations=(), reference_systems=(), online=(), operates_on=()), SERVICE),
    (RECORD, Service(version="1.3.0")),
    (replace(RECORD, online=(replace(RECORD.online[0], name="Mapa guía del parque, servicio de mapas"),)), SERVICE),
    (replace(RECORD, reference_systems=("http://www.opengis.net/def/crs/EPSG/0/25830",
                                        "urn:ogc:def:crs:EPSG::25830", "ETRS89")), SERVICE),
])
def test_what_is_no_difference_is_not_told(record, service):
    assert told(record, service) == []


def test_the_samples_compare_without_an_exception(samples):
    service = read_service((samples / "webtilians+ecodispatch/data/real-fire-v1.7/metadata/areas.xml").read_bytes())
    (record,) = read((samples / "webtilians+ecodispatch/data/real-fire-v1.7/metadata/areas_catalog.xml").read_bytes())
    found = against_service(record, service)
    assert all(finding.severity is not Severity.ERROR for finding in found), found


def test_the_test_networks_records_say_what_its_services_say(network):
    from urllib.request import urlopen

    for path in network.records:
        (record,) = read(Path(path).read_bytes(), str(path))
        with urlopen(f"{wms_address(record)}SERVICE=WMS&REQUEST=GetCapabilities") as answer:
            service = read_service(answer.read())
        assert told(record, service) == []


def test_the_same_extent_across_the_antimeridian_is_no_finding():
    record = replace(RECORD, extents=(Extent(west=177, east=-178, south=-20, north=-12),))
    service = Service("1.3.0", root=Layer(geographic_bbox=Box(177, -20, -178, -12)))
    assert not [finding for finding in against_service(record, service) if "extents" in repr(finding)]
