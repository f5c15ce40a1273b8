"""Handlers that turn one property of an ISO object into a field, and from which the readers build their tables."""

from __future__ import annotations

import re
from typing import Any, Callable, List, Optional

from ...html_text import plain_text, read_html_text
from ..model.record import Constraint
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
#: prose, in which a link stays beside its name
_PROSE = frozenset(("abstract", "purpose", "description", "lineage", "explanation", "fees"))
#: names, of which the addresses of links are no part
_NAMES = frozenset(("title", "alternate_titles", "credits", "organisation", "individual", "name"))
#: fields whose text keeps its line breaks. All others are names on one line.
_NORMALISERS = {
    **dict.fromkeys(("abstract", "purpose", "description", "lineage", "explanation", "fees", "credits"), _unchanged)
}


def _without_html(walker: ElementWalker, prop: Element, field: str, value: str) -> str:
    """Return the value of a field as plain text. Addresses of links that the text no longer has are unread."""
    if "<" not in value and "&" not in value:
        return value
    if field in _PROSE:
        return plain_text(value)
    if field not in _NAMES:
        return value
    found = read_html_text(value)
    for address in found.addresses:
        if address not in found.text:
            walker.add_unread(prop, address)
    return found.text


def html_constraints(value: Optional[str], href: Optional[str] = None) -> List[Constraint]:
    """Return a text about use as plain text, with the address of its link, and one more for each further link."""
    if value is None or "<" not in value and "&" not in value:
        return [Constraint(value, href)]
    found = read_html_text(value)
    addresses = [address for address in found.addresses if address not in (found.text, href)]
    if href is None and addresses:
        href = addresses.pop(0)
    return [Constraint(found.text or None, href), *(Constraint(None, address) for address in addresses)]


def text(field: str) -> Handler:
    """Return a handler for a property with one text. A second text is unread."""
    if field == "url":
        return _read_address
    form = _NORMALISERS.get(field, _one_line)

    def read(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
        value = walker.text(prop)
        if value is not None:
            set_once(walker, prop, values, field, form(_without_html(walker, prop, field, value)))
    return read


def texts(field: str) -> Handler:
    """Return a handler for a repeatable property with texts."""
    form = _NORMALISERS.get(field, _one_line)

    def read(walker: ElementWalker, prop: Element, values: FieldValues) -> None:
        value = walker.text(prop)
        if value is not None:
            values.setdefault(field, []).append(form(_without_html(walker, prop, field, value)))
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
