"""Ids of facet values in the index, cached in memory."""

from __future__ import annotations

import json
import sqlite3
from typing import Dict, Iterable, List, Sequence, Set, Tuple

from ..query import Facet
from .index_row import IndexRow

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
