"""Many documents into the store: read by others (see readers.py), written here, acknowledged batch by batch.

What waits between reading and writing is bounded.
"""

from __future__ import annotations

import hashlib
import time
from collections import deque
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Callable, Deque, Iterable, Iterator, List, Optional, Set, Tuple

from .chunks import Chunk, Document, size_of
from .copies import CHANGED, NEW, SAME, Incoming, Origin, identifier_of
from .readers import Readers
from .store import Store, now

#: reasons that a summary lists; the others are only counted
MOST_REASONS = 1000
_CHUNK_DOCUMENTS = 50
_CHUNK_BYTES = 2_000_000
_BATCH_RECORDS = 2000
_BATCH_BYTES = 32_000_000
#: a slow source's records are not kept waiting longer than this
_BATCH_SECONDS = 2.0
#: an import of so many leaves an index in pieces
_MANY = 5000
#: between batches, so that another QGIS can write
_PAUSE = 0.002


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

    @property
    def records(self) -> int:
        """How many records are in the store because of it, or were there already."""
        return self.new + self.changed + self.same


Told = Callable[[Summary], None]


def import_documents(
    store: Store,
    source: str,
    kind: str,
    title: str,
    documents: Iterable[Document],
    told: Optional[Told] = None,
    cancelled: Optional[Callable[[], bool]] = None,
    complete: bool = False,
) -> Summary:
    """Take every record of ``documents`` into the store; ``told`` hears how far it is after each batch.

    With ``complete`` the documents are all that the source holds: what was not among them is marked as vanished, unless
    the import was cancelled or a document failed. What a batch acknowledged stays whatever happens later.
    """
    work = _Import(store, Origin(source, kind, title, now()), told, cancelled or (lambda: False), complete)
    with Readers() as readers:
        work.run(readers, iter(documents))
    if work.summary.new + work.summary.changed >= _MANY:
        store.tidy(cancelled)
    if complete and not work.summary.cancelled and not work.summary.failures:
        work.summary.vanished = store.vanish_unseen(source, work.is_seen)
    return work.summary


class _Import:
    def __init__(
        self, store: Store, origin: Origin, told: Optional[Told], cancelled: Callable[[], bool], complete: bool
    ) -> None:
        self.summary = Summary()
        self._store, self._origin = store, origin
        self._told, self._cancelled = told, cancelled
        self._seen: Optional[Set[bytes]] = set() if complete else None
        self._reading: Deque[Tuple[int, Future[Chunk]]] = deque()
        self._ready: List[Incoming] = []
        self._ready_bytes = 0
        self._written_at = time.monotonic()

    def run(self, readers: Readers, documents: Iterator[Document]) -> None:
        """Hand the documents on to be read, and write what was read."""
        try:
            for chunk in _chunks(documents, self._is_due):
                if self._cancelled():
                    self.summary.cancelled = True
                    return
                self._reading.append((sum(size_of(data) for _, data in chunk), readers.submit(chunk)))
                while self._reading and (self._reading[0][1].done() or self._waiting_bytes() > _BATCH_BYTES):
                    self._collect()
                if self._is_due():
                    self._write()
            while self._reading:
                if self._cancelled():
                    self.summary.cancelled = True
                    return
                self._collect()
                if self._is_due():
                    self._write()
            self._write()
        finally:
            for _, future in self._reading:
                future.cancel()

    def is_seen(self, identifier: str, place: str) -> bool:
        """Whether this import came across a copy."""
        return self._seen is None or _mark(identifier, place) in self._seen

    def _waiting_bytes(self) -> int:
        return sum(size for size, _ in self._reading)

    def _is_due(self) -> bool:
        if len(self._ready) >= _BATCH_RECORDS or self._ready_bytes >= _BATCH_BYTES:
            return True
        some = bool(self._ready) or bool(self._reading)
        return some and time.monotonic() - self._written_at > _BATCH_SECONDS

    def _collect(self) -> None:
        chunk = self._reading.popleft()[1].result()
        self.summary.failures += len(chunk.failed)
        self.summary.failed += chunk.failed[: max(0, MOST_REASONS - len(self.summary.failed))]
        self._ready += chunk.found
        self._ready_bytes += sum(len(incoming.data) for incoming in chunk.found)

    def _write(self) -> None:
        batch, self._ready, self._ready_bytes = self._ready, [], 0
        for outcome in self._store.put_rows(self._origin, batch):
            self.summary.new += outcome == NEW
            self.summary.changed += outcome == CHANGED
            self.summary.same += outcome == SAME
        if self._seen is not None:
            self._seen.update(_mark(identifier_of(self._origin.source, one), one.place) for one in batch)
        self._written_at = time.monotonic()
        if self._told is not None:
            self._told(self.summary)
        time.sleep(_PAUSE)


def _chunks(documents: Iterator[Document], is_due: Callable[[], bool]) -> Iterator[List[Document]]:
    """Documents in handfuls: of a slow source fewer at a time."""
    chunk: List[Document] = []
    size = 0
    for document in documents:
        chunk.append(document)
        size += size_of(document[1])
        if len(chunk) >= _CHUNK_DOCUMENTS or size >= _CHUNK_BYTES or is_due():
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


def _mark(identifier: str, place: str) -> bytes:
    return hashlib.blake2b(f"{identifier}\n{place}".encode("utf-8", "replace"), digest_size=8).digest()
