"""Pasted texts are opened according to their kind."""

from __future__ import annotations

import pytest
from made_catalogue import made
from scripted_catalogue import ScriptedCatalogue

from plugin.core.catalogues.paste_classifier import classify_pasted_text
from plugin.gis.catalogues import paste_import

RECORDS = made(3)


@pytest.fixture
def paste(qgis_app, wait_until):
    def give(text):
        done, failed = [], []
        paste_import.request_pasted(classify_pasted_text(text), done.append, failed.append)
        wait_until(lambda: done or failed)
        return (done or failed)[0]

    return give


def test_xml_is_read_though_it_names_another_encoding(paste):
    text = RECORDS[0].xml.decode().replace('encoding="UTF-8"', 'encoding="ISO-8859-1"').replace("Relieve", "Año")
    opened = paste(f"\n {text} ")
    assert [record.title for record in opened.records] == ["Año de la comarca 1"]


def test_one_address_and_several_are_fetched_and_a_dead_one_is_told(paste):
    with ScriptedCatalogue(RECORDS) as server:
        place = f"{server.url}/geonetwork/srv/api/records"
        assert paste(f"{place}/made-0001/formatters/xml").records[0].id == "made-0001"
        opened = paste(f"{place}/made-0001/formatters/xml\n{server.url}/nada\n<{place}/made-0002/formatters/xml>")
        assert [record.id for record in opened.records] == ["made-0001", "made-0002"] and len(opened.failures) == 1


def test_xml_that_is_no_record_is_refused(paste):
    assert "not a catalogue record" in paste("<a/>").user_text


def test_one_address_may_be_a_catalogue_or_a_record(qgis_app, wait_until):
    with ScriptedCatalogue(RECORDS) as server:
        done, failed, recognised = [], [], []
        paste_import.request_pasted(classify_pasted_text(f"{server.url}/geonetwork"), done.append, failed.append,
                                    on_catalogue=recognised.append)
        wait_until(lambda: done or failed or recognised)
        assert not done and not failed and recognised[0].sources[0].kind == "geonetwork"
        place = f"{server.url}/geonetwork/srv/spa/catalog.search#/metadata/made-0003"
        paste_import.request_pasted(classify_pasted_text(place), done.append, failed.append,
                                    on_catalogue=recognised.append)
        wait_until(lambda: done or failed)
        assert [record.id for record in done[0].records] == ["made-0003"] and len(recognised) == 1
