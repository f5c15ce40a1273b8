"""Checkpoints of interrupted harvests."""

from __future__ import annotations

import json
from typing import Mapping, Optional

from .connection_pool import ConnectionPool


class CheckpointStore:
    """Checkpoints of one store, each a JSON object under a key."""

    def __init__(self, connections: ConnectionPool) -> None:
        self._connections = connections

    def load(self, key: str) -> Optional[Mapping[str, object]]:
        """Return the state saved under ``key``, or None if there is none."""
        with self._connections.read_transaction() as connection:
            row = connection.execute("SELECT state FROM progress WHERE harvest = ?", (key,)).fetchone()
        state = json.loads(row[0]) if row else None
        return state if isinstance(state, dict) else None

    def save(self, key: str, state: Optional[Mapping[str, object]]) -> None:
        """Save ``state`` (JSON values) under ``key``. None removes it."""
        with self._connections.write_transaction() as connection:
            if state is None:
                connection.execute("DELETE FROM progress WHERE harvest = ?", (key,))
            else:
                connection.execute("INSERT OR REPLACE INTO progress VALUES(?,?)", (key, json.dumps(dict(state))))
