"""Indexer: writes the tables that searches read, from index rows."""

from __future__ import annotations

import json
import sqlite3
import struct
from operator import itemgetter
from typing import Callable, Dict, Iterable, List, Mapping, NamedTuple, Optional, Sequence, Set, Tuple

from ...cooperative_yield import yielding
from ...errors import CartoguideError
from ..connection_pool import ConnectionPool
from ..query import Facet
from ..schema import insert_rows
from .facet_counts import pack_facets
from .index_row import IndexRow, static_record_id
from .index_terms import facet_term, record_cells

_INSERT = (
    "INSERT OR IGNORE INTO facet_value(facet, value) "
    "SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(?)"
)
_SELECT = (
    "SELECT f.facet_id, f.facet, f.value FROM json_each(?) j JOIN facet_value f "
    "ON f.facet = json_extract(j.value, '$[0]') AND f.value = json_extract(j.value, '$[1]')"
)
#: an index row and the addresses of all sources that have its record
RowWithSources = Tuple[IndexRow, Sequence[str]]


class FacetIds:
    """Cache of facet ids for one file. It must be cleared after a roll-back."""

    def __init__(self) -> None:
        self._known: Dict[str, Dict[str, int]] = {facet: {} for facet in Facet}

    def clear_cache(self) -> None:
        for known in self._known.values():
            known.clear()

    def for_sources(self, connection: sqlite3.Connection, addresses: Iterable[str]) -> List[int]:
        """Return the ids of sources, assigning ids to new ones."""
        known_addresses = list(addresses)
        self._register(connection, {Facet.SOURCE: set(known_addresses)})
        return [self._known[Facet.SOURCE][address] for address in known_addresses]

    def for_rows(self, connection: sqlite3.Connection, rows: Sequence[RowWithSources]) -> List[List[int]]:
        """Return the ids of each row's facet values and sources, assigning ids to new values."""
        self._register(connection, _values(rows))
        kinds, types, licences, years, organisations, keywords, sources = (self._known[facet] for facet in Facet)
        ids_by_row = []
        for row, addresses in rows:
            ids = [kinds[row.kind]]
            if row.service_type:
                ids.append(types[row.service_type])
            ids.append(licences[row.licence])
            if row.year:
                ids.append(years[str(row.year)])
            if row.organisation:
                ids.append(organisations[row.organisation])
            ids += [keywords[keyword] for keyword in row.keywords]
            ids += [sources[address] for address in addresses]
            ids_by_row.append(ids)
        return ids_by_row

    def _register(self, connection: sqlite3.Connection, values_by_facet: Dict[str, Set[str]]) -> None:
        unknown = {facet: values.difference(self._known[facet]) for facet, values in values_by_facet.items()}
        new_values = sorted((facet, value) for facet, values in unknown.items() for value in values)
        if not new_values:
            return
        pairs = json.dumps(new_values)
        connection.execute(_INSERT, (pairs,))
        for facet_id, facet, value in connection.execute(_SELECT, (pairs,)):
            self._known[facet][value] = facet_id


def _values(rows: Sequence[RowWithSources]) -> Dict[str, Set[str]]:
    """Return every value that occurs in the rows, by facet."""
    return {
        Facet.KIND: {row.kind for row, _ in rows},
        Facet.SERVICE_TYPE: {row.service_type for row, _ in rows} - {""},
        Facet.LICENCE: {row.licence for row, _ in rows},
        Facet.YEAR: {str(year) for year in {row.year for row, _ in rows} if year},
        Facet.ORGANISATION: {row.organisation for row, _ in rows} - {""},
        Facet.KEYWORD: set().union(*(row.keywords for row, _ in rows)),
        Facet.SOURCE: set().union(*(addresses for _, addresses in rows)),
    }


_SELECT_COPIES = (
    "SELECT c.identifier, c.copy_id, c.pack_offset, c.pack_number, c.place, s.address FROM copy c "
    "JOIN source s ON s.source_id = c.source_id WHERE c.identifier IN (SELECT value FROM json_each(?)) "
    "ORDER BY c.identifier, c.starter, c.vanished_at IS NOT NULL, "
    # a date that is still to come is today: it may come from a wrong clock, or from somebody who wants to win
    "min(c.date_stamp, strftime('%Y-%m-%dT%H:%M:%S', 'now')) DESC, "
    "min(c.read_at, strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now')) DESC, c.copy_id DESC")
_INSERT_INTO_WORD_INDEX = ("INSERT INTO word_index(rowid, text) SELECT record_id, text FROM words "
                           "WHERE record_id IN (SELECT value FROM json_each(?)) ORDER BY record_id")
_INSERT_INTO_BOX = ("INSERT INTO box SELECT record_id, west, east, south, north FROM record "
                    "WHERE record_id IN (SELECT value FROM json_each(?)) AND west IS NOT NULL")
_SELECT_INDEXED = (
    "SELECT w.text, r.record_id, r.identifier, r.copy_id, title, sort_title, kind, service_type, year, date_stamp, "
    "organisation, licence, free, credit_required, endpoint, overview, starter, west, south, east, north, "
    "offered FROM record r "
    "JOIN words w ON w.record_id = r.record_id WHERE r.identifier IN (SELECT value FROM json_each(?))")
#: entries in the change log; a reader that missed more reads everything again
_MAX_CHANGES = 5000
#: words cached as present in the term table
_MAX_KNOWN_TERMS = 300_000

_MERGE_PAGES = 2000

#: loads the index row of a copy from the journal, by offset, number within the entry, and identifier
RowLoader = Callable[[int, int, str], IndexRow]


class PreferredCopy(NamedTuple):
    """The preferred copy of an identifier, which searches find, and the addresses of all sources that have a copy."""

    identifier: str
    copy_id: int
    row: IndexRow
    sources: Tuple[str, ...]


class Indexer:
    """Writes the tables that searches read. Its cache is valid for one file and is cleared after a roll-back."""

    def __init__(self, reread: RowLoader) -> None:
        self._load_row = reread
        self._terms: Set[str] = set()
        self._facets = FacetIds()
        self._file_generation = 0

    def clear_cache(self) -> None:
        """Clear what is cached of the file's content."""
        self._terms.clear()
        self._facets.clear_cache()

    def choose_preferred_copies(self, connection: sqlite3.Connection, identifiers: Set[str],
                                rows: Mapping[int, IndexRow]) -> None:
        """Index the best copy of each identifier.

        A copy from a catalogue is better than a starter, one that is still in its source is better than a vanished one,
        and then the newest date stamp decides. ``rows`` are index rows that the caller has already, by copy id.
        """
        self._clear_cache_if_rebuilt(connection)
        best_copies: Dict[str, Tuple[int, int, int]] = {}
        sources: Dict[str, Dict[str, None]] = {}
        identifiers_json = json.dumps(sorted(identifiers))
        for identifier, copy_id, offset, number, _, address in connection.execute(_SELECT_COPIES, (identifiers_json,)):
            best_copies.setdefault(identifier, (copy_id, offset, number))
            sources.setdefault(identifier, {})[address] = None
        for identifier in self._unchanged_identifiers(connection, identifiers_json, best_copies, rows):
            self._add_sources(connection, identifier, sorted(sources[identifier]))
            del best_copies[identifier]
            identifiers = identifiers - {identifier}
        removed = self._delete_records(connection, identifiers)
        chosen = []
        for identifier, (copy_id, offset, number) in best_copies.items():
            row = rows.get(copy_id) or self._row_or_none(offset, number, identifier)
            if row is not None:
                chosen.append(PreferredCopy(identifier, copy_id, row, tuple(sorted(sources[identifier]))))
        self.insert_records(connection, chosen, removed)

    def refresh(self, connection: sqlite3.Connection, copies: Mapping[str, Mapping[int, IndexRow]]) -> None:
        """Index again those of the ``copies`` (by identifier and copy id) that searches find and that an earlier
        version of Cartoguide read otherwise, although their documents are the same.
        """
        outdated: Dict[str, Dict[int, IndexRow]] = {}
        for text, record_id, identifier, copy_id, *values in connection.execute(
                _SELECT_INDEXED, (json.dumps(sorted(copies)),)):
            row = copies[identifier].get(copy_id)
            if row is None:
                continue
            expected = _record_values(record_id, PreferredCopy(identifier, copy_id, row, ()))[3:]
            if tuple(values) != expected or not text.startswith(row.marked_terms):
                outdated[identifier] = {copy_id: row}
        if outdated:
            self.choose_preferred_copies(connection, set(outdated),
                                         {copy_id: row for rows in outdated.values() for copy_id, row in rows.items()})

    @staticmethod
    def _unchanged_identifiers(connection: sqlite3.Connection, identifiers_json: str,
                               best_copies: Mapping[str, Tuple[int, int, int]], rows: Mapping[int, IndexRow],
                               ) -> List[str]:
        """Return the identifiers whose preferred copy stays the same and is unchanged."""
        indexed = connection.execute(
            "SELECT identifier, copy_id FROM record WHERE identifier IN (SELECT value FROM json_each(?))",
            (identifiers_json, )).fetchall()
        return [
            name for name, copy_id in indexed
            if name in best_copies and best_copies[name][0] == copy_id and copy_id not in rows
        ]

    def _add_sources(self, connection: sqlite3.Connection, identifier: str, addresses: Sequence[str]) -> None:
        """Add sources to the facets of a record that is otherwise unchanged."""
        record_id, text, packed = connection.execute(
            "SELECT r.record_id, w.text, f.packed FROM record r JOIN words w ON w.record_id = r.record_id "
            "JOIN facet_link f ON f.record_id = r.record_id WHERE r.identifier = ?",
            (identifier,),
        ).fetchone()
        ids = self._facets.for_sources(connection, addresses)
        current_terms = set(text.split())
        new_ids = [number for number in ids if facet_term(number) not in current_terms]
        if not new_ids:
            return
        new_text = " ".join([text, *map(facet_term, new_ids)])
        connection.execute("INSERT INTO word_index(word_index, rowid, text) VALUES('delete', ?, ?)", (record_id, text))
        connection.execute("UPDATE words SET text = ? WHERE record_id = ?", (new_text, record_id))
        connection.execute("INSERT INTO word_index(rowid, text) VALUES(?, ?)", (record_id, new_text))
        packed += struct.pack(f"<{len(new_ids)}I", *new_ids)
        connection.execute("UPDATE facet_link SET packed = ? WHERE record_id = ?", (packed, record_id))
        _log_changes(connection, [record_id])

    def _row_or_none(self, offset: int, number: int, identifier: str) -> Optional[IndexRow]:
        """Return the index row of a copy, or None if its original is damaged."""
        try:
            return self._load_row(offset, number, identifier)
        except CartoguideError:
            return None  # its original is damaged; the other records are not to suffer from it

    def insert_records(self, connection: sqlite3.Connection, copies: Iterable[PreferredCopy],
                       removed_ids: Sequence[int] = ()) -> None:
        """Index records that are not in the index. ``removed_ids`` were just removed from it and are logged as changes
        too.
        """
        self._clear_cache_if_rebuilt(connection)
        ranked = [(static_record_id(copy.row, copy.copy_id), copy) for copy in yielding(copies, 500)]
        ranked.sort(key=itemgetter(0))
        numbers = self._facets.for_rows(connection, [(copy.row, copy.sources) for _, copy in yielding(ranked, 200)])
        texts, links, records = [], [], []
        terms: Set[str] = set()
        for (record_id, copy), ids in yielding(zip(ranked, numbers)):
            row = copy.row
            terms.update(row.marked_terms.split())
            texts.append((record_id, " ".join([row.marked_terms, *map(facet_term, ids), *record_cells(row.bbox)])))
            links.append((record_id, pack_facets(row.bbox, ids)))
            records.append(_record_values(record_id, copy))
        insert_rows(connection, "record", records)
        insert_rows(connection, "words", texts)
        insert_rows(connection, "facet_link", links)
        record_ids_json = json.dumps([record_id for record_id, _ in ranked])
        connection.execute(_INSERT_INTO_WORD_INDEX, (record_ids_json,))
        connection.execute(_INSERT_INTO_BOX, (record_ids_json,))
        self._add_terms(connection, terms)
        _log_changes(connection, [*removed_ids, *(record_id for record_id, _ in ranked)])

    def remove_records(self, connection: sqlite3.Connection, identifiers: Set[str]) -> None:
        """Remove records from the index. Their copies stay."""
        _log_changes(connection, self._delete_records(connection, identifiers))

    @staticmethod
    def _delete_records(connection: sqlite3.Connection, identifiers: Set[str]) -> List[int]:
        rows = connection.execute(
            "SELECT r.record_id, w.text FROM record r JOIN words w ON w.record_id = r.record_id "
            "WHERE r.identifier IN (SELECT value FROM json_each(?)) ORDER BY r.record_id",
            (json.dumps(sorted(identifiers)),),
        ).fetchall()
        if not rows:
            return []
        connection.executemany("INSERT INTO word_index(word_index, rowid, text) VALUES('delete', ?, ?)", rows)
        for statement in (
            "DELETE FROM words WHERE record_id = ?",
            "DELETE FROM facet_link WHERE record_id = ?",
            "DELETE FROM box WHERE record_id = ?",
            "DELETE FROM record WHERE record_id = ?",
        ):
            connection.executemany(statement, [(row[0],) for row in rows])
        return [row[0] for row in rows]

    @staticmethod
    def merge_segments(connections: ConnectionPool, cancelled: Optional[Callable[[], bool]] = None) -> None:
        """Merge the segments of the word index, a few pages at a time, so that others can write in between."""
        pages = -_MERGE_PAGES
        while cancelled is None or not cancelled():
            with connections.write_transaction() as connection:
                before = connection.total_changes
                connection.execute("INSERT INTO word_index(word_index, rank) VALUES('merge', ?)", (pages,))
                if connection.total_changes - before < 2:
                    return
            pages = _MERGE_PAGES

    # -- cache ---------------------------------------------------------------------------------------------------------
    def _clear_cache_if_rebuilt(self, connection: sqlite3.Connection) -> None:
        generation = int(connection.execute("SELECT value FROM counter WHERE name = 'birth'").fetchone()[0])
        if generation != self._file_generation:
            self.clear_cache()
            self._file_generation = generation

    def _add_terms(self, connection: sqlite3.Connection, terms: Set[str]) -> None:
        new_ids = terms - self._terms
        connection.execute("INSERT OR IGNORE INTO term SELECT value FROM json_each(?)",
                           (json.dumps(sorted(new_ids), ensure_ascii=False), ),
                           )
        if len(self._terms) < _MAX_KNOWN_TERMS:
            self._terms |= new_ids


def _record_values(record_id: int, copy: PreferredCopy) -> Tuple[object, ...]:
    row = copy.row
    box = row.bbox or (None, None, None, None)
    return (
        record_id, copy.identifier, copy.copy_id, row.title, row.sort_title, row.kind, row.service_type, row.year,
        row.date_stamp, row.organisation, row.licence, row.free, row.credit_required, row.endpoint, row.overview,
        int(row.starter), *box, row.offered,
    )  # fmt: skip


def _log_changes(connection: sqlite3.Connection, record_ids: Sequence[int]) -> None:
    if not record_ids:
        return
    packed = struct.pack(f"<{len(record_ids)}q", *record_ids)
    newest = connection.execute("INSERT INTO change(ids) VALUES(?)", (packed,)).lastrowid or 0
    connection.execute("DELETE FROM change WHERE change_id <= ?", (newest - _MAX_CHANGES,))
