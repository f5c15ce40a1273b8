"""Harvesting: saving a whole catalogue, or the results of a query, page by page. An interrupted harvest can be
resumed.
"""

from __future__ import annotations

from collections import deque
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from typing import (
    Any,
    Callable,
    Deque,
    Dict,
    Iterable,
    Iterator,
    List,
    Mapping,
    Optional,
    Protocol,
    Sequence,
    Tuple,
    Union,
)

from ..csv_tables import csv_table
from ..errors import CartoguideError
from ..i18n import tr
from ..library import bulk_import
from ..library.bulk_import import RecordSink, SourceDocument
from ..library.checkpoints import CheckpointStore
from ..request import Request
from .full_record import fetch_full_record, stops_further_requests
from .local_documents import NonMarkingSink
from .model import (
    CatalogueProtocol,
    CatalogueQuery,
    CatalogueRecord,
    CatalogueSort,
    Fetch,
    SaveCounts,
    Source,
    query_key,
    request_from_json,
    request_to_json,
)
from .paginator import CataloguePage, PageLimits, Paginator

#: failures and notes that a summary lists
MAX_LISTED = 200
_PARALLEL_REQUESTS = 4
#: while a page takes longer than this, records that wait may be written
_SLOW_PAGE_SECONDS = 0.5
_STATE = "cartoguide-harvest/1"


class HarvestSink(RecordSink, Protocol):
    """The part of the record store that a harvest uses."""

    @property
    def checkpoints(self) -> CheckpointStore:
        """Checkpoints of unfinished harvests."""


@dataclass
class HarvestSummary(SaveCounts):
    """Outcome of a harvest.

    ``failures`` are (record, reason, detail), and ``failed`` counts all of them. ``complete`` is True if the catalogue
    was read completely. ``left_out`` is the number of results that did not match conditions that the catalogue does not
    support. ``total`` is the number that the catalogue announced.
    """

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
        """Return a summary for people in one line."""
        parts = [tr("%n new", n=self.new), tr("%n changed", n=self.changed), tr("%n unchanged", n=self.same)]
        if self.failed:
            parts.append(tr("%n failed", n=self.failed))
        if self.left_out:
            parts.append(tr("%n left out", n=self.left_out))
        if self.vanished:
            parts.append(tr("%n no longer there", n=self.vanished))
        return ", ".join(parts)

    def failures_csv(self) -> str:
        """Return the failures as CSV (RFC 4180) with a header."""
        return csv_table((tr("Record"), tr("Why"), tr("Detail")), self.failures)

    def to_json(self) -> Dict[str, Any]:
        """Return the summary as JSON values."""
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
#: name of a record that could not be read, and the error
Failure = Tuple[str, CartoguideError]


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
    raise to cancel. What was saved stays, and the next harvest resumes after it. Records of the source that a complete
    harvest of everything did not meet are marked as vanished.

    Raises CartoguideError if a page cannot be fetched, after saving the pages before it.
    """
    source, key = protocol.source, query_key(protocol.source, query)
    checkpoint = _load_checkpoint(store, key)
    first, summary = checkpoint if checkpoint is not None else (protocol.first_request(query), HarvestSummary())
    counts_before = (summary.new, summary.changed, summary.same)
    pages = _PageDocuments(protocol, fetch, Paginator(protocol, fetch, query, bounds, received=summary.processed),
                           summary)

    def note(next_request: Optional[Request]) -> None:
        if next_request is not None:
            state = {"format": _STATE, "request": request_to_json(next_request), "summary": summary.to_json()}
            store.checkpoints.save(key, state)

    def acknowledged(done: bulk_import.ImportSummary) -> None:
        summary.new, summary.changed = counts_before[0] + done.new, counts_before[1] + done.changed
        summary.same = counts_before[2] + done.same
        note(pages.resume_request(done.records))
        if report is not None:
            report(summary)

    done = bulk_import.import_documents(NonMarkingSink(store), source.key, source.kind.value, source.display_name,
                                        pages.documents(first), acknowledged, None, True)
    for location, reason in done.failure_reasons:
        summary.add_failure(location, CartoguideError(reason))
    summary.failed += done.failure_count - len(done.failure_reasons)
    if pages.error is not None:
        note(pages.resume_request(None))
        raise pages.error
    summary.complete = True
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
        #: pages that are not written yet: number of documents up to their end, and the request that follows
        self._unwritten_pages: Deque[Tuple[int, Optional[Request]]] = deque()
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
                    items = self._count_page(*fetched)
                    for item in items:
                        yield item.location, item.record.original
        except Exception as error:  # noqa: BLE001 - it is raised again when what came is written
            self.error = error

    def resume_request(self, written: Optional[int]) -> Optional[Request]:
        """Return the request that follows the last page written completely, unless it was returned before.

        ``written`` is the number of records written, None for all.
        """
        request: Optional[Request] = None
        while self._unwritten_pages and (written is None or self._unwritten_pages[0][0] <= written):
            request = self._unwritten_pages.popleft()[1]
        return request

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
        self._unwritten_pages.append((self._yielded, page.next_request))
        return items


def _is_everything(query: CatalogueQuery) -> bool:
    unconditional = replace(query, sort=CatalogueSort.NONE, page_size=1, start=1) == CatalogueQuery(page_size=1)
    return unconditional and query.start == 1


def _load_checkpoint(store: HarvestSink, key: str) -> Optional[Tuple[Request, HarvestSummary]]:
    """Return the request and the summary of a checkpoint, or None if there is none that is valid."""
    state = store.checkpoints.load(key)
    if state is None or state.get("format") != _STATE:
        return None
    request, summary = state.get("request"), state.get("summary")
    if not isinstance(request, dict) or not isinstance(summary, dict):
        return None
    try:
        return request_from_json(request), HarvestSummary.from_json(summary)
    except ValueError:
        return None


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
