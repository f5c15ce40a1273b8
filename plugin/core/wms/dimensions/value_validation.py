"""Validation of dimension values: lists, intervals, numbers and ISO 8601 times (OGC 06-042 Annexes C and D)."""

from __future__ import annotations

from typing import Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple

from ...errors import InvalidRequest
from ...i18n import tr
from ..model.service import Dimension, Layer
from ..model.xml_values import parse_number
from .declarations import find_dimension, parameter_name
from .iso8601 import MAX_EXTENT_PARTS, extent_parts


def dimension_parameters(layers: Sequence[Layer], chosen: Mapping[str, str]) -> Dict[str, List[str]]:
    """Return TIME, ELEVATION and DIM_… for a map of ``layers``, checked against every layer that has the dimension.

    Raises InvalidRequest for a dimension that no layer has, a value that is not offered, several values where only one
    is allowed, and a missing value of a dimension without default (C.4.2, C.3.3).
    """
    parameters: Dict[str, List[str]] = {}
    for name, value in chosen.items():
        if not value:
            continue
        candidates = [find_dimension(layer.dimensions, name) for layer in layers]
        matching = [dimension for dimension in candidates if dimension]
        if not matching:
            offered = sorted({dimension.name for layer in layers for dimension in layer.dimensions})
            raise InvalidRequest(tr("None of the layers has the dimension “{name}”. They have: {offered}.", name=name,
                                    offered=", ".join(offered) or tr("nothing")))
        parts = [part.strip() for part in value.split(",")]
        for dimension in matching:
            _check_values(dimension, parts)
        parameters[parameter_name(name)] = parts
    for layer in layers:
        for dimension in layer.dimensions:
            if dimension.extent and not dimension.default and parameter_name(dimension.name) not in parameters:
                raise InvalidRequest(tr("The layer “{layer}” needs a value for “{name}”. It offers: {offered}.",
                                        layer=layer.name, name=dimension.name, offered=dimension.extent[:200]))
    return parameters


def _check_values(dimension: Dimension, parts: Sequence[str]) -> None:
    several = len(parts) > 1 or "/" in parts[0]
    if several and not dimension.multiple_values:
        raise InvalidRequest(tr("The dimension “{name}” accepts only one value at a time.", name=dimension.name))
    for part in parts:
        if not offers_value(dimension, part):
            raise InvalidRequest(tr("The dimension “{name}” does not offer “{value}”. It offers: {offered}.",
                                    name=dimension.name, value=part, offered=dimension.extent[:200]))


def offers_value(dimension: Dimension, value: str) -> bool:
    """Return whether a dimension offers ``value``, a single value or an interval.

    Values that cannot be checked are accepted, so the service decides. ``current`` requires the dimension's current
    flag. With nearest values any value is accepted (C.2).
    """
    value = value.strip()
    if not value:
        return False
    if value.lower() == "current":
        return dimension.current
    if not dimension.extent or value.lower() == "default":
        return True
    requested = _parse_interval(value)
    listed = extent_parts(dimension.extent)
    if len(listed) == MAX_EXTENT_PARTS:
        return True
    if requested is None:
        return value in listed or not all(_parse_interval(part) is not None for part in listed)
    return dimension.nearest_value or any(_overlaps_part(requested, part) for part in listed)


#: a number as a tuple of one, or the parts of a time from the year down, as far as given
ComparableValue = Tuple[float, ...]


class _Interval(NamedTuple):
    """A single value (``first`` equals ``last``) or a range of numbers (also years) or of times."""

    numeric: bool
    first: ComparableValue
    last: ComparableValue


def _overlaps_part(requested: _Interval, part: str) -> bool:
    """Return whether a value or range overlaps one part of an extent, whatever its resolution."""
    offered = _parse_interval(part)
    if offered is None:
        return "current" in part.lower() or "present" in part.lower()
    if requested.numeric != offered.numeric:
        return True
    if "/" not in part and requested.first == requested.last:
        return _is_same_instant(requested.first, offered.first)
    return offered.first <= requested.last and requested.first[:len(offered.last)] <= offered.last


def _parse_interval(text: str) -> Optional[_Interval]:
    """Parse ``min/max/resolution`` or a single value. None for words and for ends of different kinds."""
    ends = [end.strip() for end in text.split("/")]
    if not 1 <= len(ends) <= 3:
        return None
    for numeric, point in ((True, _parse_numeric_value), (False, _parse_time_value)):
        first, last = point(ends[0]), point(ends[min(1, len(ends) - 1)])
        if first is not None and last is not None:
            return _Interval(numeric, first, last)
    return None


def _parse_numeric_value(text: str) -> Optional[ComparableValue]:
    value = parse_number(text)
    return None if value is None else (value,)


def _parse_time_value(text: str) -> Optional[ComparableValue]:
    """Return year, month, day, hour, minute, second of an ISO 8601 time in UTC, as far as given (D.2)."""
    day, _, clock = text.rstrip("Z").partition("T")
    pieces = day.split("-")
    clock_pieces = clock.partition(".")[0].split(":") if clock else []
    if len(pieces) > 3 or not all(piece.isdigit() and len(piece) < 7 for piece in pieces + clock_pieces):
        return None
    return tuple(float(piece) for piece in pieces + clock_pieces)


def _is_same_instant(first: ComparableValue, second: ComparableValue) -> bool:
    """Return whether both are equal at the lower precision: 2016-06-03 equals 2016-06-03T00:00:00Z."""
    length = min(len(first), len(second))
    return first[:length] == second[:length] and not any(first[length:] + second[length:])
