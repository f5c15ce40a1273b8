"""The records behind a custom map's services, found without a window: those given, else those that are kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Dict, Iterable, Mapping, Optional, Tuple

from ..core.custommap.model import CustomMap, Entry
from ..core.records.links import normalise_endpoint, wms_endpoints
from ..core.records.model import Record
from ..core.terms import DEFAULT_PATTERN, resolve
from ..core.terms.model import Terms
from . import settings
from .i18n import record_language

if TYPE_CHECKING:
    from ..core.store.store import Store


def records_of(custom_map: CustomMap, given: Iterable[Record],
               store: Optional[Store]) -> Dict[str, Tuple[Record, Terms]]:
    """Record and terms of the map's services by endpoint; for worker threads.

    A service without a record keeps the credit that the document itself holds.
    """
    known = list(given)
    by_id: Dict[Optional[str], Record] = {record.id: record for record in known if record.id}
    by_address = {normalise_endpoint(link.url): record for record in reversed(known) for link in wms_endpoints(record)}
    pattern = settings.get("credit_pattern") or DEFAULT_PATTERN
    found: Dict[str, Tuple[Record, Terms]] = {}
    for entry in custom_map.entries:
        record = _given(entry, by_id, by_address) or (_kept(entry, store) if store is not None else None)
        if record is not None:
            found[entry.endpoint] = (record, resolve(record, None, pattern))
    return found


def _given(entry: Entry, by_id: Mapping[Optional[str], Record], by_address: Mapping[str, Record]) -> Optional[Record]:
    return by_id.get(entry.record_id) or by_address.get(normalise_endpoint(entry.endpoint))


def _kept(entry: Entry, store: Store) -> Optional[Record]:
    """The record that the document names, else one of a service at its address, else one of a dataset there."""
    named = store.get(entry.record_id, record_language()) if entry.record_id else None
    return named if named is not None else kept_at(entry.endpoint, store)


def kept_at(endpoint: str, store: Store) -> Optional[Record]:
    """The kept record of the service at an address, else one of a dataset there; a catalogue's own before a starter."""
    hits = sorted(store.by_endpoint(normalise_endpoint(endpoint)), key=lambda hit: (hit.kind != "service", hit.starter))
    found = (store.get(hit.identifier, record_language()) for hit in hits)
    return next((record for record in found if record is not None), None)
