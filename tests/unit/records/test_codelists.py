"""Labels of codes and languages."""

from __future__ import annotations

import pytest

from plugin.core import i18n
from plugin.core.records.model.codelists import code_label
from plugin.core.records.model.languages import alpha3, language_label


@pytest.mark.parametrize("code_list, code, words", [
    ("MD_RestrictionCode", "otherRestrictions", "Other restrictions"), ("MD_RestrictionCode", "license", "Licence"),
    ("CI_RoleCode", "pointOfContact", "Point of contact"), ("CI_DateTypeCode", "revision", "Revision"),
    ("MD_ScopeCode", "service", "Service"), ("MD_ProgressCode", "onGoing", "Ongoing"),
    ("SV_CouplingType", "Tight", "Tight"), ("MD_CharacterSetCode", "utf8", "UTF-8"),
    ("MD_CharacterSetCode", "8859part1", "ISO 8859-1"), ("CI_OnLineFunctionCode", "download", "Download"),
    ("DCPList", "HTTP-GET", "HTTP-GET"), ("DCPList", "WebServices", "Web services"),
    ("DS_AssociationTypeCode", "largerWorkCitation", "Larger work"),
    ("MD_ScopeCode", "somethingQuiteNew", "Something quite new"), ("CI_RoleCode", "Técnico GIS", "Técnico GIS"),
    ("NoSuchList", "someCode", "Some code"), ("CI_RoleCode", "", ""), ("CI_RoleCode", None, ""),
])
def test_a_code_has_a_label(code_list, code, words):
    assert code_label(code_list, code) == words


def test_labels_follow_the_translator_of_the_moment():
    i18n.set_translator(lambda text, n: {"Completed": "Completado"}.get(text, text))
    try:
        assert code_label("MD_ProgressCode", "completed") == "Completado"
    finally:
        i18n.set_translator(None)
    assert code_label("MD_ProgressCode", "completed") == "Completed"


@pytest.mark.parametrize("code, name", [
    ("spa", "Spanish; Castilian"), ("es", "Spanish; Castilian"), ("deu", "German"), ("ger", "German"), ("xx", "xx"),
    ("", ""), (None, "")])
def test_a_language_has_a_name(code, name):
    assert language_label(code) == name


@pytest.mark.parametrize("written, code", [
    ("es", "spa"), ("es_ES", "spa"), ("es-419", "spa"), ("ESP", "esp"), ("deu", "ger"), ("#locale-fr", "fre"),
    ("#DE", "ger"), ("http://www.loc.gov/standards/iso639-2/#eng", "eng"), ("spa; latin1", "spa"), ("", ""),
    ("Spanish", ""),
    ("zz", "")])
def test_language_codes_have_one_form(written, code):
    assert alpha3(written) == code
