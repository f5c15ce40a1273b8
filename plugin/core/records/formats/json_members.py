"""Access to the members of a JSON document that removes them as they are read, so that the rest is unread."""

from __future__ import annotations

import json
from typing import Any, Dict, Iterator, List, Optional, Tuple

from ..model.record import UnreadValue

JsonObject = Dict[str, Any]
_MAX_DEPTH = 60


def as_text(value: Any) -> Optional[str]:
    """Return a string or number as text, or None for any other value, for a blank and for ``--``."""
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return None
    text = without_surrogates(value).strip() if isinstance(value, str) else str(value)
    return text if text.strip("-–— ") else None


def without_surrogates(text: str) -> str:
    """Return ``text`` without lone surrogates, which are valid in JSON but cannot be encoded."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def problem_text(value: Any) -> str:
    """Return the text of an exception report (RFC 7807, OGC API, GeoNetwork, Elasticsearch), or "" if it is not one."""
    if not isinstance(value, dict):
        return ""
    problem = value.get("error")
    inner = problem if isinstance(problem, dict) else {}
    texts = [as_text(inner.get(name)) for name in ("reason", "message", "description")]
    texts += [as_text(value.get(name)) for name in ("description", "detail", "message", "error", "title")]
    return next((" ".join(text.split()) for text in texts if text), "")


def pop_text(holder: JsonObject, *names: str) -> Optional[str]:
    """Remove the first of the members ``names`` that contains a text, and return the text."""
    for name in names:
        text = as_text(holder.get(name))
        if text is not None:
            del holder[name]
            return text
    return None


def objects_in(holder: JsonObject, name: str) -> List[JsonObject]:
    """Return the objects in the array ``name``. They stay in it, so that members that nobody removes are unread."""
    values = holder.get(name)
    return [value for value in values if isinstance(value, dict)] if isinstance(values, list) else []


def pop_texts(holder: JsonObject, name: str) -> List[str]:
    """Remove the texts of the array (or the single text) ``name``, and return them. Other members stay."""
    values = holder.get(name)
    if isinstance(values, str):
        values = [values]
    if not isinstance(values, list):
        return []
    texts = [text for text in map(as_text, values) if text is not None]
    rest = [value for value in values if as_text(value) is None]
    if rest:
        holder[name] = rest
    else:
        del holder[name]
    return texts


def unread_leaves(value: Any, path: str = "") -> Tuple[UnreadValue, ...]:
    """Return every text, number and truth value left in ``value``, with its path."""
    return tuple(UnreadValue(leaf_path, text) for leaf_path, text in _leaves(value, path, 0))


def _leaves(value: Any, path: str, depth: int) -> Iterator[Tuple[str, str]]:
    if isinstance(value, dict) and depth < _MAX_DEPTH:
        for name, member in value.items():
            yield from _leaves(member, f"{path}/{without_surrogates(name)}" if path else without_surrogates(name),
                               depth + 1)
    elif isinstance(value, list) and depth < _MAX_DEPTH and not _is_coordinate_array(value):
        for number, member in enumerate(value):
            yield from _leaves(member, f"{path}/{number}" if isinstance(member, (dict, list)) else path, depth + 1)
    elif isinstance(value, bool):
        yield path, "true" if value else "false"
    elif isinstance(value, (list, dict)):
        if value:
            yield path, json.dumps(value)
    else:
        text = as_text(value)
        if text is not None:
            yield path, text


def _is_coordinate_array(value: List[Any]) -> bool:
    """Return True if an array contains nothing but numbers, at any depth: coordinates are listed as one text."""
    inner: Any = value
    depth = 0
    while isinstance(inner, list) and inner and depth < _MAX_DEPTH:
        inner = inner[0]
        depth += 1
    return depth > 1 and isinstance(inner, (int, float)) and not isinstance(inner, bool)
