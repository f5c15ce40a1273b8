"""Sanitising of HTML from servers: text, tables and links stay, active and loaded content is removed."""

from __future__ import annotations

import time
from html import escape
from html.parser import HTMLParser
from typing import List, Optional, Tuple

from ..addresses import is_web_address
from ..i18n import tr
from ..text import without_direction_marks

_ALLOWED_TAGS = frozenset(("a", "b", "blockquote", "br", "caption", "code", "dd", "div", "dl", "dt", "em", "h1", "h2",
                           "h3", "h4", "h5", "h6", "hr", "i", "li", "ol", "p", "pre", "small", "span", "strong", "sub",
                           "sup", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "u", "ul"))
_VOID_TAGS = frozenset(("br", "hr"))
#: removed with their content
_REMOVED_TAGS = frozenset(("script", "style", "title", "template", "noscript", "svg", "math", "iframe", "object",
                           "applet", "select", "textarea", "button", "video", "audio", "canvas", "frameset"))
_SPAN_ATTRIBUTES = ("colspan", "rowspan")
_MAX_PAGE_LENGTH = 100_000
_MAX_FALLBACK_LENGTH = 20_000
_MAX_NESTING = 60
#: seconds of thread time, more than a sound page of that size needs
_MAX_SECONDS = 0.3
_MAX_SPAN = 100


def sanitise_html(page: str) -> str:
    """Return ``page`` as a fragment of well-nested HTML with no attributes but spans and http(s) links."""
    try:
        return _parse_page(page).html()
    except _ParsingTimeout:
        return f"<p>{_escaped_text(page[:_MAX_FALLBACK_LENGTH])}</p>"


def page_is_empty(page: str) -> bool:
    """Return whether the page has no visible content."""
    try:
        return not _parse_page(page).has_text
    except _ParsingTimeout:
        return False


class _ParsingTimeout(Exception):
    """The page takes too long to parse, probably on purpose."""


def _parse_page(page: str) -> _Sanitiser:
    parser = _Sanitiser()
    parser.feed(page[:_MAX_PAGE_LENGTH])
    parser.close()
    return parser


class _Sanitiser(HTMLParser):
    """Parser that keeps allowed tags, closes open ones and replaces images with links."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.has_text = False
        self._fragments: List[str] = []
        self._open_tags: List[str] = []
        self._open_removed_tags: List[str] = []
        self._deadline = time.thread_time() + _MAX_SECONDS

    # for every unclosed tag Python's parser scans the rest of the page, which takes quadratic time

    def parse_starttag(self, i: int) -> int:
        self._check_time()
        return super().parse_starttag(i)

    def parse_endtag(self, i: int) -> int:
        self._check_time()
        return super().parse_endtag(i)

    def parse_html_declaration(self, i: int) -> int:
        self._check_time()
        try:
            return super().parse_html_declaration(i)
        except (AssertionError, NotImplementedError):
            return self.parse_bogus_comment(i)  # a marked section that Python's parser does not know

    def parse_comment(self, i: int, report: bool = True) -> int:
        self._check_time()
        return super().parse_comment(i, report)

    def _check_time(self) -> None:
        if time.thread_time() > self._deadline:
            raise _ParsingTimeout

    def handle_starttag(self, tag: str, attrs: List[Tuple[str, Optional[str]]]) -> None:
        if self._open_removed_tags:
            if tag in _REMOVED_TAGS:
                self._open_removed_tags.append(tag)
        elif tag in _REMOVED_TAGS:
            self._open_removed_tags.append(tag)
        elif tag == "img":
            self._replace_image(dict(attrs))
        elif tag in _VOID_TAGS:
            self._fragments.append(f"<{tag}>")
        elif tag in _ALLOWED_TAGS and len(self._open_tags) < _MAX_NESTING:
            self._open_tags.append(tag)
            self._fragments.append(f"<{tag}{_allowed_attributes(tag, dict(attrs))}>")

    def handle_startendtag(self, tag: str, attrs: List[Tuple[str, Optional[str]]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in _VOID_TAGS and tag != "img":
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if self._open_removed_tags:
            if tag == self._open_removed_tags[-1]:
                self._open_removed_tags.pop()
        elif tag in self._open_tags:
            while self._open_tags:
                inner = self._open_tags.pop()
                self._fragments.append(f"</{inner}>")
                if inner == tag:
                    break

    def handle_data(self, data: str) -> None:
        if not self._open_removed_tags:
            self.has_text = self.has_text or bool(data.strip())
            self._fragments.append(_escaped_text(data))

    def html(self) -> str:
        return "".join([*self._fragments, *(f"</{tag}>" for tag in reversed(self._open_tags))])

    def _replace_image(self, attributes: dict[str, Optional[str]]) -> None:
        """Replace an image, which must not be loaded, with its alternative text as a link."""
        text = _escaped_text(attributes.get("alt") or tr("image"))
        address = (attributes.get("src") or "").strip()
        self.has_text = True
        self._fragments.append(
            f'<a href="{escape(address, quote=True)}">[{text}]</a>' if is_web_address(address) else f"[{text}]")


def _escaped_text(text: str) -> str:
    # marks may be written as references (&#8238;), which the parser has replaced by now
    return escape(without_direction_marks(text))


def _allowed_attributes(tag: str, attributes: dict[str, Optional[str]]) -> str:
    allowed = ""
    if tag == "a":
        address = (attributes.get("href") or "").strip()
        return f' href="{escape(address, quote=True)}"' if is_web_address(address) else ""
    if tag in ("td", "th"):
        for name in _SPAN_ATTRIBUTES:
            value = (attributes.get(name) or "").strip()
            if value.isascii() and value.isdigit() and 1 < int(value[:6]) <= _MAX_SPAN:
                allowed += f' {name}="{int(value)}"'
    return allowed
