"""Where records were found: several of one document that bear the same identifier, or none, are told apart."""

from __future__ import annotations

import re
from collections import Counter
from typing import Counter as Counted
from typing import Iterable, List, Tuple

from .record import Record

_NUMBER = re.compile(r"#\d+\Z")


def assign_locations(records: Iterable[Record], default: str = "") -> List[Tuple[Record, str]]:
    """Each record with its place; the second of one identifier at one place gets "#2" behind it, and so on."""
    seen: Counted[Tuple[str, str]] = Counter()
    found = []
    for record in records:
        key = (record.id or "", record.source or default)
        seen[key] += 1
        found.append((record, key[1] if seen[key] == 1 else f"{key[1]}#{seen[key]}"))
    return found


def document_location(location: str) -> str:
    """The place of the document that a numbered place lies in."""
    return _NUMBER.sub("", location)
