"""Search of the record library.

Candidates come in the static order (see ``index_row``), and only the first of them are ranked, so that common words
cost as little as rare ones. Which way is taken depends on the query:

    bounding box or collection with few records     test each of them
    relevance, no words                             scan the word index in the static order
    relevance, words                                rank the first matches in titles, then scan
    title or date, few matches                      sort the matches
    title or date, many matches                     scan the sorted index until enough match
"""

from __future__ import annotations

import json
import sqlite3
from typing import TYPE_CHECKING, Any, Callable, Iterable, List, Optional, Sequence, Tuple

from ...box import Box
from ..connection_pool import ConnectionPool
from ..query import LibraryQuery, ResultPage, SearchHit, SortOrder
from ..schema import MAX_INDEXED_PREFIX
from .index_row import tokenize
from .index_terms import TITLE_MARK, any_of, facet_term, query_cells, quote

if TYPE_CHECKING:
    import numpy

    Array = numpy.ndarray[Any, Any]

#: title matches that are ranked; further ones stay in the static order
_MAX_RANKED = 200
#: a prefix that expands to more words than this is searched as a prefix
_MAX_PREFIX_TERMS = 300
#: up to this many records in a bounding box or a collection are tested one by one
_MAX_CANDIDATES = 1500
_SELECT_HITS = """SELECT r.record_id, r.identifier, r.title, r.kind, r.service_type, r.year, r.date_stamp,
                  r.organisation, r.licence, r.free, r.credit_required, r.endpoint, r.overview, r.starter, r.west,
                  r.south, r.east, r.north, c.vanished_at, r.offered
           FROM record r JOIN copy c ON c.copy_id = r.copy_id WHERE r.record_id IN (SELECT value FROM json_each(?))"""
_MATCHING = "SELECT rowid FROM word_index WHERE word_index MATCH ? AND rowid > ? ORDER BY rowid LIMIT ?"
_ALL = "SELECT record_id FROM record WHERE record_id > ? ORDER BY record_id LIMIT ?"
_MEMBERS = "SELECT r.record_id FROM collection c JOIN record r ON r.identifier = c.identifier WHERE c.name = ? LIMIT ?"
_INTERSECTING = "SELECT record_id FROM box WHERE west <= ? AND east >= ? AND south <= ? AND north >= ? LIMIT ?"
#: exact test of bounding box and collection; NULL stands for no bounding box, '' for no collection
_EXACT = """SELECT record_id FROM record WHERE record_id IN (SELECT value FROM json_each(?1))
            AND (?2 IS NULL OR (west <= ?4 AND east >= ?2 AND south <= ?5 AND north >= ?3))
            AND (?6 = '' OR identifier IN (SELECT identifier FROM collection WHERE name = ?6))
            ORDER BY record_id"""
_TEXTS = "SELECT record_id, text FROM words WHERE record_id IN (SELECT value FROM json_each(?)) ORDER BY record_id"
_FACET_IDS = "SELECT facet_id FROM facet_value WHERE facet = ? AND value IN (SELECT value FROM json_each(?))"
_SORT_IDS = {
    SortOrder.TITLE: "SELECT record_id FROM record WHERE record_id IN (SELECT value FROM json_each(?)) "
    "ORDER BY sort_title, record_id LIMIT ?",
    SortOrder.DATE: "SELECT record_id FROM record WHERE record_id IN (SELECT value FROM json_each(?)) "
    "ORDER BY date_stamp DESC, record_id LIMIT ?",
}
_SCAN_SORTED = {
    SortOrder.TITLE: "SELECT r.record_id, w.text, r.west, r.south, r.east, r.north FROM record r "
    "JOIN words w ON w.record_id = r.record_id ORDER BY r.sort_title, r.record_id",
    SortOrder.DATE: "SELECT r.record_id, w.text, r.west, r.south, r.east, r.north FROM record r "
    "JOIN words w ON w.record_id = r.record_id ORDER BY r.date_stamp DESC, r.record_id",
}
_IDS_SORTED = {
    SortOrder.TITLE: "SELECT record_id FROM record ORDER BY sort_title, record_id",
    SortOrder.DATE: "SELECT record_id FROM record ORDER BY date_stamp DESC, record_id",
}
_FETCH_ROWS = 20_000
#: records of a sorted index that are tested one by one, each some twenty times as expensive as an id
_MAX_SCANNED = 1000
#: ids per statement of ``matching_ids``, read as one text, since a Python object for each would hold the interpreter
_CHUNK_SIZE = 20_000
_MATCHING_CHUNK = (
    "SELECT group_concat(rowid), count(*), max(rowid) FROM "
    "(SELECT rowid FROM word_index WHERE word_index MATCH ? AND rowid > ? ORDER BY rowid LIMIT 20000)"
)


class LibrarySearch:
    """Searches over one store."""

    def __init__(self, connections: ConnectionPool) -> None:
        self._connections = connections

    def find(self, query: LibraryQuery, limit: int = 50, offset: int = 0,
             cancelled: Optional[Callable[[], bool]] = None) -> ResultPage:
        """Return ``limit`` results from ``offset`` on. Raises Cancelled soon after ``cancelled()`` returns True."""
        with self._connections.read_transaction(cancelled) as connection:
            ids = QueryExecution(connection, query).find_ids(offset + limit + 1)
            shown = ids[offset : offset + limit]
            return ResultPage(tuple(load_hits(connection, shown)), len(ids) > offset + limit)


class QueryExecution:
    """One query on one state of the store."""

    def __init__(self, connection: sqlite3.Connection, query: LibraryQuery) -> None:
        self._connection = connection
        self._query = query
        self._terms = list(dict.fromkeys(tokenize(query.text)))
        self._facet_filters = self._facet_expressions()

    def expression(self, with_cells: bool = True) -> Optional[str]:
        """Return the FTS5 expression of the query. "" matches everything, None means that nothing can match."""
        return self._expression("", with_cells)

    def find_ids(self, limit: int) -> List[int]:
        """Return the first ``limit`` record ids in the query's order."""
        expression = self.expression()
        if expression is None:
            return []
        in_box = self._ids_in_bbox(self._query.bbox) if self._query.bbox is not None else None
        candidates = in_box if in_box is not None else self._ids_in_collection()
        if candidates is not None:
            return self._filter_candidates(candidates, limit)
        if self._query.sort is not SortOrder.RELEVANCE:
            return self._find_sorted(expression, limit)
        if not self._terms:
            return self._scan(expression, limit)
        ids_found: List[int] = []
        in_title = self._expression(TITLE_MARK, True)
        if in_title is not None:
            ids_found = self._rank_title_matches(self._scan(in_title, max(limit, _MAX_RANKED)))
        if len(ids_found) < limit:
            seen = set(ids_found)
            rest = self._scan(expression, limit + len(ids_found))
            ids_found += [record_id for record_id in rest if record_id not in seen]
        return ids_found[:limit]

    # -- expressions ---------------------------------------------------------------------------------------------------
    def _expression(self, mark: str, with_cells: bool) -> Optional[str]:
        parts: List[str] = []
        for word in self._terms:
            part = self._prefix(mark + word, len(word))
            if part is None:
                return None
            parts.append(part)
        if self._facet_filters is None:
            return None
        parts += self._facet_filters
        if with_cells and self._query.bbox is not None and parts:
            cells = query_cells(self._query.bbox)
            if cells is not None:
                parts.append(any_of(cells))
        return " AND ".join(parts)

    def _prefix(self, prefix: str, length: int) -> Optional[str]:
        """Return the FTS5 expression for a prefix: the prefix itself if it is short or very common, else the words it
        expands to.
        """
        if length <= MAX_INDEXED_PREFIX:
            return quote(prefix) + "*"
        rows = self._connection.execute("SELECT term FROM term WHERE term >= ? AND term < ? LIMIT ?",
                                        (prefix, prefix + "\U0010ffff", _MAX_PREFIX_TERMS + 1),
                                        ).fetchall()
        if not rows:
            return None
        if len(rows) > _MAX_PREFIX_TERMS:
            return quote(prefix) + "*"
        return any_of(row[0] for row in rows)

    def _facet_expressions(self) -> Optional[List[str]]:
        """Return one expression for each facet of the query, or None if no record has any of the values."""
        parts = []
        for rows in self._facet_ids():
            if not rows:
                return None
            parts.append(any_of(facet_term(row[0]) for row in rows))
        return parts

    # -- walking -------------------------------------------------------------------------------------------------------
    def _scan(self, expression: str, limit: int) -> List[int]:
        """Return matching ids in the static order, tested exactly against bounding box and collection."""
        ids_found: List[int] = []
        after = -1
        chunk = limit if self._query.bbox is None and not self._query.collection else limit * 4
        while len(ids_found) < limit:
            ids = self._next_ids(expression, after, chunk)
            ids_found += self._filter_exactly(ids)
            if len(ids) < chunk:
                break
            after = ids[-1]
            chunk = min(chunk * 2, 20_000)
        return ids_found[:limit]

    def _next_ids(self, expression: str, after: int, limit: int) -> List[int]:
        """Return the next ids after ``after`` that match the FTS5 ``expression``.

        If it is empty, those whose cells the bounding box touches, or all.
        """
        if not expression and self._query.bbox is not None:
            expression = any_of(query_cells(self._query.bbox) or [])
        if expression:
            rows = self._connection.execute(_MATCHING, (expression, after, limit))
        else:
            rows = self._connection.execute(_ALL, (after, limit))
        return [row[0] for row in rows]

    def _ids_in_bbox(self, box: Box) -> Optional[List[int]]:
        """Return all ids in the bounding box in the static order, or None if they are too many."""
        sides = (box.east, box.west, box.north, box.south)
        rows = self._connection.execute(_INTERSECTING, (*sides, _MAX_CANDIDATES + 1)).fetchall()
        return sorted(row[0] for row in rows) if len(rows) <= _MAX_CANDIDATES else None

    def _ids_in_collection(self) -> Optional[List[int]]:
        """Return all ids of the collection in the static order, or None if they are too many or there is no
        collection.
        """
        if not self._query.collection:
            return None
        rows = self._connection.execute(_MEMBERS, (self._query.collection, _MAX_CANDIDATES + 1)).fetchall()
        return sorted(row[0] for row in rows) if len(rows) <= _MAX_CANDIDATES else None

    def _filter_candidates(self, ids: List[int], limit: int) -> List[int]:
        """Return those of ``ids`` that match the query, in its order."""
        texts = self._connection.execute(_TEXTS, (json.dumps(self._filter_exactly(ids)),))
        facets = [[facet_term(row[0]) for row in rows] for rows in self._facet_ids()]
        ids_found = [(record_id, f" {text} ") for record_id, text in texts]
        ids_found = [pair for pair in ids_found if self._matches_text(pair[1], "", facets)]
        if self._query.sort is not SortOrder.RELEVANCE:
            return self._sort_ids([record_id for record_id, _ in ids_found], limit)
        if not self._terms:
            return [record_id for record_id, _ in ids_found][:limit]
        titled = [record_id for record_id, text in ids_found if self._matches_text(text, TITLE_MARK, ())]
        first = set(titled)
        return (self._rank_title_matches(titled) + [record_id
                                                    for record_id, _ in ids_found if record_id not in first])[:limit]

    def _matches_text(self, padded: str, mark: str, facets: Sequence[Sequence[str]]) -> bool:
        """Return True if a record's words, padded with spaces, contain every word and a value of every facet."""
        return all(f" {mark}{word}" in padded for word in self._terms) and all(
            any(f" {value} " in padded for value in values) for values in facets)

    def _filter_exactly(self, ids: Sequence[int]) -> List[int]:
        """Return those of ``ids`` that are in the query's bounding box and collection."""
        query = self._query
        if not ids or (query.bbox is None and not query.collection):
            return list(ids)
        box = query.bbox or (None, None, None, None)
        return [row[0] for row in self._connection.execute(_EXACT, (json.dumps(ids), *box, query.collection))]

    # -- orders --------------------------------------------------------------------------------------------------------
    def _rank_title_matches(self, ids: List[int]) -> List[int]:
        """Return title matches, the first of them ranked: whole words first, then phrases, then short titles."""
        window = ids[:_MAX_RANKED]
        rows = self._connection.execute(
            "SELECT record_id, sort_title FROM record WHERE record_id IN (SELECT value FROM json_each(?))",
            (json.dumps(window),),
        )
        scores = {record_id: self._score(title) for record_id, title in rows}
        return sorted(window, key=lambda record_id: (scores[record_id], record_id)) + ids[_MAX_RANKED:]

    def _score(self, title: str) -> Tuple[int, int, int]:
        """Return the sort key of a title (without case and accents), smallest for the best match."""
        in_title = tokenize(title)
        whole = sum(word in in_title for word in self._terms)
        phrase = " ".join(self._terms) in " ".join(in_title)
        return (-whole, -int(phrase), len(in_title))

    def _find_sorted(self, expression: str, limit: int) -> List[int]:
        """Return matches by title, or by date (newest first). Few matches are sorted, many are met while scanning the
        order.
        """
        if expression or self._query.bbox is not None or self._query.collection:
            # with more matches than this, scanning the sorted index meets enough of them sooner than sorting takes
            newest = self._connection.execute("SELECT coalesce(max(copy_id), 0) FROM copy").fetchone()[0]
            max_matches = min(max(int((64 * newest) ** 0.5), 500), 20_000)
            candidates = self._scan(expression, max_matches + 1)
            if len(candidates) <= max_matches:
                return self._sort_ids(candidates, limit)
            ids_found = self._scan_sorted(self._query.sort, limit,
                                          min(max_matches, _MAX_SCANNED) if expression else None)
            return self._scan_order(expression, limit) if ids_found is None else ids_found
        return self._scan_sorted(self._query.sort, limit, None) or []

    def _scan_order(self, expression: str, limit: int) -> List[int]:
        """Return matches that come late in the order: all matches are loaded and the order is scanned for them."""
        members = matching_ids(self._connection, expression)
        ids_found: List[int] = []
        order = self._connection.execute(_IDS_SORTED[self._query.sort])
        while len(ids_found) < limit:
            ids = [row[0] for row in order.fetchmany(_FETCH_ROWS)]
            if not ids:
                break
            candidates = filter_members(ids, members)
            exact = set(self._filter_exactly(candidates))
            ids_found += [record_id for record_id in candidates if record_id in exact]
        return ids_found[:limit]

    def _sort_ids(self, ids: Sequence[int], limit: int) -> List[int]:
        return [row[0] for row in self._connection.execute(_SORT_IDS[self._query.sort], (json.dumps(ids), limit))]

    def _scan_sorted(self, order: SortOrder, limit: int, max_scanned: Optional[int]) -> Optional[List[int]]:
        """Return matches met while scanning a sorted index, or None after ``max_scanned`` records without enough of
        them.
        """
        ids_found: List[int] = []
        facets = [[facet_term(row[0]) for row in rows] for rows in self._facet_ids()]
        box = self._query.bbox
        scanned = 0
        for record_id, text, west, south, east, north in self._connection.execute(_SCAN_SORTED[order]):
            scanned += 1
            if max_scanned is not None and scanned > max_scanned:
                return None
            if box is not None and (west is None or west > box.east or east < box.west or
                                    south > box.north or north < box.south):
                continue
            if self._matches_text(f" {text} ", "", facets):
                ids_found.append(record_id)
                if len(ids_found) == limit:
                    break
        return self._filter_members(ids_found)

    def _facet_ids(self) -> Iterable[List[Tuple[int]]]:
        """Yield one list of rows for each facet of the query, with the ids of those of its values that occur."""
        for facet, values in self._query.facets.items():
            if values:
                yield self._connection.execute(_FACET_IDS, (facet, json.dumps(list(values)))).fetchall()

    def _filter_members(self, ids: List[int]) -> List[int]:
        """Return those of ``ids``, in their order, that are in the query's collection."""
        if not self._query.collection:
            return ids
        members = set(self._filter_exactly(ids))
        return [record_id for record_id in ids if record_id in members]


def load_hits(connection: sqlite3.Connection, ids: Sequence[int]) -> List[SearchHit]:
    """Return the hits for ``ids``, in their order."""
    rows = connection.execute(_SELECT_HITS, (json.dumps(list(ids)),))
    ids_found = {row[0]: _hit_from_row(row) for row in rows}
    return [ids_found[record_id] for record_id in ids if record_id in ids_found]


def _hit_from_row(row: Tuple[Any, ...]) -> SearchHit:
    west, south, east, north, vanished_at, offered = row[14:]
    box = None if west is None else Box(west, south, east, north)
    shown: Tuple[Any, ...] = (*row[:13], bool(row[13]), box, vanished_at, offered)
    return SearchHit(*shown)


def matching_ids(connection: sqlite3.Connection, expression: str) -> Array:
    """Return the ids of all records that match an FTS5 expression, ascending."""
    import numpy

    parts = [numpy.zeros(0, dtype=numpy.int64)]
    after = -1
    while True:
        text, count, newest = connection.execute(_MATCHING_CHUNK, (expression, after)).fetchone()
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
