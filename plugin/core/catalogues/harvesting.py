"""Harvesting: saving a whole catalogue, or the results of a query, page by page. An interrupted harvest can be
resumed.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Protocol, Sequence, Tuple, Union
from uuid import uuid4

from ..csv_tables import csv_table
from ..errors import CartoguideError, UnexpectedResponse, failure_kind
from ..i18n import tr
from ..library import bulk_import
from ..library.bulk_import import RecordSink, SourceDocument
from ..library.record_copies import IncomingRecord, Origin, SaveOutcome, identifier_of
from ..library.record_store import CheckpointStore
from ..request import Request
from .model import (
    CatalogueProtocol,
    CatalogueQuery,
    CatalogueRecord,
    CatalogueSort,
    Fetch,
    Source,
    query_key,
    request_from_json,
    request_to_json,
)
from .paginator import CataloguePage, PageLimits, Paginator

#: HTTP statuses with which further requests would be answered too
_STOPPING_STATUSES = frozenset((
    # a login is missing or refused, by the server or a proxy
    401, 403, 407,
    # too many requests
    429,
    # the server behind a gateway is down, overloaded or slow
    502, 503, 504))
#: failures and notes that a summary lists
MAX_LISTED = 200
_PARALLEL_REQUESTS = 4
#: while a page takes longer than this, records that wait may be written
_SLOW_PAGE_SECONDS = 0.5
_STATE = "cartoguide-harvest/1"
#: name of a record that could not be read, and the error
Failure = Tuple[str, CartoguideError]


def fetch_full_record(protocol: CatalogueProtocol, item: CatalogueRecord, fetch: Fetch) -> CatalogueRecord:
    """Return ``item`` if it is complete or has no identifier, else its full record.

    The record is fetched as XML, or in GeoNetwork's export package (MEF, a zip file) if that fails. Raises
    CartoguideError: the error that stops further requests if there is one, else the reason why the XML could not be
    fetched.
    """
    if item.full or not item.record.id:
        return item
    identifier = item.record.id
    try:
        return protocol.parse_record(identifier, fetch(protocol.record_request(identifier)))
    except CartoguideError as error:
        if stops_further_requests(error):
            raise
        xml_error = error
    try:
        return protocol.parse_record(identifier, fetch(protocol.record_request(identifier, package=True)))
    except CartoguideError as error:
        if stops_further_requests(error):
            raise
        raise xml_error from None


def stops_further_requests(error: CartoguideError) -> bool:
    """Return True if further requests to the catalogue would fail too, or if the person cancelled.

    Those are errors without a response, and responses that refuse access or come from an overloaded or unreachable
    server.
    """
    if failure_kind(error) is not None:
        return True
    return isinstance(error, UnexpectedResponse) and error.status in _STOPPING_STATUSES


class HarvestSink(RecordSink, Protocol):
    """The part of the record store that a harvest uses."""

    @property
    def checkpoints(self) -> CheckpointStore:
        """Checkpoints of unfinished harvests."""

    def journal_size(self) -> int:
        """Return the length of the journal."""

    def saved_by_run(self, run: str, begin: int) -> Dict[Tuple[str, str], SaveOutcome]:
        """Return the outcome for each identifier and location that a harvest saved behind a length of the journal."""

    def mark_unseen_as_vanished(self, source: str, is_seen: Callable[[str, str], bool]) -> int:
        """Mark the copies of a source that a complete reading of it did not meet."""


@dataclass
class HarvestSummary:
    """Outcome of a harvest.

    ``new``, ``changed`` and ``same`` count the saved records that were new to the store, changed, or there already.
    ``failures`` are (record, reason, detail), and ``failed`` counts all of them. ``complete`` is True if the
    catalogue was read completely, up to the number that it announced. ``left_out`` is the number of results that
    did not match conditions that the catalogue does not support. ``total`` is the number that the catalogue
    announced.
    """

    new: int = 0
    changed: int = 0
    same: int = 0
    failed: int = 0
    left_out: int = 0
    vanished: int = 0
    total: Optional[int] = None
    complete: bool = False
    resumed: bool = False
    failures: List[Tuple[str, str, str]] = field(default_factory=list)
    notes: List[str] = field(default_factory=list)

    @property
    def processed(self) -> int:
        """Return the number of entries processed."""
        return self.new + self.changed + self.same + self.failed + self.left_out

    def add_failure(self, name: str, error: CartoguideError) -> None:
        """Count a record that could not be read, with its reason."""
        self.failed += 1
        if len(self.failures) < MAX_LISTED:
            self.failures.append((name, error.user_text, error.detail[:1000]))

    def add_notes(self, notes: Iterable[str]) -> None:
        """Add warnings, each only once."""
        self.notes += [note for note in dict.fromkeys(notes) if note not in self.notes][:MAX_LISTED - len(self.notes)]

    def to_text(self) -> str:
        """Return a summary for people in one line, of what there was."""
        parts = [(self.new, tr("%n new", n=self.new)), (self.changed, tr("%n changed", n=self.changed)),
                 (self.same, tr("%n unchanged", n=self.same)), (self.failed, tr("%n failed", n=self.failed)),
                 (self.left_out, tr("%n left out", n=self.left_out)),
                 (self.vanished, tr("%n no longer there", n=self.vanished))]
        return ", ".join(text for count, text in parts if count) or tr("%n new", n=0)

    def failures_csv(self) -> str:
        """Return the failures as CSV (RFC 4180) with a header."""
        return csv_table((tr("Record"), tr("Why"), tr("Detail")), self.failures)

    def to_json(self) -> Dict[str, Any]:
        return {"new": self.new, "changed": self.changed, "same": self.same, "failed": self.failed,
                "left_out": self.left_out,
                "total": self.total, "failures": [list(item) for item in self.failures], "notes": list(self.notes)}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> HarvestSummary:
        """Return the summary that ``to_json`` wrote. Invalid values are ignored."""
        summary = cls(resumed=True)
        for name in ("new", "changed", "same", "failed", "left_out"):
            if isinstance(value.get(name), int):
                setattr(summary, name, value[name])
        total, failures, notes = value.get("total"), value.get("failures"), value.get("notes")
        summary.total = total if isinstance(total, int) else None
        summary.failures = [(str(item[0]), str(item[1]), str(item[2])) for item in failures or ()
                            if isinstance(item, list) and len(item) == 3] if isinstance(failures, list) else []
        summary.notes = [str(note) for note in notes] if isinstance(notes, list) else []
        return summary


HarvestCallback = Callable[[HarvestSummary], None]


def is_resumable(store: HarvestSink, source: Source, query: CatalogueQuery) -> bool:
    """Return True if a harvest of this query was interrupted and can be resumed."""
    return _load_checkpoint(store, query_key(source, query)) is not None


def discard_checkpoint(store: HarvestSink, source: Source, query: CatalogueQuery) -> None:
    """Discard the checkpoint of an interrupted harvest, so that the next one starts over."""
    store.checkpoints.save(query_key(source, query), None)


def harvest(protocol: CatalogueProtocol, query: CatalogueQuery, store: HarvestSink, fetch: Fetch,
            report: Optional[HarvestCallback] = None, bounds: Optional[PageLimits] = None) -> HarvestSummary:
    """Save everything that ``query`` finds, resuming where an earlier harvest of it was interrupted.

    Pages are requested while earlier ones are read and written. ``report`` gets the summary after each batch. It may
    raise to cancel. What was saved stays, and the next harvest resumes after its last complete page. It counts every
    record once, as what it was when it was saved first, wherever the earlier harvest stopped. Records of the source
    that a complete harvest of everything did not meet are marked as vanished.

    Raises CartoguideError if a page cannot be fetched, after saving the pages before it.
    """
    source, key = protocol.source, query_key(protocol.source, query)
    checkpoint = _load_checkpoint(store, key)
    if checkpoint is None:
        checkpoint = _Checkpoint(protocol.first_request(query), HarvestSummary(), uuid4().hex, store.journal_size())
    summary, target = checkpoint.summary, _HarvestTarget(store, key, checkpoint)
    counts_before = replace(summary)
    paginator = Paginator(protocol, fetch, query, bounds, received=summary.processed)
    pages = _PageDocuments(protocol, fetch, paginator, summary)
    failures_counted = 0

    def acknowledged(done: bulk_import.ImportSummary) -> None:
        nonlocal failures_counted
        summary.new, summary.changed = counts_before.new + done.new, counts_before.changed + done.changed
        summary.same = counts_before.same + done.same
        for failure in done.failure_reasons[failures_counted:]:
            summary.add_failure(failure.location, CartoguideError(failure.reason))
        summary.failed += done.failure_count - max(failures_counted, len(done.failure_reasons))
        failures_counted = done.failure_count
        next_request = pages.request_after(done.documents)
        if next_request is not None:
            target.save_checkpoint(replace(checkpoint, request=next_request, journal_size=store.journal_size()))
        if report is not None:
            report(summary)

    done = bulk_import.import_documents(target, source.key, source.kind.value, source.display_name,
                                        pages.documents(checkpoint.request), acknowledged, None, True)
    if pages.error is not None:
        raise pages.error
    summary.complete = not paginator.fell_short
    store.checkpoints.save(key, None)
    clean = not summary.failed and not summary.notes and not summary.resumed
    if clean and _is_everything(query) and done.is_seen is not None:
        summary.vanished = store.mark_unseen_as_vanished(source.key, done.is_seen)
    return summary


class _PageDocuments:
    """Records of catalogue pages as documents, with the request to resume from after a number of them was written."""

    def __init__(self, protocol: CatalogueProtocol, fetch: Fetch, walk: Paginator, summary: HarvestSummary) -> None:
        self._protocol, self._fetch, self._paginator, self._summary = protocol, fetch, walk, summary
        self._yielded = 0
        #: request that follows the last page, whose end is after ``_yielded`` documents
        self._next_request: Optional[Request] = None
        #: error that ended the pagination, raised again after the records before it are written
        self.error: Optional[Exception] = None

    def documents(self, first: Request) -> Iterator[Optional[SourceDocument]]:
        """Yield every full record of the pages with its location, and None repeatedly while a page takes long."""
        pages = self._paginator.pages(first)
        try:
            with ThreadPoolExecutor(1, "cartoguide-harvest-page") as thread:
                pending = thread.submit(self._fetch_next_page, pages)
                while True:
                    while not wait((pending,), _SLOW_PAGE_SECONDS).done:
                        yield None
                    fetched = pending.result()
                    if fetched is None:
                        return
                    pending = thread.submit(self._fetch_next_page, pages)
                    for item in self._count_page(*fetched):
                        yield item.location, item.record.original
                    yield None
        except Exception as error:  # noqa: BLE001 - it is raised again when what came is written
            self.error = error

    def request_after(self, documents: int) -> Optional[Request]:
        """Return the request that follows ``documents`` documents, or None if they do not end with a page or nothing
        follows.

        Everything that was counted until now belongs to the pages before that request.
        """
        return self._next_request if documents == self._yielded else None

    def _fetch_next_page(
            self, pages: Iterator[CataloguePage]
    ) -> Optional[Tuple[CataloguePage, Sequence[CatalogueRecord], Sequence[Failure]]]:
        """Return a page, its full records, and the failures of others. Runs in a thread."""
        page = next(pages, None)
        return None if page is None else (page, *_fetch_full_records(self._protocol, page, self._fetch))

    def _count_page(self, page: CataloguePage, fetched: Sequence[CatalogueRecord],
                    failures: Sequence[Failure]) -> Sequence[CatalogueRecord]:
        """Count a page and return those of its records that match the query."""
        summary = self._summary
        items = [item for item in fetched if self._paginator.matches(item.record)]
        summary.left_out += page.filtered_out + len(fetched) - len(items)
        summary.add_notes(page.notes)
        for name, error in (*failures, *((self._protocol.source.display_name, error) for error in page.failures)):
            summary.add_failure(name, error)
        summary.total = page.total if page.total is not None else summary.total
        self._yielded += len(items)
        self._next_request = page.next_request
        return items


def _is_everything(query: CatalogueQuery) -> bool:
    unconditional = replace(query, sort=CatalogueSort.NONE, page_size=1, start=1) == CatalogueQuery(page_size=1)
    return unconditional and query.start == 1


@dataclass(frozen=True)
class _Checkpoint:
    """State of a harvest at the end of a page: the request that follows, and the counts up to there.

    ``run`` identifies the harvest in the journal, which was ``journal_size`` bytes long.
    """

    request: Request
    summary: HarvestSummary
    run: str
    journal_size: int


def _load_checkpoint(store: HarvestSink, key: str) -> Optional[_Checkpoint]:
    """Return the checkpoint saved under ``key``, or None if there is none that is valid."""
    state = store.checkpoints.load(key)
    if state is None or state.get("format") != _STATE:
        return None
    request, summary, size = state.get("request"), state.get("summary"), state.get("journal_size")
    if not isinstance(request, dict) or not isinstance(summary, dict):
        return None
    try:
        # without a run, which former versions did not save, nothing is known of what was saved after it
        return _Checkpoint(request_from_json(request), HarvestSummary.from_json(summary),
                           str(state.get("run") or uuid4().hex),
                           size if isinstance(size, int) else store.journal_size())
    except ValueError:
        return None


class _HarvestTarget:
    """Record sink of a harvest, which saves its checkpoints.

    A checkpoint is older than the records that were saved last. After a crash they come again, and count as what they
    were when they were saved.
    """

    def __init__(self, store: HarvestSink, key: str, checkpoint: _Checkpoint) -> None:
        self.merge_segments = store.merge_segments
        self._store, self._key, self._checkpoint = store, key, checkpoint
        self._is_saved = checkpoint.summary.resumed
        self._saved_earlier = store.saved_by_run(checkpoint.run, checkpoint.journal_size) if self._is_saved else {}

    def save_checkpoint(self, checkpoint: _Checkpoint) -> None:
        """Save the state at the end of a page."""
        self._is_saved = True
        self._store.checkpoints.save(self._key, {
            "format": _STATE, "request": request_to_json(checkpoint.request), "summary": checkpoint.summary.to_json(),
            "run": checkpoint.run, "journal_size": checkpoint.journal_size})

    def save_rows(self, origin: Origin, batch: Sequence[IncomingRecord]) -> List[SaveOutcome]:
        if not self._is_saved:
            self.save_checkpoint(self._checkpoint)
        outcomes = self._store.save_rows(replace(origin, run=self._checkpoint.run), batch)
        return [self._first_outcome(outcome, (identifier_of(origin.source, incoming), incoming.location))
                for outcome, incoming in zip(outcomes, batch)] if self._saved_earlier else outcomes

    def _first_outcome(self, outcome: SaveOutcome, key: Tuple[str, str]) -> SaveOutcome:
        earlier = self._saved_earlier.pop(key, outcome)
        return outcome if outcome in (SaveOutcome.NEW, SaveOutcome.COPY, SaveOutcome.REPLACED) else earlier


def _fetch_full_records(protocol: CatalogueProtocol, page: CataloguePage,
                        fetch: Fetch) -> Tuple[Sequence[CatalogueRecord], Sequence[Failure]]:
    """Return the page's full records and the failures. Index entries are completed by requests, several at a time."""
    if all(item.full for item in page.items):
        return page.items, ()
    with ThreadPoolExecutor(_PARALLEL_REQUESTS, "cartoguide-harvest") as pool:
        answers = list(pool.map(lambda item: _fetch_full_or_error(protocol, item, fetch), page.items))
    records: List[CatalogueRecord] = []
    failures: List[Failure] = []
    for item, answer in zip(page.items, answers):
        if isinstance(answer, CatalogueRecord):
            records.append(answer)
        elif stops_further_requests(answer):
            raise answer
        else:
            failures.append((item.record.title or item.location, answer))
    return records, failures


def _fetch_full_or_error(protocol: CatalogueProtocol, item: CatalogueRecord,
                         fetch: Fetch) -> Union[CatalogueRecord, CartoguideError]:
    try:
        return fetch_full_record(protocol, item, fetch)
    except CartoguideError as error:
        return error.with_traceback(None)
