"""Element names of the ISO metadata encodings, known by namespace URI and independent of the document's prefixes."""

from __future__ import annotations

import re
from typing import Any, Dict, Pattern

#: namespaces whose elements are known by their local name: ISO 19139, ISO 19115-3, ISO 19157, ISO 19110 and GML in
#: every version and draft. Elements without a namespace (``xmlns=""``) are known too.
_ISO_NAMESPACES = re.compile(
    r"https?://(?:www\.isotc211\.org/|(?:www\.)?standards\.iso\.org/|schemas\.isotc211\.org/"
    r"|www\.opengis\.net/gml|www\.opengis\.net/srv)", re.IGNORECASE)

#: well-known prefixes, used in paths instead of those of the document
_PREFIXES = {
    "http://www.isotc211.org/2005/gmd": "gmd",
    "http://www.isotc211.org/2005/gco": "gco",
    "http://www.isotc211.org/2005/srv": "srv",
    "http://www.isotc211.org/2005/gmx": "gmx",
    "http://www.isotc211.org/2005/gts": "gts",
    "http://www.isotc211.org/2005/gss": "gss",
    "http://www.isotc211.org/2005/gsr": "gsr",
    "http://www.isotc211.org/2005/gmi": "gmi",
    "http://standards.iso.org/iso/19115/-2/gmi/1.0": "gmi",
    "http://www.w3.org/1999/xlink": "xlink",
    "http://www.w3.org/2001/XMLSchema-instance": "xsi",
    "http://www.w3.org/XML/1998/namespace": "xml",
    "http://purl.org/dc/elements/1.1/": "dc",
    "http://purl.org/dc/terms/": "dct",
    "http://www.w3.org/2005/Atom": "atom",
    "http://www.geocat.ch/2008/che": "che",
    "http://bluenet3.antcrc.utas.edu.au/mcp": "mcp",
}
_VERSIONED = re.compile(r"/(?:-\d/)?([a-z]{3})/\d[\d.]*/?$")
_CACHE_LIMIT = 4096


def split_tag(tag: str) -> tuple[str, str]:
    """Return the namespace URI ("" if it has none) and the local name of a tag in Clark notation."""
    if tag[:1] == "{":
        namespace, _, local = tag[1:].partition("}")
        return namespace, local
    return "", tag


class ElementNames(Dict[Any, str]):
    """Cache of the names that the handler tables use, keyed by tag.

    The name is the local name, preceded by ``+`` if the namespace does not match ``namespaces``.
    """

    def __init__(self, namespaces: Pattern[str]) -> None:
        super().__init__()
        self._namespaces = namespaces

    def __missing__(self, tag: Any) -> str:
        if not isinstance(tag, str):
            return ""  # an entity reference, which has no name
        namespace, local = split_tag(tag)
        name = local if not namespace or self._namespaces.match(namespace) else "+" + local
        if len(self) >= _CACHE_LIMIT:
            self.clear()
        self[tag] = name
        return name


class _ReadableNames(Dict[str, str]):
    """Cache of the names shown in a path (``gmd:title``), keyed by tag."""

    def __missing__(self, tag: str) -> str:
        namespace, local = split_tag(tag)
        prefix = _PREFIXES.get(namespace) or _guess_prefix(namespace)
        name = f"{prefix}:{local}" if prefix else local
        if len(self) >= _CACHE_LIMIT:
            self.clear()
        self[tag] = name
        return name


def _guess_prefix(namespace: str) -> str:
    if "opengis.net/gml" in namespace:
        return "gml"
    versioned = _VERSIONED.search(namespace)
    return versioned.group(1) if versioned else ""


ISO_NAMES = ElementNames(_ISO_NAMESPACES)
READABLE_NAMES = _ReadableNames()


def readable_name(element: Any) -> str:
    """Return the name of ``element`` as shown in a path, with the well-known prefix of its namespace or the document's
    prefix.
    """
    name = READABLE_NAMES[element.tag]
    if ":" not in name and element.prefix:
        return f"{element.prefix}:{name}"
    return name
