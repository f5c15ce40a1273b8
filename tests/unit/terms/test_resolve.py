"""Effective terms along a record's own references, without guessing and without crashing."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plugin.core.records.model.record import Constraint, ConstraintGroup, Contact, Record, RecordDate, UnreadValue
from plugin.core.terms import Decision, TermsSettings, summary_sentence, terms_for
from plugin.core.wms.model.service import Attribution, Layer, Service
from tests.examples import examples

FAMILY = ("Este servicio se puede usar de modo libre y gratuito siempre que se mencione a los autores y propietarios"
          " de la información")
NO_LIMITATIONS = "http://inspire.ec.europa.eu/metadata-codelist/LimitationsOnPublicAccess/noLimitations"
NO_CONDITIONS = "http://inspire.ec.europa.eu/metadata-codelist/ConditionsApplyingToAccessAndUse/noConditionsApply"
UNKNOWN = "http://inspire.ec.europa.eu/metadata-codelist/ConditionsApplyingToAccessAndUse/conditionsUnknown"
OTHER = "otherRestrictions"


def legal(limitation=None, other=(), access=(OTHER,), use=(OTHER,)):
    return ConstraintGroup("legal", (Constraint(limitation),) if limitation else (), access, use,
                           tuple(item if isinstance(item, Constraint) else Constraint(item) for item in other))


def record(*groups, **fields):
    return Record("iso19139", constraint_groups=groups, **{"title": "Mapa guía", **fields})


def fields(terms):
    return [step.field for step in terms.chain]


@pytest.mark.parametrize("pointer", [
    "Leer la licencia en las restricciones de acceso y uso", "Consultar licencia en las restricciones de acceso y uso",
    "Véase la licencia en las restricciones de uso y acceso", "Ver restricciones de acceso y de uso",
    "Read the licence in the access and use constraints", "See access and use constraints.", "Ver restricciones",
    "Voir les contraintes d'accès et d'utilisation", "siehe Zugriffs- und Nutzungsbeschränkungen",
])
def test_the_family_s_references_lead_to_the_other_constraints(pointer):
    terms = terms_for(record(legal(pointer, [FAMILY]), fees="Gratuito"))
    assert fields(terms) == ["use_limitations", "access_constraints", "use_constraints", "other_constraints", "fees"]
    assert [step.leads_to for step in terms.chain] == ["access_constraints", "other_constraints", "other_constraints",
                                                       None, None]
    assert terms.licence_text == FAMILY
    assert (terms.free, terms.credit_required, terms.undecided) == (Decision.YES, Decision.YES, ())


@pytest.mark.parametrize("pointer", ["Ver otras restricciones", "see other constraints", "Otras restricciones",
                                     "otherRestrictions",
                                     "Zie 'Overige beperkingen'", "Las indicadas en otras restricciones"])
def test_a_reference_to_the_other_constraints_goes_there_at_once(pointer):
    terms = terms_for(record(legal(pointer, ["CC BY 4.0"], access=(), use=())))
    assert fields(terms) == ["use_limitations", "other_constraints"]
    assert terms.licence.id == "CC-BY-4.0"


@pytest.mark.parametrize("text", ["No hay restricciones de acceso ni de uso", "No restrictions on use",
                                  "Consulte https://example.org/condiciones",
                                  "Otras restricciones se negocian con el titular"])
def test_a_text_that_speaks_of_restrictions_is_not_a_reference(text):
    assert all(step.leads_to is None for step in terms_for(record(legal(text, access=(), use=()))).chain)


def test_a_flat_record_without_blocks_is_read_the_same():
    terms = terms_for(
        Record("x", title="T", use_limitations=("See access and use constraints", ), access_constraints=(OTHER, ),
               use_constraints=(OTHER, ), other_constraints=(Constraint(FAMILY), )))
    assert fields(terms) == ["use_limitations", "access_constraints", "use_constraints", "other_constraints"]
    assert terms.credit_required is Decision.YES


def test_a_reference_to_a_field_that_is_missing_is_said():
    terms = terms_for(record(legal("Ver restricciones de acceso y uso", access=(), use=())))
    assert terms.licence_text is None
    assert any("Access constraints" in words and "does not have" in words for words in terms.undecided)


def test_codes_that_lead_nowhere_are_said():
    terms = terms_for(record(legal()))
    assert any("Other constraints" in words and "does not have" in words for words in terms.undecided)
    assert terms.credit_required is Decision.UNDECIDED


def test_references_in_a_circle_are_said_and_end():
    terms = terms_for(record(legal("Ver otras restricciones", ["Ver limitaciones de uso"], (), ())))
    assert any("circle" in words for words in terms.undecided)


def test_a_real_record_and_its_service_complete_each_other():
    dataset = record(legal(None, ["Creative Commons Attribution 4.0 International Public License (CC BY 4.0)"]))
    service = Service("1.3.0", fees="Gratuito", access_constraints=FAMILY)
    terms = terms_for(dataset, service)
    assert (terms.licence.id, terms.free, terms.credit_required) == ("CC-BY-4.0", Decision.YES, Decision.YES)
    assert terms.licence_url == "https://creativecommons.org/licenses/by/4.0/"
    assert {"service: AccessConstraints", "service: Fees"} <= set(fields(terms))
    assert terms.undecided == ()


def test_no_limitations_on_access_is_no_licence_for_use():
    terms = terms_for(record(legal(None, [Constraint("no limitations to public access", NO_LIMITATIONS)], use=())))
    assert (terms.licence, terms.licence_text, terms.free, terms.credit_required) == (None, None, Decision.UNDECIDED,
                                                                                      Decision.UNDECIDED)
    assert "public access" in terms.access
    assert terms.undecided


def test_access_and_use_blocks_are_told_apart():
    terms = terms_for(record(legal(None, [Constraint("", NO_LIMITATIONS)], use=()), legal(None, ["CC0"],
                                                                                              access=())))
    assert (terms.licence.id, terms.credit_required) == ("CC0-1.0", Decision.NO)
    assert "public access" in terms.access


def test_a_limit_to_access_is_shown_as_written_and_no_licence():
    text = "public access limited according to Article 13(1)(a) of the INSPIRE Directive"
    href = "http://inspire.ec.europa.eu/metadata-codelist/LimitationsOnPublicAccess/INSPIRE_Directive_Article13_1a"
    terms = terms_for(record(legal(None, [Constraint(text, href)], use=())))
    assert (terms.licence, terms.access) == (None, text)


def test_a_text_that_stands_beside_access_constraints_alone_is_shown_as_terms_too():
    terms = terms_for(record(legal(None, ["Acceso previa petición por escrito"], use=())))
    assert (terms.licence_text, terms.access) == ("Acceso previa petición por escrito",) * 2
    both = terms_for(record(legal(None, ["Acceso previa petición por escrito"])))
    assert (both.licence_text, both.access) == ("Acceso previa petición por escrito", None)


def test_no_conditions_apply_needs_neither_fee_nor_credit():
    terms = terms_for(record(legal(None, [Constraint("No conditions apply", NO_CONDITIONS)])))
    assert (terms.licence.id, terms.free, terms.credit_required) == ("INSPIRE-noConditionsApply", Decision.YES,
                                                                     Decision.NO)
    assert "INSPIRE" not in terms.credit


@pytest.mark.parametrize(("path", "text", "credit"), [
    ("gmd:resourceConstraints/gmd:MD_LegalConstraints/gmd:otherConstraints/gmd:PT_FreeText/gmd:textGroup/"
     "gmd:LocalisedCharacterString", "Debe citarse la fuente: IGN", Decision.YES),
    ("mri:resourceConstraints/mco:MD_LegalConstraints/mco:releasability/mco:MD_Releasability/mco:statement/"
     "gco:CharacterString", "Source ACME must be cited", Decision.YES),
    ("mrd:distributionOrderProcess/mrd:MD_StandardOrderProcess/mrd:orderingInstructions/gco:CharacterString",
     "Cite ACME as the source", Decision.YES),
    ("odrl:hasPolicy/odrl:duty/odrl:action", "http://www.w3.org/ns/odrl/2/attribute", Decision.YES),
    ("http://creativecommons.org/ns#attributionName", "ACME", Decision.YES),
    ("gmd:resourceConstraints/gmd:MD_LegalConstraints/gmd:otherConstraints/gmd:PT_FreeText/gmd:textGroup/"
     "gmd:LocalisedCharacterString", "No se aplican condiciones", Decision.NO),
    ("mdb:metadataConstraints/mco:MD_LegalConstraints/mco:otherConstraints/gco:CharacterString",
     "Source ACME must be cited", Decision.NO),
    ("gmd:abstract/gmd:PT_FreeText/gmd:textGroup/gmd:LocalisedCharacterString", "Debe citarse la fuente: IGN",
     Decision.NO),
])
def test_a_text_about_use_that_no_field_takes_counts_where_it_asks_for_a_credit(path, text, credit):
    found = terms_for(record(legal(other=[Constraint("none", NO_CONDITIONS)]), unread=(UnreadValue(path, text), )))
    assert found.credit_required is credit
    assert (text in found.texts) is (credit is Decision.YES)


def test_a_translation_adds_no_second_line_to_a_credit():
    path = "gmd:resourceConstraints/gmd:MD_LegalConstraints/gmd:otherConstraints/gmd:PT_FreeText"
    found = terms_for(record(legal(other=["Source: Geological Service"]), unread=(
        UnreadValue(path, "Quelle: Geologischer Dienst"), )))
    assert found.prescribed == ("Geological Service", )


def test_conditions_unknown_decides_nothing():
    terms = terms_for(record(legal(None, [Constraint("", UNKNOWN)])))
    assert (terms.free, terms.credit_required) == (Decision.UNDECIDED, Decision.UNDECIDED)
    assert any("unknown" in words for words in terms.undecided)


@pytest.mark.parametrize(("first", "second", "credit"), [
    ("CC BY 4.0", "CC0 1.0", Decision.YES), ("CC BY 4.0", "ODbL 1.0", Decision.YES), ("CC BY 3.0", "CC BY 4.0",
                                                                                            Decision.YES),
])
def test_two_licences_are_a_contradiction_that_names_both(first, second, credit):
    terms = terms_for(record(legal(first, [second])))
    assert terms.licence is None
    assert any(first in words and second in words for words in terms.undecided)
    assert terms.credit_required is credit
    assert first in terms.licence_text and second in terms.licence_text


def test_of_record_and_service_that_contradict_each_other_the_stricter_counts():
    terms = terms_for(record(legal(None, ["CC BY 4.0"])), Service("1.3.0", fees="CC0"))
    assert (terms.licence, terms.credit_required) == (None, Decision.YES)
    fees = terms_for(record(fees="Gratuito"), Service("1.3.0", fees="10 € al mes"))
    assert (fees.free, fees.fees) == (Decision.UNDECIDED, "10 € al mes")
    assert any("Gratuito" in words and "10 €" in words for words in fees.undecided)


def test_a_licence_takes_the_place_of_no_conditions():
    terms = terms_for(record(legal(None, ["CC BY 4.0", Constraint("", NO_CONDITIONS)])))
    assert (terms.licence.id, terms.credit_required, terms.free) == ("CC-BY-4.0", Decision.YES, Decision.YES)


def test_words_that_ask_for_credit_count_beside_a_licence_that_does_not():
    terms = terms_for(record(legal("CC0", ["Es obligatorio citar la fuente"])))
    assert (terms.licence.id, terms.credit_required) == ("CC0-1.0", Decision.YES)
    assert any("contradict each other" in words and "CC0" in words for words in terms.undecided)


@pytest.mark.parametrize(("fees", "free"), [
    ("no gratuito", Decision.UNDECIDED), ("gratuito excepto uso comercial", Decision.UNDECIDED), ("50 €", Decision.NO),
    ("not free", Decision.NO), ("Consultar", Decision.UNDECIDED)])
def test_fees_that_are_not_free_are_shown_as_written(fees, free):
    terms = terms_for(record(fees=fees))
    assert (terms.free, terms.fees) == (free, fees)
    assert fees in summary_sentence(terms)


def test_only_none_is_reserved_in_a_service_s_constraints():
    service = Service("1.3.0", fees="none", access_constraints="None")
    terms = terms_for(record(), service)
    assert (terms.free, terms.credit_required) == (Decision.YES, Decision.UNDECIDED)
    assert "service: AccessConstraints" not in fields(terms)
    shown = terms_for(record(), Service("1.3.0", access_constraints="Server is load limited"))
    assert shown.access == shown.licence_text == "Server is load limited"


def test_a_disclaimer_beside_the_licence_does_not_hide_it():
    terms = terms_for(record(legal("Puede contener errores de digitalización.", ["CC BY 4.0"])))
    assert (terms.licence.id, terms.free) == ("CC-BY-4.0", Decision.YES)
    assert terms.texts == ("Puede contener errores de digitalización.", "CC BY 4.0")


def test_an_unknown_text_is_shown_and_left_undecided():
    terms = terms_for(record(legal("Pendiente de definir", ["Véase https://example.org/licencia"], use=(OTHER,))))
    assert terms.licence is None and "Pendiente" in terms.licence_text
    assert terms.licence_url == "https://example.org/licencia"
    assert terms.credit_required is Decision.UNDECIDED and terms.undecided


@pytest.mark.parametrize("url", ["javascript:alert(1)", "file:///etc/passwd"])
def test_an_address_that_is_not_http_is_never_given_on(url):
    assert terms_for(record(legal(None, [Constraint("condiciones", url)]))).licence_url is None


def test_a_service_s_attribution_can_name_the_licence():
    root = Layer(attribution=Attribution(title="© Junta de Andalucía, CC BY 4.0"))
    assert terms_for(record(), Service("1.3.0", root=root)).licence.id == "CC-BY-4.0"


def test_the_sentence_says_what_may_be_done_and_what_must_be_said():
    terms = terms_for(
        record(legal(None, [FAMILY]), fees="Gratuito", dates=(RecordDate("2014-05-02", "revision"), ),
               contacts=(Contact(organisation="Consejería", role="pointOfContact"), )))
    assert summary_sentence(terms) == "You may use this free of charge. You must credit: “Consejería, Mapa guía, 2014”."
    assert "No terms of use are given." in summary_sentence(terms_for(record()))
    strict = summary_sentence(terms_for(record(legal(None, ["CC BY-NC-ND 4.0"]))))
    assert "Not for commercial use" in strict and "altered" in strict


@pytest.mark.parametrize("text", [
    "Prohibido el uso comercial", "Libre de droit pour des utilisations non-commerciales", "Solo para uso interno",
    "For internal use only",
    "No se permite la redistribución", "Requiere autorización previa", "not to be used without written permission",
    "NOT FOR TARGETING",
])
def test_words_that_limit_the_use_are_never_left_out_of_the_sentence(text):
    alone = terms_for(record(legal(text), fees="Gratuito"))
    assert text in (*alone.leftovers, *(limit.text for limit in alone.limits))
    assert text in summary_sentence(alone) and "You may" not in summary_sentence(alone)
    beside = terms_for(record(legal(text, [FAMILY]), fees="Gratuito"))
    assert beside.texts == (text,
                            FAMILY) and text in summary_sentence(beside) and "You must credit" in summary_sentence(
        beside)
    licensed = terms_for(record(legal(text, ["CC BY 4.0"])))
    assert licensed.licence.id == "CC-BY-4.0" and text in summary_sentence(licensed)


@pytest.mark.parametrize("text", [FAMILY, "Uso libre citando la fuente", "Free use provided authors are credited",
                                  "Puede contener errores"])
def test_a_mere_duty_to_credit_is_no_limit(text):
    assert terms_for(record(legal(text))).limits == ()


def test_terms_can_be_written_as_json():
    values = terms_for(record(legal(None, ["CC BY 4.0"]))).to_dict()
    assert values["licence"] == {"id": "CC-BY-4.0", "name": "CC BY 4.0",
                                 "url": "https://creativecommons.org/licenses/by/4.0/"} and values["free"] == "yes"


words = st.one_of(st.text(max_size=60), st.sampled_from([
    FAMILY, "CC BY 4.0", "CC0", "Ver otras restricciones", "otherRestrictions", "none", "http://", "https://[",
    "{owner}", "%s", "no limitations"]))
constraint = st.builds(Constraint, st.none() | words, st.none() | words)
group = st.builds(ConstraintGroup, st.sampled_from(["legal", "generic", "security"]), st.lists(constraint,
                                                                                               max_size=3).map(tuple),
                  st.lists(words, max_size=2).map(tuple), st.lists(words, max_size=2).map(tuple), st.lists(constraint,
                      max_size=3).map(tuple))
anything = st.builds(
    Record, st.just("x"), title=st.none() | words, fees=st.none() | words, use_limitations=st.lists(words,
        max_size=2).map(tuple),
    access_constraints=st.lists(words, max_size=2).map(tuple), other_constraints=st.lists(constraint,
                                                                                          max_size=2).map(tuple),
    constraint_groups=st.lists(group, max_size=3).map(tuple),
    contacts=st.lists(st.builds(Contact, organisation=st.none() | words, role=st.none() | words),
                      max_size=2).map(tuple),
    dates=st.lists(st.builds(RecordDate, words, st.none() | words), max_size=2).map(tuple))
services = st.none() | st.builds(Service, st.just("1.3.0"), title=words, fees=st.none() | words,
                                 access_constraints=st.none() | words)


@pytest.mark.parametrize("words, credit", [
    ("Ortofoto. © IGN España. Debe citarse la fuente.", "© IGN España"), ("Fuente: REDIAM. Debe citarse.", "REDIAM"),
    ("The source must be cited as: IGN", "IGN"), ("Attribution: City of Vienna", "City of Vienna"),
    ("Published under CC BY 4.0.", "Mapa guía"), ("© EuroGeographics for the boundaries", "© EuroGeographics")])
@pytest.mark.parametrize("field", ["abstract", "purpose", "lineage", "supplementalInformation"])
def test_a_credit_that_the_description_of_the_data_demands_is_owed(field, words, credit):
    unread = (UnreadValue("identificationInfo/supplementalInformation/CharacterString", words),)
    described = {"unread": unread} if field == "supplementalInformation" else {field: words}
    for group in (legal(other=[Constraint("No conditions apply", NO_CONDITIONS)]), legal(other=["EULA"])):
        terms = terms_for(record(group, contacts=(Contact("Mapas, S.A.", role="owner"),), **described))
        assert terms.credit_required is Decision.YES and credit in terms.credit
        assert terms.licence == terms_for(record(group)).licence, "it may be that of other data"
        assert fields(terms)[-1] in (field, "supplemental_information")
    of_service = terms_for(None, Service("Mapa guía", abstract=words, fees="no conditions apply"))
    assert of_service.credit_required is Decision.YES and credit.replace("Mapa guía", "") in of_service.credit


@pytest.mark.parametrize("words", [
    "Source: Landsat 8, 2019.", "Digitalizado a partir de la fuente original.", "Mapa guía del parque natural.",
    "The map shows the sources of rivers.", "Compatible with CC BY 4.0."])
def test_what_else_describes_the_data_asks_for_no_credit(words):
    terms = terms_for(record(legal(other=[Constraint("No conditions apply", NO_CONDITIONS)]), abstract=words,
                             lineage=words))
    assert terms.credit_required is Decision.NO and terms.free is Decision.YES


@settings(max_examples=examples(150), deadline=None)
@given(anything, services, words)
def test_no_record_makes_it_crash_and_nothing_is_decided_from_nothing(made, service, pattern):
    terms = terms_for(made, service, TermsSettings(pattern))
    assert isinstance(summary_sentence(terms), str)
    texts = [made.fees, *made.use_limitations] + [part for item in made.other_constraints for part in (item.text,
                                                                                                       item.href)]
    texts += [part for block in made.constraint_groups for item in block.use_limitations + block.other_constraints
              for part in (item.text, item.href)]
    texts += [service.fees, service.access_constraints] if service else []
    if not any(text and text.strip() for text in texts):
        assert (terms.licence, terms.credit_required, terms.free) == (None, Decision.UNDECIDED, Decision.UNDECIDED)
    for step in terms.chain:
        assert step.text
