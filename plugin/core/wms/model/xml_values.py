"""Values as WMS documents write them: names without prefixes, text, numbers, booleans, addresses (OGC 06-042 6.5)."""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import Dict, Iterator, Optional, Tuple

from lxml import etree

WMS_NAMESPACE = "http://www.opengis.net/wms"

_LINE_BREAKS = re.compile(r"\s*[\r\n\t]\s*")
_INTEGER = re.compile(r"[+-]?\d{1,12}(?:[.,]0*)?\Z")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\Z")
_COMMA_DECIMAL = re.compile(r"([+-]?\d*),(\d+(?:[eE][+-]?\d+)?)\Z")
#: no number in a capabilities document needs more
_MAX_NUMBER_LENGTH = 64
_TRUE = frozenset(("1", "true", "yes"))
_FALSE = frozenset(("0", "false", "no"))


def local_name(element: etree._Element) -> str:
    """The element's name without its namespace."""
    return str(element.tag).rpartition("}")[2]


def namespace(element: etree._Element) -> str:
    """The element's namespace, or an empty string."""
    return _namespace_in(str(element.tag))


@lru_cache(maxsize=4096)
def _namespace_in(tag: str) -> str:
    return tag[1:].partition("}")[0] if tag.startswith("{") else ""


def children(element: etree._Element) -> Iterator[Tuple[str, etree._Element]]:
    """(name, child) of the child elements that belong to WMS: those of a foreign vocabulary are passed over.

    The namespace of 1.3.0, none (1.1.x), and the parent's own count as WMS, so that wrongly bound documents are read
    too.
    """
    own = namespace(element)
    for child in element:
        tag = child.tag
        if isinstance(tag, str):
            name = _wms_name(own, tag)
            if name:
                yield name, child


@lru_cache(maxsize=4096)
def _wms_name(own: str, tag: str) -> str:
    """The name of what is called ``tag`` below an element of the namespace ``own``; empty where it is foreign."""
    if tag[0] != "{":
        return tag
    space, _, name = tag[1:].partition("}")
    return name if space == own or space.startswith(WMS_NAMESPACE) else ""


def child(element: Optional[etree._Element], *path: str) -> Optional[etree._Element]:
    """The first descendant reached by the child names in ``path``, or None."""
    for name in path:
        if element is None:
            return None
        for found_name, found in children(element):
            if found_name == name:
                element = found
                break
        else:
            return None
    return element


def single_line_text(element: Optional[etree._Element]) -> Optional[str]:
    """The element's text, trimmed, its line breaks and tabs made single spaces; None where there is none."""
    if element is None:
        return None
    raw = ((element.text or "") if len(element) == 0 else "".join(element.itertext())).strip()
    return (_LINE_BREAKS.sub(" ", raw) if "\n" in raw or "\t" in raw or "\r" in raw else raw) or None


def multiline_text(element: Optional[etree._Element]) -> Optional[str]:
    """The element's text, trimmed, its paragraphs kept; None where there is none."""
    return None if element is None else "".join(element.itertext()).strip() or None


def child_text(element: Optional[etree._Element], *path: str) -> Optional[str]:
    """The text of the first descendant reached by the child names in ``path``."""
    return single_line_text(child(element, *path))


def attribute(element: etree._Element, name: str) -> Optional[str]:
    """The attribute called ``name``, whatever its namespace and case; trimmed, None where absent or blank."""
    value = element.get(name)
    if value is None:
        wanted = name.lower()
        value = next((str(found) for key, found in element.attrib.items()
                      if str(key).rpartition("}")[2].lower() == wanted), None)
    return value.strip() or None if value else None


def attributes(element: etree._Element) -> Dict[str, str]:
    """All attributes by name, without namespace and in lower case; trimmed, blank ones left out."""
    found = {}
    for key, value in element.items():
        text_of = str(value).strip()
        if text_of:
            found[_plain_name(str(key))] = text_of
    return found


@lru_cache(maxsize=4096)
def _plain_name(key: str) -> str:
    """An attribute's name without its namespace, in lower case."""
    return key.rpartition("}")[2].lower()


def online_resource_url(element: Optional[etree._Element]) -> Optional[str]:
    """The address of an OnlineResource: its ``xlink:href``, or, as 1.0.0 has it, its text."""
    if element is None:
        return None
    return attribute(element, "href") or single_line_text(element)


def parse_number(value: Optional[str]) -> Optional[float]:
    """A finite number, with or without exponent (6.5); a lone decimal comma is understood. None where it is no
    number.
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
    """A whole number, with or without exponent, or None where it is none or absurdly long."""
    if value is None:
        return None
    value = value.strip()
    if _INTEGER.match(value):
        return int(re.split("[.,]", value)[0])
    found = parse_number(value) if "e" in value.lower() else None
    return int(found) if found is not None and found.is_integer() and abs(found) < 1e12 else None


def parse_positive_integer(value: Optional[str]) -> Optional[int]:
    """A whole number above 0; None for anything else (a limit of 0 is no limit: the schemas want positive numbers)."""
    result = parse_integer(value)
    return result if result is not None and result > 0 else None


def parse_boolean(value: Optional[str]) -> Optional[bool]:
    """``1``/``true`` and ``0``/``false`` (6.5); None where the value says neither."""
    if value is None:
        return None
    word = value.strip().lower()
    return True if word in _TRUE else False if word in _FALSE else None
