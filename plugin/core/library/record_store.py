"""The store: what the rest of Cartoguide sees of records that stay."""

from __future__ import annotations

import json
import os
import sqlite3
from datetime import datetime, timezone
from pathlib import Path
from typing import Callable, Dict, Iterable, List, Optional, Sequence, Tuple, TypeVar

from ..errors import CartoguideError, UnreadableDocument
from ..i18n import tr
from ..records import read
from ..records.model.record import Record
from .blob_cache import BlobCache
from .checkpoints import CheckpointStore
from .connection_pool import ConnectionPool, FileIdentity, StoreBusy
from .index.facet_counts import FacetCounter
from .index.index_row import index_row
from .index.search import LibrarySearch, load_hits
from .journal import Journal
from .query import FacetCounts, LibraryQuery, ResultPage, SearchHit
from .rebuild import rebuild_index
from .record_browser import RecordBrowser
from .record_collections import RecordCollections
from .record_copies import IncomingRecord, Origin, RecordCopy, RecordVersion
from .record_writer import RecordWriter, catch_up, unindexed_bytes

T = TypeVar("T")

__all__ = [
    "StoreBusy", "RecordCopy", "FacetCounts", "SearchHit", "ResultPage", "LibraryQuery", "RecordStore"
]

_SELECT_COPIES = (
    "SELECT c.copy_id, c.identifier, s.address, c.place, c.date_stamp, c.starter, c.pack_offset, c.pack_number, "
    "c.read_at, c.vanished_at FROM copy c JOIN source s ON s.source_id = c.source_id "
    "LEFT JOIN record r ON r.copy_id = c.copy_id WHERE c.identifier = ? "
    "ORDER BY r.copy_id IS NULL, c.date_stamp DESC, c.copy_id DESC")


_CORRUPTION_MESSAGES = ("no such table", "no such column", "vtable constructor failed", "fts5:")


class RecordStore:
    """One store's file (``records.sqlite``) and the journal beside it (``records.journal``), which may be deleted or
    moved only together. Safe from several threads and processes.

    ``collections``, ``keeping``, ``progress`` and ``browsing`` are the store's named sets, fetched things, unfinished
    harvests, and its records in parts.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._connections = ConnectionPool(path)
        self._writer = RecordWriter(self._connections, Journal(path.with_suffix(".journal")))
        self._search = LibrarySearch(self._connections)
        self._facet_counter = FacetCounter(self._connections)
        self.collections = RecordCollections(self._connections, self._writer)
        self.blob_cache = BlobCache(self._connections)
        self.checkpoints = CheckpointStore(self._connections)
        self.browser = RecordBrowser(self._connections)
        #: what a person should be told about the store's own state, such as that it was rebuilt
        self.notices: List[str] = []
        self._with_recovery(self._apply_pending_journal)

    # -- writing -------------------------------------------------------------------------------------------------------
    def save(self, source: str, kind: str, title: str, records: Iterable[Tuple[Record, str]]) -> List[str]:
        """Keep records of one source, each with its place there; "new", "changed", "same" for each. On the disk
        when it returns.
        """
        batch = [IncomingRecord(index_row(record), place, record.original) for record, place in records]
        return self.save_rows(Origin(source, kind, title, utc_now()), batch)

    def save_rows(self, origin: Origin, batch: Sequence[IncomingRecord]) -> List[str]:
        """The same for index rows that are made already (importing in bulk)."""
        return self._with_recovery(lambda: self._writer.save_batch(origin, batch)) if batch else []

    def mark_vanished(self, source: str, locations: Sequence[str]) -> int:
        """Mark what a source no longer holds at ``places``; it stays, and says so. Gives how many were marked."""
        wanted = json.dumps(list(locations))

        def work() -> int:
            with self._writer.transaction() as connection:
                pairs = connection.execute(
                    "SELECT identifier, place FROM copy WHERE vanished_at IS NULL AND place IN "
                    "(SELECT value FROM json_each(?)) "
                    "AND source_id = (SELECT source_id FROM source WHERE address = ?)",
                    (wanted, source),
                ).fetchall()
                return self._mark_copies_vanished(connection, source, pairs)

        return self._with_recovery(work)

    def mark_unseen_as_vanished(self, source: str, is_seen: Callable[[str, str], bool]) -> int:
        """Mark every copy of a source of which ``is_seen(identifier, place)`` is false: all that a complete reading
        of the source did not come across. Gives how many were marked.
        """

        def work() -> int:
            with self._writer.transaction() as connection:
                rows = connection.execute(
                    "SELECT identifier, place FROM copy WHERE vanished_at IS NULL AND "
                    "source_id = (SELECT source_id FROM source WHERE address = ?)",
                    (source,),
                )
                return self._mark_copies_vanished(connection, source, [pair for pair in rows if not is_seen(*pair)])

        return self._with_recovery(work)

    def _mark_copies_vanished(self, connection: sqlite3.Connection, source: str, pairs: Sequence[Tuple[str,
                                                                                                       str]]) -> int:
        if not pairs:
            return 0
        return self._writer.append_operation(connection, {"op": "vanish", "source": source, "at": utc_now()}, pairs)

    def remove(self, identifiers: Sequence[str]) -> int:
        """Take records out of the store with all their copies; gives how many there were."""

        def work() -> int:
            with self._writer.transaction() as connection:
                return self._writer.append_operation(connection, {"op": "forget", "at": utc_now()}, identifiers)

        return self._with_recovery(work)

    def update_collections(self, work: Callable[[RecordCollections], T]) -> T:
        """Do ``work`` on the collections; a damaged file is mended first, a full disk is told in words."""
        return self._with_recovery(lambda: work(self.collections))

    def merge_segments(self, cancelled: Optional[Callable[[], bool]] = None) -> None:
        """Join the pieces that many batches left in the index, so that searches have fewer to look into."""
        self._with_recovery(lambda: self._writer.indexer.merge_segments(self._connections, cancelled))

    # -- reading -------------------------------------------------------------------------------------------------------
    def search(self, query: LibraryQuery, limit: int = 50, offset: int = 0,
               cancelled: Optional[Callable[[], bool]] = None) -> ResultPage:
        """The first results of a query. ``Cancelled`` soon after ``cancelled()`` says so."""
        return self._with_recovery(lambda: self._search.find(query, limit, offset, cancelled))

    def count(self, query: LibraryQuery, cancelled: Optional[Callable[[], bool]] = None) -> FacetCounts:
        """Exact number and facets of a query; slower than its first results."""
        return self._with_recovery(lambda: self._facet_counter.count(query, cancelled))

    def load_record(self, identifier: str, language: str = "") -> Optional[Record]:
        """The record that speaks for ``identifier``, read from its original bytes; None where there is none."""
        row = self._preferred_copy_position(identifier)
        return self._read_record(row[0], row[1], identifier, language) if row else None

    def load_original(self, identifier: str) -> Optional[Tuple[str, bytes]]:
        """Place and original bytes of the record that speaks for ``identifier``; None where there is none."""
        row = self._preferred_copy_position(identifier)
        return self._writer.journal.read_record(row[0], row[1], identifier) if row else None

    def _preferred_copy_position(self, identifier: str) -> Optional[Tuple[int, int]]:
        def work() -> Optional[Tuple[int, int]]:
            with self._connections.read_transaction() as connection:
                return connection.execute(
                    "SELECT c.pack_offset, c.pack_number FROM record r JOIN copy c ON c.copy_id = r.copy_id "
                    "WHERE r.identifier = ?",
                    (identifier,),
                ).fetchone()

        return self._with_recovery(work)

    def find_copies(self, identifier: str) -> List[RecordCopy]:
        """Every copy of a record, the one that speaks for it first."""

        def work() -> List[RecordCopy]:
            with self._connections.read_transaction() as connection:
                rows = connection.execute(_SELECT_COPIES, (identifier,)).fetchall()
            fields = [(*row[:5], bool(row[5]), *row[6:]) for row in rows]
            return [RecordCopy(*some) for some in fields]

        return self._with_recovery(work)

    def load_copy(self, copy: RecordCopy, language: str = "") -> Record:
        """One copy as a record."""
        return self._read_record(copy.entry_offset, copy.entry_index, copy.identifier, language)

    def find_versions(self, identifier: str) -> List[RecordVersion]:
        """Every version of a record that was ever read, from whichever source, newest first, each document once."""

        def work() -> List[RecordVersion]:
            found: Dict[bytes, RecordVersion] = {}
            for offset, number, header in reversed(self._writer.journal.find_versions(identifier)):
                try:
                    place, data = self._writer.journal.read_record(offset, number, identifier)
                except UnreadableDocument:
                    continue
                version = RecordVersion(str(header.get("title", "")), place, str(header.get("read_at", "")), data)
                found.setdefault(data, version)
            return sorted(found.values(), key=lambda version: version.read_at, reverse=True)

        return self._with_recovery(work)

    def sources(self) -> Dict[str, Tuple[str, str]]:
        """Each source's address (its code in the facet), with its kind and title."""

        def work() -> Dict[str, Tuple[str, str]]:
            with self._connections.read_transaction() as connection:
                rows = connection.execute("SELECT address, kind, title FROM source ORDER BY title, address").fetchall()
            return {address: (kind, title) for address, kind, title in rows}

        return self._with_recovery(work)

    def find_by_endpoint(self, endpoint: str) -> List[SearchHit]:
        """The records whose service address is ``endpoint`` (normalised), the first 200: those of services first."""

        def work() -> List[SearchHit]:
            with self._connections.read_transaction() as connection:
                rows = connection.execute(
                    "SELECT record_id FROM record WHERE endpoint = ? AND endpoint <> '' ORDER BY record_id LIMIT 200",
                    (endpoint,),
                ).fetchall()
                return load_hits(connection, [row[0] for row in rows])

        return self._with_recovery(work)

    def find_by_identifiers(self, identifiers: Sequence[str]) -> List[SearchHit]:
        """Those of ``identifiers`` that the store has, as results."""

        def work() -> List[SearchHit]:
            with self._connections.read_transaction() as connection:
                rows = connection.execute(
                    "SELECT record_id FROM record WHERE identifier IN (SELECT value FROM json_each(?))",
                    (json.dumps(list(identifiers)),),
                ).fetchall()
                return load_hits(connection, [row[0] for row in rows])

        return self._with_recovery(work)

    def count_records(self) -> int:
        """How many records the store holds."""

        def work() -> int:
            with self._connections.read_transaction() as connection:
                return int(connection.execute("SELECT count(*) FROM record").fetchone()[0])

        return self._with_recovery(work)

    def disk_usage(self) -> Dict[str, int]:
        """Bytes on the disk: "index", "journal" (every version that was ever acknowledged), "kept" inside the index."""

        def work() -> Dict[str, int]:
            with self._connections.read_transaction() as connection:
                kept = int(connection.execute("SELECT coalesce(sum(size), 0) FROM kept").fetchone()[0])
            return {"index": os.stat(self.path).st_size, "journal": self._writer.journal.size(), "kept": kept}

        return self._with_recovery(work)

    def close(self) -> None:
        """Close every connection; no thread may be using the store."""
        self._connections.close()

    # -- within --------------------------------------------------------------------------------------------------------
    def _apply_pending_journal(self) -> None:
        behind = unindexed_bytes(self._connections, self._writer)
        if not behind:
            return
        # who holds the lock is writing, and will do this
        try:
            with self._connections.locked(seconds=0):
                count = catch_up(self._connections, self._writer)
        except StoreBusy:
            return
        if behind < 0:
            self.notices.append(
                tr(
                    "Original documents are missing from the record store {name}. Read them again from their sources.",
                    name=self.path.name,
                )
            )
        elif count:
            self.notices.append(tr("The record store was completed from its journal: %n record(s).", n=count))

    def _read_record(self, offset: int, number: int, identifier: str, language: str) -> Record:
        place, data = self._writer.journal.read_record(offset, number, identifier)
        found = read(data, place, language, capabilities_as_record=True)
        if not found:
            raise self._writer.journal.damaged_error(offset)
        return next((record for record in found if record.id == identifier), found[0])

    def _with_recovery(self, work: Callable[[], T]) -> T:
        """Do ``work``; where the file turns out to be damaged, set it aside, rebuild it from the journal, and do it
        again. CartoguideError where the disk is full or may not be written.
        """
        before = self._connections.file_identity()
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
            raise CartoguideError(
                tr(
                    "The record store {name} cannot be read or written. Check that there is room on its disk and "
                    "that its folder may be written.",
                    name=self.path.name,
                ),
                str(error),
            ) from error

    def _recover(self, error: sqlite3.DatabaseError, damaged: Optional[FileIdentity]) -> None:
        try:
            done = rebuild_index(self._connections, self._writer, damaged)
        except sqlite3.DatabaseError as again:
            raise self._unrecoverable_error(again) from error
        if done is not None:
            aside, count = done
            self.notices.append(
                tr(
                    "The record store was damaged. It was set aside as {aside} and rebuilt: %n record(s).",
                    n=count,
                    aside=aside.name,
                )
            )

    def _unrecoverable_error(self, error: sqlite3.DatabaseError) -> CartoguideError:
        return CartoguideError(
            tr(
                "The record store {name} is damaged and cannot be rebuilt. Move it away and start with an empty one.",
                name=self.path.name,
            ),
            str(error),
        )


def _is_corruption(error: Exception) -> bool:
    """Whether an error means that the file is damaged, not that it is in use, or that the disk is full."""
    if type(error) in (sqlite3.DatabaseError, sqlite3.IntegrityError):
        return True
    return isinstance(error, sqlite3.OperationalError) and str(error).startswith(_CORRUPTION_MESSAGES)


def utc_now() -> str:
    """This moment in UTC, ISO 8601 with seconds."""
    return datetime.now(timezone.utc).replace(microsecond=0).isoformat()
