"""Dimensions (OGC 06-042 Annexes C and D, 01-068r3 Annex C): declared in capabilities, selected for a map, and checked
for a request."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Dict, Iterable, List, Mapping, NamedTuple, Optional, Sequence, Tuple

from lxml import etree

from ...errors import InvalidRequest
from ...i18n import tr
from ..model.service import Dimension, Layer
from ..model.xml_values import attribute, multiline_text, parse_boolean, parse_number
from .iso8601 import MAX_EXTENT_PARTS, expand_time_extent, extent_parts, parse_time


def read_dimensions(elements: Iterable[Tuple[str, etree._Element]], inherited: Tuple[Dimension, ...],
                    separate_extents: bool) -> Tuple[Dimension, ...]:
    """Return the layer's dimensions: first the inherited ones, each replaced by the layer's own of the same name.

    ``elements`` are the (name, element) pairs of the layer's elements Dimension and Extent. With ``separate_extents``
    (before 1.3.0) a Dimension element has only name and units, and default and values are in the Extent element of the
    same name, which may be inherited (01-068r3 C.2, C.3).
    """
    merged: Dict[str, Dimension] = {dimension.name.lower(): dimension for dimension in inherited}
    extents = []
    for kind, element in elements:
        name = attribute(element, "name")
        if name is None:
            continue
        if kind == "Extent":
            extents.append((name, element))
            continue
        declared = _with_extent(_read_declaration(element, name), element)
        existing = merged.get(name.lower())
        if separate_extents and existing is not None and not declared.extent:
            declared = replace(existing, units=declared.units or existing.units,
                               unit_symbol=declared.unit_symbol or existing.unit_symbol)
        merged[name.lower()] = declared
    for name, element in extents:
        merged[name.lower()] = _with_extent(merged.get(name.lower()) or Dimension(name=name), element)
    result = tuple(merged.values())
    return inherited if result == inherited else result


def _read_declaration(element: etree._Element, name: str) -> Dimension:
    return Dimension(name=name, units=attribute(element, "units"), unit_symbol=attribute(element, "unitSymbol"))


def _with_extent(dimension: Dimension, element: etree._Element) -> Dimension:
    """Return ``dimension`` with the default, flags and values of ``element``.

    They replace the inherited extent as a whole.
    """
    return replace(dimension, default=attribute(element, "default"),
                   multiple_values=_boolean_attribute(element, "multipleValues"),
                   nearest_value=_boolean_attribute(element, "nearestValue"),
                   current=_boolean_attribute(element, "current"), extent=_extent_text(element))


def _extent_text(element: etree._Element) -> str:
    """Return the text of the extent without white space around its commas, or "" if it has child elements."""
    return ",".join(part.strip() for part in (multiline_text(element) or "").split(",")) if len(element) == 0 else ""


def _boolean_attribute(element: etree._Element, name: str) -> bool:
    return bool(parse_boolean(attribute(element, name)))


def parameter_name(dimension_name: str) -> str:
    """Return the request parameter of a dimension: TIME, ELEVATION, or DIM_ and its name (C.4.1, C.3.3)."""
    upper = dimension_name.upper()
    if upper in ("TIME", "ELEVATION"):
        return upper
    return upper if upper.startswith("DIM_") else f"DIM_{upper}"


def find_dimension(dimensions: Iterable[Dimension], name: str) -> Optional[Dimension]:
    """Return the dimension called ``name`` in any case, with or without ``DIM_`` (C.3.3), or None."""
    parameter = parameter_name(name)
    return next((dimension for dimension in dimensions if parameter_name(dimension.name) == parameter), None)


#: begin and end (UTC, excluded)
TimeSpan = Tuple[datetime, datetime]


class DimensionValues(NamedTuple):
    """The values to send by parameter, and those of them that were assumed.

    ``has_content`` is False if the layer has nothing to show at the map's time.
    """

    values: Dict[str, str]
    assumed: Dict[str, str]
    has_content: bool


def select_dimension_values(layer: Layer, chosen: Mapping[str, str], span: Optional[TimeSpan]) -> DimensionValues:
    """Return the dimension values to send for ``layer``.

    ``chosen`` holds values by parameter (TIME, ELEVATION, DIM_…), ``span`` is the map's time. The service fills in
    defaults, which are not sent (C.4.2). Without choice and default, ``fallback_value`` is assumed.
    """
    values: Dict[str, str] = {}
    assumed: Dict[str, str] = {}
    for dimension in layer.dimensions:
        name = parameter_name(dimension.name)
        if chosen.get(name):
            values[name] = chosen[name]
        elif name == "TIME" and span is not None and dimension.extent:
            time_value = time_value_at(dimension, *span)
            if time_value is None:
                return DimensionValues({}, {}, False)
            values[name] = time_value
        elif not dimension.default and dimension.extent:
            values[name] = assumed[name] = fallback_value(dimension)
    return DimensionValues(values, assumed, True)


def time_value_at(dimension: Dimension, begin: datetime, end: datetime) -> Optional[str]:
    """Return the value of a TIME dimension that is shown from ``begin`` to ``end`` (UTC), or None.

    It is the first value in that time, otherwise the last one before it that still lasts, otherwise the nearest one if
    the service supports nearest values.
    """
    values = sorted(expand_time_extent(dimension.extent), key=lambda value: value.begin)
    end = max(end, begin + timedelta(seconds=1))
    first_inside = next((value for value in values if begin <= value.begin < end), None)
    if first_inside is not None:
        return first_inside.value
    before = [value for value in values if value.begin < begin]
    if before and before[-1].end > begin:
        return before[-1].value
    if values and dimension.nearest_value:
        return min(values, key=lambda value: abs(value.begin - begin)).value
    return _value_in_continuous_interval(dimension, begin)


def fallback_value(dimension: Dimension) -> str:
    """Return one offered value: the latest time, or the first value of another dimension."""
    parts = [part.strip() for part in dimension.extent.split(",") if part.strip()]
    if parameter_name(dimension.name) == "TIME":
        values = expand_time_extent(dimension.extent)
        if values:
            return max(values, key=lambda value: value.begin).value
        if dimension.current:
            return "current"
        ends = parts[-1].split("/") if parts else [""]
        return ends[min(1, len(ends) - 1)]
    return parts[0].split("/")[0] if parts else ""


def shown_time(layer: Layer) -> str:
    """Return what is shown of a layer's TIME dimension where nobody chooses: the default, else ``fallback_value``.

    Empty for a layer without the dimension.
    """
    dimension = find_dimension(layer.dimensions, "time")
    if dimension is None:
        return ""
    return dimension.default or fallback_value(dimension)


def _value_in_continuous_interval(dimension: Dimension, when: datetime) -> Optional[str]:
    """Return ``when`` if an interval without resolution contains it, otherwise None.

    Any time in such an interval may be requested (C.2).
    """
    for part in extent_parts(dimension.extent):
        ends = [end.strip() for end in part.split("/")]
        stepless = len(ends) == 2 or (len(ends) == 3 and ends[2] in ("", "0", "P0D", "PT0S"))
        first, last = (parse_time(ends[0]), parse_time(ends[1])) if stepless else (None, None)
        if first is not None and last is not None and first[0] <= when <= last[0]:
            return when.strftime("%Y-%m-%dT%H:%M:%SZ")
    return None


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
