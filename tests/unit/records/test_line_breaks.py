"""Line breaks of a document's layout are removed from names and addresses, and stay in texts."""

from __future__ import annotations

from pathlib import Path

from plugin.core.records import read
from plugin.core.records.model.endpoints import wms_endpoint
from plugin.core.records.report.text_summary import text_summary
from plugin.core.terms import terms_for

FIXTURE = Path(__file__).parent.parent / "fixtures" / "records" / "service_editor.xml"


def broken_up():
    text = FIXTURE.read_text(encoding="utf-8")
    for old, new in (("Mapa guía de la sierra", "Mapa guía\r\n\t   de la sierra"),
                     ("Consejería de Montañas", "Consejería\n          de Montañas"),
                     ("humanInteractionService", "human\n  InteractionService"),
                     ("NODO_guia?", "NODO_\n      guia?"),
                     ("Base cartográfica del mapa guía.", "Base cartográfica\n          del mapa guía.")):
        assert old in text
        text = text.replace(old, new)
    return read(text.encode())[0]


def test_names_and_keywords_are_one_line():
    record = broken_up()
    assert record.title == "Mapa guía de la sierra"
    assert "Consejería de Montañas" in [contact.organisation for contact in record.contacts]
    assert "human InteractionService" in record.keywords


def test_an_address_broken_over_lines_is_whole_again():
    assert wms_endpoint(broken_up()) == "https://mapas.example/wms/NODO_guia?"


def test_a_text_keeps_its_lines_and_the_summary_aligns_them():
    record = broken_up()
    assert "cartográfica\n" in record.abstract
    shown = text_summary(record, terms_for(record)).splitlines()
    start = next(index for index, line in enumerate(shown) if line.startswith("Abstract:"))
    assert shown[start:start + 2] == ["Abstract:           Base cartográfica", " " * 20 + "del mapa guía."]
