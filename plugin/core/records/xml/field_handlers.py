"""Handlers from which the readers' tables are made: how one property of an ISO object becomes a field."""

from __future__ import annotations

import re
from typing import Any, Callable, Optional

from .element_walker import HREF, Element, ElementWalker, FieldValues, Handler, HandlerTable, clean_text

#: makes a value from what an object's properties gave; None where they do not suffice: the object is left unread
Builder = Callable[[FieldValues], Optional[Any]]


def _unchanged(value: str) -> str:
    return value


def _one_line(value: str) -> str:
    """A name: a line break in it only lays the document out."""
    return _LINE_BREAK.sub(" ", value) if "\n" in value or "\r" in value else value


def _join_address(value: str) -> str:
    """An address, which holds no white space: one that was broken over lines is put together."""
    return _LINE_BREAK.sub("", value) if "\n" in value or "\r" in value else value


def _read_address(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
    """A property with one address; a file's own address (gmx:FileName/@src) goes before its name."""
    mark = len(walker.unread_items)
    value = walker.text(prop)
    source = clean_text(prop[0].get("src")) if len(prop) == 1 else None
    if source is not None and "://" in source and "://" not in (value or ""):
        del walker.unread_items[mark:]
        if value is not None:
            walker.add_unread(prop[0], value)
        value = source
    if value is not None:
        set_once(walker, prop, values, "url", _join_address(value))


_LINE_BREAK = re.compile(r"\s*[\r\n]\s*")
#: how a text is taken, by its field; all others are names
_NORMALISERS = {
    **dict.fromkeys(("abstract", "purpose", "description", "lineage", "explanation", "fees", "credits"), _unchanged)
}


def text(field: str) -> Handler:
    """A property with one text; a second one is kept as unread."""
    if field == "url":
        return _read_address
    form = _NORMALISERS.get(field, _one_line)

    def read(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
        value = walker.text(prop)
        if value is not None:
            set_once(walker, prop, values, field, form(value))
    return read


def texts(field: str) -> Handler:
    """A property that may repeat: each text is added."""
    form = _NORMALISERS.get(field, _one_line)

    def read(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
        value = walker.text(prop)
        if value is not None:
            values.setdefault(field, []).append(form(value))
    return read


def code(field: str) -> Handler:
    """A code list property; a second one is kept as unread."""
    def read(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
        value = walker.code(prop)
        if value is not None:
            set_once(walker, prop, values, field, value)
    return read


def codes(field: str) -> Handler:
    """A code list property that may repeat."""
    def read(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
        value = walker.code(prop)
        if value is not None:
            values.setdefault(field, []).append(value)
    return read


def nested(table: HandlerTable) -> Handler:
    """A property whose object's own properties go into the same bag."""
    def read(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
        for item in walker.objects(prop):
            walker.walk(item, table, values)
    return read


def repeat(field: str, table: HandlerTable, build: Builder) -> Handler:
    """A property that may repeat: each object becomes one value; one that makes none is left unread."""
    def read(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
        for item in walker.objects(prop):
            value = build_one(walker, item, table, build)
            if value is not None:
                values.setdefault(field, []).append(value)
    return read


def reference(field: str) -> Handler:
    """A property that names another thing by uuidref or xlink:href; what stands inside it is left unread."""
    def read(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
        identifier = clean_text(prop.get("uuidref"))
        taken = "uuidref"
        if identifier is None:
            identifier, taken = clean_text(prop.get(HREF)), HREF
        if identifier is not None:
            values.setdefault(field, []).append(identifier)
        walker.add_unread_attributes(prop, frozenset((taken,)))
        for item in prop:
            walker.add_unread_element(item)
        direct_text = clean_text(prop.text)
        if direct_text is not None:
            walker.add_unread(prop, direct_text)
    return read


def set_once(walker: ElementWalker, prop: Element, values: FieldValues, field: str, value: Any) -> None:
    """Give ``field`` its value, or keep the value as unread where the field has one already."""
    if field in values:
        if values[field] != value:
            walker.add_unread(prop, str(value))
    else:
        values[field] = value


def build_one(walker: ElementWalker, item: Element, table: HandlerTable, build: Builder) -> Optional[Any]:
    """The value that one object makes, or None with everything in the object left unread."""
    mark = len(walker.unread_items)
    values: FieldValues = {}
    walker.walk(item, table, values)
    value = build(values) if values else None
    if value is None and values:
        del walker.unread_items[mark:]
        walker.add_unread_element(item)
    return value
