"""Many documents into the store: read and written by others (see readers.py and batches.py), acknowledged batch by
batch. What waits between is bounded.
"""

from __future__ import annotations

import time
from collections import deque
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Callable, Deque, Iterable, Iterator, List, Optional, Set, Tuple

from .batch_writer import COPY_KEY_BYTES, BatchOutcome, BatchWriter, RecordSink, copy_key
from .parsed_chunks import ParsedChunk, SourceDocument, document_size
from .reader_pool import ReaderPool
from .record_copies import Origin
from .record_store import utc_now

#: reasons that a summary lists; the others are only counted
MAX_FAILURES = 1000
_CHUNK_DOCUMENTS = 50
_CHUNK_BYTES = 2_000_000
_BATCH_RECORDS = 2000
_BATCH_BYTES = 32_000_000
#: documents that wait to be read, or are being read
_MAX_WAITING_BYTES = 12_000_000
#: a slow source's records are not kept waiting longer than this
_BATCH_SECONDS = 2.0
_FIRST_BATCH_SECONDS = 0.3
#: an import of so many leaves an index in pieces
_MERGE_THRESHOLD = 5000


@dataclass
class ImportSummary:
    """What became of an import. ``failed`` holds the place and reason of the first documents that could not be read;
    ``failures`` counts them all.
    """

    new: int = 0
    changed: int = 0
    same: int = 0
    vanished: int = 0
    failure_count: int = 0
    failure_reasons: List[Tuple[str, str]] = field(default_factory=list)
    cancelled: bool = False
    #: of a complete reading: whether it came across the copy of an identifier at a place
    is_seen: Optional[Callable[[str, str], bool]] = None

    @property
    def records(self) -> int:
        """How many records are in the store because of it, or were there already."""
        return self.new + self.changed + self.same


ImportCallback = Callable[[ImportSummary], None]


def import_documents(store: RecordSink, source: str, kind: str, title: str,
                     documents: Iterable[Optional[SourceDocument]], report: Optional[ImportCallback] = None,
                     cancelled: Optional[Callable[[], bool]] = None, complete: bool = False,
                     ) -> ImportSummary:
    """Take every record of ``documents`` into the store; ``told`` hears how far it is after each batch. A document that
    is None says that the source has nothing for now: what came is not kept waiting.

    With ``complete`` the documents are all that the source holds: what was not among them is marked as vanished, unless
    the import was cancelled or a document failed. What a batch acknowledged stays whatever happens later.
    """
    with BatchWriter(store, Origin(source, kind, title, utc_now()), complete) as batches, ReaderPool() as readers:
        work = _ImportRun(batches, report, cancelled or (lambda: False), complete)
        work.run(readers, iter(documents))
    work.summary.is_seen = work.is_seen if complete else None
    if work.summary.new + work.summary.changed >= _MERGE_THRESHOLD:
        store.merge_segments(cancelled)
    if complete and not work.summary.cancelled and not work.summary.failure_count:
        work.summary.vanished = store.mark_unseen_as_vanished(source, work.is_seen)
    return work.summary


class _ImportRun:
    def __init__(self, batches: BatchWriter, told: Optional[ImportCallback], cancelled: Callable[[], bool],
                 complete: bool) -> None:
        self.summary = ImportSummary()
        self._batches = batches
        self._report, self._cancelled = told, cancelled
        self._seen: Optional[Set[bytes]] = set() if complete else None
        self._being_read: Deque[Tuple[int, Future[ParsedChunk]]] = deque()
        self._unwritten: List[ParsedChunk] = []
        self._unwritten_bytes = 0
        self._pending_write: Optional[Future[BatchOutcome]] = None
        # whoever waits sees the first records soon
        self._written_at = time.monotonic() - _BATCH_SECONDS + _FIRST_BATCH_SECONDS

    def run(self, readers: ReaderPool, documents: Iterator[Optional[SourceDocument]]) -> None:
        """Hand the documents on to be read, and write what was read."""
        try:
            self._run(readers, documents)
        finally:
            for _, future in self._being_read:
                future.cancel()
            self._finish_write()

    def is_seen(self, identifier: str, place: str) -> bool:
        """Whether this import came across a copy."""
        return self._seen is None or copy_key(identifier, place) in self._seen

    def _run(self, readers: ReaderPool, documents: Iterator[Optional[SourceDocument]]) -> None:
        for chunk in _split_into_chunks(documents, self._is_batch_due):
            if self._check_cancelled():
                return
            if chunk:
                self._being_read.append((sum(document_size(data) for _, data in chunk), readers.submit(chunk)))
            while self._being_read and (self._being_read[0][1].done() or self._waiting_bytes() > _MAX_WAITING_BYTES):
                self._collect_chunk()
            if self._is_batch_due():
                self._write_batch(readers.uses_processes)
            elif self._pending_write is not None and self._pending_write.done():
                self._finish_write()
        while self._being_read:
            if self._check_cancelled():
                return
            self._collect_chunk()
            if self._is_batch_due():
                self._write_batch(readers.uses_processes)
        self._write_batch(readers.uses_processes)

    def _check_cancelled(self) -> bool:
        self.summary.cancelled = self.summary.cancelled or self._cancelled()
        return self.summary.cancelled

    def _waiting_bytes(self) -> int:
        return sum(size for size, _ in self._being_read)

    def _is_batch_due(self) -> bool:
        if sum(map(len, self._unwritten)) >= _BATCH_RECORDS or self._unwritten_bytes >= _BATCH_BYTES:
            return True
        some = bool(self._unwritten) or bool(self._being_read)
        return some and time.monotonic() - self._written_at > _BATCH_SECONDS

    def _collect_chunk(self) -> None:
        size, future = self._being_read.popleft()
        chunk = future.result()
        self.summary.failure_count += len(chunk.failures)
        self.summary.failure_reasons += chunk.failures[: max(0, MAX_FAILURES - len(self.summary.failure_reasons))]
        self._unwritten.append(chunk)
        self._unwritten_bytes += size

    def _write_batch(self, use_process: bool) -> None:
        self._finish_write()
        batch, self._unwritten, self._unwritten_bytes = self._unwritten, [], 0
        self._pending_write = self._batches.write(batch, use_process)
        self._written_at = time.monotonic()
        if self._pending_write.done() or not self._being_read:
            self._finish_write()

    def _finish_write(self) -> None:
        """Wait for what is being written, and tell of it."""
        if self._pending_write is None:
            return
        writing, self._pending_write = self._pending_write, None
        written = writing.result()
        self.summary.new += written.new
        self.summary.changed += written.changed
        self.summary.same += written.same
        if self._seen is not None:
            marks = written.copy_keys
            self._seen.update(marks[begin : begin + COPY_KEY_BYTES] for begin in range(0, len(marks), COPY_KEY_BYTES))
        if self._report is not None:
            self._report(self.summary)


def _split_into_chunks(documents: Iterator[Optional[SourceDocument]],
                       is_due: Callable[[], bool]) -> Iterator[List[SourceDocument]]:
    """Documents in handfuls: of a slow source fewer at a time, and none where it only waits."""
    chunk: List[SourceDocument] = []
    size = 0
    for document in documents:
        if document is None:
            yield chunk
            chunk, size = [], 0
            continue
        chunk.append(document)
        size += document_size(document[1])
        if len(chunk) >= _CHUNK_DOCUMENTS or size >= _CHUNK_BYTES or is_due():
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk
