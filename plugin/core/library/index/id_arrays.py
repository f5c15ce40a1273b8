"""Large sets of record ids as NumPy arrays."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Any, List, Sequence

if TYPE_CHECKING:
    import numpy

    Array = numpy.ndarray[Any, Any]

#: rowids per statement, read as one text, since a Python object for each would hold the interpreter
_CHUNK_SIZE = 20_000
_MATCHING = (
    "SELECT group_concat(rowid), count(*), max(rowid) FROM "
    "(SELECT rowid FROM word_index WHERE word_index MATCH ? AND rowid > ? ORDER BY rowid LIMIT 20000)"
)


def matching_ids(connection: sqlite3.Connection, expression: str) -> Array:
    """Return the ids of all records that match an FTS5 expression, ascending."""
    import numpy

    parts = [numpy.zeros(0, dtype=numpy.int64)]
    after = -1
    while True:
        text, count, newest = connection.execute(_MATCHING, (expression, after)).fetchone()
        if count:
            parts.append(numpy.fromstring(text, dtype=numpy.int64, sep=","))
        if count < _CHUNK_SIZE:
            return numpy.concatenate(parts)
        after = newest


def filter_members(ids: Sequence[int], members: Array) -> List[int]:
    """Return those of ``ids``, in their order, that are in ``members``, which must be ascending and not empty."""
    import numpy

    array = numpy.array(ids, dtype=numpy.int64)
    positions = numpy.minimum(numpy.searchsorted(members, array), len(members) - 1)
    members_found: List[int] = array[members[positions] == array].tolist()
    return members_found
