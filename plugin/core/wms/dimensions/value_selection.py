"""Selection of dimension values for a map: by time, the service's default, or any offered value."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Dict, List, Mapping, NamedTuple, Optional, Tuple

from ..model.service import Dimension, Layer
from .declarations import parameter_name
from .iso8601 import TimeValue, expand_time_extent, extent_parts, parse_time

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
        return _nearest_value(values, begin).value
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


def _nearest_value(values: List[TimeValue], when: datetime) -> TimeValue:
    return min(values, key=lambda value: abs(value.begin - when))


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
