"""Tables of the record library's index file, migrations from older versions, and the insertion of many rows."""

from __future__ import annotations

import sqlite3
from itertools import chain
from typing import Any, Callable, Dict, Sequence, Tuple

from ..errors import CartoguideError
from ..i18n import tr

#: "CGst" in the file's header, so that another program's database is never taken for a record library
APPLICATION_ID = 0x43477374
VERSION = 4
#: the version of the tables below. Later changes are in MIGRATIONS, which are applied to new files too
_FIRST_VERSION = 1
#: prefixes up to this length have a prefix index, longer ones are expanded to words
MAX_INDEXED_PREFIX = 3

_TABLES = """
CREATE TABLE source(
    source_id INTEGER PRIMARY KEY,
    address TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    title TEXT NOT NULL
);
-- every saved copy of a record: one row for each identifier, source and place in the source
CREATE TABLE copy(
    copy_id INTEGER PRIMARY KEY,
    identifier TEXT NOT NULL,
    source_id INTEGER NOT NULL REFERENCES source(source_id),
    place TEXT NOT NULL,
    date_stamp TEXT NOT NULL,
    starter INTEGER NOT NULL DEFAULT 0,
    digest BLOB NOT NULL,
    pack_offset INTEGER NOT NULL,
    pack_number INTEGER NOT NULL,
    read_at TEXT NOT NULL,
    vanished_at TEXT,
    UNIQUE(identifier, source_id, place)
);
CREATE INDEX copy_of_source ON copy(source_id, place);
-- the copy that is shown for its identifier. The rowid is its position in the static order, see index/index_row.py
CREATE TABLE record(
    record_id INTEGER PRIMARY KEY,
    identifier TEXT NOT NULL UNIQUE,
    copy_id INTEGER NOT NULL,
    title TEXT NOT NULL,
    sort_title TEXT NOT NULL,
    kind TEXT NOT NULL,
    service_type TEXT NOT NULL,
    year INTEGER,
    date_stamp TEXT NOT NULL,
    organisation TEXT NOT NULL,
    licence TEXT NOT NULL,
    free TEXT NOT NULL,
    credit_required TEXT NOT NULL,
    endpoint TEXT NOT NULL,
    overview TEXT NOT NULL,
    starter INTEGER NOT NULL,
    west REAL, south REAL, east REAL, north REAL
);
CREATE INDEX record_by_title ON record(sort_title, record_id);
CREATE INDEX record_by_date ON record(date_stamp DESC, record_id);
CREATE INDEX record_by_endpoint ON record(endpoint) WHERE endpoint <> '';
-- text of the full-text index: folded words, marked title words, facet values and cells of the globe
CREATE TABLE words(
    record_id INTEGER PRIMARY KEY,
    text TEXT NOT NULL
);
-- extent and facet values of each record, packed, for the facet counts, see index/facet_counts.py
CREATE TABLE facet_link(
    record_id INTEGER PRIMARY KEY,
    packed BLOB NOT NULL
);
-- ids of added and removed records, eight bytes each, so that facet counts are updated for these only
CREATE TABLE change(
    change_id INTEGER PRIMARY KEY AUTOINCREMENT,
    ids BLOB NOT NULL
);
CREATE TABLE term(term TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE facet_value(
    facet_id INTEGER PRIMARY KEY,
    facet TEXT NOT NULL,
    value TEXT NOT NULL,
    UNIQUE(facet, value)
);
CREATE VIRTUAL TABLE box USING rtree(record_id, west, east, south, north);
-- the blob cache: fetched capabilities and thumbnails, shown with their age
CREATE TABLE kept(
    kept_id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    address TEXT NOT NULL,
    validators TEXT NOT NULL,
    fetched_at TEXT NOT NULL,
    size INTEGER NOT NULL,
    data BLOB NOT NULL,
    UNIQUE(kind, address)
);
CREATE INDEX kept_by_age ON kept(fetched_at, size);
-- "journal": bytes of the journal that are indexed. "birth": random number that changes when the file is rebuilt
CREATE TABLE counter(
    name TEXT PRIMARY KEY,
    value INTEGER NOT NULL
) WITHOUT ROWID;
INSERT INTO counter VALUES('journal', 0), ('birth', random());
CREATE TABLE progress(
    harvest TEXT PRIMARY KEY,
    state TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE collection(
    name TEXT NOT NULL,
    identifier TEXT NOT NULL,
    position INTEGER NOT NULL,
    PRIMARY KEY(name, identifier)
) WITHOUT ROWID;
CREATE TABLE collection_name(name TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE VIRTUAL TABLE word_index USING fts5(
    text, content='words', content_rowid='record_id', detail=none, prefix='1 2 3 4', tokenize='ascii');
-- each batch becomes one segment, and sixteen segments are merged to one, which is the least work for bulk imports
INSERT INTO word_index(word_index, rank) VALUES('hashsize', 48000000);
INSERT INTO word_index(word_index, rank) VALUES('automerge', 0);
INSERT INTO word_index(word_index, rank) VALUES('crisismerge', 16);
PRAGMA application_id = 1128756084;
PRAGMA user_version = 1;
"""

Migration = Callable[[sqlite3.Connection], None]


def _forget_claims(connection: sqlite3.Connection) -> None:
    """Leave open what version 1 read as free of charge or as needing no credit, for it took some restrictions for that.

    A record is read anew when it is imported again.
    """
    connection.execute("UPDATE record SET free = 'undecided' WHERE free = 'yes'")
    connection.execute("UPDATE record SET credit_required = 'undecided' WHERE credit_required = 'no'")
    connection.execute("PRAGMA user_version = 2")


def _compare_endpoints_anew(connection: sqlite3.Connection) -> None:
    """Write endpoints as they are compared now, and leave open again what version 2 read as free or without credit.

    Version 2 let one statement speak for the whole record. Starter records stay as they are read: their terms stand in
    one field, and nobody imports them again.
    """
    from ..records.model.endpoints import normalise_endpoint

    known = [row[0] for row in connection.execute("SELECT DISTINCT endpoint FROM record WHERE endpoint <> ''")]
    changed = [(normalise_endpoint(endpoint), endpoint) for endpoint in known]
    connection.executemany("UPDATE record SET endpoint = ? WHERE endpoint = ?",
                           [pair for pair in changed if pair[0] != pair[1]])
    connection.execute("UPDATE record SET free = 'undecided' WHERE free = 'yes' AND starter = 0")
    connection.execute("UPDATE record SET credit_required = 'undecided' WHERE credit_required = 'no' AND starter = 0")
    connection.execute("PRAGMA user_version = 3")


def _add_offered(connection: sqlite3.Connection) -> None:
    """Add what records offer to open. "?" is that of a record that has to be read first."""
    columns = {row[1] for row in connection.execute("PRAGMA table_info(record)")}
    if "offered" not in columns:
        connection.execute("ALTER TABLE record ADD COLUMN offered TEXT NOT NULL DEFAULT '?'")
    connection.execute("PRAGMA user_version = 4")


#: migration n updates a file of version n to version n + 1, including its ``user_version``
MIGRATIONS: Tuple[Migration, ...] = (_forget_claims, _compare_endpoints_anew, _add_offered)
_ROWS_PER_STATEMENT = 50
#: for each table the statement that inserts one row, and the text that adds another row to it
_INSERTS: Dict[str, Tuple[str, str]] = {
    "record": (
        "INSERT INTO record(record_id, identifier, copy_id, title, sort_title, kind, service_type, year, date_stamp, "
        "organisation, licence, free, credit_required, endpoint, overview, starter, west, south, east, north, "
        "offered) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
        ",(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
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
    table: "".join((one, more * (_ROWS_PER_STATEMENT - 1))) for table, (one, more) in _INSERTS.items()
}


def create_or_migrate(connection: sqlite3.Connection, name: str) -> None:
    """Create the tables of a new file, or migrate an older file to the current version.

    Raises CartoguideError if the file is of a newer version or belongs to another program, and sqlite3.DatabaseError if
    it is damaged.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        version = _checked_version(connection, name)
        if version == 0:
            for statement in _statements():
                connection.execute(statement)
            version = _FIRST_VERSION
        for step in MIGRATIONS[version - 1 :]:
            step(connection)
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def needs_migration(connection: sqlite3.Connection, name: str) -> bool:
    """Return True if the file needs ``create_or_migrate``. Only reads the file.

    Raises CartoguideError if the file is of a newer version or belongs to another program. The file is read through
    SQLite, since opening and closing it otherwise would release the POSIX locks that this process holds on it.
    """
    # in one transaction, or a file that another thread creates meanwhile looks like another program's
    connection.execute("BEGIN")
    try:
        return _checked_version(connection, name) != VERSION
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _checked_version(connection: sqlite3.Connection, name: str) -> int:
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    application = int(connection.execute("PRAGMA application_id").fetchone()[0])
    if version == VERSION and application == APPLICATION_ID:
        return version
    tables = int(connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0])
    if version > VERSION and application == APPLICATION_ID:
        raise CartoguideError(
            tr(
                "The record library {name} was written by a newer Cartoguide. Update Cartoguide, or choose another "
                "library in the settings.",
                name=name,
            ),
            f"store version {version}, this Cartoguide reads up to {VERSION}",
        )
    if tables and application != APPLICATION_ID:
        raise CartoguideError(
            tr(
                "{name} is a database, but not a Cartoguide record library. Choose another file in the settings.",
                name=name,
            ),
            f"application_id {application:#x}",
        )
    return version if tables else 0


def _statements() -> Tuple[str, ...]:
    """Return the statements of the schema, without their comments."""
    lines = (line for line in _TABLES.splitlines() if not line.lstrip().startswith("--"))
    return tuple(part.strip() for part in "\n".join(lines).split(";") if part.strip())


def insert_rows(connection: sqlite3.Connection, table: str, rows: Sequence[Tuple[Any, ...]]) -> None:
    """Insert rows into "record", "words", "facet_link" or "copy". The values are in the order of its columns.

    Many rows are inserted by one statement, because another thread may run for milliseconds between two statements.
    """
    whole = len(rows) - len(rows) % _ROWS_PER_STATEMENT
    for begin in range(0, whole, _ROWS_PER_STATEMENT):
        connection.execute(_MULTI_ROW_STATEMENTS[table],
                           list(chain.from_iterable(rows[begin:begin + _ROWS_PER_STATEMENT])))
    connection.executemany(_INSERTS[table][0], rows[whole:])
