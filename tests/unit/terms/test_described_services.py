"""Terms of services of every kind: whatever one of their documents says of use counts, wherever it says it."""

from __future__ import annotations

import io
import json
import sys

import pytest

from plugin.core import cli
from plugin.core.errors import NetworkFailure, UnexpectedResponse
from plugin.core.records.model.record import Constraint, Contact, Record
from plugin.core.sources import kinds
from plugin.core.sources.descriptions import read_descriptions
from plugin.core.sources.layer_source import LayerSource, SourceType
from plugin.core.sources.source_kind import ProviderInfo
from plugin.core.terms import Decision, terms_for
from plugin.core.terms.labels import trail_text
from plugin.core.wms.model.service import Service

CAPABILITIES = """<Capabilities xmlns="http://www.opengis.net/{ns}" xmlns:ows="http://www.opengis.net/ows/1.1"
 version="1.0.0"><ows:ServiceIdentification><ows:Title>Base</ows:Title>{stated}</ows:ServiceIdentification>
 <ows:ServiceProvider><ows:ProviderName>Agency</ows:ProviderName></ows:ServiceProvider>{more}</Capabilities>"""
#: as many as the publishers of a world map name
AGENCIES = ", ".join(f"Department of Natural Resources of Province {number}" for number in range(1, 12))
OPEN, ASKS = "no conditions apply", "Source: Agency of Maps"
DEMANDS = "All rivers. The source must be cited: Agency of Maps"


def capabilities(*access, fees="", ns="wmts/1.0", more=""):
    stated = "".join(f"<ows:AccessConstraints>{text}</ows:AccessConstraints>" for text in access)
    return CAPABILITIES.format(ns=ns, stated=f"<ows:Fees>{fees}</ows:Fees>{stated}", more=more).encode()


def as_json(**value):
    return json.dumps(value).encode()


LICENCE_LINK = {"rel": "license", "href": "https://creativecommons.org/licenses/by/4.0/"}
STYLE = {"version": 8, "name": "Base", "layers": [], "sources": {"a": {"type": "vector", "attribution": "© A"},
                                                                "b": {"type": "vector", "attribution": "© B"}}}


@pytest.mark.parametrize("document", [
    capabilities(OPEN, fees=OPEN).replace(b"</ows:Title>",
                                          f"</ows:Title><ows:Abstract>{DEMANDS}</ows:Abstract>".encode()),
    as_json(currentVersion=11, mapName="Map", licenseInfo=OPEN, serviceDescription=f"<p>{DEMANDS}</p>"),
    as_json(title="API", license="CC0-1.0", description=DEMANDS, links=[]),
    as_json(tilejson="3.0.0", tiles=["https://tiles.example/{z}/{x}/{y}"], license="CC0-1.0", description=DEMANDS)],
    ids=["OWS", "ArcGIS", "OGC API", "TileJSON"])
def test_a_credit_that_the_description_of_a_service_demands_is_owed(document):
    terms = terms_for(None, read_descriptions(document, "x")[0])
    assert terms.credit_required is Decision.YES and "Agency of Maps" in terms.credit
    kept = terms_for(None, read_descriptions(document.replace(DEMANDS.encode(), b"A map of the rivers."), "x")[0])
    assert kept.credit_required is Decision.NO and kept.free is terms.free


@pytest.mark.parametrize(("document", "free", "required", "credit"), [
    (capabilities("none", fees=OPEN), "yes", "no", "Agency, Base"),
    (capabilities(OPEN, ASKS, fees=OPEN), "undecided", "yes", "Agency, Base. Agency of Maps"),
    (capabilities(OPEN, fees=ASKS, ns="wcs/2.0"), "undecided", "yes", "Agency, Base. Agency of Maps"),
    (capabilities("EULA", fees=OPEN, ns="wfs/2.0"), "undecided", "undecided", "Agency, Base"),
    (capabilities(OPEN, more="<Attribution><Title>© Agency of Maps</Title></Attribution>"), "undecided", "yes",
     "© Agency of Maps"),
    (as_json(currentVersion=11, mapName="Map", copyrightText="© Agency"), "undecided", "yes", "© Agency"),
    (as_json(currentVersion=11, documentInfo={"Title": "Map", "Author": "Agency", "Credits": "© Agency"}), "undecided",
     "yes", "© Agency"),
    (as_json(title="Item", accessInformation="Agency", licenseInfo="<b>CC BY 4.0</b>"), "yes", "yes", "Agency"),
    (as_json(currentVersion=11, copyrightText="© A " + "a" * 700), "undecided", "undecided", ""),
    (as_json(currentVersion=11, copyrightText=f"Source: {AGENCIES}"), "undecided", "yes", f"Source: {AGENCIES}"),
    (as_json(currentVersion=11, copyrightText=f"© {AGENCIES}"), "undecided", "yes", f"© {AGENCIES}"),
    (as_json(title="API", attribution="© Agency", links=[LICENCE_LINK]), "yes", "yes", "© Agency"),
    (as_json(title="API", license="CC0-1.0", links=[LICENCE_LINK]), "yes", "yes", ""),
    (as_json(title="API", license=OPEN, rights=ASKS, links=[]), "undecided", "yes", "Agency of Maps"),
    (as_json(openapi="3.0.2", info={"title": "API", "contact": {"name": "Agency"}, "license": {"name": "CC BY 4.0"}}),
     "yes", "yes", "Agency, API, CC BY 4.0"),
    (as_json(tilejson="3.0.0", tiles=["x"], name="Tiles", attribution="<a href='https://a.org/'>© Agency</a>"),
     "undecided", "yes", "© Agency"),
    (as_json(**STYLE), "undecided", "yes", "© A; © B"),
    (as_json(**{**STYLE, "sources": {}, "metadata": {"x:license": "CC BY 4.0", "x:attribution": "© C"}}), "yes", "yes",
     "© C"),
])
def test_every_kind_of_description_states_its_terms(document, free, required, credit):
    described, = read_descriptions(document, "x")
    terms = terms_for(None, described)
    assert (terms.free, terms.credit_required, terms.credit) == (free, required, credit)


def test_the_collections_of_a_list_have_terms_of_their_own():
    document = as_json(links=[], collections=[{"id": "a", "title": "A", "license": "CC0-1.0"},
                                              {"id": "b", "title": "B", "attribution": "© B"}, 4])
    assert [terms_for(None, info).credit_required.value for info in read_descriptions(document)] == ["no", "yes"]
    for other in (as_json(type="Feature", id="a"), as_json(type="Collection", stac_version="1.0.0", id="a"), b"[]",
                  as_json(a=1), b"<gmd:MD_Metadata xmlns:gmd='x'/>"):
        assert read_descriptions(other) == []


def test_a_record_and_its_service_are_judged_as_one():
    record = Record("iso19139", title="Roads", contacts=(Contact("Agency", role="owner"),),
                    other_constraints=(Constraint(OPEN),))
    assert terms_for(record).credit_required is Decision.NO
    both = terms_for(record, ProviderInfo(credit="© OpenStreetMap contributors", credit_stated=True))
    assert both.credit_required is Decision.YES and both.free is Decision.UNDECIDED
    assert both.credit == "Agency, Roads. © OpenStreetMap contributors"
    assert "Attribution (from the service)" in trail_text(both)
    # a description behind another one counts as much
    behind = ProviderInfo(licence="CC0 1.0", others=(ProviderInfo(access=ASKS),))
    assert terms_for(None, behind).credit == "Agency of Maps"


class Documents:
    """Documents by the ends of their addresses, one of which may be too slow. The others are not there."""

    def __init__(self, failing="", **answers):
        self._answers, self._failing = answers, failing

    def read(self, address, _content):
        place = address.partition("?")[0].rstrip("/")
        if self._failing and place.endswith(self._failing):
            raise NetworkFailure(f"{self._failing} is too slow")
        body = next((body for end, body in self._answers.items() if place.endswith(end)), None)
        if body is None:
            raise UnexpectedResponse("not found", status=404)
        return body


@pytest.mark.parametrize(("source", "documents"), [
    (LayerSource(SourceType.OGCAPI_FEATURES, "https://x.org/oapi", names=("a",)),
     {"a": as_json(id="a", license="CC0-1.0", links=[]), "oapi": as_json(rights=ASKS, links=[])}),
    (LayerSource(SourceType.ARCGIS, "https://x.org/rest/services/s/FeatureServer", names=("0",)),
     {"0": as_json(name="A", copyrightText="© A"), "FeatureServer": as_json(currentVersion=11, licenseInfo=ASKS)}),
    (LayerSource(SourceType.VECTOR_TILES, "https://x.org/t/{z}/{x}/{y}.pbf", style_address="https://x.org/style"),
     {"style": as_json(**{**STYLE, "metadata": {"license": ASKS}})}),
])
def test_a_duty_in_any_of_the_documents_of_a_layer_is_kept(source, documents):
    terms = terms_for(None, kinds.kind_of(source).terms(source, Documents(**documents)))
    assert terms.credit_required is Decision.YES and "Agency of Maps" in terms.credit


@pytest.mark.parametrize(("source", "documents", "failing"), [
    (LayerSource(SourceType.OGCAPI_FEATURES, "https://x.org/oapi", names=("a",)),
     {"oapi": as_json(title="API", license="CC0-1.0", links=[])}, "a"),
    (LayerSource(SourceType.ARCGIS, "https://x.org/rest/services/s/FeatureServer", names=("0",)),
     {"FeatureServer": as_json(currentVersion=11, copyrightText="")}, "0"),
    (LayerSource(SourceType.VECTOR_TILES, "https://x.org/t/{z}/{x}/{y}.pbf", style_address="https://x.org/style"),
     {"t.json": as_json(tilejson="3.0.0", tiles=["x"], license="CC0-1.0")}, "style"),
    (LayerSource(SourceType.VECTOR_TILES, "https://x.org/t/{z}/{x}/{y}.pbf", style_address="https://x.org/style"),
     {"style": as_json(**{**STYLE, "sources": {"a": {"type": "vector", "url": "https://y.org/b.json"}}}),
      "t.json": as_json(tilejson="3.0.0", tiles=["x"], license="CC0-1.0")}, "b.json"),
    (LayerSource(SourceType.XYZ, "https://x.org/t/{z}/{x}/{y}.png"), {}, "t.json"),
])
def test_terms_that_could_not_be_read_are_not_taken_for_none(source, documents, failing):
    described = kinds.kind_of(source).terms(source, Documents(failing=failing, **documents))
    assert described.gaps == (f"{failing} is too slow",)
    terms = terms_for(Record("iso19139", other_constraints=(Constraint(OPEN),)), described)
    assert terms.credit_required is Decision.UNDECIDED and terms.free is Decision.UNDECIDED
    assert any(failing in reason for reason in terms.undecided)


def test_a_guessed_address_without_a_document_is_no_gap():
    source = LayerSource(SourceType.XYZ, "https://x.org/t/{z}/{x}/{y}.png")
    assert kinds.kind_of(source).terms(source, Documents()).gaps == ()


def test_a_known_tile_host_and_the_style_are_both_credited():
    source = LayerSource(SourceType.VECTOR_TILES, "https://tile.openstreetmap.org/{z}/{x}/{y}.pbf",
                         style_address="https://x.org/style")
    credit = kinds.kind_of(source).terms(source, Documents(style=as_json(**STYLE))).credit
    assert credit == "© A; © B; © OpenStreetMap contributors"


def test_the_command_reads_descriptions_as_files_and_from_a_pipe(tmp_path, capsys, monkeypatch):
    for name, document in (("wmts.xml", capabilities(ASKS)), ("a.json", as_json(**STYLE)),
                           ("error.json", as_json(error={"code": 499, "message": "Token Required"}))):
        (tmp_path / name).write_bytes(document)
    assert cli.main(["terms", "--json", *(str(tmp_path / name) for name in ("wmts.xml", "a.json"))]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["credit"] for line in lines] == ["Agency, Base. Agency of Maps", "© A; © B"]
    assert cli.main(["terms", str(tmp_path / "error.json")]) == 1 and "Token Required" in capsys.readouterr().err
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(as_json(**STYLE))))
    assert cli.main(["terms", "-"]) == 0 and "Credit: © A; © B" in capsys.readouterr().out


def test_only_the_reserved_word_alone_states_nothing():
    asking = Service("1.3.0", access_constraints="None           " + ASKS)
    assert terms_for(None, asking).credit_required is Decision.YES
    assert terms_for(None, Service("1.3.0", access_constraints=" NONE\n")).credit_required is Decision.UNDECIDED
