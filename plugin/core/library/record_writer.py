"""Writing of records: appended to the journal first, then indexed, in one transaction for each batch.

The journal is authoritative. Entries that are not in the index yet, because a process was killed or the index was set
aside, are indexed by the next process that writes or opens the store. Entries of a failed transaction are truncated.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Callable, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Set, Tuple

from ..cooperative_yield import yielding
from ..errors import CartoguideError
from .connection_pool import ConnectionPool
from .index.index_row import IndexRow
from .index.indexer import Indexer, PreferredCopy
from .index.row_extraction import read_index_row
from .journal import Journal, JournalEntry, JournalOperation, encode_entry, split_into_blocks
from .record_copies import (
    IncomingRecord,
    JournalledRecord,
    Origin,
    SaveOutcome,
    digest_of,
    identifier_of,
    journal_end,
    set_journal_end,
)
from .schema import insert_rows

#: records that are indexed in one transaction when the index is behind the journal
_RECORDS_PER_TRANSACTION = 1000
_UPDATE_COPY = (
    "UPDATE copy SET date_stamp = ?, starter = ?, digest = ?, pack_offset = ?, pack_number = ?, read_at = ?, "
    "vanished_at = NULL WHERE copy_id = ?")
#: members of a collection that are written by one statement
_MEMBERS_PER_STATEMENT = 2000
_NEXT_POSITION = "SELECT coalesce(max(position) + 1, 0) FROM collection WHERE name = ?"
_INSERT_MEMBERS = "INSERT OR IGNORE INTO collection SELECT ?1, value, ?2 + key FROM json_each(?3)"
_DELETE_MEMBERS = "DELETE FROM collection WHERE name = ?1 AND identifier IN (SELECT value FROM json_each(?2))"
_COUNT_KNOWN = "SELECT count(DISTINCT identifier) FROM copy WHERE identifier IN (SELECT value FROM json_each(?))"
#: set the time of vanishing of a copy that has none, and clear it (?1 is NULL)
_MARK_VANISHED = (
    "UPDATE copy SET vanished_at = ?1 WHERE vanished_at IS NULL AND identifier = ?2 AND place = ?3 "
    "AND source_id = (SELECT source_id FROM source WHERE address = ?4)")
_MARK_SEEN = (
    "UPDATE copy SET vanished_at = ?1 WHERE vanished_at IS NOT NULL AND identifier = ?2 AND place = ?3 "
    "AND source_id = (SELECT source_id FROM source WHERE address = ?4)")


class _KnownCopy(NamedTuple):
    """A copy that the index has already. ``vanished_at`` is None while its source has it."""

    digest: bytes
    copy_id: int
    vanished_at: Optional[str]


#: copies by identifier, source id and location
_KnownCopies = Dict[Tuple[str, int, str], _KnownCopy]


@dataclass
class _Item:
    """A record of a batch, with what becomes of it. ``same_copy`` is the copy in the index that equals it."""

    incoming: IncomingRecord
    identifier: str
    digest: bytes
    outcome: SaveOutcome = SaveOutcome.NEW
    same_copy: Optional[_KnownCopy] = None

    @property
    def place(self) -> Tuple[str, str]:
        """Identifier and location."""
        return self.identifier, self.incoming.location


def _compare(items: Sequence[_Item], known: _KnownCopies, source_id: int) -> None:
    """Set what becomes of each item. Of several versions of a copy each is compared with the one before it."""
    latest_digests = {key: copy.digest for key, copy in known.items()}
    known_identifiers = {identifier for identifier, _, _ in known}
    for item in yielding(items, 500):
        key = (item.identifier, source_id, item.incoming.location)
        before = latest_digests.get(key)
        if before is None:
            item.outcome = SaveOutcome.COPY if item.identifier in known_identifiers else SaveOutcome.NEW
        elif before == item.digest:
            item.outcome, item.same_copy = SaveOutcome.SAME, known.get(key)
        else:
            item.outcome = SaveOutcome.CHANGED
        known_identifiers.add(item.identifier)
        latest_digests[key] = item.digest


class RecordWriter:
    """Writes batches of records and operations on them."""

    def __init__(self, connections: ConnectionPool, journal: Journal) -> None:
        self._connections = connections
        self.journal = journal
        self.indexer = Indexer(self._load_row)

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Open a write transaction. Entries appended to the journal inside it are truncated if it is not committed.

        Raises StoreBusy if another QGIS has been writing for too long.
        """
        with self._connections.locked():
            catch_up(self._connections, self)
            start = self.journal.size()
            try:
                with self._connections.write_transaction() as connection:
                    yield connection
                    set_journal_end(connection, self.journal.size())
            except BaseException:
                self.indexer.clear_cache()
                self.journal.truncate(start)
                raise

    def save_batch(self, origin: Origin, batch: Sequence[IncomingRecord]) -> List[SaveOutcome]:
        items = [_Item(incoming, identifier_of(origin.source, incoming), digest_of(incoming))
                 for incoming in yielding(batch, 500)]
        with self.transaction() as connection:
            source_id = self.register_source(connection, origin)
            known = self._find_known_copies(connection, {item.identifier for item in items})
            shown_before = self._find_shown_digests(connection, {identifier for identifier, _, _ in known})
            _compare(items, known, source_id)
            # before the changes: a batch may have the saved version of a copy and then a newer one
            rows: Dict[str, Dict[int, IndexRow]] = {}
            for item in items:
                if item.same_copy is not None:
                    rows.setdefault(item.identifier, {})[item.same_copy.copy_id] = item.incoming.row
            self.indexer.refresh(connection, rows)
            reappeared = dict.fromkeys(item.place for item in items
                                       if item.same_copy is not None and item.same_copy.vanished_at is not None)
            if reappeared:
                self.append_operation(connection, JournalOperation.SEEN, {"source": origin.source}, list(reappeared))
            changed = {item.place: item for item in items if item.outcome is not SaveOutcome.SAME}
            if changed:
                replaced = {place for place in changed if (place[0], source_id, place[1]) in known}
                self.index_records(connection, source_id, origin.read_at,
                                   self._append_records(origin, list(changed.values()), replaced), known)
            shown = self._find_shown_digests(connection, set(shown_before)) if changed or reappeared else {}
            for item in items:
                before, now = shown_before.get(item.identifier), shown.get(item.identifier)
                if before is not None and before != now == item.digest and item.outcome is not SaveOutcome.CHANGED:
                    item.outcome = SaveOutcome.REPLACED
        return [item.outcome for item in items]

    def append_operation(self, connection: sqlite3.Connection, operation: JournalOperation, members: Mapping[str, Any],
                         values: Sequence[Any]) -> int:
        """Append an operation to the journal, apply it to the index, and return the number of rows that it changed.

        ``members`` are the other members of the entry's header.
        """
        header = {"op": operation.value, **members}
        self.journal.append([encode_entry(header, json.dumps(list(values)).encode("ascii"))])
        return apply_entry(connection, self.indexer, header, values)

    def index_records(self, connection: sqlite3.Connection, source_id: int, read_at: str,
                      stored: Sequence[JournalledRecord], known: Optional[_KnownCopies] = None) -> None:
        """Index records that the journal holds. No two of them may have the same identifier and location.

        ``known`` are the copies with their identifiers that the index has already, if the caller has looked them up.
        """
        identifiers = {item.identifier for item in stored}
        if known is None:
            known = self._find_known_copies(connection, identifiers)
        # identifiers with several copies, among which the preferred one has to be chosen
        contested = {identifier for identifier, _, _ in known}
        seen: Set[str] = set()
        for item in stored:
            if item.identifier in seen:
                contested.add(item.identifier)
            seen.add(item.identifier)
        address = connection.execute("SELECT address FROM source WHERE source_id = ?", (source_id,)).fetchone()[0]
        next_id = int(connection.execute("SELECT coalesce(max(copy_id), 0) + 1 FROM copy").fetchone()[0])
        new_copies, updated_copies, preferred = [], [], []
        rows: Dict[int, IndexRow] = {}
        for item in yielding(stored, 200):
            known_copy = known.get((item.identifier, source_id, item.location))
            state = (item.row.date_stamp, int(item.row.starter), item.digest, item.entry_offset, item.entry_index,
                     read_at)
            if known_copy is not None:
                copy_id = known_copy.copy_id
                updated_copies.append((*state, copy_id))
            else:
                copy_id = next_id
                next_id += 1
                new_copies.append((copy_id, item.identifier, source_id, item.location, *state))
            rows[copy_id] = item.row
            if item.identifier not in contested:
                preferred.append(PreferredCopy(item.identifier, copy_id, item.row, (address,)))
        insert_rows(connection, "copy", new_copies)
        connection.executemany(_UPDATE_COPY, updated_copies)
        self.indexer.insert_records(connection, preferred)
        if contested:
            self.indexer.choose_preferred_copies(connection, contested & identifiers, rows)

    @staticmethod
    def register_source(connection: sqlite3.Connection, origin: Origin) -> int:
        """Return the number of a source, which is added to the index, or updated if its kind or title has changed."""
        connection.execute(
            "INSERT INTO source(address, kind, title) VALUES(?,?,?) ON CONFLICT(address) DO UPDATE SET "
            "kind = excluded.kind, title = excluded.title WHERE kind <> excluded.kind OR title <> excluded.title",
            (origin.source, origin.kind, origin.title),
        )
        row = connection.execute("SELECT source_id FROM source WHERE address = ?", (origin.source,)).fetchone()
        return int(row[0])

    # -- private
    def _append_records(self, origin: Origin, changed: Sequence[_Item],
                        replaced: Set[Tuple[str, str]]) -> List[JournalledRecord]:
        """Append records to the journal, several to an entry.

        ``replaced`` are identifier and location of those that replace an older version.
        """
        header: Dict[str, Any] = {"op": JournalOperation.PUT.value, "source": origin.source, "kind": origin.kind,
                                  "title": origin.title, "read_at": origin.read_at}
        if origin.run:
            header["run"] = origin.run
        blocks = split_into_blocks([len(item.incoming.data) for item in changed])
        entries = []
        for start, end in yielding(blocks, 1):
            block = changed[start:end]
            own_header = {**header, "items": [(*item.place, len(item.incoming.data)) for item in block]}
            if origin.run:
                own_header["replaced"] = [number for number, item in enumerate(block) if item.place in replaced]
            data = b"".join(item.incoming.data for item in block)
            entries.append(encode_entry(own_header, data))
        offsets = self.journal.append(entries)
        return [
            JournalledRecord(*item.place, item.digest, item.incoming.row, offset, number)
            for (start, end), offset in yielding(zip(blocks, offsets), 20)
            for number, item in enumerate(changed[start:end])
        ]

    @staticmethod
    def _find_shown_digests(connection: sqlite3.Connection, identifiers: Set[str]) -> Dict[str, bytes]:
        """Return the digest of the preferred copy of each record that the index has, by identifier."""
        rows = connection.execute(
            "SELECT r.identifier, c.digest FROM record r JOIN copy c ON c.copy_id = r.copy_id WHERE r.identifier IN "
            "(SELECT value FROM json_each(?))", (json.dumps(sorted(identifiers)),)) if identifiers else ()
        return {identifier: bytes(digest) for identifier, digest in rows}

    @staticmethod
    def _find_known_copies(connection: sqlite3.Connection, identifiers: Set[str]) -> _KnownCopies:
        rows = connection.execute(
            "SELECT identifier, source_id, place, digest, copy_id, vanished_at FROM copy WHERE identifier IN "
            "(SELECT value FROM json_each(?))",
            (json.dumps(sorted(identifiers)),),
        )
        return {(identifier, source_id, location): _KnownCopy(digest, copy_id, vanished_at)
                for identifier, source_id, location, digest, copy_id, vanished_at in rows}

    def _load_row(self, offset: int, number: int, identifier: str) -> IndexRow:
        location, data = self.journal.read_record(offset, number, identifier)
        return read_index_row(data, location, identifier)


def unindexed_bytes(connections: ConnectionPool, writer: RecordWriter) -> int:
    """Return the number of bytes of the journal that are not in the index.

    It is negative if the journal is shorter than what the index was built from.
    """
    with connections.read_transaction() as connection:
        return writer.journal.size() - journal_end(connection)


def catch_up(connections: ConnectionPool, writer: RecordWriter,
             on_damage: Optional[Callable[[int], object]] = None) -> int:
    """Index the entries of the journal that are not in the index, and return the number of records.

    ``on_damage`` gets the offset of each damaged block. The caller must hold the store's lock.
    """
    with connections.read_transaction() as connection:
        start = journal_end(connection)
    size = writer.journal.size()
    if start == size:
        return 0
    count = 0
    pending: List[JournalEntry] = []
    for entry in writer.journal.entries(start, on_damage) if start < size else ():
        pending.append(entry)
        if sum(len(entry.header.get("items", ())) for entry in pending) >= _RECORDS_PER_TRANSACTION:
            count += _apply_entries(connections, writer, pending)
            pending = []
    if pending:
        count += _apply_entries(connections, writer, pending)
    with connections.write_transaction() as connection:
        set_journal_end(connection, size)
    return count


def _apply_entries(connections: ConnectionPool, writer: RecordWriter, entries: Sequence[JournalEntry]) -> int:
    count = 0
    with connections.write_transaction() as connection:
        writer.indexer.clear_cache()
        pending: List[JournalledRecord] = []
        origin: Optional[Origin] = None
        for entry in entries:
            header = entry.header
            if header.get("op") == JournalOperation.PUT:
                entry_origin = Origin(*(str(header.get(name, "")) for name in ("source", "kind", "title", "read_at")))
                if entry_origin != origin:
                    _index_latest(connection, writer, origin, pending)
                    origin, pending = entry_origin, []
                parsed = _parse_stored_records(entry)
                count += len(parsed)
                pending += parsed
            else:
                _index_latest(connection, writer, origin, pending)
                pending = []
                apply_entry(connection, writer.indexer, header, _values(entry))
        _index_latest(connection, writer, origin, pending)
        set_journal_end(connection, entries[-1].end)
    return count


def _index_latest(connection: sqlite3.Connection, writer: RecordWriter, origin: Optional[Origin],
                  stored: Sequence[JournalledRecord]) -> None:
    """Index the last of several versions of each copy."""
    if origin is not None and stored:
        latest = {(item.identifier, item.location): item for item in stored}
        writer.index_records(connection, writer.register_source(connection, origin), origin.read_at,
                             list(latest.values()))


def _parse_stored_records(entry: JournalEntry) -> List[JournalledRecord]:
    parsed = []
    for number, (identifier, location, data) in enumerate(entry.records()):
        try:
            row = read_index_row(data, location, identifier)
        except CartoguideError:
            continue
        parsed.append(JournalledRecord(identifier, location, hashlib.sha256(data).digest(), row, entry.offset, number))
    return parsed


def _values(entry: JournalEntry) -> List[Any]:
    try:
        values = json.loads(entry.data or b"[]")
    except ValueError:
        return []
    return values if isinstance(values, list) else []


def apply_entry(connection: sqlite3.Connection, indexer: Indexer, header: Mapping[str, Any],
                values: Sequence[Any]) -> int:
    """Apply an operation of the journal to the index and return the number of rows that it changed.

    Operations of later versions, which are unknown here, change nothing.
    """
    op, name = header.get("op"), str(header.get("name", ""))
    if op in (JournalOperation.VANISH, JournalOperation.SEEN):
        vanished_at = str(header.get("at", "")) if op == JournalOperation.VANISH else None
        pairs = [(vanished_at, str(identifier), str(location), str(header.get("source", "")))
                 for identifier, location in values]
        statement = _MARK_VANISHED if op == JournalOperation.VANISH else _MARK_SEEN
        count = connection.executemany(statement, pairs).rowcount
        indexer.choose_preferred_copies(connection, {identifier for _, identifier, _, _ in pairs}, {})
        return count
    if op == JournalOperation.FORGET:
        identifiers = {str(value) for value in values}
        indexer.remove_records(connection, identifiers)
        identifiers_json = (json.dumps(sorted(identifiers)),)
        count = int(connection.execute(_COUNT_KNOWN, identifiers_json).fetchone()[0])
        connection.execute("DELETE FROM copy WHERE identifier IN (SELECT value FROM json_each(?))", identifiers_json)
        return count
    return _apply_collection_entry(connection, op, name, values)


def _apply_collection_entry(connection: sqlite3.Connection, op: Any, name: str, values: Sequence[Any]) -> int:
    """Apply an operation on a collection. Members are passed to SQLite as JSON arrays, some thousand at a time."""
    if op == JournalOperation.COLLECTION_DROPPED:
        connection.execute("DELETE FROM collection_name WHERE name = ?", (name,))
        return connection.execute("DELETE FROM collection WHERE name = ?", (name,)).rowcount
    if op == JournalOperation.COLLECTION_REMOVED:
        return sum(
            connection.execute(_DELETE_MEMBERS, (name, json_array)).rowcount for _, json_array in _json_slices(values))
    if op not in (JournalOperation.COLLECTION, JournalOperation.COLLECTION_ADDED):
        return 0
    connection.execute("INSERT OR IGNORE INTO collection_name VALUES(?)", (name,))
    if op == JournalOperation.COLLECTION:
        connection.execute("DELETE FROM collection WHERE name = ?", (name,))
    next_position = int(connection.execute(_NEXT_POSITION, (name,)).fetchone()[0])
    return sum(
        connection.execute(_INSERT_MEMBERS, (name, next_position + start, json_array)).rowcount
        for start, json_array in _json_slices(values))


def _json_slices(values: Sequence[Any]) -> Iterator[Tuple[int, str]]:
    """Yield slices of ``values`` as JSON arrays of strings, each with the position of its first value."""
    for start in yielding(range(0, len(values), _MEMBERS_PER_STATEMENT), 1):
        yield start, json.dumps([str(value) for value in values[start:start + _MEMBERS_PER_STATEMENT]])
