"""Batches of an import into the store: by another process where there are many, which leaves this one to its window."""

from __future__ import annotations

import hashlib
import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, List, Optional, Protocol, Sequence

from . import worker_process
from .parsed_chunks import ParsedChunk
from .record_copies import CHANGED, NEW, SAME, IncomingRecord, Origin, identifier_of

#: between batches, so that another QGIS can write
PAUSE = 0.002
COPY_KEY_BYTES = 8


class RecordSink(Protocol):
    """What an import needs of the store."""

    @property
    def path(self) -> Path:
        """Its file, which another process opens too."""

    def save_rows(self, origin: Origin, batch: Sequence[IncomingRecord]) -> List[str]:
        """Keep a batch; "new", "changed", "same" for each."""

    def merge_segments(self, cancelled: Optional[Callable[[], bool]] = None) -> None:
        """Join the pieces that many batches left."""

    def mark_unseen_as_vanished(self, source: str, is_seen: Callable[[str, str], bool]) -> int:
        """Mark what a complete reading of a source did not come across."""


@dataclass(frozen=True)
class BatchOutcome:
    """What became of a batch; ``marks`` are those of its copies, one after another, where they were wanted."""

    new: int
    changed: int
    same: int
    copy_keys: bytes = b""


def copy_key(identifier: str, location: str) -> bytes:
    """What tells one copy of a source from the others, in few bytes."""
    return hashlib.blake2b(f"{identifier}\n{location}".encode("utf-8", "replace"), digest_size=COPY_KEY_BYTES).digest()


def save_batch(save_rows: Callable[[Origin, Sequence[IncomingRecord]], List[str]], origin: Origin,
               batch: Sequence[IncomingRecord], with_keys: bool) -> BatchOutcome:
    """Write a batch by ``work``, and count what became of it."""
    outcomes = save_rows(origin, batch) if batch else []
    seen = b"".join(copy_key(identifier_of(origin.source, one), one.location) for one in batch) if with_keys else b""
    return BatchOutcome(outcomes.count(NEW), outcomes.count(CHANGED), outcomes.count(SAME), seen)


class BatchWriter:
    """Writes one batch after another; ``marks``: whether those of the copies are wanted."""

    def __init__(self, store: RecordSink, origin: Origin, marks: bool) -> None:
        self._store, self._origin, self._with_keys = store, origin, marks
        self._thread = ThreadPoolExecutor(1, "cartoguide-import-write")
        self._process: Optional[worker_process.WorkerProcess] = None
        self._python = worker_process.find_python()

    def write(self, chunks: Sequence[ParsedChunk], use_process: bool) -> Future[BatchOutcome]:
        """Write a batch, ``beside`` by another process if there can be one; else it is written when this returns."""
        future = self._thread.submit(self._write_in_process if use_process else self._write_in_thread, chunks)
        if not use_process or self._python is None:
            future.exception()  # it is waited for; whoever takes the result is told
        return future

    def __enter__(self) -> BatchWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self._thread.shutdown()
        if self._process is not None:
            self._process.close()

    def _write_in_thread(self, chunks: Sequence[ParsedChunk]) -> BatchOutcome:
        batch = [one for chunk in chunks for one in chunk.records]
        written = save_batch(self._store.save_rows, self._origin, batch, self._with_keys)
        time.sleep(PAUSE)
        return written

    def _write_in_process(self, chunks: Sequence[ParsedChunk]) -> BatchOutcome:
        from . import worker_writing

        if self._python is None:
            return self._write_in_thread(chunks)
        try:
            if self._process is None:
                self._process = worker_process.WorkerProcess(self._python, worker_writing.__name__)
            return worker_writing.write_in_worker(self._process, self._store.path, self._origin, chunks,
                                                  self._with_keys)
        except (OSError, EOFError, ValueError):
            self._python = None
            return self._write_in_thread(chunks)
