"""A JSON document from which values are taken one by one; what nobody took is unread."""

from __future__ import annotations

import json
from typing import Any, Dict, Iterator, List, Optional, Tuple

from ... import safe_xml
from ...errors import UnreadableDocument, too_large
from ...i18n import tr
from ..model.record import UnreadValue

JsonObject = Dict[str, Any]
_MAX_DEPTH = 60


def parse_json(data: bytes, name: str = "", max_bytes: int = safe_xml.MAX_BYTES) -> Any:
    """The value of a JSON document in UTF-8, UTF-16 or UTF-32; UnreadableDocument says what is wrong and where."""
    where = name or tr("The document")
    if len(data) > max_bytes:
        raise too_large(where, max_bytes, len(data))
    try:
        return json.loads(data, parse_constant=lambda _: None)
    except json.JSONDecodeError as error:
        raise UnreadableDocument(
            tr("{name} is broken JSON at line {line}, column {column}: {reason}.",
               name=where, line=error.lineno, column=error.colno, reason=error.msg), str(error)) from error
    except UnicodeError as error:
        raise UnreadableDocument(
            tr("{name} is not written in the character encoding that it declares.", name=where), str(error)) from error
    except RecursionError as error:
        raise UnreadableDocument(tr("{name} is nested too deeply to be read.", name=where), str(error)) from error
    except ValueError as error:
        raise UnreadableDocument(tr("{name} cannot be read as JSON.", name=where), str(error)) from error


def as_text(value: Any) -> Optional[str]:
    """A string or number as text; None for anything else, for blanks and for ``--``."""
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return None
    text = without_surrogates(value).strip() if isinstance(value, str) else str(value)
    return text if text.strip("-–— ") else None


def without_surrogates(text: str) -> str:
    """``text`` without halves of surrogate pairs, which JSON can hold and no encoding can write."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def problem_text(value: Any) -> str:
    """What an exception report says (RFC 7807, OGC API, GeoNetwork, Elasticsearch); empty where it is none."""
    if not isinstance(value, dict):
        return ""
    problem = value.get("error")
    inner = problem if isinstance(problem, dict) else {}
    said = [as_text(inner.get(name)) for name in ("reason", "message", "description")]
    said += [as_text(value.get(name)) for name in ("description", "detail", "message", "error", "title")]
    return next((" ".join(text.split()) for text in said if text), "")


def pop_text(holder: JsonObject, *names: str) -> Optional[str]:
    """Take the first of the members ``names`` that holds a text; the others stay."""
    for name in names:
        found = as_text(holder.get(name))
        if found is not None:
            del holder[name]
            return found
    return None


def objects_in(holder: JsonObject, name: str) -> List[JsonObject]:
    """The objects in the array ``name``; they stay in place, so that what is not taken from them is unread."""
    values = holder.get(name)
    return [value for value in values if isinstance(value, dict)] if isinstance(values, list) else []


def pop_texts(holder: JsonObject, name: str) -> List[str]:
    """Take the texts of the array (or the single text) ``name``; members of other kinds stay."""
    values = holder.get(name)
    if isinstance(values, str):
        values = [values]
    if not isinstance(values, list):
        return []
    found = [text for text in map(as_text, values) if text is not None]
    rest = [value for value in values if as_text(value) is None]
    if rest:
        holder[name] = rest
    else:
        del holder[name]
    return found


def unread_leaves(value: Any, path: str = "") -> Tuple[UnreadValue, ...]:
    """Every text, number and truth value that is left in ``value``, with its path."""
    return tuple(UnreadValue(place, text) for place, text in _leaves(value, path, 0))


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
    """Whether an array holds nothing but numbers, at any depth: coordinates, one text for all of them."""
    inner: Any = value
    depth = 0
    while isinstance(inner, list) and inner and depth < _MAX_DEPTH:
        inner = inner[0]
        depth += 1
    return depth > 1 and isinstance(inner, (int, float)) and not isinstance(inner, bool)
