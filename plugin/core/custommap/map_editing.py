"""Editing of custom maps. Every function returns a new map and leaves the old one unchanged, for undo."""

from __future__ import annotations

from dataclasses import replace
from typing import Optional, Sequence

from ..records.model.endpoints import wms_endpoint as endpoint_of
from ..records.model.record import Record
from ..terms.model import Terms
from .model import CustomMap, MapEntry, StoredCredit


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
    return StoredCredit(line=terms.credit, required=terms.credit_required.value,
                        licence=licence.id if licence else None, licence_url=(licence.url if licence else None) or
                        terms.licence_url)


def with_base(custom_map: CustomMap, entry: Optional[MapEntry]) -> CustomMap:
    """Return the map with another base."""
    return replace(custom_map, base=entry)


def with_overlay(custom_map: CustomMap, entry: MapEntry, position: Optional[int] = None) -> CustomMap:
    """Return the map with one more overlay: on top, or at ``position`` among the overlays (0 is the bottom)."""
    overlays = list(custom_map.overlays)
    overlays.insert(len(overlays) if position is None else position, entry)
    return replace(custom_map, overlays=tuple(overlays))


def with_entry_replaced(custom_map: CustomMap, index: int, entry: MapEntry) -> CustomMap:
    """Return the map with another entry at ``index`` of ``entries`` (base first). Raises IndexError."""
    offset = _overlay_index(custom_map, index)
    if offset < 0:
        return replace(custom_map, base=entry)
    overlays = list(custom_map.overlays)
    overlays[offset] = entry
    return replace(custom_map, overlays=tuple(overlays))


def without_entry(custom_map: CustomMap, index: int) -> CustomMap:
    """Return the map without the entry at ``index`` of ``entries``. Raises IndexError."""
    offset = _overlay_index(custom_map, index)
    if offset < 0:
        return replace(custom_map, base=None)
    return replace(custom_map, overlays=custom_map.overlays[:offset] + custom_map.overlays[offset + 1:])


def with_overlay_moved(custom_map: CustomMap, index: int, target: int) -> CustomMap:
    """Return the map with the overlay at ``index`` of ``entries`` moved to ``target`` there. The base stays.

    A target beyond the ends is the nearest position of an overlay. Raises IndexError.
    """
    offset = _overlay_index(custom_map, index)
    if offset < 0:
        return custom_map
    overlays = list(custom_map.overlays)
    entry = overlays.pop(offset)
    overlays.insert(min(max(target - (1 if custom_map.base else 0), 0), len(overlays)), entry)
    return replace(custom_map, overlays=tuple(overlays))


def with_overlay_as_base(custom_map: CustomMap, index: int) -> CustomMap:
    """Return the map with the overlay at ``index`` of ``entries`` as base. The former base becomes the lowest overlay.

    Raises IndexError.
    """
    offset = _overlay_index(custom_map, index)
    if offset < 0:
        return custom_map
    rest = custom_map.overlays[:offset] + custom_map.overlays[offset + 1:]
    former = (custom_map.base,) if custom_map.base else ()
    return replace(custom_map, base=custom_map.overlays[offset], overlays=former + rest)


def with_base_as_overlay(custom_map: CustomMap) -> CustomMap:
    """Return the map without a base. The former base becomes the lowest overlay."""
    if custom_map.base is None:
        return custom_map
    return replace(custom_map, base=None, overlays=(custom_map.base, *custom_map.overlays))


def _overlay_index(custom_map: CustomMap, index: int) -> int:
    """Return the index among the overlays, -1 for the base. Raises IndexError."""
    if not 0 <= index < len(custom_map.entries):
        raise IndexError(index)
    return index - 1 if custom_map.base else index
