"""Exact counts and facets of a query, computed on packed arrays in memory.

The arrays are updated with the changes since the last count. Each step holds the interpreter for milliseconds only.
"""

from __future__ import annotations

import json
import sqlite3
import struct
import threading
from typing import TYPE_CHECKING, Any, Callable, Dict, Optional, Sequence, Tuple, cast

from ...box import Box
from ..connection_pool import ConnectionPool
from ..query import Facet, FacetCounts, LibraryQuery
from .search import QueryExecution, matching_ids

if TYPE_CHECKING:
    import numpy

    Array = numpy.ndarray[Any, Any]

_BOX = struct.Struct("<4d")
#: bounding box that intersects none, for records without one
_EMPTY_BBOX = (float("inf"), float("inf"), float("-inf"), float("-inf"))
_MAX_VALUES = 50
_MEMBERS = "SELECT r.record_id FROM record r JOIN collection c ON c.identifier = r.identifier WHERE c.name = ?"
_ALL = "SELECT record_id, packed FROM facet_link WHERE record_id > ? ORDER BY record_id LIMIT 5000"
_SELECTED = ("SELECT record_id, packed FROM facet_link WHERE record_id IN (SELECT value FROM json_each(?)) "
             "ORDER BY record_id")
_VALUES = "SELECT facet_id, value FROM facet_value WHERE facet_id IN (SELECT value FROM json_each(?))"
#: records in one step of NumPy, which holds the interpreter for some milliseconds
_STEP_RECORDS = 30_000
#: with more changed records than this, all records are read again
_MAX_CHANGED = 50_000


def pack_facets(bbox: Optional[Box], facet_ids: Sequence[int]) -> bytes:
    """Return one record packed for counting: four doubles (west, south, east, north) and the facet ids, four bytes
    each.
    """
    return _BOX.pack(*(bbox or _EMPTY_BBOX)) + struct.pack(f"<{len(facet_ids)}I", *facet_ids)


class _RecordArrays:
    """Records of one state of the store, sorted by id.

    ``boxes`` (n × 4) are their bounding boxes. ``facets`` are the facet ids of all records in one array, of which
    ``starts`` and ``sizes`` give the part of each record.
    """

    def __init__(self, rows: Sequence[Tuple[int, bytes]] = ()) -> None:
        import numpy

        count = len(rows)
        self.ids = numpy.fromiter((row[0] for row in rows), dtype=numpy.int64, count=count)
        lengths = numpy.fromiter((len(row[1]) for row in rows), dtype=numpy.int64, count=count)
        buffer = numpy.frombuffer(b"".join(row[1] for row in rows), dtype=numpy.uint8)
        begins = numpy.concatenate((numpy.zeros(1, dtype=numpy.int64), numpy.cumsum(lengths)))[:-1]
        bbox_positions = begins[:, None] + numpy.arange(_BOX.size)
        self.boxes = buffer[bbox_positions].reshape(count, _BOX.size).view("<f8").reshape(count, 4)
        is_facet = numpy.ones(len(buffer), dtype=bool)
        is_facet[bbox_positions.ravel()] = False
        self.facets = buffer[is_facet].view("<u4")
        self.sizes = (lengths - _BOX.size) // 4
        self.starts = numpy.cumsum(self.sizes) - self.sizes

    def without(self, ids: Array) -> _RecordArrays:
        import numpy

        return self._select(~numpy.isin(self.ids, ids, assume_unique=True))

    def _select(self, index: Array) -> _RecordArrays:
        arrays = _RecordArrays.__new__(_RecordArrays)
        arrays.ids, arrays.boxes, arrays.facets = self.ids[index], self.boxes[index], self.facets
        arrays.sizes, arrays.starts = self.sizes[index], self.starts[index]
        return arrays

    def merged_with(self, *others: _RecordArrays) -> _RecordArrays:
        """Return these records and those of ``others``. No record may occur twice."""
        import numpy

        parts = (self, *others)
        arrays = _RecordArrays.__new__(_RecordArrays)
        arrays.ids = numpy.concatenate([part.ids for part in parts])
        arrays.boxes = numpy.concatenate([part.boxes for part in parts])
        arrays.sizes = numpy.concatenate([part.sizes for part in parts])
        shifts = numpy.cumsum([0, *(len(part.facets) for part in parts)])
        arrays.starts = numpy.concatenate([part.starts + shift for part, shift in zip(parts, shifts)])
        arrays.facets = numpy.concatenate([part.facets for part in parts])
        order = numpy.argsort(arrays.ids, kind="stable")
        return arrays if bool((order[1:] > order[:-1]).all()) else arrays._select(order)

    def count_facets(self, positions: Array, max_id: int) -> Array:
        import numpy

        counts = numpy.zeros(max_id + 1, dtype=numpy.int64)
        for begin in range(0, len(positions), _STEP_RECORDS):
            part = positions[begin : begin + _STEP_RECORDS]
            sizes, starts = self.sizes[part], self.starts[part]
            ends = numpy.cumsum(sizes)
            total = int(ends[-1])
            index = numpy.arange(total) + numpy.repeat(starts - ends + sizes, sizes)
            counts += numpy.bincount(self.facets[index], minlength=max_id + 1)[: max_id + 1]
        return counts


class FacetCounter:
    """Counts over one store."""

    def __init__(self, connections: ConnectionPool) -> None:
        self._connections = connections
        self._lock = threading.Lock()
        self._arrays: Optional[_RecordArrays] = None
        self._file_generation, self._last_change = 0, 0
        self._facet_indexes = cast("Array", ())

    def count(self, query: LibraryQuery, cancelled: Optional[Callable[[], bool]] = None) -> FacetCounts:
        """Return the number of records that ``query`` finds and the counts of their facet values.

        Raises Cancelled soon after ``cancelled()`` returns True.
        """
        with self._connections.read_transaction(cancelled) as connection:
            expression = QueryExecution(connection, query).expression()
            if expression is None:
                return FacetCounts(0, dict.fromkeys(Facet, ()))
            arrays = self._current_arrays(connection)
            positions = _positions(connection, arrays, query, expression)
            facet_indexes = self._load_facet_indexes(connection)
            counts = arrays.count_facets(positions, len(facet_indexes) - 1)
            return FacetCounts(len(positions), _facet_value_counts(connection, facet_indexes, counts))

    def _load_facet_indexes(self, connection: sqlite3.Connection) -> Array:
        """Return the index of the facet in ``Facet`` for each facet id, or -1."""
        import numpy

        with self._lock:
            rows = connection.execute("SELECT facet_id, facet FROM facet_value WHERE facet_id >= ?",
                                      (len(self._facet_indexes), )).fetchall()
            if rows:
                more = numpy.full(max(row[0] for row in rows) + 1 - len(self._facet_indexes), -1, dtype=numpy.int8)
                facets = [facet.value for facet in Facet]
                for facet_id, facet in rows:
                    more[facet_id - len(self._facet_indexes)] = facets.index(facet) if facet in facets else -1
                self._facet_indexes = numpy.concatenate((self._facet_indexes, more))
            return self._facet_indexes

    def _current_arrays(self, connection: sqlite3.Connection) -> _RecordArrays:
        # a random number that each new index file gets
        generation = int(connection.execute("SELECT value FROM counter WHERE name = 'birth'").fetchone()[0])
        first, last = connection.execute("SELECT min(change_id), max(change_id) FROM change").fetchone()
        with self._lock:
            arrays = self._arrays
            missed_changes = (last or 0) - self._last_change
            if generation != self._file_generation:
                self._facet_indexes = _no_facet_indexes()
            if arrays is None or generation != self._file_generation or missed_changes < 0 or (
                    first or 0) > self._last_change + 1:
                arrays = _read_all(connection)
            elif missed_changes:
                arrays = _read_changed(connection, arrays, self._last_change)
            self._arrays, self._file_generation, self._last_change = arrays, generation, last or 0
            return arrays


def _read_all(connection: sqlite3.Connection) -> _RecordArrays:
    parts = [_RecordArrays()]
    after = -1
    while True:
        rows = connection.execute(_ALL, (after,)).fetchall()
        if not rows:
            return parts[0].merged_with(*parts[1:])
        after = rows[-1][0]
        parts.append(_RecordArrays(rows))


def _read_changed(connection: sqlite3.Connection, arrays: _RecordArrays, since: int) -> _RecordArrays:
    import numpy

    packed = connection.execute("SELECT ids FROM change WHERE change_id > ?", (since,)).fetchall()
    ids = numpy.unique(numpy.frombuffer(b"".join(row[0] for row in packed), dtype="<i8"))
    if len(ids) > _MAX_CHANGED:
        return _read_all(connection)
    rows = connection.execute(_SELECTED, (json.dumps(ids.tolist()),)).fetchall()
    return arrays.without(ids).merged_with(_RecordArrays(rows))


def _positions(connection: sqlite3.Connection, arrays: _RecordArrays, query: LibraryQuery, expression: str) -> Array:
    import numpy

    if expression:
        positions = numpy.searchsorted(arrays.ids, matching_ids(connection, expression))
    else:
        positions = numpy.arange(len(arrays.ids))
    if query.bbox is not None:
        west, south, east, north = query.bbox
        parts = []
        for begin in range(0, len(positions), _STEP_RECORDS):
            part = positions[begin : begin + _STEP_RECORDS]
            boxes = arrays.boxes[part]
            intersects = (boxes[:, 0] <= east) & (boxes[:, 2] >= west) & (boxes[:, 1] <= north) & (boxes[:, 3] >= south)
            parts.append(part[intersects])
        positions = numpy.concatenate(parts) if parts else positions
    if query.collection:
        rows = connection.execute(_MEMBERS, (query.collection,)).fetchall()
        members = numpy.array([row[0] for row in rows], dtype=numpy.int64)
        positions = positions[numpy.isin(arrays.ids[positions], members)]
    return positions


def _no_facet_indexes() -> Array:
    import numpy

    return numpy.full(1, -1, dtype=numpy.int8)


def _facet_value_counts(connection: sqlite3.Connection, facet_indexes: Array,
                        counts: Array) -> Dict[str, Tuple[Tuple[str, int], ...]]:
    """Return the most frequent values of each facet, most frequent first."""
    import numpy

    by_facet: Dict[str, Tuple[Tuple[str, int], ...]] = {}
    for number, facet in enumerate(Facet):
        ids = numpy.flatnonzero((facet_indexes == number) & (counts > 0))
        ids = ids[numpy.argsort(-counts[ids], kind="stable")[:_MAX_VALUES]].tolist()
        rows = connection.execute(_VALUES, (json.dumps(ids),)).fetchall()
        values = [(value, int(counts[facet_id])) for facet_id, value in rows]
        by_facet[facet] = tuple(sorted(values, key=lambda pair: (-pair[1], pair[0])))
    return by_facet
