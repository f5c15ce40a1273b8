"""Reading beside writing: other processes read what is much, and what becomes of it is the same."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import Sequence

import pytest
from small_records import document

from plugin.core.errors import UnreadableDocument
from plugin.core.library import batch_writer, reader_pool, worker_process
from plugin.core.library.bulk_import import import_documents
from plugin.core.library.journal import Journal
from plugin.core.library.parsed_chunks import SourceDocument, read_chunk
from plugin.core.library.query import LibraryQuery
from plugin.core.library.record_copies import IncomingRecord, Origin, PackedBlock
from plugin.core.library.record_store import RecordStore
from plugin.core.library.record_writer import _plan_entries

ENVELOPE = (
    b'<csw:GetRecordsResponse xmlns:csw="http://www.opengis.net/cat/csw/2.0.2"><csw:SearchResults>'
    + document(901, "Uno") + document(902, "Dos") + document(901, "Otro uno")
    + b"</csw:SearchResults></csw:GetRecordsResponse>"
)  # fmt: skip
MIXED: Sequence[SourceDocument] = (
    ("a.xml", document(1, "Mapa — «de» ñandúes")), ("broken.xml", b"<a>"), ("page", ENVELOPE),
    ("gone", UnreadableDocument("Lost")), ("b.xml", document(2, "Otro", stamp="2020-01-01")),
)  # fmt: skip

only_with_processes = pytest.mark.skipif(worker_process.find_python() is None,
                                         reason="no process of Python can be started here")


@pytest.fixture
def beside(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything is read by other processes, wherever the tests run."""
    monkeypatch.setattr(reader_pool, "PROCESS_THRESHOLD_BYTES", -1)
    monkeypatch.setattr(reader_pool, "_cores", lambda: 2)


@only_with_processes
def test_a_process_reads_what_is_read_here(beside: None) -> None:
    here = read_chunk(MIXED)
    with reader_pool.ReaderPool() as some:
        there = some.submit(MIXED).result()
    assert sorted(there.failures) == sorted(here.failures) and len(here.failures) == 2
    assert len(here.records) == 5
    for mine, theirs in zip(here.records, there.records):
        assert (theirs.row, theirs.location, theirs.digest) == (mine.row, mine.location, mine.digest)
        assert (theirs.original, theirs.size) == (mine.original, len(mine.original))
        assert mine.block is not None and theirs.block is not None
        assert (theirs.block.body, theirs.block_index) == (mine.block.body, mine.block_index)


@only_with_processes
def test_what_an_answer_holds_beside_records_is_told_wherever_it_is_read(beside: None) -> None:
    strange = b'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/>'
    answer = (b'<GetRecordsResponse xmlns="http://www.opengis.net/cat/csw/2.0.2"><SearchResults>' + strange +
              document(1, "Uno") + b"</SearchResults></GetRecordsResponse>")
    with reader_pool.ReaderPool() as some:
        there = some.submit([("answer.xml", answer)]).result()
    for chunk in (read_chunk([("answer.xml", answer)]), there):
        assert len(chunk.records) == 1
        [(place, said)] = chunk.failures
        assert place == "answer.xml" and "1 record of a format" in said and "RDF" in said


@only_with_processes
def test_a_process_that_is_killed_costs_nothing(beside: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[worker_process.WorkerProcess] = []
    begin = worker_process.WorkerProcess.__init__

    def noted(self: worker_process.WorkerProcess, executable: str, module: str) -> None:
        begin(self, executable, module)
        begun.append(self)

    def killing():
        for number in range(400):
            if number == 150:
                for one in begun:
                    os.kill(one._process, signal.SIGKILL)
            yield f"{number}.xml", document(number, f"Mapa {number}")

    monkeypatch.setattr(worker_process.WorkerProcess, "__init__", noted)
    store = RecordStore(tmp_path / "records.sqlite")
    summary = import_documents(store, "a", "folder", "A", killing())
    assert begun and (summary.new, summary.failure_count) == (400, 0)
    got = store.load_record("id-399")
    assert got is not None and got.original == document(399, "Mapa 399")
    store.close()


def test_where_no_process_can_be_started_all_is_read_here(beside: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_process, "find_python", lambda: "/nowhere/python3")
    with reader_pool.ReaderPool() as some:
        assert len(some.submit(MIXED).result().records) == 5


@pytest.mark.parametrize("program", ["#!/bin/sh\nexit 0\n", "#!/bin/sh\necho ready\n"])
def test_a_program_that_is_not_this_python_is_not_worked_with(beside: None, tmp_path: Path,
                                                              monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    other = tmp_path / "python3"
    other.write_text(program, encoding="utf-8")
    other.chmod(0o755)
    monkeypatch.setattr(worker_process, "find_python", lambda: str(other))
    with reader_pool.ReaderPool() as some:
        assert len(some.submit(MIXED).result().records) == 5


def test_where_the_running_program_is_no_python_none_is_guessed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "base_exec_prefix", "/nowhere")
    assert worker_process.find_python() is None
    monkeypatch.undo()
    monkeypatch.setattr(sys, "platform", "win32")
    assert worker_process.find_python() is None


def test_an_import_leaves_the_interpreters_settings_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[float] = []
    monkeypatch.setattr(sys, "setswitchinterval", told.append)
    store = RecordStore(tmp_path / "records.sqlite")
    import_documents(store, "a", "folder", "A", [("1.xml", document(1, "Uno"))])
    store.close()
    assert told == []


def test_blocks_are_taken_whole_or_packed_anew(tmp_path: Path) -> None:
    read = read_chunk([(f"{n}.xml", document(n, f"Mapa {n}")) for n in range(40)]).records
    blocks = list(dict.fromkeys(one.block for one in read))
    assert len(blocks) > 2 and all(isinstance(block, PackedBlock) for block in blocks)
    assert [body for _, _, body in _plan_entries(read)] == [block.body for block in blocks if block]
    torn = [one for number, one in enumerate(read) if number != 1]
    first = blocks[0]
    assert first is not None
    assert [(begin, end) for begin, end, body in _plan_entries(torn) if body is None] == [(0, len(first.sizes) - 1)]
    turned: list[IncomingRecord] = list(reversed(read))
    assert all(body is None for _, _, body in _plan_entries(turned))
    assert sum(end - begin for begin, end, _ in _plan_entries(turned)) == 40


def test_what_was_read_in_part_before_comes_back_as_it_was(tmp_path: Path) -> None:
    """Records that are the same already tear blocks apart: each original is still the right one."""
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


@only_with_processes
def test_a_process_writes_what_is_written_here(beside: None, tmp_path: Path) -> None:
    """Whichever process wrote, the store holds the same, and says the same of what came, came again and vanished."""
    every = [(f"{n}.xml", document(n, f"Mapa {n}")) for n in range(120)]
    found = []
    for folder in ("here", "there"):
        store = RecordStore(tmp_path / folder / "records.sqlite")
        with batch_writer.BatchWriter(store, Origin("a", "folder", "A", "2020-01-01T00:00:00+00:00"),
                                      marks=True) as some:
            first = some.write([read_chunk(every)], folder == "there").result()
            again = some.write([read_chunk([*every[:7], ("8.xml", document(8, "Otro"))])], folder == "there").result()
            assert (some._process is not None) == (folder == "there")
        assert (first.new, again.new, again.changed, again.same) == (120, 0, 1, 7)
        assert len(first.copy_keys) == 120 * batch_writer.COPY_KEY_BYTES
        assert [store.load_record(f"id-{n}").original for n in (0, 8, 119)] == [  # type: ignore[union-attr]
            every[0][1], document(8, "Otro"), every[119][1]
        ]
        found.append(
            (first, again, [hit.identifier for hit in store.search(LibraryQuery(text="mapa"), limit=200).hits]))
        store.close()
    assert found[0] == found[1]


@only_with_processes
def test_what_another_process_cannot_write_is_written_here(beside: None, tmp_path: Path) -> None:
    """A damaged store is mended by this process, which tells of it; what was acknowledged is all there."""
    store = RecordStore(tmp_path / "records.sqlite")
    with batch_writer.BatchWriter(store, Origin("a", "folder", "A", "2020-01-01T00:00:00+00:00"), marks=False) as some:
        some.write([read_chunk([(f"{n}.xml", document(n, f"Mapa {n}")) for n in range(50)])], use_process=True).result()
        with store._connections.write_transaction() as connection:
            connection.execute("DROP TABLE words")
        written = some.write([read_chunk([("x.xml", document(900, "Nueva"))])], use_process=True).result()
        assert written.new == 1 and some._python is None
    assert store.notices and store.count_records() == 51
    store.close()


@only_with_processes
def test_a_complete_import_by_processes_knows_what_vanished(beside: None, tmp_path: Path) -> None:
    store = RecordStore(tmp_path / "records.sqlite")
    every = [(f"{n}.xml", document(n, f"Mapa {n}")) for n in range(30)]
    told: list[int] = []
    import_documents(store, "a", "folder", "A", every, lambda so_far: told.append(so_far.records), complete=True)
    summary = import_documents(store, "a", "folder", "A", every[:-2], complete=True)
    assert told[-1] == 30 and (summary.same, summary.vanished) == (28, 2)
    assert store.find_copies("id-29")[0].vanished_at and not store.find_copies("id-0")[0].vanished_at
    store.close()
