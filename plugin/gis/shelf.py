"""Where the dock's records stay: the store in the QGIS profile, opened by the first task that needs it."""

from __future__ import annotations

import shutil
import tempfile
import threading
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, TypeVar

from qgis.core import QgsApplication

from ..core.errors import CartoguideError
from ..core.i18n import tr
from ..core.records.model import Record
from ..core.records.places import places_of
from ..core.records.starter import is_starter
from ..core.store.query import Counts, Page, Query
from . import catalogue, log, settings
from .i18n import record_language
from .keeper import BUNDLED, Keeper, bundled, is_described, retire_starters
from .network_errors import Cancelled
from .tasks import Feedback

if TYPE_CHECKING:
    from ..core.store.store import Store

T = TypeVar("T")

#: rows of the first page of results, and of those that follow
PAGE = 50
_FAR, _FAR_PAGE = 500, 250
#: of so many kept records the dock gets the record itself; the others are read when they are chosen
MOST_GIVEN = 50
_BATCH = 200


@dataclass(frozen=True)
class Place:
    """Where records come from: address (what tells sources apart), kind and title."""

    address: str
    kind: str
    title: str


@dataclass(frozen=True)
class Kept:
    """What came of keeping records: how many, and the first of them by identifier as they speak now."""

    count: int
    records: Mapping[str, Record]


def store_path() -> Path:
    """The store's file: the person's own, or the one in the QGIS profile."""
    chosen = settings.get("store/path")
    return Path(chosen) if chosen else default_path()


def default_path() -> Path:
    """The store's file in the QGIS profile."""
    return Path(QgsApplication.qgisSettingsDirPath()) / "cartoguide" / "records.sqlite"


class Shelf:
    """The open store. Where it cannot be opened the records are kept for this session only, and ``problem`` says why.

    Everything but ``ready`` and what is given there is for worker threads.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._store: Optional[Store] = None
        self._aside: Optional[str] = None
        self._closed = False
        self.problem: Optional[CartoguideError] = None
        #: kind and title of each source of records by its address, as the newest count found them
        self.sources: Mapping[str, Tuple[str, str]] = {}

    @property
    def ready(self) -> Optional[Store]:
        """The store if it is open already; never waits."""
        return self._store

    def store(self) -> Store:
        """The store, opened now if it is not yet. CartoguideError: not even for this session."""
        with self._lock:
            if self._closed:
                raise Cancelled
            if self._store is None:
                self._store = self._open()
            return self._store

    def notices(self) -> List[str]:
        """What the store has to say about itself, once."""
        store = self._store
        if store is None:
            return []
        said, store.notices[:] = list(store.notices), []
        return said

    def reopen(self) -> None:
        """Let go of the file; the next use opens the one that the settings name now."""
        with self._lock:
            self._let_go()

    def close(self) -> None:
        """Let go of the file; what was kept for this session only is gone."""
        with self._lock:
            self._closed = True
            self._let_go()

    def _let_go(self) -> None:
        store, self._store, self.problem = self._store, None, None
        if store is not None:
            store.close()
        if self._aside is not None:
            shutil.rmtree(self._aside, ignore_errors=True)
            self._aside = None

    def _open(self) -> Store:
        from ..core.store.store import Store

        try:
            return Store(store_path())
        except CartoguideError as error:
            log.error(error)
            self.problem = CartoguideError(
                tr("{reason} Until then, records are kept for this session only.", reason=error.user_text),
                error.detail)
        self._aside = tempfile.mkdtemp(prefix="cartoguide-")
        return Store(Path(self._aside) / "records.sqlite")

    # -- writing

    def put_bundled(self, opened: catalogue.Opened, title: str) -> Kept:
        """Let the network profile's records be those of the store, save where a catalogue's own is there instead."""
        store = self.store()
        wanted = {record.id or "": record for record in opened.records if not self._is_replaced(store, record)}
        if not opened.failures and opened.problem is None:
            gone = [hit.identifier for hit in bundled(store) if hit.starter and hit.identifier not in wanted]
            if gone:
                store.forget(gone)
        return self.put(Place(BUNDLED, BUNDLED, title), list(wanted.values()))

    def put(self, place: Place, records: Sequence[Record], feedback: Optional[Feedback] = None) -> Kept:
        """Keep records of one place; a starter gives way to a catalogue's own record of the same service."""
        from ..core.store.copies import Incoming, Origin, identifier_of
        from ..core.store.indexing import index_row
        from ..core.store.store import now

        store = self.store()
        origin = Origin(place.address, place.kind, place.title, now())
        identifiers: Dict[str, None] = {}
        placed = places_of(records)
        for begin in range(0, len(records), _BATCH):
            if feedback is not None:
                feedback.stop_if_cancelled()
                feedback.tell(100.0 * begin / len(records), tr("%n record(s) read", n=begin))
            batch = [Incoming(index_row(record), where, record.original)
                     for record, where in placed[begin:begin + _BATCH]]
            store.put_rows(origin, batch)
            identifiers.update((identifier_of(place.address, one), None) for one in batch)
        retire_starters(store)
        return Kept(len(records), self.given(list(identifiers)[:MOST_GIVEN]))

    def keeper(self) -> Keeper:
        """The store for what brings records to it."""
        return Keeper(self.store())

    def given(self, identifiers: Sequence[str]) -> Dict[str, Record]:
        """Records as they speak now, by identifier."""
        found = {identifier: self.store().get(identifier, record_language()) for identifier in identifiers}
        return {name: record for name, record in found.items() if record is not None}

    @staticmethod
    def _is_replaced(store: Store, record: Record) -> bool:
        from ..core.records.links import endpoint, normalise_endpoint

        address = endpoint(record)
        return bool(address) and is_starter(record) and is_described(store, normalise_endpoint(address or ""))

    # -- reading, in a thread

    def page(self, question: Tuple[Query, int], cancelled: Callable[[], bool]) -> Page:
        """The results of a query from an offset on."""
        query, offset = question
        # who scrolls far waits for fewer pages, and the list is laid out less often
        size = PAGE if offset < _FAR else _FAR_PAGE
        return _wanted(lambda: self.store().search(query, size, offset, cancelled))

    def counts(self, query: Query, cancelled: Callable[[], bool]) -> Counts:
        """Number and facets of a query. Of a facet that narrows, the counts are those of its alternatives."""
        return _wanted(lambda: self._counts(query, cancelled))

    def _counts(self, query: Query, cancelled: Callable[[], bool]) -> Counts:
        store = self.store()
        found = store.count(query, cancelled)
        facets = dict(found.facets)
        for facet, values in query.facets.items():
            if values:
                others = {name: some for name, some in query.facets.items() if name != facet}
                facets[facet] = store.count(replace(query, facets=others), cancelled).facets[facet]
        self.sources = store.sources()
        return Counts(found.total, facets)

    def record(self, identifier: str, _cancelled: Callable[[], bool]) -> Optional[Record]:
        """A record, read from its original."""
        return self.store().get(identifier, record_language())


    def versions(self, record: Record) -> List[Tuple[str, str, Record]]:
        """The other versions of a record: the day when each was read, its source's title, and the record."""
        from ..core.records import read

        found = []
        for version in self.store().versions(record.id or "") if record.id else ():
            if version.data == record.original:
                continue
            try:
                records = read(version.data, version.place, record_language(), capabilities_as_record=True)
            except CartoguideError as error:
                log.error(error)
                continue
            found += [(version.read_at[:10], version.title, item) for item in records if item.id == record.id][:1]
        return found


def _wanted(work: Callable[[], T]) -> T:
    """The store's word for "no longer wanted" is not the tasks'."""
    from ..core.store.connections import Cancelled as NotWanted

    try:
        return work()
    except NotWanted as stop:
        raise Cancelled from stop
