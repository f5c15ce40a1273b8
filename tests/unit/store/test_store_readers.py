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
from plugin.core.store import readers, worker
from plugin.core.store.chunks import Document, read_chunk
from plugin.core.store.copies import Block, Incoming
from plugin.core.store.importing import import_documents
from plugin.core.store.journal import Journal
from plugin.core.store.store import Store
from plugin.core.store.writing import _parts

ENVELOPE = (
    b'<csw:GetRecordsResponse xmlns:csw="http://www.opengis.net/cat/csw/2.0.2"><csw:SearchResults>'
    + document(901, "Uno") + document(902, "Dos") + document(901, "Otro uno")
    + b"</csw:SearchResults></csw:GetRecordsResponse>"
)  # fmt: skip
MIXED: Sequence[Document] = (
    ("a.xml", document(1, "Mapa — «de» ñandúes")), ("broken.xml", b"<a>"), ("page", ENVELOPE),
    ("gone", UnreadableDocument("Lost")), ("b.xml", document(2, "Otro", stamp="2020-01-01")),
)  # fmt: skip

only_with_processes = pytest.mark.skipif(worker.python() is None, reason="no process of Python can be started here")


@pytest.fixture
def beside(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything is read by other processes, wherever the tests run."""
    monkeypatch.setattr(readers, "FEW_BYTES", -1)
    monkeypatch.setattr(readers, "_cores", lambda: 2)


@only_with_processes
def test_a_process_reads_what_is_read_here(beside: None) -> None:
    here = read_chunk(MIXED)
    with readers.Readers() as some:
        there = some.submit(MIXED).result()
    assert sorted(there.failed) == sorted(here.failed) and len(here.failed) == 2
    assert len(here.found) == 5
    for mine, theirs in zip(here.found, there.found):
        assert (theirs.row, theirs.place, theirs.data, theirs.digest) == (mine.row, mine.place, mine.data, mine.digest)
        assert mine.block is not None and theirs.block is not None
        assert (theirs.block.body, theirs.number) == (mine.block.body, mine.number)


@only_with_processes
def test_a_process_that_is_killed_costs_nothing(
    beside: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[worker.Worker] = []
    begin = worker.Worker.__init__

    def noted(self: worker.Worker, executable: str) -> None:
        begin(self, executable)
        begun.append(self)

    def killing():
        for number in range(400):
            if number == 150:
                for one in begun:
                    os.kill(one._process, signal.SIGKILL)
            yield f"{number}.xml", document(number, f"Mapa {number}")

    monkeypatch.setattr(worker.Worker, "__init__", noted)
    store = Store(tmp_path / "records.sqlite")
    summary = import_documents(store, "a", "folder", "A", killing())
    assert begun and (summary.new, summary.failures) == (400, 0)
    got = store.get("id-399")
    assert got is not None and got.original == document(399, "Mapa 399")
    store.close()


def test_where_no_process_can_be_started_all_is_read_here(beside: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "python", lambda: "/nowhere/python3")
    with readers.Readers() as some:
        assert len(some.submit(MIXED).result().found) == 5


@pytest.mark.parametrize("program", ["#!/bin/sh\nexit 0\n", "#!/bin/sh\necho ready\n"])
def test_a_program_that_is_not_this_python_is_not_worked_with(
    beside: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str
) -> None:
    other = tmp_path / "python3"
    other.write_text(program, encoding="utf-8")
    other.chmod(0o755)
    monkeypatch.setattr(worker, "python", lambda: str(other))
    with readers.Readers() as some:
        assert len(some.submit(MIXED).result().found) == 5


def test_where_the_running_program_is_no_python_none_is_guessed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "base_exec_prefix", "/nowhere")
    assert worker.python() is None
    monkeypatch.undo()
    monkeypatch.setattr(sys, "platform", "win32")
    assert worker.python() is None


def test_an_import_leaves_the_interpreters_settings_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[float] = []
    monkeypatch.setattr(sys, "setswitchinterval", told.append)
    store = Store(tmp_path / "records.sqlite")
    import_documents(store, "a", "folder", "A", [("1.xml", document(1, "Uno"))])
    store.close()
    assert told == []


def test_blocks_are_taken_whole_or_packed_anew(tmp_path: Path) -> None:
    read = read_chunk([(f"{n}.xml", document(n, f"Mapa {n}")) for n in range(40)]).found
    blocks = list(dict.fromkeys(one.block for one in read))
    assert len(blocks) > 2 and all(isinstance(block, Block) for block in blocks)
    assert [body for _, _, body in _parts(read)] == [block.body for block in blocks if block]
    torn = [one for number, one in enumerate(read) if number != 1]
    first = blocks[0]
    assert first is not None
    assert [(begin, end) for begin, end, body in _parts(torn) if body is None] == [(0, first.count - 1)]
    turned: list[Incoming] = list(reversed(read))
    assert all(body is None for _, _, body in _parts(turned))
    assert sum(end - begin for begin, end, _ in _parts(turned)) == 40


def test_what_was_read_in_part_before_comes_back_as_it_was(tmp_path: Path) -> None:
    """Records that are the same already tear blocks apart: each original is still the right one."""
    store = Store(tmp_path / "records.sqlite")
    every = [(f"{n}.xml", document(n, f"Mapa {n}")) for n in range(60)]
    import_documents(store, "a", "folder", "A", every[::7])
    summary = import_documents(store, "a", "folder", "A", every)
    assert (summary.new, summary.same) == (60 - len(every[::7]), len(every[::7]))
    for number in range(60):
        got = store.get(f"id-{number}")
        assert got is not None and got.original == every[number][1]
    assert sum(len(list(entry.records())) for entry in Journal(tmp_path / "records.journal").entries()) == 60
    store.close()
