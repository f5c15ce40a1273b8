"""Records into the store: acknowledged in the journal first, then indexed, one transaction for each batch.

The journal is the truth. What stands in it and not yet in the index (a process was killed between the two, or the index
was set aside) is indexed by whoever writes or opens next; what a failed transaction had put there is taken back.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from contextlib import contextmanager
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Set, Tuple

from ..errors import CartoguideError
from ..garbage import unscanned
from . import bulk
from .connections import Connections
from .copies import CHANGED, NEW, SAME, Incoming, Origin, Stored, digest_of, identifier_of, journal_end, set_journal_end
from .extract import row_of
from .indexer import Chosen, Indexer
from .indexing import IndexRow
from .journal import Entry, Journal, blocks, frame, frame_packed, packed
from .replay import obey
from .turns import in_turns

#: records that are indexed in one transaction when the index is behind the journal
_BATCH = 1000
_COPY_AGAIN = (
    "UPDATE copy SET date_stamp = ?, starter = ?, digest = ?, pack_offset = ?, pack_number = ?, read_at = ?, "
    "vanished_at = NULL WHERE copy_id = ?"
)
#: (identifier, source, place) of a copy with its digest, its number, and when it vanished
_Known = Dict[Tuple[str, int, str], Tuple[bytes, int, Optional[str]]]


class Writer:
    """Writes batches."""

    def __init__(self, connections: Connections, journal: Journal) -> None:
        self._connections = connections
        self.journal = journal
        self.indexer = Indexer(self._reread)

    @contextmanager
    def recording(self) -> Iterator[sqlite3.Connection]:
        """A write transaction whose entries in the journal count if, and only if, it is committed."""
        with self._connections.locked():
            catch_up(self._connections, self)
            begin = self.journal.size()
            try:
                with self._connections.writing() as connection:
                    yield connection
                    set_journal_end(connection, self.journal.size())
            except BaseException:
                self.indexer.forget()
                self.journal.cut(begin)
                raise

    def put(self, origin: Origin, batch: Sequence[Incoming]) -> List[str]:
        """Acknowledge and index a batch of one source; says for each record whether it was new, changed or same."""
        items = [(one, identifier_of(origin.source, one), digest_of(one)) for one in in_turns(batch, 500)]
        with self.recording() as connection, unscanned():
            source_id = self.source(connection, origin)
            known = self._known(connection, {identifier for _, identifier, _ in items})
            outcomes: List[str] = []
            fresh: Dict[Tuple[str, str], Tuple[Incoming, str, bytes]] = {}
            back: Dict[Tuple[str, str], None] = {}
            digests = {key: old[0] for key, old in known.items()}
            for incoming, identifier, digest in in_turns(items, 500):
                key = (identifier, source_id, incoming.place)
                old = digests.get(key)
                outcomes.append(NEW if old is None else SAME if old == digest else CHANGED)
                digests[key] = digest
                if old != digest:
                    fresh[(identifier, incoming.place)] = (incoming, identifier, digest)
                elif key in known and known[key][2] is not None:
                    back[(identifier, incoming.place)] = None
            if back:
                self.note(connection, {"op": "seen", "source": origin.source}, list(back))
            if fresh:
                self.index(connection, source_id, origin.read_at, self._append(origin, list(fresh.values())), known)
        return outcomes

    def note(self, connection: sqlite3.Connection, header: Mapping[str, Any], values: Sequence[Any]) -> int:
        """Write a note into the journal and do what it says; gives how many rows it touched."""
        self.journal.append([frame(header, json.dumps(list(values)).encode("ascii"))])
        return obey(connection, self.indexer, header, values)

    def index(
        self,
        connection: sqlite3.Connection,
        source_id: int,
        read_at: str,
        stored: Sequence[Stored],
        known: Optional[_Known] = None,
    ) -> None:
        """Index records that the journal holds, no two of them at one place with one identifier."""
        names = {item.identifier for item in stored}
        if known is None:
            known = self._known(connection, names)
        contested = {identifier for identifier, _, _ in known}
        seen: Set[str] = set()
        for item in stored:
            if item.identifier in seen:
                contested.add(item.identifier)
            seen.add(item.identifier)
        address = connection.execute("SELECT address FROM source WHERE source_id = ?", (source_id,)).fetchone()[0]
        next_id = int(connection.execute("SELECT coalesce(max(copy_id), 0) + 1 FROM copy").fetchone()[0])
        copies, again, chosen = [], [], []
        rows: Dict[int, IndexRow] = {}
        for item in in_turns(stored, 200):
            old = known.get((item.identifier, source_id, item.place))
            state = (item.row.date_stamp, int(item.row.starter), item.digest, item.offset, item.number, read_at)
            if old is not None:
                copy_id = old[1]
                again.append((*state, copy_id))
            else:
                copy_id = next_id
                next_id += 1
                copies.append((copy_id, item.identifier, source_id, item.place, *state))
            rows[copy_id] = item.row
            if item.identifier not in contested:
                chosen.append(Chosen(item.identifier, copy_id, item.row, (address,)))
        bulk.insert(connection, "copy", copies)
        connection.executemany(_COPY_AGAIN, again)
        self.indexer.insert(connection, chosen)
        if contested:
            self.indexer.elect(connection, contested & names, rows)

    @staticmethod
    def source(connection: sqlite3.Connection, origin: Origin) -> int:
        """The number of a source, which is new or has perhaps another title now."""
        connection.execute(
            "INSERT INTO source(address, kind, title) VALUES(?,?,?) ON CONFLICT(address) DO UPDATE SET "
            "kind = excluded.kind, title = excluded.title WHERE kind <> excluded.kind OR title <> excluded.title",
            (origin.source, origin.kind, origin.title),
        )
        row = connection.execute("SELECT source_id FROM source WHERE address = ?", (origin.source,)).fetchone()
        return int(row[0])

    # -- within --------------------------------------------------------------------------------------------------------
    def _append(self, origin: Origin, fresh: Sequence[Tuple[Incoming, str, bytes]]) -> List[Stored]:
        header = {
            "op": "put", "source": origin.source, "kind": origin.kind, "title": origin.title,
            "read_at": origin.read_at,
        }  # fmt: skip
        parts = _parts([incoming for incoming, _, _ in fresh])
        frames = []
        for begin, end, body in in_turns(parts, 50):
            some = fresh[begin:end]
            items = [(identifier, one.place, one.size) for one, identifier, _ in some]
            own = packed(b"".join(one.original for one, _, _ in some)) if body is None else body
            frames.append(frame_packed({**header, "items": items}, own))
        offsets = self.journal.append(frames)
        return [
            Stored(identifier, one.place, digest, one.row, offset, number)
            for (begin, end, _), offset in in_turns(zip(parts, offsets), 20)
            for number, (one, identifier, digest) in enumerate(fresh[begin:end])
        ]

    @staticmethod
    def _known(connection: sqlite3.Connection, identifiers: Set[str]) -> _Known:
        rows = connection.execute(
            "SELECT identifier, source_id, place, digest, copy_id, vanished_at FROM copy WHERE identifier IN "
            "(SELECT value FROM json_each(?))",
            (json.dumps(sorted(identifiers)),),
        )
        return {(row[0], row[1], row[2]): (row[3], row[4], row[5]) for row in rows}

    def _reread(self, offset: int, number: int, identifier: str) -> IndexRow:
        place, data = self.journal.record(offset, number, identifier)
        return row_of(data, place, identifier)


def _parts(fresh: Sequence[Incoming]) -> List[Tuple[int, int, Optional[bytes]]]:
    """How records are put into entries: from each position to before each other, with the packed bytes of a block
    that is there as a whole; what is left of others is packed anew.
    """
    found: List[Tuple[int, int, Optional[bytes]]] = []
    loose = position = 0

    def close() -> None:
        sizes = [one.size for one in fresh[loose:position]]
        found.extend((loose + begin, loose + end, None) for begin, end in blocks(sizes))

    while position < len(fresh):
        block = fresh[position].block
        count = len(block.sizes) if block is not None else 0
        some = fresh[position : position + count]
        if block is None or len(some) < count or any(
            one.block is not block or one.number != number for number, one in enumerate(some)
        ):
            position += 1
            continue
        close()
        found.append((position, position + count, block.body))
        loose = position = position + count
    close()
    return found


def lag(connections: Connections, writer: Writer) -> int:
    """How many bytes of the journal the index does not know; below 0 where the journal lost what the index knows."""
    with connections.reading() as connection:
        return writer.journal.size() - journal_end(connection)


def catch_up(connections: Connections, writer: Writer) -> int:
    """Index what the journal holds beyond the index; gives how many records were read. The store must be locked."""
    with connections.reading() as connection:
        begin = journal_end(connection)
    size = writer.journal.size()
    if begin == size:
        return 0
    count = 0
    waiting: List[Entry] = []
    for entry in writer.journal.entries(begin) if begin < size else ():
        waiting.append(entry)
        if sum(len(one.header.get("items", ())) for one in waiting) >= _BATCH:
            count += _apply(connections, writer, waiting)
            waiting = []
    if waiting:
        count += _apply(connections, writer, waiting)
    with connections.writing() as connection:
        set_journal_end(connection, size)
    return count


def _apply(connections: Connections, writer: Writer, entries: Sequence[Entry]) -> int:
    count = 0
    with connections.writing() as connection:
        writer.indexer.forget()
        waiting: List[Stored] = []
        origin: Optional[Origin] = None
        for entry in entries:
            header = entry.header
            if header.get("op") == "put":
                now = Origin(*(str(header.get(name, "")) for name in ("source", "kind", "title", "read_at")))
                if now != origin:
                    _index(connection, writer, origin, waiting)
                    origin, waiting = now, []
                found = _stored(entry)
                count += len(found)
                waiting += found
            else:
                _index(connection, writer, origin, waiting)
                waiting = []
                obey(connection, writer.indexer, header, _values(entry))
        _index(connection, writer, origin, waiting)
        set_journal_end(connection, entries[-1].end)
    return count


def _index(connection: sqlite3.Connection, writer: Writer, origin: Optional[Origin], stored: Sequence[Stored]) -> None:
    """The last of several versions of one copy counts."""
    if origin is not None and stored:
        latest = {(item.identifier, item.place): item for item in stored}
        writer.index(connection, writer.source(connection, origin), origin.read_at, list(latest.values()))


def _stored(entry: Entry) -> List[Stored]:
    found = []
    for number, (identifier, place, data) in enumerate(entry.records()):
        try:
            row = row_of(data, place, identifier)
        except CartoguideError:
            continue
        found.append(Stored(identifier, place, hashlib.sha256(data).digest(), row, entry.offset, number))
    return found


def _values(entry: Entry) -> List[Any]:
    try:
        values = json.loads(entry.data or b"[]")
    except ValueError:
        return []
    return values if isinstance(values, list) else []
