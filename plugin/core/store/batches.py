"""Batches of an import into the store: by another process where there are many, which leaves this one to its window."""

from __future__ import annotations

import hashlib
import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, List, Optional, Protocol, Sequence

from . import worker
from .chunks import Chunk
from .copies import CHANGED, NEW, SAME, Incoming, Origin, identifier_of

#: between batches, so that another QGIS can write
PAUSE = 0.002
MARK_BYTES = 8


class Target(Protocol):
    """What an import needs of the store."""

    @property
    def path(self) -> Path:
        """Its file, which another process opens too."""

    def put_rows(self, origin: Origin, batch: Sequence[Incoming]) -> List[str]:
        """Keep a batch; "new", "changed", "same" for each."""

    def tidy(self, cancelled: Optional[Callable[[], bool]] = None) -> None:
        """Join the pieces that many batches left."""

    def vanish_unseen(self, source: str, is_seen: Callable[[str, str], bool]) -> int:
        """Mark what a complete reading of a source did not come across."""


@dataclass(frozen=True)
class Written:
    """What became of a batch; ``marks`` are those of its copies, one after another, where they were wanted."""

    new: int
    changed: int
    same: int
    marks: bytes = b""


def mark(identifier: str, place: str) -> bytes:
    """What tells one copy of a source from the others, in few bytes."""
    return hashlib.blake2b(f"{identifier}\n{place}".encode("utf-8", "replace"), digest_size=MARK_BYTES).digest()


def put(
    work: Callable[[Origin, Sequence[Incoming]], List[str]], origin: Origin, batch: Sequence[Incoming], marks: bool
) -> Written:
    """Write a batch by ``work``, and count what became of it."""
    outcomes = work(origin, batch) if batch else []
    seen = b"".join(mark(identifier_of(origin.source, one), one.place) for one in batch) if marks else b""
    return Written(outcomes.count(NEW), outcomes.count(CHANGED), outcomes.count(SAME), seen)


class Batches:
    """Writes one batch after another; ``marks``: whether those of the copies are wanted."""

    def __init__(self, store: Target, origin: Origin, marks: bool) -> None:
        self._store, self._origin, self._marks = store, origin, marks
        self._thread = ThreadPoolExecutor(1, "cartoguide-import-write")
        self._process: Optional[worker.Worker] = None
        self._python = worker.python()

    def write(self, chunks: Sequence[Chunk], beside: bool) -> Future[Written]:
        """Write a batch, ``beside`` by another process if there can be one; else it is written when this returns."""
        future = self._thread.submit(self._write_beside if beside else self._write_here, chunks)
        if not beside or self._python is None:
            future.exception()  # it is waited for; whoever takes the result is told
        return future

    def __enter__(self) -> Batches:
        return self

    def __exit__(self, *_: object) -> None:
        self._thread.shutdown()
        if self._process is not None:
            self._process.close()

    def _write_here(self, chunks: Sequence[Chunk]) -> Written:
        batch = [one for chunk in chunks for one in chunk.found]
        written = put(self._store.put_rows, self._origin, batch, self._marks)
        time.sleep(PAUSE)
        return written

    def _write_beside(self, chunks: Sequence[Chunk]) -> Written:
        from . import worker_writing

        if self._python is None:
            return self._write_here(chunks)
        try:
            if self._process is None:
                self._process = worker.Worker(self._python, worker_writing.__name__)
            return worker_writing.write(self._process, self._store.path, self._origin, chunks, self._marks)
        except (OSError, EOFError, ValueError):
            self._python = None
            return self._write_here(chunks)
