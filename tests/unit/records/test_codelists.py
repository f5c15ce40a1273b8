"""Labels of codes and languages, and codes that a record has by their address."""

from __future__ import annotations

from pathlib import Path

import pytest

from plugin.core import i18n, safe_xml
from plugin.core.library.index.row_extraction import iso19139_row
from plugin.core.records import read
from plugin.core.records.model.codelists import code_label
from plugin.core.records.model.languages import alpha3, html_language, language_label

FIXTURE = Path(__file__).parent.parent / "fixtures" / "records" / "service_editor.xml"


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


def changed(old, new):
    text = FIXTURE.read_text(encoding="utf-8")
    assert old in text
    return text.replace(old, new).encode()


@pytest.mark.parametrize("address", [
    "http://inspire.ec.europa.eu/metadata-codelist/ResponsiblePartyRole/owner",
    "http://standards.iso.org/iso/19139/resources/gmxCodelists.xml#CI_RoleCode_owner",
    "https://schemas.isotc211.org/codelists.xml#owner",
])
def test_a_code_given_by_its_address_is_the_code(address):
    document = changed('codeListValue="owner"', f'codeListValue="{address}"')
    record = read(document)[0]
    assert [contact.role for contact in record.contacts] == ["owner", "author"]
    assert address in [item.text for item in record.unread]


@pytest.mark.parametrize(("words", "code"), [
    ("owner; propriétaire", "owner"), ("propriétaire; owner", "owner"), ("chose; thing", "chose"), (" ; ", "RI_411")])
def test_a_number_of_a_register_is_the_code_that_its_words_name(words, code):
    document = changed('codeListValue="owner"/>', f'codeListValue="RI_411">{words}</gmd:CI_RoleCode>')
    record = read(document)[0]
    assert [contact.role for contact in record.contacts] == [code, "author"]
    if code != "RI_411":
        assert {"RI_411", words} <= {item.text for item in record.unread}


def test_a_code_that_is_no_address_stays_as_it_is():
    assert read(changed('codeListValue="owner"', 'codeListValue="other/role:x"'))[0].contacts[0].role == "other/role:x"


def test_a_picture_named_by_a_file_has_the_file_s_address():
    picture = "https://mapas.example/mini.png"
    body = ('<gmd:graphicOverview xmlns:gmx="http://www.isotc211.org/2005/gmx"><gmd:MD_BrowseGraphic><gmd:fileName>'
            f'<gmx:FileName src="{picture}">mini.png</gmx:FileName></gmd:fileName></gmd:MD_BrowseGraphic>'
            "</gmd:graphicOverview><gmd:graphicOverview>")
    document = FIXTURE.read_text(encoding="utf-8").replace("<gmd:graphicOverview>", body, 1).encode()
    record = read(document)[0]
    assert record.overviews[0].url == picture
    assert "mini.png" in [item.text for item in record.unread]
    assert iso19139_row(safe_xml.parse(document, keep_blank_text=False)).overview == picture


@pytest.mark.parametrize(("written", "tag"), [
    ("spa", "es"), ("es_ES", "es"), ("rum", "ro"), ("deu", "de"), ("ger", "de"), ("ast", "ast"), ("#locale-fr", "fr"),
    ("http://publications.europa.eu/resource/authority/language/NLD", "nl"), ("mul", ""), ("zxx", ""), ("Español", ""),
    ('"><b>', ""), (None, "")])
def test_a_language_has_the_tag_that_browsers_know(written, tag):
    assert html_language(written) == tag
