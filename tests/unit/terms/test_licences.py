"""Well-known licences by address, by text and by SPDX id, and texts that only look like one."""

import re
import time

import pytest

from plugin.core.records.model.record import Constraint, Record
from plugin.core.terms import terms_for
from plugin.core.terms.inspire_codes import code_at, code_of_text
from plugin.core.terms.licences import TABLE_PATH, licence_table
from plugin.core.terms.model import CREDIT_BLANKS, Decision


def named(text):
    return [mention.licence.id for mention in licence_table().find_mentions(text)]


@pytest.mark.parametrize(("address", "expected"), [
    ("https://creativecommons.org/licenses/by/4.0/", "CC-BY-4.0"),
    ("http://creativecommons.org/licenses/by/4.0", "CC-BY-4.0"),
    ("https://www.creativecommons.org/licenses/by/4.0/deed.es", "CC-BY-4.0"),
    ("https://creativecommons.org/licenses/by/4.0/deed.es_ES", "CC-BY-4.0"),
    ("https://creativecommons.org/licenses/by/4.0/legalcode", "CC-BY-4.0"),
    ("https://creativecommons.org/licenses/by/4.0/legalcode.es", "CC-BY-4.0"),
    ("HTTPS://CreativeCommons.org/licenses/BY/4.0/", "CC-BY-4.0"),
    ("https://creativecommons.org/licenses/by/4.0/?ref=chooser-v1", "CC-BY-4.0"),
    ("creativecommons.org/licenses/by-sa/3.0/", "CC-BY-SA-3.0"),
    ("http://creativecommons.org/licenses/by-nc-sa/3.0/es/deed.es", "CC-BY-NC-SA-3.0"),
    ("https://creativecommons.org/licenses/by-nc-nd/2.5/", "CC-BY-NC-ND-2.5"),
    ("https://creativecommons.org/licenses/by-nd-nc/2.0/jp/", "CC-BY-NC-ND-2.0"),
    ("https://creativecommons.org/licenses/by-nd/2.0/", "CC-BY-ND-2.0"),
    ("https://creativecommons.org/publicdomain/zero/1.0/deed.fr", "CC0-1.0"),
    ("http://creativecommons.org/publicdomain/mark/1.0/deed.nl", "CC-PDM-1.0"),
    ("http://publications.europa.eu/resource/authority/licence/CC_BY_4_0", "CC-BY-4.0"),
    ("https://spdx.org/licenses/CC-BY-SA-4.0.html", "CC-BY-SA-4.0"),
    ("https://opendatacommons.org/licenses/odbl/1-0/", "ODbL-1.0"),
    ("http://opendatacommons.org/licenses/odbl/summary/", "ODbL-1.0"),
    ("https://opendatacommons.org/licenses/by/1.0/", "ODC-By-1.0"),
    ("https://opendatacommons.org/licenses/pddl/", "PDDL-1.0"),
    ("http://www.nationalarchives.gov.uk/doc/open-government-licence/version/3/", "OGL-UK-3.0"),
    ("http://www.nationalarchives.gov.uk/doc/open-government-licence/version/2", "OGL-UK-2.0"),
    ("https://www.etalab.gouv.fr/wp-content/uploads/2017/04/ETALAB-Licence-Ouverte-v2.0.pdf", "etalab-2.0"),
    ("https://www.govdata.de/dl-de/by-2-0", "DL-DE-BY-2.0"),
    ("https://www.govdata.de/dl-de/zero-2-0", "DL-DE-ZERO-2.0"),
])
def test_an_address_names_its_licence_in_all_its_forms(address, expected):
    assert licence_table().find_by_address(address).licence.id == expected
    assert named(f"Licencia: {address}.") == [expected]
    assert named(address) == [expected]


@pytest.mark.parametrize("address", [
    "https://creativecommons.org/", "https://creativecommons.org/licenses/",
    "https://creativecommons.org/about/cclicenses/",
    "https://example.org/creativecommons.org/licenses/by/4.0/",
    "https://creativecommons.org.example.org/licenses/by/4.0/",
    "https://creativecommons.org/licenses/by/4.0/and/more/", "https://example.org/by-4.0", "", "https://", "::",
])
def test_other_addresses_name_none(address):
    assert licence_table().find_by_address(address) is None


@pytest.mark.parametrize(("text", "expected"), [
    ("Creative Commons Attribution 4.0 International Public License (CC BY 4.0)", "CC-BY-4.0"),
    ("CC-By 4.0", "CC-BY-4.0"), ("CC BY 4.0", "CC-BY-4.0"), ("cc-by-4.0", "CC-BY-4.0"), ("CC_BY_4_0", "CC-BY-4.0"),
    ("CC‑BY 4.0", "CC-BY-4.0"), ("Licencia CC-BY v4.0", "CC-BY-4.0"), ("CC-BY 4.0 ign.es", "CC-BY-4.0"),
    ("Creative Commons Reconocimiento 4.0 Internacional", "CC-BY-4.0"),
    ("Licencia Creative Commons de Atribución 4.0", "CC-BY-4.0"),
    ("Licencia de Reconocimiento 4.0 de Creative Commons", "CC-BY-4.0"),
    ("Creative Commons Namensnennung 4.0 International", "CC-BY-4.0"),
    ("Creative Commons Attribuzione 4.0", "CC-BY-4.0"), ("Creative Commons Atribuição 4.0", "CC-BY-4.0"),
    ("CC BY", "CC-BY"), ("CC BY 2016 Junta de Andalucía", "CC-BY"),
    ("CC BY-SA 4.0", "CC-BY-SA-4.0"), ("CC BY-NC 4.0", "CC-BY-NC-4.0"), ("CC BY-ND 4.0", "CC-BY-ND-4.0"),
    ("Licencia Creative Commons Reconocimiento-NoComercial-CompartirIgual 3.0 España", "CC-BY-NC-SA-3.0"),
    ("CC BY-NC-SA 3.0 ES", "CC-BY-NC-SA-3.0"), ("CC-BY-NC-ND-3.0-DE", "CC-BY-NC-ND-3.0-DE"),
    ("CC BY 3.0 es una licencia libre", "CC-BY-3.0"),
    ("Creative Commons Attribution - Pas d'Utilisation Commerciale - Partage dans les Mêmes Conditions 4.0",
     "CC-BY-NC-SA-4.0"),
    ("Creative Commons Reconocimiento-NoComercial-SinObraDerivada 2.5", "CC-BY-NC-ND-2.5"),
    ("CC0", "CC0-1.0"), ("CC Zero", "CC0-1.0"), ("Creative Commons Zero 1.0", "CC0-1.0"), ("CC0 1.0 Universal",
                                                                                           "CC0-1.0"),
    ("Public Domain Mark 1.0", "CC-PDM-1.0"), ("Dominio público", "public-domain"),
    ("Los datos son de dominio público.",
                                                                                  "public-domain"),
    ("ODbL", "ODbL-1.0"), ("Open Data Commons Open Database License (ODbL)", "ODbL-1.0"), ("ODC-By 1.0", "ODC-By-1.0"),
    ("PDDL", "PDDL-1.0"), ("Open Government Licence v3.0", "OGL-UK-3.0"), ("UK Open Government Licence", "OGL-UK"),
    ("OGL-UK-2.0", "OGL-UK-2.0"),
    ("Licence Ouverte / Open Licence v2.0", "etalab-2.0"), ("Licence Ouverte", "etalab"), ("etalab-2.0", "etalab-2.0"),
    ("dl-de/by-2-0", "DL-DE-BY-2.0"), ("Datenlizenz Deutschland – Namensnennung – Version 2.0", "DL-DE-BY-2.0"),
    ("Datenlizenz Deutschland – Zero – Version 2.0", "DL-DE-ZERO-2.0"),
])
def test_a_text_names_its_licence(text, expected):
    assert named(text) == [expected]


@pytest.mark.parametrize("text", [
    "", "Creative Commons", "bypass", "cc: by Monday", "No CC BY 4.0", "not licensed under CC BY 4.0",
    "no está publicado bajo licencia CC BY",
    "compatible con la licencia CC BY 4.0", "This licence is compatible with the CC BY 4.0", "similar a CC BY",
    "dominio público hidráulico", "Deslinde del dominio público marítimo-terrestre",
    "Los montes son de dominio público forestal", "attribution", "Reconocimiento de formas 4.0", "pddlx",
    "La OGL es un formato",
])
def test_what_only_looks_like_a_licence_names_none(text):
    assert named(text) == []


@pytest.mark.parametrize(("text", "expected"), [
    ("Nevezd meg! - Ne add el! 4.0 Nemzetközi", "CC-BY-NC-4.0"), ("Nevezd meg! – Ne add el! – Így add tovább! 4.0",
                                                                  "CC-BY-NC-SA-4.0"),
    ("Contient de l’information visée par la Licence du gouvernement ouvert – Canada", "OGL-Canada-2.0"),
    ("Contains public sector information licensed under the Open Government Licence v3.0.", "OGL-UK-3.0"),
    ("EEA standard re-use policy: unless otherwise indicated, re-use of content on the EEA website for commercial or "
     "non-commercial purposes is permitted free of charge, provided that the source is acknowledged.", "EEA-reuse")])
def test_a_whole_formula_is_its_licence_and_leaves_nothing_open(text, expected):
    terms = terms_for(Record("x", other_constraints=(Constraint(text),)))
    assert (terms.licence.id, terms.free, terms.credit_required) == (expected, Decision.YES, Decision.YES)
    assert terms.leftovers == ()


def test_two_licences_are_both_found_in_the_order_of_the_text():
    assert named("CC BY 4.0 or ODbL") == ["CC-BY-4.0", "ODbL-1.0"]
    assert named("ODbL o bien CC BY 4.0") == ["ODbL-1.0", "CC-BY-4.0"]
    assert named("CC BY 4.0; https://creativecommons.org/publicdomain/zero/1.0/") == ["CC0-1.0", "CC-BY-4.0"]


def test_a_name_without_version_joins_the_one_that_has_it():
    assert named("CC BY (https://creativecommons.org/licenses/by/4.0/)") == ["CC-BY-4.0"]
    assert named("CC BY 3.0; CC BY 4.0") == ["CC-BY-3.0", "CC-BY-4.0"]


def test_a_denial_elsewhere_in_the_sentence_does_not_hide_the_licence():
    assert named("Datos no oficiales bajo licencia CC BY 4.0") == ["CC-BY-4.0"]


def test_the_family_says_what_it_allows():
    licence = licence_table().find_by_address("https://creativecommons.org/licenses/by-nc-nd/4.0/").licence
    assert (licence.requires_credit, licence.allows_commercial, licence.allows_derivatives) == (Decision.YES,
        Decision.NO, Decision.NO)
    assert (licence.name, licence.share_alike) == ("CC BY-NC-ND 4.0", False)
    assert licence.title == "Creative Commons Attribution-NonCommercial-NoDerivatives 4.0 International"
    assert licence_table().find_by_address("https://creativecommons.org/licenses/by-sa/4.0/").licence.share_alike


LIST = "http://inspire.ec.europa.eu/metadata-codelist/"


@pytest.mark.parametrize(("address", "expected"), [
    (f"{LIST}LimitationsOnPublicAccess/noLimitations", "noLimitations"),
    ("https://inspire.ec.europa.eu/metadata-codelist/LimitationsOnPublicAccess/noLimitations/", "noLimitations"),
    (f"{LIST}LimitationsOnPublicAccess/INSPIRE_Directive_Article13_1d", "Article13"),
    (f"{LIST}ConditionsApplyingToAccessAndUse/noConditionsApply", "noConditionsApply"),
    (f"{LIST}ConditionsApplyingToAccessAndUse/noConditionsApply:1", "noConditionsApply"),
    (f"{LIST}ConditionsApplyingToAccessAndUse/noConditionsApply.de.json", "noConditionsApply"),
    ("inspire.ec.europa.eu/metadatacodelist/ConditionsApplyingToAccessAndUse/conditionsUnknown", "conditionsUnknown"),
])
def test_inspires_codes_are_read_by_address(address, expected):
    assert code_at(address).id == f"INSPIRE-{expected}"


@pytest.mark.parametrize("address", [
    LIST, f"{LIST}ConditionsApplyingToAccessAndUse", "https://example.org/metadata-codelist/noConditionsApply",
    f"{LIST}ConditionsApplyingToAccessAndUse/noConditionsApplyToSchools", "https://creativecommons.org/licenses/by/4.0/",
])
def test_other_addresses_are_no_codes(address):
    assert code_at(address) is None


@pytest.mark.parametrize(("text", "expected"), [
    ("noConditionsApply", "noConditionsApply"), ("INSPIRE_Directive_Article13_1b", "Article13"),
    ("No limitations on public access", "noLimitations"), ("No conditions apply to access and use.",
                                                           "noConditionsApply"),
    ("keine Bedingungen anwendbar", "noConditionsApply"), ("Conditions unknown", "conditionsUnknown"),
    ("No s'apliquen condicions d'accés i d'ús", "noConditionsApply"),
])
def test_inspires_codes_are_read_by_code_and_by_words(text, expected):
    assert code_of_text(text).id == f"INSPIRE-{expected}"


@pytest.mark.parametrize("text", ["", "no limitations", "no limitations on the number of requests", "CC BY",
                                  "no conditions apply to schools, others pay"])
def test_longer_and_vaguer_texts_are_not_taken_for_inspires_codes(text):
    assert code_of_text(text) is None


def entries():
    """The licences of the table, then the publishers that use one of them."""
    table = licence_table()
    return [*table._entries, *table._publishers]


def test_every_licence_is_found_by_each_of_its_names_and_as_no_other():
    wrong = [(entry.licence.id, name, named(name)) for entry in entries()
             for name in (*entry.names, *entry.names_alone, *entry.phrases) if named(name) != [entry.licence.id]]
    assert not wrong


def test_every_licence_is_found_by_each_of_its_addresses_with_and_without_scheme():
    wrong = []
    for entry in entries():
        for address in entry.addresses:
            bare = re.sub(r"^(?:https?://)?(?:www\.)?", "", address).replace("*", "x")
            for written in (f"https://{bare}", f"http://www.{bare}", f"HTTPS://{bare}/"):
                mention = licence_table().find_by_address(written)
                if not mention or mention.licence.id != entry.licence.id:
                    wrong.append((entry.licence.id, written))
    assert len(entries()) > 60 and not wrong


def test_the_registers_of_licences_are_read_by_rule():
    for entry in licence_table()._entries:
        identifier = entry.licence.id
        if identifier not in ("etalab", "public-domain", "OGL"):
            for register in ("https://spdx.org/licenses/", "http://publications.europa.eu/resource/authority/licence/"):
                assert licence_table().find_by_address(register + identifier).licence.id == identifier


def test_templates_of_credit_have_only_the_known_blanks_and_every_licence_has_a_source():
    for entry in entries():
        licence = entry.licence
        assert set(re.findall(r"\{(.*?)\}", licence.attribution)) <= {*CREDIT_BLANKS}
        assert licence.source and licence.source.startswith("http")


def test_the_table_holds_no_regular_expression():
    assert not re.search(r"\\\\|\(\?|\[\^|\.\*[^\"]|\)\?", TABLE_PATH.read_text(encoding="utf-8"))


@pytest.mark.parametrize(("text", "expected"), [
    ("CC 4.0 BY", ["CC-BY-4.0"]), ("CC-BY 4.0", ["CC-BY-4.0"]), ("cc by v4", ["CC-BY-4.0"]),
    ("Creative Commons Attribution 4.0", ["CC-BY-4.0"]), ("CC BY International 4.0", ["CC-BY-4.0"]),
    ("CC BY-SA Unported (v3.0)", ["CC-BY-SA-3.0"]), ("CC BY 4.0 scne.es", ["CC-BY-4.0"]),
    ("ODC-BY 1.0, compatible with CC-BY 2.0", ["ODC-By-1.0"]), ("Open Government Licence", ["OGL"]),
    ('{"id":"dl-zero-de/2.0","name":"Datenlizenz Deutschland – Zero – Version 2.0"}', ["DL-DE-ZERO-2.0"]),
    ("version 2.0 de la Licence Ouverte", ["etalab-2.0"]), ("cc, by Monday", []), ("published by Creative Commons", []),
])
def test_order_punctuation_and_the_writing_of_versions_do_not_matter(text, expected):
    assert named(text) == expected


@pytest.mark.parametrize(("address", "expected"), [
    ("http://dcat-ap.de/def/licenses/dl-by-de/2_0", "DL-DE-BY-2.0"),
    ("https://www.dcat-ap.de/def/licenses/20210721.html#dl-by-de/2.0", "DL-DE-BY-2.0"),
    ("http://dcat-ap.de/def/licenses/cc-by/3.0/de", "CC-BY-3.0-DE"),
    ("http://dcat-ap.de/def/licenses/cc-zero", "CC0-1.0"),
    ("http://dcat-ap.de/def/licenses/geonutz/20130319", "GeoNutzV"),
    ("http://publications.europa.eu/resource/authority/licence/CC_BYNCSA_4_0", "CC-BY-NC-SA-4.0"),
    ("http://publications.europa.eu/resource/authority/licence/NLOD_2_0", "NLOD-2.0"),
    ("http://publications.europa.eu/resource/authority/licence/COM_REUSE", "EC-reuse"),
    ("http://dcat-ap.ch/vocabulary/licenses/terms_by_ask", "opendata-swiss-by-ask"),
    ("https://opendefinition.org/licenses/odc-odbl", "ODbL-1.0"), ("https://data.norge.no/nlod/no/2.0", "NLOD-2.0"),
])
def test_addresses_of_national_and_european_lists_name_their_licence(address, expected):
    assert licence_table().find_by_address(address).licence.id == expected


@pytest.mark.parametrize("name", ["CC0", "PDM 1.0", "PDDL", "dl-de/zero-2-0"])
def test_what_gives_everything_away_asks_for_no_credit_and_is_free(name):
    licence = licence_table().find_mentions(name)[0].licence
    assert (licence.requires_credit, licence.free_of_charge) == (Decision.NO, Decision.YES)


def test_any_open_government_licence_joins_the_one_at_the_address():
    address = "https://www.nationalarchives.gov.uk/doc/open-government-licence/version/3/"
    assert named(f"Open Government Licence ({address})") == ["OGL-UK-3.0"]


@pytest.mark.parametrize("piece", ["cc by ", "open government licence (", "1-1-", "creative commons by nc ",
                                   "version 2 "])
def test_a_long_text_takes_time_in_proportion_to_its_length(piece):
    table = licence_table()
    start = time.process_time()
    table.find_mentions(piece * (20_000 // len(piece)))
    assert time.process_time() - start < 20


@pytest.mark.parametrize("text", ["Creative Commons license, international", "Public licence 4.0 Deutschland",
                                  "Licencia abierta internacional"])
def test_words_that_stand_beside_a_licence_give_nothing_without_one(text):
    terms = terms_for(Record("x", other_constraints=(Constraint(text),)))
    assert (terms.licence, terms.free, terms.credit_required) == (None, Decision.UNDECIDED, Decision.UNDECIDED)
    assert terms_for(Record("x", other_constraints=(Constraint("CC BY 4.0"), Constraint(text)))).licence is not None
