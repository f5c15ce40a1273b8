"""The verdict over whole records: every pair of kinds against the table, and pairs of statements in two fields.

``CARTOGUIDE_ALL_PAIRS=1 make test ARGS="tests/unit/terms/test_verdict.py"`` reads every pair of the gold set.
"""

from __future__ import annotations

import os
import random
import shutil
import sys
from itertools import product
from pathlib import Path

import pytest

from plugin.core.records.model.record import Constraint, ConstraintGroup, Record
from plugin.core.terms import Decision, lexicon, terms_for
from plugin.core.terms.licences import licence_table
from plugin.core.terms.verdict import TABLE, Evidence, Kind, Vote, licence_evidence, reach_verdict
from plugin.core.wms.model.service import Attribution, Layer, Service
from tests.unit.terms.test_gold import OTHER, rows

NO_CONDITIONS = "http://inspire.ec.europa.eu/metadata-codelist/ConditionsApplyingToAccessAndUse/noConditionsApply"
UNKNOWN = "http://inspire.ec.europa.eu/metadata-codelist/ConditionsApplyingToAccessAndUse/conditionsUnknown"
NONE_APPLY = "No conditions apply to access and use"
PAIRS = 2_000
LICENCE_KINDS = {Kind.ATTRIBUTION_LICENCE, Kind.WAIVING_LICENCE, Kind.OPEN_LICENCE, Kind.COST_OPEN_LICENCE}


def two_fields(first, second):
    """Return the terms of two texts in two fields, each of them a text or a Constraint."""
    items = [item if isinstance(item, Constraint) else Constraint(item) for item in (first, second) if item]
    return terms_for(Record("x", constraint_groups=(
        ConstraintGroup("legal", tuple(items[1:]), (), OTHER, tuple(items[:1])),)))


def evidence(row):
    if row.kind in LICENCE_KINDS:
        return licence_evidence(licence_table().find_mentions(row.example)[0])
    return [Evidence(row.kind, row.example)]


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.kind.name)
def test_each_row_s_example_is_of_its_kind(row):
    codes = {"copyright": ("copyright",)}.get(row.example, ())
    record = Record("x", use_constraints=codes, other_constraints=() if codes else (Constraint(row.example),))
    if row.kind.name == "PRICE":
        record = Record("x", fees=row.example)
    if row.kind.name == "CODE_CONTRADICTED":
        record = Record("x", other_constraints=tuple(map(Constraint, row.example.split(" and "))))
    if row.kind.name == "NAMED":
        record = Record("x", credits=(row.example.partition(" (")[0],))
    terms = terms_for(record)
    if row.kind.name == "LICENCE_CONFLICT":
        assert terms.licence is None and terms.conflict and terms.free is Decision.UNDECIDED
        return
    assert (terms.free is Decision.YES) is (row.free is Vote.YES)
    assert (terms.credit_required is Decision.YES) is (row.credit is Vote.YES or "©" in row.example)
    assert (terms.credit_required is Decision.NO) is (row.credit is Vote.NO or row.example.startswith("U.S."))


@pytest.mark.parametrize("first", TABLE, ids=lambda row: row.kind.name)
def test_each_pair_of_kinds_follows_the_table(first):
    for second in TABLE:
        check_pair(first, second)


def check_pair(first, second):
    verdict = reach_verdict([*evidence(first), *evidence(second)])
    licensed = first.kind in LICENCE_KINDS or second.kind in LICENCE_KINDS
    counting = [row for row in (first, second) if not (licensed and row.yields)]
    free, credit = ([getattr(row, name) for row in counting] for name in ("free", "credit"))
    if Vote.YES in credit:
        assert verdict.credit is Decision.YES
    elif Vote.BLOCKS in credit:
        assert verdict.credit is Decision.UNDECIDED
    if verdict.free is Decision.YES:
        assert Vote.YES in free and not set(free) & {Vote.NO, Vote.BLOCKS, Vote.PARTLY}
    if Vote.NO in free:
        assert verdict.free is (Decision.UNDECIDED if set(free) & {Vote.YES, Vote.PARTLY} else Decision.NO)
    assert verdict == reach_verdict([*evidence(first), *evidence(second)])
    assert (verdict.free, verdict.credit) == tuple(
        getattr(reach_verdict([*evidence(second), *evidence(first)]), name) for name in ("free", "credit"))


def gold_pairs():
    gold = [row for row in rows() if row["field"] in ("use", "other", "access", "fees")]
    if os.environ.get("CARTOGUIDE_ALL_PAIRS"):
        return product(gold, gold)
    chosen = random.Random(27)
    decided = [row for row in gold if row["credit_required"] == "no" or row["free"] == "yes"]
    return [(chosen.choice(decided), chosen.choice(gold)) for _ in range(PAIRS)]


def both(first, second):
    fees = [row["text"].replace("\\n", "\n") for row in (first, second) if row["field"] == "fees"]
    texts = [row["text"].replace("\\n", "\n") for row in (first, second) if row["field"] != "fees"]
    groups = [ConstraintGroup("legal", tuple(map(Constraint, texts[1:])), (), OTHER, tuple(map(Constraint, texts[:1])))]
    service = Service("1.3.0", fees=fees[1]) if len(fees) > 1 else None
    return terms_for(Record("x", fees=fees[0] if fees else None, constraint_groups=tuple(groups)), service)


def test_no_statement_takes_a_duty_from_another_nor_invents_freedom():
    lost = []
    for first, second in gold_pairs():
        terms = both(first, second)
        pair = (first["id"], second["id"], first["text"][:80], second["text"][:80])
        labels = {first["credit_required"], second["credit_required"]}
        if "yes" in (alone(first), alone(second)) and terms.credit_required is not Decision.YES:
            lost.append(("duty", *pair))
        if terms.credit_required is Decision.NO and "no" not in labels:
            lost.append(("no credit", *pair))
        free = [row["free"] for row in (first, second)]
        limited = any(row["free"] == "undecided" and {"price", "group"} & set(row["limits"].split(","))
                      for row in (first, second))
        if terms.free is Decision.YES and ("yes" not in free or "no" in free or limited):
            lost.append(("free", *pair))
        for row in (first, second):
            if not set(lines_alone(row)) <= set(terms.prescribed):
                lost.append(("line", *pair))
    assert not lost, (len(lost), lost[:10])


_alone = {}


def alone(row):
    if row["id"] not in _alone:
        terms = both(row, {"field": "use", "text": ""})
        _alone[row["id"]] = (terms.credit_required.value, terms.prescribed)
    return _alone[row["id"]][0]


def lines_alone(row):
    alone(row)
    return _alone[row["id"]][1]


@pytest.mark.parametrize(("text", "line"), [
    ("Fuente: REDIAM", "REDIAM"), ("© Junta de Andalucía", "Junta de Andalucía"), ("Source: IGN", "IGN"),
    ("Iturria aipatu behar da", ""), ("(c) OpenStreetMap contributors", "OpenStreetMap contributors"),
    ("Quelle: Landesamt Muster", "Landesamt Muster")])
@pytest.mark.parametrize("open_terms", [NONE_APPLY, Constraint("", NO_CONDITIONS), "CC0 1.0"])
def test_a_line_or_a_duty_counts_whatever_a_code_says(open_terms, text, line):
    terms = two_fields(open_terms, text)
    assert terms.credit_required is Decision.YES and line in terms.credit
    assert "No credit is required" not in terms.sentence


@pytest.mark.parametrize("text", ["EULA", "https://example.org/terms/Podminky_sluzby.pdf"])
@pytest.mark.parametrize("open_terms", [NONE_APPLY, "CC0 1.0"])
def test_what_was_not_understood_or_not_read_is_no_freedom(open_terms, text):
    terms = two_fields(open_terms, text)
    assert terms.free is not Decision.YES and terms.credit_required is not Decision.NO


@pytest.mark.parametrize("text", ["Reconocimiento del autor", "Reconocimiento 4.0", "Please cite the authors"])
@pytest.mark.parametrize("open_terms", [NONE_APPLY, "CC0 1.0"])
def test_words_about_credit_that_are_no_clear_duty_are_no_exemption(open_terms, text):
    assert two_fields(open_terms, text).credit_required is not Decision.NO


@pytest.mark.parametrize("words", ["Geen beperkingen", NONE_APPLY, "no limitations", "Conditions unknown"])
@pytest.mark.parametrize(("address", "licence"), [
    ("https://creativecommons.org/licenses/by-nc/4.0/", "CC-BY-NC-4.0"),
    ("https://creativecommons.org/licenses/by/4.0/deed.nl", "CC-BY-4.0"),
    ("https://creativecommons.org/publicdomain/zero/1.0/", "CC0-1.0")])
def test_the_address_of_a_licence_is_a_licence_whatever_stands_above_it(words, address, licence):
    terms = two_fields(Constraint(words, address), None)
    assert terms.licence is not None and terms.licence.id == licence
    assert (terms.credit_required is Decision.YES) is (licence != "CC0-1.0")


@pytest.mark.parametrize(("words", "address"), [("conditions unknown", NO_CONDITIONS), (NONE_APPLY, UNKNOWN),
                                                ("conditions unknown", None), ("conditionsUnknown", None),
                                                (NONE_APPLY, "https://example.org/terms.pdf")])
def test_of_words_and_address_that_differ_the_stricter_counts(words, address):
    terms = two_fields(Constraint(words, address), None)
    assert (terms.free, terms.credit_required) == (Decision.UNDECIDED, Decision.UNDECIDED)


def test_a_licence_beats_a_code_in_a_service_too():
    terms = terms_for(None, Service("1.3.0", fees="No se aplican condiciones", access_constraints="CC BY 4.0 ign.es"))
    assert (terms.licence.id, terms.free, terms.credit_required) == ("CC-BY-4.0", Decision.YES, Decision.YES)


@pytest.mark.parametrize("code", ["INSPIRE_Directive_Article13_1b", "INSPIRE_Directive_Article13_1e"])
def test_a_limit_of_public_access_is_said(code):
    address = f"http://inspire.ec.europa.eu/metadata-codelist/LimitationsOnPublicAccess/{code}"
    terms = two_fields(NONE_APPLY, Constraint("public access limited", address))
    assert "limited-access" in terms.to_dict()["limits"] and terms.free is not Decision.YES
    assert "Public access limited" in terms.sentence and "it is free of charge" not in terms.sentence


def test_a_default_text_of_a_server_is_no_credit_and_decides_nothing():
    root = Layer(attribution=Attribution(title="GeoServer Web Map Service"))
    terms = terms_for(None, Service("1.3.0", fees="NONE", root=root))
    assert (terms.free, terms.credit_required) == (Decision.UNDECIDED, Decision.UNDECIDED)


def test_an_attribution_names_who_is_to_be_credited():
    root = Layer(attribution=Attribution(title="Junta de Andalucía"))
    terms = terms_for(None, Service("1.3.0", fees=NONE_APPLY, root=root))
    assert terms.credit_required is Decision.YES and "Junta de Andalucía" in terms.credit


@pytest.mark.parametrize(("text", "licence", "line"), [
    ('{"id":"dl-zero-de/2.0","name":"Datenlizenz Deutschland – Zero – Version 2.0",'
     '"url":"https://www.govdata.de/dl-de/zero-2-0","quelle":""}', "DL-DE-ZERO-2.0", ""),
    ('{"id":"dl-by-de/2.0","quelle":"© Kreis Muster 2021"}', "DL-DE-BY-2.0", "© Kreis Muster 2021"),
    ("Nutzungsbedingungen: Datenlizenz Deutschland – Zero – Version 2.0", "DL-DE-ZERO-2.0", ""),
    ("Lizenz: CC BY 4.0", "CC-BY-4.0", ""), ("Licence: https://creativecommons.org/licenses/by/4.0/", "CC-BY-4.0", ""),
    ("CC BY 4.0 ign.es", "CC-BY-4.0", "CC BY 4.0 ign.es"),
    ("CC BY 4.0 Institutul Geologic", "CC-BY-4.0", "Institutul Geologic"),
    ("ODC-BY 1.0, compatible with CC-BY 2.0", "ODC-By-1.0", ""), ("CC 4.0 BY", "CC-BY-4.0", "")])
def test_a_licence_is_read_in_every_form(text, licence, line):
    terms = two_fields(text, None)
    waives = licence == "DL-DE-ZERO-2.0"
    assert (terms.licence.id, terms.free, terms.credit_required) == (
        licence, Decision.YES, Decision.NO if waives else Decision.YES)
    assert line in terms.credit and (line in terms.prescribed or not line)


@pytest.mark.parametrize("text", [
    "Uso libre y gratuito para cualquier fin legítimo, siempre que se mencione el origen y propiedad de los datos",
    "Se permite el uso gratuito para cualquier propósito legítimo, siempre que se mencione el origen y propiedad."])
def test_the_formula_of_spain_s_agencies_is_free_with_credit(text):
    terms = two_fields(text, None)
    assert (terms.free, terms.credit_required, terms.limits) == (Decision.YES, Decision.YES, ())


def test_a_licence_that_another_is_compatible_with_limits_nothing():
    terms = two_fields("Gratuito", "Se permite cualquier uso, también comercial, con licencia compatible CC-BY 4.0, "
                                   "citando: «Ortofoto cedida por © Instituto de Mapas»")
    assert (terms.free, terms.credit_required, terms.limits) == (Decision.YES, Decision.YES, ())
    assert terms.prescribed == ("Ortofoto cedida por © Instituto de Mapas",)


@pytest.mark.parametrize("text", ["Frei bis 10.000 Abrufe/Jahr", "Kostenfrei bis 500 Zugriffe pro Monat"])
def test_a_quota_is_a_limit(text):
    terms = terms_for(None, Service("1.3.0", fees=text))
    assert terms.free is not Decision.YES and "other" in terms.to_dict()["limits"]


def test_two_creditors_stay_in_the_line():
    assert two_fields("Quelle: Landesamt A; Landesamt B", None).prescribed == ("Landesamt A; Landesamt B",)
    assert two_fields("Quelle: Landesamt A; die Nutzung ist kostenfrei", None).prescribed == ("Landesamt A",)


def test_what_follows_the_line_is_no_part_of_it():
    terms = two_fields("Licence Ouverte 2.0. Mention obligatoire : « DDT Exemple » et indiquer la date de mise à jour",
                       None)
    assert terms.prescribed == ("DDT Exemple",)


@pytest.mark.parametrize("text", ["Nutzungsbedingungen: keine", "Gebühren: keine", "Fees: none"])
def test_a_heading_costs_nothing(text):
    assert two_fields(text, None).free is Decision.YES


@pytest.mark.parametrize("text", ["Opendata BY: Freie Nutzung. Quellenangabe ist Pflicht. Sonderregel Xylo Bravo gilt.",
                                  "Open use. Must provide the source. Qxx yyz abc unread words"])
def test_no_word_of_the_program_is_shown(text):
    terms = two_fields(text, None)
    shown = " ".join([terms.sentence, *terms.undecided, *terms.leftovers, *(limit.text for limit in terms.limits)])
    assert not any(word in shown for word in ("licencementioned", "webaddress", "linetoshow"))


@pytest.mark.parametrize(("path", "words"), [
    ("docs/architecture.md", {}), ("resources/guide/en/terms.md", {}),
    ("resources/guide/es/terms.md", {"yes": "sí", "stays open": "queda abierto", "for some": "para algunos"})])
def test_the_table_is_printed_as_it_is(path, words):
    printed = (Path(__file__).parents[3] / path).read_text(encoding="utf-8")
    rows_printed = [[cell.strip() for cell in line.split("|")[1:-1]] for line in printed.splitlines()
                    if line.count("|") == 5]
    names = {"blocks": "stays open", "partly": "for some"}
    votes = [[words.get(name, name) for name in (names.get(vote.value, vote.value) for vote in (row.free, row.credit))]
             for row in TABLE]
    wanted = [[row.example, *vote] for row, vote in zip(TABLE, votes)]
    assert [row[1:] for row in rows_printed][-len(TABLE):] == wanted
    assert [row[0].endswith("*") for row in rows_printed][-len(TABLE):] == [row.yields for row in TABLE]


@pytest.mark.parametrize("text", ["Data provided by Geoscience Office", "Daten: Stadt Köln", "Acme Mapping",
                                  "Produced by Acme Mapping 2019"])
@pytest.mark.parametrize("open_terms", [NONE_APPLY, "CC0 1.0"])
def test_a_text_that_names_somebody_leaves_the_credit_open(open_terms, text):
    assert two_fields(open_terms, text).credit_required is not Decision.NO


@pytest.mark.parametrize("text", ["$FEES", "{{ fees }}"])
def test_a_blank_decides_nothing(text):
    terms = terms_for(None, Service("1.3.0", fees=text))
    assert (terms.free, terms.credit_required, terms.limits) == (Decision.UNDECIDED, Decision.UNDECIDED, ())


@pytest.mark.parametrize(("text", "line"), [
    ("Licence Ouverte 2.0", ""),
    ("Source obligatoire : DREAL Bretagne et indiquer la date de mise à jour", "DREAL Bretagne"),
    ("Debe citarse la fuente y la fecha de la última actualización.", "")])
def test_the_duty_to_state_the_date_of_the_last_update_is_said(text, line):
    terms = two_fields(text, None)
    assert "date of the last update" in terms.sentence
    assert terms.prescribed == ((line,) if line else ())
    assert "last update" not in two_fields("CC BY 4.0", None).sentence


def test_a_language_is_one_file(tmp_path, monkeypatch):
    folder = tmp_path / "terms"
    shutil.copytree(lexicon.WORDS_PATH, folder)
    (folder / "xx.txt").write_text(
        "filler: zu | ze\nsubject: zdatoj*\nverb: zuzeblas\nfree: zsenpage*\ncredit: zmencii*\nwhom: zfonto*\n"
        "duty: zdevas\nlabel: zfonto\nheading: zlicenco\nabsent: znenio\ncode-none: zneniu*\ncode-condition: zkondi*\n"
        "code-apply: zvalidas\ncode-access: zaliro\nref-verb: zvidu\nref-other: zaliaj limigoj\n", encoding="utf-8")
    clear_words()
    monkeypatch.setattr(lexicon, "WORDS_PATH", folder)
    try:
        free = two_fields("Zu zdatoj zuzeblas zsenpage", "Ze zfonto zdevas zmencii")
        assert (free.free, free.credit_required) == (Decision.YES, Decision.YES)
        open_terms = two_fields("Zneniu zkondicxo zvalidas", "Znenio")
        assert (open_terms.licence.id, open_terms.credit_required) == ("INSPIRE-noConditionsApply", Decision.NO)
        line = two_fields("Zneniu zkondicxo zvalidas", "Zfonto: Geografia Instituto")
        assert line.prescribed == ("Geografia Instituto",) and line.credit_required is Decision.YES
        assert two_fields("Zlicenco: CC BY 4.0", "Zvidu zaliaj limigoj").licence.id == "CC-BY-4.0"
        assert two_fields("CC BY 4.0", "Zvidu zaliaj limigoj").chain[0].leads_to == "other_constraints"
    finally:
        monkeypatch.undo()
        clear_words()


def clear_words():
    """Forget all words and all that was read with them."""
    for module in list(sys.modules.values()):
        if getattr(module, "__name__", "").startswith("plugin.core.terms"):
            for member in vars(module).values():
                if hasattr(member, "cache_clear"):
                    member.cache_clear()
