"""The record store: the face of the record library's files for the rest of Cartoguide."""

from __future__ import annotations

import json
import sqlite3
from functools import wraps
from pathlib import Path
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, TypeVar, cast

from ..dates import utc_now
from ..errors import CartoguideError, UnreadableDocument
from ..files import write_error
from ..i18n import tr
from ..records import read
from ..records.model.record import Record
from .blob_cache import BlobCache
from .connection_pool import ConnectionPool, FileIdentity, ReadOnlyStore, StoreBusy
from .index.facet_counts import FacetCounter
from .index.index_row import index_row
from .index.search import LibrarySearch, load_hits
from .journal import Journal, JournalOperation
from .query import PAGE_SIZE, FacetCounts, LibraryQuery, ResultPage, SearchHit
from .rebuild import rebuild_index
from .record_browser import RecordBrowser
from .record_collections import RecordCollections
from .record_copies import IncomingRecord, Origin, RecordCopy, RecordVersion, SaveOutcome
from .record_writer import RecordWriter, catch_up, unindexed_bytes

T = TypeVar("T")
Method = TypeVar("Method", bound=Callable[..., Any])

_SELECT_COPIES = (
    "SELECT c.copy_id, c.identifier, s.address, c.place, c.date_stamp, c.starter, c.pack_offset, c.pack_number, "
    "c.read_at, c.vanished_at FROM copy c JOIN source s ON s.source_id = c.source_id "
    "LEFT JOIN record r ON r.copy_id = c.copy_id WHERE c.identifier = ? "
    "ORDER BY r.copy_id IS NULL, min(c.date_stamp, strftime('%Y-%m-%dT%H:%M:%S', 'now')) DESC, c.copy_id DESC")
#: how SQLite's messages about a damaged file begin, of those that are OperationalError
_CORRUPTION_MESSAGES = ("no such table", "no such column", "vtable constructor failed", "fts5:")


def _recovering(method: Method) -> Method:
    """Decorate a method of RecordStore to rebuild a damaged index and run again, and to explain a full disk."""

    @wraps(method)
    def wrapper(self: RecordStore, *arguments: Any, **named: Any) -> Any:
        return self._with_recovery(lambda: method(self, *arguments, **named))

    return cast(Method, wrapper)


class RecordStore:
    """Records in one SQLite file (``records.sqlite``) and the journal beside it (``records.journal``).

    The two files may be deleted or moved only together. A store may be used by several threads and processes at once.
    Every method raises CartoguideError if the files cannot be read or written, and StoreBusy if another QGIS holds
    them for too long. A damaged index is rebuilt from the journal and the call is repeated.

    ``collections`` are the named sets of records, ``blob_cache`` the cached capabilities and thumbnails,
    ``checkpoints`` the state of unfinished harvests, and ``browser`` lists records by kind and
    title. ``connections`` and ``writer`` are for the modules of this package.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.connections = ConnectionPool(path)
        self.writer = RecordWriter(self.connections, Journal(path.with_suffix(".journal")))
        self._search = LibrarySearch(self.connections)
        self._facet_counter = FacetCounter(self.connections)
        self.collections = RecordCollections(self.connections, self.writer)
        self.blob_cache = BlobCache(self.connections)
        self.checkpoints = CheckpointStore(self.connections)
        self.browser = RecordBrowser(self.connections)
        #: messages for the person about the state of the store, such as that it was rebuilt
        self.notices: List[str] = []
        self._apply_pending_journal()

    @property
    def is_read_only(self) -> bool:
        """True if the files can be read, but not written."""
        return self.connections.is_read_only

    # -- writing -------------------------------------------------------------------------------------------------------
    def save(self, source: str, kind: str, title: str, records: Iterable[Tuple[Record, str]]) -> List[SaveOutcome]:
        """Save records of one source, each with its location there, and return the outcome for each.

        ``source`` is the address of the source, ``kind`` and ``title`` describe it. The records are on the disk when
        this returns.
        """
        batch = [IncomingRecord(index_row(record), location, record.original) for record, location in records]
        return self.save_rows(Origin(source, kind, title, utc_now()), batch)

    @_recovering
    def save_rows(self, origin: Origin, batch: Sequence[IncomingRecord]) -> List[SaveOutcome]:
        """Save records whose index rows exist already, and return the outcome for each."""
        return self.writer.save_batch(origin, batch) if batch else []

    def journal_size(self) -> int:
        """Return the length of the journal. What is saved later is behind it."""
        return self.writer.journal.size()

    @_recovering
    def saved_by_run(self, run: str, begin: int) -> Dict[Tuple[str, str], SaveOutcome]:
        """Return what the harvest ``run`` saved since the journal had the length ``begin``: the outcome for each
        identifier and location.
        """
        outcomes: Dict[Tuple[str, str], SaveOutcome] = {}
        for _, header in self.writer.journal.headers(begin):
            if header.get("run") == run:
                replaced = set(header.get("replaced", ()))
                for number, item in enumerate(header.get("items", ())):
                    outcome = SaveOutcome.CHANGED if number in replaced else SaveOutcome.NEW
                    outcomes.setdefault((str(item[0]), str(item[1])), outcome)
        return outcomes

    @_recovering
    def mark_vanished(self, source: str, locations: Sequence[str]) -> int:
        """Mark the copies at ``locations`` as no longer in their source, and return how many were marked.

        The copies stay in the store.
        """
        with self.writer.transaction() as connection:
            pairs = connection.execute(
                "SELECT identifier, place FROM copy WHERE vanished_at IS NULL AND place IN "
                "(SELECT value FROM json_each(?)) "
                "AND source_id = (SELECT source_id FROM source WHERE address = ?)",
                (json.dumps(list(locations)), source),
            ).fetchall()
            return self._mark_copies_vanished(connection, source, pairs)

    @_recovering
    def mark_unseen_as_vanished(self, source: str, is_seen: Callable[[str, str], bool]) -> int:
        """Mark the copies of a source that a complete reading of it did not meet, and return how many were marked.

        ``is_seen`` gets identifier and location of a copy.
        """
        with self.writer.transaction() as connection:
            rows = connection.execute(
                "SELECT identifier, place FROM copy WHERE vanished_at IS NULL AND "
                "source_id = (SELECT source_id FROM source WHERE address = ?)", (source,))
            return self._mark_copies_vanished(connection, source, [pair for pair in rows if not is_seen(*pair)])

    def _mark_copies_vanished(self, connection: sqlite3.Connection, source: str,
                              pairs: Sequence[Tuple[str, str]]) -> int:
        if not pairs:
            return 0
        return self.writer.append_operation(connection, JournalOperation.VANISH, {"source": source, "at": utc_now()},
                                            pairs)

    @_recovering
    def remove(self, identifiers: Sequence[str]) -> int:
        """Remove records with all their copies, and return how many records there were."""
        with self.writer.transaction() as connection:
            return self.writer.append_operation(connection, JournalOperation.FORGET, {"at": utc_now()}, identifiers)

    @_recovering
    def update_collections(self, change: Callable[[RecordCollections], T]) -> T:
        """Call ``change`` with the collections and return its result."""
        return change(self.collections)

    @_recovering
    def merge_segments(self, cancelled: Optional[Callable[[], bool]] = None) -> None:
        """Merge the segments that many batches left in the word index, so that searches read fewer of them."""
        self.writer.indexer.merge_segments(self.connections, cancelled)

    # -- reading -------------------------------------------------------------------------------------------------------
    @_recovering
    def search(self, query: LibraryQuery, limit: int = PAGE_SIZE, offset: int = 0,
               cancelled: Optional[Callable[[], bool]] = None) -> ResultPage:
        """Return ``limit`` results of a query, from ``offset`` on.

        Raises Cancelled soon after ``cancelled()`` returns True.
        """
        return self._search.find(query, limit, offset, cancelled)

    @_recovering
    def count(self, query: LibraryQuery, cancelled: Optional[Callable[[], bool]] = None) -> FacetCounts:
        """Return the exact number of results of a query and the counts of its facets. Slower than ``search``.

        Raises Cancelled soon after ``cancelled()`` returns True.
        """
        return self._facet_counter.count(query, cancelled)

    def load_record(self, identifier: str, language: str = "") -> Optional[Record]:
        """Return the preferred copy of a record, parsed from its original bytes, or None if there is none.

        ``language`` (ISO 639) chooses among localised texts. Raises UnreadableDocument if its bytes are damaged.
        """
        row = self._preferred_copy_position(identifier)
        return self._read_record(row[0], row[1], identifier, language) if row else None

    def load_original(self, identifier: str) -> Optional[Tuple[str, bytes]]:
        """Return location and original bytes of the preferred copy of a record, or None if there is none.

        Raises UnreadableDocument if its bytes are damaged.
        """
        row = self._preferred_copy_position(identifier)
        return self.writer.journal.read_record(row[0], row[1], identifier) if row else None

    @_recovering
    def _preferred_copy_position(self, identifier: str) -> Optional[Tuple[int, int]]:
        """Return the journal offset and the number within the entry of the preferred copy."""
        with self.connections.read_transaction() as connection:
            position: Optional[Tuple[int, int]] = connection.execute(
                "SELECT c.pack_offset, c.pack_number FROM record r JOIN copy c ON c.copy_id = r.copy_id "
                "WHERE r.identifier = ?", (identifier,)).fetchone()
            return position

    @_recovering
    def find_copies(self, identifier: str) -> List[RecordCopy]:
        """Return every copy of a record, the preferred one first."""
        with self.connections.read_transaction() as connection:
            rows = connection.execute(_SELECT_COPIES, (identifier,)).fetchall()
        fields: List[Tuple[Any, ...]] = [(*row[:5], bool(row[5]), *row[6:]) for row in rows]
        return [RecordCopy(*values) for values in fields]

    @_recovering
    def identifiers_by_location(self, source: str, package: str) -> Dict[str, List[str]]:
        """Return the identifiers of the records that a source has, or had, inside a package, keyed by location."""
        identifiers: Dict[str, List[str]] = {}
        with self.connections.read_transaction() as connection:
            for place, identifier in connection.execute(
                "SELECT place, identifier FROM copy WHERE source_id = (SELECT source_id FROM source WHERE address = ?) "
                "AND place >= ? AND place < ? ORDER BY copy_id DESC",
                (source, f"{package}!", f'{package}"'),
            ):
                identifiers.setdefault(place, []).append(identifier)
        return identifiers

    def load_copy(self, copy: RecordCopy, language: str = "") -> Record:
        """Return one copy as a record. Raises UnreadableDocument if its bytes are damaged."""
        return self._read_record(copy.entry_offset, copy.entry_index, copy.identifier, language)

    @_recovering
    def find_versions(self, identifier: str) -> List[RecordVersion]:
        """Return every version of a record that was ever saved, from any source, newest first and without repeats."""
        versions: Dict[bytes, RecordVersion] = {}
        for offset, number, header in reversed(self.writer.journal.find_versions(identifier)):
            try:
                location, data = self.writer.journal.read_record(offset, number, identifier)
            except UnreadableDocument:
                continue
            version = RecordVersion(str(header.get("title", "")), location, str(header.get("read_at", "")), data)
            versions.setdefault(data, version)
        return sorted(versions.values(), key=lambda version: version.read_at, reverse=True)

    @_recovering
    def sources(self) -> Dict[str, Tuple[str, str]]:
        """Return kind and title of each source, keyed by its address, which is its value in the facet "source"."""
        with self.connections.read_transaction() as connection:
            rows = connection.execute("SELECT address, kind, title FROM source ORDER BY title, address").fetchall()
        return {address: (kind, title) for address, kind, title in rows}

    @_recovering
    def find_by_endpoint(self, endpoint: str) -> List[SearchHit]:
        """Return the first 200 records whose service address is ``endpoint`` (normalised), those of services first."""
        with self.connections.read_transaction() as connection:
            rows = connection.execute(
                "SELECT record_id FROM record WHERE endpoint = ? AND endpoint <> '' ORDER BY record_id LIMIT 200",
                (endpoint,)).fetchall()
            return load_hits(connection, [row[0] for row in rows])

    @_recovering
    def find_by_identifiers(self, identifiers: Sequence[str]) -> List[SearchHit]:
        with self.connections.read_transaction() as connection:
            rows = connection.execute(
                "SELECT record_id FROM record WHERE identifier IN (SELECT value FROM json_each(?))",
                (json.dumps(list(identifiers)),)).fetchall()
            return load_hits(connection, [row[0] for row in rows])

    @_recovering
    def count_records(self) -> int:
        with self.connections.read_transaction() as connection:
            return int(connection.execute("SELECT count(*) FROM record").fetchone()[0])

    def close(self) -> None:
        """Close every connection. No thread may be using the store."""
        self.connections.close()

    # -- recovery ------------------------------------------------------------------------------------------------------
    @_recovering
    def _apply_pending_journal(self) -> None:
        """Index what the journal holds and the index does not, unless another process is writing and will do it."""
        if self.is_read_only:
            self.notices.append(
                tr("The record library {name} can only be read: it can be searched, but nothing is saved in it. Make "
                   "its folder writable, or choose another library in the settings.", name=self.path.name))
            return
        behind = unindexed_bytes(self.connections, self.writer)
        if not behind:
            return
        try:
            with self.connections.locked(seconds=0):
                count = catch_up(self.connections, self.writer)
        except StoreBusy:
            return
        if behind < 0:
            self.notices.append(
                tr("Original documents are missing from the record library {name}. Read them again from their sources.",
                   name=self.path.name))
        elif count:
            self.notices.append(tr("The record library was completed from its journal: %n record(s).", n=count))

    def _read_record(self, offset: int, number: int, identifier: str, language: str) -> Record:
        location, data = self.writer.journal.read_record(offset, number, identifier)
        records = read(data, location, language, capabilities_as_record=True)
        if not records:
            raise self.writer.journal.damaged_error(offset)
        return next((record for record in records if record.id == identifier), records[0])

    def _with_recovery(self, work: Callable[[], T]) -> T:
        """Call ``work``. If the file turns out to be damaged, rebuild it from the journal and call ``work`` again."""
        before = self.connections.file_identity()
        try:
            return self._with_readable_errors(work)
        except sqlite3.DatabaseError as error:
            if not _is_corruption(error):
                raise
            self._recover(error, before)
        try:
            return self._with_readable_errors(work)
        except sqlite3.DatabaseError as again:
            raise self._unrecoverable_error(again) from again

    def _with_readable_errors(self, work: Callable[[], T]) -> T:
        try:
            return work()
        except (sqlite3.OperationalError, OSError) as error:
            if _is_corruption(error):
                raise
            raise write_error(self.path, error, tr(
                "The record library {name} cannot be read or written. Check that there is room on its disk and "
                "that its folder may be written.", name=self.path.name)) from error

    def _recover(self, error: sqlite3.DatabaseError, damaged: Optional[FileIdentity]) -> None:
        try:
            rebuilt = rebuild_index(self.connections, self.writer, damaged)
        except ReadOnlyStore as again:
            raise self._unrecoverable_error(error) from again
        except sqlite3.DatabaseError as again:
            raise self._unrecoverable_error(again) from error
        if rebuilt is not None:
            self.notices.append(
                tr("The record library was damaged. It was set aside as {aside} and rebuilt: %n record(s).",
                   n=rebuilt.record_count, aside=rebuilt.aside.name))
            if rebuilt.damaged_blocks:
                self.notices.append(
                    tr("%n block(s) of original documents in {name} are damaged. Records that are missing now have to "
                       "be read again from their sources.", n=rebuilt.damaged_blocks,
                       name=self.writer.journal.path.name))

    def _unrecoverable_error(self, error: sqlite3.DatabaseError) -> CartoguideError:
        return CartoguideError(
            tr("The record library {name} is damaged and cannot be rebuilt. Move it away and start with an empty one.",
               name=self.path.name), str(error))


def _is_corruption(error: Exception) -> bool:
    """Return True if an error means that the file is damaged, rather than in use or on a full disk."""
    if type(error) in (sqlite3.DatabaseError, sqlite3.IntegrityError):
        return True
    return isinstance(error, sqlite3.OperationalError) and str(error).startswith(_CORRUPTION_MESSAGES)


class CheckpointStore:
    """Checkpoints of one store, each a JSON object under a key."""

    def __init__(self, connections: ConnectionPool) -> None:
        self._connections = connections

    def load(self, key: str) -> Optional[Mapping[str, object]]:
        """Return the state saved under ``key``, or None if there is none."""
        with self._connections.read_transaction() as connection:
            row = connection.execute("SELECT state FROM progress WHERE harvest = ?", (key,)).fetchone()
        state = json.loads(row[0]) if row else None
        return state if isinstance(state, dict) else None

    def save(self, key: str, state: Optional[Mapping[str, object]]) -> None:
        """Save ``state`` (JSON values) under ``key``. None removes it."""
        with self._connections.write_transaction() as connection:
            if state is None:
                connection.execute("DELETE FROM progress WHERE harvest = ?", (key,))
            else:
                connection.execute("INSERT OR REPLACE INTO progress VALUES(?,?)", (key, json.dumps(dict(state))))
