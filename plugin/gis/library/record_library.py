"""The user's record library: an SQLite store in the QGIS profile, opened by the first task that needs it.

"Starters" are records that Cartoguide bundles for the services of a network. They are removed as soon as the library
has the catalogue's own record of the service.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple, TypeVar

from qgis.core import QgsApplication
from qgis.PyQt.QtCore import QObject

from ...core.custommap.map_entries import record_of_entry, records_of_entries
from ...core.custommap.model import CustomMap, MapEntry
from ...core.distributions.record_distributions import coupled_identifiers, describes_endpoint, wms_distributions
from ...core.errors import Cancelled, CartoguideError
from ...core.i18n import tr
from ...core.library.query import Facet, FacetCounts, LibraryQuery, ResultPage, SearchHit
from ...core.library.record_copies import assign_locations
from ...core.records.model.endpoints import endpoint_keys, normalise_endpoint
from ...core.records.model.record import Record, ResourceKind, is_starter
from ...core.storage.temporary_files import temporary_folder
from ...core.terms.model import Decision
from ..profiles import record_loading
from ..runtime import log, settings, tasks
from ..runtime.i18n import record_language
from ..runtime.tasks import ErrorCallback, Feedback, ProgressCallback
from ..runtime.terms import terms_for

if TYPE_CHECKING:
    from ...core.library.record_copies import IncomingRecord, Origin, SaveOutcome
    from ...core.library.record_store import CheckpointStore, RecordStore


Found = TypeVar("Found", SearchHit, Record)
Value = TypeVar("Value")
#: rows of a page of results, and of a page after the first 500 rows, which saves requests while scrolling
PAGE_SIZE = 50
_FAR_OFFSET, _FAR_PAGE_SIZE = 500, 250
#: saved records that are returned at most. The others are loaded when the user selects them
MAX_RETURNED_RECORDS = 50
#: services of a data set, or data sets of a service, that are read and listed
MAX_COUPLED = 20
_BATCH_SIZE = 200
_SEARCH_PAGE_SIZE = 500
#: bytes of a document whose texts may take longer to read than a window may be held
_LONG_DOCUMENT = 40_000
#: source address of the records bundled with the network profile
BUNDLED = "bundled"
#: kind of source under which former versions saved the records of a snapshot
_SNAPSHOT_KIND = "snapshot"


@dataclass(frozen=True)
class RecordSource:
    """Origin of records: its address, which identifies it, its kind and its title."""

    address: str
    kind: str
    title: str


@dataclass(frozen=True)
class SaveResult:
    """Number of saved records, and the first of them by identifier as the library shows them now.

    ``replaced`` is the number of records that the library showed otherwise before.
    """

    count: int
    records: Mapping[str, Record]
    replaced: int = 0


def store_path() -> Path:
    """Return the file of the record library: the one in the settings, or the default."""
    chosen = settings.get("store/path")
    return Path(chosen) if chosen else default_store_path()


def default_store_path() -> Path:
    """Return the default file of the record library, in the QGIS profile."""
    return Path(QgsApplication.qgisSettingsDirPath()) / "cartoguide" / "records.sqlite"


class RecordLibrary:
    """The record library, opened on first use. All methods but ``store_if_open`` and ``read`` are for worker threads.

    If its file cannot be opened, a temporary one is used for this session, and ``problem`` is the reason.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._store: Optional[RecordStore] = None
        self._temporary_folder: Optional[str] = None
        self._closed = False
        self.problem: Optional[CartoguideError] = None
        #: kind and title of each source by its address, as of the last ``counts``
        self.sources: Mapping[str, Tuple[str, str]] = {}
        #: files of the images that come with the network profile, by the identifier of their record
        self.bundled_images: Mapping[str, Path] = {}

    @property
    def store_if_open(self) -> Optional[RecordStore]:
        """The store if it is already open. Never blocks."""
        return self._store

    def read(self, work: Callable[[RecordStore], Value], on_error: ErrorCallback) -> Optional[Value]:
        """Return what ``work`` reads from the store, which takes moments, on the main thread.

        It is None while the store is being opened, and where it cannot be read: ``on_error`` gets the reason.
        """
        try:
            return work(self._store) if self._store is not None else None
        except CartoguideError as error:
            on_error(error)
            return None

    def store(self) -> RecordStore:
        """Return the store, opening it if necessary.

        Raises CartoguideError if not even a temporary store can be opened, Cancelled after ``close``.
        """
        with self._lock:
            if self._closed:
                raise Cancelled
            if self._store is None:
                self._store = self._open()
            return self._store

    def take_notices(self) -> List[str]:
        """Return the messages of the store for the user. Each is returned once."""
        store = self._store
        if store is None:
            return []
        notices, store.notices[:] = list(store.notices), []
        return notices

    def reopen(self) -> None:
        """Close the store. The next use opens the file that is in the settings then."""
        with self._lock:
            self._release()

    def close(self) -> None:
        """Close the store for good, and delete a temporary one."""
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
                tr("{reason} Until then, records are saved for this session only.", reason=error.user_text),
                error.detail)
        self._temporary_folder = str(temporary_folder(Path(tempfile.gettempdir())))
        return RecordStore(Path(self._temporary_folder) / "records.sqlite")

    # -- writing

    def save_bundled(self, loaded: record_loading.RecordLoadResult, title: str) -> SaveResult:
        """Replace the bundled records by those of the network profile, without replaced starters."""
        self.bundled_images = loaded.images
        store = self.store()
        if store.is_read_only:
            return SaveResult(0, {})
        release_snapshot_records(store)
        bundled = {record.id or "": record for record in loaded.records if not self._is_replaced(store, record)}
        if not loaded.failures and loaded.problem is None:
            outdated = [hit.identifier for hit in find_bundled(store) if hit.starter and hit.identifier not in bundled]
            if outdated:
                store.remove(outdated)
        return self.save(RecordSource(BUNDLED, BUNDLED, title), list(bundled.values()))

    def save(self, source: RecordSource, records: Sequence[Record], feedback: Optional[Feedback] = None) -> SaveResult:
        """Save records of one source, and remove the starters that they replace. Raises Cancelled, CartoguideError."""
        from ...core.dates import utc_now
        from ...core.library.index.index_row import index_row
        from ...core.library.record_copies import IncomingRecord, Origin, SaveOutcome, identifier_of

        store, replaced = self.store(), 0
        origin = Origin(source.address, source.kind, source.title, utc_now())
        identifiers: Dict[str, None] = {}
        located = assign_locations(records)
        for begin in range(0, len(records), _BATCH_SIZE):
            if feedback is not None:
                feedback.raise_if_cancelled()
                feedback.report(100.0 * begin / len(records), tr("%n record(s) read", n=begin))
            batch = [
                IncomingRecord(index_row(record), location, record.original)
                for record, location in located[begin:begin + _BATCH_SIZE]
            ]
            outcomes = store.save_rows(origin, batch)
            replaced += outcomes.count(SaveOutcome.REPLACED) + outcomes.count(SaveOutcome.CHANGED)
            identifiers.update((identifier_of(source.address, incoming), None) for incoming in batch)
        replaced += len(remove_replaced_starters(store))
        return SaveResult(len(records), self.load_records(list(identifiers)[:MAX_RETURNED_RECORDS]), replaced)

    def import_target(self) -> ImportTarget:
        return ImportTarget(self.store())

    def load_records(self, identifiers: Sequence[str]) -> Dict[str, Record]:
        """Return the records with these identifiers, without missing ones."""
        records = {identifier: self.store().load_record(identifier, record_language()) for identifier in identifiers}
        for record in records.values():
            _read_long_terms(record)
        return {identifier: record for identifier, record in records.items() if record is not None}

    @staticmethod
    def _is_replaced(store: RecordStore, record: Record) -> bool:
        from ...core.distributions.record_distributions import wms_address

        address = wms_address(record)
        return bool(address) and is_starter(record) and has_catalogue_record(store, normalise_endpoint(address or ""))

    # -- reading

    def load_page(self, request: Tuple[LibraryQuery, int], cancelled: Callable[[], bool]) -> ResultPage:
        """Return a page of results. ``request`` is the query and the offset. Raises Cancelled."""
        query, offset = request
        size = PAGE_SIZE if offset < _FAR_OFFSET else _FAR_PAGE_SIZE
        return self.store().search(query, size, offset, cancelled)

    def counts(self, query: LibraryQuery, cancelled: Callable[[], bool]) -> FacetCounts:
        """Return the number of results and the facets of a query. Raises Cancelled.

        The counts of a facet that filters the query are those without that filter.
        """
        store = self.store()
        counts = store.count(query, cancelled)
        facets = dict(counts.facets)
        for facet, values in query.facets.items():
            if values:
                others = {name: selected for name, selected in query.facets.items() if name != facet}
                facets[facet] = store.count(replace(query, facets=others), cancelled).facets[facet]
        self.sources = store.sources()
        return FacetCounts(counts.total, facets)

    def load_record(self, identifier: str, _cancelled: Callable[[], bool]) -> Optional[Record]:
        """Return a record, read from its original document, or None."""
        record = self.store().load_record(identifier, record_language())
        _read_long_terms(record)
        return record

    def coupled_records(self, record: Record, cancelled: Callable[[], bool]) -> List[Record]:
        """Return the data of a service, or the services that operate on a data set, as far as the library has them."""
        store = self.store()
        if record.kind is ResourceKind.SERVICE:
            hits: Sequence[SearchHit] = store.find_by_identifiers(coupled_identifiers(record))
        elif record.id:
            query = LibraryQuery(record.id, facets={Facet.KIND: (ResourceKind.SERVICE.value,)})
            hits = store.search(query, MAX_COUPLED, 0, cancelled).hits
        else:
            hits = ()
        found = self.load_records([hit.identifier for hit in hits[:MAX_COUPLED]]).values()
        return [other for other in found if other.id != record.id and (
            record.kind is ResourceKind.SERVICE or record.id in coupled_identifiers(other))]

    def other_versions(self, record: Record) -> List[Tuple[str, str, Record]]:
        """Return the other versions of a record: date of reading (ISO 8601), title of the source, and record."""
        from ...core.records import read

        versions = []
        for version in self.store().find_versions(record.id or "") if record.id else ():
            if version.data == record.original:
                continue
            try:
                records = read(version.data, version.location, record_language(), capabilities_as_record=True)
            except CartoguideError as error:
                log.error(error)
                continue
            versions += [(version.read_at[:10], version.source_title, item) for item in records
                         if item.id == record.id][:1]
        return versions


class ImportTarget:
    """The record library as the target of an import, for one worker thread at a time.

    ``identifiers`` are the identifiers of the saved records by location. ``added`` are source, identifier and location
    of the copies that the library did not have.
    """

    def __init__(self, store: RecordStore) -> None:
        self.store = store
        self.identifiers: Dict[str, str] = {}
        self.added: List[Tuple[str, str, str]] = []

    @property
    def path(self) -> Path:
        return self.store.path

    @property
    def checkpoints(self) -> CheckpointStore:
        return self.store.checkpoints

    def save_rows(self, origin: Origin, batch: Sequence[IncomingRecord]) -> List[SaveOutcome]:
        """Save a batch of one source durably. Returns "new", "changed" or "same" for each record."""
        from ...core.library.record_copies import SaveOutcome, identifier_of

        outcomes = self.store.save_rows(origin, batch)
        for incoming, outcome in zip(batch, outcomes):
            identifier = identifier_of(origin.source, incoming)
            self.identifiers[incoming.location] = identifier
            if outcome not in (SaveOutcome.SAME, SaveOutcome.CHANGED):
                self.added.append((origin.source, identifier, incoming.location))
        return outcomes

    def merge_segments(self, cancelled: Optional[Callable[[], bool]] = None) -> None:
        """Merge the index segments of many batches."""
        self.store.merge_segments(cancelled)

    def mark_unseen_as_vanished(self, source: str, is_seen: Callable[[str, str], bool]) -> int:
        """Mark the records that a complete reading of a source did not find."""
        return self.store.mark_unseen_as_vanished(source, is_seen)


def _read_long_terms(record: Optional[Record]) -> None:
    """Read the terms of a record with long texts, so that the window's thread finds what was read in the cache."""
    if record is not None and len(record.original) > _LONG_DOCUMENT:
        terms_for(record)


def remove_replaced_starters(store: RecordStore) -> List[Record]:
    """Remove the starters of services that have a catalogue record, under any identifier, and return them."""
    starters = [hit for hit in find_bundled(store) if hit.starter and hit.endpoint]
    replaced = [hit.identifier for hit in starters if has_catalogue_record(store, hit.endpoint)]
    records = [store.load_record(identifier) for identifier in replaced]
    if replaced:
        store.remove(replaced)
    return [record for record in records if record is not None]


def release_snapshot_records(store: RecordStore) -> None:
    """Let no record count that a former version took from the snapshot of a map, which anybody may have made.

    A record that the library has from elsewhere too is shown as that. Others are removed: they stay in their snapshot.
    """
    snapshots = {address for address, (kind, _title) in store.sources().items() if kind == _SNAPSHOT_KIND}
    for address in snapshots:
        locations: List[str] = []
        removed: List[str] = []
        for hit in list(iter_hits(store, LibraryQuery(facets={Facet.SOURCE: (address,)}))):
            copies = store.find_copies(hit.identifier)
            if all(copy.source in snapshots for copy in copies):
                removed.append(hit.identifier)
            else:
                locations += [copy.location for copy in copies if copy.source == address and copy.vanished_at is None]
        if removed:
            store.remove(removed)
        if locations:
            store.mark_vanished(address, locations)


def has_catalogue_record(store: RecordStore, endpoint: str) -> bool:
    """Return True if a catalogue record describes the map service at the normalised ``endpoint``."""
    return any(not hit.starter and hit.kind == ResourceKind.SERVICE for hit in store.find_by_endpoint(endpoint))


def find_endpoint_hits(store: RecordStore, endpoint: str) -> List[SearchHit]:
    """Return the records of the service at ``endpoint``: services before datasets, catalogue records before starters.

    Those that require a credit come before others of their kind, starters too: no record weakens the terms of a service
    by its being there. Where there is no record of the address those count that require a credit at the same address
    with fewer parameters.
    """
    found = _found_at(endpoint, store.find_by_endpoint, lambda hit: hit.credit_required == Decision.YES)
    return sorted(found,
                  key=lambda hit: (hit.kind != ResourceKind.SERVICE, hit.credit_required != Decision.YES, hit.starter))


def _found_at(endpoint: str, find: Callable[[str], Sequence[Found]], owes_credit: Callable[[Found], bool]
              ) -> Sequence[Found]:
    """Return what ``find`` gives for an address, else what requires a credit at the same address with fewer parameters.

    A parameter that is left out may choose another service, so that nothing is known of this one but a duty.
    """
    exact, *shorter = endpoint_keys(endpoint)
    found = find(exact)
    for key in shorter:
        if found:
            break
        found = [item for item in find(key) if owes_credit(item)]
    return found


def find_bundled(store: RecordStore) -> List[SearchHit]:
    """Return the records of the library that come from the network profile."""
    return list(iter_hits(store, LibraryQuery(facets={Facet.SOURCE: (BUNDLED,)})))


def iter_hits(store: RecordStore, query: LibraryQuery,
              cancelled: Optional[Callable[[], bool]] = None) -> Iterator[SearchHit]:
    """Yield all results of a query, one page at a time. Raises Cancelled."""
    offset, has_more = 0, True
    while has_more:
        page = store.search(query, _SEARCH_PAGE_SIZE, offset, cancelled)
        yield from page.hits
        offset += len(page.hits)
        has_more = page.has_more and bool(page.hits)


def find_map_records(custom_map: CustomMap, records: Iterable[Record],
                     store: Optional[RecordStore]) -> Dict[str, Record]:
    """Return the records of the map's services by endpoint. For worker threads.

    A record is looked up in ``records`` first, then in ``store``. A service without a record is left out, so that it
    keeps the credit of the document.
    """
    known = list(records)
    by_id: Dict[Optional[str], Record] = {record.id: record for record in known if record.id}
    by_address: Dict[str, List[Record]] = {}
    for record in known:
        for distribution in wms_distributions(record):
            by_address.setdefault(normalise_endpoint(distribution.address), []).append(record)

    def find(entry: MapEntry) -> Optional[Record]:
        match = _match_record(entry, by_id, by_address)
        if store is not None and (match is None or not describes_endpoint(match, entry.endpoint)):
            match = _load_record(entry, store) or match
        return match

    return records_of_entries(custom_map.entries, find)


def _match_record(entry: MapEntry, by_id: Mapping[Optional[str], Record],
                  by_address: Mapping[str, Sequence[Record]]) -> Optional[Record]:
    def at_endpoint() -> Optional[Record]:
        found = _found_at(entry.endpoint, lambda key: by_address.get(key, ()),
                          lambda record: terms_for(record).credit_required == Decision.YES)
        return next(iter(found), None)

    return record_of_entry(entry, by_id.get(entry.record_id), at_endpoint)


def _load_record(entry: MapEntry, store: RecordStore) -> Optional[Record]:
    """Return the record that the entry refers to, or else the best one for its endpoint, or None."""
    named = store.load_record(entry.record_id, record_language()) if entry.record_id else None
    return record_of_entry(entry, named, lambda: record_at_endpoint(entry.endpoint, store))


def record_at_endpoint(endpoint: str, store: RecordStore) -> Optional[Record]:
    """Return the best record for the service at ``endpoint``, see ``find_endpoint_hits``, or None."""
    records = (store.load_record(hit.identifier, record_language()) for hit in find_endpoint_hits(store, endpoint))
    return next((record for record in records if record is not None), None)


@dataclass(frozen=True)
class RemovedRecords:
    """The removed copies (address of the source, record, location, vanished from its source) and number of records."""

    copies: Tuple[Tuple[str, Record, str, bool], ...]
    count: int


def is_bundled_only(store: RecordStore, identifier: str) -> bool:
    """Return True for a record that comes from the network profile alone, and so cannot be removed."""
    return all(copy.source == BUNDLED for copy in store.find_copies(identifier))


def remove_records(store: RecordStore, identifiers: Sequence[str]) -> RemovedRecords:
    """Remove records with all their copies. They stay members of collections, in case they are restored.

    Records that only come from the network profile are not removed, because they would return at the next start.
    """
    known = {identifier: store.find_copies(identifier) for identifier in identifiers}
    removed = [identifier for identifier, copies in known.items() if any(copy.source != BUNDLED for copy in copies)]
    copies = [(copy.source, store.load_copy(copy), copy.location, copy.vanished_at is not None)
              for identifier in removed for copy in reversed(known[identifier])]
    return RemovedRecords(tuple(copies), store.remove(removed) if removed else 0)


def restore_records(store: RecordStore, removed: RemovedRecords) -> None:
    """Undo ``remove_records``."""
    sources = store.sources()
    by_source: Dict[str, List[Tuple[Record, str]]] = {}
    for source, record, location, _ in removed.copies:
        by_source.setdefault(source, []).append((record, location))
    for source, records in by_source.items():
        kind, title = sources.get(source, ("", ""))
        store.save(source, kind, title, records)
        store.mark_vanished(source,
                            [location for address, _, location, vanished in removed.copies
                             if vanished and address == source])


def start_relocation(library: RecordLibrary, chosen: str, copy_records: bool, done: Callable[[int], None],
                     failed: ErrorCallback, owner: Optional[QObject] = None,
                     progress: Optional[ProgressCallback] = None) -> tasks.Job:
    """Create or open the library at the path ``chosen`` in a task, and copy the records of ``library`` on request.

    An empty path stands for the default one. ``done`` is called with the number of records. The caller changes the
    setting.
    """
    return tasks.start(tr("Moving the record library"),
                       lambda feedback: _relocate(library, chosen, copy_records, feedback), done, failed, owner,
                       progress)


def _relocate(library: RecordLibrary, chosen: str, copy_records: bool, feedback: tasks.Feedback) -> int:
    from ...core.library.record_store import RecordStore
    from ...core.library.store_copy import copy_store, is_record_store

    path = Path(chosen) if chosen else default_store_path()
    if not path.is_absolute():
        raise CartoguideError(tr("Enter the full path of the record library."), chosen)
    is_new = not is_record_store(path)

    def report_progress(count: int, total: int) -> None:
        feedback.report(100.0 * count / max(1, total), tr("%n record(s) copied", n=count))
        feedback.raise_if_cancelled()

    old = library.store()
    if path.exists() and os.path.samefile(path, old.path):
        return old.count_records()
    store = RecordStore(path)
    try:
        return copy_store(old, store, report_progress) if copy_records else 0
    except BaseException:
        if is_new:
            _delete_store(store)
        raise
    finally:
        store.close()


def _delete_store(store: RecordStore) -> None:
    store.close()
    path = store.path
    siblings = [path.with_name(path.name + suffix) for suffix in ("-wal", "-shm")]
    for part in (path, *siblings, path.with_suffix(".journal"), path.with_suffix(".lock")):
        if part.exists():
            os.unlink(part)
