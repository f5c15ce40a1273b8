"""HTML in texts of records and services becomes plain text once, and plain text with its signs stays as it is."""

from __future__ import annotations

import json
import time

import pytest

from plugin.core.html_text import plain_text, read_html_text
from plugin.core.records import read
from plugin.core.wms import read_service


@pytest.mark.parametrize("text, expected, inline", [
    ('You must cite: <a href="https://c.org/attr">&copy; Carto</a> and &copy; OSM', "You must cite: © Carto and © OSM",
     "You must cite: © Carto (https://c.org/attr) and © OSM"),
    ("<a href='https://o.org'>Office</a>", "Office", "Office (https://o.org)"),
    ("<A HREF=https://o.org TARGET=_blank>Office</A> of Maps", "Office of Maps", "Office (https://o.org) of Maps"),
    ('<a href="https://o.org">https://o.org</a>', "https://o.org", "https://o.org"),
    ('<a href="https://o.org"></a>', "https://o.org", "https://o.org"),
    ('<a href="javascript:alert(1)">Office</a>', "Office", "Office"),
    ('© <span class="x">Office</span> of <b>Maps</b>', "© Office of Maps", "© Office of Maps"),
    ("<p>Licence: <i>CC BY</i></p><p>Credit:\n “Maps”</p>", "Licence: CC BY\n\nCredit: “Maps”", None),
    ("One<br/>two<br>three", "One\ntwo\nthree", None),
    ("<ul><li>One<li>two</ul>", "One\ntwo", None),
    ("&copy; IGN &amp; &#169; INE", "© IGN & © INE", None),
    ("&amp;copy; IGN", "© IGN", None),
    ("&lt;a href=&quot;https://o.org&quot;&gt;&amp;copy; Office&lt;/a&gt;", "© Office", "© Office (https://o.org)"),
    ("<p>Write &lt;b&gt; before it</p>", "Write <b> before it", None),
    ("&lt;Jahr&gt;", "<Jahr>", None),
    ("<p>© BKG <Jahr></p>", "© BKG <Jahr>", None),
    ("<style>p {}</style><p>Terms</p><script>x()</script>", "Terms", None),
    ("<!-- draft --><em>Terms</em>", "Terms", None),
    ("Terms&nbsp;apply", "Terms apply", None),
    ('<img src="logo.png" alt="Office"/> 2020', "Office 2020", None),
])
def test_html_becomes_plain_text(text: str, expected: str, inline: str) -> None:
    assert read_html_text(text).text == expected
    assert plain_text(text) == (inline or expected)
    assert plain_text(plain_text(text)) == plain_text(text)


@pytest.mark.parametrize("text", [
    "depth < 5 m and > 3 m", "R&D", "AT&T; Co", "© BKG <Jahr>", "<title> <name>", "a<b and c>d", "<b>", "https://o.org/?a=1&copy=2",
    "<https://o.org>", "<info@o.org>", "x &unknown; y", "line one\n  line two", "if (a <i) and (i> b)", "",
])
def test_plain_text_is_untouched(text: str) -> None:
    assert read_html_text(text).text == text
    assert plain_text(text) == text


def test_addresses_of_links_are_kept_beside_the_text() -> None:
    found = read_html_text('© <a href="https://a.org">A</a> and <a href="https://b.org">B</a>')
    assert found.addresses == ("https://a.org", "https://b.org") and found.address is None
    assert found.followed_by_addresses() == "© A and B\nhttps://a.org\nhttps://b.org"
    assert read_html_text('<a href="https://a.org">A</a>').address == "https://a.org"


def test_a_direction_mark_is_not_brought_in_by_an_entity() -> None:
    assert "\u202e" not in plain_text("a &amp;#8238; b") + plain_text("a &#x202e; b")


def test_hostile_text_is_read_in_linear_time() -> None:
    started = time.process_time()
    for text in ("<a " * 300_000, "<a href='" * 100_000, "<a href=\"x\" " * 80_000, "<!--" * 200_000, "&amp;" * 200_000,
                 "<b>" * 300_000, "<p>" * 300_000, "<a href='http://x'>" * 50_000, "<!-- -" * 100_000 + "<p>"):
        plain_text(text)
    assert time.process_time() - started < 10


LINKED = "&lt;a href='https://o.org/terms'&gt;&amp;copy; Office &amp; Sons&lt;/a&gt; depth &lt; 5 m"


def test_texts_of_a_record_are_plain_and_their_links_addresses() -> None:
    record = read(f"""<gmd:MD_Metadata xmlns:gmd="http://www.isotc211.org/2005/gmd"
      xmlns:gco="http://www.isotc211.org/2005/gco">
      <gmd:identificationInfo><gmd:MD_DataIdentification>
      <gmd:abstract><gco:CharacterString>{LINKED}</gco:CharacterString></gmd:abstract>
      <gmd:credit><gco:CharacterString>{LINKED}</gco:CharacterString></gmd:credit>
      <gmd:resourceConstraints><gmd:MD_LegalConstraints><gmd:otherConstraints>
      <gco:CharacterString>{LINKED}</gco:CharacterString></gmd:otherConstraints>
      <gmd:otherConstraints><gco:CharacterString>R&amp;D &lt;Jahr&gt;</gco:CharacterString></gmd:otherConstraints>
      </gmd:MD_LegalConstraints></gmd:resourceConstraints>
      </gmd:MD_DataIdentification></gmd:identificationInfo></gmd:MD_Metadata>""".encode())[0]
    assert record.abstract == "© Office & Sons (https://o.org/terms) depth < 5 m"
    assert record.credits == ("© Office & Sons depth < 5 m",)
    assert [(item.text, item.href) for item in record.other_constraints] == [
        ("© Office & Sons depth < 5 m", "https://o.org/terms"), ("R&D <Jahr>", None)]
    assert [value.text for value in record.unread] == ["https://o.org/terms"]


def test_texts_of_capabilities_are_plain_and_their_links_addresses() -> None:
    service = read_service(f"""<WMS_Capabilities version="1.3.0" xmlns="http://www.opengis.net/wms"><Service>
      <Title>{LINKED}</Title><Abstract>{LINKED}</Abstract><Fees>{LINKED}</Fees>
      <AccessConstraints>R&amp;D &lt;Jahr&gt;</AccessConstraints></Service>
      <Capability><Layer><Title>&amp;lt;b&amp;gt;</Title>
      <Attribution><Title>{LINKED}</Title></Attribution></Layer></Capability></WMS_Capabilities>""".encode())
    assert service.title == "© Office & Sons depth < 5 m"
    assert service.abstract == "© Office & Sons (https://o.org/terms) depth < 5 m"
    assert service.fees == "© Office & Sons depth < 5 m\nhttps://o.org/terms"
    assert service.access_constraints == "R&D <Jahr>"
    attribution = service.root.attribution
    assert (attribution.title, attribution.url) == ("© Office & Sons depth < 5 m", "https://o.org/terms")


def test_texts_of_other_formats_are_plain() -> None:
    core = read(f"""<csw:Record xmlns:csw="http://www.opengis.net/cat/csw/2.0.2"
      xmlns:dc="http://purl.org/dc/elements/1.1/">
      <dc:identifier>x</dc:identifier><dc:title>&lt;b&gt;Soils&lt;/b&gt;</dc:title><dc:rights>{LINKED}</dc:rights>
      </csw:Record>""".encode())[0]
    assert core.title == "Soils"
    assert [(item.text, item.href) for item in core.other_constraints] == [
        ("© Office & Sons depth < 5 m", "https://o.org/terms")]
    api = read(json.dumps({"type": "Feature", "id": "x", "geometry": None, "properties": {
        "type": "dataset", "title": "Soils", "description": "<p>One</p><p>two</p>",
        "rights": '<a href="https://o.org">Office</a>'}}).encode())[0]
    assert api.abstract == "One\n\ntwo"
    assert [(item.text, item.href) for item in api.other_constraints] == [("Office", "https://o.org")]
