"""Many documents into the store: read and written by others (see readers.py and batches.py), acknowledged batch by
batch. What waits between is bounded.
"""

from __future__ import annotations

import time
from collections import deque
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Callable, Deque, Iterable, Iterator, List, Optional, Set, Tuple

from .batches import MARK_BYTES, Batches, Target, Written, mark
from .chunks import Chunk, Document, size_of
from .copies import Origin
from .readers import Readers
from .store import now

#: reasons that a summary lists; the others are only counted
MOST_REASONS = 1000
_CHUNK_DOCUMENTS = 50
_CHUNK_BYTES = 2_000_000
_BATCH_RECORDS = 2000
_BATCH_BYTES = 32_000_000
#: documents that wait to be read, or are being read
_WAITING_BYTES = 12_000_000
#: a slow source's records are not kept waiting longer than this
_BATCH_SECONDS = 2.0
_FIRST_SECONDS = 0.3
#: an import of so many leaves an index in pieces
_MANY = 5000


@dataclass
class Summary:
    """What became of an import. ``failed`` holds the place and reason of the first documents that could not be read;
    ``failures`` counts them all.
    """

    new: int = 0
    changed: int = 0
    same: int = 0
    vanished: int = 0
    failures: int = 0
    failed: List[Tuple[str, str]] = field(default_factory=list)
    cancelled: bool = False
    #: of a complete reading: whether it came across the copy of an identifier at a place
    is_seen: Optional[Callable[[str, str], bool]] = None

    @property
    def records(self) -> int:
        """How many records are in the store because of it, or were there already."""
        return self.new + self.changed + self.same


Told = Callable[[Summary], None]


def import_documents(
    store: Target,
    source: str,
    kind: str,
    title: str,
    documents: Iterable[Optional[Document]],
    told: Optional[Told] = None,
    cancelled: Optional[Callable[[], bool]] = None,
    complete: bool = False,
) -> Summary:
    """Take every record of ``documents`` into the store; ``told`` hears how far it is after each batch. A document that
    is None says that the source has nothing for now: what came is not kept waiting.

    With ``complete`` the documents are all that the source holds: what was not among them is marked as vanished, unless
    the import was cancelled or a document failed. What a batch acknowledged stays whatever happens later.
    """
    with Batches(store, Origin(source, kind, title, now()), complete) as batches, Readers() as readers:
        work = _Import(batches, told, cancelled or (lambda: False), complete)
        work.run(readers, iter(documents))
    work.summary.is_seen = work.is_seen if complete else None
    if work.summary.new + work.summary.changed >= _MANY:
        store.tidy(cancelled)
    if complete and not work.summary.cancelled and not work.summary.failures:
        work.summary.vanished = store.vanish_unseen(source, work.is_seen)
    return work.summary


class _Import:
    def __init__(
        self, batches: Batches, told: Optional[Told], cancelled: Callable[[], bool], complete: bool
    ) -> None:
        self.summary = Summary()
        self._batches = batches
        self._told, self._cancelled = told, cancelled
        self._seen: Optional[Set[bytes]] = set() if complete else None
        self._reading: Deque[Tuple[int, Future[Chunk]]] = deque()
        self._ready: List[Chunk] = []
        self._ready_bytes = 0
        self._writing: Optional[Future[Written]] = None
        # whoever waits sees the first records soon
        self._written_at = time.monotonic() - _BATCH_SECONDS + _FIRST_SECONDS

    def run(self, readers: Readers, documents: Iterator[Optional[Document]]) -> None:
        """Hand the documents on to be read, and write what was read."""
        try:
            self._run(readers, documents)
        finally:
            for _, future in self._reading:
                future.cancel()
            self._settle()

    def is_seen(self, identifier: str, place: str) -> bool:
        """Whether this import came across a copy."""
        return self._seen is None or mark(identifier, place) in self._seen

    def _run(self, readers: Readers, documents: Iterator[Optional[Document]]) -> None:
        for chunk in _chunks(documents, self._is_due):
            if self._stopped():
                return
            if chunk:
                self._reading.append((sum(size_of(data) for _, data in chunk), readers.submit(chunk)))
            while self._reading and (self._reading[0][1].done() or self._waiting_bytes() > _WAITING_BYTES):
                self._collect()
            if self._is_due():
                self._write(readers.beside)
            elif self._writing is not None and self._writing.done():
                self._settle()
        while self._reading:
            if self._stopped():
                return
            self._collect()
            if self._is_due():
                self._write(readers.beside)
        self._write(readers.beside)

    def _stopped(self) -> bool:
        self.summary.cancelled = self.summary.cancelled or self._cancelled()
        return self.summary.cancelled

    def _waiting_bytes(self) -> int:
        return sum(size for size, _ in self._reading)

    def _is_due(self) -> bool:
        if sum(map(len, self._ready)) >= _BATCH_RECORDS or self._ready_bytes >= _BATCH_BYTES:
            return True
        some = bool(self._ready) or bool(self._reading)
        return some and time.monotonic() - self._written_at > _BATCH_SECONDS

    def _collect(self) -> None:
        size, future = self._reading.popleft()
        chunk = future.result()
        self.summary.failures += len(chunk.failed)
        self.summary.failed += chunk.failed[: max(0, MOST_REASONS - len(self.summary.failed))]
        self._ready.append(chunk)
        self._ready_bytes += size

    def _write(self, beside: bool) -> None:
        self._settle()
        batch, self._ready, self._ready_bytes = self._ready, [], 0
        self._writing = self._batches.write(batch, beside)
        self._written_at = time.monotonic()
        if self._writing.done() or not self._reading:
            self._settle()

    def _settle(self) -> None:
        """Wait for what is being written, and tell of it."""
        if self._writing is None:
            return
        writing, self._writing = self._writing, None
        written = writing.result()
        self.summary.new += written.new
        self.summary.changed += written.changed
        self.summary.same += written.same
        if self._seen is not None:
            marks = written.marks
            self._seen.update(marks[begin : begin + MARK_BYTES] for begin in range(0, len(marks), MARK_BYTES))
        if self._told is not None:
            self._told(self.summary)


def _chunks(documents: Iterator[Optional[Document]], is_due: Callable[[], bool]) -> Iterator[List[Document]]:
    """Documents in handfuls: of a slow source fewer at a time, and none where it only waits."""
    chunk: List[Document] = []
    size = 0
    for document in documents:
        if document is None:
            yield chunk
            chunk, size = [], 0
            continue
        chunk.append(document)
        size += size_of(document[1])
        if len(chunk) >= _CHUNK_DOCUMENTS or size >= _CHUNK_BYTES or is_due():
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk

