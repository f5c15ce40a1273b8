"""Credits that the terms themselves prescribe: their names and wording."""

from __future__ import annotations

import pytest

from plugin.core.records.model.record import Constraint, ConstraintGroup, Contact, Record, RecordDate
from plugin.core.terms import Decision, terms_for
from plugin.core.terms.prescribed_credit import credited_roles, prescribed_statements

FAMILY = "Uso libre y gratuito siempre que se mencione a los autores y propietarios de la información"


def record(*texts, contacts=(("Junta", "owner"),), **fields):
    group = ConstraintGroup("legal", (), (), ("otherRestrictions",), tuple(
        text if isinstance(text, Constraint) else Constraint(text) for text in texts))
    return Record("iso19139", title="Mapa", dates=(RecordDate("2014", "publication"),), constraint_groups=(group,),
                  contacts=tuple(Contact(organisation=name, role=role) for name, role in contacts), **fields)


@pytest.mark.parametrize(("text", "line"), [
    (FAMILY, "Dueña / Autora, Mapa, 2014"),
    ("Uso libre siempre que se mencione la autoría y la propiedad", "Dueña / Autora, Mapa, 2014"),
    ("Free use provided that the author is credited", "Dueña / Autora, Mapa, 2014"),
    ("Utilisation libre sous réserve de citer les auteurs et propriétaires", "Dueña / Autora, Mapa, 2014"),
    ("Freie Nutzung, sofern Urheber und Eigentümer genannt werden", "Dueña / Autora, Mapa, 2014"),
    ("Debe citarse la fuente", "Dueña, Mapa, 2014"), ("CC BY 4.0", "Dueña, Mapa, 2014, CC BY 4.0"),
    ("No es necesario citar al autor", "Dueña, Mapa, 2014"),
])
def test_whom_the_terms_ask_for_is_named(text, line):
    contacts = (("Punto", "pointOfContact"), ("Autora", "author"), ("Dueña", "owner"))
    assert terms_for(record(text, contacts=contacts)).credit == line


def test_who_is_author_and_owner_is_named_once():
    assert terms_for(record(FAMILY,
                                contacts=(("Junta", "owner"), ("JUNTA", "author")))).credit == "Junta, Mapa, 2014"
    assert terms_for(record(FAMILY, contacts=(("Autora", "author"),))).credit == "Autora, Mapa, 2014"


def test_roles_are_read_from_texts_that_make_credit_a_duty():
    assert credited_roles([FAMILY]) == ("owner", "author")
    assert credited_roles(["Debe citarse la fuente"]) == ()


@pytest.mark.parametrize(("text", "statement"), [
    ("Kostenfrei. Namensnennung erforderlich: © GeoBasis-DE / BKG (2020)", "© GeoBasis-DE / BKG (2020)"),
    ('{"id":"dl-by-de/2.0","name":"Datenlizenz Deutschland","url":"https://www.govdata.de/dl-de/by-2-0",'
     '"quelle":"Quelle: LGL, www.lgl-bw.de"}', "Quelle: LGL, www.lgl-bw.de"),
    ('Se permite el uso siempre que se reconozca el origen y propiedad: "CC-BY 4.0 ign.es"', "CC-BY 4.0 ign.es"),
    ("Uso libre citando la fuente como «Mapa forestal, MITECO».", "Mapa forestal, MITECO"),
    ("Debe citarse la fuente de la siguiente forma: Inventario, MITECO 2019.", "Inventario, MITECO 2019"),
    ("The source must be acknowledged as follows: Contains data of X", "Contains data of X"),
    ("You must include the statement ‘Contains public sector information’ to acknowledge the source.",
     "Contains public sector information"),
    ("The data must be attributed to “Contains Ordnance Survey data”", "Contains Ordnance Survey data"),
    ("© OpenStreetMap contributors, https://opendatacommons.org/licenses/odbl/1-0/", "© OpenStreetMap contributors"),
    ("© Junta de Andalucía. All rights reserved. The source must be credited.", "© Junta de Andalucía"),
    ("Doit être mentionnée la source : « © IGN-F / Géoportail »", "© IGN-F / Géoportail"),
    ("Kaardi kasutamisel märkida: Aluskaart: Maa- ja Ruumiamet", "Aluskaart: Maa- ja Ruumiamet"),
    # the verb that stands behind the line is no part of it
    ("Free use provided that: © European Union, Land Service 2020, Agency (LA) is shown.",
     "© European Union, Land Service 2020, Agency (LA)"),
    ("Die Quelle: © Amt für Karten ist anzugeben.", "© Amt für Karten"),
    ("Fuente: Instituto de Mapas debe citarse", "Instituto de Mapas"),
    ("Source: Office of Maps, as shown", "Office of Maps, as shown"),
    ("Free use (source: Office of Maps (OM)) for all", "Office of Maps (OM)"),
])
def test_the_words_that_the_terms_prescribe_stand_in_the_credit(text, statement):
    assert prescribed_statements(text) == (statement,)
    terms = terms_for(record(text))
    assert terms.credit_required is not Decision.NO and terms.credit.startswith("Junta, Mapa, 2014")
    assert statement in terms.credit or statement == "© Junta de Andalucía"


@pytest.mark.parametrize("text", [
    FAMILY, "CC BY 4.0", "Debe citarse la fuente", "", '{"quelle": 3}', '{"id":"dl-by-de/2.0","quelle":""}', '{"a',
    "Véase el «Decreto 15/2011» de la Junta", "Source: https://example.org/", "(c) El usuario debe citar la fuente",
    "Datos «abiertos». Debe citarse la fuente", '["quelle"]', "©", "(c) 2012.", "Protegido por ©.",
    "Citar: " + "x" * 4000,
])
def test_what_prescribes_no_words_gives_none(text):
    assert prescribed_statements(text) == ()


def test_a_statement_that_the_line_holds_already_is_not_repeated():
    assert terms_for(record("Debe citarse la fuente: “Junta”")).credit == "Junta, Mapa, 2014"
    assert terms_for(record("© JUNTA. Debe citarse la fuente")).credit == "Junta, Mapa, 2014"


def test_the_record_s_own_credits_are_shown_and_owed_beside_a_licence_that_waives_them_too():
    own = ("Elaborado por la Universidad de Jaén",)
    asked = terms_for(record("Debe citarse la fuente", credits=own))
    assert asked.credit == "Junta, Mapa, 2014. Elaborado por la Universidad de Jaén"
    assert ("credits", own[0]) in [(step.field, step.text) for step in asked.chain]
    assert terms_for(record(credits=own)).credit.endswith(own[0])
    waived = terms_for(record("CC0", credits=own))
    assert own[0] in waived.credit and waived.credit_required is Decision.YES


def test_an_essay_of_credits_is_not_for_a_map():
    assert terms_for(record("Debe citarse la fuente", credits=("a b " * 100,))).credit == "Junta, Mapa, 2014"


def test_without_owner_and_title_the_prescribed_words_are_the_credit():
    group = ConstraintGroup("legal", (Constraint("© GeoBasis-DE / BKG. Namensnennung erforderlich"),))
    assert terms_for(Record("x", constraint_groups=(group,))).credit == "© GeoBasis-DE / BKG"


@pytest.mark.parametrize(("text", "licence", "line"), [
    # the name's language is that of the text, whatever its words are elsewhere
    ("CC BY 4.0. Obvezna navedba vira: Geodetska uprava Republike Slovenije, DTK 50, 2023", "CC-BY-4.0",
     "Geodetska uprava Republike Slovenije, DTK 50, 2023"),
    # a remark on changes is a part of the line
    ("dl-de/by-2-0. Quellenvermerk: ©GeoBasis-DE / LVermGeoRP 2020, dl-de/by-2-0, www.lvermgeo.rlp.de "
     "[Daten bearbeitet]", "DL-DE-BY-2.0",
     "©GeoBasis-DE / LVermGeoRP 2020, dl-de/by-2-0, www.lvermgeo.rlp.de [Daten bearbeitet]"),
    ("CC BY 4.0. Source: © Office of Maps (data modified)", "CC-BY-4.0", "© Office of Maps (data modified)"),
    # a name that says for what its office is
    ("CC-BY-4.0: Bundesamt für Eich- und Vermessungswesen (BEV)", "CC-BY-4.0",
     "Bundesamt für Eich- und Vermessungswesen (BEV)"),
    ("CC BY 4.0 Landesamt für Geoinformation", "CC-BY-4.0", "Landesamt für Geoinformation")])
def test_a_line_to_show_beside_a_licence_leaves_the_use_free(text, licence, line):
    terms = terms_for(record(text))
    assert (terms.licence.id, terms.free, terms.credit_required) == (licence, Decision.YES, Decision.YES)
    assert terms.prescribed == (line,)


@pytest.mark.parametrize("text", [
    "CC BY 4.0. Quelle: nur für den internen Gebrauch", "CC BY 4.0 für Schulen", "CC BY 4.0 Nutzung für Schulen",
    "CC-BY-4.0: Bundesamt für Schulen und Behörden", "CC BY 4.0. Source: © Office of Maps (not to be modified)",
    "CC BY 4.0. Vir: samo za interno uporabo", "CC BY 4.0. Source: usage interne uniquement"])
def test_a_restriction_in_the_place_of_a_name_is_no_name(text):
    assert terms_for(record(text)).free is not Decision.YES


@pytest.mark.parametrize(("text", "owner"), [
    ("Källan Naturvårdsverket ska anges vid publicering.", "Naturvårdsverket"),
    ("É permitida a utilização dos dados desde que seja referida a fonte (LNEG)", "LNEG"),
    ("Bij gebruik dient Rijkswaterstaat als bron te worden vermeld", "Rijkswaterstaat"),
    ("Ordnance Survey must be credited", "Ordnance Survey"),
    ("Debe citarse al Instituto de Mapas", "Instituto de Mapas"),
    ("ÚGKK SR ako zdroj údajov musí byť uvedený", "ÚGKK SR"),
    ("Data från Sveriges geologiska undersökning (SGU) ska anges som källa",
     "Sveriges geologiska undersökning (SGU)")])
def test_an_owner_beside_the_word_for_a_source_is_credited(text, owner):
    assert terms_for(record(text)).prescribed == (owner,)


@pytest.mark.parametrize("text", [
    "In Publications the source must be cited", "Debe citarse la fuente según Decreto",
    "Debe citarse la fuente (Ley 37/2007)",
    "In Reports, source and date must be given", "The author must be cited, Recipients included",
    "The service follows open geospatial consortium (OGC) rules and the source must be cited",
    "Per Regolamento la fonte deve essere citata", "Debe citarse la fuente. Decreto",
    "The service follows the Open Geospatial Consortium rules and the source must be cited",
    "Geo Gedeeld licentie: naamsvermelding verplicht", "Data of the Copernicus Land Portal were used; cite the source"])
def test_a_capital_near_the_word_for_a_source_is_nobody(text):
    terms = terms_for(record(text))
    assert terms.credit_required is Decision.YES and terms.prescribed == ()
