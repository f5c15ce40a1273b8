"""Rows of the credit audit: the most reliable source is named, a layer's own credit is kept, nothing is guessed."""

from __future__ import annotations

import csv
import io

import pytest

from plugin.core.audit import AddressFindings, CreditState, LayerFacts, SourceType, build_row, group_rows
from plugin.core.audit.audit_row import audit_csv, audit_html
from plugin.core.errors import UnreadableDocument
from plugin.core.records.model.record import Constraint, Contact, Record
from plugin.core.sources.ows_capabilities import read_ows_info
from plugin.core.sources.tile_hosts import tile_host_info
from plugin.core.terms.model import Decision
from plugin.core.wms.model.service import Attribution, Layer, Service, ServiceContact

ASKS = "Uso libre y gratuito siempre que se mencione a los autores y propietarios de la información"
RECORD = Record(source_format="iso19139", id="a1", title="Mapa guía. 2014",
                contacts=(Contact(organisation="Consejería", role="owner"),),
                access_constraints=("otherRestrictions",), other_constraints=(Constraint(ASKS),))
SERVICE = Service("1.3.0", "Servicio", contact=ServiceContact(organisation="La Junta"), fees="none",
                  access_constraints="Solo consulta",
                  root=Layer(layers=(Layer("a", "A", attribution=Attribution("© Autores", "http://x.invalid/a")),
                                     Layer("b", "B"))))
WMTS = """<Capabilities xmlns="http://www.opengis.net/wmts/1.0" xmlns:ows="http://www.opengis.net/ows/1.1"
 xmlns:xlink="http://www.w3.org/1999/xlink" version="1.0.0"><ows:ServiceIdentification>
 <ows:Title>Mapa  base</ows:Title><ows:Fees>none</ows:Fees>
 <ows:AccessConstraints>CC BY 4.0</ows:AccessConstraints></ows:ServiceIdentification>
 <ows:ServiceProvider><ows:ProviderName>Instituto Geográfico</ows:ProviderName>
 <ows:ProviderSite xlink:href="http://ign.invalid/"/></ows:ServiceProvider></Capabilities>"""


def facts(**changes):
    return LayerFacts(**{"layer_id": "l1", "title": "Capa", "kind": SourceType.WMS, "address": "http://x.invalid/wms?",
                         "names": ("b",), **changes})


def test_a_record_goes_before_capabilities_and_brings_its_terms():
    row = build_row(facts(), AddressFindings(SERVICE, record=RECORD, origin="kept"))
    assert (row.state, row.credit, row.origin) == (CreditState.FOUND, ("Consejería, Mapa guía. 2014",), "kept")
    assert row.required == "yes" and row.record_id == "a1" and row.access == "Solo consulta"
    assert "siempre que se mencione" in row.licence


def test_capabilities_attribution_goes_before_the_contact_and_is_added_to_a_record():
    row = build_row(facts(names=("a",)), AddressFindings(SERVICE))
    assert row.credit == ("© Autores",) and row.attribution_url == "http://x.invalid/a" and "Attribution" in row.origin
    row = build_row(facts(names=("a", )),
                    AddressFindings(SERVICE, record=RECORD, origin="kept"))
    assert row.credit == ("Consejería, Mapa guía. 2014", "© Autores")
    row = build_row(facts(), AddressFindings(SERVICE))
    assert row.credit == ("La Junta, Servicio",) and "contact" in row.origin
    assert row.fees == "", "“none” is the reserved word for no fees (7.2.4.3)"


@pytest.mark.parametrize(("own", "state"), [
    (("CONSEJERÍA, Mapa guía.  2014",), CreditState.CREDITED), (("Otro",), CreditState.DIFFERS),
    ((), CreditState.FOUND)])
def test_what_the_layer_carries_is_compared_and_never_lost(own, state):
    row = build_row(facts(credit=own), AddressFindings(record=RECORD, origin="kept"))
    assert row.state is state and row.state.has_new_credit == (state is not CreditState.CREDITED)
    assert row.layer.credit == own


@pytest.mark.parametrize(("required", "state"), [
    (Decision.NO, CreditState.NOT_REQUIRED), (Decision.UNDECIDED, CreditState.MISSING)])
def test_nothing_found_is_missing_unless_the_terms_ask_for_nothing(required, state):
    row = build_row(facts(required=required), AddressFindings(problem="It does not answer."))
    assert row.state is state and row.credit == () and row.problem == "It does not answer."


def test_a_wmts_names_its_provider_and_a_tile_host_its_publisher():
    about = read_ows_info(WMTS.encode())
    row = build_row(facts(kind=SourceType.WMTS), AddressFindings(provider=about))
    assert row.credit == ("Instituto Geográfico, Mapa base, CC BY 4.0",)
    assert row.access == "CC BY 4.0" and row.fees == ""
    osm = build_row(facts(kind=SourceType.XYZ),
                    AddressFindings(provider=tile_host_info("https://a.tile.openstreetmap.org/{z}/{x}/{y}.png")))
    assert osm.credit == ("© OpenStreetMap contributors",) and "opendatacommons" in osm.licence_url
    assert osm.licence == osm.terms_summary == "Open Data Commons Open Database License 1.0", "said once"
    assert build_row(facts(licences=(osm.licence_line,)), AddressFindings()).licence_line == osm.licence_line
    by_qgis = "Base map and data from OpenStreetMap and OpenStreetMap Foundation (CC-BY-SA). © contributors."
    for credit, state in ((by_qgis, CreditState.DIFFERS), ("© OSM (ODbL)", CreditState.CREDITED)):
        row = build_row(facts(kind=SourceType.XYZ, credit=(credit,)), AddressFindings(provider=osm.findings.provider))
        assert row.state is state, "one licence for OpenStreetMap"
    for host in ("{switch:a,b,c}.tile", "{s}.tile", "{switch:tile}"):
        assert tile_host_info(f"https://{host}.openstreetmap.org/{{z}}/{{x}}/{{y}}.png").credit == osm.credit[0]
    assert tile_host_info("https://tile.openstreetmap.org.evil.invalid/") is None and tile_host_info("http://[") is None
    terrain = tile_host_info("https://s3.amazonaws.com/elevation-tiles-prod/terrarium/{z}/{x}/{y}.png")
    assert "© Kartverket" in terrain.credit and tile_host_info("https://s3.amazonaws.com/else/{z}/{x}/{y}.png") is None
    with pytest.raises(UnreadableDocument):
        read_ows_info(b"<html/>")


def test_the_csv_has_a_row_for_each_layer_and_no_formula():
    rows = [build_row(facts(title="=1+1"), AddressFindings()), build_row(facts(), AddressFindings(SERVICE))]
    heading, first, second = csv.reader(io.StringIO(audit_csv(rows)))
    assert first[0] == "'=1+1" and len(heading) == len(first) == 16
    assert second[heading.index("Credit found")] == "La Junta, Servicio"
    assert second[heading.index("Credit required")] == "not clear", "in the words of the window, which are translated"


def test_the_layers_of_a_service_or_file_are_one_group_with_their_states():
    local = {"kind": SourceType.FILE, "address": ""}
    rows = [build_row(facts(title="B"), AddressFindings(SERVICE)), build_row(facts(title="C"), AddressFindings()),
            build_row(facts(title="D", address="http://x.invalid/wms?REQUEST=GetMap&"), AddressFindings(SERVICE)),
            build_row(facts(title="E", path="/data/a.gpkg", **local), AddressFindings()),
            build_row(facts(title="F", path="/data/a.gpkg", **local), AddressFindings()),
            build_row(facts(title="G", kind=SourceType.MEMORY, address="", layer_id="l7"), AddressFindings())]
    service, file, memory = group_rows(rows)
    assert [row.layer.title for row in service.rows] == ["B", "C", "D"] and service.title == "Servicio"
    assert service.state_text == "credit found: 2 · no credit found: 1"
    assert (file.title, file.state_text) == ("a.gpkg", "No credit is known: is it your own?") and memory.is_single
    page = audit_html(rows)
    assert page.count('class="service"') == 2 and page.index("no credit found: 1") < page.index("a.gpkg")
