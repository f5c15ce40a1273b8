"""Whether a record holds what a query asks for: for sources that cannot be asked all of it, and for files."""

from __future__ import annotations

import json

from ..records.model import Record
from ..text import fold
from .boxes import halves
from .model import Box, SourceQuery


def holds(record: Record, query: SourceQuery) -> bool:
    """Whether the record meets every condition; accents and case do not matter."""
    if query.type and query.type.lower() not in ((record.hierarchy_level or "").lower(), record.kind):
        return False
    if query.box is not None and not meets(record, query.box):
        return False
    if query.keywords:
        own = [fold(keyword) for keyword in record.keywords]
        if not all(any(fold(wanted) in keyword for keyword in own) for wanted in query.keywords if wanted.strip()):
            return False
    if not query.words:
        return True
    text = _text(record)
    return all(fold(word) in text for word in query.words)


def meets(record: Record, box: Box) -> bool:
    """Whether one of the record's boxes meets ``box``; either may cross the date line (west greater than east)."""
    for extent in record.extents:
        west, south, east, north = extent.west, extent.south, extent.east, extent.north
        if west is None or south is None or east is None or north is None or south > box[3] or north < box[1]:
            continue
        if any(one[0] <= two[2] and one[2] >= two[0]
               for one in halves((west, south, east, north)) for two in halves(box)):
            return True
    return False


def _text(record: Record) -> str:
    """All that the record says, folded."""
    data = record.original
    if data[:1] != b"{":
        return fold(data.decode("utf-8", "replace"))
    try:
        text = json.dumps(json.loads(data), ensure_ascii=False)
    except ValueError:
        text = data.decode("utf-8", "replace")
    return fold(text)
