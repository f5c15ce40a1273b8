"""Collections: named, ordered sets of records, recorded in the journal."""

from __future__ import annotations

import sqlite3
from typing import List, Sequence, Tuple

from ..cooperative_yield import yielding
from ..errors import CartoguideError
from ..i18n import tr
from .connection_pool import ConnectionPool
from .journal import JournalOperation
from .record_writer import RecordWriter

#: members in one journal entry
_MEMBERS_PER_ENTRY = 10_000


#: name of the collection of the favourite records, the same in every language
FAVOURITES = "★"


class RecordCollections:
    """Collections of one store. A member need not be in the store."""

    def __init__(self, connections: ConnectionPool, writer: RecordWriter) -> None:
        self._connections = connections
        self._writer = writer

    def names(self) -> List[Tuple[str, int]]:
        """Return name and number of members of each collection, sorted by name."""
        with self._connections.read_transaction() as connection:
            return connection.execute(
                "SELECT n.name, count(c.identifier) FROM collection_name n LEFT JOIN collection c ON c.name = n.name "
                "GROUP BY n.name ORDER BY n.name"
            ).fetchall()

    def members(self, name: str) -> List[str]:
        """Return the identifiers in a collection, in its order. Empty if there is no such collection."""
        with self._connections.read_transaction() as connection:
            return _members(connection, name)

    def save(self, name: str, identifiers: Sequence[str]) -> None:
        """Create or replace a collection with these members, in this order."""
        with self._writer.transaction() as connection:
            self._save(connection, name, identifiers)

    def add_members(self, name: str, identifiers: Sequence[str]) -> int:
        """Append members to a collection, creating it if needed, and return the number of those that were not members
        before.
        """
        with self._writer.transaction() as connection:
            return self._append_members(connection, JournalOperation.COLLECTION_ADDED, name, identifiers)

    def remove_members(self, name: str, identifiers: Sequence[str]) -> int:
        """Remove members from a collection and return their number. The records stay in the store."""
        with self._writer.transaction() as connection:
            if not identifiers or not _exists(connection, name):
                return 0
            return self._append_members(connection, JournalOperation.COLLECTION_REMOVED, name, identifiers)

    def rename(self, name: str, new: str) -> None:
        """Rename a collection. Raises CartoguideError if there is no such collection or the new name is in use."""
        with self._writer.transaction() as connection:
            if not _exists(connection, name):
                raise CartoguideError(tr("There is no collection called {name}.", name=name))
            if new == name:
                return
            if _exists(connection, new):
                raise CartoguideError(tr("A collection called {name} already exists.", name=new))
            self._save(connection, new, _members(connection, name))
            self._writer.append_operation(connection, JournalOperation.COLLECTION_DROPPED, {"name": name}, [])

    def delete(self, name: str) -> None:
        """Delete a collection. Its records stay in the store."""
        with self._writer.transaction() as connection:
            if _exists(connection, name):
                self._writer.append_operation(connection, JournalOperation.COLLECTION_DROPPED, {"name": name}, [])

    def _save(self, connection: sqlite3.Connection, name: str, identifiers: Sequence[str]) -> None:
        self._append_members(connection, JournalOperation.COLLECTION, name, identifiers[:_MEMBERS_PER_ENTRY])
        if len(identifiers) > _MEMBERS_PER_ENTRY:
            self._append_members(connection, JournalOperation.COLLECTION_ADDED, name, identifiers[_MEMBERS_PER_ENTRY:])

    def _append_members(self, connection: sqlite3.Connection, operation: JournalOperation, name: str,
                        identifiers: Sequence[str]) -> int:
        """Append an operation on members to the journal, in slices, and return the number of members that it
        changed.
        """
        return sum(
            self._writer.append_operation(connection, operation, {"name": name},
                                          identifiers[begin:begin + _MEMBERS_PER_ENTRY])
            for begin in yielding(range(0, max(1, len(identifiers)), _MEMBERS_PER_ENTRY), 1))


def _members(connection: sqlite3.Connection, name: str) -> List[str]:
    rows = connection.execute("SELECT identifier FROM collection WHERE name = ? ORDER BY position", (name,))
    return [row[0] for row in yielding(rows, 2000)]


def _exists(connection: sqlite3.Connection, name: str) -> bool:
    return connection.execute("SELECT 1 FROM collection_name WHERE name = ?", (name,)).fetchone() is not None
