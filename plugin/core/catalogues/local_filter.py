"""Tests of records against a query, for conditions that a catalogue does not support and for files."""

from __future__ import annotations

import json
from typing import Tuple

from ..box import Box
from ..library.index.index_row import licence_code, main_organisation, record_year
from ..library.query import Facet
from ..records.model.record import Record
from ..terms import terms_for
from ..text import fold
from .model import CatalogueQuery

#: facets that an index entry has whenever the full record has them
INDEX_ENTRY_FACETS = (Facet.KIND, Facet.KEYWORD)


def matches(record: Record, query: CatalogueQuery, full: bool = True) -> bool:
    """Return True if the record meets every condition. Case and accents are ignored.

    Index entries (not ``full``) are tested only on the facets that they are certain to have.
    """
    if not all(
            has_facet_value(record, facet, values)
            for facet, values in query.facets if full or facet in INDEX_ENTRY_FACETS):
        return False
    if query.type and query.type.lower() not in ((record.hierarchy_level or "").lower(), record.kind.value):
        return False
    if query.bbox is not None and not intersects(record, query.bbox):
        return False
    if query.keywords:
        keywords = [fold(keyword) for keyword in record.keywords]
        if not all(
                any(fold(required) in keyword for keyword in keywords)
                for required in query.keywords if required.strip()):
            return False
    if not query.words:
        return True
    text = _folded_text(record)
    return all(fold(word) in text for word in query.words)


def has_facet_value(record: Record, facet: str, values: Tuple[str, ...]) -> bool:
    """Return True if the record has one of the values of a facet, as the index would file it."""
    if not values:
        return True
    own_values = {fold(value) for value in _values(record, facet)}
    return any(fold(value) in own_values for value in values)


def _values(record: Record, facet: str) -> Tuple[str, ...]:
    if facet == Facet.KIND:
        return (record.kind.value,)
    if facet == Facet.KEYWORD:
        return record.keywords
    if facet == Facet.YEAR:
        year = record_year(record)
        return (str(year),) if year else ()
    if facet == Facet.ORGANISATION:
        organisation = main_organisation(record)
        return (organisation,) if organisation else ()
    if facet == Facet.SERVICE_TYPE:
        return (record.service_type,) if record.service_type else ()
    return (licence_code(terms_for(record)),) if facet == Facet.LICENCE else ()


def intersects(record: Record, box: Box) -> bool:
    """Return True if one of the record's extents intersects ``box``.

    Both are in degrees (CRS:84) and may cross the antimeridian (west greater than east).
    """
    return any(part.intersects(searched) for extent in record.extents if extent.box is not None
               for part in extent.box.parts for searched in box.parts)


def _folded_text(record: Record) -> str:
    """Return the whole text of the record, folded to lower case without accents."""
    data = record.original
    if data[:1] != b"{":
        return fold(data.decode("utf-8", "replace"))
    try:
        text = json.dumps(json.loads(data), ensure_ascii=False)
    except ValueError:
        text = data.decode("utf-8", "replace")
    return fold(text)
