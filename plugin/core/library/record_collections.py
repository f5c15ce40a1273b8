"""Collections: named, ordered sets of records. They stand in the journal, so a rebuilt store has them."""

from __future__ import annotations

import sqlite3
from typing import Dict, List, Sequence, Tuple

from ..errors import CartoguideError
from ..i18n import tr
from .connection_pool import ConnectionPool
from .cooperative_yield import yielding
from .record_writer import RecordWriter

#: members in one entry of the journal
_MEMBERS_PER_ENTRY = 10_000


class RecordCollections:
    """The collections of one store. A member need not be in the store: it may come (back) later."""

    def __init__(self, connections: ConnectionPool, writer: RecordWriter) -> None:
        self._connections = connections
        self._writer = writer

    def names(self) -> List[Tuple[str, int]]:
        """Each collection's name and number of members, by name."""
        with self._connections.read_transaction() as connection:
            return connection.execute(
                "SELECT n.name, count(c.identifier) FROM collection_name n LEFT JOIN collection c ON c.name = n.name "
                "GROUP BY n.name ORDER BY n.name"
            ).fetchall()

    def members(self, name: str) -> List[str]:
        """The identifiers of a collection, in its order; none where there is no such collection."""
        with self._connections.read_transaction() as connection:
            return _members(connection, name)

    def identifiers_by_location(self, source: str, package: str) -> Dict[str, List[str]]:
        """The identifiers of the records that a source has, or had, inside a package, by their places."""
        found: Dict[str, List[str]] = {}
        with self._connections.read_transaction() as connection:
            for place, identifier in connection.execute(
                "SELECT place, identifier FROM copy WHERE source_id = (SELECT source_id FROM source WHERE address = ?) "
                "AND place >= ? AND place < ? ORDER BY copy_id DESC",
                (source, f"{package}!", f'{package}"'),
            ):
                found.setdefault(place, []).append(identifier)
        return found

    def save(self, name: str, identifiers: Sequence[str]) -> None:
        """Make ``identifiers`` the members, in this order; the collection is made where there is none."""
        with self._writer.transaction() as connection:
            self._save(connection, name, identifiers)

    def add_members(self, name: str, identifiers: Sequence[str]) -> int:
        """Add members behind the others; gives how many were not members before."""
        with self._writer.transaction() as connection:
            return self._append_members(connection, "collection-added", name, identifiers)

    def remove_members(self, name: str, identifiers: Sequence[str]) -> int:
        """Take members out; gives how many there were. The records stay in the store."""
        with self._writer.transaction() as connection:
            if not identifiers or not _exists(connection, name):
                return 0
            return self._append_members(connection, "collection-removed", name, identifiers)

    def rename(self, name: str, new: str) -> None:
        """Give a collection another name. CartoguideError where the name is taken, or there is no such collection."""
        with self._writer.transaction() as connection:
            if not _exists(connection, name):
                raise CartoguideError(tr("There is no collection called {name}.", name=name))
            if new == name:
                return
            if _exists(connection, new):
                raise CartoguideError(tr("There is a collection called {name} already.", name=new))
            self._save(connection, new, _members(connection, name))
            self._writer.append_operation(connection, {"op": "collection-dropped", "name": name}, [])

    def delete(self, name: str) -> None:
        """Forget a collection; its records stay in the store."""
        with self._writer.transaction() as connection:
            if _exists(connection, name):
                self._writer.append_operation(connection, {"op": "collection-dropped", "name": name}, [])

    def _save(self, connection: sqlite3.Connection, name: str, identifiers: Sequence[str]) -> None:
        self._append_members(connection, "collection", name, identifiers[:_MEMBERS_PER_ENTRY])
        if len(identifiers) > _MEMBERS_PER_ENTRY:
            self._append_members(connection, "collection-added", name, identifiers[_MEMBERS_PER_ENTRY:])

    def _append_members(self, connection: sqlite3.Connection, op: str, name: str, identifiers: Sequence[str]) -> int:
        """Note what happens to members, some thousand at a time; gives how many it happened to."""
        header = {"op": op, "name": name}
        return sum(
            self._writer.append_operation(connection, header, identifiers[begin:begin + _MEMBERS_PER_ENTRY])
            for begin in yielding(range(0, max(1, len(identifiers)), _MEMBERS_PER_ENTRY), 1))


def _members(connection: sqlite3.Connection, name: str) -> List[str]:
    rows = connection.execute("SELECT identifier FROM collection WHERE name = ? ORDER BY position", (name,))
    return [row[0] for row in yielding(rows, 2000)]


def _exists(connection: sqlite3.Connection, name: str) -> bool:
    return connection.execute("SELECT 1 FROM collection_name WHERE name = ?", (name,)).fetchone() is not None
