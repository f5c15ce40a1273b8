"""Bounds for foreign texts on the screen: a window can neither lay out a text of a megabyte in time nor show it."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import Any, Dict, TypeVar

from .i18n import tr
from .text import truncate

Value = TypeVar("Value")

#: characters of a title or name: a longer one is no title
MAX_TITLE = 500
#: characters of one value of a record, far more than people read in a dock
MAX_SHOWN = 20_000


def bounded_title(text: str) -> str:
    """Return a title or name, cut at :data:`MAX_TITLE` characters."""
    return truncate(text, MAX_TITLE)


def with_bounded_texts(value: Value, length: int = MAX_SHOWN) -> Value:
    """Return a dataclass with every text in it, at any depth, cut at ``length`` characters and saying so.

    What has no longer text is returned as it is, the same object.
    """
    bounded: Value = _bounded(value, length)
    return bounded


def _bounded(value: Any, length: int) -> Any:
    if type(value) is str:
        if len(value) <= length:
            return value
        return truncate(value, length) + " " + tr("[This text is very long. The original document has all of it.]")
    if isinstance(value, tuple):
        items = tuple(_bounded(item, length) for item in value)
        return value if all(new is old for new, old in zip(items, value)) else items
    if is_dataclass(value) and not isinstance(value, type):
        changes: Dict[str, Any] = {}
        for field in fields(value):
            old = getattr(value, field.name)
            new = _bounded(old, length)
            if new is not old:
                changes[field.name] = new
        return replace(value, **changes) if changes else value
    return value
