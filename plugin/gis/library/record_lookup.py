"""Lookup of the records and terms of a custom map's services."""

from __future__ import annotations

from typing import TYPE_CHECKING, Dict, Iterable, Mapping, Optional

from ...core.custommap.model import CustomMap, MapEntry
from ...core.records.model.endpoints import normalise_endpoint, wms_endpoints
from ...core.records.model.record import Record
from ...core.terms.model import RecordWithTerms
from ..runtime.i18n import record_language
from ..runtime.terms import terms_for
from .record_library import find_endpoint_hits

if TYPE_CHECKING:
    from ...core.library.record_store import RecordStore


def find_map_records(custom_map: CustomMap, records: Iterable[Record],
                     store: Optional[RecordStore]) -> Dict[str, RecordWithTerms]:
    """Return record and terms of the map's services by endpoint. For worker threads.

    A record is looked up in ``records`` first, then in ``store``. A service without a record is left out, so that it
    keeps the credit of the document.
    """
    known = list(records)
    by_id: Dict[Optional[str], Record] = {record.id: record for record in known if record.id}
    by_address = {normalise_endpoint(link.url): record for record in reversed(known) for link in wms_endpoints(record)}
    found: Dict[str, RecordWithTerms] = {}
    for entry in custom_map.entries:
        record = _match_record(entry, by_id, by_address) or (_load_record(entry, store) if store is not None else None)
        if record is not None:
            found[entry.endpoint] = (record, terms_for(record))
    return found


def _match_record(entry: MapEntry, by_id: Mapping[Optional[str], Record],
                  by_address: Mapping[str, Record]) -> Optional[Record]:
    return by_id.get(entry.record_id) or by_address.get(normalise_endpoint(entry.endpoint))


def _load_record(entry: MapEntry, store: RecordStore) -> Optional[Record]:
    """Return the record that the entry refers to, or else the best one for its endpoint, or None."""
    named = store.load_record(entry.record_id, record_language()) if entry.record_id else None
    return named if named is not None else record_at_endpoint(entry.endpoint, store)


def record_at_endpoint(endpoint: str, store: RecordStore) -> Optional[Record]:
    """Return the best record for the service at ``endpoint``, see ``find_endpoint_hits``, or None."""
    found = (store.load_record(hit.identifier, record_language()) for hit in find_endpoint_hits(store, endpoint))
    return next((record for record in found if record is not None), None)
