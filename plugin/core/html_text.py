"""Plain text of texts with HTML, as people type it into the fields of records and services: names, links, entities."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import FrozenSet, List, Optional, Pattern, Tuple

from .text import without_direction_marks

#: elements that begin and end a line
_BLOCKS = frozenset(("address", "article", "blockquote", "br", "center", "dd", "div", "dl", "dt", "h1", "h2", "h3",
                     "h4", "h5", "h6", "hr", "li", "ol", "p", "pre", "section", "table", "tbody", "tr", "ul"))
_INLINE = frozenset(("a", "abbr", "b", "big", "body", "cite", "code", "em", "font", "html", "i", "img", "ins", "mark",
                     "q", "s", "small", "span", "strike", "strong", "sub", "sup", "td", "th", "tt", "u"))
#: elements that are removed with what they contain
_REMOVED = frozenset(("script", "style", "head", "noscript", "iframe"))
#: elements that HTML leaves open, so that one tag is enough to know them by
_OPEN = frozenset(("br", "dd", "dt", "hr", "img", "li", "p", "td", "th", "tr"))
_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9]{0,11})((?:[\s/](?:[^<>\"']|\"[^\"<>]*\"|'[^'<>]*')*)?)>")
_DOCTYPE = re.compile(r"<!DOCTYPE\b[^<>]*>", re.IGNORECASE)
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_SPACES = re.compile(r"[ \t\r\f\v]+")
_ANY_SPACES = re.compile(r"[ \t\r\n\f\v]+")
_LINE_ENDS = re.compile(r" ?(?:\n ?){2,}")
_MAX_ADDRESSES = 20


@dataclass(frozen=True)
class HtmlText:
    """Text without tags and entities, the addresses of its links, and the text with each address behind its name."""

    text: str
    addresses: Tuple[str, ...] = ()
    with_addresses: str = ""

    @property
    def address(self) -> Optional[str]:
        """Return the address of the only link, or None."""
        return self.addresses[0] if len(self.addresses) == 1 else None

    def followed_by_addresses(self) -> str:
        """Return the text and its addresses, each on a separate line, outside the names and sentences."""
        return "\n".join((self.text, *(address for address in self.addresses if address not in self.text)))


def read_html_text(text: str) -> HtmlText:
    """Return what a text says that may hold HTML, also HTML whose characters were escaped once more.

    A text without HTML is returned as it is, so "< 5 m", "R&D" and "<Jahr>" are untouched.
    """
    if "<" not in text and "&" not in text:
        return HtmlText(text, (), text)
    return _read(text)


def plain_text(text: str) -> str:
    """Return a text that may hold HTML as plain text, with the address of a link in brackets behind its name."""
    return text if "<" not in text and "&" not in text else _read(text).with_addresses


def without_markup(text: str) -> str:
    """Return a text that may hold HTML as plain text, without the tags that nobody has closed either."""
    plain = read_html_text(text).text
    return _TAG.sub(lambda match: " " if match.group(2).lower() in _BLOCKS | _INLINE else match[0],
                    plain) if "<" in plain else plain


@lru_cache(maxsize=256)
def _read(text: str) -> HtmlText:
    tags = _html_tags(text)
    if not tags:
        unescaped = _without_entities(text)
        tags = _html_tags(unescaped) if unescaped != text else frozenset()
        if not tags:
            unescaped = _without_entities(unescaped)
            return HtmlText(unescaped, (), unescaped)
        text = unescaped
    return _Reader(tags).read(_DOCTYPE.sub("", _without_comments(text)))


def _html_tags(text: str) -> FrozenSet[str]:
    """Return the elements of HTML in ``text``. One without attributes and without an end is a mere word."""
    found = set()
    bare, closed = set(), set()
    for match in _TAG.finditer(text):
        name = match.group(2).lower()
        if name not in _BLOCKS and name not in _INLINE and name not in _REMOVED:
            continue
        if match.group(1):
            closed.add(name)
        elif name in _OPEN or "=" in match.group(3) or match.group(3).strip() == "/":
            found.add(name)
        else:
            bare.add(name)
    return frozenset(found | (bare & closed))


def _without_comments(text: str) -> str:
    pieces: List[str] = []
    end = 0
    while True:
        start = text.find("<!--", end)
        closing = text.find("-->", start + 4) if start >= 0 else -1
        if closing < 0:
            return "".join((*pieces, text[end:]))
        pieces.append(text[end:start])
        end = closing + 3


def _without_entities(text: str) -> str:
    if "&" not in text:
        return text
    import html  # its table of entities would be read at the start of QGIS

    return without_direction_marks(_ENTITY.sub(lambda match: html.unescape(match[0]), text)).replace("\xa0", " ")


@lru_cache(maxsize=8)
def _attribute(name: str) -> Pattern[str]:
    return re.compile(rf"(?:\A|[\s\"'/]){name}\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))", re.IGNORECASE)


def _value_of(name: str, attributes: str) -> str:
    match = _attribute(name).search(attributes)
    return _without_entities((match.group(1) or match.group(2) or match.group(3) or "").strip()) if match else ""


class _Reader:
    """Reader of one text. Its two lists hold the same text, without and with the addresses of links."""

    def __init__(self, tags: FrozenSet[str]) -> None:
        self._tags = tags
        self._has_blocks = bool(tags & _BLOCKS)
        self._plain: List[str] = []
        self._linked: List[str] = []
        self._addresses: List[str] = []
        self._removed: Optional[str] = None
        #: address of the open link, and where its name begins
        self._link: Optional[Tuple[str, int]] = None

    def read(self, text: str) -> HtmlText:
        end = 0
        for match in _TAG.finditer(text):
            name = match.group(2).lower()
            if name not in self._tags:
                continue
            self._add(text[end:match.start()])
            end = match.end()
            self._read_tag(name, bool(match.group(1)), match.group(3))
        self._add(text[end:])
        self._end_link()
        return HtmlText(_laid_out(self._plain), tuple(dict.fromkeys(self._addresses)), _laid_out(self._linked))

    def _read_tag(self, name: str, is_end: bool, attributes: str) -> None:
        if self._removed is not None:
            if is_end and name == self._removed:
                self._removed = None
        elif name in _REMOVED and not is_end:
            self._removed = name
        elif name in _BLOCKS:
            self._append("\n")
        elif name == "img" and not is_end:
            self._add(_value_of("alt", attributes))
        elif name in ("td", "th") and not is_end:
            self._append(" ")
        elif name == "a":
            self._end_link()
            address = "" if is_end else _value_of("href", attributes)
            if re.match(r"https?://|mailto:|ftp://", address, re.IGNORECASE) and not re.search(r"\s", address):
                self._link = (address, len(self._plain))

    def _end_link(self) -> None:
        if self._link is None:
            return
        address, start = self._link
        self._link = None
        name = " ".join("".join(self._plain[start:]).split())
        if len(self._addresses) < _MAX_ADDRESSES:
            self._addresses.append(address)
        shown = address[len("mailto:"):] if address.lower().startswith("mailto:") else address
        if not name:
            self._append(shown)
        elif shown.rstrip("/") not in name and name not in shown:
            self._linked.append(f" ({shown})")

    def _add(self, text: str) -> None:
        if text and self._removed is None:
            if self._has_blocks:
                text = _ANY_SPACES.sub(" ", text)
            self._append(_without_entities(_without_entities(text)))

    def _append(self, text: str) -> None:
        self._plain.append(text)
        self._linked.append(text)


def _laid_out(pieces: List[str]) -> str:
    text = _SPACES.sub(" ", "".join(pieces))
    return _LINE_ENDS.sub("\n\n", re.sub(r" ?\n ?", "\n", text)).strip()
