"""The notes of the journal, applied to the index: what vanished, was removed, or joined or left a collection."""

from __future__ import annotations

import json
import sqlite3
from typing import Any, Iterator, Mapping, Sequence, Tuple

from .cooperative_yield import yielding
from .indexer import Indexer

#: members of a collection that are written at a time, of an entry that has more
_MEMBERS_PER_STATEMENT = 2000
_NEXT_POSITION = "SELECT coalesce(max(position) + 1, 0) FROM collection WHERE name = ?"
_INSERT_MEMBERS = "INSERT OR IGNORE INTO collection SELECT ?1, value, ?2 + key FROM json_each(?3)"
_DELETE_MEMBERS = "DELETE FROM collection WHERE name = ?1 AND identifier IN (SELECT value FROM json_each(?2))"
_COUNT_KNOWN = "SELECT count(DISTINCT identifier) FROM copy WHERE identifier IN (SELECT value FROM json_each(?))"
_SET_VANISHED = {
    True: "UPDATE copy SET vanished_at = ?1 WHERE vanished_at IS NULL AND identifier = ?2 AND place = ?3 "
    "AND source_id = (SELECT source_id FROM source WHERE address = ?4)",
    False: "UPDATE copy SET vanished_at = ?1 WHERE vanished_at IS NOT NULL AND identifier = ?2 AND place = ?3 "
    "AND source_id = (SELECT source_id FROM source WHERE address = ?4)",
}


def apply_entry(connection: sqlite3.Connection, indexer: Indexer, header: Mapping[str, Any],
                values: Sequence[Any]) -> int:
    """Do what a note of the journal says; gives how many rows it touched. A note of a later version is passed over."""
    op, name = header.get("op"), str(header.get("name", ""))
    if op in ("vanish", "seen"):
        moment = str(header.get("at", "")) if op == "vanish" else None
        pairs = [(moment, str(identifier), str(place), str(header.get("source", ""))) for identifier, place in values]
        count = connection.executemany(_SET_VANISHED[op == "vanish"], pairs).rowcount
        indexer.choose_preferred_copies(connection, {identifier for _, identifier, _, _ in pairs}, {})
        return count
    if op == "forget":
        identifiers = {str(value) for value in values}
        indexer.remove_records(connection, identifiers)
        names = (json.dumps(sorted(identifiers)),)
        count = int(connection.execute(_COUNT_KNOWN, names).fetchone()[0])
        connection.execute("DELETE FROM copy WHERE identifier IN (SELECT value FROM json_each(?))", names)
        return count
    return _apply_collection_entry(connection, op, name, values)


def _apply_collection_entry(connection: sqlite3.Connection, op: Any, name: str, values: Sequence[Any]) -> int:
    """Do what a note on a collection says; many members are handed to SQLite some at a time, as one text."""
    if op == "collection-dropped":
        connection.execute("DELETE FROM collection_name WHERE name = ?", (name,))
        return connection.execute("DELETE FROM collection WHERE name = ?", (name,)).rowcount
    if op == "collection-removed":
        return sum(connection.execute(_DELETE_MEMBERS, (name, texts)).rowcount for _, texts in _json_slices(values))
    if op not in ("collection", "collection-added"):
        return 0
    connection.execute("INSERT OR IGNORE INTO collection_name VALUES(?)", (name,))
    if op == "collection":
        connection.execute("DELETE FROM collection WHERE name = ?", (name,))
    behind = int(connection.execute(_NEXT_POSITION, (name,)).fetchone()[0])
    return sum(
        connection.execute(_INSERT_MEMBERS, (name, behind + begin, texts)).rowcount
        for begin, texts in _json_slices(values))


def _json_slices(values: Sequence[Any]) -> Iterator[Tuple[int, str]]:
    """Some thousand values at a time as a JSON array of texts, each with the position of its first."""
    for begin in yielding(range(0, len(values), _MEMBERS_PER_STATEMENT), 1):
        yield begin, json.dumps([str(value) for value in values[begin:begin + _MEMBERS_PER_STATEMENT]])
