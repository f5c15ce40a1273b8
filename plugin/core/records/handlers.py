"""Handlers from which the readers' tables are made: how one property of an ISO object becomes a field."""

from __future__ import annotations

import re
from typing import Any, Callable, Optional

from .reading import HREF, Bag, Element, Handler, Reading, Table, clean

#: makes a value from what an object's properties gave; None where they do not suffice: the object is left unread
Build = Callable[[Bag], Optional[Any]]


def _as_it_stands(value: str) -> str:
    return value


def _one_line(value: str) -> str:
    """A name: a line break in it only lays the document out."""
    return _BREAK.sub(" ", value) if "\n" in value or "\r" in value else value


def _one_address(value: str) -> str:
    """An address, which holds no white space: one that was broken over lines is put together."""
    return _BREAK.sub("", value) if "\n" in value or "\r" in value else value


def _address(reading: Reading, prop: Element, bag: Bag) -> None:
    """A property with one address; a file's own address (gmx:FileName/@src) goes before its name."""
    mark = len(reading.left)
    value = reading.text(prop)
    source = clean(prop[0].get("src")) if len(prop) == 1 else None
    if source is not None and "://" in source and "://" not in (value or ""):
        del reading.left[mark:]
        if value is not None:
            reading.keep(prop[0], value)
        value = source
    if value is not None:
        put(reading, prop, bag, "url", _one_address(value))


_BREAK = re.compile(r"\s*[\r\n]\s*")
#: how a text is taken, by its field; all others are names
_FORMS = {**dict.fromkeys(("abstract", "purpose", "description", "lineage", "explanation", "fees", "credits"),
                          _as_it_stands)}


def text(field: str) -> Handler:
    """A property with one text; a second one is kept as unread."""
    if field == "url":
        return _address
    form = _FORMS.get(field, _one_line)

    def read(reading: Reading, prop: Element, bag: Bag) -> None:
        value = reading.text(prop)
        if value is not None:
            put(reading, prop, bag, field, form(value))
    return read


def texts(field: str) -> Handler:
    """A property that may repeat: each text is added."""
    form = _FORMS.get(field, _one_line)

    def read(reading: Reading, prop: Element, bag: Bag) -> None:
        value = reading.text(prop)
        if value is not None:
            bag.setdefault(field, []).append(form(value))
    return read


def code(field: str) -> Handler:
    """A code list property; a second one is kept as unread."""
    def read(reading: Reading, prop: Element, bag: Bag) -> None:
        value = reading.code(prop)
        if value is not None:
            put(reading, prop, bag, field, value)
    return read


def codes(field: str) -> Handler:
    """A code list property that may repeat."""
    def read(reading: Reading, prop: Element, bag: Bag) -> None:
        value = reading.code(prop)
        if value is not None:
            bag.setdefault(field, []).append(value)
    return read


def inside(table: Table) -> Handler:
    """A property whose object's own properties go into the same bag."""
    def read(reading: Reading, prop: Element, bag: Bag) -> None:
        for item in reading.objects(prop):
            reading.walk(item, table, bag)
    return read


def each(field: str, table: Table, build: Build) -> Handler:
    """A property that may repeat: each object becomes one value; one that makes none is left unread."""
    def read(reading: Reading, prop: Element, bag: Bag) -> None:
        for item in reading.objects(prop):
            value = one(reading, item, table, build)
            if value is not None:
                bag.setdefault(field, []).append(value)
    return read


def reference(field: str) -> Handler:
    """A property that names another thing by uuidref or xlink:href; what stands inside it is left unread."""
    def read(reading: Reading, prop: Element, bag: Bag) -> None:
        identifier = clean(prop.get("uuidref"))
        taken = "uuidref"
        if identifier is None:
            identifier, taken = clean(prop.get(HREF)), HREF
        if identifier is not None:
            bag.setdefault(field, []).append(identifier)
        reading.attributes(prop, frozenset((taken,)))
        for item in prop:
            reading.leave(item)
        own = clean(prop.text)
        if own is not None:
            reading.keep(prop, own)
    return read


def put(reading: Reading, prop: Element, bag: Bag, field: str, value: Any) -> None:
    """Give ``field`` its value, or keep the value as unread where the field has one already."""
    if field in bag:
        if bag[field] != value:
            reading.keep(prop, str(value))
    else:
        bag[field] = value


def one(reading: Reading, item: Element, table: Table, build: Build) -> Optional[Any]:
    """The value that one object makes, or None with everything in the object left unread."""
    mark = len(reading.left)
    bag: Bag = {}
    reading.walk(item, table, bag)
    value = build(bag) if bag else None
    if value is None and bag:
        del reading.left[mark:]
        reading.leave(item)
    return value
