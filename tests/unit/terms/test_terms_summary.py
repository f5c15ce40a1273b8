"""The summary of terms for people: whole sentences, nothing twice, no limit or contradiction left out."""

from __future__ import annotations

import pytest

from plugin.core.records.model.record import Constraint, ConstraintGroup, Contact, Record
from plugin.core.terms import Decision, summary_sentence, terms_for
from plugin.core.terms.model import LimitKind

CREDIT = "It is not clear whether a credit is required. To be safe, credit: “Junta, Mapa”."


def record(*groups, **fields):
    return Record("iso19139", title="Mapa", contacts=(Contact("Junta", role="owner"),), constraint_groups=groups,
                  **fields)


def legal(*other, access=(), use=("otherRestrictions",), limitation=None):
    return ConstraintGroup("legal", (Constraint(limitation),) if limitation else (), access, use,
                           tuple(map(Constraint, other)))


@pytest.mark.parametrize("text", ["Debe citarse la fuente", "Debe citarse la fuente."])
def test_a_text_that_is_quoted_ends_its_sentence_once(text):
    assert summary_sentence(terms_for(
        record(legal(text),
               fees="Consultar"))) == ("Terms of use: “Debe citarse la fuente”. Fees: “Consultar”. "
                                       "You must credit: “Junta, Mapa”.")


def test_a_text_about_use_that_speaks_of_cost_is_not_said_twice():
    text = "El uso no es gratuito y requiere autorización previa"
    terms = terms_for(record(legal(text)))
    assert terms.fees == text and terms.free is Decision.NO
    assert summary_sentence(terms) == (f"It is not free of charge. Terms of use: “{text}”. "
                                       f"Restrictions: Permission required. {CREDIT}")


@pytest.mark.parametrize(("clause", "free"), [
    ("El uso es gratuito para investigadores.", Decision.UNDECIDED),
    ("Cada hoja cuesta 12 € más gastos.", Decision.NO),
])
def test_fees_are_the_clauses_about_the_cost_and_not_the_whole_text(clause, free):
    text = f"Debe citarse la fuente. {clause} No se permite el uso comercial."
    terms = terms_for(record(legal(text)))
    assert (terms.free, terms.fees, terms.texts) == (free, clause, (text, ))
    assert summary_sentence(terms).count(clause.rstrip(".")) == 1


def test_the_public_domain_is_not_a_licence_to_be_under():
    assert summary_sentence(terms_for(
        record(legal("Dominio público"),
               fees="0 €"))) == ("This is in the public domain, and free of charge. It is not clear whether "
                               "a credit is required. To be safe, credit: “Junta, Mapa, Public domain”.")


@pytest.mark.parametrize("texts", [("CC BY 4.0", "CC BY-NC 4.0"), ("CC BY 4.0", "CC0 1.0")])
def test_licences_that_contradict_each_other_are_told_first(texts):
    terms = terms_for(record(legal(*texts)))
    said = summary_sentence(terms)
    assert terms.licence is None and terms.conflict in terms.undecided
    assert said.startswith(terms.conflict) and "You may" not in said


def test_three_licences_are_all_named():
    assert terms_for(record(legal("CC BY 4.0", "CC BY-NC 4.0", "ODbL 1.0"))).conflict == (
        "Several licences are named, CC BY 4.0, CC BY-NC 4.0 and ODbL 1.0, but not which one applies.")


def test_codes_that_stand_alone_are_told_in_words():
    terms = terms_for(record(legal(access=("copyright",), use=("intellectualPropertyRights", "copyright"))))
    assert terms.access == "Copyright"
    assert summary_sentence(terms).startswith(
        "The record gives no terms of use, only a restriction: Intellectual property rights, Copyright. Fees")


def test_a_security_classification_is_a_limit_of_access():
    secret = ConstraintGroup("security", classification="restricted")
    terms = terms_for(record(secret))
    assert terms.access == "Restricted"
    assert ("classification", "restricted") in [(step.field, step.text) for step in terms.chain]
    assert summary_sentence(terms).startswith("Security classification: Restricted. No terms of use")
    open_to_all = terms_for(record(ConstraintGroup("security", classification="unclassified")))
    assert open_to_all.access is None and open_to_all.chain == ()
    both = terms_for(
        record(secret, legal("No limitations on public access", access=("otherRestrictions", ), use=())))
    assert "Restricted" in both.access and "No limitations" in both.access


@pytest.mark.parametrize("text", ["Todos los derechos reservados", "© Junta. All rights reserved.",
                                  "Tous droits réservés", "Alle Rechte vorbehalten", "Tutti i diritti riservati"])
def test_reserved_rights_limit_the_use(text):
    assert [limit.kind for limit in terms_for(record(legal(text))).limits] == [LimitKind.PERMISSION_REQUIRED]


def test_a_reference_that_leads_nowhere_names_both_fields():
    terms = terms_for(record(legal(access=("otherRestrictions",), limitation="Ver restricciones de acceso y uso")))
    assert "“Access constraints” refers to “Other constraints”, which the record does not have." in terms.undecided


def test_texts_of_several_fields_are_told_apart():
    said = summary_sentence(terms_for(record(legal("Dato pubblico", "Cartografia in vendita.",
                                                       "Tariffe sul sito"))))
    assert said.startswith("It is not free of charge. Terms of use: “Dato pubblico; Cartografia in vendita. "
                           "Tariffe sul sito”.")


def test_both_sides_of_a_contradiction_about_credit_are_told():
    terms = terms_for(record(legal("Debe citarse la fuente", "No es necesario citar la fuente")))
    assert terms.credit_required is Decision.YES
    assert any("“Debe citarse la fuente” requires it" in note for note in terms.undecided)
    assert "“Debe citarse la fuente; No es necesario citar la fuente”" in summary_sentence(terms)


def test_a_long_text_whose_beginning_is_quoted_is_not_quoted_again():
    text = ("Public access to spatial data sets would adversely affect the confidentiality of commercial information, "
            "where such confidentiality is provided for by national or Community law to protect a legitimate economic "
            "interest, including the public interest in maintaining statistical confidentiality and tax secrecy.")
    shown = summary_sentence(terms_for(record(legal("No conditions apply to access and use", text))))
    assert shown.count("Public access to spatial data sets") == 1
    late = summary_sentence(terms_for(record(legal("Datos de la red de estaciones. " * 7, text))))
    assert late.count("Public access to spatial data sets") == 2, "too little of it fits into the quotation"


@pytest.mark.parametrize(("text", "name"), [("CC BY 4.0 Red de pruebas", "CC BY 4.0"),
                                            ("CC0 Red de pruebas", "CC0 1.0")])
def test_words_beside_a_licence_are_not_said_to_deny_what_it_grants(text, name):
    terms = terms_for(record(legal(text)))
    assert terms.free is Decision.UNDECIDED, "what is unknown is never freedom"
    first = f"The terms name {name}, but say more that may limit it or cost a fee: “{text}”."
    assert summary_sentence(terms).startswith(first) and summary_sentence(terms).count(text) == 1
