"""Statements side by side in many languages: licences within sentences, duties, names, disclaimers, restrictions."""

from __future__ import annotations

from pathlib import Path

import pytest

from plugin.core.records.model.record import Constraint, ConstraintGroup, Record
from plugin.core.terms import Decision, terms_for
from plugin.core.terms.inspire_codes import code_of_text, inspire_codes, is_wording_of
from plugin.core.terms.lexicon import words_of
from plugin.core.terms.prescribed_credit import is_bare_name
from plugin.core.text import fold
from plugin.core.wms.model.service import Service

OTHER = ("otherRestrictions",)
LISTS = "http://inspire.ec.europa.eu/metadata-codelist/"
NO_LIMITATIONS = LISTS + "LimitationsOnPublicAccess/noLimitations"


def table(name):
    lines = Path(__file__).with_name(name).read_text(encoding="utf-8").splitlines()
    return [dict(zip(lines[0].split("\t"), line.split("\t"))) for line in lines[1:]]


def terms_of(*statements):
    """Return the terms of statements in two blocks, each of them a text, or a text and its address."""
    items = [Constraint(item) if isinstance(item, str) else Constraint(*item) for item in statements]
    return terms_for(Record("x", constraint_groups=(
        ConstraintGroup("legal", tuple(items[1:]), (), OTHER, tuple(items[:1])),)))


@pytest.mark.parametrize("row", table("statements.tsv"), ids=lambda row: row["texts"])
def test_statements_are_judged_together_in_every_language(row):
    """``free`` and ``credit`` are the answers of a reader, "*" is none on which readers agree."""
    terms = terms_of(*row["texts"].split(" || "))
    if row["free"] == "undecided":
        assert terms.free is not Decision.YES
    elif row["free"] != "*":
        assert terms.free.value == row["free"]
    assert row["credit"] in ("*", terms.credit_required.value) and row["line"] in terms.credit


@pytest.mark.parametrize("answer", ["required", "yes", "erforderlich", "Sí", "see metadata", "not required", "no"])
def test_an_answer_in_the_place_of_a_name_is_no_credit(answer):
    terms = terms_of(f"Attribution: {answer}")
    assert terms.prescribed == () and answer not in terms.credit


@pytest.mark.parametrize("country", ["JP", "CL", "BR", "MX", "TW", "AR", "Österreich"])
def test_the_country_of_a_licence_is_not_the_owner(country):
    terms = terms_of(f"CC BY 3.0 {country}")
    assert terms.credit_required is Decision.YES and terms.credit == "" and terms.licence is not None


@pytest.mark.parametrize("row", table("code_labels.tsv"), ids=lambda row: row["label"])
def test_a_variant_of_a_label_says_what_its_code_says(row):
    if row["code"] == "noLimitations":
        terms = terms_of("CC BY 4.0", (row["label"], NO_LIMITATIONS))
        assert (terms.free, terms.credit_required) == (Decision.YES, Decision.YES)
        return
    terms = terms_of((row["label"], f"{LISTS}ConditionsApplyingToAccessAndUse/{row['code']}"))
    expected = (Decision.YES, Decision.NO) if row["code"] == "noConditionsApply" else (Decision.UNDECIDED,) * 2
    assert (terms.free, terms.credit_required) == expected


@pytest.mark.parametrize("text", ["Žiadne obmedzenia, vlastník GKÚ", "Engin skilyrði. Heimild: Landmælingar",
                                  "Keine Bedingungen © Stadt", "conditions unknown", "Geen beperkingen voor scholen"])
def test_an_owner_or_another_code_above_the_address_of_a_code_is_seen(text):
    assert not is_wording_of(text, inspire_codes()["noconditionsapply"])
    terms = terms_of((text, f"{LISTS}ConditionsApplyingToAccessAndUse/noConditionsApply"))
    assert terms.free is not Decision.YES and terms.credit_required is not Decision.NO


@pytest.mark.parametrize("text", ["Not to be used for navigation", "Nicht für die Navigation geeignet",
                                  "Nie nadaje się do nawigacji", "航海には使用しないでください"])
def test_what_is_unfit_for_navigation_is_free_all_the_same_and_told(text):
    terms = terms_of("CC BY 4.0", text)
    assert terms.free is Decision.YES
    assert "other" in terms.to_dict()["limits"]


@pytest.mark.parametrize(("text", "is_name"), [
    ("Land NRW / Geobasis NRW", True), ("Commonwealth of Australia (Geoscience Australia) 2022", True),
    ("Ministère de la Transition écologique", False), ("Landesamt für Umwelt", True),
    ("Bundesamt für Schulen und Behörden", False), ("EULA", False), ("Internal Use Only", False),
    ("Zugang Beschränkt", False), ("Sonderregelung Vorbehalt", False), ("Research Institutes", False),
    ("NUR INTERN", False), ("Kosten 50 €", False)])
def test_a_mere_name_is_told_from_a_restriction(text, is_name):
    assert is_bare_name(text) is is_name


@pytest.mark.parametrize("licence", ["CC0 1.0", "No conditions apply"])
def test_a_mere_name_leaves_the_credit_open_where_no_licence_asks_for_it(licence):
    terms = terms_of(licence, "Land NRW / Geobasis NRW")
    assert (terms.free, terms.credit_required) == (Decision.UNDECIDED, Decision.UNDECIDED)


def test_of_two_licences_that_ask_for_the_same_the_international_one_is_told():
    terms = terms_of("Norsk lisens for offentlige data (NLOD) og Creative Commons 4.0 BY", "Data fra MET Norway")
    assert terms.licence.id == "CC-BY-4.0" and terms.conflict is None and terms.credit == "MET Norway"
    assert terms_of("CC BY 3.0", "CC BY 4.0").conflict


def test_the_words_of_a_server_as_delivered_state_no_fees():
    service = Service("1.3.0", fees="no title set, add some in metadata", access_constraints="CC BY 4.0")
    assert terms_for(None, service).free is Decision.YES


def test_the_site_behind_a_source_is_no_terms_that_were_not_read():
    terms = terms_of(("Source : IGN", "https://www.ign.fr"), "Licence Ouverte 2.0")
    assert terms.free is Decision.YES
    assert terms_of(("Source : IGN", "https://www.ign.fr/cgu.pdf"), "Licence Ouverte 2.0").free is not Decision.YES


@pytest.mark.parametrize(("text", "words"), [
    ("本資料出典：国土地理院CC授權", ["本", "資料", "出典", "国土地理院", "cc", "授權"]),
    ("資料來源:內政部", ["資料來源", "內政部"])])
def test_words_are_told_apart_where_no_space_stands_between_them(text, words):
    assert words_of(fold(text)) == words


@pytest.mark.parametrize(("text", "licence"), [
    ("本資料依政府資料開放授權條款-第1版釋出", "OGDL-Taiwan-1.0"), ("公共データ利用規約(第1.0版)(PDL1.0)", "PDL-1.0"),
    ("創用CC 姓名標示 4.0", "CC-BY-4.0"), ("クリエイティブ・コモンズ 表示 4.0", "CC-BY-4.0"),
    ("Creative Commons 4.0 (priznanje avtorstva)", "CC-BY-4.0"), ("Términos de Libre Uso MX", "MX-libre-uso")])
def test_licences_are_found_in_every_script(text, licence):
    terms = terms_of(text)
    assert (terms.licence.id, terms.free, terms.credit_required) == (licence, Decision.YES, Decision.YES)


@pytest.mark.parametrize(("text", "lines"), [
    ("Fonte: Instituto de Estudos do Territorio. Xunta de Galicia",
     ("Instituto de Estudos do Territorio. Xunta de Galicia",)),
    ("© Natural England copyright. Contains Ordnance Survey data © Crown copyright",
     ("© Natural England copyright", "Contains Ordnance Survey data © Crown copyright")),
    ("Forrás: Lechner Nonprofit Kft.", ("Lechner Nonprofit Kft.",)),
    ("Datenquelle: basemap.at, Lizenz CC BY 4.0", ("basemap.at, Lizenz CC BY 4.0",)),
    ("Naamsvermelding verplicht, Kadaster", ("Kadaster",)), ("出典：国土地理院。", ("国土地理院",))])
def test_the_whole_line_is_taken(text, lines):
    assert terms_of(text).prescribed == lines


def test_a_label_is_no_code_with_a_word_of_another_class():
    assert code_of_text("no conditions apply to schools") is None
