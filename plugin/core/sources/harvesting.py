"""A whole source, or a query of it, into the store: page by page, each acknowledged before the next is asked for."""

from __future__ import annotations

import csv
import io
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Protocol, Sequence, Tuple, Union

from ..errors import CartoguideError
from ..i18n import tr
from ..records.checks.as_csv import safe_cell
from ..records.model import Record
from ..request import Request
from .details import stops, whole
from .model import (
    Counts,
    Fetch,
    Found,
    Source,
    SourceProtocol,
    SourceQuery,
    query_key,
    request_from_json,
    request_to_json,
)
from .walk import Bounds, Page, Walk

#: failures and notes that are kept word for word; beyond that they are counted
MOST_KEPT = 200
_TOGETHER = 4
_STATE = "cartoguide-harvest/1"


class Progress(Protocol):
    """Where the store notes how far harvests are."""

    def get(self, harvest: str) -> Optional[Mapping[str, object]]:
        """What was noted."""

    def note(self, harvest: str, state: Optional[Mapping[str, object]]) -> None:
        """Note it; None: finished."""


class Keeper(Protocol):
    """What is needed of the store."""

    @property
    def progress(self) -> Progress:
        """Where unfinished harvests are noted."""

    def put(self, source: str, kind: str, title: str, records: Iterable[Tuple[Record, str]]) -> List[str]:
        """Keep records, each with its place; "new", "changed", "same" … for each."""

    def vanish_unseen(self, source: str, is_seen: Callable[[str, str], bool]) -> int:
        """Mark what a complete reading of the source did not come across."""


@dataclass
class Summary(Counts):
    """What a harvest did. ``failures`` are (what, why, detail); ``complete``: the source was read to its end;
    ``left_out``: how many it gave that the query does not look for, because it could not be asked for all of it.
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
    def read(self) -> int:
        """How many entries were dealt with."""
        return self.new + self.changed + self.same + self.failed + self.left_out

    def fail(self, what: str, error: CartoguideError) -> None:
        """Count one that could not be read, with its reason."""
        self.failed += 1
        if len(self.failures) < MOST_KEPT:
            self.failures.append((what, error.user_text, error.detail[:1000]))

    def note(self, notes: Iterable[str]) -> None:
        """Keep what was odd, each once."""
        self.notes += [note for note in dict.fromkeys(notes) if note not in self.notes][:MOST_KEPT - len(self.notes)]

    def words(self) -> str:
        """What it brought, in one line."""
        parts = [tr("%n new", n=self.new), tr("%n changed", n=self.changed), tr("%n the same", n=self.same)]
        if self.failed:
            parts.append(tr("%n failed", n=self.failed))
        if self.left_out:
            parts.append(tr("%n left out", n=self.left_out))
        if self.vanished:
            parts.append(tr("%n no longer there", n=self.vanished))
        return ", ".join(parts)

    def failures_csv(self) -> str:
        """A row for each failure (RFC 4180), with a heading; what would be a formula gets an apostrophe."""
        stream = io.StringIO()
        writer = csv.writer(stream, lineterminator="\r\n")
        writer.writerow((tr("Record"), tr("Why"), tr("Detail")))
        writer.writerows([safe_cell(cell) for cell in failure] for failure in self.failures)
        return stream.getvalue()

    def to_json(self) -> Dict[str, Any]:
        """As JSON-ready values."""
        return {"new": self.new, "changed": self.changed, "same": self.same, "failed": self.failed,
                "left_out": self.left_out,
                "total": self.total, "failures": [list(item) for item in self.failures], "notes": list(self.notes)}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Summary:
        """The summary that was noted; what does not fit counts as none."""
        found = cls(resumed=True)
        for name in ("new", "changed", "same", "failed", "left_out"):
            if isinstance(value.get(name), int):
                setattr(found, name, value[name])
        total, failures, notes = value.get("total"), value.get("failures"), value.get("notes")
        found.total = total if isinstance(total, int) else None
        found.failures = [(str(item[0]), str(item[1]), str(item[2])) for item in failures or ()
                          if isinstance(item, list) and len(item) == 3] if isinstance(failures, list) else []
        found.notes = [str(note) for note in notes] if isinstance(notes, list) else []
        return found


Told = Callable[[Summary], None]


def unfinished(store: Keeper, source: Source, query: SourceQuery) -> bool:
    """Whether a harvest of this was broken off and can go on."""
    return _noted(store, query_key(source, query)) is not None


def forget(store: Keeper, source: Source, query: SourceQuery) -> None:
    """Let a harvest that was broken off begin anew."""
    store.progress.note(query_key(source, query), None)


def harvest(protocol: SourceProtocol, query: SourceQuery, store: Keeper, fetch: Fetch, told: Optional[Told] = None,
            bounds: Optional[Bounds] = None) -> Summary:
    """Take everything that ``query`` finds into the store, going on where an earlier harvest of it was broken off.

    ``told`` gets the summary so far after each page, and may raise to break off: what was acknowledged stays, and the
    next harvest goes on behind it. CartoguideError where a page cannot be had; the same holds then.
    """
    source, key = protocol.source, query_key(protocol.source, query)
    noted = _noted(store, key)
    first, summary = noted if noted is not None else (protocol.first(query), Summary())
    seen: Optional[set[Tuple[str, str]]] = None if summary.resumed else set()
    walk = Walk(protocol, fetch, query, bounds, given=summary.read)
    for page in walk.pages(first):
        came = _whole(protocol, page, fetch, summary)
        items = [item for item in came if walk.wants(item.record)]
        summary.left_out += page.left_out + len(came) - len(items)
        summary.count(store.put(source.key, source.kind, source.shown, [(item.record, item.place) for item in items]))
        if seen is not None:
            seen.update((item.record.id or "", item.place) for item in items)
        summary.note(page.notes)
        for error in page.failures:
            summary.fail(source.shown, error)
        summary.total = page.total if page.total is not None else summary.total
        if page.next is not None:
            state = {"format": _STATE, "request": request_to_json(page.next), "summary": summary.to_json()}
            store.progress.note(key, state)
        if told is not None:
            told(summary)
    summary.complete = True
    store.progress.note(key, None)
    if seen is not None and _is_everything(query) and not summary.failed and not summary.notes:
        places = {place for _, place in seen}
        summary.vanished = store.vanish_unseen(source.key, lambda _, place: place in places)
    return summary


def _is_everything(query: SourceQuery) -> bool:
    return replace(query, sort="", page_size=1, start=1) == SourceQuery(page_size=1) and query.start == 1


def _noted(store: Keeper, key: str) -> Optional[Tuple[Request, Summary]]:
    """The continuation that was noted; None where there is none that can be used."""
    state = store.progress.get(key)
    if state is None or state.get("format") != _STATE:
        return None
    request, summary = state.get("request"), state.get("summary")
    if not isinstance(request, dict) or not isinstance(summary, dict):
        return None
    try:
        return request_from_json(request), Summary.from_json(summary)
    except ValueError:
        return None


def _whole(protocol: SourceProtocol, page: Page, fetch: Fetch, summary: Summary) -> Sequence[Found]:
    """The page's records; those of which it gave only an index entry are asked for, some at a time."""
    if all(item.full for item in page.found):
        return page.found
    with ThreadPoolExecutor(_TOGETHER, "cartoguide-harvest") as pool:
        answers = list(pool.map(lambda item: _one(protocol, item, fetch), page.found))
    found = []
    for item, answer in zip(page.found, answers):
        if isinstance(answer, Found):
            found.append(answer)
        elif stops(answer):
            raise answer
        else:
            summary.fail(item.record.title or item.place, answer)
    return found


def _one(protocol: SourceProtocol, item: Found, fetch: Fetch) -> Union[Found, CartoguideError]:
    try:
        return whole(protocol, item, fetch)
    except CartoguideError as error:
        return error.with_traceback(None)
