"""All pages of a query, whatever the server does: bounded, and nothing lost that it gave."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import Iterator, List, Optional, Set, Tuple

from ..errors import CartoguideError, NotARecord, ServiceError, UnreadableDocument, UnusableAnswer
from ..i18n import tr
from ..records.model import Record
from ..request import Request
from .matching import holds
from .model import Answer, Fetch, Found, SourceProtocol, SourceQuery

#: so many single entries that fail one behind the other are no broken records any more but a broken server
_MOST_SKIPPED = 5
#: a server that claims a total may give this many times as much before it is taken for one that never ends
_BEYOND_TOTAL = 10


@dataclass(frozen=True)
class Bounds:
    """What a walk may cost. Defaults are far above what any catalogue of the field holds."""

    records: int = 1_000_000
    pages: int = 100_000
    barren: int = 2


@dataclass(frozen=True)
class Page:
    """One page of a walk: what it brought, with what is there already from earlier pages left out (``repeated`` counts
    it), nor what the query does not look for (``left_out``); ``next`` continues behind it, None: the walk is at
    its end.
    """

    found: Tuple[Found, ...]
    failures: Tuple[CartoguideError, ...]
    notes: Tuple[str, ...]
    total: Optional[int]
    next: Optional[Request]
    repeated: int = 0
    left_out: int = 0


class Walk:
    """The pages of one query from one request on. ``fetch`` carries the requests."""

    def __init__(self, protocol: SourceProtocol, fetch: Fetch, query: SourceQuery, bounds: Optional[Bounds] = None,
                 given: int = 0) -> None:
        self._protocol = protocol
        self._fetch = fetch
        self._bounds = bounds or Bounds()
        self._left = protocol.left(query)
        self._filters = self._left != SourceQuery()
        self._seen: Set[bytes] = set()
        self._ids: Set[bytes] = set()
        self._pages: Set[bytes] = set()
        self._given = given
        self._skipped = 0

    @property
    def filters(self) -> bool:
        """Whether part of the query is checked here, so that the source's total counts others too."""
        return self._filters

    def wants(self, record: Record) -> bool:
        """Whether a record, now that it is whole, is what the query looks for."""
        return not self._filters or holds(record, self._left)

    def carry_by(self, fetch: Fetch) -> None:
        """Let another ``fetch`` carry the pages that follow: that of a later task."""
        self._fetch = fetch

    def pages(self, first: Request) -> Iterator[Page]:
        """Every page, the first one by ``first``. CartoguideError where a page cannot be had; earlier ones stay."""
        request: Optional[Request] = first
        barren = 0
        asked: Set[bytes] = set()
        for _ in range(self._bounds.pages):
            if request is None:
                return
            mark = _mark(f"{request.method} {request.url}".encode() + (request.body or b""))
            if mark in asked:
                yield self._end((tr("It sent the search round in a circle, so it was ended there."),))
                return
            asked.add(mark)
            page, entries = self._page(request)
            barren = barren + 1 if not page.found and not page.failures else 0
            reason = self._stop(page, entries, barren)
            if reason is not None:
                yield replace(page, notes=(*page.notes, *((reason,) if reason else ())), next=None)
                return
            yield page
            request = page.next
        yield self._end((tr("It has more pages than can be read; the rest was left."),))

    def _page(self, request: Request) -> Tuple[Page, int]:
        """One page without what came before."""
        answer, following = self._answer(request)
        if self._is_repeated(answer):
            return Page((), answer.failures, answer.notes, answer.total, following, len(answer.found)), answer.count
        found: List[Found] = []
        repeated = left_out = 0
        for item in answer.found:
            content = _mark(item.record.original or repr(item.record).encode("utf-8", "replace"))
            identifier = _mark((item.record.id or item.place).encode("utf-8", "replace"))
            if content in self._seen:
                repeated += 1
                continue
            self._seen.add(content)
            if identifier in self._ids:
                # another record under an identifier that was there: kept, in a place of its own
                item = replace(item, place=f"{item.place}#{content.hex()[:12]}")
            self._ids.add(identifier)
            if not self._filters or holds(item.record, self._left, item.full):
                found.append(item)
            else:
                left_out += 1
        self._given += answer.count - repeated
        return Page(tuple(found), answer.failures, answer.notes, answer.total, following, repeated,
                    left_out), answer.count

    def _is_repeated(self, answer: Answer) -> bool:
        """Whether an earlier page had the same records, by their identifiers, whatever they say now: a server that
        stamps what it repeats anew would else never end.
        """
        names = [item.record.id or item.place for item in answer.found]
        if len(set(names)) < 2:
            return False
        mark = _mark("\n".join(names).encode("utf-8", "replace"))
        known = mark in self._pages
        self._pages.add(mark)
        return known

    def _answer(self, request: Request) -> Tuple[Answer, Optional[Request]]:
        """The answer to a request; where the server fails over one of its records, around that record."""
        try:
            answer = self._protocol.read(request, self._fetch(request))
        except CartoguideError as error:
            size = self._protocol.size(request)
            if not _may_be_one_record(error) or not size or not (self._given or self._lives(request, size)):
                raise
            self._skipped = 0
            answer = self._around(request, size, error)
            if not answer.found:
                raise
        return answer, answer.next

    def _lives(self, request: Request, size: int) -> bool:
        """Whether a first page that failed is not simply the server's answer to such a query: a single entry tells."""
        for forward in (0, 1):
            probe = self._protocol.resized(request, 1, forward) if size > 1 or forward else None
            if probe is None:
                continue
            try:
                self._protocol.read(probe, self._fetch(probe))
                return True
            except CartoguideError as error:
                if not _may_be_one_record(error):
                    return False
        return False

    def _around(self, request: Request, size: int, error: CartoguideError) -> Answer:
        """What failed, asked for again in halves; a single entry that fails is skipped and told."""
        if size == 1:
            self._skipped += 1
            following = self._protocol.resized(request, 1, 1)
            if following is None or self._skipped > _MOST_SKIPPED:
                raise error
            return Answer((), None, following, (), (error.with_traceback(None),), 1)
        whole, done = Answer(), 0
        for share in (size // 2, size - size // 2):
            part = self._protocol.resized(request, share, done)
            if part is None:
                raise error
            try:
                got = self._protocol.read(part, self._fetch(part))
                self._skipped = 0
            except CartoguideError as again:
                if not _may_be_one_record(again):
                    raise
                got = self._around(part, share, again)
            done += share
            whole = Answer((*whole.found, *got.found), whole.total if got.total is None else got.total, got.next,
                           (*whole.notes, *got.notes), (*whole.failures, *got.failures), whole.count + got.count)
            if got.next is None or got.count < share:
                break
        following = whole.next if whole.next is None else self._protocol.resized(whole.next, size)
        return replace(whole, next=following)

    def _stop(self, page: Page, entries: int, barren: int) -> Optional[str]:
        """Why the walk ends with this page ("": it just ends), or None."""
        if page.next is None:
            if page.total is not None and not self._filters and self._given < page.total:
                return tr("It announced {total} records and gave {given}.", total=page.total, given=self._given)
            return ""
        if page.repeated and not page.found and not page.failures and page.repeated == entries:
            return tr("It repeats what it gave before, so the search was ended there.")
        if barren > self._bounds.barren and not (entries and self._filters):
            return tr("Its pages hold nothing any more, so the search was ended there.")
        if self._given >= self._bounds.records:
            return tr("It gives more than {count} records; the rest was left.", count=self._bounds.records)
        if page.total is not None and self._given > 1000 + _BEYOND_TOTAL * page.total:
            return tr("It announced {total} records and gives more without end; the rest was left.", total=page.total)
        return None

    @staticmethod
    def _end(notes: Tuple[str, ...]) -> Page:
        return Page((), (), notes, None, None)


def _may_be_one_record(error: CartoguideError) -> bool:
    """Whether the failure may be over one record of the page: the server lives, but this page it cannot give."""
    if isinstance(error, UnusableAnswer):
        return error.status in (200, 500)
    return isinstance(error, (ServiceError, UnreadableDocument)) and not isinstance(error, NotARecord)


def _mark(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=12).digest()


