"""Searching: candidates in the static order first, ranking on those; common words cost what rare ones cost."""

from __future__ import annotations

import json
import sqlite3
from typing import Any, Callable, Iterable, List, Optional, Sequence, Tuple

from .arrays import among, matching
from .connections import Connections
from .indexing import words
from .query import Hit, Page, Query
from .schema import INDEXED_PREFIX
from .tokens import TITLE, Box, either, facet_word, query_cells, quoted

#: candidates that are ranked among themselves; behind them the static order holds
_WINDOW = 200
#: a prefix that more words share than this is asked for as a prefix
_MOST_WORDS = 300
#: records in a box or a collection up to this many are looked at one by one
_FEW_IN_BOX = 1500
_HITS = """SELECT r.record_id, r.identifier, r.title, r.kind, r.service_type, r.year, r.date_stamp, r.organisation,
                  r.licence, r.free, r.credit_required, r.endpoint, r.overview, r.starter, r.west, r.south, r.east,
                  r.north, c.vanished_at
           FROM record r JOIN copy c ON c.copy_id = r.copy_id WHERE r.record_id IN (SELECT value FROM json_each(?))"""
_MATCHING = "SELECT rowid FROM word_index WHERE word_index MATCH ? AND rowid > ? ORDER BY rowid LIMIT ?"
_ALL = "SELECT record_id FROM record WHERE record_id > ? ORDER BY record_id LIMIT ?"
_MEMBERS = "SELECT r.record_id FROM collection c JOIN record r ON r.identifier = c.identifier WHERE c.name = ? LIMIT ?"
_MEETING = "SELECT record_id FROM box WHERE west <= ? AND east >= ? AND south <= ? AND north >= ? LIMIT ?"
#: the exact test of box and collection; a missing box is the world's outside, a missing collection is ''
_EXACT = """SELECT record_id FROM record WHERE record_id IN (SELECT value FROM json_each(?1))
            AND (?2 IS NULL OR (west <= ?4 AND east >= ?2 AND south <= ?5 AND north >= ?3))
            AND (?6 = '' OR identifier IN (SELECT identifier FROM collection WHERE name = ?6))
            ORDER BY record_id"""
_TEXTS = "SELECT record_id, text FROM words WHERE record_id IN (SELECT value FROM json_each(?)) ORDER BY record_id"
_FACET_IDS = "SELECT facet_id FROM facet_value WHERE facet = ? AND value IN (SELECT value FROM json_each(?))"
_SORTED = {
    "title": "SELECT record_id FROM record WHERE record_id IN (SELECT value FROM json_each(?)) "
    "ORDER BY sort_title, record_id LIMIT ?",
    "date": "SELECT record_id FROM record WHERE record_id IN (SELECT value FROM json_each(?)) "
    "ORDER BY date_stamp DESC, record_id LIMIT ?",
}
_ALONG = {
    "title": "SELECT r.record_id, w.text, r.west, r.south, r.east, r.north FROM record r "
    "JOIN words w ON w.record_id = r.record_id ORDER BY r.sort_title, r.record_id",
    "date": "SELECT r.record_id, w.text, r.west, r.south, r.east, r.north FROM record r "
    "JOIN words w ON w.record_id = r.record_id ORDER BY r.date_stamp DESC, r.record_id",
}


_ORDER = {
    "title": "SELECT record_id FROM record ORDER BY sort_title, record_id",
    "date": "SELECT record_id FROM record ORDER BY date_stamp DESC, record_id",
}
_RUN = 20_000
#: records of a sorted index that are looked at one by one, each some twenty times dearer than a mere id
_MOST_LOOKED_AT = 1000


class Search:
    """Searches over one store."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def page(
        self, query: Query, limit: int = 50, offset: int = 0, cancelled: Optional[Callable[[], bool]] = None
    ) -> Page:
        """``limit`` results from ``offset`` on. ``Cancelled`` where the caller lost interest."""
        with self._connections.reading(cancelled) as connection:
            wanted = offset + limit + 1
            finder = Finder(connection, query)
            ids = finder.ids(wanted)
            shown = ids[offset : offset + limit]
            return Page(tuple(hits(connection, shown)), len(ids) > offset + limit)


class Finder:
    """One query on one state of the store."""

    def __init__(self, connection: sqlite3.Connection, query: Query) -> None:
        self._connection = connection
        self._query = query
        self._words = list(dict.fromkeys(words(query.text)))
        self._narrowing = self._facet_expressions()

    def expression(self, with_cells: bool = True) -> Optional[str]:
        """The FTS5 expression of the whole query; "" asks for everything, None finds nothing for certain."""
        return self._expression("", with_cells)

    def ids(self, wanted: int) -> List[int]:
        """The first ``wanted`` record ids in the query's order."""
        everything = self.expression()
        if everything is None:
            return []
        in_box = self._in_box(self._query.box) if self._query.box is not None else None
        few = in_box if in_box is not None else self._in_collection()
        if few is not None:
            return self._of_few(few, wanted)
        if self._query.sort != "relevance":
            return self._sorted(everything, wanted)
        if not self._words:
            return self._walk(everything, wanted)
        found: List[int] = []
        in_title = self._expression(TITLE, True)
        if in_title is not None:
            found = self._ranked(self._walk(in_title, max(wanted, _WINDOW)))
        if len(found) < wanted:
            seen = set(found)
            rest = self._walk(everything, wanted + len(found))
            found += [record_id for record_id in rest if record_id not in seen]
        return found[:wanted]

    # -- expressions ---------------------------------------------------------------------------------------------------
    def _expression(self, mark: str, with_cells: bool) -> Optional[str]:
        parts: List[str] = []
        for word in self._words:
            part = self._prefix(mark + word, len(word))
            if part is None:
                return None
            parts.append(part)
        if self._narrowing is None:
            return None
        parts += self._narrowing
        if with_cells and self._query.box is not None and parts:
            cells = query_cells(self._query.box)
            if cells is not None:
                parts.append(either(cells))
        return " AND ".join(parts)

    def _prefix(self, prefix: str, length: int) -> Optional[str]:
        """A prefix as FTS5 takes it in lazily: from its own index where it is short, else as the words that
        begin so.
        """
        if length <= INDEXED_PREFIX:
            return quoted(prefix) + "*"
        rows = self._connection.execute(
            "SELECT term FROM term WHERE term >= ? AND term < ? LIMIT ?",
            (prefix, prefix + "\U0010ffff", _MOST_WORDS + 1),
        ).fetchall()
        if not rows:
            return None
        if len(rows) > _MOST_WORDS:
            return quoted(prefix) + "*"
        return either(row[0] for row in rows)

    def _facet_expressions(self) -> Optional[List[str]]:
        """One expression for each facet that narrows the query; None where a value stands in no record."""
        parts = []
        for rows in self._facet_rows():
            if not rows:
                return None
            parts.append(either(facet_word(row[0]) for row in rows))
        return parts

    # -- walking -------------------------------------------------------------------------------------------------------
    def _walk(self, expression: str, wanted: int) -> List[int]:
        """Matching ids in the static order, tested exactly against box and collection."""
        found: List[int] = []
        after = -1
        chunk = wanted if self._query.box is None and not self._query.collection else wanted * 4
        while len(found) < wanted:
            ids = self._next(expression, after, chunk)
            found += self._exact(ids)
            if len(ids) < chunk:
                break
            after = ids[-1]
            chunk = min(chunk * 2, 20_000)
        return found[:wanted]

    def _next(self, expression: str, after: int, limit: int) -> List[int]:
        """The next ids behind ``after`` that match by words alone, or by the box's cells where there are no words."""
        if not expression and self._query.box is not None:
            expression = either(query_cells(self._query.box) or [])
        if expression:
            rows = self._connection.execute(_MATCHING, (expression, after, limit))
        else:
            rows = self._connection.execute(_ALL, (after, limit))
        return [row[0] for row in rows]

    def _in_box(self, box: Box) -> Optional[List[int]]:
        """All ids in the box by the R*Tree where they are few, in order; None where they are many."""
        rows = self._connection.execute(_MEETING, (box[2], box[0], box[3], box[1], _FEW_IN_BOX + 1)).fetchall()
        return sorted(row[0] for row in rows) if len(rows) <= _FEW_IN_BOX else None

    def _in_collection(self) -> Optional[List[int]]:
        """All ids of the collection where they are few, in order; None where they are many, or there is none."""
        if not self._query.collection:
            return None
        rows = self._connection.execute(_MEMBERS, (self._query.collection, _FEW_IN_BOX + 1)).fetchall()
        return sorted(row[0] for row in rows) if len(rows) <= _FEW_IN_BOX else None

    def _of_few(self, ids: List[int], wanted: int) -> List[int]:
        """Of these ids those that the query finds, in its order: each is looked at."""
        texts = self._connection.execute(_TEXTS, (json.dumps(self._exact(ids)),))
        facets = [[facet_word(row[0]) for row in rows] for rows in self._facet_rows()]
        found = [(record_id, f" {text} ") for record_id, text in texts]
        found = [pair for pair in found if self._is_in(pair[1], "", facets)]
        if self._query.sort != "relevance":
            return self._in_order([record_id for record_id, _ in found], wanted)
        if not self._words:
            return [record_id for record_id, _ in found][:wanted]
        titled = [record_id for record_id, text in found if self._is_in(text, TITLE, ())]
        first = set(titled)
        return (self._ranked(titled) + [record_id for record_id, _ in found if record_id not in first])[:wanted]

    def _is_in(self, padded: str, mark: str, facets: Sequence[Sequence[str]]) -> bool:
        """Whether a record's words, with a space around each, have all that is asked for."""
        return all(f" {mark}{word}" in padded for word in self._words) and all(
            any(f" {value} " in padded for value in values) for values in facets
        )

    def _exact(self, ids: Sequence[int]) -> List[int]:
        query = self._query
        if not ids or (query.box is None and not query.collection):
            return list(ids)
        box = query.box or (None, None, None, None)
        return [row[0] for row in self._connection.execute(_EXACT, (json.dumps(ids), *box, query.collection))]

    # -- orders --------------------------------------------------------------------------------------------------------
    def _ranked(self, ids: List[int]) -> List[int]:
        """The first window of title matches, best first: whole words, their order, a short title; then the
        static order.
        """
        window = ids[:_WINDOW]
        rows = self._connection.execute(
            "SELECT record_id, sort_title FROM record WHERE record_id IN (SELECT value FROM json_each(?))",
            (json.dumps(window),),
        )
        scores = {record_id: self._score(title) for record_id, title in rows}
        return sorted(window, key=lambda record_id: (scores[record_id], record_id)) + ids[_WINDOW:]

    def _score(self, title: str) -> Tuple[int, int, int]:
        in_title = words(title)
        whole = sum(word in in_title for word in self._words)
        phrase = " ".join(self._words) in " ".join(in_title)
        return (-whole, -int(phrase), len(in_title))

    def _sorted(self, expression: str, wanted: int) -> List[int]:
        """Matches by title or by date, newest first: few are sorted, many are met on the way through a sorted index."""
        if expression or self._query.box is not None or self._query.collection:
            # where this many match, sorting them takes as long as meeting enough of them on the way
            newest = self._connection.execute("SELECT coalesce(max(copy_id), 0) FROM copy").fetchone()[0]
            most = min(max(int((64 * newest) ** 0.5), 500), 20_000)
            few = self._walk(expression, most + 1)
            if len(few) <= most:
                return self._in_order(few, wanted)
            found = self._along(self._query.sort, wanted, min(most, _MOST_LOOKED_AT) if expression else None)
            return self._among(expression, wanted) if found is None else found
        return self._along(self._query.sort, wanted, None) or []

    def _among(self, expression: str, wanted: int) -> List[int]:
        """Many matches that lie late in the order (old ones, sorted newest first): all are known, the order is run
        through.
        """
        members = matching(self._connection, expression)
        found: List[int] = []
        order = self._connection.execute(_ORDER[self._query.sort])
        while len(found) < wanted:
            ids = [row[0] for row in order.fetchmany(_RUN)]
            if not ids:
                break
            met = among(ids, members)
            kept = set(self._exact(met))
            found += [record_id for record_id in met if record_id in kept]
        return found[:wanted]

    def _in_order(self, ids: Sequence[int], wanted: int) -> List[int]:
        return [row[0] for row in self._connection.execute(_SORTED[self._query.sort], (json.dumps(ids), wanted))]

    def _along(self, order: str, wanted: int, most: Optional[int]) -> Optional[List[int]]:
        """Matches met on the way through a sorted index; None where ``most`` records were looked at in vain."""
        found: List[int] = []
        facets = [[facet_word(row[0]) for row in rows] for rows in self._facet_rows()]
        box = self._query.box
        looked = 0
        for record_id, text, west, south, east, north in self._connection.execute(_ALONG[order]):
            looked += 1
            if most is not None and looked > most:
                return None
            if box is not None and (west is None or west > box[2] or east < box[0] or south > box[3] or north < box[1]):
                continue
            if self._is_in(f" {text} ", "", facets):
                found.append(record_id)
                if len(found) == wanted:
                    break
        return self._exact_order(found)

    def _facet_rows(self) -> Iterable[List[Tuple[int]]]:
        for facet, values in self._query.facets.items():
            if values:
                yield self._connection.execute(_FACET_IDS, (facet, json.dumps(list(values)))).fetchall()

    def _exact_order(self, ids: List[int]) -> List[int]:
        if not self._query.collection:
            return ids
        kept = set(self._exact(ids))
        return [record_id for record_id in ids if record_id in kept]


def hits(connection: sqlite3.Connection, ids: Sequence[int]) -> List[Hit]:
    """The hits of ``ids``, in their order."""
    rows = connection.execute(_HITS, (json.dumps(list(ids)),))
    found = {row[0]: _hit(row) for row in rows}
    return [found[record_id] for record_id in ids if record_id in found]


def _hit(row: Tuple[Any, ...]) -> Hit:
    west, south, east, north, vanished_at = row[14:]
    box = None if west is None else (west, south, east, north)
    shown: Tuple[Any, ...] = (*row[:13], bool(row[13]), box, vanished_at)
    return Hit(*shown)
