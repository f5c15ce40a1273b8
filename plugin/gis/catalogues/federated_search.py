"""Searching several catalogues at once: results as they come, merged; a dead one costs only its own row."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

from qgis.PyQt.QtCore import QObject, pyqtSignal

from ...core.catalogues import catalogue_list
from ...core.catalogues.deduplication import MergedRecord, RecordMerger
from ...core.catalogues.detection import DetectedCatalogue, detect_catalogue
from ...core.catalogues.full_record import fetch_full_record, is_connection_failure
from ...core.catalogues.model import REMOTE, CatalogueProtocol, CatalogueQuery, CatalogueRecord, SearchResponse, Source
from ...core.catalogues.paginator import CataloguePage, Paginator
from ...core.errors import Cancelled, CartoguideError
from ...core.i18n import tr
from ...core.network_profile import NetworkProfile
from ...core.records.model.record import Record
from ...core.request import Request, Response
from ..profiles.catalogue_client import fetcher, forget_protocol, open_protocol
from ..profiles.record_loading import current_profile
from ..runtime import main_thread, settings, tasks
from ..runtime.i18n import record_language

WAITING, REQUESTING, DONE, FAILED = "waiting", "asking", "done", "failed"
#: pages that are read on when a source's answers hold nothing that fits (only some of the query could be asked)
_MAX_EMPTY_PAGES = 5


@dataclass(frozen=True)
class SourceStatus:
    """How one source's part of a search stands. ``shown`` of ``total`` (None: it does not say) results are there;
    ``more``: there are more to ask for; ``error`` says why it failed; ``notes`` what it did wrong. ``unsent`` is what
    of the query it was not asked for (names as of ``SourceProtocol.unsent``); ``filtered``: part of it is checked here,
    so that ``total`` counts others too.
    """

    source: Source
    state: str = WAITING
    shown: int = 0
    total: Optional[int] = None
    more: bool = False
    error: Optional[CartoguideError] = None
    notes: Tuple[str, ...] = ()
    unsent: Tuple[str, ...] = ()
    filtered: bool = False


@dataclass
class _SearchCursor:
    """One source's walk through its results; ``unsent`` as of SourceRow."""

    paginator: Paginator
    next: Optional[Request]
    unsent: Tuple[str, ...] = ()


class FederatedSearch(QObject):
    """One search over many sources; a new one cancels the former. Everything is told on the main thread.

    ``row_changed`` (key of the source), ``results_changed`` (list of identifiers that came or changed), ``finished``.
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
        """Every source of the search, in the order in which they were given."""
        return list(self._statuses.values())

    @property
    def running(self) -> bool:
        """Whether answers are still to come."""
        return any(job.running for job in self._jobs.values())

    @property
    def complete(self) -> bool:
        """Whether every source gave all that it has."""
        return all(row.state == DONE and not row.more for row in self._statuses.values())

    @property
    def results(self) -> List[MergedRecord]:
        """What was found so far, each identifier once."""
        return self._merging.results

    def status(self, key: str) -> SourceStatus:
        """The row of the source with this key; KeyError where it is none of the search."""
        return self._statuses[key]

    def result(self, identifier: str) -> MergedRecord:
        """One identifier with all its versions."""
        return self._merging.get(identifier)

    def start(self, query: CatalogueQuery, sources: Sequence[Source]) -> None:
        """Ask all ``sources`` at the same time; what a former search has still to bring is no longer wanted."""
        self.cancel()
        self._query = query
        self._merging = RecordMerger()
        self._cursors = {}
        self._statuses = {source.key: SourceStatus(source) for source in sources if source.kind in REMOTE}
        for source in [row.source for row in self._statuses.values()]:
            self._request_page(source)
        if not self._statuses:
            self.finished.emit()

    def load_more(self, key: str) -> bool:
        """Ask one source for its next page; False where it has none, or is being asked already."""
        row = self._statuses.get(key)
        if row is None or not row.more or row.state == REQUESTING:
            return False
        self._request_page(row.source)
        return True

    def retry(self, key: str) -> bool:
        """Ask a source again that failed; False where it did not."""
        row = self._statuses.get(key)
        if row is None or row.state != FAILED:
            return False
        if key not in self._cursors:
            forget_protocol(row.source)
        self._request_page(row.source)
        return True

    def cancel(self) -> None:
        """Give up what is under way; what was found stays."""
        jobs, self._jobs = self._jobs, {}
        for job in jobs.values():
            job.cancel()
        for key, row in self._statuses.items():
            if row.state == REQUESTING:
                self._statuses[key] = replace(row, state=WAITING)

    def _request_page(self, source: Source) -> None:
        key, query, course = source.key, self._query, self._cursors.get(source.key)
        self._update_status(key, state=REQUESTING, error=None)
        self._jobs[key] = tasks.start(tr("Searching {name}", name=source.display_name),
                                      lambda feedback: _read_pages(source, query, course, feedback),
                                      lambda result: self._on_page(key, *result),
                                      lambda error: self._on_failure(key, error), self)

    def _on_page(self, key: str, course: _SearchCursor, pages: List[CataloguePage]) -> None:
        row = self._statuses[key]
        found = [item for page in pages for item in page.items]
        notes = [*row.notes, *(note for page in pages for note in page.notes),
                 *(error.user_text for page in pages for error in page.failures)]
        totals = [page.total for page in pages if page.total is not None]
        self._cursors[key] = course
        touched = self._merging.add(row.source, found)
        self._update_status(key, state=DONE, shown=row.shown + len(found), total=totals[-1] if totals else row.total,
                            more=course.next is not None, notes=tuple(dict.fromkeys(notes))[:50], unsent=course.unsent,
                            filtered=course.paginator.filters_locally)
        if touched:
            self.results_changed.emit(touched)
        self._end(key)

    def _on_failure(self, key: str, error: CartoguideError) -> None:
        self._update_status(key, state=FAILED, error=error)
        self._end(key)

    def _end(self, key: str) -> None:
        self._jobs.pop(key, None)
        if not self._jobs:
            self.finished.emit()

    def _update_status(self, key: str, **values: object) -> None:
        self._statuses[key] = replace(self._statuses[key], **values)  # type: ignore[arg-type]
        self.status_changed.emit(key)


class _ExclusiveProtocol:
    """A protocol whose answers are read one after the other, whichever catalogue they are of."""

    def __init__(self, protocol: CatalogueProtocol) -> None:
        self._protocol = protocol

    def __getattr__(self, name: str) -> Any:
        return getattr(self._protocol, name)

    def read(self, request: Request, response: Response) -> SearchResponse:
        """As the protocol's own."""
        with main_thread.exclusive_parsing():
            return self._protocol.parse_page(request, response)


def _read_pages(source: Source, query: CatalogueQuery, course: Optional[_SearchCursor],
                feedback: tasks.Feedback) -> Tuple[_SearchCursor, List[CataloguePage]]:
    """The next page of one source that holds something, in a task."""
    carry = fetcher(source, feedback)
    if course is None or course.next is None:
        protocol = open_protocol(source, carry, record_language())
        course = _SearchCursor(Paginator(_ExclusiveProtocol(protocol), carry, query), protocol.first_request(query),
                               protocol.unsent_conditions(query))
    course.paginator.use_fetch(carry)
    pages: List[CataloguePage] = []
    following = course.next
    if following is not None:
        for page in course.paginator.pages(following):
            feedback.raise_if_cancelled()
            pages.append(page)
            following = page.next_request
            if page.items or len(pages) >= _MAX_EMPTY_PAGES:
                break
    return replace(course, next=following), pages


def search_source(source: Source, query: CatalogueQuery, most: int,
                  feedback: tasks.Feedback) -> Tuple[List[CatalogueRecord], int]:
    """Up to ``most`` whole results of one source, and how many it says there are (else how many came).

    Blocks: in worker threads only. What cannot be had whole stays as the source's answer has it.
    """
    carry = fetcher(source, feedback)
    protocol = open_protocol(source, carry, record_language())
    found: List[CatalogueRecord] = []
    total = 0
    for page in Paginator(protocol, carry, query).pages(protocol.first_request(query)):
        feedback.raise_if_cancelled()
        for item in page.items[:most - len(found)]:
            try:
                got = fetch_full_record(protocol, item, carry)
            except CartoguideError as error:
                if is_connection_failure(error) or isinstance(error, Cancelled):
                    raise
                got = item
            found.append(replace(got, record=replace(got.record, source=got.location)))
        total = page.total if page.total is not None else max(total, len(found))
        feedback.report(100.0 * len(found) / max(1, min(total, most)), tr("%n record(s) read", n=len(found)))
        if len(found) >= most:
            break
    return found, total


def request_full_record(source: Source, found: CatalogueRecord, done: Callable[[Record], None],
                        failed: Callable[[CartoguideError],
                                         None], owner: Optional[QObject] = None) -> Optional[tasks.Job]:
    """The whole record of a result of which only the index entry is there; at once where it is whole already."""
    if found.full or not found.record.id:
        done(replace(found.record, source=found.location))
        return None

    def work(feedback: tasks.Feedback) -> Record:
        carry = fetcher(source, feedback)
        got = fetch_full_record(open_protocol(source, carry, record_language()), found, carry)
        return replace(got.record, source=got.location)

    return tasks.start(tr("Reading a record of {host}", host=source.display_name), work, done, failed, owner)


def request_detection(address: str, done: Callable[[DetectedCatalogue], None], failed: Callable[[CartoguideError],
                                                                                                None],
                      owner: Optional[QObject] = None, authcfg: str = "") -> tasks.Job:
    """Find out in a task what catalogue is at an address; ``authcfg`` goes to that address's origin only."""
    asked = Source(address.strip(), "csw2", authcfg=authcfg)

    def work(feedback: tasks.Feedback) -> DetectedCatalogue:
        found = detect_catalogue(address, fetcher(asked, feedback, bypass_cache=True))
        return replace(found, sources=tuple(replace(source, authcfg=authcfg) for source in found.sources))

    return tasks.start(tr("Contacting {host}", host=address), work, done, failed, owner)


def saved_sources(network: Optional[NetworkProfile] = None) -> List[Source]:
    """The person's sources, the network profile's own catalogue first. CartoguideError where the list is broken."""
    return catalogue_list.with_profile_catalogue(catalogue_list.load_catalogue_list(settings.get("sources")), network or
                                                 current_profile())


def save_sources(sources: Sequence[Source]) -> None:
    """Keep the list; only ids of authentication configurations, no secret, go into the settings."""
    settings.set("sources", catalogue_list.dump_catalogue_list(sources))
