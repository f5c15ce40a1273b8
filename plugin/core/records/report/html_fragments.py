"""Small pieces of HTML in which everything that came from a record is escaped."""

from __future__ import annotations

import html
from typing import Iterable, Optional, Tuple

from ...date_formatting import format_date
from ...text import printable
from ..model.endpoints import is_web_address


def escaped(value: object) -> str:
    """``value`` as HTML text."""
    return html.escape(printable(value), quote=True)


def with_line_breaks(value: Optional[str]) -> str:
    """A longer text, its line breaks kept."""
    return escaped(value or "").replace("\r\n", "\n").replace("\n", "<br>")


def link(url: Optional[str], text: Optional[str] = None) -> str:
    """A link to an http(s) address; any other address is shown as text only."""
    words = escaped(text or url or "")
    if not is_web_address(url):
        return words if not text or not url or text == url else f"{words} ({escaped(url)})"
    return f'<a href="{escaped((url or "").strip())}" rel="noreferrer noopener">{words}</a>'


def date_html(value: Optional[str]) -> str:
    """A date (ISO 8601) as people read it; what is written in the record is its tooltip where that says more."""
    written = (value or "").strip()
    words = format_date(written)
    return escaped(words) if words == written else f'<span title="{escaped(written)}">{escaped(words)}</span>'


def join_lines(items: Iterable[str]) -> str:
    """Ready pieces of HTML below one another; empty ones are left out."""
    return "<br>".join(item for item in items if item)


def table(rows: Iterable[Tuple[str, str]]) -> str:
    """A table of names (plain text) and values (ready HTML); rows without a value are left out."""
    body = "".join(f'<tr><th scope="row">{escaped(name)}</th><td>{value}</td></tr>' for name, value in rows if value)
    return f'<table class="fields">{body}</table>' if body else ""


def section(title: str, *content: str) -> str:
    """A headed section, or nothing where it has no content."""
    body = "".join(content)
    return f'<section><h3>{escaped(title)}</h3>{body}</section>' if body else ""
