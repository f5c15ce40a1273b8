"""Which value of a dimension a map shows: the one of a moment, the service's default, else one of those on offer."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Dict, List, Mapping, Optional, Tuple

from ..model.service import Dimension, Layer
from .declarations import parameter_name
from .iso8601 import TimeValue, expand_time_extent, parse_time

#: from begin to end (UTC, excluded)
TimeSpan = Tuple[datetime, datetime]


def select_dimension_values(layer: Layer, chosen: Mapping[str, str],
                            span: Optional[TimeSpan]) -> Tuple[Dict[str, str], Dict[str, str], bool]:
    """(values to send, those of them that nobody chose, whether the layer shows anything then), by parameter's name.

    ``chosen`` holds values by parameter (TIME, ELEVATION, DIM_…); ``span`` is the time that the map shows. A default
    is the service's to fill in and not sent (C.4.2); where there is none, and no choice, one of the values is taken.
    """
    values: Dict[str, str] = {}
    assumed: Dict[str, str] = {}
    for dimension in layer.dimensions:
        name = parameter_name(dimension.name)
        if chosen.get(name):
            values[name] = chosen[name]
        elif name == "TIME" and span is not None and dimension.extent:
            found = time_value_at(dimension, *span)
            if found is None:
                return {}, {}, False
            values[name] = found
        elif not dimension.default and dimension.extent:
            values[name] = assumed[name] = fallback_value(dimension)
    return values, assumed, True


def time_value_at(dimension: Dimension, begin: datetime, end: datetime) -> Optional[str]:
    """The value of a TIME dimension that is shown from ``begin`` to ``end`` (UTC): the first moment in that time, else
    the last one before it where it still lasts or the service takes the nearest; None where there is none.
    """
    listed = sorted(expand_time_extent(dimension.extent), key=lambda moment: moment.begin)
    inside = next((moment for moment in listed if begin <= moment.begin < max(end, begin + timedelta(seconds=1))), None)
    if inside is not None:
        return inside.value
    before = [moment for moment in listed if moment.begin < begin]
    if before and before[-1].end > begin:
        return before[-1].value
    if listed and dimension.nearest_value:
        return _nearest_value(listed, begin).value
    return _value_in_continuous_interval(dimension, begin)


def fallback_value(dimension: Dimension) -> str:
    """One value that is on offer: of times the latest, of all else the first."""
    parts = [part.strip() for part in dimension.extent.split(",") if part.strip()]
    if parameter_name(dimension.name) == "TIME":
        listed = expand_time_extent(dimension.extent)
        if listed:
            return max(listed, key=lambda moment: moment.begin).value
        if dimension.current:
            return "current"
        ends = parts[-1].split("/") if parts else [""]
        return ends[min(1, len(ends) - 1)]
    return parts[0].split("/")[0] if parts else ""


def _nearest_value(listed: List[TimeValue], when: datetime) -> TimeValue:
    return min(listed, key=lambda moment: abs(moment.begin - when))


def _value_in_continuous_interval(dimension: Dimension, when: datetime) -> Optional[str]:
    """``when`` itself, where an interval without steps holds it: any time in it may be asked for (C.2)."""
    for part in dimension.extent.split(","):
        ends = [end.strip() for end in part.split("/")]
        stepless = len(ends) == 2 or (len(ends) == 3 and ends[2] in ("", "0", "P0D", "PT0S"))
        first, last = (parse_time(ends[0]), parse_time(ends[1])) if stepless else (None, None)
        if first is not None and last is not None and first[0] <= when <= last[0]:
            return when.strftime("%Y-%m-%dT%H:%M:%SZ")
    return None
