"""Exact counts and facets: what follows the first results, computed on packed arrays in memory.

The arrays follow the store: what was written since the last count is read again, the rest stays. No step holds the
interpreter for long, so that a window stays alive beside it.
"""

from __future__ import annotations

import json
import sqlite3
import struct
import threading
from typing import TYPE_CHECKING, Any, Callable, Dict, Optional, Sequence, Tuple, cast

from .arrays import matching
from .connections import Connections
from .indexing import FACETS
from .query import Counts, Query
from .search import Finder
from .tokens import Box

if TYPE_CHECKING:
    import numpy

    Array = numpy.ndarray[Any, Any]

_BOX = struct.Struct("<4d")
#: a record without a box meets none
_NOWHERE = (float("inf"), float("inf"), float("-inf"), float("-inf"))
_MOST_VALUES = 50
_MEMBERS = "SELECT r.record_id FROM record r JOIN collection c ON c.identifier = r.identifier WHERE c.name = ?"
_ALL = "SELECT record_id, packed FROM facet_link WHERE record_id > ? ORDER BY record_id LIMIT 5000"
_SOME = (
    "SELECT record_id, packed FROM facet_link WHERE record_id IN (SELECT value FROM json_each(?)) "
    "ORDER BY record_id"
)
_VALUES = "SELECT facet_id, value FROM facet_value WHERE facet_id IN (SELECT value FROM json_each(?))"
#: some milliseconds of numpy, which keeps the interpreter meanwhile
_STEP = 30_000
#: changes beyond this share are not picked out one by one
_MOST_CHANGED = 50_000


def pack(box: Optional[Box], facet_ids: Sequence[int]) -> bytes:
    """One record for counting: four doubles (west, south, east, north) and the facet ids, four bytes each."""
    return _BOX.pack(*(box or _NOWHERE)) + struct.pack(f"<{len(facet_ids)}I", *facet_ids)


class _Arrays:
    """The records of one state of the store, by id: ids, boxes (n × 4), and the facet ids of each in one long array."""

    def __init__(self, rows: Sequence[Tuple[int, bytes]] = ()) -> None:
        import numpy

        count = len(rows)
        self.ids = numpy.fromiter((row[0] for row in rows), dtype=numpy.int64, count=count)
        lengths = numpy.fromiter((len(row[1]) for row in rows), dtype=numpy.int64, count=count)
        whole = numpy.frombuffer(b"".join(row[1] for row in rows), dtype=numpy.uint8)
        begins = numpy.concatenate((numpy.zeros(1, dtype=numpy.int64), numpy.cumsum(lengths)))[:-1]
        places = begins[:, None] + numpy.arange(_BOX.size)
        self.boxes = whole[places].reshape(count, _BOX.size).view("<f8").reshape(count, 4)
        inside = numpy.ones(len(whole), dtype=bool)
        inside[places.ravel()] = False
        self.facets = whole[inside].view("<u4")
        self.sizes = (lengths - _BOX.size) // 4
        self.starts = numpy.cumsum(self.sizes) - self.sizes

    def without(self, ids: Array) -> _Arrays:
        """The same records except ``ids``."""
        import numpy

        return self._taken(~numpy.isin(self.ids, ids, assume_unique=True))

    def _taken(self, index: Array) -> _Arrays:
        made = _Arrays.__new__(_Arrays)
        made.ids, made.boxes, made.facets = self.ids[index], self.boxes[index], self.facets
        made.sizes, made.starts = self.sizes[index], self.starts[index]
        return made

    def joined(self, *others: _Arrays) -> _Arrays:
        """These records and those of ``others``, none of which is here."""
        import numpy

        parts = (self, *others)
        made = _Arrays.__new__(_Arrays)
        made.ids = numpy.concatenate([part.ids for part in parts])
        made.boxes = numpy.concatenate([part.boxes for part in parts])
        made.sizes = numpy.concatenate([part.sizes for part in parts])
        shifts = numpy.cumsum([0, *(len(part.facets) for part in parts)])
        made.starts = numpy.concatenate([part.starts + shift for part, shift in zip(parts, shifts)])
        made.facets = numpy.concatenate([part.facets for part in parts])
        order = numpy.argsort(made.ids, kind="stable")
        return made if bool((order[1:] > order[:-1]).all()) else made._taken(order)

    def counts(self, positions: Array, most: int) -> Array:
        """How often each facet id (up to ``most``) stands in the records at ``positions``."""
        import numpy

        found = numpy.zeros(most + 1, dtype=numpy.int64)
        for begin in range(0, len(positions), _STEP):
            some = positions[begin : begin + _STEP]
            sizes, starts = self.sizes[some], self.starts[some]
            ends = numpy.cumsum(sizes)
            total = int(ends[-1])
            index = numpy.arange(total) + numpy.repeat(starts - ends + sizes, sizes)
            found += numpy.bincount(self.facets[index], minlength=most + 1)[: most + 1]
        return found


class FacetCounter:
    """Counts over one store."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._lock = threading.Lock()
        self._arrays: Optional[_Arrays] = None
        self._birth, self._change = 0, 0
        self._kinds = cast("Array", ())

    def count(self, query: Query, cancelled: Optional[Callable[[], bool]] = None) -> Counts:
        """The number of records that ``query`` finds, and the counts of their facet values."""
        with self._connections.reading(cancelled) as connection:
            expression = Finder(connection, query).expression()
            if expression is None:
                return Counts(0, dict.fromkeys(FACETS, ()))
            arrays = self._current(connection)
            positions = _positions(connection, arrays, query, expression)
            kinds = self._kinds_of_facets(connection)
            counts = arrays.counts(positions, len(kinds) - 1)
            return Counts(len(positions), _named(connection, kinds, counts))

    def _kinds_of_facets(self, connection: sqlite3.Connection) -> Array:
        """For each facet id the number of its facet in ``FACETS``, or -1; ids stay what they are."""
        import numpy

        with self._lock:
            rows = connection.execute(
                "SELECT facet_id, facet FROM facet_value WHERE facet_id >= ?", (len(self._kinds),)
            ).fetchall()
            if rows:
                more = numpy.full(max(row[0] for row in rows) + 1 - len(self._kinds), -1, dtype=numpy.int8)
                for facet_id, facet in rows:
                    more[facet_id - len(self._kinds)] = FACETS.index(facet) if facet in FACETS else -1
                self._kinds = numpy.concatenate((self._kinds, more))
            return self._kinds

    def _current(self, connection: sqlite3.Connection) -> _Arrays:
        birth = int(connection.execute("SELECT value FROM counter WHERE name = 'birth'").fetchone()[0])
        first, last = connection.execute("SELECT min(change_id), max(change_id) FROM change").fetchone()
        with self._lock:
            arrays = self._arrays
            missed = (last or 0) - self._change
            if birth != self._birth:
                self._kinds = _no_kinds()
            if arrays is None or birth != self._birth or missed < 0 or (first or 0) > self._change + 1:
                arrays = _read_all(connection)
            elif missed:
                arrays = _read_changed(connection, arrays, self._change)
            self._arrays, self._birth, self._change = arrays, birth, last or 0
            return arrays


def _read_all(connection: sqlite3.Connection) -> _Arrays:
    parts = [_Arrays()]
    after = -1
    while True:
        rows = connection.execute(_ALL, (after,)).fetchall()
        if not rows:
            return parts[0].joined(*parts[1:])
        after = rows[-1][0]
        parts.append(_Arrays(rows))


def _read_changed(connection: sqlite3.Connection, arrays: _Arrays, since: int) -> _Arrays:
    import numpy

    packed = connection.execute("SELECT ids FROM change WHERE change_id > ?", (since,)).fetchall()
    ids = numpy.unique(numpy.frombuffer(b"".join(row[0] for row in packed), dtype="<i8"))
    if len(ids) > _MOST_CHANGED:
        return _read_all(connection)
    rows = connection.execute(_SOME, (json.dumps(ids.tolist()),)).fetchall()
    return arrays.without(ids).joined(_Arrays(rows))


def _positions(connection: sqlite3.Connection, arrays: _Arrays, query: Query, expression: str) -> Array:
    """Where in ``arrays`` the records stand that the query finds."""
    import numpy

    if expression:
        positions = numpy.searchsorted(arrays.ids, matching(connection, expression))
    else:
        positions = numpy.arange(len(arrays.ids))
    if query.box is not None:
        west, south, east, north = query.box
        kept = []
        for begin in range(0, len(positions), _STEP):
            some = positions[begin : begin + _STEP]
            boxes = arrays.boxes[some]
            inside = (boxes[:, 0] <= east) & (boxes[:, 2] >= west) & (boxes[:, 1] <= north) & (boxes[:, 3] >= south)
            kept.append(some[inside])
        positions = numpy.concatenate(kept) if kept else positions
    if query.collection:
        rows = connection.execute(_MEMBERS, (query.collection,)).fetchall()
        members = numpy.array([row[0] for row in rows], dtype=numpy.int64)
        positions = positions[numpy.isin(arrays.ids[positions], members)]
    return positions


def _no_kinds() -> Array:
    import numpy

    return numpy.full(1, -1, dtype=numpy.int8)


def _named(connection: sqlite3.Connection, kinds: Array, counts: Array) -> Dict[str, Tuple[Tuple[str, int], ...]]:
    """The most frequent values of each facet, most first."""
    import numpy

    found: Dict[str, Tuple[Tuple[str, int], ...]] = {}
    for number, facet in enumerate(FACETS):
        ids = numpy.flatnonzero((kinds == number) & (counts > 0))
        ids = ids[numpy.argsort(-counts[ids], kind="stable")[:_MOST_VALUES]].tolist()
        rows = connection.execute(_VALUES, (json.dumps(ids),)).fetchall()
        values = [(value, int(counts[facet_id])) for facet_id, value in rows]
        found[facet] = tuple(sorted(values, key=lambda pair: (-pair[1], pair[0])))
    return found
