"""Extents and times of a GeoJSON record: geometry, bbox, extent and time (RFC 7946, OGC 20-004r1 table 7).

The functions remove what they read, so that the rest can be listed as unread.
"""

from __future__ import annotations

from typing import Any, Dict, Iterator, List, Optional, Tuple

from ..model.extents import extent_from_bbox, extent_of_positions
from ..model.record import Extent, TemporalExtent
from .json_members import JsonObject, as_text

_MAX_DEPTH = 8


def pop_extents(feature: JsonObject, properties: JsonObject) -> Tuple[Extent, ...]:
    """Return the extents of a record in degrees. A geometry that is not a rectangle or a point stays, to be unread."""
    extents: Dict[Extent, None] = {}
    for box in _pop_bboxes(feature, properties):
        extents.setdefault(box)
    geometry = feature.get("geometry")
    if isinstance(geometry, dict):
        positions = list(_positions(geometry.get("coordinates"), 0))
        around = extent_of_positions(positions)
        if around is not None:
            if not extents:
                extents[around] = None
            if around in extents and _is_rectangle(positions, around):
                del feature["geometry"]
    return tuple(extents)


def pop_temporal_extents(feature: JsonObject, properties: JsonObject) -> Tuple[TemporalExtent, ...]:
    """Return the times of a record: an instant, an interval with ``..`` for an open end, or the intervals of its
    extent.
    """
    extents: Dict[TemporalExtent, None] = {}
    for holder in (feature, properties):
        time = holder.get("time")
        if isinstance(time, dict):
            for name in ("interval", "date", "timestamp"):
                period = _period(time.get(name))
                if period is not None:
                    time.pop(name)
                    extents.setdefault(period)
        elif _period(time) is not None:
            extents.setdefault(_period(holder.pop("time")))  # type: ignore[arg-type]
    temporal = _member(properties.get("extent"), "temporal")
    intervals = temporal.get("interval")
    if isinstance(intervals, list):
        nested = bool(intervals) and all(isinstance(item, list) for item in intervals)
        periods = [_period(item) for item in (intervals if nested else [intervals])]
        if all(period is not None for period in periods):
            temporal.pop("interval")
        for period in periods:
            if period is not None:
                extents.setdefault(period)
    return tuple(extents)


def _pop_bboxes(feature: JsonObject, properties: JsonObject) -> Iterator[Extent]:
    box = _extent_from_numbers(feature.get("bbox"))
    if box is not None:
        del feature["bbox"]
        yield box
    spatial = _member(properties.get("extent"), "spatial")
    bboxes = spatial.get("bbox")
    if isinstance(bboxes, list) and bboxes:
        boxes = [_extent_from_numbers(item) for item in (bboxes if isinstance(bboxes[0], list) else [bboxes])]
        if all(item is not None for item in boxes):
            spatial.pop("bbox")
        yield from (item for item in boxes if item is not None)


def _member(value: Any, name: str) -> JsonObject:
    inner = value.get(name) if isinstance(value, dict) else None
    return inner if isinstance(inner, dict) else {}


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 1e9


def _extent_from_numbers(values: Any) -> Optional[Extent]:
    if not isinstance(values, list) or not all(_is_number(value) for value in values):
        return None
    return extent_from_bbox([float(value) for value in values])


def _positions(value: Any, depth: int) -> Iterator[Tuple[float, float]]:
    """Yield the positions in the coordinates of any type of geometry."""
    if not isinstance(value, list) or depth > _MAX_DEPTH:
        return
    if len(value) >= 2 and _is_number(value[0]) and _is_number(value[1]):
        yield float(value[0]), float(value[1])
        return
    for item in value:
        yield from _positions(item, depth + 1)


def _is_rectangle(positions: List[Tuple[float, float]], box: Extent) -> bool:
    """Return True if every position is a corner of ``box``, which then replaces the geometry without loss."""
    return all(x in (box.west, box.east) and y in (box.south, box.north) for x, y in positions)


def _period(value: Any) -> Optional[TemporalExtent]:
    if isinstance(value, list) and len(value) == 2:
        begin, end = (_period_end(item) for item in value)
        return TemporalExtent(begin, end) if begin or end else None
    instant = _period_end(value)
    return TemporalExtent(instant, instant) if instant else None


def _period_end(value: Any) -> Optional[str]:
    text = as_text(value) if isinstance(value, str) else None
    return None if text == ".." else text
