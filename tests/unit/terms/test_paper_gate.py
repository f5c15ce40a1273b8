"""The gate to paper: what of a credit may be printed, and what is asked for."""

from __future__ import annotations

from datetime import date
from random import Random

import pytest

from plugin.core.blanks import fill_year
from plugin.core.terms.model import Decision
from plugin.core.terms.paper_gate import PaperCredit, UnfitReason, credit_for_paper
from plugin.core.terms.server_defaults import is_server_default, server_defaults, without_server_defaults
from tests.credit_texts import delivered_line, sound_line, unfit_line
from tests.pairwise import ALL

TODAY = date(2026, 5, 4)
#: words that stand beside a name, and are no credit alone
_BESIDE = ("All rights reserved", "Alle Rechte vorbehalten", "Copyright", "Source")


@pytest.mark.parametrize(("line", "expected"), [
    ("© BKG <Jahr des letzten Datenbezugs>", "© BKG 2026"), ("© BKG (Jahr des Datenabrufs)", "© BKG 2026"),
    ("IMOS [year-of-data-download]", "IMOS 2026"), ("Kadaster, [downloadjaar]", "Kadaster, 2026"),
    ("IGN [año de descarga]", "IGN 2026"), ("IGN, [année de téléchargement]", "IGN, 2026"),
    ("MML, [latausvuosi]", "MML, 2026"), ("© Lantmäteriet [nedladdningsår]", "© Lantmäteriet 2026"),
    ("accessed [date-of-access]", "accessed 2026-05-04"), ("DGT [data de acesso]", "DGT 2026-05-04"),
    ("© Crown copyright [insert year of supply]", "© Crown copyright 2026"),
    ("© Kommune <årstall>", "© Kommune 2020"), ("© [year] Council", "© 2020 Council"), ("Land NRW (JJJJ)",
                                                                                       "Land NRW (2020)"),
    ("Fuente: IGN [año de publicación]", "Fuente: IGN 2020"), ("© 20XX City", "© 2020 City"),
    ("[Veröffentlichungsjahr] LDBV", "2020 LDBV"),
    ("Stand: TT.MM.JJJJ", "Stand: TT.MM.JJJJ"), ("© [title] IGN", "© [title] IGN"), ("IGN [fecha]", "IGN [fecha]")])
def test_a_year_is_filled_by_what_its_words_mean(line, expected):
    assert fill_year(line, "2020", TODAY) == expected


def test_a_year_of_publication_that_nobody_knows_is_asked_for():
    assert fill_year("© [year] Council", "", TODAY) == "© [year] Council"
    paper = credit_for_paper(["© [year] Council", "© IGN"], today=TODAY)
    assert paper.lines == ("© IGN",) and paper.unfit[0].blanks == ("[year]",)
    assert "[year]" in paper.unfit[0].message


@pytest.mark.parametrize("line", [
    "© BKG <Name>", "[Ihr Name], Amt", "© {owner}", "© $owner 2020", "Source: [title]", "© IGN [...]"])
def test_no_line_with_a_blank_passes(line):
    paper = credit_for_paper([line], Decision.YES, today=TODAY)
    assert paper.lines == () and paper.unfit[0].reason is UnfitReason.BLANK and paper.unfit[0].line == line


@pytest.mark.parametrize("line", server_defaults())
def test_no_text_of_a_server_as_delivered_passes(line):
    for written in (line, line.upper(), f"{line}, 2020"):
        paper = credit_for_paper([written])
        assert paper.lines == () and paper.unfit[0].reason is UnfitReason.SERVER_TEXT
    assert without_server_defaults(f"Junta de Andalucía, {line}") == "Junta de Andalucía"
    assert without_server_defaults(f"{line}, Junta de Andalucía") == "Junta de Andalucía"
    assert without_server_defaults(f"Junta de Andalucía, {line}, 2020") == "Junta de Andalucía, 2020"
    assert is_server_default(f" {line} ")


@pytest.mark.parametrize("line", [
    "Instituto Geográfico Nacional, WMS del Catastro", "Layers of history, Museum", "© Untitled Films",
    "QGIS Server cookbook authors", "WMS-C working group", "Junta de Andalucía. CC BY 4.0", "OGC WMS SWG"])
def test_what_only_resembles_a_text_of_a_server_is_left_alone(line):
    assert credit_for_paper([line]).lines == (line,)


def test_a_duty_without_anybody_is_asked_for_and_what_is_not_required_is_not():
    assert credit_for_paper([], Decision.YES).unfit[0].reason is UnfitReason.NO_OWNER
    assert credit_for_paper([], Decision.UNDECIDED) == credit_for_paper(["", " "], Decision.NO)
    assert credit_for_paper([], Decision.YES, {"": "Town"}).lines == ("Town",)


def test_the_same_line_is_printed_once():
    assert credit_for_paper(["© IGN, 2020", "ign 2020", "IGN – 2020."]).lines == ("© IGN, 2020",)


@pytest.mark.parametrize("words", [
    "none", "None", "N/A", "n.a.", "unknown", "Not specified", "TODO", "tbd", "To be determined", "insert name here",
    "Your name", "ninguno", "Ninguna", "desconocido", "sin especificar", "keine", "unbekannt", "Keine Angabe", "k.A.",
    "aucun", "inconnu", "non renseigné", "nessuno", "sconosciuto", "nenhum", "desconhecido", "geen", "onbekend", "brak",
    "nieznany", "ukendt", "okänd", "ukjent", "tuntematon", "ismeretlen", "necunoscut", "neznámý", "neznan", "nepoznato",
    "άγνωστο", "неизвестен", "неизвестно", "bilinmiyor", "不明", "未知", "ezezaguna", "desconegut", "descoñecido",
    "teadmata", "nezināms", "nežinoma", "anaithnid",
    "null", "undefined", "test", "xxx", "…", "...", "-", "____", "MapServer", "ArcGIS Server", "GeoServer",
    "QGIS Server",
    "ArcGIS Online", "deegree", "GeoServer 2.24.1", "All rights reserved", "Alle Rechte vorbehalten", "Copyright",
    "Source"])
def test_words_that_name_nobody_are_no_credit_alone_behind_a_sign_or_behind_a_label(words):
    for line in (words, words.upper(), f"{words}.", f"© {words}", f"(c) {words}", f"© 2024 {words}", f"© {words}, 2024",
                 f"Source: {words}", f"Fuente: {words}", f"Quelle: {words}", f"[{words}]", f"Copyright {words}",
                 f"© IGN; Source: {words}" if words not in _BESIDE else words):
        paper = credit_for_paper([line], Decision.YES, today=TODAY)
        assert paper.lines == () and [item.line for item in paper.unfit] == [line], line
        assert paper.unfit[0].message


@pytest.mark.parametrize("line", [
    "Unknown Pleasures GmbH", "MapServer Foundation", "Todo Mapas S.L.", "None-de-Suisse", "© Comune di None",
    "Source: Unknown Pleasures GmbH, 2024", "Keine Sorge Verlag", "© GeoServer Project", "Esri",
    "Test Valley Borough Council",
    "Source: Esri, ArcGIS Hub", "© Ninguno & Hijos", "IGN. All rights reserved.",
    "© IGN 2024. Todos los derechos reservados",
    "IGN ©", "IGN © 2024", "Institut National de l'Information Géographique", "Bron: NA", "© Cap de Creus",
    "Sin Nombre, Ayuntamiento",
    "Wood & Sons", "R&D, M&GTour", "AT&T", "出典：国土地理院", "© Государственный комитет", "Ei Oy", "Nada Surf",
    "Sources: IGN, INE, …", "© IGN-F (Géoportail)", "Mention : DGFiP", "Hinweis Verlag"])
def test_a_publisher_whose_name_has_such_a_word_is_printed_unchanged(line):
    paper = credit_for_paper([line], Decision.YES, today=TODAY)
    assert paper.lines == (line,) and paper.unfit == ()


@pytest.mark.parametrize(("line", "blank"), [
    ("© IGN （year）", "（year）"), ("© IGN ［name］", "［name］"), ("© IGN 【title】", "【title】"),
    ("© IGN 〈provider〉",
    "〈provider〉"),
    ("© <>", "<>"), ("© IGN [ ]", "[ ]"), ("© (provider)", "(provider)"), ("© (owner), 2024", "(owner)"),
    ("Росреестр [год]", "[год]"), ("HGM [yıl]", "[yıl]"), ("HGM [ad]", "[ad]"), ("国土地理院 [年]", "[年]"),
    ("自然资源部 【日期】", "【日期】"), ("АГКК [дата]", "[дата]"), ("ΕΚΧΑ [όνομα]", "[όνομα]"), ("© …", "…"),
    ("© …, 2026", "…"), ("Source: ...", "..."), ("© &lt;name&gt;", "<name>"), ("© &#91;title&#93;", "[title]"),
    ("IGN YYYY", "YYYY"), ("IGN JJJJ", "JJJJ"), ("IGN AAAA", "AAAA"), ("IGN 20XX", "20XX"), ("IGN XXXX", "XXXX")])
def test_other_forms_of_blanks_are_asked_for(line, blank):
    paper = credit_for_paper([line], Decision.YES, today=TODAY)
    assert paper.lines == () and paper.unfit[0].reason is UnfitReason.BLANK and paper.unfit[0].blanks == (blank,)
    assert paper.unfit[0].line == line


@pytest.mark.parametrize("line", [
    "© GeoBasis-DE / BKG (2024)", "Instituto Geográfico Nacional (España)", "[Autonomía] de Madrid", "〈日本地図〉協会",
    "国土地理院（日本）", "東京都（令和5年）", "Smith (author)", "BKG (Herausgeber)", "© J. Smith (Autor), 2020",
    "《地图》出版社",
    "【公式】東京都", "Росреестр (Россия)", "HGM (Türkiye)", "Год Ltd"])
def test_names_that_are_really_in_brackets_are_printed(line):
    assert credit_for_paper([line], Decision.YES, today=TODAY).lines == (line,)


@pytest.mark.parametrize(("line", "printed"), [
    ("© <b>IGN</b>", "© IGN"), ("&copy; IGN", "© IGN"), ("&lt;b&gt;IGN&lt;/b&gt; 2024", "IGN 2024"),
    ("Wood &amp; Sons", "Wood & Sons"), ("<p>© IGN</p>", "© IGN"), ("© BKG &lt;Jahr des Datenabrufs&gt;",
    "© BKG 2026")])
def test_tags_and_entities_that_reach_the_gate_are_not_printed(line, printed):
    assert credit_for_paper([line], Decision.YES, today=TODAY).lines == (printed,)


@pytest.mark.parametrize("line", ["<b></b>", "<b> </b>", "&nbsp;", "© <br>", "<b>", "&lt;b&gt;"])
def test_markup_alone_is_no_credit(line):
    paper = credit_for_paper([line], Decision.YES, today=TODAY)
    assert paper.lines == () and paper.unfit


@pytest.mark.parametrize("lines", [
    ["© IGN [year]", "© IGN 2024"], ["© IGN 2024", "© IGN [year]"], ["IGN, [año]", "© IGN, 2024"],
    ["© IGN <Jahr>", "© IGN [year]", "© IGN 2024"]])
def test_a_line_with_a_blank_year_is_joined_with_the_same_line_of_a_year(lines):
    paper = credit_for_paper(lines, Decision.YES, today=TODAY)
    assert len(paper.lines) == 1 and "2024" in paper.lines[0] and paper.unfit == ()


def test_a_blank_year_of_another_name_is_still_asked_for():
    paper = credit_for_paper(["© IGN [year]", "© INE 2024"], Decision.YES, today=TODAY)
    assert paper.lines == ("© INE 2024",) and [item.line for item in paper.unfit] == ["© IGN [year]"]
    paper = credit_for_paper(["© IGN [year]", "© IGN"], Decision.YES, today=TODAY)
    assert paper.unfit, "a line without a year does not say which"


@pytest.mark.parametrize("answer", ["", " ", "\u200b", "\t", "[name]", "© …, 2026", "none", "© <Name>", "<b></b>"])
def test_an_answer_that_is_none_asks_again_and_makes_no_duty(answer):
    for question in ("", "*"):
        assert credit_for_paper([], Decision.UNDECIDED, {question: answer}, today=TODAY) == credit_for_paper([])
        asked = credit_for_paper([], Decision.YES, {question: answer}, today=TODAY)
        assert asked.lines == () and asked.unfit[0].reason is UnfitReason.NO_OWNER and asked.unfit[0].line == ""
    asked = credit_for_paper(["© <Name>"], Decision.YES, {"© <Name>": answer}, today=TODAY)
    assert asked.lines == () and asked.unfit[0].line == "© <Name>"


@pytest.mark.parametrize("required", Decision)
def test_a_random_sound_line_is_printed_unchanged_and_no_other_is_printed(required):
    random = Random(27)
    for _ in range(1500 if ALL else 300):
        line = sound_line(random)
        assert credit_for_paper([line], required, today=TODAY) == PaperCredit((line,)), line
        unfit = unfit_line(random)
        for answers in ({}, {unfit: unfit_line(random)}, {"*": " "}, {"": unfit_line(random)}):
            paper = credit_for_paper([unfit], required, answers, today=TODAY)
            assert paper.lines == () and [item.line for item in paper.unfit] == [unfit], (unfit, answers)
            assert unfit[:40] in paper.unfit[0].message
        assert credit_for_paper([unfit], required, {unfit: line}, today=TODAY).lines == (line,), unfit
        delivered, printed = delivered_line(random)
        assert credit_for_paper([delivered], required, today=TODAY).lines == (printed,), delivered
