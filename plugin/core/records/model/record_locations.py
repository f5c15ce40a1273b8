"""Locations of records, unique for the records of one document that share an identifier or have none."""

from __future__ import annotations

from collections import Counter
from typing import Counter as Counted
from typing import Iterable, List, Tuple

from .record import Record


def assign_locations(records: Iterable[Record], default: str = "") -> List[Tuple[Record, str]]:
    """Return each record with its location: its source, or ``default`` if it has none.

    The second record with the same identifier at the same location gets "#2" appended, and so on.
    """
    seen: Counted[Tuple[str, str]] = Counter()
    located = []
    for record in records:
        key = (record.id or "", record.source or default)
        seen[key] += 1
        located.append((record, key[1] if seen[key] == 1 else f"{key[1]}#{seen[key]}"))
    return located
