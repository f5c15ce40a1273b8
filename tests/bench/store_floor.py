"""What an import could not do without, were Python's own work free: parsing, digest, packing, SQLite, each by itself.

Half of the bare parser's rate leaves an import twice the parser's time for everything. These parts alone take nearly
all of that (on a busy machine more), each at its cheapest: a parser without blanks and ids, zlib's level 1 over blocks
of records, an index without positions. What is left for Python's reading of seventy elements and 130 folded words is
next to nothing: on one core the goal is out of reach without dropping a part.
"""

from __future__ import annotations

import functools
import hashlib
import sqlite3
import time
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Sequence
from unittest.mock import patch

from beside import load
from harness import TINY, Row

_BLOCK = 16
_ROUNDS = 1 if TINY else 3


class _Timed(sqlite3.Connection):
    """A connection that adds up the core's time for its statements, those of the word index apart."""

    spent: Dict[str, float] = {}  # noqa: RUF012 - of all connections together

    def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
        """sqlite3's."""
        return self._timed("FTS5" if "INTO word_index" in sql else "other SQLite", super().execute, sql, *values)

    def executemany(self, sql: str, *values: Any) -> sqlite3.Cursor:
        """sqlite3's."""
        return self._timed("other SQLite", super().executemany, sql, *values)

    def _timed(self, part: str, work: Callable[..., sqlite3.Cursor], *values: Any) -> sqlite3.Cursor:
        started = time.thread_time()
        try:
            return work(*values)
        finally:
            self.spent[part] = self.spent.get(part, 0.0) + time.thread_time() - started


def floor_row(documents: Sequence[bytes], folder: Path, one: Row) -> Iterator[Row]:
    """The rate that these parts alone would allow on one core, beside those of the row of one core."""
    ours, lxml = one.value or 0.0, one.peer_value or 0.0
    rounds: List[Dict[str, float]] = [_parts(documents, folder / f"floor{number}") for number in range(_ROUNDS)]
    parts = {name: min(one[name] for one in rounds) for name in rounds[0]}
    micro = {name: seconds / len(documents) * 1e6 for name, seconds in parts.items()}
    whole = sum(micro.values())
    words = ", ".join(f"{name} {value:.0f}" for name, value in micro.items())
    yield Row(
        "store import, its C parts alone", 1e6 / whole, "records/s", "lxml's parse alone, one core", lxml, "",
        f"no goal: what is left if Python took no time. µs of a record: {words}; together {whole:.0f}, where half of "
        f"lxml's rate allows {2e6 / lxml:.0f}; an import takes {1e6 / ours:.0f}, so Python {1e6 / ours - whole:.0f}; "
        f"best of {_ROUNDS}; {load()}",
    )  # fmt: skip


def _parts(documents: Sequence[bytes], folder: Path) -> Dict[str, float]:
    from plugin.core import safe_xml
    from plugin.core.library.bulk_import import read_document
    from plugin.core.library.journal import compress
    from plugin.core.library.record_copies import Origin
    from plugin.core.library.record_store import RecordStore

    blocks = [b"".join(documents[begin : begin + _BLOCK]) for begin in range(0, len(documents), _BLOCK)]
    found = {
        "parse": _seconds(lambda data: safe_xml.parse(data, keep_blank_text=False), documents),
        "sha256": _seconds(lambda data: hashlib.sha256(data).digest(), documents), "zlib": _seconds(compress, blocks),
    }
    rows = [row for number, data in enumerate(documents) for row in read_document(f"{number}.xml", data)[0]]
    with patch.object(sqlite3, "connect", functools.partial(sqlite3.connect, factory=_Timed)):
        store = RecordStore(folder / "records.sqlite")
        _Timed.spent.clear()
        store.save_rows(Origin("floor", "folder", "Floor", ""), rows)
        found.update(_Timed.spent)
        store.close()
    return found


def _seconds(work: Callable[[bytes], object], pieces: Sequence[bytes]) -> float:
    started = time.thread_time()
    for piece in pieces:
        work(piece)
    return time.thread_time() - started
