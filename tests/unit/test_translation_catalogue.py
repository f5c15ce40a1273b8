"""Translations outside QGIS: in the requested language, or in that of the environment."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from plugin.core.i18n import untranslated
from plugin.core.translation_catalogue import language_of_environment, load_translator
from tests.command_line import run_command

ROOT = Path(__file__).parents[2]
RECORD = str(ROOT / "resources" / "records" / "park-guide.xml")


@pytest.mark.parametrize(("environment", "language"), [
    ({}, "en"), ({"LANG": "C.UTF-8"}, "en"), ({"LANG": "POSIX"}, "en"), ({"LANG": "es_ES.UTF-8"}, "es"),
    ({"LANG": "es_ES@euro"}, "es"), ({"LANG": "en_GB.UTF-8", "LC_MESSAGES": "es_MX.UTF-8"}, "es"),
    ({"LANG": "es_ES.UTF-8", "LC_ALL": "C.UTF-8"}, "en"), ({"LANG": "en_GB", "LANGUAGE": "es:fr"}, "es"),
    ({"LC_ALL": "C", "LANGUAGE": "es"}, "en"), ({"LANG": "es_ES", "LC_ALL": ""}, "es"),
])
def test_the_environment_names_the_language(environment, language):
    assert language_of_environment(environment) == language


@pytest.mark.parametrize("language", ["es", "ES", "es_ES", "es-ES", "es_ES.UTF-8", "spa"])
def test_texts_and_plurals_are_translated(language):
    translate = load_translator(language)
    assert translate("Terms", -1) == "Uso"
    one, many = (translate("%n catalogue record(s)", n) for n in (1, 7))
    assert one.startswith("1 ") and many.startswith("7 ") and one[2:] != many[2:] and "%n" not in one + many


@pytest.mark.parametrize("language", ["en", "", "xx", "../es", "e/s"])
def test_other_languages_stay_in_english(language):
    assert load_translator(language) is None


def test_a_text_without_translation_stays_in_english():
    translate = load_translator("es")
    assert translate("Nobody has translated this.", -1) == "Nobody has translated this."
    assert translate("%n unknown thing(s)", 1) == "1 unknown thing"


def test_no_text_leaves_it_to_the_reader_which_plural_is_meant():
    """“page(s)” is for texts with a number, whose English form is made from it as the Spanish one is."""
    messages = list(ElementTree.parse(ROOT / "i18n" / "cartoguide_es.ts").iter("message"))
    plain = [message.findtext("source") for message in messages if message.get("numerus") != "yes"]
    counted = [message.findtext("source") for message in messages if message.get("numerus") == "yes"]
    assert [text for text in plain if re.search(r"(?<!http)\((s|es|ies)\)", text)] == []
    assert len(counted) > 50
    for text in counted:
        for number in (0, 1, 3):
            assert not re.search(r"\w\(\w{1,3}\)", untranslated(text, number)), text
    assert untranslated("Contacting %n address(es)…", 1) == "Contacting 1 address…"
    assert untranslated("Contacting %n address(es)…", 2) == "Contacting 2 addresses…"


def run(*arguments, **environment):
    done = run_command(*arguments, **environment)
    return done.stdout.decode() + done.stderr.decode()


@pytest.mark.parametrize(("command", "english", "spanish"), [
    (("read", RECORD), "Abstract:", "Resumen:"),
    (("read", "--html", RECORD), ">Overview</h", ">Resumen</h"),
    (("check", RECORD), "The record has no date stamp.", "El registro no tiene fecha de los metadatos."),
    (("check",), "Name a file, a package or a folder of records.", "Indique un archivo, un paquete o una carpeta"),
    (("capabilities", "none.xml"), "none.xml", "none.xml"),
    (("--help",), "Reads catalogue records", "Lee registros de catálogo"),
    (("--help",), "build a WMS request", "componer una petición WMS"),
    (("capabilities", "--help"), "one JSON object per line", "un objeto JSON por línea"),
    (("request", "--help"), "in pixels", "en píxeles"),
])
def test_commands_use_the_requested_language(command, english, spanish):
    assert english in run(*command)
    assert spanish in run(*command, LANG="es_ES.UTF-8")
    if command != ("--help",):
        assert spanish in run(*command, "--language", "es")
        assert english in run(*command, "--language", "en", LANG="es_ES.UTF-8")


def test_the_page_names_its_language():
    assert '<html lang="en">' in run("read", "--html", RECORD)
    assert '<html lang="es">' in run("read", "--html", RECORD, "--language=es")
