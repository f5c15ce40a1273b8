"""The records at hand: one for each identifier, and found by the beginnings of words."""

import random
import time

import pytest

from plugin.core.catalogue.library import Library
from plugin.core.profiles import bundled
from plugin.core.records import read
from plugin.core.records.model import Contact, KeywordGroup, OnlineResource, Record

MARK = (KeywordGroup(("cartoguide:starter",)),)


def made(record_id, title, **fields):
    return Record("x", id=record_id, title=title, **fields)


def link(url):
    return (OnlineResource(url, "OGC:WMS"),)


@pytest.fixture(name="library")
def _library():
    library = Library()
    for record in (
            made("a1", "Precipitación total diaria", keywords=("lluvia", "clima"),
                 abstract="Estaciones automáticas de la red"),
            made("b2", "Mapa guía del Parque Natural Despeñaperros", keywords=("cartografía",),
                 abstract="Base del mapa de lluvia no"),
            made("c3", "Equipamientos de uso público", contacts=(Contact(organisation="REDIAM. Junta de Andalucía"),)),
            made("d4", "Árboles singulares", keywords=("guía",))):
        library.add(record)
    return library


@pytest.mark.parametrize(("text", "expected"), [
    ("precipitacion", ["a1"]), ("PRECIPITACIÓN", ["a1"]), ("precip", ["a1"]), ("cipitacion", []), ("guia", ["b2",
                                                                                                            "d4"]),
    ("mapa guia", ["b2"]), ("guia mapa", ["b2"]), ("mapa lluvia", ["b2"]), ("lluvia", ["a1", "b2"]), ("rediam", ["c3"]),
    ("andalucia junta", ["c3"]), ("d4", ["d4"]), ("arbol", ["d4"]), ("despenaperros", ["b2"]), ("mapa playa", []),
    ("'\"%_*", ["d4", "c3", "b2", "a1"]),
])
def test_every_word_must_begin_a_word_accents_or_not(library, text, expected):
    assert [record.id for record in library.search(text)] == expected


def test_a_hit_in_the_title_comes_first_and_whole_words_before_beginnings():
    library = Library()
    for record in (made("1", "Abc", abstract="mapa mapa"), made("2", "Mapas"), made("3", "Un mapa"), made("4", "Abd",
        keywords=("mapa",))):
        library.add(record)
    assert [record.id for record in library.search("mapa")] == ["3", "2", "4", "1"]


def test_they_come_in_the_order_of_their_titles(library):
    assert [record.title for record in library] == sorted((record.title for record in library),
                                                          key=lambda title: title.replace("Á", "A"))
    assert len(library) == 4 and "a1" in library and "zz" not in library


def test_the_newest_of_one_identifier_counts_and_the_others_are_listed():
    library = Library()
    old, new = made("a", "Old", date_stamp="2014-01-01"), made("a", "New", date_stamp="2020-05-05T10:00:00")
    assert library.add(new) is new and library.add(old) is new
    assert len(library) == 1 and library.get("a") is new
    assert library.versions("a") == (new, old)
    assert library.search("old") == []


def test_of_equal_stamps_the_last_one_counts():
    library = Library()
    library.add(made("a", "First"))
    assert library.add(made("a", "Second")).title == "Second"


def test_a_starter_gives_way_to_any_record_of_its_identifier_and_never_comes_back():
    library = Library()
    starter, real = made("a", "Starter", keyword_groups=MARK, date_stamp="2099-01-01"), made("a", "Real",
                                                                                             date_stamp="2001-01-01")
    library.add(starter)
    assert library.add(real) is real and library.versions("a") == (real,)
    assert library.add(starter) is real and library.versions("a") == (real,)


def test_a_starter_gives_way_to_its_service_s_record_under_another_identifier():
    library = Library()
    starter = made("sha", "Starter", kind="service", keyword_groups=MARK, online=link("https://x.org/mapwms/A_b?"))
    library.add(starter)
    library.add(made("data", "Dataset", kind="dataset", online=link("https://x.org/mapwms/A_b?")))
    assert "sha" in library
    library.add(made("uuid", "Real", kind="service", online=link("http://X.org/mapwms/A_b?service=WMS&")))
    assert "sha" not in library and library.get("uuid").title == "Real"
    assert library.add(starter).id == "uuid" and len(library) == 2


def test_records_can_be_replaced_and_removed(library):
    library.replace(library.get("a1"), made("z9", "Otra"))
    assert "a1" not in library and library.get("z9").title == "Otra"
    assert library.remove("z9") and not library.remove("z9")
    assert [record.id for record in library.search("otra")] == []


def test_records_without_identifier_do_not_push_each_other_out():
    library = Library()
    for title in ("A", "B"):
        library.add(Record("x", title=title, source="folder.zip!" + title))
    library.add(Record("x"))
    assert len(library) == 3


def test_the_bundled_starters_are_found_by_their_spanish_words():
    library = Library()
    for path in bundled().records:
        for record in read(path.read_bytes(), path.name):
            library.add(record)
    (guide,) = library.search("guia despenaperros")
    assert guide.title == "Mapa guía del Parque Natural Despeñaperros. 2014"
    assert len(library.search("starter")) == 0


def test_ten_thousand_records_are_searched_while_typing():
    words = [f"palabra{n}" for n in range(2000)]
    chance = random.Random(1)
    library = Library()
    for number in range(10_000):
        title, abstract = (" ".join(chance.choices(words, k=count)) for count in (6, 40))
        library.add(made(str(number), title, abstract=abstract))
    library.search("x")
    started = time.perf_counter()
    assert library.search("palabra17 palabra3")
    assert time.perf_counter() - started < 0.5
