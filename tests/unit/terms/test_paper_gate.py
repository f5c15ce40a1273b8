"""The gate to paper: what of a credit may be printed, and what is asked for."""

from __future__ import annotations

from datetime import date

import pytest

from plugin.core.terms.model import Decision
from plugin.core.terms.paper_gate import UnfitReason, credit_for_paper
from plugin.core.terms.server_defaults import is_server_default, server_defaults, without_server_defaults
from plugin.core.terms.year_blanks import fill_year

TODAY = date(2026, 5, 4)


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
