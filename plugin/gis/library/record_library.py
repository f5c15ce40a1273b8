"""Where the dock's records stay: the store in the QGIS profile, opened by the first task that needs it."""

from __future__ import annotations

import shutil
import tempfile
import threading
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Callable, Dict, List, Mapping, Optional, Sequence, Tuple

from qgis.core import QgsApplication

from ...core.errors import Cancelled, CartoguideError
from ...core.i18n import tr
from ...core.library.query import FacetCounts, LibraryQuery, ResultPage, SearchHit
from ...core.records.model.record import Record, is_starter
from ...core.records.model.record_locations import assign_locations
from ..profiles import record_loading
from ..runtime import log, settings
from ..runtime.i18n import record_language
from ..runtime.tasks import Feedback

if TYPE_CHECKING:
    from ...core.library.checkpoints import CheckpointStore
    from ...core.library.record_copies import IncomingRecord, Origin
    from ...core.library.record_store import RecordStore

#: rows of the first page of results, and of those that follow
PAGE_SIZE = 50
_FAR_OFFSET, _FAR_PAGE_SIZE = 500, 250
#: of so many kept records the dock gets the record itself; the others are read when they are chosen
MAX_RETURNED_RECORDS = 50
_BATCH_SIZE = 200
_SEARCH_PAGE_SIZE = 500
#: the source of the records that come with the network profile
BUNDLED = "bundled"


@dataclass(frozen=True)
class RecordSource:
    """Where records come from: address (what tells sources apart), kind and title."""

    address: str
    kind: str
    title: str


@dataclass(frozen=True)
class SaveResult:
    """What came of keeping records: how many, and the first of them by identifier as they speak now."""

    count: int
    records: Mapping[str, Record]


def store_path() -> Path:
    """The store's file: the person's own, or the one in the QGIS profile."""
    chosen = settings.get("store/path")
    return Path(chosen) if chosen else default_store_path()


def default_store_path() -> Path:
    """The store's file in the QGIS profile."""
    return Path(QgsApplication.qgisSettingsDirPath()) / "cartoguide" / "records.sqlite"


class RecordLibrary:
    """The open store. Where it cannot be opened the records are kept for this session only, and ``problem`` says why.

    Everything but ``ready`` and what is given there is for worker threads.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._store: Optional[RecordStore] = None
        self._temporary_folder: Optional[str] = None
        self._closed = False
        self.problem: Optional[CartoguideError] = None
        #: kind and title of each source of records by its address, as the newest count found them
        self.sources: Mapping[str, Tuple[str, str]] = {}

    @property
    def store_if_open(self) -> Optional[RecordStore]:
        """The store if it is open already; never waits."""
        return self._store

    def store(self) -> RecordStore:
        """The store, opened now if it is not yet. CartoguideError: not even for this session."""
        with self._lock:
            if self._closed:
                raise Cancelled
            if self._store is None:
                self._store = self._open()
            return self._store

    def take_notices(self) -> List[str]:
        """What the store has to say about itself, once."""
        store = self._store
        if store is None:
            return []
        said, store.notices[:] = list(store.notices), []
        return said

    def reopen(self) -> None:
        """Let go of the file; the next use opens the one that the settings name now."""
        with self._lock:
            self._release()

    def close(self) -> None:
        """Let go of the file; what was kept for this session only is gone."""
        with self._lock:
            self._closed = True
            self._release()

    def _release(self) -> None:
        store, self._store, self.problem = self._store, None, None
        if store is not None:
            store.close()
        if self._temporary_folder is not None:
            shutil.rmtree(self._temporary_folder, ignore_errors=True)
            self._temporary_folder = None

    def _open(self) -> RecordStore:
        from ...core.library.record_store import RecordStore

        try:
            return RecordStore(store_path())
        except CartoguideError as error:
            log.error(error)
            self.problem = CartoguideError(
                tr("{reason} Until then, records are only saved for this session.", reason=error.user_text),
                error.detail)
        self._temporary_folder = tempfile.mkdtemp(prefix="cartoguide-")
        return RecordStore(Path(self._temporary_folder) / "records.sqlite")

    # -- writing

    def save_bundled(self, loaded: record_loading.RecordLoadResult, title: str) -> SaveResult:
        """Let the network profile's records be those of the store, save where a catalogue's own is there instead."""
        store = self.store()
        wanted = {record.id or "": record for record in loaded.records if not self._is_replaced(store, record)}
        if not loaded.failures and loaded.problem is None:
            gone = [hit.identifier for hit in find_bundled(store) if hit.starter and hit.identifier not in wanted]
            if gone:
                store.remove(gone)
        return self.save(RecordSource(BUNDLED, BUNDLED, title), list(wanted.values()))

    def save(self, source: RecordSource, records: Sequence[Record], feedback: Optional[Feedback] = None) -> SaveResult:
        """Keep records of one place; a starter gives way to a catalogue's own record of the same service."""
        from ...core.library.index.index_row import index_row
        from ...core.library.record_copies import IncomingRecord, Origin, identifier_of
        from ...core.library.record_store import utc_now

        store = self.store()
        origin = Origin(source.address, source.kind, source.title, utc_now())
        identifiers: Dict[str, None] = {}
        placed = assign_locations(records)
        for begin in range(0, len(records), _BATCH_SIZE):
            if feedback is not None:
                feedback.raise_if_cancelled()
                feedback.report(100.0 * begin / len(records), tr("%n record(s) read", n=begin))
            batch = [
                IncomingRecord(index_row(record), where, record.original)
                for record, where in placed[begin:begin + _BATCH_SIZE]
            ]
            store.save_rows(origin, batch)
            identifiers.update((identifier_of(source.address, one), None) for one in batch)
        remove_replaced_starters(store)
        return SaveResult(len(records), self.load_records(list(identifiers)[:MAX_RETURNED_RECORDS]))

    def import_target(self) -> ImportTarget:
        """The store for what brings records to it."""
        return ImportTarget(self.store())

    def load_records(self, identifiers: Sequence[str]) -> Dict[str, Record]:
        """Records as they speak now, by identifier."""
        found = {identifier: self.store().load_record(identifier, record_language()) for identifier in identifiers}
        return {name: record for name, record in found.items() if record is not None}

    @staticmethod
    def _is_replaced(store: RecordStore, record: Record) -> bool:
        from ...core.records.model.endpoints import normalise_endpoint, wms_endpoint

        address = wms_endpoint(record)
        return bool(address) and is_starter(record) and has_catalogue_record(store, normalise_endpoint(address or ""))

    # -- reading, in a thread

    def load_page(self, request: Tuple[LibraryQuery, int], cancelled: Callable[[], bool]) -> ResultPage:
        """The results of a query from an offset on."""
        query, offset = request
        # who scrolls far waits for fewer pages, and the list is laid out less often
        size = PAGE_SIZE if offset < _FAR_OFFSET else _FAR_PAGE_SIZE
        return self.store().search(query, size, offset, cancelled)

    def counts(self, query: LibraryQuery, cancelled: Callable[[], bool]) -> FacetCounts:
        """Number and facets of a query. Of a facet that narrows, the counts are those of its alternatives."""
        store = self.store()
        found = store.count(query, cancelled)
        facets = dict(found.facets)
        for facet, values in query.facets.items():
            if values:
                others = {name: some for name, some in query.facets.items() if name != facet}
                facets[facet] = store.count(replace(query, facets=others), cancelled).facets[facet]
        self.sources = store.sources()
        return FacetCounts(found.total, facets)

    def load_record(self, identifier: str, _cancelled: Callable[[], bool]) -> Optional[Record]:
        """A record, read from its original."""
        return self.store().load_record(identifier, record_language())


    def other_versions(self, record: Record) -> List[Tuple[str, str, Record]]:
        """The other versions of a record: the day when each was read, its source's title, and the record."""
        from ...core.records import read

        found = []
        for version in self.store().find_versions(record.id or "") if record.id else ():
            if version.data == record.original:
                continue
            try:
                records = read(version.data, version.location, record_language(), capabilities_as_record=True)
            except CartoguideError as error:
                log.error(error)
                continue
            found += [(version.read_at[:10], version.source_title, item) for item in records
                      if item.id == record.id][:1]
        return found


class ImportTarget:
    """The store as an import needs it; for one worker thread at a time. ``identifiers`` are those of the records that
    were put here, by place: what another process writes for an import is not among them.
    """

    def __init__(self, store: RecordStore) -> None:
        self.store = store
        self.identifiers: Dict[str, str] = {}

    @property
    def path(self) -> Path:
        """The store's file."""
        return self.store.path

    @property
    def checkpoints(self) -> CheckpointStore:
        """Where unfinished harvests, and what is known of watched folders, are noted."""
        return self.store.checkpoints

    def save_rows(self, origin: Origin, batch: Sequence[IncomingRecord]) -> List[str]:
        """Keep a batch of one source; "new", "changed", "same" for each. On the disk when it returns."""
        from ...core.library.record_copies import identifier_of

        outcomes = self.store.save_rows(origin, batch)
        self.identifiers.update((one.location, identifier_of(origin.source, one)) for one in batch)
        return outcomes

    def merge_segments(self, cancelled: Optional[Callable[[], bool]] = None) -> None:
        """Join the pieces that many batches left in the index."""
        self.store.merge_segments(cancelled)

    def mark_unseen_as_vanished(self, source: str, is_seen: Callable[[str, str], bool]) -> int:
        """Mark what a complete reading of a source did not come across."""
        return self.store.mark_unseen_as_vanished(source, is_seen)


def remove_replaced_starters(store: RecordStore) -> None:
    """Take out the starters of the services that another record describes, under whichever identifier."""
    starters = [hit for hit in find_bundled(store) if hit.starter and hit.endpoint]
    gone = [hit.identifier for hit in starters if has_catalogue_record(store, hit.endpoint)]
    if gone:
        store.remove(gone)


def has_catalogue_record(store: RecordStore, endpoint: str) -> bool:
    """Whether a catalogue's own record describes the map service at a normalised ``endpoint``."""
    return any(not hit.starter and hit.kind == "service" for hit in store.find_by_endpoint(endpoint))


def find_bundled(store: RecordStore) -> List[SearchHit]:
    """The records of the store that came with the network profile."""
    found: List[SearchHit] = []
    more = True
    while more:
        page = store.search(LibraryQuery(facets={"source": (BUNDLED,)}), _SEARCH_PAGE_SIZE, len(found))
        found += page.hits
        more = page.has_more and bool(page.hits)
    return found
