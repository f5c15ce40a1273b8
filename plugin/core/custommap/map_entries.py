"""Entries of custom maps, made from records and their terms."""

from __future__ import annotations

from typing import Optional, Sequence

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


def stored_credit(terms: Terms) -> StoredCredit:
    """Return the part of the terms that is saved in the document."""
    licence = terms.licence
    return StoredCredit(line=terms.credit, required=terms.credit_required,
                        licence=licence.id if licence else None, licence_url=(licence.url if licence else None) or
                        terms.licence_url)
