"""Lists of records for tree views: by kind, by first letter, page by page."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Dict, List, Tuple

from .connection_pool import ConnectionPool
from .index.search import load_hits
from .query import SearchHit

#: sorts after every character, so that a range includes all titles with the same beginning
_LAST_CHARACTER = "\U0010ffff"
_COUNT = """SELECT count(*) FROM record r
    WHERE (:kind = '' OR r.kind = :kind) AND (:source = '' OR EXISTS (SELECT 1 FROM copy c JOIN source s
        ON s.source_id = c.source_id WHERE c.identifier = r.identifier
        AND s.address IN (SELECT value FROM json_each(:source))))
    AND (:collection = '' OR r.identifier IN (SELECT identifier FROM collection WHERE name = :collection))
    AND r.sort_title >= :first AND r.sort_title <= :last"""
_KINDS = """SELECT r.kind, count(*) FROM record r
    WHERE (:source = '' OR EXISTS (SELECT 1 FROM copy c JOIN source s
        ON s.source_id = c.source_id WHERE c.identifier = r.identifier
        AND s.address IN (SELECT value FROM json_each(:source))))
    AND (:collection = '' OR r.identifier IN (SELECT identifier FROM collection WHERE name = :collection))
    GROUP BY r.kind"""
_INITIALS = """SELECT substr(r.sort_title, 1, 1), count(*) FROM record r
    WHERE (:kind = '' OR r.kind = :kind) AND (:source = '' OR EXISTS (SELECT 1 FROM copy c JOIN source s
        ON s.source_id = c.source_id WHERE c.identifier = r.identifier
        AND s.address IN (SELECT value FROM json_each(:source))))
    AND (:collection = '' OR r.identifier IN (SELECT identifier FROM collection WHERE name = :collection))
    GROUP BY 1 ORDER BY 1"""
_PAGE = """SELECT r.record_id FROM record r
    WHERE (:kind = '' OR r.kind = :kind) AND (:source = '' OR EXISTS (SELECT 1 FROM copy c JOIN source s
        ON s.source_id = c.source_id WHERE c.identifier = r.identifier
        AND s.address IN (SELECT value FROM json_each(:source))))
    AND (:collection = '' OR r.identifier IN (SELECT identifier FROM collection WHERE name = :collection))
    AND r.sort_title >= :first AND r.sort_title <= :last
    ORDER BY r.sort_title, r.record_id LIMIT :limit"""


@dataclass(frozen=True)
class RecordSubset:
    """Subset of the records. Fields that are empty do not restrict it.

    ``sources`` are addresses of which one must have the record. ``initial`` is the beginning of the title, folded to
    lower case without accents. None stands for any title and "" for no title.
    """

    kind: str = ""
    sources: Tuple[str, ...] = ()
    collection: str = ""
    initial: str | None = None

    @property
    def sql_parameters(self) -> Dict[str, Any]:
        first, last = self.initial or "", (self.initial or "") + _LAST_CHARACTER
        if self.initial == "":
            last = ""  # records without a title
        return {"kind": self.kind, "source": json.dumps(self.sources) if self.sources else "",
                "collection": self.collection, "first": first, "last": last}


class RecordBrowser:
    """Lists of records of one store.

    For worker threads only: a query on a large store takes tenths of a second.
    """

    def __init__(self, connections: ConnectionPool) -> None:
        self._connections = connections

    def count(self, subset: RecordSubset) -> int:
        with self._connections.read_transaction() as connection:
            return int(connection.execute(_COUNT, subset.sql_parameters).fetchone()[0])

    def count_by_kind(self, subset: RecordSubset) -> Dict[str, int]:
        with self._connections.read_transaction() as connection:
            return dict(connection.execute(_KINDS, subset.sql_parameters).fetchall())

    def count_by_initial(self, subset: RecordSubset) -> List[Tuple[str, int]]:
        """Return the first characters of the titles in a subset, in order, with the number of records for each."""
        with self._connections.read_transaction() as connection:
            return connection.execute(_INITIALS, subset.sql_parameters).fetchall()

    def page(self, subset: RecordSubset, limit: int) -> List[SearchHit]:
        """Return the first ``limit`` records of a subset by title."""
        with self._connections.read_transaction() as connection:
            rows = connection.execute(_PAGE, {**subset.sql_parameters, "limit": limit}).fetchall()
            return load_hits(connection, [row[0] for row in rows])
