"""Relocation of a store: checking a new path, and copying a store into another."""

from __future__ import annotations

import json
import os
import sqlite3
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Sequence, Set, Tuple

from ..dates import past_moment
from ..errors import CartoguideError
from ..files import write_error
from ..i18n import tr
from ..storage.syncing import PRIVATE_FOLDER, create_private
from ..storage.temporary_files import temporary_path
from ..trust.files import check_kind
from . import schema
from .index.index_row import IndexRow
from .index.row_extraction import read_index_row
from .journal import JournalEntry, JournalOperation
from .rebuild import UNJOURNALLED_TABLES
from .record_copies import IncomingRecord, Origin
from .record_store import RecordStore

#: gets the number of records done and their total
CopyCallback = Callable[[int, int], None]
#: identifier, source, place
_CopyKey = Tuple[str, str, str]

_ROWS_AT_ONCE = 200
_COPIES = (
    "SELECT c.pack_offset, c.pack_number, c.identifier, s.address, c.place, c.vanished_at "
    "FROM copy c JOIN source s ON s.source_id = c.source_id ORDER BY c.pack_offset, c.pack_number"
)
_NOT_VANISHED = (
    "SELECT c.identifier, c.place FROM copy c JOIN source s ON s.source_id = c.source_id WHERE c.identifier IN "
    "(SELECT value FROM json_each(?)) AND s.address = ? AND c.vanished_at IS NULL AND c.read_at <= ?")
_READ_TIMES = (
    "SELECT c.identifier, s.address, c.place, c.read_at FROM copy c JOIN source s ON s.source_id = c.source_id "
    "WHERE c.identifier IN (SELECT value FROM json_each(?))")


def is_record_store(path: Path) -> bool:
    """Return True if there is a store at ``path`` and False if one can be created there. Changes no file.

    Raises CartoguideError with the reason if neither is the case (a folder, a device, another program's file, a newer
    store, a folder that is not writable).
    """
    if path.suffix in ("", ".journal", ".lock"):
        raise CartoguideError(tr("Give the record library a file name that ends in .sqlite."), str(path))
    if path.is_dir():
        raise CartoguideError(tr("{name} is a folder. Name a file in it, such as records.sqlite.", name=path.name))
    _check_folder(path)
    journal = path.with_suffix(".journal")
    for file in (path, journal):
        if file.exists():
            check_kind(file)
    if not path.exists() or not path.stat().st_size:
        return journal.exists()
    connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=rw", uri=True)
    try:
        schema.needs_migration(connection, path.name)
    except sqlite3.DatabaseError as error:
        # with a journal beside it, it is a damaged store, which is rebuilt when it is opened
        if not journal.exists():
            raise CartoguideError(
                tr("{name} is another program’s file, not a record library. Choose another.", name=path.name),
                str(error)) from error
    finally:
        connection.close()
    return True


def _check_folder(path: Path) -> None:
    """Create the folder of ``path`` if needed. Raises CartoguideError if it cannot be created or is not writable."""
    try:
        path.parent.mkdir(PRIVATE_FOLDER, parents=True, exist_ok=True)
        probe = temporary_path(path.parent)
        create_private(probe)
        os.unlink(probe)
    except OSError as error:
        raise write_error(path, error, tr(
            "{name} cannot be used: {reason}. Choose a folder that you may write to.", name=str(path.parent),
            reason=error.strerror or type(error).__name__)) from error


def copy_store(old: RecordStore, new: RecordStore, report: Optional[CopyCallback] = None) -> int:
    """Copy everything in ``old`` into ``new`` and return the number of records.

    This covers every version of every record, collections, cached documents and checkpoints. Records that ``new`` has
    from the same location, read at the same time or later, are not replaced. ``report`` gets the number of records done
    and their total. It may raise to cancel, and copying again resumes.
    """
    with old.connections.read_transaction() as connection:
        rows = connection.execute(_COPIES).fetchall()
    current, known = {(row[0], row[1]) for row in rows}, {row[2] for row in rows}
    done = 0
    moving = _StoreCopier(new)
    # oldest first, so that the index ends up with the newest version
    for entry in old.writer.journal.entries():
        if entry.header.get("op") != JournalOperation.PUT:
            continue
        moving.copy_entry(entry, known)
        done += sum((entry.offset, number) in current for number in range(len(entry.header.get("items", ()))))
        if report is not None:
            report(done, len(rows))
    _copy_vanished(new, rows)
    _copy_collections_and_cache(old, new)
    return len(known)


class _StoreCopier:
    """Copies journal entries of one store into another."""

    def __init__(self, new: RecordStore) -> None:
        self._new = new
        self._read_at = ""
        self._copied: Set[_CopyKey] = set()

    def copy_entry(self, entry: JournalEntry, known: Set[str]) -> None:
        """Save those of the ``known`` records in an entry that the new store does not have, or has in an older
        version.
        """
        source, kind, title, read_at = (str(entry.header.get(name, "")) for name in ("source", "kind", "title",
                                                                                     "read_at"))
        # the other store may come from a computer whose clock is wrong
        origin = Origin(source, kind, title, past_moment(read_at))
        if origin.read_at != self._read_at:
            self._read_at, self._copied = origin.read_at, set()
        here = self._read_times(entry)
        batch = []
        for identifier, location, data in entry.records():
            key = (identifier, origin.source, location)
            # of several versions read at the same time the last one counts
            if identifier in known and (here.get(key, "") < origin.read_at or key in self._copied):
                self._copied.add(key)
                row = _row_or_none(data, location, identifier)
                batch += [IncomingRecord(row, location, data)] if row is not None else []
        if batch:
            self._new.save_rows(origin, batch)

    def _read_times(self, entry: JournalEntry) -> Dict[_CopyKey, str]:
        """Return when the new store read the copies that it has of an entry's records."""
        identifiers = json.dumps([str(item[0]) for item in entry.header.get("items", ())])
        with self._new.connections.read_transaction() as connection:
            rows = connection.execute(_READ_TIMES, (identifiers,)).fetchall()
        return {(row[0], row[1], row[2]): row[3] for row in rows}


def _row_or_none(data: bytes, location: str, identifier: str) -> Optional[IndexRow]:
    """Return the index row of a record, or None if it can no longer be read."""
    try:
        return read_index_row(data, location, identifier)
    except CartoguideError:
        return None


def _copy_vanished(new: RecordStore, rows: Sequence[Tuple[Any, ...]]) -> None:
    """Mark the copies that had vanished from their source, unless they have been read there again since."""
    vanished: Dict[Tuple[str, str], List[Tuple[str, str]]] = {}
    for _, _, identifier, source, location, vanished_at in rows:
        if vanished_at:
            vanished.setdefault((source, vanished_at), []).append((identifier, location))
    for (source, vanished_at), pairs in vanished.items():
        with new.connections.read_transaction() as connection:
            names = json.dumps([name for name, _ in pairs])
            still_vanished = set(connection.execute(_NOT_VANISHED, (names, source, vanished_at)))
        pairs = [pair for pair in pairs if pair in still_vanished]
        if pairs:
            with new.writer.transaction() as connection:
                new.writer.append_operation(connection, JournalOperation.VANISH,
                                            {"source": source, "at": vanished_at}, pairs)


def _copy_collections_and_cache(old: RecordStore, new: RecordStore) -> None:
    for name, _ in old.collections.names():
        members = old.collections.members(name)
        if name in dict(new.collections.names()):
            new.collections.add_members(name, members)
        else:
            new.collections.save(name, members)
    for select, insert in UNJOURNALLED_TABLES:
        with old.connections.read_transaction() as source:
            cursor = source.execute(select)
            while True:
                rows = cursor.fetchmany(_ROWS_AT_ONCE)
                if not rows:
                    break
                with new.connections.write_transaction() as target:
                    target.executemany(insert, rows)
