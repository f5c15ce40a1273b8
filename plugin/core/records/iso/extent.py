"""Geographic and temporal extents (ISO 19115 B.3.1: EX_Extent), with the times in any version of GML."""

from __future__ import annotations

import math
from typing import Dict, Optional

from ...dates import INDETERMINATE_POSITIONS
from ..model.record import Extent, TemporalExtent
from ..xml.element_names import ISO_NAMES
from ..xml.element_walker import Element, ElementWalker, FieldValues, Handler, built, iso_type, nested, repeat, set_once


def decimal(field: str) -> Handler:
    """Return a handler for a decimal number. A text that is not a number is unread."""
    def read(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
        value = walker.text(prop)
        if value is None:
            return
        number = parse_decimal(value)
        if number is None:
            walker.add_unread(prop, value)
        else:
            set_once(walker, prop, values, field, number)
    return read


def parse_decimal(value: str) -> Optional[float]:
    """Return the finite number in ``value``, which may have a decimal comma, or None if it is not a number."""
    try:
        number = float(value.replace(",", ".") if value.count(",") == 1 and "." not in value else value)
    except ValueError:
        return None
    return number if math.isfinite(number) and "_" not in value else None


_BOUNDING_BOX: Dict[str, Handler] = {
    "westBoundLongitude": decimal("west"),
    "eastBoundLongitude": decimal("east"),
    "southBoundLatitude": decimal("south"),
    "northBoundLatitude": decimal("north"),
}


def _time_position(field: str) -> Handler:
    """Return a handler for a time position, whose text is in the element itself.

    An indeterminate one is kept with its word ("before 2000"), and a word alone as "now" or "unknown" too
    (ISO 19136 14.2.2.7, indeterminatePosition).
    """
    def read(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
        unread_before = len(walker.unread_items)
        value = walker.text(prop)
        word = (prop.get("indeterminatePosition") or "").strip()
        if word in INDETERMINATE_POSITIONS:
            del walker.unread_items[unread_before:]
            walker.add_unread_attributes(prop, frozenset(("indeterminatePosition",)))
            value = f"{word} {value}" if value and word in ("before", "after") else value or word
        if value is not None:
            set_once(walker, prop, values, field, value)
    return read


_TIME_PRIMITIVE: Dict[str, Handler] = {
    "beginPosition": _time_position("begin"),
    "endPosition": _time_position("end"),
    "begin": nested({"timePosition": _time_position("begin")}),
    "end": nested({"timePosition": _time_position("end")}),
    "timePosition": _time_position("instant"),
}


def _build_temporal_extent(values: FieldValues) -> TemporalExtent:
    instant = values.get("instant")
    return TemporalExtent(values.get("begin", instant), values.get("end", instant))


def _bounding_box(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
    """Read a bounding box. Polygons and descriptions have no field."""
    for item in prop:
        if "EX_GeographicBoundingBox" not in (ISO_NAMES[item.tag], iso_type(item)):
            walker.add_unread_element(prop)
            return
    _read_bounding_box(walker, prop, values)


_read_bounding_box = repeat("extents", _BOUNDING_BOX, built(Extent))

TEMPORAL: Dict[str, Handler] = {
    "extent": repeat("temporal_extents", _TIME_PRIMITIVE, _build_temporal_extent),
    "spatialExtent": _bounding_box,
}

EXTENT: Dict[str, Handler] = {"geographicElement": _bounding_box, "temporalElement": nested(TEMPORAL)}
