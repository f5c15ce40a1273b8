"""Blanks of credit lines and other texts, in many languages, and what looks like one and is none."""

from __future__ import annotations

import time
from typing import List

import pytest

from plugin.core.blanks import unfilled_blanks


@pytest.mark.parametrize("text, expected", [
    ("© GeoBasis-DE / BKG <Jahr>", ["<Jahr>"]),
    ("© GeoBasis-DE / BKG (Jahr des letzten Datenbezugs)", ["(Jahr des letzten Datenbezugs)"]),
    ("© GeoBasis-DE / BKG, Jahr des letzten Datenbezugs", ["Jahr des letzten Datenbezugs"]),
    ("Land NRW (JJJJ)", ["JJJJ"]),
    ("Klimadatastyrelsen, hentet [måned år]", ["[måned år]"]),
    ("Stand: TT.MM.JJJJ", ["TT.MM.JJJJ"]),
    ("Quelle: [Veröffentlichungsjahr], [Name des Datensatzes]", ["[Veröffentlichungsjahr]", "[Name des Datensatzes]"]),
    ("[Ihr Name], Amt", ["[Ihr Name]"]),
    ("IMOS [year-of-data-download], [Title], [data-access-URL], accessed [date-of-access]",
     ["[year-of-data-download]", "[Title]", "[data-access-URL]", "[date-of-access]"]),
    ("Citation: [DOI] <insert date>", ["[DOI]", "<insert date>"]),
    ("© Crown copyright and database right [insert year of supply]", ["[insert year of supply]"]),
    ("Contains data © Crown copyright [year]", ["[year]"]),
    ("© {year} {{ organisation }} ${owner}", ["{year}", "{{ organisation }}", "${owner}"]),
    ("© $YEAR$ $owner, %DATE%", ["$YEAR$", "$owner", "%DATE%"]),
    ("© IGN [año]", ["[año]"]),
    ("Obra derivada de BTN [fecha de descarga] CC-BY 4.0", ["[fecha de descarga]"]),
    ("CC BY 4.0 [nombre del producto] scne.es", ["[nombre del producto]"]),
    ("Source : IGN, [année de publication]", ["[année de publication]"]),
    ("[nom du producteur], date de mise à jour", ["[nom du producteur]", "date de mise à jour"]),
    ("Fonte: ISPRA [anno di pubblicazione]", ["[anno di pubblicazione]"]),
    ("Fonte: DGT [data de acesso]", ["[data de acesso]"]),
    ("Font: ICGC [any]", ["[any]"]),
    ("Bron: Kadaster, [downloaddatum]", ["[downloaddatum]"]),
    ("© Lantmäteriet [nedladdningsår]", ["[nedladdningsår]"]),
    ("Indeholder data fra SDFI, [dato]", ["[dato]"]),
    ("© Kartverket <årstall>", ["<årstall>"]),
    ("Maanmittauslaitos, [latausvuosi]", ["[latausvuosi]"]),
    ("Maa-amet [aasta]", ["[aasta]"]),
    ("LĢIA, [gads]", ["[gads]"]),
    ("GUGiK [data pobrania]", ["[data pobrania]"]),
    ("ČÚZK, [rok]", ["[rok]"]),
    ("Geodetska uprava, <leto>", ["<leto>"]),
    ("DGU [godina]", ["[godina]"]),
    ("Lechner [év]", ["[év]"]),
    ("ANCPI [anul]", ["[anul]"]),
    ("АГКК [година]", ["[година]"]),
    ("ΕΚΧΑ [έτος]", ["[έτος]"]),
    ("© [...] und […], ______", ["[...]", "[…]", "______"]),
    ("© 20XX City", ["20XX"]),
    ("© «año» IGN", ["«año»"]),
])
def test_blanks_are_found_as_written(text: str, expected: List[str]) -> None:
    assert list(unfilled_blanks(text)) == expected


@pytest.mark.parametrize("text", [
    "© Crown copyright and database right {2024}", "© IGN {2019–2024}",
    "© IGN [2016]", "Smith [sic] 2020", "© IGN [España]", "Smith (2020): Soils [Data set]. Zenodo.", "[Online]",
    "[CC BY 4.0]", "Depth < 5 m and > 3 m", "a <b and c> d", "R&D [1]", "<https://example.org/terms>",
    "<info@example.org>", "see [https://a.b/c]", "[accessed 2020-05-05]", "[Fecha de acceso: 2020-05-05]",
    '{"id": "dl-by-de/2.0", "quelle": "© BKG"}', "{0D3E2F1A-1111-2222-3333-0123456789AB}", "$50 per map", "US$ 20",
    "50% off, 20%", "https://a.org/x?date=YYYY", "© <b>IGN</b>, <a href='x'>terms</a>", "Freistaat Bayern (LDBV)",
    "Junta de Andalucía (Consejería de Fomento)", "[Daten geändert]", "[data modified]",
    "Der Vermerk muss das Jahr des letzten Datenbezugs enthalten", "state the date of access",
    "IGN [Región de Murcia]", "Institut cartogràfic (any 2020)", "“Open data” of the city", "© Année de la mer SARL",
    "M. [John] Smith", "[en] Source", "",
])
def test_ordinary_brackets_and_signs_are_no_blanks(text: str) -> None:
    assert unfilled_blanks(text) == ()


def test_hostile_text_is_read_in_linear_time() -> None:
    started = time.process_time()
    for text in ("[" * 20_000,
                 "<" * 20_000, "{{" * 10_000, "[year " * 4_000, "(a" * 10_000, "_" * 20_000, "“a" * 9_000):
        unfilled_blanks(text)
    assert time.process_time() - started < 10
