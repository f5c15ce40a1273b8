"""Members of JSON documents, removed one by one as they are read: those that nobody removes are unread."""

from __future__ import annotations

import json
from typing import Any, Dict, Iterable, Iterator, List, Optional, Tuple, Union

from ...addresses import is_web_address, joined_address
from ...errors import CartoguideError
from ...json_document import as_text, parse_json
from ..model.record import Constraint, ConstraintGroup, ConstraintKind, Record, RecordFormat, bounded_unread
from ..xml.element_walker import html_constraints
from ..xml.record_builder import flat_constraints, flat_keywords

JsonObject = Dict[str, Any]
_MAX_UNREAD_DEPTH = 60
#: links, contacts and other objects of one list that are read. Those after them are unread
MAX_OBJECTS = 5_000


def original_bytes(value: Any) -> bytes:
    """Return a part of a document as a separate document."""
    return json.dumps(value).encode("ascii")


def copied(value: Any) -> Any:
    """Return a copy of a part of a document, in a tenth of the time that ``copy.deepcopy`` takes."""
    return json.loads(json.dumps(value))


def absolute_address(address: str, base: str) -> str:
    """Return an address as written, or resolved against that of its document if it is relative."""
    if not is_web_address(base) or "://" in address:
        return address
    return joined_address(base, address) or address


def stated_terms(texts: Iterable[str], href: Optional[str] = None) -> List[Constraint]:
    """Return texts about use, each of which may have HTML or be the address of a licence."""
    return [constraint for text in texts
            for constraint in html_constraints(text, href or (text if is_web_address(text) else None))]


def legal_constraints(*groups: Iterable[Constraint]) -> List[ConstraintGroup]:
    """Return one block of legal constraints for each group that has any, none twice."""
    blocks = [ConstraintGroup(ConstraintKind.LEGAL, other_constraints=tuple(dict.fromkeys(group))) for group in groups]
    return [block for block in dict.fromkeys(blocks) if block.other_constraints]


def pop_list(holder: JsonObject, name: str) -> List[str]:
    """Remove a list of texts that may be written as JSON in a text, or as one text, and return its texts."""
    value = json_of(holder.get(name))
    if isinstance(value, str):
        value = [value]
    if not isinstance(value, list) or any(as_text(item) is None for item in value):
        return []
    del holder[name]
    return [text for text in map(as_text, value) if text]


def json_of(value: Any) -> Any:
    """Return the value of a text that is JSON, else the value itself."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        try:
            return parse_json(value.encode("utf-8", "replace"))
        except CartoguideError:
            return value
    return value


def build_json_record(source_format: RecordFormat, rest: JsonObject, original: bytes, source: str,
                      values: Dict[str, Any]) -> Record:
    """Return the record of some field values. What is left in ``rest`` is unread."""
    values = {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}
    values["keywords"] = flat_keywords(values.get("keyword_groups", ()))
    values.update(flat_constraints(values.get("constraint_groups", ())))
    return Record(source_format.value, unread=bounded_unread(_leaves(rest)), original=original, source=source, **values)


def pop_text(holder: JsonObject, *names: str) -> Optional[str]:
    """Remove the first of the members ``names`` that contains a text, and return the text."""
    for name in names:
        text = as_text(holder.get(name))
        if text is not None:
            del holder[name]
            return text
    return None


def objects_in(holder: JsonObject, name: str, most: Optional[int] = MAX_OBJECTS) -> List[JsonObject]:
    """Return the first objects in the array ``name``, or all of them if ``most`` is None.

    They stay in it, so that the others, and the members that nobody removes, are unread.
    """
    values = holder.get(name)
    return [value for value in values if isinstance(value, dict)][:most] if isinstance(values, list) else []


def pop_texts(holder: JsonObject, name: str) -> List[str]:
    """Remove the texts of the array (or the single text) ``name``, and return them. Others, and very many, stay."""
    values = holder.get(name)
    if isinstance(values, str):
        values = [values]
    if not isinstance(values, list):
        return []
    read = values[:MAX_OBJECTS]
    texts = [text for text in map(as_text, read) if text is not None]
    rest = [*(value for value in read if as_text(value) is None), *values[MAX_OBJECTS:]]
    if rest:
        holder[name] = rest
    else:
        del holder[name]
    return texts


def _leaves(value: Any) -> Iterator[Tuple[str, str]]:
    """Yield the texts, numbers and truth values left in ``value``, with their paths."""
    # without recursion, which would hand each value through all levels
    waiting: List[Iterator[Tuple[str, Any]]] = [iter([("", value)])]
    while waiting:
        for at, member in waiting[-1]:
            if isinstance(member, (dict, list)):
                is_open = len(waiting) <= _MAX_UNREAD_DEPTH
                if is_open and (isinstance(member, dict) or not _is_coordinate_array(member)):
                    waiting.append(_members(member, at))
                    break
                if member:
                    yield at, json.dumps(member)
                continue
            text = ("true" if member else "false") if isinstance(member, bool) else as_text(member)
            if text is not None:
                yield at, text
        else:
            waiting.pop()


def _members(value: Union[JsonObject, List[Any]], path: str) -> Iterator[Tuple[str, Any]]:
    if isinstance(value, dict):
        return ((f"{path}/{name}" if path else name, member) for name, member in value.items())
    return ((f"{path}/{number}" if isinstance(member, (dict, list)) else path, member)
            for number, member in enumerate(value))


def _is_coordinate_array(value: List[Any]) -> bool:
    """Return True if an array contains nothing but numbers, at any depth: coordinates are listed as one text."""
    inner: Any = value
    depth = 0
    while isinstance(inner, list) and inner and depth < _MAX_UNREAD_DEPTH:
        inner = inner[0]
        depth += 1
    return depth > 1 and isinstance(inner, (int, float)) and not isinstance(inner, bool)
