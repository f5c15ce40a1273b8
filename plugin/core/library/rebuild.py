"""Recovery of a damaged store: it is set aside and its index is rebuilt from the journal."""

from __future__ import annotations

import os
import sqlite3
from datetime import datetime, timezone
from pathlib import Path
from typing import List, NamedTuple, Optional

from ..errors import CartoguideError
from ..i18n import tr
from .connection_pool import ConnectionPool, FileIdentity
from .record_writer import RecordWriter, catch_up

#: statements that read and write the tables that the journal does not cover
UNJOURNALLED_TABLES = (
    ("SELECT kind, address, validators, fetched_at, size, data FROM kept",
     "INSERT OR IGNORE INTO kept(kind, address, validators, fetched_at, size, data) VALUES(?,?,?,?,?,?)"),
    ("SELECT harvest, state FROM progress", "INSERT OR IGNORE INTO progress VALUES(?,?)"),
)  # fmt: skip


class RebuiltIndex(NamedTuple):
    """Outcome: new path of the damaged file, number of records, and number of damaged blocks in the journal."""

    aside: Path
    record_count: int
    damaged_blocks: int


def rebuild_index(connections: ConnectionPool, writer: RecordWriter,
                  damaged: Optional[FileIdentity]) -> Optional[RebuiltIndex]:
    """Set the damaged file aside and index the journal again.

    Return None if another thread or QGIS has replaced the ``damaged`` file already. Raises CartoguideError if the file
    cannot be set aside.
    """
    with connections.locked():
        if connections.file_identity() != damaged:
            return None
        with connections.exclusive():
            aside = _set_aside(connections.path)
        writer.indexer.clear_cache()
        damaged_blocks: List[int] = []
        count = catch_up(connections, writer, damaged_blocks.append)
        _salvage(aside, connections)
        return RebuiltIndex(aside, count, len(damaged_blocks))


def _set_aside(path: Path) -> Path:
    """Rename the file and its write-ahead log, and return the new path."""
    aside = _unused_path(path)
    try:
        # the main file comes last: SQLite would apply the old log to a new main file
        for suffix in ("-wal", "-shm", ""):
            current_path = path.with_name(path.name + suffix)
            if current_path.exists():
                os.replace(current_path, aside.with_name(aside.name + suffix))
    except OSError as error:
        raise CartoguideError(
            tr(
                "The record library {name} is damaged and cannot be set aside, perhaps because another QGIS has it "
                "open. Close the other QGIS windows and try again.",
                name=path.name,
            ),
            str(error),
        ) from error
    return aside


def _salvage(aside: Path, connections: ConnectionPool) -> None:
    """Copy the tables that the journal does not cover, as far as they can still be read."""
    for select, insert in UNJOURNALLED_TABLES:
        rows = []
        try:
            damaged_file = sqlite3.connect(str(aside))
            try:
                for row in damaged_file.execute(select):
                    rows.append(row)
            finally:
                damaged_file.close()
        except (sqlite3.Error, UnicodeDecodeError) as error:
            _ = error  # rows before the damage were read and are kept
        with connections.write_transaction() as connection:
            connection.executemany(insert, rows)


def _unused_path(path: Path) -> Path:
    timestamp = datetime.now(timezone.utc).strftime("%Y%m%d-%H%M%S")
    number = 0
    while True:
        name = path.with_name(f"{path.stem}.damaged-{timestamp}{f'-{number}' if number else ''}{path.suffix}")
        if not name.exists():
            return name
        number += 1
