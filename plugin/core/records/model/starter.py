"""Starter records: the ones that come with the plugin until the catalogue's own replace them."""

from __future__ import annotations

from .record import Record

#: the keyword that marks a starter record, hidden from the keywords that people see
STARTER_KEYWORD = "cartoguide:starter"


def is_starter(record: Record) -> bool:
    """Whether the record is one of those that come with the plugin."""
    return any(STARTER_KEYWORD in group.keywords for group in record.keyword_groups)
