"""Codes and images that a record gives by their address."""

from __future__ import annotations

from pathlib import Path

import pytest

from plugin.core import safe_xml
from plugin.core.library.index.row_extraction import iso19139_row
from plugin.core.records import read

FIXTURE = Path(__file__).parent.parent / "fixtures" / "records" / "service_editor.xml"


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
    assert [contact.role for contact in read(document, all_fields=False)[0].contacts] == [code, "author"]
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
