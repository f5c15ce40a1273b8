"""Values of time and other dimensions that a server says it drew a map for, compared with those that were requested."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Mapping, NamedTuple, Optional, Tuple

from ..dimensions.declared_dimensions import parameter_name
from ..dimensions.iso8601 import parse_time

#: headers "Warning: 99 Nearest value used: DIM_NAME=value units" and "… Default value used …" (06-042 C.4.1, C.4.2).
#: GeoServer says "No nearest value found on LAYER: time". Several are one text, each with or without quotes
_USED = re.compile(
    r"\b(?:(?P<nearest>nearest)|default) value used\b(?:\s{0,9}:?\s{0,9}(?:DIM_(?=TIME|ELEVATION))?"
    r"(?P<name>[\w:-]{1,80})\s{0,9}=\s{0,9}(?P<value>[^\s,;\"']{1,200}))?", re.IGNORECASE)
_NONE_FOUND = re.compile(r"\bno nearest value found\b(?:[^:,\"]{0,200}:\s{0,9}(?P<name>[\w-]{1,80}))?", re.IGNORECASE)
#: characters of a header that are read
_MAX_LENGTH = 4_000


class OtherValue(NamedTuple):
    """A parameter, its requested value, and the one that was drawn instead ("" if the server does not say which)."""

    name: str
    requested: str
    delivered: str


def find_other_value(warning: str, requested: Mapping[str, str]) -> Optional[OtherValue]:
    """Return the first value in the header ``Warning`` of a map that is not the requested one, or None.

    ``requested`` are the parameters of the GetMap by their names in capital letters. A default counts only where
    another value was requested, and a moment inside of the requested time is that time: 2016-06-12T06:00Z is inside of
    2016-06-12.
    """
    asked = {name: value for name, value in requested.items()
             if value and (name in ("TIME", "ELEVATION") or name.startswith("DIM_"))}
    text = warning[:_MAX_LENGTH] if asked else ""
    for found in _USED.finditer(text):
        # without a name it is that of the only dimension that was asked for, or any of them
        name = parameter_name(found["name"]) if found["name"] else next(iter(asked)) if found["nearest"] else ""
        if name in asked and not _is_requested(name, asked[name], found["value"] or ""):
            return OtherValue(name, asked[name], found["value"] or "")
    for found in _NONE_FOUND.finditer(text):
        name = parameter_name(found["name"]) if found["name"] else next(iter(asked))
        if name in asked:
            return OtherValue(name, asked[name], "")
    return None


def _is_requested(name: str, requested: str, delivered: str) -> bool:
    """Return whether a value is the requested one, or in a requested list or interval."""
    parts = [part.strip() for part in requested.split(",")]
    if delivered.lower() in (part.lower() for part in parts):
        return True
    if name == "TIME":
        # the latest, whichever that is
        if "current" in (part.lower() for part in parts):
            return True
        instant = parse_time(delivered)
        spans = [span for span in map(_time_span, parts) if span is not None]
        return instant is not None and any(begin <= instant[0] < end for begin, end in spans)
    try:
        value = float(delivered)
        return any(low <= value <= high for low, high in map(_number_span, parts))
    except ValueError:
        return False


def _time_span(text: str) -> Optional[Tuple[datetime, datetime]]:
    """Return begin and end (UTC, excluded) of a time of any precision, or of an interval of two, or None."""
    ends = [parse_time(end) for end in text.split("/")[:2]]
    first, last = ends[0], ends[-1]
    end = last[1].add_to(last[0]) if last is not None else None
    return (first[0], end) if first is not None and end is not None else None


def _number_span(text: str) -> Tuple[float, float]:
    """Return both ends of an interval, or twice the number. Raises ValueError for other texts."""
    ends = [float(end) for end in text.split("/")[:2]]
    return ends[0], ends[-1]
