"""Insertion of many rows in few statements.

Between two statements another thread may take Python's interpreter and hold it for milliseconds.
"""

from __future__ import annotations

import sqlite3
from itertools import chain
from typing import Any, Dict, Sequence, Tuple

_ROWS_PER_STATEMENT = 50
#: for each table the statement that inserts one row, and the text that adds another row to it
_STATEMENTS: Dict[str, Tuple[str, str]] = {
    "record": (
        "INSERT INTO record(record_id, identifier, copy_id, title, sort_title, kind, service_type, year, date_stamp, "
        "organisation, licence, free, credit_required, endpoint, overview, starter, west, south, east, north) "
        "VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
        ",(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
    ),
    "words": ("INSERT INTO words(record_id, text) VALUES(?,?)", ",(?,?)"),
    "facet_link": ("INSERT INTO facet_link(record_id, packed) VALUES(?,?)", ",(?,?)"),
    "copy": (
        "INSERT INTO copy(copy_id, identifier, source_id, place, date_stamp, starter, digest, pack_offset, "
        "pack_number, read_at) VALUES(?,?,?,?,?,?,?,?,?,?)",
        ",(?,?,?,?,?,?,?,?,?,?)",
    ),
}
_MULTI_ROW_STATEMENTS = {
    table: "".join((one, more * (_ROWS_PER_STATEMENT - 1))) for table, (one, more) in _STATEMENTS.items()
}


def insert_rows(connection: sqlite3.Connection, table: str, rows: Sequence[Tuple[Any, ...]]) -> None:
    """Insert rows into one of the tables above. The values are in the order of its columns."""
    whole = len(rows) - len(rows) % _ROWS_PER_STATEMENT
    for begin in range(0, whole, _ROWS_PER_STATEMENT):
        connection.execute(_MULTI_ROW_STATEMENTS[table],
                           list(chain.from_iterable(rows[begin:begin + _ROWS_PER_STATEMENT])))
    connection.executemany(_STATEMENTS[table][0], rows[whole:])
