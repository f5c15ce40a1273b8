"""Search in several catalogues at once, with merged results. A catalogue that fails only affects its own results."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

from qgis.PyQt.QtCore import QObject, pyqtSignal

from ...core.addresses import without_secrets
from ...core.catalogues.detection import DetectedCatalogue, detect_catalogue
from ...core.catalogues.harvesting import fetch_full_record, stops_further_requests
from ...core.catalogues.model import (
    CatalogueProtocol,
    CatalogueQuery,
    CatalogueRecord,
    SearchResponse,
    Source,
    SourceKind,
)
from ...core.catalogues.paginator import CataloguePage, Paginator
from ...core.catalogues.result_merging import MergedRecord, RecordMerger
from ...core.errors import Cancelled, CartoguideError
from ...core.i18n import tr
from ...core.records.model.record import Record
from ...core.request import Request, Response
from ..network.origin_settings import OriginLogin
from ..runtime import main_thread, tasks
from ..runtime.i18n import record_language
from ..runtime.tasks import ErrorCallback
from .catalogue_client import fetcher, forget_protocol, open_protocol, with_login

#: pages that are read in a row if none of their results matches the part of the query that was not sent
_MAX_EMPTY_PAGES = 5


class SearchState(str, Enum):
    WAITING = "waiting"
    REQUESTING = "asking"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True)
class SourceStatus:
    """Status of a search in one catalogue.

    ``shown`` is the number of loaded results, ``total`` the number that the catalogue reports or None, ``more`` is set
    if further pages can be loaded. ``error`` is the reason of a failure, ``notes`` are warnings. ``unsent`` are the
    parts of the query that the catalogue does not support (see ``CatalogueProtocol``). ``filtered`` is set if they are
    applied to its results here, so that ``total`` counts other results too.
    """

    source: Source
    state: SearchState = SearchState.WAITING
    shown: int = 0
    total: Optional[int] = None
    more: bool = False
    error: Optional[CartoguideError] = None
    notes: Tuple[str, ...] = ()
    unsent: Tuple[str, ...] = ()
    filtered: bool = False


@dataclass
class _SearchCursor:
    """Position in the results of one catalogue. ``unsent`` is that of SourceStatus."""

    paginator: Paginator
    next: Optional[Request]
    unsent: Tuple[str, ...] = ()


class FederatedSearch(QObject):
    """A search in several catalogues. Starting another one cancels it. Signals are emitted on the main thread.

    ``status_changed`` has the key of the catalogue, ``results_changed`` the identifiers of new and changed results.
    """

    status_changed = pyqtSignal(str)
    results_changed = pyqtSignal(list)
    finished = pyqtSignal()

    def __init__(self, parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._jobs: Dict[str, tasks.Job] = {}
        self._statuses: Dict[str, SourceStatus] = {}
        self._cursors: Dict[str, _SearchCursor] = {}
        self._merging = RecordMerger()
        self._query = CatalogueQuery()

    @property
    def statuses(self) -> List[SourceStatus]:
        """The status of every catalogue, in the order of ``start``."""
        return list(self._statuses.values())

    @property
    def running(self) -> bool:
        """True while responses are outstanding."""
        return any(job.running for job in self._jobs.values())

    @property
    def complete(self) -> bool:
        """True if all results of every catalogue are loaded."""
        return all(row.state is SearchState.DONE and not row.more for row in self._statuses.values())

    @property
    def results(self) -> List[MergedRecord]:
        """The results so far, each identifier once."""
        return self._merging.results

    def status(self, key: str) -> SourceStatus:
        """Return the status of the catalogue with this key. Raises KeyError if it is not part of the search."""
        return self._statuses[key]

    def result(self, identifier: str) -> MergedRecord:
        return self._merging.get(identifier)

    def start(self, query: CatalogueQuery, sources: Sequence[Source]) -> None:
        """Search in all ``sources`` at the same time, and cancel the previous search."""
        self.cancel()
        self._query = query
        self._merging = RecordMerger()
        self._cursors = {}
        self._statuses = {source.key: SourceStatus(source) for source in sources if source.kind.is_catalogue}
        for source in [row.source for row in self._statuses.values()]:
            self._request_page(source)
        if not self._statuses:
            self.finished.emit()

    def load_more(self, key: str) -> bool:
        """Load the next page of one catalogue. Returns False if it has none or is being requested."""
        row = self._statuses.get(key)
        if row is None or not row.more or row.state is SearchState.REQUESTING:
            return False
        self._request_page(row.source)
        return True

    def retry(self, key: str) -> bool:
        """Repeat the request of a catalogue that has failed. Returns False if it has not."""
        row = self._statuses.get(key)
        if row is None or row.state is not SearchState.FAILED:
            return False
        if key not in self._cursors:
            forget_protocol(row.source)
        self._request_page(row.source)
        return True

    def cancel(self) -> None:
        """Cancel the running requests. The results so far stay."""
        jobs, self._jobs = self._jobs, {}
        for job in jobs.values():
            job.cancel()
        for key, row in self._statuses.items():
            if row.state is SearchState.REQUESTING:
                self._statuses[key] = replace(row, state=SearchState.WAITING)

    def _request_page(self, source: Source) -> None:
        key, query, cursor = source.key, self._query, self._cursors.get(source.key)
        self._update_status(key, state=SearchState.REQUESTING, error=None)
        self._jobs[key] = tasks.start(tr("Searching {name}", name=source.display_name),
                                      lambda feedback: _read_pages(source, query, cursor, feedback),
                                      lambda result: self._on_page(key, *result),
                                      lambda error: self._on_failure(key, error), self)

    def _on_page(self, key: str, cursor: _SearchCursor, pages: List[CataloguePage]) -> None:
        row = self._statuses[key]
        items = [item for page in pages for item in page.items]
        notes = [*row.notes, *(note for page in pages for note in page.notes),
                 *(error.user_text for page in pages for error in page.failures)]
        totals = [page.total for page in pages if page.total is not None]
        self._cursors[key] = cursor
        changed = self._merging.add(row.source, items)
        self._update_status(key, state=SearchState.DONE, shown=row.shown + len(items),
                            total=totals[-1] if totals else row.total, more=cursor.next is not None,
                            notes=tuple(dict.fromkeys(notes))[:50], unsent=cursor.unsent,
                            filtered=cursor.paginator.filters_locally)
        if changed:
            self.results_changed.emit(changed)
        self._end(key)

    def _on_failure(self, key: str, error: CartoguideError) -> None:
        self._update_status(key, state=SearchState.FAILED, error=error)
        self._end(key)

    def _end(self, key: str) -> None:
        self._jobs.pop(key, None)
        if not self._jobs:
            self.finished.emit()

    def _update_status(self, key: str, **values: object) -> None:
        self._statuses[key] = replace(self._statuses[key], **values)  # type: ignore[arg-type]
        self.status_changed.emit(key)


class _ExclusiveProtocol:
    """A protocol that parses one response at a time, across all catalogues."""

    def __init__(self, protocol: CatalogueProtocol) -> None:
        self._protocol = protocol

    def __getattr__(self, name: str) -> Any:
        return getattr(self._protocol, name)

    def parse_page(self, request: Request, response: Response) -> SearchResponse:
        with main_thread.exclusive_parsing():
            return self._protocol.parse_page(request, response)


def _read_pages(source: Source, query: CatalogueQuery, cursor: Optional[_SearchCursor],
                feedback: tasks.Feedback) -> Tuple[_SearchCursor, List[CataloguePage]]:
    """Read pages of one catalogue, in a task, until one has results."""
    send_request = fetcher(source, feedback)
    if cursor is None or cursor.next is None:
        protocol = open_protocol(source, send_request, record_language())
        cursor = _SearchCursor(Paginator(_ExclusiveProtocol(protocol), send_request, query),
                               protocol.first_request(query),
                               protocol.unsent_conditions(query))
    cursor.paginator.use_fetch(send_request)
    pages: List[CataloguePage] = []
    following = cursor.next
    if following is not None:
        for page in cursor.paginator.pages(following):
            feedback.raise_if_cancelled()
            pages.append(page)
            following = page.next_request
            if page.items or len(pages) >= _MAX_EMPTY_PAGES:
                break
    return replace(cursor, next=following), pages


def search_source(source: Source, query: CatalogueQuery, max_records: int,
                  feedback: tasks.Feedback) -> Tuple[List[CatalogueRecord], int]:
    """Return up to ``max_records`` complete records of one catalogue, and the number of results that it reports.

    Blocks, so it is for worker threads. A result whose complete record cannot be fetched is returned as it is. Raises
    CartoguideError, Cancelled.
    """
    send_request = fetcher(source, feedback)
    protocol = open_protocol(source, send_request, record_language())
    records: List[CatalogueRecord] = []
    total = 0
    for page in Paginator(protocol, send_request, query).pages(protocol.first_request(query)):
        feedback.raise_if_cancelled()
        for item in page.items[:max_records - len(records)]:
            try:
                full = fetch_full_record(protocol, item, send_request)
            except CartoguideError as error:
                if stops_further_requests(error) or isinstance(error, Cancelled):
                    raise
                full = item
            records.append(replace(full, record=replace(full.record, source=full.location)))
        total = page.total if page.total is not None else max(total, len(records))
        feedback.report(100.0 * len(records) / max(1, min(total, max_records)), tr("%n record(s) read", n=len(records)))
        if len(records) >= max_records:
            break
    return records, total


def request_full_record(source: Source, item: CatalogueRecord, done: Callable[[Record], None],
                        failed: ErrorCallback, owner: Optional[QObject] = None) -> Optional[tasks.Job]:
    """Fetch the complete record of a result in a task. If it is already complete, ``done`` is called at once."""
    if item.full or not item.record.id:
        done(replace(item.record, source=item.location))
        return None

    def work(feedback: tasks.Feedback) -> Record:
        send_request = fetcher(source, feedback)
        full = fetch_full_record(open_protocol(source, send_request, record_language()), item, send_request)
        return replace(full.record, source=full.location)

    return tasks.start(tr("Reading a record of {host}", host=source.display_name), work, done, failed, owner)


def request_detection(address: str, done: Callable[[DetectedCatalogue], None], failed: ErrorCallback,
                      owner: Optional[QObject] = None, authcfg: str = "") -> tasks.Job:
    """Detect the type of the catalogue at an address, in a task. ``authcfg`` is only sent to its origin."""
    address = without_secrets(address.strip())
    login_source = Source(address, SourceKind.CSW_2, authcfg=authcfg)

    def work(feedback: tasks.Feedback) -> DetectedCatalogue:
        detected = detect_catalogue(address, fetcher(login_source, feedback, bypass_cache=True))
        return replace(detected, sources=tuple(with_login(source, OriginLogin(address, authcfg))
                                               for source in detected.sources))

    return tasks.start(tr("Contacting {host}", host=address), work, done, failed, owner)
