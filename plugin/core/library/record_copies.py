"""Copies of records as values: incoming, in the journal, and in the index."""

from __future__ import annotations

import hashlib
import sqlite3
from collections import Counter
from dataclasses import dataclass
from enum import Enum
from typing import Counter as Counted
from typing import Iterable, List, NamedTuple, Optional, Tuple

from ..records.model.record import Record
from .index.index_row import IndexRow


class SaveOutcome(str, Enum):
    """Outcome of saving a record.

    It was not in the store, the store had it from another source or location, it is shown now in place of such a copy
    that differs, it replaced an older version, or it was there already.
    """

    NEW = "new"
    COPY = "copy"
    REPLACED = "replaced"
    CHANGED = "changed"
    SAME = "same"


class IncomingRecord(NamedTuple):
    """A record to be saved: its index row, its location inside its source, its original bytes, and their SHA-256.

    The identifier of a record without one is derived from its location. ``digest`` may be empty and is computed then.
    """

    row: IndexRow
    location: str
    data: bytes = b""
    digest: bytes = b""


@dataclass(frozen=True)
class Origin:
    """Source of a batch: its address, kind and title, and when it was read (ISO 8601).

    ``run`` identifies the harvest that saves the batch, "" for anything else. A resumed harvest has the same one.
    """

    source: str
    kind: str
    title: str
    read_at: str
    run: str = ""


@dataclass(frozen=True)
class RecordCopy:
    """One saved copy of a record. ``entry_offset`` and ``entry_index`` are its position in the journal.

    ``starter`` marks records that come with the plugin. ``read_at`` and ``vanished_at`` are ISO 8601.
    """

    copy_id: int
    identifier: str
    source: str
    location: str
    date_stamp: str
    starter: bool
    entry_offset: int
    entry_index: int
    read_at: str
    vanished_at: Optional[str]


@dataclass(frozen=True)
class RecordVersion:
    """A former or current version of a record: title of its source, location there, time of reading (ISO 8601), and
    bytes.
    """

    source_title: str
    location: str
    read_at: str
    data: bytes


class JournalledRecord(NamedTuple):
    """A record as it is in the journal: the entry at ``entry_offset``, and its number within that entry."""

    identifier: str
    location: str
    digest: bytes
    row: IndexRow
    entry_offset: int
    entry_index: int


def identifier_of(source: str, incoming: IncomingRecord) -> str:
    """Return the identifier of a record, or one derived from its location, or from its content if it has no
    location.
    """
    if incoming.row.identifier:
        return incoming.row.identifier
    if incoming.location:
        return "place:" + hashlib.sha256(f"{source}\n{incoming.location}".encode("utf-8", "replace")).hexdigest()
    return "sha256:" + digest_of(incoming).hex()


def digest_of(incoming: IncomingRecord) -> bytes:
    """Return the SHA-256 of the record's bytes."""
    return incoming.digest or hashlib.sha256(incoming.data).digest()


def journal_end(connection: sqlite3.Connection) -> int:
    """Return the journal offset up to which the index is complete."""
    return int(connection.execute("SELECT value FROM counter WHERE name = 'journal'").fetchone()[0])


def set_journal_end(connection: sqlite3.Connection, end: int) -> None:
    """Note that the index is complete up to the journal offset ``end``."""
    connection.execute("UPDATE counter SET value = ? WHERE name = 'journal'", (end,))


def assign_locations(records: Iterable[Record]) -> List[Tuple[Record, str]]:
    """Return each record with its location: its source.

    The second record with the same identifier at the same location gets "#2" appended, and so on.
    """
    seen: Counted[Tuple[str, str]] = Counter()
    located = []
    for record in records:
        key = (record.id or "", record.source)
        seen[key] += 1
        located.append((record, key[1] if seen[key] == 1 else f"{key[1]}#{seen[key]}"))
    return located
