"""Geographic and temporal extents (ISO 19115 B.3.1: EX_Extent), with GML in any version for the times."""

from __future__ import annotations

import math
from typing import Dict, Optional

from .handlers import each, inside, put
from .model import Extent, TemporalExtent
from .names import NAMES
from .reading import Bag, Element, Handler, Reading


def number(field: str) -> Handler:
    """A decimal number; a text that is none is kept as unread."""
    def read(reading: Reading, prop: Element, bag: Bag) -> None:
        value = reading.text(prop)
        if value is None:
            return
        found = to_number(value)
        if found is None:
            reading.keep(prop, value)
        else:
            put(reading, prop, bag, field, found)
    return read


def to_number(value: str) -> Optional[float]:
    """A finite number as written, with a decimal comma too; None where it is none."""
    try:
        found = float(value.replace(",", ".") if value.count(",") == 1 and "." not in value else value)
    except ValueError:
        return None
    return found if math.isfinite(found) and "_" not in value else None


_BOX: Dict[str, Handler] = {
    "westBoundLongitude": number("west"), "eastBoundLongitude": number("east"),
    "southBoundLatitude": number("south"), "northBoundLatitude": number("north"),
}


def _build_box(bag: Bag) -> Extent:
    return Extent(bag.get("west"), bag.get("east"), bag.get("south"), bag.get("north"))


def _position(field: str) -> Handler:
    """A time position: its text stands in the element itself."""
    def read(reading: Reading, prop: Element, bag: Bag) -> None:
        value = reading.text(prop)
        if value is not None:
            put(reading, prop, bag, field, value)
    return read


_TIME: Dict[str, Handler] = {
    "beginPosition": _position("begin"), "endPosition": _position("end"),
    "begin": inside({"timePosition": _position("begin")}), "end": inside({"timePosition": _position("end")}),
    "timePosition": _position("instant"),
}


def _build_time(bag: Bag) -> TemporalExtent:
    instant = bag.get("instant")
    return TemporalExtent(bag.get("begin", instant), bag.get("end", instant))


def _geographic(reading: Reading, prop: Element, bag: Bag) -> None:
    """A bounding box; polygons and descriptions have no field."""
    for item in prop:
        if NAMES[item.tag] != "EX_GeographicBoundingBox":
            reading.leave(prop)
            return
    _read_box(reading, prop, bag)


_read_box = each("extents", _BOX, _build_box)

TEMPORAL: Dict[str, Handler] = {
    "extent": each("temporal_extents", _TIME, _build_time),
    "spatialExtent": _geographic,
}

EXTENT: Dict[str, Handler] = {"geographicElement": _geographic, "temporalElement": inside(TEMPORAL)}
