"""The walk without its book of what is left: the same fields in less time, for those who only index records."""

from __future__ import annotations

from typing import FrozenSet, Iterable, Optional, Tuple

from ..model.languages import alpha3
from ..model.record import UnreadValue
from .element_names import ISO_NAMES, ElementNames
from .element_walker import NIL_REASONS, REGISTER_CODE_PREFIX, Element, ElementWalker, FieldValues, HandlerTable

_DASHES = frozenset("-–—")
_LONGER_THAN_NIL_REASON = 1 + max(len(reason) for reason in NIL_REASONS)


def make_walker(root: Element, language: str, all_fields: bool, names: ElementNames = ISO_NAMES) -> ElementWalker:
    """A reading that lists everything that no field takes, or (not whole) one that passes over it."""
    return (ElementWalker if all_fields else FastElementWalker)(root, alpha3(language), names)


class FastElementWalker(ElementWalker):
    """A reading that keeps nothing: its record has every field, and an empty ``unread``."""

    __slots__ = ()

    def add_unread(self, element: Element, text: str, attribute: Optional[str] = None) -> None:
        """Pass over a value."""

    def add_unread_attributes(self, element: Element, except_for: FrozenSet[str] = frozenset()) -> None:
        """Pass over attributes."""

    def add_unread_element(self, element: Element) -> None:
        """Pass over an element."""

    def unread_values(self) -> Tuple[UnreadValue, ...]:
        """Nothing."""
        return ()

    def walk(self, element: Element, table: HandlerTable, values: FieldValues) -> None:
        """Read the properties that ``table`` names."""
        names = self.names
        for prop in element:
            handler = table.get(names[prop.tag])
            if handler is not None:
                handler(self, prop, values)

    def objects(self, prop: Element) -> Iterable[Element]:
        """The property itself: whoever goes through it finds the objects; or what an empty one refers to."""
        return prop if len(prop) or not prop.keys() else self.resolve_reference(prop)

    def text(self, prop: Element) -> Optional[str]:
        """The text of a property; the plain case without looking at attributes."""
        if len(prop) == 1:
            text = _plain_text(prop[0])
            if text is not None:
                return text
        return super().text(prop)

    def text_and_href(self, prop: Element) -> Tuple[Optional[str], Optional[str]]:
        """The text of a property and the address that an Anchor gives it."""
        if len(prop) == 1 and not prop.text:
            child = prop[0]
            text = _plain_text(child)
            if text is not None and not child.keys():
                return text, None
        return super().text_and_href(prop)

    def code(self, prop: Element) -> Optional[str]:
        """The code of a code list property; the plain case without looking at its text."""
        if len(prop) == 1:
            value = prop[0].get("codeListValue")
            if value:
                value = value.strip()
                if value and value[0] not in _DASHES and ":" not in value and value.lower() not in NIL_REASONS \
                        and not value.startswith(REGISTER_CODE_PREFIX):
                    return value
        return super().code(prop)


def _plain_text(child: Element) -> Optional[str]:
    """The text of an element that holds nothing else, where nothing has to be known to take it as it stands."""
    text = child.text
    if not text:
        return None
    text = text.strip()
    if not text or text[0] in _DASHES or len(child) or (len(text) < _LONGER_THAN_NIL_REASON and
                                                        text.lower() in NIL_REASONS):
        return None
    return text
