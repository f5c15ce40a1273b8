"""Cache of fetched bytes (capabilities documents, thumbnails), bounded in its total size."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime, timezone
from enum import Enum
from typing import List, Mapping, Optional, Tuple

from ..dates import past_moment
from .connection_pool import ConnectionPool

MAX_BYTES = 200_000_000
#: share of the limit that is kept when it is exceeded, so that not every new entry needs room made
_TRIMMED_SHARE = 0.9


class BlobKind(str, Enum):
    """Kinds of cached bytes."""

    CAPABILITIES = "capabilities"
    THUMBNAIL = "thumbnail"


@dataclass(frozen=True)
class CachedBlob:
    """Bytes as received, with the validators of the response (ETag, Last-Modified) and the time of the request.

    ``fetched_at`` is ISO 8601, UTC.
    """

    data: bytes
    validators: Mapping[str, str]
    fetched_at: str


class BlobCache:
    """Cached bytes of one store, keyed by kind and address."""

    def __init__(self, connections: ConnectionPool, most_bytes: int = MAX_BYTES) -> None:
        self._connections = connections
        self._max_bytes = most_bytes

    def save(self, kind: BlobKind, address: str, data: bytes, validators: Mapping[str, str], fetched_at: str) -> None:
        """Cache ``data``, replacing an older entry for this kind and address. The oldest entries make room for it.

        Data larger than the cache are not cached. A time that is still to come is now.
        """
        fetched_at = past_moment(fetched_at)
        with self._connections.write_transaction() as connection:
            connection.execute("DELETE FROM kept WHERE kind = ? AND address = ?", (kind.value, address))
            if len(data) > self._max_bytes * _TRIMMED_SHARE:
                return
            connection.execute(
                "INSERT INTO kept(kind, address, validators, fetched_at, size, data) VALUES(?,?,?,?,?,?)",
                (kind.value, address, json.dumps(dict(validators)), fetched_at, len(data), data),
            )
            total = int(connection.execute("SELECT sum(size) FROM kept").fetchone()[0])
            if total > self._max_bytes:
                connection.execute(
                    "DELETE FROM kept WHERE kept_id IN (SELECT kept_id FROM (SELECT kept_id, sum(size) OVER "
                    # nobody knows the age of an entry whose time is still to come: it leaves first
                    "(ORDER BY fetched_at > ?, fetched_at DESC, kept_id DESC) AS newer FROM kept) WHERE newer > ?)",
                    (datetime.now(timezone.utc).isoformat(), int(self._max_bytes * _TRIMMED_SHARE)),
                )

    def load(self, kind: BlobKind, address: str) -> Optional[CachedBlob]:
        """Return the cached bytes for this kind and address, or None."""
        with self._connections.read_transaction() as connection:
            row = connection.execute(
                "SELECT data, validators, fetched_at FROM kept WHERE kind = ? AND address = ?", (kind.value, address)
            ).fetchone()
        return CachedBlob(bytes(row[0]), json.loads(row[1]), row[2]) if row else None

    def addresses(self, kind: BlobKind) -> List[Tuple[str, str]]:
        """Return address and time of request (ISO 8601) of every entry of this kind, newest first."""
        with self._connections.read_transaction() as connection:
            return connection.execute(
                "SELECT address, fetched_at FROM kept WHERE kind = ? ORDER BY fetched_at DESC, kept_id DESC",
                (kind.value,)).fetchall()
