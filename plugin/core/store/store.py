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
from ..records.model import Record
from .browsing import Browsing
from .collections import Collections
from .connections import Busy, Cancelled, Connections, Identity
from .copies import Copy, Incoming, Origin, Version
from .facets import FacetCounter
from .indexing import index_row
from .journal import Journal
from .keeping import Keeping, Progress
from .query import Counts, Hit, Page, Query
from .rebuild import rebuild
from .search import Search, hits
from .writing import Writer, catch_up, lag

T = TypeVar("T")

__all__ = ["Busy", "Cancelled", "Copy", "Counts", "Hit", "Page", "Query", "Store"]

_COPY = (
    "SELECT c.copy_id, c.identifier, s.address, c.place, c.date_stamp, c.starter, c.pack_offset, c.pack_number, "
    "c.read_at, c.vanished_at FROM copy c JOIN source s ON s.source_id = c.source_id "
    "LEFT JOIN record r ON r.copy_id = c.copy_id WHERE c.identifier = ? "
    "ORDER BY r.copy_id IS NULL, c.date_stamp DESC, c.copy_id DESC"
)


_DAMAGED = ("no such table", "no such column", "vtable constructor failed", "fts5:")


class Store:
    """One store's file (``records.sqlite``) and the journal beside it (``records.journal``), which may be deleted or
    moved only together. Safe from several threads and processes.

    ``collections``, ``keeping``, ``progress`` and ``browsing`` are the store's named sets, fetched things, unfinished
    harvests, and its records in parts.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._connections = Connections(path)
        self._writer = Writer(self._connections, Journal(path.with_suffix(".journal")))
        self._search = Search(self._connections)
        self._counter = FacetCounter(self._connections)
        self.collections = Collections(self._connections, self._writer)
        self.keeping = Keeping(self._connections)
        self.progress = Progress(self._connections)
        self.browsing = Browsing(self._connections)
        #: what a person should be told about the store's own state, such as that it was rebuilt
        self.notices: List[str] = []
        self._sound(self._open)

    # -- writing -------------------------------------------------------------------------------------------------------
    def put(self, source: str, kind: str, title: str, records: Iterable[Tuple[Record, str]]) -> List[str]:
        """Keep records of one source, each with its place there; "new", "changed", "same" for each. On the disk
        when it returns.
        """
        batch = [Incoming(index_row(record), place, record.original) for record, place in records]
        return self.put_rows(Origin(source, kind, title, now()), batch)

    def put_rows(self, origin: Origin, batch: Sequence[Incoming]) -> List[str]:
        """The same for index rows that are made already (importing in bulk)."""
        return self._sound(lambda: self._writer.put(origin, batch)) if batch else []

    def vanish(self, source: str, places: Sequence[str]) -> int:
        """Mark what a source no longer holds at ``places``; it stays, and says so. Gives how many were marked."""
        wanted = json.dumps(list(places))

        def work() -> int:
            with self._writer.recording() as connection:
                pairs = connection.execute(
                    "SELECT identifier, place FROM copy WHERE vanished_at IS NULL AND place IN "
                    "(SELECT value FROM json_each(?)) "
                    "AND source_id = (SELECT source_id FROM source WHERE address = ?)",
                    (wanted, source),
                ).fetchall()
                return self._vanish(connection, source, pairs)

        return self._sound(work)

    def vanish_unseen(self, source: str, is_seen: Callable[[str, str], bool]) -> int:
        """Mark every copy of a source of which ``is_seen(identifier, place)`` is false: all that a complete reading
        of the source did not come across. Gives how many were marked.
        """

        def work() -> int:
            with self._writer.recording() as connection:
                rows = connection.execute(
                    "SELECT identifier, place FROM copy WHERE vanished_at IS NULL AND "
                    "source_id = (SELECT source_id FROM source WHERE address = ?)",
                    (source,),
                )
                return self._vanish(connection, source, [pair for pair in rows if not is_seen(*pair)])

        return self._sound(work)

    def _vanish(self, connection: sqlite3.Connection, source: str, pairs: Sequence[Tuple[str, str]]) -> int:
        if not pairs:
            return 0
        return self._writer.note(connection, {"op": "vanish", "source": source, "at": now()}, pairs)

    def forget(self, identifiers: Sequence[str]) -> int:
        """Take records out of the store with all their copies; gives how many there were."""

        def work() -> int:
            with self._writer.recording() as connection:
                return self._writer.note(connection, {"op": "forget", "at": now()}, identifiers)

        return self._sound(work)

    def change_collections(self, work: Callable[[Collections], T]) -> T:
        """Do ``work`` on the collections; a damaged file is mended first, a full disk is told in words."""
        return self._sound(lambda: work(self.collections))

    def tidy(self, cancelled: Optional[Callable[[], bool]] = None) -> None:
        """Join the pieces that many batches left in the index, so that searches have fewer to look into."""
        self._sound(lambda: self._writer.indexer.join_pieces(self._connections, cancelled))

    # -- reading -------------------------------------------------------------------------------------------------------
    def search(
        self, query: Query, limit: int = 50, offset: int = 0, cancelled: Optional[Callable[[], bool]] = None
    ) -> Page:
        """The first results of a query. ``Cancelled`` soon after ``cancelled()`` says so."""
        return self._sound(lambda: self._search.page(query, limit, offset, cancelled))

    def count(self, query: Query, cancelled: Optional[Callable[[], bool]] = None) -> Counts:
        """Exact number and facets of a query; slower than its first results."""
        return self._sound(lambda: self._counter.count(query, cancelled))

    def get(self, identifier: str, language: str = "") -> Optional[Record]:
        """The record that speaks for ``identifier``, read from its original bytes; None where there is none."""
        row = self._speaker(identifier)
        return self._record(row[0], row[1], identifier, language) if row else None

    def original(self, identifier: str) -> Optional[Tuple[str, bytes]]:
        """Place and original bytes of the record that speaks for ``identifier``; None where there is none."""
        row = self._speaker(identifier)
        return self._writer.journal.record(row[0], row[1], identifier) if row else None

    def _speaker(self, identifier: str) -> Optional[Tuple[int, int]]:
        def work() -> Optional[Tuple[int, int]]:
            with self._connections.reading() as connection:
                return connection.execute(
                    "SELECT c.pack_offset, c.pack_number FROM record r JOIN copy c ON c.copy_id = r.copy_id "
                    "WHERE r.identifier = ?",
                    (identifier,),
                ).fetchone()

        return self._sound(work)

    def copies(self, identifier: str) -> List[Copy]:
        """Every copy of a record, the one that speaks for it first."""

        def work() -> List[Copy]:
            with self._connections.reading() as connection:
                rows = connection.execute(_COPY, (identifier,)).fetchall()
            fields = [(*row[:5], bool(row[5]), *row[6:]) for row in rows]
            return [Copy(*some) for some in fields]

        return self._sound(work)

    def copy_record(self, copy: Copy, language: str = "") -> Record:
        """One copy as a record."""
        return self._record(copy.offset, copy.number, copy.identifier, language)

    def versions(self, identifier: str) -> List[Version]:
        """Every version of a record that was ever read, from whichever source, newest first, each document once."""

        def work() -> List[Version]:
            found: Dict[bytes, Version] = {}
            for offset, number, header in reversed(self._writer.journal.mentions(identifier)):
                try:
                    place, data = self._writer.journal.record(offset, number, identifier)
                except UnreadableDocument:
                    continue
                version = Version(str(header.get("title", "")), place, str(header.get("read_at", "")), data)
                found.setdefault(data, version)
            return sorted(found.values(), key=lambda version: version.read_at, reverse=True)

        return self._sound(work)

    def sources(self) -> Dict[str, Tuple[str, str]]:
        """Each source's address (its code in the facet), with its kind and title."""

        def work() -> Dict[str, Tuple[str, str]]:
            with self._connections.reading() as connection:
                rows = connection.execute("SELECT address, kind, title FROM source ORDER BY title, address").fetchall()
            return {address: (kind, title) for address, kind, title in rows}

        return self._sound(work)

    def by_endpoint(self, endpoint: str) -> List[Hit]:
        """The records whose service address is ``endpoint`` (normalised), the first 200: those of services first."""

        def work() -> List[Hit]:
            with self._connections.reading() as connection:
                rows = connection.execute(
                    "SELECT record_id FROM record WHERE endpoint = ? AND endpoint <> '' ORDER BY record_id LIMIT 200",
                    (endpoint,),
                ).fetchall()
                return hits(connection, [row[0] for row in rows])

        return self._sound(work)

    def by_identifiers(self, identifiers: Sequence[str]) -> List[Hit]:
        """Those of ``identifiers`` that the store has, as results."""

        def work() -> List[Hit]:
            with self._connections.reading() as connection:
                rows = connection.execute(
                    "SELECT record_id FROM record WHERE identifier IN (SELECT value FROM json_each(?))",
                    (json.dumps(list(identifiers)),),
                ).fetchall()
                return hits(connection, [row[0] for row in rows])

        return self._sound(work)

    def total(self) -> int:
        """How many records the store holds."""

        def work() -> int:
            with self._connections.reading() as connection:
                return int(connection.execute("SELECT count(*) FROM record").fetchone()[0])

        return self._sound(work)

    def sizes(self) -> Dict[str, int]:
        """Bytes on the disk: "index", "journal" (every version that was ever acknowledged), "kept" inside the index."""

        def work() -> Dict[str, int]:
            with self._connections.reading() as connection:
                kept = int(connection.execute("SELECT coalesce(sum(size), 0) FROM kept").fetchone()[0])
            return {"index": os.stat(self.path).st_size, "journal": self._writer.journal.size(), "kept": kept}

        return self._sound(work)

    def close(self) -> None:
        """Close every connection; no thread may be using the store."""
        self._connections.close()

    # -- within --------------------------------------------------------------------------------------------------------
    def _open(self) -> None:
        behind = lag(self._connections, self._writer)
        if not behind:
            return
        # who holds the lock is writing, and will do this
        try:
            with self._connections.locked(seconds=0):
                count = catch_up(self._connections, self._writer)
        except Busy:
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

    def _record(self, offset: int, number: int, identifier: str, language: str) -> Record:
        place, data = self._writer.journal.record(offset, number, identifier)
        found = read(data, place, language, capabilities_as_record=True)
        if not found:
            raise self._writer.journal.damaged(offset)
        return next((record for record in found if record.id == identifier), found[0])

    def _sound(self, work: Callable[[], T]) -> T:
        """Do ``work``; where the file turns out to be damaged, set it aside, rebuild it from the journal, and do it
        again. CartoguideError where the disk is full or may not be written.
        """
        before = self._connections.identity()
        try:
            return self._told(work)
        except sqlite3.DatabaseError as error:
            if not _is_damage(error):
                raise
            self._mend(error, before)
        try:
            return self._told(work)
        except sqlite3.DatabaseError as again:
            raise self._beyond_mending(again) from again

    def _told(self, work: Callable[[], T]) -> T:
        try:
            return work()
        except (sqlite3.OperationalError, OSError) as error:
            if _is_damage(error):
                raise
            raise CartoguideError(
                tr(
                    "The record store {name} cannot be read or written. Check that there is room on its disk and "
                    "that its folder may be written.",
                    name=self.path.name,
                ),
                str(error),
            ) from error

    def _mend(self, error: sqlite3.DatabaseError, damaged: Optional[Identity]) -> None:
        try:
            done = rebuild(self._connections, self._writer, damaged)
        except sqlite3.DatabaseError as again:
            raise self._beyond_mending(again) from error
        if done is not None:
            aside, count = done
            self.notices.append(
                tr(
                    "The record store was damaged. It was set aside as {aside} and rebuilt: %n record(s).",
                    n=count,
                    aside=aside.name,
                )
            )

    def _beyond_mending(self, error: sqlite3.DatabaseError) -> CartoguideError:
        return CartoguideError(
            tr(
                "The record store {name} is damaged and cannot be rebuilt. Move it away and start with an empty one.",
                name=self.path.name,
            ),
            str(error),
        )


def _is_damage(error: Exception) -> bool:
    """Whether an error means that the file is damaged, not that it is in use, or that the disk is full."""
    if type(error) in (sqlite3.DatabaseError, sqlite3.IntegrityError):
        return True
    return isinstance(error, sqlite3.OperationalError) and str(error).startswith(_DAMAGED)


def now() -> str:
    """This moment in UTC, ISO 8601 with seconds."""
    return datetime.now(timezone.utc).replace(microsecond=0).isoformat()
