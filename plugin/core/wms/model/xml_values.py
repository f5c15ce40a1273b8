"""Values in WMS documents: element names, text, numbers, booleans and addresses (OGC 06-042 6.5)."""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import Collection, Dict, Iterator, List, Optional, Tuple

from lxml import etree

from ...html_text import plain_text, read_html_text
from ...text import single_line

WMS_NAMESPACE = "http://www.opengis.net/wms"

_LINE_BREAKS = re.compile(r"(?<!\s)\s*[\r\n\t]\s*")
_INTEGER = re.compile(r"[+-]?\d{1,12}(?:[.,]0*)?\Z")
_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\Z")
_COMMA_DECIMAL = re.compile(r"([+-]?\d*),(\d+(?:[eE][+-]?\d+)?)\Z")
#: characters, more than any number in a capabilities document needs
_MAX_NUMBER_LENGTH = 64
_TRUE = frozenset(("1", "true", "yes"))
_FALSE = frozenset(("0", "false", "no"))


def local_name(element: etree._Element) -> str:
    """Return the element's name without its namespace. Comments and processing instructions have none."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def has_name(element: etree._Element, *names: str) -> bool:
    """Return whether the element's name without its namespace is one of ``names``."""
    return local_name(element) in names


def namespace(element: etree._Element) -> str:
    """Return the element's namespace, or an empty string."""
    return _namespace_in(str(element.tag))


@lru_cache(maxsize=4096)
def _namespace_in(tag: str) -> str:
    return tag[1:].partition("}")[0] if tag.startswith("{") else ""


def children(element: etree._Element) -> Iterator[Tuple[str, etree._Element]]:
    """Yield (name, child) for the child elements that belong to WMS.

    The namespace of 1.3.0, no namespace (1.1.x) and the parent's namespace count as WMS, so documents with a wrong
    binding are read too. Elements of other vocabularies are skipped.
    """
    parent_namespace = namespace(element)
    for child in element:
        tag = child.tag
        if isinstance(tag, str):
            name = _wms_name(parent_namespace, tag)
            if name:
                yield name, child


@lru_cache(maxsize=4096)
def _wms_name(parent_namespace: str, tag: str) -> str:
    """Return the local name of ``tag`` below an element of ``parent_namespace``, or "" for a foreign element."""
    if tag[0] != "{":
        return tag
    tag_namespace, _, name = tag[1:].partition("}")
    return name if tag_namespace == parent_namespace or tag_namespace.startswith(WMS_NAMESPACE) else ""


def child(element: Optional[etree._Element], *path: str) -> Optional[etree._Element]:
    """Return the first descendant reached by the child names in ``path``, or None."""
    for name in path:
        if element is None:
            return None
        for child_name, descendant in children(element):
            if child_name == name:
                element = descendant
                break
        else:
            return None
    return element


def descendants(element: etree._Element, names: Collection[str]) -> Iterator[etree._Element]:
    """Yield the descendants whose local name is one of ``names``, in any namespace."""
    return (descendant for descendant in element.iter() if descendant is not element and has_name(descendant, *names))


def named_children(element: Optional[etree._Element], *names: str) -> List[etree._Element]:
    """Return the child elements whose local name is one of ``names``, in any namespace."""
    return [] if element is None else [part for part in element if has_name(part, *names)]


def named_text(element: Optional[etree._Element], *names: str) -> str:
    """Return the text of the first child called as the first of ``names`` that there is, on one line, or ""."""
    found = (part for name in names for part in named_children(element, name))
    return next((single_line("".join(part.itertext())) for part in found), "")


def element_text(element: etree._Element) -> str:
    """Return the whole text in the element with single spaces."""
    return " ".join("".join(element.itertext()).split())


def single_line_text(element: Optional[etree._Element]) -> Optional[str]:
    """Return the trimmed text with line breaks and tabs as single spaces, or None if there is no text."""
    if element is None:
        return None
    raw = ((element.text or "") if len(element) == 0 else "".join(element.itertext())).strip()
    return (_LINE_BREAKS.sub(" ", raw) if "\n" in raw or "\t" in raw or "\r" in raw else raw) or None


def multiline_text(element: Optional[etree._Element]) -> Optional[str]:
    """Return the trimmed text with its paragraphs kept, or None if there is no text."""
    return None if element is None else "".join(element.itertext()).strip() or None


def name_of(element: Optional[etree._Element]) -> Optional[str]:
    """Return a title on one line without HTML, or None if there is no text."""
    value = single_line_text(element)
    if value is None or "<" not in value and "&" not in value:
        return value
    return " ".join(read_html_text(value).text.split()) or None


def prose(element: Optional[etree._Element]) -> Optional[str]:
    """Return the trimmed text with its paragraphs, and with the addresses of links beside their names."""
    value = multiline_text(element)
    return plain_text(value) or None if value else value


def terms_text(element: Optional[etree._Element]) -> Optional[str]:
    """Return the trimmed text without HTML, and each address of its links on a separate line."""
    value = multiline_text(element)
    return read_html_text(value).followed_by_addresses().strip() or None if value else value


def child_text(element: Optional[etree._Element], *path: str) -> Optional[str]:
    """Return the text of the first descendant reached by the child names in ``path``, or None."""
    return single_line_text(child(element, *path))


def attribute(element: etree._Element, name: str) -> Optional[str]:
    """Return the attribute called ``name`` in any namespace and case, trimmed, or None if absent or blank."""
    value = element.get(name)
    if value is None:
        lower_name = name.lower()
        value = next((str(candidate) for key, candidate in element.attrib.items()
                      if str(key).rpartition("}")[2].lower() == lower_name), None)
    return value.strip() or None if value else None


def attributes(element: etree._Element) -> Dict[str, str]:
    """Return all attributes that are not blank, by lower-case name without namespace, trimmed."""
    values = {}
    for key, value in element.items():
        trimmed = str(value).strip()
        if trimmed:
            values[_plain_name(str(key))] = trimmed
    return values


@lru_cache(maxsize=4096)
def _plain_name(key: str) -> str:
    """Return an attribute's name without its namespace, in lower case."""
    return key.rpartition("}")[2].lower()


def online_resource_url(element: Optional[etree._Element]) -> Optional[str]:
    """Return the address of an OnlineResource: its ``xlink:href``, or its text as in WMS 1.0.0."""
    if element is None:
        return None
    return attribute(element, "href") or single_line_text(element)


def parse_number(value: Optional[str]) -> Optional[float]:
    """Return a finite number, with or without exponent (6.5), or None.

    A decimal comma is accepted.
    """
    if value is None:
        return None
    value = value.strip()
    if len(value) > _MAX_NUMBER_LENGTH:
        return None
    comma = _COMMA_DECIMAL.match(value) if "," in value else None
    if comma:
        value = f"{comma.group(1)}.{comma.group(2)}"
    if not _NUMBER.match(value):
        return None
    result = float(value)
    return result if math.isfinite(result) else None


def parse_integer(value: Optional[str]) -> Optional[int]:
    """Return a whole number, with or without exponent, or None if it is not one or exceeds twelve digits."""
    if value is None:
        return None
    value = value.strip()
    if _INTEGER.match(value):
        return int(re.split("[.,]", value)[0])
    parsed = parse_number(value) if "e" in value.lower() else None
    return int(parsed) if parsed is not None and parsed.is_integer() and abs(parsed) < 1e12 else None


def parse_positive_integer(value: Optional[str]) -> Optional[int]:
    """Return a whole number above 0, or None.

    A limit of 0 means no limit: the schemas require positive numbers.
    """
    result = parse_integer(value)
    return result if result is not None and result > 0 else None


def parse_boolean(value: Optional[str]) -> Optional[bool]:
    """Return the value of ``1``/``true`` or ``0``/``false`` (6.5), or None for any other text."""
    if value is None:
        return None
    word = value.strip().lower()
    return True if word in _TRUE else False if word in _FALSE else None
