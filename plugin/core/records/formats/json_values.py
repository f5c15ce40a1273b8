"""Members of JSON documents, removed one by one as they are read: those that nobody removes are unread."""

from __future__ import annotations

import json
from typing import Any, Dict, Iterable, List, Optional

from ...addresses import is_web_address, joined_address
from ...errors import CartoguideError
from ...json_document import as_text, parse_json
from ..model.record import Constraint, ConstraintGroup, ConstraintKind, Record, RecordFormat
from ..xml.element_walker import html_constraints
from ..xml.record_builder import flat_constraints, flat_keywords
from .ogcapi_records import JsonObject, unread_leaves


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
    return Record(source_format.value, unread=unread_leaves(rest), original=original, source=source, **values)
