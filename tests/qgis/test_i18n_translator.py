"""The translator: QGIS's locale, a compiled catalogue, and English for texts without a translation."""

from __future__ import annotations

import shutil
import subprocess
from datetime import date, time
from pathlib import Path

import pytest
from qgis.core import QgsSettings
from qgis.PyQt.QtCore import QLocale
from qgis.PyQt.QtWidgets import QTextBrowser

from plugin.core import dates
from plugin.core.i18n import tr
from plugin.core.records.model.codelists import code_label
from plugin.core.review.report.html_fragments import date_html
from plugin.gis.runtime import i18n

SOURCE = """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="es" sourcelanguage="en"><context><name>Cartoguide</name>
<message><source>Could not read {name}.</source><translation>No se pudo leer {name}.</translation></message>
<message><source>“{title}”: details…</source><translation>«{title}»: detalles…</translation></message>
<message numerus="yes"><source>%n record(s)</source>
<translation><numerusform>%n registro</numerusform><numerusform>%n registros</numerusform></translation></message>
</context></TS>
"""


@pytest.fixture(scope="module")
def catalogues(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("i18n")
    tool = next((found for found in map(shutil.which, ("lrelease", "lrelease-qt5", "/usr/lib/qt5/bin/lrelease",
                                                       "/usr/lib/qt6/bin/lrelease")) if found), None)
    if tool is None:
        pytest.skip("the Qt linguist tools are not installed")
    (folder / "cartoguide_es.ts").write_text(SOURCE, encoding="utf-8")
    subprocess.run([tool, folder / "cartoguide_es.ts", "-qm", folder / "cartoguide_es.qm"], check=True,
                   capture_output=True)
    return folder


@pytest.fixture(autouse=True)
def english_again(qgis_app):
    yield
    i18n.remove()
    QgsSettings().remove("locale/userLocale")
    QgsSettings().remove("locale/overrideFlag")


def test_a_catalogue_translates_plain_text_and_plurals(catalogues):
    assert i18n.install("es_ES", catalogues)
    assert tr("Could not read {name}.", name="a") == "No se pudo leer a."
    assert [tr("%n record(s)", n=n) for n in (0, 1, 2)] == ["0 registros", "1 registro", "2 registros"]


def test_texts_beyond_ascii_are_translated_too(catalogues):
    i18n.install("es", catalogues)
    assert tr("“{title}”: details…", title="Guía") == "«Guía»: detalles…"
    assert tr("“{title}” is not there…", title="Guía") == "“Guía” is not there…"


def test_what_the_catalogue_lacks_is_english_with_its_plural(catalogues):
    i18n.install("es", catalogues)
    assert tr("Nothing of this is there: {a}", a=1) == "Nothing of this is there: 1"
    assert [tr("%n wheel(s)", n=n) for n in (1, 2)] == ["1 wheel", "2 wheels"]


def test_dates_are_written_as_the_locale_does_with_the_whole_year(catalogues):
    for locale, expected in (("es_ES", "8/5/2019 10:15"), ("en_GB", "08/05/2019 10:15"), ("de_DE", "08.05.2019 10:15")):
        i18n.install(locale, catalogues)
        assert dates.format_date("2019-05-08T10:15:00") == expected
    # a month as a number that comes first is read as a day
    for locale, expected in (("en_US", "May 8, 2019"), ("es_PR", "8 may. 2019")):
        i18n.install(locale, catalogues)
        assert dates.format_date("2019-05-08") == expected
    i18n.remove()
    assert dates.format_date("2019-05-08T10:15:00") == "2019-05-08 10:15"


def test_a_date_in_rich_text_has_its_exact_value_as_a_tooltip(qtbot):
    page = QTextBrowser()
    qtbot.addWidget(page)
    page.setHtml(f"<p>{date_html('2019-05-08T10:15:00')}</p>")
    cursor = page.textCursor()
    cursor.movePosition(cursor.MoveOperation.Right)
    assert page.toPlainText() == "2019-05-08 10:15" and cursor.charFormat().toolTip() == "2019-05-08T10:15:00"


def test_the_plugins_own_spanish_catalogue_speaks(tmp_path, repository):
    tool = next((found for found in map(shutil.which, ("lrelease", "lrelease-qt5", "/usr/lib/qt5/bin/lrelease",
                                                       "/usr/lib/qt6/bin/lrelease")) if found), None)
    if tool is None:
        pytest.skip("the Qt linguist tools are not installed")
    subprocess.run([tool, repository / "i18n" / "cartoguide_es.ts", "-qm", tmp_path / "cartoguide_es.qm"], check=True,
                   capture_output=True)
    assert i18n.install("es_AR", tmp_path)
    assert code_label("MD_RestrictionCode", "otherRestrictions") == "Otras restricciones"
    assert [tr("%n layer(s)", n=n) for n in (1, 2)] == ["1 capa", "2 capas"]
    assert tr("Search records…") == "Buscar registros…"


def test_without_a_catalogue_the_english_sources_stay(catalogues):
    assert not i18n.install("de", catalogues)
    assert [tr("%n record(s)", n=n) for n in (1, 2)] == ["1 record", "2 records"]


def test_removing_brings_the_english_sources_back(catalogues):
    i18n.install("es", catalogues)
    i18n.remove()
    assert tr("Could not read {name}.", name="a") == "Could not read a."


def test_the_locale_is_the_one_that_qgis_was_set_to(catalogues):
    QgsSettings().setValue("locale/userLocale", "es_MX")
    QgsSettings().setValue("locale/overrideFlag", True)
    assert i18n.user_locale() == "es_MX"
    assert i18n.install("", catalogues)
    assert tr("Could not read {name}.", name="a") == "No se pudo leer a."


def test_a_locale_that_is_not_an_override_is_left_to_the_system():
    QgsSettings().setValue("locale/userLocale", "es_MX")
    QgsSettings().setValue("locale/overrideFlag", False)
    assert i18n.user_locale() != "es_MX"


@pytest.mark.parametrize(("name", "written"), [("C", "1 Dec 2026 13:20"), ("en_US", "Dec 1, 2026 1:20 PM"),
                                               ("es_ES", "1/12/2026 13:20"), ("en_GB", "01/12/2026 13:20")])
def test_times_have_no_seconds_in_any_language(name, written):
    write = i18n._date_formatter(QLocale(name))
    assert write(date(2026, 12, 1), time(13, 20)).replace("\u202f", " ") == written
