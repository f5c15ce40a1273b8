"""Entries of custom maps, made from records and their terms."""

from __future__ import annotations

from typing import Callable, Optional, Sequence

from ..records.model.endpoints import describes_endpoint
from ..records.model.endpoints import wms_endpoint as endpoint_of
from ..records.model.record import Record
from ..terms.model import Terms
from .model import MapEntry, StoredCredit


def entry_from_record(record: Record, terms: Terms, layers: Sequence[str] = (), styles: Sequence[str] = (),
                      endpoint: Optional[str] = None, opacity: float = 1.0,
                      image_format: Optional[str] = None) -> Optional[MapEntry]:
    """Return an entry for the record's service with a copy of its credit, or None without a WMS address."""
    address = endpoint or endpoint_of(record)
    if address is None:
        return None
    return MapEntry(endpoint=address, title=record.title or "", record_id=record.id, layers=tuple(layers),
                    styles=tuple(styles), format=image_format, opacity=opacity, credit=stored_credit(terms))


def record_of_entry(entry: MapEntry, named: Optional[Record],
                    find_at_endpoint: Callable[[], Optional[Record]]) -> Optional[Record]:
    """Return the record of an entry: the one that it names, if that describes its service.

    Else it is the record of the service at its address: a document may name any record of the library, with other
    terms. Without one it is the named record, whose service may have moved.
    """
    if named is not None and describes_endpoint(named, entry.endpoint):
        return named
    return find_at_endpoint() or named


def stored_credit(terms: Terms) -> StoredCredit:
    """Return the part of the terms that is saved in the document."""
    licence = terms.licence
    return StoredCredit(line=terms.credit, required=terms.credit_required,
                        licence=licence.id if licence else None, licence_url=(licence.url if licence else None) or
                        terms.licence_url)
