"""Import of many documents into the record library, batch by batch, in the calling thread.

What a batch acknowledged stays, whatever happens later. Memory is bounded by the size of a batch. After every two
documents the thread pauses for a moment, so that a window in the same process never waits long for Python's
interpreter.
"""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass, field
from typing import Callable, Dict, Iterable, List, Optional, Protocol, Sequence, Set, Tuple, Union

from ..cooperative_yield import yielding
from ..dates import utc_now
from ..errors import CartoguideError
from .failure_groups import ImportFailure, empty_response, failure_of
from .index.row_extraction import index_rows
from .record_copies import IncomingRecord, Origin, SaveOutcome, identifier_of

#: failures that a summary lists with their reason; all are counted
MAX_FAILURES = 1000
#: pause after a batch, in seconds, in which another QGIS can write to the store
PAUSE = 0.002
#: so few that hardly any object of a batch outlives two collections of Python's garbage collector. With batches of
#: 2,000 an import of 100,000 records causes several full collections, and each of them holds the window for some 40 ms
#: (tests/bench/bench_opening.py: "window's timer").
_BATCH_RECORDS = 100
_BATCH_BYTES = 32_000_000
#: a batch of a slow source is written after this time, however few its records
_BATCH_SECONDS = 2.0
#: the first batch is written sooner, so that the first results appear soon
_FIRST_BATCH_SECONDS = 0.3
#: an import of this many new or changed records is followed by merging the segments of the word index
_MERGE_THRESHOLD = 5000
_COPY_KEY_BYTES = 8

#: a document to import: its location inside the source, and its bytes or the error that kept it from being fetched
SourceDocument = Tuple[str, Union[bytes, CartoguideError]]


class RecordSink(Protocol):
    """The part of the record store that an import uses."""

    def save_rows(self, origin: Origin, batch: Sequence[IncomingRecord]) -> List[SaveOutcome]:
        """Save a batch and return the outcome for each record."""

    def merge_segments(self, cancelled: Optional[Callable[[], bool]] = None) -> None:
        """Merge the segments that many batches left in the word index."""


@dataclass
class ImportSummary:
    """Outcome of an import.

    ``copies`` are those of the new records that the library has from another source or location as well.
    ``failure_reasons`` holds the first documents that could not be read, ``failure_count`` is the number of all of
    them, and ``not_records`` the number of those that are documents of another kind.
    """

    new: int = 0
    changed: int = 0
    same: int = 0
    copies: int = 0
    #: records that are shown now in place of a copy of another source, which differs
    replaced: int = 0
    failure_count: int = 0
    failure_reasons: List[ImportFailure] = field(default_factory=list)
    not_records: int = 0
    cancelled: bool = False
    #: documents that are done: all their records are saved, or their failures are counted
    documents: int = 0
    #: of a complete reading: returns True for an identifier and location that it met
    is_seen: Optional[Callable[[str, str], bool]] = None

    @property
    def records(self) -> int:
        """Number of records that were saved or were there already."""
        return self.new + self.changed + self.same

    def add_failure(self, failure: ImportFailure) -> None:
        """Count a document that could not be read, and list it if it is among the first."""
        self.failure_count += 1
        self.not_records += failure.not_a_record
        if len(self.failure_reasons) < MAX_FAILURES:
            self.failure_reasons.append(failure)

    def add_outcomes(self, outcomes: Sequence[SaveOutcome]) -> None:
        """Count what became of a batch of records."""
        replaced = outcomes.count(SaveOutcome.REPLACED)
        copies = outcomes.count(SaveOutcome.COPY) + replaced
        self.new += outcomes.count(SaveOutcome.NEW) + copies
        self.copies += copies
        self.replaced += replaced
        self.changed += outcomes.count(SaveOutcome.CHANGED)
        self.same += outcomes.count(SaveOutcome.SAME)


ImportCallback = Callable[[ImportSummary], None]


def import_documents(store: RecordSink, source: str, kind: str, title: str,
                     documents: Iterable[Optional[SourceDocument]], report: Optional[ImportCallback] = None,
                     cancelled: Optional[Callable[[], bool]] = None, complete: bool = False) -> ImportSummary:
    """Save every record of ``documents`` and return what became of them.

    ``source``, ``kind`` and ``title`` describe the source of the records. A document that is None marks the end of a
    page, or means that the source has nothing at the moment: records that wait are written if their batch is due, or
    half full. ``report`` is called after each batch.

    With ``complete`` the documents are all that the source holds, and the summary has ``is_seen``.

    Raises CartoguideError if the store cannot be written, and whatever ``documents`` and ``report`` raise.
    """
    work = _ImportRun(store, Origin(source, kind, title, utc_now()), report, cancelled or (lambda: False), complete)
    summary = work.summary
    work.run(documents)
    summary.is_seen = work.is_seen if complete else None
    if summary.new + summary.changed >= _MERGE_THRESHOLD:
        store.merge_segments(cancelled)
    return summary


class _ImportRun:
    """One import while it runs."""

    def __init__(self, store: RecordSink, origin: Origin, report: Optional[ImportCallback],
                 cancelled: Callable[[], bool], complete: bool) -> None:
        self.summary = ImportSummary()
        self._store, self._origin = store, origin
        self._report, self._cancelled = report, cancelled
        self._seen: Optional[Set[bytes]] = set() if complete else None
        self._unwritten: List[IncomingRecord] = []
        self._unwritten_bytes = 0
        self._documents_read = 0
        self._has_unreported_failures = False
        self._written_at = time.monotonic() - _BATCH_SECONDS + _FIRST_BATCH_SECONDS

    def run(self, documents: Iterable[Optional[SourceDocument]]) -> None:
        """Read the documents and write their records, batch by batch, until all are written or it is cancelled."""
        for document in yielding(documents, 2):
            if self._check_cancelled():
                return
            if document is not None:
                self._read(*document)
            if self._is_batch_due(_BATCH_RECORDS if document is not None else _BATCH_RECORDS // 2):
                self._write_batch()
        if not self._check_cancelled():
            self._write_batch()

    def is_seen(self, identifier: str, location: str) -> bool:
        """Return True if this import met the copy of ``identifier`` at ``location``."""
        return self._seen is None or _copy_key(identifier, location) in self._seen

    def _check_cancelled(self) -> bool:
        self.summary.cancelled = self.summary.cancelled or self._cancelled()
        return self.summary.cancelled

    def _is_batch_due(self, full: int) -> bool:
        """Return True if ``full`` records wait, or others for too long."""
        if len(self._unwritten) >= full or self._unwritten_bytes >= _BATCH_BYTES:
            return True
        is_waiting = bool(self._unwritten) or self._has_unreported_failures
        return is_waiting and time.monotonic() - self._written_at > _BATCH_SECONDS

    def _read(self, location: str, data: Union[bytes, CartoguideError]) -> None:
        self._documents_read += 1
        records, failures = read_document(location, data)
        for failure in failures:
            self.summary.add_failure(failure)
            self._has_unreported_failures = True
        self._unwritten += records
        self._unwritten_bytes += sum(len(record.data) for record in records)

    def _write_batch(self) -> None:
        batch, self._unwritten, self._unwritten_bytes = self._unwritten, [], 0
        outcomes = self._store.save_rows(self._origin, batch) if batch else []
        self.summary.add_outcomes(outcomes)
        self.summary.documents = self._documents_read
        if self._seen is not None:
            self._seen.update(_copy_key(identifier_of(self._origin.source, record), record.location)
                              for record in yielding(batch, 500))
        self._written_at, self._has_unreported_failures = time.monotonic(), False
        if self._report is not None:
            self._report(self.summary)
        time.sleep(PAUSE)


def read_document(location: str,
                  data: Union[bytes, CartoguideError]) -> Tuple[List[IncomingRecord], List[ImportFailure]]:
    """Return the records of one document, and the failures of what could not be read of it.

    Several records of one document with the same identifier, or without one, get locations that end in ``#2``, ``#3``.
    """
    if isinstance(data, CartoguideError):
        return [], [failure_of(location, data)]
    errors: List[CartoguideError] = []
    try:
        rows = index_rows(data, location, errors=errors)
    except CartoguideError as error:
        return [], [failure_of(location, error)]
    failures = [failure_of(location, error) for error in errors]
    if not rows:
        failures.append(empty_response(location))
    records: List[IncomingRecord] = []
    numbers: Dict[str, int] = {}
    for row, original in rows:
        number = numbers[row.identifier] = numbers.get(row.identifier, 0) + 1
        own_location = location if number == 1 else f"{location}#{number}"
        records.append(IncomingRecord(row, own_location, original, hashlib.sha256(original).digest()))
    return records, failures


def _copy_key(identifier: str, location: str) -> bytes:
    """Return a short hash that identifies one copy of a record among those of a source."""
    data = f"{identifier}\n{location}".encode("utf-8", "replace")
    return hashlib.blake2b(data, digest_size=_COPY_KEY_BYTES).digest()
