"""A damaged store is set aside and its index made anew from the journal, with nothing acknowledged lost."""

from __future__ import annotations

import os
import sqlite3
from datetime import datetime, timezone
from pathlib import Path
from typing import Optional, Tuple

from ..errors import CartoguideError
from ..i18n import tr
from .connection_pool import ConnectionPool, FileIdentity
from .record_writer import RecordWriter, catch_up

#: reading and writing of what stands in no journal
UNJOURNALLED_TABLES = (
    ("SELECT kind, address, validators, fetched_at, size, data FROM kept",
     "INSERT OR IGNORE INTO kept(kind, address, validators, fetched_at, size, data) VALUES(?,?,?,?,?,?)"),
    ("SELECT harvest, state FROM progress", "INSERT OR IGNORE INTO progress VALUES(?,?)"),
)  # fmt: skip


def rebuild_index(connections: ConnectionPool, writer: RecordWriter,
                  damaged: Optional[FileIdentity]) -> Optional[Tuple[Path, int]]:
    """Move the damaged file away and index the journal's entries again; gives where the old file is, and how many
    records were read. None where another thread or QGIS has replaced the ``damaged`` file already.
    """
    with connections.locked():
        if connections.file_identity() != damaged:
            return None
        with connections.exclusive():
            aside = _set_aside(connections.path)
        writer.indexer.clear_cache()
        count = catch_up(connections, writer)
        _salvage(aside, connections)
        return aside, count


def _set_aside(path: Path) -> Path:
    aside = _unused_path(path)
    try:
        # the file last: broken off before, it is only older, while a new file would take the old one's log for its own
        for suffix in ("-wal", "-shm", ""):
            here = path.with_name(path.name + suffix)
            if here.exists():
                os.replace(here, aside.with_name(aside.name + suffix))
    except OSError as error:
        raise CartoguideError(
            tr(
                "The record store {name} is damaged and cannot be set aside, perhaps because another QGIS has it "
                "open. Close the other QGIS windows and try again.",
                name=path.name,
            ),
            str(error),
        ) from error
    return aside


def _salvage(aside: Path, connections: ConnectionPool) -> None:
    """Take over what stands in no journal, as far as it can still be read."""
    for read, write in UNJOURNALLED_TABLES:
        rows = []
        try:
            old = sqlite3.connect(str(aside))
            try:
                for row in old.execute(read):
                    rows.append(row)
            finally:
                old.close()
        except (sqlite3.Error, UnicodeDecodeError) as error:
            _ = error  # the rows before the damage were read
        with connections.write_transaction() as connection:
            connection.executemany(write, rows)


def _unused_path(path: Path) -> Path:
    day = datetime.now(timezone.utc).strftime("%Y%m%d-%H%M%S")
    number = 0
    while True:
        name = path.with_name(f"{path.stem}.damaged-{day}{f'-{number}' if number else ''}{path.suffix}")
        if not name.exists():
            return name
        number += 1
