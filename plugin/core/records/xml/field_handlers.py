"""Handlers that turn one property of an ISO object into a field, and from which the readers build their tables."""

from __future__ import annotations

import re
from typing import Any, Callable, Optional

from .element_walker import HREF, Element, ElementWalker, FieldValues, Handler, HandlerTable, clean_text

#: builds a value from the fields of an object, or returns None if they do not suffice and the object is unread
Builder = Callable[[FieldValues], Optional[Any]]


def _unchanged(value: str) -> str:
    return value


def _one_line(value: str) -> str:
    """Return a name without line breaks, which only lay out the document."""
    return _LINE_BREAK.sub(" ", value) if "\n" in value or "\r" in value else value


def _join_address(value: str) -> str:
    """Return an address without the white space of line breaks."""
    return _LINE_BREAK.sub("", value) if "\n" in value or "\r" in value else value


def _read_address(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
    """Read a property with one address. The address of a file (gmx:FileName/@src) takes precedence over its name."""
    unread_before = len(walker.unread_items)
    value = walker.text(prop)
    source = clean_text(prop[0].get("src")) if len(prop) == 1 else None
    if source is not None and "://" in source and "://" not in (value or ""):
        del walker.unread_items[unread_before:]
        if value is not None:
            walker.add_unread(prop[0], value)
        value = source
    if value is not None:
        set_once(walker, prop, values, "url", _join_address(value))


_LINE_BREAK = re.compile(r"(?<!\s)\s*[\r\n]\s*")
#: fields whose text keeps its line breaks. All others are names on one line.
_NORMALISERS = {
    **dict.fromkeys(("abstract", "purpose", "description", "lineage", "explanation", "fees", "credits"), _unchanged)
}


def text(field: str) -> Handler:
    """Return a handler for a property with one text. A second text is unread."""
    if field == "url":
        return _read_address
    form = _NORMALISERS.get(field, _one_line)

    def read(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
        value = walker.text(prop)
        if value is not None:
            set_once(walker, prop, values, field, form(value))
    return read


def texts(field: str) -> Handler:
    """Return a handler for a repeatable property with texts."""
    form = _NORMALISERS.get(field, _one_line)

    def read(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
        value = walker.text(prop)
        if value is not None:
            values.setdefault(field, []).append(form(value))
    return read


def code(field: str) -> Handler:
    """Return a handler for a code list property. A second code is unread."""
    def read(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
        value = walker.code(prop)
        if value is not None:
            set_once(walker, prop, values, field, value)
    return read


def codes(field: str) -> Handler:
    """Return a handler for a repeatable code list property."""
    def read(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
        value = walker.code(prop)
        if value is not None:
            values.setdefault(field, []).append(value)
    return read


def nested(table: HandlerTable) -> Handler:
    """Return a handler for a property whose object's properties go into the same field values."""
    def read(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
        for item in walker.objects(prop):
            walker.walk(item, table, values)
    return read


def repeat(field: str, table: HandlerTable, build: Builder) -> Handler:
    """Return a handler for a repeatable property that builds one value for each object.

    An object for which ``build`` returns None is unread.
    """
    def read(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
        for item in walker.objects(prop):
            value = build_one(walker, item, table, build)
            if value is not None:
                values.setdefault(field, []).append(value)
    return read


def reference(field: str) -> Handler:
    """Return a handler for a property that refers to a resource by uuidref or xlink:href. Its content is unread."""
    def read(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
        identifier = clean_text(prop.get("uuidref"))
        read_attribute = "uuidref"
        if identifier is None:
            identifier, read_attribute = clean_text(prop.get(HREF)), HREF
        if identifier is not None:
            values.setdefault(field, []).append(identifier)
        walker.add_unread_attributes(prop, frozenset((read_attribute,)))
        for item in prop:
            walker.add_unread_element(item)
        direct_text = clean_text(prop.text)
        if direct_text is not None:
            walker.add_unread(prop, direct_text)
    return read


def set_once(walker: ElementWalker, prop: Element, values: FieldValues, field: str, value: Any) -> None:
    """Set ``field`` to ``value``, or add the value to the unread ones if the field has another value already."""
    if field in values:
        if values[field] != value:
            walker.add_unread(prop, str(value))
    else:
        values[field] = value


def build_one(walker: ElementWalker, item: Element, table: HandlerTable, build: Builder) -> Optional[Any]:
    """Return the value built from one object, or None if ``build`` returns None. All of the object is unread then."""
    unread_before = len(walker.unread_items)
    values: FieldValues = {}
    walker.walk(item, table, values)
    value = build(values) if values else None
    if value is None and values:
        del walker.unread_items[unread_before:]
        walker.add_unread_element(item)
    return value
