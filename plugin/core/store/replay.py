"""The notes of the journal, applied to the index: what vanished, was removed, or joined or left a collection."""

from __future__ import annotations

import json
import sqlite3
from typing import Any, Iterator, Mapping, Sequence, Tuple

from .indexer import Indexer
from .turns import in_turns

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
