"""The journal's entries done again: after a break between journal and index, and when the index is made anew."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from typing import TYPE_CHECKING, Any, Iterator, List, Mapping, Optional, Sequence, Tuple

from ..errors import CartoguideError
from .connections import Connections
from .copies import Origin, Stored, journal_end, set_journal_end
from .extract import row_of
from .indexer import Indexer
from .journal import Entry
from .turns import in_turns

if TYPE_CHECKING:
    from .writing import Writer

_BATCH = 1000
#: members of a collection that are written at a time, of an entry that has more
_AT_ONCE = 2000
_BEHIND = "SELECT coalesce(max(position) + 1, 0) FROM collection WHERE name = ?"
_PUT_IN = "INSERT OR IGNORE INTO collection SELECT ?1, value, ?2 + key FROM json_each(?3)"
_TAKE_OUT = "DELETE FROM collection WHERE name = ?1 AND identifier IN (SELECT value FROM json_each(?2))"
_KNOWN = "SELECT count(DISTINCT identifier) FROM copy WHERE identifier IN (SELECT value FROM json_each(?))"
_SELECT = {
    True: "UPDATE copy SET vanished_at = ?1 WHERE vanished_at IS NULL AND identifier = ?2 AND place = ?3 "
    "AND source_id = (SELECT source_id FROM source WHERE address = ?4)",
    False: "UPDATE copy SET vanished_at = ?1 WHERE vanished_at IS NOT NULL AND identifier = ?2 AND place = ?3 "
    "AND source_id = (SELECT source_id FROM source WHERE address = ?4)",
}


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
            count += _do(connections, writer, waiting)
            waiting = []
    if waiting:
        count += _do(connections, writer, waiting)
    with connections.writing() as connection:
        set_journal_end(connection, size)
    return count


def _do(connections: Connections, writer: Writer, entries: Sequence[Entry]) -> int:
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


def obey(connection: sqlite3.Connection, indexer: Indexer, header: Mapping[str, Any], values: Sequence[Any]) -> int:
    """Do what a note of the journal says; gives how many rows it touched. A note of a later version is passed over."""
    op, name = header.get("op"), str(header.get("name", ""))
    if op in ("vanish", "seen"):
        moment = str(header.get("at", "")) if op == "vanish" else None
        pairs = [(moment, str(identifier), str(place), str(header.get("source", ""))) for identifier, place in values]
        count = connection.executemany(_SELECT[op == "vanish"], pairs).rowcount
        indexer.elect(connection, {identifier for _, identifier, _, _ in pairs}, {})
        return count
    if op == "forget":
        identifiers = {str(value) for value in values}
        indexer.take_out(connection, identifiers)
        names = (json.dumps(sorted(identifiers)),)
        count = int(connection.execute(_KNOWN, names).fetchone()[0])
        connection.execute("DELETE FROM copy WHERE identifier IN (SELECT value FROM json_each(?))", names)
        return count
    return _obey_collection(connection, op, name, values)


def _obey_collection(connection: sqlite3.Connection, op: Any, name: str, values: Sequence[Any]) -> int:
    """Do what a note on a collection says; many members are handed to SQLite some at a time, as one text."""
    if op == "collection-dropped":
        connection.execute("DELETE FROM collection_name WHERE name = ?", (name,))
        return connection.execute("DELETE FROM collection WHERE name = ?", (name,)).rowcount
    if op == "collection-removed":
        return sum(connection.execute(_TAKE_OUT, (name, texts)).rowcount for _, texts in _in_parts(values))
    if op not in ("collection", "collection-added"):
        return 0
    connection.execute("INSERT OR IGNORE INTO collection_name VALUES(?)", (name,))
    if op == "collection":
        connection.execute("DELETE FROM collection WHERE name = ?", (name,))
    behind = int(connection.execute(_BEHIND, (name,)).fetchone()[0])
    return sum(connection.execute(_PUT_IN, (name, behind + begin, texts)).rowcount
               for begin, texts in _in_parts(values))


def _in_parts(values: Sequence[Any]) -> Iterator[Tuple[int, str]]:
    """Some thousand values at a time as a JSON array of texts, each with the position of its first."""
    for begin in in_turns(range(0, len(values), _AT_ONCE), 1):
        yield begin, json.dumps([str(value) for value in values[begin:begin + _AT_ONCE]])
