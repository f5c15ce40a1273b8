"""Checkpoints of long work: how far each harvest came, and what is known of each watched folder."""

from __future__ import annotations

import json
from typing import Mapping, Optional

from .connection_pool import ConnectionPool


class CheckpointStore:
    """How far each harvest of one store came, so that it can go on after a break."""

    def __init__(self, connections: ConnectionPool) -> None:
        self._connections = connections

    def load(self, key: str) -> Optional[Mapping[str, object]]:
        """The state that was noted; None where the harvest was finished or never begun."""
        with self._connections.read_transaction() as connection:
            row = connection.execute("SELECT state FROM progress WHERE harvest = ?", (key,)).fetchone()
        found = json.loads(row[0]) if row else None
        return found if isinstance(found, dict) else None

    def save(self, key: str, state: Optional[Mapping[str, object]]) -> None:
        """Note how far a harvest is (JSON values), or with None that it is finished."""
        with self._connections.write_transaction() as connection:
            if state is None:
                connection.execute("DELETE FROM progress WHERE harvest = ?", (key,))
            else:
                connection.execute("INSERT OR REPLACE INTO progress VALUES(?,?)", (key, json.dumps(dict(state))))
