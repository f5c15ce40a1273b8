"""A store at another place: whether a path can hold one, and what is in one taken along into another."""

from __future__ import annotations

import json
import os
import sqlite3
import tempfile
from pathlib import Path
from typing import Callable, Dict, Iterator, List, Optional, Set, Tuple

from ..errors import CartoguideError, UnreadableDocument
from ..i18n import tr
from . import schema
from .copies import NEW, Incoming, Origin, identifier_of
from .extract import row_of
from .journal import Entry
from .rebuild import BESIDE_THE_JOURNAL
from .store import Store

#: (records done, of how many)
Told = Callable[[int, int], None]
#: identifier, source, place
_Key = Tuple[str, str, str]

_BATCH = 200
_COPIES = (
    "SELECT c.pack_offset, c.pack_number, c.identifier, s.address, c.place, c.vanished_at "
    "FROM copy c JOIN source s ON s.source_id = c.source_id ORDER BY c.pack_offset, c.pack_number"
)
_HERE = (
    "SELECT c.identifier, s.address, c.place, c.read_at FROM copy c JOIN source s ON s.source_id = c.source_id "
    "WHERE c.identifier IN (SELECT value FROM json_each(?))"
)


def is_store(path: Path) -> bool:
    """Whether a store is at ``path``; False where one can be made there. Changes nothing that is there.

    CartoguideError: neither, and why (a folder, another program's file, a newer store, a place that cannot be written).
    """
    if path.suffix in ("", ".journal", ".lock"):
        raise CartoguideError(tr("Give the record store a file name that ends in .sqlite."), str(path))
    if path.is_dir():
        raise CartoguideError(tr("{name} is a folder. Name a file in it, such as records.sqlite.", name=path.name))
    _check_folder(path)
    journal = path.with_suffix(".journal")
    if not path.exists() or not path.stat().st_size:
        return journal.exists()
    connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=rw", uri=True)
    try:
        schema.refuse_foreign(connection, path.name)
    except sqlite3.DatabaseError as error:
        # beside its journal it is a damaged store, which is mended when it is opened
        if not journal.exists():
            raise CartoguideError(
                tr("{name} is another program’s file, not a record store. Choose another.", name=path.name), str(error)
            ) from error
    finally:
        connection.close()
    return True


def _check_folder(path: Path) -> None:
    """CartoguideError where the folder of ``path`` is not there and cannot be made, or may not be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, probe = tempfile.mkstemp(prefix=".cartoguide-", dir=path.parent)
        os.close(handle)
        os.unlink(probe)
    except OSError as error:
        raise CartoguideError(
            tr("{name} cannot be used: {reason}. Choose a folder that you may write to.", name=str(path.parent),
               reason=error.strerror or type(error).__name__), str(error)) from error


def take_along(old: Store, new: Store, told: Optional[Told] = None) -> int:
    """Put everything that ``old`` holds into ``new``: records of every source, collections, what is kept, and how far
    harvests are; gives how many records there were. What ``new`` holds already, read at the same place and no earlier,
    stays. ``told`` may raise to break off; doing it again goes on.
    """
    with old._connections.reading() as connection:
        rows = connection.execute(_COPIES).fetchall()
    current = {(row[0], row[1]): row[2:] for row in rows}
    gone: Dict[Tuple[str, str], List[Tuple[str, str]]] = {}
    done = 0
    for entry, numbers in _entries(old, [row[:2] for row in rows]):
        origin = Origin(*(str(entry.header.get(name, "")) for name in ("source", "kind", "title", "read_at")))
        batch = [(number, Incoming(row_of(data, place, identifier), place, data))
                 for number, (identifier, place, data) in enumerate(entry.records()) if number in numbers]
        for number in _put(new, origin, batch):
            identifier, source, place, vanished_at = current[(entry.offset, number)]
            if vanished_at:
                gone.setdefault((source, vanished_at), []).append((identifier, place))
        done += len(numbers)
        if told is not None:
            told(done, len(rows))
    for (source, moment), pairs in gone.items():
        with new._writer.recording() as connection:
            new._writer.note(connection, {"op": "vanish", "source": source, "at": moment}, pairs)
    _take_the_rest(old, new)
    return len({row[2] for row in rows})


def _entries(store: Store, wanted: List[Tuple[int, int]]) -> Iterator[Tuple[Entry, Set[int]]]:
    """The journal's entries that hold the wanted (offset, number), each with its numbers; a damaged one is left out."""
    by_offset: Dict[int, Set[int]] = {}
    for offset, number in wanted:
        by_offset.setdefault(offset, set()).add(number)
    for offset, numbers in by_offset.items():
        try:
            yield store._writer.journal.read(offset), numbers
        except UnreadableDocument:
            continue


def _put(new: Store, origin: Origin, batch: List[Tuple[int, Incoming]]) -> List[int]:
    """Put those that are not there, or older there; gives the numbers of those that were not there at all."""
    keyed = [(number, incoming, identifier_of(origin.source, incoming)) for number, incoming in batch]
    with new._connections.reading() as connection:
        rows = connection.execute(_HERE, (json.dumps([identifier for _, _, identifier in keyed]),)).fetchall()
    here: Dict[_Key, str] = {(row[0], row[1], row[2]): row[3] for row in rows}
    fresh = [(number, incoming) for number, incoming, identifier in keyed
             if here.get((identifier, origin.source, incoming.place), "") < origin.read_at]
    outcomes = new.put_rows(origin, [incoming for _, incoming in fresh])
    return [number for (number, _), outcome in zip(fresh, outcomes) if outcome == NEW]


def _take_the_rest(old: Store, new: Store) -> None:
    for name, _ in old.collections.names():
        members = old.collections.members(name)
        if name in dict(new.collections.names()):
            new.collections.add(name, members)
        else:
            new.collections.put(name, members)
    for read, write in BESIDE_THE_JOURNAL:
        with old._connections.reading() as source:
            cursor = source.execute(read)
            while True:
                rows = cursor.fetchmany(_BATCH)
                if not rows:
                    break
                with new._connections.writing() as target:
                    target.executemany(write, rows)
