"""The credit of a map is the union of what document, record and service ask for, each line once."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from plugin.core.box import Box
from plugin.core.custommap.map_entries import records_of_entries
from plugin.core.custommap.model import NO_DESCRIPTIONS, CustomMap, MapEntry, SnapshotDescriptions, StoredCredit
from plugin.core.custommap.planner import make_plan
from plugin.core.records.model.record import Constraint, Contact, OnlineResource, Record, RecordDate, ResourceKind
from plugin.core.terms import terms_for
from plugin.core.terms.credit_duty import comparable, shows
from plugin.core.terms.model import Decision
from plugin.core.wms.model.service import Attribution, Layer, OperationInfo, Service, ServiceContact, Style

ENDPOINT = "https://x.org/wms?"
#: what services prescribe in eight languages, with the line that has to be on the map
PRESCRIBED = {
    "es": ("Debe citarse la fuente: «Junta de Aranda, Mapa de suelos»", "Junta de Aranda, Mapa de suelos"),
    "en": ('Attribution: "Contains data of the Aranda Survey"', "Contains data of the Aranda Survey"),
    "de": ("Quellenangabe: „© Landesamt Aranda“", "© Landesamt Aranda"),
    "fr": ("Mention obligatoire : « Source : Institut d'Aranda »", "Source : Institut d'Aranda"),
    "it": ("Citare la fonte: «Regione Aranda, carta geologica»", "Regione Aranda, carta geologica"),
    "pt": ("É obrigatório citar a fonte: «Instituto de Aranda»", "Instituto de Aranda"),
    "nl": ("Bronvermelding: “Dienst Aranda”", "Dienst Aranda"),
    "ca": ("Cal citar la font: «Institut d'Aranda»", "Institut d'Aranda"),
}


def served(access="", owner="Aranda GIS", title="Servicio", attribution=None, fees=None):
    drawn = Layer("a", title="A", crs=("EPSG:25830",), styles=(Style("default"),), attribution=attribution,
                  geographic_bbox=Box(-3.7, 38.2, -3.3, 38.5))
    return Service("1.3.0", title=title, access_constraints=access, fees=fees, root=Layer(
                       "R", crs=("EPSG:25830",), layers=(drawn,)), contact=ServiceContact(organisation=owner),
                   operations={"GetMap": OperationInfo("GetMap", ENDPOINT, None, ("image/png",))})


def described(year, owner="Consejería", text="Es obligatorio citar la fuente", identifier="guide"):
    return Record("x", id=identifier, title="Guía", kind=ResourceKind.SERVICE,
                  contacts=(Contact(organisation=owner, role="owner"),) if owner else (),
                  dates=(RecordDate(f"{year}-01-01", "publication"),) if year else (),
                  other_constraints=(Constraint(text),), online=(OnlineResource(ENDPOINT, "OGC:WMS"),))


def planned(line="", required=Decision.YES, service=None, record=None, answers=None, data_credits=()):
    entry = MapEntry(ENDPOINT, "Guía", record_id="guide", layers=("a",), styles=("",), data_credits=data_credits,
                     credit=StoredCredit(line, required, answers=answers or {}))
    plan = make_plan(CustomMap(base=entry), {ENDPOINT: service or served()}, {ENDPOINT: record} if record else {})
    return plan.layers[0]


def assert_each_once(lines):
    for line in lines:
        assert not shows([other for other in lines if other is not line], line), lines
    assert len(set(map(comparable, lines))) == len(lines)


def test_what_the_data_ask_for_is_owed_beside_what_their_service_does():
    free = described(2014, text="No attribution required")
    assert planned(record=free, required=Decision.NO).credit_required is Decision.NO
    for required, lines in ((Decision.YES, ("Consejería, Guía, 2014", "Instituto, Suelos")),
                            (Decision.UNDECIDED, ("Consejería, Guía, 2014", "Instituto, Suelos")),
                            (Decision.NO, ("Consejería, Guía, 2014",))):
        found = planned(record=free, required=Decision.NO, data_credits=(StoredCredit("Instituto, Suelos", required),))
        assert (found.credit_required, found.rights) == (required, lines)


def test_a_document_alone_prints_its_line():
    assert planned("Junta, Guía, 2014").rights == ("Junta, Guía, 2014",)


@pytest.mark.parametrize("language", PRESCRIBED)
@pytest.mark.parametrize("required", Decision)
def test_what_the_service_prescribes_stands_beside_the_line_of_the_document(language, required):
    text, line = PRESCRIBED[language]
    layer = planned("Junta, Guía, 2014", required, served(text))
    assert "Junta, Guía, 2014" in layer.rights and shows(layer.rights, line), layer.rights
    assert_each_once(layer.rights)


@pytest.mark.parametrize("language", PRESCRIBED)
def test_what_the_service_prescribes_and_the_document_has_is_printed_once(language):
    text, line = PRESCRIBED[language]
    layer = planned(f"Junta. {line.upper()} – 2014", Decision.YES, served(text))
    assert len(layer.rights) == 1 and layer.rights[0] == f"Junta. {line.upper()} – 2014"


def test_the_same_line_in_other_case_and_punctuation_is_one_and_the_sign_stays():
    layer = planned("JUNTA DE ARANDA - Mapa de suelos", Decision.YES, served(PRESCRIBED["es"][0]))
    assert len(layer.rights) == 1
    signed = planned("Landesamt Aranda", Decision.UNDECIDED, served(PRESCRIBED["de"][0]))
    assert signed.rights == ("© Landesamt Aranda",)


def test_a_line_within_a_longer_one_makes_place_for_it():
    layer = planned("Dienst Aranda", Decision.YES, served("Bronvermelding: “Dienst Aranda, afdeling kaarten”"))
    assert len(layer.rights) == 1 and "afdeling kaarten" in layer.rights[0]


def test_the_record_of_another_year_takes_the_place_of_the_line_that_was_saved_of_it():
    layer = planned("Consejería, Guía, 2014", Decision.YES, record=described(2021))
    assert layer.rights == ("Consejería, Guía, 2021",)
    other = planned("Consejería, Guía, 2014", Decision.YES, record=described(2021, identifier="another"))
    assert other.rights == ("Consejería, Guía, 2021",), "nor are two years of one line printed"


def test_neither_an_older_record_nor_that_of_other_data_takes_the_place_of_the_line_that_was_saved():
    both = {"Consejería, Guía, 2021", "Consejería, Guía, 2014"}
    older = planned("Consejería, Guía, 2021", Decision.YES, record=described(2014, identifier="another"))
    assert set(older.rights) == both
    data = replace(described(2021, identifier="another"), kind=ResourceKind.DATASET)
    assert set(planned("Consejería, Guía, 2014", Decision.YES, record=data).rights) == both


@pytest.mark.parametrize("known", ("ab", "a", "b", ""))
@pytest.mark.parametrize("in_snapshot", (False, True))
def test_two_records_of_one_service_are_both_credited_though_only_their_years_differ(known, in_snapshot):
    made = {name: described(year, identifier=name) for name, year in (("a", 2014), ("b", 2016))}
    entries = tuple(MapEntry(ENDPOINT, "Guía", record_id=name, layers=("a",), styles=("",),
                             credit=StoredCredit(f"Consejería, Guía, {year}", Decision.YES))
                    for name, year in (("a", 2014), ("b", 2016)))
    found = records_of_entries(entries, lambda entry: made.get(next(
        (name for name in (entry.record_id, *known) if name in known), "")))
    stored = SnapshotDescriptions({}, {ENDPOINT: made["b"]}) if in_snapshot else NO_DESCRIPTIONS
    plan = make_plan(CustomMap(overlays=entries), {ENDPOINT: served()}, found, snapshot=stored)
    assert [layer.rights for layer in plan.layers] == [("Consejería, Guía, 2014",), ("Consejería, Guía, 2016",)]
    renewed = {**found, "a": described(2021, "Instituto", identifier="a")} if known == "ab" else {}
    if renewed:
        plan = make_plan(CustomMap(overlays=entries), {ENDPOINT: served()}, renewed, snapshot=stored)
        assert [layer.rights for layer in plan.layers] == [("Instituto, Guía, 2021",), ("Consejería, Guía, 2016",)]


def test_two_records_without_an_identifier_of_one_service_are_both_credited():
    """The record at their address is one of them, or a third one."""
    lines = ("Consejería, Guía, 2014", "Instituto, Suelos, 2016")
    entries = tuple(MapEntry(ENDPOINT, line, layers=("a",), styles=("",), credit=StoredCredit(line, Decision.YES))
                    for line in lines)
    for known in (described(2014, identifier=None), described(2021, "Agencia", identifier="third")):
        plan = make_plan(CustomMap(overlays=entries), {ENDPOINT: served()}, {ENDPOINT: known})
        assert all(shows(layer.rights, line) for layer, line in zip(plan.layers, lines)), known.id


def test_the_record_of_a_service_takes_the_place_of_the_line_that_was_saved_of_the_service_alone():
    service, record = served("Es obligatorio citar la fuente"), described(2021)
    line = terms_for(None, service).credit
    assert line and not shows(planned("", service=service, record=record).rights, line)
    entry = MapEntry(ENDPOINT, "Guía", layers=("a",), styles=("",), credit=StoredCredit(line, Decision.YES))
    layer, = make_plan(CustomMap(overlays=(entry,)), {ENDPOINT: service}, {ENDPOINT: record}).layers
    assert layer.rights == ("Consejería, Guía, 2021",)


def test_record_and_service_are_both_credited():
    layer = planned("Consejería, Guía, 2014", Decision.YES, served(PRESCRIBED["de"][0]), described(2021))
    assert shows(layer.rights, "Consejería, Guía, 2021") and shows(layer.rights, "© Landesamt Aranda")


def test_a_line_with_a_blank_is_asked_for_and_not_printed():
    layer = planned("", Decision.UNDECIDED, served("Attribution: “© Survey of Aranda [Title]”"))
    assert not any("[" in line for line in layer.rights)
    (unfit,) = layer.unfit_credits
    assert unfit.blanks == ("[Title]",) and "Survey of Aranda" in unfit.line
    answered = planned("", Decision.UNDECIDED, served("Attribution: “© Survey of Aranda [Title]”"),
                       answers={unfit.line: "© Survey of Aranda, Soils"})
    assert "© Survey of Aranda, Soils" in answered.rights and not answered.unfit_credits
    again = planned("", Decision.UNDECIDED, served("Attribution: “© Survey of Aranda [Title]”"),
                    answers={unfit.line: "© Survey of Aranda <name>"})
    assert again.unfit_credits == (unfit,), "an answer with a blank is none"


def test_a_year_is_filled_by_what_its_words_mean():
    this_year = str(date.today().year)
    text = "Quellenvermerk: „© BKG <Jahr des letzten Datenbezugs>, Stand <Erscheinungsjahr>“"
    layer = planned("", Decision.UNDECIDED, record=described(2014, text=text))
    assert any(f"© BKG {this_year}, Stand 2014" in line for line in layer.rights), layer.rights


@pytest.mark.parametrize("title", ["GeoServer Web Map Service", "WMS", "no title set, add some in metadata"])
def test_a_server_s_own_texts_are_nobody_s_credit(title):
    named = planned("", Decision.UNDECIDED, served("Es obligatorio citar la fuente", title=title))
    assert named.rights == ("Aranda GIS",)
    nameless = planned("", Decision.UNDECIDED, served("Es obligatorio citar la fuente", "The Ancient Geographers",
                                                      title))
    assert nameless.rights == () and nameless.unfit_credits and nameless.credit_required is Decision.YES
    stored = planned(f"Junta, {title}", Decision.YES)
    assert stored.rights == ("Junta",)
    layered = planned("Junta", Decision.YES, served(attribution=Attribution(title, None)))
    assert layered.rights == ("Junta",) and not layered.unfit_credits


def test_a_duty_without_an_owner_is_asked_for():
    layer = planned("", Decision.UNDECIDED, served(owner=None, title=""), described(2014, owner=None))
    assert layer.rights == () and layer.credit_required is Decision.YES
    assert [item.reason.value for item in layer.unfit_credits] == ["no-owner"]
    answered = planned("", Decision.UNDECIDED, served(owner=None, title=""), described(2014, owner=None),
                       answers={"": "Ayuntamiento"})
    assert answered.rights == ("Ayuntamiento",) and not answered.unfit_credits


@pytest.mark.parametrize("answers", [{"": ""}, {"*": " "}, {"": "[name]"}, {"*": "none"}, {"": "\u200b"},
                                     {"© Somebody's other line": "© Nobody"}])
def test_an_answer_that_says_nothing_neither_makes_a_duty_nor_fulfils_one(answers):
    free = planned("", Decision.NO, served(owner=None, title=""), answers=answers)
    assert free.rights == planned("", Decision.NO, served(owner=None, title="")).rights and not free.unfit_credits
    owed = planned("", Decision.UNDECIDED, served(owner=None, title=""), described(2014, owner=None), answers=answers)
    assert owed.rights == () and [item.reason.value for item in owed.unfit_credits] == ["no-owner"]


def test_a_blank_year_of_the_document_is_joined_with_the_record_s_line():
    layer = planned("© Consejería, Guía [year]", Decision.YES,
                    record=replace(described(None), title="Guía", use_limitations=("© Consejería, Guía 2024",)))
    assert [line for line in layer.rights if "Guía" in line and "2024" in line], layer.rights
    assert not any("[year]" in item.line for item in layer.unfit_credits)
