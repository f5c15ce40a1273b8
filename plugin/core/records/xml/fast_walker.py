"""Element walker that does not collect unread values: the same fields in less time, for indexing."""

from __future__ import annotations

from typing import FrozenSet, Iterable, Optional, Tuple

from ..model.languages import alpha3
from ..model.record import UnreadValue
from .element_names import ISO_NAMES, ElementNames
from .element_walker import (
    NIL_REASONS,
    REGISTER_CODE_PREFIX,
    Element,
    ElementWalker,
    FieldValues,
    HandlerTable,
    iso_type,
)

_DASHES = frozenset("-–—")
_LONGER_THAN_NIL_REASON = 1 + max(len(reason) for reason in NIL_REASONS)


def make_walker(root: Element, language: str, all_fields: bool, names: ElementNames = ISO_NAMES) -> ElementWalker:
    """Return a walker for ``root``: one that lists all unread values (``all_fields``), or the faster one for indexing.

    ``language`` is an ISO 639 code of two or three letters.
    """
    return (ElementWalker if all_fields else FastElementWalker)(root, alpha3(language), names)


class FastElementWalker(ElementWalker):
    """Element walker that collects no unread values. Its record has every field and an empty ``unread``."""

    __slots__ = ()

    def add_unread(self, element: Element, text: str, attribute: Optional[str] = None) -> None:
        """Ignore a value."""

    def add_unread_attributes(self, element: Element, except_for: FrozenSet[str] = frozenset()) -> None:
        """Ignore attributes."""

    def add_unread_element(self, element: Element) -> None:
        """Ignore an element."""

    def unread_values(self) -> Tuple[UnreadValue, ...]:
        """Return an empty tuple."""
        return ()

    def walk(self, element: Element, table: HandlerTable, values: FieldValues) -> None:
        """Read the properties named in ``table``."""
        names = self.names
        for prop in element:
            handler = table.get(names[prop.tag]) or prop.keys() and table.get(iso_type(prop))
            if handler:
                handler(self, prop, values)

    def objects(self, prop: Element) -> Iterable[Element]:
        """Return the property itself, whose children are the objects, or the object that an empty property refers to.
        """
        return prop if len(prop) or not prop.keys() else self.resolve_reference(prop)

    def text(self, prop: Element) -> Optional[str]:
        """Return the text of a property. Attributes are not examined in the plain case."""
        if len(prop) == 1:
            text = _plain_text(prop[0])
            if text is not None:
                return text
        return super().text(prop)

    def text_and_href(self, prop: Element) -> Tuple[Optional[str], Optional[str]]:
        """Return the text of a property and the address that an Anchor gives it."""
        if len(prop) == 1 and not prop.text:
            child = prop[0]
            text = _plain_text(child)
            if text is not None and not child.keys():
                return text, None
        return super().text_and_href(prop)

    def code(self, prop: Element) -> Optional[str]:
        """Return the code of a code list property. Its text is not examined in the plain case."""
        if len(prop) == 1:
            value = prop[0].get("codeListValue")
            if value:
                value = value.strip()
                if value and value[0] not in _DASHES and ":" not in value and value.lower() not in NIL_REASONS \
                        and not value.startswith(REGISTER_CODE_PREFIX):
                    return value
        return super().code(prop)


def _plain_text(child: Element) -> Optional[str]:
    """Return the text of an element without children, or None if it may need the complete treatment."""
    text = child.text
    if not text:
        return None
    text = text.strip()
    if not text or text[0] in _DASHES or len(child):
        return None
    if len(text) < _LONGER_THAN_NIL_REASON and text.lower() in NIL_REASONS:
        return None
    return text
