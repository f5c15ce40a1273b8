"""Copies of records as values: on their way in, in the journal, in the index; and how far the index goes."""

from __future__ import annotations

import hashlib
import sqlite3
from dataclasses import dataclass
from typing import NamedTuple, Optional

from .index.index_row import IndexRow

#: what became of a record that was put into the store
NEW, CHANGED, SAME = "new", "changed", "same"


class IncomingRecord(NamedTuple):
    """A record to be saved: its index row, its location inside its source, its original bytes, and their SHA-256."""

    row: IndexRow
    location: str
    data: bytes = b""
    digest: bytes = b""


@dataclass(frozen=True)
class Origin:
    """Where a batch comes from: the source's address, kind and title, and the moment (ISO 8601)."""

    source: str
    kind: str
    title: str
    read_at: str


@dataclass(frozen=True)
class RecordCopy:
    """One acknowledged copy of a record."""

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
    """A record as it was once: the title of its source, its place there, when it was read (ISO 8601), and its bytes."""

    source_title: str
    location: str
    read_at: str
    data: bytes


class JournalledRecord(NamedTuple):
    """A record as it stands in the journal."""

    identifier: str
    location: str
    digest: bytes
    row: IndexRow
    entry_offset: int
    entry_index: int


def identifier_of(source: str, incoming: IncomingRecord) -> str:
    """The record's identifier; one without is known by its place, or by its content where it has none."""
    if incoming.row.identifier:
        return incoming.row.identifier
    if incoming.location:
        return "place:" + hashlib.sha256(f"{source}\n{incoming.location}".encode("utf-8", "replace")).hexdigest()
    return "sha256:" + digest_of(incoming).hex()


def digest_of(incoming: IncomingRecord) -> bytes:
    """What tells the record's bytes from any others."""
    return incoming.digest or hashlib.sha256(incoming.data).digest()


def journal_end(connection: sqlite3.Connection) -> int:
    """How far into the journal the index goes."""
    return int(connection.execute("SELECT value FROM counter WHERE name = 'journal'").fetchone()[0])


def set_journal_end(connection: sqlite3.Connection, end: int) -> None:
    """The index holds everything that stands before ``end``."""
    connection.execute("UPDATE counter SET value = ? WHERE name = 'journal'", (end,))
