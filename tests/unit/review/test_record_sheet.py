"""The HTML page of a record: complete, each thing once, no script but its own, nothing loaded from elsewhere."""

from __future__ import annotations

import base64
import hashlib
import re
import struct
import time
import zlib
from dataclasses import replace
from pathlib import Path

import pytest
from lxml import etree, html

from plugin.core import i18n
from plugin.core.records import read
from plugin.core.records.input.file_reader import read_path
from plugin.core.records.model.operation_grouping import group_operations
from plugin.core.records.model.record import (
    ConnectPoint,
    Constraint,
    Contact,
    Extent,
    OnlineResource,
    Operation,
    Overview,
    Record,
)
from plugin.core.review.report.record_fields import record_body
from plugin.core.review.report.record_sheet import sheet_html
from plugin.core.terms import terms_for
from plugin.core.translation_catalogue import load_translator

FIXTURES = Path(__file__).parent.parent / "fixtures" / "records"


def fixture(name):
    return read((FIXTURES / name).read_bytes())[0]


def page(*records):
    return html.document_fromstring(sheet_html([(record, terms_for(record)) for record in records]))


def test_every_value_of_a_record_is_on_its_sheet():
    record = fixture("service_editor.xml")
    shown = " ".join(page(record).text_content().split())
    expected = [record.title, record.id, record.purpose, record.fees, record.lineage, record.service_type,
                "Other restrictions", "Ana Ruiz", "Calle Alta, 3", "Spanish; Castilian", "UTF-8", "Point of contact",
                "2014-06-01", "Revision", "Completed", "Uso libre citando a los autores", "GetCapabilities",
                "EPSG:25830", "Reglamento 976/2009", "conformant", "Servicio WMS", "Segunda edición", "Cross reference"]
    expected += [*record.keywords, *record.operates_on, *(item.text for item in record.unread)]
    assert [text for text in expected if text not in shown] == []
    assert page(record).xpath("//span[@title='2014-06-01T00:00:00']"), "as it is written, it is a tooltip"


def test_the_page_leads_with_title_terms_credit_map_and_picture_and_the_fields_follow(tmp_path):
    record = replace(fixture("service_editor.xml"), source=str(tmp_path / "record.xml"))
    (tmp_path / "record.xml").write_text("<x/>")
    (tmp_path / "record.png").write_bytes(png(4, 3))
    [article] = page(record).iter("article")
    led = [element.get("class") or element.tag for element in article.iter("h1", "p", "button", "svg", "img", "section")
           if not element.xpath("ancestor::table")]
    assert [name for name in led if name in ("h1", "sentence", "line", "copy", "map", "img", "section")] == \
        ["h1", "sentence", "line", "copy", "map", "img", "section", "section", "section", "section"]
    assert [element.text for element in article.iter("h2")] == \
        ["Overview", "Terms in the record’s words", "Service", "Metadata"]


def png(width, height):
    """A whole PNG."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    return b"\x89PNG\r\n\x1a\n" + b"".join((
        chunk(b"IHDR", struct.pack(">2I5B", width, height, 8, 0, 0, 0, 0)),
        chunk(b"IDAT", zlib.compress(b"".join(b"\0" + bytes(width) for _ in range(height)))), chunk(b"IEND", b"")))


def test_nothing_a_record_says_becomes_markup():
    evil = '"><script>alert(1)</script><img src=x onerror=alert(1)></title></style>\'{{ 1 }}'
    record = Record("iso19139", id=evil, title=evil, abstract=evil, keywords=(evil,), fees=evil, service_type=evil,
                    language=evil, date_stamp=evil, hierarchy_level=evil, alternate_titles=(evil,),
                    contacts=(Contact(evil, evil, evil, (evil,), (evil,), evil, "javascript:alert(1)", evil),),
                    other_constraints=(Constraint(evil, "javascript:alert(1)"),), use_limitations=(evil,),
                    extents=(Extent(-3, -2, 40, 41),),
                    operations=(Operation(evil, (evil,), (ConnectPoint("javascript:alert(1)", evil, evil),)),),
                    online=(OnlineResource("javascript:alert(1)", evil, evil, evil, evil, evil),
                            OnlineResource("https://ok.example/\"onmouseover=\"alert(1)")),
                    overviews=(Overview("https://elsewhere.example/a.png", evil), Overview("data:text/html,x")))
    for tree in (page(record), page(record, replace(record, title=f"2 {evil}"))):
        assert {element.tag for element in tree.iter(etree.Element)} <= {
            "html", "head", "meta", "title", "style", "script", "body", "header", "main", "article", "section",
            "h1", "h2", "h3", "h4", "p", "div", "strong", "table", "thead", "tbody", "tr", "th", "td", "br", "a",
            "span", "label", "input", "button", "figure", "figcaption", "svg", "rect", "path", "circle"}
        links = [element.get("href") for element in tree.iter("a")]
        assert links and all(link.startswith(("https://", "#")) for link in links)
        assert not any(name.startswith("on") or name == "style" for element in tree.iter(etree.Element)
                       for name, _ in element.items())
        # the page's own script is all that is active, and nothing of the record is in it
        [script] = tree.iter("script")
        assert "alert" not in script.text and tree.xpath("//style")[0].text.count("alert") == 0
        assert "alert(1)</script>" in tree.text_content()


def test_the_policy_allows_the_pages_own_script_and_style_and_pictures_within_it_alone():
    text = sheet_html([(record, terms_for(record)) for record in (fixture("service_editor.xml"), Record("x"))])
    policy = re.search('http-equiv="Content-Security-Policy" content="([^"]+)"', text)[1]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'" and rules["img-src"] == "data:" and "unsafe" not in policy
    for name, tag in (("script-src", "script"), ("style-src", "style")):
        [content] = re.findall(f"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert rules[name] == f"'sha256-{digest}'"
    assert text.index(policy) < text.index("<title>"), "before anything that it is for"


def test_without_scripts_the_credit_and_the_list_are_read_and_no_dead_control_is_seen():
    record = replace(fixture("service_editor.xml"), title="Otro")
    tree = page(record, fixture("service_harvester.xml"))
    assert all(element.xpath("ancestor-or-self::*[@hidden]") for element in tree.iter("button", "input"))
    assert not tree.xpath("//*[contains(@class, 'line')]/ancestor-or-self::*[@hidden]")
    assert not tree.xpath("//table/ancestor-or-self::*[@hidden] | //tr[@hidden]")


def words(tree):
    """What a reader sees of the articles, without the list."""
    return " ".join(" ".join(tree.xpath("//article//text()")).split())


def test_nothing_is_said_three_times():
    address = "https://ows.example/wms?map=sierra"
    contact = Contact("Consejería de Medio Ambiente", emails=("a@x.example",), role="owner")
    text = "Uso libre citando: Fuente: Consejería de Medio Ambiente"
    record = replace(
        fixture("service_editor.xml"), title="Mapa guía de la sierra", abstract="Mapa guía de la sierra",
        alternate_titles=("Mapa guía de la sierra",), fees="Gratuito y sin coste",
        contacts=(contact, replace(contact, role="pointOfContact"), replace(contact, role="publisher")),
        metadata_contacts=(replace(contact, role="author"),), credits=(), constraint_groups=(),
        use_limitations=(text,), other_constraints=(Constraint(text), Constraint("Gratuito y sin coste")),
        operations=tuple(Operation(name, ("WebServices",), (ConnectPoint(address, f"OGC:WMS-{name}"),))
                         for name in ("GetCapabilities", "GetMap", "GetFeatureInfo")),
        online=(OnlineResource(address, "OGC:WMS", "Mapa guía de la sierra", "Mapa guía de la sierra"),
                OnlineResource(address, "OGC:WMS", "capa_1"), OnlineResource(address, "OGC:WMS", "capa_2")), unread=())
    shown = words(page(record))
    repeated = {value: shown.count(value) for value in (
        record.title, "a@x.example", address, "Gratuito y sin coste", "GetMap (", "capa_1", "west -3.6", record.id)}
    assert {value: count for value, count in repeated.items() if count > 2} == {}
    assert "capa_1" in shown and "capa_2" in shown and "OGC:WMS-GetFeatureInfo" in shown
    assert "Owner, Point of contact, Publisher: Consejería" in shown and "for the record: Author" in shown
    assert shown.count("Completed") == 1 and shown.count("Fuente: Consejería") <= 2
    assert "as under “Use limitations”" in shown and "as under “Fees”" in shown


def test_the_record_has_its_language_and_the_page_that_of_the_person():
    i18n.set_translator(load_translator("es"), "es")
    tree = page(replace(fixture("service_editor.xml"), language="ger"))
    assert tree.get("lang") == "es"
    assert tree.xpath("//h1")[0].get("lang") == "de" and tree.xpath("//*[@class='line']")[0].get("lang") == "de"
    assert "lang" not in tree.xpath("//h2")[0].attrib and tree.xpath("//h2")[0].text == "Resumen"
    assert page(replace(fixture("service_editor.xml"), language="zxx")).xpath("//h1/@lang") == []
    assert page(replace(fixture("service_editor.xml"), language="ara")).xpath("//h1/@dir") == ["rtl"]


def test_a_credit_with_a_blank_is_shown_to_be_filled_and_not_to_be_copied():
    terms = replace(terms_for(Record("x")), credit="© Owner <name of the product>")
    tree = html.document_fromstring(sheet_html([(Record("x", title="T"), terms)]))
    [line] = tree.xpath("//*[@class='line']")
    assert line.text == "© Owner <name of the product>" and not list(tree.iter("button"))
    assert "has a blank to fill" in tree.text_content()


def test_extents_are_a_map_with_words_for_those_who_do_not_see_it():
    [drawn] = page(Record("x", title="T", extents=(Extent(177, -178, -20, -12),))).iter("svg")
    assert drawn.get("role") == "img"
    assert drawn.get("aria-label") == "Map of the extent: west 177°, east -178°, south -20°, north -12°"
    for extents in ((), (Extent(),), (Extent(1, 2, 50, None),), (Extent(1, 2, 95, 96),), (Extent(1, 2, 50, 40),)):
        tree = page(Record("x", title="T", extents=extents))
        assert not list(tree.iter("svg", "figure"))
        rows = tree.xpath("//th[text()='Extent']/following-sibling::td")
        assert len(rows) == (1 if any(extent != Extent() for extent in extents) else 0), "in words all the same"
    many = page(Record("x", title="T", extents=tuple(Extent(n, n + 1, 40, 41) for n in range(9))))
    assert many.xpath("//figcaption")[0].text_content() == "9 extents"
    assert "west 8°" in many.xpath("//th[text()='Extent']/following-sibling::td")[0].text_content()


def test_a_picture_that_is_not_here_is_a_link_and_no_empty_frame():
    overviews = (Overview("https://x.example/thumb.png", "Vista previa"), Overview("https://x.example/large.png"))
    tree = page(Record("x", title="T", overviews=overviews))
    assert not list(tree.iter("img"))
    assert [link.get("href") for link in tree.iter("a")] == [overview.url for overview in overviews]
    saved = {"https://x.example/large.png": png(300, 200)}
    tree = html.document_fromstring(sheet_html([(Record("x", title="T", overviews=overviews), terms_for(Record("x")))],
                                               saved.get))
    [image] = tree.iter("img")
    assert image.get("src").startswith("data:image/png;base64,") and (image.get("width"), image.get("height")) == \
        ("300", "200")
    assert image.get("alt") == "Picture of T"
    assert sorted(link.get("href") for link in tree.iter("a")) == sorted(overview.url for overview in overviews)


def test_characters_that_cannot_be_written_do_not_stop_the_page():
    record = Record("iso19139", title="a\ud800b\x00c\u202ed")
    text = sheet_html([(record, terms_for(record))])
    assert "\u202e" not in text
    assert text.encode("utf-8")


def test_several_records_have_a_list_in_front():
    record = fixture("service_editor.xml")
    tree = page(record, replace(record, title="Otro"), fixture("service_harvester.xml"))
    assert [element.text for element in tree.findall(".//header//a")] == \
        ["Mapa guía de la sierra", "Otro", "Precipitación diaria"]
    assert {element.get("href")[1:] for element in tree.findall(".//header//a")} == \
        {element.get("id") for element in tree.iter("article")}
    assert tree.xpath("//th[@aria-sort]/text()") == ["Title"]
    assert [len(row.xpath("./*")) for row in tree.xpath("//header//tr")] == [6] * 4


def test_the_list_is_sorted_as_people_sort_and_empty_cells_have_no_place():
    records = [Record("iso19139", title=title, date_stamp=date)
               for title, date in (("hoja 10", "2020-01-01"), ("Ámbito", None), ("Hoja 9", "2021-01-01"))]
    rows = page(*records).xpath("//header//tbody/tr")
    assert [row.xpath("string(.//a)") for row in rows] == ["Ámbito", "Hoja 9", "hoja 10"]
    assert [row.get("data-ranks").split()[0] for row in rows] == ["0", "1", "2"]
    dates = [int(row.get("data-ranks").split()[5]) for row in rows]
    assert dates[0] == -1 and dates[1] > dates[2] >= 0


def test_no_record_and_an_empty_record_make_a_page():
    assert "<main></main>" in sheet_html([])
    assert "Record without a title" in page(Record("iso19139")).xpath("string(//h1)")
    assert "Record without a title" in record_body(Record("iso19139"), terms_for(Record("iso19139")))


def test_a_page_of_many_real_records_is_small_enough_to_be_opened(samples):
    records = [record for path in sorted(samples.rglob("*.xml"))[:150] for _, record in read_path(path)
               if isinstance(record, Record)]
    text = sheet_html([(record, terms_for(record)) for record in records])
    assert len(records) > 100 and len(text) < 40_000 * len(records)


@pytest.fixture(autouse=True)
def in_english():
    yield
    i18n.set_translator(None)


def test_repeated_entries_of_an_operation_are_folded_with_count_and_formats():
    (operation,) = group_operations(fixture("service_harvester.xml"))
    (address,) = operation.addresses
    assert (operation.name, operation.platforms) == ("GetMap", ("HTTP-GET", "HTTP-POST"))
    assert (address.count, address.protocols) == (2, ("image/png", "image/jpeg"))
    assert "2 entries" in page(fixture("service_harvester.xml")).text_content()


def test_the_time_grows_with_the_size_of_a_record():
    def seconds(count):
        contact = Contact("Organisation")
        record = Record("x", title="T", online=tuple(OnlineResource("https://x.example/", name=f"layer {n}")
                                                     for n in range(count)),
                        contacts=tuple(replace(contact, role=f"role{n}") for n in range(count)),
                        operations=tuple(Operation(f"Get{n}", (), (ConnectPoint("https://x.example/"),))
                                         for n in range(count)),
                        use_limitations=tuple(f"text {n}" for n in range(count)),
                        overviews=tuple(Overview(f"https://x.example/{n}.png") for n in range(count)))
        terms = terms_for(Record("x"))
        began = time.process_time()
        sheet_html([(record, terms)])
        return time.process_time() - began

    seconds(100)
    # eight times the size: 64 times the time, if it grew with the square
    assert seconds(16_000) < 32 * seconds(2_000) + 0.5
