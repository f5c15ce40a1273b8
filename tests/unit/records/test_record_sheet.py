"""The HTML page of a record: complete, with nothing active in it and nothing loaded from elsewhere."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from lxml import etree, html

from plugin.core.records import read
from plugin.core.records.model.operation_grouping import group_operations
from plugin.core.records.model.record import OnlineResource, Overview, Record
from plugin.core.records.report.record_sheet import record_body, sheet_html
from plugin.core.terms import terms_for

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


def test_the_sections_are_in_the_order_that_people_read():
    headings = [element.text for element in page(fixture("service_editor.xml")).iter("h3")]
    assert headings == ["Overview", "Terms", "Service", "Metadata"]


def test_nothing_a_record_says_becomes_markup():
    evil = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
    record = Record("iso19139", id=evil, title=evil, abstract=evil, keywords=(evil,), fees=evil, service_type=evil,
                    online=(OnlineResource("javascript:alert(1)", evil, evil, evil, evil, evil),
                            OnlineResource("https://ok.example/\"onmouseover=\"alert(1)")),
                    overviews=(Overview("https://elsewhere.example/a.png", evil), Overview("data:text/html,x")))
    tree = page(record)
    assert {element.tag for element in tree.iter(etree.Element)} <= {
        "html", "head", "meta", "title", "style", "body", "main", "article", "section", "h2", "h3", "p", "div",
        "strong", "table", "tr", "th", "td", "br", "a", "span", "tbody"}
    links = [element.get("href") for element in tree.iter("a")]
    assert links and all(link.startswith("https://") for link in links)
    assert not any(name.startswith("on") for element in tree.iter(etree.Element) for name, _ in element.items())
    assert "alert(1)</script>" in tree.text_content()


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


def test_no_record_and_an_empty_record_make_a_page():
    assert "<main></main>" in sheet_html([])
    assert "Record without a title" in record_body(Record("iso19139"), terms_for(Record("iso19139")))


def test_repeated_entries_of_an_operation_are_folded_with_count_and_formats():
    (operation,) = group_operations(fixture("service_harvester.xml"))
    (address,) = operation.addresses
    assert (operation.name, operation.platforms) == ("GetMap", ("HTTP-GET", "HTTP-POST"))
    assert (address.count, address.protocols) == (2, ("image/png", "image/jpeg"))
    assert "2 entries" in page(fixture("service_harvester.xml")).text_content()


def test_the_index_of_several_records_is_sorted_as_people_sort():
    records = [Record("iso19139", title=title) for title in ("Zonas", "hoja 10", "Ámbito", "Hoja 9")]
    page = sheet_html([(record, terms_for(record)) for record in records])
    listed = [element.text_content() for element in html.fromstring(page).xpath("//header//li")]
    assert listed == ["Ámbito", "Hoja 9", "hoja 10", "Zonas"]
