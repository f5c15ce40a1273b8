"""HTML from a server made harmless: words, tables and links stay; scripts, styles, forms and everything that would be
loaded go.
"""

from __future__ import annotations

import time
from html import escape
from html.parser import HTMLParser
from typing import List, Optional, Tuple

from ..i18n import tr
from ..records.links import is_web_address

_KEPT = frozenset((
    "a", "b", "blockquote", "br", "caption", "code", "dd", "div", "dl", "dt", "em", "h1", "h2", "h3", "h4", "h5", "h6",
    "hr", "i", "li", "ol", "p", "pre", "small", "span", "strong", "sub", "sup", "table", "tbody", "td", "tfoot", "th",
    "thead", "tr", "u", "ul"))
_ALONE = frozenset(("br", "hr"))
#: gone with all that is inside them
_DROPPED = frozenset(("script", "style", "title", "template", "noscript", "svg", "math", "iframe", "object", "applet",
                      "select", "textarea", "button", "video", "audio", "canvas", "frameset"))
_NUMBERS = ("colspan", "rowspan")
_MOST = 100_000
_MOST_TEXT = 20_000
_MOST_OPEN = 60
#: seconds of this thread that a page of that size never needs
_SECONDS = 0.3
_MOST_SPAN = 100


def safe_fragment(page: str) -> str:
    """``page`` as a fragment of well-nested HTML with no attribute but spans and links to http(s) addresses."""
    try:
        return _cleaned(page).result()
    except _TooLong:
        return f"<p>{escape(page[:_MOST_TEXT])}</p>"


def page_is_empty(page: str) -> bool:
    """Whether nobody would see anything of the page."""
    try:
        return not _cleaned(page).words
    except _TooLong:
        return False


class _TooLong(Exception):
    """The page is made to keep the parser busy."""


def _cleaned(page: str) -> _Cleaner:
    parser = _Cleaner()
    parser.feed(page[:_MOST])
    parser.close()
    return parser


class _Cleaner(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.words = False
        self._out: List[str] = []
        self._open: List[str] = []
        self._dropping: List[str] = []
        self._until = time.thread_time() + _SECONDS

    # Python's parser looks through the whole rest of the page for the end of every tag that has none

    def parse_starttag(self, i: int) -> int:
        self._check_time()
        return super().parse_starttag(i)

    def parse_endtag(self, i: int) -> int:
        self._check_time()
        return super().parse_endtag(i)

    def parse_html_declaration(self, i: int) -> int:
        self._check_time()
        return super().parse_html_declaration(i)

    def parse_comment(self, i: int, report: bool = True) -> int:
        self._check_time()
        return super().parse_comment(i, report)

    def _check_time(self) -> None:
        if time.thread_time() > self._until:
            raise _TooLong

    def handle_starttag(self, tag: str, attrs: List[Tuple[str, Optional[str]]]) -> None:
        if self._dropping:
            if tag in _DROPPED:
                self._dropping.append(tag)
        elif tag in _DROPPED:
            self._dropping.append(tag)
        elif tag == "img":
            self._picture(dict(attrs))
        elif tag in _ALONE:
            self._out.append(f"<{tag}>")
        elif tag in _KEPT and len(self._open) < _MOST_OPEN:
            self._open.append(tag)
            self._out.append(f"<{tag}{_attributes(tag, dict(attrs))}>")

    def handle_startendtag(self, tag: str, attrs: List[Tuple[str, Optional[str]]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in _ALONE and tag != "img":
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if self._dropping:
            if tag == self._dropping[-1]:
                self._dropping.pop()
        elif tag in self._open:
            while self._open:
                inner = self._open.pop()
                self._out.append(f"</{inner}>")
                if inner == tag:
                    break

    def handle_data(self, data: str) -> None:
        if not self._dropping:
            self.words = self.words or bool(data.strip())
            self._out.append(escape(data))

    def result(self) -> str:
        return "".join([*self._out, *(f"</{tag}>" for tag in reversed(self._open))])

    def _picture(self, attributes: dict[str, Optional[str]]) -> None:
        """A picture is not loaded: its words stand for it, as a link that a person may follow."""
        words = escape(attributes.get("alt") or tr("picture"))
        address = (attributes.get("src") or "").strip()
        self.words = True
        self._out.append(f'<a href="{escape(address, quote=True)}">[{words}]</a>' if is_web_address(address)
                         else f"[{words}]")


def _attributes(tag: str, attributes: dict[str, Optional[str]]) -> str:
    kept = ""
    if tag == "a":
        address = (attributes.get("href") or "").strip()
        return f' href="{escape(address, quote=True)}"' if is_web_address(address) else ""
    if tag in ("td", "th"):
        for name in _NUMBERS:
            value = (attributes.get(name) or "").strip()
            if value.isascii() and value.isdigit() and 1 < int(value[:6]) <= _MOST_SPAN:
                kept += f' {name}="{int(value)}"'
    return kept
