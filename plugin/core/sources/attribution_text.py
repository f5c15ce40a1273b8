"""Attributions of tile sets, styles and services as plain text: most of them are fragments of HTML."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import List, Optional, Tuple

from ..addresses import is_web_address
from ..html_text import plain_text
from ..text import printable, single_line, unique_texts

#: an attribution is a line. A longer text is not read, since html.parser takes quadratic time
_MAX_SOURCE = 4_000
_MAX_LENGTH = 600
#: characters of a text about use that are read
_MAX_TERMS = 20_000
_HIDDEN = ("script", "style", "template")


class _TextCollector(HTMLParser):
    """Collects the text outside scripts and styles, and the first web address that it links to."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: List[str] = []
        self.link = ""
        self._hidden = 0

    def parse_html_declaration(self, i: int) -> int:
        """Pass over a marked section that Python's parser does not know, for which it raises."""
        try:
            return super().parse_html_declaration(i)
        except (AssertionError, NotImplementedError):
            return self.parse_bogus_comment(i)

    def handle_starttag(self, tag: str, attrs: List[Tuple[str, Optional[str]]]) -> None:
        """Note links, and elements whose text is not shown."""
        if tag in _HIDDEN:
            self._hidden += 1
        elif tag in ("br", "p", "li", "div"):
            self.parts.append(" ")
        elif tag == "a" and not self.link:
            address = next((value for name, value in attrs if name == "href" and value), "")
            self.link = address if is_web_address(address) else ""

    def handle_endtag(self, tag: str) -> None:
        """Leave an element whose text is not shown."""
        if tag in _HIDDEN and self._hidden:
            self._hidden -= 1

    def handle_data(self, data: str) -> None:
        """Collect text that is shown."""
        if not self._hidden:
            self.parts.append(data)


def attribution_text(value: object) -> Tuple[str, str]:
    """Return an attribution as plain text on one line, and the first address that it links to.

    Anything but a text gives two empty texts, and so does a text that is too long to be an attribution.
    """
    if not isinstance(value, str) or len(value) > _MAX_SOURCE:
        return "", ""
    collector = _TextCollector()
    collector.feed(value)
    collector.close()
    text = single_line(printable("".join(collector.parts)))
    text = re.sub(r"(?<!\s)\s*\|\s*$|^\s*\|\s*", "", text)
    # an attribution that is cut is not the one that was asked for
    return (text, collector.link) if len(text) <= _MAX_LENGTH else ("", collector.link)


def overlong_text(value: object) -> str:
    """Return a text that is too long to be an attribution as plain text, else "". It may state a duty all the same."""
    if not isinstance(value, str) or attribution_text(value)[0] or not value.strip():
        return ""
    return single_line(printable(plain_text(value[:_MAX_TERMS])))


def description_text(value: object) -> str:
    """Return a text of any length as plain text on one line."""
    return attribution_text(value)[0] or overlong_text(value)


def joined_attributions(values: List[object]) -> Tuple[str, str]:
    """Return several attributions as one line without repeats, and the first address that they link to.

    An attribution that is contained in another one is left out.
    """
    read = [attribution_text(value) for value in values]
    lines = unique_texts([text for text, _ in read if text])
    lines = [line for line in lines if not any(line != other and line in other for other in lines)]
    return "; ".join(lines), next((link for _, link in read if link), "")
