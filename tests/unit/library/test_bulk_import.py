"""Bulk imports, and index rows that are equal whichever reader made them."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_records import document

from plugin.core.errors import CartoguideError, UnreadableDocument
from plugin.core.library import bulk_import
from plugin.core.library.bulk_import import ImportSummary, import_documents, read_document
from plugin.core.library.failure_groups import ImportFailure, failure_counts, failure_lines, failure_outline
from plugin.core.library.index import row_extraction
from plugin.core.library.index.index_row import index_row, tokenize
from plugin.core.library.journal import Journal
from plugin.core.library.query import LibraryQuery
from plugin.core.library.record_store import RecordStore
from plugin.core.records import read
from plugin.core.text import fold
from tests.examples import examples

REPOSITORY = Path(__file__).resolve().parents[3]
FIXTURES = REPOSITORY / "tests" / "unit" / "fixtures"
#: more samples of the field, where they are at hand
SAMPLES = os.environ.get("CARTOGUIDE_SAMPLES", "")


def documents(*numbers: int, title: str = "Mapa") -> list[tuple[str, bytes]]:
    return [(f"{n}.xml", document(n, f"{title} {n}")) for n in numbers]


def outcome(summary: ImportSummary) -> tuple[int, int, int, int]:
    return summary.new, summary.changed, summary.same, summary.failure_count


def test_an_import_says_what_was_new_changed_same_or_failed(store: RecordStore) -> None:
    bad = [("broken.xml", b"<a>"), ("x.png", b"\x89PNG\r\n"), ("gone", UnreadableDocument("Lost"))]
    summary = import_documents(store, "a", "folder", "A", [*documents(1, 2, 3), *bad])
    assert outcome(summary) == (3, 0, 0, 3)
    assert [failure.location for failure in summary.failure_reasons] == ["broken.xml", "x.png", "gone"]
    assert all(failure.reason and failure.group for failure in summary.failure_reasons)
    again = import_documents(store, "a", "folder", "A", [*documents(1, 4), *documents(2, title="Otro")])
    assert outcome(again) == (1, 1, 1, 0)
    assert {hit.title for hit in store.search(LibraryQuery()).hits} == {"Mapa 1", "Otro 2", "Mapa 3", "Mapa 4"}


def test_many_batches_are_all_there(store: RecordStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bulk_import, "_BATCH_RECORDS", 30)
    told: list[int] = []
    summary = import_documents(store, "a", "folder", "A", documents(*range(200)), lambda s: told.append(s.records))
    assert outcome(summary) == (200, 0, 0, 0)
    assert told == sorted(told) and told[-1] == 200 and len(told) > 4
    assert store.count_records() == 200
    got = store.load_record("id-150")
    assert got is not None and got.original == document(150, "Mapa 150")


def test_a_complete_reading_knows_which_copies_it_met(store: RecordStore) -> None:
    assert import_documents(store, "a", "folder", "A", documents(1, 2, 3)).is_seen is None
    other = [("1.xml", document(7, "Otra")), *documents(3)]
    is_seen = import_documents(store, "a", "folder", "A", other, complete=True).is_seen
    assert is_seen is not None
    assert [is_seen(f"id-{number}", f"{place}.xml") for number, place in ((1, 1), (7, 1), (2, 2), (3, 3))] == [
        False, True, False, True]


def test_a_cancelled_import_keeps_what_was_acknowledged(store: RecordStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bulk_import, "_BATCH_RECORDS", 10)
    told: list[int] = []

    def endless() -> Iterator[tuple[str, bytes]]:
        number = 0
        while True:
            yield f"{number}.xml", document(number, "Mapa")
            number += 1

    summary = import_documents(
        store, "a", "folder", "A", endless(), lambda s: told.append(s.records), lambda: len(told) >= 3, complete=True
    )
    assert summary.cancelled
    assert store.count_records() == summary.records == told[-1] >= 20


def test_a_source_that_breaks_off_loses_nothing_that_was_told(store: RecordStore,
                                                              monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bulk_import, "_BATCH_RECORDS", 10)
    told: list[int] = []

    def breaking() -> Iterator[tuple[str, bytes]]:
        yield from documents(*range(60))
        raise CartoguideError("The server went away")

    with pytest.raises(CartoguideError, match="went away"):
        import_documents(store, "a", "csw", "A", breaking(), lambda s: told.append(s.records))
    assert store.count_records() == (told[-1] if told else 0)


def test_an_envelope_gives_each_of_its_records_even_twice_the_same_identifier(store: RecordStore) -> None:
    one, two = document(1, "Uno"), document(1, "Otro uno", stamp="2024-01-01")
    envelope = (
        b'<csw:GetRecordsResponse xmlns:csw="http://www.opengis.net/cat/csw/2.0.2"><csw:SearchResults>'
        + one + document(2, "Dos") + two + b"</csw:SearchResults></csw:GetRecordsResponse>"
    )  # fmt: skip
    for wanted in ((3, 0, 0, 0), (0, 0, 3, 0)):
        assert outcome(import_documents(store, "a", "csw", "A", [("page 1", envelope)], complete=True)) == wanted
    assert {hit.title for hit in store.search(LibraryQuery()).hits} == {"Otro uno", "Dos"}
    assert [copy.location for copy in store.find_copies("id-1")] == ["page 1#2", "page 1"]
    got = store.load_record("id-2")
    assert got is not None and got.title == "Dos"


def sample_files() -> list[Path]:
    found = [path for path in FIXTURES.rglob("*") if path.suffix in (".xml", ".json")]
    if SAMPLES:
        found += [path for path in Path(SAMPLES).rglob("*") if path.suffix in (".xml", ".json", ".mef", ".zip")]
    return sorted(found)


def test_the_quick_way_gives_the_row_of_the_full_reader() -> None:
    compared = 0
    for path in sample_files():
        data = path.read_bytes()
        try:
            full = [index_row(item) for item in read(data, path.name)]
        except CartoguideError as error:
            with pytest.raises(type(error)) as told:
                row_extraction.index_rows(data, path.name)
            assert str(told.value) == str(error)
            continue
        assert [row for row, _ in row_extraction.index_rows(data, path.name)] == full, path
        compared += len(full)
    assert compared >= 5


def test_the_quick_way_agrees_on_many_made_records() -> None:
    sys.path.insert(0, str(REPOSITORY / "tests" / "bench"))
    from varied_records import records

    for data in records(300):
        assert [row for row, _ in row_extraction.index_rows(data)] == [index_row(item) for item in read(data)]


@pytest.mark.parametrize("words", ["Es obligatorio citar: © Instituto Geográfico", "Must be credited as: IGN", "IGN"])
def test_the_quick_way_reads_the_terms_of_a_credit(words: str) -> None:
    text = (FIXTURES / "records" / "service_editor.xml").read_text(encoding="utf-8")
    text = re.sub("<gmd:resourceConstraints>.*?</gmd:resourceConstraints>", "", text, flags=re.DOTALL)
    data = text.replace(
        "<gmd:abstract>", f"<gmd:credit><gco:CharacterString>{words}</gco:CharacterString></gmd:credit><gmd:abstract>",
        1).encode()
    assert words.encode() in data
    assert [row for row, _ in row_extraction.index_rows(data)] == [index_row(item) for item in read(data)]


@pytest.mark.parametrize("name", ["abstract", "citation", "resourceConstraints", "pointOfContact", "extent"])
def test_the_quick_way_reads_what_elements_of_a_profile_stand_for(name: str) -> None:
    text = (FIXTURES / "records" / "service_editor.xml").read_text(encoding="utf-8")
    data = re.sub(rf"<gmd:{name}>(.*?)</gmd:{name}>", rf'<my:own_{name} gco:isoType="gmd:{name}">\1</my:own_{name}>',
                  text, flags=re.DOTALL)
    data = data.replace("<gmd:MD_Metadata", '<gmd:MD_Metadata xmlns:my="https://profile.example"', 1)
    assert f"my:own_{name}" in data
    assert [row for row, _ in row_extraction.index_rows(data.encode())] == [
        index_row(item) for item in read(data.encode())]


def test_every_row_can_be_read_again_from_the_records_own_bytes() -> None:
    for path in sample_files():
        data = path.read_bytes()
        try:
            found = row_extraction.index_rows(data, path.name)
        except CartoguideError:
            continue
        for row, own in found:
            assert row_extraction.read_index_row(own, path.name, row.identifier) == row, path


@settings(max_examples=examples(400), deadline=None)
@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=60))
def test_words_are_the_words_of_the_folded_text(text: str) -> None:
    import re

    assert tokenize(text) == re.findall(r"[^\W_]+", fold(text))


def test_every_character_parts_or_joins_words_as_it_does_when_folded() -> None:
    import re

    for code in (*range(0x3000), *range(0x3000, 0x110000, 31)):
        if not 0xD800 <= code < 0xE000:
            text = f"a{chr(code)}b"
            assert tokenize(text) == re.findall(r"[^\W_]+", fold(text)), hex(code)


def test_what_an_answer_holds_beside_records_is_a_failure() -> None:
    strange = b'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/>'
    answer = (b'<GetRecordsResponse xmlns="http://www.opengis.net/cat/csw/2.0.2"><SearchResults>' + strange
              + document(1, "Uno") + b"</SearchResults></GetRecordsResponse>")
    records, [failure] = read_document("answer.xml", answer)
    assert len(records) == 1 and "1 record in a format" in failure.reason and "RDF" in failure.reason


def test_a_record_that_the_library_has_from_elsewhere_counts_as_a_copy(store: RecordStore) -> None:
    twice = [*documents(1, 2), ("again/1.xml", document(1, "Mapa 1"))]
    first = import_documents(store, "a", "folder", "A", twice)
    assert (first.new, first.copies, first.same, first.records) == (3, 1, 0, 3)
    other = import_documents(store, "b", "folder", "B", documents(2, 3))
    assert (other.new, other.copies, other.same) == (2, 1, 0)
    assert store.count_records() == 3
    again = import_documents(store, "a", "folder", "A", twice)
    assert (again.new, again.copies, again.same) == (0, 0, 3)


def test_a_record_that_is_imported_again_is_read_as_today_although_its_document_is_the_same(store: RecordStore) -> None:
    data = (FIXTURES / "records" / "service_editor.xml").read_bytes()
    import_documents(store, "a", "folder", "A", [("a.xml", data)])
    before = store.search(LibraryQuery()).hits
    size = store.journal_size()
    for change in ("UPDATE record SET free = 'undecided', credit_required = 'undecided'",
                   "UPDATE record SET title = '?'"):
        with store.connections.write_transaction() as connection:
            connection.execute(change)
        assert store.search(LibraryQuery()).hits != before
        summary = import_documents(store, "a", "folder", "A", [("a.xml", data)])
        assert (summary.same, summary.records) == (1, 1)
        assert store.search(LibraryQuery()).hits == before
    assert store.journal_size() == size
    with store.connections.read_transaction() as connection:
        changes = connection.execute("SELECT count(*) FROM change").fetchone()
    import_documents(store, "a", "folder", "A", [("a.xml", data)])
    with store.connections.read_transaction() as connection:
        assert connection.execute("SELECT count(*) FROM change").fetchone() == changes


def test_a_batch_with_the_saved_version_and_a_newer_one_shows_the_newer(store: RecordStore) -> None:
    old, new = (document(1, title) for title in ("Viejo", "Nuevo"))
    import_documents(store, "a", "folder", "A", [("a.xml", old)])
    for batch, title in (([old, new], "Nuevo"), ([new, old], "Viejo"), ([new, new], "Nuevo")):
        import_documents(store, "a", "folder", "A", [("a.xml", data) for data in batch])
        assert [hit.title for hit in store.search(LibraryQuery()).hits] == [title]
        record = store.load_record("id-1")
        assert record is not None and record.title == title


def test_failures_are_grouped_by_their_reason(store: RecordStore) -> None:
    capabilities = b'<WMS_Capabilities version="1.3.0" xmlns="http://www.opengis.net/wms"/>'
    bad = [*((f"caps/{n}.xml", capabilities) for n in range(3)), ("broken.xml", b"<a>"), ("cut.xml", b"<b><c>"),
           ("feed.xml", b'<html xmlns="http://www.w3.org/1999/xhtml"/>')]
    summary = import_documents(store, "a", "folder", "A", [*documents(1), *bad])
    assert (summary.failure_count, summary.not_records) == (6, 4)
    assert failure_counts(summary.failure_count, summary.not_records) == (
        "4 files without catalogue records. 2 documents could not be read.")
    lines = failure_outline(summary.failure_reasons, summary.failure_count).split("\n")
    assert lines[:4] == ["3 × not a catalogue record but a WMS capabilities document", "\tcaps/0.xml", "\tcaps/1.xml",
                         "\tcaps/2.xml"]
    assert lines[4].startswith("2 × ") and lines[5].startswith("\tbroken.xml") and lines[6].startswith("\tcut.xml")
    assert len(lines) == 8 and "feed.xml" in lines[7]
    logged = failure_lines(summary.failure_reasons)
    assert len(logged) == 3 and logged[0].endswith("document: caps/0.xml, caps/1.xml, caps/2.xml")


def test_an_outline_counts_what_it_does_not_list() -> None:
    failures = [ImportFailure(f"{n}.xml", "No.", "refused") for n in range(250)]
    lines = failure_outline(failures, 1250).split("\n")
    assert lines[0] == "250 × refused" and lines[-2:] == ["\t… and 50 more", "… and 1000 more"]


def test_an_import_leaves_the_interpreters_settings_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[float] = []
    monkeypatch.setattr(sys, "setswitchinterval", told.append)
    store = RecordStore(tmp_path / "records.sqlite")
    import_documents(store, "a", "folder", "A", [("1.xml", document(1, "Uno"))])
    store.close()
    assert told == []


def test_what_was_read_in_part_before_comes_back_as_it_was(tmp_path: Path) -> None:
    """Unchanged records split a block: each record still has its own original."""
    store = RecordStore(tmp_path / "records.sqlite")
    every = [(f"{n}.xml", document(n, f"Mapa {n}")) for n in range(60)]
    import_documents(store, "a", "folder", "A", every[::7])
    summary = import_documents(store, "a", "folder", "A", every)
    assert (summary.new, summary.same) == (60 - len(every[::7]), len(every[::7]))
    for number in range(60):
        got = store.load_record(f"id-{number}")
        assert got is not None and got.original == every[number][1]
    assert sum(len(list(entry.records())) for entry in Journal(tmp_path / "records.journal").entries()) == 60
    store.close()
