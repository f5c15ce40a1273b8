"""A custom map changed: every function gives a new map and leaves the old one as it was, so that undo is keeping it."""

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
    """An entry for a record's service, its credit kept with it; None where the record has no WMS address."""
    address = endpoint or endpoint_of(record)
    if address is None:
        return None
    return MapEntry(endpoint=address, title=record.title or "", record_id=record.id, layers=tuple(layers),
                    styles=tuple(styles), format=image_format, opacity=opacity, credit=stored_credit(terms))


def stored_credit(terms: Terms) -> StoredCredit:
    """What the document keeps of a record's terms."""
    licence = terms.licence
    return StoredCredit(line=terms.credit, required=terms.credit_required.value,
                        licence=licence.id if licence else None, licence_url=(licence.url if licence else None) or
                        terms.licence_url)


def with_base(custom_map: CustomMap, entry: Optional[MapEntry]) -> CustomMap:
    """The map on another base; the former one is gone."""
    return replace(custom_map, base=entry)


def with_overlay(custom_map: CustomMap, entry: MapEntry, position: Optional[int] = None) -> CustomMap:
    """The map with one more overlay: on top, or at ``place`` among the overlays (0 is the bottom)."""
    overlays = list(custom_map.overlays)
    overlays.insert(len(overlays) if position is None else position, entry)
    return replace(custom_map, overlays=tuple(overlays))


def with_entry_replaced(custom_map: CustomMap, index: int, entry: MapEntry) -> CustomMap:
    """The map with another entry at ``index`` of ``entries`` (base first); IndexError where there is none."""
    offset = _overlay_index(custom_map, index)
    if offset < 0:
        return replace(custom_map, base=entry)
    overlays = list(custom_map.overlays)
    overlays[offset] = entry
    return replace(custom_map, overlays=tuple(overlays))


def without_entry(custom_map: CustomMap, index: int) -> CustomMap:
    """The map without the entry at ``index`` of ``entries``; IndexError where there is none."""
    offset = _overlay_index(custom_map, index)
    if offset < 0:
        return replace(custom_map, base=None)
    return replace(custom_map, overlays=custom_map.overlays[:offset] + custom_map.overlays[offset + 1:])


def with_overlay_moved(custom_map: CustomMap, index: int, target: int) -> CustomMap:
    """The map with the overlay at ``index`` of ``entries`` moved to ``target`` there; the base stays where it is.

    A target beyond the ends is the nearest place that an overlay can have.
    """
    offset = _overlay_index(custom_map, index)
    if offset < 0:
        return custom_map
    overlays = list(custom_map.overlays)
    entry = overlays.pop(offset)
    overlays.insert(min(max(target - (1 if custom_map.base else 0), 0), len(overlays)), entry)
    return replace(custom_map, overlays=tuple(overlays))


def with_overlay_as_base(custom_map: CustomMap, index: int) -> CustomMap:
    """The map with the overlay at ``index`` of ``entries`` as its base; the former base is the lowest overlay."""
    offset = _overlay_index(custom_map, index)
    if offset < 0:
        return custom_map
    rest = custom_map.overlays[:offset] + custom_map.overlays[offset + 1:]
    former = (custom_map.base,) if custom_map.base else ()
    return replace(custom_map, base=custom_map.overlays[offset], overlays=former + rest)


def with_base_as_overlay(custom_map: CustomMap) -> CustomMap:
    """The map without a base: it is the lowest overlay now."""
    if custom_map.base is None:
        return custom_map
    return replace(custom_map, base=None, overlays=(custom_map.base, *custom_map.overlays))


def _overlay_index(custom_map: CustomMap, index: int) -> int:
    """The place among the overlays; -1 for the base."""
    if not 0 <= index < len(custom_map.entries):
        raise IndexError(index)
    return index - 1 if custom_map.base else index
