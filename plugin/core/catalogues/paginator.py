"""Pagination through all results of a query, within limits and whatever the server does."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import Iterator, List, Optional, Set, Tuple

from ..errors import CartoguideError, NotARecord, ServiceError, UnexpectedResponse, UnreadableDocument
from ..i18n import tr
from ..records.model.record import Record
from ..request import Request
from .local_filter import matches
from .model import CatalogueProtocol, CatalogueQuery, CatalogueRecord, Fetch, SearchResponse

#: more consecutive single entries that fail than this mean that the server is broken, not a record
_MAX_SKIPPED = 5
#: how many times its announced total a server may return before it is taken for one that never ends
_MAX_TOTAL_FACTOR = 10


@dataclass(frozen=True)
class PageLimits:
    """Limits of a pagination: records, pages, and consecutive empty pages. No known catalogue comes near them."""

    records: int = 1_000_000
    pages: int = 100_000
    empty_pages: int = 2


@dataclass(frozen=True)
class CataloguePage:
    """One page of a pagination.

    ``items`` are the new records that match the query. ``repeated`` counts those that earlier pages had,
    ``filtered_out`` those that do not match. ``next_request`` fetches the next page (None at the end).
    """

    items: Tuple[CatalogueRecord, ...]
    failures: Tuple[CartoguideError, ...]
    notes: Tuple[str, ...]
    total: Optional[int]
    next_request: Optional[Request]
    repeated: int = 0
    filtered_out: int = 0


class Paginator:
    """Pages of one query. ``fetch`` sends the requests, ``received`` is the number of entries before the first page."""

    def __init__(self, protocol: CatalogueProtocol, fetch: Fetch, query: CatalogueQuery,
                 bounds: Optional[PageLimits] = None, received: int = 0) -> None:
        self._protocol = protocol
        self._fetch = fetch
        self._limits = bounds or PageLimits()
        self._local_conditions = protocol.locally_checked(query)
        self._filters = self._local_conditions != CatalogueQuery()
        self._seen_contents: Set[bytes] = set()
        self._seen_identifiers: Set[bytes] = set()
        self._seen_pages: Set[bytes] = set()
        self._received = received
        self._repeated = 0
        self._skipped = 0
        #: True if the pages ended before everything that the catalogue announced had come
        self.fell_short = False

    @property
    def filters_locally(self) -> bool:
        """Return True if part of the query is checked here, so that the source's total includes other records."""
        return self._filters

    def matches(self, record: Record) -> bool:
        """Return True if a full record matches the conditions that are checked here."""
        return not self._filters or matches(record, self._local_conditions)

    def use_fetch(self, fetch: Fetch) -> None:
        """Send the following requests with another ``fetch``, such as that of another task."""
        self._fetch = fetch

    def pages(self, first: Request) -> Iterator[CataloguePage]:
        """Yield every page, starting with the request ``first``.

        Raises CartoguideError if a page cannot be fetched.
        """
        request: Optional[Request] = first
        empty_pages = 0
        requested: Set[bytes] = set()
        total: Optional[int] = None
        for _ in range(self._limits.pages):
            if request is None:
                return
            request_key = _fingerprint(f"{request.method.value} {request.url}".encode() + (request.body or b""))
            if request_key in requested:
                self._note_shortfall(total, False)
                yield self._final_page((tr("The catalogue returned the same page twice; the search was stopped."),))
                return
            requested.add(request_key)
            page, entries = self._fetch_new_items(request)
            total = page.total if page.total is not None else total
            empty_pages = empty_pages + 1 if not page.items and not page.failures else 0
            stop_reason = self._stop_reason(page, entries, empty_pages)
            if stop_reason is not None:
                self._note_shortfall(page.total, bool(stop_reason) and not page.repeated)
                yield replace(page, notes=(*page.notes, *((stop_reason,) if stop_reason else ())), next_request=None)
                return
            yield page
            request = page.next_request
        self.fell_short = True
        yield self._final_page((tr("The catalogue has more pages than can be read; the rest was skipped."),))

    def _fetch_new_items(self, request: Request) -> Tuple[CataloguePage, int]:
        """Return a page without the records of earlier pages, and its number of entries."""
        answer, next_request = self._fetch_page(request)
        if self._is_repeated(answer):
            self._repeated += len(answer.items)
            return CataloguePage((), answer.failures, answer.notes, answer.total, next_request,
                                 len(answer.items)), answer.entry_count
        items: List[CatalogueRecord] = []
        repeated = left_out = 0
        for item in answer.items:
            content = _fingerprint(item.record.original or repr(item.record).encode("utf-8", "replace"))
            identifier = _fingerprint((item.record.id or item.location).encode("utf-8", "replace"))
            if content in self._seen_contents:
                repeated += 1
                continue
            self._seen_contents.add(content)
            if identifier in self._seen_identifiers:
                # another record with the same identifier: saved under a location of its own
                item = replace(item, location=f"{item.location}#{content.hex()[:12]}")
            self._seen_identifiers.add(identifier)
            if not self._filters or matches(item.record, self._local_conditions, item.full):
                items.append(item)
            else:
                left_out += 1
        self._received += answer.entry_count - repeated
        self._repeated += repeated
        return CataloguePage(tuple(items), answer.failures, answer.notes, answer.total, next_request, repeated,
                             left_out), answer.entry_count

    def _is_repeated(self, answer: SearchResponse) -> bool:
        """Return True if an earlier page had the same identifiers.

        Contents are not compared, since a server may give repeated records a new date stamp each time.
        """
        names = [item.record.id or item.location for item in answer.items]
        if len(set(names)) < 2:
            return False
        page_key = _fingerprint("\n".join(names).encode("utf-8", "replace"))
        is_known = page_key in self._seen_pages
        self._seen_pages.add(page_key)
        return is_known

    def _fetch_page(self, request: Request) -> Tuple[SearchResponse, Optional[Request]]:
        """Return the response to a request. If the server fails on one of its records, the others are fetched around
        it.
        """
        try:
            answer = self._protocol.parse_page(request, self._fetch(request))
        except CartoguideError as error:
            respelled = self._fetch_respelled(request, error)
            if respelled is not None:
                return respelled, respelled.next_request
            size = self._protocol.page_size(request)
            if not _may_be_single_record_failure(error) or not size or not (self._received or
                                                                            self._serves_single_entries(request, size)):
                raise
            self._skipped = 0
            answer = self._fetch_in_halves(request, size, error)
            if not answer.items:
                raise
        return answer, answer.next_request

    def _fetch_respelled(self, request: Request, error: CartoguideError) -> Optional[SearchResponse]:
        """Return the response to a refused first search with its property named otherwise, or None if that fails too.
        """
        refused = error.status in (400, 500) if isinstance(error, UnexpectedResponse) else isinstance(
            error, ServiceError)
        other = self._protocol.respelled_request(request) if refused and not self._received else None
        if other is None:
            return None
        try:
            return self._protocol.parse_page(other, self._fetch(other))
        except CartoguideError:
            return None

    def _serves_single_entries(self, request: Request, size: int) -> bool:
        """Return True if single entries of a failed first page can be fetched, so that the query itself is
        supported.
        """
        for forward in (0, 1):
            probe = self._protocol.shifted_request(request, 1, forward) if size > 1 or forward else None
            if probe is None:
                continue
            try:
                self._protocol.parse_page(probe, self._fetch(probe))
                return True
            except CartoguideError as error:
                if not _may_be_single_record_failure(error):
                    return False
        return False

    def _fetch_in_halves(self, request: Request, size: int, error: CartoguideError) -> SearchResponse:
        """Fetch a failed page in halves, recursively. A single entry that fails is skipped and reported."""
        if size == 1:
            self._skipped += 1
            next_request = self._protocol.shifted_request(request, 1, 1)
            if next_request is None or self._skipped > _MAX_SKIPPED:
                raise error
            return SearchResponse((), None, next_request, (), (error.with_traceback(None),), 1)
        combined, done = SearchResponse(), 0
        for size_of_half in (size // 2, size - size // 2):
            part = self._protocol.shifted_request(request, size_of_half, done)
            if part is None:
                raise error
            try:
                response = self._protocol.parse_page(part, self._fetch(part))
                self._skipped = 0
            except CartoguideError as again:
                if not _may_be_single_record_failure(again):
                    raise
                response = self._fetch_in_halves(part, size_of_half, again)
            done += size_of_half
            combined = SearchResponse(
                (*combined.items, *response.items), combined.total if response.total is None else response.total,
                response.next_request, (*combined.notes, *response.notes), (*combined.failures, *response.failures),
                combined.entry_count + response.entry_count)
            if response.next_request is None or response.entry_count < size_of_half:
                break
        next_request = combined.next_request if combined.next_request is None else self._protocol.shifted_request(
            combined.next_request, size)
        return replace(combined, next_request=next_request)

    def _stop_reason(self, page: CataloguePage, entries: int, empty_pages: int) -> Optional[str]:
        """Return why the pagination ends with this page ("" for a normal end), or None if it does not end."""
        if page.next_request is None:
            if page.total is not None and not self._filters and self._received < page.total:
                return tr("The catalogue announced %n record(s) but returned {given}.", n=page.total,
                          given=self._received)
            return ""
        if page.repeated and not page.items and not page.failures and page.repeated == entries:
            return tr("The catalogue repeats earlier results; the search was stopped.")
        if empty_pages > self._limits.empty_pages and not (entries and self._filters):
            return tr("The catalogue returns only empty pages; the search was stopped.")
        if self._received >= self._limits.records:
            return tr("The catalogue returns more than {count} records; the rest was skipped.",
                      count=self._limits.records)
        if page.total is not None and self._received > 1000 + _MAX_TOTAL_FACTOR * page.total:
            return tr("The catalogue announced {total} records but keeps returning more; the rest was skipped.",
                      total=page.total)
        return None

    def _note_shortfall(self, total: Optional[int], was_cut: bool) -> None:
        """Note whether the pages end too early: by the announced total, which counts repeated records too, or cut."""
        missing = total is not None and not self._filters and self._received + self._repeated < total
        self.fell_short = missing or was_cut and total is None

    @staticmethod
    def _final_page(notes: Tuple[str, ...]) -> CataloguePage:
        return CataloguePage((), (), notes, None, None)


def _may_be_single_record_failure(error: CartoguideError) -> bool:
    """Return True if the failure may be caused by one record of the page, while the server works otherwise."""
    if isinstance(error, UnexpectedResponse):
        return error.status in (200, 500)
    return isinstance(error, (ServiceError, UnreadableDocument)) and not isinstance(error, NotARecord)


def _fingerprint(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=12).digest()
